/* write.c -- see standard/wire.h: writing by the lists. */
#include "standard/wire.h"

#include <string.h>

enum { SECONDS_MAX = 86400 };

/* A cell as [x, y]. */
static void put_field(JsonWriter *writer, const StandardField *field) {
    json_open(writer, '[');
    json_put_int(writer, field->x);
    json_put_int(writer, field->y);
    json_close(writer, ']');
}

/* An entity by its group and number. */
static void put_ref(JsonWriter *writer, const StandardRef *ref) {
    json_open(writer, '{');
    json_put_pair(writer, "entityID", standard_group(ref->group));
    json_put_pair_int(writer, "ID", ref->id);
    json_close(writer, '}');
}

/* The numbers of the stones that a unit carries; bit i of `stones` is stone i. */
static void put_stones(JsonWriter *writer, uint32_t stones) {
    json_put_key(writer, "stones");
    json_open(writer, '[');
    for (int32_t i = 0; i < STANDARD_STONES; i++)
        if (stones >> i & 1)
            json_put_int(writer, i);
    json_close(writer, ']');
}

/* Each type has keys of its own. */
static void put_entity(JsonWriter *writer, const StandardEntity *entity) {
    json_open(writer, '{');
    json_put_pair(writer, "entityType", standard_entity(entity->type));
    if (entity->type == STANDARD_ENTITY_CHARACTER) {
        json_put_pair(writer, "name", entity->name);
        json_put_pair_int(writer, "PID", entity->player);
    }
    json_put_pair_int(writer, "ID", entity->id);
    if (entity->type == STANDARD_ENTITY_CHARACTER || entity->type == STANDARD_ENTITY_ROCK)
        json_put_pair_int(writer, "HP", entity->health);
    if (entity->type == STANDARD_ENTITY_CHARACTER || entity->type == STANDARD_ENTITY_NPC)
        json_put_pair_int(writer, "MP", entity->moves);
    if (entity->type == STANDARD_ENTITY_CHARACTER)
        json_put_pair_int(writer, "AP", entity->actions);
    if (entity->type == STANDARD_ENTITY_CHARACTER || entity->type == STANDARD_ENTITY_NPC)
        put_stones(writer, entity->stones);
    json_put_key(writer, "position");
    put_field(writer, &entity->field);
    json_close(writer, '}');
}

/* An array of entities of a state, or of references to them; one of the two is NULL. */
static void put_all(JsonWriter *writer, const StandardEntities *entities,
                    const StandardRefs *refs) {
    json_open(writer, '[');
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++)
        put_entity(writer, &entities->list[i]);
    for (uint32_t i = 0; refs != NULL && i < refs->count; i++)
        put_ref(writer, &refs->list[i]);
    json_close(writer, ']');
}

/* The number at an offset. */
static int32_t number_at(const void *from, size_t offset) {
    int32_t number;
    memcpy(&number, (const char *)from + offset, sizeof number);
    return number;
}

/* Heroes of an offer. */
static void put_heroes(JsonWriter *writer, const StandardCharacters *heroes) {
    static const struct {
        const char *key;
        size_t member;
    } numbers[] = {{"HP", offsetof(StandardCharacter, health)},
                   {"MP", offsetof(StandardCharacter, moves)},
                   {"AP", offsetof(StandardCharacter, actions)},
                   {"meleeDamage", offsetof(StandardCharacter, melee)},
                   {"rangeCombatDamage", offsetof(StandardCharacter, ranged)},
                   {"rangeCombatReach", offsetof(StandardCharacter, reach)}};
    json_open(writer, '[');
    for (uint32_t at = 0; at < heroes->count; at++) {
        const StandardCharacter *hero = &heroes->list[at];
        json_open(writer, '{');
        json_put_pair_int(writer, "characterID", hero->number);
        json_put_pair(writer, "name", hero->name);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            json_put_pair_int(writer, numbers[i].key, number_at(hero, numbers[i].member));
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* For each one offered, whether it was chosen; bit i of `truths` is the ith. */
static void put_truths(JsonWriter *writer, uint32_t truths) {
    json_open(writer, '[');
    for (uint32_t i = 0; i < STANDARD_OFFERED; i++)
        json_put_bool(writer, (truths >> i & 1) != 0);
    json_close(writer, ']');
}

/* A number for each stone. */
static void put_numbers(JsonWriter *writer, const int32_t *numbers) {
    json_open(writer, '[');
    for (uint32_t i = 0; i < STANDARD_STONES; i++)
        json_put_int(writer, numbers[i]);
    json_close(writer, ']');
}

/* Writes a part that is JSON already. */
static void put_json(JsonWriter *writer, const StandardJson *json) {
    json_put_raw(writer, json->bytes, json->count);
}

/* A value by its kind, which also determines what `member` points to. */
static void put_value(JsonWriter *writer, StandardKind kind, const void *member) {
    switch (kind) {
    case STANDARD_TEXT:
        json_put_string(writer, *(const char *const *)member);
        break;
    case STANDARD_BOOL:
        json_put_bool(writer, *(const bool *)member);
        break;
    case STANDARD_INT:
        json_put_int(writer, *(const int32_t *)member);
        break;
    case STANDARD_ROLE:
        json_put_string(writer, standard_role(*(const uint8_t *)member));
        break;
    case STANDARD_ASSIGNMENT:
        json_put_string(writer, standard_assignment(*(const uint8_t *)member));
        break;
    case STANDARD_CELL:
        put_field(writer, member);
        break;
    case STANDARD_REF:
        put_ref(writer, member);
        break;
    case STANDARD_REFS:
        put_all(writer, NULL, member);
        break;
    case STANDARD_ENTITY_OBJECT:
        put_entity(writer, member);
        break;
    case STANDARD_ENTITY_OBJECTS:
        put_all(writer, member, NULL);
        break;
    case STANDARD_BOOLS:
        put_truths(writer, *(const uint32_t *)member);
        break;
    case STANDARD_HEROES:
        put_heroes(writer, member);
        break;
    case STANDARD_CONFIG:
        put_json(writer, member);
        break;
    case STANDARD_INTS:
        put_numbers(writer, member);
        break;
    case STANDARD_ANY:
        json_put_null(writer);
        break;
    }
}

/* An optional key for an entity of a group is omitted when `given` lacks it; numbers are always
 * written, because some programs require them. */
static bool left_out(const StandardMessage *message, const StandardKey *key, uint32_t place) {
    return !key->required && key->kind == STANDARD_REF && !(message->present >> place & 1);
}

/* Is the member of each of a list, an int32_t, one of the numbers below `most`? */
static bool numbers_fit(const void *list, uint32_t count, size_t bytes, size_t member,
                        int32_t most) {
    for (uint32_t i = 0; i < count; i++) {
        int32_t number = number_at(list, i * bytes + member);
        if (number < 0 || number >= most)
            return false;
    }
    return true;
}

/* Do all ids belong to existing groups? */
static bool refs_fit(const StandardRef *refs, uint32_t count) {
    return numbers_fit(refs, count, sizeof *refs, offsetof(StandardRef, group),
                       STANDARD_GROUP_COUNT);
}

/* Are all of existing types? */
static bool entities_fit(const StandardEntity *entities, uint32_t count) {
    return numbers_fit(entities, count, sizeof *entities, offsetof(StandardEntity, type),
                       STANDARD_ENTITY_COUNT);
}

/* A time is at most one day. */
static bool whole_fits(const StandardKey *key, int32_t number) {
    return strcmp(key->key, "timeLeft") != 0 || (number >= 0 && number <= SECONDS_MAX);
}

/* Can the value be written so that a reader of the standard accepts it? */
static bool value_fits(const StandardKey *key, const void *member) {
    switch (key->kind) {
    case STANDARD_INT:
        return whole_fits(key, *(const int32_t *)member);
    case STANDARD_ROLE:
        return *(const uint8_t *)member < STANDARD_ROLE_COUNT;
    case STANDARD_ASSIGNMENT:
        return *(const uint8_t *)member < STANDARD_ASSIGNMENT_COUNT;
    case STANDARD_REF:
        return refs_fit(member, 1);
    case STANDARD_REFS:
        return refs_fit(((const StandardRefs *)member)->list,
                        ((const StandardRefs *)member)->count);
    case STANDARD_ENTITY_OBJECT:
        return entities_fit(member, 1);
    case STANDARD_ENTITY_OBJECTS:
        return entities_fit(((const StandardEntities *)member)->list,
                            ((const StandardEntities *)member)->count);
    default:
        return true;
    }
}

bool standard_fits(const StandardMessage *message) {
    uint32_t count;
    const StandardRow *rows = standard_rows(message->list, &count);
    if (message->row >= count)
        return false;
    const StandardRow *row = &rows[message->row];
    for (uint32_t i = 0; i < row->keys_count; i++)
        if (!left_out(message, &row->keys[i], i) &&
            !value_fits(&row->keys[i], (const char *)message + row->keys[i].member))
            return false;
    return true;
}

void standard_write(const StandardMessage *message, MashText *text) {
    uint32_t count;
    const StandardRow *row = standard_rows(message->list, &count) + message->row;
    JsonWriter writer = json_writer(text, 0);
    assert(message->row < count);
    json_open(&writer, '{');
    json_put_pair(&writer, standard_type_key(message->list), row->word);
    for (uint32_t i = 0; i < row->keys_count; i++) {
        const StandardKey *key = &row->keys[i];
        if (left_out(message, key, i))
            continue;
        json_put_key(&writer, key->key);
        put_value(&writer, key->kind, (const char *)message + key->member);
    }
    json_close(&writer, '}');
}
