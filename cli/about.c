/* about.c -- see about.h. Everything comes from the game's describe(). */
#include "cli/about.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 128, DESCRIPTION_BYTES = 1024, INDENT = 4 };

/* Is the typed text a prefix of the name? Case is ignored. */
static bool begins(const char *typed, const char *name) {
    char front[NAME_BYTES];
    size_t letters = strlen(typed);
    if (letters == 0 || letters > strlen(name) || letters >= sizeof front)
        return false;
    snprintf(front, sizeof front, "%.*s", (int)letters, name);
    return text_equal_nocase(front, typed);
}

/* How well a name matches a token: 2 = its short name or its kind's name, 1 = a prefix of one of
 * them. */
static int fit(const Picture *picture, const MashToken *token, const char *typed) {
    char name_bytes[NAME_BYTES], kind_bytes[NAME_BYTES];
    MashText name = text_over(name_bytes, NAME_BYTES), kind = text_over(kind_bytes, NAME_BYTES);
    picture_name(picture, token, &name);
    picture_kind(picture, token, &kind);
    if (text_equal_nocase(typed, name_bytes) || text_equal_nocase(typed, kind_bytes))
        return 2;
    return begins(typed, name_bytes) || begins(typed, kind_bytes) ? 1 : 0;
}

/* The matching token, or NULL. */
static const MashToken *find(const Picture *picture, const char *typed) {
    const MashToken *best = NULL;
    int best_fit = 0;
    if (typed[0] == '\0')
        return picture_token_of(picture, picture->board.active);
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        int there = fit(picture, &picture->board.tokens[i], typed);
        if (there > best_fit)
            best = &picture->board.tokens[i];
        best_fit = there > best_fit ? there : best_fit;
    }
    return best;
}

/* Prints the description of a list entry, below its name if it has one. */
static void print_entry(const Picture *picture, MashNames list, uint8_t index, bool named) {
    char name_bytes[NAME_BYTES], bytes[DESCRIPTION_BYTES];
    MashText name = text_over(name_bytes, NAME_BYTES), text = text_over(bytes, DESCRIPTION_BYTES);
    const MashContent *content = picture->content;
    content->game->name(content, NULL, list, index, &name);
    if (content->game->describe != NULL)
        content->game->describe(content, NULL, list, index, &text);
    if (text.count == 0)
        return;
    if (named)
        printf("  %s\n", name_bytes);
    printf("%*s", INDENT, "");
    terminal_print_wrapped(picture->terminal, INDENT, bytes);
}

/* Prints the values of the unit itself on one line: "health 70/100, type hero, condition
 * rooted". */
static void print_values(const Picture *picture, uint8_t unit) {
    char bytes[DESCRIPTION_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < picture->board.meters_count; i++) {
        const MashMeter *meter = &picture->board.meters[i];
        bool named = meter->about_list != 0 && !meter->about_set;
        if (meter->unit != unit || named)
            continue;
        text_string(&text, text.count == 0 ? "" : ", ");
        picture_meter(picture, meter, &text);
    }
    if (text.count == 0)
        return;
    printf("%*s", INDENT, "");
    terminal_print_wrapped(picture->terminal, INDENT, bytes);
}

/* Is the meter about an ability, item or effect that no earlier meter of the unit named? */
static bool is_new(const Picture *picture, const MashMeter *meter) {
    return meter->about_list != 0 && !meter->about_set && !picture_meter_in_title(picture, meter);
}

bool about_print(const Picture *picture, const char *name) {
    char bytes[NAME_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    const MashToken *token = find(picture, name);
    if (token == NULL)
        return false;
    picture_kind(picture, token, &text);
    printf("  %s\n", bytes);
    if (token->unit != MASH_UNIT_NONE)
        print_values(picture, token->unit);
    if ((token->flags & MASH_TOKEN_HIDDEN) != 0)
        return true;
    print_entry(picture, MASH_NAME_KIND, token->kind, false);
    for (uint32_t i = 0; i < picture->board.meters_count && token->unit != MASH_UNIT_NONE; i++) {
        const MashMeter *meter = &picture->board.meters[i];
        if (meter->unit == token->unit && is_new(picture, meter))
            print_entry(picture, (MashNames)(meter->about_list - 1), meter->about, true);
    }
    return true;
}
