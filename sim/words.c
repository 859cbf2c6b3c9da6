/* words.c -- see include/mashup_sim.h: the state of a sim as JSON. */
#include <stdlib.h>
#include <string.h>

#include "match/preview_write.h"
#include "proto/position.h"
#include "sim/internal.h"

enum { TEXT_BYTES = 1 << 14, SAMPLES_MAX = 64, WORD_BYTES = 128 };

const char *sim_text(SimShared *shared, void (*write)(void *owner, MashText *text), void *owner) {
    for (;;) {
        if (shared->text_max > 0) {
            MashText text = text_over(shared->text, shared->text_max);
            write(owner, &text);
            if (!text.truncated)
                return shared->text;
        }
        uint32_t more = shared->text_max == 0 ? TEXT_BYTES : 2 * shared->text_max;
        char *memory = realloc(shared->text, more);
        if (memory == NULL)
            return sim_error("out of memory"), NULL;
        shared->text = memory;
        shared->text_max = more;
    }
}

/* --- Games ------------------------------------------------------------------------------------ */

/* One game: what mash_sim_begin() may be asked for. */
static void put_game(JsonWriter *writer, const MashGame *game) {
    json_open(writer, '{');
    json_put_pair(writer, "id", game->id);
    json_put_pair(writer, "title", game->title);
    json_put_pair_int(writer, "version", game->version);
    json_open_list(writer, "presets");
    for (uint32_t i = 0; i < game->presets_count; i++) {
        json_open(writer, '{');
        json_put_pair(writer, "id", game->presets[i].id);
        json_put_pair(writer, "title", game->presets[i].title);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    json_open_list(writer, "options");
    for (uint32_t i = 0; i < game->options_count; i++)
        option_write(writer, &game->options[i]);
    json_close(writer, ']');
    json_close(writer, '}');
}

const char *mash_sim_games(void) {
    SIM_OF_THREAD char memory[TEXT_BYTES];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        put_game(&writer, mash_games[i]);
    json_close(&writer, ']');
    assert(!text.truncated);
    return memory;
}

/* --- Positions -------------------------------------------------------------------------------- */

/* What a position is written from. */
typedef struct Telling {
    Position position;
    void *memory;
    const Preview *preview;
    MashAction action;
} Telling;

/* The position of a sim as a seat sees it. */
static Position position_of(const MashSim *sim, const void *view, uint32_t seat) {
    const SimShared *shared = sim->shared;
    bool told = shared->told == sim;
    return (Position){.content = shared->content,
                      .view = view,
                      .seat = (uint8_t)seat,
                      .events = shared->events.list,
                      .events_count = told ? shared->events.count : 0,
                      .code = "",
                      .number = sim->ply + 1,
                      .clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, POSITION_NO_TIME},
                      .form = PROTO_FORM_JSON,
                      .words = true};
}

/* Writes the whole position. */
static void write_position(void *owner, MashText *text) {
    Telling *telling = owner;
    position_write(&telling->position, telling->memory, text);
}

/* Writes the list of actions. */
static void write_actions(void *owner, MashText *text) {
    Telling *telling = owner;
    JsonWriter writer = json_writer(text, 0);
    position_write_actions(&telling->position, telling->memory, &writer);
}

/* What to write a position from. False: no memory, or it is another seat's view. */
static bool tell(MashSim *sim, uint32_t seat, Telling *out) {
    SimShared *shared = sim->shared;
    const void *view = sim_view(sim, seat);
    *out = (Telling){
        .memory = sim_memory_once(&shared->position_memory, position_bytes(shared->content))};
    if (view == NULL || out->memory == NULL)
        return false;
    out->position = position_of(sim, view, seat);
    return true;
}

const char *mash_sim_position(MashSim *sim, uint32_t seat) {
    Telling telling;
    return tell(sim, seat, &telling) ? sim_text(sim->shared, write_position, &telling) : NULL;
}

const char *sim_actions_text(MashSim *sim, uint32_t seat) {
    Telling telling;
    return tell(sim, seat, &telling) ? sim_text(sim->shared, write_actions, &telling) : NULL;
}

/* Writes the list of events. */
static void write_events(void *owner, MashText *text) {
    Telling *telling = owner;
    JsonWriter writer = json_writer(text, 0);
    position_write_events(&telling->position, &writer);
}

const char *mash_sim_events(MashSim *sim, uint32_t seat) {
    Telling telling;
    return tell(sim, seat, &telling) ? sim_text(sim->shared, write_events, &telling) : NULL;
}

/* --- Actions ---------------------------------------------------------------------------------- */

/* Writes the preview. */
static void write_preview(void *owner, MashText *text) {
    const Telling *telling = owner;
    PreviewWords words = {telling->position.content, NULL, NULL};
    JsonWriter writer = json_writer(text, 0);
    preview_write(telling->preview, &words, telling->action, &writer);
}

const char *mash_sim_preview(MashSim *sim, uint64_t number, uint32_t samples) {
    SimShared *shared = sim->shared;
    MashAction action = sim_action(number);
    if (samples < 1 || samples > SAMPLES_MAX)
        return sim_error("samples are 1 to %d", SAMPLES_MAX), NULL;
    if (action.seat >= MASH_SEATS)
        return sim_error("seats are 0 and 1"), NULL;
    const void *view = sim_view(sim, action.seat);
    void *memory = sim_memory_once(&shared->preview_memory,
                                   align_16(sizeof(Preview)) + preview_bytes(shared->content));
    if (view == NULL || memory == NULL)
        return NULL;
    Preview *preview = memory;
    MashStatus status = preview_action(shared->content, view, action, samples,
                                       (uint8_t *)memory + align_16(sizeof(Preview)), preview);
    if (status != MASH_OK)
        return sim_error_status(status), NULL;
    Telling telling = {
        .position = {.content = shared->content}, .preview = preview, .action = action};
    return sim_text(shared, write_preview, &telling);
}

/* Writes one action with the names of its verb and its notation. */
static void write_action(void *owner, MashText *text) {
    const Telling *telling = owner;
    const MashContent *content = telling->position.content;
    MashAction action = telling->action;
    char word_bytes[WORD_BYTES], name_bytes[WORD_BYTES];
    MashText word = text_over(word_bytes, WORD_BYTES), name = text_over(name_bytes, WORD_BYTES);
    const char *id = content->game->id_of(content, MASH_NAME_VERB, action.verb);
    if (content->game->check(content, telling->position.view, action) == MASH_OK)
        content->game->notation(content, telling->position.view, action, &word);
    if (id != NULL)
        content->game->name(content, NULL, MASH_NAME_VERB, action.verb, &name);
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    JSON_PUT_INTS(&writer, {"verb", action.verb}, {"seat", action.seat}, {"unit", action.unit},
                  {"ability", action.ability}, {"x", action.x}, {"y", action.y},
                  {"other", action.other}, {"amount", action.amount});
    json_put_pair(&writer, "id", id == NULL ? "" : id);
    json_put_pair(&writer, "name", name_bytes);
    json_put_pair(&writer, "word", word_bytes);
    json_close(&writer, '}');
}

const char *mash_sim_describe(MashSim *sim, uint64_t number) {
    Telling telling = {.position = {.content = sim->shared->content, .view = sim->state},
                       .action = sim_action(number)};
    return sim_text(sim->shared, write_action, &telling);
}
