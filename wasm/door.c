/* door.c -- the door for the browser: one game, one content and one match at a time, as numbers and
 * texts.
 *
 * No imports, no allocation: everything lies in static memory whose addresses the page asks for.
 * 64-bit numbers cross as two 32-bit halves, low one first. Texts are written to one buffer: a call
 * returns its length, text_at() its place. A failed assert is a trap; what comes from outside is
 * checked here, so a page can do no harm but to itself.
 *
 * Order of calls: game_choose, document_add as often as wanted, content_load, option_set,
 * match_begin, then the rest. */
#include <string.h>

#include "ai/bench.h"
#include "base/json.h"
#include "include/mashup.h"
#include "match/match.h"
#include "match/simulate.h"

/* Declares and begins an exported function: EXPORT(uint32_t, awaited, (void)) { ... } */
#define EXPORT(type, name, parameters)                                                             \
    __attribute__((export_name(#name))) type wasm_##name parameters;                               \
    type wasm_##name parameters

enum {
    INPUT_BYTES = 1 << 20, /* documents from outside, their names among them */
    TEXT_BYTES = 1 << 16,
    ARENA_BYTES = 24 << 20, /* content, match, view, list and board of the largest game */
    PROBLEMS_MAX = 32,
};

static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];
static _Alignas(16) uint8_t arena[ARENA_BYTES];
static char input[INPUT_BYTES];
static char text_memory[TEXT_BYTES];
static MashText text;
static uint32_t input_used, arena_used;

static const MashGame *game;
static MashContent *content;
static MashDocument given[MASH_DOCUMENTS_MAX];
static uint32_t given_count;
static int32_t options[MASH_OPTIONS_MAX];
static Match match;
static bool playing;
static MashAction *list;
static uint32_t list_count;
static void *view;
static MashBoard board;

/* Asserts of the engine end here; declared by wasi-libc's assert.h. */
_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function);
_Noreturn void __assert_fail(const char *what, const char *file, int line, const char *function) {
    (void)what, (void)file, (void)line, (void)function;
    __builtin_trap();
}

/* The next free bytes of the arena; NULL if there are not so many. */
static void *arena_take(size_t bytes) {
    size_t rounded = (bytes + 15) / 16 * 16;
    if (rounded > ARENA_BYTES - arena_used)
        return NULL;
    void *memory = arena + arena_used;
    arena_used += (uint32_t)rounded;
    return memset(memory, 0, rounded);
}

/* Frees all of the arena but the content, which lies first. */
static void arena_keep_content(void) {
    arena_used = (uint32_t)((game->content_bytes_max + 15) / 16 * 16);
}

static void text_begin(void) { text = text_over(text_memory, TEXT_BYTES); }

/* --- Texts in and out ---------------------------------------------------------------------- */

/* Where the last text lies. */
EXPORT(const char *, text_at, (void)) { return text_memory; }
/* Where the next document may be written, and how many bytes of it. */
EXPORT(char *, input_at, (void)) { return input + input_used; }
EXPORT(uint32_t, input_left, (void)) { return INPUT_BYTES - input_used; }

/* --- Games and content ------------------------------------------------------------------------ */

/* How many games there are. */
EXPORT(uint32_t, game_count, (void)) {
    uint32_t count = 0;
    while (mash_games[count] != NULL)
        count++;
    return count;
}

/* Takes a game; forgets content, documents and match. 1 = there is such a game. */
EXPORT(uint32_t, game_choose, (uint32_t index)) {
    game = NULL, content = NULL, playing = false;
    given_count = input_used = arena_used = 0;
    if (index >= wasm_game_count())
        return 0;
    game = mash_games[index];
    for (uint32_t i = 0; i < game->options_count; i++)
        options[i] = game->options[i].usual;
    return 1;
}

static void put_titled(JsonWriter *writer, const char *id, const char *title) {
    json_open(writer, '{');
    json_put_key(writer, "id");
    json_put_string(writer, id);
    json_put_key(writer, "title");
    json_put_string(writer, title);
}

static void put_option(JsonWriter *writer, const MashOption *option) {
    put_titled(writer, option->id, option->title);
    json_put_key(writer, "least");
    json_put_int(writer, option->least);
    json_put_key(writer, "most");
    json_put_int(writer, option->most);
    json_put_key(writer, "usual");
    json_put_int(writer, option->usual);
    json_close(writer, '}');
}

/* The chosen game as JSON: id, title, version, presets, options. */
EXPORT(uint32_t, game_text, (void)) {
    text_begin();
    if (game == NULL)
        return 0;
    JsonWriter writer = json_writer(&text, 0);
    put_titled(&writer, game->id, game->title);
    json_put_key(&writer, "version");
    json_put_int(&writer, game->version);
    json_put_key(&writer, "figures");
    json_put_int(&writer, game->figures_count);
    json_put_key(&writer, "presets");
    json_open(&writer, '[');
    for (uint32_t i = 0; i < game->presets_count; i++) {
        put_titled(&writer, game->presets[i].id, game->presets[i].title);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_put_key(&writer, "options");
    json_open(&writer, '[');
    for (uint32_t i = 0; i < game->options_count; i++)
        put_option(&writer, &game->options[i]);
    json_close(&writer, ']');
    json_close(&writer, '}');
    return text.count;
}

/* Takes a document that was written to input_at(): its name, a NUL, its bytes. It replaces the one
 * of the same kind in the preset that content_load() names. 1 = taken. */
EXPORT(uint32_t, document_add, (uint32_t name_count, uint32_t bytes_count)) {
    uint64_t whole = (uint64_t)name_count + 1 + bytes_count;
    char *name = input + input_used;
    if (whole > INPUT_BYTES - input_used || name[name_count] != 0 || strlen(name) != name_count)
        return 0;
    MashDocument document = {name, name + name_count + 1, bytes_count};
    if (!mash_documents_replace(given, &given_count, document))
        return 0;
    input_used += (uint32_t)whole;
    return 1;
}

static void put_problem(JsonWriter *writer, const MashProblem *problem) {
    json_open(writer, '{');
    json_put_key(writer, "document");
    json_put_string(writer, problem->document);
    json_put_key(writer, "line");
    json_put_int(writer, problem->line);
    json_put_key(writer, "column");
    json_put_int(writer, problem->column);
    json_put_key(writer, "path");
    json_put_string(writer, problem->path);
    json_put_key(writer, "reason");
    json_put_string(writer, problem->reason);
    json_close(writer, '}');
}

/* Reads the documents into a fresh content. */
static bool load(const MashDocument *documents, uint32_t count, MashProblems *problems) {
    arena_used = 0, playing = false;
    content = arena_take(game->content_bytes_max);
    if (content == NULL)
        return false;
    MashDocuments all = {documents, count, scratch, sizeof scratch};
    if (game->load(&all, content, problems))
        return true;
    content = NULL;
    return false;
}

/* Loads preset number `preset` with the documents given. 1 = loaded; else the text is a JSON list
 * of problems. */
EXPORT(uint32_t, content_load, (uint32_t preset)) {
    static MashProblem problem_list[PROBLEMS_MAX];
    MashProblems problems = {.list = problem_list, .max = PROBLEMS_MAX};
    MashDocument documents[MASH_DOCUMENTS_MAX];
    text_begin();
    if (game == NULL || preset >= game->presets_count)
        return 0;
    uint32_t count = mash_documents_of_preset(game, game->presets[preset].id, documents);
    for (uint32_t i = 0; i < given_count; i++)
        if (!mash_documents_replace(documents, &count, given[i]))
            return 0;
    if (load(documents, count, &problems))
        return 1;
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < problems.count && i < problems.max; i++)
        put_problem(&writer, &problem_list[i]);
    json_close(&writer, ']');
    return 0;
}

/* The address of the content's MashTerms, and its size, for a page that draws. */
EXPORT(const MashTerms *, terms_at, (void)) { return content == NULL ? NULL : &content->terms; }

/* Sets an option for the next match. 1 = there is such an option. */
EXPORT(uint32_t, option_set, (uint32_t index, int32_t value)) {
    if (game == NULL || index >= game->options_count)
        return 0;
    options[index] = value;
    return 1;
}

/* --- One match ----------------------------------------------------------------------------------
 */

static void board_take(void) {
    const MashTerms *terms = &content->terms;
    size_t cells = (size_t)terms->width * terms->height;
    board.ground = arena_take(cells);
    board.wear = arena_take(cells * sizeof *board.wear);
    board.tokens = arena_take(terms->tokens_max * sizeof *board.tokens);
    board.meters = arena_take(terms->meters_max * sizeof *board.meters);
    board.order = arena_take(terms->units);
}

/* Begins a match with this seed. A MashStatus, or MASH_STATUS_COUNT without content or memory. */
EXPORT(uint32_t, match_begin, (uint32_t a_low, uint32_t a_high, uint32_t b_low, uint32_t b_high)) {
    playing = false;
    if (content == NULL)
        return MASH_STATUS_COUNT;
    const MashTerms *terms = &content->terms;
    arena_keep_content();
    void *memory = arena_take(match_bytes(content));
    list = arena_take(terms->actions_max * sizeof *list);
    view = arena_take(terms->state_bytes);
    board_take();
    if (memory == NULL || list == NULL || view == NULL || board.order == NULL)
        return MASH_STATUS_COUNT;
    MashSeed seed = {{(uint64_t)a_high << 32 | a_low, (uint64_t)b_high << 32 | b_low}};
    MashSetup setup = {options, game->options_count};
    MashStatus status = match_begin(&match, content, seed, &setup, memory);
    playing = status == MASH_OK;
    list_count = 0;
    return status;
}

/* For whom the match waits: one bit a seat. */
EXPORT(uint32_t, awaited, (void)) { return playing ? game->awaited(content, match.state) : 0; }

/* What the seat may do; they lie at actions_at(), eight bytes each. */
EXPORT(uint32_t, actions, (uint32_t seat)) {
    list_count =
        playing && seat < MASH_SEATS ? game->actions(content, match.state, (uint8_t)seat, list) : 0;
    return list_count;
}
EXPORT(const MashAction *, actions_at, (void)) { return list; }

/* Words for entry `index` of the last list. */
EXPORT(uint32_t, action_word, (uint32_t index)) {
    text_begin();
    if (playing && index < list_count)
        game->word(content, match.state, list[index], &text);
    return text.count;
}

static MashAction action_of(uint32_t low, uint32_t high) {
    uint32_t halves[2] = {low, high};
    MashAction action;
    memcpy(&action, halves, sizeof action);
    return action;
}

/* Judges and does the action whose eight bytes are these two halves. A MashStatus. */
EXPORT(uint32_t, act, (uint32_t low, uint32_t high)) {
    if (!playing)
        return MASH_MATCH_OVER;
    list_count = 0;
    return match_act(&match, action_of(low, high));
}

/* Back to the moment after the first `count` actions. 1 = done. */
EXPORT(uint32_t, match_rewind, (uint32_t count)) {
    list_count = 0;
    return playing && match_rewind(&match, count);
}

/* How many actions were accepted. */
EXPORT(uint32_t, match_length, (void)) { return playing ? match.actions_count : 0; }

/* What the last action told, sixteen bytes an event. */
EXPORT(uint32_t, events, (void)) { return playing ? match.events.count : 0; }
EXPORT(const MashEvent *, events_at, (void)) { return playing ? match.events.list : NULL; }
/* The sentence of event `index`, as a seat (or MASH_SEAT_SPECTATOR) may hear it; empty: it may not.
 */
EXPORT(uint32_t, event_say, (uint32_t index, uint32_t seat)) {
    text_begin();
    if (!playing || index >= match.events.count)
        return 0;
    const MashEvent *event = &match.events.list[index];
    if (mash_event_seen(event, (uint8_t)seat)) {
        match_view(&match, (uint8_t)seat, view);
        game->say(content, view, event, &text);
    }
    return text.count;
}

/* The bytes of what a seat may know; terms.state_bytes of them. */
EXPORT(const void *, view, (uint32_t seat)) {
    if (!playing)
        return NULL;
    match_view(&match, (uint8_t)seat, view);
    return view;
}

/* What there is to draw of that view: the address of a MashBoard whose arrays lie in this memory.
 */
EXPORT(const MashBoard *, show, (uint32_t seat)) {
    if (wasm_view(seat) == NULL)
        return NULL;
    game->show(content, view, &board);
    return &board;
}

/* A name out of a list of the game, the name of a unit as the last view has it, the words of a
 * status. */
EXPORT(uint32_t, name, (uint32_t names, uint32_t index)) {
    text_begin();
    if (content != NULL && names < MASH_NAME_LISTS)
        game->name(content, (MashNames)names, (uint8_t)index, &text);
    return text.count;
}
EXPORT(uint32_t, unit_name, (uint32_t unit)) {
    text_begin();
    if (playing && unit < content->terms.units)
        game->unit_name(content, view, (uint8_t)unit, &text);
    return text.count;
}
EXPORT(uint32_t, status_sentence, (uint32_t status)) {
    text_begin();
    if (status < MASH_STATUS_COUNT)
        text_string(&text, mash_status_sentence((MashStatus)status));
    return text.count;
}

/* over | winner << 8 | reason << 16 */
EXPORT(uint32_t, result, (void)) {
    if (!playing)
        return 0;
    MashResult now = match_result(&match);
    return (uint32_t)now.over | (uint32_t)now.winner << 8 | (uint32_t)now.reason << 16;
}

/* A figure for the end screen. */
EXPORT(int32_t, figure, (uint32_t unit, uint32_t number)) {
    bool known = playing && number < game->figures_count &&
                 (unit < content->terms.units || unit - MASH_UNIT_SIDE < MASH_SEATS);
    return known ? game->figure(content, match.state, (uint8_t)unit, (uint8_t)number) : 0;
}

/* --- Random matches: the signature that must be the same on every build
 * ----------------------------- */

/* Plays `matches` random matches with the options set; ends the match that was going on. The text
 * is "ACTIONS SIGNATURE"; empty: it could not be done. */
EXPORT(uint32_t, simulate, (uint32_t matches, uint32_t seed_low, uint32_t seed_high)) {
    static Simulation run;
    MashSetup setup = {options, game == NULL ? 0 : game->options_count};
    text_begin();
    playing = false;
    if (content == NULL)
        return 0;
    arena_keep_content();
    void *memory = arena_take(simulate_bytes(content));
    if (memory == NULL)
        return 0;
    simulate_init(&run, content, &setup, (uint64_t)seed_high << 32 | seed_low, memory);
    for (uint32_t i = 0; i < matches; i++)
        if (simulate_match(&run) != MASH_OK)
            return 0;
    text_int(&text, (int64_t)run.actions);
    text_byte(&text, ' ');
    text_hex(&text, run.signature, 16);
    return text.count;
}

/* The best level thinks in fixed positions; ends the match that was going on. The text is "NODES
 * SIGNATURE"; empty: it could not be done. */
EXPORT(uint32_t, ai_bench, (uint32_t positions, uint32_t nodes)) {
    AiBench bench;
    text_begin();
    playing = false;
    if (content == NULL || nodes == 0)
        return 0;
    arena_keep_content();
    void *memory = arena_take(ai_bench_bytes(content));
    if (memory == NULL)
        return 0;
    ai_bench(content, positions, nodes, memory, &bench);
    text_int(&text, (int64_t)bench.nodes);
    text_byte(&text, ' ');
    text_hex(&text, bench.signature, 16);
    return text.count;
}
