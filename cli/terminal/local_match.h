/* local_match.h -- a match at the terminal: who sits where, whose view is on the screen, what each
 * player has been shown.
 *
 * A seat is played by a person or by the AI: random play, or one of the levels. With two people and
 * hidden information, the board is hidden while they change, and each sees only their own view;
 * otherwise the screen is shared. */
#ifndef CLI_TERMINAL_LOCAL_MATCH_H
#define CLI_TERMINAL_LOCAL_MATCH_H
#include "ai/ai.h"
#include "cli/game_config.h"
#include "cli/terminal/action_menu.h"
#include "cli/terminal/match_log.h"
#include "match/match.h"

/* Of a match file. */
enum { SESSION_PATH_BYTES = 1024 };

/* A match in the terminal. */
typedef struct LocalMatch {
    Terminal terminal;
    GameConfig config;
    void *memory; /* the match's */
    Match match;
    MatchLog log;
    Picture picture;
    ActionMenu choices;
    void *view;
    const AiSkill *programs[MASH_SEATS]; /* how each seat is played; NULL: by a person */
    Ai *ai;                              /* for AI players that think; NULL: not needed yet */
    AiPlan plans[MASH_SEATS];
    bool loaded;                   /* just loaded, and not shown yet */
    uint8_t seat;                  /* whose view is on the screen */
    uint32_t shown[MASH_SEATS];    /* actions that each person has been shown */
    char file[SESSION_PATH_BYTES]; /* where it was saved to or loaded from; empty: none */
    uint32_t saved;                /* actions that are in the file */
} LocalMatch;

/* Starts a new match. False: the set-up was refused; an error was printed. */
bool local_match_begin(LocalMatch *local, const GameConfig *config, MashSeed seed);
/* Loads a match from its file, seats as in the file. False: problems were printed, and nothing has
 * changed. */
bool local_match_load(LocalMatch *local, const char *path);
/* Frees everything but the terminal. */
void local_match_release(LocalMatch *local);
/* Writes the match file. False: a sentence was printed. */
bool local_match_save(LocalMatch *local, const char *path);

/* Applies an action and logs its sentences. */
MashStatus local_match_act(LocalMatch *local, MashAction action);
/* Undoes `count` decisions: actions at a shared screen, those of the person against an AI. How many
 * actions. */
uint32_t local_match_undo(LocalMatch *local, uint32_t count);
/* Does an AI play one of the seats? */
bool local_match_has_program(const LocalMatch *local);
/* AI players act until a person is awaited or the match is over. */
void local_match_programs(LocalMatch *local);
/* Is there hidden information that one of two people must not see? */
bool local_match_secret(const LocalMatch *local);
/* The person who decides next: the one on the screen if awaited. */
uint8_t local_match_next(const LocalMatch *local);
/* Is a draw offer open that this seat may answer? */
bool local_match_offered(const LocalMatch *local, uint8_t seat);

/* Takes the view of local->seat (or the whole state when the match is over) and its list. */
void local_match_look(LocalMatch *local);
/* Prints what has not been shown to the seat on the screen yet; how many lines. */
uint32_t local_match_print_log(LocalMatch *local);
/* Prints news, board, sides and menu. */
void local_match_draw(LocalMatch *local);
/* Prints the board with the remaining cells, and the menu. */
void local_match_draw_menu(LocalMatch *local);

#endif
