/* players.c -- many accounts and archived matches: `bench_players ACCOUNTS MATCHES [MASHUP]`.
 *
 * Makes a data folder with that many, by the tables of the store itself, starts the server there
 * and without them, and prints how long each start took until it answered, the processor time of
 * an answer about players, and the server's memory before and after all of them. Player 1 is in
 * every hundredth match; most ratings are too old for a leaderboard, in one game all of them.
 * The archive has its index, not the files: no answer here reads them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/index.h"
#include "store/store.h"
#include "tests/support/support.h"

enum { PORT = 18778, TRIES = 3000, AT_ONCE = 5000, ASKED = 300, ROUNDS = 10 };

/* The time at which the last match ended, in SQL. */
#define NOW_MS "(unixepoch() * 1000)"
static double now_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- Filling ---------------------------------------------------------------------------------- */

/* Runs statements in which $A is the number of accounts and $M that of matches. */
static bool run(sqlite3 *base, const char *sql, unsigned long accounts, unsigned long matches) {
    char memory[4096], number[24];
    MashText text = text_over(memory, sizeof memory);
    for (; *sql != '\0'; sql++) {
        if (sql[0] != '$') {
            text_byte(&text, *sql);
            continue;
        }
        snprintf(number, sizeof number, "%lu", *++sql == 'A' ? accounts : matches);
        text_string(&text, number);
    }
    char *problem = NULL;
    bool done = sqlite3_exec(base, memory, NULL, NULL, &problem) == SQLITE_OK;
    if (!done)
        fprintf(stderr, "bench_players: %s in %s\n", problem, memory);
    return done;
}

/* Accounts, with their names folded as the server does it, four ratings of each, and two lines of
 * history for each match. */
static bool fill_players(const char *folder, unsigned long accounts, unsigned long matches) {
    static const char *const steps[] = {
        "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY; BEGIN",
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $A) INSERT INTO "
         "account(id, name, folded, program, private, made_ms, renamed_ms, password) SELECT i, "
         "CAST('Player ' || i AS BLOB), CAST(replace(replace('player' || i, '1', 'l'), '0', 'o') "
         "AS BLOB), 0, 0, 1, 0, x'' FROM n"),
        /* Two of ten are certain; of Tablut nobody is any more. */
        ("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4 * $A - 1) "
         "INSERT INTO rating SELECT i / 4 + 1, CASE i % 4 WHEN 0 THEN x'7a6f726465' WHEN 1 THEN "
         "x'67656e6572616c73' WHEN 2 THEN x'7461626c7574' ELSE x'626174746c6567726f756e64' END, 1, "
         "0, 1500000000 + i * 7919 % 600000000, 60000000, 60000000000, " NOW_MS
         " + CASE WHEN i % 4 <> 2 AND i / 4 % 10 < 2 THEN 86400000 ELSE -86400000 END, " NOW_MS
         " - 86400000, 10, 10, 5, 0, 5, 1, 3 FROM n"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $M), m(i, a, b) "
         "AS (SELECT i, CASE i % 100 WHEN 0 THEN 1 ELSE i % ($A - 2) + 2 END, i * 7919 % ($A - 2) "
         "+ "
         "2 FROM n), s(i, seat, a, b) AS (SELECT i, 0, a, b FROM m UNION ALL SELECT i, 1, b, a "
         "FROM "
         "m) INSERT OR IGNORE INTO played(account, ended_ms, match, seat, game, pace, other, "
         "other_name, result, rated, weight, rating, change) SELECT a, " NOW_MS
         " - ($M - i) * 60000, i, seat, CASE i "
         "% 4 WHEN 0 THEN x'7a6f726465' WHEN 1 THEN x'67656e6572616c73' WHEN 2 THEN "
         "x'7461626c7574' "
         "ELSE x'626174746c6567726f756e64' END, 1, b, x'', seat * 2, 1, 100, 1500000000, "
         "5000000 FROM s ORDER BY 1, 2, 3"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $M) INSERT INTO "
         "counted SELECT i, 1500000000, 5000000, 1500000000, -5000000 FROM n"),
        "COMMIT"};
    char path[512];
    sqlite3 *base;
    snprintf(path, sizeof path, "%s/players.sqlite", folder);
    bool filled = sqlite3_open(path, &base) == SQLITE_OK;
    for (size_t i = 0; filled && i < sizeof steps / sizeof *steps; i++)
        filled = run(base, steps[i], accounts, matches);
    sqlite3_close(base);
    return filled;
}

/* The match with this number. */
static void make_entry(uint64_t number, unsigned long accounts, StoreEntry *entry) {
    static const char *const games[] = {"zorde", "generals", "tablut", "battleground"};
    *entry = (StoreEntry){.match = number,
                          .started_ms = 1700000000000 + number * 1000,
                          .ended_ms = 1700000060000 + number * 1000,
                          .players_count = 2,
                          .winner = 1,
                          .actions = 40,
                          .reason = "resigned",
                          .players = {{"", "person"}, {"", "person"}}};
    snprintf(entry->game, sizeof entry->game, "%s", games[number % 4]);
    uint64_t first = number % 100 == 0 ? 1 : number % (accounts - 2) + 2;
    snprintf(entry->players[0].name, sizeof entry->players[0].name, "Player %lu", first);
    snprintf(entry->players[1].name, sizeof entry->players[1].name, "Player %lu",
             number * 7919 % (accounts - 2) + 2);
}

/* The archive's index. */
static bool fill_archive(const char *folder, unsigned long accounts, unsigned long matches,
                         MashText *problem) {
    static StoreEntry entries[AT_ONCE];
    const StoreEntry *list[AT_ONCE];
    char path[512];
    snprintf(path, sizeof path, "%s/index.sqlite", folder);
    Index *index = index_open(path, true, problem);
    bool filled = index != NULL;
    for (uint64_t number = 1; filled && number <= matches;) {
        size_t count = 0;
        for (; count < AT_ONCE && number <= matches; count++, number++) {
            make_entry(number, accounts, &entries[count]);
            list[count] = &entries[count];
        }
        filled = index_add(index, list, count, problem) == ARCHIVE_OK;
    }
    index_close(index);
    return filled;
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* Asks for a path; the length of the answer, with its headers. 0 = nobody answers. */
static size_t ask(const char *path, bool *fine) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    char bytes[65536];
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t count = 0;
    if (connect(line, (struct sockaddr *)&to, sizeof to) == 0) {
        int size =
            snprintf(bytes, sizeof bytes,
                     "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
        if (write(line, bytes, (size_t)size) == size)
            for (ssize_t got; (got = read(line, bytes, sizeof bytes)) > 0; count += (size_t)got)
                *fine = *fine && (count > 0 || memcmp(bytes, "HTTP/1.1 200", 12) == 0);
    }
    close(line);
    return count;
}

/* The processor time that a process has used, in s. */
static double used_s(pid_t pid) {
    clockid_t clock;
    return clock_getcpuclockid(pid, &clock) == 0 ? now_s(clock) : 0;
}

/* What is asked; %lu is the number of a player. */
typedef struct Question {
    const char *what, *path;
    bool players; /* of many players, one after the other; otherwise always of the first */
} Question;
static const Question questions[] = {
    {"nothing", "/readyz", false},
    {"a profile", "/api/v1/players/player%%20%lu", true},
    {"the profile of player 1", "/api/v1/players/player%%20%lu", false},
    {"100 matches of a player", "/api/v1/players/player%%20%lu/matches", true},
    {"100 matches of player 1", "/api/v1/players/player%%20%lu/matches", false},
    {"those of one game", "/api/v1/players/player%%20%lu/matches?game=zorde&pace=rapid", false},
    {"a curve of 500 points", "/api/v1/players/player%%20%lu/ratings?game=zorde&pace=rapid", false},
    {"a leaderboard", "/api/v1/leaderboard?game=zorde&pace=rapid", false},
    {"one where nobody is certain", "/api/v1/leaderboard?game=tablut&pace=rapid", false},
    {"one that is empty", "/api/v1/leaderboard?game=zorde&pace=days", false},
    {"100 of the archive", "/api/archive", false},
    {"100 of the archive by name", "/api/archive?player=Player%%20%lu", true},
};

/* Asks everything; false: something was not answered. */
static bool ask_all(pid_t pid, unsigned long accounts, bool prints) {
    bool fine = true;
    for (size_t i = 0; fine && i < sizeof questions / sizeof *questions; i++) {
        const Question *question = &questions[i];
        char path[256];
        size_t bytes = 0;
        double began_s = used_s(pid), from_s = now_s(CLOCK_MONOTONIC);
        for (unsigned long n = 0; fine && n < ASKED; n++) {
            unsigned long player = question->players ? n * 104729 % accounts + 1 : 1;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(path, sizeof path, question->path, player);
#pragma GCC diagnostic pop
            bytes = ask(path, &fine);
        }
        if (!fine)
            fprintf(stderr, "bench_players: %s is not answered\n", path);
        else if (prints)
            printf("| %s | %.2f | %.2f | %zu |\n", question->what,
                   (used_s(pid) - began_s) * 1000 / ASKED,
                   (now_s(CLOCK_MONOTONIC) - from_s) * 1000 / ASKED, bytes);
    }
    return fine;
}

/* Starts the server in a folder, asks, and ends it. `accounts` 0: only the start. */
static bool measure(const char *program, const char *folder, unsigned long accounts) {
    char port[16];
    bool fine = true;
    snprintf(port, sizeof port, "%d", PORT);
    double began_s = now_s(CLOCK_MONOTONIC);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execl(program, program, "serve", "--port", port, "--address", "127.0.0.1", "--data", folder,
              "--no-rates", (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < TRIES && ask("/readyz", &fine) == 0; i++)
        usleep(2000);
    printf("%lu accounts: answers after %.3f s, %.3f s of CPU, ", accounts,
           now_s(CLOCK_MONOTONIC) - began_s, used_s(pid));
    usleep(1000000);
    printf("%ld kB resident\n", support_resident_kb(pid));
    if (accounts > 0) {
        printf("| what is asked | ms of CPU | ms | bytes |\n|---|---:|---:|---:|\n");
        fine = ask_all(pid, accounts, true);
        printf("%ld kB resident after that, ", support_resident_kb(pid));
        for (int i = 0; fine && i < ROUNDS; i++)
            fine = ask_all(pid, accounts, false);
        printf("%ld kB after %d times as much\n", support_resident_kb(pid), ROUNDS);
    }
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    return fine;
}

int main(int count, char **words) {
    char memory[512], folder[] = "/tmp/mashup-players-XXXXXX", place[64], command[64];
    MashText problem = text_over(memory, sizeof memory);
    unsigned long accounts = count > 1 ? strtoul(words[1], NULL, 10) : 100000;
    unsigned long matches = count > 2 ? strtoul(words[2], NULL, 10) : 1000000;
    const char *program = count > 3 ? words[3] : "build/release/mashup";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (accounts < 10 || mkdtemp(folder) == NULL)
        return 2;
    snprintf(place, sizeof place, "embedded:%s", folder);
    StoreSetup setup = store_setup(place);
    Store *store = store_open(&setup, &problem);
    if (store != NULL) {
        store_close(store);
        bool fine = measure(program, folder, 0) && fill_players(folder, accounts, matches) &&
                    fill_archive(folder, accounts, matches, &problem);
        if (fine)
            printf("%lu accounts and %lu matches are there\n", accounts, matches);
        fine = fine && measure(program, folder, accounts);
        snprintf(command, sizeof command, "du -sm %s; rm -rf %s", folder, folder);
        return system(command) != 0 || !fine;
    }
    fprintf(stderr, "bench_players: %s\n", memory);
    return 1;
}
