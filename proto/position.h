/* position.h -- the message `position`: a view as open JSON or as engine bytes.
 *
 * Everything in it comes from the view and from the events that its owner may see, so that nothing
 * hidden can get out; what the events' other witnesses are is blanked too. Knows no rule: all words
 * and numbers come through the door. */
#ifndef PROTO_POSITION_H
#define PROTO_POSITION_H
#include "proto/message.h"

/* A time that is not running. */
enum { POSITION_NO_TIME = -1 };

/* What is left of the times, in milliseconds or POSITION_NO_TIME. */
typedef struct PositionClocks {
    int32_t turn[MASH_SEATS], match;
} PositionClocks;

/* What to write. */
typedef struct Position {
    const MashContent *content;
    const void *view;
    uint8_t seat; /* whose view it is; MASH_SEAT_SPECTATOR: a spectator's */
    const MashEvent *events;
    uint32_t events_count; /* of all; those that the seat may not see are left out */
    const char *code;
    uint32_t number;
    bool paused;
    PositionClocks clocks;
    uint8_t form; /* PROTO_FORM_JSON or PROTO_FORM_BYTES */
    bool words;
    const MashTexts *texts; /* the language of names and words; NULL: that of the content */
    MashUnitWords *called;  /* what sentences call units; NULL: as the game does */
} Position;

/* Bytes that position_write() wants for its work, aligned to 16. */
size_t position_bytes(const MashContent *content);
/* Appends the message; look at text->cut. */
void position_write(const Position *position, void *memory, MashText *text);

/* The seat that offers a draw, or MASH_SEAT_NONE. */
uint8_t position_draw_offer(const MashContent *content, const void *view);
/* Appends what is left of the times, as JSON. */
void position_write_clocks(const PositionClocks *clocks, MashText *text);

#endif
