/* net_input.c -- what a net is told of a position (base/table_net.h): each warrior that is not
 * defeated by its numbers, and by what it and the enemies could do to each other in a turn,
 * ignoring walls and warriors in the way. */
#include <string.h>

#include "engine/grid.h"
#include "games/battleground/state.h"

/* Unusual content may go far beyond the training data: numbers are clamped. */
enum { HEALTH_SEEN = 40, ATTACK_SEEN = 40, WALK_SEEN = 16, STEPS_SEEN = 40, POTIONS_SEEN = 8 };

/* A number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* A number in units of `one`. */
static inline int16_t scaled(int number, int one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* A warrior on the field, what it can do, and what can be done to it. */
typedef struct FieldView {
    const Warrior *warrior;
    int16_t *row;
    int attack, walk, reach; /* reach: 0 when it cannot attack any more in this turn */
    int blow, foes, danger, worst, nearest;
    bool fells;
} FieldView;

/* The numbers of any warrior. */
static void begin_row(const BattlegroundContent *content, const Warrior *warrior, int16_t *row) {
    const BattlegroundKind *kind = &content->kinds[warrior->kind];
    bool field = warrior->place == PLACE_FIELD;
    int attack = at_most(field ? attack_of(content, warrior) : kind->attack, ATTACK_SEEN);
    int walk = at_most(field ? walk_of(content, warrior) : kind->walk, WALK_SEEN);
    int health = at_most(field ? warrior->health : kind->health, HEALTH_SEEN);
    memset(row, 0, TABLE_NET_FEATURES * sizeof *row);
    row[0] = TABLE_NET_ONE;
    row[1] = field ? TABLE_NET_ONE : 0;
    row[2] = scaled(health, 4);
    row[3] = scaled(attack, 3);
    row[4] = scaled(walk, 3);
    row[5] = field ? row[2] : 0;
    row[6] = field ? row[3] : 0;
    row[7] = field ? row[4] : 0;
    row[8] = field ? scaled(warrior->more_attack, 2) : 0;
    row[9] = field ? scaled(warrior->more_walk, 2) : 0;
}

/* What a warrior on the field can do in its side's next turn, which may be the current one. */
static FieldView view_of(const BattlegroundContent *content, const BattlegroundState *state,
                         uint8_t unit, int16_t *row) {
    const Warrior *warrior = &state->warriors[unit];
    FieldView view = {.warrior = warrior,
                      .row = row,
                      .attack = at_most(attack_of(content, warrior), ATTACK_SEEN),
                      .walk = at_most(walk_of(content, warrior), WALK_SEEN),
                      .nearest = STEPS_SEEN};
    bool now = seat_of(unit) == state->seat;
    bool moved = now && (state->phase != PHASE_MOVE_1 || (warrior->done & DONE_MOVED) != 0);
    bool attacked = now && (state->phase > PHASE_ATTACK || (warrior->done & DONE_ATTACKED) != 0);
    view.reach = attacked ? 0 : moved ? 1 : view.walk + 1;
    row[10] = moved && !attacked ? TABLE_NET_ONE : 0;
    row[11] = attacked ? TABLE_NET_ONE : 0;
    return view;
}

/* One warrior and one enemy. */
static void add_threat(FieldView *own, FieldView *other, int distance) {
    own->nearest = at_most(distance, own->nearest);
    if (distance > own->reach || own->attack == 0)
        return;
    int done = at_most(own->attack, other->warrior->health);
    own->blow = done > own->blow ? done : own->blow;
    own->fells = own->fells || own->attack >= other->warrior->health;
    other->foes++;
    other->danger += own->attack;
    other->worst = own->attack > other->worst ? own->attack : other->worst;
}

/* The features of a warrior on the field that depend on the others. */
static void end_row(const FieldView *view) {
    int health = view->warrior->health, danger = at_most(view->danger, 3 * health);
    view->row[12] = scaled(at_most(view->blow, HEALTH_SEEN), 4);
    view->row[13] = view->fells ? TABLE_NET_ONE : 0;
    view->row[14] = scaled(view->foes, 2);
    view->row[15] = scaled(danger, health > 0 ? health : 1);
    view->row[16] = view->worst >= health ? TABLE_NET_ONE : 0;
    view->row[17] = view->danger >= health ? TABLE_NET_ONE : 0;
    view->row[18] = scaled(at_most(view->nearest, STEPS_SEEN), 4);
    view->row[19] = scaled(at_most(view->nearest, 4), 2);
}

/* The features of a side: potions by what they change, warriors, and how its turn goes on. */
static void describe_side(const BattlegroundContent *content, const BattlegroundState *state,
                          uint8_t seat, const int *fielded, int16_t *out) {
    int bench = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        bench += state->warriors[SLOTS * seat + slot].place == PLACE_BENCH;
    for (int potion = 0; potion < content->potions_count; potion++) {
        const Potion *kind = &content->potions[potion];
        int16_t *feature = &out[2 * kind->stat + (kind->amount < 0)];
        int amount = kind->amount < 0 ? -kind->amount : kind->amount;
        int more = at_most(state->stock[seat][potion], POTIONS_SEEN) * at_most(amount, HEALTH_SEEN);
        *feature = (int16_t)at_most(*feature + scaled(more, 4), TABLE_NET_MOST - 1);
    }
    out[6] = scaled(fielded[seat], 3);
    out[7] = scaled(bench, 3);
    out[8] = fielded[seat] == 0 ? TABLE_NET_ONE : 0;
    out[9] = fielded[1 - seat] == 0 ? TABLE_NET_ONE : 0;
    if (state->seat == seat)
        out[10] = TABLE_NET_ONE;
    if (state->seat == seat && state->phase >= PHASE_MOVE_1)
        out[11 + state->phase - PHASE_MOVE_1] = TABLE_NET_ONE;
}

bool battleground_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    FieldView views[MASH_SEATS][SLOTS];
    int fielded[MASH_SEATS] = {0};
    if (state->phase == PHASE_CHOOSE)
        return false;
    memset(out->counts, 0, sizeof out->counts);
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        uint8_t seat = seat_of(unit);
        if (warrior->place != PLACE_BENCH && warrior->place != PLACE_FIELD)
            continue;
        int16_t *row = out->units[seat][out->counts[seat]++];
        begin_row(content, warrior, row);
        if (warrior->place == PLACE_FIELD)
            views[seat][fielded[seat]++] = view_of(content, state, unit, row);
    }
    for (int i = 0; i < fielded[0]; i++)
        for (int j = 0; j < fielded[1]; j++) {
            FieldView *own = &views[0][i], *other = &views[1][j];
            int distance = grid_manhattan(own->warrior->x, own->warrior->y, other->warrior->x,
                                          other->warrior->y);
            add_threat(own, other, distance);
            add_threat(other, own, distance);
        }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        for (int i = 0; i < fielded[seat]; i++)
            end_row(&views[seat][i]);
        describe_side(content, state, seat, fielded, out->sides[seat]);
    }
    int quiet = TABLE_NET_ONE * state->quiet;
    out->table[0] = (int16_t)(quiet / (content->quiet_turns > 0 ? content->quiet_turns : 1));
    out->table[1] = 2 * state->quiet >= content->quiet_turns ? TABLE_NET_ONE : 0;
    out->table[2] = state->phase == PHASE_FIRST ? TABLE_NET_ONE : 0;
    return true;
}
