/* ai.c -- mashup ai: an AI player that takes a seat at a server, plays and exits, without any
 * interaction after its start. */
#include "cli/commands/ai.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/game_config.h"
#include "client/client.h"
#include "standard/commands/ai.h"

enum {
    URL_BYTES = 512,
    PATIENCE_MS = 60000,
    SECONDS_MOST = 86400,
    PACE_MS = 100, /* a known implementation handles one frame in this time */
    PACE_MOST_MS = 60000,
    DECISION_MS = 4000 /* the most time for one decision */
};

/* The deadline of a decision in a turn that began then and has this much time; 0 = no limit. */
static uint64_t until_ms(uint64_t now_ms, uint64_t began_ms, uint64_t turn_ms) {
    uint64_t until = now_ms + DECISION_MS;
    if (turn_ms == 0)
        return until;
    uint64_t end = began_ms + turn_ms * AI_PART_OF_TURN / 100;
    uint64_t left = end > now_ms ? end - now_ms : 0, half = now_ms + left / 2;
    return half < until ? half : until;
}

/* --- Playing ---------------------------------------------------------------------------------- */

void ai_consider(AiRun *run) {
    ClientPosition position = run->protocol->client->position(run->client);
    if (position.state == NULL || !position.awaited) {
        thinker_stop(run->thinker);
        return;
    }
    if (run->protocol->decide(run, &position))
        return;
    uint64_t until = until_ms(net_now_ms(run->loop), position.turn_began_ms, position.turn_ms);
    if (!thinker_begin(run->thinker, position.content, position.state, position.you, until) &&
        run->protocol->pass != NULL)
        run->protocol->pass(run);
}

/* Thinking is done: sends the result if it is still our turn. Where that changes the position
 * immediately, as during a draft, thinks about the next action. */
static void on_answer(void *owner, MashAction action) {
    AiRun *run = owner;
    const ClientProtocol *client = run->protocol->client;
    ClientPosition position = client->position(run->client);
    if (!position.awaited)
        return;
    client->act(run->client, run->protocol->choose(run, &position, action));
    if (client->position(run->client).number != position.number)
        ai_consider(run);
}

/* Asked to stop: leaves. Asked again while the goodbye is being sent: exits immediately. */
static void on_signal(void *owner) {
    AiRun *run = owner;
    if (run->client != NULL)
        run->protocol->leave(run);
    net_loop_stop(run->loop);
}

/* Plays one run. An exit code. */
static int play_once(const AiRunConfig *config, const AiProtocol *protocol) {
    char memory[URL_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    AiRun run = {.config = config,
                 .protocol = protocol,
                 .loop = net_loop_open(),
                 .exit_code = CLI_CHECK_FAILED};
    if (run.loop == NULL) {
        fprintf(stderr, "mashup ai: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    net_on_signal(run.loop, SIGINT, on_signal, &run);
    net_on_signal(run.loop, SIGTERM, on_signal, &run);
    run.thinker = thinker_open(run.loop, config->skill, config->threads, on_answer, &run);
    if (run.thinker != NULL && net_trust_file(run.loop, config->cafile, &problem) &&
        protocol->open(&run, &problem)) {
        net_loop_run(run.loop);
    } else {
        fprintf(stderr, "mashup ai: %s\n", problem.count > 0 ? memory : "out of memory");
        run.exit_code = CLI_WRONG_USE;
    }
    protocol->client->close(run.client);
    run.client = NULL;
    protocol->release(&run);
    thinker_close(run.thinker);
    client_run_out(run.loop);
    net_loop_close(run.loop);
    return run.exit_code;
}

/* All matches, until one fails. An exit code. */
static int play(const AiRunConfig *config, const AiProtocol *protocol) {
    uint64_t runs = protocol->one_match ? config->matches : 1;
    int exit_code = CLI_FINE;
    for (uint64_t i = 0; i < runs && exit_code == CLI_FINE; i++)
        exit_code = play_once(config, protocol);
    return exit_code;
}

/* --- The command ------------------------------------------------------------------------------ */

/* The value of a flag, or its default. */
static const char *value_or(const Arguments *given, const char *flag, const char *usual) {
    const char *value = flag_text(given, flag);
    return value == NULL ? usual : value;
}

/* The server's address: as typed, or MMU_URL, or this machine at MMU_PORT. */
static void choose_url(const char *typed, bool arena, MashText *url) {
    char local[64];
    const char *port = getenv("MMU_PORT"), *place = typed == NULL ? getenv("MMU_URL") : typed;
    if (place == NULL || place[0] == '\0') {
        snprintf(local, sizeof local, "127.0.0.1:%.20s",
                 port == NULL || port[0] == '\0' ? "1218" : port);
        place = local;
    }
    client_url_to(place, arena ? "/arena" : "/", url);
}

/* Parses everything but the address. False: an error was printed. */
static bool make_config(const Arguments *given, bool arena, AiRunConfig *config) {
    *config =
        (AiRunConfig){.name = value_or(given, "name", "mashup-ai"),
                      .role = value_or(given, "role", "KI"),
                      .device = flag_text(given, "device"),
                      .cafile = flag_text(given, "cafile"),
                      .game = game_config_game(given, value_or(given, "game", "marvelous-mashup")),
                      .matches = flag_number(given, "matches"),
                      .skill = ai_level((uint32_t)flag_number(given, "level")),
                      .threads = (uint32_t)flag_number(given, "threads"),
                      .reconnect_ms = (uint32_t)flag_number(given, "patience") * 1000,
                      .pace_ms = (uint32_t)flag_number(given, "pace")};
    if (config->game == NULL ||
        !game_config_has_level(given->command, config->game, config->skill->level))
        return false;
    if (!arena && strcmp(config->game->id, "marvelous-mashup") != 0)
        return cli_wrong_use(
                   given->command,
                   "the standard only covers marvelous-mashup; use --protocol arena for %s",
                   config->game->id),
               false;
    return true;
}

static const Flag flags[] = {
    FLAG_TEXT("name", .variable = "MMU_NAME"),
    FLAG_WHOLE("level", 1, AI_LEVELS_MAX, AI_LEVELS, .variable = "MMU_LEVEL"),
    FLAG_WHOLE("threads", 1, AI_TEAM_MAX, 1, .variable = "MMU_THREADS"),
    FLAG_TEXT("game", .variable = "MMU_GAME"),
    FLAG_CHOICE("protocol", "standard|arena", .variable = "MMU_PROTOCOL"),
    FLAG_CHOICE("role", "KI|PLAYER", .variable = "MMU_ROLE"),
    FLAG_TEXT("device", .variable = "MMU_DEVICE"),
    FLAG_TEXT("cafile", .variable = "MMU_CAFILE"),
    FLAG_WHOLE("matches", 1, 1000000, 1, .variable = "MMU_MATCHES"),
    FLAG_WHOLE("patience", 0, SECONDS_MOST, PATIENCE_MS / 1000, .variable = "MMU_PATIENCE"),
    FLAG_WHOLE("pace", 0, PACE_MOST_MS, PACE_MS, .variable = "MMU_PACE"),
    FLAGS_END};

static int run(const Arguments *given) {
    AiRunConfig config;
    char bytes[URL_BYTES];
    MashText url = text_over(bytes, sizeof bytes);
    bool arena = flag_number(given, "protocol") == 1;
    if (!make_config(given, arena, &config))
        return CLI_WRONG_USE;
    choose_url(given->count > 0 ? given->words[0] : NULL, arena, &url);
    config.url = bytes;
    return play(&config, arena ? &arena_ai : &standard_ai);
}

const Command command_ai = {
    "ai",
    "Runs an AI player on a server.",
    "ai [SERVER] [--name N] [--level L] [--threads N]\n"
    "            [--protocol standard|arena] [--game G] [--role KI|PLAYER]\n"
    "            [--device ID] [--matches N] [--patience S] [--pace MS]",
    run,
    flags,
    0,
    1,
    NULL};
