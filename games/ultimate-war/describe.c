/* describe.c -- kinds, abilities and effects in one or two sentences, with the figures of the
 * content and of the rules filled in: what an ability does, to whom, how far, for how long, what it
 * costs; what an effect changes; what a type means for attacks and for the leader ability.
 *
 * The sentences are texts ("descriptions"), one for each way to act and area, so that 45 abilities
 * need no sentence of their own and a new champion is described as well as the shipped ones. */
#include <string.h>

#include "games/ultimate-war/state.h"

/* The placeholders of a description. */
enum {
    FIELD_AMOUNT,
    FIELD_RANGE,
    FIELD_NAME, /* of the effect, or of the leader ability */
    FIELD_TURNS,
    FIELD_POINTS,
    FIELD_MANA,
    FIELD_COOLDOWN,
    FIELD_SPEED,  /* percent that an effect adds to the speed or takes off it */
    FIELD_DAMAGE, /* the same of the attack damage */
    FIELD_PERCENT,
    FIELDS
};
static const char *const fields[FIELDS] = {"amount", "range",    "name",  "turns",  "points",
                                           "mana",   "cooldown", "speed", "damage", "percent"};

/* The descriptions. Those of abilities are in the order of the areas; no champion harms himself
 * [2.4], so the harmful ones begin with the team. */
enum {
    DESCRIBE_DAMAGE,
    DESCRIBE_HEAL = DESCRIBE_DAMAGE + AREAS - 1,
    DESCRIBE_BUFF = DESCRIBE_HEAL + AREAS,
    DESCRIBE_DEBUFF = DESCRIBE_BUFF + AREAS,
    DESCRIBE_COST = DESCRIBE_DEBUFF + AREAS - 1,
    DESCRIBE_ATTACK,
    DESCRIBE_LEADER, /* by type */
    DESCRIBE_TYPE = DESCRIBE_LEADER + TYPES,
    DESCRIBE_EFFECT = DESCRIBE_TYPE + TYPES,
    DESCRIPTIONS = DESCRIBE_EFFECT + EFFECTS
};
static_assert((int)DESCRIPTIONS <= TEXTS_DESCRIPTIONS_MAX, "there is room for all descriptions");

static const char *const ids[DESCRIPTIONS] = {"damage-team",
                                              "damage-surround",
                                              "damage-directional",
                                              "damage-single",
                                              "heal-self",
                                              "heal-team",
                                              "heal-surround",
                                              "heal-directional",
                                              "heal-single",
                                              "buff-self",
                                              "buff-team",
                                              "buff-surround",
                                              "buff-directional",
                                              "buff-single",
                                              "debuff-team",
                                              "debuff-surround",
                                              "debuff-directional",
                                              "debuff-single",
                                              "cost",
                                              "attack",
                                              "hero-leader",
                                              "villain-leader",
                                              "antihero-leader",
                                              "hero",
                                              "villain",
                                              "antihero",
                                              "disarm",
                                              "dodge",
                                              "embrace",
                                              "power-up",
                                              "root",
                                              "shield",
                                              "shock",
                                              "silence",
                                              "speed-up",
                                              "stun"};

const TextsDescriptions ultimate_war_descriptions = {ids, DESCRIPTIONS, fields, FIELDS};

/* Appends a description. */
static void put(const MashTexts *texts, uint32_t index, const TextsValue *values, MashText *text) {
    texts_describe(texts, &ultimate_war_descriptions, index, values, text);
}

/* By how many percent a factor changes a value, without its sign. */
static int32_t change_of(uint8_t percent) { return percent > 100 ? percent - 100 : 100 - percent; }

/* What an effect does to its bearer. */
static void put_effect(const MashContent *loaded, const MashTexts *texts, uint8_t effect,
                       MashText *text) {
    const WarContent *content = war_content(loaded);
    char memory[TEXTS_NAME_BYTES];
    MashText name = text_over(memory, sizeof memory);
    texts_name(texts, MASH_NAME_EFFECT, effect, &name);
    EffectChange change = ultimate_war_effect_change(effect);
    int32_t percent = effect == EFFECT_EMBRACE ? EMBRACE_PERCENT : change_of(change.amounts);
    TextsValue values[FIELDS] = {
        [FIELD_NAME] = {.words = memory},
        [FIELD_AMOUNT] = {.number = effect == EFFECT_DISARM ? content->punch.amount : 0},
        [FIELD_SPEED] = {.number = change_of(change.speed)},
        [FIELD_DAMAGE] = {.number = change_of(change.damage)},
        [FIELD_POINTS] = {.number = change.points < 0 ? -change.points : change.points},
        [FIELD_PERCENT] = {.number = percent}};
    put(texts, DESCRIBE_EFFECT + effect, values, text);
}

/* The sentence that describes an ability. */
static uint32_t deed_of(const Ability *ability) {
    if (ability->effect_kind == ABILITY_EFFECT_HEAL)
        return (uint32_t)DESCRIBE_HEAL + ability->area;
    if (ability->effect_kind == ABILITY_EFFECT_DAMAGE)
        return (uint32_t)DESCRIBE_DAMAGE + ability->area - AREA_TEAM;
    if ((BUFFS & MARK(ability->effect)) != 0)
        return (uint32_t)DESCRIBE_BUFF + ability->area;
    return (uint32_t)DESCRIBE_DEBUFF + ability->area - AREA_TEAM;
}

/* What an ability does, the effect that it gives, and what it costs. */
static void put_ability(const MashContent *loaded, const MashTexts *texts, const Ability *ability,
                        MashText *text) {
    char memory[TEXTS_NAME_BYTES];
    MashText name = text_over(memory, sizeof memory);
    if (ability->effect_kind == ABILITY_EFFECT_EFFECT)
        texts_name(texts, MASH_NAME_EFFECT, ability->effect, &name);
    TextsValue values[FIELDS] = {[FIELD_AMOUNT] = {.number = ability->amount},
                                 [FIELD_RANGE] = {.number = ability->range},
                                 [FIELD_NAME] = {.words = memory},
                                 [FIELD_TURNS] = {.number = ability->turns},
                                 [FIELD_POINTS] = {.number = ability->points},
                                 [FIELD_MANA] = {.number = ability->mana},
                                 [FIELD_COOLDOWN] = {.number = ability->cooldown}};
    put(texts, deed_of(ability), values, text);
    if (ability->effect_kind == ABILITY_EFFECT_EFFECT)
        put_effect(loaded, texts, ability->effect, text);
    put(texts, DESCRIBE_COST, values, text);
}

/* What the leader ability of a type does. */
static void put_command(const MashContent *loaded, const MashTexts *texts, uint8_t type,
                        MashText *text) {
    TextsValue values[FIELDS] = {
        [FIELD_TURNS] = {.number = LEADER_TURNS}, [FIELD_PERCENT] = {.number = WEAK_PERCENT}};
    put(texts, (uint32_t)DESCRIBE_LEADER + type, values, text);
    if (type == TYPE_HERO)
        put_effect(loaded, texts, EFFECT_EMBRACE, text);
}

/* What the type of a champion means, and what he does as a leader. */
static void put_type(const MashContent *loaded, const MashTexts *texts, uint8_t type,
                     MashText *text) {
    char memory[TEXTS_NAME_BYTES];
    MashText name = text_over(memory, sizeof memory);
    texts_name(texts, MASH_NAME_ABILITY, (uint8_t)(ABILITY_LEADER + type), &name);
    TextsValue values[FIELDS] = {
        [FIELD_NAME] = {.words = memory}, [FIELD_PERCENT] = {.number = TYPE_PERCENT - 100}};
    put(texts, (uint32_t)DESCRIBE_TYPE + type, values, text);
    put_command(loaded, texts, type, text);
}

/* The attack that every champion has. */
static void put_attack(const MashTexts *texts, MashText *text) {
    TextsValue values[FIELDS] = {
        [FIELD_POINTS] = {.number = COST_ATTACK}, [FIELD_PERCENT] = {.number = TYPE_PERCENT - 100}};
    put(texts, DESCRIBE_ATTACK, values, text);
}

/* The ability with this number: the attack, a leader ability, the punch, or one of a kind's. */
static void put_numbered(const MashContent *loaded, const MashTexts *texts, uint8_t number,
                         MashText *text) {
    const WarContent *content = war_content(loaded);
    uint32_t index = (uint32_t)number - ABILITY_KINDS;
    if (number == ABILITY_ATTACK)
        put_attack(texts, text);
    else if (number < ABILITY_PUNCH)
        put_command(loaded, texts, (uint8_t)(number - ABILITY_LEADER), text);
    else if (number == ABILITY_PUNCH)
        put_ability(loaded, texts, &content->punch, text);
    else if (index < SLOTS * content->kinds_count)
        put_ability(loaded, texts, &content->kinds[index / SLOTS].abilities[index % SLOTS], text);
}

void ultimate_war_describe(const MashContent *loaded, const MashTexts *texts, MashNames list,
                           uint8_t index, MashText *text) {
    const WarContent *content = war_content(loaded);
    texts = texts_of(loaded, texts);
    if (list == MASH_NAME_KIND && index < content->kinds_count)
        put_type(loaded, texts, content->kinds[index].type, text);
    else if (list == MASH_NAME_TRAIT && index < TYPES)
        put_type(loaded, texts, index, text);
    else if (list == MASH_NAME_EFFECT && index < EFFECTS)
        put_effect(loaded, texts, index, text);
    else if (list == MASH_NAME_ABILITY)
        put_numbered(loaded, texts, index, text);
}
