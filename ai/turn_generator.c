/* turn_generator.c -- see walk.h. */
#include "ai/turn_generator.h"

#include <string.h>

#include "ai/internal.h"

/* What the word at a place adds to a hash; nothing if it is zero, as many are. */
static inline uint64_t word_part(uint64_t word, uint64_t chance_key) {
    if (word == 0)
        return 0;
    uint64_t part = (word ^ chance_key * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    part = (part ^ part >> 32) * 0xbf58476d1ce4e5b9u;
    return part ^ part >> 29;
}

/* The last word of the core may be a part of one. */
static inline uint64_t word_at(const uint8_t *bytes, size_t chance_key, size_t count) {
    uint64_t word = 0;
    size_t left = count - chance_key;
    memcpy(&word, bytes + chance_key, left < sizeof word ? left : sizeof word);
    return word;
}

uint64_t search_hash(const Ai *ai, const void *state) {
    size_t count = ai->content->limits.core_bytes;
    uint64_t hash = 1;
    for (size_t chance_key = 0; chance_key < count; chance_key += sizeof(uint64_t))
        hash += word_part(word_at(state, chance_key, count), chance_key + 1);
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
    for (size_t chance_key = chunk; chance_key < chunk + CHUNK && chance_key < count;
         chance_key += 8) {
        uint64_t was = word_at(old, chance_key, count), is = word_at(new, chance_key, count);
        if (was != is)
            change += word_part(is, chance_key + 1) - word_part(was, chance_key + 1);
    }
    return change;
}

uint64_t search_hash_update(const Ai *ai, const void *before, uint64_t hash, const void *state) {
    size_t count = ai->content->limits.core_bytes, chunk = 0;
    const uint8_t *old = before, *new = state;
    for (; chunk + CHUNK <= count; chunk += CHUNK)
        if (!same_chunk(old + chunk, new + chunk))
            hash += chunk_change(old, new, chunk, count);
    return chunk < count ? hash + chunk_change(old, new, chunk, count) : hash;
}

uint32_t search_turn_number(const Ai *ai, const void *state) {
    return ai->mind->turn_number == NULL ? 0 : ai->mind->turn_number(ai->content, state);
}

bool search_turn_is_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn) {
    if (ai->mind->turn_number == NULL || ai->mind->turn_number(ai->content, state) != turn)
        return true;
    return ai->game->awaited(ai->content, state) != 1u << seat;
}

void search_apply_listed(Ai *ai, void *state, MashAction action, uint32_t chance_key) {
    MashChance chance = search_chance(ai, ai->chance_sample, chance_key);
    uint64_t before = chance.counter;
    ai->game->apply_listed(ai->content, state, action, &chance, NULL);
    ai->walk.drew = chance.counter != before;
}

bool search_apply(Ai *ai, void *state, MashAction action, uint32_t chance_key) {
    if (ai->game->check(ai->content, state, action) != MASH_OK)
        return false;
    search_apply_listed(ai, state, action, chance_key);
    return true;
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
static void expand(Ai *ai, GeneratorPly *rung) {
    TurnGenerator *walk = &ai->walk;
    uint32_t listed = ai->game->actions(ai->content, rung->state, walk->seat, walk->list);
    uint32_t count = 0;
    search_priorities(ai, rung->state, walk->seat, walk->list, listed, walk->worths);
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
static bool visit(TurnGenerator *walk, uint64_t hash) {
    uint32_t at = (uint32_t)hash % VISITED_MAX;
    while (walk->visited_in[at] == walk->stamp) {
        if (walk->seen[at] == hash)
            return true;
        at = (at + 1) % VISITED_MAX;
    }
    walk->visited_in[at] = walk->stamp;
    walk->seen[at] = hash;
    return false;
}

/* --- The complete walk ------------------------------------------------------------------------ */

/* Back to the action before: the list of this rung leaves the pool. GENERATOR_EXHAUSTED: it is the
 * first.
 */
static GeneratorResult backtrack(TurnGenerator *walk) {
    if (walk->rung == 0)
        return GENERATOR_EXHAUSTED;
    walk->pool_count -= walk->plies[walk->rung].count;
    walk->rung--;
    return GENERATOR_CONTINUE;
}

/* Tries one more action of a walk that tries all, and goes on from a moment not met before. */
static GeneratorResult step_depth_first(Ai *ai) {
    TurnGenerator *walk = &ai->walk;
    GeneratorPly *rung = &walk->plies[walk->rung], *above = rung + 1;
    if (rung->next == rung->count)
        return backtrack(walk);
    if (walk->nodes >= walk->nodes_max)
        return GENERATOR_EXHAUSTED;
    if (!search_spend_node(ai))
        return GENERATOR_PAUSED;
    walk->nodes++;
    memcpy(above->own, rung->state, ai->content->limits.state_bytes);
    search_apply_listed(ai, above->own, rung->list[rung->next++], walk->place);
    above->by_chance = rung->by_chance || walk->drew;
    above->hash = search_hash_update(ai, rung->state, rung->hash, above->own);
    if (visit(walk, above->hash))
        return GENERATOR_CONTINUE;
    if (search_turn_is_over(ai, above->own, walk->seat, walk->turn))
        return GENERATOR_TURN_FOUND;
    if (walk->rung + 1 < AI_PLAN_MAX) {
        above->state = above->own;
        walk->rung++;
        expand(ai, above);
    }
    return GENERATOR_CONTINUE;
}

/* --- The narrow walk -------------------------------------------------------------------------- */

/* The moment that is being gone on from; none at the very beginning, which is the first rung. */
static const TurnEnd *member_of(const TurnGenerator *walk) {
    const TopList *bank = &walk->beams[walk->beam];
    return bank->count == 0 ? NULL : top_list_at(bank, walk->beam_index);
}

/* All of this moment has been tried: the next one, or one action further. */
static GeneratorResult next_in_beam(Ai *ai) {
    TurnGenerator *walk = &ai->walk;
    if (++walk->beam_index >= walk->beams[walk->beam].count) {
        walk->beam = 1 - walk->beam;
        walk->beam_index = 0;
        top_list_sort(&walk->beams[walk->beam]);
        top_list_clear(&walk->beams[1 - walk->beam], walk->beam_width);
        walk->rung++;
        if (walk->beams[walk->beam].count == 0)
            return GENERATOR_EXHAUSTED;
    }
    walk->pool_count = 0;
    walk->plies[0].state = member_of(walk)->state;
    walk->plies[0].by_chance = member_of(walk)->by_chance;
    walk->plies[0].hash = member_of(walk)->hash;
    expand(ai, &walk->plies[0]);
    return GENERATOR_CONTINUE;
}

/* Keeps the moment after one more action if it is among the best. */
static void keep_in_beam(Ai *ai, const void *state, MashAction action) {
    TurnGenerator *walk = &ai->walk;
    const TurnEnd *from = member_of(walk);
    TurnEnd *end = top_list_insert(&walk->beams[1 - walk->beam],
                                   search_evaluate(ai, state, walk->seat), walk->nodes);
    if (end == NULL)
        return;
    end->path.count = 0;
    if (from != NULL)
        end->path = from->path;
    end->path.actions[end->path.count++] = action;
    end->by_chance = walk->plies[0].by_chance || walk->drew;
    end->hash = walk->plies[1].hash;
    memcpy(end->state, state, ai->content->limits.state_bytes);
}

/* Tries one more action of the moment at hand; what comes of it is kept if it is among the best. */
static GeneratorResult step_beam(Ai *ai) {
    TurnGenerator *walk = &ai->walk;
    GeneratorPly *rung = &walk->plies[0];
    void *trial = walk->plies[1].own;
    if (rung->next == rung->count)
        return next_in_beam(ai);
    if (walk->nodes >= walk->nodes_max)
        return GENERATOR_EXHAUSTED;
    if (!search_spend_node(ai))
        return GENERATOR_PAUSED;
    walk->nodes++;
    MashAction action = rung->list[rung->next++];
    memcpy(trial, rung->state, ai->content->limits.state_bytes);
    search_apply_listed(ai, trial, action, walk->place);
    uint64_t hash = search_hash_update(ai, rung->state, rung->hash, trial);
    walk->plies[1].hash = hash;
    if (visit(walk, hash))
        return GENERATOR_CONTINUE;
    if (search_turn_is_over(ai, trial, walk->seat, walk->turn))
        return GENERATOR_TURN_FOUND;
    if (walk->rung + 1 < AI_PLAN_MAX)
        keep_in_beam(ai, trial, action);
    return GENERATOR_CONTINUE;
}

/* --- Both ------------------------------------------------------------------------------------- */

void turn_generator_begin(Ai *ai, const void *state, uint8_t seat, uint32_t chance_key,
                          uint32_t nodes_max, uint32_t abreast) {
    TurnGenerator *walk = &ai->walk;
    walk->rung = walk->nodes = walk->pool_count = 0;
    walk->nodes_max = nodes_max < WALK_NODES_MAX ? nodes_max : WALK_NODES_MAX;
    walk->turn = search_turn_number(ai, state);
    walk->place = chance_key;
    walk->seat = seat;
    walk->stamp++;
    walk->beam_width = abreast;
    walk->beam = walk->beam_index = 0;
    top_list_clear(&walk->beams[0], abreast);
    top_list_clear(&walk->beams[1], abreast);
    walk->plies[0].state = state;
    walk->plies[0].by_chance = false;
    walk->plies[0].hash = search_hash(ai, state);
    expand(ai, &walk->plies[0]);
}

GeneratorResult turn_generator_step(Ai *ai) {
    return ai->walk.beam_width == 0 ? step_depth_first(ai) : step_beam(ai);
}

const void *turn_generator_state(const Ai *ai) {
    const TurnGenerator *walk = &ai->walk;
    return walk->plies[walk->beam_width == 0 ? walk->rung + 1 : 1].own;
}

void turn_generator_path(const Ai *ai, ActionPath *out) {
    const TurnGenerator *walk = &ai->walk;
    const TurnEnd *from = walk->beam_width == 0 ? NULL : member_of(walk);
    out->count = walk->rung + 1;
    if (walk->beam_width == 0) {
        for (uint32_t i = 0; i <= walk->rung; i++)
            out->actions[i] = walk->plies[i].list[walk->plies[i].next - 1];
        return;
    }
    if (from != NULL)
        memcpy(out->actions, from->path.actions, walk->rung * sizeof *out->actions);
    out->actions[walk->rung] = walk->plies[0].list[walk->plies[0].next - 1];
}

void turn_generator_copy(const Ai *ai, TurnEnd *out) {
    const TurnGenerator *walk = &ai->walk;
    const GeneratorPly *last = &walk->plies[walk->beam_width == 0 ? walk->rung : 0];
    turn_generator_path(ai, &out->path);
    out->by_chance = last->by_chance || walk->drew;
    out->hash = last[1].hash;
    memcpy(out->state, turn_generator_state(ai), ai->content->limits.state_bytes);
}
