/* file.h -- the match file: a whole match as readable JSON, one action per line.
 *
 *   {"mashup-match": 1,                        the format's version
 *    "game": "zorde", "version": 1,            the game and the version of its rules
 *    "preset": "duel",                         the shipped content, or instead of it
 *    "documents": [{"name": "my.start.json", "text": "..."},
 *                  {"name": "english.texts.json"}],      without text: the shipped one
 *    "content": "89ab...",                     16 hex digits: hash of the content
 *    "options": {"draw-after": 400},           all of them, by id
 *    "seed": "...",                            32 hex digits
 *    "players": ["Ann", "Bob"],
 *    "ratings": [1512, 0],                     before the match, 0: none; may be left out
 *    "actions": [{"n": 1, "seat": 0, "action": "0100020003040000", "word": "step h0 3 4"}, ...],
 *    "result": {"winner": 0, "reason": 1, "why": "resignation"},
 *                                              winner null: drawn; result null: in progress
 *    "notes": [...]}                           for people: match/notes.h; may be left out
 *
 * `action` is the eight bytes of a MashAction in hex; `word` is its notation. Reading replays
 * everything through include/mashup.h and reports each mismatch with line, column and path.
 * Nothing is allocated; nothing in a file is trusted. */
#ifndef MATCH_FILE_H
#define MATCH_FILE_H
#include "base/json.h"
#include "match/match.h"

/* The format, the longest name of a player with its NUL, and the highest rating. */
enum { MATCH_FILE_VERSION = 1, MATCH_PLAYER_BYTES = 32, MATCH_RATING_MAX = 10000 };

/* The contents of a file before anything is replayed. Points into the text and the memory that were
 * lent for reading. */
typedef struct MatchFile {
    Json json;
    const MashGame *game;
    const char *preset; /* NULL: documents of its own */
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    int32_t options[MASH_OPTIONS_MAX];
    MashSeed seed;
    char players[MASH_SEATS][MATCH_PLAYER_BYTES];
    int32_t ratings[MASH_SEATS]; /* before the match; 0: none */
    uint32_t actions_count;
} MatchFile;

/* How many bytes reading a text of this length needs. */
size_t match_file_bytes(uint32_t text_count);
/* Reads and checks everything but the replay. False: problems say why, and the file must not be
 * used. */
bool match_file_open(MatchFile *file, const char *name, const char *bytes, uint32_t count,
                     void *memory, size_t memory_bytes, MashProblems *problems);
/* Replays it with the content loaded from file->documents, in match_bytes() bytes of memory. On
 * false, problems say where the engine disagrees; the match is then in the state before the first
 * refused action, or invalid if it could not start. */
bool match_file_replay(const MatchFile *file, const MashContent *content, void *memory,
                       Match *match, MashProblems *problems);

/* What a file contains in addition to the match itself. */
typedef struct MatchHeader {
    const MashDocument *documents; /* what the content was loaded from */
    uint32_t documents_count;
    const char *players[MASH_SEATS];
    int32_t ratings[MASH_SEATS];
    const MatchFile *noted; /* its notes are written, too; NULL: there are none */
} MatchHeader;
/* Writes the file; check text->cut afterwards. Replays on the match's trial state, so the match is
 * not const. */
void match_file_write(Match *match, const MatchHeader *about, MashText *text);

/* A seed from 32 hex digits, and back. False: they are not. */
bool match_seed_read(const char *digits, MashSeed *seed);
void match_seed_write(MashSeed seed, MashText *text);

#endif
