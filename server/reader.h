/* reader.h -- queries to the archive run in a separate thread. */
#ifndef SERVER_READER_H
#define SERVER_READER_H
#include "server/session.h"
#include "store/store.h"

typedef struct Ask Ask;

typedef struct Account Account;

/* Kinds of query: a list, a match's file (or, if it is open, its table and where that is), where an
 * open match is or whether there is a file (STORE_TOO_LONG: yes), at which node players of one kind
 * wait, that none of them waits here any more, writing tables for all nodes, a list of the tables
 * of all nodes, one of them by a key, and the picture of a finished match or what a preview says of
 * it, made of its file (see sharing.h). They are answered in order. */
typedef enum AskKind {
    ASK_LIST,
    ASK_FILE,
    ASK_WHETHER,
    ASK_CLAIM,
    ASK_UNCLAIM,
    ASK_PUBLISH,
    ASK_TABLES,
    ASK_TABLE,
    ASK_PICTURE,
    ASK_PREVIEW
} AskKind;

/* A match of a player whose profile is private, as a bit of Ask.accounts. */
enum { ASK_HIDDEN = 1 << 7 };

/* The longest name of a game or player in a query, with the NUL. */
enum { ASK_TEXT_BYTES = 64 };
/* The longest If-None-Match that is read, with the NUL. */
enum { ASK_TAGS_BYTES = 64 };

/* A query to the archive and its answer. */
struct Ask {
    Ask *next;
    Server *server;
    Account *account;
    AskKind kind;
    uint64_t match;      /* of a file; or the kind of players, or the key of a table */
    uint64_t node;       /* to which the client was sent before; 0: to none */
    uint32_t states;     /* of a table by its key: a bit for each */
    uint32_t share;      /* of a list of tables: how many of one address it has; 0: any number */
    void *config;        /* what a player looks for, or tables to write; freed with the query */
    StoreTablePage page; /* of a list of tables, without its text */
    StoreFilter filter;  /* of a list, without its texts */
    char game[ASK_TEXT_BYTES], player[ASK_TEXT_BYTES]; /* "": any */
    void (*work)(Ask *ask);    /* in the thread, instead of what the kind says; NULL: that */
    void (*answer)(Ask *ask);  /* called in the loop with the answer */
    NetReply *reply;           /* where it goes; NULL: to the session */
    char tags[ASK_TAGS_BYTES]; /* what HTTP has already: If-None-Match; "": nothing */
    Session *session;          /* NULL: the answer goes to HTTP, or the session is gone */
    RequestContext request;    /* the session's request */
    StoreStatus where; /* STORE_OK: the match is open, at this place; STORE_UNKNOWN: it is not */
    StorePlace place;
    StoreStatus status;
    StoreEntry *entries;
    uint32_t entries_count;
    uint8_t *accounts; /* of each entry: a bit for each seat whose name leads to an account, and
                          ASK_HIDDEN: it is in no list */
    char *file;        /* also in the question, of a picture or preview: it need not be read */
    size_t count;      /* of the file, the picture or the preview */
    uint64_t at;       /* of a picture: how many actions are shown; UINT64_MAX: all */
    uint16_t
        drawn; /* the HTTP status of a picture or preview; if it is not 200, the file says why */
    StoreTable *tables;
    uint32_t tables_count;
    char *memory; /* of their bytes */
};

/* The reading thread and the waiting queries. */
typedef struct Reader {
    NetThreadPool *thread_pool;
    Ask *first;
    uint32_t waiting;
    uint64_t asked, refused;
} Reader;

/* False: no memory. */
bool reader_open(Server *server);
void reader_close(Server *server);
/* Starts a query on behalf of this address; `question` has what the thread needs, and the caller
 * then sets reply, session or config in the returned query, for its answer in the loop. NULL: too
 * many queries wait, and nothing was done. */
Ask *reader_ask(Server *server, const char *address, const Ask *question);
/* The session is gone: its queries are answered to nobody. */
void reader_forget(Server *server, const Session *session);

#endif
