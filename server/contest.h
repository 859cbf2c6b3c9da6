/* contest.h -- a contest: a tournament at this server, with its players, pairings and results.
 *
 * A contest has a journal of its own in the store, under its number, like a match. Whatever happens
 * in it is a record first: created, a player, pairs, a change. The same code applies a record when
 * it happens and when the server recovers, so that memory and journal cannot differ. Nothing is
 * sent about a record before it is durable.
 *
 * A pair's record names the number of its match before there is a table: so a result belongs to its
 * pair by the match's number, whoever learns of it and however often. A pair without a result whose
 * table is not here is looked up in the archive before its table is opened again; until then both
 * players count as playing, so that nobody is paired twice. */
#ifndef SERVER_CONTEST_H
#define SERVER_CONTEST_H
#include "server/records.h"
#include "server/session.h"
#include "server/table.h"
#include "tournament/standings.h"

typedef struct Contest Contest;
typedef struct ContestFrame ContestFrame;

/* No player, no pairing; a pairing that has no result yet. */
enum { CONTEST_NONE = 0xffff, CONTEST_OPEN = 0xff };
#define CONTEST_NO_PAIRING UINT32_MAX

/* How a contest was created. */
typedef struct ContestConfig {
    char title[PROTO_TITLE_MAX + 1];
    uint8_t format; /* PROTO_FORMAT_... */
    TableConfig table;
    uint32_t minutes; /* of an arena, or of a round robin without rounds */
    uint32_t rounds;  /* 0: as many as it takes */
    uint32_t rest_ms, players_max;
    uint64_t starts_ms;                 /* by the wall clock; 0: when the organiser says so */
    bool without_rounds;                /* round robin: two play when both are there */
    bool two_legs;                      /* each pair plays twice, with swapped seats */
    char token[PROTO_TOKEN_DIGITS + 1]; /* the organiser's */
    MashSeed seed;                      /* seeds of matches and the first lots follow from it */
} ContestConfig;

/* A player. */
typedef struct Contestant {
    char name[PROTO_NAME_MAX + 1];
    uint8_t role;
    char token[PROTO_TOKEN_DIGITS + 1];
    bool away;        /* left for now, or did not come */
    bool removed;     /* by the organiser */
    int32_t extra;    /* points given or taken by the organiser */
    int32_t rating;   /* when the player joined */
    bool account;     /* the name is that of an account, */
    uint64_t named;   /* of this one; 0: unknown, by a record of an older version */
    uint32_t playing; /* the pairing that keeps this player busy, or CONTEST_NO_PAIRING */
    uint64_t free_ms; /* since when nothing does */
    uint32_t bye;     /* the last round without an opponent, from 1; 0: none */
    uint64_t address; /* key of the address; 0: unknown since a restart */
    Session *session; /* NULL: not connected */
} Contestant;

/* Where the match of a pairing is, as far as it has no result. */
typedef enum PairingStage {
    PAIRING_PLANNED, /* it has never begun */
    PAIRING_BEGUN,   /* its table is here */
    PAIRING_UNKNOWN, /* since a restart: its table, the archive or nobody has it */
    PAIRING_ASKED,   /* the archive is asked */
} PairingStage;

/* Two players who meet, or a bye. */
typedef struct ContestPair {
    uint64_t match;
    uint32_t round;      /* from 0; of an arena 0 */
    uint16_t players[2]; /* [1] CONTEST_NONE: a bye */
    uint8_t score;       /* PROTO_SCORE_... or CONTEST_OPEN */
    uint8_t stage;       /* PairingStage */
    bool forfeit;
    bool absent;      /* neither archive nor journal had it when last asked */
    bool elsewhere;   /* another node has its table */
    uint32_t result;  /* its index in the results */
    uint64_t next_ms; /* when the archive is asked again */
} ContestPair;

/* A contest. */
struct Contest {
    Server *server;
    Contest *next, *before; /* all contests, newest first */
    uint64_t number;
    char code[PROTO_CODE_MAX + 1];
    ContestConfig config;
    Account *account; /* whose budget it counts for; NULL: nobody's since a restart */
    uint8_t phase;    /* PROTO_PHASE_... */
    uint64_t created_ms, started_ms, ended_ms; /* by the wall clock; 0: not yet */
    Contestant *players;
    uint32_t players_count, players_max;
    ContestPair *pairings;
    uint32_t pairings_count, pairings_max;
    TournamentResult *results;
    uint32_t results_count, results_max;
    uint32_t round;      /* rounds that were paired */
    uint32_t open;       /* pairings without a result */
    uint32_t first_open; /* all pairings before this one have a result */
    uint64_t rests_ms;   /* when the next round begins; 0: it is not known yet */
    uint64_t gate_ms;    /* since a restart nobody is paired before, unless all are back */
    uint64_t ticket;     /* of its last record */
    Session *watchers;   /* sessions that are told about it */
    uint32_t watchers_count;
    bool changed;     /* since it was last sent */
    uint64_t news_ms; /* when it may be sent again */
    NetTimer *timer;
    uint64_t timer_ms; /* when the timer fires; 0: it is stopped */
    bool archived;
    bool noted;   /* whose names it has: see erased.h */
    bool stopped; /* nobody is paired any more */
};

/* --- contest.c: from its beginning to its end --------------------------------------------------
 */

/* A new contest with this number (0: a new one). NULL: no memory. The config's content is kept. */
Contest *contest_open(Server *server, const ContestConfig *config, uint64_t number);
/* Frees it. */
void contest_close(Contest *contest);
/* Frees all. */
void contests_close(Server *server);
/* The contest of this number, or NULL. */
Contest *contest_find(Server *server, uint64_t number);
/* Something has changed: it is sent, and what follows from it is done, soon. */
void contest_touch(Contest *contest);
/* Is the player neither away nor removed? */
bool contest_is_in(const Contestant *player);
/* Can somebody still join? */
bool contest_is_open(const Contest *contest);
/* How many rounds there will be; 0: it has none. */
uint32_t contest_rounds(const Contest *contest);
/* When it ends by the wall clock; 0: it has no fixed time. */
uint64_t contest_ends_ms(const Contest *contest);
/* Begins it. False: too few players are there, or the store does not accept it. */
bool contest_start(Contest *contest);
/* A match is over: its result counts, if it is one of a contest. */
void contest_match_over(Table *table);
/* The match of a player that is removed is lost. */
void contest_forfeit(Contest *contest, uint32_t player);
/* The table of a player's match; NULL: none is open here. */
Table *contest_table(const Contest *contest, uint32_t player);
/* The token of a seat in the match of a pairing. It follows from the contest alone: whoever has
 * that can tell its players, wherever their table is. */
void contest_seat_token(const Contest *contest, const ContestPair *pairing, uint8_t seat,
                        char token[PROTO_TOKEN_DIGITS + 1]);
/* The rows of the standings with extra points, the best first, in memory that the caller frees;
 * NULL: no memory. */
TournamentRow *contest_standings(const Contest *contest);
/* The records of an arena's players, in memory that the caller frees; NULL: it is none. */
TournamentRecord *contest_records(const Contest *contest);

/* --- contest_records.c: the journal ------------------------------------------------------------
 */

/* Kinds of record of a contest: created, a player, pairs, a change. */
enum {
    RECORD_CONTEST = 16,
    RECORD_CONTESTANT = 17,
    RECORD_PAIRINGS = 18,
    RECORD_CONTEST_CHANGE = 19,
};

/* What changes. Numbers are in the journal. */
typedef enum ContestChange {
    CONTEST_START = 1,
    CONTEST_PAUSE = 2,
    CONTEST_CONTINUE = 3,
    CONTEST_END = 4,
    CONTEST_AWAY = 5,   /* player; value: 1 away, 0 back */
    CONTEST_REMOVE = 6, /* player */
    CONTEST_ADJUST = 7, /* player; value: points */
    CONTEST_SCORE = 8,  /* pairing; value: the score, and CONTEST_SCORE_... */
    CONTEST_STOP = 9,   /* nobody is paired any more */
} ContestChange;

/* Flags of a score: one did not play; the players who did not come. */
enum { CONTEST_SCORE_FORFEIT = 16, CONTEST_SCORE_MISSED = 32 };

/* Each writes a record and applies it. False: the store does not accept it, and nothing changed. */
bool contest_write_created(Contest *contest);
bool contest_write_player(Contest *contest, uint32_t number, const Contestant *player);
bool contest_write_pairs(Contest *contest, uint32_t round, const ContestPair *pairs,
                         uint32_t count);
bool contest_write_change(Contest *contest, ContestChange change, uint32_t index, int32_t value);
/* Recovers a contest from its records. False: it cannot be, and stays in the journal. */
bool contest_recover(Server *server, const JournalRecords *records);
/* The name of an account that is gone goes. */
void contest_erase(Contest *contest, uint64_t account);
/* Writes a contest that is over to the archive. False: not now. */
bool contest_archive(Contest *contest);

/* --- contest_requests.c: client messages and operators -----------------------------------------
 */

/* The client messages of that name. */
void contest_list(Session *session);
void contest_create(Session *session, const Message *message);
void contest_watch(Session *session, const Message *message);
void contest_join(Session *session, const Message *message);
void contest_leave(Session *session);
void contest_page(Session *session, const Message *message);
void contest_manage(Session *session, const Message *message);
/* The session is gone, or follows another contest. */
void contest_forget(Session *session);
/* An order of an organiser or operator. REFUSAL_COUNT: done. `token` gets that of a replaced
 * player. */
typedef struct ContestOrder {
    uint8_t what; /* PROTO_ORDER_... */
    bool has_player, has_points, has_score;
    uint32_t player;
    int32_t points;
    uint64_t match;
    uint8_t score;
    const char *name;  /* NULL: none */
    const char *token; /* of who was replaced; valid until the next change */
} ContestOrder;
Refusal contest_order(Contest *contest, ContestOrder *order);
/* An order of an operator in words (contest_admin.c), with the answer; all contests, for operators.
 */
void contest_admin_order(Server *server, const char *code, const char *what, const char *rest,
                         MashText *answer);
void contest_admin_list(void *server, MashText *text);

/* --- contest_send.c: server messages ------------------------------------------------------------
 */

/* A message to one session, or to all that watch (NULL), behind the last record of the contest;
 * takes the reference over. */
void contest_post(Contest *contest, Session *session, NetFrame *frame);
/* Sends what is durable by now. */
void contest_flush(Server *server);
/* Drops what waits for this session; for this contest. */
void contest_drop_posts(Server *server, const Session *session, const Contest *contest);
/* How it stands, to one session or to all. */
void contest_send_state(Contest *contest, Session *session);
/* What a player or organiser is, to all its sessions; and to one session. */
void contest_send_player(Contest *contest, uint32_t player);
void contest_send_you(Contest *contest, Session *session);
/* A page of standings or pairings. */
void contest_send_page(Session *session, Contest *contest, uint8_t what, uint32_t from);
/* The list of contests as a message; one of them as a line for other nodes. */
void contest_write_list(void *server, MashText *text);
void contest_write_line(const Contest *contest, MashText *text);
/* Everything about it, for the archive, in the server's text. False: no memory. */
bool contest_write_file(Contest *contest, MashText *text);

/* --- contest_nodes.c: contests of other nodes ---------------------------------------------------
 */

/* What another node has said. */
typedef struct OtherContests {
    uint32_t node;
    char *lines;
    uint64_t said_ms;
} OtherContests;
/* Tells the other nodes of the contests here, if one has changed or it was long ago; hears of
 * theirs; puts them into a list; frees all. */
void contests_share(Server *server, bool changed);
void contests_take_shared(Server *server);
void contest_put_others(JsonWriter *writer, Server *server);
void contests_forget_others(Server *server);

#endif
