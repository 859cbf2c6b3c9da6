/* marvelous_mashup.c -- trains the weights of games/marvelous-mashup/evaluation_net.h from
 * self-play.
 *
 * AI players that choose the best turn by the current weights play each other, with occasional
 * random turns, half of all teams drawn at random; the features of positions are kept with the
 * winner. Training minimises the prediction error by gradient descent (Adam), rounds the weights to
 * integers and prints them as evaluation_net_weights.c. Later rounds are shorter and play with the
 * weights of the round before.
 *
 *     build/train [MATCHES [ROUNDS [SEED]]] > games/marvelous-mashup/evaluation_net_weights.c
 *
 * Floats and allocation are fine here: this is not part of any program that plays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/internal.h"
#include "base/hash.h"
#include "games/marvelous-mashup/evaluation_net.h"
#include "match/match.h"
#include "tests/support/support.h"

enum {
    SAMPLES_PER_MATCH = 512,
    BATCH = 256,
    PASSES = 6,          /* epochs over all samples */
    RANDOM_ACTIONS = 25, /* per thousand actions, times 0 to 3 */
    ONE_IN = 2,          /* keeps one in this many states at the start of a turn */
    PLAIN_ONE_IN = 5,    /* in one in this many matches a seat plays by the game's own evaluator */
    COLUMNS_MAX = 96     /* of the output */
};

/* The weights during training; same layout as EvaluationNet. */
typedef struct Weights {
    float first[NET_LAYER1][NET_HERO_FEATURES], first_base[NET_LAYER1];
    float second[NET_LAYER2][NET_INPUTS_BOTH], second_base[NET_LAYER2];
    float last[NET_LAYER2];
} Weights;
enum { WEIGHTS = sizeof(Weights) / sizeof(float) };

/* The features of one state and how its match ended. */
typedef struct Sample {
    NetFeatures features;
    bool won; /* by seat 0 */
} Sample;

/* All samples, of all rounds. */
typedef struct SampleBuffer {
    Sample *list;
    size_t count, capacity;
} SampleBuffer;

/* The activations of the layers for one sample. */
typedef struct Activations {
    float heroes[HEROES][NET_LAYER1];
    float both[MASH_SEATS][NET_INPUTS_BOTH], second[MASH_SEATS][NET_LAYER2];
} Activations;

static EvaluationNet trained_net; /* the weights that players use */
static const float one = 1.0f / NET_ACTIVATION_ONE;

/* --- Playing ---------------------------------------------------------------------------------- */

/* The evaluation by the current weights. */
static int32_t judge(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    return evaluation_net_evaluate(&trained_net, marvelous_content(loaded), raw_state, seat);
}

/* Plays a match and records its samples; returns how many. */
static uint32_t play(const MashContent *loaded, const MashEvaluator *evaluator, uint64_t number,
                     Ai *ai, void *raw_state, void *view, MashAction *list, Sample *out) {
    const MashGame *game = loaded->game;
    const AiSkill *skill = ai_skill_find("greedy-turn");
    MashChance chance = chance_sampled(hash_number(number, 1));
    AiPlan plans[MASH_SEATS] = {{0}};
    Match match;
    uint32_t count = 0, awaited, turn = 0;
    MashSetup setup = {.options_count = 0};
    if (match_begin(&match, loaded, (MashSeed){{number, 2}}, &setup, raw_state) != MASH_OK)
        abort();
    uint64_t plain = number / 8 % PLAIN_ONE_IN == 0 ? number / 8 / PLAIN_ONE_IN % 2 : MASH_SEATS;
    while ((awaited = game->awaited(loaded, match.state)) != 0) {
        const MarvelousState *state = match.state;
        uint8_t seat = awaited == 2;
        bool choosing = state->phase == PHASE_CHOICE;
        match_view(&match, seat, view);
        bool begins = !choosing && evaluator->turn_number(loaded, state) != turn;
        if (begins && count < SAMPLES_PER_MATCH && chance_below(&chance, ONE_IN) == 0)
            evaluation_net_features(marvelous_content(loaded), state, &out[count++].features);
        turn = evaluator->turn_number(loaded, state);
        bool any = choosing ? number % 2 == 0
                            : chance_below(&chance, 1000) < RANDOM_ACTIONS * (number / 2 % 4);
        MashAction action;
        if (any) {
            uint32_t listed = game->actions(loaded, view, seat, list);
            action = list[chance_below(&chance, listed)];
        } else {
            AiTask task = {.skill = skill,
                           .view = view,
                           .plan = &plans[seat],
                           .seat = seat,
                           .seed = hash_number(number, match.actions_count)};
            ai->evaluator = seat == plain ? &marvelous_evaluator : evaluator;
            ai_begin(ai, &task);
            while (!ai_step(ai, UINT32_MAX))
                ;
            action = ai_answer(ai);
        }
        if (match_apply(&match, action) != MASH_OK)
            abort();
    }
    for (uint32_t i = 0; i < count; i++)
        out[i].won = match_result(&match).winner == 0;
    return count;
}

/* Plays this many matches on one preset and keeps the samples. */
static void play_many(const char *preset, const MashEvaluator *evaluator, uint32_t matches,
                      uint64_t seed, SampleBuffer *out) {
    MashContent *loaded = support_content(&marvelous_mashup_game, preset);
    void *raw_state = support_memory(match_bytes(loaded));
    void *view = support_memory(loaded->limits.state_bytes);
    void *thinking = support_memory(ai_bytes(loaded));
    MashAction *list = support_memory(loaded->limits.actions_max * sizeof *list);
    Ai *ai = ai_init(loaded, thinking);
    for (uint32_t i = 0; i < matches; i++) {
        if (out->count + SAMPLES_PER_MATCH > out->capacity) {
            out->capacity = 2 * (out->count + SAMPLES_PER_MATCH);
            out->list = realloc(out->list, out->capacity * sizeof *out->list);
            if (out->list == NULL)
                abort();
        }
        out->count += play(loaded, evaluator, hash_number(seed, i) * 8 + i % 8, ai, raw_state, view,
                           list, out->list + out->count);
    }
    free(list);
    free(thinking);
    free(view);
    free(raw_state);
    free(loaded);
}

/* --- Training --------------------------------------------------------------------------------- */

/* A number from 0 up to, but not including, 1. */
static double uniform(MashChance *chance) {
    return chance_below(chance, 1 << 30) / (double)(1 << 30);
}

/* Initialises the weights with small random numbers. */
static void begin(Weights *weights, MashChance *chance) {
    float *list = (float *)weights;
    for (int i = 0; i < WEIGHTS; i++)
        list[i] = (float)(uniform(chance) * 2 - 1) * 0.3f;
    for (int i = 0; i < NET_LAYER1; i++)
        weights->first_base[i] = 0.1f;
    for (int i = 0; i < NET_LAYER2; i++)
        weights->second_base[i] = 0.1f;
}

/* The logit of the probability that seat 0 wins. */
static float forecast_round(const Weights *weights, const NetFeatures *features, Activations *out) {
    float seen[MASH_SEATS][NET_INPUTS_SEEN] = {{0}}, sum = 0;
    for (int hero = 0; hero < HEROES; hero++)
        for (int i = 0; features->stands[hero] && i < NET_LAYER1; i++) {
            float of = weights->first_base[i];
            for (int k = 0; k < NET_HERO_FEATURES; k++)
                of += weights->first[i][k] * features->heroes[hero][k] * one;
            out->heroes[hero][i] = of > 0 ? of : 0;
            seen[hero / TEAM][i] += out->heroes[hero][i];
        }
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int i = 0; i < NET_INPUTS_SIDE; i++)
            seen[seat][NET_LAYER1 + i] = features->sides[seat][i] * one;
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        float *both = out->both[seat];
        memcpy(both, seen[seat], sizeof seen[0]);
        memcpy(both + NET_INPUTS_SEEN, seen[1 - seat], sizeof seen[0]);
        for (int i = 0; i < NET_INPUTS_TIME; i++)
            both[2 * NET_INPUTS_SEEN + i] = features->time[i] * one;
        for (int i = 0; i < NET_LAYER2; i++) {
            float of = weights->second_base[i];
            for (int k = 0; k < NET_INPUTS_BOTH; k++)
                of += weights->second[i][k] * both[k];
            out->second[seat][i] = of > 0 ? of : 0;
            sum += (seat == 0 ? 1 : -1) * weights->last[i] * out->second[seat][i];
        }
    }
    return sum;
}

/* Backpropagation: adds the gradient of the prediction error. */
static void backward(const Weights *weights, const NetFeatures *features, const Activations *layers,
                     float wrong, Weights *slope) {
    float sides[MASH_SEATS][NET_INPUTS_SEEN] = {{0}};
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int i = 0; i < NET_LAYER2; i++) {
            float part = seat == 0 ? wrong : -wrong;
            if (layers->second[seat][i] <= 0)
                continue;
            slope->last[i] += part * layers->second[seat][i];
            part *= weights->last[i];
            slope->second_base[i] += part;
            for (int k = 0; k < NET_INPUTS_BOTH; k++)
                slope->second[i][k] += part * layers->both[seat][k];
            for (int k = 0; k < NET_INPUTS_SEEN; k++) {
                sides[seat][k] += part * weights->second[i][k];
                sides[1 - seat][k] += part * weights->second[i][NET_INPUTS_SEEN + k];
            }
        }
    for (int hero = 0; hero < HEROES; hero++)
        for (int i = 0; features->stands[hero] && i < NET_LAYER1; i++) {
            if (layers->heroes[hero][i] <= 0)
                continue;
            float part = sides[hero / TEAM][i];
            slope->first_base[i] += part;
            for (int k = 0; k < NET_HERO_FEATURES; k++)
                slope->first[i][k] += part * features->heroes[hero][k] * one;
        }
}

/* One step along the mean gradient of a batch (Adam; the learning rate decays to 0). */
static void adam_step(float *weights, const float *slope, float *mean, float *square, long number,
                      long all) {
    double rate = 0.003 * (1 - (double)number / (double)all) + 2e-5;
    for (int i = 0; i < WEIGHTS; i++) {
        float of = slope[i] / BATCH - 1e-5f * weights[i];
        mean[i] = 0.9f * mean[i] + 0.1f * of;
        square[i] = 0.999f * square[i] + 0.001f * of * of;
        double straight = mean[i] / (1 - pow(0.9, (double)number));
        double wide = square[i] / (1 - pow(0.999, (double)number));
        weights[i] += (float)(rate * straight / (sqrt(wide) + 1e-8));
    }
}

/* Trains on all samples, and reports the error of the last batches. */
static void train(const SampleBuffer *memory, Weights *weights, MashChance *chance) {
    Weights mean, square;
    memset(&mean, 0, sizeof mean);
    memset(&square, 0, sizeof square);
    long all = (long)(PASSES * memory->count / BATCH);
    double loss = 0;
    for (long number = 1; number <= all; number++) {
        Weights slope;
        memset(&slope, 0, sizeof slope);
        for (int i = 0; i < BATCH; i++) {
            const Sample *sample = &memory->list[chance_below(chance, (uint32_t)memory->count)];
            Activations layers;
            float chances = 1 / (1 + expf(-forecast_round(weights, &sample->features, &layers)));
            loss -= number > all * 9 / 10 ? log((sample->won ? chances : 1 - chances) + 1e-9) : 0;
            backward(weights, &sample->features, &layers, (float)sample->won - chances, &slope);
        }
        adam_step((float *)weights, (const float *)&slope, (float *)&mean, (float *)&square, number,
                  all);
    }
    fprintf(stderr, "%zu samples, log loss at the end %.4f\n", memory->count,
            loss / (double)((all - all * 9 / 10) * BATCH));
}

/* --- Quantization ----------------------------------------------------------------------------- */

/* Rounds a row of weights to short or long integers. */
static void round_off(const float *from, int count, float unit, int16_t *brief, int32_t *wide) {
    for (int i = 0; i < count; i++) {
        long number = lrintf(from[i] * unit);
        if (brief != NULL)
            brief[i] = (int16_t)(number > INT16_MAX   ? INT16_MAX
                                 : number < INT16_MIN ? INT16_MIN
                                                      : number);
        else
            wide[i] = (int32_t)number;
    }
}

/* Rounds all weights to integers, as the game uses them. */
static void round_all(const Weights *from, EvaluationNet *out) {
    const float base = NET_WEIGHT_ONE * NET_ACTIVATION_ONE;
    round_off(from->first[0], NET_LAYER1 * NET_HERO_FEATURES, NET_WEIGHT_ONE, out->first[0], NULL);
    round_off(from->first_base, NET_LAYER1, base, NULL, out->first_base);
    round_off(from->second[0], NET_LAYER2 * NET_INPUTS_BOTH, NET_WEIGHT_ONE, out->second[0], NULL);
    round_off(from->second_base, NET_LAYER2, base, NULL, out->second_base);
    round_off(from->last, NET_LAYER2, NET_WEIGHT_ONE, out->last, NULL);
}

/* Prints numbers in braces, with line breaks. */
static void print_row(const int16_t *brief, const int32_t *wide, int count) {
    int column = printf("        {");
    for (int i = 0; i < count; i++) {
        if (column > COLUMNS_MAX - 10)
            column = printf("\n         ") - 1;
        column += printf("%s%d",
                         i == 0        ? ""
                         : column < 10 ? ""
                                       : " ",
                         brief != NULL ? brief[i] : wide[i]);
        column += printf("%s", i + 1 < count ? "," : "},\n");
    }
}

/* Prints the weights as the source of evaluation_net_weights.c. */
static void print_weights(const EvaluationNet *weights) {
    printf("/* evaluation_net_weights.c -- what was learned: see evaluation_net.h. Made by "
           "train/marvelous_mashup.c. */\n"
           "/* clang-format off */\n"
           "#include \"games/marvelous-mashup/evaluation_net.h\"\n\n"
           "const EvaluationNet marvelous_evaluation_net = {\n    .first = {\n");
    for (int i = 0; i < NET_LAYER1; i++)
        print_row(weights->first[i], NULL, NET_HERO_FEATURES);
    printf("    },\n    .first_base =\n");
    print_row(NULL, weights->first_base, NET_LAYER1);
    printf("    .second = {\n");
    for (int i = 0; i < NET_LAYER2; i++)
        print_row(weights->second[i], NULL, NET_INPUTS_BOTH);
    printf("    },\n    .second_base =\n");
    print_row(NULL, weights->second_base, NET_LAYER2);
    printf("    .last =\n");
    print_row(weights->last, NULL, NET_LAYER2);
    printf("};\n");
}

/* Trains on self-play and prints evaluation_net_weights.c. */
int main(int count, char **words) {
    static const char *const presets[] = {"wakanda",       "wakanda",  "wakanda",
                                          "starter-kit",   "knowhere", "asgard-portals",
                                          "darkdimension", "sakaar"};
    enum { PRESETS = sizeof presets / sizeof *presets };
    uint32_t matches = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 8000;
    int rounds = count > 2 ? atoi(words[2]) : 2;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 1;
    MashEvaluator evaluator = marvelous_evaluator;
    MashChance chance = chance_sampled(seed);
    SampleBuffer memory = {NULL, 0, 0};
    Weights weights;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < PRESETS; i++)
            play_many(presets[i], &evaluator, (round == 0 ? matches : matches / 3) / PRESETS,
                      hash_number(seed, (uint64_t)(round * PRESETS + i)), &memory);
        if (memory.count == 0) {
            fprintf(stderr, "learn: no samples; %u matches are too few\n", matches);
            return 1;
        }
        begin(&weights, &chance);
        train(&memory, &weights, &chance);
        round_all(&weights, &trained_net);
        evaluator.evaluate = judge;
    }
    print_weights(&trained_net);
    free(memory.list);
    return 0;
}
