/* engine.c -- see engine.h. The table of requests at the end is all that a line can ask for. */
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#include "proto/action.h"
#include "proto/position.h"
#include "sim/internal.h"

enum {
    SIMS_MAX = 1 << 16,
    PLAYOUTS_MAX = 1000000,
    SAMPLES_MAX = 64,
    SAMPLES_USUAL = 16,
    ANSWER_BYTES = 1 << 14, /* enough for everything but texts of a sim */
    KEYS_MAX = 16,
    TYPE_BYTES = 32,
    PROBLEMS_MAX = 1,
};

/* See engine.h. */
struct SimEngine {
    MashSim **sims; /* sims[i] is number i + 1; NULL: dropped */
    uint32_t sims_count, sims_max;
    JsonNode *nodes;
    uint32_t nodes_max;
    char *line; /* the request with a NUL */
    uint32_t line_max;
    char *text;
    uint32_t text_max;
    MashText answer;
};

/* One request while it is answered. */
typedef struct Call {
    SimEngine *engine;
    Json json;
    MashProblem kept[PROBLEMS_MAX];
    MashProblems problems;
    MashSim *sim; /* NULL: the request has none */
    uint32_t number;
    JsonWriter writer; /* an open object with `type` and `id` */
} Call;

/* A kind of request. False from run: it is refused, by a problem or the simulator's error. */
typedef struct Request {
    const char *type;
    bool has_sim;
    const char *keys, *answer, *meaning; /* for the reference; keys also for reading */
    bool (*run)(Call *call);
} Request;

/* --- Reading and writing ---------------------------------------------------------------------- */

/* A number of the request, or its default. */
static bool read_number(Call *call, const char *key, int32_t least, int32_t most, int32_t usual,
                        int32_t *out) {
    uint32_t node = json_member(&call->json, 0, key);
    *out = usual;
    return node == JSON_NONE || json_int(&call->json, node, least, most, out, &call->problems);
}

/* The seed, 0 if there is none. */
static bool read_seed(Call *call, uint64_t *out) {
    int32_t seed;
    if (!read_number(call, "seed", 0, INT32_MAX, 0, &seed))
        return false;
    *out = (uint64_t)seed;
    return true;
}

/* The seat: 0, 1, MASH_SIM_ALL or MASH_SIM_SPECTATOR; by default the one to move. */
static bool read_seat(Call *call, int32_t most, int32_t *out) {
    uint32_t awaited = mash_sim_awaited(call->sim);
    if (!read_number(call, "seat", 0, most, awaited == 2, out))
        return false;
    if (*out < MASH_SEATS || *out >= MASH_SIM_ALL)
        return true;
    return json_problem(&call->json, json_member(&call->json, 0, "seat"), &call->problems,
                        "must be 0, 1, 254 for everything or 255 for a spectator");
}

/* The action of the request. False: it is not one, or there is no such word. */
static bool read_action(Call *call, uint64_t *out) {
    ActionRead read;
    uint32_t awaited = mash_sim_awaited(call->sim);
    if (!action_read(&call->json, 0, &read, &call->problems))
        return false;
    uint8_t seat = read.has_seat ? read.action.seat : awaited == 2;
    if (read.word[0] != '\0')
        return mash_sim_find(call->sim, seat, read.word, out) == 0;
    read.action.seat = seat;
    *out = sim_number(read.action);
    return true;
}

/* Makes room for this many bytes more in the answer. False: no memory. */
static bool reserve(SimEngine *engine, size_t bytes) {
    size_t wanted = engine->answer.count + bytes + ANSWER_BYTES;
    if (wanted > engine->text_max) {
        char *more = wanted > UINT32_MAX / 2 ? NULL : realloc(engine->text, wanted * 2);
        if (more == NULL)
            return sim_error("out of memory"), false;
        engine->text = more;
        engine->text_max = (uint32_t)(wanted * 2);
    }
    engine->answer.bytes = engine->text;
    engine->answer.max = engine->text_max;
    return true;
}

/* A key and a text that is JSON already. False: there is none, see the error. */
static bool put_json(Call *call, const char *key, const char *text) {
    if (text == NULL)
        return false;
    uint32_t count = (uint32_t)strlen(text);
    if (!reserve(call->engine, count))
        return false;
    json_put_key(&call->writer, key);
    json_put_raw(&call->writer, text, count);
    return true;
}

/* The number of the sim, whom it waits for, and the result once there is one. */
static bool put_sim(Call *call) {
    const MashContent *content = call->sim->shared->content;
    uint32_t awaited = mash_sim_awaited(call->sim);
    json_put_pair_int(&call->writer, "sim", call->number);
    json_open_list(&call->writer, "awaited");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if ((awaited >> seat & 1) != 0)
            json_put_int(&call->writer, seat);
    json_close(&call->writer, ']');
    MashResult result = content->game->result(content, call->sim->state);
    if (result.over) {
        Position position = {.content = content, .view = call->sim->state};
        json_put_key(&call->writer, "result");
        position_write_result(&position, result, &call->writer);
    }
    return true;
}

/* Keeps a new sim, which may be NULL after an error, under a number. */
static bool add_sim(Call *call, MashSim *sim) {
    SimEngine *engine = call->engine;
    uint32_t free_at = 0;
    if (sim == NULL)
        return false;
    while (free_at < engine->sims_count && engine->sims[free_at] != NULL)
        free_at++;
    if (free_at == engine->sims_max) {
        uint32_t more = engine->sims_max == 0 ? 16 : 2 * engine->sims_max;
        MashSim **sims = more > SIMS_MAX ? NULL : realloc(engine->sims, more * sizeof *sims);
        if (sims == NULL) {
            mash_sim_drop(sim);
            return sim_error("no more than %d positions at a time; drop some", SIMS_MAX), false;
        }
        engine->sims = sims;
        engine->sims_max = more;
    }
    engine->sims[free_at] = sim;
    if (free_at == engine->sims_count)
        engine->sims_count++;
    call->sim = sim;
    call->number = free_at + 1;
    return put_sim(call);
}

/* --- The requests ----------------------------------------------------------------------------- */

static bool run_version(Call *call) {
    json_put_pair(&call->writer, "version", mash_sim_version());
    json_put_pair_int(&call->writer, "protocol", PROTO_VERSION);
    return true;
}

static bool run_games(Call *call) { return put_json(call, "games", mash_sim_games()); }

static bool run_begin(Call *call) {
    uint64_t seed;
    return read_seed(call, &seed) && add_sim(call, mash_sim_begin(call->engine->line, seed));
}

static bool run_clone(Call *call) { return add_sim(call, mash_sim_clone(call->sim)); }

static bool run_drop(Call *call) {
    mash_sim_drop(call->sim);
    call->engine->sims[call->number - 1] = NULL;
    json_put_pair_int(&call->writer, "sim", call->number);
    return true;
}

static bool run_load(Call *call) {
    int32_t seat;
    uint32_t node = json_member(&call->json, 0, "view");
    if (!read_seat(call, MASH_SIM_ALL, &seat))
        return false;
    if (node == JSON_NONE)
        return json_missing(&call->json, 0, "view", "bytes as base64", &call->problems);
    if (!json_expect_kind(&call->json, node, JSON_STRING, &call->problems))
        return false;
    const JsonNode *text = &call->json.nodes[node];
    uint32_t digits = text->end - text->start - 2;
    void *bytes = sim_memory(digits);
    if (bytes == NULL)
        return false;
    int64_t count =
        base64_decode(call->json.bytes + text->start + 1, digits, bytes, digits / 4 * 3);
    bool fine = count >= 0 && mash_sim_load(call->sim, (uint32_t)seat, bytes, (uint32_t)count) == 0;
    free(bytes);
    if (count < 0)
        return json_problem(&call->json, node, &call->problems, "must be base64");
    return fine && put_sim(call);
}

static bool run_bytes(Call *call) {
    int32_t seat;
    if (!read_seat(call, MASH_SIM_SPECTATOR, &seat))
        return false;
    const void *view = sim_view(call->sim, (uint32_t)seat);
    uint32_t bytes = call->sim->shared->content->limits.state_bytes;
    if (view == NULL || !reserve(call->engine, bytes / 3 * 4 + 8))
        return false;
    json_put_pair_int(&call->writer, "sim", call->number);
    json_put_pair_int(&call->writer, "seat", seat);
    json_put_key(&call->writer, "view");
    json_put_raw(&call->writer, "\"", 1);
    base64_encode(view, bytes, &call->engine->answer);
    text_byte(&call->engine->answer, '"');
    return true;
}

static bool run_guess(Call *call) {
    uint64_t seed;
    return read_seed(call, &seed) && mash_sim_guess(call->sim, seed) == 0 && put_sim(call);
}

static bool run_position(Call *call) {
    int32_t seat;
    if (!read_seat(call, MASH_SIM_SPECTATOR, &seat))
        return false;
    json_put_pair_int(&call->writer, "sim", call->number);
    const char *text = mash_sim_position(call->sim, (uint32_t)seat);
    return put_json(call, "position", text);
}

static bool run_actions(Call *call) {
    int32_t seat;
    if (!read_seat(call, MASH_SEATS - 1, &seat))
        return false;
    json_put_pair_int(&call->writer, "sim", call->number);
    json_put_pair_int(&call->writer, "seat", seat);
    return put_json(call, "actions", sim_actions_text(call->sim, (uint32_t)seat));
}

static bool run_describe(Call *call) {
    uint64_t action;
    return read_action(call, &action) &&
           put_json(call, "action", mash_sim_describe(call->sim, action));
}

static bool run_preview(Call *call) {
    uint64_t action;
    int32_t samples;
    if (!read_number(call, "samples", 1, SAMPLES_MAX, SAMPLES_USUAL, &samples) ||
        !read_action(call, &action))
        return false;
    json_put_pair_int(&call->writer, "sim", call->number);
    return put_json(call, "preview", mash_sim_preview(call->sim, action, (uint32_t)samples));
}

static bool run_apply(Call *call) {
    uint64_t action;
    if (!read_action(call, &action) || mash_sim_apply(call->sim, action) != 0)
        return false;
    return put_sim(call) &&
           put_json(call, "events", mash_sim_events(call->sim, sim_action(action).seat));
}

static bool run_undo(Call *call) { return mash_sim_undo(call->sim) == 0 && put_sim(call); }

static bool run_playout(Call *call) {
    uint64_t seed;
    int32_t count;
    MashSimPlayouts out;
    if (!read_seed(call, &seed) || !read_number(call, "count", 1, PLAYOUTS_MAX, 1, &count))
        return false;
    mash_sim_playout(call->sim, seed, (uint32_t)count, &out);
    json_put_pair_int(&call->writer, "sim", call->number);
    json_open_list(&call->writer, "wins");
    json_put_int(&call->writer, (int64_t)out.wins[0]);
    json_put_int(&call->writer, (int64_t)out.wins[1]);
    json_close(&call->writer, ']');
    JSON_PUT_INTS(&call->writer, {"draws", (int64_t)out.draws}, {"actions", (int64_t)out.actions});
    return true;
}

static bool run_evaluate(Call *call) {
    int32_t seat;
    if (!read_seat(call, MASH_SEATS - 1, &seat))
        return false;
    JSON_PUT_INTS(&call->writer, {"sim", call->number}, {"seat", seat},
                  {"value", mash_sim_evaluate(call->sim, (uint32_t)seat)});
    return true;
}

static bool run_think(Call *call) {
    uint64_t seed, action;
    int32_t seat, level;
    if (!read_seed(call, &seed) || !read_seat(call, MASH_SEATS - 1, &seat) ||
        !json_int_at(&call->json, 0, "level", 1, AI_LEVELS_MAX, &level, &call->problems) ||
        mash_sim_think(call->sim, (uint32_t)seat, (uint32_t)level, seed, &action) != 0)
        return false;
    json_put_pair_int(&call->writer, "sim", call->number);
    return put_json(call, "action", mash_sim_describe(call->sim, action));
}

#define ACTION_WORDS "seat word action verb unit ability x y other amount"
static const Request requests[] = {
    {"version", false, "", "version protocol", "The version of the program.", run_version},
    {"games", false, "", "games", "All games with presets and options.", run_games},
    {"begin", false, NULL, "sim awaited",
     "A new match: `game` and, if wanted, `preset`, `options`, `documents` and `seed`; other keys "
     "are ignored, so that a server's `table` can be sent on.",
     run_begin},
    {"load", true, "seat view", "sim awaited",
     "What a seat sees in place of the position: `view` of a server's `position` in bytes.",
     run_load},
    {"bytes", true, "seat", "sim seat view", "What a seat sees, for `load`.", run_bytes},
    {"guess", true, "seed", "sim awaited",
     "Fills in what the loaded view hides; chance follows this seed from now on.", run_guess},
    {"position", true, "seat", "sim position",
     "What a seat sees: the arena's `position`, with words.", run_position},
    {"actions", true, "seat", "sim seat actions",
     "All legal actions of a seat, grouped as in `position`.", run_actions},
    {"describe", true, ACTION_WORDS, "action", "An action in all its spellings.", run_describe},
    {"preview", true, ACTION_WORDS " samples", "sim preview", "What an action would do.",
     run_preview},
    {"apply", true, ACTION_WORDS, "sim awaited events", "Does an action.", run_apply},
    {"undo", true, "", "sim awaited", "Takes the last action back.", run_undo},
    {"clone", true, "", "sim awaited", "A copy under a number of its own.", run_clone},
    {"drop", true, "", "sim", "The end of a position.", run_drop},
    {"playout", true, "seed count", "sim wins draws actions",
     "Random matches from here to the end; the position stays.", run_playout},
    {"evaluate", true, "seat", "sim seat value",
     "How good the position is for a seat by what the built-in players know.", run_evaluate},
    {"think", true, "seat level seed", "sim action",
     "What the built-in player of a level would do.", run_think},
};
enum { REQUESTS = sizeof requests / sizeof *requests };

/* --- One line --------------------------------------------------------------------------------- */

/* Starts the answer: its type and, if the request has one, its id. */
static void begin_answer(Call *call, const char *type) {
    SimEngine *engine = call->engine;
    int32_t id;
    uint32_t node = call->json.nodes_count == 0 ? JSON_NONE : json_member(&call->json, 0, "id");
    engine->answer = text_over(engine->text, engine->text_max);
    call->writer = json_writer(&engine->answer, 0);
    json_open(&call->writer, '{');
    json_put_pair(&call->writer, "type", type);
    MashProblem ignored;
    MashProblems problems = {.list = &ignored, .max = 1};
    if (node != JSON_NONE && json_int(&call->json, node, 0, INT32_MAX, &id, &problems))
        json_put_pair_int(&call->writer, "id", id);
}

/* Refuses: malformed with the place, or what the simulator says. */
static void refuse(Call *call, const char *to) {
    const MashProblem *problem = &call->kept[0];
    char reason[512];
    MashText text = text_over(reason, sizeof reason);
    bool malformed = call->problems.count > 0;
    if (malformed)
        text_format(&text, "column %u: %s%s%s", (unsigned)problem->column, problem->path,
                    problem->path[0] == '\0' ? "" : ": ", problem->reason);
    else
        text_string(&text, mash_sim_error());
    begin_answer(call, "refused");
    if (to != NULL)
        json_put_pair(&call->writer, "to", to);
    json_put_pair(&call->writer, "code", malformed ? "malformed" : sim_error_code());
    json_put_pair(&call->writer, "reason", reason);
}

/* Is this key one of the words? */
static bool has_word(const char *words, const Json *json, uint32_t node) {
    char word[TYPE_BYTES];
    while (*words != '\0') {
        size_t letters = strcspn(words, " ");
        MashText text = text_over(word, sizeof word);
        text_bytes(&text, words, (uint32_t)letters);
        if (json_key_equals(json, node, word))
            return true;
        words += letters + (words[letters] == ' ');
    }
    return false;
}

/* Are all keys known? False: a problem names the first that is not. */
static bool keys_known(Call *call, const Request *request) {
    const Json *json = &call->json;
    const char *always = request->has_sim ? "type id sim" : "type id";
    for (uint32_t node = json_first(json, 0); node != JSON_NONE && request->keys != NULL;
         node = json->nodes[node].next)
        if (!has_word(always, json, node) && !has_word(request->keys, json, node)) {
            json_key_problem(json, node, &call->problems, "unknown key ", "");
            return false;
        }
    return true;
}

/* The sim that a request is about. */
static bool find_sim(Call *call) {
    int32_t number;
    if (!json_int_at(&call->json, 0, "sim", 1, INT32_MAX, &number, &call->problems))
        return false;
    call->number = (uint32_t)number;
    if (call->number <= call->engine->sims_count)
        call->sim = call->engine->sims[number - 1];
    return call->sim != NULL || json_problem(&call->json, json_member(&call->json, 0, "sim"),
                                             &call->problems, "there is no sim %d", (int)number);
}

/* The kind of request; NULL: there is none, with a problem. */
static const Request *find_request(Call *call) {
    const char *types[REQUESTS];
    uint32_t number;
    for (uint32_t i = 0; i < REQUESTS; i++)
        types[i] = requests[i].type;
    return json_choice_at(&call->json, 0, "type", types, REQUESTS, &number, &call->problems)
               ? &requests[number]
               : NULL;
}

/* Answers a request that was read. */
static void answer(Call *call) {
    const Request *request = find_request(call);
    if (request == NULL) {
        refuse(call, NULL);
        return;
    }
    begin_answer(call, request->type);
    if (!keys_known(call, request) || (request->has_sim && !find_sim(call)) || !request->run(call))
        refuse(call, request->type);
}

/* Copies the line and makes room for its values. False: no memory. */
static bool take_line(SimEngine *engine, const char *line, uint32_t count) {
    if (count >= engine->line_max) {
        uint32_t more = 2 * count + ANSWER_BYTES;
        char *copy = realloc(engine->line, more);
        JsonNode *nodes =
            copy == NULL ? NULL : realloc(engine->nodes, (more / 2 + 1) * sizeof *nodes);
        engine->line = copy == NULL ? engine->line : copy;
        if (nodes == NULL)
            return false;
        engine->nodes = nodes;
        engine->nodes_max = more / 2 + 1;
        engine->line_max = more;
    }
    memcpy(engine->line, line, count);
    engine->line[count] = '\0';
    engine->answer.count = 0;
    return reserve(engine, 0);
}

const char *sim_engine_answer(SimEngine *engine, const char *line, uint32_t count) {
    Call call = {.engine = engine};
    call.problems = (MashProblems){.list = call.kept, .max = PROBLEMS_MAX};
    if (count > JSON_BYTES_MAX || !take_line(engine, line, count))
        return NULL;
    if (!json_read(&call.json, "line", engine->line, count, engine->nodes, engine->nodes_max,
                   &call.problems)) {
        call.json.nodes_count = 0;
        refuse(&call, NULL);
    } else if (!json_expect_kind(&call.json, 0, JSON_OBJECT, &call.problems)) {
        refuse(&call, NULL);
    } else {
        answer(&call);
    }
    json_close(&call.writer, '}');
    return engine->answer.truncated ? NULL : engine->answer.bytes;
}

SimEngine *sim_engine_open(void) { return calloc(1, sizeof(SimEngine)); }

void sim_engine_close(SimEngine *engine) {
    if (engine == NULL)
        return;
    for (uint32_t i = 0; i < engine->sims_count; i++)
        mash_sim_drop(engine->sims[i]);
    free(engine->sims);
    free(engine->nodes);
    free(engine->line);
    free(engine->text);
    free(engine);
}

void sim_engine_reference(MashText *text) {
    text_string(text, "| type | keys | answer | meaning |\n|---|---|---|---|\n");
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const Request *request = &requests[i];
        text_format(
            text, "| `%s` | %s%s | %s | %s |\n", request->type, request->has_sim ? "**sim** " : "",
            request->keys == NULL ? "**game** preset options documents seed" : request->keys,
            request->answer, request->meaning);
    }
}

/* What stands between { and } in a form, and what that says of an action's fields. */
static const char *const fields[][2] = {
    {"unit", "`unit`: who does it"},
    {"other", "`other`: the unit it is done to"},
    {"cell", "`x`, `y`: the cell"},
    {"direction", "`amount`: the direction, 0 up, 1 right, 2 down, 3 left"},
    {"kind", "`ability`: the number of the kind"},
    {"item", "`ability`: the number of the item"},
    {"placed", "`amount`: the number of the kind"},
};

/* One verb: its form, and what each part of it means. */
static void put_verb(MashText *text, const MashGame *game, uint32_t verb) {
    const char *form = mash_verb_form(game, verb);
    uint32_t letters = (uint32_t)strcspn(form, "|"), told = 0;
    text_format(text, "| %s | %u | `", game->id, (unsigned)verb);
    text_bytes(text, form, letters);
    text_string(text, "` | ");
    for (const char *at = form; at < form + letters; at++)
        for (size_t i = 0; *at == '{' && i < sizeof fields / sizeof *fields; i++) {
            size_t length = strlen(fields[i][0]);
            if (strncmp(at + 1, fields[i][0], length) != 0 || at[1 + length] != '}')
                continue;
            text_string(text, told++ == 0 ? "" : "; ");
            text_string(text, fields[i][1]);
        }
    text_string(text, told == 0 ? "all zero |\n" : " |\n");
}

void sim_verbs_reference(MashText *text) {
    text_string(text, "| game | verb | words | fields |\n|---|---|---|---|\n");
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        for (uint32_t verb = 1; *mash_verb_form(mash_games[i], verb) != '\0'; verb++)
            put_verb(text, mash_games[i], verb);
}
