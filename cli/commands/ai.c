/* ai.c -- mashup ai: a program that takes a seat at a server, plays and ends, without a word with
 * anybody after its start. */
#include "cli/commands/ai.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/game_config.h"
#include "client/client.h"
#include "standard/client.h"

enum {
    URL_BYTES = 512,
    PATIENCE_MS = 60000,
    SECONDS_MOST = 86400,
    PACE_MS = 100, /* a known program handles so many frames: one in that time */
    PACE_MOST_MS = 60000
};

uint64_t ai_until_ms(uint64_t now_ms, uint64_t began_ms, uint64_t turn_ms) {
    uint64_t until = now_ms + AI_DECISION_MS;
    if (turn_ms == 0)
        return until;
    uint64_t end = began_ms + turn_ms * AI_PART_OF_TURN / 100;
    uint64_t half = end > now_ms ? now_ms + (end - now_ms) / 2 : now_ms;
    return half < until ? half : until;
}

/* --- A server of the standard ----------------------------------------------------------------- */

/* One who plays there. */
typedef struct StandardAiRun {
    NetLoop *loop;
    StandardClient *standard;
    Thinker *thinker;
    MashAction *list; /* of legal actions, for this content */
    const MashContent *list_for;
    MashChance whims;
    int exit_code;
} StandardAiRun;

/* Lists what we may do now in `list`, which is as long as the content needs; how many. */
static uint32_t list_actions(StandardAiRun *guesting) {
    const StandardClientTable *table = standard_table(guesting->standard);
    if (guesting->list_for != table->content) {
        free(guesting->list);
        guesting->list = cli_memory(table->content->limits.actions_max * sizeof *guesting->list);
        guesting->list_for = table->content;
    }
    return table->content->game->actions(table->content, table->state, table->you, guesting->list);
}

/* The best action that is not doubtful, looking one ahead: one that goes on with the turn and makes
 * nothing worse, or else one that passes it. */
static MashAction safest(StandardAiRun *guesting, MashAction wanted) {
    const StandardClientTable *table = standard_table(guesting->standard);
    const MashContent *content = table->content;
    const MashEvaluator *mind = content->game->evaluator;
    if (mind == NULL || mind->turn_number == NULL)
        return wanted;
    void *after = cli_memory(content->limits.state_bytes);
    uint32_t count = list_actions(guesting), turn = mind->turn_number(content, table->state);
    int32_t most = mind->evaluate(content, table->state, table->you);
    bool goes_on = false;
    for (uint32_t i = 0; i < count; i++) {
        MashAction action = guesting->list[i];
        if (standard_risky(guesting->standard, action))
            continue;
        memcpy(after, table->state, content->limits.state_bytes);
        if (mash_apply(content, after, action, &guesting->whims, NULL) != MASH_OK)
            continue;
        bool passes = mind->turn_number(content, after) != turn;
        int32_t value = mind->evaluate(content, after, table->you);
        if (passes ? !goes_on : value >= most) {
            wanted = action;
            goes_on |= !passes;
            most = passes ? most : value;
        }
    }
    free(after);
    return wanted;
}

static void consider(StandardAiRun *guesting);

/* The thinking is over: if it is still our turn, does what came of it, or the safest if that is
 * doubtful. While heroes are chosen, thinks of the next one. */
static void on_answer(void *owner, MashAction action) {
    StandardAiRun *guesting = owner;
    if (!standard_awaited(guesting->standard))
        return;
    if (standard_risky(guesting->standard, action))
        action = safest(guesting, action);
    standard_act(guesting->standard, action);
    if (standard_phase(guesting->standard) == STANDARD_DRAFTING)
        consider(guesting);
}

/* Thinks if we are awaited. A choice that was refused is made anew by lot; a turn that has lasted
 * too long is ended. */
static void consider(StandardAiRun *guesting) {
    const StandardClientTable *table = standard_table(guesting->standard);
    if (!standard_awaited(guesting->standard)) {
        thinker_stop(guesting->thinker);
        return;
    }
    uint64_t now = net_now_ms(guesting->loop), turn = table->content->limits.turn_ms;
    bool choosing = standard_phase(guesting->standard) == STANDARD_DRAFTING;
    if (choosing && table->rejected > 0) {
        uint32_t count = list_actions(guesting);
        on_answer(guesting, guesting->list[chance_below(&guesting->whims, count)]);
        return;
    }
    if (!choosing && turn > 0 && now - table->turn_ms > turn * (AI_PART_OF_TURN + 20) / 100) {
        standard_ask(guesting->standard, "EndRoundRequest");
        return;
    }
    uint64_t began = choosing ? now : table->turn_ms;
    if (!thinker_begin(guesting->thinker, table->content, table->state, table->you,
                       ai_until_ms(now, began, turn)))
        standard_ask(guesting->standard, "EndRoundRequest");
}

/* The match has moved on: looks whether something is to be chosen. */
static void on_position(void *owner) { consider(owner); }

/* A sentence about the match, as far as it is known. */
static void report(const StandardAiRun *guesting, const char *why) {
    const StandardClientTable *table = standard_table(guesting->standard);
    const char *result = !table->decided               ? "over"
                         : table->winner >= MASH_SEATS ? "decided"
                         : table->you >= MASH_SEATS    ? "watched"
                         : table->winner == table->you ? "won"
                                                       : "lost";
    if (table->finished)
        printf("%s, %u requests, %u refused, %u connections lost", result, table->requests,
               table->refusals, table->losses);
    if (table->finished && !table->decided)
        printf(": %s", why);
    if (table->finished)
        putchar('\n');
    else
        fprintf(stderr, "mashup ai: %s\n", why);
    fflush(stdout);
}

/* Where the visit stands has changed: forgets old thoughts, reports the end. */
static void on_phase(void *owner, StandardPhase phase, const char *why) {
    StandardAiRun *guesting = owner;
    if (phase == STANDARD_DRAFTING || phase == STANDARD_PLAYING) {
        thinker_forget(guesting->thinker);
        guesting->list_for = NULL;
    }
    if (phase != STANDARD_CLOSED)
        return;
    thinker_stop(guesting->thinker);
    report(guesting, why);
    guesting->exit_code =
        standard_table(guesting->standard)->finished ? CLI_FINE : CLI_CHECK_FAILED;
    net_loop_stop(guesting->loop);
}

/* We are asked to stop: says goodbye and leaves the match. Asked again, while the goodbye goes out
 * and the match is closed: ends at once. */
static void on_signal(void *owner) {
    StandardAiRun *guesting = owner;
    if (guesting->standard != NULL)
        standard_ask(guesting->standard, "DisconnectRequest");
    net_loop_stop(guesting->loop);
}

/* Lets the goodbye go out, for a moment at most. */
static void stop(void *owner) { net_loop_stop(owner); }

/* Gives what was queued GOODBYE_MS to go out. */
static void run_out(NetLoop *loop) {
    enum { GOODBYE_MS = 100 };
    NetTimer *timer = net_timer_open(loop, stop, loop);
    if (timer == NULL)
        return;
    net_timer_start(timer, GOODBYE_MS);
    net_loop_run(loop);
    net_timer_close(timer);
}

/* One match. */
static int play_one(NetLoop *loop, const AiRunConfig *wish) {
    char memory[URL_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    uint64_t whim;
    net_random(loop, &whim, sizeof whim);
    StandardAiRun guesting = {
        .loop = loop, .whims = chance_sampled(whim), .exit_code = CLI_CHECK_FAILED};
    StandardSetup setup = {.url = wish->url,
                           .name = wish->name,
                           .device = wish->device,
                           .role = wish->role,
                           .game = wish->game,
                           .reconnect_ms = wish->reconnect_ms,
                           .pace_ms = wish->pace_ms,
                           .careful = true,
                           .calls = {on_phase, on_position, NULL},
                           .owner = &guesting};
    guesting.thinker = thinker_open(loop, wish->skill, on_answer, &guesting);
    guesting.standard =
        guesting.thinker == NULL ? NULL : standard_client_open(loop, &setup, &problem);
    net_on_signal(loop, SIGINT, on_signal, &guesting);
    net_on_signal(loop, SIGTERM, on_signal, &guesting);
    if (guesting.standard == NULL) {
        fprintf(stderr, "mashup ai: %s\n", problem.count > 0 ? memory : "there is no memory");
        guesting.exit_code = CLI_WRONG_USE;
    } else {
        net_loop_run(loop);
    }
    standard_close(guesting.standard);
    guesting.standard = NULL;
    thinker_close(guesting.thinker);
    free(guesting.list);
    run_out(loop);
    return guesting.exit_code;
}

/* So many matches by the standard, one after the other, until one fails. An exit code. */
static int play_standard(const AiRunConfig *wish) {
    int exit_code = CLI_FINE;
    for (uint64_t i = 0; i < wish->matches && exit_code == CLI_FINE; i++) {
        NetLoop *loop = net_loop_open();
        if (loop == NULL) {
            fprintf(stderr, "mashup ai: there is no memory\n");
            return CLI_CHECK_FAILED;
        }
        exit_code = play_one(loop, wish);
        net_loop_close(loop);
    }
    return exit_code;
}

/* --- The command ------------------------------------------------------------------------------ */

enum {
    FLAG_NAME,
    FLAG_LEVEL,
    FLAG_GAME,
    FLAG_PROTOCOL,
    FLAG_ROLE,
    FLAG_DEVICE,
    FLAG_MATCHES,
    FLAG_PATIENCE,
    FLAG_PACE,
    FLAGS
};

/* The variable stands for a flag that was not given. */
static void by_environment(Flag *flag, const char *variable) {
    const char *value = getenv(variable);
    if (flag->count > 0 || value == NULL || value[0] == '\0')
        return;
    flag->values[0] = value;
    flag->count = 1;
}

/* The value of a flag, or what is usual. */
static const char *value_or(const Flag *flag, const char *usual) {
    const char *value = flag_value(flag);
    return value == NULL ? usual : value;
}

/* Where to: as typed, or MMU_URL, or this machine at MMU_PORT. */
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

/* Reads what the wish says beside the address. False: a sentence was printed. */
static bool make_wish(const Command *self, const Flag *flags, bool arena, AiRunConfig *wish) {
    uint64_t level, patience, pace;
    const char *game = value_or(&flags[FLAG_GAME], "marvelous-mashup");
    wish->name = value_or(&flags[FLAG_NAME], "mashup-ai");
    wish->role = value_or(&flags[FLAG_ROLE], "KI");
    wish->device = flag_value(&flags[FLAG_DEVICE]);
    wish->game = setting_game(self, game);
    if (wish->game == NULL ||
        !flag_whole(self, &flags[FLAG_LEVEL], 1, AI_LEVELS, AI_LEVELS, &level) ||
        !flag_whole(self, &flags[FLAG_MATCHES], 1, 1000000, 1, &wish->matches) ||
        !flag_whole(self, &flags[FLAG_PATIENCE], 0, SECONDS_MOST, PATIENCE_MS / 1000, &patience) ||
        !flag_whole(self, &flags[FLAG_PACE], 0, PACE_MOST_MS, PACE_MS, &pace))
        return false;
    if (strcmp(wish->role, "KI") != 0 && strcmp(wish->role, "PLAYER") != 0)
        return cli_wrong_use(self, "--role is KI or PLAYER, not \"%s\"", wish->role), false;
    if (!arena && strcmp(game, "marvelous-mashup") != 0)
        return cli_wrong_use(self,
                             "the standard is for marvelous-mashup; --protocol arena plays "
                             "%s",
                             game),
               false;
    wish->skill = ai_level((uint32_t)level);
    wish->reconnect_ms = (uint32_t)patience * 1000;
    wish->pace_ms = (uint32_t)pace;
    return true;
}

static int run(const Command *self, int count, char **words) {
    static const char *const variables[FLAGS] = {
        [FLAG_NAME] = "MMU_NAME",       [FLAG_LEVEL] = "MMU_LEVEL",
        [FLAG_GAME] = "MMU_GAME",       [FLAG_PROTOCOL] = "MMU_PROTOCOL",
        [FLAG_ROLE] = "MMU_ROLE",       [FLAG_DEVICE] = "MMU_DEVICE",
        [FLAG_MATCHES] = "MMU_MATCHES", [FLAG_PATIENCE] = "MMU_PATIENCE",
        [FLAG_PACE] = "MMU_PACE"};
    Flag flags[FLAGS] = {[FLAG_NAME] = {.name = "name", .max = 1},
                         [FLAG_LEVEL] = {.name = "level", .max = 1},
                         [FLAG_GAME] = {.name = "game", .max = 1},
                         [FLAG_PROTOCOL] = {.name = "protocol", .max = 1},
                         [FLAG_ROLE] = {.name = "role", .max = 1},
                         [FLAG_DEVICE] = {.name = "device", .max = 1},
                         [FLAG_MATCHES] = {.name = "matches", .max = 1},
                         [FLAG_PATIENCE] = {.name = "patience", .max = 1},
                         [FLAG_PACE] = {.name = "pace", .max = 1}};
    Positional plain;
    AiRunConfig wish;
    char bytes[URL_BYTES];
    MashText url = text_over(bytes, sizeof bytes);
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 0, 1);
    if (!read.ok)
        return read.exit_code;
    for (uint32_t i = 0; i < FLAGS; i++)
        by_environment(&flags[i], variables[i]);
    const char *protocol = value_or(&flags[FLAG_PROTOCOL], "standard");
    bool arena = strcmp(protocol, "arena") == 0;
    if (!arena && strcmp(protocol, "standard") != 0)
        return cli_wrong_use(self, "--protocol is standard or arena, not \"%s\"", protocol);
    if (!make_wish(self, flags, arena, &wish))
        return CLI_WRONG_USE;
    choose_url(plain.count > 0 ? plain.words[0] : NULL, arena, &url);
    wish.url = bytes;
    return arena ? ai_play_arena(&wish) : play_standard(&wish);
}

const Command command_ai = {
    .name = "ai",
    .summary = "Takes a seat at a server and plays by itself.",
    .use = "ai [SERVER] [--name N] [--level L] [--protocol standard|arena]\n"
           "            [--game G] [--role KI|PLAYER] [--device ID] [--matches N]\n"
           "            [--patience S] [--pace MS]",
    .help = "SERVER is ws://HOST:PORT/PATH or a part of it; usually this machine, port\n"
            "1218. Plays one match and ends: exit code 0; 1 if there was none.\n"
            "\n"
            "  --level L          how well it thinks, 1 to 8 (usually 8)\n"
            "  --protocol P       standard (usual): any server of Marvelous Mashup's\n"
            "                     network standard; arena: a house of this project\n"
            "  --game G           at an arena: which game\n"
            "  --name N           how others shall see it\n"
            "  --role R           what it says it is: KI (usual) or PLAYER\n"
            "  --device ID        with the name: who comes back to a seat (usually new)\n"
            "  --matches N        how many it plays, one after the other (usually 1)\n"
            "  --patience S       seconds that a server may take to be there (usually 60)\n"
            "  --pace MS          by the standard requests are so far apart, for others who\n"
            "                     read slowly (usually 100; 0 = as fast as it thinks); in\n"
            "                     all they wait for half of a turn's time at most\n"
            "\n"
            "Each flag may also be said by the environment: MMU_NAME, MMU_LEVEL,\n"
            "MMU_PROTOCOL, MMU_GAME, MMU_ROLE, MMU_DEVICE, MMU_MATCHES, MMU_PATIENCE,\n"
            "MMU_PACE; the server by MMU_URL, or by MMU_PORT on this machine.\n",
    .run = run,
};
