/* words.c -- Generals in words: names, typed commands, sentences, figures for the end screen. */
#include "games/generals/state.h"

enum { WORD_BYTES = 64 };

void generals_name(const MashContent *content, MashNames list, uint8_t index, MashText *text) {
    texts_name(&generals_content(content)->texts, list, index, text);
}

/* [3.7] A side's letter and the number within the side. */
void generals_unit_name(const MashContent *content, const void *raw_state, uint8_t unit,
                        MashText *text) {
    (void)raw_state;
    const GeneralsContent *body = generals_content(content);
    const GeneralsArmy *army = &body->army[side_of(body, unit)];
    if (unit < units_of(body))
        text_format(text, "%c%u", army->id[0], (unsigned)unit - army->first);
}

/* The id of a kind by its number in name(). */
static const char *kind_id(const GeneralsContent *body, uint8_t number) {
    const GeneralsArmy *army = &body->army[number >= body->army[1].kind_first];
    uint32_t kind = 1u + number - army->kind_first;
    return kind <= army->kinds_count ? army->kinds[kind].id : "";
}

void generals_word(const MashContent *content, const void *raw_state, MashAction action,
                   MashText *text) {
    static const char *const verbs[] = {"",     "place",  "layout", "random", "ready",
                                        "move", "strike", "web",    "stay"};
    if (common_has_verb(action.verb)) {
        common_notation(action, text);
        return;
    }
    if (action.verb >= VERB_END)
        return;
    text_string(text, verbs[action.verb]);
    if (action.verb == VERB_PLACE)
        text_format(text, " %s", kind_id(generals_content(content), action.amount));
    if (action.verb >= VERB_MOVE) {
        text_byte(text, ' ');
        generals_unit_name(content, raw_state, action.unit, text);
    }
    if (action.verb == VERB_PLACE || action.verb == VERB_MOVE)
        text_format(text, " %d %d", action.x, action.y);
    if (action.verb == VERB_WEB) {
        text_byte(text, ' ');
        generals_unit_name(content, raw_state, action.other, text);
    }
}

/* "Thor (h3)" where this view knows the rank, "h3" where not. */
static void unit_words(const MashContent *content, const GeneralsState *state, uint8_t unit,
                       MashText *text) {
    const GeneralsContent *body = generals_content(content);
    if (unit >= units_of(body))
        return;
    uint8_t kind = state->pieces[unit].kind;
    if (kind == 0) {
        generals_unit_name(content, state, unit, text);
        return;
    }
    uint8_t first = body->army[side_of(body, unit)].kind_first;
    texts_name(&body->texts, MASH_NAME_KIND, (uint8_t)(first + kind - 1), text);
    text_string(text, " (");
    generals_unit_name(content, state, unit, text);
    text_byte(text, ')');
}

/* Which list an event's `what` is from; MASH_NAME_LISTS: it has none. */
static MashNames list_of(uint8_t kind) {
    switch (kind) {
    case MASH_EVENT_PLACED:
    case MASH_EVENT_REVEALED:
        return MASH_NAME_KIND;
    case MASH_EVENT_PHASE_BEGAN:
        return MASH_NAME_PHASE;
    case MASH_EVENT_FOUGHT:
        return MASH_NAME_OUTCOME;
    case MASH_EVENT_USED:
        return MASH_NAME_ABILITY;
    case MASH_EVENT_EFFECT_BEGAN:
    case MASH_EVENT_EFFECT_ENDED:
        return MASH_NAME_EFFECT;
    case MASH_EVENT_MATCH_ENDED:
        return MASH_NAME_REASON;
    default:
        return MASH_NAME_LISTS;
    }
}

void generals_say(const MashContent *content, const void *raw_state, const MashEvent *event,
                  MashText *text) {
    const GeneralsContent *body = generals_content(content);
    char unit[WORD_BYTES], other[WORD_BYTES], what[WORD_BYTES], side[WORD_BYTES];
    MashText unit_text = text_over(unit, sizeof unit), other_text = text_over(other, sizeof other);
    MashText what_text = text_over(what, sizeof what), side_text = text_over(side, sizeof side);
    bool of_unit = event->kind == MASH_EVENT_FOUGHT || event->kind == MASH_EVENT_USED ||
                   event->kind == MASH_EVENT_DIED;
    if (event->kind == MASH_EVENT_REVEALED) /* "h3 is Thor" */
        generals_unit_name(content, raw_state, event->unit, &unit_text);
    else
        unit_words(content, raw_state, event->unit, &unit_text);
    if (of_unit)
        unit_words(content, raw_state, event->other, &other_text);
    else if (event->other < MASH_SEATS)
        texts_name(&body->texts, MASH_NAME_SIDE, event->other, &side_text);
    bool of_piece = event->kind == MASH_EVENT_PLACED && event->unit != MASH_UNIT_NONE;
    MashNames list = of_piece ? MASH_NAME_LISTS : list_of(event->kind);
    if (list != MASH_NAME_LISTS)
        texts_name(&body->texts, list, event->what, &what_text);
    TextsArguments words = {.unit = unit, .other = other, .what = what, .side = side};
    texts_write_event(&body->texts, event, &words, text);
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* How many pieces fell to this unit by this cause; with `tied`, those that took it with them. */
static int32_t taken(const GeneralsContent *body, const GeneralsState *state, uint8_t unit,
                     uint8_t cause, bool tied) {
    int32_t count = 0;
    for (uint8_t i = 0; i < units_of(body); i++) {
        bool mutual = state->pieces[unit].fell == (FELL_BATTLE | (i + 1));
        count += state->pieces[i].fell == (cause | (unit + 1)) && mutual == tied;
    }
    return count;
}

/* One figure of a piece, most of them worked out from who fell to whom; 0 for a number that is no
 * figure. */
static int32_t figure_of_unit(const GeneralsContent *body, const GeneralsState *state, uint8_t unit,
                              uint8_t figure) {
    const GeneralsPiece *piece = &state->pieces[unit];
    bool in_battle = piece->fell != 0 && (piece->fell & FELL_CAUSES) == FELL_BATTLE;
    switch (figure) {
    case FIGURE_STEPS:
        return state->steps[unit];
    case FIGURE_WON:
        return taken(body, state, unit, FELL_BATTLE, false);
    case FIGURE_LOST:
        return in_battle && taken(body, state, unit, FELL_BATTLE, true) == 0;
    case FIGURE_TIED:
        return taken(body, state, unit, FELL_BATTLE, true);
    case FIGURE_STRUCK:
        return taken(body, state, unit, FELL_STRIKE, false);
    case FIGURE_SNAPPED:
        return taken(body, state, unit, FELL_SNAP, false);
    case FIGURE_WEBS:
        return piece_shown(piece) && kind_of(body, state, unit)->ability == ABILITY_WEB;
    case FIGURE_OUT:
        return piece->fell != 0;
    default:
        return 0;
    }
}

int32_t generals_figure(const MashContent *content, const void *raw_state, uint8_t unit,
                        uint8_t figure) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    int32_t sum = 0;
    if (unit < units_of(body))
        return figure_of_unit(body, state, unit, figure);
    if (unit < MASH_UNIT_SIDE || unit >= MASH_UNIT_SIDE + MASH_SEATS)
        return 0;
    const GeneralsArmy *army = &body->army[unit - MASH_UNIT_SIDE];
    for (uint32_t i = 0; i < army->pieces; i++)
        sum += figure_of_unit(body, state, (uint8_t)(army->first + i), figure);
    return sum;
}
