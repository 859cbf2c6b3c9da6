/* no_postgres.c -- see store/postgres/: stands in for it in programs without libpq, such as the one
 * without shared libraries. */
#include "store/backend.h"

/* Says that it is not there; false. */
static bool missing(MashText *problem) {
    text_string(problem,
                "this program was built without PostgreSQL: use that of the Debian package "
                "or of the container, or another store");
    return false;
}

static Store *missing_open(const StoreSetup *setup, const char *where, MashText *problem) {
    (void)setup;
    (void)where;
    missing(problem);
    return NULL;
}

static bool missing_upgrade(const char *where, void (*report)(void *owner, const char *sentence),
                            void *owner, MashText *problem) {
    (void)where;
    (void)report;
    (void)owner;
    return missing(problem);
}

static bool missing_check(const char *where, void (*report)(void *owner, const char *sentence),
                          void *owner, uint32_t *unsafe, MashText *problem) {
    *unsafe = 0;
    return missing_upgrade(where, report, owner, problem);
}

const StoreBackend store_postgres = {
    .name = "postgres", .open = missing_open, .upgrade = missing_upgrade, .check = missing_check};
