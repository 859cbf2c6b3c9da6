/* wakeup.c -- how a thread that is not the loop's wakes the loop; see net.h. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "net/loop.h"
#include "net/net.h"

/* A bell: other threads ring it, the loop hears. */
struct NetWakeup {
    uv_async_t uv;
    void (*call)(void *owner);
    void *owner;
};

/* The loop has heard it: calls the owner. */
static void rung(uv_async_t *handle) {
    NetWakeup *bell = handle->data;
    bell->call(bell->owner);
}

NetWakeup *net_wakeup_open(NetLoop *loop, void (*call)(void *owner), void *owner) {
    NetWakeup *bell = calloc(1, sizeof *bell);
    if (bell == NULL)
        return NULL;
    if (uv_async_init(&loop->uv, &bell->uv, rung) != 0) {
        free(bell);
        return NULL;
    }
    bell->uv.data = bell;
    bell->call = call;
    bell->owner = owner;
    uv_unref((uv_handle_t *)&bell->uv);
    return bell;
}

void net_wakeup_signal(NetWakeup *bell) { uv_async_send(&bell->uv); }

/* libuv has closed the handle: the memory can go. */
static void free_bell(uv_handle_t *handle) { free(handle->data); }

void net_wakeup_close(NetWakeup *bell) {
    if (bell != NULL)
        uv_close((uv_handle_t *)&bell->uv, free_bell);
}
