/* bench.h -- fixed positions, thought about for fixed nodes: one number shows that two builds
 * choose alike, and how long it takes shows how fast they are. */
#ifndef AI_BENCH_H
#define AI_BENCH_H
#include "ai/ai.h"

/* What came out. */
typedef struct AiBench {
    uint64_t decisions, nodes;
    uint64_t signature; /* of nodes, answers and values */
} AiBench;

/* Bytes that ai_bench() wants, aligned to 16. */
size_t ai_bench_bytes(const MashContent *content);
/* Goes through random matches and lets the best level think in some positions of them for at most
 * so many nodes each. Every answer must be legal and within its nodes: else an assert fails. */
void ai_bench(const MashContent *content, uint32_t positions, uint32_t nodes, void *memory,
              AiBench *out);

#endif
