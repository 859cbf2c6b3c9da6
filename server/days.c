/* days.c -- see days.h. */
#include "server/days.h"

#include <stdlib.h>
#include <string.h>

#include "server/actions.h"
#include "server/arena.h"
#include "server/contest.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/outbox.h"
#include "server/prepared.h"
#include "server/records.h"

enum {
    POLL_MS = 30000,    /* from one question for what is due to the next */
    RETRY_MS = 1000,    /* until the store is asked again */
    DUE_MAX = 64,       /* matches that are opened at once because they are due */
    ADRIFT_MAX = 10000, /* sessions that were open when the server was killed */
    WAITS_MAX = 1000,   /* requests that wait for a match */
    LOG_MAX = 8 << 20,  /* a match with a longer log stays in memory */
    MATCHES_MAX = 100,  /* of one account */
    LOG_HEAD_BYTES = 14
};

/* What the store is asked in a thread. */
typedef enum DaysKind { JOB_PUT, JOB_PARK, JOB_DROP, JOB_FREE, JOB_DUE } DaysKind;

/* A question on its way through a thread. */
struct DaysJob {
    DaysJob *next;
    Server *server;
    Table *table; /* NULL: it is about none that is open */
    DaysKind kind;
    StoreDays row;
    uint64_t now_ms;
    uint64_t list[DUE_MAX];
    uint32_t count;
    StoreStatus status;
};

/* A request that waits for a match. */
typedef struct DaysWait DaysWait;
struct DaysWait {
    DaysWait *next;
    Session *session; /* NULL: it is gone, or nobody's */
    RequestContext request;
    Message message;
    DaysVisit *visit; /* instead of a session and its request */
    void *owner;
};

/* A match that is being opened. */
struct DaysAsk {
    DaysAsk *next;
    Server *server;
    uint64_t number, session, now_ms;
    DaysWait *waits;
    bool asked; /* a thread has it; otherwise it waits until the table rests or is known */
    StoreDays row;
    void *records;
    size_t count;
    StoreStatus status;
};

/* A match that is over: it is dropped when it is in the archive. Or one that rests again, because
 * it could not be opened. */
struct DaysEnd {
    DaysEnd *next;
    DaysKind kind; /* JOB_DROP or JOB_FREE */
    uint64_t number, session, ticket;
};

bool days_is(const Table *table) { return table->config.clocks.days > 0; }

bool days_is_held(const Table *table) {
    return days_is(table) && table_is_running(table) &&
           (table->days.resting || table->days.unchecked);
}

/* --- The log ---------------------------------------------------------------------------------- */

/* A number of some bytes, the lowest first. */
static void put_bytes(uint8_t *to, uint64_t number, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(number >> (8 * i));
}

static uint64_t get_bytes(const uint8_t *from, uint32_t bytes) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < bytes; i++)
        number |= (uint64_t)from[i] << (8 * i);
    return number;
}

bool days_log_put(TableDays *days, const StoreRecord *record) {
    size_t need = days->log_count + LOG_HEAD_BYTES + record->count;
    if (need > days->log_max) {
        uint8_t *more = realloc(days->log, need * 2);
        if (more == NULL)
            return false;
        days->log = more;
        days->log_max = need * 2;
    }
    uint8_t *to = days->log + days->log_count;
    put_bytes(to, record->kind, 2);
    put_bytes(to + 2, record->time_ms, 8);
    put_bytes(to + 10, record->count, 4);
    if (record->count > 0)
        memcpy(to + LOG_HEAD_BYTES, record->bytes, record->count);
    days->log_count = need;
    return true;
}

bool days_log_next(const uint8_t *log, size_t count, size_t *at, StoreRecord *record) {
    if (count - *at < LOG_HEAD_BYTES)
        return false;
    const uint8_t *from = log + *at;
    uint64_t bytes = get_bytes(from + 10, 4);
    if (bytes > count - *at - LOG_HEAD_BYTES)
        return false;
    *record = (StoreRecord){.kind = (uint16_t)get_bytes(from, 2),
                            .time_ms = get_bytes(from + 2, 8),
                            .count = (uint32_t)bytes,
                            .bytes = from + LOG_HEAD_BYTES};
    *at += LOG_HEAD_BYTES + (size_t)bytes;
    return true;
}

void days_release(Table *table) {
    free(table->days.log);
    table->days.log = NULL;
}

/* --- Jobs ------------------------------------------------------------------------------------- */

/* In a thread. The log of a table that is about to rest does not change. */
static void work(void *what) {
    DaysJob *job = what;
    Store *store = job->server->store;
    StoreDays *row = &job->row;
    switch (job->kind) {
    case JOB_PUT:
        job->status = store_days_put(store, row);
        break;
    case JOB_PARK:
        job->status = store_days_park(store, row->match, row->session, job->table->days.log,
                                      job->table->days.log_count);
        break;
    case JOB_DROP:
        job->status = store_days_drop(store, row->match, row->session);
        break;
    case JOB_FREE:
        job->status = store_days_free(store, row->match, row->session);
        break;
    default:
        job->status = store_days_due(store, job->now_ms, job->list, DUE_MAX, &job->count);
    }
}

static void done(void *what);
static void tick(void *owner);

/* The timer is called within this time. */
static void wake_within(Server *server, uint32_t ms) {
    Days *days = &server->days;
    days->any = true;
    if (days->timer == NULL)
        days->timer = net_timer_open(server->loop, tick, server);
    if (days->timer != NULL)
        net_timer_start(days->timer, ms);
}

/* Takes a job off the list and frees it. */
static void release(DaysJob *job) {
    DaysJob **link = &job->server->days.jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    if (job->table != NULL)
        job->table->days.job = NULL;
    free(job);
}

/* Starts a job. False: it cannot now, and the timer comes soon. */
static bool start(Server *server, DaysKind kind, Table *table, const StoreDays *row) {
    DaysJob *job = calloc(1, sizeof *job);
    if (job != NULL) {
        job->server = server;
        job->kind = kind;
        job->table = table;
        job->row = *row;
        job->now_ms = net_wall_clock_ms(server->loop);
    }
    if (job == NULL || server->players.thread_pool == NULL ||
        !net_thread_pool_submit(server->players.thread_pool, work, done, job)) {
        free(job);
        wake_within(server, RETRY_MS);
        return false;
    }
    job->next = server->days.jobs;
    server->days.jobs = job;
    if (table != NULL)
        table->days.job = job;
    return true;
}

/* A job that the store is given as soon as it has this ticket of store_finish(), within a second.
 */
static void start_later(Server *server, const DaysEnd *what) {
    DaysEnd *end = malloc(sizeof *end);
    if (end == NULL)
        return; /* no memory: another server does it, or this one when it is opened again */
    *end = *what;
    end->next = server->days.ends;
    server->days.ends = end;
    wake_within(server, RETRY_MS);
}

/* The row of a table whose match has begun. */
static StoreDays row_of(const Table *table) {
    const MashContent *content = table->match.content;
    bool over = match_result(&table->match).over;
    StoreDays row = {.match = table->number,
                     .session = table->journal,
                     .generation = table->days.generation,
                     .days = table->config.clocks.days,
                     .awaited = over ? 0 : content->game->awaited(content, table->match.state)};
    MashText game = text_over(row.game, sizeof row.game);
    text_string(&game, content->game->id);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        row.accounts[seat] = table->chairs[seat].player;
        row.began_ms[seat] = table->days.began_ms[seat];
    }
    return row;
}

void days_changed(Table *table) {
    if (!days_is(table) || table->days.ended)
        return;
    table->days.changed = true;
    if (table->days.job != NULL || table->days.resting)
        return;
    if (table->ticket > table->server->durable_ticket) {
        outbox_send_turns(table);
        return;
    }
    StoreDays row = row_of(table);
    if (start(table->server, JOB_PUT, table, &row))
        table->days.changed = false;
    wake_within(table->server, POLL_MS);
}

void days_note_turns(Table *table, uint32_t before, uint32_t after, bool new_turn,
                     uint64_t time_ms) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if ((after >> seat & 1) != 0 && ((before >> seat & 1) == 0 || new_turn))
            table->days.began_ms[seat] = time_ms;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if ((after & ~before) >> seat & 1)
            prepared_choose(table, seat);
}

void days_begun(Table *table, uint32_t awaited) {
    days_note_turns(table, 0, awaited, true, table->days.record_ms);
    for (uint32_t seat = 0; seat < MASH_SEATS && days_is(table); seat++) {
        const Session *session = table->chairs[seat].session;
        if (session != NULL && session->player != NULL)
            session->player->days++;
    }
}

void days_turn_over(Table *table, uint8_t seat) {
    table->days.due |= (uint8_t)(1 << seat);
    days_changed(table);
}

void days_refresh(Server *server, uint64_t account) {
    for (Table *table = server->tables; table != NULL; table = table->next)
        if (days_is(table) && table_is_running(table) &&
            (table->chairs[0].player == account || table->chairs[1].player == account))
            days_changed(table);
}

/* --- Resting ---------------------------------------------------------------------------------- */

void days_deserted(Table *table) {
    if (!days_is(table) || !table_is_running(table) || !table_deserted(table) ||
        table->watchers != NULL)
        return;
    table->days.rest_ms = server_now_ms(table->server) + table->server->setup.rest_ms;
    table_set_timer(table);
}

void days_rest(Table *table) {
    Server *server = table->server;
    TableDays *days = &table->days;
    bool quiet = table_is_running(table) && table_deserted(table) && table->watchers == NULL;
    days->rest_ms = 0;
    if (!quiet || days->ended || days->log_count > LOG_MAX)
        return;
    if (days->job != NULL || days->changed || days->due != 0 || table->queued > 0 ||
        table->ticket > server->durable_ticket) {
        days->rest_ms = server_now_ms(server) + RETRY_MS;
        return;
    }
    StoreDays row = row_of(table);
    days->resting = start(server, JOB_PARK, table, &row);
    if (!days->resting)
        days->rest_ms = server_now_ms(server) + RETRY_MS;
}

/* The table is not here any more: it rests, or has another session elsewhere. */
static void leave_memory(Table *table) {
    Server *server = table->server;
    store_forget(server->store, table->journal, net_wall_clock_ms(server->loop));
    server_poll_store(server);
    table->archived = true; /* which others do, if it is over */
    table->days.ended = true;
    table_close(table, "The match goes on elsewhere. Open it again.");
}

/* Sets the clock by the deadlines of the store. */
static void set_clock(Table *table, const StoreDays *row) {
    Server *server = table->server;
    uint64_t now_ms = net_wall_clock_ms(server->loop);
    uint8_t due = table->days.due;
    table->days.due = 0;
    for (uint8_t seat = 0; seat < MASH_SEATS && table_is_running(table); seat++) {
        uint64_t deadline_ms = row->deadline_ms[seat];
        if (row->began_ms[seat] != table->days.began_ms[seat])
            continue; /* another turn has begun meanwhile */
        if (deadline_ms < server->days.floor_ms)
            deadline_ms = server->days.floor_ms;
        uint64_t left_ms = deadline_ms > now_ms ? deadline_ms - now_ms : 0;
        clock_set_turn_left(&table->clock, server_now_ms(server), seat, left_ms);
        if ((due >> seat & 1) == 0 || (row->awaited >> seat & 1) == 0)
            continue;
        if (left_ms == 0)
            actions_apply_as_server(table, MASH_VERB_TIME_OVER, seat, 0);
    }
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* Takes a request off its match, and answers it as if it had just come. */
static void dispatch(Server *server, DaysAsk *ask) {
    DaysWait *waits = ask->waits, *next;
    ask->waits = NULL;
    server->days.answering = true;
    for (; waits != NULL; waits = next) {
        next = waits->next;
        server->days.waits--;
        Session *session = waits->session;
        if (waits->visit != NULL)
            waits->visit(server, ask->number, waits->owner);
        if (session != NULL) {
            server->request = waits->request;
            server->request.refused = false;
            if (waits->message.kind == MESSAGE_CLIENT_JOIN)
                lobby_join(session, &waits->message);
            else if (waits->message.kind == MESSAGE_CLIENT_WATCH)
                lobby_watch(session, &waits->message);
            else
                lobby_return(session, &waits->message);
        }
        free(waits);
    }
    server->days.answering = false;
}

/* Takes the question off the list and frees it. */
static void release_ask(DaysAsk *ask) {
    DaysAsk **link = &ask->server->days.asks;
    while (*link != ask)
        link = &(*link)->next;
    *link = ask->next;
    while (ask->waits != NULL) {
        DaysWait *wait = ask->waits;
        ask->waits = wait->next;
        ask->server->days.waits--;
        if (wait->visit != NULL)
            wait->visit(ask->server, ask->number, wait->owner);
        free(wait);
    }
    free(ask->records);
    free(ask);
}

/* In a thread. */
static void take(void *what) {
    DaysAsk *ask = what;
    ask->status = store_days_take(ask->server->store, ask->number, ask->session, ask->now_ms,
                                  &ask->row, &ask->records, &ask->count);
}

/* The match is ours: it becomes a table. */
static void open_match(DaysAsk *ask) {
    Server *server = ask->server;
    bool lost;
    Table *table = records_open_session(server, &ask->row, ask->records, ask->count, &lost);
    if (table == NULL) {
        start_later(server, &(DaysEnd){.kind = lost ? JOB_DROP : JOB_FREE,
                                       .number = ask->row.match,
                                       .session = ask->row.session});
        return;
    }
    server->days.opened++;
    set_clock(table, &ask->row);
    prepared_run(table);
    table_set_timer(table);
}

/* Nobody knows now: whoever waits is refused, or where nodes share a database, which may be just
 * moving, asked to try again, so that no seat is given up for it. */
static void refuse_all(DaysAsk *ask) {
    for (DaysWait *wait = ask->waits; wait != NULL; wait = wait->next) {
        if (wait->session == NULL)
            continue;
        ask->server->request = wait->request;
        if (store_is_shared(ask->server->store))
            lobby_say_moving(wait->session);
        else
            arena_refuse(wait->session, REFUSAL_ACCOUNTS_AWAY);
    }
}

/* Back in the loop. */
static void taken(void *what) {
    DaysAsk *ask = what;
    Server *server = ask->server;
    if (ask->status == STORE_OK)
        open_match(ask);
    if (ask->status == STORE_CONFLICT && store_is_shared(server->store))
        for (DaysWait *wait = ask->waits; wait != NULL; wait = wait->next) {
            if (wait->session == NULL)
                continue;
            server->request = wait->request;
            lobby_ask_opened(wait->session, ask->row.session);
        }
    else if (ask->status == STORE_OK || ask->status == STORE_UNKNOWN ||
             ask->status == STORE_CONFLICT)
        dispatch(server, ask);
    else
        refuse_all(ask);
    if (ask->status == STORE_BUSY) /* it may be ours now, and nobody would know */
        start_later(server,
                    &(DaysEnd){.kind = JOB_FREE, .number = ask->number, .session = ask->session});
    release_ask(ask);
}

/* A thread takes the match. */
static void start_taking(DaysAsk *ask) {
    Server *server = ask->server;
    do {
        net_random(server->loop, &ask->session, sizeof ask->session);
        ask->session >>= 64 - 5 * PROTO_CODE_DIGITS;
    } while (ask->session == 0 || lobby_find(server, ask->session) != NULL ||
             contest_find(server, ask->session) != NULL);
    ask->now_ms = net_wall_clock_ms(server->loop);
    ask->asked = server->players.thread_pool != NULL &&
                 net_thread_pool_submit(server->players.thread_pool, take, taken, ask);
    if (ask->asked)
        return;
    refuse_all(ask);
    release_ask(ask);
}

/* The match that is being opened, made if need be; NULL: no memory. */
static DaysAsk *ask_of(Server *server, uint64_t number, bool make) {
    DaysAsk *ask = server->days.asks;
    while (ask != NULL && ask->number != number)
        ask = ask->next;
    if (ask != NULL || !make || (ask = calloc(1, sizeof *ask)) == NULL)
        return ask;
    ask->server = server;
    ask->number = number;
    ask->next = server->days.asks;
    server->days.asks = ask;
    return ask;
}

/* Something waits for a match that is not here, or held. False: it need not, or there is no room
 * for it. */
static bool wait_for(Server *server, uint64_t number, const DaysWait *what) {
    const Table *table = lobby_find(server, number);
    if (server->days.answering || number >> 5 * PROTO_CODE_DIGITS != 0 ||
        (table != NULL && !days_is_held(table)) ||
        (table == NULL && !server->days.any && !store_is_shared(server->store)) ||
        server->days.waits >= WAITS_MAX)
        return false;
    DaysAsk *ask = ask_of(server, number, true);
    DaysWait *wait = ask == NULL ? NULL : malloc(sizeof *wait);
    if (wait == NULL)
        return false;
    *wait = *what;
    wait->next = ask->waits;
    ask->waits = wait;
    server->days.waits++;
    if (table == NULL && !ask->asked)
        start_taking(ask);
    return true;
}

bool days_ask(Session *session, uint64_t number, const Message *request) {
    Server *server = session->server;
    DaysWait wait = {.session = session, .request = server->request, .message = *request};
    bool waits = wait_for(server, number, &wait);
    server->request.refused |= waits; /* it is answered later */
    return waits;
}

bool days_visit(Server *server, uint64_t number, DaysVisit *visit, void *owner) {
    DaysWait wait = {.visit = visit, .owner = owner};
    return wait_for(server, number, &wait);
}

void days_forget(Session *session) {
    for (DaysAsk *ask = session->server->days.asks; ask != NULL; ask = ask->next)
        for (DaysWait *wait = ask->waits; wait != NULL; wait = wait->next)
            if (wait->session == session)
                wait->session = NULL;
}

/* A table is not held any more, or not here any more: requests for it go on. */
static void go_on(Server *server, uint64_t number) {
    DaysAsk *ask = ask_of(server, number, false);
    if (ask == NULL || ask->asked)
        return;
    if (lobby_find(server, number) == NULL) {
        start_taking(ask);
        return;
    }
    dispatch(server, ask);
    release_ask(ask);
}

/* --- Back in the loop ------------------------------------------------------------------------- */

/* Players whose turn it is and who are not there are told so, once for each turn. */
static void tell_absent(Table *table, const StoreDays *row) {
    for (uint8_t seat = 0; seat < MASH_SEATS && table_is_running(table); seat++) {
        const Chair *chair = &table->chairs[seat];
        uint64_t began_ms = table->days.began_ms[seat];
        if ((row->awaited >> seat & 1) == 0 || row->began_ms[seat] != began_ms ||
            table->days.told_ms[seat] == began_ms || chair->session != NULL || chair->player == 0)
            continue;
        table->days.told_ms[seat] = began_ms;
        notices_turn(table, seat, row->deadline_ms[seat]);
    }
}

/* Whom the match awaits is known to the store. */
static void put_done(Table *table, const DaysJob *job) {
    if (job->status == STORE_CONFLICT && !table->days.ended) {
        leave_memory(table);
    } else if (job->status != STORE_OK) {
        table->days.changed = true;
        wake_within(table->server, RETRY_MS);
    } else {
        table->days.unchecked = false;
        set_clock(table, &job->row);
        prepared_run(table);
        tell_absent(table, &job->row);
        if (table->days.changed)
            days_changed(table);
        table_set_timer(table);
    }
}

/* The match rests, or it is tried again. */
static void park_done(Table *table, const DaysJob *job) {
    if (job->status == STORE_OK || job->status == STORE_CONFLICT) {
        table->server->days.rested += job->status == STORE_OK;
        leave_memory(table);
        return;
    }
    wake_within(table->server, RETRY_MS);
}

/* Matches are due: they are opened, and their clocks see it. */
static void due_done(Server *server, const DaysJob *job) {
    for (uint32_t i = 0; i < job->count; i++) {
        DaysAsk *ask =
            lobby_find(server, job->list[i]) == NULL ? ask_of(server, job->list[i], true) : NULL;
        if (ask != NULL && !ask->asked)
            start_taking(ask);
    }
    if (job->count == DUE_MAX)
        wake_within(server, RETRY_MS);
}

static void done(void *what) {
    DaysJob *job = what, copy = *job;
    Server *server = job->server;
    bool closed = copy.table != NULL && copy.table->closed;
    release(job);
    if (closed)
        table_free_if_idle(copy.table);
    else if (copy.kind == JOB_PUT)
        put_done(copy.table, &copy);
    else if (copy.kind == JOB_PARK)
        park_done(copy.table, &copy);
    else if (copy.kind == JOB_DUE)
        due_done(server, &copy);
    else if (copy.status != STORE_OK)
        start_later(
            server,
            &(DaysEnd){.kind = copy.kind, .number = copy.row.match, .session = copy.row.session});
    if (copy.kind == JOB_PUT || copy.kind == JOB_PARK) {
        const Table *table = lobby_find(server, copy.row.match);
        if (table == NULL || !days_is_held(table))
            go_on(server, copy.row.match);
    }
}

/* The timer: asks for what is due, and again for what the store did not answer. */
static void tick(void *owner) {
    Server *server = owner;
    if (server->draining || server->failed)
        return;
    wake_within(server, POLL_MS);
    for (Table *table = server->tables; table != NULL; table = table->next) {
        if (!days_is(table) || table->days.job != NULL)
            continue;
        if (table->days.resting) {
            StoreDays row = row_of(table);
            start(server, JOB_PARK, table, &row);
        } else if (table->days.changed) {
            days_changed(table);
        }
    }
    if (net_wall_clock_ms(server->loop) >= server->days.floor_ms)
        start(server, JOB_DUE, NULL, &(StoreDays){0});
    days_flush(server);
}

/* --- The end ---------------------------------------------------------------------------------- */

void days_finished(Table *table, uint64_t ticket) {
    table->days.ended = true;
    start_later(table->server, &(DaysEnd){.kind = JOB_DROP,
                                          .number = table->number,
                                          .session = table->journal,
                                          .ticket = ticket});
}

/* May the match be dropped, or rest? It is in the archive, if it is to be there, and nobody writes
 * its row any more. */
static bool may_drop(const Server *server, const DaysEnd *end, uint64_t finished) {
    bool busy = false;
    for (const DaysJob *job = server->days.jobs; job != NULL; job = job->next)
        busy |= job->row.match == end->number;
    return end->ticket <= finished && !busy;
}

void days_flush(Server *server) {
    uint64_t finished = server->days.ends == NULL ? 0 : store_progress(server->store).finished;
    for (DaysEnd **link = &server->days.ends; *link != NULL;) {
        DaysEnd *end = *link;
        StoreDays row = {.match = end->number, .session = end->session};
        if (!may_drop(server, end, finished) || !start(server, end->kind, NULL, &row)) {
            link = &end->next;
            continue;
        }
        if (end->kind == JOB_DROP && end->session != end->number) /* which is not in the archive */
            store_forget(server->store, end->session, net_wall_clock_ms(server->loop));
        *link = end->next;
        free(end);
    }
}

/* --- Who may play ----------------------------------------------------------------------------- */

bool days_may_open(Session *session, uint32_t days, bool unfit) {
    if (days == 0)
        return true;
    if (session->player == NULL)
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
    else if (unfit)
        arena_refuse(session, REFUSAL_NOT_BY_DAYS);
    else if (session->player->days >= MATCHES_MAX)
        arena_refuse_because(session, REFUSAL_QUOTA,
                             "You play as many matches over days as one player may.");
    else
        return true;
    return false;
}

bool days_may_join(Session *session, const Table *table) {
    if (!days_may_open(session, table->config.clocks.days, false))
        return false;
    for (uint32_t seat = 0; seat < MASH_SEATS && days_is(table); seat++)
        if (table->chairs[seat].player == session->player->id) {
            arena_refuse(session, REFUSAL_SAME_PLAYER);
            return false;
        }
    return true;
}

/* --- Opening and closing the server ----------------------------------------------------------- */

/* Is the match in the archive? */
static bool is_archived(Server *server, uint64_t match) {
    size_t count;
    return store_archive_read(server->store, match, NULL, 0, &count) == STORE_TOO_LONG;
}

/* Sessions that the journal does not have were lost before they began: the match rests as it did. A
 * match that is in the archive is over. */
static void free_adrift(Server *server) {
    StoreDays *list = calloc(ADRIFT_MAX, sizeof *list);
    uint64_t *counts = calloc(ADRIFT_MAX, sizeof *counts);
    uint32_t count = 0;
    if (list != NULL && counts != NULL)
        store_days_adrift(server->store, list, counts, ADRIFT_MAX, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Table *table = lobby_find(server, list[i].match);
        if (table != NULL && table->journal == list[i].session)
            continue;
        if (counts[i] == 0 || is_archived(server, list[i].match))
            store_days_drop(server->store, list[i].match, list[i].session);
        else
            store_days_free(server->store, list[i].match, list[i].session);
    }
    free(list);
    free(counts);
}

void days_open(Server *server) {
    uint64_t count = 0;
    server->days.floor_ms = net_wall_clock_ms(server->loop) + server->setup.days_return_ms;
    if (!store_is_shared(server->store))
        free_adrift(server);
    if (store_is_shared(server->store) ||
        (store_days_count(server->store, 0, &count) == STORE_OK && count > 0))
        wake_within(server, POLL_MS);
}

void days_close(Server *server) {
    Days *days = &server->days;
    net_timer_close(days->timer);
    days->timer = NULL;
    while (days->jobs != NULL)
        release(days->jobs);
    while (days->asks != NULL)
        release_ask(days->asks);
    while (days->ends != NULL) {
        DaysEnd *end = days->ends;
        days->ends = end->next;
        free(end);
    }
}
