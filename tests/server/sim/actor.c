/* actor.c -- see sim.h: a simulated client. It has a seat or none, sends one request at a time, and
 * expects an answer to it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/sim/sim.h"

enum { ACTORS_MAX = 64, PAUSE_MS = 2000, GRACE_MS = 5000, VIEW_BYTES = 1 << 18 };
enum { NEIGHBOURS = 3 }; /* that share an address */

/* A simulated client. */
typedef struct SimClient {
    NetTimer *timer;
    NetConnection *connection; /* NULL: disconnected */
    bool open, greeted;
    /* Its seat, and what it received there. */
    char code[PROTO_CODE_MAX + 1], token[PROTO_TOKEN_DIGITS + 1];
    uint8_t seat;
    bool at_table, playing, over;
    int32_t number;
    bool fresh; /* a position was received on this connection */
    bool paused;
    const MashContent *content;
    MashAction *actions; /* legal ones of the last position */
    uint32_t actions_count;
    /* Its request. */
    MessageKind request; /* MESSAGE_COUNT: none */
    int32_t id;
    uint64_t wished_ms;
    uint32_t acts;
    bool legal; /* the action that it sent is on the list */
    bool past;  /* it names a position that was over when it was sent */
} SimClient;

static SimClient actors[ACTORS_MAX];
static uint32_t actors_count;
static char known[32][PROTO_CODE_MAX + 1]; /* table codes that were received */
static uint32_t known_count;

/* No answer takes longer than this, however slow the network. */
static uint64_t reconnect_ms(void) {
    return 100 + 4 * (uint64_t)sim.faults.delay_ms + 12 * (uint64_t)sim.faults.late_ms +
           3 * (uint64_t)sim.faults.stall_ms;
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Sends `{"type":"TYPE","id":N` and the rest. */
static void request(SimClient *actor, MessageKind kind, const char *rest) {
    char text[512];
    actor->request = kind;
    actor->id = sim.next_id++;
    sim.counts.requests++;
    actor->wished_ms = net_now_ms(sim.loop);
    actor->acts =
        actor->at_table && actor->seat < MASH_SEATS ? oracle_acts(actor->code, actor->seat) : 0;
    actor->legal = actor->past = false;
    int count = snprintf(text, sizeof text, "{\"type\":\"%s\",\"id\":%d%s}", message_type(kind),
                         actor->id, rest);
    net_send_text(actor->connection, text, (uint32_t)count);
}

static void request_with(SimClient *actor, MessageKind kind, const char *key, const char *value) {
    char rest[128];
    snprintf(rest, sizeof rest, ",\"%s\":\"%s\"", key, value);
    request(actor, kind, rest);
}

/* A legal action, now and then an illegal one. */
static void act(SimClient *actor) {
    char rest[96], digits[17];
    MashText text = text_over(digits, sizeof digits);
    bool legal = actor->actions_count > 0 && simulation_draw(200) > 0;
    MashAction action = {.verb = (uint8_t)(1 + simulation_draw(239)), .seat = actor->seat};
    if (legal)
        action = actor->actions[simulation_draw(actor->actions_count)];
    action_to_hex(action, &text);
    bool past = simulation_draw(100) == 0;
    snprintf(rest, sizeof rest, ",\"position\":%d,\"action\":\"%s\"", actor->number - past, digits);
    request(actor, MESSAGE_CLIENT_ACT, rest);
    actor->legal = legal;
    actor->past = past;
}

/* Several listed actions as one step: while both choose or place they are mostly legal together,
 * later mostly not. */
static void act_together(SimClient *actor) {
    char rest[192];
    MashText text = text_over(rest, sizeof rest);
    uint32_t count = 2 + simulation_draw(4);
    bool past = simulation_draw(100) == 0;
    text_format(&text, ",\"position\":%d,\"actions\":[", actor->number - past);
    for (uint32_t i = 0; i < count; i++) {
        text_string(&text, i == 0 ? "\"" : "\",\"");
        action_to_hex(actor->actions[simulation_draw(actor->actions_count)], &text);
    }
    text_string(&text, "\"]");
    request(actor, MESSAGE_CLIENT_ACTS, rest);
    actor->past = past;
}

/* Undoes its last step, or asks for or answers a takeback. */
static void think_better(SimClient *actor) {
    static const char *const answers[] = {"offer", "accept", "accept", "decline"};
    char rest[32];
    if (simulation_draw(2) == 0) {
        request_with(actor, MESSAGE_CLIENT_TAKEBACK, "what", answers[simulation_draw(4)]);
        return;
    }
    snprintf(rest, sizeof rest, ",\"position\":%d", actor->number);
    request(actor, MESSAGE_CLIENT_UNDO, rest);
}

/* A game and one of its presets: those with short matches, and of each other game the first. */
static void draw_preset(const char **game, const char **preset) {
    static const char *const soon[][2] = {{"zorde", "duel"},
                                          {"zorde", "skirmish"},
                                          {"battleground", "small"},
                                          {"marvelous-mashup", "sanctum"},
                                          {"marvelous-mashup", "quick"}};
    const uint32_t count = sizeof soon / sizeof *soon;
    const MashGame *others[GAMES_MAX];
    uint32_t others_count = 0;
    for (uint32_t i = 0; mash_games[i] != NULL && others_count < GAMES_MAX; i++) {
        uint32_t at = 0;
        while (at < count && strcmp(soon[at][0], mash_games[i]->id) != 0)
            at++;
        if (at == count)
            others[others_count++] = mash_games[i];
    }
    uint32_t which = simulation_draw(count + others_count);
    *game = which < count ? soon[which][0] : others[which - count]->id;
    *preset = which < count ? soon[which][1] : others[which - count]->presets[0].id;
}

static void settings(char *rest, size_t max, bool quick) {
    const char *game, *preset;
    draw_preset(&game, &preset);
    uint32_t turn_ms = quick ? 20000 : 1000 + simulation_draw(7000);
    if (turn_ms > 7000 && !quick)
        turn_ms = 0; /* no limit */
    uint32_t silence_ms = quick || simulation_draw(3) > 0 ? 0 : 1000 + simulation_draw(8000);
    uint32_t match_ms = quick || simulation_draw(4) > 0 ? 0 : 5000 + simulation_draw(55000);
    int count = snprintf(rest, max,
                         ",\"game\":\"%s\",\"preset\":\"%s\",\"turn_ms\":%u,\"pause_ms\":%d,"
                         "\"grace_ms\":%d,\"silence_ms\":%u,\"match_ms\":%u",
                         game, preset, turn_ms, PAUSE_MS, GRACE_MS, silence_ms, match_ms);
    if (quick)
        return;
    bool glass = simulation_draw(4) == 0, secret = simulation_draw(4) == 0;
    snprintf(rest + count, max - (size_t)count, ",\"glass\":%s,\"secret\":%s%s",
             glass ? "true" : "false", secret ? "true" : "false",
             simulation_draw(20) == 0 ? ",\"opponent\":\"ai\",\"level\":1" : "");
}

/* Chooses something to do. */
static void look_around(SimClient *actor) {
    char rest[384];
    const char *code =
        known_count == 0 ? "" : known[simulation_draw(known_count < 32 ? known_count : 32)];
    uint32_t deed = simulation_draw(20);
    if (actor->token[0] != '\0' && (!actor->over || deed == 0) && deed < 18) {
        request_with(actor, MESSAGE_CLIENT_RETURN, "token", actor->token);
    } else if (sim.ending) {
        request(actor, MESSAGE_CLIENT_MATCHES, "");
    } else if (deed < 4) {
        settings(rest, sizeof rest, true);
        request(actor, MESSAGE_CLIENT_SEEK, rest);
    } else if (deed < 9) {
        settings(rest, sizeof rest, false);
        request(actor, MESSAGE_CLIENT_OPEN, rest);
    } else if (deed < 15 && code[0] != '\0') {
        request_with(actor, MESSAGE_CLIENT_JOIN, "code", code);
    } else if (deed < 17 && code[0] != '\0') {
        request_with(actor, MESSAGE_CLIENT_WATCH, "code", code);
    } else if (deed == 17) {
        request(actor, MESSAGE_CLIENT_GAMES, "");
    } else if (deed == 18) {
        request(actor, MESSAGE_CLIENT_RESIGN, "");
    } else {
        request(actor, MESSAGE_CLIENT_MATCHES, "");
    }
}

/* Something other than a move. */
static void be_difficult(SimClient *actor) {
    static const char *const draws[] = {"offer", "accept", "decline"};
    char words[16];
    switch (simulation_draw(12)) {
    case 0:
    case 1:
        request(actor, MESSAGE_CLIENT_RESIGN, "");
        break;
    case 2:
        request(actor, MESSAGE_CLIENT_LEAVE, "");
        break;
    case 3:
        oracle_ignore_clocks(actor->code);
        request(actor, MESSAGE_CLIENT_PAUSE, "");
        break;
    case 4:
        request(actor, MESSAGE_CLIENT_CONTINUE, "");
        break;
    case 5:
    case 6:
    case 7:
        request_with(actor, MESSAGE_CLIENT_DRAW, "what", draws[simulation_draw(3)]);
        break;
    case 8:
        request(actor, MESSAGE_CLIENT_REMATCH, "");
        break;
    case 9:
        if (simulation_draw(8) == 0)
            net_send_text(actor->connection, "nonsense", 8);
        else
            request(actor, MESSAGE_CLIENT_HERE, "");
        break;
    default:
        snprintf(words, sizeof words, "word %u", simulation_draw(1000));
        request_with(actor, MESSAGE_CLIENT_CHAT, "text", words);
    }
}

static void at_table(SimClient *actor) {
    bool player = actor->seat < MASH_SEATS;
    if (actor->over || !player) {
        if (actor->over && player && simulation_draw(2) == 0 && !sim.ending)
            request(actor, MESSAGE_CLIENT_REMATCH, "");
        else if (simulation_draw(player ? 2 : 20) == 0)
            request(actor, MESSAGE_CLIENT_LEAVE, "");
        else
            request(actor, MESSAGE_CLIENT_HERE, "");
    } else if (!actor->playing) {
        request(actor, simulation_draw(40) == 0 ? MESSAGE_CLIENT_LEAVE : MESSAGE_CLIENT_HERE, "");
    } else if (simulation_draw(sim.faults.end_every) == 0) {
        be_difficult(actor);
    } else if (actor->paused) {
        request(actor, MESSAGE_CLIENT_CONTINUE, "");
    } else if (actor->fresh && simulation_draw(15) == 0) {
        think_better(actor);
    } else if (actor->fresh && actor->actions_count > 0 && simulation_draw(12) == 0) {
        act_together(actor);
    } else if (actor->fresh && (actor->actions_count > 0 || simulation_draw(300) == 0)) {
        act(actor);
    }
}

/* --- Messages from the server ----------------------------------------------------------------- */

/* Does this message answer the request of the actor? */
static bool answers(const SimClient *actor, const Message *message) {
    bool acted = message->kind == MESSAGE_SERVER_POSITION && message_has(message, "id") &&
                 message->position.id == actor->id;
    bool undoes =
        actor->request == MESSAGE_CLIENT_UNDO || actor->request == MESSAGE_CLIENT_TAKEBACK;
    if (acted && undoes && !message_has(message, "undone"))
        simulation_fail("request %d of seat %u at %s is answered without an undo", actor->id,
                        actor->seat, actor->code);
    if (acted && !undoes && oracle_acts(actor->code, actor->seat) <= actor->acts)
        simulation_fail("request %d of seat %u at %s is answered and was not done", actor->id,
                        actor->seat, actor->code);
    if (acted && actor->past)
        simulation_fail("request %d of seat %u at %s names a position that was over, and was done",
                        actor->id, actor->seat, actor->code);
    if (message->kind == MESSAGE_SERVER_REFUSED)
        return message_has(message, "id") && message->refused.id == actor->id;
    if (message->kind == MESSAGE_SERVER_DONE)
        return message_has(message, "id") && message->done.id == actor->id;
    switch (actor->request) {
    case MESSAGE_CLIENT_HELLO:
        return message->kind == MESSAGE_SERVER_WELCOME;
    case MESSAGE_CLIENT_GAMES:
        return message->kind == MESSAGE_SERVER_GAMES;
    case MESSAGE_CLIENT_MATCHES:
        return message->kind == MESSAGE_SERVER_MATCHES;
    case MESSAGE_CLIENT_ACT:
    case MESSAGE_CLIENT_ACTS:
    case MESSAGE_CLIENT_DRAW:
    case MESSAGE_CLIENT_RESIGN:
        return acted;
    case MESSAGE_CLIENT_UNDO:
        return acted;
    case MESSAGE_CLIENT_TAKEBACK:
        sim.counts.takebacks += acted;
        return acted || (message->kind == MESSAGE_SERVER_TAKEBACK &&
                         message->takeback_said.seat == actor->seat);
    case MESSAGE_CLIENT_PAUSE:
        return message->kind == MESSAGE_SERVER_PAUSED;
    case MESSAGE_CLIENT_CONTINUE:
        return message->kind == MESSAGE_SERVER_CONTINUED;
    case MESSAGE_CLIENT_REMATCH:
        return message->kind == MESSAGE_SERVER_REMATCH || message->kind == MESSAGE_SERVER_TABLE;
    case MESSAGE_CLIENT_CHAT:
        return message->kind == MESSAGE_SERVER_CHAT;
    case MESSAGE_CLIENT_HERE:
    case MESSAGE_CLIENT_LEAVE:
    case MESSAGE_COUNT:
        return false;
    default:
        return message->kind == MESSAGE_SERVER_TABLE;
    }
}

static void on_table(SimClient *actor, const Message *message) {
    bool same = message_has(message, "token") && strcmp(actor->token, message->table.token) == 0;
    if (!same) {
        actor->token[0] = '\0';
        actor->number = 0;
    }
    actor->at_table = true;
    actor->fresh = false;
    actor->actions_count = 0;
    actor->seat = message->table.you;
    actor->playing = message->table.state == PROTO_STATE_RUNNING;
    actor->over = message->table.state == PROTO_STATE_OVER;
    actor->paused = false;
    actor->content = simulation_content(message->table.game, message->table.preset);
    memcpy(actor->code, message->table.code, sizeof actor->code);
    if (message_has(message, "token"))
        memcpy(actor->token, message->table.token, sizeof actor->token);
    memcpy(known[known_count++ % 32], actor->code, sizeof actor->code);
}

/* The listed actions of a position in JSON. */
static void read_actions(SimClient *actor, const Message *message) {
    const Json *json = &message->json;
    for (uint32_t group = json_first(json, message->position.actions.node); group != JSON_NONE;
         group = json->nodes[group].next) {
        int32_t verb, unit, ability;
        json_int(json, json_member(json, group, "verb"), 0, 255, &verb, NULL);
        json_int(json, json_member(json, group, "unit"), 0, 255, &unit, NULL);
        json_int(json, json_member(json, group, "ability"), 0, 255, &ability, NULL);
        for (uint32_t cell = json_first(json, json_member(json, group, "cells")); cell != JSON_NONE;
             cell = json->nodes[cell].next) {
            int32_t numbers[4] = {0};
            uint32_t count = 0;
            for (uint32_t i = json_first(json, cell); i != JSON_NONE; i = json->nodes[i].next)
                json_int(json, i, -128, 255, &numbers[count++], NULL);
            actor->actions[actor->actions_count++] = (MashAction){.verb = (uint8_t)verb,
                                                                  .seat = actor->seat,
                                                                  .unit = (uint8_t)unit,
                                                                  .ability = (uint8_t)ability,
                                                                  .x = (int8_t)numbers[0],
                                                                  .y = (int8_t)numbers[1],
                                                                  .other = (uint8_t)numbers[2],
                                                                  .amount = (uint8_t)numbers[3]};
        }
    }
}

/* The same by the engine, from its bytes. */
static void list_actions(SimClient *actor, const Message *message) {
    static _Alignas(64) uint8_t view[VIEW_BYTES];
    const MashContent *content = actor->content;
    int64_t count = base64_decode(message->position.view.bytes, message->position.view.count, view,
                                  sizeof view);
    if (count != content->limits.state_bytes)
        simulation_fail("a view of %lld bytes", (long long)count);
    actor->actions_count = content->game->actions(content, view, actor->seat, actor->actions);
}

static void on_position(SimClient *actor, const Message *message) {
    const SERVER_POSITION_FIELDS *position = &message->position;
    if (position->you != actor->seat || strcmp(position->code, actor->code) != 0)
        simulation_fail("a position of seat %u at %s was told to seat %u at %s", position->you,
                        position->code, actor->seat, actor->code);
    if (position->number < actor->number || (actor->fresh && position->number > actor->number + 1))
        simulation_fail("position %d after %d at %s", position->number, actor->number, actor->code);
    actor->number = position->number;
    actor->fresh = true;
    actor->paused = position->paused;
    actor->over = message_has(message, "result");
    actor->playing = !actor->over;
    actor->actions =
        realloc(actor->actions, (actor->content->limits.actions_max + 1) * sizeof *actor->actions);
    assert(actor->actions != NULL);
    actor->actions_count = 0;
    if (actor->seat >= MASH_SEATS || actor->over)
        return;
    if (message_has(message, "view"))
        list_actions(actor, message);
    else
        read_actions(actor, message);
}

static void on_refusal(const SimClient *actor, const Message *message) {
    static const char *const fine[] = {"late",   "paused",         "full",       "closing",
                                       "broken", "not-at-a-table", "not-running"};
    sim.counts.refusals++;
    if (actor->request != MESSAGE_CLIENT_ACT || !actor->legal || message->refused.id != actor->id)
        return;
    for (uint32_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (strcmp(message->refused.code, fine[i]) == 0)
            return;
    simulation_fail("a legal action at %s was refused: %s", actor->code, message->refused.code);
}

static void go_from_table(SimClient *actor) {
    actor->at_table = actor->playing = actor->fresh = false;
    actor->actions_count = 0;
}

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)connection;
    (void)request;
    ((SimClient *)owner)->open = true;
    return NET_ACCEPT;
}

static void hear(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    SimClient *actor = owner;
    (void)connection;
    const Message *message = simulation_read(bytes, count);
    bool answered = answers(actor, message);
    if (message->kind == MESSAGE_SERVER_WELCOME)
        actor->greeted = true;
    else if (message->kind == MESSAGE_SERVER_TABLE)
        on_table(actor, message);
    else if (message->kind == MESSAGE_SERVER_POSITION)
        on_position(actor, message);
    else if (message->kind == MESSAGE_SERVER_PAUSED || message->kind == MESSAGE_SERVER_CONTINUED)
        actor->paused = message->kind == MESSAGE_SERVER_PAUSED;
    else if (message->kind == MESSAGE_SERVER_REFUSED)
        on_refusal(actor, message);
    else if (message->kind == MESSAGE_SERVER_TAKEN || message->kind == MESSAGE_SERVER_CLOSED)
        go_from_table(actor);
    if (message->kind == MESSAGE_SERVER_TAKEN || message->kind == MESSAGE_SERVER_CLOSED)
        actor->request = MESSAGE_COUNT;
    if (!answered)
        return;
    if (actor->request == MESSAGE_CLIENT_LEAVE && message->kind == MESSAGE_SERVER_DONE) {
        go_from_table(actor);
        actor->token[0] = '\0';
    }
    if (actor->request == MESSAGE_CLIENT_RETURN && message->kind == MESSAGE_SERVER_REFUSED)
        actor->token[0] = '\0';
    actor->request = MESSAGE_COUNT;
}

static void gone(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    SimClient *actor = owner;
    (void)connection;
    (void)code;
    (void)reason;
    actor->connection = NULL;
    actor->open = actor->greeted = false;
    actor->request = MESSAGE_COUNT;
    go_from_table(actor);
}

/* --- Life cycle ------------------------------------------------------------------------------- */

static void come(SimClient *actor) {
    static const NetCallbacks calls = {let_in, hear, NULL, gone, NULL};
    char address[32];
    snprintf(address, sizeof address, "10.0.0.%u", 1 + (uint32_t)(actor - actors) / NEIGHBOURS);
    fake_address(sim.loop, address);
    actor->connection = net_connect(sim.loop, "ws://server:1218/arena", &calls, actor, NULL, NULL);
    fake_address(sim.loop, NULL);
}

static void say_hello(SimClient *actor) {
    static const char *const roles[] = {"person", "person", "person", "ai", "watcher"};
    char rest[160];
    uint32_t name = simulation_draw(100), role = simulation_draw(5);
    bool json = simulation_draw(6) == 0, words = simulation_draw(2) == 0;
    snprintf(rest, sizeof rest, ",\"name\":\"A%u\",\"role\":\"%s\",\"view\":\"%s\",\"words\":%s%s",
             name, roles[role], json ? "json" : "bytes", words ? "true" : "false",
             simulation_draw(2) == 0 ? "" : ",\"history\":true");
    request(actor, MESSAGE_CLIENT_HELLO, rest);
}

/* Another actor connects with the same token, as the same person on another device would. */
static void lend_token(const SimClient *actor) {
    SimClient *other = &actors[simulation_draw(actors_count)];
    if (other == actor || other->at_table || other->request != MESSAGE_COUNT)
        return;
    memcpy(other->token, actor->token, sizeof other->token);
    memcpy(other->code, actor->code, sizeof other->code);
    other->number = 0;
    other->over = false;
}

static void do_something(SimClient *actor) {
    if (actor->connection == NULL) {
        come(actor);
        return;
    }
    if (sim.faults.cut_every > 0 && simulation_draw(sim.faults.cut_every) == 0) {
        sim.counts.cuts++;
        if (simulation_draw(3) == 0)
            fake_half_open(actor->connection, simulation_draw(20000));
        else
            fake_cut(actor->connection);
        return;
    }
    if (!actor->open)
        return;
    if (actor->request != MESSAGE_COUNT) {
        if (sim.server != NULL && net_now_ms(sim.loop) - actor->wished_ms > reconnect_ms())
            simulation_fail("%s at %s was not answered in %llu ms", message_type(actor->request),
                            actor->code, (unsigned long long)reconnect_ms());
        return;
    }
    if (!actor->greeted)
        say_hello(actor);
    else if (!actor->at_table)
        look_around(actor);
    else
        at_table(actor);
    if (actor->at_table && actor->token[0] != '\0' && simulation_draw(500) == 0)
        lend_token(actor);
}

static void wake(void *owner) {
    SimClient *actor = owner;
    uint32_t in_ms = 1 + simulation_draw(30);
    if (actor->over || !actor->at_table)
        in_ms *= 10;
    if (simulation_draw(sim.faults.slow_every) == 0)
        in_ms = simulation_draw(9000);
    do_something(actor);
    net_timer_start(actor->timer, in_ms);
}

void clients_open(uint32_t count) {
    assert(count <= ACTORS_MAX);
    actors_count = count;
    known_count = 0;
    memset(known, 0, sizeof known);
    for (uint32_t i = 0; i < count; i++) {
        memset(&actors[i], 0, sizeof actors[i]);
        actors[i].request = MESSAGE_COUNT;
        actors[i].timer = net_timer_open(sim.loop, wake, &actors[i]);
        fake_client_timer(actors[i].timer);
        net_timer_start(actors[i].timer, simulation_draw(1000));
    }
}

void clients_leave(void) {
    for (uint32_t i = 0; i < actors_count; i++) {
        net_timer_stop(actors[i].timer);
        if (actors[i].connection != NULL)
            fake_cut(actors[i].connection);
    }
}

void clients_close(void) {
    for (uint32_t i = 0; i < actors_count; i++) {
        net_timer_close(actors[i].timer);
        free(actors[i].actions);
    }
    actors_count = 0;
}
