/* learn.c -- the commands: makes evaluation nets by self-play; see learn.h and docs/strength.md.
 *
 *     learn play GAME --out FILE [--net FILE] [--nodes N] [--matches N] [--seconds N] [--jobs N]
 *                [--seed N] [--shaken PERCENT]
 *     learn gate GAME --net FILE [--against FILE] [--nodes N | --ms N] [--matches PAIRS]
 *                [--low ELO --high ELO] ...
 *     learn random GAME --out FILE [--hidden N] [--seed N]
 *     learn export GAME --net FILE --name NAME --out FILE.c
 *     learn shake GAME --out FOLDER [--seed N]
 *
 * A net is a file, "hand" for the evaluation without a net, or what is shipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learn.h"

/* A flag and where its value goes. */
typedef struct LearnFlag {
    const char *name;
    const char **text;
    uint32_t *number;
} LearnFlag;

static const struct {
    const char *name;
    int (*run)(const LearnTask *task);
} commands[] = {
    {"play", learn_play},     {"gate", learn_gate},   {"random", learn_random},
    {"export", learn_export}, {"shake", learn_shake},
};

/* Takes one flag with its value. False: there is no such flag. */
static bool take(LearnTask *task, const char *name, const char *value) {
    const LearnFlag flags[] = {
        {"--net", &task->net, NULL},         {"--against", &task->against, NULL},
        {"--out", &task->out, NULL},         {"--name", &task->name, NULL},
        {"--nodes", NULL, &task->nodes},     {"--ms", NULL, &task->ms},
        {"--matches", NULL, &task->matches}, {"--seconds", NULL, &task->seconds},
        {"--jobs", NULL, &task->jobs},       {"--hidden", NULL, &task->hidden},
        {"--shaken", NULL, &task->shaken},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(flags[i].name, name) != 0)
            continue;
        if (flags[i].text != NULL)
            *flags[i].text = value;
        else
            *flags[i].number = (uint32_t)strtoul(value, NULL, 10);
        return true;
    }
    double *bound = strcmp(name, "--low") == 0    ? &task->low
                    : strcmp(name, "--high") == 0 ? &task->high
                                                  : NULL;
    if (bound != NULL)
        *bound = strtod(value, NULL);
    else if (strcmp(name, "--seed") == 0)
        task->seed = strtoull(value, NULL, 10);
    else
        return false;
    return true;
}

/* Reads the command line and runs the command. */
int main(int count, char **words) {
    LearnTask task = {.nodes = 2000, .jobs = 1, .seed = 1, .hidden = 16, .shaken = 0};
    if (count >= 3)
        task.game = mash_game_find(words[2]);
    bool good = task.game != NULL && count % 2 == 1;
    for (int i = 3; good && i + 1 < count; i += 2)
        good = take(&task, words[i], words[i + 1]);
    if (task.jobs < 1 || task.jobs > LEARN_JOBS_MAX)
        task.jobs = 1;
    for (size_t i = 0; good && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, words[1]) == 0)
            return commands[i].run(&task);
    fprintf(stderr, "learn: wrong use; see learn/learn.c\n");
    return 2;
}
