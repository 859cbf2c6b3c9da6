/* exports.c -- the functions exported to the browser: one game, one content and one match at a
 * time, as numbers and texts.
 *
 * No imports: everything is in this module's memory, whose addresses the page asks for. 64-bit
 * numbers are passed as two 32-bit halves, low one first. Texts are written to one buffer: a call
 * returns its length, text_at() its address. A failed assert is a trap; input is checked here, so a
 * page can only harm itself.
 *
 * Order of calls: game_choose, document_add as often as needed, content_load, option_set,
 * match_begin, then the rest. */
#include "wasm/instance.h"

#include <string.h>

#include "ai/search_bench.h"
#include "base/json.h"
#include "match/foresee.h"
#include "match/preview.h"
#include "match/simulate.h"
#include "match/threat.h"
#include "match/walk.h"
#include "proto/action.h"
#include "proto/position.h"

enum { PAGE_BYTES = 65536 };

static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];
static char input[INSTANCE_INPUT_BYTES];
static char text_memory[INSTANCE_TEXT_BYTES];
static uint32_t input_used, taken, content_ends;
static bool lacking; /* there was not enough memory */
static MashDocument given[MASH_DOCUMENTS_MAX];
static uint32_t given_count;
static MashAction *list;
static uint32_t list_count;
EngineInstance instance;

/* The start of free memory, defined by the linker. */
extern uint8_t __heap_base;

/* --- Memory ----------------------------------------------------------------------------------- */

void *instance_take(size_t bytes) {
    uintptr_t start = ((uintptr_t)&__heap_base + 15) / 16 * 16 + taken;
    size_t rounded = (bytes + 15) / 16 * 16;
    size_t have = (size_t)__builtin_wasm_memory_size(0) * PAGE_BYTES;
    if (rounded < bytes || rounded > UINT32_MAX - start ||
        (start + rounded > have &&
         __builtin_wasm_memory_grow(0, (start + rounded - have + PAGE_BYTES - 1) / PAGE_BYTES) ==
             SIZE_MAX)) {
        lacking = true;
        return NULL;
    }
    taken += (uint32_t)rounded;
    return memset((void *)start, 0, rounded);
}

void instance_reset(void) {
    taken = content_ends = 0;
    instance.content = NULL, instance.playing = instance.view.there = false;
    instance.ai = NULL, instance.tip = NULL;
}

void instance_keep_content(void) { taken = content_ends; }

void instance_text_begin(void) { instance.text = text_over(text_memory, INSTANCE_TEXT_BYTES); }
uint32_t instance_text_end(void) { return instance.text.truncated ? 0 : instance.text.count; }

/* --- Texts in and out ---------------------------------------------------------------------- */

/* The address of the last text. */
EXPORT(const char *, text_at, (void)) { return text_memory; }
/* Where to write the next document, and its maximum length in bytes. */
EXPORT(char *, input_at, (void)) { return input + input_used; }
EXPORT(uint32_t, input_left, (void)) { return INSTANCE_INPUT_BYTES - input_used; }

bool instance_input(uint32_t name_count, uint32_t bytes_count, MashDocument *out) {
    uint64_t whole = (uint64_t)name_count + 1 + bytes_count;
    char *name = input + input_used;
    if (whole > INSTANCE_INPUT_BYTES - input_used || name[name_count] != 0 ||
        strlen(name) != name_count)
        return false;
    *out = (MashDocument){name, name + name_count + 1, bytes_count};
    return true;
}

/* --- Games and content ------------------------------------------------------------------------ */

/* How many games there are. */
EXPORT(uint32_t, game_count, (void)) {
    uint32_t count = 0;
    while (mash_games[count] != NULL)
        count++;
    return count;
}

/* Chooses a game; discards content, documents and match. 1 = there is such a game. */
EXPORT(uint32_t, game_choose, (uint32_t index)) {
    memset(&instance, 0, sizeof instance);
    instance_reset();
    given_count = input_used = 0;
    if (index >= wasm_game_count())
        return 0;
    instance.game = mash_games[index];
    for (uint32_t i = 0; i < instance.game->options_count; i++)
        instance.options[i] = instance.game->options[i].usual;
    return 1;
}

/* Opens an object with an id and a title; the caller closes it. */
static void put_titled(JsonWriter *writer, const char *id, const char *title) {
    json_open(writer, '{');
    json_put_pair(writer, "id", id);
    json_put_pair(writer, "title", title);
}

/* A key and all options of a list. */
static void put_options(JsonWriter *writer, const char *key, const MashOption *list_of,
                        uint32_t count) {
    json_open_list(writer, key);
    for (uint32_t i = 0; i < count; i++)
        option_write(writer, &list_of[i]);
    json_close(writer, ']');
}

/* One preset with the names of its documents. */
static void put_preset(JsonWriter *writer, const MashPreset *preset) {
    put_titled(writer, preset->id, preset->title);
    json_open_list(writer, "documents");
    for (uint32_t i = 0; i < MASH_DOCUMENTS_MAX && preset->documents[i] != NULL; i++)
        json_put_string(writer, preset->documents[i]);
    json_close(writer, ']');
    json_close(writer, '}');
}

/* The chosen game as JSON: id, title, version, presets with the names of their documents, options,
 * generators. */
EXPORT(uint32_t, game_text, (void)) {
    instance_text_begin();
    if (instance.game == NULL)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    put_titled(&writer, instance.game->id, instance.game->title);
    JSON_PUT_INTS(&writer, {"version", instance.game->version},
                  {"figures", instance.game->figures_count});
    json_open_list(&writer, "presets");
    for (uint32_t i = 0; i < instance.game->presets_count; i++)
        put_preset(&writer, &instance.game->presets[i]);
    json_close(&writer, ']');
    put_options(&writer, "options", instance.game->options, instance.game->options_count);
    json_open_list(&writer, "generators");
    for (uint32_t i = 0; i < instance.game->generators_count; i++) {
        const MashGenerator *generator = &instance.game->generators[i];
        put_titled(&writer, generator->id, generator->title);
        put_options(&writer, "parameters", generator->parameters, generator->parameters_count);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_close(&writer, '}');
    return instance.text.count;
}

/* Adds a document that was written to input_at(): its name, a NUL, its bytes. It replaces the one
 * of the same kind in the preset that content_load() names. 1 = added. */
EXPORT(uint32_t, document_add, (uint32_t name_count, uint32_t bytes_count)) {
    MashDocument document;
    if (!instance_input(name_count, bytes_count, &document) ||
        !mash_documents_replace(given, &given_count, document))
        return 0;
    input_used += name_count + 1 + bytes_count;
    return 1;
}

/* One problem of a document with its location. */
static void put_problem(JsonWriter *writer, const MashProblem *problem) {
    json_open(writer, '{');
    json_put_pair(writer, "document", problem->document);
    JSON_PUT_INTS(writer, {"line", problem->line}, {"column", problem->column});
    json_put_pair(writer, "path", problem->path);
    json_put_pair(writer, "reason", problem->reason);
    json_close(writer, '}');
}

void instance_put_problems(const MashProblems *problems) {
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < problems->count && i < problems->max; i++)
        put_problem(&writer, &problems->list[i]);
    json_close(&writer, ']');
}

/* Memory for a board that show() fills. */
static void board_take(MashBoard *board) {
    void *memory = instance_take(mash_board_bytes(instance.content));
    if (memory != NULL)
        *board = mash_board_over(instance.content, memory);
}

bool instance_take_scratch(void) {
    const MashLimits *limits = &instance.content->limits;
    lacking = false;
    instance.view = (SeatView){.view = instance_take(limits->state_bytes),
                               .events = instance_take(INSTANCE_EVENTS_MAX * sizeof(MashEvent))};
    instance.trial = instance_take(limits->state_bytes);
    instance.texts = NULL;
    instance.language = instance_take(instance.game->texts_bytes);
    instance.position_memory = instance_take(position_bytes(instance.content));
    instance.preview_memory = instance_take(preview_bytes(instance.content));
    instance.foresee_memory = instance_take(foresee_bytes(instance.content));
    instance.walk_memory = instance_take(walk_bytes(instance.content));
    instance.threat_memory = instance_take(threat_bytes(instance.content));
    instance.threat = instance_take((size_t)limits->width * limits->height * sizeof(int32_t));
    list = instance_take(limits->actions_max * sizeof *list);
    board_take(&instance.board);
    board_take(&instance.trial_board);
    bool all = !lacking;
    void *thoughts = all ? instance_take(ai_bytes(instance.content)) : NULL;
    instance.ai = thoughts == NULL ? NULL : ai_init(instance.content, thoughts);
    void *advice = thoughts == NULL ? NULL : instance_take(tip_bytes(instance.content));
    instance.tip = advice == NULL ? NULL : tip_init(instance.content, advice);
    memset(instance.plans, 0, sizeof instance.plans);
    content_ends = taken;
    return all;
}

bool instance_load(const MashDocument *documents, uint32_t count, MashProblems *problems) {
    instance.content = instance_take(instance.game->content_bytes_max);
    if (instance.content == NULL)
        return false;
    MashDocuments all = {documents, count, scratch, sizeof scratch};
    if (instance.game->load(&all, instance.content, problems) && instance_take_scratch()) {
        memcpy(instance.documents, documents, count * sizeof *documents);
        instance.documents_count = count;
        return true;
    }
    instance.content = NULL;
    return false;
}

/* Loads preset number `preset` with the documents given. 1 = loaded; otherwise the text is a JSON
 * list of problems. */
EXPORT(uint32_t, content_load, (uint32_t preset)) {
    static MashProblem problem_list[INSTANCE_PROBLEMS_MAX];
    MashProblems problems = {.list = problem_list, .max = INSTANCE_PROBLEMS_MAX};
    MashDocument documents[MASH_DOCUMENTS_MAX];
    instance_text_begin();
    instance_reset();
    if (instance.game == NULL || preset >= instance.game->presets_count)
        return 0;
    uint32_t count =
        mash_documents_of_preset(instance.game, instance.game->presets[preset].id, documents);
    for (uint32_t i = 0; i < given_count; i++)
        if (!mash_documents_replace(documents, &count, given[i]))
            return 0;
    if (instance_load(documents, count, &problems))
        return 1;
    instance_put_problems(&problems);
    return 0;
}

/* Loads these texts for the content. False: they do not match it. */
static bool language_load(MashDocument document) {
    static MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    MashDocuments documents = {&document, 1, scratch, sizeof scratch};
    return instance.game->load_texts(instance.content, &documents, instance.language, &problems);
}

/* Sets the language of names and sentences: that of the texts at input_at() (a name, a NUL, the
 * document's bytes) or, without bytes, the game's language with this code. 1 = done, which may be
 * the content's own language; otherwise the content's own language is used, as after loading
 * content. */
EXPORT(uint32_t, language_set, (uint32_t name_count, uint32_t bytes_count)) {
    MashDocument named, shipped;
    instance.texts = NULL;
    if (instance.content == NULL || instance.game->load_texts == NULL ||
        !instance_input(name_count, bytes_count, &named))
        return 0;
    const MashTexts *own = (const void *)(instance.content->body + instance.game->texts_at);
    if (bytes_count == 0 && strcmp(mash_texts_language(own), named.name) == 0)
        return 1;
    bool loaded = bytes_count > 0 && language_load(named);
    for (uint32_t i = 0; bytes_count == 0 && !loaded; i++) {
        shipped = mash_texts_shipped(instance.game, i);
        if (shipped.count == 0)
            break;
        loaded = language_load(shipped) &&
                 strcmp(mash_texts_language(instance.language), named.name) == 0;
    }
    instance.texts = loaded ? instance.language : NULL;
    return loaded;
}

/* The address of the content's MashLimits, and its size, for a page that draws. */
EXPORT(const MashLimits *, terms_at, (void)) {
    return instance.content == NULL ? NULL : &instance.content->limits;
}

/* Sets an option for the next match. 1 = there is such an option. */
EXPORT(uint32_t, option_set, (uint32_t index, int32_t value)) {
    if (instance.game == NULL || index >= instance.game->options_count)
        return 0;
    instance.options[index] = value;
    return 1;
}

/* --- One match ----------------------------------------------------------------------------------
 */

/* Starts a match with this seed. A MashStatus, or MASH_STATUS_COUNT without content or memory. */
EXPORT(uint32_t, match_begin, (uint32_t a_low, uint32_t a_high, uint32_t b_low, uint32_t b_high)) {
    instance.playing = false;
    if (instance.content == NULL)
        return MASH_STATUS_COUNT;
    instance_keep_content();
    void *memory = instance_take(match_bytes(instance.content));
    if (memory == NULL)
        return MASH_STATUS_COUNT;
    MashSeed seed = {{(uint64_t)a_high << 32 | a_low, (uint64_t)b_high << 32 | b_low}};
    MashSetup setup = {instance.options, instance.game->options_count};
    MashStatus status = match_begin(&instance.match, instance.content, seed, &setup, memory);
    instance.playing = status == MASH_OK;
    list_count = instance.written = 0;
    return status;
}

/* The seats the match waits for: one bit per seat. */
EXPORT(uint32_t, awaited, (void)) {
    return instance.playing ? instance.game->awaited(instance.content, instance.match.state) : 0;
}

/* The number of legal actions of the seat; they are at actions_at(), eight bytes each. */
EXPORT(uint32_t, actions, (uint32_t seat)) {
    list_count =
        instance.playing && seat < MASH_SEATS
            ? instance.game->actions(instance.content, instance.match.state, (uint8_t)seat, list)
            : 0;
    return list_count;
}
EXPORT(const MashAction *, actions_at, (void)) { return list; }

/* Notation of entry `index` of the last list. */
EXPORT(uint32_t, action_word, (uint32_t index)) {
    instance_text_begin();
    if (instance.playing && index < list_count)
        instance.game->notation(instance.content, instance.match.state, list[index],
                                &instance.text);
    return instance.text.count;
}

/* Does a unit do the actions of this verb, so that `unit` of them is its number? Without it that
 * field is zero, which is not unit 0. */
EXPORT(uint32_t, verb_has_unit, (uint32_t verb)) {
    const char *form = instance.game == NULL ? "" : mash_verb_form(instance.game, verb);
    const char *unit = strstr(form, "{unit}");
    return *form == '\0' || (unit != NULL && unit < form + strcspn(form, "|"));
}

MashAction instance_action(uint32_t low, uint32_t high) {
    uint32_t halves[2] = {low, high};
    MashAction action;
    memcpy(&action, halves, sizeof action);
    return action;
}

/* Checks and applies the action whose eight bytes are these two halves. A MashStatus. */
EXPORT(uint32_t, act, (uint32_t low, uint32_t high)) {
    if (!instance.playing)
        return MASH_MATCH_OVER;
    list_count = instance.written = 0;
    return match_apply(&instance.match, instance_action(low, high));
}

bool instance_find_action(const void *state, uint32_t seat, const char *word, MashAction *action) {
    list_count = 0;
    return seat < MASH_SEATS &&
           action_find(instance.content, state, (uint8_t)seat, word, list, action);
}

/* Several actions of one seat as one step, all or none: begins it, adds the action of the seat
 * whose notation was written to input_at() (with a NUL), cancels it. A MashStatus; any but MASH_OK
 * has cancelled the step. */
EXPORT(uint32_t, step_begin, (void)) {
    if (!instance.playing)
        return MASH_MATCH_OVER;
    list_count = instance.written = 0;
    match_step_begin(&instance.match);
    return MASH_OK;
}
EXPORT(uint32_t, step_add, (uint32_t seat, uint32_t word_count)) {
    MashDocument word;
    MashAction action;
    MashStatus status = MASH_NO_SUCH_ACTION;
    if (!instance.playing)
        return status;
    if (instance_input(word_count, 0, &word) &&
        instance_find_action(instance.match.state, seat, word.name, &action))
        status = match_step_add(&instance.match, action);
    if (status != MASH_OK)
        match_step_cancel(&instance.match);
    return status;
}

/* Goes back to the state after the first `count` actions. 1 = done. */
EXPORT(uint32_t, match_rewind, (uint32_t count)) {
    list_count = 0;
    return instance.playing && match_rewind(&instance.match, count);
}

/* How many actions remain without the last step of the seat (MASH_SEAT_NONE: of either) and all
 * that came after it, plus 1; 0 = there is no step. And undoes so much: there are no events then.
 */
EXPORT(uint32_t, undo_left, (uint32_t seat)) {
    uint32_t count;
    return instance.playing && match_before_step(&instance.match, (uint8_t)seat, &count) ? count + 1
                                                                                         : 0;
}
EXPORT(void, undo, (uint32_t count)) {
    list_count = instance.written = 0;
    if (instance.playing && count <= instance.match.actions_count)
        match_undo(&instance.match, count);
}

/* How many actions were accepted. */
EXPORT(uint32_t, match_length, (void)) {
    return instance.playing ? instance.match.actions_count : 0;
}

/* The events of the last step, sixteen bytes each. */
EXPORT(uint32_t, events, (void)) { return instance.playing ? instance.match.events.count : 0; }
EXPORT(const MashEvent *, events_at, (void)) {
    return instance.playing ? instance.match.events.list : NULL;
}
/* The sentence of event `index` for a seat (or MASH_SEAT_SPECTATOR); empty: it may not see the
 * event. */
EXPORT(uint32_t, event_say, (uint32_t index, uint32_t seat)) {
    instance_text_begin();
    if (!instance.playing || index >= instance.match.events.count)
        return 0;
    const MashEvent *event = &instance.match.events.list[index];
    if (mash_event_seen(event, (uint8_t)seat)) {
        match_view(&instance.match, (uint8_t)seat, instance.view.view);
        instance.game->say(instance.content, instance.texts, instance.view.view, event,
                           &instance.text);
    }
    return instance.text.count;
}

/* The bytes of what a seat may know; limits.state_bytes of them. */
EXPORT(const void *, view, (uint32_t seat)) {
    if (!instance.playing)
        return NULL;
    match_view(&instance.match, (uint8_t)seat, instance.view.view);
    return instance.view.view;
}

/* What to draw of that view: the address of a MashBoard whose arrays are in this memory. */
EXPORT(const MashBoard *, show, (uint32_t seat)) {
    if (wasm_view(seat) == NULL)
        return NULL;
    instance.game->show(instance.content, instance.view.view, &instance.board);
    return &instance.board;
}

/* A name from a list of the game, the name of a unit in the last view, the text of a status. */
EXPORT(uint32_t, name, (uint32_t names, uint32_t index)) {
    instance_text_begin();
    if (instance.content != NULL && names < MASH_NAME_LISTS)
        instance.game->name(instance.content, instance.texts, (MashNames)names, (uint8_t)index,
                            &instance.text);
    return instance.text.count;
}
/* The id of an entry of a list; empty: there is no such entry. */
EXPORT(uint32_t, entry_id, (uint32_t names, uint32_t index)) {
    const char *id = NULL;
    instance_text_begin();
    if (instance.content != NULL && names < MASH_NAME_LISTS)
        id = instance.game->id_of(instance.content, (MashNames)names, (uint8_t)index);
    text_string(&instance.text, id == NULL ? "" : id);
    return instance.text.count;
}
EXPORT(uint32_t, unit_name, (uint32_t unit)) {
    instance_text_begin();
    if (instance.playing && unit < instance.content->limits.units)
        instance.game->unit_name(instance.content, instance.view.view, (uint8_t)unit,
                                 &instance.text);
    return instance.text.count;
}
EXPORT(uint32_t, status_sentence, (uint32_t status)) {
    instance_text_begin();
    if (status < MASH_STATUS_COUNT)
        text_string(&instance.text, mash_status_sentence((MashStatus)status));
    return instance.text.count;
}

/* over | winner << 8 | reason << 16 */
EXPORT(uint32_t, result, (void)) {
    if (!instance.playing)
        return 0;
    MashResult now = match_result(&instance.match);
    return (uint32_t)now.over | (uint32_t)now.winner << 8 | (uint32_t)now.reason << 16;
}

/* A figure for the end screen. */
EXPORT(int32_t, figure, (uint32_t unit, uint32_t number)) {
    bool known = instance.playing && number < instance.game->figures_count &&
                 (unit < instance.content->limits.units || unit - MASH_UNIT_SIDE < MASH_SEATS);
    return known ? instance.game->figure(instance.content, instance.match.state, (uint8_t)unit,
                                         (uint8_t)number)
                 : 0;
}

/* --- Random matches: the signature that must be the same on every build
 * ----------------------------- */

/* Plays `matches` random matches with the options set; discards the current match. The text is
 * "ACTIONS SIGNATURE"; empty: it failed. */
EXPORT(uint32_t, simulate, (uint32_t matches, uint32_t seed_low, uint32_t seed_high)) {
    static Simulation run;
    instance_text_begin();
    instance.playing = false;
    if (instance.content == NULL)
        return 0;
    MashSetup setup = {instance.options, instance.game->options_count};
    instance_keep_content();
    void *memory = instance_take(simulate_bytes(instance.content));
    if (memory == NULL)
        return 0;
    simulate_init(&run, instance.content, &setup, (uint64_t)seed_high << 32 | seed_low, memory);
    for (uint32_t i = 0; i < matches; i++)
        if (simulate_match(&run) != MASH_OK)
            return 0;
    text_int(&instance.text, (int64_t)run.actions);
    text_byte(&instance.text, ' ');
    text_hex(&instance.text, run.signature, 16);
    return instance.text.count;
}

/* The best level searches fixed positions; discards the current match. The text is "NODES
 * SIGNATURE"; empty: it failed. */
EXPORT(uint32_t, ai_bench, (uint32_t positions, uint32_t nodes)) {
    AiBench bench;
    instance_text_begin();
    instance.playing = false;
    if (instance.content == NULL || nodes == 0)
        return 0;
    instance_keep_content();
    void *memory = instance_take(ai_bench_bytes(instance.content));
    if (memory == NULL)
        return 0;
    ai_bench(instance.content, positions, nodes, memory, &bench);
    text_int(&instance.text, (int64_t)bench.nodes);
    text_byte(&instance.text, ' ');
    text_hex(&instance.text, bench.signature, 16);
    return instance.text.count;
}
