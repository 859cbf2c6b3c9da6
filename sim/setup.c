/* setup.c -- which content and options a match has: game, preset, options and documents from JSON,
 * with the keys of the arena's `open` and `table`. */
#include <stdlib.h>
#include <string.h>

#include "sim/internal.h"

enum { PROBLEMS_MAX = 4, NAME_BYTES = 64, NODE_BYTES_LEAST = 2 };

/* What is read, and the memory for it. */
typedef struct Reading {
    Json json;
    MashProblem kept[PROBLEMS_MAX];
    MashProblems problems;
    const MashGame *game;
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    char names[MASH_DOCUMENTS_MAX][NAME_BYTES];
    MashText texts; /* decoded documents */
} Reading;

/* The game. False: there is none, with a problem. */
static bool read_game(Reading *reading) {
    char id[NAME_BYTES];
    if (!json_line_at(&reading->json, 0, "game", id, sizeof id, &reading->problems))
        return false;
    reading->game = mash_game_find(id);
    return reading->game != NULL ||
           json_problem(&reading->json, json_member(&reading->json, 0, "game"), &reading->problems,
                        "there is no game \"%s\"", id);
}

/* The documents of the preset, or of the first. False: there is none, with a problem. */
static bool read_preset(Reading *reading) {
    char id[NAME_BYTES];
    uint32_t node = json_member(&reading->json, 0, "preset");
    if (node != JSON_NONE && !json_line(&reading->json, node, id, sizeof id, &reading->problems))
        return false;
    reading->documents_count =
        mash_documents_of_preset(reading->game, node == JSON_NONE ? NULL : id, reading->documents);
    return reading->documents_count > 0 ||
           json_problem(&reading->json, node, &reading->problems, "%s has no preset \"%s\"",
                        reading->game->id, id);
}

/* One document, which replaces that of the same kind. False, with a problem. */
static bool read_document(Reading *reading, uint32_t node, uint32_t number) {
    const Json *json = &reading->json;
    char *name = reading->names[number];
    if (!json_line_at(json, node, "name", name, NAME_BYTES, &reading->problems))
        return false;
    MashDocument document = mash_document_shipped(reading->game, name);
    uint32_t text = json_member(json, node, "text");
    if (text != JSON_NONE) {
        uint32_t start = reading->texts.count;
        if (!json_expect_kind(json, text, JSON_STRING, &reading->problems))
            return false;
        json_string(json, text, &reading->texts);
        document = (MashDocument){name, reading->texts.bytes + start, reading->texts.count - start};
    }
    if (document.count == 0)
        return json_problem(json, node, &reading->problems, "no text, and no included file %s",
                            name);
    return mash_documents_replace(reading->documents, &reading->documents_count, document) ||
           json_problem(json, node, &reading->problems, "too many documents");
}

/* All documents that were given. */
static bool read_documents(Reading *reading) {
    uint32_t number = 0, list = json_member(&reading->json, 0, "documents");
    if (list == JSON_NONE)
        return true;
    if (!json_expect_kind(&reading->json, list, JSON_ARRAY, &reading->problems))
        return false;
    if (reading->json.nodes[list].count > MASH_DOCUMENTS_MAX)
        return json_problem(&reading->json, list, &reading->problems, "at most %d documents",
                            MASH_DOCUMENTS_MAX);
    for (uint32_t node = json_first(&reading->json, list); node != JSON_NONE;
         node = reading->json.nodes[node].next)
        if (!read_document(reading, node, number++))
            return false;
    return true;
}

/* The option of this key, or NULL. */
static uint32_t option_of(const Reading *reading, uint32_t node) {
    uint32_t i = 0;
    while (i < reading->game->options_count &&
           !json_key_equals(&reading->json, node, reading->game->options[i].id))
        i++;
    return i;
}

/* The options: those that are not given have their default. */
static bool read_options(Reading *reading, int32_t options[MASH_OPTIONS_MAX]) {
    const Json *json = &reading->json;
    const MashGame *game = reading->game;
    uint32_t list = json_member(json, 0, "options");
    for (uint32_t i = 0; i < game->options_count; i++)
        options[i] = game->options[i].usual;
    if (list == JSON_NONE)
        return true;
    if (!json_expect_kind(json, list, JSON_OBJECT, &reading->problems))
        return false;
    for (uint32_t node = json_first(json, list); node != JSON_NONE; node = json->nodes[node].next) {
        uint32_t i = option_of(reading, node);
        if (i == game->options_count) {
            json_key_problem(json, node, &reading->problems, "there is no option ", "");
            return false;
        }
        if (!json_int(json, node, game->options[i].least, game->options[i].most, &options[i],
                      &reading->problems))
            return false;
    }
    return true;
}

/* Loads the documents. NULL: there is no memory, or problems say why. */
static MashContent *load(Reading *reading) {
    MashContent *content = sim_memory(reading->game->content_bytes_max);
    void *scratch = content == NULL ? NULL : sim_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {reading->documents, reading->documents_count, scratch,
                               MASH_SCRATCH_BYTES};
    bool loaded = scratch != NULL && reading->game->load(&documents, content, &reading->problems);
    free(scratch);
    if (loaded)
        return content;
    free(content);
    return NULL;
}

/* Reads and loads, with memory for nodes and texts. */
static MashContent *read_table(Reading *reading, const char *table, uint32_t count, void *nodes,
                               int32_t options[MASH_OPTIONS_MAX]) {
    uint32_t nodes_max = count / NODE_BYTES_LEAST + 1;
    if (!json_read(&reading->json, "table", table, count, nodes, nodes_max, &reading->problems) ||
        !json_expect_kind(&reading->json, 0, JSON_OBJECT, &reading->problems) ||
        !read_game(reading) || !read_preset(reading) || !read_documents(reading) ||
        !read_options(reading, options))
        return NULL;
    return load(reading);
}

MashContent *sim_load_content(const char *table, int32_t options[MASH_OPTIONS_MAX]) {
    size_t count = strlen(table);
    if (count > JSON_BYTES_MAX)
        return sim_error("table: more than %d bytes", JSON_BYTES_MAX), NULL;
    Reading *reading = sim_memory(sizeof *reading);
    void *nodes = sim_memory((count / NODE_BYTES_LEAST + 1) * sizeof(JsonNode));
    char *texts = sim_memory(count + 1);
    MashContent *content = NULL;
    if (reading != NULL && nodes != NULL && texts != NULL) {
        reading->problems = (MashProblems){.list = reading->kept, .max = PROBLEMS_MAX};
        reading->texts = text_over(texts, (uint32_t)count + 1);
        content = read_table(reading, table, (uint32_t)count, nodes, options);
        if (content == NULL && reading->problems.count > 0)
            sim_error_problem(&reading->problems);
    }
    free(reading);
    free(nodes);
    free(texts);
    return content;
}
