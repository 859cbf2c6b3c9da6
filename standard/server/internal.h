/* internal.h -- what the files of the network standard share: a talk (one connection), a speech
 * (what a table has to say to such connections), and who does what in which file. */
#ifndef STANDARD_SERVER_INTERNAL_H
#define STANDARD_SERVER_INTERNAL_H
#include "server/actions.h"
#include "server/content.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/protocol.h"
#include "standard/wire.h"

/* How far a connection has come. */
typedef enum StandardSessionPhase {
    TALK_HELLO, /* nothing was said yet */
    TALK_READY, /* said hello, has not said what it wants */
    TALK_LOOKS, /* a spectator for whom there is no table yet */
    TALK_TABLE, /* at a table */
    TALK_OVER,  /* was told goodbye */
} StandardSessionPhase;

/* A connection that speaks the standard. */
struct StandardSession {
    StandardSessionPhase phase;
    bool bare;        /* each event is a frame of its own */
    bool fixed;       /* path, device or a flag has decided that; requests do not change it */
    bool enveloped;   /* a request came in an envelope */
    uint64_t read_ms; /* when a slow reader will have read all that it was sent */
    bool warned;      /* a spectator who has asked for what only players may */
    uint8_t role;     /* STANDARD_ROLE_... */
    uint64_t identity[2];
    char label[TABLE_LABEL_BYTES]; /* of the table that it wants; "": any */
    bool nowhere;                  /* its path names no table */
};

/* So many of the last moments are dated. */
enum { SPEECH_MOMENTS = 64 };

/* What a table needs to speak the standard. */
struct StandardServerTable {
    const StandardServerAdapter *tongue;
    StandardEncoder *speech;
    uint32_t turn; /* the turn that is on, whose it is, and whose the two before it were */
    uint8_t seat;
    uint8_t recent[2];
    /* When the moment behind so many actions was told, by that number. */
    uint64_t told_ms[SPEECH_MOMENTS];
};

/* What is told at once: some events, and perhaps the state behind them. */
typedef struct StandardBatch {
    StandardEvents events;
    bool has_state;
    StandardMessage state;
} StandardBatch;

/* A GAME_STRUCTURE and the characters that it names. */
typedef struct StandardStructure {
    StandardMessage message;
    StandardCharacter heroes[STANDARD_PLAYERS][STANDARD_TEAM];
} StandardStructure;

/* --- standard_tell.c: frames ------------------------------------------------------------------ */

/* The speech of a table, made if it has none; NULL: no memory, or a game without the standard. */
StandardServerTable *talk_speech(Table *table);
/* One message, at once, or behind what is not safe yet if the session is at a table. */
void standard_server_send(Session *session, const StandardMessage *message);
/* Events to one session, in its dialect. With `with_state` the state closes them. */
void standard_server_send_events(Session *session, const StandardMessage *list, uint32_t count,
                                 bool with_state);
/* ERROR, and GOODBYE_CLIENT with a close. */
void standard_server_send_error(Session *session, int32_t type, const char *why);
void standard_server_send_goodbye(Session *session, const char *why, uint16_t code);
/* GAME_STRUCTURE for a seat or a spectator; the configurations lie in the house's scratch. False:
 * no memory. */
bool talk_fill_structure(Table *table, uint8_t seat, const void *state, StandardStructure *out);

/* --- standard_ask.c: requests ----------------------------------------------------------------- */

/* A request of a session at a table. False: the rest of its frame is dropped. */
bool standard_server_handle_request(Session *session, StandardReadResult reading,
                                    const StandardMessage *request);
/* A choice of six heroes. While the match stands still it is only kept. */
void talk_choose(Session *session, StandardReadResult reading, const StandardMessage *message);
/* The match goes on: makes the choices that were kept. */
void talk_choose_kept(Table *table);
/* Costs the match, if there is one to lose. */
void talk_disqualify(Session *session, const char *why);

/* --- standard.c ------------------------------------------------------------------------------- */

/* What nobody may say now, or ever: it costs the match, and the connection. */
void standard_server_reject_frame(Session *session, const char *why);

/* --- standard_replay.c ------------------------------------------------------------------------ */

/* Hands the finished match on, if somebody wants it. */
void standard_server_write_replay(Table *table);

#endif
