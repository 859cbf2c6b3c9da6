/* about.h -- describes a unit in sentences: what it is, its abilities and the effects on it. */
#ifndef CLI_ABOUT_H
#define CLI_ABOUT_H
#include "cli/terminal/picture.h"

/* Prints the game's description of the unit with this name (its short name, its kind's name or a
 * prefix of either); without a name, of the unit that acts. False: there is no such unit. */
bool about_print(const Picture *picture, const char *name);

#endif
