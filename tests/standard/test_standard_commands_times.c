/* test_standard_commands_times.c -- what the commands of the standard do with their flags, how they
 * print replays, and how `mashup ai` decides at a scripted server. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "standard/commands/ai.h"
#include "standard/commands/flags.h"
#include "standard/commands/replay_print.h"
#include "tests/standard/script.h"

enum { PRINTED_BYTES = 1 << 14, EXIT_UNSET = 77 };

/* --- What was printed ------------------------------------------------------------------------- */

static int kept_fds[2];
static FILE *files[2];
static char printed[2][PRINTED_BYTES]; /* on stdout and on stderr */

/* From now on output goes into files. */
static void print_aside(void) {
    FILE *const streams[2] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        fflush(streams[i]);
        files[i] = tmpfile();
        assert_non_null(files[i]);
        kept_fds[i] = dup(i + 1);
        assert_true(dup2(fileno(files[i]), i + 1) == i + 1);
    }
}

/* Until now; what it was is in printed[]. */
static void print_again(void) {
    FILE *const streams[2] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        fflush(streams[i]);
        dup2(kept_fds[i], i + 1);
        close(kept_fds[i]);
        rewind(files[i]);
        size_t count = fread(printed[i], 1, PRINTED_BYTES - 1, files[i]);
        printed[i][count] = '\0';
        fclose(files[i]);
    }
}

/* --- Flags ------------------------------------------------------------------------------------ */

static StandardConfig config;
static bool configured;

/* A command with the standard's flags only: keeps the configuration. */
static int run_config_command(const Arguments *given) {
    int exit_code = EXIT_UNSET;
    configured = standard_config_from_flags(given, &config, &exit_code);
    return configured ? CLI_FINE : exit_code;
}

static const Flag flags[] = {STANDARD_FLAGS, FLAGS_END};
static const Command command = {
    .name = "serve", .use = "serve", .run = run_config_command, .flags = flags};

/* Runs it with these words, to which the configuration may point as to a command line's; its exit
 * code. */
static int configure(const char *words) {
    static char memory[512];
    char *list[32];
    int count = 0;
    strcpy(memory, words);
    for (char *rest = memory, *part; (part = strtok_r(rest, " ", &rest)) != NULL;)
        list[count++] = part;
    list[count] = NULL;
    configured = false;
    print_aside();
    int exit_code = arguments_run(&command, count, list);
    print_again();
    return exit_code;
}

static void configurations(void **unused) {
    (void)unused;
    StandardConfig usual = standard_config();
    assert_int_equal(configure(""), CLI_FINE);
    assert_true(configured);
    assert_int_equal(config.documents_count, 0);
    assert_int_equal(config.rules, 0);
    assert_int_equal(config.ais, 2);
    assert_int_equal(config.pace_ms, usual.pace_ms);
    assert_int_equal(config.framing, STANDARD_FRAMING_EACH);
    assert_false(config.single);
    assert_true(config.replay == NULL && config.owner == NULL);
    assert_string_equal(printed[0], "");
    assert_int_equal(configure("--rules customer --dialect bare --ais 1 --pace 60000 --single "
                               "-s games/marvelous-mashup/content/asgard.scenario.json"),
                     CLI_FINE);
    assert_true(configured);
    assert_int_equal(config.rules, 1);
    assert_int_equal(config.ais, 1);
    assert_int_equal(config.pace_ms, 60000);
    assert_int_equal(config.framing, STANDARD_FRAMING_BARE);
    assert_true(config.single);
    assert_int_equal(config.documents_count, 1);
    assert_string_equal(config.documents[0].name, "asgard.scenario.json");
    assert_true(config.documents[0].count > 100);
    assert_memory_equal(config.documents[0].bytes, "{", 1);
    static const char all[] = "--rules spec --dialect wrapped --pace 0 --ais 2 "
                              "-m games/marvelous-mashup/content/quick.game.json "
                              "-c games/marvelous-mashup/content/starter-kit.character.json "
                              "-s games/marvelous-mashup/content/asgard.scenario.json";
    assert_int_equal(configure(all), CLI_FINE);
    assert_int_equal(config.framing, STANDARD_FRAMING_WRAPPED);
    assert_true(config.rules == 0 && config.pace_ms == 0 && config.ais == 2);
    assert_int_equal(config.documents_count, 3);
    assert_string_equal(config.documents[0].name, "quick.game.json");
    assert_string_equal(config.documents[1].name, "starter-kit.character.json");
    /* Only to check. */
    assert_int_equal(configure("-C"), CLI_FINE);
    assert_false(configured);
    assert_string_equal(printed[0], "mashup serve: configuration OK\n");
    /* By the environment. */
    setenv("MMU_CONF_SCENARIO", "games/marvelous-mashup/content/asgard.scenario.json", 1);
    assert_int_equal(configure(""), CLI_FINE);
    unsetenv("MMU_CONF_SCENARIO");
    assert_int_equal(config.documents_count, 1);
}

static void wrong_configurations(void **unused) {
    (void)unused;
    static const struct {
        const char *words;
        int exit_code;
        const char *printed;
    } wrong[] = {
        {"--rules none", CLI_WRONG_USE, "--rules must be spec or customer, not \"none\""},
        {"--dialect none", CLI_WRONG_USE, "--dialect must be "},
        {"--ais 0", CLI_WRONG_USE, "--ais must be a whole number from 1 to 2"},
        {"--ais 3", CLI_WRONG_USE, "--ais must be a whole number from 1 to 2"},
        {"--pace 60001", CLI_WRONG_USE, "--pace must be a whole number from 0 to 60000"},
        {"-m a.scenario.json", CLI_CHECK_FAILED,
         "a.scenario.json: the file for --conf-match must end in .game.json"},
        {"-c a.json", CLI_CHECK_FAILED,
         "a.json: the file for --conf-chars must end in .character.json"},
        {"-s a.game.json", CLI_CHECK_FAILED,
         "a.game.json: the file for --conf-scenario must end in .scenario.json"},
        {"-m nowhere/a.game.json", CLI_CHECK_FAILED, "nowhere/a.game.json"},
        {"-c games/marvelous-mashup/samples/too-few.character.json", CLI_CHECK_FAILED,
         "too-few.character.json:"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char words[256];
        snprintf(words, sizeof words, "%s -C", wrong[i].words);
        assert_int_equal(configure(words), wrong[i].exit_code);
        assert_false(configured);
        if (strstr(printed[1], wrong[i].printed) == NULL)
            fail_msg("\"%s\" does not have \"%s\"", printed[1], wrong[i].printed);
        assert_string_equal(printed[0], "");
    }
}

/* Replays go into the folder, which is made. */
static void replays_are_written(void **unused) {
    (void)unused;
    char folder[] = "/tmp/mashup-commands-XXXXXX", place[64], path[128], read[16] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(place, sizeof place, "%s/replays", folder);
    char words[128];
    snprintf(words, sizeof words, "-r %s", place);
    assert_int_equal(configure(words), CLI_FINE);
    assert_non_null(config.replay);
    config.replay(config.owner, "one.json", "first", 5);
    config.replay(config.owner, "two.json", "second", 6);
    static const char *const names[] = {"one.json", "two.json"};
    static const char *const texts[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", place, names[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        read[fread(read, 1, sizeof read - 1, file)] = '\0';
        fclose(file);
        assert_string_equal(read, texts[i]);
        unlink(path);
    }
    /* A name that is too long for a path is left out. */
    char longest[2000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    config.replay(config.owner, longest, "x", 1);
    rmdir(place);
    assert_int_equal(rmdir(folder), 0); /* nothing else was written */
}

/* --- Replays ---------------------------------------------------------------------------------- */

#define HEROES                                                                                     \
    "\"playerOneCharacters\":[{\"characterID\":3,\"name\":\"Hulk\"},{\"characterID\":\"x\"}],"     \
    "\"playerTwoCharacters\":[{\"name\":\"Nobody\"},{\"characterID\":3,\"name\":\"Thor\"}]"
#define REPLAY(events)                                                                             \
    " \n{ \"nameP1\" : \"A\\\"n\\\\\" ,\"more\":{\"a\":[1,{\"}\":\"]\"}]},\"nameP2\":\"Ben\", "    \
    "\"events\" : [" events "] }\n"
#define HEAD "A replay of the Marvelous Mashup standard: A\"n\\ (P1) against Ben (P2)\n\n"

/* Prints a replay. */
static bool shown(const char *text) {
    FileBytes file = {(char *)(uintptr_t)text, (uint32_t)strlen(text)};
    print_aside();
    bool fine = replay_show("file.json", &file);
    print_again();
    return fine;
}

static void replays_are_recognised(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{REPLAY(""), true},
                 {"{\"nameP1\":1}", true},
                 {"{\"nameP2\":1}", false},
                 {"[\"nameP1\"]", false},
                 {"", false},
                 {"{\"name\"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FileBytes file = {(char *)(uintptr_t)cases[i].text, (uint32_t)strlen(cases[i].text)};
        assert_int_equal(replay_is(&file), cases[i].is);
    }
}

static void replays_are_printed(void **unused) {
    (void)unused;
    assert_true(shown(REPLAY(
        "{\"messageType\":\"GAME_STRUCTURE\"," HEROES "} , {\"eventType\":\"GamestateEvent\"},"
        "{\"eventType\":\"RoundSetupEvent\",\"roundCount\":1,\"characterOrder\":[]},\n"
        "{\"eventType\":\"MoveEvent\",\"originEntity\":{\"entityID\":\"P1\",\"ID\":3},"
        "\"originField\":[1,2],\"targetField\":[3,4]},"
        "{\"eventType\":\"TakenDamageEvent\",\"targetEntity\":{\"entityID\":\"P2\",\"ID\":3},"
        "\"targetField\":[3,4],\"amount\":17},"
        "{\"eventType\":\"HealedEvent\",\"targetEntity\":{\"entityID\":\"P2\",\"ID\":4},"
        "\"targetField\":[3,4],\"amount\":5},{\"eventType\":\"MadeUpEvent\"},"
        "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"NPC\",\"ID\":0,"
        "\"name\":\"Goose\",\"position\":[5,6]}},"
        "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"Rock\",\"ID\":0,\"HP\":1,"
        "\"position\":[7,8]}},"
        "{\"eventType\":\"SpawnEntityEvent\",\"entity\":{\"entityType\":\"Rock\",\"ID\":0}},"
        "{\"eventType\":\"WinEvent\",\"playerWon\":2}")));
    assert_string_equal(printed[0], HEAD "     3  RoundSetupEvent 1\n"
                                         "     4  MoveEvent Hulk 1,2 3,4\n"
                                         "     5  TakenDamageEvent Thor 3,4 17\n"
                                         "     6  HealedEvent P2 4 3,4 5\n"
                                         "     8  SpawnEntityEvent Goose [5,6]\n"
                                         "     9  SpawnEntityEvent Rock [7,8]\n"
                                         "    10  SpawnEntityEvent\n"
                                         "    11  WinEvent 2\n\nBen has won.\n");
    assert_string_equal(printed[1], "");
    assert_true(shown(REPLAY("{\"eventType\":\"WinEvent\",\"playerWon\":1}")));
    assert_string_equal(printed[0], HEAD "     1  WinEvent 1\n\nA\"n\\ has won.\n");
    assert_true(shown(REPLAY("{\"eventType\":\"WinEvent\",\"playerWon\":3}")));
    assert_string_equal(printed[0], HEAD "     1  WinEvent 3\n\nThe replay has no winner.\n");
    assert_true(shown(REPLAY(" ")));
    assert_string_equal(printed[0], HEAD "\nThe replay has no winner.\n");
}

/* What is cut, or is not what it says. */
static void broken_replays(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"[]", "file.json: missing \"nameP1\"\n"},
        {"", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\"", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\" \"x\"}", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\":\"x", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\":[\"x\"", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\":]", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\":\"x\"}", "file.json: missing \"nameP2\"\n"},
        {"{\"nameP11\":\"x\",\"nameP\":\"x\"}", "file.json: missing \"nameP1\"\n"},
        {"{\"nameP1\":\"x\",\"nameP2\":\"x\"}", "file.json: missing list of events\n"},
        {"{\"nameP1\":\"x\",\"nameP2\":\"x\",\"events\":{}}",
         "file.json: missing list of events\n"},
        {REPLAY("{\"eventType\":\"WinEvent\",\"playerWon\":1}, {"),
         "file.json: event 2 cannot be read\n"},
        {REPLAY("{\"eventType\":\"WinEvent\",\"playerWon\":1},{\"eventType\" 7}"),
         "file.json: event 2 cannot be read\n"},
        {REPLAY("nothing"), "file.json: event 1 cannot be read\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(shown(cases[i].text));
        const char *last = strstr(printed[1], cases[i].printed);
        if (last == NULL || strcmp(last, cases[i].printed) != 0)
            fail_msg("%s: \"%s\"", cases[i].text, printed[1]);
        assert_null(strstr(printed[0], "has no winner"));
    }
    /* What is not JSON says where. */
    assert_false(shown(REPLAY("{\"eventType\" 7}")));
    assert_memory_equal(printed[1], "file.json:1:", 12);
}

static char our_names[2][160];
static char *our_files[2];
static uint32_t our_count;

/* The server's callback for finished matches. */
static void take_file(void *owner, const char *name, const char *bytes, uint32_t count) {
    assert_ptr_equal(owner, &our_count);
    assert_true(our_count < 2);
    snprintf(our_names[our_count], sizeof our_names[0], "%s", name);
    our_files[our_count] = malloc(count + 1);
    memcpy(our_files[our_count], bytes, count);
    our_files[our_count++][count] = '\0';
}

/* How often a text has this in it. */
static uint32_t times_in(const char *text, const char *part) {
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* What our server writes of a match: its file names are plain, and it can be printed. */
static void our_own_replays(void **unused) {
    (void)unused;
    static TestServer arena;
    static TestClient ann, ben;
    arena_init(&arena, 7);
    arena.standard.replay = take_file;
    arena.standard.owner = &our_count;
    arena_open(&arena);
    our_count = 0;
    come_to(&arena, &ann, "..azAZ09-_.\303\251");
    come_to(&arena, &ben, "/:@[`{ x");
    choose_any(&ann);
    choose_any(&ben);
    for (int i = 0; i < 4; i++) {
        test_client_send(&ann, "%s", REQUEST("EndRoundRequest"));
        test_client_send(&ben, "%s", REQUEST("EndRoundRequest"));
    }
    test_client_send(&ben, "%s", REQUEST("DisconnectRequest"));
    test_client_release(&ann);
    test_client_release(&ben);
    arena_run(&arena, 5000);
    arena_release(&arena);
    assert_int_equal(our_count, 2);
    for (int i = 0; i < 2; i++) {
        static const char plain[] = "-.azAZ09-_.\303\251_vs_-------x_";
        assert_memory_equal(our_names[i], plain, sizeof plain - 1);
        assert_true(text_ends_with(our_names[i], i == 0 ? ".match.json" : "_replay.json"));
        assert_int_equal(strlen(our_names[i]), sizeof plain - 1 + 14 + (i == 0 ? 11 : 12));
    }
    const char *file = our_files[1];
    assert_true(text_ends_with(file, "{\"messageType\":\"GOODBYE_CLIENT\",\"message\":\"match "
                                     "over\"}]}\n"));
    assert_int_equal(times_in(file, "\"GAME_STRUCTURE\""), 1);
    assert_int_equal(times_in(file, "\"events\":[{\"messageType\":\"GENERAL_ASSIGNMENT\","), 1);
    assert_int_equal(times_in(file, "\"config\":{\"character\":{"), 1);
    assert_int_equal(times_in(file, ",\"match\":{"), 1);
    assert_int_equal(times_in(file, ",\"scenario\":{"), 1);
    assert_int_equal(times_in(file, "\"assignment\":\"Spectator\""), 1);
    assert_true(shown(file));
    assert_string_equal(printed[1], "");
    assert_non_null(strstr(printed[0], ": ..azAZ09-_.\303\251 (P1) against /:@[`{ x (P2)\n\n"));
    assert_true(text_ends_with(printed[0], "\n\n..azAZ09-_.\303\251 has won.\n"));
    /* A state follows the events of each action, and nothing else. */
    assert_int_equal(times_in(file, "\"eventType\":\"GamestateEvent\""),
                     times_in(printed[0], "  TurnEvent")); /* two in the first, none in the last */
    assert_int_equal(times_in(printed[0], "  WinEvent 1\n"), 1);
    assert_int_equal(times_in(file, "}{"), 0);
    free(our_files[0]);
    free(our_files[1]);
}

/* --- The AI player ---------------------------------------------------------------------------- */

static AiRun run;
static AiRunConfig run_config;
static uint32_t answers;
static MashAction last_answer;

/* As `mashup ai` does it. */
static void on_answer(void *owner, MashAction action) {
    assert_ptr_equal(owner, &run);
    answers++;
    ClientPosition position = run.protocol->client->position(run.client);
    if (!position.awaited)
        return;
    last_answer = run.protocol->choose(&run, &position, action);
    assert_true(run.protocol->client->act(run.client, last_answer));
    if (run.protocol->client->position(run.client).number != position.number)
        ai_consider(&run);
}

/* An AI player is at the scripted server; it thinks as well as this skill. */
static void open_run(const char *role, const char *skill) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    run_config = (AiRunConfig){.url = "ws://server:99/",
                               .name = "Ann",
                               .role = role,
                               .game = mash_game_find("marvelous-mashup"),
                               .skill = ai_skill_find(skill)};
    run = (AiRun){
        .config = &run_config, .protocol = &standard_ai, .loop = loop, .exit_code = EXIT_UNSET};
    run.thinker = thinker_open(loop, run_config.skill, 1, on_answer, &run);
    answers = 0;
    assert_true(standard_ai.one_match);
    assert_true(standard_ai.open(&run, &problem));
    fake_run(loop, 10);
}

static void close_run(void) {
    standard_ai.client->close(run.client);
    run.client = NULL;
    standard_ai.release(&run);
    thinker_close(run.thinker);
}

static void it_chooses_and_plays(void **unused) {
    (void)unused;
    open_run("KI", "random");
    assert_string_equal(sent[1],
                        "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"KI\"}");
    tell(offer);
    fake_run(loop, 1000);
    assert_int_equal(sent_with("CHARACTER_SELECTION", 0), 1);
    assert_int_equal(answers, 6);
    /* A refused choice is made again, without thinking. */
    for (uint32_t i = 2; i < 5; i++) {
        tell("{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":false}");
        fake_run(loop, 1000);
        assert_int_equal(sent_with("CHARACTER_SELECTION", 0), i);
        assert_int_equal(answers, 6);
    }
    assert_true(strcmp(sent[sent_count - 1], sent[sent_count - 2]) != 0 ||
                strcmp(sent[sent_count - 2], sent[sent_count - 3]) != 0);
    tell(structure);
    fake_run(loop, 5);
    const Moment *mine = moment_of(true, 0);
    uint32_t before = sent_count;
    tell_events(mine->turn, mine->state, NULL);
    fake_run(loop, 5);
    assert_int_equal(answers, 7);
    assert_int_equal(sent_count, before + 1);
    /* Later than four fifths of the turn it ends the turn, and no earlier. */
    for (int late = 0; late < 2; late++) {
        uint64_t began = standard_table(run.client)->turn_ms;
        fake_run(loop,
                 began + NEXT_TURN_MS * 80 / 100 + (uint64_t)late * 10 - 2 - net_now_ms(loop));
        before = sent_count;
        tell_events(EVENT("Ack"), mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), late);
    }
    standard_ai.leave(&run);
    fake_run(loop, 5);
    assert_string_equal(sent[sent_count - 1], REQUEST("DisconnectRequest"));
    standard_ai.pass(&run);
    close_run();
    anew();
    /* Turns without a limit are never too long. */
    char endless[FRAME_BYTES];
    strcpy(endless, structure);
    put_number(endless, "\"maxRoundTime\":", 0);
    open_run("KI", "random");
    tell(endless);
    fake_run(loop, 5);
    tell_events(mine->turn, mine->state, NULL);
    fake_run(loop, 1000);
    tell_events(EVENT("Ack"), mine->state, NULL);
    fake_run(loop, 5);
    assert_int_equal(sent_with("EndRoundRequest", 0), 0);
    assert_int_equal(answers, 2);
    close_run();
}

/* What was refused is not asked for again: another action of the turn that makes nothing worse. */
static void it_asks_for_something_else(void **unused) {
    (void)unused;
    open_run("KI", "random");
    tell(structure);
    fake_run(loop, 5);
    const Moment *mine = moment_of(true, 0);
    tell_events(mine->turn, mine->state, NULL);
    fake_run(loop, 5);
    ClientPosition position = standard_client.position(run.client);
    const MashContent *content = position.content;
    MashAction list[4096], refused = last_answer;
    uint32_t count = content->game->actions(content, position.state, 0, list);
    const MashEvaluator *evaluator = content->game->evaluator;
    assert_true(standard_ai.choose(&run, &position, refused).verb == refused.verb);
    tell_events(EVENT("Nack"), NULL);
    assert_true(standard_risky(run.client, refused));
    position = standard_client.position(run.client);
    MashAction other = standard_ai.choose(&run, &position, refused);
    assert_false(standard_risky(run.client, other));
    assert_true(mash_action_compare(other, refused) != 0);
    assert_int_equal(content->game->check(content, position.state, other), MASH_OK);
    /* It is the best of those that go on; ending the turn is for when there is none. */
    void *after = cli_memory(content->limits.state_bytes);
    int32_t now = evaluator->evaluate(content, position.state, 0), best = INT32_MIN, got = 0;
    uint32_t turn = evaluator->turn_number(content, position.state);
    for (uint32_t i = 0; i < count; i++) {
        MashChance chance = chance_sampled(1);
        memcpy(after, position.state, content->limits.state_bytes);
        if (standard_risky(run.client, list[i]) ||
            mash_apply(content, after, list[i], &chance, NULL) != MASH_OK)
            continue;
        int32_t value = evaluator->evaluate(content, after, 0);
        bool goes_on = evaluator->turn_number(content, after) == turn;
        if (goes_on && value >= now && value > best)
            best = value;
        if (mash_action_compare(list[i], other) == 0)
            got = goes_on ? value : INT32_MIN;
    }
    assert_int_equal(got, best);
    free(after);
    /* What is not doubtful stays. */
    assert_int_equal(mash_action_compare(standard_ai.choose(&run, &position, other), other), 0);
    close_run();
}

/* The last line of a run, and its exit code. */
static void it_reports(void **unused) {
    (void)unused;
    char watching[FRAME_BYTES], decided[FRAME_BYTES];
    strcpy(watching, structure);
    put(watching, "PlayerOne\"", "Spectator\"");
    strcpy(decided, moment_of(false, 0)->state);
    put(decided, "\"winCondition\":false", "\"winCondition\":true");
    const struct {
        const char *structure, *event, *printed;
    } cases[] = {
        {structure, WON("1"), "won, 0 requests, 0 refused, 0 connections lost\n"},
        {structure, WON("2"), "lost, 0 requests, 0 refused, 0 connections lost\n"},
        {structure, decided, "decided, 0 requests, 0 refused, 0 connections lost\n"},
        {watching, WON("2"), "watched, 0 requests, 0 refused, 0 connections lost\n"},
        {structure, EVENT("DisconnectEvent"),
         "over, 0 requests, 0 refused, 0 connections lost: the match is over\n"},
        {NULL, NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_run("KI", "random");
        if (cases[i].structure != NULL) {
            tell(cases[i].structure);
            fake_run(loop, 5);
            tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
            tell_events(cases[i].event, NULL);
        }
        assert_int_equal(run.exit_code, EXIT_UNSET);
        print_aside();
        fake_cut(line);
        fake_run(loop, 5);
        print_again();
        assert_string_equal(printed[0], cases[i].printed);
        assert_string_equal(printed[1],
                            cases[i].printed[0] != '\0' ? "" : "mashup ai: connection lost\n");
        assert_int_equal(run.exit_code, cases[i].printed[0] != '\0' ? CLI_FINE : CLI_CHECK_FAILED);
        close_run();
        anew();
    }
    /* Without a client nothing is left behind. */
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    run_config = (AiRunConfig){.url = "ws://server:99/",
                               .name = "",
                               .role = "KI",
                               .game = mash_game_find("marvelous-mashup")};
    run = (AiRun){.config = &run_config, .protocol = &standard_ai, .loop = loop};
    assert_false(standard_ai.open(&run, &problem));
    assert_string_equal(memory, "a name must have 1 to 63 bytes");
    standard_ai.release(&run);
    run.own = NULL;
    standard_ai.release(&run);
}

#define PLAIN(name) cmocka_unit_test(name)

int main(void) {
    const struct CMUnitTest tests[] = {
        PLAIN(configurations),
        PLAIN(wrong_configurations),
        PLAIN(replays_are_written),
        PLAIN(replays_are_recognised),
        PLAIN(replays_are_printed),
        PLAIN(broken_replays),
        PLAIN(our_own_replays),
        TEST(it_chooses_and_plays),
        TEST(it_asks_for_something_else),
        TEST(it_reports),
    };
    return cmocka_run_group_tests_name("standard commands", tests, record, NULL);
}
