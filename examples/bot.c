/* bot.c -- a complete player in C, with the client library and the engine: build/examples/bot
 * localhost:1218 zorde [NAME]. Seeks a quick match, makes any legal move, says how it ended. Make
 * choose() clever to make it yours: the view is a whole state with all blanked that you may not
 * know, and every function of include/mashup.h may be asked about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/client.h"

static NetLoop *loop;
static const char *game;

/* Any legal action. */
static MashAction choose(const ClientTable *table) {
    MashAction *list = malloc(table->content->limits.actions_max * sizeof *list);
    uint32_t count = table->game->actions(table->content, table->view, table->you, list);
    MashAction action = list[(uint32_t)rand() % count];
    free(list);
    return action;
}

/* Seeks a match, unless the seat of one is still held. */
static void look(Client *client, bool rated) {
    Message seek = message_new(MESSAGE_CLIENT_SEEK);
    snprintf(seek.seek.game, sizeof seek.seek.game, "%s", game);
    seek.seek.rated = rated;
    if (rated)
        message_set_present(&seek, "rated");
    if (client_table(client)->code[0] == '\0')
        client_send(client, &seek);
}

/* Connected: logs in if MASHUP_TOKEN has the token of an account, and plays for its rating then. */
static void state(void *owner, Client *client, ClientState now, const char *why) {
    (void)owner;
    const char *token = getenv("MASHUP_TOKEN");
    Message login = message_new(MESSAGE_CLIENT_LOGIN);
    snprintf(login.login.key, sizeof login.login.key, "%s", token == NULL ? "" : token);
    if (now == CLIENT_CONNECTED && token != NULL)
        client_send(client, &login);
    else if (now == CLIENT_CONNECTED)
        look(client, false);
    if (now == CLIENT_CLOSED) {
        fprintf(stderr, "it is over: %s\n", why);
        exit(1);
    }
}

/* A position is answered; the last one ends the program. */
static void on_message(void *owner, Client *client, const Message *message) {
    const ClientTable *table = client_table(client);
    (void)owner;
    if (message->kind == MESSAGE_SERVER_ACCOUNT)
        look(client, true);
    if (message->kind == MESSAGE_SERVER_POSITION && message_has(message, "result")) {
        MashResult result = table->game->result(table->content, table->view);
        puts(result.winner == table->you ? "won" : result.winner < MASH_SEATS ? "lost" : "drawn");
        net_loop_stop(loop);
    } else if (message->kind == MESSAGE_SERVER_POSITION && client_awaited(client)) {
        client_act(client, choose(table));
    }
}

/* Connects to a server and plays matches of a game until it is stopped. */
int main(int count, char **words) {
    char url[256], sentence[256];
    MashText text = text_over(url, sizeof url), problem = text_over(sentence, sizeof sentence);
    if (count < 3)
        return fputs("use: bot SERVER GAME [NAME]\n", stderr), 2;
    game = words[2];
    client_url(words[1], &text);
    ClientShared *shared = client_shared_open(loop = net_loop_open());
    ClientSetup setup = {.url = url,
                         .name = count > 3 ? words[3] : "C",
                         .role = PROTO_ROLE_AI,
                         .answer_silence = true,
                         .calls = {.on_state = state, .on_message = on_message}};
    Client *client = client_open(shared, &setup, &problem);
    if (client == NULL)
        return fprintf(stderr, "%s\n", sentence), 1;
    net_loop_run(loop);
    client_close(client);
    client_shared_close(shared);
    net_loop_close(loop);
    return 0;
}
