/* exec_thinker.c -- see exec_thinker.h. A pool of one thread is a queue: jobs hold copies of all
 * that they tell. */
#include "client/exec_thinker.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAITING_MAX = 1024,
    LONGEST_MS = 3600000, /* where a turn has no limit */
    TELL_MS = 10000,
    PROBLEM_BYTES = 512,
};

/* See exec_thinker.h. */
struct ExecThinker {
    NetThreadPool *pool;
    ExecPlayer *player;
    void (*call)(void *owner, const ExecReply *reply);
    void *owner;
    struct ExecJob *jobs; /* those that are not done yet */
};

/* What is to be done. */
typedef enum JobKind { JOB_BEGIN, JOB_ASK, JOB_OVER } JobKind;

/* What is sent to the program, and its answer. */
typedef struct ExecJob {
    ExecThinker *thinker;
    struct ExecJob *next;
    JobKind kind;
    ExecTable table;
    int32_t options[MASH_OPTIONS_MAX];
    char preset[PROTO_ID_MAX + 1];
    Position position;
    uint32_t limit_ms;
    ExecReply reply;
    char problem[PROBLEM_BYTES];
    _Alignas(16) uint8_t bytes[]; /* the view, then the events */
} ExecJob;

/* In the thread of the pool. */
static void work(void *owner) {
    ExecJob *job = owner;
    ExecPlayer *player = job->thinker->player;
    MashText problem = text_over(job->problem, sizeof job->problem);
    job->reply.answer = EXEC_CHOSEN;
    if (job->kind == JOB_OVER)
        exec_player_end(player, &job->position, job->limit_ms);
    else if (job->kind == JOB_ASK)
        job->reply.answer =
            exec_player_choose(player, &job->position, job->limit_ms, &job->reply.action, &problem);
    else if (!exec_player_begin(player, &job->table, job->limit_ms, &problem))
        job->reply.answer = EXEC_ENDED;
}

/* Takes a job out of the list and frees it. */
static void free_job(ExecJob *job) {
    ExecJob **place = &job->thinker->jobs;
    while (*place != job)
        place = &(*place)->next;
    *place = job->next;
    free(job);
}

/* In the loop: replies to a question, and reports that a program did not start. */
static void done(void *owner) {
    ExecJob *job = owner;
    job->reply.problem = job->problem;
    if (job->kind == JOB_ASK)
        job->thinker->call(job->thinker->owner, &job->reply);
    free_job(job);
}

ExecThinker *exec_thinker_open(NetLoop *loop, const char *command,
                               void (*call)(void *owner, const ExecReply *reply), void *owner) {
    ExecThinker *thinker = calloc(1, sizeof *thinker);
    if (thinker == NULL)
        return NULL;
    thinker->call = call;
    thinker->owner = owner;
    thinker->player = exec_player_open(command);
    thinker->pool = net_thread_pool_open(loop, 1, WAITING_MAX);
    if (thinker->player != NULL && thinker->pool != NULL)
        return thinker;
    exec_thinker_close(thinker);
    return NULL;
}

void exec_thinker_close(ExecThinker *thinker) {
    if (thinker == NULL)
        return;
    if (thinker->pool != NULL) {
        exec_player_interrupt(thinker->player);
        net_thread_pool_close(thinker->pool);
    }
    while (thinker->jobs != NULL)
        free_job(thinker->jobs);
    exec_player_close(thinker->player);
    free(thinker);
}

/* The position of a table, with its view and events copied behind the job. */
static void copy_position(ExecJob *job, const ClientTable *table) {
    size_t view_bytes = align_16(table->content->limits.state_bytes);
    memcpy(job->bytes, table->view, table->content->limits.state_bytes);
    memcpy(job->bytes + view_bytes, table->events.list, table->events.count * sizeof(MashEvent));
    const void *events = job->bytes + view_bytes;
    job->position =
        (Position){.content = table->content,
                   .view = job->bytes,
                   .seat = table->you,
                   .events = events,
                   .events_count = table->events.count,
                   .code = job->reply.code,
                   .number = table->number,
                   .clocks = {{table->clocks.turn[0], table->clocks.turn[1]}, table->clocks.match}};
}

/* Submits a job of this kind about the table. */
static bool submit(ExecThinker *thinker, JobKind kind, const ClientTable *table,
                   uint32_t limit_ms) {
    size_t view_bytes = table->view == NULL ? 0 : align_16(table->content->limits.state_bytes);
    size_t bytes = view_bytes + table->events.count * sizeof(MashEvent);
    ExecJob *job = calloc(1, sizeof *job + bytes);
    if (job == NULL)
        return false;
    job->thinker = thinker;
    job->kind = kind;
    job->limit_ms = limit_ms;
    job->reply.number = table->number;
    memcpy(job->reply.code, table->code, sizeof job->reply.code);
    memcpy(job->options, table->options, sizeof job->options);
    memcpy(job->preset, table->preset, sizeof job->preset);
    job->table = (ExecTable){.content = table->content,
                             .preset = job->preset,
                             .options = job->options,
                             .you = table->you,
                             .turn_ms = (uint32_t)table->turn_ms,
                             .match_ms = (uint32_t)table->match_ms};
    if (kind != JOB_BEGIN)
        copy_position(job, table);
    job->next = thinker->jobs;
    thinker->jobs = job;
    if (net_thread_pool_submit(thinker->pool, work, done, job))
        return true;
    free_job(job);
    return false;
}

bool exec_thinker_begin(ExecThinker *thinker, const ClientTable *table) {
    return submit(thinker, JOB_BEGIN, table, TELL_MS);
}

bool exec_thinker_ask(ExecThinker *thinker, const ClientTable *table) {
    int32_t left_ms = table->clocks.turn[table->you];
    return submit(thinker, JOB_ASK, table, left_ms < 0 ? LONGEST_MS : (uint32_t)left_ms);
}

bool exec_thinker_over(ExecThinker *thinker, const ClientTable *table) {
    return submit(thinker, JOB_OVER, table, TELL_MS);
}
