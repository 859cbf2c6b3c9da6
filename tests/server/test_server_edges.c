/* test_server_edges.c -- answers of the HTTP interface letter by letter, places in lists, what a
 * machine with few open files does to the limits, and tables that close while an AI player thinks.
 */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/http_api.h"
#include "server/internal.h"

static char body[1 << 17];

static uint16_t get(const char *path) {
    MashText out = text_over(body, sizeof body);
    return fake_get(arena.server->net, path, &out);
}

/* Bytes of a query that are written with a percent sign; a NUL is none, nor is what is cut off. */
static void queries_are_decoded(void **unused) {
    (void)unused;
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    const char *query = "%0aB%41%c3%9F+%00%4g%G4%&%41";
    assert_string_equal(http_api_decode(query, "&", &text), "&%41");
    assert_string_equal(memory, "\nBA\xc3\x9f %00%4g%G4%");
    text_clear(&text);
    assert_string_equal(http_api_decode("a%4", "/", &text), "");
    assert_string_equal(memory, "a%4");
}

/* A preset and own files are together too many, each of its own kind. */
static void too_many_files_are_refused(void **unused) {
    (void)unused;
    char request[4096];
    MashText text = text_over(request, sizeof request);
    text_string(&text, "{\"type\":\"open\",\"game\":\"zorde\",\"documents\":[");
    for (uint32_t i = 0; i < MASH_DOCUMENTS_MAX; i++)
        text_format(&text, "%s{\"name\":\"a.kind%u.json\",\"text\":\"{}\"}", i == 0 ? "" : ",", i);
    text_string(&text, "]}");
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "%s", request);
    text_clear(&text);
    text_format(&text, "at most %d files", (int)MASH_DOCUMENTS_MAX);
    assert_non_null(strstr(ann.received, request));
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* A table that waits and one that is played, with all that is known of them. */
static void lists_say_everything_and_nothing_else(void **unused) {
    (void)unused;
    static char expected[4096];
    test_client_join(&eve, &arena, "Eve", "ai", "json");
    test_client_send(&eve,
                     "{\"type\":\"open\",\"game\":\"generals\",\"seat\":1,\"turn_ms\":30000}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    fixture_begin("\"glass\":true,\"match_ms\":600000", "person");
    assert_int_equal(get("/api/matches"), 200);
    const MashGame *generals = mash_game_find("generals");
    MashText text = text_over(expected, sizeof expected);
    text_format(&text,
                "{\"matches\":[{\"code\":\"%s\",\"game\":\"generals\",\"preset\":\"%s\","
                "\"state\":\"waiting\",\"quick\":false,\"glass\":",
                eve.code, generals->presets[0].id);
    assert_memory_equal(body, expected, text.count);
    const char *second = strstr(body, "},{\"code\":");
    assert_non_null(second);
    text_clear(&text);
    text_format(&text,
                "},{\"code\":\"%s\",\"game\":\"zorde\",\"preset\":\"duel\",\"state\":\"running\","
                "\"quick\":false,\"glass\":true,\"watchers\":0,\"turn_ms\":",
                ann.code);
    assert_memory_equal(second, expected, text.count);
    assert_non_null(strstr(second,
                           ",\"match_ms\":600000,\"options\":{},\"players\":["
                           "{\"seat\":0,\"name\":\"Ann\",\"role\":\"person\",\"here\":true},"
                           "{\"seat\":1,\"name\":\"Bob\",\"role\":\"person\",\"here\":true}"
                           "]}]}\n"));
    const char *first = strstr(body, ",\"turn_ms\":30000,\"match_ms\":");
    assert_true(first != NULL && first < second);
    const char *players = strstr(body, "\"players\":[{\"seat\":0,\"here\":false},{\"seat\":1,"
                                       "\"name\":\"Eve\",\"role\":\"ai\",\"here\":true}]");
    assert_true(players != NULL && players < second);
}

/* Whoever says hello is told all games. */
static void the_welcome_has_all_games(void **unused) {
    (void)unused;
    char wanted[512];
    MashText text = text_over(wanted, sizeof wanted);
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        text_format(&text, "%s\"%s\"", game == mash_games ? "\"games\":[" : ",", (*game)->id);
    text_byte(&text, ']');
    test_client_connect(&ann, &arena, "/arena");
    test_client_send(&ann, "{\"type\":\"hello\",\"name\":\"Ann\",\"role\":\"person\"}");
    test_client_expect(&ann, MESSAGE_SERVER_WELCOME);
    assert_non_null(strstr(ann.received, wanted));
}

/* A place in the list is a state and a number; nothing else is one. */
static void places_in_lists_are_judged(void **unused) {
    (void)unused;
    static const char *const good[] = {"waiting-1", "running-7", "waiting-18446744073709551615"};
    static const char *const bad[] = {"waiting-0", "waiting--1", "waiting-1x", "waiting-",
                                      "waiting",   "waiting_1",  "xaiting-1",  "running1",
                                      "over-1",    "-1",         "1",          "runningg-1"};
    char path[96];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(path, sizeof path, "/api/matches?after=%s", good[i]);
        assert_int_equal(get(path), 200);
        assert_string_equal(body, "{\"matches\":[]}\n");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(path, sizeof path, "/api/matches?after=%s", bad[i]);
        if (get(path) != 400)
            fail_msg("%s is a place", bad[i]);
    }
}

/* Finished matches, the latest first, and where the next page begins: behind the last of them. */
static void the_archive_says_where_it_goes_on(void **unused) {
    (void)unused;
    enum { MATCHES = 3 };
    char codes[MATCHES][PROTO_CODE_MAX + 1], path[128], after[PROTO_CODE_MAX + 1];
    unsigned long long after_ms;
    for (uint32_t i = 0; i < MATCHES; i++) {
        fixture_begin("", "person");
        memcpy(codes[i], ann.code, sizeof codes[i]);
        test_client_act(fixture_awaited());
        test_client_send(&ann, "{\"type\":\"resign\"}");
        arena_run(&arena, 1000);
        test_client_release(&ann);
        test_client_release(&bob);
        arena_run(&arena, 1000);
    }
    assert_int_equal(get("/api/archive"), 200);
    const char *at = body;
    for (uint32_t i = MATCHES; i-- > 0;) {
        at = strstr(at, codes[i]);
        assert_non_null(at);
    }
    const char *last = strstr(at, "],\"last\":{");
    assert_non_null(last);
    int length = 0;
    assert_int_equal(sscanf(last, "],\"last\":{\"after_ms\":%llu,\"after\":\"%14[^\"]\"}}\n%n",
                            &after_ms, after, &length),
                     2);
    assert_string_equal(last + length, "");
    assert_string_equal(after, codes[0]);
    snprintf(path, sizeof path, "/api/archive?after_ms=%llu&after=%s", after_ms, after);
    assert_int_equal(get(path), 200);
    assert_string_equal(body, "{\"matches\":[]}\n");
    assert_int_equal(get("/api/archive?player=Eve"), 200); /* she was in none of them */
    assert_string_equal(body, "{\"matches\":[]}\n");
    assert_int_equal(get("/api/archive?game=tablut"), 200);
    assert_string_equal(body, "{\"matches\":[]}\n");
    assert_int_equal(get("/api/archive?player=Ann&game=zorde"), 200);
    assert_non_null(strstr(body, codes[0]));
}

/* The documents of a game: all of its presets, as it has them. */
static void documents_are_listed_by_preset(void **unused) {
    (void)unused;
    static char expected[1 << 16];
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        char path[64];
        MashText text = text_over(expected, sizeof expected);
        text_string(&text, "{\"presets\":[");
        for (uint32_t i = 0; i < (*game)->presets_count; i++) {
            const MashPreset *preset = &(*game)->presets[i];
            text_format(&text, "%s{\"id\":\"%s\",\"title\":\"%s\",\"documents\":[",
                        i == 0 ? "" : ",", preset->id, preset->title);
            for (uint32_t j = 0; j < MASH_DOCUMENTS_MAX && preset->documents[j] != NULL; j++)
                text_format(&text, "%s\"%s\"", j == 0 ? "" : ",", preset->documents[j]);
            text_string(&text, "]}");
        }
        text_string(&text, "]}\n");
        snprintf(path, sizeof path, "/api/content/%s", (*game)->id);
        assert_int_equal(get(path), 200);
        assert_string_equal(body, expected);
    }
}

/* Games with their presets, times and options. */
static void games_are_listed_with_their_options(void **unused) {
    (void)unused;
    assert_int_equal(get("/api/games"), 200);
    const char *at = body;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        char words[512];
        snprintf(words, sizeof words,
                 "{\"id\":\"%s\",\"title\":\"%s\",\"version\":%u,\"presets\":[", (*game)->id,
                 (*game)->title, (*game)->version);
        at = strstr(at, words);
        assert_non_null(at);
        for (uint32_t i = 0; i < (*game)->presets_count; i++) {
            const LoadedContent *loaded =
                content_of_preset(arena.server, *game, (*game)->presets[i].id);
            snprintf(words, sizeof words,
                     "{\"id\":\"%s\",\"title\":\"%s\",\"width\":%u,\"height\":%u,",
                     (*game)->presets[i].id, (*game)->presets[i].title,
                     loaded->content->limits.width, loaded->content->limits.height);
            at = strstr(at, words);
            assert_non_null(at);
        }
        at = strstr(at, "}],\"options\":[");
        assert_non_null(at);
        for (uint32_t i = 0; i < (*game)->options_count; i++) {
            const MashOption *option = &(*game)->options[i];
            snprintf(words, sizeof words,
                     "{\"id\":\"%s\",\"title\":\"%s\",\"least\":%d,\"most\":%d,\"usual\":%d}",
                     option->id, option->title, option->least, option->most, option->usual);
            at = strstr(at, words);
            assert_non_null(at);
        }
    }
}

/* --- Metrics ---------------------------------------------------------------------------------- */

/* The line after this one; NULL = the text ends. */
static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    assert_non_null(end);
    return end[1] == '\0' ? NULL : end + 1;
}

/* Does the line say the value of this metric, with a label or without? */
static bool is_sample(const char *line, const char *name) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || (line[length] != ' ' && line[length] != '{'))
        return false;
    const char *end = strchr(line, '\n'), *value = end;
    while (value != NULL && value[-1] >= '0' && value[-1] <= '9')
        value--;
    return value < end && value[-1] == ' ';
}

/* Every metric has its help, its type and its values, one per line, and nothing else is told. */
static void metrics_are_written_one_by_one(void **unused) {
    (void)unused;
    uint32_t metrics = 0;
    fixture_begin("", "person");
    test_client_act(fixture_awaited());
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"hello\"}");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    assert_int_equal(get("/metrics"), 200);
    for (const char *line = body; line != NULL; metrics++) {
        char name[64], again[64], type[16];
        assert_int_equal(sscanf(line, "# HELP %63s", name), 1);
        assert_memory_equal(name, "mashup_", 7);
        line = next_line(line);
        assert_int_equal(sscanf(line, "# TYPE %63s %15s\n", again, type), 2);
        assert_string_equal(again, name);
        assert_true(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0);
        assert_int_equal(strcmp(name + strlen(name) - 6, "_total") == 0, type[0] == 'c');
        line = next_line(line);
        assert_true(line != NULL && is_sample(line, name));
        while (line != NULL && line[0] != '#') {
            assert_true(is_sample(line, name));
            line = next_line(line);
        }
    }
    assert_true(metrics > 50);
    static const char *const values[] = {"tables{state=\"waiting\"} 0",
                                         "tables{state=\"running\"} 1",
                                         "tables{state=\"over\"} 0",
                                         "watchers 1",
                                         "sessions 3",
                                         "actions_total 1",
                                         "matches_begun_total 1",
                                         "matches_over_total 0",
                                         "chat_lines_total 1",
                                         "store_matches 1",
                                         "refusals_total 0",
                                         "thoughts 0",
                                         "store_low 0",
#define BUDGET_LINE(name, id) "budget_refusals_total{kind=\"" id "\"} 0",
                                         BUDGET_KINDS(BUDGET_LINE)
#undef BUDGET_LINE
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char line[128];
        snprintf(line, sizeof line, "\nmashup_%s\n", values[i]);
        if (strstr(body, line) == NULL)
            fail_msg("no line says mashup_%s", values[i]);
    }
}

/* --- Few open files --------------------------------------------------------------------------- */

/* With fewer files than sockets, seven of eight are for the arena and half for one address, unless
 * one address may have all. */
static void few_files_lower_the_limits(void **unused) {
    (void)unused;
    static const struct {
        uint32_t sockets, websockets, address, fit;
        uint32_t sockets_then, websockets_then, address_then;
    } all[] = {
        {1000, 900, 100, 1000, 1000, 900, 100}, {1000, 900, 100, 800, 800, 700, 100},
        {1000, 900, 500, 800, 800, 700, 400},   {1000, 900, 1000, 800, 800, 700, 800},
        {1000, 700, 400, 800, 800, 700, 400},   {1000, 701, 401, 800, 800, 700, 400},
        {1000, 900, 999, 999, 999, 875, 499},   {1000, 10, 2000, 16, 16, 10, 16},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        arena_kill(&arena);
        arena.setup.limits.sockets_max = all[i].sockets;
        arena.setup.limits.websockets_max = all[i].websockets;
        arena.setup.limits.address_sockets_max = all[i].address;
        fake_files(all[i].fit);
        arena.log_count = 0;
        arena.log[0] = '\0';
        arena_open(&arena);
        const NetLimits *limits = &arena.server->setup.limits;
        assert_int_equal(limits->sockets_max, all[i].sockets_then);
        assert_int_equal(limits->websockets_max, all[i].websockets_then);
        assert_int_equal(limits->address_sockets_max, all[i].address_then);
        assert_int_equal(arena.server->sockets_left, all[i].websockets_then);
        char words[128];
        snprintf(words, sizeof words,
                 "for %u sockets: there will be %u, %u of them at the arena, %u", all[i].sockets,
                 all[i].sockets_then, all[i].websockets_then, all[i].address_then);
        assert_int_equal(strstr(arena.log, words) != NULL, all[i].fit < all[i].sockets);
    }
    fake_files(0);
}

/* --- Robots ----------------------------------------------------------------------------------- */

/* A table closes while its AI player thinks: the search ends later, without a table. */
static void a_search_may_outlive_its_table(void **unused) {
    (void)unused;
    for (uint32_t wait = 0; wait < 3; wait++) {
        fake_thinking(arena.loop, 500);
        test_client_join(&ann, &arena, "Ann", "ai", "json");
        test_client_send(&ann,
                         "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":1,"
                         "\"opponent\":\"ai\",\"level\":1}");
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        arena_run(&arena, 10 + 200 * wait);
        test_client_send_nowait(&ann, "{\"type\":\"leave\"}");
        arena_run(&arena, 5);
        test_client_release(&ann);
        arena_run(&arena, 60000);
        assert_null(arena.server->tables);
        assert_int_equal(arena.server->ai_jobs_count, 0);
    }
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(queries_are_decoded),
        ROW(too_many_files_are_refused),
        ROW(lists_say_everything_and_nothing_else),
        ROW(the_welcome_has_all_games),
        ROW(places_in_lists_are_judged),
        ROW(the_archive_says_where_it_goes_on),
        ROW(documents_are_listed_by_preset),
        ROW(games_are_listed_with_their_options),
        ROW(metrics_are_written_one_by_one),
        ROW(few_files_lower_the_limits),
        ROW(a_search_may_outlive_its_table),
    };
    return cmocka_run_group_tests_name("server_edges", tests, NULL, NULL);
}
