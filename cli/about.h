/* about.h -- a unit in sentences: what it is, what its abilities do, what it is under. */
#ifndef CLI_ABOUT_H
#define CLI_ABOUT_H
#include "cli/terminal/picture.h"

/* Prints what the game tells about the unit of this name (short, or its kind's, or how that
 * begins); without a name about the one that acts. False: there is no such unit. */
bool about_print(const Picture *picture, const char *name);

#endif
