/* exec_player.h -- a program of somebody else as a player: one line in, one line out.
 *
 * The program gets lines of JSON on its standard input: `table` when a match begins, `position`
 * (with words, and with the view as bytes) when it has to move, `refused` and the position again
 * when its answer was not legal, and the last `position`, with `result` and without `actions`, when
 * the match is over. It answers each position that has actions by one line on its standard output:
 * the words of an action, or an object as in the arena's `act`. Everything else that it writes
 * belongs on its standard error.
 *
 * `mashup bot --exec` and `exec:` in `mashup league` use this, and so may whatever else seats
 * programs. All calls block, each no longer than its time; a player belongs to one thread at a
 * time. */
#ifndef CLIENT_EXEC_PLAYER_H
#define CLIENT_EXEC_PLAYER_H
#include "include/mashup.h"
#include "proto/position.h"

/* A program that is running, or will be when it is needed. */
typedef struct ExecPlayer ExecPlayer;

/* What became of a question. */
typedef enum ExecAnswer {
    EXEC_CHOSEN,
    EXEC_LATE,    /* no answer in time */
    EXEC_ENDED,   /* the program has ended, or never started */
    EXEC_ILLEGAL, /* EXEC_STRIKES answers in a row were not legal */
} ExecAnswer;

/* Answers that are not legal before the match is lost. */
enum { EXEC_STRIKES = 3 };

/* What a program is sent when a match begins. */
typedef struct ExecTable {
    const MashContent *content;
    const char *preset;            /* NULL: the first; "": the documents */
    const MashDocument *documents; /* those that make up the content, where that is no preset */
    uint32_t documents_count;
    const int32_t *options; /* one for each of the game's */
    uint8_t you;
    uint32_t turn_ms, match_ms; /* 0: no limit */
} ExecTable;

/* A player by a command for the shell. NULL: no memory. */
ExecPlayer *exec_player_open(const char *command);
/* Ends the program: closes its input, waits a moment and then kills it and all that it started.
 * NULL is ignored. */
void exec_player_close(ExecPlayer *player);
/* Also writes all that the program says on its standard output to this descriptor, which stays the
 * caller's; -1: nowhere, as at first. */
void exec_player_record(ExecPlayer *player, int descriptor);
/* Has the program said anything since it was started? If not, and it has ended, it never ran. */
bool exec_player_spoke(const ExecPlayer *player);
/* How many of its answers were refused since the player was opened. */
uint32_t exec_player_refusals(const ExecPlayer *player);
/* From another thread: kills the program, so that a call that waits for it returns soon; it is not
 * started again. */
void exec_player_interrupt(ExecPlayer *player);
/* Tells that a match begins; starts the program unless it is running. One that has ended since its
 * last match is started again, now or when it is first asked. False: it has ended or takes no
 * input, see the problem; the next match starts it again. */
bool exec_player_begin(ExecPlayer *player, const ExecTable *table, uint32_t limit_ms,
                       MashText *problem);
/* Asks for an action in this position, in which the seat is awaited; after `limit_ms` it is late.
 * Unless it is EXEC_CHOSEN the problem says what happened, and the program is ended so that the
 * next match starts it again. */
ExecAnswer exec_player_choose(ExecPlayer *player, const Position *position, uint32_t limit_ms,
                              MashAction *out, MashText *problem);
/* Tells how the match ended. */
void exec_player_end(ExecPlayer *player, const Position *position, uint32_t limit_ms);

#endif
