/* test_store_settings.c -- settings of a real PostgreSQL that are unsafe, each of them: what
 * `mashup admin store check` says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/store.h"
#include "tests/store/database.h"

static Database database;
static bool has_database;
static const char base[] = "postgres";

/* What the database says. */
static const char *asked(const char *sql) { return database_ask(&database, base, sql); }

static void keep(void *owner, const char *sentence) {
    char *all = owner;
    strncat(all, sentence, 4000 - strlen(all));
    strncat(all, "\n", 4000 - strlen(all));
}

/* Each setting that may lose moves, or makes a fault last longer, and what is said of it. */
static void every_unsafe_setting_is_named(void **state) {
    (void)state;
    if (!has_database)
        skip();
    static const struct {
        const char *sets, *resets, *said;
    } cases[] = {
        {"alter system set full_page_writes = off", "alter system reset full_page_writes",
         "unsafe: full_page_writes is \"off\""},
        {"alter system set zero_damaged_pages = on", "alter system reset zero_damaged_pages",
         "unsafe: zero_damaged_pages is \"on\""},
        {"alter role mashup set synchronous_commit = local",
         "alter role mashup reset synchronous_commit", "advice: synchronous_commit is \"local\""},
        {"alter role mashup set synchronous_commit = remote_write",
         "alter role mashup reset synchronous_commit",
         "advice: synchronous_commit is \"remote_write\""},
        {"alter system set synchronous_standby_names = 'ANY 1 (nobody)'",
         "alter system reset synchronous_standby_names",
         "is \"ANY 1 (nobody)\": no standby of that name follows"},
        {"alter system set synchronous_standby_names = 'FIRST 1 (b, c)'",
         "alter system reset synchronous_standby_names",
         "is \"FIRST 1 (b, c)\": commits wait for the first of these only"},
        {"alter system set synchronous_standby_names = 'b, c'",
         "alter system reset synchronous_standby_names",
         "is \"b, c\": commits wait for the first of these only"},
        {"alter system set synchronous_standby_names = '*'",
         "alter system reset synchronous_standby_names",
         "is \"*\": any program that follows counts"},
        {"alter system set wal_sender_timeout = 0", "alter system reset wal_sender_timeout",
         "advice: wal_sender_timeout is \"0\""},
        {"alter role mashup set client_connection_check_interval = 0",
         "alter role mashup reset client_connection_check_interval",
         "alter system set client_connection_check_interval = '2s'; select pg_reload_conf();"},
        {"alter role mashup set idle_in_transaction_session_timeout = 0",
         "alter role mashup reset idle_in_transaction_session_timeout",
         "advice: idle_in_transaction_session_timeout is \"0\""},
        {"select 1", "select 1", "advice: data_checksums is \"off\""},
    };
    char memory[512], place[256];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t unsafe;
    snprintf(place, sizeof place, "postgres:host=%s dbname=%s user=mashup", database.folder, base);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[4096] = "";
        asked(cases[i].sets);
        asked("select pg_reload_conf()");
        /* the server tells its processes in its own time */
        for (int tries = 0; tries < 1000 && strstr(said, cases[i].said) == NULL; tries++) {
            said[0] = '\0';
            assert_true(store_check(place, keep, said, &unsafe, &problem));
        }
        asked(cases[i].resets);
        asked("select pg_reload_conf()");
        if (strstr(said, cases[i].said) == NULL)
            fail_msg("%s is not named in %s", cases[i].said, said);
    }
}

/* Executes what a line says after "To fix it: ", one statement after the other as psql does. */
static void fix(const char *line) {
    static const char begins[] = "To fix it: ";
    char words[1024];
    const char *from = strstr(line, begins);
    assert_non_null(from);
    from += sizeof begins - 1;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(from, "\n"), from);
    for (char *rest = words, *end; *rest != '\0'; rest = end) {
        end = rest + strcspn(rest, ";");
        end += *end != '\0' ? (*end = '\0', 1) : 0;
        if (rest[strspn(rest, " ")] != '\0')
            asked(rest);
    }
}

/* What a line tells to do mends it, wherever the setting was made. */
static void every_line_mends_what_it_names(void **state) {
    (void)state;
    if (!has_database)
        skip();
    char in_database[2][160];
    snprintf(in_database[0], sizeof in_database[0], "alter database %s set wal_sender_timeout = 0",
             base);
    snprintf(in_database[1], sizeof in_database[1],
             "alter role mashup in database %s set statement_timeout = 9000", base);
    const struct {
        const char *sets, *name;
    } cases[] = {
        {"alter system set full_page_writes = off", "full_page_writes"},
        {"alter system set zero_damaged_pages = on", "zero_damaged_pages"},
        {"alter system set max_slot_wal_keep_size = -1", "max_slot_wal_keep_size"},
        {"alter role mashup set synchronous_commit = local", "synchronous_commit"},
        {"alter role mashup set client_connection_check_interval = 0",
         "client_connection_check_interval"},
        {in_database[0], "wal_sender_timeout"},
        {in_database[1], "statement_timeout"},
    };
    char memory[512], place[256], wanted[64];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t unsafe;
    snprintf(place, sizeof place, "postgres:host=%s dbname=%s user=mashup", database.folder, base);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[4096] = "";
        const char *line = NULL;
        snprintf(wanted, sizeof wanted, ": %s is ", cases[i].name);
        asked(cases[i].sets);
        asked("select pg_reload_conf()");
        for (int tries = 0; tries < 1000 && line == NULL; tries++) {
            said[0] = '\0';
            assert_true(store_check(place, keep, said, &unsafe, &problem));
            line = strstr(said, wanted);
        }
        if (line == NULL)
            fail_msg("%s is not named in %s", cases[i].name, said);
        fix(line);
        for (int tries = 0; tries < 1000 && line != NULL; tries++) {
            said[0] = '\0';
            assert_true(store_check(place, keep, said, &unsafe, &problem));
            line = strstr(said, wanted);
        }
        if (line != NULL)
            fail_msg("%s is still named in %s", cases[i].name, said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unsafe_setting_is_named),
        cmocka_unit_test(every_line_mends_what_it_names),
    };
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests_name("store settings", tests, NULL, NULL);
    if (has_database)
        database_close(&database);
    return failed;
}
