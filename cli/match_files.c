/* match_files.c -- see match_files.h. */
#include "cli/match_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MAX = 16 };

/* Prints the problems of a file. Always false. */
static bool complain(MashProblems *problems, const char *path) {
    MashDocument document = {.name = path};
    cli_print_problems(problems, &document, 1);
    return false;
}

bool saved_match_read(const char *path, SavedMatch *out) {
    FileBytes bytes;
    if (!files_read(path, &bytes))
        return false;
    bool fine = saved_match_open(path, bytes, out);
    cli_keep(out->text);
    cli_keep(out->nodes);
    return fine;
}

bool saved_match_open(const char *name, FileBytes bytes, SavedMatch *out) {
    static MashProblem list[PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
    size_t room = match_file_bytes(bytes.count);
    out->text = bytes.bytes;
    out->nodes = cli_memory(room);
    if (!match_file_open(&out->file, name, bytes.bytes, bytes.count, out->nodes, room, &problems))
        return complain(&problems, name);
    out->config = (GameConfig){.game = out->file.game,
                               .preset = out->file.preset,
                               .documents_count = out->file.documents_count};
    memcpy(out->config.documents, out->file.documents, sizeof out->config.documents);
    memcpy(out->config.options, out->file.options, sizeof out->config.options);
    if (!game_config_load(&out->config))
        return false;
    out->memory = cli_memory(match_bytes(out->config.content));
    if (match_file_replay(&out->file, out->config.content, out->memory, &out->match, &problems))
        return true;
    saved_match_release(out);
    return complain(&problems, name);
}

void saved_match_release(SavedMatch *saved) {
    free(saved->memory);
    free(saved->config.content);
    saved->memory = saved->config.content = NULL;
}

bool saved_match_write(const char *path, Match *match, const GameConfig *config,
                       const char *const players[MASH_SEATS]) {
    MashDocument documents[MASH_DOCUMENTS_MAX];
    MatchHeader about = {.documents = documents, .documents_count = config->documents_count};
    for (uint32_t i = 0; i < about.documents_count; i++) {
        documents[i] = config->documents[i];
        documents[i].name = files_base_name(documents[i].name);
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        about.players[seat] = players[seat];
    MashText text = {.truncated = true};
    for (uint32_t room = 1 << 16; text.truncated; room *= 2) {
        free(text.bytes);
        text = text_over(cli_memory(room), room);
        match_file_write(match, &about, &text);
    }
    bool fine = text.count <= JSON_BYTES_MAX;
    if (!fine)
        fprintf(stderr, "%s: this match is too long to save\n", path);
    fine = fine && files_write(path, text.bytes, text.count);
    free(text.bytes);
    return fine;
}
