/* thread_pool.c -- threads for long work; see net.h.
 *
 * Not libuv's own pool: that one is shared by the whole process and also resolves host names, so
 * that long AI jobs would delay a journal or a connection. A thread pool has its own threads. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "net/loop.h"

/* The nice value of the threads, so that the loop has priority. */
enum { LABOUR_NICE = 10 };

/* A job: waiting, running, or done. */
typedef struct Job {
    ListLink link;
    void (*work)(void *job);
    void (*done)(void *job);
    void *job;
} Job;

/* `waiting`, `finished`, their counts and `closing` are protected by the lock. */
struct NetThreadPool {
    NetLoop *loop;
    uv_async_t wake; /* a thread has finished something */
    uv_mutex_t lock;
    uv_cond_t news;
    ListLink waiting, finished;
    uint32_t waiting_count, waiting_max;
    uint32_t threads_count;
    uint64_t unfinished; /* jobs whose done() is still to come; only for the loop */
    ListLink spare;      /* jobs to be reused; only for the loop */
    bool closing;
    uv_thread_t threads[];
};

/* The main function of each thread. */
static void worker_main(void *context) {
    NetThreadPool *pool = context;
    setpriority(PRIO_PROCESS, 0, LABOUR_NICE); /* on Linux of this thread alone */
    uv_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->closing && list_empty(&pool->waiting))
            uv_cond_wait(&pool->news, &pool->lock);
        if (pool->closing)
            break;
        Job *job = LIST_ENTRY(pool->waiting.next, Job, link);
        list_remove(&job->link);
        pool->waiting_count--;
        uv_mutex_unlock(&pool->lock);
        job->work(job->job);
        uv_mutex_lock(&pool->lock);
        list_append(&pool->finished, &job->link);
        uv_async_send(&pool->wake);
    }
    uv_mutex_unlock(&pool->lock);
}

/* In the loop: calls done() of finished jobs. A callback may close the pool, which then has no jobs
 * left. */
static void deliver_done(uv_async_t *wake) {
    NetThreadPool *pool = wake->data;
    for (;;) {
        uv_mutex_lock(&pool->lock);
        Job *job = NULL;
        if (!pool->closing && !list_empty(&pool->finished)) {
            job = LIST_ENTRY(pool->finished.next, Job, link);
            list_remove(&job->link);
        }
        uv_mutex_unlock(&pool->lock);
        if (job == NULL)
            return;
        Job ready = *job;
        list_append(&pool->spare, &job->link);
        if (--pool->unfinished == 0)
            uv_unref((uv_handle_t *)&pool->wake);
        ready.done(ready.job);
    }
}

/* The last handle is closed: frees the pool. */
static void free_pool(uv_handle_t *handle) {
    NetThreadPool *pool = handle->data;
    uv_cond_destroy(&pool->news);
    uv_mutex_destroy(&pool->lock);
    free(pool);
}

NetThreadPool *net_thread_pool_open(NetLoop *loop, uint32_t threads, uint32_t waiting_max) {
    assert(threads > 0);
    NetThreadPool *pool = calloc(1, sizeof *pool + threads * sizeof(uv_thread_t));
    if (pool == NULL)
        return NULL;
    if (uv_async_init(&loop->uv, &pool->wake, deliver_done) != 0) {
        free(pool);
        return NULL;
    }
    pool->wake.data = pool;
    uv_unref((uv_handle_t *)&pool->wake);
    uv_mutex_init(&pool->lock);
    uv_cond_init(&pool->news);
    list_init(&pool->waiting);
    list_init(&pool->finished);
    list_init(&pool->spare);
    pool->loop = loop;
    pool->waiting_max = waiting_max;
    for (uint32_t i = 0; i < threads; i++)
        if (uv_thread_create(&pool->threads[pool->threads_count], worker_main, pool) == 0)
            pool->threads_count++;
    if (pool->threads_count > 0)
        return pool;
    uv_close((uv_handle_t *)&pool->wake, free_pool);
    return NULL;
}

bool net_thread_pool_submit(NetThreadPool *pool, void (*work)(void *job), void (*done)(void *job),
                            void *job) {
    if (list_empty(&pool->spare)) {
        Job *made = malloc(sizeof *made);
        if (made == NULL)
            return false;
        list_init(&made->link);
        list_append(&pool->spare, &made->link);
    }
    Job *new_job = LIST_ENTRY(pool->spare.next, Job, link);
    new_job->work = work;
    new_job->done = done;
    new_job->job = job;
    uv_mutex_lock(&pool->lock);
    bool taken = pool->waiting_count < pool->waiting_max;
    if (taken) {
        list_append(&pool->waiting, &new_job->link);
        pool->waiting_count++;
        uv_cond_signal(&pool->news);
    }
    uv_mutex_unlock(&pool->lock);
    if (taken && pool->unfinished++ == 0)
        uv_ref((uv_handle_t *)&pool->wake);
    return taken;
}

/* Drops all jobs of a list. */
static void forget(ListLink *row) {
    while (!list_empty(row)) {
        Job *job = LIST_ENTRY(row->next, Job, link);
        list_remove(&job->link);
        free(job);
    }
}

void net_thread_pool_close(NetThreadPool *pool) {
    uv_mutex_lock(&pool->lock);
    pool->closing = true;
    uv_cond_broadcast(&pool->news);
    uv_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->threads_count; i++)
        uv_thread_join(&pool->threads[i]);
    forget(&pool->waiting);
    forget(&pool->finished);
    forget(&pool->spare);
    uv_close((uv_handle_t *)&pool->wake, free_pool);
}
