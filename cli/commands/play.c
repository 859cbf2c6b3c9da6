/* play.c -- mashup play: a match in the terminal, two people at one screen or one person against
 * the AI. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/play_commands.h"

enum { LINE_BYTES = 512 };

/* --- Input ------------------------------------------------------------------------------------ */

/* Reads a line with a prompt; false: end of input or interrupted. */
static bool ask(const LocalMatch *local, const char *prompt, char line[LINE_BYTES]) {
    return terminal_line(&local->terminal, prompt, line, LINE_BYTES) == LINE_TYPED;
}

/* A number of the menu? */
static bool is_number(const char *line) {
    return line[0] != '\0' && strspn(line, "0123456789") == strlen(line) && strlen(line) < 9;
}

/* Prints the name of a side without a line end. */
static void print_name(const LocalMatch *local, uint8_t seat) {
    char bytes[128];
    MashText text = text_over(bytes, sizeof bytes);
    picture_side(&local->picture, seat, &text);
    fputs(bytes, stdout);
}

/* Two people and hidden information: hides the board while the device changes hands. */
static bool draw_curtain(LocalMatch *local, uint8_t next) {
    char line[LINE_BYTES];
    local_match_look(local);
    putchar('\n');
    if (!local->loaded && local_match_print_log(local) > 0 &&
        !ask(local, "\nPress Enter to hide the board. ", line))
        return false;
    terminal_clear(&local->terminal);
    fputs("Pass the device to ", stdout);
    print_name(local, next);
    if (!ask(local, ", then press Enter when nobody else is looking. ", line))
        return false;
    terminal_clear(&local->terminal);
    local->seat = next;
    return true;
}

/* Applies the action if only one is left, or shows the menu of those that are left. */
static CommandAnswer settle(LocalMatch *local) {
    MashAction action;
    if (!action_menu_settled(&local->choices, &action)) {
        local_match_draw_menu(local);
        return ANSWER_AGAIN;
    }
    MashStatus status = local_match_act(local, action);
    if (status != MASH_OK)
        printf("  %s\n", mash_status_sentence(status));
    return status == MASH_OK ? ANSWER_DRAW : ANSWER_AGAIN;
}

/* A menu number was typed: picks its row; 0 goes back to the whole menu. */
static CommandAnswer take_number(LocalMatch *local, uint32_t number) {
    if (number == 0) {
        action_menu_reset(&local->choices);
        local_match_draw_menu(local);
        return ANSWER_AGAIN;
    }
    if (action_menu_pick(&local->choices, number))
        return settle(local);
    if (match_result(&local->match).over)
        printf("  %s\n", mash_status_sentence(MASH_MATCH_OVER));
    else
        printf("  There is no entry %u in the menu.\n", number);
    return ANSWER_AGAIN;
}

/* Prints that no action matches the line, and why if known. */
static void say_nothing_fits(LocalMatch *local, const char *line) {
    char bytes[256];
    MashText text = text_over(bytes, sizeof bytes);
    action_menu_explain(&local->choices, &local->picture, line, local->seat, &text);
    if (match_result(&local->match).over)
        printf("  %s\n", mash_status_sentence(MASH_MATCH_OVER));
    else if (text.count > 0)
        printf("  %s\n", bytes);
    else
        printf("  No action matches \"%s\".\n"
               "  Press Enter to show the board, or type help.\n",
               line);
}

/* Handles one typed line: a menu number, a command, or an action. */
static CommandAnswer take_line(LocalMatch *local, const char *line) {
    if (line[0] == '\0')
        return ANSWER_DRAW;
    if (is_number(line))
        return take_number(local, (uint32_t)atoi(line));
    CommandAnswer answer = commands_do(local, line);
    if (answer != ANSWER_NONE)
        return answer;
    if (local->choices.all_count > 0 && action_menu_type(&local->choices, &local->picture, line))
        return settle(local);
    answer = commands_do_short(local, line);
    if (answer != ANSWER_NONE)
        return answer;
    say_nothing_fits(local, line);
    return ANSWER_AGAIN;
}

/* --- The table -------------------------------------------------------------------------------- */

/* Prints who won and why, and the statistics. */
static void print_end(const LocalMatch *local) {
    const MashContent *content = local->match.content;
    MashResult result = match_result(&local->match);
    char bytes[256];
    MashText why = text_over(bytes, sizeof bytes);
    content->game->name(content, NULL, MASH_NAME_REASON, result.reason, &why);
    putchar('\n');
    if (result.winner < MASH_SEATS) {
        print_name(local, result.winner);
        printf(" won: %s.\n\n", bytes);
    } else {
        printf("Draw: %s.\n\n", bytes);
    }
    picture_print_figures(&local->picture, local->match.state);
    puts("\nsave FILE saves the match, undo takes back, log shows it again, Enter leaves.");
}

/* Prints draw offers to the people at the screen. */
static void print_offers(const LocalMatch *local) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        if (local->programs[seat] != NULL || !local_match_offered(local, seat))
            continue;
        fputs("  Draw offered to ", stdout);
        print_name(local, seat);
        puts(": accept or decline.");
    }
}

/* "[Red] move 1 "; the phase is printed for the player who decides. */
static void prompt_words(const LocalMatch *local, MashText *prompt) {
    const MashContent *content = local->match.content;
    picture_side(&local->picture, local->seat, prompt);
    text_byte(prompt, ' ');
    uint32_t before = prompt->count;
    content->game->name(content, NULL, MASH_NAME_PHASE, local->picture.board.phase, prompt);
    if (prompt->count > before)
        text_byte(prompt, ' ');
}

/* Prompts until something changes. False: the user leaves. */
static bool ask_and_do(LocalMatch *local, bool over) {
    char line[LINE_BYTES], bytes[128];
    MashText prompt = text_over(bytes, sizeof bytes);
    if (!over)
        prompt_words(local, &prompt);
    text_string(&prompt, "> ");
    CommandAnswer answer = ANSWER_AGAIN;
    while (answer == ANSWER_AGAIN) {
        if (!ask(local, bytes, line) || (over && line[0] == '\0'))
            return false;
        answer = take_line(local, line);
    }
    return answer != ANSWER_QUIT;
}

/* The whole match, until the user leaves. */
static void play(LocalMatch *local) {
    for (bool stays = true; stays;) {
        local_match_programs(local);
        bool over = match_result(&local->match).over;
        uint8_t next = local_match_next(local);
        bool hands_change = next != local->seat || local->loaded;
        if (hands_change && local_match_secret(local) && !draw_curtain(local, next))
            break;
        local->seat = next;
        local->loaded = false;
        local_match_draw(local);
        if (over)
            print_end(local);
        else
            print_offers(local);
        stays = ask_and_do(local, over);
    }
    commands_farewell(local);
}

/* --- Which match ------------------------------------------------------------------------------ */

/* Asks one of the questions before a match. False: end of input, or quit was typed. */
static bool answered(const Terminal *terminal, char line[LINE_BYTES]) {
    return terminal_line(terminal, "number or name> ", line, LINE_BYTES) == LINE_TYPED &&
           !text_equal_nocase(line, "quit");
}

/* The game by number or name from a short list. NULL: none was chosen. */
static const MashGame *ask_game(const Terminal *terminal) {
    char line[LINE_BYTES];
    puts("Which game?\n");
    uint32_t count = 0;
    for (; mash_games[count] != NULL; count++)
        printf("  %u) %-18s %s\n", count + 1, mash_games[count]->id, mash_games[count]->title);
    putchar('\n');
    while (answered(terminal, line)) {
        uint32_t number = is_number(line) ? (uint32_t)atoi(line) : 0;
        if (number >= 1 && number <= count)
            return mash_games[number - 1];
        for (uint32_t i = 0; i < count && line[0] != '\0'; i++)
            if (strncmp(mash_games[i]->id, line, strlen(line)) == 0 ||
                text_equal_nocase(mash_games[i]->title, line))
                return mash_games[i];
        puts(line[0] == '\0' ? "Please enter one of the numbers or names above." : "Unknown game.");
    }
    return NULL;
}

/* The possible opponents: a person (no skill), random play, the levels. False: there is no such
 * opponent. */
static bool find_opponent(const char *word, const AiSkill **skill) {
    *skill = NULL;
    if (text_equal_nocase(word, "human"))
        return true;
    *skill = ai_skill_find(word);
    return *skill != NULL && ((*skill)->mode == AI_RANDOM || (*skill)->level > 0);
}

/* The opponent by a prefix of its name or by number: 1 a person, 2 random play, then the levels. */
static bool pick_opponent(const char *line, const AiSkill **skill) {
    uint32_t number = is_number(line) ? (uint32_t)atoi(line) : 0;
    size_t letters = strlen(line);
    *skill = NULL;
    if (number == 1 || (letters > 0 && strncmp("human", line, letters) == 0))
        return true;
    if (number == 2 || (letters > 0 && strncmp("random", line, letters) == 0))
        return find_opponent("random", skill);
    *skill = number > 2 && number <= 2 + AI_LEVELS_MAX ? ai_level(number - 2) : NULL;
    return *skill != NULL || find_opponent(line, skill);
}

/* Asks for the opponent in a game. False: none was chosen. */
static bool ask_opponent(const Terminal *terminal, const MashGame *game, const AiSkill **skill) {
    char line[LINE_BYTES], bytes[128];
    MashText text = text_over(bytes, sizeof bytes);
    uint32_t levels = ai_levels_of(game);
    ai_say_levels(game, &text);
    puts("\nChoose your opponent:\n\n   1) human    a second player at this screen\n"
         "   2) random   the computer, playing random moves");
    for (uint32_t level = 1; level <= levels; level++)
        printf("  %2u) %-8s %s\n", level + 2, ai_level(level)->id, ai_level(level)->about);
    putchar('\n');
    while (answered(terminal, line)) {
        bool known = pick_opponent(line, skill);
        if (known && (*skill == NULL || (*skill)->level <= levels))
            return true;
        printf("%s.\n", known ? bytes : "Unknown opponent");
    }
    return false;
}

/* Which seat is an AI's: from --vs and --seat. The game is NULL until it is known. False: an error
 * was printed. */
static bool seat_players(LocalMatch *local, const Arguments *given, const MashGame *game) {
    const char *against = flag_text(given, "vs");
    const AiSkill *program = local->programs[0] ? local->programs[0] : local->programs[1];
    if (against != NULL && !find_opponent(against, &program))
        return cli_wrong_use(given->command,
                             "--vs is human, random or level1 to level%d, not \"%s\"",
                             (int)AI_LEVELS_MAX, against),
               false;
    if (against != NULL && program != NULL && game != NULL &&
        !game_config_has_level(given->command, game, program->level))
        return false;
    uint8_t own = (uint8_t)flag_number(given, "seat");
    bool seated = flag_given(given, "seat");
    if (seated)
        local->seat = own;
    if (against != NULL || (seated && program != NULL)) {
        local->programs[own] = NULL;
        local->programs[1 - own] = program;
    }
    return true;
}

/* Prints the game, the players of both sides, and how to get help. */
static void print_welcome(const LocalMatch *local) {
    char bytes[256];
    MashText seed = text_over(bytes, sizeof bytes);
    game_config_seed_text(local->match.seed, &seed);
    printf("%s, seed %s.\n", local->config.game->title, bytes);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        const AiSkill *program = local->programs[seat];
        if (program == NULL)
            continue;
        fputs("You are ", stdout);
        print_name(local, (uint8_t)(1 - seat));
        fputs(", ", stdout);
        print_name(local, seat);
        if (program->mode == AI_RANDOM)
            puts(" plays random moves.");
        else
            printf(" is played by the computer, %s.\n", program->id);
    }
    puts("Type help for a list of commands.");
}

/* Loads the match that --load names. False: an error was printed. */
static bool load_session(LocalMatch *local, const Arguments *given, const MashGame *game) {
    const char *path = flag_text(given, "load");
    static const char *const others[] = {"seed", "preset", "content", "option"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (flag_given(given, others[i]))
            return cli_wrong_use(given->command,
                                 "--load cannot be combined with a seed, content or options"),
                   false;
    if (!local_match_load(local, path))
        return false;
    if (game == NULL || game == local->config.game)
        return true;
    cli_wrong_use(given->command, "%s is a %s match, not %s", path, local->config.game->id,
                  game->id);
    return false;
}

/* Starts or loads the match that the arguments name. False: an error was printed. */
static bool open_session(LocalMatch *local, const Arguments *given, const MashGame *game) {
    GameConfig config;
    MashSeed seed;
    if (flag_given(given, "load"))
        return load_session(local, given, game);
    return game_config_seed(given, &seed) && game_config_make(&config, given, game->id) &&
           local_match_begin(local, &config, seed);
}

static const Flag flags[] = {GAME_CONFIG_FLAGS,          FLAG_TEXT("seed"), FLAG_TEXT("vs"),
                             FLAG_CHOICE("seat", "0|1"), FLAG_TEXT("load"), FLAGS_END};

/* Asks for what was not given. */
static int run(const Arguments *given) {
    LocalMatch local = {.terminal = terminal_open()};
    const MashGame *game = NULL;
    terminal_catch_interrupt();
    if (given->count > 0 && (game = game_config_game(given, given->words[0])) == NULL)
        return CLI_WRONG_USE;
    if (game == NULL && !flag_given(given, "load")) {
        game = ask_game(&local.terminal);
        if (game == NULL ||
            (!flag_given(given, "vs") && !ask_opponent(&local.terminal, game, &local.programs[1])))
            return CLI_FINE;
    }
    bool fine = seat_players(&local, given, game) && open_session(&local, given, game) &&
                seat_players(&local, given, local.config.game);
    if (fine) {
        print_welcome(&local);
        play(&local);
    }
    if (local.view != NULL)
        local_match_release(&local);
    return fine ? CLI_FINE : CLI_WRONG_USE;
}

const Command command_play = {
    "play",
    "Plays a match in the terminal.",
    "play [GAME] [--preset P] [--content FILE]...\n"
    "            [--option ID=VALUE]... [--seed N] [--vs human|random|level1..9]\n"
    "            [--seat 0|1] [--load FILE]",
    run,
    flags,
    0,
    1,
    NULL};
