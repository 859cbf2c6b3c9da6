/* link.h -- a connection to PostgreSQL that knows how a statement can end: done, refused, or nobody
 * knows. Only for store/postgres/.
 *
 * A statement is sent and its answer is waited for with a time-out of our own. It is never
 * cancelled: a commit that waits for its standby and is cancelled counts as done on the primary
 * alone. A connection whose answer did not come in time is closed, and the outcome is LINK_LOST.
 * What was sent over it may still be on its way. Before the next connection is used that is over:
 * the process of the database that would do it has ended, or has done it and waits for the standby.
 * Every statement is a transaction of its own, so that no lock outlives an answer. All values
 * travel in binary form. */
#ifndef STORE_POSTGRES_LINK_H
#define STORE_POSTGRES_LINK_H
#include <postgresql/libpq-fe.h>

#include "base/text.h"
#include "store/buffer.h"

/* A statement that a connection prepares when it opens. */
typedef struct LinkStatement {
    const char *name, *sql;
} LinkStatement;

/* A connection. `statements` ends with a NULL name. */
typedef struct DatabaseLink {
    PGconn *connection; /* NULL = closed */
    const char *where;  /* connection parameters as the host wrote them; lent */
    const LinkStatement *statements;
    char application[64]; /* the connection's name in pg_stat_activity */
    char options[160];    /* settings of its session */
    uint32_t patience_ms; /* how long an answer may take */
    uint64_t sent_ms;     /* when the last statement was sent, by link_clock_ms() */
    int host;             /* which one of the hosts in `where` it is connected with, or was last */
    int only;             /* the only host that will do, from 1; 0 = any of them */
    bool hung;            /* that one did not answer in time: another host is preferred */
    bool doubt;           /* the database warned during the last statement: see link_run() */
    int lost_process;     /* of the database, which may still run a statement of ours whose answer
                             was lost; 0 = none */
    int lost_host;        /* where that is */
    char problem[512];    /* the last one */
    char code[6];         /* SQLSTATE of the last refusal */
} DatabaseLink;

/* How a statement ended. */
typedef enum LinkAnswer {
    LINK_DONE,    /* committed, with its rows */
    LINK_REFUSED, /* the database said no: nothing was done */
    LINK_LOST     /* nobody knows whether it was done; the connection is closed */
} LinkAnswer;

/* The parameters of a statement, in order. */
enum { LINK_PARAMETERS_MAX = 28 };
typedef struct LinkParameters {
    const char *values[LINK_PARAMETERS_MAX];
    int lengths[LINK_PARAMETERS_MAX], formats[LINK_PARAMETERS_MAX];
    char small[LINK_PARAMETERS_MAX][8];
    int count;
} LinkParameters;
/* Append a parameter. Bytes are lent until the statement has run; NULL bytes are SQL's null. */
void link_put_int8(LinkParameters *parameters, int64_t value);
void link_put_int4(LinkParameters *parameters, int32_t value);
void link_put_bytes(LinkParameters *parameters, const void *bytes, size_t count);

/* An array of one type as a parameter: begin, append each element, put. */
typedef enum LinkType { LINK_BYTES = 17, LINK_INT8 = 20, LINK_INT4 = 23 } LinkType;
typedef struct LinkArray {
    Buffer buffer;
    uint32_t count;
    bool failed; /* no memory */
} LinkArray;
void link_array_begin(LinkArray *array, LinkType type);
void link_array_int8(LinkArray *array, int64_t value);
void link_array_int4(LinkArray *array, int32_t value);
void link_array_bytes(LinkArray *array, const void *bytes, size_t count);
void link_put_array(LinkParameters *parameters, LinkArray *array);

/* Values of a row of binary results. */
int64_t link_int8(const PGresult *rows, int row, int column);
int32_t link_int4(const PGresult *rows, int row, int column);

/* Milliseconds of a clock that also runs while the machine sleeps. */
uint64_t link_clock_ms(void);

/* Opens the connection, if it is closed, and prepares its statements: see hosts.h. False: `problem`
 * says why. It blocks for connect_timeout at most, then for the link's patience at each
 * statement. */
bool link_open(DatabaseLink *link);
/* Keeps a sentence as the problem, in one line, or behind what is there (`more`). */
void link_keep_problem(DatabaseLink *link, const char *words, bool more);
/* Closes it; what was sent may still be done. */
void link_close(DatabaseLink *link);
/* Runs a prepared statement. *rows is to be cleared by the caller, and NULL unless LINK_DONE.
 * `doubt` is set if the database warned: a commit may be on fewer machines than it should be. */
LinkAnswer link_run(DatabaseLink *link, const char *name, const LinkParameters *parameters,
                    PGresult **rows);
/* Runs statements as text, without parameters; the rows of the last one, in text form. */
LinkAnswer link_text(DatabaseLink *link, const char *sql, PGresult **rows);

#endif
