/* replay.c -- a match recorded by a server of a network standard, for viewing on the page.
 *
 * Such a file holds the messages to a spectator, not the actions, so it is read as by a client: the
 * game's adapter turns messages into engine states. Every whole state is kept, and any of them can
 * be shown. Such files are long, so they are read in pieces. */
#include <string.h>

#include "base/json.h"
#include "standard/adapter.h"
#include "wasm/instance.h"

enum { NODES_MAX = 1 << 19, MESSAGES_MAX = 1 << 18 };

/* One position: its state, and the events that led to it. */
typedef struct RecordedFrame {
    void *state;
    MashEvent *events;
    uint32_t events_count;
} RecordedFrame;

static RecordedFrame *frames;
static uint32_t frames_count, frames_max;

/* The context of reading. */
typedef struct RecordingReader {
    Json json;
    JsonNode *nodes; /* of the piece being read; shared by all */
    const StandardClientAdapter *adapter;
    StandardClientState *known;
    void *state;
    MashEvents events;
    MashProblems *problems;
} RecordingReader;
static RecordingReader ear;

/* The game of the standard and its adapter. */
static bool choose_game(RecordingReader *listener) {
    instance.game = standard_game();
    listener->adapter = instance.game == NULL ? NULL : standard_client_adapter(instance.game);
    return listener->adapter != NULL;
}

/* Takes the content from the message that contains it. */
static bool read_structure(RecordingReader *listener, uint32_t message) {
    MashDocuments documents = {.scratch = instance_take(MASH_SCRATCH_BYTES),
                               .scratch_bytes = MASH_SCRATCH_BYTES};
    listener->known = instance_take(listener->adapter->bytes);
    instance.content = instance_take(instance.game->content_bytes_max);
    if (documents.scratch == NULL || listener->known == NULL || instance.content == NULL ||
        !listener->adapter->content_in(&listener->json, message, &documents, listener->known,
                                       instance.content, listener->problems) ||
        !instance_take_scratch())
        return false;
    listener->known->seat = MASH_SEAT_NONE;
    listener->state = instance_take(instance.content->limits.state_bytes);
    listener->events = (MashEvents){.list = instance_take(INSTANCE_EVENTS_MAX * sizeof(MashEvent)),
                                    .max = INSTANCE_EVENTS_MAX};
    if (listener->state == NULL || listener->events.list == NULL)
        return false;
    listener->adapter->state_begin(instance.content, listener->known, listener->state);
    return true;
}

/* Stores the position that is now complete. */
static void keep(RecordingReader *listener) {
    uint32_t bytes = instance.content->limits.state_bytes, count = listener->events.count;
    RecordedFrame frame = {instance_take(bytes), instance_take(count * sizeof(MashEvent) + 1),
                           count};
    if (frame.state == NULL || frame.events == NULL || frames_count == frames_max)
        return;
    memcpy(frame.state, listener->state, bytes);
    memcpy(frame.events, listener->events.list, count * sizeof(MashEvent));
    frames[frames_count++] = frame;
    listener->events.count = 0;
}

/* Processes one event of the file, and stores the position if it is a whole state. */
static void read_event(RecordingReader *listener, uint32_t event) {
    if (listener->state != NULL &&
        listener->adapter->event_in(instance.content, listener->known, &listener->json, event,
                                    listener->state, &listener->events))
        keep(listener);
}

/* One message: content, a bundle of events, or a bare event. False: its content is invalid. */
static bool read_message(RecordingReader *listener, uint32_t message) {
    const Json *json = &listener->json;
    uint32_t type = json_member(json, message, "messageType");
    uint32_t bundle = json_member(json, message, "messages");
    if (type != JSON_NONE && json_equals(json, type, "GAME_STRUCTURE"))
        return listener->state != NULL || read_structure(listener, message);
    if (bundle == JSON_NONE)
        read_event(listener, message);
    for (uint32_t event = bundle == JSON_NONE ? JSON_NONE : json_first(json, bundle);
         event != JSON_NONE; event = json->nodes[event].next)
        read_event(listener, event);
    return true;
}

/* Reads one piece of the file. */
static bool read_piece(RecordingReader *listener, const MashDocument *piece) {
    if (!json_read(&listener->json, piece->name, piece->bytes, piece->count, listener->nodes,
                   NODES_MAX, listener->problems))
        return false;
    uint32_t messages =
        json_expect_member(&listener->json, 0, "events", JSON_ARRAY, listener->problems);
    for (uint32_t message = messages == JSON_NONE ? JSON_NONE
                                                  : json_first(&listener->json, messages);
         message != JSON_NONE; message = listener->json.nodes[message].next)
        if (!read_message(listener, message))
            return false;
    return messages != JSON_NONE;
}

/* Begins reading a file of a network standard with this many messages. 1 = ready. */
EXPORT(uint32_t, recording_begin, (uint32_t messages)) {
    instance_reset();
    memset(&instance, 0, sizeof instance);
    memset(&ear, 0, sizeof ear);
    frames_count = 0;
    frames_max = messages;
    if (messages > MESSAGES_MAX || !choose_game(&ear))
        return 0;
    frames = instance_take((messages + 1) * sizeof *frames);
    ear.nodes = instance_take(NODES_MAX * sizeof *ear.nodes);
    return frames != NULL && ear.nodes != NULL;
}

/* Reads the next piece, an object with `events`, that was written to input_at() (the file's name, a
 * NUL, the bytes). 1 = read; otherwise the text is a JSON list of problems. */
EXPORT(uint32_t, recording_add, (uint32_t name_count, uint32_t bytes_count)) {
    static MashProblem problem_list[INSTANCE_PROBLEMS_MAX];
    MashProblems problems = {.list = problem_list, .max = INSTANCE_PROBLEMS_MAX};
    MashDocument piece;
    instance_text_begin();
    if (ear.nodes == NULL || !instance_input(name_count, bytes_count, &piece))
        return 0;
    ear.problems = &problems;
    bool good = read_piece(&ear, &piece);
    ear.problems = NULL;
    if (good)
        return 1;
    instance_put_problems(&problems);
    return 0;
}

/* How many positions have been read so far. */
EXPORT(uint32_t, recording_count, (void)) { return frames_count; }

/* Loads position number `index` of that file, with the events that led to it. 1 = loaded. */
EXPORT(uint32_t, recording_goto, (uint32_t index)) {
    if (instance.content == NULL || index >= frames_count)
        return 0;
    const RecordedFrame *frame = &frames[index];
    SeatView *view = &instance.view;
    view->seat = MASH_SEAT_SPECTATOR;
    memcpy(view->view, frame->state, instance.content->limits.state_bytes);
    memcpy(view->events, frame->events, frame->events_count * sizeof(MashEvent));
    view->events_count = frame->events_count;
    view->there = true;
    return 1;
}
