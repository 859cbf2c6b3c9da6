/* engine.h -- the simulator as lines of JSON: one request in, one answer out; `mashup engine`.
 *
 * A request is an object with `type` and perhaps `id`, which the answer repeats. The answer has the
 * type of the request, or it is `refused` with `code` and `reason`. Positions have numbers, from 1
 * on (`sim`). Nothing that a line can say ends the process, except for `load`, which trusts its
 * bytes as mash_sim_load() does. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H
#include <stdint.h>

#include "base/text.h"

typedef struct SimEngine SimEngine;

/* Without positions. NULL: no memory. */
SimEngine *sim_engine_open(void);
/* Drops all positions. NULL is ignored. */
void sim_engine_close(SimEngine *engine);
/* The answer to a line, without a line break; valid until the next call. NULL: no memory. */
const char *sim_engine_answer(SimEngine *engine, const char *line, uint32_t count);
/* Appends all requests with their keys and answers as a Markdown table; and all verbs of all games
 * with what the fields of their actions mean, from the forms of their notation. */
void sim_engine_reference(MashText *text);
void sim_verbs_reference(MashText *text);

#endif
