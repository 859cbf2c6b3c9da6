/* load.c -- the documents of this game as tables of fields: characters, match and scenario in the
 * committee's formats; its names; the limits that follow from the content. */
#include <string.h>

#include "base/utf8.h"
#include "games/marvelous-mashup/state.h"

/* --- Characters [13.1] ------------------------------------------------------------------------ */

/* A character as it is read: figures and words are kept apart. */
typedef struct CharacterRow {
    MarvelousKind kind;
    char name[NAME_BYTES], avatar[NAME_BYTES];
} CharacterRow;

/* Stores a valid character. */
static void take_character(FieldsReader *reader, uint32_t node, void *read) {
    MarvelousContent *content = reader->record;
    const CharacterRow *row = read;
    KindWords *words = &content->words[content->kinds_count];
    (void)node;
    memcpy(words->name, row->name, sizeof words->name);
    memcpy(words->avatar, row->avatar, sizeof words->avatar);
    content->kinds[content->kinds_count++] = row->kind;
}

static const Field character_fields[] = {
    FIELD(INT, "characterID", CharacterRow, kind.number, .min = 1, .max = 9999, .unique = true,
          .label = "Number", .meaning = "Unique number of the hero; also selects its picture."),
    FIELD(LINE, "name", CharacterRow, name, .unique = true, .format = &field_line, .label = "Name",
          .meaning = "At most 63 bytes of UTF-8, no control characters."),
    FIELD(INT, "HP", CharacterRow, kind.health, .min = 1, .max = 2000, .label = "Health",
          .meaning = "Health."),
    FIELD(INT, "MP", CharacterRow, kind.moves, .max = 1000, .label = "Steps",
          .meaning = "Steps per turn."),
    FIELD(INT, "AP", CharacterRow, kind.actions, .max = 1000, .label = "Actions",
          .meaning = "Actions per turn."),
    FIELD(INT, "meleeDamage", CharacterRow, kind.melee, .max = 999, .label = "Melee damage",
          .meaning = "Damage to an adjacent target."),
    FIELD(INT, "rangeCombatDamage", CharacterRow, kind.ranged, .max = 2000,
          .label = "Ranged damage", .meaning = "Damage to a target further away."),
    FIELD(INT, "rangeCombatReach", CharacterRow, kind.reach, .min = 2, .max = 500, .label = "Range",
          .meaning = "Maximum range."),
    FIELD(LINE, "avatar", CharacterRow, avatar, .optional = true, .empty = true,
          .format = &field_line, .label = "Picture",
          .meaning = "Picture to use instead of the default one."),
};
/* The committee's schema allows further keys here. */
static const Fields character_rows = {.id = "character",
                                      FIELDS_OF(character_fields),
                                      .bytes = sizeof(CharacterRow),
                                      .open = true,
                                      .check = take_character};

static const Field characters_fields[] = {
    FIELD_PART(ROWS, "characters", .rows = &character_rows, .min = KINDS_LEAST, .max = KINDS_MAX,
               .label = "Heroes", .meaning = "All heroes; each player is offered twelve of them."),
};
static const Fields character_document = {.id = ".character.json",
                                          .meaning = "characters",
                                          .beyond = "each characterID and each name is unique",
                                          FIELDS_OF(characters_fields)};

/* By characterID, as units are numbered [4.5]; so the order in the file does not matter. */
static void sort_kinds(MarvelousContent *content) {
    for (uint32_t i = 1; i < content->kinds_count; i++)
        for (uint32_t j = i; j > 0 && content->kinds[j].number < content->kinds[j - 1].number;
             j--) {
            MarvelousKind kind = content->kinds[j];
            KindWords words = content->words[j];
            content->kinds[j] = content->kinds[j - 1];
            content->words[j] = content->words[j - 1];
            content->kinds[j - 1] = kind;
            content->words[j - 1] = words;
        }
}

/* --- Codes: four letters for each hero, to be drawn and typed ----------------------------------
 */

/* Code points of a code, lower-case. */
typedef struct ShortName {
    char points[4][4];
    uint32_t lengths[4], count;
} ShortName;

/* Is the byte part of a word? Those of letters beyond ASCII are. */
static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (uint8_t)byte >= 0x80;
}

/* One more letter of a code, which has four at most; capitals of ASCII become small. */
static void short_name_add(ShortName *code, const char *point, uint32_t length) {
    if (code->count == 4)
        return;
    memcpy(code->points[code->count], point, length);
    if (point[0] >= 'A' && point[0] <= 'Z')
        code->points[code->count][0] = (char)(point[0] - 'A' + 'a');
    code->lengths[code->count++] = length;
}

/* The initials of all words but the last, and the last word as far as there is room: "Black Widow"
 * gives bwid, "Hulk" hulk. */
static ShortName short_name_of(const char *name) {
    ShortName code = {.count = 0};
    const char *last = name;
    for (const char *at = name; *at != '\0'; at++)
        if (is_letter(*at) && (at == name || !is_letter(at[-1])))
            last = at;
    for (const char *at = name; *at != '\0';) {
        uint32_t length = utf8_length(at, (uint32_t)strlen(at));
        bool initial = at == name || !is_letter(at[-1]);
        if (is_letter(*at) && (initial || at >= last))
            short_name_add(&code, at, length);
        at += length;
    }
    if (code.count == 0)
        short_name_add(&code, "h", 1);
    return code;
}

/* Is this a code of an earlier kind, or the beginning of another unit's name? */
static bool short_name_taken(const MarvelousContent *content, uint32_t before, const char *code) {
    static const char *const others[] = {"goos", "stan", "than", "spac", "mind",
                                         "real", "powe", "time", "soul"};
    for (uint32_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], code) == 0)
            return true;
    for (uint32_t i = 0; i < before; i++)
        if (strcmp(content->words[i].code, code) == 0)
            return true;
    return false;
}

/* A unique code: with a number at its end if necessary. */
static void make_short_name(MarvelousContent *content, uint32_t kind) {
    ShortName code = short_name_of(content->words[kind].name);
    for (uint32_t number = 1;; number++) {
        uint32_t digits = number == 1 ? 0 : number < 10 ? 1 : number < 100 ? 2 : 3;
        MashText text = text_over(content->words[kind].code, CODE_BYTES);
        for (uint32_t i = 0; i < code.count && i < 4 - digits; i++)
            text_bytes(&text, code.points[i], code.lengths[i]);
        if (number > 1)
            text_int(&text, number);
        if (!short_name_taken(content, kind, content->words[kind].code))
            return;
    }
}

/* --- The match [13.2] ------------------------------------------------------------------------- */

/* A match as it is read: times in seconds. */
typedef struct MatchRow {
    uint32_t turn, match, animation, pause, silence;
    uint16_t rounds, mind_damage;
    uint8_t cooldowns[STONES];
} MatchRow;

/* Stores it; seconds become milliseconds. */
static void take_match(FieldsReader *reader, uint32_t node, void *read) {
    MarvelousContent *content = reader->record;
    MashLimits *limits = &((MashContent *)reader->context)->limits;
    const MatchRow *row = read;
    (void)node;
    content->rounds_max = row->rounds;
    content->mind_damage = row->mind_damage;
    memcpy(content->cooldowns, row->cooldowns, sizeof content->cooldowns);
    limits->turn_ms = row->turn * 1000;
    limits->match_ms = row->match * 1000;
    limits->animation_ms = row->animation * 1000;
    limits->pause_ms = row->pause * 1000;
    limits->silence_ms = row->silence * 1000;
}

/* The rounds of one stone. */
#define COOLDOWN(key, stone, name, least)                                                          \
    FIELD(INT, key, MatchRow, cooldowns[stone], .min = least, .max = 50,                           \
          .label = name " Stone cooldown",                                                         \
          .meaning = "Rounds until the " name " Stone can be used again.")

static const Field match_fields[] = {
    FIELD(INT, "maxRounds", MatchRow, rounds, .max = LAST_ROUND, .label = "Thanos arrives in round",
          .meaning = "Thanos arrives at the start of this round; 0 = round 500."),
    FIELD(INT, "maxRoundTime", MatchRow, turn, .min = 1, .max = 5000, .label = "Turn time (s)",
          .meaning = "Seconds per turn."),
    FIELD(INT, "maxGameTime", MatchRow, match, .max = 1000000, .optional = true,
          .label = "Match time (s)",
          .meaning = "Seconds of play after which Thanos arrives with the next round; 0 or "
                     "omitted = no limit."),
    FIELD(INT, "maxAnimationTime", MatchRow, animation, .max = 5000, .label = "Animation time (s)",
          .meaning = "Maximum seconds to animate one action; 0 = no limit."),
    COOLDOWN("spaceStoneCD", STONE_SPACE, "Space", 0),
    COOLDOWN("mindStoneCD", STONE_MIND, "Mind", 0),
    COOLDOWN("realityStoneCD", STONE_REALITY, "Reality", 0),
    COOLDOWN("powerStoneCD", STONE_POWER, "Power", 0),
    COOLDOWN("timeStoneCD", STONE_TIME, "Time", 1),
    COOLDOWN("soulStoneCD", STONE_SOUL, "Soul", 0),
    FIELD(INT, "mindStoneDMG", MatchRow, mind_damage, .max = 1000, .label = "Mind Stone damage",
          .meaning = "Damage of the Mind Stone."),
    FIELD(INT, "maxPauseTime", MatchRow, pause, .max = 1000000, .label = "Longest pause (s)",
          .meaning = "Maximum length of a pause in seconds; 0 = no pauses."),
    FIELD(INT, "maxResponseTime", MatchRow, silence, .min = 1, .max = 5000,
          .label = "Response time (s)",
          .meaning = "Seconds without a response before a client loses."),
};
static const Fields match_document = {.id = ".game.json",
                                      .meaning = "the limits of a match",
                                      FIELDS_OF(match_fields),
                                      .bytes = sizeof(MatchRow),
                                      .check = take_match};

/* --- The scenario [13.3] ---------------------------------------------------------------------- */

/* Stores the ground of one field, and a portal's number; fields off the board are ignored. */
static void keep_field(MarvelousContent *content, uint32_t x, uint32_t y, uint32_t ground) {
    static const uint8_t bytes[GROUNDS] = {CELL_FREE, CELL_ROCKS + ROCK_HEALTH, CELL_PORTAL};
    if (x >= content->width || y >= content->height)
        return;
    uint32_t cell = cell_at(content, (int)x, (int)y);
    content->ground[cell] = bytes[ground];
    if (ground == GROUND_PORTAL)
        content->portals[content->portals_count++] = (uint16_t)cell;
}

/* Reads one row of the scenario and counts its fields by their ground. */
static void read_row(FieldsReader *reader, uint32_t row, uint32_t y, uint32_t width,
                     uint32_t counts[GROUNDS]) {
    static const char *const words[GROUNDS] = {"GRASS", "ROCK", "PORTAL"};
    const Json *json = reader->json;
    if (!json_expect_kind(json, row, JSON_ARRAY, reader->problems))
        return;
    if (json->nodes[row].count != width)
        json_problem(json, row, reader->problems,
                     "all rows must have %u cells like the first; found %u", (unsigned)width,
                     (unsigned)json->nodes[row].count);
    uint32_t x = 0;
    for (uint32_t node = json_first(json, row); node != JSON_NONE;
         node = json->nodes[node].next, x++) {
        uint32_t ground;
        if (!json_choice(json, node, words, GROUNDS, &ground, reader->problems))
            continue;
        counts[ground]++;
        keep_field(reader->record, x, y, ground);
    }
}

/* Reports a board that has too few or too many rows or columns [1.1]. */
static void check_side(FieldsReader *reader, uint32_t node, const char *what, uint32_t found) {
    if (found < SIDE_LEAST || found > MASH_SIDE_MAX)
        json_problem(reader->json, node, reader->problems, "must have %d to %d %s, found %u",
                     (int)SIDE_LEAST, (int)MASH_SIDE_MAX, what, (unsigned)found);
}

/* Reports a board without room for all units, or with a portal that leads nowhere [13.3]. */
static void check_fields(FieldsReader *reader, uint32_t rows, const uint32_t counts[GROUNDS]) {
    if (counts[GROUND_GRASS] < GRASS_LEAST)
        json_problem(reader->json, rows, reader->problems,
                     "at least %d cells must be GRASS (room for 12 characters, 6 stones, Thanos "
                     "and Stan Lee); found %u",
                     (int)GRASS_LEAST, (unsigned)counts[GROUND_GRASS]);
    if (counts[GROUND_PORTAL] == 1)
        json_problem(reader->json, rows, reader->problems,
                     "must have no PORTAL or at least 2 (a single one leads nowhere); found 1");
}

/* Reads all rows of the scenario; the first says how wide the board is. */
static bool read_rows(FieldsReader *reader, const Field *field, uint32_t rows, void *to) {
    const Json *json = reader->json;
    MarvelousContent *content = reader->record;
    uint32_t counts[GROUNDS] = {0}, before = reader->problems->count, y = 0;
    uint32_t height = json->nodes[rows].count, first = json_first(json, rows);
    uint32_t width = first == JSON_NONE ? 0 : json->nodes[first].count;
    (void)field, (void)to;
    if (!json_expect_kind(json, rows, JSON_ARRAY, reader->problems))
        return false;
    check_side(reader, rows, "rows", height);
    if (first != JSON_NONE && json->nodes[first].kind == JSON_ARRAY)
        check_side(reader, first, "fields in a row", width);
    if (width <= MASH_SIDE_MAX && height <= MASH_SIDE_MAX) {
        content->width = (uint8_t)width;
        content->height = (uint8_t)height;
        content->cells_count = (uint16_t)(width * height);
    }
    for (uint32_t row = first; row != JSON_NONE; row = json->nodes[row].next)
        read_row(reader, row, y++, width, counts);
    check_fields(reader, rows, counts);
    return reader->problems->count == before;
}

static const FieldCustom rows = {
    .wanted = "an array",
    .read = read_rows,
    .schema =
        "\"type\":\"array\",\"minItems\":1,\"maxItems\":100,\"items\":{\"type\":\"array\","
        "\"minItems\":1,\"maxItems\":100,\"items\":{\"enum\":[\"GRASS\",\"ROCK\",\"PORTAL\"]}}",
    .words = "array of 1 to 100 rows, each an array of 1 to 100: `GRASS`, `ROCK`, `PORTAL`"};

static const Field scenario_fields[] = {
    FIELD_PART(CUSTOM, "scenario", .custom = &rows, .label = "Board",
               .meaning = "The rows from top to bottom, each from left to right."),
    FIELD(LINE, "name", MarvelousContent, scenario, .empty = true, .format = &field_line,
          .label = "Name", .meaning = "At most 63 bytes of UTF-8, no control characters."),
    FIELD(LINE, "author", MarvelousContent, author, .empty = true, .optional = true,
          .format = &field_line, .label = "Author",
          .meaning = "At most 63 bytes of UTF-8, no control characters."),
};
static const Fields scenario_document = {
    .id = ".scenario.json",
    .meaning = "a scenario",
    .beyond =
        "all rows have the same length, at least 20 cells are GRASS, and there is no PORTAL or "
        "at least two",
    FIELDS_OF(scenario_fields)};

const Fields *const marvelous_documents[] = {&character_document, &match_document,
                                             &scenario_document, NULL};

/* --- Texts ------------------------------------------------------------------------------------ */

#define STONE_IDS "space", "mind", "reality", "power", "time", "soul"
static const TextsIds lists[] = {
    TEXTS_IDS(KIND, KIND_GOOSE, "goose", "stan-lee", "thanos", "space-stone", "mind-stone",
              "reality-stone", "power-stone", "time-stone", "soul-stone"),
    TEXTS_IDS(GROUND, 0, "grass", "rock", "portal"),
    TEXTS_IDS(METER, 0, "health", "movement", "actions", "melee", "ranged", "reach", STONE_IDS,
              "cooldown", "inside", "round", "most-stones", "knock-outs", "damage"),
    TEXTS_IDS(PHASE, 0, "choice", "play", "thanos", "over"),
    TEXTS_IDS(VERB, VERB_CHOOSE, "choose", "move", "melee", "ranged", "use", "give", "end"),
    TEXTS_IDS(ABILITY, 0, STONE_IDS, "melee", "ranged"),
    TEXTS_IDS(ITEM, 0, STONE_IDS),
    TEXTS_IDS(REASON, MASH_REASON_GAME, "six-stones", "most-stones", "knock-outs", "damage", "lot"),
    TEXTS_IDS(FIGURE, 0, "damage", "knock-outs", "most-stones", "steps", "used", "turns"),
    TEXTS_IDS(SIDE, 0, "first", "second"),
};

/* --- Limits ----------------------------------------------------------------------------------- */

/* The greater of two. */
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Rounds of one match: those before Thanos arrives, then one for each of his turns. Even if his
 * points begin with 0, they reach the longer side of the board by then; from then on each turn
 * brings him a stone, or he waits for Goose; then he snaps. */
static uint32_t thanos_turns(const MarvelousContent *content) {
    return larger(content->width, content->height) + STONES + GOOSE_ROUNDS + SNAPS_MAX;
}

/* Twelve choices; in each round twelve turns, each spending all points and ending, and once in a
 * round the Time Stone, whose cooldown is at least 1, gives all points again. */
static uint32_t length_max(const MarvelousContent *content) {
    uint32_t points = 0;
    for (uint32_t i = 0; i < content->kinds_count; i++)
        points = larger(points, content->kinds[i].moves + (uint32_t)content->kinds[i].actions);
    uint32_t rounds = thanos_round(content) + thanos_turns(content);
    return HEROES + rounds * (HEROES * (points + 1) + points);
}

/* One action itself appends at most 32 events: six dropped stones with six crumbling rocks are the
 * most. The rest is what NPCs do until the next hero's turn. Rounds pass without one only after
 * Thanos knocked out the last one standing, so there are at most as many as he has turns, and two
 * around them; each has one event of its own, fourteen places of the order, and two events per
 * turn. Then Goose (four events, six times), Stan Lee (sixteen), and Thanos: he crosses the board
 * at most once for each stone, since nothing else moves, with three events for a step; six stones,
 * twelve heroes robbed (two events), twelve dusted, his arrival, the end. */
static uint32_t events_max(const MarvelousContent *content) {
    uint32_t side = larger(content->width, content->height);
    uint32_t round = 1 + ORDER_MAX + 2 * (HEROES + 2);
    uint32_t once = 32 + 6 * 4 + 16 + STONES + 2 * HEROES + HEROES + 2 + content->portals_count + 1;
    return once + (thanos_turns(content) + 2) * round + 3 * STONES * side;
}

/* Moves, melee, four stones with neighbours and the Time Stone, six stones to eight neighbours, the
 * end; targets of the Space Stone are free cells, those of the Mind Stone and of ranged attacks are
 * not. Meters: six of each on offer are more than all there are in play. */
static void fill_limits(const MarvelousContent *content, MashLimits *limits) {
    limits->state_bytes = state_bytes(content);
    limits->core_bytes = core_bytes(content);
    limits->actions_max = 2u * content->cells_count + 8 + 8 + 3 * 8 + 1 + STONES * 8 + 1;
    limits->events_max = events_max(content);
    limits->tokens_max = MASH_SEATS * OFFERED + ACTORS - HEROES + STONES;
    limits->meters_max = MASH_SEATS * OFFERED * 6 + 2 * STONES + 8;
    limits->length_max = length_max(content);
    limits->width = content->width;
    limits->height = content->height;
    limits->units = UNITS;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* Order and names of the kinds, and the limits. */
static void finish(MashContent *loaded) {
    MarvelousContent *content = (void *)loaded->body;
    sort_kinds(content);
    for (uint32_t i = 0; i < content->kinds_count; i++) {
        make_short_name(content, i);
        marvelous_make_id(content, i);
    }
    fill_limits(content, &loaded->limits);
}

const ContentPlan marvelous_plan = {
    .game = &marvelous_mashup_game,
    .hashed_bytes = offsetof(MarvelousContent, words),
    .texts = TEXTS_SHAPE(lists, marvelous_events, marvelous_descriptions),
    .finish = finish,
};
bool marvelous_load(const MashDocuments *documents, MashContent *loaded, MashProblems *problems) {
    return content_load(&marvelous_plan, documents, loaded, problems);
}
