/* puzzles_check.h -- checks the puzzles of a file. */
#ifndef CLI_COMMANDS_PUZZLES_CHECK_H
#define CLI_COMMANDS_PUZZLES_CHECK_H
#include "cli/cli.h"

/* Plays every puzzle of the file, or only the first `most` (0: all): is its match possible, does
 * the shipped turn solve it at so many nodes, does the second best not, and does no player of
 * PUZZLE_LEVEL? Prints what is wrong. An exit code. */
int puzzles_check(const char *path, uint32_t nodes, uint32_t most);

#endif
