/* load.c -- the documents of this game as tables of fields: *.warriors.json (kinds of warrior and
 * potion, team sizes, the default team) and *.field.json (open cells and walls); its names; the
 * limits that follow from the content. */
#include <string.h>

#include "games/battleground/state.h"

/* --- Warriors and potions --------------------------------------------------------------------- */

static const Field team_fields[] = {
    FIELD(INT, "warriors", BattlegroundContent, team_warriors, .min = 1, .max = SLOTS,
          .label = "Warriors", .meaning = "How many a side chooses."),
    FIELD(INT, "potions", BattlegroundContent, team_potions, .max = ITEMS, .label = "Potions",
          .meaning = "How many a side chooses."),
};
static const Fields team = {.id = "team", FIELDS_OF(team_fields)};

static const Field kind_fields[] = {
    FIELD(LINE, "id", BattlegroundKind, id, .unique = true, .format = &field_name, .label = "ID",
          .meaning = "Unique; a-z, 0-9 and hyphens, starting with a letter."),
    FIELD(LINE, "short", BattlegroundKind, called, .unique = true, .format = &field_name,
          .label = "Short name", .meaning = "Unique prefix of unit names, as in nin2."),
    FIELD(INT, "health", BattlegroundKind, health, .min = 1, .max = NUMBER_MOST, .label = "Health",
          .meaning = "Starting health, which is also the most."),
    FIELD(INT, "walk", BattlegroundKind, walk, .max = REACH_STEPS_MAX, .label = "Movement",
          .meaning = "Cells per move."),
    FIELD(INT, "attack", BattlegroundKind, attack, .max = NUMBER_MOST, .label = "Attack",
          .meaning = "Damage per attack."),
    FIELD(BOOL, "optional", BattlegroundKind, optional, .optional = true, .label = "Optional",
          .meaning = "Only available if a match option allows it; omit for always."),
};
/* [1.1] */
static const Fields kind_rows = {
    .id = "warrior", FIELDS_OF(kind_fields), .bytes = sizeof(BattlegroundKind)};

static const char *const stats[] = {"health", "attack", "walk", NULL};

/* Health is given immediately, attack and walk are changed for some turns. */
static void amounts(const FieldsReader *reader, int32_t *min, int32_t *max) {
    uint8_t stat = ((const Potion *)reader->row)->stat;
    if (stat == STAT_HEALTH)
        *min = 1;
    else if (stat < STATS)
        *max = CHANGE_MOST;
}
static void turns(const FieldsReader *reader, int32_t *min, int32_t *max) {
    uint8_t stat = ((const Potion *)reader->row)->stat;
    if (stat == STAT_HEALTH)
        *max = 0;
    else if (stat < STATS)
        *min = 1;
}

/* A potion must change something. */
static void check_potion(FieldsReader *reader, uint32_t node, void *row) {
    if (((const Potion *)row)->amount == 0)
        json_problem(reader->json, json_member(reader->json, node, "amount"), reader->problems,
                     "must not be 0: the potion would have no effect");
}

static const Field potion_fields[] = {
    FIELD(LINE, "id", Potion, id, .unique = true, .format = &field_name, .label = "ID",
          .meaning = "Unique; a-z, 0-9 and hyphens, starting with a letter."),
    FIELD(ENUM, "stat", Potion, stat, .words = stats, .fallback = STATS, .label = "Changes",
          .meaning = "What it changes."),
    FIELD(INT, "turns", Potion, turns, .max = NUMBER_MOST, .bounds = turns, .label = "Turns",
          .meaning = "Duration in turns; 0 for health, which is permanent."),
    FIELD(INT, "amount", Potion, amount, .min = -CHANGE_MOST, .max = NUMBER_MOST, .bounds = amounts,
          .label = "Amount", .meaning = "Health 1 to 99; attack and walk -9 to 9, not 0."),
};
/* [1.2] */
static const Fields potion_rows = {
    .id = "potion",
    FIELDS_OF(potion_fields),
    .bytes = sizeof(Potion),
    .schema = "\"not\":{\"required\":[\"amount\"],\"properties\":{\"amount\":{\"const\":0}}},"
              "\"if\":{\"properties\":{\"stat\":{\"const\":\"health\"}}},"
              "\"then\":{\"properties\":{\"amount\":{\"minimum\":1},\"turns\":{\"const\":0}}},"
              "\"else\":{\"properties\":{\"amount\":{\"maximum\":9},\"turns\":{\"minimum\":1}}}",
    .check = check_potion};

/* Kinds that may be in the default team [2.3]: optional ones may not, since the option may be
 * off. */
static const char *usual_kind(const FieldsReader *reader, uint32_t index) {
    const BattlegroundContent *content = reader->record;
    if (index > content->kinds_count)
        return NULL;
    return content->kinds[index].optional ? "" : content->kinds[index].id;
}
/* The ids of kinds and of potions, by number; NULL after the last. */
static const char *kind_id(const void *body, uint32_t index) {
    const BattlegroundContent *content = body;
    return index < content->kinds_count ? content->kinds[index + 1].id : NULL;
}
static const char *potion_id(const void *body, uint32_t index) {
    const BattlegroundContent *content = body;
    return index < content->potions_count ? content->potions[index].id : NULL;
}
static const char *usual_potion(const FieldsReader *reader, uint32_t index) {
    return potion_id(reader->record, index);
}

#define USUAL_ITEM(name, words)                                                                    \
    {                                                                                              \
        .key = name, .kind = FIELD_ENUM, .bytes = 1, .word = words, .max = ID_BYTES - 1,           \
        .format = &field_name                                                                      \
    }
static const Field usual_kind_item = USUAL_ITEM("warriors", usual_kind);
static const Field usual_potion_item = USUAL_ITEM("potions", usual_potion);
static const Field usual_fields[] = {
    FIELD(LIST, "warriors", BattlegroundContent, usual_warriors, .item = &usual_kind_item, .min = 1,
          .max = SLOTS, .label = "Warriors",
          .meaning = "Ids of non-optional warriors; duplicates allowed."),
    FIELD(LIST, "potions", BattlegroundContent, usual_potions, .item = &usual_potion_item,
          .max = ITEMS, .label = "Potions", .meaning = "Ids of potions; duplicates allowed."),
};
static const Fields usual = {.id = "usual team", FIELDS_OF(usual_fields)};

/* The greater of two. */
static int most_of(int a, int b) { return a > b ? a : b; }

/* How far a warrior may walk with every potion of a match at work on it. */
static int walk_most(const BattlegroundContent *content) {
    int walk = 0, more = 0;
    for (int kind = 1; kind <= content->kinds_count; kind++)
        walk = most_of(walk, content->kinds[kind].walk);
    for (int i = 0; i < content->potions_count; i++)
        if (content->potions[i].stat == STAT_WALK)
            more = most_of(more, content->potions[i].amount);
    return walk + MASH_SEATS * content->team_potions * more;
}

/* The default team must be as large as `team` says. */
static void check_usual(FieldsReader *reader, uint32_t node, const char *key, uint32_t count) {
    const Json *json = reader->json;
    uint32_t list = json_member(json, json_member(json, node, "usual"), key);
    if (json->nodes[list].count != count)
        json_problem(json, list, reader->problems, "must have exactly %u entries, found %u", count,
                     json->nodes[list].count);
}

/* There is always a warrior to choose, the default team is complete, and no combination of potions
 * lets a warrior walk further than the engine searches. */
static void check_warriors(FieldsReader *reader, uint32_t node, void *record) {
    const BattlegroundContent *content = record;
    bool some = false;
    for (int kind = 1; kind <= content->kinds_count; kind++)
        some |= !content->kinds[kind].optional;
    if (!some)
        json_problem(reader->json, json_member(reader->json, node, "warriors"), reader->problems,
                     "at least one warrior must not be optional");
    check_usual(reader, node, "warriors", content->team_warriors);
    check_usual(reader, node, "potions", content->team_potions);
    if (walk_most(content) > REACH_STEPS_MAX)
        json_problem(reader->json, node, reader->problems,
                     "with all potions combined a warrior could move %d cells; the maximum is %d",
                     walk_most(content), (int)REACH_STEPS_MAX);
}

static const Field warriors_fields[] = {
    FIELD_PART(OBJECT, "team", .rows = &team, .label = "Team size",
               .meaning = "How many warriors and potions each side chooses."),
    FIELD(INT, "quiet_turns", BattlegroundContent, quiet_turns, .min = 2, .max = 200,
          .label = "Quiet turns",
          .meaning = "Turns without damage after which the match is a draw."),
    FIELD(ROWS, "warriors", BattlegroundContent, kinds[1],
          FIELD_COUNT(BattlegroundContent, kinds_count), .rows = &kind_rows, .min = 1,
          .max = KINDS_MAX, .label = "Warriors",
          .meaning = "All kinds of warrior; at least one is not optional."),
    FIELD(ROWS, "potions", BattlegroundContent, potions,
          FIELD_COUNT(BattlegroundContent, potions_count), .rows = &potion_rows, .min = 1,
          .max = POTIONS_MAX, .label = "Potions", .meaning = "All kinds of potion."),
    FIELD_PART(OBJECT, "usual", .rows = &usual, .label = "Default team",
               .meaning = "The default team, as large as set in team."),
};
static const Fields warriors_document = {
    .id = ".warriors.json",
    .meaning = "warriors and potions",
    .beyond = "no warrior can move more than 31 cells, even with all potions",
    FIELDS_OF(warriors_fields),
    .check = check_warriors};

/* --- The field -------------------------------------------------------------------------------- */

/* Reads one row of the field, open cells and walls; all are as long as the first. */
static bool read_row(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    BattlegroundContent *content = reader->record;
    char row[MASH_SIDE_MAX + 1];
    int y = content->height++;
    (void)field, (void)to;
    if (!json_line(reader->json, node, row, sizeof row, reader->problems))
        return false;
    if (y == 0)
        content->width = (uint8_t)strlen(row);
    bool fine = content->width == 0 || strlen(row) == content->width;
    if (!fine)
        json_problem(reader->json, node, reader->problems,
                     "must have %u cells like the first row; found %u", content->width,
                     (unsigned)strlen(row));
    for (int x = 0; row[x] != '\0'; x++) {
        if (row[x] == '.') {
            reach_open(content->open, x, y);
            content->cells++;
        } else if (row[x] != '#')
            return json_problem(reader->json, node, reader->problems,
                                "cell %d must be . (open) or # (wall)", x);
    }
    return fine;
}

/* How many cells a set of columns holds. */
static int cells_of(const ReachColumn *columns, int width) {
    int count = 0;
    for (int x = 0; x < width; x++)
        count +=
            __builtin_popcountll(columns[x].rows[0]) + __builtin_popcountll(columns[x].rows[1]);
    return count;
}

/* Adds the open cells orthogonally adjacent to the part. True: there were some. */
static bool grow(const BattlegroundContent *content, ReachColumn *part) {
    bool grew = false;
    for (int x = 0; x < content->width; x++) {
        uint64_t low = part[x].rows[0], high = part[x].rows[1];
        ReachColumn left = x > 0 ? part[x - 1] : (ReachColumn){{0, 0}};
        ReachColumn right = x + 1 < content->width ? part[x + 1] : (ReachColumn){{0, 0}};
        part[x].rows[0] = content->open[x].rows[0] &
                          (low | low << 1 | low >> 1 | high << 63 | left.rows[0] | right.rows[0]);
        part[x].rows[1] = content->open[x].rows[1] &
                          (high | high << 1 | high >> 1 | low >> 63 | left.rows[1] | right.rows[1]);
        grew |= part[x].rows[0] != low || part[x].rows[1] != high;
    }
    return grew;
}

/* Finds the largest connected part of the field [9.7]; of equal ones the first by x, then y. If it
 * is too small for all warriors, no cell is closed. */
static void find_summon_cells(BattlegroundContent *content) {
    ReachColumn left[MASH_SIDE_MAX];
    int most = UNITS - 1;
    memcpy(content->summon, content->open, sizeof content->summon);
    memcpy(left, content->open, sizeof left);
    for (int x = 0; x < content->width; x++)
        for (int y = 0; y < content->height; y++) {
            ReachColumn part[MASH_SIDE_MAX] = {{{0, 0}}};
            if (!reach_is_open(left, x, y))
                continue;
            reach_open(part, x, y);
            while (grow(content, part))
                ;
            for (int i = 0; i < content->width; i++) {
                left[i].rows[0] &= ~part[i].rows[0];
                left[i].rows[1] &= ~part[i].rows[1];
            }
            if (cells_of(part, content->width) <= most)
                continue;
            most = cells_of(part, content->width);
            memcpy(content->summon, part, sizeof content->summon);
        }
}

/* The field must have room for every warrior of both teams [1.3]. */
static void check_field(FieldsReader *reader, uint32_t node, void *record) {
    BattlegroundContent *content = record;
    content->summon_freely = !content->summon_freely; /* as read it is `must_summon` */
    if (content->cells < UNITS)
        json_problem(reader->json, json_member(reader->json, node, "rows"), reader->problems,
                     "must have at least %d open cells, found %d", (int)UNITS, content->cells);
    else
        find_summon_cells(content);
}

static const FieldCustom row = {.wanted = "a string",
                                .read = read_row,
                                .schema = "\"type\":\"string\",\"pattern\":\"^[.#]{1,100}$\"",
                                .words = "string of . and #, 1 to 100"};
static const Field row_item = {.key = "rows", .kind = FIELD_CUSTOM, .custom = &row};
static const Field field_fields[] = {
    FIELD_PART(LIST, "rows", .item = &row_item, .min = 1, .max = MASH_SIDE_MAX, .label = "Board",
               .meaning =
                   "Rows from top to bottom, one character per cell: . is open, # is a wall."),
    FIELD(BOOL, "must_summon", BattlegroundContent, summon_freely, .optional = true, .fallback = 1,
          .label = "Must summon",
          .meaning = "A side with nobody on the board must summon; default: yes. The "
                     "match option of the same name overrides it."),
};
static const Fields field_document = {
    .id = ".field.json",
    .meaning = "a field",
    .beyond = "all rows have the same length, and at least ten cells are open",
    FIELDS_OF(field_fields),
    .check = check_field};

const Fields *const battleground_documents[] = {&warriors_document, &field_document, NULL};

/* --- Bounds ----------------------------------------------------------------------------------- */

/* The longest list of all phases. */
static uint32_t actions_most(const BattlegroundContent *content) {
    int warriors = content->team_warriors, walk = walk_most(content);
    int around = 2 * walk * (walk + 1); /* cells within `walk` steps of an open field */
    int uses = content->potions_count * MASH_SEATS * warriors;
    int choice = most_of(content->kinds_count + 1, content->potions_count);
    int moves = warriors * (around < content->cells ? around : content->cells) + uses + 1;
    int attacks = warriors * 4 + uses + 1;
    int summons = warriors * content->cells + 1;
    return (uint32_t)most_of(most_of(choice, moves), most_of(attacks, summons));
}

/* A turn that does damage takes at least one point of health, and there are only so many: what all
 * warriors have and what all potions may give back. Between two such turns, and after the last,
 * there are fewer turns than the number that ends a match [8.2]. In one turn every own warrior
 * moves once and attacks once, and four phases end; potions are used up, choices and first summons
 * are made once in a match. */
static uint32_t length_most(const BattlegroundContent *content) {
    uint32_t health = 0, healing = 0;
    for (int kind = 1; kind <= content->kinds_count; kind++)
        health = content->kinds[kind].health > health ? content->kinds[kind].health : health;
    for (int i = 0; i < content->potions_count; i++)
        if (content->potions[i].stat == STAT_HEALTH &&
            (uint32_t)content->potions[i].amount > healing)
            healing = (uint32_t)content->potions[i].amount;
    uint32_t warriors = content->team_warriors, potions = content->team_potions;
    uint32_t damage = MASH_SEATS * (warriors * health + potions * healing);
    uint32_t turns = (damage + 1) * content->quiet_turns;
    uint32_t once = MASH_SEATS * (warriors + potions) + 3 + MASH_SEATS * potions;
    return turns * (2 * warriors + 4) + once;
}

enum {
    /* Choosing the default team appends the most events if it completes both teams: the chooser's
     * ten, ready, both teams, match, turn, phase, a draw that lapses. No turn has as many: an
     * attack that ends it tells four, ten effects at most that are over, and five about turns and a
     * draw that lapses. */
    EVENTS_MOST = (SLOTS + ITEMS) + 1 + MASH_SEATS * (SLOTS + ITEMS) + 4,
    /* Three of each warrior, all effects, two and the potions of each side, one of the table; what
     * is on offer: three of each kind, two of each potion. */
    METERS_MOST =
        3 * UNITS + EFFECTS + MASH_SEATS * (2 + POTIONS_MAX) + 1 + 3 * KINDS_MAX + 2 * POTIONS_MAX,
};

/* The most memory and the most actions that a match with this content can need. */
static void finish(MashContent *loaded) {
    const BattlegroundContent *content = battleground_content(loaded);
    loaded->limits = (MashLimits){
        .state_bytes = sizeof(BattlegroundState),
        .core_bytes = offsetof(BattlegroundState, figures),
        .actions_max = actions_most(content),
        .events_max = EVENTS_MOST,
        .tokens_max = UNITS,
        .meters_max = METERS_MOST,
        .length_max = length_most(content),
        .width = content->width,
        .height = content->height,
        .units = UNITS,
    };
}

/* --- The whole -------------------------------------------------------------------------------- */

static const TextsIds lists[] = {
    {MASH_NAME_KIND, 1, 0, NULL, kind_id},
    TEXTS_IDS(GROUND, 0, "floor", "wall"),
    TEXTS_IDS_MORE(METER, 0, potion_id, "health", "attack", "walk", "potions", "warriors", "quiet",
                   "gives-health", "gives-attack", "gives-walk", "turns"),
    TEXTS_IDS(PHASE, 0, "choose", "first-summon", "move-1", "attack", "move-2", "summon"),
    TEXTS_IDS(VERB, VERB_CHOOSE, "choose", "pack", "usual", "move", "attack", "use", "summon",
              "end"),
    TEXTS_IDS(ABILITY, 0, "strike"),
    {MASH_NAME_ITEM, 0, 0, NULL, potion_id},
    {MASH_NAME_EFFECT, 0, 0, NULL, potion_id},
    TEXTS_IDS(REASON, MASH_REASON_GAME, "defeated", "quiet"),
    TEXTS_IDS(FIGURE, 0, "damage-dealt", "damage-taken", "knock-outs", "steps", "healing",
              "potions-used", "potions-received"),
    TEXTS_IDS(SIDE, 0, "red", "blue"),
};
static const MashEventKind events[] = {
    MASH_EVENT_CHOSEN,        MASH_EVENT_READY,       MASH_EVENT_MATCH_BEGAN,
    MASH_EVENT_TURN_BEGAN,    MASH_EVENT_PHASE_BEGAN, MASH_EVENT_TURN_ENDED,
    MASH_EVENT_MOVED,         MASH_EVENT_APPEARED,    MASH_EVENT_ATTACKED,
    MASH_EVENT_MISSED,        MASH_EVENT_HURT,        MASH_EVENT_HEALED,
    MASH_EVENT_DIED,          MASH_EVENT_USED,        MASH_EVENT_EFFECT_BEGAN,
    MASH_EVENT_EFFECT_ENDED,  MASH_EVENT_REVEALED,    MASH_EVENT_DRAW_OFFERED,
    MASH_EVENT_DRAW_DECLINED, MASH_EVENT_MATCH_ENDED,
};
GAME_LOAD(battleground, .hashed_bytes = offsetof(BattlegroundContent, texts),
          .texts_need_kinds = true, .finish = finish)
