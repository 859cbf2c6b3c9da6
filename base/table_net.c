/* table_net.c -- see table_net.h.
 *
 * Each layer is computed by one of four functions that differ only in how many outputs they compute
 * at a time. Products of pairs of 16-bit numbers are summed into 32 bits, for which processors have
 * one instruction each; the order of sums does not matter for integers. Both points of view go
 * through the second layer together, so that each weight is loaded once. */
#include "base/table_net.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

#if defined(__SSE2__)
#include <immintrin.h>
#define HAS_VECTOR 1
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define HAS_VECTOR 1
#else
#define HAS_VECTOR 0
#endif

enum {
    SHIFT = 8,                      /* TABLE_NET_WEIGHT as a power of two */
    UNIT_MOST = TABLE_NET_MOST - 1, /* of an activation: eight units stay within 16 bits */
    SUM_MOST = INT16_MAX,
    PAIR = 2 * TABLE_NET_BLOCK, /* weights of a pair of inputs in a block */
};
static_assert(1 << SHIFT == TABLE_NET_WEIGHT && TABLE_NET_UNITS * UNIT_MOST <= SUM_MOST,
              "sizes belong together");

/* What the second layer sees, in pairs of inputs: first those of one side, then of the other, then
 * of the table. Features at the end of a side that are zero for both, and of the table, are left
 * out. */
typedef struct Seen {
    uint32_t side_pairs, table_pairs;
    int16_t sides[TABLE_NET_SIDES][TABLE_NET_HIDDEN + TABLE_NET_SIDE];
    const int16_t *table;
} Seen;

/* The two layers; all ways to compute them give the same. The first: activations of a side, which
 * are the rectified sums of its units, added up. The second: the output from the first side's point
 * of view, minus the one from the other's. */
typedef void FirstLayer(const TableNet *net, const int16_t (*rows)[TABLE_NET_FEATURES],
                        uint32_t count, int16_t *out);
typedef int32_t SecondLayer(const TableNet *net, const Seen *seen);

/* Where a block of outputs has its weights in a layer of so many inputs. */
static inline const int16_t *block_of(const int16_t *weights, uint32_t output, uint32_t inputs) {
    return weights + (size_t)output * inputs;
}

/* Where the weights for the other side and for the table begin in a block of the second layer. */
static inline size_t side_weights(const TableNet *net) {
    return (net->hidden1 + (size_t)TABLE_NET_SIDE) * TABLE_NET_BLOCK;
}

/* --- Plain C, the reference ------------------------------------------------------------------- */

/* What pairs of inputs add to an output. */
static int32_t sum_plain(const int16_t *weights, const int16_t *input, uint32_t pairs) {
    int32_t sum = 0;
    for (uint32_t pair = 0; pair < pairs; pair++, weights += PAIR)
        sum += weights[0] * input[2 * pair] + weights[1] * input[2 * pair + 1];
    return sum;
}

/* Shifted, and between 0 and most. */
static int32_t rectify_plain(int32_t sum, int32_t most) {
    sum = sum < 0 ? 0 : sum >> SHIFT;
    return sum < most ? sum : most;
}

static void first_plain(const TableNet *net, const int16_t (*rows)[TABLE_NET_FEATURES],
                        uint32_t count, int16_t *out) {
    for (uint32_t output = 0; output < net->hidden1; output++) {
        uint32_t block = output / TABLE_NET_BLOCK * TABLE_NET_BLOCK;
        const int16_t *weights =
            block_of(net->first, block, net->features_count) + 2 * (output - block);
        int32_t total = 0;
        for (uint32_t unit = 0; unit < count; unit++)
            total += rectify_plain(net->first_base[output] +
                                       sum_plain(weights, rows[unit], net->features_count / 2u),
                                   UNIT_MOST);
        out[output] = (int16_t)total;
    }
}

static int32_t second_plain(const TableNet *net, const Seen *seen) {
    int32_t difference = 0;
    for (uint32_t output = 0; output < net->hidden2; output++) {
        uint32_t block = output / TABLE_NET_BLOCK * TABLE_NET_BLOCK;
        const int16_t *own =
            block_of(net->second, block, table_net_inputs(net)) + 2 * (output - block);
        const int16_t *other = own + side_weights(net), *table = other + side_weights(net);
        int32_t common =
            net->second_base[output] + sum_plain(table, seen->table, seen->table_pairs);
        for (int side = 0; side < TABLE_NET_SIDES; side++) {
            int32_t sum = common + sum_plain(own, seen->sides[side], seen->side_pairs) +
                          sum_plain(other, seen->sides[1 - side], seen->side_pairs);
            int32_t activation = net->last[output] * rectify_plain(sum, SUM_MOST);
            difference += side == 0 ? activation : -activation;
        }
    }
    return difference;
}

/* --- 128 bits at a time ----------------------------------------------------------------------- */

/* A pair of inputs as one number. */
static inline int32_t pair_at(const int16_t *input, uint32_t pair) {
    int32_t both;
    memcpy(&both, input + (size_t)2 * pair, sizeof both);
    return both;
}

/* Sums as activations, which fit into 16 bits. */
static inline void narrow(const int32_t *sums, int16_t *out) {
    for (uint32_t i = 0; i < TABLE_NET_BLOCK; i++)
        out[i] = (int16_t)sums[i];
}

/* What the activations of a block add to the output. */
static inline int32_t output_of(const int16_t *last, const int32_t *activations) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < TABLE_NET_BLOCK; i++)
        sum += last[i] * activations[i];
    return sum;
}

#if defined(__SSE2__)
/* Four numbers at a time. */
typedef __m128i Lanes;
static inline Lanes lanes_load(const void *from) { return _mm_loadu_si128(from); }
static inline void lanes_store(void *to, Lanes lanes) { _mm_storeu_si128(to, lanes); }
static inline Lanes lanes_of(int32_t number) { return _mm_set1_epi32(number); }
static inline Lanes lanes_add(Lanes a, Lanes b) { return _mm_add_epi32(a, b); }
static inline Lanes lanes_less(Lanes a, Lanes b) { return _mm_sub_epi32(a, b); }
static inline Lanes lanes_dot(Lanes a, Lanes b) { return _mm_madd_epi16(a, b); }
/* Shifted, and between 0 and most: SSE2 has no such comparison of 32 bits as one instruction. */
static inline Lanes lanes_rectify(Lanes sum, Lanes most) {
    sum = _mm_srai_epi32(sum, SHIFT);
    sum = _mm_and_si128(sum, _mm_cmpgt_epi32(sum, _mm_setzero_si128()));
    Lanes over = _mm_cmpgt_epi32(sum, most);
    return _mm_or_si128(_mm_and_si128(over, most), _mm_andnot_si128(over, sum));
}
#elif HAS_VECTOR
typedef v128_t Lanes;
static inline Lanes lanes_load(const void *from) { return wasm_v128_load(from); }
static inline void lanes_store(void *to, Lanes lanes) { wasm_v128_store(to, lanes); }
static inline Lanes lanes_of(int32_t number) { return wasm_i32x4_splat(number); }
static inline Lanes lanes_add(Lanes a, Lanes b) { return wasm_i32x4_add(a, b); }
static inline Lanes lanes_less(Lanes a, Lanes b) { return wasm_i32x4_sub(a, b); }
static inline Lanes lanes_dot(Lanes a, Lanes b) { return wasm_i32x4_dot_i16x8(a, b); }
static inline Lanes lanes_rectify(Lanes sum, Lanes most) {
    sum = wasm_i32x4_max(wasm_i32x4_shr(sum, SHIFT), wasm_i32x4_splat(0));
    return wasm_i32x4_min(sum, most);
}
#endif

#if HAS_VECTOR
/* The sums of a block. */
typedef struct BlockSums {
    Lanes a, b, c, d;
} BlockSums;

static inline BlockSums load_sums(const int32_t *base) {
    return (BlockSums){lanes_load(base), lanes_load(base + 4), lanes_load(base + 8),
                       lanes_load(base + 12)};
}

/* One pair of inputs more. */
static inline void add_pair(BlockSums *sums, Lanes both, const int16_t *weights) {
    sums->a = lanes_add(sums->a, lanes_dot(both, lanes_load(weights)));
    sums->b = lanes_add(sums->b, lanes_dot(both, lanes_load(weights + 8)));
    sums->c = lanes_add(sums->c, lanes_dot(both, lanes_load(weights + 16)));
    sums->d = lanes_add(sums->d, lanes_dot(both, lanes_load(weights + 24)));
}

static inline void add_pairs(BlockSums *sums, const int16_t *input, const int16_t *weights,
                             uint32_t pairs) {
    for (uint32_t pair = 0; pair < pairs; pair++, weights += PAIR)
        add_pair(sums, lanes_of(pair_at(input, pair)), weights);
}

static void first_vector(const TableNet *net, const int16_t (*rows)[TABLE_NET_FEATURES],
                         uint32_t count, int16_t *out) {
    Lanes most = lanes_of(UNIT_MOST), zero = lanes_of(0);
    int32_t totals[TABLE_NET_BLOCK];
    for (uint32_t output = 0; output < net->hidden1; output += TABLE_NET_BLOCK) {
        const int16_t *weights = block_of(net->first, output, net->features_count);
        BlockSums total = {zero, zero, zero, zero};
        for (uint32_t unit = 0; unit < count; unit++) {
            BlockSums sums = load_sums(net->first_base + output);
            add_pairs(&sums, rows[unit], weights, net->features_count / 2u);
            total.a = lanes_add(total.a, lanes_rectify(sums.a, most));
            total.b = lanes_add(total.b, lanes_rectify(sums.b, most));
            total.c = lanes_add(total.c, lanes_rectify(sums.c, most));
            total.d = lanes_add(total.d, lanes_rectify(sums.d, most));
        }
        memcpy(totals, &total, sizeof totals);
        narrow(totals, out + output);
    }
}

static int32_t second_vector(const TableNet *net, const Seen *seen) {
    Lanes most = lanes_of(SUM_MOST);
    int32_t difference[TABLE_NET_BLOCK], sum = 0;
    for (uint32_t output = 0; output < net->hidden2; output += TABLE_NET_BLOCK) {
        const int16_t *own = block_of(net->second, output, table_net_inputs(net));
        const int16_t *other = own + side_weights(net);
        BlockSums first = load_sums(net->second_base + output);
        add_pairs(&first, seen->table, other + side_weights(net), seen->table_pairs);
        BlockSums second = first;
        for (uint32_t pair = 0; pair < seen->side_pairs; pair++, own += PAIR, other += PAIR) {
            Lanes one = lanes_of(pair_at(seen->sides[0], pair));
            Lanes two = lanes_of(pair_at(seen->sides[1], pair));
            add_pair(&first, one, own);
            add_pair(&second, two, own);
            add_pair(&first, two, other);
            add_pair(&second, one, other);
        }
        lanes_store(difference,
                    lanes_less(lanes_rectify(first.a, most), lanes_rectify(second.a, most)));
        lanes_store(difference + 4,
                    lanes_less(lanes_rectify(first.b, most), lanes_rectify(second.b, most)));
        lanes_store(difference + 8,
                    lanes_less(lanes_rectify(first.c, most), lanes_rectify(second.c, most)));
        lanes_store(difference + 12,
                    lanes_less(lanes_rectify(first.d, most), lanes_rectify(second.d, most)));
        sum += output_of(net->last + output, difference);
    }
    return sum;
}
#else
#define first_vector  first_plain
#define second_vector second_plain
#endif

/* --- 256 bits at a time ----------------------------------------------------------------------- */

#if defined(__SSE2__)
#define HAS_WIDE() __builtin_cpu_supports("avx2")
#define WIDE       __attribute__((target("avx2")))

/* Shifted, and between 0 and most. */
WIDE static inline __m256i rectify_wide(__m256i sum, __m256i most) {
    sum = _mm256_max_epi32(_mm256_srai_epi32(sum, SHIFT), _mm256_setzero_si256());
    return _mm256_min_epi32(sum, most);
}

WIDE static inline __m256i load_wide(const void *from) { return _mm256_loadu_si256(from); }

/* A sum of eight outputs, one pair of inputs further. */
#define NEXT_WIDE(sum, both, at) _mm256_add_epi32(sum, _mm256_madd_epi16(both, load_wide(at)))

WIDE static void first_wide(const TableNet *net, const int16_t (*rows)[TABLE_NET_FEATURES],
                            uint32_t count, int16_t *out) {
    __m256i most = _mm256_set1_epi32(UNIT_MOST);
    for (uint32_t output = 0; output < net->hidden1; output += TABLE_NET_BLOCK) {
        const int16_t *weights = block_of(net->first, output, net->features_count);
        const int32_t *base = net->first_base + output;
        __m256i low = _mm256_setzero_si256(), high = low;
        for (uint32_t unit = 0; unit < count; unit++) {
            __m256i a = load_wide(base), b = load_wide(base + 8);
            const int16_t *at = weights, *row = rows[unit];
            for (uint32_t pair = 0; pair < net->features_count / 2u; pair++, at += PAIR) {
                __m256i both = _mm256_set1_epi32(pair_at(row, pair));
                a = NEXT_WIDE(a, both, at);
                b = NEXT_WIDE(b, both, at + TABLE_NET_BLOCK);
            }
            low = _mm256_add_epi32(low, rectify_wide(a, most));
            high = _mm256_add_epi32(high, rectify_wide(b, most));
        }
        __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
        _mm256_storeu_si256((void *)(out + output), packed);
    }
}

WIDE static int32_t second_wide(const TableNet *net, const Seen *seen) {
    __m256i most = _mm256_set1_epi32(SUM_MOST);
    int32_t difference[TABLE_NET_BLOCK], sum = 0;
    for (uint32_t output = 0; output < net->hidden2; output += TABLE_NET_BLOCK) {
        const int16_t *own = block_of(net->second, output, table_net_inputs(net));
        const int16_t *other = own + side_weights(net), *table = other + side_weights(net);
        __m256i a = load_wide(net->second_base + output);
        __m256i b = load_wide(net->second_base + output + 8);
        for (uint32_t pair = 0; pair < seen->table_pairs; pair++, table += PAIR) {
            __m256i both = _mm256_set1_epi32(pair_at(seen->table, pair));
            a = NEXT_WIDE(a, both, table);
            b = NEXT_WIDE(b, both, table + TABLE_NET_BLOCK);
        }
        __m256i c = a, d = b;
        for (uint32_t pair = 0; pair < seen->side_pairs; pair++, own += PAIR, other += PAIR) {
            __m256i one = _mm256_set1_epi32(pair_at(seen->sides[0], pair));
            __m256i two = _mm256_set1_epi32(pair_at(seen->sides[1], pair));
            a = NEXT_WIDE(NEXT_WIDE(a, one, own), two, other);
            b = NEXT_WIDE(NEXT_WIDE(b, one, own + TABLE_NET_BLOCK), two, other + TABLE_NET_BLOCK);
            c = NEXT_WIDE(NEXT_WIDE(c, two, own), one, other);
            d = NEXT_WIDE(NEXT_WIDE(d, two, own + TABLE_NET_BLOCK), one, other + TABLE_NET_BLOCK);
        }
        a = _mm256_sub_epi32(rectify_wide(a, most), rectify_wide(c, most));
        b = _mm256_sub_epi32(rectify_wide(b, most), rectify_wide(d, most));
        _mm256_storeu_si256((void *)difference, a);
        _mm256_storeu_si256((void *)(difference + 8), b);
        sum += output_of(net->last + output, difference);
    }
    return sum;
}

/* --- 512 bits at a time ----------------------------------------------------------------------- */

#define HAS_WIDEST() __builtin_cpu_supports("avx512vnni")
#define WIDEST       __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))

/* Shifted, and between 0 and most. */
WIDEST static inline __m512i rectify_widest(__m512i sum, __m512i most) {
    sum = _mm512_max_epi32(_mm512_srai_epi32(sum, SHIFT), _mm512_setzero_si512());
    return _mm512_min_epi32(sum, most);
}

WIDEST static inline __m512i load_widest(const void *from) { return _mm512_loadu_si512(from); }

/* Two blocks of sums, one pair of inputs further; `next`: from a block's weights to the other's. */
#define NEXT_WIDEST(low, high, both, at, next)                                                     \
    (low = _mm512_dpwssd_epi32(low, both, load_widest(at)),                                        \
     high = _mm512_dpwssd_epi32(high, both, load_widest((at) + (next))))

/* All outputs are computed, as two blocks; if there is only one, it is computed twice. */
WIDEST static void first_widest(const TableNet *net, const int16_t (*rows)[TABLE_NET_FEATURES],
                                uint32_t count, int16_t *out) {
    uint32_t second = net->hidden1 - TABLE_NET_BLOCK;
    const int16_t *weights = net->first;
    size_t next = (size_t)second * net->features_count;
    __m512i most = _mm512_set1_epi32(UNIT_MOST), low = _mm512_setzero_si512(), high = low;
    for (uint32_t unit = 0; unit < count; unit++) {
        const int16_t *at = weights, *row = rows[unit];
        __m512i a = load_widest(net->first_base), b = load_widest(net->first_base + second);
        for (uint32_t pair = 0; pair < net->features_count / 2u; pair++, at += PAIR) {
            __m512i both = _mm512_set1_epi32(pair_at(row, pair));
            NEXT_WIDEST(a, b, both, at, next);
        }
        low = _mm512_add_epi32(low, rectify_widest(a, most));
        high = _mm512_add_epi32(high, rectify_widest(b, most));
    }
    _mm256_storeu_si256((void *)(out + second), _mm512_cvtepi32_epi16(high));
    _mm256_storeu_si256((void *)out, _mm512_cvtepi32_epi16(low));
}

/* What a block adds to the difference of the outputs. */
WIDEST static inline __m512i output_widest(const int16_t *last, __m512i first, __m512i second) {
    __m512i most = _mm512_set1_epi32(SUM_MOST);
    __m512i less = _mm512_sub_epi32(rectify_widest(first, most), rectify_widest(second, most));
    return _mm512_mullo_epi32(_mm512_cvtepi16_epi32(load_wide(last)), less);
}

WIDEST static int32_t second_widest(const TableNet *net, const Seen *seen) {
    uint32_t second = net->hidden2 - TABLE_NET_BLOCK;
    size_t next = (size_t)second * table_net_inputs(net);
    const int16_t *own = net->second, *other = own + side_weights(net);
    const int16_t *table = other + side_weights(net);
    __m512i a = load_widest(net->second_base), b = load_widest(net->second_base + second);
    for (uint32_t pair = 0; pair < seen->table_pairs; pair++, table += PAIR) {
        __m512i both = _mm512_set1_epi32(pair_at(seen->table, pair));
        NEXT_WIDEST(a, b, both, table, next);
    }
    /* Of both points of view, by own units and by the other's: chains that do not wait. */
    __m512i c = a, d = b, e = _mm512_setzero_si512(), f = e, g = e, h = e;
    for (uint32_t pair = 0; pair < seen->side_pairs; pair++, own += PAIR, other += PAIR) {
        __m512i one = _mm512_set1_epi32(pair_at(seen->sides[0], pair));
        __m512i two = _mm512_set1_epi32(pair_at(seen->sides[1], pair));
        NEXT_WIDEST(a, b, one, own, next);
        NEXT_WIDEST(c, d, two, own, next);
        NEXT_WIDEST(e, f, two, other, next);
        NEXT_WIDEST(g, h, one, other, next);
    }
    __m512i sum = output_widest(net->last, _mm512_add_epi32(a, e), _mm512_add_epi32(c, g));
    if (second > 0)
        sum = _mm512_add_epi32(
            sum, output_widest(net->last + second, _mm512_add_epi32(b, f), _mm512_add_epi32(d, h)));
    return _mm512_reduce_add_epi32(sum);
}
#else
#define HAS_WIDE()    0
#define HAS_WIDEST()  0
#define first_wide    first_vector
#define second_wide   second_vector
#define first_widest  first_vector
#define second_widest second_vector
#endif

/* --- The net ---------------------------------------------------------------------------------- */

/* How many of these features there are before those that are zero in both lists; whole words. */
static inline uint32_t used_of(const int16_t *a, const int16_t *b, uint32_t count) {
    enum { WORD = sizeof(uint64_t) / sizeof(int16_t) };
    for (; count > 0; count -= WORD) {
        uint64_t one, two;
        memcpy(&one, a + count - WORD, sizeof one);
        memcpy(&two, b + count - WORD, sizeof two);
        if ((one | two) != 0)
            return count;
    }
    return 0;
}

/* The layers of each way. */
static const struct {
    FirstLayer *first;
    SecondLayer *second;
} ways[TABLE_NET_WAYS] = {
    [TABLE_NET_PLAIN] = {first_plain, second_plain},
    [TABLE_NET_VECTOR] = {first_vector, second_vector},
    [TABLE_NET_WIDE] = {first_wide, second_wide},
    [TABLE_NET_WIDEST] = {first_widest, second_widest},
};

bool table_net_has(TableNetWay way) {
    return way == TABLE_NET_PLAIN || (way == TABLE_NET_VECTOR && HAS_VECTOR) ||
           (way == TABLE_NET_WIDE && HAS_WIDE()) || (way == TABLE_NET_WIDEST && HAS_WIDEST());
}

/* The activations of a unit: as they are kept, or by the first layer. Rows are compared, so that it
 * does not matter which of them share a place. */
static const int16_t *activations_of(FirstLayer *first, const TableNet *net,
                                     const int16_t (*row)[TABLE_NET_FEATURES], TableNetKept *kept) {
    enum { WORDS = TABLE_NET_FEATURES / 4 };
    static const uint64_t odd[] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
                                   0xd6e8feb86659fd93u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u,
                                   0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu};
    static_assert(sizeof odd == sizeof *row, "a number for each word");
    uint64_t words[WORDS], there[WORDS], hash = 0, other = 0;
    memcpy(words, row, sizeof words);
    for (uint32_t i = 0; i < WORDS; i++)
        hash += words[i] * odd[i];
    uint32_t place = (uint32_t)(hash >> (64 - TABLE_NET_KEPT_BITS));
    memcpy(there, kept->units[place].row, sizeof there);
    for (uint32_t i = 0; i < WORDS; i++)
        other |= there[i] ^ words[i];
    if (other != 0) {
        memcpy(kept->units[place].row, row, sizeof *row);
        first(net, row, 1, kept->units[place].activations);
    }
    return kept->units[place].activations;
}

/* The sum of the activations of a side, which is what the first layer gives for it. */
static void sum_kept(FirstLayer *first, const TableNet *net,
                     const int16_t (*rows)[TABLE_NET_FEATURES], uint32_t count, TableNetKept *kept,
                     int16_t *out) {
    int16_t sums[TABLE_NET_HIDDEN] = {0};
    for (uint32_t unit = 0; unit < count; unit++) {
        const int16_t *activations = activations_of(first, net, rows + unit, kept);
        for (uint32_t i = 0; i < TABLE_NET_HIDDEN; i++)
            sums[i] = (int16_t)(sums[i] + activations[i]);
    }
    memcpy(out, sums, net->hidden1 * sizeof *out);
}

int32_t table_net_by(TableNetWay way, const TableNet *net, const TableNetInput *input,
                     TableNetKept *kept) {
    uint32_t features = used_of(input->sides[0], input->sides[1], TABLE_NET_SIDE);
    FirstLayer *first = ways[way].first;
    Seen seen;
    seen.side_pairs = (net->hidden1 + features) / 2;
    seen.table_pairs = used_of(input->table, input->table, TABLE_NET_TABLE) / 2;
    seen.table = input->table;
    if (kept != NULL && kept->net != net) {
        memset(kept, 0, sizeof *kept);
        kept->net = net;
        /* The only row that would be found in zeroed memory: its hash is 0. */
        first(net, (const int16_t(*)[TABLE_NET_FEATURES]) & kept->units[0].row, 1,
              kept->units[0].activations);
    }
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        int16_t *sums = seen.sides[side];
        if (kept != NULL)
            sum_kept(first, net, input->units[side], input->counts[side], kept, sums);
        else
            first(net, input->units[side], input->counts[side], sums);
        memcpy(sums + net->hidden1, input->sides[side], sizeof input->sides[side]);
    }
    return (int32_t)((int64_t)ways[way].second(net, &seen) * TABLE_NET_LOGIT /
                     (TABLE_NET_ONE * TABLE_NET_WEIGHT));
}

/* The fastest way of this processor. */
static TableNetWay fastest(void) {
    return HAS_WIDEST() ? TABLE_NET_WIDEST : HAS_WIDE() ? TABLE_NET_WIDE : TABLE_NET_VECTOR;
}

int32_t table_net_evaluate(const TableNet *net, const TableNetInput *input) {
    return table_net_by(fastest(), net, input, NULL);
}

/* With long vectors, or few outputs, a unit is computed as fast as it is found. */
int32_t table_net_evaluate_kept(const TableNet *net, const TableNetInput *input,
                                TableNetKept *kept) {
    TableNetWay way = fastest();
    bool pays = way == TABLE_NET_VECTOR && net->hidden1 > TABLE_NET_BLOCK;
    return table_net_by(way, net, input, pays ? kept : NULL);
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* One layer: its weights, and how many inputs and outputs it has. */
typedef struct Layer {
    const int16_t *weights;
    const int32_t *base;
    uint32_t pairs, outputs;
} Layer;

/* Does each output of a layer stay within 32 bits, with inputs up to `most`? */
static bool layer_fits(const Layer *layer, int64_t most) {
    for (uint32_t output = 0; output < layer->outputs; output++) {
        uint32_t block = output / TABLE_NET_BLOCK * TABLE_NET_BLOCK;
        const int16_t *weights = layer->weights + block * 2 * layer->pairs + 2 * (output - block);
        int64_t base = layer->base[output], sum = base < 0 ? -base : base;
        for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR)
            for (int i = 0; i < 2; i++)
                sum += most * (weights[i] < 0 ? -weights[i] : weights[i]);
        if (sum > INT32_MAX)
            return false;
    }
    return true;
}

bool table_net_fits(const TableNet *net) {
    int64_t last = 0;
    if (net->features_count % 2 != 0 || net->features_count == 0 ||
        net->features_count > TABLE_NET_FEATURES || net->hidden1 % TABLE_NET_BLOCK != 0 ||
        net->hidden1 > TABLE_NET_HIDDEN || net->hidden2 % TABLE_NET_BLOCK != 0 ||
        net->hidden2 > TABLE_NET_HIDDEN)
        return false;
    const Layer first = {net->first, net->first_base, net->features_count / 2u, net->hidden1};
    const Layer second = {net->second, net->second_base, table_net_inputs(net) / 2, net->hidden2};
    for (uint32_t i = 0; i < net->hidden2; i++)
        last += net->last[i] < 0 ? -net->last[i] : net->last[i];
    return layer_fits(&first, TABLE_NET_MOST) && layer_fits(&second, SUM_MOST) &&
           2 * last * SUM_MOST <= INT32_MAX;
}

uint64_t table_net_mark(uint64_t start, const TableNetInput *input) {
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        start = hash_number(start, input->counts[side]);
        start = hash_bytes(start, input->units[side],
                           input->counts[side] * sizeof input->units[side][0]);
    }
    start = hash_bytes(start, input->sides, sizeof input->sides);
    return hash_bytes(start, input->table, sizeof input->table);
}
