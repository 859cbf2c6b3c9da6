/* learn.c -- learns the weights of games/marvelous-mashup/learned.h from matches.
 *
 * Programs that take the best turn by the weights so far play each other, with careless turns now
 * and then and half of all teams drawn at random; moments are told and kept with who won. Weights
 * that foresee that best are found by steps down the slope (Adam), rounded to whole numbers and
 * printed as weights.c. Later rounds are shorter and play with what the one before found.
 *
 *     build/learn [MATCHES [ROUNDS [SEED]]] > games/marvelous-mashup/weights.c
 *
 * Floats and allocation are fine here: this is no part of any program that plays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/think.h"
#include "base/hash.h"
#include "games/marvelous-mashup/learned.h"
#include "match/match.h"
#include "tests/support.h"

enum {
    MOMENTS_OF_MATCH = 512,
    BATCH = 256,
    PASSES = 6,       /* through all that is kept */
    CARELESS = 25,    /* of a thousand actions, times 0 to 3 */
    ONE_IN = 2,       /* moments at the start of a turn that are kept */
    PLAIN_ONE_IN = 5, /* matches of later rounds in which one seat plays by the plain value */
    COLUMNS_MAX = 96  /* of what is printed */
};

/* The weights while they are looked for; laid out like Learned. */
typedef struct Slopes {
    float first[LEARNED_FIRST][LEARNED_HERO], first_base[LEARNED_FIRST];
    float second[LEARNED_SECOND][LEARNED_BOTH], second_base[LEARNED_SECOND];
    float last[LEARNED_SECOND];
} Slopes;
enum { WEIGHTS = sizeof(Slopes) / sizeof(float) };

/* One moment and how its match ended. */
typedef struct Moment {
    Told told;
    bool won; /* by seat 0 */
} Moment;

/* All moments, of all rounds. */
typedef struct Memory {
    Moment *list;
    size_t count, room;
} Memory;

/* What the layers made of a moment. */
typedef struct Layers {
    float heroes[HEROES][LEARNED_FIRST];
    float both[MASH_SEATS][LEARNED_BOTH], second[MASH_SEATS][LEARNED_SECOND];
} Layers;

static Learned learned_so_far; /* what players play by */
static const float one = 1.0f / LEARNED_ONE;

/* --- Playing ---------------------------------------------------------------------------------- */

/* The judgement of the weights so far. */
static int32_t judge(const MashContent *content, const void *memory, uint8_t seat) {
    return learned_judge(&learned_so_far, nouns_of(content), memory, seat);
}

/* Plays a match and writes down its moments; how many there are. */
static uint32_t play(const MashContent *content, const MashEvaluator *mind, uint64_t number, Ai *ai,
                     void *memory, void *view, MashAction *list, Moment *out) {
    const MashGame *game = content->game;
    const AiSkill *skill = ai_skill_find("greedy-turn");
    MashChance whims = chance_sampled(hash_number(number, 1));
    AiPlan plans[MASH_SEATS] = {{0}};
    Match match;
    uint32_t count = 0, awaited, turn = 0;
    MashSetup setup = {.options_count = 0};
    if (match_begin(&match, content, (MashSeed){{number, 2}}, &setup, memory) != MASH_OK)
        abort();
    uint64_t plain = number / 8 % PLAIN_ONE_IN == 0 ? number / 8 / PLAIN_ONE_IN % 2 : MASH_SEATS;
    while ((awaited = game->awaited(content, match.state)) != 0) {
        const State *state = match.state;
        uint8_t seat = awaited == 2;
        bool choosing = state->phase == PHASE_CHOICE;
        match_view(&match, seat, view);
        bool begins = !choosing && mind->turn_number(content, state) != turn;
        if (begins && count < MOMENTS_OF_MATCH && chance_below(&whims, ONE_IN) == 0)
            learned_tell(nouns_of(content), state, &out[count++].told);
        turn = mind->turn_number(content, state);
        bool any =
            choosing ? number % 2 == 0 : chance_below(&whims, 1000) < CARELESS * (number / 2 % 4);
        MashAction action;
        if (any) {
            uint32_t listed = game->actions(content, view, seat, list);
            action = list[chance_below(&whims, listed)];
        } else {
            AiTask task = {.skill = skill,
                           .view = view,
                           .plan = &plans[seat],
                           .seat = seat,
                           .seed = hash_number(number, match.actions_count)};
            ai->mind = seat == plain ? &marvelous_mind : mind;
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

/* Plays so many matches on one preset and remembers them. */
static void play_many(const char *preset, const MashEvaluator *mind, uint32_t matches,
                      uint64_t seed, Memory *out) {
    MashContent *content = support_content(&marvelous_mashup_game, preset);
    void *memory = support_memory(match_bytes(content));
    void *view = support_memory(content->limits.state_bytes);
    void *thinking = support_memory(ai_bytes(content));
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    Ai *ai = ai_init(content, thinking);
    for (uint32_t i = 0; i < matches; i++) {
        if (out->count + MOMENTS_OF_MATCH > out->room) {
            out->room = 2 * (out->count + MOMENTS_OF_MATCH);
            out->list = realloc(out->list, out->room * sizeof *out->list);
            if (out->list == NULL)
                abort();
        }
        out->count += play(content, mind, hash_number(seed, i) * 8 + i % 8, ai, memory, view, list,
                           out->list + out->count);
    }
    free(list);
    free(thinking);
    free(view);
    free(memory);
    free(content);
}

/* --- Learning --------------------------------------------------------------------------------- */

/* A number from 0 to 1, without 1. */
static double uniform(MashChance *chance) {
    return chance_below(chance, 1 << 30) / (double)(1 << 30);
}

/* Small weights at random to begin with. */
static void begin(Slopes *weights, MashChance *chance) {
    float *list = (float *)weights;
    for (int i = 0; i < WEIGHTS; i++)
        list[i] = (float)(uniform(chance) * 2 - 1) * 0.3f;
    for (int i = 0; i < LEARNED_FIRST; i++)
        weights->first_base[i] = 0.1f;
    for (int i = 0; i < LEARNED_SECOND; i++)
        weights->second_base[i] = 0.1f;
}

/* The logit of the chance that seat 0 wins. */
static float foresee(const Slopes *weights, const Told *told, Layers *out) {
    float seen[MASH_SEATS][LEARNED_SEEN] = {{0}}, sum = 0;
    for (int hero = 0; hero < HEROES; hero++)
        for (int i = 0; told->stands[hero] && i < LEARNED_FIRST; i++) {
            float of = weights->first_base[i];
            for (int k = 0; k < LEARNED_HERO; k++)
                of += weights->first[i][k] * told->heroes[hero][k] * one;
            out->heroes[hero][i] = of > 0 ? of : 0;
            seen[hero / TEAM][i] += out->heroes[hero][i];
        }
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int i = 0; i < LEARNED_SIDE; i++)
            seen[seat][LEARNED_FIRST + i] = told->sides[seat][i] * one;
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        float *both = out->both[seat];
        memcpy(both, seen[seat], sizeof seen[0]);
        memcpy(both + LEARNED_SEEN, seen[1 - seat], sizeof seen[0]);
        for (int i = 0; i < LEARNED_TIME; i++)
            both[2 * LEARNED_SEEN + i] = told->time[i] * one;
        for (int i = 0; i < LEARNED_SECOND; i++) {
            float of = weights->second_base[i];
            for (int k = 0; k < LEARNED_BOTH; k++)
                of += weights->second[i][k] * both[k];
            out->second[seat][i] = of > 0 ? of : 0;
            sum += (seat == 0 ? 1 : -1) * weights->last[i] * out->second[seat][i];
        }
    }
    return sum;
}

/* Adds to the slope by how much the foresight was wrong. */
static void blame(const Slopes *weights, const Told *told, const Layers *layers, float wrong,
                  Slopes *slope) {
    float sides[MASH_SEATS][LEARNED_SEEN] = {{0}};
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int i = 0; i < LEARNED_SECOND; i++) {
            float part = seat == 0 ? wrong : -wrong;
            if (layers->second[seat][i] <= 0)
                continue;
            slope->last[i] += part * layers->second[seat][i];
            part *= weights->last[i];
            slope->second_base[i] += part;
            for (int k = 0; k < LEARNED_BOTH; k++)
                slope->second[i][k] += part * layers->both[seat][k];
            for (int k = 0; k < LEARNED_SEEN; k++) {
                sides[seat][k] += part * weights->second[i][k];
                sides[1 - seat][k] += part * weights->second[i][LEARNED_SEEN + k];
            }
        }
    for (int hero = 0; hero < HEROES; hero++)
        for (int i = 0; told->stands[hero] && i < LEARNED_FIRST; i++) {
            if (layers->heroes[hero][i] <= 0)
                continue;
            float part = sides[hero / TEAM][i];
            slope->first_base[i] += part;
            for (int k = 0; k < LEARNED_HERO; k++)
                slope->first[i][k] += part * told->heroes[hero][k] * one;
        }
}

/* One step along the mean slope of a batch (Adam; the rate falls to nothing). */
static void step(float *weights, const float *slope, float *mean, float *square, long number,
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

/* Learns from all moments, and says how well the last batches were foreseen. */
static void learn(const Memory *memory, Slopes *weights, MashChance *chance) {
    Slopes mean, square;
    memset(&mean, 0, sizeof mean);
    memset(&square, 0, sizeof square);
    long all = (long)(PASSES * memory->count / BATCH);
    double loss = 0;
    for (long number = 1; number <= all; number++) {
        Slopes slope;
        memset(&slope, 0, sizeof slope);
        for (int i = 0; i < BATCH; i++) {
            const Moment *moment = &memory->list[chance_below(chance, (uint32_t)memory->count)];
            Layers layers;
            float chances = 1 / (1 + expf(-foresee(weights, &moment->told, &layers)));
            loss -= number > all * 9 / 10 ? log((moment->won ? chances : 1 - chances) + 1e-9) : 0;
            blame(weights, &moment->told, &layers, (float)moment->won - chances, &slope);
        }
        step((float *)weights, (const float *)&slope, (float *)&mean, (float *)&square, number,
             all);
    }
    fprintf(stderr, "%zu moments, log loss at the end %.4f\n", memory->count,
            loss / (double)((all - all * 9 / 10) * BATCH));
}

/* --- Whole numbers ---------------------------------------------------------------------------- */

/* Rounds a row of weights into short or long whole numbers. */
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

/* Rounds all weights to whole numbers, as the game uses them. */
static void round_all(const Slopes *from, Learned *out) {
    const float base = LEARNED_WEIGHT * LEARNED_ONE;
    round_off(from->first[0], LEARNED_FIRST * LEARNED_HERO, LEARNED_WEIGHT, out->first[0], NULL);
    round_off(from->first_base, LEARNED_FIRST, base, NULL, out->first_base);
    round_off(from->second[0], LEARNED_SECOND * LEARNED_BOTH, LEARNED_WEIGHT, out->second[0], NULL);
    round_off(from->second_base, LEARNED_SECOND, base, NULL, out->second_base);
    round_off(from->last, LEARNED_SECOND, LEARNED_WEIGHT, out->last, NULL);
}

/* Prints numbers in braces, in lines that are not too long. */
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

/* Prints the weights as the source of weights.c. */
static void print_weights(const Learned *weights) {
    printf("/* weights.c -- what was learned: see learned.h. Made by learn/learn.c. */\n"
           "/* clang-format off */\n"
           "#include \"games/marvelous-mashup/learned.h\"\n\n"
           "const Learned marvelous_learned = {\n    .first = {\n");
    for (int i = 0; i < LEARNED_FIRST; i++)
        print_row(weights->first[i], NULL, LEARNED_HERO);
    printf("    },\n    .first_base =\n");
    print_row(NULL, weights->first_base, LEARNED_FIRST);
    printf("    .second = {\n");
    for (int i = 0; i < LEARNED_SECOND; i++)
        print_row(weights->second[i], NULL, LEARNED_BOTH);
    printf("    },\n    .second_base =\n");
    print_row(NULL, weights->second_base, LEARNED_SECOND);
    printf("    .last =\n");
    print_row(weights->last, NULL, LEARNED_SECOND);
    printf("};\n");
}

/* Learns from matches of programs and prints weights.c. */
int main(int count, char **words) {
    static const char *const presets[] = {"wakanda",       "wakanda",  "wakanda",
                                          "starter-kit",   "knowhere", "asgard-portals",
                                          "darkdimension", "sakaar"};
    enum { PRESETS = sizeof presets / sizeof *presets };
    uint32_t matches = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 8000;
    int rounds = count > 2 ? atoi(words[2]) : 2;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 1;
    MashEvaluator mind = marvelous_mind;
    MashChance chance = chance_sampled(seed);
    Memory memory = {NULL, 0, 0};
    Slopes weights;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < PRESETS; i++)
            play_many(presets[i], &mind, (round == 0 ? matches : matches / 3) / PRESETS,
                      hash_number(seed, (uint64_t)(round * PRESETS + i)), &memory);
        if (memory.count == 0) {
            fprintf(stderr, "learn: no moments; %u matches are too few\n", matches);
            return 1;
        }
        begin(&weights, &chance);
        learn(&memory, &weights, &chance);
        round_all(&weights, &learned_so_far);
        mind.evaluate = judge;
    }
    print_weights(&learned_so_far);
    free(memory.list);
    return 0;
}
