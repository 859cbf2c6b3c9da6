/* read.c -- see standard/wire.h: the lists as tables, and reading by them. */
#include "standard/wire.h"

#include <string.h>

/* --- The lists -------------------------------------------------------------------------------- */

#define REQUIRED true
#define OPTIONAL false
#define KEY(kind_, key_, member_, need_)                                                           \
    {STANDARD_##kind_, key_, (uint32_t)offsetof(StandardMessage, member_), need_},
/* One array of keys for each row; the last entry is never counted, so that none is empty. */
#define KEYS(prefix, name, keys)                                                                   \
    static const StandardKey prefix##name[] = {keys(KEY){STANDARD_ANY, NULL, 0, false}};
#define MESSAGE_KEYS(name, word, from, keys) KEYS(message_, name, keys)
#define EVENT_KEYS(name, word, from, keys)   KEYS(event_, name, keys)
#define REQUEST_KEYS(name, word, from, keys) KEYS(request_, name, keys)
STANDARD_MESSAGES(MESSAGE_KEYS)
STANDARD_EVENTS(EVENT_KEYS)
STANDARD_REQUESTS(REQUEST_KEYS)

#define ROW(prefix, name, word, from)                                                              \
    {word, STANDARD_FROM_##from, prefix##name, sizeof prefix##name / sizeof *prefix##name - 1},
#define MESSAGE_ROW(name, word, from, keys) ROW(message_, name, word, from)
#define EVENT_ROW(name, word, from, keys)   ROW(event_, name, word, from)
#define REQUEST_ROW(name, word, from, keys) ROW(request_, name, word, from)
static const StandardRow messages[] = {STANDARD_MESSAGES(MESSAGE_ROW)};
static const StandardRow events[] = {STANDARD_EVENTS(EVENT_ROW)};
static const StandardRow requests[] = {STANDARD_REQUESTS(REQUEST_ROW)};

const StandardRow *standard_rows(uint8_t list, uint32_t *count) {
    static const struct {
        const StandardRow *rows;
        uint32_t count;
    } lists[STANDARD_LISTS] = {{messages, STANDARD_MESSAGE_COUNT},
                               {events, STANDARD_EVENT_COUNT},
                               {requests, STANDARD_REQUEST_COUNT}};
    assert(list < STANDARD_LISTS);
    *count = lists[list].count;
    return lists[list].rows;
}

const char *standard_type_key(uint8_t list) {
    static const char *const keys[STANDARD_LISTS] = {"messageType", "eventType", "requestType"};
    assert(list < STANDARD_LISTS);
    return keys[list];
}

#define WORD(name, word) word,
static const char *const groups[] = {STANDARD_GROUPS(WORD)};
static const char *const entities[] = {STANDARD_ENTITIES(WORD)};
static const char *const roles[] = {STANDARD_ROLES(WORD)};
static const char *const assignments[] = {STANDARD_ASSIGNMENTS(WORD)};

const char *standard_group(int32_t group) {
    assert(group >= 0 && group < STANDARD_GROUP_COUNT);
    return groups[group];
}

const char *standard_entity(int32_t type) {
    assert(type >= 0 && type < STANDARD_ENTITY_COUNT);
    return entities[type];
}

const char *standard_role(uint8_t role) {
    assert(role < STANDARD_ROLE_COUNT);
    return roles[role];
}

const char *standard_assignment(uint8_t assignment) {
    assert(assignment < STANDARD_ASSIGNMENT_COUNT);
    return assignments[assignment];
}

StandardMessage standard_new(uint8_t list, uint8_t row) {
    StandardMessage message;
    memset(&message, 0, sizeof message);
    message.list = list;
    message.row = row;
    return message;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* A message being read. */
typedef struct StandardReading {
    const Json *json;
    MashText *pool;
    MashProblems *problems;
} StandardReading;

/* A string, NUL-terminated in the pool. */
static bool read_text(const StandardReading *reading, uint32_t node, const char **out) {
    MashText *pool = reading->pool;
    if (!json_expect_kind(reading->json, node, JSON_STRING, reading->problems))
        return false;
    const char *start = pool->bytes + pool->count;
    json_string(reading->json, node, pool);
    text_byte(pool, '\0');
    if (pool->truncated) {
        json_problem(reading->json, node, reading->problems, "the text is too long");
        return false;
    }
    *out = start;
    return true;
}

/* A cell as [x, y]; whether it is on the board is not checked. */
static bool read_field(const StandardReading *reading, uint32_t node, StandardField *out) {
    const Json *json = reading->json;
    if (!json_expect_kind(json, node, JSON_ARRAY, reading->problems))
        return false;
    if (json->nodes[node].count != 2) {
        json_problem(json, node, reading->problems, "a field is an array of two numbers");
        return false;
    }
    uint32_t x = json_first(json, node), y = json->nodes[x].next;
    return json_int(json, x, INT32_MIN, INT32_MAX, &out->x, reading->problems) &&
           json_int(json, y, INT32_MIN, INT32_MAX, &out->y, reading->problems);
}

/* An entity by its group and number; whether it exists is not checked. */
static bool read_ref(const StandardReading *reading, uint32_t node, StandardRef *out) {
    const Json *json = reading->json;
    uint32_t group = 0;
    if (!json_expect_kind(json, node, JSON_OBJECT, reading->problems) ||
        !json_choice_at(json, node, "entityID", groups, STANDARD_GROUP_COUNT, &group,
                        reading->problems) ||
        !json_int_at(json, node, "ID", INT32_MIN, INT32_MAX, &out->id, reading->problems))
        return false;
    out->group = (int32_t)group;
    return true;
}

/* Exactly twelve of true or false. */
static bool read_truths(const StandardReading *reading, uint32_t node, uint32_t *out) {
    const Json *json = reading->json;
    if (!json_expect_kind(json, node, JSON_ARRAY, reading->problems))
        return false;
    if (json->nodes[node].count != STANDARD_OFFERED) {
        json_problem(json, node, reading->problems, "there must be %d values, not %u",
                     (int)STANDARD_OFFERED, json->nodes[node].count);
        return false;
    }
    uint32_t bit = 1;
    *out = 0;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next, bit <<= 1) {
        bool flag;
        if (!json_bool(json, i, &flag, reading->problems))
            return false;
        *out |= flag ? bit : 0;
    }
    return true;
}

/* One of the roles. */
static bool read_role(const StandardReading *reading, uint32_t node, uint8_t *out) {
    uint32_t role;
    if (!json_choice(reading->json, node, roles, STANDARD_ROLE_COUNT, &role, reading->problems))
        return false;
    *out = (uint8_t)role;
    return true;
}

/* The value of one key into its member. Lists that only servers send are ignored. */
static bool read_value(const StandardReading *reading, uint32_t node, const StandardKey *key,
                       StandardMessage *out) {
    void *member = (char *)out + key->member;
    switch (key->kind) {
    case STANDARD_TEXT:
        return read_text(reading, node, member);
    case STANDARD_BOOL:
        return json_bool(reading->json, node, member, reading->problems);
    case STANDARD_INT:
        return json_int(reading->json, node, INT32_MIN, INT32_MAX, member, reading->problems);
    case STANDARD_ROLE:
        return read_role(reading, node, member);
    case STANDARD_CELL:
        return read_field(reading, node, member);
    case STANDARD_REF:
        return read_ref(reading, node, member);
    case STANDARD_BOOLS:
        return read_truths(reading, node, member);
    default:
        return true;
    }
}

/* Reads the keys of a message that are there. False: a required one is missing or invalid. Invalid
 * optional ones count as not given. */
static bool read_keys(const StandardReading *reading, uint32_t node, const StandardRow *row,
                      StandardMessage *out) {
    bool fine = true;
    for (uint32_t i = 0; i < row->keys_count; i++) {
        const StandardKey *key = &row->keys[i];
        uint32_t member = json_member(reading->json, node, key->key);
        if (member == JSON_NONE) {
            if (key->required)
                json_problem(reading->json, node, reading->problems, "the key \"%s\" is missing",
                             key->key);
            fine = fine && !key->required;
        } else if (read_value(reading, member, key, out)) {
            out->present |= 1u << i;
        } else {
            fine = fine && !key->required;
        }
    }
    return fine;
}

StandardReadResult standard_read(const Json *json, uint32_t node, uint8_t list, MashText *pool,
                                 StandardMessage *out, MashProblems *problems) {
    uint32_t count;
    const StandardRow *rows = standard_rows(list, &count);
    StandardReading reading = {json, pool, problems};
    *out = standard_new(list, 0);
    if (json->nodes[node].kind != JSON_OBJECT) {
        json_problem(json, node, problems, "a message must be an object");
        return STANDARD_UNKNOWN;
    }
    uint32_t type = json_member(json, node, standard_type_key(list));
    for (uint32_t i = 0; type != JSON_NONE && i < count; i++)
        if (json_equals(json, type, rows[i].word)) {
            out->row = (uint8_t)i;
            return read_keys(&reading, node, &rows[i], out) ? STANDARD_READ : STANDARD_MALFORMED;
        }
    json_problem(json, type == JSON_NONE ? node : type, problems, "unknown %s",
                 standard_type_key(list));
    return STANDARD_UNKNOWN;
}
