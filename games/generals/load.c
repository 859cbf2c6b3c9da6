/* load.c -- the document of this game, *.pieces.json, as tables of fields; what the rules look up:
 * neighbours of cells, kinds by ability, outcomes of battles. Every problem of a document is
 * reported. */
#include <string.h>

#include "engine/grid.h"
#include "games/generals/state.h"

static const char *const class_ids[] = {"", "ranked", "infiltrator", "agent", "nexus", NULL};
static const char *const ability_ids[] = {"none", "second-step", "snap", "strike", "web", NULL};

/* --- Board and limits ------------------------------------------------------------------------- */

/* Zones must not overlap. */
static void zone_rows(const FieldsReader *reader, int32_t *min, int32_t *max) {
    (void)min;
    *max = ((const GeneralsContent *)reader->record)->height / 2;
}

static const Field board_fields[] = {
    FIELD(INT, "width", GeneralsContent, width, .min = 3, .max = WIDTH_MAX, .label = "Columns",
          .meaning = "Cells in a row."),
    FIELD(INT, "height", GeneralsContent, height, .min = 4, .max = HEIGHT_MAX, .label = "Rows",
          .meaning = "Rows."),
    FIELD(INT, "zone_rows", GeneralsContent, zone_rows, .min = 1, .max = HEIGHT_MAX / 2,
          .bounds = zone_rows, .label = "Rows of an army",
          .meaning = "Rows of each army's zone; at most half the board."),
};
/* [1.1] [1.2] */
static const Fields board = {.id = "board", FIELDS_OF(board_fields)};

/* A round is two turns. */
static void count_turns(FieldsReader *reader, uint32_t node, void *record) {
    GeneralsContent *body = record;
    (void)reader, (void)node;
    body->quiet_turns = (uint8_t)(2 * body->quiet_turns);
}

static const Field limits_fields[] = {
    FIELD(INT, "quiet_rounds", GeneralsContent, quiet_turns, .min = 1, .max = QUIET_MAX / 2,
          .label = "Quiet rounds",
          .meaning = "Rounds without a loss after which the match is a draw."),
    FIELD(INT, "repetitions", GeneralsContent, repetitions, .min = 2, .max = 9,
          .label = "Repetitions",
          .meaning = "Number of repetitions of a position that make a draw."),
    FIELD(INT, "web_turns", GeneralsContent, web_turns, .min = 1, .max = WEB_TURNS_MAX,
          .label = "Web lasts", .meaning = "Turns a web lasts."),
    FIELD(INT, "silence_ms", GeneralsContent, silence_ms, .max = 3600000, .label = "Silence (ms)",
          .meaning = "Milliseconds without a response before a player loses; 0 = no limit."),
};
/* [6.5] [8.5] [8.6] */
static const Fields limits = {.id = "limits", FIELDS_OF(limits_fields), .check = count_turns};

/* --- Armies ----------------------------------------------------------------------------------- */

/* There must be one Nexus [2.1]. */
static void piece_counts(const FieldsReader *reader, int32_t *min, int32_t *max) {
    (void)min;
    if (((const GeneralsKind *)reader->row)->class == CLASS_NEXUS)
        *max = 1;
}

/* [2.1] What depends on the class. Kinds of both armies share one list of names, so ids must be
 * unique. */
static void check_piece(FieldsReader *reader, uint32_t node, void *row) {
    const Json *json = reader->json;
    const GeneralsKind *kind = row;
    const GeneralsContent *body = reader->record;
    uint32_t power = json_member(json, node, "power");
    if (kind->class == CLASS_RANKED && power == JSON_NONE)
        json_missing(json, node, "power", "a whole number from 1 to 99", reader->problems);
    else if (kind->class != CLASS_RANKED && power != JSON_NONE)
        json_problem(json, power, reader->problems,
                     "only pieces of class ranked may have a power; the class of this one is %s",
                     class_ids[kind->class]);
    if (kind->class == CLASS_NEXUS && kind->ability != ABILITY_NONE)
        json_problem(json, json_member(json, node, "ability"), reader->problems,
                     "a nexus has no ability");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint32_t i = 1; i <= KINDS_MAX; i++)
            if (&body->army[seat].kinds[i] != kind &&
                strcmp(body->army[seat].kinds[i].id, kind->id) == 0)
                json_problem(json, json_member(json, node, "id"), reader->problems,
                             "duplicate id \"%s\"", kind->id);
}

static const Field piece_fields[] = {
    FIELD(LINE, "id", GeneralsKind, id, .format = &field_name, .label = "ID",
          .meaning = "Unique; a-z, 0-9 and hyphens, starting with a letter."),
    FIELD(ENUM, "class", GeneralsKind, class, .words = class_ids, .label = "Class",
          .meaning =
              "Decides battles between different classes; ranked pieces compare their power."),
    FIELD(INT, "power", GeneralsKind, power, .min = 1, .max = 99, .optional = true,
          .label = "Power", .meaning = "For ranked pieces only."),
    FIELD(INT, "count", GeneralsKind, count, .min = 1, .max = SIDE_MAX, .bounds = piece_counts,
          .label = "Count", .meaning = "How many the army has."),
    FIELD(ENUM, "ability", GeneralsKind, ability, .words = ability_ids, .optional = true,
          .label = "Ability", .meaning = "Special ability; omit for none."),
};
/* [2.1] */
static const Fields piece_rows = {
    .id = "piece",
    FIELDS_OF(piece_fields),
    .bytes = sizeof(GeneralsKind),
    .schema =
        "\"allOf\":[{\"if\":{\"properties\":{\"class\":{\"const\":\"ranked\"}}},"
        "\"then\":{\"required\":[\"power\"]},"
        "\"else\":{\"not\":{\"required\":[\"power\"]}}},"
        "{\"if\":{\"properties\":{\"class\":{\"const\":\"nexus\"}}},\"then\":{\"properties\":{"
        "\"count\":{\"const\":1},\"ability\":{\"const\":\"none\"}}}}]",
    .check = check_piece};

/* One row of the layout: for each cell the id of a kind or "-". */
static bool read_layout_row(FieldsReader *reader, uint32_t line, uint32_t width, uint8_t *out) {
    const Json *json = reader->json;
    const GeneralsArmy *army = reader->row;
    const char *words[KINDS_MAX + 1] = {"-"};
    bool fine = json_expect_kind(json, line, JSON_ARRAY, reader->problems);
    if (fine && json->nodes[line].count != width)
        return json_problem(json, line, reader->problems,
                            "a row of the layout must have %u entries (one per column), found %u",
                            width, json->nodes[line].count);
    for (uint32_t i = 1; i <= army->kinds_count; i++)
        words[i] = army->kinds[i].id;
    for (uint32_t cell = fine ? json_first(json, line) : JSON_NONE; cell != JSON_NONE;
         cell = json->nodes[cell].next) {
        uint32_t kind;
        fine &= json_choice(json, cell, words, army->kinds_count + 1u, &kind, reader->problems);
        *out++ = (uint8_t)kind;
    }
    return fine;
}

/* [3.3] Rows from the army's own edge forward. Without valid kinds it cannot be checked. */
static bool read_layout(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    const Json *json = reader->json;
    const GeneralsContent *body = reader->record;
    GeneralsArmy *army = reader->row;
    uint32_t rows = body->zone_rows, row = 0;
    (void)field;
    if (!json_expect_kind(json, node, JSON_ARRAY, reader->problems) || army->kinds_count == 0)
        return false;
    if (json->nodes[node].count != rows)
        return json_problem(json, node, reader->problems,
                            "the layout must have %u rows (one per row of the zone), found %u",
                            rows, json->nodes[node].count);
    bool fine = true;
    for (uint32_t line = json_first(json, node); line != JSON_NONE;
         line = json->nodes[line].next, row++)
        fine &= read_layout_row(reader, line, body->width,
                                (uint8_t *)to +
                                    (army == body->army ? row : rows - 1 - row) * body->width);
    return fine;
}

static const FieldCustom layout = {
    .wanted = "an array",
    .read = read_layout,
    .schema = "\"type\":\"array\",\"minItems\":1,\"maxItems\":4,\"items\":{\"type\":\"array\","
              "\"minItems\":3,\"maxItems\":9,\"items\":{\"description\":\"The id of a kind of "
              "this army, or - for an empty cell.\",\"anyOf\":[{\"const\":\"-\"},{\"type\":"
              "\"string\",\"maxLength\":23,\"pattern\":\"^[a-z][a-z0-9-]*$\"}]}}",
    .words = "array of rows, each an array of ids or `-`"};

/* [2.1] What the kinds of an army must be together. */
static void check_pieces(FieldsReader *reader, uint32_t pieces, GeneralsArmy *army) {
    uint32_t total = 0, nexuses = 0;
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++) {
        total += army->kinds[kind].count;
        if (army->kinds[kind].class == CLASS_NEXUS) {
            nexuses++;
            army->nexus = kind;
        }
    }
    if (nexuses != 1)
        json_problem(reader->json, pieces, reader->problems,
                     "an army must have exactly one kind of class nexus, found %u", nexuses);
    uint32_t most = army->zone_cells < SIDE_MAX ? army->zone_cells : SIDE_MAX;
    if (total < 2 || total > most)
        json_problem(reader->json, pieces, reader->problems,
                     "an army in this zone must have 2 to %u pieces, found %u", most, total);
    army->pieces = (uint8_t)(total > SIDE_MAX ? SIDE_MAX : total);
}

/* Does the layout hold every piece, and none too many? */
static void check_layout(FieldsReader *reader, uint32_t node, const GeneralsArmy *army) {
    for (uint32_t kind = 1; kind <= army->kinds_count; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < army->zone_cells; i++)
            count += army->layout[i] == kind;
        if (count != army->kinds[kind].count)
            json_problem(reader->json, node, reader->problems,
                         "the layout must contain %u x %s, found %u", army->kinds[kind].count,
                         army->kinds[kind].id, count);
    }
}

/* [1.2] [1.3] */
static void check_army(FieldsReader *reader, uint32_t node, void *row) {
    const Json *json = reader->json;
    const GeneralsContent *body = reader->record;
    GeneralsArmy *army = row;
    bool first = army == body->army;
    uint32_t cells = (uint32_t)(body->width * body->height);
    army->zone_cells = (uint8_t)(body->zone_rows * body->width);
    army->zone_first = first ? 0 : (uint8_t)(cells - army->zone_cells);
    army->far_row = first ? (uint8_t)(body->height - 1) : 0;
    check_pieces(reader, json_member(json, node, "pieces"), army);
    check_layout(reader, json_member(json, node, "layout"), army);
    if (!first && army->id[0] == body->army[0].id[0])
        json_problem(json, json_member(json, node, "id"), reader->problems,
                     "the two army ids must start with different letters (they name the pieces)");
}

static const Field army_fields[] = {
    FIELD(LINE, "id", GeneralsArmy, id, .format = &field_name, .label = "ID",
          .meaning = "a-z, 0-9 and hyphens, starting with a letter."),
    FIELD(ROWS, "pieces", GeneralsArmy, kinds[1], FIELD_COUNT(GeneralsArmy, kinds_count),
          .rows = &piece_rows, .min = 2, .max = KINDS_MAX, .label = "Pieces",
          .meaning = "Its kinds of piece, one of them a nexus; together 2 to 21 pieces."),
    FIELD(CUSTOM, "layout", GeneralsArmy, layout, .custom = &layout, .label = "Layout",
          .meaning = "The default placement: rows from the army's own edge forward."),
};
static const Fields army_rows = {
    .id = "army", FIELDS_OF(army_fields), .bytes = sizeof(GeneralsArmy), .check = check_army};

static const Field pieces_fields[] = {
    FIELD_PART(OBJECT, "board", .rows = &board, .label = "Board",
               .meaning = "Size of the board and of the zones where armies start."),
    FIELD_PART(OBJECT, "limits", .rows = &limits, .label = "Limits",
               .meaning = "Draw limits and durations."),
    FIELD(ROWS, "armies", GeneralsContent, army, .rows = &army_rows, .min = MASH_SEATS,
          .max = MASH_SEATS, .label = "Armies",
          .meaning =
              "The army at the top comes first. The two ids must start with different letters."),
};
static const Fields pieces_document = {
    .id = ".pieces.json",
    .meaning = "board, limits and armies",
    .beyond = "armies fit their zones and layouts contain exactly their pieces",
    FIELDS_OF(pieces_fields)};

const Fields *const generals_documents[] = {&pieces_document, NULL};

/* --- What follows from it --------------------------------------------------------------------- */

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

/* [5.2] [5.3] [5.4] [5.5] [5.6] [5.7] The outcome for a kind against an enemy's: it does not matter
 * which one attacks [5.1]. */
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
 * Events: each piece is defeated once, is revealed once, and has one web that ends; in addition at
 * most: draw declined, fought, moved, used, effect begun, phase or round and turn, ready, match
 * begun, match ended. A placement has one event per piece.
 *
 * Length: both sides place piece by piece and declare themselves ready. There are fewer than
 * quiet_turns turns between two defeats, at most all but the Nexuses are defeated before the last
 * stretch, and a turn has at most two actions. */
static MashLimits limits_of(const GeneralsContent *body) {
    uint32_t units = units_of(body), placing = 0, acting = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const GeneralsArmy *army = &body->army[seat];
        uint32_t list = (uint32_t)army->kinds_count * army->zone_cells + 2;
        placing = list > placing ? list : placing;
        list = 12u * army->pieces + 1;
        acting = list > acting ? list : acting;
    }
    return (MashLimits){
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

/* --- The whole -------------------------------------------------------------------------------- */

/* The ids of all kinds, first those of the first army, and of the armies; NULL after the last. */
static const char *kind_id(const void *raw_body, uint32_t index) {
    const GeneralsContent *body = raw_body;
    const GeneralsArmy *army = &body->army[index >= body->army[0].kinds_count];
    index -= army == body->army ? 0 : body->army[0].kinds_count;
    return index < army->kinds_count ? army->kinds[index + 1].id : NULL;
}
static const char *side_id(const void *body, uint32_t index) {
    return index < MASH_SEATS ? ((const GeneralsContent *)body)->army[index].id : NULL;
}

static const TextsIds lists[] = {
    {MASH_NAME_KIND, 0, 0, NULL, kind_id},
    TEXTS_IDS(GROUND, 0, "open", "zone-0", "zone-1"),
    TEXTS_IDS(METER, 0, "round", "quiet", "repeated", "left", "ready", "power", "ability",
              "could-be", "web"),
    TEXTS_IDS(PHASE, 0, "placement", "turn", "second-step", "over"),
    TEXTS_IDS(VERB, VERB_PLACE, "place", "layout", "random", "ready", "move", "strike", "web",
              "stay"),
    {MASH_NAME_ABILITY, ABILITY_SECOND_STEP, 4, ability_ids + ABILITY_SECOND_STEP, NULL},
    TEXTS_IDS(EFFECT, 0, "web"),
    TEXTS_IDS(OUTCOME, 0, "attacker-out", "defender-out", "both-out"),
    TEXTS_IDS(REASON, MASH_REASON_GAME, "nexus", "stuck", "quiet", "repeated"),
    TEXTS_IDS(FIGURE, 0, "steps", "won", "lost", "tied", "struck", "snapped", "webs", "out"),
    {MASH_NAME_SIDE, 0, 0, NULL, side_id},
};
static const MashEventKind events[] = {
    MASH_EVENT_READY,       MASH_EVENT_PLACED,       MASH_EVENT_MATCH_BEGAN,
    MASH_EVENT_ROUND_BEGAN, MASH_EVENT_TURN_BEGAN,   MASH_EVENT_PHASE_BEGAN,
    MASH_EVENT_MOVED,       MASH_EVENT_FOUGHT,       MASH_EVENT_DIED,
    MASH_EVENT_USED,        MASH_EVENT_EFFECT_BEGAN, MASH_EVENT_EFFECT_ENDED,
    MASH_EVENT_REVEALED,    MASH_EVENT_DRAW_OFFERED, MASH_EVENT_DRAW_DECLINED,
    MASH_EVENT_MATCH_ENDED,
};

/* An unknown board counts as the smallest. */
static void begin(void *raw_body) {
    GeneralsContent *body = raw_body;
    body->width = 3;
    body->height = 4;
    body->zone_rows = 1;
}

/* What follows from the document. */
static void finish(MashContent *content) {
    GeneralsContent *body = (void *)content->body;
    work_out_cells(body);
    work_out_armies(body);
    generals_work_out_worths(body);
    content->limits = limits_of(body);
}

GAME_LOAD(generals, .hashed_bytes = offsetof(GeneralsContent, texts), .texts_need_kinds = true,
          .begin = begin, .finish = finish)
