/* fields.h -- one table of fields for everything that is read: documents of games and messages.
 *
 * A row of the table has the key, label, kind, bounds, default, meaning and offset of one field.
 * Reader, writer, JSON schema, the forms of the page's editor and the reference pages are all
 * generated from it, so they cannot disagree. Rules across several fields are code: the `check` of
 * Fields. A kind of value that is not listed here is a FieldCustom. Nothing is allocated. */
#ifndef BASE_FIELDS_H
#define BASE_FIELDS_H
#include <stddef.h>

#include "base/json.h"

/* Limits. */
enum {
    FIELDS_MAX = 32,        /* fields of one object */
    FIELDS_LINE_MAX = 1023, /* bytes of a line */
    FIELDS_WORDS_MAX = 64,  /* values of one ENUM */
    FIELDS_UNIQUE_MAX = 3,  /* unique fields of a row */
    FIELDS_ROWS_MAX = 256,  /* rows with unique fields */
    FIELDS_ROW_BYTES = 192, /* of a row that is passed to `check` and not kept */
};

/* The type of a value, and where it is stored. */
typedef enum FieldKind {
    FIELD_LINE,   /* a string without control characters -> char[bytes], with a NUL if it fits */
    FIELD_INT,    /* an integer from min to max -> 1, 2 or 4 bytes */
    FIELD_BOOL,   /* true or false -> 1 byte */
    FIELD_ENUM,   /* one of a list of words -> its index, 1 byte */
    FIELD_OBJECT, /* an object with fields of its own -> a record at this offset */
    FIELD_ROWS,   /* an array of such objects -> records one after the other */
    FIELD_LIST,   /* an array of values of the kind `item` -> members one after the other */
    FIELD_CUSTOM, /* anything else */
} FieldKind;

typedef struct Field Field;
typedef struct Fields Fields;

/* A document or message that is being read. */
typedef struct FieldsReader {
    const Json *json;
    MashProblems *problems;
    void *record;    /* the outermost one; NULL: values are only checked */
    void *row;       /* the record that is being read: of the row or the object; or NULL */
    bool open;       /* keys that are not in the tables are ignored everywhere */
    const char *tag; /* a key of the outermost object that its table does not list, or NULL */
    void *context;   /* for functions of FieldCustom */
} FieldsReader;

/* The required format of a line, in addition to its length. */
typedef struct FieldFormat {
    const char *pattern;            /* a regular expression, for the schema */
    bool (*fits)(const char *line); /* NULL: any line is valid */
    const char *sentence;           /* error message if it does not match */
} FieldFormat;

/* A custom kind of value. `read` reports errors and returns false; `to` is NULL where a value is
 * only checked. A schema is the members of a schema object, and `words` describes the value in a
 * few words for reference pages; where these depend on the field, a function writes them instead.
 * Values that are never written need no `write`. */
typedef struct FieldCustom {
    const char *wanted; /* follows "it must be", when the key is missing */
    bool (*read)(FieldsReader *reader, const Field *field, uint32_t node, void *to);
    void (*write)(JsonWriter *writer, const Field *field, const void *from);
    const char *schema, *words;
    void (*write_schema)(JsonWriter *writer, const Field *field);
    void (*write_words)(const Field *field, MashText *text);
} FieldCustom;

/* One field. Unused members are zero: tables are written with FIELD(). */
struct Field {
    const char *key;   /* never changes; the member may be renamed */
    const char *label; /* what people call it, for forms: the title in a schema; or NULL */
    const char *meaning;
    FieldKind kind;
    bool optional;
    bool unique;     /* in ROWS: must be unique; LINE and INT */
    bool empty;      /* LINE: may be "" */
    bool few;        /* ROWS: too few are refused by code, with a better error message */
    uint32_t offset; /* of the member in its record */
    uint32_t bytes;  /* of the member; ROWS: 0 = a row is passed to `check` and not kept */
    int32_t min,
        max; /* INT: bounds; LINE: max length, 0 = what the member holds; ROWS, LIST: how many */
    int32_t fallback; /* INT, BOOL, ENUM: the value if it is omitted or invalid; an invalid INT is
                         clamped to its bounds */
    uint32_t count;   /* ROWS: where their number is kept in the same record */
    uint32_t count_bytes; /* ROWS: 1, 2, or 0 = the number is not kept */
    /* ENUM: the word of each index, terminated by NULL; "" = unused index. */
    const char *const *words;
    /* ENUM: the same where words depend on the document. If it has none, any value is accepted: the
     * document that should define them is invalid and reports that itself. */
    const char *(*word)(const FieldsReader *reader, uint32_t index);
    /* INT: bounds that depend on the document; initially min and max. */
    void (*bounds)(const FieldsReader *reader, int32_t *min, int32_t *max);
    const FieldFormat *format; /* LINE; ENUM with `word`: for the schema */
    const char *examples;      /* for the schema: an array as JSON, or NULL */
    const Fields *rows;        /* OBJECT, ROWS */
    const Field *item;         /* LIST; offset and bytes are those of the first entry */
    const FieldCustom *custom; /* CUSTOM */
};

/* The fields of a document, a message, an object or a row. */
struct Fields {
    const char *id;      /* ".start.json", the type of a message, or the name of a row */
    const char *meaning; /* a document: its title */
    const Field *list;
    uint32_t count, bytes; /* bytes of a row */
    bool open;             /* other keys are allowed and ignored */
    bool follows; /* a document: refers to earlier ones, so it is not read if these are invalid */
    const char *beyond; /* rules that the schema does not state, in words; or NULL */
    const char *schema; /* further members of the schema: rules across fields; or NULL */
    /* Called when all fields are valid: checks and completes what belongs together. */
    void (*check)(FieldsReader *reader, uint32_t node, void *record);
};

/* A row of a table: FIELD(INT, "x", Unit, x, .max = 99, .meaning = "Column.") */
#define FIELD(kind_, key_, type, member, ...)                                                      \
    {                                                                                              \
        .kind = FIELD_##kind_, .key = key_, .offset = (uint32_t)offsetof(type, member),            \
        .bytes = (uint32_t)sizeof(((type *)0)->member), __VA_ARGS__                                \
    }
/* One that is kept nowhere itself: its rows, its items or its `check` have places. */
#define FIELD_PART(kind_, key_, ...)                                                               \
    { .kind = FIELD_##kind_, .key = key_, __VA_ARGS__ }
/* Where the number of rows is kept: FIELD(ROWS, ..., FIELD_COUNT(Setup, kinds_count), ...) */
#define FIELD_COUNT(type, member)                                                                  \
    .count = (uint32_t)offsetof(type, member), .count_bytes = (uint32_t)sizeof(((type *)0)->member)
/* The list and its length, as members of Fields. */
#define FIELDS_OF(rows) .list = (rows), .count = sizeof(rows) / sizeof *(rows)

/* Common formats: any line, "elf-2" with single hyphens between, "elf-" with a letter first. */
extern const FieldFormat field_line, field_id, field_name;

/* --- Reading ---------------------------------------------------------------------------------- */

/* Reads an object. `to` NULL: values are only checked. `present` gets a bit for each field that is
 * present, unless it is NULL. After a problem the field holds its fallback. False: problems were
 * added. */
bool fields_read(FieldsReader *reader, const Fields *fields, uint32_t node, void *to,
                 uint32_t *present);

/* --- Writing ---------------------------------------------------------------------------------- */

/* Is every value within what the reader accepts? */
bool fields_fit(const Fields *fields, const void *record, uint32_t present);
/* Writes key and value of each field; optional ones only if they are in `present`. */
void fields_write(JsonWriter *writer, const Fields *fields, const void *record, uint32_t present);

/* --- Printing --------------------------------------------------------------------------------- */

/* Appends the members of a schema object for these fields; `tag` is NULL or the value of the key
 * "type", which is then required. */
void fields_write_schema(JsonWriter *writer, const Fields *fields, const char *tag, bool open);
/* Appends the allowed values of a field in a few words, and the table of all fields for a reference
 * page. */
void fields_print_value(const Field *field, MashText *text);
void fields_print_table(const Fields *fields, MashText *text);

#endif
