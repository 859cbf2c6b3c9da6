/* order.h -- lists of players in an order. */
#ifndef TOURNAMENT_ORDER_H
#define TOURNAMENT_ORDER_H
#include "tournament/tournament.h"

/* Does a come before b? Never true for both ways. */
typedef bool OrderBefore(const void *what, uint16_t a, uint16_t b);

/* Sorts; the order must tell any two apart. */
void order_sort(uint16_t *list, uint32_t count, OrderBefore *before, const void *what);
/* Writes the players in the order of seeding, those who have withdrawn too: by rating, the higher
 * first, then by number. */
void order_by_seed(const Tournament *tournament, uint16_t *out);

#endif
