/* played.c -- see played.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/tournament/played.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/files.h"

enum { PATH_BYTES = 4096, LINE_BYTES = 4096, NODES_MAX = 128 };

const char *const played_ends[] = {"well", "crashed", "late", "illegal", "not-started", NULL};

#define SIDE(seat_, what_)                                                                         \
    FIELD(LINE, what_, PlayedMatch, sides[seat_].name, .meaning = "Who had this seat."),           \
        FIELD(ENUM, what_ "_end", PlayedMatch, sides[seat_].end, .words = played_ends,             \
              .meaning = "How its match ended."),                                                  \
        FIELD(LINE, what_ "_why", PlayedMatch, sides[seat_].why, .empty = true, .optional = true,  \
              .meaning = "What its program did wrong."),                                           \
        FIELD(INT, what_ "_slowest_ms", PlayedMatch, sides[seat_].slowest_ms, .max = INT32_MAX,    \
              .meaning = "Its slowest answer."),                                                   \
        FIELD(INT, what_ "_refused", PlayedMatch, sides[seat_].refused, .max = INT32_MAX,          \
              .meaning = "Its answers that were refused.")

static const Field played_fields[] = {
    FIELD(INT, "match", PlayedMatch, number, .min = 1, .max = INT32_MAX, .meaning = "Its number."),
    FIELD(INT, "stage", PlayedMatch, stage, .max = PLAN_STAGES_MAX - 1, .meaning = "The stage."),
    FIELD(INT, "round", PlayedMatch, round, .max = INT32_MAX, .meaning = "The round."),
    FIELD(LINE, "preset", PlayedMatch, preset, .meaning = "The board."),
    FIELD(INT, "pair", PlayedMatch, pair, .max = INT32_MAX, .meaning = "The pair of matches."),
    FIELD(INT, "turn", PlayedMatch, turn, .max = 1, .meaning = "The first or second of it."),
    SIDE(0, "first"),
    SIDE(1, "second"),
    FIELD(INT, "winner", PlayedMatch, winner, .min = -1, .max = 1, .meaning = "A seat or -1."),
    FIELD(LINE, "reason", PlayedMatch, reason, .meaning = "Why it ended."),
    FIELD(INT, "actions", PlayedMatch, actions, .max = INT32_MAX, .meaning = "Its length."),
    FIELD(INT, "starts", PlayedMatch, starts, .max = INT32_MAX, .meaning = "How often begun."),
};
static const Fields played_line = {.id = "result", FIELDS_OF(played_fields)};

uint32_t played_points(const PlayedMatch *match, uint8_t seat) {
    return match->winner < 0 ? 1 : match->winner == seat ? 2 : 0;
}

bool played_read(const char *name, const char *line, uint32_t count, PlayedMatch *out,
                 MashProblems *problems) {
    JsonNode nodes[NODES_MAX];
    Json json;
    memset(out, 0, sizeof *out);
    if (!json_read(&json, name, line, count, nodes, NODES_MAX, problems))
        return false;
    FieldsReader reader = {.json = &json, .problems = problems, .record = out};
    return fields_read(&reader, &played_line, 0, out, NULL);
}

void played_write(const PlayedMatch *match, MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    fields_write(&writer, &played_line, match, UINT32_MAX);
    json_close(&writer, '}');
}

/* Finds the players of a match in the plan. False: one is not there, or the board is not. */
static bool find_players(const Plan *plan, PlayedMatch *match) {
    bool board = false;
    for (uint32_t i = 0; i < plan->presets_count; i++)
        board = board || strcmp(plan->presets[i], match->preset) == 0;
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        uint16_t player = 0;
        while (player < plan->players_count &&
               strcmp(plan->players[player].name, match->sides[seat].name) != 0)
            player++;
        match->players[seat] = player;
        board = board && player < plan->players_count;
    }
    return board;
}

/* Keeps a match in memory. */
static void keep(PlayedLog *log, const PlayedMatch *match) {
    log->list = cli_grow(log->list, log->count, &log->max, sizeof *log->list);
    log->list[log->count++] = *match;
}

/* Reads all whole lines; how many bytes they have. */
static uint32_t read_lines(PlayedLog *log, const char *path, const FileBytes *file) {
    uint32_t start = 0, line = 1;
    for (uint32_t i = 0; i < file->count; i++) {
        MashProblem problem;
        MashProblems problems = {.list = &problem, .max = 1};
        PlayedMatch match;
        if (file->bytes[i] != '\n')
            continue;
        if (!played_read(path, file->bytes + start, i - start, &match, &problems))
            fprintf(stderr, "mashup: %s:%u: %s%s%s; the match is played again\n", path, line,
                    problem.path, problem.path[0] == '\0' ? "" : ": ", problem.reason);
        else if (!find_players(log->plan, &match))
            fprintf(stderr, "mashup: %s:%u: %s against %s on %s is not in the plan any more\n",
                    path, line, match.sides[0].name, match.sides[1].name, match.preset);
        else if (played_find(log, &match) == NULL)
            keep(log, &match);
        start = i + 1;
        line++;
    }
    return start;
}

bool played_open(PlayedLog *log, const Plan *plan, const char *folder, bool resume) {
    char path[PATH_BYTES];
    uint32_t whole = 0;
    *log = (PlayedLog){.plan = plan, .file = -1};
    snprintf(path, sizeof path, "%s/results.jsonl", folder);
    if (files_exist(path)) {
        FileBytes file;
        if (!files_read(path, &file))
            return false;
        if (!resume && file.count > 0) {
            fprintf(stderr,
                    "mashup: %s has results already: --resume goes on with them, another --output "
                    "begins anew\n",
                    path);
            free(file.bytes);
            return false;
        }
        whole = read_lines(log, path, &file);
        free(file.bytes);
    }
    log->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (log->file < 0 || ftruncate(log->file, whole) != 0 ||
        lseek(log->file, 0, SEEK_END) != (off_t)whole) {
        fprintf(stderr, "mashup: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

void played_close(PlayedLog *log) {
    if (log->file >= 0)
        close(log->file);
    free(log->list);
}

bool played_add(PlayedLog *log, const PlayedMatch *match) {
    char line[LINE_BYTES];
    MashText text = text_over(line, sizeof line);
    played_write(match, &text);
    text_byte(&text, '\n');
    assert(!text.truncated);
    if (log->file < 0) {
        keep(log, match);
        return true;
    }
    if (write(log->file, line, text.count) != (ssize_t)text.count || fdatasync(log->file) != 0) {
        fprintf(stderr, "mashup: cannot write results.jsonl: %s\n", strerror(errno));
        return false;
    }
    keep(log, match);
    return true;
}

const PlayedMatch *played_find(const PlayedLog *log, const PlayedMatch *match) {
    for (uint32_t i = 0; i < log->count; i++) {
        const PlayedMatch *other = &log->list[i];
        if (other->stage == match->stage && other->round == match->round &&
            other->pair == match->pair && other->turn == match->turn &&
            other->players[0] == match->players[0] && other->players[1] == match->players[1] &&
            strcmp(other->preset, match->preset) == 0)
            return other;
    }
    return NULL;
}
