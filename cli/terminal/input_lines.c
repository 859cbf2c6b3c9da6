/* input_lines.c -- see input_lines.h: a thread waits for the input, the loop gets the lines. */
#define _POSIX_C_SOURCE 200809L
#include "cli/terminal/input_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/terminal.h"

enum { LINE_BYTES = 1024, PIECE_BYTES = 4096 };

/* The thread writes `piece`, `count` and `over` while a job is running, the loop everything
 * else. */
struct Typed {
    NetThreadPool *thread_pool;
    void (*call)(void *owner, char *line);
    void *owner;
    int wake[2];             /* writing to the second end stops the waiting */
    char piece[PIECE_BYTES]; /* what was read last */
    ssize_t count;           /* of it; 0: the input is over */
    char line[LINE_BYTES];   /* input since the last line end */
    uint32_t line_count;
};

/* Waits until there is input, or until the wake pipe stops it. */
static void wait_and_read(void *job) {
    Typed *typed = job;
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = typed->wake[0], .events = POLLIN}};
    typed->count = 0;
    while (poll(ends, 2, -1) < 0 && errno == EINTR)
        continue;
    if (ends[1].revents == 0)
        typed->count = read(STDIN_FILENO, typed->piece, sizeof typed->piece);
}

/* A whole line was typed: passes it to the owner without control characters and surrounding
 * blanks. */
static void give_line(Typed *typed) {
    typed->line[typed->line_count] = '\0';
    typed->line_count = 0;
    terminal_clean(typed->line);
    typed->call(typed->owner, typed->line);
}

/* Passes whole lines on; the excess of a line that is too long is dropped. */
static void take(void *job) {
    Typed *typed = job;
    for (ssize_t i = 0; i < typed->count; i++) {
        if (typed->piece[i] == '\n')
            give_line(typed);
        else if (typed->line_count < LINE_BYTES - 1)
            typed->line[typed->line_count++] = typed->piece[i];
    }
    if (typed->count > 0) {
        net_thread_pool_submit(typed->thread_pool, wait_and_read, take, typed);
        return;
    }
    if (typed->line_count > 0)
        give_line(typed);
    typed->call(typed->owner, NULL);
}

Typed *typed_open(NetLoop *loop, void (*call)(void *owner, char *line), void *owner) {
    Typed *typed = calloc(1, sizeof *typed);
    if (typed == NULL)
        return NULL;
    if (pipe(typed->wake) != 0) {
        free(typed);
        return NULL;
    }
    typed->call = call;
    typed->owner = owner;
    typed->thread_pool = net_thread_pool_open(loop, 1, 1);
    if (typed->thread_pool != NULL &&
        net_thread_pool_submit(typed->thread_pool, wait_and_read, take, typed))
        return typed;
    typed_close(typed);
    return NULL;
}

void typed_close(Typed *typed) {
    ssize_t written = write(typed->wake[1], "", 1);
    (void)written;
    if (typed->thread_pool != NULL)
        net_thread_pool_close(typed->thread_pool);
    close(typed->wake[0]);
    close(typed->wake[1]);
    free(typed);
}
