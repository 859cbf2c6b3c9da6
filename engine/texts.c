/* texts.c -- see texts.h: finding names and sentences in a document, and filling in sentences.
 *
 * Sentences are checked when they are loaded, so filling them in can trust braces and brackets. */
#include "engine/texts.h"

#include <string.h>

#include "engine/content.h"

enum {
    IDS_MAX = 256,         /* ids of one list; take_places() refuses more */
    TEXTS_FIELD_NONE = -1, /* no field has this name */
};

static const char *const list_ids[MASH_NAME_LISTS] = {
    "kind",   "ground",  "meter",  "phase",  "verb", "ability", "item",
    "effect", "outcome", "reason", "figure", "side", "trait"};

/* Reasons that every game has: their default texts. */
static const char *const reason_ids[MASH_REASON_COUNT] = {
#define MASH_ROW(name, id, meaning) id,
    MASH_REASONS(MASH_ROW)
#undef MASH_ROW
};
static const char *const reason_meanings[MASH_REASON_COUNT] = {
#define MASH_ROW(name, id, meaning) meaning,
    MASH_REASONS(MASH_ROW)
#undef MASH_ROW
};

/* --- Sentences ------------------------------------------------------------------------------- */

/* The fields that the sentence of an event can use. */
typedef enum TextsField {
    TEXTS_FIELD_UNIT,
    TEXTS_FIELD_OTHER,
    TEXTS_FIELD_WHAT,
    TEXTS_FIELD_SIDE,
    TEXTS_FIELD_AMOUNT,
    TEXTS_FIELD_FROM,
    TEXTS_FIELD_TO,
    FIELDS
} TextsField;

/* The names allowed between { and }. */
typedef struct PlaceholderNames {
    const char *const *names;
    uint32_t count;
    const char *fault; /* error message for any other */
} PlaceholderNames;

static const char *const event_field_names[FIELDS] = {"unit",   "other", "what", "side",
                                                      "amount", "from",  "to"};
static const PlaceholderNames event_fields = {
    event_field_names, FIELDS,
    "unknown placeholder; use {unit}, {other}, {what}, {side}, {amount}, {from}, {to} or "
    "{amount|one|several}"};

/* The field of this name, or FIELD_NONE. */
static int field_named(const PlaceholderNames *fields, const char *name, size_t length) {
    for (uint32_t i = 0; i < fields->count; i++)
        if (strlen(fields->names[i]) == length && memcmp(fields->names[i], name, length) == 0)
            return (int)i;
    return TEXTS_FIELD_NONE;
}

/* Does the field have a number, by which one of two forms can be chosen? */
static bool field_counts(const PlaceholderNames *fields, int field) {
    return fields != &event_fields || field == TEXTS_FIELD_AMOUNT;
}

/* A parsed placeholder between { and }. */
typedef struct Placeholder {
    int field;
    const char *one, *several,
        *end; /* one: NULL without |; each goes up to the next, `end` is at the } */
} Placeholder;

/* Parses a placeholder; `at` is after the {. False: it is invalid or not closed. */
static bool placeholder_at(const PlaceholderNames *fields, const char *at, Placeholder *slot) {
    const char *end = at + strcspn(at, "[]{}");
    if (*end != '}')
        return false;
    const char *bar = memchr(at, '|', (size_t)(end - at));
    size_t letters = (size_t)((bar == NULL ? end : bar) - at);
    *slot = (Placeholder){.field = field_named(fields, at, letters), .end = end};
    if (bar != NULL) {
        slot->one = bar + 1;
        slot->several = memchr(slot->one, '|', (size_t)(end - slot->one));
        if (slot->several == NULL || slot->field == TEXTS_FIELD_NONE ||
            !field_counts(fields, slot->field))
            return false;
        slot->several++;
        return memchr(slot->several, '|', (size_t)(end - slot->several)) == NULL;
    }
    return slot->field != TEXTS_FIELD_NONE;
}

/* The error in a sentence, or NULL. */
static const char *template_error(const PlaceholderNames *fields, const char *sentence) {
    bool inside = false, filled = false;
    for (const char *at = sentence; *at != '\0'; at++) {
        Placeholder slot;
        if (*at == '{') {
            if (!placeholder_at(fields, at + 1, &slot))
                return fields->fault;
            at = slot.end;
            filled = true;
        } else if (*at == '}') {
            return "} without {";
        } else if (*at == '[') {
            if (inside)
                return "[ ] cannot be nested";
            inside = true;
            filled = false;
        } else if (*at == ']') {
            if (!inside || !filled)
                return inside ? "[ ] must contain a placeholder such as {other}"
                              : "missing [ before ]";
            inside = false;
        }
    }
    return inside ? "missing ] at the end" : NULL;
}

/* Is the value empty? */
static bool value_empty(const TextsValue *value) {
    return value->words == NULL ? value->number == 0 : value->words[0] == '\0';
}

/* Writes the value of a placeholder: words, a number, or the form that fits the number. */
static void placeholder_write(const Placeholder *slot, const TextsValue *value, MashText *text) {
    if (slot->one != NULL && (value->number == 1 || value->number == -1))
        text_bytes(text, slot->one, (uint32_t)(slot->several - 1 - slot->one));
    else if (slot->one != NULL)
        text_bytes(text, slot->several, (uint32_t)(slot->end - slot->several));
    else if (value->words != NULL)
        text_string(text, value->words);
    else
        text_int(text, value->number);
}

/* Is the part after this [ to be dropped? */
static bool part_empty(const PlaceholderNames *fields, const char *at, const TextsValue *values) {
    for (; *at != ']'; at++) {
        Placeholder slot;
        if (*at != '{')
            continue;
        bool known = placeholder_at(fields, at + 1, &slot);
        assert(known);
        if (value_empty(&values[slot.field]))
            return true;
        at = slot.end;
    }
    return false;
}

/* Does the text end in the full stop of a word that was filled in, "Zombie M."? Then the sentence
 * needs no second one. */
static bool stopped(const MashText *text, bool filled) {
    return filled && text->count > 0 && text->bytes[text->count - 1] == '.';
}

/* Appends a sentence with a value for each of its fields. */
static void fill(const PlaceholderNames *fields, const char *sentence, const TextsValue *values,
                 MashText *text) {
    bool filled = false; /* the last byte came from a placeholder */
    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at == '[' && part_empty(fields, at + 1, values)) {
            at = strchr(at, ']');
        } else if (*at == '{') {
            Placeholder slot;
            bool known = placeholder_at(fields, at + 1, &slot);
            assert(known);
            placeholder_write(&slot, &values[slot.field], text);
            at = slot.end;
            filled = true;
        } else if (*at != '[' && *at != ']') {
            if (*at != '.' || !stopped(text, filled))
                text_byte(text, *at);
            filled = false;
        }
    }
}

/* Words, or none. */
static TextsValue words_value(const char *words) {
    return (TextsValue){.words = words == NULL ? "" : words};
}

/* A cell as "3,4" in lent memory; nothing for one with a negative coordinate. */
static void cell_words(int x, int y, char memory[16]) {
    MashText text = text_over(memory, 16);
    if (x >= 0 && y >= 0)
        text_format(&text, "%d,%d", x, y);
}

void texts_write_event(const MashTexts *texts, const MashEvent *event, const TextsArguments *words,
                       MashText *text) {
    char from[16], to[16];
    if (event->kind >= MASH_EVENT_KINDS)
        return;
    cell_words(event->from_x, event->from_y, from);
    cell_words(event->x, event->y, to);
    TextsValue values[FIELDS] = {[TEXTS_FIELD_UNIT] = words_value(words->unit),
                                 [TEXTS_FIELD_OTHER] = words_value(words->other),
                                 [TEXTS_FIELD_WHAT] = words_value(words->what),
                                 [TEXTS_FIELD_SIDE] = words_value(words->side),
                                 [TEXTS_FIELD_AMOUNT] = {.number = event->amount},
                                 [TEXTS_FIELD_FROM] = words_value(from),
                                 [TEXTS_FIELD_TO] = words_value(to)};
    fill(&event_fields, texts->pool + texts->events[event->kind], values, text);
}

void texts_describe(const MashTexts *texts, const TextsDescriptions *descriptions, uint32_t index,
                    const TextsValue *values, MashText *text) {
    PlaceholderNames fields = {descriptions->fields, descriptions->fields_count, NULL};
    assert(index < descriptions->count);
    uint32_t before = text->count;
    if (before > 0)
        text_byte(text, ' ');
    uint32_t begin = text->count;
    fill(&fields, texts->pool + texts->descriptions[index], values, text);
    if (text->count == begin && begin > before) /* nothing was added: remove the space too */
        text->bytes[--text->count] = '\0';
}

const char *mash_texts_language(const MashTexts *texts) { return texts->language; }

/* The index of the entry in `names` and `ids`; TEXTS_NAMES_MAX: there is none. */
static uint32_t place_of(const MashTexts *texts, MashNames list, uint8_t index) {
    assert(list < MASH_NAME_LISTS);
    uint32_t place = (uint32_t)index - texts->base[list];
    bool there = index >= texts->base[list] && place < texts->counts[list];
    return there ? texts->first[list] + place : TEXTS_NAMES_MAX;
}

const char *texts_list_id(MashNames list) {
    assert(list < MASH_NAME_LISTS);
    return list_ids[list];
}

const char *texts_id(const MashTexts *texts, MashNames list, uint8_t index) {
    uint32_t place = place_of(texts, list, index);
    bool there = place < TEXTS_NAMES_MAX && texts->ids[place] != 0;
    return there ? texts->pool + texts->ids[place] : NULL;
}

void texts_name(const MashTexts *texts, MashNames list, uint8_t index, MashText *text) {
    uint32_t place = place_of(texts, list, index);
    if (place < TEXTS_NAMES_MAX)
        text_string(text, texts->pool + texts->names[place]);
}

/* The text in the pool after the one at this offset. */
static uint32_t pool_next(const MashTexts *texts, uint32_t offset) {
    return offset + (uint32_t)strlen(texts->pool + offset) + 1;
}

const char *texts_translate(const MashTexts *texts, const char *name) {
    uint32_t at = texts->translations_at;
    for (uint32_t i = 0; i < texts->translations_count; i++) {
        uint32_t translated = pool_next(texts, at);
        if (strcmp(texts->pool + at, name) == 0)
            return texts->pool + translated;
        at = pool_next(texts, translated);
    }
    return name;
}

/* --- Loading --------------------------------------------------------------------------------- */

/* Texts that are being loaded. */
typedef struct Loader {
    MashTexts *texts;
    const TextsShape *shape;
    const void *body;
    Json json;
    MashProblems *problems;
} Loader;

/* All ids of a list. */
typedef struct ListIds {
    bool given; /* the game has such a list */
    uint32_t base, count, more;
    const char *ids[IDS_MAX + MASH_REASON_COUNT];
} ListIds;

/* The ids that the game passed for this list, fixed ones and those of other documents. */
static ListIds list_given(const Loader *loader, MashNames list) {
    ListIds all = {.given = false};
    for (uint32_t i = 0; i < loader->shape->lists_count; i++) {
        const TextsIds *given = &loader->shape->lists[i];
        if (given->list != list)
            continue;
        all.given = true;
        all.base = given->base;
        all.count = given->count;
        for (uint32_t j = 0; j < given->count && j < IDS_MAX; j++)
            all.ids[j] = given->ids[j];
        const char *id;
        while (given->more != NULL && (id = given->more(loader->body, all.more)) != NULL) {
            assert(all.count < IDS_MAX);
            all.ids[all.count++] = id;
            all.more++;
        }
    }
    return all;
}

/* Adds a text to the pool; 0 and a problem at the node if the pool is full. */
static uint16_t pool_add(Loader *loader, const char *string, uint32_t node) {
    MashTexts *texts = loader->texts;
    size_t length = strlen(string) + 1;
    if (length > (size_t)(TEXTS_BYTES - texts->used)) {
        json_problem(&loader->json, node, loader->problems,
                     "the texts are too long (maximum %d bytes in total)", (int)TEXTS_BYTES);
        return 0;
    }
    uint16_t offset = texts->used;
    memcpy(texts->pool + offset, string, length);
    texts->used = (uint16_t)(texts->used + length);
    return offset;
}

/* Adds the text of this key to the pool. Returns its offset; 0 and a problem on failure. */
static uint16_t load_words(Loader *loader, uint32_t object, const char *id) {
    char memory[TEXTS_NAME_BYTES];
    if (!json_line_at(&loader->json, object, id, memory, sizeof memory, loader->problems))
        return 0;
    return pool_add(loader, memory, json_member(&loader->json, object, id));
}

/* The names of one list, numbered from `base` on. */
static void load_names(Loader *loader, uint32_t object, MashNames list, uint32_t base,
                       const char *const *ids, uint32_t count) {
    MashTexts *texts = loader->texts;
    uint32_t first = texts->first[list] + base - texts->base[list];
    for (uint32_t i = 0; i < count; i++) {
        texts->ids[first + i] = pool_add(loader, ids[i], object);
        texts->names[first + i] = load_words(loader, object, ids[i]);
    }
}

/* Reasons that every game has: from the document, or else the default. */
static void load_reasons(Loader *loader, uint32_t object) {
    MashTexts *texts = loader->texts;
    for (uint32_t i = 0; i < MASH_REASON_COUNT; i++) {
        bool told =
            object != JSON_NONE && json_member(&loader->json, object, reason_ids[i]) != JSON_NONE;
        texts->ids[texts->first[MASH_NAME_REASON] + i] = pool_add(loader, reason_ids[i], 0);
        texts->names[texts->first[MASH_NAME_REASON] + i] =
            told ? load_words(loader, object, reason_ids[i])
                 : pool_add(loader, reason_meanings[i], object);
    }
}

/* Reserves places for `count` names; false and a problem if there are too many. */
static bool take_places(Loader *loader, MashNames list, uint32_t base, uint32_t count) {
    MashTexts *texts = loader->texts;
    assert(base <= UINT8_MAX);
    if (count > UINT8_MAX || texts->names_count + count > TEXTS_NAMES_MAX)
        return json_problem(&loader->json, 0, loader->problems,
                            "too many names (maximum %d in all lists together)",
                            (int)TEXTS_NAMES_MAX);
    texts->first[list] = texts->names_count;
    texts->base[list] = (uint8_t)base;
    texts->counts[list] = (uint8_t)count;
    texts->lists = (uint16_t)(texts->lists | 1 << list);
    texts->names_count = (uint16_t)(texts->names_count + count);
    return true;
}

/* Loads the names of a list that the game passed; reasons always, since every game has some. Every
 * key of the object must be an id of the list or, among reasons, one that every game has. */
static void load_list(Loader *loader, uint32_t names, MashNames list) {
    ListIds given = list_given(loader, list);
    bool reasons = list == MASH_NAME_REASON;
    if (!given.given && !reasons)
        return;
    assert(!reasons || !given.given || given.base == MASH_REASON_GAME);
    uint32_t base = reasons ? 0 : given.base, before = reasons ? MASH_REASON_GAME : 0;
    if (!take_places(loader, list, base, before + given.count))
        return;
    loader->texts->open[list] = (uint8_t)given.more;
    uint32_t object = json_member(&loader->json, names, list_ids[list]);
    if (object != JSON_NONE || given.count > 0)
        object =
            json_expect_member(&loader->json, names, list_ids[list], JSON_OBJECT, loader->problems);
    if (reasons)
        load_reasons(loader, object);
    if (object == JSON_NONE)
        return;
    load_names(loader, object, list, base + before, given.ids, given.count);
    for (uint32_t i = 0; reasons && i < MASH_REASON_COUNT; i++)
        given.ids[given.count++] = reason_ids[i];
    json_refuse_unknown_keys(&loader->json, object, given.ids, given.count, loader->problems);
}

/* Loads the names of all lists; a list that the game did not pass is a problem. */
static void load_all_names(Loader *loader) {
    uint32_t names = json_expect_member(&loader->json, 0, "names", JSON_OBJECT, loader->problems);
    if (names == JSON_NONE)
        return;
    const char *ids[MASH_NAME_LISTS];
    uint32_t count = 0;
    for (uint32_t list = 0; list < MASH_NAME_LISTS; list++) {
        load_list(loader, names, (MashNames)list);
        if (list == MASH_NAME_REASON || list_given(loader, (MashNames)list).given)
            ids[count++] = list_ids[list];
    }
    json_refuse_unknown_keys(&loader->json, names, ids, count, loader->problems);
}

/* Loads the sentence of this key: its offset in the pool; 0 and a problem if it is invalid. */
static uint16_t load_sentence(Loader *loader, uint32_t object, const char *id,
                              const PlaceholderNames *fields) {
    uint16_t offset = load_words(loader, object, id);
    const char *fault = template_error(fields, loader->texts->pool + offset);
    if (fault == NULL)
        return offset;
    json_problem(&loader->json, json_member(&loader->json, object, id), loader->problems, "%s",
                 fault);
    return 0;
}

/* Loads a sentence for each of these kinds of events; one for any other is a problem. */
static void load_sentences(Loader *loader) {
    const MashEventKind *events = loader->shape->events;
    uint32_t count = loader->shape->events_count;
    uint32_t object = json_expect_member(&loader->json, 0, "events", JSON_OBJECT, loader->problems);
    if (object == JSON_NONE)
        return;
    const char *ids[MASH_EVENT_KINDS];
    assert(count <= MASH_EVENT_KINDS);
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = mash_event_id((uint8_t)events[i]);
        loader->texts->events[events[i]] = load_sentence(loader, object, ids[i], &event_fields);
    }
    json_refuse_unknown_keys(&loader->json, object, ids, count, loader->problems);
}

/* Keeps the ids and field names of the descriptions for texts_game_load(). */
static void keep_descriptions(Loader *loader) {
    MashTexts *texts = loader->texts;
    const TextsDescriptions *given = loader->shape->descriptions;
    if (given == NULL)
        return;
    assert(given->count <= TEXTS_DESCRIPTIONS_MAX && given->fields_count <= TEXTS_FIELDS_MAX);
    texts->descriptions_count = (uint8_t)given->count;
    texts->fields_count = (uint8_t)given->fields_count;
    for (uint32_t i = 0; i < given->count; i++)
        texts->description_ids[i] = pool_add(loader, given->ids[i], 0);
    for (uint32_t i = 0; i < given->fields_count; i++)
        texts->fields[i] = pool_add(loader, given->fields[i], 0);
}

/* Loads the descriptions: all of them, or none if the document has no such key. */
static void load_descriptions(Loader *loader) {
    const TextsDescriptions *given = loader->shape->descriptions;
    if (given == NULL || json_member(&loader->json, 0, "descriptions") == JSON_NONE)
        return;
    uint32_t object =
        json_expect_member(&loader->json, 0, "descriptions", JSON_OBJECT, loader->problems);
    if (object == JSON_NONE)
        return;
    char memory[TEXTS_NAME_BYTES];
    MashText fault = text_over(memory, sizeof memory);
    text_string(&fault,
                "unknown placeholder; expected one of these, or one of them with |one|several:");
    for (uint32_t i = 0; i < given->fields_count; i++)
        text_format(&fault, " %s", given->fields[i]);
    PlaceholderNames fields = {given->fields, given->fields_count, memory};
    for (uint32_t i = 0; i < given->count; i++)
        loader->texts->descriptions[i] = load_sentence(loader, object, given->ids[i], &fields);
    json_refuse_unknown_keys(&loader->json, object, given->ids, given->count, loader->problems);
}

/* Loads the pairs of names under "translations", if the document has any. A key that is too long is
 * kept as far as it fits; no name is that long. */
static void load_translations(Loader *loader) {
    const Json *json = &loader->json;
    if (json_member(json, 0, "translations") == JSON_NONE)
        return;
    uint32_t object = json_expect_member(json, 0, "translations", JSON_OBJECT, loader->problems);
    if (object == JSON_NONE)
        return;
    loader->texts->translations_at = loader->texts->used;
    for (uint32_t node = json_first(json, object); node != JSON_NONE;
         node = json->nodes[node].next) {
        char key[TEXTS_NAME_BYTES], name[TEXTS_NAME_BYTES];
        MashText text = text_over(key, sizeof key);
        json_key(json, node, &text);
        if (!json_line(json, node, name, sizeof name, loader->problems) ||
            pool_add(loader, key, node) == 0 || pool_add(loader, name, node) == 0)
            return;
        loader->texts->translations_count++;
    }
}

bool texts_load(MashTexts *texts, const MashDocuments *documents, const TextsShape *shape,
                const void *body, MashProblems *problems) {
    static const char *const keys[] = {"language", "events", "names", "translations",
                                       "descriptions"};
    uint32_t problems_before = problems->count;
    memset(texts, 0, sizeof *texts);
    texts->used = 1;
    Loader loader = {.texts = texts, .shape = shape, .body = body, .problems = problems};
    const MashDocument *document = content_find(documents, ".texts.json", problems);
    if (document == NULL ||
        !json_read(&loader.json, document->name, document->bytes, document->count,
                   documents->scratch, documents->scratch_bytes / sizeof(JsonNode), problems) ||
        !json_expect_kind(&loader.json, 0, JSON_OBJECT, problems))
        return false;
    json_refuse_unknown_keys(&loader.json, 0, keys, shape->descriptions == NULL ? 4 : 5, problems);
    json_line_at(&loader.json, 0, "language", texts->language, sizeof texts->language, problems);
    load_sentences(&loader);
    load_all_names(&loader);
    load_translations(&loader);
    keep_descriptions(&loader);
    load_descriptions(&loader);
    return problems->count == problems_before;
}

/* --- Ready-made entries for a MashGame -------------------------------------------------------- */

const MashTexts *texts_of(const MashContent *content, const MashTexts *given) {
    return given != NULL ? given : (const void *)(content->body + content->game->texts_at);
}

/* The texts at these offsets. */
static void collect(const MashTexts *texts, const uint16_t *offsets, uint32_t count,
                    const char **out) {
    for (uint32_t i = 0; i < count; i++)
        out[i] = texts->pool + offsets[i];
}

bool texts_game_load(const MashContent *content, const MashDocuments *documents, MashTexts *texts,
                     MashProblems *problems) {
    const MashTexts *own = texts_of(content, NULL);
    const char *ids[TEXTS_NAMES_MAX], *described[TEXTS_DESCRIPTIONS_MAX], *fields[TEXTS_FIELDS_MAX];
    TextsIds lists[MASH_NAME_LISTS];
    MashEventKind events[MASH_EVENT_KINDS];
    uint32_t lists_count = 0, events_count = 0;
    collect(own, own->ids, own->names_count, ids);
    collect(own, own->description_ids, own->descriptions_count, described);
    collect(own, own->fields, own->fields_count, fields);
    for (uint32_t list = 0; list < MASH_NAME_LISTS; list++) {
        uint32_t before = list == MASH_NAME_REASON ? MASH_REASON_GAME : 0;
        if ((own->lists >> list & 1) != 0)
            lists[lists_count++] =
                (TextsIds){(MashNames)list, own->base[list] + before, own->counts[list] - before,
                           ids + own->first[list] + before, NULL};
    }
    for (uint32_t kind = 0; kind < MASH_EVENT_KINDS; kind++)
        if (own->events[kind] != 0)
            events[events_count++] = (MashEventKind)kind;
    TextsDescriptions descriptions = {described, own->descriptions_count, fields,
                                      own->fields_count};
    TextsShape shape = {lists, lists_count, events, events_count,
                        own->descriptions_count == 0 ? NULL : &descriptions};
    return texts_load(texts, documents, &shape, NULL, problems);
}

const char *texts_game_id(const MashContent *content, MashNames list, uint8_t index) {
    return texts_id(texts_of(content, NULL), list, index);
}

void texts_game_name(const MashContent *content, const MashTexts *texts, MashNames list,
                     uint8_t index, MashText *text) {
    texts_name(texts_of(content, texts), list, index, text);
}

const char *mash_texts_translate(const MashContent *content, const MashTexts *texts,
                                 const char *name) {
    return content->game->texts_bytes == 0 ? name : texts_translate(texts_of(content, texts), name);
}

/* Appends the name of a unit in the sentence of an event of this kind; nothing if the number is not
 * a unit. Without words for it the short name is used. */
static void put_unit(const MashContent *content, const MashTexts *texts, const void *state,
                     uint8_t kind, const MashCalling *called, uint8_t unit, MashText *text) {
    MashUnitWords *words = kind == MASH_EVENT_REVEALED ? called->revealed : called->usual;
    if (unit >= content->limits.units)
        return;
    if (words == NULL)
        content->game->unit_name(content, state, unit, text);
    else
        words(content, texts, state, unit, text);
}

/* Appends the sentence of an event, with units named in this way. */
static void say_calling(const MashContent *content, const MashTexts *texts, const void *state,
                        const MashEvent *event, const MashCalling *called, MashText *text) {
    const MashGame *game = content->game;
    char bytes[4][TEXTS_NAME_BYTES];
    MashText unit = text_over(bytes[0], TEXTS_NAME_BYTES);
    MashText other = text_over(bytes[1], TEXTS_NAME_BYTES);
    MashText what = text_over(bytes[2], TEXTS_NAME_BYTES);
    MashText side = text_over(bytes[3], TEXTS_NAME_BYTES);
    put_unit(content, texts, state, event->kind, called, event->unit, &unit);
    if (mash_event_other(event->kind) == MASH_OTHER_SEAT)
        game->name(content, texts, MASH_NAME_SIDE, event->other, &side);
    if (mash_event_other(event->kind) == MASH_OTHER_UNIT)
        put_unit(content, texts, state, event->kind, called, event->other, &other);
    MashNames list = mash_event_list(game, event);
    if (list != MASH_NAME_NONE)
        game->name(content, texts, list, event->what, &what);
    TextsArguments words = {unit.bytes, other.bytes, what.bytes, side.bytes};
    texts_write_event(texts_of(content, texts), event, &words, text);
}

void texts_game_say(const MashContent *content, const MashTexts *texts, const void *state,
                    const MashEvent *event, MashText *text) {
    say_calling(content, texts, state, event, &(MashCalling){.usual = content->game->full_name},
                text);
}

void mash_event_say(const MashContent *content, const MashTexts *texts, const void *state,
                    const MashEvent *event, const MashCalling *called, MashText *text) {
    if (called == NULL || content->game->texts_bytes == 0)
        content->game->say(content, texts, state, event, text);
    else
        say_calling(content, texts, state, event, called, text);
}
