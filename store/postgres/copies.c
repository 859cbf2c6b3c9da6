/* copies.c -- counts the machines that have what was committed: see --copies in docs/cluster.md. */
#include "store/postgres/postgres.h"

/* Has the thread that waits on this condition nothing to wait for any more? Under the lock. */
static bool stops(const Postgres *postgres, const pthread_cond_t *wakes) {
    bool ends = wakes == &postgres->writer_wakes ? postgres->writer_ends : postgres->keeper_ends;
    return ends || postgres->done.failure != NULL;
}

/* Are the standbys in this column, and the primary, enough machines? The rows are cleared. */
static bool has_enough(const Postgres *postgres, PGresult *rows, int column) {
    bool enough = (uint32_t)link_int4(rows, 0, column) + 1 >= postgres->setup.copies;
    PQclear(rows);
    return enough;
}

/* Waits before it is asked again. False = the thread is to end. */
static bool wait_a_little(Postgres *postgres, pthread_cond_t *wakes) {
    enum { STEP_MS = 2 };
    lock_take(&postgres->lock);
    bool goes_on = !stops(postgres, wakes);
    if (goes_on)
        postgres_wait(postgres, wakes, STEP_MS);
    lock_give(&postgres->lock);
    return goes_on;
}

LinkAnswer copies_wait(Postgres *postgres, DatabaseLink *link, pthread_cond_t *wakes, uint64_t ms,
                       bool *enough) {
    LinkParameters none = {.count = 0}, place = {.count = 0};
    PGresult *rows;
    uint64_t began_ms = link_clock_ms();
    *enough = postgres->setup.copies <= 1;
    if (*enough)
        return LINK_DONE;
    LinkAnswer answer = link_run(link, "flushed", &none, &rows);
    if (answer != LINK_DONE)
        return answer;
    link_put_int8(&place, link_int8(rows, 0, 0));
    *enough = has_enough(postgres, rows, 1);
    while (!*enough && link_clock_ms() - began_ms < ms && wait_a_little(postgres, wakes)) {
        answer = link_run(link, "kept", &place, &rows);
        if (answer != LINK_DONE)
            return answer;
        *enough = has_enough(postgres, rows, 0);
    }
    return LINK_DONE;
}
