/* load.c -- reads the content: *.warriors.json (kinds of warrior and potion, team sizes, the usual
 * team), *.field.json (open cells and walls) and *.texts.json; works out the bounds in the terms.
 *
 * Everything is reported that can be, so a document is read on after a fault: fields hold a legal
 * value then, and nothing of it is used once there was a problem. */
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "games/battleground/state.h"

/* What is being loaded, and what was found wrong with it. */
typedef struct Loader {
    BattlegroundContent *content;
    const MashDocuments *documents;
    MashProblems *problems;
    Json json;
    bool ids_known; /* of all warriors and potions: else texts would complain of others' faults */
} Loader;

static const char warriors_ending[] = ".warriors.json", field_ending[] = ".field.json",
                  texts_ending[] = ".texts.json";

/* --- Documents -------------------------------------------------------------------------------- */

/* Reports documents whose name has none of the known endings. */
static void check_endings(const Loader *loader) {
    for (uint32_t i = 0; i < loader->documents->count; i++) {
        const char *name = loader->documents->list[i].name;
        if (!text_ends_with(name, warriors_ending) && !text_ends_with(name, field_ending) &&
            !text_ends_with(name, texts_ending))
            problem_add(loader->problems, name, 0, 0, "",
                        "the name of a document must end in %s, %s or %s", warriors_ending,
                        field_ending, texts_ending);
    }
}

/* Reads the one document with this ending; it must hold an object. */
static bool read_document(Loader *loader, const char *ending) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < loader->documents->count; i++) {
        const MashDocument *document = &loader->documents->list[i];
        if (!text_ends_with(document->name, ending))
            continue;
        if (found != NULL) {
            problem_add(loader->problems, document->name, 0, 0, "",
                        "there is a second document that ends in %s, beside %s", ending,
                        found->name);
            return false;
        }
        found = document;
    }
    if (found == NULL) {
        problem_add(loader->problems, "", 0, 0, "", "a document that ends in %s is missing",
                    ending);
        return false;
    }
    return json_read(&loader->json, found->name, found->bytes, found->count,
                     loader->documents->scratch,
                     loader->documents->scratch_bytes / sizeof(JsonNode), loader->problems) &&
           json_expect_kind(&loader->json, 0, JSON_OBJECT, loader->problems);
}

/* An array under this key with so many elements, or JSON_NONE and a problem. */
static uint32_t read_array(Loader *loader, uint32_t object, const char *key, uint32_t least,
                           uint32_t most) {
    const Json *json = &loader->json;
    uint32_t array = json_expect_member(json, object, key, JSON_ARRAY, loader->problems);
    if (array == JSON_NONE)
        return JSON_NONE;
    uint32_t count = json->nodes[array].count;
    if (count >= least && count <= most)
        return array;
    if (least == most)
        json_problem(json, array, loader->problems, "must have exactly %u entries, found %u", least,
                     count);
    else
        json_problem(json, array, loader->problems, "must have %u to %u entries, found %u", least,
                     most, count);
    return JSON_NONE;
}

/* The number of this key; `least` and a problem if it is none within the bounds. */
static uint8_t read_number(Loader *loader, uint32_t object, const char *key, int least, int most) {
    int32_t number = 0;
    json_int_at(&loader->json, object, key, least, most, &number, loader->problems);
    return (uint8_t)number;
}

/* --- Warriors and potions --------------------------------------------------------------------- */

/* Is it an id: small letters, digits and hyphens, a letter first? */
static bool kebab(const char *id) {
    if (id[0] < 'a' || id[0] > 'z')
        return false;
    for (; *id != '\0'; id++)
        if ((*id < 'a' || *id > 'z') && (*id < '0' || *id > '9') && *id != '-')
            return false;
    return true;
}

/* A word under this key that is fit for typing and that none of the `count` words before it is;
 * these lie `stride` bytes apart. */
static bool read_word(Loader *loader, uint32_t object, const char *key, char *out, uint32_t max,
                      const char *before, uint32_t count, size_t stride) {
    uint32_t problems_before = loader->problems->count;
    if (!json_line_at(&loader->json, object, key, out, max, loader->problems))
        return false;
    uint32_t node = json_member(&loader->json, object, key);
    if (!kebab(out))
        json_problem(&loader->json, node, loader->problems,
                     "must be of a-z, 0-9 and - and begin with a letter, found \"%s\"", out);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(before + i * stride, out) == 0)
            json_problem(&loader->json, node, loader->problems,
                         "\"%s\" stands here twice; every %s must be another", out, key);
    return loader->problems->count == problems_before;
}

/* Reads one kind of warrior [1.1]; a number that is wrong is reported and becomes its least. */
static void read_kind(Loader *loader, uint32_t object, BattlegroundKind *kind) {
    static const char *const keys[] = {"id", "short", "health", "walk", "attack", "optional"};
    const Json *json = &loader->json;
    if (!json_expect_kind(json, object, JSON_OBJECT, loader->problems)) {
        loader->ids_known = false;
        return;
    }
    const BattlegroundKind *first = &loader->content->kinds[1];
    uint32_t before = (uint32_t)(kind - first);
    json_refuse_unknown_keys(json, object, keys, 6, loader->problems);
    loader->ids_known &=
        read_word(loader, object, "id", kind->id, ID_BYTES, first->id, before, sizeof *kind);
    read_word(loader, object, "short", kind->called, SHORT_BYTES, first->called, before,
              sizeof *kind);
    kind->health = read_number(loader, object, "health", 1, NUMBER_MOST);
    kind->walk = read_number(loader, object, "walk", 0, REACH_STEPS_MAX);
    kind->attack = read_number(loader, object, "attack", 0, NUMBER_MOST);
    bool optional = false;
    if (json_member(json, object, "optional") != JSON_NONE)
        json_bool_at(json, object, "optional", &optional, loader->problems);
    kind->optional = optional;
}

/* Reads the kinds of warrior, numbered from 1; at least one must not be optional. */
static void read_kinds(Loader *loader) {
    BattlegroundContent *content = loader->content;
    uint32_t array = read_array(loader, 0, "warriors", 1, KINDS_MAX);
    if (array == JSON_NONE)
        return;
    bool usual = false;
    for (uint32_t node = json_first(&loader->json, array); node != JSON_NONE;
         node = loader->json.nodes[node].next) {
        BattlegroundKind *kind = &content->kinds[++content->kinds_count];
        read_kind(loader, node, kind);
        usual |= !kind->optional;
    }
    if (!usual)
        json_problem(&loader->json, array, loader->problems,
                     "at least one warrior must not be optional");
}

/* Health is given at once, attack and walk are changed for some turns. */
static void read_potion(Loader *loader, uint32_t object, Potion *potion) {
    static const char *const keys[] = {"id", "stat", "amount", "turns"};
    static const char *const stats[STATS] = {"health", "attack", "walk"};
    const Json *json = &loader->json;
    if (!json_expect_kind(json, object, JSON_OBJECT, loader->problems)) {
        loader->ids_known = false;
        return;
    }
    const Potion *first = loader->content->potions;
    json_refuse_unknown_keys(json, object, keys, 4, loader->problems);
    loader->ids_known &= read_word(loader, object, "id", potion->id, ID_BYTES, first->id,
                                   (uint32_t)(potion - first), sizeof *potion);
    uint32_t stat = STAT_HEALTH;
    if (!json_choice_at(json, object, "stat", stats, STATS, &stat, loader->problems))
        return;
    potion->stat = (uint8_t)stat;
    bool heals = stat == STAT_HEALTH;
    potion->turns = read_number(loader, object, "turns", heals ? 0 : 1, heals ? 0 : NUMBER_MOST);
    int32_t amount = 0;
    if (json_int_at(json, object, "amount", heals ? 1 : -CHANGE_MOST,
                    heals ? NUMBER_MOST : CHANGE_MOST, &amount, loader->problems) &&
        amount == 0)
        json_problem(json, json_member(json, object, "amount"), loader->problems,
                     "must not be 0: the potion would do nothing");
    potion->amount = (int8_t)amount;
}

/* Reads the kinds of potion [1.2], numbered from 0. */
static void read_potions(Loader *loader) {
    BattlegroundContent *content = loader->content;
    uint32_t array = read_array(loader, 0, "potions", 1, POTIONS_MAX);
    if (array == JSON_NONE)
        return;
    for (uint32_t node = json_first(&loader->json, array); node != JSON_NONE;
         node = loader->json.nodes[node].next)
        read_potion(loader, node, &content->potions[content->potions_count++]);
}

/* Reads how many warriors and potions make a team; 0 warriors: that is not known. */
static void read_team(Loader *loader) {
    static const char *const keys[] = {"warriors", "potions"};
    uint32_t before = loader->problems->count;
    uint32_t team = json_expect_member(&loader->json, 0, "team", JSON_OBJECT, loader->problems);
    if (team == JSON_NONE)
        return;
    json_refuse_unknown_keys(&loader->json, team, keys, 2, loader->problems);
    loader->content->team_warriors = read_number(loader, team, "warriors", 1, SLOTS);
    loader->content->team_potions = read_number(loader, team, "potions", 0, ITEMS);
    if (loader->problems->count != before)
        loader->content->team_warriors = 0; /* unknown: the usual team cannot be judged by it */
}

/* The ids under this key, `count` of them, as places among the words. */
static bool read_ids(Loader *loader, uint32_t object, const char *key, const char *const *words,
                     uint32_t words_count, uint32_t count, uint8_t *out) {
    uint32_t array = read_array(loader, object, key, count, count);
    if (array == JSON_NONE)
        return false;
    bool known = true;
    for (uint32_t node = json_first(&loader->json, array); node != JSON_NONE;
         node = loader->json.nodes[node].next) {
        uint32_t word = 0;
        known &= json_choice(&loader->json, node, words, words_count, &word, loader->problems);
        *out++ = (uint8_t)word;
    }
    return known;
}

/* The usual team [2.3]; optional kinds cannot be in it, since the option may be off. */
static void read_usual(Loader *loader) {
    static const char *const keys[] = {"warriors", "potions"};
    BattlegroundContent *content = loader->content;
    const char *words[KINDS_MAX] = {0};
    uint8_t numbers[KINDS_MAX];
    uint32_t count = 0;
    uint32_t usual = json_expect_member(&loader->json, 0, "usual", JSON_OBJECT, loader->problems);
    if (usual == JSON_NONE || content->team_warriors == 0)
        return;
    json_refuse_unknown_keys(&loader->json, usual, keys, 2, loader->problems);
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++)
        if (!content->kinds[kind].optional) {
            numbers[count] = kind;
            words[count++] = content->kinds[kind].id;
        }
    if (count > 0 && read_ids(loader, usual, "warriors", words, count, content->team_warriors,
                              content->usual_warriors))
        for (int slot = 0; slot < content->team_warriors; slot++)
            content->usual_warriors[slot] = numbers[content->usual_warriors[slot]];
    for (uint8_t potion = 0; potion < content->potions_count; potion++)
        words[potion] = content->potions[potion].id;
    if (content->potions_count > 0)
        read_ids(loader, usual, "potions", words, content->potions_count, content->team_potions,
                 content->usual_potions);
}

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

/* Reads the whole document of warriors and potions; no potions may let a warrior walk further than
 * the engine looks. */
static void read_warriors(Loader *loader) {
    static const char *const keys[] = {"team", "quiet_turns", "warriors", "potions", "usual"};
    BattlegroundContent *content = loader->content;
    if (!read_document(loader, warriors_ending))
        return;
    uint32_t before = loader->problems->count;
    json_refuse_unknown_keys(&loader->json, 0, keys, 5, loader->problems);
    read_team(loader);
    content->quiet_turns = read_number(loader, 0, "quiet_turns", 2, 200);
    read_kinds(loader);
    read_potions(loader);
    read_usual(loader);
    if (loader->problems->count == before && walk_most(content) > REACH_STEPS_MAX)
        json_problem(&loader->json, 0, loader->problems,
                     "with all potions of a match one warrior could walk %d cells; %d are allowed",
                     walk_most(content), (int)REACH_STEPS_MAX);
}

/* --- The field -------------------------------------------------------------------------------- */

/* Reads one row of the field, open cells and walls; all are as long as the first. */
static void read_row(Loader *loader, uint32_t node, int y) {
    BattlegroundContent *content = loader->content;
    char row[MASH_SIDE_MAX + 1];
    if (!json_line(&loader->json, node, row, sizeof row, loader->problems))
        return;
    if (y == 0)
        content->width = (uint8_t)strlen(row);
    if (content->width != 0 && strlen(row) != content->width)
        json_problem(&loader->json, node, loader->problems,
                     "must be as long as the first row, %u cells; found %u", content->width,
                     (unsigned)strlen(row));
    for (int x = 0; row[x] != '\0'; x++) {
        if (row[x] == '.') {
            reach_open(content->open, x, y);
            content->cells++;
        } else if (row[x] != '#') {
            json_problem(&loader->json, node, loader->problems,
                         "cell %d must be . (open) or # (wall)", x);
            return;
        }
    }
}

/* How many cells a set of columns holds. */
static int cells_of(const ReachColumn *columns, int width) {
    int count = 0;
    for (int x = 0; x < width; x++)
        count +=
            __builtin_popcountll(columns[x].rows[0]) + __builtin_popcountll(columns[x].rows[1]);
    return count;
}

/* Adds the open cells beside those of the part, above, below, left and right. True: there were
 * some. */
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

/* Finds the largest part of the field in which ways lead from every cell to every other [9.7]; the
 * first of equal ones by x, then y. If it is too small for all warriors, no cell is closed. */
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

/* [1.3]; every warrior of both teams must find a place. */
static void read_field(Loader *loader) {
    static const char *const keys[] = {"rows", "must_summon"};
    BattlegroundContent *content = loader->content;
    if (!read_document(loader, field_ending))
        return;
    uint32_t before = loader->problems->count;
    json_refuse_unknown_keys(&loader->json, 0, keys, 2, loader->problems);
    bool must_summon = true;
    if (json_member(&loader->json, 0, "must_summon") != JSON_NONE)
        json_bool_at(&loader->json, 0, "must_summon", &must_summon, loader->problems);
    content->summon_freely = !must_summon;
    uint32_t rows = read_array(loader, 0, "rows", 1, MASH_SIDE_MAX);
    if (rows == JSON_NONE)
        return;
    for (uint32_t node = json_first(&loader->json, rows); node != JSON_NONE;
         node = loader->json.nodes[node].next)
        read_row(loader, node, content->height++);
    if (loader->problems->count == before && content->cells < UNITS)
        json_problem(&loader->json, rows, loader->problems,
                     "must have at least %d open cells, found %d", (int)UNITS, content->cells);
    if (loader->problems->count == before)
        find_summon_cells(content);
}

/* --- Texts ------------------------------------------------------------------------------------ */

static const MashEventKind told[] = {
    MASH_EVENT_CHOSEN,        MASH_EVENT_READY,       MASH_EVENT_MATCH_BEGAN,
    MASH_EVENT_TURN_BEGAN,    MASH_EVENT_PHASE_BEGAN, MASH_EVENT_TURN_ENDED,
    MASH_EVENT_MOVED,         MASH_EVENT_APPEARED,    MASH_EVENT_ATTACKED,
    MASH_EVENT_MISSED,        MASH_EVENT_HURT,        MASH_EVENT_HEALED,
    MASH_EVENT_DIED,          MASH_EVENT_USED,        MASH_EVENT_EFFECT_BEGAN,
    MASH_EVENT_EFFECT_ENDED,  MASH_EVENT_REVEALED,    MASH_EVENT_DRAW_OFFERED,
    MASH_EVENT_DRAW_DECLINED, MASH_EVENT_MATCH_ENDED,
};

static const char *const ground_ids[GROUNDS] = {"floor", "wall"};
static const char *const meter_ids[METER_POTION] = {
    "health", "attack",       "walk",         "potions",    "warriors",
    "quiet",  "gives-health", "gives-attack", "gives-walk", "turns"};
static const char *const phase_ids[PHASES] = {"choose", "first-summon", "move-1",
                                              "attack", "move-2",       "summon"};
static const char *const verb_ids[VERBS - VERB_CHOOSE] = {"choose", "pack", "usual",  "move",
                                                          "attack", "use",  "summon", "end"};
static const char *const ability_ids[] = {"strike"};
static const char *const reason_ids[] = {"defeated", "quiet"};
static const char *const figure_ids[FIGURES] = {"damage-dealt",    "damage-taken", "knock-outs",
                                                "steps",           "healing",      "potions-used",
                                                "potions-received"};
static const char *const side_ids[MASH_SEATS] = {"red", "blue"};

/* Reads the words for all that has a name in this game. */
static void read_texts(Loader *loader) {
    BattlegroundContent *content = loader->content;
    const char *kinds[KINDS_MAX], *potions[POTIONS_MAX], *meters[METER_POTION + POTIONS_MAX];
    for (int i = 0; i < content->kinds_count; i++)
        kinds[i] = content->kinds[i + 1].id;
    for (int i = 0; i < content->potions_count; i++)
        potions[i] = meters[METER_POTION + i] = content->potions[i].id;
    memcpy(meters, meter_ids, sizeof meter_ids);
    const TextsIds lists[] = {
        {MASH_NAME_KIND, 1, content->kinds_count, kinds},
        {MASH_NAME_GROUND, 0, GROUNDS, ground_ids},
        {MASH_NAME_METER, 0, METER_POTION + content->potions_count, meters},
        {MASH_NAME_PHASE, 0, PHASES, phase_ids},
        {MASH_NAME_VERB, VERB_CHOOSE, VERBS - VERB_CHOOSE, verb_ids},
        {MASH_NAME_ABILITY, 0, 1, ability_ids},
        {MASH_NAME_ITEM, 0, content->potions_count, potions},
        {MASH_NAME_EFFECT, 0, content->potions_count, potions},
        {MASH_NAME_REASON, MASH_REASON_GAME, 2, reason_ids},
        {MASH_NAME_FIGURE, 0, FIGURES, figure_ids},
        {MASH_NAME_SIDE, 0, MASH_SEATS, side_ids},
    };
    texts_load_described(&content->texts, loader->documents, lists, sizeof lists / sizeof *lists,
                         told, sizeof told / sizeof *told, &battleground_descriptions,
                         loader->problems);
}

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
 * warriors have and what all potions may give back. Between two such turns, and after the last, lie
 * fewer turns than end a match [8.2]. In one turn every own warrior moves once and attacks once,
 * and four phases end; potions are used up, choices and first summons are made once in a match. */
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
    /* The most is told by a choice of the usual team that completes both: the chooser's ten, ready,
     * both teams, match, turn, phase, a draw that lapses. No turn tells as much: an attack that
     * ends it tells four, ten effects at most that are over, and five about turns and a draw that
     * lapses. */
    EVENTS_MOST = (SLOTS + ITEMS) + 1 + MASH_SEATS * (SLOTS + ITEMS) + 4,
    /* Three of each warrior, all effects, two and the potions of each side, one of the table; what
     * is on offer: three of each kind, two of each potion. */
    METERS_MOST =
        3 * UNITS + EFFECTS + MASH_SEATS * (2 + POTIONS_MAX) + 1 + 3 * KINDS_MAX + 2 * POTIONS_MAX,
};

/* How much memory and how many actions a match with these nouns can want. */
static MashLimits terms_of(const BattlegroundContent *content) {
    return (MashLimits){
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

bool battleground_load(const MashDocuments *documents, MashContent *loaded,
                       MashProblems *problems) {
    uint32_t before = problems->count;
    BattlegroundContent *content = (void *)loaded->body;
    memset(content, 0, sizeof *content);
    Loader loader = {
        .content = content, .documents = documents, .problems = problems, .ids_known = true};
    check_endings(&loader);
    read_warriors(&loader);
    read_field(&loader);
    if (loader.ids_known && content->kinds_count > 0 && content->potions_count > 0)
        read_texts(&loader);
    if (problems->count != before)
        return false;
    loaded->game = &battleground_game;
    loaded->limits = terms_of(content);
    loaded->hash = hash_bytes(0, content, offsetof(BattlegroundContent, texts));
    return true;
}
