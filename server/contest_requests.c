/* contest_requests.c -- see contest.h: what clients and operators ask of contests. */
#include <stdlib.h>
#include <string.h>

#include "server/arena.h"
#include "server/contest.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "server/rated.h"

enum {
    HOUR_MINUTES = 60,
    WEEK_MINUTES = 7 * 24 * 60,
    REST_MS = 10000,
    SWISS_PLAYERS_MAX = 300,      /* pairing takes time cubic in their number */
    ROUND_ROBIN_PLAYERS_MAX = 64, /* all against all */
};

/* --- Who is it -------------------------------------------------------------------------------- */

/* Compares in constant time. */
static bool same_token(const char *a, const char *b) {
    uint32_t difference = 0;
    for (uint32_t i = 0; i < PROTO_TOKEN_DIGITS; i++)
        difference |= (uint32_t)(uint8_t)(a[i] ^ b[i]);
    return difference == 0;
}

/* Sets who the session is in its contest, by a token. False: nobody has that token. This is the one
 * place that recognises people. */
static bool identify(Session *session, const char *token) {
    Contest *contest = session->contest;
    session->organises = same_token(contest->config.token, token);
    for (uint32_t i = 0; i < contest->players_count; i++) {
        Contestant *player = &contest->players[i];
        if (!same_token(player->token, token))
            continue;
        if (player->session != NULL)
            player->session->contestant = CONTEST_NONE;
        player->session = session;
        session->contestant = (uint16_t)i;
    }
    return session->organises || session->contestant != CONTEST_NONE;
}

/* A new token: the contest's number and 64 random bits. */
static void make_token(const Contest *contest, char token[PROTO_TOKEN_DIGITS + 1]) {
    uint64_t secret;
    MashText text = text_over(token, PROTO_TOKEN_DIGITS + 1);
    net_random(contest->server->loop, &secret, sizeof secret);
    text_hex(&text, contest->number, 16);
    text_hex(&text, secret, 16);
}

void contest_forget(Session *session) {
    Contest *contest = session->contest;
    contest_drop_posts(session->server, session, NULL);
    if (contest == NULL)
        return;
    if (session->contestant != CONTEST_NONE) {
        contest->players[session->contestant].session = NULL;
        contest_touch(contest);
    }
    SERVER_UNLINK(contest->watchers, session, fellow_before, fellow);
    contest->watchers_count--;
    session->contest = NULL;
    session->contestant = CONTEST_NONE;
    session->organises = false;
}

/* The session is told about this contest from now on. */
static void follow(Session *session, Contest *contest) {
    if (session->contest == contest)
        return;
    contest_forget(session);
    session->contest = contest;
    session->contestant = CONTEST_NONE;
    SERVER_LINK(contest->watchers, session, fellow_before, fellow);
    contest->watchers_count++;
}

/* The contest with this code; NULL: it is at another node, or nowhere, and that is answered. */
static Contest *contest_of(Session *session, const char *code) {
    uint64_t number;
    Contest *contest =
        table_code_decode(code, &number) ? contest_find(session->server, number) : NULL;
    if (contest == NULL)
        lobby_ask_contest(session, code);
    return contest;
}

/* --- Creating --------------------------------------------------------------------------------- */

/* The most players of a kind. */
static uint32_t players_most(const ContestConfig *config) {
    switch (config->format) {
    case PROTO_FORMAT_SWISS:
        return SWISS_PLAYERS_MAX;
    case PROTO_FORMAT_ROUND_ROBIN:
        return ROUND_ROBIN_PLAYERS_MAX;
    default:
        return PROTO_CONTESTANTS_MAX;
    }
}

/* Takes what the message says about the contest itself. */
static void take_config(const Server *server, const Message *message, ContestConfig *config) {
    const CLIENT_TOURNAMENT_CREATE_FIELDS *wanted = &message->tournament_create;
    bool round_robin = wanted->kind == PROTO_FORMAT_ROUND_ROBIN;
    memcpy(config->title, wanted->title, sizeof config->title);
    config->format = wanted->kind;
    config->without_rounds = round_robin && wanted->free;
    config->two_legs =
        wanted->pair && wanted->kind != PROTO_FORMAT_ARENA && !config->without_rounds;
    config->rounds = message_has(message, "rounds") && wanted->kind != PROTO_FORMAT_ARENA &&
                             wanted->kind != PROTO_FORMAT_KNOCK_OUT
                         ? (uint32_t)wanted->rounds
                         : 0;
    if (wanted->kind == PROTO_FORMAT_ARENA || config->without_rounds)
        config->minutes = message_has(message, "minutes")      ? (uint32_t)wanted->minutes
                          : wanted->kind == PROTO_FORMAT_ARENA ? HOUR_MINUTES
                                                               : WEEK_MINUTES;
    config->rest_ms = message_has(message, "rest_ms") ? (uint32_t)wanted->rest_ms : REST_MS;
    uint32_t most = players_most(config);
    config->players_max =
        message_has(message, "players_max") && (uint32_t)wanted->players_max < most
            ? (uint32_t)wanted->players_max
            : most;
    if (message_has(message, "start_in"))
        config->starts_ms = net_wall_clock_ms(server->loop) / 1000 * 1000 +
                            (uint64_t)wanted->start_in * 1000 + 1000;
    net_random(server->loop, &config->seed, sizeof config->seed);
}

/* Makes room for one more contest: the oldest that is over goes to the archive. False: there is
 * none. */
static bool make_room(Server *server) {
    if (server->contests_count < server->setup.tournaments_max)
        return true;
    Contest *oldest = NULL;
    for (Contest *contest = server->contests; contest != NULL; contest = contest->next)
        if (contest->phase == PROTO_PHASE_OVER)
            oldest = contest;
    if (oldest == NULL || !contest_archive(oldest))
        return false;
    contest_close(oldest);
    return true;
}

/* How many contests of this address are not over. */
static uint32_t contests_of(const Server *server, const Account *account) {
    uint32_t count = 0;
    for (const Contest *contest = server->contests; contest != NULL; contest = contest->next)
        count += contest->account == account && contest->phase != PROTO_PHASE_OVER;
    return count;
}

/* May the session create a contest now? False: it was refused. */
static bool may_create(Session *session) {
    Server *server = session->server;
    uint32_t most = server->setup.budgets.tournaments;
    if (server->draining || server->closing) {
        arena_refuse(session, REFUSAL_CLOSING);
    } else if (server_is_low(server)) {
        arena_refuse_because(session, REFUSAL_FULL, SERVER_LOW);
    } else if (most > 0 && contests_of(server, session->account) >= most) {
        budget_count(server, BUDGET_TOURNAMENTS);
        arena_refuse_because(session, REFUSAL_QUOTA,
                             "Your address has too many tournaments that are not over.");
    } else if (!make_room(server)) {
        arena_refuse_because(session, REFUSAL_FULL, "The server has too many tournaments.");
    } else {
        return true;
    }
    return false;
}

/* Answers with who the session is in the contest, then with how that stands: who knows of it has
 * the token. */
static void answer(Session *session) {
    if (session->organises || session->contestant != CONTEST_NONE)
        contest_send_you(session->contest, session);
    contest_send_state(session->contest, session);
}

void contest_create(Session *session, const Message *message) {
    Server *server = session->server;
    ContestConfig config;
    memset(&config, 0, sizeof config);
    if (!may_create(session) || !lobby_contest_config(session, message, &config.table))
        return;
    take_config(server, message, &config);
    if (!session_sanitize(config.title)) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "title: it has no allowed characters");
        return;
    }
    Contest *contest = contest_open(server, &config, 0);
    if (contest == NULL) {
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    make_token(contest, contest->config.token);
    if (!contest_write_created(contest)) {
        contest_close(contest);
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    account_keep(server, session->account);
    contest->account = session->account;
    server->stats.contests_created++;
    server_log(server, LOG_INFO, "tournament %s (%s, %s) was created", contest->code,
               choice_id(PROTO_FORMATS_LIST, config.format),
               config.table.content->content->game->id);
    follow(session, contest);
    session->organises = true;
    answer(session);
}

/* --- Watching, joining, leaving --------------------------------------------------------------- */

/* Writes the list into its message. */
void contest_list(Session *session) {
    MashText text;
    if (server_write_text(session->server, &text, contest_write_list, session->server))
        net_send_text(session->connection, text.bytes, text.count);
    else
        session_fault(session);
}

void contest_watch(Session *session, const Message *message) {
    Contest *contest = contest_of(session, message->tournament_watch.code);
    if (contest == NULL)
        return;
    follow(session, contest);
    if (message_has(message, "token") && !identify(session, message->tournament_watch.token)) {
        arena_refuse(session, REFUSAL_NO_SUCH_TOKEN);
        return;
    }
    if (session->contestant != CONTEST_NONE)
        contest_touch(contest);
    answer(session);
}

/* How many players came from this address. */
static uint32_t players_of(const Contest *contest, uint64_t address) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < contest->players_count; i++)
        count += contest->players[i].address == address;
    return count;
}

/* Why the session cannot join as a new player; REFUSAL_COUNT: it can. */
static Refusal why_not_join(const Session *session, const Contest *contest, uint64_t address) {
    const Server *server = session->server;
    uint32_t most = server->setup.budgets.contestants;
    if (session->role == PROTO_ROLE_WATCHER)
        return REFUSAL_WATCHERS_WATCH;
    if (server->draining || server->closing)
        return REFUSAL_CLOSING;
    if (!contest_is_open(contest))
        return REFUSAL_TOO_LATE;
    if (contest->players_count >= contest->config.players_max)
        return REFUSAL_NO_FREE_SEAT;
    return most > 0 && players_of(contest, address) >= most ? REFUSAL_QUOTA : REFUSAL_COUNT;
}

/* A new player. */
static bool join_new(Session *session, Contest *contest) {
    uint64_t address = session->account == NULL ? 0 : session->account->key | 1;
    Refusal refusal = why_not_join(session, contest, address);
    Contestant player;
    memset(&player, 0, sizeof player);
    if (refusal != REFUSAL_COUNT) {
        arena_refuse(session, refusal);
        return false;
    }
    memcpy(player.name, session->name, sizeof player.name);
    player.role = session->role;
    player.rating = rated_points(session, &contest->config.table);
    player.account = session->player != NULL;
    player.named = session->player == NULL ? 0 : session->player->id;
    make_token(contest, player.token);
    if (session->contest == contest && session->organises)
        memcpy(player.token, contest->config.token, sizeof player.token);
    uint32_t number = contest->players_count;
    if (!contest_write_player(contest, number, &player)) {
        arena_refuse(session, REFUSAL_FULL);
        return false;
    }
    follow(session, contest);
    session->contestant = (uint16_t)number;
    contest->players[number].session = session;
    contest->players[number].address = address;
    return true;
}

void contest_join(Session *session, const Message *message) {
    Contest *contest = contest_of(session, message->tournament_join.code);
    if (contest == NULL)
        return;
    bool known = session->contest == contest && session->contestant != CONTEST_NONE;
    const Contestant *player = known ? &contest->players[session->contestant] : NULL;
    if (known && (player->removed || contest->phase == PROTO_PHASE_OVER)) {
        arena_refuse(session, REFUSAL_TOO_LATE);
        return;
    }
    if (known && player->away &&
        !contest_write_change(contest, CONTEST_AWAY, session->contestant, 0)) {
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    if (known || join_new(session, contest))
        answer(session);
}

void contest_leave(Session *session) {
    Contest *contest = session->contest;
    if (contest == NULL || session->contestant == CONTEST_NONE) {
        arena_refuse(session, REFUSAL_NOT_IN_TOURNAMENT);
        return;
    }
    if (contest_is_in(&contest->players[session->contestant]) &&
        contest->phase != PROTO_PHASE_OVER &&
        !contest_write_change(contest, CONTEST_AWAY, session->contestant, 1)) {
        arena_refuse(session, REFUSAL_FULL);
        return;
    }
    contest_send_you(contest, session);
}

void contest_page(Session *session, const Message *message) {
    Contest *contest = contest_of(session, message->tournament_page.code);
    if (contest != NULL)
        contest_send_page(session, contest, message->tournament_page.what,
                          (uint32_t)message->tournament_page.from);
}

/* --- Orders ----------------------------------------------------------------------------------- */

/* Somebody else goes on as a player. */
static Refusal replace(Contest *contest, ContestOrder *order) {
    Contestant player;
    memset(&player, 0, sizeof player);
    MashText name = text_over(player.name, sizeof player.name);
    if (order->name != NULL)
        text_string(&name, order->name);
    if (order->name == NULL || name.truncated || !session_sanitize(player.name))
        return REFUSAL_NO_NAME;
    player.role = contest->players[order->player].role;
    player.rating = contest->players[order->player].rating;
    make_token(contest, player.token);
    if (!contest_write_player(contest, order->player, &player))
        return REFUSAL_FULL;
    Session *session = contest->players[order->player].session;
    if (session != NULL)
        session->contestant = CONTEST_NONE;
    contest->players[order->player].session = NULL;
    order->token = contest->players[order->player].token;
    return REFUSAL_COUNT;
}

/* Sets the result of a match that is not running. */
static Refusal set_result(Contest *contest, const ContestOrder *order) {
    uint32_t index = 0;
    while (index < contest->pairings_count &&
           (contest->pairings[index].match != order->match || order->match == 0))
        index++;
    if (index == contest->pairings_count || !order->has_score)
        return REFUSAL_NO_SUCH_PLAYER;
    const Table *table = lobby_find(contest->server, order->match);
    if (contest->pairings[index].score == CONTEST_OPEN && table != NULL && table_is_running(table))
        return REFUSAL_STILL_RUNNING;
    return contest_write_change(contest, CONTEST_SCORE, index, order->score) ? REFUSAL_COUNT
                                                                             : REFUSAL_FULL;
}

/* An order about a player. */
static Refusal order_player(Contest *contest, ContestOrder *order) {
    if (!order->has_player || order->player >= contest->players_count)
        return REFUSAL_NO_SUCH_PLAYER;
    if (order->what == PROTO_ORDER_REPLACE)
        return replace(contest, order);
    bool adjust = order->what == PROTO_ORDER_ADJUST;
    if (!contest_write_change(contest, adjust ? CONTEST_ADJUST : CONTEST_REMOVE, order->player,
                              adjust ? order->points : 0))
        return REFUSAL_FULL;
    if (!adjust) {
        contest_forfeit(contest, order->player);
        contest_send_player(contest, order->player);
    }
    return REFUSAL_COUNT;
}

Refusal contest_order(Contest *contest, ContestOrder *order) {
    static const uint8_t changes[] = {[PROTO_ORDER_PAUSE] = CONTEST_PAUSE,
                                      [PROTO_ORDER_CONTINUE] = CONTEST_CONTINUE,
                                      [PROTO_ORDER_END] = CONTEST_STOP};
    uint8_t phase = contest->phase;
    bool possible = true;
    switch (order->what) {
    case PROTO_ORDER_RESULT:
        return set_result(contest, order);
    case PROTO_ORDER_REMOVE:
    case PROTO_ORDER_REPLACE:
    case PROTO_ORDER_ADJUST:
        return order_player(contest, order);
    case PROTO_ORDER_START:
        if (phase != PROTO_PHASE_WAITING)
            return REFUSAL_TOO_LATE;
        return contest_start(contest) ? REFUSAL_COUNT : REFUSAL_TOO_FEW;
    case PROTO_ORDER_PAUSE:
        possible = phase == PROTO_PHASE_RUNNING;
        break;
    case PROTO_ORDER_CONTINUE:
        possible = phase == PROTO_PHASE_PAUSED;
        break;
    default:
        possible = phase != PROTO_PHASE_OVER;
    }
    if (!possible)
        return REFUSAL_TOO_LATE;
    return contest_write_change(contest, (ContestChange)changes[order->what], 0, 0) ? REFUSAL_COUNT
                                                                                    : REFUSAL_FULL;
}

/* `done`, behind the record of the order. */
static void send_done(Session *session, Contest *contest) {
    Message message = arena_done_message(session->server);
    contest_post(contest, session, server_frame(session->server, &message));
}

/* The token of who goes on for another player. */
static void send_replaced(Session *session, Contest *contest, const ContestOrder *order) {
    Message message = message_new(MESSAGE_SERVER_TOURNAMENT_YOU);
    memcpy(message.tournament_you.code, contest->code, sizeof contest->code);
    memcpy(message.tournament_you.token, order->token, sizeof message.tournament_you.token);
    message.tournament_you.player = (int32_t)order->player;
    message_set_present(&message, "player");
    contest_post(contest, session, server_frame(session->server, &message));
}

void contest_manage(Session *session, const Message *message) {
    const CLIENT_TOURNAMENT_MANAGE_FIELDS *wanted = &message->tournament_manage;
    Contest *contest = contest_of(session, wanted->code);
    if (contest == NULL)
        return;
    if (session->contest != contest || !session->organises) {
        arena_refuse(session, REFUSAL_ONLY_ORGANISER);
        return;
    }
    ContestOrder order = {.what = wanted->what,
                          .has_player = message_has(message, "player"),
                          .player = (uint32_t)wanted->player,
                          .points = wanted->points,
                          .has_score = message_has(message, "score"),
                          .score = wanted->score,
                          .name = message_has(message, "name") ? wanted->name : NULL};
    if (message_has(message, "table"))
        table_code_decode(wanted->table, &order.match);
    Refusal refusal = contest_order(contest, &order);
    if (refusal != REFUSAL_COUNT) {
        arena_refuse(session, refusal);
        return;
    }
    server_log(session->server, LOG_INFO, "tournament %s: its organiser has ordered: %s",
               contest->code, choice_id(PROTO_ORDERS_LIST, wanted->what));
    if (order.token != NULL)
        send_replaced(session, contest, &order);
    else
        send_done(session, contest);
}
