/* contents.c -- see learn.h: nets must know units and boards, not the fifteen champions that are
 * shipped, so that some matches are played with other numbers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learn.h"

enum { TRIES = 50, PERCENT_LEAST = 70, PERCENT_MOST = 140, NUMBER_LEAST = 2, DIGITS = 12 };

/* What is played of a game: presets by weight; units of a side. */
typedef struct Curriculum {
    const char *game;
    uint32_t units;
    struct {
        const char *preset;
        uint32_t weight;
    } presets[8];
} Curriculum;

static const Curriculum curricula[] = {
    {"ultimate-war", 3, {{"usual", 1}}},
    {"marvelous-mashup",
     6,
     {{"wakanda", 6},
      {"starter-kit", 2},
      {"knowhere", 2},
      {"asgard-portals", 1},
      {"darkdimension", 1},
      {"sakaar", 1},
      {"savage-land", 1}}},
    {"battleground", 5, {{"open", 6}, {"small", 2}, {"ruins", 2}}},
    {"zorde",
     8,
     {{"skirmish", 3}, {"battle", 2}, {"even-skirmish", 4}, {"close-battle", 4}, {"border", 1}}},
};

static const Curriculum *curriculum_of(const MashGame *game) {
    for (size_t i = 0; i < sizeof curricula / sizeof *curricula; i++)
        if (strcmp(curricula[i].game, game->id) == 0)
            return &curricula[i];
    fprintf(stderr, "learn: nothing is known about %s\n", game->id);
    exit(1);
}

void *learn_memory(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory == NULL)
        abort();
    return memset(memory, 0, rounded);
}

uint32_t learn_units(const MashGame *game) { return curriculum_of(game)->units; }

/* NULL: the documents cannot be played. */
static MashContent *load(const MashGame *game, const MashDocument *list, uint32_t count) {
    MashProblem problem_list[4];
    MashProblems problems = {.list = problem_list, .max = 4};
    void *scratch = learn_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    MashContent *content = learn_memory(game->content_bytes_max);
    bool loaded = game->load(&documents, content, &problems);
    free(scratch);
    if (loaded)
        return content;
    free(content);
    return NULL;
}

MashContent *learn_content_first(const MashGame *game) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    return load(game, list, mash_documents_of_preset(game, NULL, list));
}

/* The document with about half of its whole numbers changed; to be freed. */
static MashDocument shake(MashDocument from, MashChance *chance) {
    char *bytes = learn_memory(2 * (size_t)from.count + DIGITS);
    MashDocument out = {from.name, bytes, 0};
    bool inside = false;
    for (uint32_t i = 0; i < from.count;) {
        char byte = from.bytes[i];
        inside = byte == '"' ? !inside : inside;
        if (inside || !isdigit((unsigned char)byte)) {
            bytes[out.count++] = byte;
            i++;
            continue;
        }
        char *end;
        long number = strtol(from.bytes + i, &end, 10);
        uint32_t percent = PERCENT_LEAST + chance_below(chance, PERCENT_MOST - PERCENT_LEAST + 1);
        if (number >= NUMBER_LEAST && chance_below(chance, 2) == 0)
            number = (number * (long)percent + 50) / 100;
        out.count += (uint32_t)snprintf(bytes + out.count, DIGITS, "%ld", number);
        i = (uint32_t)(end - from.bytes);
    }
    return out;
}

/* A document of this kind that the game can generate, with parameters by chance. False: none. */
static bool generate(const MashGame *game, MashDocument *document, MashChance *chance) {
    const char *kind = mash_document_kind(document->name);
    for (uint32_t i = 0; i < game->generators_count; i++) {
        const MashGenerator *generator = &game->generators[i];
        bool board = strcmp(generator->id, "scenario") == 0 && strcmp(kind, ".scenario.json") == 0;
        bool roster =
            strcmp(generator->id, "characters") == 0 && strcmp(kind, ".character.json") == 0;
        int32_t values[16];
        if (!board && !roster)
            continue;
        for (uint32_t j = 0; j < generator->parameters_count; j++) {
            const MashOption *parameter = &generator->parameters[j];
            int32_t most = parameter->most > 24 && board ? 24 : parameter->most;
            int32_t least = parameter->least > 8 || !board || most < 9 ? parameter->least : 0;
            least = least < parameter->least ? parameter->least : least;
            values[j] = least + (int32_t)chance_below(chance, (uint32_t)(most - least + 1));
        }
        MashText text = text_over(learn_memory(1 << 18), 1 << 18);
        if (generator->write(values, chance, &text)) {
            *document = (MashDocument){document->name, text.bytes, text.count};
            return true;
        }
        free(text.bytes);
    }
    return false;
}

/* Writes a document into a folder. */
static void write_document(const char *folder, const MashDocument *document) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, document->name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(document->bytes, document->count, 1, file) != 1 ||
        fclose(file) != 0) {
        fprintf(stderr, "learn: %s cannot be written\n", path);
        exit(1);
    }
}

/* The preset with other numbers; NULL: they cannot be played. What is other is written into the
 * folder, if there is one. */
static MashContent *load_shaken(const MashGame *game, const char *preset, MashChance *chance,
                                const char *folder) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    bool own[MASH_DOCUMENTS_MAX] = {false};
    uint32_t count = mash_documents_of_preset(game, preset, list);
    for (uint32_t i = 0; i < count; i++) {
        const char *kind = mash_document_kind(list[i].name);
        if (strstr(kind, "texts") != NULL)
            continue;
        if (chance_below(chance, 2) == 0)
            own[i] = generate(game, &list[i], chance);
        bool board = strstr(kind, "scenario") != NULL || strstr(kind, "field") != NULL ||
                     strstr(kind, "start") != NULL;
        if (!own[i] && !board) {
            list[i] = shake(list[i], chance);
            own[i] = true;
        }
    }
    MashContent *content = load(game, list, count);
    for (uint32_t i = 0; i < count; i++)
        if (own[i] && content != NULL && folder != NULL)
            write_document(folder, &list[i]);
    for (uint32_t i = 0; i < count; i++)
        if (own[i])
            free((void *)(uintptr_t)list[i].bytes);
    return content;
}

/* A preset by its weight. */
static const char *draw_preset(const MashGame *game, MashChance *chance) {
    const Curriculum *curriculum = curriculum_of(game);
    const char *drawn = NULL;
    uint32_t sum = 0;
    for (int i = 0; i < 8 && curriculum->presets[i].preset != NULL; i++) {
        sum += curriculum->presets[i].weight;
        if (chance_below(chance, sum) < curriculum->presets[i].weight)
            drawn = curriculum->presets[i].preset;
    }
    return drawn;
}

MashContent *learn_content(const MashGame *game, uint32_t shaken, MashChance *chance) {
    const char *preset = draw_preset(game, chance);
    MashDocument list[MASH_DOCUMENTS_MAX];
    bool other = chance_below(chance, 100) < shaken;
    for (int i = 0; other && i < TRIES; i++) {
        MashContent *content = load_shaken(game, preset, chance, NULL);
        if (content != NULL)
            return content;
    }
    return load(game, list, mash_documents_of_preset(game, preset, list));
}

int learn_shake(const LearnTask *task) {
    MashChance chance = chance_sampled(task->seed);
    const char *preset = draw_preset(task->game, &chance);
    if (task->out == NULL)
        return 2;
    for (int i = 0; i < TRIES; i++) {
        MashContent *content = load_shaken(task->game, preset, &chance, task->out);
        if (content == NULL)
            continue;
        printf("%s\n", preset);
        free(content);
        return 0;
    }
    return 1;
}

void learn_options(const MashGame *game, MashChance *chance, int32_t *out) {
    bool usual = chance_below(chance, 2) == 0;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        uint32_t span = (uint32_t)(option->most - option->least) + 1;
        out[i] = usual ? option->usual : option->least + (int32_t)chance_below(chance, span);
    }
}
