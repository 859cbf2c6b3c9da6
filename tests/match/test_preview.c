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
#include "match/preview_write.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { POSITIONS = 1000, ACTIONS_EACH = 3, SAMPLES = 16, REAL_TRIES = 4 };

/* One unit as the test reads it off a state by itself. */
typedef struct Body {
    bool has_health, plays, gone;
    int32_t health;
} Body;

/* What the test works with, and what it has seen. */
typedef struct PreviewFixture {
    const MashContent *content;
    void *state, *view, *trial, *memory, *board_memory;
    MashAction *list;
    MashEvents events;
    Preview told;
    uint32_t actions, certain, counted, sampled, losses, falls, both;
} PreviewFixture;

static PreviewFixture fixture_open(const MashContent *content) {
    PreviewFixture fixture = {.content = content,
                              .state = support_state(content),
                              .view = support_state(content),
                              .trial = support_state(content),
                              .memory = support_memory(preview_bytes(content)),
                              .board_memory = support_memory(mash_board_bytes(content)),
                              .list =
                                  support_memory(content->limits.actions_max * sizeof(MashAction))};
    fixture.events = (MashEvents){support_memory(content->limits.events_max * sizeof(MashEvent)), 0,
                                  content->limits.events_max};
    return fixture;
}

static void fixture_close(PreviewFixture *fixture) {
    void *all[] = {fixture->state,        fixture->view, fixture->trial,      fixture->memory,
                   fixture->board_memory, fixture->list, fixture->events.list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* Reads all units off a state. */
static void read_bodies(PreviewFixture *fixture, const void *state, Body bodies[256]) {
    MashBoard board = mash_board_over(fixture->content, fixture->board_memory);
    fixture->content->game->show(fixture->content, state, &board);
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
static void try_action(PreviewFixture *fixture, const void *from, MashAction action,
                       MashChance *chance) {
    memcpy(fixture->trial, from, fixture->content->limits.state_bytes);
    fixture->events.count = 0;
    fixture->content->game->apply_listed(fixture->content, fixture->trial, action, chance,
                                         &fixture->events);
}

static const PreviewUnit *told_of(const Preview *told, uint32_t unit) {
    for (uint32_t i = 0; i < told->units_count; i++)
        if (told->units[i].unit == unit)
            return &told->units[i];
    return NULL;
}

/* What really happens with the state's own chance is among what was told; all of it, if that was
 * certain. */
static void check_real(PreviewFixture *fixture, MashAction action, uint64_t number) {
    Body before[256], after[256];
    MashChance chance = chance_sampled(number);
    read_bodies(fixture, fixture->state, before);
    try_action(fixture, fixture->state, action, &chance);
    read_bodies(fixture, fixture->trial, after);
    for (uint32_t unit = 0; unit < fixture->content->limits.units; unit++) {
        const PreviewUnit *told = told_of(&fixture->told, unit);
        int32_t health = after[unit].has_health ? after[unit].health : 0;
        bool fell = is_out(&after[unit]) && before[unit].plays && !is_out(&before[unit]) &&
                    !left(&fixture->events, unit);
        if (told == NULL) {
            assert_false(fell);
            assert_true(!before[unit].has_health || health == before[unit].health);
            continue;
        }
        assert_int_equal(told->has_health, before[unit].has_health);
        if (told->has_health) {
            assert_int_equal(told->before, before[unit].health);
            assert_true(told->least <= health && health <= told->most);
        } else {
            assert_true(told->before == 0 && told->least == 0 && told->most == 0 &&
                        told->mean == 0);
        }
        assert_true(told->dies != 0 || !fell);
        assert_true(told->dies != PREVIEW_CERTAIN || is_out(&after[unit]));
        if (fixture->told.outcomes == 1)
            assert_true(told->least == told->most && told->dies % PREVIEW_CERTAIN == 0);
    }
}

/* The probabilities again, summed in another way: floating point, outcome by outcome. */
static void check_outcomes(PreviewFixture *fixture, MashAction action) {
    MashWheel wheels[PREVIEW_DRAWS_MAX];
    MashChance all = chance_enumerated(wheels, PREVIEW_DRAWS_MAX);
    double mean[256] = {0}, dies[256] = {0}, wins = 0, loses = 0, whole = 0;
    int32_t least[256], most[256] = {0};
    uint32_t outcomes = 0;
    const MashGame *game = fixture->content->game;
    for (bool more = true; more; outcomes++) {
        MashChance one = chance_sampled(1218 + outcomes);
        memcpy(fixture->trial, fixture->view, fixture->content->limits.state_bytes);
        double share = 1;
        if (fixture->told.sampled && game->guess != NULL)
            game->guess(fixture->content, fixture->trial, action.seat, &one);
        fixture->events.count = 0;
        game->apply_listed(fixture->content, fixture->trial, action,
                           fixture->told.sampled ? &one : &all, &fixture->events);
        for (uint32_t i = 0; !fixture->told.sampled && i < all.used; i++)
            share /= wheels[i].values;
        more = fixture->told.sampled ? outcomes + 1 < SAMPLES : chance_next(&all);
        Body after[256];
        read_bodies(fixture, fixture->trial, after);
        bool fell[256] = {false};
        for (uint32_t i = 0; i < fixture->events.count; i++) {
            const MashEvent *event = &fixture->events.list[i];
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
        MashResult result = game->result(fixture->content, fixture->trial);
        wins += share * (result.over && result.winner == action.seat);
        loses += share * (result.over && result.winner == 1 - action.seat);
        whole += share;
    }
    assert_int_equal(outcomes, fixture->told.outcomes);
    assert_true(fabs(wins / whole * 1000 - fixture->told.wins) <= 1);
    assert_true(fabs(loses / whole * 1000 - fixture->told.loses) <= 1);
    for (uint32_t i = 0; i < fixture->told.units_count; i++) {
        const PreviewUnit *told = &fixture->told.units[i];
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
static void check_sampled(PreviewFixture *fixture, MashAction action) {
    MashWheel wheels[PREVIEW_DRAWS_MAX];
    MashChance guessed = chance_sampled(7), all = chance_enumerated(wheels, PREVIEW_DRAWS_MAX);
    const MashGame *game = fixture->content->game;
    memcpy(fixture->trial, fixture->view, fixture->content->limits.state_bytes);
    if (game->guess != NULL)
        game->guess(fixture->content, fixture->trial, action.seat, &guessed);
    bool hidden = memcmp(fixture->trial, fixture->view, fixture->content->limits.state_bytes) != 0;
    if (hidden || !fixture->told.sampled) {
        assert_true(fixture->told.sampled || !hidden);
        return;
    }
    uint32_t outcomes = 0;
    do
        try_action(fixture, fixture->view, action, &all);
    while (!all.failed && outcomes++ < PREVIEW_OUTCOMES_MAX && chance_next(&all));
    assert_true(all.failed || outcomes > PREVIEW_OUTCOMES_MAX);
}

/* Counts what there was to see. */
static void count_seen(PreviewFixture *fixture, MashAction action) {
    Preview *told = &fixture->told;
    bool own = false, enemy = false;
    for (uint32_t i = 0; i < told->units_count; i++) {
        fixture->losses += told->units[i].least < told->units[i].before;
        fixture->falls += told->units[i].dies > 0;
        for (uint32_t k = 0; k < told->was.tokens_count; k++)
            if (told->was.tokens[k].unit == told->units[i].unit &&
                (told->units[i].least < told->units[i].before || told->units[i].dies > 0))
                *(told->was.tokens[k].seat == action.seat ? &own : &enemy) = true;
    }
    fixture->both += own && enemy;
    fixture->actions++;
    fixture->certain += told->outcomes == 1 && !told->sampled;
    fixture->counted += told->outcomes > 1 && !told->sampled;
    fixture->sampled += told->sampled;
}

/* The board before the action is the view's, untouched by whatever was counted. */
static void check_was(PreviewFixture *fixture) {
    const MashLimits *limits = &fixture->content->limits;
    MashBoard board = mash_board_over(fixture->content, fixture->board_memory);
    fixture->content->game->show(fixture->content, fixture->view, &board);
    assert_memory_equal(fixture->told.was.ground, board.ground,
                        (size_t)limits->width * limits->height);
}

/* Looks at some actions of the position. */
static void check_position(void *owner, uint8_t seat, MashChance *chooser) {
    PreviewFixture *fixture = owner;
    const MashGame *game = fixture->content->game;
    memcpy(fixture->view, fixture->state, fixture->content->limits.state_bytes);
    game->hide(fixture->content, fixture->view, seat);
    uint32_t count = game->actions(fixture->content, fixture->view, seat, fixture->list);
    for (uint32_t i = 0; i < ACTIONS_EACH; i++) {
        MashAction action = fixture->list[chance_below(chooser, count)];
        assert_int_equal(preview_action(fixture->content, fixture->view, action, SAMPLES,
                                        fixture->memory, &fixture->told),
                         MASH_OK);
        count_seen(fixture, action);
        check_was(fixture);
        check_outcomes(fixture, action);
        check_sampled(fixture, action);
        for (uint64_t k = 0; k < REAL_TRIES && !fixture->told.sampled; k++)
            check_real(fixture, action, 99 * fixture->actions + k);
    }
}

static void previews_are_what_the_engine_does(void **unused) {
    (void)unused;
    uint32_t counted = 0, both = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashContent *content = support_content(mash_games[i], NULL);
        PreviewFixture fixture = fixture_open(content);
        support_positions(content, POSITIONS, 4, fixture.state, check_position, &fixture);
        print_message("%s: %u actions, %u certain, %u counted, %u sampled; %u losses, %u falls, "
                      "%u on both sides\n",
                      mash_games[i]->id, fixture.actions, fixture.certain, fixture.counted,
                      fixture.sampled, fixture.losses, fixture.falls, fixture.both);
        assert_true(fixture.losses + fixture.falls > 0);
        counted += fixture.counted;
        both += fixture.both;
        fixture_close(&fixture);
        support_free(content);
    }
    assert_true(counted > 0); /* chance was enumerated somewhere */
    assert_true(both > 0);    /* and both sides lost in one action */
}

static void what_is_not_legal_has_no_preview(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), NULL);
    PreviewFixture fixture = fixture_open(content);
    MashChance chance = chance_sampled(1);
    MashSetup usual = {NULL, 0};
    assert_int_equal(content->game->setup(content, &usual, &chance, fixture.state), MASH_OK);
    MashAction nonsense = {.verb = 77, .seat = 0};
    assert_int_not_equal(
        preview_action(content, fixture.state, nonsense, SAMPLES, fixture.memory, &fixture.told),
        MASH_OK);
    fixture_close(&fixture);
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
    PreviewFixture fixture = fixture_open(&content);
    *(uint8_t *)fixture.state = 9;
    assert_int_equal(preview_action(&content, fixture.state, (MashAction){0}, SAMPLES,
                                    fixture.memory, &fixture.told),
                     MASH_OK);
    assert_true(fixture.told.outcomes == 3 && !fixture.told.sampled &&
                fixture.told.units_count == 1);
    const PreviewUnit *unit = &fixture.told.units[0];
    assert_int_equal(unit->before, 9);
    assert_int_equal(unit->least, 2);
    assert_int_equal(unit->most, 5);
    assert_int_equal(unit->mean, 3);
    /* Of the first outcome's events: hurt in all three, whatever the amount; two; only in it. */
    assert_int_equal(fixture.told.events.count, 3);
    assert_int_equal(fixture.told.happens[0], PREVIEW_CERTAIN);
    assert_int_equal(fixture.told.happens[1], 667);
    assert_int_equal(fixture.told.happens[2], 333);
    fixture_close(&fixture);
}

/* The same unit is left with 7 health, or with none and without a meter. */
static void gone_apply(const MashContent *content, void *state, MashAction action,
                       MashChance *chance, MashEvents *events) {
    (void)content, (void)action, (void)events;
    *(uint8_t *)state = chance_below(chance, 2) == 0 ? 7 : 0;
}
static void gone_show(const MashContent *content, const void *state, MashBoard *board) {
    if (*(const uint8_t *)state > 0)
        one_show(content, state, board);
    else
        board_clear(board);
}

/* A unit that shows no health any more has none left, whatever the outcome before showed. */
static void a_meter_that_is_gone_counts_as_none_left(void **unused) {
    (void)unused;
    static const MashGame game = {
        .check = one_check, .apply_listed = gone_apply, .show = gone_show, .result = one_result};
    static MashContent content = {.game = &game,
                                  .limits = {.state_bytes = 16,
                                             .core_bytes = 16,
                                             .actions_max = 1,
                                             .events_max = 1,
                                             .tokens_max = 1,
                                             .meters_max = 1,
                                             .width = 1,
                                             .height = 1,
                                             .units = 1}};
    PreviewFixture fixture = fixture_open(&content);
    *(uint8_t *)fixture.state = 9;
    assert_int_equal(preview_action(&content, fixture.state, (MashAction){0}, SAMPLES,
                                    fixture.memory, &fixture.told),
                     MASH_OK);
    assert_true(fixture.told.outcomes == 2 && fixture.told.units_count == 1);
    assert_int_equal(fixture.told.units[0].least, 0);
    assert_int_equal(fixture.told.units[0].most, 7);
    assert_int_equal(fixture.told.units[0].mean, 4);
    fixture_close(&fixture);
}

/* The preview of a step of the first unit to this column, in Zorde from this start, is written
 * so. */
static void writes(int8_t x, const char *start, const char *expected) {
    MashDocument document = {"drawn.start.json", start, (uint32_t)strlen(start)};
    MashContent *content = support_content_with(mash_game_find("zorde"), NULL, document);
    PreviewFixture fixture = fixture_open(content);
    MashChance chance = chance_scripted(NULL, 0);
    char memory[4096];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    MashAction action = {.verb = 1, .seat = 0, .unit = 0, .x = x};
    assert_int_equal(content->game->setup(content, NULL, &chance, fixture.state), MASH_OK);
    assert_int_equal(
        preview_action(content, fixture.state, action, SAMPLES, fixture.memory, &fixture.told),
        MASH_OK);
    preview_write(&fixture.told, &(PreviewWords){.content = content}, action, &writer);
    assert_string_equal(memory, expected);
    fixture_close(&fixture);
    support_free(content);
}

/* Probabilities are in thousandths; events, losses and what changes for the own side. */
static void previews_are_written(void **unused) {
    (void)unused;
    writes(1,
           "{\"width\": 8, \"height\": 1, \"units\": ["
           "{\"kind\": \"dwarf\", \"id\": \"D0\", \"x\": 0, \"y\": 0}, "
           "{\"kind\": \"goblin\", \"id\": \"G0\", \"x\": 2, \"y\": 0}]}",
           "{\"sampled\":false,\"outcomes\":1,\"wins\":0,\"loses\":0,\"events\":["
           "{\"kind\":\"moved\",\"unit\":0,\"other\":255,\"from\":[0,0],\"at\":[1,0],\"amount\":0,"
           "\"what\":0,"
           "\"text\":\"Dwarf D0 moves from 0,0 to 1,0.\",\"happens\":1000},"
           "{\"kind\":\"attacked\",\"unit\":0,\"other\":1,\"from\":[1,0],\"at\":[2,0],\"amount\":0,"
           "\"what\":0,"
           "\"what_id\":\"attack\",\"text\":\"Dwarf D0 hits Goblin G0 at 2,0 "
           "(attack).\",\"happens\":1000},"
           "{\"kind\":\"hurt\",\"unit\":1,\"other\":0,\"from\":[0,0],\"at\":[2,0],\"amount\":20,"
           "\"what\":0,"
           "\"text\":\"Goblin G0 loses 20 health.\",\"happens\":1000}],"
           "\"units\":[{\"unit\":1,\"before\":80,\"least\":60,\"most\":60,\"mean\":60,\"dies\":0}],"
           "\"changes\":[{\"unit\":0,\"name\":\"steps\",\"id\":\"steps\",\"role\":\"points\","
           "\"index\":0,"
           "\"least\":-1,\"most\":-1}]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(previews_are_what_the_engine_does),
        cmocka_unit_test(what_is_not_legal_has_no_preview),
        cmocka_unit_test(the_best_outcome_may_be_the_first),
        cmocka_unit_test(a_meter_that_is_gone_counts_as_none_left),
        cmocka_unit_test(previews_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
