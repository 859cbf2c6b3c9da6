/* contest_records.c -- see contest.h: the records of a contest, and what each of them does.
 *
 * Created and players are JSON, because they hold texts; pairs and changes are numbers of fixed
 * width. A record of pairs is a whole round: it is there, or it is not. */
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "server/contest.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/players.h"
#include "server/records.h"

/* Bytes: the head of a record of pairs (round, count), a pair (players, match), a change. */
enum { PAIRS_HEAD_BYTES = 8, PAIR_BYTES = 16, CHANGE_BYTES = 16 };
enum { SCORE_MASK = 15 };

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Appends a number of so many bytes, the lowest first. */
static void put_number(uint8_t **at, uint64_t number, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++)
        *(*at)++ = (uint8_t)(number >> (8 * i));
}

/* Reads one. */
static uint64_t get_number(const uint8_t **at, uint32_t bytes) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < bytes; i++)
        number |= (uint64_t) * (*at)++ << (8 * i);
    return number;
}

/* Makes room for so many entries. False: no memory. */
static bool reserve(void **list, uint32_t *max, uint32_t count, size_t bytes) {
    if (count <= *max)
        return true;
    uint32_t more = count + count / 2 + 16;
    void *grown = realloc(*list, more * bytes);
    if (grown == NULL)
        return false;
    *list = grown;
    *max = more;
    return true;
}

/* Makes room for one more player, so many more pairings, and a result for each. */
static bool make_room(Contest *contest, uint32_t pairs) {
    void *players = contest->players, *pairings = contest->pairings, *results = contest->results;
    bool fits = reserve(&players, &contest->players_max, contest->players_count + 1,
                        sizeof *contest->players);
    contest->players = players;
    fits = reserve(&pairings, &contest->pairings_max, contest->pairings_count + pairs,
                   sizeof *contest->pairings) &&
           fits;
    contest->pairings = pairings;
    fits = reserve(&results, &contest->results_max, contest->pairings_count + pairs,
                   sizeof *contest->results) &&
           fits;
    contest->results = results;
    return fits;
}

/* --- What a record does ----------------------------------------------------------------------- */

/* Reads JSON of a record. */
static bool read_json(Server *server, const StoreRecord *record, Json *json,
                      MashProblems *problems) {
    return json_read(json, "journal", record->bytes, record->count, server->nodes,
                     MESSAGE_NODES_MAX, problems);
}

/* The name of a player goes. */
static void erase(Contestant *player) {
    memcpy(player->name, STORE_ERASED_NAME, sizeof STORE_ERASED_NAME);
    player->account = false;
    player->named = 0;
}

void contest_erase(Contest *contest, uint64_t account) {
    bool changed = false;
    for (uint32_t i = 0; i < contest->players_count; i++) {
        if (contest->players[i].named != account)
            continue;
        erase(&contest->players[i]);
        changed = true;
    }
    if (changed)
        contest_touch(contest);
}

/* A player joins, or somebody else goes on in place of one. */
static bool apply_player(Contest *contest, const StoreRecord *record) {
    static const char *const roles[] = {"person", "ai"};
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    Json json;
    int32_t number = 0;
    uint32_t role = 0;
    Contestant player;
    memset(&player, 0, sizeof player);
    player.rating = GLICKO_START; /* where a record of an older version has none */
    if (!make_room(contest, 0) || !read_json(contest->server, record, &json, &problems) ||
        !json_int_at(&json, 0, "player", 0, PROTO_CONTESTANTS_MAX - 1, &number, &problems) ||
        !json_line_at(&json, 0, "name", player.name, sizeof player.name, &problems) ||
        !json_choice_at(&json, 0, "role", roles, 2, &role, &problems) ||
        !json_line_at(&json, 0, "token", player.token, sizeof player.token, &problems) ||
        strlen(player.token) != PROTO_TOKEN_DIGITS || (uint32_t)number > contest->players_count ||
        (json_member(&json, 0, "rating") != JSON_NONE &&
         !json_int_at(&json, 0, "rating", INT32_MIN, INT32_MAX, &player.rating, &problems)))
        return false;
    player.account = json_member(&json, 0, "account") != JSON_NONE;
    player.named = records_read_named(&json, 0);
    Contestant *place = &contest->players[number];
    if ((uint32_t)number == contest->players_count) {
        contest->players_count++;
        *place = player;
        place->playing = CONTEST_NO_PAIRING;
        place->free_ms = net_now_ms(contest->server->loop);
    }
    memcpy(place->name, player.name, sizeof place->name);
    memcpy(place->token, player.token, sizeof place->token);
    place->role = (uint8_t)role;
    place->rating = player.rating;
    place->account = player.account;
    place->named = player.named;
    if (erased_is_gone(contest->server, player.named))
        erase(place);
    place->away = place->removed = false;
    return true;
}

/* The result of a pairing as the standings count it. */
static TournamentResult result_of(const ContestPair *pairing) {
    static const uint8_t points[][2] = {[PROTO_SCORE_FIRST] = {TOURNAMENT_WIN, 0},
                                        [PROTO_SCORE_SECOND] = {0, TOURNAMENT_WIN},
                                        [PROTO_SCORE_DRAW] = {TOURNAMENT_DRAW, TOURNAMENT_DRAW},
                                        [PROTO_SCORE_NONE] = {0, 0}};
    bool bye = pairing->players[1] == CONTEST_NONE;
    TournamentResult result = {.round = pairing->round,
                               .players = {pairing->players[0], pairing->players[1]},
                               .kind = bye                ? TOURNAMENT_BYE
                                       : pairing->forfeit ? TOURNAMENT_FORFEIT
                                                          : TOURNAMENT_PLAYED};
    memcpy(result.points, points[pairing->score], sizeof result.points);
    return result;
}

/* A player is not kept busy by this pairing any more. */
static void set_free(Contest *contest, uint16_t number, uint32_t pairing) {
    if (number == CONTEST_NONE || contest->players[number].playing != pairing)
        return;
    contest->players[number].playing = CONTEST_NO_PAIRING;
    contest->players[number].free_ms = net_now_ms(contest->server->loop);
}

/* A pairing has a result: the first one, or another than before. */
static void apply_score(Contest *contest, uint32_t index, uint8_t score, bool forfeit) {
    ContestPair *pairing = &contest->pairings[index];
    bool first = pairing->score == CONTEST_OPEN;
    pairing->score = score;
    pairing->forfeit = forfeit;
    if (first) {
        pairing->result = contest->results_count++;
        contest->open--;
    }
    contest->results[pairing->result] = result_of(pairing);
    set_free(contest, pairing->players[0], index);
    set_free(contest, pairing->players[1], index);
    while (contest->first_open < contest->pairings_count &&
           contest->pairings[contest->first_open].score != CONTEST_OPEN)
        contest->first_open++;
    contest->rests_ms = 0;
}

/* One pair of a record. */
static void apply_pair(Contest *contest, const ContestPair *pair) {
    uint32_t index = contest->pairings_count++;
    ContestPair *pairing = &contest->pairings[index];
    *pairing = *pair;
    contest->open++;
    if (pairing->players[1] == CONTEST_NONE) {
        contest->players[pairing->players[0]].bye = pairing->round + 1;
        apply_score(contest, index, PROTO_SCORE_FIRST, false);
        return;
    }
    for (uint32_t i = 0; i < 2 && !contest->config.without_rounds; i++)
        contest->players[pairing->players[i]].playing = index;
}

/* A round, or a wave of an arena. */
static bool apply_pairs(Contest *contest, const StoreRecord *record) {
    const uint8_t *at = record->bytes;
    if (record->count < PAIRS_HEAD_BYTES)
        return false;
    uint32_t round = (uint32_t)get_number(&at, 4), count = (uint32_t)get_number(&at, 4);
    if (count > PROTO_CONTESTANTS_MAX * PROTO_CONTESTANTS_MAX ||
        record->count != PAIRS_HEAD_BYTES + (size_t)count * PAIR_BYTES ||
        !make_room(contest, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        ContestPair pair = {.round = round, .score = CONTEST_OPEN, .stage = PAIRING_PLANNED};
        for (uint32_t j = 0; j < 2; j++)
            pair.players[j] = (uint16_t)get_number(&at, 4);
        pair.match = get_number(&at, 8);
        if (pair.players[0] >= contest->players_count ||
            (pair.players[1] != CONTEST_NONE && pair.players[1] >= contest->players_count))
            return false;
        apply_pair(contest, &pair);
    }
    contest->round = round + 1;
    return true;
}

/* A player leaves, is back, is removed, gets points. */
static bool apply_to_player(Contest *contest, ContestChange change, uint32_t index, int32_t value) {
    if (index >= contest->players_count)
        return false;
    Contestant *player = &contest->players[index];
    if (change == CONTEST_AWAY) {
        player->away = value != 0;
        player->free_ms = net_now_ms(contest->server->loop);
    } else if (change == CONTEST_REMOVE) {
        player->removed = true;
    } else {
        player->extra += value;
    }
    return true;
}

/* A change. */
static bool apply_change(Contest *contest, const StoreRecord *record) {
    const uint8_t *at = record->bytes;
    if (record->count != CHANGE_BYTES)
        return false;
    ContestChange change = (ContestChange)get_number(&at, 4);
    uint32_t index = (uint32_t)get_number(&at, 4);
    int32_t value = (int32_t)(uint32_t)get_number(&at, 4);
    uint32_t flags = (uint32_t)value & ~(uint32_t)SCORE_MASK;
    switch (change) {
    case CONTEST_START:
        contest->started_ms = record->time_ms;
        contest->phase = PROTO_PHASE_RUNNING;
        return true;
    case CONTEST_PAUSE:
    case CONTEST_CONTINUE:
        contest->phase = change == CONTEST_PAUSE ? PROTO_PHASE_PAUSED : PROTO_PHASE_RUNNING;
        return true;
    case CONTEST_END:
        contest->ended_ms = record->time_ms;
        contest->phase = PROTO_PHASE_OVER;
        return true;
    case CONTEST_STOP:
        contest->stopped = true;
        return true;
    case CONTEST_SCORE:
        if (index >= contest->pairings_count || (value & SCORE_MASK) >= PROTO_SCORE_COUNT ||
            contest->pairings[index].players[1] == CONTEST_NONE)
            return false;
        apply_score(contest, index, (uint8_t)(value & SCORE_MASK),
                    (flags & CONTEST_SCORE_FORFEIT) != 0);
        for (uint32_t i = 0; i < 2; i++)
            if ((flags & (uint32_t)CONTEST_SCORE_MISSED << i) != 0)
                contest->players[contest->pairings[index].players[i]].away = true;
        return true;
    case CONTEST_AWAY:
    case CONTEST_REMOVE:
    case CONTEST_ADJUST:
        return apply_to_player(contest, change, index, value);
    }
    return false;
}

/* Does what the record says. False: it says nothing that this contest can do. */
static bool apply(Contest *contest, const StoreRecord *record) {
    switch (record->kind) {
    case RECORD_CONTESTANT:
        return apply_player(contest, record);
    case RECORD_PAIRINGS:
        return apply_pairs(contest, record);
    case RECORD_CONTEST_CHANGE:
        return apply_change(contest, record);
    default:
        return record->kind == RECORD_CONTEST;
    }
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Writes a record, and does what it says. */
static bool write_record(Contest *contest, uint16_t kind, const void *bytes, uint32_t count) {
    Server *server = contest->server;
    StoreRecord record = {.match = contest->number, .kind = kind, .bytes = bytes, .count = count};
    if (!records_append(server, &record, "tournament", contest->code, &contest->ticket))
        return false;
    if (!apply(contest, &record))
        server_fault(server, "a record of a tournament");
    contest_touch(contest);
    server_poll_store(server);
    return true;
}

/* How it was created. */
static void write_config(void *what, MashText *text) {
    const Contest *contest = what;
    const ContestConfig *config = &contest->config;
    char digits[PROTO_TOKEN_DIGITS + 1];
    MashText seed = text_over(digits, sizeof digits);
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    records_put_config(&writer, &config->table);
    json_put_pair(&writer, "title", config->title);
    json_put_pair(&writer, "kind", choice_id(PROTO_FORMATS_LIST, config->format));
    json_put_pair_int(&writer, "minutes", config->minutes);
    json_put_pair_int(&writer, "rounds", config->rounds);
    json_put_pair_int(&writer, "rest_ms", config->rest_ms);
    json_put_pair_int(&writer, "players_max", config->players_max);
    json_put_pair_int(&writer, "starts_s", (int64_t)(config->starts_ms / 1000));
    json_put_pair_bool(&writer, "free", config->without_rounds);
    json_put_pair_bool(&writer, "pair", config->two_legs);
    json_put_pair(&writer, "organiser", config->token);
    match_seed_write(config->seed, &seed);
    json_put_pair(&writer, "lots", digits);
    json_close(&writer, '}');
}

bool contest_write_created(Contest *contest) {
    MashText text;
    return server_write_text(contest->server, &text, write_config, contest) &&
           write_record(contest, RECORD_CONTEST, text.bytes, text.count);
}

bool contest_write_player(Contest *contest, uint32_t number, const Contestant *player) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_pair_int(&writer, "player", number);
    json_put_pair(&writer, "name", player->name);
    json_put_pair(&writer, "role", choice_id(PROTO_ROLES_LIST, player->role));
    json_put_pair(&writer, "token", player->token);
    json_put_pair_int(&writer, "rating", player->rating);
    if (player->account)
        json_put_pair_int(&writer, "account", 1);
    if (player->named != 0)
        records_put_named(&writer, player->named);
    json_close(&writer, '}');
    return !text.truncated && make_room(contest, 0) &&
           write_record(contest, RECORD_CONTESTANT, text.bytes, text.count);
}

bool contest_write_pairs(Contest *contest, uint32_t round, const ContestPair *pairs,
                         uint32_t count) {
    size_t bytes = PAIRS_HEAD_BYTES + (size_t)count * PAIR_BYTES;
    uint8_t *memory = make_room(contest, count) ? malloc(bytes) : NULL, *at = memory;
    if (memory == NULL)
        return false;
    put_number(&at, round, 4);
    put_number(&at, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        put_number(&at, pairs[i].players[0], 4);
        put_number(&at, pairs[i].players[1], 4);
        put_number(&at, pairs[i].match, 8);
    }
    bool written = write_record(contest, RECORD_PAIRINGS, memory, (uint32_t)bytes);
    free(memory);
    return written;
}

bool contest_write_change(Contest *contest, ContestChange change, uint32_t index, int32_t value) {
    uint8_t bytes[CHANGE_BYTES], *at = bytes;
    put_number(&at, change, 4);
    put_number(&at, index, 4);
    put_number(&at, (uint32_t)value, 4);
    put_number(&at, 0, 4);
    return write_record(contest, RECORD_CONTEST_CHANGE, bytes, sizeof bytes);
}

/* --- Recovery --------------------------------------------------------------------------------- */

/* A whole number of the record, or 0. */
static uint32_t number_at(const Json *json, const char *key, MashProblems *problems) {
    int32_t number;
    json_int_at(json, 0, key, 0, INT32_MAX, &number, problems);
    return (uint32_t)number;
}

/* Reads how it was created. False: see the problem. */
static bool read_config(Server *server, const StoreRecord *record, ContestConfig *config,
                        MashText *problem) {
    static const char *const formats[] = {"arena", "swiss", "round-robin", "knock-out"};
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    Json json;
    char digits[PROTO_TOKEN_DIGITS + 1];
    uint32_t format = 0;
    memset(config, 0, sizeof *config);
    if (!records_read_config(server, record, &config->table, problem))
        return false;
    bool read =
        read_json(server, record, &json, &problems) &&
        json_line_at(&json, 0, "title", config->title, sizeof config->title, &problems) &&
        json_choice_at(&json, 0, "kind", formats, PROTO_FORMAT_COUNT, &format, &problems) &&
        json_bool_at(&json, 0, "free", &config->without_rounds, &problems) &&
        json_bool_at(&json, 0, "pair", &config->two_legs, &problems) &&
        json_line_at(&json, 0, "organiser", config->token, sizeof config->token, &problems) &&
        json_line_at(&json, 0, "lots", digits, sizeof digits, &problems) &&
        match_seed_read(digits, &config->seed);
    if (read) {
        config->format = (uint8_t)format;
        config->minutes = number_at(&json, "minutes", &problems);
        config->rounds = number_at(&json, "rounds", &problems);
        config->rest_ms = number_at(&json, "rest_ms", &problems);
        config->players_max = number_at(&json, "players_max", &problems);
        config->starts_ms = (uint64_t)number_at(&json, "starts_s", &problems) * 1000;
    }
    if (problems.count > 0)
        text_format(problem, "%s %s", list[0].path, list[0].reason);
    else if (!read)
        text_string(problem, "its lots are unreadable");
    return read && problems.count == 0;
}

/* What was paired and has no result: its match may be anywhere. */
static void await_matches(Contest *contest) {
    const Server *server = contest->server;
    contest->gate_ms = net_now_ms(server->loop) + server->setup.return_ms;
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++)
        if (contest->pairings[i].score == CONTEST_OPEN)
            contest->pairings[i].stage = PAIRING_UNKNOWN;
}

bool contest_recover(Server *server, const JournalRecords *records) {
    char memory[PROTO_SENTENCE_MAX + 1];
    MashText problem = text_over(memory, sizeof memory);
    ContestConfig config;
    uint64_t number = records->list[0].match;
    Contest *contest = read_config(server, &records->list[0], &config, &problem)
                           ? contest_open(server, &config, number)
                           : NULL;
    if (contest == NULL) {
        server_log(server, LOG_ERROR, "cannot restore a tournament; it stays in the journal: %s",
                   memory[0] == '\0' ? "out of memory" : memory);
        return false;
    }
    contest->created_ms = records->list[0].time_ms;
    uint32_t i = 1;
    while (i < records->count && records->list[i].sequence == records->list[0].sequence + i &&
           apply(contest, &records->list[i]))
        i++;
    if (i < records->count)
        server_log(server, LOG_ERROR,
                   "tournament %s has lost records: it goes on after its first %u", contest->code,
                   i);
    await_matches(contest);
    contest_touch(contest);
    server->stats.contests_recovered++;
    server_log(server, LOG_INFO, "restored tournament %s: %u players, %u pairings, %u open",
               contest->code, contest->players_count, contest->pairings_count, contest->open);
    return true;
}

/* --- The archive ------------------------------------------------------------------------------ */

bool contest_archive(Contest *contest) {
    Server *server = contest->server;
    StoreEntry entry;
    MashText file;
    uint64_t ticket;
    if (!erased_note_contest(contest))
        return false;
    memset(&entry, 0, sizeof entry);
    entry.match = contest->number;
    entry.started_ms = contest->created_ms;
    entry.ended_ms = contest->ended_ms;
    entry.winner = STORE_NOBODY;
    entry.is_private = true; /* lists have matches only; it is found by its code */
    MashText game = text_over(entry.game, sizeof entry.game);
    text_string(&game, contest->config.table.content->content->game->id);
    MashText reason = text_over(entry.reason, sizeof entry.reason);
    text_string(&reason, "tournament");
    if (!contest_write_file(contest, &file) ||
        store_finish(server->store, &entry, file.bytes, file.count, &ticket) != STORE_OK)
        return false;
    contest->archived = true;
    server_poll_store(server);
    return true;
}
