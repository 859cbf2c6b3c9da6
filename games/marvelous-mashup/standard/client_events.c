/* client_events.c -- the client's side of the standard's events: each is counted and translated to
 * engine events; the one that holds the whole state rebuilds ours.
 *
 * The state is rebuilt from scratch each time, so that an error or a gap in the events never lasts.
 * Whatever a server sends, the result is a state from which the rules can continue: one thing per
 * cell, each stone in one place, as many in Goose as she still has rounds. */
#include <string.h>

#include "games/marvelous-mashup/standard/client_state.h"

/* The context for processing an event. */
typedef struct EventDecoder {
    const MarvelousContent *content;
    MarvelousClientState *client;
    const Json *json;
    uint32_t event;
    MarvelousState *state;
    MashEvents *events;
} EventDecoder;

/* --- Reading ---------------------------------------------------------------------------------- */

/* A field of the board, by its key. False: it is missing, or not on this board. */
static bool field_at(const EventDecoder *decoder, uint32_t object, const char *key, Cell *out) {
    const Json *json = decoder->json;
    MashProblems ignored = {.max = 0};
    uint32_t node = json_member(json, object, key);
    uint32_t x = node == JSON_NONE ? JSON_NONE : json_first(json, node);
    uint32_t y = x == JSON_NONE ? JSON_NONE : json->nodes[x].next;
    int32_t values[2];
    *out = (Cell){0, 0};
    if (y == JSON_NONE || json->nodes[node].kind != JSON_ARRAY ||
        !json_int(json, x, 0, decoder->content->width - 1, &values[0], &ignored) ||
        !json_int(json, y, 0, decoder->content->height - 1, &values[1], &ignored))
        return false;
    *out = (Cell){(uint8_t)values[0], (uint8_t)values[1]};
    return true;
}

/* The name of the hero. */
static const char *name_of(const EventDecoder *decoder, uint8_t hero) {
    return decoder->content->words[decoder->client->kinds[hero]].name;
}

/* The hero of a side by the number that the server gives it: as received with the name, otherwise
 * its characterID, otherwise its place in the list. */
static uint8_t hero_numbered(const EventDecoder *decoder, uint8_t seat, int32_t number) {
    const MarvelousClientState *client = decoder->client;
    uint8_t first = (uint8_t)(TEAM * seat);
    for (uint8_t hero = first; hero < first + TEAM; hero++)
        if (client->ids[hero] == number)
            return hero;
    for (uint8_t hero = first; hero < first + TEAM; hero++)
        if (client->ids[hero] == WIRE_NONE &&
            decoder->content->kinds[client->kinds[hero]].number == number)
            return hero;
    bool listed =
        number >= 0 && number < TEAM && client->ids[client->listed[first + number]] == WIRE_NONE;
    return listed ? client->listed[first + number] : MASH_UNIT_NONE;
}

/* The unit of a reference: a hero, an NPC or a stone; MASH_UNIT_NONE: none of them. */
static uint8_t unit_of(const EventDecoder *decoder, uint32_t reference) {
    const Json *json = decoder->json;
    uint32_t group = reference == JSON_NONE ? JSON_NONE : json_member(json, reference, "entityID");
    if (group == JSON_NONE)
        return MASH_UNIT_NONE;
    int32_t number = wire_number(json, reference, "ID", INT32_MIN, INT32_MAX, WIRE_NONE);
    if (number < 0)
        return MASH_UNIT_NONE;
    if (json_equals(json, group, "P1") || json_equals(json, group, "P2"))
        return hero_numbered(decoder, json_equals(json, group, "P2"), number);
    if (json_equals(json, group, "NPC") && number < ACTORS - HEROES)
        return (uint8_t)(HEROES + number);
    if (json_equals(json, group, "InfinityStones") && number < STONES)
        return (uint8_t)(UNIT_STONES + number);
    return MASH_UNIT_NONE;
}

/* The unit that a key of the event refers to. */
static uint8_t unit_at(const EventDecoder *decoder, const char *key) {
    return unit_of(decoder, json_member(decoder->json, decoder->event, key));
}

/* The hero of an entity of the state; stores its number. */
static uint8_t hero_entity(const EventDecoder *decoder, uint32_t entity) {
    char name[NAME_BYTES];
    MarvelousClientState *client = decoder->client;
    int32_t number = wire_number(decoder->json, entity, "ID", 0, INT32_MAX, WIRE_NONE);
    int32_t player = wire_number(decoder->json, entity, "PID", 0, 3, 0);
    if (player < 1 || player > MASH_SEATS)
        return MASH_UNIT_NONE;
    uint8_t seat = (uint8_t)(player - 1);
    wire_name(decoder->json, entity, name);
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++)
        if (name[0] != '\0' && strcmp(name, name_of(decoder, hero)) == 0) {
            client->ids[hero] = number;
            return hero;
        }
    return hero_numbered(decoder, seat, number);
}

/* Is the entity of this type? */
static bool entity_is(const EventDecoder *decoder, uint32_t entity, const char *type) {
    uint32_t node = json_member(decoder->json, entity, "entityType");
    return node != JSON_NONE && json_equals(decoder->json, node, type);
}

/* The stone of an entity or a key of the event; STONES: none. */
static uint8_t stone_at(const EventDecoder *decoder, const char *key) {
    uint8_t unit = unit_at(decoder, key);
    bool stone = unit >= UNIT_STONES && unit < UNIT_STONES + STONES;
    return stone ? (uint8_t)(unit - UNIT_STONES) : (uint8_t)STONES;
}

/* The amount of the event, clamped to the limits of the rules. */
static int32_t amount_of(const EventDecoder *decoder) {
    return wire_number(decoder->json, decoder->event, "amount", 0, VALUE_MOST, 0);
}

/* --- Appending events ------------------------------------------------------------------------- */

/* Appends an event if there is room. */
static void note(const EventDecoder *decoder, MashEvent event) {
    MashEvents *events = decoder->events;
    if (events != NULL && events->count < events->max)
        events->list[events->count++] = event;
}

/* A public event without cells. */
static MashEvent event_for(MashEventKind kind, uint8_t unit, uint8_t other) {
    return (MashEvent){
        .kind = (uint8_t)kind, .seen_by = MASH_SEEN_BY_ALL, .unit = unit, .other = other};
}

/* With the fields of the event: from originField to targetField. */
static MashEvent event_with_fields(const EventDecoder *decoder, MashEventKind kind, uint8_t unit,
                                   uint8_t other) {
    MashEvent event = event_for(kind, unit, other);
    Cell from, to;
    field_at(decoder, decoder->event, "originField", &from);
    field_at(decoder, decoder->event, "targetField", &to);
    event.from_x = (int8_t)from.x;
    event.from_y = (int8_t)from.y;
    event.x = (int8_t)to.x;
    event.y = (int8_t)to.y;
    return event;
}

/* --- Rounds and turns ------------------------------------------------------------------------- */

/* Rounds are counted; servers number them from 0 or from 1, and some may have been missed. */
static void decode_round(EventDecoder *decoder) {
    MarvelousClientState *client = decoder->client;
    int32_t told = wire_number(decoder->json, decoder->event, "roundCount", 0, ROUND_MOST, 0);
    uint16_t next = (uint16_t)(client->round < ROUND_MOST ? client->round + 1 : ROUND_MOST);
    client->round = told > next ? (uint16_t)told : next;
    for (uint32_t stone = 0; stone < STONES; stone++)
        if (client->cooldowns[stone] > 0)
            client->cooldowns[stone]--;
    MashEvent began = event_for(MASH_EVENT_ROUND_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE);
    began.amount = client->round;
    note(decoder, began);
    uint32_t order = json_member(decoder->json, decoder->event, "characterOrder"), place = 0;
    for (uint32_t node = order == JSON_NONE ? JSON_NONE : json_first(decoder->json, order);
         node != JSON_NONE; node = decoder->json->nodes[node].next) {
        uint8_t unit = unit_of(decoder, node);
        if (unit >= ACTORS)
            continue;
        MashEvent set = event_for(MASH_EVENT_ORDER_SET, unit, MASH_UNIT_NONE);
        set.amount = (int32_t)++place;
        note(decoder, set);
    }
}

/* Thanos is counted by his turns: with all stones in hand he snaps [11.13]. */
static void decode_turn(EventDecoder *decoder) {
    MarvelousClientState *client = decoder->client;
    uint8_t unit = unit_at(decoder, "nextCharacter");
    client->attacker = client->mover = MASH_UNIT_NONE;
    client->head.turn++;
    if (unit >= ACTORS)
        return;
    if (unit == UNIT_THANOS && client->thanos_stones == ALL_STONES)
        client->snaps = (uint8_t)(client->snaps < SNAPS_MAX ? client->snaps + 1 : SNAPS_MAX);
    else if (unit == UNIT_THANOS && client->thanos_turns < ROUND_MOST)
        client->thanos_turns++;
    if (unit < HEROES && client->health[unit] > 0)
        client->figures[unit].turns++;
    note(decoder,
         event_for(MASH_EVENT_TURN_BEGAN, unit, unit < HEROES ? seat_of(unit) : MASH_SEAT_NONE));
}

/* --- Steps and stones ------------------------------------------------------------------------- */

/* A unit moved; a second one that moves before the step is paid has swapped places with it. */
static void decode_move(EventDecoder *decoder) {
    uint8_t unit = unit_at(decoder, "originEntity");
    if (unit >= ACTORS)
        return;
    if (decoder->client->mover == MASH_UNIT_NONE)
        decoder->client->mover = unit;
    note(decoder, event_with_fields(decoder, MASH_EVENT_MOVED, unit, MASH_UNIT_NONE));
}

/* A unit moved to another cell without a step. */
static void decode_teleport(EventDecoder *decoder) {
    uint8_t unit = unit_at(decoder, "teleportedEntity");
    if (unit < ACTORS)
        note(decoder, event_with_fields(decoder, MASH_EVENT_TELEPORTED, unit, MASH_UNIT_NONE));
}

/* A movement or action point was paid: the next to move is a different unit. */
static void decode_cost(EventDecoder *decoder, uint8_t meter) {
    uint8_t unit = unit_at(decoder, "targetEntity");
    if (unit >= ACTORS)
        return;
    MashEvent event = event_with_fields(decoder, MASH_EVENT_CHANGED, unit, MASH_UNIT_NONE);
    event.what = meter;
    event.amount = -amount_of(decoder);
    if (meter == METER_MOVES && unit < HEROES)
        decoder->client->figures[unit].steps++;
    note(decoder, event);
}

/* Movement was paid: the step is over, and the next to move makes a new step. */
static void decode_moves_paid(EventDecoder *decoder) {
    decode_cost(decoder, METER_MOVES);
    decoder->client->mover = MASH_UNIT_NONE;
}

/* A hero paid action points. */
static void decode_actions_paid(EventDecoder *decoder) { decode_cost(decoder, METER_ACTIONS); }

/* A hero used a stone, which cools down now [8.8]; the events that follow are attributed to it. */
static void decode_use(EventDecoder *decoder) {
    MarvelousClientState *client = decoder->client;
    uint8_t unit = unit_at(decoder, "originEntity"), other = unit_at(decoder, "targetEntity");
    uint8_t stone = stone_at(decoder, "stoneType");
    if (unit >= HEROES || stone == STONES)
        return;
    client->attacker = unit;
    client->used |= stone_bit(stone);
    client->cooldowns[stone] = decoder->content->cooldowns[stone];
    client->figures[unit].used++;
    bool aimed = other < HEROES && (other != unit || stone == STONE_TIME);
    MashEvent event =
        event_with_fields(decoder, MASH_EVENT_USED, unit, aimed ? other : MASH_UNIT_NONE);
    event.what = stone;
    note(decoder, event);
}

/* From hand to hand, or to Thanos. */
static void decode_exchange(EventDecoder *decoder) {
    uint8_t unit = unit_at(decoder, "originEntity"), other = unit_at(decoder, "targetEntity");
    uint8_t stone = stone_at(decoder, "stoneType");
    if (unit >= ACTORS || other >= ACTORS || stone == STONES)
        return;
    if (other == UNIT_THANOS) {
        decoder->client->thanos_stones |= stone_bit(stone);
        decoder->client->attacker = UNIT_THANOS;
    }
    MashEvent event = event_with_fields(decoder, MASH_EVENT_ITEM_GIVEN, unit, other);
    event.what = stone;
    note(decoder, event);
}

/* --- Damage and healing ----------------------------------------------------------------------- */

/* A hero attacked; the damage that follows is attributed to it. */
static void decode_attack(EventDecoder *decoder, uint8_t ability) {
    uint8_t unit = unit_at(decoder, "originEntity"), other = unit_at(decoder, "targetEntity");
    if (unit >= HEROES)
        return;
    decoder->client->attacker = unit;
    MashEvent event = event_with_fields(decoder, MASH_EVENT_ATTACKED, unit,
                                        other < HEROES ? other : MASH_UNIT_NONE);
    event.what = ability;
    note(decoder, event);
}

/* A melee attack. */
static void decode_melee(EventDecoder *decoder) { decode_attack(decoder, ABILITY_MELEE); }

/* A ranged attack. */
static void decode_ranged(EventDecoder *decoder) { decode_attack(decoder, ABILITY_RANGED); }

/* Health actually lost is credited to the attacker [7.5], [12.3]; damage to oneself and by Thanos
 * to nobody. */
static void hurt_hero(EventDecoder *decoder, uint8_t hero, MashEvent event) {
    MarvelousClientState *client = decoder->client;
    uint8_t attacker = client->attacker;
    int32_t most = client->health[hero], lost = event.amount < most ? event.amount : most;
    client->health[hero] = (uint16_t)(most - lost);
    event.amount = lost;
    note(decoder, event);
    bool out = lost > 0 && client->health[hero] == 0;
    if (attacker < HEROES && attacker != hero) {
        client->damage[seat_of(attacker)] += (uint32_t)lost;
        client->figures[attacker].damage += (uint32_t)lost;
        client->knock_outs[seat_of(attacker)] += out;
        client->figures[attacker].knock_outs += out;
    }
    event.kind = MASH_EVENT_DIED;
    event.amount = 0;
    if (out)
        note(decoder, event);
}

/* A hero or a rock lost health, through the last attacker. */
static void decode_damage(EventDecoder *decoder) {
    uint8_t unit = unit_at(decoder, "targetEntity");
    MashEvent event = event_with_fields(decoder, MASH_EVENT_HURT, unit, decoder->client->attacker);
    event.amount = amount_of(decoder);
    if (json_member(decoder->json, decoder->event, "teleportedEntity") != JSON_NONE) {
        decode_teleport(decoder); /* one server calls it so */
    } else if (unit < HEROES) {
        hurt_hero(decoder, unit, event);
    } else if (unit == MASH_UNIT_NONE) {
        event.kind = MASH_EVENT_GROUND_HURT;
        event.unit = decoder->client->attacker;
        event.other = MASH_UNIT_NONE;
        note(decoder, event);
    }
}

/* A hero gained health, or was revived if it had none: by the user of a stone, otherwise by Stan
 * Lee. */
static void decode_healing(EventDecoder *decoder) {
    uint8_t hero = unit_at(decoder, "targetEntity");
    int32_t amount = amount_of(decoder);
    if (hero >= HEROES || amount == 0)
        return;
    MarvelousClientState *client = decoder->client;
    MashEventKind kind = client->health[hero] == 0 ? MASH_EVENT_REVIVED : MASH_EVENT_HEALED;
    uint8_t healer = client->attacker < HEROES ? client->attacker : (uint8_t)UNIT_STAN;
    MashEvent event = event_with_fields(decoder, kind, hero, healer);
    event.amount = amount;
    int32_t health = client->health[hero] + amount;
    client->health[hero] = (uint16_t)(health > UINT16_MAX ? UINT16_MAX : health);
    note(decoder, event);
}

/* --- Appearing and disappearing --------------------------------------------------------------- */

/* Notes that a cell has this ground now. */
static void note_ground(EventDecoder *decoder, Cell cell, uint8_t ground) {
    MashEvent event =
        event_for(MASH_EVENT_GROUND_CHANGED, decoder->client->attacker, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event.what = ground;
    note(decoder, event);
}

/* A stone was picked up, a unit disappeared, or a rock or portal became grass. */
static void decode_destroyed(EventDecoder *decoder) {
    MarvelousClientState *client = decoder->client;
    uint8_t unit = unit_at(decoder, "targetEntity"), stone = stone_at(decoder, "targetEntity");
    MashEvent event = event_with_fields(decoder, MASH_EVENT_VANISHED, unit, MASH_UNIT_NONE);
    if (stone < STONES) {
        if (client->mover == UNIT_THANOS)
            client->thanos_stones |= stone_bit(stone);
        event.kind = MASH_EVENT_ITEM_TAKEN;
        event.unit = client->mover;
        event.what = stone;
        if (client->mover < ACTORS)
            note(decoder, event);
    } else if (unit < ACTORS) {
        note(decoder, event);
    } else if (unit == MASH_UNIT_NONE) {
        note_ground(decoder, (Cell){(uint8_t)event.x, (uint8_t)event.y}, GROUND_GRASS);
    }
}

/* A stone is on a cell now. */
static void decode_spawned_stone(EventDecoder *decoder, uint32_t entity, Cell cell) {
    int32_t stone = wire_number(decoder->json, entity, "ID", -1, STONES, -1);
    if (stone < 0 || stone == STONES)
        return;
    MashEvent event = event_for(MASH_EVENT_ITEM_APPEARED, MASH_UNIT_NONE, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event.what = (uint8_t)stone;
    note(decoder, event);
}

/* A hero is on a cell now, with the given health. */
static void decode_spawned_hero(EventDecoder *decoder, uint32_t entity, Cell cell) {
    uint8_t hero = hero_entity(decoder, entity);
    if (hero >= HEROES)
        return;
    decoder->client->health[hero] =
        (uint16_t)wire_number(decoder->json, entity, "HP", 0, VALUE_MOST, 0);
    MashEvent event = event_for(MASH_EVENT_PLACED, hero, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    note(decoder, event);
}

/* Something appeared: a hero, a stone, one of the computer's characters or, since the first whole
 * state, a rock. */
static void decode_spawned(EventDecoder *decoder) {
    uint32_t entity = json_member(decoder->json, decoder->event, "entity");
    Cell cell;
    if (entity == JSON_NONE || !field_at(decoder, entity, "position", &cell))
        return;
    if (entity_is(decoder, entity, "Character")) {
        decode_spawned_hero(decoder, entity, cell);
    } else if (entity_is(decoder, entity, "InfinityStone")) {
        decode_spawned_stone(decoder, entity, cell);
    } else if (entity_is(decoder, entity, "NPC")) {
        int32_t number = wire_number(decoder->json, entity, "ID", 0, 3, 3);
        MashEvent event =
            event_for(MASH_EVENT_APPEARED, (uint8_t)(HEROES + number), MASH_UNIT_NONE);
        event.x = (int8_t)cell.x;
        event.y = (int8_t)cell.y;
        if (number < ACTORS - HEROES)
            note(decoder, event);
    } else if (entity_is(decoder, entity, "Rock") && decoder->client->seen) {
        note_ground(decoder, cell, GROUND_ROCK);
    }
}

/* A player has won; the match is over with the next whole state. */
static void decode_win(EventDecoder *decoder) {
    int32_t player = wire_number(decoder->json, decoder->event, "playerWon", 0, 3, 0);
    if (player >= 1 && player <= MASH_SEATS)
        decoder->client->winner = (uint8_t)(player - 1);
}

/* --- The whole state -------------------------------------------------------------------------- */

/* Puts something on an empty cell. False: it is not empty. */
static bool place(const EventDecoder *decoder, Cell cell, uint8_t what) {
    uint8_t *byte = &decoder->state->cells[cell_at(decoder->content, cell.x, cell.y)];
    if (*byte != CELL_FREE)
        return false;
    *byte = what;
    return true;
}

/* Stones that an entity holds; each is in one hand at most. */
static void apply_hand(const EventDecoder *decoder, uint32_t entity, uint8_t unit) {
    const Json *json = decoder->json;
    MashProblems ignored = {.max = 0};
    uint32_t list = json_member(json, entity, "stones");
    for (uint32_t node = list == JSON_NONE ? JSON_NONE : json_first(json, list); node != JSON_NONE;
         node = json->nodes[node].next) {
        int32_t stone;
        if (!json_int(json, node, 0, STONES - 1, &stone, &ignored) ||
            decoder->state->stones[stone].holder != HELD_BY_GOOSE)
            continue;
        decoder->state->stones[stone].holder = unit;
        decoder->state->actors[unit].stones |= stone_bit((uint8_t)stone);
    }
}

/* Puts a hero where a whole state has it, unless it is there already or the cell is occupied. */
static void apply_hero(const EventDecoder *decoder, uint32_t entity, Cell cell) {
    uint8_t hero = hero_entity(decoder, entity);
    if (hero >= HEROES || on_board(decoder->state, hero) ||
        !place(decoder, cell, (uint8_t)(CELL_UNITS + hero)))
        return;
    Actor *actor = &decoder->state->actors[hero];
    actor->x = cell.x;
    actor->y = cell.y;
    actor->health = (uint16_t)wire_number(decoder->json, entity, "HP", 0, VALUE_MOST, 0);
    actor->moves = (uint16_t)wire_number(decoder->json, entity, "MP", 0, VALUE_MOST, 0);
    actor->actions = (uint16_t)wire_number(decoder->json, entity, "AP", 0, VALUE_MOST, 0);
    apply_hand(decoder, entity, hero);
}

/* Thanos is an actor; Goose and Stan Lee, if a server shows them, are obstacles. */
static void apply_npc(const EventDecoder *decoder, uint32_t entity, Cell cell) {
    int32_t number = wire_number(decoder->json, entity, "ID", 0, 3, 3);
    Actor *thanos = &decoder->state->actors[UNIT_THANOS];
    bool again = number == UNIT_THANOS - HEROES && on_board(decoder->state, UNIT_THANOS);
    if (number >= ACTORS - HEROES || again ||
        !place(decoder, cell, (uint8_t)(CELL_UNITS + HEROES + number)) ||
        number != UNIT_THANOS - HEROES)
        return;
    thanos->x = cell.x;
    thanos->y = cell.y;
    thanos->moves = (uint16_t)wire_number(decoder->json, entity, "MP", 0, VALUE_MOST, 0);
    apply_hand(decoder, entity, UNIT_THANOS);
}

/* Puts a rock or a stone where a whole state has it; everything else is ignored here. */
static void apply_thing(const EventDecoder *decoder, uint32_t entity, Cell cell) {
    int32_t number = wire_number(decoder->json, entity, "ID", 0, INT32_MAX, 0);
    if (entity_is(decoder, entity, "Rock")) {
        int32_t health =
            wire_number(decoder->json, entity, "HP", 0, UINT8_MAX - CELL_ROCKS, ROCK_HEALTH);
        if (health > 0 && place(decoder, cell, (uint8_t)(CELL_ROCKS + health)))
            decoder->client->rocks[cell_at(decoder->content, cell.x, cell.y)] = number;
    } else if (entity_is(decoder, entity, "InfinityStone")) {
        Stone *stone = number < STONES ? &decoder->state->stones[number] : NULL;
        if (stone != NULL && stone->holder == HELD_BY_GOOSE &&
            place(decoder, cell, (uint8_t)(CELL_STONES + number)))
            *stone = (Stone){.holder = HELD_BY_GROUND, .x = cell.x, .y = cell.y};
    }
}

/* Entities of the earlier types are placed first. True: portals were among them. */
static bool apply_entities(const EventDecoder *decoder) {
    const Json *json = decoder->json;
    uint32_t list = json_member(json, decoder->event, "entities");
    bool portals = false;
    Cell cell;
    for (int turn = 0; turn < 3 && list != JSON_NONE; turn++)
        for (uint32_t node = json_first(json, list); node != JSON_NONE;
             node = json->nodes[node].next) {
            if (!field_at(decoder, node, "position", &cell))
                continue;
            bool hero = entity_is(decoder, node, "Character"),
                 npc = entity_is(decoder, node, "NPC");
            portals |= entity_is(decoder, node, "Portal");
            if (turn == 0 && hero)
                apply_hero(decoder, node, cell);
            else if (turn == 1 && npc)
                apply_npc(decoder, node, cell);
            else if (turn == 2 && !hero && !npc)
                apply_thing(decoder, node, cell);
        }
    return portals;
}

/* Portals are those of the board, until Thanos arrives [11.4]. A portal that leads nowhere is an
 * obstacle (see close_lone_portal). */
static void apply_portals(const EventDecoder *decoder, bool told) {
    const MarvelousContent *content = decoder->content;
    if (!told && on_board(decoder->state, UNIT_THANOS))
        return;
    for (uint32_t i = 0; i < content->cells_count; i++)
        if ((content->ground[i] == CELL_PORTAL || content->ground[i] == CELL_UNITS + UNIT_GOOSE) &&
            decoder->state->cells[i] == CELL_FREE)
            decoder->state->cells[i] = content->ground[i];
}

/* Some servers hide what Thanos holds. When Goose has none left, stones that are nowhere else are
 * his. */
static void apply_lost_stones(const EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    MarvelousClientState *client = decoder->client;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder == HELD_BY_GOOSE && on_board(state, UNIT_THANOS) &&
            (client->round > GOOSE_ROUNDS || client->thanos_stones & stone_bit(stone))) {
            state->stones[stone].holder = UNIT_THANOS;
            state->actors[UNIT_THANOS].stones |= stone_bit(stone);
        }
    client->thanos_stones = state->actors[UNIT_THANOS].stones;
}

/* As sent; if that is invalid, as always from servers with bare events, as observed. There a
 * careful client uses each stone once, and those that break the connection never. */
static void apply_cooldowns(const EventDecoder *decoder) {
    const Json *json = decoder->json;
    const MarvelousClientState *client = decoder->client;
    MashProblems ignored = {.max = 0};
    uint32_t list = json_member(json, decoder->event, "stoneCooldowns");
    uint32_t node = list == JSON_NONE ? JSON_NONE : json_first(json, list);
    for (uint8_t stone = 0; stone < STONES; stone++) {
        Stone *there = &decoder->state->stones[stone];
        int32_t told = client->cooldowns[stone];
        if (node != JSON_NONE) {
            if (!client->head.bare && !json_int(json, node, 0, FOR_EVER, &told, &ignored))
                told = client->cooldowns[stone];
            node = json->nodes[node].next;
        }
        bool never = stone == STONE_SPACE || stone == STONE_REALITY;
        if (client->head.bare && client->head.careful &&
            (never || (client->used & stone_bit(stone)) != 0))
            told = FOR_EVER;
        there->cooldown = (uint8_t)told;
    }
}

/* How many stones Goose still has. */
static uint8_t inside_goose(const MarvelousState *state) {
    uint8_t inside = 0;
    for (uint8_t stone = 0; stone < STONES; stone++)
        inside = (uint8_t)(inside + (state->stones[stone].holder == HELD_BY_GOOSE));
    return inside;
}

/* The round as counted, but no earlier than Goose has stones for [9.1]. */
static void apply_round(const EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    MarvelousClientState *client = decoder->client;
    uint8_t inside = inside_goose(state);
    uint16_t least = (uint16_t)(GOOSE_ROUNDS - inside);
    if (client->round < least)
        client->round = least;
    if (client->round == 0)
        client->round = 1;
    state->round = client->round;
}

/* Is a unit still to act for which the rules have no turn? */
static bool cannot_come(const MarvelousState *state, uint8_t unit) {
    return unit == UNIT_GOOSE || (unit == UNIT_THANOS && !on_board(state, UNIT_THANOS));
}

/* The order of the round, and the one whose turn it is. */
static void apply_order(const EventDecoder *decoder) {
    const Json *json = decoder->json;
    MarvelousState *state = decoder->state;
    uint8_t active = unit_at(decoder, "activeCharacter");
    uint32_t list = json_member(json, decoder->event, "turnOrder");
    bool passed = false;
    for (uint32_t node = list == JSON_NONE ? JSON_NONE : json_first(json, list);
         node != JSON_NONE && state->order_count < ORDER_MAX; node = json->nodes[node].next) {
        uint8_t unit = unit_of(decoder, node);
        if (unit >= ACTORS || (passed && cannot_come(state, unit)))
            continue;
        state->order[state->order_count++] = unit;
        if (unit == active && !passed) {
            passed = true;
            state->order_next = state->order_count;
        }
    }
    if (!passed)
        state->order_next = state->order_count;
    state->active = active < HEROES && on_board(state, active) ? active : MASH_UNIT_NONE;
    decoder->client->head.turn += active != decoder->client->active;
    decoder->client->active = active;
    decoder->client->head.awaited = state->active < HEROES && state->actors[active].health > 0
                                        ? seat_of(active)
                                        : MASH_SEAT_NONE;
}

/* The rules need an active unit: if none is sent, the next that can act. On an empty board they
 * could not continue: the match is drawn. */
static void find_active(MarvelousState *state) {
    for (uint8_t i = state->order_next; i < state->order_count; i++) {
        uint8_t unit = state->order[i];
        if (state->active == MASH_UNIT_NONE && unit < HEROES && on_board(state, unit))
            state->active = unit;
    }
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (state->active == MASH_UNIT_NONE && on_board(state, hero))
            state->active = hero;
    if (state->active == MASH_UNIT_NONE)
        state->common =
            (CommonState){.over = true, .winner = MASH_SEAT_NONE, .reason = MASH_REASON_LEFT};
}

/* When Thanos arrived, how far he moves next [11.5], how often he has snapped. */
static void apply_thanos(const EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    MarvelousClientState *client = decoder->client;
    const MarvelousContent *content = decoder->content;
    state->phase = on_board(state, UNIT_THANOS) ? PHASE_THANOS : PHASE_PLAY;
    if (state->phase != PHASE_THANOS)
        return;
    uint16_t due = content->rounds_max == 0 ? LAST_ROUND : content->rounds_max, most = 0;
    for (uint8_t hero = 0; hero < HEROES; hero++)
        most = kind_of(content, state, hero)->moves > most ? kind_of(content, state, hero)->moves
                                                           : most;
    if (!client->seen && state->round > due) /* we joined late: he has one turn per round */
        client->thanos_turns = (uint16_t)(state->round - due);
    state->thanos_moves = (uint16_t)(most + client->thanos_turns);
    state->snaps = client->snaps < SNAPS_MAX ? client->snaps : SNAPS_MAX - 1;
}

/* Values that are never sent: counted. */
static void apply_counts(const EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    MarvelousClientState *client = decoder->client;
    uint8_t held[MASH_SEATS] = {0, 0}, own[HEROES] = {0};
    for (uint8_t stone = 0; stone < STONES; stone++) {
        uint8_t holder = state->stones[stone].holder;
        if (holder >= HEROES)
            continue;
        held[seat_of(holder)]++;
        own[holder]++;
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (held[seat] > client->most_stones[seat])
            client->most_stones[seat] = held[seat];
        state->most_stones[seat] = client->most_stones[seat];
        state->damage[seat] = client->damage[seat];
        state->knock_outs[seat] = client->knock_outs[seat];
    }
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        MarvelousFigures *figures = &client->figures[hero];
        if (own[hero] > figures->most_stones)
            figures->most_stones = own[hero];
        client->health[hero] = state->actors[hero].health;
    }
    memcpy(figures_of(decoder->content, state), client->figures, sizeof client->figures);
}

/* The seat that holds all six stones, or MASH_SEAT_NONE. */
static uint8_t holder_of_all(const MarvelousState *state) {
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (state->actors[hero].stones == ALL_STONES)
            return seat_of(hero);
    return MASH_SEAT_NONE;
}

/* The reason for a win is not sent either, but can mostly be inferred. A criterion that favours the
 * loser cannot be the reason: then it is unknown, MASH_REASON_NONE. */
static uint8_t reason_of(const MarvelousState *state, uint8_t winner) {
    const uint64_t ladder[][MASH_SEATS] = {{state->most_stones[0], state->most_stones[1]},
                                           {state->knock_outs[0], state->knock_outs[1]},
                                           {state->damage[0], state->damage[1]}};
    static const uint8_t reasons[] = {REASON_MOST_STONES, REASON_KNOCK_OUTS, REASON_DAMAGE};
    uint8_t holder = holder_of_all(state);
    if (holder != MASH_SEAT_NONE)
        return holder == winner ? REASON_SIX_STONES : MASH_REASON_NONE;
    if (state->actors[UNIT_THANOS].stones != ALL_STONES)
        return MASH_REASON_NONE;
    for (uint32_t i = 0; i < sizeof reasons; i++)
        if (ladder[i][0] != ladder[i][1])
            return ladder[i][winner] > ladder[i][1 - winner] ? reasons[i] : MASH_REASON_NONE;
    return REASON_LOT;
}

/* The match is over if a winner was sent. An end whose reason is unknown is not recorded. */
static void apply_end(const EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    uint8_t winner = decoder->client->winner;
    decoder->client->head.leader = holder_of_all(state);
    if (winner >= MASH_SEATS)
        return;
    uint8_t reason = reason_of(state, winner);
    state->common = (CommonState){.over = true, .winner = winner, .reason = reason};
    decoder->client->head.awaited = MASH_SEAT_NONE;
    MashEvent event = event_for(MASH_EVENT_MATCH_ENDED, MASH_UNIT_NONE, winner);
    event.what = reason;
    if (reason != MASH_REASON_NONE)
        note(decoder, event);
}

/* A whole state replaces ours; what it lacks is taken from what was counted. */
static void decode_state(EventDecoder *decoder) {
    MarvelousState *state = decoder->state;
    memset(state, 0, state_bytes(decoder->content));
    state->common = common_new();
    state->rules = RULES_SPEC;
    for (uint8_t stone = 0; stone < STONES; stone++)
        state->stones[stone].holder = HELD_BY_GOOSE;
    for (uint8_t unit = 0; unit < ACTORS; unit++)
        state->actors[unit] =
            (Actor){.kind = unit < HEROES ? decoder->client->kinds[unit] : 0, .x = OFF_BOARD};
    bool portals = apply_entities(decoder);
    apply_portals(decoder, portals);
    apply_lost_stones(decoder);
    apply_cooldowns(decoder);
    apply_round(decoder);
    apply_order(decoder);
    find_active(state);
    apply_thanos(decoder);
    apply_counts(decoder);
    apply_end(decoder);
    decoder->client->seen = true;
}

/* --- The list --------------------------------------------------------------------------------- */

/* What each type of event means. Those of the connection (Ack, pauses, warnings) are ignored
 * here. */
typedef struct EventRule {
    const char *type;
    void (*apply)(EventDecoder *decoder);
} EventRule;

static const EventRule event_rules[] = {
    {"GamestateEvent", decode_state},
    {"RoundSetupEvent", decode_round},
    {"TurnEvent", decode_turn},
    {"MoveEvent", decode_move},
    {"TeleportedEvent", decode_teleport},
    {"ConsumedMPEvent", decode_moves_paid},
    {"ConsumedAPEvent", decode_actions_paid},
    {"MeleeAttackEvent", decode_melee},
    {"RangedAttackEvent", decode_ranged},
    {"TakenDamageEvent", decode_damage},
    {"HealedEvent", decode_healing},
    {"DestroyedEntityEvent", decode_destroyed},
    {"SpawnEntityEvent", decode_spawned},
    {"UseInfinityStoneEvent", decode_use},
    {"ExchangeInfinityStoneEvent", decode_exchange},
    {"WinEvent", decode_win},
};

bool marvelous_event_in(const MashContent *loaded, StandardClientState *head, const Json *json,
                        uint32_t event, void *state, MashEvents *events) {
    EventDecoder decoder = {
        marvelous_content(loaded), client_state_of(head), json, event, state, events};
    uint32_t type = json_member(json, event, "eventType");
    if (type == JSON_NONE || decoder.client->choosing)
        return false;
    for (uint32_t i = 0; i < sizeof event_rules / sizeof *event_rules; i++)
        if (json_equals(json, type, event_rules[i].type)) {
            event_rules[i].apply(&decoder);
            return i == 0;
        }
    return false;
}
