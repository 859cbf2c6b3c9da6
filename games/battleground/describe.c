/* describe.c -- warriors, potions and the attack in one or two sentences, with the figures of the
 * content. A potion and its effect share one description. */
#include "games/battleground/state.h"

/* The figures that a description may use. */
enum { FIELD_HEALTH, FIELD_WALK, FIELD_ATTACK, FIELD_AMOUNT, FIELD_TURNS, FIELDS };
static const char *const fields[FIELDS] = {"health", "walk", "attack", "amount", "turns"};

/* The descriptions; those of potions are in the order of what they change. No potion takes health
 * away. */
enum {
    DESCRIBE_KIND,
    DESCRIBE_STRIKE,
    DESCRIBE_MORE,                         /* health, attack, walk */
    DESCRIBE_LESS = DESCRIBE_MORE + STATS, /* attack, walk */
    DESCRIPTIONS = DESCRIBE_LESS + STATS - 1
};
static const char *const ids[DESCRIPTIONS] = {
    "warrior", "strike", "more-health", "more-attack", "more-walk", "less-attack", "less-walk"};

const TextsDescriptions battleground_descriptions = {ids, DESCRIPTIONS, fields, FIELDS};

/* The description of a potion. */
static uint32_t potion_description(const Potion *potion) {
    return potion->amount > 0 ? (uint32_t)DESCRIBE_MORE + potion->stat
                              : (uint32_t)DESCRIBE_LESS + potion->stat - STAT_ATTACK;
}

void battleground_describe(const MashContent *loaded, const MashTexts *texts, MashNames list,
                           uint8_t index, MashText *text) {
    const BattlegroundContent *content = battleground_content(loaded);
    texts = texts_of(loaded, texts);
    TextsValue values[FIELDS] = {{0}};
    uint32_t description = DESCRIPTIONS;
    if (list == MASH_NAME_KIND && index >= 1 && index <= content->kinds_count) {
        const BattlegroundKind *kind = &content->kinds[index];
        description = DESCRIBE_KIND;
        values[FIELD_HEALTH].number = kind->health;
        values[FIELD_WALK].number = kind->walk;
        values[FIELD_ATTACK].number = kind->attack;
    } else if ((list == MASH_NAME_ITEM || list == MASH_NAME_EFFECT) &&
               index < content->potions_count) {
        const Potion *potion = &content->potions[index];
        description = potion_description(potion);
        values[FIELD_AMOUNT].number = potion->amount > 0 ? potion->amount : -potion->amount;
        values[FIELD_TURNS].number = potion->turns;
    } else if (list == MASH_NAME_ABILITY && index == 0) {
        description = DESCRIBE_STRIKE;
    }
    if (description < DESCRIPTIONS)
        texts_describe(texts, &battleground_descriptions, description, values, text);
}
