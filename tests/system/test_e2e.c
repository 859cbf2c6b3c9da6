/* test_e2e.c -- a real server and real terminals on loopback, in every game: quick match, invite,
 * watch late, pause, turn time, lost connections, seats taken over, resign, draw, rematch, chat. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "include/mashup.h"
#include "tests/support/support.h"
#include "tests/system/processes.h"

enum {
    CODE_BYTES = 16,
    TOKEN_BYTES = 40,
    MOVES = 8,
    STEP_MS = 10,
    TURN_WAIT_MS = 5000,
    ROUNDS_MAX = 100,
    TESTS_MAX = 20 + SUPPORT_GAMES_MAX
};

/* Two players at one table. */
typedef struct Duel {
    const char *game;
    Process *ann, *bob;
    char code[CODE_BYTES];
} Duel;

static ServerProcess server;

/* --- People ----------------------------------------------------------------------------------- */

static Process *join(const char *name, const char *format, const char *a, const char *b) {
    char flags[512];
    const char *parts[] = {a, b};
    snprintf(flags, sizeof flags, "%s %s %s", format, parts[0], parts[1]);
    return process_run(name, "join %s --name %s %s", server.place, name, flags);
}

/* Both are at the running match. */
static void await_both(Duel *duel) {
    Process *people[] = {duel->ann, duel->bob};
    for (int i = 0; i < 2; i++) {
        process_expect(people[i], ", you");
        process_expect(people[i], "to move");
    }
}

static void sit_down(Duel *duel, const char *game, const char *flags) {
    *duel = (Duel){.game = game};
    duel->ann = join("Ann", "--game", game, flags);
    process_token(process_expect(duel->ann, "Table"), " ", duel->code, CODE_BYTES);
    duel->code[strlen(duel->code) - 1] = '\0'; /* the colon */
    process_expect(duel->ann, "Waiting for an opponent");
    duel->bob = join("Bob", "--game", game, flags);
    await_both(duel);
}

static void get_up(Duel *duel) {
    process_write(duel->ann, "quit");
    process_write(duel->bob, "quit");
    assert_int_equal(process_end(duel->ann), 0);
    assert_int_equal(process_end(duel->bob), 0);
}

/* Has the log of this player any lines? `sentinel` is how its own chat comes back. */
static bool has_news(Process *process, const char *sentinel) {
    process_skip(process);
    size_t from = process->seen;
    process_write(process, "log");
    process_write(process, "chat sentinel");
    process_expect(process, sentinel);
    return strstr(process->text + from, "Nothing has happened") == NULL;
}

/* Both choose the first line of their menus again and again, until the reader's log has lines;
 * choosing out of turn does no harm. In Generals both place their armies first. */
static void play_until_news(const Duel *duel, Process *reader, const char *sentinel) {
    Process *people[] = {duel->ann, duel->bob};
    for (int i = 0; i < 2 && strcmp(duel->game, "generals") == 0; i++) {
        process_write(people[i], "layout");
        process_sleep(STEP_MS);
        process_write(people[i], "ready");
    }
    for (int round = 0; round < ROUNDS_MAX; round++) {
        for (int step = 0; step < MOVES; step++) {
            process_write(people[step % 2], "1");
            process_sleep(STEP_MS);
        }
        if (has_news(reader, sentinel))
            return;
    }
    fail_msg("%s has no news of %s", reader->name, duel->game);
}

static void token_of(Process *process, char out[TOKEN_BYTES]) {
    process_write(process, "options");
    process_token(process_expect(process, "to return from any device"), "--return ", out,
                  TOKEN_BYTES);
}

/* Sends this chat message and waits until the server has received it: everything before it was
 * handled too. */
static void say(Process *process, const char *line, const char *chat) {
    char words[64];
    process_skip(process);
    process_write(process, line);
    snprintf(words, sizeof words, "chat %s", chat);
    process_write(process, words);
    snprintf(words, sizeof words, ": %s\n", chat);
    process_expect(process, words);
}

/* The player to act offers a draw, whichever it is; returns the other one, who has received it. */
static Process *offer_draw(const Duel *duel) {
    Process *offers = duel->ann, *answers = duel->bob;
    size_t from = offers->count;
    say(offers, "draw", "what about a draw");
    if (strstr(offers->text + from, "It's not your turn.") != NULL) {
        offers = duel->bob;
        answers = duel->ann;
        say(offers, "draw", "what about a draw");
    }
    process_expect(answers, "offers a draw. Type accept or decline.");
    return answers;
}

/* --- One match with everything ---------------------------------------------------------------- */

static void talk_and_pause(const Duel *duel, Process *eve) {
    Process *people[] = {duel->ann, duel->bob, eve};
    process_write(duel->ann, "chat good luck to you");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "Ann: good luck to you\n");
    process_write(eve, "chat nice moves");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "Eve (watching): nice moves\n");
    process_write(duel->bob, "pause");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "Bob paused the match");
    process_write(duel->ann, "pause");
    process_expect(duel->ann, "The match is paused.");
    process_write(duel->ann, "1");
    process_expect(duel->ann, "The match is paused. Type continue to resume.");
    process_write(duel->ann, "continue");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "Ann resumed the match.");
}

/* The connection is lost by killing the client; the seat is resumed with its token. */
static void lose_and_return(Duel *duel, Process *eve) {
    char token[TOKEN_BYTES];
    token_of(duel->bob, token);
    process_kill(duel->bob, SIGKILL);
    process_end(duel->bob);
    process_expect(duel->ann, "Bob lost the connection or left.");
    process_expect(eve, "Bob lost the connection or left.");
    duel->bob = join("Bob", "--return", token, "");
    process_expect(duel->bob, duel->code);
    process_expect(duel->bob, "to move");
    process_expect(duel->ann, "Bob is back.");
}

/* Another device takes over a seat: the first one is told. */
static void take_over(Duel *duel) {
    char token[TOKEN_BYTES];
    token_of(duel->ann, token);
    Process *second = join("Annelise", "--return", token, "");
    process_expect(second, duel->code);
    process_expect(second, "Ann (person), you");
    process_expect(second, "to move");
    process_expect(duel->ann, "You're playing this match in another window.");
    process_expect(duel->ann, "You're in the lobby");
    process_write(duel->ann, "quit");
    assert_int_equal(process_end(duel->ann), 0);
    duel->ann = second;
}

static void resign_and_again(Duel *duel, Process *eve) {
    Process *people[] = {duel->ann, duel->bob, eve};
    process_write(duel->ann, "resign");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "(Bob) won: resignation.");
    process_write(duel->bob, "rematch");
    process_expect(duel->ann, "Bob wants a rematch.");
    process_write(duel->ann, "rematch");
    for (int i = 0; i < 3; i++) {
        process_expect(people[i], "Table ");
        process_expect(people[i], "to move");
    }
}

static void draw_in_the_end(const Duel *duel, Process *eve) {
    Process *people[] = {duel->ann, duel->bob, eve};
    say(offer_draw(duel), "decline", "well");
    process_write(offer_draw(duel), "accept");
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "Draw: draw agreed.");
}

static void whole_evening(const char *game, const char *preset) {
    char flags[64];
    Duel duel;
    snprintf(flags, sizeof flags, "%s", preset);
    sit_down(&duel, game, flags);
    play_until_news(&duel, duel.ann, "Ann: sentinel");
    Process *eve = join("Eve", "--watch", duel.code, "");
    process_expect(eve, "Ann (person)");
    process_expect(eve, "to move");
    talk_and_pause(&duel, eve);
    play_until_news(&duel, eve, "Eve (watching): sentinel");
    lose_and_return(&duel, eve);
    take_over(&duel);
    play_until_news(&duel, duel.ann, "Ann: sentinel");
    resign_and_again(&duel, eve);
    draw_in_the_end(&duel, eve);
    get_up(&duel);
    process_write(eve, "quit");
    assert_int_equal(process_end(eve), 0);
}

/* Presets in which something happens soon; of other games the first one is played. */
static const char *evening_flags(const char *game) {
    static const char *const flags[][2] = {{"zorde", "--preset battle"},
                                           {"battleground", "--preset small"},
                                           {"marvelous-mashup", "--preset sanctum"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i][0], game) == 0)
            return flags[i][1];
    return "";
}

static void a_match_with_everything(void **state) {
    const MashGame *game = *state;
    whole_evening(game->id, evening_flags(game->id));
}

/* --- Shorter ones, in every game -------------------------------------------------------------- */

/* An unlisted table with a code; a third player finds no seat; a player who is away too long
 * loses. */
static void invite(void **state) {
    (void)state;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        Duel duel = {.game = (*game)->id};
        duel.ann = join("Ann", "--invite --grace-ms 300 --game", duel.game, "");
        process_token(process_expect(duel.ann, "Waiting for"), "--code ", duel.code, CODE_BYTES);
        Process *eve = join("Eve", "", "", "");
        process_expect(eve, "You're in the lobby");
        process_write(eve, "matches");
        process_write(eve, "games");
        process_expect(eve, "Marvelous Mashup");
        assert_null(strstr(eve->text, duel.code));
        duel.bob = join("Bob", "--code", duel.code, "");
        await_both(&duel);
        char words[64];
        snprintf(words, sizeof words, "join %s", duel.code);
        process_write(eve, words);
        process_expect(eve, "That match is full.");
        process_kill(duel.bob, SIGKILL);
        process_expect(duel.ann, "(Ann) won: a player left.");
        process_end(duel.bob);
        process_write(duel.ann, "leave");
        process_expect(duel.ann, "You're in the lobby");
        process_write(eve, "quit");
        process_write(duel.ann, "quit");
        assert_int_equal(process_end(eve), 0);
        assert_int_equal(process_end(duel.ann), 0);
    }
}

/* Plays on until Bob has something to take back, asks for it and lets Ann answer; whether Bob heard
 * `heard`. On a busy machine Bob's turn may come only after his choices, and Ann may act after he
 * has asked, which ends the request: then it is all done again. */
static bool ask_for_takeback(const Duel *duel, const char *answer, const char *heard) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        for (int step = 0; step < MOVES; step++) {
            process_write(step % 2 == 0 ? duel->ann : duel->bob, "1");
            process_sleep(STEP_MS);
        }
        process_write(duel->bob, "takeback");
        if (process_expect_line(duel->ann, "Bob asks to take back an action. Type takeback accept",
                                TURN_WAIT_MS) == NULL)
            continue;
        process_write(duel->ann, answer);
        if (process_expect_line(duel->bob, heard, TURN_WAIT_MS) != NULL)
            return true;
    }
    return false;
}

/* Nothing can be undone at first; later an action is taken back if the other allows it. */
static void take_back(void **state) {
    Duel duel;
    (void)state;
    sit_down(&duel, "tablut", "");
    process_write(duel.bob, "undo");
    process_expect(duel.bob, "You have done nothing yet that could be undone.");
    process_write(duel.bob, "takeback perhaps");
    process_expect(duel.bob, "Usage: takeback");
    assert_true(ask_for_takeback(&duel, "takeback decline", "Ann declined the takeback."));
    assert_true(ask_for_takeback(&duel, "takeback accept", "Bob took back an action."));
    process_expect(duel.ann, "Bob took back an action.");
    get_up(&duel);
}

/* Nobody acts: the time of the first turn runs out, after a warning. A server that gets no
 * processor between the two does not warn any more, so the time is not too short. */
static void turn_time(void **state) {
    (void)state;
    Duel duels[SUPPORT_GAMES_MAX];
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        sit_down(&duels[i], mash_games[i]->id, "--turn-ms 2400");
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        const Duel *duel = &duels[i];
        process_expect(duel->ann, "won: time ran out.");
        process_expect(duel->bob, "won: time ran out.");
        bool warned = strstr(duel->ann->text, "seconds left for your turn") != NULL ||
                      strstr(duel->bob->text, "seconds left for your turn") != NULL;
        assert_true(warned);
        get_up(&duels[i]);
    }
}

/* [A9] The server is stopped for longer than a turn, as on a machine that swaps. A move that was
 * sent meanwhile counts, and nobody's time runs out: not when it wakes up, and not while it is
 * stopped again and nobody moves. */
static void a_server_that_stood_still(void **state) {
    (void)state;
    Duel duel;
    uint32_t turn_ms = process_is_slow() ? 6000 : 3000;
    char flags[32];
    snprintf(flags, sizeof flags, "--turn-ms %u", turn_ms);
    sit_down(&duel, "zorde", flags);
    kill(server.process->pid, SIGSTOP);
    for (int i = 0; i < 2; i++) { /* a unit and a cell; choosing out of turn does no harm */
        process_write(duel.ann, "1");
        process_write(duel.bob, "1");
    }
    process_sleep(turn_ms + 2000);
    kill(server.process->pid, SIGCONT);
    process_expect(duel.ann, "Dwarf D0 moves from 2,5 to 1,4.");
    process_expect(duel.bob, "Dwarf D0 moves from 2,5 to 1,4.");
    kill(server.process->pid, SIGSTOP);
    process_sleep(turn_ms + 2000);
    kill(server.process->pid, SIGCONT);
    say(duel.bob, "log", "sentinel");
    assert_null(strstr(duel.ann->text, "time ran out"));
    assert_null(strstr(duel.ann->text, "late"));
    assert_null(strstr(duel.bob->text, "late"));
    process_write(duel.ann, "resign");
    process_expect(duel.bob, "(Bob) won: resignation.");
    get_up(&duel);
}

/* An idle player loses; one that sends anything does not. */
static void silence(void **state) {
    (void)state;
    Process *people[SUPPORT_GAMES_MAX];
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        people[i] = join("Ann", "--vs ai --seat 0 --silence-ms 6000 --game", mash_games[i]->id, "");
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        process_expect(people[i], "to respond");
        process_write(people[i], "people");
    }
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        process_expect(people[i], "to respond");
        process_expect(people[i], "won: a player stopped responding.");
        process_write(people[i], "quit");
        assert_int_equal(process_end(people[i]), 0);
    }
}

/* An AI player of the server plays; leaving loses. */
static void robot(void **state) {
    (void)state;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        Process *ann = join("Ann", "--vs ai --level 1 --game", (*game)->id, "");
        process_expect(ann, "Computer");
        process_expect(ann, "to move");
        Duel alone = {.game = (*game)->id, .ann = ann, .bob = ann};
        play_until_news(&alone, ann, "Ann: sentinel");
        process_write(ann, "leave");
        process_expect(ann, "You're in the lobby");
        process_write(ann, "quit");
        assert_int_equal(process_end(ann), 0);
    }
}

/* The best AI players think in all games at the same time, each with three threads, and the server
 * still answers: no iteration of its loop does more than 20 ms of work, where one of their searches
 * takes a second. */
static void thinkers(void **state) {
    (void)state;
    static const char name[] = "\nmashup_loop_longest_turn_cpu_microseconds ";
    enum { MOST_US = 20000, SLOW = 6 };
    static char metrics[1 << 16];
    Process *people[SUPPORT_GAMES_MAX];
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        people[i] = join("Ann", "--vs ai --level 8 --seat 1 --game", mash_games[i]->id, "");
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        process_expect(people[i], "Computer");
    process_sleep(500);
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        say(people[i], "1", "are you there");
        process_write(people[i], "resign");
        process_expect(people[i], "won: resignation.");
        process_write(people[i], "quit");
        assert_int_equal(process_end(people[i]), 0);
    }
    server_get(&server, "/metrics", metrics, sizeof metrics);
    const char *line = strstr(metrics, name);
    if (line == NULL)
        fail_msg("no such line in: %s", metrics);
    long longest_us = strtol(line + sizeof name - 1, NULL, 10);
    printf("the longest iteration of the server's loop did %ld us of work\n", longest_us);
    assert_true(longest_us > 0 && longest_us <= MOST_US * (process_is_slow() ? SLOW : 1));
}

/* The first line of the server's answer to a page at this host that connects to the arena. */
static void request_as_page(const ServerProcess *at, const char *host, char *out, size_t max) {
    char request[512];
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(at->port)};
    int line = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(line, (struct sockaddr *)&address, sizeof address), 0);
    int count = snprintf(request, sizeof request,
                         "GET /arena HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nConnection: "
                         "Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                         host, host);
    assert_int_equal(send(line, request, (size_t)count, 0), count);
    ssize_t got = recv(line, out, max - 1, 0);
    out[got > 0 ? got : 0] = '\0';
    close(line);
}

/* Response heads contain each header once; the arena is for pages by names of the server, the
 * metrics for those who may see them. */
static void heads_and_names(void **state) {
    (void)state;
    static char answer[1 << 16];
    static const char sniff[] = "X-Content-Type-Options: nosniff\r\n";
    char path[192], flags[320];
    server_get(&server, "/api/games", answer, sizeof answer);
    const char *first = strstr(answer, sniff);
    assert_true(first != NULL && strstr(first + 1, sniff) == NULL);
    request_as_page(&server, "evil.example", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 403 "));
    process_expect(server.process, "refused a connection from web origin evil.example");
    request_as_page(&server, "localhost", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 101 "));
    snprintf(path, sizeof path, "%s.token", server.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("  figures-for-you-42\n", file);
    fclose(file);
    ServerProcess other = {.process = NULL};
    snprintf(flags, sizeof flags,
             "--host games.example --host evil.example --behind-proxy --metrics-token-file %s",
             path);
    server_start(&other, flags);
    request_as_page(&other, "evil.example", answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 101 "));
    server_stop(&other);
    file = fopen(path, "w");
    fputs("too short\n", file);
    fclose(file);
    Process *wrong = process_run("wrong", "serve --metrics-token-file %s", path);
    process_expect(wrong, "must hold one word of 16 to 256 letters");
    assert_int_equal(process_end(wrong), 2);
    remove(path);
}

/* --- The server itself ------------------------------------------------------------------------ */

/* The server is killed during all matches and restarts: everybody reconnects automatically. */
static void crash(void **state) {
    (void)state;
    Duel duels[SUPPORT_GAMES_MAX];
    Process *eve[SUPPORT_GAMES_MAX];
    uint32_t count = 0;
    for (; mash_games[count] != NULL; count++) {
        sit_down(&duels[count], mash_games[count]->id, "");
        play_until_news(&duels[count], duels[count].ann, "Ann: sentinel");
        eve[count] = join("Eve", "--watch", duels[count].code, "");
        process_expect(eve[count], "to move");
    }
    server_crash(&server, "");
    for (uint32_t i = 0; i < count; i++) {
        Process *people[] = {duels[i].ann, duels[i].bob, eve[i]};
        for (int j = 0; j < 3; j++) {
            process_expect(people[j], "Connection lost");
            process_expect(people[j], "Reconnected.");
        }
        play_until_news(&duels[i], duels[i].ann, "Ann: sentinel");
        process_write(duels[i].bob, "resign");
        for (int j = 0; j < 3; j++)
            process_expect(people[j], "(Ann) won: resignation.");
        get_up(&duels[i]);
        process_write(eve[i], "quit");
        assert_int_equal(process_end(eve[i]), 0);
    }
}

/* A player who quits is told how to return, and can. */
static void quit_and_return(void **state) {
    (void)state;
    Duel duel;
    char token[TOKEN_BYTES];
    sit_down(&duel, "zorde", "");
    process_write(duel.bob, "quit");
    process_token(process_expect(duel.bob, "Your seat is kept for 60 seconds: mashup join"),
                  "--return ", token, TOKEN_BYTES);
    assert_int_equal(process_end(duel.bob), 0);
    process_expect(duel.ann, "Bob lost the connection or left.");
    duel.bob = join("Bob", "--return", token, "");
    process_expect(duel.bob, "to move");
    process_expect(duel.ann, "Bob is back.");
    process_write(duel.ann, "leave");
    process_expect(duel.bob, "(Bob) won: a player left.");
    process_write(duel.ann, "quit");
    process_write(duel.bob, "quit");
    assert_int_equal(process_end(duel.ann), 0);
    assert_int_equal(process_end(duel.bob), 0);
}

/* Bots of one process play each other, and strangers, to the end; at a server that does not wait
 * for its disk, as a thousand actions of one match would wait a thousand times. */
static void bots(void **state) {
    (void)state;
    ServerProcess fast_server;
    server_start(&fast_server, "--fast");
    Process *pairs[SUPPORT_GAMES_MAX], *strangers[SUPPORT_GAMES_MAX][2];
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        const char *game = mash_games[i]->id;
        pairs[i] = process_run("the pairs", "bot %s --game %s --pairs --seats 4 --seconds 60",
                               fast_server.place, game);
        for (uint32_t j = 0; j < 2; j++)
            strangers[i][j] =
                process_run("a bot", "bot %s --game %s --seed %u --seconds 60 %s",
                            fast_server.place, game, j + 2, j == 0 ? "--level 1" : "");
    }
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        process_expect(pairs[i], "4 matches, ");
        assert_int_equal(process_end(pairs[i]), 0);
        for (uint32_t j = 0; j < 2; j++) {
            process_expect(strangers[i][j], "1 matches, ");
            assert_int_equal(process_end(strangers[i][j]), 0);
        }
    }
    server_stop(&fast_server);
}

/* Everything that can be typed in the lobby and at a table. */
static void lobby(void **state) {
    (void)state;
    Process *ann = join("Ann", "", "", "");
    static const char *const words[][2] = {
        {"help", "joins a table"},
        {"games", "Game of the Generals"},
        {"seek", "Which game?"},
        {"robot zorde 10", "The level must be 1 to 9."},
        {"robot battleground 9", "Battleground has levels 1 to 8."},
        {"join xx", "Which table?"},
        {"watch k7qf-2m9x-w3ab", "There is no table with that code."},
        {"pause", "No match in progress."},
        {"chat hello", "You're not at a table"},
        {"dance", "Unknown command"},
        {"open zorde duel", "Waiting for an opponent"},
        {"board", "The match hasn't started yet."},
        {"units", ""},
        {"seek zorde", "You're at a table. Leave it first."},
        {"chat", "Usage: chat TEXT"},
        {"leave", "You're in the lobby"},
        {"seek zorde duel", "Waiting for an opponent"},
        {"matches", "waiting  Ann"},
        {"leave", "You're in the lobby"},
        {"robot battleground", "to move"},
        {"board", "to move"},
        {"board all", "."},
        {"board 1 1", "to move"},
        {"units", "[Red]"},
        {"log 1", ""},
        {"", "to move"},
        {"options", "friendly-fire"},
        {"people", "Ann (person), you"},
        {"12345", "There is no entry 12345 in the menu."},
        {"0", "1)"},
        {"fly to the moon", "No action matches"},
        {"rem", "The match is still in progress."},
        {"continue", "The match is not paused."},
        {"accept", "Nobody has offered a draw."},
        {"resi", "won: resignation."},
    };
    process_expect(ann, "You're in the lobby");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        process_write(ann, words[i][0]);
        process_expect(ann, words[i][1]);
    }
    process_write(ann, "quit");
    assert_int_equal(process_end(ann), 0);
}

/* A board of the user's own is sent to the friend who joins, and to a spectator. */
static void own_content(void **state) {
    (void)state;
    char path[256], code[CODE_BYTES];
    MashDocument duel = mash_document_shipped(mash_game_find("zorde"), "duel.start.json");
    snprintf(path, sizeof path, "%s.mine.start.json", server.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(duel.bytes, 1, duel.count, file), duel.count);
    fclose(file);
    Process *ann = join("Ann", "--game zorde --invite --content", path, "");
    process_token(process_expect(ann, "Waiting for"), "--code ", code, CODE_BYTES);
    Process *bob = join("Bob", "--code", code, ""), *eve = join("Eve", "--watch", code, "");
    Process *people[] = {ann, bob, eve};
    for (int i = 0; i < 3; i++)
        process_expect(people[i], "<t0> Troll");
    process_write(bob, "resign");
    for (int i = 0; i < 3; i++) {
        process_expect(people[i], "(Ann) won");
        process_write(people[i], "quit");
        assert_int_equal(process_end(people[i]), 0);
    }
    unlink(path);
}

/* The benchmark runs to its end; its results are not checked here. */
static void bench(void **state) {
    (void)state;
    Process *process = process_run("the bench", "bench server --matches 10 --sockets 100 "
                                                "--watchers 20 --ms 300");
    static const char *const lines[] = {"plain echo", "handshakes", "idle connections", "flat out",
                                        "open loop",  "fan-out",    "at the end"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        process_expect(process, lines[i]);
    assert_int_equal(process_end(process), 0);
}

/* Players for a server that runs: each line that is typed is a measurement. */
static void bench_load(void **state) {
    (void)state;
    Process *process = process_run("load", "bench load %s --matches 3", server.place);
    process_expect(process, "{\"matches\":3}");
    static const char *const lines[] = {"0 100", "50 100"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        process_write(process, lines[i]);
        process_expect(process, "{\"actions\":");
        process_expect(process, "\"times\":[");
    }
    process_write(process, "often");
    process_expect(process, "a measurement is RATE MS");
    assert_int_equal(process_end(process), 2);
}

/* Errors are printed, and the exit code shows them. */
static void wrong_use(void **state) {
    (void)state;
    static const char *const words[][2] = {
        {"join 127.0.0.1:1", "connection refused"},
        {"join wss://127.0.0.1:1", "connection refused"},
        {"join wss://127.0.0.1:1 --cafile /dev/null", "is no file of certificates"},
        {"bot wss://127.0.0.1:1 --game zorde --cafile Makefile", "is no file of certificates"},
        {"join 127.0.0.1:1 --watch xx", "is not a table code"},
        {"join 127.0.0.1:1 --game chess", "unknown game"},
        {"join 127.0.0.1:1 --game zorde --watch k7qf-2m9x-w3ab", "only one of"},
        {"join 127.0.0.1:1 --game zorde --vs nobody", "--vs must be ai or person"},
        {"join 127.0.0.1:1 --game zorde --seat 0", "need --invite or --vs ai"},
        {"join 127.0.0.1:1 --return 12", "a token must have 32"},
        {"join", "missing argument"},
        {"bot 127.0.0.1:1", "--game or --tournament is required"},
        {"bot 127.0.0.1:1 --game zorde --pairs --seats 3", "an even number"},
        {"bot 127.0.0.1:1 --game zorde --seconds 1", "timeout"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Process *process = process_run("wrong use", "%s", words[i][0]);
        process_expect(process, words[i][1]);
        process->count = process->seen = 0;
        process->text[0] = '\0';
        assert_int_not_equal(process_end(process), 0);
    }
}

static int set_up(void **state) {
    (void)state;
    server_start(&server, "--threads 3 --robot-threads 3");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    server_stop(&server);
    return 0;
}

int main(void) {
    struct CMUnitTest tests[TESTS_MAX] = {
        cmocka_unit_test(invite),      cmocka_unit_test(turn_time),
        cmocka_unit_test(take_back),   cmocka_unit_test(a_server_that_stood_still),
        cmocka_unit_test(silence),     cmocka_unit_test(robot),
        cmocka_unit_test(thinkers),    cmocka_unit_test(heads_and_names),
        cmocka_unit_test(bots),        cmocka_unit_test(quit_and_return),
        cmocka_unit_test(crash),       cmocka_unit_test(lobby),
        cmocka_unit_test(own_content), cmocka_unit_test(bench),
        cmocka_unit_test(bench_load),  cmocka_unit_test(wrong_use),
    };
    size_t count = 0;
    while (tests[count].name != NULL)
        count++;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        assert(count < TESTS_MAX);
        tests[count++] = (struct CMUnitTest){.name = (*game)->id,
                                             .test_func = a_match_with_everything,
                                             .initial_state = (void *)(uintptr_t)*game};
    }
    int failed = _cmocka_run_group_tests("e2e", tests, count, set_up, tear_down);
    process_end_all();
    return failed;
}
