/* svg.h -- a position as a picture: one SVG document that needs nothing else, for pages, link
 * previews and printing.
 *
 * Independent of the rules: everything comes from show() and the game's texts, so a picture of a
 * view shows what its reader may know. Sides differ by shape and colour: seat 0 has circles, seat 1
 * hexagons as on the page, what nobody owns squares. Colours follow the reader's light or dark
 * setting. Title and description say in words what is drawn, for those who do not see it. Nothing
 * is allocated; of a text that is too small, `truncated` says so. */
#ifndef MATCH_SVG_H
#define MATCH_SVG_H
#include "include/mashup.h"

/* What is drawn. */
typedef struct SvgPicture {
    const MashContent *content;
    const void *view;       /* a state or a view */
    const MashBoard *board; /* what show() says of it */
    const char *players[MASH_SEATS];
    const MashEvent *events; /* of the last step: only those that `reader` sees are marked */
    uint32_t events_count;
    uint8_t reader;  /* whose view it is, or MASH_SEAT_SPECTATOR */
    bool everything; /* the state itself is shown, after the end: all events are marked */
    uint32_t count;  /* of all actions of a finished match; 0: the match is in progress */
    uint32_t number; /* of the last action that is shown, if it is finished */
} SvgPicture;

/* Appends the document. */
void svg_write(const SvgPicture *picture, MashText *text);

/* Appends text for XML or HTML: with escapes, and without what XML cannot hold. */
void svg_escape(MashText *text, const char *string);

/* Appends what a preview says of the match: "Ann (Heroes) vs Bob (Villains)", and how it stands:
 * "Ann won: resignation", "Bob to move". Not escaped. */
void svg_players(const SvgPicture *picture, MashText *text);
void svg_standing(const SvgPicture *picture, MashText *text);

#endif
