/* queries.c -- what the page asks in addition to include/mashup.h: positions as in the arena
 * protocol, what an action would do, AI players, match files, random documents.
 *
 * Everything except the files works on the current view: what a seat sees and the latest events,
 * either taken from the match in this module or given as the bytes that the server sends. So a page
 * that plays on a server asks the same questions as one that plays here. */
#include <string.h>

#include "ai/judge.h"
#include "base/json.h"
#include "match/file.h"
#include "match/foresee.h"
#include "match/preview_write.h"
#include "proto/position.h"
#include "wasm/instance.h"

enum { SAMPLES_MAX = 64, PARAMETERS_MAX = 16 };

/* --- The current view ------------------------------------------------------------------------- */

/* Takes what a seat (or MASH_SEAT_SPECTATOR) sees of the match, and the events of its last action.
 * With `open` nothing is hidden. 1 = done. */
EXPORT(uint32_t, seat_view_take, (uint32_t seat, uint32_t open)) {
    if (!instance.playing)
        return 0;
    SeatView *view = &instance.view;
    view->seat = (uint8_t)seat;
    match_view(&instance.match, view->seat, view->view);
    if (open != 0)
        memcpy(view->view, instance.match.state, instance.content->limits.state_bytes);
    view->events_count = instance.match.events.count;
    if (view->events_count > INSTANCE_EVENTS_MAX)
        view->events_count = INSTANCE_EVENTS_MAX;
    memcpy(view->events, instance.match.events.list, view->events_count * sizeof(MashEvent));
    view->there = true;
    return 1;
}

/* Where to write the bytes of a view from a server, limits.state_bytes of them, and its events. */
EXPORT(void *, seat_view_at, (void)) {
    return instance.content == NULL ? NULL : instance.view.view;
}
EXPORT(void *, seat_events_at, (void)) {
    return instance.content == NULL ? NULL : instance.view.events;
}
EXPORT(uint32_t, seat_events_count, (void)) { return instance.view.events_count; }

/* Declares that the bytes there, now or later, are what this seat sees, with this many events. 1 =
 * they fit. */
EXPORT(uint32_t, seat_view_set, (uint32_t seat, uint32_t events_count)) {
    if (instance.content == NULL || events_count > INSTANCE_EVENTS_MAX)
        return 0;
    instance.view.seat = (uint8_t)seat;
    instance.view.events_count = events_count;
    instance.view.there = true;
    return 1;
}

/* Is anything hidden from this seat in the match of this module? */
EXPORT(uint32_t, hidden, (uint32_t seat)) {
    return instance.playing && match_view(&instance.match, (uint8_t)seat, instance.trial);
}

/* The current view, for writing it with texts. */
static Position current_position(void) {
    return (Position){.content = instance.content,
                      .view = instance.view.view,
                      .seat = instance.view.seat,
                      .events = instance.view.events,
                      .events_count = instance.view.events_count,
                      .code = "",
                      .clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, POSITION_NO_TIME},
                      .form = PROTO_FORM_JSON,
                      .words = true,
                      .texts = instance.texts,
                      .called = &instance_calling};
}

/* The current view as the message `position`, with texts. Empty: there is none, or it is too long.
 */
EXPORT(uint32_t, position, (void)) {
    instance_text_begin();
    if (!instance.view.there)
        return 0;
    Position position = current_position();
    position_write(&position, instance.position_memory, &instance.text);
    return instance_text_end();
}

/* Its events alone, as an object of the shape `step`. Empty: there are none. */
EXPORT(uint32_t, step_text, (void)) {
    JsonWriter writer = json_writer(&instance.text, 0);
    instance_text_begin();
    if (!instance.view.there)
        return 0;
    Position position = current_position();
    position_write_step(&position, &writer);
    return instance_text_end();
}

/* --- JSON helpers ----------------------------------------------------------------------------- */

/* A name of the game's, after a key if there is one. */
static void put_name(JsonWriter *writer, const char *key, MashNames list, uint8_t index) {
    char memory[WORD_BYTES];
    MashText text = text_over(memory, sizeof memory);
    instance.game->name(instance.content, instance.texts, list, index, &text);
    if (key != NULL)
        json_put_key(writer, key);
    json_put_string(writer, memory);
}

/* The id of an entry, after a key if there is one. */
static void put_id(JsonWriter *writer, const char *key, MashNames list, uint8_t index) {
    const char *id = instance.game->id_of(instance.content, list, index);
    if (key != NULL)
        json_put_key(writer, key);
    json_put_string(writer, id == NULL ? "" : id);
}

/* A description of the content: sizes, times, the names of the sides, its hash. */
EXPORT(uint32_t, terms_text, (void)) {
    instance_text_begin();
    if (instance.content == NULL)
        return 0;
    const MashLimits *limits = &instance.content->limits;
    JsonWriter writer = json_writer(&instance.text, 0);
    char memory[17];
    MashText hash = text_over(memory, sizeof memory);
    text_hex(&hash, instance.content->hash, 16);
    json_open(&writer, '{');
    JSON_PUT_INTS(&writer, {"state_bytes", limits->state_bytes}, {"width", limits->width},
                  {"height", limits->height}, {"units", limits->units},
                  {"turn_ms", limits->turn_ms}, {"match_ms", limits->match_ms},
                  {"pause_ms", limits->pause_ms}, {"silence_ms", limits->silence_ms},
                  {"animation_ms", limits->animation_ms});
    json_put_pair_bool(&writer, "hides", instance.game->guess != NULL);
    json_put_pair(&writer, "hash", memory);
    json_open_list(&writer, "sides");
    put_name(&writer, NULL, MASH_NAME_SIDE, 0);
    put_name(&writer, NULL, MASH_NAME_SIDE, 1);
    json_close(&writer, ']');
    json_open_list(&writer, "side_ids");
    put_id(&writer, NULL, MASH_NAME_SIDE, 0);
    put_id(&writer, NULL, MASH_NAME_SIDE, 1);
    json_close(&writer, ']');
    json_close(&writer, '}');
    return instance.text.count;
}

/* --- What an action would do ------------------------------------------------------------------ */

/* One event with its sentence, from the state before or after it; the caller closes the object. */
static void put_event(JsonWriter *writer, const void *state, const MashEvent *event) {
    PreviewWords words = {instance.content, instance.texts, &instance_calling};
    preview_open_event(&words, state, event, writer);
}

/* What an action of the seat would do (match/preview.h), with this many samples where its outcomes
 * cannot be counted. Empty: it is not legal. */
EXPORT(uint32_t, preview, (uint32_t low, uint32_t high, uint32_t samples)) {
    static Preview preview;
    MashAction action = instance_action(low, high);
    PreviewWords words = {instance.content, instance.texts, &instance_calling};
    instance_text_begin();
    if (!instance.view.there || instance.view.seat >= MASH_SEATS || samples == 0 ||
        samples > SAMPLES_MAX)
        return 0;
    action.seat = instance.view.seat;
    if (preview_action(instance.content, instance.view.view, action, samples,
                       instance.preview_memory, &preview) != MASH_OK)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    preview_write(&preview, &words, action, &writer);
    return instance_text_end();
}

/* Forgets the events of the current view: a step of its seat is to be foreseen. */
EXPORT(void, foresee_begin, (void)) { instance.view.events_count = 0; }

/* Makes the current view what its seat will see after this action of its own, with the events of it
 * behind those of the step so far, if the seat can know that. 1 = done; 0 = it cannot, and the view
 * is as before. */
static uint32_t foresee_action(MashAction action) {
    SeatView *shown = &instance.view;
    MashEvents events = {
        .list = shown->events, .count = shown->events_count, .max = INSTANCE_EVENTS_MAX};
    action.seat = shown->seat;
    if (!foresee(instance.content, shown->view, action, instance.foresee_memory, instance.trial,
                 &events))
        return 0;
    memcpy(shown->view, instance.trial, instance.content->limits.state_bytes);
    shown->events_count = events.count;
    return 1;
}
EXPORT(uint32_t, foresee, (uint32_t low, uint32_t high)) {
    bool player = instance.view.there && instance.view.seat < MASH_SEATS;
    return player ? foresee_action(instance_action(low, high)) : 0;
}
/* The same for the action whose notation was written to input_at() (with a NUL). */
EXPORT(uint32_t, foresee_word, (uint32_t word_count)) {
    MashDocument word;
    MashAction action;
    return instance.view.there && instance_input(word_count, 0, &word) &&
           instance_find_action(instance.view.view, instance.view.seat, word.name, &action) &&
           foresee_action(action);
}

/* --- AI players ------------------------------------------------------------------------------- */

/* An action in the page's format. */
static void put_action(JsonWriter *writer, MashAction action) {
    char memory[WORD_BYTES];
    MashText word = text_over(memory, sizeof memory);
    instance.game->notation(instance.content, instance.view.view, action, &word);
    json_open(writer, '{');
    json_put_pair_int(writer, "verb", action.verb);
    json_put_pair_int(writer, "unit", action.unit);
    json_put_pair_int(writer, "ability", action.ability);
    json_put_pair_int(writer, "x", action.x);
    json_put_pair_int(writer, "y", action.y);
    json_put_pair_int(writer, "other", action.other);
    json_put_pair_int(writer, "amount", action.amount);
    put_name(writer, "name", MASH_NAME_VERB, action.verb);
    put_id(writer, "id", MASH_NAME_VERB, action.verb);
    json_put_pair(writer, "word", memory);
    json_close(writer, '}');
}

/* The levels of the game: a JSON list of title and sentence. */
EXPORT(uint32_t, ai_levels, (void)) {
    instance_text_begin();
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t level = 1; instance.game != NULL && level <= ai_levels_of(instance.game);
         level++) {
        const AiSkill *skill = ai_level(level);
        json_open(&writer, '{');
        json_put_pair_int(&writer, "level", level);
        json_put_pair(&writer, "title", skill->title);
        json_put_pair(&writer, "about", skill->about);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    return instance.text.count;
}

/* Starts a search for the seat of the current view, with this many nodes (0 = those of the level).
 * 1 = there is something to choose; ai_answer() has an answer from now on. */
EXPORT(uint32_t, ai_begin,
       (uint32_t level, uint32_t seed_low, uint32_t seed_high, uint32_t nodes)) {
    SeatView *view = &instance.view;
    if (!view->there || view->seat >= MASH_SEATS || instance.ai == NULL || level < 1 ||
        level > ai_levels_of(instance.game))
        return 0;
    return ai_begin(instance.ai, &(AiTask){.skill = ai_level(level),
                                           .view = view->view,
                                           .plan = &instance.plans[view->seat],
                                           .seat = view->seat,
                                           .nodes = nodes,
                                           .seed = (uint64_t)seed_high << 32 | seed_low});
}
/* Continues for this many nodes. 1 = finished. */
EXPORT(uint32_t, ai_step, (uint32_t nodes)) {
    return instance.ai == NULL || ai_step(instance.ai, nodes);
}
/* The answer so far, as JSON; only after ai_begin() returned 1. */
EXPORT(uint32_t, ai_answer, (void)) {
    instance_text_begin();
    if (instance.ai == NULL)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    put_action(&writer, ai_answer(instance.ai));
    return instance.text.count;
}

/* Starts computing advice for the seat of the current view. Level 0: the search of the report, so
 * that the best choice is the one it names. 1 = there is something to choose. */
EXPORT(uint32_t, tip_begin, (uint32_t level)) {
    SeatView *view = &instance.view;
    if (!view->there || view->seat >= MASH_SEATS || instance.tip == NULL ||
        level > ai_levels_of(instance.game))
        return 0;
    return tip_begin(instance.tip,
                     &(TipTask){.skill = ai_level(level == 0 ? AI_LEVELS : level),
                                .view = view->view,
                                .seat = view->seat,
                                .nodes = level == 0 ? judge_search_nodes(instance.content, 0) : 0,
                                .seed = JUDGE_SEED});
}
/* Continues for about this many nodes. 1 = finished. */
EXPORT(uint32_t, tip_step, (uint32_t nodes)) {
    return instance.tip == NULL || tip_step(instance.tip, nodes);
}

/* A key and events of advice, each with its sentence and how often it happens. */
static void put_tip_events(JsonWriter *writer, const char *key, const TipEvents *events) {
    json_open_list(writer, key);
    for (uint32_t i = 0; i < events->count; i++) {
        put_event(writer, instance.view.view, &events->list[i]);
        json_put_pair_int(writer, "times", events->samples[i]);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* One piece of advice: the action, its consequences, and health dealt and lost. */
static void put_choice(JsonWriter *writer, const TipChoice *choice) {
    json_open(writer, '{');
    json_put_key(writer, "action");
    put_action(writer, choice->action);
    json_put_pair_int(writer, "samples", choice->samples);
    json_put_pair_int(writer, "works", choice->works);
    put_tip_events(writer, "now", &choice->now);
    put_tip_events(writer, "next", &choice->next);
    put_tip_events(writer, "losses", &choice->losses);
    json_put_pair_int(writer, "dealt", choice->dealt);
    json_put_pair_int(writer, "lost", choice->lost);
    json_close(writer, '}');
}

/* The advice as a JSON list, the best choice first; only after tip_begin() returned 1. */
EXPORT(uint32_t, tip_advice, (void)) {
    instance_text_begin();
    if (instance.tip == NULL)
        return 0;
    const TipAdvice *advice = tip_advice(instance.tip);
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    put_choice(&writer, &advice->best);
    if (advice->other.action.verb != MASH_VERB_NONE)
        put_choice(&writer, &advice->other);
    json_close(&writer, ']');
    return instance.text.count;
}

/* --- Match files ------------------------------------------------------------------------------ */

/* Opens the match file that was written to input_at() (its name, a NUL, its bytes) and replaces
 * game, content and match. 1 = open; otherwise the text is a JSON list of problems. */
EXPORT(uint32_t, match_open, (uint32_t name_count, uint32_t bytes_count)) {
    static MashProblem problem_list[INSTANCE_PROBLEMS_MAX];
    static MatchFile file;
    MashProblems problems = {.list = problem_list, .max = INSTANCE_PROBLEMS_MAX};
    MashDocument document;
    instance_text_begin();
    if (!instance_input(name_count, bytes_count, &document))
        return 0;
    instance_reset();
    memset(&instance, 0, sizeof instance);
    instance_text_begin();
    size_t bytes = match_file_bytes(bytes_count);
    void *memory = instance_take(bytes);
    bool good = memory != NULL && match_file_open(&file, document.name, document.bytes, bytes_count,
                                                  memory, bytes, &problems);
    if (good) {
        instance.game = file.game;
        memcpy(instance.options, file.options, sizeof instance.options);
        good = instance_load(file.documents, file.documents_count, &problems);
    }
    void *room = good ? instance_take(match_bytes(instance.content)) : NULL;
    instance.playing = room != NULL &&
                       match_file_replay(&file, instance.content, room, &instance.match, &problems);
    if (instance.playing) {
        instance.written = instance.match.actions_count;
        return 1;
    }
    instance_put_problems(&problems);
    return 0;
}

/* Goes to the state after the first `count` actions of the file, forwards or back, as long as no
 * other action was made. 1 = done. */
EXPORT(uint32_t, match_goto, (uint32_t count)) {
    Match *match = &instance.match;
    if (!instance.playing || count > instance.written)
        return 0;
    if (count == match->actions_count + 1)
        return match_apply(match, match->actions[count - 1]) == MASH_OK;
    match->actions_count = instance.written; /* going back keeps the list of actions */
    return match_rewind(match, count);
}

/* The match as a file. The players' names were written to input_at(), each with a NUL. Empty: there
 * is no match, or it is too long. */
EXPORT(uint32_t, match_save, (uint32_t first_count, uint32_t second_count)) {
    MashDocument names;
    instance_text_begin();
    if (!instance.playing || !instance_input(first_count, second_count + 1, &names) ||
        names.bytes[second_count] != 0)
        return 0;
    MatchHeader about = {.documents = instance.documents,
                         .documents_count = instance.documents_count,
                         .players = {names.name, names.bytes}};
    match_file_write(&instance.match, &about, &instance.text);
    return instance_text_end();
}

/* --- Documents -------------------------------------------------------------------------------- */

/* A document that comes with the game, by the name at input_at(). */
EXPORT(uint32_t, document_text, (uint32_t name_count)) {
    MashDocument name;
    instance_text_begin();
    if (instance.game == NULL || !instance_input(name_count, 0, &name))
        return 0;
    MashDocument shipped = mash_document_shipped(instance.game, name.name);
    text_bytes(&instance.text, shipped.bytes, shipped.count);
    return instance_text_end();
}

/* The content's description of an entry of a list, in one or two sentences. Empty: there is none.
 */
EXPORT(uint32_t, describe, (uint32_t list, uint32_t index)) {
    instance_text_begin();
    if (instance.content != NULL && instance.game->describe != NULL && list < MASH_NAME_LISTS)
        instance.game->describe(instance.content, instance.texts, (MashNames)list, (uint8_t)index,
                                &instance.text);
    return instance_text_end();
}

/* A random document by generator number `index` of the game, with parameters set before. Empty: no
 * document has this combination of values. */
static int32_t parameters[PARAMETERS_MAX];
EXPORT(uint32_t, parameter_set, (uint32_t index, int32_t value)) {
    if (index >= PARAMETERS_MAX)
        return 0;
    parameters[index] = value;
    return 1;
}
EXPORT(uint32_t, generate, (uint32_t index, uint32_t seed_low, uint32_t seed_high)) {
    instance_text_begin();
    if (instance.game == NULL || index >= instance.game->generators_count)
        return 0;
    const MashGenerator *generator = &instance.game->generators[index];
    for (uint32_t i = 0; i < generator->parameters_count; i++)
        if (parameters[i] < generator->parameters[i].least ||
            parameters[i] > generator->parameters[i].most)
            return 0;
    MashChance chance = chance_sampled((uint64_t)seed_high << 32 | seed_low);
    return generator->write(parameters, &chance, &instance.text) ? instance_text_end() : 0;
}

/* Plays the open match on, both seats by programs of a level, for at most so many actions. 1 = it
 * is over; 0 = it goes on; 2 = it cannot. */
EXPORT(uint32_t, play_on, (uint32_t level, uint32_t seed, uint32_t actions)) {
    Match *match = &instance.match;
    if (!instance.playing || instance.ai == NULL || level < 1 ||
        level > ai_levels_of(instance.game))
        return 2;
    if (match->actions_count == 0)
        memset(instance.plans, 0, sizeof instance.plans);
    for (uint32_t i = 0; i < actions; i++) {
        uint32_t awaited = instance.game->awaited(instance.content, match->state);
        if (awaited == 0)
            return 1;
        uint8_t seat = awaited == 2;
        match_view(match, seat, instance.view.view);
        instance.view.there = false;
        AiTask task = {.skill = ai_level(level),
                       .view = instance.view.view,
                       .plan = &instance.plans[seat],
                       .seat = seat,
                       .seed = (uint64_t)seed << 32 | match->actions_count};
        if (!ai_begin(instance.ai, &task))
            return 2;
        while (!ai_step(instance.ai, UINT32_MAX))
            ;
        if (match_apply(match, ai_answer(instance.ai)) != MASH_OK)
            return 2;
    }
    return 0;
}
