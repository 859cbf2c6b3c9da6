/* client_state.h -- what the files of the standard's client side share: client_content.c reads
 * content and writes requests, client_events.c processes events and states.
 *
 * The messages contain less than a state. The rest is counted from events and kept here; a client
 * that joins late has only the received state, and fills in values that the rules accept. */
#ifndef GAMES_MARVELOUS_MASHUP_STANDARD_CLIENT_STATE_H
#define GAMES_MARVELOUS_MASHUP_STANDARD_CLIENT_STATE_H
#include "base/json.h"
#include "games/marvelous-mashup/standard/standard.h"

/* A wire number that is not known yet; and the greatest value, to which greater ones are
 * clamped. */
enum { WIRE_NONE = -1, VALUE_MOST = 9999, ROUND_MOST = 30000, FOR_EVER = 250 };

/* See above. `head` comes first: the client side of the standard knows it. */
typedef struct MarvelousClientState {
    StandardClientState head;
    uint8_t kinds[HEROES];        /* of each hero */
    uint8_t listed[HEROES];       /* six of each side as the server listed them: heroes */
    uint8_t offer[OFFERED];       /* kinds in the order in which they were offered */
    uint8_t choosing;             /* the content is of an offer */
    int32_t ids[HEROES];          /* numbers on the wire, or WIRE_NONE */
    int32_t rocks[CELLS_MAX];     /* numbers of the rocks by their cells */
    uint16_t health[HEROES];      /* as far as known from events */
    uint8_t cooldowns[STONES];    /* counted, for servers that do not send it */
    uint8_t used;                 /* stones that were ever used */
    uint8_t thanos_stones;        /* that he was seen to take */
    uint8_t attacker, mover;      /* units of the last attack and step */
    uint8_t seen, winner;         /* a state was received; the winner, once it is known */
    uint8_t active;               /* by the last state */
    uint16_t round, thanos_turns; /* counted */
    uint8_t snaps;
    uint64_t damage[MASH_SEATS];
    uint32_t knock_outs[MASH_SEATS];
    uint8_t most_stones[MASH_SEATS];
    MarvelousFigures figures[HEROES];
} MarvelousClientState;

/* The whole of a client state by its head. */
static inline MarvelousClientState *client_state_of(StandardClientState *head) {
    return (void *)head;
}

/* An integer member of an object, clamped to the limits; `usual` if it is missing. */
int32_t wire_number(const Json *json, uint32_t object, const char *key, int32_t least, int32_t most,
                    int32_t usual);
/* A name from an object as it is stored: truncated to fit, without control characters. */
void wire_name(const Json *json, uint32_t object, char out[NAME_BYTES]);
/* client_events.c: the entry point of the client adapter. */
bool marvelous_event_in(const MashContent *loaded, StandardClientState *client, const Json *json,
                        uint32_t event, void *state, MashEvents *events);

#endif
