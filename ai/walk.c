/* walk.c -- see walk.h. */
#include "ai/walk.h"

#include <string.h>

#include "ai/think.h"

/* What the word at a place adds to a hash; nothing if it is zero, as many are. */
static inline uint64_t word_part(uint64_t word, uint64_t place) {
    if (word == 0)
        return 0;
    uint64_t part = (word ^ place * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    part = (part ^ part >> 32) * 0xbf58476d1ce4e5b9u;
    return part ^ part >> 29;
}

/* The last word of the core may be a part of one. */
static inline uint64_t word_at(const uint8_t *bytes, size_t place, size_t count) {
    uint64_t word = 0;
    size_t left = count - place;
    memcpy(&word, bytes + place, left < sizeof word ? left : sizeof word);
    return word;
}

uint64_t walk_hash(const Ai *ai, const void *state) {
    size_t count = ai->content->limits.core_bytes;
    uint64_t hash = 1;
    for (size_t place = 0; place < count; place += sizeof(uint64_t))
        hash += word_part(word_at(state, place, count), place + 1);
    return hash;
}

enum { CHUNK = 4 * sizeof(uint64_t) };

/* Eight bytes as a number; they need not be aligned. */
static inline uint64_t word_of(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Are CHUNK bytes the same? */
static inline bool same_chunk(const uint8_t *a, const uint8_t *b) {
    return ((word_of(a) ^ word_of(b)) | (word_of(a + 8) ^ word_of(b + 8)) |
            (word_of(a + 16) ^ word_of(b + 16)) | (word_of(a + 24) ^ word_of(b + 24))) == 0;
}

/* Changes of one chunk. */
static uint64_t chunk_change(const uint8_t *old, const uint8_t *new, size_t chunk, size_t count) {
    uint64_t change = 0;
    for (size_t place = chunk; place < chunk + CHUNK && place < count; place += 8) {
        uint64_t was = word_at(old, place, count), is = word_at(new, place, count);
        if (was != is)
            change += word_part(is, place + 1) - word_part(was, place + 1);
    }
    return change;
}

uint64_t walk_hash_after(const Ai *ai, const void *before, uint64_t hash, const void *state) {
    size_t count = ai->content->limits.core_bytes, chunk = 0;
    const uint8_t *old = before, *new = state;
    for (; chunk + CHUNK <= count; chunk += CHUNK)
        if (!same_chunk(old + chunk, new + chunk))
            hash += chunk_change(old, new, chunk, count);
    return chunk < count ? hash + chunk_change(old, new, chunk, count) : hash;
}

uint32_t walk_turn(const Ai *ai, const void *state) {
    return ai->mind->turn_number == NULL ? 0 : ai->mind->turn_number(ai->content, state);
}

bool walk_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn) {
    if (ai->mind->turn_number == NULL || ai->mind->turn_number(ai->content, state) != turn)
        return true;
    return ai->game->awaited(ai->content, state) != 1u << seat;
}

bool walk_apply(Ai *ai, void *state, MashAction action, uint32_t place) {
    MashChance chance = think_chance(ai, ai->chance_world, place);
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

/* Back to the action before: the list of this rung leaves the pool. WALK_TO_END: it is the first.
 */
static WalkFound climb_down(Walk *walk) {
    if (walk->rung == 0)
        return WALK_TO_END;
    walk->pool_count -= walk->rungs[walk->rung].count;
    walk->rung--;
    return WALK_ON;
}

/* Tries one more action of a walk that tries all, and goes on from a moment not met before. */
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
    memcpy(above->own, rung->state, ai->content->limits.state_bytes);
    bool legal = walk_apply(ai, above->own, rung->list[rung->next++], walk->place);
    assert(legal);
    above->by_chance = rung->by_chance || walk->drew;
    above->hash = walk_hash_after(ai, rung->state, rung->hash, above->own);
    if (met(walk, above->hash))
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
    walk->rungs[0].hash = member_of(walk)->hash;
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
    end->hash = walk->rungs[1].hash;
    memcpy(end->state, state, ai->content->limits.state_bytes);
}

/* Tries one more action of the moment at hand; what comes of it is kept if it is among the best. */
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
    memcpy(trial, rung->state, ai->content->limits.state_bytes);
    bool legal = walk_apply(ai, trial, action, walk->place);
    assert(legal);
    uint64_t hash = walk_hash_after(ai, rung->state, rung->hash, trial);
    walk->rungs[1].hash = hash;
    if (met(walk, hash))
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
    walk->rungs[0].hash = walk_hash(ai, state);
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
    out->hash = last[1].hash;
    memcpy(out->state, walk_end(ai), ai->content->limits.state_bytes);
}
