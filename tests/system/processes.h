/* processes.h -- real processes of `mashup` for tests: a server in a folder of its own, clients
 * with a person at the keyboard, all on loopback.
 *
 * The program is the one that was built with the test: build/sanitized/mashup beside
 * build/sanitized/tests/. Every wait has a timeout, after which the test fails with the output of
 * the process. */
#ifndef TESTS_SYSTEM_PROCESSES_H
#define TESTS_SYSTEM_PROCESSES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Limits. */
enum { PROCESS_WORDS_MAX = 48, PROCESS_WAIT_MS = 90000 };

/* A process and its output. */
typedef struct Process {
    pid_t pid; /* 0: it has ended */
    int in, out;
    char *text; /* all its output, stdout and stderr together; NUL-terminated */
    size_t count, bytes_max;
    size_t seen; /* how much of it process_expect() has consumed */
    char name[32];
} Process;

/* Starts `mashup` with these arguments, terminated by NULL. The name is for messages. */
Process *process_start(const char *name, const char *const *words);
/* The same with the arguments in one string, separated by blanks. */
Process *process_run(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Types a line. */
void process_write(Process *process, const char *line);
/* Waits until the process prints this, after what was expected before. Returns what follows it. */
const char *process_expect(Process *process, const char *words);
/* The same with a timeout; NULL: it did not print it. */
const char *process_expect_line(Process *process, const char *words, uint32_t wait_ms);
/* Reads the output so far, and consumes it. */
void process_skip(Process *process);
/* Sends a signal and waits for the end. */
void process_kill(Process *process, int signal);
/* Closes its standard input, waits for the end, releases it. Returns the exit code, or -1 if a
 * signal ended it. */
int process_end(Process *process);
/* Ends all remaining processes and releases all memory. */
void process_end_all(void);

/* Is it a slow build: with sanitizers, or for coverage? */
bool process_is_slow(void);

/* Milliseconds of a monotonic clock; sleeping for some. */
uint64_t process_now_ms(void);
void process_sleep(uint32_t ms);

/* A server with its data in a new folder below build/, or in the folder of an earlier server. */
typedef struct ServerProcess {
    Process *process;
    uint16_t port;
    char folder[128];
    char place[32]; /* 127.0.0.1:port */
} ServerProcess;

/* Starts it, with more flags in one string; waits until it is ready. */
void server_start(ServerProcess *server, const char *flags);
/* Starts it again at its port and folder; its process has ended. */
void server_start_again(ServerProcess *server, const char *flags);
/* Kills it with SIGKILL and starts it again at its port and folder. */
void server_crash(ServerProcess *server, const char *flags);
/* Asks it to shut down, checks that it did so properly, removes its folder. */
void server_stop(ServerProcess *server);

/* The server's answer to GET of this path, including the head. */
void server_get(const ServerProcess *server, const char *path, char *out, size_t max);
/* How many matches it says are running. */
int server_matches(const ServerProcess *server);
/* Waits until a match is running. */
void server_await_match(const ServerProcess *server);

/* The word that follows `before` in the text, up to a blank or line end. */
void process_token(const char *text, const char *before, char *out, size_t max);

#endif
