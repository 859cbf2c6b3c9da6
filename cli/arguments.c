/* arguments.c -- see arguments.h. */
#include "cli/arguments.h"

#include <string.h>

static const ParseResult wrong = {.ok = false, .exit_code = CLI_WRONG_USE};

/* The flag named by a word such as --seed=7, or NULL. */
static Flag *find_flag(Flag *flags, uint32_t count, const char *word) {
    size_t letters = strcspn(word, "=");
    for (uint32_t i = 0; i < count; i++)
        if (strlen(flags[i].name) == letters && strncmp(flags[i].name, word, letters) == 0)
            return &flags[i];
    return NULL;
}

/* Reports an unknown flag and suggests the nearest known one. Always `wrong`. */
static ParseResult unknown_flag(const Command *command, const Flag *flags, uint32_t count,
                                const char *word) {
    const char *names[ARGUMENTS_FLAGS_MAX];
    char memory[512], plain[64];
    MashText text = text_over(memory, sizeof memory);
    MashText bare = text_over(plain, sizeof plain);
    text_bytes(&bare, word, (uint32_t)strcspn(word, "="));
    assert(count <= ARGUMENTS_FLAGS_MAX);
    for (uint32_t i = 0; i < count; i++)
        names[i] = flags[i].name;
    const char *near = cli_nearest(plain, names, count);
    if (near != NULL)
        text_format(&text, "; did you mean --%s?", near);
    cli_wrong_use(command, "unknown option --%s%s", plain, memory);
    return wrong;
}

/* Parses one --flag and its value. The number of words consumed; 0: an error was printed. */
static int take_flag(const Command *command, Flag *flag, const char *word, const char *next) {
    const char *value = strchr(word, '=');
    if (flag->max == 0) {
        if (value != NULL)
            return cli_wrong_use(command, "--%s takes no value", flag->name), 0;
        flag->count = 1;
        return 1;
    }
    int used = value == NULL ? 2 : 1;
    value = value == NULL ? next : value + 1;
    if (value == NULL)
        return cli_wrong_use(command, "--%s needs a value", flag->name), 0;
    if (flag->count == flag->max)
        return cli_wrong_use(command, "--%s was given too often (%s)", flag->name,
                             flag->max == 1 ? "maximum: 1" : "too many"),
               0;
    flag->values[flag->count++] = value;
    return used;
}

/* Stores one more positional argument. False: there are `most` already; an error was printed. */
static bool take_plain(const Command *command, Positional *plain, uint32_t most, const char *word) {
    if (plain->count == most) {
        cli_wrong_use(command, "unexpected argument \"%s\"", word);
        return false;
    }
    plain->words[plain->count++] = word;
    return true;
}

ParseResult arguments_read(const Command *command, int count, char **words, Flag *flags,
                           uint32_t flags_count, Positional *plain, uint32_t plain_least,
                           uint32_t plain_most) {
    assert(plain_most <= ARGUMENTS_PLAIN_MAX);
    bool flags_over = false;
    *plain = (Positional){.count = 0};
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        if (flags_over || word[0] != '-' || word[1] == '\0') {
            if (!take_plain(command, plain, plain_most, word))
                return wrong;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            flags_over = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            cli_print_help(command);
            return (ParseResult){.ok = false, .exit_code = CLI_FINE};
        }
        word += word[1] == '-' ? 2 : 1;
        Flag *flag = find_flag(flags, flags_count, word);
        if (flag == NULL)
            return unknown_flag(command, flags, flags_count, word);
        int used = take_flag(command, flag, word, i + 1 < count ? words[i + 1] : NULL);
        if (used == 0)
            return wrong;
        i += used - 1;
    }
    if (plain->count >= plain_least)
        return (ParseResult){.ok = true};
    cli_wrong_use(command, "missing argument; usage: mashup %s", command->use);
    return wrong;
}

const char *flag_value(const Flag *flag) {
    return flag->count == 0 ? NULL : flag->values[flag->count - 1];
}

bool flag_whole(const Command *command, const Flag *flag, uint64_t least, uint64_t most,
                uint64_t usual, uint64_t *out) {
    const char *value = flag_value(flag);
    *out = usual;
    if (value == NULL)
        return true;
    uint64_t number = 0;
    bool fine = value[0] != '\0';
    for (const char *c = value; *c != '\0' && fine; c++) {
        uint64_t digit = (uint64_t)(unsigned char)*c - '0';
        fine = digit <= 9 && digit <= most && number <= (most - digit) / 10;
        number = number * 10 + digit;
    }
    *out = number;
    if (fine && number >= least)
        return true;
    cli_wrong_use(command, "--%s must be a whole number from %llu to %llu, not \"%s\"", flag->name,
                  (unsigned long long)least, (unsigned long long)most, value);
    return false;
}
