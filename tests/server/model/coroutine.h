/* coroutine.h -- functions that stop in the middle and go on later, all in one thread. In the
 * simulator the threads of a store are such functions, and so are statements that wait for a lock.
 */
#ifndef TESTS_SERVER_MODEL_COROUTINE_H
#define TESTS_SERVER_MODEL_COROUTINE_H
#include <stdbool.h>

typedef struct Coroutine Coroutine;

/* One that will call run(owner) when it is first resumed. */
Coroutine *coroutine_new(void (*run)(void *owner), void *owner);
/* Lets it run until it yields or returns. It must not run already. */
void coroutine_resume(Coroutine *coroutine);
/* Has it returned? */
bool coroutine_ended(const Coroutine *coroutine);
/* Goes back to whoever has resumed the running one. */
void coroutine_yield(void);
/* Is one running? */
bool coroutine_runs(void);
/* Frees it, also in the middle: then its function never goes on. NULL is ignored. */
void coroutine_free(Coroutine *coroutine);

#endif
