/* link.c -- store/postgres/link.h over the model instead of a database: see model.h.
 *
 * In a thread of the store a statement takes its time. The main program of a node must not wait: a
 * statement that it sends itself (the reader's, which the product runs in a thread pool) is done at
 * once, as if no time passed, or lost if it would have to wait for others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/model.h"

enum { CONNECT_TIMEOUT_MS = 2000, ASK_AGAIN_MS = 200 };

int model_node;
uint64_t (*model_clock)(int node);
void (*model_text)(const char *sql);

uint64_t link_clock_ms(void) { return model_clock(model_node); }

/* The session of a connection. */
static Backend *session_of(const DatabaseLink *link) { return (Backend *)(void *)link->connection; }

/* Which session it is, as the process of a database. */
static int process_of(const Backend *session) { return (int)(session - model.sessions) + 1; }

void link_close(DatabaseLink *link) {
    if (link->connection != NULL)
        model_hang_up(session_of(link));
    link->connection = NULL;
}

/* Says what is wrong; false. */
static bool trouble(DatabaseLink *link, const char *words) {
    snprintf(link->problem, sizeof link->problem, "%s", words);
    return false;
}

/* Does this machine answer? */
static bool answers(int machine) {
    return !model.cut[model_node][machine] && !model.machines[machine].hangs;
}

/* A machine that takes writes, as hosts_connect() finds it; -1 = none. One that did not answer in
 * time only if there is no other. */
static int find_machine(const DatabaseLink *link) {
    int found = -1, last = -1;
    for (int i = 0; i < model.machines_count; i++) {
        const Machine *machine = &model.machines[i];
        bool hung = link->hung && i == link->host;
        if (link->only != 0 && link->only != i + 1)
            continue;
        if (answers(i) && machine->up && machine->primary && (last < 0 || !hung)) {
            last = i;
            found = found < 0 && !hung ? i : found;
        }
    }
    return found < 0 ? last : found;
}

/* Is a machine silent, so that it is waited for? */
static bool is_one_silent(void) {
    bool silent = false;
    for (int i = 0; i < model.machines_count; i++)
        silent = silent || !answers(i);
    return silent;
}

bool link_open(DatabaseLink *link) {
    if (link->connection != NULL)
        return true;
    uint64_t until_ms = link_clock_ms() + CONNECT_TIMEOUT_MS;
    int found = find_machine(link);
    while (found < 0 && is_one_silent() && coroutine_runs() && !model.dead[model_node] &&
           link_clock_ms() < until_ms) {
        threads_pause(link_clock_ms() + ASK_AGAIN_MS);
        found = find_machine(link);
    }
    if (model.dead[model_node])
        return trouble(link, "this process is gone");
    if (found < 0)
        return trouble(link, "no machine takes writes");
    Backend *session = model_connect(model_node, found, link->application, link->statements);
    if (session == NULL)
        return trouble(link, "too many connections");
    link->connection = (PGconn *)(void *)session;
    link->host = found;
    if (link->lost_process != 0 && link->lost_host == found)
        model_end_lost(&model.sessions[link->lost_process - 1], link->application);
    link->lost_process = 0;
    link->hung = false;
    return true;
}

/* Takes the answer that has come. */
static LinkAnswer take_answer(DatabaseLink *link, PGresult **rows) {
    Backend *session = session_of(link);
    bool refused = session->refusal != NULL;
    link->doubt = session->doubt;
    snprintf(link->code, sizeof link->code, "%s", refused ? session->refusal : "");
    if (refused)
        trouble(link, "refused");
    *rows = session->rows;
    session->rows = NULL;
    session->refusal = NULL;
    session->transaction = NULL;
    session->state = BACKEND_IDLE;
    return refused ? LINK_REFUSED : LINK_DONE;
}

/* The connection is lost. */
static LinkAnswer lose(DatabaseLink *link) {
    trouble(link, "the connection is lost");
    if (link->connection != NULL) {
        link->lost_process = process_of(session_of(link));
        link->lost_host = link->host;
    }
    link_close(link);
    return LINK_LOST;
}

/* Runs the statement that was sent while no time passes. */
static LinkAnswer run_at_once(DatabaseLink *link, PGresult **rows) {
    Backend *session = session_of(link);
    Machine *machine = machine_of(session);
    if (session->broken || !machine->up || machine->hangs ||
        model.cut[session->node][session->machine])
        return lose(link);
    model_step(session);
    if (session->state == BACKEND_COMMITS)
        model_hurry(session);
    if (session->state == BACKEND_ANSWERS)
        return take_answer(link, rows);
    return lose(link);
}

LinkAnswer link_run(DatabaseLink *link, const char *name, const LinkParameters *parameters,
                    PGresult **rows) {
    Backend *session = session_of(link);
    link->sent_ms = link_clock_ms();
    link->doubt = false;
    *rows = NULL;
    if (session == NULL || model.dead[model_node] || session->broken)
        return lose(link);
    model_send(session, name, parameters);
    if (!coroutine_runs())
        return run_at_once(link, rows);
    uint64_t until_ms = link->sent_ms + link->patience_ms;
    for (;;) {
        threads_pause(0);
        link->hung = link_clock_ms() >= until_ms;
        if (model.dead[model_node] || session->broken || link->hung)
            return lose(link);
        if (session->state == BACKEND_ANSWERS && session->at_ms <= model.now_ms &&
            !model.cut[session->node][session->machine])
            return take_answer(link, rows);
    }
}

/* An answer of one text. */
static PGresult *one_text(const char *text, int count) {
    static char name[] = "column";
    PGresAttDesc described[2] = {{.name = name, .typlen = -1}, {.name = name, .typlen = -1}};
    PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    PQsetResultAttrs(rows, 2, described);
    for (int i = 0; i < count; i++)
        PQsetvalue(rows, 0, i, (char *)text, (int)strlen(text));
    return rows;
}

/* What schema.c asks: whether there are tables, of which version, settings (none is unsafe), and
 * rights; and the steps of an upgrade, of which only the version is kept. */
LinkAnswer link_text(DatabaseLink *link, const char *sql, PGresult **rows) {
    static const char sets[] = "update house set format = ";
    char version[16];
    link->sent_ms = link_clock_ms();
    if (model_text != NULL)
        model_text(sql);
    snprintf(version, sizeof version, "%d", model.format);
    if (strncmp(sql, sets, sizeof sets - 1) == 0)
        model.format = atoi(sql + sizeof sets - 1);
    if (strncmp(sql, "select to_regclass", 18) == 0)
        *rows = one_text(model.format == 0 ? "t" : "f", 1);
    else if (strncmp(sql, "select format", 13) == 0)
        *rows = one_text(version, 1);
    else if (strncmp(sql, "select pg_has_role", 18) == 0)
        *rows = one_text("t", 2);
    else
        *rows = one_text("", 0);
    return LINK_DONE;
}
