/* threat.h -- which cells the enemy can hit in its next turn, and how hard: never a cell shown as
 * safe on which a unit is then hit.
 *
 * Games with an entry threat() tell it themselves, unit by unit; where units act in an order, those
 * enemies count that may come next, whatever the seat does now before it ends its turn: who stuns
 * the next enemy is hit by the one behind it; in the turn of an enemy that one counts. For all
 * others it is searched: everything that the seat can still do in its turn and then everything that
 * the enemy can do in its own, on copies. Where that is too much, draws chance or depends on what
 * is hidden, nothing is known, and every cell counts as threatened. */
#ifndef MATCH_THREAT_H
#define MATCH_THREAT_H
#include "include/mashup.h"

/* Bounds of the search, and what stands for a cell of which nothing is known. */
enum { THREAT_NODES_MAX = 40000, THREAT_DEPTH_MAX = 24, THREAT_UNKNOWN = INT32_MAX };

/* How many bytes threat_map() needs, aligned to 16. */
size_t threat_bytes(const MashContent *content);
/* Fills `most`, one number for each cell, row by row: at least the most health that a unit of the
 * seat standing there may lose in the enemy's next turn, 1 where units have none, 0 where nobody is
 * hit. From `unit` alone, or from all enemies (MASH_UNIT_NONE). False: it could not be found out,
 * all are THREAT_UNKNOWN. */
bool threat_map(const MashContent *content, const void *view, uint8_t seat, uint8_t unit,
                void *memory, int32_t *most);

#endif
