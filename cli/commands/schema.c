/* schema.c -- mashup schema: what documents may contain, printed from the tables by which they are
 * read: as JSON schemas for authors' editors, or as tables for people. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/document_kinds.h"
#include "cli/game_config.h"

enum { SCHEMA_BYTES = 1 << 18, LINE_BYTES = 1024 };

/* Prints JSON in the one layout. */
static void print_formatted(const MashText *text) {
    uint32_t nodes_max = text->count / 2 + 2;
    JsonNode *nodes = cli_memory(nodes_max * sizeof *nodes);
    char *memory = cli_memory(SCHEMA_BYTES);
    MashText out = text_over(memory, SCHEMA_BYTES);
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    bool fine = json_read(&json, "schema", text->bytes, text->count, nodes, nodes_max, &problems);
    assert(fine && !text->truncated);
    json_format(&json, &out);
    assert(!out.truncated);
    fputs(memory, stdout);
    free(memory);
    free(nodes);
}

/* Prints the schema of one kind. An exit code. */
static int print_schema(const Arguments *given, const DocumentKind *kind) {
    GameConfig config;
    if (!game_config_make(&config, given, kind->game->id))
        return CLI_WRONG_USE;
    char *memory = cli_memory(SCHEMA_BYTES);
    MashText text = text_over(memory, SCHEMA_BYTES);
    bool known = mash_write_schema(config.content, kinds_ending(kind), &text);
    assert(known);
    print_formatted(&text);
    free(memory);
    free(config.content);
    return CLI_FINE;
}

/* Prints the tables of all these kinds' games, each game once. */
static void print_reference(const Kinds *kinds) {
    char *memory = cli_memory(SCHEMA_BYTES);
    MashText text = text_over(memory, SCHEMA_BYTES);
    text_string(&text,
                "# What documents may hold\n\nAll fields of all documents of the games but "
                "texts, as `mashup schema --reference` prints them\nfrom the tables by which "
                "documents are read; `mashup schema KIND` prints the same as a JSON schema.\n"
                "Keys in **bold** are required, the others optional. "
                "[authors.md](authors.md) explains how to make such files.\n");
    for (uint32_t i = 0; i < kinds->count; i++)
        if (i == 0 || kinds->list[i].game != kinds->list[i - 1].game)
            mash_write_reference(kinds->list[i].game, &text);
    assert(!text.truncated);
    fputs(memory, stdout);
    free(memory);
}

/* Prints each kind with its game. */
static void print_kinds(const Kinds *kinds) {
    for (uint32_t i = 0; i < kinds->count; i++) {
        char word[KINDS_WORD_BYTES];
        kinds_word(kinds_ending(&kinds->list[i]), word);
        printf("%s --game %s\n", word, kinds->list[i].game->id);
    }
}

/* Prints the schema of the kind with this name. An exit code. */
static int print_named(const Arguments *given, const Kinds *all, const char *name) {
    char word[KINDS_WORD_BYTES], ending[KINDS_WORD_BYTES + 8], memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    Kinds kinds = *all;
    kinds_word(name, word);
    snprintf(ending, sizeof ending, ".%s.json", word);
    kinds_keep_ending(&kinds, ending);
    if (kinds.count == 1)
        return print_schema(given, &kinds.list[0]);
    kinds_suggest(all, ending, &text);
    if (kinds.count == 0)
        return cli_wrong_use(given->command, "unknown kind \"%s\"%s", name, memory);
    return cli_wrong_use(given->command, "several games have the kind \"%s\": name one with --game",
                         name);
}

static const Flag flags[] = {FLAG_TEXT("game"), FLAG_SWITCH("reference"), FLAGS_END};

static int run(const Arguments *given) {
    const MashGame *game;
    Kinds kinds;
    kinds_all(&kinds);
    if (!game_config_named(given, &game))
        return CLI_WRONG_USE;
    if (game != NULL)
        kinds_keep_game(&kinds, game);
    if (given->count > 0)
        return print_named(given, &kinds, given->words[0]);
    if (flag_given(given, "reference"))
        print_reference(&kinds);
    else
        print_kinds(&kinds);
    return CLI_FINE;
}

const Command command_schema = {"schema",
                                "Prints JSON schemas of the game files.",
                                "schema [KIND] [--game GAME] [--reference]",
                                run,
                                flags,
                                0,
                                1,
                                NULL};
