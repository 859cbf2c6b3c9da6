/* adapter.h -- what a game provides to support the network standard: one adapter for the server
 * side and one for the client side, both pure functions between messages and the engine's own
 * values. standard/adapters.c lists the games that have them. */
#ifndef STANDARD_ADAPTER_H
#define STANDARD_ADAPTER_H
#include "base/json.h"
#include "standard/messages.h"

/* --- The server side -------------------------------------------------------------------------- */

/* What is known about a request before the engine checks it. */
typedef enum StandardVerdict {
    STANDARD_ACTION_FOUND,   /* there is an action */
    STANDARD_ACTION_LATE,    /* about a character whose turn is over in this round */
    STANDARD_ACTION_INVALID, /* it does not fit the board */
} StandardVerdict;

/* What neither the state nor the content of a match contains: the numbers of its rocks. */
typedef struct StandardEncoder StandardEncoder;

/* Events in order. */
typedef struct StandardEvents {
    const StandardMessage *list;
    uint32_t count;
} StandardEvents;

/* What a game provides for the server side. States are whole ones, never views. All memory is lent,
 * aligned to 16: an encoder for each match, and scratch memory (`room`) that holds results until
 * the next call with it. */
typedef struct StandardServerAdapter {
    size_t (*encoder_bytes)(const MashContent *);
    size_t (*memory_bytes)(const MashContent *);
    /* An encoder for a match at its start. */
    StandardEncoder *(*begin)(const MashContent *, void *memory);
    /* What an action did, in the order that the standard recommends, without a closing state. Rocks
     * get their numbers here, so every action of a match must be passed exactly once. */
    StandardEvents (*encode_events)(StandardEncoder *, const void *before, const void *after,
                                    const MashEvents *events, void *memory);
    /* The GamestateEvent; false: there is none before the match runs. */
    bool (*encode_state)(const StandardEncoder *, const void *state, void *memory,
                         StandardMessage *out);
    /* The twelve offered to a seat; the six that it plays with once all is chosen. */
    void (*draft_offer)(const MashContent *, const void *state, uint8_t seat,
                        StandardCharacter out[STANDARD_OFFERED]);
    void (*draft_team)(const MashContent *, const void *state, uint8_t seat,
                       StandardCharacter out[STANDARD_TEAM]);
    /* Are teams still being chosen, by this seat or by any (MASH_SEAT_NONE)? And the action that
     * chooses place `place` of a seat's offer. */
    bool (*is_drafting)(const MashContent *, const void *state, uint8_t seat);
    MashAction (*draft_action)(uint8_t seat, uint8_t place);
    /* The action of a request of the seat. */
    StandardVerdict (*decode_request)(const StandardEncoder *, const void *state, uint8_t seat,
                                      const StandardMessage *request, MashAction *out);
    /* Whose turn it is, and a number that changes with every turn; is it this unit's? */
    uint8_t (*seat_to_move)(const MashContent *, const void *state, uint32_t *turn);
    bool (*is_active)(const MashContent *, const void *state, uint8_t unit);
    /* The configurations, one JSON object each. */
    void (*scenario)(const MashContent *, MashText *);
    void (*match)(const MashContent *, MashText *);
    void (*characters)(const MashContent *, MashText *);
} StandardServerAdapter;

/* --- The client side -------------------------------------------------------------------------- */

/* What a client knows besides a state. It is the head of a larger struct (`bytes` of the adapter,
 * aligned to 16), whose rest belongs to the game. */
typedef struct StandardClientState {
    uint8_t seat;    /* ours; MASH_SEAT_NONE: spectator */
    uint8_t awaited; /* whose turn it is by the last state; MASH_SEAT_NONE: nobody's */
    /* Set by the client: the server sends bare events; nothing doubtful shall be sent; the server
     * measures the range of attacks in Euclidean distance. */
    bool bare, careful, ruler;
    uint8_t leader; /* the seat that meets the winning condition, by the last state; MASH_SEAT_NONE:
                       none */
    uint8_t zero[2];
    uint32_t turn; /* turns so far */
} StandardClientState;

/* What a game provides for the client side. Messages are nodes of parsed JSON. No server can do
 * harm by what it sends: nonsense is ignored, values beyond the limits of the rules are clamped. */
typedef struct StandardClientAdapter {
    uint32_t bytes; /* of a client state with the game's own part */
    /* Reads the content and our seat from a message. `room` lends scratch memory only. False:
     * problems say why; content and client state are invalid. */
    bool (*content_in)(const Json *, uint32_t message, const MashDocuments *memory,
                       StandardClientState *, MashContent *, MashProblems *);
    /* The first state of that content: the draft, or an empty board. */
    void (*state_begin)(const MashContent *, const StandardClientState *, void *state);
    /* Processes one event: counts it and appends engine events as far as there is room. True: it
     * held the whole state, which replaced ours. */
    bool (*event_in)(const MashContent *, StandardClientState *, const Json *, uint32_t event,
                     void *state, MashEvents *);
    /* Appends the request for a legal action of the state. False: there is none for it. */
    bool (*request_out)(const MashContent *, const StandardClientState *, const void *state,
                        MashAction, MashText *);
    /* Appends the choice that is complete in the state. */
    void (*choice_out)(const MashContent *, const StandardClientState *, const void *state,
                       MashText *);
    /* Could a server that interprets the standard differently refuse this legal action? */
    bool (*risky)(const MashContent *, const StandardClientState *, const void *state, MashAction);
} StandardClientAdapter;

/* --- All games -------------------------------------------------------------------------------- */

/* The game of the standard; NULL: there is none. */
const MashGame *standard_game(void);
/* The adapters of a game, or NULL. */
const StandardServerAdapter *standard_server_adapter(const MashGame *game);
const StandardClientAdapter *standard_client_adapter(const MashGame *game);

#endif
