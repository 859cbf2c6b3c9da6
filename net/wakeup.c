/* wakeup.c -- how another thread wakes the loop; see net.h. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "net/loop.h"
#include "net/net.h"

/* A wakeup: other threads signal it, the loop calls back. */
struct NetWakeup {
    uv_async_t uv;
    void (*call)(void *owner);
    void *owner;
};

/* It was signalled: calls the owner. */
static void on_async(uv_async_t *handle) {
    NetWakeup *wakeup = handle->data;
    wakeup->call(wakeup->owner);
}

NetWakeup *net_wakeup_open(NetLoop *loop, void (*call)(void *owner), void *owner) {
    NetWakeup *wakeup = calloc(1, sizeof *wakeup);
    if (wakeup == NULL)
        return NULL;
    if (uv_async_init(&loop->uv, &wakeup->uv, on_async) != 0) {
        free(wakeup);
        return NULL;
    }
    wakeup->uv.data = wakeup;
    wakeup->call = call;
    wakeup->owner = owner;
    uv_unref((uv_handle_t *)&wakeup->uv);
    return wakeup;
}

void net_wakeup_signal(NetWakeup *wakeup) { uv_async_send(&wakeup->uv); }

/* libuv has closed the handle: frees the memory. */
static void free_wakeup(uv_handle_t *handle) { free(handle->data); }

void net_wakeup_close(NetWakeup *wakeup) {
    if (wakeup != NULL)
        uv_close((uv_handle_t *)&wakeup->uv, free_wakeup);
}
