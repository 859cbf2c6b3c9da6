/* test_preview.c -- previews tell what the engine does: on a thousand positions of each game the
 * health and the falls that are told are compared with those of actions really applied. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/board.h"
#include "engine/events.h"
#include "match/preview.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { POSITIONS = 1000, ACTIONS_EACH = 3, SAMPLES = 16, REAL_TRIES = 4 };

/* One unit as the test reads it off a state by itself. */
typedef struct Body {
    bool has_health, plays, gone;
    int32_t health;
} Body;

/* What the test works with, and what it has seen. */
typedef struct Bench {
    const MashContent *content;
    void *state, *view, *trial, *memory, *board_memory;
    MashAction *list;
    MashEvents events;
    Preview told;
    uint32_t actions, certain, counted, sampled, losses, falls, both;
} Bench;

static Bench bench_open(const MashContent *content) {
    Bench bench = {.content = content,
                   .state = support_state(content),
                   .view = support_state(content),
                   .trial = support_state(content),
                   .memory = support_memory(preview_bytes(content)),
                   .board_memory = support_memory(mash_board_bytes(content)),
                   .list = support_memory(content->limits.actions_max * sizeof(MashAction))};
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

/* Reads all units off a state. */
static void read_bodies(Bench *bench, const void *state, Body bodies[256]) {
    MashBoard board = mash_board_over(bench->content, bench->board_memory);
    bench->content->game->show(bench->content, state, &board);
    memset(bodies, 0, 256 * sizeof *bodies);
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        const MashToken *token = &board.tokens[i];
        bodies[token->unit].gone = token->place == MASH_GONE;
        bodies[token->unit].plays = token->place == MASH_ON_BOARD && token->seat < MASH_SEATS;
    }
    for (uint32_t i = 0; i < board.meters_count; i++)
        if (board.meters[i].role == MASH_ROLE_HEALTH) {
            Body *body = &bodies[board.meters[i].unit];
            body->has_health = true;
            body->health = board.meters[i].now;
        }
}

/* Is the unit out, as the state itself shows it? */
static bool is_out(const Body *body) {
    return body->gone || (body->has_health && body->health == 0);
}

/* Did it leave the board without being defeated? */
static bool left(const MashEvents *events, uint32_t unit) {
    for (uint32_t i = 0; i < events->count; i++)
        if (events->list[i].kind == MASH_EVENT_VANISHED && events->list[i].unit == unit)
            return true;
    return false;
}

/* Applies the action to a copy of `from`. */
static void try_action(Bench *bench, const void *from, MashAction action, MashChance *chance) {
    memcpy(bench->trial, from, bench->content->limits.state_bytes);
    bench->events.count = 0;
    bench->content->game->apply_listed(bench->content, bench->trial, action, chance,
                                       &bench->events);
}

static const PreviewUnit *told_of(const Preview *told, uint32_t unit) {
    for (uint32_t i = 0; i < told->units_count; i++)
        if (told->units[i].unit == unit)
            return &told->units[i];
    return NULL;
}

/* What really happens with the state's own chance is among what was told; all of it, if that was
 * certain. */
static void check_real(Bench *bench, MashAction action, uint64_t number) {
    Body before[256], after[256];
    MashChance chance = chance_sampled(number);
    read_bodies(bench, bench->state, before);
    try_action(bench, bench->state, action, &chance);
    read_bodies(bench, bench->trial, after);
    for (uint32_t unit = 0; unit < bench->content->limits.units; unit++) {
        const PreviewUnit *told = told_of(&bench->told, unit);
        int32_t health = after[unit].has_health ? after[unit].health : 0;
        bool fell = is_out(&after[unit]) && before[unit].plays && !is_out(&before[unit]) &&
                    !left(&bench->events, unit);
        if (told == NULL) {
            assert_false(fell);
            assert_true(!before[unit].has_health || health == before[unit].health);
            continue;
        }
        assert_int_equal(told->has_health, before[unit].has_health);
        if (told->has_health) {
            assert_int_equal(told->before, before[unit].health);
            assert_true(told->least <= health && health <= told->most);
        }
        assert_true(told->dies != 0 || !fell);
        assert_true(told->dies != PREVIEW_CERTAIN || is_out(&after[unit]));
        if (bench->told.outcomes == 1)
            assert_true(told->least == told->most && told->dies % PREVIEW_CERTAIN == 0);
    }
}

/* The probabilities again, summed in another way: floating point, outcome by outcome. */
static void check_outcomes(Bench *bench, MashAction action) {
    MashWheel wheels[PREVIEW_DRAWS_MAX];
    MashChance all = chance_enumerated(wheels, PREVIEW_DRAWS_MAX);
    double mean[256] = {0}, dies[256] = {0}, wins = 0, loses = 0, whole = 0;
    int32_t least[256], most[256] = {0};
    uint32_t outcomes = 0;
    const MashGame *game = bench->content->game;
    for (bool more = true; more; outcomes++) {
        MashChance one = chance_sampled(1218 + outcomes);
        memcpy(bench->trial, bench->view, bench->content->limits.state_bytes);
        double share = 1;
        if (bench->told.sampled && game->guess != NULL)
            game->guess(bench->content, bench->trial, action.seat, &one);
        bench->events.count = 0;
        game->apply_listed(bench->content, bench->trial, action, bench->told.sampled ? &one : &all,
                           &bench->events);
        for (uint32_t i = 0; !bench->told.sampled && i < all.used; i++)
            share /= wheels[i].values;
        more = bench->told.sampled ? outcomes + 1 < SAMPLES : chance_next(&all);
        Body after[256];
        read_bodies(bench, bench->trial, after);
        bool fell[256] = {false};
        for (uint32_t i = 0; i < bench->events.count; i++) {
            const MashEvent *event = &bench->events.list[i];
            if (event->kind == MASH_EVENT_DIED || event->kind == MASH_EVENT_REVIVED)
                fell[event->unit] = event->kind == MASH_EVENT_DIED;
        }
        for (uint32_t unit = 0; unit < 256; unit++) {
            int32_t health = after[unit].has_health ? after[unit].health : 0;
            least[unit] = outcomes == 0 || health < least[unit] ? health : least[unit];
            most[unit] = health > most[unit] ? health : most[unit];
            mean[unit] += share * health;
            dies[unit] += share * fell[unit];
        }
        MashResult result = game->result(bench->content, bench->trial);
        wins += share * (result.over && result.winner == action.seat);
        loses += share * (result.over && result.winner == 1 - action.seat);
        whole += share;
    }
    assert_int_equal(outcomes, bench->told.outcomes);
    assert_true(fabs(wins / whole * 1000 - bench->told.wins) <= 1);
    assert_true(fabs(loses / whole * 1000 - bench->told.loses) <= 1);
    for (uint32_t i = 0; i < bench->told.units_count; i++) {
        const PreviewUnit *told = &bench->told.units[i];
        assert_true(fabs(dies[told->unit] / whole * 1000 - told->dies) <= 1);
        assert_true(!told->has_health || fabs(mean[told->unit] / whole - told->mean) <= 0.51);
        assert_true(!told->has_health || (told->least <= told->mean && told->mean <= told->most));
        if (told->has_health) {
            assert_int_equal(told->least, least[told->unit]);
            assert_int_equal(told->most, most[told->unit]);
        }
    }
}

/* Samples are looked at only where something is hidden, or where chance has too many outcomes. */
static void check_sampled(Bench *bench, MashAction action) {
    MashWheel wheels[PREVIEW_DRAWS_MAX];
    MashChance guessed = chance_sampled(7), all = chance_enumerated(wheels, PREVIEW_DRAWS_MAX);
    const MashGame *game = bench->content->game;
    memcpy(bench->trial, bench->view, bench->content->limits.state_bytes);
    if (game->guess != NULL)
        game->guess(bench->content, bench->trial, action.seat, &guessed);
    bool hidden = memcmp(bench->trial, bench->view, bench->content->limits.state_bytes) != 0;
    if (hidden || !bench->told.sampled) {
        assert_true(bench->told.sampled || !hidden);
        return;
    }
    uint32_t outcomes = 0;
    do
        try_action(bench, bench->view, action, &all);
    while (!all.failed && outcomes++ < PREVIEW_OUTCOMES_MAX && chance_next(&all));
    assert_true(all.failed || outcomes > PREVIEW_OUTCOMES_MAX);
}

/* Counts what there was to see. */
static void count_seen(Bench *bench, MashAction action) {
    Preview *told = &bench->told;
    bool own = false, enemy = false;
    for (uint32_t i = 0; i < told->units_count; i++) {
        bench->losses += told->units[i].least < told->units[i].before;
        bench->falls += told->units[i].dies > 0;
        for (uint32_t k = 0; k < told->was.tokens_count; k++)
            if (told->was.tokens[k].unit == told->units[i].unit &&
                (told->units[i].least < told->units[i].before || told->units[i].dies > 0))
                *(told->was.tokens[k].seat == action.seat ? &own : &enemy) = true;
    }
    bench->both += own && enemy;
    bench->actions++;
    bench->certain += told->outcomes == 1 && !told->sampled;
    bench->counted += told->outcomes > 1 && !told->sampled;
    bench->sampled += told->sampled;
}

/* Looks at some actions of the position. */
static void check_position(void *owner, uint8_t seat, MashChance *chooser) {
    Bench *bench = owner;
    const MashGame *game = bench->content->game;
    memcpy(bench->view, bench->state, bench->content->limits.state_bytes);
    game->hide(bench->content, bench->view, seat);
    uint32_t count = game->actions(bench->content, bench->view, seat, bench->list);
    for (uint32_t i = 0; i < ACTIONS_EACH; i++) {
        MashAction action = bench->list[chance_below(chooser, count)];
        assert_int_equal(preview_action(bench->content, bench->view, action, SAMPLES, bench->memory,
                                        &bench->told),
                         MASH_OK);
        count_seen(bench, action);
        check_outcomes(bench, action);
        check_sampled(bench, action);
        for (uint64_t k = 0; k < REAL_TRIES && !bench->told.sampled; k++)
            check_real(bench, action, 99 * bench->actions + k);
    }
}

static void previews_are_what_the_engine_does(void **unused) {
    (void)unused;
    uint32_t counted = 0, both = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashContent *content = support_content(mash_games[i], NULL);
        Bench bench = bench_open(content);
        support_positions(content, POSITIONS, 4, bench.state, check_position, &bench);
        print_message("%s: %u actions, %u certain, %u counted, %u sampled; %u losses, %u falls, "
                      "%u on both sides\n",
                      mash_games[i]->id, bench.actions, bench.certain, bench.counted, bench.sampled,
                      bench.losses, bench.falls, bench.both);
        assert_true(bench.losses + bench.falls > 0);
        counted += bench.counted;
        both += bench.both;
        bench_close(&bench);
        support_free(content);
    }
    assert_true(counted > 0); /* chance was enumerated somewhere */
    assert_true(both > 0);    /* and both sides lost in one action */
}

static void what_is_not_legal_has_no_preview(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), NULL);
    Bench bench = bench_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, bench.state), MASH_OK);
    MashAction nonsense = {.verb = 77, .seat = 0};
    assert_int_not_equal(
        preview_action(content, bench.state, nonsense, SAMPLES, bench.memory, &bench.told),
        MASH_OK);
    bench_close(&bench);
    support_free(content);
}

/* A game of one unit with 9 health, which its one action leaves with 5, 2 or 3. It is hurt in any
 * case, says something unless it keeps 3, and falls silent if it keeps 5. */
static MashStatus one_check(const MashContent *content, const void *state, MashAction action) {
    (void)content, (void)state, (void)action;
    return MASH_OK;
}
static void one_apply(const MashContent *content, void *state, MashAction action,
                      MashChance *chance, MashEvents *events) {
    static const uint8_t left[] = {5, 2, 3};
    (void)content, (void)action;
    uint8_t health = *(uint8_t *)state = left[chance_below(chance, 3)];
    MashEvent hurt = event_new(MASH_EVENT_HURT, 0, MASH_UNIT_NONE);
    hurt.amount = 9 - health;
    event_add(events, hurt);
    if (health != 3)
        event_add(events, event_new(MASH_EVENT_SPOKE, 0, MASH_UNIT_NONE));
    if (health == 5)
        event_add(events, event_new(MASH_EVENT_EFFECT_ENDED, 0, MASH_UNIT_NONE));
}
static void one_show(const MashContent *content, const void *state, MashBoard *board) {
    (void)content;
    board_clear(board);
    board->meters[board->meters_count++] =
        (MashMeter){.unit = 0, .role = MASH_ROLE_HEALTH, .now = *(const uint8_t *)state};
}
static MashResult one_result(const MashContent *content, const void *state) {
    (void)content, (void)state;
    return (MashResult){.winner = MASH_SEAT_NONE};
}

/* The bounds are those of all outcomes, whichever comes first. */
static void the_best_outcome_may_be_the_first(void **unused) {
    (void)unused;
    static const MashGame game = {
        .check = one_check, .apply_listed = one_apply, .show = one_show, .result = one_result};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = 16,
                                             .core_bytes = 16,
                                             .actions_max = 1,
                                             .events_max = 3,
                                             .tokens_max = 1,
                                             .meters_max = 1,
                                             .width = 1,
                                             .height = 1,
                                             .units = 1}};
    Bench bench = bench_open(&content);
    *(uint8_t *)bench.state = 9;
    assert_int_equal(
        preview_action(&content, bench.state, (MashAction){0}, SAMPLES, bench.memory, &bench.told),
        MASH_OK);
    assert_true(bench.told.outcomes == 3 && !bench.told.sampled && bench.told.units_count == 1);
    const PreviewUnit *unit = &bench.told.units[0];
    assert_int_equal(unit->before, 9);
    assert_int_equal(unit->least, 2);
    assert_int_equal(unit->most, 5);
    assert_int_equal(unit->mean, 3);
    /* Of the first outcome's events: hurt in all three, whatever the amount; two; only in it. */
    assert_int_equal(bench.told.events.count, 3);
    assert_int_equal(bench.told.happens[0], PREVIEW_CERTAIN);
    assert_int_equal(bench.told.happens[1], 667);
    assert_int_equal(bench.told.happens[2], 333);
    bench_close(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(previews_are_what_the_engine_does),
        cmocka_unit_test(what_is_not_legal_has_no_preview),
        cmocka_unit_test(the_best_outcome_may_be_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
