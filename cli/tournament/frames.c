/* frames.c -- see frames.h. */
#include "cli/tournament/frames.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { NAME_BYTES = 256, KINDS_MAX = 255, SENTENCES_MAX = 8 };

/* What is drawn of one unit. */
typedef struct DrawnUnit {
    bool there;
    uint8_t kind, seat;
    int8_t x, y;
    int32_t health, most;
} DrawnUnit;

/* A board as it is drawn. */
typedef struct DrawnBoard {
    DrawnUnit units[256];
    uint32_t units_count;
    uint8_t *ground;
    uint32_t cells;
} DrawnBoard;

/* The names of a list, as a list of strings. */
static void put_names(const MashContent *content, const char *key, MashNames list,
                      JsonWriter *writer) {
    json_open_list(writer, key);
    for (uint32_t i = 0; i < KINDS_MAX && content->game->id_of(content, list, (uint8_t)i) != NULL;
         i++) {
        char bytes[NAME_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        content->game->name(content, NULL, list, (uint8_t)i, &text);
        json_put_string(writer, bytes);
    }
    json_close(writer, ']');
}

void frames_head(const MashContent *content, JsonWriter *writer) {
    json_put_pair(writer, "game", content->game->title);
    JSON_PUT_INTS(writer, {"width", content->limits.width}, {"height", content->limits.height});
    put_names(content, "kinds", MASH_NAME_KIND, writer);
    put_names(content, "grounds", MASH_NAME_GROUND, writer);
    put_names(content, "sides", MASH_NAME_SIDE, writer);
}

/* Draws a state. */
static void draw(const MashContent *content, const void *state, DrawnBoard *out) {
    void *memory = cli_memory(mash_board_bytes(content));
    MashBoard board = mash_board_over(content, memory);
    content->game->show(content, state, &board);
    memset(out->units, 0, sizeof out->units);
    out->units_count = content->limits.units;
    out->cells = (uint32_t)content->limits.width * content->limits.height;
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        const MashToken *token = &board.tokens[i];
        DrawnUnit *unit = &out->units[token->unit];
        if (token->place != MASH_ON_BOARD || token->x < 0)
            continue;
        unit->there = true; /* one by one: boards are compared byte by byte */
        unit->kind = token->kind;
        unit->seat = token->seat;
        unit->x = token->x;
        unit->y = token->y;
    }
    for (uint32_t i = 0; i < board.meters_count; i++) {
        const MashMeter *meter = &board.meters[i];
        if (meter->role == MASH_ROLE_HEALTH && meter->unit < out->units_count) {
            out->units[meter->unit].health = meter->now;
            out->units[meter->unit].most = meter->most;
        }
    }
    memcpy(out->ground, board.ground, out->cells);
    free(memory);
}

/* What has changed since `before` (NULL: everything). */
static void put_changes(const DrawnBoard *before, const DrawnBoard *now, JsonWriter *writer) {
    json_open_list(writer, "t");
    for (uint32_t i = 0; i < now->units_count; i++) {
        const DrawnUnit *unit = &now->units[i];
        if (before == NULL ? !unit->there : memcmp(unit, &before->units[i], sizeof *unit) == 0)
            continue;
        const int32_t values[] = {(int32_t)i, unit->kind,   unit->seat, unit->x,
                                  unit->y,    unit->health, unit->most};
        json_open(writer, '[');
        for (uint32_t k = 0; k < (unit->there ? 7 : 1); k++)
            json_put_int(writer, values[k]);
        json_close(writer, ']');
    }
    json_close(writer, ']');
    json_open_list(writer, "g");
    for (uint32_t i = 0; i < now->cells; i++) {
        if (before == NULL ? now->ground[i] == 0 : now->ground[i] == before->ground[i])
            continue;
        json_open(writer, '[');
        json_put_int(writer, i);
        json_put_int(writer, now->ground[i]);
        json_close(writer, ']');
    }
    json_close(writer, ']');
}

/* What happened, in words. */
static void put_sentences(const MashContent *content, const void *state, const MashEvents *events,
                          JsonWriter *writer) {
    json_open_list(writer, "s");
    for (uint32_t i = 0, put = 0; i < events->count && put < SENTENCES_MAX; i++) {
        char bytes[NAME_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        mash_event_say(content, NULL, state, &events->list[i], NULL, &text);
        if (text.count == 0)
            continue;
        json_put_string(writer, bytes);
        put++;
    }
    json_close(writer, ']');
}

void frames_board(const MashContent *content, const void *state, const MashEvents *events,
                  JsonWriter *writer) {
    DrawnBoard *now = cli_memory(sizeof *now);
    now->ground = cli_memory((size_t)content->limits.width * content->limits.height);
    draw(content, state, now);
    json_open(writer, '{');
    put_changes(NULL, now, writer);
    put_sentences(content, state, events, writer);
    json_close(writer, '}');
    free(now->ground);
    free(now);
}

void frames_all(Match *match, JsonWriter *writer) {
    const MashContent *content = match->content;
    uint32_t count = match->actions_count;
    size_t cells = (size_t)content->limits.width * content->limits.height;
    MashAction *actions = cli_memory((count + 1) * sizeof *actions);
    DrawnBoard *boards = cli_memory(2 * sizeof *boards);
    memcpy(actions, match->actions, count * sizeof *actions);
    for (int i = 0; i < 2; i++)
        boards[i].ground = cli_memory(cells);
    match_rewind(match, 0);
    json_open(writer, '[');
    for (uint32_t i = 0; i <= count; i++) {
        MashStatus status = i == 0 ? MASH_OK : match_apply(match, actions[i - 1]);
        assert(status == MASH_OK);
        draw(content, match->state, &boards[i % 2]);
        json_open(writer, '{');
        put_changes(i == 0 ? NULL : &boards[1 - i % 2], &boards[i % 2], writer);
        put_sentences(content, match->state, &match->events, writer);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    for (int i = 0; i < 2; i++)
        free(boards[i].ground);
    free(boards);
    free(actions);
}
