/* picture.c -- see picture.h: taking a picture, names, and the header. */
#include "cli/terminal/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum {
    NAME_BYTES = 64,
    LINE_BYTES = 1024,
    CROWD = 12,     /* more units of a side than this are a crowd */
    SET_LISTED = 3, /* a longer set is counted */
    SET_BITS = 31,
    LETTERS_CLEAR = 5, /* of a kind's name in a unit's make the kind clear */
    ORDER_INDENT = 7,  /* further lines of the order of play */
};

/* --- A picture -------------------------------------------------------------------------------- */

/* A side whose id is a colour has that one. */
static Style style_for(const MashContent *content, uint8_t seat) {
    const char *id = content->game->id_of(content, MASH_NAME_SIDE, seat);
    if (strcmp(id, "red") == 0)
        return STYLE_RED;
    if (strcmp(id, "blue") == 0)
        return STYLE_BLUE;
    return seat == 0 ? STYLE_CYAN : STYLE_YELLOW;
}

void picture_init(Picture *picture, const Terminal *terminal, const MashContent *content) {
    size_t cells = (size_t)content->limits.width * content->limits.height;
    *picture = (Picture){.terminal = terminal,
                         .content = content,
                         .memory = cli_memory(mash_board_bytes(content)),
                         .marks = cli_memory(cells * sizeof(uint16_t)),
                         .focus_x = content->limits.width / 2,
                         .focus_y = content->limits.height / 2,
                         .styles = {style_for(content, 0), style_for(content, 1), STYLE_NEUTRAL}};
}

void picture_release(Picture *picture) {
    free(picture->memory);
    free(picture->marks);
    *picture = (Picture){.memory = NULL};
}

void picture_take(Picture *picture, const void *view) {
    const MashContent *content = picture->content;
    size_t cells = (size_t)content->limits.width * content->limits.height;
    picture->board = mash_board_over(content, picture->memory);
    picture->view = view;
    memset(picture->marks, 0, cells * sizeof *picture->marks);
    memset(picture->offers, 0, sizeof picture->offers);
    picture->offering = false;
    content->game->show(content, view, &picture->board);
    const MashToken *active = picture_token_of(picture, picture->board.active);
    if (active != NULL && active->place == MASH_ON_BOARD)
        picture_focus(picture, active->x, active->y);
}

void picture_focus(Picture *picture, int x, int y) {
    picture->focus_x = x;
    picture->focus_y = y;
}

/* A seat's token comes before a neutral one. */
const MashToken *picture_token_at(const Picture *picture, int x, int y) {
    const MashToken *found = NULL;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->place != MASH_ON_BOARD || token->x != x || token->y != y)
            continue;
        if (found == NULL || (found->seat >= MASH_SEATS && token->seat < MASH_SEATS))
            found = token;
    }
    return found;
}

const MashToken *picture_token_of(const Picture *picture, uint8_t unit) {
    for (uint32_t i = 0; i < picture->board.tokens_count && unit != MASH_UNIT_NONE; i++)
        if (picture->board.tokens[i].unit == unit)
            return &picture->board.tokens[i];
    return NULL;
}

bool picture_is_empty(const Picture *picture) {
    for (uint32_t i = 0; i < picture->board.tokens_count; i++)
        if (picture->board.tokens[i].place == MASH_ON_BOARD)
            return false;
    return true;
}

bool picture_crowd_of(const Picture *picture, uint8_t seat) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        uint8_t owner = picture->board.tokens[i].seat;
        count += owner == seat || (owner >= MASH_SEATS && seat >= MASH_SEATS);
    }
    return count > CROWD;
}

bool picture_crowded(const Picture *picture) {
    return picture_crowd_of(picture, 0) || picture_crowd_of(picture, 1);
}

/* --- Names ------------------------------------------------------------------------------------ */

/* The style of a seat's things, or of neutral ones. */
static Style style_of(const Picture *picture, uint8_t seat) {
    return picture->styles[seat < MASH_SEATS ? seat : MASH_SEATS];
}

/* Appends a name of the game's. */
static void name_of(const Picture *picture, MashNames list, uint8_t index, MashText *text) {
    picture->content->game->name(picture->content, NULL, list, index, text);
}

void picture_kind(const Picture *picture, const MashToken *token, MashText *text) {
    if (token->flags & MASH_TOKEN_HIDDEN)
        text_string(text, "unknown");
    else
        name_of(picture, MASH_NAME_KIND, token->kind, text);
}

void picture_name(const Picture *picture, const MashToken *token, MashText *text) {
    uint32_t before = text->count;
    picture->content->game->unit_name(picture->content, picture->view, token->unit, text);
    if (text->count == before)
        picture_kind(picture, token, text);
}

bool picture_needs_kind(const Picture *picture, const MashToken *token) {
    char bytes[2][NAME_BYTES];
    MashText name = text_over(bytes[0], NAME_BYTES), kind = text_over(bytes[1], NAME_BYTES);
    picture_name(picture, token, &name);
    picture_kind(picture, token, &kind);
    uint32_t letters = name.count;
    while (letters > 0 && bytes[0][letters - 1] >= '0' && bytes[0][letters - 1] <= '9')
        letters--;
    if (letters < kind.count && letters < LETTERS_CLEAR)
        return true;
    bytes[0][letters] = bytes[1][letters < kind.count ? letters : kind.count] = '\0';
    return !text_equal_nocase(bytes[0], bytes[1]);
}

void picture_unit(const Picture *picture, const MashToken *token, MashText *text) {
    terminal_style(picture->terminal, style_of(picture, token->seat), text);
    text_string(text, token->seat == 0 ? "[" : token->seat == 1 ? "<" : "");
    picture_name(picture, token, text);
    text_string(text, token->seat == 0 ? "]" : token->seat == 1 ? ">" : "");
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

void picture_side(const Picture *picture, uint8_t seat, MashText *text) {
    terminal_style(picture->terminal, style_of(picture, seat), text);
    text_byte(text, seat == 0 ? '[' : '<');
    name_of(picture, MASH_NAME_SIDE, seat, text);
    text_byte(text, seat == 0 ? ']' : '>');
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

/* A set of names, or their number if there are many. */
static void set_words(const Picture *picture, const MashMeter *meter, MashText *text) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SET_BITS; i++)
        count += meter->now >> i & 1;
    if (count > SET_LISTED) {
        text_format(text, " %u kinds", count);
        return;
    }
    const char *gap = " ";
    for (uint32_t i = 0; i < SET_BITS; i++) {
        if (!(meter->now >> i & 1))
            continue;
        text_string(text, gap);
        MashNames list = (MashNames)(meter->about_list - 1);
        name_of(picture, list, (uint8_t)(meter->about + i), text);
        gap = " or ";
    }
}

/* Is it about something with a name of its own: an ability, a potion? */
static bool is_named(const MashMeter *meter) { return meter->about_list != 0 && !meter->about_set; }

/* Are both about the same named thing, such as the cooldown and the amount of an ability? */
static bool are_twins(const MashMeter *a, const MashMeter *b) {
    return is_named(a) && a->unit == b->unit && a->about_list == b->about_list &&
           a->about == b->about && a->meter != b->meter;
}

bool picture_meter_in_title(const Picture *picture, const MashMeter *meter) {
    for (const MashMeter *other = picture->board.meters; other < meter; other++)
        if (are_twins(meter, other))
            return true;
    return false;
}

/* " 120/300" or " 30" */
static void put_number(const MashMeter *meter, MashText *text) {
    text_format(text, " %d", meter->now);
    if (meter->most > 0)
        text_format(text, "/%d", meter->most);
}

/* "Hammer: cooldown 0/2, amount 200", or "Strength 2/3" where there is no other number. */
static void named_words(const Picture *picture, const MashMeter *meter, MashText *text) {
    const MashMeter *end = picture->board.meters + picture->board.meters_count;
    bool several = false;
    for (const MashMeter *other = meter; other < end; other++)
        several |= are_twins(meter, other);
    name_of(picture, (MashNames)(meter->about_list - 1), meter->about, text);
    const char *gap = ": ";
    for (const MashMeter *other = meter; several && other < end; other++) {
        if (other != meter && !are_twins(meter, other))
            continue;
        text_string(text, gap);
        name_of(picture, MASH_NAME_METER, other->meter, text);
        put_number(other, text);
        gap = ", ";
    }
    if (!several)
        put_number(meter, text);
}

void picture_meter(const Picture *picture, const MashMeter *meter, MashText *text) {
    if (is_named(meter)) {
        named_words(picture, meter, text);
        return;
    }
    name_of(picture, MASH_NAME_METER, meter->meter, text);
    if (meter->about_set) {
        set_words(picture, meter, text);
        return;
    }
    put_number(meter, text);
}

void picture_print_named(const Picture *picture) {
    for (uint32_t i = 0; i < picture->board.meters_count; i++) {
        const MashMeter *meter = &picture->board.meters[i];
        char bytes[LINE_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        if (meter->unit != MASH_UNIT_NONE || !is_named(meter) ||
            picture_meter_in_title(picture, meter))
            continue;
        picture_meter(picture, meter, &text);
        printf("  %s\n", bytes);
    }
}

/* --- The header ------------------------------------------------------------------------------- */

/* Whose turn it is, in words, or that the match is over. */
static void side_to_act(const Picture *picture, MashText *text) {
    const MashGame *game = picture->content->game;
    if (game->result(picture->content, picture->view).over) {
        text_string(text, "the match is over");
        return;
    }
    uint32_t awaited = game->awaited(picture->content, picture->view);
    const char *gap = "";
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (!(awaited >> seat & 1))
            continue;
        text_string(text, gap);
        picture_side(picture, seat, text);
        gap = " and ";
    }
    text_string(text, " to move");
}

/* Appends a part after a gap, on a new line if the screen is too narrow. */
static void put_part(const Picture *picture, const char *part, uint32_t *columns, MashText *text) {
    uint32_t width = terminal_width(part);
    if (*columns > 0 && *columns + width + 3 > (uint32_t)picture->terminal->columns) {
        text_string(text, "\n  ");
        *columns = 2;
    } else if (*columns > 0) {
        text_string(text, picture->terminal->utf8 ? " \u00b7 " : " - ");
        *columns += 3;
    }
    text_string(text, part);
    *columns += width;
}

/* The turn order, where units take turns one by one. */
static void print_order(const Picture *picture) {
    char bytes[LINE_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    if (picture->board.order_count <= MASH_SEATS)
        return;
    text_string(&text, "  next:");
    uint32_t columns = terminal_width(bytes);
    for (uint32_t i = 0; i < picture->board.order_count; i++) {
        const MashToken *token = picture_token_of(picture, picture->board.order[i]);
        char name_bytes[NAME_BYTES * 2];
        MashText name = text_over(name_bytes, sizeof name_bytes);
        if (token != NULL)
            picture_unit(picture, token, &name);
        uint32_t width = 1 + terminal_width(name_bytes);
        bool fits = columns + width <= (uint32_t)picture->terminal->columns;
        text_format(&text, fits ? " %s" : "\n        %s", name_bytes);
        columns = fits ? columns + width : ORDER_INDENT + width;
    }
    puts(bytes);
}

void picture_print_head(const Picture *picture) {
    const Terminal *terminal = picture->terminal;
    char bytes[LINE_BYTES], part_bytes[LINE_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    MashText part = text_over(part_bytes, sizeof part_bytes);
    uint32_t columns = 0;
    terminal_style(terminal, STYLE_STRONG, &part);
    text_string(&part, picture->content->game->title);
    terminal_style(terminal, STYLE_PLAIN, &part);
    put_part(picture, part_bytes, &columns, &text);
    text_clear(&part);
    side_to_act(picture, &part);
    put_part(picture, part_bytes, &columns, &text);
    text_clear(&part);
    if (!picture->content->game->result(picture->content, picture->view).over)
        name_of(picture, MASH_NAME_PHASE, picture->board.phase, &part);
    if (part.count > 0)
        put_part(picture, part_bytes, &columns, &text);
    for (uint32_t i = 0; i < picture->board.meters_count; i++) {
        if (picture->board.meters[i].unit != MASH_UNIT_NONE || is_named(&picture->board.meters[i]))
            continue;
        text_clear(&part);
        picture_meter(picture, &picture->board.meters[i], &part);
        put_part(picture, part_bytes, &columns, &text);
    }
    puts(bytes);
    print_order(picture);
}
