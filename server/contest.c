/* contest.c -- see contest.h: from the beginning of a contest to its end: who is paired when, the
 * tables of pairs, and what becomes of their results. */
#include "server/contest.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/actions.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "tournament/pairing.h"

/* TICK_MS: how often a contest in progress looks what is due; WAVE_MS: between two pairings of a
 * large arena, so that there is somebody to choose from; BREATH_MS: how long a person may look at a
 * result; REMATCH_MS: after this wait an arena lets the same two meet again; ASK_MS: between two
 * questions to the archive; KEEP_MS: how long a contest that is over is listed. */
enum {
    TICK_MS = 500,
    WAVE_MS = 2000,
    WAVE_PLAYERS = 20,
    BREATH_MS = 3000,
    REMATCH_MS = 10000,
    FEW_PLAYERS = 3,
    ASK_MS = 2000,
    KEEP_MS = 86400000,
    WAITS_DAYS = 31, /* for its start; LASTS_DAYS: in all, so that nothing stays for ever */
    LASTS_DAYS = 70,
    MINUTE_MS = 60000,
    NEWS_MS = 200, /* between two messages to all who watch, and so much more for each */
    NEWS_OF_ONE_MS = 4,
    REPLAYS_MAX = 2, /* of a drawn pair of a knock-out */
    UNPLAYED_AT_ONCE = 100
};

static void tick(void *owner);

/* --- Opening and closing ---------------------------------------------------------------------- */

Contest *contest_find(Server *server, uint64_t number) {
    Contest *contest = server->contests;
    while (contest != NULL && contest->number != number)
        contest = contest->next;
    return contest;
}

/* A number that no table, contest or match has. */
static uint64_t new_number(Server *server) {
    uint64_t number;
    do {
        net_random(server->loop, &number, sizeof number);
        number >>= 64 - 5 * PROTO_CODE_DIGITS;
    } while (number == 0 || lobby_find(server, number) != NULL ||
             contest_find(server, number) != NULL);
    return number;
}

Contest *contest_open(Server *server, const ContestConfig *config, uint64_t number) {
    Contest *contest = calloc(1, sizeof *contest);
    if (contest == NULL)
        return NULL;
    contest->timer = net_timer_open(server->loop, tick, contest);
    if (contest->timer == NULL) {
        free(contest);
        return NULL;
    }
    contest->server = server;
    contest->number = number == 0 ? new_number(server) : number;
    table_code_encode(contest->number, contest->code);
    contest->config = *config;
    contest->config.table.tournament = contest->number;
    contest->created_ms = net_wall_clock_ms(server->loop);
    contest->phase = PROTO_PHASE_WAITING;
    content_retain(config->table.content);
    SERVER_LINK(server->contests, contest, before, next);
    server->contests_count++;
    return contest;
}

void contest_close(Contest *contest) {
    Server *server = contest->server;
    while (contest->watchers != NULL)
        contest_forget(contest->watchers);
    contest_drop_posts(server, NULL, contest);
    SERVER_UNLINK(server->contests, contest, before, next);
    server->contests_count--;
    net_timer_close(contest->timer);
    account_leave(server, contest->account);
    content_release(server, contest->config.table.content);
    free(contest->players);
    free(contest->pairings);
    free(contest->results);
    free(contest);
}

void contests_close(Server *server) {
    while (server->contests != NULL)
        contest_close(server->contests);
}

/* The timer fires in this time at the latest. */
static void wake(Contest *contest, uint64_t in_ms) {
    uint64_t due_ms = net_now_ms(contest->server->loop) + in_ms;
    if (contest->timer_ms != 0 && contest->timer_ms <= due_ms)
        return;
    contest->timer_ms = due_ms;
    net_timer_start(contest->timer, in_ms);
}

void contest_touch(Contest *contest) {
    contest->changed = true;
    wake(contest, 0);
}

/* --- What is asked about it ------------------------------------------------------------------- */

bool contest_is_in(const Contestant *player) { return !player->away && !player->removed; }

bool contest_is_open(const Contest *contest) {
    bool begun = contest->phase != PROTO_PHASE_WAITING;
    if (contest->phase == PROTO_PHASE_OVER || contest->stopped)
        return false;
    if (contest->config.format == PROTO_FORMAT_SWISS) /* half of the rounds are still to come */
        return !begun || contest->round * 2 <= contest_rounds(contest);
    return !begun || contest->config.format == PROTO_FORMAT_ARENA;
}

uint32_t contest_rounds(const Contest *contest) {
    const ContestConfig *config = &contest->config;
    uint32_t rounds = 1;
    switch (config->format) {
    case PROTO_FORMAT_SWISS:
        while (config->rounds == 0 && (uint32_t)1 << rounds < contest->players_count)
            rounds++;
        return config->rounds > 0 ? config->rounds : rounds;
    case PROTO_FORMAT_ROUND_ROBIN:
        rounds = config->rounds > 0 ? config->rounds : 1;
        return config->without_rounds ? 0 : rounds * round_robin_rounds(contest->players_count);
    case PROTO_FORMAT_KNOCK_OUT:
        return knockout_rounds(contest->players_count);
    default:
        return 0;
    }
}

uint64_t contest_ends_ms(const Contest *contest) {
    if (contest->started_ms == 0 || contest->config.minutes == 0)
        return 0;
    return contest->started_ms + (uint64_t)contest->config.minutes * MINUTE_MS;
}

Table *contest_table(const Contest *contest, uint32_t player) {
    uint32_t index = contest->players[player].playing;
    if (index == CONTEST_NO_PAIRING || contest->pairings[index].stage != PAIRING_BEGUN)
        return NULL;
    return lobby_find(contest->server, contest->pairings[index].match);
}

/* How many players are in; how many of them are connected. */
static uint32_t count_players(const Contest *contest, uint32_t *connected) {
    uint32_t count = 0;
    *connected = 0;
    for (uint32_t i = 0; i < contest->players_count; i++) {
        bool in = contest_is_in(&contest->players[i]);
        count += in;
        *connected += in && contest->players[i].session != NULL;
    }
    return count;
}

/* The contest as pairing and standings see it; its players are freed by the caller. False: no
 * memory. */
static bool make_tournament(const Contest *contest, Tournament *tournament) {
    TournamentPlayer *players = calloc(contest->players_count + 1, sizeof *players);
    if (players == NULL)
        return false;
    for (uint32_t i = 0; i < contest->players_count; i++)
        players[i] = (TournamentPlayer){.rating = contest->players[i].rating,
                                        .withdrawn = !contest_is_in(&contest->players[i])};
    *tournament =
        (Tournament){players, contest->players_count, contest->results, contest->results_count};
    return true;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* May new matches begin now? */
static bool may_begin(const Contest *contest) {
    const Server *server = contest->server;
    return !server->draining && !server->closing && !server->failed &&
           !store_progress(server->store).low && server->tables_count < server->setup.matches_max;
}

/* The seed of a match. Both matches of a pair with two legs have the same. */
static MashSeed seed_of(const Contest *contest, const ContestPair *pairing) {
    const uint64_t *key = contest->config.seed.words;
    uint32_t a = pairing->players[0], b = pairing->players[1];
    uint64_t pair = a < b ? (uint64_t)a << 16 | b : (uint64_t)b << 16 | a;
    uint64_t word = contest->config.two_legs ? hash_number(pairing->round, pair) : pairing->match;
    return (MashSeed){{hash_siphash(key, word), hash_siphash(key, ~word)}};
}

void contest_seat_token(const Contest *contest, const ContestPair *pairing, uint8_t seat,
                        char token[PROTO_TOKEN_DIGITS + 1]) {
    /* Not the key of seeds: those are told when a match is over. */
    static const uint64_t words[2] = {0x7365617420746f6b, 0x656e7320666f6c6c};
    const uint64_t *seed = contest->config.seed.words;
    uint64_t key[2] = {hash_siphash(seed, words[0]), hash_siphash(seed, words[1])};
    uint64_t match_key[2] = {hash_siphash(key, pairing->match), key[1]};
    MashText text = text_over(token, PROTO_TOKEN_DIGITS + 1);
    text_hex(&text, pairing->match, 16);
    text_hex(&text, hash_siphash(match_key, seat), 16);
}

/* Opens the table of a pairing, with a chair for each of its players, who are told. */
static void open_table(Contest *contest, uint32_t index) {
    Server *server = contest->server;
    ContestPair *pairing = &contest->pairings[index];
    Table *table =
        may_begin(contest) ? table_open_as(server, &contest->config.table, pairing->match) : NULL;
    if (table == NULL)
        return;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const Contestant *player = &contest->players[pairing->players[seat]];
        char token[PROTO_TOKEN_DIGITS + 1];
        contest_seat_token(contest, pairing, seat, token);
        table_reserve(table, seat, player->name, player->named, player->role, token);
    }
    if (!table_begin_with(table, seed_of(contest, pairing)))
        return;
    pairing->stage = PAIRING_BEGUN;
    contest->ticket = table->ticket; /* a later one: nobody is told of a match that may be lost */
    for (uint32_t i = 0; i < 2; i++) {
        contest->players[pairing->players[i]].playing = index;
        contest_send_player(contest, pairing->players[i]);
    }
    contest_touch(contest);
}

/* Has the player of a seat never come to the match? */
static bool has_missed(const Table *table, uint8_t seat) {
    if (table->chairs[seat].address[0] != '\0' || table->chairs[seat].session != NULL)
        return false;
    for (uint32_t i = 0; i < table->match.actions_count; i++)
        if (table->match.actions[i].seat == seat && table->match.actions[i].verb < MASH_VERB_RESIGN)
            return false;
    return true;
}

/* Writes the result of a pairing and tells its players that they are free. */
static void write_score(Contest *contest, uint32_t index, int32_t value) {
    if (contest->pairings[index].score != CONTEST_OPEN ||
        !contest_write_change(contest, CONTEST_SCORE, index, value))
        return;
    contest->server->stats.contest_results++;
    for (uint32_t i = 0; i < 2; i++)
        contest_send_player(contest, contest->pairings[index].players[i]);
}

/* The result of a match that is over at its table. */
static void take_result(Contest *contest, uint32_t index, const Table *table) {
    MashResult result = match_result(&table->match);
    bool missed[MASH_SEATS] = {has_missed(table, 0), has_missed(table, 1)};
    int32_t value = result.winner == 0   ? PROTO_SCORE_FIRST
                    : result.winner == 1 ? PROTO_SCORE_SECOND
                                         : PROTO_SCORE_DRAW;
    if (!result.over || (missed[0] && missed[1]))
        value = PROTO_SCORE_NONE;
    else if (result.winner < MASH_SEATS)
        missed[result.winner] = false; /* the other resigned before this one was to come */
    if (missed[0] || missed[1])
        value |= CONTEST_SCORE_FORFEIT;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (missed[seat])
            value |= CONTEST_SCORE_MISSED << seat;
    write_score(contest, index, value);
}

/* The open pairing of this match. */
static uint32_t find_pairing(const Contest *contest, uint64_t match) {
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++)
        if (contest->pairings[i].match == match && contest->pairings[i].score == CONTEST_OPEN)
            return i;
    return CONTEST_NO_PAIRING;
}

void contest_match_over(Table *table) {
    Contest *contest = table->config.tournament == 0
                           ? NULL
                           : contest_find(table->server, table->config.tournament);
    uint32_t index = contest == NULL ? CONTEST_NO_PAIRING : find_pairing(contest, table->number);
    if (index != CONTEST_NO_PAIRING)
        take_result(contest, index, table);
}

void contest_forfeit(Contest *contest, uint32_t player) {
    Table *table = contest_table(contest, player);
    if (table != NULL && table_is_running(table))
        actions_apply_as_server(
            table, MASH_VERB_FORFEIT,
            contest->pairings[contest->players[player].playing].players[0] == player ? 0 : 1,
            MASH_REASON_DISQUALIFIED);
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++) {
        const ContestPair *pairing = &contest->pairings[i];
        bool first = pairing->players[0] == player, second = pairing->players[1] == player;
        if (contest->config.without_rounds && pairing->score == CONTEST_OPEN &&
            pairing->stage == PAIRING_PLANNED && (first || second))
            write_score(contest, i,
                        (first ? PROTO_SCORE_SECOND : PROTO_SCORE_FIRST) | CONTEST_SCORE_FORFEIT);
    }
}

/* --- Matches that are not here ---------------------------------------------------------------- */

/* Which pairing the archive is asked about. */
typedef struct ArchiveQuestion {
    uint64_t contest;
    uint32_t pairing;
} ArchiveQuestion;

/* The score in a match file: its last member is the result. */
static uint8_t score_in_file(const char *bytes, size_t count) {
    static const char key[] = "\"result\":";
    const char *at = NULL;
    for (size_t i = 0; i + sizeof key <= count; i++)
        if (memcmp(bytes + i, key, sizeof key - 1) == 0)
            at = bytes + i + sizeof key - 1;
    JsonNode nodes[16];
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    Json json;
    const char *end = bytes + count;
    while (at != NULL && end > at && end[-1] != '}') /* the end of the file's object */
        end--;
    if (at == NULL || end <= at + 1 ||
        !json_read(&json, "result", at, (uint32_t)(end - 1 - at), nodes, 16, &problems) ||
        json.nodes[0].kind != JSON_OBJECT)
        return PROTO_SCORE_NONE;
    int32_t winner;
    uint32_t node = json_member(&json, 0, "winner");
    if (node == JSON_NONE)
        return PROTO_SCORE_NONE;
    if (!json_int(&json, node, 0, 1, &winner, &problems))
        return PROTO_SCORE_DRAW;
    return winner == 0 ? PROTO_SCORE_FIRST : PROTO_SCORE_SECOND;
}

/* Both players play the match of a pairing, here or at another node, and are told where. */
static void keep_busy(Contest *contest, uint32_t index, bool elsewhere) {
    ContestPair *pairing = &contest->pairings[index];
    pairing->elsewhere = elsewhere;
    for (uint32_t i = 0; i < 2; i++) {
        contest->players[pairing->players[i]].playing = index;
        contest_send_player(contest, pairing->players[i]);
    }
}

/* The archive has answered about a pairing. What it did not have when the match was open nowhere
 * is asked again: it may have come to the archive between the two questions. */
static void answer_archive(Ask *ask) {
    const ArchiveQuestion *question = ask->config;
    Contest *contest = contest_find(ask->server, question->contest);
    if (contest == NULL || question->pairing >= contest->pairings_count)
        return;
    ContestPair *pairing = &contest->pairings[question->pairing];
    if (pairing->match != ask->match || pairing->stage != PAIRING_ASKED ||
        pairing->score != CONTEST_OPEN)
        return;
    bool nowhere = ask->status == STORE_UNKNOWN && ask->where == STORE_UNKNOWN;
    pairing->stage = nowhere && pairing->absent ? PAIRING_PLANNED : PAIRING_UNKNOWN;
    pairing->next_ms = net_now_ms(ask->server->loop) + (nowhere ? 0 : ASK_MS);
    pairing->absent = nowhere && !pairing->absent;
    if (ask->status == STORE_OK)
        write_score(contest, question->pairing, score_in_file(ask->file, ask->count));
    else if (ask->where == STORE_OK && !ask->place.here && !pairing->elsewhere)
        keep_busy(contest, question->pairing, true);
    wake(contest, 0);
}

/* Asks the archive for the match of a pairing. */
static void ask_archive(Contest *contest, uint32_t index) {
    ContestPair *pairing = &contest->pairings[index];
    ArchiveQuestion *about = malloc(sizeof *about);
    Ask question = {.kind = ASK_FILE,
                    .match = pairing->match,
                    .config = about,
                    .where = STORE_UNKNOWN,
                    .answer = answer_archive};
    if (about == NULL)
        return;
    *about = (ArchiveQuestion){contest->number, index};
    if (reader_ask(contest->server, "", &question) == NULL)
        free(about);
    else
        pairing->stage = PAIRING_ASKED;
}

/* Looks after the matches that have no result. Returns how many of them nobody knows the place
 * of. */
static uint32_t look_after_matches(Contest *contest) {
    uint64_t now_ms = net_now_ms(contest->server->loop);
    uint32_t unknown = 0;
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++) {
        ContestPair *pairing = &contest->pairings[i];
        if (pairing->score != CONTEST_OPEN || pairing->stage == PAIRING_PLANNED)
            continue;
        const Table *table = lobby_find(contest->server, pairing->match);
        if (table != NULL && table->state == PROTO_STATE_OVER) {
            take_result(contest, i, table);
        } else if (table != NULL && pairing->stage != PAIRING_BEGUN) {
            pairing->stage = PAIRING_BEGUN;
            keep_busy(contest, i, false);
        } else if (table == NULL && pairing->stage != PAIRING_ASKED) {
            pairing->stage = PAIRING_UNKNOWN;
            if (now_ms >= pairing->next_ms)
                ask_archive(contest, i);
        }
        unknown += !pairing->elsewhere &&
                   (pairing->stage == PAIRING_UNKNOWN || pairing->stage == PAIRING_ASKED);
    }
    return unknown;
}

/* --- ContestPair
 * ---------------------------------------------------------------------------------- */

/* Writes pairs as the pairing room gave them. Byes count only where they bring points. True: it was
 * written. */
static bool write_pairs(Contest *contest, uint32_t round, const TournamentPair *pairs,
                        uint32_t count) {
    ContestPair *list = calloc(count + 1, sizeof *list);
    uint32_t kept = 0;
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        bool bye = pairs[i].players[1] == TOURNAMENT_NOBODY;
        if (bye && contest->config.format == PROTO_FORMAT_ROUND_ROBIN)
            continue;
        list[kept].players[0] = pairs[i].players[0];
        list[kept].players[1] = bye ? (uint16_t)CONTEST_NONE : pairs[i].players[1];
        list[kept++].match = bye ? 0 : new_number(contest->server);
    }
    uint32_t first = contest->pairings_count;
    bool written = list != NULL && contest_write_pairs(contest, round, list, kept);
    for (uint32_t i = first; written && i < contest->pairings_count; i++)
        if (contest->pairings[i].players[1] == CONTEST_NONE)
            contest_send_player(contest, contest->pairings[i].players[0]);
    free(list);
    return written;
}

/* Opens the tables of all pairings that have none. */
static void open_tables(Contest *contest) {
    for (uint32_t i = contest->first_open; i < contest->pairings_count; i++)
        if (contest->pairings[i].score == CONTEST_OPEN &&
            contest->pairings[i].stage == PAIRING_PLANNED)
            open_table(contest, i);
}

/* Is the player connected, not busy here and not playing elsewhere? */
static bool is_waiting(const Contestant *player, uint64_t now_ms) {
    uint64_t breath_ms = player->role == PROTO_ROLE_PERSON ? BREATH_MS : 0;
    return contest_is_in(player) && player->session != NULL &&
           player->playing == CONTEST_NO_PAIRING && !session_plays(player->session) &&
           now_ms >= player->free_ms + breath_ms;
}

/* Those who wait, who waits longest first. */
static uint32_t list_waiting(const Contest *contest, uint16_t *list) {
    uint64_t now_ms = net_now_ms(contest->server->loop);
    uint32_t count = 0;
    for (uint32_t i = 0; i < contest->players_count; i++) {
        if (!is_waiting(&contest->players[i], now_ms))
            continue;
        uint32_t at = count++;
        while (at > 0 && contest->players[list[at - 1]].free_ms > contest->players[i].free_ms) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = (uint16_t)i;
    }
    return count;
}

/* Pairs those who wait in an arena. */
static void pair_arena(Contest *contest) {
    uint64_t now_ms = net_now_ms(contest->server->loop);
    uint32_t connected, in = count_players(contest, &connected);
    if (in > WAVE_PLAYERS && now_ms < contest->rests_ms)
        return;
    uint16_t *list = calloc(contest->players_count + 1, sizeof *list);
    uint32_t count = list == NULL ? 0 : list_waiting(contest, list);
    Tournament tournament;
    if (count < 2 || !make_tournament(contest, &tournament)) {
        free(list);
        return;
    }
    bool rematch =
        connected <= FEW_PLAYERS || now_ms >= contest->players[list[0]].free_ms + REMATCH_MS;
    ArenaWaiting waiting = {list, count, rematch};
    TournamentRecord *records = calloc(contest->players_count, sizeof *records);
    TournamentPair *pairs = calloc(count, sizeof *pairs);
    void *memory = malloc(arena_bytes(count));
    if (records != NULL && pairs != NULL && memory != NULL) {
        records_make(&tournament, TOURNAMENT_ARENA, records);
        uint32_t made = arena_pair(&tournament, records, &waiting, memory, pairs);
        if (made > 0)
            write_pairs(contest, 0, pairs, made);
        contest->rests_ms = now_ms + WAVE_MS;
    }
    free(memory);
    free(pairs);
    free(records);
    free((void *)tournament.players);
    free(list);
}

/* The pairs of the next round. */
static uint32_t make_round(const Contest *contest, const Tournament *tournament,
                           TournamentPair *pairs) {
    size_t bytes = contest->config.format == PROTO_FORMAT_SWISS
                       ? swiss_bytes(contest->players_count)
                       : knockout_bytes(contest->players_count);
    void *memory = malloc(bytes + 1);
    uint32_t count = 0;
    if (memory == NULL)
        return 0;
    if (contest->config.format == PROTO_FORMAT_SWISS)
        count =
            swiss_pair(tournament, contest->round, contest->config.seed.words[0], memory, pairs);
    else if (contest->config.format == PROTO_FORMAT_KNOCK_OUT)
        count = knockout_pair(tournament, contest->round, memory, pairs);
    else
        count = round_robin_pair(tournament, contest->round, pairs);
    free(memory);
    return count;
}

/* Ends the contest. */
static void end(Contest *contest) {
    if (!contest_write_change(contest, CONTEST_END, 0, 0))
        return;
    for (uint32_t i = 0; i < contest->players_count; i++)
        contest_send_player(contest, i);
    server_log(contest->server, LOG_INFO, "tournament %s is over: %u players, %u results",
               contest->code, contest->players_count, contest->results_count);
}

/* Pairs the next round; without anybody to play, the contest is over. */
static void pair_round(Contest *contest) {
    Tournament tournament;
    TournamentPair *pairs = calloc(contest->players_count + 1, sizeof *pairs);
    if (pairs == NULL || !make_tournament(contest, &tournament)) {
        free(pairs);
        return;
    }
    uint32_t count = make_round(contest, &tournament, pairs), matches = 0;
    for (uint32_t i = 0; i < count; i++)
        matches += pairs[i].players[1] != TOURNAMENT_NOBODY;
    if (matches > 0 || (contest->config.format == PROTO_FORMAT_ROUND_ROBIN &&
                        contest->round + 1 < contest_rounds(contest)))
        write_pairs(contest, contest->round, pairs, count);
    else
        end(contest);
    free((void *)tournament.players);
    free(pairs);
}

/* All pairs of a round robin without rounds. */
static void pair_all(Contest *contest) {
    uint32_t times = contest->config.rounds > 0 ? contest->config.rounds : 1;
    uint32_t rounds = times * round_robin_rounds(contest->players_count), count = 0;
    uint32_t of_round = contest->players_count + 1;
    TournamentPair *pairs = calloc((size_t)rounds * of_round + 1, sizeof *pairs);
    Tournament tournament;
    if (pairs == NULL || !make_tournament(contest, &tournament)) {
        free(pairs);
        return;
    }
    for (uint32_t i = 0; i < rounds; i++)
        count += round_robin_pair(&tournament, i, pairs + count);
    write_pairs(contest, 0, pairs, count);
    free((void *)tournament.players);
    free(pairs);
}

/* The last pairing of two players in this round: does another match follow it? */
static bool needs_another(const Contest *contest, const Tournament *tournament, uint32_t index) {
    const ContestPair *last = &contest->pairings[index];
    uint32_t matches = 1, wanted = contest->config.two_legs ? 2 : 1;
    if (last->players[1] == CONTEST_NONE || !contest_is_in(&contest->players[last->players[0]]) ||
        !contest_is_in(&contest->players[last->players[1]]))
        return false;
    for (uint32_t i = contest->pairings_count;
         i-- > 0 && contest->pairings[i].round == last->round;) {
        const ContestPair *other = &contest->pairings[i];
        bool same =
            (other->players[0] == last->players[0] && other->players[1] == last->players[1]) ||
            (other->players[0] == last->players[1] && other->players[1] == last->players[0]);
        if (same && i > index)
            return false;
        matches += same && i < index;
    }
    return matches < wanted ||
           (contest->config.format == PROTO_FORMAT_KNOCK_OUT && matches < wanted + REPLAYS_MAX &&
            knockout_winner(tournament, last->round, last->players[0], last->players[1]) ==
                TOURNAMENT_NOBODY);
}

/* Second legs, and matches of a knock-out that were drawn: again with the seats swapped. True:
 * there are some. */
static bool pair_again(Contest *contest) {
    Tournament tournament;
    uint32_t count = 0;
    TournamentPair *pairs = calloc(contest->players_count + 1, sizeof *pairs);
    if (pairs == NULL || !make_tournament(contest, &tournament)) {
        free(pairs);
        return true;
    }
    for (uint32_t i = contest->pairings_count;
         i-- > 0 && contest->pairings[i].round + 1 == contest->round;)
        if (needs_another(contest, &tournament, i))
            pairs[count++] = (TournamentPair){
                {contest->pairings[i].players[1], contest->pairings[i].players[0]}};
    if (count > 0)
        write_pairs(contest, contest->round - 1, pairs, count);
    free((void *)tournament.players);
    free(pairs);
    return count > 0;
}

/* --- What is due ------------------------------------------------------------------------------ */

bool contest_start(Contest *contest) {
    uint32_t connected, in = count_players(contest, &connected);
    bool arena = contest->config.format == PROTO_FORMAT_ARENA;
    if (!arena && (contest->config.without_rounds ? in : connected) < 2)
        return false;
    for (uint32_t i = 0; i < contest->players_count && !arena; i++)
        if (!contest->config.without_rounds && contest->players[i].session == NULL &&
            contest_is_in(&contest->players[i]))
            contest_write_change(contest, CONTEST_AWAY, i, 1);
    return contest_write_change(contest, CONTEST_START, 0, 0);
}

/* Are all players back after a restart, or has it been waited long enough? */
static bool gate_is_open(const Contest *contest) {
    uint32_t connected, in = count_players(contest, &connected);
    return connected == in || net_now_ms(contest->server->loop) >= contest->gate_ms;
}

/* A round robin without rounds: opens tables for those who are there. */
static void run_without_rounds(Contest *contest, bool time_over, uint32_t unknown) {
    uint64_t now_ms = net_now_ms(contest->server->loop);
    uint32_t ended = 0;
    if (contest->pairings_count == 0) {
        pair_all(contest);
        return;
    }
    for (uint32_t i = contest->first_open; i < contest->pairings_count && unknown == 0; i++) {
        const ContestPair *pairing = &contest->pairings[i];
        if (pairing->score != CONTEST_OPEN || pairing->stage != PAIRING_PLANNED)
            continue;
        if (time_over && ended++ < UNPLAYED_AT_ONCE)
            write_score(contest, i, PROTO_SCORE_NONE | CONTEST_SCORE_FORFEIT);
        else if (!time_over && contest->phase == PROTO_PHASE_RUNNING &&
                 is_waiting(&contest->players[pairing->players[0]], now_ms) &&
                 is_waiting(&contest->players[pairing->players[1]], now_ms))
            open_table(contest, i);
    }
    if (contest->open == 0)
        end(contest);
}

/* Rounds: the next one begins when the last one is over and everybody has had a rest. */
static void run_rounds(Contest *contest) {
    uint64_t now_ms = net_now_ms(contest->server->loop);
    if (contest->open > 0) {
        open_tables(contest);
        return;
    }
    if (contest->round > 0 && !contest->stopped && pair_again(contest)) {
        open_tables(contest);
        return;
    }
    if (contest->stopped || contest->round >= contest_rounds(contest)) {
        end(contest);
        return;
    }
    if (contest->rests_ms == 0) {
        contest->rests_ms = now_ms + (contest->round == 0 ? 0 : contest->config.rest_ms) + 1;
        contest->changed = true;
    }
    if (contest->phase != PROTO_PHASE_RUNNING || now_ms < contest->rests_ms ||
        !may_begin(contest) || !gate_is_open(contest))
        return;
    pair_round(contest);
    open_tables(contest);
}

/* An arena: whoever waits is paired until the time is over. */
static void run_arena(Contest *contest, bool time_over) {
    if (time_over && contest->open == 0)
        end(contest);
    else if (!time_over && contest->phase == PROTO_PHASE_RUNNING && may_begin(contest))
        pair_arena(contest);
    open_tables(contest);
}

/* Does what is due. */
static void run(Contest *contest) {
    uint64_t date_ms = net_wall_clock_ms(contest->server->loop);
    uint64_t ends_ms = contest_ends_ms(contest);
    uint64_t days = (date_ms - contest->created_ms) / KEEP_MS;
    bool waits = contest->phase == PROTO_PHASE_WAITING;
    if (contest->phase != PROTO_PHASE_OVER && !contest->stopped && date_ms > contest->created_ms &&
        days >= (uint64_t)(waits ? WAITS_DAYS : LASTS_DAYS))
        contest_write_change(contest, CONTEST_STOP, 0, 0);
    bool time_over = contest->stopped || (ends_ms != 0 && date_ms >= ends_ms);
    if (waits) {
        bool due = contest->config.starts_ms != 0 && date_ms >= contest->config.starts_ms;
        if (contest->stopped || (due && gate_is_open(contest) && !contest_start(contest)))
            end(contest);
        return;
    }
    if (contest->phase == PROTO_PHASE_OVER) {
        erased_note_contest(contest);
        if (!contest->archived && date_ms >= contest->ended_ms + KEEP_MS)
            contest_archive(contest);
        return;
    }
    uint32_t unknown = look_after_matches(contest);
    if (contest->config.without_rounds)
        run_without_rounds(contest, time_over, unknown);
    else if (contest->config.format == PROTO_FORMAT_ARENA)
        run_arena(contest, time_over);
    else
        run_rounds(contest);
}

/* The timer. */
static void tick(void *owner) {
    Contest *contest = owner;
    const Server *server = contest->server;
    contest->timer_ms = 0;
    if (server->draining || server->failed)
        return;
    run(contest);
    if (contest->archived) {
        contest_close(contest);
        return;
    }
    uint64_t now_ms = net_now_ms(server->loop);
    bool news = contest->changed && now_ms >= contest->news_ms;
    contests_share(contest->server, news);
    if (news) {
        contest->changed = false;
        contest->news_ms = now_ms + NEWS_MS + (uint64_t)contest->watchers_count * NEWS_OF_ONE_MS;
        contest_send_state(contest, NULL);
    }
    if (contest->changed)
        wake(contest, contest->news_ms - now_ms);
    bool over = contest->phase == PROTO_PHASE_OVER;
    bool awaited =
        contest->watchers != NULL || (contest->open > 0 && !contest->config.without_rounds);
    wake(contest, !over && awaited ? TICK_MS : MINUTE_MS);
}

/* --- Standings -------------------------------------------------------------------------------- */

/* What the rows of a knock-out are ordered by: the round in which the player was last paired; who
 * won the last one was first. */
static int64_t knockout_rank(const Contest *contest, const Tournament *tournament,
                             uint16_t player) {
    for (uint32_t i = contest->pairings_count; i-- > 0;) {
        const ContestPair *pairing = &contest->pairings[i];
        if (pairing->players[0] != player && pairing->players[1] != player)
            continue;
        bool won = pairing->players[1] == CONTEST_NONE ||
                   knockout_winner(tournament, pairing->round, pairing->players[0],
                                   pairing->players[1]) == player;
        return (int64_t)pairing->round * 2 + won;
    }
    return -1;
}

/* A row and what it is ordered by before its place. */
typedef struct OrderedRow {
    int64_t key;
    TournamentRow row;
} OrderedRow;

/* The higher key first, then the place. */
static int compare_rows(const void *a, const void *b) {
    const OrderedRow *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? 1 : -1;
    if (one->row.place != other->row.place)
        return one->row.place < other->row.place ? -1 : 1;
    return one->row.player < other->row.player ? -1 : 1;
}

/* Orders the rows anew by what the results alone do not say: extra points, and who is out. */
static bool order_rows(const Contest *contest, const Tournament *tournament, TournamentRow *rows) {
    uint32_t count = contest->players_count;
    OrderedRow *list = calloc(count + 1, sizeof *list);
    if (list == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        list[i].row = rows[i];
        list[i].key = contest->config.format == PROTO_FORMAT_KNOCK_OUT
                          ? knockout_rank(contest, tournament, rows[i].player)
                          : (int64_t)rows[i].points + contest->players[rows[i].player].extra;
    }
    qsort(list, count, sizeof *list, compare_rows);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = list[i].row;
        bool same =
            i > 0 && list[i].key == list[i - 1].key && list[i].row.place == list[i - 1].row.place;
        rows[i].place = same ? rows[i - 1].place : (uint16_t)(i + 1);
    }
    free(list);
    return true;
}

TournamentRecord *contest_records(const Contest *contest) {
    Tournament tournament;
    if (contest->config.format != PROTO_FORMAT_ARENA || !make_tournament(contest, &tournament))
        return NULL;
    TournamentRecord *records = calloc(contest->players_count + 1, sizeof *records);
    if (records != NULL)
        records_make(&tournament, TOURNAMENT_ARENA, records);
    free((void *)tournament.players);
    return records;
}

TournamentRow *contest_standings(const Contest *contest) {
    static const TieBreak breaks[] = {TIE_BREAK_BUCHHOLZ, TIE_BREAK_SONNEBORN_BERGER,
                                      TIE_BREAK_WINS, TIE_BREAK_DIRECT, TIE_BREAK_NONE};
    static const TieBreak of_round_robin[] = {TIE_BREAK_SONNEBORN_BERGER, TIE_BREAK_DIRECT,
                                              TIE_BREAK_WINS, TIE_BREAK_NONE};
    static const TieBreak of_arena[] = {TIE_BREAK_WINS, TIE_BREAK_NONE};
    uint8_t format = contest->config.format;
    bool arena = format == PROTO_FORMAT_ARENA;
    Tournament tournament;
    TournamentRow *rows = calloc(contest->players_count + 1, sizeof *rows);
    void *memory = malloc(standings_bytes(contest->players_count) + 1);
    bool made = rows != NULL && memory != NULL && make_tournament(contest, &tournament);
    if (made) {
        standings_make(&tournament, arena ? TOURNAMENT_ARENA : TOURNAMENT_PLAIN,
                       arena                                ? of_arena
                       : format == PROTO_FORMAT_ROUND_ROBIN ? of_round_robin
                                                            : breaks,
                       memory, rows);
        made = order_rows(contest, &tournament, rows);
        free((void *)tournament.players);
    }
    free(memory);
    if (made)
        return rows;
    free(rows);
    return NULL;
}
