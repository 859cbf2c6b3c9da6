/* generals_weights.c -- what is learned, as numbers to begin with, integers, files and C. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "train/generals.h"

static int16_t fixed(double value) {
    double scaled = rint(value * 1024);
    return (int16_t)(scaled > 32767 ? 32767 : scaled < -32767 ? -32767 : scaled);
}

/* To integers. */
void weights_round_off(const Weights *from, GeneralsLearned *to) {
    for (int i = 0; i < ACT_WEIGHTS; i++)
        to->act[i] = fixed(from->act[i]);
    for (int i = 0; i < SET_WEIGHTS; i++)
        to->set[i] = fixed(from->set[i]);
    for (int i = 0; i < VALUE_WEIGHTS; i++)
        to->value[i] = fixed(from->value[i]);
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 0; role < ROLES; role++) {
            double value = rint(from->belief[trace][role] * TRACE_EVEN);
            to->belief[trace][role] = (int16_t)(value < 4 ? 4 : value > 4000 ? 4000 : value);
        }
    for (int role = 0; role < ROLES; role++)
        to->worth[role] = (int16_t)rint(from->worth[role]);
}

/* Back to floats. */
void weights_of(const GeneralsLearned *from, Weights *to) {
    for (int i = 0; i < ACT_WEIGHTS; i++)
        to->act[i] = (float)from->act[i] / 1024;
    for (int i = 0; i < SET_WEIGHTS; i++)
        to->set[i] = (float)from->set[i] / 1024;
    for (int i = 0; i < VALUE_WEIGHTS; i++)
        to->value[i] = (float)from->value[i] / 1024;
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 0; role < ROLES; role++)
            to->belief[trace][role] = (float)from->belief[trace][role] / TRACE_EVEN;
    for (int role = 0; role < ROLES; role++)
        to->worth[role] = from->worth[role];
}

/* The set-ups start near those by hand. */
static void begin_sets(Weights *weights) {
    for (int role = 1; role < ROLES; role++)
        for (int row = 0; row < 3; row++)
            weights->set[SET_ROW + 3 * role + row] = role == ROLE_NEXUS ? (float)(2 - row) * 2
                                                     : role <= ROLE_TOP ? (float)(row * role) / 12
                                                                        : 0;
}

void weights_begin(Weights *weights) {
    static const float worths[ROLES] = {0,  33, 41,  49,  57,  65,  85, 116,
                                        89, 97, 105, 113, 121, 105, 32, 0};
    memset(weights, 0, sizeof *weights);
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 0; role < ROLES; role++)
            weights->belief[trace][role] = 1;
    for (int role = 0; role < ROLES; role++) {
        weights->act[ACT_FORWARD + role] = 0.2f;
        weights->act[ACT_BACK + role] = -0.2f;
        weights->act[ACT_DANGER_LEFT + role] = 2.9f;
        weights->act[ACT_DANGER_ENTERED + role] = -2.9f;
        weights->act[ACT_HUNT + role] = 6.4f;
        weights->value[VALUE_PIECE + role] = worths[role] / 250;
        weights->worth[role] = worths[role];
    }
    weights->act[ACT_GAIN] = 6.4f;
    weights->act[ACT_NEXUS] = 30;
    weights->act[ACT_SAVE] = 20;
    weights->act[ACT_SAVE_NEAR] = 12;
    weights->act[ACT_STRIKE] = -4.7f;
    weights->act[ACT_STRIKE_MEANS] = 6.4f;
    weights->act[ACT_STRIKE_SAVE] = 20;
    weights->act[ACT_WEB] = -2.4f;
    weights->act[ACT_WEB_SAVE] = 20;
    weights->value[VALUE_NEAR] = -1;
    weights->value[VALUE_NEAR + 1] = -0.5f;
    begin_sets(weights);
}

static void print_numbers(FILE *out, const int16_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%d,", i == 0 ? "        " : i % 16 == 0 ? "\n        " : " ", list[i]);
}

int weights_write(const Weights *weights, const char *path) {
    static GeneralsLearned learned;
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return 1;
    weights_round_off(weights, &learned);
    fprintf(out, "/* learned.c -- see learned.h; written by train/generals.c. */\n"
                 "#include \"games/generals/learned.h\"\n\n"
                 "const GeneralsLearned generals_learned = {\n    .belief = {\n");
    for (int trace = 0; trace < TRACES; trace++) {
        fprintf(out, "        {");
        for (int role = 0; role < ROLES; role++)
            fprintf(out, "%s%d", role > 0 ? ", " : "", learned.belief[trace][role]);
        fprintf(out, "},\n");
    }
    fprintf(out, "    },\n    .act = {\n");
    print_numbers(out, learned.act, ACT_WEIGHTS);
    fprintf(out, "\n    },\n    .set = {\n");
    print_numbers(out, learned.set, SET_WEIGHTS);
    fprintf(out, "\n    },\n    .value = {\n");
    print_numbers(out, learned.value, VALUE_WEIGHTS);
    fprintf(out, "\n    },\n    .worth = {\n");
    print_numbers(out, learned.worth, ROLES);
    fprintf(out, "\n    },\n};\n");
    return fclose(out);
}

void weights_save(const Weights *weights, const char *path) {
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(weights, sizeof *weights, 1, out) != 1 || fclose(out) != 0)
        abort();
}

void weights_load(Weights *weights, const char *path) {
    FILE *in = NULL;
    if (strcmp(path, "shipped") == 0) {
        weights_of(&generals_learned, weights);
        return;
    }
    if (strcmp(path, "begin") == 0) {
        weights_begin(weights);
        return;
    }
    in = fopen(path, "rb");
    if (in == NULL || fread(weights, sizeof *weights, 1, in) != 1) {
        fprintf(stderr, "train-generals: %s: these are no weights\n", path);
        exit(2);
    }
    fclose(in);
}
