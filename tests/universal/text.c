/* text.c -- the universal test's part about texts: boards, names, notation, events, statistics. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tests/universal/trial.h"

enum { TEXT_BYTES = 512, NAME_INDICES = 256, SAY_ONCE_IN = 3 };

/* --- Texts ------------------------------------------------------------------------------------ */

/* Length of the UTF-8 character that begins here, 0 if it is invalid. */
static uint32_t character(const char *bytes, uint32_t left) {
    const uint8_t *b = (const uint8_t *)bytes;
    uint32_t count = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    if (count == 0 || count > left || b[0] > 0xf4)
        return 0;
    for (uint32_t i = 1; i < count; i++)
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xf0 && b[1] < 0x90);
    bool beyond = (b[0] == 0xed && b[1] > 0x9f) || (b[0] == 0xf4 && b[1] > 0x8f);
    return overlong || beyond ? 0 : count;
}

/* Complete, terminated, UTF-8 and still beginning with what was there before. */
static void check_bytes(Trial *trial, const MashText *text, const char *what) {
    REQUIRE(trial, !text->truncated && text->count < text->max, "%s is longer than %u bytes", what,
            text->max);
    REQUIRE(trial, text->bytes[text->count] == '\0', "%s does not end with NUL", what);
    REQUIRE(trial, text->count > 0 && text->bytes[0] == '~', "%s does not append", what);
    for (uint32_t i = 0, length; i < text->count; i += length) {
        length = character(text->bytes + i, text->count - i);
        REQUIRE(trial, length > 0, "%s is not UTF-8", what);
        uint8_t byte = (uint8_t)text->bytes[i];
        REQUIRE(trial, byte >= ' ' && byte != 127, "%s has a control character", what);
    }
}

void universal_text(Trial *trial, const MashText *text, const char *what) {
    check_bytes(trial, text, what);
    REQUIRE(trial, text->count > 1, "%s is empty", what);
}

/* An empty text that detects whether somebody cleared it. */
static MashText text_begun(char *bytes) {
    MashText text = text_over(bytes, TEXT_BYTES);
    text_byte(&text, '~');
    return text;
}

void universal_name(Trial *trial, MashNames list, uint8_t index, const char *what) {
    char bytes[TEXT_BYTES];
    MashText text = text_begun(bytes);
    trial->game->name(trial->content, NULL, list, index, &text);
    check_bytes(trial, &text, what);
    REQUIRE(trial, text.count > 1, "%s: number %d of name list %d has no name", what, index,
            (int)list);
}

/* --- Content ---------------------------------------------------------------------------------- */

static void check_terms(Trial *trial) {
    const MashLimits *limits = &trial->content->limits;
    REQUIRE(trial, limits->core_bytes > 0 && limits->core_bytes <= limits->state_bytes,
            "core_bytes %u of %u", limits->core_bytes, limits->state_bytes);
    REQUIRE(trial, limits->width >= 1 && limits->width <= MASH_SIDE_MAX, "width %d", limits->width);
    REQUIRE(trial, limits->height >= 1 && limits->height <= MASH_SIDE_MAX, "height %d",
            limits->height);
    REQUIRE(trial, limits->units <= MASH_UNIT_SIDE, "units %d", limits->units);
    REQUIRE(trial, limits->actions_max > 0 && limits->events_max > 0 && limits->length_max > 0,
            "actions_max %u, events_max %u, length_max %u", limits->actions_max, limits->events_max,
            limits->length_max);
    REQUIRE(trial, trial->content->game != NULL, "the content does not know its game");
}

static MashStatus set_up(Trial *trial, const MashSetup *setup, void *state) {
    MashChance chance = chance_seeded(trial->seed, 0);
    return trial->game->setup(trial->content, setup, &chance, state);
}

/* Every value from least to most is allowed, none beyond; omitted options have their default. */
static void check_options(Trial *trial) {
    const MashGame *game = trial->game;
    int32_t values[MASH_OPTIONS_MAX + 1] = {0};
    REQUIRE(trial, game->options_count <= MASH_OPTIONS_MAX, "%u options", game->options_count);
    for (uint32_t i = 0; i < game->options_count; i++)
        values[i] = game->options[i].usual;
    void *usual = trial->copies[0], *state = trial->copies[1];
    memset(usual, 0xa5, trial->content->limits.state_bytes);
    memset(state, 0x5a, trial->content->limits.state_bytes);
    REQUIRE(trial, set_up(trial, NULL, usual) == MASH_OK, "the usual options are not allowed");
    for (uint32_t count = 0; count <= game->options_count; count++) {
        MashSetup setup = {.options = values, .options_count = count};
        REQUIRE(trial, set_up(trial, &setup, state) == MASH_OK && trial_same(trial, usual, state),
                "%u usual options are not the same, to the byte, as none", count);
    }
    MashSetup many = {.options = values, .options_count = game->options_count + 1};
    REQUIRE(trial, set_up(trial, &many, state) == MASH_BAD_OPTION, "an option too many is taken");
    MashSetup all = {.options = values, .options_count = game->options_count};
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        REQUIRE(trial, option->least <= option->usual && option->usual <= option->most,
                "option %s: usual value out of range", option->id);
        const int32_t beyond[] = {option->least - 1, option->most + 1};
        for (int j = 0; j < 2; j++) {
            values[i] = beyond[j];
            REQUIRE(trial, set_up(trial, &all, state) == MASH_BAD_OPTION,
                    "option %s takes the value %d", option->id, beyond[j]);
        }
        values[i] = option->usual;
    }
}

void universal_content(Trial *trial) {
    char bytes[TEXT_BYTES];
    check_terms(trial);
    for (int list = 0; list < MASH_NAME_LISTS; list++) {
        for (int index = 0; index < NAME_INDICES; index++) {
            MashText text = text_begun(bytes);
            trial->game->name(trial->content, NULL, (MashNames)list, (uint8_t)index, &text);
            check_bytes(trial, &text, "a name");
            text = text_begun(bytes);
            if (trial->game->describe != NULL)
                trial->game->describe(trial->content, NULL, (MashNames)list, (uint8_t)index, &text);
            check_bytes(trial, &text, "a description");
        }
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        universal_name(trial, MASH_NAME_SIDE, seat, "a side");
    for (uint8_t figure = 0; figure < trial->game->figures_count; figure++)
        universal_name(trial, MASH_NAME_FIGURE, figure, "a figure");
    for (uint8_t reason = 0; reason < MASH_REASON_COUNT; reason++)
        universal_name(trial, MASH_NAME_REASON, reason, "a reason");
    check_options(trial);
    trial_check_lent(trial);
}

/* --- Boards ----------------------------------------------------------------------------------- */

static bool inside(const Trial *trial, int x, int y) {
    return x >= 0 && y >= 0 && x < trial->content->limits.width &&
           y < trial->content->limits.height;
}

static bool is_unit(const Trial *trial, uint8_t unit) {
    return unit < trial->content->limits.units;
}

static bool is_side(uint8_t unit) {
    return unit >= MASH_UNIT_SIDE && unit < MASH_UNIT_SIDE + MASH_SEATS;
}

static void check_token(Trial *trial, const MashToken *token) {
    int unit = token->unit;
    REQUIRE(trial, is_unit(trial, token->unit) || token->unit == MASH_UNIT_NONE,
            "a token of unit %d", unit);
    REQUIRE(trial, token->seat < MASH_SEATS || token->seat == MASH_SEAT_NONE,
            "the token of unit %d is of seat %d", unit, token->seat);
    REQUIRE(trial, token->place <= MASH_GONE, "unit %d is at place %d", unit, token->place);
    REQUIRE(trial, token->place != MASH_ON_BOARD || inside(trial, token->x, token->y),
            "unit %d is on the board at %d,%d", unit, token->x, token->y);
    const int flags = MASH_TOKEN_DONE | MASH_TOKEN_HIDDEN | MASH_TOKEN_REVEALED | MASH_TOKEN_CHOSEN;
    REQUIRE(trial, (token->flags & ~flags) == 0 && token->zero == 0, "unit %d has flags %d", unit,
            token->flags);
    REQUIRE(trial, !(token->flags & MASH_TOKEN_HIDDEN) || token->kind == 0,
            "unit %d is hidden but shown to be of kind %d", unit, token->kind);
    REQUIRE(trial,
            (token->flags & (MASH_TOKEN_HIDDEN | MASH_TOKEN_REVEALED)) !=
                (MASH_TOKEN_HIDDEN | MASH_TOKEN_REVEALED),
            "unit %d is both hidden and revealed", unit);
    if (!(token->flags & MASH_TOKEN_HIDDEN))
        universal_name(trial, MASH_NAME_KIND, token->kind, "the kind of a token");
}

/* Each unit once, and no two with the same name. */
static void check_tokens(Trial *trial, const void *state) {
    const MashBoard *board = &trial->board;
    bool there[MASH_UNIT_NONE + 1] = {false};
    char names[MASH_UNIT_SIDE][32];
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        check_token(trial, token);
        REQUIRE(trial, !there[token->unit] || token->unit == MASH_UNIT_NONE,
                "unit %d has two tokens", token->unit);
        there[token->unit] = true;
    }
    for (uint8_t unit = 0; unit < trial->content->limits.units; unit++) {
        char bytes[TEXT_BYTES];
        MashText text = text_begun(bytes);
        trial->game->unit_name(trial->content, state, unit, &text);
        universal_text(trial, &text, "the name of a unit");
        REQUIRE(trial, text.count < sizeof *names, "unit %d is called %s, which is not short", unit,
                bytes + 1);
        memcpy(names[unit], bytes, text.count + 1);
        for (uint8_t other = 0; there[unit] && other < unit; other++)
            REQUIRE(trial, !there[other] || !text_equal_nocase(names[other], names[unit]),
                    "units %d and %d are both called %s", other, unit, bytes + 1);
    }
}

/* Where a meter says that its index has a name, or each of a set, there is one. */
static void check_index(Trial *trial, const MashMeter *meter) {
    int list = meter->about_list;
    REQUIRE(trial, list <= MASH_NAME_LISTS, "meter %d of unit %d takes names from list %d",
            meter->meter, meter->unit, list - 1);
    if (meter->about_set) {
        for (int i = 0; i < 32; i++)
            if ((uint32_t)meter->now >> i & 1)
                universal_name(trial, (MashNames)(list - 1), (uint8_t)(meter->about + i),
                               "one of a meter's set");
    } else if (list > 0) {
        universal_name(trial, (MashNames)(list - 1), meter->about, "the index of a meter");
    }
}

static void check_meters(Trial *trial) {
    const MashBoard *board = &trial->board;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        REQUIRE(trial,
                is_unit(trial, meter->unit) || is_side(meter->unit) ||
                    meter->unit == MASH_UNIT_NONE,
                "a meter of unit %d", meter->unit);
        REQUIRE(trial, meter->most >= 0, "meter %d of unit %d has most %d", meter->meter,
                meter->unit, meter->most);
        universal_name(trial, MASH_NAME_METER, meter->meter, "a meter");
        check_index(trial, meter);
        universal_role(trial, meter);
    }
}

static void check_board(Trial *trial, const void *state) {
    const MashLimits *limits = &trial->content->limits;
    MashBoard *board = &trial->board;
    size_t cells = (size_t)limits->width * limits->height;
    memset(board->ground, 0xfe, cells);
    board->tokens_count = board->meters_count = board->order_count = UINT32_MAX;
    board->active = board->phase = 0xfe;
    trial->game->show(trial->content, state, board);
    trial_check_lent(trial);
    REQUIRE(trial, board->tokens_count <= limits->tokens_max, "%u tokens", board->tokens_count);
    REQUIRE(trial, board->meters_count <= limits->meters_max, "%u meters", board->meters_count);
    REQUIRE(trial, board->order_count <= limits->units, "%u in the order", board->order_count);
    REQUIRE(trial, is_unit(trial, board->active) || board->active == MASH_UNIT_NONE,
            "unit %d is active", board->active);
    universal_name(trial, MASH_NAME_PHASE, board->phase, "the phase");
    bool named[256] = {false};
    for (size_t cell = 0; cell < cells; cell++) {
        uint8_t ground = board->ground[cell];
        if (!named[ground])
            universal_name(trial, MASH_NAME_GROUND, ground, "a kind of ground");
        named[ground] = true;
    }
    for (uint32_t i = 0; i < board->order_count; i++)
        REQUIRE(trial, is_unit(trial, board->order[i]) || is_side(board->order[i]),
                "unit %d is in the order", board->order[i]);
    check_tokens(trial, state);
    check_meters(trial);
}

static void check_figures(Trial *trial) {
    for (uint8_t figure = 0; figure < trial->game->figures_count; figure++) {
        for (uint8_t unit = 0; unit < trial->content->limits.units; unit++)
            (void)trial->game->figure(trial->content, trial->state, unit, figure);
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            (void)trial->game->figure(trial->content, trial->state,
                                      (uint8_t)(MASH_UNIT_SIDE + seat), figure);
    }
}

void universal_show(Trial *trial) {
    check_board(trial, trial->state);
    for (uint32_t number = 0; number < VIEWS; number++)
        if (!trial_same(trial, trial->views[number], trial->state))
            check_board(trial, trial->views[number]);
    check_figures(trial);
}

/* --- Notation of actions ---------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

/* A case-insensitive hash: typed commands are case-insensitive too. */
static uint64_t hash_of_words(char *words) {
    for (char *c = words; *c != '\0'; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    return hash_bytes(0, words, strlen(words));
}

/* The notation of each action as its seat reads it, no two equal. */
void universal_word(Trial *trial) {
    char bytes[TEXT_BYTES];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint32_t count = trial->counts[seat];
        uint8_t verb = MASH_VERB_NONE;
        for (uint32_t i = 0; i < count; i++) {
            MashText text = text_begun(bytes);
            trial->action = trial->lists[seat][i];
            trial->game->notation(trial->content, trial->views[seat], trial->action, &text);
            universal_text(trial, &text, "the words of an action");
            trial->hashes[i] = hash_of_words(bytes);
            if (trial->action.verb != verb)
                universal_name(trial, MASH_NAME_VERB, trial->action.verb, "a verb");
            verb = trial->action.verb;
        }
        qsort(trial->hashes, count, sizeof *trial->hashes, compare_hashes);
        for (uint32_t i = 1; i < count; i++)
            REQUIRE(trial, trial->hashes[i - 1] != trial->hashes[i],
                    "two actions of seat %d have the same words", seat);
    }
    for (int verb = MASH_VERB_RESIGN; verb <= MASH_VERB_FORFEIT; verb++) {
        MashText text = text_begun(bytes);
        MashAction action = {.verb = (uint8_t)verb};
        trial->game->notation(trial->content, trial->state, action, &text);
        universal_text(trial, &text, "the words of a verb that every game has");
    }
}

/* --- Events ----------------------------------------------------------------------------------- */

/* Which list of names `what` is from, or -1. */
static int names_of_what(uint8_t kind) {
    switch (kind) {
    case MASH_EVENT_PHASE_BEGAN:
        return MASH_NAME_PHASE;
    case MASH_EVENT_ATTACKED:
        return MASH_NAME_ABILITY;
    case MASH_EVENT_FOUGHT:
        return MASH_NAME_OUTCOME;
    case MASH_EVENT_EFFECT_BEGAN:
    case MASH_EVENT_EFFECT_ENDED:
        return MASH_NAME_EFFECT;
    case MASH_EVENT_CHANGED:
        return MASH_NAME_METER;
    case MASH_EVENT_REVEALED:
        return MASH_NAME_KIND;
    case MASH_EVENT_GROUND_CHANGED:
        return MASH_NAME_GROUND;
    case MASH_EVENT_ITEM_APPEARED:
    case MASH_EVENT_ITEM_TAKEN:
    case MASH_EVENT_ITEM_DROPPED:
    case MASH_EVENT_ITEM_GIVEN:
        return MASH_NAME_ITEM;
    case MASH_EVENT_MATCH_ENDED:
        return MASH_NAME_REASON;
    default:
        return -1;
    }
}

/* Is `other` a seat in this event? In a turn of a unit's own it may be none. */
static bool other_is_seat(uint8_t kind) {
    return kind == MASH_EVENT_CHOSEN || kind == MASH_EVENT_READY || kind == MASH_EVENT_TURN_BEGAN ||
           kind == MASH_EVENT_PHASE_BEGAN || kind == MASH_EVENT_TURN_ENDED ||
           kind == MASH_EVENT_DRAW_OFFERED || kind == MASH_EVENT_DRAW_DECLINED ||
           kind == MASH_EVENT_MATCH_ENDED;
}

static void check_fields(Trial *trial, const MashEvent *event) {
    const char *id = mash_event_id(event->kind);
    REQUIRE(trial, id != NULL && event->kind != MASH_EVENT_NONE, "an event of kind %d",
            event->kind);
    REQUIRE(trial, event->seen_by != 0 && (event->seen_by & ~MASH_SEEN_BY_ALL) == 0,
            "event %s is seen by 0x%x", id, event->seen_by);
    REQUIRE(trial, is_unit(trial, event->unit) || event->unit == MASH_UNIT_NONE,
            "event %s of unit %d", id, event->unit);
    if (other_is_seat(event->kind))
        REQUIRE(trial, event->other < MASH_SEATS || event->other == MASH_SEAT_NONE,
                "event %s of seat %d", id, event->other);
    else
        REQUIRE(trial, is_unit(trial, event->other) || event->other == MASH_UNIT_NONE,
                "event %s with other unit %d", id, event->other);
    REQUIRE(trial, inside(trial, event->x, event->y) && inside(trial, event->from_x, event->from_y),
            "event %s from %d,%d to %d,%d", id, event->from_x, event->from_y, event->x, event->y);
    REQUIRE(trial, event->zero[0] == 0 && event->zero[1] == 0 && event->zero[2] == 0,
            "event %s has bytes that should be zero", id);
    if (names_of_what(event->kind) >= 0)
        universal_name(trial, (MashNames)names_of_what(event->kind), event->what, id);
}

static void check_sentence(Trial *trial, const MashEvent *event, const void *state) {
    char bytes[TEXT_BYTES];
    MashText text = text_begun(bytes);
    trial->game->say(trial->content, NULL, state, event, &text);
    universal_text(trial, &text, mash_event_id(event->kind));
}

/* A sentence for each viewer, whether printed before or after it happened. */
static void check_sentences(Trial *trial, const MashEvents *events, const void *before,
                            const void *after) {
    void *view = trial->copies[4];
    for (uint32_t i = 0; i < events->count; i++) {
        check_sentence(trial, &events->list[i], before);
        check_sentence(trial, &events->list[i], after);
    }
    for (uint32_t number = 0; number < VIEWS; number++) {
        trial_hide(trial, view, after, number);
        for (uint32_t i = 0; i < events->count; i++)
            if (trial_sees(&events->list[i], number))
                check_sentence(trial, &events->list[i], view);
    }
}

void universal_event(Trial *trial, const MashEvents *events, const void *before,
                     const void *after) {
    MashResult result = trial->game->result(trial->content, after);
    REQUIRE(trial, events->count <= trial->content->limits.events_max,
            "%u events, more than events_max", events->count);
    uint32_t ends = 0;
    for (uint32_t i = 0; i < events->count; i++) {
        const MashEvent *event = &events->list[i];
        check_fields(trial, event);
        ends += event->kind == MASH_EVENT_MATCH_ENDED;
    }
    if (result.over || trial_once_in(trial, SAY_ONCE_IN))
        check_sentences(trial, events, before, after);
    REQUIRE(trial, ends == result.over, "the match is %s, but its end was told %u times",
            result.over ? "over" : "not over", ends);
    if (!result.over)
        return;
    const MashEvent *last = &events->list[events->count - 1];
    REQUIRE(trial, last->kind == MASH_EVENT_MATCH_ENDED, "something was told after the end");
    REQUIRE(trial,
            last->other == result.winner && last->what == result.reason &&
                last->seen_by == MASH_SEEN_BY_ALL,
            "told: seat %d wins for reason %d; it is seat %d and %d, for all to see", last->other,
            last->what, result.winner, result.reason);
    trial_check_lent(trial);
}
