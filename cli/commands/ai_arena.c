/* ai_arena.c -- mashup ai at an arena: seeks a quick match of any game, plays it, ends; see ai.h.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/ai.h"
#include "client/client.h"

enum { AGAIN_MS = 500, PROBLEM_BYTES = 512 };

/* One who plays there. */
typedef struct ArenaAiRun {
    NetLoop *loop;
    Client *client;
    Thinker *thinker;
    NetTimer *again;
    Message seek;
    uint32_t sent_number; /* the position that our last action answered */
    uint64_t matches_left, refusals;
    bool counted;                  /* the end of this match was told */
    char code[PROTO_CODE_MAX + 1]; /* of the table it is or was at */
    bool lost;
} ArenaAiRun;

/* Asks for a match, if we are here and at no table. */
static void seek(ArenaAiRun *fencer) {
    if (client_state(fencer->client) == CLIENT_CONNECTED &&
        client_table(fencer->client)->code[0] == '\0')
        client_send(fencer->client, &fencer->seek);
}

/* The thinking is over: does what came of it, if it is still our turn. */
static void on_answer(void *owner, MashAction action) {
    ArenaAiRun *fencer = owner;
    if (!client_awaited(fencer->client))
        return;
    fencer->sent_number = client_table(fencer->client)->number;
    client_act(fencer->client, action);
}

/* Begins to think if it is our turn and this position was not answered yet; stops if it is not. */
static void consider(ArenaAiRun *fencer) {
    const ClientTable *table = client_table(fencer->client);
    if (table->view == NULL || !client_awaited(fencer->client)) {
        thinker_stop(fencer->thinker);
        return;
    }
    if (fencer->sent_number == table->number)
        return;
    int32_t left = table->clocks.turn[table->you];
    uint64_t now = net_now_ms(fencer->loop), began = table->clocks.told_ms;
    thinker_begin(fencer->thinker, table->content, table->view, table->you,
                  ai_until_ms(now, began, left > 0 ? (uint64_t)left : 0));
}

/* The pause after a refusal is over: seeks a match or thinks again. */
static void on_again(void *owner) {
    ArenaAiRun *fencer = owner;
    seek(fencer);
    consider(fencer);
}

/* The match is over: counts it, and says how it ended. */
static void end(ArenaAiRun *fencer, MashResult result) {
    const ClientTable *table = client_table(fencer->client);
    if (!fencer->counted) {
        fencer->counted = true;
        fencer->matches_left--;
        printf("%s, %llu refused\n",
               result.winner >= MASH_SEATS   ? "drawn"
               : result.winner == table->you ? "won"
                                             : "lost",
               (unsigned long long)fencer->refusals);
        fflush(stdout);
    }
    client_send_simple(fencer->client, MESSAGE_CLIENT_LEAVE);
}

/* A table is told again to who comes back to it. */
static void take_table(ArenaAiRun *fencer) {
    const ClientTable *table = client_table(fencer->client);
    if (strcmp(fencer->code, table->code) != 0)
        fencer->counted = false;
    memcpy(fencer->code, table->code, sizeof fencer->code);
    fencer->sent_number = 0;
}

/* A position came: considers it, or leaves the table if the match is over. */
static void take_position(ArenaAiRun *fencer) {
    const ClientTable *table = client_table(fencer->client);
    if (table->view == NULL)
        return;
    MashResult result = table->game->result(table->content, table->view);
    if (result.over) {
        thinker_stop(fencer->thinker);
        end(fencer, result);
    } else {
        consider(fencer);
    }
}

/* At no table any more: the next match, or home. */
static void take_leave(ArenaAiRun *fencer) {
    thinker_forget(fencer->thinker);
    if (fencer->matches_left == 0)
        net_loop_stop(fencer->loop);
    else
        seek(fencer);
}

/* Takes what the server tells about the table. */
static void on_message(void *owner, Client *client, const Message *message) {
    ArenaAiRun *fencer = owner;
    (void)client;
    switch (message->kind) {
    case MESSAGE_SERVER_TABLE:
        take_table(fencer);
        break;
    case MESSAGE_SERVER_POSITION:
        take_position(fencer);
        break;
    case MESSAGE_SERVER_CONTINUED:
        consider(fencer);
        break;
    case MESSAGE_SERVER_REFUSED:
        fencer->refusals += message->refused.offence;
        fencer->sent_number = 0;
        net_timer_start(fencer->again, AGAIN_MS);
        break;
    case MESSAGE_SERVER_DONE:
        if (strcmp(message->done.to, "leave") == 0)
            take_leave(fencer);
        break;
    case MESSAGE_SERVER_TAKEN:
    case MESSAGE_SERVER_CLOSED:
        take_leave(fencer);
        break;
    default:
        break;
    }
}

/* The connection came or went. */
static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    ArenaAiRun *fencer = owner;
    fencer->client = client;
    if (state == CLIENT_CONNECTED) {
        fencer->sent_number = 0;
        seek(fencer);
    } else if (state == CLIENT_RECONNECTING) {
        thinker_stop(fencer->thinker);
    } else if (state == CLIENT_CLOSED) {
        fprintf(stderr, "mashup ai: %s\n", why);
        fencer->lost = true;
        net_loop_stop(fencer->loop);
    }
}

/* Ends without waiting for the match, as if the connection were lost. */
static void on_signal(void *owner) {
    ArenaAiRun *fencer = owner;
    fencer->lost = true;
    net_loop_stop(fencer->loop);
}

/* Opens thinker, timer and connection. False: with a problem; the caller closes what is open. */
static bool sit(ArenaAiRun *fencer, ClientShared *hall, const AiRunConfig *wish,
                MashText *problem) {
    ClientSetup setup = {.url = wish->url,
                         .name = wish->name,
                         .role = PROTO_ROLE_AI,
                         .reconnect_ms = wish->reconnect_ms,
                         .retry_first = wish->reconnect_ms > 0,
                         .answer_silence = true,
                         .calls = {on_state, on_message},
                         .owner = fencer};
    fencer->thinker = thinker_open(fencer->loop, wish->skill, on_answer, fencer);
    fencer->again = net_timer_open(fencer->loop, on_again, fencer);
    if (fencer->thinker == NULL || fencer->again == NULL)
        return text_string(problem, "there is no memory"), false;
    fencer->client = client_open(hall, &setup, problem);
    return fencer->client != NULL;
}

int ai_play_arena(const AiRunConfig *wish) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    ArenaAiRun fencer = {.loop = net_loop_open(),
                         .seek = message_new(MESSAGE_CLIENT_SEEK),
                         .matches_left = wish->matches};
    ClientShared *hall = fencer.loop == NULL ? NULL : client_shared_open(fencer.loop);
    if (hall == NULL) {
        fprintf(stderr, "mashup ai: there is no memory\n");
        return CLI_CHECK_FAILED;
    }
    snprintf(fencer.seek.seek.game, sizeof fencer.seek.seek.game, "%s", wish->game->id);
    bool seated = sit(&fencer, hall, wish, &problem);
    if (seated) {
        net_on_signal(fencer.loop, SIGINT, on_signal, &fencer);
        net_on_signal(fencer.loop, SIGTERM, on_signal, &fencer);
        net_loop_run(fencer.loop);
    } else {
        fprintf(stderr, "mashup ai: %s\n", memory);
    }
    client_close(fencer.client);
    thinker_close(fencer.thinker);
    net_timer_close(fencer.again);
    client_shared_close(hall);
    net_loop_close(fencer.loop);
    return !seated ? CLI_WRONG_USE : fencer.lost ? CLI_CHECK_FAILED : CLI_FINE;
}
