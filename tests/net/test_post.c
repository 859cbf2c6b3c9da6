/* test_post.c -- requests to addresses that strangers choose: which addresses are refused, and what
 * a server that answers, that does not, or that is none gets and gives. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>

#include "net/net.h"

/* How often names were looked up. */
static uint32_t lookups;

/* An entry of an answer, as freeaddrinfo() takes it. */
static struct addrinfo *entry(const char *address, struct addrinfo *next) {
    struct addrinfo *one = calloc(1, sizeof *one + sizeof(struct sockaddr_in6));
    struct sockaddr_in6 *at = (struct sockaddr_in6 *)(void *)(one + 1);
    assert_non_null(one);
    at->sin6_family = AF_INET6;
    at->sin6_port = htons(443);
    assert_int_equal(inet_pton(AF_INET6, address, &at->sin6_addr), 1);
    one->ai_family = AF_INET6;
    one->ai_socktype = SOCK_STREAM;
    one->ai_addr = (struct sockaddr *)(void *)at;
    one->ai_addrlen = sizeof *at;
    one->ai_next = next;
    return one;
}

/* Instead of the C library's: `two.example` has an address of the internet, where nobody is, and
 * one of this machine. */
int getaddrinfo(const char *restrict name, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict found) {
    int (*ask)(const char *restrict, const char *restrict, const struct addrinfo *restrict,
               struct addrinfo **restrict);
    lookups++;
    if (strcmp(name, "two.example") == 0) {
        *found = entry("3fff::1", entry("::1", NULL));
        return 0;
    }
    *(void **)(void *)&ask = dlsym(RTLD_NEXT, "getaddrinfo");
    return ask(name, service, hints, found);
}

/* Is the address public? */
static bool is_public(const char *text) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *found = NULL;
    assert_int_equal(getaddrinfo(text, "443", &hints, &found), 0);
    bool answer = net_address_is_public(found->ai_addr);
    freeaddrinfo(found);
    return answer;
}

static void own_networks_are_refused(void **unused) {
    (void)unused;
    static const char *const ours[] = {
        "0.0.0.0",         "10.0.0.1",        "100.64.0.1",  "127.0.0.1",       "127.255.255.254",
        "169.254.169.254", "172.16.0.1",      "172.31.9.9",  "192.0.0.1",       "192.0.2.1",
        "192.168.1.1",     "198.18.0.1",      "198.19.1.1",  "198.51.100.7",    "203.0.113.9",
        "224.0.0.1",       "240.0.0.1",       "::",          "255.255.255.255", "::1",
        "fe80::1",         "fc00::1",         "fd12::1",     "ff02::1",         "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2001:db8::1", "2002:7f00:1::",   "2001::1",
        "fec0::1"};
    static const char *const theirs[] = {"1.1.1.1",     "8.8.8.8",       "172.32.0.1",
                                         "100.128.0.1", "198.20.0.1",    "2606:4700::1111",
                                         "2a00::1",     "::ffff:1.1.1.1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (is_public(ours[i]))
            fail_msg("%s is taken for public", ours[i]);
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (!is_public(theirs[i]))
            fail_msg("%s is not taken for public", theirs[i]);
}

static void addresses_are_read_strictly(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    static const char *const bad[] = {"http://a.example/",
                                      "ftp://a.example",
                                      "https://",
                                      "https:///x",
                                      "https://a b",
                                      "https://user@a.example/",
                                      "https://a.example:x/",
                                      "https://a.example:123456/",
                                      "https://[::1/",
                                      "https://a.example/\r\nX: y",
                                      "https://a.example:/",
                                      "javascript:alert(1)",
                                      "https://[1::2]evil/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (net_post_may(bad[i], false, &problem))
            fail_msg("%s is accepted", bad[i]);
    assert_true(net_post_may("https://a.example", false, &problem));
    assert_true(net_post_may("https://a.example:8443/x?y=z", false, &problem));
    assert_true(net_post_may("https://[2606:4700::1111]/x", false, &problem));
    assert_true(net_post_may("http://127.0.0.1:9/", true, &problem));
}

/* A server for one connection. */
typedef struct OneServer {
    int line;
    uint16_t port;
    const char *answer; /* NULL: it says nothing */
    char heard[4096];
    pthread_t thread;
} OneServer;

static void *serve(void *what) {
    OneServer *server = what;
    int line = accept(server->line, NULL, NULL);
    size_t count = 0;
    while (count < sizeof server->heard - 1 && strstr(server->heard, "hello!") == NULL) {
        ssize_t more = recv(line, server->heard + count, sizeof server->heard - 1 - count, 0);
        if (more <= 0)
            break;
        count += (size_t)more;
    }
    if (server->answer != NULL)
        send(line, server->answer, strlen(server->answer), MSG_NOSIGNAL);
    else
        recv(line, server->heard, 1, 0); /* until the other end gives up */
    close(line);
    return NULL;
}

static void begin(OneServer *server, const char *answer) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof at;
    memset(server, 0, sizeof *server);
    server->answer = answer;
    server->line = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(server->line, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(server->line, 1), 0);
    assert_int_equal(getsockname(server->line, (struct sockaddr *)&at, &bytes), 0);
    server->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static uint16_t post(OneServer *server, const char *scheme, bool local, MashText *problem) {
    char url[64];
    snprintf(url, sizeof url, "%s://127.0.0.1:%u/x?y", scheme, server->port);
    NetPost request = {.url = url,
                       .headers = "X-Test: 1\r\n",
                       .body = "hello!",
                       .count = 6,
                       .timeout_ms = 300,
                       .local = local};
    return net_post(&request, problem);
}

static void end(OneServer *server) {
    shutdown(server->line, SHUT_RDWR);
    pthread_join(server->thread, NULL);
    close(server->line);
}

static void only_the_status_is_read(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    OneServer server;
    begin(&server, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n");
    assert_int_equal(post(&server, "http", true, &problem), 302);
    end(&server);
    assert_memory_equal(server.heard, "POST /x?y HTTP/1.1\r\nHost: 127.0.0.1:",
                        strlen("POST /x?y HTTP/1.1\r\nHost: 127.0.0.1:"));
    assert_non_null(strstr(server.heard, "\r\nContent-Length: 6\r\nX-Test: 1\r\n\r\nhello!"));
    begin(&server, "nonsense of a server");
    assert_int_equal(post(&server, "http", true, &problem), 0);
    assert_string_equal(memory, "it does not speak HTTP");
    end(&server);
}

static void nothing_is_waited_for_or_sent_in_the_clear(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    OneServer server;
    begin(&server, NULL);
    assert_int_equal(post(&server, "http", true, &problem), 0);
    assert_string_equal(memory, "it did not answer in time");
    end(&server);
    text_clear(&problem);
    begin(&server, "HTTP/1.1 200 OK\r\n\r\n");
    assert_int_equal(post(&server, "https", true, &problem), 0); /* which speaks no TLS */
    assert_null(strstr(server.heard, "hello!"));
    end(&server);
    text_clear(&problem);
    begin(&server, "HTTP/1.1 200 OK\r\n\r\n");
    assert_int_equal(post(&server, "https", false, &problem), 0);
    assert_string_equal(memory, "its address is not one of the internet");
    end(&server);
    assert_int_equal(server.heard[0], 0); /* nobody came */
}

/* A name that has an address of one's own network among others leads nowhere; and it is asked for
 * once, so that it cannot lead elsewhere when the connection is made. */
static void each_address_of_a_name_is_checked(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    OneServer server;
    NetPost request = {.url = "https://two.example/",
                       .headers = "",
                       .body = "hello!",
                       .count = 6,
                       .timeout_ms = 1000};
    lookups = 0;
    assert_int_equal(net_post(&request, &problem), 0);
    assert_string_equal(memory, "its address is not one of the internet");
    assert_int_equal(lookups, 1);
    begin(&server, "HTTP/1.1 204 No Content\r\n\r\n");
    assert_int_equal(post(&server, "http", true, &problem), 204);
    assert_int_equal(lookups, 2);
    end(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_networks_are_refused),
        cmocka_unit_test(addresses_are_read_strictly),
        cmocka_unit_test(only_the_status_is_read),
        cmocka_unit_test(nothing_is_waited_for_or_sent_in_the_clear),
        cmocka_unit_test(each_address_of_a_name_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
