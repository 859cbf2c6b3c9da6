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
static void layer_vector(const Layer *layer, const int16_t *input, int32_t *out) {
    const int16_t *weights = layer->weights;
    Lanes most = lanes_of(layer->most);
    for (uint32_t output = 0; output < layer->outputs; output += TABLE_NET_BLOCK) {
        const int32_t *base = layer->base + output;
        Lanes sums[4] = {lanes_load(base), lanes_load(base + 4), lanes_load(base + 8),
                         lanes_load(base + 12)};
        for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR) {
            Lanes both = lanes_of(pair_at(input, pair));
            for (int i = 0; i < 4; i++)
                sums[i] = lanes_add(sums[i], lanes_dot(both, lanes_load(weights + 8 * i)));
        }
        for (int i = 0; i < 4; i++) {
            int32_t *to = out + output + 4 * i;
            lanes_store(to, lanes_add(lanes_load(to), lanes_rectify(sums[i], most)));
        }
    }
}
#else
#define layer_vector layer_plain
#endif

#if defined(__SSE2__)
#define HAS_WIDE() __builtin_cpu_supports("avx2")
/* Adds a rectified sum to eight numbers. */
__attribute__((target("avx2"))) static inline void add_wide(int32_t *out, __m256i sum,
                                                            __m256i most) {
    sum = _mm256_max_epi32(_mm256_srai_epi32(sum, SHIFT), _mm256_setzero_si256());
    sum = _mm256_add_epi32(_mm256_loadu_si256((const void *)out), _mm256_min_epi32(sum, most));
    _mm256_storeu_si256((void *)out, sum);
}

__attribute__((target("avx2"))) static void layer_wide(const Layer *layer, const int16_t *input,
                                                       int32_t *out) {
    const int16_t *weights = layer->weights;
    __m256i most = _mm256_set1_epi32(layer->most);
    for (uint32_t output = 0; output < layer->outputs; output += TABLE_NET_BLOCK) {
        __m256i low = _mm256_loadu_si256((const void *)(layer->base + output));
        __m256i high = _mm256_loadu_si256((const void *)(layer->base + output + 8));
        for (uint32_t pair = 0; pair < layer->pairs; pair++, weights += PAIR) {
            __m256i both = _mm256_set1_epi32(pair_at(input, pair));
            __m256i first = _mm256_loadu_si256((const void *)weights);
            __m256i second = _mm256_loadu_si256((const void *)(weights + TABLE_NET_BLOCK));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(both, first));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(both, second));
        }
        add_wide(out + output, low, most);
        add_wide(out + output + 8, high, most);
    }
}
#else
#define HAS_WIDE() 0
#define layer_wide layer_vector
#endif

/* --- The net ---------------------------------------------------------------------------------- */

/* Appends to the inputs of the second layer: what is seen of a side. */
static void append_side(const TableNet *net, const int32_t *activations, const int16_t *side,
                        int16_t *out) {
    for (uint32_t i = 0; i < net->hidden1; i++)
        out[i] = (int16_t)activations[i];
    memcpy(out + net->hidden1, side, TABLE_NET_SIDE * sizeof *side);
}

/* The value by one way to compute layers. */
static inline int32_t evaluate_by(ComputeLayer *compute, const TableNet *net,
                                  const TableNetInput *input) {
    const Layer first = {net->first, net->first_base, UNIT_MOST, net->features_count / 2u,
                         net->hidden1};
    const Layer second = {net->second, net->second_base, SUM_MOST, table_net_inputs(net) / 2,
                          net->hidden2};
    int32_t units[TABLE_NET_SIDES][TABLE_NET_HIDDEN] = {{0}}, value = 0;
    int16_t seen[INPUTS_MOST];
    uint32_t side_inputs = net->hidden1 + (uint32_t)TABLE_NET_SIDE;
    for (int side = 0; side < TABLE_NET_SIDES; side++)
        for (int unit = 0; unit < input->counts[side]; unit++)
            compute(&first, input->units[side][unit], units[side]);
    memcpy(seen + TABLE_NET_SIDES * side_inputs, input->table, sizeof input->table);
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        int32_t judged[TABLE_NET_HIDDEN] = {0}, sum = 0;
        append_side(net, units[side], input->sides[side], seen);
        append_side(net, units[1 - side], input->sides[1 - side], seen + side_inputs);
        compute(&second, seen, judged);
        for (uint32_t i = 0; i < net->hidden2; i++)
            sum += net->last[i] * judged[i];
        value = side == 0 ? sum : value - sum;
    }
    return (int32_t)((int64_t)value * TABLE_NET_LOGIT / (TABLE_NET_ONE * TABLE_NET_WEIGHT));
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
