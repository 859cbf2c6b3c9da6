/* table.h -- a table: a match with its two chairs and its spectators, from its opening to its
 * end. */
#ifndef SERVER_TABLE_H
#define SERVER_TABLE_H
#include "ai/ai.h"
#include "match/match.h"
#include "proto/message.h"
#include "server/bans.h"
#include "server/budget.h"
#include "server/clock.h"
#include "server/loaded_content.h"
#include "store/erasing.h"

typedef struct ChatLog ChatLog;
typedef struct RatedChanges RatedChanges;

static_assert(sizeof STORE_ERASED_NAME <= PROTO_NAME_MAX + 1, "it takes the place of any name");

/* The most bytes of a protocol's identity of a player. */
enum { TABLE_IDENTITY_BYTES = 33 };

/* The configuration of a match. */
typedef struct TableConfig {
    LoadedContent *content;
    int32_t options[MASH_OPTIONS_MAX];
    ClockLimits clocks;
    bool quick, unlisted, open_to_spectators;
    bool rated;           /* it counts for the ratings of both players */
    bool near;            /* and both play from one address */
    bool no_tips;         /* the clients are asked to give none before the match is over */
    uint8_t leg;          /* of two matches with swapped sides: 1 or 2; 0: a single match */
    uint8_t first_winner; /* in the second: who won the first, as a seat of this table */
    bool phrases;         /* nothing but phrases is said in the chat */
    uint64_t invited;     /* the account for which alone the table waits; 0: for anybody */
    uint64_t tournament;  /* to which the match belongs; 0: to none */
} TableConfig;

/* A seat of a table. */
typedef struct Chair {
    bool taken;
    char name[PROTO_NAME_MAX + 1];
    uint8_t role;
    uint32_t robot;   /* level of an AI player of the server; 0: none */
    uint64_t player;  /* the account of the player; 0: a guest or an AI player */
    uint64_t gone;    /* the account of the player whose seat an AI player took; 0: none */
    uint64_t named;   /* the account whose name it is, if that is not its player: of a tournament's
                         player; 0: none */
    bool erased;      /* the account was deleted: the name is nobody's */
    bool leaves;      /* the player leaves matches often: leavers.h */
    int32_t rating;   /* of the player in this game at this pace; 0: none */
    bool provisional; /* it is not certain */
    char token[PROTO_TOKEN_DIGITS + 1];
    char address[BAN_ADDRESS_BYTES]; /* of the player's last connection; "": none since a restart */
    Session *session;                /* NULL: away, or an AI player */
    Account *account; /* whose budget it counts for; NULL: an AI player, or as above */
    uint32_t number;  /* of the position it sees */
    uint32_t strikes;
    uint32_t pauses;     /* started by this seat */
    TokenBucket pausing; /* rate limit of pauses */
    bool wants_rematch, left;
    bool sent;       /* the player knows how the match ended */
    bool ai_running; /* an AI job is running */
    AiPlan plan;     /* the next actions of an AI player */
    /* By which a protocol without tokens recognises its player, also after a restart; "": the
     * player reconnects by token. The match is paused while such a player is away, its times are
     * those of the protocol, and nobody can return to it when it is over. */
    char identity[TABLE_IDENTITY_BYTES];
    uint64_t unread_ms; /* excused silence of a slow reader: the time it needs for what was sent
                           before its turn began */
} Chair;

/* What a match over days has besides; see days.h. */
typedef struct DaysJob DaysJob;
typedef struct TableDays {
    uint32_t generation;           /* of its session */
    uint64_t began_ms[MASH_SEATS]; /* wall clock: the turn of each seat */
    uint64_t told_ms[MASH_SEATS];  /* the turn that its player was told of */
    uint64_t record_ms;            /* the time of its last record */
    uint8_t *log;                  /* all its records */
    size_t log_count, log_max;
    DaysJob *job;     /* what the store is being asked; NULL: nothing */
    uint64_t rest_ms; /* when it rests, if nobody comes; 0: never */
    uint8_t due;      /* seats whose time is over, if the store agrees; one bit each */
    bool changed;     /* the store does not know yet whom it awaits */
    bool resting;     /* it is about to rest: nothing is accepted any more */
    bool unchecked;   /* it comes from the journal, and may be an older session */
    bool ended;       /* the store is told nothing more */
} TableDays;

/* A match and everybody around it. */
struct Table {
    Server *server;
    Table *bucket_next;   /* bucket of the hash table by number */
    Table *next, *before; /* all tables, newest first */
    uint64_t number;
    uint64_t journal; /* the number of its records: the same, or that of a session; see days.h */
    TableDays days;
    struct Prepared *prepared[MASH_SEATS]; /* turns left with the server: prepared.h; NULL: none */
    uint64_t serial;                       /* counts the tables as they were opened */
    char code[PROTO_CODE_MAX + 1];
    uint8_t state; /* PROTO_STATE_... */
    TableConfig config;
    Match match;
    void *memory;        /* of the match */
    struct Begun *begun; /* what it goes on from: begun.h; NULL: from its own beginning */
    Chair chairs[MASH_SEATS];
    Session *watchers;
    uint32_t watchers_count;
    TokenBucket chats;        /* rate limit of its spectators together */
    uint32_t watchers_number; /* of the position that spectators see */
    uint32_t blind_number;    /* of the position that blind spectators see; see Session.blind */
    Clock clock;
    uint8_t paused_by;
    uint64_t second_ms; /* when the second match of a pair begins automatically; 0: never */
    NetTimer *timer;
    uint64_t timer_ms;       /* when the timer fires; 0: it is stopped */
    uint64_t closes_ms;      /* when a waiting or finished table is closed; 0: never */
    ClockNext retry_due;     /* what was due when the store accepted nothing */
    uint64_t retry_at_ms;    /* when that is tried again; 0: never */
    uint64_t abandoned_ms;   /* when a match ends that all players have left; 0: never */
    uint64_t robot_acted_ms; /* when an AI player last acted */
    uint64_t robot_retry_ms; /* when the thread pool is tried again; 0: never */
    uint64_t robot_stop_ms;  /* when its AI player has thought long enough; 0: never */
    uint64_t started_ms;     /* wall clock */
    uint64_t ticket;         /* of its last record */
    uint32_t queued;         /* messages in the queue */
    uint32_t ai_jobs_count;  /* running AI jobs */
    Account *robots_of;      /* whose budget its AI players count for; NULL: nobody's */
    uint32_t robots_weight;
    AiJob *ai_jobs[MASH_SEATS]; /* of its AI players, running or reusable; NULL: none yet */
    uint64_t claim;             /* the kind of players that other nodes send here; 0: none */
    Table *changed_next,
        *changed_before;     /* list of tables that are to be published to other nodes */
    bool changed, published; /* it is among them; they know it */
    int64_t rank;            /* it is in the lists of all nodes */
    bool journalled;         /* it waits, and the journal has a record of it */
    bool counting;           /* its result is being counted for its players: see rated.h */
    RatedChanges *changes;   /* what it did to their ratings; NULL: nothing, or not yet */
    uint64_t opened_ms;      /* when it was opened */
    bool archived, closed;   /* closed: freed when nothing refers to it any more */
    uint8_t news;      /* for whom the last action changed what is seen: positions_changed() */
    ChatLog *chat_log; /* NULL: nobody has chatted */
    uint8_t takeback;  /* the seat that asks for one, plus 1; 0: none does */
    uint8_t leaver; /* the seat whose player did not come back, plus 1, while the other chooses what
                       becomes of the match; 0: none */
    uint8_t
        undone; /* while protocols are notified of an undo: the seat whose step it was, plus 1 */
    void *protocol_data[SERVER_PROTOCOLS_MAX]; /* see protocol_table_data() */
};

/* A new waiting table. NULL: the server is full. */
Table *table_open(Server *server, const TableConfig *config);
/* A table recovered from the journal. */
Table *table_open_as(Server *server, const TableConfig *config, uint64_t number);
/* Notifies everybody there and closes it; never while its match runs. */
void table_close(Table *table, const char *reason);
/* Frees it if it is closed and nothing refers to it any more. */
void table_free_if_idle(Table *table);
/* A player takes a chair. */
void table_sit(Table *table, uint8_t seat, Session *session);
void table_sit_robot(Table *table, uint8_t seat, uint32_t level);
/* An AI player takes the seat of a player who is gone, in a match that runs. False: the store does
 * not accept it. */
bool table_replace(Table *table, uint8_t seat, uint32_t level);
/* The same for a table that is read from the journal. */
void table_replace_again(Table *table, uint8_t seat, uint32_t level);
/* A session returns to its chair; another session there is notified and removed. */
void table_return(Table *table, uint8_t seat, Session *session);
void table_watch(Table *table, Session *session);
/* The session leaves the table; `lost`: because its connection is gone. */
void table_leave(Session *session, bool lost);
/* A chair is kept for a player who comes by this token; `named`: whose name it is. */
void table_reserve(Table *table, uint8_t seat, const char *name, uint64_t named, uint8_t role,
                   const char *token);
/* The old token of a seat in a match that runs is not valid any more, also after a restart; whoever
 * sits there is sent the new one. And the same from the journal; false: the record is not valid. */
void table_renew_token(Table *table, uint8_t seat);
bool table_replay_token(Table *table, const StoreRecord *record);
/* Both chairs are taken: the match begins, with any seed or with this one. False: it could not, and
 * the table is closed. */
bool table_begin(Table *table);
bool table_begin_with(Table *table, MashSeed seed);
/* Continues a table that was read from the journal: it waits again, its match resumes, or its match
 * is over. */
void table_wait(Table *table);
void table_resume(Table *table, uint64_t played_ms);
void table_linger(Table *table);
/* Iterates over all sessions at the table, players first: the one after this one. NULL begins and
 * ends it. */
Session *table_session_after(const Table *table, const Session *session);
/* Are both chairs without a session? */
bool table_deserted(const Table *table);
/* Handles what is due by the clock and sets the timer again. */
void table_tick(Table *table);
/* Sets the timer for what is due next. */
void table_set_timer(Table *table);
/* Is the match running? */
bool table_is_running(const Table *table);
/* The end of the match has been sent to all. */
void table_finish(Table *table);
/* The seat wants another match; it begins if both do. False: see the reason, which is empty if the
 * server is full. */
bool table_rematch(Table *table, uint8_t seat, MashText *reason);
/* Has it a player who reconnects by a protocol's identity? See Chair.identity. */
bool table_has_identity(const Table *table);
/* A seat pauses or continues the match (MASH_SEAT_NONE: the server). */
bool table_is_paused(const Table *table); /* paused, or waiting for a player to reconnect */
bool table_may_pause(const Table *table, uint8_t seat); /* has it pauses left? */
/* The rate limit of pauses: thirty, and one more every twenty seconds. Each is sent to all, and the
 * other player must have time to play between two. False: it comes too fast. */
bool table_pause_in_rate(Table *table, uint8_t seat);
void table_pause(Table *table, uint8_t seat);
void table_continue(Table *table, uint8_t seat);

#endif
