/* matching.h -- the cheapest perfect matching of a complete graph (Edmonds' blossom algorithm with
 * weights, in time cubic in the number of vertices). */
#ifndef TOURNAMENT_MATCHING_H
#define TOURNAMENT_MATCHING_H
#include <stddef.h>
#include <stdint.h>

/* The most that one edge may cost: the sum of a matching stays in 64 bits. */
#define MATCHING_COST_MAX ((int64_t)1 << 49)

/* Bytes to lend for matching_find(). */
size_t matching_bytes(uint32_t vertices);
/* Finds partners[v] for each vertex such that the sum of the costs is least. `vertices` is even and
 * at most 4,096; `costs` has a line for each vertex and is symmetric; 0 <= cost <=
 * MATCHING_COST_MAX. The same costs always give the same partners. */
void matching_find(uint32_t vertices, const int64_t *costs, void *memory, uint16_t *partners);

#endif
