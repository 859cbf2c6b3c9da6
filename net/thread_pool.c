/* thread_pool.c -- threads for long work; see net.h.
 *
 * Not libuv's own pool: that one is shared by the whole process and asks names for addresses too,
 * so that long thoughts would hold up a journal or a connection. A crew has threads of its own. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "net/loop.h"

/* How much the crew gives way to the loop. */
enum { LABOUR_NICE = 10 };

/* A job: waiting, under way, or done. */
typedef struct Job {
    Link link;
    void (*work)(void *job);
    void (*done)(void *job);
    void *job;
} Job;

/* `waiting`, `finished`, their counts and `closing` belong to who holds the lock. */
struct NetThreadPool {
    NetLoop *loop;
    uv_async_t wake; /* a thread has finished something */
    uv_mutex_t lock;
    uv_cond_t news;
    Link waiting, finished;
    uint32_t waiting_count, waiting_max;
    uint32_t threads_count;
    uint64_t unfinished; /* jobs whose done() is still to come; the loop's own count */
    Link spare;          /* jobs to be used again; the loop's own */
    bool closing;
    uv_thread_t threads[];
};

/* What each thread does all its life. */
static void worker_main(void *context) {
    NetThreadPool *crew = context;
    setpriority(PRIO_PROCESS, 0, LABOUR_NICE); /* on Linux of this thread alone */
    uv_mutex_lock(&crew->lock);
    for (;;) {
        while (!crew->closing && list_empty(&crew->waiting))
            uv_cond_wait(&crew->news, &crew->lock);
        if (crew->closing)
            break;
        Job *job = LIST_ENTRY(crew->waiting.next, Job, link);
        list_remove(&job->link);
        crew->waiting_count--;
        uv_mutex_unlock(&crew->lock);
        job->work(job->job);
        uv_mutex_lock(&crew->lock);
        list_append(&crew->finished, &job->link);
        uv_async_send(&crew->wake);
    }
    uv_mutex_unlock(&crew->lock);
}

/* The loop takes what is finished. A call back may close the crew, which then has no jobs left. */
static void deliver_done(uv_async_t *wake) {
    NetThreadPool *crew = wake->data;
    for (;;) {
        uv_mutex_lock(&crew->lock);
        Job *job = NULL;
        if (!crew->closing && !list_empty(&crew->finished)) {
            job = LIST_ENTRY(crew->finished.next, Job, link);
            list_remove(&job->link);
        }
        uv_mutex_unlock(&crew->lock);
        if (job == NULL)
            return;
        Job ready = *job;
        list_append(&crew->spare, &job->link);
        if (--crew->unfinished == 0)
            uv_unref((uv_handle_t *)&crew->wake);
        ready.done(ready.job);
    }
}

/* The last handle is closed: frees the crew. */
static void free_crew(uv_handle_t *handle) {
    NetThreadPool *crew = handle->data;
    uv_cond_destroy(&crew->news);
    uv_mutex_destroy(&crew->lock);
    free(crew);
}

NetThreadPool *net_thread_pool_open(NetLoop *loop, uint32_t threads, uint32_t waiting_max) {
    assert(threads > 0);
    NetThreadPool *crew = calloc(1, sizeof *crew + threads * sizeof(uv_thread_t));
    if (crew == NULL)
        return NULL;
    if (uv_async_init(&loop->uv, &crew->wake, deliver_done) != 0) {
        free(crew);
        return NULL;
    }
    crew->wake.data = crew;
    uv_unref((uv_handle_t *)&crew->wake);
    uv_mutex_init(&crew->lock);
    uv_cond_init(&crew->news);
    list_init(&crew->waiting);
    list_init(&crew->finished);
    list_init(&crew->spare);
    crew->loop = loop;
    crew->waiting_max = waiting_max;
    for (uint32_t i = 0; i < threads; i++)
        if (uv_thread_create(&crew->threads[crew->threads_count], worker_main, crew) == 0)
            crew->threads_count++;
    if (crew->threads_count > 0)
        return crew;
    uv_close((uv_handle_t *)&crew->wake, free_crew);
    return NULL;
}

bool net_thread_pool_submit(NetThreadPool *crew, void (*work)(void *job), void (*done)(void *job),
                            void *job) {
    if (list_empty(&crew->spare)) {
        Job *made = malloc(sizeof *made);
        if (made == NULL)
            return false;
        list_init(&made->link);
        list_append(&crew->spare, &made->link);
    }
    Job *new_job = LIST_ENTRY(crew->spare.next, Job, link);
    new_job->work = work;
    new_job->done = done;
    new_job->job = job;
    uv_mutex_lock(&crew->lock);
    bool taken = crew->waiting_count < crew->waiting_max;
    if (taken) {
        list_append(&crew->waiting, &new_job->link);
        crew->waiting_count++;
        uv_cond_signal(&crew->news);
    }
    uv_mutex_unlock(&crew->lock);
    if (taken && crew->unfinished++ == 0)
        uv_ref((uv_handle_t *)&crew->wake);
    return taken;
}

/* Drops all jobs of a row that nobody will do. */
static void forget(Link *row) {
    while (!list_empty(row)) {
        Job *job = LIST_ENTRY(row->next, Job, link);
        list_remove(&job->link);
        free(job);
    }
}

void net_thread_pool_close(NetThreadPool *crew) {
    uv_mutex_lock(&crew->lock);
    crew->closing = true;
    uv_cond_broadcast(&crew->news);
    uv_mutex_unlock(&crew->lock);
    for (uint32_t i = 0; i < crew->threads_count; i++)
        uv_thread_join(&crew->threads[i]);
    forget(&crew->waiting);
    forget(&crew->finished);
    forget(&crew->spare);
    uv_close((uv_handle_t *)&crew->wake, free_crew);
}
