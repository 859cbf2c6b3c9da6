/* http_api.c -- see http_api.h: the HTTP API: health, metrics, lists, finished matches, and a small
 * page. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/arena.h"
#include "server/contest.h"
#include "server/http_api.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/player_api.h"
#include "server/records.h"
#include "server/sharing.h"

enum { VALUE_BYTES = ASK_TEXT_BYTES };

static const char json_type[] = "application/json; charset=utf-8";
static const char html_type[] = "text/html; charset=utf-8";

/* The data that an answer is written from. */
typedef struct ApiAnswer {
    Server *server;
    const NetRequest *request;
    const MashGame *game;
    Table *table;
    LobbyPage page;
} ApiAnswer;

void http_api_text(NetReply *reply, uint16_t status, const char *text) {
    net_reply(reply, status, NULL, text, (uint32_t)strlen(text));
}

void http_api_tags(const NetRequest *request, char tags[ASK_TAGS_BYTES]) {
    MashText text = text_over(tags, ASK_TAGS_BYTES);
    if (request->if_none_match != NULL)
        text_string(&text, request->if_none_match);
    if (text.truncated)
        text_clear(&text);
}

void http_api_json(NetReply *reply, uint16_t status, const char *tags, const char *bytes,
                   uint32_t count) {
    static const char headers[] = "Referrer-Policy: no-referrer\r\n"
                                  "Content-Security-Policy: default-src 'none'; "
                                  "frame-ancestors 'none'\r\n";
    char tag[16 + 1];
    MashText text = text_over(tag, sizeof tag);
    text_hex(&text, hash_bytes(1, bytes, count), 16);
    NetRequest request = {.if_none_match = tags[0] == '\0' ? NULL : tags};
    NetAnswer answer = {.status = status,
                        .type = json_type,
                        .cache = "no-cache",
                        .etag = status == 200 ? tag : NULL,
                        .headers = headers};
    if (status == 200 && net_request_knows(&request, tag))
        answer.status = 304;
    net_reply_with(reply, &answer, bytes, answer.status == 304 ? 0 : count);
}

/* Sends the answer that was written, as JSON. */
static void reply_written(ApiAnswer *answer, NetReply *reply,
                          void (*write)(void *what, MashText *text)) {
    MashText text;
    char tags[ASK_TAGS_BYTES] = "";
    if (answer->request != NULL)
        http_api_tags(answer->request, tags);
    if (server_write_text(answer->server, &text, write, answer))
        http_api_json(reply, 200, tags, text.bytes, text.count);
    else
        http_api_text(reply, 500, "out of memory for the answer\n");
}

/* --- Queries ---------------------------------------------------------------------------------- */

const char *http_api_decode(const char *from, const char *ends, MashText *text) {
    for (; *from != '\0' && strchr(ends, *from) == NULL; from++) {
        int high = from[0] == '%' ? text_hex_digit(from[1]) : -1;
        int low = high >= 0 ? text_hex_digit(from[2]) : -1;
        if (low >= 0 && (high | low) != 0) {
            text_byte(text, (char)(high << 4 | low));
            from += 2;
        } else {
            text_byte(text, *from == '+' ? ' ' : *from);
        }
    }
    return from;
}

const char *http_api_value(const char *query, const char *key, char out[VALUE_BYTES]) {
    size_t length = strlen(key);
    for (const char *part = query; part != NULL; part = strchr(part, '&')) {
        part += *part == '&';
        if (strncmp(part, key, length) != 0 || part[length] != '=')
            continue;
        MashText text = text_over(out, VALUE_BYTES);
        http_api_decode(part + length + 1, "&", &text);
        return text.truncated || text.count == 0 ? NULL : out;
    }
    return NULL;
}

uint64_t http_api_number(const char *query, const char *key) {
    char value[VALUE_BYTES];
    uint64_t number = 0;
    if (http_api_value(query, key, value) == NULL)
        return 0;
    for (const char *c = value; *c >= '0' && *c <= '9' && number < UINT64_MAX / 100; c++)
        number = number * 10 + (uint64_t)(*c - '0');
    return number;
}

/* --- Metrics ---------------------------------------------------------------------------------- */

/* Writes one metric in Prometheus format. */
static void metric(MashText *text, const char *name, const char *type, const char *help,
                   uint64_t value) {
    text_format(text, "# HELP mashup_%s %s\n# TYPE mashup_%s %s\nmashup_%s ", name, help, name,
                type, name);
    text_int(text, (int64_t)value);
    text_byte(text, '\n');
}

/* A counter. */
static void counter(MashText *text, const char *name, const char *help, uint64_t value) {
    metric(text, name, "counter", help, value);
}

/* A gauge. */
static void gauge(MashText *text, const char *name, const char *help, uint64_t value) {
    metric(text, name, "gauge", help, value);
}

/* Tables by state, and spectators. */
static void write_tables(const Server *server, MashText *text) {
    uint64_t counts[PROTO_STATE_COUNT] = {0}, watchers = 0;
    for (const Table *table = server->tables; table != NULL; table = table->next) {
        counts[table->state]++;
        watchers += table->watchers_count;
    }
    text_string(text, "# HELP mashup_tables Tables by state.\n# TYPE mashup_tables gauge\n");
    for (uint32_t i = 0; i < PROTO_STATE_COUNT; i++) {
        text_format(text, "mashup_tables{state=\"%s\"} ", choice_id(PROTO_STATES_LIST, i));
        text_int(text, (int64_t)counts[i]);
        text_byte(text, '\n');
    }
    gauge(text, "watchers", "Spectators.", watchers);
}

/* Metrics of the network. */
static void write_net(const Server *server, MashText *text) {
    NetStats net = net_server_stats(server->net);
    NetLoopStats turns = net_loop_stats(server->loop);
    counter(text, "loop_turns_total", "Event loop iterations.", turns.count);
    counter(text, "loop_busy_microseconds_total",
            "Time the event loop was busy, callbacks included.", turns.busy_us);
    counter(text, "loop_long_turns_total", "Iterations longer than 5 ms.", turns.long_count);
    gauge(text, "loop_longest_turn_microseconds", "The longest iteration so far, by the clock.",
          turns.longest_us);
    gauge(text, "loop_longest_turn_cpu_microseconds", "The most CPU time of one iteration so far.",
          turns.longest_cpu_us);
    counter(text, "loop_late_timers_total", "Timers called more than 50 ms late.",
            turns.late_count);
    gauge(text, "loop_latest_timer_milliseconds", "How late the latest timer was so far.",
          turns.latest_ms);
    gauge(text, "sockets", "Open sockets.", net.sockets);
    gauge(text, "websockets", "Open WebSockets.", net.websockets);
    gauge(text, "net_memory_bytes", "Bytes in buffered frames and partial messages.", net.memory);
    counter(text, "accepted_total", "Sockets accepted.", net.accepted);
    counter(text, "requests_total", "HTTP requests.", net.requests);
    counter(text, "handshakes_total", "WebSocket handshakes.", net.handshakes);
    counter(text, "refused_full_total", "Refused for lack of room.", net.refused_full);
    counter(text, "refused_rate_total", "Refused as too fast.", net.refused_rate);
    counter(text, "accept_failures_total", "Out of file descriptors.", net.accept_failures);
    counter(text, "shed_total", "Idle HTTP sockets closed to make room.", net.shed);
    counter(text, "messages_in_total", "Messages received.", net.messages_in);
    counter(text, "bytes_in_total", "Bytes received.", net.bytes_in);
    counter(text, "frames_out_total", "Frames sent.", net.frames_out);
    counter(text, "bytes_out_total", "Bytes sent.", net.bytes_out);
    counter(text, "cut_slow_total", "Disconnected: read too slowly.", net.cut_slow);
    counter(text, "cut_silent_total", "Disconnected: no reply to ping.", net.cut_silent);
    counter(text, "cut_rate_total", "Disconnected: sent too fast.", net.cut_rate);
    counter(text, "cut_broken_total", "Disconnected: invalid data.", net.cut_broken);
}

/* Refusals because the budget of an address or of the AI players was used up. */
static void write_budgets(const Server *server, MashText *text) {
#define BUDGET_ROW(name, id) id,
    static const char *const kinds[] = {BUDGET_KINDS(BUDGET_ROW)};
#undef BUDGET_ROW
    gauge(text, "addresses", "Addresses with current or recent use.", server->accounts.count);
    gauge(text, "addresses_elsewhere", "Addresses that other nodes report as heavy users.",
          server->usage.others_count);
    counter(text, "budget_elsewhere_total", "Refused only because of use at other nodes.",
            server->usage.refusals);
    text_string(text,
                "# HELP mashup_budget_refusals_total Refused: an address has used its share.\n"
                "# TYPE mashup_budget_refusals_total counter\n");
    for (uint32_t i = 0; i < BUDGET_KINDS_COUNT; i++) {
        text_format(text, "mashup_budget_refusals_total{kind=\"%s\"} ", kinds[i]);
        text_int(text, (int64_t)server->accounts.refusals[i]);
        text_byte(text, '\n');
    }
}

/* Accounts, and what was counted for them. */
static void write_players(const Server *server, MashText *text) {
    counter(text, "logins_total", "Logins to accounts.", server->players.logins);
    counter(text, "accounts_made_total", "Accounts made.", server->players.made);
    counter(text, "accounts_deleted_total", "Accounts deleted.", server->players.deleted);
    counter(text, "matches_counted_total", "Matches counted for accounts.",
            server->players.counted);
    counter(text, "days_rested_total", "Matches over days that went to rest.", server->days.rested);
    counter(text, "days_opened_total", "Matches over days that were opened again.",
            server->days.opened);
    counter(text, "notices_sent_total", "Notices sent to players who were not there.",
            server->notices.sent);
    counter(text, "notices_failed_total", "Notices dropped after four tries.",
            server->notices.failed);
}

/* All metrics in Prometheus format. */
static void write_metrics(void *what, MashText *text) {
    const ApiAnswer *answer = what;
    const Server *server = answer->server;
    const ServerStats *stats = &server->stats;
    StoreStats store = store_stats(server->store);
    write_tables(server, text);
    write_budgets(server, text);
    write_players(server, text);
    gauge(text, "sessions", "Connections at the arena.", server->sessions_count);
    gauge(text, "thoughts", "AI moves being computed or queued.", server->ai_jobs_count);
    counter(text, "actions_total", "Actions accepted.", stats->actions);
    counter(text, "refusals_total", "Requests refused.", stats->refusals);
    counter(text, "offences_total", "Refusals that were offences.", stats->offences);
    counter(text, "matches_begun_total", "Matches started.", stats->matches_begun);
    counter(text, "matches_over_total", "Matches finished.", stats->matches_over);
    counter(text, "matches_recovered_total", "Matches restored from the journal.",
            stats->recovered);
    counter(text, "thoughts_total", "AI moves computed.", stats->ai_jobs);
    counter(text, "thought_nodes_total", "Search nodes of these AI moves.", stats->ai_job_nodes);
    gauge(text, "robots_weight", "Total weight of the AI players.", server->robots);
    counter(text, "chat_lines_total", "Chat lines.", stats->chats);
    counter(text, "faults_total", "Messages not sent because a value was out of range.",
            stats->faults);
    counter(text, "matches_abandoned_total", "Matches ended because all players had left.",
            stats->abandoned);
    counter(text, "matches_forgotten_total", "Matches dropped: no player had acted.",
            stats->forgotten);
    counter(text, "stalls_total", "Stalls of the process.", stats->stalls);
    counter(text, "stalled_milliseconds_total", "Total time of these stalls.", server->stalled_ms);
    gauge(text, "store_matches", "Open matches in the journal.", store.matches);
    gauge(text, "store_queue_bytes", "Bytes waiting to be written to disk.", store.queue_bytes);
    gauge(text, "store_journal_bytes", "Bytes of the journal.", store.journal_bytes);
    counter(text, "store_records_total", "Records appended.", store.records);
    counter(text, "store_groups_total", "Group commits.", store.groups);
    counter(text, "store_full_total", "Records refused: queue full.", store.full);
    counter(text, "store_finished_total", "Matches archived.", store.finished);
    gauge(text, "store_finishing", "Matches that wait for the archive.", store.finishing);
    counter(text, "store_archive_failures_total", "Failed writes to the archive, retried later.",
            store.archive_failures);
    counter(text, "store_pruned_total", "Matches removed from the archive.", store.pruned);
    gauge(text, "store_archive_bytes", "Size of the archive's files, if there is a limit.",
          store.archive_bytes);
    gauge(text, "store_free_bytes", "Free space of the disk.", store.free_bytes);
    gauge(text, "store_copies", "Machines that have every announced record; 0: unknown.",
          store.copies);
    gauge(text, "store_nodes", "Nodes that share the store; 0: not shared.", store.nodes);
    counter(text, "store_taken_total", "Matches taken over from other nodes.", store.taken);
    counter(text, "store_asked_total", "Lost answers of the database that were looked up.",
            store.asked);
    counter(text, "lobby_written_total", "Statements that published tables to other nodes.",
            server->listing.written);
    counter(text, "lobby_rows_total", "Tables in these statements.", server->listing.rows);
    gauge(text, "relays", "Clients relayed to another node.", server->relays);
    counter(text, "relays_total", "Clients relayed since the start.", server->relayed);
    counter(text, "lobby_failures_total", "Publishing statements that failed and were retried.",
            server->listing.failures);
    gauge(text, "store_low", "1: too little space for new matches.", store.low);
    gauge(text, "tournaments", "Tournaments, also those that are over.", server->contests_count);
    counter(text, "tournaments_total", "Tournaments created.", server->stats.contests_created);
    counter(text, "tournament_results_total", "Results of tournament matches.",
            server->stats.contest_results);
    counter(text, "low_refusals_total", "Matches not started for lack of disk space.",
            server->stats.low_refusals);
    gauge(text, "archive_waiting", "Queries to the archive that wait.", server->reader.waiting);
    counter(text, "archive_asked_total", "Queries to the archive.", server->reader.asked);
    counter(text, "archive_refused_total", "Queries refused: too many waited.",
            server->reader.refused);
    write_net(server, text);
}

/* Compares texts in constant time. */
static bool same_secret(const char *given, const char *secret) {
    size_t length = strlen(secret);
    uint32_t differ = strlen(given) != length;
    for (size_t i = 0; i < length && given[i] != '\0'; i++)
        differ |= (uint32_t)(uint8_t)given[i] ^ (uint8_t)secret[i];
    return differ == 0;
}

/* Metrics would help an attacker: only this machine and holders of the token may read them. */
static void answer_metrics(ApiAnswer *answer, NetReply *reply) {
    static const char bearer[] = "Bearer ";
    const char *token = answer->server->setup.metrics_token;
    const char *given = answer->request->authorization;
    bool known = token[0] != '\0' && given != NULL &&
                 strncmp(given, bearer, sizeof bearer - 1) == 0 &&
                 same_secret(given + sizeof bearer - 1, token);
    MashText text;
    if ((answer->request->local || known) &&
        server_write_text(answer->server, &text, write_metrics, answer))
        net_reply(reply, 200, "text/plain; version=0.0.4", text.bytes, text.count);
    else if (answer->request->local || known)
        http_api_text(reply, 500, "out of memory for the answer\n");
    else
        http_api_text(reply, 403,
                      "metrics are only available on this machine; with mashup serve "
                      "--metrics-token-file others ask with Authorization: Bearer TOKEN\n");
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* All games. */
static void write_games(void *what, MashText *text) {
    ApiAnswer *answer = what;
    text_string(text, "{\"games\":");
    lobby_write_games(answer->server, text);
    text_string(text, "}\n");
}

/* Waiting and running tables. */
static void write_matches(void *what, MashText *text) {
    ApiAnswer *answer = what;
    text_string(text, "{\"matches\":");
    lobby_write_matches(answer->server, &answer->page, text);
    if (answer->page.next[0] != '\0')
        text_format(text, ",\"next\":\"%s\"", answer->page.next);
    text_string(text, "}\n");
}

/* A page of the tables of all nodes as a JSON document. */
static void reply_listing(Server *server, NetReply *reply, const char *tags,
                          const ListingAnswer *page) {
    MashText text;
    if (listing_write(server, page, "{\"matches\":", "}\n", &text))
        http_api_json(reply, 200, tags, text.bytes, text.count);
    else
        http_api_text(reply, 500, "out of memory for the answer\n");
}

/* The tables of all nodes were read; if not, those of this node are the answer. */
static void answer_tables(Ask *ask) {
    ListingAnswer page;
    ApiAnswer own = {.server = ask->server};
    own.page.game = ask->game[0] == '\0' ? NULL : ask->game;
    if (listing_read(ask, &page))
        reply_listing(ask->server, ask->reply, ask->tags, &page);
    else
        reply_written(&own, ask->reply, write_matches);
}

/* A page of the tables of all nodes: as they were just read; otherwise they are read now. */
static void answer_all_matches(ApiAnswer *answer, NetReply *reply) {
    Server *server = answer->server;
    ListingAnswer page;
    char tags[ASK_TAGS_BYTES];
    http_api_tags(answer->request, tags);
    bool first = answer->page.game == NULL && answer->page.serial == 0;
    if (first && listing_ready(server, false, &page)) {
        reply_listing(server, reply, tags, &page);
        return;
    }
    NetReply *later = net_reply_later(reply);
    Ask *ask = later == NULL
                   ? NULL
                   : listing_ask(server, answer->request->address, &answer->page, answer_tables);
    if (ask != NULL) {
        ask->reply = later;
        memcpy(ask->tags, tags, sizeof ask->tags);
    } else if (first && listing_ready(server, true, &page))
        reply_listing(server, later != NULL ? later : reply, tags, &page);
    else
        reply_written(answer, later != NULL ? later : reply, write_matches);
}

/* A page of waiting and running tables. */
static void answer_matches(ApiAnswer *answer, NetReply *reply) {
    const char *query = answer->request->query;
    char game[VALUE_BYTES], after[VALUE_BYTES];
    answer->page.game = http_api_value(query, "game", game);
    if (!lobby_read_place(http_api_value(query, "after", after), &answer->page))
        http_api_text(reply, 400, "\"after\" must be the \"next\" of another page\n");
    else if (store_is_shared(answer->server->store))
        answer_all_matches(answer, reply);
    else
        reply_written(answer, reply, write_matches);
}

/* The winner or null. */
static void put_winner(JsonWriter *writer, int32_t winner) {
    json_put_key(writer, "winner");
    if (winner == STORE_NOBODY)
        json_put_null(writer);
    else
        json_put_int(writer, winner);
}

/* A finished match. */
static void put_entry(JsonWriter *writer, const StoreEntry *entry, uint8_t accounts) {
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(entry->match & (((uint64_t)1 << 5 * PROTO_CODE_DIGITS) - 1), code);
    json_open(writer, '{');
    json_put_pair(writer, "code", code);
    json_put_pair(writer, "game", entry->game);
    json_put_pair_int(writer, "started_ms", (int64_t)entry->started_ms);
    json_put_pair_int(writer, "ended_ms", (int64_t)entry->ended_ms);
    json_put_key(writer, "players");
    json_open(writer, '[');
    for (uint32_t i = 0; i < entry->players_count; i++) {
        json_open(writer, '{');
        json_put_pair_int(writer, "seat", i);
        json_put_pair(writer, "name", entry->players[i].name);
        json_put_pair(writer, "role", entry->players[i].role);
        if ((accounts >> i & 1) != 0)
            json_put_pair_bool(writer, "account", true);
        json_close(writer, '}');
    }
    json_close(writer, ']');
    put_winner(writer, entry->winner);
    json_put_pair(writer, "reason", entry->reason);
    json_put_pair_int(writer, "actions", entry->actions);
    json_close(writer, '}');
}

/* A page of finished matches, and where the next begins. */
static void write_archive(void *what, MashText *text) {
    const Ask *ask = what;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_key(&writer, "matches");
    json_open(&writer, '[');
    for (uint32_t i = 0; i < ask->entries_count; i++)
        if ((ask->accounts[i] & ASK_HIDDEN) == 0)
            put_entry(&writer, &ask->entries[i], ask->accounts[i]);
    json_close(&writer, ']');
    if (ask->entries_count > 0) {
        /* The cursor of the next page: a code is the number of the match. */
        const StoreEntry *last = &ask->entries[ask->entries_count - 1];
        char code[PROTO_CODE_MAX + 1];
        table_code_encode(last->match & (((uint64_t)1 << 5 * PROTO_CODE_DIGITS) - 1), code);
        json_put_key(&writer, "last");
        json_open(&writer, '{');
        json_put_pair_int(&writer, "after_ms", (int64_t)last->ended_ms);
        json_put_pair(&writer, "after", code);
        json_close(&writer, '}');
    }
    json_close(&writer, '}');
    text_byte(text, '\n');
}

void http_api_unknown(NetReply *reply, StoreStatus status) {
    if (status == STORE_UNKNOWN)
        http_api_text(reply, 404, "match not found\n");
    else
        http_api_text(reply, 503, "the archive is unavailable: try again later\n");
}

/* The list of the archive is ready. */
static void answer_list(Ask *ask) {
    MashText text;
    if (ask->status != STORE_OK)
        http_api_unknown(ask->reply, ask->status);
    else if (server_write_text(ask->server, &text, write_archive, ask))
        http_api_json(ask->reply, 200, ask->tags, text.bytes, text.count);
    else
        http_api_text(ask->reply, 500, "out of memory for the answer\n");
}

Ask *http_api_ask(Server *server, const NetRequest *request, const Ask *question, NetReply *reply) {
    NetReply *later = net_reply_later(reply);
    if (later == NULL) {
        http_api_text(reply, 500, "out of memory for the answer\n");
        return NULL;
    }
    Ask *ask = reader_ask(server, request->address, question);
    if (ask == NULL)
        http_api_text(later, 503, "too many queries to the archive: try again later\n");
    else
        ask->reply = later;
    if (ask != NULL)
        http_api_tags(request, ask->tags);
    return ask;
}

/* The same for an answer of this file. */
static void ask_archive(const ApiAnswer *answer, const Ask *question, NetReply *reply) {
    http_api_ask(answer->server, answer->request, question, reply);
}

/* Finished matches, filtered by the query. */
static void answer_archive(const ApiAnswer *answer, NetReply *reply) {
    const char *query = answer->request->query;
    char after[VALUE_BYTES];
    Ask question = {.kind = ASK_LIST,
                    .answer = answer_list,
                    .filter = {.from_ms = http_api_number(query, "from_ms"),
                               .to_ms = http_api_number(query, "to_ms"),
                               .after_ms = http_api_number(query, "after_ms")}};
    if (http_api_value(query, "game", question.game) == NULL)
        question.game[0] = '\0';
    if (http_api_value(query, "player", question.player) == NULL)
        question.player[0] = '\0';
    if (http_api_value(query, "after", after) != NULL &&
        !table_code_decode(after, &question.filter.after))
        http_api_text(reply, 400, "\"after\" must be a match code\n");
    else
        ask_archive(answer, &question, reply);
}

/* Tournaments, of all nodes as far as they are known. */
static void write_tournaments(void *what, MashText *text) {
    const ApiAnswer *answer = what;
    contest_write_list(answer->server, text);
    text_byte(text, '\n');
}

/* --- One match -------------------------------------------------------------------------------- */

/* A waiting or running table. */
static void write_table(void *what, MashText *text) {
    const ApiAnswer *answer = what;
    JsonWriter writer = json_writer(text, 0);
    lobby_put_table(&writer, answer->table, true);
    text_byte(text, '\n');
}

/* The board of a running match as spectators see it who may see nothing hidden. */
static void write_board(void *what, MashText *text) {
    ApiAnswer *answer = what;
    arena_write_board(answer->table, text);
}

/* Sends the client to the node that has the match, unless it was sent there before: then that node
 * does not work, and the match is about to move. */
void http_api_elsewhere(const Ask *ask, const char *before, const char *after) {
    const StorePlace *place = &ask->place;
    char code[PROTO_CODE_MAX + 1], bytes[STORE_URL_BYTES + 128];
    MashText url = text_over(bytes, sizeof bytes);
    if (!place->open || place->here || place->node == ask->node) {
        http_api_text(ask->reply, 503, "the match is moving to another machine; try again\n");
        return;
    }
    table_code_encode(ask->match, code);
    const char *host = strstr(place->url, "://"), *rest = host == NULL ? "" : host + 3;
    size_t length = strcspn(rest, "/?");
    const char *query = strchr(rest, '?');
    if (host != NULL)
        text_string(&url, strncmp(place->url, "wss", 3) == 0 ? "https://" : "http://");
    text_bytes(&url, rest, (uint32_t)length);
    text_format(&url, "%s%s%s%s", before, code, after, query == NULL ? "" : query);
    if (query == NULL)
        text_format(&url, "?node=%u", place->node);
    if (ask->kind == ASK_PICTURE && ask->at != UINT64_MAX) {
        text_string(&url, "&at=");
        text_int(&url, (int64_t)ask->at);
    }
    net_reply(ask->reply, 307, NULL, url.bytes, url.count);
}

/* The store has answered which node has the match. */
static void answer_board_elsewhere(Ask *ask) {
    if (ask->where == STORE_OK)
        http_api_elsewhere(ask, "/api/board/", "");
    else if (ask->where == STORE_UNKNOWN)
        http_api_text(ask->reply, 404, "no match in progress has this code\n");
    else
        http_api_unknown(ask->reply, ask->where);
}

/* The board of a running match. What the store has not made durable yet is shown to nobody: the
 * client is asked to try again. */
static void answer_board(ApiAnswer *answer, const char *code, NetReply *reply) {
    uint64_t number;
    Server *server = answer->server;
    bool valid = table_code_decode(code, &number);
    answer->table = valid ? lobby_find(server, number) : NULL;
    Ask question = {.kind = ASK_WHETHER,
                    .match = valid ? number : 0,
                    .node = http_api_number(answer->request->query, "node"),
                    .answer = answer_board_elsewhere};
    if (answer->table == NULL && valid && store_is_shared(server->store))
        ask_archive(answer, &question, reply);
    else if (answer->table == NULL || answer->table->state != PROTO_STATE_RUNNING)
        http_api_text(reply, 404, "no match in progress has this code\n");
    else if (answer->table->queued > 0 || answer->table->ticket > server->durable_ticket)
        http_api_text(reply, 503, "the last action is being saved; try again\n");
    else
        reply_written(answer, reply, write_board);
}

/* The file of a finished match whose table still exists. */
static void answer_over(const ApiAnswer *answer, NetReply *reply) {
    uint32_t count;
    char tags[ASK_TAGS_BYTES];
    char *file = records_match_file(answer->table, &count);
    http_api_tags(answer->request, tags);
    if (file == NULL)
        http_api_text(reply, 500, "out of memory for the match\n");
    else
        http_api_json(reply, 200, tags, file, count);
    free(file);
}

/* A table of another node, as that node last published it. */
static void reply_row(const Ask *ask) {
    char *bytes = scratch_take(&ask->server->load, ask->tables->count + 1);
    if (bytes == NULL) {
        http_api_text(ask->reply, 500, "out of memory for the answer\n");
        return;
    }
    memcpy(bytes, ask->tables->bytes, ask->tables->count);
    bytes[ask->tables->count] = '\n';
    http_api_json(ask->reply, 200, ask->tags, bytes, (uint32_t)ask->tables->count + 1);
}

/* The archive has read the file of a finished match; or there is none, and another node has the
 * match. */
static void answer_file(Ask *ask) {
    bool elsewhere = ask->status == STORE_UNKNOWN && ask->where == STORE_OK;
    if (elsewhere && ask->tables_count == 1)
        reply_row(ask);
    else if (elsewhere)
        http_api_elsewhere(ask, "/api/match/", "");
    else if (ask->status != STORE_OK)
        http_api_unknown(ask->reply, ask->status);
    else
        http_api_json(ask->reply, 200, ask->tags, ask->file, (uint32_t)ask->count);
}

/* A match by its code. */
static void answer_match(ApiAnswer *answer, const char *code, NetReply *reply) {
    uint64_t number;
    if (!table_code_decode(code, &number)) {
        http_api_text(reply, 404, "not a match code\n");
        return;
    }
    Table *table = lobby_find(answer->server, number);
    answer->table = table;
    if (table == NULL)
        ask_archive(answer,
                    &(Ask){.kind = ASK_FILE,
                           .match = number,
                           .node = http_api_number(answer->request->query, "node"),
                           .answer = answer_file},
                    reply);
    else if (table->state == PROTO_STATE_OVER)
        answer_over(answer, reply);
    else
        reply_written(answer, reply, write_table);
}

/* --- Content ---------------------------------------------------------------------------------- */

/* The documents of a game's presets. */
static void write_documents(void *what, MashText *text) {
    const ApiAnswer *answer = what;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_key(&writer, "presets");
    json_open(&writer, '[');
    for (uint32_t i = 0; i < answer->game->presets_count; i++) {
        const MashPreset *preset = &answer->game->presets[i];
        json_open(&writer, '{');
        json_put_pair(&writer, "id", preset->id);
        json_put_pair(&writer, "title", preset->title);
        json_put_key(&writer, "documents");
        json_open(&writer, '[');
        for (uint32_t j = 0; j < MASH_DOCUMENTS_MAX && preset->documents[j] != NULL; j++)
            json_put_string(&writer, preset->documents[j]);
        json_close(&writer, ']');
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    json_close(&writer, '}');
    text_byte(text, '\n');
}

/* GAME lists the game's documents, GAME/NAME is one of them. */
static void answer_content(ApiAnswer *answer, const char *path, NetReply *reply) {
    char id[VALUE_BYTES];
    MashText text = text_over(id, sizeof id);
    const char *slash = strchr(path, '/');
    text_bytes(&text, path, (uint32_t)(slash == NULL ? strlen(path) : (size_t)(slash - path)));
    answer->game = mash_game_find(id);
    if (answer->game == NULL) {
        http_api_text(reply, 404, "unknown game\n");
        return;
    }
    if (slash == NULL) {
        reply_written(answer, reply, write_documents);
        return;
    }
    MashDocument document = mash_document_shipped(answer->game, slash + 1);
    char tags[ASK_TAGS_BYTES];
    http_api_tags(answer->request, tags);
    if (document.count == 0)
        http_api_text(reply, 404, "the game has no such file\n");
    else
        http_api_json(reply, 200, tags, document.bytes, document.count);
}

/* --- The page --------------------------------------------------------------------------------- */

static const char page[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Mashup</title>\n"
    "<h1>Mashup</h1>\n"
    "<p>This is a Mashup game server without a web page. Clients connect to the WebSocket "
    "<code>/arena</code>; see docs/protocol.md.</p>\n"
    "<ul>\n"
    "<li><a href=\"/api/games\">games</a></li>\n"
    "<li><a href=\"/api/matches\">open matches and matches in progress</a></li>\n"
    "<li><a href=\"/api/archive\">finished matches</a></li>\n"
    "<li><a href=\"/metrics\">metrics</a>, <a href=\"/healthz\">health</a></li>\n"
    "</ul>\n</html>\n";

/* The page for a wrong link. */
static const char missing[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<meta name=\"color-scheme\" content=\"light dark\"><title>Not found \u00b7 Mashup</title>\n"
    "<h1>There is nothing here</h1>\n"
    "<p>This address does not exist. If somebody sent you a link, it may be incomplete.</p>\n"
    "<p><a href=\"/\">Go to the start page</a></p>\n"
    "<hr>\n<div lang=\"de\">\n<h2>Hier ist nichts</h2>\n"
    "<p>Diese Adresse gibt es nicht. Wenn dir jemand einen Link geschickt hat, ist er vielleicht "
    "unvollst\u00e4ndig.</p>\n"
    "<p><a href=\"/\">Zur Startseite</a></p>\n</div>\n</html>\n";

/* The page for a link to a match that does not exist. */
static const char no_match[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<meta name=\"color-scheme\" content=\"light dark\"><title>No such match \u00b7 "
    "Mashup</title>\n"
    "<h1>There is no such match</h1>\n"
    "<p>The link may be incomplete; or the match was closed before it began, or is no longer "
    "kept.</p>\n"
    "<p><a href=\"/\">Go to the start page</a></p>\n"
    "<hr>\n<div lang=\"de\">\n<h2>Diese Partie gibt es nicht</h2>\n"
    "<p>Vielleicht ist der Link unvollst\u00e4ndig; oder die Partie wurde geschlossen, bevor sie "
    "begann, oder wird nicht mehr aufbewahrt.</p>\n"
    "<p><a href=\"/\">Zur Startseite</a></p>\n</div>\n</html>\n";

void http_api_no_match(NetReply *reply) {
    net_reply(reply, 404, html_type, no_match, sizeof no_match - 1);
}

/* May new matches begin? If not, the status is 503, or 404 if the query has `status=404`: that
 * tells haproxy that the node wants no new clients but keeps those it has, unlike a node that does
 * not answer. */
static void answer_ready(const Server *server, const char *query, NetReply *reply) {
    bool closes = server->draining || server->closing || server->failed;
    bool low = store_progress(server->store).low, frozen = !store_may_tell(server->store);
    bool one = store_stats(server->store).copies == 1;
    uint16_t no = http_api_number(query, "status") == 404 ? 404 : 503;
    http_api_text(reply, closes || low || frozen ? no : 200,
                  closes   ? "shutting down\n"
                  : low    ? "the disk is low on space\n"
                  : frozen ? "waiting for the database\n"
                  : one    ? "ready, with one copy of the matches\n"
                           : "ready\n");
}

/* What follows `start`, or NULL if the path does not begin so. */
static const char *behind(const char *path, const char *start) {
    size_t length = strlen(start);
    return strncmp(path, start, length) == 0 ? path + length : NULL;
}

/* May pages of any origin read what is there? What a key is needed for they may not. */
static bool is_public(const NetRequest *request) {
    return request->authorization == NULL &&
           (behind(request->path, "/api/") != NULL || behind(request->path, "/picture/") != NULL);
}

void http_api_reply(Server *server, const NetRequest *request, NetReply *reply) {
    ApiAnswer answer = {.server = server, .request = request};
    const char *path = request->path, *rest;
    if (is_public(request))
        net_reply_share(reply);
    if (request->options)
        net_reply_with(reply, &(NetAnswer){.status = 204}, "", 0);
    else if (strcmp(path, "/") == 0)
        net_reply(reply, 200, html_type, page, sizeof page - 1);
    else if (strcmp(path, "/healthz") == 0)
        http_api_text(reply, server->failed ? 503 : 200, server->failed ? "failed\n" : "ok\n");
    else if (strcmp(path, "/readyz") == 0)
        answer_ready(server, request->query, reply);
    else if (strcmp(path, "/metrics") == 0)
        answer_metrics(&answer, reply);
    else if (strcmp(path, "/api/games") == 0)
        reply_written(&answer, reply, write_games);
    else if (strcmp(path, "/api/matches") == 0)
        answer_matches(&answer, reply);
    else if (strcmp(path, "/api/tournaments") == 0)
        reply_written(&answer, reply, write_tournaments);
    else if (strcmp(path, "/api/archive") == 0)
        answer_archive(&answer, reply);
    else if ((rest = behind(path, "/api/v1/")) != NULL)
        player_api_reply(server, request, rest, reply);
    else if ((rest = behind(path, "/api/match/")) != NULL)
        answer_match(&answer, rest, reply);
    else if ((rest = behind(path, "/api/board/")) != NULL)
        answer_board(&answer, rest, reply);
    else if ((rest = behind(path, "/api/content/")) != NULL)
        answer_content(&answer, rest, reply);
    else if ((rest = behind(path, "/picture/")) != NULL)
        sharing_picture(server, request, rest, reply);
    else if ((rest = behind(path, "/embed/")) != NULL)
        sharing_embed(server, rest, reply);
    else if ((rest = behind(path, "/m/")) != NULL)
        sharing_preview(server, request, rest, reply);
    else if (behind(path, "/api/") != NULL)
        http_api_text(reply, 404, "not found\n");
    else
        net_reply(reply, 404, html_type, missing, sizeof missing - 1);
}
