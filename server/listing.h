/* listing.h -- the tables of all nodes: each node of a shared store writes its open tables there
 * for the others, and any of them answers lists for all. Without a shared store nothing here does
 * anything.
 *
 * What has changed is written at once, then at most once a second, in one statement. So lists are
 * up to a second old, and nothing that must be right depends on them. */
#ifndef SERVER_LISTING_H
#define SERVER_LISTING_H
#include "server/reader.h"

typedef struct Table Table;
typedef struct LobbyPage LobbyPage;

/* The newest first page of all tables. */
typedef struct ListingPage {
    char *bytes; /* a JSON array; NULL: none was read yet */
    uint32_t count;
    char next[PROTO_ID_MAX + 1]; /* where the next one begins; "": there is none */
    uint64_t read_ms;
} ListingPage;

/* What a server knows of it. */
typedef struct Listing {
    Table *first;   /* tables that have changed */
    uint64_t *gone; /* numbers of tables that are not open any more */
    uint32_t gone_count, gone_max;
    NetTimer *timer;  /* NULL: nothing was written yet */
    bool timed;       /* the timer runs */
    bool writing;     /* a statement is on its way */
    uint64_t next_ms; /* when the next one may begin */
    ListingPage page;
    char next[PROTO_ID_MAX + 1]; /* of the page that was read last */
    uint32_t reading;            /* queries for the first page that are on their way */
    uint64_t written, rows;      /* statements; tables in them */
    uint64_t failures, served;   /* statements that failed; lists answered from the last page */
} Listing;

/* A table was opened. */
void listing_open(Table *table);
/* Something about it has changed that others see. */
void listing_change(Table *table);
/* The same, and it is written now: others must find it soon, whatever happens to this node. */
void listing_change_now(Table *table);
/* It is closed. */
void listing_drop(Table *table);
/* Frees all. */
void listing_close(Server *server);

/* In the reader's thread: the work of ASK_PUBLISH and ASK_TABLES. */
void listing_work(Ask *ask);

/* A page of tables: of all nodes, or as far as this node knows. */
typedef struct ListingAnswer {
    const char *bytes; /* a JSON array */
    uint32_t count;
    const char *next;
} ListingAnswer;
/* Is there a page that is new enough for a question of all tables from the start? `any`: also an
 * old one. */
bool listing_ready(Server *server, bool any, ListingAnswer *answer);
/* Asks for a page on behalf of this address, as this page begins. NULL: it cannot be asked now. */
Ask *listing_ask(Server *server, const char *address, const LobbyPage *page,
                 void (*answer)(Ask *ask));
/* What such a query has brought, in the server's text; false: it has failed. */
bool listing_read(Ask *ask, ListingAnswer *answer);

/* A page between these texts, with its `next`, in memory of the server; false: there is none. */
bool listing_write(Server *server, const ListingAnswer *page, const char *head, const char *tail,
                   MashText *text);

/* The key by which a table is found that has this label or player's identity. */
uint64_t listing_key(const char *text);

#endif
