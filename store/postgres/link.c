/* link.c -- see link.h. */
#define _DEFAULT_SOURCE
#include "store/postgres/link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/postgres/hosts.h"

uint64_t link_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* How long a process of the database that is told to end may take. */
enum { END_MS = 1000 };

/* --- Opening ---------------------------------------------------------------------------------- */

/* A warning of the database, as when somebody cancels the wait for a standby. */
static void on_notice(void *owner, const PGresult *notice) {
    DatabaseLink *link = owner;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    link->doubt = link->doubt || (severity != NULL && strcmp(severity, "WARNING") == 0);
}

void link_keep_problem(DatabaseLink *link, const char *words, bool more) {
    size_t count = more ? strlen(link->problem) : 0;
    if (more && count + 3 < sizeof link->problem) {
        link->problem[count++] = ';';
        link->problem[count++] = ' ';
    }
    for (; *words != '\0' && count + 1 < sizeof link->problem; words++)
        link->problem[count++] = *words == '\n' ? ' ' : *words;
    while (count > 0 && link->problem[count - 1] == ' ')
        count--;
    link->problem[count] = '\0';
}

void link_close(DatabaseLink *link) {
    if (link->connection != NULL)
        PQfinish(link->connection);
    link->connection = NULL;
}

/* Closes it without knowing what becomes of the statement that was sent. */
static LinkAnswer lose(DatabaseLink *link) {
    if (link->connection != NULL) {
        link->lost_process = PQbackendPID(link->connection);
        link->lost_host = link->host;
    }
    link_close(link);
    return LINK_LOST;
}

/* Appends text; the buffer is NULL once there was no memory. */
static char *append(char *text, size_t *count, const char *words) {
    size_t more = strlen(words);
    char *longer = text == NULL ? NULL : realloc(text, *count + more + 1);
    if (longer == NULL) {
        free(text);
        return NULL;
    }
    memcpy(longer + *count, words, more + 1);
    *count += more;
    return longer;
}

/* Prepares all statements with one question, so that on a slow way or a busy machine a connection
 * is of use after one answer instead of dozens. False: `problem` says why. */
static bool prepare(DatabaseLink *link) {
    size_t count = 0;
    char *text = calloc(1, 1);
    PGresult *rows;
    for (const LinkStatement *one = link->statements; one != NULL && one->name != NULL; one++) {
        const char *const words[] = {"prepare \"", one->name, "\" as ", one->sql, ";"};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            text = append(text, &count, words[i]);
    }
    bool prepared = text != NULL && (count == 0 || link_text(link, text, &rows) == LINK_DONE);
    if (text == NULL)
        link_keep_problem(link, "out of memory", false);
    else if (prepared && count > 0)
        PQclear(rows);
    free(text);
    return prepared;
}

/* Ends the process of the database that may still do what was sent over the connection before. One
 * that waits for the standby has done it: ending it would only show what a failover may lose.
 * False: it could not be ended; `problem` says why. */
static bool end_lost(DatabaseLink *link) {
    char sql[256];
    PGresult *rows;
    if (link->lost_process == 0 || link->lost_host != link->host)
        return true;
    snprintf(sql, sizeof sql,
             "select pg_terminate_backend(pid, %d) from pg_stat_activity where pid = %d and "
             "application_name = '%s' and wait_event is distinct from 'SyncRep'",
             END_MS, link->lost_process, link->application);
    bool asked = link_text(link, sql, &rows) == LINK_DONE;
    bool over = asked && (PQntuples(rows) == 0 || PQgetvalue(rows, 0, 0)[0] == 't');
    PQclear(rows);
    if (asked && !over)
        link_keep_problem(link, "the connection before still works in the database", false);
    return over;
}

bool link_open(DatabaseLink *link) {
    int lost_process = link->lost_process, lost_host = link->lost_host;
    if (link->connection != NULL)
        return true;
    if (!hosts_connect(link))
        return false;
    PQsetNoticeReceiver(link->connection, on_notice, link);
    PQsetnonblocking(link->connection, 1);
    bool open = end_lost(link) && prepare(link);
    link->lost_process = open ? 0 : lost_process; /* nothing was sent over this one that matters */
    link->lost_host = lost_host;
    if (!open) {
        link_close(link);
        return false;
    }
    link->hung = false;
    return true;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Waits until the connection can be read, or written too. False: not in time, or it is gone. */
static bool wait_for(DatabaseLink *link, bool writes, uint64_t until_ms) {
    uint64_t now_ms = link_clock_ms();
    struct pollfd file = {.fd = PQsocket(link->connection),
                          .events = (short)(POLLIN | (writes ? POLLOUT : 0))};
    if (now_ms >= until_ms) {
        link->hung = true;
        snprintf(link->problem, sizeof link->problem, "no answer within %u ms", link->patience_ms);
        return false;
    }
    int ready = poll(&file, 1, (int)(until_ms - now_ms));
    return ready > 0 || ready == 0 || errno == EINTR; /* time is judged at the next call */
}

/* Sends all that waits in libpq, and waits for the next result; NULL = the statement's end. False:
 * the connection is lost. */
static bool next_result(DatabaseLink *link, uint64_t until_ms, PGresult **result) {
    PGconn *connection = link->connection;
    for (int left = 1; left != 0;) {
        left = PQflush(connection);
        if (left < 0 ||
            (left > 0 && (!wait_for(link, true, until_ms) || PQconsumeInput(connection) == 0))) {
            link_keep_problem(link, PQerrorMessage(connection), false);
            return false;
        }
    }
    while (PQisBusy(connection)) {
        if (!wait_for(link, false, until_ms))
            return false;
        if (PQconsumeInput(connection) == 0) {
            link_keep_problem(link, PQerrorMessage(connection), false);
            return false;
        }
    }
    *result = PQgetResult(connection);
    return true;
}

/* Did the connection end with this error? Then the statement may have been committed all the
 * same. */
static bool ends_connection(const DatabaseLink *link, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    return severity == NULL || strcmp(severity, "ERROR") != 0 ||
           PQstatus(link->connection) != CONNECTION_OK;
}

/* Takes the answer of the statement that was sent. */
static LinkAnswer take_answer(DatabaseLink *link, PGresult **rows) {
    uint64_t until_ms = link->sent_ms + link->patience_ms;
    LinkAnswer answer = LINK_LOST;
    for (PGresult *result = NULL;;) {
        if (!next_result(link, until_ms, &result)) {
            answer = LINK_LOST;
            break;
        }
        if (result == NULL)
            break;
        PQclear(*rows);
        *rows = NULL;
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
            answer = LINK_DONE;
            *rows = result;
            continue;
        }
        link_keep_problem(link, PQresultErrorMessage(result), false);
        const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        snprintf(link->code, sizeof link->code, "%s", code == NULL ? "" : code);
        answer = ends_connection(link, result) ? LINK_LOST : LINK_REFUSED;
        PQclear(result);
        if (answer == LINK_LOST)
            break;
    }
    if (answer != LINK_DONE) {
        PQclear(*rows);
        *rows = NULL;
    }
    return answer == LINK_LOST ? lose(link) : answer;
}

/* Has the statement been handed to libpq? Otherwise nothing was sent, but the connection is of no
 * use any more. */
static LinkAnswer after_sending(DatabaseLink *link, int sent, PGresult **rows) {
    *rows = NULL;
    if (sent == 1)
        return take_answer(link, rows);
    link_keep_problem(link, PQerrorMessage(link->connection), false);
    return lose(link);
}

LinkAnswer link_run(DatabaseLink *link, const char *name, const LinkParameters *parameters,
                    PGresult **rows) {
    link->sent_ms = link_clock_ms();
    link->doubt = false;
    return after_sending(link,
                         PQsendQueryPrepared(link->connection, name, parameters->count,
                                             parameters->values, parameters->lengths,
                                             parameters->formats, 1),
                         rows);
}

LinkAnswer link_text(DatabaseLink *link, const char *sql, PGresult **rows) {
    link->sent_ms = link_clock_ms();
    link->doubt = false;
    return after_sending(link, PQsendQuery(link->connection, sql), rows);
}
