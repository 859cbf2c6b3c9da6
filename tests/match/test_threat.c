/* test_threat.c -- no unit is ever hit on a cell that was shown as safe, nor harder than shown:
 * random turns of each game, looked at by the side that is not to act.
 *
 * The map is that of the last decision before the enemy's turn, or one made in the midst of it.
 * MASH_TURNS turns of each game are played, 400 unless it says otherwise; `make test-full` plays
 * 10,000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/board.h"
#include "engine/events.h"
#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "match/threat.h"
#include "tests/support/support.h"

enum { TURNS_USUAL = 400, GAME_SEED = 47, UNITS = 256 };

/* What the test works with, and what it has seen. */
typedef struct ThreatFixture {
    const MashContent *content;
    void *state, *view, *memory, *board_memory;
    MashAction *list;
    MashEvents events;
    int32_t *most;         /* of the last decision of `viewer` */
    uint8_t viewer;        /* MASH_SEAT_NONE: there is no map */
    uint8_t owners[UNITS]; /* then */
    int32_t lost[UNITS];   /* in the enemy's turn so far */
    uint32_t turns, hits, safe_cells, cells, unknown, maps, flat;
} ThreatFixture;

static ThreatFixture fixture_open(const MashContent *content) {
    ThreatFixture fixture = {.content = content,
                             .state = support_state(content),
                             .view = support_state(content),
                             .memory = support_memory(threat_bytes(content)),
                             .board_memory = support_memory(mash_board_bytes(content)),
                             .list =
                                 support_memory(content->limits.actions_max * sizeof(MashAction)),
                             .viewer = MASH_SEAT_NONE};
    size_t cells = (size_t)content->limits.width * content->limits.height;
    fixture.most = support_memory(cells * sizeof *fixture.most);
    fixture.events = (MashEvents){support_memory(content->limits.events_max * sizeof(MashEvent)), 0,
                                  content->limits.events_max};
    return fixture;
}

static void fixture_close(ThreatFixture *fixture) {
    void *all[] = {fixture->state, fixture->view,        fixture->memory, fixture->board_memory,
                   fixture->list,  fixture->events.list, fixture->most};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        support_free(all[i]);
}

/* Makes the map of a seat that is about to decide. */
static void look(ThreatFixture *fixture, uint8_t seat) {
    const MashContent *content = fixture->content;
    memcpy(fixture->view, fixture->state, content->limits.state_bytes);
    content->game->hide(content, fixture->view, seat);
    MashBoard board = mash_board_over(content, fixture->board_memory);
    content->game->show(content, fixture->view, &board);
    memset(fixture->owners, MASH_SEAT_NONE, sizeof fixture->owners);
    memset(fixture->lost, 0, sizeof fixture->lost);
    bool placed = false;
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        fixture->owners[board.tokens[i].unit] = board.tokens[i].seat;
        placed |= board.tokens[i].place == MASH_ON_BOARD;
    }
    fixture->viewer = placed ? seat : MASH_SEAT_NONE;
    if (!placed)
        return;
    bool known =
        threat_map(content, fixture->view, seat, MASH_UNIT_NONE, fixture->memory, fixture->most);
    uint32_t cells = (uint32_t)content->limits.width * content->limits.height;
    fixture->unknown += !known;
    fixture->cells += cells;
    for (uint32_t i = 0; i < cells; i++)
        fixture->safe_cells += fixture->most[i] == 0;
    uint32_t same = 1;
    while (same < cells && fixture->most[same] == fixture->most[0])
        same++;
    fixture->maps++;
    fixture->flat += same == cells && fixture->most[0] != 0;
}

/* Compares the hits of an action of the enemy with the map. */
static void check_hits(ThreatFixture *fixture) {
    for (uint32_t i = 0; i < fixture->events.count; i++) {
        const MashEvent *event = &fixture->events.list[i];
        bool hit =
            (event->kind == MASH_EVENT_HURT && event->amount > 0) || event->kind == MASH_EVENT_DIED;
        if (!hit || fixture->owners[event->unit] != fixture->viewer ||
            fixture->owners[event->other] != 1 - fixture->viewer)
            continue;
        int32_t most = fixture->most[event->y * fixture->content->limits.width + event->x];
        fixture->lost[event->unit] += event->kind == MASH_EVENT_HURT ? event->amount : 0;
        if (most == 0 || fixture->lost[event->unit] > most)
            fail_msg("%s: unit %u was hit at %d,%d, lost %d, at most %d was shown",
                     fixture->content->game->id, event->unit, event->x, event->y,
                     fixture->lost[event->unit], most);
        fixture->hits++;
    }
}

/* The number that changes with the turn. */
static uint32_t turn_of(const ThreatFixture *fixture, uint32_t otherwise) {
    const MashEvaluator *evaluator = fixture->content->game->evaluator;
    return evaluator == NULL || evaluator->turn_number == NULL
               ? otherwise
               : evaluator->turn_number(fixture->content, fixture->state);
}

/* Plays one match: each action of the viewer renews the map, the enemy's next turn is compared with
 * it. */
static void play(ThreatFixture *fixture, uint32_t match, uint32_t turns) {
    const MashContent *content = fixture->content;
    MashSeed seed = simulate_seed(GAME_SEED, match);
    MashChance chooser = simulate_action_chance(GAME_SEED, match);
    MashChance chance = chance_seeded(seed, 0);
    MashSetup usual = {NULL, 0};
    uint8_t viewer = match % MASH_SEATS;
    bool theirs = false;
    uint32_t turn = 0;
    assert_int_equal(content->game->setup(content, &usual, &chance, fixture->state), MASH_OK);
    fixture->viewer = MASH_SEAT_NONE;
    for (uint32_t ply = 1; fixture->turns < turns; ply++) {
        uint32_t awaited = content->game->awaited(content, fixture->state);
        if (awaited == 0)
            return;
        bool own = (awaited >> viewer & 1) != 0;
        bool again = !own && theirs && ply % 3 == 0; /* in the midst of the enemy's turn */
        if (own || again)
            look(fixture, viewer);
        if (again)
            turn = turn_of(fixture, ply);
        else if (!own && theirs && turn_of(fixture, ply) != turn)
            fixture->viewer = MASH_SEAT_NONE; /* its next turn is over: the map says no more */
        if (!own && fixture->viewer != MASH_SEAT_NONE && !theirs)
            turn = turn_of(fixture, ply), fixture->turns++;
        theirs = !own;
        MashAction action =
            simulate_random_action(content, fixture->state, &chooser, fixture->list);
        chance = chance_seeded(seed, ply);
        fixture->events.count = 0;
        content->game->apply_listed(content, fixture->state, action, &chance, &fixture->events);
        if (!own && fixture->viewer != MASH_SEAT_NONE)
            check_hits(fixture);
    }
}

/* So many turns of a preset of a game; how many of its cells are shown as safe, in percent. */
static uint32_t play_game(const MashGame *game, const char *preset, uint32_t turns) {
    MashContent *content = support_content(game, preset);
    ThreatFixture fixture = fixture_open(content);
    for (uint32_t match = 0; fixture.turns < turns; match++)
        play(&fixture, match, turns);
    uint32_t safe = (uint32_t)(100 * (uint64_t)fixture.safe_cells / fixture.cells);
    uint32_t flat = (uint32_t)(100 * (uint64_t)fixture.flat / fixture.maps);
    print_message("%s %s: %u turns, %u hits, %u %% of cells safe, %u %% of maps flat, "
                  "%u unknown\n",
                  game->id, preset == NULL ? "" : preset, fixture.turns, fixture.hits, safe, flat,
                  fixture.unknown);
    /* A game in which nobody is ever hit says so: every cell is safe. */
    if (preset == NULL && fixture.hits == 0 && fixture.safe_cells < fixture.cells)
        fail_msg("%s: nobody was hit in %u turns, so it needs a threat() that leaves every "
                 "cell at 0",
                 game->id, fixture.turns);
    if (preset == NULL && flat >= 50)
        fail_msg("%s: %u %% of its maps say that every cell may be hit; it needs a threat() of its "
                 "own",
                 game->id, flat);
    fixture_close(&fixture);
    support_free(content);
    return safe;
}

static void nobody_is_hit_on_a_safe_cell(void **unused) {
    (void)unused;
    const char *given = getenv("MASH_TURNS");
    uint32_t turns = given == NULL ? TURNS_USUAL : (uint32_t)strtoul(given, NULL, 10);
    uint32_t useful = 0; /* maps that say of every cell that it may be hit help nobody */
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        useful += play_game(mash_games[i], NULL, turns) >= 10;
    assert_true(useful >= 4);
    play_game(&breakthrough_game, NULL, turns);
}

/* Other boards and armies: walls, more units, other sizes. */
static void nor_on_any_other_board(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        for (uint32_t k = 1; k < mash_games[i]->presets_count; k++)
            play_game(mash_games[i], mash_games[i]->presets[k].id, TURNS_USUAL / 2);
}

/* --- Which enemies count ------------------------------------------------------------------------
 */

/* What a game tells whose units each hit one cell, that of their own number. */
static void tell_number(const MashContent *content, const void *view, uint8_t unit, int32_t *most) {
    (void)view;
    if (unit < (uint32_t)content->limits.width * content->limits.height)
        most[unit] = 1;
}

/* Plays one match in which each enemy that acts in the turn after the viewer's must be one that the
 * maps of the viewer's last two decisions were made from: before the turn was ended, and before
 * what was done then; counts the enemies of all maps. */
static void play_counted(ThreatFixture *fixture, uint32_t match, uint32_t turns, uint32_t *maps,
                         uint32_t *counted) {
    const MashContent *content = fixture->content;
    MashSeed seed = simulate_seed(GAME_SEED, match);
    MashChance chooser = simulate_action_chance(GAME_SEED, match);
    MashChance chance = chance_seeded(seed, 0);
    MashSetup usual = {NULL, 0};
    MashBoard board = mash_board_over(content, fixture->board_memory);
    uint8_t viewer = match % MASH_SEATS;
    bool before[UNITS] = {false}; /* who was counted at the decision before the last */
    int looked = 0;
    assert_int_equal(content->game->setup(content, &usual, &chance, fixture->state), MASH_OK);
    for (uint32_t ply = 1; fixture->turns < turns; ply++) {
        uint32_t awaited = content->game->awaited(content, fixture->state);
        if (awaited == 0)
            return;
        bool own = (awaited >> viewer & 1) != 0;
        if (own) {
            for (uint32_t i = 0; i < content->limits.units; i++)
                before[i] = fixture->most[i] != 0;
            look(fixture, viewer);
            looked = fixture->viewer == MASH_SEAT_NONE ? 0 : looked + 1;
        } else if (looked > 0) {
            fixture->turns++;
            (*maps)++;
            content->game->show(content, fixture->state, &board);
            for (uint32_t i = 0; i < content->limits.units; i++)
                *counted += fixture->most[i] != 0;
            if (fixture->most[board.active] == 0 || (looked > 1 && !before[board.active]))
                fail_msg("%s: match %u, action %u: unit %u acts, and was not counted",
                         content->game->id, match, ply, board.active);
            looked = 0;
        }
        MashAction action =
            simulate_random_action(content, fixture->state, &chooser, fixture->list);
        chance = chance_seeded(seed, ply);
        fixture->events.count = 0;
        content->game->apply_listed(content, fixture->state, action, &chance, &fixture->events);
    }
}

/* Where units act one after the other: whoever acts next has been counted, also after the one who
 * was to act is stunned, put out of action or skipped; and not simply all have been. */
static void whoever_acts_next_is_counted(void **unused) {
    (void)unused;
    static const char *const ids[] = {"ultimate-war", "marvelous-mashup"};
    const char *given = getenv("MASH_TURNS");
    uint32_t turns = given == NULL ? TURNS_USUAL : (uint32_t)strtoul(given, NULL, 10);
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        uint32_t maps = 0, counted = 0;
        MashContent *content = support_content(mash_game_find(ids[k]), NULL);
        MashGame game = *content->game;
        game.threat = tell_number;
        content->game = &game;
        ThreatFixture fixture = fixture_open(content);
        for (uint32_t match = 0; fixture.turns < turns; match++)
            play_counted(&fixture, match, turns, &maps, &counted);
        print_message("%s: %u.%02u enemies counted of those on the board\n", ids[k], counted / maps,
                      100 * (counted % maps) / maps);
        assert_true(counted < 2 * maps);
        fixture_close(&fixture);
        support_free(content);
    }
}

/* A game of nine switches, which the first seat turns in any order before it ends its turn; then
 * the second hits its one unit, harder if all are on. */
enum { SWITCHES = 9, ALL_ON = (1 << SWITCHES) - 1, END = SWITCHES };
typedef struct Switches {
    uint16_t on, turn; /* of seat 0, of seat 1, over */
} Switches;

static uint32_t switches_awaited(const MashContent *content, const void *state) {
    uint16_t turn = ((const Switches *)state)->turn;
    (void)content;
    return turn > 1 ? 0 : 1u << turn;
}
static uint32_t switches_actions(const MashContent *content, const void *state, uint8_t seat,
                                 MashAction *out) {
    uint32_t count = 0;
    (void)content;
    for (uint8_t i = 0; seat == 0 && i < SWITCHES; i++)
        if ((((const Switches *)state)->on >> i & 1) == 0)
            out[count++] = (MashAction){.verb = 1, .unit = i};
    out[count++] = (MashAction){.verb = 1, .seat = seat, .unit = END};
    return count;
}
static void switches_apply(const MashContent *content, void *raw_state, MashAction action,
                           MashChance *chance, MashEvents *events) {
    Switches *state = raw_state;
    (void)content, (void)chance;
    if (action.unit < SWITCHES) {
        state->on = (uint16_t)(state->on | 1 << action.unit);
        return;
    }
    if (state->turn++ == 0)
        return;
    MashEvent hurt = event_new(MASH_EVENT_HURT, 0, END);
    hurt.amount = state->on == ALL_ON ? 5 : 2;
    event_add(events, hurt);
}
static void switches_show(const MashContent *content, const void *state, MashBoard *board) {
    (void)content, (void)state;
    board_clear(board);
    board->tokens[board->tokens_count++] = (MashToken){.unit = 0, .place = MASH_ON_BOARD};
}

static MashContent switches_content(const MashGame *game) {
    return (MashContent){.game = game,
                         .limits = {.state_bytes = 16,
                                    .core_bytes = 16,
                                    .actions_max = SWITCHES + 1,
                                    .events_max = 1,
                                    .tokens_max = 1,
                                    .width = 1,
                                    .height = 1,
                                    .units = SWITCHES + 1}};
}

/* Orders that lead to the same position are looked at once: nine things in any order are no more
 * than can be searched. */
static void the_order_of_what_is_done_does_not_matter(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = switches_awaited,
                                  .actions = switches_actions,
                                  .apply_listed = switches_apply,
                                  .show = switches_show};
    MashContent content = switches_content(&game);
    ThreatFixture fixture = fixture_open(&content);
    assert_true(
        threat_map(&content, fixture.state, 0, MASH_UNIT_NONE, fixture.memory, fixture.most));
    assert_int_equal(fixture.most[0], 5);
    assert_true(threat_map(&content, fixture.state, 0, END, fixture.memory, fixture.most));
    assert_int_equal(fixture.most[0], 5);
    assert_true(threat_map(&content, fixture.state, 0, 1, fixture.memory, fixture.most));
    assert_int_equal(fixture.most[0], 0); /* unit 1 hits nobody */
    fixture_close(&fixture);
}

/* A game in which the second seat hits twice in its turn, which has a number. */
static uint32_t blows_awaited(const MashContent *content, const void *state) {
    (void)content;
    return ((const Switches *)state)->turn < 2 ? 2 : 0;
}
static uint32_t blows_turn(const MashContent *content, const void *state) {
    (void)content, (void)state;
    return 7;
}
static void blows_apply(const MashContent *content, void *state, MashAction action,
                        MashChance *chance, MashEvents *events) {
    (void)content, (void)chance, (void)action;
    MashEvent hurt = event_new(MASH_EVENT_HURT, 0, END);
    hurt.amount = 2;
    event_add(events, hurt);
    ((Switches *)state)->turn++;
}

/* Asked in the enemy's turn, the map is of all that it can still do in it. */
static void the_rest_of_a_turn_counts(void **unused) {
    (void)unused;
    static const MashEvaluator evaluator = {.turn_number = blows_turn};
    static const MashGame game = {.awaited = blows_awaited,
                                  .actions = switches_actions,
                                  .apply_listed = blows_apply,
                                  .show = switches_show,
                                  .evaluator = &evaluator};
    MashContent content = switches_content(&game);
    ThreatFixture fixture = fixture_open(&content);
    assert_true(
        threat_map(&content, fixture.state, 0, MASH_UNIT_NONE, fixture.memory, fixture.most));
    assert_int_equal(fixture.most[0], 4);
    fixture_close(&fixture);
}

/* A game in which the first seat acts so often, each time in one of so many ways, and no two lines
 * lead to the same position. */
static uint32_t lines_wide, lines_long;
typedef struct Line {
    uint64_t done;
    uint32_t length, zero;
} Line;
static uint32_t lines_awaited(const MashContent *content, const void *state) {
    (void)content;
    return ((const Line *)state)->length < lines_long;
}
static uint32_t lines_actions(const MashContent *content, const void *state, uint8_t seat,
                              MashAction *out) {
    (void)content, (void)state;
    return support_moves(seat, lines_wide, out);
}
static void lines_apply(const MashContent *content, void *state, MashAction action,
                        MashChance *chance, MashEvents *events) {
    Line *line = state;
    (void)content, (void)chance, (void)events;
    line->done = line->done * 256 + action.unit;
    line->length++;
}

/* What is too long or too much to be searched is not known; one less is. */
static void the_search_has_bounds(void **unused) {
    (void)unused;
    static const MashGame game = {.awaited = lines_awaited,
                                  .actions = lines_actions,
                                  .apply_listed = lines_apply,
                                  .show = switches_show};
    static const struct {
        uint32_t wide, length;
        bool known;
    } cases[] = {{1, THREAT_DEPTH_MAX - 1, true},
                 {1, THREAT_DEPTH_MAX, false},
                 {199, 2, true}, /* 199 * 200 actions */
                 {200, 2, false}};
    static_assert(199 * 200 <= THREAT_NODES_MAX && 200 * 201 > THREAT_NODES_MAX, "the bound");
    MashContent content = switches_content(&game);
    content.limits.actions_max = 200;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ThreatFixture fixture = fixture_open(&content);
        lines_wide = cases[i].wide;
        lines_long = cases[i].length;
        assert_int_equal(
            threat_map(&content, fixture.state, 0, MASH_UNIT_NONE, fixture.memory, fixture.most),
            cases[i].known);
        assert_int_equal(fixture.most[0], cases[i].known ? 0 : THREAT_UNKNOWN);
        fixture_close(&fixture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_hit_on_a_safe_cell),
        cmocka_unit_test(nor_on_any_other_board),
        cmocka_unit_test(whoever_acts_next_is_counted),
        cmocka_unit_test(the_order_of_what_is_done_does_not_matter),
        cmocka_unit_test(the_rest_of_a_turn_counts),
        cmocka_unit_test(the_search_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
