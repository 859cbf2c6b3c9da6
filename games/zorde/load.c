/* load.c -- the documents of this game as tables of fields: kinds of unit (*.units.json) and the
 * start (*.start.json); its names; the limits that follow from the content.
 *
 * Every problem is reported with its path before the load fails; the content is zeroed first, so
 * that no uninitialised bytes are hashed. */
#include <string.h>

#include "games/zorde/state.h"

static const char *const sides[] = {"calliance", "zorde", NULL};

uint8_t zorde_unit_find(const ZordeSetup *field, char letter, char digit) {
    for (uint8_t i = 0; i < field->units_count; i++)
        if (field->units[i].letter == letter && field->units[i].digit == digit)
            return i;
    return MASH_UNIT_NONE;
}

/* Requires a unique ID of its kind's letter and a digit [1.4], and a cell of its own [1.2]. */
const char *zorde_unit_problem(const ZordeSetup *field, ZordeStartUnit unit) {
    if (unit.letter != field->kinds[unit.kind].letter)
        return "the ID of a unit must start with the letter of its kind";
    if (unit.digit < '0' || unit.digit > '9')
        return "the ID of a unit must be a letter and one digit from 0 to 9";
    if (zorde_unit_find(field, unit.letter, unit.digit) != MASH_UNIT_NONE)
        return "duplicate unit ID";
    for (uint8_t i = 0; i < field->units_count; i++)
        if (field->units[i].x == unit.x && field->units[i].y == unit.y)
            return "this cell is already occupied";
    if (field->units_count == ZORDE_UNITS_MAX)
        return "more than 60 units";
    return NULL;
}

/* By insertion: units are numbered in the order of IDs, and so are lists and output. */
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

/* --- Kinds of unit [1.3] ---------------------------------------------------------------------- */

/* Is it one capital? */
static bool fits_letter(const char *letter) { return letter[0] >= 'A' && letter[0] <= 'Z'; }

static const FieldFormat letter_format = {"^[A-Z]$", fits_letter,
                                          "must be one capital letter, A to Z"};

static const char *const attacks[] = {"last-step", "each-step", NULL};

static const Field ranged_fields[] = {
    FIELD(INT, "attack", ZordeKind, ranged_attack, .min = 1, .max = ZORDE_POINTS_MAX,
          .label = "Attack", .meaning = "Damage to enemies in range."),
    FIELD(INT, "range", ZordeKind, range, .min = 1, .max = ZORDE_RANGE_MAX, .label = "Range",
          .meaning = "Maximum range in cells."),
};
static const Fields ranged = {.id = "ranged attack", FIELDS_OF(ranged_fields)};

static const Field kind_fields[] = {
    FIELD(LINE, "id", ZordeKind, id, .unique = true, .format = &field_id, .label = "ID",
          .meaning =
              "Lower-case letters, digits and single hyphens; used in start and text files."),
    FIELD(ENUM, "side", ZordeKind, seat, .words = sides, .label = "Side", .meaning = "Side."),
    FIELD(LINE, "letter", ZordeKind, letter, .max = 1, .unique = true, .format = &letter_format,
          .label = "Letter", .meaning = "First letter of its unit IDs."),
    FIELD(INT, "health", ZordeKind, health, .min = 1, .max = ZORDE_POINTS_MAX, .label = "Health",
          .meaning = "Starting health."),
    FIELD(INT, "attack", ZordeKind, attack, .min = 1, .max = ZORDE_POINTS_MAX, .label = "Attack",
          .meaning = "Damage to adjacent enemies."),
    FIELD(INT, "steps", ZordeKind, steps, .min = 1, .max = ZORDE_STEPS_MAX, .label = "Steps",
          .meaning = "Exact number of steps per order."),
    FIELD(ENUM, "attacks", ZordeKind, each_step, .words = attacks, .label = "Attacks",
          .meaning = "When it hits adjacent enemies: after the last step or after each step."),
    FIELD(INT, "healing", ZordeKind, healing, .min = 1, .max = ZORDE_POINTS_MAX, .optional = true,
          .label = "Healing",
          .meaning = "Health it gives itself and adjacent allies before its step; omit for none."),
    FIELD_PART(OBJECT, "ranged", .rows = &ranged, .optional = true, .label = "Ranged attack",
               .meaning =
                   "Ranged attack after the last step, instead of the normal one; omit for none."),
};
static const Fields kind_rows = {.id = "kind", FIELDS_OF(kind_fields), .bytes = sizeof(ZordeKind)};

static const Field units_fields[] = {
    FIELD(ROWS, "kinds", ZordeSetup, kinds, FIELD_COUNT(ZordeSetup, kinds_count),
          .rows = &kind_rows, .min = 1, .max = ZORDE_KINDS_MAX, .label = "Units",
          .meaning = "All kinds of unit of both sides."),
};
static const Fields units_document = {.id = ".units.json",
                                      .meaning = "kinds of unit",
                                      .beyond = "each id and each letter is unique",
                                      FIELDS_OF(units_fields)};

/* --- The board and its units [1.1] [1.5] ------------------------------------------------------ */

/* The ids of the kinds that were read before. */
static const char *kind_word(const FieldsReader *reader, uint32_t index) {
    const ZordeSetup *field = reader->record;
    return index < field->kinds_count ? field->kinds[index].id : NULL;
}

/* A unit must be on the board [1.1]. */
static void columns(const FieldsReader *reader, int32_t *min, int32_t *max) {
    (void)min;
    *max = ((const ZordeSetup *)reader->record)->width - 1;
}
static void rows(const FieldsReader *reader, int32_t *min, int32_t *max) {
    (void)min;
    *max = ((const ZordeSetup *)reader->record)->height - 1;
}

/* Adds a unit with an ID and a cell of its own [1.2] [1.4]; it is of the side of its kind. */
static void take_unit(FieldsReader *reader, uint32_t node, void *row) {
    ZordeSetup *field = reader->record;
    ZordeStartUnit *unit = row;
    const ZordeKind *kind = &field->kinds[unit->kind];
    char id[3] = {unit->letter, unit->digit, '\0'};
    unit->seat = kind->seat;
    const char *wrong = zorde_unit_problem(field, *unit);
    if (wrong != NULL)
        json_problem(reader->json, node, reader->problems, "%s %s: %s", kind->id, id, wrong);
    else
        zorde_unit_add(field, *unit);
}

/* Each side needs a unit [1.5]. */
static void check_sides(FieldsReader *reader, uint32_t node, void *record) {
    const ZordeSetup *field = record;
    uint32_t counts[MASH_SEATS] = {0};
    for (uint8_t i = 0; i < field->units_count; i++)
        counts[field->units[i].seat]++;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (counts[seat] == 0)
            json_problem(reader->json, json_member(reader->json, node, "units"), reader->problems,
                         "%s has no units; each side needs at least one", sides[seat]);
}

static const FieldFormat unit_id = {.pattern = "^[A-Z][0-9]$"};

static const Field unit_fields[] = {
    FIELD(ENUM, "kind", ZordeStartUnit, kind, .word = kind_word, .max = ZORDE_KIND_BYTES - 1,
          .format = &field_id,
          .examples = "[\"human\", \"elf\", \"dwarf\", \"ork\", \"troll\", \"goblin\"]",
          .label = "Unit", .meaning = "The id of a kind of *.units.json."),
    {.key = "id",
     .kind = FIELD_LINE,
     .offset = offsetof(ZordeStartUnit, letter),
     .bytes = 2,
     .max = 2,
     .format = &unit_id,
     .label = "ID",
     .meaning = "The letter of its kind and a digit, such as H0; unique."},
    FIELD(INT, "x", ZordeStartUnit, x, .max = MASH_SIDE_MAX - 1, .bounds = columns,
          .label = "Column", .meaning = "Column, from 0 at the left."),
    FIELD(INT, "y", ZordeStartUnit, y, .max = MASH_SIDE_MAX - 1, .bounds = rows, .label = "Row",
          .meaning = "Row, from 0 at the top."),
};
static const Fields unit_rows = {
    .id = "unit", FIELDS_OF(unit_fields), .bytes = sizeof(ZordeStartUnit), .check = take_unit};

/* An invalid width or height counts as the greatest possible, so that no place is outside. */
static const Field start_fields[] = {
    FIELD(INT, "width", ZordeSetup, width, .min = 1, .max = MASH_SIDE_MAX,
          .fallback = MASH_SIDE_MAX, .label = "Columns", .meaning = "Cells in a row."),
    FIELD(INT, "height", ZordeSetup, height, .min = 1, .max = MASH_SIDE_MAX,
          .fallback = MASH_SIDE_MAX, .label = "Rows", .meaning = "Rows."),
    FIELD_PART(ROWS, "units", .rows = &unit_rows, .min = 2, .max = ZORDE_UNITS_MAX, .few = true,
               .label = "Units", .meaning = "Units of both sides, each on its own cell."),
};
static const Fields start_document = {
    .id = ".start.json",
    .meaning = "a board with both armies",
    .beyond = "each side has a unit, and kinds are those of *.units.json",
    .follows = true,
    FIELDS_OF(start_fields),
    .check = check_sides};

const Fields *const zorde_documents[] = {&units_document, &start_document, NULL};

/* --- The whole ------------------------------------------------------------------------------- */

/* The ids of kinds; NULL after the last. */
static const char *kind_id(const void *body, uint32_t index) {
    const ZordeSetup *field = &((const ZordeContent *)body)->field;
    return index < field->kinds_count ? field->kinds[index].id : NULL;
}

static const TextsIds lists[] = {
    {MASH_NAME_KIND, 0, 0, NULL, kind_id},
    TEXTS_IDS(GROUND, 0, "plain"),
    TEXTS_IDS(METER, 0, "health", "attack", "ranged-attack", "healing", "steps", "units", "orders"),
    TEXTS_IDS(PHASE, 0, "choose-unit", "finish-order", "over"),
    TEXTS_IDS(VERB, ZORDE_VERB_STEP, "step"),
    TEXTS_IDS(ABILITY, 0, "attack", "ranged-attack", "first-strike"),
    TEXTS_IDS(OUTCOME, 0, "attacker-won", "defender-won", "both-fell"),
    TEXTS_IDS(REASON, MASH_REASON_GAME, "beaten", "both-fell", "orders"),
    TEXTS_IDS(FIGURE, 0, "damage", "knock-outs", "steps", "healing"),
    {MASH_NAME_SIDE, 0, MASH_SEATS, sides, NULL},
};
static const MashEventKind events[] = {
    MASH_EVENT_TURN_BEGAN,   MASH_EVENT_MOVED,         MASH_EVENT_BLOCKED,    MASH_EVENT_ATTACKED,
    MASH_EVENT_HURT,         MASH_EVENT_HEALED,        MASH_EVENT_DIED,       MASH_EVENT_FOUGHT,
    MASH_EVENT_DRAW_OFFERED, MASH_EVENT_DRAW_DECLINED, MASH_EVENT_MATCH_ENDED};

/* Bounds, each of them proven: actions: a living unit has eight neighbours at most. Length: an
 * order has as many steps as the kind that has most, and after 400 orders the match is over [6.3].
 * Events of one step: every unit of one side is healed; then either a move and for each enemy an
 * attack, its damage and its defeat, or a fight, which is an attack, damage, the battle, damage
 * twice, and two defeats or a defeat and a move; then a lapsed draw offer, and the turn or the
 * end. */
static void finish(MashContent *content) {
    const ZordeSetup *field = zorde_setup(content);
    uint32_t units = field->units_count, counts[MASH_SEATS] = {0}, steps = 1;
    for (uint8_t i = 0; i < units; i++)
        counts[field->units[i].seat]++;
    for (uint8_t i = 0; i < field->kinds_count; i++)
        if (field->kinds[i].steps > steps)
            steps = field->kinds[i].steps;
    uint32_t most = counts[0] > counts[1] ? counts[0] : counts[1];
    assert(field->width * field->height >= 2); /* two units on cells of their own [2.5] */
    content->limits = (MashLimits){.state_bytes = zorde_state_bytes(units),
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

GAME_LOAD(zorde, .hashed_bytes = sizeof(ZordeSetup), .texts_need_kinds = true, .finish = finish)
