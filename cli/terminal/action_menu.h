/* action_menu.h -- the legal actions of a seat as a person chooses them: by number from a short
 * menu, or typed.
 *
 * This only uses the notation of legal actions ("step h0 3 4"). Its parts make a tree (verb, unit,
 * cell): a long list is shown by its first parts, and choosing one opens the rest. Typed words may
 * be omitted or abbreviated as long as they match only one action; if they match several, those are
 * the next menu. */
#ifndef CLI_TERMINAL_ACTION_MENU_H
#define CLI_TERMINAL_ACTION_MENU_H
#include "cli/terminal/picture.h"

/* The most parts in the notation of one action. */
enum { CHOICES_PARTS_MAX = 8 };

/* A part of an action's notation: offset and length in the pool. A cell's two numbers are one
 * part. */
typedef struct ChoicePart {
    uint32_t start;
    uint16_t bytes;
    bool is_cell;
} ChoicePart;

/* One legal action in notation. */
typedef struct MenuEntry {
    MashAction action;
    uint32_t parts_count;
    ChoicePart parts[CHOICES_PARTS_MAX];
} MenuEntry;

/* A line of the menu: `count` members that share the first `depth` parts of choice number
 * `first`. */
typedef struct ChoiceRow {
    uint32_t first, count, depth;
    bool cells; /* a cell at the end counts as a part; otherwise it is still to be chosen */
} ChoiceRow;

/* All choices and which of them remain. */
typedef struct ActionMenu {
    const MashContent *content;
    MashAction *list;
    MenuEntry *all;
    uint32_t all_count;
    uint32_t *members; /* indices into `all`: the remaining choices */
    uint32_t members_count;
    ChoiceRow *rows;
    uint32_t rows_count;
    uint32_t common; /* parts that all members share at the front */
    MashText pool;
} ActionMenu;

/* Memory for lists of this content. */
void action_menu_init(ActionMenu *choices, const MashContent *content);
void action_menu_release(ActionMenu *choices);
/* Lists all legal actions of the seat, in the notation of its view; all of them remain. */
void action_menu_list(ActionMenu *choices, const void *view, uint8_t seat);
/* Resets the selection: all choices remain. */
void action_menu_reset(ActionMenu *choices);
/* True if exactly one choice remains: that one. */
bool action_menu_settled(const ActionMenu *choices, MashAction *out);

/* Keeps the choices of line `number` (from 1) of the menu. False: there is no such line. */
bool action_menu_pick(ActionMenu *choices, uint32_t number);
/* Keeps the choices that match the typed words, out of all legal actions. If nothing matches in
 * notation, the full names of units are tried: "pick Captain America". False: nothing matches, and
 * nothing has changed. */
bool action_menu_type(ActionMenu *choices, const Picture *picture, const char *words);
/* Appends why the typed action is not legal, if the engine can explain it. */
void action_menu_explain(const ActionMenu *choices, const Picture *picture, const char *words,
                         uint8_t seat, MashText *text);

/* Marks the remaining cells on the picture, if only a cell is left to choose. */
void action_menu_mark(const ActionMenu *choices, Picture *picture);
/* Does the menu list units that are not on the board while the board is empty? Then the picture
 * gets their numbers, so that its table of units is the menu. */
bool action_menu_offer(const ActionMenu *choices, Picture *picture);
/* Is a cell to be chosen, now or next? */
bool action_menu_have_cells(const ActionMenu *choices);
/* Prints the menu. */
void action_menu_print(const ActionMenu *choices, const Picture *picture);

#endif
