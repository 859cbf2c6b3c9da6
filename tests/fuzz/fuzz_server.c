/* fuzz_server.c -- drives all of server/ from bytes: sessions, lobby, tables, clocks, outbox and
 * recovery, over the network, the clock and the store of tests/server/fake/.
 *
 * An input is a list of steps: clients connect, send messages of the arena or of the standard (well
 * formed, with a byte changed, or any bytes at all), ask for addresses, move, leave and go; time
 * passes; the server is stalled, is late or is killed; the store is slow, full or fails. Whatever
 * the server sends must be a known message, no value may be out of range, and when all clients are
 * gone nothing may be left of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/lobby.h"
#include "standard/server.h"
#include "tests/server/fake/net.h"
#include "tests/server/fake/store.h"

enum {
    CLIENTS = 5,
    DEEDS_MAX = 150,
    TEXT_MAX = 600,
    NODES = 1 << 16,
    POOL = 1 << 16,
    END_STEP_MS = 30000,
    END_STEPS = 1000,
    DAY_SECONDS = 86400,
    INPUTS_MAX = 64 /* for one server: opening it takes longer than most inputs */
};

/* A client of the server. */
typedef struct FuzzClient {
    NetConnection *connection; /* NULL: disconnected */
    bool standard;
    char code[PROTO_CODE_MAX + 1], token[PROTO_TOKEN_DIGITS + 1];
    int number; /* of the last position */
    int seat;
} FuzzClient;

/* The state of one input. */
typedef struct FuzzServer {
    const uint8_t *bytes;
    size_t count;
    NetLoop *loop;
    FakeDisk *disk;
    Server *server;
    FuzzClient clients[CLIENTS];
    uint32_t inputs;
    bool failed; /* the store has */
    bool killed; /* the server was, once: that takes long */
} FuzzServer;
static FuzzServer world;

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count);

static void must(bool holds) {
    if (!holds)
        __builtin_trap();
}

/* The next byte of the input; 0 after its end. */
static uint32_t next(void) {
    if (world.count == 0)
        return 0;
    world.count--;
    return *world.bytes++;
}

/* A number below `values`, or one of a list. */
static uint32_t pick(uint32_t values) { return next() % values; }
#define ONE_OF(list) (list)[pick(sizeof(list) / sizeof *(list))]

/* --- Messages of the server ------------------------------------------------------------------- */

/* Every frame that leaves the server. */
static void look(void *unused, const char *bytes, uint32_t count) {
    static JsonNode nodes[NODES];
    static char pool[POOL];
    static const char arena[] = "{\"type\":", left[] = "\"timeLeft\":";
    (void)unused;
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    MessageMemory memory = {nodes, NODES, pool, POOL};
    if (count > sizeof arena && memcmp(bytes, arena, sizeof arena - 1) == 0) {
        Message message;
        bool fine = message_read(&message, bytes, count, true, &memory, &problems) == MESSAGE_VALID;
        if (!fine)
            fprintf(stderr, "%s: %s in %.*s\n", list[0].path, list[0].reason, (int)count, bytes);
        must(fine);
        return;
    }
    Json json;
    must(json_read(&json, "frame", bytes, count, nodes, NODES, &problems));
    for (uint32_t i = 0; i + sizeof left < count; i++)
        if (memcmp(bytes + i, left, sizeof left - 1) == 0) {
            long seconds = strtol(bytes + i + sizeof left - 1, NULL, 10);
            must(seconds >= 0 && seconds <= DAY_SECONDS);
        }
}

/* An error in the log is a finding, except for a store that fails. */
static void take_line(void *unused, const char *line) {
    (void)unused;
    bool fine = world.failed || strstr(line, " error: ") == NULL;
    if (!fine)
        fprintf(stderr, "%s\n", line);
    must(fine);
}

static void take_stop(void *unused, bool failed) {
    (void)unused;
    must(!failed || world.failed);
}

static void ignore_record(void *unused, const StoreRecord *record) {
    (void)unused;
    (void)record;
}

static void ignore_finish(void *unused, const StoreEntry *entry, const char *bytes, size_t count) {
    (void)unused;
    (void)entry;
    (void)bytes;
    (void)count;
}

static void open_server(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    static StandardConfig standard;
    ServerSetup setup = server_setup("fake:");
    standard = standard_config();
    server_add_protocol(&setup, &standard_protocol, &standard);
    fake_disk_use(world.disk, &setup.store);
    setup.matches_max = 64;
    setup.log = take_line;
    setup.stopped = take_stop;
    world.server = server_open(world.loop, &setup, &problem);
    must(world.server != NULL);
}

/* --- Clients ---------------------------------------------------------------------------------- */

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)connection;
    (void)request;
    return NET_ACCEPT;
}

/* Copies the string after a key, if the message has it. */
static void copy_of(const char *text, const char *key, char *to, size_t max) {
    const char *found = strstr(text, key);
    const char *start = found == NULL ? NULL : found + strlen(key);
    size_t count = start == NULL ? 0 : strcspn(start, "\"");
    if (start == NULL || count >= max)
        return;
    memcpy(to, start, count);
    to[count] = '\0';
}

/* Records what a client needs to play and to reconnect. */
static void hear(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    FuzzClient *client = owner;
    (void)connection;
    char text[TEXT_MAX];
    uint32_t kept = count < sizeof text - 1 ? count : (uint32_t)sizeof text - 1;
    memcpy(text, bytes, kept);
    text[kept] = '\0';
    copy_of(text, "\"code\":\"", client->code, sizeof client->code);
    copy_of(text, "\"token\":\"", client->token, sizeof client->token);
    const char *you = strstr(text, "\"you\":"), *number = strstr(text, "\"number\":");
    if (you != NULL)
        client->seat = atoi(you + 6);
    if (number != NULL)
        client->number = atoi(number + 9);
}

static void gone(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)connection;
    (void)code;
    (void)reason;
    ((FuzzClient *)owner)->connection = NULL;
}

static void say(FuzzClient *client, const char *text, uint32_t count) {
    if (client->connection != NULL)
        net_send_text(client->connection, text, count);
}

/* Most clients start correctly. */
static void introduce(FuzzClient *client) {
    static const char *const roles[] = {"person", "person", "ai", "watcher"};
    static const char *const parts[] = {"PLAYER", "PLAYER", "KI", "SPECTATOR"};
    uint32_t role = pick(4), how = pick(8);
    char text[TEXT_MAX];
    int count;
    if (how == 0)
        return;
    if (!client->standard) {
        count = snprintf(text, sizeof text,
                         "{\"type\":\"hello\",\"name\":\"G%u\",\"role\":\"%s\",\"view\":\"%s\"%s}",
                         how, roles[role], how % 2 == 0 ? "bytes" : "json",
                         how % 4 > 1 ? ",\"history\":true" : "");
        say(client, text, (uint32_t)count);
        return;
    }
    count = snprintf(text, sizeof text,
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"G%u\",\"deviceID\":\"d\"}", how);
    say(client, text, (uint32_t)count);
    count = snprintf(text, sizeof text,
                     "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"%s\"}",
                     parts[role]);
    say(client, text, (uint32_t)count);
}

static void come(FuzzClient *client) {
    static const NetCallbacks calls = {let_in, hear, NULL, gone, NULL};
    static const char *const paths[] = {"arena", "arena", "arena", "", "", "channel", "match/ab"};
    static const char *const addresses[] = {"127.0.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::1"};
    char url[64];
    if (client->connection != NULL)
        return;
    const char *path = ONE_OF(paths);
    fake_address(world.loop, ONE_OF(addresses));
    client->standard = strcmp(path, "arena") != 0;
    snprintf(url, sizeof url, "ws://server:1218/%s", path);
    client->connection = net_connect(world.loop, url, &calls, client, NULL, NULL);
    fake_run(world.loop, 3);
    introduce(client);
}

/* AI players of high levels think too long for a fuzzer; only our own requests ask for one. */
static bool asks_for_level(const char *text, uint32_t count) {
    for (uint32_t i = 0; i + 4 < count; i++)
        if (memcmp(text + i, "evel", 4) == 0)
            return true;
    return false;
}

/* Sends it, now and then with one byte changed. */
static void say_changed(FuzzClient *client, char *text, uint32_t count) {
    if (count > 0 && pick(16) == 15) {
        uint32_t at = (next() << 8 | next()) % count;
        text[at] = (char)(next() & 127);
        if (asks_for_level(text, count))
            return;
    }
    say(client, text, count);
}

/* --- The arena -------------------------------------------------------------------------------- */

/* `seek` or `open` with times of any size. */
static void request_table(char *text, size_t max) {
    static const char *const games[][2] = {
        {"zorde", "duel"},         {"generals", "printed"}, {"battleground", "small"},
        {"ultimate-war", "usual"}, {"zorde", "skirmish"},   {"marvelous-mashup", "sanctum"}};
    static const uint32_t times[] = {0,    1,    10,    999,    1000,    1001,
                                     1500, 3000, 10000, 100000, 3600000, 86400000};
    static const char *const keys[] = {"turn_ms", "match_ms", "pause_ms", "silence_ms", "grace_ms"};
    uint32_t game = pick(6), how = next();
    int count = snprintf(text, max, "{\"type\":\"%s\",\"game\":\"%s\",\"preset\":\"%s\"",
                         how % 4 == 0 ? "seek" : "open", games[game][0], games[game][1]);
    for (uint32_t i = 0; i < 5; i++)
        if (how >> (i + 2) & 1)
            count +=
                snprintf(text + count, max - (size_t)count, ",\"%s\":%u", keys[i], ONE_OF(times));
    if (how % 4 > 1)
        count += snprintf(text + count, max - (size_t)count, ",\"seat\":%u,\"glass\":%s", how % 2,
                          how % 3 == 0 ? "true" : "false");
    if (how % 4 == 3)
        count += snprintf(text + count, max - (size_t)count, ",\"opponent\":\"ai\",\"level\":1");
    snprintf(text + count, max - (size_t)count, "}");
}

/* A request that is not about a table's settings. */
static void request_other(const FuzzClient *client, char *text, size_t max) {
    static const char *const requests[] = {
        "{\"type\":\"here\"}",
        "{\"type\":\"games\"}",
        "{\"type\":\"matches\"}",
        "{\"type\":\"resign\"}",
        "{\"type\":\"pause\"}",
        "{\"type\":\"continue\"}",
        "{\"type\":\"rematch\"}",
        "{\"type\":\"leave\"}",
        "{\"type\":\"draw\",\"what\":\"offer\"}",
        "{\"type\":\"draw\",\"what\":\"accept\"}",
        "{\"type\":\"draw\",\"what\":\"decline\"}",
        "{\"type\":\"chat\",\"text\":\"hello there\"}",
        "{\"type\":\"hello\",\"name\":\"Ann\",\"role\":\"person\",\"view\":\"json\"}",
        "{\"type\":\"hello\",\"name\":\"Bob\",\"role\":\"ai\",\"view\":\"bytes\"}",
        "{\"type\":\"hello\",\"name\":\"Eve\",\"role\":\"watcher\",\"words\":true}",
        "{\"type\":\"act\",\"position\":1,\"verb\":200}"};
    const FuzzClient *other = &world.clients[pick(CLIENTS)];
    switch (pick(8)) {
    case 0:
        snprintf(text, max, "{\"type\":\"join\",\"code\":\"%s\"}", other->code);
        break;
    case 1:
        snprintf(text, max, "{\"type\":\"watch\",\"code\":\"%s\"}", other->code);
        break;
    case 2:
        snprintf(text, max, "{\"type\":\"return\",\"token\":\"%s\"}",
                 pick(4) == 0 ? other->token : client->token);
        break;
    default:
        snprintf(text, max, "%s", ONE_OF(requests));
    }
}

/* A request about tournaments, with any code and token that a client has heard. */
static void request_tournament(const FuzzClient *client, char *text, size_t max) {
    static const char *const kinds[] = {"arena", "swiss", "round-robin", "knock-out"};
    static const char *const orders[] = {"start",  "pause",   "continue", "end",
                                         "remove", "replace", "adjust",   "result"};
    const FuzzClient *other = &world.clients[pick(CLIENTS)];
    uint32_t how = pick(8);
    if (how == 0)
        snprintf(
            text, max,
            "{\"type\":\"tournament-create\",\"title\":\"T\",\"game\":\"zorde\",\"kind\":\"%s\","
            "\"rounds\":%u,\"minutes\":%u,\"free\":%s,\"pair\":%s,\"rest_ms\":%u}",
            ONE_OF(kinds), 1 + pick(3), 1 + pick(9), pick(2) == 0 ? "true" : "false",
            pick(2) == 0 ? "true" : "false", pick(3) * 500);
    else if (how < 3)
        snprintf(text, max, "{\"type\":\"tournament-join\",\"code\":\"%s\"}", other->code);
    else if (how == 3)
        snprintf(text, max, "{\"type\":\"tournament-watch\",\"code\":\"%s\",\"token\":\"%s\"}",
                 client->code, pick(4) == 0 ? other->token : client->token);
    else if (how == 4)
        snprintf(text, max, "%s",
                 pick(2) == 0 ? "{\"type\":\"tournament-leave\"}" : "{\"type\":\"tournaments\"}");
    else if (how == 5)
        snprintf(text, max,
                 "{\"type\":\"tournament-page\",\"code\":\"%s\",\"what\":\"%s\",\"from\":%u}",
                 client->code, pick(2) == 0 ? "standings" : "pairings", pick(5));
    else
        snprintf(text, max,
                 "{\"type\":\"tournament-manage\",\"code\":\"%s\",\"what\":\"%s\",\"player\":%u,"
                 "\"points\":%u,\"name\":\"N\"}",
                 client->code, ONE_OF(orders), pick(4), pick(9));
}

/* A request about legal actions of the client: mostly one of them, now and then two as one step, or
 * an undo, or a takeback. */
static int write_move(const FuzzClient *client, const MashAction *list, uint32_t count, char *text,
                      size_t max) {
    char digits[17], more[17];
    MashText hex = text_over(digits, sizeof digits), other = text_over(more, sizeof more);
    uint32_t drawn = next() << 8 | next();
    action_to_hex(list[drawn % count], &hex);
    action_to_hex(list[(drawn + 1) % count], &other);
    switch (drawn / count % 16) {
    case 15:
        return snprintf(text, max,
                        "{\"type\":\"acts\",\"position\":%d,\"actions\":[\"%s\",\"%s\"]}",
                        client->number, digits, more);
    case 14:
        return snprintf(text, max, "{\"type\":\"undo\",\"position\":%d}", client->number);
    case 13:
        return snprintf(text, max, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    case 12:
        return snprintf(text, max, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    default:
        return snprintf(text, max, "{\"type\":\"act\",\"position\":%d,\"action\":\"%s\"}",
                        client->number, digits);
    }
}

/* A legal action, if the client's match waits for one. */
static void move(FuzzClient *client) {
    uint64_t number;
    char text[160];
    Table *table =
        table_code_decode(client->code, &number) ? lobby_find(world.server, number) : NULL;
    if (table == NULL || !table_is_running(table) || (uint32_t)client->seat >= MASH_SEATS)
        return;
    const MashContent *content = table->match.content;
    MashAction *list = malloc((content->limits.actions_max + 1) * sizeof *list);
    must(list != NULL);
    uint32_t count =
        content->game->actions(content, table->match.state, (uint8_t)client->seat, list);
    if (count > 0) {
        int length = write_move(client, list, count, text, sizeof text);
        say_changed(client, text, (uint32_t)length);
    }
    free(list);
}

/* --- The standard ----------------------------------------------------------------------------- */

static void send_something(char *text, size_t max) {
    static const char *const lines[] = {
        "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"d\"}",
        "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ben\",\"deviceID\":\"d\"}",
        "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ben\",\"deviceID\":\"team26-d\"}",
        "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"PLAYER\"}",
        "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"KI\"}",
        "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"SPECTATOR\"}",
        "{\"messageType\":\"RECONNECT\",\"reconnect\":true}",
        "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,true,true,true,true,true,"
        "false,false,false,false,false,false]}",
        "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[false,false,false,false,false,"
        "false,true,true,true,true,true,true]}"};
    static const char *const requests[] = {"EndRoundRequest", "PauseStartRequest",
                                           "PauseStopRequest", "DisconnectRequest", "Req"};
    if (pick(2) == 0)
        snprintf(text, max, "%s", ONE_OF(lines));
    else if (pick(3) > 0)
        snprintf(text, max,
                 "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"%s\"}]}",
                 ONE_OF(requests));
    else {
        uint32_t side = 1 + pick(2), unit = pick(6), fields[4];
        for (int i = 0; i < 4; i++)
            fields[i] = pick(8);
        snprintf(text, max,
                 "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"MoveRequest\","
                 "\"originEntity\":{\"entityID\":\"P%u\",\"ID\":%u},\"originField\":[%u,%u],"
                 "\"targetField\":[%u,%u]}]}",
                 side, unit, fields[0], fields[1], fields[2], fields[3]);
    }
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Some bytes of the input, unchanged. */
static void say_anything(FuzzClient *client) {
    char text[TEXT_MAX];
    uint32_t count = 0, wanted = pick(200);
    while (count < wanted && world.count > 0)
        text[count++] = (char)(next() & 127);
    if (!asks_for_level(text, count))
        say(client, text, count);
}

static void speak(FuzzClient *client) {
    char text[TEXT_MAX];
    if (client->standard)
        send_something(text, sizeof text);
    else if (pick(3) == 0)
        request_table(text, sizeof text);
    else if (pick(3) == 0)
        request_tournament(client, text, sizeof text);
    else
        request_other(client, text, sizeof text);
    say_changed(client, text, (uint32_t)strlen(text));
}

/* The store is slow, refuses records, or works again; in rare inputs it fails for good. */
static void change_store(void) {
    static const uint32_t lates[] = {0, 0, 5, 100, 3000}, fulls[] = {0, 0, 0, 2, 10, 1};
    uint32_t late_ms = ONE_OF(lates);
    fake_disk_behave(world.disk, late_ms, ONE_OF(fulls));
    if (pick(64) == 63) {
        world.failed = true;
        fake_disk_fail(world.disk);
    }
}

/* The server is killed and restarts. */
static void kill_and_open(void) {
    if (world.failed || world.killed)
        return;
    world.killed = true;
    fake_disk_kill(world.disk);
    server_close(world.server);
    fake_stall(world.loop, 0);
    fake_run(world.loop, 10);
    open_server();
}

static void lose(FuzzClient *client) {
    if (client->connection == NULL)
        return;
    if (pick(3) == 0)
        fake_half_open(client->connection, 1 + next() * 40);
    else if (pick(3) == 0)
        net_close(client->connection, NET_CLOSE_NORMAL, "bye");
    else
        fake_cut(client->connection);
}

/* Asks for an address by HTTP: a beginning that the server knows, a code or any bytes, an ending.
 * Whatever it is, the answer is one that is documented, and the API answers in JSON. */
static void ask_for_address(const FuzzClient *client) {
    static const char *const starts[] = {"/picture/",
                                         "/m/",
                                         "/embed/",
                                         "/api/v1/players/",
                                         "/api/v1/",
                                         "/api/match/",
                                         "/api/board/",
                                         "/api/archive",
                                         "/api/matches",
                                         "/api/content/zorde/",
                                         "/picture/0000-0000-0001"};
    static const char *const ends[] = {"",
                                       ".svg",
                                       ".svg?at=0",
                                       "/matches",
                                       "/openings?game=zorde",
                                       "/ratings?game=zorde&pace=days",
                                       "?after=",
                                       "?player=",
                                       "?game=",
                                       ".svg?at=9",
                                       "leaderboard?game=zorde&pace=blitz"};
    static const uint16_t known[] = {200, 304, 307, 400, 403, 404, 429, 503};
    char path[TEXT_MAX], body[2048];
    MashText text = text_over(path, sizeof path), out = text_over(body, sizeof body);
    text_string(&text, ONE_OF(starts));
    if (pick(2) == 0)
        text_string(&text, client->code);
    for (uint32_t left = pick(24); left > 0 && world.count > 0; left--)
        text_byte(&text, (char)(33 + pick(94)));
    text_string(&text, ONE_OF(ends));
    for (uint32_t left = pick(24); left > 0 && world.count > 0; left--)
        text_byte(&text, (char)(33 + pick(94)));
    uint16_t status = fake_get(world.server->net, path, &out);
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        is_known |= status == known[i];
    must(is_known);
    must(strncmp(path, "/api/v1/", 8) != 0 || out.count == 0 || body[0] == '{');
}

static void do_deed(void) {
    static const uint32_t pauses[] = {1,    5,    50,   200,   400,   700,
                                      1000, 2500, 9000, 30000, 61000, 700000};
    static const uint32_t stalls[] = {100, 300, 900, 2900, 5000, 20000};
    static const uint32_t lates[] = {0, 30, 900, 5000};
    uint32_t deed = pick(32);
    FuzzClient *client = &world.clients[pick(CLIENTS)];
    if (client->connection == NULL && deed < 26)
        come(client);
    if (deed < 12)
        speak(client);
    else if (deed < 20)
        move(client);
    else if (deed < 22)
        say_anything(client);
    else if (deed < 26)
        fake_run(world.loop, ONE_OF(pauses));
    else if (deed == 26)
        lose(client);
    else if (deed == 27)
        fake_stall(world.loop, ONE_OF(stalls));
    else if (deed == 28)
        fake_lateness(world.loop, ONE_OF(lates));
    else if (deed == 29)
        change_store();
    else if (deed == 30)
        kill_and_open();
    else if (pick(2) == 0)
        ask_for_address(client);
    else if (client->connection != NULL)
        fake_send_binary(client->connection);
    fake_run(world.loop, 3);
    must(world.server->stats.faults == 0);
}

/* An empty server for the next input. */
static void begin(const uint8_t *input, size_t count) {
    world.bytes = input;
    world.count = count;
    world.killed = false;
    memset(world.clients, 0, sizeof world.clients);
    if (world.server == NULL) {
        world.inputs = 0;
        world.failed = false;
        world.loop = net_loop_open();
        fake_on_send(world.loop, look, NULL);
        world.disk = fake_disk_new(&(FakeDiskSetup){
            .loop = world.loop, .on_record = ignore_record, .on_finish = ignore_finish});
        open_server();
    }
    fake_run(world.loop,
             2000 * (uint64_t)DAY_SECONDS); /* all rate limits and quotas are restored */
    fake_seed(world.loop, next());
}

/* The server is closed; the next input opens another. */
static void close_world(void) {
    server_close(world.server);
    world.server = NULL;
    fake_run(world.loop, 10);
    net_loop_close(world.loop);
    fake_disk_release(world.disk);
}

/* All clients leave: in the end nothing may be left of them. */
static void end(void) {
    fake_stall(world.loop, 0);
    fake_lateness(world.loop, 0);
    fake_disk_behave(world.disk, 0, 0);
    for (uint32_t i = 0; i < CLIENTS; i++)
        if (world.clients[i].connection != NULL)
            fake_cut(world.clients[i].connection);
    fake_run(world.loop, END_STEP_MS);
    must(world.server->sessions_count == 0);
    for (uint32_t i = 0; i < END_STEPS && world.server->tables_count > 0 && !world.failed; i++)
        fake_run(world.loop, END_STEP_MS);
    must(world.failed || (world.server->tables_count == 0 && world.server->first == NULL));
    must(world.failed || fake_disk_open_matches(world.disk) == world.server->contests_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count) {
    begin(input, count);
    for (uint32_t i = 0; i < DEEDS_MAX && world.count > 0; i++)
        do_deed();
    end();
    if (world.failed || ++world.inputs == INPUTS_MAX)
        close_world();
    return 0;
}
