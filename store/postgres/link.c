/* link.c -- see link.h. */
#define _DEFAULT_SOURCE
#include "store/postgres/link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t link_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* A warning of the database, as when somebody cancels the wait for a standby. */
static void on_notice(void *owner, const PGresult *notice) {
    Link *link = owner;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    link->doubt = link->doubt || (severity != NULL && strcmp(severity, "WARNING") == 0);
}

/* Keeps a sentence of libpq, in one line. */
static void keep_problem(Link *link, const char *words) {
    size_t count = 0;
    for (; *words != '\0' && count + 1 < sizeof link->problem; words++)
        link->problem[count++] = *words == '\n' ? ' ' : *words;
    while (count > 0 && link->problem[count - 1] == ' ')
        count--;
    link->problem[count] = '\0';
}

void link_close(Link *link) {
    if (link->connection != NULL)
        PQfinish(link->connection);
    link->connection = NULL;
}

bool link_open(Link *link) {
    /* What stands before the host's own parameters may be changed by them, what stands behind may
     * not. */
    const char *const keys[] = {"connect_timeout",
                                "keepalives_idle",
                                "keepalives_interval",
                                "keepalives_count",
                                "tcp_user_timeout",
                                "dbname",
                                "target_session_attrs",
                                "options",
                                "application_name",
                                "client_encoding",
                                NULL};
    const char *const values[] = {"2",          "2",           "1",
                                  "3",          "4000",        link->where,
                                  "read-write", link->options, link->application,
                                  "SQL_ASCII",  NULL};
    if (link->connection != NULL)
        return true;
    PGconn *connection = link->connection = PQconnectdbParams(keys, values, 1);
    if (connection == NULL || PQstatus(connection) != CONNECTION_OK) {
        keep_problem(link, connection == NULL ? "out of memory" : PQerrorMessage(connection));
        link_close(link);
        return false;
    }
    PQsetNoticeReceiver(connection, on_notice, link);
    for (const LinkStatement *one = link->statements; one != NULL && one->name != NULL; one++) {
        PGresult *prepared = PQprepare(connection, one->name, one->sql, 0, NULL);
        bool fine = PQresultStatus(prepared) == PGRES_COMMAND_OK;
        if (!fine)
            keep_problem(link, PQresultErrorMessage(prepared));
        PQclear(prepared);
        if (!fine) {
            link_close(link);
            return false;
        }
    }
    PQsetnonblocking(connection, 1);
    return true;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Waits until the connection can be read, or written too. False: not in time, or it is gone. */
static bool wait_for(Link *link, bool writes, uint64_t until_ms) {
    uint64_t now_ms = link_clock_ms();
    struct pollfd file = {.fd = PQsocket(link->connection),
                          .events = (short)(POLLIN | (writes ? POLLOUT : 0))};
    if (now_ms >= until_ms) {
        snprintf(link->problem, sizeof link->problem, "no answer within %u ms", link->patience_ms);
        return false;
    }
    int ready = poll(&file, 1, (int)(until_ms - now_ms));
    return ready > 0 || ready == 0 || errno == EINTR; /* time is judged at the next call */
}

/* Sends all that waits in libpq, and waits for the next result; NULL = the statement's end. False:
 * the connection is lost. */
static bool next_result(Link *link, uint64_t until_ms, PGresult **result) {
    PGconn *connection = link->connection;
    for (int left = 1; left != 0;) {
        left = PQflush(connection);
        if (left < 0 ||
            (left > 0 && (!wait_for(link, true, until_ms) || PQconsumeInput(connection) == 0))) {
            keep_problem(link, PQerrorMessage(connection));
            return false;
        }
    }
    while (PQisBusy(connection)) {
        if (!wait_for(link, false, until_ms))
            return false;
        if (PQconsumeInput(connection) == 0) {
            keep_problem(link, PQerrorMessage(connection));
            return false;
        }
    }
    *result = PQgetResult(connection);
    return true;
}

/* Did the connection end with this error? Then the statement may have been committed all the
 * same. */
static bool ends_connection(const Link *link, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    return severity == NULL || strcmp(severity, "ERROR") != 0 ||
           PQstatus(link->connection) != CONNECTION_OK;
}

/* Takes the answer of the statement that was sent. */
static LinkAnswer take_answer(Link *link, PGresult **rows) {
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
        keep_problem(link, PQresultErrorMessage(result));
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
    if (answer == LINK_LOST)
        link_close(link);
    return answer;
}

/* Has the statement been handed to libpq? Otherwise nothing was sent, but the connection is of no
 * use any more. */
static LinkAnswer after_sending(Link *link, int sent, PGresult **rows) {
    *rows = NULL;
    if (sent == 1)
        return take_answer(link, rows);
    keep_problem(link, PQerrorMessage(link->connection));
    link_close(link);
    return LINK_LOST;
}

LinkAnswer link_run(Link *link, const char *name, const LinkParameters *parameters,
                    PGresult **rows) {
    link->sent_ms = link_clock_ms();
    link->doubt = false;
    return after_sending(link,
                         PQsendQueryPrepared(link->connection, name, parameters->count,
                                             parameters->values, parameters->lengths,
                                             parameters->formats, 1),
                         rows);
}

LinkAnswer link_text(Link *link, const char *sql, PGresult **rows) {
    link->sent_ms = link_clock_ms();
    link->doubt = false;
    return after_sending(link, PQsendQuery(link->connection, sql), rows);
}
