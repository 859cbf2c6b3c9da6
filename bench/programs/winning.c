/* winning.c -- how often positions are won, by the value that the search finds for them: makes the
 * tables of MashEvaluator.winning and shows how true they are.
 * Usage: bench_winning play GAME MATCHES SEED NODES > ROWS    plays matches, prints positions
 *        bench_winning fit [sides] < ROWS      prints a table, or one for each side, and its truth
 * In a match both sides search with a share of the nodes and play one turn in eight at random, so
 * that many positions are uneven. A row is game, match, value for the seat to act, its result (0
 * lost, 1 drawn, 2 won) and the seat. All matches make the table; it is tested by two others: that
 * of the even matches in the odd ones, and the other way round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/judge.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum {
    ROWS_MAX = 1 << 18,
    POSITIONS_MAX = 64, /* judged in one match */
    JUDGED_ONE_IN = 6,
    RANDOM_ONE_IN = 8,
    SHARE = 8, /* a player's nodes are this part of a judge's */
    NODES_LEAST = 600,
    CELLS_MAX = 120,
    ENDS_LEAST = 30, /* ends in sight that a mean is made of */
    LOST_USUAL = 200,
    DECKS = 11, /* bins of the printed table: called 0 %, 10 % ... 100 % */
};

/* --- Playing ---------------------------------------------------------------------------------- */

/* A table at which matches are played. */
typedef struct WinningTable {
    MashContent *content;
    void *state, *view;
    MashAction *list;
    PositionJudge *judge;
    Ai *ai;
    MashChance chooser;
    AiPlan plans[MASH_SEATS];
    uint32_t nodes; /* for a decision of a player */
    bool random;    /* this turn is played at random */
    uint32_t turn;
    uint8_t seat;
} WinningTable;

static WinningTable table_open(const MashGame *game, const char *preset, uint32_t nodes) {
    WinningTable table = {.content = support_content(game, preset), .turn = UINT32_MAX};
    table.state = support_state(table.content);
    table.view = support_state(table.content);
    table.list = support_memory(table.content->limits.actions_max * sizeof *table.list);
    table.judge = judge_init(table.content, nodes, support_memory(judge_bytes(table.content)));
    table.nodes = nodes / SHARE > NODES_LEAST ? nodes / SHARE : NODES_LEAST;
    table.ai = ai_init(table.content, support_memory(ai_bytes(table.content)));
    return table;
}

/* A new turn is played at random now and then. True: it is a new turn. */
static bool next_turn(WinningTable *table, uint8_t seat) {
    const MashEvaluator *evaluator = table->content->game->evaluator;
    uint32_t turn = evaluator->turn_number == NULL
                        ? table->turn + 1
                        : evaluator->turn_number(table->content, table->state);
    if (turn == table->turn && seat == table->seat)
        return false;
    table->turn = turn;
    table->seat = seat;
    table->random = chance_below(&table->chooser, RANDOM_ONE_IN) == 0;
    return true;
}

/* What the seat does: by search from its view, or at random. */
static MashAction choose(WinningTable *table, uint8_t seat, bool judged) {
    const MashGame *game = table->content->game;
    if (table->random && judged) {
        uint32_t count = game->actions(table->content, table->state, seat, table->list);
        return table->list[chance_below(&table->chooser, count)];
    }
    uint64_t seed = chance_below(&table->chooser, UINT32_MAX);
    memcpy(table->view, table->state, table->content->limits.state_bytes);
    game->hide(table->content, table->view, seat);
    AiTask task = {
        ai_level(AI_LEVELS), table->view, &table->plans[seat], seat, table->nodes, seed, true};
    bool begun = ai_begin(table->ai, &task);
    assert(begun);
    while (!ai_step(table->ai, UINT32_MAX))
        ;
    return ai_answer(table->ai);
}

/* A judged position. */
typedef struct WinningRow {
    int32_t value;
    uint8_t seat;
} WinningRow;

/* Judges the position; false: there was no choice in it. */
static bool judge(WinningTable *table, WinningRow *out) {
    judge_begin(table->judge, table->state);
    while (!judge_step(table->judge, UINT32_MAX))
        ;
    *out = (WinningRow){table->judge->value, table->judge->seat};
    return !table->judge->forced;
}

/* Plays one match and prints its rows. */
static void play(WinningTable *table, uint64_t seed, uint32_t number) {
    const MashContent *content = table->content;
    const MashGame *game = content->game;
    WinningRow rows[POSITIONS_MAX];
    uint32_t count = 0, ply = 0, awaited;
    MashSeed match_seed = simulate_seed(seed, number);
    MashChance chance = chance_seeded(match_seed, 0);
    table->chooser = simulate_action_chance(seed, number);
    memset(table->plans, 0, sizeof table->plans);
    game->setup(content, NULL, &chance, table->state);
    while ((awaited = game->awaited(content, table->state)) != 0) {
        uint8_t seat = awaited == 2;
        bool judged = judge_can(content, table->state);
        bool begins = next_turn(table, seat);
        if (judged && begins && count < POSITIONS_MAX &&
            chance_below(&table->chooser, JUDGED_ONE_IN) == 0)
            count += judge(table, &rows[count]);
        MashAction action = choose(table, seat, judged);
        chance = chance_seeded(match_seed, ++ply);
        game->apply_listed(content, table->state, action, &chance, NULL);
    }
    uint8_t winner = game->result(content, table->state).winner;
    for (uint32_t i = 0; i < count; i++)
        printf("%s %u %d %d %d\n", game->id, (uint32_t)(seed * 100000) + number, rows[i].value,
               winner == MASH_SEAT_NONE ? 1 : 2 * (winner == rows[i].seat), rows[i].seat);
}

static int play_all(const MashGame *game, uint32_t matches, uint64_t seed, uint32_t nodes) {
    WinningTable tables[16];
    uint32_t count = 0;
    for (uint32_t i = 0; i < game->presets_count && count < 16; i++) {
        tables[count] = table_open(game, game->presets[i].id, nodes);
        const MashLimits *limits = &tables[count].content->limits;
        count += limits->width * limits->height <= CELLS_MAX;
    }
    for (uint32_t i = 0; i < matches; i++) {
        play(&tables[i % 4 < 2 ? 0 : i / 4 % count], seed, i);
        fflush(stdout);
    }
    return 0;
}

/* --- Fitting ---------------------------------------------------------------------------------- */

/* A row that was read. */
typedef struct FitRow {
    uint32_t match;
    int32_t value;
    int32_t result; /* in ten thousandths */
    uint32_t seat;
} FitRow;
static FitRow rows[ROWS_MAX];

static int by_value(const void *a, const void *b) {
    int32_t one = ((const FitRow *)a)->value, other = ((const FitRow *)b)->value;
    return (one > other) - (one < other);
}

/* Which matches a table is made of. */
typedef enum FitPart { FIT_EVEN, FIT_ODD, FIT_ALL } FitPart;

/* The mean result and value of some rows of these matches. */
typedef struct Knot {
    double value, chance, weight;
} Knot;
static Knot mean_of(const FitRow *list, uint32_t from, uint32_t to, FitPart part) {
    Knot knot = {0, 0, 0};
    for (uint32_t i = from; i < to; i++) {
        if (part != FIT_ALL && list[i].match % 2 != part)
            continue;
        knot.value += list[i].value;
        knot.chance += list[i].result;
        knot.weight++;
    }
    double weight = knot.weight == 0 ? 1 : knot.weight;
    return (Knot){knot.value / weight, knot.chance / weight, knot.weight};
}

/* Makes chances rise: neighbours that fall are pooled. */
static void pool(Knot *knots, uint32_t count) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < count; i++) {
            if (knots[i].chance >= knots[i - 1].chance)
                continue;
            double weight = knots[i].weight + knots[i - 1].weight;
            double chance =
                (knots[i].chance * knots[i].weight + knots[i - 1].chance * knots[i - 1].weight) /
                weight;
            changed = knots[i - 1].chance - knots[i].chance > 0.5;
            knots[i].chance = knots[i - 1].chance = chance;
            if (changed)
                break;
        }
    }
}

/* The table of these matches of sorted rows. */
static MashWinningTable fit(const FitRow *list, uint32_t count, FitPart part) {
    MashWinningTable table = {0};
    Knot knots[MASH_WINNING_KNOTS];
    uint32_t low = 0, high = count;
    while (low < count && list[low].value < -MASH_EVALUATION_MAX)
        low++;
    while (high > low && list[high - 1].value > MASH_EVALUATION_MAX)
        high--;
    Knot lost = mean_of(list, 0, low, part), won = mean_of(list, high, count, part);
    table.lost = lost.weight < ENDS_LEAST ? LOST_USUAL : (uint16_t)lost.chance;
    table.won = won.weight < ENDS_LEAST ? MASH_WINNING_CERTAIN - LOST_USUAL : (uint16_t)won.chance;
    for (uint32_t i = 0; i < MASH_WINNING_KNOTS; i++)
        knots[i] = mean_of(list, low + (high - low) * i / MASH_WINNING_KNOTS,
                           low + (high - low) * (i + 1) / MASH_WINNING_KNOTS, part);
    pool(knots, MASH_WINNING_KNOTS);
    for (uint32_t i = 0; i < MASH_WINNING_KNOTS; i++) {
        table.values[i] = (int32_t)knots[i].value;
        table.chances[i] = (uint16_t)(knots[i].chance + 0.5);
        if (i > 0 && table.values[i] <= table.values[i - 1])
            table.values[i] = table.values[i - 1] + 1;
        if (i > 0 && table.chances[i] < table.chances[i - 1])
            table.chances[i] = table.chances[i - 1];
    }
    return table;
}

/* The table of one seat alone. */
static MashWinningTable fit_seat(uint32_t count, uint32_t seat, FitPart of) {
    static FitRow part[ROWS_MAX];
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].seat == seat)
            part[parts++] = rows[i];
    return fit(part, parts, of);
}

static void print_table(const MashWinningTable *table) {
    printf(".won = %u, .lost = %u, .values = {", table->won, table->lost);
    for (uint32_t i = 0; i < MASH_WINNING_KNOTS; i++)
        printf("%s%d", i == 0 ? "" : ", ", table->values[i]);
    printf("}, .chances = {");
    for (uint32_t i = 0; i < MASH_WINNING_KNOTS; i++)
        printf("%s%u", i == 0 ? "" : ", ", table->chances[i]);
    printf("}\n");
}

/* What was called and what came of it. */
typedef struct Truth {
    uint64_t called[DECKS], won[DECKS], seen[DECKS];
} Truth;

/* Adds what the game's table calls in these matches. */
static void add_truth(Truth *truth, const MashGame *game, uint32_t count, FitPart part) {
    MashContent *content = support_content(game, NULL);
    content->game = game;
    for (uint32_t i = 0; i < count; i++) {
        if (part != FIT_ALL && rows[i].match % 2 != part)
            continue;
        uint32_t chance = judge_chance_of(content, (uint8_t)rows[i].seat, rows[i].value);
        uint32_t deck = (chance + 500) / 1000;
        truth->seen[deck]++;
        truth->called[deck] += chance;
        truth->won[deck] += (uint32_t)rows[i].result;
    }
    support_free(content);
}

static void print_truth(const Truth *truth) {
    printf("called  mean called   won    positions\n");
    for (uint32_t i = 0; i < DECKS; i++)
        if (truth->seen[i] > 0)
            printf("%4u %%  %8.1f %%  %6.1f %%  %6llu\n", i * 10,
                   (double)truth->called[i] / (double)truth->seen[i] / 100,
                   (double)truth->won[i] / (double)truth->seen[i] / 100,
                   (unsigned long long)truth->seen[i]);
}

static const MashGame *game_named(const char *id) {
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        if (strcmp(mash_games[i]->id, id) == 0)
            return mash_games[i];
    fprintf(stderr, "there is no game %s\n", id);
    exit(2);
}

/* Reads the rows; their number. */
static uint32_t read_rows(char id[64]) {
    uint32_t count = 0;
    int result;
    while (count < ROWS_MAX && scanf("%63s %u %d %d %u", id, &rows[count].match, &rows[count].value,
                                     &result, &rows[count].seat) == 5)
        rows[count++].result = result * (MASH_WINNING_CERTAIN / 2);
    qsort(rows, count, sizeof *rows, by_value);
    return count;
}

static int fit_all(bool sides) {
    static MashWinningTable tables[MASH_SEATS];
    static MashWinning winning = {0, {&tables[0], &tables[1]}};
    static MashGame game;
    static MashEvaluator evaluator;
    Truth crossed = {{0}, {0}, {0}}, present = {{0}, {0}, {0}};
    char id[64] = "";
    uint32_t count = read_rows(id);
    if (count == 0)
        return 1;
    const MashGame *known = game_named(id);
    printf("%s, %u positions\n", id, count);
    game = *known;
    evaluator = *known->evaluator;
    evaluator.winning = &winning;
    game.evaluator = &evaluator;
    for (FitPart part = FIT_EVEN; part <= FIT_ALL; part++) {
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
            tables[seat] = sides ? fit_seat(count, seat, part) : fit(rows, count, part);
            if (part == FIT_ALL && (sides || seat == 0))
                print_table(&tables[seat]);
        }
        if (part != FIT_ALL)
            add_truth(&crossed, &game, count, part == FIT_EVEN ? FIT_ODD : FIT_EVEN);
    }
    printf("such a table of one half of the matches, in the other half:\n");
    print_truth(&crossed);
    printf("the table of the game, all matches:\n");
    add_truth(&present, known, count, FIT_ALL);
    print_truth(&present);
    return 0;
}

int main(int count, char **words) {
    if (count == 6 && strcmp(words[1], "play") == 0)
        return play_all(game_named(words[2]), (uint32_t)strtoul(words[3], NULL, 10),
                        strtoull(words[4], NULL, 10), (uint32_t)strtoul(words[5], NULL, 10));
    if (count >= 2 && strcmp(words[1], "fit") == 0)
        return fit_all(count == 3 && strcmp(words[2], "sides") == 0);
    fprintf(stderr, "usage: bench_winning play GAME MATCHES SEED NODES > ROWS\n"
                    "       bench_winning fit [sides] < ROWS\n");
    return 2;
}
