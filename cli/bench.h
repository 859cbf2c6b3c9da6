/* bench.h -- the parts of `mashup bench` that have files of their own. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H
#include "cli/arguments.h"

/* Measures the server; how much is by the flags. Returns the exit code. */
int bench_server(const Command *self, const Flag *game, const Flag *matches, bool fast);
/* Echoes per server-CPU-second of a plain echo over TCP; 0: it could not be measured. */
double bench_echo(uint32_t sockets, uint32_t bytes, double duration);

#endif
