/* ai_arena.c -- see ai.h: mashup ai at an arena server: finds a quick match of any game, plays it,
 * then the next one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/ai.h"
#include "client/client.h"

enum { AGAIN_MS = 500 };

/* Data of a run. */
typedef struct ArenaAi {
    AiRun *run;
    ClientShared *shared;
    NetTimer *again;
    Message seek;
    uint32_t sent_number; /* the position that our last action answered */
    uint64_t matches_left, refusals;
    bool counted;                  /* the end of this match was printed */
    char code[PROTO_CODE_MAX + 1]; /* of the table it is or was at */
} ArenaAi;

/* Requests a match if we are connected and at no table. */
static void seek(ArenaAi *arena) {
    if (client_state(arena->run->client) == CLIENT_CONNECTED &&
        client_table(arena->run->client)->code[0] == '\0')
        client_send(arena->run->client, &arena->seek);
}

/* The pause after a refusal is over: requests a match or thinks again. */
static void on_again(void *owner) {
    ArenaAi *arena = owner;
    seek(arena);
    ai_consider(arena->run);
}

/* The match is over: counts it and prints the result. */
static void end(ArenaAi *arena, MashResult result) {
    const ClientTable *table = client_table(arena->run->client);
    if (!arena->counted) {
        arena->counted = true;
        arena->matches_left--;
        printf("%s, %llu refused\n",
               result.winner >= MASH_SEATS   ? "drawn"
               : result.winner == table->you ? "won"
                                             : "lost",
               (unsigned long long)arena->refusals);
        fflush(stdout);
    }
    client_send_simple(arena->run->client, MESSAGE_CLIENT_LEAVE);
}

/* The server sends the table again to a client that reconnects. */
static void take_table(void *owner) {
    ArenaAi *arena = owner;
    const ClientTable *table = client_table(arena->run->client);
    if (strcmp(arena->code, table->code) != 0)
        arena->counted = false;
    memcpy(arena->code, table->code, sizeof arena->code);
    arena->sent_number = 0;
}

/* A position arrived: thinks about it, or leaves the table if the match is over. */
static void take_position(void *owner) {
    ArenaAi *arena = owner;
    const ClientTable *table = client_table(arena->run->client);
    MashResult result = table->game->result(table->content, table->view);
    if (result.over) {
        thinker_stop(arena->run->thinker);
        end(arena, result);
    } else {
        ai_consider(arena->run);
    }
}

/* Left the table: starts the next match, or exits. */
static void take_leave(void *owner, const char *how) {
    ArenaAi *arena = owner;
    (void)how;
    thinker_forget(arena->run->thinker);
    if (arena->matches_left > 0) {
        seek(arena);
        return;
    }
    arena->run->exit_code = CLI_FINE;
    net_loop_stop(arena->run->loop);
}

/* Handles what else the server sends about the table. */
static void on_message(void *owner, Client *client, const Message *message) {
    ArenaAi *arena = owner;
    (void)client;
    if (message->kind == MESSAGE_SERVER_CONTINUED)
        ai_consider(arena->run);
    if (message->kind != MESSAGE_SERVER_REFUSED)
        return;
    arena->refusals += message->refused.offence;
    arena->sent_number = 0;
    net_timer_start(arena->again, AGAIN_MS);
}

/* The connection was opened or lost. */
static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    ArenaAi *arena = owner;
    arena->run->client = client;
    if (state == CLIENT_CONNECTED) {
        arena->sent_number = 0;
        seek(arena);
    } else if (state == CLIENT_RECONNECTING) {
        thinker_stop(arena->run->thinker);
    } else if (state == CLIENT_CLOSED) {
        fprintf(stderr, "mashup ai: %s\n", why);
        net_loop_stop(arena->run->loop);
    }
}

/* Was this position answered already? */
static bool decide(AiRun *run, const ClientPosition *position) {
    const ArenaAi *arena = run->own;
    return arena->sent_number == position->number;
}

/* Sends the chosen action. */
static MashAction choose(AiRun *run, const ClientPosition *position, MashAction action) {
    ArenaAi *arena = run->own;
    arena->sent_number = position->number;
    return action;
}

/* Exits without waiting for the match to end, as if the connection were lost. */
static void leave(AiRun *run) { (void)run; }

static bool open_client(AiRun *run, MashText *problem) {
    const AiRunConfig *config = run->config;
    ArenaAi *arena = run->own = cli_memory(sizeof *arena);
    *arena = (ArenaAi){.run = run,
                       .shared = client_shared_open(run->loop),
                       .again = net_timer_open(run->loop, on_again, arena),
                       .seek = message_new(MESSAGE_CLIENT_SEEK),
                       .matches_left = config->matches};
    ClientSetup setup = {.url = config->url,
                         .name = config->name,
                         .role = PROTO_ROLE_AI,
                         .reconnect_ms = config->reconnect_ms,
                         .retry_first = config->reconnect_ms > 0,
                         .answer_silence = true,
                         .calls = {on_state, on_message, take_table, take_position, take_leave},
                         .owner = arena};
    snprintf(arena->seek.seek.game, sizeof arena->seek.seek.game, "%s", config->game->id);
    if (arena->shared != NULL && arena->again != NULL)
        run->client = client_open(arena->shared, &setup, problem);
    return run->client != NULL;
}

static void release(AiRun *run) {
    ArenaAi *arena = run->own;
    if (arena == NULL)
        return;
    net_timer_close(arena->again);
    if (arena->shared != NULL)
        client_shared_close(arena->shared);
    free(arena);
}

const AiProtocol arena_ai = {.client = &arena_client,
                             .open = open_client,
                             .release = release,
                             .leave = leave,
                             .decide = decide,
                             .choose = choose};
