/* test_walk.c -- paths that are found can be gone: on random positions of each game every path is
 * done again in the engine, action by action. */
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
typedef struct Bench {
    const MashContent *content;
    void *state, *view, *trial, *memory;
    MashBoard board;
    void *board_memory;
    MashAction *list;
    MashEvents events;
    Walk walk;
    uint32_t paths, by_chance, longest, attacks, walked_attacks;
} Bench;

static Bench bench_open(const MashContent *content) {
    Bench bench = {.content = content,
                   .state = support_state(content),
                   .view = support_state(content),
                   .trial = support_state(content),
                   .memory = support_memory(walk_bytes(content)),
                   .board_memory = support_memory(mash_board_bytes(content)),
                   .list = support_memory(content->limits.actions_max * sizeof(MashAction))};
    bench.board = mash_board_over(content, bench.board_memory);
    bench.events = (MashEvents){support_memory(content->limits.events_max * sizeof(MashEvent)), 0,
                                content->limits.events_max};
    return bench;
}

static void bench_close(Bench *bench) {
    void *all[] = {bench->state,        bench->view, bench->trial,      bench->memory,
                   bench->board_memory, bench->list, bench->events.list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* The token of a unit in a state. */
static MashToken token_of(Bench *bench, const void *state, uint8_t unit) {
    bench->content->game->show(bench->content, state, &bench->board);
    for (uint32_t i = 0; i < bench->board.tokens_count; i++)
        if (bench->board.tokens[i].unit == unit)
            return bench->board.tokens[i];
    return (MashToken){.unit = unit, .place = MASH_GONE};
}

/* Does an action of a path in the real match. Returns whether chance had a say in it. */
static bool do_action(Bench *bench, MashAction action) {
    const size_t bytes = bench->content->limits.state_bytes;
    MashChance chance = chance_sampled(5), none = chance_enumerated(NULL, 0);
    void *copy = support_memory(bytes);
    memcpy(copy, bench->trial, bytes);
    bench->content->game->apply_listed(bench->content, copy, action, &none, NULL);
    free(copy);
    assert_int_equal(mash_apply(bench->content, bench->trial, action, &chance, &bench->events),
                     MASH_OK);
    return none.failed;
}

/* How often the seat's own units are hurt or fall by the last action. */
static uint32_t own_losses(Bench *bench, uint8_t seat) {
    uint32_t losses = 0;
    for (uint32_t i = 0; i < bench->events.count; i++) {
        const MashEvent *event = &bench->events.list[i];
        if (event->kind == MASH_EVENT_HURT || event->kind == MASH_EVENT_DIED)
            losses += token_of(bench, bench->view, event->unit).seat == seat;
    }
    return losses;
}

/* Goes to every cell that was found, each time from the start. */
static void go_everywhere(Bench *bench) {
    MashAction path[WALK_STEPS_MAX];
    const Walk *walk = &bench->walk;
    for (uint32_t i = 1; i < walk->nodes_count; i++) {
        const WalkNode *node = &walk->nodes[i];
        uint32_t steps = walk_path(walk, node, path);
        assert_true(steps >= 1 && steps == node->steps);
        memcpy(bench->trial, bench->state, bench->content->limits.state_bytes);
        bool by_chance = false;
        for (uint32_t k = 0; k < steps; k++) {
            by_chance = do_action(bench, path[k]);
            assert_true(k + 1 == steps || (!by_chance && own_losses(bench, walk->seat) == 0));
        }
        assert_int_equal(node->by_chance, by_chance);
        bench->by_chance += by_chance;
        uint64_t kinds = 0;
        for (uint32_t k = 0; k < bench->events.count; k++)
            kinds |= UINT64_C(1) << bench->events.list[k].kind;
        assert_true(node->last || kinds == node->event_kinds);
        if (!by_chance)
            assert_int_equal(own_losses(bench, walk->seat) > 0, node->loss > 0);
        MashToken token = token_of(bench, bench->trial, walk->unit);
        assert_true(token.x == node->x && token.y == node->y);
        bench->paths++;
        bench->longest = steps > bench->longest ? steps : bench->longest;
    }
}

/* Every single listed step to another free cell is found, and as one step. */
static void no_step_is_missing(Bench *bench, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        MashAction action = bench->list[i];
        if (action.unit != bench->walk.unit)
            continue;
        MashToken before = token_of(bench, bench->view, action.unit);
        bool occupied = false;
        for (uint32_t k = 0; k < bench->board.tokens_count; k++)
            occupied |= bench->board.tokens[k].x == action.x &&
                        bench->board.tokens[k].y == action.y &&
                        bench->board.tokens[k].place == MASH_ON_BOARD &&
                        bench->board.tokens[k].seat < MASH_SEATS;
        char memory[80];
        MashText word = text_over(memory, sizeof memory);
        bench->content->game->notation(bench->content, bench->view, action, &word);
        bool step = strncmp(memory, "move ", 5) == 0 || strncmp(memory, "step ", 5) == 0;
        if (!step || occupied || before.place != MASH_ON_BOARD)
            continue;
        memcpy(bench->trial, bench->state, bench->content->limits.state_bytes);
        do_action(bench, action);
        MashToken after = token_of(bench, bench->trial, action.unit);
        if (after.x != action.x || after.y != action.y)
            continue; /* a portal took it elsewhere */
        const WalkNode *node = walk_node(&bench->walk, (uint32_t)action.x, (uint32_t)action.y);
        assert_non_null(node);
        assert_true(node->steps == 1 || node->loss == 0);
    }
}

/* Hits an enemy as it was found: the last action hits it, and nobody of the own side is hurt on
 * the way. */
static void hit_enemies(Bench *bench) {
    MashAction path[WALK_STEPS_MAX + 1];
    uint8_t seat = bench->walk.seat;
    for (uint32_t unit = 0; unit < bench->content->limits.units; unit++) {
        MashToken enemy = token_of(bench, bench->view, (uint8_t)unit);
        if (enemy.place != MASH_ON_BOARD || enemy.seat != 1 - seat)
            continue;
        uint32_t count = walk_attack(&bench->walk, (uint8_t)unit, path);
        if (count == 0)
            continue;
        memcpy(bench->trial, bench->state, bench->content->limits.state_bytes);
        for (uint32_t k = 0; k < count; k++) {
            do_action(bench, path[k]);
            assert_true(k + 1 == count || own_losses(bench, seat) == 0);
        }
        bool hit = false;
        for (uint32_t k = 0; k < bench->events.count; k++) {
            const MashEvent *event = &bench->events.list[k];
            hit |= event->unit == unit || event->other == unit;
        }
        assert_true(hit);
        bench->attacks++;
        bench->walked_attacks += count > 1;
    }
}

/* Looks at all units of the seat in a position. */
static void check_position(void *owner, uint8_t seat, MashChance *chooser) {
    Bench *bench = owner;
    (void)chooser;
    const MashGame *game = bench->content->game;
    memcpy(bench->view, bench->state, bench->content->limits.state_bytes);
    game->hide(bench->content, bench->view, seat);
    for (uint32_t unit = 0; unit < bench->content->limits.units; unit++) {
        MashToken token = token_of(bench, bench->view, (uint8_t)unit);
        bool there = token.place == MASH_ON_BOARD && token.seat == seat;
        if (!there)
            continue;
        assert_true(walk_search(&bench->walk, bench->content, bench->view, seat, (uint8_t)unit,
                                bench->memory));
        go_everywhere(bench);
        uint32_t count = game->actions(bench->content, bench->view, seat, bench->list);
        no_step_is_missing(bench, count);
        if (memcmp(bench->view, bench->state, bench->content->limits.state_bytes) == 0)
            hit_enemies(bench);
    }
}

static void every_path_can_be_gone(void **unused) {
    (void)unused;
    uint32_t by_chance = 0, longest = 0, walked_attacks = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashContent *content = support_content(mash_games[i], NULL);
        Bench bench = bench_open(content);
        support_positions(content, POSITIONS, 8, bench.state, check_position, &bench);
        print_message("%s: %u paths (%u by chance), longest %u, %u attacks, %u after steps\n",
                      mash_games[i]->id, bench.paths, bench.by_chance, bench.longest, bench.attacks,
                      bench.walked_attacks);
        assert_true(bench.paths > 0);
        longest = bench.longest > longest ? bench.longest : longest;
        walked_attacks += bench.walked_attacks;
        by_chance += bench.by_chance;
        bench_close(&bench);
        support_free(content);
    }
    assert_true(longest >= 4);
    assert_true(walked_attacks > 0);
    assert_true(by_chance > 0);
}

static void who_is_not_on_the_board_goes_nowhere(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("battleground"), NULL);
    Bench bench = bench_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, bench.state), MASH_OK);
    assert_false(walk_search(&bench.walk, content, bench.state, 0, 0, bench.memory));
    bench_close(&bench);
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
    if (corridor->x == 2)
        events->list[events->count++] = (MashEvent){.kind = MASH_EVENT_HURT, .amount = 1};
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
                                             .events_max = 1,
                                             .tokens_max = 1,
                                             .meters_max = 1,
                                             .width = 5,
                                             .height = 1,
                                             .units = 1}};
    Bench bench = bench_open(&content);
    assert_true(walk_search(&bench.walk, &content, bench.state, 0, 0, bench.memory));
    assert_int_equal(bench.walk.nodes_count, 3);
    assert_false(walk_node(&bench.walk, 1, 0)->last);
    assert_int_equal(walk_node(&bench.walk, 2, 0)->loss, 1);
    assert_true(walk_node(&bench.walk, 2, 0)->last);
    assert_null(walk_node(&bench.walk, 3, 0));
    bench_close(&bench);
}

/* Where nothing is in the way, a unit goes straight: every cell of the row, column or diagonal. */
static void of_equal_ways_the_straight_one(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), NULL);
    Bench bench = bench_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, bench.state), MASH_OK);
    uint8_t seat = (content->game->awaited(content, bench.state) & 1) != 0 ? 0 : 1;
    uint32_t straight = 0, all = 0;
    for (uint32_t unit = 0; unit < content->limits.units; unit++) {
        MashToken token = token_of(&bench, bench.state, (uint8_t)unit);
        if (token.seat != seat || token.place != MASH_ON_BOARD ||
            !walk_search(&bench.walk, content, bench.state, seat, (uint8_t)unit, bench.memory))
            continue;
        for (uint32_t i = 1; i < bench.walk.nodes_count; i++) {
            const WalkNode *end = &bench.walk.nodes[i], *node = end;
            int dx = end->x - token.x, dy = end->y - token.y, far = end->steps;
            bool line = (dx == 0 || abs(dx) == far) && (dy == 0 || abs(dy) == far) && far > 1;
            if (!line || end->loss > 0)
                continue;
            bool free = true, on = true;
            for (int k = 1; k < far; k++) {
                const WalkNode *between = walk_node(&bench.walk, (uint32_t)(token.x + dx * k / far),
                                                    (uint32_t)(token.y + dy * k / far));
                free = free && between != NULL && between->steps == k && !between->last;
            }
            for (; node->steps > 0; node = &bench.walk.nodes[node->from])
                on = on && (node->x - token.x) * far == dx * node->steps &&
                     (node->y - token.y) * far == dy * node->steps;
            all += free;
            straight += free && on;
        }
    }
    assert_true(all > 0);
    assert_int_equal(straight, all);
    bench_close(&bench);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_can_be_gone),
        cmocka_unit_test(who_is_not_on_the_board_goes_nowhere),
        cmocka_unit_test(a_way_ends_at_the_first_loss),
        cmocka_unit_test(of_equal_ways_the_straight_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
