/* describe.c -- kinds and abilities in one or two sentences, with the figures of the content. */
#include "games/zorde/state.h"

/* The figures that a description may use. */
enum { FIELD_HEALTH, FIELD_STEPS, FIELD_ATTACK, FIELD_RANGED, FIELD_RANGE, FIELD_HEALING, FIELDS };
static const char *const fields[FIELDS] = {"health", "steps", "attack",
                                           "ranged", "range", "healing"};

/* The descriptions; those of abilities are in the order of their numbers. */
enum {
    DESCRIBE_LAST_STEP, /* a kind that attacks after its last step, or after each one */
    DESCRIBE_EACH_STEP,
    DESCRIBE_RANGED,
    DESCRIBE_HEALING,
    DESCRIBE_ABILITIES,
    DESCRIPTIONS = DESCRIBE_ABILITIES + ZORDE_ABILITIES
};
static const char *const ids[DESCRIPTIONS] = {"after-last-step", "after-each-step", "ranged",
                                              "healing",         "attack",          "ranged-attack",
                                              "first-strike"};

const TextsDescriptions zorde_descriptions = {ids, DESCRIPTIONS, fields, FIELDS};

/* What a kind does. */
static void put_kind(const MashTexts *texts, const ZordeKind *kind, MashText *text) {
    const TextsValue values[FIELDS] = {
        [FIELD_HEALTH] = {.number = kind->health}, [FIELD_STEPS] = {.number = kind->steps},
        [FIELD_ATTACK] = {.number = kind->attack}, [FIELD_RANGED] = {.number = kind->ranged_attack},
        [FIELD_RANGE] = {.number = kind->range},   [FIELD_HEALING] = {.number = kind->healing}};
    const bool said[DESCRIBE_ABILITIES] = {kind->each_step == 0, kind->each_step != 0,
                                           kind->range > 0, kind->healing > 0};
    for (uint32_t i = 0; i < DESCRIBE_ABILITIES; i++)
        if (said[i])
            texts_describe(texts, &zorde_descriptions, i, values, text);
}

void zorde_describe(const MashContent *content, const MashTexts *texts, MashNames list,
                    uint8_t index, MashText *text) {
    static const TextsValue no_figures[FIELDS];
    const ZordeContent *body = zorde_body(content);
    texts = texts_of(content, texts);
    if (list == MASH_NAME_KIND && index < body->field.kinds_count)
        put_kind(texts, &body->field.kinds[index], text);
    else if (list == MASH_NAME_ABILITY && index < ZORDE_ABILITIES)
        texts_describe(texts, &zorde_descriptions, (uint32_t)DESCRIBE_ABILITIES + index, no_figures,
                       text);
}
