/* elsewhere.c -- see internal.h: clients of the standard whose table is at another node of a shared
 * store. The standard has no message that sends them there, so they stay connected here and are
 * relayed (server/relay.h).
 *
 * The store is asked, in this order, when a client says hello: for the match in which its identity
 * has a seat; when it is ready: for the table of its code or label, else for the node where such
 * players wait (`store_claim`): the first of them makes it this node, and all others follow. While
 * a node is being replaced, or the database does not answer, the client simply waits for its
 * answer. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "standard/server/internal.h"

/* The time between two questions about one client, and how many there are before it continues here:
 * half a minute, longer than it takes to replace a node or a database. */
enum { TICK_MS = 500, TRIES = 60 };

/* The label of all tables that spectators without a label may watch; no label of a client has this
 * character. */
static const char anything[] = "*";

const char *standard_elsewhere_label(Table *table, const char *label) {
    bool plain = label[0] == '\0' && !table->config.unlisted &&
                 standard_server_adapter(table->config.content->content->game) != NULL;
    return plain ? anything : label;
}

void standard_elsewhere_read(StandardSession *client, const char *query) {
    client->settled = strstr(query, "relayed=ready") != NULL;
    client->known = client->settled || strstr(query, "relayed=hello") != NULL;
    client->channel = client->channel || strstr(query, "channel=1") != NULL;
}

void standard_elsewhere_close(StandardServer *own) { net_timer_close(own->timer); }

static void ask(Session *session);

/* Is it a spectator who looks for a match? */
static bool is_watching(const Session *session) {
    StandardStep step = standard_session(session)->step;
    return step == STANDARD_STEP_RUNNING || step == STANDARD_STEP_WAITING;
}

/* --- Again ------------------------------------------------------------------------------------ */

/* Asks about all clients that wait for that. */
static void on_tick(void *owner) {
    Server *server = owner;
    standard_server(server)->ticks = false;
    if (server->draining)
        return;
    for (Session *session = server->sessions; session != NULL; session = session->next_all) {
        if (!standard_server_speaks(session) || !standard_session(session)->again)
            continue;
        standard_session(session)->again = false;
        if (session->table != NULL)
            continue; /* a spectator has found one here */
        if (is_watching(session) && standard_server_find_table(session) != NULL)
            standard_server_settle(session); /* there is one here by now */
        else
            ask(session);
    }
}

/* Asks about the client once more, after a moment. */
static void ask_again(Session *session) {
    StandardServer *own = standard_server(session->server);
    standard_session(session)->again = true;
    if (own->timer == NULL)
        own->timer = net_timer_open(session->server->loop, on_tick, session->server);
    if (own->timer != NULL && !own->ticks)
        net_timer_start(own->timer, TICK_MS);
    own->ticks = own->timer != NULL;
}

/* --- Passing on ------------------------------------------------------------------------------- */

/* The other node has closed the connection, or is lost. A client that was not answered is asked
 * about again; a spectator of a match that is gone with its node looks for another; otherwise the
 * connection ends as it would have there, and a player reconnects. */
static void ended(Session *session, bool answered, uint16_t code, const char *reason) {
    StandardSession *client = standard_session(session);
    bool goes_on = code == NET_CLOSE_NO_STATUS || code == NET_CLOSE_ABNORMAL ||
                   code == NET_CLOSE_GOING_AWAY; /* with another node */
    if (is_watching(session) && (goes_on || !answered)) {
        relay_release(session);
        ask_again(session);
        return;
    }
    if (!answered && client->tries > 0) {
        client->tries--;
        ask_again(session);
        return;
    }
    client->phase = STANDARD_SESSION_OVER;
    net_close(session->connection, goes_on ? NET_CLOSE_TRY_AGAIN_LATER : code, reason);
}

/* The path at the other node: of the table, if it is known. */
static void write_path(const StandardSession *client, uint64_t table, MashText *path) {
    char code[PROTO_CODE_MAX + 1];
    if (table != 0) {
        table_code_encode(table, code);
        text_format(path, "/match/%s", code);
    } else if (client->label[0] != '\0') {
        text_format(path, "/match/%s", client->label);
    } else {
        text_byte(path, '/');
    }
    text_format(path, "?relayed=%s%s", client->step == STANDARD_STEP_HELLO ? "hello" : "ready",
                client->channel ? "&channel=1" : "");
}

/* Relays the client to this node. False: that is not possible. */
static bool pass_on(Session *session, const StorePlace *place, uint64_t table) {
    const StandardSession *client = standard_session(session);
    char target[128], memory[256];
    MashText path = text_over(target, sizeof target), text = text_over(memory, sizeof memory);
    StandardMessage ready = standard_new(STANDARD_LIST_MESSAGES, STANDARD_PLAYER_READY);
    ready.flag = true;
    ready.role = client->role;
    write_path(client, table, &path);
    standard_write(&ready, &text);
    RelayPlace to = {.peer = place->peer,
                     .path = target,
                     .lead = {client->hello},
                     .lead_counts = {client->hello_count},
                     .ended = ended};
    if (client->step != STANDARD_STEP_HELLO) {
        to.lead[1] = memory;
        to.lead_counts[1] = text.count;
        to.answers = 1; /* the client has the answer to its hello */
    }
    return relay_hold(session) && relay_connect(session, &to);
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* No other node has anything for the client: it continues here, with what it has sent meanwhile. */
static void go_on_here(Session *session) {
    StandardStep step = standard_session(session)->step;
    standard_session(session)->step = STANDARD_STEP_NONE;
    if (step == STANDARD_STEP_HELLO)
        standard_server_greet(session);
    else
        standard_server_settle(session);
    if (session->relay != NULL)
        relay_release(session);
}

/* No node has it: asks the next question, or the client continues here. */
static void ask_next(Session *session) {
    StandardSession *client = standard_session(session);
    if (client->step == STANDARD_STEP_LABEL) {
        client->step = STANDARD_STEP_CLAIM;
        ask(session);
    } else if (client->step == STANDARD_STEP_RUNNING) {
        client->step = STANDARD_STEP_WAITING;
        ask(session);
    } else if (client->step == STANDARD_STEP_WAITING) {
        client->step = STANDARD_STEP_RUNNING;
        ask_again(session); /* until there is a match */
    } else {
        go_on_here(session);
    }
}

/* Is what was found here by now? */
static bool is_here(const Session *session) {
    uint8_t seat;
    return standard_session(session)->step == STANDARD_STEP_HELLO
               ? standard_server_find_seat(session, &seat) != NULL
               : standard_server_find_table(session) != NULL;
}

/* The store has answered where the client's match, table or opponents are. */
static void answer(Ask *ask_) {
    Session *session = ask_->session;
    StandardSession *client = session == NULL ? NULL : standard_session(session);
    const StorePlace *place = &ask_->place;
    if (session == NULL || client->phase == STANDARD_SESSION_OVER ||
        client->step == STANDARD_STEP_NONE || session->table != NULL)
        return;
    bool claims = client->step == STANDARD_STEP_CLAIM, found = ask_->where == STORE_OK;
    bool elsewhere = found && place->open && !place->here && !client->settled;
    uint64_t table = ask_->tables_count == 1              ? ask_->tables->match
                     : client->step == STANDARD_STEP_CODE ? ask_->match
                                                          : 0;
    if (client->step == STANDARD_STEP_HELLO)
        table = 0; /* it is found by its identity there as well */
    if (claims && found && place->here)
        client->claim = ask_->match;
    if (elsewhere && place->peer[0] != '\0' && pass_on(session, place, table))
        return;
    if (ask_->where == STORE_UNKNOWN)
        ask_next(session);
    else if (claims || is_here(session) || client->tries == 0)
        go_on_here(session);
    else {
        client->tries--;
        ask_again(session); /* it is moving, or the store could not answer */
    }
}

/* Asks the store what the step wants to know. */
static void ask(Session *session) {
    enum { WAITING = 1 << PROTO_STATE_WAITING, RUNNING = 1 << PROTO_STATE_RUNNING };
    const StandardSession *client = standard_session(session);
    Ask question = {.kind = ASK_TABLE, .answer = answer, .states = WAITING | RUNNING};
    switch (client->step) {
    case STANDARD_STEP_HELLO:
        question.match = listing_key(client->identity);
        question.states = RUNNING;
        break;
    case STANDARD_STEP_CODE:
        question.kind = ASK_WHETHER;
        table_code_decode(client->label, &question.match);
        break;
    case STANDARD_STEP_LABEL:
        question.match = listing_key(client->label);
        break;
    case STANDARD_STEP_CLAIM:
        question.kind = ASK_CLAIM;
        question.match = client->label[0] == '\0' ? standard_server_kind(session->server)
                                                  : hash_number(listing_key(client->label), 1);
        break;
    default:
        question.match = listing_key(client->label[0] == '\0' ? anything : client->label);
        question.states = client->step == STANDARD_STEP_RUNNING ? RUNNING : WAITING;
    }
    Ask *asked = reader_ask(session->server, session->address, &question);
    if (asked == NULL)
        ask_again(session);
    else
        asked->session = session;
}

/* Begins with a step. False: the client's messages cannot be held. */
static bool begin(Session *session, StandardStep step) {
    if (!relay_hold(session))
        return false;
    standard_session(session)->step = step;
    standard_session(session)->tries = TRIES;
    ask(session);
    return true;
}

bool standard_elsewhere_hello(Session *session, const char *bytes, uint32_t count) {
    StandardSession *client = standard_session(session);
    uint8_t seat;
    if (!store_is_shared(session->server->store))
        return false;
    StandardSession *longer = realloc(client, sizeof *client + count);
    if (longer == NULL)
        return false;
    session->protocol_data = longer;
    memcpy(longer->hello, bytes, count);
    longer->hello_count = count;
    return !longer->known && standard_server_find_seat(session, &seat) == NULL &&
           begin(session, STANDARD_STEP_HELLO);
}

bool standard_elsewhere_ready(Session *session) {
    const StandardSession *client = standard_session(session);
    uint64_t number;
    bool named = client->label[0] != '\0';
    bool coded = named && table_code_decode(client->label, &number);
    if (!store_is_shared(session->server->store) || client->nowhere ||
        standard_server_find_table(session) != NULL || (client->settled && named) ||
        (client->role == STANDARD_ROLE_SPECTATOR && !coded))
        return false;
    return begin(session, coded   ? STANDARD_STEP_CODE
                          : named ? STANDARD_STEP_LABEL
                                  : STANDARD_STEP_CLAIM);
}

void standard_elsewhere_watch(Session *session) {
    StandardSession *client = standard_session(session);
    if (!store_is_shared(session->server->store) || session->server->draining)
        return;
    if (client->settled) { /* the node that relays it looks for another match */
        net_close(session->connection, NET_CLOSE_GOING_AWAY, "the match is over");
        return;
    }
    client->step = STANDARD_STEP_RUNNING;
    ask(session);
}
