/* puzzles_check.c -- see puzzles_check.h. */
#include "cli/commands/puzzles_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/puzzle.h"
#include "base/json.h"
#include "cli/files.h"
#include "cli/game_config.h"
#include "cli/progress.h"
#include "match/file.h"
#include "proto/action.h"

enum { ID_BYTES = 64, WORD_BYTES = 128, PROBLEMS_MAX = 16, DIGITS = 16 };

/* The file, and the content and memory of the puzzle that is looked at. */
typedef struct PuzzleFile {
    const char *path;
    Json json;
    uint32_t node; /* of the puzzle */
    GameConfig config;
    char preset[ID_BYTES];
    void *match_memory, *finder_memory, *view, *trial;
    Match match;
    PuzzleFinder *finder;
    uint32_t nodes, gap;
} PuzzleFile;

/* Says what is wrong with the puzzle; always false. */
static bool wrong(const PuzzleFile *file, const char *what) {
    uint32_t line = 1;
    for (uint32_t i = 0; i < file->json.nodes[file->node].start; i++)
        line += file->json.bytes[i] == '\n';
    printf("%s:%u: %s\n", file->path, line, what);
    return false;
}

/* A string of the puzzle. */
static void read_string(const PuzzleFile *file, const char *key, char *out, uint32_t max) {
    MashText text = text_over(out, max);
    json_string(&file->json, json_member(&file->json, file->node, key), &text);
}

/* A whole number of the puzzle; 0 where there is none. */
static uint32_t read_number(const PuzzleFile *file, const char *key) {
    MashProblems problems = {.list = NULL};
    int32_t number = 0;
    uint32_t node = json_member(&file->json, file->node, key);
    if (node != JSON_NONE)
        json_int(&file->json, node, 0, INT32_MAX, &number, &problems);
    return (uint32_t)number;
}

/* The kind of the puzzle; PUZZLE_KIND_COUNT: no such kind. */
static PuzzleKind read_kind(const PuzzleFile *file) {
    char id[ID_BYTES];
    PuzzleKind kind = 0;
    read_string(file, "kind", id, sizeof id);
    while (kind < PUZZLE_KIND_COUNT && strcmp(puzzle_kind_id(kind), id) != 0)
        kind++;
    return kind;
}

/* --- Loading ---------------------------------------------------------------------------------- */

static void release(PuzzleFile *file) {
    free(file->match_memory);
    free(file->finder_memory);
    free(file->view);
    free(file->trial);
    free(file->config.content);
    file->match_memory = file->finder_memory = file->view = file->trial = NULL;
    file->config.content = NULL;
}

/* Loads the board of the puzzle, unless it is that of the one before. */
static bool load(PuzzleFile *file) {
    char preset[ID_BYTES];
    read_string(file, "preset", preset, sizeof preset);
    if (file->config.content != NULL && strcmp(preset, file->preset) == 0)
        return true;
    release(file);
    memcpy(file->preset, preset, sizeof preset);
    GameConfig *config = &file->config;
    config->preset = file->preset;
    config->documents_count =
        mash_documents_of_preset(config->game, file->preset, config->documents);
    if (config->documents_count == 0 || !game_config_load(config))
        return wrong(file, "there is no such board");
    const MashContent *content = config->content;
    file->match_memory = cli_memory(match_bytes(content));
    file->finder_memory = cli_memory(puzzle_bytes(content));
    file->view = cli_memory(content->limits.state_bytes);
    file->trial = cli_memory(content->limits.state_bytes);
    file->finder = puzzle_init(content, file->finder_memory);
    return true;
}

/* Plays the match up to the puzzle. */
static bool replay(PuzzleFile *file) {
    char seed_digits[2 * DIGITS + 1];
    MashSeed seed;
    read_string(file, "seed", seed_digits, sizeof seed_digits);
    if (!match_seed_read(seed_digits, &seed) ||
        match_begin(&file->match, file->config.content, seed, NULL, file->match_memory) != MASH_OK)
        return wrong(file, "the match can't begin");
    const JsonNode *node = &file->json.nodes[json_member(&file->json, file->node, "actions")];
    const char *digits = file->json.bytes + node->start + 1;
    uint32_t count = node->kind == JSON_STRING ? node->end - node->start - 2 : 1;
    if (count % DIGITS != 0)
        return wrong(file, "actions: must be 16 hexadecimal digits for each action");
    for (uint32_t i = 0; i < count; i += DIGITS) {
        char hex[DIGITS + 1] = {0};
        MashAction action;
        memcpy(hex, digits + i, DIGITS);
        if (!action_from_hex(hex, &action))
            return wrong(file, "actions: must be 16 hexadecimal digits for each action");
        if (match_apply(&file->match, action) != MASH_OK)
            return wrong(file, "an action of its match is not legal");
    }
    return true;
}

/* --- Checking --------------------------------------------------------------------------------- */

/* The listed action with these words. False: there is none. */
static bool find_action(const PuzzleFile *file, uint8_t seat, const char *words, MashAction *out) {
    const MashContent *content = file->config.content;
    MashAction *list = cli_memory(content->limits.actions_max * sizeof *list);
    uint32_t count = content->game->actions(content, file->trial, seat, list);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        char bytes[WORD_BYTES];
        MashText word = text_over(bytes, sizeof bytes);
        content->game->notation(content, file->trial, list[i], &word);
        found = strcmp(bytes, words) == 0;
        *out = list[i];
    }
    free(list);
    return found;
}

/* Reads a turn from its words. False: an action is not legal. */
static bool read_turn(const PuzzleFile *file, uint32_t node, uint8_t seat, PuzzleTurn *turn) {
    const MashContent *content = file->config.content;
    turn->count = 0;
    memcpy(file->trial, file->match.state, content->limits.state_bytes);
    for (uint32_t i = json_first(&file->json, node); i != JSON_NONE; i = file->json.nodes[i].next) {
        char words[WORD_BYTES];
        MashText text = text_over(words, sizeof words);
        MashChance chance =
            chance_seeded(file->match.seed, file->match.actions_count + turn->count + 1);
        json_string(&file->json, i, &text);
        MashAction *action = &turn->actions[turn->count];
        if (turn->count == AI_PLAN_MAX || !find_action(file, seat, words, action))
            return wrong(file, "a turn of it is not legal");
        turn->count++;
        content->game->apply_listed(content, file->trial, *action, &chance, NULL);
    }
    return turn->count > 0 || wrong(file, "a turn of it is empty");
}

/* Is the match won in the position that is tried? */
static bool has_won(const PuzzleFile *file, uint8_t seat) {
    const MashContent *content = file->config.content;
    MashResult result = content->game->result(content, file->trial);
    return result.over && result.winner == seat;
}

/* Do its turns do what it says? */
static bool check_turns(PuzzleFile *file, uint8_t seat, PuzzleKind kind, uint32_t needs) {
    uint32_t solutions = json_member(&file->json, file->node, "solutions");
    PuzzleTurn turn;
    if (json_first(&file->json, solutions) == JSON_NONE)
        return wrong(file, "it has no solution");
    for (uint32_t i = json_first(&file->json, solutions); i != JSON_NONE;
         i = file->json.nodes[i].next) {
        if (!read_turn(file, i, seat, &turn))
            return false;
        if (kind == PUZZLE_WIN && !has_won(file, seat))
            return wrong(file, "a solution does not win at once");
        if (puzzle_chance(file->finder, file->view, seat, &turn, file->nodes) < needs)
            return wrong(file, "a solution does not solve it");
    }
    if (!read_turn(file, json_member(&file->json, file->node, "instead"), seat, &turn))
        return false;
    if (puzzle_chance(file->finder, file->view, seat, &turn, file->nodes) >= needs)
        return wrong(file, "the second best turn solves it, too");
    return true;
}

/* Checks the puzzle at file->node. */
static bool check(PuzzleFile *file) {
    uint32_t best = read_number(file, "best"), second = read_number(file, "second");
    uint32_t seat_number = read_number(file, "seat");
    uint8_t seat = (uint8_t)(seat_number < MASH_SEATS ? seat_number : MASH_SEATS);
    char hash[DIGITS + 1], now[DIGITS + 1];
    MashText text = text_over(now, sizeof now);
    if (!load(file) || !replay(file))
        return false;
    const MashContent *content = file->config.content;
    read_string(file, "content", hash, sizeof hash);
    text_hex(&text, content->hash, DIGITS);
    if (strcmp(hash, now) != 0)
        return wrong(file, "its board is not the one that it was found on");
    if (seat >= MASH_SEATS || content->game->awaited(content, file->match.state) != 1u << seat)
        return wrong(file, "its seat is not to act");
    if (best < second + file->gap)
        return wrong(file, "the second best turn is too good");
    memcpy(file->view, file->match.state, content->limits.state_bytes);
    content->game->hide(content, file->view, seat);
    uint32_t needs = puzzle_needs(best, second);
    PuzzleKind kind = read_kind(file);
    if (!check_turns(file, seat, kind, needs))
        return false;
    return !puzzle_solved_by(file->finder, file->view, seat, PUZZLE_LEVEL, kind, needs,
                             PUZZLE_NODES / 4) ||
           wrong(file, "a player of level 3 solves it");
}

/* Checks them all. */
static int check_all(PuzzleFile *file, uint32_t most) {
    uint32_t list = json_member(&file->json, 0, "puzzles"), all = file->json.nodes[list].count;
    uint32_t done = 0, failed = 0;
    file->gap = read_number(file, "gap");
    char game[ID_BYTES];
    MashText text = text_over(game, sizeof game);
    json_string(&file->json, json_member(&file->json, 0, "game"), &text);
    file->config.game = mash_game_find(game);
    if (list == JSON_NONE || file->json.nodes[list].kind != JSON_ARRAY ||
        file->config.game == NULL) {
        printf("%s: this is no file of puzzles\n", file->path);
        return CLI_CHECK_FAILED;
    }
    if (file->gap < PUZZLE_GAP_LEAST)
        file->gap = PUZZLE_GAP;
    all = most > 0 && most < all ? most : all;
    Progress progress = progress_begin();
    for (file->node = json_first(&file->json, list); file->node != JSON_NONE && done < all;
         file->node = file->json.nodes[file->node].next) {
        progress_show(&progress, done++, all);
        failed += !check(file);
    }
    progress_end(&progress);
    printf("%s: %u puzzles, %u wrong\n", file->path, done, failed);
    return failed == 0 ? CLI_FINE : CLI_CHECK_FAILED;
}

int puzzles_check(const char *path, uint32_t nodes, uint32_t most) {
    FileBytes bytes;
    MashProblem list[PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
    if (!files_read(path, &bytes))
        return CLI_WRONG_USE;
    uint32_t nodes_max = bytes.count + 1;
    JsonNode *memory = cli_memory(nodes_max * sizeof *memory);
    PuzzleFile file = {.path = path, .nodes = nodes};
    int exit_code = CLI_CHECK_FAILED;
    if (json_read(&file.json, path, bytes.bytes, bytes.count, memory, nodes_max, &problems))
        exit_code = check_all(&file, most);
    else
        printf("%s: this is no JSON\n", path);
    release(&file);
    free(memory);
    free(bytes.bytes);
    return exit_code;
}
