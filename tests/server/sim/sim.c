/* sim.c -- see sim.h: what the oracle and the actors share. */
#include "tests/server/sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 1 << 18, POOL = 1 << 18, CONTENTS = 16, STALLS = 256 };

/* Stalls that the server certainly notices, and how much of them it may keep: see
 * server/server.c. */
enum { SEEN_MS = 350, KEPT_MS = 250 };

/* The stalls of this seed. */
static struct { uint64_t at_ms, ms; } stalls[STALLS];
static uint32_t stalls_count;

Sim sim;

uint32_t simulation_draw(uint32_t values) { return chance_below(&sim.chance, values); }

void simulation_stall(uint32_t ms) {
    assert_true(stalls_count < STALLS);
    if (fake_stalled(sim.loop))
        return;
    stalls[stalls_count].at_ms = net_wall_clock_ms(sim.loop);
    stalls[stalls_count++].ms = ms;
    sim.counts.stalls++;
    fake_stall(sim.loop, ms);
}

uint64_t simulation_stalled(uint64_t from_ms, uint64_t to_ms, bool fair) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < stalls_count; i++)
        if (stalls[i].at_ms >= from_ms && stalls[i].at_ms < to_ms &&
            (!fair || stalls[i].ms > SEEN_MS))
            sum += stalls[i].ms - (fair ? KEPT_MS : 0);
    return sum;
}

void simulation_begin(uint64_t seed) {
    sim.seed = seed;
    sim.chance = chance_sampled(seed);
    stalls_count = 0;
}

void simulation_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (sim.fails != NULL) {
        static char reason[4096];
        vsnprintf(reason, sizeof reason, format, list);
        sim.fails(reason);
    }
    fprintf(stderr, "\nseed %llu, after %llu ms: ", (unsigned long long)sim.seed,
            (unsigned long long)net_now_ms(sim.loop));
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr,
            "\nto see it again: MASH_SIM_FIRST=%llu MASH_SIM_SEEDS=1 "
            "build/release/tests/test_server_sim\n%s",
            (unsigned long long)sim.seed, sim.log);
    fail();
    abort();
}

const Message *simulation_read(const char *bytes, uint32_t count) {
    static Message message;
    static JsonNode nodes[NODES];
    static char pool[POOL];
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    MessageMemory memory = {nodes, NODES, pool, POOL};
    if (message_read(&message, bytes, count, true, &memory, &problems) != MESSAGE_VALID)
        simulation_fail("no message of the list: %s %s: %.*s", list[0].path, list[0].reason,
                        (int)count, bytes);
    return &message;
}

const MashContent *simulation_content(const char *id, const char *preset) {
    static struct {
        const MashGame *game;
        char preset[PROTO_ID_MAX + 1];
        MashContent *content;
    } contents[CONTENTS];
    static _Alignas(64) char scratch[MASH_SCRATCH_BYTES];
    const MashGame *game = mash_game_find(id);
    uint32_t i = 0;
    for (; i < CONTENTS && contents[i].game != NULL; i++)
        if (contents[i].game == game && strcmp(contents[i].preset, preset) == 0)
            return contents[i].content;
    MashDocument list[MASH_DOCUMENTS_MAX];
    MashProblem problem[1];
    MashProblems problems = {.list = problem, .max = 1};
    MashDocuments documents = {list, mash_documents_of_preset(game, preset, list), scratch,
                               sizeof scratch};
    size_t bytes = ((size_t)game->content_bytes_max + 63) / 64 * 64;
    assert_true(i < CONTENTS);
    contents[i].game = game;
    snprintf(contents[i].preset, sizeof contents[i].preset, "%s", preset);
    contents[i].content = aligned_alloc(64, bytes);
    assert_non_null(contents[i].content);
    memset(contents[i].content, 0, bytes);
    assert_true(game->load(&documents, contents[i].content, &problems));
    return contents[i].content;
}

void simulation_log(void *unused, const char *line) {
    (void)unused;
    if (strstr(line, " error: ") != NULL)
        simulation_fail("the server logs: %s", line);
    int count = snprintf(sim.log + sim.log_count, sizeof sim.log - sim.log_count, "%s\n", line);
    sim.log_count += (uint32_t)count;
    if (sim.log_count + 4096 > sizeof sim.log)
        sim.log_count = 0;
}
