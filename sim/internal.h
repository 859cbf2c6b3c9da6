/* internal.h -- what the files of sim/ share: a position, and what all positions of one content
 * have in common. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H
#include "ai/ai.h"
#include "base/json.h"
#include "include/mashup.h"
#include "include/mashup_sim.h"

/* Memory of each thread; WebAssembly has one thread. */
#ifdef __wasm__
#define SIM_OF_THREAD static
#else
#define SIM_OF_THREAD static _Thread_local
#endif

/* What all sims of one content share. Memory that a function needs is taken when it is first
 * called. */
typedef struct SimShared {
    uint32_t users;
    MashContent *content;
    const MashSim *told; /* whose events these are; NULL: nobody's */
    MashEvents events;
    void *view, *trial; /* states to work on */
    MashAction *list;
    void *position_memory, *preview_memory, *ai_memory;
    AiPlan plans[MASH_SEATS];
    char *text;
    uint32_t text_max;
} SimShared;

/* A position. */
struct MashSim {
    SimShared *shared;
    void *state;
    bool blind; /* it is a view: what is hidden from `seat` has to be guessed first */
    uint8_t seat;
    MashSeed seed;
    uint32_t ply; /* actions since the beginning, or since it was loaded */
    uint8_t *past;
    uint32_t past_count, past_max; /* states that can be restored */
};

/* At least this many bytes, zero and aligned to 64; NULL: there are none, and the error says so. */
void *sim_memory(size_t bytes);
/* The same once: *memory stays as it is if it is there. */
void *sim_memory_once(void **memory, size_t bytes);
/* Sets the error of this thread to a format as in text_format(). MASH_SIM_FAILED. */
int32_t sim_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets it to the answer to an action that is not legal. MASH_SIM_FAILED. */
int32_t sim_error_status(MashStatus status);
/* The code of the error: that of such an answer, otherwise "failed". */
const char *sim_error_code(void);
/* The first of these problems as the error: where, and what. */
void sim_error_problem(const MashProblems *problems);

/* Content and options of a JSON object with game, preset, options, documents. NULL: see the
 * error. */
MashContent *sim_load_content(const char *table, int32_t options[MASH_OPTIONS_MAX]);

/* An action from its number, and back. */
MashAction sim_action(uint64_t number);
uint64_t sim_number(MashAction action);

/* What a seat sees, in shared->view, or the state itself for MASH_SIM_ALL. NULL: the sim is another
 * seat's view, see the error. */
const void *sim_view(MashSim *sim, uint32_t seat);

/* The legal actions of a seat as JSON, grouped as in `position`. NULL: no memory, or the sim is
 * another seat's view. */
const char *sim_actions_text(MashSim *sim, uint32_t seat);

/* Writes a text of any length: calls `write` with ever more space until it fits. NULL: no memory.
 */
const char *sim_text(SimShared *shared, void (*write)(void *owner, MashText *text), void *owner);

#endif
