/* action_menu.h -- what a seat may do now, as a person chooses it: by number in a short menu, or
 * typed.
 *
 * The words of legal actions ("step h0 3 4") are all this knows. Their parts make a tree (verb,
 * unit, cell): a long list is shown by its first parts, and choosing one opens the rest. Typed
 * words need not be whole: any that fit only one action mean it, whatever was left out or
 * shortened; if they fit several, those are the next menu. */
#ifndef CLI_TERMINAL_ACTION_MENU_H
#define CLI_TERMINAL_ACTION_MENU_H
#include "cli/terminal/picture.h"

/* Parts that the words of one action may have. */
enum { CHOICES_PARTS_MAX = 8 };

/* A part of an action's words: from a byte of the pool, so many bytes. A cell's two numbers are one
 * part. */
typedef struct ChoicePart {
    uint32_t start;
    uint16_t bytes;
    bool is_cell;
} ChoicePart;

/* One legal action in words. */
typedef struct MenuEntry {
    MashAction action;
    uint32_t parts_count;
    ChoicePart parts[CHOICES_PARTS_MAX];
} MenuEntry;

/* A line of the menu: `count` members that begin like choice number `first`, by `depth` parts. */
typedef struct ChoiceRow {
    uint32_t first, count, depth;
    bool cells; /* a cell at the end counts as a part; otherwise it is still to be chosen */
} ChoiceRow;

/* A list and what of it is in question. */
typedef struct ActionMenu {
    const MashContent *content;
    MashAction *list;
    MenuEntry *all;
    uint32_t all_count;
    uint32_t *members; /* indices into `all`: those still in question */
    uint32_t members_count;
    ChoiceRow *rows;
    uint32_t rows_count;
    uint32_t common; /* parts that all members share at the front */
    MashText pool;
} ActionMenu;

/* Memory for lists of this content. */
void action_menu_init(ActionMenu *choices, const MashContent *content);
void action_menu_release(ActionMenu *choices);
/* All that the seat may do, in the words of its view; everything is in question. */
void action_menu_list(ActionMenu *choices, const void *view, uint8_t seat);
/* Everything is in question again. */
void action_menu_reset(ActionMenu *choices);
/* True if exactly one is in question: that one. */
bool action_menu_settled(const ActionMenu *choices, MashAction *out);

/* Keeps what line `number` (from 1) of the menu stands for. False: there is no such line. */
bool action_menu_pick(ActionMenu *choices, uint32_t number);
/* Keeps what fits the typed words, of everything legal. What fits nothing in the menu's words is
 * tried with the full names of units: "pick Captain America". False: nothing does, and nothing has
 * changed. */
bool action_menu_type(ActionMenu *choices, const Picture *picture, const char *words);
/* Appends why the typed words are not legal, if the engine can say it. */
void action_menu_explain(const ActionMenu *choices, const Picture *picture, const char *words,
                         uint8_t seat, MashText *text);

/* Marks the cells in question on the picture, if a cell is what is left to choose. */
void action_menu_mark(const ActionMenu *choices, Picture *picture);
/* Is the menu one of units that are not on the board, and nobody is there yet? Then the picture
 * gets their numbers, so that its table of units is the menu. */
bool action_menu_offer(const ActionMenu *choices, Picture *picture);
/* Is a cell among what is to be chosen, now or next? */
bool action_menu_have_cells(const ActionMenu *choices);
/* Prints the menu. */
void action_menu_print(const ActionMenu *choices, const Picture *picture);

#endif
