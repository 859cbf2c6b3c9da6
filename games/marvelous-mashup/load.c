/* load.c -- reads characters, match and scenario in the committee's formats, and texts; checks all
 * of it and works out the terms.
 *
 * Every problem is reported with its path before the load fails. The nouns are zeroed first, so
 * that what is hashed has no stray bytes. */
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/utf8.h"
#include "games/marvelous-mashup/state.h"

#define COUNT_OF(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

/* What is being read, and where problems go. */
typedef struct Reading {
    Json json;
    MarvelousContent *content;
    MashLimits *terms;
    MashProblems *problems;
} Reading;

/* The number of this key; `least` and a problem if it is none within the bounds. */
static int32_t whole(Reading *reading, uint32_t object, const char *key, int32_t least,
                     int32_t most) {
    int32_t value;
    json_int_at(&reading->json, object, key, least, most, &value, reading->problems);
    return value;
}

/* Words that say nothing when they are empty, as the committee's schema allows; `needed`: the key
 * must be there all the same. */
static void read_label(Reading *reading, uint32_t object, const char *key, bool needed,
                       char out[NAME_BYTES]) {
    const Json *json = &reading->json;
    uint32_t node = json_member(json, object, key);
    bool silent = node == JSON_NONE ? !needed : json_equals(json, node, "");
    if (!silent)
        json_line_at(json, object, key, out, NAME_BYTES, reading->problems);
}

/* --- Characters [13.1] ------------------------------------------------------------------------ */

/* Nobody before number `count` has this characterID. */
static void check_number(Reading *reading, uint32_t node, uint32_t count) {
    const MarvelousContent *content = reading->content;
    for (uint32_t i = 0; i < count; i++)
        if (content->kinds[i].number == content->kinds[count].number)
            json_problem(&reading->json, node, reading->problems,
                         "each characterID may be given once, but %u is also that of "
                         "$.characters[%u]",
                         content->kinds[count].number, (unsigned)i);
}

/* Nobody before number `count` has this name. */
static void check_name(Reading *reading, uint32_t node, uint32_t count) {
    const MarvelousContent *content = reading->content;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(content->words[i].name, content->words[count].name) == 0)
            json_problem(&reading->json, node, reading->problems,
                         "each name may be given once, but \"%s\" is also that of "
                         "$.characters[%u]",
                         content->words[count].name, (unsigned)i);
}

/* The number, the name and the picture of a character. */
static void read_names(Reading *reading, uint32_t node, uint32_t count) {
    const Json *json = &reading->json;
    KindWords *words = &reading->content->words[count];
    int32_t number;
    if (json_int_at(json, node, "characterID", 1, 9999, &number, reading->problems)) {
        reading->content->kinds[count].number = (uint16_t)number;
        check_number(reading, json_member(json, node, "characterID"), count);
    }
    if (json_line_at(json, node, "name", words->name, sizeof words->name, reading->problems))
        check_name(reading, json_member(json, node, "name"), count);
    read_label(reading, node, "avatar", false, words->avatar);
}

/* The committee's schema allows further keys here, so unknown ones are not looked at. */
static void read_character(Reading *reading, uint32_t node, uint32_t count) {
    if (!json_expect_kind(&reading->json, node, JSON_OBJECT, reading->problems))
        return;
    MarvelousKind *kind = &reading->content->kinds[count];
    read_names(reading, node, count);
    kind->health = (uint16_t)whole(reading, node, "HP", 1, 2000);
    kind->moves = (uint16_t)whole(reading, node, "MP", 0, 1000);
    kind->actions = (uint16_t)whole(reading, node, "AP", 0, 1000);
    kind->melee = (uint16_t)whole(reading, node, "meleeDamage", 0, 999);
    kind->ranged = (uint16_t)whole(reading, node, "rangeCombatDamage", 0, 2000);
    kind->reach = (uint16_t)whole(reading, node, "rangeCombatReach", 2, 500);
}

/* By characterID, as units are numbered [4.5]; so the order in the file means nothing. */
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

/* Reads the document of characters; of more than are allowed the first. */
static void read_characters(Reading *reading) {
    static const char *const keys[] = {"characters"};
    const Json *json = &reading->json;
    if (!json_refuse_unknown_keys(json, 0, keys, COUNT_OF(keys), reading->problems) &&
        json->nodes[0].kind != JSON_OBJECT)
        return;
    uint32_t list = json_expect_member(json, 0, "characters", JSON_ARRAY, reading->problems);
    if (list == JSON_NONE)
        return;
    uint32_t found = json->nodes[list].count, count = 0;
    if (found < KINDS_LEAST || found > KINDS_MAX)
        json_problem(json, list, reading->problems,
                     "there must be from %d to %d characters, found %u", (int)KINDS_LEAST,
                     (int)KINDS_MAX, (unsigned)found);
    for (uint32_t node = json_first(json, list); node != JSON_NONE && count < KINDS_MAX;
         node = json->nodes[node].next)
        read_character(reading, node, count++);
    reading->content->kinds_count = (uint16_t)count;
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
    for (uint32_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(others[i], code) == 0)
            return true;
    for (uint32_t i = 0; i < before; i++)
        if (strcmp(content->words[i].code, code) == 0)
            return true;
    return false;
}

/* A code that nobody has yet: with a number at its end if it must be. */
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

static const char *const cooldown_keys[STONES] = {"spaceStoneCD", "mindStoneCD", "realityStoneCD",
                                                  "powerStoneCD", "timeStoneCD", "soulStoneCD"};

/* Reads a time in seconds, as milliseconds. */
static uint32_t clock(Reading *reading, const char *key, int32_t least, int32_t most) {
    return (uint32_t)whole(reading, 0, key, least, most) * 1000u;
}

/* Reads the document of the match; its seconds become milliseconds. */
static void read_match(Reading *reading) {
    static const char *const keys[] = {
        "maxRounds",    "maxRoundTime",   "maxGameTime",    "maxAnimationTime", "spaceStoneCD",
        "mindStoneCD",  "realityStoneCD", "powerStoneCD",   "timeStoneCD",      "soulStoneCD",
        "mindStoneDMG", "maxPauseTime",   "maxResponseTime"};
    MarvelousContent *content = reading->content;
    MashLimits *terms = reading->terms;
    if (!json_refuse_unknown_keys(&reading->json, 0, keys, COUNT_OF(keys), reading->problems) &&
        reading->json.nodes[0].kind != JSON_OBJECT)
        return;
    content->rounds_max = (uint16_t)whole(reading, 0, "maxRounds", 0, LAST_ROUND);
    terms->turn_ms = clock(reading, "maxRoundTime", 1, 5000);
    if (json_member(&reading->json, 0, "maxGameTime") != JSON_NONE)
        terms->match_ms = clock(reading, "maxGameTime", 0, 1000000);
    terms->animation_ms = clock(reading, "maxAnimationTime", 0, 5000);
    for (uint32_t stone = 0; stone < STONES; stone++)
        content->cooldowns[stone] =
            (uint8_t)whole(reading, 0, cooldown_keys[stone], stone == STONE_TIME, 50);
    content->mind_damage = (uint16_t)whole(reading, 0, "mindStoneDMG", 0, 1000);
    terms->pause_ms = clock(reading, "maxPauseTime", 0, 1000000);
    terms->silence_ms = clock(reading, "maxResponseTime", 1, 5000);
}

/* --- The scenario [13.3] ---------------------------------------------------------------------- */

/* How many fields of each kind were found. */
typedef struct Fields {
    uint32_t counts[GROUNDS];
} Fields;

/* Keeps the ground of one field, and a portal's number; fields off the board are passed over. */
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
static void read_row(Reading *reading, uint32_t row, uint32_t y, uint32_t width, Fields *fields) {
    static const char *const words[GROUNDS] = {"GRASS", "ROCK", "PORTAL"};
    const Json *json = &reading->json;
    if (!json_expect_kind(json, row, JSON_ARRAY, reading->problems))
        return;
    if (json->nodes[row].count != width)
        json_problem(json, row, reading->problems,
                     "all rows must be as long as the first, which has %u fields; found %u",
                     (unsigned)width, (unsigned)json->nodes[row].count);
    uint32_t x = 0;
    for (uint32_t node = json_first(json, row); node != JSON_NONE;
         node = json->nodes[node].next, x++) {
        uint32_t ground;
        if (!json_choice(json, node, words, GROUNDS, &ground, reading->problems))
            continue;
        fields->counts[ground]++;
        keep_field(reading->content, x, y, ground);
    }
}

/* Reports a board that has too few or too many rows or columns [1.1]. */
static void check_side(Reading *reading, uint32_t node, const char *what, uint32_t found) {
    if (found < SIDE_LEAST || found > MASH_SIDE_MAX)
        json_problem(&reading->json, node, reading->problems,
                     "there must be from %d to %d %s, found %u", (int)SIDE_LEAST,
                     (int)MASH_SIDE_MAX, what, (unsigned)found);
}

/* Reports a board without room for everybody, or with a portal that leads nowhere [13.3]. */
static void check_fields(Reading *reading, uint32_t rows, const Fields *fields) {
    if (fields->counts[GROUND_GRASS] < GRASS_LEAST)
        json_problem(&reading->json, rows, reading->problems,
                     "at least %d fields must be GRASS, to hold 12 characters, 6 stones, Thanos "
                     "and Stan Lee; found %u",
                     (int)GRASS_LEAST, (unsigned)fields->counts[GROUND_GRASS]);
    if (fields->counts[GROUND_PORTAL] == 1)
        json_problem(&reading->json, rows, reading->problems,
                     "there must be no PORTAL or at least 2, so that each leads somewhere; "
                     "found 1");
}

/* Reads all rows of the scenario; the first says how wide the board is. */
static void read_rows(Reading *reading, uint32_t rows) {
    const Json *json = &reading->json;
    MarvelousContent *content = reading->content;
    Fields fields = {{0}};
    uint32_t height = json->nodes[rows].count, first = json_first(json, rows), y = 0;
    uint32_t width = first == JSON_NONE ? 0 : json->nodes[first].count;
    check_side(reading, rows, "rows", height);
    if (first != JSON_NONE && json->nodes[first].kind == JSON_ARRAY)
        check_side(reading, first, "fields in a row", width);
    if (width <= MASH_SIDE_MAX && height <= MASH_SIDE_MAX) {
        content->width = (uint8_t)width;
        content->height = (uint8_t)height;
        content->cells_count = (uint16_t)(width * height);
    }
    for (uint32_t row = first; row != JSON_NONE; row = json->nodes[row].next)
        read_row(reading, row, y++, width, &fields);
    check_fields(reading, rows, &fields);
}

/* Reads the document of the scenario. */
static void read_scenario(Reading *reading) {
    static const char *const keys[] = {"scenario", "name", "author"};
    const Json *json = &reading->json;
    MarvelousContent *content = reading->content;
    if (!json_refuse_unknown_keys(json, 0, keys, COUNT_OF(keys), reading->problems) &&
        json->nodes[0].kind != JSON_OBJECT)
        return;
    read_label(reading, 0, "name", true, content->scenario);
    read_label(reading, 0, "author", false, content->author);
    uint32_t rows = json_expect_member(json, 0, "scenario", JSON_ARRAY, reading->problems);
    if (rows != JSON_NONE)
        read_rows(reading, rows);
}

/* --- Texts ------------------------------------------------------------------------------------ */

bool marvelous_load_texts(const MashDocuments *documents, MashTexts *texts,
                          MashProblems *problems) {
    static const char *const stones[STONES] = {"space", "mind", "reality", "power", "time", "soul"};
    static const char *const kinds[] = {"goose",       "stan-lee",   "thanos",
                                        "space-stone", "mind-stone", "reality-stone",
                                        "power-stone", "time-stone", "soul-stone"};
    static const char *const grounds[GROUNDS] = {"grass", "rock", "portal"};
    static const char *const meters[METERS] = {
        "health",   "movement", "actions", "melee",       "ranged",     "reach",
        "space",    "mind",     "reality", "power",       "time",       "soul",
        "cooldown", "inside",   "round",   "most-stones", "knock-outs", "damage"};
    static const char *const phases[PHASES] = {"choice", "play", "thanos", "over"};
    static const char *const verbs[] = {"choose", "move", "melee", "ranged", "use", "give", "end"};
    static const char *const abilities[ABILITIES] = {"space", "mind", "reality", "power",
                                                     "time",  "soul", "melee",   "ranged"};
    static const char *const reasons[] = {"six-stones", "most-stones", "knock-outs", "damage",
                                          "lot"};
    static const char *const figures[FIGURES] = {"damage", "knock-outs", "most-stones",
                                                 "steps",  "used",       "turns"};
    static const char *const sides[] = {"first", "second"};
    static const TextsIds lists[] = {
        {MASH_NAME_KIND, KIND_GOOSE, COUNT_OF(kinds), kinds},
        {MASH_NAME_GROUND, 0, GROUNDS, grounds},
        {MASH_NAME_METER, 0, METERS, meters},
        {MASH_NAME_PHASE, 0, PHASES, phases},
        {MASH_NAME_VERB, VERB_CHOOSE, COUNT_OF(verbs), verbs},
        {MASH_NAME_ABILITY, 0, ABILITIES, abilities},
        {MASH_NAME_ITEM, 0, STONES, stones},
        {MASH_NAME_REASON, MASH_REASON_GAME, COUNT_OF(reasons), reasons},
        {MASH_NAME_FIGURE, 0, FIGURES, figures},
        {MASH_NAME_SIDE, 0, COUNT_OF(sides), sides},
    };
    return texts_load_described(texts, documents, lists, COUNT_OF(lists), marvelous_events,
                                MARVELOUS_EVENTS, &marvelous_descriptions, problems);
}

/* --- Terms ------------------------------------------------------------------------------------ */

/* The greater of two. */
static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Rounds of one match: those before Thanos comes, then one for each of his turns. If his points
 * begin with 0, he has as many as the longer side of the board by then; from then on each turn
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
    uint32_t before = content->rounds_max == 0 ? LAST_ROUND : content->rounds_max;
    uint32_t rounds = before + thanos_turns(content);
    return HEROES + rounds * (HEROES * (points + 1) + points);
}

/* One action itself tells 32 events at most: six dropped stones with six crumbling rocks are the
 * most. The rest is what NPCs do until somebody's turn comes. Rounds pass without one only after
 * Thanos knocked out the last one standing, so there are at most as many as he has turns, and two
 * around them; each tells of itself, fourteen places of the order, and two events for each turn.
 * Then Goose (four events, six times), Stan Lee (sixteen), and Thanos: he goes at most once across
 * the board for each stone, since nothing else moves, with three events for a step; six stones,
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
static void fill_terms(const MarvelousContent *content, MashLimits *terms) {
    terms->state_bytes = state_bytes(content);
    terms->core_bytes = core_bytes(content);
    terms->actions_max = 2u * content->cells_count + 8 + 8 + 3 * 8 + 1 + STONES * 8 + 1;
    terms->events_max = events_max(content);
    terms->tokens_max = MASH_SEATS * OFFERED + ACTORS - HEROES + STONES;
    terms->meters_max = MASH_SEATS * OFFERED * 6 + 2 * STONES + 8;
    terms->length_max = length_max(content);
    terms->width = content->width;
    terms->height = content->height;
    terms->units = UNITS;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* The one document with this ending, read into the scratch memory. False: a problem was added. */
static bool read_document(const MashDocuments *documents, const char *ending, Reading *reading) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        if (!text_ends_with(documents->list[i].name, ending))
            continue;
        if (found != NULL) {
            problem_add(reading->problems, documents->list[i].name, 0, 0, "",
                        "there can be only one document of this kind, and %s is one already",
                        found->name);
            return false;
        }
        found = &documents->list[i];
    }
    if (found == NULL) {
        problem_add(reading->problems, "", 0, 0, "", "a document that ends in %s is missing",
                    ending);
        return false;
    }
    return json_read(&reading->json, found->name, found->bytes, found->count, documents->scratch,
                     documents->scratch_bytes / (uint32_t)sizeof(JsonNode), reading->problems);
}

/* Reports documents whose name has none of the known endings. */
static void refuse_strangers(const MashDocuments *documents, MashProblems *problems) {
    for (uint32_t i = 0; i < documents->count; i++) {
        const char *name = documents->list[i].name;
        if (!text_ends_with(name, ".character.json") && !text_ends_with(name, ".game.json") &&
            !text_ends_with(name, ".scenario.json") && !text_ends_with(name, ".texts.json"))
            problem_add(problems, name, 0, 0, "",
                        "the name of a document of this game must end in .character.json, "
                        ".game.json, .scenario.json or .texts.json");
    }
}

void marvelous_finish_content(MashContent *loaded) {
    MarvelousContent *content = (void *)loaded->body;
    sort_kinds(content);
    for (uint32_t i = 0; i < content->kinds_count; i++) {
        make_short_name(content, i);
        marvelous_make_id(content, i);
    }
    fill_terms(content, &loaded->limits);
    loaded->game = &marvelous_mashup_game;
    loaded->hash = hash_bytes(0, content, offsetof(MarvelousContent, words));
}

bool marvelous_load(const MashDocuments *documents, MashContent *loaded, MashProblems *problems) {
    MarvelousContent *content = (void *)loaded->body;
    Reading reading = {.content = content, .terms = &loaded->limits, .problems = problems};
    uint32_t before = problems->count;
    memset(content, 0, sizeof *content);
    memset(&loaded->limits, 0, sizeof loaded->limits);
    if (read_document(documents, ".character.json", &reading))
        read_characters(&reading);
    if (read_document(documents, ".game.json", &reading))
        read_match(&reading);
    if (read_document(documents, ".scenario.json", &reading))
        read_scenario(&reading);
    marvelous_load_texts(documents, &content->texts, problems);
    refuse_strangers(documents, problems);
    if (problems->count != before)
        return false;
    marvelous_finish_content(loaded);
    return true;
}
