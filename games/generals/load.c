/* load.c -- reads and checks *.pieces.json, and works out what the rules look up: neighbours of
 * cells, kinds by ability, who fares how against whom. Every problem of a document is reported. */
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "engine/grid.h"
#include "games/generals/state.h"

static const char *const class_ids[] = {"ranked", "infiltrator", "agent", "nexus"};
static const char *const ability_ids[] = {"none", "second-step", "snap", "strike", "web"};

/* What is being loaded, and what was found wrong with it. */
typedef struct Loader {
    Json json;
    GeneralsContent *body;
    MashProblems *problems;
} Loader;

/* --- Board and limits ------------------------------------------------------------------------- */

/* The number of this key; `least` and a problem if it is none within the bounds. */
static uint8_t byte_at(Loader *loader, uint32_t object, const char *key, int32_t least,
                       int32_t most) {
    int32_t number;
    json_int_at(&loader->json, object, key, least, most, &number, loader->problems);
    return (uint8_t)number;
}

/* [1.1] [1.2] */
static void load_board(Loader *loader) {
    static const char *const keys[] = {"width", "height", "zone_rows"};
    GeneralsContent *body = loader->body;
    uint32_t node = json_expect_member(&loader->json, 0, "board", JSON_OBJECT, loader->problems);
    body->width = 3;
    body->height = 4;
    body->zone_rows = 1;
    if (node == JSON_NONE)
        return;
    json_refuse_unknown_keys(&loader->json, node, keys, 3, loader->problems);
    body->width = byte_at(loader, node, "width", 3, WIDTH_MAX);
    body->height = byte_at(loader, node, "height", 4, HEIGHT_MAX);
    body->zone_rows = byte_at(loader, node, "zone_rows", 1, body->height / 2);
}

/* [6.5] [8.5] [8.6] */
static void load_limits(Loader *loader) {
    static const char *const keys[] = {"quiet_rounds", "repetitions", "web_turns", "silence_ms"};
    GeneralsContent *body = loader->body;
    int32_t silence_ms;
    uint32_t node = json_expect_member(&loader->json, 0, "limits", JSON_OBJECT, loader->problems);
    if (node == JSON_NONE)
        return;
    json_refuse_unknown_keys(&loader->json, node, keys, 4, loader->problems);
    body->quiet_turns = (uint8_t)(2 * byte_at(loader, node, "quiet_rounds", 1, QUIET_MAX / 2));
    body->repetitions = byte_at(loader, node, "repetitions", 2, 9);
    body->web_turns = byte_at(loader, node, "web_turns", 1, WEB_TURNS_MAX);
    json_int_at(&loader->json, node, "silence_ms", 0, 3600000, &silence_ms, loader->problems);
    body->silence_ms = (uint32_t)silence_ms;
}

/* Neighbours as struct GeneralsAround promises them. */
static void work_out_cells(GeneralsContent *body) {
    static const int8_t dx[8] = {-1, 0, 0, 1, -1, -1, 1, 1};
    static const int8_t dy[8] = {0, -1, 1, 0, -1, 1, -1, 1};
    body->cells = (uint8_t)(body->width * body->height);
    for (uint32_t cell = 0; cell < body->cells; cell++) {
        GeneralsAround *around = &body->around[cell];
        int x = (int)(cell % body->width), y = (int)(cell / body->width);
        body->x[cell] = (uint8_t)x;
        body->y[cell] = (uint8_t)y;
        body->step[cell] = action_word((MashAction){.x = (int8_t)x, .y = (int8_t)y});
        for (uint32_t i = 0; i < 8; i++) {
            int to_x = x + dx[i], to_y = y + dy[i];
            bool inside = grid_inside(to_x, to_y, body->width, body->height);
            uint8_t to = (uint8_t)(inside ? (uint32_t)(to_y * body->width + to_x) : cell);
            if (i < 4)
                around->steps[i] = to;
            if (inside)
                around->cells[around->all++] = to;
        }
    }
}

/* --- Armies ----------------------------------------------------------------------------------- */

/* An id: lower-case letters, digits and hyphens, beginning with a letter. */
static void load_id(Loader *loader, uint32_t object, char id[ID_BYTES]) {
    if (!json_line_at(&loader->json, object, "id", id, ID_BYTES, loader->problems))
        return;
    bool good = id[0] >= 'a' && id[0] <= 'z';
    for (const char *at = id; *at != '\0'; at++)
        good &= (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '-';
    if (!good)
        json_problem(&loader->json, json_member(&loader->json, object, "id"), loader->problems,
                     "an id begins with a letter and has only a-z, 0-9 and hyphens, found \"%s\"",
                     id);
}

/* Kinds of both armies share one list of names, so no id may come twice. */
static void check_id_new(Loader *loader, uint32_t object, const GeneralsKind *kind) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint32_t i = 1; i <= loader->body->army[seat].kinds_count; i++) {
            const GeneralsKind *other = &loader->body->army[seat].kinds[i];
            if (other != kind && kind->id[0] != '\0' && strcmp(other->id, kind->id) == 0)
                json_problem(&loader->json, json_member(&loader->json, object, "id"),
                             loader->problems, "another kind has the id \"%s\" already", kind->id);
        }
}

/* [2.1] */
static void load_kind(Loader *loader, uint32_t node, GeneralsKind *kind) {
    static const char *const keys[] = {"id", "class", "power", "count", "ability"};
    const Json *json = &loader->json;
    uint32_t class, ability;
    if (!json_refuse_unknown_keys(json, node, keys, 5, loader->problems) &&
        json->nodes[node].kind != JSON_OBJECT)
        return;
    load_id(loader, node, kind->id);
    check_id_new(loader, node, kind);
    json_choice_at(json, node, "class", class_ids, 4, &class, loader->problems);
    kind->class = (uint8_t)(CLASS_RANKED + class);
    kind->count = byte_at(loader, node, "count", 1, kind->class == CLASS_NEXUS ? 1 : SIDE_MAX);
    uint32_t power = json_member(json, node, "power");
    if (kind->class == CLASS_RANKED)
        kind->power = byte_at(loader, node, "power", 1, 99);
    else if (power != JSON_NONE)
        json_problem(json, power, loader->problems,
                     "only pieces of class ranked have a power; this one is of class %s",
                     class_ids[class]);
    if (json_member(json, node, "ability") == JSON_NONE)
        return;
    json_choice_at(json, node, "ability", ability_ids, 5, &ability, loader->problems);
    kind->ability = (uint8_t)ability;
    if (kind->class == CLASS_NEXUS && ability != ABILITY_NONE)
        json_problem(json, json_member(json, node, "ability"), loader->problems,
                     "a nexus has no ability");
}

/* [2.1] What the kinds of an army must be together. */
static void check_army(Loader *loader, uint32_t pieces, GeneralsArmy *army) {
    uint32_t total = 0, nexuses = 0;
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++) {
        total += army->kinds[kind].count;
        if (army->kinds[kind].class == CLASS_NEXUS) {
            nexuses++;
            army->nexus = kind;
        }
    }
    if (nexuses != 1)
        json_problem(&loader->json, pieces, loader->problems,
                     "an army has one kind of class nexus, found %u", nexuses);
    uint32_t most = army->zone_cells < SIDE_MAX ? army->zone_cells : SIDE_MAX;
    if (total < 2 || total > most)
        json_problem(&loader->json, pieces, loader->problems,
                     "an army in this zone has 2 to %u pieces, found %u", most, total);
    army->pieces = (uint8_t)(total > SIDE_MAX ? SIDE_MAX : total);
}

/* Reads the kinds of an army, numbered from 1, and how many pieces of each it has; then judges the
 * army. */
static void load_kinds(Loader *loader, uint32_t node, GeneralsArmy *army) {
    uint32_t pieces =
        json_expect_member(&loader->json, node, "pieces", JSON_ARRAY, loader->problems);
    if (pieces == JSON_NONE)
        return;
    if (loader->json.nodes[pieces].count > KINDS_MAX) {
        json_problem(&loader->json, pieces, loader->problems,
                     "an army has %d kinds of piece at most, found %u", (int)KINDS_MAX,
                     loader->json.nodes[pieces].count);
        return;
    }
    for (uint32_t kind = json_first(&loader->json, pieces); kind != JSON_NONE;
         kind = loader->json.nodes[kind].next)
        load_kind(loader, kind, &army->kinds[++army->kinds_count]);
    check_army(loader, pieces, army);
}

/* One cell of the layout: the id of a kind or "-". */
static void load_layout_cell(Loader *loader, uint32_t node, GeneralsArmy *army, uint8_t *out) {
    const char *words[KINDS_MAX + 1] = {"-"};
    uint32_t kind;
    for (uint32_t i = 1; i <= army->kinds_count; i++)
        words[i] = army->kinds[i].id;
    if (json_choice(&loader->json, node, words, army->kinds_count + 1u, &kind, loader->problems))
        *out = (uint8_t)kind;
}

/* Does the layout hold every piece, and none too many? */
static void check_layout(Loader *loader, uint32_t layout, const GeneralsArmy *army) {
    for (uint32_t kind = 1; kind <= army->kinds_count; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < army->zone_cells; i++)
            count += army->layout[i] == kind;
        if (count != army->kinds[kind].count)
            json_problem(&loader->json, layout, loader->problems,
                         "the layout must hold %u of %s, found %u", army->kinds[kind].count,
                         army->kinds[kind].id, count);
    }
}

/* [3.3] Rows from the army's own edge forward. */
static void load_layout(Loader *loader, uint32_t node, uint8_t seat) {
    GeneralsArmy *army = &loader->body->army[seat];
    const Json *json = &loader->json;
    uint32_t rows = loader->body->zone_rows, width = loader->body->width, row = 0;
    uint32_t layout = json_expect_member(json, node, "layout", JSON_ARRAY, loader->problems);
    if (layout == JSON_NONE)
        return;
    bool shaped = json->nodes[layout].count == rows;
    if (!shaped)
        json_problem(json, layout, loader->problems,
                     "the layout has one row for each row of the zone: %u, found %u", rows,
                     json->nodes[layout].count);
    for (uint32_t line = json_first(json, layout); shaped && line != JSON_NONE;
         line = json->nodes[line].next, row++) {
        if (!json_expect_kind(json, line, JSON_ARRAY, loader->problems))
            return;
        if (json->nodes[line].count != width) {
            json_problem(json, line, loader->problems,
                         "a row of the layout has one entry for each column: %u, found %u", width,
                         json->nodes[line].count);
            return;
        }
        uint8_t *out = army->layout + (seat == 0 ? row : rows - 1 - row) * width;
        for (uint32_t cell = json_first(json, line); cell != JSON_NONE;
             cell = json->nodes[cell].next)
            load_layout_cell(loader, cell, army, out++);
    }
    if (shaped)
        check_layout(loader, layout, army);
}

/* [1.2] [1.3] */
static void load_army(Loader *loader, uint32_t node, uint8_t seat) {
    static const char *const keys[] = {"id", "pieces", "layout"};
    GeneralsContent *body = loader->body;
    GeneralsArmy *army = &body->army[seat];
    uint8_t zone_cells = (uint8_t)(body->zone_rows * body->width);
    army->zone_cells = zone_cells;
    army->zone_first = seat == 0 ? 0 : (uint8_t)(body->cells - zone_cells);
    army->far_row = seat == 0 ? (uint8_t)(body->height - 1) : 0;
    if (!json_refuse_unknown_keys(&loader->json, node, keys, 3, loader->problems) &&
        loader->json.nodes[node].kind != JSON_OBJECT)
        return;
    load_id(loader, node, army->id);
    load_kinds(loader, node, army);
    if (army->kinds_count > 0)
        load_layout(loader, node, seat);
    if (seat == 1 && army->id[0] != '\0' && army->id[0] == body->army[0].id[0])
        json_problem(&loader->json, json_member(&loader->json, node, "id"), loader->problems,
                     "ids of armies begin with different letters, which name their pieces");
}

/* Reads both armies; if there are not two of them, none. */
static void load_armies(Loader *loader) {
    uint32_t armies = json_expect_member(&loader->json, 0, "armies", JSON_ARRAY, loader->problems);
    if (armies == JSON_NONE)
        return;
    if (loader->json.nodes[armies].count != MASH_SEATS) {
        json_problem(&loader->json, armies, loader->problems, "there are 2 armies, found %u",
                     loader->json.nodes[armies].count);
        return;
    }
    uint32_t first = json_first(&loader->json, armies);
    load_army(loader, first, 0);
    load_army(loader, loader->json.nodes[first].next, 1);
}

/* --- What follows from it --------------------------------------------------------------------- */

/* [5.2] [5.3] [5.4] [5.5] [5.6] [5.7] How a kind fares against an enemy's: no attacker is named,
 * since it makes no difference [5.1]. */
static uint8_t fare(const GeneralsKind *kind, const GeneralsKind *enemy) {
    static const uint8_t by_class[CLASS_NEXUS][CLASS_NEXUS] = {
        [CLASS_RANKED] = {[CLASS_INFILTRATOR] = OUTCOME_LOST, [CLASS_AGENT] = OUTCOME_WON},
        [CLASS_INFILTRATOR] = {[CLASS_RANKED] = OUTCOME_WON, [CLASS_AGENT] = OUTCOME_LOST},
        [CLASS_AGENT] = {[CLASS_RANKED] = OUTCOME_LOST, [CLASS_INFILTRATOR] = OUTCOME_WON},
    };
    if (enemy->class == CLASS_NEXUS || kind->class == CLASS_NEXUS)
        return enemy->class == CLASS_NEXUS ? OUTCOME_WON : OUTCOME_LOST;
    if (kind->class != enemy->class)
        return by_class[kind->class][enemy->class];
    if (kind->power == enemy->power)
        return OUTCOME_TIED;
    return kind->power > enemy->power ? OUTCOME_WON : OUTCOME_LOST;
}

/* What follows from both lists: numbers of units and kinds, who beats whom. */
static void work_out_armies(GeneralsContent *body) {
    body->army[1].kind_first = body->army[0].kinds_count;
    body->army[1].first = body->army[0].pieces;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        GeneralsArmy *army = &body->army[seat];
        const GeneralsArmy *enemy = &body->army[1 - seat];
        for (uint32_t kind = 1; kind <= army->kinds_count; kind++) {
            uint16_t bit = (uint16_t)(1u << kind);
            army->all |= bit;
            army->with[army->kinds[kind].ability] |= bit;
            for (uint32_t other = 1; other <= enemy->kinds_count; other++)
                army->fits[fare(&army->kinds[kind], &enemy->kinds[other])][other] |= bit;
        }
    }
}

/* The bounds.
 *
 * Actions: in placement every kind on every cell of the zone, and two verbs; in play four steps and
 * eight webs or one strike for each piece, and staying.
 *
 * Events: each piece falls once, is shown once, and has one web that ends; beside these there are
 * at most: draw declined, fought, moved, used, effect begun, phase or round and turn, ready, match
 * begun, match ended. A placement tells of each piece once.
 *
 * Length: both sides place piece by piece and say ready. Between two falls lie less than
 * quiet_turns turns, at most all but the Nexuses fall before the last stretch, and a turn has two
 * actions at most. */
static void work_out_terms(const GeneralsContent *body, MashLimits *terms) {
    uint32_t units = units_of(body), placing = 0, acting = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const GeneralsArmy *army = &body->army[seat];
        uint32_t list = (uint32_t)army->kinds_count * army->zone_cells + 2;
        placing = list > placing ? list : placing;
        list = 12u * army->pieces + 1;
        acting = list > acting ? list : acting;
    }
    *terms = (MashLimits){
        .state_bytes = sizeof(GeneralsState),
        .core_bytes = CORE_BYTES,
        .actions_max = placing > acting ? placing : acting,
        .events_max = 3 * units + 12,
        .tokens_max = units,
        .meters_max = 3 + 2 * MASH_SEATS + 3 * units,
        .length_max = units + MASH_SEATS + 2u * body->quiet_turns * (units - 1),
        .silence_ms = body->silence_ms,
        .width = body->width,
        .height = body->height,
        .units = (uint8_t)units,
    };
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Loads the words for all that has a name in this game; false and problems if some are wrong. */
static bool load_texts(GeneralsContent *body, const MashDocuments *documents,
                       MashProblems *problems) {
    static const char *const grounds[] = {"open", "zone-0", "zone-1"};
    static const char *const meters[] = {"round", "quiet",   "repeated", "left", "ready",
                                         "power", "ability", "could-be", "web"};
    static const char *const phases[] = {"placement", "turn", "second-step", "over"};
    static const char *const verbs[] = {"place", "layout", "random", "ready",
                                        "move",  "strike", "web",    "stay"};
    static const char *const effects[] = {"web"};
    static const char *const outcomes[] = {"attacker-out", "defender-out", "both-out"};
    static const char *const reasons[] = {"nexus", "stuck", "quiet", "repeated"};
    static const char *const figures[] = {"steps",  "won",     "lost", "tied",
                                          "struck", "snapped", "webs", "out"};
    static const MashEventKind events[] = {
        MASH_EVENT_READY,       MASH_EVENT_PLACED,       MASH_EVENT_MATCH_BEGAN,
        MASH_EVENT_ROUND_BEGAN, MASH_EVENT_TURN_BEGAN,   MASH_EVENT_PHASE_BEGAN,
        MASH_EVENT_MOVED,       MASH_EVENT_FOUGHT,       MASH_EVENT_DIED,
        MASH_EVENT_USED,        MASH_EVENT_EFFECT_BEGAN, MASH_EVENT_EFFECT_ENDED,
        MASH_EVENT_REVEALED,    MASH_EVENT_DRAW_OFFERED, MASH_EVENT_DRAW_DECLINED,
        MASH_EVENT_MATCH_ENDED,
    };
    const char *kinds[2 * KINDS_MAX];
    const char *sides[MASH_SEATS] = {body->army[0].id, body->army[1].id};
    uint32_t count = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint32_t kind = 1; kind <= body->army[seat].kinds_count; kind++)
            kinds[count++] = body->army[seat].kinds[kind].id;
    const TextsIds lists[] = {
        {MASH_NAME_KIND, 0, count, kinds},
        {MASH_NAME_GROUND, 0, GROUNDS, grounds},
        {MASH_NAME_METER, 0, METERS, meters},
        {MASH_NAME_PHASE, 0, 4, phases},
        {MASH_NAME_VERB, VERB_PLACE, VERB_END - VERB_PLACE, verbs},
        {MASH_NAME_ABILITY, ABILITY_SECOND_STEP, 4, ability_ids + ABILITY_SECOND_STEP},
        {MASH_NAME_EFFECT, 0, 1, effects},
        {MASH_NAME_OUTCOME, 0, OUTCOMES, outcomes},
        {MASH_NAME_REASON, MASH_REASON_GAME, 4, reasons},
        {MASH_NAME_FIGURE, 0, FIGURES, figures},
        {MASH_NAME_SIDE, 0, MASH_SEATS, sides},
    };
    return texts_load_described(&body->texts, documents, lists, sizeof lists / sizeof *lists,
                                events, sizeof events / sizeof *events, &generals_descriptions,
                                problems);
}

/* --- The whole -------------------------------------------------------------------------------- */

/* The one document of pieces, or NULL and a problem. */
static const MashDocument *pieces_of(const MashDocuments *documents, MashProblems *problems) {
    const MashDocument *found = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        if (!text_ends_with(documents->list[i].name, ".pieces.json"))
            continue;
        if (found != NULL) {
            problem_add(problems, documents->list[i].name, 0, 0, "",
                        "there is a second document of pieces beside %s", found->name);
            return NULL;
        }
        found = &documents->list[i];
    }
    if (found == NULL)
        problem_add(problems, "", 0, 0, "", "a document that ends in .pieces.json is missing");
    return found;
}

bool generals_load(const MashDocuments *documents, MashContent *content, MashProblems *problems) {
    static const char *const keys[] = {"board", "limits", "armies"};
    Loader loader = {.body = (void *)content->body, .problems = problems};
    uint32_t before = problems->count;
    const MashDocument *document = pieces_of(documents, problems);
    memset(loader.body, 0, sizeof *loader.body);
    if (document == NULL ||
        !json_read(&loader.json, document->name, document->bytes, document->count,
                   documents->scratch, documents->scratch_bytes / sizeof(JsonNode), problems) ||
        (!json_refuse_unknown_keys(&loader.json, 0, keys, 3, problems) &&
         loader.json.nodes[0].kind != JSON_OBJECT))
        return false;
    load_board(&loader);
    load_limits(&loader);
    work_out_cells(loader.body);
    load_armies(&loader);
    if (problems->count != before)
        return false;
    work_out_armies(loader.body);
    if (!load_texts(loader.body, documents, problems))
        return false;
    work_out_terms(loader.body, &content->limits);
    content->game = &generals_game;
    content->hash = hash_bytes(0, loader.body, offsetof(GeneralsContent, texts));
    return true;
}
