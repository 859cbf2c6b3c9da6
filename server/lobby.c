/* lobby.c -- see lobby.h: matchmaking: quick matches, players' own tables, codes, tokens, lists. */
#include <stdlib.h>
#include <string.h>

#include "ai/ai.h"
#include "base/hash.h"
#include "server/arena.h"
#include "server/begun.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "server/people.h"
#include "server/rated.h"
#include "server/records.h"
#include "server/robot.h"

enum {
    LISTED_MAX = 200,
    LEG_WITHOUT_TIPS = 8, /* above every number of a leg */
    LEG_RATED = 16,
};
static_assert((int)CLOCK_DAY_MS == (int)PROTO_DAY_MS, "what a clock may have, a message may say");

/* --- Settings --------------------------------------------------------------------------------- */

/* The fields that `seek` and `open` share; NULL and -1: omitted. */
typedef struct RequestedConfig {
    const char *game, *preset;
    const MessageOptions *options;
    const MessageDocuments *documents;
    int32_t turn_ms, match_ms, pause_ms, silence_ms, grace_ms;
    int32_t bank_ms, increment_ms; /* 0: none */
    bool pair, no_tips, rated;
    uint32_t days; /* of `seek` and `open` only; 0: it is not a match over days */
} RequestedConfig;

#define REQUESTED_CONFIG(message, fields)                                                          \
    (RequestedConfig) {                                                                            \
        .game = (fields)->game,                                                                    \
        .preset = message_has(message, "preset") ? (fields)->preset : NULL,                        \
        .options = &(fields)->options,                                                             \
        .turn_ms = message_has(message, "turn_ms") ? (fields)->turn_ms : -1,                       \
        .match_ms = message_has(message, "match_ms") ? (fields)->match_ms : -1,                    \
        .pause_ms = message_has(message, "pause_ms") ? (fields)->pause_ms : -1,                    \
        .silence_ms = message_has(message, "silence_ms") ? (fields)->silence_ms : -1,              \
        .grace_ms = message_has(message, "grace_ms") ? (fields)->grace_ms : -1,                    \
        .bank_ms = (fields)->bank_ms, .increment_ms = (fields)->increment_ms,                      \
        .pair = (fields)->pair, .no_tips = message_has(message, "tips") && !(fields)->tips,        \
        .rated = (fields)->rated,                                                                  \
    }

/* The requested value, else that of the content, else the server's default. */
static uint32_t time_of(int32_t wanted, uint32_t terms, uint32_t usual) {
    return wanted >= 0 ? (uint32_t)wanted : terms > 0 ? terms : usual;
}

ClockLimits lobby_bounded(const Server *server, ClockLimits wanted) {
    ClockBounds bounds = server->setup.bounds;
    if (wanted.days > 0)
        return clock_of_days(wanted.days < PROTO_DAYS_MAX ? wanted.days : PROTO_DAYS_MAX);
    clock_widen(&bounds, &server->setup.clocks);
    return clock_bounded(&bounds, wanted);
}

/* The times of a match, clamped to what this server allows; the message `table` shows the
 * result. */
static ClockLimits clocks_of(const Server *server, const MashLimits *terms,
                             const RequestedConfig *wanted) {
    const ClockLimits *usual = &server->setup.clocks;
    ClockLimits clocks = {
        .turn_ms = time_of(wanted->turn_ms, terms->turn_ms, usual->turn_ms),
        .match_ms = time_of(wanted->match_ms, terms->match_ms, usual->match_ms),
        .pause_ms = time_of(wanted->pause_ms, terms->pause_ms, usual->pause_ms),
        .silence_ms = time_of(wanted->silence_ms, terms->silence_ms, usual->silence_ms),
        .grace_ms = time_of(wanted->grace_ms, 0, usual->grace_ms),
        .bank_ms = (uint32_t)wanted->bank_ms,
        .increment_ms = (uint32_t)wanted->increment_ms,
        .days = wanted->days,
    };
    return lobby_bounded(server, clocks);
}

/* The default options, overridden by the requested ones. */
static bool take_options(const MashGame *game, const MessageOptions *wanted, int32_t *options) {
    for (uint32_t i = 0; i < game->options_count; i++)
        options[i] = game->options[i].usual;
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t option = 0;
        int32_t value = wanted->list[i].value;
        while (option < game->options_count &&
               strcmp(game->options[option].id, wanted->list[i].id) != 0)
            option++;
        if (option == game->options_count || value < game->options[option].least ||
            value > game->options[option].most)
            return false;
        options[option] = value;
    }
    return true;
}

/* Frees a content that no table uses. */
static void drop_setting(Server *server, const TableConfig *config) {
    content_retain(config->content);
    content_release(server, config->content);
}

/* May custom content be loaded now? Loading takes the loop some milliseconds, which are charged,
 * and is not tried if the budget has no room for the content. False: the reason is written. */
static bool may_load(Session *session, const MashGame *game, const MessageDocuments *documents,
                     MashText *reason) {
    enum { LOAD_COST = 500, COST_BYTES = 256 };
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < documents->count; i++)
        bytes += documents->list[i].count;
    budget_charge(session, LOAD_COST + bytes / COST_BYTES);
    return budget_may_load(session->server, session->account, reason) &&
           budget_may_hold(session->server, session->account, game->content_bytes_max + bytes,
                           reason);
}

/* False: it was refused. */
static bool make_setting(Session *session, const RequestedConfig *wanted, TableConfig *config) {
    Server *server = session->server;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText problem = text_over(reason, sizeof reason);
    const MashGame *game = mash_game_find(wanted->game);
    memset(config, 0, sizeof *config);
    if (game == NULL) {
        arena_refuse(session, REFUSAL_NO_SUCH_GAME);
        return false;
    }
    config->content = content_of_preset(server, game, wanted->preset);
    if (config->content == NULL) {
        arena_refuse(session, REFUSAL_NO_SUCH_PRESET);
        return false;
    }
    if (!take_options(game, wanted->options, config->options)) {
        arena_refuse(session, REFUSAL_NO_SUCH_OPTION);
        return false;
    }
    if (wanted->documents != NULL && wanted->documents->count > 0) {
        if (!may_load(session, game, wanted->documents, &problem)) {
            arena_refuse_because(session, REFUSAL_QUOTA, reason);
            return false;
        }
        config->content =
            content_of_documents(server, game, wanted->preset, wanted->documents, &problem);
        if (config->content == NULL) {
            arena_refuse_because(session, REFUSAL_BAD_CONTENT, reason);
            return false;
        }
        if (!content_charge(server, config->content, session->account, &problem)) {
            drop_setting(server, config);
            arena_refuse_because(session, REFUSAL_QUOTA, reason);
            return false;
        }
    }
    config->clocks = clocks_of(server, &config->content->content->limits, wanted);
    config->leg = wanted->pair ? 1 : 0;
    config->rated = wanted->rated;
    config->no_tips = wanted->no_tips || wanted->rated;
    config->first_winner = MASH_SEAT_NONE;
    return true;
}

/* May the session take a seat at this table (NULL: at a new one), by the budget of its address?
 * With a level: may it add an AI player of that level? False: it was refused. */
static bool has_room(Session *session, const Table *table, uint32_t level) {
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (level > 0 ? robot_may_play(session->server, session->account, level, &text)
                  : budget_may_sit(session->server, session->account, table, &text))
        return true;
    arena_refuse_because(session, level > 0 ? REFUSAL_ROBOTS_BUSY : REFUSAL_QUOTA, reason);
    return false;
}

/* Does the game have this level? False: the session was refused. */
static bool has_level(Session *session, const MashGame *game, uint32_t level) {
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (level <= ai_levels_of(game))
        return true;
    ai_say_levels(game, &text);
    text_string(&text, ".");
    arena_refuse_because(session, REFUSAL_NO_SUCH_LEVEL, reason);
    return false;
}

/* May the session take a seat now? False: it was refused. */
static bool check_may_sit(Session *session) {
    Refusal refusal = session->table != NULL                ? REFUSAL_AT_A_TABLE
                      : session->role == PROTO_ROLE_WATCHER ? REFUSAL_WATCHERS_WATCH
                      : session->server->draining || session->server->closing ? REFUSAL_CLOSING
                                                                              : REFUSAL_COUNT;
    if (refusal == REFUSAL_COUNT && server_is_low(session->server)) {
        arena_refuse_because(session, REFUSAL_FULL, SERVER_LOW);
        return false;
    }
    if (refusal == REFUSAL_COUNT)
        return true;
    arena_refuse(session, refusal);
    return false;
}

/* Any seat. */
static uint8_t random_seat(Server *server) {
    uint8_t byte;
    net_random(server->loop, &byte, 1);
    return byte & 1;
}

/* The table is at another node, or moving to one: the client is sent there, or asked to try again.
 */
static void send_moved(Session *session, const StorePlace *place) {
    const RequestContext *request = &session->server->request;
    Message message = message_new(MESSAGE_SERVER_MOVED);
    MashText to = text_over(message.moved.to, sizeof message.moved.to);
    MashText url = text_over(message.moved.url, sizeof message.moved.url);
    text_string(&to, request->to);
    message.moved.id = request->id;
    if (request->has_id)
        message_set_present(&message, "id");
    if (place->open && !place->here) {
        message.moved.node = (int32_t)place->node;
        message_set_present(&message, "node");
        text_string(&url, place->url);
    }
    if (url.count > 0)
        message_set_present(&message, "url");
    session->server->request.refused = true; /* this is the answer */
    arena_send(session, &message);
}

/* --- Quick matches ---------------------------------------------------------------------------- */

bool table_config_equal(const TableConfig *a, const TableConfig *b) {
    return a->content == b->content && a->quick == b->quick && a->leg == b->leg &&
           a->no_tips == b->no_tips && a->rated == b->rated &&
           memcmp(a->options, b->options, sizeof a->options) == 0 &&
           memcmp(&a->clocks, &b->clocks, sizeof a->clocks) == 0;
}

/* Has the account of the session a seat in this match over days? */
static bool sits_at(const Session *session, const Table *table) {
    return days_is(table) && session->player != NULL &&
           (table->chairs[0].player == session->player->id ||
            table->chairs[1].player == session->player->id);
}

/* The table with this configuration that has waited longest; for a rated match, one whose player is
 * near enough. */
static Table *find_matching_table(const Session *session, const TableConfig *config) {
    Server *server = session->server;
    Table *found = NULL;
    if (config->clocks.days == 0)
        return rated_find(session, config);
    for (Table *table = server->tables; table != NULL; table = table->next)
        if (table->state == PROTO_STATE_WAITING && table_config_equal(&table->config, config) &&
            !sits_at(session, table) && people_may_meet(session, table))
            found = table;
    return found;
}

/* The free seat of a table. */
static uint8_t free_seat(const Table *table) { return table->chairs[0].taken ? 1 : 0; }

/* Takes the seat that waits for this player, or opens a table at which the player waits; `claim`:
 * the kind of players that other nodes send here; 0: none. */
static void seek_here(Session *session, const TableConfig *config, uint64_t claim) {
    Server *server = session->server;
    Table *table = find_matching_table(session, config);
    if (!has_room(session, table, 0))
        return;
    if (table != NULL) {
        table_sit(table, free_seat(table), session);
        table_begin(table);
        return;
    }
    table = table_open(server, config);
    if (table == NULL) {
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    table->claim = claim;
    table_sit(table, random_seat(server), session);
    records_write_waiting(table);
    arena_send_table(session);
    rated_wait(table);
}

uint64_t lobby_kind(const TableConfig *config) {
    const MashContent *content = config->content->content;
    uint64_t hash = hash_bytes(content->hash, content->game->id, strlen(content->game->id));
    hash = hash_bytes(hash, config->options, sizeof config->options);
    hash = hash_bytes(hash, &config->clocks, sizeof config->clocks);
    return hash_number(hash, config->leg + (config->no_tips ? LEG_WITHOUT_TIPS : 0u) +
                                 (config->rated ? LEG_RATED : 0u));
}

/* The store has answered where such players wait: here, or at another node. Without an answer, this
 * player waits here. */
static void answer_claim(Ask *ask) {
    Session *session = ask->session;
    if (session == NULL)
        return;
    ask->server->request = ask->request;
    if (ask->where == STORE_OK && !ask->place.here)
        send_moved(session, &ask->place);
    else if (check_may_sit(session)) /* it may have taken a seat meanwhile */
        seek_here(session, ask->config, ask->where == STORE_OK ? ask->match : 0);
}

/* Asks the store whether such players wait at another node. False: it cannot be asked. */
static bool ask_claim(Session *session, const TableConfig *config) {
    Ask question = {.kind = ASK_CLAIM, .match = lobby_kind(config), .answer = answer_claim};
    TableConfig *copy = malloc(sizeof *copy);
    Ask *ask = copy == NULL ? NULL : reader_ask(session->server, session->address, &question);
    if (ask == NULL) {
        free(copy);
        return false;
    }
    *copy = *config;
    ask->config = copy;
    ask->session = session;
    ask->request = session->server->request;
    session->server->request.refused = true; /* it is answered later */
    return true;
}

void lobby_unclaim(Table *table) {
    people_unchallenge(table);
    const Chair *chair = &table->chairs[table->chairs[0].taken ? 0 : 1];
    Ask question = {.kind = ASK_UNCLAIM, .match = table->claim};
    /* If it cannot be asked, others send players here, who then wait here. */
    if (table->claim != 0 && !table->server->draining)
        reader_ask(table->server, chair->address, &question);
    table->claim = 0;
}

void lobby_seek(Session *session, const Message *message) {
    Server *server = session->server;
    TableConfig config;
    RequestedConfig wanted = REQUESTED_CONFIG(message, &message->seek);
    wanted.days = (uint32_t)message->seek.days;
    if (!check_may_sit(session) || !rated_may_open(session, wanted.rated, false) ||
        !days_may_open(session, wanted.days, wanted.pair) ||
        !make_setting(session, &wanted, &config))
        return;
    config.quick = true;
    bool asks = store_is_shared(server->store) && find_matching_table(session, &config) == NULL;
    if (!asks || !ask_claim(session, &config))
        seek_here(session, &config, 0);
}

/* --- Players' own tables ---------------------------------------------------------------------- */

void lobby_open(Session *session, const Message *message) {
    Server *server = session->server;
    if (message_has(message, "challenge") && server->inviting == 0) {
        people_challenge(session, message); /* which comes back here */
        return;
    }
    TableConfig config;
    RequestedConfig wanted = REQUESTED_CONFIG(message, &message->open);
    wanted.documents = &message->open.documents;
    wanted.days = (uint32_t)message->open.days;
    bool robot = message->open.opponent == PROTO_OPPONENT_AI;
    bool goes_on = begun_wanted(message);
    bool unfair = robot || goes_on || message->open.seat < MASH_SEATS ||
                  message->open.open_to_spectators || wanted.documents->count > 0;
    if (!check_may_sit(session) || !has_room(session, NULL, 0) ||
        !rated_may_open(session, wanted.rated, unfair) ||
        !days_may_open(session, wanted.days, wanted.pair || robot || goes_on) ||
        !make_setting(session, &wanted, &config))
        return;
    uint32_t level = message_has(message, "level") ? (uint32_t)message->open.level : 1;
    if (robot && (!has_level(session, config.content->content->game, level) ||
                  !has_room(session, NULL, level))) {
        drop_setting(server, &config);
        return;
    }
    config.unlisted = message->open.secret || server->inviting != 0;
    config.open_to_spectators = message->open.open_to_spectators;
    config.phrases = message->open.phrases;
    config.invited = server->inviting;
    Begun *begun = goes_on ? begun_of_request(session, message, &config) : NULL;
    if (goes_on && begun == NULL) {
        drop_setting(server, &config);
        return;
    }
    Table *table = table_open(server, &config);
    if (table == NULL) {
        free(begun);
        drop_setting(server, &config);
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    table->begun = begun;
    uint8_t seat = message->open.seat < MASH_SEATS ? message->open.seat : random_seat(server);
    table_sit(table, seat, session);
    if (robot) {
        table_sit_robot(table, (uint8_t)(1 - seat), level);
        table_begin(table);
        return;
    }
    records_write_waiting(table);
    arena_send_table(session);
    if (config.invited != 0)
        people_challenged(table);
}

bool lobby_contest_config(Session *session, const Message *message, TableConfig *config) {
    RequestedConfig wanted = REQUESTED_CONFIG(message, &message->tournament_create);
    wanted.pair = false; /* a tournament has its own second legs */
    if (!make_setting(session, &wanted, config))
        return false;
    config->unlisted = message->tournament_create.secret;
    config->open_to_spectators = message->tournament_create.open_to_spectators;
    return true;
}

/* The table with this code, or NULL. */
static Table *table_of(Server *server, const char *code) {
    uint64_t number;
    return table_code_decode(code, &number) ? lobby_find(server, number) : NULL;
}

void lobby_say_moving(Session *session) { send_moved(session, &(StorePlace){0}); }

/* The store has answered where a match is, and the archive whether it is there. True: the table is
 * elsewhere, and the client was told so. */
static bool answer_elsewhere(Ask *ask) {
    ask->server->request = ask->request;
    /* A database that may have been replaced does not know what is nowhere. */
    bool elsewhere = ask->where != STORE_UNKNOWN || !store_may_tell(ask->server->store);
    if (elsewhere)
        send_moved(ask->session, &ask->place);
    return elsewhere;
}

/* Asks the store for a table that this node does not have. */
static void ask_where(Session *session, uint64_t number, void (*answer)(Ask *ask)) {
    Server *server = session->server;
    Ask question = {.kind = ASK_WHETHER, .match = number, .answer = answer};
    Ask *ask = reader_ask(server, session->address, &question);
    if (ask == NULL && store_is_shared(server->store)) {
        send_moved(
            session,
            &(StorePlace){0}); /* after the loss of a node many clients ask at the same time */
        return;
    }
    if (ask == NULL) {
        arena_refuse_because(session, REFUSAL_TOO_FAST,
                             "Too many requests to the archive. Try again in a second.");
        return;
    }
    ask->session = session;
    ask->request = server->request;
    server->request.refused = true; /* it is answered later */
}

/* No node has a table of that code. */
static void answer_code(Ask *ask) {
    if (ask->session != NULL && !answer_elsewhere(ask))
        arena_refuse(ask->session, REFUSAL_NO_SUCH_TABLE);
}

/* A node has opened the match. It may not have written that yet: then the client comes again. */
static void answer_opened(Ask *ask) {
    if (ask->session == NULL)
        return;
    ask->server->request = ask->request;
    send_moved(ask->session, &ask->place);
}

void lobby_ask_opened(Session *session, uint64_t number) {
    ask_where(session, number, answer_opened);
}

/* This node has no table of that code: another one may. */
static void refuse_code(Session *session, const char *code) {
    uint64_t number;
    if (store_is_shared(session->server->store) && table_code_decode(code, &number))
        ask_where(session, number, answer_code);
    else
        arena_refuse(session, REFUSAL_NO_SUCH_TABLE);
}

/* No node has a tournament of that code. */
static void answer_contest(Ask *ask) {
    if (ask->session != NULL && !answer_elsewhere(ask))
        arena_refuse(ask->session, REFUSAL_NO_SUCH_TOURNAMENT);
}

void lobby_ask_contest(Session *session, const char *code) {
    uint64_t number;
    if (store_is_shared(session->server->store) && table_code_decode(code, &number))
        ask_where(session, number, answer_contest);
    else
        arena_refuse(session, REFUSAL_NO_SUCH_TOURNAMENT);
}

/* A match over days may rest: true: it is opened first, and the request answered then. */
static bool ask_days(Session *session, const char *code, const Message *request) {
    uint64_t number;
    return table_code_decode(code, &number) && days_ask(session, number, request);
}

void lobby_join(Session *session, const Message *message) {
    if (!check_may_sit(session))
        return;
    if (ask_days(session, message->join.code, message))
        return;
    Table *table = table_of(session->server, message->join.code);
    if (table == NULL) {
        refuse_code(session, message->join.code);
        return;
    }
    if (table->state != PROTO_STATE_WAITING || (table->chairs[0].taken && table->chairs[1].taken)) {
        arena_refuse(session, REFUSAL_NO_FREE_SEAT);
        return;
    }
    if (table_deserted(table) && !days_is(table)) {
        arena_refuse(session, REFUSAL_HOST_AWAY);
        return;
    }
    if (!has_room(session, table, 0) || !rated_may_join(session, table) ||
        !days_may_join(session, table))
        return;
    if (!people_may_meet(session, table)) {
        arena_refuse(session, REFUSAL_NOT_INVITED);
        return;
    }
    table_sit(table, free_seat(table), session);
    table_begin(table);
}

void lobby_watch(Session *session, const Message *message) {
    if (session->table == NULL && ask_days(session, message->watch.code, message))
        return;
    Table *table = table_of(session->server, message->watch.code);
    if (session->table != NULL)
        arena_refuse(session, REFUSAL_AT_A_TABLE);
    else if (table == NULL)
        refuse_code(session, message->watch.code);
    else
        table_watch(table, session);
}

/* --- Tokens ----------------------------------------------------------------------------------- */

/* Compares in constant time. */
static bool same_token(const char *a, const char *b) {
    uint32_t difference = 0;
    for (uint32_t i = 0; i < PROTO_TOKEN_DIGITS; i++)
        difference |= (uint32_t)(uint8_t)(a[i] ^ b[i]);
    return difference == 0;
}

/* The number of the table is the first half of the token. */
static uint64_t seat_number_of(const char *token) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < PROTO_TOKEN_DIGITS / 2; i++)
        number = number << 4 | (uint64_t)(token[i] <= '9' ? token[i] - '0' : token[i] - 'a' + 10);
    return number;
}

/* The archive has answered whether it has the match of a token. */
static void answer_token(Ask *ask) {
    char code[PROTO_CODE_MAX + 1], reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (ask->session == NULL || answer_elsewhere(ask))
        return;
    if (ask->status != STORE_TOO_LONG) {
        arena_refuse(ask->session, REFUSAL_NO_SUCH_TOKEN);
        return;
    }
    table_code_encode(ask->match, code);
    text_format(&text, "That match is over. Its match file is at /api/match/%s.", code);
    arena_refuse_because(ask->session, REFUSAL_MATCH_OVER, reason);
}

/* No seat here has that token: it may belong to a match at another node, or to a finished one. */
static void refuse_token(Session *session, uint64_t number) {
    if (number >> 5 * PROTO_CODE_DIGITS != 0)
        arena_refuse(session, REFUSAL_NO_SUCH_TOKEN);
    else
        ask_where(session, number, answer_token);
}

/* Returns to the seat of the session's account. */
static void return_by_code(Session *session, const char *code, const Message *message) {
    if (session->player == NULL) {
        arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
        return;
    }
    if (ask_days(session, code, message))
        return;
    Table *table = table_of(session->server, code);
    for (uint8_t seat = 0; table != NULL && seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (chair->taken && !chair->left && chair->robot == 0 &&
            chair->player == session->player->id) {
            table_return(table, seat, session);
            return;
        }
    }
    if (table == NULL)
        refuse_code(session, code);
    else
        arena_refuse(session, REFUSAL_NOT_SEATED);
}

void lobby_return(Session *session, const Message *message) {
    const char *token = message->return_seat.token;
    bool by_token = message_has(message, "token");
    if (session->table != NULL) {
        arena_refuse(session, REFUSAL_AT_A_TABLE);
        return;
    }
    if (by_token == message_has(message, "code")) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "return: give `token` or `code`");
        return;
    }
    if (!by_token) {
        return_by_code(session, message->return_seat.code, message);
        return;
    }
    if (days_ask(session, seat_number_of(token), message))
        return;
    Table *table = lobby_find(session->server, seat_number_of(token));
    for (uint8_t seat = 0; table != NULL && seat < MASH_SEATS; seat++) {
        Chair *chair = &table->chairs[seat];
        if (!chair->taken || chair->left || !same_token(chair->token, token))
            continue;
        if (chair->robot > 0) {
            arena_refuse(session, REFUSAL_REPLACED);
            return;
        }
        /* A match over days belongs to accounts: who was logged out keeps nothing of it. Programs
         * come by their token before they log in. */
        if (days_is(table) && chair->player != 0 && chair->role == PROTO_ROLE_PERSON &&
            (session->player == NULL || session->player->id != chair->player)) {
            arena_refuse(session, REFUSAL_NEEDS_ACCOUNT);
            return;
        }
        session->role = chair->role;
        memcpy(session->name, chair->name, sizeof session->name);
        table_return(table, seat, session);
        return;
    }
    refuse_token(session, seat_number_of(token));
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* The players of both seats; `now`: with how long they have been away by now. */
static void put_players(JsonWriter *writer, const Table *table, bool now) {
    json_open(writer, '[');
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        json_open(writer, '{');
        json_put_pair_int(writer, "seat", seat);
        if (chair->taken) {
            json_put_pair(writer, "name", chair->name);
            json_put_pair(writer, "role", choice_id(PROTO_ROLES_LIST, chair->role));
        }
        bool here = chair->session != NULL || chair->robot > 0;
        json_put_pair_bool(writer, "here", here);
        bool account = chair->player != 0 && !chair->erased;
        if (account)
            json_put_pair_bool(writer, "account", true);
        if (account && chair->rating > 0) {
            json_put_pair_int(writer, "rating", chair->rating);
            json_put_pair_bool(writer, "provisional", chair->provisional);
        }
        if (now && chair->taken && !here && table->state == PROTO_STATE_RUNNING)
            json_put_pair_int(
                writer, "away_ms",
                clock_away_ms(&table->clock, server_now_ms(table->server), (uint8_t)seat));
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

void lobby_write_players(const Table *table, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    put_players(&writer, table, true);
}

void lobby_put_table(JsonWriter *writer, const Table *table, bool now) {
    const LoadedContent *loaded = table->config.content;
    const MashGame *game = loaded->content->game;
    const ClockLimits *clocks = &table->config.clocks;
    json_open(writer, '{');
    json_put_pair(writer, "code", table->code);
    json_put_pair(writer, "game", game->id);
    if (loaded->preset != NULL)
        json_put_pair(writer, "preset", loaded->preset->id);
    json_put_pair(writer, "state", choice_id(PROTO_STATES_LIST, table->state));
    json_put_pair_bool(writer, "quick", table->config.quick);
    json_put_pair_bool(writer, "glass", table->config.open_to_spectators);
    if (table->config.no_tips)
        json_put_pair_bool(writer, "tips", false);
    if (table->config.rated)
        json_put_pair_bool(writer, "rated", true);
    if (table->config.phrases)
        json_put_pair_bool(writer, "phrases", true);
    if (table->begun != NULL)
        json_put_pair_int(writer, "from_turn", table->begun->turn);
    json_put_pair_int(writer, "watchers", table->watchers_count);
    json_put_pair_int(writer, "turn_ms", clocks->turn_ms);
    json_put_pair_int(writer, "match_ms", clocks->match_ms);
    records_put_bank(writer, clocks);
    if (clocks->days > 0)
        json_put_pair_int(writer, "days", clocks->days);
    json_put_key(writer, "options");
    json_open(writer, '{');
    for (uint32_t i = 0; i < game->options_count; i++)
        if (table->config.options[i] != game->options[i].usual)
            json_put_pair_int(writer, game->options[i].id, table->config.options[i]);
    json_close(writer, '}');
    json_put_key(writer, "players");
    put_players(writer, table, now);
    json_close(writer, '}');
}

bool lobby_read_place(const char *place, LobbyPage *page) {
    char *end;
    if (place == NULL)
        return true;
    for (uint8_t state = PROTO_STATE_WAITING; state <= PROTO_STATE_RUNNING; state++) {
        const char *id = choice_id(PROTO_STATES_LIST, state);
        size_t length = strlen(id);
        if (strncmp(place, id, length) != 0 || place[length] != '-')
            continue;
        page->state = state;
        page->serial = strtoull(place + length + 1, &end, 10);
        return page->serial > 0 && *end == '\0' && place[length + 1] != '-';
    }
    return false;
}

/* Does the table belong in the list? */
static bool is_listed(const Table *table, const LobbyPage *page) {
    const MashGame *game = table->config.content->content->game;
    bool there = !table_deserted(table) || (days_is(table) && table->state == PROTO_STATE_WAITING);
    return !table->config.unlisted && there &&
           (page->game == NULL || strcmp(game->id, page->game) == 0);
}

/* Counts the table for its players' addresses. False: all of them have used up their share of the
 * list. */
static bool has_share(const Table *table, uint64_t list) {
    uint32_t most = table->server->setup.budgets.listed;
    bool room = most == 0 || (table->chairs[0].account == NULL && table->chairs[1].account == NULL);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        Account *account = table->chairs[seat].account;
        if (account == NULL)
            continue;
        if (account->list != list)
            account->listed = 0;
        account->list = list;
        room |= account->listed++ < most;
    }
    return room;
}

/* Is the table after the start of the page? */
static bool is_behind(const Table *table, const LobbyPage *page) {
    return page->serial == 0 || table->state > page->state ||
           (table->state == page->state && table->serial < page->serial);
}

/* All tables of one state that belong to the page. False: it is full, and there are more. */
static bool put_tables(JsonWriter *writer, Server *server, uint8_t state, LobbyPage *page,
                       const Table **last, uint32_t *listed) {
    uint64_t list = ++server->lists;
    for (const Table *table = server->tables; table != NULL; table = table->next) {
        if (table->state != state || !is_listed(table, page) || !has_share(table, list) ||
            !is_behind(table, page))
            continue;
        if (*listed == LISTED_MAX) {
            MashText next = text_over(page->next, sizeof page->next);
            text_format(&next, "%s-", choice_id(PROTO_STATES_LIST, (*last)->state));
            text_int(&next, (int64_t)(*last)->serial);
            return false;
        }
        lobby_put_table(writer, table, true);
        *last = table;
        ++*listed;
    }
    return true;
}

void lobby_write_matches(Server *server, LobbyPage *page, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    const Table *last = NULL;
    uint32_t listed = 0;
    page->next[0] = '\0';
    json_open(&writer, '[');
    for (uint8_t state = PROTO_STATE_WAITING; state <= PROTO_STATE_RUNNING; state++)
        if (!put_tables(&writer, server, state, page, &last, &listed))
            break;
    json_close(&writer, ']');
}

/* A preset with its default times. */
static void put_preset(JsonWriter *writer, Server *server, const LoadedContent *loaded) {
    static const RequestedConfig nothing = {
        .turn_ms = -1, .match_ms = -1, .pause_ms = -1, .silence_ms = -1, .grace_ms = -1};
    const MashLimits *terms = &loaded->content->limits;
    ClockLimits clocks = clocks_of(server, terms, &nothing);
    json_open(writer, '{');
    json_put_pair(writer, "id", loaded->preset->id);
    json_put_pair(writer, "title", loaded->preset->title);
    json_put_pair_int(writer, "width", terms->width);
    json_put_pair_int(writer, "height", terms->height);
    json_put_pair_int(writer, "turn_ms", clocks.turn_ms);
    json_put_pair_int(writer, "match_ms", clocks.match_ms);
    json_put_pair_int(writer, "pause_ms", clocks.pause_ms);
    json_put_pair_int(writer, "silence_ms", clocks.silence_ms);
    json_put_pair_int(writer, "grace_ms", clocks.grace_ms);
    json_close(writer, '}');
}

/* A game with its presets and options. */
static void put_game(JsonWriter *writer, Server *server, const MashGame *game) {
    json_open(writer, '{');
    json_put_pair(writer, "id", game->id);
    json_put_pair(writer, "title", game->title);
    json_put_pair_int(writer, "version", game->version);
    json_put_key(writer, "presets");
    json_open(writer, '[');
    for (uint32_t i = 0; i < game->presets_count; i++)
        put_preset(writer, server, content_of_preset(server, game, game->presets[i].id));
    json_close(writer, ']');
    json_put_key(writer, "options");
    json_open(writer, '[');
    for (uint32_t i = 0; i < game->options_count; i++)
        option_write(writer, &game->options[i]);
    json_close(writer, ']');
    json_close(writer, '}');
}

void lobby_write_games(Server *server, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '[');
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        put_game(&writer, server, *game);
    json_close(&writer, ']');
}

/* A message whose first field is a list that is written directly into the text. */
typedef struct ListPage {
    Server *server;
    const char *type;
    LobbyPage page;
} ListPage;

/* A list as a message. */
static void write_list(void *what, MashText *text) {
    ListPage *list = what;
    text_format(text, "{\"type\":\"%s\",\"%s\":", list->type, list->type);
    if (strcmp(list->type, "games") == 0)
        lobby_write_games(list->server, text);
    else
        lobby_write_matches(list->server, &list->page, text);
    if (list->page.next[0] != '\0')
        text_format(text, ",\"next\":\"%s\"", list->page.next);
    text_byte(text, '}');
}

/* Sends a list to the session that asked for it. */
static void send_list(Session *session, ListPage *list) {
    MashText text;
    list->server = session->server;
    if (server_write_text(session->server, &text, write_list, list))
        net_send_text(session->connection, text.bytes, text.count);
}

void lobby_games(Session *session) { send_list(session, &(ListPage){.type = "games"}); }

/* Sends a page of the tables of all nodes. */
static void send_listing(Session *session, const ListingAnswer *page) {
    MashText text;
    if (listing_write(session->server, page, "{\"type\":\"matches\",\"matches\":", "}", &text))
        net_send_text(session->connection, text.bytes, text.count);
    else
        session_fault(session);
}

/* Sends the tables of this node: those of the others are not known now. */
static void send_own(Session *session, const char *game) {
    ListPage list = {.type = "matches", .page = {.game = game}};
    send_list(session, &list);
}

/* The tables of all nodes were read. */
static void answer_tables(Ask *ask) {
    ListingAnswer page;
    bool read = listing_read(ask, &page);
    if (ask->session == NULL)
        return;
    if (read)
        send_listing(ask->session, &page);
    else
        send_own(ask->session, ask->game[0] == '\0' ? NULL : ask->game);
}

/* The tables of all nodes: as they were just read, or they are asked for. */
static void list_all(Session *session, const LobbyPage *wanted) {
    Server *server = session->server;
    ListingAnswer page;
    bool first = wanted->game == NULL && wanted->serial == 0;
    if (first && listing_ready(server, false, &page)) {
        send_listing(session, &page);
        return;
    }
    Ask *ask = listing_ask(server, session->address, wanted, answer_tables);
    if (ask != NULL)
        ask->session = session;
    else if (first && listing_ready(server, true, &page))
        send_listing(session, &page);
    else
        send_own(session, wanted->game);
}

void lobby_matches(Session *session, const Message *message) {
    ListPage list = {.type = "matches"};
    list.page.game = message_has(message, "game") ? message->matches.game : NULL;
    if (!lobby_read_place(message_has(message, "after") ? message->matches.after : NULL,
                          &list.page))
        arena_refuse_because(session, REFUSAL_MALFORMED,
                             "after: it must be what `next` of another answer said");
    else if (store_is_shared(session->server->store))
        list_all(session, &list.page);
    else
        send_list(session, &list);
}
