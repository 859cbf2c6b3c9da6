/* load.c -- the document of this game, *.champions.json, as tables of fields; its names; sets of
 * cells, and the limits that follow from the content. */
#include <string.h>

#include "games/ultimate-war/state.h"

static const char *const effect_ids[] = {"disarm",   "dodge",  "embrace", "power-up",
                                         "root",     "shield", "shock",   "silence",
                                         "speed-up", "stun",   NULL};

/* --- Abilities [2.2] [2.3] [2.4] -------------------------------------------------------------- */

static const char *const areas[] = {"self", "team", "surround", "directional", "single", NULL};

/* What all abilities and the punch have. */
#define COSTS                                                                                      \
    FIELD(LINE, "name", Ability, name, .format = &field_line, .label = "Name",                     \
          .meaning = "At most 31 bytes of UTF-8, no control characters."),                         \
        FIELD(INT, "range", Ability, range, .max = DISTANCES - 1, .label = "Range",                \
              .meaning = "Maximum range in cells."),                                               \
        FIELD(INT, "points", Ability, points, .min = 1, .max = POINTS_MOST,                        \
              .label = "Action points", .meaning = "Action points it costs."),                     \
        FIELD(INT, "mana", Ability, mana, .max = NUMBER_MOST, .label = "Mana",                     \
              .meaning = "Mana it costs."),                                                        \
        FIELD(INT, "cooldown", Ability, cooldown, .min = 1, .max = COOLDOWN_MOST,                  \
              .label = "Cooldown",                                                                 \
              .meaning = "Turns of the champion before it can be used again.")

/* The one thing it does; its effect has turns. */
static bool check_deed(FieldsReader *reader, uint32_t node, Ability *ability) {
    const Json *json = reader->json;
    bool damage = json_member(json, node, "damage") != JSON_NONE;
    bool heal = json_member(json, node, "heal") != JSON_NONE;
    bool effect = json_member(json, node, "effect") != JSON_NONE;
    uint32_t turns = json_member(json, node, "turns"), before = reader->problems->count;
    if (damage + heal + effect != 1)
        json_problem(json, node, reader->problems,
                     "an ability must have exactly one of damage, heal and effect");
    else if (!effect && turns != JSON_NONE)
        json_problem(json, turns, reader->problems, "turns are only allowed with an effect");
    else if (effect && turns == JSON_NONE)
        json_missing(json, node, "turns", "a whole number from 1 to 9", reader->problems);
    ability->effect_kind = effect ? ABILITY_EFFECT_EFFECT
                           : heal ? ABILITY_EFFECT_HEAL
                                  : ABILITY_EFFECT_DAMAGE;
    return reader->problems->count == before;
}

/* An ability on the caster himself must be beneficial [2.4]; none may have the punch's name, since
 * typed commands must distinguish them. */
static void check_ability(FieldsReader *reader, uint32_t node, void *row) {
    Ability *ability = row;
    if (strcmp(ability->id, "punch") == 0)
        json_problem(reader->json, json_member(reader->json, node, "id"), reader->problems,
                     "the id 'punch' is reserved for the punch");
    if (!check_deed(reader, node, ability) || ability->area != AREA_SELF)
        return;
    bool harms =
        ability->effect_kind == ABILITY_EFFECT_DAMAGE ||
        (ability->effect_kind == ABILITY_EFFECT_EFFECT && (BUFFS & MARK(ability->effect)) == 0);
    if (harms)
        json_problem(reader->json, node, reader->problems,
                     "an ability with area self must heal or give dodge, embrace, power-up, shield "
                     "or speed-up");
}

static const Field ability_fields[] = {
    FIELD(LINE, "id", Ability, id, .unique = true, .format = &field_id, .label = "ID",
          .meaning = "Lower-case letters, digits and single hyphens; unique within a champion."),
    FIELD(ENUM, "area", Ability, area, .words = areas, .label = "Target",
          .meaning = "Who is affected."),
    COSTS,
    FIELD(INT, "damage", Ability, amount, .min = 1, .max = NUMBER_MOST, .optional = true,
          .label = "Damage", .meaning = "Damage to each target."),
    FIELD(INT, "heal", Ability, amount, .min = 1, .max = NUMBER_MOST, .optional = true,
          .label = "Healing", .meaning = "Health each target gains."),
    FIELD(ENUM, "effect", Ability, effect, .words = effect_ids, .optional = true, .label = "Effect",
          .meaning = "Effect that lasts for some turns."),
    FIELD(INT, "turns", Ability, turns, .min = 1, .max = TURNS_MOST, .optional = true,
          .label = "Turns", .meaning = "Duration of the effect in turns."),
};
#define WITHOUT(a, b) "\"not\":{\"anyOf\":[{\"required\":[\"" a "\"]},{\"required\":[\"" b "\"]}"
static const Fields ability_rows = {
    .id = "ability",
    FIELDS_OF(ability_fields),
    .bytes = sizeof(Ability),
    .schema = "\"oneOf\":[{\"required\":[\"damage\"]," WITHOUT(
        "heal",
        "effect") ",{\"required\":["
                  "\"turns\"]}]}},{\"required\":[\"heal\"]," WITHOUT(
                      "damage",
                      "effect") ",{\"required\":["
                                "\"turns\"]}]}},{\"required\":[\"effect\",\"turns\"]," WITHOUT(
                                    "damage",
                                    "heal") "]}}],"
                                            "\"if\":{\"properties\":{\"area\":{\"const\":\"self\"}}"
                                            "},\"then\":{\"not\":{\"required\":["
                                            "\"damage\"]},\"properties\":{\"effect\":{\"enum\":["
                                            "\"dodge\",\"embrace\",\"power-up\","
                                            "\"shield\",\"speed-up\"]}}}",
    .check = check_ability};

/* The punch of those who are disarmed [2.3]. */
static void complete_punch(FieldsReader *reader, uint32_t node, void *record) {
    Ability *punch = record;
    (void)reader, (void)node;
    memcpy(punch->id, "punch", sizeof "punch");
    punch->area = AREA_SINGLE;
    punch->effect_kind = ABILITY_EFFECT_DAMAGE;
}

static const Field punch_fields[] = {
    COSTS,
    FIELD(INT, "damage", Ability, amount, .min = 1, .max = PUNCH_MOST, .label = "Damage",
          .meaning = "Damage to the target."),
};
static const Fields punch = {.id = "punch", FIELDS_OF(punch_fields), .check = complete_punch};

/* --- Champions [2.1] -------------------------------------------------------------------------- */

static const char *const types[] = {"hero", "villain", "antihero", NULL};

static const Field champion_fields[] = {
    FIELD(LINE, "id", WarKind, id, .unique = true, .format = &field_id, .label = "ID",
          .meaning = "Lower-case letters, digits and single hyphens."),
    FIELD(LINE, "short", WarKind, brief, .max = SHORT_BYTES - 1, .unique = true,
          .format = &field_id, .label = "Short name", .meaning = "What players type."),
    FIELD(LINE, "name", WarKind, name, .unique = true, .format = &field_line, .label = "Name",
          .meaning = "At most 31 bytes of UTF-8, no control characters."),
    FIELD(ENUM, "type", WarKind, type, .words = types, .label = "Type",
          .meaning = "Decides which leader ability he has."),
    FIELD(INT, "health", WarKind, health, .min = 1, .max = NUMBER_MOST, .label = "Health",
          .meaning = "Starting health."),
    FIELD(INT, "mana", WarKind, mana, .max = NUMBER_MOST, .label = "Mana",
          .meaning = "Starting mana."),
    FIELD(INT, "points", WarKind, points, .min = 1, .max = POINTS_MOST, .label = "Action points",
          .meaning = "Action points per turn."),
    FIELD(INT, "speed", WarKind, speed, .min = 1, .max = SPEED_MOST, .label = "Speed",
          .meaning = "The fastest acts first."),
    FIELD(INT, "range", WarKind, range, .min = 1, .max = DISTANCES - 1, .label = "Range",
          .meaning = "Range of the attack."),
    FIELD(INT, "damage", WarKind, damage, .min = 1, .max = NUMBER_MOST, .label = "Damage",
          .meaning = "Damage of the attack."),
    FIELD(ROWS, "abilities", WarKind, abilities, .rows = &ability_rows, .min = SLOTS, .max = SLOTS,
          .label = "Abilities", .meaning = "What he can do besides moving and attacking."),
};
static const Fields champion_rows = {
    .id = "champion", FIELDS_OF(champion_fields), .bytes = sizeof(WarKind)};

/* The rank of each name in byte order [4.1]. */
static void rank_names(FieldsReader *reader, uint32_t node, void *record) {
    WarContent *content = record;
    (void)reader, (void)node;
    for (uint32_t i = 0; i < content->kinds_count; i++)
        for (uint32_t j = 0; j < content->kinds_count; j++)
            if (strcmp(content->kinds[j].name, content->kinds[i].name) < 0)
                content->kinds[i].rank++;
}

static const Field champions_fields[] = {
    FIELD(OBJECT, "punch", WarContent, punch, .rows = &punch, .label = "Punch",
          .meaning = "Replaces the attack of a disarmed champion; single target."),
    FIELD(ROWS, "champions", WarContent, kinds, FIELD_COUNT(WarContent, kinds_count),
          .rows = &champion_rows, .min = KINDS_LEAST, .max = KINDS_MAX, .label = "Champions",
          .meaning = "All champions; both sides pick from them."),
};
static const Fields champions_document = {
    .id = ".champions.json",
    .meaning = "champions",
    .beyond = "ids, short names and names are unique among champions, and ability ids within a "
              "champion; no ability has the id punch",
    FIELDS_OF(champions_fields),
    .check = rank_names};

const Fields *const ultimate_war_documents[] = {&champions_document, NULL};

/* --- Sets of cells ---------------------------------------------------------------------------- */

/* The sets of one cell [1.2] [1.3]. */
static void line_up(Lines *lines, uint8_t cell) {
    int x = column_of(cell), y = row_of(cell);
    for (uint8_t other = 0; other < CELLS; other++) {
        int away = grid_manhattan(x, y, column_of(other), row_of(other));
        for (int distance = away; distance < DISTANCES; distance++)
            lines->within[cell][distance] |= 1u << other;
        if (away == 1)
            lines->steps[cell] |= 1u << other;
        if (grid_chebyshev(x, y, column_of(other), row_of(other)) == 1)
            lines->around[cell] |= 1u << other;
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int to_x = x + grid_dx[direction], to_y = y + grid_dy[direction];
        for (; grid_inside(to_x, to_y, SIDE, SIDE);
             to_x += grid_dx[direction], to_y += grid_dy[direction])
            lines->rays[cell][direction] |= 1u << cell_at(to_x, to_y);
    }
}

/* --- Texts and limits ------------------------------------------------------------------------- */

/* Champions and abilities have their names in the document. */
static const TextsIds lists[] = {
    TEXTS_IDS(GROUND, 0, "floor", "cover"),
    TEXTS_IDS(METER, 0, "health", "mana", "points", "speed", "damage", "range", "leader",
              "cooldown", "amount", "command", "round", "effect", "type", "condition"),
    TEXTS_IDS(PHASE, 0, "pick", "appoint", "play", "over"),
    TEXTS_IDS(VERB, VERB_PICK, "pick", "appoint", "move", "attack", "cast", "command", "end"),
    TEXTS_IDS(ABILITY, 0, "attack", "hero-leader", "villain-leader", "antihero-leader"),
    {MASH_NAME_EFFECT, 0, EFFECTS, effect_ids, NULL},
    TEXTS_IDS(REASON, MASH_REASON_GAME, "defeated", "rounds"),
    TEXTS_IDS(FIGURE, 0, "damage", "healing", "knock-outs", "steps", "casts", "turns"),
    TEXTS_IDS(SIDE, 0, "first", "second"),
    TEXTS_IDS(TRAIT, 0, "hero", "villain", "antihero", "active", "rooted", "inactive", "out"),
};
static const MashEventKind events[] = {
    MASH_EVENT_CHOSEN,         MASH_EVENT_READY,       MASH_EVENT_PLACED,
    MASH_EVENT_MATCH_BEGAN,    MASH_EVENT_ROUND_BEGAN, MASH_EVENT_TURN_BEGAN,
    MASH_EVENT_TURN_ENDED,     MASH_EVENT_MOVED,       MASH_EVENT_ATTACKED,
    MASH_EVENT_MISSED,         MASH_EVENT_HURT,        MASH_EVENT_HEALED,
    MASH_EVENT_DIED,           MASH_EVENT_USED,        MASH_EVENT_EFFECT_BEGAN,
    MASH_EVENT_EFFECT_ENDED,   MASH_EVENT_CHANGED,     MASH_EVENT_GROUND_HURT,
    MASH_EVENT_GROUND_CHANGED, MASH_EVENT_ORDER_SET,   MASH_EVENT_DRAW_OFFERED,
    MASH_EVENT_DRAW_DECLINED,  MASH_EVENT_MATCH_ENDED,
};

/* No match is longer: 6 picks, 2 leaders, and at most 6 turns in each of 100 rounds. A turn begins
 * with the points of the champion's kind and 2 for each of 32 Silences at most; all actions but the
 * leader ability and the end cost a point. Points come in during a turn by an own SpeedUp, one for
 * each of three abilities that can be cast once per turn, and by the leader ability, once per side:
 * it ends 32 Shocks at most. */
static uint32_t length_max(const WarContent *content) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < content->kinds_count; i++)
        most = content->kinds[i].points > most ? content->kinds[i].points : most;
    uint32_t turn = most + 2 * EFFECTS_MAX + SLOTS + 1;
    return UNITS + MASH_SEATS + ROUNDS * UNITS * turn + MASH_SEATS * (EFFECTS_MAX + 1);
}

enum {
    /* Moves, attacks, casts, leader ability, end; a single target is one of 3 enemies and 5 covers.
     */
    ACTIONS_MAX = 2 * DIRECTIONS + (PUNCHES_MAX + SLOTS) * (TEAM + COVERS) + 2,
    /* The end of a turn has the most events: a lapsed offer; turns that end, the head's and up to 9
     * that each of 6 stunned champions loses; as many as 10 rounds with their orders; all effects
     * ending; the new turn or the end of the match. */
    EVENTS_MAX =
        1 + 1 + TURNS_MOST * UNITS + (TURNS_MOST + 1) * (1 + UNITS) + UNITS * EFFECTS_MAX + 1,
    /* Six figures and the leader's sign, type and condition, two meters for each ability and punch,
     * effects. */
    METERS_OF_UNIT = METER_COOLDOWN + 2 + 2 * (SLOTS + PUNCHES_MAX) + EFFECTS_MAX,
};
static_assert(ACTIONS_MAX - KINDS_MAX >= 0, "all champions can be listed");

/* Sets of cells, and the limits. */
static void finish(MashContent *loaded) {
    WarContent *content = (void *)loaded->body;
    for (uint8_t cell = 0; cell < CELLS; cell++)
        line_up(&content->lines, cell);
    loaded->limits =
        (MashLimits){.state_bytes = sizeof(WarState),
                     .core_bytes = offsetof(WarState, figures),
                     .actions_max = ACTIONS_MAX,
                     .events_max = EVENTS_MAX,
                     .tokens_max = UNITS + content->kinds_count,
                     .meters_max = UNITS * METERS_OF_UNIT + content->kinds_count * METERS_OF_UNIT +
                                   MASH_SEATS + 1,
                     .length_max = length_max(content),
                     .turn_ms = TURN_MS,
                     .width = SIDE,
                     .height = SIDE,
                     .units = (uint8_t)(UNITS + content->kinds_count)};
}

GAME_LOAD(ultimate_war, .hashed_bytes = offsetof(WarContent, lines), .finish = finish)
