/* seats.c -- how fair the seats are: a level plays itself, and the seats' wins are counted.
 *
 *     bench_seats [GAME [PRESET]] [--level N] [--matches N] [--seed S] [--jobs N] [--nodes N]
 *                 [--option ID=VALUE]... [--dealt] [--content FILE]...
 *
 * Without GAME all games and presets are played. The rows are those of the table in
 * docs/strength.md: matches that the first seat won, the second seat won, drawn, and the first
 * seat's share, a draw counted as half a win, with the range that holds the true share with 95 %
 * certainty (Wilson). The same arguments give the same rows on every machine, whatever --jobs says:
 * each match has a seed of its own, and processes share nothing but the list of results.
 *
 * `make seats` builds and runs it. It needs nothing beyond a C compiler and a POSIX system:
 *
 *     gcc -O2 -o embed tools/embed.c
 *     ./embed $(ls games/[a-z]*\/content/[a-z]*.json | grep -v schema) > shipped.c
 *     gcc -std=c11 -O2 -I. -o bench_seats bench/programs/seats.c tests/support/support.c
 * base/[a-z]*.c \
 *         engine/[a-z]*.c match/[a-z]*.c ai/[a-z]*.c games/games.c \
 *         $(ls games/[a-z]*\/[a-z]*.c | grep -v /test_) shipped.c */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ai/ai.h"
#include "base/hash.h"
#include "match/match.h"
#include "tests/support/support.h"

enum { MATCHES_MAX = 1000000, JOBS_MAX = 256, SETTINGS_MAX = 16, FILE_BYTES_MAX = 1 << 20 };

/* How a match ended; NOT_PLAYED if its process died before. */
typedef enum Outcome { NOT_PLAYED, FIRST, SECOND, DRAWN, OUTCOMES } Outcome;

/* An option as given on the command line: the id is not NUL-terminated. */
typedef struct Given {
    const char *id;
    size_t letters;
    int32_t value;
} Given;

/* The configuration of the run. */
typedef struct Wanted {
    const char *game, *preset; /* NULL = all */
    uint64_t seed, level, matches, jobs, nodes;
    Given options[SETTINGS_MAX];
    uint32_t options_count;
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
} Wanted;

/* What the processes share: a free process takes the next match. */
typedef struct Shared {
    atomic_uint next;
    uint8_t outcomes[MATCHES_MAX];
} Shared;

/* The memory with which one process plays. */
typedef struct Seats {
    const Wanted *wanted;
    const MashContent *content;
    int32_t options[MASH_OPTIONS_MAX];
    Match match;
    void *memory, *view;
    Ai *ai;
    AiPlan plans[MASH_SEATS];
} Seats;

/* Exits with an error message about the command line or the machine. */
static void fail(const char *what, const char *which) {
    fprintf(stderr, "bench_seats: %s: %s\n", what, which);
    exit(2);
}

/* --- Playing ---------------------------------------------------------------------------------- */

/* The action of the awaited seat, searched to the end. */
static MashAction decide(Seats *seats, uint8_t seat, uint64_t seed) {
    match_view(&seats->match, seat, seats->view);
    AiTask task = {.skill = ai_level((uint32_t)seats->wanted->level),
                   .view = seats->view,
                   .plan = &seats->plans[seat],
                   .seat = seat,
                   .nodes = (uint32_t)seats->wanted->nodes,
                   .seed = seed};
    if (!ai_begin(seats->ai, &task))
        abort();
    while (!ai_step(seats->ai, UINT32_MAX))
        ;
    return ai_answer(seats->ai);
}

/* The seed of the tie breaks of a match. hash_number() combines its two numbers by exclusive or, so
 * consecutive seeds would only play the same matches in another order: they are spread first. */
static uint64_t ai_seed_of(uint64_t seed, uint32_t number) {
    return hash_number(1 + (seed - 1) * 0x9e3779b97f4a7c15u, number);
}

/* Plays match number `number` to its end. */
static Outcome play(Seats *seats, uint32_t number) {
    const MashGame *game = seats->content->game;
    Match *match = &seats->match;
    MashSeed seed = {{seats->wanted->seed, number}};
    MashSetup setup = {.options = seats->options, .options_count = game->options_count};
    uint64_t ai_seed = ai_seed_of(seats->wanted->seed, number);
    uint32_t awaited;
    MashStatus status = match_begin(match, seats->content, seed, &setup, seats->memory);
    memset(seats->plans, 0, sizeof seats->plans);
    while (status == MASH_OK && (awaited = game->awaited(seats->content, match->state)) != 0)
        status = match_apply(
            match, decide(seats, awaited == 2, hash_number(ai_seed, match->actions_count)));
    if (status != MASH_OK)
        fail(game->id, mash_status_sentence(status));
    uint8_t winner = match_result(match).winner;
    return winner == 0 ? FIRST : winner == 1 ? SECOND : DRAWN;
}

/* One process: plays matches until none is left. */
static void work(Seats *seats, Shared *shared) {
    uint32_t number;
    seats->memory = support_memory(match_bytes(seats->content));
    seats->view = support_state(seats->content);
    seats->ai = ai_init(seats->content, support_memory(ai_bytes(seats->content)));
    while ((number = atomic_fetch_add(&shared->next, 1)) < seats->wanted->matches)
        shared->outcomes[number] = (uint8_t)play(seats, number);
    _exit(0);
}

/* Plays all matches of one content, in the configured number of processes. */
static void play_all(Seats *seats, Shared *shared) {
    atomic_store(&shared->next, 0);
    memset(shared->outcomes, NOT_PLAYED, seats->wanted->matches);
    fflush(stdout);
    for (uint64_t job = 0; job < seats->wanted->jobs; job++) {
        pid_t child = fork();
        if (child < 0)
            fail("cannot start a process", strerror(errno));
        if (child == 0)
            work(seats, shared);
    }
    while (wait(NULL) > 0 || errno == EINTR)
        ;
}

/* --- Counting --------------------------------------------------------------------------------- */

/* The square root of a number from 0 to 1, by Newton's method: more precise than what is printed.
 */
static double root(double square) {
    double is = 1;
    for (int i = 0; i < 60; i++)
        is = (is + square / is) / 2;
    return is;
}

/* Prints the row of one preset. */
static void print_row(const Wanted *wanted, const MashGame *game, const char *preset,
                      const Shared *shared) {
    uint32_t counts[OUTCOMES] = {0};
    for (uint64_t i = 0; i < wanted->matches; i++)
        counts[shared->outcomes[i]]++;
    if (counts[NOT_PLAYED] > 0)
        fail(game->id, "a process died before its matches were played");
    double all = (double)wanted->matches, sure = 1.96;
    double share = (counts[FIRST] + counts[DRAWN] / 2.0) / all;
    double middle = (share + sure * sure / (2 * all)) / (1 + sure * sure / all);
    double wide = sure / (1 + sure * sure / all) *
                  root(share * (1 - share) / all + sure * sure / (4 * all * all));
    printf("| %s | %s | %llu | %u | %u | %u | %.1f %% (%.1f..%.1f) |\n", game->id, preset,
           (unsigned long long)wanted->level, counts[FIRST], counts[SECOND], counts[DRAWN],
           100 * share, 100 * (middle - wide), 100 * (middle + wide));
    fflush(stdout);
}

/* --- Games and presets ------------------------------------------------------------------------ */

/* The index of an option in the game's list; options_count if it has no option with this id. */
static uint32_t option_find(const MashGame *game, const Given *given) {
    uint32_t i = 0;
    while (i < game->options_count && (strlen(game->options[i].id) != given->letters ||
                                       memcmp(game->options[i].id, given->id, given->letters) != 0))
        i++;
    return i;
}

/* The preset's documents, with the given documents in place of its own. */
static MashContent *load(const Wanted *wanted, const MashGame *game, const char *preset) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    MashProblem problem_list[1];
    MashProblems problems = {.list = problem_list, .max = 1};
    uint32_t count = mash_documents_of_preset(game, preset, list);
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    for (uint32_t i = 0; i < wanted->documents_count; i++)
        if (!mash_documents_replace(list, &count, wanted->documents[i]))
            fail("too many documents", wanted->documents[i].name);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    MashContent *content = support_memory(game->content_bytes_max);
    if (!game->load(&documents, content, &problems))
        fail(problem_list[0].document, problem_list[0].reason);
    support_free(scratch);
    return content;
}

/* Plays one preset and prints its row. Options that the game does not have are skipped: main has
 * checked that some game has them. */
static void measure(const Wanted *wanted, const MashGame *game, const char *preset,
                    Shared *shared) {
    Seats seats = {.wanted = wanted};
    MashContent *content = load(wanted, game, preset);
    seats.content = content;
    for (uint32_t i = 0; i < game->options_count; i++)
        seats.options[i] = game->options[i].usual;
    for (uint32_t i = 0; i < wanted->options_count; i++) {
        uint32_t place = option_find(game, &wanted->options[i]);
        if (place < game->options_count)
            seats.options[place] = wanted->options[i].value;
    }
    play_all(&seats, shared);
    print_row(wanted, game, preset, shared);
    support_free(content);
}

/* --- The command ------------------------------------------------------------------------------ */

/* An integer from least to most; exits otherwise. */
static uint64_t whole(const char *flag, const char *word, uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    uint64_t number = word == NULL ? 0 : strtoull(word, &end, 10);
    if (word == NULL || *word < '0' || *word > '9' || *end != '\0' || errno != 0 ||
        number < least || number > most)
        fail(flag, "takes a whole number within its limits");
    return number;
}

/* Reads ID=VALUE; at least one of the games played must have the option. */
static void read_option(Wanted *wanted, const char *word) {
    const char *equals = word == NULL ? NULL : strchr(word, '=');
    if (equals == NULL || wanted->options_count == SETTINGS_MAX)
        fail("--option", "takes ID=VALUE, up to 16 times");
    wanted->options[wanted->options_count++] =
        (Given){word, (size_t)(equals - word), (int32_t)strtol(equals + 1, NULL, 10)};
}

/* Reads a document that replaces the preset's own of that kind. */
static void read_document(Wanted *wanted, const char *path) {
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL || wanted->documents_count == MASH_DOCUMENTS_MAX)
        fail("--content", path == NULL ? "takes a file" : path);
    char *bytes = support_memory(FILE_BYTES_MAX);
    size_t count = fread(bytes, 1, FILE_BYTES_MAX, file);
    fclose(file);
    wanted->documents[wanted->documents_count++] =
        (MashDocument){.name = path, .bytes = bytes, .count = (uint32_t)count};
}

/* Reads one argument, and its value if it has one. Returns how many words were used. */
static int read_word(Wanted *wanted, const char *word, const char *value) {
    if (strcmp(word, "--level") == 0)
        wanted->level = whole(word, value, 1, AI_LEVELS);
    else if (strcmp(word, "--matches") == 0)
        wanted->matches = whole(word, value, 1, MATCHES_MAX);
    else if (strcmp(word, "--jobs") == 0)
        wanted->jobs = whole(word, value, 1, JOBS_MAX);
    else if (strcmp(word, "--seed") == 0)
        wanted->seed = whole(word, value, 0, UINT64_MAX);
    else if (strcmp(word, "--nodes") == 0)
        wanted->nodes = whole(word, value, 1, UINT32_MAX);
    else if (strcmp(word, "--option") == 0)
        read_option(wanted, value);
    else if (strcmp(word, "--content") == 0)
        read_document(wanted, value);
    else if (strcmp(word, "--dealt") == 0)
        return read_option(wanted, "dealt=1"), 1;
    else if (*word != '-' && wanted->game == NULL)
        return wanted->game = word, 1;
    else if (*word != '-' && wanted->preset == NULL)
        return wanted->preset = word, 1;
    else
        fail("not understood", word);
    return 2;
}

/* Is this game, or preset of it, selected? */
static bool is_wanted(const Wanted *wanted, const MashGame *game, const char *preset) {
    return (wanted->game == NULL || strcmp(wanted->game, game->id) == 0) &&
           (wanted->preset == NULL || preset == NULL || strcmp(wanted->preset, preset) == 0);
}

/* Every given option must belong to a game that is played. */
static void check_options(const Wanted *wanted) {
    for (uint32_t i = 0; i < wanted->options_count; i++) {
        bool known = false;
        for (const MashGame *const *game = mash_games; *game != NULL; game++)
            known |= is_wanted(wanted, *game, NULL) &&
                     option_find(*game, &wanted->options[i]) < (*game)->options_count;
        if (!known)
            fail("no game that is played has this option", wanted->options[i].id);
    }
}

int main(int count, char **words) {
    Wanted wanted = {.seed = 1, .level = 6, .matches = 400, .jobs = 1};
    uint32_t rows = 0;
    Shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        fail("out of memory to share", strerror(errno));
    for (int i = 1; i < count;)
        i += read_word(&wanted, words[i], words[i + 1]);
    check_options(&wanted);
    puts("| game | preset | level | first | second | drawn | first seat's share |");
    puts("|---|---|---:|---:|---:|---:|---|");
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->presets_count; i++)
            if (is_wanted(&wanted, *game, (*game)->presets[i].id)) {
                measure(&wanted, *game, (*game)->presets[i].id, shared);
                rows++;
            }
    if (rows == 0)
        fail("no such game or preset", wanted.preset != NULL ? wanted.preset : wanted.game);
    return 0;
}
