/* puzzles.c -- mashup puzzles: finds puzzles in matches that AI players play, or in match files;
 * and checks those that were found. One puzzle is one line of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/puzzle.h"
#include "base/json.h"
#include "cli/commands/puzzles_check.h"
#include "cli/commands/self_play.h"
#include "cli/match_files.h"
#include "match/simulate.h"

enum {
    ACTIONS_MOST = 800, /* of the match before the puzzle: the page plays them again */
    LINE_BYTES = 1 << 16,
    WORD_BYTES = 128,
    MATCHES_USUAL = 1000,
    COUNT_USUAL = 10,
    PLAYER_NODES = 600,    /* for a turn of the matches */
    CHECK_TIMES = 10,      /* --check searches so many times as much */
    ACTIONS_LOOKED = 5000, /* longer matches are left out */
    TURNS_BACK = 60,       /* how many turns before the end are looked at */
    LEVEL_PARTS = 4,       /* turns of levels are judged with this part of the nodes */
    SOLUTIONS_TOLD = 1,    /* of a puzzle; others count as right, too */
    PER_CENT = 100,        /* ten thousandths */
};

/* What a position has to pass, what is cheap first: it looks like a puzzle, at some multiple or
 * part of the nodes and with a gap that is less by a part of itself (slack of PUZZLE_GAP); its
 * turns are judged so by who judges those who play it; and level 3 does not solve it. */
typedef enum SieveKind { SIEVE_MISSED, SIEVE_FIND, SIEVE_HOLDS, SIEVE_LEVEL } SieveKind;
static const struct PuzzleSieve {
    const char *name;
    SieveKind kind;
    uint32_t times, parts, slack;
} sieves[] = {{"missed", SIEVE_MISSED, 1, 50, 1500},
              {"first look", SIEVE_FIND, 1, 50, 1500},
              {"level 3", SIEVE_LEVEL, 1, 50, 0},
              {"second look", SIEVE_FIND, 1, 10, 500},
              {"level 3", SIEVE_LEVEL, 1, 10, 0},
              {"search", SIEVE_FIND, 1, 1, 0},
              {"judged", SIEVE_HOLDS, 1, 1, 0},
              {"level 3", SIEVE_LEVEL, 1, LEVEL_PARTS, 0},
              {"five times", SIEVE_FIND, 5, 1, 0},
              {"judged", SIEVE_HOLDS, 1, 1, 0},
              {"level 3", SIEVE_LEVEL, 1, LEVEL_PARTS, 0},
              {"ten times", SIEVE_HOLDS, CHECK_TIMES, 1, 0}};
enum { SIEVES = sizeof sieves / sizeof *sieves };

/* A search for puzzles with all its memory. */
typedef struct PuzzleHunt {
    const GameConfig *config;
    PuzzleFinder *finder;
    void *memory, *view, *state;
    uint32_t nodes, gap;
    uint64_t positions, found;
    uint64_t passed[SIEVES]; /* positions that did */
    uint8_t seat;            /* of the position that is looked at */
} PuzzleHunt;

static void open_hunt(PuzzleHunt *hunt, const GameConfig *config, const Arguments *given) {
    *hunt = (PuzzleHunt){.config = config,
                         .nodes = (uint32_t)flag_number(given, "nodes"),
                         .gap = (uint32_t)flag_number(given, "gap") * PER_CENT};
    hunt->memory = cli_memory(puzzle_bytes(config->content));
    hunt->view = cli_memory(config->content->limits.state_bytes);
    hunt->state = cli_memory(config->content->limits.state_bytes);
    hunt->finder = puzzle_init(config->content, hunt->memory);
}

static void close_hunt(PuzzleHunt *hunt) {
    free(hunt->memory);
    free(hunt->view);
    free(hunt->state);
}

/* --- Printing --------------------------------------------------------------------------------- */

/* The words of a turn, from the position. */
static void put_turn(const PuzzleHunt *hunt, const Match *match, const PuzzleTurn *turn,
                     JsonWriter *writer) {
    const MashContent *content = hunt->config->content;
    memcpy(hunt->state, match->state, content->limits.state_bytes);
    json_open(writer, '[');
    for (uint32_t i = 0; i < turn->count; i++) {
        char bytes[WORD_BYTES];
        MashText word = text_over(bytes, sizeof bytes);
        MashChance chance = chance_seeded(match->seed, match->actions_count + i + 1);
        content->game->notation(content, hunt->state, turn->actions[i], &word);
        json_put_string(writer, bytes);
        if (mash_apply(content, hunt->state, turn->actions[i], &chance, NULL) != MASH_OK)
            break;
    }
    json_close(writer, ']');
}

/* All actions so far, each as in a match file. */
static void put_actions(const Match *match, JsonWriter *writer) {
    char bytes[ACTIONS_MOST * 16 + 1];
    MashText text = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < match->actions_count; i++) {
        uint8_t action[sizeof(MashAction)];
        memcpy(action, &match->actions[i], sizeof action);
        for (uint32_t k = 0; k < sizeof action; k++)
            text_hex(&text, action[k], 2);
    }
    json_put_pair(writer, "actions", bytes);
}

/* The weakest level that finds the solution; 0: none does. */
static uint32_t level_of(const PuzzleHunt *hunt, const Puzzle *puzzle) {
    uint32_t needs = puzzle_needs(puzzle->best, puzzle->second);
    for (uint32_t level = PUZZLE_LEVEL + 1; level <= AI_LEVELS; level++)
        if (puzzle_solved_by(hunt->finder, hunt->view, hunt->seat, level, puzzle->kind, needs,
                             hunt->nodes / LEVEL_PARTS))
            return level;
    return 0;
}

static void print_puzzle(const PuzzleHunt *hunt, const Match *match, const Puzzle *puzzle,
                         uint32_t level) {
    static char bytes[LINE_BYTES];
    char seed[64], hash[32];
    MashText text = text_over(bytes, sizeof bytes), seed_text = text_over(seed, sizeof seed),
             hash_text = text_over(hash, sizeof hash);
    JsonWriter writer = json_writer(&text, 0);
    const GameConfig *config = hunt->config;
    match_seed_write(match->seed, &seed_text);
    text_hex(&hash_text, config->content->hash, 16);
    json_open(&writer, '{');
    json_put_pair(&writer, "kind", puzzle_kind_id(puzzle->kind));
    json_put_pair(&writer, "preset",
                  config->preset == NULL ? config->game->presets[0].id : config->preset);
    json_put_pair(&writer, "content", hash);
    json_put_pair(&writer, "seed", seed);
    put_actions(match, &writer);
    JSON_PUT_INTS(&writer, {"seat", hunt->seat}, {"best", puzzle->best}, {"second", puzzle->second},
                  {"level", level});
    json_open_list(&writer, "solutions");
    for (uint32_t i = 0; i < puzzle->solutions_count; i++)
        put_turn(hunt, match, &puzzle->solutions[i], &writer);
    json_close(&writer, ']');
    json_put_key(&writer, "instead");
    put_turn(hunt, match, &puzzle->instead, &writer);
    json_close(&writer, '}');
    puts(bytes);
    fflush(stdout);
}

/* --- Looking ---------------------------------------------------------------------------------- */

/* Do the solutions, judged as those who play the puzzle are, count as such, and the second best
 * does not? */
static bool holds(const PuzzleHunt *hunt, const Puzzle *puzzle, uint32_t nodes) {
    uint32_t needs = puzzle_needs(puzzle->best, puzzle->second);
    for (uint32_t i = 0; i < puzzle->solutions_count; i++)
        if (puzzle_chance(hunt->finder, hunt->view, hunt->seat, &puzzle->solutions[i], nodes) <
            needs)
            return false;
    return puzzle_chance(hunt->finder, hunt->view, hunt->seat, &puzzle->instead, nodes) < needs;
}

/* Does the position pass the sieve? What was found is in `puzzle`. */
static bool passes(const PuzzleHunt *hunt, const struct PuzzleSieve *sieve, Puzzle *puzzle) {
    uint32_t nodes = hunt->nodes * sieve->times / sieve->parts;
    uint32_t gap = hunt->gap - hunt->gap * sieve->slack / PUZZLE_GAP;
    switch (sieve->kind) {
    case SIEVE_MISSED:
        return puzzle_missed_by(hunt->finder, hunt->view, hunt->seat, PUZZLE_LEVEL, nodes, gap);
    case SIEVE_FIND:
        return puzzle_find(hunt->finder, hunt->view, hunt->seat, nodes, gap, puzzle);
    case SIEVE_HOLDS:
        return holds(hunt, puzzle, nodes);
    default:
        return !puzzle_solved_by(hunt->finder, hunt->view, hunt->seat, PUZZLE_LEVEL, puzzle->kind,
                                 puzzle_needs(puzzle->best, puzzle->second), nodes);
    }
}

/* Is the position a puzzle? Then it is printed. */
static bool consider(PuzzleHunt *hunt, const Match *match) {
    Puzzle puzzle = {0};
    const MashContent *content = hunt->config->content;
    hunt->positions++;
    hunt->seat = content->game->awaited(content, match->state) == 2;
    memcpy(hunt->view, match->state, content->limits.state_bytes);
    content->game->hide(content, hunt->view, hunt->seat);
    for (uint32_t i = 0; i < SIEVES; i++) {
        if (!passes(hunt, &sieves[i], &puzzle))
            return false;
        hunt->passed[i]++;
        if (puzzle.solutions_count > SOLUTIONS_TOLD)
            puzzle.solutions_count = SOLUTIONS_TOLD;
    }
    print_puzzle(hunt, match, &puzzle, level_of(hunt, &puzzle));
    hunt->found++;
    return true;
}

/* Plays the match again and notes after how many actions turns begin; their number. */
static uint32_t find_turns(Match *match, const MashAction *actions, uint32_t count,
                           uint32_t *turns) {
    const MashContent *content = match->content;
    const MashEvaluator *evaluator = content->game->evaluator;
    uint32_t turns_count = 0, last = UINT32_MAX;
    uint8_t seat = MASH_SEAT_NONE;
    match_rewind(match, 0);
    for (uint32_t i = 0; i < count && i <= ACTIONS_MOST; i++) {
        uint8_t now = content->game->awaited(content, match->state) == 2;
        uint32_t turn = evaluator == NULL || evaluator->turn_number == NULL
                            ? i
                            : evaluator->turn_number(content, match->state);
        if (judge_can(content, match->state) && (turn != last || now != seat)) {
            turns[turns_count++] = i;
            last = turn;
            seat = now;
        }
        match_apply(match, actions[i]);
    }
    return turns_count;
}

/* Looks for a puzzle where the last turns of the match begin. */
static void hunt_match(PuzzleHunt *hunt, Match *match) {
    static MashAction actions[ACTIONS_LOOKED];
    static uint32_t turns[ACTIONS_MOST + 1];
    uint32_t count = match->actions_count;
    if (count > ACTIONS_LOOKED)
        return;
    memcpy(actions, match->actions, count * sizeof *actions);
    uint32_t turns_count = find_turns(match, actions, count, turns);
    match_rewind(match, 0);
    for (uint32_t t = turns_count > TURNS_BACK ? turns_count - TURNS_BACK : 0; t < turns_count;
         t++) {
        while (match->actions_count < turns[t])
            match_apply(match, actions[match->actions_count]);
        if (consider(hunt, match))
            return;
    }
}

/* --- Where positions come from ---------------------------------------------------------------- */

/* Careless players of different strength, by the number of the match. */
static const uint32_t levels[][MASH_SEATS] = {{5, 7}, {7, 5}, {6, 6}, {8, 6}, {6, 8}, {5, 5}};

/* How much was looked at, and how many positions passed each sieve. */
static void print_sum(const PuzzleHunt *hunt, uint32_t matches) {
    fprintf(stderr, "%u matches, %llu turns", matches, (unsigned long long)hunt->positions);
    for (uint32_t i = 0; i < SIEVES; i++)
        fprintf(stderr, ", %s %llu", sieves[i].name, (unsigned long long)hunt->passed[i]);
    fprintf(stderr, ", %llu puzzles\n", (unsigned long long)hunt->found);
}

/* Plays matches until enough was found. */
static int hunt_self_play(const GameConfig *config, const Arguments *given) {
    PuzzleHunt hunt;
    SelfPlay self_play;
    MashSeed seed;
    ThinkingUsage usage = {0}, *const usages[MASH_SEATS] = {&usage, &usage};
    uint64_t matches = flag_number(given, "matches"), wanted = flag_number(given, "count");
    if (!game_config_seed(given, &seed))
        return CLI_WRONG_USE;
    open_hunt(&hunt, config, given);
    self_play_open(&self_play, config, PLAYER_NODES, 0);
    bool fine = true;
    uint32_t i = 0;
    for (; i < matches && hunt.found < wanted && fine; i++) {
        const uint32_t *strength = levels[i % (sizeof levels / sizeof *levels)];
        SelfPlayer players[MASH_SEATS];
        const SelfPlayer *const both[MASH_SEATS] = {&players[0], &players[1]};
        MashResult result;
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
            players[seat] = (SelfPlayer){.name = "", .skill = ai_level(strength[seat])};
        fine = self_play_match(&self_play, simulate_seed(seed.words[0], i), both, usages, &result);
        if (fine)
            hunt_match(&hunt, &self_play.match);
    }
    print_sum(&hunt, i);
    self_play_close(&self_play);
    close_hunt(&hunt);
    return fine ? CLI_FINE : CLI_CHECK_FAILED;
}

static const Flag flags[] = {
    FLAG_WHOLE("count", 1, UINT32_MAX, COUNT_USUAL),
    FLAG_WHOLE("matches", 1, UINT32_MAX, MATCHES_USUAL),
    FLAG_WHOLE("nodes", 100, 100000000, PUZZLE_NODES),
    FLAG_WHOLE("gap", PUZZLE_GAP_LEAST / PER_CENT, 90, PUZZLE_GAP / PER_CENT),
    FLAG_SWITCH("check"),
    FLAG_TEXT("seed"),
    FLAG_TEXT("preset"),
    FLAGS_END};

static int run(const Arguments *given) {
    uint32_t nodes = (uint32_t)flag_number(given, "nodes");
    if (flag_given(given, "check"))
        return puzzles_check(given->words[0], nodes * CHECK_TIMES,
                             flag_given(given, "count") ? (uint32_t)flag_number(given, "count")
                                                        : 0);
    return game_config_run(given, hunt_self_play);
}

const Command command_puzzles = {"puzzles",
                                 "Finds positions where one turn beats all others by far.",
                                 "puzzles GAME|FILE [--check] [--count N] [--gap P]\n"
                                 "               [--matches N] [--nodes N] [--preset P]\n"
                                 "               [--seed S]",
                                 run,
                                 flags,
                                 1,
                                 1,
                                 NULL};
