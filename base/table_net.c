/* table_net.c -- see table_net.h.
 *
 * A layer is computed by one of three functions that differ only in how many outputs they compute
 * at a time. Products of pairs of 16-bit numbers are summed into 32 bits, for which processors have
 * one instruction each; the order of sums does not matter for integers. */
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
    INPUTS_MOST = TABLE_NET_SIDES * (TABLE_NET_HIDDEN + TABLE_NET_SIDE) + TABLE_NET_TABLE,
    PAIR = 2 * TABLE_NET_BLOCK, /* weights of a pair of inputs in a block */
};
static_assert(1 << SHIFT == TABLE_NET_WEIGHT && TABLE_NET_UNITS * UNIT_MOST <= SUM_MOST,
              "sizes belong together");

/* One layer: its weights, where the rectified sums end, and how many inputs and outputs it has. */
typedef struct Layer {
    const int16_t *weights;
    const int32_t *base;
    int32_t most;
    uint32_t pairs, outputs;
} Layer;

/* Adds the rectified outputs of a layer to `out`. */
typedef void ComputeLayer(const Layer *layer, const int16_t *input, int32_t *out);

/* --- The three ways --------------------------------------------------------------------------- */

/* The reference. */
static void layer_plain(const Layer *layer, const int16_t *input, int32_t *out) {
    for (uint32_t output = 0; output < layer->outputs; output++) {
        uint32_t block = output / TABLE_NET_BLOCK * TABLE_NET_BLOCK;
        const int16_t *weights = layer->weights + block * 2 * layer->pairs + 2 * (output - block);
        int32_t sum = layer->base[output];
        for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR)
            sum += weights[0] * input[2 * pair] + weights[1] * input[2 * pair + 1];
        sum = sum < 0 ? 0 : sum >> SHIFT;
        out[output] += sum < layer->most ? sum : layer->most;
    }
}

/* A pair of inputs as one number. */
static inline int32_t pair_at(const int16_t *input, uint32_t pair) {
    int32_t both;
    memcpy(&both, input + (size_t)2 * pair, sizeof both);
    return both;
}

#if defined(__SSE2__)
/* Four numbers at a time. */
typedef __m128i Lanes;
static inline Lanes lanes_load(const void *from) { return _mm_loadu_si128(from); }
static inline void lanes_store(void *to, Lanes lanes) { _mm_storeu_si128(to, lanes); }
static inline Lanes lanes_of(int32_t number) { return _mm_set1_epi32(number); }
static inline Lanes lanes_add(Lanes a, Lanes b) { return _mm_add_epi32(a, b); }
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
static inline Lanes lanes_dot(Lanes a, Lanes b) { return wasm_i32x4_dot_i16x8(a, b); }
static inline Lanes lanes_rectify(Lanes sum, Lanes most) {
    sum = wasm_i32x4_max(wasm_i32x4_shr(sum, SHIFT), wasm_i32x4_splat(0));
    return wasm_i32x4_min(sum, most);
}
#endif

#if HAS_VECTOR
/* Adds a rectified sum to four numbers. */
static inline void add_vector(int32_t *out, Lanes sum, Lanes most) {
    lanes_store(out, lanes_add(lanes_load(out), lanes_rectify(sum, most)));
}

static void layer_vector(const Layer *layer, const int16_t *input, int32_t *out) {
    const int16_t *weights = layer->weights;
    Lanes most = lanes_of(layer->most);
    for (uint32_t output = 0; output < layer->outputs; output += TABLE_NET_BLOCK) {
        const int32_t *base = layer->base + output;
        Lanes a = lanes_load(base), b = lanes_load(base + 4);
        Lanes c = lanes_load(base + 8), d = lanes_load(base + 12);
        for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR) {
            Lanes both = lanes_of(pair_at(input, pair));
            a = lanes_add(a, lanes_dot(both, lanes_load(weights)));
            b = lanes_add(b, lanes_dot(both, lanes_load(weights + 8)));
            c = lanes_add(c, lanes_dot(both, lanes_load(weights + 16)));
            d = lanes_add(d, lanes_dot(both, lanes_load(weights + 24)));
        }
        add_vector(out + output, a, most);
        add_vector(out + output + 4, b, most);
        add_vector(out + output + 8, c, most);
        add_vector(out + output + 12, d, most);
    }
}
#else
#define layer_vector layer_plain
#endif

#if defined(__SSE2__)
#define HAS_WIDE() __builtin_cpu_supports("avx2")
#define WIDE       __attribute__((target("avx2")))

/* Adds a rectified sum to eight numbers. */
WIDE static inline void add_wide(int32_t *out, __m256i sum, __m256i most) {
    sum = _mm256_max_epi32(_mm256_srai_epi32(sum, SHIFT), _mm256_setzero_si256());
    sum = _mm256_add_epi32(_mm256_loadu_si256((const void *)out), _mm256_min_epi32(sum, most));
    _mm256_storeu_si256((void *)out, sum);
}

/* A sum of eight outputs, one pair of inputs further. */
#define NEXT_WIDE(sum, at)                                                                         \
    _mm256_add_epi32(sum, _mm256_madd_epi16(both, _mm256_loadu_si256((const void *)(at))))

/* One block of outputs. */
WIDE static void block_wide(const Layer *layer, uint32_t output, const int16_t *input,
                            int32_t *out) {
    const int16_t *weights = layer->weights + (size_t)output * 2 * layer->pairs;
    const int32_t *base = layer->base + output;
    __m256i most = _mm256_set1_epi32(layer->most);
    __m256i a = _mm256_loadu_si256((const void *)base);
    __m256i b = _mm256_loadu_si256((const void *)(base + 8));
    for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR) {
        __m256i both = _mm256_set1_epi32(pair_at(input, pair));
        a = NEXT_WIDE(a, weights);
        b = NEXT_WIDE(b, weights + TABLE_NET_BLOCK);
    }
    add_wide(out + output, a, most);
    add_wide(out + output + 8, b, most);
}

/* Two blocks at once, the usual size of a layer. */
WIDE static void two_blocks_wide(const Layer *layer, const int16_t *input, int32_t *out) {
    const int16_t *weights = layer->weights, *other = weights + (size_t)PAIR * layer->pairs;
    const int32_t *base = layer->base;
    __m256i most = _mm256_set1_epi32(layer->most);
    __m256i a = _mm256_loadu_si256((const void *)base);
    __m256i b = _mm256_loadu_si256((const void *)(base + 8));
    __m256i c = _mm256_loadu_si256((const void *)(base + 16));
    __m256i d = _mm256_loadu_si256((const void *)(base + 24));
    for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR, other += PAIR) {
        __m256i both = _mm256_set1_epi32(pair_at(input, pair));
        a = NEXT_WIDE(a, weights);
        b = NEXT_WIDE(b, weights + TABLE_NET_BLOCK);
        c = NEXT_WIDE(c, other);
        d = NEXT_WIDE(d, other + TABLE_NET_BLOCK);
    }
    add_wide(out, a, most);
    add_wide(out + 8, b, most);
    add_wide(out + 16, c, most);
    add_wide(out + 24, d, most);
}

static void layer_wide(const Layer *layer, const int16_t *input, int32_t *out) {
    if (layer->outputs == 2 * TABLE_NET_BLOCK)
        two_blocks_wide(layer, input, out);
    else
        for (uint32_t output = 0; output < layer->outputs; output += TABLE_NET_BLOCK)
            block_wide(layer, output, input, out);
}
#else
#define HAS_WIDE() 0
#define layer_wide layer_vector
#endif

/* --- The net ---------------------------------------------------------------------------------- */

/* What the second layer sees of a side: whole blocks, so that compilers use wide instructions. */
static inline void see_side(const TableNet *net, const int32_t *activations, const int16_t *side,
                            int16_t *out) {
    for (uint32_t i = 0; i < net->hidden1; i += TABLE_NET_BLOCK)
        for (uint32_t j = 0; j < TABLE_NET_BLOCK; j++)
            out[i + j] = (int16_t)activations[i + j];
    memcpy(out + net->hidden1, side, TABLE_NET_SIDE * sizeof *side);
}

/* The output, from the activations of the second layer. */
static inline int32_t output_of(const TableNet *net, const int32_t *activations) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < net->hidden2; i += TABLE_NET_BLOCK)
        for (uint32_t j = 0; j < TABLE_NET_BLOCK; j++)
            sum += net->last[i + j] * activations[i + j];
    return sum;
}

/* The value by one way to compute layers. */
static inline int32_t evaluate_by(ComputeLayer *compute, const TableNet *net,
                                  const TableNetInput *input) {
    const Layer first = {net->first, net->first_base, UNIT_MOST, net->features_count / 2u,
                         net->hidden1};
    const Layer second = {net->second, net->second_base, SUM_MOST, table_net_inputs(net) / 2,
                          net->hidden2};
    uint32_t side_inputs = net->hidden1 + (uint32_t)TABLE_NET_SIDE;
    int32_t activations[TABLE_NET_HIDDEN], values[TABLE_NET_SIDES];
    int16_t sides[TABLE_NET_SIDES][TABLE_NET_HIDDEN + TABLE_NET_SIDE], seen[INPUTS_MOST];
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        memset(activations, 0, sizeof activations);
        for (int unit = 0; unit < input->counts[side]; unit++)
            compute(&first, input->units[side][unit], activations);
        see_side(net, activations, input->sides[side], sides[side]);
    }
    memcpy(seen + TABLE_NET_SIDES * side_inputs, input->table, sizeof input->table);
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        memset(activations, 0, sizeof activations);
        memcpy(seen, sides[side], side_inputs * sizeof *seen);
        memcpy(seen + side_inputs, sides[1 - side], side_inputs * sizeof *seen);
        compute(&second, seen, activations);
        values[side] = output_of(net, activations);
    }
    int64_t difference = (int64_t)values[0] - values[1];
    return (int32_t)(difference * TABLE_NET_LOGIT / (TABLE_NET_ONE * TABLE_NET_WEIGHT));
}

bool table_net_has(TableNetWay way) {
    return way == TABLE_NET_PLAIN || (way == TABLE_NET_VECTOR && HAS_VECTOR) ||
           (way == TABLE_NET_WIDE && HAS_WIDE());
}

int32_t table_net_by(TableNetWay way, const TableNet *net, const TableNetInput *input) {
    return way == TABLE_NET_WIDE     ? evaluate_by(layer_wide, net, input)
           : way == TABLE_NET_VECTOR ? evaluate_by(layer_vector, net, input)
                                     : evaluate_by(layer_plain, net, input);
}

int32_t table_net_evaluate(const TableNet *net, const TableNetInput *input) {
    return HAS_WIDE() ? evaluate_by(layer_wide, net, input) : evaluate_by(layer_vector, net, input);
}

/* --- Checks ----------------------------------------------------------------------------------- */

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
    const Layer first = {net->first, net->first_base, UNIT_MOST, net->features_count / 2u,
                         net->hidden1};
    const Layer second = {net->second, net->second_base, SUM_MOST, table_net_inputs(net) / 2,
                          net->hidden2};
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
