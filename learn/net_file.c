/* net_file.c -- see learn.h: nets in files, as learn/train.py writes them. A file has eight bytes
 * "MASHNET1", the mark of the features, three bytes of sizes and five of zeros, then the weights of
 * both layers, each followed by its base, and those of the output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/net_mark.h"
#include "learn/learn.h"

enum { COLUMNS = 96, RANDOM_SPREAD = 41 };
static const char magic[8] = "MASHNET1";

/* The mark of what the game describes today. */
static uint64_t mark_of(const MashGame *game) {
    MashContent *content = learn_content_first(game);
    void *state = learn_memory(content->limits.state_bytes);
    MashAction *list = learn_memory(content->limits.actions_max * sizeof *list);
    uint64_t mark = ai_net_mark(content, state, list);
    free(list);
    free(state);
    free(content);
    return mark;
}

/* Counts of the weights. */
static uint32_t first_count(const TableNet *net) {
    return (uint32_t)net->hidden1 * net->features_count;
}
static uint32_t second_count(const TableNet *net) { return net->hidden2 * table_net_inputs(net); }

/* The weights are in the struct itself. */
static void connect(LearnNet *net, const MashGame *game) {
    net->net.first = net->first;
    net->net.second = net->second;
    net->net.last = net->last;
    net->net.first_base = net->first_base;
    net->net.second_base = net->second_base;
    net->evaluator = *game->evaluator;
    net->evaluator.net = &net->net;
}

/* Why a file is no net of this game; NULL: it is one. */
static const char *read_net(LearnNet *net, const MashGame *game, FILE *file) {
    uint8_t head[24];
    if (fread(head, sizeof head, 1, file) != 1 || memcmp(head, magic, sizeof magic) != 0)
        return "is not a net";
    memcpy(&net->net.features, head + 8, sizeof net->net.features);
    net->net.features_count = head[16];
    net->net.hidden1 = head[17];
    net->net.hidden2 = head[18];
    if (head[16] > TABLE_NET_FEATURES || head[17] > TABLE_NET_HIDDEN || head[18] > TABLE_NET_HIDDEN)
        return "is larger than nets can be";
    bool whole = fread(net->first, sizeof *net->first, first_count(&net->net), file) ==
                     first_count(&net->net) &&
                 fread(net->first_base, sizeof *net->first_base, head[17], file) == head[17] &&
                 fread(net->second, sizeof *net->second, second_count(&net->net), file) ==
                     second_count(&net->net) &&
                 fread(net->second_base, sizeof *net->second_base, head[18], file) == head[18] &&
                 fread(net->last, sizeof *net->last, head[18], file) == head[18];
    if (!whole)
        return "ends too early";
    if (!table_net_fits(&net->net))
        return "has weights whose sums could overflow";
    return net->net.features == mark_of(game) ? NULL : "was trained on other features";
}

void learn_net_open(LearnNet *net, const MashGame *game, const char *path) {
    connect(net, game);
    if (path == NULL || strcmp(path, "hand") == 0) {
        net->evaluator.net = path == NULL ? game->evaluator->net : NULL;
        return;
    }
    FILE *file = fopen(path, "rb");
    const char *problem = file == NULL ? "cannot be read" : read_net(net, game, file);
    if (file != NULL)
        fclose(file);
    if (problem == NULL)
        return;
    fprintf(stderr, "learn: %s %s\n", path, problem);
    exit(1);
}

/* --- Printing as C ---------------------------------------------------------------------------- */

/* Prints a list of numbers as an array. */
static void print_list(FILE *out, const char *type, const char *name, const int16_t *brief,
                       const int32_t *wide, uint32_t count) {
    int column = fprintf(out, "static const _Alignas(64) %s %s[] = {\n   ", type, name);
    column = 3;
    for (uint32_t i = 0; i < count; i++) {
        if (column > COLUMNS - 12)
            column = fprintf(out, "\n   ") - 1;
        column += fprintf(out, " %d,", brief != NULL ? brief[i] : wide[i]);
    }
    fprintf(out, "\n};\n");
}

int learn_export(const LearnTask *task) {
    static LearnNet net;
    learn_net_open(&net, task->game, task->net);
    FILE *out = fopen(task->out, "w");
    if (out == NULL || net.evaluator.net == NULL)
        return 1;
    fprintf(out,
            "/* net_weights.c -- what the evaluation net of %s has learned; printed by\n"
            " * learn/: see docs/strength.md. */\n"
            "/* clang-format off */\n#include \"games/%s/state.h\"\n\n",
            task->game->title, task->game->id);
    const TableNet *weights = &net.net;
    print_list(out, "int16_t", "first", weights->first, NULL, first_count(weights));
    print_list(out, "int32_t", "first_base", NULL, weights->first_base, weights->hidden1);
    print_list(out, "int16_t", "second", weights->second, NULL, second_count(weights));
    print_list(out, "int32_t", "second_base", NULL, weights->second_base, weights->hidden2);
    print_list(out, "int16_t", "last", weights->last, NULL, weights->hidden2);
    fprintf(out, "\nconst TableNet %s_net = TABLE_NET(0x%016llx, %u, %u, %u);\n", task->name,
            (unsigned long long)weights->features, weights->features_count, weights->hidden1,
            weights->hidden2);
    return fclose(out) == 0 ? 0 : 1;
}

/* Small weights by chance. */
static void fill_random(int16_t *list, uint32_t count, MashChance *chance) {
    for (uint32_t i = 0; i < count; i++)
        list[i] = (int16_t)((int)chance_below(chance, RANDOM_SPREAD) - RANDOM_SPREAD / 2);
}

int learn_random(const LearnTask *task) {
    static LearnNet net;
    MashChance chance = chance_sampled(task->seed);
    uint8_t sizes[8] = {TABLE_NET_FEATURES, (uint8_t)task->hidden, (uint8_t)task->hidden};
    uint64_t mark = mark_of(task->game);
    FILE *out = fopen(task->out, "wb");
    if (out == NULL)
        return 1;
    net.net.features_count = sizes[0];
    net.net.hidden1 = net.net.hidden2 = sizes[1];
    uint32_t first = first_count(&net.net), second = second_count(&net.net);
    fill_random(net.first, first, &chance);
    fill_random(net.second, second, &chance);
    fill_random(net.last, sizes[2], &chance);
    fwrite(magic, sizeof magic, 1, out);
    fwrite(&mark, sizeof mark, 1, out);
    fwrite(sizes, sizeof sizes, 1, out);
    fwrite(net.first, sizeof *net.first, first, out);
    fwrite(net.first_base, sizeof *net.first_base, sizes[1], out);
    fwrite(net.second, sizeof *net.second, second, out);
    fwrite(net.second_base, sizeof *net.second_base, sizes[2], out);
    fwrite(net.last, sizeof *net.last, sizes[2], out);
    return fclose(out) == 0 ? 0 : 1;
}
