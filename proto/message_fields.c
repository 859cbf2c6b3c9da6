/* message_fields.c -- see message_fields.h: the lists of message.h, expanded. */
#include <string.h>

#include "proto/message_fields.h"

/* --- Lists of words --------------------------------------------------------------------------- */

#define PROTO_CHOICE(name, id, meaning) {id, meaning},
/* One list. */
#define PROTO_ROW(name, prefix)                                                                    \
    static const ProtoChoice list_##name[] = {PROTO_##name(PROTO_CHOICE)};
PROTO_CHOICES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_CHOICE

const ProtoChoice *proto_choices(ProtoChoices list, uint32_t *count) {
#define PROTO_ROW(name, prefix) {list_##name, sizeof list_##name / sizeof *list_##name},
    static const struct {
        const ProtoChoice *list;
        uint32_t count;
    } all[] = {PROTO_CHOICES(PROTO_ROW)};
#undef PROTO_ROW
    assert((uint32_t)list < PROTO_CHOICES_COUNT);
    *count = all[list].count;
    return all[list].list;
}

/* The words alone, terminated by NULL. */
#define PROTO_CHOICE(name, id, meaning) id,
#define PROTO_ROW(name, prefix)         {PROTO_##name(PROTO_CHOICE) NULL},
static const char *const choice_words[PROTO_CHOICES_COUNT][MASH_ROLE_COUNT + 1] = {
    PROTO_CHOICES(PROTO_ROW)};
#undef PROTO_ROW
#undef PROTO_CHOICE

#define PHRASE_WORDS(name, id, meaning) meaning,
static const char *const phrases[] = {PROTO_PHRASES(PHRASE_WORDS)};
#undef PHRASE_WORDS

const char *phrase_words(uint32_t phrase) { return phrases[phrase]; }

uint32_t phrase_of(const char *words) {
    uint32_t phrase = 0;
    while (phrase < PROTO_PHRASE_COUNT && strcmp(phrases[phrase], words) != 0)
        phrase++;
    return phrase;
}

const char *choice_id(ProtoChoices list, uint32_t number) {
    uint32_t count;
    const ProtoChoice *choices = proto_choices(list, &count);
    assert(number < count);
    return choices[number].id;
}

/* --- Messages and shapes ---------------------------------------------------------------------- */

static const Fields shapes[SHAPE_COUNT];

/* The meaning of a and b in message.h for each kind. */
#define KIND_LINE(a, b)       .kind = FIELD_LINE, .max = (a)
#define KIND_INT(a, b)        .kind = FIELD_INT, .bytes = sizeof(int32_t), .min = (a), .max = (b)
#define KIND_BOOL(a, b)       .kind = FIELD_BOOL, .bytes = sizeof(bool)
#define KIND_ENUM(a, b)       .kind = FIELD_ENUM, .bytes = sizeof(uint8_t), .words = choice_words[a]
#define KIND_CUSTOM(name)     .kind = FIELD_CUSTOM, .custom = &message_##name
#define KIND_SEAT(a, b)       KIND_CUSTOM(seat)
#define KIND_CODE(a, b)       KIND_CUSTOM(code)
#define KIND_HEX(a, b)        KIND_CUSTOM(hex), .max = (a)
#define KIND_OPTIONS(a, b)    KIND_CUSTOM(options)
#define KIND_DOCUMENTS(a, b)  KIND_CUSTOM(documents)
#define KIND_BASE64(a, b)     KIND_CUSTOM(base64)
#define KIND_INTS(a, b)       KIND_CUSTOM(ints), .min = (a), .max = (b)
#define KIND_NAMES(a, b)      KIND_CUSTOM(names)
#define KIND_INT_ROWS(a, b)   KIND_CUSTOM(int_rows), .min = (a), .max = (b)
#define KIND_SEAT_TIMES(a, b) KIND_CUSTOM(seat_times)
#define KIND_OBJECT(a, b)     KIND_CUSTOM(object), .rows = &shapes[a]
#define KIND_LIST(a, b)       KIND_CUSTOM(list), .rows = &shapes[a]
#define KIND_TEXT(a, b)       KIND_CUSTOM(text)
#define REQUIRED              false
#define OPTIONAL              true

#define PROTO_FIELD(kind_, key_, name, optional_, a, b, meaning_)                                  \
    {KIND_##kind_(a, b), .key = key_, .optional = optional_, .meaning = meaning_,                  \
     .offset = (uint32_t)offsetof(Here, name)},
#define PROTO_ROW(name, member, id_, fields, meaning_)                                             \
    static const Fields *of_##name(void) {                                                         \
        typedef name##_FIELDS Here;                                                                \
        static const Field list[] = {fields(PROTO_FIELD)};                                         \
        static const Fields all = {.id = id_, .meaning = meaning_, FIELDS_OF(list)};               \
        return &all;                                                                               \
    }
MESSAGES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_FIELD

const Fields *fields_of_message(MessageKind kind) {
#define PROTO_ROW(name, member, id, fields, meaning) of_##name,
    static const Fields *(*const all[])(void) = {MESSAGES(PROTO_ROW)};
#undef PROTO_ROW
    assert((uint32_t)kind < MESSAGE_COUNT);
    return all[kind]();
}

/* Shapes have no struct: their values are only checked. */
#define PROTO_FIELD(kind_, key_, name, optional_, a, b, meaning_)                                  \
    {KIND_##kind_(a, b), .key = key_, .optional = optional_, .meaning = meaning_},
#define PROTO_ROW(name, id, fields, meaning)                                                       \
    static const Field shape_##name[] = {fields(PROTO_FIELD)};
SHAPES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_FIELD

#define PROTO_ROW(name, id_, fields, meaning_)                                                     \
    {.id = id_, .meaning = meaning_, FIELDS_OF(shape_##name)},
static const Fields shapes[SHAPE_COUNT] = {SHAPES(PROTO_ROW)};
#undef PROTO_ROW

const Fields *fields_of_shape(MessageShape shape) {
    assert((uint32_t)shape < SHAPE_COUNT);
    return &shapes[shape];
}

/* --- Refusals --------------------------------------------------------------------------------- */

#define PROTO_ROW(name, id, offence, sentence) {id, offence, sentence},
static const struct {
    const char *id;
    bool offence;
    const char *sentence;
} refusals[] = {PROTO_REFUSALS(PROTO_ROW)};
#undef PROTO_ROW

const char *refusal_code(Refusal refusal) {
    assert((uint32_t)refusal < REFUSAL_COUNT);
    return refusals[refusal].id;
}

const char *refusal_sentence(Refusal refusal) {
    assert((uint32_t)refusal < REFUSAL_COUNT);
    return refusals[refusal].sentence;
}

bool refusal_offence(Refusal refusal) {
    assert((uint32_t)refusal < REFUSAL_COUNT);
    return refusals[refusal].offence;
}
