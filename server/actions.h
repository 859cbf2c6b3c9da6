/* actions.h -- applies actions, and positions: what each player and spectator sees. */
#ifndef SERVER_ACTIONS_H
#define SERVER_ACTIONS_H
#include "server/table.h"

/* In place of a seat: spectators who see nothing hidden before the end. */
enum { SEAT_BLIND_WATCHER = 253 };

/* Applies an action and sends its effects to all once the journal has it. If the server and not the
 * rules refused it, `why` is the reason; otherwise it is REFUSAL_COUNT. */
MashStatus actions_apply(Table *table, MashAction action, Refusal *why);
/* The same for several actions of a seat as one step, all or none: may the step begin; adds an
 * action to it, or cancels it; the step is done, and is journalled in one record. */
bool actions_step_begin(Table *table, Refusal *why);
MashStatus actions_step_add(Table *table, MashAction action);
bool actions_step_end(Table *table, Refusal *why);
/* May the seat undo its last step by itself? REFUSAL_COUNT: yes, and `count` actions remain;
 * against an AI player of the server that is any step. */
Refusal actions_may_undo(const Table *table, uint8_t seat, uint32_t *count);
/* May the seat ask for a takeback of its last step? Likewise. */
Refusal actions_may_take_back(const Table *table, uint8_t seat, uint32_t *count);
/* Adds for each seat the turns that it ended with actions behind the first `count`, which are about
 * to be undone. */
void actions_count_turns(const Match *match, uint32_t count, uint32_t turns[MASH_SEATS]);
/* Undoes the last step of seat `of` with all that followed, so that `count` actions remain, and
 * sends it to all once the journal has it; `asker` is the seat that requested it. False: see
 * `why`. */
bool actions_undo(Table *table, uint8_t of, uint32_t count, uint8_t asker, Refusal *why);
/* Ends the match, or a time in it, on behalf of the server. False: the store did not accept it; try
 * again later. */
bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount);
/* Ends the match as a draw, for which both seats act. False: the game does not allow it now. */
bool actions_draw_as_server(Table *table);
/* The view of a seat, of MASH_SEAT_SPECTATOR or SEAT_BLIND_WATCHER, in the server's scratch memory.
 */
const void *positions_view(Table *table, uint8_t viewer);
/* Notes which viewers see a change after the last action; and whether this viewer does. */
void positions_count_changes(Table *table);
bool positions_changed(const Table *table, uint8_t viewer);
/* The action that a seat means by its notation, or by its eight bytes as 16 digits. False: there is
 * none of these words. */
bool actions_read(Table *table, uint8_t seat, const char *words, MashAction *action);
/* The number of the position that a viewer sees. */
uint32_t *positions_number(Table *table, uint8_t viewer);

/* Did a turn begin with these events? */
bool actions_new_turn(const MashEvents *events);

#endif
