/* both_kinds.h -- tests that every kind of store passes: each runs over the embedded store and over
 * a real PostgreSQL, and is skipped for the second where there is none. */
#ifndef TESTS_STORE_BOTH_KINDS_H
#define TESTS_STORE_BOTH_KINDS_H
#include "tests/store/database.h"
#include "tests/store/fixture.h"

/* Start the database for all tests of the second kind, and end it. */
void both_begin(void);
void both_end(void);
/* Give a test a rig with an empty store of a kind, not open yet; its folder is there in any
 * case. And free it. */
int both_embedded(void **state);
int both_postgres(void **state);
int both_release(void **state);
/* Opens the rig's store, or skips the test where there is no database for it. */
void both_open(Rig *rig, bool shared);

/* Makes both tests of a function that takes a Rig with an open store, and lists them. */
#define EACH(test)                                                                                 \
    static void test##_embedded(void **state) {                                                    \
        both_open(*state, false);                                                                  \
        test(*state);                                                                              \
    }                                                                                              \
    static void test##_postgres(void **state) {                                                    \
        both_open(*state, true);                                                                   \
        test(*state);                                                                              \
    }
#define TESTS(test)                                                                                \
    cmocka_unit_test_setup_teardown(test##_embedded, both_embedded, both_release),                 \
        cmocka_unit_test_setup_teardown(test##_postgres, both_postgres, both_release)

#endif
