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

/* Handles a message of the server and prints what it means. */
static void on_message(void *owner, Client *client, const Message *message) {
    Join *join = owner;
    (void)client;
    switch (message->kind) {
    case MESSAGE_SERVER_TABLE:
        print_table(join);
        break;
    case MESSAGE_SERVER_POSITION:
        if (join->online.content != NULL)
            join_take_position(join);
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
        if (join->gone) { /* the seat, which was printed */
            join->gone = false;
            break;
        }
        online_say(&join->online, "  %s%s", message->refused.reason,
                   message->refused.offence ? " (This counts as an offence.)" : "");
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

enum {
    FLAG_GAME,
    FLAG_PRESET,
    FLAG_CONTENT,
    FLAG_OPTION,
    FLAG_VS,
    FLAG_LEVEL,
    FLAG_SEAT,
    FLAG_INVITE,
    FLAG_CODE,
    FLAG_WATCH,
    FLAG_RETURN,
    FLAG_NAME,
    FLAG_TURN,
    FLAG_MATCH,
    FLAG_PAUSE,
    FLAG_SILENCE,
    FLAG_GRACE,
    FLAG_PROTOCOL,
    FLAG_ROLE,
    FLAG_DEVICE,
    FLAGS
};

/* Copies what `seek` and `open` share into either. */
#define TAKE_SETTING(message, fields, setting, times)                                              \
    do {                                                                                           \
        snprintf((fields)->game, sizeof(fields)->game, "%s", (setting)->game->id);                 \
        if ((setting)->preset != NULL) {                                                           \
            snprintf((fields)->preset, sizeof(fields)->preset, "%s", (setting)->preset);           \
            message_set_present(message, "preset");                                                \
        }                                                                                          \
        take_options(setting, &(fields)->options);                                                 \
        message_set_present(message, "options");                                                   \
        (fields)->turn_ms = (times)[0];                                                            \
        (fields)->match_ms = (times)[1];                                                           \
        (fields)->pause_ms = (times)[2];                                                           \
        (fields)->silence_ms = (times)[3];                                                         \
        (fields)->grace_ms = (times)[4];                                                           \
    } while (0)

static const char *const time_fields[] = {"turn_ms", "match_ms", "pause_ms", "silence_ms",
                                          "grace_ms"};

/* All options of the configuration, as in a message. */
static void take_options(const GameConfig *setting, MessageOptions *options) {
    options->count = setting->game->options_count;
    for (uint32_t i = 0; i < options->count; i++) {
        snprintf(options->list[i].id, sizeof options->list[i].id, "%s",
                 setting->game->options[i].id);
        options->list[i].value = setting->options[i];
    }
}

/* The last part of a path. */
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Sends the user's own documents unchanged. */
static void take_documents(const GameConfig *setting, const Flag *contents,
                           MessageDocuments *documents) {
    for (uint32_t i = 0; i < setting->documents_count; i++)
        for (uint32_t j = 0; j < contents->count; j++)
            if (strcmp(setting->documents[i].name, contents->values[j]) == 0) {
                documents->list[documents->count] = setting->documents[i];
                documents->list[documents->count++].name = file_name(contents->values[j]);
            }
}

/* `open`: a table of the user's own. */
static bool request_table(Join *join, const Command *command, const GameConfig *setting,
                          Flag *flags, const int32_t times[5]) {
    Message *first = &join->first;
    uint64_t level, seat;
    *first = message_new(MESSAGE_CLIENT_OPEN);
    CLIENT_OPEN_FIELDS *open = &first->open;
    TAKE_SETTING(first, open, setting, times);
    if (!flag_whole(command, &flags[FLAG_LEVEL], 1, PROTO_LEVEL_MAX, 1, &level) ||
        !flag_whole(command, &flags[FLAG_SEAT], 0, 1, 0, &seat))
        return false;
    if (flags[FLAG_SEAT].count > 0) {
        open->seat = (uint8_t)seat;
        message_set_present(first, "seat");
    }
    if (flags[FLAG_INVITE].count > 0) {
        open->secret = true;
        message_set_present(first, "secret");
    } else {
        open->opponent = PROTO_OPPONENT_AI;
        open->level = (int32_t)level;
        message_set_present(first, "opponent");
        message_set_present(first, "level");
    }
    if (flags[FLAG_CONTENT].count > 0) {
        take_documents(setting, &flags[FLAG_CONTENT], &open->documents);
        message_set_present(first, "documents");
    }
    return true;
}

/* A match of --game: quick, against an AI player, or with a code. False: an error was printed. */
static bool request_match(Join *join, const Command *command, Flag *flags) {
    const MashGame *game = game_config_game(command, flag_value(&flags[FLAG_GAME]));
    const char *against = flag_value(&flags[FLAG_VS]);
    GameConfig setting;
    int32_t times[5];
    if (against != NULL && strcmp(against, "ai") != 0 && strcmp(against, "person") != 0)
        return cli_wrong_use(command, "--vs is ai or person, not \"%s\"", against), false;
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t ms;
        if (!flag_whole(command, &flags[FLAG_TURN + i], 0, PROTO_DAY_MS, 0, &ms))
            return false;
        times[i] = (int32_t)ms;
    }
    if (game == NULL || !game_config_make(&setting, command, game, &flags[FLAG_PRESET],
                                          &flags[FLAG_CONTENT], &flags[FLAG_OPTION]))
        return false;
    free(setting.content);
    bool robot = against != NULL && strcmp(against, "ai") == 0, fine = true;
    if (robot || flags[FLAG_INVITE].count > 0) {
        fine = request_table(join, command, &setting, flags, times);
    } else if (flags[FLAG_CONTENT].count > 0 || flags[FLAG_SEAT].count > 0) {
        cli_wrong_use(command, "--content and --seat need --invite or --vs ai");
        fine = false;
    } else {
        join->first = message_new(MESSAGE_CLIENT_SEEK);
        TAKE_SETTING(&join->first, &join->first.seek, &setting, times);
    }
    for (uint32_t i = 0; i < 5; i++)
        if (flags[FLAG_TURN + i].count > 0)
            message_set_present(&join->first, time_fields[i]);
    join->has_first = true;
    return fine;
}

/* The first request. False: an error was printed. */
static bool read_first(Join *join, const Command *command, Flag *flags) {
    static const int ways[] = {FLAG_GAME, FLAG_CODE, FLAG_WATCH, FLAG_RETURN};
    uint32_t given = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        given += flags[ways[i]].count;
    if (given > 1)
        return cli_wrong_use(command, "use only one of --game, --code, --watch and --return"),
               false;
    if (flags[FLAG_GAME].count > 0)
        return request_match(join, command, flags);
    bool joins = flags[FLAG_CODE].count > 0;
    if (!joins && flags[FLAG_WATCH].count == 0)
        return true;
    const char *code = flag_value(&flags[joins ? FLAG_CODE : FLAG_WATCH]);
    uint64_t number;
    if (!table_code_decode(code, &number))
        return cli_wrong_use(command, "\"%s\" is not a table code (example: k7qf-2m9x-w3ab)", code),
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
static int join_with(const Command *command, const char *place, Flag *flags) {
    static Join join;
    const char *name = flag_value(&flags[FLAG_NAME]);
    join = (Join){.online = {.terminal = terminal_open(),
                             .protocol = &arena_client,
                             .commands = join_commands,
                             .missing = join_missing,
                             .print_above = join_print_clocks,
                             .typed = break_silence},
                  .place = place};
    MashText url = text_over(join.url, sizeof join.url);
    client_url(place, &url);
    if (!read_first(&join, command, flags))
        return CLI_WRONG_USE;
    join.online.loop = net_loop_open();
    ClientShared *shared = join.online.loop == NULL ? NULL : client_shared_open(join.online.loop);
    if (shared == NULL) {
        fprintf(stderr, "mashup join: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    bool watches = flags[FLAG_WATCH].count > 0;
    ClientSetup setup = {.url = join.url,
                         .name = name == NULL ? usual_name() : name,
                         .role = watches ? PROTO_ROLE_WATCHER : PROTO_ROLE_PERSON,
                         .token = flag_value(&flags[FLAG_RETURN]),
                         .reconnect_ms = PATIENCE_MS,
                         .calls = {on_state, on_message},
                         .owner = &join};
    sit(&join, shared, &setup);
    client_run_out(join.online.loop);
    client_shared_close(shared);
    net_loop_close(join.online.loop);
    return join.online.exit_code;
}

/* At a server of the network standard. */
static int run_join(const Command *command, const char *place, const Flag *flags) {
    const char *name = flag_value(&flags[FLAG_NAME]), *role = flag_value(&flags[FLAG_ROLE]);
    const char *game = flag_value(&flags[FLAG_GAME]);
    StandardJoinConfig config = {
        .place = place,
        .name = name == NULL ? usual_name() : name,
        .device = flag_value(&flags[FLAG_DEVICE]),
        .role = role == NULL ? "PLAYER" : role,
        .game = game_config_game(command, game == NULL ? "marvelous-mashup" : game)};
    if (config.game == NULL)
        return CLI_WRONG_USE;
    if (strcmp(config.role, "PLAYER") != 0 && strcmp(config.role, "SPECTATOR") != 0)
        return cli_wrong_use(command, "--role is PLAYER or SPECTATOR, not \"%s\"", config.role);
    return standard_join(&config);
}

static int run(const Command *command, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_GAME] = {.name = "game", .max = 1},
                         [FLAG_PRESET] = {.name = "preset", .max = 1},
                         [FLAG_CONTENT] = {.name = "content", .max = MASH_DOCUMENTS_MAX},
                         [FLAG_OPTION] = {.name = "option", .max = ARGUMENTS_VALUES_MAX},
                         [FLAG_VS] = {.name = "vs", .max = 1},
                         [FLAG_LEVEL] = {.name = "level", .max = 1},
                         [FLAG_SEAT] = {.name = "seat", .max = 1},
                         [FLAG_INVITE] = {.name = "invite"},
                         [FLAG_CODE] = {.name = "code", .max = 1},
                         [FLAG_WATCH] = {.name = "watch", .max = 1},
                         [FLAG_RETURN] = {.name = "return", .max = 1},
                         [FLAG_NAME] = {.name = "name", .max = 1},
                         [FLAG_TURN] = {.name = "turn-ms", .max = 1},
                         [FLAG_MATCH] = {.name = "match-ms", .max = 1},
                         [FLAG_PAUSE] = {.name = "pause-ms", .max = 1},
                         [FLAG_SILENCE] = {.name = "silence-ms", .max = 1},
                         [FLAG_GRACE] = {.name = "grace-ms", .max = 1},
                         [FLAG_PROTOCOL] = {.name = "protocol", .max = 1},
                         [FLAG_ROLE] = {.name = "role", .max = 1},
                         [FLAG_DEVICE] = {.name = "device", .max = 1}};
    Positional plain;
    ParseResult read = arguments_read(command, count, words, flags, FLAGS, &plain, 1, 1);
    if (!read.ok)
        return read.exit_code;
    const char *protocol = flag_value(&flags[FLAG_PROTOCOL]);
    if (protocol == NULL || strcmp(protocol, "arena") == 0)
        return join_with(command, plain.words[0], flags);
    if (strcmp(protocol, "standard") != 0)
        return cli_wrong_use(command, "--protocol is arena or standard, not \"%s\"", protocol);
    return run_join(command, plain.words[0], flags);
}

const Command command_join = {
    "join", "Plays or watches a match on a server.",
    "join SERVER [--game G [--preset P] [--option ID=VALUE]...\n"
    "            [--vs ai|person] [--level L] [--invite] [--seat 0|1]\n"
    "            [--content FILE]...] [--code CODE | --watch CODE |\n"
    "            --return TOKEN] [--name N]\n"
    "       mashup join SERVER --protocol standard [--role PLAYER|SPECTATOR]\n"
    "            [--name N] [--device ID]",
    run, NULL};
