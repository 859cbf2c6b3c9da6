/* test_cluster_statements.c -- checks the model of PostgreSQL (tests/server/model/) against a real
 * one: random scripts of the store's own statements from several sessions, with transactions that
 * stay open, statements that wait for them, and sessions that are terminated. Every answer and the
 * tables at the end must be the same.
 *
 * MASH_SCRIPTS is the number of scripts, MASH_SCRIPT_FIRST the first of them; a failure prints its
 * number and what was sent. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/server/model/model.h"
#include "tests/store/database.h"

enum { SLOTS = 5, STEPS = 40, SCRIPTS = 40, ARRAYS = 16, SAID = 1 << 16 };

/* A session of both: a connection, and its counterpart in the model. */
typedef struct Slot {
    PGconn *connection;
    Backend *session;
    const char *name; /* of the statement that waits for somebody; NULL = none does */
    bool holds;       /* its transaction is open */
} Slot;

static Database database;
static bool has_database;
static PGconn *control;
static Slot slots[SLOTS];
static uint64_t script;
static char said[SAID]; /* what this script has sent */
static uint32_t said_count;
static LinkArray arrays[ARRAYS];
static uint64_t statements, waits, terminations;
enum { NAMES_MAX = 64 };
static uint32_t ran[3][NAMES_MAX];  /* how often each statement of each list ran, */
static uint32_t gave[3][NAMES_MAX]; /* and how often it found or changed something */

static uint32_t draw(uint32_t values) { return model_draw(values); }

/* Adds a line to what was sent. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsnprintf(said + said_count, sizeof said - said_count, format, list);
    va_end(list);
    said_count += (uint32_t)count;
    assert_true(said_count < sizeof said);
}

/* Model and database differ. */
static void differ(const char *what) {
    fprintf(stderr, "script %llu: %s\n%s\nto see it again: MASH_SCRIPT_FIRST=%llu MASH_SCRIPTS=1\n",
            (unsigned long long)script, what, said, (unsigned long long)script);
    fail();
}

/* --- Both databases --------------------------------------------------------------------------- */

/* Runs SQL in the real one. */
static PGresult *ask(PGconn *connection, const char *sql) {
    PGresult *rows = PQexecParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1);
    ExecStatusType status = PQresultStatus(rows);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        fprintf(stderr, "%s\n", sql);
        differ(PQerrorMessage(connection));
    }
    return rows;
}

static void run_text(const char *sql) { PQclear(PQexec(control, sql)); }

/* A name for a statement that all three lists can have in one session. */
static void full_name(const LinkStatement *list, const char *name, char out[64]) {
    snprintf(out, 64, "%s_%s", statement_list(list), name);
}

static const LinkStatement *const lists[] = {group_statements, keeper_statements,
                                             reader_statements};

static uint64_t no_clock(int node) {
    (void)node;
    return 0;
}

/* Opens a session at both, under the name of a node's connection. */
static void open_slot(Slot *slot) {
    char where[256], name[64], application[64];
    slot->name = NULL;
    slot->holds = false;
    snprintf(application, sizeof application, "mashup-%d-%u", 1 + (int)(slot - slots) % 3,
             1 + (uint32_t)(slot - slots) / 3);
    slot->session = model_connect(1, 0, application, group_statements);
    if (slot->connection != NULL)
        return; /* from the script before */
    snprintf(where, sizeof where, "host=%s dbname=postgres user=mashup application_name=%s",
             database.folder, application);
    slot->connection = PQconnectdb(where);
    assert_int_equal(PQstatus(slot->connection), CONNECTION_OK);
    for (int i = 0; i < 3; i++)
        for (const LinkStatement *one = lists[i]; one->name != NULL; one++) {
            full_name(lists[i], one->name, name);
            PGresult *done = PQprepare(slot->connection, name, one->sql, 0, NULL);
            assert_int_equal(PQresultStatus(done), PGRES_COMMAND_OK);
            PQclear(done);
        }
}

static void close_slot(Slot *slot) {
    PQfinish(slot->connection);
    slot->connection = NULL;
}

/* --- Comparing -------------------------------------------------------------------------------- */

/* A row of an answer as bytes, for sorting. */
static int compare_rows(const PGresult *a, int i, const PGresult *b, int k) {
    for (int column = 0; column < PQnfields(a); column++) {
        int one = PQgetisnull(a, i, column) ? -1 : PQgetlength(a, i, column);
        int other = PQgetisnull(b, k, column) ? -1 : PQgetlength(b, k, column);
        if (one != other)
            return one < other ? -1 : 1;
        int order =
            one <= 0 ? 0 : memcmp(PQgetvalue(a, i, column), PQgetvalue(b, k, column), (size_t)one);
        if (order != 0)
            return order;
    }
    return 0;
}

/* How many rows of `rows` are like this one. */
static int count_like(const PGresult *rows, const PGresult *of, int row) {
    int count = 0;
    for (int i = 0; i < PQntuples(rows); i++)
        count += compare_rows(rows, i, of, row) == 0;
    return count;
}

/* Are both answers the same? Statements without an order may give their rows in any. */
static void compare_answers(const char *name, const PGresult *real, const PGresult *ours) {
    bool any_order = strcmp(name, "take") == 0 || strcmp(name, "prune_bytes") == 0;
    if (strcmp(name, "flushed") == 0)
        return; /* a place in a log, of which the two have different ones */
    if (PQntuples(real) != PQntuples(ours)) {
        say("rows: %d real, %d model\n", PQntuples(real), PQntuples(ours));
        differ("another number of rows");
    }
    if (PQntuples(real) > 0 && PQnfields(real) != PQnfields(ours))
        differ("another number of columns");
    for (int row = 0; row < PQntuples(real); row++)
        if (any_order ? count_like(real, real, row) != count_like(ours, real, row)
                      : compare_rows(real, row, ours, row) != 0) {
            say("row %d of %s\n", row, name);
            differ("another answer");
        }
}

/* Adds one for a statement of a list. */
static void count_one(uint32_t counts[3][NAMES_MAX], const LinkStatement *list, const char *name) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; lists[i] == list && list[k].name != NULL; k++)
            counts[i][k] += strcmp(list[k].name, name) == 0;
}

/* Has the answer a row that is not all zeros, or was one changed? */
static bool has_content(PGresult *rows) {
    if (PQntuples(rows) == 0)
        return atoi(PQcmdTuples(rows)) > 0;
    for (int i = 0; i < PQntuples(rows) * PQnfields(rows); i++) {
        int row = i / PQnfields(rows), column = i % PQnfields(rows);
        const char *value = PQgetvalue(rows, row, column);
        for (int k = 0; k < PQgetlength(rows, row, column); k++)
            if (value[k] != 0)
                return true;
    }
    return false;
}

/* Takes the real answer, which is there or will come, and compares it. */
static void finish_statement(Slot *slot, const char *name) {
    Backend *session = slot->session;
    PGresult *rows = PQgetResult(slot->connection);
    ExecStatusType status = PQresultStatus(rows);
    bool done = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    const char *code = done ? NULL : PQresultErrorField(rows, PG_DIAG_SQLSTATE);
    if (done != (session->refusal == NULL) ||
        (!done && strcmp(code == NULL ? "" : code, session->refusal) != 0)) {
        say("real: %s, model: %s\n", done ? "done" : PQresultErrorMessage(rows),
            session->refusal == NULL ? "done" : session->refusal);
        differ("one of them refuses");
    }
    if (done)
        compare_answers(name, rows, session->rows);
    if (done && has_content(rows))
        count_one(gave, session->statements, name);
    while (rows != NULL) {
        PQclear(rows);
        rows = PQgetResult(slot->connection);
    }
    slot->name = NULL;
    if (slot->holds)
        return;
    PQclear(session->rows);
    session->rows = NULL;
    session->refusal = NULL;
    session->transaction = NULL;
    session->state = BACKEND_IDLE;
}

/* Does the real statement wait for a lock, and not just take its time? */
static bool is_blocked(const Slot *slot) {
    char sql[160];
    for (;;) {
        if (PQconsumeInput(slot->connection) == 0 || !PQisBusy(slot->connection))
            return false;
        struct pollfd file = {.fd = PQsocket(slot->connection), .events = POLLIN};
        if (poll(&file, 1, 2) > 0)
            continue;
        snprintf(sql, sizeof sql,
                 "select 1 from pg_stat_activity where pid = %d and wait_event_type = 'Lock'",
                 PQbackendPID(slot->connection));
        PGresult *rows = ask(control, sql);
        bool waits_for_lock = PQntuples(rows) > 0;
        PQclear(rows);
        if (waits_for_lock)
            return true;
    }
}

/* After something has changed: statements that waited and may go on do so, at both. */
static void settle(void) {
    model_settle(0);
    for (int i = 0; i < SLOTS; i++) {
        Slot *slot = &slots[i];
        if (slot->name != NULL && slot->session->state == BACKEND_RUNS) {
            if (!is_blocked(slot))
                differ("the model waits for a lock and PostgreSQL does not");
        } else if (slot->name != NULL) {
            finish_statement(slot, slot->name);
        }
    }
}

/* Runs a statement at both. */
static void run(Slot *slot, const LinkStatement *list, const char *name, LinkParameters *all,
                bool holds) {
    char full[64];
    full_name(list, name, full);
    say("%d: %s%s\n", (int)(slot - slots), full, holds ? " (stays open)" : "");
    statements++;
    count_one(ran, list, name);
    if (holds)
        PQclear(ask(slot->connection, "begin"));
    slot->holds = slot->session->holds = holds;
    slot->session->statements = list;
    model_send(slot->session, name, all);
    assert_int_equal(PQsendQueryPrepared(slot->connection, full, all->count, all->values,
                                         all->lengths, all->formats, 1),
                     1);
    model_step(slot->session);
    slot->name = name;
    if (slot->session->state == BACKEND_RUNS)
        waits++;
    else if (is_blocked(slot))
        differ("PostgreSQL waits for a lock and the model does not");
    settle();
}

/* --- Random statements ------------------------------------------------------------------------ */

/* Small numbers, so that statements meet. */
static int32_t some_node(void) { return 1 + (int32_t)draw(3); }

/* The node's epoch as it is now, mostly. */
static int64_t epoch_of(int32_t node, int64_t *beat) {
    const Machine *machine = &model.machines[0];
    int64_t epoch = 1;
    *beat = 0;
    for (uint32_t i = 0; i < machine->versions_count[NODES]; i++) {
        const Version *version = machine->versions[NODES][i];
        if (version->row->key[0] == node && version->made->visible != 0 && version->gone == NULL) {
            epoch = version->row->value[EPOCH];
            *beat = version->row->value[BEAT];
        }
    }
    return draw(6) == 0 ? epoch - 1 : epoch;
}

static void put_me(LinkParameters *all) {
    int32_t node = some_node();
    int64_t beat;
    link_put_int4(all, node);
    link_put_int8(all, epoch_of(node, &beat));
}

/* Some bytes. */
static void add_bytes(LinkArray *array) {
    char bytes[8];
    uint32_t count = draw(5);
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = (char)('a' + draw(3));
    link_array_bytes(array, bytes, count);
}

static char letters[4][4] = {"a", "b", "ab", ""};

/* One of few texts, so that what is looked for is there. */
static void add_letters(LinkArray *array) {
    const char *text = letters[draw(3) == 0 ? draw(4) : 0];
    link_array_bytes(array, text, strlen(text));
}

/* A group: some new matches, some records. */
static void put_group(LinkParameters *all) {
    static const LinkType types[] = {LINK_INT8, LINK_INT8, LINK_INT8, LINK_INT8,
                                     LINK_INT4, LINK_INT8, LINK_INT4, LINK_BYTES};
    for (int i = 0; i < 8; i++)
        link_array_begin(&arrays[i], types[i]);
    uint32_t mask = draw(16) & draw(16); /* each at most once, in order */
    for (uint32_t n = 1; n <= 4; n++) {
        if (draw(4) == 0) {
            link_array_int8(&arrays[0], n);
            link_array_int8(&arrays[1], 100 + (draw(8) == 0 ? 1 : n));
            link_array_int8(&arrays[2], draw(1000));
        }
        for (uint32_t seq = 1; seq <= 3; seq++)
            if ((mask >> (n - 1) & 1) != 0 && draw(2) == 0) {
                link_array_int8(&arrays[3], n);
                link_array_int4(&arrays[4], (int32_t)seq);
                link_array_int8(&arrays[5], draw(10));
                link_array_int4(&arrays[6], (int32_t)draw(3));
                add_bytes(&arrays[7]);
            }
    }
    put_me(all);
    for (int i = 0; i < 8; i++)
        link_put_array(all, &arrays[i]);
}

/* An array of match numbers. */
static void put_numbers(LinkParameters *all, LinkArray *array, int64_t base) {
    link_array_begin(array, LINK_INT8);
    for (int64_t n = 1; n <= 4; n++)
        if (draw(2) == 0)
            link_array_int8(array, base + n);
    link_put_array(all, array);
}

static void put_finish(LinkParameters *all) {
    static const LinkType types[] = {LINK_INT8,  LINK_INT8, LINK_INT8,  LINK_INT8,  LINK_BYTES,
                                     LINK_BYTES, LINK_INT4, LINK_BYTES, LINK_INT8,  LINK_INT4,
                                     LINK_BYTES, LINK_INT8, LINK_BYTES, LINK_BYTES, LINK_INT8};
    put_me(all);
    for (int i = 0; i < 15; i++)
        link_array_begin(&arrays[i], types[i]);
    for (int64_t n = 1; n <= 4; n++) {
        if (draw(3) > 0)
            continue;
        link_array_int8(&arrays[0], n);
        if (draw(5) == 0)
            continue;          /* it is dropped */
        int64_t ended = n & 3; /* of a match always the same */
        link_array_int8(&arrays[1], 100 + n);
        link_array_int8(&arrays[2], draw(10));
        link_array_int8(&arrays[3], ended);
        add_letters(&arrays[4]);
        add_bytes(&arrays[5]);
        link_array_int4(&arrays[6], (int32_t)draw(3) - 1);
        add_bytes(&arrays[7]);
        link_array_int8(&arrays[8], draw(100));
        link_array_int4(&arrays[9], draw(4) == 0);
        add_bytes(&arrays[10]);
        for (uint32_t i = draw(3); i > 0; i--) {
            link_array_int8(&arrays[11], 100 + n);
            add_letters(&arrays[12]);
            add_letters(&arrays[13]);
            link_array_int8(&arrays[14], ended);
        }
    }
    for (int i = 0; i < 15; i++)
        link_put_array(all, &arrays[i]);
}

/* Tables of the lobby: some are gone, some are there. */
static void put_tables(LinkParameters *all) {
    static const LinkType types[] = {LINK_INT8,  LINK_INT8, LINK_INT4, LINK_INT4,
                                     LINK_BYTES, LINK_INT8, LINK_INT8, LINK_INT8,
                                     LINK_INT8,  LINK_INT8, LINK_INT8, LINK_BYTES};
    put_me(all);
    for (int i = 0; i < 12; i++)
        link_array_begin(&arrays[i], types[i]);
    for (int64_t n = 1; n <= 4; n++) {
        uint32_t what = draw(4);
        if (what == 0)
            link_array_int8(&arrays[0], 100 + n);
        if (what != 1)
            continue;
        link_array_int8(&arrays[1], 100 + n);
        link_array_int4(&arrays[2], (int32_t)draw(3));
        link_array_int4(&arrays[3], draw(4) > 0);
        add_letters(&arrays[4]);
        link_array_int8(&arrays[5], (int64_t)draw(100) * 8 + n);
        for (int i = 6; i < 11; i++)
            link_array_int8(&arrays[i], draw(4));
        add_bytes(&arrays[11]);
    }
    for (int i = 0; i < 12; i++)
        link_put_array(all, &arrays[i]);
}

static void put_letters(LinkParameters *all) {
    const char *text = letters[draw(3) == 0 ? draw(4) : 0];
    link_put_bytes(all, text, strlen(text));
}

/* The parameters of a statement that it does not share with others. */
static void put_rest(const char *name, LinkParameters *all) {
    int32_t node = some_node();
    int64_t beat, epoch = epoch_of(node, &beat);
    if (strcmp(name, "come") == 0) {
        link_put_int4(all, node);
        put_letters(all);
        link_put_bytes(all, draw(2) == 0 ? ":7" : "b:7", 2);
    } else if (strcmp(name, "beat") == 0) {
        put_me(all);
        link_put_int4(all, (int32_t)draw(10));
    } else if (strcmp(name, "end") == 0) {
        link_put_int4(all, node);
        link_put_int8(all, 1 + draw(3));
    } else if (strcmp(name, "raise") == 0) {
        link_put_int4(all, node);
        link_put_int8(all, epoch);
        link_put_int8(all, draw(6) == 0 ? beat + 1 : beat);
    } else if (strcmp(name, "take") == 0) {
        put_me(all);
        link_put_int4(all, some_node());
        link_put_int4(all, 1 + (int32_t)draw(4));
    } else if (strcmp(name, "fetch") == 0) {
        put_numbers(all, &arrays[0], 0);
        link_put_int4(all, node);
    } else if (strcmp(name, "prune_age") == 0) {
        link_put_int8(all, draw(4));
        link_put_int4(all, 1 + (int32_t)draw(2));
    } else if (strcmp(name, "share") == 0) {
        put_me(all);
        put_letters(all);
        put_letters(all);
    } else if (strncmp(name, "list", 4) == 0) {
        link_put_int8(all, draw(2) == 0 ? 6 : draw(6));
        link_put_int8(all, 100 + draw(6));
        link_put_int8(all, draw(6) % 3 % 2);
        link_put_int4(all, 1 + (int32_t)draw(3));
        for (int i = strcmp(name, "list") == 0        ? 2
                     : strcmp(name, "list_both") == 0 ? 0
                                                      : 1;
             i < 2; i++)
            put_letters(all);
    } else if (strncmp(name, "tables", 6) == 0) {
        link_put_int4(all, (int32_t)draw(3) - 1);
        link_put_int8(all, draw(800));
        link_put_int4(all, 1 + (int32_t)draw(4));
        if (strcmp(name, "tables_game") == 0)
            put_letters(all);
    } else if (strcmp(name, "table") == 0) {
        link_put_int8(all, 101 + draw(4));
    } else if (strcmp(name, "table_key") == 0) {
        link_put_int8(all, 1 + draw(3));
        link_put_int4(all, (int32_t)draw(8));
    } else if (strcmp(name, "claim") == 0 || strcmp(name, "unclaim") == 0) {
        link_put_int8(all, draw(2));
        link_put_int4(all, 1 + node % 2);
    }
}

/* The parameters of a statement. */
static void put_parameters(const char *name, LinkParameters *all) {
    if (strcmp(name, "group") == 0 || strcmp(name, "again") == 0) {
        put_group(all);
    } else if (strcmp(name, "finish") == 0) {
        put_finish(all);
    } else if (strcmp(name, "publish") == 0) {
        put_tables(all);
    } else if (strcmp(name, "records") == 0) {
        link_array_begin(&arrays[0], LINK_INT8);
        link_array_begin(&arrays[1], LINK_INT4);
        for (uint32_t i = draw(4); i > 0; i--) {
            link_array_int8(&arrays[0], 1 + draw(4));
            link_array_int4(&arrays[1], 1 + (int32_t)draw(3));
        }
        link_put_array(all, &arrays[0]);
        link_put_array(all, &arrays[1]);
    } else if (strcmp(name, "matches") == 0) {
        link_array_begin(&arrays[0], LINK_INT8);
        link_array_begin(&arrays[1], LINK_INT8);
        for (int64_t n = 1; n <= 4; n++) {
            link_array_int8(&arrays[0], n);
            link_array_int8(&arrays[1], 100 + n);
        }
        link_put_array(all, &arrays[0]);
        link_put_array(all, &arrays[1]);
        link_put_int4(all, some_node());
    } else if (strcmp(name, "numbers") == 0 || strcmp(name, "prune_bytes") == 0) {
        link_put_int4(all, 1 + (int32_t)draw(3));
    } else if (strcmp(name, "kept") == 0) {
        link_put_int8(all, 0);
    } else if (strcmp(name, "watch") == 0 || strcmp(name, "mine") == 0) {
        link_put_int4(all, some_node());
    } else if (strcmp(name, "give") == 0) {
        put_me(all);
    } else if (strcmp(name, "document") == 0) {
        put_letters(all);
    } else if (strncmp(name, "file", 4) == 0 || strcmp(name, "where") == 0) {
        link_put_int8(all, 101 + draw(4));
    } else if (strcmp(name, "holder") == 0) {
        link_put_int8(all, draw(2));
    } else {
        put_rest(name, all);
    }
}

/* --- A script --------------------------------------------------------------------------------- */

/* Does the statement only read, so that it waits for nobody? */
static bool only_reads(const char *name) {
    static const char *const reads[] = {
        "records",  "matches", "watch", "mine",   "fetch", "copies", "kept",      "documents",
        "document", "flushed", "where", "holder", "file",  "list",   "file_bytes"};
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (strcmp(reads[i], name) == 0)
            return true;
    return strncmp(name, "list", 4) == 0 || strncmp(name, "table", 5) == 0;
}

/* Ends an open transaction at both. */
static void end_transaction(Slot *slot) {
    bool commits = draw(4) > 0;
    say("%d: %s\n", (int)(slot - slots), commits ? "commit" : "rollback");
    PQclear(ask(slot->connection, commits ? "commit" : "rollback"));
    model_end(slot->session, commits);
    slot->holds = slot->session->holds = false;
    settle();
}

/* A statement that is drawn, of all of all lists. */
static const LinkStatement *draw_statement(const LinkStatement **list) {
    uint32_t count = 0;
    *list = lists[draw(8) < 3 ? 0 : draw(5) < 3 ? 1 : 2];
    while ((*list)[count].name != NULL)
        count++;
    return &(*list)[draw(count)];
}

/* Sessions that were terminated are opened again. */
static void reopen(void) {
    for (int i = 0; i < SLOTS; i++) {
        if (!slots[i].session->broken)
            continue;
        PQclear(PQexec(slots[i].connection, "select 1")); /* until the end of the old one */
        if (PQstatus(slots[i].connection) != CONNECTION_BAD)
            differ("the model terminates a session and PostgreSQL does not");
        say("%d: was terminated\n", i);
        terminations++;
        close_slot(&slots[i]);
        model_hang_up(slots[i].session);
        open_slot(&slots[i]);
    }
}

/* A row of the model that everybody sees and nobody is changing. */
static bool has_row(TableOf table, int64_t key, int value, int64_t of) {
    const Machine *machine = &model.machines[0];
    for (uint32_t i = 0; i < machine->versions_count[table]; i++) {
        const Version *version = machine->versions[table][i];
        if ((key < 0 || version->row->key[0] == key) && version->row->value[value] == of &&
            version->made->visible != 0 && (version->gone == NULL || version->gone->visible == 0))
            return true;
    }
    return false;
}

/* Must `take` look at all its parts, whatever plan PostgreSQL has for it? If one of them is empty
 * it need not lock the others. */
static bool takes_all(const LinkParameters *all) {
    int64_t from = all->values[2][3];
    return has_row(NODES, all->values[0][3], EPOCH, all->values[1][7]) &&
           has_row(NODES, from, OPEN, 0) && has_row(MATCHES, -1, MATCH_NODE, from);
}

/* Are these node and epoch in the name of the slot's own session? */
static bool is_own_name(const Slot *slot, const LinkParameters *all) {
    char name[64];
    snprintf(name, sizeof name, "mashup-%d-%d", all->values[0][3], all->values[1][7]);
    return strcmp(slot->session->application, name) == 0;
}

static void step(void) {
    const LinkStatement *list, *statement = draw_statement(&list);
    Slot *slot = &slots[draw(SLOTS)];
    LinkParameters all = {.count = 0};
    bool waiting = false;
    for (int i = 0; i < SLOTS; i++)
        waiting = waiting || slots[i].name != NULL;
    if (slot->name != NULL)
        return;
    if (slot->holds) {
        end_transaction(slot);
        return;
    }
    /* Two that wait at once may go on in any order: one is enough, unless order does not matter. */
    bool reads = only_reads(statement->name);
    if (waiting && !reads && strcmp(statement->name, "take") != 0)
        return;
    put_parameters(statement->name, &all);
    bool ends = strcmp(statement->name, "end") == 0;
    if (ends && is_own_name(slot, &all))
        return; /* no node ends itself */
    bool holds = !ends && !reads && strcmp(statement->name, "numbers") != 0 && draw(3) == 0;
    bool others = holds;
    for (int i = 0; i < SLOTS; i++)
        others = others || slots[i].name != NULL || slots[i].holds;
    if (others && strcmp(statement->name, "take") == 0 && !takes_all(&all))
        return;
    run(slot, list, statement->name, &all, holds);
    reopen();
}

/* A table of both, for the end. */
typedef struct TableColumn {
    char kind; /* k = key, v = value, t = text */
    uint8_t i, bytes;
} TableColumn;
typedef struct TableEnd {
    const char *sql;
    TableColumn columns[11];
} TableEnd;
static const TableEnd ends[TABLES] = {
    [NODES] = {"select id, epoch, beat, load, (state = 'open')::int4, url, peer from node",
               {{'k', 0, 4},
                {'v', EPOCH, 8},
                {'v', BEAT, 8},
                {'v', LOAD, 4},
                {'v', OPEN, 4},
                {'t', URL, 0},
                {'t', PEER, 0}}},
    [MATCHES] = {"select n, id, node, begun_ms from match",
                 {{'k', 0, 8}, {'v', MATCH_ID, 8}, {'v', MATCH_NODE, 4}, {'v', BEGUN, 8}}},
    [JOURNAL] = {"select n, seq, at_ms, kind, bytes from journal",
                 {{'k', 0, 8}, {'k', 1, 4}, {'v', AT, 8}, {'v', KIND, 4}, {'t', 0, 0}}},
    [ARCHIVE] = {"select id, started_ms, ended_ms, game, players, winner, reason, actions, "
                 "private::int4, file from archive",
                 {{'k', 0, 8},
                  {'v', STARTED, 8},
                  {'v', ENDED, 8},
                  {'t', GAME, 0},
                  {'t', PLAYERS, 0},
                  {'v', WINNER, 4},
                  {'t', REASON, 0},
                  {'v', ACTIONS, 8},
                  {'v', PRIVATE, 4},
                  {'t', FILE_BYTES, 0}}},
    [PEOPLE] = {"select id, name, game, ended_ms from archive_player",
                {{'k', 0, 8}, {'t', 0, 0}, {'t', 1, 0}, {'v', PERSON_ENDS, 8}}},
    [DOCUMENTS] = {"select name, version, bytes from document",
                   {{'t', 0, 0}, {'v', VERSION, 8}, {'t', 1, 0}}},
    [LOBBY] = {"select id, node, epoch, state, listed::int4, rank, addresses[1], addresses[2], "
               "game, bytes, (select coalesce(string_agg(int8send(k), ''::bytea order by k), "
               "''::bytea) from (select distinct unnest(keys) k) d) from lobby",
               {{'k', 0, 8},
                {'v', LOBBY_NODE, 4},
                {'v', LOBBY_EPOCH, 8},
                {'v', LOBBY_STATE, 4},
                {'v', LISTED, 4},
                {'v', RANK, 8},
                {'v', ADDRESS, 8},
                {'v', ADDRESS + 1, 8},
                {'t', LOBBY_GAME, 0},
                {'t', LOBBY_BYTES, 0},
                {'t', KEYS, 0}}},
    [WAITING] = {"select key, node from waiting", {{'k', 0, 8}, {'v', WAITING_NODE, 4}}},
};

/* Is this row of the real table the row of the model? */
static bool is_row(const PGresult *rows, int at, const TableEnd *end, const Row *row) {
    for (int column = 0; column < PQnfields(rows); column++) {
        const TableColumn *one = &end->columns[column];
        const char *value = PQgetvalue(rows, at, column);
        int count = PQgetlength(rows, at, column);
        if (one->kind == 't') {
            if (count != row->text[one->i].count ||
                (count > 0 && memcmp(value, row->text[one->i].bytes, (size_t)count) != 0))
                return false;
            continue;
        }
        int64_t number = one->kind == 'k' ? row->key[one->i] : row->value[one->i];
        int64_t real = one->bytes == 8 ? link_int8(rows, at, column) : link_int4(rows, at, column);
        if (count != one->bytes || real != number)
            return false;
    }
    return true;
}

/* Are all tables the same at both? */
static void compare_tables(void) {
    Machine *machine = &model.machines[0];
    rows_vacuum(machine);
    for (int table = 0; table < TABLES; table++) {
        PGresult *rows = ask(control, ends[table].sql);
        uint32_t found = 0;
        for (uint32_t i = 0; i < machine->versions_count[table]; i++)
            for (int row = 0; row < PQntuples(rows); row++)
                found += is_row(rows, row, &ends[table], machine->versions[table][i]->row);
        if (found != (uint32_t)PQntuples(rows) || found != machine->versions_count[table]) {
            say("%s: %d rows, %u of the model, %u the same\n", ends[table].sql, PQntuples(rows),
                machine->versions_count[table], found);
            differ("another table at the end");
        }
        PQclear(rows);
    }
}

/* An archive, and tables of the lobby, some of which count no more. */
static void begin_with_something(void) {
    static const char *const names[] = {"finish",  "publish", "claim", "finish",
                                        "publish", "come",    "claim", "finish"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LinkParameters all = {.count = 0};
        put_parameters(names[i], &all);
        bool keeps = strcmp(names[i], "finish") == 0 || strcmp(names[i], "come") == 0;
        run(&slots[0], keeps ? keeper_statements : reader_statements, names[i], &all, false);
    }
}

static void run_script(uint64_t seed) {
    script = seed;
    said_count = 0;
    said[0] = '\0';
    model_open(1, seed);
    PQclear(PQexec(
        control,
        "delete from node; delete from match; delete from journal; delete from "
        "archive; delete from document; delete from waiting; delete from lobby; alter sequence "
        "match_number restart"));
    for (int i = 0; i < SLOTS; i++)
        open_slot(&slots[i]);
    LinkParameters who = {.count = 0};
    for (int32_t node = 1; node <= 3; node++) {
        who.count = 0;
        link_put_int4(&who, node);
        link_put_bytes(&who, "x", 1);
        link_put_bytes(&who, "", 0);
        run(&slots[0], keeper_statements, "come", &who, false);
    }
    begin_with_something();
    for (int i = 0; i < STEPS; i++)
        step();
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].holds && slots[i].name == NULL)
            end_transaction(&slots[i]);
    for (int i = 0; i < SLOTS; i++) /* those that had waited */
        if (slots[i].holds)
            end_transaction(&slots[i]);
    compare_tables();
    model_close();
}

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

/* Must the statement have found something in all these scripts? */
static bool finds(const char *name) {
    static const char *const few[] = {"kept", "copies"}; /* one machine has no standby */
    for (size_t i = 0; i < sizeof few / sizeof *few; i++)
        if (strcmp(name, few[i]) == 0)
            return false;
    return true;
}

/* Each statement of the store was compared, not only those that are drawn often, and not only with
 * empty answers. */
static void all_have_run(void) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; lists[i][k].name != NULL; k++)
            if (ran[i][k] == 0 || (gave[i][k] == 0 && finds(lists[i][k].name))) {
                fprintf(stderr, "the statement `%s` of the %s was run %u times and found nothing\n",
                        lists[i][k].name, statement_list(lists[i]), ran[i][k]);
                fail();
            }
}

static void ignore(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

static void the_model_is_like_the_real_one(void **unused) {
    (void)unused;
    char where[256], memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (!has_database)
        skip();
    snprintf(where, sizeof where, "host=%s dbname=postgres user=mashup", database.folder);
    control = PQconnectdb(where);
    assert_int_equal(PQstatus(control), CONNECTION_OK);
    /* Without it plans stay as they are, and with them the order in which rows are locked. */
    PQclear(PQexec(control, "alter system set autovacuum = off"));
    PQclear(PQexec(control, "select pg_reload_conf()"));
    model_open(1, 1);
    model_text = run_text;
    bool made = store_upgrade("postgres:", ignore, NULL, &problem);
    model_text = NULL;
    assert_true(made);
    model_close();
    uint64_t first = number_of("MASH_SCRIPT_FIRST", 1), count = number_of("MASH_SCRIPTS", SCRIPTS);
    for (uint64_t i = first; i < first + count; i++)
        run_script(i);
    for (int i = 0; i < SLOTS; i++)
        close_slot(&slots[i]);
    PQfinish(control);
    printf("%llu scripts: %llu statements, %llu waited for others, %llu sessions terminated\n",
           (unsigned long long)count, (unsigned long long)statements, (unsigned long long)waits,
           (unsigned long long)terminations);
    if (count >= SCRIPTS)
        all_have_run();
}

static void the_model_knows_every_statement(void **unused) {
    (void)unused;
    for (int i = 0; i < 3; i++)
        for (const LinkStatement *one = lists[i]; one->name != NULL; one++)
            if (statement_function(lists[i], one->name) == NULL) {
                fprintf(stderr, "the statement `%s` of the %s is not in the model\n", one->name,
                        statement_list(lists[i]));
                fail();
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_model_knows_every_statement),
                                       cmocka_unit_test(the_model_is_like_the_real_one)};
    model_clock = no_clock;
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (has_database)
        database_close(&database);
    for (int i = 0; i < ARRAYS; i++)
        free(arrays[i].buffer.bytes);
    return failed;
}
