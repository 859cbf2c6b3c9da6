/* fields_print.c -- see fields.h: the tables as JSON schemas and as tables of reference pages. */
#include "base/fields.h"

#include <string.h>

/* --- The schema ------------------------------------------------------------------------------- */

/* Schema of a string. */
static void schema_line(JsonWriter *writer, const Field *field) {
    json_put_pair(writer, "type", "string");
    if (!field->empty)
        json_put_pair_int(writer, "minLength", 1);
    json_put_pair_int(writer, "maxLength", field->max > 0 ? field->max : (int32_t)field->bytes - 1);
    if (field->format != NULL)
        json_put_pair(writer, "pattern", field->format->pattern);
}

/* Schema of an ENUM; words defined by another document are only strings here. */
static void schema_enum(JsonWriter *writer, const Field *field) {
    if (field->words == NULL) {
        schema_line(writer, field);
        return;
    }
    json_open_list(writer, "enum");
    for (const char *const *word = field->words; *word != NULL; word++)
        if ((*word)[0] != '\0')
            json_put_string(writer, *word);
    json_close(writer, ']');
}

static void schema_value(JsonWriter *writer, const Field *field);

/* An array of objects or of values. */
static void schema_array(JsonWriter *writer, const Field *field) {
    json_put_pair(writer, "type", "array");
    json_put_pair_int(writer, "minItems", field->min);
    json_put_pair_int(writer, "maxItems", field->max);
    json_put_key(writer, "items");
    json_open(writer, '{');
    if (field->kind == FIELD_LIST)
        schema_value(writer, field->item);
    else
        fields_write_schema(writer, field->rows, NULL, field->rows->open);
    json_close(writer, '}');
}

/* An integer, a truth, an object. */
static void schema_int(JsonWriter *writer, const Field *field) {
    json_put_pair(writer, "type", "integer");
    JSON_PUT_INTS(writer, {"minimum", field->min}, {"maximum", field->max});
}
static void schema_bool(JsonWriter *writer, const Field *field) {
    (void)field;
    json_put_pair(writer, "type", "boolean");
}
static void schema_object(JsonWriter *writer, const Field *field) {
    fields_write_schema(writer, field->rows, NULL, field->rows->open);
}

/* What its own functions print. */
static void schema_custom(JsonWriter *writer, const Field *field) {
    if (field->custom->write_schema != NULL)
        field->custom->write_schema(writer, field);
    else
        json_put_members(writer, field->custom->schema);
}

/* Schema of a field. */
static void schema_value(JsonWriter *writer, const Field *field) {
    static void (*const writers[])(JsonWriter *, const Field *) = {
        [FIELD_LINE] = schema_line,     [FIELD_INT] = schema_int,      [FIELD_BOOL] = schema_bool,
        [FIELD_ENUM] = schema_enum,     [FIELD_ROWS] = schema_array,   [FIELD_LIST] = schema_array,
        [FIELD_OBJECT] = schema_object, [FIELD_CUSTOM] = schema_custom};
    writers[field->kind](writer, field);
    if (field->examples != NULL) {
        json_put_key(writer, "examples");
        json_put_raw(writer, field->examples, (uint32_t)strlen(field->examples));
    }
}

/* The properties, the type tag first. */
static void schema_properties(JsonWriter *writer, const Fields *fields, const char *tag) {
    json_put_key(writer, "properties");
    json_open(writer, '{');
    if (tag != NULL) {
        json_put_key(writer, "type");
        json_open(writer, '{');
        json_put_pair(writer, "const", tag);
        json_close(writer, '}');
    }
    for (uint32_t i = 0; i < fields->count; i++) {
        json_put_key(writer, fields->list[i].key);
        json_open(writer, '{');
        if (fields->list[i].label != NULL)
            json_put_pair(writer, "title", fields->list[i].label);
        json_put_pair(writer, "description", fields->list[i].meaning);
        schema_value(writer, &fields->list[i]);
        json_close(writer, '}');
    }
    json_close(writer, '}');
}

void fields_write_schema(JsonWriter *writer, const Fields *fields, const char *tag, bool open) {
    json_put_pair(writer, "type", "object");
    schema_properties(writer, fields, tag);
    json_open_list(writer, "required");
    if (tag != NULL)
        json_put_string(writer, "type");
    for (uint32_t i = 0; i < fields->count; i++)
        if (!fields->list[i].optional)
            json_put_string(writer, fields->list[i].key);
    json_close(writer, ']');
    if (!open) {
        json_put_pair_bool(writer, "additionalProperties", false);
    }
    if (fields->schema != NULL)
        json_put_members(writer, fields->schema);
}

/* --- Reference pages -------------------------------------------------------------------------- */

/* An integer by its bounds. */
static void print_int(const Field *field, MashText *text) {
    if (field->min == INT32_MIN)
        text_string(text, "whole number");
    else if (field->max == INT32_MAX)
        text_format(text, "whole number from %d", field->min);
    else
        text_format(text, "%d to %d", field->min, field->max);
}

/* The words of an ENUM; words defined by another document are its ids. */
static void print_words(const Field *field, MashText *text) {
    const char *comma = "";
    if (field->words == NULL)
        text_string(text, "id");
    for (const char *const *word = field->words; word != NULL && *word != NULL; word++)
        if ((*word)[0] != '\0') {
            text_format(text, "%s`%s`", comma, *word);
            comma = ", ";
        }
}

/* An array by the number and kind of its entries. */
static void print_array(const Field *field, MashText *text) {
    if (field->min == field->max)
        text_format(text, "array of %d: ", field->min);
    else
        text_format(text, "array of %d to %d: ", field->min, field->max);
    if (field->kind == FIELD_LIST)
        fields_print_value(field->item, text);
    else
        text_string(text, field->rows->id);
}

void fields_print_value(const Field *field, MashText *text) {
    switch (field->kind) {
    case FIELD_LINE:
        text_format(text, "string, %d to %d bytes", field->empty ? 0 : 1,
                    field->max > 0 ? field->max : (int32_t)field->bytes - 1);
        break;
    case FIELD_INT:
        print_int(field, text);
        break;
    case FIELD_BOOL:
        text_string(text, "true, false");
        break;
    case FIELD_ENUM:
        print_words(field, text);
        break;
    case FIELD_OBJECT:
        text_string(text, field->rows->id);
        break;
    case FIELD_ROWS:
    case FIELD_LIST:
        print_array(field, text);
        break;
    default:
        if (field->custom->write_words != NULL)
            field->custom->write_words(field, text);
        else
            text_string(text, field->custom->words);
    }
}

void fields_print_table(const Fields *fields, MashText *text) {
    text_string(text, "\n| key | value | meaning |\n|---|---|---|\n");
    for (uint32_t i = 0; i < fields->count; i++) {
        const Field *field = &fields->list[i];
        text_format(text, field->optional ? "| %s | " : "| **%s** | ", field->key);
        fields_print_value(field, text);
        text_format(text, " | %s |\n", field->meaning);
    }
}
