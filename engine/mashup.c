/* mashup.c -- functions of include/mashup.h that are independent of the game: checking and applying
 * an action, texts of statuses, events and roles, what an event refers to, order of actions. */
#include <string.h>

#include "include/mashup.h"

MashStatus mash_apply(const MashContent *content, void *state, MashAction action,
                      MashChance *chance, MashEvents *events) {
    if (events != NULL)
        events->count = 0;
    MashStatus status = content->game->check(content, state, action);
    if (status == MASH_OK)
        content->game->apply_listed(content, state, action, chance, events);
    return status;
}

MashBoard mash_board_lend(const MashContent *content, Lender *lender) {
    const MashLimits *limits = &content->limits;
    size_t cells = (size_t)limits->width * limits->height;
    MashBoard board = {.active = MASH_UNIT_NONE};
    board.ground = lend(lender, cells);
    board.ground_health = lend(lender, cells * sizeof *board.ground_health);
    board.tokens = lend(lender, limits->tokens_max * sizeof *board.tokens);
    board.meters = lend(lender, limits->meters_max * sizeof *board.meters);
    board.order = lend(lender, limits->units);
    return board;
}

size_t mash_board_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    mash_board_lend(content, &lender);
    return lender.used;
}

MashBoard mash_board_over(const MashContent *content, void *memory) {
    Lender lender = {memory, 0};
    memset(memory, 0, mash_board_bytes(content));
    return mash_board_lend(content, &lender);
}

/* The rows of MASH_STATUSES and MASH_EVENTS. */
static const struct {
    const char *id, *sentence;
} statuses[] = {
#define MASH_ROW(name, id, sentence) {id, sentence},
    MASH_STATUSES(MASH_ROW)
#undef MASH_ROW
};
static const struct {
    const char *id;
    uint8_t other, list;
} events[] = {
#define MASH_ROW(name, id, other, list, meaning) {id, MASH_OTHER_##other, MASH_NAME_##list},
    MASH_EVENTS(MASH_ROW)
#undef MASH_ROW
};

const char *mash_status_id(MashStatus status) {
    assert(status < MASH_STATUS_COUNT);
    return statuses[status].id;
}

const char *mash_status_sentence(MashStatus status) {
    assert(status < MASH_STATUS_COUNT);
    return statuses[status].sentence;
}

const char *mash_event_id(uint8_t kind) { return kind < MASH_EVENT_KINDS ? events[kind].id : NULL; }

const char *mash_role_id(uint8_t role) {
    static const char *const ids[] = {
#define MASH_ROW(name, id, meaning) id,
        MASH_ROLES(MASH_ROW)
#undef MASH_ROW
    };
    return role < MASH_ROLE_COUNT ? ids[role] : NULL;
}

MashOther mash_event_other(uint8_t kind) {
    return kind < MASH_EVENT_KINDS ? (MashOther)events[kind].other : MASH_OTHER_NOTHING;
}

MashNames mash_event_list(const MashGame *game, const MashEvent *event) {
    MashNames own = game->what_list == NULL ? MASH_NAME_NONE : game->what_list(event);
    if (own != MASH_NAME_NONE || event->kind >= MASH_EVENT_KINDS)
        return own;
    bool by_unit = event->kind == MASH_EVENT_PLACED && event->unit != MASH_UNIT_NONE;
    return by_unit ? MASH_NAME_NONE : (MashNames)events[event->kind].list;
}

const char *mash_verb_form(const MashGame *game, uint32_t verb) {
    const char *form = verb == MASH_VERB_NONE ? NULL : game->verb_forms;
    for (; verb > 1 && form != NULL; verb--) {
        form = strchr(form, '|');
        form = form == NULL ? NULL : form + 1;
    }
    return form == NULL ? "" : form;
}

int mash_action_compare(MashAction a, MashAction b) { return memcmp(&a, &b, sizeof a); }

bool mash_event_seen(const MashEvent *event, uint8_t seat) {
    uint8_t bit = seat < MASH_SEATS ? (uint8_t)(1 << seat) : MASH_SEEN_BY_WATCHERS;
    return (event->seen_by & bit) != 0;
}

const char *mash_document_kind(const char *name) {
    const char *kind = name + strlen(name);
    int dots = 0;
    for (const char *c = kind; c > name && c[-1] != '/' && dots < 2; c--)
        if (c[-1] == '.')
            kind = c - 1, dots++;
    return kind;
}

bool mash_documents_replace(MashDocument list[MASH_DOCUMENTS_MAX], uint32_t *count,
                            MashDocument document) {
    uint32_t i = 0;
    while (i < *count &&
           strcmp(mash_document_kind(list[i].name), mash_document_kind(document.name)) != 0)
        i++;
    if (i == MASH_DOCUMENTS_MAX)
        return false;
    if (i == *count)
        (*count)++;
    list[i] = document;
    return true;
}
