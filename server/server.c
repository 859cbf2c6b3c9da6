/* server.c -- see server.h: opening, callbacks of net, closing. */
#include "server/server.h"

#include <stdlib.h>
#include <string.h>

#include "server/admin.h"
#include "server/arena.h"
#include "server/contest.h"
#include "server/http_api.h"
#include "server/internal.h"
#include "server/limits.h"
#include "server/loaded_content.h"
#include "server/outbox.h"
#include "server/people.h"
#include "server/protocol.h"
#include "server/rated.h"
#include "server/records.h"
#include "server/robot.h"

enum {
    AI_JOBS_WAITING_MAX = 10000,
    REPORT_BYTES = 512,
    DAY_MS = 86400000,
    PRUNE_MS = 60000,
    HAND_OVER_MS = 2000
};

/* --- Memory ----------------------------------------------------------------------------------- */

void *scratch_take(Scratch *scratch, size_t bytes) {
    if (bytes <= scratch->count && scratch->bytes != NULL)
        return scratch->bytes;
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    void *grown = aligned_alloc(64, rounded);
    if (grown == NULL)
        return NULL;
    free(scratch->bytes);
    scratch->bytes = grown;
    scratch->count = rounded;
    return grown;
}

bool server_write_text(Server *server, MashText *text, void (*write)(void *what, MashText *text),
                       void *what) {
    size_t bytes = server->text.count > 0 ? server->text.count : 1 << 16;
    for (; bytes <= SERVER_TEXT_BYTES_MAX; bytes *= 2) {
        char *memory = scratch_take(&server->text, bytes);
        if (memory == NULL)
            break;
        *text = text_over(memory, (uint32_t)bytes);
        write(what, text);
        if (!text->truncated)
            return true;
    }
    server_log(server, LOG_ERROR, "dropped a message of more than %u bytes", (unsigned)(bytes / 2));
    return false;
}

void server_fault(Server *server, const char *what) {
    server->stats.faults++;
    server_log(server, LOG_ERROR, "fault: a value of %s does not fit; it was not sent", what);
}

/* Writes a message into its frame. */
static void write_message(void *what, MashText *text) { message_write(what, text); }

NetFrame *server_frame(Server *server, const Message *message) {
    Message copy = *message;
    MashText text;
    if (!message_fits(message)) {
        server_fault(server, message_type(message->kind));
        return NULL;
    }
    if (!server_write_text(server, &text, write_message, &copy))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

/* --- Stalls ----------------------------------------------------------------------------------- */

/* While there are tables a timer calls the server this often; a call that is later than that by
 * this much reveals a stall. */
enum { BEAT_MS = 250, STALL_MS = 100 };

uint64_t server_now_ms(Server *server) {
    uint64_t now_ms = net_now_ms(server->loop);
    if (!server->beating)
        return now_ms - server->stalled_ms;
    uint64_t passed_ms = now_ms - server->awake_ms, frozen_ms = store_frozen_ms(server->store);
    bool late = passed_ms > BEAT_MS + STALL_MS;
    server->stats.stalls += late;
    server->owed_ms += frozen_ms - server->frozen_ms;
    server->frozen_ms = frozen_ms;
    /* Time never runs backwards: what is owed beyond what has passed follows later. */
    uint64_t given_ms = server->owed_ms < passed_ms ? server->owed_ms : passed_ms;
    server->owed_ms -= given_ms;
    if (late && given_ms < passed_ms - BEAT_MS)
        given_ms = passed_ms - BEAT_MS;
    server->stalled_ms += given_ms;
    server->awake_ms = now_ms;
    return now_ms - server->stalled_ms;
}

/* Repeats while there are tables, to detect stalls of the process. */
static void beat(void *owner) {
    Server *server = owner;
    server_now_ms(server);
    server->beating = server->tables_count > 0;
    if (server->beating)
        net_timer_start(server->beat, BEAT_MS);
}

void server_watch_stalls(Server *server) {
    if (server->beating)
        return;
    if (server->beat == NULL)
        server->beat = net_timer_open(server->loop, beat, server);
    if (server->beat == NULL)
        return; /* no memory: stalls are not detected */
    server->beating = true;
    server->awake_ms = net_now_ms(server->loop);
    server->frozen_ms = store_frozen_ms(server->store);
    server->owed_ms = 0;
    net_timer_start(server->beat, BEAT_MS);
}

/* --- Callbacks of net ------------------------------------------------------------------------- */

/* A WebSocket opens: is it accepted, and by which protocol? */
static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    Server *server = owner;
    if (server->draining)
        return 503;
    if (admin_ban(server, BAN_ENTRY, request->address) != NULL)
        return 403;
    Session *session = session_open(server, connection);
    if (session == NULL)
        return 503;
    MashText address = text_over(session->address, sizeof session->address);
    text_string(&address, request->address);
    session->account = account_enter(server, request->address);
    if (session->account == NULL) {
        session_close(session);
        return 503;
    }
    net_set_owner(connection, session);
    uint16_t status = protocols_accept(session, request);
    if (status == NET_ACCEPT)
        session_log(session, "connected");
    else
        session_close(session);
    return status;
}

/* A text message arrived: passes it to its session, within its budget. */
static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    (void)owner;
    Session *session = net_owner(connection);
    if (budget_receive(session, count) && !relay_takes(session, bytes, count))
        session->protocol->receive(session, bytes, count);
}

/* A binary message: the protocol of the session decides. */
static void on_binary(void *owner, NetConnection *connection) {
    (void)owner;
    Session *session = net_owner(connection);
    if (budget_receive(session, 0))
        session->protocol->receive(session, NULL, 0);
}

/* A connection is gone. */
static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)owner;
    Session *session = net_owner(connection);
    session_log(session, "disconnected: %u %s", code, reason);
    if (session->protocol->closed != NULL)
        session->protocol->closed(session, code);
    relay_end(session, code);
    session_close(session);
}

/* Plain HTTP. */
static void on_request(void *owner, const NetRequest *request, NetReply *reply) {
    const Ban *ban = admin_ban(owner, BAN_ENTRY, request->address);
    if (ban == NULL) {
        http_api_reply(owner, request, reply);
        return;
    }
    char memory[REPORT_BYTES];
    MashText text = text_over(memory, sizeof memory);
    admin_write_ban(ban, &text);
    text_byte(&text, '\n');
    net_reply(reply, 403, NULL, text.bytes, text.count);
}

/* The store has made progress: sends the messages that waited for it. */
static void on_store_wakeup(void *owner) { outbox_flush(owner); }

/* In a thread of the store. */
static void on_store_progress(void *owner) {
    const Server *server = owner;
    net_wakeup_signal(server->wakeup);
}

/* Logs a report of the store. */
static void on_store_report(void *owner, const char *sentence) {
    server_log(owner, LOG_WARNING, "store: %s", sentence);
}

/* --- Pruning ---------------------------------------------------------------------------------- */

/* Lets the store remove matches that are too old or too many, now and every minute from now on. The
 * date is computed from the opening date and the loop's clock, so that a jump of the wall clock
 * removes nothing. */
static void prune(void *owner) {
    Server *server = owner;
    uint64_t age_ms = (uint64_t)server->setup.keep_days * DAY_MS;
    uint64_t now_ms = server->opened_date_ms + net_now_ms(server->loop) - server->opened_ms;
    StorePrune what = {.bytes_max = (uint64_t)server->setup.archive_megabytes << 20};
    if (age_ms > 0 && age_ms < now_ms)
        what.before_ms = now_ms - age_ms;
    if (what.before_ms > 0 || what.bytes_max > 0) {
        store_prune(server->store, &what);
        server_poll_store(server);
    }
    net_timer_start(server->prune_timer, PRUNE_MS);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

void server_add_protocol(ServerSetup *setup, const ServerProtocol *protocol, const void *config) {
    ServerProtocolSetup *place = setup->protocols;
    while (place->protocol != NULL)
        place++;
    assert(place < setup->protocols + SERVER_PROTOCOLS_MAX);
    *place = (ServerProtocolSetup){protocol, config};
}

ServerSetup server_setup(const char *place) {
    ServerSetup setup = {.address = "0.0.0.0",
                         .port = 1218,
                         .store = store_setup(place),
                         .limits = net_limits(),
                         .clocks = {.turn_ms = 300000, .pause_ms = 300000, .grace_ms = 60000},
                         .matches_max = 10000,
                         .tournaments_max = 200,
                         .protocols = {{&arena_protocol, NULL}},
                         .budgets = budget_usual(),
                         .request_rate = {.per_second = 5, .burst = 40},
                         .strikes = 2,
                         .pauses = SERVER_PAUSES_ANY,
                         .threads = 1,
                         .robot_threads = 1,
                         .waiting_ms = 600000,
                         .linger_ms = 600000,
                         .abandoned_ms = 300000,
                         .return_ms = 60000,
                         .rest_ms = 10000,
                         .days_return_ms = 3600000,
                         .log_level = LOG_INFO};
    setup.bounds.least = (ClockLimits){.turn_ms = 1000, .match_ms = 1000, .silence_ms = 1000};
    setup.bounds.most = (ClockLimits){.turn_ms = 3600000, .pause_ms = 1800000, .grace_ms = 600000};
    /* The start on a board of 100 x 100, each rock in a separate frame, and some actions. */
    setup.limits.queue_frames_max = 16384;
    setup.limits.queue_bytes_max = 6 << 20;
    /* A program that is answered immediately sends a few hundred messages per second. */
    setup.limits.socket_frames = (NetRate){.per_second = 400, .burst = 2000};
    return setup;
}

/* Everything but the listening socket. */
static bool open_parts(Server *server, MashText *problem) {
    StoreSetup store = server->setup.store;
    store.notify = on_store_progress;
    store.report = on_store_report;
    store.owner = server;
    server->buckets_count = server->setup.matches_max * 2 + 1;
    server->buckets = calloc(server->buckets_count, sizeof *server->buckets);
    server->nodes = malloc(MESSAGE_NODES_MAX * sizeof *server->nodes);
    server->pool = malloc(MESSAGE_POOL_BYTES);
    server->wakeup = net_wakeup_open(server->loop, on_store_wakeup, server);
    server->prune_timer = net_timer_open(server->loop, prune, server);
    server->thread_pool =
        net_thread_pool_open(server->loop, server->setup.threads, AI_JOBS_WAITING_MAX);
    if (server->buckets == NULL || server->nodes == NULL || server->pool == NULL ||
        server->wakeup == NULL || server->thread_pool == NULL || server->prune_timer == NULL ||
        !accounts_open(server) || !reader_open(server) || !player_jobs_open(server) ||
        !notices_open(server)) {
        text_string(problem, "out of memory");
        return false;
    }
    if (!contents_open(server, problem) || !protocols_open(server, problem))
        return false;
    server->store = store_open(&store, problem);
    if (server->store != NULL)
        neighbours_open(server);
    return server->store != NULL;
}

/* Limits the sockets to what the limit of open files allows: the store needs descriptors too. If
 * that lowers the limit, one address may have half of it, unless it may have all. */
static void fit_sockets(Server *server) {
    NetLimits *limits = &server->setup.limits;
    uint32_t wanted = limits->sockets_max, fit = net_sockets_fit(wanted), half = fit / 2;
    uint32_t websockets = fit - fit / 8;
    if (fit >= wanted)
        return;
    bool alone = limits->address_sockets_max >= wanted;
    limits->sockets_max = fit;
    if (limits->websockets_max > websockets)
        limits->websockets_max = server->sockets_left = websockets;
    if (limits->address_sockets_max > half)
        limits->address_sockets_max = alone ? fit : half;
    server_log(
        server, LOG_WARNING,
        "the system allows too few open files for %u sockets: there will be %u, %u of them at "
        "the arena, %u of one address; raise LimitNOFILE or ulimit -n",
        wanted, fit, limits->websockets_max, limits->address_sockets_max);
}

/* Opens the listening socket. */
static bool listen_at(Server *server, MashText *problem) {
    uint32_t hosts_count = server->setup.hosts_count;
    for (uint32_t i = 0; i < hosts_count; i++)
        server->hosts[i] = server->setup.hosts[i];
    if (server->setup.origin != NULL)
        server->hosts[hosts_count++] = server->setup.origin;
    NetServerSetup setup = {.address = server->setup.address,
                            .port = server->setup.port,
                            .calls = {on_open, on_message, on_binary, on_close, on_request},
                            .owner = server,
                            .files = server->setup.files,
                            .files_count = server->setup.files_count,
                            .behind_proxy = server->setup.behind_proxy,
                            .hosts = server->hosts,
                            .hosts_count = hosts_count,
                            .headers = "Referrer-Policy: no-referrer\r\n"
                                       "Content-Security-Policy: default-src 'self'; script-src "
                                       "'self' 'wasm-unsafe-eval'; style-src-attr 'unsafe-inline'; "
                                       "img-src 'self' data: blob:; object-src 'none'; base-uri "
                                       "'none'; frame-ancestors 'none'\r\n",
                            .limits = server->setup.limits};
    server->net = net_server_open(server->loop, &setup, problem);
    return server->net != NULL;
}

Server *server_open(NetLoop *loop, const ServerSetup *setup, MashText *problem) {
    Server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        text_string(problem, "out of memory");
        return NULL;
    }
    server->setup = *setup;
    server->loop = loop;
    server->matches_left = setup->matches_max;
    server->sockets_left = setup->limits.websockets_max;
    limits_load(server);
    if (!open_parts(server, problem)) {
        server_close(server);
        return NULL;
    }
    erased_open(server);
    records_recover(server);
    days_open(server);
    erased_start(server);
    server->opened_date_ms = net_wall_clock_ms(loop);
    server->opened_ms = net_now_ms(loop);
    prune(server);
    admin_open(server);
    fit_sockets(server);
    if (!listen_at(server, problem)) {
        server_close(server);
        return NULL;
    }
    return server;
}

void server_reload(Server *server) {
    limits_load(server);
    admin_reload(server);
    server_log(server, LOG_INFO, "settings and bans were reloaded");
}

void server_report(Server *server) {
    StoreStats store = store_stats(server->store);
    server_log(
        server, LOG_INFO,
        "%u tables, %u connections, %u AI moves; %u actions, %u matches begun; %u bytes wait for "
        "the disk",
        server->tables_count, server->sessions_count, server->ai_jobs_count,
        (unsigned)server->stats.actions, (unsigned)server->stats.matches_begun,
        (unsigned)store.queue_bytes);
}

uint16_t server_port(const Server *server) { return net_server_port(server->net); }

/* All connections are closed: the server has ended. */
static void drained(void *owner) {
    Server *server = owner;
    if (server->setup.stopped != NULL)
        server->setup.stopped(server->setup.owner, false);
}

void server_handed_over(Server *server) {
    if (!server->handing_over)
        return;
    server->handing_over = false;
    for (Session *session = server->sessions; session != NULL; session = session->next_all)
        session->protocol->part(session, NULL, PART_DRAIN, "Server shutting down.");
    net_server_drain(server->net, server->reconnect_ms, drained);
}

/* The other nodes did not take over the matches in time: clients are disconnected anyway, and will
 * find their matches wherever they go. */
static void on_hand_timer(void *owner) { server_handed_over(owner); }

void server_drain(Server *server, uint32_t reconnect_ms) {
    if (server->draining)
        return;
    server->draining = server->handing_over = true;
    server->reconnect_ms = reconnect_ms;
    server_log(server, LOG_INFO, "shutting down: %u tables, %u connections", server->tables_count,
               server->sessions_count);
    server->hand_timer = net_timer_open(server->loop, on_hand_timer, server);
    if (server->hand_timer == NULL || !store_hand_over(server->store))
        server_handed_over(server);
    else
        net_timer_start(server->hand_timer, HAND_OVER_MS);
}

bool server_is_deposed(const Server *server) {
    return server->store != NULL && store_progress(server->store).deposed;
}

/* Frees a table whatever state it is in: the server is closed. */
static void drop_table(Table *table) {
    table->ai_jobs_count = table->queued = 0;
    table->counting = false;
    table->archived = true;
    table->journalled = false;
    table_close(table, "Server shutting down.");
}

void server_close(Server *server) {
    server->draining = true;
    admin_close(server);
    robot_stop_early(server, NULL);
    if (server->thread_pool != NULL)
        net_thread_pool_close(server->thread_pool);
    robot_drop_jobs(server);
    reader_close(server);
    rated_close(server);
    erased_close(server);
    player_jobs_close(server);
    days_close(server);
    notices_close(server);
    people_close(server);
    listing_close(server);
    usage_close(server);
    neighbours_close(server);
    outbox_clear(server);
    contests_close(server);
    contests_forget_others(server);
    while (server->tables != NULL)
        drop_table(server->tables);
    if (server->net != NULL)
        net_server_close(server->net);
    while (server->sessions != NULL)
        session_close(server->sessions);
    store_close(server->store);
    net_wakeup_close(server->wakeup);
    net_timer_close(server->beat);
    net_timer_close(server->hand_timer);
    net_timer_close(server->prune_timer);
    protocols_close(server);
    contents_close(server);
    accounts_close(server);
    Scratch *all[] = {&server->view, &server->old_view, &server->position,
                      &server->text, &server->load,     &server->history};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->bytes);
    free(server->buckets);
    free(server->nodes);
    free(server->pool);
    free(server);
}
