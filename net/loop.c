/* loop.c -- the loop, its clock, timers and signals; see net.h and loop.h. */
#define _GNU_SOURCE
#include "net/loop.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "net/connection.h"

/* A timer of libuv and its callback. */
struct NetTimer {
    uv_timer_t uv;
    uint64_t due_ms; /* by uv_now() */
    ListLink link;   /* in the list of due timers */
    void (*call)(void *owner);
    void *owner;
};

/* A signal handler. */
typedef struct Signal {
    uv_signal_t uv;
    ListLink link;
    void (*call)(void *owner);
    void *owner;
} Signal;

/* --- The loop --------------------------------------------------------------------------------- */

/* CPU time of this thread so far, in nanoseconds. */
static uint64_t cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* An iteration begins: what was before it does not count. */
static void begin_turn(NetLoop *loop) {
    loop->turn_ns = uv_hrtime();
    loop->turn_cpu_ns = cpu_ns();
    loop->turn_asleep_ns = uv_metrics_idle_time(&loop->uv);
}

/* An iteration is over: it lasted from the end of the previous one, without the time that the loop
 * slept. libuv makes most callbacks inside its poll, right after that sleep, so measuring from the
 * end of the poll would miss them. */
static void count_turn(NetLoop *loop) {
    NetLoopStats *turns = &loop->turns;
    uint64_t began_ns = loop->turn_ns, asleep_ns = loop->turn_asleep_ns;
    uint64_t began_cpu_ns = loop->turn_cpu_ns;
    begin_turn(loop);
    uint64_t all_ns = loop->turn_ns - began_ns, slept_ns = loop->turn_asleep_ns - asleep_ns;
    uint64_t wall_us = all_ns > slept_ns ? (all_ns - slept_ns) / 1000 : 0;
    uint64_t cpu_us = (loop->turn_cpu_ns - began_cpu_ns) / 1000;
    turns->count++;
    turns->busy_us += wall_us;
    turns->long_count += wall_us > NET_SLOW_ITERATION_US;
    turns->longest_us = wall_us > turns->longest_us ? wall_us : turns->longest_us;
    turns->longest_cpu_us = cpu_us > turns->longest_cpu_us ? cpu_us : turns->longest_cpu_us;
}

NetLoopStats net_loop_stats(const NetLoop *loop) { return loop->turns; }

/* Everything that was queued during callbacks is written together. Closing a connection may queue
 * more for others, so the list is emptied from its front. */
static void flush(uv_prepare_t *prepare) {
    NetLoop *loop = prepare->data;
    while (!list_empty(&loop->dirty)) {
        NetConnection *connection = LIST_ENTRY(loop->dirty.next, NetConnection, dirty);
        list_remove(&connection->dirty);
        connection_flush(connection);
    }
    count_turn(loop);
}

/* Connections with batched frames that have waited long enough write now. */
static void end_of_waiting(uv_timer_t *timer) {
    NetLoop *loop = timer->data;
    while (!list_empty(&loop->batched)) {
        NetConnection *first = LIST_ENTRY(loop->batched.next, NetConnection, dirty);
        if (first->lazy_ms > uv_now(&loop->uv)) {
            loop_start_batch_timer(loop);
            return;
        }
        list_append(&loop->dirty, &first->dirty);
    }
}

void loop_start_batch_timer(NetLoop *loop) {
    const NetConnection *first = LIST_ENTRY(loop->batched.next, NetConnection, dirty);
    uint64_t now_ms = uv_now(&loop->uv);
    if (!uv_is_active((uv_handle_t *)&loop->batch_timer))
        uv_timer_start(&loop->batch_timer, end_of_waiting,
                       first->lazy_ms > now_ms ? first->lazy_ms - now_ms : 0, 0);
}

NetLoop *net_loop_open(void) {
    NetLoop *loop = calloc(1, sizeof *loop);
    if (loop == NULL)
        return NULL;
    if (uv_loop_init(&loop->uv) != 0) {
        free(loop);
        return NULL;
    }
    uv_loop_configure(&loop->uv, UV_METRICS_IDLE_TIME);
    loop->uv.data = loop;
    signal(SIGPIPE, SIG_IGN);
    list_init(&loop->dirty);
    list_init(&loop->batched);
    list_init(&loop->due);
    list_init(&loop->clients);
    list_init(&loop->signals);
    loop->store.memory.max = net_limits().memory_max;
    net_random(loop, loop->secret, sizeof loop->secret);
    uv_prepare_init(&loop->uv, &loop->flush);
    loop->flush.data = loop;
    uv_prepare_start(&loop->flush, flush);
    uv_unref((uv_handle_t *)&loop->flush);
    uv_timer_init(&loop->uv, &loop->batch_timer);
    loop->batch_timer.data = loop;
    uv_unref((uv_handle_t *)&loop->batch_timer);
    uv_idle_init(&loop->uv, &loop->hurry);
    uv_check_init(&loop->uv, &loop->judge);
    loop->judge.data = loop;
    return loop;
}

void net_loop_run(NetLoop *loop) {
    begin_turn(loop);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    count_turn(loop);
}

void net_loop_stop(NetLoop *loop) { uv_stop(&loop->uv); }

/* libuv has closed the handle: the memory can go. */
static void free_signal(uv_handle_t *handle) { free(handle->data); }

void net_loop_close(NetLoop *loop) {
    while (!list_empty(&loop->clients))
        connection_drop(LIST_ENTRY(loop->clients.next, NetConnection, member));
    while (!list_empty(&loop->signals)) {
        Signal *signal = LIST_ENTRY(loop->signals.next, Signal, link);
        list_remove(&signal->link);
        uv_close((uv_handle_t *)&signal->uv, free_signal);
    }
    uv_close((uv_handle_t *)&loop->flush, NULL);
    uv_close((uv_handle_t *)&loop->batch_timer, NULL);
    uv_close((uv_handle_t *)&loop->hurry, NULL);
    uv_close((uv_handle_t *)&loop->judge, NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    int left = uv_loop_close(&loop->uv);
    assert(left == 0);
    (void)left;
    ws_shared_release(&loop->store);
    assert(loop->store.memory.used == 0);
    tls_trust_close(loop->trust);
    free(loop);
}

uint64_t net_now_ms(const NetLoop *loop) { return uv_now(&loop->uv); }

uint64_t net_wall_clock_ms(const NetLoop *loop) {
    uv_timeval64_t now;
    (void)loop;
    uv_gettimeofday(&now);
    return now.tv_sec < 0 ? 0 : (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000;
}

void net_random(NetLoop *loop, void *bytes, uint32_t count) {
    (void)loop;
    int status = uv_random(NULL, NULL, bytes, count, 0, NULL);
    assert(status == 0);
    (void)status;
}

void loop_mask(NetLoop *loop, uint8_t out[4]) {
    uint64_t number = hash_siphash(loop->secret, loop->drawn++);
    memcpy(out, &number, 4);
}

/* --- Signals ---------------------------------------------------------------------------------- */

/* The process was sent the signal: calls the owner. */
static void signalled(uv_signal_t *handle, int number) {
    Signal *signal = handle->data;
    (void)number;
    signal->call(signal->owner);
}

bool net_on_signal(NetLoop *loop, int number, void (*call)(void *owner), void *owner) {
    Signal *signal = calloc(1, sizeof *signal);
    if (signal == NULL)
        return false;
    if (uv_signal_init(&loop->uv, &signal->uv) != 0) {
        free(signal);
        return false;
    }
    signal->uv.data = signal;
    signal->call = call;
    signal->owner = owner;
    list_init(&signal->link);
    if (uv_signal_start(&signal->uv, signalled, number) != 0) {
        uv_close((uv_handle_t *)&signal->uv, free_signal);
        return false;
    }
    uv_unref((uv_handle_t *)&signal->uv);
    list_append(&loop->signals, &signal->link);
    return true;
}

/* --- Timers ----------------------------------------------------------------------------------- */

/* Calls the owner, and notes how late that is. Other callbacks may have run since the loop last
 * updated its clock, so it is updated first. */
static void call_timer(NetTimer *timer) {
    NetLoopStats *turns = &((NetLoop *)timer->uv.loop->data)->turns;
    uint64_t now_ms = uv_hrtime() / 1000000;
    uint64_t late_ms = now_ms > timer->due_ms ? now_ms - timer->due_ms : 0;
    turns->late_count += late_ms > NET_LATE_MS;
    turns->latest_ms = late_ms > turns->latest_ms ? late_ms : turns->latest_ms;
    timer->call(timer->owner);
}

/* The poll is over and all socket callbacks have run: now calls the timers that were due before it.
 * Those that become due meanwhile wait for the next poll. */
static void judge(uv_check_t *check) {
    NetLoop *loop = check->data;
    ListLink row;
    list_init(&row);
    while (!list_empty(&loop->due))
        list_append(&row, loop->due.next);
    uv_idle_stop(&loop->hurry);
    uv_check_stop(check);
    while (!list_empty(&row)) {
        NetTimer *timer = LIST_ENTRY(row.next, NetTimer, link);
        list_remove(&timer->link);
        call_timer(timer);
    }
}

/* Does nothing: while it runs, the loop polls without waiting. */
static void hurry(uv_idle_t *idle) { (void)idle; }

/* The timer is due. libuv calls timers before it polls the sockets; after a stall of the process a
 * message that arrived in time would be handled too late. So the timer waits for one poll that does
 * not sleep. */
static void fired(uv_timer_t *handle) {
    NetTimer *timer = handle->data;
    NetLoop *loop = handle->loop->data;
    list_append(&loop->due, &timer->link);
    uv_idle_start(&loop->hurry, hurry);
    uv_check_start(&loop->judge, judge);
}

/* libuv has closed the handle: the memory can go. */
static void free_timer(uv_handle_t *handle) { free(handle->data); }

NetTimer *net_timer_open(NetLoop *loop, void (*call)(void *owner), void *owner) {
    NetTimer *timer = calloc(1, sizeof *timer);
    if (timer == NULL)
        return NULL;
    uv_timer_init(&loop->uv, &timer->uv);
    timer->uv.data = timer;
    list_init(&timer->link);
    timer->call = call;
    timer->owner = owner;
    return timer;
}

void net_timer_start(NetTimer *timer, uint64_t after_ms) {
    list_remove(&timer->link);
    timer->due_ms = uv_now(timer->uv.loop) + after_ms;
    uv_timer_start(&timer->uv, fired, after_ms, 0);
}

void net_timer_stop(NetTimer *timer) {
    list_remove(&timer->link);
    uv_timer_stop(&timer->uv);
}

void net_timer_close(NetTimer *timer) {
    if (timer == NULL)
        return;
    list_remove(&timer->link);
    uv_close((uv_handle_t *)&timer->uv, free_timer);
}
