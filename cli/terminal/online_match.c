/* online_match.c -- see online_match.h. */
#include "cli/terminal/online_match.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal/screen.h"

enum { NEWS_MOST = 16, NAME_BYTES = 128, COMMAND_BYTES = 16 };

ClientPosition online_position(const OnlineMatch *match) {
    return match->protocol->position(match->client);
}

/* --- Lines and the prompt --------------------------------------------------------------------- */

void online_begin(OnlineMatch *match) {
    if (!match->prompted)
        return;
    match->prompted = false;
    fputs(match->terminal.colours ? "\r\033[K" : "\n", stdout);
}

void online_prompt(OnlineMatch *match) {
    fflush(stdout);
    if (match->prompted || !match->terminal.input || !match->terminal.output || match->over)
        return;
    ClientPosition position = online_position(match);
    if (match->content != NULL && position.awaited) {
        online_print_side(match, position.you);
        putchar(' ');
    }
    fputs("> ", stdout);
    fflush(stdout);
    match->prompted = true;
}

void online_say(OnlineMatch *match, const char *format, ...) {
    va_list list;
    online_begin(match);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

void online_print_side(const OnlineMatch *match, uint8_t seat) {
    char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    picture_side(&match->picture, seat, &text);
    fputs(bytes, stdout);
}

/* --- The screen ------------------------------------------------------------------------------- */

void online_set_content(OnlineMatch *match, const MashContent *content) {
    if (match->content != NULL) {
        match_log_release(&match->log);
        picture_release(&match->picture);
        action_menu_release(&match->choices);
        free(match->view);
    }
    match->view = NULL;
    match->content = content;
    match->shown = 0;
    if (content == NULL)
        return;
    match->view = cli_memory(content->limits.state_bytes);
    match_log_init(&match->log, content);
    picture_init(&match->picture, &match->terminal, content);
    action_menu_init(&match->choices, content);
}

/* Takes the position and what may be done in it. */
static void look(OnlineMatch *match) {
    ClientPosition position = online_position(match);
    memcpy(match->view, position.state, match->content->limits.state_bytes);
    terminal_measure(&match->terminal);
    picture_take(&match->picture, match->view);
    match->choices.all_count = 0;
    if (position.awaited)
        action_menu_list(&match->choices, match->view, position.you);
    else
        action_menu_reset(&match->choices);
}

void online_draw(OnlineMatch *match) {
    if (match->content == NULL || online_position(match).state == NULL)
        return;
    online_begin(match);
    look(match);
    putchar('\n');
    if (match->print_above != NULL)
        match->print_above(match);
    screen_draw(&match->choices, &match->picture);
    if (match->choices.all_count > 0)
        putchar('\n');
    action_menu_print(&match->choices, &match->picture);
}

/* Draws the board with the remaining cells, and the menu. */
static void draw_menu(OnlineMatch *match) {
    online_begin(match);
    screen_draw_menu(&match->choices, &match->picture, match->view);
}

/* Whose log is kept: our seat's, or the spectators'. */
static uint32_t reader_of(const ClientPosition *position) {
    return position->you < MASH_SEATS ? position->you : LOG_SPECTATOR;
}

/* Prints what happened since the last position, at most NEWS_MOST lines. */
static void print_news(OnlineMatch *match) {
    ClientPosition position = online_position(match);
    uint32_t reader = reader_of(&position);
    if (position.number != match->shown)
        match_log_add_events(&match->log, match->content, position.state, &position.events,
                             position.number, reader);
    uint32_t lines = match_log_count(&match->log, reader, match->shown + 1, position.number);
    if (lines > 0)
        online_begin(match);
    if (lines > NEWS_MOST)
        printf("  (%u lines; type log to see earlier ones)\n", lines);
    match_log_print(&match->log, reader, match->shown + 1, position.number,
                    lines > NEWS_MOST ? lines - NEWS_MOST : 0, "  ");
    match->shown = position.number;
}

void online_show(OnlineMatch *match, bool over) {
    ClientPosition position = online_position(match);
    bool first = match->shown == 0;
    print_news(match);
    if (first || over || position.you >= MASH_SEATS || position.awaited)
        online_draw(match);
    else
        look(match);
}

/* --- Commands --------------------------------------------------------------------------------- */

bool online_help(OnlineMatch *match, const OnlineCommand *self, const char *rest) {
    (void)self;
    (void)rest;
    if (online_position(match).awaited)
        puts("\n  Type a menu number, or the action in words.\n"
             "  You can shorten or omit words as long as only one action matches. A cell is\n"
             "  its column and its row: 3 4. Enter shows the board again, 0 leaves a menu.");
    putchar('\n');
    for (const OnlineCommand *command = match->commands; command->name != NULL; command++)
        if (match->missing(match, command) == NULL)
            printf("  %-9s %-14s %s\n", command->name, command->argument, command->meaning);
    putchar('\n');
    return true;
}

/* Is there a position to show? Takes it; otherwise prints that there is none. */
static bool has_position(OnlineMatch *match) {
    if (match->view == NULL || online_position(match).state == NULL) {
        puts("  The match hasn't started yet.");
        return false;
    }
    picture_take(&match->picture, match->view);
    return true;
}

bool online_board(OnlineMatch *match, const OnlineCommand *self, const char *rest) {
    int x, y;
    bool all = strcmp(rest, "all") == 0;
    (void)self;
    if (!has_position(match))
        return true;
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&match->picture, x, y);
    if (!all)
        picture_print_head(&match->picture);
    picture_print_board(&match->picture, all);
    return true;
}

bool online_units(OnlineMatch *match, const OnlineCommand *self, const char *rest) {
    (void)self;
    (void)rest;
    if (has_position(match))
        picture_print_sides(&match->picture, true);
    return true;
}

bool online_log(OnlineMatch *match, const OnlineCommand *self, const char *rest) {
    ClientPosition position = online_position(match);
    uint32_t reader = reader_of(&position), last = (uint32_t)strtoul(rest, NULL, 10);
    uint32_t from = last > 0 && last < match->shown ? match->shown - last + 1 : 0;
    (void)self;
    if (match->content == NULL || match_log_count(&match->log, reader, from, match->shown) == 0)
        puts("  Nothing has happened since you joined.");
    else
        match_log_print(&match->log, reader, from, match->shown, 0, "  ");
    return true;
}

bool online_quit(OnlineMatch *match, const OnlineCommand *self, const char *rest) {
    (void)match;
    (void)self;
    (void)rest;
    return false;
}

/* The command of this name, or the only one with this prefix that is possible here. NULL: none. */
static const OnlineCommand *find(const OnlineMatch *match, const char *line, bool whole) {
    size_t letters = strcspn(line, " ");
    const OnlineCommand *found = NULL;
    char name[COMMAND_BYTES], front[COMMAND_BYTES];
    if (letters == 0 || letters >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)letters, line);
    for (const OnlineCommand *command = match->commands; command->name != NULL; command++) {
        snprintf(front, sizeof front, "%.*s", (int)letters, command->name);
        if (text_equal_nocase(name, command->name))
            return command;
        if (whole || match->missing(match, command) != NULL || !text_equal_nocase(name, front))
            continue;
        if (found != NULL)
            return NULL;
        found = command;
    }
    return found;
}

/* Runs a command if it is possible here, else prints why not. False: the program ends. */
static bool run(OnlineMatch *match, const OnlineCommand *command, const char *line) {
    size_t letters = strcspn(line, " ");
    const char *missing = match->missing(match, command);
    if (missing == NULL)
        return command->run(match, command, line + letters + (line[letters] == ' '));
    printf("  %s\n", missing);
    return true;
}

/* --- Actions ---------------------------------------------------------------------------------- */

/* A number of the menu? */
static bool is_number(const char *line) {
    return line[0] != '\0' && strspn(line, "0123456789") == strlen(line) && strlen(line) < 9;
}

/* Sends the action if only one remains, or shows the menu of those that remain. Where that changes
 * the position immediately, as during a draft, the position is drawn. */
static void settle(OnlineMatch *match) {
    MashAction action;
    if (!action_menu_settled(&match->choices, &action)) {
        draw_menu(match);
        return;
    }
    uint32_t number = online_position(match).number;
    if (!match->protocol->act(match->client, action))
        online_say(match, "  That cannot be sent just now.");
    action_menu_reset(&match->choices);
    if (online_position(match).number != number)
        online_draw(match);
}

/* A menu number was typed: picks its row; 0 goes back to the whole menu. */
static void take_number(OnlineMatch *match, uint32_t number) {
    if (number == 0) {
        action_menu_reset(&match->choices);
        draw_menu(match);
    } else if (action_menu_pick(&match->choices, number)) {
        settle(match);
    } else {
        printf("  There is no entry %u in the menu.\n", number);
    }
}

/* Why no action matches the text. */
static void say_nothing_fits(const OnlineMatch *match, const char *line) {
    ClientPosition position = online_position(match);
    char bytes[256];
    MashText text = text_over(bytes, sizeof bytes);
    if (position.content == NULL)
        text_string(&text, "Unknown command. Type help for a list.");
    else if (position.paused)
        text_string(&text, "The match is paused. Type continue to resume.");
    else if (!position.awaited)
        text_string(&text, "It's not your turn. Type help for a list of commands.");
    else
        action_menu_explain(&match->choices, &match->picture, line, position.you, &text);
    if (text.count > 0)
        printf("  %s\n", bytes);
    else
        printf("  No action matches \"%s\". Press Enter for the menu, or type help.\n", line);
}

/* Handles a line: a command, a menu number, or an action. False: the program ends. */
static bool take_line(OnlineMatch *match, const char *line) {
    bool acts =
        match->content != NULL && online_position(match).awaited && match->choices.all_count > 0;
    const OnlineCommand *command = find(match, line, true);
    if (line[0] == '\0')
        online_draw(match);
    else if (command != NULL)
        return run(match, command, line);
    else if (acts && is_number(line))
        take_number(match, (uint32_t)atoi(line));
    else if (acts && action_menu_type(&match->choices, &match->picture, line))
        settle(match);
    else if ((command = find(match, line, false)) != NULL)
        return run(match, command, line);
    else
        say_nothing_fits(match, line);
    return true;
}

/* --- The loop --------------------------------------------------------------------------------- */

/* A line was typed; NULL: end of input, and spectators then watch to the end. */
static void on_line(void *owner, char *line) {
    OnlineMatch *match = owner;
    if (line == NULL) {
        ClientPosition position = online_position(match);
        match->over = true;
        if (position.content == NULL || position.you < MASH_SEATS)
            net_loop_stop(match->loop);
        return;
    }
    match->prompted = false;
    if (!match->terminal.input)
        puts(line);
    if (!take_line(match, line)) {
        net_loop_stop(match->loop);
        return;
    }
    if (match->typed != NULL)
        match->typed(match);
    online_prompt(match);
}

/* Ctrl-C: ends the loop. */
static void stop(void *loop) { net_loop_stop(loop); }

void online_run(OnlineMatch *match) {
    Typed *typed = typed_open(match->loop, on_line, match);
    net_on_signal(match->loop, SIGINT, stop, match->loop);
    if (typed == NULL) {
        fprintf(stderr, "mashup join: cannot read input\n");
        match->exit_code = CLI_CHECK_FAILED;
        return;
    }
    net_loop_run(match->loop);
    online_begin(match);
    typed_close(typed);
}
