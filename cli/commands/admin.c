/* admin.c -- mashup admin: requests of an operator to a running server: list, export and end
 * matches, bans, shutdown, and backups of its folder. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "server/server.h"
#include "store/store.h"

enum {
    LINE_BYTES = 512,
    PIECE_BYTES = 1 << 16,
    PROBLEM_BYTES = 2048,
    DRAIN_SECONDS = 600,
    WORDS_MAX = 16
};

/* A subcommand of `admin`, its number of positional arguments, and its function. */
typedef struct AdminTask {
    const char *word;
    uint32_t least, most;
    int (*run)(const Arguments *given);
} AdminTask;

/* The folder of the server. */
static const char *folder_of(const Arguments *given) {
    const char *folder = flag_text(given, "data");
    return folder == NULL ? "mashup-data" : folder;
}

/* --- Requests to the server ------------------------------------------------------------------- */

/* A connection to the admin socket; -1: an error was printed. */
static int connect_admin(const char *folder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/admin.sock", folder);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (length < 0 || (size_t)length >= sizeof address.sun_path)
        fprintf(stderr, "mashup admin: the path %s/admin.sock is too long for a socket\n", folder);
    else if (descriptor < 0 ||
             connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        fprintf(stderr,
                "mashup admin: cannot connect to %s: %s. Is a server running with --data %s, and "
                "are you its user?\n",
                address.sun_path, strerror(errno), folder);
    else
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* The server's whole answer, in memory that the caller frees; NULL: none. */
static char *read_reply(int admin, size_t *count) {
    char *all = NULL;
    size_t room = 0;
    *count = 0;
    for (;;) {
        if (room - *count < PIECE_BYTES) {
            room = room * 2 + PIECE_BYTES;
            char *grown = realloc(all, room + 1);
            if (grown == NULL)
                break;
            all = grown;
        }
        ssize_t got = read(admin, all + *count, PIECE_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        *count += (size_t)got;
    }
    if (all != NULL)
        all[*count] = '\0';
    return all;
}

/* Writes the answer to the file, or to stdout. */
static int write_file(const char *bytes, size_t count, const char *path) {
    FILE *file = path == NULL ? stdout : fopen(path, "wb");
    bool written = file != NULL && fwrite(bytes, 1, count, file) == count;
    if (file != NULL && (path == NULL ? fflush(file) : fclose(file)) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "mashup admin: cannot write %s: %s\n", path == NULL ? "the answer" : path,
                strerror(errno));
    return written ? CLI_FINE : CLI_CHECK_FAILED;
}

/* What follows the first line, or the error message in it. */
static int send_line(char *answer, size_t count, const char *path) {
    char *end = answer == NULL ? NULL : memchr(answer, '\n', count);
    if (end == NULL) {
        fprintf(stderr, "mashup admin: the server gave no answer\n");
        return CLI_CHECK_FAILED;
    }
    *end = '\0';
    if (strncmp(answer, "no: ", 4) == 0) {
        fprintf(stderr, "mashup admin: %s\n", answer + 4);
        return CLI_CHECK_FAILED;
    }
    if (strncmp(answer, "ok ", 3) == 0)
        printf("%s\n", answer + 3);
    return write_file(end + 1, count - (size_t)(end + 1 - answer), path);
}

/* Sends one line to the admin socket of the server in `folder`, and prints the answer or writes it
 * to `path`. An exit code. */
static int ask(const char *folder, const char *line, const char *path) {
    size_t count = 0;
    int admin = connect_admin(folder);
    if (admin < 0)
        return CLI_CHECK_FAILED;
    char *answer = NULL;
    if (send(admin, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line))
        answer = read_reply(admin, &count);
    close(admin);
    int code = send_line(answer, count, path);
    free(answer);
    return code;
}

/* Who sends the request, for the audit file: under sudo the user who called it. */
static const char *user_name(void) {
    const char *name = getenv("SUDO_USER");
    if (name == NULL)
        name = getenv("LOGNAME");
    return name == NULL || name[0] == '\0' || strpbrk(name, " \t\n") != NULL ? "operator" : name;
}

/* Sends the arguments unchanged. */
static int ask_words(const Arguments *given) {
    char memory[LINE_BYTES];
    MashText line = text_over(memory, sizeof memory);
    text_format(&line, "@%s", user_name());
    for (uint32_t i = 0; i < given->count; i++)
        text_format(&line, " %s", given->words[i]);
    text_byte(&line, '\n');
    if (line.truncated || strchr(memory, '\n') != memory + line.count - 1)
        return cli_wrong_use(given->command, "too long, or contains a line break");
    return ask(folder_of(given), memory, flag_text(given, "output"));
}

/* Requests a drain of this many seconds: --seconds, or DRAIN_SECONDS. */
static int drain(const Arguments *given) {
    char line[LINE_BYTES];
    snprintf(line, sizeof line, "@%s drain %u\n", user_name(),
             (unsigned)flag_number(given, "seconds"));
    return ask(folder_of(given), line, NULL);
}

/* --- Backups ---------------------------------------------------------------------------------- */

/* Copies a folder and prints what was copied. */
static bool copy(const char *from, const char *to) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    StoreBackupStats copied;
    if (!store_backup(from, to, &copied, &problem)) {
        fprintf(stderr, "mashup admin: %s\n", memory);
        return false;
    }
    printf("%s -> %s: %llu journal segments, %llu finished matches, %llu bytes\n", from, to,
           (unsigned long long)copied.segments, (unsigned long long)copied.files,
           (unsigned long long)copied.bytes);
    return true;
}

/* Backs up the folder of a server, running or not. */
static int backup(const Arguments *given) {
    return copy(folder_of(given), given->words[1]) ? CLI_FINE : CLI_CHECK_FAILED;
}

/* Prints what is in the folder, by opening it as a server would. */
static int check_folder(const char *folder) {
    char memory[PROBLEM_BYTES], place[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    snprintf(place, sizeof place, "embedded:%s", folder);
    StoreSetup setup = store_setup(place);
    Store *store = store_open(&setup, &problem);
    if (store == NULL) {
        fprintf(stderr, "mashup admin: cannot open the restored folder: %s\n", memory);
        return CLI_CHECK_FAILED;
    }
    uint32_t open = 0, broken = 0;
    StoreMatch match;
    while (store_next_match(store, &match)) {
        open++;
        broken += match.health == STORE_BROKEN;
    }
    store_close(store);
    printf("%s is OK: %u matches can be resumed, %u are damaged\n", folder, open - broken, broken);
    return broken == 0 ? CLI_FINE : CLI_CHECK_FAILED;
}

/* Restores a backup to where a server will look for it, and checks that it opens. */
static int restore(const Arguments *given) {
    struct stat found;
    const char *folder = folder_of(given);
    if (stat(given->words[1], &found) != 0 || !S_ISDIR(found.st_mode)) {
        fprintf(stderr, "mashup admin: %s is not a backup folder\n", given->words[1]);
        return CLI_CHECK_FAILED;
    }
    return copy(given->words[1], folder) ? check_folder(folder) : CLI_CHECK_FAILED;
}

/* --- A store that nodes share ----------------------------------------------------------------- */

/* Prints a sentence of the store. */
static void print_sentence(void *owner, const char *sentence) {
    (void)owner;
    printf("%s\n", sentence);
}

/* store upgrade makes or updates the tables of a database; store check looks at its settings. */
static int store(const Arguments *given) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    const char *place = flag_text(given, "store"), *word = given->words[1];
    uint32_t unsafe = 0;
    bool upgrades = strcmp(word, "upgrade") == 0;
    if (!upgrades && strcmp(word, "check") != 0)
        return cli_wrong_use(given->command, "admin store: choose upgrade or check, not \"%s\"",
                             word);
    if (place == NULL)
        return cli_wrong_use(given->command, "admin store %s needs --store, as for mashup serve",
                             word);
    bool done = upgrades ? store_upgrade(place, print_sentence, NULL, &problem)
                         : store_check(place, print_sentence, NULL, &unsafe, &problem);
    if (!done) {
        fprintf(stderr, "mashup admin: %s\n", memory);
        return CLI_CHECK_FAILED;
    }
    if (!upgrades)
        printf("%u unsafe settings\n", unsafe);
    return unsafe == 0 ? CLI_FINE : CLI_CHECK_FAILED;
}

/* `push-key`: makes the key for Web Push in the data folder, never a second one. */
static int push_key(const Arguments *given) {
    char memory[512], name[512];
    MashText problem = text_over(memory, sizeof memory), path = text_over(name, sizeof name);
    const char *folder = flag_text(given, "data");
    bool made = server_make_push_key(folder == NULL ? "mashup-data" : folder, &path, &problem);
    if (made)
        printf("%s is made: the server offers Web Push after its next start; copy the file to all "
               "nodes of a cluster, and keep it secret\n",
               name);
    else
        fprintf(stderr, "mashup admin: %s\n", memory);
    return made ? CLI_FINE : CLI_CHECK_FAILED;
}

/* --- The command ------------------------------------------------------------------------------ */

static const AdminTask tasks[] = {
    {"list", 1, 1, ask_words},
    {"people", 1, 1, ask_words},
    {"end", 3, 3, ask_words},
    {"end-all", 2, 2, ask_words},
    {"export", 2, 2, ask_words},
    {"kick", 2, WORDS_MAX, ask_words},
    {"ban", 2, WORDS_MAX, ask_words},
    {"unban", 2, 2, ask_words},
    {"mute", 2, WORDS_MAX, ask_words},
    {"unmute", 2, 2, ask_words},
    {"bans", 1, 1, ask_words},
    {"limits", 1, 3, ask_words},
    {"reload", 1, 1, ask_words},
    {"prune", 2, 2, ask_words},
    {"drain", 1, 1, drain},
    {"tournaments", 1, 1, ask_words},
    {"tournament", 3, WORDS_MAX, ask_words},
    {"reports", 1, 2, ask_words},
    {"report-close", 3, WORDS_MAX, ask_words},
    {"backup", 2, 2, backup},
    {"restore", 2, 2, restore},
    {"store", 2, 2, store},
    {"push-key", 1, 1, push_key},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

static const Flag flags[] = {FLAG_TEXT("data"), FLAG_TEXT("output"),
                             FLAG_WHOLE("seconds", 0, 86400, DRAIN_SECONDS), FLAG_TEXT("store"),
                             FLAGS_END};

static int run(const Arguments *given) {
    const char *names[TASKS];
    for (uint32_t i = 0; i < TASKS; i++) {
        names[i] = tasks[i].word;
        if (strcmp(given->words[0], tasks[i].word) != 0)
            continue;
        if (given->count < tasks[i].least || given->count > tasks[i].most)
            return cli_wrong_use(given->command, "admin %s takes %u%s arguments, not %u",
                                 tasks[i].word, tasks[i].least - 1,
                                 tasks[i].most > tasks[i].least ? " or more" : "",
                                 given->count - 1);
        return tasks[i].run(given);
    }
    char memory[512];
    MashText text = text_over(memory, sizeof memory);
    cli_suggest(&text, given->words[0], names, TASKS);
    return cli_wrong_use(given->command, "unknown admin command \"%s\"%s", given->words[0], memory);
}

const Command command_admin = {
    "admin",
    "Manages a running server: matches, bans, backups.",
    "admin list|people|end|end-all|export|kick|ban|unban|mute|unmute|\n"
    "            bans|tournaments|tournament|reports|report-close|limits|prune|\n"
    "            reload|drain|backup|restore|store|push-key ...\n"
    "            [--data DIR] [--store PLACE]",
    run,
    flags,
    1,
    WORDS_MAX,
    NULL};
