/* notes.c -- see notes.h. */
#include "match/notes.h"

#include <string.h>

/* The longest thing that a note points at, with its NUL; its parts; the largest coordinate. */
enum { POINT_BYTES = 48, POINT_PARTS = 6, CELL_MAX = 99 };

/* One text of a note: 1 to MATCH_NOTE_BYTES bytes. */
static bool check_words(const Json *json, uint32_t node, MashProblems *problems) {
    char memory[MATCH_NOTE_BYTES + 2];
    MashText text = text_over(memory, sizeof memory);
    if (!json_expect_kind(json, node, JSON_STRING, problems))
        return false;
    json_string(json, node, &text);
    if (!text.truncated && text.count > 0 && text.count <= MATCH_NOTE_BYTES)
        return true;
    return json_problem(json, node, problems, "must be 1 to %d bytes", (int)MATCH_NOTE_BYTES);
}

/* Is this key two small letters, as a language? */
static bool names_language(const Json *json, uint32_t node) {
    char key[4];
    MashText text = text_over(key, sizeof key);
    json_key(json, node, &text);
    return !text.truncated && text.count == 2 && key[0] >= 'a' && key[0] <= 'z' && key[1] >= 'a' &&
           key[1] <= 'z';
}

/* The text of a note, or its texts by language; one that points at something may do without. */
static bool check_text(const Json *json, uint32_t note, MashProblems *problems) {
    uint32_t node = json_member(json, note, "text");
    if (node == JSON_NONE && json_member(json, note, "point") != JSON_NONE)
        return true;
    if (node == JSON_NONE)
        return json_missing(json, note, "text", "a string", problems);
    if (json->nodes[node].kind != JSON_OBJECT)
        return check_words(json, node, problems);
    bool fine = json->nodes[node].count > 0 ||
                json_problem(json, node, problems, "must have a text for at least one language");
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        if (!names_language(json, i))
            fine = json_problem(json, i, problems, "a language is two lower-case letters");
        fine &= check_words(json, i, problems);
    }
    return fine;
}

/* Is this a coordinate? */
static bool is_coordinate(const char *word) {
    uint32_t count = 0, number = 0;
    for (; word[count] >= '0' && word[count] <= '9' && count < 3; count++)
        number = number * 10 + (uint32_t)(word[count] - '0');
    return count > 0 && count < 3 && word[count] == '\0' && number <= CELL_MAX &&
           (count == 1 || word[0] != '0');
}

/* Is this one of the colours that are named? */
static bool is_colour(const char *word) {
    return strcmp(word, "green") == 0 || strcmp(word, "red") == 0 || strcmp(word, "blue") == 0;
}

/* Takes the words of a line apart, in place; how many there are, POINT_PARTS + 1 if too many. */
static uint32_t split(char *line, const char *parts[POINT_PARTS + 1]) {
    uint32_t count = 0;
    for (char *at = line; count <= POINT_PARTS; at++) {
        parts[count++] = at;
        at = strchr(at, ' ');
        if (at == NULL)
            break;
        *at = '\0';
    }
    return count;
}

/* "unit h0", "cell 3 4", "cell 3 4 red", "arrow 1 2 3 4". */
static bool is_point(char *line) {
    const char *parts[POINT_PARTS + 1];
    uint32_t count = split(line, parts), numbers = 0;
    if (strcmp(parts[0], "unit") == 0)
        return count == 2 && parts[1][0] != '\0';
    if (strcmp(parts[0], "cell") == 0)
        numbers = 2;
    else if (strcmp(parts[0], "arrow") == 0)
        numbers = 4;
    if (numbers == 0 || count < numbers + 1 || count > numbers + 2)
        return false;
    for (uint32_t i = 1; i <= numbers; i++)
        if (!is_coordinate(parts[i]))
            return false;
    return count == numbers + 1 || is_colour(parts[count - 1]);
}

/* What a note points at, if it points at anything. */
static bool check_points(const Json *json, uint32_t note, MashProblems *problems) {
    uint32_t list = json_member(json, note, "point");
    if (list == JSON_NONE)
        return true;
    if (!json_expect_kind(json, list, JSON_ARRAY, problems))
        return false;
    if (json->nodes[list].count > MATCH_POINTS_MAX)
        return json_problem(json, list, problems, "at most %d", (int)MATCH_POINTS_MAX);
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        char line[POINT_BYTES];
        if (!json_line(json, i, line, sizeof line, problems))
            fine = false;
        else if (!is_point(line))
            fine = json_problem(json, i, problems,
                                "must be \"unit NAME\", \"cell X Y\" or \"arrow X Y X Y\", these "
                                "two perhaps with green, red or blue");
    }
    return fine;
}

/* One note; *least is the earliest moment that it may belong to, then its own. */
static bool check_note(const Json *json, uint32_t note, uint32_t actions_count, int32_t *least,
                       MashProblems *problems) {
    static const char *const keys[] = {"at", "text", "point"};
    int32_t at;
    if (!json_expect_kind(json, note, JSON_OBJECT, problems) ||
        !json_refuse_unknown_keys(json, note, keys, 3, problems) ||
        !json_int_at(json, note, "at", *least, (int32_t)actions_count, &at, problems))
        return false;
    *least = at;
    bool fine = check_text(json, note, problems);
    return check_points(json, note, problems) && fine;
}

bool match_notes_check(const Json *json, uint32_t actions_count, MashProblems *problems) {
    uint32_t list = json_member(json, 0, "notes");
    int32_t least = 0;
    if (list == JSON_NONE)
        return true;
    if (!json_expect_kind(json, list, JSON_ARRAY, problems))
        return false;
    if (json->nodes[list].count > MATCH_NOTES_MAX)
        return json_problem(json, list, problems, "at most %d notes", (int)MATCH_NOTES_MAX);
    bool fine = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next)
        fine &= check_note(json, i, actions_count, &least, problems);
    return fine;
}

/* Writes a value as it stands in the file; an array or object member by member. */
static void copy(const Json *json, uint32_t node, JsonWriter *writer) {
    const JsonNode *value = &json->nodes[node];
    if (value->kind != JSON_ARRAY && value->kind != JSON_OBJECT) {
        json_put_raw(writer, json->bytes + value->start, value->end - value->start);
        return;
    }
    json_open(writer, value->kind == JSON_ARRAY ? '[' : '{');
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        char key[8];
        MashText text = text_over(key, sizeof key);
        json_key(json, i, &text);
        if (value->kind == JSON_OBJECT)
            json_put_key(writer, key);
        copy(json, i, writer);
    }
    json_close(writer, value->kind == JSON_ARRAY ? ']' : '}');
}

void match_notes_write(const Json *json, uint32_t actions_count, JsonWriter *writer) {
    uint32_t list = json_member(json, 0, "notes");
    if (list == JSON_NONE || json->nodes[list].count == 0)
        return;
    json_open_list(writer, "notes");
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        MashProblems none = {.max = 0};
        int32_t at;
        if (json_int_at(json, i, "at", 0, INT32_MAX, &at, &none) && (uint32_t)at <= actions_count)
            copy(json, i, writer);
    }
    json_close(writer, ']');
}
