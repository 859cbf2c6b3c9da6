/* position.c -- see position.h. */
#include "proto/position.h"

#include <string.h>

#include "base/align.h"

enum { NAME_BYTES = PROTO_SENTENCE_MAX + 1 };

/* What writing needs everywhere. */
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

/* A piece of the lent memory, which goes up; only counts if `memory` is NULL. */
static void *take(uint8_t *memory, size_t *used, size_t bytes) {
    void *piece = memory == NULL ? NULL : memory + *used;
    *used += align_16(bytes);
    return piece;
}

/* Divides the lent memory, or only counts if it is NULL; how many bytes that takes. */
static size_t lay_out(PositionWriter *scribe, const MashContent *content, uint8_t *memory) {
    const MashLimits *terms = &content->limits;
    size_t used = 0;
    scribe->board.ground_health = take(memory, &used, cells(content) * sizeof(uint16_t));
    scribe->board.ground = take(memory, &used, cells(content));
    scribe->board.tokens = take(memory, &used, terms->tokens_max * sizeof(MashToken));
    scribe->board.meters = take(memory, &used, terms->meters_max * sizeof(MashMeter));
    scribe->board.order = take(memory, &used, terms->units);
    scribe->actions = take(memory, &used, terms->actions_max * sizeof(MashAction));
    return used;
}

size_t position_bytes(const MashContent *content) {
    PositionWriter scribe;
    memset(&scribe, 0, sizeof scribe);
    return lay_out(&scribe, content, NULL);
}

/* --- Small pieces ----------------------------------------------------------------------------- */

/* A key and a number. */
static void put_whole(PositionWriter *scribe, const char *key, int32_t number) {
    json_put_key(&scribe->writer, key);
    json_put_int(&scribe->writer, number);
}

/* A key and a truth. */
static void put_flag(PositionWriter *scribe, const char *key, bool truth) {
    json_put_key(&scribe->writer, key);
    json_put_bool(&scribe->writer, truth);
}

/* A key and a string. */
static void put_words(PositionWriter *scribe, const char *key, const char *words) {
    json_put_key(&scribe->writer, key);
    json_put_string(&scribe->writer, words);
}

/* A key and a seat, or null. */
static void put_seat(PositionWriter *scribe, const char *key, uint8_t seat) {
    json_put_key(&scribe->writer, key);
    if (seat < MASH_SEATS)
        json_put_int(&scribe->writer, seat);
    else
        json_put_null(&scribe->writer);
}

/* Strings must not be empty on the wire. */
static const char *text_or_dash(const MashText *text) {
    return text->count == 0 ? "-" : text->bytes;
}

/* A key and the id of an entry of a list; NULL for one of an array. */
static void put_id(PositionWriter *scribe, const char *key, MashNames list, uint8_t index) {
    const char *id = scribe->game->id_of(scribe->content, list, index);
    if (key != NULL)
        json_put_key(&scribe->writer, key);
    json_put_string(&scribe->writer, id == NULL ? "-" : id);
}

/* A key and a name of the game's; NULL for an entry of an array. */
static void put_name(PositionWriter *scribe, const char *key, MashNames list, uint8_t index) {
    char memory[PROTO_NOTATION_MAX + 1];
    MashText text = text_over(memory, sizeof memory);
    scribe->game->name(scribe->content, scribe->position->texts, list, index, &text);
    if (key != NULL)
        json_put_key(&scribe->writer, key);
    json_put_string(&scribe->writer, text_or_dash(&text));
}

/* A key and the beginning of an array, which the caller closes. */
static void open_list(PositionWriter *scribe, const char *key) {
    json_put_key(&scribe->writer, key);
    json_open(&scribe->writer, '[');
}

/* A key and an array of two numbers. */
static void put_pair(PositionWriter *scribe, const char *key, int32_t x, int32_t y) {
    open_list(scribe, key);
    json_put_int(&scribe->writer, x);
    json_put_int(&scribe->writer, y);
    json_close(&scribe->writer, ']');
}

/* --- The board -------------------------------------------------------------------------------- */

/* The names and ids of the kinds of ground, up to the highest on the board. */
static void put_grounds(PositionWriter *scribe) {
    uint32_t kinds = 0;
    for (size_t i = 0; i < cells(scribe->content); i++)
        if (scribe->board.ground[i] >= kinds)
            kinds = scribe->board.ground[i] + 1u;
    open_list(scribe, "grounds");
    for (uint32_t i = 0; i < kinds; i++)
        put_name(scribe, NULL, MASH_NAME_GROUND, (uint8_t)i);
    json_close(&scribe->writer, ']');
    open_list(scribe, "ground_ids");
    for (uint32_t i = 0; i < kinds; i++)
        put_id(scribe, NULL, MASH_NAME_GROUND, (uint8_t)i);
    json_close(&scribe->writer, ']');
}

/* A row of numbers for each row of the board. */
static void put_rows(PositionWriter *scribe, const char *key, bool wear) {
    const MashLimits *terms = &scribe->content->limits;
    open_list(scribe, key);
    for (uint32_t y = 0; y < terms->height; y++) {
        json_open(&scribe->writer, '[');
        for (uint32_t x = 0; x < terms->width; x++) {
            uint32_t cell = y * terms->width + x;
            json_put_int(&scribe->writer,
                         wear ? scribe->board.ground_health[cell] : scribe->board.ground[cell]);
        }
        json_close(&scribe->writer, ']');
    }
    json_close(&scribe->writer, ']');
}

/* Has any ground health of its own? */
static bool any_wear(const PositionWriter *scribe) {
    for (size_t i = 0; i < cells(scribe->content); i++)
        if (scribe->board.ground_health[i] != 0)
            return true;
    return false;
}

/* One token; what is hidden has no kind, who is not on the board no cell. */
static void put_token(PositionWriter *scribe, const MashToken *token) {
    char memory[PROTO_NOTATION_MAX + 1];
    MashText name = text_over(memory, sizeof memory);
    scribe->game->unit_name(scribe->content, scribe->position->view, token->unit, &name);
    json_open(&scribe->writer, '{');
    put_whole(scribe, "unit", token->unit);
    put_words(scribe, "name", text_or_dash(&name));
    if ((token->flags & MASH_TOKEN_HIDDEN) == 0) {
        put_name(scribe, "kind", MASH_NAME_KIND, token->kind);
        put_id(scribe, "kind_id", MASH_NAME_KIND, token->kind);
    }
    put_seat(scribe, "seat", token->seat);
    put_words(scribe, "place", choice_id(PROTO_PLACES_LIST, token->place));
    if (token->place == MASH_ON_BOARD) {
        put_whole(scribe, "x", token->x);
        put_whole(scribe, "y", token->y);
    }
    if ((token->flags & MASH_TOKEN_DONE) != 0)
        put_flag(scribe, "done", true);
    if ((token->flags & MASH_TOKEN_REVEALED) != 0)
        put_flag(scribe, "revealed", true);
    if ((token->flags & MASH_TOKEN_CHOSEN) != 0)
        put_flag(scribe, "chosen", true);
    json_close(&scribe->writer, '}');
}

/* Of a unit, a side, or the table. */
static void put_whose(PositionWriter *scribe, uint8_t unit) {
    if (unit < MASH_UNIT_SIDE)
        put_whole(scribe, "unit", unit);
    else if (unit < MASH_UNIT_SIDE + MASH_SEATS)
        put_seat(scribe, "side", (uint8_t)(unit - MASH_UNIT_SIDE));
}

/* A key and an array of what a meter is about, each entry by `put`. */
static void put_about(PositionWriter *scribe, const char *key, const MashMeter *meter,
                      void (*put)(PositionWriter *, const char *, MashNames, uint8_t)) {
    MashNames list = (MashNames)(meter->about_list - 1);
    bool set = meter->about_set;
    open_list(scribe, key);
    for (uint32_t i = 0; i < (set ? 32 : 1); i++)
        if (!set || ((uint32_t)meter->now >> i & 1) != 0)
            put(scribe, NULL, list, (uint8_t)(meter->about + i));
    json_close(&scribe->writer, ']');
}

/* One meter; `about` names what it speaks of, if that has names. */
static void put_meter(PositionWriter *scribe, const MashMeter *meter) {
    json_open(&scribe->writer, '{');
    put_whose(scribe, meter->unit);
    put_name(scribe, "name", MASH_NAME_METER, meter->meter);
    put_id(scribe, "id", MASH_NAME_METER, meter->meter);
    put_words(scribe, "role", mash_role_id(meter->role));
    put_whole(scribe, "index", meter->about);
    if (meter->about_list != 0) {
        put_about(scribe, "about", meter, put_name);
        put_about(scribe, "about_ids", meter, put_id);
    }
    put_whole(scribe, "now", meter->now);
    if (meter->most != 0)
        put_whole(scribe, "most", meter->most);
    json_close(&scribe->writer, '}');
}

/* Those of one unit or side that are not 0. */
static void put_figures_of(PositionWriter *scribe, uint8_t unit) {
    for (uint32_t i = 0; i < scribe->game->figures_count; i++) {
        int32_t value =
            scribe->game->figure(scribe->content, scribe->position->view, unit, (uint8_t)i);
        if (value == 0)
            continue;
        json_open(&scribe->writer, '{');
        put_whose(scribe, unit);
        put_name(scribe, "name", MASH_NAME_FIGURE, (uint8_t)i);
        put_id(scribe, "id", MASH_NAME_FIGURE, (uint8_t)i);
        put_whole(scribe, "value", value);
        json_close(&scribe->writer, '}');
    }
}

/* The figures of all tokens and both sides. */
static void put_figures(PositionWriter *scribe) {
    open_list(scribe, "figures");
    for (uint32_t i = 0; i < scribe->board.tokens_count; i++)
        put_figures_of(scribe, scribe->board.tokens[i].unit);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        put_figures_of(scribe, (uint8_t)(MASH_UNIT_SIDE + seat));
    json_close(&scribe->writer, ']');
}

/* All there is to see, with figures if the match is over. */
static void put_board(PositionWriter *scribe, bool over) {
    const MashLimits *terms = &scribe->content->limits;
    MashBoard *board = &scribe->board;
    scribe->game->show(scribe->content, scribe->position->view, board);
    json_put_key(&scribe->writer, "board");
    json_open(&scribe->writer, '{');
    put_whole(scribe, "width", terms->width);
    put_whole(scribe, "height", terms->height);
    put_name(scribe, "phase", MASH_NAME_PHASE, board->phase);
    put_id(scribe, "phase_id", MASH_NAME_PHASE, board->phase);
    if (board->active != MASH_UNIT_NONE)
        put_whole(scribe, "active", board->active);
    open_list(scribe, "order");
    for (uint32_t i = 0; i < board->order_count; i++)
        json_put_int(&scribe->writer, board->order[i]);
    json_close(&scribe->writer, ']');
    put_grounds(scribe);
    put_rows(scribe, "ground", false);
    if (any_wear(scribe))
        put_rows(scribe, "wear", true);
    open_list(scribe, "tokens");
    for (uint32_t i = 0; i < board->tokens_count; i++)
        put_token(scribe, &board->tokens[i]);
    json_close(&scribe->writer, ']');
    open_list(scribe, "meters");
    for (uint32_t i = 0; i < board->meters_count; i++)
        put_meter(scribe, &board->meters[i]);
    json_close(&scribe->writer, ']');
    if (over)
        put_figures(scribe);
    json_close(&scribe->writer, '}');
}

/* --- Actions and events ----------------------------------------------------------------------- */

/* Do two actions differ in nothing but their aim? */
static bool same_group(MashAction a, MashAction b) {
    return a.verb == b.verb && a.unit == b.unit && a.ability == b.ability;
}

/* One action of a group: its cell, then other and amount unless both are 0. */
static void put_cell(PositionWriter *scribe, MashAction action) {
    json_open(&scribe->writer, '[');
    json_put_int(&scribe->writer, action.x);
    json_put_int(&scribe->writer, action.y);
    if (action.other != 0 || action.amount != 0) {
        json_put_int(&scribe->writer, action.other);
        json_put_int(&scribe->writer, action.amount);
    }
    json_close(&scribe->writer, ']');
}

/* A list is ascending, so that a group stands together. */
static void put_group(PositionWriter *scribe, const MashAction *first, uint32_t count) {
    json_open(&scribe->writer, '{');
    put_whole(scribe, "verb", first->verb);
    put_name(scribe, "name", MASH_NAME_VERB, first->verb);
    put_id(scribe, "id", MASH_NAME_VERB, first->verb);
    put_whole(scribe, "unit", first->unit);
    put_whole(scribe, "ability", first->ability);
    open_list(scribe, "cells");
    for (uint32_t i = 0; i < count; i++)
        put_cell(scribe, first[i]);
    json_close(&scribe->writer, ']');
    if (scribe->position->words) {
        open_list(scribe, "words");
        for (uint32_t i = 0; i < count; i++) {
            char memory[PROTO_NOTATION_MAX + 1];
            MashText word = text_over(memory, sizeof memory);
            scribe->game->notation(scribe->content, scribe->position->view, first[i], &word);
            json_put_string(&scribe->writer, text_or_dash(&word));
        }
        json_close(&scribe->writer, ']');
    }
    json_close(&scribe->writer, '}');
}

/* All that the reader may do, grouped; nothing for who watches. */
static void put_actions(PositionWriter *scribe) {
    const Position *position = scribe->position;
    uint32_t count = 0;
    if (position->seat < MASH_SEATS)
        count =
            scribe->game->actions(scribe->content, position->view, position->seat, scribe->actions);
    open_list(scribe, "actions");
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && same_group(scribe->actions[i], scribe->actions[end]);)
            end++;
        put_group(scribe, &scribe->actions[i], end - i);
    }
    json_close(&scribe->writer, ']');
}

/* One event, with its sentence if the reader wants words. */
static void put_event(PositionWriter *scribe, const MashEvent *event) {
    json_open(&scribe->writer, '{');
    put_words(scribe, "kind", mash_event_id(event->kind));
    put_whole(scribe, "unit", event->unit);
    put_whole(scribe, "other", event->other);
    put_pair(scribe, "from", event->from_x, event->from_y);
    put_pair(scribe, "at", event->x, event->y);
    put_whole(scribe, "amount", event->amount);
    put_whole(scribe, "what", event->what);
    MashNames list = mash_event_list(scribe->game, event);
    if (list != MASH_NAME_NONE)
        put_id(scribe, "what_id", list, event->what);
    if (scribe->position->words) {
        char memory[NAME_BYTES];
        MashText text = text_over(memory, sizeof memory);
        mash_event_say(scribe->content, scribe->position->texts, scribe->position->view, event,
                       scribe->position->called, &text);
        put_words(scribe, "text", text_or_dash(&text));
    }
    json_close(&scribe->writer, '}');
}

/* The event as its witness may have it: who else saw it is not said. */
static bool visible_event(const Position *position, uint32_t i, MashEvent *event) {
    *event = position->events[i];
    bool seen = mash_event_seen(event, position->seat);
    event->seen_by = MASH_SEEN_BY_ALL;
    return seen;
}

/* All events that the reader may know. */
static void put_events(PositionWriter *scribe) {
    MashEvent event;
    open_list(scribe, "events");
    for (uint32_t i = 0; i < scribe->position->events_count; i++)
        if (visible_event(scribe->position, i, &event))
            put_event(scribe, &event);
    json_close(&scribe->writer, ']');
}

/* Base64 of the view and of the events; a group of three events has no padding inside. */
static void put_bytes(PositionWriter *scribe) {
    const Position *position = scribe->position;
    MashText *text = scribe->writer.text;
    MashEvent three[3];
    uint32_t held = 0;
    json_put_key(&scribe->writer, "view");
    json_put_raw(&scribe->writer, "\"", 1);
    base64_encode(position->view, scribe->content->limits.state_bytes, text);
    text_byte(text, '"');
    json_put_key(&scribe->writer, "happened");
    json_put_raw(&scribe->writer, "\"", 1);
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

/* --- The whole -------------------------------------------------------------------------------- */

uint8_t position_draw_offer(const MashContent *content, const void *view) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        MashAction accept = {.verb = MASH_VERB_DRAW_ACCEPT, .seat = seat};
        if (content->game->check(content, view, accept) == MASH_OK)
            return (uint8_t)(1 - seat);
    }
    return MASH_SEAT_NONE;
}

/* What is left of a time; null: it does not run. */
static void put_time(JsonWriter *writer, int32_t left_ms) {
    if (left_ms == POSITION_NO_TIME)
        json_put_null(writer);
    else
        json_put_int(writer, left_ms);
}

/* What is left of both turns and, if it has a limit, of the match. */
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

/* How it ended: the winner or null, and the reason as number and words. */
static void put_result(PositionWriter *scribe, MashResult result) {
    json_put_key(&scribe->writer, "result");
    json_open(&scribe->writer, '{');
    put_seat(scribe, "winner", result.winner);
    put_whole(scribe, "reason", result.reason);
    put_name(scribe, "why", MASH_NAME_REASON, result.reason);
    put_id(scribe, "reason_id", MASH_NAME_REASON, result.reason);
    json_close(&scribe->writer, '}');
}

void position_write(const Position *position, void *memory, MashText *text) {
    const MashContent *content = position->content;
    PositionWriter scribe;
    memset(&scribe, 0, sizeof scribe);
    scribe.position = position;
    scribe.content = content;
    scribe.game = content->game;
    scribe.writer = json_writer(text, 0);
    lay_out(&scribe, content, memory);
    MashResult result = scribe.game->result(content, position->view);
    uint32_t awaited = scribe.game->awaited(content, position->view);
    json_open(&scribe.writer, '{');
    put_words(&scribe, "type", message_type(MESSAGE_SERVER_POSITION));
    put_words(&scribe, "code", position->code);
    put_whole(&scribe, "number", (int32_t)position->number);
    put_seat(&scribe, "you", position->seat);
    open_list(&scribe, "awaited");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if ((awaited >> seat & 1) != 0)
            json_put_int(&scribe.writer, seat);
    json_close(&scribe.writer, ']');
    put_seat(&scribe, "draw", position_draw_offer(content, position->view));
    put_flag(&scribe, "paused", position->paused);
    json_put_key(&scribe.writer, "clocks");
    put_clocks(&scribe.writer, &position->clocks);
    if (result.over)
        put_result(&scribe, result);
    if (position->form == PROTO_FORM_BYTES) {
        put_bytes(&scribe);
    } else {
        put_board(&scribe, result.over);
        put_actions(&scribe);
        put_events(&scribe);
    }
    json_close(&scribe.writer, '}');
}
