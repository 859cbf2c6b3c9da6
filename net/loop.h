/* loop.h -- the loop from inside: what its connections share. Files that include this one define
 * _GNU_SOURCE first, which uv.h asks for. */
#ifndef NET_LOOP_H
#define NET_LOOP_H
#include <uv.h>

#include "net/list.h"
#include "net/net.h"
#include "net/tls.h"
#include "net/websocket.h"

/* Bytes of one read. All connections share the read buffer. */
enum { LOOP_READ_BYTES = 65536 };

/* The loop. */
struct NetLoop {
    uv_loop_t uv;
    uv_prepare_t flush;      /* before the loop sleeps: writes what was queued */
    uint64_t turn_ns;        /* when the iteration began: its sleep comes first */
    uint64_t turn_cpu_ns;    /* this thread's CPU time then */
    uint64_t turn_asleep_ns; /* how long the loop had slept in total by then */
    NetLoopStats turns;
    ListLink dirty;         /* connections with something to write or to close */
    ListLink batched;       /* connections with batched frames, oldest first */
    uv_timer_t batch_timer; /* runs while there are such */
    ListLink due;           /* due timers, to be called after the next poll */
    uv_idle_t hurry;        /* runs while there are such: that poll does not wait */
    uv_check_t judge;       /* calls them */
    ListLink clients;       /* connections that we opened */
    ListLink signals;
    TlsTrust *trust; /* NULL: the system\'s, not read yet */
    WsShared store;
    uint64_t secret[2]; /* of this process */
    uint64_t drawn;
    char bytes[LOOP_READ_BYTES];
};

/* Four unpredictable bytes, for the mask of a frame. */
void loop_mask(NetLoop *loop, uint8_t out[4]);
/* A connection has batched frames: starts the timer that writes them. */
void loop_start_batch_timer(NetLoop *loop);

#endif
