/* terminal.h -- what the screen can do, styles that vanish where it cannot, and lines typed by a
 * person or a pipe.
 *
 * Escape codes are written only if stdout is a terminal that wants them (NO_COLOR is obeyed);
 * colour is never the only sign. A typed line ends by Enter; the end of input and Ctrl-C are
 * answers like any other. */
#ifndef CLI_TERMINAL_TERMINAL_H
#define CLI_TERMINAL_TERMINAL_H
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* What there is; columns and lines are looked at again by terminal_measure(). */
typedef struct Terminal {
    bool output, input; /* are stdout and stdin terminals? */
    bool colours, utf8;
    int columns, lines;
} Terminal;

/* How something looks, where colours are wanted. */
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

/* What terminal_line() got. */
typedef enum Line { LINE_TYPED, LINE_END, LINE_INTERRUPTED } Line;

/* Looks at stdin, stdout and the environment. */
Terminal terminal_open(void);
/* The size may have changed. */
void terminal_measure(Terminal *terminal);
/* Makes Ctrl-C an answer of terminal_line() instead of the end of the program. */
void terminal_catch_interrupt(void);

/* Appends the escape code for a style, or nothing. STYLE_PLAIN ends the others. */
void terminal_style(const Terminal *terminal, Style style, MashText *text);
/* The same at once on stdout. */
void terminal_print_style(const Terminal *terminal, Style style);
/* Empties the screen and what can be scrolled back to; on no terminal a line of dashes. */
void terminal_clear(const Terminal *terminal);

/* Prints the prompt and reads one line without its end, control characters and outer blanks. */
Line terminal_line(const Terminal *terminal, const char *prompt, char *out, uint32_t max);

/* Drops control characters, escape sequences of arrow keys and outer blanks from a typed line. */
void terminal_clean(char *line);

/* Is the screen too low for a board, both benches and a menu at once? */
bool terminal_is_low(const Terminal *terminal);

/* How many columns a UTF-8 text takes, escape codes not counted. */
uint32_t terminal_width(const char *text);
/* Prints words from column `indent` on, the next lines indented alike where the screen ends. */
void terminal_print_wrapped(const Terminal *terminal, uint32_t indent, const char *words);
/* Appends blanks until the text is `columns` wide, counted from byte `start`. */
void terminal_pad(MashText *text, uint32_t start, uint32_t columns);

#endif
