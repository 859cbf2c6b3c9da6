/* fuzz_standard_client.c -- any bytes as messages of a server of the network standard: a message
 * about the content in the first line, an event in each of the others; then the same lines as
 * frames for a whole client, which receives HELLO_CLIENT first and does whatever it may.
 *
 * For any input there is a state from which the rules can continue: legal actions exist, each has a
 * request that is JSON, and they can be applied. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "standard/client/internal.h"

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { NODES = 20000, EVENTS = 64, STEPS = 12, REQUEST_BYTES = 1024 };

/* The data of one run; memory that depends on the content is allocated for each. */
typedef struct Run {
    const StandardClientAdapter *adapter;
    MashContent *content;
    StandardClientState *client;
    void *state, *copy;
    MashAction *list;
    Json json;
} Run;

static JsonNode nodes[NODES];
static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];

static void *memory(size_t bytes) {
    void *found = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert(found != NULL);
    memset(found, 0, (bytes + 63) / 64 * 64);
    return found;
}

static bool read_line(Run *run, const char *bytes, uint32_t count) {
    MashProblems ignored = {.max = 0};
    return json_read(&run->json, "line", bytes, count, nodes, NODES, &ignored) &&
           nodes[0].kind == JSON_OBJECT;
}

/* A request is one line of JSON. */
static void check_request(Run *run, MashAction action) {
    static JsonNode own[256];
    char bytes[REQUEST_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    MashProblems ignored = {.max = 0};
    Json json;
    bool said = run->adapter->request_out(run->content, run->client, run->state, action, &text);
    assert(said && !text.truncated);
    bool fine = json_read(&json, "request", bytes, text.count, own, 256, &ignored);
    assert(fine);
    run->adapter->risky(run->content, run->client, run->state, action);
}

/* Random play from a copy of the state. */
static void play_on(Run *run, uint64_t seed) {
    const MashGame *game = run->content->game;
    MashChance lot = chance_sampled(seed);
    memcpy(run->copy, run->state, run->content->limits.state_bytes);
    for (uint32_t step = 0; step < STEPS && !game->result(run->content, run->copy).over; step++) {
        uint8_t seat = game->awaited(run->content, run->copy) & 1 ? 0 : 1;
        uint32_t count = game->actions(run->content, run->copy, seat, run->list);
        assert(count > 0 && count <= run->content->limits.actions_max);
        MashAction action = run->list[chance_below(&lot, count)];
        if (step == 0)
            check_request(run, action);
        MashStatus status = mash_apply(run->content, run->copy, action, &lot, NULL);
        assert(status == MASH_OK);
    }
}

static bool load(Run *run, const MashGame *game) {
    MashProblems ignored = {.max = 0};
    MashDocuments documents = {.scratch = scratch, .scratch_bytes = sizeof scratch};
    run->content = memory(game->content_bytes_max);
    run->client = memory(run->adapter->bytes);
    run->client->careful = true;
    if (!run->adapter->content_in(&run->json, 0, &documents, run->client, run->content, &ignored))
        return false;
    run->state = memory(run->content->limits.state_bytes);
    run->copy = memory(run->content->limits.state_bytes);
    run->list = memory(run->content->limits.actions_max * sizeof *run->list);
    run->adapter->state_begin(run->content, run->client, run->state);
    return true;
}

static void hear(Run *run, MashEvents *events, uint64_t seed) {
    events->count = 0;
    if (run->adapter->event_in(run->content, run->client, &run->json, 0, run->state, events))
        play_on(run, seed);
    assert(events->count <= events->max);
}

/* --- A whole client --------------------------------------------------------------------------- */

/* Sends the first legal action, as long as there is one. */
static void act(void *owner) {
    StandardClient **standard = owner;
    for (uint32_t i = 0; *standard != NULL && i < STEPS && standard_awaited(*standard); i++) {
        const StandardClientTable *table = standard_table(*standard);
        MashAction *list = memory(table->content->limits.actions_max * sizeof *list);
        uint32_t count =
            table->content->game->actions(table->content, table->state, table->you, list);
        assert(count > 0);
        bool risky = standard_risky(*standard, list[0]);
        standard_act(*standard, list[risky ? count - 1 : 0]);
        free(list);
    }
}

static void on_phase(void *owner, StandardPhase phase, const char *why) {
    (void)owner;
    (void)phase;
    assert(why != NULL);
}

/* Nobody listens at that port: the client receives what it is given, and its messages go
 * nowhere. */
static void feed(const MashGame *game, const char *at, const char *end) {
    static const char hello[] = "{\"messageType\":\"HELLO_CLIENT\",\"runningGame\":false}";
    char why[STANDARD_WHY_BYTES];
    MashText problem = text_over(why, sizeof why);
    NetLoop *loop = net_loop_open();
    StandardClient *standard = NULL;
    StandardSetup setup = {.url = "ws://127.0.0.1:1/",
                           .name = "fuzz",
                           .role = "KI",
                           .game = game,
                           .careful = true,
                           .calls = {on_phase, act, NULL},
                           .owner = &standard};
    standard = standard_client_open(loop, &setup, &problem);
    assert(standard != NULL);
    standard_on_frame(standard, hello, sizeof hello - 1);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        standard_on_frame(standard, at, (uint32_t)(stop - at));
        standard_tick(standard);
        at = stop + 1;
    }
    standard_close(standard);
    net_loop_close(loop);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const MashGame *game = mash_game_find("marvelous-mashup");
    MashEvent list[EVENTS];
    MashEvents events = {list, 0, EVENTS};
    Run run = {.adapter = standard_client_adapter(game)};
    const char *at = (const char *)bytes, *end = at + count;
    bool loaded = false;
    for (uint64_t line = 0; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        bool read = read_line(&run, at, (uint32_t)(stop - at));
        if (line == 0)
            loaded = read && load(&run, game);
        else if (loaded && read) {
            run.client->bare = line % 2 == 0;
            hear(&run, &events, line);
        }
        if (line == 0 && !loaded)
            break;
        at = stop + 1;
    }
    free(run.content);
    free(run.client);
    free(run.state);
    free(run.copy);
    free(run.list);
    feed(game, (const char *)bytes, end);
    return 0;
}
