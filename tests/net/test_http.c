/* test_http.c -- HTTP/1.1 heads: what is accepted, what is refused and with which status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/http.h"
#include "net/rate_limit.h"

enum { BYTES = 32768 };

static char bytes[BYTES];

/* Reads a complete request; its bytes are valid until the next one. */
static uint32_t read_whole(const char *text, HttpRequest *out) {
    uint32_t scanned = 0, used, count = (uint32_t)strlen(text);
    assert_true(count < BYTES);
    memcpy(bytes, text, count);
    uint32_t outcome = http_read_request(bytes, count, &scanned, out, &used);
    if (outcome == HTTP_WHOLE)
        assert_int_equal(used, count);
    if (outcome >= 400)
        assert_true(out->problem != NULL && out->problem[0] != '\0');
    return outcome;
}

/* The outcome of a request with these lines after a valid first line and Host. */
static uint32_t with_lines(const char *lines) {
    static char text[BYTES];
    HttpRequest request;
    MashText writer = text_over(text, sizeof text);
    text_format(&writer, "GET / HTTP/1.1\r\nHost: a\r\n%s\r\n", lines);
    return read_whole(text, &request);
}

static void a_request_is_read(void **unused) {
    (void)unused;
    HttpRequest request;
    assert_int_equal(read_whole("GET /api/match?code=a%20b&x HTTP/1.1\r\nHost: server:1218\r\n"
                                "oRiGiN:  http://page \r\nAccept-Encoding: br;q=1.0, gzip\r\n"
                                "If-None-Match: \"a\"\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8\r\n\r\n",
                                &request),
                     HTTP_WHOLE);
    assert_string_equal(request.path, "/api/match");
    assert_string_equal(request.query, "code=a%20b&x");
    assert_string_equal(request.host, "server:1218");
    assert_string_equal(request.origin, "http://page");
    assert_string_equal(request.if_none_match, "\"a\"");
    assert_string_equal(request.forwarded_for, "1.2.3.4, 5.6.7.8");
    assert_int_equal(request.codings, HTTP_GZIP | HTTP_BROTLI);
    assert_true(request.keep_alive && !request.head && !request.upgrade);
    assert_int_equal(read_whole("HEAD /x HTTP/1.0\r\n\r\n", &request), HTTP_WHOLE);
    assert_true(request.head && !request.keep_alive && request.host == NULL);
    assert_string_equal(request.query, "");
    assert_int_equal(read_whole("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", &request), 200);
    assert_true(request.keep_alive);
    assert_int_equal(
        read_whole("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n", &request), 200);
    assert_false(request.keep_alive);
}

static void an_upgrade_needs_both_its_headers(void **unused) {
    (void)unused;
    HttpRequest request;
    assert_int_equal(
        read_whole("GET /arena HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
                   "Upgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                   "Sec-WebSocket-Version: 13\r\n\r\n",
                   &request),
        HTTP_WHOLE);
    assert_true(request.upgrade);
    assert_string_equal(request.key, "dGhlIHNhbXBsZSBub25jZQ==");
    assert_string_equal(request.version, "13");
    const char *without[] = {
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        assert_int_equal(read_whole(without[i], &request), HTTP_WHOLE);
        assert_false(request.upgrade);
    }
}

static void first_lines_are_judged(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        uint32_t status;
    } lines[] = {
        {"GET / HTTP/1.1", 200},
        {"GET  / HTTP/1.1", 400},
        {"GET /", 400},
        {"GET / HTTP/2.0", 505},
        {"GET / HTTP/1.1 ", 505},
        {"GET / http/1.1", 400},
        {"get / HTTP/1.1", 405},
        {"POST / HTTP/1.1", 405},
        {"OPTIONS / HTTP/1.1", 200},
        {"OPTION / HTTP/1.1", 405},
        {"OPTIONS * HTTP/1.1", 400},
        {"PRI * HTTP/2.0", 505},
        {"GET x HTTP/1.1", 400},
        {"GET * HTTP/1.1", 400},
        {"GET http://a/ HTTP/1.1", 400},
        {"GET /a\tb HTTP/1.1", 400},
        {"GET /a b HTTP/1.1", 400},
        {"GET /\xC3\xA4 HTTP/1.1", 400},
        {"GET /#x HTTP/1.1", 400},
        {"G@T / HTTP/1.1", 400},
        {" GET / HTTP/1.1", 400},
        {"", 400},
        {"\x16\x03\x01 hello", 400},
        {"GET /\x7F HTTP/1.1", 400},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[128];
        HttpRequest request;
        MashText writer = text_over(text, sizeof text);
        text_format(&writer, "%s\r\nHost: a\r\n\r\n", lines[i].line);
        assert_int_equal(read_whole(text, &request), lines[i].status);
    }
}

static void header_lines_are_judged(void **unused) {
    (void)unused;
    static const struct {
        const char *lines;
        uint32_t status;
    } cases[] = {
        {"", 200},
        {"X:\r\n", 200},
        {"X: \t a \xC3\xA4 \r\n", 200},
        {"Content-Length: 0\r\n", 200},
        {"Content-Length: 00\r\nX: y\r\n", 200},
        {"Host: b\r\n", 400},
        {"X : y\r\n", 400},
        {"X\r\n", 400},
        {": y\r\n", 400},
        {"X: a\r\n folded\r\n", 400},
        {"X: a\x01\r\n", 400},
        {"X: a\x7F\r\n", 400},
        {"X: a\rb\r\n", 400},
        {"X: a\nY: b\r\n", 400},
        {"Origin: a\r\nOrigin: a\r\n", 400},
        {"Content-Length: 1\r\n", 413},
        {"Content-Length: 0\r\nContent-Length: 0\r\n", 400},
        {"Content-Length: -1\r\n", 400},
        {"Content-Length: +0\r\n", 400},
        {"Content-Length: 0, 0\r\n", 400},
        {"Content-Length:\r\n", 400},
        {"Transfer-Encoding: chunked\r\n", 413},
        {"Transfer-Encoding: identity\r\n", 413},
        {"Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: b\r\n", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(with_lines(cases[i].lines), cases[i].status);
    HttpRequest request;
    assert_int_equal(read_whole("GET / HTTP/1.1\r\n\r\n", &request), 400);
}

/* NUL bytes must not hide anything from the parser. */
static void a_nul_is_refused(void **unused) {
    (void)unused;
    char text[] = "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n";
    uint32_t scanned = 0, used;
    HttpRequest request;
    assert_int_equal(http_read_request(text, sizeof text - 1, &scanned, &request, &used), 400);
}

static void limits_hold(void **unused) {
    (void)unused;
    static char text[BYTES];
    HttpRequest request;
    for (int over = 0; over < 2; over++) {
        MashText line = text_over(text, sizeof text);
        text_string(&line, "GET /");
        while (line.count < HTTP_LINE_MAX + (uint32_t)over - 9)
            text_byte(&line, 'a');
        text_string(&line, " HTTP/1.1\r\nHost: a\r\n\r\n");
        assert_int_equal(read_whole(text, &request), over ? 414 : 200);
        MashText fields = text_over(text, sizeof text);
        text_string(&fields, "GET / HTTP/1.1\r\nHost: a\r\nX: ");
        while (fields.count < 16 + HTTP_FIELDS_MAX + (uint32_t)over - 2)
            text_byte(&fields, 'a');
        text_string(&fields, "\r\n\r\n");
        assert_int_equal(read_whole(text, &request), over ? 431 : 200);
        MashText count = text_over(text, sizeof text);
        text_string(&count, "GET / HTTP/1.1\r\nHost: a\r\n");
        for (int i = 1; i < HTTP_FIELDS_COUNT_MAX + over; i++)
            text_string(&count, "X: y\r\n");
        text_string(&count, "\r\n");
        assert_int_equal(read_whole(text, &request), over ? 431 : 200);
    }
    /* Both are refused before the end of the head was seen. */
    memset(text, 'A', sizeof text);
    text[HTTP_LINE_MAX + 1] = '\0';
    assert_int_equal(read_whole(text, &request), 414);
    text[HTTP_LINE_MAX + 1] = 'A';
    memcpy(text, "GET / HTTP/1.1\r\nX: ", 19);
    text[14 + HTTP_FIELDS_MAX + 5] = '\0';
    assert_int_equal(read_whole(text, &request), 431);
}

/* However the bytes are split, the outcome is the same, and the next request is not consumed. */
static void requests_arrive_in_pieces(void **unused) {
    (void)unused;
    static const char two[] = "GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\n";
    char text[sizeof two];
    HttpRequest request;
    uint32_t scanned = 0, used = 0, whole = 30;
    memcpy(text, two, sizeof two);
    for (uint32_t count = 1; count < whole; count++)
        assert_int_equal(http_read_request(text, count, &scanned, &request, &used), HTTP_MORE);
    assert_int_equal(http_read_request(text, sizeof two - 1, &scanned, &request, &used), 200);
    assert_int_equal(used, whole);
    assert_string_equal(request.path, "/one");
    assert_memory_equal(text + whole, two + whole, sizeof two - whole);
    scanned = 0;
    assert_int_equal(http_read_request(text, 0, &scanned, &request, &used), HTTP_MORE);
    text[0] = '\n';
    assert_int_equal(http_read_request(text, 1, &scanned, &request, &used), 400);
    memcpy(text, "GET / HTTP/1.1\n", 15);
    assert_int_equal(http_read_request(text, 15, &scanned, &request, &used), 400);
}

static uint8_t codings_of(const char *value) {
    char text[256];
    HttpRequest request;
    MashText writer = text_over(text, sizeof text);
    text_format(&writer, "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: %s\r\n\r\n", value);
    assert_int_equal(read_whole(text, &request), 200);
    return request.codings;
}

static void codings_are_chosen_by_what_is_accepted(void **unused) {
    (void)unused;
    assert_int_equal(codings_of("gzip, deflate, br"), HTTP_GZIP | HTTP_BROTLI);
    assert_int_equal(codings_of("GZip;q=0.5"), HTTP_GZIP);
    assert_int_equal(codings_of("gzip;q=0, br ; q=0.001"), HTTP_BROTLI);
    assert_int_equal(codings_of("gzip; q=0.000"), 0);
    assert_int_equal(codings_of("x-gzip, identity, *"), 0);
    assert_int_equal(codings_of(""), 0);
    assert_int_equal(codings_of(" , ,, "), 0);
}

static void etags_are_compared(void **unused) {
    (void)unused;
    assert_true(http_etag_listed("\"abc\"", "abc"));
    assert_true(http_etag_listed("W/\"abc\"", "abc"));
    assert_true(http_etag_listed("\"x\", \"abc\" ,\"y\"", "abc"));
    assert_true(http_etag_listed("*", "abc"));
    assert_false(http_etag_listed("abc", "abc"));
    assert_false(http_etag_listed("\"abcd\"", "abc"));
    assert_false(http_etag_listed("\"ab\", \"", "abc"));
    assert_false(http_etag_listed("", "abc"));
    assert_false(http_etag_listed("\"", ""));
}

static void heads_are_written(void **unused) {
    (void)unused;
    char text[1024];
    MashText writer = text_over(text, sizeof text);
    http_write_head(&writer, &(HttpHead){.status = 200,
                                         .keep_alive = true,
                                         .length = 12,
                                         .type = "text/html",
                                         .cache = "no-cache",
                                         .etag = "abc-gz",
                                         .coding = "gzip",
                                         .headers = "X-Server: full\r\n",
                                         .date_s = 784111777});
    assert_string_equal(text, "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                              "Content-Type: text/html\r\nContent-Length: 12\r\n"
                              "Content-Encoding: gzip\r\nCache-Control: no-cache\r\n"
                              "ETag: \"abc-gz\"\r\nVary: Accept-Encoding\r\n"
                              "Connection: keep-alive\r\nX-Content-Type-Options: nosniff\r\n"
                              "X-Server: full\r\n\r\n");
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 426, .date_s = 951782400});
    assert_non_null(strstr(text, "Date: Tue, 29 Feb 2000 00:00:00 GMT\r\n"));
    assert_non_null(strstr(text, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"));
    assert_non_null(strstr(text, "Connection: close\r\n"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 405, .date_s = 1704067199});
    assert_non_null(strstr(text, "Date: Sun, 31 Dec 2023 23:59:59 GMT\r\n"));
    assert_non_null(strstr(text, "Allow: GET, HEAD, OPTIONS\r\n"));
    assert_null(strstr(text, "Access-Control"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 200, .shared = true});
    assert_non_null(strstr(text, "Access-Control-Allow-Origin: *\r\n"));
    assert_null(strstr(text, "Access-Control-Allow-Methods"));
    assert_null(strstr(text, "Access-Control-Expose"));
    assert_null(strstr(text, "Allow: GET"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 200, .shared = true, .etag = "x"});
    assert_non_null(strstr(text, "Access-Control-Expose-Headers: ETag\r\n"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 204, .shared = true, .options = true});
    assert_memory_equal(text, "HTTP/1.1 204 No Content\r\n", 25);
    assert_null(strstr(text, "Content-Length"));
    assert_non_null(strstr(text, "Allow: GET, HEAD, OPTIONS\r\n"));
    assert_non_null(strstr(text, "Access-Control-Allow-Origin: *\r\n"
                                 "Access-Control-Allow-Methods: GET, HEAD\r\n"
                                 "Access-Control-Allow-Headers: If-None-Match\r\n"
                                 "Access-Control-Max-Age: 86400\r\n"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 204, .options = true});
    assert_null(strstr(text, "Access-Control"));
    text_clear(&writer);
    http_write_head(&writer, &(HttpHead){.status = 304});
    assert_null(strstr(text, "Content-Length"));
    assert_string_equal(http_reason_phrase(404), "Not Found");
    assert_string_equal(http_sentence(299), http_sentence(298));
}

static uint32_t read_answer(const char *text, HttpResponse *out) {
    uint32_t scanned = 0, used, count = (uint32_t)strlen(text);
    memcpy(bytes, text, count);
    return http_read_response(bytes, count, &scanned, out, &used);
}

static void answers_are_read(void **unused) {
    (void)unused;
    HttpResponse answer;
    char text[256];
    MashText writer = text_over(text, sizeof text);
    http_write_upgrade_response(&writer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_int_equal(read_answer(text, &answer), 200);
    assert_true(answer.status == 101 && answer.upgrade && !answer.extras);
    assert_string_equal(answer.accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_int_equal(read_answer("HTTP/1.1 403 No\r\n\r\n", &answer), 200);
    assert_true(answer.status == 403 && !answer.upgrade && answer.accept == NULL);
    assert_int_equal(read_answer("HTTP/1.1 101 x\r\nSec-WebSocket-Protocol: y\r\n\r\n", &answer),
                     200);
    assert_true(answer.extras);
    assert_int_equal(read_answer("HTTP/1.1 101 x\r\nSec", &answer), HTTP_MORE);
    const char *bad[] = {"HTTP/1.0 200 OK\r\n\r\n",  "HTTP/1.1 20 OK\r\n\r\n",       "\r\n\r\n",
                         "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nX\r\n\r\n", "\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_answer(bad[i], &answer), 400);
}

static void our_own_requests_can_be_read(void **unused) {
    (void)unused;
    char text[512];
    HttpRequest request;
    MashText writer = text_over(text, sizeof text);
    http_write_upgrade_request(&writer, "server:1218", "/arena?x",
                               "dGhlIHNhbXBsZSBub25jZQ==", NULL);
    assert_int_equal(read_whole(text, &request), 200);
    assert_true(request.upgrade);
    assert_string_equal(request.path, "/arena");
    assert_string_equal(request.host, "server:1218");
}

static void buckets_fill_with_time(void **unused) {
    (void)unused;
    TokenBucket bucket = {0};
    NetRate rate = {.per_second = 10, .burst = 3};
    for (int i = 0; i < 3; i++)
        assert_true(token_bucket_take(&bucket, rate, 5000, 1));
    assert_false(token_bucket_take(&bucket, rate, 5000, 1));
    assert_false(token_bucket_take(&bucket, rate, 5099, 1));
    assert_true(token_bucket_take(&bucket, rate, 5100, 1));
    assert_false(token_bucket_take(&bucket, rate, 5199, 1));
    assert_false(token_bucket_take(&bucket, rate, 9000, 4));
    assert_true(token_bucket_take(&bucket, rate, 9000, 3));
    assert_false(token_bucket_take(&bucket, rate, 9000, 1));
    assert_true(token_bucket_take(&bucket, (NetRate){0, 0}, 9000, UINT32_MAX));
    assert_false(token_bucket_take(&bucket, (NetRate){1, 1}, 0, UINT32_MAX));
}

static void addresses_have_one_place_each(void **unused) {
    (void)unused;
    AddressTable book;
    assert_true(address_table_init(&book, 10, (uint64_t[2]){1, 2}));
    assert_true(address_key("1.2.3.4") != address_key("1.2.3.5"));
    assert_true(address_key("1.2.3.4") == address_key("::ffff:1.2.3.4"));
    assert_true(address_key("::1") == address_key("127.0.0.1"));
    assert_true(address_key("2001:db8::1") == address_key("2001:db8::2:3:4:5"));
    assert_true(address_key("2001:db8::1") != address_key("2001:db8:0:1::1"));
    assert_int_equal(address_key("1.2.3"), 0);
    assert_int_equal(address_key("unknown"), 0);
    assert_true(address_key("0.0.0.0") != 0 && address_key("::") != 0);
    Address *one = address_find(&book, 7, 100);
    one->sockets = 1;
    assert_true(address_find(&book, 7, 101) == one);
    /* A flood of others takes only idle entries. */
    uint32_t refused = 0;
    for (uint64_t key = 8; key < 20000; key++)
        refused += address_find(&book, key, key) == NULL;
    assert_int_equal(refused, 0);
    assert_true(address_find(&book, 7, 30000) == one && one->sockets == 1);
    for (uint64_t key = 8; key < 20000; key++) {
        Address *other = address_find(&book, key, key);
        if (other == NULL)
            refused++;
        else
            other->sockets = 1;
    }
    assert_true(refused > 18000);
    address_book_release(&book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_read),
        cmocka_unit_test(an_upgrade_needs_both_its_headers),
        cmocka_unit_test(first_lines_are_judged),
        cmocka_unit_test(header_lines_are_judged),
        cmocka_unit_test(a_nul_is_refused),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(requests_arrive_in_pieces),
        cmocka_unit_test(codings_are_chosen_by_what_is_accepted),
        cmocka_unit_test(etags_are_compared),
        cmocka_unit_test(heads_are_written),
        cmocka_unit_test(answers_are_read),
        cmocka_unit_test(our_own_requests_can_be_read),
        cmocka_unit_test(buckets_fill_with_time),
        cmocka_unit_test(addresses_have_one_place_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
