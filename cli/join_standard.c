/* join_standard.c -- mashup join --protocol standard: a person plays or watches in the terminal at
 * any server of the committee's network standard. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/join.h"
#include "cli/screen.h"
#include "client/standard.h"

enum { NEWS_MOST = 16, NAME_BYTES = 128, GOODBYE_MS = 100, PROBLEM_BYTES = 512 };

/* Everything about it. */
typedef struct Visit {
    Terminal terminal;
    NetLoop *loop;
    StandardClient *standard;
    const MashContent *content; /* that the following are made for; NULL: none */
    Story story;
    Picture picture;
    Choices choices;
    void *view;    /* on the screen */
    uint32_t told; /* number of the moment that was told last; 0: none */
    bool prompted; /* a prompt is the last thing on the screen */
    bool over;     /* no more lines are typed */
    bool ended;    /* who has won was told */
    int exit_code;
} Visit;

/* What is known of the match. */
static const StandardClientTable *table_of(const Visit *visit) {
    return standard_table(visit->standard);
}

/* Do we play, and not only watch? */
static bool plays(const Visit *visit) { return table_of(visit)->you < MASH_SEATS; }

/* --- Lines and the prompt --------------------------------------------------------------------- */

/* Ends the line of the prompt, if there is one, so that news stand alone. */
static void begin(Visit *visit) {
    if (!visit->prompted)
        return;
    visit->prompted = false;
    fputs(visit->terminal.colours ? "\r\033[K" : "\n", stdout);
}

static void say(Visit *visit, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a line of news. */
static void say(Visit *visit, const char *format, ...) {
    va_list list;
    begin(visit);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

/* Prints a side's name as the board marks it. */
static void print_side(const Visit *visit, uint8_t seat) {
    char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    picture_side(&visit->picture, seat, &text);
    fputs(bytes, stdout);
}

/* Prints the prompt again, if a person sits there. */
static void prompt(Visit *visit) {
    fflush(stdout);
    if (visit->prompted || !visit->terminal.input || !visit->terminal.output || visit->over)
        return;
    if (visit->content != NULL && standard_awaited(visit->standard)) {
        print_side(visit, table_of(visit)->you);
        putchar(' ');
    }
    fputs("> ", stdout);
    fflush(stdout);
    visit->prompted = true;
}

/* --- The screen ------------------------------------------------------------------------------- */

/* Forgets what was drawn. */
static void clear_table(Visit *visit) {
    if (visit->content == NULL)
        return;
    story_release(&visit->story);
    picture_release(&visit->picture);
    choices_release(&visit->choices);
    free(visit->view);
    visit->view = NULL;
    visit->content = NULL;
    visit->told = 0;
}

/* Makes room for pictures of the content, if it is another one. */
static void set_table(Visit *visit) {
    const MashContent *content = table_of(visit)->content;
    if (visit->content == content)
        return;
    clear_table(visit);
    visit->content = content;
    visit->view = cli_memory(content->limits.state_bytes);
    story_init(&visit->story, content);
    picture_init(&visit->picture, &visit->terminal, content);
    choices_init(&visit->choices, content);
}

/* Takes the moment and what may be done in it. */
static void look(Visit *visit) {
    const StandardClientTable *table = table_of(visit);
    memcpy(visit->view, table->state, visit->content->limits.state_bytes);
    terminal_measure(&visit->terminal);
    picture_take(&visit->picture, visit->view);
    visit->choices.all_count = 0;
    if (standard_awaited(visit->standard))
        choices_list(&visit->choices, visit->view, table->you);
    else
        choices_reset(&visit->choices);
}

/* Draws the moment: board, sides, menu. */
static void draw(Visit *visit) {
    if (visit->content == NULL || table_of(visit)->state == NULL)
        return;
    begin(visit);
    look(visit);
    putchar('\n');
    screen_draw(&visit->choices, &visit->picture);
    if (visit->choices.all_count > 0)
        putchar('\n');
    choices_print(&visit->choices, &visit->picture);
}

/* For whom the story is kept: our seat, or a spectator. */
static uint32_t reader_of(const Visit *visit) {
    return plays(visit) ? table_of(visit)->you : STORY_WATCHER;
}

/* Tells what led to the moment, the last lines of it. */
static void tell_news(Visit *visit) {
    const StandardClientTable *table = table_of(visit);
    uint32_t reader = reader_of(visit);
    if (table->number != visit->told)
        story_hear(&visit->story, visit->content, table->state, &table->events, table->number,
                   reader);
    uint32_t lines = story_count(&visit->story, reader, visit->told + 1, table->number);
    if (lines > 0)
        begin(visit);
    story_print(&visit->story, reader, visit->told + 1, table->number,
                lines > NEWS_MOST ? lines - NEWS_MOST : 0, "  ");
    visit->told = table->number;
}

/* Who has won, and why if that fits what was told; and the figures. Without a board the player's
 * number is all there is. */
static void tell_end(Visit *visit) {
    const StandardClientTable *table = table_of(visit);
    visit->ended = true;
    begin(visit);
    putchar('\n');
    if (table->winner >= MASH_SEATS) {
        puts("The match is decided, but the server does not say who has won.\n");
    } else if (visit->view == NULL) {
        printf("Player %u has won.\n\n", table->winner + 1u);
    } else {
        char bytes[NAME_BYTES] = "";
        MashText why = text_over(bytes, sizeof bytes);
        MashResult result = visit->content->game->result(visit->content, visit->view);
        if (result.over && result.winner == table->winner && result.reason != MASH_REASON_NONE)
            visit->content->game->name(visit->content, MASH_NAME_REASON, result.reason, &why);
        print_side(visit, table->winner);
        printf(" (%s) has won%s%s.\n\n", table->names[table->winner], why.count > 0 ? ": " : "",
               bytes);
    }
    if (visit->view != NULL)
        picture_print_figures(&visit->picture, visit->view);
}

/* --- What the server says --------------------------------------------------------------------- */

/* The server told a whole moment: shows it. */
static void on_position(void *owner) {
    Visit *visit = owner;
    const StandardClientTable *table = table_of(visit);
    if (table->content == NULL || table->state == NULL)
        return;
    bool first = visit->content != table->content;
    set_table(visit);
    tell_news(visit);
    if (first || table->decided || !plays(visit) || standard_awaited(visit->standard))
        draw(visit);
    else
        look(visit);
    if (table->decided && table->winner < MASH_SEATS && !visit->ended)
        tell_end(visit);
    prompt(visit);
}

/* The connection has something to say. */
static void on_word(void *owner, const char *words) {
    Visit *visit = owner;
    say(visit, "  %s", words);
    prompt(visit);
}

/* Where the visit stands has changed: says so, ends when it is over. */
static void on_phase(void *owner, StandardPhase phase, const char *why) {
    Visit *visit = owner;
    const StandardClientTable *table = visit->standard == NULL ? NULL : table_of(visit);
    if (phase == STANDARD_WAITING) {
        visit->exit_code = CLI_FINE;
        say(visit, "Connected: %s. Waiting.", why);
    } else if (phase == STANDARD_DRAFTING) {
        clear_table(visit);
        say(visit, "Choose six heroes.");
    } else if (phase == STANDARD_PLAYING && table != NULL) {
        if (visit->content != table->content)
            clear_table(visit);
        say(visit, "%s against %s: %s.", table->names[0], table->names[1], why);
    } else if (phase == STANDARD_RECONNECTING) {
        say(visit, "The connection is lost (%s); trying to come back.", why);
    } else if (phase == STANDARD_CLOSED) {
        if (table != NULL && table->decided && !visit->ended)
            tell_end(visit);
        say(visit, "It is over: %s.", why);
        visit->exit_code = table != NULL && table->finished ? CLI_FINE : CLI_CHECK_FAILED;
        net_loop_stop(visit->loop);
        return;
    }
    prompt(visit);
}

/* --- What is typed ---------------------------------------------------------------------------- */

/* A command; `request` is what it asks the server for, if that is all. */
typedef struct VisitCommand {
    const char *name, *argument, *meaning, *request;
    void (*run)(Visit *visit, const char *rest);
} VisitCommand;

static void do_help(Visit *visit, const char *rest);

/* The board again: around a cell, or all of it. */
static void do_board(Visit *visit, const char *rest) {
    int x, y;
    if (visit->view == NULL) {
        puts("  The match has not begun.");
        return;
    }
    picture_take(&visit->picture, visit->view);
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&visit->picture, x, y);
    bool all = strcmp(rest, "all") == 0;
    if (!all)
        picture_print_head(&visit->picture);
    picture_print_board(&visit->picture, all);
}

/* Every unit in a row of its own. */
static void do_units(Visit *visit, const char *rest) {
    (void)rest;
    if (visit->view == NULL)
        return;
    picture_take(&visit->picture, visit->view);
    picture_print_sides(&visit->picture, true);
}

/* What happened, all of it or the last moments. */
static void do_log(Visit *visit, const char *rest) {
    int last = atoi(rest);
    uint32_t from = last > 0 && (uint32_t)last < visit->told ? visit->told - (uint32_t)last + 1 : 0;
    if (visit->view != NULL)
        story_print(&visit->story, reader_of(visit), from, visit->told, 0, "  ");
}

/* Leaves. */
static void do_quit(Visit *visit, const char *rest) {
    (void)rest;
    net_loop_stop(visit->loop);
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
static void do_help(Visit *visit, const char *rest) {
    (void)visit;
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
static void run_command(Visit *visit, const VisitCommand *command, const char *line) {
    size_t letters = strcspn(line, " ");
    if (command->run != NULL)
        command->run(visit, line + letters + (line[letters] == ' '));
    else if (table_of(visit)->content == NULL ||
             standard_phase(visit->standard) != STANDARD_PLAYING)
        puts("  The match has not begun.");
    else if (!standard_ask(visit->standard, command->request))
        puts("  There is no connection just now.");
}

/* Asks for what was settled on, or shows the menu of what is still in question. */
static void settle(Visit *visit) {
    MashAction action;
    if (!choices_settled(&visit->choices, &action)) {
        begin(visit);
        screen_draw_menu(&visit->choices, &visit->picture, visit->view);
        return;
    }
    if (!standard_act(visit->standard, action))
        say(visit, "  That cannot be done just now.");
    choices_reset(&visit->choices);
    if (standard_phase(visit->standard) == STANDARD_DRAFTING)
        draw(visit);
}

/* A number of the menu, or an action in words. */
static void take_words(Visit *visit, const char *line) {
    bool acts =
        visit->content != NULL && standard_awaited(visit->standard) && visit->choices.all_count > 0;
    bool number = strspn(line, "0123456789") == strlen(line) && strlen(line) < 9;
    if (!acts) {
        puts("  It is not your turn; help lists what can be typed.");
    } else if (number && atoi(line) == 0) {
        choices_reset(&visit->choices);
        screen_draw_menu(&visit->choices, &visit->picture, visit->view);
    } else if (number ? choices_pick(&visit->choices, (uint32_t)atoi(line))
                      : choices_type(&visit->choices, &visit->picture, line)) {
        settle(visit);
    } else {
        printf("  Nothing that can be done now fits \"%s\". Enter shows the menu, help explains.\n",
               line);
    }
}

/* One line was typed; NULL: there will be no more. */
static void on_line(void *owner, char *line) {
    Visit *visit = owner;
    if (line == NULL) { /* who only looks on, looks on to the end */
        visit->over = true;
        if (plays(visit) || visit->content == NULL)
            net_loop_stop(visit->loop);
        return;
    }
    visit->prompted = false;
    if (!visit->terminal.input)
        puts(line);
    const VisitCommand *command = find(line);
    if (line[0] == '\0')
        draw(visit);
    else if (command != NULL)
        run_command(visit, command, line);
    else
        take_words(visit, line);
    prompt(visit);
}

/* Ctrl-C: leaves. */
static void on_interrupt(void *owner) { net_loop_stop(((Visit *)owner)->loop); }

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
    static Visit visit;
    char url_bytes[PROBLEM_BYTES], memory[PROBLEM_BYTES];
    MashText url = text_over(url_bytes, sizeof url_bytes);
    MashText problem = text_over(memory, sizeof memory);
    visit = (Visit){
        .terminal = terminal_open(), .loop = net_loop_open(), .exit_code = CLI_CHECK_FAILED};
    client_url_to(wish->place, "/", &url);
    StandardSetup setup = {.url = url_bytes,
                           .name = wish->name,
                           .device = wish->device,
                           .role = wish->role,
                           .game = wish->game,
                           .calls = {on_phase, on_position, on_word},
                           .owner = &visit};
    if (visit.loop == NULL) {
        fprintf(stderr, "mashup join: there is no memory\n");
        return CLI_CHECK_FAILED;
    }
    visit.standard = standard_client_open(visit.loop, &setup, &problem);
    Typed *typed = visit.standard == NULL ? NULL : typed_open(visit.loop, on_line, &visit);
    if (typed == NULL) {
        fprintf(stderr, "mashup join: %s\n",
                problem.count > 0 ? memory : "the input cannot be read");
        visit.exit_code = CLI_WRONG_USE;
    } else {
        net_on_signal(visit.loop, SIGINT, on_interrupt, &visit);
        net_loop_run(visit.loop);
    }
    begin(&visit);
    typed_close(typed);
    clear_table(&visit);
    standard_close(visit.standard);
    run_out(visit.loop);
    net_loop_close(visit.loop);
    return visit.exit_code;
}
