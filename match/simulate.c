/* simulate.c -- see simulate.h. */
#include "match/simulate.h"

#include <string.h>

#include "base/hash.h"

/* --- Random matches --------------------------------------------------------------------------- */

/* All memory of a run: one list for counting and for lending. */
static size_t lay_out(Simulation *run, void *memory) {
    const MashLimits *limits = &run->content->limits;
    Lender lender = {memory, 0};
    run->state = lend(&lender, limits->state_bytes);
    run->view = lend(&lender, limits->state_bytes);
    run->list = lend(&lender, limits->actions_max * sizeof *run->list);
    run->events.max = limits->events_max;
    run->events.list = lend(&lender, limits->events_max * sizeof *run->events.list);
    return lender.used;
}

size_t simulate_bytes(const MashContent *content) {
    return lay_out(&(Simulation){.content = content}, NULL);
}

void simulate_init(Simulation *run, const MashContent *content, const MashSetup *setup,
                   uint64_t seed, void *memory) {
    *run = (Simulation){.content = content, .setup = setup, .seed = seed};
    memset(memory, 0, lay_out(run, memory));
}

MashSeed simulate_seed(uint64_t seed, uint32_t match) { return (MashSeed){{seed, match}}; }

MashChance simulate_action_chance(uint64_t seed, uint32_t match) {
    return chance_sampled(hash_number(hash_number(1, seed), match));
}

/* Draws an action of one of the awaited seats. */
static inline MashAction choose(const MashContent *content, const void *state, uint32_t awaited,
                                MashChance *chooser, MashAction *list) {
    assert(awaited != 0 && awaited < 1 << MASH_SEATS);
    uint8_t seat = awaited == 3 ? (uint8_t)chance_below(chooser, MASH_SEATS) : awaited == 2;
    uint32_t count = content->game->actions(content, state, seat, list);
    assert(count > 0 && count <= content->limits.actions_max);
    return list[chance_below(chooser, count)];
}

MashAction simulate_random_action(const MashContent *content, const void *state,
                                  MashChance *chooser, MashAction *list) {
    return choose(content, state, content->game->awaited(content, state), chooser, list);
}

/* Adds to the signature: the state, every view of it, and the events. */
static void signature_add(Simulation *run) {
    const MashContent *content = run->content;
    uint32_t bytes = content->limits.state_bytes;
    run->signature = hash_bytes(run->signature, run->state, bytes);
    for (uint8_t seat = 0; seat <= MASH_SEATS; seat++) {
        memcpy(run->view, run->state, bytes);
        content->game->hide(content, run->view, seat < MASH_SEATS ? seat : MASH_SEAT_SPECTATOR);
        run->signature = hash_bytes(run->signature, run->view, bytes);
    }
    run->signature =
        hash_bytes(run->signature, run->events.list, run->events.count * sizeof(MashEvent));
}

MashStatus simulate_match(Simulation *run) {
    const MashContent *content = run->content;
    const MashGame *game = content->game;
    MashSeed seed = simulate_seed(run->seed, run->matches);
    MashChance chooser = simulate_action_chance(run->seed, run->matches);
    MashChance chance = chance_seeded(seed, 0);
    MashStatus status = game->setup(content, run->setup, &chance, run->state);
    if (status != MASH_OK)
        return status;
    run->events.count = 0;
    signature_add(run);
    uint32_t awaited;
    for (uint32_t ply = 1; (awaited = game->awaited(content, run->state)) != 0; ply++) {
        assert(ply <= content->limits.length_max);
        MashAction action = choose(content, run->state, awaited, &chooser, run->list);
        chance = chance_seeded(seed, ply);
        run->events.count = 0;
        game->apply_listed(content, run->state, action, &chance, &run->events);
        signature_add(run);
        run->actions++;
    }
    run->matches++;
    return MASH_OK;
}

MashStatus simulate_playout(Simulation *run) {
    const MashContent *content = run->content;
    const MashGame *game = content->game;
    MashChance chance = simulate_action_chance(run->seed, run->matches);
    MashStatus status = game->setup(content, run->setup, &chance, run->state);
    if (status != MASH_OK)
        return status;
    uint32_t awaited;
    while ((awaited = game->awaited(content, run->state)) != 0) {
        MashAction action = choose(content, run->state, awaited, &chance, run->list);
        game->apply_listed(content, run->state, action, &chance, NULL);
        run->actions++;
    }
    run->matches++;
    return MASH_OK;
}

/* --- Perft ------------------------------------------------------------------------------------ */

/* One step of the current path: a position and its legal actions. */
typedef struct PerftPly {
    uint32_t next, count;
    void *state;
    MashAction *list;
} PerftPly;

/* Memory of one level of counting: a state, and the legal actions of both seats. */
static PerftPly lend_level(const MashContent *content, Lender *lender) {
    PerftPly level = {.state = lend(lender, content->limits.state_bytes)};
    level.list = lend(lender, MASH_SEATS * content->limits.actions_max * sizeof *level.list);
    return level;
}

size_t perft_bytes(const MashContent *content, uint32_t depth) {
    Lender lender = {NULL, 0};
    lend_level(content, &lender);
    return (depth + 1) * lender.used;
}

/* Lists the legal actions of all awaited seats. */
static void list_actions(const MashContent *content, PerftPly *level) {
    level->next = level->count = 0;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        level->count +=
            content->game->actions(content, level->state, seat, level->list + level->count);
}

/* Applies the next action of this level to a copy: the level below. */
static void step_down(const MashContent *content, PerftPly *above, MashChance chance) {
    PerftPly *below = above + 1;
    MashAction action = above->list[above->next++];
    memcpy(below->state, above->state, content->limits.state_bytes);
    content->game->apply_listed(content, below->state, action, &chance, NULL);
}

/* Depth first, one level of memory for each action of the path. */
void perft_from(const MashContent *content, const void *state, MashSeed seed, uint32_t ply,
                uint32_t depth, void *memory, Perft *out) {
    assert(depth <= PERFT_DEPTH_MAX);
    PerftPly levels[PERFT_DEPTH_MAX + 1];
    Lender lender = {memory, 0};
    for (uint32_t i = 0; i <= depth; i++)
        levels[i] = lend_level(content, &lender);
    memmove(levels[0].state, state, content->limits.state_bytes);
    *out = (Perft){0, 0};
    for (uint32_t at = 0;; at++) {
        PerftPly *level = &levels[at];
        if (at < depth) {
            list_actions(content, level);
        } else {
            out->leaves++;
            out->hash += hash_bytes(0, level->state, content->limits.core_bytes);
        }
        while (level->next == level->count) {
            if (level == levels)
                return;
            level--;
        }
        at = (uint32_t)(level - levels);
        step_down(content, level, chance_seeded(seed, ply + at + 1));
    }
}

MashStatus perft(const MashContent *content, const MashSetup *setup, uint64_t seed, uint32_t depth,
                 void *memory, Perft *out) {
    MashSeed match_seed = simulate_seed(seed, 0);
    MashChance chance = chance_seeded(match_seed, 0);
    memset(memory, 0, perft_bytes(content, depth));
    MashStatus status = content->game->setup(content, setup, &chance, memory);
    if (status == MASH_OK)
        perft_from(content, memory, match_seed, 0, depth, memory, out);
    return status;
}
