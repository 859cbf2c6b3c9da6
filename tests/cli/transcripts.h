/* transcripts.h -- what commands print, to the letter, for tests that have the commands inside.
 *
 * A transcript is a list of commands that run one after the other in a new folder, in which games,
 * docs and tests lead to those of the project:
 *
 *   $ COLUMNS=60 mashup play zorde --seed 5 | tail -n 3
 *   < 1
 *    what it printed
 *   ! what it printed as errors
 *   = 2
 *
 * `<` is a line that is typed (`<30 1`: thirty times), `=` the exit code if it is not 0. With
 * TERM=... the command has a terminal of that kind; escape characters are written as ^[. What is
 * not mashup is for the shell; so is what follows a |, once for the output and once for the errors.
 * $MASHUP is the program for the shell: what it leaves running ends with the transcript.
 * MASH_GOLDEN=write build/release/tests/TEST, from the project's folder, runs the commands and
 * writes what they print; an argument is a pattern of the files to run. */
#ifndef TESTS_CLI_TRANSCRIPTS_H
#define TESTS_CLI_TRANSCRIPTS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/arguments.h"

/* Limits. */
enum {
    WORDS_MAX = 64,
    LINE_BYTES = 4096,
    TYPED_BYTES = 1 << 16,
    PRINTED_MAX = 16 << 20, /* bytes: a command that prints for ever is stopped */
    PATIENCE_S = 300,
    FILES_MAX = 64,
    GROUPS_MAX = 512,
};

/* Process groups of the commands that ran in this transcript. */
static pid_t groups[GROUPS_MAX];
/* How many. */
static uint32_t groups_count;
/* A command took too long. */
static bool stuck;

/* One command of a transcript. */
typedef struct TranscriptEntry {
    char line[LINE_BYTES];   /* after the $ */
    char lines[TYPED_BYTES]; /* of its input, as they stand in the transcript */
    char typed[TYPED_BYTES]; /* its input */
    size_t typed_count;
} TranscriptEntry;

/* A command line in words; assignments that come first are made. */
typedef struct CommandLine {
    char bytes[LINE_BYTES];
    char *words[WORDS_MAX];
    int count;
    bool terminal;      /* TERM was assigned */
    const char *filter; /* what follows the |, or NULL */
} CommandLine;

/* Splits the line at blanks that are not between ' and '. */
static void split(const char *line, CommandLine *out) {
    char *to = out->bytes;
    memset(out, 0, sizeof *out);
    out->filter = strstr(line, "mashup ") == NULL ? NULL : strstr(line, " | ");
    const char *end = out->filter == NULL ? line + strlen(line) : out->filter;
    out->filter = out->filter == NULL ? NULL : out->filter + 3;
    while (line < end && out->count < WORDS_MAX - 1) {
        bool quoted = false;
        out->words[out->count] = to;
        for (; line < end && (quoted || *line != ' '); line++) {
            if (*line == '\'')
                quoted = !quoted;
            else
                *to++ = *line;
        }
        *to++ = '\0';
        line += strspn(line, " ");
        if (strncmp(out->words[out->count], "TERM=", 5) == 0)
            out->terminal = true;
        out->count++;
    }
}

/* --- Running ---------------------------------------------------------------------------------- */

/* Reads a whole file. */
static char *contents(const char *path, size_t *count) {
    char *bytes = NULL;
    FILE *file = fopen(path, "r");
    *count = 0;
    if (file == NULL)
        return calloc(1, 1);
    FILE *memory = open_memstream(&bytes, count);
    for (int c = getc(file); c != EOF; c = getc(file))
        putc(c, memory);
    fclose(memory);
    fclose(file);
    return bytes;
}

/* In the child: becomes the command; its exit code. */
static int become(const CommandLine *line, const char *whole) {
    struct rlimit most = {PRINTED_MAX, PRINTED_MAX};
    int first = 0;
    setrlimit(RLIMIT_FSIZE, &most);
    alarm(PATIENCE_S);
    for (; first < line->count && strchr(line->words[first], '=') != NULL; first++)
        putenv(line->words[first]);
    if (line->terminal) {
        unsetenv("COLUMNS");
        unsetenv("LINES");
    }
    if (strcmp(line->words[first], "mashup") != 0)
        return system(whole) == 0 ? 0 : 1;
    return cli_run(line->count - first, (char **)&line->words[first]);
}

/* A value of the line's assignments. */
static unsigned short assigned(const CommandLine *line, const char *name, unsigned short usual) {
    size_t letters = strlen(name);
    for (int i = 0; i < line->count; i++)
        if (strncmp(line->words[i], name, letters) == 0 && line->words[i][letters] == '=')
            return (unsigned short)atoi(line->words[i] + letters + 1);
    return usual;
}

/* Opens a terminal without echo; the end of the one who types. */
static int open_terminal(const CommandLine *line, int *screen) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize size = {.ws_col = assigned(line, "COLUMNS", 80),
                           .ws_row = assigned(line, "LINES", 24)};
    struct termios mode;
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    *screen = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(*screen >= 0 && tcgetattr(*screen, &mode) == 0);
    mode.c_lflag &= ~(tcflag_t)ECHO;
    mode.c_oflag &= ~(tcflag_t)OPOST;
    assert_int_equal(tcsetattr(*screen, TCSANOW, &mode), 0);
    assert_int_equal(ioctl(*screen, TIOCSWINSZ, &size), 0);
    return master;
}

/* Types everything and writes what the screen shows to the file `out`. */
static void watch(int master, const TranscriptEntry *entry) {
    FILE *out = fopen("../out", "w");
    char piece[LINE_BYTES];
    ssize_t count = write(master, entry->typed, entry->typed_count);
    assert_int_equal(count, entry->typed_count);
    assert_int_equal(write(master, "\004", 1), 1);
    while ((count = read(master, piece, sizeof piece)) > 0)
        fwrite(piece, 1, (size_t)count, out);
    fclose(out);
    close(master);
}

/* Waits for the end of a command. What it has left running ends here as well: this program adopts
 * it (see transcripts_run()), and whoever waits in a transcript until a process is gone would wait
 * for as long as nobody has asked how it ended. */
static int status_of(pid_t child) {
    int status;
    pid_t ended;
    do {
        ended = waitpid(-1, &status, 0);
        assert_true(ended > 0);
    } while (ended != child);
    return status;
}

/* Runs the command: its output is in ../out, its errors in ../err. Its exit code. */
static int run(const TranscriptEntry *entry, const CommandLine *line) {
    int screen = -1, master = line->terminal ? open_terminal(line, &screen) : -1;
    FILE *in = fopen("../in", "w");
    fwrite(entry->typed, 1, entry->typed_count, in);
    fclose(in);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setsid(); /* what it starts is in a group that can be ended */
        bool fine = freopen("../err", "w", stderr) != NULL && setvbuf(stderr, NULL, _IONBF, 0) == 0;
        if (screen >= 0) {
            close(master); /* not its controlling terminal: that is emptied when it ends */
            fine = fine && dup2(screen, 0) == 0 && dup2(screen, 1) == 1 && close(screen) == 0;
        } else {
            fine = fine && freopen("../in", "r", stdin) != NULL;
            fine = fine && freopen("../out", "w", stdout) != NULL;
        }
        exit(fine ? become(line, entry->line) : 126);
    }
    if (screen >= 0) {
        close(screen);
        watch(master, entry);
    }
    int status = status_of(child);
    if (groups_count < GROUPS_MAX)
        groups[groups_count++] = child;
    stuck |= WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Writes the lines of a file, each after the mark. */
static void put_lines(const char *path, const char *mark, FILE *to) {
    size_t count;
    char *bytes = contents(path, &count);
    bool fresh = true;
    for (size_t i = 0; i < count; i++) {
        if (fresh)
            fputs(mark, to);
        fresh = bytes[i] == '\n';
        if (bytes[i] == '\033')
            fputs("^[", to);
        else
            putc(bytes[i], to);
    }
    fputs(fresh ? "" : "\\\n", to); /* no line end */
    free(bytes);
}

/* Runs a command and writes what it did. */
static void tell(const TranscriptEntry *entry, FILE *to) {
    CommandLine *line = calloc(1, sizeof *line);
    split(entry->line, line);
    if (stuck) { /* what comes after a command that took too long would only take longer */
        free(line);
        return;
    }
    int code = run(entry, line);
    fprintf(to, "$ %s\n%s", entry->line, entry->lines);
    for (int i = 0; i < 2 && line->filter != NULL; i++) {
        static const char *const files[] = {"../out", "../err"};
        char filter[2 * LINE_BYTES];
        snprintf(filter, sizeof filter, "(%s) <%s >../filtered; mv ../filtered %s", line->filter,
                 files[i], files[i]);
        assert_int_equal(system(filter), 0);
    }
    put_lines("../out", " ", to);
    put_lines("../err", "! ", to);
    if (code != 0)
        fprintf(to, "= %d\n", code);
    free(line);
}

/* --- Transcripts ------------------------------------------------------------------------------ */

/* Adds a line that is typed: "< 1" or "<30 1". */
static void type(TranscriptEntry *entry, const char *line, size_t letters) {
    size_t before = strlen(entry->lines), front = 1 + strspn(line + 1, "0123456789");
    int times = front == 1 ? 1 : atoi(line + 1);
    front += front < letters;
    assert_true(before + letters + 2 < TYPED_BYTES);
    snprintf(entry->lines + before, TYPED_BYTES - before, "%.*s\n", (int)letters, line);
    for (int i = 0; i < times; i++) {
        assert_true(entry->typed_count + letters < TYPED_BYTES);
        memcpy(entry->typed + entry->typed_count, line + front, letters - front);
        entry->typed_count += letters - front;
        entry->typed[entry->typed_count++] = '\n';
    }
}

/* Runs the commands of a transcript; what it should be. */
static char *told_again(const char *transcript, size_t *count) {
    char *bytes = NULL;
    TranscriptEntry *entry = calloc(1, sizeof *entry);
    FILE *memory = open_memstream(&bytes, count);
    for (const char *at = transcript; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t letters = strcspn(at, "\n");
        if (at[0] == '$') {
            if (entry->line[0] != '\0')
                tell(entry, memory);
            memset(entry, 0, sizeof *entry);
            memcpy(entry->line, at + 2, letters - 2);
        } else if (at[0] == '<') {
            type(entry, at, letters);
        } else if (at[0] == '#') {
            if (entry->line[0] != '\0')
                tell(entry, memory);
            memset(entry, 0, sizeof *entry);
            fprintf(memory, "%.*s\n", (int)letters, at);
        }
    }
    if (entry->line[0] != '\0')
        tell(entry, memory);
    fclose(memory);
    free(entry);
    return bytes;
}

/* Fails with the first line that is another. */
static void compare(const char *path, const char *expected, const char *found) {
    for (int number = 1;; number++) {
        size_t a = strcspn(expected, "\n"), b = strcspn(found, "\n");
        if (a != b || memcmp(expected, found, a) != 0)
            fail_msg("%s:%d:\n%.*s\nis now\n%.*s\n"
                     "if that is meant: run this test with MASH_GOLDEN=write",
                     path, number, (int)a, expected, (int)b, found);
        if (expected[a] == '\0' || found[b] == '\0') {
            assert_int_equal(expected[a], found[b]);
            return;
        }
        expected += a + 1;
        found += b + 1;
    }
}

/* Runs one transcript in a folder of its own. */
static void check_transcript(void **state) {
    static const char *const links[] = {"games", "docs", "tests"};
    const char *path = *state, *mode = getenv("MASH_GOLDEN");
    char folder[] = "/tmp/test-transcripts-XXXXXX", command[LINE_BYTES], root[LINE_BYTES];
    size_t count, found_count;
    char *expected = contents(path, &count);
    assert_non_null(getcwd(root, sizeof root));
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "mkdir %s/here", folder);
    assert_int_equal(system(command), 0);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        snprintf(command, sizeof command, "ln -s '%.1000s/%s' %s/here/", root, links[i], folder);
        assert_int_equal(system(command), 0);
    }
    snprintf(command, sizeof command, "%s/here", folder);
    assert_int_equal(chdir(command), 0);
    groups_count = 0;
    stuck = false;
    char *found = told_again(expected, &found_count);
    for (uint32_t i = 0; i < groups_count; i++)
        kill(-groups[i], SIGKILL);
    assert_int_equal(chdir(root), 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    if (mode != NULL && strcmp(mode, "write") == 0) {
        FILE *file = fopen(path, "w");
        fputs(found, file);
        fclose(file);
    } else {
        compare(path, expected, found);
    }
    free(expected);
    free(found);
}

/* With the name of a command this program is mashup: servers and players of a transcript are
 * started as $MASHUP. */
static int transcripts_run(const char *usual, int count, char **words) {
    static const char *const unset[] = {"NO_COLOR", "COLUMNS", "LINES", "TERM", "LANG", "LC_CTYPE"};
    struct CMUnitTest tests[FILES_MAX];
    const char *pattern = count > 1 ? words[1] : usual;
    char self[LINE_BYTES];
    glob_t files;
    ssize_t letters = readlink("/proc/self/exe", self, sizeof self - 1);
    for (const Command *const *command = cli_commands; *command != NULL && count > 1; command++)
        if (strcmp((*command)->name, words[1]) == 0)
            return cli_run(count, words);
    self[letters < 0 ? 0 : letters] = '\0';
    setenv("MASHUP", self, 1);
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        unsetenv(unset[i]);
    setenv("LC_ALL", "C", 1);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (glob(pattern, 0, NULL, &files) != 0 || files.gl_pathc > FILES_MAX)
        return 1;
    for (size_t i = 0; i < files.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){.name = files.gl_pathv[i],
                                       .test_func = check_transcript,
                                       .initial_state = files.gl_pathv[i]};
    int failed = _cmocka_run_group_tests("transcripts", tests, files.gl_pathc, NULL, NULL);
    globfree(&files);
    return failed;
}

#endif
