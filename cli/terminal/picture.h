/* picture.h -- draws a position on the terminal: the board, both sides in columns, the header, the
 * statistics at the end.
 *
 * Knows no rules: everything comes from show() and the game's texts. Seat 0 is in [ ], seat 1 in <
 * >, so that colour is never the only sign. A board too big for the screen is shown in part, around
 * the cell of interest. Where a side has a crowd of units (more than a dozen), they get no rows of
 * their own; the board's cells name their kinds instead. */
#ifndef CLI_TERMINAL_PICTURE_H
#define CLI_TERMINAL_PICTURE_H
#include "cli/terminal/terminal.h"
#include "include/mashup.h"

/* A view taken for drawing. */
typedef struct Picture {
    const Terminal *terminal;
    const MashContent *content;
    void *memory;
    MashBoard board;
    const void *view; /* what it was taken of */
    uint16_t *marks;  /* per cell: the number of a choice, PICTURE_MARK without one, 0 */
    uint8_t offers[MASH_UNIT_NONE + 1]; /* per unit: its number in the menu of a draft, 0 */
    bool offering;                      /* a draft: the menu is the table of units on offer */
    int focus_x, focus_y;
    Style styles[MASH_SEATS + 1]; /* of each seat, and of what is neutral */
} Picture;

/* In `marks`. */
enum { PICTURE_MARK = 0xffff };

/* Memory for pictures of this content. */
void picture_init(Picture *picture, const Terminal *terminal, const MashContent *content);
void picture_release(Picture *picture);
/* Takes a state or view, which must stay valid until the next one is taken; marks are cleared. */
void picture_take(Picture *picture, const void *view);
/* The cell to show where not all fit. */
void picture_focus(Picture *picture, int x, int y);

/* Prints the header: game, phase, whose turn, meters of the match, turn order. */
void picture_print_head(const Picture *picture);
/* Prints the board, or the part around the focus. `small`: one character per cell, all of it. */
void picture_print_board(const Picture *picture, bool small);
/* Is the board empty? */
bool picture_is_empty(const Picture *picture);
/* Prints the descriptions of kinds and items by name, one per line: during a draft, what can be
 * chosen. */
void picture_print_named(const Picture *picture);
/* Prints both sides. `all`: each unit in its own row, however many there are. */
void picture_print_sides(const Picture *picture, bool all);
/* Prints the statistics of a match by side and unit. */
void picture_print_figures(const Picture *picture, const void *state);

/* Appends the side's name in its style and marks: [Calliance]. */
void picture_side(const Picture *picture, uint8_t seat, MashText *text);
/* Appends a unit's name in its side's style and marks: [h0]. */
void picture_unit(const Picture *picture, const MashToken *token, MashText *text);
/* Appends the unit's name, or its kind's where it has no name yet. */
void picture_name(const Picture *picture, const MashToken *token, MashText *text);
/* Appends the kind's name; "unknown" if the view may not know it. */
void picture_kind(const Picture *picture, const MashToken *token, MashText *text);
/* Does the unit's name leave open what it is? "h0" does, "gladiator0" does not. */
bool picture_needs_kind(const Picture *picture, const MashToken *token);
/* Appends a meter: "health 120/300", "Strength 2/3", "can be Thor or Hulk"; several about the same
 * thing together: "Hammer: cooldown 0/2, amount 200". */
void picture_meter(const Picture *picture, const MashMeter *meter, MashText *text);
/* Is the meter printed together with an earlier one? */
bool picture_meter_in_title(const Picture *picture, const MashMeter *meter);

/* The token of a unit, or NULL. */
const MashToken *picture_token_of(const Picture *picture, uint8_t unit);
/* The token on a cell, or NULL. */
const MashToken *picture_token_at(const Picture *picture, int x, int y);
/* Has a side so many units that rows of their own would fill the screen? */
bool picture_crowded(const Picture *picture);
/* Has this seat, or neither (MASH_SEAT_NONE)? */
bool picture_crowd_of(const Picture *picture, uint8_t seat);

#endif
