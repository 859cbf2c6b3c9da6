/* encode.c -- engine events as events of the network standard, and the GamestateEvent.
 *
 * The engine appends its events in the order that the standard recommends, so that each becomes
 * none, one or two of the standard's, in place. What changes during one action (the order of the
 * round, the numbers of rocks) is tracked event by event. */
#include "base/lender.h"
#include "games/marvelous-mashup/standard/standard.h"

/* The encoding in progress. */
typedef struct EventEncoder {
    StandardEncoder *encoder;
    const MarvelousContent *content;
    const MarvelousState *after;
    const MashEvent *event, *last; /* the current event, the end of the events */
    StandardMessage *out;
    uint32_t count;
    StandardRef *refs; /* room for those of all rounds; the end of those used */
    uint8_t order[ORDER_MAX];
    uint32_t order_count;
} EventEncoder;

/* The most events of one step. */
static uint32_t events_max(const MashContent *loaded) {
    return loaded->limits.events_max + MASH_STEP_EVENTS_MAX;
}

/* Each event becomes two at most; before the first turn everything on the board is sent. */
static uint32_t messages_max(const MashContent *loaded) {
    return 2 * events_max(loaded) + marvelous_content(loaded)->cells_count;
}

/* What a state needs: all cells, heroes and Thanos, stones, and its order. */
static size_t state_room(const MashContent *loaded) {
    return align_16((marvelous_content(loaded)->cells_count + (uint32_t)ACTORS + STONES) *
                    sizeof(StandardEntity)) +
           ORDER_MAX * sizeof(StandardRef);
}

size_t marvelous_room_bytes(const MashContent *loaded) {
    size_t events = align_16(messages_max(loaded) * sizeof(StandardMessage)) +
                    (events_max(loaded) + 1) * sizeof(StandardRef);
    size_t state = state_room(loaded);
    return events > state ? events : state;
}

/* --- Single events ---------------------------------------------------------------------------- */

/* One more message of this kind, blank but for that. */
static StandardMessage *add(EventEncoder *batch, uint8_t row) {
    StandardMessage *message = &batch->out[batch->count++];
    assert(batch->count <= messages_max(batch->encoder->loaded));
    *message = (StandardMessage){.list = STANDARD_LIST_EVENTS, .row = row};
    return message;
}

/* The target field of the event. */
static StandardField to(const MashEvent *event) { return standard_field(event->x, event->y); }

/* The origin field of the event. */
static StandardField from(const MashEvent *event) {
    return standard_field(event->from_x, event->from_y);
}

/* How the standard refers to a unit. */
static StandardRef unit_ref(const EventEncoder *batch, uint8_t unit) {
    return marvelous_reference(batch->content, batch->after, unit);
}

/* The number of the event's cell. */
static uint32_t cell_of(const EventEncoder *batch) {
    return cell_at(batch->content, batch->event->x, batch->event->y);
}

/* A unit moved from one field to another. */
static void encode_step(EventEncoder *batch, uint8_t unit, StandardField here,
                        StandardField there) {
    StandardMessage *message = add(batch, STANDARD_EVENT_MOVE);
    message->origin = unit_ref(batch, unit);
    message->origin_field = here;
    message->target_field = there;
}

/* A unit gained or lost something, by the kind of message; the amount has no sign. */
static void encode_change(EventEncoder *batch, uint8_t row, StandardRef target) {
    StandardMessage *message = add(batch, row);
    message->target = target;
    message->target_field = to(batch->event);
    message->amount = batch->event->amount < 0 ? -batch->event->amount : batch->event->amount;
}

/* Something disappeared from the event's cell. */
static void encode_destroyed(EventEncoder *batch, StandardRef target) {
    StandardMessage *message = add(batch, STANDARD_EVENT_DESTROYED);
    message->target = target;
    message->target_field = to(batch->event);
}

/* Something has appeared. */
static void encode_spawn(EventEncoder *batch, StandardEntity entity) {
    add(batch, STANDARD_EVENT_SPAWN)->entity = entity;
}

/* The rock of the event's cell, or `other` where there is none. */
static StandardRef rock_or(const EventEncoder *batch, StandardRef other) {
    StandardRef ref = marvelous_ground_reference(batch->encoder, cell_of(batch));
    return ref.group == STANDARD_GROUP_ROCKS ? ref : other;
}

/* Everything on the board at the start: rocks, then portals. */
static void encode_ground(EventEncoder *batch) {
    const MarvelousContent *content = batch->content;
    for (int row = 0; row < 2 * content->height; row++) /* all rows twice */
        for (int x = 0; x < content->width; x++) {
            uint32_t cell = cell_at(content, x, row % content->height);
            uint8_t byte = content->ground[cell];
            if (row < content->height ? cell_is_rock(byte) : byte == CELL_PORTAL)
                encode_spawn(batch, marvelous_ground_entity(batch->encoder, cell, ROCK_HEALTH));
        }
}

/* A hero as it begins: full points, no stones. */
static void encode_placed(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    if (event->unit == 0)
        encode_ground(batch);
    const MarvelousKind *kind = kind_of(batch->content, batch->after, event->unit);
    StandardEntity hero = marvelous_hero_entity(batch->content, batch->after, event->unit);
    hero.health = kind->health;
    hero.moves = kind->moves;
    hero.actions = kind->actions;
    hero.stones = 0;
    hero.field = to(event);
    encode_spawn(batch, hero);
}

/* The order follows event by event. */
static void encode_round(EventEncoder *batch) {
    StandardMessage *message = add(batch, STANDARD_EVENT_ROUND);
    message->amount = batch->event->amount;
    message->order.list = batch->refs;
    batch->order_count = 0;
    for (const MashEvent *event = batch->event + 1;
         event < batch->last && event->kind == MASH_EVENT_ORDER_SET; event++) {
        assert(batch->order_count < ORDER_MAX);
        batch->order[batch->order_count++] = event->unit;
        *batch->refs++ = unit_ref(batch, event->unit);
    }
    message->order.count = batch->order_count;
}

/* The place in the order, from 1. */
static void encode_turn(EventEncoder *batch) {
    StandardMessage *message = add(batch, STANDARD_EVENT_TURN);
    message->target = unit_ref(batch, batch->event->unit);
    while ((uint32_t)message->amount < batch->order_count &&
           batch->order[message->amount] != batch->event->unit)
        message->amount++;
    message->amount++;
}

/* Goose and Stan Lee have nothing; Thanos has as many points as the fastest hero [11.5]. */
static void encode_appeared(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    uint32_t moves = 0;
    for (uint8_t hero = 0; event->unit == UNIT_THANOS && hero < HEROES; hero++) {
        uint32_t own = kind_of(batch->content, batch->after, hero)->moves;
        moves = own > moves ? own : moves;
    }
    encode_spawn(batch, marvelous_npc_entity(event->unit, moves, 0, event->x, event->y));
}

/* The damage is in the next event. */
static void encode_attack(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    StandardMessage *message =
        add(batch, event->what == ABILITY_RANGED ? STANDARD_EVENT_RANGED : STANDARD_EVENT_MELEE);
    message->origin = unit_ref(batch, event->unit);
    message->origin_field = from(event);
    message->target_field = to(event);
    message->target =
        event->other < HEROES ? unit_ref(batch, event->other) : rock_or(batch, message->origin);
    if (event + 1 < batch->last)
        message->amount = event[1].amount;
}

/* Without a target the user itself is named. */
static void encode_use(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    StandardMessage *message = add(batch, STANDARD_EVENT_USE);
    message->origin = unit_ref(batch, event->unit);
    message->origin_field = from(event);
    message->target_field = to(event);
    message->stone = marvelous_stone_reference(event->what);
    message->target =
        event->other < HEROES ? unit_ref(batch, event->other) : rock_or(batch, message->origin);
}

/* A stone changed hands. */
static void encode_given(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    StandardMessage *message = add(batch, STANDARD_EVENT_EXCHANGE);
    message->origin = unit_ref(batch, event->unit);
    message->target = unit_ref(batch, event->other);
    message->origin_field = from(event);
    message->target_field = to(event);
    message->stone = marvelous_stone_reference(event->what);
}

/* Through a portal, whose exit is given by number [6.5]. The Space Stone needs no more than the
 * event of its use. */
static void encode_teleported(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    if (event->amount == 0)
        return;
    StandardMessage *message = add(batch, STANDARD_EVENT_TELEPORTED);
    uint32_t entry = cell_at(batch->content, event->from_x, event->from_y);
    message->origin = unit_ref(batch, event->unit);
    message->origin_field = from(event);
    message->target_field = to(event);
    message->stone = marvelous_ground_reference(batch->encoder, entry);
    message->target = (StandardRef){STANDARD_GROUP_PORTALS, event->amount - 1};
}

/* Rocks appear and disappear, portals disappear. */
static void encode_ground_changed(EventEncoder *batch) {
    StandardEncoder *encoder = batch->encoder;
    uint32_t cell = cell_of(batch);
    if (batch->event->what == GROUND_ROCK) {
        encoder->rocks[cell] = ++encoder->rocks_count;
        encode_spawn(batch, marvelous_ground_entity(encoder, cell, ROCK_HEALTH));
        return;
    }
    StandardRef ref = marvelous_ground_reference(encoder, cell);
    encoder->rocks[cell] = 0;
    if (ref.group != STANDARD_GROUP_COUNT)
        encode_destroyed(batch, ref);
}

/* Points spent; restored points are only in the state. */
static void encode_changed(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    if (event->amount >= 0 || (event->what != METER_MOVES && event->what != METER_ACTIONS))
        return;
    encode_change(
        batch, event->what == METER_MOVES ? STANDARD_EVENT_CONSUMED_MP : STANDARD_EVENT_CONSUMED_AP,
        unit_ref(batch, event->unit));
}

/* The winner, if there is one, and the end of the connection. */
static void encode_end(EventEncoder *batch) {
    if (batch->event->other < MASH_SEATS)
        add(batch, STANDARD_EVENT_WIN)->amount = 1 + batch->event->other;
    add(batch, STANDARD_EVENT_DISCONNECT);
}

/* --- All events of an action ------------------------------------------------------------------ */

/* The events whose messages need no more than the event's fields. */
static void encode_moved(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    encode_step(batch, event->unit, from(event), to(event));
    if (event->kind == MASH_EVENT_SWAPPED)
        encode_step(batch, event->other, to(event), from(event));
}
static void encode_vanished(EventEncoder *batch) {
    encode_destroyed(batch, unit_ref(batch, batch->event->unit));
}
static void encode_hurt(EventEncoder *batch) {
    encode_change(batch, STANDARD_EVENT_DAMAGE, unit_ref(batch, batch->event->unit));
}
static void encode_healed(EventEncoder *batch) {
    encode_change(batch, STANDARD_EVENT_HEALED, unit_ref(batch, batch->event->unit));
}
static void encode_ground_hurt(EventEncoder *batch) {
    encode_change(batch, STANDARD_EVENT_DAMAGE,
                  marvelous_ground_reference(batch->encoder, cell_of(batch)));
}
static void encode_item_there(EventEncoder *batch) {
    const MashEvent *event = batch->event;
    encode_spawn(batch, marvelous_stone_entity(event->what, event->x, event->y));
}
static void encode_item_taken(EventEncoder *batch) {
    encode_destroyed(batch, marvelous_stone_reference(batch->event->what));
}

/* Each kind of event as the standard's messages: one or several. NULL: choices, knock-outs, draw
 * offers and others, for which the standard has no event. */
static void (*const encoders[MASH_EVENT_KINDS])(EventEncoder *) = {
    [MASH_EVENT_PLACED] = encode_placed,
    [MASH_EVENT_ROUND_BEGAN] = encode_round,
    [MASH_EVENT_TURN_BEGAN] = encode_turn,
    [MASH_EVENT_MOVED] = encode_moved,
    [MASH_EVENT_SWAPPED] = encode_moved,
    [MASH_EVENT_TELEPORTED] = encode_teleported,
    [MASH_EVENT_APPEARED] = encode_appeared,
    [MASH_EVENT_VANISHED] = encode_vanished,
    [MASH_EVENT_ATTACKED] = encode_attack,
    [MASH_EVENT_HURT] = encode_hurt,
    [MASH_EVENT_HEALED] = encode_healed,
    [MASH_EVENT_REVIVED] = encode_healed,
    [MASH_EVENT_GROUND_HURT] = encode_ground_hurt,
    [MASH_EVENT_GROUND_CHANGED] = encode_ground_changed,
    [MASH_EVENT_USED] = encode_use,
    [MASH_EVENT_CHANGED] = encode_changed,
    [MASH_EVENT_ITEM_APPEARED] = encode_item_there,
    [MASH_EVENT_ITEM_DROPPED] = encode_item_there,
    [MASH_EVENT_ITEM_TAKEN] = encode_item_taken,
    [MASH_EVENT_ITEM_GIVEN] = encode_given,
    [MASH_EVENT_MATCH_ENDED] = encode_end,
};

StandardEvents marvelous_encode_events(StandardEncoder *encoder, const void *before,
                                       const void *after, const MashEvents *events, void *memory) {
    const MarvelousState *old = before;
    size_t list_bytes = align_16(messages_max(encoder->loaded) * sizeof(StandardMessage));
    EventEncoder batch = {.encoder = encoder,
                          .content = encoder->content,
                          .after = after,
                          .last = events->list + events->count,
                          .out = memory,
                          .refs = (void *)((char *)memory + list_bytes),
                          .order_count = old->order_count};
    for (uint32_t i = 0; i < old->order_count; i++)
        batch.order[i] = old->order[i];
    for (batch.event = events->list; batch.event < batch.last; batch.event++)
        if (encoders[batch.event->kind] != NULL)
            encoders[batch.event->kind](&batch);
    return (StandardEvents){batch.out, batch.count};
}

/* --- The state -------------------------------------------------------------------------------- */

/* Rocks and portals as entities; how many. */
static uint32_t list_ground(const StandardEncoder *encoder, const MarvelousState *state,
                            StandardEntity *out) {
    const MarvelousContent *content = encoder->content;
    uint32_t count = 0;
    for (int y = 0; y < content->height; y++)
        for (int x = 0; x < content->width; x++) {
            uint32_t cell = cell_at(content, x, y);
            uint8_t byte = state->cells[cell];
            if (cell_is_rock(byte) || byte == CELL_PORTAL)
                out[count++] = marvelous_ground_entity(encoder, cell, byte - CELL_ROCKS);
        }
    return count;
}

/* Heroes, Thanos and the stones that lie on the board as entities; how many. */
static uint32_t list_units(const StandardEncoder *encoder, const MarvelousState *state,
                           StandardEntity *out) {
    const Actor *thanos = &state->actors[UNIT_THANOS];
    uint32_t count = 0;
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (on_board(state, hero))
            out[count++] = marvelous_hero_entity(encoder->content, state, hero);
    if (on_board(state, UNIT_THANOS))
        out[count++] =
            marvelous_npc_entity(UNIT_THANOS, thanos->moves, thanos->stones, thanos->x, thanos->y);
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder == HELD_BY_GROUND)
            out[count++] =
                marvelous_stone_entity(stone, state->stones[stone].x, state->stones[stone].y);
    return count;
}

bool marvelous_encode_state(const StandardEncoder *encoder, const void *raw_state, void *memory,
                            StandardMessage *out) {
    const MarvelousState *state = raw_state;
    const MarvelousContent *content = encoder->content;
    StandardEntity *entities = memory;
    if (state->phase == PHASE_CHOICE)
        return false;
    StandardRef *order =
        (void *)((char *)memory + state_room(encoder->loaded) - ORDER_MAX * sizeof(StandardRef));
    uint32_t count = list_ground(encoder, state, entities);
    count += list_units(encoder, state, entities + count);
    for (uint32_t i = 0; i < state->order_count; i++)
        order[i] = marvelous_reference(content, state, state->order[i]);
    uint8_t active = state->active == MASH_UNIT_NONE ? UNIT_THANOS : state->active;
    *out = (StandardMessage){.list = STANDARD_LIST_EVENTS,
                             .row = STANDARD_EVENT_GAMESTATE,
                             .entities = {entities, count},
                             .target_field = standard_field(content->width, content->height),
                             .order = {order, state->order_count},
                             .target = marvelous_reference(content, state, active),
                             .flag = state->common.over != 0};
    for (uint32_t stone = 0; stone < STONES; stone++)
        out->cooldowns[stone] = state->stones[stone].cooldown;
    return true;
}
