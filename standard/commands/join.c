/* join.c -- mashup join --protocol standard: a person plays or watches in the terminal at
 * any server of the committee's network standard. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/join.h"
#include "cli/terminal/screen.h"
#include "standard/client.h"

enum { NEWS_MOST = 16, NAME_BYTES = 128, GOODBYE_MS = 100, PROBLEM_BYTES = 512 };

/* Everything about it. */
typedef struct StandardJoin {
    Terminal terminal;
    NetLoop *loop;
    StandardClient *standard;
    const MashContent *content; /* that the following are made for; NULL: none */
    MatchLog story;
    Picture picture;
    ActionMenu choices;
    void *view;    /* on the screen */
    uint32_t told; /* number of the moment that was told last; 0: none */
    bool prompted; /* a prompt is the last thing on the screen */
    bool over;     /* no more lines are typed */
    bool ended;    /* who has won was told */
    int exit_code;
} StandardJoin;

/* What is known of the match. */
static const StandardClientTable *table_of(const StandardJoin *run_join) {
    return standard_table(run_join->standard);
}

/* Do we play, and not only watch? */
static bool plays(const StandardJoin *run_join) { return table_of(run_join)->you < MASH_SEATS; }

/* --- Lines and the prompt --------------------------------------------------------------------- */

/* Ends the line of the prompt, if there is one, so that news stand alone. */
static void begin(StandardJoin *run_join) {
    if (!run_join->prompted)
        return;
    run_join->prompted = false;
    fputs(run_join->terminal.colours ? "\r\033[K" : "\n", stdout);
}

static void say(StandardJoin *run_join, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a line of news. */
static void say(StandardJoin *run_join, const char *format, ...) {
    va_list list;
    begin(run_join);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

/* Prints a side's name as the board marks it. */
static void print_side(const StandardJoin *run_join, uint8_t seat) {
    char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    picture_side(&run_join->picture, seat, &text);
    fputs(bytes, stdout);
}

/* Prints the prompt again, if a person sits there. */
static void prompt(StandardJoin *run_join) {
    fflush(stdout);
    if (run_join->prompted || !run_join->terminal.input || !run_join->terminal.output ||
        run_join->over)
        return;
    if (run_join->content != NULL && standard_awaited(run_join->standard)) {
        print_side(run_join, table_of(run_join)->you);
        putchar(' ');
    }
    fputs("> ", stdout);
    fflush(stdout);
    run_join->prompted = true;
}

/* --- The screen ------------------------------------------------------------------------------- */

/* Forgets what was drawn. */
static void clear_table(StandardJoin *run_join) {
    if (run_join->content == NULL)
        return;
    story_release(&run_join->story);
    picture_release(&run_join->picture);
    action_menu_release(&run_join->choices);
    free(run_join->view);
    run_join->view = NULL;
    run_join->content = NULL;
    run_join->told = 0;
}

/* Makes room for pictures of the content, if it is another one. */
static void set_table(StandardJoin *run_join) {
    const MashContent *content = table_of(run_join)->content;
    if (run_join->content == content)
        return;
    clear_table(run_join);
    run_join->content = content;
    run_join->view = cli_memory(content->limits.state_bytes);
    story_init(&run_join->story, content);
    picture_init(&run_join->picture, &run_join->terminal, content);
    action_menu_init(&run_join->choices, content);
}

/* Takes the moment and what may be done in it. */
static void look(StandardJoin *run_join) {
    const StandardClientTable *table = table_of(run_join);
    memcpy(run_join->view, table->state, run_join->content->limits.state_bytes);
    terminal_measure(&run_join->terminal);
    picture_take(&run_join->picture, run_join->view);
    run_join->choices.all_count = 0;
    if (standard_awaited(run_join->standard))
        action_menu_list(&run_join->choices, run_join->view, table->you);
    else
        action_menu_reset(&run_join->choices);
}

/* Draws the moment: board, sides, menu. */
static void draw(StandardJoin *run_join) {
    if (run_join->content == NULL || table_of(run_join)->state == NULL)
        return;
    begin(run_join);
    look(run_join);
    putchar('\n');
    screen_draw(&run_join->choices, &run_join->picture);
    if (run_join->choices.all_count > 0)
        putchar('\n');
    action_menu_print(&run_join->choices, &run_join->picture);
}

/* For whom the story is kept: our seat, or a spectator. */
static uint32_t reader_of(const StandardJoin *run_join) {
    return plays(run_join) ? table_of(run_join)->you : STORY_WATCHER;
}

/* Tells what led to the moment, the last lines of it. */
static void tell_news(StandardJoin *run_join) {
    const StandardClientTable *table = table_of(run_join);
    uint32_t reader = reader_of(run_join);
    if (table->number != run_join->told)
        match_log_add_events(&run_join->story, run_join->content, table->state, &table->events,
                             table->number, reader);
    uint32_t lines = story_count(&run_join->story, reader, run_join->told + 1, table->number);
    if (lines > 0)
        begin(run_join);
    story_print(&run_join->story, reader, run_join->told + 1, table->number,
                lines > NEWS_MOST ? lines - NEWS_MOST : 0, "  ");
    run_join->told = table->number;
}

/* Who has won, and why if that fits what was told; and the figures. Without a board the player's
 * number is all there is. */
static void tell_end(StandardJoin *run_join) {
    const StandardClientTable *table = table_of(run_join);
    run_join->ended = true;
    begin(run_join);
    putchar('\n');
    if (table->winner >= MASH_SEATS) {
        puts("The match is decided, but the server does not say who has won.\n");
    } else if (run_join->view == NULL) {
        printf("Player %u has won.\n\n", table->winner + 1u);
    } else {
        char bytes[NAME_BYTES] = "";
        MashText why = text_over(bytes, sizeof bytes);
        MashResult result = run_join->content->game->result(run_join->content, run_join->view);
        if (result.over && result.winner == table->winner && result.reason != MASH_REASON_NONE)
            run_join->content->game->name(run_join->content, NULL, MASH_NAME_REASON, result.reason,
                                          &why);
        print_side(run_join, table->winner);
        printf(" (%s) has won%s%s.\n\n", table->names[table->winner], why.count > 0 ? ": " : "",
               bytes);
    }
    if (run_join->view != NULL)
        picture_print_figures(&run_join->picture, run_join->view);
}

/* --- What the server says --------------------------------------------------------------------- */

/* The server told a whole moment: shows it. */
static void on_position(void *owner) {
    StandardJoin *run_join = owner;
    const StandardClientTable *table = table_of(run_join);
    if (table->content == NULL || table->state == NULL)
        return;
    bool first = run_join->content != table->content;
    set_table(run_join);
    tell_news(run_join);
    if (first || table->decided || !plays(run_join) || standard_awaited(run_join->standard))
        draw(run_join);
    else
        look(run_join);
    if (table->decided && table->winner < MASH_SEATS && !run_join->ended)
        tell_end(run_join);
    prompt(run_join);
}

/* The connection has something to say. */
static void on_word(void *owner, const char *words) {
    StandardJoin *run_join = owner;
    say(run_join, "  %s", words);
    prompt(run_join);
}

/* Where the visit stands has changed: says so, ends when it is over. */
static void on_phase(void *owner, StandardPhase phase, const char *why) {
    StandardJoin *run_join = owner;
    const StandardClientTable *table = run_join->standard == NULL ? NULL : table_of(run_join);
    if (phase == STANDARD_WAITING) {
        run_join->exit_code = CLI_FINE;
        say(run_join, "Connected: %s. Waiting.", why);
    } else if (phase == STANDARD_DRAFTING) {
        clear_table(run_join);
        say(run_join, "Choose six heroes.");
    } else if (phase == STANDARD_PLAYING && table != NULL) {
        if (run_join->content != table->content)
            clear_table(run_join);
        say(run_join, "%s against %s: %s.", table->names[0], table->names[1], why);
    } else if (phase == STANDARD_RECONNECTING) {
        say(run_join, "The connection is lost (%s); trying to come back.", why);
    } else if (phase == STANDARD_CLOSED) {
        if (table != NULL && table->decided && !run_join->ended)
            tell_end(run_join);
        say(run_join, "It is over: %s.", why);
        run_join->exit_code = table != NULL && table->finished ? CLI_FINE : CLI_CHECK_FAILED;
        net_loop_stop(run_join->loop);
        return;
    }
    prompt(run_join);
}

/* --- What is typed ---------------------------------------------------------------------------- */

/* A command; `request` is what it asks the server for, if that is all. */
typedef struct VisitCommand {
    const char *name, *argument, *meaning, *request;
    void (*run)(StandardJoin *run_join, const char *rest);
} VisitCommand;

static void do_help(StandardJoin *run_join, const char *rest);

/* The board again: around a cell, or all of it. */
static void do_board(StandardJoin *run_join, const char *rest) {
    int x, y;
    if (run_join->view == NULL) {
        puts("  The match has not begun.");
        return;
    }
    picture_take(&run_join->picture, run_join->view);
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&run_join->picture, x, y);
    bool all = strcmp(rest, "all") == 0;
    if (!all)
        picture_print_head(&run_join->picture);
    picture_print_board(&run_join->picture, all);
}

/* Every unit in a row of its own. */
static void do_units(StandardJoin *run_join, const char *rest) {
    (void)rest;
    if (run_join->view == NULL)
        return;
    picture_take(&run_join->picture, run_join->view);
    picture_print_sides(&run_join->picture, true);
}

/* What happened, all of it or the last moments. */
static void do_log(StandardJoin *run_join, const char *rest) {
    int last = atoi(rest);
    uint32_t from =
        last > 0 && (uint32_t)last < run_join->told ? run_join->told - (uint32_t)last + 1 : 0;
    if (run_join->view != NULL)
        story_print(&run_join->story, reader_of(run_join), from, run_join->told, 0, "  ");
}

/* Leaves. */
static void do_quit(StandardJoin *run_join, const char *rest) {
    (void)rest;
    net_loop_stop(run_join->loop);
}

static const VisitCommand commands[] = {
    {"help", "", "this list", NULL, do_help},
    {"board", "[X Y|all]", "the board again; around a cell, or all of a big one", NULL, do_board},
    {"units", "", "every unit in a row of its own", NULL, do_units},
    {"log", "[N]", "what happened since you came, or in the last N moments", NULL, do_log},
    {"pause", "", "asks for a pause", "PauseStartRequest", NULL},
    {"continue", "", "ends a pause", "PauseStopRequest", NULL},
    {"resign", "", "gives the match up", "DisconnectRequest", NULL},
    {"state", "", "asks the server how the match stands", "Req", NULL},
    {"quit", "", "ends the program; a match waits for you a while", NULL, do_quit},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* What can be typed. */
static void do_help(StandardJoin *run_join, const char *rest) {
    (void)run_join;
    (void)rest;
    puts("\n  Choose a number of the menu, or type what you want to do in the menu's words.\n"
         "  Enter alone shows the table again, 0 leaves a menu.\n");
    for (uint32_t i = 0; i < COMMANDS; i++)
        printf("  %-9s %-10s %s\n", commands[i].name, commands[i].argument, commands[i].meaning);
    putchar('\n');
}

/* The command that a line begins with; NULL: none. */
static const VisitCommand *find(const char *line) {
    size_t letters = strcspn(line, " ");
    char name[16];
    if (letters == 0 || letters >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)letters, line);
    for (uint32_t i = 0; i < COMMANDS; i++)
        if (text_equal_nocase(name, commands[i].name))
            return &commands[i];
    return NULL;
}

/* Does the command, or asks the server for what it stands for. */
static void run_command(StandardJoin *run_join, const VisitCommand *command, const char *line) {
    size_t letters = strcspn(line, " ");
    if (command->run != NULL)
        command->run(run_join, line + letters + (line[letters] == ' '));
    else if (table_of(run_join)->content == NULL ||
             standard_phase(run_join->standard) != STANDARD_PLAYING)
        puts("  The match has not begun.");
    else if (!standard_ask(run_join->standard, command->request))
        puts("  There is no connection just now.");
}

/* Asks for what was settled on, or shows the menu of what is still in question. */
static void settle(StandardJoin *run_join) {
    MashAction action;
    if (!action_menu_settled(&run_join->choices, &action)) {
        begin(run_join);
        screen_draw_menu(&run_join->choices, &run_join->picture, run_join->view);
        return;
    }
    if (!standard_act(run_join->standard, action))
        say(run_join, "  That cannot be done just now.");
    action_menu_reset(&run_join->choices);
    if (standard_phase(run_join->standard) == STANDARD_DRAFTING)
        draw(run_join);
}

/* A number of the menu, or an action in words. */
static void take_words(StandardJoin *run_join, const char *line) {
    bool acts = run_join->content != NULL && standard_awaited(run_join->standard) &&
                run_join->choices.all_count > 0;
    bool number = strspn(line, "0123456789") == strlen(line) && strlen(line) < 9;
    if (!acts) {
        puts("  It is not your turn; help lists what can be typed.");
    } else if (number && atoi(line) == 0) {
        action_menu_reset(&run_join->choices);
        screen_draw_menu(&run_join->choices, &run_join->picture, run_join->view);
    } else if (number ? action_menu_pick(&run_join->choices, (uint32_t)atoi(line))
                      : action_menu_type(&run_join->choices, &run_join->picture, line)) {
        settle(run_join);
    } else {
        printf("  Nothing that can be done now fits \"%s\". Enter shows the menu, help explains.\n",
               line);
    }
}

/* One line was typed; NULL: there will be no more. */
static void on_line(void *owner, char *line) {
    StandardJoin *run_join = owner;
    if (line == NULL) { /* who only looks on, looks on to the end */
        run_join->over = true;
        if (plays(run_join) || run_join->content == NULL)
            net_loop_stop(run_join->loop);
        return;
    }
    run_join->prompted = false;
    if (!run_join->terminal.input)
        puts(line);
    const VisitCommand *command = find(line);
    if (line[0] == '\0')
        draw(run_join);
    else if (command != NULL)
        run_command(run_join, command, line);
    else
        take_words(run_join, line);
    prompt(run_join);
}

/* Ctrl-C: leaves. */
static void on_interrupt(void *owner) { net_loop_stop(((StandardJoin *)owner)->loop); }

/* --- The whole -------------------------------------------------------------------------------- */

/* The time to wait is over. */
static void stop(void *owner) { net_loop_stop(owner); }

/* Lets the goodbye go out, for a moment at most. */
static void run_out(NetLoop *loop) {
    NetTimer *timer = net_timer_open(loop, stop, loop);
    if (timer == NULL)
        return;
    net_timer_start(timer, GOODBYE_MS);
    net_loop_run(loop);
    net_timer_close(timer);
}

int join_at_standard(const JoinStandard *wish) {
    static StandardJoin run_join;
    char url_bytes[PROBLEM_BYTES], memory[PROBLEM_BYTES];
    MashText url = text_over(url_bytes, sizeof url_bytes);
    MashText problem = text_over(memory, sizeof memory);
    run_join = (StandardJoin){
        .terminal = terminal_open(), .loop = net_loop_open(), .exit_code = CLI_CHECK_FAILED};
    client_url_to(wish->place, "/", &url);
    StandardSetup setup = {.url = url_bytes,
                           .name = wish->name,
                           .device = wish->device,
                           .role = wish->role,
                           .game = wish->game,
                           .calls = {on_phase, on_position, on_word},
                           .owner = &run_join};
    if (run_join.loop == NULL) {
        fprintf(stderr, "mashup join: there is no memory\n");
        return CLI_CHECK_FAILED;
    }
    run_join.standard = standard_client_open(run_join.loop, &setup, &problem);
    Typed *typed = run_join.standard == NULL ? NULL : typed_open(run_join.loop, on_line, &run_join);
    if (typed == NULL) {
        fprintf(stderr, "mashup join: %s\n",
                problem.count > 0 ? memory : "the input cannot be read");
        run_join.exit_code = CLI_WRONG_USE;
    } else {
        net_on_signal(run_join.loop, SIGINT, on_interrupt, &run_join);
        net_loop_run(run_join.loop);
    }
    begin(&run_join);
    typed_close(typed);
    clear_table(&run_join);
    standard_close(run_join.standard);
    run_out(run_join.loop);
    net_loop_close(run_join.loop);
    return run_join.exit_code;
}
