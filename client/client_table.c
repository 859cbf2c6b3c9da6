/* client_table.c -- applies server messages to the table; see client.h. */
#include <stdlib.h>
#include <string.h>

#include "client/internal.h"

void client_table_forget(Client *client) {
    client_content_release(client->shared, client->loaded);
    free(client->table.view);
    free(client->table.events.list);
    client->loaded = NULL;
    client->events_max = 0;
    client->table = (ClientTable){.you = MASH_SEAT_NONE, .draw = MASH_SEAT_NONE};
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The message was validated against its list of fields: required fields exist and have the right
 * type. */
static void take_players(ClientTable *table, const Json *json, uint32_t list) {
    MashProblems ignored = {.max = 0};
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        ClientPlayer player = {.taken = false};
        int32_t seat;
        uint32_t role = 0;
        static const char *const roles[] = {"person", "ai", "watcher"};
        if (!json_int_at(json, i, "seat", 0, MASH_SEATS - 1, &seat, &ignored))
            continue;
        json_bool_at(json, i, "here", &player.here, &ignored);
        if (json_member(json, i, "name") != JSON_NONE)
            player.taken = json_line_at(json, i, "name", player.name, sizeof player.name, &ignored);
        if (json_member(json, i, "role") != JSON_NONE)
            json_choice_at(json, i, "role", roles, PROTO_ROLE_COUNT, &role, &ignored);
        player.role = (uint8_t)role;
        table->players[seat] = player;
    }
}

/* What is left of the times in ms, as just sent; -1 for one that does not run. */
static void take_clocks(Client *client, const Json *json, uint32_t thing) {
    ClientClocks *clocks = &client->table.clocks;
    MashProblems ignored = {.max = 0};
    *clocks = (ClientClocks){{-1, -1}, -1, net_now_ms(client->shared->loop)};
    uint32_t seat = 0;
    for (uint32_t i = json_first(json, json_member(json, thing, "turn"));
         i != JSON_NONE && seat < MASH_SEATS; i = json->nodes[i].next, seat++)
        if (json->nodes[i].kind == JSON_NUMBER)
            json_int(json, i, 0, PROTO_DAY_MS, &clocks->turn[seat], &ignored);
    uint32_t match = json_member(json, thing, "match");
    if (match != JSON_NONE)
        json_int(json, match, 0, PROTO_DAY_MS, &clocks->match, &ignored);
}

/* The values of the server's options in the game's order; the rest are defaults. */
static void take_options(ClientTable *table, const MessageOptions *given) {
    for (uint32_t i = 0; i < table->game->options_count; i++) {
        table->options[i] = table->game->options[i].usual;
        for (uint32_t j = 0; j < given->count; j++)
            if (strcmp(given->list[j].id, table->game->options[i].id) == 0)
                table->options[i] = given->list[j].value;
    }
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Is this content loaded already? */
static bool holds(const Client *client, const Message *message) {
    char digits[17];
    MashText hash = text_over(digits, sizeof digits);
    if (client->loaded == NULL)
        return false;
    text_hex(&hash, client->loaded->content->hash, 16);
    return strcmp(client->table.code, message->table.code) == 0 &&
           strcmp(digits, message->table.content) == 0 &&
           strcmp(client->loaded->content->game->id, message->table.game) == 0;
}

/* Loads the content, unless it is loaded; a waiting table has no position, and neither has a match
 * that just begins. */
static bool take_content(Client *client, const Message *message, MashText *problem) {
    if (holds(client, message))
        return true;
    ClientContent *loaded = client_content_acquire(client->shared, message, problem);
    if (loaded == NULL)
        return false;
    client_table_forget(client);
    client->loaded = loaded;
    client->table.content = loaded->content;
    client->table.game = loaded->content->game;
    return true;
}

/* Applies the message `table`; its position follows. False: with a problem. */
static bool take_table(Client *client, const Message *message, MashText *problem) {
    const SERVER_TABLE_FIELDS *message_fields = &message->table;
    ClientTable *table = &client->table;
    if (!take_content(client, message, problem))
        return false;
    memcpy(table->code, message_fields->code, sizeof table->code);
    table->token[0] = '\0';
    if (message_has(message, "token"))
        memcpy(table->token, message_fields->token, sizeof table->token);
    table->preset[0] = '\0';
    if (message_has(message, "preset"))
        memcpy(table->preset, message_fields->preset, sizeof table->preset);
    table->you = message_fields->you;
    table->state = message_fields->state;
    table->awaited = 0; /* the position follows */
    take_options(table, &message_fields->options);
    table->turn_ms = message_fields->turn_ms;
    table->match_ms = message_fields->match_ms;
    table->pause_ms = message_fields->pause_ms;
    table->silence_ms = message_fields->silence_ms;
    table->grace_ms = message_fields->grace_ms;
    table->bank_ms = message_fields->bank_ms;
    table->increment_ms = message_fields->increment_ms;
    table->secret = message_fields->secret;
    table->open_to_spectators = message_fields->open_to_spectators;
    table->no_tips = message_has(message, "tips") && !message_fields->tips;
    take_players(table, &message->json, message_fields->players.node);
    return true;
}

/* Decodes the events; false: they are invalid, or out of memory. */
static bool take_events(Client *client, const MessageJson *value) {
    MashEvents *events = &client->table.events;
    uint32_t wanted = value->count / 4 * 3 / (uint32_t)sizeof(MashEvent) + 1;
    if (wanted > client->events_max) {
        MashEvent *more = realloc(events->list, wanted * sizeof *more);
        if (more == NULL)
            return false;
        events->list = more;
        events->max = client->events_max = wanted;
    }
    int64_t bytes = base64_decode(value->bytes, value->count, events->list,
                                  client->events_max * (uint32_t)sizeof(MashEvent));
    if (bytes < 0 || bytes % (int64_t)sizeof(MashEvent) != 0)
        return false;
    events->count = (uint32_t)(bytes / (int64_t)sizeof(MashEvent));
    return true;
}

/* Reads a view. False: it does not have the size of a state, or out of memory. */
static bool take_view(ClientTable *table, const MessageJson *value) {
    uint32_t wanted = table->content->limits.state_bytes;
    if (table->view == NULL)
        table->view = aligned_alloc(64, (wanted + 63) / 64 * 64);
    return table->view != NULL &&
           base64_decode(value->bytes, value->count, table->view, wanted) == (int64_t)wanted;
}

/* Replaces the position; one of another table is ignored. False: with a problem. */
static bool take_position(Client *client, const Message *message, MashText *problem) {
    const SERVER_POSITION_FIELDS *message_fields = &message->position;
    ClientTable *table = &client->table;
    MashProblems ignored = {.max = 0};
    if (client->loaded == NULL || strcmp(message_fields->code, table->code) != 0)
        return true;
    if (!message_has(message, "view") || !message_has(message, "happened") ||
        !take_view(table, &message_fields->view) ||
        !take_events(client, &message_fields->happened)) {
        text_string(problem, "invalid position from the server");
        return false;
    }
    table->number = (uint32_t)message_fields->number;
    table->you = message_fields->you;
    table->draw = message_fields->draw;
    table->paused = message_fields->paused;
    table->awaited = 0;
    const Json *json = &message->json;
    for (uint32_t i = json_first(json, message_fields->awaited.node); i != JSON_NONE;
         i = json->nodes[i].next) {
        int32_t seat;
        if (json_int(json, i, 0, MASH_SEATS - 1, &seat, &ignored))
            table->awaited |= 1u << seat;
    }
    take_clocks(client, json, message_fields->clocks.node);
    if (message_has(message, "result"))
        table->state = PROTO_STATE_OVER;
    return true;
}

bool client_table_take(Client *client, const Message *message, MashText *problem) {
    ClientTable *table = &client->table;
    switch (message->kind) {
    case MESSAGE_SERVER_TABLE:
        return take_table(client, message, problem);
    case MESSAGE_SERVER_POSITION:
        return take_position(client, message, problem);
    case MESSAGE_SERVER_PEOPLE:
        if (strcmp(message->people.code, table->code) == 0)
            take_players(table, &message->json, message->people.players.node);
        return true;
    case MESSAGE_SERVER_PAUSED:
        table->paused = true;
        return true;
    case MESSAGE_SERVER_CONTINUED:
        table->paused = false;
        if (client->loaded != NULL)
            take_clocks(client, &message->json, message->continued.clocks.node);
        return true;
    default:
        return true;
    }
}

const ClientTable *client_table(const Client *client) { return &client->table; }

bool client_awaited(const Client *client) {
    const ClientTable *table = &client->table;
    return table->view != NULL && table->you < MASH_SEATS && !table->paused &&
           table->state == PROTO_STATE_RUNNING && (table->awaited >> table->you & 1) != 0;
}

/* --- The arena as a protocol ------------------------------------------------------------------ */

/* Our turn began when the clocks were last sent, with what is left of it. */
static ClientPosition position(const void *owner) {
    const Client *client = owner;
    if (client == NULL || client->table.code[0] == '\0')
        return (ClientPosition){.you = MASH_SEAT_NONE};
    const ClientTable *table = &client->table;
    int32_t left_ms = table->you < MASH_SEATS ? table->clocks.turn[table->you] : -1;
    return (ClientPosition){.content = table->content,
                            .state = table->view,
                            .you = table->you,
                            .awaited = client_awaited(client),
                            .paused = table->paused,
                            .number = table->number,
                            .events = table->events,
                            .turn_began_ms = table->clocks.received_ms,
                            .turn_ms = left_ms > 0 ? (uint64_t)left_ms : 0};
}

/* Sends an action for the position that came last. */
static bool act(void *client, MashAction action) { return client_act(client, action); }

/* Closes the client. */
static void close_client(void *client) { client_close(client); }

const ClientProtocol arena_client = {position, act, close_client};
