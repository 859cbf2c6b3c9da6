/* exec_command.c -- see exec_command.h. */
#include "client/exec_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIAL_BYTES = 256 };

/* Makes the program die with this process, however that dies; where there is no setpriv it sees
 * the end of its input. setpriv hears only of what happens later: if this process is gone by then,
 * the program has another parent and is not started. */
#define WITH_US                                                                                    \
    "$(command -v setpriv >/dev/null 2>&1 && echo setpriv --pdeathsig KILL) "                      \
    "sh -c '[ \"$PPID\" = %d ] && exec \"$@\"' sh "

void exec_command_quote(const char *string, MashText *text) {
    text_byte(text, '\'');
    for (; *string != '\0'; string++)
        if (*string == '\'')
            text_string(text, "'\\''");
        else
            text_byte(text, *string);
    text_byte(text, '\'');
}

/* Is there such a string? */
static bool given(const char *string) { return string != NULL && string[0] != '\0'; }

/* Is the first word something that only the shell itself can do? */
static bool is_of_shell(const char *command) {
    static const char *const words[] = {"exec", "exit", "read", "eval",   "cd",    "set",
                                        "trap", "wait", ".",    "ulimit", "umask", ":"};
    size_t count = strcspn(command, " ");
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == count && strncmp(command, words[i], count) == 0)
            return true;
    return false;
}

/* Appends the command itself as a word. One without operators takes the place of its shell, so that
 * it is the process that is watched and killed. */
static void put_command(const char *command, MashText *text) {
    bool simple = strpbrk(command, ";&|<>(){}=$`\n\\!#") == NULL && !is_of_shell(command);
    text_string(text, simple ? "'exec '" : "");
    exec_command_quote(command, text);
}

void exec_command_write(const ExecSurroundings *surroundings, const char *command, MashText *text) {
    if (given(surroundings->errors)) {
        text_string(text, "exec 2>");
        exec_command_quote(surroundings->errors, text);
        text_string(text, "; ");
    }
    if (given(surroundings->folder)) {
        text_string(text, "cd ");
        exec_command_quote(surroundings->folder, text);
        text_string(text, " && ");
    }
    if (surroundings->memory_mb > 0) {
        text_string(text, "ulimit -v ");
        text_int(text, (int64_t)surroundings->memory_mb * 1024);
        text_string(text, " && ");
    }
    if (surroundings->cpu_s > 0) /* first SIGXCPU, so that one knows why; a second later SIGKILL */
        text_format(text, "ulimit -S -t %u && ulimit -H -t %u && ", (unsigned)surroundings->cpu_s,
                    (unsigned)surroundings->cpu_s + 1);
    text_format(text, "exec " WITH_US, (int)getpid());
    if (given(surroundings->wrapper))
        text_format(text, "%s ", surroundings->wrapper);
    if (given(surroundings->offline))
        text_format(text, "%s ", surroundings->offline);
    text_string(text, "sh -c ");
    put_command(command, text);
}

const char *exec_offline_words(void) {
    static const char *const ways[] = {"unshare --net", "unshare --map-root-user --net",
                                       "bwrap --dev-bind / / --unshare-net --die-with-parent"};
    for (uint32_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char trial[TRIAL_BYTES];
        snprintf(trial, sizeof trial, "%s true >/dev/null 2>&1", ways[i]);
        if (system(trial) == 0)
            return ways[i];
    }
    return NULL;
}
