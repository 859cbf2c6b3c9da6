/* local_match.h -- a match at the terminal: who sits where, whose view is on the screen, what each
 * has been told.
 *
 * A seat is a person's or a program's: random play, or one of the levels. With two persons and
 * something hidden, a curtain falls between them and each sees only its own view; otherwise the
 * screen is shared. */
#ifndef CLI_TERMINAL_LOCAL_MATCH_H
#define CLI_TERMINAL_LOCAL_MATCH_H
#include "ai/ai.h"
#include "cli/game_config.h"
#include "cli/terminal/action_menu.h"
#include "cli/terminal/match_log.h"
#include "match/match.h"

/* Of a match file. */
enum { SESSION_PATH_BYTES = 1024 };

/* Everything about it. */
typedef struct LocalMatch {
    Terminal terminal;
    GameConfig setting;
    void *memory; /* the match's */
    Match match;
    MatchLog log;
    Picture picture;
    ActionMenu choices;
    void *view;
    const AiSkill *programs[MASH_SEATS]; /* how each seat is played; NULL: by a person */
    Ai *ai;                              /* for programs that think; NULL: not needed yet */
    AiPlan plans[MASH_SEATS];
    bool loaded;                   /* just now, and nobody has looked at it yet */
    uint8_t seat;                  /* whose view is on the screen */
    uint32_t told[MASH_SEATS];     /* actions that each person has been told of */
    char file[SESSION_PATH_BYTES]; /* where it was saved to or loaded from; empty: nowhere */
    uint32_t saved;                /* actions that are in the file */
} LocalMatch;

/* A new match. False: the setting cannot begin, a sentence was printed. */
bool local_match_begin(LocalMatch *session, const GameConfig *setting, MashSeed seed);
/* A match from its file, seats as the file names them. False: problems were printed, and nothing
 * has changed. */
bool local_match_load(LocalMatch *session, const char *path);
/* Frees everything but the terminal. */
void local_match_release(LocalMatch *session);
/* Writes the match file. False: a sentence was printed. */
bool local_match_save(LocalMatch *session, const char *path);

/* Acts and keeps the sentences. */
MashStatus local_match_act(LocalMatch *session, MashAction action);
/* Takes back `count` decisions: actions at a shared screen, those of the person against a program.
 * How many actions. */
uint32_t local_match_undo(LocalMatch *session, uint32_t count);
/* Does a program play one of the seats? */
bool local_match_has_program(const LocalMatch *session);
/* Programs act until a person is awaited or the match is over. */
void local_match_programs(LocalMatch *session);
/* Is there something that one of two persons must not see? */
bool local_match_secret(const LocalMatch *session);
/* The person who decides next: the one on the screen if awaited. */
uint8_t local_match_next(const LocalMatch *session);
/* Is a draw offer open that this seat may answer? */
bool local_match_offered(const LocalMatch *session, uint8_t seat);

/* Takes the view of session->seat (or the whole state when the match is over) and its list. */
void local_match_look(LocalMatch *session);
/* Prints what the seat on the screen has not been told yet; how many lines. */
uint32_t local_match_tell(LocalMatch *session);
/* Prints news, board, sides and menu. */
void local_match_draw(LocalMatch *session);
/* Prints the board with the cells in question, and the menu. */
void local_match_draw_menu(LocalMatch *session);

#endif
