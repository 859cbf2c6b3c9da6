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
    ai->walk.drew = chance.counter != before;
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
    think_worths(ai, rung->state, walk->seat, walk->list, listed, walk->worths);
    for (uint32_t i = 0; i < listed; i++)
        if (walk->worths[i] != INT32_MIN)
            walk->keys[count++] = (int64_t)walk->worths[i] * ((int64_t)1 << 32) + (UINT32_MAX - i);
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

/* --- The complete walk ------------------------------------------------------------------------ */

static WalkFound climb_down(Walk *walk) {
    if (walk->rung == 0)
        return WALK_TO_END;
    walk->pool_count -= walk->rungs[walk->rung].count;
    walk->rung--;
    return WALK_ON;
}

static WalkFound step_complete(Ai *ai) {
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
    above->by_chance = rung->by_chance || walk->drew;
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

/* --- The narrow walk -------------------------------------------------------------------------- */

/* The moment that is being gone on from; none at the very beginning, which is the first rung. */
static const End *member_of(const Walk *walk) {
    const Best *bank = &walk->banks[walk->bank];
    return bank->count == 0 ? NULL : best_at(bank, walk->member);
}

/* All of this moment has been tried: the next one, or one action further. */
static WalkFound next_member(Ai *ai) {
    Walk *walk = &ai->walk;
    if (++walk->member >= walk->banks[walk->bank].count) {
        walk->bank = 1 - walk->bank;
        walk->member = 0;
        best_rank(&walk->banks[walk->bank]);
        best_clear(&walk->banks[1 - walk->bank], walk->abreast);
        walk->rung++;
        if (walk->banks[walk->bank].count == 0)
            return WALK_TO_END;
    }
    walk->pool_count = 0;
    walk->rungs[0].state = member_of(walk)->state;
    walk->rungs[0].by_chance = member_of(walk)->by_chance;
    open_rung(ai, &walk->rungs[0]);
    return WALK_ON;
}

/* Keeps the moment after one more action if it is among the best. */
static void keep_member(Ai *ai, const void *state, MashAction action) {
    Walk *walk = &ai->walk;
    const End *from = member_of(walk);
    End *end =
        best_keep(&walk->banks[1 - walk->bank], think_value(ai, state, walk->seat), walk->nodes);
    if (end == NULL)
        return;
    end->path.count = 0;
    if (from != NULL)
        end->path = from->path;
    end->path.actions[end->path.count++] = action;
    end->by_chance = walk->rungs[0].by_chance || walk->drew;
    memcpy(end->state, state, ai->content->terms.state_bytes);
}

static WalkFound step_narrow(Ai *ai) {
    Walk *walk = &ai->walk;
    Rung *rung = &walk->rungs[0];
    void *trial = walk->rungs[1].own;
    if (rung->next == rung->count)
        return next_member(ai);
    if (walk->nodes >= walk->nodes_max)
        return WALK_TO_END;
    if (!think_spend(ai))
        return WALK_PAUSE;
    walk->nodes++;
    MashAction action = rung->list[rung->next++];
    memcpy(trial, rung->state, ai->content->terms.state_bytes);
    bool legal = walk_apply(ai, trial, action, walk->place, walk->rung);
    assert(legal);
    if (met(walk, walk_hash(ai, trial)))
        return WALK_ON;
    if (walk_over(ai, trial, walk->seat, walk->turn))
        return WALK_END;
    if (walk->rung + 1 < AI_PLAN_MAX)
        keep_member(ai, trial, action);
    return WALK_ON;
}

/* --- Both ------------------------------------------------------------------------------------- */

void walk_begin(Ai *ai, const void *state, uint8_t seat, uint32_t place, uint32_t nodes_max,
                uint32_t abreast) {
    Walk *walk = &ai->walk;
    walk->rung = walk->nodes = walk->pool_count = 0;
    walk->nodes_max = nodes_max < WALK_NODES_MAX ? nodes_max : WALK_NODES_MAX;
    walk->turn = walk_turn(ai, state);
    walk->place = place;
    walk->seat = seat;
    walk->stamp++;
    walk->abreast = abreast;
    walk->bank = walk->member = 0;
    best_clear(&walk->banks[0], abreast);
    best_clear(&walk->banks[1], abreast);
    walk->rungs[0].state = state;
    walk->rungs[0].by_chance = false;
    open_rung(ai, &walk->rungs[0]);
}

WalkFound walk_step(Ai *ai) { return ai->walk.abreast == 0 ? step_complete(ai) : step_narrow(ai); }

const void *walk_end(const Ai *ai) {
    const Walk *walk = &ai->walk;
    return walk->rungs[walk->abreast == 0 ? walk->rung + 1 : 1].own;
}

void walk_path(const Ai *ai, Path *out) {
    const Walk *walk = &ai->walk;
    const End *from = walk->abreast == 0 ? NULL : member_of(walk);
    out->count = walk->rung + 1;
    if (walk->abreast == 0) {
        for (uint32_t i = 0; i <= walk->rung; i++)
            out->actions[i] = walk->rungs[i].list[walk->rungs[i].next - 1];
        return;
    }
    if (from != NULL)
        memcpy(out->actions, from->path.actions, walk->rung * sizeof *out->actions);
    out->actions[walk->rung] = walk->rungs[0].list[walk->rungs[0].next - 1];
}

void walk_keep(const Ai *ai, End *out) {
    const Walk *walk = &ai->walk;
    const Rung *last = &walk->rungs[walk->abreast == 0 ? walk->rung : 0];
    walk_path(ai, &out->path);
    out->by_chance = last->by_chance || walk->drew;
    memcpy(out->state, walk_end(ai), ai->content->terms.state_bytes);
}
