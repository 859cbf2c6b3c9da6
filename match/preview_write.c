/* preview_write.c -- see preview_write.h. */
#include "match/preview_write.h"

enum { WORD_BYTES = 128, SENTENCE_BYTES = 513 };

/* A name of the game's, after a key if there is one. */
static void put_name(JsonWriter *writer, const PreviewWords *words, const char *key, MashNames list,
                     uint8_t index) {
    char memory[WORD_BYTES];
    MashText text = text_over(memory, sizeof memory);
    words->content->game->name(words->content, words->texts, list, index, &text);
    if (key != NULL)
        json_put_key(writer, key);
    json_put_string(writer, memory);
}

/* The id of an entry, after a key if there is one. */
static void put_id(JsonWriter *writer, const PreviewWords *words, const char *key, MashNames list,
                   uint8_t index) {
    const char *id = words->content->game->id_of(words->content, list, index);
    if (key != NULL)
        json_put_key(writer, key);
    json_put_string(writer, id == NULL ? "" : id);
}

/* A key and two numbers as [x, y]. */
static void put_pair(JsonWriter *writer, const char *key, int32_t x, int32_t y) {
    json_open_list(writer, key);
    json_put_int(writer, x);
    json_put_int(writer, y);
    json_close(writer, ']');
}

void preview_open_event(const PreviewWords *words, const void *state, const MashEvent *event,
                        JsonWriter *writer) {
    char memory[SENTENCE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    mash_event_say(words->content, words->texts, state, event, words->called, &text);
    json_open(writer, '{');
    json_put_pair(writer, "kind", mash_event_id(event->kind));
    JSON_PUT_INTS(writer, {"unit", event->unit}, {"other", event->other});
    put_pair(writer, "from", event->from_x, event->from_y);
    put_pair(writer, "at", event->x, event->y);
    JSON_PUT_INTS(writer, {"amount", event->amount}, {"what", event->what});
    MashNames list = mash_event_list(words->content->game, event);
    if (list != MASH_NAME_NONE)
        put_id(writer, words, "what_id", list, event->what);
    json_put_pair(writer, "text", memory);
}

/* A key and all events of the first outcome that the seat may see, each with how likely it is. */
static void put_events(JsonWriter *writer, const PreviewWords *words, const Preview *preview,
                       uint8_t seat) {
    json_open_list(writer, "events");
    for (uint32_t i = 0; i < preview->events.count; i++) {
        if (!mash_event_seen(&preview->events.list[i], seat))
            continue;
        preview_open_event(words, preview->after, &preview->events.list[i], writer);
        json_put_pair_int(writer, "happens", preview->happens[i]);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* A key and each unit that loses or gains health or falls. */
static void put_units(JsonWriter *writer, const Preview *preview) {
    json_open_list(writer, "units");
    for (uint32_t i = 0; i < preview->units_count; i++) {
        const PreviewUnit *unit = &preview->units[i];
        json_open(writer, '{');
        json_put_pair_int(writer, "unit", unit->unit);
        if (unit->has_health)
            JSON_PUT_INTS(writer, {"before", unit->before}, {"least", unit->least},
                          {"most", unit->most}, {"mean", unit->mean});
        json_put_pair_int(writer, "dies", unit->dies);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* The same meter on a board, or NULL. */
static const MashMeter *meter_on(const MashBoard *board, const MashMeter *meter) {
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *other = &board->meters[i];
        if (other->unit == meter->unit && other->meter == meter->meter &&
            other->about == meter->about && other->about_list == meter->about_list)
            return other;
    }
    return NULL;
}

/* By how much a meter changes; from one sample, so minimum and maximum are the same. */
static void put_change(JsonWriter *writer, const PreviewWords *words, const MashMeter *meter,
                       int32_t by) {
    json_open(writer, '{');
    if (meter->unit < MASH_UNIT_SIDE)
        json_put_pair_int(writer, "unit", meter->unit);
    else
        json_put_pair_int(writer, "side", meter->unit - MASH_UNIT_SIDE);
    put_name(writer, words, "name", MASH_NAME_METER, meter->meter);
    put_id(writer, words, "id", MASH_NAME_METER, meter->meter);
    json_put_pair(writer, "role", mash_role_id(meter->role));
    json_put_pair_int(writer, "index", meter->about);
    if (meter->about_list != 0) {
        json_open_list(writer, "about");
        put_name(writer, words, NULL, (MashNames)(meter->about_list - 1), meter->about);
        json_close(writer, ']');
        json_open_list(writer, "about_ids");
        put_id(writer, words, NULL, (MashNames)(meter->about_list - 1), meter->about);
        json_close(writer, ']');
    }
    JSON_PUT_INTS(writer, {"least", by}, {"most", by});
    json_close(writer, '}');
}

/* Meters of the acting unit and its team that differ after the first outcome: the cost of an action
 * does not depend on chance. */
static void put_changes(JsonWriter *writer, const PreviewWords *words, const Preview *preview,
                        MashAction action) {
    json_open_list(writer, "changes");
    for (uint32_t i = 0; i < preview->was.meters_count; i++) {
        const MashMeter *before = &preview->was.meters[i];
        const MashMeter *after = meter_on(&preview->then, before);
        bool own = before->unit == action.unit || before->unit == MASH_UNIT_SIDE + action.seat;
        bool set = before->about_set;
        if (own && !set && after != NULL && after->now != before->now)
            put_change(writer, words, before, after->now - before->now);
    }
    json_close(writer, ']');
}

void preview_write(const Preview *preview, const PreviewWords *words, MashAction action,
                   JsonWriter *writer) {
    json_open(writer, '{');
    json_put_pair_bool(writer, "sampled", preview->sampled);
    JSON_PUT_INTS(writer, {"outcomes", preview->outcomes}, {"wins", preview->wins},
                  {"loses", preview->loses});
    put_events(writer, words, preview, action.seat);
    put_units(writer, preview);
    put_changes(writer, words, preview, action);
    json_close(writer, '}');
}
