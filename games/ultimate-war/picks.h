/* picks.h -- how strong champions are, and against which others: tables for picking, learned from
 * matches between random teams by train/ultimate_war.c. */
#ifndef ULTIMATE_WAR_PICKS_H
#define ULTIMATE_WAR_PICKS_H
#include "games/ultimate-war/state.h"

/* For which players: those who mostly play at random, those who sometimes look ahead, and those who
 * always do. Champions that are strong for a random player are not the same as for a careful
 * one. */
enum { PICKS_RANDOM, PICKS_AHEAD, PICKS_CAREFUL, PICKS_TABLES };

/* Champions of the table. */
enum { PICKS_KINDS = 15 };

/* In thousandths of the logarithm of a team's odds: what a champion adds, and what he adds against
 * each of the others. */
typedef struct Picks {
    int16_t strength[PICKS_KINDS];
    int16_t against[PICKS_KINDS][PICKS_KINDS];
} Picks;
extern const Picks ultimate_war_picks[PICKS_TABLES];
/* The content for which the tables are valid. */
extern const uint64_t ultimate_war_picks_of;

#endif
