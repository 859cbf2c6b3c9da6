/* standard_match.c -- see runner.h: a match with programs of the Marvelous Mashup standard.
 *
 * They are clients of a server. So one of our own is started on this machine for the match, with
 * the board of the plan, and both players connect to it: programs of the standard by their own
 * command, any other player by `mashup bot --open`, which has its seat and gives the code of the
 * table. Of two programs of the standard the first to come has the first seat. The server writes
 * the match file when the match is over. Its seed is its own; a turn has the time of the
 * player who is no program of the standard, or that of the board's document. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/match_files.h"
#include "cli/tournament/runner.h"
#include "client/exec_command.h"

enum {
    COMMAND_BYTES = 8192,
    READY_MS = 20000,   /* for the server to listen */
    SEATED_MS = 700,    /* between the first and the second player */
    PARTING_MS = 2000,  /* between the end of a program and that of its match */
    MATCH_MS = 3600000, /* for a whole match */
    LOOK_US = 20000,
    NOT_FOUND = 126, /* exit codes of the shell for commands that cannot be run: 126, 127 */
};

/* A process that was started for the match. */
typedef struct MatchChild {
    pid_t process; /* 0: it is not running */
    int status;
    bool ended;
} MatchChild;

/* A match at a server of its own. */
typedef struct StandardMatch {
    const Runner *runner;
    const GameConfig *config;
    PlayedMatch *match;
    char folder[64], program[PATH_MAX];
    uint16_t port;
    char path[64]; /* where programs of the standard connect: "", or of a table: match/CODE */
    MatchChild server, players[MASH_SEATS];
} StandardMatch;

extern char **environ;

/* --- Processes ---------------------------------------------------------------------------------
 */

/* Starts a command for the shell in a group of its own, its output going to a file. */
static bool start(MatchChild *child, char *command, const char *output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *words[] = {(char[]){"sh"}, (char[]){"-c"}, command, NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    *child = (MatchChild){0};
    bool fine = posix_spawn(&child->process, "/bin/sh", &actions, &attributes, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fine;
}

/* Has it ended? */
static bool has_ended(MatchChild *child) {
    if (!child->ended && child->process > 0)
        child->ended = waitpid(child->process, &child->status, WNOHANG) == child->process;
    return child->ended;
}

/* Ends it and all that it started. */
static void stop(MatchChild *child) {
    if (child->process <= 0)
        return;
    kill(-child->process, SIGKILL);
    if (!child->ended)
        waitpid(child->process, &child->status, 0);
    child->process = 0;
}

/* --- The server --------------------------------------------------------------------------------
 */

/* Writes the board's documents and appends the flags that name them. */
static bool put_documents(const StandardMatch *it, MashText *command) {
    static const char *const flags[][2] = {{".game.json", "--conf-match"},
                                           {".character.json", "--conf-chars"},
                                           {".scenario.json", "--conf-scenario"}};
    for (uint32_t i = 0; i < it->config->documents_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const MashDocument *document = &it->config->documents[i];
            char path[RUNNER_PATH_BYTES];
            if (!text_ends_with(document->name, flags[k][0]))
                continue;
            snprintf(path, sizeof path, "%s/%s", it->folder, document->name);
            if (!files_write(path, document->bytes, document->count))
                return false;
            text_format(command, " %s %s", flags[k][1], path);
        }
    return true;
}

/* Waits until the child has written a whole line with this word; what follows the word is copied
 * up to the end of the line. */
static bool wait_for_word(MatchChild *child, const char *output, const char *word, char *out,
                          size_t max) {
    uint64_t until = progress_clock_ms() + READY_MS;
    while (progress_clock_ms() < until && !atomic_load(&runner_stop)) {
        char text[512] = "";
        bool ended = has_ended(child);
        FILE *file = fopen(output, "r");
        size_t count = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
        if (file != NULL)
            fclose(file);
        text[count] = '\0';
        const char *found = strstr(text, word);
        if (found != NULL && strchr(found, '\n') != NULL) {
            found += strlen(word);
            snprintf(out, max, "%.*s", (int)strcspn(found, "\n"), found);
            return true;
        }
        if (ended)
            return false;
        usleep(LOOK_US);
    }
    return false;
}

/* Starts the server. */
static bool start_server(StandardMatch *it) {
    char own[COMMAND_BYTES], command[COMMAND_BYTES], output[RUNNER_PATH_BYTES], port[16];
    MashText inner = text_over(own, sizeof own), text = text_over(command, sizeof command);
    text_format(&inner,
                "exec '%s' serve --port 0 --address 127.0.0.1 --data %s/data --fast --no-rates "
                "--log-level error --pace 0 --replay %s/replay",
                it->program, it->folder, it->folder);
    snprintf(output, sizeof output, "%s/server.txt", it->folder);
    if (!put_documents(it, &inner))
        return false;
    exec_command_write(&(ExecSurroundings){.folder = NULL}, own, &text);
    if (text.truncated || !start(&it->server, command, output))
        return false;
    bool fine = wait_for_word(&it->server, output, "127.0.0.1:", port, sizeof port) ||
                wait_for_word(&it->server, output, "localhost:", port, sizeof port);
    it->port = fine ? (uint16_t)atoi(port) : 0;
    if (!fine && !atomic_load(&runner_stop))
        fprintf(stderr, "mashup: the server for match %d did not start\n", it->match->number);
    return fine;
}

/* --- The players -------------------------------------------------------------------------------
 */

/* Replaces {url}, {host}, {port}, {path} and {name} in a player's command. */
static void fill_in(const StandardMatch *it, const PlanPlayer *player, MashText *text) {
    char url[128], port[8], path[80];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/%s", it->port, it->path);
    snprintf(path, sizeof path, "/%s", it->path);
    snprintf(port, sizeof port, "%u", it->port);
    const char *const values[][2] = {{"{url}", url},
                                     {"{host}", "127.0.0.1"},
                                     {"{port}", port},
                                     {"{path}", path},
                                     {"{name}", player->name}};
    for (const char *at = player->standard; *at != '\0';) {
        uint32_t k = 0;
        while (k < 5 && strncmp(at, values[k][0], strlen(values[k][0])) != 0)
            k++;
        if (k == 5)
            text_byte(text, *at++);
        else if (k == 4)
            exec_command_quote(values[k][1], text);
        else
            text_string(text, values[k][1]);
        at += k < 5 ? strlen(values[k][0]) : 0;
    }
}

/* Our own command for a player that does not speak the standard. */
static void put_own(const StandardMatch *it, const PlanPlayer *player, uint8_t seat,
                    MashText *text) {
    text_format(text, "exec '%s' bot 127.0.0.1:%u --game %s --preset %s --open --seat %u --name ",
                it->program, it->port, it->config->game->id, it->config->preset, seat);
    exec_command_quote(player->name, text);
    /* At least a second: clients of the standard wait between their requests. */
    if (player->exec[0] != '\0')
        text_format(text, " --turn-ms %d",
                    player->turn_ms + player->startup_ms < 1000
                        ? 1000
                        : player->turn_ms + player->startup_ms);
    if (strncmp(player->level, "level", 5) == 0)
        text_format(text, " --level %s", player->level + 5);
    if (player->exec[0] != '\0') {
        text_string(text, " --exec ");
        exec_command_quote(player->exec, text);
    }
}

/* Starts the player of a seat. */
static bool start_player(StandardMatch *it, uint8_t seat) {
    const PlanPlayer *player = &it->runner->plan->players[it->match->players[seat]];
    char own[COMMAND_BYTES], command[COMMAND_BYTES], output[RUNNER_PATH_BYTES], ending[32];
    MashText inner = text_over(own, sizeof own), outer = text_over(command, sizeof command);
    if (player->standard[0] != '\0')
        fill_in(it, player, &inner);
    else
        put_own(it, player, seat, &inner);
    runner_command(it->runner, it->match, seat, own, &outer);
    snprintf(output, sizeof output, "%s/player%u.txt", it->folder, seat);
    if (it->runner->folder != NULL) {
        snprintf(ending, sizeof ending, "-%s.stdout.txt", seat == 0 ? "first" : "second");
        runner_path(it->runner->folder, "logs", it->match->number, ending, output);
    }
    if (outer.truncated || !start(&it->players[seat], command, output))
        return false;
    if (player->standard[0] != '\0') {
        usleep(SEATED_MS * 1000);
        return true;
    }
    char code[32];
    if (wait_for_word(&it->players[seat], output, "table ", code, sizeof code))
        snprintf(it->path, sizeof it->path, "match/%s", code);
    return true;
}

/* --- The match ---------------------------------------------------------------------------------
 */

/* The match file that the server has written, if it has. */
static bool find_file(const StandardMatch *it, char path[RUNNER_PATH_BYTES]) {
    char folder[RUNNER_PATH_BYTES];
    bool found = false;
    snprintf(folder, sizeof folder, "%s/replay", it->folder);
    DIR *list = opendir(folder);
    for (struct dirent *entry; !found && list != NULL && (entry = readdir(list)) != NULL;)
        if (text_ends_with(entry->d_name, ".match.json")) {
            snprintf(path, RUNNER_PATH_BYTES, "%s/replay/%s", it->folder, entry->d_name);
            found = true;
        }
    if (list != NULL)
        closedir(list);
    return found;
}

/* The seat whose program has ended; MASH_SEAT_NONE: neither has. */
static uint8_t ended_seat(StandardMatch *it) {
    if (has_ended(&it->players[0]))
        return 0;
    return has_ended(&it->players[1]) ? 1 : MASH_SEAT_NONE;
}

/* Waits for the end of the match. True: there is a file. False: a program has ended before, which
 * is the loser's seat in *loser (MASH_SEAT_NONE: nobody's, it took too long). */
static bool wait_for_end(StandardMatch *it, char path[RUNNER_PATH_BYTES], uint8_t *loser) {
    uint64_t until = progress_clock_ms() + MATCH_MS, parted = 0;
    *loser = MASH_SEAT_NONE;
    while (progress_clock_ms() < until && !atomic_load(&runner_stop) && !has_ended(&it->server)) {
        if (find_file(it, path))
            return true;
        if (*loser == MASH_SEAT_NONE) {
            parted = progress_clock_ms();
            *loser = ended_seat(it);
        }
        if (*loser != MASH_SEAT_NONE && progress_clock_ms() > parted + PARTING_MS)
            return false;
        usleep(LOOK_US);
    }
    return false;
}

/* A program has ended in the middle of the match, or did not start. */
static void note_crash(StandardMatch *it, uint8_t loser) {
    int status = it->players[loser].status;
    PlayedSide *side = &it->match->sides[loser];
    bool exited = WIFEXITED(status), missing = exited && WEXITSTATUS(status) >= NOT_FOUND;
    side->end = missing ? PLAYED_NOT_RUN : PLAYED_CRASHED;
    snprintf(side->why, sizeof side->why, "the program ended %s %d",
             exited ? "with code" : "by signal", exited ? WEXITSTATUS(status) : WTERMSIG(status));
    it->match->winner = 1 - loser;
    snprintf(it->match->reason, sizeof it->match->reason, "left");
}

/* A program cannot resign: `mashup bot` resigns for one that has failed, and says why on its
 * standard error. */
static void note_failure(const StandardMatch *it, uint8_t loser) {
    PlayedSide *side = &it->match->sides[loser];
    char path[RUNNER_PATH_BYTES];
    FileBytes file = {.bytes = NULL};
    side->end = PLAYED_CRASHED;
    snprintf(side->why, sizeof side->why, "the program failed");
    if (it->runner->folder == NULL)
        return;
    runner_path(it->runner->folder, "logs", it->match->number,
                loser == 0 ? "-first.stderr.txt" : "-second.stderr.txt", path);
    if (!files_exist(path) || !files_read(path, &file))
        return;
    const char *line = strstr(file.bytes, "mashup bot: ");
    if (line != NULL) {
        line += strlen("mashup bot: ");
        line += strcspn(line, " "); /* the code of the table */
        line += *line == ' ';
        snprintf(side->why, sizeof side->why, "%.*s", (int)strcspn(line, "\n"), line);
        side->end = strstr(side->why, "ended") != NULL       ? PLAYED_CRASHED
                    : strstr(side->why, "no answer") != NULL ? PLAYED_LATE
                                                             : PLAYED_ILLEGAL;
    }
    free(file.bytes);
}

/* Takes the result from the file, and keeps it. */
static bool note_file(StandardMatch *it, const char *path) {
    FileBytes bytes;
    SavedMatch saved;
    PlayedMatch *played = it->match;
    if (!files_read(path, &bytes))
        return false;
    bool fine = saved_match_open(path, bytes, &saved);
    if (fine) {
        MashResult result = match_result(&saved.match);
        /* Who came first has the first seat; a name tells when it was the other one. */
        bool swapped = strcmp(saved.file.players[0], played->sides[1].name) == 0 ||
                       strcmp(saved.file.players[1], played->sides[0].name) == 0;
        played->winner = result.winner >= MASH_SEATS ? -1 : result.winner ^ (swapped ? 1 : 0);
        played->actions = (int32_t)saved.match.actions_count;
        const char *reason =
            it->config->game->id_of(saved.config.content, MASH_NAME_REASON, result.reason);
        snprintf(played->reason, sizeof played->reason, "%s", reason == NULL ? "over" : reason);
        PlayedEnd end = result.reason == MASH_REASON_LEFT           ? PLAYED_CRASHED
                        : result.reason == MASH_REASON_TIME_OVER    ? PLAYED_LATE
                        : result.reason == MASH_REASON_DISQUALIFIED ? PLAYED_ILLEGAL
                                                                    : PLAYED_WELL;
        if (played->winner >= 0 && end != PLAYED_WELL) {
            PlayedSide *side = &played->sides[1 - played->winner];
            side->end = (uint8_t)end;
            snprintf(side->why, sizeof side->why, "the server says: %s", played->reason);
        }
        uint8_t loser = played->winner == 0;
        bool program = it->runner->plan->players[played->players[loser]].exec[0] != '\0';
        if (played->winner >= 0 && result.reason == MASH_REASON_RESIGNED && program)
            note_failure(it, loser);
        fine = runner_keep_match(it->runner, played, &saved.match, it->config);
        saved_match_release(&saved);
    }
    free(saved.text);
    free(saved.nodes);
    return fine;
}

/* Removes the folder of the server. */
static void remove_folder(const char *folder) {
    char command[COMMAND_BYTES];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "mashup: cannot remove %s\n", folder);
}

bool standard_match_play(const Runner *runner, const GameConfig *config, PlayedMatch *match) {
    StandardMatch it = {.runner = runner, .config = config, .match = match};
    char path[RUNNER_PATH_BYTES];
    uint8_t loser = MASH_SEAT_NONE;
    snprintf(it.folder, sizeof it.folder, "/tmp/mashup-tournament-XXXXXX");
    ssize_t count = readlink("/proc/self/exe", it.program, sizeof it.program - 1);
    if (count <= 0 || mkdtemp(it.folder) == NULL)
        return false;
    for (int seat = 0; seat < MASH_SEATS; seat++)
        match->sides[seat].end = PLAYED_WELL;
    /* Whoever opens the table comes first. */
    uint8_t first = runner->plan->players[match->players[1]].standard[0] == '\0';
    bool fine = start_server(&it) && start_player(&it, first) && start_player(&it, 1 - first);
    if (fine && wait_for_end(&it, path, &loser))
        fine = note_file(&it, path);
    else if (fine && loser != MASH_SEAT_NONE)
        note_crash(&it, loser);
    else
        fine = false;
    for (int seat = 0; seat < MASH_SEATS; seat++)
        stop(&it.players[seat]);
    stop(&it.server);
    remove_folder(it.folder);
    return fine;
}
