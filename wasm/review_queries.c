/* review_queries.c -- the report of the match that was opened from a file: begun, continued in
 * slices, read; and what it tells statistics. */
#include <string.h>

#include "ai/review.h"
#include "match/tally.h"
#include "wasm/instance.h"

static Review *review;

/* Starts the review of all actions of the open match, with this many nodes for one position (0 =
 * the game's own). 1 = started; 0 = there is no match, or not enough memory. Before match_goto().
 */
EXPORT(uint32_t, review_begin, (uint32_t nodes)) {
    const Match *match = &instance.match;
    review = NULL;
    if (!instance.playing)
        return 0;
    void *memory = instance_take(review_bytes(instance.content, match->actions_count));
    if (memory == NULL)
        return 0;
    ReviewTask task = {match->seed, match->options, match->actions, match->actions_count, nodes};
    review = review_init(instance.content, &task, memory);
    return 1;
}

/* Continues for about this many nodes. 1 = finished. */
EXPORT(uint32_t, review_step, (uint32_t nodes)) {
    return review == NULL || review_step(review, nodes);
}

/* Turns that are judged, of how many. */
EXPORT(uint32_t, review_done, (void)) {
    uint32_t all;
    return review == NULL ? 0 : review_done(review, &all);
}
EXPORT(uint32_t, review_all, (void)) {
    uint32_t all = 0;
    if (review != NULL)
        review_done(review, &all);
    return all;
}

/* The finished review as JSON; empty: there is none, or it is too long. */
EXPORT(uint32_t, review_text, (void)) {
    instance_text_begin();
    if (review == NULL)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    review_write(review, &writer);
    return instance_text_end();
}

/* What the match that was opened from a file tells statistics, as JSON: {"choices": [[seat, name],
 * ...], "first": words, "seat": whose first turn it was, "winner", "actions", "over"}. The match is
 * then in the middle of it. */
EXPORT(uint32_t, tally_text, (void)) {
    static MatchTally tally;
    Match *match = &instance.match;
    instance_text_begin();
    MashResult result = instance.playing ? match_result(match) : (MashResult){0};
    uint32_t count = instance.playing ? match->actions_count : 0;
    MashAction *actions = instance_take((count + 1) * sizeof *actions);
    if (!instance.playing || actions == NULL)
        return 0;
    memcpy(actions, match->actions, count * sizeof *actions);
    tally_match(match, actions, count, judge_can, &tally);
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '{');
    json_open_list(&writer, "choices");
    for (uint32_t i = 0; i < tally.choices_count; i++) {
        char bytes[WORD_BYTES];
        MashText name = text_over(bytes, sizeof bytes);
        instance.game->name(instance.content, instance.texts, MASH_NAME_KIND, tally.choices[i].kind,
                            &name);
        json_open(&writer, '[');
        json_put_int(&writer, tally.choices[i].seat);
        json_put_string(&writer, bytes);
        json_close(&writer, ']');
    }
    json_close(&writer, ']');
    json_put_pair(&writer, "first", tally.first);
    JSON_PUT_INTS(&writer, {"seat", tally.first_seat}, {"winner", result.winner},
                  {"actions", count});
    json_put_pair_bool(&writer, "over", result.over);
    json_close(&writer, '}');
    return instance_text_end();
}
