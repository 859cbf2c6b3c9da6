/* render.h -- a position as text: the board as a grid, and lines about units, teams and the match.
 *
 * Independent of the rules: everything comes from show() and the game's texts. Rendering a view
 * shows what its seat may know; a hidden token is ??. A style may put colours around each part;
 * without one the text is plain. Nothing is allocated. */
#ifndef MATCH_RENDER_H
#define MATCH_RENDER_H
#include "include/mashup.h"

/* What is about to be drawn, for a style to choose colours by. */
typedef enum RenderPart {
    DRAW_EDGE,   /* coordinates; x or y is -1 */
    DRAW_GROUND, /* a cell without a token, or the sign of the ground beside one */
    DRAW_TOKEN,  /* a token on its cell */
    DRAW_UNIT,   /* a line about a unit; x and y are -1 */
} RenderPart;
typedef struct RenderCell {
    RenderPart part;
    int x, y;
    uint8_t ground;         /* kind of ground of the cell */
    const MashToken *token; /* NULL: none */
    bool active;            /* the token's unit is the one that is acting */
} RenderCell;

/* How to draw. All zero = plain, the whole board. The hooks append what goes before and after a
 * part (escape codes) and take no columns; either may be NULL. */
typedef struct RenderStyle {
    void (*begin)(void *context, const RenderCell *spot, MashText *text);
    void (*end)(void *context, const RenderCell *spot, MashText *text);
    void *context;
    int x, y, width, height; /* only this part of the board; width 0 = all of it */
} RenderStyle;

/* A board whose arrays are in `memory`, of render_bytes() bytes aligned to 16, for show() to fill.
 */
size_t render_bytes(const MashContent *content);
MashBoard render_memory(const MashContent *content, void *memory);

/* The grid: coordinates at the edges, unit names on their cells (shortened to four columns, ninja12
 * as ni12), `+` after a name where more tokens share the cell, elsewhere the sign of the ground and
 * its health. `style` NULL = plain. */
void render_board(const MashContent *content, const void *state, const MashBoard *board,
                  const RenderStyle *style, MashText *text);
/* One line: the signs of the grounds on this board with their names. Nothing if there is only one
 * ground. */
void render_legend(const MashContent *content, const MashBoard *board, MashText *text);
/* The sign of a kind of ground. */
char render_ground_sign(uint8_t ground);
/* One line about a token: name, kind, place, flags, meters. */
void render_unit(const MashContent *content, const void *state, const MashBoard *board,
                 const MashToken *token, const RenderStyle *style, MashText *text);
/* A team's name and meters, then a line for each of its tokens (MASH_SEAT_NONE: unowned tokens, no
 * name). */
void render_side(const MashContent *content, const void *state, const MashBoard *board,
                 uint8_t seat, const RenderStyle *style, MashText *text);
/* One or two lines: phase, the awaited seats or how the match ended, the match's meters, the order
 * of play; and one for each kind or item that the match has meters of. */
void render_status(const MashContent *content, const void *state, const MashBoard *board,
                   MashText *text);

#endif
