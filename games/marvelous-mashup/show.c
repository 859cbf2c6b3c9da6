/* show.c -- what to display, and the statistics of the end screen.
 *
 * Stones are tokens of their own: on the board where they lie, on the bench while Goose or a hero
 * has them, gone when Thanos has them. A stone in hand is also a meter of its holder. */
#include "engine/board.h"
#include "games/marvelous-mashup/state.h"

/* Adds a token; its cell only matters on the board. */
static void add_token(MashBoard *board, uint8_t unit, uint8_t kind, uint8_t seat, uint8_t place,
                      uint8_t x, uint8_t y, uint8_t flags) {
    bool there = place == MASH_ON_BOARD;
    board->tokens[board->tokens_count++] = (MashToken){.unit = unit,
                                                       .kind = kind,
                                                       .seat = seat,
                                                       .place = place,
                                                       .x = there ? (int8_t)x : -1,
                                                       .y = there ? (int8_t)y : -1,
                                                       .flags = flags};
}

/* Row by row, while cells are kept column by column. */
static void show_ground(const MarvelousContent *content, const MarvelousState *state,
                        MashBoard *board) {
    uint32_t i = 0;
    for (int y = 0; y < content->height; y++)
        for (int x = 0; x < content->width; x++, i++) {
            uint8_t cell = state->cells[cell_at(content, x, y)];
            bool rock = cell_is_rock(cell);
            board->ground[i] = rock                  ? GROUND_ROCK
                               : cell == CELL_PORTAL ? GROUND_PORTAL
                                                     : GROUND_GRASS;
            board->ground_health[i] = rock ? (uint16_t)(cell - CELL_ROCKS) : 0;
        }
}

/* The six values of a kind [3.1], as configured. */
static void show_values(const MarvelousKind *kind, const Actor *actor, uint8_t unit,
                        MashBoard *board) {
    board_meter(board, unit, METER_HEALTH, MASH_ROLE_HEALTH, actor->health, kind->health);
    board_meter(board, unit, METER_MOVES, MASH_ROLE_POINTS, actor->moves, kind->moves);
    board_meter(board, unit, METER_ACTIONS, MASH_ROLE_POINTS, actor->actions, kind->actions);
    board_meter(board, unit, METER_MELEE, MASH_ROLE_NUMBER, kind->melee, 0);
    board_meter(board, unit, METER_RANGED, MASH_ROLE_NUMBER, kind->ranged, 0);
    board_meter(board, unit, METER_REACH, MASH_ROLE_NUMBER, kind->reach, 0);
}

/* The heroes on offer, as far as the view knows them. */
static void show_offers(const MarvelousContent *content, const MarvelousState *state,
                        MashBoard *board) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint8_t i = 0; i < OFFERED; i++) {
            uint8_t unit = (uint8_t)(UNIT_OFFERS + OFFERED * seat + i);
            uint8_t number = state->offers[seat][i];
            if (number == KIND_HIDDEN) {
                add_token(board, unit, 0, seat, MASH_ON_BENCH, 0, 0, MASH_TOKEN_HIDDEN);
                continue;
            }
            const MarvelousKind *kind = &content->kinds[number];
            Actor fresh = {.health = kind->health, .moves = kind->moves, .actions = kind->actions};
            bool chosen = state->picked[seat] >> i & 1;
            add_token(board, unit, number, seat, MASH_ON_BENCH, 0, 0,
                      chosen ? MASH_TOKEN_CHOSEN : 0);
            show_values(kind, &fresh, unit, board);
        }
}

/* The stones that a unit carries, and the cooldown left of each. */
static void show_hand(const MarvelousContent *content, const MarvelousState *state, uint8_t unit,
                      MashBoard *board) {
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->actors[unit].stones & stone_bit(stone))
            board_meter(board, unit, (uint8_t)(METER_STONES + stone), MASH_ROLE_HELD,
                        state->stones[stone].cooldown, content->cooldowns[stone]);
}

/* All heroes with their meters and stones; knocked-out ones are marked as done. */
static void show_heroes(const MarvelousContent *content, const MarvelousState *state,
                        MashBoard *board) {
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        const Actor *actor = &state->actors[hero];
        bool there = on_board(state, hero);
        add_token(board, hero, actor->kind, seat_of(hero), there ? MASH_ON_BOARD : MASH_GONE,
                  actor->x, actor->y, there && actor->health == 0 ? MASH_TOKEN_DONE : 0);
        show_values(&content->kinds[actor->kind], actor, hero, board);
        show_hand(content, state, hero, board);
    }
}

/* Goose and Stan Lee are on the bench until they have nothing more to do. */
static void show_npcs(const MarvelousContent *content, const MarvelousState *state,
                      MashBoard *board) {
    const Actor *thanos = &state->actors[UNIT_THANOS];
    int inside = 0;
    for (uint8_t stone = 0; stone < STONES; stone++)
        inside += state->stones[stone].holder == HELD_BY_GOOSE;
    bool stan_to_come = state->round < STAN_ROUND;
    for (uint8_t i = state->order_next; i < state->order_count; i++)
        stan_to_come |= state->order[i] == UNIT_STAN;
    add_token(board, UNIT_GOOSE, KIND_GOOSE, MASH_SEAT_NONE, inside > 0 ? MASH_ON_BENCH : MASH_GONE,
              0, 0, 0);
    add_token(board, UNIT_STAN, KIND_STAN, MASH_SEAT_NONE, stan_to_come ? MASH_ON_BENCH : MASH_GONE,
              0, 0, 0);
    add_token(board, UNIT_THANOS, KIND_THANOS, MASH_SEAT_NONE,
              on_board(state, UNIT_THANOS) ? MASH_ON_BOARD : MASH_ON_BENCH, thanos->x, thanos->y,
              0);
    board_meter(board, UNIT_GOOSE, METER_INSIDE, MASH_ROLE_NUMBER, inside, STONES);
    if (on_board(state, UNIT_THANOS))
        board_meter(board, UNIT_THANOS, METER_MOVES, MASH_ROLE_POINTS, state->thanos_moves, 0);
    show_hand(content, state, UNIT_THANOS, board);
}

/* All stones as tokens: on the board where they lie, gone if Thanos has them, otherwise on the
 * bench. */
static void show_stones(const MarvelousContent *content, const MarvelousState *state,
                        MashBoard *board) {
    for (uint8_t stone = 0; stone < STONES; stone++) {
        const Stone *there = &state->stones[stone];
        uint8_t unit = (uint8_t)(UNIT_STONES + stone);
        uint8_t seat = there->holder < HEROES ? seat_of(there->holder) : MASH_SEAT_NONE;
        uint8_t place = there->holder == HELD_BY_GROUND ? MASH_ON_BOARD
                        : there->holder == UNIT_THANOS  ? MASH_GONE
                                                        : MASH_ON_BENCH;
        add_token(board, unit, (uint8_t)(KIND_STONES + stone), seat, place, there->x, there->y, 0);
        board_meter(board, unit, METER_COOLDOWN, MASH_ROLE_COOLDOWN, there->cooldown,
                    content->cooldowns[stone]);
    }
}

/* A figure that may be larger than it can be shown. */
static int32_t shown(uint64_t number) { return number > INT32_MAX ? INT32_MAX : (int32_t)number; }

/* The round and, until he arrives, when Thanos comes; the tie breaks if he ends the match
 * [12.2]. */
static void show_table(const MarvelousContent *content, const MarvelousState *state,
                       MashBoard *board) {
    bool to_come = state->phase != PHASE_THANOS;
    board_meter(board, MASH_UNIT_NONE, METER_ROUND, MASH_ROLE_ROUND, state->round,
                to_come ? content->rounds_max : 0);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint8_t side = (uint8_t)(MASH_UNIT_SIDE + seat);
        board_meter(board, side, METER_MOST_STONES, MASH_ROLE_SCORE, state->most_stones[seat],
                    STONES);
        board_meter(board, side, METER_KNOCK_OUTS, MASH_ROLE_SCORE, shown(state->knock_outs[seat]),
                    0);
        board_meter(board, side, METER_DAMAGE, MASH_ROLE_SCORE, shown(state->damage[seat]), 0);
    }
}

/* The units still to act in this round; dusted ones are omitted. */
static void show_order(const MarvelousState *state, MashBoard *board) {
    for (uint8_t i = state->order_next; i < state->order_count; i++) {
        uint8_t unit = state->order[i];
        if (unit >= HEROES || on_board(state, unit))
            board->order[board->order_count++] = unit;
    }
}

void marvelous_show(const MashContent *loaded, const void *raw_state, MashBoard *board) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    board_clear(board);
    board->active = state->active;
    board->phase = state->common.over ? PHASE_OVER : state->phase;
    show_ground(content, state, board);
    if (state->phase == PHASE_CHOICE)
        show_offers(content, state, board);
    else
        show_heroes(content, state, board);
    show_npcs(content, state, board);
    show_stones(content, state, board);
    show_table(content, state, board);
    show_order(state, board);
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* Of a hero, or of a side: then the sum of its heroes', but stones are those held at the same
 * time. */
int32_t marvelous_figure(const MashContent *loaded, const void *raw_state, uint8_t unit,
                         uint8_t figure) {
#define AT(member) FIGURE_PLACE(MarvelousFigures, member)
    static const FigurePlace places[FIGURES] = {AT(damage), AT(knock_outs), AT(most_stones),
                                                AT(steps),  AT(used),       AT(turns)};
#undef AT
    const MarvelousState *state = raw_state;
    const void *figures = (const uint8_t *)raw_state + core_bytes(marvelous_content(loaded));
    uint8_t seat = (uint8_t)(unit - MASH_UNIT_SIDE);
    if (seat < MASH_SEATS && figure == FIGURE_MOST_STONES)
        return state->most_stones[seat];
    if (seat < MASH_SEATS && figure == FIGURE_DAMAGE)
        return shown(state->damage[seat]);
    return game_figure(places, FIGURES, figure, figures, sizeof(MarvelousFigures), HEROES, unit);
}
