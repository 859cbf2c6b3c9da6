/* session.h -- a match at the terminal: who sits where, whose view is on the screen, what each has
 * been told.
 *
 * A seat is a person's or a program's: random play, or one of the levels. With two persons and
 * something hidden, a curtain falls between them and each sees only its own view; otherwise the
 * screen is shared. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H
#include "ai/ai.h"
#include "cli/choices.h"
#include "cli/setting.h"
#include "cli/story.h"
#include "match/match.h"

/* Of a match file. */
enum { SESSION_PATH_BYTES = 1024 };

/* Everything about it. */
typedef struct Session {
    Terminal terminal;
    Setting setting;
    void *memory; /* the match's */
    Match match;
    Story story;
    Picture picture;
    Choices choices;
    void *view;
    const AiSkill *programs[MASH_SEATS]; /* how each seat is played; NULL: by a person */
    void *thinking;                      /* memory for programs that think; NULL: not needed yet */
    AiPlan plans[MASH_SEATS];
    bool loaded;                   /* just now, and nobody has looked at it yet */
    uint8_t seat;                  /* whose view is on the screen */
    uint32_t told[MASH_SEATS];     /* actions that each person has been told of */
    char file[SESSION_PATH_BYTES]; /* where it was saved to or loaded from; empty: nowhere */
    uint32_t saved;                /* actions that are in the file */
} Session;

/* A new match. False: the setting cannot begin, a sentence was printed. */
bool session_begin(Session *session, const Setting *setting, MashSeed seed);
/* A match from its file, seats as the file names them. False: problems were printed, and nothing
 * has changed. */
bool session_load(Session *session, const char *path);
/* Frees everything but the terminal. */
void session_release(Session *session);
/* Writes the match file. False: a sentence was printed. */
bool session_save(Session *session, const char *path);

/* Acts and keeps the sentences. */
MashStatus session_act(Session *session, MashAction action);
/* Takes back `count` decisions: actions at a shared screen, those of the person against a program.
 * How many actions. */
uint32_t session_undo(Session *session, uint32_t count);
/* Does a program play one of the seats? */
bool session_has_program(const Session *session);
/* Programs act until a person is awaited or the match is over. */
void session_programs(Session *session);
/* Is there something that one of two persons must not see? */
bool session_secret(const Session *session);
/* The person who decides next: the one on the screen if awaited. */
uint8_t session_next(const Session *session);
/* Is a draw offer open that this seat may answer? */
bool session_offered(const Session *session, uint8_t seat);

/* Takes the view of session->seat (or the whole state when the match is over) and its list. */
void session_look(Session *session);
/* Prints what the seat on the screen has not been told yet; how many lines. */
uint32_t session_tell(Session *session);
/* Prints news, board, sides and menu. */
void session_draw(Session *session);
/* Prints the board with the cells in question, and the menu. */
void session_draw_menu(Session *session);

#endif
