/* turn_generator.c -- see turn_generator.h. */
#include "ai/turn_generator.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "ai/internal.h"

/* What the word at a place adds to a hash; nothing if it is zero, as many are. */
static inline uint64_t word_part(uint64_t word, uint64_t chance_key) {
    uint64_t part = (word ^ chance_key * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
    part = (part ^ part >> 32) * 0xbf58476d1ce4e5b9u;
    return word == 0 ? 0 : part ^ part >> 29;
}

/* The last word of the core may be incomplete. */
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

/* A chunk: so many bytes that are compared at once; and how many of them make a set. */
enum { CHUNK = 4 * sizeof(uint64_t), SET_CHUNKS = 8 };

/* Eight bytes as a number; they need not be aligned. */
static inline uint64_t word_of(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Which words of a chunk are not the same: two bits for each, at least one of which is set. */
static inline uint64_t changed_words(const uint8_t *a, const uint8_t *b) {
#if defined(__SSE2__)
    __m128i low =
        _mm_cmpeq_epi32(_mm_loadu_si128((const void *)a), _mm_loadu_si128((const void *)b));
    __m128i high = _mm_cmpeq_epi32(_mm_loadu_si128((const void *)(a + 16)),
                                   _mm_loadu_si128((const void *)(b + 16)));
    __m128i same = _mm_packs_epi32(low, high);
    return (uint64_t)(~_mm_movemask_epi8(_mm_packs_epi16(same, same)) & 0xff);
#else
    uint64_t changed = 0;
    for (int word = 0; word < 4; word++)
        changed |= (uint64_t)(word_of(a + 8 * word) != word_of(b + 8 * word)) << 2 * word;
    return changed;
#endif
}

/* What a word that was changed adds to the hash. */
static inline uint64_t word_change(uint64_t was, uint64_t is, size_t at) {
    return was == is ? 0 : word_part(is, at + 1) - word_part(was, at + 1);
}

/* First all words that were changed are found, of some chunks at a time, as a set: one branch that
 * is hard to predict, not one for each. */
uint64_t search_hash_update(const Ai *ai, const void *before, uint64_t hash, const void *state) {
    const uint64_t odd = 0x5555555555555555u;
    size_t count = ai->content->limits.core_bytes, begin = 0;
    const uint8_t *old = before, *new = state;
    while (begin + CHUNK <= count) {
        uint64_t changed = 0;
        size_t chunk = begin;
        for (int bit = 0; bit < 8 * SET_CHUNKS && chunk + CHUNK <= count; bit += 8, chunk += CHUNK)
            changed |= changed_words(old + chunk, new + chunk) << bit;
        for (changed = (changed | changed >> 1) & odd; changed != 0; changed &= changed - 1) {
            size_t at = begin + sizeof(uint64_t) / 2 * (size_t)__builtin_ctzll(changed);
            hash += word_part(word_of(new + at), at + 1) - word_part(word_of(old + at), at + 1);
        }
        begin = chunk;
    }
    for (; begin < count; begin += sizeof(uint64_t))
        hash += word_change(word_at(old, begin, count), word_at(new, begin, count), begin);
    return hash;
}

uint32_t search_turn_number(const Ai *ai, const void *state) {
    return ai->evaluator->turn_number == NULL ? 0 : ai->evaluator->turn_number(ai->content, state);
}

bool search_turn_is_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn) {
    if (ai->evaluator->turn_number == NULL ||
        ai->evaluator->turn_number(ai->content, state) != turn)
        return true;
    return ai->game->awaited(ai->content, state) != 1u << seat;
}

void search_apply_listed(Ai *ai, void *state, MashAction action, uint32_t chance_key) {
    MashChance chance = search_chance(ai, ai->chance_sample, chance_key);
    uint64_t before = chance.counter;
    ai->game->apply_listed(ai->content, state, action, &chance, NULL);
    ai->generator.drew = chance.counter != before;
}

bool search_apply(Ai *ai, void *state, MashAction action, uint32_t chance_key) {
    if (ai->game->check(ai->content, state, action) != MASH_OK)
        return false;
    search_apply_listed(ai, state, action, chance_key);
    return true;
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* Descending, by Shell sort with Ciura's gaps. */
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

/* Lists the legal actions of a ply, highest priority first, without those that must not be tried
 * or are overlooked. */
static void expand(Ai *ai, GeneratorPly *ply) {
    TurnGenerator *generator = &ai->generator;
    uint32_t listed = ai->game->actions(ai->content, ply->state, generator->seat, generator->list);
    uint32_t count = 0;
    search_priorities(ai, ply->state, generator->seat, generator->list, listed,
                      generator->priorities);
    for (uint32_t i = 0; i < listed; i++)
        if (generator->priorities[i] != INT32_MIN && !search_overlooks(ai, generator->list[i]))
            generator->keys[count++] =
                (int64_t)generator->priorities[i] * ((int64_t)1 << 32) + (UINT32_MAX - i);
    sort_keys(generator->keys, count);
    if (count > generator->pool_max - generator->pool_count)
        count = generator->pool_max - generator->pool_count;
    ply->list = generator->pool + generator->pool_count;
    for (uint32_t i = 0; i < count; i++)
        ply->list[i] = generator->list[UINT32_MAX - (uint32_t)generator->keys[i]];
    ply->next = 0;
    ply->count = count;
    generator->pool_count += count;
}

/* Has this generator visited the state before? Marks it as visited. An entry is the low bits of a
 * hash, whose high ones say where it begins to look, and the number of the run. Most runs are short
 * and need only the small table, which stays in the processor's cache. */
static bool visit(TurnGenerator *generator, uint64_t hash) {
    uint64_t entry = hash << RUN_BITS | generator->run;
    uint64_t *visited = generator->visited + generator->table;
    uint32_t mask = generator->table == 0 ? VISITED_FEW - 1 : VISITED_MAX - 1;
    uint32_t at = (uint32_t)(hash >> PLACE_SHIFT) & mask;
    while ((visited[at] & RUNS_MASK) == generator->run) {
        if (visited[at] == entry)
            return true;
        at = (at + 1) & mask;
    }
    visited[at] = entry;
    return false;
}

/* The small table is half full: goes on with the large one, with all that was visited. */
static void visit_more(TurnGenerator *generator) {
    const uint64_t *few = generator->visited;
    generator->table = VISITED_FEW;
    for (uint32_t i = 0; i < VISITED_FEW; i++)
        if ((few[i] & RUNS_MASK) == generator->run)
            visit(generator, few[i] >> RUN_BITS);
}

/* Forgets all visited states: the table is cleared only when the numbers of runs are used up. */
static void forget_visited(TurnGenerator *generator) {
    generator->table = 0;
    generator->run = (generator->run + 1) & RUNS_MASK;
    if (generator->run != 0)
        return;
    memset(generator->visited, 0, (VISITED_FEW + VISITED_MAX) * sizeof *generator->visited);
    generator->run = 1;
}

/* --- Exhaustive generation -------------------------------------------------------------------- */

/* Back to the previous ply; the list of this ply is removed from the pool. GENERATOR_EXHAUSTED: it
 * is the first. */
static GeneratorResult backtrack(TurnGenerator *generator) {
    if (generator->ply == 0)
        return GENERATOR_EXHAUSTED;
    generator->pool_count -= generator->plies[generator->ply].count;
    generator->ply--;
    return GENERATOR_CONTINUE;
}

/* One more action may be tried. False: *stop says why not. */
static inline bool spend_node(Ai *ai, GeneratorResult *stop) {
    TurnGenerator *generator = &ai->generator;
    bool exhausted = generator->nodes >= generator->nodes_max;
    *stop = exhausted ? GENERATOR_EXHAUSTED : GENERATOR_PAUSED;
    if (exhausted || !search_spend_node(ai))
        return false;
    if (++generator->nodes == VISITED_FEW / 2)
        visit_more(generator);
    return true;
}

/* Tries the next action of an exhaustive generator, and continues from a state not visited before.
 */
static GeneratorResult step_depth_first(Ai *ai) {
    TurnGenerator *generator = &ai->generator;
    GeneratorPly *ply = &generator->plies[generator->ply], *above = ply + 1;
    if (ply->next == ply->count)
        return backtrack(generator);
    GeneratorResult stop;
    if (!spend_node(ai, &stop))
        return stop;
    memcpy(above->own, ply->state, ai->content->limits.state_bytes);
    search_apply_listed(ai, above->own, ply->list[ply->next++], generator->place);
    above->by_chance = ply->by_chance || generator->drew;
    above->hash = search_hash_update(ai, ply->state, ply->hash, above->own);
    if (visit(generator, above->hash))
        return GENERATOR_CONTINUE;
    if (search_turn_is_over(ai, above->own, generator->seat, generator->turn))
        return GENERATOR_TURN_FOUND;
    if (generator->ply + 1 < AI_PLAN_MAX) {
        above->state = above->own;
        generator->ply++;
        expand(ai, above);
    }
    return GENERATOR_CONTINUE;
}

/* --- Beam search ------------------------------------------------------------------------------ */

/* The state that is being expanded; none at the very beginning, which is the first ply. */
static const TurnEnd *member_of(const TurnGenerator *generator) {
    const TopList *beam = &generator->beams[generator->beam];
    return beam->count == 0 ? NULL : top_list_at(beam, generator->beam_index);
}

/* The state is fully expanded: continues with the next one, or one action deeper. */
static GeneratorResult next_in_beam(Ai *ai) {
    TurnGenerator *generator = &ai->generator;
    if (++generator->beam_index >= generator->beams[generator->beam].count) {
        generator->beam = 1 - generator->beam;
        generator->beam_index = 0;
        top_list_sort(&generator->beams[generator->beam]);
        top_list_clear(&generator->beams[1 - generator->beam], generator->beam_width);
        generator->ply++;
        if (generator->beams[generator->beam].count == 0)
            return GENERATOR_EXHAUSTED;
    }
    generator->pool_count = 0;
    generator->plies[0].state = member_of(generator)->state;
    generator->plies[0].by_chance = member_of(generator)->by_chance;
    generator->plies[0].hash = member_of(generator)->hash;
    expand(ai, &generator->plies[0]);
    return GENERATOR_CONTINUE;
}

/* Keeps the state after one more action if it is among the best. */
static void keep_in_beam(Ai *ai, const void *state, MashAction action) {
    TurnGenerator *generator = &ai->generator;
    const TurnEnd *from = member_of(generator);
    TurnEnd *end = top_list_insert(&generator->beams[1 - generator->beam],
                                   search_evaluate(ai, state, generator->seat), generator->nodes);
    if (end == NULL)
        return;
    end->path.count = 0;
    if (from != NULL)
        path_copy(&end->path, &from->path);
    end->path.actions[end->path.count++] = action;
    end->by_chance = generator->plies[0].by_chance || generator->drew;
    end->hash = generator->plies[1].hash;
    memcpy(end->state, state, ai->content->limits.state_bytes);
}

/* Tries the next action of the current state; keeps the result if it is among the best. */
static GeneratorResult step_beam(Ai *ai) {
    TurnGenerator *generator = &ai->generator;
    GeneratorPly *ply = &generator->plies[0];
    void *trial = generator->plies[1].own;
    if (ply->next == ply->count)
        return next_in_beam(ai);
    GeneratorResult stop;
    if (!spend_node(ai, &stop))
        return stop;
    MashAction action = ply->list[ply->next++];
    memcpy(trial, ply->state, ai->content->limits.state_bytes);
    search_apply_listed(ai, trial, action, generator->place);
    uint64_t hash = search_hash_update(ai, ply->state, ply->hash, trial);
    generator->plies[1].hash = hash;
    if (visit(generator, hash))
        return GENERATOR_CONTINUE;
    if (search_turn_is_over(ai, trial, generator->seat, generator->turn))
        return GENERATOR_TURN_FOUND;
    if (generator->ply + 1 < AI_PLAN_MAX)
        keep_in_beam(ai, trial, action);
    return GENERATOR_CONTINUE;
}

/* --- Both ------------------------------------------------------------------------------------- */

void turn_generator_begin(Ai *ai, const void *state, uint8_t seat, uint32_t chance_key,
                          uint32_t nodes_max, uint32_t beam_width) {
    TurnGenerator *generator = &ai->generator;
    generator->ply = generator->nodes = generator->pool_count = 0;
    generator->nodes_max = nodes_max < GENERATOR_NODES_MAX ? nodes_max : GENERATOR_NODES_MAX;
    generator->turn = search_turn_number(ai, state);
    generator->place = chance_key;
    generator->seat = seat;
    forget_visited(generator);
    generator->beam_width = beam_width;
    generator->beam = generator->beam_index = 0;
    top_list_clear(&generator->beams[0], beam_width);
    top_list_clear(&generator->beams[1], beam_width);
    generator->plies[0].state = state;
    generator->plies[0].by_chance = false;
    generator->plies[0].hash = search_hash(ai, state);
    expand(ai, &generator->plies[0]);
}

GeneratorResult turn_generator_step(Ai *ai) {
    return ai->generator.beam_width == 0 ? step_depth_first(ai) : step_beam(ai);
}

const void *turn_generator_state(const Ai *ai) {
    const TurnGenerator *generator = &ai->generator;
    return generator->plies[generator->beam_width == 0 ? generator->ply + 1 : 1].own;
}

void turn_generator_path(const Ai *ai, ActionPath *out) {
    const TurnGenerator *generator = &ai->generator;
    const TurnEnd *from = generator->beam_width == 0 ? NULL : member_of(generator);
    out->count = generator->ply + 1;
    if (generator->beam_width == 0) {
        for (uint32_t i = 0; i <= generator->ply; i++)
            out->actions[i] = generator->plies[i].list[generator->plies[i].next - 1];
        return;
    }
    if (from != NULL)
        memcpy(out->actions, from->path.actions, generator->ply * sizeof *out->actions);
    out->actions[generator->ply] = generator->plies[0].list[generator->plies[0].next - 1];
}

void turn_generator_copy(const Ai *ai, TurnEnd *out) {
    const TurnGenerator *generator = &ai->generator;
    const GeneratorPly *last = &generator->plies[generator->beam_width == 0 ? generator->ply : 0];
    turn_generator_path(ai, &out->path);
    out->by_chance = last->by_chance || generator->drew;
    out->hash = last[1].hash;
    memcpy(out->state, turn_generator_state(ai), ai->content->limits.state_bytes);
}
