/* client.c -- connecting, reconnecting, and messages; see client.h. */
#include "client/client.h"

#include <stdlib.h>
#include <string.h>

#include "client/internal.h"

enum {
    STEADY_MS = 1000,      /* a connection that lasted this long counts as good */
    MOVING_MOST_MS = 1000, /* the longest pause while the table is moving */
    FOLLOWS_MAX = 3,       /* nodes in a row to which it goes at once */
    GRACE_MORE_MS = 5000,  /* the server's clock may have begun later */
    REQUEST_BYTES = 4096,
    REQUEST_BYTES_MAX = 8 << 20,
    PROBLEMS_MAX = 2,
};

/* --- Callbacks -------------------------------------------------------------------------------- */

/* A callback begins: the client stays in memory until it returns. */
static void enter(Client *client) { client->calls++; }

/* The client may have been closed meanwhile: it is freed when no callback is running. */
static void leave(Client *client) {
    if (--client->calls == 0 && client->closed)
        free(client);
}

/* Sets the state and notifies the owner. */
static void set_state(Client *client, ClientState state, const char *why) {
    client->state = state;
    if (client->setup.calls.on_state != NULL)
        client->setup.calls.on_state(client->setup.owner, client, state, why);
}

/* Passes a message to the owner. */
static void notify(Client *client, const Message *message) {
    const ClientCallbacks *calls = &client->setup.calls;
    void *owner = client->setup.owner;
    MessageKind kind = message->kind;
    bool left = kind == MESSAGE_SERVER_DONE && strcmp(message->done.to, "leave") == 0;
    bool gone = kind == MESSAGE_SERVER_TAKEN || kind == MESSAGE_SERVER_CLOSED;
    if (client->closed)
        return;
    if (kind == MESSAGE_SERVER_TABLE && calls->on_table != NULL) {
        calls->on_table(owner);
    } else if (kind == MESSAGE_SERVER_POSITION && calls->on_position != NULL) {
        if (client->table.view != NULL)
            calls->on_position(owner);
    } else if ((left || gone) && calls->on_left != NULL) {
        calls->on_left(owner, left ? "left" : "closed");
    } else if (calls->on_message != NULL) {
        calls->on_message(owner, client, message);
    }
}

/* --- Client messages -------------------------------------------------------------------------- */

/* There is no request for a table any more. */
static void forget_entry(Client *client) {
    free(client->entry);
    client->entry = NULL;
}

/* Remembers a request for a table until it is answered: the table may be at another node. Without
 * memory for that the client cannot follow it there. */
static void keep_entry(Client *client, MessageKind kind, const MashText *text) {
    if (kind != MESSAGE_CLIENT_JOIN && kind != MESSAGE_CLIENT_WATCH && kind != MESSAGE_CLIENT_SEEK)
        return;
    forget_entry(client);
    client->entry = malloc(text->count);
    client->entry_bytes = text->count;
    if (client->entry != NULL)
        memcpy(client->entry, text->bytes, text->count);
}

/* Sends a message, also before the server has accepted us. */
static bool transmit(Client *client, const Message *message) {
    if (client->connection == NULL)
        return false;
    for (size_t bytes = REQUEST_BYTES; bytes <= REQUEST_BYTES_MAX; bytes *= 8) {
        char *memory = client_buffer_reserve(&client->shared->text, bytes);
        if (memory == NULL)
            return false;
        MashText text = text_over(memory, (uint32_t)client->shared->text.count);
        message_write(message, &text);
        if (text.truncated)
            continue;
        keep_entry(client, message->kind, &text);
        return net_send_text(client->connection, text.bytes, text.count);
    }
    return false;
}

/* Before the seat is ours again an action would be refused, and a refusal then means that the seat
 * is lost. */
bool client_send(Client *client, const Message *message) {
    return client->state == CLIENT_CONNECTED && transmit(client, message);
}

bool client_send_simple(Client *client, MessageKind kind) {
    Message message = message_new(kind);
    return client_send(client, &message);
}

bool client_act(Client *client, MashAction action) {
    Message message = message_new(MESSAGE_CLIENT_ACT);
    MashText digits = text_over(message.act.action, sizeof message.act.action);
    message.act.position = (int32_t)client->table.number;
    action_to_hex(action, &digits);
    message_set_present(&message, "action");
    return client_send(client, &message);
}

/* Sends `hello`: name, role and version of the protocol, and that views are wanted as bytes. */
static void say_hello(Client *client) {
    Message hello = message_new(MESSAGE_CLIENT_HELLO);
    memcpy(hello.hello.name, client->name, sizeof hello.hello.name);
    hello.hello.role = client->setup.role;
    hello.hello.view = PROTO_FORM_BYTES;
    hello.hello.protocol = PROTO_VERSION;
    message_set_present(&hello, "view");
    message_set_present(&hello, "protocol");
    transmit(client, &hello);
}

/* Returns to the seat, or to watching the table, before the connection was lost. False: there was
 * none. */
static bool resume(Client *client) {
    if (client->table.token[0] != '\0') {
        Message message = message_new(MESSAGE_CLIENT_RETURN);
        memcpy(message.return_seat.token, client->table.token, sizeof message.return_seat.token);
        message_set_present(&message, "token");
        return transmit(client, &message);
    }
    if (client->entry != NULL)
        return net_send_text(client->connection, client->entry, client->entry_bytes);
    if (client->table.code[0] != '\0') {
        Message message = message_new(MESSAGE_CLIENT_WATCH);
        memcpy(message.watch.code, client->table.code, sizeof message.watch.code);
        return transmit(client, &message);
    }
    return false;
}

/* --- Connecting and reconnecting -------------------------------------------------------------- */

/* How long to try to reconnect: the server keeps a seat for the grace time. */
static uint64_t reconnect_window_ms(const Client *client) {
    bool there = client->table.code[0] != '\0';
    uint64_t grace = there ? (uint64_t)client->table.grace_ms + GRACE_MORE_MS : 0;
    return grace > client->setup.reconnect_ms ? grace : client->setup.reconnect_ms;
}

/* Closes the client permanently: ends the connection and tells the owner why. No try is due: there
 * is one only while there is no connection. */
static void close_for_good(Client *client, const char *why) {
    client_hang_up(&client->connection);
    set_state(client, CLIENT_CLOSED, why);
}

/* How long to wait before the next try. `moving`: the table is, or its node was just lost. Where a
 * node was named there is nothing to wait for, unless the nodes send each other's clients around.
 */
static uint64_t retry_pause_ms(Client *client, bool moving) {
    bool follows = client->named && client->follows < FOLLOWS_MAX;
    client->named = false;
    client->follows += follows;
    uint64_t pause_ms = client_backoff_ms(client->shared->loop, follows ? 1 : client->tries);
    if (!moving || pause_ms <= MOVING_MOST_MS)
        return pause_ms;
    uint64_t random; /* they were all lost in the same moment */
    net_random(client->shared->loop, &random, sizeof random);
    return MOVING_MOST_MS / 2 + random % (MOVING_MOST_MS / 2 + 1);
}

/* The connection is lost or failed: tries again after a pause, if there is time left. */
static void schedule_retry(Client *client, const char *why) {
    uint64_t now = net_now_ms(client->shared->loop);
    if (client->state == CLIENT_CONNECTING && !client->setup.retry_first && !client->moved) {
        close_for_good(client, why);
        return;
    }
    /* A node that was named and does not answer is lost: others will have its tables soon. */
    bool moving = client->moving ||
                  (client->state != CLIENT_CONNECTED && strcmp(client->url, client->home) != 0);
    if (!client->moving) { /* any node behind the first address knows where the table is */
        memcpy(client->url, client->home, sizeof client->url);
        if (client->state == CLIENT_CONNECTED)
            forget_entry(client);
    }
    client->moving = false;
    if (client->state == CLIENT_CONNECTED && now - client->here_ms >= STEADY_MS)
        client->tries = 0;
    if (client->tries == 0)
        client->lost_ms = now;
    if (now - client->lost_ms > reconnect_window_ms(client)) {
        close_for_good(client, why);
        return;
    }
    client->tries++;
    client->resuming = false;
    net_timer_start(client->timer, retry_pause_ms(client, moving));
    if (client->state == CLIENT_CONNECTED)
        set_state(client, CLIENT_RECONNECTING, why);
    else if (client->state == CLIENT_CONNECTING && client->tries == 1)
        set_state(client, CLIENT_CONNECTING, why);
}

/* Is the address one with TLS? */
static bool is_secure(const char *url) { return strncmp(url, "wss:", strlen("wss:")) == 0; }

/* The table is at another node: connects there, or, if it is just moving, asks again in a moment.
 * The address is taken as it stands; but who came without TLS, from inside perhaps, reaches a node
 * whose address has it like the first one: by its number. */
static void receive_moved(Client *client, const Message *message) {
    MashText url = text_over(client->url, sizeof client->url);
    bool known = message_has(message, "node");
    client->moved = client->moving = true;
    client->named = known && client->followed != message->moved.node;
    client->followed = known ? message->moved.node : client->followed;
    if (known && message_has(message, "url") &&
        (is_secure(client->home) || !is_secure(message->moved.url))) {
        text_string(&url, message->moved.url);
    } else {
        text_string(&url, client->home);
        if (known)
            text_format(&url, "%cnode=%d", strchr(client->home, '?') == NULL ? '?' : '&',
                        (int)message->moved.node);
    }
    if (url.truncated)
        memcpy(client->url, client->home, sizeof client->url);
    client_cut(client);
}

/* Connected, and back at the old table if there was one. */
static void on_welcome(Client *client) {
    client->resuming = false;
    client->here_ms = net_now_ms(client->shared->loop);
    client->follows = 0;
    client->followed = 0;
    set_state(client, CLIENT_CONNECTED, "connected");
}

/* --- Server messages ------------------------------------------------------------------------- */

/* Handles `welcome`: returns to the seat, if there is one. Another protocol version closes the
 * client. */
static void receive_welcome(Client *client, const Message *message) {
    if (message->welcome.protocol != PROTO_VERSION) {
        close_for_good(client, "the server uses a different protocol version");
        return;
    }
    client->resuming = resume(client);
    if (!client->resuming)
        on_welcome(client);
    notify(client, message);
}

/* Is the refusal this one? */
static bool is_code(const Message *message, Refusal refusal) {
    return strcmp(message->refused.code, refusal_code(refusal)) == 0;
}

/* Is the refusal temporary? */
static bool is_passing(const Message *message) {
    return is_code(message, REFUSAL_FULL) || is_code(message, REFUSAL_CLOSING) ||
           is_code(message, REFUSAL_TOO_FAST);
}

/* A refusal while connecting: of `hello`, of the seat, of watching the table. */
static void receive_refusal_outside(Client *client, const Message *message) {
    bool first = client->state == CLIENT_CONNECTING && !client->setup.retry_first;
    if (is_passing(message) && !first) {
        client_cut(client);
    } else if (client->resuming) {
        client_table_forget(client);
        on_welcome(client);
        notify(client, message);
    } else {
        close_for_good(client, message->refused.reason);
    }
}

/* Does the message end the stay at the table? */
static bool ends_stay(const Message *message) {
    return message->kind == MESSAGE_SERVER_TAKEN || message->kind == MESSAGE_SERVER_CLOSED ||
           (message->kind == MESSAGE_SERVER_DONE && strcmp(message->done.to, "leave") == 0);
}

/* Handles one server message and passes it to the owner. An invalid one closes the client. */
static void receive(Client *client, const Message *message) {
    char why[CLIENT_WHY_BYTES];
    MashText problem = text_over(why, sizeof why);
    if (message->kind == MESSAGE_SERVER_WELCOME) {
        receive_welcome(client, message);
        return;
    }
    if (message->kind == MESSAGE_SERVER_MOVED) {
        receive_moved(client, message);
        return;
    }
    if (message->kind == MESSAGE_SERVER_TABLE || message->kind == MESSAGE_SERVER_REFUSED)
        forget_entry(client);
    if (message->kind == MESSAGE_SERVER_REFUSED && client->state != CLIENT_CONNECTED) {
        receive_refusal_outside(client, message);
        return;
    }
    if (!client_table_take(client, message, &problem)) {
        close_for_good(client, why);
        return;
    }
    if (ends_stay(message))
        client_table_forget(client);
    if (client->resuming && message->kind == MESSAGE_SERVER_TABLE)
        on_welcome(client);
    if (message->kind == MESSAGE_SERVER_WARNING && message->warning.what == PROTO_TIME_SILENCE &&
        client->setup.answer_silence)
        client_send_simple(client, MESSAGE_CLIENT_HERE);
    notify(client, message);
}

/* Reads one frame. An unknown type is ignored: the server may be newer. */
static void read_frame(Client *client, const char *bytes, uint32_t count) {
    MashProblem list[PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
    MessageMemory memory = {.nodes_max = count / 2 + 8, .text_max = count + 8};
    memory.nodes =
        client_buffer_reserve(&client->shared->nodes, memory.nodes_max * sizeof *memory.nodes);
    memory.text = client_buffer_reserve(&client->shared->pool, memory.text_max);
    Message message;
    if (memory.nodes == NULL || memory.text == NULL) {
        close_for_good(client, "out of memory");
        return;
    }
    switch (message_read(&message, bytes, count, true, &memory, &problems)) {
    case MESSAGE_VALID:
        receive(client, &message);
        return;
    case MESSAGE_INVALID: {
        char why[CLIENT_WHY_BYTES];
        MashText text = text_over(why, sizeof why);
        text_format(&text, "unsupported \"%s\" message from the server: %s %s",
                    message_type(message.kind), list[0].path, list[0].reason);
        close_for_good(client, why);
        return;
    }
    case MESSAGE_UNREADABLE:
        return;
    }
}

/* --- Callbacks of net ------------------------------------------------------------------------- */

static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    Client *client = net_owner(connection);
    (void)owner;
    (void)request;
    if (client == NULL)
        return NET_ACCEPT;
    say_hello(client);
    return NET_ACCEPT;
}

static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    Client *client = net_owner(connection);
    (void)owner;
    if (client == NULL)
        return;
    enter(client);
    read_frame(client, bytes, count);
    leave(client);
}

static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Client *client = net_owner(connection);
    (void)owner;
    if (client == NULL)
        return;
    char why[CLIENT_WHY_BYTES];
    MashText text = text_over(why, sizeof why);
    client_write_close(code, reason, &text);
    enter(client);
    client->connection = NULL;
    if (code == NET_CLOSE_TLS) /* trying again would not help */
        close_for_good(client, why);
    else
        schedule_retry(client, why);
    leave(client);
}

/* Opens the connection. False: it can never succeed; see the problem. */
static bool connect_now(Client *client, MashText *problem) {
    static const NetCallbacks calls = {
        .on_open = on_open, .on_message = on_message, .on_close = on_close};
    client->connection = client_connect(client->shared->loop, client->url, &calls, client, problem);
    return client->connection != NULL;
}

/* The pause is over: tries again, or closes the client if that is impossible. */
static void on_timer(void *owner) {
    Client *client = owner;
    char why[CLIENT_WHY_BYTES];
    MashText problem = text_over(why, sizeof why);
    enter(client);
    if (!connect_now(client, &problem))
        close_for_good(client, why);
    leave(client);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* The host, and port and path as far as they were typed. */
void client_url_to(const char *typed, const char *usual_path, MashText *url) {
    static const char *const schemes[] = {"ws://", "http://", "wss://", "https://"};
    const char *place = typed;
    bool secure = false;
    for (int i = 0; i < 4; i++)
        if (strncmp(typed, schemes[i], strlen(schemes[i])) == 0) {
            place = typed + strlen(schemes[i]);
            secure = i >= 2;
        }
    if (place == typed && strstr(typed, "://") != NULL) {
        text_string(url, typed);
        return;
    }
    size_t authority = strcspn(place, "/?#");
    const char *path = place + authority;
    const char *bracket = memchr(place, ']', authority);
    const char *host_end = bracket == NULL ? place : bracket;
    bool has_port = memchr(host_end, ':', (size_t)(path - host_end)) != NULL;
    text_string(url, secure ? "wss://" : "ws://");
    text_bytes(url, place, (uint32_t)authority);
    text_string(url, has_port || secure ? "" : ":1218");
    text_string(url, path[0] == '\0' || strcmp(path, "/") == 0 ? usual_path : path);
}

void client_url(const char *typed, MashText *url) { client_url_to(typed, "/arena", url); }

/* Copies the texts of the setup. False: the problem names the invalid one. */
static bool take_texts(Client *client, const ClientSetup *setup, MashText *problem) {
    MashText url = text_over(client->url, sizeof client->url);
    MashText name = text_over(client->name, sizeof client->name);
    MashText token = text_over(client->table.token, sizeof client->table.token);
    text_string(&url, setup->url);
    memcpy(client->home, client->url, sizeof client->home);
    text_string(&name, setup->name);
    text_string(&token, setup->token == NULL ? "" : setup->token);
    if (url.truncated)
        text_string(problem, "the address is too long");
    else if (name.truncated || name.count == 0)
        text_format(problem, "a name must have 1 to %d bytes", (int)PROTO_NAME_MAX);
    else if (setup->token != NULL && (token.truncated || token.count != PROTO_TOKEN_DIGITS ||
                                      strspn(setup->token, "0123456789abcdef") != token.count))
        text_format(problem, "a token must have %d lower-case hexadecimal digits",
                    (int)PROTO_TOKEN_DIGITS);
    return problem->count == 0;
}

Client *client_open(ClientShared *shared, const ClientSetup *setup, MashText *problem) {
    Client *client = calloc(1, sizeof *client);
    NetTimer *timer = client == NULL ? NULL : net_timer_open(shared->loop, on_timer, client);
    if (timer == NULL) {
        free(client);
        text_string(problem, "out of memory for a client");
        return NULL;
    }
    client->shared = shared;
    client->setup = *setup;
    client->timer = timer;
    client_table_forget(client);
    if (take_texts(client, setup, problem) && connect_now(client, problem))
        return client;
    client_close(client);
    return NULL;
}

void client_close(Client *client) {
    if (client == NULL)
        return;
    net_timer_close(client->timer);
    client_hang_up(&client->connection);
    client_table_forget(client);
    forget_entry(client);
    client->closed = true;
    if (client->calls == 0)
        free(client);
}

void client_cut(Client *client) {
    if (client->connection != NULL)
        net_close(client->connection, NET_CLOSE_GOING_AWAY, "");
}

ClientState client_state(const Client *client) { return client->state; }
