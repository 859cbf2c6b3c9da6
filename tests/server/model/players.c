/* players.c -- see cluster.h: players who look for a match, play it, come back with their token
 * when the connection is lost, and go where `moved` sends them; some watch the matches of others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/cluster.h"

enum { PLAYERS_MAX = 32, VIEW_BYTES = 1 << 16, ANSWER_MS = 12000, ACTIONS_MAX = 4096 };

/* A player, or one who watches. */
typedef struct Player {
    NetConnection *connection; /* NULL: disconnected */
    int node;                  /* where it is, or goes next; 0 = anywhere */
    bool open, greeted, watches;
    bool waits; /* for an answer */
    uint64_t asked_ms, next_ms, away_ms;
    int32_t id;
    char code[PROTO_CODE_MAX + 1], token[PROTO_TOKEN_DIGITS + 1];
    bool at_table, over, turn;
    uint8_t seat;
    int32_t number;
    uint64_t told_ms; /* when it was last told something new about its match */
    const MashContent *content;
    MashAction actions[ACTIONS_MAX];
    uint32_t actions_count;
} Player;

static Player players[PLAYERS_MAX];
static uint32_t players_count;
static int32_t next_id;
static bool ending;
static char known[PROTO_CODE_MAX + 1]; /* a table to watch */

/* --- Requests --------------------------------------------------------------------------------- */

/* Sends a request; `rest` begins with a comma or is empty. */
static void request(Player *player, const char *type, const char *rest) {
    char text[512];
    player->id = ++next_id;
    player->waits = true;
    player->asked_ms = cluster.now_ms;
    cluster.counts.requests++;
    int count =
        snprintf(text, sizeof text, "{\"type\":\"%s\",\"id\":%d%s}", type, player->id, rest);
    net_send_text(player->connection, text, (uint32_t)count);
}

static void request_with(Player *player, const char *type, const char *key, const char *value) {
    char rest[96];
    snprintf(rest, sizeof rest, ",\"%s\":\"%s\"", key, value);
    request(player, type, rest);
}

/* Makes a move, or resigns. */
static void act(Player *player) {
    char rest[96], digits[17];
    MashText text = text_over(digits, sizeof digits);
    MashAction action = {.verb = MASH_VERB_RESIGN, .seat = player->seat};
    bool resigns = simulation_draw(ending ? 8 : 150) == 0;
    if (!resigns)
        action = player->actions[simulation_draw(player->actions_count)];
    history_asked(player->code, player->seat, player->number, action);
    if (resigns) {
        request(player, "resign", "");
        return;
    }
    action_to_hex(action, &text);
    snprintf(rest, sizeof rest, ",\"position\":%d,\"action\":\"%s\"", player->number, digits);
    request(player, "act", rest);
}

/* Not at a table: comes back, looks for a match, or watches one. */
static void look_around(Player *player) {
    if (player->token[0] != '\0')
        request_with(player, "return", "token", player->token);
    else if (player->watches && known[0] != '\0')
        request_with(player, "watch", "code", known);
    else if (!player->watches && !ending)
        request(player, "seek", ",\"game\":\"zorde\",\"preset\":\"duel\",\"turn_ms\":60000");
}

/* --- Messages from the server ----------------------------------------------------------------- */

static void leave_table(Player *player) {
    player->at_table = player->over = player->turn = false;
    player->actions_count = 0;
    player->number = 0;
}

static void on_table(Player *player, const Message *message) {
    leave_table(player);
    player->at_table = true;
    player->told_ms = cluster.now_ms;
    player->seat = message->table.you;
    player->over = message->table.state == PROTO_STATE_OVER;
    player->content = simulation_content(message->table.game, message->table.preset);
    memcpy(player->code, message->table.code, sizeof player->code);
    memcpy(known, message->table.code, sizeof known);
    if (!message_has(message, "token"))
        return;
    memcpy(player->token, message->table.token, sizeof player->token);
    if (player->seat < MASH_SEATS)
        history_seated(player->code, player->seat, (uint32_t)(player - players));
}

static void on_position(Player *player, const Message *message) {
    static _Alignas(64) uint8_t view[VIEW_BYTES];
    const SERVER_POSITION_FIELDS *position = &message->position;
    if (position->you != player->seat || strcmp(position->code, player->code) != 0)
        cluster_fail("a position of seat %u at %s was told to seat %u at %s", position->you,
                     position->code, player->seat, player->code);
    if (position->number > player->number)
        player->told_ms = cluster.now_ms;
    player->number = position->number;
    player->over = message_has(message, "result");
    player->actions_count = 0;
    if (player->seat >= MASH_SEATS || player->over)
        return;
    assert(player->content->limits.actions_max <= ACTIONS_MAX);
    int64_t count = base64_decode(position->view.bytes, position->view.count, view, sizeof view);
    assert(count == player->content->limits.state_bytes);
    player->actions_count =
        player->content->game->actions(player->content, view, player->seat, player->actions);
}

/* Is sent elsewhere, or asked to try again. */
static void on_moved(Player *player, const Message *message) {
    player->waits = false;
    if (!message_has(message, "node")) {
        player->next_ms = cluster.now_ms + 200 + simulation_draw(400);
        return;
    }
    player->node = message->moved.node;
    net_close(player->connection, NET_CLOSE_NORMAL, "moved");
}

static void on_refusal(Player *player, const Message *message) {
    bool unknown = strcmp(message->refused.code, "no-such-token") == 0;
    bool over = strcmp(message->refused.code, "match-over") == 0;
    if (strcmp(message->refused.to, "return") == 0 && !unknown && !over &&
        strcmp(message->refused.code, "at-a-table") != 0)
        cluster_fail("a seat is refused with %s: a client gives it up", message->refused.code);
    if (unknown || over) {
        history_gone(player->code, over);
        player->token[0] = '\0';
        leave_table(player);
    }
    player->next_ms = cluster.now_ms + 50 + simulation_draw(300);
}

static void hear(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    Player *player = owner;
    (void)connection;
    const Message *message = simulation_read(bytes, count);
    switch (message->kind) {
    case MESSAGE_SERVER_WELCOME:
        player->greeted = true;
        player->waits = false;
        break;
    case MESSAGE_SERVER_TABLE:
        on_table(player, message);
        player->waits = false;
        break;
    case MESSAGE_SERVER_POSITION:
        on_position(player, message);
        player->waits =
            player->waits && !(message_has(message, "id") && message->position.id == player->id);
        break;
    case MESSAGE_SERVER_MOVED:
        on_moved(player, message);
        break;
    case MESSAGE_SERVER_REFUSED:
        player->waits =
            player->waits && !(message_has(message, "id") && message->refused.id == player->id);
        on_refusal(player, message);
        break;
    case MESSAGE_SERVER_DONE:
        player->waits = false;
        break;
    case MESSAGE_SERVER_TAKEN:
    case MESSAGE_SERVER_CLOSED:
        player->waits = false;
        player->token[0] = '\0';
        leave_table(player);
        break;
    default:
        break;
    }
}

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)connection;
    (void)request;
    ((Player *)owner)->open = true;
    return NET_ACCEPT;
}

static void gone(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Player *player = owner;
    (void)connection;
    (void)code;
    (void)reason;
    player->connection = NULL;
    player->open = player->greeted = player->waits = false;
    player->next_ms = cluster.now_ms + 20 + simulation_draw(200);
    leave_table(player);
}

/* --- Every step ------------------------------------------------------------------------------- */

static void come(Player *player) {
    static const NetCallbacks calls = {let_in, hear, NULL, gone, NULL};
    char address[32];
    int node = player->node;
    if (node == 0)
        node = 1 + (int)simulation_draw((uint32_t)cluster.world.nodes);
    player->node = 0; /* the next time it comes under the public name */
    NetLoop *loop = cluster.nodes[node].loop;
    snprintf(address, sizeof address, "10.0.0.%u", 1 + (uint32_t)(player - players));
    fake_address(loop, address);
    player->connection = net_connect(loop, "ws://server:1218/arena", &calls, player, NULL, NULL);
    player->asked_ms = cluster.now_ms;
    fake_address(loop, NULL);
}

/* Makes the next request. */
static void live(Player *player) {
    if (player->connection == NULL) {
        come(player);
        return;
    }
    if (player->waits || !player->open) {
        if (cluster.now_ms - player->asked_ms > ANSWER_MS) { /* tries elsewhere */
            player->waits = false;
            player->asked_ms = cluster.now_ms;
            fake_cut(player->connection);
        }
        return;
    }
    if (!player->greeted)
        request(player, "hello",
                player->watches ? ",\"name\":\"W\",\"role\":\"watcher\",\"view\":\"bytes\""
                                : ",\"name\":\"P\",\"role\":\"person\",\"view\":\"bytes\"");
    else if (!player->at_table)
        look_around(player);
    else if (player->over || (player->watches && (ending || simulation_draw(200) == 0)) ||
             (ending && player->number == 0)) {
        request(player, "leave", "");
        player->token[0] = '\0';
        leave_table(player);
    } else if (player->actions_count > 0) {
        act(player);
    } else if (ending && player->seat < MASH_SEATS && simulation_draw(20) == 0) {
        request(player, "resign", "");
        history_asked(player->code, player->seat, player->number,
                      (MashAction){.verb = MASH_VERB_RESIGN, .seat = player->seat});
    }
}

void players_run(void) {
    for (uint32_t i = 0; i < players_count; i++) {
        Player *player = &players[i];
        if (cluster.now_ms < player->next_ms || cluster.now_ms < player->away_ms)
            continue;
        player->next_ms = cluster.now_ms + 10 + simulation_draw(60);
        live(player);
        if (player->at_table && player->seat < MASH_SEATS && !player->over &&
            cluster.now_ms - player->told_ms > cluster.counts.longest_ms)
            cluster.counts.longest_ms = cluster.now_ms - player->told_ms;
    }
}

void players_open(uint32_t count) {
    assert(count <= PLAYERS_MAX);
    memset(players, 0, sizeof players);
    players_count = count;
    ending = false;
    known[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        players[i].watches = i % 5 == 4;
        players[i].next_ms = cluster.now_ms + simulation_draw(500);
    }
}

void players_scatter(uint32_t ms) {
    for (uint32_t i = 0; i < players_count; i++) {
        if (players[i].connection != NULL)
            fake_cut(players[i].connection);
        players[i].away_ms = cluster.now_ms + ms + simulation_draw(4000);
    }
}

uint32_t players_finish(void) {
    uint32_t playing = 0;
    ending = true;
    for (uint32_t i = 0; i < players_count; i++)
        playing += !players[i].watches && players[i].token[0] != '\0';
    return playing;
}

void players_close(void) {
    for (uint32_t i = 0; i < players_count; i++)
        if (players[i].connection != NULL)
            fake_cut(players[i].connection);
    players_count = 0;
}
