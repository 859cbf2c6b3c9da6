/* ids.c -- what the page and programs use instead of texts: ids of all entries of all lists, the
 * same in every language that comes with the game, and valid roles of meters. */
#include <string.h>

#include "engine/texts.h"
#include "tests/support/support.h"
#include "tests/universal/trial.h"

enum { TEXT_BYTES = 1024, INDICES = 256 };

/* Lower case letters and digits, with single hyphens between them. */
static bool is_kebab(const char *id) {
    bool hyphen = true;
    for (; *id != '\0'; id++) {
        bool letter = (*id >= 'a' && *id <= 'z') || (*id >= '0' && *id <= '9');
        if (!letter && (hyphen || *id != '-'))
            return false;
        hyphen = !letter;
    }
    return !hyphen;
}

/* Has the entry a name in this language? */
static bool is_named(const Trial *trial, const MashTexts *texts, MashNames list, uint8_t index) {
    char bytes[TEXT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    trial->game->name(trial->content, texts, list, index, &text);
    return text.count > 0;
}

/* The entry has an id if and only if it has a name, and no other entry of the list has it. */
static void check_id(Trial *trial, MashNames list, uint8_t index) {
    const char *id = trial->game->id_of(trial->content, list, index);
    REQUIRE(trial, (id != NULL) == is_named(trial, NULL, list, index),
            "number %d of name list %d has an id or a name, but not both", index, (int)list);
    if (id == NULL)
        return;
    REQUIRE(trial, is_kebab(id), "the id \"%s\" in name list %d has other than a-z, 0-9 and -", id,
            (int)list);
    for (uint32_t other = 0; other < index; other++) {
        const char *taken = trial->game->id_of(trial->content, list, (uint8_t)other);
        REQUIRE(trial, taken == NULL || strcmp(taken, id) != 0,
                "numbers %d and %d of name list %d have the id %s", (int)other, index, (int)list,
                id);
    }
}

/* Loads a language for the trial's content. */
static MashTexts *load_language(Trial *trial, MashDocument document) {
    MashProblem list[4];
    MashProblems problems = {.list = list, .max = 4};
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {&document, 1, scratch, MASH_SCRATCH_BYTES};
    MashTexts *texts = support_memory(trial->game->texts_bytes);
    bool loaded = trial->game->load_texts(trial->content, &documents, texts, &problems);
    support_free(scratch);
    REQUIRE(trial, loaded, "%s does not load: %s: %s", document.name, list[0].path, list[0].reason);
    return texts;
}

/* Does the language describe the entry? */
static bool is_described(const Trial *trial, const MashTexts *texts, MashNames list,
                         uint8_t index) {
    char bytes[TEXT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    if (trial->game->describe != NULL)
        trial->game->describe(trial->content, texts, list, index, &text);
    return text.count > 0;
}

/* Reasons that every game has are built in, in English: does this other language name them, too? */
static void check_common_reasons(Trial *trial, const MashTexts *texts, const char *document) {
    for (uint8_t reason = MASH_REASON_NONE + 1; reason < MASH_REASON_COUNT; reason++) {
        char bytes[TEXT_BYTES], built_in[TEXT_BYTES];
        MashText text = text_over(bytes, sizeof bytes), other = text_over(built_in, sizeof bytes);
        trial->game->name(trial->content, texts, MASH_NAME_REASON, reason, &text);
        trial->game->name(trial->content, NULL, MASH_NAME_REASON, reason, &other);
        REQUIRE(trial, strcmp(bytes, built_in) != 0,
                "%s: names.reason has no \"%s\", which is said in English", document,
                trial->game->id_of(trial->content, MASH_NAME_REASON, reason));
    }
}

/* The language names and describes what the default one does, and content that is loaded with it
 * has the same ids. */
static void check_language(Trial *trial, MashDocument document) {
    const MashGame *game = trial->game;
    MashTexts *texts = load_language(trial, document);
    MashContent *content = support_content_with(game, trial->preset, document);
    for (int number = 0; number < MASH_NAME_LISTS * INDICES; number++) {
        MashNames list = (MashNames)(number / INDICES);
        uint8_t index = (uint8_t)(number % INDICES);
        const char *id = game->id_of(trial->content, list, index);
        const char *again = game->id_of(content, list, index);
        REQUIRE(trial, (id == NULL) == (again == NULL) && (id == NULL || strcmp(id, again) == 0),
                "%s gives number %d of name list %d another id", document.name, index, (int)list);
        REQUIRE(trial,
                is_named(trial, texts, list, index) == (id != NULL) &&
                    is_described(trial, texts, list, index) ==
                        is_described(trial, NULL, list, index),
                "%s has no name or description for %s", document.name, id);
    }
    if (strncmp(texts->language, "en", 2) != 0)
        check_common_reasons(trial, texts, document.name);
    support_free(content);
    support_free(texts);
}

void universal_ids(Trial *trial) {
    for (int list = 0; list < MASH_NAME_LISTS; list++)
        for (int index = 0; index < INDICES; index++)
            check_id(trial, (MashNames)list, (uint8_t)index);
    for (uint32_t i = 0; mash_texts_shipped(trial->game, i).count > 0; i++)
        check_language(trial, mash_texts_shipped(trial->game, i));
}

/* --- Roles of meters -------------------------------------------------------------------------- */

/* Is the meter about entries of this list? */
static bool is_about(const MashMeter *meter, MashNames list, bool set) {
    return meter->about_list == 1 + list && meter->about_set == set;
}

/* Is the meter about an entry of this list or, being about nothing, has its id? */
static bool stands_for(const Trial *trial, const MashMeter *meter, MashNames list) {
    const char *id = trial->game->id_of(trial->content, MASH_NAME_METER, meter->meter);
    for (int i = 0; meter->about_list == 0 && i < INDICES; i++) {
        const char *entry = trial->game->id_of(trial->content, list, (uint8_t)i);
        if (entry != NULL && strcmp(entry, id) == 0)
            return true;
    }
    return is_about(meter, list, false);
}

/* Does the meter satisfy its role? */
static bool role_fits(const Trial *trial, const MashMeter *meter) {
    bool of_unit = meter->unit < MASH_UNIT_SIDE, of_table = meter->unit == MASH_UNIT_NONE;
    bool of_side = !of_unit && !of_table, named = meter->about_list != 0;
    switch ((MashRole)meter->role) {
    case MASH_ROLE_NUMBER:
        return !named;
    case MASH_ROLE_HEALTH:
        return of_unit && !named && meter->now >= 0 && meter->now <= meter->most;
    case MASH_ROLE_POINTS:
        return of_unit && !named && meter->now >= 0;
    case MASH_ROLE_USABLE:
        return (is_about(meter, MASH_NAME_ABILITY, false) || (of_side && !named)) &&
               (meter->now == 0 || meter->now == 1);
    case MASH_ROLE_COOLDOWN:
        return of_unit && (is_about(meter, MASH_NAME_ABILITY, false) || !named) && meter->now >= 0;
    case MASH_ROLE_AMOUNT:
        return of_unit && is_about(meter, MASH_NAME_ABILITY, false);
    case MASH_ROLE_HELD:
        return !of_table && stands_for(trial, meter, MASH_NAME_ITEM) && meter->now >= 0;
    case MASH_ROLE_EFFECT:
        return of_unit && stands_for(trial, meter, MASH_NAME_EFFECT) && meter->now > 0;
    case MASH_ROLE_TRAIT: {
        bool one = meter->now > 0 && (meter->now & (meter->now - 1)) == 0;
        return of_unit && is_about(meter, MASH_NAME_TRAIT, true) && one;
    }
    case MASH_ROLE_COULD_BE:
        return of_unit && is_about(meter, MASH_NAME_KIND, true) && meter->now != 0;
    case MASH_ROLE_LEADER:
        return of_unit && !named && (meter->now == 0 || meter->now == 1);
    case MASH_ROLE_OFFERED:
        return of_table &&
               (is_about(meter, MASH_NAME_KIND, false) || is_about(meter, MASH_NAME_ITEM, false));
    case MASH_ROLE_ROUND:
        return of_table && !named && meter->now >= 0;
    case MASH_ROLE_LIMIT:
        return of_table && !named && meter->now >= 0 && meter->now <= meter->most;
    case MASH_ROLE_SCORE:
        return of_side && !named && meter->now >= 0;
    case MASH_ROLE_COUNT:
        break;
    }
    return false;
}

void universal_role(Trial *trial, const MashMeter *meter) {
    REQUIRE(trial, role_fits(trial, meter), "meter %d of unit %d, %d of %d, cannot be \"%s\"",
            meter->meter, meter->unit, meter->now, meter->most,
            meter->role < MASH_ROLE_COUNT ? mash_role_id(meter->role) : "-");
}
