/* test_match.c -- a match as a value, and its file: what is written can be read again, and what
 * disagrees with the engine is reported with line and column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/breakthrough.h"
#include "match/file.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { ACTIONS_SOME = 60, TEXT_BYTES = 1 << 20, PROBLEMS = 8, READ_BYTES = 1 << 24 };

static const MashSeed seed = {{0x1218, 0xfeed}};
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

/* A match with everything it refers to. */
typedef struct MatchFixture {
    MashContent *content;
    void *memory, *read_memory;
    Match match;
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    MatchFile file;
    char *text;
} MatchFixture;

static MatchFixture open_table(const MashGame *game, const char *preset) {
    MatchFixture table = {.content = support_content(game, preset)};
    table.documents_count = mash_documents_of_preset(game, preset, table.documents);
    table.memory = support_memory(match_bytes(table.content));
    table.read_memory = support_memory(READ_BYTES);
    table.text = support_memory(TEXT_BYTES);
    MashStatus status = match_begin(&table.match, table.content, seed, NULL, table.memory);
    assert_int_equal(status, MASH_OK);
    return table;
}

static void close_table(MatchFixture *table) {
    support_free(table->content);
    support_free(table->memory);
    support_free(table->read_memory);
    support_free(table->text);
}

/* Up to `count` random actions. */
static void play_random(Match *match, uint32_t count) {
    MashAction *list =
        support_memory((match->content->limits.actions_max + 1) * sizeof(MashAction));
    MashChance chooser = chance_sampled(7);
    for (uint32_t i = 0; i < count && !match_result(match).over; i++) {
        MashAction action = simulate_random_action(match->content, match->state, &chooser, list);
        assert_int_equal(match_apply(match, action), MASH_OK);
    }
    support_free(list);
}

static void write_match(MatchFixture *table) {
    MatchHeader about = {.documents = table->documents,
                         .documents_count = table->documents_count,
                         .players = {"Ann", "B\"ob\" \xc3\xa4"},
                         .ratings = {0, 1512}};
    MashText text = text_over(table->text, TEXT_BYTES);
    match_file_write(&table->match, &about, &text);
    assert_false(text.truncated);
}

/* Reads table->text into a second match over fresh memory; problems are in the list. */
static bool read_match(MatchFixture *table, Match *out, void *memory) {
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    memset(problem_list, 0, sizeof problem_list);
    uint32_t count = (uint32_t)strlen(table->text);
    return match_file_open(&table->file, "m.json", table->text, count, table->read_memory,
                           READ_BYTES, &problems) &&
           match_file_replay(&table->file, table->content, memory, out, &problems);
}

/* --- The match ----------------------------------------------------------------------------------
 */

static void a_match_is_set_up_and_applies_with_numbered_chance(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MatchFixture table = open_table(*game, NULL);
        void *state = support_state(table.content);
        MashChance chance = chance_seeded(seed, 0);
        play_random(&table.match, ACTIONS_SOME);
        assert_int_equal((*game)->setup(table.content, NULL, &chance, state), MASH_OK);
        for (uint32_t i = 0; i < table.match.actions_count; i++) {
            chance = chance_seeded(seed, i + 1);
            assert_int_equal(
                mash_apply(table.content, state, table.match.actions[i], &chance, NULL), MASH_OK);
        }
        assert_memory_equal(state, table.match.state, table.content->limits.state_bytes);
        support_free(state);
        close_table(&table);
    }
}

static void rewinding_gives_each_moment_again(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MatchFixture table = open_table(*game, NULL);
        size_t bytes = table.content->limits.state_bytes;
        play_random(&table.match, ACTIONS_SOME / 2);
        void *middle = support_memory(bytes);
        memcpy(middle, table.match.state, bytes);
        uint32_t count = table.match.actions_count, events = table.match.events.count;
        play_random(&table.match, ACTIONS_SOME / 2);
        assert_false(match_rewind(&table.match, table.match.actions_count + 1));
        assert_true(match_rewind(&table.match, count));
        assert_int_equal(table.match.actions_count, count);
        assert_int_equal(table.match.events.count, events);
        assert_memory_equal(table.match.state, middle, bytes);
        assert_true(match_rewind(&table.match, 0));
        assert_int_equal(table.match.events.count, 0);
        support_free(middle);
        close_table(&table);
    }
}

static void what_is_refused_changes_nothing(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    play_random(&table.match, 3);
    Match before = table.match;
    size_t bytes = table.content->limits.state_bytes;
    void *state = support_memory(bytes);
    memcpy(state, table.match.state, bytes);
    assert_int_equal(match_apply(&table.match, (MashAction){.verb = 99, .seat = 1}),
                     MASH_NO_SUCH_ACTION);
    assert_int_equal(match_apply(&table.match, (MashAction){.verb = MASH_VERB_DRAW_ACCEPT}),
                     MASH_NO_DRAW_OFFERED);
    assert_memory_equal(&before, &table.match, sizeof before);
    assert_memory_equal(state, table.match.state, bytes);
    support_free(state);
    close_table(&table);
}

static uint32_t judged;

static MashStatus check_and_count(const MashContent *content, const void *state,
                                  MashAction action) {
    judged++;
    return breakthrough_game.check(content, state, action);
}

static void an_action_is_judged_once(void **unused) {
    (void)unused;
    MashGame counting = breakthrough_game;
    counting.check = check_and_count;
    MatchFixture table = open_table(&breakthrough_game, NULL);
    table.content->game = &counting;
    judged = 0;
    play_random(&table.match, 10);
    assert_int_equal(judged, 10);
    assert_int_equal(match_apply(&table.match, (MashAction){.verb = 99}), MASH_NO_SUCH_ACTION);
    assert_int_equal(judged, 11);
    assert_true(match_rewind(&table.match, 9)); /* what was checked is not checked again */
    assert_int_equal(judged, 11);
    close_table(&table);
}

static void draw_offers_cannot_fill_the_list(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER}, decline = {.verb = MASH_VERB_DRAW_DECLINE};
    decline.seat = 1;
    for (int i = 0; i < MATCH_OFFERS_MAX; i++) {
        assert_int_equal(match_apply(&table.match, offer), MASH_OK);
        assert_int_equal(match_apply(&table.match, decline), MASH_OK);
    }
    assert_int_equal(match_apply(&table.match, offer), MASH_TOO_OFTEN);
    assert_int_equal(table.match.actions_count, 2 * MATCH_OFFERS_MAX);
    assert_true(match_rewind(&table.match, 2 * MATCH_OFFERS_MAX - 2));
    assert_int_equal(match_apply(&table.match, offer), MASH_OK);
    table.match.actions_max = table.match.actions_count;
    assert_int_equal(match_apply(&table.match, (MashAction){.verb = MASH_VERB_RESIGN}),
                     MASH_TOO_OFTEN);
    close_table(&table);
}

/* [A19] What is undone does not count: exactly as many offers fit after it as at first. */
static void draw_offers_that_were_taken_back_do_not_count(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER};
    MashAction decline = {.verb = MASH_VERB_DRAW_DECLINE, .seat = 1};
    for (int kept = 0; kept <= 2; kept++) {
        for (int i = 0; i < MATCH_OFFERS_MAX / 2; i++) {
            assert_int_equal(match_apply(&table.match, offer), MASH_OK);
            assert_int_equal(match_apply(&table.match, decline), MASH_OK);
        }
        assert_true(match_rewind(&table.match, 2 * (uint32_t)kept));
        assert_int_equal(table.match.offers, kept);
    }
    for (int i = 2; i < MATCH_OFFERS_MAX; i++) {
        assert_int_equal(match_apply(&table.match, offer), MASH_OK);
        assert_int_equal(match_apply(&table.match, decline), MASH_OK);
    }
    assert_int_equal(match_apply(&table.match, offer), MASH_TOO_OFTEN);
    close_table(&table);
}

/* An offer that was not accepted by the journal is cancelled, and does not count. */
static void draw_offers_that_were_cancelled_do_not_count(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER};
    for (int i = 0; i <= MATCH_OFFERS_MAX; i++) {
        assert_int_equal(match_apply(&table.match, offer), MASH_OK);
        match_step_cancel(&table.match);
        assert_int_equal(table.match.actions_count, 0);
    }
    close_table(&table);
}

static void resigning_is_an_action_and_can_be_taken_back(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = 1};
    assert_int_equal(match_apply(&table.match, resign), MASH_OK);
    assert_true(match_result(&table.match).over);
    assert_int_equal(match_result(&table.match).winner, 0);
    assert_int_equal(match_apply(&table.match, resign), MASH_MATCH_OVER);
    assert_true(match_rewind(&table.match, 0));
    assert_false(match_result(&table.match).over);
    close_table(&table);
}

static void a_view_tells_whether_something_is_hidden(void **unused) {
    (void)unused;
    MatchFixture open = open_table(mash_game_find("zorde"), NULL);
    MatchFixture hidden = open_table(mash_game_find("generals"), NULL);
    void *view = support_memory(1 << 16);
    assert_false(match_view(&open.match, 0, view));
    assert_memory_equal(view, open.match.state, open.content->limits.state_bytes);
    play_random(&hidden.match, 1);
    uint8_t seat = hidden.match.actions[0].seat;
    assert_true(match_view(&hidden.match, (uint8_t)(1 - seat), view));
    assert_true(match_view(&hidden.match, MASH_SEAT_SPECTATOR, view));
    support_free(view);
    close_table(&open);
    close_table(&hidden);
}

/* A spectator's view is that of neither seat: both hide something from it that they show to
 * themselves. */
static void a_spectators_view_is_neither_seats(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("generals"), NULL);
    size_t bytes = table.content->limits.state_bytes;
    void *views[3] = {support_memory(bytes), support_memory(bytes), support_memory(bytes)};
    play_random(&table.match, 100);
    for (uint8_t seat = 0; seat < 2; seat++)
        assert_true(match_view(&table.match, seat, views[seat]));
    assert_true(match_view(&table.match, MASH_SEAT_SPECTATOR, views[2]));
    for (int i = 0; i < 3; i++)
        assert_memory_not_equal(views[i], views[(i + 1) % 3], bytes);
    for (int i = 0; i < 3; i++)
        support_free(views[i]);
    close_table(&table);
}

static void options_are_taken_or_usual_and_bad_ones_refused(void **unused) {
    (void)unused;
    const MashGame *game = mash_game_find("battleground");
    MashContent *content = support_content(game, NULL);
    void *memory = support_memory(match_bytes(content));
    int32_t options[MASH_OPTIONS_MAX + 1] = {1, 0};
    Match match;
    MashSetup setup = {.options = options, .options_count = 1};
    assert_int_equal(match_begin(&match, content, seed, &setup, memory), MASH_OK);
    assert_int_equal(match.options[0], 1);
    assert_int_equal(match.options[1], game->options[1].usual);
    setup.options_count = MASH_OPTIONS_MAX + 1;
    assert_int_equal(match_begin(&match, content, seed, &setup, memory), MASH_BAD_OPTION);
    setup.options_count = 1;
    options[0] = 77;
    assert_int_equal(match_begin(&match, content, seed, &setup, memory), MASH_BAD_OPTION);
    support_free(memory);
    support_free(content);
}

static void a_game_without_documents_is_a_match_like_others(void **unused) {
    (void)unused;
    MatchFixture table = open_table(&breakthrough_game, NULL);
    play_random(&table.match, UINT32_MAX);
    assert_true(match_result(&table.match).over);
    close_table(&table);
}

/* --- The file ------------------------------------------------------------------------------------
 */

static void what_is_written_is_read_again(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        for (uint32_t i = 0; i < (*game)->presets_count; i++) {
            MatchFixture table = open_table(*game, (*game)->presets[i].id);
            play_random(&table.match, i == 0 ? 3000 : ACTIONS_SOME);
            write_match(&table);
            void *memory = support_memory(match_bytes(table.content));
            Match again;
            bool fine = read_match(&table, &again, memory);
            if (!fine)
                print_message("%u:%u: %s\n", problem_list[0].line, problem_list[0].column,
                              problem_list[0].reason);
            assert_true(fine);
            assert_string_equal(table.file.preset, (*game)->presets[i].id);
            assert_int_equal(table.file.actions_count, table.match.actions_count);
            assert_int_equal(table.file.documents_count, table.documents_count);
            for (uint32_t j = 0; j < table.documents_count; j++)
                assert_string_equal(table.file.documents[j].name, table.documents[j].name);
            assert_string_equal(table.file.players[0], "Ann");
            assert_string_equal(table.file.players[1], "B\"ob\" \xc3\xa4");
            assert_int_equal(table.file.ratings[0], 0);
            assert_int_equal(table.file.ratings[1], 1512);
            assert_int_equal(again.actions_count, table.match.actions_count);
            assert_memory_equal(again.state, table.match.state, table.content->limits.state_bytes);
            support_free(memory);
            close_table(&table);
        }
    }
}

static void server_verbs_and_draws_are_in_the_file(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER}, decline = {.verb = MASH_VERB_DRAW_DECLINE};
    MashAction left = {.verb = MASH_VERB_FORFEIT, .seat = MASH_SEAT_SERVER, .other = 1};
    decline.seat = 1;
    left.amount = MASH_REASON_LEFT;
    match_apply(&table.match, offer);
    match_apply(&table.match, decline);
    assert_int_equal(match_apply(&table.match, left), MASH_OK);
    write_match(&table);
    assert_non_null(strstr(table.text, "\"seat\": 254"));
    assert_non_null(strstr(table.text, "\"word\": \"decline draw\""));
    assert_non_null(strstr(table.text, "\"winner\": 0,\n    \"reason\": 4"));
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    assert_true(read_match(&table, &again, memory));
    assert_int_equal(match_result(&again).reason, MASH_REASON_LEFT);
    support_free(memory);
    close_table(&table);
}

/* The duel on a board of another size, as a custom document. */
static const char own_start[] = "{\"width\": 4, \"height\": 3, \"units\": ["
                                "{\"kind\": \"human\", \"id\": \"H0\", \"x\": 0, \"y\": 2}, "
                                "{\"kind\": \"troll\", \"id\": \"T0\", \"x\": 3, \"y\": 0}]}";

static void documents_of_ones_own_are_in_the_file(void **unused) {
    (void)unused;
    const MashGame *game = mash_game_find("zorde");
    MashDocument own = {"tiny.start.json", own_start, sizeof own_start - 1};
    MatchFixture table = open_table(game, "duel");
    support_free(table.content);
    support_free(table.memory);
    table.content = support_content_with(game, "duel", own);
    table.memory = support_memory(match_bytes(table.content));
    assert_true(mash_documents_replace(table.documents, &table.documents_count, own));
    match_begin(&table.match, table.content, seed, NULL, table.memory);
    play_random(&table.match, 5);
    write_match(&table);
    assert_null(strstr(table.text, "\"preset\""));
    assert_non_null(strstr(table.text, "{\"name\": \"zorde.units.json\"}"));
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    assert_true(read_match(&table, &again, memory));
    assert_null(table.file.preset);
    assert_int_equal(table.file.documents_count, table.documents_count);
    for (uint32_t i = 0; i < table.documents_count; i++) {
        assert_string_equal(table.file.documents[i].name, table.documents[i].name);
        assert_int_equal(table.file.documents[i].count, table.documents[i].count);
        assert_memory_equal(table.file.documents[i].bytes, table.documents[i].bytes,
                            table.documents[i].count);
    }
    support_free(memory);
    close_table(&table);
}

/* Does a file of a match with these documents name a preset? They are in memory of exactly their
 * size, so that a sanitizer detects reads beyond them. */
static bool names_a_preset(MatchFixture *table, const MashDocument *documents, uint32_t count) {
    MashDocument *exact = malloc(count * sizeof *exact);
    MatchHeader about = {.documents = exact, .documents_count = count, .players = {"a", "b"}};
    MashText text = text_over(table->text, TEXT_BYTES);
    memcpy(exact, documents, count * sizeof *exact);
    match_file_write(&table->match, &about, &text);
    free(exact);
    return strstr(table->text, "\"preset\"") != NULL;
}

/* One document less or more, or one with another name, length or byte, is not a preset. */
static void a_preset_is_named_only_for_just_its_documents(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    uint32_t count = table.documents_count;
    assert_true(count > 1 && count < MASH_DOCUMENTS_MAX);
    assert_true(names_a_preset(&table, table.documents, count));
    assert_false(names_a_preset(&table, table.documents, count - 1));
    table.documents[count] = table.documents[0];
    assert_false(names_a_preset(&table, table.documents, count + 1));
    for (uint32_t i = 0; i < count; i++) {
        MashDocument *document = &table.documents[i], shipped = *document;
        char *other = malloc(shipped.count);
        memcpy(other, shipped.bytes, shipped.count);
        document->bytes = other;
        assert_true(names_a_preset(&table, table.documents, count));
        other[shipped.count - 1] ^= 1;
        assert_false(names_a_preset(&table, table.documents, count));
        other[shipped.count - 1] ^= 1;
        document->count--;
        assert_false(names_a_preset(&table, table.documents, count));
        *document = shipped;
        document->name = "another";
        assert_false(names_a_preset(&table, table.documents, count));
        *document = shipped;
        free(other);
    }
    close_table(&table);
}

/* A change of the text, and the problem that is reported. */
typedef struct Wrong {
    const char *from, *to;
    const char *path, *reason;
} Wrong;

/* Replaces the first `from`; where it was. */
static size_t edit(char *text, const char *from, const char *to) {
    char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("there is no %s in %s", from, text);
    size_t tail = strlen(at + strlen(from)) + 1;
    memmove(at + strlen(to), at + strlen(from), tail);
    memcpy(at, to, strlen(to));
    return (size_t)(at - text);
}

static void check_wrong(MatchFixture *table, const Wrong *wrong, void *memory) {
    Match again;
    write_match(table);
    edit(table->text, wrong->from, wrong->to);
    bool fine = read_match(table, &again, memory);
    if (fine || strcmp(problem_list[0].reason, wrong->reason) != 0)
        print_message("%s -> %s: %s\n", wrong->from, wrong->to, problem_list[0].reason);
    assert_false(fine);
    assert_string_equal(problem_list[0].document, "m.json");
    assert_string_equal(problem_list[0].path, wrong->path);
    assert_string_equal(problem_list[0].reason, wrong->reason);
    assert_true(problem_list[0].line > 0 && problem_list[0].column > 0);
}

/* Three known steps of the duel and a resignation: the human at 0,4, the troll at 0,0. */
static MatchFixture known_match(void) {
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    static const char *const words[] = {"step h0 1 4", "step h0 1 3", "step h0 2 3"};
    MashAction list[64];
    for (int i = 0; i < 3; i++) {
        const MashGame *game = table.content->game;
        uint32_t count = game->actions(table.content, table.match.state, 0, list), found = 0;
        for (uint32_t j = 0; j < count; j++) {
            char bytes[64];
            MashText word = text_over(bytes, sizeof bytes);
            game->notation(table.content, table.match.state, list[j], &word);
            if (strcmp(bytes, words[i]) == 0)
                found = j + 1;
        }
        assert_true(found > 0);
        assert_int_equal(match_apply(&table.match, list[found - 1]), MASH_OK);
    }
    match_apply(&table.match, (MashAction){.verb = MASH_VERB_RESIGN, .seat = 1});
    return table;
}

#define NOT_A_POINT                                                                                \
    "must be \"unit NAME\", \"cell X Y\" or \"arrow X Y X Y\", these two perhaps with green, red " \
    "or "                                                                                          \
    "blue"

/* One wrong thing each, and where it is said. */
static const Wrong wrongs[] = {
    {"\"result\": ", "\"notes\": 7, \"result\": ", "$.notes", "must be an array, found 7"},
    {"\"result\": ", "\"notes\": [{\"at\": 5, \"text\": \"x\"}], \"result\": ", "$.notes[0].at",
     NULL},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\"}, {\"at\": 1, \"text\": \"x\"}], \"result\": ",
     "$.notes[1].at", NULL},
    {"\"result\": ", "\"notes\": [{\"at\": 2}], \"result\": ", "$.notes[0]",
     "key \"text\" is missing; it must be a string"},
    {"\"result\": ", "\"notes\": [{\"at\": 2, \"text\": \"\"}], \"result\": ", "$.notes[0].text",
     "must be 1 to 1000 bytes"},
    {"\"result\": ", "\"notes\": [{\"at\": 2, \"text\": {}}], \"result\": ", "$.notes[0].text",
     "must have a text for at least one language"},
    {"\"result\": ", "\"notes\": [{\"at\": 2, \"text\": {\"eng\": \"x\"}}], \"result\": ",
     "$.notes[0].text.eng", "a language is two lower-case letters"},
    {"\"result\": ", "\"notes\": [{\"at\": 2, \"text\": \"x\", \"by\": \"Ann\"}], \"result\": ",
     "$.notes[0].by", "unknown key \"by\"; allowed are at, text, point"},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"cell 3\"]}], \"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"cell 3 100\"]}], \"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"cell 3 4 pink\"]}], \"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"arrow 1 2 3\"]}], \"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"arrow 1 2 3 4 red red\"]}], "
     "\"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"result\": ",
     "\"notes\": [{\"at\": 2, \"text\": \"x\", \"point\": [\"unit\"]}], \"result\": ",
     "$.notes[0].point[0]", NOT_A_POINT},
    {"\"mashup-match\": 1", "\"mashup-match\": 2", "$.mashup-match",
     "unsupported format version 2 (expected 1)"},
    {"\"mashup-match\": 1", "\"mashup-match\": 0", "$.mashup-match",
     "unsupported format version 0 (expected 1)"},
    {"\"game\": \"zorde\"", "\"game\": \"chess\"", "$.game", "unknown game \"chess\""},
    {"\"version\": ", "\"version\": 9", "$.version", NULL},
    {"\"preset\": \"duel\"", "\"preset\": \"nowhere\"", "$.preset",
     "zorde has no preset \"nowhere\""},
    {"\"preset\": \"duel\"", "\"documents\": [{\"name\": \"a\"}]", "$.documents[0]",
     "no file \"a\" comes with zorde; its text is required"},
    {"\"preset\": \"duel\"", "\"documents\": [{\"name\": \"a\", \"text\": 1}]",
     "$.documents[0].text", "must be a string, found 1"},
    {"\"preset\": \"duel\"", "\"documents\": [{\"name\": \"a\", \"txt\": \"\"}]",
     "$.documents[0].txt", "unknown key \"txt\"; allowed are name, text"},
    {"\"preset\": \"duel\"", "\"documents\": []", "$.documents", "must be 1 to 8 files"},
    {"\"preset\": \"duel\"", "\"preset\": \"duel\", \"documents\": [{\"name\": \"a\"}]",
     "$.documents", "give either preset or documents, not both"},
    {"\"Ann\",", "", "$.players", "must be 2 names"},
    {"\"Ann\"", "7", "$.players[0]",
     "must be a string of 1 to 31 bytes without control characters, found 7"},
    {"\"options\": {}", "\"options\": {\"fast\": 1}", "$.options.fast", NULL},
    {"1512", "1512, 3", "$.ratings", "must be 2 ratings"},
    {"1512", "10001", "$.ratings[1]", "must be a whole number from 0 to 10000, found 10001"},
    {"\"ratings\": [", "\"ratings\": 7, \"notes\": [", "$.ratings", "must be an array, found 7"},
    {"\"seed\": \"0", "\"seed\": \"g", "$.seed", "must be 32 hexadecimal digits"},
    {"\"seed\": \"0", "\"seed\": \"00", "$.seed",
     "must be 32 hexadecimal digits, but there are more"},
    {"\"n\": 2", "\"n\": 3", "$.actions[1].n", "expected action number 2"},
    {"\"n\": 2, \"seat\": 0", "\"n\": 2, \"seat\": 1", "$.actions[1].seat",
     "the action belongs to seat 0"},
    {"\"step h0 1 3\"", "\"step h0 1 2\"", "$.actions[1].word",
     "the action's bytes mean \"step h0 1 3\""},
    {"01000000010300", "01000000010000", "$.actions[1]",
     "action 2 was refused: You can only step to an adjacent cell."},
    {"\"winner\": 0", "\"winner\": 1", "$.result",
     "the actual result is a win for seat 0, reason 1: resignation"},
    {"\"winner\": 0", "\"winner\": null", "$.result",
     "the actual result is a win for seat 0, reason 1: resignation"},
    {"\"preset\": \"duel\"", "\"documents\": 7", "$.documents", NULL},
    {"\"preset\": \"duel\"", "\"documents\": [3]", "$.documents[0]", NULL},
    {"\"preset\": \"duel\"", "\"documents\": [{\"name\": 3}]", "$.documents[0].name", NULL},
    {"\"preset\": \"duel\"", "\"documents\": [{\"name\": \"english.texts.json\"}, {\"name\": 1}]",
     "$.documents[1].name", NULL},
    {"\"preset\": \"duel\"", "\"preset\": 3", "$.preset", NULL},
    {"[\n    \"Ann\",\n    \"B\\\"ob\\\" \xc3\xa4\"\n  ]", "7", "$.players", NULL},
    {"\"Ann\"", "\"\"", "$.players[0]", NULL},
    {"\"options\": {}", "\"options\": 7", "$.options", NULL},
    {"\"content\": \"", "\"content\": \"0", "$.content",
     "must be 16 hexadecimal digits, but there are more"},
    {"\"content\": \"", "\"content\": \"x", "$.content", NULL},
    {"\"seed\": \"0000", "\"seed\": \"000", "$.seed", "must be 32 hexadecimal digits"},
    {"\"seed\": \"0", "\"seed\": \"000", "$.seed", NULL},
    {"[\n    {\"n\": 1, \"seat\": 0, \"action\": \"0100000001040000\", \"word\": \"step h0 1 "
     "4\"},\n"
     "    {\"n\": 2, \"seat\": 0, \"action\": \"0100000001030000\", \"word\": \"step h0 1 "
     "3\"},\n"
     "    {\"n\": 3, \"seat\": 0, \"action\": \"0100000002030000\", \"word\": \"step h0 2 "
     "3\"},\n"
     "    {\"n\": 4, \"seat\": 1, \"action\": \"f001000000000000\", \"word\": \"resign\"}\n  ]",
     "7", "$.actions", NULL},
    {"{\"n\": 1, ", "3, {\"n\": 1, ", "$.actions[0]", NULL},
    {"\"n\": 1, ", "\"n\": -1, ", "$.actions[0].n", NULL},
    {"\"n\": 1, \"seat\": 0", "\"n\": 1, \"seat\": 256", "$.actions[0].seat", NULL},
    {"\"n\": 1, \"seat\": 0", "\"n\": 1, \"seat\": -1", "$.actions[0].seat", NULL},
    {"\"n\": 1, ", "", "$.actions[0]", NULL},
    {"\"action\": \"", "\"action\": \"0", "$.actions[0].action", NULL},
    {"\"word\": \"step h0 1 4\"", "\"word\": 4", "$.actions[0].word", NULL},
    {"{\n    \"winner\": 0,\n    \"reason\": 1,\n    \"why\": \"resignation\"\n  }", "7",
     "$.result", NULL},
    {"\"winner\": 0", "\"winner\": 2", "$.result.winner", NULL},
    {"\"winner\": 0", "\"winner\": -1", "$.result.winner", NULL},
    {"\"winner\": 0,", "", "$.result", NULL},
    {"\"reason\": 1", "\"reason\": 256", "$.result.reason", NULL},
    {"\"reason\": 1", "\"reason\": 2", "$.result",
     "the actual result is a win for seat 0, reason 1: resignation"},
    {"\"reason\": 1,", "", "$.result", NULL},
    {"\"why\": ", "\"because\": ", "$.result.because", NULL},
    {"\"result\": {", "\"results\": {", "$.results", NULL},
    {"\"word\": \"resign\"", "\"words\": \"resign\"", "$.actions[3].words", NULL},
};

static void every_disagreement_is_said(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        Wrong wrong = wrongs[i];
        if (wrong.reason != NULL) {
            check_wrong(&table, &wrong, memory);
            continue;
        }
        Match again;
        write_match(&table);
        edit(table.text, wrong.from, wrong.to);
        if (read_match(&table, &again, memory))
            fail_msg("%s -> %s is not refused", wrong.from, wrong.to);
        assert_string_equal(problem_list[0].path, wrong.path);
    }
    support_free(memory);
    close_table(&table);
}

/* A file with this value of an option is accepted, or refused. */
static void check_option(MatchFixture *table, uint32_t number, int64_t value, bool good) {
    const MashOption *option = &table->content->game->options[number];
    char from[96], to[96];
    MashText old = text_over(from, sizeof from), new = text_over(to, sizeof to);
    write_match(table);
    text_format(&old, "\"%s\": %d", option->id, option->usual);
    text_format(&new, "\"%s\": ", option->id);
    text_int(&new, value);
    edit(table->text, from, to);
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool fine = match_file_open(&table->file, "m.json", table->text, (uint32_t)strlen(table->text),
                                table->read_memory, READ_BYTES, &problems);
    assert_int_equal(fine, good);
    if (fine)
        assert_int_equal(table->file.options[number], value);
}

/* An option of a file may be at both ends of its range; beyond them the file is refused. */
static void options_of_a_file_have_their_range(void **unused) {
    (void)unused;
    uint32_t options = 0;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MatchFixture table = open_table(*game, (*game)->presets[0].id);
        for (uint32_t i = 0; i < (*game)->options_count; i++, options++) {
            const MashOption *option = &(*game)->options[i];
            check_option(&table, i, option->least, true);
            check_option(&table, i, option->most, true);
            check_option(&table, i, (int64_t)option->least - 1, false);
            check_option(&table, i, (int64_t)option->most + 1, false);
        }
        close_table(&table);
    }
    assert_true(options > 0);
}

/* Documents of one's own need memory: with each byte less it is an answer, not a crash. */
static void documents_need_memory(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    for (uint32_t i = 0; i < table.documents_count; i++)
        if (i > 0)
            table.documents[i].name = "mine";
    write_match(&table);
    uint32_t count = (uint32_t)strlen(table.text);
    size_t least = match_file_bytes(count);
    bool fine = true;
    for (size_t bytes = least; fine; bytes -= sizeof(void *)) {
        void *memory = malloc(bytes);
        assert_non_null(memory);
        problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
        fine = match_file_open(&table.file, "m.json", table.text, count, memory, bytes, &problems);
        assert_int_equal(fine, problems.count == 0);
        free(memory);
        least = bytes;
    }
    for (size_t bytes = least; bytes > least - 400; bytes--) {
        void *memory = malloc(bytes);
        problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
        assert_false(
            match_file_open(&table.file, "m.json", table.text, count, memory, bytes, &problems));
        assert_true(problems.count > 0);
        free(memory);
    }
    close_table(&table);
}

static void other_content_is_said(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    table.content->hash++;
    assert_false(read_match(&table, &again, memory));
    assert_string_equal(problem_list[0].path, "$.content");
    assert_non_null(strstr(problem_list[0].reason, "the match was played with different files"));
    support_free(memory);
    close_table(&table);
}

static void problems_name_line_and_column(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    size_t at = edit(table.text, "\"step h0 1 3\"", "\"step h0 9 3\"");
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        column = table.text[i] == '\n' ? 1 : column + 1;
        line += table.text[i] == '\n';
    }
    assert_false(read_match(&table, &again, memory));
    assert_int_equal(problem_list[0].line, line);
    assert_int_equal(problem_list[0].column, column);
    assert_int_equal(problems.count, 1);
    support_free(memory);
    close_table(&table);
}

static void a_result_too_early_or_too_late_is_said(void **unused) {
    (void)unused;
    static const char result[] = "{\n    \"winner\": 0,\n    \"reason\": 1,\n"
                                 "    \"why\": \"resignation\"\n  }";
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    edit(table.text, result, "null");
    assert_false(read_match(&table, &again, memory));
    assert_string_equal(problem_list[0].path, "$.result");
    match_rewind(&table.match, 3);
    write_match(&table);
    edit(table.text, "null", result);
    assert_false(read_match(&table, &again, memory));
    assert_string_equal(problem_list[0].reason, "the match is not finished after these actions");
    support_free(memory);
    close_table(&table);
}

static void a_file_that_was_cut_off_is_refused_at_every_byte(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    size_t whole = strlen(table.text);
    char *copy = support_memory(whole + 1);
    memcpy(copy, table.text, whole);
    for (size_t i = 0; i + 2 < whole; i++) {
        memcpy(table.text, copy, whole);
        table.text[i] = '\0';
        assert_false(read_match(&table, &again, memory));
        assert_true(problems.count > 0);
    }
    support_free(copy);
    support_free(memory);
    close_table(&table);
}

static void garbage_is_refused_with_a_reason(void **unused) {
    (void)unused;
    static const char head[] = "{\"mashup-match\": 1, \"game\": \"zorde\", \"version\": 1, ";
    static const char *const texts[] = {
        "", "null", "[]", "{}", "{\"mashup-match\": \"1\"}", "{\"mashup-match\": 1}"};
    static const char *const tails[] = {
        "\"documents\": []}",
        "\"documents\": [{}, 3, {\"name\": \"a\"}, {\"name\": \"b\", \"text\": 1}]}",
        "\"documents\": [], \"preset\": \"duel\", \"options\": 3}",
        "\"preset\": 1, \"players\": [1, 2], \"actions\": 7}",
        "\"preset\": \"duel\", \"players\": [\"a\"], \"actions\": [7]}"};
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    void *memory = support_memory(match_bytes(table.content));
    size_t texts_count = sizeof texts / sizeof *texts, tails_count = sizeof tails / sizeof *tails;
    for (size_t i = 0; i < texts_count + tails_count; i++) {
        Match again;
        MashText text = text_over(table.text, TEXT_BYTES);
        if (i < texts_count)
            text_string(&text, texts[i]);
        else
            text_format(&text, "%s%s", head, tails[i - texts_count]);
        assert_false(read_match(&table, &again, memory));
        assert_true(problems.count > 0);
    }
    support_free(memory);
    close_table(&table);
}

/* match_file_bytes() is enough for as many values as a text of that length can have. */
static void values_as_dense_as_can_be_have_room(void **unused) {
    (void)unused;
    MatchFixture table = open_table(mash_game_find("zorde"), "duel");
    enum { VALUES = 2000, COUNT = 2 * VALUES + 1 };
    char *text = support_memory(COUNT);
    memset(text, '0', COUNT);
    for (int i = 0; i < COUNT; i += 2)
        text[i] = i == 0 ? '[' : ',';
    text[COUNT - 1] = ']';
    size_t bytes = match_file_bytes(COUNT);
    void *memory = support_memory(bytes);
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    assert_false(match_file_open(&table.file, "m.json", text, COUNT, memory, bytes, &problems));
    assert_string_equal(problem_list[0].reason, "must be an object, found an array");
    support_free(memory);
    support_free(text);
    close_table(&table);
}

/* What comes after a line that cannot be read is not judged: one problem. */
static void a_line_that_cannot_be_read_is_the_last(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    edit(table.text, "\"word\": \"step h0 1 3\"", "\"words\": \"step h0 1 3\"");
    assert_false(read_match(&table, &again, memory));
    assert_int_equal(problems.count, 1);
    assert_string_equal(problem_list[0].path, "$.actions[1].words");
    support_free(memory);
    close_table(&table);
}

/* It is known before anything is replayed. */
static void a_file_without_actions_is_not_opened(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    write_match(&table);
    edit(table.text, "\"actions\": [", "\"moves\": [");
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    assert_false(match_file_open(&table.file, "m.json", table.text, (uint32_t)strlen(table.text),
                                 table.read_memory, READ_BYTES, &problems));
    assert_int_equal(problems.count, 2);
    assert_string_equal(problem_list[0].path, "$.moves");
    assert_string_equal(problem_list[1].reason, "key \"actions\" is missing; it must be an array");
    close_table(&table);
}

static void too_little_memory_is_an_answer(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    write_match(&table);
    uint32_t count = (uint32_t)strlen(table.text);
    assert_true(match_file_bytes(count) < READ_BYTES);
    for (size_t bytes = 0; bytes < 1000; bytes += 100) {
        problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
        assert_false(match_file_open(&table.file, "m.json", table.text, count, table.read_memory,
                                     bytes, &problems));
        assert_int_equal(problems.count, 1);
    }
    close_table(&table);
}

static void seeds_are_read_as_they_are_written(void **unused) {
    (void)unused;
    char bytes[33];
    MashSeed read;
    MashText text = text_over(bytes, sizeof bytes);
    match_seed_write((MashSeed){{42, 0}}, &text);
    assert_string_equal(bytes, "0000000000000000000000000000002a");
    assert_true(match_seed_read(bytes, &read));
    assert_true(read.words[0] == 42 && read.words[1] == 0);
    assert_true(match_seed_read("0123456789ABCDEFfedcba9876543210", &read));
    assert_true(read.words[1] == 0x0123456789abcdef && read.words[0] == 0xfedcba9876543210);
    assert_false(match_seed_read("42", &read));
    assert_false(match_seed_read("0123456789abcdeffedcba987654321g", &read));
    assert_false(match_seed_read("0123456789abcdeffedcba98765432100", &read));
}

/* Notes of every form are read, written again as they were, and only as far as the actions go. */
static void notes_are_passed_on(void **unused) {
    (void)unused;
    MatchFixture table = known_match();
    void *memory = support_memory(match_bytes(table.content));
    Match again;
    write_match(&table);
    edit(table.text, "\"result\": ",
         "\"notes\": [{\"at\": 0, \"text\": {\"en\": \"Look \\\"here\\\"\", \"de\": \"Da\"}},"
         "{\"at\": 2, \"text\": \"x\\ny\", \"point\": [\"unit t0\", \"cell 0 99 red\"]},"
         "{\"at\": 4, \"text\": \"z\", \"point\": [\"arrow 1 2 3 4\", \"cell 3 4\"]}], "
         "\"result\": ");
    assert_true(read_match(&table, &again, memory));
    char *noted = support_memory(TEXT_BYTES);
    for (uint32_t actions = 4; actions >= 3; actions--) {
        MatchHeader about = {.documents = table.documents,
                             .documents_count = table.documents_count,
                             .players = {"Ann", "Bob"},
                             .noted = &table.file};
        MashText text = text_over(noted, TEXT_BYTES);
        match_rewind(&again, actions);
        match_file_write(&again, &about, &text);
        assert_non_null(
            strstr(noted, "{\"at\":0,\"text\":{\"en\":\"Look \\\"here\\\"\",\"de\":\"Da\"}}") !=
                    NULL
                ? noted
                : strstr(noted,
                         "{\"at\": 0, \"text\": {\"en\": \"Look \\\"here\\\"\", \"de\": \"Da\"}}"));
        assert_non_null(strstr(noted, "\"x\\ny\""));
        assert_int_equal(strstr(noted, "\"arrow 1 2 3 4\"") != NULL, actions == 4);
    }
    support_free(noted);
    support_free(memory);
    close_table(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_set_up_and_applies_with_numbered_chance),
        cmocka_unit_test(rewinding_gives_each_moment_again),
        cmocka_unit_test(what_is_refused_changes_nothing),
        cmocka_unit_test(an_action_is_judged_once),
        cmocka_unit_test(draw_offers_cannot_fill_the_list),
        cmocka_unit_test(draw_offers_that_were_taken_back_do_not_count),
        cmocka_unit_test(draw_offers_that_were_cancelled_do_not_count),
        cmocka_unit_test(resigning_is_an_action_and_can_be_taken_back),
        cmocka_unit_test(a_view_tells_whether_something_is_hidden),
        cmocka_unit_test(a_spectators_view_is_neither_seats),
        cmocka_unit_test(options_are_taken_or_usual_and_bad_ones_refused),
        cmocka_unit_test(a_game_without_documents_is_a_match_like_others),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(server_verbs_and_draws_are_in_the_file),
        cmocka_unit_test(documents_of_ones_own_are_in_the_file),
        cmocka_unit_test(a_preset_is_named_only_for_just_its_documents),
        cmocka_unit_test(every_disagreement_is_said),
        cmocka_unit_test(options_of_a_file_have_their_range),
        cmocka_unit_test(documents_need_memory),
        cmocka_unit_test(other_content_is_said),
        cmocka_unit_test(problems_name_line_and_column),
        cmocka_unit_test(a_result_too_early_or_too_late_is_said),
        cmocka_unit_test(a_file_that_was_cut_off_is_refused_at_every_byte),
        cmocka_unit_test(garbage_is_refused_with_a_reason),
        cmocka_unit_test(values_as_dense_as_can_be_have_room),
        cmocka_unit_test(a_line_that_cannot_be_read_is_the_last),
        cmocka_unit_test(a_file_without_actions_is_not_opened),
        cmocka_unit_test(too_little_memory_is_an_answer),
        cmocka_unit_test(notes_are_passed_on),
        cmocka_unit_test(seeds_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
