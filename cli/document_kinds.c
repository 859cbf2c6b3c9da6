/* document_kinds.c -- see document_kinds.h. */
#include "cli/document_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const char *kinds_ending(const DocumentKind *kind) { return mash_document_kind(kind->usual.name); }

void kinds_word(const char *ending, char out[KINDS_WORD_BYTES]) {
    size_t dot = ending[0] == '.', letters = strlen(ending + dot);
    if (text_ends_with(ending + dot, ".json"))
        letters -= strlen(".json");
    MashText text = text_over(out, KINDS_WORD_BYTES);
    text_bytes(&text, ending + dot, (uint32_t)letters);
}

/* --- Known kinds ------------------------------------------------------------------------------ */

/* Adds a kind of document, unless the game has one of this ending in the list. */
static void add(Kinds *kinds, const MashGame *game, MashDocument usual) {
    for (uint32_t i = 0; i < kinds->count; i++)
        if (kinds->list[i].game == game &&
            strcmp(kinds_ending(&kinds->list[i]), mash_document_kind(usual.name)) == 0)
            return;
    assert(kinds->count < KINDS_MAX);
    kinds->list[kinds->count++] = (DocumentKind){game, usual};
}

void kinds_all(Kinds *kinds) {
    *kinds = (Kinds){.count = 0};
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; i < (*game)->presets_count; i++) {
            MashDocument list[MASH_DOCUMENTS_MAX];
            uint32_t count = mash_documents_of_preset(*game, (*game)->presets[i].id, list);
            for (uint32_t j = 0; j < count; j++)
                add(kinds, *game, list[j]);
        }
}

/* --- Matching kinds --------------------------------------------------------------------------- */

void kinds_keep_game(Kinds *kinds, const MashGame *game) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < kinds->count; i++)
        if (kinds->list[i].game == game)
            kinds->list[kept++] = kinds->list[i];
    kinds->count = kept;
}

void kinds_keep_ending(Kinds *kinds, const char *ending) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < kinds->count; i++)
        if (strcmp(kinds_ending(&kinds->list[i]), ending) == 0)
            kinds->list[kept++] = kinds->list[i];
    kinds->count = kept;
}

/* How many keys at the top of one text the other has too. */
static uint32_t shared_keys(const Json *a, const Json *b) {
    uint32_t shared = 0;
    if (a->nodes[0].kind != JSON_OBJECT)
        return 0;
    for (uint32_t node = json_first(a, 0); node != JSON_NONE; node = a->nodes[node].next) {
        char bytes[KINDS_WORD_BYTES];
        MashText key = text_over(bytes, sizeof bytes);
        json_key(a, node, &key);
        shared += !key.truncated && json_member(b, 0, bytes) != JSON_NONE;
    }
    return shared;
}

/* How many keys only one of the two has; UINT32_MAX if they share none. */
static uint32_t difference(const Json *json, const MashDocument *usual, JsonNode *nodes,
                           uint32_t nodes_max) {
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json other;
    if (!json_read(&other, usual->name, usual->bytes, usual->count, nodes, nodes_max, &problems))
        return UINT32_MAX;
    uint32_t shared = shared_keys(json, &other);
    return shared == 0 ? UINT32_MAX : json->nodes[0].count + other.nodes[0].count - 2 * shared;
}

void kinds_keep_shape(Kinds *kinds, const Json *json) {
    uint32_t kept = 0, least = UINT32_MAX, differences[KINDS_MAX];
    JsonNode *nodes = cli_memory(MASH_SCRATCH_BYTES);
    for (uint32_t i = 0; i < kinds->count; i++) {
        differences[i] = difference(json, &kinds->list[i].usual, nodes,
                                    MASH_SCRATCH_BYTES / (uint32_t)sizeof *nodes);
        least = differences[i] < least ? differences[i] : least;
    }
    for (uint32_t i = 0; i < kinds->count && least != UINT32_MAX; i++)
        if (differences[i] == least)
            kinds->list[kept++] = kinds->list[i];
    kinds->count = kept;
    free(nodes);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Words for all endings, each once. */
typedef struct EndingWords {
    char bytes[KINDS_MAX][KINDS_WORD_BYTES];
    const char *list[KINDS_MAX];
    uint32_t count;
} EndingWords;

/* The kinds as words, each once, for a suggestion. */
static void list_words(const Kinds *kinds, EndingWords *words) {
    words->count = 0;
    for (uint32_t i = 0; i < kinds->count; i++) {
        char *word = words->bytes[words->count];
        bool known = false;
        kinds_word(kinds_ending(&kinds->list[i]), word);
        for (uint32_t j = 0; j < words->count; j++)
            known |= strcmp(words->list[j], word) == 0;
        if (!known)
            words->list[words->count++] = word;
    }
}

void kinds_suggest(const Kinds *kinds, const char *ending, MashText *text) {
    EndingWords words;
    char word[KINDS_WORD_BYTES];
    kinds_word(ending, word);
    list_words(kinds, &words);
    const char *near = cli_nearest(word, words.list, words.count);
    if (near != NULL) {
        text_format(text, "; did you mean .%s.json?", near);
        return;
    }
    for (uint32_t i = 0; i < words.count; i++)
        text_format(text, "%s.%s.json", i == 0 ? "; there are " : ", ", words.list[i]);
}
