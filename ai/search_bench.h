/* search_bench.h -- searches fixed positions with fixed nodes: one number shows that two builds
 * choose the same, and the time taken shows how fast they are. */
#ifndef AI_SEARCH_BENCH_H
#define AI_SEARCH_BENCH_H
#include "ai/ai.h"

/* The results. */
typedef struct AiBench {
    uint64_t decisions, nodes;
    uint64_t signature; /* hash of nodes, answers and evaluations */
} AiBench;

/* Bytes that ai_bench() needs, aligned to 16. */
size_t ai_bench_bytes(const MashContent *content);
/* Plays random matches and lets the best level search some positions of them with at most this many
 * nodes each. Asserts that every answer is legal and within its nodes. */
void ai_bench(const MashContent *content, uint32_t positions, uint32_t nodes, void *memory,
              AiBench *out);

#endif
