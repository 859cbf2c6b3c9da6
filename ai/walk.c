/* walk.c -- see walk.h. */
#include "ai/walk.h"

#include <string.h>

#include "ai/think.h"

/* Four lanes side by side: moments are hashed at every node, and a chain of mixes would wait for
 * itself. Not for keeping: only as good as a table in memory needs. */
uint64_t walk_hash(const Ai *ai, const void *state) {
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t lanes[4] = {1, 2, 3, 4}, words[4];
    const uint8_t *from = state;
    size_t count = ai->content->terms.core_bytes;
    for (; count >= sizeof words; from += sizeof words, count -= sizeof words) {
        memcpy(words, from, sizeof words);
        for (int i = 0; i < 4; i++) {
            lanes[i] = (lanes[i] ^ words[i]) * factor;
            lanes[i] ^= lanes[i] >> 29;
        }
    }
    memset(words, 0, sizeof words);
    memcpy(words, from, count);
    uint64_t hash = count;
    for (int i = 0; i < 4; i++) {
        lanes[i] = (lanes[i] ^ words[i]) * factor;
        hash = (hash ^ lanes[i] ^ lanes[i] >> 32) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t walk_turn(const Ai *ai, const void *state) {
    return ai->mind->turn == NULL ? 0 : ai->mind->turn(ai->content, state);
}

bool walk_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn) {
    if (ai->mind->turn == NULL || ai->mind->turn(ai->content, state) != turn)
        return true;
    return ai->game->awaited(ai->content, state) != 1u << seat;
}

bool walk_apply(Ai *ai, void *state, MashAction action, uint32_t place, uint32_t step) {
    MashChance chance = think_chance(ai, ai->chance_world, place * AI_PLAN_MAX + step);
    uint64_t before = chance.counter;
    MashStatus status = ai->game->apply(ai->content, state, action, &chance, NULL);
    ai->walk.by_chance |= chance.counter != before;
    return status == MASH_OK;
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* Descending, by steps that shrink (Shell, Ciura). */
static void sort_keys(int64_t *keys, uint32_t count) {
    static const uint32_t gaps[] = {3905, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        for (uint32_t at = gaps[i]; at < count; at++) {
            int64_t key = keys[at];
            uint32_t to = at;
            for (; to >= gaps[i] && keys[to - gaps[i]] < key; to -= gaps[i])
                keys[to] = keys[to - gaps[i]];
            keys[to] = key;
        }
}

/* Lists what may be done at a rung, the most promising first, those not worth a look left out. */
static void open_rung(Ai *ai, Rung *rung) {
    Walk *walk = &ai->walk;
    uint32_t listed = ai->game->actions(ai->content, rung->state, walk->seat, walk->list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < listed; i++) {
        int32_t worth =
            ai->mind->worth == NULL ? 0 : ai->mind->worth(ai->content, rung->state, walk->list[i]);
        if (worth != INT32_MIN)
            walk->keys[count++] = (int64_t)worth * ((int64_t)1 << 32) + (UINT32_MAX - i);
    }
    sort_keys(walk->keys, count);
    if (count > walk->pool_max - walk->pool_count)
        count = walk->pool_max - walk->pool_count;
    rung->list = walk->pool + walk->pool_count;
    for (uint32_t i = 0; i < count; i++)
        rung->list[i] = walk->list[UINT32_MAX - (uint32_t)walk->keys[i]];
    rung->next = 0;
    rung->count = count;
    walk->pool_count += count;
}

/* --- The walk --------------------------------------------------------------------------------- */

void walk_begin(Ai *ai, const void *state, uint8_t seat, uint32_t place, uint32_t nodes_max) {
    Walk *walk = &ai->walk;
    walk->rung = walk->nodes = walk->pool_count = 0;
    walk->nodes_max = nodes_max < WALK_NODES_MAX ? nodes_max : WALK_NODES_MAX;
    walk->turn = walk_turn(ai, state);
    walk->place = place;
    walk->seat = seat;
    walk->stamp++;
    walk->rungs[0].state = state;
    open_rung(ai, &walk->rungs[0]);
}

/* Has this walk met the moment before? From now on it has. */
static bool met(Walk *walk, uint64_t hash) {
    uint32_t at = (uint32_t)hash % SEEN_MAX;
    while (walk->stamps[at] == walk->stamp) {
        if (walk->seen[at] == hash)
            return true;
        at = (at + 1) % SEEN_MAX;
    }
    walk->stamps[at] = walk->stamp;
    walk->seen[at] = hash;
    return false;
}

static WalkFound climb_down(Walk *walk) {
    if (walk->rung == 0)
        return WALK_TO_END;
    walk->pool_count -= walk->rungs[walk->rung].count;
    walk->rung--;
    return WALK_ON;
}

WalkFound walk_step(Ai *ai) {
    Walk *walk = &ai->walk;
    Rung *rung = &walk->rungs[walk->rung], *above = rung + 1;
    if (rung->next == rung->count)
        return climb_down(walk);
    if (walk->nodes >= walk->nodes_max)
        return WALK_TO_END;
    if (!think_spend(ai))
        return WALK_PAUSE;
    walk->nodes++;
    memcpy(above->own, rung->state, ai->content->terms.state_bytes);
    bool legal = walk_apply(ai, above->own, rung->list[rung->next++], walk->place, walk->rung);
    assert(legal);
    if (met(walk, walk_hash(ai, above->own)))
        return WALK_ON;
    if (walk_over(ai, above->own, walk->seat, walk->turn))
        return WALK_END;
    if (walk->rung + 1 < AI_PLAN_MAX) {
        above->state = above->own;
        walk->rung++;
        open_rung(ai, above);
    }
    return WALK_ON;
}

const void *walk_end(const Ai *ai) { return ai->walk.rungs[ai->walk.rung + 1].own; }

void walk_path(const Ai *ai, Path *out) {
    const Walk *walk = &ai->walk;
    out->count = walk->rung + 1;
    for (uint32_t i = 0; i <= walk->rung; i++)
        out->actions[i] = walk->rungs[i].list[walk->rungs[i].next - 1];
}
