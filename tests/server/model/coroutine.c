/* coroutine.c -- see coroutine.h. */
#define _GNU_SOURCE
#include "tests/server/model/coroutine.h"

#include <assert.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

/* The address sanitizer is told of every change of stacks. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
#define LEAVE(keeps, bottom, bytes) __sanitizer_start_switch_fiber(keeps, bottom, bytes)
#define ARRIVE(kept, bottom, bytes) __sanitizer_finish_switch_fiber(kept, bottom, bytes)
#else
#define LEAVE(keeps, bottom, bytes) ((void)(keeps), (void)(bottom), (void)(bytes))
#define ARRIVE(kept, bottom, bytes) ((void)(kept), (void)(bottom), (void)(bytes))
#endif

enum { STACK_BYTES = 1 << 18, SPARE_MAX = 32 };

struct Coroutine {
    ucontext_t own, caller;
    Coroutine *outer; /* that has resumed it; NULL = the main program */
    void (*run)(void *owner);
    void *owner;
    void *stack;
    const void *from; /* the stack of whoever has resumed it */
    size_t from_bytes;
    bool ended;
};

static Coroutine *running;
static void *spare[SPARE_MAX]; /* stacks to be used again */
static int spare_count;

/* The bottom of every stack; a pointer comes in two halves because makecontext() passes ints. */
static void enter(unsigned high, unsigned low) {
    Coroutine *coroutine = (Coroutine *)((uintptr_t)high << 32 | (uintptr_t)low);
    ARRIVE(NULL, &coroutine->from, &coroutine->from_bytes);
    coroutine->run(coroutine->owner);
    coroutine->ended = true;
    coroutine_yield();
    abort(); /* nobody resumes it any more */
}

Coroutine *coroutine_new(void (*run)(void *owner), void *owner) {
    Coroutine *coroutine = calloc(1, sizeof *coroutine);
    assert(coroutine != NULL);
    coroutine->run = run;
    coroutine->owner = owner;
    coroutine->stack = spare_count > 0 ? spare[--spare_count] : malloc(STACK_BYTES);
    assert(coroutine->stack != NULL);
    getcontext(&coroutine->own);
    coroutine->own.uc_stack.ss_sp = coroutine->stack;
    coroutine->own.uc_stack.ss_size = STACK_BYTES;
    coroutine->own.uc_link = NULL;
    makecontext(&coroutine->own, (void (*)(void))enter, 2, (unsigned)((uintptr_t)coroutine >> 32),
                (unsigned)(uintptr_t)coroutine);
    return coroutine;
}

void coroutine_resume(Coroutine *coroutine) {
    assert(!coroutine->ended && coroutine != running);
    coroutine->outer = running;
    running = coroutine;
    void *kept = NULL;
    LEAVE(&kept, coroutine->stack, STACK_BYTES);
    swapcontext(&coroutine->caller, &coroutine->own);
    ARRIVE(kept, NULL, NULL);
}

bool coroutine_ended(const Coroutine *coroutine) { return coroutine->ended; }

void coroutine_yield(void) {
    Coroutine *coroutine = running;
    running = coroutine->outer;
    void *kept = NULL;
    LEAVE(coroutine->ended ? NULL : &kept, coroutine->from, coroutine->from_bytes);
    swapcontext(&coroutine->own, &coroutine->caller);
    ARRIVE(kept, &coroutine->from, &coroutine->from_bytes);
}

bool coroutine_runs(void) { return running != NULL; }

void coroutine_free(Coroutine *coroutine) {
    if (coroutine == NULL)
        return;
    assert(coroutine != running);
    /* What was left in the middle has left its marks there. */
    ASAN_UNPOISON_MEMORY_REGION(coroutine->stack, STACK_BYTES);
    if (spare_count < SPARE_MAX)
        spare[spare_count++] = coroutine->stack;
    else
        free(coroutine->stack);
    free(coroutine);
}
