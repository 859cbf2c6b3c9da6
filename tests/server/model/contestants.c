/* contestants.c -- see cluster.h: the players of one tournament at a cluster. They join it, take
 * the seats that they are told, resign after a while, come back when the connection is lost, and go
 * where `moved` sends them; so they are at the node of their table while they play, and otherwise
 * at that of the tournament. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/cluster.h"
#include "tests/server/sim/contest_oracle.h"

enum { CONTESTANTS_MAX = 9, ANSWER_MS = 12000, TOLD_MAX = 1 << 16, STAY = 60 };

/* A player. */
typedef struct Entrant {
    NetConnection *connection; /* NULL: disconnected */
    int node;                  /* where it goes next; 0 = anywhere */
    bool open, greeted, waits, follows, asks_seat;
    uint64_t asked_ms, next_ms;
    char token[PROTO_TOKEN_DIGITS + 1], seat_token[PROTO_TOKEN_DIGITS + 1];
    char code[PROTO_CODE_MAX + 1];
    bool at_table, running;
    uint8_t seat;
} Entrant;

/* A message about the tournament that was sent. */
typedef struct ToldMessage {
    char *bytes;
    uint32_t count;
} ToldMessage;

Contests contests;
static Entrant entrants[CONTESTANTS_MAX];
static uint32_t entrants_count, told_count, pairs, players, moves;
static ToldMessage told[TOLD_MAX];
static char contest[PROTO_CODE_MAX + 1]; /* its code; empty: there is none yet */
static bool over, started;

/* --- Requests --------------------------------------------------------------------------------- */

static void say(Entrant *entrant, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Entrant *entrant, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    int count = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    entrant->waits = true;
    entrant->asked_ms = cluster.now_ms;
    cluster.counts.requests++;
    net_send_text(entrant->connection, text, (uint32_t)count);
}

/* The organiser creates the tournament. */
static void create(Entrant *entrant) {
    static const char *const kinds[] = {"arena", "swiss", "round-robin", "knock-out"};
    const char *more = contests.format == PROTO_FORMAT_ARENA   ? ",\"minutes\":1"
                       : contests.format == PROTO_FORMAT_SWISS ? ",\"rounds\":3"
                       : contests.free_order                   ? ",\"free\":true,\"minutes\":5"
                                                               : "";
    say(entrant,
        "{\"type\":\"tournament-create\",\"title\":\"Sim\",\"game\":\"zorde\",\"preset\":\"duel\","
        "\"kind\":\"%s\",\"rest_ms\":500,\"grace_ms\":20000,\"pair\":%s%s}",
        kinds[contests.format], contests.two_legs ? "true" : "false", more);
}

/* Comes to the tournament, as who it was. */
static void enter(Entrant *entrant) {
    if (entrant->token[0] != '\0')
        say(entrant, "{\"type\":\"tournament-watch\",\"code\":\"%s\",\"token\":\"%s\"}", contest,
            entrant->token);
    else if (contest[0] != '\0')
        say(entrant, "{\"type\":\"tournament-join\",\"code\":\"%s\"}", contest);
    else if (entrant == entrants)
        create(entrant);
}

/* --- Messages from the server ----------------------------------------------------------------- */

static void leave_table(Entrant *entrant) { entrant->at_table = entrant->running = false; }

/* Who it is in the tournament, and perhaps a seat. */
static void on_you(Entrant *entrant, const Message *message) {
    const SERVER_TOURNAMENT_YOU_FIELDS *you = &message->tournament_you;
    entrant->follows = true;
    if (contest[0] == '\0')
        memcpy(contest, you->code, sizeof contest);
    memcpy(entrant->token, you->token, sizeof entrant->token);
    entrant->seat_token[0] = '\0';
    if (message_has(message, "seat_token") && !contests.shy)
        memcpy(entrant->seat_token, you->seat_token, sizeof entrant->seat_token);
    if (!message_has(message, "player") || (message_has(message, "away") && you->away && !over))
        say(entrant, "{\"type\":\"tournament-join\",\"code\":\"%s\"}", contest);
}

static void on_moved(Entrant *entrant, const Message *message) {
    if (!message_has(message, "node")) {
        entrant->next_ms = cluster.now_ms + 200 + simulation_draw(400);
        return;
    }
    moves += entrant->asks_seat;
    entrant->node = message->moved.node;
    net_close(entrant->connection, NET_CLOSE_NORMAL, "moved");
}

static void on_refusal(Entrant *entrant, const Message *message) {
    const char *code = message->refused.code;
    if (strcmp(code, "no-such-token") == 0 || strcmp(code, "match-over") == 0) {
        if (entrant->asks_seat)
            history_gone(entrant->code, strcmp(code, "match-over") == 0);
        entrant->seat_token[0] = '\0';
        entrant->follows = false;
    }
    entrant->next_ms = cluster.now_ms + 50 + simulation_draw(300);
}

static void hear(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    Entrant *entrant = owner;
    (void)connection;
    const Message *message = simulation_read(bytes, count);
    entrant->waits = entrant->waits && message->kind == MESSAGE_SERVER_TOURNAMENT;
    switch (message->kind) {
    case MESSAGE_SERVER_WELCOME:
        entrant->greeted = true;
        break;
    case MESSAGE_SERVER_TOURNAMENT_YOU:
        on_you(entrant, message);
        break;
    case MESSAGE_SERVER_TOURNAMENT:
        pairs = (uint32_t)message->tournament.pairings;
        players = (uint32_t)message->tournament.players;
        started |= message->tournament.state != PROTO_PHASE_WAITING;
        over |= message->tournament.state == PROTO_PHASE_OVER;
        break;
    case MESSAGE_SERVER_TABLE:
        entrant->at_table = true;
        entrant->seat = message->table.you;
        memcpy(entrant->code, message->table.code, sizeof entrant->code);
        break;
    case MESSAGE_SERVER_POSITION:
        entrant->running = !message_has(message, "result");
        break;
    case MESSAGE_SERVER_MOVED:
        on_moved(entrant, message);
        break;
    case MESSAGE_SERVER_REFUSED:
        on_refusal(entrant, message);
        break;
    case MESSAGE_SERVER_TAKEN:
    case MESSAGE_SERVER_CLOSED:
        leave_table(entrant);
        break;
    default:
        break;
    }
}

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)connection;
    (void)request;
    ((Entrant *)owner)->open = true;
    return NET_ACCEPT;
}

static void gone(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Entrant *entrant = owner;
    (void)connection;
    (void)code;
    (void)reason;
    entrant->connection = NULL;
    entrant->open = entrant->greeted = entrant->waits = entrant->follows = false;
    entrant->next_ms = cluster.now_ms + 20 + simulation_draw(200);
    leave_table(entrant);
}

/* --- Every step ------------------------------------------------------------------------------- */

static void come(Entrant *entrant) {
    static const NetCallbacks calls = {let_in, hear, NULL, gone, NULL};
    char address[32];
    int node = entrant->node;
    if (node == 0)
        node = 1 + (int)simulation_draw((uint32_t)cluster.world.nodes);
    entrant->node = 0;
    NetLoop *loop = cluster.nodes[node].loop;
    snprintf(address, sizeof address, "10.0.1.%u", 1 + (uint32_t)(entrant - entrants));
    fake_address(loop, address);
    entrant->connection = net_connect(loop, "ws://server:1218/arena", &calls, entrant, NULL, NULL);
    entrant->asked_ms = cluster.now_ms;
    fake_address(loop, NULL);
}

/* At a table: resigns after a while, leaves when it is over. */
static void play(Entrant *entrant) {
    if (!entrant->running) {
        say(entrant, "{\"type\":\"leave\"}");
        entrant->seat_token[0] = '\0';
        leave_table(entrant);
    } else if (simulation_draw(STAY) == 0) {
        history_asked(entrant->code, entrant->seat, 0,
                      (MashAction){.verb = MASH_VERB_RESIGN, .seat = entrant->seat});
        say(entrant, "{\"type\":\"resign\"}");
    }
}

/* Makes the next request. */
static void live(Entrant *entrant) {
    if (entrant->connection == NULL) {
        come(entrant);
        return;
    }
    if (entrant->waits || !entrant->open) {
        if (cluster.now_ms - entrant->asked_ms > ANSWER_MS) { /* tries elsewhere */
            entrant->waits = false;
            entrant->asked_ms = cluster.now_ms;
            fake_cut(entrant->connection);
        }
        return;
    }
    entrant->asks_seat = false;
    if (!entrant->greeted) {
        say(entrant, "{\"type\":\"hello\",\"name\":\"Bot %u\",\"role\":\"ai\",\"view\":\"bytes\"}",
            (uint32_t)(entrant - entrants));
    } else if (entrant->at_table) {
        play(entrant);
    } else if (entrant->seat_token[0] != '\0') {
        entrant->asks_seat = true;
        say(entrant, "{\"type\":\"return\",\"token\":\"%s\"}", entrant->seat_token);
    } else if (!entrant->follows) {
        enter(entrant);
    } else if (entrant == entrants && !started && players >= entrants_count) {
        say(entrant, "{\"type\":\"tournament-manage\",\"code\":\"%s\",\"what\":\"start\"}",
            contest);
    }
}

void contestants_run(void) {
    for (uint32_t i = 0; i < entrants_count; i++) {
        Entrant *entrant = &entrants[i];
        if (cluster.now_ms < entrant->next_ms)
            continue;
        entrant->next_ms = cluster.now_ms + 10 + simulation_draw(60);
        live(entrant);
    }
}

void contestants_open(uint32_t count) {
    assert(count <= CONTESTANTS_MAX);
    memset(entrants, 0, sizeof entrants);
    entrants_count = count;
    pairs = players = moves = 0;
    over = started = false;
    contest[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        entrants[i].next_ms = cluster.now_ms + simulation_draw(500);
}

void contestants_close(void) {
    for (uint32_t i = 0; i < entrants_count; i++)
        if (entrants[i].connection != NULL)
            fake_cut(entrants[i].connection);
    entrants_count = 0;
    for (uint32_t i = 0; i < told_count; i++)
        free(told[i].bytes);
    told_count = 0;
}

/* --- What was told and what is kept ------------------------------------------------------------
 */

bool contestants_over(void) { return over; }

uint32_t contestants_pairs(void) { return pairs; }

uint32_t contestants_moved(void) { return moves; }

void contestants_told(const char *bytes, uint32_t count) {
    static const char start[] = "{\"type\":\"tournament";
    if (count < sizeof start || memcmp(bytes, start, sizeof start - 1) != 0)
        return;
    char *copy = malloc(count + 1);
    assert(copy != NULL && told_count < TOLD_MAX);
    memcpy(copy, bytes, count);
    copy[count] = '\0';
    told[told_count++] = (ToldMessage){copy, count};
}

/* The tournament's row in the table of matches, the last of all; NULL = there is none. */
static const Row *row_of_contest(const Machine *machine) {
    uint64_t number = 0;
    const Row *row = NULL;
    if (contest[0] == '\0' || !table_code_decode(contest, &number))
        return NULL;
    for (uint32_t i = 0; i < machine->log_count; i++)
        for (uint32_t k = 0; k < machine->log[i]->count; k++) {
            const Change *change = &machine->log[i]->changes[k];
            if (change->row != NULL && !change->removed && change->row->table == MATCHES &&
                (uint64_t)change->row->value[MATCH_ID] == number)
                row = change->row;
        }
    return row;
}

int contestants_node(int machine) {
    const Row *row = row_of_contest(&model.machines[machine]);
    return row == NULL ? 0 : (int)row->value[MATCH_NODE];
}

/* A record of the tournament, or a match in the archive, as the log has it. */
static void take_change(const Change *change, int64_t n) {
    const Row *row = change->row;
    if (row == NULL || change->removed)
        return;
    if (row->table == ARCHIVE)
        contest_oracle_finish(
            &(StoreEntry){.match = (uint64_t)row->key[0], .winner = (int32_t)row->value[WINNER]});
    if (row->table == JOURNAL && row->key[0] == n)
        contest_oracle_record(&(StoreRecord){.sequence = (uint32_t)row->key[1],
                                             .count = (uint32_t)row->text[0].count,
                                             .bytes = row->text[0].bytes,
                                             .kind = (uint16_t)row->value[KIND]});
}

uint32_t contestants_forfeits(int machine) {
    const Machine *own = &model.machines[machine];
    const Row *found = row_of_contest(own);
    uint32_t count = 0;
    for (uint32_t i = 0; i < own->log_count; i++)
        for (uint32_t k = 0; k < own->log[i]->count; k++) {
            const Row *row = own->log[i]->changes[k].row;
            if (row == NULL || own->log[i]->changes[k].removed || row->table != JOURNAL ||
                row->key[0] != found->key[0] || row->value[KIND] != RECORD_CONTEST_CHANGE)
                continue;
            const uint8_t *bytes = (const uint8_t *)row->text[0].bytes;
            count += bytes[0] == CONTEST_SCORE && (bytes[8] & CONTEST_SCORE_FORFEIT) != 0;
        }
    return count;
}

static void fails(const char *what, uint64_t number) {
    cluster_fail("tournament %s: %s (%llu)", contest, what, (unsigned long long)number);
}

void contestants_check(int machine) {
    const Machine *own = &model.machines[machine];
    const Row *found = row_of_contest(own);
    if (found == NULL)
        cluster_fail("the tournament is lost");
    contest_oracle_reset(fails);
    contest_oracle.rounds = !contests.free_order;
    for (uint32_t i = 0; i < own->log_count; i++)
        for (uint32_t k = 0; k < own->log[i]->count; k++)
            take_change(&own->log[i]->changes[k], found->key[0]);
    for (uint32_t i = 0; i < told_count; i++)
        if (strstr(told[i].bytes, contest) != NULL) /* another may have been created unheard */
            contest_oracle_told(told[i].bytes, told[i].count);
    contest_oracle_end();
}
