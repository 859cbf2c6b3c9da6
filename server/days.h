/* days.h -- matches over days: a table whose turns take days rests on the disk while nobody is
 * there, and takes no memory; see store/resting.h.
 *
 * While it is open it is a table like others, whose records are in the journal under the number of
 * a session. All its records are also kept in memory then, as a log: that is what rests, and what
 * the first record of the next session has. The store knows who is awaited in all such matches, and
 * until when; one timer asks it for what is due. */
#ifndef SERVER_DAYS_H
#define SERVER_DAYS_H
#include "proto/message.h"
#include "server/table.h"
#include "store/resting.h"

typedef struct DaysAsk DaysAsk;
typedef struct DaysEnd DaysEnd;

/* The server's part. */
typedef struct Days {
    DaysJob *jobs;
    DaysAsk *asks;     /* matches that are being opened */
    DaysEnd *ends;     /* matches that are over and not yet dropped */
    NetTimer *timer;   /* asks what is due; NULL: there is no match over days */
    uint32_t waits;    /* requests that wait for a match */
    uint64_t floor_ms; /* wall clock: no deadline passes before, since the server was just opened */
    bool any;          /* there may be such matches */
    bool answering;    /* requests that waited are being answered */
    uint64_t rested, opened; /* since the server was opened */
} Days;

/* Frees adrift sessions and starts the timer if there are matches over days; behind
 * records_recover(). And drops all requests; behind rated_close(). */
void days_open(Server *server);
void days_close(Server *server);
/* Is it a match over days? */
bool days_is(const Table *table);
/* Is the table about to rest, or not yet known to be the match's? Nothing may happen at it. */
bool days_is_held(const Table *table);
/* May the session open or look for a match over days, or take a seat of one? `unfit`: with settings
 * that such matches do not have. False: it was refused. */
bool days_may_open(Session *session, uint32_t days, bool unfit);
bool days_may_join(Session *session, const Table *table);
/* A request for a table that is not here, or held: true: it is answered when the match is open. */
bool days_ask(Session *session, uint64_t number, const Message *request);
/* The same for something that is nobody's request: it is called once, when the match is here or it
 * is known that it cannot be. */
typedef void DaysVisit(Server *server, uint64_t number, void *owner);
bool days_visit(Server *server, uint64_t number, DaysVisit *visit, void *owner);
/* The session is gone. */
void days_forget(Session *session);

/* The match begins, and waits for these seats. */
void days_begun(Table *table, uint32_t awaited);
/* The match waits for other seats than before, by a record of this time; also of the journal. */
void days_note_turns(Table *table, uint32_t before, uint32_t after, bool new_turn,
                     uint64_t time_ms);
/* The store is told whom the match awaits, as soon as the journal has what is known of it: no row
 * is left of a match that nobody has. */
void days_changed(Table *table);
/* A turn is over by the table's clock: if the store agrees, it is. */
void days_turn_over(Table *table, uint8_t seat);
/* Nobody is at the table: it rests soon. */
void days_deserted(Table *table);
/* It is time to rest. */
void days_rest(Table *table);
/* The match is over and goes to the archive, by this ticket of store_finish(); 0: it does not. */
void days_finished(Table *table, uint64_t ticket);
/* The store has made progress. */
void days_flush(Server *server);
/* The account's turns may have other deadlines now. */
void days_refresh(Server *server, uint64_t account);
/* Frees what the table has. */
void days_release(Table *table);

/* The log of a match: appends a record; reads the one at *at. False: no memory; there is none, or
 * it is not valid. */
bool days_log_put(TableDays *days, const StoreRecord *record);
bool days_log_next(const uint8_t *log, size_t count, size_t *at, StoreRecord *record);

#endif
