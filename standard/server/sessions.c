/* sessions.c -- see internal.h: one connection of the standard, from its hello to joining a
 * table. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "standard/server/internal.h"

enum { SILENCE_LEAST_MS = 3000, GRACE_LEAST_MS = 30000, GRACE_MOST_MS = 300000 };

/* --- Content of matches ----------------------------------------------------------------------- */

StandardConfig standard_config(void) { return (StandardConfig){.ais = 2, .pace_ms = 100}; }

StandardServer *standard_server(Server *server) {
    return *protocol_server_data(server, &standard_protocol);
}

/* The configuration of the server. */
static const StandardConfig *config_of(const Server *server) {
    return protocol_config(server, &standard_protocol);
}

/* Loads the content of its matches. */
static bool open_server(Server *server, MashText *problem) {
    const MashGame *game = standard_game();
    const StandardConfig *config = config_of(server);
    MessageDocuments documents = {.count = config->documents_count};
    StandardServer *own = calloc(1, sizeof *own);
    *protocol_server_data(server, &standard_protocol) = own;
    if (own == NULL) {
        text_string(problem, "out of memory for the standard");
        return false;
    }
    if (game == NULL)
        return true;
    if (config->documents_count == 0) {
        own->content = content_of_preset(server, game, NULL);
        return true;
    }
    assert(config->documents_count <= MASH_DOCUMENTS_MAX);
    memcpy(documents.list, config->documents, config->documents_count * sizeof *config->documents);
    own->content = content_of_documents(server, game, game->presets[0].id, &documents, problem);
    if (own->content != NULL)
        content_retain(own->content);
    return own->content != NULL;
}

/* The server shuts down. */
static void close_server(Server *server) {
    StandardServer *own = standard_server(server);
    if (own == NULL)
        return;
    standard_elsewhere_close(own);
    free(own->events.bytes);
    free(own->state.bytes);
    free(own);
}

/* The value, clamped to what is allowed. */
static uint32_t within(uint32_t value, uint32_t least, uint32_t most) {
    return value < least ? least : value > most ? most : value;
}

/* The configuration's own times: 0 forbids pauses, but reconnecting is always possible. */
static TableConfig table_config(Server *server) {
    LoadedContent *loaded = standard_server(server)->content;
    const MashContent *content = loaded->content;
    const MashLimits *limits = &content->limits;
    TableConfig config;
    memset(&config, 0, sizeof config);
    config.content = loaded;
    config.clocks =
        (ClockLimits){.turn_ms = within(limits->turn_ms, 0, PROTO_DAY_MS),
                      .match_ms = within(limits->match_ms, 0, PROTO_DAY_MS),
                      .pause_ms = within(limits->pause_ms, 0, PROTO_DAY_MS),
                      .silence_ms = within(limits->silence_ms, SILENCE_LEAST_MS, PROTO_DAY_MS),
                      .grace_ms = within(limits->pause_ms, GRACE_LEAST_MS, GRACE_MOST_MS)};
    for (uint32_t i = 0; i < content->game->options_count; i++)
        config.options[i] = strcmp(content->game->options[i].id, "rules") == 0
                                ? config_of(server)->rules
                                : content->game->options[i].usual;
    return config;
}

/* --- Connecting and disconnecting ------------------------------------------------------------- */

/* "/match/CODE" names a table; anything else does not. */
static void read_path(StandardSession *client, const char *path) {
    static const char named[] = "/match/";
    const char *label = path + sizeof named - 1;
    if (strncmp(path, named, sizeof named - 1) != 0)
        return;
    size_t count =
        strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    client->nowhere = count == 0 || label[count] != '\0' || count >= sizeof client->label;
    if (!client->nowhere)
        memcpy(client->label, label, count + 1);
}

/* Connections at any path that no other protocol has. */
static uint16_t accept(Session *session, const NetRequest *request) {
    const StandardConfig *config = config_of(session->server);
    StandardSession *client = calloc(1, sizeof *client);
    session->protocol_data = client;
    if (client == NULL || standard_server(session->server)->content == NULL)
        return 503;
    session->pace_ms = config->pace_ms;
    client->fixed = config->framing != STANDARD_FRAMING_EACH;
    client->bare = config->framing == STANDARD_FRAMING_BARE;
    client->channel = strcmp(request->path, "/channel") == 0;
    standard_elsewhere_read(client, request->query);
    if (!client->fixed && client->channel)
        client->bare = client->fixed = true;
    read_path(client, request->path);
    return NET_ACCEPT;
}

bool standard_server_speaks(const Session *session) {
    return session != NULL && session->protocol == &standard_protocol;
}

StandardSession *standard_session(const Session *session) { return session->protocol_data; }

/* A client that floods the server or sends invalid WebSocket messages has broken the rules; one
 * that merely disconnected may reconnect. */
static void closed(Session *session, uint16_t code) {
    bool broken = code == NET_CLOSE_PROTOCOL || code == NET_CLOSE_INVALID_DATA ||
                  code == NET_CLOSE_POLICY || code == NET_CLOSE_TOO_BIG;
    if (broken && standard_session(session)->phase != STANDARD_SESSION_OVER)
        session_disqualify(session, MASH_REASON_INVALID, "protocol violation");
    standard_session(session)->phase = STANDARD_SESSION_OVER;
}

void standard_server_reject_frame(Session *session, const char *why) {
    standard_server_send_error(session, STANDARD_ERROR_UNEXPECTED, why);
    session_disqualify(session, MASH_REASON_INVALID, why);
    standard_server_send_goodbye(session, why, NET_CLOSE_POLICY);
}

/* Sends why there is no seat, and ends the connection. */
static void turn_away(Session *session, int32_t type, const char *why) {
    standard_server_send_error(session, type, why);
    standard_server_send_goodbye(session, why, NET_CLOSE_POLICY);
}

/* --- Identities ------------------------------------------------------------------------------- */

/* Name and device together, so that neither can be read from it. */
static void identify(StandardSession *client, const StandardMessage *hello) {
    MashText text = text_over(client->identity, sizeof client->identity);
    for (uint64_t i = 2; i > 0; i--) {
        uint64_t name = hash_bytes(i, hello->name, strlen(hello->name));
        text_hex(&text, hash_bytes(name, hello->device, strlen(hello->device)) | 1, 16);
    }
}

Table *standard_server_find_seat(const Session *session, uint8_t *seat) {
    for (Table *table = session->server->tables; table != NULL; table = table->next)
        for (uint8_t i = 0; table_is_running(table) && i < MASH_SEATS; i++)
            if (strcmp(table->chairs[i].identity, standard_session(session)->identity) == 0) {
                *seat = i;
                return table;
            }
    return NULL;
}

void standard_server_greet(Session *session) {
    StandardMessage answer = standard_new(STANDARD_LIST_MESSAGES, STANDARD_HELLO_CLIENT);
    uint8_t seat;
    standard_session(session)->phase = STANDARD_SESSION_READY;
    answer.flag = standard_server_find_seat(session, &seat) != NULL;
    standard_server_send(session, &answer);
}

/* A client sends its name and device in this message. */
static void hello(Session *session, const StandardMessage *message, const char *bytes,
                  uint32_t count) {
    StandardSession *client = standard_session(session);
    MashText name = text_over(session->name, sizeof session->name);
    text_string(&name, message->name);
    if (!session_sanitize(session->name)) {
        name = text_over(session->name, sizeof session->name);
        text_string(&name, "Player");
    }
    identify(client, message);
    if (!client->fixed && strncmp(message->device, "team26-", 7) == 0)
        client->bare = client->fixed = true;
    if (!standard_elsewhere_hello(session, bytes, count))
        standard_server_greet(session);
}

/* A client is asked whether it wants its former seat back, and answers yes or no. */
static void reconnect(Session *session, const StandardMessage *message) {
    uint8_t seat;
    Table *table = standard_server_find_seat(session, &seat);
    if (table == NULL) {
        turn_away(session, STANDARD_ERROR_LOST, "You have no match in progress.");
        return;
    }
    if (!message->flag) {
        if (table->chairs[seat].session == NULL)
            actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_LEFT);
        standard_server_send_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
        return;
    }
    const Chair *chair = &table->chairs[seat];
    session->role = chair->role;
    standard_session(session)->role =
        chair->role == PROTO_ROLE_AI ? STANDARD_ROLE_AI : STANDARD_ROLE_PLAYER;
    memcpy(session->name, chair->name, sizeof session->name);
    table_return(table, seat, session);
}

/* --- Finding a table -------------------------------------------------------------------------- */

/* The name by which clients of the standard find a table; "": none. */
static const char *label_of(Table *table) {
    const StandardServerTable *own = standard_server_table(table);
    return own == NULL ? "" : own->label;
}

/* The name by which other nodes find it. */
static const char *published_label(Table *table) {
    return standard_elsewhere_label(table, label_of(table));
}

/* Is a game of the standard played there? */
static bool speaks_standard(const Table *table) {
    return standard_server_adapter(table->config.content->content->game) != NULL;
}

/* The table of a label: a code of the arena, or a name that clients agreed on. */
static Table *find_named(Server *server, const char *label) {
    uint64_t number;
    Table *table = table_code_decode(label, &number) ? lobby_find(server, number) : NULL;
    if (table != NULL)
        return speaks_standard(table) ? table : NULL;
    for (table = server->tables; table != NULL; table = table->next)
        if (strcmp(label_of(table), label) == 0)
            return table;
    return NULL;
}

/* May this player join, given the limit of AI players? */
static bool fits_in(const Session *session, const Table *table) {
    uint32_t ais = standard_session(session)->role == STANDARD_ROLE_AI;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        ais += table->chairs[seat].taken && table->chairs[seat].role == PROTO_ROLE_AI;
    return ais <= config_of(session->server)->ais;
}

/* The client that opened the table must be present. */
static bool has_free_seat(const Session *session, const Table *table) {
    bool anybody = table->chairs[0].session != NULL || table->chairs[1].session != NULL;
    return table->state == PROTO_STATE_WAITING && anybody &&
           !(table->chairs[0].taken && table->chairs[1].taken) && fits_in(session, table);
}

/* The matching table that has waited longest. */
static Table *find_waiting(const Session *session, const TableConfig *config) {
    Table *found = NULL;
    for (Table *table = session->server->tables; table != NULL; table = table->next)
        if (has_free_seat(session, table) && table_config_equal(&table->config, config))
            found = table;
    return found;
}

/* Is there a match of the standard that is not over? */
static bool any_table(const Server *server) {
    for (const Table *table = server->tables; table != NULL; table = table->next)
        if (speaks_standard(table) && table->state != PROTO_STATE_OVER)
            return true;
    return false;
}

/* Names must differ, since some clients find their side by their name. */
static void sit(Table *table, Session *session) {
    uint8_t seat = table->chairs[0].taken ? 1 : 0;
    Chair *chair = &table->chairs[seat];
    const Chair *other = &table->chairs[1 - seat];
    table_sit(table, seat, session);
    memcpy(chair->identity, standard_session(session)->identity, sizeof chair->identity);
    standard_session(session)->phase = STANDARD_SESSION_TABLE;
    if (!other->taken || strcmp(other->name, chair->name) != 0)
        return;
    static const char second[] = " (2)";
    size_t room = sizeof chair->name - sizeof second, count = strlen(chair->name);
    while (count > room || (count > 0 && (chair->name[count] & 0xC0) == 0x80))
        count--;
    memcpy(chair->name + count, second, sizeof second);
    memcpy(session->name, chair->name, sizeof chair->name);
}

/* Spectators who came before any table was there. */
static void gather_spectators(Table *table) {
    Server *server = table->server;
    for (Session *session = server->sessions; session != NULL; session = session->next_all)
        if (standard_server_speaks(session) &&
            standard_session(session)->phase == STANDARD_SESSION_LOOKS && session->relay == NULL &&
            (standard_session(session)->label[0] == '\0' ||
             strcmp(standard_session(session)->label, label_of(table)) == 0))
            table_watch(table, session);
}

/* Opens a table with the standard's content for a client. */
static Table *open_table(Session *session) {
    Server *server = session->server;
    TableConfig config = table_config(server);
    config.quick = standard_session(session)->label[0] == '\0';
    Table *table = table_open(server, &config);
    StandardServerTable *own = table == NULL ? NULL : standard_server_table_new(table);
    if (own == NULL)
        return NULL;
    memcpy(own->label, standard_session(session)->label, sizeof own->label);
    table->claim = standard_session(session)->claim;
    return table;
}

uint64_t standard_server_kind(Server *server) {
    TableConfig config = table_config(server);
    config.quick = true;
    return lobby_kind(&config);
}

/* The table that a player finds without opening one. */
static Table *find_to_play(const Session *session) {
    const StandardSession *client = standard_session(session);
    TableConfig config = table_config(session->server);
    config.quick = true;
    return client->label[0] != '\0' ? find_named(session->server, client->label)
                                    : find_waiting(session, &config);
}

/* A player is ready: finds or opens a table for it. */
static void ready_player(Session *session) {
    Server *server = session->server;
    StandardSession *client = standard_session(session);
    uint64_t number;
    bool named = client->label[0] != '\0';
    Table *table = find_to_play(session);
    if (client->nowhere || (table == NULL && named && table_code_decode(client->label, &number))) {
        turn_away(session, STANDARD_ERROR_FULL, "Table not found.");
        return;
    }
    if (table != NULL && !has_free_seat(session, table)) {
        turn_away(session, STANDARD_ERROR_FULL, "That match is full.");
        return;
    }
    if (table == NULL && config_of(server)->single && any_table(server)) {
        turn_away(session, STANDARD_ERROR_FULL, "A match is already in progress.");
        return;
    }
    if (server_is_low(server)) {
        turn_away(session, STANDARD_ERROR_FULL, SERVER_LOW);
        return;
    }
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (!budget_may_sit(server, session->account, table, &text)) {
        turn_away(session, STANDARD_ERROR_FULL, reason);
        return;
    }
    if (table != NULL) {
        sit(table, session);
        if (table_begin(table))
            listing_change_now(table);
        return;
    }
    table = open_table(session);
    if (table == NULL) {
        turn_away(session, STANDARD_ERROR_FULL, "The server is full.");
        return;
    }
    sit(table, session);
    listing_change_now(table);
    gather_spectators(table);
}

/* The oldest running match, otherwise the oldest waiting table. */
static Table *find_to_watch(Server *server) {
    Table *running = NULL, *waiting = NULL;
    for (Table *table = server->tables; table != NULL; table = table->next) {
        if (!speaks_standard(table) || table->config.unlisted || label_of(table)[0] != '\0')
            continue;
        if (table_is_running(table))
            running = table;
        else if (table->state == PROTO_STATE_WAITING)
            waiting = table;
    }
    return running != NULL ? running : waiting;
}

Table *standard_server_find_table(const Session *session) {
    const StandardSession *client = standard_session(session);
    if (client->role != STANDARD_ROLE_SPECTATOR)
        return find_to_play(session);
    return client->label[0] != '\0' ? find_named(session->server, client->label)
                                    : find_to_watch(session->server);
}

/* A spectator is ready: finds a match to watch. */
static void ready_spectator(Session *session) {
    StandardSession *client = standard_session(session);
    Table *table = standard_server_find_table(session);
    if (client->nowhere) {
        turn_away(session, STANDARD_ERROR_FULL, "Table not found.");
        return;
    }
    client->phase = STANDARD_SESSION_LOOKS;
    if (table != NULL && table->state != PROTO_STATE_OVER)
        table_watch(table, session);
    else
        standard_elsewhere_watch(session);
}

void standard_server_settle(Session *session) {
    uint8_t seat;
    if (standard_session(session)->role == STANDARD_ROLE_SPECTATOR) {
        ready_spectator(session);
        return;
    }
    if (session->server->draining || session->server->closing) {
        turn_away(session, STANDARD_ERROR_FULL, "Server shutting down.");
        return;
    }
    Table *old = standard_server_find_seat(session, &seat);
    if (old != NULL && old->chairs[seat].session == NULL)
        actions_apply_as_server(old, MASH_VERB_FORFEIT, seat, MASH_REASON_LEFT);
    ready_player(session);
}

/* A client that starts anew while it could reconnect to a match resigns that match. */
static void ready(Session *session, const StandardMessage *message) {
    StandardSession *client = standard_session(session);
    if (!message->flag) {
        standard_server_send_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
        return;
    }
    client->role = message->role;
    session->role = message->role == STANDARD_ROLE_AI          ? PROTO_ROLE_AI
                    : message->role == STANDARD_ROLE_SPECTATOR ? PROTO_ROLE_WATCHER
                                                               : PROTO_ROLE_PERSON;
    if (!standard_elsewhere_ready(session))
        standard_server_settle(session);
}

/* A session is dismissed: the table is closed, its seat is taken over, it is kicked or the server
 * shuts down. */
static void part(Session *session, const Table *table, PartReason why, const char *sentence) {
    StandardSession *client = standard_session(session);
    (void)table;
    bool moves = why == PART_DRAIN && store_is_shared(session->server->store);
    if (why == PART_KICKED) {
        client->phase = STANDARD_SESSION_OVER;
    } else if (moves) { /* to another node: no goodbye, the player reconnects */
        client->phase = STANDARD_SESSION_OVER;
        net_close(session->connection, NET_CLOSE_TRY_AGAIN_LATER, sentence);
    } else if (why == PART_DRAIN)
        standard_server_send_goodbye(session, sentence, NET_CLOSE_GOING_AWAY);
    else if (client->phase == STANDARD_SESSION_OVER)
        net_close(session->connection, NET_CLOSE_NORMAL, sentence); /* if that is still to come */
    else if (client->role == STANDARD_ROLE_SPECTATOR && !session->server->draining) {
        client->phase = STANDARD_SESSION_LOOKS;
        standard_elsewhere_watch(session);
    } else
        standard_server_send_goodbye(session, sentence, NET_CLOSE_NORMAL);
}

/* --- Receiving ------------------------------------------------------------------------------- */

/* A frame that was read as JSON. */
typedef struct RequestFrame {
    Session *session;
    const char *bytes;
    uint32_t count;
    Json json;
    MashText pool;
    MashProblems problems;
} RequestFrame;

/* One request; false: the rest is dropped. */
static bool receive_request(RequestFrame *frame, uint32_t node) {
    Session *session = frame->session;
    StandardMessage request;
    StandardReadResult reading = standard_read(&frame->json, node, STANDARD_LIST_REQUESTS,
                                               &frame->pool, &request, &frame->problems);
    if (session->table == NULL || standard_session(session)->phase == STANDARD_SESSION_OVER)
        return false;
    budget_charge(session, session_action_cost(session));
    return standard_server_handle_request(session, reading, &request);
}

/* Before there is a table only keeping alive and leaving make sense. */
static bool waits(const Session *session) {
    return standard_session(session)->phase == STANDARD_SESSION_LOOKS ||
           (session->table != NULL && session->table->state == PROTO_STATE_WAITING);
}

/* A request before the match has begun: a goodbye is accepted, a request for the state waits, all
 * others are refused. */
static void receive_while_waiting(RequestFrame *frame, uint32_t node) {
    Session *session = frame->session;
    StandardMessage request;
    StandardReadResult reading = standard_read(&frame->json, node, STANDARD_LIST_REQUESTS,
                                               &frame->pool, &request, &frame->problems);
    if (reading == STANDARD_READ && request.row == STANDARD_REQUEST_DISCONNECT)
        standard_server_send_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
    else if (reading != STANDARD_READ || request.row != STANDARD_REQUEST_STATE)
        standard_server_reject_frame(session, "The match has not begun.");
}

/* One request without an envelope. Some clients put everything into envelopes but `Req`: that is
 * answered in the same form, and the form of other messages stays as it was. */
static void receive_bare(RequestFrame *frame) {
    Session *session = frame->session;
    StandardSession *client = standard_session(session);
    uint32_t type = json_member(&frame->json, 0, standard_type_key(STANDARD_LIST_REQUESTS));
    bool only_once = client->enveloped && json_equals(&frame->json, type, "Req");
    bool was_bare = client->bare;
    client->bare |= !client->fixed;
    if (waits(session))
        receive_while_waiting(frame, 0);
    else
        receive_request(frame, 0);
    if (only_once)
        client->bare = was_bare;
}

/* A frame of requests. The form of the last one decides the form of messages to the client, unless
 * that is fixed. */
static void receive_requests(RequestFrame *frame) {
    Session *session = frame->session;
    const Json *json = &frame->json;
    bool bare = json_member(json, 0, standard_type_key(STANDARD_LIST_REQUESTS)) != JSON_NONE;
    uint32_t list = bare ? JSON_NONE : json_member(json, 0, "messages");
    if (standard_session(session)->phase != STANDARD_SESSION_TABLE &&
        standard_session(session)->phase != STANDARD_SESSION_LOOKS) {
        standard_server_reject_frame(session, "That request came too early.");
        return;
    }
    if (!bare) {
        standard_session(session)->enveloped = true;
        standard_session(session)->bare &= standard_session(session)->fixed;
    }
    if (bare) {
        receive_bare(frame);
    } else if (list == JSON_NONE || json->nodes[list].kind != JSON_ARRAY) {
        standard_server_reject_frame(session, "REQUESTS must contain a list of messages.");
    } else {
        /* For the rate limit each further request counts as a message of its own; otherwise one
         * frame could hold hundreds. */
        uint32_t first = json_first(json, list);
        for (uint32_t node = first; node != JSON_NONE; node = json->nodes[node].next) {
            if (node != first && !budget_receive(session, 0))
                break;
            if (waits(session))
                receive_while_waiting(frame, node);
            else if (!receive_request(frame, node))
                break;
        }
    }
}

/* A message of the login phase. */
static void receive_message(RequestFrame *frame, StandardReadResult reading,
                            const StandardMessage *message) {
    Session *session = frame->session;
    const Table *table = session->table;
    StandardSessionPhase phase = standard_session(session)->phase;
    bool chooses = phase == STANDARD_SESSION_TABLE && session->seat < MASH_SEATS &&
                   table_is_running(table) &&
                   standard_server_adapter(table->match.content->game)
                       ->is_drafting(table->match.content, table->match.state, session->seat);
    if (message->row == STANDARD_CHARACTER_SELECTION && chooses)
        standard_server_select(session, reading, message);
    else if (message->row == STANDARD_ERROR)
        server_log(session->server, LOG_INFO, "%s reported an error", session->name);
    else if (reading != STANDARD_READ)
        standard_server_reject_frame(session, "A key of the message is missing or invalid.");
    else if (message->row == STANDARD_HELLO_SERVER && phase == STANDARD_SESSION_HELLO)
        hello(session, message, frame->bytes, frame->count);
    else if (message->row == STANDARD_RECONNECT && phase == STANDARD_SESSION_READY)
        reconnect(session, message);
    else if (message->row == STANDARD_PLAYER_READY && phase == STANDARD_SESSION_READY)
        ready(session, message);
    else
        standard_server_reject_frame(session, "Unexpected message.");
}

/* A message of a client. */
static void receive(Session *session, const char *bytes, uint32_t count) {
    Server *server = session->server;
    MashProblem list[SERVER_PROBLEMS_MAX];
    RequestFrame frame = {.session = session,
                          .bytes = bytes,
                          .count = count,
                          .pool = text_over(server->pool, MESSAGE_POOL_BYTES),
                          .problems = {.list = list, .max = SERVER_PROBLEMS_MAX}};
    StandardMessage message;
    if (bytes == NULL) {
        standard_server_send_error(session, STANDARD_ERROR_UNSUPPORTED,
                                   "Binary messages are not supported.");
        return;
    }
    if (standard_session(session)->phase == STANDARD_SESSION_OVER)
        return;
    session_mark_active(session);
    if (!json_read(&frame.json, "message", bytes, count, server->nodes, MESSAGE_NODES_MAX,
                   &frame.problems)) {
        standard_server_reject_frame(session, "Not valid JSON.");
        return;
    }
    if (json_member(&frame.json, 0, standard_type_key(STANDARD_LIST_REQUESTS)) != JSON_NONE) {
        receive_requests(&frame);
        return;
    }
    StandardReadResult reading = standard_read(&frame.json, 0, STANDARD_LIST_MESSAGES, &frame.pool,
                                               &message, &frame.problems);
    if (reading == STANDARD_UNKNOWN)
        standard_server_reject_frame(
            session, json_member(&frame.json, 0, "type") == JSON_NONE
                         ? "Unknown message."
                         : "Unknown message. The arena protocol is at the path /arena.");
    else if (message.row == STANDARD_REQUESTS)
        receive_requests(&frame);
    else
        receive_message(&frame, reading, &message);
}

const ServerProtocol standard_protocol = {
    .id = "standard",
    .open = open_server,
    .close = close_server,
    .accept = accept,
    .receive = receive,
    .dropped = standard_server_dropped,
    .joined = standard_server_joined,
    .acted = standard_server_acted,
    .notify = standard_server_notify,
    .part = part,
    .closed = closed,
    .clocks = standard_server_clocks,
    .label = published_label,
    .release = standard_server_release,
};
