/* stats.c -- mashup stats: what is chosen and what wins, from match files or an archive. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ai/judge.h"
#include "base/json.h"
#include "cli/match_files.h"
#include "match/tally.h"

enum {
    ROWS_MAX = 4096,
    BOARDS_MAX = 64,
    NAME_BYTES = 96,
    LENGTHS_MAX = 1 << 16,
    FOLDERS_OPEN = 16,
};
#define CERTAINTY 1.96 /* standard deviations of a 95 % interval */

/* What a row counts. */
typedef enum StatsKind { STATS_PLAYER, STATS_CHOICE, STATS_TURN, STATS_KINDS } StatsKind;
static const char *const kind_titles[STATS_KINDS] = {"player", "chosen", "first turn"};
static const char *const kind_ids[STATS_KINDS] = {"players", "choices", "first_turns"};

/* Matches of one player, choice or first turn, and the points that it made. */
typedef struct StatsRow {
    StatsKind kind;
    uint32_t board;
    char name[NAME_BYTES];
    uint32_t matches;
    double points;
} StatsRow;

/* One game and board. */
typedef struct StatsBoard {
    char game[NAME_BYTES], preset[NAME_BYTES];
    uint32_t matches, drawn;
    double points; /* of the first side */
    uint32_t lengths[LENGTHS_MAX];
} StatsBoard;

/* Everything that was read; the walk through folders has no other place for it. */
typedef struct Stats {
    StatsBoard *boards;
    StatsRow *rows;
    uint32_t boards_count, rows_count, least;
    uint32_t level;                    /* only AI players of this level count; 0: all */
    int32_t rating_least, rating_most; /* only players with such a rating; most 0: all */
    const char *player;
    bool fine;
} Stats;
static Stats stats;

/* --- Counting --------------------------------------------------------------------------------- */

/* The board of the match; NULL: there are too many. */
static StatsBoard *board_of(const SavedMatch *saved) {
    const char *preset = saved->file.preset == NULL ? "custom files" : saved->file.preset;
    for (uint32_t i = 0; i < stats.boards_count; i++)
        if (strcmp(stats.boards[i].game, saved->file.game->id) == 0 &&
            strcmp(stats.boards[i].preset, preset) == 0)
            return &stats.boards[i];
    if (stats.boards_count == BOARDS_MAX)
        return NULL;
    StatsBoard *board = &stats.boards[stats.boards_count++];
    snprintf(board->game, sizeof board->game, "%s", saved->file.game->id);
    snprintf(board->preset, sizeof board->preset, "%s", preset);
    return board;
}

/* Adds a match to a row, which is made if it is new. */
static void count(const StatsBoard *board, StatsKind kind, const char *name, double points) {
    uint32_t i = 0;
    StatsRow made = {.kind = kind, .board = (uint32_t)(board - stats.boards)};
    snprintf(made.name, sizeof made.name, "%s", name);
    while (i < stats.rows_count &&
           (stats.rows[i].kind != kind || stats.rows[i].board != made.board ||
            strcmp(stats.rows[i].name, made.name) != 0))
        i++;
    if (i == ROWS_MAX)
        return;
    StatsRow *row = &stats.rows[i];
    if (i == stats.rows_count)
        stats.rows[stats.rows_count++] = made;
    row->matches++;
    row->points += points;
}

/* Is this what a server, the page or a league calls the AI player of the level? */
static bool is_level(const char *name, uint32_t level) {
    static const char *const starts[] = {"Computer ", "Computer, level ", "level"};
    for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t length = strlen(starts[i]);
        if (strncmp(name, starts[i], length) == 0 && name[length] == (char)('0' + level) &&
            name[length + 1] == '\0')
            return true;
    }
    return false;
}

/* Does this side count? */
static bool counts(const SavedMatch *saved, uint8_t seat) {
    const char *name = saved->file.players[seat];
    int32_t rating = saved->file.ratings[seat];
    return (stats.player == NULL || strcmp(name, stats.player) == 0) &&
           (stats.level == 0 || is_level(name, stats.level)) &&
           (stats.rating_most == 0 ||
            (rating > 0 && rating >= stats.rating_least && rating <= stats.rating_most));
}

/* Replays the match and counts. */
static void count_match(SavedMatch *saved, StatsBoard *board, MashResult result) {
    Match *match = &saved->match;
    uint32_t actions_count = match->actions_count;
    double points[MASH_SEATS] = {result.winner == 0 ? 1 : result.winner == 1 ? 0 : 0.5};
    points[1] = 1 - points[0];
    if (board->matches < LENGTHS_MAX)
        board->lengths[board->matches] = actions_count;
    board->matches++;
    board->drawn += result.winner == MASH_SEAT_NONE;
    board->points += points[0];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (counts(saved, seat))
            count(board, STATS_PLAYER, saved->file.players[seat], points[seat]);
    static MatchTally tally;
    MashAction *actions = cli_memory((actions_count + 1) * sizeof *actions);
    memcpy(actions, match->actions, actions_count * sizeof *actions);
    tally_match(match, actions, actions_count, judge_can, &tally);
    for (uint32_t i = 0; i < tally.choices_count; i++) {
        char bytes[NAME_BYTES];
        MashText name = text_over(bytes, sizeof bytes);
        uint8_t seat = tally.choices[i].seat;
        match->content->game->name(match->content, NULL, MASH_NAME_KIND, tally.choices[i].kind,
                                   &name);
        if (counts(saved, seat))
            count(board, STATS_CHOICE, bytes, points[seat]);
    }
    if (tally.first_seat < MASH_SEATS && counts(saved, tally.first_seat))
        count(board, STATS_TURN, tally.first, points[tally.first_seat]);
    free(actions);
}

/* Reads one file; matches that are not over do not count. */
static void read_match(const char *path) {
    static SavedMatch saved;
    FileBytes bytes;
    saved.text = saved.nodes = NULL;
    if (!files_read(path, &bytes) || !saved_match_open(path, bytes, &saved)) {
        stats.fine = false;
    } else {
        MashResult result = match_result(&saved.match);
        StatsBoard *board = result.over ? board_of(&saved) : NULL;
        if (board != NULL)
            count_match(&saved, board, result);
        saved_match_release(&saved);
    }
    free(saved.text);
    free(saved.nodes);
}

/* Of a folder, all that ends in .json. */
static int visit(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about;
    if (kind == FTW_F && (place->level == 0 || text_ends_with(path, ".json")))
        read_match(path);
    return 0;
}

/* --- Printing --------------------------------------------------------------------------------- */

/* A share with its 95 % interval (Wilson), all from 0 to 1. */
typedef struct Share {
    double is, low, high;
} Share;

static Share share_of(double points, uint32_t matches) {
    double n = matches, is = points / n, z = CERTAINTY * CERTAINTY / n;
    double middle = (is + z / 2) / (1 + z);
    double wide = sqrt(z * (is * (1 - is) + z / 4)) / (1 + z);
    return (Share){is, middle - wide, middle + wide};
}

/* The most played first; equals by name. */
static int by_matches(const void *a, const void *b) {
    const StatsRow *one = a, *other = b;
    if (one->matches != other->matches)
        return one->matches < other->matches ? 1 : -1;
    return strcmp(one->name, other->name);
}

static int by_length(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* The middle length of a board's matches. */
static uint32_t median(StatsBoard *board) {
    uint32_t known = board->matches < LENGTHS_MAX ? board->matches : LENGTHS_MAX;
    qsort(board->lengths, known, sizeof *board->lengths, by_length);
    return board->lengths[known / 2];
}

/* The rows of a board of a kind. */
static void print_rows(uint32_t board, uint32_t kind) {
    for (uint32_t k = 0; k < stats.rows_count; k++) {
        const StatsRow *row = &stats.rows[k];
        if (row->kind != kind || row->board != board || row->matches < stats.least)
            continue;
        Share share = share_of(row->points, row->matches);
        printf("  %-10s %6u  %5.1f %% [%5.1f, %5.1f]  %s\n", kind_titles[kind], row->matches,
               100 * share.is, 100 * share.low, 100 * share.high, row->name);
    }
}

static void print_text(void) {
    for (uint32_t i = 0; i < stats.boards_count; i++) {
        StatsBoard *board = &stats.boards[i];
        Share first = share_of(board->points, board->matches);
        printf("%s%s, %s: %u matches, the first side %.1f %% [%.1f, %.1f], %u drawn, median "
               "length %u actions\n",
               i == 0 ? "" : "\n", board->game, board->preset, board->matches, 100 * first.is,
               100 * first.low, 100 * first.high, board->drawn, median(board));
        for (uint32_t kind = 0; kind < STATS_KINDS; kind++)
            print_rows(i, kind);
    }
}

/* Matches and a share in thousandths. */
static void put_share(JsonWriter *writer, double points, uint32_t matches) {
    Share share = share_of(points, matches);
    JSON_PUT_INTS(writer, {"matches", matches}, {"share", (int64_t)(1000 * share.is + 0.5)},
                  {"low", (int64_t)(1000 * share.low + 0.5)},
                  {"high", (int64_t)(1000 * share.high + 0.5)});
}

/* The rows of a kind. */
static void put_rows(JsonWriter *writer, uint32_t board, uint32_t kind) {
    json_open_list(writer, kind_ids[kind]);
    for (uint32_t k = 0; k < stats.rows_count; k++) {
        const StatsRow *row = &stats.rows[k];
        if (row->kind != kind || row->board != board || row->matches < stats.least)
            continue;
        json_open(writer, '{');
        json_put_pair(writer, "name", row->name);
        put_share(writer, row->points, row->matches);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void print_json(void) {
    enum { JSON_BYTES = 4 << 20 };
    char *bytes = cli_memory(JSON_BYTES);
    MashText text = text_over(bytes, JSON_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < stats.boards_count; i++) {
        StatsBoard *board = &stats.boards[i];
        json_open(&writer, '{');
        json_put_pair(&writer, "game", board->game);
        json_put_pair(&writer, "preset", board->preset);
        put_share(&writer, board->points, board->matches);
        JSON_PUT_INTS(&writer, {"drawn", board->drawn}, {"length", median(board)});
        for (uint32_t kind = 0; kind < STATS_KINDS; kind++)
            put_rows(&writer, i, kind);
        json_close(&writer, '}');
    }
    json_close(&writer, ']');
    puts(bytes);
    free(bytes);
}

/* --- The command ------------------------------------------------------------------------------ */

static const Flag flags[] = {FLAG_TEXT("player"), FLAG_WHOLE("level", 1, AI_LEVELS_MAX, 0),
                             FLAG_TEXT("rating"), FLAG_WHOLE("least", 1, UINT32_MAX, 5),
                             FLAG_SWITCH("json"), FLAGS_END};

/* A band of ratings, as in 1400-1600. False: it is none. */
static bool read_band(const char *text) {
    int least, most, end = 0;
    if (text == NULL)
        return true;
    bool fine = sscanf(text, "%5d-%5d%n", &least, &most, &end) == 2 && text[end] == '\0' &&
                least >= 0 && least <= most && most > 0 && most <= MATCH_RATING_MAX;
    if (!fine)
        fprintf(stderr, "mashup stats: --rating: \"%s\" is not a band such as 1400-1600\n", text);
    stats.rating_least = fine ? least : 0;
    stats.rating_most = fine ? most : 0;
    return fine;
}

static int run(const Arguments *given) {
    stats = (Stats){.least = (uint32_t)flag_number(given, "least"),
                    .level = (uint32_t)flag_number(given, "level"),
                    .player = flag_text(given, "player"),
                    .fine = true};
    if (!read_band(flag_text(given, "rating")))
        return CLI_WRONG_USE;
    stats.boards = cli_memory(BOARDS_MAX * sizeof *stats.boards);
    stats.rows = cli_memory(ROWS_MAX * sizeof *stats.rows);
    for (uint32_t i = 0; i < given->count; i++)
        if (nftw(given->words[i], visit, FOLDERS_OPEN, FTW_PHYS) != 0) {
            perror(given->words[i]);
            stats.fine = false;
        }
    qsort(stats.rows, stats.rows_count, sizeof *stats.rows, by_matches);
    if (flag_given(given, "json"))
        print_json();
    else
        print_text();
    free(stats.boards);
    free(stats.rows);
    return stats.fine ? CLI_FINE : CLI_WRONG_USE;
}

const Command command_stats = {"stats",
                               "What is chosen and what wins, from many match files.",
                               "stats FILE|FOLDER... [--player NAME]\n"
                               "             [--level N] [--rating LOW-HIGH] [--least N] [--json]",
                               run,
                               flags,
                               1,
                               ARGUMENTS_PLAIN_MAX,
                               NULL};
