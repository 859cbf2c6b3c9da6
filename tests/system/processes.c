/* processes.c -- see processes.h. */
#define _GNU_SOURCE
#include "tests/system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROCESSES_MAX = 64, PIECE_BYTES = 1 << 16, TAIL_BYTES = 3000, COMMAND_BYTES = 2048 };

static Process *all[PROCESSES_MAX];
static char words_memory[COMMAND_BYTES];

uint64_t process_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void process_sleep(uint32_t ms) {
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* --- Starting and ending ---------------------------------------------------------------------- */

/* The program beside the folder of the test. */
static const char *program(void) {
    static char path[512];
    ssize_t count = readlink("/proc/self/exe", path, sizeof path - 16);
    assert_true(count > 0);
    path[count] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        assert_non_null(slash);
        *slash = '\0';
    }
    strcat(path, "/mashup");
    return path;
}

/* In the child: the ends of the pipes become its standard streams. */
static void become(const char *const *words, int in, int out) {
    const char *arguments[PROCESS_WORDS_MAX + 2] = {"mashup"};
    int count = 1;
    while (words[count - 1] != NULL && count < PROCESS_WORDS_MAX) {
        arguments[count] = words[count - 1];
        count++;
    }
    arguments[count] = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("COLUMNS", "120", 1);
    setenv("LINES", "60", 1);
    execv(program(), (char *const *)(uintptr_t)arguments);
    fprintf(stderr, "%s cannot be run\n", program());
    _exit(127);
}

static void remember(Process *process) {
    int place = 0;
    while (place < PROCESSES_MAX && all[place] != NULL)
        place++;
    assert_true(place < PROCESSES_MAX);
    all[place] = process;
}

Process *process_start(const char *name, const char *const *words) {
    int in[2], out[2];
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    Process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    snprintf(process->name, sizeof process->name, "%s", name);
    fflush(NULL);
    process->pid = fork();
    assert_true(process->pid >= 0);
    if (process->pid == 0)
        become(words, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    process->in = in[1];
    process->out = out[0];
    process->bytes_max = PIECE_BYTES;
    process->text = calloc(1, process->bytes_max + 1);
    assert_non_null(process->text);
    remember(process);
    return process;
}

/* Splits a string at its blanks. */
static void divide(char *string, const char *words[PROCESS_WORDS_MAX]) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(string, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (count < PROCESS_WORDS_MAX - 1)
            words[count++] = word;
    words[count] = NULL;
}

Process *process_run(const char *name, const char *format, ...) {
    const char *words[PROCESS_WORDS_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(words_memory, sizeof words_memory, format, list);
    va_end(list);
    divide(words_memory, words);
    return process_start(name, words);
}

/* Waits for the end; its exit code, or -1. */
static int reap(Process *process, uint32_t wait_ms) {
    uint64_t until = process_now_ms() + wait_ms;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(process->pid, &status, WNOHANG)) == 0 && process_now_ms() < until) {
        process_expect_line(process, "\001", 5);
    }
    if (ended == 0) {
        kill(process->pid, SIGKILL);
        waitpid(process->pid, &status, 0);
        process->pid = 0;
        print_error("%s did not end; it said:\n%s\n", process->name, process->text);
        return -1;
    }
    process->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void release(Process *process) {
    for (int i = 0; i < PROCESSES_MAX; i++)
        if (all[i] == process)
            all[i] = NULL;
    if (process->in >= 0)
        close(process->in);
    close(process->out);
    free(process->text);
    free(process);
}

void process_kill(Process *process, int signal) {
    kill(process->pid, signal);
    reap(process, PROCESS_WAIT_MS);
}

int process_end(Process *process) {
    int code = -1;
    close(process->in);
    process->in = -1;
    if (process->pid != 0)
        code = reap(process, PROCESS_WAIT_MS);
    release(process);
    return code;
}

void process_end_all(void) {
    for (int i = 0; i < PROCESSES_MAX; i++) {
        if (all[i] == NULL)
            continue;
        if (all[i]->pid != 0) {
            kill(all[i]->pid, SIGKILL);
            waitpid(all[i]->pid, NULL, 0);
        }
        release(all[i]);
    }
}

/* --- Input and output ------------------------------------------------------------------------- */

void process_write(Process *process, const char *line) {
    size_t count = strlen(line);
    if (write(process->in, line, count) != (ssize_t)count || write(process->in, "\n", 1) != 1)
        fail_msg("%s does not listen any more; it said:\n%s", process->name, process->text);
}

/* Reads the output within the time; false: there was none, or end of file. */
static bool take(Process *process, int wait_ms) {
    struct pollfd end = {.fd = process->out, .events = POLLIN};
    if (poll(&end, 1, wait_ms) <= 0)
        return false;
    if (process->bytes_max - process->count < PIECE_BYTES) {
        process->bytes_max *= 2;
        process->text = realloc(process->text, process->bytes_max + 1);
        assert_non_null(process->text);
    }
    ssize_t count = read(process->out, process->text + process->count, PIECE_BYTES);
    if (count <= 0)
        return false;
    process->count += (size_t)count;
    process->text[process->count] = '\0';
    return true;
}

const char *process_expect_line(Process *process, const char *words, uint32_t wait_ms) {
    uint64_t until = process_now_ms() + wait_ms;
    for (;;) {
        char *found = strstr(process->text + process->seen, words);
        if (found != NULL) {
            process->seen = (size_t)(found - process->text) + strlen(words);
            return found + strlen(words);
        }
        uint64_t now = process_now_ms();
        if (now >= until)
            return NULL;
        if (!take(process, (int)(until - now)) && process_now_ms() < until) {
            struct pollfd end = {.fd = process->out, .events = POLLIN};
            if (poll(&end, 1, 0) > 0 && (end.revents & POLLIN) == 0)
                return NULL; /* it has ended */
        }
    }
}

const char *process_expect(Process *process, const char *words) {
    const char *found = process_expect_line(process, words, PROCESS_WAIT_MS);
    if (found == NULL) {
        size_t from = process->count > TAIL_BYTES ? process->count - TAIL_BYTES : 0;
        fprintf(stderr, "%s did not say \"%s\"; it said at last:\n%s\n", process->name, words,
                process->text + from);
        fail();
    }
    return found;
}

void process_skip(Process *process) {
    while (take(process, 0))
        continue;
    process->seen = process->count;
}

void process_token(const char *text, const char *before, char *out, size_t max) {
    const char *found = strstr(text, before);
    assert_non_null(found);
    found += strlen(before);
    size_t count = strcspn(found, " \n");
    assert_true(count > 0 && count < max);
    memcpy(out, found, count);
    out[count] = '\0';
}

/* --- The server ------------------------------------------------------------------------------- */

void server_start_again(ServerProcess *server, const char *flags) {
    server->process =
        process_run("the server", "serve --address 127.0.0.1 --port %u --data %s --no-rates %s",
                    (unsigned)server->port, server->folder, flags);
    const char *rest = process_expect(server->process, "ready at http://127.0.0.1:");
    process_expect(server->process, "\n");
    server->port = (uint16_t)atoi(rest);
    snprintf(server->place, sizeof server->place, "127.0.0.1:%u", (unsigned)server->port);
}

void server_start(ServerProcess *server, const char *flags) {
    *server = (ServerProcess){.port = 0};
    snprintf(server->folder, sizeof server->folder, "%s.data-XXXXXX", program());
    assert_non_null(mkdtemp(server->folder));
    server_start_again(server, flags);
}

void server_crash(ServerProcess *server, const char *flags) {
    process_kill(server->process, SIGKILL);
    process_end(server->process);
    server_start_again(server, flags);
}

void server_stop(ServerProcess *server) {
    char command[256];
    kill(server->process->pid, SIGTERM);
    assert_int_equal(process_end(server->process), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", server->folder);
    assert_int_equal(system(command), 0);
    server->process = NULL;
}

void server_get(const ServerProcess *server, const char *path, char *out, size_t max) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(server->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    size_t count = 0;
    char request[256];
    int length = snprintf(request, sizeof request,
                          "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(file, request, (size_t)length) != length)
        fail_msg("GET %s: %s", path, strerror(errno));
    for (ssize_t got = 1; got > 0 && count + 1 < max; count += got > 0 ? (size_t)got : 0)
        got = read(file, out + count, max - 1 - count);
    out[count] = '\0';
    close(file);
}

int server_matches(const ServerProcess *server) {
    static char answer[1 << 16];
    server_get(server, "/metrics", answer, sizeof answer);
    const char *found = strstr(answer, "mashup_tables{state=\"running\"} ");
    assert_non_null(found);
    return atoi(strchr(found, ' '));
}

void server_await_match(const ServerProcess *server) {
    uint64_t until = process_now_ms() + PROCESS_WAIT_MS;
    while (server_matches(server) == 0) {
        assert_true(process_now_ms() < until);
        process_sleep(20);
    }
}

bool process_is_slow(void) {
    char path[512];
    ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
    path[count < 0 ? 0 : count] = '\0';
    return strstr(path, "/release/") == NULL;
}
