/* notation.c -- see notation.h. */
#include "engine/notation.h"

#include <string.h>

#include "engine/common.h"

/* Appends the id of an entry; nothing if there is none. */
static void put_id(const MashContent *content, MashNames list, uint8_t index, MashText *text) {
    const char *id = content->game->id_of(content, list, index);
    text_string(text, id == NULL ? "" : id);
}

/* Appends the value of a placeholder of a form; `name` ends at a }. */
static void put_place(const MashContent *content, const void *state, MashAction action,
                      const char *name, MashText *text) {
    static const char *const directions[] = {"up", "right", "down", "left"};
    switch (*name) {
    case 'u':
        content->game->unit_name(content, state, action.unit, text);
        break;
    case 'o':
        content->game->unit_name(content, state, action.other, text);
        break;
    case 'c':
        text_format(text, "%d %d", action.x, action.y);
        break;
    case 'd':
        text_string(text, action.amount < 4 ? directions[action.amount] : "");
        break;
    case 'k':
        put_id(content, MASH_NAME_KIND, action.ability, text);
        break;
    case 'i':
        put_id(content, MASH_NAME_ITEM, action.ability, text);
        break;
    default:
        assert(strncmp(name, "placed}", 7) == 0);
        put_id(content, MASH_NAME_KIND, action.amount, text);
    }
}

void notation_write(const MashContent *content, const void *state, MashAction action,
                    MashText *text) {
    const MashGame *game = content->game;
    if (common_has_verb(action.verb)) {
        common_notation(action, text);
        return;
    }
    for (const char *at = mash_verb_form(game, action.verb); *at != '\0' && *at != '|'; at++) {
        if (*at != '{') {
            text_byte(text, *at);
            continue;
        }
        put_place(content, state, action, at + 1, text);
        at = strchr(at, '}');
        assert(at != NULL);
    }
}
