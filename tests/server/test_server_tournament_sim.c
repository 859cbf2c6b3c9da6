/* test_server_tournament_sim.c -- whole tournaments from one seed each, over a simulated network,
 * clock and store, with kills in the middle of rounds.
 *
 * The oracle (contest_oracle.h) sees nothing but the records that the store has made durable and
 * the matches that came to the archive. Nothing may be sent before it is durable. A failure prints
 * the seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "server/internal.h"
#include "tests/server/fake/net.h"
#include "tests/server/fake/store.h"
#include "tests/server/sim/contest_oracle.h"

enum { BOTS_MAX = 9, FRAME_BYTES = 1 << 16, SEEDS = 25, STEPS_MAX = 4000 };

/* --- The oracle ------------------------------------------------------------------------------- */

static uint64_t seed_now;
static uint32_t kills;

static void fail_seed(const char *what, uint64_t number) {
    fprintf(stderr,
            "\nseed %llu: %s (%llu)\nto see it again: MASH_SIM_FIRST=%llu MASH_SIM_SEEDS=1 "
            "build/release/tests/test_server_tournament_sim\n",
            (unsigned long long)seed_now, what, (unsigned long long)number,
            (unsigned long long)seed_now);
    fail();
}

static void on_record(void *unused, const StoreRecord *record) {
    (void)unused;
    contest_oracle_record(record);
}

static void on_finish(void *unused, const StoreEntry *entry, const char *bytes, size_t count) {
    (void)unused;
    (void)bytes;
    (void)count;
    contest_oracle_finish(entry);
}

/* What leaves the server: no more than is durable. */
static void on_send(void *unused, const char *bytes, uint32_t count) {
    (void)unused;
    contest_oracle_told(bytes, count);
}

/* --- Bots ------------------------------------------------------------------------------------- */

/* A player: joins, takes the seats it is told, resigns or waits for the other to do so. */
typedef struct SimBot {
    NetConnection *connection;
    char token[PROTO_TOKEN_DIGITS + 1], seat_token[PROTO_TOKEN_DIGITS + 1];
    bool hello, at_table, running, organiser;
} SimBot;

static struct {
    NetLoop *loop;
    FakeDisk *disk;
    Server *server;
    MashChance chance;
    SimBot bots[BOTS_MAX];
    uint32_t bots_count;
    char code[PROTO_CODE_MAX + 1];
    uint32_t format;
    bool free_order, two_legs;
} world;

static uint32_t draw(uint32_t values) { return chance_below(&world.chance, values); }

static void say(SimBot *bot, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(SimBot *bot, const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (bot->connection != NULL)
        net_send_text(bot->connection, text, (uint32_t)strlen(text));
}

/* Copies the text of a key, if the message has it. */
static bool take_text(const char *text, const char *key, char *out, uint32_t count) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
    const char *at = strstr(text, quoted);
    if (at == NULL)
        return false;
    memcpy(out, at + strlen(quoted), count);
    out[count] = '\0';
    return true;
}

static bool begins(const char *text, const char *type) {
    char whole[48];
    snprintf(whole, sizeof whole, "{\"type\":\"%s\"", type);
    return strncmp(text, whole, strlen(whole)) == 0;
}

/* Says who it is in the tournament. */
static void enter(SimBot *bot) {
    if (bot->token[0] != '\0')
        say(bot, "{\"type\":\"tournament-watch\",\"code\":\"%s\",\"token\":\"%s\"}", world.code,
            bot->token);
    else if (world.code[0] != '\0')
        say(bot, "{\"type\":\"tournament-join\",\"code\":\"%s\"}", world.code);
}

static void take_frame(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    static char text[FRAME_BYTES];
    SimBot *bot = owner;
    (void)connection;
    snprintf(text, sizeof text, "%.*s", (int)count, bytes);
    if (begins(text, "welcome")) {
        bot->hello = true;
        enter(bot);
    } else if (begins(text, "tournament-you")) {
        take_text(text, "token", bot->token, PROTO_TOKEN_DIGITS);
        take_text(text, "code", world.code, PROTO_CODE_MAX);
        if (!take_text(text, "seat_token", bot->seat_token, PROTO_TOKEN_DIGITS))
            bot->seat_token[0] = '\0';
        bool joins = strstr(text, "\"player\":") == NULL; /* the organiser plays, too */
        if (joins || (strstr(text, "\"away\":true") != NULL && draw(2) == 0))
            say(bot, "{\"type\":\"tournament-join\",\"code\":\"%s\"}", world.code);
    } else if (begins(text, "tournament")) {
        take_text(text, "code", world.code, PROTO_CODE_MAX);
    } else if (begins(text, "table")) {
        bot->at_table = true;
    } else if (begins(text, "position")) {
        bot->running = strstr(text, "\"result\":{") == NULL;
    } else if (begins(text, "closed") || begins(text, "taken") ||
               (begins(text, "done") && strstr(text, "\"leave\"") != NULL)) {
        bot->at_table = bot->running = false;
    }
}

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    SimBot *bot = owner;
    (void)request;
    bot->connection = connection;
    say(bot, "{\"type\":\"hello\",\"name\":\"Bot %u\",\"role\":\"ai\"}",
        (unsigned)(bot - world.bots));
    return NET_ACCEPT;
}

static void take_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    SimBot *bot = owner;
    (void)connection;
    (void)code;
    (void)reason;
    bot->connection = NULL;
    bot->hello = bot->at_table = bot->running = false;
    bot->seat_token[0] = '\0';
}

static void call_server(SimBot *bot) {
    static const NetCallbacks calls = {let_in, take_frame, NULL, take_close, NULL};
    char url[64];
    snprintf(url, sizeof url, "ws://server:%u/arena", (unsigned)server_port(world.server));
    bot->connection = net_connect(world.loop, url, &calls, bot, NULL, NULL);
    bot->hello = false;
}

/* Does something, or nothing. */
static void step(SimBot *bot) {
    if (bot->connection == NULL) {
        if (draw(3) == 0)
            call_server(bot);
        return;
    }
    if (!bot->hello)
        return;
    if (draw(400) == 0)
        fake_cut(bot->connection);
    else if (bot->token[0] == '\0' && draw(4) == 0)
        enter(bot);
    else if (bot->running && draw(5) == 0)
        say(bot, "{\"type\":\"resign\"}");
    else if (bot->running && draw(12) == 0)
        say(bot, "{\"type\":\"draw\",\"what\":\"%s\"}", draw(2) == 0 ? "offer" : "accept");
    else if (bot->at_table && !bot->running)
        say(bot, "{\"type\":\"leave\"}");
    else if (!bot->at_table && bot->seat_token[0] != '\0' && draw(3) > 0)
        say(bot, "{\"type\":\"return\",\"token\":\"%s\"}", bot->seat_token);
}

/* --- A seed ----------------------------------------------------------------------------------- */

static void take_log(void *unused, const char *line) {
    (void)unused;
    if (strstr(line, " error: ") != NULL) {
        fprintf(stderr, "%s\n", line);
        fail_seed("the server logs an error", 0);
    }
}

static void open_server(void) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    ServerSetup setup = server_setup("fake:");
    fake_disk_use(world.disk, &setup.store);
    setup.log = take_log;
    setup.return_ms = 5000;
    setup.strikes = 0;
    setup.request_rate = (NetRate){0};
    world.server = server_open(world.loop, &setup, &problem);
    if (world.server == NULL)
        fail_seed(memory, 0);
}

static void kill_server(void) {
    kills++;
    fake_disk_kill(world.disk);
    server_close(world.server);
    world.server = NULL;
    fake_run(world.loop, draw(1500));
    open_server();
}

/* Creates the tournament of this seed; the first bot organises it and joins. */
static void create(SimBot *bot) {
    static const char *const kinds[] = {"arena", "swiss", "round-robin", "knock-out"};
    char more[64] = "";
    if (world.format == PROTO_FORMAT_ARENA)
        snprintf(more, sizeof more, ",\"minutes\":2");
    else if (world.format == PROTO_FORMAT_SWISS)
        snprintf(more, sizeof more, ",\"rounds\":%u", 2 + draw(3));
    else if (world.free_order)
        snprintf(more, sizeof more, ",\"free\":true,\"minutes\":15");
    say(bot,
        "{\"type\":\"tournament-create\",\"title\":\"Sim\",\"game\":\"zorde\",\"kind\":\"%s\","
        "\"rest_ms\":%u,\"grace_ms\":20000,\"pair\":%s%s}",
        kinds[world.format], draw(3000), world.two_legs ? "true" : "false", more);
}

static void begin_world(uint64_t seed, uint32_t format) {
    contest_oracle_reset(fail_seed);
    memset(&world, 0, sizeof world);
    seed_now = seed;
    world.chance = chance_sampled(seed);
    world.format = format;
    world.free_order = format == PROTO_FORMAT_ROUND_ROBIN && draw(2) == 0;
    world.two_legs = draw(4) == 0;
    contest_oracle.rounds = !world.free_order;
    world.bots_count = 2 + draw(BOTS_MAX - 1);
    world.loop = net_loop_open();
    fake_seed(world.loop, seed);
    fake_delays(world.loop, draw(2) == 0 ? 0 : draw(200));
    fake_on_send(world.loop, on_send, NULL);
    world.disk = fake_disk_new(&(FakeDiskSetup){.loop = world.loop,
                                                .seed = seed,
                                                .late_ms = draw(2) == 0 ? 0 : draw(100),
                                                .full_every = draw(4) == 0 ? 5 + draw(50) : 0,
                                                .on_record = on_record,
                                                .on_finish = on_finish});
    open_server();
}

static void run_seed(uint64_t seed, uint32_t format) {
    begin_world(seed, format);
    uint32_t kill_every = draw(5) == 0 ? 0 : 3 + draw(80), steps = 0;
    for (; steps < STEPS_MAX && !contest_oracle.over; steps++) {
        SimBot *first = &world.bots[0];
        for (uint32_t i = 0; i < world.bots_count; i++)
            step(&world.bots[i]);
        if (world.code[0] == '\0' && first->hello && steps % 10 == 0)
            create(first);
        if (world.code[0] != '\0' && !contest_oracle.started && contest_oracle.players >= 2 &&
            steps % 10 == 0 && (contest_oracle.players >= world.bots_count || steps > 300))
            say(first, "{\"type\":\"tournament-manage\",\"code\":\"%s\",\"what\":\"start\"}",
                world.code);
        fake_run(world.loop, 50 + draw(500));
        if (kill_every > 0 && draw(kill_every) == 0)
            kill_server();
    }
    fake_run(world.loop, 2000);
    contest_oracle_end();
    for (uint32_t i = 0; i < world.bots_count; i++)
        if (world.bots[i].connection != NULL)
            fake_cut(world.bots[i].connection);
    fake_run(world.loop, 1000);
    server_close(world.server);
    fake_run(world.loop, 100);
    net_loop_close(world.loop);
    fake_disk_release(world.disk);
}

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

/* All seeds of one kind. */
static void run_kind(uint32_t format, const char *name) {
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", SEEDS);
    uint64_t pairs = 0;
    kills = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        run_seed(seed, format);
        pairs += contest_oracle.count;
    }
    printf("%s: %llu tournaments, %llu pairs, %llu kills\n", name, (unsigned long long)seeds,
           (unsigned long long)pairs, (unsigned long long)kills);
    assert_true(pairs > 0);
}

static void arenas(void **unused) {
    (void)unused;
    run_kind(PROTO_FORMAT_ARENA, "arena");
}

static void swiss_tournaments(void **unused) {
    (void)unused;
    run_kind(PROTO_FORMAT_SWISS, "swiss");
}

static void round_robins(void **unused) {
    (void)unused;
    run_kind(PROTO_FORMAT_ROUND_ROBIN, "round robin");
}

static void knock_outs(void **unused) {
    (void)unused;
    run_kind(PROTO_FORMAT_KNOCK_OUT, "knock-out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas), cmocka_unit_test(swiss_tournaments),
        cmocka_unit_test(round_robins), cmocka_unit_test(knock_outs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
