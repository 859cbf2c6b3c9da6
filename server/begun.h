/* begun.h -- a match that goes on from a position of another one: its seed and its first actions
 * come with `open`, are tried on the table's content, and are the match's own first actions. They
 * are part of the table's first record, so the match is still seed + content + options + actions.
 *
 * Whoever has the other match knows its seed, and so what chance will decide: such a match is never
 * rated. The seed of a match in progress is told to nobody. */
#ifndef SERVER_BEGUN_H
#define SERVER_BEGUN_H
#include "base/json.h"
#include "server/table.h"

/* The beginning of a match. */
typedef struct Begun {
    MashSeed seed;
    uint32_t count; /* of the actions */
    uint32_t turn;  /* in which the match goes on; the first is 1 */
    MashAction actions[];
} Begun;

/* Does the request ask for one? */
bool begun_wanted(const Message *open);
/* The beginning of a request, tried on this configuration; the caller frees it. NULL: it was
 * refused. */
Begun *begun_of_request(Session *session, const Message *open, const TableConfig *config);
/* A copy for the next match of both players; NULL: no memory. */
Begun *begun_copy(const Begun *begun);
/* Applies its actions to a match that has just begun. False: one is refused. */
bool begun_apply(const Begun *begun, Match *match);
/* How many actions of the table's match were made in another one. */
uint32_t begun_count(const Table *table);

/* Its key in the table's first record, and from there: *begun is NULL if the record has none.
 * False: it is not valid, or there is no memory. */
void begun_put(JsonWriter *writer, const Begun *begun);
bool begun_of_record(const Json *json, MashSeed seed, Begun **begun);

#endif
