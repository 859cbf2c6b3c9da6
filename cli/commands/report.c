/* report.c -- mashup report: winning chances of a match turn by turn, luck and play. */
#include <stdio.h>
#include <stdlib.h>

#include "ai/review.h"
#include "cli/match_files.h"
#include "cli/progress.h"

enum { JSON_BYTES = 8 << 20, NAME_BYTES = 64, SLICE = 50000, LINE_BYTES = 512 };

/* Does the whole work. */
static Review *make_review(const Match *match, uint32_t nodes, void **memory) {
    ReviewTask task = {match->seed, match->options, match->actions, match->actions_count, nodes};
    *memory = cli_memory(review_bytes(match->content, match->actions_count));
    Review *review = review_init(match->content, &task, *memory);
    Progress progress = progress_begin();
    while (!review_step(review, SLICE)) {
        uint32_t all, done = review_done(review, &all);
        progress_show(&progress, done, all);
    }
    progress_end(&progress);
    return review;
}

static void print_json(Review *review) {
    char *bytes = cli_memory(JSON_BYTES);
    MashText text = text_over(bytes, JSON_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    review_write(review, &writer);
    puts(bytes);
    free(bytes);
}

/* "Calliance" */
static void side_name(const Match *match, uint8_t seat, char bytes[NAME_BYTES]) {
    MashText text = text_over(bytes, NAME_BYTES);
    match->content->game->name(match->content, NULL, MASH_NAME_SIDE, seat, &text);
}

/* Tenths of a percent from ten thousandths. */
static double percent(int64_t chance) { return (double)chance / 100; }

static void print_turn(const Match *match, const ReviewTurn *turn, bool point) {
    char name[NAME_BYTES], verdict[NAME_BYTES];
    MashText text = text_over(verdict, sizeof verdict);
    side_name(match, turn->seat, name);
    if (review_loss(turn) < REVIEW_KEPT)
        text_string(&text, "kept");
    else
        snprintf(verdict, sizeof verdict, "lost %.1f %%", percent(review_loss(turn)));
    printf("%c%5u-%-5u %-16s %5.1f %% %+7.1f %+7.1f %+7.1f   %s\n", point ? '*' : ' ',
           turn->from + 1, turn->to, name, percent(turn->before),
           percent((int64_t)turn->after - turn->before), percent(turn->play), percent(turn->luck),
           verdict);
}

static void print_text(const Match *match, const Review *review) {
    ReviewSide sides[MASH_SEATS];
    uint32_t points[REVIEW_POINTS], points_count = review_points(review, points), count, next = 0;
    const ReviewTurn *turns = review_turns(review, &count);
    char name[NAME_BYTES];
    side_name(match, 0, name);
    printf(" actions     turn of          %s   change    play    luck   the turn\n", name);
    for (uint32_t i = 0; i < count; i++) {
        bool point = next < points_count && points[next] == i;
        next += point;
        print_turn(match, &turns[i], point);
    }
    review_sides(review, sides);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        side_name(match, seat, name);
        printf("%s: ", name);
        if (sides[seat].turns > 0)
            printf("accuracy %.1f %%, ", percent(sides[seat].accuracy));
        printf("kept %u of %u turns, play %+.1f %%, luck %+.1f %%\n", sides[seat].kept,
               sides[seat].turns, percent(sides[seat].play), percent(sides[seat].luck));
    }
    puts("* turning point. For a better turn and its reason: mashup tip FILE --at ACTIONS-BEFORE");
}

static const Flag flags[] = {FLAG_WHOLE("nodes", 1, UINT32_MAX, 0), FLAG_SWITCH("json"), FLAGS_END};

static int run(const Arguments *given) {
    static SavedMatch saved;
    void *memory;
    if (!saved_match_read(given->words[0], &saved))
        return CLI_WRONG_USE;
    Review *review = make_review(&saved.match, (uint32_t)flag_number(given, "nodes"), &memory);
    if (flag_given(given, "json"))
        print_json(review);
    else
        print_text(&saved.match, review);
    free(memory);
    saved_match_release(&saved);
    return CLI_FINE;
}

const Command command_report = {"report",
                                "Winning chances of a match, turn by turn; luck and play.",
                                "report FILE [--nodes N] [--json]",
                                run,
                                flags,
                                1,
                                1,
                                NULL};
