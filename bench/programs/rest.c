/* rest.c -- many matches over days that rest: `bench_rest MATCHES [MASHUP]`.
 *
 * Makes a data folder with that many, by the tables of the store itself, starts the server there
 * and without them, and prints how long each start took until it answered, and its memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sqlite3.h>

#include "store/store.h"
#include "tests/support/support.h"

enum { PORT = 18777, TRIES = 3000 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Adds the rows in one transaction: two kilobytes of records each, a deadline within a week. */
static bool fill(const char *folder, unsigned long matches) {
    char path[512], sql[512];
    sqlite3 *base;
    snprintf(path, sizeof path, "%s/players.sqlite", folder);
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %lu) INSERT "
             "INTO days(match, session, generation, game, days, account0, account1, awaited, "
             "began0, began1, deadline0, deadline1, records) SELECT i * 7919, 0, 3, x'7a6f726465', "
             "3, i %% 5000 + 1, i %% 4999 + 6000, "
             "1, 0, 0, 4000000000000 + i, 0, randomblob(2000) FROM n",
             matches);
    bool filled = sqlite3_open(path, &base) == SQLITE_OK &&
                  (matches == 0 || sqlite3_exec(base, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(base);
    return filled;
}

/* Does anybody listen? */
static bool answers(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool heard = connect(line, (struct sockaddr *)&to, sizeof to) == 0;
    close(line);
    return heard;
}

/* Starts the server in a folder, and ends it. */
static long measure(const char *program, const char *folder, unsigned long matches) {
    char port[16];
    snprintf(port, sizeof port, "%d", PORT);
    double began_s = now_s();
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execl(program, program, "serve", "--port", port, "--address", "127.0.0.1", "--data", folder,
              (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < TRIES && !answers(); i++)
        usleep(2000);
    double started_s = now_s() - began_s;
    usleep(1000000);
    long kilobytes = support_resident_kb(pid);
    printf("%8lu at rest: answers after %.3f s, %ld kB resident\n", matches, started_s, kilobytes);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    return kilobytes;
}

int main(int count, char **words) {
    char memory[512], folder[] = "/tmp/mashup-rest-XXXXXX", place[64], command[64];
    MashText problem = text_over(memory, sizeof memory);
    unsigned long matches = count > 1 ? strtoul(words[1], NULL, 10) : 100000;
    const char *program = count > 2 ? words[2] : "build/release/mashup";
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(place, sizeof place, "embedded:%s", folder);
    StoreSetup setup = store_setup(place);
    Store *store = store_open(&setup, &problem);
    if (store == NULL) {
        fprintf(stderr, "bench_rest: %s\n", memory);
        return 1;
    }
    store_close(store);
    long before = measure(program, folder, 0);
    if (!fill(folder, matches))
        return 1;
    long after = measure(program, folder, matches);
    printf("%.1f bytes of memory each\n", (double)(after - before) * 1024 / (double)matches);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}
