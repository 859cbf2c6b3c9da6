/* walk_queries.c -- where a unit of the current view's seat can go, how it can hit an enemy out of
 * reach (match/walk.h), and where the enemy may hit it (match/threat.h), as JSON. */
#include "match/walk.h"

#include "base/json.h"
#include "match/threat.h"
#include "wasm/instance.h"

static Walk walk;

/* The notation of an action, after a key if there is one. */
static void put_word(JsonWriter *writer, const char *key, MashAction action) {
    char memory[WORD_BYTES];
    MashText word = text_over(memory, sizeof memory);
    instance.game->notation(instance.content, instance.view.view, action, &word);
    if (key != NULL)
        json_put_key(writer, key);
    json_put_string(writer, memory);
}

/* One cell with the last step to it. */
static void put_node(JsonWriter *writer, const WalkNode *node) {
    json_open(writer, '{');
    JSON_PUT_INTS(writer, {"x", node->x}, {"y", node->y}, {"from", node->from},
                  {"steps", node->steps}, {"loss", node->loss});
    if (node->steps > 0)
        put_word(writer, "word", node->action);
    json_open_list(writer, "kinds");
    for (uint8_t kind = 0; kind < MASH_EVENT_KINDS; kind++)
        if ((node->event_kinds >> kind & 1) != 0)
            json_put_string(writer, mash_event_id(kind));
    json_close(writer, ']');
    json_close(writer, '}');
}

/* Searches for the unit; false: there is nothing to search. */
static bool search(uint32_t unit) {
    return instance.view.there && instance.view.seat < MASH_SEATS &&
           unit < instance.content->limits.units &&
           walk_search(&walk, instance.content, instance.view.view, instance.view.seat,
                       (uint8_t)unit, instance.walk_memory);
}

/* All cells that the unit can go to, step by step, the first where it stands: each with the number
 * of the cell before it. Empty: it is not on the board, or nobody's view is set. */
EXPORT(uint32_t, walk, (uint32_t unit)) {
    instance_text_begin();
    if (!search(unit))
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < walk.nodes_count; i++)
        put_node(&writer, &walk.nodes[i]);
    json_close(&writer, ']');
    return instance_text_end();
}

/* The actions by which the unit hits the enemy after as few steps as possible. Empty: it cannot. */
EXPORT(uint32_t, walk_attack, (uint32_t unit, uint32_t enemy)) {
    MashAction path[WALK_STEPS_MAX + 1];
    instance_text_begin();
    uint32_t count = search(unit) && enemy < instance.content->limits.units
                         ? walk_attack(&walk, (uint8_t)enemy, path)
                         : 0;
    if (count == 0)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < count; i++)
        put_word(&writer, NULL, path[i]);
    json_close(&writer, ']');
    return instance_text_end();
}

/* For each cell, row by row, the most health that a unit of the current view's seat standing there
 * may lose in the enemy's next turn (match/threat.h), as a JSON list: from one enemy, or from all
 * (MASH_UNIT_NONE). -1: it could not be found out. Empty: nobody's view is set. */
EXPORT(uint32_t, threat, (uint32_t unit)) {
    instance_text_begin();
    if (!instance.view.there || instance.view.seat >= MASH_SEATS)
        return 0;
    const MashLimits *limits = &instance.content->limits;
    threat_map(instance.content, instance.view.view, instance.view.seat, (uint8_t)unit,
               instance.threat_memory, instance.threat);
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < (uint32_t)limits->width * limits->height; i++)
        json_put_int(&writer, instance.threat[i] == THREAT_UNKNOWN ? -1 : instance.threat[i]);
    json_close(&writer, ']');
    return instance_text_end();
}

/* Is this action allowed to the seat of the current view now? A MashStatus. */
EXPORT(uint32_t, check, (uint32_t low, uint32_t high)) {
    if (!instance.view.there || instance.view.seat >= MASH_SEATS)
        return MASH_NOT_A_SEAT;
    MashAction action = instance_action(low, high);
    action.seat = instance.view.seat;
    return instance.game->check(instance.content, instance.view.view, action);
}

/* The id of a status. */
EXPORT(uint32_t, status_id, (uint32_t status)) {
    instance_text_begin();
    if (status < MASH_STATUS_COUNT)
        text_string(&instance.text, mash_status_id((MashStatus)status));
    return instance.text.count;
}
