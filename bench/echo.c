/* echo.c -- a plain TCP echo server, the least a server can do: the reference for `mashup bench
 * server`. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/load.h"

enum { EVENTS_MAX = 256, PIECE_BYTES = 4096 };

/* Accepts a connection, if one is waiting. */
static void accept_one(int set, int listener) {
    struct epoll_event one = {.events = EPOLLIN};
    one.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (one.data.fd >= 0)
        epoll_ctl(set, EPOLL_CTL_ADD, one.data.fd, &one);
}

/* Sends back whatever it receives, until it is killed. */
static void serve(int listener) {
    static struct epoll_event events[EVENTS_MAX];
    char piece[PIECE_BYTES];
    int set = epoll_create1(0);
    struct epoll_event one = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(set, EPOLL_CTL_ADD, listener, &one);
    for (;;) {
        int count = epoll_wait(set, events, EVENTS_MAX, -1);
        for (int i = 0; i < count; i++) {
            int end = events[i].data.fd;
            if (end == listener) {
                accept_one(set, listener);
                continue;
            }
            ssize_t got = read(end, piece, sizeof piece);
            if (got <= 0 || write(end, piece, (size_t)got) != got)
                close(end);
        }
    }
}

/* A listening socket on a free port of the loopback interface, or -1. */
static int listen_somewhere(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (listener < 0)
        return -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, SOMAXCONN) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        close(listener);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

/* One socket to the echo server; -1: it failed. */
static int connect_to(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int end = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (end < 0 || connect(end, (struct sockaddr *)&address, sizeof address) != 0)
        return -1;
    return end;
}

/* Monotonic clock, in seconds. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Every socket has one message in flight; returns how many came back. */
static uint64_t exchange(int set, double duration, uint32_t bytes) {
    static struct epoll_event events[EVENTS_MAX];
    char piece[PIECE_BYTES];
    uint64_t echoes = 0;
    for (double until = seconds() + duration; seconds() < until;) {
        int count = epoll_wait(set, events, EVENTS_MAX, 10);
        for (int i = 0; i < count; i++) {
            ssize_t got = read(events[i].data.fd, piece, sizeof piece);
            if (got != (ssize_t)bytes || write(events[i].data.fd, piece, bytes) != (ssize_t)bytes)
                continue;
            echoes++;
        }
    }
    return echoes;
}

double bench_echo(uint32_t sockets, uint32_t bytes, double duration) {
    uint16_t port = 0;
    int listener = listen_somewhere(&port), set = epoll_create1(0);
    char piece[PIECE_BYTES] = {0};
    int *ends = calloc(sockets, sizeof *ends);
    fflush(NULL);
    pid_t server = listener < 0 || ends == NULL ? -1 : fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener);
    }
    if (server < 0)
        return 0;
    for (uint32_t i = 0; i < sockets; i++) {
        ends[i] = connect_to(port);
        struct epoll_event one = {.events = EPOLLIN, .data.fd = ends[i]};
        epoll_ctl(set, EPOLL_CTL_ADD, ends[i], &one);
    }
    LoadUsage before = load_account(server);
    for (uint32_t i = 0; i < sockets; i++)
        if (write(ends[i], piece, bytes) != (ssize_t)bytes)
            fprintf(stderr, "mashup bench: the echo server did not start\n");
    uint64_t echoes = exchange(set, duration, bytes);
    LoadUsage after = load_account(server);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    for (uint32_t i = 0; i < sockets; i++)
        close(ends[i]);
    close(set);
    close(listener);
    free(ends);
    return (double)echoes / (after.cpu_seconds - before.cpu_seconds);
}
