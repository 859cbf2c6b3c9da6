/* decode_requests.c -- the network standard: references and entities, offers and teams, requests,
 * configurations. Events are encoded in encode.c. */
#include "games/marvelous-mashup/standard/standard.h"

#include <string.h>

#include "base/json.h"

/* --- References and entities ------------------------------------------------------------------ */

StandardRef marvelous_reference(const MarvelousContent *content, const MarvelousState *state,
                                uint8_t unit) {
    if (unit < HEROES)
        return (StandardRef){STANDARD_GROUP_P1 + seat_of(unit),
                             kind_of(content, state, unit)->number};
    return (StandardRef){STANDARD_GROUP_NPC, unit - UNIT_GOOSE};
}

StandardRef marvelous_stone_reference(uint8_t stone) {
    return (StandardRef){STANDARD_GROUP_STONES, stone};
}

StandardRef marvelous_ground_reference(const StandardEncoder *encoder, uint32_t cell) {
    const MarvelousContent *content = encoder->content;
    if (encoder->rocks[cell] > 0)
        return (StandardRef){STANDARD_GROUP_ROCKS, (int32_t)encoder->rocks[cell] - 1};
    for (uint32_t i = 0; i < content->portals_count; i++)
        if (content->portals[i] == cell)
            return (StandardRef){STANDARD_GROUP_PORTALS, (int32_t)i};
    return (StandardRef){STANDARD_GROUP_COUNT, 0};
}

StandardEntity marvelous_hero_entity(const MarvelousContent *content, const MarvelousState *state,
                                     uint8_t hero) {
    const Actor *actor = &state->actors[hero];
    return (StandardEntity){.type = STANDARD_ENTITY_CHARACTER,
                            .id = kind_of(content, state, hero)->number,
                            .player = 1 + seat_of(hero),
                            .health = actor->health,
                            .moves = actor->moves,
                            .actions = actor->actions,
                            .stones = actor->stones,
                            .field = standard_field(actor->x, actor->y),
                            .name = content->words[actor->kind].name};
}

StandardEntity marvelous_npc_entity(uint8_t unit, uint32_t moves, uint8_t stones, int x, int y) {
    return (StandardEntity){.type = STANDARD_ENTITY_NPC,
                            .id = unit - UNIT_GOOSE,
                            .moves = (int32_t)moves,
                            .stones = stones,
                            .field = standard_field(x, y)};
}

StandardEntity marvelous_ground_entity(const StandardEncoder *encoder, uint32_t cell, int health) {
    StandardRef ref = marvelous_ground_reference(encoder, cell);
    int height = encoder->content->height;
    return (StandardEntity){.type = ref.group == STANDARD_GROUP_ROCKS ? STANDARD_ENTITY_ROCK
                                                                      : STANDARD_ENTITY_PORTAL,
                            .id = ref.id,
                            .health = health,
                            .field = standard_field((int)cell / height, (int)cell % height)};
}

StandardEntity marvelous_stone_entity(uint8_t stone, int x, int y) {
    return (StandardEntity){
        .type = STANDARD_ENTITY_STONE, .id = stone, .field = standard_field(x, y)};
}

/* --- An encoder ---------------------------------------------------------------------------------
 */

static size_t encoder_bytes(const MashContent *loaded) {
    return sizeof(StandardEncoder) + marvelous_content(loaded)->cells_count * sizeof(uint32_t);
}

/* Rocks of the scenario are numbered row by row. */
static StandardEncoder *begin(const MashContent *loaded, void *raw_state) {
    StandardEncoder *encoder = raw_state;
    const MarvelousContent *content = marvelous_content(loaded);
    memset(encoder, 0, encoder_bytes(loaded));
    encoder->loaded = loaded;
    encoder->content = content;
    for (int y = 0; y < content->height; y++)
        for (int x = 0; x < content->width; x++)
            if (cell_is_rock(content->ground[cell_at(content, x, y)]))
                encoder->rocks[cell_at(content, x, y)] = ++encoder->rocks_count;
    return encoder;
}

/* --- Offers and teams ------------------------------------------------------------------------- */

/* A kind of hero in the standard's form. */
static StandardCharacter hero_of(const MarvelousContent *content, uint8_t kind) {
    const MarvelousKind *values = &content->kinds[kind];
    return (StandardCharacter){.number = values->number,
                               .health = values->health,
                               .moves = values->moves,
                               .actions = values->actions,
                               .melee = values->melee,
                               .ranged = values->ranged,
                               .reach = values->reach,
                               .name = content->words[kind].name};
}

static void offered(const MashContent *loaded, const void *raw_state, uint8_t seat,
                    StandardCharacter out[STANDARD_OFFERED]) {
    const MarvelousState *state = raw_state;
    static_assert((int)OFFERED == (int)STANDARD_OFFERED, "as many as the standard has");
    for (uint32_t i = 0; i < OFFERED; i++)
        out[i] = hero_of(marvelous_content(loaded), state->offers[seat][i]);
}

static void team(const MashContent *loaded, const void *raw_state, uint8_t seat,
                 StandardCharacter out[STANDARD_TEAM]) {
    const MarvelousState *state = raw_state;
    static_assert((int)TEAM == (int)STANDARD_TEAM, "as many as the standard has");
    for (uint32_t i = 0; i < TEAM; i++)
        out[i] = hero_of(marvelous_content(loaded), state->actors[seat * TEAM + i].kind);
}

static bool choosing(const MashContent *loaded, const void *raw_state, uint8_t seat) {
    (void)loaded;
    const MarvelousState *state = raw_state;
    if (state->phase != PHASE_CHOICE)
        return false;
    return seat >= MASH_SEATS || (marvelous_choosing(state) >> seat & 1) != 0;
}

static MashAction choose(uint8_t seat, uint8_t place) {
    return (MashAction){
        .verb = VERB_CHOOSE, .seat = seat, .unit = (uint8_t)(UNIT_OFFERS + OFFERED * seat + place)};
}

/* --- Requests --------------------------------------------------------------------------------- */

/* Who or what is on a cell; false: nothing that the standard has a number for. */
static bool reference_at(const StandardEncoder *encoder, const MarvelousState *state, uint32_t cell,
                         StandardRef *out) {
    uint8_t byte = state->cells[cell];
    if (cell_is_stone(byte))
        *out = marvelous_stone_reference((uint8_t)(byte - CELL_STONES));
    else if (byte >= CELL_UNITS && byte < CELL_UNITS + ACTORS)
        *out = marvelous_reference(encoder->content, state, cell_unit(byte));
    else if (cell_is_rock(byte) || byte == CELL_PORTAL)
        *out = marvelous_ground_reference(encoder, cell);
    else
        return false;
    return true;
}

/* Do two references name the same thing? */
static bool same_reference(const StandardRef *a, const StandardRef *b) {
    return a->group == b->group && a->id == b->id;
}

/* The seat's hero of that reference, or MASH_UNIT_NONE. */
static uint8_t own_hero(const MarvelousContent *content, const MarvelousState *state, uint8_t seat,
                        const StandardRef *ref) {
    for (uint8_t hero = (uint8_t)(seat * TEAM); hero < (seat + 1) * TEAM; hero++) {
        StandardRef own = marvelous_reference(content, state, hero);
        if (same_reference(&own, ref))
            return hero;
    }
    return MASH_UNIT_NONE;
}

/* Has the hero's turn in this round already passed? */
static bool turn_is_over(const MarvelousState *state, uint8_t hero) {
    for (uint32_t i = 0; i + 1 < state->order_next; i++)
        if (state->order[i] == hero)
            return true;
    return false;
}

/* Does the request name what is really on its fields? An attack is meant for whatever is on its
 * field, since some clients name it wrongly; the receiver of a stone must be named correctly. */
static bool fits_board(const StandardEncoder *encoder, const MarvelousState *state, uint8_t hero,
                       const StandardMessage *request) {
    const MarvelousContent *content = encoder->content;
    const Actor *actor = &state->actors[hero];
    const StandardField *from = &request->origin_field, *to = &request->target_field;
    StandardRef there;
    if (from->x != actor->x || from->y != actor->y || to->x < 0 || to->y < 0 ||
        to->x >= content->width || to->y >= content->height)
        return false;
    if (request->row == STANDARD_REQUEST_MOVE || request->row == STANDARD_REQUEST_USE)
        return true;
    return reference_at(encoder, state, cell_at(content, to->x, to->y), &there) &&
           (request->row != STANDARD_REQUEST_EXCHANGE || same_reference(&there, &request->target));
}

static StandardVerdict action(const StandardEncoder *encoder, const void *raw_state, uint8_t seat,
                              const StandardMessage *request, MashAction *out) {
    static const uint8_t verbs[STANDARD_REQUEST_COUNT] = {
        [STANDARD_REQUEST_MOVE] = VERB_MOVE,     [STANDARD_REQUEST_MELEE] = VERB_MELEE,
        [STANDARD_REQUEST_RANGED] = VERB_RANGED, [STANDARD_REQUEST_USE] = VERB_USE,
        [STANDARD_REQUEST_EXCHANGE] = VERB_GIVE, [STANDARD_REQUEST_END] = VERB_END,
    };
    const MarvelousState *state = raw_state;
    uint8_t verb = verbs[request->row];
    *out = (MashAction){.verb = verb, .seat = seat};
    if (verb == 0 || state->phase == PHASE_CHOICE)
        return STANDARD_ACTION_INVALID;
    if (verb == VERB_END) {
        out->unit = state->active;
        return STANDARD_ACTION_FOUND;
    }
    uint8_t hero = own_hero(encoder->content, state, seat, &request->origin);
    out->unit = hero;
    if (hero == MASH_UNIT_NONE)
        return STANDARD_ACTION_INVALID;
    if (hero != state->active && turn_is_over(state, hero))
        return STANDARD_ACTION_LATE;
    if (!on_board(state, hero) || !fits_board(encoder, state, hero, request))
        return STANDARD_ACTION_INVALID;
    out->x = (int8_t)request->target_field.x;
    out->y = (int8_t)request->target_field.y;
    if (verb != VERB_USE && verb != VERB_GIVE)
        return STANDARD_ACTION_FOUND;
    if (request->stone.group != STANDARD_GROUP_STONES || request->stone.id < 0 ||
        request->stone.id >= STONES)
        return STANDARD_ACTION_INVALID;
    out->ability = (uint8_t)request->stone.id;
    return STANDARD_ACTION_FOUND;
}

static uint8_t seat_to_move(const MashContent *loaded, const void *raw_state, uint32_t *turn) {
    (void)loaded;
    const MarvelousState *state = raw_state;
    *turn = (uint32_t)state->round << 8 | state->order_next;
    return state->active < HEROES ? seat_of(state->active) : MASH_SEAT_NONE;
}

static bool is_active(const MashContent *loaded, const void *raw_state, uint8_t unit) {
    (void)loaded;
    const MarvelousState *state = raw_state;
    return state->active == unit;
}

/* --- Configurations --------------------------------------------------------------------------- */

/* Begins a document with a list under this key. */
static JsonWriter begin_list(MashText *text, const char *key) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_open_list(&writer, key);
    return writer;
}

/* The scenario as the standard's document. */
static void write_scenario(const MashContent *loaded, MashText *text) {
    const MarvelousContent *content = marvelous_content(loaded);
    JsonWriter writer = begin_list(text, "scenario");
    for (int y = 0; y < content->height; y++) {
        json_open(&writer, '[');
        for (int x = 0; x < content->width; x++) {
            uint8_t cell = content->ground[cell_at(content, x, y)];
            json_put_string(&writer, cell_is_rock(cell)    ? "ROCK"
                                     : cell == CELL_PORTAL ? "PORTAL"
                                                           : "GRASS");
        }
        json_close(&writer, ']');
    }
    json_close(&writer, ']');
    json_put_pair(&writer, "name", content->scenario);
    json_put_pair(&writer, "author", content->author);
    json_close(&writer, '}');
}

/* The match configuration as the standard's document, times in seconds. */
static void write_match(const MashContent *loaded, MashText *text) {
    static const char *const cooldowns[STONES] = {"spaceStoneCD", "mindStoneCD", "realityStoneCD",
                                                  "powerStoneCD", "timeStoneCD", "soulStoneCD"};
    const MarvelousContent *content = marvelous_content(loaded);
    const MashLimits *limits = &loaded->limits;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    JSON_PUT_INTS(&writer, {"maxRounds", content->rounds_max},
                  {"maxRoundTime", limits->turn_ms / 1000},
                  {"maxGameTime", limits->match_ms / 1000},
                  {"maxAnimationTime", limits->animation_ms / 1000});
    for (uint32_t stone = 0; stone < STONES; stone++)
        json_put_pair_int(&writer, cooldowns[stone], content->cooldowns[stone]);
    JSON_PUT_INTS(&writer, {"mindStoneDMG", content->mind_damage},
                  {"maxPauseTime", limits->pause_ms / 1000},
                  {"maxResponseTime", limits->silence_ms / 1000});
    json_close(&writer, '}');
}

/* The characters as the standard's document. */
static void write_characters(const MashContent *loaded, MashText *text) {
    const MarvelousContent *content = marvelous_content(loaded);
    JsonWriter writer = begin_list(text, "characters");
    for (uint32_t i = 0; i < content->kinds_count; i++) {
        const MarvelousKind *kind = &content->kinds[i];
        json_open(&writer, '{');
        json_put_pair_int(&writer, "characterID", kind->number);
        json_put_pair(&writer, "name", content->words[i].name);
        JSON_PUT_INTS(&writer, {"HP", kind->health}, {"MP", kind->moves}, {"AP", kind->actions},
                      {"meleeDamage", kind->melee}, {"rangeCombatDamage", kind->ranged},
                      {"rangeCombatReach", kind->reach});
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_close(&writer, '}');
}

const StandardServerAdapter marvelous_standard_server = {.encoder_bytes = encoder_bytes,
                                                         .memory_bytes = marvelous_room_bytes,
                                                         .begin = begin,
                                                         .encode_events = marvelous_encode_events,
                                                         .encode_state = marvelous_encode_state,
                                                         .draft_offer = offered,
                                                         .draft_team = team,
                                                         .is_drafting = choosing,
                                                         .draft_action = choose,
                                                         .decode_request = action,
                                                         .seat_to_move = seat_to_move,
                                                         .is_active = is_active,
                                                         .scenario = write_scenario,
                                                         .match = write_match,
                                                         .characters = write_characters};
