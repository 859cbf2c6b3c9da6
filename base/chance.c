/* chance.c -- see chance.h. */
#include "base/chance.h"

#include <assert.h>
#include <stddef.h>

#include "base/hash.h"

MashChance chance_seeded(MashSeed seed, uint32_t ply) {
    return (MashChance){.source = MASH_CHANCE_SEEDED,
                        .key = {seed.words[0], seed.words[1]},
                        .counter = (uint64_t)ply << 32};
}

MashChance chance_scripted(const uint32_t *script, uint32_t count) {
    return (MashChance){.source = MASH_CHANCE_SCRIPTED, .script = script, .max = count};
}

bool chance_used_up(const MashChance *chance) {
    return !chance->failed &&
           (chance->source != MASH_CHANCE_SCRIPTED || chance->used == chance->max);
}

MashChance chance_sampled(uint64_t number) {
    return (MashChance){.source = MASH_CHANCE_SAMPLED, .counter = hash_number(0, number)};
}

MashChance chance_enumerated(MashWheel *wheels, uint32_t max) {
    for (uint32_t i = 0; i < max; i++)
        wheels[i] = (MashWheel){0, 0};
    return (MashChance){.source = MASH_CHANCE_ENUMERATED, .wheels = wheels, .max = max};
}

/* Advances the last used wheel that can still advance and resets those after it. */
bool chance_next(MashChance *chance) {
    assert(chance->source == MASH_CHANCE_ENUMERATED);
    uint32_t wheel = chance->used;
    chance->used = 0;
    while (wheel > 0 && chance->wheels[wheel - 1].value + 1 >= chance->wheels[wheel - 1].values)
        wheel--;
    if (wheel == 0)
        return false;
    chance->wheels[wheel - 1].value++;
    for (uint32_t i = wheel; i < chance->max; i++)
        chance->wheels[i] = (MashWheel){0, 0};
    return true;
}

/* The next number of a script; 0 and a failure if there is none or it does not fit. */
static uint32_t from_script(MashChance *chance, uint32_t values) {
    if (chance->used >= chance->max || chance->script[chance->used] >= values) {
        chance->failed = true;
        return 0;
    }
    return chance->script[chance->used++];
}

/* The value of the next wheel, which records how many values it has; 0 and a failure if there is no
 * wheel left. */
static uint32_t from_wheels(MashChance *chance, uint32_t values) {
    if (chance->used >= chance->max) {
        chance->failed = true;
        return 0;
    }
    MashWheel *wheel = &chance->wheels[chance->used++];
    wheel->values = values;
    return wheel->value;
}

/* The next 32 bits of the seeded or the sampled source. */
static uint32_t bits(MashChance *chance) {
    uint64_t counter = chance->counter++;
    return (uint32_t)(chance->source == MASH_CHANCE_SEEDED ? hash_siphash(chance->key, counter)
                                                           : hash_number(0, counter));
}

/* Multiply and shift, with rejection of the few low products that would bias the result. */
uint32_t chance_below(MashChance *chance, uint32_t values) {
    assert(values > 0);
    if (chance->source == MASH_CHANCE_SCRIPTED)
        return from_script(chance, values);
    if (chance->source == MASH_CHANCE_ENUMERATED)
        return from_wheels(chance, values);
    uint64_t product = (uint64_t)bits(chance) * values;
    if ((uint32_t)product < values) {
        uint32_t least = -values % values;
        while ((uint32_t)product < least)
            product = (uint64_t)bits(chance) * values;
    }
    return (uint32_t)(product >> 32);
}
