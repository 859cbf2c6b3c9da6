/* search_bench.c -- see search_bench.h. */
#include "ai/search_bench.h"

#include <string.h>

#include "base/hash.h"

enum { EVERY = 5 }; /* random actions between two positions */

/* What the benchmark works with. */
typedef struct SearchBench {
    const MashContent *content;
    void *state, *view;
    MashAction *list;
    Ai *ai;
    MashChance chance;
} SearchBench;

/* All memory of a benchmark: one list for counting and for lending. */
static size_t lay_out(SearchBench *bench, void *memory) {
    Lender lender = {memory, 0};
    bench->state = lend(&lender, bench->content->limits.state_bytes);
    bench->view = lend(&lender, bench->content->limits.state_bytes);
    bench->list = lend(&lender, bench->content->limits.actions_max * sizeof *bench->list);
    bench->ai = lend(&lender, ai_bytes(bench->content));
    return lender.used;
}

size_t ai_bench_bytes(const MashContent *content) {
    return lay_out(&(SearchBench){.content = content}, NULL);
}

/* One action at random, or a new match. */
static void go_on(SearchBench *bench) {
    const MashGame *game = bench->content->game;
    uint32_t awaited = game->awaited(bench->content, bench->state);
    if (awaited == 0) {
        game->setup(bench->content, NULL, &bench->chance, bench->state);
        return;
    }
    uint32_t count = game->actions(bench->content, bench->state, awaited == 2, bench->list);
    MashAction action = bench->list[chance_below(&bench->chance, count)];
    game->apply_listed(bench->content, bench->state, action, &bench->chance, NULL);
}

/* Lets the best level search; adds the result to the signature. */
static void think(SearchBench *bench, uint32_t nodes, AiBench *out) {
    const MashGame *game = bench->content->game;
    uint8_t seat = game->awaited(bench->content, bench->state) == 2;
    AiPlan plan = {0};
    memcpy(bench->view, bench->state, bench->content->limits.state_bytes);
    game->hide(bench->content, bench->view, seat);
    AiTask task = {ai_level(AI_LEVELS), bench->view, &plan, seat, nodes, out->decisions, true};
    bool begun = ai_begin(bench->ai, &task);
    assert(begun);
    while (!ai_step(bench->ai, UINT32_MAX))
        ;
    assert(ai_nodes(bench->ai) <= nodes);
    MashAction action = ai_answer(bench->ai);
    assert(game->check(bench->content, bench->state, action) == MASH_OK);
    out->decisions++;
    out->nodes += ai_nodes(bench->ai);
    out->signature = hash_bytes(out->signature, &action, sizeof action);
    out->signature = hash_number(out->signature, ai_nodes(bench->ai));
    out->signature = hash_number(out->signature, (uint64_t)(int64_t)ai_value(bench->ai));
}

void ai_bench(const MashContent *content, uint32_t positions, uint32_t nodes, void *memory,
              AiBench *out) {
    SearchBench bench = {.content = content, .chance = chance_sampled(1)};
    memset(memory, 0, lay_out(&bench, memory));
    bench.ai = ai_init(content, bench.ai);
    *out = (AiBench){0, 0, 0};
    content->game->setup(content, NULL, &bench.chance, bench.state);
    for (uint32_t ply = 1; out->decisions < positions; ply++) {
        if (ply % EVERY == 0 && content->game->awaited(content, bench.state) != 0)
            think(&bench, nodes, out);
        go_on(&bench);
    }
}
