/* svg.c -- see svg.h: heading, ground, marks, tokens, what stands beside the board, and the words.
 */
#include "match/svg.h"

#include <string.h>

#include "base/utf8.h"

enum {
    CELL = 40,
    EDGE = 26,  /* around the board: coordinates */
    HEAD = 104, /* above it: four lines */
    LINE = 24,  /* height of one */
    WIDTH_LEAST = 420,
    LETTER = 8, /* width of a letter, on average */
    LETTER_OF_TITLE = 11,
    NAME_BYTES = 96,
    LINE_BYTES = 512,
    SIGN_LETTERS = 3,
    LABELS_ALL = 30, /* a longer side has every fifth coordinate */
    MARKS_MAX = 64,
    SPOKEN_MAX = 60, /* units that the description lists */
    GROUND_TONES = 6 /* the styles g1 to g6 */
};

/* The picture and where its parts are. */
typedef struct SvgDrawing {
    const SvgPicture *picture;
    MashText *text;
    int width, height; /* of the board, in cells */
    int across;        /* of the picture */
    int left, below;   /* where the board begins, and where it ends */
    bool there[256];   /* kinds of ground on the board */
} SvgDrawing;

/* --- Text ------------------------------------------------------------------------------------- */

/* Can XML hold this code point? */
static bool is_allowed(uint32_t code) {
    return code == '\t' || code == '\n' || (code >= 0x20 && code != 0x7f && (code & ~1u) != 0xfffe);
}

/* Appends one code point of these bytes. */
static void put_code(MashText *text, const char *bytes, uint32_t length) {
    uint32_t code = utf8_decode(bytes, length);
    if (code == '&')
        text_string(text, "&amp;");
    else if (code == '<')
        text_string(text, "&lt;");
    else if (code == '>')
        text_string(text, "&gt;");
    else if (code == '"')
        text_string(text, "&quot;");
    else if (code == '\'')
        text_string(text, "&#39;");
    else if (is_allowed(code))
        text_bytes(text, bytes, length);
}

/* Appends at most this many letters, with an ellipsis where it is cut. */
static void put_letters(MashText *text, const char *string, uint32_t letters) {
    uint32_t count = (uint32_t)strlen(string), length, done = 0;
    for (uint32_t at = 0; string[at] != '\0'; at += length) {
        length = utf8_length(string + at, count - at);
        if (length == 0) {
            length = 1;
            continue;
        }
        if (++done > letters) {
            text_string(text, "\xe2\x80\xa6");
            return;
        }
        put_code(text, string + at, length);
    }
}

void svg_escape(MashText *text, const char *string) { put_letters(text, string, UINT32_MAX); }

/* Appends a name of the game's, not escaped. */
static void put_name(const SvgPicture *picture, MashNames list, uint8_t index, MashText *text) {
    picture->content->game->name(picture->content, NULL, list, index, text);
}

/* Who plays the seat: the player, or the side's name. */
static void put_player(const SvgPicture *picture, uint8_t seat, MashText *text) {
    const char *player = picture->players[seat];
    if (player != NULL && player[0] != '\0')
        text_string(text, player);
    else
        put_name(picture, MASH_NAME_SIDE, seat, text);
}

/* "Ann (Heroes)" */
static void put_player_and_side(const SvgPicture *picture, uint8_t seat, MashText *text) {
    put_player(picture, seat, text);
    if (picture->players[seat] == NULL || picture->players[seat][0] == '\0')
        return;
    text_string(text, " (");
    put_name(picture, MASH_NAME_SIDE, seat, text);
    text_byte(text, ')');
}

void svg_players(const SvgPicture *picture, MashText *text) {
    put_player_and_side(picture, 0, text);
    text_string(text, " vs ");
    put_player_and_side(picture, 1, text);
}

void svg_standing(const SvgPicture *picture, MashText *text) {
    const MashGame *game = picture->content->game;
    MashResult result = game->result(picture->content, picture->view);
    if (result.over) {
        if (result.winner < MASH_SEATS)
            put_player(picture, result.winner, text);
        text_string(text, result.winner < MASH_SEATS ? " won: " : "Drawn: ");
        put_name(picture, MASH_NAME_REASON, result.reason, text);
        return;
    }
    uint32_t awaited = game->awaited(picture->content, picture->view) & 3;
    if (awaited == 3 || awaited == 0) {
        text_string(text, "Both to move");
        return;
    }
    put_player(picture, (uint8_t)(awaited >> 1), text);
    text_string(text, " to move");
}

/* "Action 12 of 80"; of a match in progress a reader need not know how many there were. */
static void put_number(const SvgPicture *picture, MashText *text) {
    if (picture->count > 0)
        text_format(text, "Action %u of %u", picture->number, picture->count);
    else
        text_string(text, "In progress");
}

/* --- Tokens in words -------------------------------------------------------------------------- */

/* The health of a unit; NULL: it has none. */
static const MashMeter *health_of(const MashBoard *board, uint8_t unit) {
    for (uint32_t i = 0; i < board->meters_count && unit < MASH_UNIT_SIDE; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->unit == unit && meter->role == MASH_ROLE_HEALTH && meter->most > 0)
            return meter;
    }
    return NULL;
}

/* What a token is, not escaped: "Hulk", or "unknown". */
static void put_kind(const SvgPicture *picture, const MashToken *token, MashText *text) {
    if (token->flags & MASH_TOKEN_HIDDEN)
        text_string(text, "unknown");
    else
        put_name(picture, MASH_NAME_KIND, token->kind, text);
}

/* "Hulk 3,4 health 120/300", not escaped. */
static void put_token_words(const SvgPicture *picture, const MashToken *token, MashText *text) {
    const MashMeter *health = health_of(picture->board, token->unit);
    put_kind(picture, token, text);
    if (token->place == MASH_ON_BOARD)
        text_format(text, " %d,%d", token->x, token->y);
    else
        text_string(text, token->place == MASH_ON_BENCH ? " beside the board" : " out");
    if (health != NULL)
        text_format(text, ", health %d/%d", health->now, health->most);
}

/* The bytes of up to this many letters from the start. */
static uint32_t bytes_of_letters(const char *bytes, uint32_t count, uint32_t letters) {
    uint32_t at = 0, length = 1;
    for (; letters > 0 && at < count && length > 0; letters--, at += length)
        length = utf8_length(bytes + at, count - at);
    return at < count ? at : count;
}

/* The sign of a token: the initials of a kind with several words, or its first letters. */
static void put_sign(const SvgPicture *picture, const MashToken *token, MashText *text) {
    char bytes[NAME_BYTES], out[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes), sign = text_over(out, sizeof out);
    if (token->flags & MASH_TOKEN_HIDDEN) {
        text_byte(text, '?');
        return;
    }
    put_name(picture, MASH_NAME_KIND, token->kind, &name);
    bool words = strpbrk(bytes, " -") != NULL;
    uint32_t length = bytes_of_letters(bytes, name.count, words ? 1 : SIGN_LETTERS);
    text_bytes(&sign, bytes, length);
    uint32_t letters = 1;
    for (const char *gap = bytes; words && letters < SIGN_LETTERS; letters++) {
        gap = strpbrk(gap, " -");
        if (gap == NULL || *++gap == '\0')
            break;
        uint32_t rest = name.count - (uint32_t)(gap - bytes);
        text_bytes(&sign, gap, bytes_of_letters(gap, rest, 1));
    }
    svg_escape(text, out);
}

/* --- Tokens ----------------------------------------------------------------------------------- */

/* The shape of a side, around a middle, `size` from there to its edge. */
static void put_shape(MashText *text, uint8_t seat, int x, int y, int size) {
    if (seat == 0)
        text_format(text, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>", x, y, size);
    else if (seat != 1)
        text_format(text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>", x - size,
                    y - size, 2 * size, 2 * size);
    else
        text_format(text, "<path d=\"M%d %dl%d %dv%dl%d %dl%d %dv%dz\"/>", x, y - size, size,
                    size / 2, size, -size, size / 2, -size, -(size / 2), -size);
}

/* The style of a seat's things. */
static const char *style_of(const SvgPicture *picture, uint8_t seat) {
    static const char *const styles[] = {"a", "b", "n"};
    const char *id = picture->content->game->id_of(picture->content, MASH_NAME_SIDE, 0);
    bool swapped = id != NULL && strcmp(id, "red") == 0;
    return styles[seat >= MASH_SEATS ? MASH_SEATS : swapped ? 1 - seat : seat];
}

/* A bar under the token: how much of its health is left. */
static void put_health(const MashMeter *health, int x, int y, MashText *text) {
    int64_t now = health->now < 0 ? 0 : health->now < health->most ? health->now : health->most;
    int width = (int)(30 * now / health->most);
    text_format(text, "<path class=\"e\" d=\"M%d %dh30v5h-30z\"/>", x - 15, y + 14);
    if (width > 0)
        text_format(text, "<path class=\"h\" d=\"M%d %dh%dv5h-%dz\"/>", x - 15, y + 14, width,
                    width);
}

/* A token around this middle. */
static void put_token(const SvgDrawing *drawing, const MashToken *token, int x, int y) {
    const SvgPicture *picture = drawing->picture;
    MashText *text = drawing->text;
    char bytes[LINE_BYTES];
    MashText words = text_over(bytes, sizeof bytes);
    const MashMeter *health = health_of(picture->board, token->unit);
    bool active = token->unit == picture->board->active && token->unit != MASH_UNIT_NONE &&
                  token->place == MASH_ON_BOARD;
    put_token_words(picture, token, &words);
    text_format(text, "<g class=\"%s%s%s\"><title>", style_of(picture, token->seat),
                active ? " x" : "", token->place == MASH_GONE ? " o" : "");
    svg_escape(text, bytes);
    text_string(text, "</title>");
    put_shape(text, token->seat, x, y, token->seat == 0 ? 16 : token->seat == 1 ? 17 : 13);
    text_format(text, "<text x=\"%d\" y=\"%d\">", x, y + 4);
    put_sign(picture, token, text);
    text_string(text, "</text>");
    if (health != NULL && token->place == MASH_ON_BOARD)
        put_health(health, x, y, text);
    text_string(text, "</g>\n");
}

/* Is the token drawn on the board? */
static bool is_on_board(const SvgDrawing *drawing, const MashToken *token) {
    return token->place == MASH_ON_BOARD && token->x >= 0 && token->x < drawing->width &&
           token->y >= 0 && token->y < drawing->height;
}

/* The tokens on the board: unowned ones first, so that players' units are above them. */
static void put_tokens(const SvgDrawing *drawing) {
    const MashBoard *board = drawing->picture->board;
    for (int owned = 0; owned < 2; owned++)
        for (uint32_t i = 0; i < board->tokens_count; i++) {
            const MashToken *token = &board->tokens[i];
            if (is_on_board(drawing, token) && (token->seat < MASH_SEATS) == owned)
                put_token(drawing, token, drawing->left + token->x * CELL + CELL / 2,
                          HEAD + EDGE + token->y * CELL + CELL / 2);
        }
}

/* --- Ground ----------------------------------------------------------------------------------- */

/* The ground of a cell. */
static uint8_t ground_at(const SvgDrawing *drawing, int x, int y) {
    return drawing->picture->board->ground[(size_t)y * (size_t)drawing->width + (size_t)x];
}

/* All cells of one kind of ground, as runs along the rows. */
static void put_ground(const SvgDrawing *drawing, uint8_t ground) {
    MashText *text = drawing->text;
    text_format(text, "<path class=\"g%d\" d=\"", (ground - 1) % GROUND_TONES + 1);
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0, run; x < drawing->width; x += run) {
            for (run = 1; x + run < drawing->width &&
                          ground_at(drawing, x + run, y) == ground_at(drawing, x, y);
                 run++)
                ;
            if (ground_at(drawing, x, y) != ground)
                continue;
            text_format(text, "M%d %dh%dv%dh-%dz", drawing->left + x * CELL, HEAD + EDGE + y * CELL,
                        run * CELL, CELL, run * CELL);
        }
    text_string(text, "\"/>\n");
}

/* The health of walls and rocks. */
static void put_ground_health(const SvgDrawing *drawing) {
    for (int y = 0; y < drawing->height; y++)
        for (int x = 0; x < drawing->width; x++) {
            size_t cell = (size_t)y * (size_t)drawing->width + (size_t)x;
            unsigned health = drawing->picture->board->ground_health[cell];
            if (health > 0)
                text_format(drawing->text, "<text class=\"c\" x=\"%d\" y=\"%d\">%u</text>\n",
                            drawing->left + x * CELL + CELL / 2, HEAD + EDGE + y * CELL + 24,
                            health);
        }
}

/* The coordinates of one side. */
static void put_labels(const SvgDrawing *drawing, bool rows) {
    int count = rows ? drawing->height : drawing->width;
    for (int i = 0; i<count; i += count> LABELS_ALL ? 5 : 1) {
        int middle = i * CELL + CELL / 2;
        text_format(drawing->text, "<text class=\"c\" x=\"%d\" y=\"%d\">%d</text>",
                    rows ? drawing->left - EDGE / 2 : drawing->left + middle,
                    rows ? HEAD + EDGE + middle + 4 : HEAD + EDGE - 8, i);
    }
    text_byte(drawing->text, '\n');
}

/* Ground, lines between the cells, coordinates. */
static void put_board(const SvgDrawing *drawing) {
    MashText *text = drawing->text;
    int left = drawing->left, top = HEAD + EDGE;
    int across = drawing->width * CELL, down = drawing->height * CELL;
    text_format(text, "<path class=\"g\" d=\"M%d %dh%dv%dh-%dz\"/>\n", left, top, across, down,
                across);
    for (int ground = 1; ground < 256; ground++)
        if (drawing->there[ground])
            put_ground(drawing, (uint8_t)ground);
    text_string(text, "<path class=\"l\" d=\"");
    for (int x = 0; x <= drawing->width; x++)
        text_format(text, "M%d %dv%d", left + x * CELL, top, down);
    for (int y = 0; y <= drawing->height; y++)
        text_format(text, "M%d %dh%d", left, top + y * CELL, across);
    text_string(text, "\"/>\n");
    put_labels(drawing, false);
    put_labels(drawing, true);
    put_ground_health(drawing);
}

/* --- The last step ---------------------------------------------------------------------------- */

/* Which cells of an event say where it happened. */
enum { CELL_NONE, CELL_TO, CELL_BOTH };

/* Those of this kind. */
static int cells_of(uint8_t kind) {
    switch (kind) {
    case MASH_EVENT_MOVED:
    case MASH_EVENT_SWAPPED:
    case MASH_EVENT_TELEPORTED:
    case MASH_EVENT_BLOCKED:
    case MASH_EVENT_ATTACKED:
    case MASH_EVENT_MISSED:
    case MASH_EVENT_FOUGHT:
        return CELL_BOTH;
    case MASH_EVENT_PLACED:
    case MASH_EVENT_APPEARED:
    case MASH_EVENT_VANISHED:
    case MASH_EVENT_HURT:
    case MASH_EVENT_HEALED:
    case MASH_EVENT_DIED:
    case MASH_EVENT_REVIVED:
    case MASH_EVENT_REVEALED:
    case MASH_EVENT_GROUND_HURT:
    case MASH_EVENT_GROUND_CHANGED:
        return CELL_TO;
    default:
        return CELL_NONE;
    }
}

/* Is it a cell of the board? */
static bool is_cell(const SvgDrawing *drawing, int x, int y) {
    return x >= 0 && y >= 0 && x < drawing->width && y < drawing->height;
}

/* A frame around a cell. */
static void put_mark(const SvgDrawing *drawing, int x, int y) {
    text_format(drawing->text, "M%d %dh36v36h-36z", drawing->left + x * CELL + 2,
                HEAD + EDGE + y * CELL + 2);
}

/* Marks the cells of what happened last, and lines from where to where. */
static void put_marks(const SvgDrawing *drawing) {
    const SvgPicture *picture = drawing->picture;
    MashText *text = drawing->text;
    uint32_t marks = 0;
    for (uint32_t i = 0; i < picture->events_count && marks < MARKS_MAX; i++) {
        const MashEvent *event = &picture->events[i];
        int cells = cells_of(event->kind);
        if (cells == CELL_NONE || !is_cell(drawing, event->x, event->y) ||
            (!picture->everything && !mash_event_seen(event, picture->reader)))
            continue;
        text_string(text, marks++ == 0 ? "<path class=\"m\" d=\"" : "");
        put_mark(drawing, event->x, event->y);
        if (cells != CELL_BOTH || !is_cell(drawing, event->from_x, event->from_y))
            continue;
        put_mark(drawing, event->from_x, event->from_y);
        text_format(text, "M%d %dL%d %d", drawing->left + event->from_x * CELL + CELL / 2,
                    HEAD + EDGE + event->from_y * CELL + CELL / 2,
                    drawing->left + event->x * CELL + CELL / 2,
                    HEAD + EDGE + event->y * CELL + CELL / 2);
    }
    text_string(text, marks > 0 ? "\"/>\n" : "");
}

/* --- Beside the board ------------------------------------------------------------------------- */

/* Tokens of a seat that are not on the board, in rows of their own. Returns where they end. */
static int put_bench(const SvgDrawing *drawing, uint8_t seat, int y) {
    const MashBoard *board = drawing->picture->board;
    int x = EDGE;
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        bool same = token->seat == seat || (token->seat >= MASH_SEATS && seat >= MASH_SEATS);
        if (!same || token->place == MASH_ON_BOARD)
            continue;
        if (x + CELL > drawing->across - EDGE / 2) {
            x = EDGE;
            y += CELL;
        }
        put_token(drawing, token, x + CELL / 2, y + CELL / 2);
        x += CELL;
    }
    return x > EDGE ? y + CELL : y;
}

/* What the colours of the ground stand for, if there are several. Returns where it ends. */
static int put_legend(const SvgDrawing *drawing, int y) {
    MashText *text = drawing->text;
    int x = EDGE;
    for (int ground = 1; ground < 256; ground++) {
        char bytes[NAME_BYTES];
        MashText name = text_over(bytes, sizeof bytes);
        if (!drawing->there[ground])
            continue;
        put_name(drawing->picture, MASH_NAME_GROUND, (uint8_t)ground, &name);
        int across = 30 + LETTER * (int)name.count;
        if (x > EDGE && x + across > drawing->across) {
            x = EDGE;
            y += LINE;
        }
        text_format(text, "<path class=\"g%d\" d=\"M%d %dh14v14h-14z\"/><text x=\"%d\" y=\"%d\">",
                    (ground - 1) % GROUND_TONES + 1, x, y + 4, x + 20, y + 16);
        svg_escape(text, bytes);
        text_string(text, "</text>\n");
        x += across;
    }
    return x > EDGE ? y + LINE : y;
}

/* --- Heading ---------------------------------------------------------------------------------- */

/* Scores of a side: ", stones 2/6", two of them at most. */
static void put_scores(const SvgPicture *picture, uint8_t seat, MashText *text) {
    const MashBoard *board = picture->board;
    uint32_t scores = 0;
    for (uint32_t i = 0; i < board->meters_count && scores < 2; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->unit != MASH_UNIT_SIDE + seat || meter->role != MASH_ROLE_SCORE)
            continue;
        text_string(text, scores++ == 0 ? "  \xc2\xb7  " : ", ");
        put_name(picture, MASH_NAME_METER, meter->meter, text);
        text_format(text, " %d", meter->now);
        if (meter->most > 0)
            text_format(text, "/%d", meter->most);
    }
}

/* A line of the heading; it is cut where the picture ends. */
static void put_line(const SvgDrawing *drawing, const char *style, int x, int y,
                     const char *words) {
    int letter = style[0] == 't' ? LETTER_OF_TITLE : LETTER;
    text_format(drawing->text, "<text class=\"%s\" x=\"%d\" y=\"%d\">", style, x, y);
    put_letters(drawing->text, words, (uint32_t)((drawing->across - x - 8) / letter));
    text_string(drawing->text, "</text>\n");
}

/* Game, both players with their shapes, how the match stands. */
static void put_heading(const SvgDrawing *drawing) {
    const SvgPicture *picture = drawing->picture;
    char bytes[LINE_BYTES];
    MashText line = text_over(bytes, sizeof bytes);
    put_line(drawing, "t", 14, 26, picture->content->game->title);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        int y = 50 + LINE * seat;
        text_format(drawing->text, "<g class=\"%s\">", style_of(picture, seat));
        put_shape(drawing->text, seat, 21, y - 5, 7);
        text_string(drawing->text, "</g>");
        text_clear(&line);
        put_player_and_side(picture, seat, &line);
        put_scores(picture, seat, &line);
        put_line(drawing, "w", 36, y, bytes);
    }
    text_clear(&line);
    svg_standing(picture, &line);
    text_string(&line, "  \xc2\xb7  ");
    put_number(picture, &line);
    put_line(drawing, "r", 14, 50 + 2 * LINE, bytes);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Title and description of the whole. */
static void put_words(const SvgDrawing *drawing) {
    const SvgPicture *picture = drawing->picture;
    MashText *text = drawing->text;
    const MashBoard *board = picture->board;
    char bytes[LINE_BYTES];
    MashText line = text_over(bytes, sizeof bytes);
    text_format(&line, "%s: ", picture->content->game->title);
    svg_players(picture, &line);
    text_string(text, "<title id=\"t\">");
    svg_escape(text, bytes);
    text_clear(&line);
    svg_standing(picture, &line);
    text_string(&line, ". ");
    put_number(picture, &line);
    text_string(text, "</title>\n<desc id=\"d\">");
    svg_escape(text, bytes);
    text_string(text, ".");
    uint32_t spoken = 0;
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        if (!is_on_board(drawing, &board->tokens[i]) || ++spoken > SPOKEN_MAX)
            continue;
        text_clear(&line);
        if (board->tokens[i].seat < MASH_SEATS) {
            put_player(picture, board->tokens[i].seat, &line);
            text_string(&line, ": ");
        }
        put_token_words(picture, &board->tokens[i], &line);
        text_byte(text, ' ');
        svg_escape(text, bytes);
        text_byte(text, '.');
    }
    if (spoken > SPOKEN_MAX)
        text_format(text, " And %u more.", spoken - SPOKEN_MAX);
    text_string(text, "</desc>\n");
}

/* Colours: by day, and by night. */
static const char style[] =
    "<style>svg{font:14px system-ui,sans-serif;--p:#faf8f3;--i:#1d1a2f;--g:#e9e6d4;--l:#b9b5a2;"
    "--a:#1f5fc4;--b:#c23b22;--n:#6b6780;--f:#fff;--h:#2f9e44;--e:#3a3550;--m:#b8860b;"
    "--1:#a39db5;--2:#c9a4e8;--3:#e3c26f;--4:#8fcbc0;--5:#e8a48f;--6:#9fb8e8}"
    "@media(prefers-color-scheme:dark){svg{--p:#15142a;--i:#efedf8;--g:#2b2f3c;--l:#4a4e60;"
    "--a:#5b97f5;--b:#f0735a;--n:#a8a3bd;--f:#0d0c1a;--h:#51cf66;--e:#5d5877;--m:#ffd43b;"
    "--1:#6f6a85;--2:#6d4a94;--3:#8a6d2b;--4:#2f6f66;--5:#8a4a38;--6:#3f5a94}}"
    "text{fill:var(--i)}.t{font-size:19px;font-weight:700}.r{font-weight:600}"
    ".c{font-size:11px;text-anchor:middle}.p{fill:var(--p)}.g{fill:var(--g)}"
    ".g1{fill:var(--1)}.g2{fill:var(--2)}.g3{fill:var(--3)}.g4{fill:var(--4)}.g5{fill:var(--5)}"
    ".g6{fill:var(--6)}.l{stroke:var(--l);fill:none}"
    ".m{stroke:var(--m);stroke-width:3;fill:none;stroke-linejoin:round}"
    ".a{fill:var(--a)}.b{fill:var(--b)}.n{fill:var(--n)}.o{opacity:.4}"
    ".a text,.b text,.n text{fill:var(--f);font-size:12px;font-weight:700;text-anchor:middle}"
    ".x>:nth-child(2){stroke:var(--i);stroke-width:3}.e{fill:var(--e)}.h{fill:var(--h)}</style>\n";

/* How high the rows of tokens beside the board are. */
static int bench_height(const SvgDrawing *drawing, uint8_t seat) {
    const MashBoard *board = drawing->picture->board;
    int in_row = (drawing->across - EDGE - EDGE / 2) / CELL, count = 0;
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        bool same = token->seat == seat || (token->seat >= MASH_SEATS && seat >= MASH_SEATS);
        count += same && token->place != MASH_ON_BOARD;
    }
    return (count + in_row - 1) / in_row * CELL;
}

/* How high the legend is: it is written without a trace. */
static int legend_height(const SvgDrawing *drawing) {
    char nothing[1];
    MashText nowhere = text_over(nothing, sizeof nothing);
    SvgDrawing trial = *drawing;
    trial.text = &nowhere;
    return put_legend(&trial, 0);
}

void svg_write(const SvgPicture *picture, MashText *text) {
    const MashLimits *limits = &picture->content->limits;
    SvgDrawing drawing = {
        .picture = picture, .text = text, .width = limits->width, .height = limits->height};
    for (int cell = 0; cell < drawing.width * drawing.height; cell++)
        drawing.there[picture->board->ground[cell]] = true;
    drawing.across = drawing.width * CELL + 2 * EDGE;
    if (drawing.across < WIDTH_LEAST)
        drawing.across = WIDTH_LEAST;
    drawing.left = (drawing.across - drawing.width * CELL) / 2;
    drawing.below = HEAD + EDGE + drawing.height * CELL + 8;
    int height = drawing.below + legend_height(&drawing) + EDGE / 2;
    for (uint8_t seat = 0; seat <= MASH_SEATS; seat++)
        height += bench_height(&drawing, seat);
    text_format(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" role=\"img\" aria-labelledby=\"t d\">\n",
                drawing.across, height, drawing.across, height);
    put_words(&drawing);
    text_string(text, style);
    text_format(text, "<path class=\"p\" d=\"M0 0h%dv%dh-%dz\"/>\n", drawing.across, height,
                drawing.across);
    put_heading(&drawing);
    put_board(&drawing);
    put_marks(&drawing);
    put_tokens(&drawing);
    int y = put_legend(&drawing, drawing.below);
    for (uint8_t seat = 0; seat <= MASH_SEATS; seat++)
        y = put_bench(&drawing, seat, y);
    text_string(text, "</svg>\n");
}
