/* bot.c -- mashup bot: plays whole matches at a server automatically, for tests and load.
 *
 * A bot joins quick matches, or plays against a second bot of this process at tables of their own
 * (--pairs), so that nobody waits for a stranger; or it plays all its matches of a tournament
 * (--tournament). With --log it records what the server sent: every
 * position by its number and the hash of the view, and every own action that was answered. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/ai.h"
#include "base/hash.h"
#include "cli/game_config.h"
#include "client/exec_thinker.h"

enum {
    BOTS_MAX = 16000,
    PATIENCE_MS = 120000,
    AGAIN_MS = 500,  /* before a request that was refused for now is sent again */
    ALONE_MS = 5000, /* without an opponent, until that is said */
    FAILED_MAX = 3,  /* matches in a row that the program failed in, until no more are asked for */
    PROBLEM_BYTES = 512,
};

typedef struct BotRunner BotRunner;

/* One connection. */
typedef struct Bot {
    BotRunner *fleet;
    Client *client;
    NetTimer *timer;
    struct Bot *partner; /* NULL: plays against strangers */
    bool host;           /* the one of the two that opens tables */
    bool asked;          /* requested a table, not answered yet */
    bool done;           /* wants no more matches */
    bool ended;          /* the end of this match was counted */
    uint32_t matches;    /* played */
    MashChance tie_breaks;
    char code[PROTO_CODE_MAX + 1]; /* of the table it is or was at; empty: none */
    uint8_t seat;
    uint32_t sent_number; /* the position that its last action answered; 0: it was answered */
    bool sent_alone;      /* nobody else was awaited then */
    MashAction sent;
    AiPlan plan;
    ExecThinker *program;                    /* NULL: it chooses here */
    bool waiting;                            /* for the program's answer */
    bool fresh;                              /* the program was not sent this match yet */
    char member[PROTO_TOKEN_DIGITS + 1];     /* its token in the tournament; empty: none yet */
    char seat_token[PROTO_TOKEN_DIGITS + 1]; /* of the match that is ready; empty: none is */
    uint32_t failed;                         /* matches in a row that the program failed in */
    bool logged_in; /* on this connection; without a token as soon as there is one */
    char challenge[PROTO_CODE_MAX + 1]; /* a table where somebody waits for it; empty: none */
} Bot;

/* All bots of this process. */
struct BotRunner {
    NetLoop *loop;
    NetTimer *alone; /* runs while the only bot has no opponent and that was not said yet */
    const char *url;
    ClientShared *shared;
    Bot *bots;
    uint32_t count, at_work;
    uint32_t matches_each;
    uint64_t pace_ms;
    Message seek, open;
    FILE *log;
    MashAction *list;
    uint32_t list_max;
    const AiSkill *skill;   /* NULL: any legal action */
    const char *command;    /* NULL: no program chooses */
    const char *tournament; /* its code; NULL: quick matches or --pairs */
    uint32_t threads;       /* of the skill */
    Crew *crew;
    uint64_t seed;
    /* results */
    uint64_t actions, refusals, offences, losses, matches, won, drawn, gone, broken;
    uint64_t positions;
    bool ending, failed, late, unreached;
    char token[PROTO_KEY_DIGITS + 1]; /* of its account; empty: it has none */
    bool opens; /* tables for others to join, instead of seeking quick matches */
};

/* --- The log ---------------------------------------------------------------------------------- */

/* at CODE SEAT NUMBER HASH-OF-THE-VIEW; a table has one view per number. */
static void log_position(Bot *bot) {
    const ClientTable *table = client_table(bot->client);
    bot->fleet->positions++;
    if (bot->fleet->log == NULL)
        return;
    uint64_t hash = hash_bytes(0, table->view, table->content->limits.state_bytes);
    fprintf(bot->fleet->log, "at %s %u %u %016llx\n", table->code, table->you, table->number,
            (unsigned long long)hash);
}

/* act CODE SEAT NUMBER ACTION: answered by the position after that number. */
static void log_act(Bot *bot, bool over) {
    const ClientTable *table = client_table(bot->client);
    if (bot->sent_number == 0 || table->number <= bot->sent_number)
        return;
    bot->fleet->actions++;
    if (bot->fleet->log != NULL && bot->sent_alone && table->number == bot->sent_number + 1 &&
        !over) {
        char digits[17];
        MashText text = text_over(digits, sizeof digits);
        action_to_hex(bot->sent, &text);
        fprintf(bot->fleet->log, "act %s %u %u %s\n", table->code, table->you, bot->sent_number,
                digits);
    }
    bot->sent_number = 0;
}

/* Writes "WORD CODE SEAT" to the log, if there is one. */
static void log_word(const Bot *bot, const char *word) {
    if (bot->fleet->log != NULL)
        fprintf(bot->fleet->log, "%s %s %u\n", word, bot->code, bot->seat);
}

/* --- Seats ------------------------------------------------------------------------------------ */

/* This bot has played all its matches; the last one to finish ends the loop. */
static void finish_bot(Bot *bot) {
    if (bot->done)
        return;
    bot->done = true;
    if (--bot->fleet->at_work == 0)
        net_loop_stop(bot->fleet->loop);
}

/* At no table and not about to join one. */
static bool is_free(const Bot *bot) {
    return client_state(bot->client) == CLIENT_CONNECTED && bot->logged_in && !bot->asked &&
           client_table(bot->client)->code[0] == '\0';
}

/* Requests a table; until there is an answer the bot is not free. */
static void ask(Bot *bot, const Message *message) {
    bot->asked = client_send(bot->client, message);
}

/* Is a match in progress at its table? */
static bool plays(const Bot *bot) {
    const ClientTable *table = client_table(bot->client);
    return table->code[0] != '\0' && table->state == PROTO_STATE_RUNNING;
}

/* The partner joins as soon as there is a table; the host opens one when its partner is free. */
static void request_partner_table(Bot *host, Bot *client) {
    const ClientTable *table = client_table(host->client);
    if (is_free(host) && is_free(client)) {
        ask(host, &host->fleet->open);
    } else if (is_free(client) && table->code[0] != '\0' && table->state == PROTO_STATE_WAITING) {
        Message join = message_new(MESSAGE_CLIENT_JOIN);
        memcpy(join.join.code, table->code, sizeof join.join.code);
        ask(client, &join);
    }
}

/* Joins the tournament, or comes back to it. */
static void enter_tournament(Bot *bot) {
    bool known = bot->member[0] != '\0';
    Message message =
        message_new(known ? MESSAGE_CLIENT_TOURNAMENT_WATCH : MESSAGE_CLIENT_TOURNAMENT_JOIN);
    MashText code =
        known ? text_over(message.tournament_watch.code, sizeof message.tournament_watch.code)
              : text_over(message.tournament_join.code, sizeof message.tournament_join.code);
    text_string(&code, bot->fleet->tournament);
    if (known) {
        memcpy(message.tournament_watch.token, bot->member, sizeof bot->member);
        message_set_present(&message, "token");
    }
    client_send(bot->client, &message);
}

/* Takes the seat of the match that is ready. */
static void take_seat(Bot *bot) {
    if (bot->seat_token[0] == '\0' || !is_free(bot))
        return;
    Message message = message_new(MESSAGE_CLIENT_RETURN);
    memcpy(message.return_seat.token, bot->seat_token, sizeof bot->seat_token);
    message_set_present(&message, "token");
    bot->seat_token[0] = '\0';
    ask(bot, &message);
}

/* What the bot is in the tournament: a match may be ready. */
static void take_place(Bot *bot, const Message *message) {
    const SERVER_TOURNAMENT_YOU_FIELDS *you = &message->tournament_you;
    memcpy(bot->member, you->token, sizeof bot->member);
    bot->seat_token[0] = '\0';
    if (message_has(message, "away") && you->away && !bot->fleet->ending) {
        Message back = message_new(MESSAGE_CLIENT_TOURNAMENT_JOIN);
        MashText code = text_over(back.tournament_join.code, sizeof back.tournament_join.code);
        text_string(&code, you->code);
        client_send(bot->client, &back);
    }
    if (message_has(message, "seat_token") &&
        strcmp(you->table, client_table(bot->client)->code) != 0)
        memcpy(bot->seat_token, you->seat_token, sizeof bot->seat_token);
    take_seat(bot);
}

/* Joins whoever challenges it. False: nobody does, or it is not free. */
static bool take_challenge(Bot *bot) {
    if (bot->challenge[0] == '\0' || !is_free(bot))
        return false;
    Message join = message_new(MESSAGE_CLIENT_JOIN);
    memcpy(join.join.code, bot->challenge, sizeof join.join.code);
    ask(bot, &join); /* again at another node, if it is sent there */
    return true;
}

/* Somebody challenges the bot to its game: it stops looking for others. */
static void hear_challenge(Bot *bot, const Message *message) {
    const Json *json = &message->json;
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    char game[PROTO_ID_MAX + 1];
    uint32_t first = json_first(json, message->challenges_told.challenges.node);
    if (first == JSON_NONE || plays(bot) || bot->fleet->ending ||
        !json_line_at(json, first, "game", game, sizeof game, &problems) ||
        strcmp(game, bot->fleet->seek.seek.game) != 0 ||
        !json_line_at(json, first, "code", bot->challenge, sizeof bot->challenge, &problems))
        return;
    if (!take_challenge(bot))
        client_send_simple(bot->client, MESSAGE_CLIENT_LEAVE);
}

/* Logs in to the account of its token. */
static void log_in(Bot *bot) {
    Message message = message_new(MESSAGE_CLIENT_LOGIN);
    memcpy(message.login.key, bot->fleet->token, sizeof bot->fleet->token);
    client_send(bot->client, &message);
}

/* Starts the next match, if one is still wanted. */
static void request_match(Bot *bot) {
    if (bot->fleet->tournament != NULL) {
        if (bot->fleet->ending && !plays(bot))
            finish_bot(bot);
        else
            take_seat(bot);
        return;
    }
    Bot *host = bot->partner == NULL || bot->host ? bot : bot->partner, *client = host->partner;
    if (host->matches >= bot->fleet->matches_each) {
        if (!plays(bot))
            finish_bot(bot);
        /* A partner that learnt of the end first found its host still at the table, and waits. */
        if (client != NULL && client->matches >= bot->fleet->matches_each && !plays(client))
            finish_bot(client);
    } else if (client != NULL) {
        request_partner_table(host, client);
    } else if (is_free(bot) && !take_challenge(bot)) {
        ask(bot, bot->fleet->opens ? &bot->fleet->open : &bot->fleet->seek);
        if (bot->fleet->alone != NULL)
            net_timer_start(bot->fleet->alone, ALONE_MS);
    }
}

/* The only bot has waited for long: says what for. */
static void on_alone(void *owner) {
    BotRunner *fleet = owner;
    const Bot *bot = fleet->bots;
    if (!bot->asked && client_table(bot->client)->state != PROTO_STATE_WAITING)
        return;
    fprintf(stderr, "mashup bot: waiting at %s for somebody who wants to play %s\n", fleet->url,
            fleet->seek.seek.game);
    net_timer_close(fleet->alone);
    fleet->alone = NULL;
}

/* --- Playing ---------------------------------------------------------------------------------- */

/* Any legal action. False: there is none. */
static bool choose_any(Bot *bot, MashAction *out) {
    const ClientTable *table = client_table(bot->client);
    BotRunner *fleet = bot->fleet;
    if (table->content->limits.actions_max > fleet->list_max) {
        free(fleet->list);
        fleet->list_max = table->content->limits.actions_max;
        fleet->list = cli_memory(fleet->list_max * sizeof *fleet->list);
    }
    uint32_t count = table->game->actions(table->content, table->view, table->you, fleet->list);
    if (count > 0)
        *out = fleet->list[chance_below(&bot->tie_breaks, count)];
    return count > 0;
}

/* The action that the skill chooses. False: there is nothing to choose. */
static bool think(Bot *bot, MashAction *out) {
    enum { NODES = 10000 };
    const ClientTable *table = client_table(bot->client);
    BotRunner *fleet = bot->fleet;
    if (!crew_is_for(fleet->crew, table->content)) {
        crew_close(fleet->crew);
        fleet->crew = cli_crew(table->content, fleet->threads);
    }
    uint64_t seed = hash_number(fleet->seed, (uint64_t)(bot - fleet->bots));
    AiTask task = {.skill = fleet->skill,
                   .view = table->view,
                   .plan = &bot->plan,
                   .seat = table->you,
                   .seed = hash_bytes(seed, table->view, table->content->limits.state_bytes)};
    if (!crew_begin(fleet->crew, &task))
        return false;
    while (!crew_step(fleet->crew, NODES))
        continue;
    *out = crew_answer(fleet->crew);
    return true;
}

/* Sends the action as the answer to this position. */
static void send_action(Bot *bot, const ClientTable *table) {
    bot->sent_number = table->number;
    bot->sent_alone = table->awaited == 1u << table->you;
    client_act(bot->client, bot->sent);
}

/* Sends an action if it is our turn, once per position. */
static void act(Bot *bot) {
    const ClientTable *table = client_table(bot->client);
    if (!client_awaited(bot->client) || bot->sent_number == table->number || bot->waiting)
        return;
    if (bot->program != NULL) {
        bot->waiting = exec_thinker_ask(bot->program, table);
        return;
    }
    if (!(bot->fleet->skill == NULL ? choose_any(bot, &bot->sent) : think(bot, &bot->sent)))
        return;
    send_action(bot, table);
}

/* A program that fails in one match after the other wants no more of them. */
static void give_up_playing(Bot *bot) {
    if (bot->failed != FAILED_MAX)
        return;
    fprintf(stderr, "mashup bot: the program failed in %d matches in a row: no more are played\n",
            FAILED_MAX);
    bot->fleet->matches_each = 0;
}

/* The program has answered: its action counts if the position is still the same. A program that
 * failed gives its match up; the next one starts it again. */
static void on_reply(void *owner, const ExecReply *reply) {
    Bot *bot = owner;
    const ClientTable *table = client_table(bot->client);
    bool same = strcmp(table->code, reply->code) == 0 && client_awaited(bot->client);
    bot->waiting = false;
    if (reply->answer != EXEC_CHOSEN) {
        bot->fleet->broken++;
        bot->failed++;
        fprintf(stderr, "mashup bot: %s: %s\n", reply->code, reply->problem);
        give_up_playing(bot);
        if (strcmp(table->code, reply->code) == 0)
            client_send_simple(bot->client, MESSAGE_CLIENT_RESIGN);
    } else if (same && table->number == reply->number) {
        bot->failed = 0;
        bot->sent = reply->action;
        send_action(bot, table);
    } else {
        act(bot);
    }
}

/* The pause is over: requests a match or acts. */
static void on_timer(void *owner) {
    Bot *bot = owner;
    bool away = client_table(bot->client)->code[0] == '\0';
    if (away && bot->fleet->tournament != NULL && client_state(bot->client) == CLIENT_CONNECTED)
        enter_tournament(bot);
    else if (away)
        request_match(bot);
    else
        act(bot);
}

/* Acts immediately, or `pace_ms` later if that is not 0. */
static void act_soon(Bot *bot) {
    if (bot->fleet->pace_ms == 0)
        act(bot);
    else if (client_awaited(bot->client))
        net_timer_start(bot->timer, bot->fleet->pace_ms);
}

/* The match is over: counts it and its result. */
static void end(Bot *bot, MashResult result) {
    BotRunner *fleet = bot->fleet;
    if (!bot->ended) {
        if (bot->program != NULL)
            exec_thinker_over(bot->program, client_table(bot->client));
        if (bot->waiting && result.reason == MASH_REASON_TIME_OVER && result.winner != bot->seat)
            fprintf(stderr, "mashup bot: %s: time ran out before the program answered\n",
                    bot->code);
        bot->ended = true;
        bot->matches++;
        fleet->matches++;
        fleet->won += result.winner == bot->seat;
        fleet->drawn += result.winner >= MASH_SEATS;
        if (fleet->log != NULL)
            fprintf(fleet->log, "end %s %u %d %u\n", bot->code, bot->seat,
                    result.winner < MASH_SEATS ? (int)result.winner : -1, result.reason);
    }
    client_send_simple(bot->client, MESSAGE_CLIENT_LEAVE);
}

/* Logs the position, then acts on it, or leaves if the match is over. */
static void take_position(void *owner) {
    Bot *bot = owner;
    const ClientTable *table = client_table(bot->client);
    MashResult result = table->game->result(table->content, table->view);
    log_act(bot, result.over);
    log_position(bot);
    if (result.over)
        end(bot, result);
    else
        act_soon(bot);
}

/* A new table, or the same one again, which keeps its state. A host makes its partner join. */
static void take_table(void *owner) {
    Bot *bot = owner;
    const ClientTable *table = client_table(bot->client);
    bot->asked = false;
    if (strcmp(bot->challenge, table->code) == 0)
        bot->challenge[0] = '\0';
    if (strcmp(bot->code, table->code) != 0) {
        if (bot->fleet->opens) {
            printf("table %s\n", table->code);
            fflush(stdout);
        }
        bot->ended = false;
        bot->fresh = true;
        bot->sent_number = 0;
        bot->plan = (AiPlan){.count = 0};
    }
    memcpy(bot->code, table->code, sizeof bot->code);
    bot->seat = table->you;
    if (bot->program != NULL && table->state == PROTO_STATE_RUNNING && bot->fresh) {
        bot->fresh = false;
        exec_thinker_begin(bot->program, table);
    }
    if (bot->partner != NULL && bot->host)
        request_partner_table(bot, bot->partner);
}

/* Counts a refusal, prints it if it is an error, and tries again after AGAIN_MS. */
static void take_refusal(Bot *bot, const Message *message) {
    bot->fleet->refusals++;
    bot->asked = false;
    /* Where it was sent, it is asked again before the account is known there. */
    if (bot->logged_in && strcmp(message->refused.to, "join") == 0)
        bot->challenge[0] = '\0';
    bot->sent_number = 0;
    if (message->refused.offence) {
        bot->fleet->offences++;
        fprintf(stderr, "mashup bot: %s of %s was refused: %s\n", message->refused.to, bot->code,
                message->refused.reason);
    }
    net_timer_start(bot->timer, AGAIN_MS);
}

/* The tournament does not take the bot: that is final, unless it is only for now. */
static bool is_turned_away(Bot *bot, const Message *message) {
    static const Refusal final[] = {REFUSAL_NO_SUCH_TOURNAMENT, REFUSAL_TOO_LATE,
                                    REFUSAL_NO_FREE_SEAT, REFUSAL_QUOTA, REFUSAL_NO_SUCH_TOKEN};
    bool found = false;
    for (uint32_t i = 0; i < sizeof final / sizeof *final; i++)
        found |= strcmp(message->refused.code, refusal_code(final[i])) == 0;
    if (bot->fleet->tournament == NULL || !found || bot->member[0] != '\0' ||
        strncmp(message->refused.to, "tournament", strlen("tournament")) != 0)
        return false;
    fprintf(stderr, "mashup bot: %s\n", message->refused.reason);
    bot->fleet->failed = true;
    finish_bot(bot);
    return true;
}

/* The table is closed: we left, the server closed it, or it crashed. */
static void take_leave(void *owner, const char *how) {
    Bot *bot = owner;
    if (bot->code[0] != '\0' && !bot->ended) {
        bot->fleet->gone++;
        log_word(bot, how);
    }
    bot->code[0] = '\0';
    bot->asked = false;
    bot->sent_number = 0;
    request_match(bot);
}

/* The bot is connected, and logged in if it has an account. */
static void begin(Bot *bot) {
    if (bot->fleet->tournament != NULL)
        enter_tournament(bot);
    else if (client_table(bot->client)->code[0] == '\0' && bot->code[0] == '\0')
        request_match(bot);
}

/* Its token is not valid: that is final. */
static bool is_locked_out(Bot *bot, const Message *message) {
    if (bot->fleet->token[0] == '\0' || strcmp(message->refused.to, "login") != 0)
        return false;
    fprintf(stderr, "mashup bot: the token is not accepted: %s\n", message->refused.reason);
    bot->fleet->failed = true;
    finish_bot(bot);
    return true;
}

/* Handles what else the server sends. */
static void on_message(void *owner, Client *client, const Message *message) {
    Bot *bot = owner;
    if (message->kind == MESSAGE_SERVER_CONTINUED)
        act_soon(bot);
    if (message->kind == MESSAGE_SERVER_TOURNAMENT_YOU)
        take_place(bot, message);
    if (message->kind == MESSAGE_SERVER_TOURNAMENT && message->tournament.state == PROTO_PHASE_OVER)
        finish_bot(bot);
    if (message->kind == MESSAGE_SERVER_ACCOUNT) {
        bot->logged_in = true;
        begin(bot);
    }
    if (message->kind == MESSAGE_SERVER_CHALLENGES)
        hear_challenge(bot, message);
    if (message->kind == MESSAGE_SERVER_REFUSED &&
        (is_turned_away(bot, message) || is_locked_out(bot, message)))
        return;
    if (message->kind != MESSAGE_SERVER_REFUSED)
        return;
    if (client_table(client)->code[0] == '\0' && bot->code[0] != '\0')
        take_leave(bot, "gone");
    else
        take_refusal(bot, message);
}

/* The connection was opened or lost. */
static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    Bot *bot = owner;
    bot->client = client;
    switch (state) {
    case CLIENT_CONNECTED:
        bot->sent_number = 0;
        bot->logged_in = bot->fleet->token[0] == '\0';
        if (!bot->logged_in)
            log_in(bot);
        else
            begin(bot);
        break;
    case CLIENT_CONNECTING:
        if (!bot->fleet->unreached)
            fprintf(stderr, "mashup bot: %s: %s; trying again for %d s\n", bot->fleet->url, why,
                    PATIENCE_MS / 1000);
        bot->fleet->unreached = true;
        break;
    case CLIENT_RECONNECTING:
        bot->asked = false;
        bot->fleet->losses++;
        break;
    case CLIENT_CLOSED:
        fprintf(stderr, "mashup bot: %s\n", why);
        bot->fleet->failed = true;
        net_loop_stop(bot->fleet->loop);
        break;
    default:
        break;
    }
}

/* --- All bots --------------------------------------------------------------------------------- */

/* Opens all connections. False: an error was printed. */
static bool open_bots(BotRunner *fleet, const char *url, const char *name, bool pairs) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    fleet->bots = cli_memory(fleet->count * sizeof *fleet->bots);
    fleet->url = url;
    fleet->alone = fleet->count == 1 ? net_timer_open(fleet->loop, on_alone, fleet) : NULL;
    for (uint32_t i = 0; i < fleet->count; i++) {
        Bot *bot = &fleet->bots[i];
        char own_name[PROTO_NAME_MAX + 1];
        snprintf(own_name, sizeof own_name, fleet->count == 1 ? "%.20s" : "%.20s %u", name, i);
        *bot = (Bot){.fleet = fleet,
                     .tie_breaks = chance_sampled(hash_number(fleet->seed, i)),
                     .timer = net_timer_open(fleet->loop, on_timer, bot),
                     .host = i % 2 == 0,
                     .partner = !pairs       ? NULL
                                : i % 2 == 0 ? bot + 1
                                             : bot - 1};
        ClientSetup setup = {.url = url,
                             .name = own_name,
                             .role = PROTO_ROLE_AI,
                             .reconnect_ms = PATIENCE_MS,
                             .retry_first = true,
                             .answer_silence = true,
                             .calls = {on_state, on_message, take_table, take_position, take_leave},
                             .owner = bot};
        if (fleet->command != NULL)
            bot->program = exec_thinker_open(fleet->loop, fleet->command, on_reply, bot);
        bot->client = client_open(fleet->shared, &setup, &problem);
        if (bot->timer != NULL && bot->client != NULL &&
            (bot->program != NULL || fleet->command == NULL))
            continue;
        fprintf(stderr, "mashup bot: %s\n", memory);
        return false;
    }
    fleet->at_work = fleet->count;
    return true;
}

/* The time is up: ends the loop, and the run counts as failed. */
static void stop(void *owner) {
    BotRunner *fleet = owner;
    fleet->late = true;
    net_loop_stop(fleet->loop);
}

/* Asked to stop: matches in progress are played to their end. Asked again: exits immediately. */
static void on_signal(void *owner) {
    BotRunner *fleet = owner;
    if (fleet->ending) {
        stop(fleet);
        return;
    }
    fleet->ending = true;
    fleet->matches_each = 0;
    for (uint32_t i = 0; i < fleet->count; i++)
        request_match(&fleet->bots[i]);
}

/* Plays until all bots have played enough matches, or the time is up. */
static void run_bots(BotRunner *fleet, uint64_t seconds) {
    NetTimer *timer = net_timer_open(fleet->loop, stop, fleet);
    if (timer != NULL)
        net_timer_start(timer, seconds * 1000);
    net_on_signal(fleet->loop, SIGINT, on_signal, fleet);
    net_on_signal(fleet->loop, SIGTERM, on_signal, fleet);
    net_loop_run(fleet->loop);
    net_timer_close(timer);
}

/* Closes all connections and frees all memory; the log stays open. */
static void close_bots(BotRunner *fleet) {
    for (uint32_t i = 0; fleet->bots != NULL && i < fleet->count; i++) {
        exec_thinker_close(fleet->bots[i].program);
        client_close(fleet->bots[i].client);
        net_timer_close(fleet->bots[i].timer);
    }
    net_timer_close(fleet->alone);
    client_shared_close(fleet->shared);
    net_loop_close(fleet->loop);
    free(fleet->bots);
    free(fleet->list);
    crew_close(fleet->crew);
}

/* Prints the totals of all bots. */
static void report(const BotRunner *fleet) {
    printf("%llu matches, %llu won, %llu drawn, %llu actions, %llu positions, %llu refused, "
           "%llu offences, %llu connections lost, %llu tables closed\n",
           (unsigned long long)fleet->matches, (unsigned long long)fleet->won,
           (unsigned long long)fleet->drawn, (unsigned long long)fleet->actions,
           (unsigned long long)fleet->positions, (unsigned long long)fleet->refusals,
           (unsigned long long)fleet->offences, (unsigned long long)fleet->losses,
           (unsigned long long)fleet->gone);
    if (fleet->command != NULL)
        printf("%llu matches given up because the program failed\n",
               (unsigned long long)fleet->broken);
    if (fleet->late)
        printf("timeout: %u connections did not finish\n", fleet->at_work);
}

/* --- The command ------------------------------------------------------------------------------ */

/* The requests for matches that the arguments name. */
static void make_requests(BotRunner *fleet, const GameConfig *config, const Arguments *given) {
    fleet->seek = game_config_request(config, MESSAGE_CLIENT_SEEK);
    fleet->open = game_config_request(config, MESSAGE_CLIENT_OPEN);
    fleet->opens = flag_given(given, "open");
    if (flag_given(given, "seat")) {
        fleet->open.open.seat = (uint8_t)flag_number(given, "seat");
        message_set_present(&fleet->open, "seat");
    }
    if (flag_given(given, "turn-ms")) {
        fleet->open.open.turn_ms = (int32_t)flag_number(given, "turn-ms");
        message_set_present(&fleet->open, "turn_ms");
    }
    if (flag_given(given, "rated")) {
        fleet->seek.seek.rated = fleet->open.open.rated = true;
        message_set_present(&fleet->seek, "rated");
        message_set_present(&fleet->open, "rated");
    }
    if (!flag_given(given, "grace-ms"))
        return;
    fleet->seek.seek.grace_ms = fleet->open.open.grace_ms = (int32_t)flag_number(given, "grace-ms");
    message_set_present(&fleet->seek, "grace_ms");
    message_set_present(&fleet->open, "grace_ms");
}

/* Reads the token of the bot's account from a file, or from MASHUP_TOKEN: never from the command
 * line, which others can read. False: an error was printed. */
static bool take_token(BotRunner *fleet, const char *path) {
    const char *given = path == NULL ? getenv("MASHUP_TOKEN") : NULL;
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    if (path == NULL && given == NULL)
        return true;
    if (path != NULL && file == NULL) {
        fprintf(stderr, "mashup bot: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    char line[PROTO_KEY_DIGITS + 8] = "";
    if (given != NULL)
        snprintf(line, sizeof line, "%s", given);
    else if (file != NULL && fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    if (file != NULL)
        fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (strlen(line) == PROTO_KEY_DIGITS && strspn(line, "0123456789abcdef") == PROTO_KEY_DIGITS &&
        fleet->count == 1) {
        memcpy(fleet->token, line, sizeof fleet->token);
        return true;
    }
    fprintf(stderr, "mashup bot: %s\n",
            fleet->count > 1 ? "a token is for one seat"
                             : "a token is a line of 32 hexadecimal digits, in a file or in "
                               "MASHUP_TOKEN");
    return false;
}

/* Trusts the certificates of a file, if there is one. False: an error was printed. */
static bool trust(BotRunner *fleet, const char *cafile) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    if (net_trust_file(fleet->loop, cafile, &problem))
        return true;
    fprintf(stderr, "mashup bot: %s\n", memory);
    return false;
}

/* Opens all connections and plays until the last bot is done or the time is up. An exit code. */
static int play(BotRunner *fleet, const char *url, const Arguments *given) {
    const char *name = flag_text(given, "name"), *log = flag_text(given, "log");
    fleet->log = log == NULL ? NULL : fopen(log, "w");
    if (log != NULL && fleet->log == NULL) {
        fprintf(stderr, "mashup bot: %s cannot be written\n", log);
        return CLI_WRONG_USE;
    }
    fleet->loop = net_loop_open();
    fleet->shared = fleet->loop == NULL ? NULL : client_shared_open(fleet->loop);
    if (fleet->shared == NULL) {
        fprintf(stderr, "mashup bot: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    bool fine = take_token(fleet, flag_text(given, "token-file")) &&
                trust(fleet, flag_text(given, "cafile")) &&
                open_bots(fleet, url, name == NULL ? "bot" : name, flag_given(given, "pairs"));
    if (fine) {
        run_bots(fleet, flag_number(given, "seconds"));
        report(fleet);
    }
    close_bots(fleet);
    bool written = fleet->log == NULL || fclose(fleet->log) == 0;
    if (!written)
        fprintf(stderr, "mashup bot: %s could not be written completely\n", log);
    bool whole = !fleet->failed && !fleet->late && fleet->broken == 0;
    return fine && written && whole ? CLI_FINE : CLI_CHECK_FAILED;
}

static const Flag flags[] = {FLAG_TEXT("game"),
                             FLAG_TEXT("preset"),
                             FLAG_LIST(ARGUMENTS_VALUES_MAX, "option"),
                             FLAG_WHOLE("matches", 1, 1000000, 1),
                             FLAG_WHOLE("seats", 1, BOTS_MAX, 1),
                             FLAG_SWITCH("pairs"),
                             FLAG_SWITCH("open"),
                             FLAG_WHOLE("seat", 0, MASH_SEATS - 1, 0),
                             FLAG_WHOLE("turn-ms", 1, PROTO_DAY_MS, 1),
                             FLAG_WHOLE("seed", 0, UINT64_MAX, 1),
                             FLAG_WHOLE("level", 1, AI_LEVELS_MAX, 1),
                             FLAG_WHOLE("threads", 1, AI_TEAM_MAX, 1),
                             FLAG_TEXT("exec"),
                             FLAG_TEXT("tournament"),
                             FLAG_TEXT("token-file"),
                             FLAG_SWITCH("rated"),
                             FLAG_WHOLE("pace-ms", 0, 3600000, 0),
                             FLAG_WHOLE("grace-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("seconds", 1, 86400, 3600),
                             FLAG_TEXT("log"),
                             FLAG_TEXT("name"),
                             FLAG_TEXT("cafile"),
                             FLAGS_END};

static int run(const Arguments *given) {
    static BotRunner fleet;
    GameConfig config;
    char bytes[PROBLEM_BYTES];
    MashText url = text_over(bytes, sizeof bytes);
    bool pairs = flag_given(given, "pairs"), counted = flag_given(given, "seats");
    uint32_t seats = pairs && !counted ? 2 : (uint32_t)flag_number(given, "seats");
    bool tournament = flag_given(given, "tournament");
    if (!flag_given(given, "game") && !tournament)
        return cli_wrong_use(given->command, "--game or --tournament is required");
    if (tournament && (pairs || flag_given(given, "game")))
        return cli_wrong_use(given->command, "--tournament goes without --game and --pairs");
    if (flag_given(given, "exec") && flag_given(given, "level"))
        return cli_wrong_use(given->command, "either --exec or --level, not both");
    if (flag_given(given, "threads") && !flag_given(given, "level"))
        return cli_wrong_use(given->command, "--threads goes with --level");
    if (flag_given(given, "exec") && flag_text(given, "exec")[0] == '\0')
        return cli_wrong_use(given->command, "--exec needs a command, such as \"python3 mine.py\"");
    if (pairs && seats % 2 != 0)
        return cli_wrong_use(given->command, "--pairs needs an even number of --seats");
    if (!tournament && !game_config_make(&config, given, flag_text(given, "game")))
        return CLI_WRONG_USE;
    if (!tournament)
        free(config.content);
    if (!tournament && flag_given(given, "level") &&
        !game_config_has_level(given->command, config.game, (uint32_t)flag_number(given, "level")))
        return CLI_WRONG_USE;
    client_url(given->words[0], &url);
    fleet = (BotRunner){.count = seats,
                        .matches_each = (uint32_t)flag_number(given, "matches"),
                        .pace_ms = flag_number(given, "pace-ms"),
                        .threads = (uint32_t)flag_number(given, "threads"),
                        .seed = flag_number(given, "seed")};
    fleet.command = flag_text(given, "exec");
    if (flag_given(given, "level"))
        fleet.skill = ai_level((uint32_t)flag_number(given, "level"));
    fleet.tournament = flag_text(given, "tournament");
    if (!tournament)
        make_requests(&fleet, &config, given);
    return play(&fleet, bytes, given);
}

const Command command_bot = {"bot",
                             "Plays automatic matches on a server; a program may choose.",
                             "bot SERVER --game G [--matches N] [--seats K] [--pairs]\n"
                             "bot SERVER --tournament CODE [--seats K]\n"
                             "            [--exec COMMAND | --level L [--threads N]] [--seed S]\n"
                             "            [--preset P] [--option ID=VALUE]... [--pace-ms MS]\n"
                             "            [--grace-ms MS]\n"
                             "            [--seconds S] [--log FILE] [--name N] [--cafile FILE]\n"
                             "            [--open [--seat N] [--turn-ms MS]]\n"
                             "            [--token-file FILE [--rated]]",
                             run,
                             flags,
                             1,
                             1,
                             NULL};
