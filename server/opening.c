/* opening.c -- see opening.h: the match is replayed up to where it really begins. */
#include "server/opening.h"

#include <stdlib.h>
#include <string.h>

/* A draft or placement has fewer actions than this. */
enum { PREPARATION_MAX = 300, KINDS_MAX = 32 };

/* Is there such an event in the last step? */
static bool has_event(const Match *match, MashEventKind kind) {
    for (uint32_t i = 0; i < match->events.count; i++)
        if (match->events.list[i].kind == kind)
            return true;
    return false;
}

static int compare_ids(const void *one, const void *two) {
    return strcmp(*(const char *const *)one, *(const char *const *)two);
}

/* The kinds of the units of a seat, each once. */
static void write_team(const MashContent *content, const MashBoard *board, uint8_t seat,
                       MashText *text) {
    const char *ids[KINDS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < board->tokens_count && count < KINDS_MAX; i++) {
        const char *id = board->tokens[i].seat != seat
                             ? NULL
                             : content->game->id_of(content, MASH_NAME_KIND, board->tokens[i].kind);
        if (id != NULL)
            ids[count++] = id;
    }
    qsort(ids, count, sizeof *ids, compare_ids);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || strcmp(ids[i], ids[i - 1]) != 0)
            text_format(text, "%s%s", text->count > 0 ? "+" : "", ids[i]);
}

/* The teams as they are now. */
static void write_teams(const Match *match, char out[MASH_SEATS][STORE_OPENING_BYTES]) {
    void *memory = malloc(mash_board_bytes(match->content));
    if (memory == NULL)
        return;
    MashBoard board = mash_board_over(match->content, memory);
    match->content->game->show(match->content, match->state, &board);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        MashText text = text_over(out[seat], STORE_OPENING_BYTES);
        write_team(match->content, &board, seat, &text);
    }
    free(memory);
}

/* The action as the first of its seat, if it is. */
static void note_first(const Match *match, MashAction action,
                       char out[MASH_SEATS][STORE_OPENING_BYTES]) {
    if (action.seat >= MASH_SEATS || action.verb >= MASH_VERB_RESIGN || out[action.seat][0] != '\0')
        return;
    MashText text = text_over(out[action.seat], STORE_OPENING_BYTES);
    match->content->game->notation(match->content, match->state, action, &text);
}

void opening_find(const Match *match, void *memory, char out[MASH_SEATS][STORE_OPENING_BYTES]) {
    Match copy;
    MashSetup setup = {match->options, match->content->game->options_count};
    bool chosen = false;
    memset(out, 0, MASH_SEATS * STORE_OPENING_BYTES);
    if (match_begin(&copy, match->content, match->seed, &setup, memory) != MASH_OK)
        return;
    for (uint32_t i = 0; i < match->actions_count && i < PREPARATION_MAX; i++) {
        note_first(&copy, match->actions[i], out);
        if (match_apply(&copy, match->actions[i]) != MASH_OK)
            return;
        chosen |= has_event(&copy, MASH_EVENT_CHOSEN);
        if (!has_event(&copy, MASH_EVENT_MATCH_BEGAN))
            continue;
        memset(out, 0, MASH_SEATS * STORE_OPENING_BYTES); /* all that was preparation */
        if (chosen) {
            write_teams(&copy, out);
            return;
        }
    }
}
