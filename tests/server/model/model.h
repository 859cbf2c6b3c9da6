/* model.h -- a model of PostgreSQL for the simulator: machines with the tables of the store, the
 * statements that the store sends, and what can go wrong between them.
 *
 * What is modelled, and checked against a real PostgreSQL 15 by test_cluster_statements.c: every
 * statement of store/postgres/ by its name, in READ COMMITTED (a snapshot at its beginning, locks
 * of rows, waiting for them, looking again at the newest version of a row that was waited for,
 * SKIP LOCKED, unique keys, ON CONFLICT), a transaction that is not over yet, and
 * pg_terminate_backend().
 *
 * What is modelled after its documentation only: a commit waits for a standby, if the machine has
 * synchronous_standby_names; until then it is in the log of its machine but nobody sees it, and its
 * locks are held; a connection that is ended meanwhile makes it visible there all the same. A
 * standby has a prefix of its primary's log. Promotion makes a primary of a standby with whatever
 * it has; the old one, if it still runs, does not know. A machine that is killed and started again
 * has its whole log.
 *
 * SQL is never read: a statement is known by the list it is in (LinkStatement) and its name. */
#ifndef TESTS_SERVER_MODEL_MODEL_H
#define TESTS_SERVER_MODEL_MODEL_H
#include "base/chance.h"
#include "store/postgres/postgres.h"
#include "tests/server/model/coroutine.h"

/* --- Rows and transactions (tables.c) --------------------------------------------------------- */

/* A string of bytes that lives as long as the model. */
typedef struct Bytes {
    const char *bytes;
    int count;
} Bytes;

/* The tables. */
typedef enum TableOf {
    NODES,
    MATCHES,
    JOURNAL,
    ARCHIVE,
    PEOPLE,
    DOCUMENTS,
    WAITING,
    LOBBY,
    TABLES
} TableOf;

/* Columns. Keys are integers, and in PEOPLE and DOCUMENTS also text 0, the name. */
enum { EPOCH, BEAT, LOAD, OPEN };                  /* of NODES, key id */
enum { URL, PEER };                                /* texts of NODES */
enum { MATCH_ID, MATCH_NODE, BEGUN };              /* of MATCHES, key n */
enum { AT, KIND };                                 /* of JOURNAL, keys n and seq; text: bytes */
enum { STARTED, ENDED, WINNER, ACTIONS, PRIVATE }; /* of ARCHIVE, key id */
enum { GAME, PLAYERS, REASON, FILE_BYTES };        /* texts of ARCHIVE */
enum { PERSON_ENDS };                              /* of PEOPLE, key id; texts: name, game */
enum { VERSION };                                  /* of DOCUMENTS; texts: name, bytes */
enum { WAITING_NODE };                             /* of WAITING, key */
enum { LOBBY_NODE, LOBBY_EPOCH, LOBBY_STATE, LISTED, RANK, ADDRESS }; /* of LOBBY, key id */
enum { LOBBY_GAME, LOBBY_BYTES, KEYS }; /* texts of LOBBY; keys: 8 bytes each, in order */
enum { VALUES_MAX = 7, TEXTS_MAX = 4 };

/* One version of a row; it never changes. */
typedef struct Row {
    TableOf table;
    int64_t key[2], value[VALUES_MAX];
    Bytes text[TEXTS_MAX];
} Row;

/* A row that a transaction made or removed, or a new end of the sequence of match numbers. */
typedef struct Change {
    const Row *row; /* NULL: the sequence */
    bool removed;
    int64_t sequence;
} Change;

/* A transaction: one statement. Those in a machine's log are its history. */
typedef struct Transaction {
    Change *changes;
    uint32_t count, max;
    uint64_t visible; /* since when others see it, in the order of its machine; 0 = not yet */
    bool aborted, locks;
    int32_t node; /* whose it is, as its parameters say; 0 = nobody's */
    int64_t epoch;
    const char *name; /* of its statement */
} Transaction;

/* A version in the tables of a machine. */
typedef struct Version Version;
struct Version {
    const Row *row;
    Transaction *made, *gone; /* gone NULL = nobody removes it */
    Version *newer;           /* that `gone` made of it; NULL = removed */
};

/* A lock of a row, by its key: FOR SHARE, or of one that waited for it and then did not change it.
 */
typedef struct RowLock {
    const Row *row;
    Transaction *by;
    bool shares;
} RowLock;

/* --- Machines (machines.c) -------------------------------------------------------------------- */

/* Limits. */
enum { MACHINES_MAX = 3, MODEL_NODES_MAX = 4, BACKENDS_MAX = 64 };

/* A machine with a database. */
typedef struct Machine {
    bool up;      /* it runs */
    bool hangs;   /* it runs and does nothing, as after SIGSTOP */
    bool primary; /* it takes writes, or believes so */
    bool waits;   /* synchronous_standby_names is set: commits wait for a standby */
    int upstream; /* the machine that it follows as a standby; -1 = none */
    Transaction **log;
    uint32_t log_count, log_max;
    /* Of a primary: what is in its memory. */
    Version **versions[TABLES];
    uint32_t versions_count[TABLES], versions_max[TABLES];
    RowLock *locks;
    uint32_t locks_count, locks_max;
    uint64_t visible; /* transactions that others see, counted */
    int64_t sequence, sequence_logged;
} Machine;

/* What a session at a machine does. */
typedef enum BackendState {
    BACKEND_IDLE,
    BACKEND_COMING,  /* a statement is on its way */
    BACKEND_RUNS,    /* it runs, or waits for a lock */
    BACKEND_COMMITS, /* it is in the log and waits for a standby */
    BACKEND_ANSWERS  /* its answer is on its way */
} BackendState;

/* A connection, seen from both ends. */
typedef struct Backend {
    bool used;
    int node, machine;
    char application[64];
    const LinkStatement *statements;
    BackendState state;
    uint64_t at_ms;    /* when what is on its way arrives */
    bool client_gone;  /* nobody waits for an answer any more */
    uint64_t gone_ms;  /* since when */
    bool broken;       /* the client will be told that the connection is lost */
    bool loses_answer; /* the answer to this statement never comes */
    bool holds;        /* for scripts: the transaction stays open after its statement */
    /* The statement. */
    const LinkStatement *statement;
    LinkParameters parameters;
    Coroutine *runs;
    uint64_t snapshot;
    Transaction *transaction;
    Transaction *waits_for; /* NULL = it waits for nobody */
    uint64_t waits_since;   /* an order */
    uint32_t lsn;           /* the log must be flushed up to here */
    /* The answer. */
    PGresult *rows;
    const char *refusal; /* SQLSTATE, or NULL */
    bool doubt;          /* with a warning: somebody has cancelled the wait for a standby */
} Backend;

/* The whole model. */
typedef struct Model {
    Machine machines[MACHINES_MAX];
    int machines_count;
    bool cut[MODEL_NODES_MAX + 1][MACHINES_MAX]; /* nothing passes between node and machine */
    bool dead[MODEL_NODES_MAX + 1];              /* the process of this node is gone */
    Backend sessions[BACKENDS_MAX];
    MashChance chance;
    int format; /* version of the tables; 0 = there are none */
    uint64_t now_ms;
    uint64_t order;
    uint32_t travel_ms;  /* the longest way of a message */
    uint32_t lose_every; /* one statement in this many loses its connection; 0 = none */
    uint32_t lag_ms;     /* a standby is this late, now and then */
    uint64_t statements, lost, waited, terminated;
    void **memory; /* all that lives as long as the model */
    uint32_t memory_count, memory_max;
} Model;
extern Model model;

/* Starts with so many machines: the first is the primary, the others follow it. */
void model_open(int machines, uint64_t seed);
void model_close(void);
/* A number from 0 to values - 1. */
uint32_t model_draw(uint32_t values);
/* Time passes: messages arrive, statements run, standbys follow, answers arrive. */
void model_run(uint64_t now_ms);

/* The machine's process ends at once; it starts again with all of its log; it hangs, or not. */
void model_kill(int machine);
void model_start(int machine);
/* Makes a standby a primary, with what it has; all others stop following anybody. `waits`: it has
 * synchronous_standby_names. The old primary goes on if it runs, and knows nothing. */
void model_promote(int machine, bool waits);
/* Makes a machine follow this primary, from what both have in common on. */
void model_follow(int machine, int primary);
/* Copies that have everything up to the transaction of this place: the machine, and standbys that
 * follow it. */
uint32_t model_standbys(int machine, uint32_t lsn);
/* All connections of a node are lost; `silently`: the database notices only later. */
void model_drop_node(int node, bool silently);
/* A client that has lost this session and connects again ends it, unless it waits for a standby. */
void model_end_lost(Backend *session, const char *application);
/* Somebody cancels its wait for a standby: the transaction is on this machine only, everybody sees
 * it, and the answer has a warning. */
void model_cancel(Backend *session);
/* The connection is lost at both ends. */
void model_reset(Backend *session);

/* Opens a session at a machine. NULL = there are too many. */
Backend *model_connect(int node, int machine, const char *application,
                       const LinkStatement *statements);
/* The client is gone. */
void model_hang_up(Backend *session);
/* Sends a statement. It must exist. */
void model_send(Backend *session, const char *name, const LinkParameters *parameters);
/* Runs what the session has until it waits for somebody, or is done. */
void model_step(Backend *session);
/* The standbys get what the session waits for, if they can, before anything else happens. */
void model_hurry(Backend *session);
/* Ends the transaction of a session that holds it. */
void model_end(Backend *session, bool commits);
/* Everything that waits for locks and may go on goes on. */
void model_settle(int machine);

/* --- For the statements ----------------------------------------------------------------------- */

/* Memory that lives as long as the model. */
void *model_memory(size_t bytes);
/* Does the statement of this session see the version? */
bool sees(const Backend *session, const Version *version);
/* Are the keys the same? */
bool same_key(const Row *a, const Row *b);
/* Locks the newest version of the row of which `version` was seen: FOR SHARE, or to change it.
 * Waits for others; `skips`: does not wait. NULL = it was removed, or is skipped. */
Version *lock_row(Backend *session, Version *version, bool shares, bool skips);
/* Keeps a row locked without changing it. */
void keep_lock(Backend *session, const Row *row, bool shares);
/* Removes a version that is locked to be changed; `newer`: what becomes of it, or NULL. */
void change_row(Backend *session, Version *version, const Row *newer);
/* Adds a row; false = its key is there. Waits for whoever is adding the same. `existing`: the
 * version that is there; may be NULL. */
bool insert_row(Backend *session, const Row *row, Version **existing);
/* The machine of a session. */
Machine *machine_of(const Backend *session);
/* Draws the next number of the sequence. */
int64_t next_in_sequence(Backend *session);
/* Refuses the statement with this SQLSTATE; it does not return. */
_Noreturn void refuse(Backend *session, const char *code);
/* Ends all sessions of this name at the session's machine; how many. */
int terminate(Backend *session, const char *application);

/* Rebuilds the tables of a machine from its log. */
void rows_rebuild(Machine *machine);
void rows_drop(Machine *machine);
/* Forgets versions that nobody can see any more. No statement may run. */
void rows_vacuum(Machine *machine);
/* The transaction did not happen. */
void rows_abort(Machine *machine, Transaction *transaction);
/* Others see it, and its locks are gone. */
void rows_publish(Machine *machine, Transaction *transaction);
/* Appends a version to a machine's tables. */
Version *rows_add(Machine *machine, const Row *row, Transaction *made);

/* The function of a statement; NULL = the model does not know it. */
void (*statement_function(const LinkStatement *list, const char *name))(Backend *session);
/* The list that a session has prepared, as a word. */
const char *statement_list(const LinkStatement *list);

/* --- For link.c and threads.c ----------------------------------------------------------------- */

/* The node whose code runs now, and its clock. */
extern int model_node;
extern uint64_t (*model_clock)(int node);
/* Is told of every text of SQL, such as the steps that make the tables; NULL = nobody is. */
extern void (*model_text)(const char *sql);
/* Runs a function as a thread of the node. */
void threads_spawn(int node, void (*run)(void *owner), void *owner);
/* Lets all threads of the node run that have a reason to. */
void threads_run(int node);
/* Waits in a thread until the time has come, or for a moment. */
void threads_pause(uint64_t until_ms);
/* How many threads the node has. */
uint32_t threads_count(int node);

#endif
