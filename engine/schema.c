/* schema.c -- what a kind of document may contain, from the tables by which it is read: as a JSON
 * schema for editors, and as tables for people. The schema of texts follows from the kinds of
 * events and the ids that loaded content keeps with its texts. */
#include <string.h>

#include "engine/content.h"
#include "engine/texts.h"

static const char texts_ending[] = ".texts.json";

/* --- Schemas ---------------------------------------------------------------------------------- */

/* The beginning of every schema. */
static void write_head(JsonWriter *writer, const MashGame *game, const char *meaning,
                       const char *ending, const char *beyond) {
    char memory[512];
    MashText text = text_over(memory, sizeof memory);
    json_put_pair(writer, "$schema", "http://json-schema.org/draft-07/schema#");
    text_format(&text, "%s: %s (*%s)", game->title, meaning, ending);
    json_put_pair(writer, "title", memory);
    text_clear(&text);
    if (beyond != NULL)
        text_format(&text, "Also checked: %s. ", beyond);
    text_string(&text, "Lengths are in UTF-8 bytes (not enforced by the schema).");
    json_put_pair(writer, "description", memory);
}

/* A key whose value is {"$ref": "#/definitions/NAME"}; `description` may be NULL. */
static void write_reference(JsonWriter *writer, const char *key, const char *description,
                            const char *name) {
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text, "#/definitions/%s", name);
    json_put_key(writer, key);
    json_open(writer, '{');
    if (description != NULL)
        json_put_pair(writer, "description", description);
    json_put_pair(writer, "$ref", memory);
    json_close(writer, '}');
}

/* A key of an object that holds texts. */
typedef struct TextKey {
    const char *id, *description; /* NULL: no description */
    bool required;
} TextKey;

/* An object with a text of this definition for each key; `open`: and for any other. */
static void write_keys(JsonWriter *writer, const char *key, const char *description,
                       const TextKey *keys, uint32_t count, bool open, const char *definition) {
    json_put_key(writer, key);
    json_open(writer, '{');
    json_put_pair(writer, "description", description);
    json_put_pair(writer, "type", "object");
    json_open_list(writer, "required");
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].required)
            json_put_string(writer, keys[i].id);
    json_close(writer, ']');
    json_put_key(writer, "properties");
    json_open(writer, '{');
    for (uint32_t i = 0; i < count; i++)
        if (keys[i].required || !open)
            write_reference(writer, keys[i].id, keys[i].description, definition);
    json_close(writer, '}');
    if (open)
        write_reference(writer, "additionalProperties", NULL, definition);
    else
        json_put_pair_bool(writer, "additionalProperties", false);
    json_close(writer, '}');
}

/* A sentence for each kind of event that the game has. */
static void write_events(JsonWriter *writer, const MashTexts *texts) {
    static const char *const meanings[] = {
#define MASH_ROW(name, id, other, list, meaning) meaning,
        MASH_EVENTS(MASH_ROW)
#undef MASH_ROW
    };
    TextKey keys[MASH_EVENT_KINDS];
    uint32_t count = 0;
    for (uint8_t kind = 0; kind < MASH_EVENT_KINDS; kind++)
        if (texts->events[kind] != 0)
            keys[count++] = (TextKey){mash_event_id(kind), meanings[kind], true};
    write_keys(writer, "events",
               "A sentence for each kind of event, a template: {unit} stands for a word.", keys,
               count, false, "sentence");
}

/* The names of one list. Reasons that every game has may be omitted; names of things in other
 * documents are required by these. */
static void write_list(JsonWriter *writer, const MashTexts *texts, MashNames list) {
    static const char *const meanings[MASH_NAME_LISTS] = {
        "Kinds of unit.",
        "Kinds of ground.",
        "Values that are shown.",
        "Phases of a match.",
        "What players do.",
        "Attacks and abilities.",
        "Items.",
        "Effects that last for some turns.",
        "How battles end.",
        "Why a match ended; the reasons all games share may be omitted.",
        "Statistics of the end screen.",
        "The two teams.",
        "Values that are words."};
    TextKey keys[TEXTS_NAMES_MAX];
    uint32_t count = 0, own = texts->counts[list] - (uint32_t)texts->open[list];
    for (uint32_t i = 0; i < texts->counts[list]; i++) {
        const char *id = texts->pool + texts->ids[texts->first[list] + i];
        bool common = list == MASH_NAME_REASON && i < MASH_REASON_GAME;
        if (id[0] != '\0')
            keys[count++] = (TextKey){id, NULL, i < own && !common};
    }
    write_keys(writer, texts_list_id(list), meanings[list], keys, count, texts->open[list] > 0,
               "name");
}

/* The names of all lists that the game has. */
static void write_names(JsonWriter *writer, const MashTexts *texts) {
    json_put_key(writer, "names");
    json_open(writer, '{');
    json_put_pair(writer, "description",
                  "A name for each id, list by list; at most 255 bytes of UTF-8.");
    json_put_pair(writer, "type", "object");
    json_open_list(writer, "required");
    for (uint32_t list = 0; list < MASH_NAME_LISTS; list++)
        if ((texts->lists >> list & 1) != 0)
            json_put_string(writer, texts_list_id((MashNames)list));
    json_close(writer, ']');
    json_put_key(writer, "properties");
    json_open(writer, '{');
    for (uint32_t list = 0; list < MASH_NAME_LISTS; list++)
        if ((texts->lists >> list & 1) != 0)
            write_list(writer, texts, (MashNames)list);
    json_close(writer, '}');
    json_put_pair_bool(writer, "additionalProperties", false);
    json_close(writer, '}');
}

/* Names of things in other documents in this language. */
static void write_translations(JsonWriter *writer) {
    write_keys(
        writer, "translations",
        "Names in other documents, such as heroes and abilities, and what they are called in "
        "this language. Names that are not listed are shown unchanged.",
        NULL, 0, true, "name");
}

/* The text of each description; all of them or none. */
static void write_descriptions(JsonWriter *writer, const MashTexts *texts) {
    TextKey keys[TEXTS_DESCRIPTIONS_MAX];
    for (uint32_t i = 0; i < texts->descriptions_count; i++)
        keys[i] = (TextKey){texts->pool + texts->description_ids[i], NULL, true};
    if (texts->descriptions_count > 0)
        write_keys(writer, "descriptions",
                   "What things do, with their values filled in. Either all of them, or omit "
                   "this key.",
                   keys, texts->descriptions_count, false, "description");
}

/* Definitions of names, sentences and descriptions; figures are those of the game's descriptions.
 */
static void write_definitions(JsonWriter *writer, const MashTexts *texts) {
    char memory[512];
    MashText text = text_over(memory, sizeof memory);
    static const char all[] =
        "\"definitions\":{\"name\":{\"type\":\"string\",\"minLength\":1,"
        "\"maxLength\":255,\"pattern\":\"^[^\\\\u0000-\\\\u001F\\\\u007F-"
        "\\\\u009F]+$\"},\"parts\":{\"$comment\":\"Optional parts are "
        "in [ ] and have a field.\",\"pattern\":\"^([^\\\\[\\\\]]|\\\\[[^\\\\[\\\\]]*"
        "\\\\{[^\\\\[\\\\]]*\\\\])+$\"},\"sentence\":{\"description\":\"[ to {other}] is "
        "omitted if {other} is empty; {amount|turn|turns} is for one or "
        "several.\",\"allOf\":[{\"$ref\":\"#/definitions/name\"},{\"$ref\":"
        "\"#/definitions/parts\"},{\"pattern\":\"^([^{}]|\\\\{(unit|other|what|"
        "side|amount((\\\\|[^{}\\\\[\\\\]|]*){2})?|from|to)\\\\})+$\"}]}";
    json_put_members(writer, all);
    if (texts->descriptions_count > 0) {
        for (uint32_t i = 0; i < texts->fields_count; i++)
            text_format(&text, i == 0 ? "%s" : "|%s", texts->pool + texts->fields[i]);
        text_string(writer->text,
                    ",\"description\":{\"description\":\"{range|step|steps} is for one or "
                    "several, and [ for {turns} turns] is omitted if it is 0.\","
                    "\"allOf\":[{\"$ref\":\"#/definitions/name\"},{\"$ref\":"
                    "\"#/definitions/parts\"},{\"pattern\":\"^([^{}]|\\\\{(");
        text_string(writer->text, memory);
        text_string(writer->text, ")((\\\\|[^{}\\\\[\\\\]|]*){2})?\\\\})+$\"}]}");
    }
    text_byte(writer->text, '}');
}

/* The schema of texts: ids are those that the content's own texts were loaded with. */
static void write_texts(JsonWriter *writer, const MashContent *content) {
    const MashTexts *texts = texts_of(content, NULL);
    write_head(writer, content->game, "names and sentences in one language", texts_ending,
               "names are those of the documents they go with");
    json_put_members(writer, "\"type\":\"object\",\"required\":[\"language\",\"events\",\"names\"],"
                             "\"additionalProperties\":false");
    json_put_key(writer, "properties");
    json_open(writer, '{');
    json_put_members(writer, "\"language\":{\"description\":\"Its short name, such as en.\","
                             "\"type\":\"string\",\"minLength\":1,\"maxLength\":7,\"pattern\":"
                             "\"^[^\\\\u0000-\\\\u001F\\\\u007F-\\\\u009F]+$\"}");
    write_events(writer, texts);
    write_names(writer, texts);
    write_translations(writer);
    write_descriptions(writer, texts);
    json_close(writer, '}');
    write_definitions(writer, texts);
}

bool mash_write_schema(const MashContent *content, const char *kind, MashText *text) {
    const MashGame *game = content->game;
    JsonWriter writer = json_writer(text, 0);
    const Fields *const *document = game->documents;
    while (document != NULL && *document != NULL && strcmp((*document)->id, kind) != 0)
        document++;
    bool texts = game->texts_bytes != 0 && strcmp(kind, texts_ending) == 0;
    if (!texts && (document == NULL || *document == NULL))
        return false;
    json_open(&writer, '{');
    if (texts) {
        write_texts(&writer, content);
    } else {
        write_head(&writer, game, (*document)->meaning, (*document)->id, (*document)->beyond);
        fields_write_schema(&writer, *document, NULL, (*document)->open);
    }
    json_close(&writer, '}');
    return true;
}

/* --- Tables for people ------------------------------------------------------------------------ */

/* The table of an object, then those of the objects in it. */
static void write_tables(const Fields *fields, MashText *text) {
    fields_print_table(fields, text);
    for (uint32_t i = 0; i < fields->count; i++) {
        const Field *field = &fields->list[i];
        if (field->rows == NULL)
            continue;
        text_format(text, "\n`%s`: **%s**\n", field->key, field->rows->id);
        write_tables(field->rows, text);
    }
}

void mash_write_reference(const MashGame *game, MashText *text) {
    for (const Fields *const *document = game->documents; document != NULL && *document != NULL;
         document++) {
        text_format(text, "\n## `*%s`: %s (%s)\n", (*document)->id, (*document)->meaning,
                    game->title);
        write_tables(*document, text);
        if ((*document)->beyond != NULL)
            text_format(text, "\nAlso checked: %s.\n", (*document)->beyond);
    }
}
