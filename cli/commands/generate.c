/* generate.c -- mashup generate: random documents of the kinds that games can generate.
 *
 * Every parameter of every generator is a flag. Which of them belong to the requested kind is
 * checked once the kind is known, since it may come after them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/files.h"
#include "cli/game_config.h"

enum { COMMON_FLAGS = 3, KINDS_MAX = 64, BYTES_FIRST = 1 << 16, LINE_BYTES = 1024 };

/* A generator and its game. */
typedef struct GeneratorEntry {
    const MashGame *game;
    const MashGenerator *generator;
} GeneratorEntry;

/* All generators. */
typedef struct GeneratorList {
    GeneratorEntry list[KINDS_MAX];
    uint32_t count;
} GeneratorList;

/* Collects the generators of all games. */
static void generators_all(GeneratorList *makers) {
    makers->count = 0;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->generators_count; i++) {
            assert(makers->count < KINDS_MAX);
            makers->list[makers->count++] = (GeneratorEntry){*game, &(*game)->generators[i]};
        }
}

/* --- The list --------------------------------------------------------------------------------- */

/* Prints what can be generated, with its flags. */
static void print_generators(const GeneratorList *makers) {
    for (uint32_t i = 0; i < makers->count; i++) {
        const MashGenerator *generator = makers->list[i].generator;
        printf("%-12s %s (%s)\n", generator->id, generator->title, makers->list[i].game->id);
        for (uint32_t j = 0; j < generator->parameters_count; j++) {
            const MashOption *parameter = &generator->parameters[j];
            printf("  --%-12s %s (%d to %d, default: %d)\n", parameter->id, parameter->title,
                   parameter->least, parameter->most, parameter->usual);
        }
    }
}

/* --- Flags ------------------------------------------------------------------------------------ */

/* Is the flag in the table already? */
static bool has_flag(const Flag *flags, const char *name) {
    while (flags->name != NULL && strcmp(flags->name, name) != 0)
        flags++;
    return flags->name != NULL;
}

/* The common flags, and one for each parameter of any generator after them. */
static const Flag *make_flags(void) {
    static Flag flags[ARGUMENTS_FLAGS_MAX] = {FLAG_TEXT("game"), FLAG_TEXT("seed"),
                                              FLAG_TEXT("output"), FLAGS_END};
    uint32_t count = COMMON_FLAGS;
    GeneratorList makers;
    generators_all(&makers);
    for (uint32_t i = 0; i < makers.count; i++) {
        const MashGenerator *generator = makers.list[i].generator;
        for (uint32_t j = 0; j < generator->parameters_count; j++) {
            if (has_flag(flags, generator->parameters[j].id))
                continue;
            assert(count + 1 < ARGUMENTS_FLAGS_MAX);
            flags[count++] = (Flag)FLAG_TEXT(generator->parameters[j].id);
        }
    }
    return flags;
}

/* Does the generator know this flag? */
static bool has_parameter(const MashGenerator *generator, const char *id) {
    for (uint32_t i = 0; i < generator->parameters_count; i++)
        if (strcmp(generator->parameters[i].id, id) == 0)
            return true;
    return false;
}

/* Refuses flags of other kinds, and names those of this kind. */
static bool check_flags(const Arguments *given, const MashGenerator *generator) {
    for (uint32_t i = COMMON_FLAGS; given->flags[i].name != NULL; i++) {
        const char *name = given->flags[i].name;
        if (given->given[i].count == 0 || has_parameter(generator, name))
            continue;
        char memory[LINE_BYTES];
        MashText text = text_over(memory, sizeof memory);
        for (uint32_t j = 0; j < generator->parameters_count; j++)
            text_format(&text, "%s--%s", j == 0 ? "" : ", ", generator->parameters[j].id);
        cli_wrong_use(given->command, "%s has no --%s; it has %s", generator->id, name,
                      text.count == 0 ? "no parameters" : memory);
        return false;
    }
    return true;
}

/* A value for each parameter: as given and within its limits, or the default. */
static bool take_values(const Arguments *given, const MashGenerator *generator, int32_t *values) {
    for (uint32_t i = 0; i < generator->parameters_count; i++) {
        const MashOption *parameter = &generator->parameters[i];
        const char *value = flag_text(given, parameter->id);
        values[i] = parameter->usual;
        if (value == NULL || game_config_option_value(parameter, value, &values[i]))
            continue;
        cli_wrong_use(given->command, "--%s (%s) must be a whole number from %d to %d, not \"%s\"",
                      parameter->id, parameter->title, parameter->least, parameter->most, value);
        return false;
    }
    return true;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* The generator of this kind, of the game if one was named. NULL: an error was printed. */
static const MashGenerator *find(const Command *self, const GeneratorList *makers, const char *kind,
                                 const MashGame *game) {
    const char *names[KINDS_MAX], *games[KINDS_MAX];
    uint32_t names_count = 0, found = 0;
    const MashGenerator *generator = NULL;
    char memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < makers->count; i++) {
        const GeneratorEntry *maker = &makers->list[i];
        if (game != NULL && maker->game != game)
            continue;
        names[names_count++] = maker->generator->id;
        if (strcmp(maker->generator->id, kind) != 0)
            continue;
        generator = found == 0 ? maker->generator : NULL;
        games[found++] = maker->game->id;
    }
    if (found > 1) {
        for (uint32_t i = 0; i < found; i++)
            text_format(&text, "%s%s", i == 0 ? "" : ", ", games[i]);
        cli_wrong_use(self, "several games have %s; choose one with --game: %s", kind, memory);
    } else if (game != NULL && names_count == 0) {
        cli_wrong_use(self, "%s generates nothing", game->title);
    } else if (found == 0) {
        cli_suggest(&text, kind, names, names_count);
        cli_wrong_use(self, "%s%s generates no \"%s\"%s", game == NULL ? "" : game->title,
                      game == NULL ? "mashup" : "", kind, memory);
    }
    return generator;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Reports that no document satisfies all these values, and names them. */
static void print_impossible(const Command *self, const MashGenerator *generator,
                             const int32_t *values) {
    char memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < generator->parameters_count; i++)
        text_format(&text, " --%s %d", generator->parameters[i].id, values[i]);
    cli_wrong_use(self,
                  "no %s can have these values together:%s (run mashup generate for the limits)",
                  generator->id, memory);
}

/* The document in memory of its own, or no bytes if none has these values. */
static MashText make(const MashGenerator *generator, const int32_t *values, MashSeed seed) {
    for (uint32_t room = BYTES_FIRST;; room *= 2) {
        MashChance chance = chance_seeded(seed, 0);
        MashText text = text_over(cli_memory(room), room);
        if (generator->write(values, &chance, &text))
            return text;
        bool again = text.truncated && room <= JSON_BYTES_MAX;
        free(text.bytes);
        if (!again)
            return (MashText){.bytes = NULL};
    }
}

/* Writes to the file, or to stdout. False: an error was printed. */
static bool put(const char *path, const MashText *text) {
    if (path != NULL)
        return files_write(path, text->bytes, text->count);
    if (fwrite(text->bytes, 1, text->count, stdout) == text->count && fflush(stdout) == 0)
        return true;
    perror("mashup generate: cannot be written");
    return false;
}

/* Prints a seed that was not given, so that the document can be generated again. */
static bool take_seed(const Arguments *given, MashSeed *seed) {
    char memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    if (!game_config_seed(given, seed))
        return false;
    game_config_seed_text(*seed, &text);
    if (!flag_given(given, "seed"))
        fprintf(stderr, "mashup generate: --seed %s\n", memory);
    return true;
}

/* --- The command ------------------------------------------------------------------------------ */

/* Generates a document and writes it to --output or to stdout. An exit code. */
static int generate(const Arguments *given, const MashGenerator *generator) {
    int32_t values[MASH_OPTIONS_MAX];
    MashSeed seed;
    assert(generator->parameters_count <= MASH_OPTIONS_MAX);
    if (!check_flags(given, generator) || !take_values(given, generator, values) ||
        !take_seed(given, &seed))
        return CLI_WRONG_USE;
    MashText text = make(generator, values, seed);
    if (text.bytes == NULL) {
        print_impossible(given->command, generator, values);
        return CLI_WRONG_USE;
    }
    bool fine = put(flag_text(given, "output"), &text);
    free(text.bytes);
    return fine ? CLI_FINE : CLI_WRONG_USE;
}

static int run(const Arguments *given) {
    GeneratorList makers;
    const MashGame *game;
    generators_all(&makers);
    if (given->count == 0) {
        for (uint32_t i = 0; given->flags[i].name != NULL; i++)
            if (given->given[i].count > 0)
                return cli_wrong_use(given->command,
                                     "specify what to generate, for example: mashup generate %s",
                                     makers.count == 0 ? "KIND" : makers.list[0].generator->id);
        print_generators(&makers);
        return CLI_FINE;
    }
    if (!game_config_named(given, &game))
        return CLI_WRONG_USE;
    const MashGenerator *generator = find(given->command, &makers, given->words[0], game);
    return generator == NULL ? CLI_WRONG_USE : generate(given, generator);
}

static const CommandExtras collected = {.make_flags = make_flags};

const Command command_generate = {"generate",
                                  "Generates random boards, heroes and match settings.",
                                  "generate KIND [--game GAME] [--seed N] [--PARAMETER VALUE]...\n"
                                  "                [--output FILE]",
                                  run,
                                  NULL,
                                  0,
                                  1,
                                  &collected};
