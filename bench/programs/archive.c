/* archive.c -- a big archive, and how long it takes to read from it:
 *
 *   bench_archive FOLDER [MATCHES]         fills the index of a new data folder (default: 300,000)
 *   bench_archive FOLDER [MATCHES] --ask   measures lists of an existing one
 *
 * One player, "X", is in every match, and every third match is private, as an attacker would have
 * it to make lists slow. Only the index is filled: lists use nothing else. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "store/index.h"

enum { AT_ONCE = 5000, PAGE = 100, PAGES = 1000, ROUNDS = 20 };

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The match with this number: one ends each second. */
static void make_entry(uint64_t number, StoreEntry *entry) {
    static const char *const games[] = {"zorde", "battleground", "generals", "ultimate-war"};
    *entry = (StoreEntry){.match = number * 2654435761u % ((uint64_t)1 << 60) + 1,
                          .started_ms = 1700000000000 + number * 1000,
                          .ended_ms = 1700000060000 + number * 1000,
                          .players_count = 2,
                          .winner = (int32_t)(number % 2),
                          .actions = 40,
                          .is_private = number % 3 == 0,
                          .reason = "resigned",
                          .players = {{"X", "person"}, {"", "ai"}}};
    snprintf(entry->game, sizeof entry->game, "%s", games[number % 4]);
    snprintf(entry->players[1].name, sizeof entry->players[1].name, "player %u",
             (unsigned)(number % 10007));
}

/* Fills the index. False: an error was printed. */
static bool fill(Index *index, uint64_t matches, MashText *problem) {
    static StoreEntry entries[AT_ONCE];
    const StoreEntry *list[AT_ONCE];
    for (uint64_t number = 0; number < matches;) {
        size_t count = 0;
        for (; count < AT_ONCE && number < matches; count++, number++) {
            make_entry(number, &entries[count]);
            list[count] = &entries[count];
        }
        if (index_add(index, list, count, problem) != ARCHIVE_OK)
            return false;
    }
    return true;
}

/* One list, several times, then on to its page number `pages`. */
static void measure(Index *index, const char *what, StoreFilter filter, uint32_t pages) {
    static StoreEntry entries[PAGE];
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t count = 0, page = 1;
    bool listed = true;
    double began = now(CLOCK_MONOTONIC), took = 0;
    for (int round = 0; round < ROUNDS && listed && now(CLOCK_MONOTONIC) - began < 5; round++) {
        double from = now(CLOCK_THREAD_CPUTIME_ID);
        listed = index_list(index, &filter, entries, PAGE, &count, &problem) == ARCHIVE_OK;
        double one = now(CLOCK_THREAD_CPUTIME_ID) - from;
        took = round == 0 || one < took ? one : took;
    }
    for (; page < pages && count == PAGE && listed; page++) {
        filter.after_ms = entries[PAGE - 1].ended_ms;
        filter.after = entries[PAGE - 1].match;
        double from = now(CLOCK_THREAD_CPUTIME_ID);
        listed = index_list(index, &filter, entries, PAGE, &count, &problem) == ARCHIVE_OK;
        took = now(CLOCK_THREAD_CPUTIME_ID) - from;
    }
    printf("%-44s page %4u: %4u matches, %9.3f ms of CPU%s%s\n", what, page, count, took * 1e3,
           listed ? "" : ": ", listed ? "" : memory);
}

int main(int count, char **words) {
    char path[1024], memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (count < 2) {
        fprintf(stderr, "bench_archive FOLDER [MATCHES] [--ask]\n");
        return 2;
    }
    bool asks = strcmp(words[count - 1], "--ask") == 0;
    uint64_t matches = count > 2 && words[2][0] != '-' ? strtoull(words[2], NULL, 10) : 300000;
    mkdir(words[1], 0700);
    snprintf(path, sizeof path, "%s/index.sqlite", words[1]);
    double began = now(CLOCK_MONOTONIC);
    Index *index = index_open(path, true, &problem);
    if (index == NULL || (!asks && !fill(index, matches, &problem))) {
        fprintf(stderr, "bench_archive: %s\n", memory);
        return 1;
    }
    printf("%s in %.1f s\n", asks ? "opened" : "filled", now(CLOCK_MONOTONIC) - began);
    if (asks) {
        measure(index, "everything", (StoreFilter){0}, 1);
        measure(index, "everything", (StoreFilter){0}, PAGES);
        measure(index, "game=zorde", (StoreFilter){.game = "zorde"}, 1);
        measure(index, "game=nope", (StoreFilter){.game = "nope"}, 1);
        measure(index, "player=X", (StoreFilter){.player = "X"}, 1);
        measure(index, "player=X", (StoreFilter){.player = "X"}, PAGES);
        measure(index, "player=X&game=zorde", (StoreFilter){.player = "X", .game = "zorde"}, 1);
        measure(index, "player=X&game=zorde", (StoreFilter){.player = "X", .game = "zorde"}, 500);
        measure(index, "player=X&game=nope", (StoreFilter){.player = "X", .game = "nope"}, 1);
        measure(index, "player=nobody", (StoreFilter){.player = "nobody"}, 1);
        measure(index, "player=X&from_ms=... (no match)",
                (StoreFilter){.player = "X", .from_ms = 1900000000000}, 1);
    }
    index_close(index);
    return 0;
}
