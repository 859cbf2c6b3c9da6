/* ultimate_war.c -- trains games/ultimate-war/picks.c from matches: which champions are strong, and
 * against whom.
 *
 * AI players of one level play each other with random teams [3.7], once for each table, because
 * weak players need other champions than strong ones. The log-odds of a team are the sum of its
 * champions' strengths, minus the other team's, plus the strength of each champion against each of
 * the others; these numbers are found by gradient ascent (Adam) and printed in thousandths as
 * picks.c. Matches are spread over the given number of processes; the output does not depend on it.
 *
 *     build/train-picks [PROCESSES [PERCENT_OF_MATCHES [SEED]]] > games/ultimate-war/picks.c
 *
 * Floats and allocation are fine here: this is not part of any program that plays. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ai/ai.h"
#include "base/hash.h"
#include "games/ultimate-war/picks.h"
#include "match/match.h"
#include "tests/support/support.h"

enum { STEPS = 1500, PROCESSES_MAX = 64 };

/* Regularisation towards 0: the strength against one champion is seen in fewer matches. */
static const double hold = 0.5, hold_against = 6.0, stride = 0.02;

/* The matches for one table; nodes: 0 = the level's default. */
typedef struct Lesson {
    const char *table;
    uint32_t level, nodes, matches;
} Lesson;
static const Lesson lessons[PICKS_TABLES] = {
    {"PICKS_RANDOM", 3, 0, 20000},
    {"PICKS_AHEAD", 5, 0, 5600},
    {"PICKS_CAREFUL", 8, 4000, 3000},
};

/* The champions, and the result for the first seat: 2 won, 1 drawn, 0 lost. */
typedef struct Bout {
    uint8_t kinds[UNITS];
    uint8_t points, zero;
} Bout;

/* The parameters: strengths, then the strength of each against each. */
typedef struct Numbers {
    double strength[KINDS_MAX], against[KINDS_MAX][KINDS_MAX];
} Numbers;

/* --- Playing ---------------------------------------------------------------------------------- */

/* Plays one match. */
static Bout play(const MashContent *loaded, const Lesson *lesson, MashSeed seed, Ai *ai,
                 void *raw_state) {
    const MashGame *game = loaded->game;
    int32_t options[OPTIONS] = {[OPTION_DEALT] = 1};
    MashSetup setup = {options, OPTIONS};
    AiPlan plans[MASH_SEATS] = {{0}};
    Bout bout = {{0}, 0, 0};
    Match match;
    uint64_t ai_seed = hash_number(seed.words[0], seed.words[1]);
    if (match_begin(&match, loaded, seed, &setup, raw_state) != MASH_OK)
        abort();
    for (uint8_t unit = 0; unit < UNITS; unit++)
        bout.kinds[unit] = ((const WarState *)match.state)->champions[unit].kind;
    for (uint32_t awaited; (awaited = game->awaited(loaded, match.state)) != 0;) {
        uint8_t seat = awaited == 2; /* nothing is hidden: the state is the view */
        AiTask task = {.skill = ai_level(lesson->level),
                       .nodes = lesson->nodes,
                       .view = match.state,
                       .plan = &plans[seat],
                       .seat = seat,
                       .seed = hash_number(ai_seed, match.actions_count)};
        if (!ai_begin(ai, &task))
            abort();
        while (!ai_step(ai, UINT32_MAX))
            ;
        if (match_apply(&match, ai_answer(ai)) != MASH_OK)
            abort();
    }
    uint8_t winner = match_result(&match).winner;
    bout.points = winner == MASH_SEAT_NONE ? 1 : winner == 0 ? 2 : 0;
    return bout;
}

/* Plays every `step`th match of a lesson from `first` on and writes each to a pipe, in order. */
static void play_part(const MashContent *loaded, const Lesson *lesson, uint64_t seed,
                      uint32_t first, uint32_t step, int out) {
    void *raw_state = support_memory(match_bytes(loaded));
    Ai *ai = ai_init(loaded, support_memory(ai_bytes(loaded)));
    for (uint32_t i = first; i < lesson->matches; i += step) {
        Bout bout = play(loaded, lesson, (MashSeed){{i + 1, seed}}, ai, raw_state);
        if (write(out, &bout, sizeof bout) != (ssize_t)sizeof bout)
            _exit(1);
    }
    _exit(0);
}

/* Reads one bout from a pipe. */
static Bout take(int in) {
    Bout bout;
    for (size_t done = 0; done < sizeof bout;) {
        ssize_t more = read(in, (uint8_t *)&bout + done, sizeof bout - done);
        if (more <= 0)
            abort();
        done += (size_t)more;
    }
    return bout;
}

/* Plays all matches of a lesson, in this many processes. */
static Bout *play_all(const MashContent *loaded, const Lesson *lesson, uint64_t seed,
                      uint32_t processes) {
    Bout *bouts = support_memory(lesson->matches * sizeof *bouts);
    int ends[PROCESSES_MAX][2];
    for (uint32_t i = 0; i < processes; i++) {
        if (pipe(ends[i]) != 0)
            abort();
        pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0)
            play_part(loaded, lesson, seed, i, processes, ends[i][1]);
        close(ends[i][1]);
    }
    for (uint32_t i = 0; i < lesson->matches; i++)
        bouts[i] = take(ends[i % processes][0]);
    for (uint32_t i = 0; i < processes; i++) {
        close(ends[i][0]);
        wait(NULL);
    }
    return bouts;
}

/* --- Training --------------------------------------------------------------------------------- */

/* The log-odds of the first team. */
static double foreseen(const Numbers *numbers, const Bout *bout) {
    double sum = 0;
    for (int own = 0; own < TEAM; own++) {
        sum += numbers->strength[bout->kinds[own]];
        sum -= numbers->strength[bout->kinds[TEAM + own]];
        for (int other = TEAM; other < UNITS; other++)
            sum += numbers->against[bout->kinds[own]][bout->kinds[other]];
    }
    return sum;
}

/* The gradient. */
static void slope(const Numbers *numbers, const Bout *bouts, uint32_t count, Numbers *out) {
    for (int kind = 0; kind < KINDS_MAX; kind++) {
        out->strength[kind] = -hold * numbers->strength[kind];
        for (int other = 0; other < KINDS_MAX; other++)
            out->against[kind][other] = -hold_against * numbers->against[kind][other];
    }
    for (uint32_t i = 0; i < count; i++) {
        const Bout *bout = &bouts[i];
        double error = bout->points / 2.0 - 1 / (1 + exp(-foreseen(numbers, bout)));
        for (int own = 0; own < TEAM; own++) {
            out->strength[bout->kinds[own]] += error;
            out->strength[bout->kinds[TEAM + own]] -= error;
            for (int other = TEAM; other < UNITS; other++) {
                out->against[bout->kinds[own]][bout->kinds[other]] += error;
                out->against[bout->kinds[other]][bout->kinds[own]] -= error;
            }
        }
    }
}

/* The parameters that predict the bouts best. */
static void find(const Bout *bouts, uint32_t count, Numbers *out) {
    enum { NUMBERS = sizeof(Numbers) / sizeof(double) };
    Numbers *up = support_memory(sizeof *up);
    double *first = support_memory(sizeof *up), *second = support_memory(sizeof *up);
    double *numbers = (double *)out, *slopes = (double *)up;
    memset(out, 0, sizeof *out);
    for (int i = 1; i <= STEPS; i++) {
        slope(out, bouts, count, up);
        for (int j = 0; j < NUMBERS; j++) {
            first[j] = 0.9 * first[j] + 0.1 * slopes[j];
            second[j] = 0.999 * second[j] + 0.001 * slopes[j] * slopes[j];
            double mean = first[j] / (1 - pow(0.9, i)), square = second[j] / (1 - pow(0.999, i));
            numbers[j] += stride * (1 - (double)i / STEPS) * mean / (sqrt(square) + 1e-9);
        }
    }
    free(up);
    free(first);
    free(second);
}

/* --- Printing --------------------------------------------------------------------------------- */

/* A number in thousandths. */
static int thousandths(double number) { return (int)lround(1000 * number); }

/* A row of numbers in braces. */
static void print_row(const double *numbers, uint32_t count) {
    printf("{");
    for (uint32_t i = 0; i < count; i++)
        printf("%s%d", i == 0 ? "" : ", ", thousandths(numbers[i]));
    printf("}");
}

/* One table as part of picks.c. */
static void print_table(const WarContent *content, const Numbers *numbers, const char *table) {
    printf("    [%s] = {\n        ", table);
    print_row(numbers->strength, content->kinds_count);
    printf(",\n        {\n");
    for (uint32_t kind = 0; kind < content->kinds_count; kind++) {
        printf("        /* %s */\n        ", content->kinds[kind].id);
        print_row(numbers->against[kind], content->kinds_count);
        printf(",\n");
    }
    printf("        },\n    },\n");
}

/* Plays, trains and prints picks.c: processes, percent of the matches, seed. */
int main(int count, char **words) {
    uint32_t processes = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1;
    uint32_t percent = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 100;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 99;
    MashContent *loaded = support_content(&ultimate_war_game, NULL);
    static Numbers numbers;
    processes = processes < 1 ? 1 : processes < PROCESSES_MAX ? processes : PROCESSES_MAX;
    printf("/* picks.c -- printed by train/ultimate_war.c; see picks.h. */\n"
           "#include \"games/ultimate-war/picks.h\"\n\n"
           "const uint64_t ultimate_war_picks_of = 0x%016llx;\n\n"
           "/* clang-format off */\n"
           "const Picks ultimate_war_picks[PICKS_TABLES] = {\n",
           (unsigned long long)loaded->hash);
    fflush(stdout); /* otherwise every child would print it too */
    for (int i = 0; i < PICKS_TABLES; i++) {
        Lesson lesson = lessons[i];
        lesson.matches = lesson.matches * percent / 100;
        Bout *bouts = play_all(loaded, &lesson, seed, processes);
        find(bouts, lesson.matches, &numbers);
        print_table(war_content(loaded), &numbers, lesson.table);
        fflush(stdout);
        free(bouts);
    }
    printf("};\n");
    free(loaded);
    return 0;
}
