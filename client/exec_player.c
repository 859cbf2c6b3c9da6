/* exec_player.c -- see exec_player.h. */
#define _GNU_SOURCE
#include "client/exec_player.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "client/exec_command.h"
#include "proto/action.h"

enum {
    ANSWER_BYTES = 1 << 16, /* of one line of the program */
    TEXT_BYTES = 1 << 16,   /* of a line for it, to begin with */
    SHOWN_BYTES = 80,       /* of an answer, in a problem */
    BYTE_WORDS = 4,         /* how long a byte is that cannot be shown */
    NODES_MAX = 256,        /* values of an answer */
    GOODBYE_MS = 500,       /* between the end of its input and its end */
    END_BYTES = 64,
    PROBLEM_BYTES = 512,
    WRAPPING_BYTES = 256, /* what is put around a command */
    NOTHING = -1,
};

/* See exec_player.h. */
struct ExecPlayer {
    char *command;
    _Atomic pid_t process; /* NOTHING: it is not running */
    atomic_bool interrupted;
    int in, out; /* its standard input and output */
    char answer[ANSWER_BYTES + 1];
    uint32_t answer_count; /* bytes that were read and not used yet */
    char *text;
    uint32_t text_max;
    void *memory; /* of positions and lists of actions */
    const MashContent *memory_for;
    MashAction *list;
    int record; /* a copy of its output goes there */
    bool spoke;
    uint32_t refusals;
    char end[END_BYTES]; /* how it ended, once it has */
    char *begun;         /* the line that began this match */
    bool older;          /* it has run since an earlier match and not answered in this one yet */
};

extern char **environ;

/* Milliseconds of a clock that never goes back. */
static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- The process ------------------------------------------------------------------------------ */

ExecPlayer *exec_player_open(const char *command) {
    ExecPlayer *player = calloc(1, sizeof *player);
    size_t max = 4 * strlen(command) + WRAPPING_BYTES;
    char *copy = player == NULL ? NULL : malloc(max);
    if (copy == NULL) {
        free(player);
        return NULL;
    }
    MashText text = text_over(copy, (uint32_t)max);
    exec_command_write(&(ExecSurroundings){.folder = NULL}, command, &text);
    player->command = copy;
    player->process = player->in = player->out = player->record = NOTHING;
    return player;
}

/* Closes a descriptor if it is open. */
static void close_end(int *end) {
    if (*end != NOTHING)
        close(*end);
    *end = NOTHING;
}

/* Starts the command with these ends of two pipes, as the leader of a group of its own. */
static bool spawn(ExecPlayer *player, int in, int out) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    char *words[] = {(char[]){"sh"}, (char[]){"-c"}, player->command, NULL};
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    pid_t process = NOTHING;
    int failed = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed == 0)
        player->process = process;
    if (failed == 0 &&
        player->interrupted) /* whoever interrupts sees the process, or we see this */
        kill(-process, SIGKILL);
    return failed == 0;
}

/* Starts the program unless it is running. False: it cannot, see the problem. */
static bool start(ExecPlayer *player, MashText *problem) {
    int to[2], from[2];
    if (player->process != NOTHING)
        return true;
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(to, O_CLOEXEC) != 0) {
        text_format(problem, "cannot start the program: %s", strerror(errno));
        return false;
    }
    bool fine = pipe2(from, O_CLOEXEC) == 0;
    if (fine) {
        fine = spawn(player, to[0], from[1]);
        close(from[1]);
        player->out = from[0];
    }
    if (!fine)
        text_format(problem, "cannot start the program: %s", strerror(errno));
    close(to[0]);
    player->in = to[1];
    player->answer_count = 0;
    player->spoke = false;
    if (!fine || fcntl(player->in, F_SETFL, O_NONBLOCK) != 0) {
        close_end(&player->in);
        close_end(&player->out);
    }
    return fine;
}

/* Waits for the end of the process, at most so long. False: it is still running. */
static bool ended(ExecPlayer *player, uint32_t limit_ms, int *status) {
    uint64_t until = now_ms() + limit_ms;
    while (waitpid(player->process, status, WNOHANG) == 0) {
        if (now_ms() >= until)
            return false;
        poll(NULL, 0, 5);
    }
    return true;
}

/* Ends the process and all of its group; its status. */
static int stop(ExecPlayer *player, uint32_t patience_ms) {
    int status = 0;
    close_end(&player->in);
    if (player->process != NOTHING) {
        bool gone = ended(player, patience_ms, &status);
        kill(-player->process, SIGKILL);
        if (!gone)
            waitpid(player->process, &status, 0);
        player->process = NOTHING;
    }
    close_end(&player->out);
    return status;
}

void exec_player_close(ExecPlayer *player) {
    if (player == NULL)
        return;
    stop(player, GOODBYE_MS);
    free(player->command);
    free(player->text);
    free(player->begun);
    free(player->memory);
    free(player);
}

void exec_player_interrupt(ExecPlayer *player) {
    player->interrupted = true;
    pid_t process = player->process;
    if (process != NOTHING)
        kill(-process, SIGKILL);
}

void exec_player_record(ExecPlayer *player, int descriptor) { player->record = descriptor; }
bool exec_player_spoke(const ExecPlayer *player) { return player->spoke; }
uint32_t exec_player_refusals(const ExecPlayer *player) { return player->refusals; }

/* The program is gone: says how it ended. */
static ExecAnswer report_end(ExecPlayer *player, MashText *problem) {
    MashText end = text_over(player->end, sizeof player->end);
    int status = stop(player, GOODBYE_MS);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        text_string(&end, "the program used up its time of the processor (cpu_s)");
    else if (WIFSIGNALED(status))
        text_format(&end, "the program ended by signal %d", WTERMSIG(status));
    else
        text_format(&end, "the program ended with code %d", WEXITSTATUS(status));
    text_string(problem, player->end);
    return EXEC_ENDED;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Waits until the descriptor can be read or written, at most until then. */
static bool wait_for(int end, short events, uint64_t until) {
    for (;;) {
        uint64_t now = now_ms();
        struct pollfd one = {.fd = end, .events = events};
        int ready = poll(&one, 1, now < until ? (int)(until - now) : 0);
        if (ready > 0 || (ready == 0 && now_ms() >= until))
            return ready > 0;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

/* Sends a line. EXEC_CHOSEN: it is sent. */
static ExecAnswer send_line(ExecPlayer *player, const char *line, uint64_t until) {
    size_t count = strlen(line), sent = 0;
    while (sent <= count) {
        const char *from = sent == count ? "\n" : line + sent;
        ssize_t some = write(player->in, from, sent == count ? 1 : count - sent);
        if (some > 0)
            sent += (size_t)some;
        else if (some < 0 && errno == EAGAIN && !wait_for(player->in, POLLOUT, until))
            return EXEC_LATE;
        else if (some < 0 && errno != EAGAIN && errno != EINTR)
            return EXEC_ENDED;
    }
    return EXEC_CHOSEN;
}

/* Takes the first line of what was read, without its end. False: there is none yet. */
static bool take_line(ExecPlayer *player, char *out) {
    char *end = memchr(player->answer, '\n', player->answer_count);
    if (end == NULL)
        return false;
    size_t count = (size_t)(end - player->answer);
    memcpy(out, player->answer, count);
    out[count] = '\0';
    if (count > 0 && out[count - 1] == '\r')
        out[count - 1] = '\0';
    player->answer_count -= (uint32_t)count + 1;
    memmove(player->answer, end + 1, player->answer_count);
    return true;
}

/* So many bytes more of its output have come. */
static void keep_output(ExecPlayer *player, uint32_t count) {
    const char *from = player->answer + player->answer_count;
    player->answer_count += count;
    player->spoke = true;
    if (player->record != NOTHING && write(player->record, from, count) < 0)
        player->record = NOTHING; /* a full disk does not end a match */
}

/* Reads a line. EXEC_CHOSEN: it is in `out`; EXEC_ILLEGAL: it is too long. */
static ExecAnswer read_line(ExecPlayer *player, char out[ANSWER_BYTES + 1], uint64_t until) {
    while (!take_line(player, out)) {
        if (player->answer_count == ANSWER_BYTES)
            return EXEC_ILLEGAL;
        if (!wait_for(player->out, POLLIN, until))
            return EXEC_LATE;
        ssize_t count = read(player->out, player->answer + player->answer_count,
                             ANSWER_BYTES - player->answer_count);
        if (count == 0 || (count < 0 && errno != EINTR))
            return EXEC_ENDED;
        if (count > 0)
            keep_output(player, (uint32_t)count);
    }
    return EXEC_CHOSEN;
}

/* Writes a text of any length into player->text. False: no memory. */
static bool write_text(ExecPlayer *player, void (*put)(ExecPlayer *, const void *, MashText *),
                       const void *what) {
    for (;;) {
        if (player->text_max > 0) {
            MashText text = text_over(player->text, player->text_max);
            put(player, what, &text);
            if (!text.truncated)
                return true;
        }
        uint32_t more = player->text_max == 0 ? TEXT_BYTES : 2 * player->text_max;
        char *memory = realloc(player->text, more);
        if (memory == NULL)
            return false;
        player->text = memory;
        player->text_max = more;
    }
}

/* Writes a line into player->text and sends it. */
static ExecAnswer tell(ExecPlayer *player, void (*put)(ExecPlayer *, const void *, MashText *),
                       const void *what, uint64_t until) {
    return write_text(player, put, what) ? send_line(player, player->text, until) : EXEC_ENDED;
}

/* --- What is sent ----------------------------------------------------------------------------- */

/* The table, with the keys of the arena's message. */
static void put_table(ExecPlayer *player, const void *what, MashText *text) {
    const ExecTable *table = what;
    const MashGame *game = table->content->game;
    JsonWriter writer = json_writer(text, 0);
    (void)player;
    json_open(&writer, '{');
    json_put_pair(&writer, "type", "table");
    JSON_PUT_INTS(&writer, {"you", table->you});
    json_put_pair(&writer, "game", game->id);
    json_put_pair_int(&writer, "version", game->version);
    if (table->preset == NULL || table->preset[0] != '\0')
        json_put_pair(&writer, "preset",
                      table->preset == NULL ? game->presets[0].id : table->preset);
    else {
        json_put_key(&writer, "documents");
        message_put_documents(&writer, table->documents, table->documents_count);
    }
    json_put_key(&writer, "options");
    json_open(&writer, '{');
    for (uint32_t i = 0; i < game->options_count; i++)
        json_put_pair_int(&writer, game->options[i].id, table->options[i]);
    json_close(&writer, '}');
    JSON_PUT_INTS(&writer, {"turn_ms", table->turn_ms}, {"match_ms", table->match_ms});
    json_close(&writer, '}');
}

/* A position with words, and with the view as bytes. */
static void put_position(ExecPlayer *player, const void *what, MashText *text) {
    Position position = *(const Position *)what;
    position.form = PROTO_FORM_JSON;
    position.words = position.with_view = true;
    position_write(&position, player->memory, text);
}

/* A refusal in the arena's words; `what` is the sentence. */
static void put_refusal(ExecPlayer *player, const void *what, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    (void)player;
    json_open(&writer, '{');
    json_put_pair(&writer, "type", "refused");
    json_put_pair(&writer, "to", "act");
    json_put_pair(&writer, "reason", what);
    json_close(&writer, '}');
}

/* The program has ended since its last match: starts it again and tells it of this one. EXEC_ENDED:
 * it was started for this match, or cannot start; see the problem. */
static ExecAnswer start_again(ExecPlayer *player, uint64_t until, MashText *problem) {
    if (!player->older || player->interrupted)
        return EXEC_ENDED;
    player->older = false;
    stop(player, GOODBYE_MS);
    return start(player, problem) ? send_line(player, player->begun, until) : EXEC_ENDED;
}

/* Keeps the line that begins a match. False: no memory. */
static bool keep_begun(ExecPlayer *player) {
    free(player->begun);
    player->begun = strdup(player->text);
    return player->begun != NULL;
}

/* Memory for positions of this content. False: there is none. */
static bool prepare(ExecPlayer *player, const MashContent *content) {
    size_t position = align_16(position_bytes(content));
    size_t list = content->limits.actions_max * sizeof(MashAction);
    if (player->memory_for == content)
        return true;
    free(player->memory);
    player->memory = aligned_alloc(64, (position + list + 64) / 64 * 64);
    player->memory_for = player->memory == NULL ? NULL : content;
    player->list = player->memory == NULL ? NULL : (void *)((uint8_t *)player->memory + position);
    return player->memory != NULL;
}

bool exec_player_begin(ExecPlayer *player, const ExecTable *table, uint32_t limit_ms,
                       MashText *problem) {
    player->memory_for = NULL; /* another content may have come to the same place */
    player->older = player->process != NOTHING;
    if (!prepare(player, table->content) || !write_text(player, put_table, table) ||
        !keep_begun(player)) {
        text_string(problem, "out of memory");
        return false;
    }
    if (!start(player, problem))
        return false;
    ExecAnswer told = send_line(player, player->begun, now_ms() + limit_ms);
    if (told == EXEC_ENDED)
        told = start_again(player, now_ms() + limit_ms, problem);
    if (told == EXEC_CHOSEN)
        return true;
    if (told == EXEC_LATE) {
        text_string(problem, "the program does not read its input");
        stop(player, 0);
    } else {
        report_end(player, problem);
    }
    return false;
}

void exec_player_end(ExecPlayer *player, const Position *position, uint32_t limit_ms) {
    if (player->process != NOTHING && prepare(player, position->content))
        tell(player, put_position, position, now_ms() + limit_ms);
}

/* --- What it answers -------------------------------------------------------------------------- */

/* An answer as a sentence may show it: bytes that are no letters as \xNN, and not all of a long
 * one. */
static void show(const char *bytes, uint32_t count, char out[SHOWN_BYTES + 1]) {
    MashText text = text_over(out, SHOWN_BYTES + 1);
    for (uint32_t i = 0; i < count && text.count + BYTE_WORDS <= SHOWN_BYTES;) {
        uint32_t length = utf8_length(bytes + i, count - i);
        uint32_t code = length == 0 ? 0 : utf8_decode(bytes + i, length);
        if (code < ' ' || (code >= 0x7F && code < 0xA0)) {
            text_string(&text, "\\x");
            text_hex(&text, (uint8_t)bytes[i++], 2);
        } else {
            text_bytes(&text, bytes + i, length);
            i += length;
        }
    }
}

/* Writes that an answer is no legal action. */
static void reject(const char *answer, MashText *problem) {
    char shown[SHOWN_BYTES + 1];
    show(answer, (uint32_t)strlen(answer), shown);
    text_format(problem, "\"%s\" is no legal action", shown);
}

/* The action of an object as in `act`. False: it is not one, see the problem. */
static bool read_object(ExecPlayer *player, const Position *position, const char *line,
                        MashAction *out, MashText *problem) {
    JsonNode nodes[NODES_MAX];
    MashProblem kept;
    MashProblems problems = {.list = &kept, .max = 1};
    ActionRead read;
    Json json;
    if (!json_read(&json, "answer", line, (uint32_t)strlen(line), nodes, NODES_MAX, &problems) ||
        !action_read(&json, 0, &read, &problems)) {
        text_format(problem, "column %u: %s%s%s", (unsigned)kept.column, kept.path,
                    kept.path[0] == '\0' ? "" : ": ", kept.reason);
        return false;
    }
    read.action.seat = position->seat;
    *out = read.action;
    if (read.word[0] == '\0' || action_find(position->content, position->view, position->seat,
                                            read.word, player->list, out))
        return true;
    reject(read.word, problem);
    return false;
}

/* The legal action of a line. False: it is none, see the problem. */
static bool read_action(ExecPlayer *player, const Position *position, const char *line,
                        MashAction *out, MashText *problem) {
    const MashContent *content = position->content;
    if (line[0] == '{') {
        if (!read_object(player, position, line, out, problem))
            return false;
    } else if (!action_find(content, position->view, position->seat, line, player->list, out)) {
        reject(line, problem);
        return false;
    }
    MashStatus status = out->verb >= MASH_VERB_RESIGN
                            ? MASH_NO_SUCH_ACTION
                            : content->game->check(content, position->view, *out);
    if (status != MASH_OK)
        text_string(problem, mash_status_sentence(status));
    return status == MASH_OK;
}

/* Asks once. EXEC_ILLEGAL: the problem says why the answer cannot be taken. */
static ExecAnswer ask(ExecPlayer *player, const Position *position, uint64_t until, MashAction *out,
                      MashText *problem) {
    char line[ANSWER_BYTES + 1];
    ExecAnswer answer = tell(player, put_position, position, until);
    if (answer == EXEC_CHOSEN)
        answer = read_line(player, line, until);
    if (answer == EXEC_ENDED && start_again(player, until, problem) == EXEC_CHOSEN)
        return ask(player, position, until, out, problem);
    player->older = false;
    if (answer == EXEC_ILLEGAL)
        text_format(problem, "a line of more than %d bytes", ANSWER_BYTES);
    if (answer != EXEC_CHOSEN)
        return answer;
    return read_action(player, position, line, out, problem) ? EXEC_CHOSEN : EXEC_ILLEGAL;
}

/* Says that there was no answer in time, and what there was instead. */
static void report_late(const ExecPlayer *player, uint32_t limit_ms, MashText *problem) {
    char shown[SHOWN_BYTES + 1];
    show(player->answer, player->answer_count, shown);
    text_clear(problem);
    text_format(problem, "the program gave no answer within %u ms", (unsigned)limit_ms);
    if (player->answer_count > 0)
        text_format(problem, ": \"%s\" has no newline at its end", shown);
}

ExecAnswer exec_player_choose(ExecPlayer *player, const Position *position, uint32_t limit_ms,
                              MashAction *out, MashText *problem) {
    uint64_t until = now_ms() + limit_ms;
    ExecAnswer answer = EXEC_ENDED;
    if (player->process == NOTHING || !prepare(player, position->content)) {
        text_string(problem, player->end[0] == '\0' ? "the program is not running" : player->end);
        return EXEC_ENDED;
    }
    for (int strikes = 0; strikes < EXEC_STRIKES; strikes++) {
        text_clear(problem);
        player->refusals += strikes > 0;
        answer = ask(player, position, until, out, problem);
        if (answer == EXEC_ILLEGAL)
            answer = tell(player, put_refusal, problem->bytes, until) == EXEC_CHOSEN ? EXEC_ILLEGAL
                                                                                     : EXEC_ENDED;
        if (answer != EXEC_ILLEGAL)
            break;
    }
    player->refusals += answer == EXEC_ILLEGAL;
    if (answer == EXEC_ENDED) {
        text_clear(problem); /* of a refusal that it did not stay for */
        return report_end(player, problem);
    }
    if (answer == EXEC_LATE)
        report_late(player, limit_ms, problem);
    if (answer == EXEC_ILLEGAL) {
        char last[PROBLEM_BYTES];
        snprintf(last, sizeof last, "%s", problem->bytes);
        text_clear(problem);
        text_format(problem, "%d illegal answers in a row, the last: %s", EXEC_STRIKES, last);
    }
    if (answer != EXEC_CHOSEN)
        stop(player, 0);
    return answer;
}
