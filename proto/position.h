/* position.h -- the message `position`: a view as JSON or as engine bytes.
 *
 * Everything in it comes from the view and from the events that its seat may see, so that no hidden
 * information can leak; which other seats can see an event is blanked too. Independent of the
 * rules: all texts and numbers come through include/mashup.h. */
#ifndef PROTO_POSITION_H
#define PROTO_POSITION_H
#include "proto/message.h"

/* A time that is not running. */
enum { POSITION_NO_TIME = -1 };

/* The remaining times, in milliseconds or POSITION_NO_TIME. */
typedef struct PositionClocks {
    int32_t turn[MASH_SEATS], match;
} PositionClocks;

/* What to write. */
typedef struct Position {
    const MashContent *content;
    const void *view;
    uint8_t seat; /* whose view it is; MASH_SEAT_SPECTATOR: a spectator's */
    const MashEvent *events;
    uint32_t events_count; /* all events; those that the seat may not see are omitted */
    const char *code;
    uint32_t number;
    bool has_id; /* it answers the request with this id */
    int32_t id;
    bool paused;
    bool has_paused_by;
    uint8_t paused_by; /* the seat that paused the match */
    PositionClocks clocks;
    bool has_undone;
    uint8_t undone;   /* the seat whose last step was undone */
    const char *undo; /* whether the seat can undo its last step; NULL: it did not ask */
    uint8_t form;     /* PROTO_FORM_JSON or PROTO_FORM_BYTES */
    bool words;
    bool with_view;            /* for programs: the view as bytes as well, whatever the form, and
                                  no list of actions once the match is over */
    const MashTexts *texts;    /* the language of names and texts; NULL: that of the content */
    const MashCalling *called; /* names of units in sentences; NULL: the game's */
} Position;

/* Bytes of work memory that position_write() needs, aligned to 16. */
size_t position_bytes(const MashContent *content);
/* Appends the message; check text->cut. */
void position_write(const Position *position, void *memory, MashText *text);

/* Writes the events that the seat may see as an object of the shape `step`, in the form of the
 * position. False: it may see none, and nothing was written. */
bool position_write_step(const Position *position, JsonWriter *writer);

/* Writes them as a list, which may be empty. */
void position_write_events(const Position *position, JsonWriter *writer);

/* Writes the legal actions of the seat as a list of groups; memory as for position_write(). */
void position_write_actions(const Position *position, void *memory, JsonWriter *writer);
/* Writes a result as an object: winner, reason, why, reason_id. */
void position_write_result(const Position *position, MashResult result, JsonWriter *writer);

/* The seat that offers a draw, or MASH_SEAT_NONE. */
uint8_t position_draw_offer(const MashContent *content, const void *view);
/* Appends the remaining times, as JSON. */
void position_write_clocks(const PositionClocks *clocks, MashText *text);

#endif
