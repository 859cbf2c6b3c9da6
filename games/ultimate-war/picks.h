/* picks.h -- who is strong, and against whom: a table for picking champions, learned from matches
 * between teams dealt by chance. How the numbers were found: train/ultimate_war.c. */
#ifndef ULTIMATE_WAR_PICKS_H
#define ULTIMATE_WAR_PICKS_H
#include "games/ultimate-war/state.h"

/* In whose hands: of those who mostly do anything, of those who look ahead now and then, and of
 * those who always do. What is strong in careless hands is not what is strong in careful ones. */
enum { PICKS_CARELESS, PICKS_AHEAD, PICKS_CAREFUL, PICKS_TABLES };

/* Champions of the table. */
enum { PICKS_KINDS = 15 };

/* Thousandths of the logarithm of a team's chances: what a champion adds to it, and what he adds
 * against each of the others. */
typedef struct Picks {
    int16_t strength[PICKS_KINDS];
    int16_t against[PICKS_KINDS][PICKS_KINDS];
} Picks;
extern const Picks ultimate_war_picks[PICKS_TABLES];
/* The content that the tables are of: they say nothing about others. */
extern const uint64_t ultimate_war_picks_of;

#endif
