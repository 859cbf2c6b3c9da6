/* fault.h -- places in the code where a test can kill the process, as if the machine had gone away
 * there: before and after each step that makes something durable.
 *
 * MASH_FAULT=name:n in the environment kills the process (SIGKILL) when it reaches the place of
 * that name for the n-th time. Only in test builds (-DMASH_FAULTS: see the Makefile's variants);
 * the released program has none of this. */
#ifndef STORE_FAULT_H
#define STORE_FAULT_H
#ifdef MASH_FAULTS
/* The process is at this place. */
void fault_point(const char *name);
#define FAULT_POINT(name) fault_point(name)
#else
#define FAULT_POINT(name) ((void)0)
#endif

#endif
