/* unit_words.c -- sentences of the page: the names of units in them, and the sentences of the
 * current view on their own. */
#include "base/json.h"
#include "wasm/instance.h"

/* The token of a unit, or NULL. */
static const MashToken *token_of(const MashBoard *board, uint8_t unit) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].unit == unit)
            return &board->tokens[i];
    return NULL;
}

/* A unit whose kind is not known: "Hidden piece 4", by the number in its short name, so that it
 * keeps its name as it moves. */
static void call_hidden(const MashContent *content, const MashTexts *texts, const void *state,
                        uint8_t unit, MashText *text) {
    char memory[32];
    MashText brief = text_over(memory, sizeof memory);
    content->game->unit_name(content, state, unit, &brief);
    uint32_t number = 0, digits = 0;
    for (const char *at = memory; *at != '\0'; at++)
        if (*at >= '0' && *at <= '9') {
            number = 10 * number + (uint32_t)(*at - '0');
            digits++;
        }
    if (digits == 0)
        text_string(text, memory);
    else
        text_format(text, "%s %u", mash_texts_translate(content, texts, "Hidden piece"),
                    number + 1);
}

/* What the page calls a unit: its kind, with a number if its side has several, and its side if both
 * have one. */
static void call_unit(const MashContent *content, const MashTexts *texts, const void *state,
                      uint8_t unit, MashText *text) {
    const MashGame *game = content->game;
    if (unit >= content->limits.units)
        return;
    game->show(content, state, &instance.trial_board);
    const MashToken *token = token_of(&instance.trial_board, unit);
    if (token == NULL || (token->flags & MASH_TOKEN_HIDDEN) != 0) {
        call_hidden(content, texts, state, unit, text);
        return;
    }
    uint32_t twins = 0, before = 0, others = 0;
    for (uint32_t i = 0; i < instance.trial_board.tokens_count; i++) {
        const MashToken *other = &instance.trial_board.tokens[i];
        bool alike = other->unit != MASH_UNIT_NONE && other->kind == token->kind &&
                     (other->flags & MASH_TOKEN_HIDDEN) == 0;
        twins += alike && other->seat == token->seat;
        before += alike && other->seat == token->seat && other->unit < unit;
        others += alike && other->seat != token->seat;
    }
    game->name(content, texts, MASH_NAME_KIND, token->kind, text);
    if (twins > 1)
        text_format(text, " %u", before + 1);
    if (others == 0 || token->seat >= MASH_SEATS)
        return;
    text_string(text, " (");
    game->name(content, texts, MASH_NAME_SIDE, token->seat, text);
    text_byte(text, ')');
}

const MashCalling instance_calling = {call_unit, call_hidden};

/* The sentences of the current view's events that its seat may see, as a JSON list. Empty: there is
 * no view. */
EXPORT(uint32_t, events_text, (void)) {
    SeatView *shown = &instance.view;
    instance_text_begin();
    if (!shown->there)
        return 0;
    JsonWriter writer = json_writer(&instance.text, 0);
    json_open(&writer, '[');
    for (uint32_t i = 0; i < shown->events_count; i++) {
        if (!mash_event_seen(&shown->events[i], shown->seat))
            continue;
        char memory[SENTENCE_BYTES];
        MashText text = text_over(memory, sizeof memory);
        mash_event_say(instance.content, instance.texts, shown->view, &shown->events[i],
                       &instance_calling, &text);
        json_put_string(&writer, memory);
    }
    json_close(&writer, ']');
    return instance_text_end();
}
