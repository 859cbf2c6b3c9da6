/* internal.h -- what the files of the standard's client share: connection.c has the connection and
 * the login, match.c the messages of a match. */
#ifndef STANDARD_CLIENT_INTERNAL_H
#define STANDARD_CLIENT_INTERNAL_H
#include "base/json.h"
#include "client/internal.h"
#include "standard/adapter.h"
#include "standard/client.h"

/* What we wait for after a request. */
typedef enum StandardWaiting {
    STANDARD_WAITS_NOT,
    STANDARD_WAITS_ANSWER, /* Ack or Nack */
    STANDARD_WAITS_STATE   /* the state after the Ack */
} StandardWaiting;

/* Times, in milliseconds. */
enum {
    STANDARD_TICK_MS = 100,
    STANDARD_PATIENCE_MS =
        3000, /* without an answer, before `Req`; twice this, before the turn is ended */
    STANDARD_FAREWELL_MS = 1500, /* after the end of the match, before we close the connection */
    STANDARD_DOUBT_MS = 10000,   /* for an end of a pause that may be false */
    STANDARD_VERDICT_MS = 5000,  /* after the turn: for the winner of a match that is decided */
};

/* The longest request. */
enum { STANDARD_REQUEST_BYTES = 1024 };

/* Timers: to connect again, of the clock, and of requests that are held back. */
enum { TIMER_RETRY, TIMER_CLOCK, TIMER_PACER, TIMERS };

/* See client.h. */
struct StandardClient {
    NetLoop *loop;
    StandardSetup setup;
    char url[CLIENT_URL_BYTES], name[STANDARD_NAME_BYTES], device[STANDARD_NAME_BYTES];
    char role[16];
    const StandardClientAdapter *adapter;
    NetConnection *connection; /* NULL: none */
    NetTimer *timers[TIMERS];
    StandardPhase phase;
    StandardClientTable table;
    ClientBuffer nodes;

    /* The connection. */
    uint32_t tries;
    uint64_t lost_ms, here_ms, sent_ms;
    bool seated;                   /* the server should know us: we have been at a table */
    bool stranger;                 /* it did not when we reconnected */
    bool resuming;                 /* RECONNECT was sent on this connection */
    bool going;                    /* the server disconnected in a match */
    bool leaving;                  /* it has announced a regular shutdown */
    bool blind;                    /* a match was announced without its structure */
    bool verdict;                  /* WinEvent was received, whoever won */
    char last[STANDARD_WHY_BYTES]; /* its last message: of an ERROR or a goodbye; empty: none */

    /* The match. */
    MashContent *content;
    void *state;
    StandardClientState *known; /* NULL: the server's messages gave no valid content */
    uint64_t structure;         /* hash of the message that described the match; 0: none yet */
    uint8_t seat;               /* by that message */
    bool bare;                  /* events come one by one, or we assume so */
    bool formed;                /* an event has confirmed whether they do */
    uint64_t choose_ms;         /* when the choice is sent; 0: there is none to send */

    /* Requests. */
    StandardWaiting waiting;
    uint64_t asked_ms, asked_hash;
    uint32_t asked_turn, ended_turn; /* ended_turn: for which the end was requested */
    uint32_t reminders;
    char asked[STANDARD_REQUEST_BYTES];   /* the last request */
    bool held;                            /* it is delayed */
    char refused[STANDARD_REQUEST_BYTES]; /* the last one that was refused in this turn; "": none */
    uint32_t refused_count;               /* how many were */
    uint64_t changed_ms, changed_hash;    /* time and hash of the last new state */
    uint64_t decided_ms, paused_ms;       /* paused_ms: doubtful since; 0: no doubt */
    bool news;                            /* to be reported after the frame */
};

/* --- connection.c ----------------------------------------------------------------------------- */

/* Sends a text as one frame. False = there is no connection. */
bool standard_send(StandardClient *standard, const MashText *text);
/* The phase has changed. */
void standard_enter(StandardClient *standard, StandardPhase phase, const char *why);
/* Closes for good. */
void standard_finish(StandardClient *standard, const char *why);
/* One frame of the server, as it came. */
void standard_on_frame(StandardClient *standard, const char *bytes, uint32_t count);
/* A text for people. */
void standard_word(StandardClient *standard, const char *words);

/* --- match.c ---------------------------------------------------------------------------------- */

/* GAME_ASSIGNMENT or GAME_STRUCTURE. */
void standard_on_offer(StandardClient *standard, const Json *json);
void standard_on_structure(StandardClient *standard, const Json *json);
/* One event; and what follows after all events of a frame. */
void standard_on_event(StandardClient *standard, const Json *json, uint32_t event);
void standard_on_frame_end(StandardClient *standard);
/* Time has passed: reminders, keep-alive, the end. */
void standard_tick(StandardClient *standard);
/* A delayed request is due. */
void standard_send_held(StandardClient *standard);
/* The server disconnected: if the board shows who has won, that counts. */
void standard_decide_by_board(StandardClient *standard);
/* Sends the choice that is complete. */
void standard_send_choice(StandardClient *standard);
/* Discards what belongs to the connection: answers that will not come. */
void standard_forget_line(StandardClient *standard);
/* Frees what belongs to the match. */
void standard_release_match(StandardClient *standard);

#endif
