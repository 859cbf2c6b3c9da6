/* terminal.c -- see terminal.h. */
#define _DEFAULT_SOURCE
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_USUAL = 100, LINES_USUAL = 50, LINES_LOW = 36 };

static volatile sig_atomic_t interrupted;

/* Is the variable of the environment set to anything? */
static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* The locale's character set, by the precedence of the variables. */
static bool wants_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++)
        if (is_set(names[i]))
            return strstr(getenv(names[i]), "UTF-8") != NULL ||
                   strstr(getenv(names[i]), "utf8") != NULL;
    return false;
}

Terminal terminal_open(void) {
    Terminal terminal = {.output = isatty(STDOUT_FILENO) != 0, .input = isatty(STDIN_FILENO) != 0};
    const char *kind = getenv("TERM");
    bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    terminal.colours = terminal.output && !is_set("NO_COLOR") && !dumb;
    terminal.utf8 = terminal.output && wants_utf8();
    terminal_measure(&terminal);
    return terminal;
}

/* A size from the environment, if it is a sensible one. */
static int size_of(const char *name, int usual) {
    const char *value = getenv(name);
    int number = value == NULL ? 0 : atoi(value);
    return number >= 20 && number <= 1000 ? number : usual;
}

void terminal_measure(Terminal *terminal) {
    struct winsize size;
    terminal->columns = size_of("COLUMNS", COLUMNS_USUAL);
    terminal->lines = size_of("LINES", LINES_USUAL);
    if (terminal->output && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        terminal->columns = size.ws_col;
        terminal->lines = size.ws_row;
    }
}

/* Ctrl-C was pressed; checked while reading a line. */
static void note_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

void terminal_catch_interrupt(void) {
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL); /* no SA_RESTART: reading a line is interrupted */
}

/* The escape sequence that switches a style on. */
static const char *code_of(Style style) {
    static const char *const codes[STYLES] = {
        [STYLE_PLAIN] = "\033[0m",   [STYLE_RED] = "\033[1;31m",  [STYLE_YELLOW] = "\033[1;33m",
        [STYLE_BLUE] = "\033[1;34m", [STYLE_CYAN] = "\033[1;36m", [STYLE_NEUTRAL] = "\033[35m",
        [STYLE_FAINT] = "\033[2m",   [STYLE_STRONG] = "\033[1m",  [STYLE_CHOICE] = "\033[32m",
        [STYLE_GOOD] = "\033[32m",   [STYLE_BAD] = "\033[31m"};
    return codes[style];
}

void terminal_style(const Terminal *terminal, Style style, MashText *text) {
    if (terminal->colours)
        text_string(text, code_of(style));
}

void terminal_print_style(const Terminal *terminal, Style style) {
    if (terminal->colours)
        fputs(code_of(style), stdout);
}

void terminal_clear(const Terminal *terminal) {
    const char *kind = getenv("TERM");
    if (terminal->output && kind != NULL && strcmp(kind, "dumb") != 0)
        fputs("\033[2J\033[3J\033[H", stdout);
    else
        puts("----------------------------------------");
}

void terminal_clean(char *line) {
    char *to = line;
    for (const char *from = line; *from != '\0'; from++) {
        if (from[0] == '\033' && from[1] == '[') {
            from += 2;
            while (*from != '\0' && (*from < '@' || *from > '~'))
                from++;
            if (*from == '\0')
                break;
            continue;
        }
        bool blank = *from == ' ' || *from == '\t';
        if ((unsigned char)*from < ' ' && !blank)
            continue;
        if (blank && (to == line || to[-1] == ' '))
            continue;
        *to++ = blank ? ' ' : *from;
    }
    if (to > line && to[-1] == ' ')
        to--;
    *to = '\0';
}

LineResult terminal_line(const Terminal *terminal, const char *prompt, char *out, uint32_t max) {
    fputs(prompt, stdout);
    fflush(stdout);
    interrupted = 0;
    if (fgets(out, (int)max, stdin) == NULL) {
        bool interrupt = interrupted && errno == EINTR;
        putchar('\n');
        clearerr(stdin);
        out[0] = '\0';
        return interrupt ? LINE_INTERRUPTED : LINE_END;
    }
    if (strchr(out, '\n') == NULL)
        for (int c = getchar(); c != '\n' && c != EOF;)
            c = getchar();
    terminal_clean(out);
    if (!terminal->input)
        puts(out);
    return LINE_TYPED;
}

bool terminal_is_low(const Terminal *terminal) { return terminal->lines < LINES_LOW; }

uint32_t terminal_width(const char *text) {
    uint32_t width = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (c[0] == '\033' && c[1] == '[') {
            while (*c != 'm' && c[1] != '\0')
                c++;
            continue;
        }
        width += ((unsigned char)*c & 0xc0) != 0x80;
    }
    return width;
}

void terminal_pad(MashText *text, uint32_t start, uint32_t columns) {
    for (uint32_t width = terminal_width(text->bytes + start); width < columns; width++)
        text_byte(text, ' ');
}

void terminal_print_wrapped(const Terminal *terminal, uint32_t indent, const char *words) {
    uint32_t column = indent;
    while (*words != '\0') {
        int bytes = (int)strcspn(words, " ");
        uint32_t width = (uint32_t)bytes;
        if (column > indent && column + 1 + width > (uint32_t)terminal->columns) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        printf("%s%.*s", column > indent ? " " : "", bytes, words);
        column += width + (column > indent);
        words += bytes + (words[bytes] == ' ');
    }
    putchar('\n');
}
