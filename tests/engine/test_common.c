/* test_common.c -- what every match shares: the verbs of every game, draw offers, the end, options;
 * the small functions of include/mashup.h; lists of problems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/common.h"
#include "engine/events.h"
#include "engine/game.h"
#include "tests/support/support.h"

enum { FIRST = 1, SECOND = 2, BOTH = 3 };

static MashEvent event_list[4];
static MashEvents events;

static MashAction action_of(uint8_t verb, uint8_t seat) {
    return (MashAction){.verb = verb, .seat = seat};
}

static MashAction server_action(uint8_t verb, uint8_t about, uint8_t amount) {
    return (MashAction){.verb = verb, .seat = MASH_SEAT_SERVER, .other = about, .amount = amount};
}

enum { VERBS = 3 }; /* the game's own are 1 and 2 */

static MashStatus judged(const CommonState *table, uint32_t awaited, MashAction action) {
    return common_check(table, awaited, VERBS, action);
}

/* Checks, then applies with an empty list of events. */
static void done(CommonState *table, uint32_t awaited, MashAction action) {
    events = (MashEvents){.list = event_list, .max = 4};
    assert_int_equal(judged(table, awaited, action), MASH_OK);
    assert_true(common_apply(table, action, &events));
}

static void told(MashEventKind kind, uint8_t other, uint8_t what) {
    MashEvent event = event_new(kind, MASH_UNIT_NONE, other);
    event.what = what;
    assert_int_equal(events.count, 1);
    assert_memory_equal(&event_list[0], &event, sizeof event);
}

static void ended(const CommonState *table, uint8_t winner, uint8_t reason) {
    MashResult result = common_result(NULL, table);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(table->draw_offer, 0);
    told(MASH_EVENT_MATCH_ENDED, winner, reason);
}

static void a_new_table_has_no_result(void **unused) {
    (void)unused;
    CommonState table = common_new();
    MashResult result = common_result(NULL, &table);
    assert_false(result.over);
    assert_int_equal(result.winner, MASH_SEAT_NONE);
    assert_int_equal(result.reason, MASH_REASON_NONE);
}

static void verbs_of_every_game_are_known(void **unused) {
    (void)unused;
    for (uint32_t verb = 0; verb < 256; verb++)
        assert_int_equal(common_has_verb((uint8_t)verb),
                         verb >= MASH_VERB_RESIGN && verb <= MASH_VERB_FORFEIT);
}

static void either_seat_may_resign_at_any_time(void **unused) {
    (void)unused;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint32_t awaited = FIRST; awaited <= BOTH; awaited++) {
            CommonState table = common_new();
            done(&table, awaited, action_of(MASH_VERB_RESIGN, seat));
            ended(&table, (uint8_t)(1 - seat), MASH_REASON_RESIGNED);
        }
}

static void a_draw_is_offered_by_the_awaited_and_answered_by_the_other(void **unused) {
    (void)unused;
    CommonState table = common_new();
    assert_int_equal(judged(&table, FIRST, action_of(MASH_VERB_DRAW_OFFER, 1)), MASH_NOT_YOUR_TURN);
    assert_int_equal(judged(&table, FIRST, action_of(MASH_VERB_DRAW_ACCEPT, 1)),
                     MASH_NO_DRAW_OFFERED);
    done(&table, FIRST, action_of(MASH_VERB_DRAW_OFFER, 0));
    told(MASH_EVENT_DRAW_OFFERED, 0, 0);
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_DRAW_OFFER, 0)),
                     MASH_DRAW_ALREADY_OFFERED);
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_DRAW_OFFER, 1)),
                     MASH_DRAW_ALREADY_OFFERED);
    assert_int_equal(judged(&table, FIRST, action_of(MASH_VERB_DRAW_ACCEPT, 0)),
                     MASH_NO_DRAW_OFFERED);
    assert_int_equal(judged(&table, FIRST, action_of(MASH_VERB_DRAW_DECLINE, 0)),
                     MASH_NO_DRAW_OFFERED);
    CommonState declined = table;
    done(&declined, FIRST, action_of(MASH_VERB_DRAW_DECLINE, 1));
    told(MASH_EVENT_DRAW_DECLINED, 1, 0);
    assert_false(common_result(NULL, &declined).over);
    done(&declined, SECOND, action_of(MASH_VERB_DRAW_OFFER, 1));
    done(&declined, SECOND, action_of(MASH_VERB_DRAW_ACCEPT, 0));
    ended(&declined, MASH_SEAT_NONE, MASH_REASON_AGREED);
    done(&table, FIRST, action_of(MASH_VERB_DRAW_ACCEPT, 1));
    ended(&table, MASH_SEAT_NONE, MASH_REASON_AGREED);
}

static void an_offer_lapses_when_the_other_moves(void **unused) {
    (void)unused;
    CommonState table = common_new();
    done(&table, BOTH, action_of(MASH_VERB_DRAW_OFFER, 1));
    events.count = 0;
    common_after_move(&table, 1, &events);
    assert_int_equal(events.count, 0);
    assert_int_equal(table.draw_offer, 2);
    common_after_move(&table, 0, &events);
    told(MASH_EVENT_DRAW_DECLINED, 0, 0);
    assert_int_equal(table.draw_offer, 0);
    common_after_move(&table, 0, NULL);
    common_after_move(&table, 1, NULL);
    assert_int_equal(table.draw_offer, 0);
}

static void the_server_ends_matches(void **unused) {
    (void)unused;
    CommonState table = common_new();
    MashAction clock = server_action(MASH_VERB_TIME_OVER, 0, 0);
    assert_int_equal(judged(&table, SECOND, clock), MASH_NOT_NOW);
    done(&table, FIRST, clock);
    ended(&table, 1, MASH_REASON_TIME_OVER);
    for (uint8_t reason = MASH_REASON_TIME_OVER; reason < MASH_REASON_COUNT; reason++) {
        table = common_new();
        done(&table, FIRST, server_action(MASH_VERB_FORFEIT, 1, reason));
        ended(&table, 0, reason);
    }
}

static void the_server_is_checked_too(void **unused) {
    (void)unused;
    CommonState table = common_new();
    for (uint8_t verb = MASH_VERB_TIME_OVER; verb <= MASH_VERB_FORFEIT; verb++) {
        assert_int_equal(judged(&table, BOTH, action_of(verb, 0)), MASH_ONLY_THE_SERVER);
        assert_int_equal(judged(&table, BOTH, action_of(verb, MASH_SEAT_NONE)),
                         MASH_ONLY_THE_SERVER);
    }
    assert_int_equal(judged(&table, BOTH, server_action(MASH_VERB_OVERTIME, 0, 0)),
                     MASH_NO_SUCH_ACTION);
    assert_int_equal(judged(&table, BOTH, server_action(MASH_VERB_TIME_OVER, 2, 0)),
                     MASH_NOT_A_SEAT);
    assert_int_equal(judged(&table, BOTH, server_action(MASH_VERB_FORFEIT, 255, MASH_REASON_LEFT)),
                     MASH_NOT_A_SEAT);
    assert_int_equal(judged(&table, BOTH, server_action(MASH_VERB_TIME_OVER, 0, 1)),
                     MASH_NO_SUCH_ACTION);
    for (uint32_t reason = 0; reason < 256; reason++)
        if (reason < MASH_REASON_TIME_OVER || reason >= MASH_REASON_COUNT)
            assert_int_equal(
                judged(&table, BOTH, server_action(MASH_VERB_FORFEIT, 0, (uint8_t)reason)),
                MASH_NO_SUCH_ACTION);
    MashAction odd = server_action(MASH_VERB_FORFEIT, 0, MASH_REASON_LEFT);
    odd.unit = 1;
    assert_int_equal(judged(&table, BOTH, odd), MASH_NO_SUCH_ACTION);
}

static void one_action_has_one_spelling(void **unused) {
    (void)unused;
    CommonState table = common_new();
    for (uint32_t byte = 2; byte < sizeof(MashAction); byte++) {
        MashAction action = action_of(MASH_VERB_RESIGN, 0);
        ((uint8_t *)&action)[byte] = 1;
        assert_int_equal(judged(&table, BOTH, action), MASH_NO_SUCH_ACTION);
    }
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_RESIGN, 2)), MASH_NOT_A_SEAT);
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_RESIGN, MASH_SEAT_SERVER)),
                     MASH_NOT_A_SEAT);
}

static void a_match_that_is_over_stays_over(void **unused) {
    (void)unused;
    CommonState table = common_new();
    common_end(&table, 0, MASH_REASON_GAME, NULL);
    for (uint32_t verb = MASH_VERB_RESIGN; verb <= MASH_VERB_FORFEIT; verb++)
        for (uint32_t seat = 0; seat < 256; seat++)
            assert_int_equal(judged(&table, 0, action_of((uint8_t)verb, (uint8_t)seat)),
                             MASH_MATCH_OVER);
    table.draw_offer = 1;
    common_after_move(&table, 1, NULL);
    assert_int_equal(table.draw_offer, 1);
}

/* What every check() starts with, in this order: the end, the seat, whose turn it is, the verb. */
static void a_game_judges_its_own_verbs_of_awaited_seats_alone(void **unused) {
    (void)unused;
    CommonState table = common_new();
    assert_int_equal(judged(&table, FIRST, action_of(1, 0)), MASH_OK);
    assert_int_equal(judged(&table, BOTH, action_of(VERBS - 1, 1)), MASH_OK);
    assert_int_equal(judged(&table, FIRST, action_of(1, 1)), MASH_NOT_YOUR_TURN);
    assert_int_equal(judged(&table, FIRST, action_of(VERBS, 1)), MASH_NOT_YOUR_TURN);
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_NONE, 0)), MASH_NO_SUCH_ACTION);
    assert_int_equal(judged(&table, BOTH, action_of(VERBS, 0)), MASH_NO_SUCH_ACTION);
    assert_int_equal(judged(&table, BOTH, action_of(MASH_VERB_FORFEIT + 1, 0)),
                     MASH_NO_SUCH_ACTION);
    assert_int_equal(judged(&table, BOTH, action_of(1, MASH_SEATS)), MASH_NOT_A_SEAT);
    assert_int_equal(judged(&table, BOTH, action_of(1, MASH_SEAT_SERVER)), MASH_NOT_A_SEAT);
    assert_false(common_apply(&table, action_of(1, 0), NULL));
    common_end(&table, 0, MASH_REASON_GAME, NULL);
    assert_int_equal(judged(&table, FIRST, action_of(1, 0)), MASH_MATCH_OVER);
}

static void verbs_have_words(void **unused) {
    (void)unused;
    static const char *const words[] = {"resign",        "offer draw",     "accept draw",
                                        "decline draw",  "time up seat 1", "overtime",
                                        "forfeit seat 1"};
    for (uint32_t i = 0; i < 7; i++) {
        char memory[32];
        MashText text = text_over(memory, sizeof memory);
        common_notation(server_action((uint8_t)(MASH_VERB_RESIGN + i), 1, 0), &text);
        assert_string_equal(memory, words[i]);
    }
}

static void options_are_usual_unless_given(void **unused) {
    (void)unused;
    static const MashOption options[] = {{"a", "A", 0, 3, 1}, {"b", "B", -5, 5, -2}};
    static const MashGame game = {.options = options, .options_count = 2};
    int32_t out[MASH_OPTIONS_MAX], given[] = {3, 5, 0};
    memset(out, 0x55, sizeof out);
    assert_int_equal(common_options(&game, NULL, out), MASH_OK);
    assert_true(out[0] == 1 && out[1] == -2 && out[2] == 0 && out[MASH_OPTIONS_MAX - 1] == 0);
    assert_int_equal(common_options(&game, &(MashSetup){given, 1}, out), MASH_OK);
    assert_true(out[0] == 3 && out[1] == -2);
    assert_int_equal(common_options(&game, &(MashSetup){given, 2}, out), MASH_OK);
    assert_true(out[0] == 3 && out[1] == 5);
    assert_int_equal(common_options(&game, &(MashSetup){given, 3}, out), MASH_BAD_OPTION);
    given[1] = 6;
    assert_int_equal(common_options(&game, &(MashSetup){given, 2}, out), MASH_BAD_OPTION);
    given[0] = -1;
    assert_int_equal(common_options(&game, &(MashSetup){given, 1}, out), MASH_BAD_OPTION);
}

static void statuses_and_events_have_words(void **unused) {
    (void)unused;
    assert_string_equal(mash_status_id(MASH_OK), "ok");
    assert_string_equal(mash_status_id(MASH_NOT_YOUR_TURN), "not-your-turn");
    assert_string_equal(mash_status_sentence(MASH_NOT_YOUR_TURN), "It's not your turn.");
    for (uint32_t i = 0; i < MASH_STATUS_COUNT; i++)
        for (uint32_t j = 0; j < i; j++) {
            MashStatus one = (MashStatus)i, two = (MashStatus)j;
            assert_string_not_equal(mash_status_id(one), mash_status_id(two));
            assert_string_not_equal(mash_status_sentence(one), mash_status_sentence(two));
        }
    assert_string_equal(mash_event_id(MASH_EVENT_MATCH_BEGAN), "match-began");
    assert_string_equal(mash_event_id(MASH_EVENT_MATCH_ENDED), "match-ended");
    for (uint32_t i = 0; i < MASH_EVENT_KINDS; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_string_not_equal(mash_event_id((uint8_t)i), mash_event_id((uint8_t)j));
    assert_null(mash_event_id(MASH_EVENT_KINDS));
    assert_null(mash_event_id(255));
}

static void actions_are_ordered_by_unsigned_bytes(void **unused) {
    (void)unused;
    MashAction action = action_of(3, 0), same = action, negative = action, positive = action;
    negative.x = -1;
    positive.x = 1;
    assert_int_equal(mash_action_compare(action, same), 0);
    assert_true(mash_action_compare(action_of(2, 1), action_of(3, 0)) < 0);
    assert_true(mash_action_compare(positive, action) > 0);
    assert_true(mash_action_compare(negative, positive) > 0);
}

static void events_are_seen_by_those_whose_bit_is_set(void **unused) {
    (void)unused;
    MashEvent event = event_new(MASH_EVENT_MOVED, 0, MASH_UNIT_NONE);
    assert_true(mash_event_seen(&event, 0) && mash_event_seen(&event, 1));
    assert_true(mash_event_seen(&event, MASH_SEAT_SPECTATOR));
    event.seen_by = 2;
    assert_true(!mash_event_seen(&event, 0) && mash_event_seen(&event, 1));
    assert_false(mash_event_seen(&event, MASH_SEAT_SPECTATOR));
    event.seen_by = MASH_SEEN_BY_WATCHERS;
    assert_true(!mash_event_seen(&event, 0) && !mash_event_seen(&event, 1));
    assert_true(mash_event_seen(&event, MASH_SEAT_SPECTATOR) && mash_event_seen(&event, 2));
}

static void a_document_replaces_its_kind(void **unused) {
    (void)unused;
    assert_string_equal(mash_document_kind("a.b/x.start.json"), ".start.json");
    assert_string_equal(mash_document_kind("a.b/x.v2.start.json"), ".start.json");
    assert_string_equal(mash_document_kind("x.json"), ".json");
    assert_string_equal(mash_document_kind("a.b/noted"), "");
    MashDocument list[MASH_DOCUMENTS_MAX] = {{"duel.start.json", "1", 1}, {"units.json", "2", 1}};
    uint32_t count = 2;
    assert_true(mash_documents_replace(list, &count, (MashDocument){"a.b/x.start.json", "3", 1}));
    assert_int_equal(count, 2);
    assert_string_equal(list[0].name, "a.b/x.start.json");
    assert_true(mash_documents_replace(list, &count, (MashDocument){"noted", "4", 1}));
    assert_true(mash_documents_replace(list, &count, (MashDocument){"./noted", "5", 1}));
    assert_int_equal(count, 3);
    assert_string_equal(list[2].bytes, "5");
    static const char *const names[] = {"a.1", "a.2", "a.3", "a.4", "a.5"};
    for (uint32_t i = 0; i < 5; i++)
        assert_true(mash_documents_replace(list, &count, (MashDocument){names[i], "", 0}));
    assert_int_equal(count, MASH_DOCUMENTS_MAX);
    assert_false(mash_documents_replace(list, &count, (MashDocument){"a.6", "", 0}));
    assert_true(mash_documents_replace(list, &count, (MashDocument){"b.5", "", 0}));
    assert_int_equal(count, MASH_DOCUMENTS_MAX);
}

static void problems_are_kept_while_there_is_room_and_counted_behind(void **unused) {
    (void)unused;
    MashProblem list[2];
    memset(list, 0x55, sizeof list);
    MashProblems problems = {.list = list, .max = 1};
    problem_add(&problems, "a.json", 3, 4, "$.x", "%s is %d, not %u%c", "x", -1, 2u, '!');
    problem_add(&problems, "b.json", 1, 1, "", "lost");
    assert_int_equal(problems.count, 2);
    assert_string_equal(list[0].document, "a.json");
    assert_string_equal(list[0].path, "$.x");
    assert_string_equal(list[0].reason, "x is -1, not 2!");
    assert_true(list[0].line == 3 && list[0].column == 4);
    assert_int_equal(((uint8_t *)&list[1])[0], 0x55);
}

static void what_does_not_fit_a_problem_ends_in_dots(void **unused) {
    (void)unused;
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    char exact[sizeof problem.document], longer[sizeof problem.document + 1];
    memset(exact, 'a', sizeof exact);
    exact[sizeof exact - 1] = '\0';
    problem_add(&problems, exact, 1, 1, "", "x");
    assert_string_equal(problem.document, exact);
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    memcpy(longer + 59, "\xC3\xA4", 2);
    problems.count = 0;
    problem_add(&problems, longer, 1, 1, "", "x");
    assert_int_equal(strlen(problem.document), 62);
    assert_string_equal(problem.document + 58, "a...");
}

/* engine/game.h: that of a unit, or the sum of a team; 0 for what is not a figure, a unit or a
 * team. */
static void figures_are_of_a_unit_or_the_sum_of_a_team(void **unused) {
    (void)unused;
    typedef struct Figures {
        uint32_t damage;
        uint16_t steps;
        uint8_t kills, unused;
    } Figures;
    static const FigurePlace places[] = {FIGURE_PLACE(Figures, damage),
                                         FIGURE_PLACE(Figures, steps),
                                         FIGURE_PLACE(Figures, kills),
                                         {0, 0}};
    static const Figures list[4] = {{70000, 300, 1, 9}, {5, 4, 2, 9}, {11, 7, 3, 9}, {0, 1, 5, 9}};
    static const struct {
        uint8_t figure, unit;
        int32_t expected;
    } rows[] = {{0, 0, 70000},
                {1, 0, 300},
                {2, 3, 5},
                {3, 0, 0}, /* is not there */
                {0, MASH_UNIT_SIDE, 70005},
                {1, MASH_UNIT_SIDE + 1, 8},
                {2, MASH_UNIT_SIDE + 1, 8},
                {4, 0, 0},
                {0, 4, 0},
                {0, MASH_UNIT_SIDE + 2, 0},
                {0, MASH_UNIT_NONE, 0}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(
            game_figure(places, 4, rows[i].figure, list, sizeof *list, 4, rows[i].unit),
            rows[i].expected);
    static const Figures much[2] = {{UINT32_MAX, 0, 0, 0}, {INT32_MAX, 0, 0, 0}};
    assert_int_equal(game_figure(places, 4, 0, much, sizeof *much, 2, 0), INT32_MAX);
    assert_int_equal(game_figure(places, 4, 0, much, sizeof *much, 2, 1), INT32_MAX);
}

/* A file whose name says nothing is named, without a line: all of it is wrong. */
static void a_file_of_no_kind_is_refused(void **unused) {
    (void)unused;
    const MashGame *game = mash_game_find("tablut");
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(game, NULL, list);
    MashProblem problem_list[2];
    MashProblems problems = {.list = problem_list, .max = 2};
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    MashContent *content = support_memory(game->content_bytes_max);
    list[count++] = (MashDocument){"notes.md", "{}", 2};
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    assert_false(game->load(&documents, content, &problems));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problem_list[0].document, "notes.md");
    assert_int_equal(problem_list[0].line, 0);
    assert_int_equal(problem_list[0].column, 0);
    assert_non_null(strstr(problem_list[0].reason, "must end in ."));
    /* The same of a file that is missing: it has no name either. */
    problems.count = 0;
    documents = (MashDocuments){list + 1, count - 2, scratch, MASH_SCRATCH_BYTES};
    assert_false(game->load(&documents, content, &problems));
    assert_string_equal(problem_list[0].document, "");
    assert_int_equal(problem_list[0].line, 0);
    assert_int_equal(problem_list[0].column, 0);
    assert_non_null(strstr(problem_list[0].reason, "missing a file that ends in ."));
    support_free(content);
    support_free(scratch);
}

/* A board that is shown over used memory is the one that is shown over new memory. */
static void a_board_begins_empty(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MashContent *content = support_content(*game, NULL);
        size_t bytes = mash_board_bytes(content);
        uint8_t *memory = support_memory(bytes);
        memset(memory, 0xA5, bytes);
        MashBoard board = mash_board_over(content, memory);
        assert_int_equal(board.tokens_count, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        support_free(memory);
        support_free(content);
    }
}

/* Numbers that are no kinds of events have nothing. */
static void unknown_kinds_of_events_have_no_other(void **unused) {
    (void)unused;
    for (uint32_t kind = MASH_EVENT_KINDS; kind <= UINT8_MAX; kind++)
        assert_int_equal(mash_event_other((uint8_t)kind), MASH_OTHER_NOTHING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_table_has_no_result),
        cmocka_unit_test(verbs_of_every_game_are_known),
        cmocka_unit_test(either_seat_may_resign_at_any_time),
        cmocka_unit_test(a_draw_is_offered_by_the_awaited_and_answered_by_the_other),
        cmocka_unit_test(an_offer_lapses_when_the_other_moves),
        cmocka_unit_test(the_server_ends_matches),
        cmocka_unit_test(the_server_is_checked_too),
        cmocka_unit_test(one_action_has_one_spelling),
        cmocka_unit_test(a_match_that_is_over_stays_over),
        cmocka_unit_test(a_game_judges_its_own_verbs_of_awaited_seats_alone),
        cmocka_unit_test(verbs_have_words),
        cmocka_unit_test(options_are_usual_unless_given),
        cmocka_unit_test(statuses_and_events_have_words),
        cmocka_unit_test(actions_are_ordered_by_unsigned_bytes),
        cmocka_unit_test(events_are_seen_by_those_whose_bit_is_set),
        cmocka_unit_test(a_document_replaces_its_kind),
        cmocka_unit_test(problems_are_kept_while_there_is_room_and_counted_behind),
        cmocka_unit_test(what_does_not_fit_a_problem_ends_in_dots),
        cmocka_unit_test(figures_are_of_a_unit_or_the_sum_of_a_team),
        cmocka_unit_test(a_file_of_no_kind_is_refused),
        cmocka_unit_test(a_board_begins_empty),
        cmocka_unit_test(unknown_kinds_of_events_have_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
