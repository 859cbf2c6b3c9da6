/* sessions.c -- see standard.h: one connection that speaks the network standard, from its hello to
 * its place at a table. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "standard/server/internal.h"

enum { SILENCE_LEAST_MS = 3000, GRACE_LEAST_MS = 30000, GRACE_MOST_MS = 300000 };

/* --- What matches are played with ------------------------------------------------------------- */

/* The first game that speaks the standard. */
static const MashGame *game_of_standard(void) {
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if (standard_server_adapter(*game) != NULL)
            return *game;
    return NULL;
}

bool talk_open_house(Server *server, MashText *problem) {
    const MashGame *game = game_of_standard();
    const ServerStandard *setup = &server->setup.standard;
    MessageDocuments documents = {.count = setup->documents_count};
    if (game == NULL)
        return true;
    if (setup->documents_count == 0) {
        server->standard_content = content_of_preset(server, game, NULL);
        return true;
    }
    assert(setup->documents_count <= MASH_DOCUMENTS_MAX);
    memcpy(documents.list, setup->documents, setup->documents_count * sizeof *setup->documents);
    server->standard_content =
        content_of_documents(server, game, game->presets[0].id, &documents, problem);
    if (server->standard_content != NULL)
        content_retain(server->standard_content);
    return server->standard_content != NULL;
}

/* The value, cut to what is allowed. */
static uint32_t within(uint32_t value, uint32_t least, uint32_t most) {
    return value < least ? least : value > most ? most : value;
}

/* The configuration's own times: 0 forbids pauses, and the way back is open in any case. */
static TableConfig setting_of(Server *server) {
    const MashContent *content = server->standard_content->content;
    const MashLimits *terms = &content->limits;
    TableConfig setting;
    memset(&setting, 0, sizeof setting);
    setting.content = server->standard_content;
    setting.clocks =
        (ClockLimits){.turn_ms = within(terms->turn_ms, 0, PROTO_DAY_MS),
                      .match_ms = within(terms->match_ms, 0, PROTO_DAY_MS),
                      .pause_ms = within(terms->pause_ms, 0, PROTO_DAY_MS),
                      .silence_ms = within(terms->silence_ms, SILENCE_LEAST_MS, PROTO_DAY_MS),
                      .grace_ms = within(terms->pause_ms, GRACE_LEAST_MS, GRACE_MOST_MS)};
    for (uint32_t i = 0; i < content->game->options_count; i++)
        setting.options[i] = strcmp(content->game->options[i].id, "rules") == 0
                                 ? server->setup.standard.rules
                                 : content->game->options[i].usual;
    return setting;
}

/* --- Coming and going ------------------------------------------------------------------------- */

/* "/match/CODE" names a table; anything else does not. */
static void read_path(StandardSession *talk, const char *path) {
    static const char named[] = "/match/";
    const char *label = path + sizeof named - 1;
    if (strncmp(path, named, sizeof named - 1) != 0)
        return;
    size_t count =
        strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    talk->nowhere = count == 0 || label[count] != '\0' || count >= sizeof talk->label;
    if (!talk->nowhere)
        memcpy(talk->label, label, count + 1);
}

bool talk_open(Session *session, const char *path) {
    const ServerStandard *setup = &session->server->setup.standard;
    StandardSession *talk = calloc(1, sizeof *talk);
    session->protocol_data = talk;
    if (talk == NULL || session->server->standard_content == NULL)
        return false;
    talk->fixed = setup->framing != STANDARD_FRAMING_EACH;
    talk->bare = setup->framing == SERVER_DIALECT_BARE;
    if (!talk->fixed && strcmp(path, "/channel") == 0)
        talk->bare = talk->fixed = true;
    read_path(talk, path);
    return true;
}

/* Who floods the house or sends what is no WebSocket message at all has broken the rules; who is
 * merely gone may come back. */
void talk_close(Session *session, uint16_t code) {
    bool broken = code == NET_CLOSE_PROTOCOL || code == NET_CLOSE_INVALID_DATA ||
                  code == NET_CLOSE_POLICY || code == NET_CLOSE_TOO_BIG;
    if (broken && session->protocol_data->phase != TALK_OVER)
        talk_disqualify(session, "the connection was misused");
    session->protocol_data->phase = TALK_OVER;
}

void talk_cut(Session *session) { session->protocol_data->phase = TALK_OVER; }

void talk_hear_binary(Session *session) {
    standard_server_send_error(session, STANDARD_ERROR_UNSUPPORTED,
                               "Binary messages are not supported.");
}

void standard_server_reject_frame(Session *session, const char *why) {
    standard_server_send_error(session, STANDARD_ERROR_UNEXPECTED, why);
    talk_disqualify(session, why);
    standard_server_send_goodbye(session, why, NET_CLOSE_POLICY);
}

/* Tells why there is no place, and ends the connection. */
static void turn_away(Session *session, int32_t type, const char *why) {
    standard_server_send_error(session, type, why);
    standard_server_send_goodbye(session, why, NET_CLOSE_POLICY);
}

/* --- Identities ------------------------------------------------------------------------------- */

/* Name and device together, so that neither can be read from it. */
static void identify(StandardSession *talk, const StandardMessage *hello) {
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t name = hash_bytes(i + 1, hello->name, strlen(hello->name));
        talk->identity[i] = hash_bytes(name, hello->device, strlen(hello->device)) | 1;
    }
}

/* Do two clients have the same name and device? */
static bool same_identity(const uint64_t a[2], const uint64_t b[2]) {
    return a[0] == b[0] && a[1] == b[1];
}

/* The running match in which this identity has a seat; NULL: there is none. */
static Table *find_seat(const Session *session, uint8_t *seat) {
    for (Table *table = session->server->tables; table != NULL; table = table->next)
        for (uint8_t i = 0; table_is_running(table) && i < MASH_SEATS; i++)
            if (same_identity(table->chairs[i].identity, session->protocol_data->identity)) {
                *seat = i;
                return table;
            }
    return NULL;
}

/* A client says its name and what it is. */
static void hello(Session *session, const StandardMessage *message) {
    StandardSession *talk = session->protocol_data;
    MashText name = text_over(session->name, sizeof session->name);
    StandardMessage answer = standard_new(STANDARD_LIST_MESSAGES, STANDARD_HELLO_CLIENT);
    uint8_t seat;
    text_string(&name, message->name);
    if (!session_sanitize(session->name)) {
        name = text_over(session->name, sizeof session->name);
        text_string(&name, "Player");
    }
    identify(talk, message);
    if (!talk->fixed && strncmp(message->device, "team26-", 7) == 0)
        talk->bare = talk->fixed = true;
    session->said_hello = true;
    talk->phase = TALK_READY;
    answer.flag = find_seat(session, &seat) != NULL;
    standard_server_send(session, &answer);
}

/* A client is asked whether it comes back to the seat that it had, and says yes or no. */
static void reconnect(Session *session, const StandardMessage *message) {
    uint8_t seat;
    Table *table = find_seat(session, &seat);
    if (table == NULL) {
        turn_away(session, STANDARD_ERROR_LOST, "No running match has a seat for you.");
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
    session->protocol_data->role =
        chair->role == PROTO_ROLE_AI ? STANDARD_ROLE_AI : STANDARD_ROLE_PLAYER;
    memcpy(session->name, chair->name, sizeof session->name);
    table_return(table, seat, session);
}

/* --- Finding a table -------------------------------------------------------------------------- */

/* Is a game of the standard played there? */
static bool speaks_standard(const Table *table) {
    return standard_server_adapter(table->setting.content->content->game) != NULL;
}

/* The table of a label: a code of the arena, or a name that clients agreed on. */
static Table *find_named(Server *server, const char *label) {
    uint64_t number;
    Table *table = table_code_decode(label, &number) ? lobby_find(server, number) : NULL;
    if (table != NULL)
        return speaks_standard(table) ? table : NULL;
    for (table = server->tables; table != NULL; table = table->next)
        if (strcmp(table->label, label) == 0)
            return table;
    return NULL;
}

/* May this player sit there as far as the number of programs goes? */
static bool fits_in(const Session *session, const Table *table) {
    uint32_t ais = session->protocol_data->role == STANDARD_ROLE_AI;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        ais += table->chairs[seat].taken && table->chairs[seat].role == PROTO_ROLE_AI;
    return ais <= session->server->setup.standard.ais;
}

/* Who opened the table must be there. */
static bool has_free_seat(const Session *session, const Table *table) {
    bool anybody = table->chairs[0].session != NULL || table->chairs[1].session != NULL;
    return table->state == PROTO_STATE_WAITING && anybody &&
           !(table->chairs[0].taken && table->chairs[1].taken) && fits_in(session, table);
}

/* The table that has waited longest for just this. */
static Table *find_waiting(const Session *session, const TableConfig *setting) {
    Table *found = NULL;
    for (Table *table = session->server->tables; table != NULL; table = table->next)
        if (has_free_seat(session, table) && table_config_equal(&table->setting, setting))
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

/* Names differ, for some programs know by their name which side they are. */
static void sit(Table *table, Session *session) {
    uint8_t seat = table->chairs[0].taken ? 1 : 0;
    Chair *chair = &table->chairs[seat];
    const Chair *other = &table->chairs[1 - seat];
    table_sit(table, seat, session);
    memcpy(chair->identity, session->protocol_data->identity, sizeof chair->identity);
    session->protocol_data->phase = TALK_TABLE;
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
        if (talk_speaks(session) && session->protocol_data->phase == TALK_LOOKS &&
            (session->protocol_data->label[0] == '\0' ||
             strcmp(session->protocol_data->label, table->label) == 0))
            table_watch(table, session);
}

/* Opens a table with the standard's content for a client. */
static Table *open_table(Session *session) {
    Server *server = session->server;
    TableConfig setting = setting_of(server);
    setting.quick = session->protocol_data->label[0] == '\0';
    Table *table = table_open(server, &setting);
    if (table != NULL)
        memcpy(table->label, session->protocol_data->label, sizeof table->label);
    return table;
}

/* A player is ready: finds or opens a table for it. */
static void ready_player(Session *session) {
    Server *server = session->server;
    StandardSession *talk = session->protocol_data;
    TableConfig setting = setting_of(server);
    uint64_t number;
    setting.quick = true;
    bool named = talk->label[0] != '\0';
    Table *table = named ? find_named(server, talk->label) : find_waiting(session, &setting);
    if (talk->nowhere || (table == NULL && named && table_code_decode(talk->label, &number))) {
        turn_away(session, STANDARD_ERROR_FULL, "There is no such table.");
        return;
    }
    if (table != NULL && !has_free_seat(session, table)) {
        turn_away(session, STANDARD_ERROR_FULL, "No seat is free at this table.");
        return;
    }
    if (table == NULL && server->setup.standard.single && any_table(server)) {
        turn_away(session, STANDARD_ERROR_FULL, "A match is on already.");
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
        table_begin(table);
        return;
    }
    table = open_table(session);
    if (table == NULL) {
        turn_away(session, STANDARD_ERROR_FULL, "The house is full.");
        return;
    }
    sit(table, session);
    gather_spectators(table);
}

/* The oldest running match, else the oldest table that waits. */
static Table *find_to_watch(Server *server) {
    Table *running = NULL, *waiting = NULL;
    for (Table *table = server->tables; table != NULL; table = table->next) {
        if (!speaks_standard(table) || table->setting.unlisted || table->label[0] != '\0')
            continue;
        if (table_is_running(table))
            running = table;
        else if (table->state == PROTO_STATE_WAITING)
            waiting = table;
    }
    return running != NULL ? running : waiting;
}

/* A spectator is ready: finds a match to watch. */
static void ready_spectator(Session *session) {
    StandardSession *talk = session->protocol_data;
    Server *server = session->server;
    Table *table = talk->label[0] != '\0' ? find_named(server, talk->label) : find_to_watch(server);
    if (talk->nowhere) {
        turn_away(session, STANDARD_ERROR_FULL, "There is no such table.");
        return;
    }
    talk->phase = TALK_LOOKS;
    if (table != NULL && table->state != PROTO_STATE_OVER)
        table_watch(table, session);
}

/* Who begins anew while the way back to a match is open gives that match up. */
static void ready(Session *session, const StandardMessage *message) {
    uint8_t seat;
    StandardSession *talk = session->protocol_data;
    if (!message->flag) {
        standard_server_send_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
        return;
    }
    talk->role = message->role;
    session->role = message->role == STANDARD_ROLE_AI          ? PROTO_ROLE_AI
                    : message->role == STANDARD_ROLE_SPECTATOR ? PROTO_ROLE_WATCHER
                                                               : PROTO_ROLE_PERSON;
    if (message->role == STANDARD_ROLE_SPECTATOR) {
        ready_spectator(session);
        return;
    }
    if (session->server->draining || session->server->closing) {
        turn_away(session, STANDARD_ERROR_FULL, "The house closes.");
        return;
    }
    Table *old = find_seat(session, &seat);
    if (old != NULL && old->chairs[seat].session == NULL)
        actions_apply_as_server(old, MASH_VERB_FORFEIT, seat, MASH_REASON_LEFT);
    ready_player(session);
}

void talk_part(Session *session, const char *reason) {
    StandardSession *talk = session->protocol_data;
    if (talk->phase == TALK_OVER) {
        net_close(session->connection, NET_CLOSE_NORMAL, reason); /* if that is still to come */
        return;
    }
    if (talk->role == STANDARD_ROLE_SPECTATOR && !session->server->draining) {
        talk->phase = TALK_LOOKS;
        return;
    }
    standard_server_send_goodbye(session, reason, NET_CLOSE_NORMAL);
}

/* --- Hearing ---------------------------------------------------------------------------------- */

/* A frame that was read as JSON. */
typedef struct Frame {
    Session *session;
    Json json;
    MashText pool;
    MashProblems problems;
} Frame;

/* One request; false: the rest is dropped. */
static bool hear_request(Frame *frame, uint32_t node) {
    Session *session = frame->session;
    StandardMessage request;
    StandardReadResult reading = standard_read(&frame->json, node, STANDARD_LIST_REQUESTS,
                                               &frame->pool, &request, &frame->problems);
    if (session->table == NULL || session->protocol_data->phase == TALK_OVER)
        return false;
    budget_charge(session, session_action_cost(session));
    return standard_server_handle_request(session, reading, &request);
}

/* Before there is a table only keeping alive and leaving make sense. */
static bool waits(const Session *session) {
    return session->protocol_data->phase == TALK_LOOKS ||
           (session->table != NULL && session->table->state == PROTO_STATE_WAITING);
}

/* A request before the match has begun: a goodbye is taken, a question for the state waits, all
 * else is refused. */
static void hear_while_waiting(Frame *frame, uint32_t node) {
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
 * answered in kind, and what they are told otherwise stays as it was. */
static void hear_bare(Frame *frame) {
    Session *session = frame->session;
    StandardSession *talk = session->protocol_data;
    uint32_t type = json_member(&frame->json, 0, standard_type_key(STANDARD_LIST_REQUESTS));
    bool only_once = talk->enveloped && json_equals(&frame->json, type, "Req");
    bool was_bare = talk->bare;
    talk->bare |= !talk->fixed;
    if (waits(session))
        hear_while_waiting(frame, 0);
    else
        hear_request(frame, 0);
    if (only_once)
        talk->bare = was_bare;
}

/* A frame of requests. The form of the last one decides in which form the client is spoken to,
 * unless that is fixed. */
static void hear_requests(Frame *frame) {
    Session *session = frame->session;
    const Json *json = &frame->json;
    bool bare = json_member(json, 0, standard_type_key(STANDARD_LIST_REQUESTS)) != JSON_NONE;
    uint32_t list = bare ? JSON_NONE : json_member(json, 0, "messages");
    if (session->protocol_data->phase != TALK_TABLE &&
        session->protocol_data->phase != TALK_LOOKS) {
        standard_server_reject_frame(session, "A request comes before its time.");
        return;
    }
    if (!bare) {
        session->protocol_data->enveloped = true;
        session->protocol_data->bare &= session->protocol_data->fixed;
    }
    if (bare) {
        hear_bare(frame);
    } else if (list == JSON_NONE || json->nodes[list].kind != JSON_ARRAY) {
        standard_server_reject_frame(session, "REQUESTS has no list of messages.");
    } else {
        /* Each one more is a message of its own, or one frame would be hundreds for the price of
         * one. */
        uint32_t first = json_first(json, list);
        for (uint32_t node = first; node != JSON_NONE; node = json->nodes[node].next) {
            if (node != first && !budget_hear(session, 0))
                break;
            if (waits(session))
                hear_while_waiting(frame, node);
            else if (!hear_request(frame, node))
                break;
        }
    }
}

/* A message of the login phase. */
static void hear_message(Session *session, StandardReadResult reading,
                         const StandardMessage *message) {
    const Table *table = session->table;
    StandardSessionPhase phase = session->protocol_data->phase;
    bool chooses = phase == TALK_TABLE && session->seat < MASH_SEATS && table_is_running(table) &&
                   standard_server_adapter(table->match.content->game)
                       ->is_drafting(table->match.content, table->match.state, session->seat);
    if (message->row == STANDARD_CHARACTER_SELECTION && chooses)
        talk_choose(session, reading, message);
    else if (message->row == STANDARD_ERROR)
        server_log(session->server, LOG_INFO, "%s says that something is wrong", session->name);
    else if (reading != STANDARD_READ)
        standard_server_reject_frame(session, "A key of that message is missing or wrong.");
    else if (message->row == STANDARD_HELLO_SERVER && phase == TALK_HELLO)
        hello(session, message);
    else if (message->row == STANDARD_RECONNECT && phase == TALK_READY)
        reconnect(session, message);
    else if (message->row == STANDARD_PLAYER_READY && phase == TALK_READY)
        ready(session, message);
    else
        standard_server_reject_frame(session, "That message was not expected now.");
}

void talk_hear(Session *session, const char *bytes, uint32_t count) {
    Server *server = session->server;
    MashProblem list[SERVER_PROBLEMS_MAX];
    Frame frame = {.session = session,
                   .pool = text_over(server->pool, MESSAGE_POOL_BYTES),
                   .problems = {.list = list, .max = SERVER_PROBLEMS_MAX}};
    StandardMessage message;
    if (session->protocol_data->phase == TALK_OVER)
        return;
    session_mark_active(session);
    if (!json_read(&frame.json, "message", bytes, count, server->nodes, MESSAGE_NODES_MAX,
                   &frame.problems)) {
        standard_server_reject_frame(session, "That is no JSON.");
        return;
    }
    if (json_member(&frame.json, 0, standard_type_key(STANDARD_LIST_REQUESTS)) != JSON_NONE) {
        hear_requests(&frame);
        return;
    }
    StandardReadResult reading = standard_read(&frame.json, 0, STANDARD_LIST_MESSAGES, &frame.pool,
                                               &message, &frame.problems);
    if (reading == STANDARD_UNKNOWN)
        standard_server_reject_frame(session, "That is no message of the standard.");
    else if (message.row == STANDARD_REQUESTS)
        hear_requests(&frame);
    else
        hear_message(session, reading, &message);
}
