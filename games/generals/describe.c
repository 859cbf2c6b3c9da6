/* describe.c -- pieces, abilities and the web in one or two sentences, with the figures of the
 * content. A piece with an ability is described together with it. */
#include "games/generals/state.h"

/* The figures that a description may use. */
enum { FIELD_POWER, FIELD_TURNS, FIELDS };
static const char *const fields[FIELDS] = {"power", "turns"};

/* The descriptions: classes of piece and abilities in the order of their numbers. */
enum {
    DESCRIBE_CLASS,
    DESCRIBE_ABILITY = DESCRIBE_CLASS + CLASS_NEXUS,
    DESCRIBE_EFFECT = DESCRIBE_ABILITY + ABILITY_WEB,
    DESCRIPTIONS
};
static const char *const ids[DESCRIPTIONS] = {
    "ranked", "infiltrator", "agent", "nexus", "second-step", "snap", "strike", "web", "webbed"};

const TextsDescriptions generals_descriptions = {ids, DESCRIPTIONS, fields, FIELDS};

/* Appends a description; `power` is that of the piece. */
static void put(const GeneralsContent *body, const MashTexts *texts, uint32_t description,
                uint8_t power, MashText *text) {
    const TextsValue values[FIELDS] = {
        [FIELD_POWER] = {.number = power}, [FIELD_TURNS] = {.number = body->web_turns}};
    texts_describe(texts, &generals_descriptions, description, values, text);
}

/* An ability; nothing for none. */
static void put_ability(const GeneralsContent *body, const MashTexts *texts, uint8_t ability,
                        MashText *text) {
    if (ability != ABILITY_NONE && ability <= ABILITY_WEB)
        put(body, texts, (uint32_t)DESCRIBE_ABILITY + ability - 1, 0, text);
}

void generals_describe(const MashContent *content, const MashTexts *texts, MashNames list,
                       uint8_t index, MashText *text) {
    const GeneralsContent *body = generals_content(content);
    texts = texts_of(content, texts);
    const GeneralsArmy *army = &body->army[index >= body->army[1].kind_first];
    uint32_t kind = 1u + index - army->kind_first;
    if (list == MASH_NAME_KIND && kind <= army->kinds_count) {
        put(body, texts, (uint32_t)DESCRIBE_CLASS + army->kinds[kind].class - 1,
            army->kinds[kind].power, text);
        put_ability(body, texts, army->kinds[kind].ability, text);
    } else if (list == MASH_NAME_ABILITY) {
        put_ability(body, texts, index, text);
    } else if (list == MASH_NAME_EFFECT && index == EFFECT_WEB) {
        put(body, texts, DESCRIBE_EFFECT, 0, text);
    }
}
