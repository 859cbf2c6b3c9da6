/* test_net_http.c -- HTTP over real sockets: files in three encodings, answers, refusals. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/address.h"
#include "tests/net/loopback_server.h"

enum { BIG = 12 << 20 };

static char big[BIG];

static const NetFile files[] = {
    {.path = "/index.html",
     .type = "text/html; charset=utf-8",
     .cache = "no-cache",
     .etag = "abc",
     .plain = {"<p>plain</p>", 12},
     .gzip = {"gzipped", 7},
     .brotli = {"brotli", 6}},
    {.path = "/big.wasm",
     .type = "application/wasm",
     .cache = "public, max-age=31536000, immutable",
     .etag = "def",
     .plain = {big, BIG}},
};

static uint64_t sockets(LoopbackServer *loopback) {
    return net_server_stats(loopback->server).sockets;
}
static uint64_t memory(LoopbackServer *loopback) {
    return net_server_stats(loopback->server).memory;
}
static uint64_t requests(LoopbackServer *loopback) {
    return net_server_stats(loopback->server).requests;
}

static LoopbackServer *new_server(void) {
    LoopbackServer *loopback = loopback_new();
    loopback->setup.files = files;
    loopback->setup.files_count = 2;
    loopback->setup.headers = "Content-Security-Policy: default-src 'self'\r\n";
    return loopback;
}

static int set_up(void **state) {
    LoopbackServer *loopback = new_server();
    loopback_open(loopback);
    *state = loopback;
    return 0;
}

static int tear_down(void **state) {
    LoopbackServer *loopback = *state;
    loopback_until_wide(loopback, sockets, 0);
    loopback_until_wide(loopback, memory, 0);
    loopback_close(loopback);
    return 0;
}

/* Sends a request with these lines after the first one and Host; the whole answer of a closed
 * connection. */
static const char *get(LoopbackServer *loopback, const char *first, const char *lines) {
    char request[1024];
    MashText text = text_over(request, sizeof request);
    text_format(&text, "%s\r\nHost: a\r\nConnection: close\r\n%s\r\n", first, lines);
    return raw_ask(loopback, request, NULL);
}

static const char *body(const char *answer) {
    const char *end = strstr(answer, "\r\n\r\n");
    assert_non_null(end);
    return end + 4;
}

static void assert_has(const char *answer, const char *part) {
    if (strstr(answer, part) == NULL)
        assert_string_equal(answer, part);
}

static void files_come_in_three_spellings(void **state) {
    LoopbackServer *loopback = *state;
    const char *answer = get(loopback, "GET /index.html HTTP/1.1", "");
    assert_has(answer, "HTTP/1.1 200 OK\r\n");
    assert_has(answer, "Content-Type: text/html; charset=utf-8\r\n");
    assert_has(answer, "Content-Length: 12\r\n");
    assert_has(answer, "Cache-Control: no-cache\r\n");
    assert_has(answer, "ETag: \"abc\"\r\nVary: Accept-Encoding\r\n");
    assert_has(answer, "Content-Security-Policy: default-src 'self'\r\n");
    assert_has(answer, "Connection: close\r\n");
    assert_has(answer, "Date: ");
    assert_null(strstr(answer, "Content-Encoding"));
    assert_string_equal(body(answer), "<p>plain</p>");
    answer = get(loopback, "GET /index.html HTTP/1.1", "Accept-Encoding: gzip, deflate\r\n");
    assert_has(answer, "Content-Encoding: gzip\r\n");
    assert_has(answer, "ETag: \"abc-gz\"\r\n");
    assert_string_equal(body(answer), "gzipped");
    answer = get(loopback, "GET /index.html?v=1 HTTP/1.1", "Accept-Encoding: gzip, br\r\n");
    assert_has(answer, "Content-Encoding: br\r\n");
    assert_has(answer, "ETag: \"abc-br\"\r\n");
    assert_string_equal(body(answer), "brotli");
    answer = get(loopback, "GET / HTTP/1.1", "");
    assert_string_equal(body(answer), "<p>plain</p>");
}

static void known_files_are_not_sent_again(void **state) {
    LoopbackServer *loopback = *state;
    const char *answer = get(loopback, "GET /index.html HTTP/1.1", "If-None-Match: \"abc\"\r\n");
    assert_has(answer, "HTTP/1.1 304 Not Modified\r\n");
    assert_has(answer, "ETag: \"abc\"\r\n");
    assert_has(answer, "Cache-Control: no-cache\r\n");
    assert_null(strstr(answer, "Content-Length"));
    assert_string_equal(body(answer), "");
    answer = get(loopback, "GET /index.html HTTP/1.1",
                 "If-None-Match: \"abc\"\r\nAccept-Encoding: gzip\r\n");
    assert_has(answer, "HTTP/1.1 200 OK\r\n");
    answer = get(loopback, "GET /index.html HTTP/1.1",
                 "If-None-Match: W/\"x\", W/\"abc-gz\"\r\nAccept-Encoding: gzip\r\n");
    assert_has(answer, "HTTP/1.1 304 Not Modified\r\n");
}

static void heads_have_no_body(void **state) {
    LoopbackServer *loopback = *state;
    const char *answer = get(loopback, "HEAD /index.html HTTP/1.1", "");
    assert_has(answer, "Content-Length: 12\r\n");
    assert_string_equal(body(answer), "");
    answer = get(loopback, "HEAD /nothing HTTP/1.1", "");
    assert_has(answer, "HTTP/1.1 404 Not Found\r\n");
    assert_string_equal(body(answer), "");
    answer = get(loopback, "HEAD /api/echo?abc HTTP/1.1", "");
    assert_has(answer, "Content-Length: 18\r\n");
    assert_string_equal(body(answer), "");
}

static void callers_answer(void **state) {
    LoopbackServer *loopback = *state;
    const char *answer = get(loopback, "GET /api/echo?a=1 HTTP/1.1", "");
    assert_has(answer, "Content-Type: application/json\r\n");
    assert_has(answer, "Cache-Control: no-store\r\n");
    assert_string_equal(body(answer), "a=1 from 127.0.0.1");
    answer = get(loopback, "GET /arena HTTP/1.1", "");
    assert_has(answer, "HTTP/1.1 426 Upgrade Required\r\n");
    assert_has(answer, "Upgrade: websocket\r\n");
    assert_string_equal(body(answer), "Please upgrade.");
    answer = get(loopback, "GET /nothing HTTP/1.1", "");
    assert_has(answer, "Content-Type: text/plain; charset=utf-8\r\n");
    assert_string_equal(body(answer), "Not found.\n");
}

static void refusals_have_sentences(void **state) {
    LoopbackServer *loopback = *state;
    static const struct {
        const char *first, *lines, *status, *sentence;
    } cases[] = {
        {"POST / HTTP/1.1", "", "405 ", "This server answers GET and HEAD only.\n"},
        {"GET / HTTP/3.0", "", "505 ", "This server supports HTTP/1.1 only.\n"},
        {"GET / HTTP/1.1", "Content-Length: 5\r\n", "413 ",
         "This server does not accept request bodies.\n"},
        {"GET x HTTP/1.1", "", "400 ", "The path does not begin with a slash.\n"},
        {"GET / HTTP/1.1", "Host: b\r\n", "400 ", "Duplicate header.\n"},
        {"GET / HTTP/1.1",
         "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n", "426 ",
         "This address needs a WebSocket connection (version 13).\n"},
        {"GET / HTTP/1.1",
         "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: abc\r\n",
         "400 ", "This server could not understand the request.\n"},
        {"GET /forbidden HTTP/1.1",
         "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
         "403 ", "Access denied; mashup serve --host and --origin allow names and pages.\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *answer = get(loopback, cases[i].first, cases[i].lines);
        assert_memory_equal(answer, "HTTP/1.1 ", 9);
        assert_memory_equal(answer + 9, cases[i].status, 4);
        assert_has(answer, "Connection: close\r\n");
        assert_string_equal(body(answer), cases[i].sentence);
    }
    static char line[6000];
    memset(line, 'A', sizeof line - 1);
    assert_memory_equal(raw_ask(loopback, line, NULL), "HTTP/1.1 414 ", 13);
    static char fields[9000];
    memset(fields, 'a', sizeof fields - 1);
    memcpy(fields, "GET / HTTP/1.1\r\nX: ", 19);
    assert_memory_equal(raw_ask(loopback, fields, NULL), "HTTP/1.1 431 ", 13);
    assert_memory_equal(raw_ask(loopback, "\x16\x03\x01", NULL), "HTTP/1.1 400 ", 13);
    assert_int_equal(loopback->opened, 0);
}

/* The answer reaches a client that is still sending: our end is shut down, theirs is read to its
 * end. */
static void refusals_reach_those_who_talk_on(void **state) {
    LoopbackServer *loopback = *state;
    static char body_bytes[200000];
    memset(body_bytes, 'b', sizeof body_bytes);
    int raw = raw_open(loopback);
    static const char request[] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n";
    raw_say(raw, request, sizeof request - 1);
    loopback_run(loopback, 5);
    for (size_t at = 0; at < sizeof body_bytes; at += 10000) {
        raw_say(raw, body_bytes + at, 10000);
        loopback_run(loopback, 1);
    }
    assert_memory_equal(raw_receive(loopback, raw, NULL), "HTTP/1.1 405 ", 13);
    close(raw);
}

/* Pages of other origins may read what is shared, and ask what they may ask; nothing else. */
static void some_answers_are_for_all_pages(void **state) {
    LoopbackServer *loopback = *state;
    static const char allowed[] = "Access-Control-Allow-Origin: *\r\n";
    const char *answer = get(loopback, "GET /shared HTTP/1.1", "Origin: https://a.example\r\n");
    assert_has(answer, allowed);
    assert_string_equal(body(answer), "all");
    assert_null(strstr(answer, "Access-Control-Allow-Methods"));
    assert_null(strstr(get(loopback, "GET /api/echo HTTP/1.1", ""), "Access-Control"));
    answer = get(loopback, "OPTIONS /shared HTTP/1.1",
                 "Access-Control-Request-Headers: if-none-match\r\n");
    assert_has(answer, "HTTP/1.1 204 No Content\r\n");
    assert_has(answer, allowed);
    assert_has(answer, "Access-Control-Allow-Headers: If-None-Match\r\n");
    assert_null(strstr(answer, "Content-Length"));
    assert_string_equal(body(answer), "");
    answer = get(loopback, "OPTIONS /api/echo HTTP/1.1", "");
    assert_has(answer, "Allow: GET, HEAD, OPTIONS\r\n");
    assert_null(strstr(answer, "Access-Control"));
    answer = get(loopback, "OPTIONS /arena HTTP/1.1",
                 "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
    assert_has(answer, "HTTP/1.1 426 ");
    assert_int_equal(loopback->opened, 0);
    int raw = raw_open(loopback);
    static const char request[] = "GET /later-shared HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(raw, request, sizeof request - 1);
    loopback_run(loopback, 5);
    net_reply(loopback->later[0], 200, NULL, "late", 4);
    assert_has(raw_receive(loopback, raw, "late"), allowed);
    /* What follows an answer without a body is the next answer. */
    static const char two[] = "OPTIONS /shared HTTP/1.1\r\nHost: a\r\n\r\n"
                              "GET /shared HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(raw, two, sizeof two - 1);
    const char *both = raw_receive(loopback, raw, "all");
    assert_non_null(strstr(both, "\r\n\r\nHTTP/1.1 200 OK\r\n"));
    close(raw);
}

static void connections_are_kept(void **state) {
    LoopbackServer *loopback = *state;
    int raw = raw_open(loopback);
    static const char request[] = "GET /api/echo?1 HTTP/1.1\r\nHost: a\r\n\r\n";
    for (int i = 0; i < 3; i++) {
        raw_say(raw, request, sizeof request - 1);
        assert_has(raw_receive(loopback, raw, "1 from"), "Connection: keep-alive\r\n");
    }
    /* Pipelined requests, also in pieces, are answered in order. */
    static const char many[] = "GET /api/echo?one HTTP/1.1\r\nHost: a\r\n\r\n"
                               "GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n"
                               "HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n"
                               "GET /api/echo?two HTTP/1.1\r\nHost: a\r\n\r\n";
    for (size_t step = 1; step < sizeof many; step += 7) {
        for (size_t at = 0; at < sizeof many - 1; at += step) {
            size_t left = sizeof many - 1 - at;
            raw_say(raw, many + at, left < step ? left : step);
            if (step < 10)
                loopback_run(loopback, 0);
        }
        const char *answer = raw_receive(loopback, raw, "two from");
        assert_has(answer, "<p>plain</p>HTTP/1.1 404");
        assert_true(strstr(answer, "one from") < strstr(answer, "<p>plain"));
    }
    assert_int_equal(net_server_stats(loopback->server).accepted, 1);
    static const char last[] = "GET /x HTTP/1.0\r\n\r\nGET /api/echo?more HTTP/1.1\r\n\r\n";
    raw_say(raw, last, sizeof last - 1);
    assert_null(strstr(raw_receive(loopback, raw, NULL), "more"));
    close(raw);
}

/* WebSocket frames may follow the handshake in the same packet. */
static void frames_may_follow_the_handshake_at_once(void **state) {
    LoopbackServer *loopback = *state;
    static const char both[] = "GET /arena HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                               "Origin: https://page\r\nUpgrade: websocket\r\n"
                               "Sec-WebSocket-Version: 13\r\n"
                               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                               "\x81\x82\0\0\0\0hi";
    for (size_t step = 1; step < sizeof both; step += 60) {
        int raw = raw_open(loopback);
        for (size_t at = 0; at < sizeof both - 1; at += step) {
            size_t left = sizeof both - 1 - at;
            raw_say(raw, both + at, left < step ? left : step);
            loopback_run(loopback, 0);
        }
        assert_has(raw_receive(loopback, raw, "\x02hi"), "\r\n\r\n\x81\x02hi");
        close(raw);
    }
    assert_string_equal(loopback->origin, "https://page");
}

/* Big files are sent as fast as they are read, while others are served; the next request waits. */
static void big_files_take_their_time(void **state) {
    LoopbackServer *loopback = *state;
    int raw = raw_open(loopback);
    memset(big, 'w', BIG);
    static const char two[] = "GET /big.wasm HTTP/1.1\r\nHost: a\r\n\r\n"
                              "GET /api/echo?behind HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(raw, two, sizeof two - 1);
    loopback_until_wide(loopback, requests, 1);
    loopback_run(loopback, 20);
    NetStats stats = net_server_stats(loopback->server);
    assert_int_equal(stats.requests, 1);
    assert_true(stats.bytes_out < BIG && stats.memory < 1000);
    assert_has(get(loopback, "GET /api/echo?other HTTP/1.1", ""), "other from");
    static char bytes[1 << 16];
    size_t total = 0;
    bool behind = false;
    uint64_t end_ms = net_now_ms(loopback->loop) + 10000;
    while (!behind && net_now_ms(loopback->loop) < end_ms) {
        ssize_t got = recv(raw, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got <= 0)
            loopback_run(loopback, 1);
        total += got > 0 ? (size_t)got : 0;
        behind = got > 0 && memmem(bytes, (size_t)got, "behind from", 11) != NULL;
    }
    assert_true(behind);
    assert_in_range(total, BIG + 500, BIG + 1500);
    close(raw);
}

/* Slow is not stuck: as long as something is read now and then, nobody is disconnected; the
 * connection is closed when everything is sent. */
static void slow_progress_is_progress(void **unused) {
    (void)unused;
    LoopbackServer *loopback = new_server();
    loopback->setup.limits.send_ms = 400;
    loopback_open(loopback);
    int raw = raw_open(loopback);
    static const char request[] = "GET /big.wasm HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    raw_say(raw, request, sizeof request - 1);
    loopback_until_wide(loopback, requests, 1);
    static char bytes[1 << 18];
    size_t total = 0;
    uint64_t began_ms = net_now_ms(loopback->loop);
    for (ssize_t got = 1; got != 0;) {
        got = recv(raw, bytes, sizeof bytes, MSG_DONTWAIT);
        total += got > 0 ? (size_t)got : 0;
        loopback_run(loopback, 20);
    }
    assert_true(net_now_ms(loopback->loop) - began_ms > 400);
    assert_in_range(total, BIG + 100, BIG + 1000);
    assert_int_equal(net_server_stats(loopback->server).cut_slow, 0);
    close(raw);
    loopback_close(loopback);
}

static void clients_that_do_not_read_are_cut_off(void **unused) {
    (void)unused;
    LoopbackServer *loopback = new_server();
    loopback->setup.limits.send_ms = 60;
    loopback_open(loopback);
    int raw = raw_open(loopback);
    static const char request[] = "GET /big.wasm HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(raw, request, sizeof request - 1);
    loopback_until_wide(loopback, requests, 1);
    loopback_until_wide(loopback, sockets, 0);
    assert_int_equal(net_server_stats(loopback->server).cut_slow, 1);
    close(raw);
    loopback_close(loopback);
}

/* A server that closes in the middle of everything leaks nothing. */
static void a_server_may_close_at_any_time(void **unused) {
    (void)unused;
    for (int i = 0; i < 4; i++) {
        LoopbackServer *loopback = new_server();
        loopback_open(loopback);
        int raw = raw_open(loopback), half = raw_open(loopback),
            socket = raw_websocket(loopback, "/");
        raw_say(raw, "GET /big.wasm HTTP/1.1\r\nHost: a\r\n\r\n", 35);
        raw_say(half, "GET /", 5);
        raw_say(socket, "\x01\x83\0\0\0\0abc\x00", 10);
        LoopbackClient *client = loopback_client(loopback, "/");
        loopback_run(loopback, i == 0 ? 0 : 5);
        if (i > 1)
            net_send_text(client->connection, "more", 4);
        if (i > 2)
            loopback_run(loopback, 5);
        loopback_close(loopback);
        close(raw);
        close(half);
        close(socket);
        test_free(client);
    }
}

/* Two requests in one write: the second is handled when the first is answered, and each gets its
 * own answer. */
static void answers_may_come_later(void **state) {
    LoopbackServer *loopback = *state;
    static const char two[] = "GET /later HTTP/1.1\r\nHost: a\r\n\r\n"
                              "HEAD /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    int socket = raw_open(loopback);
    raw_say(socket, two, sizeof two - 1);
    loopback_until(loopback, &loopback->later_count, 1);
    const char *echo = get(loopback, "GET /api/echo?meanwhile HTTP/1.1", "");
    assert_has(echo, "meanwhile from");
    assert_int_equal(loopback->later_count, 1);
    net_reply(loopback->later[0], 200, NULL, "first", 5);
    assert_int_equal(loopback->later_count, 1); /* no callback runs inside net_reply() */
    loopback_until(loopback, &loopback->later_count, 2);
    net_reply(loopback->later[1], 503, NULL, "second", 6);
    const char *answer = raw_receive(loopback, socket, NULL);
    assert_has(answer, "HTTP/1.1 200 OK\r\n");
    assert_has(answer, "\r\n\r\nfirstHTTP/1.1 503");
    assert_has(answer, "Content-Length: 6\r\n");
    assert_has(answer, "Retry-After: ");
    assert_null(strstr(answer, "second"));
    close(socket);
}

/* The bytes of a redirection are its address. */
static void a_307_says_where_to(void **state) {
    LoopbackServer *loopback = *state;
    static const char ask[] = "GET /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    int socket = raw_open(loopback);
    raw_say(socket, ask, sizeof ask - 1);
    loopback_until(loopback, &loopback->later_count, 1);
    net_reply(loopback->later[0], 307, NULL, "https://b/x?node=2", 18);
    const char *answer = raw_receive(loopback, socket, NULL);
    assert_has(answer, "HTTP/1.1 307 Temporary Redirect\r\n");
    assert_has(answer, "\r\nLocation: https://b/x?node=2\r\n");
    assert_has(answer, "\r\n\r\nhttps://b/x?node=2");
    close(socket);
}

/* A big answer to a slow reader, while the loop has others to serve. */
static void a_later_answer_may_be_big(void **state) {
    LoopbackServer *loopback = *state;
    int socket = raw_open(loopback);
    raw_say(socket, "GET /later HTTP/1.0\r\nHost: a\r\n\r\n", 32);
    loopback_until(loopback, &loopback->later_count, 1);
    net_reply(loopback->later[0], 200, NULL, big, BIG);
    uint64_t got = 0;
    char bytes[1 << 16];
    for (ssize_t more = 1; more != 0;) {
        loopback_run(loopback, 1);
        more = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
        got += more > 0 ? (uint64_t)more : 0;
    }
    assert_true(got > BIG && got < BIG + 1000);
    close(socket);
}

/* A client that does not wait for the answer, or gets it too late, costs nothing. */
static void an_answer_for_nobody_is_dropped(void **state) {
    LoopbackServer *loopback = new_server();
    (void)state;
    loopback->setup.limits.send_ms = 100;
    loopback_open(loopback);
    int socket = raw_open(loopback);
    raw_say(socket, "GET /later HTTP/1.1\r\nHost: a\r\n\r\n", 32);
    loopback_until(loopback, &loopback->later_count, 1);
    loopback_until_wide(loopback, sockets, 0); /* it was disconnected after send_ms */
    net_reply(loopback->later[0], 200, NULL, "too late", 8);
    int second = raw_open(loopback);
    raw_say(second, "GET /later HTTP/1.1\r\nHost: a\r\n\r\n", 32);
    loopback_until(loopback, &loopback->later_count, 2);
    net_server_close(loopback->server);
    loopback->server = NULL;
    net_reply(loopback->later[1], 200, NULL, "closed", 6);
    loopback_close(loopback);
    close(socket);
    close(second);
}

/* The host names that a server accepts. */
static void own_names_are_known(void **unused) {
    (void)unused;
    static const char *const list[] = {"games.example", "https://Page.example:8443/x"};
    static const char *const known[] = {"",
                                        "127.0.0.1",
                                        "127.0.0.1:1218",
                                        "[::1]:1218",
                                        "[fd00::1]",
                                        "localhost",
                                        "LOCALHOST:1218",
                                        "my-machine:1218",
                                        "a.localhost",
                                        "pc.local:1218",
                                        "pc.lan",
                                        "pc.home.arpa",
                                        "pc.fritz.box",
                                        "Games.example:1",
                                        "page.EXAMPLE",
                                        "pc.office.example",
                                        "games.example."};
    static const char *const strange[] = {"evil.example",
                                          "localhost.evil.example",
                                          "evil.example:1218",
                                          "127.0.0.1.evil.example",
                                          "xgames.example",
                                          "games.example.evil.example",
                                          "notlocal.evil.example",
                                          "evil.local.example",
                                          "a.b:c",
                                          "evil.notlan"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(host_is_known(known[i], "pc.office.example", list, 2));
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        assert_false(host_is_known(strange[i], "pc.office.example", list, 2));
}

/* The request with these header lines after the Host, as the server saw it: "local" and "own", or
 * "-". */
static void expect_asked(LoopbackServer *loopback, const char *host, const char *lines,
                         const char *expected) {
    char request[512];
    MashText text = text_over(request, sizeof request);
    text_format(&text, "GET /api/who HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n", host,
                lines);
    assert_non_null(strstr(raw_ask(loopback, request, NULL), expected));
}

/* Which clients are local, and which used one of our names: behind a proxy its header counts, and a
 * header that somebody else may have written makes nobody local. */
static void local_clients_and_own_names_are_recognised(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    expect_asked(loopback, "localhost", "", "\r\n\r\nlocal own none");
    expect_asked(loopback, "a", "Authorization: Bearer x\r\n", "\r\n\r\nlocal own Bearer x");
    expect_asked(loopback, "evil.example", "", "\r\n\r\n- - none");
    expect_asked(loopback, "a", "X-Forwarded-For: 127.0.0.1\r\n", "\r\n\r\n- own none");
    expect_asked(loopback, "a", "Forwarded: for=127.0.0.1\r\n", "\r\n\r\n- own none");
    expect_asked(loopback, "a", "X-Real-IP: 127.0.0.1\r\n", "\r\n\r\n- own none");
    loopback_close(loopback);
    loopback = loopback_new();
    static const char *const hosts[] = {"games.example"};
    loopback->setup.behind_proxy = true;
    loopback->setup.hosts = hosts;
    loopback->setup.hosts_count = 1;
    loopback_open(loopback);
    expect_asked(loopback, "games.example", "", "\r\n\r\nlocal own none");
    expect_asked(loopback, "evil.example", "", "\r\n\r\n- - none");
    expect_asked(loopback, "evil.example", "X-Forwarded-For: 192.0.2.1\r\n", "\r\n\r\n- own none");
    expect_asked(loopback, "a", "X-Forwarded-For: 127.0.0.1\r\n", "\r\n\r\nlocal own none");
    expect_asked(loopback, "a", "X-Forwarded-For: 127.0.0.1, 192.0.2.1:5\r\n",
                 "\r\n\r\n- own none");
    expect_asked(loopback, "a", "X-Forwarded-For: nonsense\r\n", "\r\n\r\n- own none");
    expect_asked(loopback, "a", "Forwarded: for=x\r\n", "\r\n\r\n- own none");
    loopback_close(loopback);
}

int main(void) {
#define LOOPBACK(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_names_are_known),
        cmocka_unit_test(local_clients_and_own_names_are_recognised),
        LOOPBACK(files_come_in_three_spellings),
        LOOPBACK(known_files_are_not_sent_again),
        LOOPBACK(heads_have_no_body),
        LOOPBACK(callers_answer),
        LOOPBACK(refusals_have_sentences),
        LOOPBACK(refusals_reach_those_who_talk_on),
        LOOPBACK(some_answers_are_for_all_pages),
        LOOPBACK(connections_are_kept),
        LOOPBACK(frames_may_follow_the_handshake_at_once),
        LOOPBACK(big_files_take_their_time),
        LOOPBACK(answers_may_come_later),
        LOOPBACK(a_307_says_where_to),
        LOOPBACK(a_later_answer_may_be_big),
        cmocka_unit_test(an_answer_for_nobody_is_dropped),
        cmocka_unit_test(slow_progress_is_progress),
        cmocka_unit_test(clients_that_do_not_read_are_cut_off),
        cmocka_unit_test(a_server_may_close_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
