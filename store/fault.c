/* fault.c -- see fault.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/fault.h"

#ifdef MASH_FAULTS
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void fault_point(const char *name) {
    static atomic_ulong reached;
    const char *wanted = getenv("MASH_FAULT");
    size_t length = strlen(name);
    if (wanted == NULL || strncmp(wanted, name, length) != 0 || wanted[length] != ':')
        return;
    if (atomic_fetch_add(&reached, 1) + 1 == strtoul(wanted + length + 1, NULL, 10))
        raise(SIGKILL);
}
#else
typedef int FaultNothing; /* a file of C must not be empty */
#endif
