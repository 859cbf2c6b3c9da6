/* engine.c -- mashup engine: the simulator on standard input and output (sim/engine.h).
 *
 * The work is done by a second process, because the bytes of a position are trusted: should one
 * that no server ever sent end it, this one says so in one line and starts another, which goes on
 * with the next line. Both share the memory into which lines are read, so that none is lost. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/arguments.h"
#include "sim/engine.h"

enum { LINE_MAX_BYTES = JSON_BYTES_MAX, INPUT_BYTES = LINE_MAX_BYTES + (1 << 20), GONE = 3 };

/* What was read and not answered yet: bytes from start up to end. */
typedef struct Input {
    uint32_t start, end;
    bool skipping; /* the rest of a line that was too long */
    bool over;
    char bytes[INPUT_BYTES];
} Input;

/* Writes everything. False: nobody reads any more. */
static bool write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* Writes a line. */
static bool say(const char *line) { return write_all(line, strlen(line)) && write_all("\n", 1); }

/* Reads more. False: that was all. */
static bool read_more(Input *input) {
    memmove(input->bytes, input->bytes + input->start, input->end - input->start);
    input->end -= input->start;
    input->start = 0;
    ssize_t count;
    do
        count = read(STDIN_FILENO, input->bytes + input->end, INPUT_BYTES - input->end);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    input->end += (uint32_t)count;
    return true;
}

/* The next line and how long it is, without its end; NULL: there is none. The last one may lack a
 * line break. A line that is too long is answered here. */
static const char *next_line(Input *input, uint32_t *count) {
    for (;;) {
        char *start = input->bytes + input->start;
        uint32_t there = input->end - input->start;
        char *end = memchr(start, '\n', there);
        if (end == NULL && !input->over && there <= LINE_MAX_BYTES) {
            input->over = !read_more(input);
            continue;
        }
        if (end == NULL && there == 0)
            return NULL;
        *count = end == NULL ? there : (uint32_t)(end - start);
        input->start += *count + (end != NULL);
        bool skipped = input->skipping;
        input->skipping = end == NULL && !input->over;
        if (skipped)
            continue;
        if (*count <= LINE_MAX_BYTES)
            return start;
        say("{\"type\":\"refused\",\"code\":\"malformed\",\"reason\":\"the line is longer than "
            "4 MiB\"}");
    }
}

/* Is there nothing but white space? */
static bool is_blank(const char *line, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (strchr(" \t\r", line[i]) == NULL || line[i] == '\0')
            return false;
    return true;
}

/* Answers lines until there are no more; the process ends with it. An exit code. */
static int answer_lines(Input *input) {
    uint32_t count;
    const char *line;
    SimEngine *engine = sim_engine_open();
    while (engine != NULL && (line = next_line(input, &count)) != NULL) {
        if (is_blank(line, count))
            continue;
        const char *answer = sim_engine_answer(engine, line, count);
        if (!say(answer != NULL ? answer
                                : "{\"type\":\"refused\",\"code\":\"failed\",\"reason\":\"out of "
                                  "memory\"}"))
            break;
    }
    return CLI_FINE;
}

/* Starts a process that answers. CLI_FINE, GONE if something ended it, or CLI_CHECK_FAILED: it
 * could not be started. */
static int run_worker(Input *input) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        _exit(answer_lines(input));
    }
    if (child < 0)
        return CLI_CHECK_FAILED;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return CLI_CHECK_FAILED;
    return WIFEXITED(status) && WEXITSTATUS(status) == CLI_FINE ? CLI_FINE : GONE;
}

static const Flag flags[] = {FLAG_SWITCH("reference"), FLAGS_END};

static int run(const Arguments *given) {
    if (flag_given(given, "reference")) {
        static char memory[1 << 14];
        MashText text = text_over(memory, sizeof memory);
        sim_engine_reference(&text);
        text_byte(&text, '\n');
        sim_verbs_reference(&text);
        fputs(memory, stdout);
        return CLI_FINE;
    }
    Input *input =
        mmap(NULL, sizeof *input, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (input == MAP_FAILED) {
        fputs("mashup engine: out of memory\n", stderr);
        return CLI_CHECK_FAILED;
    }
    signal(SIGPIPE, SIG_IGN);
    int code;
    while ((code = run_worker(input)) == GONE)
        if (!say(
                "{\"type\":\"refused\",\"code\":\"broken\",\"reason\":\"the engine stopped here: a "
                "position that was loaded is none that a server sends; all positions are "
                "dropped\"}"))
            return CLI_CHECK_FAILED;
    munmap(input, sizeof *input);
    return code;
}

const Command command_engine = {"engine",
                                "Simulates matches for other programs, by lines of JSON.",
                                "engine [--reference]",
                                run,
                                flags,
                                0,
                                0,
                                NULL};
