/* copies.c -- counts the machines that have what was committed: see --copies in docs/cluster.md. */
#include "store/postgres/postgres.h"

/* Has the thread that waits on this condition nothing to wait for any more? Under the lock. */
static bool stops(const Postgres *postgres, const pthread_cond_t *wakes) {
    bool ends = wakes == &postgres->writer_wakes ? postgres->writer_ends : postgres->keeper_ends;
    return ends || postgres->done.failure != NULL;
}

LinkAnswer copies_wait(Postgres *postgres, Link *link, pthread_cond_t *wakes, uint64_t ms,
                       bool *enough) {
    enum { STEP_MS = 2 };
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
    PQclear(rows);
    for (bool goes_on = true; goes_on;) {
        answer = link_run(link, "kept", &place, &rows);
        if (answer != LINK_DONE)
            return answer;
        *enough = (uint32_t)link_int4(rows, 0, 0) + 1 >= postgres->setup.copies;
        PQclear(rows);
        pthread_mutex_lock(&postgres->lock);
        goes_on = !*enough && link_clock_ms() - began_ms < ms && !stops(postgres, wakes);
        if (goes_on)
            postgres_wait(postgres, wakes, STEP_MS);
        pthread_mutex_unlock(&postgres->lock);
    }
    return LINK_DONE;
}
