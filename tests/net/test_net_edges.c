/* test_net_edges.c -- what the net promises in figures: dates of every year, addresses at the ends
 * of their lengths, tables of addresses, how sockets and threads are set up, and when a loop ends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/http.h"
#include "net/rate_limit.h"
#include "tests/net/loopback_server.h"

/* --- Dates ------------------------------------------------------------------------------------ */

/* The first and the last days of all months until the year 2410, as the C library writes them. */
static void dates_are_those_of_the_calendar(void **unused) {
    (void)unused;
    static const int days[] = {1, 2, 28, 29, 30, 31};
    for (int month = 0; month < 440 * 12; month++)
        for (uint32_t i = 0; i < 6; i++) {
            struct tm date = {.tm_year = 70 + month / 12,
                              .tm_mon = month % 12,
                              .tm_mday = days[i],
                              .tm_hour = month % 24,
                              .tm_min = month % 60,
                              .tm_sec = 59 - month % 60};
            time_t seconds = timegm(&date); /* 30 February is one in March */
            char text[512], expected[64];
            MashText writer = text_over(text, sizeof text);
            http_write_head(&writer, &(HttpHead){.status = 200, .date_s = seconds});
            gmtime_r(&seconds, &date);
            strftime(expected, sizeof expected, "\r\nDate: %a, %d %b %Y %H:%M:%S GMT\r\n", &date);
            if (strstr(text, expected) == NULL)
                fail_msg("%s instead of %s", text, expected);
        }
}

/* --- Addresses -------------------------------------------------------------------------------- */

/* There are two entries for each socket, and not many more. */
static void a_table_fits_its_sockets(void **unused) {
    (void)unused;
    static const uint32_t all[] = {0, 1, 512, 513, 1000, 1024, 1025, 12000, 100000};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        AddressTable table;
        assert_true(address_table_init(&table, all[i], (uint64_t[2]){1, 2}));
        uint64_t entries = (uint64_t)table.sets * ADDRESS_WAYS;
        assert_true(table.sets >= 128 && (table.sets & (table.sets - 1)) == 0);
        assert_true(entries >= 2ull * all[i] && (table.sets == 128 || entries < 4ull * all[i]));
        address_book_release(&table);
    }
}

/* A new address takes the entry that was idle longest; one with sockets stays. */
static void the_longest_idle_gives_way(void **unused) {
    (void)unused;
    AddressTable table;
    uint64_t keys[ADDRESS_WAYS + 3], found = 0;
    assert_true(address_table_init(&table, 1, (uint64_t[2]){3, 4}));
    for (uint64_t key = 1; found < ADDRESS_WAYS + 3; key++) { /* keys of the first set */
        const Address *place = address_find(&table, key, 1);
        if (place < table.places + ADDRESS_WAYS)
            keys[found++] = key;
    }
    memset(table.places, 0, ADDRESS_WAYS * sizeof *table.places);
    Address *places[ADDRESS_WAYS];
    for (uint64_t i = 0; i < ADDRESS_WAYS; i++)
        places[i] = address_find(&table, keys[i], 10 + i);
    places[0]->sockets = 1;
    places[1]->connections.full_ns = 7;
    assert_ptr_equal(address_find(&table, keys[1], 30), places[1]);
    assert_int_equal(places[1]->connections.full_ns, 7);
    for (uint64_t i = 0; i < 3; i++) { /* 0 has a socket, 1 was just used */
        assert_ptr_equal(address_find(&table, keys[ADDRESS_WAYS + i], 40), places[2 + i]);
        assert_int_equal(places[2 + i]->key, keys[ADDRESS_WAYS + i]);
    }
    assert_ptr_equal(address_find(&table, keys[0], 50), places[0]);
    for (uint64_t i = 0; i < ADDRESS_WAYS; i++)
        places[i]->sockets = 1;
    assert_null(address_find(&table, keys[2], 60));
    address_book_release(&table);
}

/* --- URLs ------------------------------------------------------------------------------------- */

static bool connects(LoopbackServer *loopback, const char *url) {
    char problem[4096] = "";
    MashText text = text_over(problem, sizeof problem);
    NetCallbacks calls = loopback->setup.calls;
    NetConnection *connection = net_connect(loopback->loop, url, &calls, loopback, NULL, &text);
    assert_int_equal(connection == NULL, problem[0] != '\0');
    return connection != NULL;
}

/* An address of our own at both ends of each of its lengths and ranges. */
static void addresses_have_their_bounds(void **unused) {
    (void)unused;
    static char url[4096];
    LoopbackServer *loopback = loopback_new();
    static const struct {
        const char *url;
        bool good;
    } all[] = {{"ws://127.0.0.1:1/", true},
               {"ws://127.0.0.1:0/", false},
               {"ws://127.0.0.1:65535/", true},
               {"ws://127.0.0.1:65536/", false},
               {"ws://127.0.0.1:99999/", false},
               {"ws://127.0.0.1:/", false},
               {"ws://127.0.0.1:00080/", true},
               {"ws://127.0.0.1:000080/", false},
               {"ws://127.0.0.1:1/!~", true},
               {"ws://127.0.0.1:1/\x7f", false},
               {"ws://127.0.0.1:1/a b", false},
               {"ws://127.0.0.1:1/a#b", false},
               {"WS://127.0.0.1:1/", true},
               {"ws://127.0.0.1:1?a", true},
               {"ws://127.0.0.1:/0", false},
               {"ws://127.0.0.1:1:/", false},
               {"ws://[::1]:1/", true},
               {"ws://[::1]/", true},
               {"ws://[]:1/", false},
               {"ws://[::1]1/", false},
               {"wsx://127.0.0.1/", false},
               {"ws:/127.0.0.1/", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (connects(loopback, all[i].url) != all[i].good)
            fail_msg("%s is %s", all[i].url, all[i].good ? "refused" : "accepted");
    for (size_t more = 0; more < 2; more++) {
        memcpy(url, "ws://", 5);
        memset(url + 5, 'h', 255 + more);
        strcpy(url + 260 + more, ":1/");
        assert_int_equal(connects(loopback, url), more == 0);
        for (size_t slash = 0; slash < 2; slash++) { /* a query gets the slash that it lacks */
            memcpy(url, "ws://127.0.0.1:1", 16);
            memset(url + 16, 'p', 2048);
            url[16] = slash ? '/' : '?';
            url[16 + 2046 + slash + more] = '\0';
            assert_int_equal(connects(loopback, url), more == 0);
        }
    }
    loopback_close(loopback);
}

/* --- Sockets ---------------------------------------------------------------------------------- */

/* The descriptor in this process whose own port and peer's port are these; 0 = any. */
static int find_socket(uint16_t own, uint16_t peer) {
    for (int fd = 3; fd < 256; fd++) {
        struct sockaddr_in name = {0}, other = {0};
        socklen_t size = sizeof name, other_size = sizeof other;
        if (getsockname(fd, (struct sockaddr *)&name, &size) != 0 || name.sin_port != htons(own))
            continue;
        bool joined = getpeername(fd, (struct sockaddr *)&other, &other_size) == 0;
        if (joined ? peer != 0 && other.sin_port == htons(peer) : peer == 0)
            return fd;
    }
    fail_msg("there is no such socket");
    return -1;
}

static int option(int fd, int level, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    assert_int_equal(getsockopt(fd, level, name, &value, &size), 0);
    return value;
}

static uint16_t port_of(int fd) {
    struct sockaddr_in name = {0};
    socklen_t size = sizeof name;
    assert_int_equal(getsockname(fd, (struct sockaddr *)&name, &size), 0);
    return ntohs(name.sin_port);
}

/* Messages go out at once, the system buffers no more than it should, children inherit nothing, and
 * a port can be used again at once. */
static void sockets_are_set_up(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    uint16_t port = net_server_port(loopback->server);
    int raw = raw_websocket(loopback, "/");
    LoopbackClient *client = loopback_client(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    int listens = find_socket(port, 0), accepted = find_socket(port, port_of(raw)), opened = -1;
    for (int fd = 3; fd < 256 && opened < 0; fd++) {
        struct sockaddr_in other = {0};
        socklen_t size = sizeof other;
        if (fd != raw && getpeername(fd, (struct sockaddr *)&other, &size) == 0 &&
            other.sin_port == htons(port))
            opened = fd;
    }
    assert_true(opened >= 0);
    assert_true(option(listens, SOL_SOCKET, SO_REUSEADDR) != 0);
    assert_true(option(accepted, IPPROTO_TCP, TCP_NODELAY) != 0);
    assert_true(option(opened, IPPROTO_TCP, TCP_NODELAY) != 0);
    assert_int_equal(option(accepted, SOL_SOCKET, SO_SNDBUF), 2 * 256 * 1024);
    const int all[] = {listens, accepted, opened};
    for (int i = 0; i < 3; i++)
        assert_true((fcntl(all[i], F_GETFD) & FD_CLOEXEC) != 0);
    close(raw);
    loopback_close(loopback);
    test_free(client);
}

/* An answer of a server that is full is as long as it says. */
static void rejections_are_whole(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.sockets_max = 1;
    loopback_open(loopback);
    int one = raw_websocket(loopback, "/"), two = raw_open(loopback);
    const char *answer = raw_receive(loopback, two, NULL);
    const char *length = strstr(answer, "Content-Length: "), *body = strstr(answer, "\r\n\r\n");
    assert_true(length != NULL && body != NULL);
    assert_int_equal(strtoul(length + 16, NULL, 10), strlen(body + 4));
    close(one);
    close(two);
    loopback_close(loopback);
}

/* Times of a millisecond are kept, too: nobody is waited for without an end. */
static void the_shortest_times_have_an_end(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.request_ms = 1;
    loopback_open(loopback);
    int raw = raw_open(loopback);
    assert_string_equal(raw_receive(loopback, raw, NULL), "");
    close(raw);
    loopback_close(loopback);
}

/* All files but those open now and 64 more are for sockets; or a quarter of all, if that is more.
 */
static void sockets_are_what_files_are_left(void **unused) {
    (void)unused;
    uint64_t open_now = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        open_now++;
    closedir(folder);
    open_now -= 3;
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    for (rlim_t limit = 80; limit < 160; limit++) {
        uint64_t rest = limit > open_now + 64 ? limit - open_now - 64 : 0;
        tight = before;
        tight.rlim_cur = limit;
        setrlimit(RLIMIT_NOFILE, &tight);
        uint32_t fit = net_sockets_fit(1000);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_int_equal(fit, rest > limit / 4 ? rest : limit / 4);
    }
}

/* --- Loops and threads ------------------------------------------------------------------------ */

static void ignore(void *owner) { (void)owner; }

/* A loop with nothing to wait for ends, whatever is open on it; a broken pipe raises no signal. */
static void a_loop_with_nothing_to_do_ends(void **unused) {
    (void)unused;
    struct sigaction action;
    signal(SIGPIPE, SIG_DFL);
    NetLoop *loop = net_loop_open();
    sigaction(SIGPIPE, NULL, &action);
    assert_true(action.sa_handler == SIG_IGN);
    NetTimer *timer = net_timer_open(loop, ignore, NULL);
    NetWakeup *wakeup = net_wakeup_open(loop, ignore, NULL);
    NetThreadPool *pool = net_thread_pool_open(loop, 2, 2);
    assert_true(net_on_signal(loop, SIGUSR1, ignore, NULL));
    net_loop_run(loop);
    assert_int_equal(net_loop_stats(loop).count, 1); /* that was one turn, the last */
    net_timer_start(timer, 1);
    assert_true(net_thread_pool_submit(pool, ignore, ignore, NULL));
    net_loop_run(loop);
    NetLoopStats stats = net_loop_stats(loop);
    assert_true(stats.count > 0 && stats.longest_us <= stats.busy_us);
    net_timer_close(timer);
    net_wakeup_close(wakeup);
    net_thread_pool_close(pool);
    net_loop_close(loop);
}

static int nice_of_thread;
static void note_nice(void *job) {
    (void)job;
    nice_of_thread = getpriority(PRIO_PROCESS, (id_t)gettid());
}

/* Long work gives way to the loop. */
static void workers_are_nice(void **unused) {
    (void)unused;
    NetLoop *loop = net_loop_open();
    NetThreadPool *pool = net_thread_pool_open(loop, 1, 1);
    assert_true(net_thread_pool_submit(pool, note_nice, ignore, NULL));
    net_loop_run(loop);
    int own = getpriority(PRIO_PROCESS, (id_t)gettid());
    assert_true(nice_of_thread == 10 || (own > 10 && nice_of_thread == own));
    net_thread_pool_close(pool);
    net_loop_close(loop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_those_of_the_calendar),
        cmocka_unit_test(a_table_fits_its_sockets),
        cmocka_unit_test(the_longest_idle_gives_way),
        cmocka_unit_test(addresses_have_their_bounds),
        cmocka_unit_test(sockets_are_set_up),
        cmocka_unit_test(rejections_are_whole),
        cmocka_unit_test(the_shortest_times_have_an_end),
        cmocka_unit_test(sockets_are_what_files_are_left),
        cmocka_unit_test(a_loop_with_nothing_to_do_ends),
        cmocka_unit_test(workers_are_nice),
    };
    return cmocka_run_group_tests_name("net_edges", tests, NULL, NULL);
}
