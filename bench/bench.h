/* bench.h -- the parts of `mashup bench` that are in separate files. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
#include "cli/arguments.h"

/* Measures the server, as much as the flags say. Returns the exit code. */
int bench_server(const Arguments *given);
/* Plays on a server that runs already. Returns the exit code. */
int bench_load(const Arguments *given);
/* Echoes per server-CPU-second of a plain TCP echo server; 0: it could not be measured. */
double bench_echo(uint32_t sockets, uint32_t bytes, double duration);

#endif
