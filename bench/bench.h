/* bench.h -- the parts of `mashup bench` that are in separate files. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
#include "cli/arguments.h"

/* The flags of `mashup bench`, in order. */
enum {
    BENCH_POSITIONS,
    BENCH_NODES,
    BENCH_GAME,
    BENCH_MATCHES,
    BENCH_SOCKETS,
    BENCH_WATCHERS,
    BENCH_MS,
    BENCH_FAST,
    BENCH_FLAGS
};

/* Measures the server, as much as the flags say. Returns the exit code. */
int bench_server(const Command *self, const Flag *flags);
/* Echoes per server-CPU-second of a plain TCP echo server; 0: it could not be measured. */
double bench_echo(uint32_t sockets, uint32_t bytes, double duration);

#endif
