/* notes.h -- the notes of a match file: what is said after so many actions, and what it points at.
 * They are for people; the engine checks their form and passes them on.
 *
 *   "notes": [{"at": 3, "text": "Now the troll is alone.", "point": ["unit t0", "cell 3 4 green",
 * "arrow 1 4 3 4"]}, ...]
 *
 * `at` never falls from note to note. `text` is one text, or one for each language: {"en": "...",
 * "de": "..."}. `point`, or else `text`, may be left out: units by their short names, cells, and
 * arrows from cell to cell, these two with a colour if it is not the usual one. Lessons have the
 * same form (docs/adding-a-game.md). */
#ifndef MATCH_NOTES_H
#define MATCH_NOTES_H
#include "base/json.h"

/* Limits: notes of a file, things that one points at, bytes of a text. */
enum { MATCH_NOTES_MAX = 500, MATCH_POINTS_MAX = 32, MATCH_NOTE_BYTES = 1000 };

/* Are the notes of a file of so many actions as above, if it has any? False: problems say why. */
bool match_notes_check(const Json *json, uint32_t actions_count, MashProblems *problems);
/* Writes the notes of a file that was checked, as far as they belong to the first actions; nothing
 * if there are none. */
void match_notes_write(const Json *json, uint32_t actions_count, JsonWriter *writer);

#endif
