/* fuzz_apply.c -- any bytes as a match: they choose game, preset, options and seed, then actions.
 *
 * Byte 0 game, 1 preset, 2 seed, 3 how many options follow (one byte each), then actions: an even
 * byte and another choose from the list of an awaited seat, an odd byte is followed by the eight
 * bytes of any action. A refused action must change nothing, check() must agree with apply() on the
 * state and on the acting seat's view, and lists must be the same on both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/mashup.h"

enum { CONTENTS_MAX = 64, WISHES_MAX = 2000 };

/* A loaded content and memory for a match of it; made once. */
typedef struct Room {
    const MashGame *game;
    uint32_t preset;
    MashContent *content;
    void *state, *copy, *view;
    MashAction *list, *other_list;
    MashEvents events;
} Room;

/* The input and how much of it is used. */
typedef struct FuzzInput {
    const uint8_t *bytes;
    size_t count, used;
} FuzzInput;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void must(bool holds, const char *what, const Room *room) {
    if (holds)
        return;
    fprintf(stderr, "%s, preset %s: %s\n", room->game->id, room->game->presets[room->preset].id,
            what);
    abort();
}

static uint8_t take(FuzzInput *input) {
    return input->used < input->count ? input->bytes[input->used++] : 0;
}

/* --- Contents --------------------------------------------------------------------------------- */

static void *memory_of(size_t bytes) {
    size_t rounded = (bytes + 15) / 16 * 16;
    void *memory = aligned_alloc(16, rounded);
    if (memory == NULL)
        abort();
    return memset(memory, 0, rounded);
}

static MashContent *load(const MashGame *game, uint32_t preset) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    uint32_t count = mash_documents_of_preset(game, game->presets[preset].id, list);
    void *scratch = memory_of(MASH_SCRATCH_BYTES);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    MashContent *content = memory_of(game->content_bytes_max);
    if (!game->load(&documents, content, &problems))
        abort();
    free(scratch);
    return content;
}

static void open_room(Room *room, const MashGame *game, uint32_t preset) {
    MashContent *content = load(game, preset);
    const MashLimits *limits = &content->limits;
    *room = (Room){.game = game, .preset = preset, .content = content};
    room->state = memory_of(limits->state_bytes);
    room->copy = memory_of(limits->state_bytes);
    room->view = memory_of(limits->state_bytes);
    room->list = memory_of(limits->actions_max * sizeof *room->list);
    room->other_list = memory_of(limits->actions_max * sizeof *room->list);
    room->events.list = memory_of(limits->events_max * sizeof *room->events.list);
    room->events.max = limits->events_max;
}

static Room *room_of(const MashGame *game, uint32_t preset) {
    static Room rooms[CONTENTS_MAX];
    uint32_t i = 0;
    while (i < CONTENTS_MAX - 1 && rooms[i].game != NULL &&
           (rooms[i].game != game || rooms[i].preset != preset))
        i++;
    if (rooms[i].game == NULL)
        open_room(&rooms[i], game, preset);
    return &rooms[i];
}

/* --- Actions ---------------------------------------------------------------------------------- */

static void make_view(Room *room, uint8_t seat) {
    memcpy(room->view, room->state, room->content->limits.state_bytes);
    room->game->hide(room->content, room->view, seat);
}

/* The next action of the input; lists are compared on the way. */
static MashAction next_action(Room *room, FuzzInput *input) {
    MashAction action = {0};
    uint8_t first = take(input);
    if (first & 1) {
        uint8_t bytes[sizeof action];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = take(input);
        memcpy(&action, bytes, sizeof action);
        return action;
    }
    uint32_t awaited = room->game->awaited(room->content, room->state);
    if (awaited == 0)
        return action;
    uint8_t seat = awaited == 3 ? first >> 1 & 1 : awaited == 2;
    uint32_t count = room->game->actions(room->content, room->state, seat, room->list);
    must(count > 0 && count <= room->content->limits.actions_max, "no list or too long", room);
    make_view(room, seat);
    must(room->game->actions(room->content, room->view, seat, room->other_list) == count &&
             memcmp(room->list, room->other_list, count * sizeof action) == 0,
         "other lists on state and view", room);
    return room->list[((uint32_t)take(input) << 6 | first >> 2) % count];
}

static void try_action(Room *room, MashAction action, MashSeed seed, uint32_t number) {
    uint32_t bytes = room->content->limits.state_bytes;
    MashStatus judged = room->game->check(room->content, room->state, action);
    if (action.seat < MASH_SEATS) {
        make_view(room, action.seat);
        must(room->game->check(room->content, room->view, action) == judged,
             "check() answers otherwise on the view", room);
    }
    MashChance chance = chance_seeded(seed, number);
    memcpy(room->copy, room->state, bytes);
    room->events.count = 0;
    MashStatus status = mash_apply(room->content, room->state, action, &chance, &room->events);
    must(status == judged, "apply() answers otherwise than check()", room);
    must(status < MASH_STATUS_COUNT, "no such status", room);
    must(room->events.count <= room->content->limits.events_max, "too many events", room);
    if (status == MASH_OK)
        return;
    must(memcmp(room->copy, room->state, bytes) == 0, "a refused action changed the state", room);
    must(room->events.count == 0, "a refused action has events", room);
}

/* Options within and beyond their ranges. */
static MashStatus set_up(Room *room, FuzzInput *input, MashSeed seed) {
    int32_t options[MASH_OPTIONS_MAX + 1];
    uint32_t count = take(input) % (MASH_OPTIONS_MAX + 2);
    for (uint32_t i = 0; i < count; i++)
        options[i] = (int8_t)take(input);
    MashSetup setup = {.options = options, .options_count = count};
    MashChance chance = chance_seeded(seed, 0);
    return room->game->setup(room->content, &setup, &chance, room->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    FuzzInput input = {.bytes = bytes, .count = count};
    uint32_t games = 0;
    while (mash_games[games] != NULL)
        games++;
    if (games == 0)
        return 0;
    const MashGame *game = mash_games[take(&input) % games];
    Room *room = room_of(game, take(&input) % game->presets_count);
    MashSeed seed = {{take(&input), 0}};
    if (set_up(room, &input, seed) != MASH_OK)
        return 0;
    for (uint32_t number = 1; number <= WISHES_MAX && input.used < input.count; number++)
        try_action(room, next_action(room, &input), seed, number);
    must(room->game->result(room->content, room->state).over ==
             (room->game->awaited(room->content, room->state) == 0),
         "over, or awaited", room);
    return 0;
}
