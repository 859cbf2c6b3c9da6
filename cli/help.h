/* help.h -- the texts of `mashup help NAME`: cli/help/NAME.txt, embedded by the build. */
#ifndef CLI_HELP_H
#define CLI_HELP_H
#include <stddef.h>

/* One text; the list ends with a NULL name. */
typedef struct HelpText {
    const char *name, *text;
} HelpText;
extern const HelpText help_texts[];

#endif
