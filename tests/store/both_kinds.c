/* both_kinds.c -- see both_kinds.h. */
#include "tests/store/both_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* One database for all tests; it is emptied before each. */
static Database database;
static bool has_database;

void both_begin(void) { has_database = database_open(&database); }

void both_end(void) { database_close(&database); }

/* What an upgrade says is of no interest. */
static void ignore_sentence(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

/* A rig with an empty store of a kind. */
static Rig *rig_of(bool shared) {
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig_init(rig);
    rig->setup.single_threaded = false;
    if (shared && has_database) {
        char memory[512];
        MashText problem = text_over(memory, sizeof memory);
        database_empty(&database);
        snprintf(rig->place, sizeof rig->place, "postgres:host=%s dbname=postgres user=mashup",
                 database.folder);
        rig->setup.place = rig->place;
        rig->setup.silence_ms = 60000; /* nobody is replaced here, however busy the machine is */
        if (!store_upgrade(rig->place, ignore_sentence, NULL, &problem))
            fail_msg("%s", memory);
    }
    return rig;
}

int both_embedded(void **state) {
    *state = rig_of(false);
    return 0;
}

int both_postgres(void **state) {
    *state = rig_of(true);
    return 0;
}

int both_release(void **state) {
    rig_release(*state);
    free(*state);
    return 0;
}

void both_open(Rig *rig, bool shared) {
    if (shared && !has_database)
        skip();
    if (!rig_open(rig))
        fail_msg("%s", rig->problem);
}
