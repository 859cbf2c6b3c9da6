/* robot.c -- see robot.h: AI players of the server. An AI job runs in the thread pool on its own
 * copy of the seat's view, never of the state, and its result counts only if the position has not
 * changed since.
 *
 * Jobs wait here, not in the thread pool, which gets only as many jobs as it has threads.
 * Scheduling is fair between addresses: the next job belongs to the address that has used the least
 * time, and of its jobs a short one comes first unless a long one has waited long. A job does not
 * wait for a running one that is much longer: the running one is interrupted within milliseconds,
 * keeps what it has found, and continues afterwards, at the latest when it has waited long. The
 * result of a job is the same whether it was interrupted or not. Only when its clock is short an AI
 * player answers with what it has found so far. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ai/team.h"
#include "server/actions.h"
#include "server/internal.h"
#include "server/protocol.h"
#include "server/robot.h"

/* One decision, or one share of it: of the shares of a decision the first leads, and has the view
 * and the plan for all. The fields above the line belong to the thread pool while it runs. */
struct AiJob {
    const MashContent *content;
    AiJob *lead; /* of all shares; itself of the first */
    AiPlan plan;
    uint32_t share, shares;
    AiJob *team[AI_TEAM_MAX]; /* of the lead: all shares */
    atomic_uint searching;    /* of the lead: shares that are not done yet */
    uint8_t seat;
    uint32_t level;
    uint32_t nodes; /* at most; 0 = the level's own limit */
    uint64_t seed;
    AiMemory *memory; /* for the search; NULL: none yet */
    bool begun;       /* the memory holds the search so far */
    MashAction answer;
    uint64_t tried;    /* nodes of all shares, when it is done */
    bool found, ended; /* this share of the round */
    bool done;         /* of the lead: the answer is found */
    /* --- */
    atomic_bool stop_early; /* time runs out: return the best so far */
    atomic_bool yields;     /* a shorter one waits: interrupt this one */
    Server *server;
    Table *table;
    Account *account; /* charged for the job */
    uint32_t number;
    uint32_t cost;   /* about how many milliseconds it takes */
    uint64_t due_ms; /* its position in the queue of its account */
    bool runs;       /* running in the thread pool */
    uint32_t open;   /* of the lead: shares that are not done with the round */
    bool given_up;   /* of the lead: a share was not searched, because nobody wants it now */
    AiJob *next, *before;
    AiJob *next_waiting; /* in the queue of its account, or of the interrupted jobs */
    _Alignas(16) uint8_t view[];
};

/* Memory for the search: it is reused from one job to the next. An interrupted job keeps it until
 * it continues. */
struct AiMemory {
    Scratch bytes;
    Ai *ai; /* in these bytes; NULL: not initialised */
    AiMemory *next;
};

enum {
    AGAIN_MS = 50,
    FULL_AGAIN_MS = 1000,
    SLICE_NODES = 500, /* between two checks of `stop_early` and `yields`: some milliseconds */
    PATIENCE = 100,    /* a job lets shorter ones pass for this many times its cost */
    MUCH_SHORTER = 4,  /* times shorter: such a job does not wait for a running one */
    TURN_PART = 4,     /* of what is left of its turn a decision takes at most one part */
    BANK_PART = 40,    /* the same of what is left of its own time */
    SHARED_LEVEL = 8,  /* from here on a decision may be shared by several threads */
    BIG_CELLS = 4096   /* on larger custom boards each node costs more: search fewer */
};
static_assert((int)AI_LEVELS_MAX == (int)PROTO_LEVEL_MAX, "a level on the wire is a level of ai/");

/* What a level costs: the milliseconds of one job, about the same in all games, and its weight in
 * the AI budget. */
static const struct {
    uint32_t cost, weight;
} levels[AI_LEVELS_MAX] = {{1, 1},  {1, 1},  {1, 1},  {1, 1},   {4, 1},
                           {10, 2}, {30, 4}, {70, 8}, {400, 40}};

/* --- In the thread pool
 * ------------------------------------------------------------------------------ */

/* Begins the search. False: there is nothing to choose. */
static bool begin(AiJob *job) {
    AiMemory *memory = job->memory;
    AiJob *lead = job->lead;
    AiTask task = {.skill = ai_level(lead->level),
                   .view = lead->view,
                   .plan = &lead->plan,
                   .seat = lead->seat,
                   .nodes = lead->nodes,
                   .seed = lead->seed};
    if (memory->ai == NULL)
        memory->ai = ai_init(job->content, memory->bytes.bytes);
    job->begun = job->found = ai_begin_share(memory->ai, &task, job->share, job->shares);
    return job->found;
}

/* All shares are done with a round: the next one begins, or the answer is written down. */
static void meet(AiJob *lead) {
    Ai *searches[AI_TEAM_MAX];
    for (uint32_t i = 0; i < lead->shares && lead->found; i++)
        searches[i] = lead->team[i]->memory->ai;
    atomic_store(&lead->searching, lead->shares);
    lead->done =
        !lead->found || ai_team_meet(searches, lead->shares) || atomic_load(&lead->stop_early);
    if (!lead->done || !lead->found)
        return;
    for (uint32_t i = 0; i < lead->shares; i++)
        lead->tried += ai_nodes(searches[i]);
    lead->answer = ai_answer(searches[0]);
}

/* Runs the search until it is done or is to stop. All decisions are made here: the last share to be
 * done with a round calls the meeting. */
static void choose(void *owner) {
    AiJob *job = owner;
    bool ready = !job->begun && !begin(job);
    Ai *ai = job->memory->ai;
    while (!ready) {
        ready = ai_step(ai, SLICE_NODES) || atomic_load(&job->stop_early);
        if (!ready && atomic_load(&job->yields))
            return;
    }
    job->ended = true;
    if (atomic_fetch_sub(&job->lead->searching, 1) == 1)
        meet(job->lead);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Frees unused memory. */
static void free_memory(AiMemory *memory) {
    free(memory->bytes.bytes);
    free(memory);
}

/* Lends unused memory, preferably some that is ready for this content. NULL: there is none. */
static AiMemory *lend_memory(Server *server, const MashContent *content) {
    AiMemory **link = &server->ai_memories;
    while (*link != NULL && !ai_is_for((*link)->ai, content))
        link = &(*link)->next;
    if (*link == NULL)
        link = &server->ai_memories;
    AiMemory *memory = *link;
    if (memory != NULL)
        *link = memory->next;
    else
        memory = calloc(1, sizeof *memory);
    if (memory == NULL || ai_is_for(memory->ai, content))
        return memory;
    size_t bytes = ai_bytes(content);
    server->ai_allocations += bytes > memory->bytes.count;
    memory->ai = NULL;
    if (scratch_take(&memory->bytes, bytes) != NULL)
        return memory;
    free_memory(memory);
    return NULL;
}

/* Takes lent memory back. Some is kept for each thread, and as much again for interrupted jobs. */
static void return_memory(Server *server, AiMemory *memory) {
    uint32_t kept = 0;
    if (memory == NULL)
        return;
    for (const AiMemory *other = server->ai_memories; other != NULL; other = other->next)
        kept++;
    memory->next = server->ai_memories;
    if (kept < 2 * server->setup.threads)
        server->ai_memories = memory;
    else
        free_memory(memory);
}

/* --- Scheduling ------------------------------------------------------------------------------- */

/* Queues a job in its account. */
static void wait_for_turn(AiJob *job) {
    Server *server = job->server;
    Account *account = job->account;
    if (account->ai_jobs == NULL) {
        account->next_thinker = server->thinkers;
        server->thinkers = account;
        if (account->ai_job_cost < server->ai_job_clock)
            account->ai_job_cost = server->ai_job_clock;
    }
    AiJob **link = &account->ai_jobs;
    while (*link != NULL && (*link)->due_ms <= job->due_ms)
        link = &(*link)->next_waiting;
    job->next_waiting = *link;
    *link = job;
}

/* Removes a job from the queue. */
static void stop_waiting(AiJob *job) {
    Account *account = job->account;
    AiJob **link = &account->ai_jobs;
    while (*link != job)
        link = &(*link)->next_waiting;
    *link = job->next_waiting;
    job->next_waiting = NULL;
    if (account->ai_jobs != NULL)
        return;
    Account **thinker = &job->server->thinkers;
    while (*thinker != account)
        thinker = &(*thinker)->next_thinker;
    *thinker = account->next_thinker;
    account->next_thinker = NULL;
}

/* Should the first job of `a` run before that of `b`? */
static bool comes_first(const Account *a, const Account *b) {
    if (a->ai_job_cost != b->ai_job_cost)
        return a->ai_job_cost < b->ai_job_cost;
    if (a->ai_jobs->cost != b->ai_jobs->cost)
        return a->ai_jobs->cost < b->ai_jobs->cost;
    return a->ai_jobs->due_ms < b->ai_jobs->due_ms;
}

/* The next waiting job; NULL: none waits. */
static AiJob *next_job(const Server *server) {
    const Account *best = server->thinkers;
    for (const Account *account = best; account != NULL; account = account->next_thinker)
        if (comes_first(account, best))
            best = account;
    return best == NULL ? NULL : best->ai_jobs;
}

/* Does the job cost so much less that the other one should be interrupted? Not once that one has
 * waited long. */
static bool much_shorter(const AiJob *job, const AiJob *other) {
    return job->cost * MUCH_SHORTER <= other->cost && net_now_ms(job->server->loop) < other->due_ms;
}

/* Interrupts the longest running job if it is much longer than the waiting one. */
static void make_way(const Server *server, const AiJob *waiting) {
    AiJob *longest = NULL;
    for (AiJob *job = server->ai_jobs; job != NULL; job = job->next) {
        if (job->runs && atomic_load(&job->yields))
            return; /* one is being interrupted already */
        if (job->runs && (longest == NULL || job->cost > longest->cost))
            longest = job;
    }
    if (longest != NULL && much_shorter(waiting, longest))
        atomic_store(&longest->yields, true);
}

/* The job to submit to the thread pool now; NULL: none. Interrupted jobs continue before others of
 * their length begin, so that few are unfinished. */
static AiJob *take_next(Server *server) {
    AiJob *stopped = server->stopped_jobs, *next = next_job(server);
    if (stopped != NULL && (next == NULL || !much_shorter(next, stopped))) {
        server->stopped_jobs = stopped->next_waiting;
        stopped->next_waiting = NULL;
        return stopped;
    }
    if (next == NULL)
        return NULL;
    Account *account = next->account;
    stop_waiting(next);
    server->ai_job_clock = account->ai_job_cost;
    account->ai_job_cost += next->cost;
    return next;
}

/* Queues a job that the thread pool did not accept or has interrupted. */
static void put_back(AiJob *job) {
    Server *server = job->server;
    if (!job->begun) {
        return_memory(server, job->memory);
        job->memory = NULL;
        wait_for_turn(job);
        return;
    }
    job->next_waiting = server->stopped_jobs;
    server->stopped_jobs = job;
}

/* The thread pool or the store accepts nothing now: that may last, and each try costs a job. */
static void retry_later(Table *table, uint32_t after_ms) {
    table->robot_retry_ms = server_now_ms(table->server) + after_ms;
    table_set_timer(table);
}

static void on_ai_done(void *owner);
static void end_share(AiJob *job);

/* Submits jobs to the thread pool while it has idle threads. */
static void dispatch(Server *server) {
    while (server->thinking < server->setup.threads && !server->draining) {
        AiJob *job = take_next(server);
        if (job == NULL)
            return;
        if (job->table->closed || !table_is_running(job->table)) {
            end_share(job);
            continue;
        }
        atomic_store(&job->yields, false);
        if (job->memory == NULL)
            job->memory = lend_memory(server, job->content);
        job->runs = job->memory != NULL &&
                    net_thread_pool_submit(server->thread_pool, choose, on_ai_done, job);
        if (!job->runs) {
            put_back(job);
            retry_later(job->table, AGAIN_MS);
            return;
        }
        server->thinking++;
    }
    const AiJob *waiting = next_job(server);
    if (waiting != NULL)
        make_way(server, waiting);
}

/* How long the AI player may think about its next action, so that its clock lasts to the end of the
 * match; 0: it has none. */
static uint64_t time_for(const Table *table, uint8_t seat) {
    uint64_t now_ms = server_now_ms(table->server);
    int32_t turn_ms = clock_turn_left(&table->clock, now_ms, seat);
    int32_t bank_ms = clock_bank_left(&table->clock, now_ms, seat);
    if (turn_ms < 0)
        return 0;
    uint64_t part_ms = (uint64_t)turn_ms / TURN_PART + 1;
    uint64_t most_ms =
        bank_ms < 0 ? part_ms
                    : (uint64_t)bank_ms / BANK_PART + table->clock.limits.increment_ms / 2 + 1;
    return part_ms < most_ms ? part_ms : most_ms;
}

void robot_stop_early(Server *server, const Table *table) {
    for (AiJob *job = server->ai_jobs; job != NULL; job = job->next) {
        if (table != NULL && job->table != table)
            continue;
        bool waits = !job->runs && !job->begun;
        if (waits)
            stop_waiting(job);
        atomic_store(&job->stop_early, true);
        job->cost = 1;
        job->due_ms = 0;
        if (waits)
            wait_for_turn(job);
    }
}

/* --- Beginning and end ------------------------------------------------------------------------ */

/* Removes a job from the list; the seat's next decision reuses it. */
static void forget(AiJob *job) {
    SERVER_UNLINK(job->server->ai_jobs, job, before, next);
    job->server->ai_jobs_count -= job == job->lead;
    job->table->ai_jobs_count--;
    account_leave(job->server, job->account);
    return_memory(job->server, job->memory);
}

void robot_drop_jobs(Server *server) {
    server->stopped_jobs = NULL;
    while (server->ai_jobs != NULL) {
        AiJob *job = server->ai_jobs;
        Table *table = job->table;
        if (!job->runs && !job->begun)
            stop_waiting(job);
        forget(job);
        table_free_if_idle(table);
    }
    while (server->ai_memories != NULL) {
        AiMemory *memory = server->ai_memories;
        server->ai_memories = memory->next;
        free_memory(memory);
    }
}

/* A job is done: the AI player acts on its result. */
static void conclude(AiJob *job) {
    Table *table = job->table;
    Chair *chair = &table->chairs[job->seat];
    MashAction answer = job->answer;
    bool found = job->found && job->done;
    bool counts = found && !table->closed && table_is_running(table) && !table_is_paused(table) &&
                  chair->number == job->number;
    chair->ai_running = false;
    chair->plan = job->plan;
    table->robot_stop_ms = 0;
    table->server->stats.ai_jobs++;
    table->server->stats.ai_job_nodes += job->tried;
    for (uint32_t i = 0; i < job->shares; i++)
        forget(job->team[i]);
    Refusal why = REFUSAL_COUNT;
    if (counts)
        table->robot_acted_ms = server_now_ms(table->server);
    bool acted = counts && actions_apply(table, answer, &why) == MASH_OK;
    if (counts && !acted && why == REFUSAL_COUNT)
        server_log(table->server, LOG_ERROR, "AI player at table %s chose an illegal action",
                   table->code);
    if (counts && !acted && why != REFUSAL_COUNT)
        retry_later(table, FULL_AGAIN_MS);
    if (found && !counts && !table->closed)
        robot_start_due(table);
    table_free_if_idle(table);
}

/* This share is done with the round, or there is no use for it any more. The last one of them ends
 * the round: all go on, before others begin, or the decision is made. */
static void end_share(AiJob *job) {
    AiJob *lead = job->lead;
    lead->given_up = lead->given_up || !job->ended;
    if (--lead->open > 0)
        return;
    if (lead->done || lead->given_up) {
        conclude(lead);
        return;
    }
    lead->open = lead->shares;
    for (uint32_t i = lead->shares; i > 0; i--) {
        lead->team[i - 1]->ended = false;
        put_back(lead->team[i - 1]);
    }
}

/* The thread pool has finished a job or interrupted it. */
static void on_ai_done(void *owner) {
    AiJob *job = owner;
    Server *server = job->server;
    server->thinking--;
    job->runs = false;
    if (job->ended)
        end_share(job);
    else
        put_back(job);
    dispatch(server);
}

/* How many nodes a job may search on a custom board that is larger than any preset's; 0: the
 * level's own limit. */
static uint32_t nodes_of(const Table *table, uint32_t level) {
    const MashContent *content = table->match.content;
    const MashEvaluator *evaluator = content->game->evaluator;
    uint64_t cells = (uint64_t)content->limits.width * content->limits.height;
    if (table->config.content->preset != NULL || cells <= BIG_CELLS || evaluator == NULL ||
        evaluator->levels == NULL)
        return 0;
    return (uint32_t)(evaluator->levels[level - 1].nodes * BIG_CELLS / cells);
}

/* The account charged for the table's AI players: that of a player there. */
static Account *account_of(Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].account != NULL)
            return table->chairs[seat].account;
    return &table->server->accounts.unknown;
}

/* In how many shares a level thinks, where the game can be shared. */
static uint32_t shares_of(const Server *server, uint32_t level) {
    uint32_t threads = server->setup.robot_threads;
    threads = threads < server->setup.threads ? threads : server->setup.threads;
    return level >= SHARED_LEVEL && threads > 1 ? threads : 1;
}

/* Memory for the jobs of a seat: the lead with the view, then room for the other shares. It is
 * reused. NULL: there is none. */
static AiJob *jobs_of(Table *table, uint8_t seat) {
    size_t first = align_16(sizeof(AiJob) + table->match.content->limits.state_bytes);
    size_t bytes = first + (shares_of(table->server, AI_LEVELS) - 1) * sizeof(AiJob);
    if (table->ai_jobs[seat] == NULL) {
        table->ai_jobs[seat] = aligned_alloc(64, (bytes + 63) / 64 * 64);
        table->server->ai_allocations++;
    }
    if (table->ai_jobs[seat] != NULL)
        memset(table->ai_jobs[seat], 0, bytes);
    return table->ai_jobs[seat];
}

/* One share of a decision, which waits for its turn. */
static void add_share(AiJob *lead, AiJob *job) {
    Server *server = lead->server;
    job->lead = lead;
    job->share = lead->open;
    job->server = server;
    job->table = lead->table;
    job->content = lead->content;
    job->account = lead->account;
    job->cost = levels[lead->level - 1].cost;
    job->due_ms = net_now_ms(server->loop) + (uint64_t)job->cost * PATIENCE;
    job->shares = lead->shares;
    lead->team[lead->open++] = job;
    job->next = server->ai_jobs;
    if (server->ai_jobs != NULL)
        server->ai_jobs->before = job;
    server->ai_jobs = job;
    job->table->ai_jobs_count++;
    account_keep(server, job->account);
    wait_for_turn(job);
}

/* A decision of the seat, with its own copy of the view. */
static AiJob *ai_job_new(Table *table, uint8_t seat) {
    const MashLimits *limits = &table->match.content->limits;
    AiJob *job = jobs_of(table, seat);
    if (job == NULL)
        return NULL;
    memcpy(job->view, positions_view(table, seat), limits->state_bytes);
    job->content = table->match.content;
    job->seat = seat;
    job->level = table->chairs[seat].robot;
    job->shares = ai_can_share(job->content) ? shares_of(table->server, job->level) : 1;
    atomic_init(&job->searching, job->shares);
    job->nodes = nodes_of(table, job->level);
    job->plan = table->chairs[seat].plan;
    job->server = table->server;
    job->table = table;
    job->account = account_of(table);
    job->number = table->chairs[seat].number;
    net_random(table->server->loop, &job->seed, sizeof job->seed);
    return job;
}

/* Starts the job of an AI player. */
static void think(Table *table, uint8_t seat) {
    Server *server = table->server;
    AiJob *job = ai_job_new(table, seat);
    if (job == NULL) {
        retry_later(table, AGAIN_MS);
        return;
    }
    uint64_t most_ms = time_for(table, seat);
    table->robot_stop_ms = most_ms == 0 ? 0 : server_now_ms(server) + most_ms;
    table_set_timer(table);
    server->ai_jobs_count++;
    table->chairs[seat].ai_running = true;
    size_t first = align_16(sizeof *job + job->content->limits.state_bytes);
    uint8_t *others = (uint8_t *)job + first;
    add_share(job, job);
    for (uint32_t i = 1; i < job->shares; i++)
        add_share(job, (void *)(others + (i - 1) * sizeof *job));
    dispatch(server);
}

/* The least time between actions of AI players for slow readers at the table. */
static uint32_t pace_of(const Table *table) {
    uint32_t pace_ms = 0;
    for (const Session *session = NULL; (session = table_session_after(table, session)) != NULL;)
        pace_ms = session->pace_ms > pace_ms ? session->pace_ms : pace_ms;
    return pace_ms;
}

/* How long an AI player still has to wait before its next job. All waits of a turn are in the first
 * half of its time. */
static uint64_t pace_left(Table *table, uint8_t seat) {
    uint32_t pace_ms = pace_of(table);
    uint64_t now_ms = server_now_ms(table->server), passed_ms = now_ms - table->robot_acted_ms;
    if (table->robot_acted_ms == 0 || passed_ms >= pace_ms)
        return 0;
    uint64_t wait_ms = pace_ms - passed_ms, half_ms = table->clock.limits.turn_ms / 2;
    int32_t left_ms = clock_turn_left(&table->clock, now_ms, seat);
    if (left_ms < 0)
        return wait_ms;
    uint64_t most_ms = (uint64_t)left_ms > half_ms ? (uint64_t)left_ms - half_ms : 0;
    return wait_ms < most_ms ? wait_ms : most_ms;
}

/* Starts the job of the AI player, now or when it may. */
static void think_in_time(Table *table, uint8_t seat) {
    uint64_t wait_ms = pace_left(table, seat);
    if (wait_ms == 0) {
        think(table, seat);
        return;
    }
    table->robot_retry_ms = server_now_ms(table->server) + wait_ms;
    table_set_timer(table);
}

void robot_start_due(Table *table) {
    const MashContent *content = table->match.content;
    bool again = table->robot_retry_ms != 0;
    table->robot_retry_ms = 0;
    if (again)
        dispatch(table->server);
    if (!table_is_running(table) || table_is_paused(table) || table->server->draining)
        return;
    if (table->chairs[0].robot == 0 && table->chairs[1].robot == 0)
        return;
    uint32_t awaited = content->game->awaited(content, table->match.state);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].robot > 0 && (awaited >> seat & 1) != 0 &&
            !table->chairs[seat].ai_running)
            think_in_time(table, seat);
}

/* --- The budget ------------------------------------------------------------------------------- */

bool robot_may_play(Server *server, const Account *account, uint32_t level, MashText *reason) {
    const ServerBudgets *budgets = &server->setup.budgets;
    uint32_t weight = levels[level - 1].weight * shares_of(server, level);
    bool all = budgets->robots_in_all > 0 &&
               server->robots + weight > budgets->robots_in_all * server->setup.threads;
    bool own = budgets->robots > 0 && account->robots + weight > budgets->robots;
    if (!all && !own)
        return true;
    budget_count(server, BUDGET_ROBOTS);
    text_string(reason, all ? refusal_sentence(REFUSAL_ROBOTS_BUSY)
                            : "All AI players available to your address are busy. Finish a match, "
                              "try again in a minute or pick a lower level.");
    return false;
}

void robot_hire(Table *table) {
    uint32_t weight = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].robot > 0)
            weight += levels[table->chairs[seat].robot - 1].weight *
                      shares_of(table->server, table->chairs[seat].robot);
    if (weight == 0)
        return;
    table->robots_of = account_of(table);
    table->robots_weight = weight;
    account_keep(table->server, table->robots_of);
    table->robots_of->robots += weight;
    table->server->robots += weight;
}

void robot_dismiss(Table *table) {
    if (table->robots_of == NULL)
        return;
    table->robots_of->robots -= table->robots_weight;
    table->server->robots -= table->robots_weight;
    account_leave(table->server, table->robots_of);
    table->robots_of = NULL;
}
