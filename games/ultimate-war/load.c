/* load.c -- reads champions (*.champions.json) and texts, checks all of it and works out terms and
 * sets of cells.
 *
 * Every problem is reported with its path before the load fails; the body is zeroed first, so that
 * what is hashed has no stray bytes. */
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "games/ultimate-war/state.h"

#define COUNT_OF(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

static const char *const effect_ids[EFFECTS] = {"disarm", "dodge", "embrace", "power-up", "root",
                                                "shield", "shock", "silence", "speed-up", "stun"};

/* A document that is read, and where its problems go. */
typedef struct Reader {
    Json json;
    MashProblems *problems;
} Reader;

/* --- Words and numbers ------------------------------------------------------------------------ */

/* Small letters, digits and single hyphens between them. */
static bool kebab(const char *id) {
    for (const char *c = id; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        bool hyphen = *c == '-' && c > id && c[-1] != '-' && c[1] != '\0';
        if (!letter && !hyphen)
            return false;
    }
    return true;
}

/* The id of this key; one that is not in small letters, digits and single hyphens is reported. */
static void read_id(Reader *reader, uint32_t object, const char *key, char *out, uint32_t max) {
    if (json_line_at(&reader->json, object, key, out, max, reader->problems) && !kebab(out))
        json_problem(&reader->json, json_member(&reader->json, object, key), reader->problems,
                     "must have small letters, digits and single hyphens between them only");
}

/* The number of this key; `least` and a problem if it is none within the bounds. */
static int32_t read_number(Reader *reader, uint32_t object, const char *key, int32_t least,
                           int32_t most) {
    int32_t number = least;
    json_int_at(&reader->json, object, key, least, most, &number, reader->problems);
    return number;
}

/* The place in the list of this key's word; 0 and a problem if it is not there. */
static uint8_t read_choice(Reader *reader, uint32_t object, const char *key,
                           const char *const *words, uint32_t count) {
    uint32_t choice = 0;
    json_choice_at(&reader->json, object, key, words, count, &choice, reader->problems);
    return (uint8_t)choice;
}

/* Is there such a key? */
static bool there(const Reader *reader, uint32_t object, const char *key) {
    return json_member(&reader->json, object, key) != JSON_NONE;
}

/* --- Abilities [2.2] [2.3] [2.4] -------------------------------------------------------------- */

/* What all abilities and the punch have. */
static void read_costs(Reader *reader, uint32_t node, Ability *ability) {
    json_line_at(&reader->json, node, "name", ability->name, sizeof ability->name,
                 reader->problems);
    ability->range = (uint8_t)read_number(reader, node, "range", 0, DISTANCES - 1);
    ability->points = (uint8_t)read_number(reader, node, "points", 1, POINTS_MOST);
    ability->mana = read_number(reader, node, "mana", 0, NUMBER_MOST);
    ability->cooldown = (uint8_t)read_number(reader, node, "cooldown", 1, COOLDOWN_MOST);
}

/* The one thing it does. */
static void read_deed(Reader *reader, uint32_t node, Ability *ability) {
    bool damage = there(reader, node, "damage"), heal = there(reader, node, "heal");
    bool effect = there(reader, node, "effect");
    if (damage + heal + effect != 1) {
        json_problem(&reader->json, node, reader->problems,
                     "an ability must have exactly one of damage, heal and effect");
        return;
    }
    ability->effect_kind = effect ? ABILITY_EFFECT_EFFECT
                           : heal ? ABILITY_EFFECT_HEAL
                                  : ABILITY_EFFECT_DAMAGE;
    if (!effect) {
        ability->amount = read_number(reader, node, heal ? "heal" : "damage", 1, NUMBER_MOST);
        if (there(reader, node, "turns"))
            json_problem(&reader->json, json_member(&reader->json, node, "turns"), reader->problems,
                         "only an effect has turns");
        return;
    }
    ability->effect = read_choice(reader, node, "effect", effect_ids, EFFECTS);
    ability->turns = (uint8_t)read_number(reader, node, "turns", 1, TURNS_MOST);
}

/* Reads one ability [2.2]; one on the caster himself must do him good [2.4]. */
static void read_ability(Reader *reader, uint32_t node, Ability *ability) {
    static const char *const keys[] = {"id",       "name",   "area", "range",  "points", "mana",
                                       "cooldown", "damage", "heal", "effect", "turns"};
    static const char *const areas[AREAS] = {"self", "team", "surround", "directional", "single"};
    if (!json_expect_kind(&reader->json, node, JSON_OBJECT, reader->problems))
        return;
    uint32_t before = reader->problems->count;
    json_refuse_unknown_keys(&reader->json, node, keys, COUNT_OF(keys), reader->problems);
    read_id(reader, node, "id", ability->id, sizeof ability->id);
    ability->area = read_choice(reader, node, "area", areas, AREAS);
    read_costs(reader, node, ability);
    read_deed(reader, node, ability);
    if (reader->problems->count != before || ability->area != AREA_SELF)
        return;
    bool harms =
        ability->effect_kind == ABILITY_EFFECT_DAMAGE ||
        (ability->effect_kind == ABILITY_EFFECT_EFFECT && (BUFFS & MARK(ability->effect)) == 0);
    if (harms)
        json_problem(&reader->json, node, reader->problems,
                     "an ability with area self must heal or give dodge, embrace, power-up, shield "
                     "or speed-up");
}

/* Reads the punch of those who are disarmed [2.3]. */
static void read_punch(Reader *reader, WarContent *content) {
    static const char *const keys[] = {"name", "range", "points", "mana", "cooldown", "damage"};
    Ability *punch = &content->punch;
    uint32_t node = json_expect_member(&reader->json, 0, "punch", JSON_OBJECT, reader->problems);
    memcpy(punch->id, "punch", sizeof "punch");
    punch->area = AREA_SINGLE;
    punch->effect_kind = ABILITY_EFFECT_DAMAGE;
    if (node == JSON_NONE)
        return;
    json_refuse_unknown_keys(&reader->json, node, keys, COUNT_OF(keys), reader->problems);
    read_costs(reader, node, punch);
    punch->amount = read_number(reader, node, "damage", 1, PUNCH_MOST);
}

/* --- Champions [2.1] -------------------------------------------------------------------------- */

/* Each of a champion's abilities has an id of its own, and none is that of the punch: typed words
 * must tell them apart. */
static void check_ability_ids(Reader *reader, uint32_t node, const WarContent *content,
                              const WarKind *kind, uint32_t slot) {
    const char *id = kind->abilities[slot].id;
    bool doubled = strcmp(id, content->punch.id) == 0;
    for (uint32_t i = 0; i < slot; i++)
        doubled |= strcmp(id, kind->abilities[i].id) == 0;
    if (doubled && id[0] != '\0')
        json_problem(&reader->json, json_member(&reader->json, node, "id"), reader->problems,
                     "'%s' is the id of another ability of this champion or of the punch", id);
}

/* Reads the abilities of a champion, of which there must be three [2.1]. */
static void read_abilities(Reader *reader, uint32_t node, const WarContent *content,
                           WarKind *kind) {
    uint32_t list =
        json_expect_member(&reader->json, node, "abilities", JSON_ARRAY, reader->problems);
    if (list == JSON_NONE)
        return;
    uint32_t count = reader->json.nodes[list].count, slot = 0;
    if (count != SLOTS)
        json_problem(&reader->json, list, reader->problems,
                     "a champion must have exactly %d abilities, found %u", SLOTS, (unsigned)count);
    for (uint32_t i = json_first(&reader->json, list); i != JSON_NONE && slot < SLOTS;
         i = reader->json.nodes[i].next, slot++) {
        read_ability(reader, i, &kind->abilities[slot]);
        check_ability_ids(reader, i, content, kind, slot);
    }
}

/* Ids, short names and names are unique. */
static void check_kind_words(Reader *reader, uint32_t node, const WarContent *content,
                             const WarKind *kind) {
    const Json *json = &reader->json;
    for (uint32_t i = 0; i < content->kinds_count; i++) {
        const WarKind *other = &content->kinds[i];
        if (kind->id[0] != '\0' && strcmp(kind->id, other->id) == 0)
            json_problem(json, json_member(json, node, "id"), reader->problems,
                         "another champion has the id '%s' already", kind->id);
        if (kind->brief[0] != '\0' && strcmp(kind->brief, other->brief) == 0)
            json_problem(json, json_member(json, node, "short"), reader->problems,
                         "another champion has the short name '%s' already", kind->brief);
        if (kind->name[0] != '\0' && strcmp(kind->name, other->name) == 0)
            json_problem(json, json_member(json, node, "name"), reader->problems,
                         "another champion has the name '%s' already", kind->name);
    }
}

/* Reads one champion [2.1] behind those before. */
static void read_champion(Reader *reader, uint32_t node, WarContent *content) {
    static const char *const keys[] = {"id",     "short", "name",  "type",   "health",   "mana",
                                       "points", "speed", "range", "damage", "abilities"};
    static const char *const types[TYPES] = {"hero", "villain", "antihero"};
    if (!json_expect_kind(&reader->json, node, JSON_OBJECT, reader->problems))
        return;
    WarKind *kind = &content->kinds[content->kinds_count];
    json_refuse_unknown_keys(&reader->json, node, keys, COUNT_OF(keys), reader->problems);
    read_id(reader, node, "id", kind->id, sizeof kind->id);
    read_id(reader, node, "short", kind->brief, SHORT_BYTES);
    json_line_at(&reader->json, node, "name", kind->name, sizeof kind->name, reader->problems);
    kind->type = read_choice(reader, node, "type", types, TYPES);
    kind->health = read_number(reader, node, "health", 1, NUMBER_MOST);
    kind->mana = read_number(reader, node, "mana", 0, NUMBER_MOST);
    kind->points = (uint8_t)read_number(reader, node, "points", 1, POINTS_MOST);
    kind->speed = read_number(reader, node, "speed", 1, SPEED_MOST);
    kind->range = (uint8_t)read_number(reader, node, "range", 1, DISTANCES - 1);
    kind->damage = read_number(reader, node, "damage", 1, NUMBER_MOST);
    read_abilities(reader, node, content, kind);
    check_kind_words(reader, node, content, kind);
    content->kinds_count++;
}

/* The place of each name among all, byte by byte [4.1]. */
static void rank_names(WarContent *content) {
    for (uint32_t i = 0; i < content->kinds_count; i++)
        for (uint32_t j = 0; j < content->kinds_count; j++)
            if (strcmp(content->kinds[j].name, content->kinds[i].name) < 0)
                content->kinds[i].rank++;
}

/* Reads the document of champions and the punch. */
static void read_champions(Reader *reader, WarContent *content) {
    static const char *const keys[] = {"punch", "champions"};
    if (!json_expect_kind(&reader->json, 0, JSON_OBJECT, reader->problems))
        return;
    json_refuse_unknown_keys(&reader->json, 0, keys, COUNT_OF(keys), reader->problems);
    read_punch(reader, content);
    uint32_t list = json_expect_member(&reader->json, 0, "champions", JSON_ARRAY, reader->problems);
    if (list == JSON_NONE)
        return;
    uint32_t count = reader->json.nodes[list].count;
    if (count < KINDS_LEAST || count > KINDS_MAX)
        json_problem(&reader->json, list, reader->problems,
                     "there must be %d to %d champions, found %u", KINDS_LEAST, KINDS_MAX,
                     (unsigned)count);
    for (uint32_t i = json_first(&reader->json, list);
         i != JSON_NONE && content->kinds_count < KINDS_MAX; i = reader->json.nodes[i].next)
        read_champion(reader, i, content);
    rank_names(content);
}

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

/* The sets of all cells. */
static void line_up_all(Lines *lines) {
    for (uint8_t cell = 0; cell < CELLS; cell++)
        line_up(lines, cell);
}

/* --- Documents and terms ---------------------------------------------------------------------- */

/* The one document with this ending, or NULL and a problem. */
static const MashDocument *document_of(const MashDocuments *documents, const char *ending,
                                       MashProblems *problems) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        const MashDocument *document = &documents->list[i];
        if (!text_ends_with(document->name, ending))
            continue;
        if (found != NULL)
            problem_add(problems, document->name, 0, 0, "",
                        "there is a second document of this kind beside %s", found->name);
        found = document;
    }
    if (found == NULL)
        problem_add(problems, "", 0, 0, "", "a document that ends in %s is missing", ending);
    return found;
}

/* Reports documents whose name has none of the known endings. */
static void check_kinds_of_documents(const MashDocuments *documents, MashProblems *problems) {
    for (uint32_t i = 0; i < documents->count; i++)
        if (!text_ends_with(documents->list[i].name, ".champions.json") &&
            !text_ends_with(documents->list[i].name, ".texts.json"))
            problem_add(problems, documents->list[i].name, 0, 0, "",
                        "Ultimate War has documents that end in .champions.json or .texts.json");
}

/* Loads the words for all that has a name beside champions and abilities; false and problems if
 * some are wrong. */
static bool load_texts(WarContent *content, const MashDocuments *documents,
                       MashProblems *problems) {
    static const char *const grounds[GROUNDS] = {"floor", "cover"};
    static const char *const meters[METERS] = {
        "health",   "mana",   "points",  "speed", "damage", "range", "leader",
        "cooldown", "amount", "command", "round", "effect", "type",  "condition"};
    static const char *const traits[TRAITS] = {"hero",   "villain",  "antihero", "active",
                                               "rooted", "inactive", "out"};
    static const char *const phases[PHASES] = {"pick", "appoint", "play", "over"};
    static const char *const verbs[VERBS - 1] = {"pick", "appoint", "move", "attack",
                                                 "cast", "command", "end"};
    static const char *const abilities[] = {"attack", "hero-leader", "villain-leader",
                                            "antihero-leader"};
    static const char *const reasons[] = {"defeated", "rounds"};
    static const char *const figures[FIGURES] = {"damage", "healing", "knock-outs",
                                                 "steps",  "casts",   "turns"};
    static const char *const sides[MASH_SEATS] = {"first", "second"};
    static const TextsIds lists[] = {
        {MASH_NAME_GROUND, 0, GROUNDS, grounds},
        {MASH_NAME_METER, 0, METERS, meters},
        {MASH_NAME_PHASE, 0, PHASES, phases},
        {MASH_NAME_VERB, VERB_PICK, VERBS - 1, verbs},
        {MASH_NAME_ABILITY, 0, COUNT_OF(abilities), abilities},
        {MASH_NAME_EFFECT, 0, EFFECTS, effect_ids},
        {MASH_NAME_REASON, MASH_REASON_GAME, COUNT_OF(reasons), reasons},
        {MASH_NAME_FIGURE, 0, FIGURES, figures},
        {MASH_NAME_SIDE, 0, MASH_SEATS, sides},
        {MASH_NAME_TRAIT, 0, TRAITS, traits},
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
    static_assert(COUNT_OF(abilities) == ABILITY_PUNCH, "the texts name all before the punch");
    return texts_load_described(&content->texts, documents, lists, COUNT_OF(lists), events,
                                COUNT_OF(events), &ultimate_war_descriptions, problems);
}

/* No match is longer: 6 picks, 2 leaders, and at most 6 turns in each of 100 rounds. A turn begins
 * with the points of the champion's kind and 2 for each of 32 Silences at most; all actions but
 * the leader ability and the end cost a point. Points come in during a turn by an own SpeedUp, one
 * for each of three abilities that can be cast once a turn, and by the leader ability, once a side:
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
    /* The end of a turn tells most: a lapsed offer; turns that end, the head's and up to 9 that
     * each of 6 stunned champions loses; as many as 10 rounds with their orders; all effects
     * ending; the new turn or the end of the match. */
    EVENTS_MAX =
        1 + 1 + TURNS_MOST * UNITS + (TURNS_MOST + 1) * (1 + UNITS) + UNITS * EFFECTS_MAX + 1,
    /* Six figures and the leader's sign, type and condition, two meters for each ability and punch,
     * effects. */
    METERS_OF_UNIT = METER_COOLDOWN + 2 + 2 * (SLOTS + PUNCHES_MAX) + EFFECTS_MAX,
};
static_assert(ACTIONS_MAX - KINDS_MAX >= 0, "all champions can be listed");

bool ultimate_war_load(const MashDocuments *documents, MashContent *loaded,
                       MashProblems *problems) {
    WarContent *content = (void *)loaded->body;
    memset(loaded, 0, sizeof *loaded + sizeof *content);
    loaded->game = &ultimate_war_game;
    uint32_t before = problems->count;
    Reader reader = {.problems = problems};
    check_kinds_of_documents(documents, problems);
    const MashDocument *champions = document_of(documents, ".champions.json", problems);
    if (champions != NULL &&
        json_read(&reader.json, champions->name, champions->bytes, champions->count,
                  documents->scratch, documents->scratch_bytes / sizeof(JsonNode), problems))
        read_champions(&reader, content);
    load_texts(content, documents, problems);
    if (problems->count != before)
        return false;
    line_up_all(&content->lines);
    loaded->hash = hash_bytes(0, content, offsetof(WarContent, lines));
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
    return true;
}
