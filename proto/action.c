/* action.c -- see action.h. */
#include "proto/action.h"

#include <string.h>

const char *const action_keys[ACTION_KEYS] = {"word", "action", "verb",  "unit",   "ability",
                                              "x",    "y",      "other", "amount", "seat"};

bool action_find(const MashContent *content, const void *view, uint8_t seat, const char *word,
                 MashAction *list, MashAction *out) {
    uint32_t count = content->game->actions(content, view, seat, list);
    for (uint32_t i = 0; i < count; i++) {
        char memory[PROTO_NOTATION_MAX + 1];
        MashText text = text_over(memory, sizeof memory);
        content->game->notation(content, view, list[i], &text);
        if (!text_equal_nocase(memory, word))
            continue;
        *out = list[i];
        return true;
    }
    return false;
}

/* A number of the action from `least` to `most`, 0 if it is not given. False: a problem. */
static bool read_number(const Json *json, uint32_t object, const char *key, int32_t least,
                        int32_t most, int32_t *out, MashProblems *problems) {
    uint32_t node = json_member(json, object, key);
    *out = 0;
    return node == JSON_NONE || json_int(json, node, least, most, out, problems);
}

/* Reads verb, unit and the others. */
static bool read_fields(const Json *json, uint32_t object, MashAction *out,
                        MashProblems *problems) {
    int32_t verb, unit, ability, x, y, other, amount;
    if (!json_int_at(json, object, "verb", 1, MASH_VERB_RESIGN - 1, &verb, problems) ||
        !read_number(json, object, "unit", 0, UINT8_MAX, &unit, problems) ||
        !read_number(json, object, "ability", 0, UINT8_MAX, &ability, problems) ||
        !read_number(json, object, "x", INT8_MIN, INT8_MAX, &x, problems) ||
        !read_number(json, object, "y", INT8_MIN, INT8_MAX, &y, problems) ||
        !read_number(json, object, "other", 0, UINT8_MAX, &other, problems) ||
        !read_number(json, object, "amount", 0, UINT8_MAX, &amount, problems))
        return false;
    *out = (MashAction){.verb = (uint8_t)verb,
                        .unit = (uint8_t)unit,
                        .ability = (uint8_t)ability,
                        .x = (int8_t)x,
                        .y = (int8_t)y,
                        .other = (uint8_t)other,
                        .amount = (uint8_t)amount};
    return true;
}

/* The seat, if it is given. */
static bool read_seat(const Json *json, uint32_t object, ActionRead *out, MashProblems *problems) {
    int32_t seat;
    out->has_seat = json_member(json, object, "seat") != JSON_NONE;
    if (!read_number(json, object, "seat", 0, MASH_SEATS - 1, &seat, problems))
        return false;
    out->action.seat = (uint8_t)seat;
    return true;
}

bool action_read(const Json *json, uint32_t object, ActionRead *out, MashProblems *problems) {
    char digits[2 * sizeof(MashAction) + 1];
    uint32_t word = json_member(json, object, "word"), bytes = json_member(json, object, "action");
    memset(out, 0, sizeof *out);
    if (word != JSON_NONE) {
        if (!json_line(json, word, out->word, sizeof out->word, problems))
            return false;
    } else if (bytes != JSON_NONE) {
        if (!json_line(json, bytes, digits, sizeof digits, problems))
            return false;
        if (!action_from_hex(digits, &out->action))
            return json_problem(json, bytes, problems, "must be 16 hexadecimal digits");
    } else if (!read_fields(json, object, &out->action, problems)) {
        return false;
    }
    return read_seat(json, object, out, problems);
}
