/* join.c -- mashup join: plays and watches at a server's table, in the terminal. */
#include "cli/commands/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/game_config.h"
#include "standard/commands/join.h"

enum { PATIENCE_MS = 60000, PROBLEM_BYTES = 512 };

Client *join_client(const Join *join) { return join->online.client; }

const ClientTable *join_table(const Join *join) { return client_table(join_client(join)); }

/* --- Messages from the server ----------------------------------------------------------------- */

/* We are at a table: prints which one and who plays, unless printed already. */
static void print_table(Join *join) {
    const ClientTable *table = join_table(join);
    bool new_match = strcmp(join->code, table->code) != 0 || join->played;
    memcpy(join->code, table->code, sizeof join->code);
    if (join->online.content != table->content || new_match) {
        online_set_content(&join->online, table->content);
        join->played = false;
    }
    join->had_table = true;
    if (table->state == PROTO_STATE_WAITING) {
        online_say(&join->online,
                   "Table %s: %s. Waiting for an opponent. To join, a friend runs\n"
                   "  mashup join %s --code %s",
                   table->code, table->game->title, join->place, table->code);
    } else if (new_match || join->online.shown == 0) {
        online_say(&join->online, "Table %s: %s.", table->code, table->game->title);
        join_print_people(join);
    }
    memcpy(join->players, table->players, sizeof join->players);
}

/* Prints how many seconds, rounded up, are left of a time. The next typed line answers an idle
 * warning. */
static void print_warning(Join *join, const Message *message) {
    static const char *const words[PROTO_TIME_COUNT] = {[PROTO_TIME_TURN] = "for your turn",
                                                        [PROTO_TIME_SILENCE] =
                                                            "to respond (type anything)",
                                                        [PROTO_TIME_MATCH] = "in the match"};
    join->warned |= message->warning.what == PROTO_TIME_SILENCE;
    online_say(&join->online, "  %d seconds left %s.", (message->warning.left_ms + 999) / 1000,
               words[message->warning.what]);
}

/* The name of the player at a seat; the server for no seat. */
static const char *name_of(const Join *join, uint8_t seat) {
    return seat < MASH_SEATS ? join_table(join)->players[seat].name : "The server";
}

/* Prints a chat message, and whether a spectator sent it. */
static void print_chat(Join *join, const Message *message) {
    const SERVER_CHAT_FIELDS *chat = &message->chat_line;
    online_say(&join->online, "%s%s: %s", chat->name, chat->seat < MASH_SEATS ? "" : " (watching)",
               chat->text);
}

/* We are at no table: forgets the last one and prints what can be done. */
static void print_lobby(Join *join) {
    online_set_content(&join->online, NULL);
    join->had_table = false;
    online_say(&join->online,
               "You're in the lobby. Commands: seek, open, robot, join, watch, help.");
}

/* Prints a position, and whether somebody took back an action. */
static void print_position(Join *join, const Message *message) {
    if (message_has(message, "undone"))
        online_say(&join->online, "%s took back an action.",
                   name_of(join, message->position.undone));
    if (join->online.content != NULL)
        join_take_position(join);
}

/* Somebody asks for a takeback, or declines one. */
static void print_takeback(Join *join, const Message *message) {
    uint8_t seat = message->takeback_said.seat;
    bool answer = seat != join_table(join)->you && join_table(join)->you < MASH_SEATS;
    if (message->takeback_said.what == PROTO_TAKEBACK_DECLINE)
        online_say(&join->online, "%s declined the takeback.", name_of(join, seat));
    else
        online_say(&join->online, "%s asks to take back an action.%s", name_of(join, seat),
                   answer ? " Type takeback accept or takeback decline." : "");
}

/* A refusal, unless it is about a seat that is gone, which was printed. */
static void print_refusal(Join *join, const Message *message) {
    if (!join->gone)
        online_say(&join->online, "  %s%s", message->refused.reason,
                   message->refused.offence ? " (This counts as an offence.)" : "");
    join->gone = false;
}

/* Handles a message of the server and prints what it means. */
static void on_message(void *owner, Client *client, const Message *message) {
    Join *join = owner;
    (void)client;
    switch (message->kind) {
    case MESSAGE_SERVER_TABLE:
        print_table(join);
        break;
    case MESSAGE_SERVER_POSITION:
        print_position(join, message);
        break;
    case MESSAGE_SERVER_TAKEBACK:
        print_takeback(join, message);
        break;
    case MESSAGE_SERVER_PEOPLE:
        join_take_people(join);
        break;
    case MESSAGE_SERVER_PAUSED:
        online_say(&join->online,
                   "%s paused the match (up to %d seconds). Type continue to resume.",
                   name_of(join, message->paused.by), (message->paused.left_ms + 999) / 1000);
        break;
    case MESSAGE_SERVER_CONTINUED:
        online_say(&join->online, "%s resumed the match.", name_of(join, message->continued.by));
        online_draw(&join->online);
        break;
    case MESSAGE_SERVER_WARNING:
        print_warning(join, message);
        break;
    case MESSAGE_SERVER_CHAT:
        print_chat(join, message);
        break;
    case MESSAGE_SERVER_REMATCH:
        online_say(&join->online, "%s wants a rematch.",
                   name_of(join, message->rematch_offer.seat));
        break;
    case MESSAGE_SERVER_TAKEN:
        online_say(&join->online, "You're playing this match in another window.");
        print_lobby(join);
        break;
    case MESSAGE_SERVER_CLOSED:
        online_say(&join->online, "The table is closed: %s", message->closed.reason);
        print_lobby(join);
        break;
    case MESSAGE_SERVER_REFUSED:
        print_refusal(join, message);
        break;
    case MESSAGE_SERVER_DONE:
        if (strcmp(message->done.to, "leave") == 0)
            print_lobby(join);
        break;
    case MESSAGE_SERVER_MATCHES:
        online_begin(&join->online);
        join_print_matches(message);
        break;
    case MESSAGE_SERVER_GAMES:
        online_begin(&join->online);
        join_print_games(message);
        break;
    default:
        break;
    }
    online_prompt(&join->online);
}

/* Connected for the first time, or reconnected. */
static void arrive(Join *join) {
    if (join->has_first) {
        online_say(&join->online, "Connected to %s.", join->place);
        client_send(join_client(join), &join->first);
        join->has_first = false;
        return;
    }
    if (join_table(join)->code[0] != '\0') {
        online_say(&join->online, "Reconnected.");
        return;
    }
    join->gone = join->had_table;
    online_say(&join->online, join->gone ? "Reconnected, but the table has closed." : "Connected.");
    print_lobby(join);
}

/* The connection was opened or lost: prints it. */
static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    Join *join = owner;
    join->online.client = client;
    switch (state) {
    case CLIENT_CONNECTED:
        arrive(join);
        break;
    case CLIENT_RECONNECTING:
        online_say(&join->online, "Connection lost (%s). Reconnecting ...", why);
        break;
    case CLIENT_CLOSED:
        online_begin(&join->online);
        fflush(stdout);
        fprintf(stderr, "mashup join: %s: %s\n", join->url, why);
        join->online.exit_code = CLI_CHECK_FAILED;
        net_loop_stop(join->online.loop);
        return;
    default:
        break;
    }
    online_prompt(&join->online);
}

/* Any typed line shows that somebody is there: answers the server's idle warning, if there was
 * one. */
static void break_silence(OnlineMatch *online) {
    Join *join = (Join *)online;
    if (join->warned)
        client_send_simple(join_client(join), MESSAGE_CLIENT_HERE);
    join->warned = false;
}

/* --- The command ------------------------------------------------------------------------------ */

/* The last part of a path. */
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Sends the user's own documents unchanged. */
static void take_documents(const GameConfig *config, const FlagGiven *contents,
                           MessageDocuments *documents) {
    for (uint32_t i = 0; i < config->documents_count; i++)
        for (uint32_t j = 0; j < contents->count; j++)
            if (strcmp(config->documents[i].name, contents->values[j]) == 0) {
                documents->list[documents->count] = config->documents[i];
                documents->list[documents->count++].name = file_name(contents->values[j]);
            }
}

/* `open`: a table of the user's own. */
static void request_table(Join *join, const Arguments *given, const GameConfig *config) {
    Message *first = &join->first;
    CLIENT_OPEN_FIELDS *open = &first->open;
    *first = game_config_request(config, MESSAGE_CLIENT_OPEN);
    if (flag_given(given, "seat")) {
        open->seat = (uint8_t)flag_number(given, "seat");
        message_set_present(first, "seat");
    }
    if (flag_given(given, "invite")) {
        open->secret = true;
        message_set_present(first, "secret");
    } else {
        open->opponent = PROTO_OPPONENT_AI;
        open->level = (int32_t)flag_number(given, "level");
        message_set_present(first, "opponent");
        message_set_present(first, "level");
    }
    if (flag_given(given, "content")) {
        take_documents(config, flag_find(given, "content"), &open->documents);
        message_set_present(first, "documents");
    }
}

/* A match of --game: quick, against an AI player, or with a code. False: an error was printed. */
static bool request_match(Join *join, const Arguments *given) {
    CLIENT_SEEK_FIELDS *fields = &join->first.seek; /* `open` begins alike */
    const struct {
        const char *flag, *field;
        int32_t *ms;
    } times[] = {{"turn-ms", "turn_ms", &fields->turn_ms},
                 {"match-ms", "match_ms", &fields->match_ms},
                 {"pause-ms", "pause_ms", &fields->pause_ms},
                 {"silence-ms", "silence_ms", &fields->silence_ms},
                 {"grace-ms", "grace_ms", &fields->grace_ms},
                 {"bank-ms", "bank_ms", &fields->bank_ms},
                 {"increment-ms", "increment_ms", &fields->increment_ms}};
    GameConfig config;
    if (!game_config_make(&config, given, flag_text(given, "game")))
        return false;
    free(config.content);
    bool robot = flag_given(given, "vs") && flag_number(given, "vs") == 0;
    if (robot || flag_given(given, "invite"))
        request_table(join, given, &config);
    else if (flag_given(given, "content") || flag_given(given, "seat"))
        return cli_wrong_use(given->command, "--content and --seat need --invite or --vs ai"),
               false;
    else
        join->first = game_config_request(&config, MESSAGE_CLIENT_SEEK);
    for (uint32_t i = 0; i < sizeof times / sizeof *times; i++)
        if (flag_given(given, times[i].flag)) {
            *times[i].ms = (int32_t)flag_number(given, times[i].flag);
            message_set_present(&join->first, times[i].field);
        }
    if (flag_given(given, "no-tips"))
        message_set_present(&join->first, "tips"); /* false */
    join->has_first = true;
    return true;
}

/* The first request. False: an error was printed. */
static bool read_first(Join *join, const Arguments *given) {
    static const char *const ways[] = {"game", "code", "watch", "return"};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        count += flag_given(given, ways[i]);
    if (count > 1)
        return cli_wrong_use(given->command,
                             "use only one of --game, --code, --watch and --return"),
               false;
    if (flag_given(given, "game"))
        return request_match(join, given);
    bool joins = flag_given(given, "code");
    if (!joins && !flag_given(given, "watch"))
        return true;
    const char *code = flag_text(given, joins ? "code" : "watch");
    uint64_t number;
    if (!table_code_decode(code, &number))
        return cli_wrong_use(given->command, "\"%s\" is not a table code (example: k7qf-2m9x-w3ab)",
                             code),
               false;
    join->first = message_new(joins ? MESSAGE_CLIENT_JOIN : MESSAGE_CLIENT_WATCH);
    table_code_encode(number, joins ? join->first.join.code : join->first.watch.code);
    join->has_first = true;
    return true;
}

/* The name without --name. */
static const char *usual_name(void) {
    const char *user = getenv("USER");
    return user != NULL && user[0] != '\0' && strlen(user) <= PROTO_NAME_MAX ? user : "guest";
}

/* Runs until the user leaves. */
static void sit(Join *join, ClientShared *shared, const ClientSetup *setup) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    join->online.client = client_open(shared, setup, &problem);
    if (join->online.client == NULL) {
        fprintf(stderr, "mashup join: %s\n", memory);
        join->online.exit_code = CLI_WRONG_USE;
        return;
    }
    online_run(&join->online);
    join_farewell(join);
    online_set_content(&join->online, NULL);
    client_close(join->online.client);
}

/* Opens the connection and stays until it ends. An exit code. */
static int join_with(const Arguments *given) {
    static Join join;
    const char *name = flag_text(given, "name"), *place = given->words[0];
    join = (Join){.online = {.terminal = terminal_open(),
                             .protocol = &arena_client,
                             .commands = join_commands,
                             .missing = join_missing,
                             .print_above = join_print_clocks,
                             .typed = break_silence},
                  .place = place};
    char memory[PROBLEM_BYTES];
    MashText url = text_over(join.url, sizeof join.url);
    MashText problem = text_over(memory, sizeof memory);
    client_url(place, &url);
    if (!read_first(&join, given))
        return CLI_WRONG_USE;
    join.online.loop = net_loop_open();
    ClientShared *shared = join.online.loop == NULL ? NULL : client_shared_open(join.online.loop);
    if (shared == NULL) {
        fprintf(stderr, "mashup join: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    if (!net_trust_file(join.online.loop, flag_text(given, "cafile"), &problem)) {
        fprintf(stderr, "mashup join: %s\n", memory);
        return CLI_WRONG_USE;
    }
    bool watches = flag_given(given, "watch");
    ClientSetup setup = {.url = join.url,
                         .name = name == NULL ? usual_name() : name,
                         .role = watches ? PROTO_ROLE_WATCHER : PROTO_ROLE_PERSON,
                         .token = flag_text(given, "return"),
                         .reconnect_ms = PATIENCE_MS,
                         .calls = {.on_state = on_state, .on_message = on_message},
                         .owner = &join};
    sit(&join, shared, &setup);
    client_run_out(join.online.loop);
    client_shared_close(shared);
    net_loop_close(join.online.loop);
    return join.online.exit_code;
}

/* At a server of the network standard. */
static int run_join(const Arguments *given) {
    const char *name = flag_text(given, "name"), *role = flag_text(given, "role");
    const char *game = flag_text(given, "game");
    StandardJoinConfig config = {
        .place = given->words[0],
        .name = name == NULL ? usual_name() : name,
        .device = flag_text(given, "device"),
        .cafile = flag_text(given, "cafile"),
        .role = role == NULL ? "PLAYER" : role,
        .game = game_config_game(given, game == NULL ? "marvelous-mashup" : game)};
    return config.game == NULL ? CLI_WRONG_USE : standard_join(&config);
}

static const Flag flags[] = {FLAG_TEXT("game"),
                             GAME_CONFIG_FLAGS,
                             FLAG_CHOICE("vs", "ai|person"),
                             FLAG_WHOLE("level", 1, PROTO_LEVEL_MAX, 1),
                             FLAG_CHOICE("seat", "0|1"),
                             FLAG_SWITCH("invite"),
                             FLAG_SWITCH("no-tips"),
                             FLAG_TEXT("code"),
                             FLAG_TEXT("watch"),
                             FLAG_TEXT("return"),
                             FLAG_TEXT("name"),
                             FLAG_WHOLE("turn-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("match-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("pause-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("silence-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("grace-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("bank-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_WHOLE("increment-ms", 0, PROTO_DAY_MS, 0),
                             FLAG_CHOICE("protocol", "arena|standard"),
                             FLAG_CHOICE("role", "PLAYER|SPECTATOR"),
                             FLAG_TEXT("device"),
                             FLAG_TEXT("cafile"),
                             FLAGS_END};

static int run(const Arguments *given) {
    return flag_number(given, "protocol") == 0 ? join_with(given) : run_join(given);
}

const Command command_join = {
    "join",
    "Plays or watches a match on a server.",
    "join SERVER [--game G [--preset P] [--option ID=VALUE]...\n"
    "            [--vs ai|person] [--level L] [--invite] [--no-tips]\n"
    "            [--seat 0|1] [--content FILE]...] [--code CODE |\n"
    "            --watch CODE | --return TOKEN] [--name N] [--cafile FILE]\n"
    "       mashup join SERVER --protocol standard [--role PLAYER|SPECTATOR]\n"
    "            [--name N] [--device ID] [--cafile FILE]",
    run,
    flags,
    1,
    1,
    NULL};
