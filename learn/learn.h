/* learn.h -- the program that makes evaluation nets (base/table_net.h) by self-play: it plays
 * matches and writes what was seen, measures nets against each other, and prints a net as C.
 * Training itself is learn/train.py.
 *
 * It links base, engine, games, match and ai alone, so that it builds wherever there is a C
 * compiler. Floats, allocation and clocks are fine here: no program that plays contains it. */
#ifndef LEARN_LEARN_H
#define LEARN_LEARN_H
#include "ai/internal.h"
#include "match/match.h"

/* Sizes of the weights of a net of any size. */
enum {
    LEARN_INPUTS = TABLE_NET_SIDES * (TABLE_NET_HIDDEN + TABLE_NET_SIDE) + TABLE_NET_TABLE,
    LEARN_JOBS_MAX = 256,
};

/* A net in a file, and the evaluator that plays by it. */
typedef struct LearnNet {
    TableNet net;
    MashEvaluator evaluator;
    int16_t first[TABLE_NET_HIDDEN * TABLE_NET_FEATURES];
    int16_t second[TABLE_NET_HIDDEN * LEARN_INPUTS], last[TABLE_NET_HIDDEN];
    int32_t first_base[TABLE_NET_HIDDEN], second_base[TABLE_NET_HIDDEN];
} LearnNet;

/* What the command line asks for. */
typedef struct LearnTask {
    const MashGame *game;
    const char *net, *against; /* files; "hand": without a net; NULL: as it is shipped */
    const char *out, *name;
    uint32_t nodes, ms, matches, seconds, jobs, hidden;
    uint32_t shaken; /* percent of content with other numbers */
    uint64_t seed;
    double low, high; /* bounds of a sequential test in Elo; both 0: none */
} LearnTask;

/* memory.c: zeroed memory; the program ends without it. */
void *learn_memory(size_t bytes);

/* contents.c: what is played. Content of the game, drawn by chance: presets by their weight, and
 * some (percent) with other numbers than those that are shipped, or generated. To be freed. */
MashContent *learn_content(const MashGame *game, uint32_t shaken, MashChance *chance);
/* Content of the game's first preset. */
MashContent *learn_content_first(const MashGame *game);
/* The command: writes such content of a game, always with other numbers, as documents into the
 * folder --out and prints its preset. An exit code. */
int learn_shake(const LearnTask *task);
/* How many units of a side are described at most. */
uint32_t learn_units(const MashGame *game);
/* Options of a match: those that are usual, or any. */
void learn_options(const MashGame *game, MashChance *chance, int32_t *out);

/* net_file.c: reads a net for this game, or the evaluator without one; the program ends with a
 * sentence if it does not fit. */
void learn_net_open(LearnNet *net, const MashGame *game, const char *path);
/* Writes it as C, named; makes one with small weights by chance. Exit codes. */
int learn_export(const LearnTask *task);
int learn_random(const LearnTask *task);

/* self_play.c and gate.c: the commands. Exit codes. */
int learn_play(const LearnTask *task);
int learn_gate(const LearnTask *task);

#endif
