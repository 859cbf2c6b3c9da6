/* load.h -- load for a server on loopback: thousands of clients in one process, and what they
 * measure. For `mashup bench server`.
 *
 * Clients sit in pairs and play at random. In an open loop each pair is to act at moments that are
 * fixed beforehand, whether or not the answer before has come, and the time of an answer counts
 * from that moment, so that a server that stalls cannot hide it. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H
#include "client/client.h"

typedef struct LoadTest LoadTest;

/* What a process has used. */
typedef struct LoadUsage {
    double cpu_seconds;
    double memory_bytes; /* resident and its own */
    double wall_seconds;
} LoadUsage;
/* Looks at a process; all zero if it is gone. */
LoadUsage load_account(int pid);

/* Times of answers, in microseconds. */
typedef struct LoadTimes {
    uint32_t *list;
    uint32_t count, max;
} LoadTimes;
/* The time that so many per thousand are not above; sorts. */
uint32_t load_time(LoadTimes *times, uint32_t per_mille);

/* Clients of the server at this address; nobody yet. */
LoadTest *load_open(const char *url, const MashGame *game, const char *preset);
void load_close(LoadTest *load);

/* Connects until there are so many clients that have said hello. False: it took too long. */
bool load_connect(LoadTest *load, uint32_t count);
/* Seats clients in pairs until so many matches are on. False: it took too long. */
bool load_pair(LoadTest *load, uint32_t pairs);
/* So many clients more that look on at the first pair's table. False: it took too long. */
bool load_watch(LoadTest *load, uint32_t count);
/* Opens connections and closes them, some at a time, until there were so many. False: too long. */
bool load_reconnects(LoadTest *load, uint32_t count);

/* Lets the first `pairs` act: so many actions a second altogether, or each as soon as it was
 * answered if `rate` is 0. */
void load_play(LoadTest *load, uint32_t pairs, uint32_t rate, uint32_t ms);
/* Runs without acting. */
void load_idle(LoadTest *load, uint32_t ms);

/* What was seen since the last load_reset(). */
typedef struct LoadFigures {
    uint64_t actions;   /* that were answered */
    uint64_t positions; /* that players got */
    uint64_t watched;   /* positions that watchers got */
    uint64_t matches;   /* ended */
    uint64_t refusals, offences, losses;
} LoadFigures;
void load_reset(LoadTest *load);
const LoadFigures *load_figures(const LoadTest *load);
/* Of answers to actions; from an action to its last watcher. */
LoadTimes *load_answers(LoadTest *load);
LoadTimes *load_fanout_times(LoadTest *load);
/* How many clients there are. */
uint32_t load_count(const LoadTest *load);

#endif
