/* shipped.h -- the documents built into the program: games/<id>/content/<name>, made into bytes by
 * tools/embed. */
#ifndef GAMES_SHIPPED_H
#define GAMES_SHIPPED_H
#include "include/mashup.h"

/* One document and the id of the game it belongs to. */
typedef struct Shipped {
    const char *game;
    MashDocument document;
} Shipped;

/* All of them; an entry with game NULL follows the last. */
extern const Shipped shipped_documents[];

#endif
