/* exec_command.h -- the command for the shell that runs somebody's program in a folder of its own
 * and within limits: for exec_player_open(). */
#ifndef CLIENT_EXEC_COMMAND_H
#define CLIENT_EXEC_COMMAND_H
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Where and within which limits a program runs. */
typedef struct ExecSurroundings {
    const char *folder;  /* NULL or "": that of this process */
    const char *errors;  /* a file for its standard error; NULL: that of this process */
    const char *wrapper; /* words before the command, such as "systemd-run --user --scope"; NULL */
    const char *offline; /* words that take the network away: exec_offline_words(); NULL */
    uint32_t memory_mb;  /* of address space for each process; 0: no limit */
    uint32_t cpu_s;      /* of the processor for each process; 0: no limit */
} ExecSurroundings;

/* Appends a string as one word of the shell. */
void exec_command_quote(const char *string, MashText *text);
/* Appends the command. The program dies with this process, or at least its input ends. */
void exec_command_write(const ExecSurroundings *surroundings, const char *command, MashText *text);
/* The words before a command that take the network away from it, by the first tool that works here
 * (unshare, bubblewrap); NULL: none does. Runs them to find out. */
const char *exec_offline_words(void);

#endif
