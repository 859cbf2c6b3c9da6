/* connection.c -- the connection to a server of the standard: login, loss of the connection and
 * reconnecting; see internal.h. */
#include "standard/client.h"

#include <stdlib.h>
#include <string.h>

#include "standard/client/internal.h"

enum {
    STEADY_MS = 1000, /* a connection that lasted this long was a good one */
    GONE_MS = 5000,   /* how long a server that announced its shutdown is retried */
    WINDOW_LEAST_MS = 35000,
    WINDOW_MOST_MS = 305000,
    HELLO_BYTES = 1024,
};

/* --- Callbacks -------------------------------------------------------------------------------- */

void standard_enter(StandardClient *standard, StandardPhase phase, const char *why) {
    standard->phase = phase;
    standard->setup.calls.on_phase(standard->setup.owner, phase, why);
}

void standard_word(StandardClient *standard, const char *words) {
    if (standard->setup.calls.on_word != NULL)
        standard->setup.calls.on_word(standard->setup.owner, words);
}

/* --- Sending ---------------------------------------------------------------------------------- */

bool standard_send(StandardClient *standard, const MashText *text) {
    if (standard->connection == NULL || text->truncated)
        return false;
    standard->sent_ms = net_now_ms(standard->loop);
    return net_send_text(standard->connection, text->bytes, text->count);
}

/* A login message: type, then keys with strings or, where the string is NULL, true. */
static void send_login(StandardClient *standard, const char *type, const char *const pairs[2][2]) {
    char memory[HELLO_BYTES];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "messageType", type);
    for (uint32_t i = 0; i < 2 && pairs[i][0] != NULL; i++) {
        json_put_key(&writer, pairs[i][0]);
        if (pairs[i][1] == NULL)
            json_put_bool(&writer, true);
        else
            json_put_string(&writer, pairs[i][1]);
    }
    json_close(&writer, '}');
    standard_send(standard, &text);
}

/* HELLO_SERVER: our name and device. */
static void say_hello(StandardClient *standard) {
    const char *const pairs[2][2] = {{"name", standard->name}, {"deviceID", standard->device}};
    send_login(standard, "HELLO_SERVER", pairs);
}

/* PLAYER_READY: we want to play, in our role. */
static void say_ready(StandardClient *standard) {
    const char *const pairs[2][2] = {{"startGame", NULL}, {"role", standard->role}};
    send_login(standard, "PLAYER_READY", pairs);
}

/* RECONNECT: we were here before and want our seat back. */
static void say_reconnect(StandardClient *standard) {
    const char *const pairs[2][2] = {{"reconnect", NULL}, {NULL, NULL}};
    standard->resuming = true;
    send_login(standard, "RECONNECT", pairs);
}

/* --- Connecting, disconnecting, reconnecting -------------------------------------------------- */

/* Has the server announced a match? */
static bool in_match(const StandardClient *standard) { return standard->structure != 0; }

/* How long to try to reconnect: in a match for as long as servers keep a seat. */
static uint64_t reconnect_window_ms(const StandardClient *standard) {
    if (standard->going)
        return GONE_MS;
    if (!standard->seated)
        return standard->setup.reconnect_ms;
    uint64_t pause = standard->content == NULL ? 0 : standard->content->limits.pause_ms;
    return pause < WINDOW_LEAST_MS  ? WINDOW_LEAST_MS
           : pause > WINDOW_MOST_MS ? WINDOW_MOST_MS
                                    : pause;
}

void standard_finish(StandardClient *standard, const char *why) {
    net_timer_stop(standard->timers[TIMER_CLOCK]);
    net_timer_stop(standard->timers[TIMER_PACER]);
    client_hang_up(&standard->connection);
    if (standard->table.decided)
        standard_decide_by_board(standard);
    standard->table.finished |= standard->table.decided;
    standard_enter(standard, STANDARD_CLOSED, why);
}

/* The connection is lost: tries again after a pause, or gives up when reconnect_window_ms() is
 * over. */
static void schedule_retry(StandardClient *standard, const char *why) {
    uint64_t now = net_now_ms(standard->loop);
    if (standard->here_ms != 0 && now - standard->here_ms >= STEADY_MS)
        standard->tries = 0;
    standard->here_ms = 0;
    if (standard->tries == 0)
        standard->lost_ms = now;
    if (now - standard->lost_ms >= reconnect_window_ms(standard)) {
        standard->table.finished |= standard->going;
        standard_finish(standard, why);
        return;
    }
    standard->tries++;
    net_timer_start(standard->timers[TIMER_RETRY],
                    client_backoff_ms(standard->loop, standard->tries));
    if (standard->phase != STANDARD_RECONNECTING && standard->phase != STANDARD_CONNECTING)
        standard_enter(standard, STANDARD_RECONNECTING, why);
}

/* The connection is closed. A goodbye in a match is its end; before a match it is a rejection,
 * unless we had claimed a seat that is not ours. */
static void lose(StandardClient *standard, uint16_t code, const char *why) {
    bool has_reason = standard->last[0] != '\0';
    standard_forget_line(standard);
    net_timer_stop(standard->timers[TIMER_CLOCK]);
    standard->going |= code == NET_CLOSE_GOING_AWAY && in_match(standard);
    if (standard->going)
        standard_decide_by_board(standard);
    if (standard->table.decided || (standard->leaving && in_match(standard))) {
        standard->table.finished = true;
        standard_finish(standard, "the match is over");
    } else if (code == NET_CLOSE_TLS) { /* trying again would not help */
        standard_finish(standard, why);
    } else if (has_reason && standard->resuming && !standard->stranger) {
        standard->stranger = true;
        standard->seated = in_match(standard);
        standard->table.finished = in_match(standard);
        if (in_match(standard))
            standard_finish(standard, standard->last);
        else
            schedule_retry(standard, standard->last);
    } else if (has_reason) {
        standard->table.finished = in_match(standard);
        standard_finish(standard, standard->last);
    } else {
        standard->table.losses += standard->here_ms != 0; /* a failed attempt is not a loss */
        schedule_retry(standard, why);
    }
}

/* --- The login -------------------------------------------------------------------------------- */

/* Is the key there, at the top, and true? */
static bool is_true(const Json *json, const char *key) {
    uint32_t node = json_member(json, 0, key);
    return node != JSON_NONE && json->nodes[node].kind == JSON_TRUE;
}

/* Many servers announce a running match to everybody: only a client that may have a seat claims
 * it. */
static void receive_hello(StandardClient *standard, const Json *json) {
    bool running = is_true(json, "runningGame");
    bool player = strcmp(standard->role, "SPECTATOR") != 0;
    bool claims = player && !standard->stranger && (standard->seated || standard->setup.device);
    standard->here_ms = net_now_ms(standard->loop);
    standard->going = false;
    if (running && claims) {
        say_reconnect(standard);
    } else if (in_match(standard) && player) {
        standard->table.finished = true;
        standard_finish(standard, "the server no longer has our match");
        return;
    } else {
        say_ready(standard);
    }
    if (standard->phase == STANDARD_CONNECTING || standard->phase == STANDARD_RECONNECTING)
        standard_enter(standard, in_match(standard) ? STANDARD_PLAYING : STANDARD_WAITING,
                       "admitted");
}

/* The server accepted our choice; or it refused it, and we choose again. */
static void receive_confirm(StandardClient *standard, const Json *json) {
    if (is_true(json, "selectionComplete")) {
        standard->choose_ms = 0;
        if (standard->phase == STANDARD_DRAFTING)
            standard_enter(standard, STANDARD_WAITING, "choice accepted");
        return;
    }
    standard->table.rejected++;
    if (standard->known == NULL || in_match(standard))
        return;
    standard->adapter->state_begin(standard->content, standard->known, standard->state);
    standard_enter(standard, STANDARD_DRAFTING, "the choice was refused");
    standard->setup.calls.on_position(standard->setup.owner);
}

/* The server's last message: an ERROR says more than the goodbye after it. */
static void receive_last_words(StandardClient *standard, const Json *json, const char *kind) {
    uint32_t node = json_member(json, 0, "message");
    if (standard->last[0] != '\0')
        return;
    MashText text = text_over(standard->last, sizeof standard->last);
    text_format(&text, "the server says %s: ", kind);
    if (node != JSON_NONE)
        json_string(json, node, &text);
    for (uint32_t i = 0; i < text.count; i++)
        if ((uint8_t)text.bytes[i] < 0x20 || text.bytes[i] == 0x7f)
            text.bytes[i] = '?';
    standard_word(standard, standard->last);
}

/* Requests use the form in which the first event arrives. */
static void learn_form(StandardClient *standard, bool bare) {
    if (!standard->formed)
        standard->bare = bare;
    standard->formed = true;
}

/* A list of events: handles them in order, as long as there is a connection. */
static void receive_list(StandardClient *standard, const Json *json) {
    uint32_t list = json_member(json, 0, "messages");
    learn_form(standard, false);
    if (standard->known != NULL && json_member(json, 0, "customContentType") != JSON_NONE)
        standard->known->ruler = true;
    for (uint32_t node = list == JSON_NONE ? JSON_NONE : json_first(json, list);
         node != JSON_NONE && standard->connection != NULL; node = json->nodes[node].next)
        standard_on_event(standard, json, node);
    standard_on_frame_end(standard);
}

/* Handles one message of the server; unknown types are ignored. */
static void receive(StandardClient *standard, const Json *json) {
    uint32_t type = json_member(json, 0, "messageType");
    if (type == JSON_NONE) {
        if (json_member(json, 0, "eventType") != JSON_NONE)
            learn_form(standard, true);
        standard_on_event(standard, json, 0);
        standard_on_frame_end(standard);
    } else if (json_equals(json, type, "EVENTS")) {
        receive_list(standard, json);
    } else if (json_equals(json, type, "HELLO_CLIENT")) {
        receive_hello(standard, json);
    } else if (json_equals(json, type, "GAME_ASSIGNMENT")) {
        standard->seated = true;
        standard_on_offer(standard, json);
    } else if (json_equals(json, type, "CONFIRM_SELECTION")) {
        receive_confirm(standard, json);
    } else if (json_equals(json, type, "GAME_STRUCTURE")) {
        standard->seated = true;
        standard_on_structure(standard, json);
    } else if (json_equals(json, type, "ERROR")) {
        receive_last_words(standard, json, "it is an error");
    } else if (json_equals(json, type, "GOODBYE_CLIENT") ||
               json_equals(json, type, "GOODBYE_ClIENT")) {
        receive_last_words(standard, json, "goodbye");
    }
}

/* Reads one frame; what is not a JSON object is ignored. */
void standard_on_frame(StandardClient *standard, const char *bytes, uint32_t count) {
    MashProblems ignored = {.max = 0};
    Json json;
    uint32_t most = count / 2 + 8;
    JsonNode *nodes = client_buffer_reserve(&standard->nodes, most * sizeof *nodes);
    if (nodes == NULL || !json_read(&json, "frame", bytes, count, nodes, most, &ignored) ||
        nodes[0].kind != JSON_OBJECT)
        return;
    receive(standard, &json);
}

/* --- Callbacks of net/ ------------------------------------------------------------------------ */

static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    StandardClient *standard = net_owner(connection);
    (void)owner;
    (void)request;
    if (standard == NULL)
        return NET_ACCEPT;
    standard->last[0] = '\0';
    standard->resuming = false;
    net_timer_start(standard->timers[TIMER_CLOCK], STANDARD_TICK_MS);
    say_hello(standard);
    return NET_ACCEPT;
}

static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    StandardClient *standard = net_owner(connection);
    (void)owner;
    if (standard == NULL)
        return;
    standard_on_frame(standard, bytes, count);
}

/* Binary frames are ignored. */
static void on_binary(void *owner, NetConnection *connection) {
    (void)owner;
    (void)connection;
}

static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    StandardClient *standard = net_owner(connection);
    (void)owner;
    if (standard == NULL)
        return;
    char why[STANDARD_WHY_BYTES];
    MashText text = text_over(why, sizeof why);
    client_write_close(code, reason, &text);
    standard->connection = NULL;
    lose(standard, code, why);
}

/* Opens the connection. False: it never will, and the problem says why. */
static bool connect_now(StandardClient *standard, MashText *problem) {
    static const NetCallbacks calls = {
        .on_open = on_open, .on_message = on_message, .on_binary = on_binary, .on_close = on_close};
    standard->connection = client_connect(standard->loop, standard->url, &calls, standard, problem);
    return standard->connection != NULL;
}

/* The pause is over: tries again, or ends if that cannot start. */
static void on_retry(void *owner) {
    StandardClient *standard = owner;
    char why[STANDARD_WHY_BYTES];
    MashText problem = text_over(why, sizeof why);
    if (!connect_now(standard, &problem))
        standard_finish(standard, why);
}

/* Does what is due by now, and runs again in STANDARD_TICK_MS. */
static void on_clock(void *owner) {
    StandardClient *standard = owner;
    net_timer_start(standard->timers[TIMER_CLOCK], STANDARD_TICK_MS);
    standard_tick(standard);
}

/* A delayed request is due. */
static void on_pace(void *owner) { standard_send_held(owner); }

static void (*const on_timer[TIMERS])(void *owner) = {
    [TIMER_RETRY] = on_retry, [TIMER_CLOCK] = on_clock, [TIMER_PACER] = on_pace};

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Copies the texts of the setup. False: the problem says which is invalid. */
static bool take_texts(StandardClient *standard, const StandardSetup *setup, MashText *problem) {
    MashText url = text_over(standard->url, sizeof standard->url);
    MashText name = text_over(standard->name, sizeof standard->name);
    MashText device = text_over(standard->device, sizeof standard->device);
    MashText role = text_over(standard->role, sizeof standard->role);
    uint64_t number;
    net_random(standard->loop, &number, sizeof number);
    text_string(&url, setup->url);
    text_string(&name, setup->name);
    text_string(&role, setup->role);
    if (setup->device != NULL)
        text_string(&device, setup->device);
    else
        text_hex(&device, number, 16);
    if (url.truncated)
        text_string(problem, "the address is too long");
    else if (name.truncated || name.count == 0 || device.truncated || device.count == 0)
        text_format(problem, "a name must have 1 to %d bytes", (int)STANDARD_NAME_BYTES - 1);
    else if (standard->adapter == NULL)
        text_format(problem, "%s has no network standard", setup->game->title);
    return problem->count == 0;
}

StandardClient *standard_client_open(NetLoop *loop, const StandardSetup *setup, MashText *problem) {
    StandardClient *standard = calloc(1, sizeof *standard);
    if (standard == NULL) {
        text_string(problem, "out of memory for a client");
        return NULL;
    }
    standard->loop = loop;
    standard->setup = *setup;
    standard->adapter = standard_client_adapter(setup->game);
    bool timers = true;
    for (int i = 0; i < TIMERS; i++)
        timers &= (standard->timers[i] = net_timer_open(loop, on_timer[i], standard)) != NULL;
    standard->table.you = standard->table.awaited = standard->table.winner = MASH_SEAT_NONE;
    standard->lost_ms = net_now_ms(loop);
    standard->ended_turn = UINT32_MAX;
    if (!timers)
        text_string(problem, "out of memory for a client");
    else if (take_texts(standard, setup, problem) && connect_now(standard, problem))
        return standard;
    standard_close(standard);
    return NULL;
}

void standard_close(StandardClient *standard) {
    if (standard == NULL)
        return;
    for (int i = 0; i < TIMERS; i++)
        net_timer_close(standard->timers[i]);
    client_hang_up(&standard->connection);
    standard_release_match(standard);
    free(standard->nodes.bytes);
    free(standard);
}

void standard_cut(StandardClient *standard) {
    if (standard->connection != NULL)
        net_close(standard->connection, NET_CLOSE_PROTOCOL, "");
}

StandardPhase standard_phase(const StandardClient *standard) { return standard->phase; }

const StandardClientTable *standard_table(const StandardClient *standard) {
    return &standard->table;
}
