/* schema.c -- mashup schema: what documents may contain, printed from the tables by which they are
 * read: as JSON schemas for authors' editors, or as tables for people. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cli/document_kinds.h"
#include "cli/game_config.h"

enum { SCHEMA_BYTES = 1 << 18, LINE_BYTES = 1024, FLAG_GAME = 0, FLAG_REFERENCE, FLAGS };

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
static int print_schema(const Command *self, const DocumentKind *kind) {
    GameConfig setting;
    if (!game_config_make(&setting, self, kind->game, NULL, NULL, NULL))
        return CLI_WRONG_USE;
    char *memory = cli_memory(SCHEMA_BYTES);
    MashText text = text_over(memory, SCHEMA_BYTES);
    bool known = mash_write_schema(setting.content, kinds_ending(kind), &text);
    assert(known);
    print_formatted(&text);
    free(memory);
    free(setting.content);
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
                "Keys in **bold** must be there, others may be left out. "
                "[authors.md](authors.md) tells how to make such files.\n");
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
static int print_named(const Command *self, const Kinds *all, const char *name) {
    char word[KINDS_WORD_BYTES], ending[KINDS_WORD_BYTES + 8], memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    Kinds kinds = *all;
    kinds_word(name, word);
    snprintf(ending, sizeof ending, ".%s.json", word);
    kinds_keep_ending(&kinds, ending);
    if (kinds.count == 1)
        return print_schema(self, &kinds.list[0]);
    kinds_suggest(all, ending, &text);
    if (kinds.count == 0)
        return cli_wrong_use(self, "unknown kind \"%s\"%s", name, memory);
    return cli_wrong_use(self, "several games have the kind \"%s\": name one with --game", name);
}

static int run(const Command *self, int count, char **words) {
    static Positional plain;
    Flag flags[FLAGS] = {
        [FLAG_GAME] = {.name = "game", .max = 1}, [FLAG_REFERENCE] = {.name = "reference"}};
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 0, 1);
    if (!read.ok)
        return read.exit_code;
    Kinds kinds;
    kinds_all(&kinds);
    if (flags[FLAG_GAME].count > 0) {
        const MashGame *game = game_config_game(self, flag_value(&flags[FLAG_GAME]));
        if (game == NULL)
            return CLI_WRONG_USE;
        kinds_keep_game(&kinds, game);
    }
    if (plain.count > 0)
        return print_named(self, &kinds, plain.words[0]);
    if (flags[FLAG_REFERENCE].count > 0)
        print_reference(&kinds);
    else
        print_kinds(&kinds);
    return CLI_FINE;
}

const Command command_schema = {"schema", "Prints JSON schemas of the game files.",
                                "schema [KIND] [--game GAME] [--reference]", run, NULL};
