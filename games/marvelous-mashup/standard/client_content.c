/* client_content.c -- the client's side of the network standard: reads the content of an offer or
 * of a match, writes requests and the choice of six. Events are in client_events.c.
 *
 * Servers are read leniently: unknown keys are ignored, values beyond the limits of the rules are
 * clamped. Only a board on which the rules could not continue is refused. */
#include <string.h>

#include "games/marvelous-mashup/standard/client_state.h"

/* --- Reading leniently ------------------------------------------------------------------------ */

int32_t wire_number(const Json *json, uint32_t object, const char *key, int32_t least, int32_t most,
                    int32_t usual) {
    MashProblems ignored = {.max = 0};
    uint32_t node = json_member(json, object, key);
    int32_t value;
    if (node == JSON_NONE || !json_int(json, node, INT32_MIN, INT32_MAX, &value, &ignored))
        return usual;
    return value < least ? least : value > most ? most : value;
}

void wire_name(const Json *json, uint32_t object, char out[NAME_BYTES]) {
    MashText text = text_over(out, NAME_BYTES);
    uint32_t node = json_member(json, object, "name");
    if (node != JSON_NONE)
        json_string(json, node, &text);
    uint32_t end = text.count;
    while (end > 0 && text.truncated && ((uint8_t)out[end - 1] & 0xc0) == 0x80)
        end--;
    if (text.truncated && end > 0 && (uint8_t)out[end - 1] >= 0xc0)
        end--;
    out[end] = '\0';
    for (uint32_t i = 0; i < end; i++)
        if ((uint8_t)out[i] < 0x20 || out[i] == 0x7f)
            out[i] = '?';
}

/* --- Characters ------------------------------------------------------------------------------- */

/* One character as the server describes it; missing or invalid values get harmless defaults. */
static void read_kind(const Json *json, uint32_t node, MarvelousKind *kind, KindWords *words) {
    kind->number = (uint16_t)wire_number(json, node, "characterID", 0, VALUE_MOST, 0);
    kind->health = (uint16_t)wire_number(json, node, "HP", 1, VALUE_MOST, 1);
    kind->moves = (uint16_t)wire_number(json, node, "MP", 0, VALUE_MOST, 0);
    kind->actions = (uint16_t)wire_number(json, node, "AP", 0, VALUE_MOST, 0);
    kind->melee = (uint16_t)wire_number(json, node, "meleeDamage", 0, VALUE_MOST, 0);
    kind->ranged = (uint16_t)wire_number(json, node, "rangeCombatDamage", 0, VALUE_MOST, 0);
    kind->reach = (uint16_t)wire_number(json, node, "rangeCombatReach", 0, VALUE_MOST, 0);
    wire_name(json, node, words->name);
}

/* Adds exactly `count` kinds; those that the server does not list are placeholders. How many it
 * lists. */
static uint32_t read_kinds(const Json *json, uint32_t list, uint32_t count,
                           MarvelousContent *content) {
    uint32_t node = list == JSON_NONE ? JSON_NONE : json_first(json, list), found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = content->kinds_count++;
        if (node == JSON_NONE) {
            content->kinds[kind].health = 1;
            continue;
        }
        read_kind(json, node, &content->kinds[kind], &content->words[kind]);
        node = json->nodes[node].next;
        found++;
    }
    return found;
}

/* Kinds need unique numbers: if the server's are not, kinds are numbered in order. Placeholders
 * have no number. */
static void number_kinds(MarvelousContent *content) {
    bool good = true;
    for (uint32_t i = 0; i < content->kinds_count; i++)
        for (uint32_t j = 0; j <= i; j++)
            good &= content->kinds[i].number > 0 &&
                    (j == i || content->kinds[i].number != content->kinds[j].number);
    for (uint32_t i = 0; !good && i < content->kinds_count; i++)
        content->kinds[i].number = (uint16_t)(i + 1);
}

/* The place of a kind after all were sorted. */
static uint8_t kind_numbered(const MarvelousContent *content, uint16_t number) {
    uint8_t kind = 0;
    while (content->kinds[kind].number != number)
        kind++;
    return kind;
}

/* --- The match and the board ------------------------------------------------------------------ */

/* The match configuration as the server describes it, in seconds; missing or invalid values get
 * harmless defaults. */
static void read_match(const Json *json, uint32_t node, MarvelousContent *content,
                       MashLimits *limits) {
    static const char *const keys[STONES] = {"spaceStoneCD", "mindStoneCD", "realityStoneCD",
                                             "powerStoneCD", "timeStoneCD", "soulStoneCD"};
    const int32_t seconds = 1000000;
    content->rounds_max = (uint16_t)wire_number(json, node, "maxRounds", 0, LAST_ROUND, 0);
    for (uint32_t stone = 0; stone < STONES; stone++)
        content->cooldowns[stone] =
            (uint8_t)wire_number(json, node, keys[stone], stone == STONE_TIME, 50, 1);
    content->mind_damage = (uint16_t)wire_number(json, node, "mindStoneDMG", 0, VALUE_MOST, 0);
    limits->turn_ms = (uint32_t)wire_number(json, node, "maxRoundTime", 0, seconds, 0) * 1000;
    limits->match_ms = (uint32_t)wire_number(json, node, "maxGameTime", 0, seconds, 0) * 1000;
    limits->animation_ms =
        (uint32_t)wire_number(json, node, "maxAnimationTime", 0, seconds, 0) * 1000;
    limits->pause_ms = (uint32_t)wire_number(json, node, "maxPauseTime", 0, seconds, 0) * 1000;
    limits->silence_ms = (uint32_t)wire_number(json, node, "maxResponseTime", 0, seconds, 0) * 1000;
}

/* One field of the scenario; what is neither rock nor portal stays grass. */
static void read_field(const Json *json, uint32_t node, uint32_t x, uint32_t y,
                       MarvelousContent *content) {
    uint32_t cell = cell_at(content, (int)x, (int)y);
    if (json_equals(json, node, "ROCK"))
        content->ground[cell] = CELL_ROCKS + ROCK_HEALTH;
    if (!json_equals(json, node, "PORTAL"))
        return;
    content->ground[cell] = CELL_PORTAL;
    content->portals[content->portals_count++] = (uint16_t)cell;
}

/* A portal that leads nowhere is an obstacle: it blocks steps and sight. */
static void close_lone_portal(MarvelousContent *content) {
    if (content->portals_count != 1)
        return;
    content->ground[content->portals[0]] = CELL_UNITS + UNIT_GOOSE;
    content->portals_count = 0;
}

/* Twelve heroes, six stones and Thanos need a cell each, and so does a hero that comes through a
 * portal. */
static bool read_board(const Json *json, uint32_t node, MarvelousContent *content,
                       MashProblems *problems) {
    uint32_t rows = json_expect_member(json, node, "scenario", JSON_ARRAY, problems);
    if (rows == JSON_NONE)
        return false;
    uint32_t first = json_first(json, rows), y = 0;
    uint32_t width = first == JSON_NONE ? 0 : json->nodes[first].count;
    uint32_t height = json->nodes[rows].count;
    if (width == 0 || width > MASH_SIDE_MAX || height > MASH_SIDE_MAX)
        return json_problem(json, rows, problems, "unsupported board size %u x %u", (unsigned)width,
                            (unsigned)height);
    content->width = (uint8_t)width;
    content->height = (uint8_t)height;
    content->cells_count = (uint16_t)(width * height);
    for (uint32_t row = first; row != JSON_NONE; row = json->nodes[row].next, y++) {
        uint32_t x = 0;
        for (uint32_t field = json_first(json, row); field != JSON_NONE && x < width;
             field = json->nodes[field].next)
            read_field(json, field, x++, y, content);
    }
    if (content->cells_count - content->portals_count < GRASS_LEAST)
        return json_problem(json, rows, problems,
                            "there must be at least %d fields without a portal", (int)GRASS_LEAST);
    close_lone_portal(content);
    wire_name(json, node, content->scenario);
    return true;
}

/* --- The content ------------------------------------------------------------------------------ */

/* Stands in for what is unknown before the match: a small board of grass, and as many unknown
 * heroes as are offered, so that the enemy's choice can be guessed. */
static void fill_unknown(MarvelousContent *content) {
    for (uint32_t i = 0; i < OFFERED; i++) {
        content->kinds[OFFERED + i] = content->kinds[i];
        content->words[OFFERED + i].name[0] = '?';
        content->kinds[OFFERED + i].number = 0;
    }
    content->kinds_count = MASH_SEATS * OFFERED;
    content->width = content->height = 5;
    content->cells_count = 25;
    content->rounds_max = LAST_ROUND;
    content->cooldowns[STONE_TIME] = 1;
}

/* Unknown heroes come after all known ones. */
static void number_unknown_heroes(MarvelousContent *content) {
    for (uint32_t i = 0; i < OFFERED; i++)
        content->kinds[OFFERED + i].number = (uint16_t)(VALUE_MOST + 1 + i);
}

/* The twelve characters to choose from, and a placeholder match until the real one is received.
 * False and a problem: there are fewer. */
static bool read_offer(const Json *json, uint32_t message, MarvelousClientState *client,
                       MashContent *loaded, MashProblems *problems) {
    MarvelousContent *content = (void *)loaded->body;
    uint16_t numbers[OFFERED];
    uint32_t list = json_expect_member(json, message, "characterSelection", JSON_ARRAY, problems);
    if (list == JSON_NONE)
        return false;
    if (read_kinds(json, list, OFFERED, content) < OFFERED)
        return json_problem(json, list, problems, "there must be %d characters to choose from",
                            (int)OFFERED);
    number_kinds(content);
    for (uint32_t i = 0; i < OFFERED; i++)
        numbers[i] = content->kinds[i].number;
    fill_unknown(content);
    number_unknown_heroes(content);
    content_finish(&marvelous_plan, loaded);
    for (uint32_t i = 0; i < OFFERED; i++)
        client->offer[i] = kind_numbered(content, numbers[i]);
    client->choosing = true;
    client->head.seat = 0;
    return true;
}

/* Heroes are numbered by their kinds [4.5]. */
static void number_heroes(const MarvelousContent *content, const uint16_t numbers[HEROES],
                          MarvelousClientState *client) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint8_t hero = (uint8_t)(TEAM * seat);
        for (uint32_t pair = 0; pair < (uint32_t)content->kinds_count * TEAM; pair++) {
            uint8_t kind = (uint8_t)(pair / TEAM), i = (uint8_t)(TEAM * seat + pair % TEAM);
            if (content->kinds[kind].number == numbers[i]) {
                client->listed[i] = hero;
                client->kinds[hero++] = kind;
            }
        }
    }
}

/* Our seat; MASH_SEAT_NONE: we are a spectator. */
static uint8_t read_seat(const Json *json, uint32_t message) {
    uint32_t node = json_member(json, message, "assignment");
    if (node == JSON_NONE)
        return MASH_SEAT_NONE;
    return json_equals(json, node, "PlayerOne")   ? 0
           : json_equals(json, node, "PlayerTwo") ? 1
                                                  : MASH_SEAT_NONE;
}

/* Board, match configuration, both sides and our seat, received when the match begins. False and
 * problems: something is missing. */
static bool read_structure(const Json *json, uint32_t message, MarvelousClientState *client,
                           MashContent *loaded, MashProblems *problems) {
    MarvelousContent *content = (void *)loaded->body;
    uint16_t numbers[HEROES];
    uint32_t found = problems->count;
    uint32_t board = json_expect_member(json, message, "scenarioconfig", JSON_OBJECT, problems);
    uint32_t match = json_expect_member(json, message, "matchconfig", JSON_OBJECT, problems);
    static const char *const keys[MASH_SEATS] = {"playerOneCharacters", "playerTwoCharacters"};
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        read_kinds(json, json_expect_member(json, message, keys[seat], JSON_ARRAY, problems), TEAM,
                   content);
    if (problems->count != found || !read_board(json, board, content, problems))
        return false;
    read_match(json, match, content, &loaded->limits);
    number_kinds(content);
    for (uint32_t i = 0; i < HEROES; i++)
        numbers[i] = content->kinds[i].number;
    content_finish(&marvelous_plan, loaded);
    number_heroes(content, numbers, client);
    client->head.seat = read_seat(json, message);
    return true;
}

static bool content_in(const Json *json, uint32_t message, const MashDocuments *memory,
                       StandardClientState *head, MashContent *loaded, MashProblems *problems) {
    MarvelousClientState *client = client_state_of(head);
    MarvelousContent *content = (void *)loaded->body;
    StandardClientState kept = *head;
    memset(client, 0, sizeof *client);
    memset(content, 0, sizeof *content);
    memset(&loaded->limits, 0, sizeof loaded->limits);
    *head = (StandardClientState){.awaited = MASH_SEAT_NONE,
                                  .bare = kept.bare,
                                  .careful = kept.careful,
                                  .ruler = kept.ruler,
                                  .leader = MASH_SEAT_NONE};
    client->winner = MASH_SEAT_NONE;
    client->attacker = client->mover = MASH_UNIT_NONE;
    for (uint32_t hero = 0; hero < HEROES; hero++)
        client->ids[hero] = WIRE_NONE;
    MashDocument texts = mash_document_shipped(&marvelous_mashup_game, "english.texts.json");
    MashDocuments documents = {&texts, 1, memory->scratch, memory->scratch_bytes};
    if (!texts_load(&content->texts, &documents, &marvelous_plan.texts, content, problems))
        return false;
    bool offer = json_member(json, message, "characterSelection") != JSON_NONE;
    return offer ? read_offer(json, message, client, loaded, problems)
                 : read_structure(json, message, client, loaded, problems);
}

/* Nobody is on the board yet; during the draft, only the seat's own offer is known. */
static void state_begin(const MashContent *loaded, const StandardClientState *head,
                        void *raw_state) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousClientState *client = (const void *)head;
    MarvelousState *state = raw_state;
    marvelous_empty(content, state);
    state->phase = client->choosing ? PHASE_CHOICE : PHASE_PLAY;
    if (client->choosing) {
        memset(state->offers, KIND_HIDDEN, sizeof state->offers);
        for (uint8_t i = 0; i < OFFERED; i++)
            state->offers[0][i] = i;
    }
}

/* --- Requests --------------------------------------------------------------------------------- */

/* A key and an entity by its group and number. */
static void put_reference(JsonWriter *writer, const char *key, const char *group, int32_t number) {
    json_put_key(writer, key);
    json_open(writer, '{');
    json_put_pair(writer, "entityID", group);
    json_put_pair_int(writer, "ID", number);
    json_close(writer, '}');
}

/* A key and a hero, by the number that the server gave it or else that of its kind. */
static void put_hero(JsonWriter *writer, const char *key, const MarvelousContent *content,
                     const MarvelousClientState *client, uint8_t hero) {
    int32_t number = client->ids[hero];
    put_reference(writer, key, seat_of(hero) == 0 ? "P1" : "P2",
                  number == WIRE_NONE ? content->kinds[client->kinds[hero]].number : number);
}

/* A key and a cell as [x, y]. */
static void put_field(JsonWriter *writer, const char *key, int x, int y) {
    json_put_key(writer, key);
    json_open(writer, '[');
    json_put_int(writer, x);
    json_put_int(writer, y);
    json_close(writer, ']');
}

/* The hero or rock on a cell. */
static void put_target(JsonWriter *writer, const MarvelousContent *content,
                       const MarvelousClientState *client, const MarvelousState *state,
                       MashAction action) {
    uint32_t number = cell_at(content, action.x, action.y);
    uint8_t cell = state->cells[number];
    if (cell_is_hero(cell))
        put_hero(writer, "targetEntity", content, client, cell_unit(cell));
    else
        put_reference(writer, "targetEntity", "Rocks", client->rocks[number]);
}

/* The keys after the type, by the verb. */
static void put_fields(JsonWriter *writer, const MarvelousContent *content,
                       const MarvelousClientState *client, const MarvelousState *state,
                       MashAction action) {
    const Actor *actor = &state->actors[action.unit];
    const MarvelousKind *kind = kind_of(content, state, action.unit);
    bool attack = action.verb == VERB_MELEE || action.verb == VERB_RANGED;
    put_hero(writer, "originEntity", content, client, action.unit);
    if (attack || action.verb == VERB_GIVE)
        put_target(writer, content, client, state, action);
    put_field(writer, "originField", actor->x, actor->y);
    put_field(writer, "targetField", action.x, action.y);
    if (attack) {
        json_put_pair_int(writer, "value", action.verb == VERB_MELEE ? kind->melee : kind->ranged);
    }
    if (action.verb == VERB_USE || action.verb == VERB_GIVE)
        put_reference(writer, "stoneType", "InfinityStones", action.ability);
}

static bool request_out(const MashContent *loaded, const StandardClientState *head,
                        const void *raw_state, MashAction action, MashText *text) {
    static const char *const types[VERBS] = {[VERB_MOVE] = "MoveRequest",
                                             [VERB_MELEE] = "MeleeAttackRequest",
                                             [VERB_RANGED] = "RangedAttackRequest",
                                             [VERB_USE] = "UseInfinityStoneRequest",
                                             [VERB_GIVE] = "ExchangeInfinityStoneRequest",
                                             [VERB_END] = "EndRoundRequest"};
    const char *type = action.verb == MASH_VERB_RESIGN ? "DisconnectRequest"
                       : action.verb < VERBS           ? types[action.verb]
                                                       : NULL;
    if (type == NULL)
        return false;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "requestType", type);
    if (action.verb != VERB_END && action.verb != MASH_VERB_RESIGN)
        put_fields(&writer, marvelous_content(loaded), (const void *)head, raw_state, action);
    json_close(&writer, '}');
    return true;
}

static void choice_out(const MashContent *loaded, const StandardClientState *head,
                       const void *raw_state, MashText *text) {
    const MarvelousClientState *client = (const void *)head;
    const MarvelousState *state = raw_state;
    (void)loaded;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < OFFERED; i++)
        json_put_bool(&writer, state->picked[0] >> client->offer[i] & 1);
    json_close(&writer, ']');
}

/* Known servers refuse the Mind Stone from the next cell; one measures the range of attacks in
 * Euclidean distance; and servers with bare events stop responding after a stone that creates
 * something. */
static bool risky(const MashContent *loaded, const StandardClientState *head, const void *raw_state,
                  MashAction action) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    if (action.verb != VERB_USE && action.verb != VERB_RANGED)
        return false;
    const Actor *actor = &state->actors[action.unit];
    int dx = actor->x - action.x, dy = actor->y - action.y;
    int reach = kind_of(content, state, action.unit)->reach;
    if (action.verb == VERB_RANGED)
        return head->ruler && dx * dx + dy * dy > reach * reach;
    if (action.ability == STONE_MIND)
        return grid_chebyshev(actor->x, actor->y, action.x, action.y) < 2;
    uint8_t cell = state->cells[cell_at(content, action.x, action.y)];
    bool nothing =
        action.ability == STONE_SPACE || (action.ability == STONE_REALITY && cell_is_free(cell));
    return head->bare && nothing;
}

const StandardClientAdapter marvelous_standard_client = {
    .bytes = sizeof(MarvelousClientState),
    .content_in = content_in,
    .state_begin = state_begin,
    .event_in = marvelous_event_in,
    .request_out = request_out,
    .choice_out = choice_out,
    .risky = risky,
};
