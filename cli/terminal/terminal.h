/* terminal.h -- capabilities of the screen, styles that are omitted where it has none, and lines
 * typed by a person or read from a pipe.
 *
 * Escape codes are written only if stdout is a terminal that supports them (NO_COLOR is respected);
 * colour is never the only sign. A typed line ends with Enter; end of input and Ctrl-C are results
 * like any other. */
#ifndef CLI_TERMINAL_TERMINAL_H
#define CLI_TERMINAL_TERMINAL_H
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* The terminal's properties; columns and lines are updated by terminal_measure(). */
typedef struct Terminal {
    bool output, input; /* are stdout and stdin terminals? */
    bool colours, utf8;
    int columns, lines;
} Terminal;

/* Text styles, where colours are wanted. */
typedef enum Style {
    STYLE_PLAIN,
    STYLE_RED,
    STYLE_YELLOW,
    STYLE_BLUE,
    STYLE_CYAN,
    STYLE_NEUTRAL,
    STYLE_FAINT,
    STYLE_STRONG,
    STYLE_CHOICE,
    STYLE_GOOD,
    STYLE_BAD,
    STYLES
} Style;

/* Results of terminal_line(). */
typedef enum LineResult { LINE_TYPED, LINE_END, LINE_INTERRUPTED } LineResult;

/* Examines stdin, stdout and the environment. */
Terminal terminal_open(void);
/* The size may have changed. */
void terminal_measure(Terminal *terminal);
/* Makes Ctrl-C a result of terminal_line() instead of ending the program. */
void terminal_catch_interrupt(void);

/* Appends the escape code for a style, or nothing. STYLE_PLAIN ends the others. */
void terminal_style(const Terminal *terminal, Style style, MashText *text);
/* The same directly on stdout. */
void terminal_print_style(const Terminal *terminal, Style style);
/* Clears the screen and the scrollback; without a terminal prints a line of dashes. */
void terminal_clear(const Terminal *terminal);

/* Prints the prompt and reads one line without its end, control characters and surrounding
 * blanks. */
LineResult terminal_line(const Terminal *terminal, const char *prompt, char *out, uint32_t max);

/* Removes control characters, escape sequences of arrow keys and surrounding blanks from a typed
 * line. */
void terminal_clean(char *line);

/* Is the screen too low for a board, both benches and a menu together? */
bool terminal_is_low(const Terminal *terminal);

/* How many columns a UTF-8 text takes; escape codes do not count. */
uint32_t terminal_width(const char *text);
/* Prints text from column `indent` on, wrapped with the same indent. */
void terminal_print_wrapped(const Terminal *terminal, uint32_t indent, const char *words);
/* Appends blanks until the text is `columns` wide, counted from byte `start`. */
void terminal_pad(MashText *text, uint32_t start, uint32_t columns);

#endif
