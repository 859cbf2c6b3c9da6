/* machines.c -- see model.h: machines, their logs, and the sessions at them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/model.h"

/* How long a statement that waits for a lock outlives its client: the store sets
 * client_connection_check_interval to 2 s. */
enum { CLIENT_CHECK_MS = 2000 };
/* How late what was sent over a connection that the client has given up may arrive: the store sets
 * tcp_user_timeout to 4 s, and waits for an answer for 3. */
enum { LATE_MS = 1000 };

Model model;

uint32_t model_draw(uint32_t values) { return chance_below(&model.chance, values); }

/* --- Sessions --------------------------------------------------------------------------------- */

Backend *model_connect(int node, int machine, const char *application,
                       const LinkStatement *statements) {
    for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
        Backend *session = &model.sessions[i];
        if (session->used)
            continue;
        *session =
            (Backend){.used = true, .node = node, .machine = machine, .statements = statements};
        snprintf(session->application, sizeof session->application, "%s", application);
        return session;
    }
    return NULL;
}

/* Forgets what the session was doing. */
static void clear_work(Backend *session) {
    coroutine_free(session->runs);
    session->runs = NULL;
    session->waits_for = NULL;
    session->transaction = NULL;
    session->state = BACKEND_IDLE;
}

/* Forgets its answer. */
static void clear_answer(Backend *session) {
    PQclear(session->rows);
    session->rows = NULL;
    session->refusal = NULL;
}

/* Nobody needs it any more. */
static void release(Backend *session) {
    clear_work(session);
    clear_answer(session);
    session->used = false;
}

void model_hang_up(Backend *session) {
    session->client_gone = true;
    session->gone_ms = model.now_ms;
    if (session->state == BACKEND_IDLE || session->state == BACKEND_ANSWERS)
        release(session);
}

/* A copy of the parameters that outlives the sender. */
static LinkParameters copy_of(const LinkParameters *from) {
    LinkParameters copy = *from;
    for (int i = 0; i < from->count; i++) {
        if (from->values[i] == NULL)
            continue;
        char *bytes = model_memory((size_t)from->lengths[i]);
        if (from->lengths[i] > 0)
            memcpy(bytes, from->values[i], (size_t)from->lengths[i]);
        copy.values[i] = bytes;
    }
    return copy;
}

void model_send(Backend *session, const char *name, const LinkParameters *parameters) {
    assert(session->state == BACKEND_IDLE);
    clear_answer(session);
    session->doubt = false;
    session->statement = session->statements;
    while (session->statement->name != NULL && strcmp(session->statement->name, name) != 0)
        session->statement++;
    assert(session->statement->name != NULL);
    session->parameters = copy_of(parameters);
    session->state = BACKEND_COMING;
    session->at_ms = model.now_ms + model_draw(model.travel_ms + 1);
    model.statements++;
    if (model.lose_every == 0 || model_draw(model.lose_every) > 0)
        return;
    model.lost++;
    uint32_t how = model_draw(3);
    if (how == 0) /* it never arrives */
        session->state = BACKEND_IDLE;
    if (how ==
        2) /* it arrives, as late as TCP tries, but the client is told at once that it is lost */
        session->at_ms += model_draw(2) == 0 ? 0 : model_draw(LATE_MS);
    session->broken = how != 1;
    session->loses_answer = how == 1;
}

/* --- Running a statement ---------------------------------------------------------------------- */

/* A statement, in a coroutine of its own. */
static void run_statement(void *owner) {
    Backend *session = owner;
    void (*function)(Backend *) = statement_function(session->statements, session->statement->name);
    if (function == NULL) {
        fprintf(stderr,
                "the model does not know the statement `%s` of the %s: add it to "
                "tests/server/model/statements.c\n",
                session->statement->name, statement_list(session->statements));
        abort();
    }
    function(session);
}

void refuse(Backend *session, const char *code) {
    session->refusal = code;
    coroutine_yield();
    abort(); /* it is never resumed */
}

/* The answer is on its way. */
static void answer(Backend *session) {
    session->state = BACKEND_ANSWERS;
    session->at_ms = model.now_ms + model_draw(model.travel_ms + 1);
    if (session->loses_answer) {
        session->loses_answer = false;
        session->broken = true;
        session->state = BACKEND_IDLE;
        clear_answer(session);
    }
    if (session->client_gone)
        release(session);
}

/* The session's transaction is committed: it is in the log. */
static void commit(Backend *session) {
    Machine *machine = machine_of(session);
    if (session->transaction->count == 0 && !session->transaction->locks) {
        rows_publish(machine, session->transaction); /* it has only read */
        answer(session);
        return;
    }
    if (machine->log_count == machine->log_max) {
        machine->log_max = machine->log_max * 2 + 256;
        machine->log = realloc(machine->log, machine->log_max * sizeof *machine->log);
        assert(machine->log != NULL);
    }
    machine->log[machine->log_count++] = session->transaction;
    session->lsn = machine->log_count;
    session->state = BACKEND_COMMITS;
    if (machine->waits)
        return;
    rows_publish(machine, session->transaction);
    answer(session);
}

/* Begins the statement that has arrived. */
static void begin(Backend *session) {
    Machine *machine = machine_of(session);
    bool busy = false; /* a waiting session looks at versions */
    for (uint32_t i = 0; i < BACKENDS_MAX; i++)
        busy = busy || (model.sessions[i].used && model.sessions[i].machine == session->machine &&
                        model.sessions[i].state == BACKEND_RUNS);
    if (!busy)
        rows_vacuum(machine);
    session->state = BACKEND_RUNS;
    session->snapshot = machine->visible;
    session->transaction = model_memory(sizeof *session->transaction);
    session->transaction->name = session->statement->name;
    session->runs = coroutine_new(run_statement, session);
}

void model_step(Backend *session) {
    if (session->state == BACKEND_COMING)
        begin(session);
    coroutine_resume(session->runs);
    if (session->refusal == NULL && !coroutine_ended(session->runs))
        return; /* it waits for somebody */
    coroutine_free(session->runs);
    session->runs = NULL;
    if (session->refusal != NULL) {
        rows_abort(machine_of(session), session->transaction);
        PQclear(session->rows);
        session->rows = NULL;
        answer(session);
    } else if (session->holds) {
        session->state = BACKEND_ANSWERS;
    } else {
        commit(session);
    }
}

void model_end(Backend *session, bool commits) {
    Transaction *transaction = session->transaction;
    Machine *machine = machine_of(session);
    if (!transaction->aborted && commits) {
        commit(session);
    } else if (!transaction->aborted) {
        rows_abort(machine, transaction);
    }
    session->state = BACKEND_IDLE;
    session->transaction = NULL;
    clear_answer(session);
}

void model_settle(int machine) {
    for (;;) {
        Backend *first = NULL;
        for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
            Backend *session = &model.sessions[i];
            if (session->used && session->machine == machine && session->state == BACKEND_RUNS &&
                session->waits_for != NULL &&
                (session->waits_for->visible != 0 || session->waits_for->aborted) &&
                (first == NULL || session->waits_since < first->waits_since))
                first = session;
        }
        if (first == NULL)
            return;
        model_step(first);
    }
}

/* Ends what a session does, as pg_terminate_backend() or the loss of its client: what waits for a
 * lock has not happened; what waits for a standby has, on this machine. */
static void end_work(Backend *session) {
    Machine *machine = machine_of(session);
    if (session->state == BACKEND_COMMITS)
        rows_publish(machine, session->transaction);
    else if (session->transaction != NULL && session->transaction->visible == 0)
        rows_abort(machine, session->transaction);
    clear_work(session);
    clear_answer(session);
    session->broken = true;
    if (session->client_gone)
        release(session);
}

int terminate(Backend *session, const char *application) {
    int count = 0;
    for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
        Backend *other = &model.sessions[i];
        if (!other->used || other == session || other->machine != session->machine ||
            strcmp(other->application, application) != 0)
            continue;
        end_work(other);
        model.terminated++;
        count++;
    }
    return count;
}

void model_end_lost(Backend *session, const char *application) {
    if (session->used && session->client_gone && session->state != BACKEND_COMMITS &&
        strcmp(session->application, application) == 0)
        end_work(session);
}

void model_cancel(Backend *session) {
    if (session->state != BACKEND_COMMITS)
        return;
    rows_publish(machine_of(session), session->transaction);
    session->doubt = true;
    answer(session);
}

void model_reset(Backend *session) {
    if (session->state == BACKEND_RUNS || session->state == BACKEND_COMING)
        end_work(session);
    session->broken = true;
}

void model_drop_node(int node, bool silently) {
    for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
        Backend *session = &model.sessions[i];
        if (!session->used || session->node != node || session->client_gone)
            continue;
        model_hang_up(session);
        if (session->used && !silently) /* its kernel says so */
            session->gone_ms = model.now_ms - CLIENT_CHECK_MS;
    }
}

/* --- Machines --------------------------------------------------------------------------------- */

void model_open(int machines, uint64_t seed) {
    memset(&model, 0, sizeof model);
    model.machines_count = machines;
    model.chance = chance_sampled(seed ^ UINT64_C(0x9e3779b97f4a7c15));
    for (int i = 0; i < machines; i++)
        model.machines[i] = (Machine){.up = true, .primary = i == 0, .upstream = i == 0 ? -1 : 0};
    rows_rebuild(&model.machines[0]);
}

void model_close(void) {
    for (uint32_t i = 0; i < BACKENDS_MAX; i++)
        if (model.sessions[i].used)
            release(&model.sessions[i]);
    for (int i = 0; i < model.machines_count; i++) {
        rows_drop(&model.machines[i]);
        free(model.machines[i].log);
    }
    for (uint32_t i = 0; i < model.memory_count; i++)
        free(model.memory[i]);
    free(model.memory);
    memset(&model, 0, sizeof model);
}

/* All sessions at the machine are lost with what they were doing. */
static void lose_sessions(int machine) {
    for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
        Backend *session = &model.sessions[i];
        if (!session->used || session->machine != machine)
            continue;
        clear_work(session);
        clear_answer(session);
        session->broken = true;
        if (session->client_gone)
            release(session);
    }
}

void model_kill(int machine) {
    lose_sessions(machine);
    rows_drop(&model.machines[machine]);
    model.machines[machine].up = model.machines[machine].hangs = false;
}

void model_start(int machine) {
    Machine *own = &model.machines[machine];
    assert(!own->up);
    own->up = true;
    if (own->primary)
        rows_rebuild(own);
}

void model_promote(int machine, bool waits) {
    Machine *own = &model.machines[machine];
    assert(own->up && !own->primary);
    for (int i = 0; i < model.machines_count; i++)
        model.machines[i].upstream = -1;
    own->primary = true;
    own->waits = waits;
    rows_rebuild(own);
}

void model_follow(int machine, int primary) {
    Machine *own = &model.machines[machine];
    const Machine *other = &model.machines[primary];
    uint32_t common = 0;
    while (common < own->log_count && common < other->log_count &&
           own->log[common] == other->log[common])
        common++;
    if (own->up)
        model_kill(machine);
    own->log_count = common;
    own->primary = own->waits = false;
    own->upstream = primary;
    own->up = true;
}

uint32_t model_standbys(int machine, uint32_t lsn) {
    uint32_t count = 0;
    for (int i = 0; i < model.machines_count; i++)
        count += model.machines[i].up && model.machines[i].upstream == machine &&
                 model.machines[i].log_count >= lsn;
    return count;
}

/* A standby gets what its primary has up to this place. */
static void copy_log(Machine *standby, uint32_t count) {
    const Machine *from = &model.machines[standby->upstream];
    if (count > standby->log_max) {
        standby->log_max = from->log_max;
        standby->log = realloc(standby->log, standby->log_max * sizeof *standby->log);
        assert(standby->log != NULL);
    }
    for (uint32_t i = standby->log_count; i < count; i++)
        standby->log[i] = from->log[i];
    standby->log_count = count;
}

/* How much more the machine could get from whom it follows. */
static uint32_t behind(const Machine *standby) {
    const Machine *from = standby->upstream < 0 ? NULL : &model.machines[standby->upstream];
    if (from == NULL || !standby->up || standby->hangs || !from->up || from->hangs ||
        !from->primary || standby->log_count >= from->log_count)
        return 0;
    return from->log_count - standby->log_count;
}

/* What a session may do now. */
static void advance(Backend *session) {
    Machine *machine = machine_of(session);
    if (!machine->up || machine->hangs)
        return;
    bool lost = session->client_gone && model.now_ms - session->gone_ms >= CLIENT_CHECK_MS;
    if (session->state == BACKEND_COMING && session->at_ms <= model.now_ms &&
        !model.cut[session->node][session->machine])
        model_step(session);
    else if (session->state == BACKEND_RUNS && session->waits_for != NULL && lost)
        end_work(session);
    else if (session->state == BACKEND_COMMITS &&
             (!machine->waits || model_standbys(session->machine, session->lsn) > 0)) {
        rows_publish(machine, session->transaction);
        answer(session);
    }
}

void model_hurry(Backend *session) {
    for (int i = 0; i < model.machines_count; i++)
        if (model.machines[i].upstream == session->machine && behind(&model.machines[i]) > 0)
            copy_log(&model.machines[i], machine_of(session)->log_count);
    advance(session);
}

void model_run(uint64_t now_ms) {
    model.now_ms = now_ms;
    for (int i = 0; i < model.machines_count; i++) {
        Machine *standby = &model.machines[i];
        uint32_t more = behind(standby);
        if (more > 0 && model_draw(1 + model.lag_ms) == 0)
            copy_log(standby, standby->log_count + 1 + model_draw(more));
    }
    uint32_t first = model_draw(BACKENDS_MAX);
    for (uint32_t i = 0; i < BACKENDS_MAX; i++) {
        Backend *session = &model.sessions[(first + i) % BACKENDS_MAX];
        if (session->used)
            advance(session);
    }
    for (int i = 0; i < model.machines_count; i++)
        if (model.machines[i].up && !model.machines[i].hangs)
            model_settle(i);
}
