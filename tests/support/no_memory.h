/* no_memory.h -- memory that runs out at a chosen allocation. Include it in one file of a test
 * program: its malloc(), calloc() and realloc() replace the system's there. Only allocations of the
 * program's own code fail; libraries get what they ask for. */
#ifndef TESTS_SUPPORT_NO_MEMORY_H
#define TESTS_SUPPORT_NO_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allocations that fail: those from `first` to `last`, counted from 1; 0 = none. `count` of
 * them were made since it was set to 0. Set it while no other thread runs. */
static struct {
    uint64_t first, last;
    _Atomic uint64_t count;
} no_memory;

/* The allocators behind ours: those of the sanitizer, if it is there, or of the C library. */
void *__interceptor_malloc(size_t size) __attribute__((weak));
void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
void *__interceptor_realloc(void *memory, size_t size) __attribute__((weak));
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* Where the program's own code begins and ends. */
extern const char __executable_start, etext;

/* Does an allocation that returns to this place fail? */
static bool memory_fails(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    if (no_memory.first == 0 || at < (uintptr_t)&__executable_start || at >= (uintptr_t)&etext)
        return false;
    uint64_t number = ++no_memory.count;
    return number >= no_memory.first && number <= no_memory.last;
}

/* Replaces malloc() of the program. */
void *malloc(size_t size) {
    if (memory_fails(__builtin_return_address(0)))
        return NULL;
    return __interceptor_malloc != NULL ? __interceptor_malloc(size) : __libc_malloc(size);
}

/* Replaces calloc() of the program. */
void *calloc(size_t count, size_t size) {
    if (memory_fails(__builtin_return_address(0)))
        return NULL;
    return __interceptor_calloc != NULL ? __interceptor_calloc(count, size)
                                        : __libc_calloc(count, size);
}

/* Replaces realloc() of the program. */
void *realloc(void *memory, size_t size) {
    if (memory_fails(__builtin_return_address(0)))
        return NULL;
    return __interceptor_realloc != NULL ? __interceptor_realloc(memory, size)
                                         : __libc_realloc(memory, size);
}

#endif
