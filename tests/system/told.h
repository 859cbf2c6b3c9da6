/* told.h -- is everything true that servers have told bots?
 *
 * Bots record every position they received, as its number and the hash of the view, every action of
 * theirs that was answered, and every end (`mashup bot --log`). When all matches are over, each
 * one's file is replayed from the archive: every position must have the same hash, every action
 * must be there, every match must have ended, and nothing may be left in the journal but tables
 * that wait. */
#ifndef TESTS_SYSTEM_TOLD_H
#define TESTS_SYSTEM_TOLD_H
#include <stdint.h>

/* Reads the log of bots; several add up. */
void told_read(const char *path);
/* Compares all that was read with the store at this place, opened as this node, and forgets it. A
 * difference fails the test. */
void told_compare(const char *place, uint32_t node);

#endif
