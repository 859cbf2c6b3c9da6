/* document_kinds.h -- finds out what kind of document a file is: the kinds that the games have, and
 * which of them match by ending, by game or by structure.
 *
 * Kinds are those of the documents that the games come with, so that no game is named here. */
#ifndef CLI_DOCUMENT_KINDS_H
#define CLI_DOCUMENT_KINDS_H
#include "base/json.h"
#include "include/mashup.h"

/* How many there may be, and the longest word for one with its NUL. */
enum { KINDS_MAX = 64, KINDS_WORD_BYTES = 64 };

/* One kind of document of one game. */
typedef struct DocumentKind {
    const MashGame *game;
    MashDocument usual; /* the first of this kind that the game comes with */
} DocumentKind;

/* Candidate kinds. */
typedef struct Kinds {
    DocumentKind list[KINDS_MAX];
    uint32_t count;
} Kinds;

/* All kinds of all games. */
void kinds_all(Kinds *kinds);
/* Keeps those of this game. */
void kinds_keep_game(Kinds *kinds, const MashGame *game);
/* Keeps those with this ending (".start.json"). */
void kinds_keep_ending(Kinds *kinds, const char *ending);
/* Keeps those whose default document has the most similar top-level keys; none if no kind shares a
 * key with it. */
void kinds_keep_shape(Kinds *kinds, const Json *json);

/* The ending of a kind, and its name: "start" for ".start.json". */
const char *kinds_ending(const DocumentKind *kind);
void kinds_word(const char *ending, char out[KINDS_WORD_BYTES]);
/* Appends suggestions for an unknown ending: `; did you mean .game.json?`, or all endings. */
void kinds_suggest(const Kinds *kinds, const char *ending, MashText *text);

#endif
