/* load.c -- reads kinds (*.units.json), the start (*.start.json) and texts, checks all of it and
 * works out the terms.
 *
 * Every problem is reported with its path before the load fails; the body is zeroed first, so that
 * what is hashed has no stray bytes. */
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "games/zorde/state.h"

#define COUNT_OF(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

static const char *const sides[] = {"calliance", "zorde"};

uint8_t zorde_kind_find(const ZordeSetup *field, const char *id) {
    for (uint8_t i = 0; i < field->kinds_count; i++)
        if (strcmp(field->kinds[i].id, id) == 0)
            return i;
    return MASH_UNIT_NONE;
}

uint8_t zorde_unit_find(const ZordeSetup *field, char letter, char digit) {
    for (uint8_t i = 0; i < field->units_count; i++)
        if (field->units[i].letter == letter && field->units[i].digit == digit)
            return i;
    return MASH_UNIT_NONE;
}

/* An ID of its kind's letter and a digit that nobody else has [1.4], a cell of its own [1.2]. */
const char *zorde_unit_problem(const ZordeSetup *field, ZordeStartUnit unit) {
    if (unit.letter != field->kinds[unit.kind].letter)
        return "the ID of a unit begins with the letter of its kind";
    if (unit.digit < '0' || unit.digit > '9')
        return "the ID of a unit is a letter and one digit from 0 to 9";
    if (zorde_unit_find(field, unit.letter, unit.digit) != MASH_UNIT_NONE)
        return "another unit has this ID already";
    for (uint8_t i = 0; i < field->units_count; i++)
        if (field->units[i].x == unit.x && field->units[i].y == unit.y)
            return "another unit stands on this cell already";
    if (field->units_count == ZORDE_UNITS_MAX)
        return "there are more than 60 units";
    return NULL;
}

/* By insertion: numbers of units are in the order of IDs, so that lists and output are. */
void zorde_unit_add(ZordeSetup *field, ZordeStartUnit unit) {
    assert(field->units_count < ZORDE_UNITS_MAX);
    uint8_t at = field->units_count++;
    for (; at > 0; at--) {
        ZordeStartUnit before = field->units[at - 1];
        if (before.letter < unit.letter ||
            (before.letter == unit.letter && before.digit < unit.digit))
            break;
        field->units[at] = before;
    }
    field->units[at] = unit;
}

/* --- Kinds ----------------------------------------------------------------------------------- */

/* Small letters, digits and single hyphens between them, so that its capitals are one word in
 * files. */
static bool kebab(const char *id) {
    for (const char *c = id; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        bool hyphen = *c == '-' && c > id && c[-1] != '-' && c[1] != '\0';
        if (!plain && !hyphen)
            return false;
    }
    return true;
}

/* The points of this key, 1 to ZORDE_POINTS_MAX; 1 and a problem if it has none such. */
static uint16_t points_at(const Json *json, uint32_t object, const char *key,
                          MashProblems *problems) {
    int32_t points = 1;
    json_int_at(json, object, key, 1, ZORDE_POINTS_MAX, &points, problems);
    return (uint16_t)points;
}

/* The id and the letter, each the kind's own. False: the kind cannot be kept. */
static bool read_names(const Json *json, uint32_t node, const ZordeSetup *field, ZordeKind *kind,
                       MashProblems *problems) {
    uint32_t before = problems->count;
    char letter[2] = "";
    if (json_line_at(json, node, "id", kind->id, sizeof kind->id, problems)) {
        if (!kebab(kind->id))
            json_problem(json, json_member(json, node, "id"), problems,
                         "an id has small letters, digits and single hyphens between them");
        else if (zorde_kind_find(field, kind->id) != MASH_UNIT_NONE)
            json_problem(json, json_member(json, node, "id"), problems,
                         "another kind has the id '%s' already", kind->id);
    }
    if (json_line_at(json, node, "letter", letter, sizeof letter, problems)) {
        bool taken = false;
        for (uint8_t i = 0; i < field->kinds_count; i++)
            taken |= field->kinds[i].letter == letter[0];
        if (letter[0] < 'A' || letter[0] > 'Z')
            json_problem(json, json_member(json, node, "letter"), problems,
                         "a letter is one capital from A to Z");
        else if (taken)
            json_problem(json, json_member(json, node, "letter"), problems,
                         "another kind has the letter %c already", letter[0]);
        kind->letter = letter[0];
    }
    return problems->count == before;
}

/* Healing and ranged attack, which a kind may or may not have. */
static void read_gifts(const Json *json, uint32_t node, ZordeKind *kind, MashProblems *problems) {
    static const char *const keys[] = {"attack", "range"};
    if (json_member(json, node, "healing") != JSON_NONE)
        kind->healing = points_at(json, node, "healing", problems);
    if (json_member(json, node, "ranged") == JSON_NONE)
        return;
    uint32_t ranged = json_expect_member(json, node, "ranged", JSON_OBJECT, problems);
    if (ranged == JSON_NONE)
        return;
    int32_t range = 1;
    json_refuse_unknown_keys(json, ranged, keys, COUNT_OF(keys), problems);
    kind->ranged_attack = points_at(json, ranged, "attack", problems);
    json_int_at(json, ranged, "range", 1, ZORDE_RANGE_MAX, &range, problems);
    kind->range = (uint8_t)range;
}

/* One row of the table [1.3]. */
static void read_kind(const Json *json, uint32_t node, ZordeSetup *field, MashProblems *problems) {
    static const char *const keys[] = {"id",    "side",    "letter",  "health", "attack",
                                       "steps", "attacks", "healing", "ranged"};
    static const char *const attacks[] = {"last-step", "each-step"};
    ZordeKind kind;
    uint32_t seat = 0, each_step = 0;
    int32_t steps = 1;
    memset(&kind, 0, sizeof kind);
    if (!json_expect_kind(json, node, JSON_OBJECT, problems))
        return;
    json_refuse_unknown_keys(json, node, keys, COUNT_OF(keys), problems);
    bool named = read_names(json, node, field, &kind, problems);
    json_choice_at(json, node, "side", sides, COUNT_OF(sides), &seat, problems);
    json_choice_at(json, node, "attacks", attacks, COUNT_OF(attacks), &each_step, problems);
    json_int_at(json, node, "steps", 1, ZORDE_STEPS_MAX, &steps, problems);
    kind.seat = (uint8_t)seat;
    kind.each_step = (uint8_t)each_step;
    kind.steps = (uint8_t)steps;
    kind.health = points_at(json, node, "health", problems);
    kind.attack = points_at(json, node, "attack", problems);
    read_gifts(json, node, &kind, problems);
    if (named)
        field->kinds[field->kinds_count++] = kind;
}

/* Reads the document of kinds of unit [1.3]; if there are too many or none, nothing of it. */
static void read_kinds(const Json *json, ZordeSetup *field, MashProblems *problems) {
    static const char *const keys[] = {"kinds"};
    if (!json_expect_kind(json, 0, JSON_OBJECT, problems))
        return;
    json_refuse_unknown_keys(json, 0, keys, COUNT_OF(keys), problems);
    uint32_t list = json_expect_member(json, 0, "kinds", JSON_ARRAY, problems);
    if (list == JSON_NONE)
        return;
    uint32_t count = json->nodes[list].count;
    if (count < 1 || count > ZORDE_KINDS_MAX) {
        json_problem(json, list, problems, "there must be from 1 to %d kinds, found %u",
                     ZORDE_KINDS_MAX, (unsigned)count);
        return;
    }
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        read_kind(json, i, field, problems);
}

/* --- The start ------------------------------------------------------------------------------- */

/* A unit of the armies: on the board [1.1], of a kind that exists. */
static void read_unit(const Json *json, uint32_t node, ZordeSetup *field, MashProblems *problems) {
    static const char *const keys[] = {"kind", "id", "x", "y"};
    const char *kinds[ZORDE_KINDS_MAX];
    for (uint8_t i = 0; i < field->kinds_count; i++)
        kinds[i] = field->kinds[i].id;
    if (!json_expect_kind(json, node, JSON_OBJECT, problems))
        return;
    uint32_t before = problems->count, kind = 0;
    int32_t x = 0, y = 0;
    char id[3] = "";
    json_refuse_unknown_keys(json, node, keys, COUNT_OF(keys), problems);
    json_choice_at(json, node, "kind", kinds, field->kinds_count, &kind, problems);
    json_line_at(json, node, "id", id, sizeof id, problems);
    json_int_at(json, node, "x", 0, field->width - 1, &x, problems);
    json_int_at(json, node, "y", 0, field->height - 1, &y, problems);
    if (problems->count != before)
        return;
    ZordeStartUnit unit = {.letter = id[0],
                           .digit = id[1],
                           .kind = (uint8_t)kind,
                           .seat = field->kinds[kind].seat,
                           .x = (int8_t)x,
                           .y = (int8_t)y};
    const char *wrong = zorde_unit_problem(field, unit);
    if (wrong != NULL)
        json_problem(json, node, problems, "%s %s: %s", kinds[kind], id, wrong);
    else
        zorde_unit_add(field, unit);
}

/* Each side needs a unit [1.5]. */
static void check_sides(const Json *json, uint32_t list, const ZordeSetup *field,
                        MashProblems *problems) {
    uint32_t counts[MASH_SEATS] = {0};
    for (uint8_t i = 0; i < field->units_count; i++)
        counts[field->units[i].seat]++;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (counts[seat] == 0)
            json_problem(json, list, problems, "%s has no unit; each side needs at least one",
                         sides[seat]);
}

/* Reads the document of the board and who stands where [1.1] [1.5]. */
static void read_start(const Json *json, ZordeSetup *field, MashProblems *problems) {
    static const char *const keys[] = {"width", "height", "units"};
    uint32_t before = problems->count;
    int32_t width, height;
    if (!json_expect_kind(json, 0, JSON_OBJECT, problems))
        return;
    json_refuse_unknown_keys(json, 0, keys, COUNT_OF(keys), problems);
    if (!json_int_at(json, 0, "width", 1, MASH_SIDE_MAX, &width, problems))
        width = MASH_SIDE_MAX; /* unknown: no place is too far out */
    if (!json_int_at(json, 0, "height", 1, MASH_SIDE_MAX, &height, problems))
        height = MASH_SIDE_MAX;
    field->width = (uint8_t)width;
    field->height = (uint8_t)height;
    uint32_t list = json_expect_member(json, 0, "units", JSON_ARRAY, problems);
    if (list == JSON_NONE)
        return;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        read_unit(json, i, field, problems);
    if (problems->count == before)
        check_sides(json, list, field, problems);
}

/* --- The whole ------------------------------------------------------------------------------- */

/* The one document with this ending, read into the scratch memory. False: a problem was added. */
static bool read_document(const MashDocuments *documents, const char *ending, Json *json,
                          MashProblems *problems) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        if (!text_ends_with(documents->list[i].name, ending))
            continue;
        if (found != NULL) {
            problem_add(problems, documents->list[i].name, 0, 0, "",
                        "%s is a document of this kind already; there can be only one",
                        found->name);
            return false;
        }
        found = &documents->list[i];
    }
    if (found == NULL) {
        problem_add(problems, "", 0, 0, "", "a document is missing: its name ends in %s", ending);
        return false;
    }
    return json_read(json, found->name, found->bytes, found->count, documents->scratch,
                     documents->scratch_bytes / (uint32_t)sizeof(JsonNode), problems);
}

/* Reports documents whose name has none of the known endings. */
static void refuse_strangers(const MashDocuments *documents, MashProblems *problems) {
    for (uint32_t i = 0; i < documents->count; i++) {
        const char *name = documents->list[i].name;
        if (!text_ends_with(name, ".units.json") && !text_ends_with(name, ".start.json") &&
            !text_ends_with(name, ".texts.json"))
            problem_add(problems, name, 0, 0, "",
                        "names of this game's documents end in .units.json, .start.json or "
                        ".texts.json");
    }
}

/* Loads the words for all that has a name in this game. */
static void load_texts(const MashDocuments *documents, ZordeContent *body, MashProblems *problems) {
    static const char *const grounds[] = {"plain"};
    static const char *const meters[ZORDE_METERS] = {"health", "attack", "ranged-attack", "healing",
                                                     "steps",  "units",  "orders"};
    static const char *const phases[ZORDE_PHASES] = {"choose-unit", "finish-order", "over"};
    static const char *const verbs[] = {"step"};
    static const char *const abilities[ZORDE_ABILITIES] = {"attack", "ranged-attack",
                                                           "first-strike"};
    static const char *const outcomes[ZORDE_OUTCOMES] = {"attacker-won", "defender-won",
                                                         "both-fell"};
    static const char *const reasons[] = {"beaten", "both-fell", "orders"};
    static const char *const figures[ZORDE_FIGURES] = {"damage", "knock-outs", "steps", "healing"};
    static const MashEventKind events[] = {
        MASH_EVENT_TURN_BEGAN,    MASH_EVENT_MOVED,      MASH_EVENT_BLOCKED,
        MASH_EVENT_ATTACKED,      MASH_EVENT_HURT,       MASH_EVENT_HEALED,
        MASH_EVENT_DIED,          MASH_EVENT_FOUGHT,     MASH_EVENT_DRAW_OFFERED,
        MASH_EVENT_DRAW_DECLINED, MASH_EVENT_MATCH_ENDED};
    const char *kinds[ZORDE_KINDS_MAX];
    for (uint8_t i = 0; i < body->field.kinds_count; i++)
        kinds[i] = body->field.kinds[i].id;
    TextsIds lists[] = {
        {MASH_NAME_KIND, 0, body->field.kinds_count, kinds},
        {MASH_NAME_GROUND, 0, COUNT_OF(grounds), grounds},
        {MASH_NAME_METER, 0, COUNT_OF(meters), meters},
        {MASH_NAME_PHASE, 0, COUNT_OF(phases), phases},
        {MASH_NAME_VERB, ZORDE_VERB_STEP, COUNT_OF(verbs), verbs},
        {MASH_NAME_ABILITY, 0, COUNT_OF(abilities), abilities},
        {MASH_NAME_OUTCOME, 0, COUNT_OF(outcomes), outcomes},
        {MASH_NAME_REASON, MASH_REASON_GAME, COUNT_OF(reasons), reasons},
        {MASH_NAME_FIGURE, 0, COUNT_OF(figures), figures},
        {MASH_NAME_SIDE, 0, COUNT_OF(sides), sides},
    };
    texts_load_described(&body->texts, documents, lists, COUNT_OF(lists), events, COUNT_OF(events),
                         &zorde_descriptions, problems);
}

/* Bounds, each of them proven:
 * actions: a living unit has eight neighbours at most. Length: an order has as many steps as the
 * kind that has most, and after 400 orders the match is over [6.3]. Events of one step: every unit
 * of one side is healed; then either a move and for each enemy a strike, its hurt and its death, or
 * a fight, which is a strike, a hurt, the battle, two hurts, and two deaths or a death and a move;
 * then a lapsed draw offer, and the turn or the end. */
static MashLimits terms_of(const ZordeSetup *field) {
    uint32_t units = field->units_count, counts[MASH_SEATS] = {0}, steps = 1;
    for (uint8_t i = 0; i < units; i++)
        counts[field->units[i].seat]++;
    for (uint8_t i = 0; i < field->kinds_count; i++)
        if (field->kinds[i].steps > steps)
            steps = field->kinds[i].steps;
    uint32_t most = counts[0] > counts[1] ? counts[0] : counts[1];
    return (MashLimits){.state_bytes = zorde_state_bytes(units),
                        .core_bytes = zorde_core_bytes(units),
                        .actions_max = 8 * most,
                        .events_max = most + 3 * most + 7 + 2,
                        .tokens_max = units,
                        .meters_max = 5 * units + MASH_SEATS + 1,
                        .length_max = ZORDE_ORDERS_MAX * steps,
                        .width = field->width,
                        .height = field->height,
                        .units = (uint8_t)units};
}

/* Without kinds nothing can be said about the start, and with wrong ones nothing about their names:
 * what would only repeat a problem is not looked at. */
bool zorde_load(const MashDocuments *documents, MashContent *content, MashProblems *problems) {
    ZordeContent *body = (void *)content->body;
    uint32_t before = problems->count;
    Json json;
    memset(body, 0, sizeof *body);
    if (read_document(documents, ".units.json", &json, problems))
        read_kinds(&json, &body->field, problems);
    bool kinds_known = problems->count == before;
    if (read_document(documents, ".start.json", &json, problems) && body->field.kinds_count > 0)
        read_start(&json, &body->field, problems);
    if (kinds_known)
        load_texts(documents, body, problems);
    refuse_strangers(documents, problems);
    if (problems->count != before)
        return false;
    assert(body->field.width * body->field.height >= 2); /* two units on cells of their own [2.5] */
    content->game = &zorde_game;
    content->limits = terms_of(&body->field);
    content->hash = hash_bytes(0, &body->field, sizeof body->field);
    return true;
}
