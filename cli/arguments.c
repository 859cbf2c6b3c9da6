/* arguments.c -- see arguments.h. */
#include "cli/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, LINE_BYTES = 512 };

/* The flag named by a word such as --seed=7 or -m, or NULL. */
static const Flag *find_flag(const Flag *flags, const char *word) {
    const char *name = word + (word[1] == '-' ? 2 : 1);
    size_t letters = strcspn(name, "=");
    for (const Flag *flag = flags; flag->name != NULL; flag++)
        if ((strlen(flag->name) == letters && strncmp(flag->name, name, letters) == 0) ||
            (word[1] == flag->letter && word[2] == '\0'))
            return flag;
    return NULL;
}

/* Reports an unknown flag and suggests the nearest known one. */
static void refuse_flag(const Arguments *given, const char *word) {
    const char *names[ARGUMENTS_FLAGS_MAX];
    char memory[LINE_BYTES], plain[NAME_BYTES];
    MashText text = text_over(memory, sizeof memory);
    MashText bare = text_over(plain, sizeof plain);
    uint32_t count = 0;
    word += word[1] == '-' ? 2 : 1;
    text_bytes(&bare, word, (uint32_t)strcspn(word, "="));
    for (; given->flags[count].name != NULL; count++)
        names[count] = given->flags[count].name;
    const char *near = cli_nearest(plain, names, count);
    if (near != NULL)
        text_format(&text, "; did you mean --%s?", near);
    cli_wrong_use(given->command, "unknown option --%s%s", plain, memory);
}

/* Reads one --flag and its value. The number of words used; 0: an error was printed. */
static int take_flag(Arguments *given, const Flag *flag, const char *word, const char *next) {
    FlagGiven *out = &given->given[flag - given->flags];
    const char *value = strchr(word, '=');
    if (flag->max == 0) {
        if (value != NULL)
            return cli_wrong_use(given->command, "--%s takes no value", flag->name), 0;
        out->count = 1;
        return 1;
    }
    int used = value == NULL ? 2 : 1;
    value = value == NULL ? next : value + 1;
    if (value == NULL)
        return cli_wrong_use(given->command, "--%s needs a value", flag->name), 0;
    if (out->count == flag->max)
        return cli_wrong_use(given->command, "--%s was given too often (%s)", flag->name,
                             flag->max == 1 ? "maximum: 1" : "too many"),
               0;
    out->values[out->count++] = value;
    return used;
}

/* Reads all words. With a lenient command, unknown flags and the words behind them are dropped with
 * a warning. False: an error was printed. */
static bool read_words(Arguments *given, int count, char **words) {
    const Command *command = given->command;
    bool lenient = command->extras != NULL && command->extras->lenient;
    bool flags_over = false, ignoring = false;
    for (int i = 0, used; i < count; i += used) {
        const char *word = words[i];
        bool option = !flags_over && word[0] == '-' && word[1] != '\0';
        const Flag *flag = option ? find_flag(given->flags, word) : NULL;
        used = 1;
        if (option && strcmp(word, "--") == 0) {
            flags_over = true;
        } else if (lenient && (option ? flag == NULL : ignoring)) {
            fprintf(stderr, "mashup %s: warning: ignoring unknown option \"%s\"\n", command->name,
                    word);
            ignoring = true;
        } else if (flag != NULL) {
            used = take_flag(given, flag, word, i + 1 < count ? words[i + 1] : NULL);
            ignoring = flag->max == 0;
        } else if (option) {
            return refuse_flag(given, word), false;
        } else if (given->count == command->words_most) {
            return cli_wrong_use(command, "unexpected argument \"%s\"", word), false;
        } else {
            given->words[given->count++] = word;
        }
        if (used == 0)
            return false;
    }
    if (given->count >= command->words_least)
        return true;
    cli_wrong_use(command, "missing argument; usage: mashup %s", command->use);
    return false;
}

/* The number of the value among the choices. False: an error was printed. */
static bool read_choice(const Command *command, const Flag *flag, const char *value,
                        uint64_t *out) {
    char memory[LINE_BYTES];
    MashText text = text_over(memory, sizeof memory);
    size_t letters = strlen(value);
    *out = 0;
    for (const char *at = flag->choices, *next; *at != '\0'; at = next, (*out)++) {
        size_t count = strcspn(at, "|");
        if (count == letters && strncmp(at, value, count) == 0)
            return true;
        next = at + count + (at[count] == '|');
        text_string(&text, *out == 0 ? "" : *next == '\0' ? " or " : ", ");
        text_bytes(&text, at, (uint32_t)count);
    }
    cli_wrong_use(command, "--%s must be %s, not \"%s\"", flag->name, memory, value);
    return false;
}

/* The value as a decimal integer in the flag's range. False: an error was printed. */
static bool read_whole(const Command *command, const Flag *flag, const char *value, uint64_t *out) {
    bool fine = value[0] != '\0';
    *out = 0;
    for (const char *c = value; *c != '\0' && fine; c++) {
        uint64_t digit = (uint64_t)(unsigned char)*c - '0';
        fine = digit <= 9 && digit <= flag->most && *out <= (flag->most - digit) / 10;
        *out = *out * 10 + digit;
    }
    if (fine && *out >= flag->least)
        return true;
    cli_wrong_use(command, "--%s must be a whole number from %llu to %llu, not \"%s\"", flag->name,
                  (unsigned long long)flag->least, (unsigned long long)flag->most, value);
    return false;
}

/* Adds what the environment gives and checks all values. False: an error was printed. */
static bool check_values(Arguments *given) {
    for (const Flag *flag = given->flags; flag->name != NULL; flag++) {
        FlagGiven *out = &given->given[flag - given->flags];
        const char *value = flag->variable == NULL ? NULL : getenv(flag->variable);
        if (value != NULL && value[0] != '\0' && out->count == 0)
            out->values[out->count++] = value;
        out->number = flag->usual;
        if (flag->max == 0 || out->count == 0)
            continue;
        value = out->values[out->count - 1];
        if ((flag->choices != NULL && !read_choice(given->command, flag, value, &out->number)) ||
            (flag->most > 0 && !read_whole(given->command, flag, value, &out->number)))
            return false;
    }
    return true;
}

int arguments_run(const Command *command, int count, char **words) {
    static const Flag none[] = {{.name = NULL}};
    static Arguments given;
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            cli_print_help(command);
            return CLI_FINE;
        }
    given =
        (Arguments){.command = command, .flags = command->flags == NULL ? none : command->flags};
    if (command->extras != NULL && command->extras->make_flags != NULL)
        given.flags = command->extras->make_flags();
    if (!read_words(&given, count, words) || !check_values(&given))
        return CLI_WRONG_USE;
    return command->run(&given);
}

const FlagGiven *flag_find(const Arguments *given, const char *name) {
    for (uint32_t i = 0; given->flags[i].name != NULL; i++)
        if (strcmp(given->flags[i].name, name) == 0)
            return &given->given[i];
    return NULL;
}

/* What was given for a flag that the command has. */
static const FlagGiven *known(const Arguments *given, const char *name) {
    const FlagGiven *flag = flag_find(given, name);
    assert(flag != NULL);
    return flag;
}

bool flag_given(const Arguments *given, const char *name) { return known(given, name)->count > 0; }

const char *flag_text(const Arguments *given, const char *name) {
    const FlagGiven *flag = known(given, name);
    return flag->count == 0 ? NULL : flag->values[flag->count - 1];
}

uint64_t flag_number(const Arguments *given, const char *name) {
    return known(given, name)->number;
}
