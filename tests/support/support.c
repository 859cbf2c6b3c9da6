/* support.c -- see support.h. */
#include "tests/support/support.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/simulate.h"

void *support_memory(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory == NULL)
        abort();
    return memset(memory, 0, rounded);
}

static MashContent *load(const MashGame *game, const MashDocument *list, uint32_t count) {
    static MashProblem problem_list[16];
    MashProblems problems = {.list = problem_list, .max = 16};
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    MashContent *content = support_memory(game->content_bytes_max);
    bool loaded = game->load(&documents, content, &problems);
    free(scratch);
    for (uint32_t i = 0; i < problems.count && i < problems.max; i++)
        fprintf(stderr, "%s:%u:%u: %s: %s\n", problem_list[i].document, problem_list[i].line,
                problem_list[i].column, problem_list[i].path, problem_list[i].reason);
    if (!loaded)
        abort();
    return content;
}

MashContent *support_content(const MashGame *game, const char *preset) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(game, preset, list);
    return load(game, list, count);
}

MashContent *support_content_with(const MashGame *game, const char *preset, MashDocument document) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(game, preset, list);
    if (!mash_documents_replace(list, &count, document))
        abort();
    return load(game, list, count);
}

void *support_state(const MashContent *content) {
    return support_memory(content->limits.state_bytes);
}

void support_free(void *memory) { free(memory); }

uint32_t support_open_descriptors(void) {
    uint32_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert(folder != NULL);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

long support_resident_kb(int pid) {
    char path[64], line[256];
    long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = strtol(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

char *support_one_line(const MashGame *game, const char *name) {
    MashDocument shipped = mash_document_shipped(game, name);
    char *line = malloc(2 * (size_t)shipped.count + 1), *end = line;
    assert(line != NULL && shipped.count > 0);
    bool inside = false;
    for (uint32_t i = 0; i < shipped.count; i++) {
        char byte = shipped.bytes[i];
        bool escaped = inside && byte == '\\';
        if (byte == '"')
            inside = !inside;
        if (!inside && strchr(" \n", byte) != NULL)
            continue;
        *end++ = byte;
        if (escaped)
            *end++ = shipped.bytes[++i];
        else if (!inside && (byte == ',' || byte == ':'))
            *end++ = ' ';
    }
    *end = '\0';
    return line;
}

uint8_t support_index(const MashContent *content, MashNames list, const char *id) {
    for (uint8_t i = 0; i < UINT8_MAX; i++) {
        const char *found = content->game->id_of(content, list, i);
        if (found != NULL && strcmp(found, id) == 0)
            return i;
    }
    return UINT8_MAX;
}

void support_positions(const MashContent *content, uint32_t count, uint32_t one_in, void *state,
                       void (*visit)(void *owner, uint8_t seat, MashChance *chooser), void *owner) {
    enum { SEED = 7 };
    const MashGame *game = content->game;
    MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
    MashChance chooser = chance_sampled(SEED);
    for (uint32_t match = 0, seen = 0; seen < count; match++) {
        MashSeed seed = simulate_seed(SEED, match);
        MashChance chance = chance_seeded(seed, 0);
        if (game->setup(content, &(MashSetup){NULL, 0}, &chance, state) != MASH_OK)
            abort();
        for (uint32_t ply = 1; seen < count; ply++) {
            uint32_t awaited = game->awaited(content, state);
            if (awaited == 0)
                break;
            if (chance_below(&chooser, one_in) == 0) {
                visit(owner, (awaited & 1) != 0 ? 0 : 1, &chooser);
                seen++;
            }
            MashAction action = simulate_random_action(content, state, &chooser, list);
            chance = chance_seeded(seed, ply);
            game->apply_listed(content, state, action, &chance, NULL);
        }
    }
    free(list);
}

uint32_t support_moves(uint8_t seat, uint32_t count, MashAction *out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = (MashAction){.verb = 1, .seat = seat, .unit = (uint8_t)i};
    return count;
}

MashStatus support_check(const MashContent *content, const void *state, MashAction action) {
    MashAction list[UINT8_MAX];
    assert(content->limits.actions_max <= UINT8_MAX);
    uint32_t count = content->game->actions(content, state, action.seat, list);
    for (uint32_t i = 0; i < count; i++)
        if (mash_action_compare(list[i], action) == 0)
            return MASH_OK;
    return MASH_NO_SUCH_ACTION;
}
