/* test_wire_leak.c -- Generals on the wire: two matches that differ only in what one seat keeps
 * hidden, and whose battles have equal results, send the other seat and the spectators the same
 * bytes.
 *
 * Seat 0 places its army in one match with one action and in the other piece by piece, with all
 * ranks shuffled. The test searches for a list of actions that both matches allow and after which
 * seat 1 and spectators may know the same in both. Then both matches are played at a real server
 * over real sockets, and every frame to seat 1 and to spectators is compared, in all three forms;
 * only the tables' codes and the seats' tokens, which are random, are blanked. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "proto/message.h"
#include "server/server.h"
#include "tests/support/support.h"

enum {
    STEPS = 160,
    PLACES_MAX = 64,
    LIMIT_MS = 20000,
    MATCHES = 2,
};

/* --- Two versions of a match ------------------------------------------------------------------ */

/* A match as state, and the actions with which seat 0 places its army. */
typedef struct HiddenMatch {
    void *state;
    MashAction placing[PLACES_MAX];
    uint32_t placing_count;
} HiddenMatch;

static const MashGame *game;
static MashContent *content;
static HiddenMatch matches[MATCHES];
static MashAction steps[STEPS]; /* of both versions, after placing */
static uint32_t steps_count, battles;

/* Applies without randomness: the option thanos 2 needs none. */
static void apply(void *state, MashAction action, MashEvents *events) {
    MashChance chance = chance_scripted(NULL, 0);
    events->count = 0;
    assert_int_equal(mash_apply(content, state, action, &chance, events), MASH_OK);
    assert_true(chance_used_up(&chance));
}

static MashEvents new_events(void) {
    return (MashEvents){.list = support_memory(content->limits.events_max * sizeof(MashEvent)),
                        .max = content->limits.events_max};
}

/* The legal action of the seat with this notation. */
static MashAction by_word(const void *state, uint8_t seat, const char *word) {
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list), found;
    uint32_t count = game->actions(content, state, seat, list), i = 0;
    for (; i < count; i++) {
        char memory[64];
        MashText text = text_over(memory, sizeof memory);
        game->notation(content, state, list[i], &text);
        if (strcmp(memory, word) == 0)
            break;
    }
    assert_true(i < count);
    found = list[i];
    support_free(list);
    return found;
}

static void place(HiddenMatch *world, MashAction action, MashEvents *events) {
    apply(world->state, action, events);
    world->placing[world->placing_count++] = action;
    assert_true(world->placing_count < PLACES_MAX);
}

/* Pieces of a seat on the board. */
static uint32_t pieces_of(const void *state, uint8_t seat, MashToken *out) {
    static uint8_t ground[MASH_SIDE_MAX * MASH_SIDE_MAX], order[256];
    static uint16_t wear[MASH_SIDE_MAX * MASH_SIDE_MAX];
    MashBoard board = {.ground = ground, .ground_health = wear, .order = order};
    board.tokens = support_memory(content->limits.tokens_max * sizeof *board.tokens);
    board.meters = support_memory(content->limits.meters_max * sizeof *board.meters);
    game->show(content, state, &board);
    uint32_t count = 0;
    for (uint32_t i = 0; i < board.tokens_count; i++)
        if (board.tokens[i].seat == seat && board.tokens[i].place == MASH_ON_BOARD)
            out[count++] = board.tokens[i];
    support_free(board.tokens);
    support_free(board.meters);
    return count;
}

/* Version 0: the printed layout; version 1: the same cells with this many pairs of ranks
 * swapped. */
static void place_armies(MashChance *lot, uint32_t swaps) {
    MashEvents events = new_events();
    MashToken pieces[PLACES_MAX];
    place(&matches[0], by_word(matches[0].state, 0, "layout"), &events);
    uint32_t count = pieces_of(matches[0].state, 0, pieces);
    assert_int_equal(count, 21);
    for (uint32_t i = 0; i < swaps; i++) {
        uint32_t one = chance_below(lot, count);
        uint32_t other = chance_below(lot, count);
        uint8_t kind = pieces[one].kind;
        pieces[one].kind = pieces[other].kind;
        pieces[other].kind = kind;
    }
    MashAction pattern = {.verb = 1};
    for (uint32_t i = 0; i < count; i++) {
        pattern.x = pieces[i].x;
        pattern.y = pieces[i].y;
        pattern.amount = pieces[i].kind;
        place(&matches[1], pattern, &events);
    }
    for (uint32_t i = 0; i < MATCHES; i++) {
        place(&matches[i], by_word(matches[i].state, 0, "ready"), &events);
        apply(matches[i].state, by_word(matches[i].state, 1, "layout"), &events);
        apply(matches[i].state, by_word(matches[i].state, 1, "ready"), &events);
    }
    support_free(events.list);
}

static bool same_events(const MashEvents events[MATCHES], uint8_t seat) {
    uint32_t i = 0, j = 0;
    for (;;) {
        while (i < events[0].count && !mash_event_seen(&events[0].list[i], seat))
            i++;
        while (j < events[1].count && !mash_event_seen(&events[1].list[j], seat))
            j++;
        if (i == events[0].count || j == events[1].count)
            return i == events[0].count && j == events[1].count;
        MashEvent a = events[0].list[i++], b = events[1].list[j++];
        a.seen_by = b.seen_by = 0;
        if (memcmp(&a, &b, sizeof a) != 0)
            return false;
    }
}

/* May seat 1 and spectators know the same of both? */
static bool same_views(void *const states[MATCHES], const MashEvents events[MATCHES]) {
    static const uint8_t observers[] = {1, MASH_SEAT_SPECTATOR};
    uint32_t bytes = content->limits.state_bytes;
    void *views[MATCHES] = {support_memory(bytes), support_memory(bytes)};
    bool same = true;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t j = 0; j < MATCHES; j++) {
            memcpy(views[j], states[j], bytes);
            game->hide(content, views[j], observers[i]);
        }
        same &= memcmp(views[0], views[1], bytes) == 0 && same_events(events, observers[i]);
    }
    support_free(views[0]);
    support_free(views[1]);
    return same;
}

static bool fought(const MashEvents *events) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_FOUGHT)
            return true;
    return false;
}

/* What kind of step is wanted: a battle, a step towards the enemy, any. */
typedef enum Expected { BATTLE, FORWARD, ANY } Expected;

/* Does the step bring its piece nearer to the other side? */
static bool is_forward(const void *state, MashAction action) {
    MashToken pieces[PLACES_MAX];
    uint32_t count = pieces_of(state, action.seat, pieces);
    for (uint32_t i = 0; i < count; i++)
        if (pieces[i].unit == action.unit)
            return action.seat == 0 ? action.y > pieces[i].y : action.y < pieces[i].y;
    return false;
}

/* Tries the action in both versions; keeps it if the others cannot tell them apart and the match
 * continues. */
static bool try_step(MashAction action, Expected wanted) {
    uint32_t bytes = content->limits.state_bytes;
    void *states[MATCHES] = {support_memory(bytes), support_memory(bytes)};
    MashEvents events[MATCHES] = {new_events(), new_events()};
    bool fine = true;
    for (uint32_t i = 0; i < MATCHES && fine; i++) {
        fine = game->check(content, matches[i].state, action) == MASH_OK;
        memcpy(states[i], matches[i].state, bytes);
        if (fine)
            apply(states[i], action, &events[i]);
        fine &= !game->result(content, states[i]).over;
    }
    fine = fine && same_views(states, events) && (wanted != BATTLE || fought(&events[0])) &&
           (wanted != FORWARD || is_forward(matches[0].state, action));
    for (uint32_t i = 0; i < MATCHES; i++) {
        if (fine)
            memcpy(matches[i].state, states[i], bytes);
        support_free(states[i]);
    }
    battles += fine && fought(&events[0]);
    support_free(events[0].list);
    support_free(events[1].list);
    return fine;
}

/* One more action that both versions allow; a battle if there is one, else forward. */
static bool find_step(MashChance *lot) {
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    uint32_t awaited = game->awaited(content, matches[0].state);
    uint8_t seat = awaited & 1 ? 0 : 1;
    uint32_t count = game->actions(content, matches[0].state, seat, list);
    bool found = false;
    for (Expected wanted = BATTLE; wanted <= ANY && !found; wanted++) {
        uint32_t start = count == 0 ? 0 : chance_below(lot, count);
        for (uint32_t i = 0; i < count && !found; i++) {
            MashAction action = list[(start + i) % count];
            found = try_step(action, wanted);
            if (found)
                steps[steps_count] = action;
        }
    }
    steps_count += found;
    support_free(list);
    return found;
}

static void make_matches(uint64_t seed, uint32_t swaps, uint32_t battles_least) {
    MashChance lot = chance_sampled(seed);
    int32_t options[] = {0, 2, 0};
    MashSetup setup = {options, 3};
    assert_string_equal(game->options[1].id, "thanos");
    steps_count = battles = 0;
    for (uint32_t i = 0; i < MATCHES; i++) {
        MashChance none = chance_scripted(NULL, 0);
        matches[i] = (HiddenMatch){.state = support_state(content)};
        assert_int_equal(game->setup(content, &setup, &none, matches[i].state), MASH_OK);
    }
    place_armies(&lot, swaps);
    while (steps_count < STEPS && find_step(&lot))
        continue;
    for (uint32_t i = 0; i < MATCHES; i++)
        support_free(matches[i].state);
    print_message("seed %llu: %u actions with %u battles\n", (unsigned long long)seed, steps_count,
                  battles);
    assert_true(steps_count > 40 && battles >= battles_least);
}

/* --- The wire --------------------------------------------------------------------------------- */

/* A raw connection and all received frames, one per line, codes and tokens blanked. */
typedef struct WireClient {
    NetConnection *connection;
    char *text;
    size_t count, bytes_max;
    uint32_t frames;
    int number; /* of the last position */
    bool gone;
    char code[PROTO_CODE_MAX + 1];
} WireClient;

static NetLoop *loop;
static NetTimer *timer;
static Server *server;

static uint16_t client_opens(void *owner, NetConnection *connection, const NetRequest *request) {
    WireClient *client = owner;
    client->frames = 1; /* until it has sent hello */
    (void)connection;
    (void)request;
    return NET_ACCEPT;
}

static void client_closes(void *owner, NetConnection *connection, uint16_t code, const char *why) {
    WireClient *client = owner;
    (void)connection;
    if (client->connection != NULL)
        fail_msg("a connection was closed: %u %s", code, why);
    client->gone = true;
    net_loop_stop(loop);
}

/* Overwrites every occurrence of `word`, or of what follows it. */
static void blank(char *text, const char *word, size_t behind, size_t count) {
    for (char *found = strstr(text, word); found != NULL; found = strstr(found + 1, word))
        memset(found + behind, 'x', count);
}

static void client_hears(void *owner, NetConnection *connection, const char *bytes,
                         uint32_t count) {
    WireClient *client = owner;
    (void)connection;
    if (client->bytes_max - client->count < count + 2) {
        client->bytes_max = (client->bytes_max + count) * 2;
        client->text = realloc(client->text, client->bytes_max);
        assert_non_null(client->text);
    }
    char *frame = client->text + client->count;
    memcpy(frame, bytes, count);
    frame[count] = '\0';
    if (strstr(frame, "\"type\":\"table\"") != NULL)
        sscanf(strstr(frame, "\"code\":\"") + 8, "%14s", client->code);
    if (strstr(frame, "\"type\":\"position\"") != NULL)
        client->number = atoi(strstr(frame, "\"number\":") + 9);
    if (client->code[0] != '\0')
        blank(frame, client->code, 0, PROTO_CODE_MAX);
    blank(frame, "\"token\":\"", 9, PROTO_TOKEN_DIGITS);
    frame[count] = '\n';
    frame[count + 1] = '\0';
    client->count += count + 1;
    client->frames++;
}

static void rang(void *owner) {
    (void)owner;
    net_loop_stop(loop);
}

/* Runs until the connection has received this many frames. */
static void await(const WireClient *client, uint32_t frames) {
    uint64_t began = net_now_ms(loop);
    while (client->frames < frames && net_now_ms(loop) - began < LIMIT_MS) {
        net_timer_start(timer, 1);
        net_loop_run(loop);
    }
    if (client->frames < frames)
        fail_msg("%u frames came of %u; the last are\n%s", client->frames, frames, client->text);
}

static void say(WireClient *client, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(WireClient *client, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    int count = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    assert_true(net_send_text(client->connection, text, (uint32_t)count));
}

/* Sends it and waits for one more frame. */
#define ASK(peer, ...)                                                                             \
    do {                                                                                           \
        uint32_t frames_before = (peer)->frames;                                                   \
        say(peer, __VA_ARGS__);                                                                    \
        await(peer, frames_before + 1);                                                            \
    } while (0)

static void come(WireClient *client, const char *name, const char *role, const char *form) {
    static const NetCallbacks calls = {
        .on_open = client_opens, .on_message = client_hears, .on_close = client_closes};
    char url[64], memory[128];
    MashText problem = text_over(memory, sizeof memory);
    *client = (WireClient){.text = calloc(1, 1 << 16), .bytes_max = 1 << 16};
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/arena", (unsigned)server_port(server));
    client->connection = net_connect(loop, url, &calls, client, NULL, &problem);
    assert_non_null(client->connection);
    await(client, 1);
    client->frames = 0;
    say(client, "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"%s\"%s}", name, role, form);
    await(client, 1);
}

/* Closes and waits until the connection is closed. */
static void go(WireClient *client) {
    NetConnection *connection = client->connection;
    client->connection = NULL;
    net_close(connection, NET_CLOSE_NORMAL, "");
    while (!client->gone)
        net_loop_run(loop);
}

static void act(WireClient *client, MashAction action) {
    char digits[17];
    MashText text = text_over(digits, sizeof digits);
    action_to_hex(action, &text);
    ASK(client, "{\"type\":\"act\",\"position\":%d,\"action\":\"%s\"}", client->number, digits);
}

/* --- A match at the server -------------------------------------------------------------------- */

/* What observers received: seat 1, a spectator from the beginning, one who joined late. */
typedef struct ObservedText {
    char *texts[3];
    size_t counts[3];
} ObservedText;

/* Requests of seat 1 that are not allowed: any bytes. Those that might be allowed are avoided by
 * naming a verb that no game has. */
static void request_nonsense(WireClient *client, MashChance *lot) {
    MashAction action = {.verb = (uint8_t)(4 + chance_below(lot, 230))};
    action.unit = (uint8_t)chance_below(lot, 256);
    action.x = (int8_t)chance_below(lot, 9);
    action.y = (int8_t)chance_below(lot, 8);
    action.ability = (uint8_t)(1 + chance_below(lot, 255));
    act(client, action);
}

static void play_steps(WireClient seats[MASH_SEATS], WireClient *late, const char *form) {
    MashChance lot = chance_sampled(7);
    for (uint32_t i = 0; i < steps_count; i++) {
        uint32_t before[] = {seats[0].frames, seats[1].frames};
        act(&seats[steps[i].seat], steps[i]);
        await(&seats[0], before[0] + 1);
        await(&seats[1], before[1] + 1);
        if (i % 4 == 3)
            request_nonsense(&seats[1], &lot);
        if (i == steps_count / 2) {
            come(late, "Late", "watcher", form);
            ASK(late, "{\"type\":\"watch\",\"code\":\"%s\"}", seats[0].code);
        }
    }
}

/* Plays one of the versions; what seat 1 and the spectators received. */
static ObservedText play_match(const HiddenMatch *world, const char *form) {
    WireClient seats[MASH_SEATS], watcher, late;
    come(&seats[0], "Zero", "person", ",\"view\":\"bytes\"");
    come(&seats[1], "One", "person", form);
    come(&watcher, "Early", "watcher", form);
    ASK(&seats[0], "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0,\"options\":{\"thanos\":2},"
                   "\"turn_ms\":0,\"match_ms\":0,\"pause_ms\":0,\"silence_ms\":0,\"grace_ms\":0}");
    ASK(&watcher, "{\"type\":\"watch\",\"code\":\"%s\"}", seats[0].code);
    uint32_t host = seats[0].frames, early = watcher.frames;
    ASK(&seats[1], "{\"type\":\"join\",\"code\":\"%s\"}", seats[0].code);
    await(&seats[0], host + 2);
    await(&seats[1], 3);
    await(&watcher, early + 2);
    /* Seat 1 is ready before seat 0 has placed anything: it sees nothing of that. */
    uint8_t verbs[] = {2, 4};
    for (uint32_t i = 0; i < 2; i++)
        act(&seats[1], (MashAction){.verb = verbs[i]});
    for (uint32_t i = 0; i < world->placing_count; i++)
        act(&seats[0], world->placing[i]);
    play_steps(seats, &late, form);
    WireClient *clients[] = {&seats[1], &watcher, &late};
    ObservedText received;
    for (uint32_t i = 0; i < 3; i++) {
        ASK(clients[i], "{\"type\":\"here\"}");
        received.texts[i] = clients[i]->text;
        received.counts[i] = clients[i]->count;
    }
    for (uint32_t i = 0; i < 3; i++) { /* what arrives from now on does not count */
        clients[i]->text = calloc(1, 1);
        clients[i]->bytes_max = 1;
        clients[i]->count = 0;
    }
    for (uint32_t i = 0; i < 3; i++) {
        go(clients[i]);
        free(clients[i]->text);
    }
    go(&seats[0]);
    free(seats[0].text);
    return received;
}

/* Reports where two texts differ. */
static void compare(const char *who, const char *form, const char *a, const char *b) {
    size_t i = 0;
    while (a[i] == b[i] && a[i] != '\0')
        i++;
    if (a[i] == b[i])
        return;
    size_t from = i > 200 ? i - 200 : 0;
    fprintf(stderr, "%s %s: byte %zu differs:\n%.400s\n---\n%.400s\n", who, form, i, a + from,
            b + from);
    fail();
}

static void matches_look_alike(uint64_t seed, uint32_t swaps, uint32_t battles_least) {
    static const char *const forms[] = {",\"view\":\"json\"", ",\"view\":\"json\",\"words\":true",
                                        ",\"view\":\"bytes\""};
    static const char *const who[] = {"seat 1", "a watcher", "a late watcher"};
    make_matches(seed, swaps, battles_least);
    for (uint32_t form = 0; form < 3; form++) {
        ObservedText received[MATCHES];
        for (uint32_t i = 0; i < MATCHES; i++)
            received[i] = play_match(&matches[i], forms[form]);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(received[0].counts[i] > 10000);
            compare(who[i], forms[form], received[0].texts[i], received[1].texts[i]);
            free(received[0].texts[i]);
            free(received[1].texts[i]);
        }
    }
}

static void seat_and_spectators_see_the_same(void **state) {
    (void)state;
    matches_look_alike(1, 100, 4);
    matches_look_alike(2, 4, 10);
}

/* --- The server ------------------------------------------------------------------------------- */

static char folder[] = "/tmp/mashup-leak-XXXXXX";

static void log_nothing(void *owner, const char *line) {
    (void)owner;
    (void)line;
}

static void stopped(void *owner, bool failed) {
    (void)owner;
    (void)failed;
}

static int set_up(void **state) {
    (void)state;
    static char place[64], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    game = mash_game_find("generals");
    content = support_content(game, NULL);
    loop = net_loop_open();
    timer = net_timer_open(loop, rang, NULL);
    assert_non_null(mkdtemp(folder));
    snprintf(place, sizeof place, "embedded:%s", folder);
    ServerSetup setup = server_setup(place);
    setup.bounds.most.turn_ms = 0; /* a match without clocks, whose times would differ */
    NetRate none = {0, 0};
    setup.address = "127.0.0.1";
    setup.port = 0;
    setup.limits.address_connections = setup.limits.address_requests =
        setup.limits.address_handshakes = setup.limits.socket_frames = setup.limits.socket_bytes =
            none;
    setup.store.announce_before_sync = true;
    setup.strikes = 0;
    setup.log = log_nothing;
    setup.stopped = stopped;
    server = server_open(loop, &setup, &problem);
    if (server == NULL)
        fail_msg("%s", memory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[64];
    server_close(server);
    net_timer_close(timer);
    net_loop_close(loop);
    support_free(content);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(seat_and_spectators_see_the_same)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
