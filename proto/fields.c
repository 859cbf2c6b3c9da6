/* fields.c -- see fields.h: message.h's lists unrolled. */
#include "proto/fields.h"

#include <stddef.h>

#define NEED true
#define MAY  false

#define PROTO_FIELD(kind, key, name, need, a, b, meaning)                                          \
    {key, FIELD_##kind, need, a, b, (uint32_t)offsetof(Here, name), meaning},
#define PROTO_ROW(name, member, id, fields, meaning)                                               \
    static Fields of_##name(void) {                                                                \
        typedef name##_FIELDS Here;                                                                \
        static const Field list[] = {fields(PROTO_FIELD)};                                         \
        return (Fields){id, meaning, list, sizeof list / sizeof *list};                            \
    }
MESSAGES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_FIELD

Fields fields_of_message(MessageKind kind) {
#define PROTO_ROW(name, member, id, fields, meaning) of_##name,
    static Fields (*const all[])(void) = {MESSAGES(PROTO_ROW)};
#undef PROTO_ROW
    assert((uint32_t)kind < MESSAGE_COUNT);
    return all[kind]();
}

#define PROTO_FIELD(kind, key, name, need, a, b, meaning)                                          \
    {key, FIELD_##kind, need, a, b, 0, meaning},
#define PROTO_ROW(name, id, fields, meaning)                                                       \
    static const Field shape_##name[] = {fields(PROTO_FIELD)};
SHAPES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_FIELD

Fields fields_of_shape(MessageShape shape) {
#define PROTO_ROW(name, id, fields, meaning)                                                       \
    {id, meaning, shape_##name, sizeof shape_##name / sizeof *shape_##name},
    static const Fields all[] = {SHAPES(PROTO_ROW)};
#undef PROTO_ROW
    assert((uint32_t)shape < SHAPE_COUNT);
    return all[shape];
}

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

const char *choice_id(ProtoChoices list, uint32_t number) {
    uint32_t count;
    const ProtoChoice *choices = proto_choices(list, &count);
    assert(number < count);
    return choices[number].id;
}

uint32_t choice_count(ProtoChoices list) {
    uint32_t count;
    proto_choices(list, &count);
    return count;
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
