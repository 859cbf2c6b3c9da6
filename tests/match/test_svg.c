/* test_svg.c -- boards as pictures, of every game: well-formed, within bounds, and of a view no
 * more than the view shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/breakthrough.h"
#include "match/match.h"
#include "match/svg.h"
#include "tests/support/support.h"

enum { TEXT_BYTES = 1 << 20, USUAL_BYTES = 30000, DEPTH_MAX = 16, POSITIONS = 60 };

/* --- A reader of XML -------------------------------------------------------------------------- */

/* What is left to read, and the open elements. */
typedef struct Xml {
    const char *at;
    const char *open[DEPTH_MAX];
    uint32_t depth;
} Xml;

/* An escape, which must be one of the five that are used. */
static void read_escape(Xml *xml) {
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(xml->at, known[i], strlen(known[i])) == 0) {
            xml->at += strlen(known[i]);
            return;
        }
    fail_msg("not an escape: %.20s", xml->at);
}

/* The length of a name. */
static size_t name_length(const char *at) {
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
}

/* The attributes of an element, each once. */
static void read_attributes(Xml *xml) {
    while (*xml->at == ' ') {
        xml->at++;
        size_t length = name_length(xml->at);
        assert_true(length > 0);
        xml->at += length;
        assert_memory_equal(xml->at, "=\"", 2);
        xml->at += 2;
        while (*xml->at != '"') {
            assert_true(*xml->at != '\0' && *xml->at != '<');
            if (*xml->at == '&')
                read_escape(xml);
            else
                xml->at++;
        }
        xml->at++;
    }
}

/* A tag, from its '<' on. */
static void read_tag(Xml *xml) {
    bool closes = xml->at[1] == '/';
    const char *name = xml->at + 1 + closes;
    size_t length = name_length(name);
    assert_true(length > 0);
    xml->at = name + length;
    if (closes) {
        assert_true(xml->depth > 0);
        const char *opened = xml->open[--xml->depth];
        assert_true(strncmp(opened, name, length) == 0 && name_length(opened) == length);
    } else {
        read_attributes(xml);
        if (*xml->at == '/') {
            assert_true(xml->depth > 0);
            xml->at++;
        } else {
            assert_true(xml->depth < DEPTH_MAX);
            xml->open[xml->depth++] = name;
        }
    }
    assert_int_equal(*xml->at, '>');
    xml->at++;
}

/* The whole is one element, all of it well-formed. */
static void assert_xml(const char *document) {
    Xml xml = {.at = document};
    assert_memory_equal(document, "<svg ", 5);
    do {
        if (*xml.at == '<')
            read_tag(&xml);
        else if (*xml.at == '&')
            read_escape(&xml);
        else {
            assert_true((unsigned char)*xml.at >= ' ' || *xml.at == '\n');
            xml.at++;
        }
    } while (xml.depth > 0);
    assert_string_equal(xml.at, "\n");
}

/* --- Pictures of every game ------------------------------------------------------------------- */

/* One game's content, a position of it and its picture. */
typedef struct SvgFixture {
    MashContent *content;
    void *state, *view, *guessed;
    void *memory;
    MashEvents events;
    char *bytes, *other;
    uint32_t longest;
    uint32_t hidden; /* positions in which something was hidden */
} SvgFixture;

/* Opens the content of a preset. */
static SvgFixture fixture_of(const MashGame *game, const char *preset) {
    MashContent *content = support_content(game, preset);
    return (SvgFixture){.content = content,
                        .state = support_state(content),
                        .view = support_state(content),
                        .guessed = support_state(content),
                        .memory = support_memory(mash_board_bytes(content)),
                        .bytes = support_memory(TEXT_BYTES),
                        .other = support_memory(TEXT_BYTES)};
}

static void fixture_release(SvgFixture *fixture) {
    support_free(fixture->bytes);
    support_free(fixture->other);
    support_free(fixture->memory);
    support_free(fixture->guessed);
    support_free(fixture->view);
    support_free(fixture->state);
    support_free(fixture->content);
}

/* Draws a state or view. */
static uint32_t draw(SvgFixture *fixture, const void *view, char *out, const char *ann) {
    MashBoard board = mash_board_over(fixture->content, fixture->memory);
    MashText text = text_over(out, TEXT_BYTES);
    SvgPicture picture = {.content = fixture->content,
                          .view = view,
                          .board = &board,
                          .players = {ann, "Bob"},
                          .events = fixture->events.list,
                          .events_count = fixture->events.count,
                          .reader = MASH_SEAT_SPECTATOR,
                          .number = 7,
                          .count = 9};
    fixture->content->game->show(fixture->content, view, &board);
    svg_write(&picture, &text);
    assert_false(text.truncated);
    return text.count;
}

/* The names of kinds that some hidden token of the state has and no shown one. */
static void assert_no_hidden_names(SvgFixture *fixture) {
    const MashContent *content = fixture->content;
    MashBoard board = mash_board_over(content, fixture->memory);
    bool shown[256] = {false};
    content->game->show(content, fixture->view, &board);
    for (uint32_t i = 0; i < board.tokens_count; i++)
        if (!(board.tokens[i].flags & MASH_TOKEN_HIDDEN))
            shown[board.tokens[i].kind] = true;
    content->game->show(content, fixture->state, &board);
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        char bytes[128] = "<title>";
        MashText name = {bytes, 7, sizeof bytes, false};
        content->game->name(content, NULL, MASH_NAME_KIND, board.tokens[i].kind, &name);
        text_byte(&name, ' ');
        if (!shown[board.tokens[i].kind])
            assert_null(strstr(fixture->bytes, bytes));
    }
}

/* A position: its pictures are well-formed; that of a view is the same for all states it could be
 * of. */
static void visit(void *owner, uint8_t seat, MashChance *chooser) {
    SvgFixture *fixture = owner;
    const MashContent *content = fixture->content;
    const MashGame *game = content->game;
    uint32_t bytes = content->limits.state_bytes;
    (void)seat;
    uint32_t count = draw(fixture, fixture->state, fixture->bytes, "Ann");
    fixture->longest = count > fixture->longest ? count : fixture->longest;
    assert_xml(fixture->bytes);
    memcpy(fixture->view, fixture->state, bytes);
    game->hide(content, fixture->view, MASH_SEAT_SPECTATOR);
    draw(fixture, fixture->view, fixture->bytes, "Ann");
    assert_xml(fixture->bytes);
    assert_no_hidden_names(fixture);
    if (game->guess == NULL || memcmp(fixture->view, fixture->state, bytes) == 0)
        return;
    fixture->hidden++;
    memcpy(fixture->guessed, fixture->view, bytes);
    game->guess(content, fixture->guessed, MASH_SEAT_SPECTATOR, chooser);
    game->hide(content, fixture->guessed, MASH_SEAT_SPECTATOR);
    draw(fixture, fixture->guessed, fixture->other, "Ann");
    assert_string_equal(fixture->bytes, fixture->other);
}

static void every_game_is_drawn(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->presets_count; i++) {
            SvgFixture fixture = fixture_of(*game, (*game)->presets[i].id);
            support_positions(fixture.content, POSITIONS, 9, fixture.state, visit, &fixture);
            if (fixture.content->limits.width * fixture.content->limits.height <= 20 * 20)
                assert_in_range(fixture.longest, 1000, USUAL_BYTES);
            if (strcmp((*game)->id, "generals") == 0)
                assert_true(fixture.hidden > 0);
            fixture_release(&fixture);
        }
}

/* --- One board in detail ---------------------------------------------------------------------- */

/* How often a text occurs. */
static uint32_t count_of(const char *in, const char *what) {
    uint32_t count = 0;
    for (; (in = strstr(in, what)) != NULL; in++)
        count++;
    return count;
}

static SvgFixture breakthrough;

static int open_scene(void **unused) {
    (void)unused;
    breakthrough = fixture_of(&breakthrough_game, NULL);
    MashChance chance = chance_sampled(0);
    breakthrough_game.setup(breakthrough.content, NULL, &chance, breakthrough.state);
    return 0;
}

static int close_scene(void **unused) {
    (void)unused;
    fixture_release(&breakthrough);
    return 0;
}

static void sides_have_shapes(void **unused) {
    (void)unused;
    draw(&breakthrough, breakthrough.state, breakthrough.bytes, "Ann");
    assert_int_equal(count_of(breakthrough.bytes, "<circle "), 16 + 1);
    assert_int_equal(count_of(breakthrough.bytes, "<path d=\"M"), 16 + 1);
    assert_non_null(strstr(breakthrough.bytes, "Ann (White)"));
    assert_non_null(strstr(breakthrough.bytes, "Ann to move"));
    assert_non_null(strstr(breakthrough.bytes, "Action 7 of 9<"));
    assert_int_equal(count_of(breakthrough.bytes, "class=\"m\""), 0);
}

/* Whatever a player is called: no element, no broken document, no endless line. */
static void names_are_escaped(void **unused) {
    (void)unused;
    draw(&breakthrough, breakthrough.state, breakthrough.bytes,
         "<script>\"&'\x01\xef\xbf\xbf\xff\xc3</script>");
    assert_xml(breakthrough.bytes);
    assert_null(strstr(breakthrough.bytes, "<script"));
    assert_non_null(strstr(breakthrough.bytes, "&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;"));
    char name[200];
    memset(name, 'W', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    draw(&breakthrough, breakthrough.state, breakthrough.bytes, name);
    assert_non_null(strstr(breakthrough.bytes, "WWWW\xe2\x80\xa6</text>"));
}

/* What happened last is marked, as far as the reader saw it. */
static void the_last_step_is_marked(void **unused) {
    (void)unused;
    MashEvent events[] = {{.kind = MASH_EVENT_MOVED,
                           .seen_by = MASH_SEEN_BY_ALL,
                           .from_x = 1,
                           .from_y = 6,
                           .x = 2,
                           .y = 5},
                          {.kind = MASH_EVENT_DIED, .seen_by = 1, .x = 3, .y = 3},
                          {.kind = MASH_EVENT_DIED, .seen_by = MASH_SEEN_BY_ALL, .x = 100, .y = 3},
                          {.kind = MASH_EVENT_TURN_BEGAN, .seen_by = MASH_SEEN_BY_ALL}};
    breakthrough.events = (MashEvents){events, 4, 4};
    draw(&breakthrough, breakthrough.state, breakthrough.bytes, "Ann");
    assert_xml(breakthrough.bytes);
    const char *marks = strstr(breakthrough.bytes, "class=\"m\"");
    assert_non_null(marks);
    char line[256];
    MashText text = text_over(line, sizeof line);
    text_bytes(&text, marks, (uint32_t)strcspn(marks, "\n"));
    assert_int_equal(count_of(line, "h36v36h-36z"), 2);
    assert_int_equal(count_of(line, "L"), 1);
}

/* A picture that does not fit says so. */
static void too_small_is_told(void **unused) {
    (void)unused;
    MashBoard board = mash_board_over(breakthrough.content, breakthrough.memory);
    breakthrough_game.show(breakthrough.content, breakthrough.state, &board);
    MashText text = text_over(breakthrough.bytes, 500);
    SvgPicture picture = {
        .content = breakthrough.content, .view = breakthrough.state, .board = &board};
    svg_write(&picture, &text);
    assert_true(text.truncated);
}

int main(void) {
#define DETAIL(name) cmocka_unit_test_setup_teardown(name, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_is_drawn), DETAIL(sides_have_shapes), DETAIL(names_are_escaped),
        DETAIL(the_last_step_is_marked),       DETAIL(too_small_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
