/* show.c -- mashup show: prints a match file as text, separately for each seat where they know
 * different things. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/match_files.h"
#include "cli/terminal/match_log.h"
#include "cli/terminal/picture.h"
#include "standard/commands/replay_print.h"

enum { LINE_BYTES = 512, VIEW_ALL = LOG_READERS, NOT_GIVEN = -1 };

/* What is printed, and for whom. */
typedef struct Show {
    Terminal terminal;
    SavedMatch *saved;
    MatchLog log;
    Picture picture;
    void *view;
    uint32_t reader; /* a seat, LOG_SPECTATOR or VIEW_ALL */
} Show;

/* The seat of a reader, or that of spectators. */
static uint8_t seat_of(uint32_t reader) {
    return reader < MASH_SEATS ? (uint8_t)reader : MASH_SEAT_SPECTATOR;
}

/* "[Calliance]" or "spectators" */
static void print_reader(const Show *show, uint32_t reader) {
    char bytes[LINE_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    if (reader < MASH_SEATS)
        picture_side(&show->picture, (uint8_t)reader, &text);
    else
        text_string(&text, "spectators");
    fputs(bytes, stdout);
}

/* --- The head --------------------------------------------------------------------------------- */

/* Prints what the match was played with, and by whom. */
static void print_head(const Show *show) {
    const Match *match = &show->saved->match;
    const MashGame *game = match->content->game;
    char bytes[LINE_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    game_config_seed_text(match->seed, &text);
    printf("%s, version %u, %s%s, seed %s\n", game->title, game->version,
           show->saved->config.preset == NULL ? "custom files" : "preset ",
           show->saved->config.preset == NULL ? "" : show->saved->config.preset, bytes);
    for (uint32_t i = 0; i < game->options_count; i++)
        printf("%s%s %d", i == 0 ? "options: " : ", ", game->options[i].id, match->options[i]);
    if (game->options_count > 0)
        putchar('\n');
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        print_reader(show, seat);
        printf(" %s%s", show->saved->file.players[seat], seat + 1 < MASH_SEATS ? ", " : "\n");
    }
    putchar('\n');
}

/* --- The actions ------------------------------------------------------------------------------ */

/* "12 [Zorde] step o0 3 3"; the action only where the reader may know it. */
static void print_action(const Show *show, uint32_t number, MashAction action, const char *word) {
    printf("%4u ", number);
    if (action.seat < MASH_SEATS)
        print_reader(show, action.seat);
    else
        fputs("the server", stdout);
    bool knows = show->reader == VIEW_ALL || show->reader == action.seat;
    printf("%s%s\n", knows ? " " : "", knows ? word : "");
}

/* Prints the same text once for all readers who learnt the same; omits those who learnt nothing. */
static void print_sentences(const Show *show, uint32_t ply) {
    const MatchLog *log = &show->log;
    if (show->reader != VIEW_ALL) {
        match_log_print(log, show->reader, ply, ply, 0, "       ");
        return;
    }
    bool done[LOG_READERS] = {false};
    bool same = match_log_same(log, ply, 0, 1) && match_log_same(log, ply, 0, LOG_SPECTATOR);
    for (uint32_t reader = 0; reader < LOG_READERS; reader++) {
        if (done[reader] || match_log_count(log, reader, ply, ply) == 0)
            continue;
        const char *gap = "       to ";
        for (uint32_t other = reader; other < LOG_READERS; other++) {
            done[other] |= match_log_same(log, ply, reader, other);
            if (same || !done[other] || !match_log_same(log, ply, reader, other))
                continue;
            fputs(gap, stdout);
            print_reader(show, other);
            gap = " and ";
        }
        if (!same)
            puts(":");
        match_log_print(log, reader, ply, ply, 0, same ? "       " : "         ");
    }
}

/* Replays the match from its start: an action's text is that of the state before it. */
static void print_actions(Show *show, uint32_t from, uint32_t to) {
    Match *match = &show->saved->match;
    const MashContent *content = match->content;
    uint32_t count = match->actions_count;
    MashAction *actions = cli_memory((count + 1) * sizeof *actions);
    memcpy(actions, match->actions, count * sizeof *actions);
    match_rewind(match, 0);
    for (uint32_t i = 0; i < count; i++) {
        char bytes[LINE_BYTES];
        MashText word = text_over(bytes, sizeof bytes);
        content->game->notation(content, match->state, actions[i], &word);
        match_apply(match, actions[i]);
        match_log_add_last(&show->log, match);
        if (i + 1 < from || i + 1 > to)
            continue;
        print_action(show, i + 1, actions[i], bytes);
        print_sentences(show, i + 1);
    }
    free(actions);
}

/* --- The board -------------------------------------------------------------------------------- */

/* Prints a view: its head, the board and both sides. */
static void print_position(Show *show, const void *view) {
    picture_take(&show->picture, view);
    picture_print_head(&show->picture);
    picture_print_board(&show->picture, false);
    putchar('\n');
    picture_print_sides(&show->picture, false);
}

/* Once if nothing is hidden, otherwise per reader. */
static void print_views(Show *show) {
    const Match *match = &show->saved->match;
    bool hidden = false;
    for (uint32_t reader = 0; reader < LOG_READERS; reader++)
        hidden |= match_view(match, seat_of(reader), show->view);
    if (show->reader != VIEW_ALL) {
        match_view(match, seat_of(show->reader), show->view);
        print_position(show, show->view);
        return;
    }
    print_position(show, match->state);
    for (uint32_t reader = 0; hidden && reader < LOG_READERS; reader++) {
        if (!match_view(match, seat_of(reader), show->view))
            continue;
        fputs("\nAs seen by ", stdout);
        print_reader(show, reader);
        puts(":");
        print_position(show, show->view);
    }
}

/* Prints the result and the statistics, or that the match is not over. */
static void print_result(Show *show) {
    const MashContent *content = show->saved->match.content;
    MashResult result = match_result(&show->saved->match);
    if (!result.over) {
        puts("\nThe match is not finished.");
        return;
    }
    char bytes[LINE_BYTES];
    MashText why = text_over(bytes, sizeof bytes);
    content->game->name(content, NULL, MASH_NAME_REASON, result.reason, &why);
    putchar('\n');
    if (result.winner < MASH_SEATS)
        print_reader(show, result.winner);
    printf("%s: %s.\n\n", result.winner < MASH_SEATS ? " won" : "Drawn", bytes);
    picture_take(&show->picture, show->saved->match.state);
    picture_print_figures(&show->picture, show->saved->match.state);
}

/* --- The command ------------------------------------------------------------------------------ */

/* Prints the match from the first action to the last, or only action `at`, to which the match is
 * then rewound. */
static void show_match(SavedMatch *saved, uint32_t reader, int64_t at) {
    Show show = {.terminal = terminal_open(), .saved = saved, .reader = reader};
    show.view = cli_memory(saved->config.content->limits.state_bytes);
    match_log_init(&show.log, saved->config.content);
    picture_init(&show.picture, &show.terminal, saved->config.content);
    picture_take(&show.picture, saved->match.state);
    print_head(&show);
    if (at == NOT_GIVEN) {
        print_actions(&show, 1, UINT32_MAX);
    } else {
        match_rewind(&saved->match, (uint32_t)at);
        print_actions(&show, (uint32_t)at, (uint32_t)at);
    }
    putchar('\n');
    print_views(&show);
    if (at == NOT_GIVEN || match_result(&saved->match).over)
        print_result(&show);
    match_log_release(&show.log);
    picture_release(&show.picture);
    free(show.view);
}

static const Flag flags[] = {FLAG_WHOLE("at", 0, UINT32_MAX, 0),
                             FLAG_CHOICE("view", "0|1|spectator|watcher|all", .usual = 4),
                             FLAGS_END};

static int run(const Arguments *given) {
    const char *path = given->words[0];
    uint64_t at = flag_number(given, "at"), view = flag_number(given, "view");
    static SavedMatch saved;
    FileBytes file;
    if (strcmp(path, "-") != 0 && files_exist(path)) {
        if (!files_read(path, &file))
            return CLI_WRONG_USE;
        bool replay = replay_is(&file), fine = replay && replay_show(path, &file);
        free(file.bytes);
        if (replay)
            return fine ? CLI_FINE : CLI_WRONG_USE;
    }
    if (!saved_match_read(path, &saved))
        return CLI_WRONG_USE;
    int exit_code = CLI_FINE;
    if (at > saved.match.actions_count)
        exit_code = cli_wrong_use(given->command, "--at %llu: the match has only %u actions",
                                  (unsigned long long)at, saved.match.actions_count);
    else
        show_match(&saved,
                   (uint32_t)(view - (view > LOG_SPECTATOR)), /* watcher: as the wire says */
                   flag_given(given, "at") ? (int64_t)at : NOT_GIVEN);
    saved_match_release(&saved);
    return exit_code;
}

const Command command_show = {"show",
                              "Prints a match file as text and verifies it.",
                              "show FILE [--at N] [--view 0|1|spectator|all]",
                              run,
                              flags,
                              1,
                              1,
                              NULL};
