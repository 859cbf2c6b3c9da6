/* outbox.c -- see outbox.h: messages about a match wait until the store has made it durable.
 *
 * One queue for the whole server, in the order of the tickets. If nothing of a table waits, its
 * messages are sent immediately. A session that joins a table while something waits gets only what
 * is queued after that. Nothing is sent while a shared store is not sure that the match is still
 * ours (store_may_tell()): it waits in the same queue.
 *
 * When so many actions become durable together that the number of writes matters, a seat that is
 * not to act gets its messages in batches; otherwise nobody waits. */
#include <stdlib.h>

#include "server/admin.h"
#include "server/contest.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/outbox.h"
#include "server/protocol.h"
#include "server/records.h"

/* This many actions in one group of the store mean load. */
enum { CROWD = 64 };

/* Sends to a session of the protocol that was at the table when the message was queued. */
static void deliver_to(const Outgoing *message, Session *session) {
    if (session == NULL || session->joined_at > message->number ||
        session->protocol != message->protocol)
        return;
    if (message->frame == NULL) {
        session_fault(session);
        return;
    }
    if (message->whom == OUTGOING_IDLE_SEAT && session->server->under_load)
        net_send_batched(session->connection, message->frame);
    else
        net_send(session->connection, message->frame);
}

/* Sends to spectators of one form, or to all. */
static void deliver_to_watchers(const Outgoing *message) {
    bool any = message->whom == OUTGOING_ALL;
    for (Session *session = message->table->watchers; session != NULL; session = session->next)
        if (any || session_form(session) + (session->blind ? POSITION_FORMS : 0U) == message->which)
            deliver_to(message, session);
}

/* Sends to the recipients that are still there. */
static void deliver(const Outgoing *message) {
    Table *table = message->table;
    switch (message->whom) {
    case OUTGOING_SEAT:
    case OUTGOING_IDLE_SEAT:
        deliver_to(message, table->chairs[message->which].session);
        break;
    case OUTGOING_WATCHERS:
        deliver_to_watchers(message);
        break;
    case OUTGOING_ALL:
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
            deliver_to(message, table->chairs[seat].session);
        deliver_to_watchers(message);
        break;
    case OUTGOING_SESSION:
        deliver_to(message, message->session);
        break;
    case OUTGOING_THEN_CLOSE:
        deliver_to(message, message->session);
        if (message->session != NULL)
            net_close(message->session->connection, (uint16_t)(NET_CLOSE_NORMAL + message->which),
                      "goodbye");
        break;
    case OUTGOING_END:
        table_finish(table);
        break;
    case OUTGOING_TURNS:
        if (table->days.changed && !table->closed)
            days_changed(table);
        break;
    }
}

/* Is it for the table itself? */
static bool is_call(const Outgoing *message) {
    return message->whom == OUTGOING_END || message->whom == OUTGOING_TURNS;
}

/* Delivers it now, or queues it behind the last record of its match. */
static void enqueue(Outgoing message) {
    Table *table = message.table;
    Server *server = table->server;
    message.ticket = table->ticket;
    message.number = ++server->queued;
    if ((message.frame == NULL && !is_call(&message)) ||
        (table->queued == 0 && table->ticket <= server->durable_ticket &&
         store_may_tell(server->store))) {
        deliver(&message);
        net_frame_release(message.frame);
        return;
    }
    Outgoing *waiting = malloc(sizeof *waiting);
    if (waiting == NULL) {
        /* Nothing may be sent out of order, so this one is never sent: its recipients are
         * disconnected and reconnect. */
        server_log(server, LOG_ERROR, "out of memory for a message to table %s", table->code);
        net_frame_release(message.frame);
        return;
    }
    *waiting = message;
    if (server->last == NULL)
        server->first = waiting;
    else
        server->last->next = waiting;
    server->last = waiting;
    table->queued++;
    if (message.session != NULL)
        message.session->queued++;
}

void outbox_send(Session *session, NetFrame *frame) {
    enqueue((Outgoing){.whom = OUTGOING_SESSION,
                       .table = session->table,
                       .session = session,
                       .protocol = session->protocol,
                       .frame = frame});
}

void outbox_send_last(Session *session, NetFrame *frame, uint16_t code) {
    enqueue((Outgoing){.whom = OUTGOING_THEN_CLOSE,
                       .which = (uint8_t)(code - NET_CLOSE_NORMAL),
                       .table = session->table,
                       .session = session,
                       .protocol = session->protocol,
                       .frame = frame});
}

void outbox_send_group(Table *table, const ServerProtocol *protocol, OutgoingTarget whom,
                       uint8_t which, NetFrame *frame) {
    enqueue((Outgoing){
        .whom = whom, .which = which, .table = table, .protocol = protocol, .frame = frame});
}

void outbox_send_end(Table *table) { enqueue((Outgoing){.whom = OUTGOING_END, .table = table}); }

void outbox_send_turns(Table *table) {
    enqueue((Outgoing){.whom = OUTGOING_TURNS, .table = table});
}

/* Removes the first message. */
static Outgoing *shift(Server *server) {
    Outgoing *message = server->first;
    server->first = message->next;
    if (server->first == NULL)
        server->last = NULL;
    if (message->session != NULL)
        message->session->queued--;
    return message;
}

void outbox_flush(Server *server) {
    if (server->setup.store.single_threaded)
        store_step(server->store);
    StoreProgress done = store_progress(server->store);
    server->under_load = done.appended - server->durable_ticket >= CROWD;
    server->durable_ticket = done.appended;
    bool may_tell = store_may_tell(server->store);
    while (may_tell && server->first != NULL && server->first->ticket <= done.appended) {
        Outgoing *message = shift(server);
        Table *table = message->table;
        deliver(message);
        net_frame_release(message->frame);
        free(message);
        table->queued--;
        table_free_if_idle(table);
    }
    contest_flush(server);
    days_flush(server);
    if (done.arrived > server->arrived) {
        server->arrived = done.arrived;
        records_recover(server);
    }
    if (done.shared > server->shared) {
        server->shared = done.shared;
        admin_take_shared(server);
        usage_take_shared(server);
        contests_take_shared(server);
        neighbours_take_shared(server);
    }
    if (done.handed_over && server->handing_over)
        server_handed_over(server);
    if (done.failure != NULL && !server->failed) {
        server->failed = true;
        server_log(server, LOG_ERROR, "the store has failed: %s", done.failure);
        if (server->setup.stopped != NULL)
            server->setup.stopped(server->setup.owner, true);
    }
}

bool server_is_low(Server *server) {
    bool low = store_progress(server->store).low;
    server->stats.low_refusals += low;
    return low;
}

void server_poll_store(Server *server) {
    if (server->setup.store.single_threaded)
        net_wakeup_signal(server->wakeup);
}

void outbox_forget(Server *server, Session *session) {
    for (Outgoing *i = server->first; i != NULL && session->queued > 0; i = i->next)
        if (i->session == session) {
            i->session = NULL;
            session->queued--;
        }
}

void outbox_clear(Server *server) {
    while (server->first != NULL) {
        Outgoing *message = shift(server);
        Table *table = message->table;
        net_frame_release(message->frame);
        free(message);
        table->queued--;
        table_free_if_idle(table);
    }
}
