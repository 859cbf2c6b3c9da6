/* keeper.c -- the keeper thread: beats, watches the other nodes, and between that archives what is
 * over. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "store/postgres/postgres.h"

/* The keeper looks at the nodes this many times in the time after which a silent one is replaced.
 */
enum { LOOKS = 20 };

/* Is there something to archive or drop now? Under the lock. */
static bool has_work(const Postgres *postgres) {
    const EndJob *first = postgres->end_first;
    return first != NULL && first->after <= postgres->done.appended;
}

/* May our matches be given away: is nothing of them on its way any more? Under the lock. */
static bool may_give_up(const Postgres *postgres) {
    return postgres->handing_over && !postgres->done.handed_over && postgres->end_first == NULL &&
           postgres->done.appended == postgres->tickets;
}

/* Waits for work, the next look, or the next try. False = shut down. */
static bool wait_for_work(Postgres *postgres, uint64_t look_ms) {
    bool goes_on = true;
    lock_take(&postgres->lock);
    for (;;) {
        uint64_t now_ms = link_clock_ms();
        uint64_t until_ms = postgres->retry_ms > now_ms ? postgres->retry_ms : look_ms;
        bool may = postgres->retry_ms <= now_ms;
        goes_on = postgres->done.failure == NULL &&
                  !(postgres->keeper_ends && (!has_work(postgres) || !may));
        if (!goes_on || (may && (has_work(postgres) || may_give_up(postgres))) ||
            now_ms >= until_ms)
            break;
        postgres_wait(postgres, &postgres->keeper_wakes, until_ms - now_ms);
    }
    lock_give(&postgres->lock);
    return goes_on;
}

/* The connection is lost: says so once, and tries again in a moment. */
static void back_off(Postgres *postgres) {
    char sentence[640];
    postgres->retry_ms = link_clock_ms() + RETRY_MS;
    if (postgres->link_reported)
        return;
    postgres->link_reported = true;
    snprintf(sentence, sizeof sentence,
             "the connection to the database is lost: %s; matches wait, and it is tried again",
             postgres->keeper_link.problem);
    postgres_report(postgres, sentence);
}

/* One turn of the keeper's work. False = the connection is lost. */
static bool turn(Postgres *postgres, uint64_t *look_ms) {
    if (!link_open(&postgres->keeper_link))
        return false;
    if (postgres->link_reported)
        postgres_report(postgres, "the database answers again");
    postgres->link_reported = false;
    lock_take(&postgres->lock);
    bool works = has_work(postgres), gives = may_give_up(postgres);
    bool given = postgres->done.handed_over;
    lock_give(&postgres->lock);
    if (gives)
        return nodes_give_up(postgres);
    uint64_t now_ms = link_clock_ms();
    if (now_ms >= *look_ms) {
        if (!given && (!nodes_beat(postgres) || !documents_work(postgres)))
            return false;
        ends_prune(postgres);
        *look_ms = now_ms + postgres->setup.silence_ms / LOOKS;
        if (!given && postgres->beat_ms < *look_ms)
            *look_ms = postgres->beat_ms;
    }
    return !works || ends_work(postgres);
}

void *keeper_run(void *owner) {
    Postgres *postgres = owner;
    uint64_t look_ms = 0;
    while (wait_for_work(postgres, look_ms)) {
        postgres_waits(postgres, &postgres->keeper_waits_ms, true);
        if (turn(postgres, &look_ms))
            postgres_waits(postgres, &postgres->keeper_waits_ms, false);
        else
            back_off(postgres);
    }
    return NULL;
}
