/* replay_print.c -- see replay_print.h. The file has no seed and no actions, so nothing is
 * replayed: its messages are printed. It may be longer than the limit of the JSON reader, so its
 * outer object is split into values by hand, and each value is read strictly. */
#include "standard/commands/replay_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "standard/wire.h"

enum { NODES = 200000, POOL_BYTES = 1 << 16, HEROES_MAX = 64, NAME_BYTES = 64, LINE_BYTES = 512 };

/* A run of the file's bytes. */
typedef struct Slice {
    const char *bytes;
    uint32_t count;
} Slice;

/* A character by its number. */
typedef struct KnownCharacter {
    int32_t group, id;
    char name[NAME_BYTES];
} KnownCharacter;

/* What is being shown. */
typedef struct ReplayPrinter {
    const char *path;
    JsonNode *nodes;
    char *pool;
    KnownCharacter heroes[HEROES_MAX];
    uint32_t heroes_count, events_count;
    char players[STANDARD_PLAYERS][NAME_BYTES];
    int32_t won;
} ReplayPrinter;

/* --- Cutting ---------------------------------------------------------------------------------- */

/* Skips blanks and line ends. */
static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The end of a string, or NULL. */
static const char *skip_string(const char *at) {
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return *at == '"' ? at + 1 : NULL;
}

/* The end of a value of any kind, or NULL; its inside is validated when it is read. */
static const char *skip_value(const char *at) {
    uint32_t depth = 0;
    for (;;) {
        if (*at == '"') {
            at = skip_string(at);
            if (at == NULL)
                return NULL;
        } else if (*at == '\0') {
            return NULL;
        } else {
            depth += *at == '{' || *at == '[';
            if ((*at == '}' || *at == ']') && depth-- == 0)
                return NULL;
            at++;
        }
        if (depth == 0 && strchr(",]} \t\r\n", *at) != NULL)
            return at;
    }
}

/* The value of a key of the outer object; count 0: there is none. */
static Slice value_of(const char *bytes, const char *key) {
    const char *at = skip_blanks(bytes);
    Slice none = {NULL, 0};
    if (*at != '{')
        return none;
    at = skip_blanks(at + 1);
    while (*at == '"') {
        const char *name = at + 1, *behind = skip_string(at);
        if (behind == NULL)
            return none;
        bool found =
            (size_t)(behind - 1 - name) == strlen(key) && strncmp(name, key, strlen(key)) == 0;
        at = skip_blanks(behind);
        if (*at != ':')
            return none;
        at = skip_blanks(at + 1);
        const char *end = skip_value(at);
        if (end == NULL)
            return none;
        if (found)
            return (Slice){at, (uint32_t)(end - at)};
        at = skip_blanks(end);
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    return none;
}

bool replay_is(const FileBytes *file) {
    const char *at = skip_blanks(file->bytes);
    return *at == '{' && strncmp(skip_blanks(at + 1), "\"nameP1\"", 8) == 0;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Reads a piece of the file as JSON. False: it is not JSON. */
static bool read(ReplayPrinter *replay, Slice slice, Json *json) {
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    if (slice.count > 0 &&
        json_read(json, replay->path, slice.bytes, slice.count, replay->nodes, NODES, &problems))
        return true;
    if (problems.count > 0)
        cli_print_problem(replay->path, &list[0]);
    return false;
}

/* Reads a name at the top of the file. False: an error was printed. */
static bool read_name(ReplayPrinter *replay, const FileBytes *file, const char *key, char *out) {
    Json json;
    MashText text = text_over(out, NAME_BYTES);
    if (!read(replay, value_of(file->bytes, key), &json)) {
        fprintf(stderr, "%s: missing \"%s\"\n", replay->path, key);
        return false;
    }
    json_string(&json, 0, &text);
    return true;
}

/* "Hulk", or "P1 3" while its name is unknown. */
static void put_ref(const ReplayPrinter *replay, const StandardRef *ref, MashText *text) {
    for (uint32_t i = 0; i < replay->heroes_count; i++)
        if (replay->heroes[i].group == ref->group && replay->heroes[i].id == ref->id) {
            text_string(text, replay->heroes[i].name);
            return;
        }
    text_format(text, "%s %d", standard_group(ref->group), ref->id);
}

/* The characters of both sides. */
static void learn(ReplayPrinter *replay, const Json *json) {
    static const char *const keys[] = {"playerOneCharacters", "playerTwoCharacters"};
    MashProblems nobody = {.max = 0};
    for (int32_t side = 0; side < STANDARD_PLAYERS; side++) {
        uint32_t list = json_member(json, 0, keys[side]);
        for (uint32_t i = list == JSON_NONE ? JSON_NONE : json_first(json, list);
             i != JSON_NONE && replay->heroes_count < HEROES_MAX; i = json->nodes[i].next) {
            KnownCharacter *known = &replay->heroes[replay->heroes_count];
            if (!json_int_at(json, i, "characterID", 0, INT32_MAX, &known->id, &nobody) ||
                !json_line_at(json, i, "name", known->name, NAME_BYTES, &nobody))
                continue;
            known->group = STANDARD_GROUP_P1 + side;
            replay->heroes_count++;
        }
    }
}

/* One line: the type, and the values of the keys of its row. */
static void put_event(const ReplayPrinter *replay, const StandardMessage *event, MashText *text) {
    uint32_t count;
    const StandardRow *row = &standard_rows(STANDARD_LIST_EVENTS, &count)[event->row];
    text_string(text, row->word);
    for (uint32_t i = 0; i < row->keys_count; i++) {
        const void *member = (const char *)event + row->keys[i].member;
        if (!(event->present >> i & 1))
            continue;
        if (row->keys[i].kind == STANDARD_REF) {
            text_byte(text, ' ');
            put_ref(replay, member, text);
        } else if (row->keys[i].kind == STANDARD_CELL) {
            const StandardField *field = member;
            text_format(text, " %d,%d", field->x, field->y);
        } else if (row->keys[i].kind == STANDARD_INT) {
            text_format(text, " %d", *(const int32_t *)member);
        }
    }
}

/* Appends the subject of the event and its field. */
static void show_entity(ReplayPrinter *replay, const Json *json, MashText *text) {
    uint32_t entity = json_member(json, 0, "entity");
    MashText found = *text;
    uint32_t type = entity == JSON_NONE ? JSON_NONE : json_member(json, entity, "entityType");
    uint32_t name = entity == JSON_NONE ? JSON_NONE : json_member(json, entity, "name");
    uint32_t field = entity == JSON_NONE ? JSON_NONE : json_member(json, entity, "position");
    (void)replay;
    if (type == JSON_NONE || field == JSON_NONE)
        return;
    text_byte(&found, ' ');
    json_string(json, name != JSON_NONE ? name : type, &found);
    text_byte(&found, ' ');
    text_bytes(&found, json->bytes + json->nodes[field].start,
               json->nodes[field].end - json->nodes[field].start);
    *text = found;
}

/* States are not printed, only the events between them. */
static bool show_one(ReplayPrinter *replay, Slice slice) {
    Json json;
    StandardMessage event;
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    MashText pool = text_over(replay->pool, POOL_BYTES);
    char line[LINE_BYTES];
    MashText text = text_over(line, sizeof line);
    if (!read(replay, slice, &json))
        return false;
    replay->events_count++;
    if (json_member(&json, 0, "messageType") != JSON_NONE) {
        learn(replay, &json);
        return true;
    }
    if (standard_read(&json, 0, STANDARD_LIST_EVENTS, &pool, &event, &problems) ==
            STANDARD_UNKNOWN ||
        event.row == STANDARD_EVENT_GAMESTATE)
        return true;
    put_event(replay, &event, &text);
    if (event.row == STANDARD_EVENT_SPAWN)
        show_entity(replay, &json, &text);
    if (event.row == STANDARD_EVENT_WIN)
        replay->won = event.amount;
    printf("%6u  %s\n", replay->events_count, line);
    return true;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* Prints all events of the file. False: an error was printed. */
static bool show_events(ReplayPrinter *replay, const FileBytes *file) {
    Slice events = value_of(file->bytes, "events");
    if (events.count == 0 || *events.bytes != '[') {
        fprintf(stderr, "%s: missing list of events\n", replay->path);
        return false;
    }
    const char *at = skip_blanks(events.bytes + 1);
    while (*at != ']') {
        const char *end = skip_value(at);
        if (end == NULL || !show_one(replay, (Slice){at, (uint32_t)(end - at)})) {
            fprintf(stderr, "%s: event %u cannot be read\n", replay->path,
                    replay->events_count + 1);
            return false;
        }
        at = skip_blanks(end);
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    return true;
}

bool replay_show(const char *path, const FileBytes *file) {
    ReplayPrinter *replay = cli_memory(sizeof *replay);
    replay->path = path;
    replay->nodes = cli_memory(NODES * sizeof *replay->nodes);
    replay->pool = cli_memory(POOL_BYTES);
    bool fine = read_name(replay, file, "nameP1", replay->players[0]) &&
                read_name(replay, file, "nameP2", replay->players[1]);
    if (fine) {
        printf("A replay of the Marvelous Mashup standard: %s (P1) against %s (P2)\n\n",
               replay->players[0], replay->players[1]);
        fine = show_events(replay, file);
    }
    if (fine && (replay->won == 1 || replay->won == 2))
        printf("\n%s has won.\n", replay->players[replay->won - 1]);
    else if (fine)
        printf("\nThe replay has no winner.\n");
    free(replay->nodes);
    free(replay->pool);
    free(replay);
    return fine;
}
