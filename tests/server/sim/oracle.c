/* oracle.c -- see sim.h: what may be known by now, derived only from durable records. */
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "tests/server/sim/sim.h"

enum {
    VIEWERS = 4, /* two seats, the spectators, and those who see nothing hidden */
    BLIND = 3,
    PAST_STATES = 128, /* past states kept per match, unless sim.states_kept says more */
    SHADOWS = 4096,    /* matches of one seed */
    NODES = 512,       /* of the first record */
    FRAME = 8 << 20,   /* bytes of a position */
    RECORD_BEGIN = 1,
    RECORD_ACTION = 2,
    RECORD_OPEN = 3,
    RECORD_STEP = 4,
    RECORD_UNDO = 5,
    RECORD_CHAT = 6,
    PLAYED_BYTES = 4 /* behind the actions of a record */
};

/* A match after one of its actions, as each viewer may see it. */
typedef struct PastState {
    uint8_t *views[VIEWERS];
    uint32_t numbers[VIEWERS];
    MashEvent *events;
    uint32_t events_count;
    uint8_t undone;               /* an undo led here: whose step it was, plus 1 */
    const char *undo[MASH_SEATS]; /* whether the seat can undo its last step */
    int64_t least_ms[MASH_SEATS], most_ms[MASH_SEATS]; /* bounds of the time left of the turns */
} PastState;

/* A match replayed from its records. */
typedef struct MatchModel {
    uint64_t number;
    char code[PROTO_CODE_MAX + 1];
    const MashContent *content;
    Match match;
    void *memory;
    bool open_to_spectators, doubt, archived;
    uint32_t turn_ms;
    bool match_timed; /* the time of the whole match may end a turn before its own */
    uint32_t awaited;
    uint64_t began_ms[MASH_SEATS]; /* when the turn began */
    bool vague[MASH_SEATS];        /* it begins when the seat has reconnected after a restart */
    bool back[MASH_SEATS];         /* which it certainly has */
    uint32_t acts[MASH_SEATS];
    bool played, robots[MASH_SEATS]; /* a player has made an action of the game */
    uint32_t numbers[VIEWERS];
    PastState *past_states; /* the last sim.states_kept */
    uint32_t past_states_count;
} MatchModel;

/* How many states of a match are kept. */
static uint32_t states_kept(void) { return sim.states_kept == 0 ? PAST_STATES : sim.states_kept; }

static MatchModel *shadows[SHADOWS];
static uint32_t shadows_count;

/* --- Finding and removing --------------------------------------------------------------------- */

static MatchModel *find(uint64_t number) {
    for (uint32_t i = shadows_count; i > 0; i--)
        if (shadows[i - 1]->number == number)
            return shadows[i - 1];
    return NULL;
}

static MatchModel *find_code(const char *code) {
    uint64_t number;
    return table_code_decode(code, &number) ? find(number) : NULL;
}

static void drop_past_state(PastState *past) {
    for (uint32_t i = 0; i < VIEWERS; i++)
        free(past->views[i]);
    free(past->events);
    memset(past, 0, sizeof *past);
}

/* Nothing more is sent about it except its end. */
static void drop_old_states(MatchModel *shadow, uint32_t kept) {
    for (uint32_t i = 0; i + kept < states_kept() && i + kept < shadow->past_states_count; i++)
        drop_past_state(
            &shadow->past_states[(shadow->past_states_count - kept - 1 - i) % states_kept()]);
}

void oracle_reset(void) {
    while (shadows_count > 0) {
        MatchModel *shadow = shadows[--shadows_count];
        for (uint32_t i = 0; i < states_kept(); i++)
            drop_past_state(&shadow->past_states[i]);
        free(shadow->past_states);
        free(shadow->memory);
        free(shadow);
    }
}

/* --- Replaying -------------------------------------------------------------------------------- */

static uint8_t *view_of(const MatchModel *shadow, const void *state, uint32_t viewer) {
    const MashContent *content = shadow->content;
    uint8_t *view = aligned_alloc(64, (content->limits.state_bytes + 63) / 64 * 64);
    assert(view != NULL);
    memcpy(view, state, content->limits.state_bytes);
    if (viewer < MASH_SEATS || !shadow->open_to_spectators ||
        (viewer == BLIND && !match_result(&shadow->match).over))
        content->game->hide(content, view,
                            viewer < MASH_SEATS ? (uint8_t)viewer : MASH_SEAT_SPECTATOR);
    return view;
}

static bool begins_turn(const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_TURN_BEGAN ||
            events->list[i].kind == MASH_EVENT_MATCH_BEGAN)
            return true;
    return false;
}

/* The turns that begin in this state. */
static void time_turns(MatchModel *shadow, uint64_t now_ms, bool all) {
    uint32_t awaited = shadow->content->game->awaited(shadow->content, shadow->match.state);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if ((awaited >> seat & 1) != 0 && (all || (shadow->awaited >> seat & 1) == 0)) {
            shadow->began_ms[seat] = now_ms;
            shadow->vague[seat] &= !shadow->back[seat];
        }
    shadow->awaited = awaited;
}

static int64_t within(int64_t left_ms, uint32_t turn_ms) {
    return left_ms < 0 ? 0 : left_ms > turn_ms ? turn_ms : left_ms;
}

/* Whether the seat can undo its last step: against an AI player any. */
static const char *undo_of(const MatchModel *shadow, uint8_t seat) {
    uint32_t count;
    MatchUndo undo = match_undo_check(&shadow->match, seat, &count);
    if (shadow->robots[1 - seat] && undo != MATCH_UNDO_OVER && undo != MATCH_UNDO_NOTHING)
        undo = MATCH_UNDO_POSSIBLE;
    return match_undo_id(undo);
}

/* Records the new state. */
static void remember(MatchModel *shadow, uint64_t now_ms, uint8_t undone) {
    const MashEvents *events = &shadow->match.events;
    const PastState *before =
        shadow->past_states_count == 0
            ? NULL
            : &shadow->past_states[(shadow->past_states_count - 1) % states_kept()];
    PastState *past = &shadow->past_states[shadow->past_states_count % states_kept()];
    drop_past_state(past);
    for (uint32_t i = 0; i < VIEWERS; i++) {
        past->views[i] = view_of(shadow, shadow->match.state, i);
        shadow->numbers[i] += before == NULL || memcmp(before->views[i], past->views[i],
                                                       shadow->content->limits.state_bytes) != 0;
        past->numbers[i] = shadow->numbers[i];
    }
    past->events = malloc((events->count + 1) * sizeof *events->list);
    assert(past->events != NULL);
    if (events->count > 0)
        memcpy(past->events, events->list, events->count * sizeof *events->list);
    past->events_count = events->count;
    past->undone = undone;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        past->undo[seat] = undo_of(shadow, seat);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        int64_t left = (int64_t)shadow->turn_ms - (int64_t)(now_ms - shadow->began_ms[seat]);
        bool vague = shadow->vague[seat] || sim.faults.timers_late_ms > 0;
        past->least_ms[seat] =
            within(left + (int64_t)simulation_stalled(shadow->began_ms[seat], now_ms, true),
                   shadow->turn_ms);
        past->most_ms[seat] =
            within(left + (int64_t)simulation_stalled(shadow->began_ms[seat], now_ms, false),
                   shadow->turn_ms);
        if (vague)
            past->most_ms[seat] = shadow->turn_ms;
    }
    shadow->past_states_count++;
}

/* Which seats the server plays itself. */
static void read_robots(const Json *json, MatchModel *shadow) {
    uint32_t seat = 0;
    for (uint32_t i = json_first(json, json_member(json, 0, "players")); i != JSON_NONE;
         i = json->nodes[i].next) {
        int32_t level = 0;
        json_int_at(json, i, "robot", 0, PROTO_LEVEL_MAX, &level, NULL);
        shadow->robots[seat++ % MASH_SEATS] = level > 0;
    }
}

static void begin(const StoreRecord *record) {
    static JsonNode nodes[NODES];
    char game[PROTO_ID_MAX + 1], preset[PROTO_ID_MAX + 1], digits[PROTO_TOKEN_DIGITS + 1];
    Json json;
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    int32_t options[MASH_OPTIONS_MAX] = {0}, open = 0, turn_ms = 0, match_ms = 0;
    uint32_t count = 0;
    MashSeed seed;
    MatchModel *shadow = calloc(1, sizeof *shadow);
    assert(shadow != NULL && shadows_count < SHADOWS);
    shadow->past_states = calloc(states_kept(), sizeof *shadow->past_states);
    assert(shadow->past_states != NULL);
    if (!json_read(&json, "record", record->bytes, record->count, nodes, NODES, &problems) ||
        !json_line_at(&json, 0, "game", game, sizeof game, &problems) ||
        !json_line_at(&json, 0, "preset", preset, sizeof preset, &problems) ||
        !json_line_at(&json, 0, "seed", digits, sizeof digits, &problems) ||
        !json_int_at(&json, 0, "glass", 0, 1, &open, &problems) ||
        !json_int_at(&json, 0, "turn_ms", 0, PROTO_DAY_MS, &turn_ms, &problems) ||
        !json_int_at(&json, 0, "match_ms", 0, PROTO_DAY_MS, &match_ms, &problems) ||
        !match_seed_read(digits, &seed))
        simulation_fail("a beginning in the journal is wrong: %s", list[0].reason);
    for (uint32_t i = json_first(&json, json_member(&json, 0, "options")); i != JSON_NONE;
         i = json.nodes[i].next)
        json_int(&json, i, INT32_MIN, INT32_MAX, &options[count++], &problems);
    read_robots(&json, shadow);
    shadow->number = record->match;
    table_code_encode(record->match, shadow->code);
    shadow->content = simulation_content(game, preset);
    shadow->open_to_spectators = open != 0;
    shadow->turn_ms = (uint32_t)turn_ms;
    shadow->match_timed = match_ms > 0;
    shadow->doubt = sim.faults.full_every > 0;
    shadow->memory = aligned_alloc(64, (match_bytes(shadow->content) + 63) / 64 * 64);
    MashSetup setup = {options, count};
    if (match_begin(&shadow->match, shadow->content, seed, &setup, shadow->memory) != MASH_OK)
        simulation_fail("match %s cannot begin", shadow->code);
    shadows[shadows_count++] = shadow;
    sim.counts.matches++;
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        sim.counts.by_game[i] += mash_games[i] == shadow->content->game;
    time_turns(shadow, record->time_ms, true);
    remember(shadow, record->time_ms, 0);
}

/* Was the action made in time, or the turn ended at its time? Stalls of the server are nobody's
 * fault, and their time is given back. */
static void check_time(const MatchModel *shadow, MashAction action, uint64_t now_ms) {
    uint8_t seat = action.verb == MASH_VERB_TIME_OVER ? action.other : action.seat;
    if (shadow->doubt || shadow->turn_ms == 0 || seat >= MASH_SEATS ||
        (shadow->awaited >> seat & 1) == 0)
        return;
    uint64_t used_ms = now_ms - shadow->began_ms[seat];
    sim.counts.timeouts += action.verb == MASH_VERB_TIME_OVER;
    bool vague = shadow->vague[seat] || sim.faults.timers_late_ms > 0;
    uint64_t most_ms = shadow->turn_ms + simulation_stalled(shadow->began_ms[seat], now_ms, false);
    uint64_t least_ms = shadow->turn_ms + simulation_stalled(shadow->began_ms[seat], now_ms, true);
    if ((used_ms > most_ms && !vague) ||
        (action.verb == MASH_VERB_TIME_OVER && !shadow->match_timed && used_ms < least_ms))
        simulation_fail("match %s, seat %u: verb %u came %llu ms into a turn of %u ms",
                        shadow->code, seat, action.verb, (unsigned long long)used_ms,
                        shadow->turn_ms);
}

/* A durable step: one action, or several of which none may be missing. */
static void take_step(MatchModel *shadow, const StoreRecord *record) {
    MashAction action = {.verb = MASH_VERB_NONE};
    uint32_t count = (record->count - PLAYED_BYTES) / (uint32_t)sizeof action;
    if (record->count != count * sizeof action + PLAYED_BYTES || count == 0 ||
        (count == 1) != (record->kind == RECORD_ACTION))
        simulation_fail("match %s: a step of %u bytes", shadow->code, record->count);
    match_step_begin(&shadow->match);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&action, (const uint8_t *)record->bytes + i * sizeof action, sizeof action);
        check_time(shadow, action, record->time_ms);
        MashStatus status = count == 1 ? match_apply(&shadow->match, action)
                                       : match_step_add(&shadow->match, action);
        if (status != MASH_OK)
            simulation_fail("match %s: an action in the journal is refused", shadow->code);
    }
    if (action.seat < MASH_SEATS) {
        shadow->acts[action.seat]++;
        shadow->back[action.seat] = true;
    }
    shadow->played |=
        action.seat < MASH_SEATS && action.verb < MASH_VERB_RESIGN && !shadow->robots[action.seat];
    sim.counts.actions += count;
    sim.counts.steps += count > 1;
    time_turns(shadow, record->time_ms, begins_turn(&shadow->match.events));
    remember(shadow, record->time_ms, 0);
}

/* A durable undo. A takeback brings the turn back to one of the seats, with a time that the oracle
 * does not know. */
static void take_undo(MatchModel *shadow, const StoreRecord *record) {
    const uint8_t *bytes = record->bytes;
    uint32_t left = 0, awaited = shadow->awaited, of = UINT32_MAX, ends;
    for (uint32_t i = 0; i < 4; i++)
        left |= (uint32_t)bytes[i] << 8 * i;
    if (record->count != 4 + PLAYED_BYTES || left >= shadow->match.actions_count)
        simulation_fail("match %s: an undo that leaves %u actions", shadow->code, left);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (match_before_step(&shadow->match, seat, &ends) && ends == left)
            of = seat;
    if (of == UINT32_MAX)
        simulation_fail("match %s: an undo that leaves %u actions, in the middle of a step",
                        shadow->code, left);
    match_undo(&shadow->match, left);
    time_turns(shadow, record->time_ms, false);
    shadow->doubt |= shadow->awaited != awaited;
    sim.counts.undos++;
    remember(shadow, record->time_ms, (uint8_t)(of + 1));
}

void oracle_record(void *unused, const StoreRecord *record) {
    (void)unused;
    if (record->kind == RECORD_OPEN)
        return;
    if (record->kind == RECORD_BEGIN) {
        begin(record);
        return;
    }
    MatchModel *shadow = find(record->match);
    if (record->kind < RECORD_ACTION || record->kind > RECORD_CHAT || shadow == NULL)
        simulation_fail("a record of kind %u is of no match", record->kind);
    if (record->kind == RECORD_CHAT)
        return;
    if (record->kind == RECORD_UNDO)
        take_undo(shadow, record);
    else
        take_step(shadow, record);
}

void oracle_finish(void *unused, const StoreEntry *entry, const char *bytes, size_t count) {
    MatchModel *shadow = find(entry->match);
    (void)unused;
    if (shadow == NULL)
        simulation_fail("a match was archived that never began");
    MashResult result = match_result(&shadow->match);
    if (!result.over || entry->actions != shadow->match.actions_count ||
        entry->winner != (result.winner < MASH_SEATS ? result.winner : STORE_NOBODY))
        simulation_fail("match %s was archived with %u actions, winner %d, not %u, %u",
                        shadow->code, entry->actions, entry->winner, shadow->match.actions_count,
                        result.winner);
    char *text = malloc(count + 1);
    assert(text != NULL);
    memcpy(text, bytes, count);
    text[count] = '\0';
    if (strstr(text, "\"result\"") == NULL)
        simulation_fail("match %s has a file without result", shadow->code);
    free(text);
    sim.counts.archived += !shadow->archived;
    shadow->archived = true;
    drop_old_states(shadow, 1);
}

void oracle_restart(void) {
    for (uint32_t i = 0; i < shadows_count; i++)
        if (!match_result(&shadows[i]->match).over) {
            shadows[i]->began_ms[0] = shadows[i]->began_ms[1] = net_wall_clock_ms(sim.loop);
            shadows[i]->vague[0] = shadows[i]->vague[1] = true;
            shadows[i]->back[0] = shadows[i]->back[1] = false;
        }
}

void oracle_ignore_clocks(const char *code) {
    MatchModel *shadow = find_code(code);
    if (shadow != NULL)
        shadow->doubt = true;
}

uint32_t oracle_acts(const char *code, uint8_t seat) {
    const MatchModel *shadow = find_code(code);
    return shadow == NULL || seat >= MASH_SEATS ? 0 : shadow->acts[seat];
}

uint32_t oracle_number(uint64_t match, uint8_t viewer) {
    const MatchModel *shadow = find(match);
    return shadow == NULL ? 0 : shadow->numbers[viewer];
}

bool oracle_over(uint64_t match) {
    const MatchModel *shadow = find(match);
    return shadow != NULL && match_result(&shadow->match).over;
}

bool oracle_played(uint64_t match) {
    const MatchModel *shadow = find(match);
    return shadow != NULL && shadow->played;
}

void oracle_end(void) {
    for (uint32_t i = 0; i < shadows_count; i++) {
        sim.counts.forgotten += !shadows[i]->archived;
        if (shadows[i]->archived != shadows[i]->played || !match_result(&shadows[i]->match).over)
            simulation_fail(
                "match %s of %s has %s", shadows[i]->code, shadows[i]->content->game->id,
                match_result(&shadows[i]->match).over ? "ended and is not archived, or is "
                                                        "archived without any action"
                                                      : "never ended");
    }
}

/* --- Messages of the server ------------------------------------------------------------------- */

/* The clocks of a position as they were sent. */
static PositionClocks clocks_of(const Message *message) {
    const Json *json = &message->json;
    uint32_t object = message->position.clocks.node, seat = 0;
    PositionClocks clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, POSITION_NO_TIME};
    for (uint32_t i = json_first(json, json_member(json, object, "turn")); i != JSON_NONE;
         i = json->nodes[i].next, seat++)
        if (json->nodes[i].kind != JSON_NULL)
            json_int(json, i, 0, PROTO_DAY_MS, &clocks.turn[seat], NULL);
    if (json_member(json, object, "match") != JSON_NONE)
        json_int(json, json_member(json, object, "match"), 0, PROTO_DAY_MS, &clocks.match, NULL);
    return clocks;
}

/* Would this state be encoded in exactly these bytes? */
static bool was_sent(const MatchModel *shadow, const PastState *past, uint32_t viewer,
                     const Message *message, bool with_events, bool words, MashText *text) {
    static _Alignas(64) char memory[4 << 20];
    Position position = {.content = shadow->content,
                         .view = past->views[viewer],
                         .seat = viewer < MASH_SEATS ? (uint8_t)viewer : MASH_SEAT_SPECTATOR,
                         .events = past->events,
                         .events_count = with_events ? past->events_count : 0,
                         .code = shadow->code,
                         .number = past->numbers[viewer],
                         .has_id = message_has(message, "id"),
                         .id = message->position.id,
                         .paused = message->position.paused,
                         .has_paused_by = message_has(message, "paused_by"),
                         .paused_by = message->position.paused_by,
                         .clocks = clocks_of(message),
                         .has_undone = with_events && past->undone > 0,
                         .undone = (uint8_t)(past->undone - 1),
                         .undo = message_has(message, "undo") ? past->undo[viewer % 2] : NULL,
                         .form = message_has(message, "view") ? PROTO_FORM_BYTES : PROTO_FORM_JSON,
                         .words = words};
    assert(position_bytes(shadow->content) <= sizeof memory);
    text_clear(text);
    position_write(&position, memory, text);
    return !text->truncated && text->count == message->json.bytes_count &&
           memcmp(text->bytes, message->json.bytes, text->count) == 0;
}

/* Were the clocks right when the action was made? */
static void check_clocks(const MatchModel *shadow, const PastState *past, const Message *message) {
    PositionClocks clocks = clocks_of(message);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (shadow->turn_ms > 0 && !shadow->doubt && clocks.turn[seat] != POSITION_NO_TIME &&
            (clocks.turn[seat] < past->least_ms[seat] || clocks.turn[seat] > past->most_ms[seat]))
            simulation_fail("match %s, position %d: seat %u is told %d ms, not %lld to %lld",
                            shadow->code, message->position.number, seat, clocks.turn[seat],
                            (long long)past->least_ms[seat], (long long)past->most_ms[seat]);
}

/* Only a position with events contains the time when it was made. */
static bool sees_events(const PastState *past, uint32_t viewer) {
    for (uint32_t i = 0; i < past->events_count; i++)
        if (mash_event_seen(&past->events[i],
                            viewer < MASH_SEATS ? (uint8_t)viewer : MASH_SEAT_SPECTATOR))
            return true;
    return false;
}

/* Does the position, as sent to this viewer, follow from the durable records? */
static bool follows(const MatchModel *shadow, const Message *message, uint32_t viewer,
                    MashText *text) {
    uint32_t number = (uint32_t)message->position.number;
    for (uint32_t i = 0; i < states_kept() && i < shadow->past_states_count; i++) {
        const PastState *past =
            &shadow->past_states[(shadow->past_states_count - 1 - i) % states_kept()];
        if (past->views[viewer] == NULL || past->numbers[viewer] < number)
            break;
        uint32_t way = past->numbers[viewer] == number ? 0 : 4;
        while (way < 4 &&
               !was_sent(shadow, past, viewer, message, way % 2 == 0, way / 2 == 1, text))
            way++;
        if (way == 4)
            continue;
        if (way % 2 == 0 && sees_events(past, viewer))
            check_clocks(shadow, past, message);
        return true;
    }
    return false;
}

static void look_at_position(const Message *message) {
    static char bytes[FRAME];
    MashText text = text_over(bytes, sizeof bytes);
    const MatchModel *shadow = find_code(message->position.code);
    uint32_t viewer = message->position.you < MASH_SEATS ? message->position.you : MASH_SEATS;
    if (shadow == NULL)
        simulation_fail("match %s is told of before its beginning is safe", message->position.code);
    uint32_t number = (uint32_t)message->position.number;
    if (number > shadow->numbers[viewer])
        simulation_fail("match %s: position %u is told to %u, and only %u is safe", shadow->code,
                        number, viewer, shadow->numbers[viewer]);
    sim.counts.positions++;
    if (follows(shadow, message, viewer, &text) ||
        (viewer == MASH_SEATS && follows(shadow, message, BLIND, &text)))
        return;
    simulation_fail(
        "match %s: position %u as %u is told it does not follow from what is safe:\n%.*s\n%s",
        shadow->code, number, viewer, (int)message->json.bytes_count, message->json.bytes,
        text.bytes);
}

void oracle_check_message(void *unused, const char *bytes, uint32_t count) {
    static const char start[] = "{\"type\":\"position\"";
    (void)unused;
    sim.counts.frames++;
    if (count > sizeof start && memcmp(bytes, start, sizeof start - 1) == 0)
        look_at_position(simulation_read(bytes, count));
}
