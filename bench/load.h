/* load.h -- load for a server on loopback: thousands of clients in one process, and their
 * measurements. For `mashup bench server`.
 *
 * Clients sit in pairs and play at random. In an open loop each pair acts at times that are fixed
 * beforehand, whether or not the previous answer has arrived, and response times count from the due
 * time, so that a server that stalls cannot hide it. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H
#include "client/client.h"

typedef struct LoadTest LoadTest;

/* Resources used by a process. */
typedef struct LoadUsage {
    double cpu_seconds;
    double memory_bytes; /* resident and private */
    double wall_seconds;
} LoadUsage;
/* Reads the usage of a process; all zero if it does not exist. */
LoadUsage load_account(int pid);

/* Response times, in microseconds. */
typedef struct LoadTimes {
    uint32_t *list;
    uint32_t count, max;
} LoadTimes;
/* The percentile, in per mille; sorts the times. */
uint32_t load_time(LoadTimes *times, uint32_t per_mille);

/* A load test of the server at this address, without clients yet. */
LoadTest *load_open(const char *url, const MashGame *game, const char *preset);
void load_close(LoadTest *load);

/* Connects until this many clients have said hello. False: it took too long. */
bool load_connect(LoadTest *load, uint32_t count);
/* Seats clients in pairs until this many matches are in progress. False: it took too long. */
bool load_pair(LoadTest *load, uint32_t pairs);
/* Adds this many spectators of the first pair's table. False: it took too long. */
bool load_watch(LoadTest *load, uint32_t count);
/* Opens connections and closes them, some at a time, this many in total. False: it took too long.
 */
bool load_reconnects(LoadTest *load, uint32_t count);

/* Lets the first `pairs` act: this many actions per second in total, or each as soon as it was
 * answered if `rate` is 0. */
void load_play(LoadTest *load, uint32_t pairs, uint32_t rate, uint32_t ms);
/* Runs without acting. */
void load_idle(LoadTest *load, uint32_t ms);

/* What was measured since the last load_reset(). */
typedef struct LoadStats {
    uint64_t actions;   /* actions that were answered */
    uint64_t positions; /* positions that players received */
    uint64_t watched;   /* positions that spectators received */
    uint64_t matches;   /* matches that ended */
    uint64_t refusals, offences, losses;
} LoadStats;
void load_reset(LoadTest *load);
const LoadStats *load_stats(const LoadTest *load);
/* Times of answers to actions; times from an action until the last spectator has received it. */
LoadTimes *load_answers(LoadTest *load);
LoadTimes *load_fanout_times(LoadTest *load);
/* How many clients there are. */
uint32_t load_count(const LoadTest *load);

#endif
