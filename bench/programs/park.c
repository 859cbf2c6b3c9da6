/* park.c -- many open matches that nobody plays: `bench_park PLACE MATCHES`, where PLACE is what
 * `mashup serve --store` takes.
 *
 * Copies the longest open match that node 1 finds in the store, record by record, under new
 * numbers, until that many more are open; a server that starts there has all of them. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "store/store.h"

enum { RECORDS_MAX = 64, NUMBER_BITS = 60 };

/* A match to be copied. */
typedef struct Pattern {
    StoreRecord records[RECORDS_MAX];
    uint32_t count;
} Pattern;

static void forget(Pattern *pattern) {
    for (uint32_t i = 0; i < pattern->count; i++)
        free((void *)pattern->records[i].bytes);
    pattern->count = 0;
}

/* The records of the store's current match, RECORDS_MAX at most. */
static Pattern take(Store *store) {
    Pattern pattern = {.count = 0};
    StoreRecord record;
    while (store_next_record(store, &record)) {
        if (pattern.count == RECORDS_MAX)
            continue;
        void *copy = malloc(record.count + 1U);
        if (copy == NULL)
            break;
        memcpy(copy, record.bytes, record.count);
        record.bytes = copy;
        pattern.records[pattern.count++] = record;
    }
    return pattern;
}

/* The longest open match. */
static Pattern find(Store *store) {
    Pattern longest = {.count = 0};
    StoreMatch match;
    while (store_next_match(store, &match)) {
        Pattern other = take(store);
        Pattern shorter = other.count > longest.count ? longest : other;
        longest = other.count > longest.count ? other : longest;
        forget(&shorter);
    }
    return longest;
}

static void wait_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* Appends one record, as soon as there is room. False: it cannot be. */
static bool append(Store *store, const StoreRecord *record, uint64_t *ticket) {
    StoreStatus status;
    while ((status = store_append(store, record, ticket)) == STORE_FULL)
        wait_a_little();
    return status == STORE_OK;
}

/* Appends this many copies. False: it cannot. */
static bool copy(Store *store, const Pattern *pattern, uint64_t matches) {
    uint64_t ticket = 0;
    for (uint64_t i = 0; i < matches; i++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return false;
        number >>= 64 - NUMBER_BITS;
        for (uint32_t j = 0; j < pattern->count; j++) {
            StoreRecord record = pattern->records[j];
            record.match = number;
            if (!append(store, &record, &ticket))
                return false;
        }
    }
    while (store_progress(store).appended < ticket && store_progress(store).failure == NULL)
        wait_a_little();
    return store_progress(store).failure == NULL;
}

int main(int count, char **words) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (count != 3) {
        fprintf(stderr, "usage: bench_park PLACE MATCHES\n");
        return 2;
    }
    StoreSetup setup = store_setup(words[1]);
    setup.node = 1;
    setup.matches_max = 1000000;
    Store *store = store_open(&setup, &problem);
    if (store == NULL) {
        fprintf(stderr, "bench_park: %s\n", memory);
        return 1;
    }
    Pattern pattern = find(store);
    bool fine = pattern.count > 0 && copy(store, &pattern, strtoull(words[2], NULL, 10));
    printf("%s matches of %u records%s\n", words[2], pattern.count,
           fine ? "" : " could not be copied");
    forget(&pattern);
    store_close(store);
    return fine ? 0 : 1;
}
