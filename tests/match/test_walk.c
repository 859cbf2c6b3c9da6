/* test_walk.c -- paths that are found can be walked: on random positions of each game every path
 * is walked in the engine, action by action. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "match/simulate.h"
#include "match/walk.h"
#include "tests/support/support.h"

enum { POSITIONS = 300 };

/* What the test works with, and what it has seen. */
typedef struct WalkFixture {
    const MashContent *content;
    void *state, *view, *trial, *memory;
    MashBoard board;
    void *board_memory;
    MashAction *list;
    MashEvents events;
    Walk walk;
    uint32_t paths, by_chance, longest, attacks, walked_attacks;
} WalkFixture;

static WalkFixture fixture_open(const MashContent *content) {
    WalkFixture fixture = {.content = content,
                           .state = support_state(content),
                           .view = support_state(content),
                           .trial = support_state(content),
                           .memory = support_memory(walk_bytes(content)),
                           .board_memory = support_memory(mash_board_bytes(content)),
                           .list =
                               support_memory(content->limits.actions_max * sizeof(MashAction))};
    fixture.board = mash_board_over(content, fixture.board_memory);
    fixture.events = (MashEvents){support_memory(content->limits.events_max * sizeof(MashEvent)), 0,
                                  content->limits.events_max};
    return fixture;
}

static void fixture_close(WalkFixture *fixture) {
    void *all[] = {fixture->state,        fixture->view, fixture->trial,      fixture->memory,
                   fixture->board_memory, fixture->list, fixture->events.list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* The token of a unit in a state. */
static MashToken token_of(WalkFixture *fixture, const void *state, uint8_t unit) {
    fixture->content->game->show(fixture->content, state, &fixture->board);
    for (uint32_t i = 0; i < fixture->board.tokens_count; i++)
        if (fixture->board.tokens[i].unit == unit)
            return fixture->board.tokens[i];
    return (MashToken){.unit = unit, .place = MASH_GONE};
}

/* Does an action of a path in the real match. Returns whether chance had a say in it. */
static bool do_action(WalkFixture *fixture, MashAction action) {
    const size_t bytes = fixture->content->limits.state_bytes;
    MashChance chance = chance_sampled(5), none = chance_enumerated(NULL, 0);
    void *copy = support_memory(bytes);
    memcpy(copy, fixture->trial, bytes);
    fixture->content->game->apply_listed(fixture->content, copy, action, &none, NULL);
    free(copy);
    assert_int_equal(
        mash_apply(fixture->content, fixture->trial, action, &chance, &fixture->events), MASH_OK);
    return none.failed;
}

/* How often the seat's own units are hurt or fall by the last action. */
static uint32_t own_losses(WalkFixture *fixture, uint8_t seat) {
    uint32_t losses = 0;
    for (uint32_t i = 0; i < fixture->events.count; i++) {
        const MashEvent *event = &fixture->events.list[i];
        if (event->kind == MASH_EVENT_HURT || event->kind == MASH_EVENT_DIED)
            losses += token_of(fixture, fixture->view, event->unit).seat == seat;
    }
    return losses;
}

/* Goes to every cell that was found, each time from the start. */
static void go_everywhere(WalkFixture *fixture) {
    MashAction path[WALK_STEPS_MAX];
    const Walk *walk = &fixture->walk;
    for (uint32_t i = 1; i < walk->nodes_count; i++) {
        const WalkNode *node = &walk->nodes[i];
        uint32_t steps = walk_path(walk, node, path);
        assert_true(steps >= 1 && steps == node->steps);
        memcpy(fixture->trial, fixture->state, fixture->content->limits.state_bytes);
        bool by_chance = false;
        for (uint32_t k = 0; k < steps; k++) {
            by_chance = do_action(fixture, path[k]);
            assert_true(k + 1 == steps || (!by_chance && own_losses(fixture, walk->seat) == 0));
        }
        assert_int_equal(node->by_chance, by_chance);
        fixture->by_chance += by_chance;
        uint64_t kinds = 0;
        for (uint32_t k = 0; k < fixture->events.count; k++)
            kinds |= UINT64_C(1) << fixture->events.list[k].kind;
        assert_true(node->last || kinds == node->event_kinds);
        if (!by_chance)
            assert_int_equal(own_losses(fixture, walk->seat) > 0, node->loss > 0);
        MashToken token = token_of(fixture, fixture->trial, walk->unit);
        assert_true(token.x == node->x && token.y == node->y);
        fixture->paths++;
        fixture->longest = steps > fixture->longest ? steps : fixture->longest;
    }
}

/* Every single listed step to another free cell is found, and as one step. */
static void no_step_is_missing(WalkFixture *fixture, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        MashAction action = fixture->list[i];
        if (action.unit != fixture->walk.unit)
            continue;
        MashToken before = token_of(fixture, fixture->view, action.unit);
        bool occupied = false;
        for (uint32_t k = 0; k < fixture->board.tokens_count; k++)
            occupied |= fixture->board.tokens[k].x == action.x &&
                        fixture->board.tokens[k].y == action.y &&
                        fixture->board.tokens[k].place == MASH_ON_BOARD &&
                        fixture->board.tokens[k].seat < MASH_SEATS;
        char memory[80];
        MashText word = text_over(memory, sizeof memory);
        fixture->content->game->notation(fixture->content, fixture->view, action, &word);
        bool step = strncmp(memory, "move ", 5) == 0 || strncmp(memory, "step ", 5) == 0;
        if (!step || occupied || before.place != MASH_ON_BOARD)
            continue;
        memcpy(fixture->trial, fixture->state, fixture->content->limits.state_bytes);
        do_action(fixture, action);
        MashToken after = token_of(fixture, fixture->trial, action.unit);
        if (after.x != action.x || after.y != action.y)
            continue; /* a portal took it elsewhere */
        const WalkNode *node = walk_node(&fixture->walk, (uint32_t)action.x, (uint32_t)action.y);
        assert_non_null(node);
        assert_true(node->steps == 1 || node->loss == 0);
    }
}

/* Hits an enemy as it was found: the last action hits it, and nobody of the own side is hurt on
 * the way. */
static void hit_enemies(WalkFixture *fixture) {
    MashAction path[WALK_STEPS_MAX + 1];
    uint8_t seat = fixture->walk.seat;
    for (uint32_t unit = 0; unit < fixture->content->limits.units; unit++) {
        MashToken enemy = token_of(fixture, fixture->view, (uint8_t)unit);
        if (enemy.place != MASH_ON_BOARD || enemy.seat != 1 - seat)
            continue;
        uint32_t count = walk_attack(&fixture->walk, (uint8_t)unit, path);
        if (count == 0)
            continue;
        memcpy(fixture->trial, fixture->state, fixture->content->limits.state_bytes);
        for (uint32_t k = 0; k < count; k++) {
            do_action(fixture, path[k]);
            assert_true(k + 1 == count || own_losses(fixture, seat) == 0);
        }
        bool hit = false;
        for (uint32_t k = 0; k < fixture->events.count; k++) {
            const MashEvent *event = &fixture->events.list[k];
            hit |= event->unit == unit || event->other == unit;
        }
        assert_true(hit);
        fixture->attacks++;
        fixture->walked_attacks += count > 1;
    }
}

/* Looks at all units of the seat in a position. */
static void check_position(void *owner, uint8_t seat, MashChance *chooser) {
    WalkFixture *fixture = owner;
    (void)chooser;
    const MashGame *game = fixture->content->game;
    memcpy(fixture->view, fixture->state, fixture->content->limits.state_bytes);
    game->hide(fixture->content, fixture->view, seat);
    for (uint32_t unit = 0; unit < fixture->content->limits.units; unit++) {
        MashToken token = token_of(fixture, fixture->view, (uint8_t)unit);
        bool there = token.place == MASH_ON_BOARD && token.seat == seat;
        if (!there)
            continue;
        assert_true(walk_search(&fixture->walk, fixture->content, fixture->view, seat,
                                (uint8_t)unit, fixture->memory));
        go_everywhere(fixture);
        uint32_t count = game->actions(fixture->content, fixture->view, seat, fixture->list);
        no_step_is_missing(fixture, count);
        if (memcmp(fixture->view, fixture->state, fixture->content->limits.state_bytes) == 0)
            hit_enemies(fixture);
    }
}

static void every_path_can_be_walked(void **unused) {
    (void)unused;
    uint32_t by_chance = 0, longest = 0, walked_attacks = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashContent *content = support_content(mash_games[i], NULL);
        WalkFixture fixture = fixture_open(content);
        support_positions(content, POSITIONS, 8, fixture.state, check_position, &fixture);
        print_message("%s: %u paths (%u by chance), longest %u, %u attacks, %u after steps\n",
                      mash_games[i]->id, fixture.paths, fixture.by_chance, fixture.longest,
                      fixture.attacks, fixture.walked_attacks);
        assert_true(fixture.paths > 0);
        longest = fixture.longest > longest ? fixture.longest : longest;
        walked_attacks += fixture.walked_attacks;
        by_chance += fixture.by_chance;
        fixture_close(&fixture);
        support_free(content);
    }
    assert_true(longest >= 4);
    assert_true(walked_attacks > 0);
    assert_true(by_chance > 0);
}

static void units_off_the_board_go_nowhere(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("battleground"), NULL);
    WalkFixture fixture = fixture_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, fixture.state), MASH_OK);
    assert_false(walk_search(&fixture.walk, content, fixture.state, 0, 0, fixture.memory));
    fixture_close(&fixture);
    support_free(content);
}

/* A corridor of five cells with thorns in the third, and a door that a view does not show: a guess
 * opens it. */
typedef struct Corridor {
    uint8_t x, open;
} Corridor;
static uint32_t corridor_awaited(const MashContent *content, const void *state) {
    (void)content, (void)state;
    return 1;
}
static uint32_t corridor_actions(const MashContent *content, const void *state, uint8_t seat,
                                 MashAction *out) {
    const Corridor *corridor = state;
    if (!corridor->open || corridor->x + 1 == content->limits.width)
        return 0;
    *out = (MashAction){.verb = 1, .seat = seat, .x = (int8_t)(corridor->x + 1)};
    return 1;
}
static void corridor_apply(const MashContent *content, void *state, MashAction action,
                           MashChance *chance, MashEvents *events) {
    Corridor *corridor = state;
    (void)content, (void)chance;
    corridor->x = (uint8_t)action.x;
    if (corridor->x != 2)
        return;
    events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_HURT, .amount = 3};
    events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_DIED};
}
static void corridor_guess(const MashContent *content, void *view, uint8_t seat,
                           MashChance *chance) {
    (void)content, (void)seat, (void)chance;
    ((Corridor *)view)->open = 1;
}
static void corridor_show(const MashContent *content, const void *state, MashBoard *board) {
    (void)content;
    board->tokens_count = 1;
    board->tokens[0] =
        (MashToken){.place = MASH_ON_BOARD, .x = (int8_t)((const Corridor *)state)->x};
}

/* A way ends where it costs anything, and goes on where only a guess says that it may. */
static void a_way_ends_at_the_first_loss(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = corridor_awaited,
                                  .actions = corridor_actions,
                                  .check = support_check,
                                  .apply_listed = corridor_apply,
                                  .guess = corridor_guess,
                                  .show = corridor_show};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = sizeof(Corridor),
                                             .core_bytes = sizeof(Corridor),
                                             .actions_max = 1,
                                             .events_max = 2,
                                             .tokens_max = 1,
                                             .meters_max = 1,
                                             .width = 5,
                                             .height = 1,
                                             .units = 1}};
    WalkFixture fixture = fixture_open(&content);
    assert_true(walk_search(&fixture.walk, &content, fixture.state, 0, 0, fixture.memory));
    assert_int_equal(fixture.walk.nodes_count, 3);
    assert_false(walk_node(&fixture.walk, 1, 0)->last);
    assert_int_equal(walk_node(&fixture.walk, 2, 0)->loss, 4); /* one more for the fall */
    assert_true(walk_node(&fixture.walk, 2, 0)->last);
    assert_null(walk_node(&fixture.walk, 3, 0));
    fixture_close(&fixture);
}

/* A field of three by two: from the corner at the top left one may go over the cell below or over
 * the one beside it to the cell at the top right. The detour is listed first. */
typedef struct Detour {
    uint8_t x, y, straight, ended;
} Detour;
enum { SAME, NOISE_ON_THE_WAY, NOISE_AT_THE_END, TURN_ENDS, CHANCE, LOSS, DETOURS };
static uint8_t detour_kind; /* what is different about the straight way */
static uint32_t detour_awaited(const MashContent *content, const void *state) {
    (void)content;
    return ((const Detour *)state)->ended ? 2 : 1;
}
static uint32_t detour_actions(const MashContent *content, const void *state, uint8_t seat,
                               MashAction *out) {
    const Detour *detour = state;
    (void)content;
    if (detour->x == 2)
        return 0;
    uint32_t count = detour->x == 0 ? 2 : 1;
    for (uint32_t i = 0; i < count; i++)
        out[i] = (MashAction){.verb = 1,
                              .seat = seat,
                              .x = (int8_t)(detour->x + 1),
                              .y = (int8_t)(detour->x == 0 && i == 0)};
    return count;
}
static void detour_apply(const MashContent *content, void *state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    Detour *detour = state;
    (void)content;
    detour->x = (uint8_t)action.x;
    detour->y = (uint8_t)action.y;
    bool beside = detour->x == 1 && detour->y == 0, end = detour->x == 2 && detour->straight;
    detour->straight |= beside;
    if ((beside && detour_kind == NOISE_ON_THE_WAY) || (end && detour_kind == NOISE_AT_THE_END))
        events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_SPOKE};
    if (end && detour_kind == LOSS)
        events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_HURT, .amount = 1};
    if (end && detour_kind == CHANCE)
        chance_below(chance, 2);
    detour->ended = end && detour_kind == TURN_ENDS;
}
static void detour_show(const MashContent *content, const void *state, MashBoard *board) {
    const Detour *detour = state;
    (void)content;
    board->tokens_count = 1;
    board->tokens[0] =
        (MashToken){.place = MASH_ON_BOARD, .x = (int8_t)detour->x, .y = (int8_t)detour->y};
}

/* The straight way takes the place of a detour only if it is alike in everything that matters. */
static void a_straight_way_that_differs_is_not_taken(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = detour_awaited,
                                  .actions = detour_actions,
                                  .check = support_check,
                                  .apply_listed = detour_apply,
                                  .show = detour_show};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = sizeof(Detour),
                                             .core_bytes = sizeof(Detour),
                                             .actions_max = 2,
                                             .events_max = 1,
                                             .tokens_max = 1,
                                             .meters_max = 1,
                                             .width = 3,
                                             .height = 2,
                                             .units = 1}};
    for (detour_kind = SAME; detour_kind < DETOURS; detour_kind++) {
        WalkFixture fixture = fixture_open(&content);
        MashAction path[WALK_STEPS_MAX];
        assert_true(walk_search(&fixture.walk, &content, fixture.state, 0, 0, fixture.memory));
        assert_int_equal(walk_path(&fixture.walk, walk_node(&fixture.walk, 2, 0), path), 2);
        assert_int_equal(path[0].y, detour_kind == SAME ? 0 : 1);
        fixture_close(&fixture);
    }
}

/* Two units side by side; all that the first can do is to hit the other. */
static uint32_t strike_actions(const MashContent *content, const void *state, uint8_t seat,
                               MashAction *out) {
    (void)content, (void)state;
    *out = (MashAction){.verb = 1, .seat = seat, .x = 1};
    return 1;
}
static void strike_apply(const MashContent *content, void *state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)content, (void)state, (void)action, (void)chance;
    events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_HURT, .unit = 1, .amount = 1};
}
static void strike_show(const MashContent *content, const void *state, MashBoard *board) {
    (void)content, (void)state;
    board->tokens_count = 2;
    for (uint8_t unit = 0; unit < 2; unit++)
        board->tokens[unit] =
            (MashToken){.unit = unit, .seat = unit, .place = MASH_ON_BOARD, .x = (int8_t)unit};
}

/* An attack is found also where it is the first of the list. */
static void the_only_action_may_be_an_attack(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = corridor_awaited,
                                  .actions = strike_actions,
                                  .check = support_check,
                                  .apply_listed = strike_apply,
                                  .show = strike_show};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = 8,
                                             .core_bytes = 8,
                                             .actions_max = 1,
                                             .events_max = 1,
                                             .tokens_max = 2,
                                             .meters_max = 1,
                                             .width = 2,
                                             .height = 1,
                                             .units = 2}};
    WalkFixture fixture = fixture_open(&content);
    MashAction path[WALK_STEPS_MAX + 1];
    assert_true(walk_search(&fixture.walk, &content, fixture.state, 0, 0, fixture.memory));
    assert_int_equal(walk_attack(&fixture.walk, 1, path), 1);
    assert_int_equal(path[0].x, 1);
    fixture_close(&fixture);
}

/* Two blows at the enemy: which of them is listed first, and what each does. */
static MashEvent blows[2][2];
static uint32_t blows_actions(const MashContent *content, const void *state, uint8_t seat,
                              MashAction *out) {
    (void)content, (void)state;
    for (uint8_t i = 0; i < 2; i++)
        out[i] = (MashAction){.verb = 1, .seat = seat, .x = 1, .ability = i};
    return 2;
}
static void blows_apply(const MashContent *content, void *state, MashAction action,
                        MashChance *chance, MashEvents *events) {
    (void)content, (void)state, (void)chance;
    for (uint32_t i = 0; i < 2; i++)
        events->list[events->count++] = blows[action.ability][i];
}

/* Of two blows the one that costs less is found, then the one that does more, then the first: a
 * fall counts as one more, and so does an attack that takes nothing. */
static void the_best_blow_is_found(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = corridor_awaited,
                                  .actions = blows_actions,
                                  .check = support_check,
                                  .apply_listed = blows_apply,
                                  .show = strike_show};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = 8,
                                             .core_bytes = 8,
                                             .actions_max = 2,
                                             .events_max = 2,
                                             .tokens_max = 2,
                                             .meters_max = 1,
                                             .width = 2,
                                             .height = 1,
                                             .units = 2}};
    const MashEvent none = {.kind = MASH_EVENT_SPOKE, .unit = 0, .other = 0},
                    two = {.kind = MASH_EVENT_HURT, .unit = 1, .amount = 2},
                    three = {.kind = MASH_EVENT_HURT, .unit = 1, .amount = 3},
                    own = {.kind = MASH_EVENT_HURT, .unit = 0, .amount = 1},
                    falls = {.kind = MASH_EVENT_DIED, .unit = 1},
                    hits = {.kind = MASH_EVENT_ATTACKED, .unit = 0, .other = 1},
                    misses = {.kind = MASH_EVENT_MISSED, .unit = 0, .other = 1};
    const struct {
        MashEvent blows[2][2];
        uint32_t best; /* 2: none of them */
    } cases[] = {{{{two, none}, {three, none}}, 1}, {{{three, none}, {two, none}}, 0},
                 {{{two, none}, {two, none}}, 0},   {{{two, none}, {two, falls}}, 1},
                 {{{two, none}, {two, hits}}, 1},   {{{two, none}, {two, misses}}, 1},
                 {{{three, own}, {two, none}}, 1},  {{{two, none}, {three, own}}, 0},
                 {{{own, none}, {hits, none}}, 1},  {{{none, none}, {misses, none}}, 1},
                 {{{none, none}, {own, none}}, 2},  {{{falls, none}, {two, none}}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WalkFixture fixture = fixture_open(&content);
        MashAction path[WALK_STEPS_MAX + 1];
        memcpy(blows, cases[i].blows, sizeof blows);
        assert_true(walk_search(&fixture.walk, &content, fixture.state, 0, 0, fixture.memory));
        assert_int_equal(walk_attack(&fixture.walk, 1, path), cases[i].best < 2);
        if (cases[i].best < 2)
            assert_int_equal(path[0].ability, cases[i].best);
        fixture_close(&fixture);
    }
}

/* Where nothing is in the way, a unit goes straight: every cell of the row, column or diagonal. */
static void of_equal_ways_the_straight_one(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), NULL);
    WalkFixture fixture = fixture_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, fixture.state), MASH_OK);
    uint8_t seat = (content->game->awaited(content, fixture.state) & 1) != 0 ? 0 : 1;
    uint32_t straight = 0, all = 0;
    for (uint32_t unit = 0; unit < content->limits.units; unit++) {
        MashToken token = token_of(&fixture, fixture.state, (uint8_t)unit);
        if (token.seat != seat || token.place != MASH_ON_BOARD ||
            !walk_search(&fixture.walk, content, fixture.state, seat, (uint8_t)unit,
                         fixture.memory))
            continue;
        for (uint32_t i = 1; i < fixture.walk.nodes_count; i++) {
            const WalkNode *end = &fixture.walk.nodes[i], *node = end;
            int dx = end->x - token.x, dy = end->y - token.y, far = end->steps;
            bool line = (dx == 0 || abs(dx) == far) && (dy == 0 || abs(dy) == far) && far > 1;
            if (!line || end->loss > 0)
                continue;
            bool free = true, on = true;
            for (int k = 1; k < far; k++) {
                const WalkNode *between =
                    walk_node(&fixture.walk, (uint32_t)(token.x + dx * k / far),
                              (uint32_t)(token.y + dy * k / far));
                free = free && between != NULL && between->steps == k && !between->last;
            }
            for (; node->steps > 0; node = &fixture.walk.nodes[node->from])
                on = on && (node->x - token.x) * far == dx * node->steps &&
                     (node->y - token.y) * far == dy * node->steps;
            all += free;
            straight += free && on;
        }
    }
    assert_true(all > 0);
    assert_int_equal(straight, all);
    fixture_close(&fixture);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_can_be_walked),
        cmocka_unit_test(units_off_the_board_go_nowhere),
        cmocka_unit_test(a_way_ends_at_the_first_loss),
        cmocka_unit_test(a_straight_way_that_differs_is_not_taken),
        cmocka_unit_test(the_only_action_may_be_an_attack),
        cmocka_unit_test(the_best_blow_is_found),
        cmocka_unit_test(of_equal_ways_the_straight_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
