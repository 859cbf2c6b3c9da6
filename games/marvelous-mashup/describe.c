/* describe.c -- heroes, Goose, Stan Lee, Thanos, the stones and attacks in one or two sentences,
 * with the figures of the configuration. A stone has the same description as a kind, an item and an
 * ability. */
#include "games/marvelous-mashup/state.h"

/* The figures that a description may use. */
enum {
    FIELD_HEALTH,
    FIELD_MOVES,
    FIELD_ACTIONS,
    FIELD_MELEE,
    FIELD_RANGED,
    FIELD_REACH,
    FIELD_DAMAGE, /* of the Mind Stone */
    FIELD_ROUNDS, /* of a stone's cooldown; of Goose; until Stan Lee or Thanos arrives */
    FIELDS
};
static const char *const fields[FIELDS] = {"health", "moves", "actions", "melee",
                                           "ranged", "reach", "damage",  "rounds"};

/* The descriptions: abilities in the order of their numbers, stones first. */
enum {
    DESCRIBE_ABILITY,
    DESCRIBE_COOLDOWN = DESCRIBE_ABILITY + ABILITIES,
    DESCRIBE_HERO,
    DESCRIBE_NPC, /* Goose, Stan Lee, Thanos */
    DESCRIPTIONS = DESCRIBE_NPC + KIND_STONES - KIND_GOOSE
};
static const char *const ids[DESCRIPTIONS] = {"space", "mind",     "reality", "power",    "time",
                                              "soul",  "melee",    "ranged",  "cooldown", "hero",
                                              "goose", "stan-lee", "thanos"};

const TextsDescriptions marvelous_descriptions = {ids, DESCRIPTIONS, fields, FIELDS};

/* An attack, or a stone with its cooldown. */
static void put_ability(const MarvelousContent *content, const MashTexts *texts, uint32_t ability,
                        MashText *text) {
    if (ability >= ABILITIES)
        return;
    const TextsValue values[FIELDS] = {
        [FIELD_HEALTH] = {.number = ROCK_HEALTH},
        [FIELD_DAMAGE] = {.number = content->mind_damage},
        [FIELD_ROUNDS] = {.number = ability < STONES ? content->cooldowns[ability] : 0}};
    texts_describe(texts, &marvelous_descriptions, DESCRIBE_ABILITY + ability, values, text);
    if (ability < STONES)
        texts_describe(texts, &marvelous_descriptions, DESCRIBE_COOLDOWN, values, text);
}

/* One of the three NPCs. */
static void put_npc(const MarvelousContent *content, const MashTexts *texts, uint8_t kind,
                    MashText *text) {
    const int32_t rounds[] = {GOOSE_ROUNDS, STAN_ROUND, thanos_round(content)};
    const TextsValue values[FIELDS] = {[FIELD_ROUNDS] = {.number = rounds[kind - KIND_GOOSE]}};
    texts_describe(texts, &marvelous_descriptions, (uint32_t)DESCRIBE_NPC + kind - KIND_GOOSE,
                   values, text);
}

/* A hero of the configuration. */
static void put_hero(const MashTexts *texts, const MarvelousKind *kind, MashText *text) {
    const TextsValue values[FIELDS] = {
        [FIELD_HEALTH] = {.number = kind->health},   [FIELD_MOVES] = {.number = kind->moves},
        [FIELD_ACTIONS] = {.number = kind->actions}, [FIELD_MELEE] = {.number = kind->melee},
        [FIELD_RANGED] = {.number = kind->ranged},   [FIELD_REACH] = {.number = kind->reach}};
    texts_describe(texts, &marvelous_descriptions, DESCRIBE_HERO, values, text);
}

void marvelous_describe(const MashContent *loaded, const MashTexts *texts, MashNames list,
                        uint8_t index, MashText *text) {
    const MarvelousContent *content = marvelous_content(loaded);
    texts = texts_of(loaded, texts);
    if (list == MASH_NAME_ABILITY)
        put_ability(content, texts, index, text);
    else if (list == MASH_NAME_ITEM && index < STONES)
        put_ability(content, texts, index, text);
    else if (list == MASH_NAME_KIND && index < content->kinds_count)
        put_hero(texts, &content->kinds[index], text);
    else if (list == MASH_NAME_KIND && index >= KIND_STONES && index < KIND_STONES + STONES)
        put_ability(content, texts, (uint32_t)index - KIND_STONES, text);
    else if (list == MASH_NAME_KIND && index >= KIND_GOOSE && index < KIND_STONES)
        put_npc(content, texts, index, text);
}
