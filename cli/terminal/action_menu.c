/* action_menu.c -- see action_menu.h. */
#include "cli/terminal/action_menu.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum {
    WORD_BYTES = 128,
    ROWS_MAX = 4096, /* a menu never has more lines; cells beyond that must be typed */
    ROWS_USUAL = 24, /* longer menus show only the first parts */
    LEAVES_USUAL = 12,
};

void action_menu_init(ActionMenu *choices, const MashContent *content) {
    size_t most = content->limits.actions_max + 1;
    *choices = (ActionMenu){.content = content,
                            .list = cli_memory(most * sizeof(MashAction)),
                            .all = cli_memory(most * sizeof(MenuEntry)),
                            .members = cli_memory(most * sizeof(uint32_t)),
                            .rows = cli_memory(ROWS_MAX * sizeof(ChoiceRow))};
}

void action_menu_release(ActionMenu *choices) {
    free(choices->list);
    free(choices->all);
    free(choices->members);
    free(choices->rows);
    free(choices->pool.bytes);
    *choices = (ActionMenu){.content = NULL};
}

/* --- Notation and its parts ------------------------------------------------------------------- */

/* Are these digits, and at least one? */
static bool is_number(const char *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (bytes[i] < '0' || bytes[i] > '9')
            return false;
    return count > 0;
}

/* Splits the text at blanks; two numbers in a row are one part, a cell. */
static void divide(const ActionMenu *choices, MenuEntry *choice, uint32_t start) {
    const char *bytes = choices->pool.bytes;
    uint32_t at = start;
    while (bytes[at] != '\0' && choice->parts_count < CHOICES_PARTS_MAX) {
        uint32_t count = (uint32_t)strcspn(bytes + at, " ");
        ChoicePart *last =
            choice->parts_count == 0 ? NULL : &choice->parts[choice->parts_count - 1];
        if (last != NULL && !last->is_cell && is_number(bytes + at, count) &&
            is_number(bytes + last->start, last->bytes)) {
            last->bytes = (uint16_t)(at + count - last->start);
            last->is_cell = true;
        } else {
            choice->parts[choice->parts_count++] = (ChoicePart){at, (uint16_t)count, false};
        }
        at += count + (bytes[at + count] == ' ');
    }
}

/* Makes space for one more part. */
static void grow(MashText *pool) {
    if (pool->bytes != NULL && pool->count + WORD_BYTES < pool->max)
        return;
    uint32_t max = pool->max == 0 ? 1 << 14 : 2 * pool->max;
    char *more = cli_memory(max);
    if (pool->count > 0)
        memcpy(more, pool->bytes, pool->count);
    free(pool->bytes);
    pool->bytes = more;
    pool->max = max;
}

void action_menu_list(ActionMenu *choices, const void *view, uint8_t seat) {
    const MashContent *content = choices->content;
    choices->all_count = content->game->actions(content, view, seat, choices->list);
    choices->pool.count = 0;
    for (uint32_t i = 0; i < choices->all_count; i++) {
        grow(&choices->pool);
        uint32_t start = choices->pool.count;
        content->game->notation(content, view, choices->list[i], &choices->pool);
        text_byte(&choices->pool, '\0');
        choices->all[i] = (MenuEntry){.action = choices->list[i]};
        divide(choices, &choices->all[i], start);
    }
    action_menu_reset(choices);
}

/* --- The menu --------------------------------------------------------------------------------- */

/* Is the text of two parts the same? */
static bool same_part(const ActionMenu *choices, ChoicePart a, ChoicePart b) {
    return a.bytes == b.bytes &&
           memcmp(choices->pool.bytes + a.start, choices->pool.bytes + b.start, a.bytes) == 0;
}

/* How many parts count: a cell at the end may not count. */
static uint32_t parts_of(const MenuEntry *choice, bool cells) {
    uint32_t count = choice->parts_count;
    return count > 0 && !cells && choice->parts[count - 1].is_cell ? count - 1 : count;
}

/* Do both have the same parts from `from` up to `depth`? */
static bool same_front(const ActionMenu *choices, const MenuEntry *a, const MenuEntry *b,
                       uint32_t from, uint32_t depth, bool cells) {
    uint32_t a_count = parts_of(a, cells), b_count = parts_of(b, cells);
    for (uint32_t i = from; i < depth; i++) {
        if (i >= a_count || i >= b_count)
            return a_count == b_count;
        if (!same_part(choices, a->parts[i], b->parts[i]))
            return false;
    }
    return true;
}

/* One of the remaining choices. */
static const MenuEntry *member(const ActionMenu *choices, uint32_t index) {
    return &choices->all[choices->members[index]];
}

/* Makes one row per distinct prefix of `depth` parts; how many, or more than `most`. */
static uint32_t make_rows(ActionMenu *choices, uint32_t depth, bool cells, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < choices->members_count; i++) {
        const MenuEntry *choice = member(choices, i);
        uint32_t row = cells && choice->parts_count <= depth ? 0 : count; /* prefixes are unique */
        while (row > 0 && !same_front(choices, choice, &choices->all[choices->rows[row - 1].first],
                                      choices->common, depth, cells))
            row--;
        if (row > 0) {
            choices->rows[row - 1].count++;
            continue;
        }
        if (count == most) {
            choices->rows_count = 0;
            return most + 1;
        }
        choices->rows[count++] =
            (ChoiceRow){.first = choices->members[i], .count = 1, .depth = depth, .cells = cells};
    }
    choices->rows_count = count;
    return count;
}

/* The length in parts, cells included, of the prefix that all members share. */
static uint32_t common_parts(const ActionMenu *choices) {
    const MenuEntry *first = member(choices, 0);
    uint32_t common = first->parts_count;
    for (uint32_t i = 1; i < choices->members_count; i++)
        while (common > 0 && !(member(choices, i)->parts_count >= common &&
                               same_front(choices, first, member(choices, i), 0, common, true)))
            common--;
    return common;
}

/* Whole actions if they are few; otherwise cells are left for the next menu, and rows get as many
 * more parts as keep this one short. */
static void arrange(ActionMenu *choices) {
    choices->rows_count = choices->common = 0;
    if (choices->members_count == 0)
        return;
    choices->common = choices->members_count == 1 ? 0 : common_parts(choices);
    if (choices->members_count <= LEAVES_USUAL) {
        make_rows(choices, CHOICES_PARTS_MAX, true, LEAVES_USUAL);
        return;
    }
    uint32_t depth = CHOICES_PARTS_MAX;
    while (depth > choices->common + 1 && make_rows(choices, depth, false, ROWS_USUAL) > ROWS_USUAL)
        depth--;
    if (depth == choices->common + 1 || choices->rows_count == 1)
        make_rows(choices, depth, true, ROWS_MAX);
}

void action_menu_reset(ActionMenu *choices) {
    for (uint32_t i = 0; i < choices->all_count; i++)
        choices->members[i] = i;
    choices->members_count = choices->all_count;
    arrange(choices);
}

bool action_menu_settled(const ActionMenu *choices, MashAction *out) {
    if (choices->members_count != 1)
        return false;
    *out = member(choices, 0)->action;
    return true;
}

bool action_menu_pick(ActionMenu *choices, uint32_t number) {
    if (number < 1 || number > choices->rows_count)
        return false;
    ChoiceRow row = choices->rows[number - 1];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < choices->members_count; i++)
        if (same_front(choices, member(choices, i), &choices->all[row.first], choices->common,
                       row.depth, row.cells))
            choices->members[kept++] = choices->members[i];
    choices->members_count = kept;
    arrange(choices);
    return true;
}

/* --- Typed text ------------------------------------------------------------------------------- */

/* The lower case of a capital; anything else unchanged. */
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Commas and the marks of sides count as blanks. */
static bool is_gap(char c) { return c != '\0' && strchr(" ,[]<>", c) != NULL; }

/* The next typed word from *at on, in lower case; false at the end. */
static bool next_typed(const char **at, char out[WORD_BYTES]) {
    while (is_gap(**at))
        (*at)++;
    uint32_t count = 0;
    while (**at != '\0' && !is_gap(**at)) {
        if (count < WORD_BYTES - 1)
            out[count++] = lower(**at);
        (*at)++;
    }
    out[count] = '\0';
    return count > 0;
}

/* How well typed words match an action; FIT_WHOLE: no word of it was omitted. */
typedef enum Fit { FIT_NONE, FIT_SHORTENED, FIT_EXACT, FIT_WHOLE } Fit;

/* How well one typed word matches a word of an action; numbers cannot be abbreviated. */
static Fit fit_word(const char *typed, const char *word, uint32_t count) {
    uint32_t letters = (uint32_t)strlen(typed);
    if (letters > count)
        return FIT_NONE;
    for (uint32_t i = 0; i < letters; i++)
        if (typed[i] != lower(word[i]))
            return FIT_NONE;
    if (letters == count)
        return FIT_EXACT;
    return is_number(word, count) ? FIT_NONE : FIT_SHORTENED;
}

/* How well the typed words match the action's: all must occur, in order; others may be omitted. */
static Fit fit(const char *typed, const char *words) {
    char word[WORD_BYTES];
    Fit worst = FIT_WHOLE;
    while (next_typed(&typed, word)) {
        Fit found = FIT_NONE;
        while (*words != '\0' && found == FIT_NONE) {
            uint32_t count = (uint32_t)strcspn(words, " ");
            found = fit_word(word, words, count);
            if (found == FIT_NONE && worst == FIT_WHOLE)
                worst = FIT_EXACT;
            words += count + (words[count] == ' ');
        }
        if (found == FIT_NONE)
            return FIT_NONE;
        if (found == FIT_SHORTENED)
            worst = FIT_SHORTENED;
    }
    return *words != '\0' && worst == FIT_WHOLE ? FIT_EXACT : worst;
}

/* Hyphens become blanks: "captain-america" can be typed as two words as well. */
static void part_hyphens(char *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = bytes[i] == '-' ? ' ' : bytes[i];
}

/* Appends a unit's kind. False: the view does not contain it. */
static bool put_kind(const Picture *picture, uint8_t unit, MashText *text) {
    const MashToken *token = picture_token_of(picture, unit);
    if (token == NULL || (token->flags & MASH_TOKEN_HIDDEN) != 0)
        return false;
    uint32_t start = text->count;
    picture->content->game->name(picture->content, NULL, MASH_NAME_KIND, token->kind, text);
    return text->count > start;
}

/* The notation of an action with kinds in place of the short names of its units and without
 * hyphens: "pick Captain America" for "pick cap". */
static void spell_out(const ActionMenu *choices, const Picture *picture, const MenuEntry *choice,
                      MashText *text) {
    const uint8_t units[] = {choice->action.unit, choice->action.other};
    for (uint32_t i = 0; i < choice->parts_count; i++) {
        const char *part = choices->pool.bytes + choice->parts[i].start;
        bool spelt = false;
        text_string(text, i == 0 ? "" : " ");
        for (uint32_t j = 0; j < 2 && i > 0 && !spelt; j++) {
            char bytes[WORD_BYTES];
            MashText name = text_over(bytes, sizeof bytes);
            picture->content->game->unit_name(picture->content, picture->view, units[j], &name);
            spelt = name.count == choice->parts[i].bytes && memcmp(bytes, part, name.count) == 0 &&
                    put_kind(picture, units[j], text);
        }
        if (!spelt)
            text_bytes(text, part, choice->parts[i].bytes);
    }
    part_hyphens(text->bytes, text->count);
}

/* How well typed words match an action: in its own notation, or with `picture` with kinds'
 * names. */
static Fit fit_choice(const ActionMenu *choices, const Picture *picture, const MenuEntry *choice,
                      const char *words) {
    char bytes[WORD_BYTES * 2], typed_bytes[WORD_BYTES * 2];
    MashText text = text_over(bytes, sizeof bytes);
    MashText typed = text_over(typed_bytes, sizeof typed_bytes);
    if (picture == NULL)
        return fit(words, choices->pool.bytes + choice->parts[0].start);
    spell_out(choices, picture, choice, &text);
    text_string(&typed, words);
    part_hyphens(typed.bytes, typed.count);
    return fit(typed_bytes, bytes);
}

/* Keeps the best matching of the first `count` members; how many. */
static uint32_t keep_fitting(ActionMenu *choices, const Picture *picture, uint32_t count,
                             const char *words) {
    Fit best = FIT_NONE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = choices->members[i];
        const MenuEntry *choice = &choices->all[index];
        if (choice->parts_count == 0)
            continue;
        Fit there = fit_choice(choices, picture, choice, words);
        if (there == FIT_NONE || there < best)
            continue;
        if (there > best)
            kept = 0;
        best = there;
        choices->members[kept++] = index;
    }
    return kept;
}

bool action_menu_type(ActionMenu *choices, const Picture *picture, const char *words) {
    uint32_t kept = keep_fitting(choices, NULL, choices->members_count, words);
    if (kept == 0) {
        action_menu_reset(choices);
        kept = keep_fitting(choices, NULL, choices->all_count, words);
    }
    if (kept == 0)
        kept = keep_fitting(choices, picture, choices->all_count, words);
    if (kept == 0)
        return false;
    choices->members_count = kept;
    arrange(choices);
    return true;
}

/* The unit of that name, or MASH_UNIT_NONE. */
static uint8_t unit_named(const Picture *picture, const char *name) {
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        char bytes[WORD_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        uint8_t unit = picture->board.tokens[i].unit;
        picture->content->game->unit_name(picture->content, picture->view, unit, &text);
        if (text_equal_nocase(bytes, name))
            return unit;
    }
    return MASH_UNIT_NONE;
}

/* A legal action whose verb was typed, as the base of the typed action. */
static bool action_of_verb(const ActionMenu *choices, const char *verb, MashAction *out) {
    for (uint32_t i = 0; i < choices->all_count; i++) {
        const MenuEntry *choice = &choices->all[i];
        if (choice->parts_count == 0 || fit_word(verb, choices->pool.bytes + choice->parts[0].start,
                                                 choice->parts[0].bytes) == FIT_NONE)
            continue;
        *out = choice->action;
        return true;
    }
    return false;
}

void action_menu_explain(const ActionMenu *choices, const Picture *picture, const char *words,
                         uint8_t seat, MashText *text) {
    char word[WORD_BYTES];
    MashAction action;
    uint32_t units = 0, numbers = 0;
    const char *at = words;
    if (!next_typed(&at, word) || !action_of_verb(choices, word, &action))
        return;
    action.seat = seat;
    while (next_typed(&at, word)) {
        uint8_t unit = unit_named(picture, word);
        if (unit != MASH_UNIT_NONE) {
            *(units++ == 0 ? &action.unit : &action.other) = unit;
        } else if (is_number(word, (uint32_t)strlen(word))) {
            int number = atoi(word);
            *(numbers++ == 0 ? &action.x : &action.y) = (int8_t)(number > 127 ? 127 : number);
        } else {
            return;
        }
    }
    MashStatus status = choices->content->game->check(choices->content, picture->view, action);
    if (status != MASH_OK)
        text_string(text, mash_status_sentence(status));
}
