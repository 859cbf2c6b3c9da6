/* bots.c -- the players of tests/cluster: bots at many tables that write down what they asked for
 * and what they were told, each into a file of its own.
 *
 *   cluster_bots URL TABLES SEED FOLDER PACE_MS
 *
 * Two tables of three are opened by a bot and joined by its partner, the third is found by `seek`;
 * one table of eight has a spectator. Lines are JSON with the keys always in one order
 * (tests/cluster/check.c reads them), and times are those of CLOCK_MONOTONIC in ns, the same for
 * all processes of a machine:
 *
 *   request     an action was sent: match, seat, position that it answers, id, eight bytes
 *   told     a position came: match, seat (2: a spectator), number, hash of the view, the request
 * that it answers or -1, what is left of the own clock or -1, 1 if the match is over, result
 *   refused  a request with its id, or -1; the code
 *   seek, open, join, watch  a table was asked for
 *   table    it came: match, seat, phase
 *   left     the table was left or is gone
 *   lost, back  the connection
 *
 * SIGTERM ends it: one of each two resigns, and the program ends when nobody is at a table. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "client/client.h"
#include "tests/support/support.h"

enum {
    TICK_MS = 500,
    PATIENCE_MS = 300000, /* how long a bot tries to come back */
    ANSWER_MS = 8000,     /* a table that was asked for and did not come is asked for again */
    END_MS = 90000,       /* after SIGTERM, everybody is gone by then */
    BANK_MS = 3000000,    /* each player's own time: shorter than a turn's, so it is what is told */
    TURN_MS = 3600000,
    GRACE_MS = 600000,
    RESIGNS_ONE_IN = 400,   /* actions */
    WATCHED_ONE_IN = 8,     /* tables */
    SPECTATOR = MASH_SEATS, /* as a seat in the history */
    LIST_MAX = 1 << 16
};

typedef struct Fleet Fleet;

/* One client. */
typedef struct ClusterBot {
    Fleet *fleet;
    Client *client;
    NetTimer *timer;
    FILE *history;
    struct ClusterBot *partner; /* NULL: it seeks, or it watches */
    struct ClusterBot *watched; /* NULL: it plays */
    bool host, ended;
    uint64_t asked_ms; /* when it asked for a table; 0: it did not */
    const char *game;
    MashChance chance;
    char code[PROTO_CODE_MAX + 1];
    uint32_t answered; /* the position that its last request was for; 0: none is under way */
    int32_t requests;
} ClusterBot;

/* All of them. */
struct Fleet {
    NetLoop *loop;
    ClientShared *shared;
    NetTimer *timer;
    ClusterBot *bots;
    uint32_t count;
    uint64_t pace_ms, ending_ms; /* 0: not asked to end */
    MashAction *list;
    uint64_t told, sent, refused, losses, ends;
};

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t now_ms(void) { return now_ns() / 1000000; }

/* --- The history ------------------------------------------------------------------------------ */

static void note(const ClusterBot *bot, const char *event) {
    fprintf(bot->history, "{\"t\":%" PRIu64 ",\"e\":\"%s\",\"m\":\"%s\"}\n", now_ns(), event,
            bot->code);
}

static int seat_of(const ClientTable *table) {
    return table->you < MASH_SEATS ? table->you : SPECTATOR;
}

static void note_table(const ClusterBot *bot, const ClientTable *table) {
    fprintf(bot->history, "{\"t\":%" PRIu64 ",\"e\":\"table\",\"m\":\"%s\",\"s\":%d,\"p\":%d}\n",
            now_ns(), table->code, seat_of(table), table->state);
}

static void note_wish(const ClusterBot *bot, uint32_t number, MashAction action) {
    const ClientTable *table = client_table(bot->client);
    char digits[17];
    MashText text = text_over(digits, sizeof digits);
    action.seat = table->you;
    action_to_hex(action, &text);
    fprintf(bot->history,
            "{\"t\":%" PRIu64 ",\"e\":\"request\",\"m\":\"%s\",\"s\":%d,\"k\":%" PRIu32
            ",\"w\":%" PRId32 ",\"a\":\"%s\"}\n",
            now_ns(), table->code, seat_of(table), number, bot->requests, digits);
}

static void note_told(const ClusterBot *bot, const Message *message, MashResult result) {
    const ClientTable *table = client_table(bot->client);
    bool awaited = table->you < MASH_SEATS && (table->awaited & 1u << table->you) != 0;
    uint64_t hash = hash_bytes(0, table->view, table->content->limits.state_bytes);
    fprintf(bot->history,
            "{\"t\":%" PRIu64 ",\"e\":\"told\",\"m\":\"%s\",\"s\":%d,\"k\":%" PRIu32
            ",\"h\":\"%016" PRIx64 "\",\"w\":%" PRId32 ",\"c\":%" PRId32 ",\"o\":%d,\"r\":%d}\n",
            now_ns(), table->code, seat_of(table), table->number, hash,
            message_has(message, "id") ? message->position.id : -1,
            awaited ? table->clocks.turn[table->you] : -1, result.over,
            result.over ? result.winner << 8 | result.reason : 0);
}

/* --- Asking for tables ------------------------------------------------------------------------ */

/* A request for a table of its game. */
static Message table_request(const ClusterBot *bot, MessageKind kind) {
    Message message = message_new(kind);
    char *game = kind == MESSAGE_CLIENT_SEEK ? message.seek.game : message.open.game;
    snprintf(game, PROTO_ID_MAX, "%s", bot->game);
    if (kind == MESSAGE_CLIENT_SEEK) {
        message.seek.turn_ms = TURN_MS;
        message.seek.bank_ms = BANK_MS;
        message.seek.grace_ms = GRACE_MS;
    } else {
        message.open.turn_ms = TURN_MS;
        message.open.bank_ms = BANK_MS;
        message.open.grace_ms = GRACE_MS;
    }
    message_set_present(&message, "turn_ms");
    message_set_present(&message, "bank_ms");
    message_set_present(&message, "grace_ms");
    return message;
}

/* Sends a request for a table. */
static void ask(ClusterBot *bot, const Message *message, const char *event) {
    note(bot, event);
    bot->asked_ms = client_send(bot->client, message) ? now_ms() : 0;
}

static bool is_free(const ClusterBot *bot) {
    return client_state(bot->client) == CLIENT_CONNECTED &&
           client_table(bot->client)->code[0] == '\0' &&
           (bot->asked_ms == 0 || now_ms() - bot->asked_ms > ANSWER_MS);
}

/* The code of a table, if one can be joined or watched there; NULL = none. */
static const char *code_in(const ClusterBot *bot, uint8_t state) {
    const ClientTable *table = client_table(bot->client);
    return table->code[0] != '\0' && table->state == state ? table->code : NULL;
}

/* Asks for the next table, if one is to be had now. */
static void seek_table(ClusterBot *bot) {
    const ClusterBot *other = bot->watched != NULL ? bot->watched : bot->host ? NULL : bot->partner;
    Message message;
    const char *code;
    if (!is_free(bot) || bot->fleet->ending_ms != 0)
        return;
    if (bot->watched == NULL && bot->partner == NULL) {
        message = table_request(bot, MESSAGE_CLIENT_SEEK);
        ask(bot, &message, "seek");
    } else if (other == NULL) {
        message = table_request(bot, MESSAGE_CLIENT_OPEN);
        if (is_free(bot->partner))
            ask(bot, &message, "open");
    } else if (bot->watched == NULL && (code = code_in(other, PROTO_STATE_WAITING)) != NULL) {
        message = message_new(MESSAGE_CLIENT_JOIN);
        snprintf(message.join.code, sizeof message.join.code, "%s", code);
        ask(bot, &message, "join");
    } else if (bot->watched != NULL && (code = code_in(other, PROTO_STATE_RUNNING)) != NULL) {
        message = message_new(MESSAGE_CLIENT_WATCH);
        snprintf(message.watch.code, sizeof message.watch.code, "%s", code);
        ask(bot, &message, "watch");
    }
}

/* --- Playing ---------------------------------------------------------------------------------- */

/* Resigns. */
static void resign(ClusterBot *bot) {
    Message message = message_new(MESSAGE_CLIENT_RESIGN);
    message.resign.id = ++bot->requests;
    message_set_present(&message, "id");
    note_wish(bot, 0, (MashAction){.verb = MASH_VERB_RESIGN});
    bot->fleet->sent++;
    client_send(bot->client, &message);
}

/* Sends any legal action, once for each position and connection. */
static void act(ClusterBot *bot) {
    const ClientTable *table = client_table(bot->client);
    Fleet *fleet = bot->fleet;
    if (bot->ended || table->code[0] == '\0' || table->view == NULL ||
        !client_awaited(bot->client) || bot->answered == table->number)
        return;
    uint32_t count = table->game->actions(table->content, table->view, table->you, fleet->list);
    if (count == 0)
        return;
    bot->answered = table->number;
    if (chance_below(&bot->chance, RESIGNS_ONE_IN) == 0) {
        resign(bot);
        return;
    }
    MashAction action = fleet->list[chance_below(&bot->chance, count)];
    Message message = message_new(MESSAGE_CLIENT_ACT);
    MashText digits = text_over(message.act.action, sizeof message.act.action);
    message.act.position = (int32_t)table->number;
    message.act.id = ++bot->requests;
    action_to_hex(action, &digits);
    message_set_present(&message, "action");
    message_set_present(&message, "id");
    note_wish(bot, table->number, action);
    fleet->sent++;
    client_send(bot->client, &message);
}

/* Acts after a moment. */
static void act_soon(ClusterBot *bot) {
    if (bot->watched == NULL && !bot->ended && client_awaited(bot->client))
        net_timer_start(bot->timer, bot->fleet->pace_ms);
}

static void on_timer(void *owner) { act(owner); }

/* A position came. */
static void take_position(ClusterBot *bot, const Message *message) {
    const ClientTable *table = client_table(bot->client);
    if (table->view == NULL)
        return;
    MashResult result = table->game->result(table->content, table->view);
    bot->fleet->told++;
    note_told(bot, message, result);
    if (result.over && !bot->ended) {
        bot->ended = true;
        bot->fleet->ends++;
        client_send_simple(bot->client, MESSAGE_CLIENT_LEAVE);
    }
    if (table->number > bot->answered)
        bot->answered = 0;
    act_soon(bot);
}

/* A table came, or the same again. */
static void take_table(ClusterBot *bot) {
    const ClientTable *table = client_table(bot->client);
    bot->asked_ms = 0;
    if (strcmp(bot->code, table->code) != 0) {
        bot->ended = false;
        bot->answered = 0;
    }
    memcpy(bot->code, table->code, sizeof bot->code);
    note_table(bot, table);
    if (bot->partner != NULL && bot->host)
        seek_table(bot->partner);
}

/* The table is not ours any more. */
static void take_leave(ClusterBot *bot) {
    note(bot, "left");
    bot->code[0] = '\0';
    bot->asked_ms = 0;
    bot->answered = 0;
    seek_table(bot);
}

static void take_refusal(ClusterBot *bot, const Message *message) {
    fprintf(bot->history,
            "{\"t\":%" PRIu64 ",\"e\":\"refused\",\"m\":\"%s\",\"w\":%" PRId32
            ",\"to\":\"%s\",\"code\":\"%s\"}\n",
            now_ns(), bot->code, message_has(message, "id") ? message->refused.id : -1,
            message->refused.to, message->refused.code);
    bot->fleet->refused++;
    bot->asked_ms = 0;
    bot->answered = 0;
    if (client_table(bot->client)->code[0] == '\0' && bot->code[0] != '\0')
        take_leave(bot);
}

static void on_message(void *owner, Client *client, const Message *message) {
    ClusterBot *bot = owner;
    bot->client = client;
    switch (message->kind) {
    case MESSAGE_SERVER_TABLE:
        take_table(bot);
        break;
    case MESSAGE_SERVER_POSITION:
        take_position(bot, message);
        break;
    case MESSAGE_SERVER_REFUSED:
        take_refusal(bot, message);
        break;
    case MESSAGE_SERVER_CONTINUED:
        act_soon(bot);
        break;
    default:
        if (client_table(client)->code[0] == '\0' && bot->code[0] != '\0')
            take_leave(bot);
        break;
    }
}

static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    ClusterBot *bot = owner;
    bot->client = client;
    if (state == CLIENT_CONNECTED) {
        note(bot, "back");
        bot->answered = 0;
        bot->asked_ms = 0;
        act_soon(bot);
    } else if (state == CLIENT_RECONNECTING) {
        note(bot, "lost");
        bot->asked_ms = 0;
        bot->fleet->losses++;
    } else if (state == CLIENT_CLOSED) {
        fprintf(stderr, "cluster_bots: a bot has given up: %s\n", why);
        exit(1);
    }
}

/* --- All of them ------------------------------------------------------------------------------ */

/* Moves a bot on that waits for nothing; true = it is at no table. */
static bool drive(ClusterBot *bot) {
    const ClientTable *table = client_table(bot->client);
    bool ending = bot->fleet->ending_ms != 0;
    if (client_state(bot->client) != CLIENT_CONNECTED)
        return false;
    if (table->code[0] == '\0') {
        seek_table(bot);
        return bot->asked_ms == 0;
    }
    if (table->state == PROTO_STATE_OVER || bot->ended ||
        (ending && (bot->watched != NULL || table->state == PROTO_STATE_WAITING)))
        client_send_simple(bot->client, MESSAGE_CLIENT_LEAVE);
    else if (ending && table->you == 0)
        resign(bot);
    return false;
}

static void on_tick(void *owner) {
    Fleet *fleet = owner;
    uint32_t busy = 0;
    for (uint32_t i = 0; i < fleet->count; i++)
        busy += !drive(&fleet->bots[i]);
    if (fleet->ending_ms != 0 && (busy == 0 || now_ms() - fleet->ending_ms > END_MS)) {
        if (busy > 0)
            printf("timeout: %" PRIu32 " bots are still at a table\n", busy);
        net_loop_stop(fleet->loop);
    }
    net_timer_start(fleet->timer, TICK_MS);
}

static void on_signal(void *owner) {
    Fleet *fleet = owner;
    if (fleet->ending_ms == 0)
        fleet->ending_ms = now_ms();
}

/* Opens a client; its number is that of its file. */
static void open_bot(Fleet *fleet, uint32_t number, const char *url, const char *folder,
                     uint64_t seed) {
    static const char *const games[] = {"zorde", "generals", "battleground", "tablut"};
    char path[512], name[32], memory[256];
    ClusterBot *bot = &fleet->bots[number];
    MashText problem = text_over(memory, sizeof memory);
    snprintf(path, sizeof path, "%s/%05" PRIu32 ".jsonl", folder, number);
    snprintf(name, sizeof name, "bot %" PRIu32, number);
    bot->fleet = fleet;
    bot->game = games[number / 2 / 3 % 4];
    bot->history = fopen(path, "w");
    bot->timer = net_timer_open(fleet->loop, on_timer, bot);
    bot->chance = chance_sampled(hash_number(seed, number));
    ClientSetup setup = {.url = url,
                         .name = name,
                         .role = bot->watched != NULL ? PROTO_ROLE_WATCHER : PROTO_ROLE_AI,
                         .reconnect_ms = PATIENCE_MS,
                         .retry_first = true,
                         .answer_silence = true,
                         .calls = {.on_state = on_state, .on_message = on_message},
                         .owner = bot};
    bot->client = client_open(fleet->shared, &setup, &problem);
    if (bot->history == NULL || bot->timer == NULL || bot->client == NULL) {
        fprintf(stderr, "cluster_bots: %s: %s\n", path, memory);
        exit(1);
    }
}

int main(int count, char **words) {
    static Fleet fleet;
    if (count != 6) {
        fprintf(stderr, "usage: cluster_bots URL TABLES SEED FOLDER PACE_MS\n");
        return 2;
    }
    uint32_t tables = (uint32_t)atoi(words[2]), players = 2 * tables;
    fleet.count = players + tables / WATCHED_ONE_IN;
    fleet.bots = calloc(fleet.count, sizeof *fleet.bots);
    fleet.list = calloc(LIST_MAX, sizeof *fleet.list);
    fleet.loop = net_loop_open();
    fleet.shared = client_shared_open(fleet.loop);
    fleet.timer = net_timer_open(fleet.loop, on_tick, &fleet);
    fleet.pace_ms = (uint64_t)atoi(words[5]);
    for (uint32_t i = 0; i < fleet.count; i++) {
        ClusterBot *bot = &fleet.bots[i];
        if (i >= players)
            bot->watched = &fleet.bots[(i - players) * 2 * WATCHED_ONE_IN];
        else if (i / 2 % 3 != 2)
            bot->partner = i % 2 == 0 ? bot + 1 : bot - 1;
        bot->host = i % 2 == 0;
        open_bot(&fleet, i, words[1], words[4], strtoull(words[3], NULL, 10));
    }
    net_on_signal(fleet.loop, SIGTERM, on_signal, &fleet);
    net_on_signal(fleet.loop, SIGINT, on_signal, &fleet);
    net_timer_start(fleet.timer, TICK_MS);
    net_loop_run(fleet.loop);
    bool fine = true;
    for (uint32_t i = 0; i < fleet.count; i++) {
        client_close(fleet.bots[i].client);
        fine = fclose(fleet.bots[i].history) == 0 && fine;
    }
    printf("%" PRIu64 " requests, %" PRIu64 " positions told, %" PRIu64 " refused, %" PRIu64
           " connections lost, %" PRIu64 " ends\n",
           fleet.sent, fleet.told, fleet.refused, fleet.losses, fleet.ends);
    return fine ? 0 : 1;
}
