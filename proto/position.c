/* position.c -- see position.h. */
#include "proto/position.h"

#include <string.h>

enum { NAME_BYTES = PROTO_SENTENCE_MAX + 1 };

/* The context of writing. */
typedef struct PositionWriter {
    const Position *position;
    const MashContent *content;
    const MashGame *game;
    MashBoard board;
    MashAction *actions;
    JsonWriter writer;
} PositionWriter;

/* --- Memory ----------------------------------------------------------------------------------- */

/* How many cells the board has. */
static size_t cells(const MashContent *content) {
    return (size_t)content->limits.width * content->limits.height;
}

/* Divides the lent memory, or only counts if it is NULL; how many bytes that takes. */
static size_t lay_out(PositionWriter *writer, const MashContent *content, uint8_t *memory) {
    Lender lender = {memory, 0};
    writer->board = mash_board_lend(content, &lender);
    writer->actions = lend(&lender, content->limits.actions_max * sizeof(MashAction));
    return lender.used;
}

size_t position_bytes(const MashContent *content) {
    return lay_out(&(PositionWriter){.content = content}, content, NULL);
}

/* --- Small pieces ----------------------------------------------------------------------------- */

/* A key and a number. */
static void put_whole(PositionWriter *writer, const char *key, int32_t number) {
    json_put_key(&writer->writer, key);
    json_put_int(&writer->writer, number);
}

/* A key and a boolean. */
static void put_flag(PositionWriter *writer, const char *key, bool truth) {
    json_put_key(&writer->writer, key);
    json_put_bool(&writer->writer, truth);
}

/* A key and a string. */
static void put_words(PositionWriter *writer, const char *key, const char *words) {
    json_put_key(&writer->writer, key);
    json_put_string(&writer->writer, words);
}

/* A key and a seat, or null. */
static void put_seat(PositionWriter *writer, const char *key, uint8_t seat) {
    json_put_key(&writer->writer, key);
    if (seat < MASH_SEATS)
        json_put_int(&writer->writer, seat);
    else
        json_put_null(&writer->writer);
}

/* Strings must not be empty on the wire. */
static const char *text_or_dash(const MashText *text) {
    return text->count == 0 ? "-" : text->bytes;
}

/* A key and the id of an entry of a list; NULL for one of an array. */
static void put_id(PositionWriter *writer, const char *key, MashNames list, uint8_t index) {
    const char *id = writer->game->id_of(writer->content, list, index);
    if (key != NULL)
        json_put_key(&writer->writer, key);
    json_put_string(&writer->writer, id == NULL ? "-" : id);
}

/* A key and a name of the game's; NULL for an entry of an array. */
static void put_name(PositionWriter *writer, const char *key, MashNames list, uint8_t index) {
    char memory[PROTO_NOTATION_MAX + 1];
    MashText text = text_over(memory, sizeof memory);
    writer->game->name(writer->content, writer->position->texts, list, index, &text);
    if (key != NULL)
        json_put_key(&writer->writer, key);
    json_put_string(&writer->writer, text_or_dash(&text));
}

/* A key and the beginning of an array, which the caller closes. */
static void open_list(PositionWriter *writer, const char *key) {
    json_put_key(&writer->writer, key);
    json_open(&writer->writer, '[');
}

/* A key and an array of two numbers. */
static void put_pair(PositionWriter *writer, const char *key, int32_t x, int32_t y) {
    open_list(writer, key);
    json_put_int(&writer->writer, x);
    json_put_int(&writer->writer, y);
    json_close(&writer->writer, ']');
}

/* --- The board -------------------------------------------------------------------------------- */

/* The names and ids of the kinds of ground, up to the highest on the board. */
static void put_grounds(PositionWriter *writer) {
    uint32_t kinds = 0;
    for (size_t i = 0; i < cells(writer->content); i++)
        if (writer->board.ground[i] >= kinds)
            kinds = writer->board.ground[i] + 1u;
    open_list(writer, "grounds");
    for (uint32_t i = 0; i < kinds; i++)
        put_name(writer, NULL, MASH_NAME_GROUND, (uint8_t)i);
    json_close(&writer->writer, ']');
    open_list(writer, "ground_ids");
    for (uint32_t i = 0; i < kinds; i++)
        put_id(writer, NULL, MASH_NAME_GROUND, (uint8_t)i);
    json_close(&writer->writer, ']');
}

/* A row of numbers for each row of the board. */
static void put_rows(PositionWriter *writer, const char *key, bool wear) {
    const MashLimits *limits = &writer->content->limits;
    open_list(writer, key);
    for (uint32_t y = 0; y < limits->height; y++) {
        json_open(&writer->writer, '[');
        for (uint32_t x = 0; x < limits->width; x++) {
            uint32_t cell = y * limits->width + x;
            json_put_int(&writer->writer,
                         wear ? writer->board.ground_health[cell] : writer->board.ground[cell]);
        }
        json_close(&writer->writer, ']');
    }
    json_close(&writer->writer, ']');
}

/* Has any ground health of its own? */
static bool any_wear(const PositionWriter *writer) {
    for (size_t i = 0; i < cells(writer->content); i++)
        if (writer->board.ground_health[i] != 0)
            return true;
    return false;
}

/* One token; a hidden one has no kind, one that is not on the board has no cell. */
static void put_token(PositionWriter *writer, const MashToken *token) {
    char memory[PROTO_NOTATION_MAX + 1];
    MashText name = text_over(memory, sizeof memory);
    writer->game->unit_name(writer->content, writer->position->view, token->unit, &name);
    json_open(&writer->writer, '{');
    put_whole(writer, "unit", token->unit);
    put_words(writer, "name", text_or_dash(&name));
    if ((token->flags & MASH_TOKEN_HIDDEN) == 0) {
        put_name(writer, "kind", MASH_NAME_KIND, token->kind);
        put_id(writer, "kind_id", MASH_NAME_KIND, token->kind);
    }
    put_seat(writer, "seat", token->seat);
    put_words(writer, "place", choice_id(PROTO_PLACES_LIST, token->place));
    if (token->place == MASH_ON_BOARD) {
        put_whole(writer, "x", token->x);
        put_whole(writer, "y", token->y);
    }
    if ((token->flags & MASH_TOKEN_DONE) != 0)
        put_flag(writer, "done", true);
    if ((token->flags & MASH_TOKEN_REVEALED) != 0)
        put_flag(writer, "revealed", true);
    if ((token->flags & MASH_TOKEN_CHOSEN) != 0)
        put_flag(writer, "chosen", true);
    json_close(&writer->writer, '}');
}

/* Of a unit, a team, or the match. */
static void put_whose(PositionWriter *writer, uint8_t unit) {
    if (unit < MASH_UNIT_SIDE)
        put_whole(writer, "unit", unit);
    else if (unit < MASH_UNIT_SIDE + MASH_SEATS)
        put_seat(writer, "side", (uint8_t)(unit - MASH_UNIT_SIDE));
}

/* A key and an array of what a meter is about, each entry written by `put`. */
static void put_about(PositionWriter *writer, const char *key, const MashMeter *meter,
                      void (*put)(PositionWriter *, const char *, MashNames, uint8_t)) {
    MashNames list = (MashNames)(meter->about_list - 1);
    bool set = meter->about_set;
    open_list(writer, key);
    for (uint32_t i = 0; i < (set ? 32 : 1); i++)
        if (!set || ((uint32_t)meter->now >> i & 1) != 0)
            put(writer, NULL, list, (uint8_t)(meter->about + i));
    json_close(&writer->writer, ']');
}

/* One meter; `about` gives what it is about, if that has names. */
static void put_meter(PositionWriter *writer, const MashMeter *meter) {
    json_open(&writer->writer, '{');
    put_whose(writer, meter->unit);
    put_name(writer, "name", MASH_NAME_METER, meter->meter);
    put_id(writer, "id", MASH_NAME_METER, meter->meter);
    put_words(writer, "role", mash_role_id(meter->role));
    put_whole(writer, "index", meter->about);
    if (meter->about_list != 0) {
        put_about(writer, "about", meter, put_name);
        put_about(writer, "about_ids", meter, put_id);
    }
    put_whole(writer, "now", meter->now);
    if (meter->most != 0)
        put_whole(writer, "most", meter->most);
    json_close(&writer->writer, '}');
}

/* Those of one unit or side that are not 0. */
static void put_figures_of(PositionWriter *writer, uint8_t unit) {
    for (uint32_t i = 0; i < writer->game->figures_count; i++) {
        int32_t value =
            writer->game->figure(writer->content, writer->position->view, unit, (uint8_t)i);
        if (value == 0)
            continue;
        json_open(&writer->writer, '{');
        put_whose(writer, unit);
        put_name(writer, "name", MASH_NAME_FIGURE, (uint8_t)i);
        put_id(writer, "id", MASH_NAME_FIGURE, (uint8_t)i);
        put_whole(writer, "value", value);
        json_close(&writer->writer, '}');
    }
}

/* The figures of all tokens and both teams. */
static void put_figures(PositionWriter *writer) {
    open_list(writer, "figures");
    for (uint32_t i = 0; i < writer->board.tokens_count; i++)
        put_figures_of(writer, writer->board.tokens[i].unit);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        put_figures_of(writer, (uint8_t)(MASH_UNIT_SIDE + seat));
    json_close(&writer->writer, ']');
}

/* Everything visible, with figures if the match is over. */
static void put_board(PositionWriter *writer, bool over) {
    const MashLimits *limits = &writer->content->limits;
    MashBoard *board = &writer->board;
    writer->game->show(writer->content, writer->position->view, board);
    json_put_key(&writer->writer, "board");
    json_open(&writer->writer, '{');
    put_whole(writer, "width", limits->width);
    put_whole(writer, "height", limits->height);
    put_name(writer, "phase", MASH_NAME_PHASE, board->phase);
    put_id(writer, "phase_id", MASH_NAME_PHASE, board->phase);
    if (board->active != MASH_UNIT_NONE)
        put_whole(writer, "active", board->active);
    open_list(writer, "order");
    for (uint32_t i = 0; i < board->order_count; i++)
        json_put_int(&writer->writer, board->order[i]);
    json_close(&writer->writer, ']');
    put_grounds(writer);
    put_rows(writer, "ground", false);
    if (any_wear(writer))
        put_rows(writer, "wear", true);
    open_list(writer, "tokens");
    for (uint32_t i = 0; i < board->tokens_count; i++)
        put_token(writer, &board->tokens[i]);
    json_close(&writer->writer, ']');
    open_list(writer, "meters");
    for (uint32_t i = 0; i < board->meters_count; i++)
        put_meter(writer, &board->meters[i]);
    json_close(&writer->writer, ']');
    if (over)
        put_figures(writer);
    json_close(&writer->writer, '}');
}

/* --- Actions and events ----------------------------------------------------------------------- */

/* Do two actions differ only in their target? */
static bool same_group(MashAction a, MashAction b) {
    return a.verb == b.verb && a.unit == b.unit && a.ability == b.ability;
}

/* One action of a group: its cell, then other and amount unless both are 0. */
static void put_cell(PositionWriter *writer, MashAction action) {
    json_open(&writer->writer, '[');
    json_put_int(&writer->writer, action.x);
    json_put_int(&writer->writer, action.y);
    if (action.other != 0 || action.amount != 0) {
        json_put_int(&writer->writer, action.other);
        json_put_int(&writer->writer, action.amount);
    }
    json_close(&writer->writer, ']');
}

/* Lists are ascending, so a group is contiguous. */
static void put_group(PositionWriter *writer, const MashAction *first, uint32_t count) {
    json_open(&writer->writer, '{');
    put_whole(writer, "verb", first->verb);
    put_name(writer, "name", MASH_NAME_VERB, first->verb);
    put_id(writer, "id", MASH_NAME_VERB, first->verb);
    put_whole(writer, "unit", first->unit);
    put_whole(writer, "ability", first->ability);
    open_list(writer, "cells");
    for (uint32_t i = 0; i < count; i++)
        put_cell(writer, first[i]);
    json_close(&writer->writer, ']');
    if (writer->position->words) {
        open_list(writer, "words");
        for (uint32_t i = 0; i < count; i++) {
            char memory[PROTO_NOTATION_MAX + 1];
            MashText word = text_over(memory, sizeof memory);
            writer->game->notation(writer->content, writer->position->view, first[i], &word);
            json_put_string(&writer->writer, text_or_dash(&word));
        }
        json_close(&writer->writer, ']');
    }
    json_close(&writer->writer, '}');
}

/* All legal actions of the recipient, grouped; nothing for spectators. */
static void put_actions(PositionWriter *writer) {
    const Position *position = writer->position;
    uint32_t count = 0;
    if (position->seat < MASH_SEATS)
        count =
            writer->game->actions(writer->content, position->view, position->seat, writer->actions);
    json_open(&writer->writer, '[');
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && same_group(writer->actions[i], writer->actions[end]);)
            end++;
        put_group(writer, &writer->actions[i], end - i);
    }
    json_close(&writer->writer, ']');
}

/* One event, with its sentence if the recipient wants texts. */
static void put_event(PositionWriter *writer, const MashEvent *event) {
    json_open(&writer->writer, '{');
    put_words(writer, "kind", mash_event_id(event->kind));
    put_whole(writer, "unit", event->unit);
    put_whole(writer, "other", event->other);
    put_pair(writer, "from", event->from_x, event->from_y);
    put_pair(writer, "at", event->x, event->y);
    put_whole(writer, "amount", event->amount);
    put_whole(writer, "what", event->what);
    MashNames list = mash_event_list(writer->game, event);
    if (list != MASH_NAME_NONE)
        put_id(writer, "what_id", list, event->what);
    if (writer->position->words) {
        char memory[NAME_BYTES];
        MashText text = text_over(memory, sizeof memory);
        mash_event_say(writer->content, writer->position->texts, writer->position->view, event,
                       writer->position->called, &text);
        put_words(writer, "text", text_or_dash(&text));
    }
    json_close(&writer->writer, '}');
}

/* The event as sent to one recipient, without the other seats that can see it. */
static bool visible_event(const Position *position, uint32_t i, MashEvent *event) {
    *event = position->events[i];
    bool seen = mash_event_seen(event, position->seat);
    event->seen_by = MASH_SEEN_BY_ALL;
    return seen;
}

/* A list of all events that the recipient may see. */
static void put_event_list(PositionWriter *writer) {
    MashEvent event;
    json_open(&writer->writer, '[');
    for (uint32_t i = 0; i < writer->position->events_count; i++)
        if (visible_event(writer->position, i, &event))
            put_event(writer, &event);
    json_close(&writer->writer, ']');
}

/* The same after its key. */
static void put_events(PositionWriter *writer) {
    json_put_key(&writer->writer, "events");
    put_event_list(writer);
}

/* Base64 of the events; a group of three events has no padding inside. */
static void put_happened(PositionWriter *writer) {
    const Position *position = writer->position;
    MashText *text = writer->writer.text;
    MashEvent three[3];
    uint32_t held = 0;
    json_put_key(&writer->writer, "happened");
    json_put_raw(&writer->writer, "\"", 1);
    for (uint32_t i = 0; i < position->events_count; i++) {
        if (visible_event(position, i, &three[held]))
            held++;
        if (held == 3) {
            base64_encode(three, sizeof three, text);
            held = 0;
        }
    }
    base64_encode(three, held * (uint32_t)sizeof three[0], text);
    text_byte(text, '"');
}

/* Base64 of the view. */
static void put_view(PositionWriter *writer) {
    const Position *position = writer->position;
    json_put_key(&writer->writer, "view");
    json_put_raw(&writer->writer, "\"", 1);
    base64_encode(position->view, writer->content->limits.state_bytes, writer->writer.text);
    text_byte(writer->writer.text, '"');
}

/* --- The whole -------------------------------------------------------------------------------- */

uint8_t position_draw_offer(const MashContent *content, const void *view) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        MashAction accept = {.verb = MASH_VERB_DRAW_ACCEPT, .seat = seat};
        if (content->game->check(content, view, accept) == MASH_OK)
            return (uint8_t)(1 - seat);
    }
    return MASH_SEAT_NONE;
}

/* The remaining time; null: it is not running. */
static void put_time(JsonWriter *writer, int32_t left_ms) {
    if (left_ms == POSITION_NO_TIME)
        json_put_null(writer);
    else
        json_put_int(writer, left_ms);
}

/* The remaining times of both turns and, if it has a limit, of the match. */
static void put_clocks(JsonWriter *writer, const PositionClocks *clocks) {
    json_open(writer, '{');
    json_put_key(writer, "turn");
    json_open(writer, '[');
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        put_time(writer, clocks->turn[seat]);
    json_close(writer, ']');
    if (clocks->match != POSITION_NO_TIME) {
        json_put_pair_int(writer, "match", clocks->match);
    }
    json_close(writer, '}');
}

void position_write_clocks(const PositionClocks *clocks, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    put_clocks(&writer, clocks);
}

/* The result: the winner or null, and the reason as number and text. */
static void put_result(PositionWriter *writer, MashResult result) {
    json_open(&writer->writer, '{');
    put_seat(writer, "winner", result.winner);
    put_whole(writer, "reason", result.reason);
    put_name(writer, "why", MASH_NAME_REASON, result.reason);
    put_id(writer, "reason_id", MASH_NAME_REASON, result.reason);
    json_close(&writer->writer, '}');
}

/* A writer without memory for a board. */
static PositionWriter writer_of(const Position *position, JsonWriter json) {
    PositionWriter writer;
    memset(&writer, 0, sizeof writer);
    writer.position = position;
    writer.content = position->content;
    writer.game = position->content->game;
    writer.writer = json;
    return writer;
}

bool position_write_step(const Position *position, JsonWriter *json) {
    PositionWriter writer = writer_of(position, *json);
    MashEvent event;
    uint32_t i = 0;
    while (i < position->events_count && !visible_event(position, i, &event))
        i++;
    if (i == position->events_count)
        return false;
    json_open(&writer.writer, '{');
    if (position->form == PROTO_FORM_BYTES)
        put_happened(&writer);
    else
        put_events(&writer);
    json_close(&writer.writer, '}');
    *json = writer.writer;
    return true;
}

void position_write_actions(const Position *position, void *memory, JsonWriter *json) {
    PositionWriter writer = writer_of(position, *json);
    lay_out(&writer, position->content, memory);
    put_actions(&writer);
    *json = writer.writer;
}

void position_write_result(const Position *position, MashResult result, JsonWriter *json) {
    PositionWriter writer = writer_of(position, *json);
    put_result(&writer, result);
    *json = writer.writer;
}

void position_write_events(const Position *position, JsonWriter *json) {
    PositionWriter writer = writer_of(position, *json);
    put_event_list(&writer);
    *json = writer.writer;
}

void position_write(const Position *position, void *memory, MashText *text) {
    const MashContent *content = position->content;
    PositionWriter writer = writer_of(position, json_writer(text, 0));
    lay_out(&writer, content, memory);
    MashResult result = writer.game->result(content, position->view);
    uint32_t awaited = writer.game->awaited(content, position->view);
    json_open(&writer.writer, '{');
    put_words(&writer, "type", message_type(MESSAGE_SERVER_POSITION));
    put_words(&writer, "code", position->code);
    put_whole(&writer, "number", (int32_t)position->number);
    if (position->has_id)
        put_whole(&writer, "id", position->id);
    put_seat(&writer, "you", position->seat);
    open_list(&writer, "awaited");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if ((awaited >> seat & 1) != 0)
            json_put_int(&writer.writer, seat);
    json_close(&writer.writer, ']');
    put_seat(&writer, "draw", position_draw_offer(content, position->view));
    put_flag(&writer, "paused", position->paused);
    if (position->has_paused_by)
        put_seat(&writer, "paused_by", position->paused_by);
    json_put_key(&writer.writer, "clocks");
    put_clocks(&writer.writer, &position->clocks);
    if (position->has_undone)
        put_seat(&writer, "undone", position->undone);
    if (position->undo != NULL)
        put_words(&writer, "undo", position->undo);
    if (result.over) {
        json_put_key(&writer.writer, "result");
        put_result(&writer, result);
    }
    if (position->form == PROTO_FORM_BYTES) {
        put_view(&writer);
        put_happened(&writer);
    } else {
        if (position->with_view)
            put_view(&writer);
        put_board(&writer, result.over);
        if (!position->with_view || !result.over) {
            json_put_key(&writer.writer, "actions");
            put_actions(&writer);
        }
        put_events(&writer);
    }
    json_close(&writer.writer, '}');
}
