/* playthrough.c -- see playthrough.h.
 *
 * Boards are printed side by side: the complete state and, where they look different, each seat's
 * view. Boards and the lines about units and sides are written at the start and where they
 * change. */
#include "tests/match/playthrough.h"

#include <string.h>

#include "match/render.h"
#include "match/simulate.h"
#include "tests/match/drawing.h"
#include "tests/support/support.h"

enum {
    FIRST_ACTIONS = 60,
    LAST_ACTIONS = 3,
    PICTURES = 1 + MASH_SEATS, /* the complete state, then each seat's view */
    PICTURE_BYTES = 1 << 16,
    LINE_BYTES = 512,
};

/* One view of the match: the grid and the lines about it, now and before. */
typedef struct PlaythroughView {
    void *state;
    MashText grid, old_grid, lines, old_lines;
} PlaythroughView;

/* A match that is being written. */
typedef struct PlaythroughWriter {
    const MashGame *game;
    MashContent *content;
    MashSeed seed;
    MashChance chooser;
    PlaythroughWay way;
    MashAction *list;
    MashEvents events;
    void *board_memory;
    PlaythroughView pictures[PICTURES];
    MashText *text;
} PlaythroughWriter;

/* --- Memory ----------------------------------------------------------------------------------- */

static MashText new_text(void) { return text_over(support_memory(PICTURE_BYTES), PICTURE_BYTES); }

static void open_writer(PlaythroughWriter *writer, const MashGame *game, const char *preset,
                        uint64_t seed, PlaythroughWay way, MashText *text) {
    *writer =
        (PlaythroughWriter){.game = game, .seed = simulate_seed(seed, 0), .way = way, .text = text};
    MashContent *content = writer->content = support_content(game, preset);
    writer->list = support_memory(content->limits.actions_max * sizeof *writer->list);
    writer->events.list = support_memory(content->limits.events_max * sizeof(MashEvent));
    writer->events.max = content->limits.events_max;
    writer->board_memory = support_memory(mash_board_bytes(content));
    for (int i = 0; i < PICTURES; i++)
        writer->pictures[i] = (PlaythroughView){support_state(content), new_text(), new_text(),
                                                new_text(), new_text()};
}

static void close_writer(PlaythroughWriter *writer) {
    for (int i = 0; i < PICTURES; i++) {
        support_free(writer->pictures[i].state);
        support_free(writer->pictures[i].grid.bytes);
        support_free(writer->pictures[i].old_grid.bytes);
        support_free(writer->pictures[i].lines.bytes);
        support_free(writer->pictures[i].old_lines.bytes);
    }
    support_free(writer->board_memory);
    support_free(writer->events.list);
    support_free(writer->list);
    support_free(writer->content);
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Takes the next line off *rest, without its end; false if there is none. */
static bool next_line(const char **rest, const char **line, size_t *length) {
    if (**rest == '\0')
        return false;
    *line = *rest;
    *length = strcspn(*rest, "\n");
    *rest += *length + ((*rest)[*length] == '\n');
    return true;
}

static size_t columns_of(const char *line, size_t length) {
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((uint8_t)line[i] & 0xc0) != 0x80;
    return columns;
}

static size_t widest_line(const char *text) {
    const char *line;
    size_t length, widest = 0;
    while (next_line(&text, &line, &length))
        widest = columns_of(line, length) > widest ? columns_of(line, length) : widest;
    return widest;
}

static bool has_line(const char *text, const char *wanted, size_t wanted_length) {
    const char *line;
    size_t length;
    while (next_line(&text, &line, &length))
        if (length == wanted_length && memcmp(line, wanted, length) == 0)
            return true;
    return false;
}

/* Appends those lines of `now` that are neither in `old` nor in `table`. */
static void put_news(MashText *text, const char *now, const char *old, const char *table,
                     const char *before_each) {
    const char *line;
    size_t length;
    while (next_line(&now, &line, &length)) {
        if (has_line(old, line, length) || has_line(table, line, length))
            continue;
        text_string(text, before_each);
        text_bytes(text, line, (uint32_t)length);
        text_byte(text, '\n');
    }
}

/* Appends texts side by side, each under its title. */
static void put_beside(MashText *text, const char *const *titles, const char *const *columns,
                       int count) {
    const char *rest[PICTURES];
    size_t widths[PICTURES];
    for (int i = 0; i < count; i++) {
        size_t title = columns_of(titles[i], strlen(titles[i])), grid = widest_line(columns[i]);
        rest[i] = columns[i];
        widths[i] = (title > grid ? title : grid) + 4;
    }
    for (bool head = true, more = true; more; head = false) {
        uint32_t start = text->count;
        size_t pad = 0;
        more = head;
        for (int i = 0; i < count; i++) {
            const char *line = titles[i];
            size_t length = strlen(titles[i]);
            if (!head && !next_line(&rest[i], &line, &length))
                length = 0;
            else
                more = true;
            for (; length > 0 && pad > 0; pad--)
                text_byte(text, ' ');
            text_bytes(text, line, (uint32_t)length);
            pad += widths[i] - columns_of(line, length);
        }
        if (text->count > start)
            text_byte(text, '\n');
    }
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void put_side_name(const PlaythroughWriter *writer, uint8_t seat, MashText *text) {
    writer->game->name(writer->content, NULL, MASH_NAME_SIDE, seat, text);
}

/* The new picture becomes the old one, and an empty text begins. */
static void turn_page(MashText *now, MashText *old) {
    MashText empty = *old;
    *old = *now;
    *now = empty;
    text_clear(now);
}

/* Draws all pictures of the state; pictures[0].state is the match. */
static void draw_all(PlaythroughWriter *writer) {
    const MashContent *content = writer->content;
    for (int i = 0; i < PICTURES; i++) {
        PlaythroughView *picture = &writer->pictures[i];
        if (i > 0) {
            memcpy(picture->state, writer->pictures[0].state, content->limits.state_bytes);
            writer->game->hide(content, picture->state, (uint8_t)(i - 1));
        }
        MashBoard board = mash_board_over(content, writer->board_memory);
        writer->game->show(content, picture->state, &board);
        turn_page(&picture->grid, &picture->old_grid);
        turn_page(&picture->lines, &picture->old_lines);
        drawing_board(content, picture->state, &board, &picture->grid);
        drawing_status(content, picture->state, &board, &picture->lines);
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            drawing_side(content, picture->state, &board, seat, &picture->lines);
        drawing_side(content, picture->state, &board, MASH_SEAT_NONE, &picture->lines);
    }
}

static void put_grids(PlaythroughWriter *writer) {
    const char *titles[PICTURES] = {"the table"}, *grids[PICTURES];
    char names[PICTURES][LINE_BYTES];
    int count = 0;
    bool news = false;
    for (int i = 0; i < PICTURES; i++) {
        const char *grid = writer->pictures[i].grid.bytes;
        news = news || strcmp(grid, writer->pictures[i].old_grid.bytes) != 0;
        if (i > 0 && strcmp(grid, writer->pictures[0].grid.bytes) == 0)
            continue;
        if (i > 0) {
            MashText name = text_over(names[i], LINE_BYTES);
            put_side_name(writer, (uint8_t)(i - 1), &name);
            text_string(&name, " sees");
            titles[count] = names[i];
        }
        grids[count++] = grid;
    }
    if (count == 1 && news)
        text_string(writer->text, grids[0]);
    else if (news)
        put_beside(writer->text, titles, grids, count);
}

static void put_position(PlaythroughWriter *writer) {
    draw_all(writer);
    put_grids(writer);
    const PlaythroughView *table = &writer->pictures[0];
    put_news(writer->text, table->lines.bytes, table->old_lines.bytes, "", "  ");
    for (int i = 1; i < PICTURES; i++) {
        char before[LINE_BYTES];
        MashText text = text_over(before, sizeof before);
        text_string(&text, "  ");
        put_side_name(writer, (uint8_t)(i - 1), &text);
        text_string(&text, " sees: ");
        put_news(writer->text, writer->pictures[i].lines.bytes, writer->pictures[i].old_lines.bytes,
                 table->lines.bytes, before);
    }
    text_byte(writer->text, '\n');
}

/* --- Events ----------------------------------------------------------------------------------- */

/* What a seat reads about an event, after it. */
static void put_sentence(PlaythroughWriter *writer, const void *state, const MashEvent *event,
                         MashText *text) {
    text_clear(text);
    writer->game->say(writer->content, NULL, state, event, text);
}

static void put_event(PlaythroughWriter *writer, const MashEvent *event) {
    char bytes[LINE_BYTES], seat_bytes[LINE_BYTES];
    MashText whole = text_over(bytes, sizeof bytes), text = text_over(seat_bytes, LINE_BYTES);
    put_sentence(writer, writer->pictures[0].state, event, &whole);
    text_format(writer->text, "  - %s", whole.bytes);
    if (event->seen_by != MASH_SEEN_BY_ALL) {
        text_string(writer->text, "   (seen by");
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            if (mash_event_seen(event, seat)) {
                text_byte(writer->text, ' ');
                put_side_name(writer, seat, writer->text);
            }
        text_string(writer->text, event->seen_by & MASH_SEEN_BY_WATCHERS ? " watchers)" : ")");
    }
    text_byte(writer->text, '\n');
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (!mash_event_seen(event, seat))
            continue;
        put_sentence(writer, writer->pictures[1 + seat].state, event, &text);
        if (strcmp(text.bytes, whole.bytes) == 0)
            continue;
        text_string(writer->text, "      ");
        put_side_name(writer, seat, writer->text);
        text_format(writer->text, " reads: %s\n", text.bytes);
    }
}

/* --- The match -------------------------------------------------------------------------------- */

static void put_head(PlaythroughWriter *writer, const char *preset, uint64_t seed,
                     uint32_t actions) {
    MashText *text = writer->text;
    const MashLimits *limits = &writer->content->limits;
    text_format(text, "%s, preset %s, seed ", writer->game->title, preset);
    text_int(text, (int64_t)seed);
    text_format(text, ": a random match of %u actions%s\n", actions,
                writer->way == PLAYTHROUGH_BY_VERB ? ", drawn by verb" : "");
    text_format(text, "board %ux%u, state of %u bytes, core of %u, content ", limits->width,
                limits->height, limits->state_bytes, limits->core_bytes);
    text_hex(text, writer->content->hash, 16);
    text_string(text, "\n");
}

static void set_up(PlaythroughWriter *writer, uint64_t seed) {
    writer->chooser = simulate_action_chance(seed, 0);
    MashChance chance = chance_seeded(writer->seed, 0);
    MashStatus status =
        writer->game->setup(writer->content, NULL, &chance, writer->pictures[0].state);
    assert(status == MASH_OK);
}

static void put_legend(PlaythroughWriter *writer) {
    MashBoard board = mash_board_over(writer->content, writer->board_memory);
    writer->game->show(writer->content, writer->pictures[0].state, &board);
    render_legend(writer->content, &board, writer->text);
}

static void put_action(PlaythroughWriter *writer, uint32_t number, MashAction action) {
    text_format(writer->text, "--- %u. ", number);
    put_side_name(writer, action.seat, writer->text);
    text_string(writer->text, ": ");
    writer->game->notation(writer->content, writer->pictures[0].state, action, writer->text);
    text_byte(writer->text, '\n');
}

/* Makes the views of the state for sentences without drawing anything. */
static void refresh_views(PlaythroughWriter *writer) {
    for (int i = 1; i < PICTURES; i++) {
        memcpy(writer->pictures[i].state, writer->pictures[0].state,
               writer->content->limits.state_bytes);
        writer->game->hide(writer->content, writer->pictures[i].state, (uint8_t)(i - 1));
    }
}

/* Chooses a random action; by verb, that only decides about the seat, then a verb and one of its
 * actions are drawn. */
static MashAction choose(PlaythroughWriter *writer) {
    const void *state = writer->pictures[0].state;
    MashAction action =
        simulate_random_action(writer->content, state, &writer->chooser, writer->list);
    if (writer->way == PLAYTHROUGH_BY_ACTION)
        return action;
    uint32_t count = writer->game->actions(writer->content, state, action.seat, writer->list);
    uint32_t starts[MASH_VERB_RESIGN + 1], verbs = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || writer->list[i].verb != writer->list[i - 1].verb)
            starts[verbs++] = i;
    starts[verbs] = count;
    uint32_t verb = chance_below(&writer->chooser, verbs);
    return writer
        ->list[starts[verb] + chance_below(&writer->chooser, starts[verb + 1] - starts[verb])];
}

static void put_step(PlaythroughWriter *writer, uint32_t number, uint32_t actions) {
    bool told = number <= FIRST_ACTIONS || number + LAST_ACTIONS > actions;
    void *state = writer->pictures[0].state;
    MashAction action = choose(writer);
    if (told)
        put_action(writer, number, action);
    else if (number == FIRST_ACTIONS + 1)
        text_format(writer->text, "... %u more actions ...\n\n",
                    actions - LAST_ACTIONS - FIRST_ACTIONS);
    MashChance chance = chance_seeded(writer->seed, number);
    writer->events.count = 0;
    mash_apply(writer->content, state, action, &chance, &writer->events);
    if (!told)
        return;
    refresh_views(writer);
    for (uint32_t i = 0; i < writer->events.count; i++)
        put_event(writer, &writer->events.list[i]);
    put_position(writer);
}

/* How many actions the match has. */
static uint32_t length_of(PlaythroughWriter *writer, uint64_t seed) {
    uint32_t length = 0;
    void *state = writer->pictures[0].state;
    for (set_up(writer, seed); writer->game->awaited(writer->content, state) != 0; length++) {
        MashChance chance = chance_seeded(writer->seed, length + 1);
        mash_apply(writer->content, state, choose(writer), &chance, NULL);
    }
    return length;
}

void playthrough_write(const MashGame *game, const char *preset, uint64_t seed, PlaythroughWay way,
                       MashText *text) {
    PlaythroughWriter writer;
    open_writer(&writer, game, preset, seed, way, text);
    uint32_t actions = length_of(&writer, seed);
    put_head(&writer, preset, seed, actions);
    set_up(&writer, seed);
    put_legend(&writer);
    text_byte(text, '\n');
    put_position(&writer);
    for (uint32_t number = 1; number <= actions; number++)
        put_step(&writer, number, actions);
    for (uint8_t figure = 0; figure < game->figures_count; figure++) {
        text_string(text, "figure ");
        game->name(writer.content, NULL, MASH_NAME_FIGURE, figure, text);
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            text_format(text, "%s%d", seat == 0 ? ": " : " to ",
                        game->figure(writer.content, writer.pictures[0].state,
                                     (uint8_t)(MASH_UNIT_SIDE + seat), figure));
        text_byte(text, '\n');
    }
    close_writer(&writer);
}
