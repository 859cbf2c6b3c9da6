/* net.c -- how fast net/ is: an echo server in one process, its load in another, over loopback.
 *
 * The server reports its own CPU time and memory, so that the cost of the load does not count.
 * There is no pass or fail; a busy machine gives lower numbers per wall-clock second. */
#define _GNU_SOURCE
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "net/net.h"

enum { CLIENTS_MAX = 6000, ECHO_BYTES = 64 };

/* --- The server ---------------------------------------------------------------------------------
 */

/* What the server reports about itself. */
typedef struct EchoUsage {
    long long cpu_us, heap_bytes, resident_bytes;
} EchoUsage;

/* The echo server: all connections, in order. */
typedef struct Echo {
    NetLoop *loop;
    NetConnection *people[CLIENTS_MAX];
    uint32_t count;
} Echo;

static EchoUsage take_account(void) {
    struct timespec cpu;
    struct mallinfo2 heap = mallinfo2();
    long pages = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (statm != NULL)
        fclose(statm);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (EchoUsage){.cpu_us = cpu.tv_sec * 1000000LL + cpu.tv_nsec / 1000,
                       .heap_bytes = (long long)(heap.uordblks + heap.hblkhd),
                       .resident_bytes = resident * sysconf(_SC_PAGESIZE)};
}

static uint16_t echo_open(void *owner, NetConnection *connection, const NetRequest *request) {
    Echo *echo = owner;
    (void)request;
    echo->people[echo->count++] = connection;
    return NET_ACCEPT;
}

static void echo_message(void *owner, NetConnection *connection, const char *bytes,
                         uint32_t count) {
    Echo *echo = owner;
    if (bytes[0] == '?') {
        char text[128];
        EchoUsage account = take_account();
        int length = snprintf(text, sizeof text, "?%lld %lld %lld", account.cpu_us,
                              account.heap_bytes, account.resident_bytes);
        net_send_text(connection, text, (uint32_t)length);
    } else if (bytes[0] == '*') {
        NetFrame *frame = net_frame_new(echo->loop, bytes, count);
        for (uint32_t i = 0; i < echo->count; i++)
            net_send(echo->people[i], frame);
        net_frame_release(frame);
    } else {
        net_send_text(connection, bytes, count);
    }
}

static void echo_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Echo *echo = owner;
    (void)code;
    (void)reason;
    uint32_t place = echo->count - 1;
    while (echo->people[place] != connection)
        place--;
    echo->people[place] = echo->people[--echo->count];
}

/* Serves until it is killed; sends its port through the pipe. */
static void serve(int pipe_end) {
    static Echo echo;
    char problem[128] = "";
    MashText text = text_over(problem, sizeof problem);
    NetServerSetup setup = {
        .address = "127.0.0.1",
        .calls = {.on_open = echo_open, .on_message = echo_message, .on_close = echo_close},
        .owner = &echo,
        .limits = net_limits()};
    setup.limits.address_connections = setup.limits.address_requests =
        setup.limits.address_handshakes = setup.limits.socket_frames = setup.limits.socket_bytes =
            (NetRate){0, 0};
    setup.limits.address_sockets_max = setup.limits.sockets_max;
    echo.loop = net_loop_open();
    NetServer *server = net_server_open(echo.loop, &setup, &text);
    uint16_t port = server == NULL ? 0 : net_server_port(server);
    if (server == NULL)
        fprintf(stderr, "bench_net: %s\n", problem);
    if (write(pipe_end, &port, sizeof port) != sizeof port || server == NULL)
        _exit(1);
    net_loop_run(echo.loop);
}

/* --- The load
 * ------------------------------------------------------------------------------------- */

/* All clients of this process, and what they have received. */
typedef struct Load {
    NetLoop *loop;
    NetTimer *timer;
    char url[64];
    NetConnection *clients[CLIENTS_MAX];
    uint32_t count;           /* in `clients` */
    uint32_t opened, closed;  /* in total */
    uint64_t echoes, news;    /* messages that came back; messages to all */
    uint64_t handshakes_left; /* still to be started */
    bool answering;           /* echoes are sent back again */
    bool churning;            /* open connections close and others open */
    EchoUsage account;        /* the last one received */
    bool account_came;
} Load;

static void connect_one(Load *load);

static uint16_t load_open(void *owner, NetConnection *connection, const NetRequest *request) {
    Load *load = owner;
    (void)request;
    load->opened++;
    if (load->churning)
        net_close(connection, NET_CLOSE_NORMAL, "");
    else
        load->clients[load->count++] = connection;
    return NET_ACCEPT;
}

static void load_message(void *owner, NetConnection *connection, const char *bytes,
                         uint32_t count) {
    Load *load = owner;
    if (bytes[0] == '?') {
        char text[128] = {0};
        memcpy(text, bytes, count);
        load->account_came = sscanf(text, "?%lld %lld %lld", &load->account.cpu_us,
                                    &load->account.heap_bytes, &load->account.resident_bytes) == 3;
        net_loop_stop(load->loop);
    } else if (bytes[0] == '*') {
        load->news++;
    } else {
        load->echoes++;
        if (load->answering)
            net_send_text(connection, bytes, count);
    }
}

static void load_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Load *load = owner;
    (void)connection;
    if (code != NET_CLOSE_NORMAL)
        fprintf(stderr, "bench_net: a client was closed with %u: %s\n", (unsigned)code, reason);
    load->closed++;
    if (load->handshakes_left > 0) {
        load->handshakes_left--;
        connect_one(load);
    } else {
        net_loop_stop(load->loop);
    }
}

static void connect_one(Load *load) {
    static const NetCallbacks calls = {
        .on_open = load_open, .on_message = load_message, .on_close = load_close};
    char problem[128];
    MashText text = text_over(problem, sizeof problem);
    if (net_connect(load->loop, load->url, &calls, load, NULL, &text) == NULL)
        fprintf(stderr, "bench_net: %s\n", problem);
}

static void stop(void *owner) { net_loop_stop(((Load *)owner)->loop); }

static void run_for(Load *load, uint32_t ms) {
    net_timer_start(load->timer, ms);
    net_loop_run(load->loop);
    net_timer_stop(load->timer);
}

/* Opens clients, some hundred at a time, until there are this many. */
static void connect_to(Load *load, uint32_t count) {
    while (load->count < count) {
        uint32_t batch = count - load->count < 200 ? count - load->count : 200;
        uint32_t target = load->opened + batch;
        for (uint32_t i = 0; i < batch; i++)
            connect_one(load);
        while (load->opened < target)
            run_for(load, 1);
    }
}

static EchoUsage ask_account(Load *load) {
    load->account_came = false;
    net_send_text(load->clients[0], "?", 1);
    while (!load->account_came)
        net_loop_run(load->loop);
    return load->account;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- Measurements
 * ----------------------------------------------------------------------------------- */

/* Some clients send their message back again and again. */
static void measure_echoes(Load *load, uint32_t talkers, uint32_t each) {
    char text[ECHO_BYTES];
    memset(text, 'e', sizeof text);
    load->answering = true;
    load->echoes = 0;
    EchoUsage before = ask_account(load);
    double began = seconds_now();
    for (uint32_t i = 0; i < talkers * each; i++)
        net_send_text(load->clients[i % talkers], text, sizeof text);
    run_for(load, 2000);
    load->answering = false;
    EchoUsage after = ask_account(load);
    double wall = seconds_now() - began, cpu = (double)(after.cpu_us - before.cpu_us) / 1e6;
    printf("echoes: %u sockets, %u talk, %u messages each on their way: "
           "%.0f per server-CPU-second (%.0f a second, server busy %.0f %%)\n",
           load->count, talkers, each, (double)load->echoes / cpu, (double)load->echoes / wall,
           100 * cpu / wall);
    run_for(load, 200);
}

/* One message to all, again and again. */
static void measure_news(Load *load, uint32_t rounds) {
    char text[200];
    memset(text, '*', sizeof text);
    load->news = 0;
    EchoUsage before = ask_account(load);
    double began = seconds_now();
    for (uint32_t i = 0; i < rounds; i++) {
        net_send_text(load->clients[0], text, sizeof text);
        while (load->news < (uint64_t)(i + 1) * load->count)
            run_for(load, 1);
    }
    EchoUsage after = ask_account(load);
    double wall = seconds_now() - began, cpu = (double)(after.cpu_us - before.cpu_us) / 1e6;
    printf("fan-out: one message to %u sockets: %.0f deliveries per server-CPU-second "
           "(%.1f ms by the wall each time)\n",
           load->count, (double)load->news / cpu, wall * 1000 / rounds);
}

/* Opens and closes, 50 at a time, while others stay connected. */
static void measure_handshakes(Load *load, uint32_t count) {
    enum { AT_ONCE = 50 };
    uint32_t target = load->closed + count;
    EchoUsage before = ask_account(load);
    double began = seconds_now();
    load->churning = true;
    load->handshakes_left = count - AT_ONCE;
    for (int i = 0; i < AT_ONCE; i++)
        connect_one(load);
    while (load->closed < target)
        net_loop_run(load->loop);
    load->churning = false;
    double wall = seconds_now() - began;
    EchoUsage after = ask_account(load);
    double cpu = (double)(after.cpu_us - before.cpu_us) / 1e6;
    printf("handshakes: beside %u sockets, each with its goodbye: %.0f per server-CPU-second "
           "(%.0f a second)\n",
           load->count, count / cpu, count / wall);
}

static void measure_all(Load *load) {
    connect_to(load, 1);
    run_for(load, 50);
    EchoUsage empty = ask_account(load);
    connect_to(load, 100);
    measure_handshakes(load, 3000);
    measure_echoes(load, 100, 1);
    measure_echoes(load, 100, 16);
    connect_to(load, 2000);
    measure_news(load, 20);
    connect_to(load, 5001);
    run_for(load, 200);
    EchoUsage full = ask_account(load);
    printf("memory: each of 5,000 idle connections: %.0f bytes of heap, %.0f bytes resident "
           "(what the system needs for sockets aside)\n",
           (double)(full.heap_bytes - empty.heap_bytes) / 5000,
           (double)(full.resident_bytes - empty.resident_bytes) / 5000);
    measure_handshakes(load, 3000);
    measure_echoes(load, 100, 1);
    measure_echoes(load, 5000, 1);
}

int main(void) {
    static Load load;
    int ends[2];
    uint16_t port = 0;
    if (pipe(ends) != 0)
        return 1;
    pid_t server = fork();
    if (server == 0) {
        close(ends[0]);
        serve(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (server < 0 || read(ends[0], &port, sizeof port) != sizeof port || port == 0)
        return 1;
    snprintf(load.url, sizeof load.url, "ws://127.0.0.1:%u/", (unsigned)port);
    load.loop = net_loop_open();
    load.timer = net_timer_open(load.loop, stop, &load);
    measure_all(&load);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return 0;
}
