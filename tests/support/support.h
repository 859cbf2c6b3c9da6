/* support.h -- what test programs share: loading a game's content with memory that the test owns.
 */
#ifndef TESTS_SUPPORT_SUPPORT_H
#define TESTS_SUPPORT_SUPPORT_H
#include "include/mashup.h"

/* The games that tests have room for, Breakthrough among them. */
enum { SUPPORT_GAMES_MAX = 32 };

/* Content of a preset (NULL = the default), allocated; the test fails with the problems if it does
 * not load. */
MashContent *support_content(const MashGame *game, const char *preset);
/* The same with one document of the preset replaced by this one. */
MashContent *support_content_with(const MashGame *game, const char *preset, MashDocument document);
/* Zeroed memory for one state, aligned to 16. */
void *support_state(const MashContent *content);
/* Zeroed memory of any size, aligned to 64. */
void *support_memory(size_t bytes);
void support_free(void *memory);
/* How many descriptors the process has open. */
uint32_t support_open_descriptors(void);
/* The resident memory of a process in kB. */
long support_resident_kb(int pid);

/* The number of the entry with this id in a list of the content; 255: there is none. */
uint8_t support_index(const MashContent *content, MashNames list, const char *id);

/* A shipped document as one line, ": " and ", " its only blanks: tests find and change parts of it,
 * however the file is formatted. To be freed. */
char *support_one_line(const MashGame *game, const char *name);

/* Plays random matches and hands on one position of `one_in`, until `count` were seen: the state is
 * in `state`, one of the awaited seats is named, and the chooser may be used. */
void support_positions(const MashContent *content, uint32_t count, uint32_t one_in, void *state,
                       void (*visit)(void *owner, uint8_t seat, MashChance *chooser), void *owner);

/* For games that a test makes up. Their moves: `count` actions of the seat that differ by their
 * unit; the count. */
uint32_t support_moves(uint8_t seat, uint32_t count, MashAction *out);
/* Their check(): what is listed is legal. */
MashStatus support_check(const MashContent *content, const void *state, MashAction action);

#endif
