/* table.c -- see table.h: a table with its players and spectators, from its opening to its end. */
#include <stdlib.h>
#include <string.h>

#include "server/actions.h"
#include "server/begun.h"
#include "server/contest.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "server/outbox.h"
#include "server/prepared.h"
#include "server/protocol.h"
#include "server/rated.h"
#include "server/records.h"
#include "server/robot.h"
#include "server/table.h"

/* The delay before a time that is over is tried again when the store was full; and how many actions
 * a player makes against an AI player before the match counts. */
enum { OWED_MS = 1000, ROBOT_ACTIONS = 8 };

/* How long a table of a match over days waits for another player. */
enum { DAYS_WAITING_MS = 7 * 86400000 };

/* How long after the first of two matches the second begins, so that players can view the result,
 * and how often a disconnected player is checked for then. */
enum { SECOND_MS = 20000, SECOND_AGAIN_MS = 1000 };

/* A record of a token: the seat and the random bits. */
enum { TOKEN_RECORD_BYTES = 1 + sizeof(uint64_t) };

bool table_is_running(const Table *table) { return table->state == PROTO_STATE_RUNNING; }

bool table_deserted(const Table *table) {
    return table->chairs[0].session == NULL && table->chairs[1].session == NULL;
}

bool table_is_paused(const Table *table) {
    return table->clock.paused || clock_is_frozen(&table->clock);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* The table's timer: checks what is due. */
static void timed(void *owner) {
    Table *table = owner;
    table->timer_ms = 0;
    table_tick(table);
}

/* The hash bucket of this number. */
static Table **bucket_of(Server *server, uint64_t number) {
    return &server->buckets[number % server->buckets_count];
}

Table *lobby_find(Server *server, uint64_t number) {
    Table *table = *bucket_of(server, number);
    while (table != NULL && table->number != number)
        table = table->bucket_next;
    return table;
}

Table *table_open_as(Server *server, const TableConfig *config, uint64_t number) {
    Table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    table->timer = net_timer_open(server->loop, timed, table);
    if (table->timer == NULL) {
        free(table);
        return NULL;
    }
    table->server = server;
    table->number = table->journal = number;
    table->serial = ++server->tables_opened;
    table->opened_ms = server_now_ms(server);
    table->config = *config;
    table->state = PROTO_STATE_WAITING;
    table->clock = clock_new(config->clocks, server_now_ms(server));
    table_code_encode(number, table->code);
    content_retain(config->content);
    table->bucket_next = *bucket_of(server, number);
    *bucket_of(server, number) = table;
    table->next = server->tables;
    if (server->tables != NULL)
        server->tables->before = table;
    server->tables = table;
    server->tables_count++;
    listing_open(table);
    server_watch_stalls(server);
    return table;
}

/* Closes the oldest table without a running match and without sessions: it exists only for players
 * who may return, to see the result or to wait again. */
static void make_room(Server *server) {
    Table *oldest = NULL;
    for (Table *table = server->tables; table != NULL; table = table->next)
        if (table->state != PROTO_STATE_RUNNING && table_deserted(table) && table->watchers == NULL)
            oldest = table;
    if (oldest != NULL)
        table_close(oldest, "The server is full.");
}

Table *table_open(Server *server, const TableConfig *config) {
    uint64_t number;
    if (server->tables_count >= server->setup.matches_max)
        make_room(server);
    if (server->tables_count >= server->setup.matches_max)
        return NULL;
    do {
        net_random(server->loop, &number, sizeof number);
        number >>= 64 - 5 * PROTO_CODE_DIGITS;
    } while (number == 0 || lobby_find(server, number) != NULL ||
             contest_find(server, number) != NULL);
    return table_open_as(server, config, number);
}

/* Removes it from all lists. */
static void remove_from_lists(Table *table) {
    Server *server = table->server;
    Table **link = bucket_of(server, table->number);
    while (*link != table)
        link = &(*link)->bucket_next;
    *link = table->bucket_next;
    SERVER_UNLINK(server->tables, table, before, next);
    server->tables_count--;
}

void table_free_if_idle(Table *table) {
    if (!table->closed || table->queued > 0 || table->ai_jobs_count > 0 || table->counting ||
        table->days.job != NULL)
        return;
    net_timer_close(table->timer);
    protocols_release(table);
    days_release(table);
    prepared_release(table);
    content_release(table->server, table->config.content);
    free(table->ai_jobs[0]);
    free(table->ai_jobs[1]);
    free(table->begun);
    free(table->chat_log);
    free(table->changes);
    free(table->memory);
    free(table);
}

/* Removes the session from its table. */
static void detach(Session *session) {
    Table *table = session->table;
    outbox_forget(table->server, session);
    listing_change(table);
    if (session->seat < MASH_SEATS) {
        table->chairs[session->seat].session = NULL;
    } else {
        SERVER_UNLINK(table->watchers, session, before, next);
        session->next = session->before = NULL;
        table->watchers_count--;
    }
    session->table = NULL;
    session->seat = MASH_SEAT_NONE;
}

Session *table_session_after(const Table *table, const Session *session) {
    if (session != NULL && session->seat >= MASH_SEATS)
        return session->next;
    for (uint32_t seat = session == NULL ? 0 : session->seat + 1U; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].session != NULL)
            return table->chairs[seat].session;
    return table->watchers;
}

void table_close(Table *table, const char *reason) {
    assert(!table->closed);
    for (Session *session; (session = table_session_after(table, NULL)) != NULL;) {
        detach(session);
        session->protocol->part(session, table, PART_CLOSED, reason);
    }
    if (table->state == PROTO_STATE_OVER && !table->archived && !table->counting)
        records_finish(table);
    lobby_unclaim(table);
    listing_drop(table);
    records_forget(table);
    net_timer_stop(table->timer);
    remove_from_lists(table);
    robot_dismiss(table);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        budget_seat(table, seat, NULL);
    table->closed = true;
    table_free_if_idle(table);
}

/* The match is paused. */
static void notify_paused(Table *table, uint8_t seat, uint32_t left_ms) {
    protocols_notify(table, (TableNotice){.kind = NOTICE_PAUSED, .seat = seat, .left_ms = left_ms});
}

/* The match continues; `knows` has been sent it already. */
static void notify_continued(Table *table, uint8_t seat, const Session *knows) {
    protocols_notify(table, (TableNotice){.kind = NOTICE_CONTINUED, .seat = seat, .except = knows});
    robot_start_due(table);
}

/* --- Joining and leaving ---------------------------------------------------------------------- */

/* Must the spectator of a table open to spectators see nothing hidden until the match is over? Yes
 * if he has the address of a player, or if the address of a player is unknown: a player must not
 * learn by a second connection what the other side hides. */
static bool is_blind(const Table *table, const Session *session) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (chair->robot == 0 && (chair->account == NULL || chair->account == session->account))
            return table->config.open_to_spectators;
    }
    return false;
}

/* A session joins the table. */
static void attach(Table *table, uint8_t seat, Session *session) {
    assert(session->table == NULL);
    session->table = table;
    session->seat = seat;
    session->joined_at = table->server->queued + 1;
    table->days.rest_ms = 0;
    listing_change(table);
    if (seat < MASH_SEATS) {
        table->chairs[seat].session = session;
        memcpy(table->chairs[seat].address, session->address, sizeof session->address);
        return;
    }
    session->blind = is_blind(table, session);
    session->before = NULL;
    session->next = table->watchers;
    if (table->watchers != NULL)
        table->watchers->before = session;
    table->watchers = session;
    table->watchers_count++;
}

/* A token: the table's number, so that it is found directly, and 64 random bits. */
static void write_token(const Table *table, uint64_t secret, char token[PROTO_TOKEN_DIGITS + 1]) {
    MashText text = text_over(token, PROTO_TOKEN_DIGITS + 1);
    text_hex(&text, table->number, 16);
    text_hex(&text, secret, 16);
}

static void make_token(Table *table, char token[PROTO_TOKEN_DIGITS + 1]) {
    uint64_t secret;
    net_random(table->server->loop, &secret, sizeof secret);
    write_token(table, secret, token);
}

void table_renew_token(Table *table, uint8_t seat) {
    Session *session = table->chairs[seat].session;
    uint8_t bytes[TOKEN_RECORD_BYTES] = {seat};
    uint64_t secret;
    if (!table_is_running(table) || table->days.resting)
        return;
    net_random(table->server->loop, &secret, sizeof secret);
    memcpy(bytes + 1, &secret, sizeof secret);
    records_write(table, RECORD_TOKEN, bytes, sizeof bytes);
    write_token(table, secret, table->chairs[seat].token);
    if (session != NULL && !session->closing)
        session->protocol->joined(session);
}

bool table_replay_token(Table *table, const StoreRecord *record) {
    const uint8_t *bytes = record->bytes;
    uint64_t secret;
    if (record->count != TOKEN_RECORD_BYTES || bytes[0] >= MASH_SEATS)
        return false;
    memcpy(&secret, bytes + 1, sizeof secret);
    write_token(table, secret, table->chairs[bytes[0]].token);
    return true;
}

void table_sit(Table *table, uint8_t seat, Session *session) {
    Chair *chair = &table->chairs[seat];
    assert(!chair->taken);
    chair->taken = true;
    memcpy(chair->name, session->name, sizeof chair->name);
    chair->role = session->role;
    make_token(table, chair->token);
    rated_sit(table, seat, session);
    budget_seat(table, seat, session->account);
    attach(table, seat, session);
}

void table_sit_robot(Table *table, uint8_t seat, uint32_t level) {
    Chair *chair = &table->chairs[seat];
    assert(!chair->taken);
    MashText name = text_over(chair->name, sizeof chair->name);
    text_format(&name, "Computer %u", level);
    chair->taken = true;
    chair->role = PROTO_ROLE_AI;
    chair->robot = level;
    make_token(table, chair->token);
}

void table_reserve(Table *table, uint8_t seat, const char *name, uint64_t named, uint8_t role,
                   const char *token) {
    Chair *chair = &table->chairs[seat];
    assert(!chair->taken);
    MashText text = text_over(chair->name, sizeof chair->name);
    text_string(&text, name);
    chair->taken = true;
    chair->named = named;
    chair->role = role;
    memcpy(chair->token, token, sizeof chair->token);
}

void table_replace_again(Table *table, uint8_t seat, uint32_t level) {
    Chair *chair = &table->chairs[seat];
    MashText name = text_over(chair->name, sizeof chair->name);
    text_format(&name, "Computer %u", level);
    chair->role = PROTO_ROLE_AI;
    chair->gone = chair->player;
    chair->player = 0; /* what the computer does is not the player's */
    chair->named = 0;
    chair->erased = false;
    chair->rating = 0;
    chair->robot = level; /* the token stays: who comes back with it is told what happened */
}

bool table_replace(Table *table, uint8_t seat, uint32_t level) {
    if (!records_write_robot(table, seat, level))
        return false;
    table->leaver = 0;
    table_replace_again(table, seat, level);
    clock_away(&table->clock, server_now_ms(table->server), seat, false);
    budget_seat(table, seat, NULL);
    listing_change(table);
    robot_hire(table);
    protocols_notify(table, (TableNotice){.kind = NOTICE_PLAYERS});
    table_set_timer(table);
    robot_start_due(table);
    return true;
}

bool table_has_identity(const Table *table) {
    return table->chairs[0].identity[0] != '\0' || table->chairs[1].identity[0] != '\0';
}

/* A seat has disconnected or reconnected. The match is paused meanwhile if it waits for the player.
 * True: that has paused or continued the match. */
static bool set_away(Table *table, uint8_t seat, bool away) {
    bool stood = table_is_paused(table);
    if (away)
        clock_set_freezes(&table->clock, seat, table->chairs[seat].identity[0] != '\0');
    clock_away(&table->clock, server_now_ms(table->server), seat, away);
    return table_is_running(table) && stood != table_is_paused(table);
}

void table_return(Table *table, uint8_t seat, Session *session) {
    Session *other = table->chairs[seat].session;
    if (other != NULL) {
        detach(other);
        other->protocol->part(other, table, PART_TAKEN,
                              "This seat was taken over by another connection.");
    }
    attach(table, seat, session);
    budget_seat(table, seat, session->account);
    table->leaver = table->leaver == seat + 1 ? 0 : table->leaver;
    table->chairs[seat].left = false;
    table->chairs[seat].sent |= table->state == PROTO_STATE_OVER;
    table->closes_ms = table->state == PROTO_STATE_WAITING ? 0 : table->closes_ms;
    table->abandoned_ms = 0;
    bool goes_on = set_away(table, seat, false);
    session->protocol->joined(session);
    if (goes_on)
        notify_continued(table, seat, session);
    protocols_notify(table, (TableNotice){.kind = NOTICE_PLAYERS});
    table_set_timer(table);
}

void table_watch(Table *table, Session *session) {
    attach(table, MASH_SEAT_NONE, session);
    session->protocol->joined(session);
}

/* Do all players know how the match ended? */
static bool is_end_known(const Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (chair->robot == 0 && !chair->left && !chair->sent)
            return false;
    }
    return true;
}

/* An empty table is closed; one to which a player may return, to play or to see the result, stays a
 * while. */
static void close_if_deserted(Table *table, bool lost) {
    const ServerSetup *setup = &table->server->setup;
    if (!table_deserted(table))
        return;
    if (table->state == PROTO_STATE_OVER && table->watchers == NULL && is_end_known(table)) {
        table_close(table, "All players have left.");
    } else if (table->state == PROTO_STATE_WAITING &&
               (!lost || (table->config.quick && !days_is(table)) || table_has_identity(table))) {
        table_close(table, "The host has left.");
    } else if (table->state == PROTO_STATE_WAITING && table->closes_ms == 0) {
        table->closes_ms = server_now_ms(table->server) +
                           (days_is(table) ? (uint64_t)DAYS_WAITING_MS : setup->waiting_ms);
        table_set_timer(table);
    } else if (days_is(table)) {
        days_deserted(table);
    }
}

/* A match that all players have left ends after a while, however long it would wait for each. */
static void note_abandoned(Table *table) {
    uint32_t after_ms = table->server->setup.abandoned_ms;
    if (table_is_running(table) && table_deserted(table) && after_ms > 0 && !days_is(table))
        table->abandoned_ms = server_now_ms(table->server) + after_ms;
}

/* The seat that loses when all have left: the one for which the match waits; if it waits for both
 * or neither, the one that has been away longer, and then the one that has used more time. */
static uint8_t deserter(const Table *table) {
    const ClockSeat *seats = table->clock.seats;
    if (table->chairs[0].robot > 0 || table->chairs[1].robot > 0)
        return table->chairs[0].robot > 0 ? 1 : 0;
    if (table->leaver > 0)
        return (uint8_t)(table->leaver - 1);
    if (seats[0].awaited != seats[1].awaited)
        return seats[0].awaited ? 0 : 1;
    if (seats[0].gone_ms != seats[1].gone_ms)
        return seats[0].gone_ms > seats[1].gone_ms ? 0 : 1;
    return seats[0].used_ms >= seats[1].used_ms ? 0 : 1;
}

/* Nobody has reconnected. A pause lasts to its end. */
static void end_abandoned(Table *table) {
    uint64_t now_ms = server_now_ms(table->server);
    table->abandoned_ms = 0;
    if (!table_is_running(table) || !table_deserted(table))
        return;
    if (table->clock.paused)
        note_abandoned(table);
    else if (actions_apply_as_server(table, MASH_VERB_FORFEIT, deserter(table), MASH_REASON_LEFT))
        table->server->stats.abandoned++;
    else
        table->abandoned_ms = now_ms + OWED_MS;
}

void table_leave(Session *session, bool lost) {
    Table *table = session->table;
    uint8_t seat = session->seat;
    lost |= days_is(table) && table_is_running(table); /* it goes on without anybody */
    detach(session);
    if (seat < MASH_SEATS) {
        table->chairs[seat].wants_rematch = false;
        table->chairs[seat].left = !lost;
        if (table_is_running(table) && !lost)
            actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_LEFT);
        if (table_is_running(table) && set_away(table, seat, true))
            notify_paused(table, seat, table->config.clocks.grace_ms);
        note_abandoned(table);
        protocols_notify(table, (TableNotice){.kind = NOTICE_PLAYERS});
    }
    table_set_timer(table);
    close_if_deserted(table, lost);
}

/* --- The match -------------------------------------------------------------------------------- */

/* Starts the times of the match, or continues them after a server restart: then all players have
 * time to reconnect before any time runs out. */
static void begin_clocks(Table *table, uint64_t played_ms, bool after_restart) {
    const MashContent *content = table->match.content;
    uint32_t return_ms = table->server->setup.return_ms;
    uint32_t awaited = content->game->awaited(content, table->match.state);
    uint64_t now_ms = server_now_ms(table->server);
    clock_begin(&table->clock, now_ms, played_ms);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        clock_set_freezes(&table->clock, seat, chair->identity[0] != '\0');
        bool away = chair->session == NULL && chair->robot == 0;
        if (away && after_restart && !days_is(table))
            clock_await_return(&table->clock, now_ms, seat, return_ms);
        else
            clock_away(&table->clock, now_ms, seat, away);
    }
    protocols_clocks(table);
    clock_await(&table->clock, now_ms, awaited, true);
    if (!after_restart)
        days_begun(table, awaited);
    table->state = PROTO_STATE_RUNNING;
    table->closes_ms = 0;
    listing_change(table);
    note_abandoned(table);
    days_changed(table);
    days_deserted(table);
    table_set_timer(table);
    robot_hire(table);
    robot_start_due(table);
}

bool table_begin(Table *table) {
    MashSeed seed;
    net_random(table->server->loop, &seed, sizeof seed);
    return table_begin_with(table, table->begun == NULL ? seed : table->begun->seed);
}

bool table_begin_with(Table *table, MashSeed seed) {
    Server *server = table->server;
    const MashContent *content = table->config.content->content;
    MashSetup setup = {table->config.options, content->game->options_count};
    rated_begin(table);
    table->memory = aligned_alloc(64, (match_bytes(content) + 63) / 64 * 64);
    table->started_ms = net_wall_clock_ms(server->loop);
    bool begun = table->memory != NULL &&
                 match_begin(&table->match, content, seed, &setup, table->memory) == MASH_OK &&
                 (table->begun == NULL || begun_apply(table->begun, &table->match)) &&
                 records_write_begin(table);
    if (!begun) {
        server_log(server, LOG_WARNING, "cannot start the match at table %s", table->code);
        table_close(table, "The match couldn't start. The server may be full.");
        return false;
    }
    lobby_unclaim(table);
    table->chairs[0].number = table->chairs[1].number = 1;
    table->watchers_number = table->blind_number = 1;
    server->stats.matches_begun++;
    budget_match(table);
    server_log(server, LOG_INFO, "match %s (%s) started: %s (%s) vs %s (%s)", table->code,
               content->game->id, table->chairs[0].name,
               choice_id(PROTO_ROLES_LIST, table->chairs[0].role), table->chairs[1].name,
               choice_id(PROTO_ROLES_LIST, table->chairs[1].role));
    begin_clocks(table, 0, false);
    for (Session *watcher = table->watchers; watcher != NULL; watcher = watcher->next)
        watcher->blind = is_blind(table, watcher);
    for (Session *session = table_session_after(table, NULL), *next; session != NULL;
         session = next) {
        next = table_session_after(table, session);
        session->protocol->joined(session);
    }
    return true;
}

void table_wait(Table *table) {
    const ServerSetup *setup = &table->server->setup;
    uint64_t waits_ms = days_is(table)        ? (uint64_t)DAYS_WAITING_MS
                        : table->config.quick ? setup->clocks.grace_ms
                                              : setup->waiting_ms;
    table->closes_ms = server_now_ms(table->server) + waits_ms;
    table_set_timer(table);
}

void table_resume(Table *table, uint64_t played_ms) { begin_clocks(table, played_ms, true); }

void table_linger(Table *table) {
    table->state = PROTO_STATE_OVER;
    listing_change(table);
    robot_dismiss(table);
    table->closes_ms = server_now_ms(table->server) + table->server->setup.linger_ms;
    if (!rated_count(table))
        records_finish(table);
    table_set_timer(table);
}

void table_finish(Table *table) {
    Server *server = table->server;
    MashResult result = match_result(&table->match);
    char memory[PROTO_NOTATION_MAX + 1];
    MashText why = text_over(memory, sizeof memory);
    table->match.content->game->name(table->match.content, NULL, MASH_NAME_REASON, result.reason,
                                     &why);
    server_log(server, LOG_INFO, "match %s (%s) ended after %u actions: %s won: %s", table->code,
               table->match.content->game->id, table->match.actions_count,
               result.winner < MASH_SEATS ? table->chairs[result.winner].name : "nobody", memory);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        table->chairs[seat].sent =
            table->chairs[seat].session != NULL || table->chairs[seat].identity[0] != '\0';
    server->stats.matches_over++;
    contest_match_over(table); /* before the match leaves the journal */
    if (table->config.leg == 1)
        table->second_ms = server_now_ms(server) + SECOND_MS;
    bool robot = table->chairs[0].robot > 0 || table->chairs[1].robot > 0;
    budget_match_over(table, records_player_actions(table) < (robot ? ROBOT_ACTIONS : 1));
    table_linger(table);
    protocols_notify(table, (TableNotice){.kind = NOTICE_FINISHED});
    close_if_deserted(table, false);
}

/* --- Pause ------------------------------------------------------------------------------------ */

bool table_may_pause(const Table *table, uint8_t seat) {
    uint32_t most = table->server->setup.pauses;
    return most == SERVER_PAUSES_ANY || table->chairs[seat].pauses < most;
}

bool table_pause_in_rate(Table *table, uint8_t seat) {
    enum { PAUSE = 20, CELLS = 512 }; /* seconds per pause, more on a huge board */
    static const NetRate rate = {.per_second = 1, .burst = 30 * PAUSE};
    const MashLimits *terms = &table->config.content->content->limits;
    return table->server->setup.request_rate.per_second == 0 ||
           token_bucket_take(&table->chairs[seat].pausing, rate, net_now_ms(table->server->loop),
                             PAUSE + (uint32_t)terms->width * terms->height / CELLS);
}

void table_pause(Table *table, uint8_t seat) {
    bool stood = table_is_paused(table);
    clock_pause(&table->clock, server_now_ms(table->server), true);
    table->paused_by = seat;
    table->chairs[seat].pauses++;
    if (!stood)
        notify_paused(table, seat, table->config.clocks.pause_ms);
    table_set_timer(table);
}

void table_continue(Table *table, uint8_t seat) {
    clock_pause(&table->clock, server_now_ms(table->server), false);
    if (!table_is_paused(table))
        notify_continued(table, seat, NULL);
    table_set_timer(table);
}

/* --- The clock -------------------------------------------------------------------------------- */

/* The store accepted nothing: events that are reported only once are tried again. */
static void retry_later(Table *table, ClockNext what) {
    table->retry_due = what;
    table->retry_at_ms = server_now_ms(table->server) + OWED_MS;
}

/* A silence limit is due: time in which the seat was still reading what it had been sent does not
 * count. */
static bool excuse_silence(Table *table, uint8_t seat) {
    Chair *chair = &table->chairs[seat];
    if (chair->unread_ms == 0)
        return false;
    chair->unread_ms =
        clock_excuse(&table->clock, server_now_ms(table->server), seat, chair->unread_ms);
    return true;
}

/* A seat did not come back. The other one chooses what becomes of the match, if its client can and
 * the match counts for nobody else; otherwise, or if it is gone as well, the one who was gone first
 * loses. */
static void end_grace(Table *table, ClockNext next) {
    uint8_t seat = table->leaver > 0 ? (uint8_t)(table->leaver - 1) : next.seat;
    const Session *other = table->chairs[1 - next.seat].session;
    if (table->chairs[next.seat].session != NULL)
        return;
    bool free = table->config.tournament == 0 && !table->config.rated && !table_has_identity(table);
    if (other != NULL && other->chooses && table->leaver == 0 && free) {
        table->leaver = (uint8_t)(next.seat + 1);
        protocols_notify(table, (TableNotice){.kind = NOTICE_LEAVER, .seat = next.seat});
    } else if (!actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_LEFT)) {
        retry_later(table, next);
    }
}

/* Handles one event that is due. */
static void run_due(Table *table, ClockNext next) {
    bool silent = next.due == CLOCK_SILENCE_WARNING || next.due == CLOCK_SILENCE_OVER;
    if (silent && excuse_silence(table, next.seat))
        return;
    protocols_notify(table, (TableNotice){NOTICE_DUE, next.seat, next.due, next.left_ms, NULL});
    switch (next.due) {
    case CLOCK_TURN_WARNING:
        robot_stop_early(table->server, table);
        break;
    case CLOCK_SILENCE_WARNING:
    case CLOCK_MATCH_WARNING:
        break;
    case CLOCK_TURN_OVER:
        if (days_is(table))
            days_turn_over(table, next.seat);
        else
            actions_apply_as_server(table, MASH_VERB_TIME_OVER, next.seat, 0);
        break;
    case CLOCK_SILENCE_OVER:
        actions_apply_as_server(table, MASH_VERB_FORFEIT, next.seat, MASH_REASON_SILENT);
        break;
    case CLOCK_GRACE_OVER:
        end_grace(table, next);
        break;
    case CLOCK_BANK_OVER:
        if (!actions_apply_as_server(table, MASH_VERB_FORFEIT, next.seat, MASH_REASON_TIME_OVER))
            retry_later(table, next);
        break;
    case CLOCK_MATCH_OVER:
        if (!actions_apply_as_server(table, MASH_VERB_OVERTIME, 0, 0))
            retry_later(table, next);
        break;
    default:
        table_continue(table, MASH_SEAT_NONE);
    }
}

void table_set_timer(Table *table) {
    uint64_t now_ms = server_now_ms(table->server);
    uint64_t in_ms = clock_next(&table->clock, now_ms).in_ms;
    uint64_t others[] = {table->closes_ms,    table->robot_retry_ms, table->retry_at_ms,
                         table->second_ms,    table->abandoned_ms,   table->days.rest_ms,
                         table->robot_stop_ms};
    for (uint32_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint64_t other_ms = others[i] > now_ms ? others[i] - now_ms : 0;
        if (others[i] != 0 && other_ms < in_ms)
            in_ms = other_ms;
    }
    if (in_ms == UINT64_MAX || table->closed) {
        net_timer_stop(table->timer);
        table->timer_ms = 0;
    } else if (table->timer_ms == 0 || table->timer_ms > now_ms + in_ms) {
        net_timer_start(table->timer, in_ms);
        table->timer_ms = now_ms + in_ms;
    }
}

static bool begin_second(Table *table);

void table_tick(Table *table) {
    uint64_t now_ms = server_now_ms(table->server);
    if (table->server->draining || table->server->failed || days_is_held(table))
        return;
    for (;;) {
        ClockNext next = clock_pop_due(&table->clock, now_ms);
        if (next.due == CLOCK_NOTHING)
            break;
        run_due(table, next);
    }
    if (table->retry_at_ms != 0 && table->retry_at_ms <= now_ms) {
        table->retry_at_ms = 0;
        if (table_is_running(table))
            run_due(table, table->retry_due);
    }
    if (table->abandoned_ms != 0 && table->abandoned_ms <= now_ms)
        end_abandoned(table);
    if (table->robot_retry_ms != 0 && table->robot_retry_ms <= now_ms)
        robot_start_due(table);
    if (table->robot_stop_ms != 0 && table->robot_stop_ms <= now_ms) {
        table->robot_stop_ms = 0;
        robot_stop_early(table->server, table);
    }
    if (table->days.rest_ms != 0 && table->days.rest_ms <= now_ms)
        days_rest(table);
    if (table->second_ms != 0 && table->second_ms <= now_ms && begin_second(table))
        return;
    if (table->closes_ms != 0 && table->closes_ms <= now_ms)
        table_close(table,
                    table->state == PROTO_STATE_WAITING ? "Nobody joined." : "The match is over.");
    else
        table_set_timer(table);
}

/* --- Another match ---------------------------------------------------------------------------- */

/* Moves everybody to the new table with swapped seats. */
static void move_players(Table *from, Table *to) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        Session *session = from->chairs[seat].session;
        uint8_t other = (uint8_t)(1 - seat);
        if (session == NULL) {
            table_sit_robot(to, other, from->chairs[seat].robot);
            continue;
        }
        detach(session);
        table_sit(to, other, session);
    }
    while (from->watchers != NULL) {
        Session *session = from->watchers;
        detach(session);
        attach(to, MASH_SEAT_NONE, session);
    }
}

/* Is there room on the disk, and do the budgets of both players' addresses allow another match
 * today? False: see the reason. */
static bool may_begin_again(const Table *table, MashText *reason) {
    if (server_is_low(table->server)) {
        text_string(reason, SERVER_LOW);
        return false;
    }
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].account != NULL &&
            (!budget_may_begin(table->server, table->chairs[seat].account, reason) ||
             (table->chairs[1 - seat].robot > 0 &&
              !robot_may_play(table->server, table->chairs[seat].account,
                              table->chairs[1 - seat].robot, reason))))
            return false;
    return true;
}

/* The configuration of the next match: a second match knows who won the first. */
static TableConfig next_setting(const Table *table) {
    TableConfig config = table->config;
    uint8_t winner = match_result(&table->match).winner;
    bool second = config.leg == 1;
    config.leg = second ? 2 : config.leg == 2 ? 1 : 0;
    config.first_winner =
        second && winner < MASH_SEATS ? (uint8_t)(1 - winner) : (uint8_t)MASH_SEAT_NONE;
    return config;
}

/* Starts another match with swapped seats and closes this table. False: see the reason, which is
 * empty if the server is full. */
static bool begin_next(Table *table, MashText *reason) {
    TableConfig config = next_setting(table);
    Table *next = table->server->closing || !may_begin_again(table, reason)
                      ? NULL
                      : table_open(table->server, &config);
    if (next == NULL)
        return false;
    if (table->begun != NULL && (next->begun = begun_copy(table->begun)) == NULL) {
        table_close(next, "The server is full.");
        return false;
    }
    move_players(table, next);
    table_close(table, "A rematch has started.");
    table_begin(next);
    return true;
}

bool table_rematch(Table *table, uint8_t seat, MashText *reason) {
    Chair *chairs = table->chairs;
    chairs[seat].wants_rematch = true;
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        if (!chairs[i].wants_rematch && chairs[i].robot == 0) {
            protocols_notify(table, (TableNotice){.kind = NOTICE_REMATCH, .seat = seat});
            return true;
        }
    if (begin_next(table, reason))
        return true;
    chairs[0].wants_rematch = chairs[1].wants_rematch = false;
    return false;
}

/* The second of two matches is due. True: it has begun, and this table is gone. It waits for a
 * disconnected player, and never begins once a player has left. */
static bool begin_second(Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (chair->left) {
            table->second_ms = 0;
            return false;
        }
        if (chair->session == NULL && chair->robot == 0) {
            table->second_ms = server_now_ms(table->server) + SECOND_AGAIN_MS;
            return false;
        }
    }
    char memory[PROTO_SENTENCE_MAX + 1];
    MashText reason = text_over(memory, sizeof memory);
    table->second_ms = 0;
    return begin_next(table, &reason);
}
