/* texts.h -- names and sentences as content, so that another language is a file, not code.
 *
 * A game's *.texts.json holds
 *   {"language": "en", "events": {"moved": "..."}, "names": {"meter": {"health": "health"}}}
 * and, where a game describes its abilities, "descriptions": {"heal": "Restores {amount} health."}.
 * Things that other documents name, such as heroes, can be named in a further language by
 * "translations": {"Shield throw": "Schildwurf"}; a name that is not there stays as it is, so that
 * authors' own names are never replaced.
 * The game passes the ids of each of its name lists in the order of its numbers; texts_load()
 * finds them all or reports which are missing, unknown or duplicate. Sentences are templates:
 *   {unit} {other} {what} {side} {amount} {from} {to}    the event's fields in words, cells as 3,4
 *   {amount|turn|turns}                                  by the amount: singular, plural
 *   [ to {other}]                                        dropped when a field inside is empty
 * Empty are missing words, an amount of 0 and a cell with a negative coordinate. Braces and
 * brackets have no other use: a sentence cannot show them. A name or sentence has at most 255
 * bytes. Texts are stored flat in the content's body. */
#ifndef ENGINE_TEXTS_H
#define ENGINE_TEXTS_H
#include "include/mashup.h"

/* Capacity for all texts of one content: bytes with their NULs, and names in all lists together. */
enum {
    TEXTS_BYTES = 20480,
    TEXTS_NAMES_MAX = 256,
    TEXTS_DESCRIPTIONS_MAX = 64,
    TEXTS_FIELDS_MAX = 16, /* of descriptions */
};
/* One name or sentence, with its NUL. */
enum { TEXTS_NAME_BYTES = 256 };

/* Part of a content's body, or a further language for it. Offsets into the pool; offset 0 is the
 * empty text. The ids are kept with the texts, so that a further language is loaded by them. */
struct MashTexts {
    uint16_t events[MASH_EVENT_KINDS];
    uint16_t first[MASH_NAME_LISTS]; /* where each list starts in `names` and `ids` */
    uint8_t
        base[MASH_NAME_LISTS]; /* the number of its first entry (reasons of a game start at 16) */
    uint8_t counts[MASH_NAME_LISTS];
    uint8_t open[MASH_NAME_LISTS]; /* how many, the last ones, are of other documents */
    uint16_t lists;                /* one bit for each list that the game passed */
    uint16_t names_count, used;
    uint16_t names[TEXTS_NAMES_MAX], ids[TEXTS_NAMES_MAX];
    /* In the order of TextsDescriptions. */
    uint16_t descriptions[TEXTS_DESCRIPTIONS_MAX], description_ids[TEXTS_DESCRIPTIONS_MAX];
    uint16_t fields[TEXTS_FIELDS_MAX];
    uint8_t descriptions_count, fields_count;
    uint16_t translations_at, translations_count; /* pairs in the pool, one after the other */
    char language[8];
    char pool[TEXTS_BYTES];
};

/* The ids of one list, in the order of the game's numbers from `base` on: fixed ones, then those of
 * things in other documents, such as kinds of units, one by one until NULL. The schema of texts
 * requires only the fixed ones. Reasons that every game has (below MASH_REASON_GAME) are built in
 * and need no list; their texts may be omitted from the file. */
typedef struct TextsIds {
    MashNames list;
    uint32_t base, count;
    const char *const *ids;
    const char *(*more)(const void *body, uint32_t index); /* may be NULL */
} TextsIds;
/* A list with fixed ids; and one with fixed ids and more. */
#define TEXTS_IDS(list, base, ...) TEXTS_IDS_MORE(list, base, NULL, __VA_ARGS__)
#define TEXTS_IDS_MORE(list, base, more, ...)                                                      \
    {                                                                                              \
        MASH_NAME_##list, base, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),       \
            (const char *const[]){__VA_ARGS__}, more                                               \
    }

/* What a game describes in words, such as its abilities: the ids of the descriptions, which are in
 * the document under "descriptions", and the names of the figures that they may use. They are
 * templates like sentences: {range}, {range|step|steps}, [ for {turns} turns]. */
typedef struct TextsDescriptions {
    const char *const *ids;
    uint32_t count;
    const char *const *fields;
    uint32_t fields_count;
} TextsDescriptions;

/* What the texts of a game must have: a sentence for each of its kinds of events and no others, the
 * lists that are passed under "names" (kind, ground, meter, phase, verb, ability, item, effect,
 * outcome, reason, figure, side, trait) and no others, and all descriptions, or none without the
 * key "descriptions". */
typedef struct TextsShape {
    const TextsIds *lists;
    uint32_t lists_count;
    const MashEventKind *events;
    uint32_t events_count;
    const TextsDescriptions *descriptions; /* NULL: the game has none */
} TextsShape;
#define TEXTS_SHAPE(lists, events, descriptions)                                                   \
    {                                                                                              \
        lists, sizeof(lists) / sizeof *(lists), events, sizeof(events) / sizeof *(events),         \
            &(descriptions)                                                                        \
    }

/* Reads the one document that ends in .texts.json, with further ids from the content's body. Uses
 * all of documents->scratch: a game that keeps nodes there passes the memory after them. False:
 * problems were added. */
bool texts_load(MashTexts *texts, const MashDocuments *documents, const TextsShape *shape,
                const void *body, MashProblems *problems);

/* The id of a list of names in documents: "kind", "ground" ... */
const char *texts_list_id(MashNames list);
/* The id of an entry, or NULL. */
const char *texts_id(const MashTexts *texts, MashNames list, uint8_t index);
/* Appends the name; nothing if there is none. */
void texts_name(const MashTexts *texts, MashNames list, uint8_t index, MashText *text);

/* mash_texts_translate() of these texts. */
const char *texts_translate(const MashTexts *texts, const char *name);

/* The words of an event's fields; NULL or "" = empty. Amount and cells are taken from the event. */
typedef struct TextsArguments {
    const char *unit, *other, *what, *side;
} TextsArguments;
/* Appends the event's sentence, without a second full stop after words that end in one. */
void texts_write_event(const MashTexts *texts, const MashEvent *event, const TextsArguments *words,
                       MashText *text);

/* The value of a field of a description: words, or a number where they are NULL. NULL words with
 * the number 0 are empty. */
typedef struct TextsValue {
    const char *words;
    int32_t number;
} TextsValue;
/* Appends description number `index` with a value for each field, in their order; separated by a
 * space if the text is not empty, so that descriptions can follow each other. */
void texts_describe(const MashTexts *texts, const TextsDescriptions *descriptions, uint32_t index,
                    const TextsValue *values, MashText *text);

/* --- Ready-made entries for a MashGame -------------------------------------------------------- */

/* A game keeps the texts of its documents in its content's body, at the offset game->texts_at. */

/* The texts to use: those given or, if that is NULL, those of the content's documents. */
const MashTexts *texts_of(const MashContent *content, const MashTexts *given);
/* load_texts() of every game with texts: the ids are those of the content's own texts. */
bool texts_game_load(const MashContent *content, const MashDocuments *documents, MashTexts *texts,
                     MashProblems *problems);
/* id_of() and name() of a game all of whose names are in its texts. */
const char *texts_game_id(const MashContent *content, MashNames list, uint8_t index);
void texts_game_name(const MashContent *content, const MashTexts *texts, MashNames list,
                     uint8_t index, MashText *text);
/* say() of every game with texts: MASH_EVENTS defines what `other` and `what` are, full_name() and
 * name() of the game give the words, the texts the sentence. An event that reveals a unit uses its
 * short name: "h3 is Thor". */
void texts_game_say(const MashContent *content, const MashTexts *texts, const void *state,
                    const MashEvent *event, MashText *text);

/* The entries of a game that keeps its texts at `texts` of its content and takes all names from
 * them. */
#define TEXTS_PLACE(content)                                                                       \
    .texts_at = offsetof(content, texts), .texts_bytes = sizeof(MashTexts),                        \
    .load_texts = texts_game_load, .say = texts_game_say
#define TEXTS_NAMES .id_of = texts_game_id, .name = texts_game_name

#endif
