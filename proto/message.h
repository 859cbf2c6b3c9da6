/* message.h -- the messages of the arena protocol: bytes <-> struct, independent of sockets and
 * rules.
 *
 * One list, MESSAGES below, holds every message with its fields, their kinds, limits and meaning.
 * The structs, the reader, the writer, docs/protocol.md and docs/arena.schema.json are all
 * generated from it. A message is one JSON object; its key "type" names it. Client messages are
 * read strictly: an unknown key is refused. Clients ignore unknown keys, so that the server may add
 * new ones. Nothing is allocated. */
#ifndef PROTO_MESSAGE_H
#define PROTO_MESSAGE_H
#include "base/json.h"
#include "include/mashup.h"
#include "proto/account_fields.h"
#include "proto/refusals.h"
#include "proto/tournament_fields.h"

/* Limits. */
enum {
    PROTO_VERSION = 1,
    PROTO_NAME_MAX = 31,      /* bytes of a player's name */
    PROTO_ID_MAX = 47,        /* bytes of an id: game, preset, option */
    PROTO_NOTATION_MAX = 127, /* bytes of an action's notation */
    PROTO_CHAT_MAX = 300,     /* bytes of a chat line */
    PROTO_SENTENCE_MAX = 400, /* bytes of a message text of the server */
    PROTO_CODE_DIGITS = 12,
    PROTO_CODE_MAX = 14, /* k7qf-2m9x-w3ab: the digits with two dashes */
    PROTO_TOKEN_DIGITS = 32,
    PROTO_DAY_MS = 86400000,
    PROTO_DAYS_MAX = 7, /* for a turn */
    PROTO_URL_MAX = 900,
    PROTO_TURN_MS = PROTO_DAYS_MAX * PROTO_DAY_MS,
    PROTO_LEVEL_MAX = 9,
    PROTO_DOCUMENT_NAME_MAX = 63,
    PROTO_ACTS_MAX = 64,    /* actions of one `acts` */
    PROTO_BEGUN_MAX = 4000, /* actions that a table begins with */
    PROTO_KEY_DIGITS = 32,
    PROTO_PASSWORD_MAX = 128, /* bytes of a password */
};

/* --- Choices: name, id on the wire, meaning --------------------------------------------------- */

/* The role of a client, shown to everyone. */
#define PROTO_ROLES(X)                                                                             \
    X(PERSON, "person", "a human player")                                                          \
    X(AI, "ai", "an AI player; it cannot pause or resume a match")                                 \
    X(WATCHER, "watcher", "a spectator")
/* The form of positions sent to a client. */
#define PROTO_FORMS(X)                                                                             \
    X(JSON, "json", "open JSON: `board`, `actions`, `events`; for clients in any language")        \
    X(BYTES, "bytes", "engine bytes: `view` and `happened`; for clients that have the engine")
/* What to do about a draw. */
#define PROTO_DRAWS(X)                                                                             \
    X(OFFER, "offer", "offer one")                                                                 \
    X(ACCEPT, "accept", "accept the other's offer: the match ends drawn")                          \
    X(DECLINE, "decline", "decline it; a move declines it as well")
/* What to do about taking a step back. */
#define PROTO_TAKEBACKS(X)                                                                         \
    X(OFFER, "offer", "ask the other to let you take your last step back")                         \
    X(ACCEPT, "accept", "let the other take it back")                                              \
    X(DECLINE, "decline", "do not; going on with the match declines it as well")
/* What has become of a turn that was left with the server. */
#define PROTO_PREPARES(X)                                                                          \
    X(KEPT, "kept", "it waits for your turn")                                                      \
    X(DONE, "done", "it was carried out")                                                          \
    X(STOPPED, "stopped",                                                                          \
      "an action of it was not possible any more: nothing was done from there on")                 \
    X(UNFIT, "unfit", "no branch was for what the other did: nothing was done")
/* Phrases that each reads in their own language: name, id, the English words. */
#define PROTO_PHRASES(X)                                                                           \
    X(HELLO, "hello", "Hello!")                                                                    \
    X(GOOD_LUCK, "good-luck", "Good luck!")                                                        \
    X(HAVE_FUN, "have-fun", "Have fun!")                                                           \
    X(WELL_PLAYED, "well-played", "Well played!")                                                  \
    X(NICE_MOVE, "nice-move", "Nice move!")                                                        \
    X(LUCKY, "lucky", "That was lucky.")                                                           \
    X(OOPS, "oops", "Oops!")                                                                       \
    X(SORRY, "sorry", "Sorry!")                                                                    \
    X(ONE_MOMENT, "one-moment", "One moment, please.")                                             \
    X(I_AM_BACK, "i-am-back", "I'm back.")                                                         \
    X(THANKS, "thanks", "Thank you!")                                                              \
    X(GOODBYE, "goodbye", "Goodbye!")
/* What becomes of a match whose other player has not come back. */
#define PROTO_LEAVERS(X)                                                                           \
    X(WIN, "win", "the match ends, and you have won it")                                           \
    X(DRAW, "draw", "the match ends drawn")                                                        \
    X(AI, "ai", "an AI player of the server, level 5, takes the seat, and the match goes on")
/* The phase of a table. */
#define PROTO_STATES(X)                                                                            \
    X(WAITING, "waiting", "a seat is free")                                                        \
    X(RUNNING, "running", "the match is in progress")                                              \
    X(OVER, "over", "the match has ended; a rematch is possible")
/* Who takes the other seat of a new table. */
#define PROTO_OPPONENTS(X)                                                                         \
    X(GUEST, "guest", "anyone who joins with the table code")                                      \
    X(AI, "ai", "an AI player run by the server; the match starts at once")
/* Which time limit applies. */
#define PROTO_TIMES(X)                                                                             \
    X(TURN, "turn", "turn time; the rules decide what happens when it runs out")                   \
    X(SILENCE, "silence",                                                                          \
      "the server has not heard from you: send any message, for example `here`")                   \
    X(MATCH, "match", "total match time; the rules decide what happens when it runs out")
/* What a key of an account is for. */
#define PROTO_KEY_KINDS(X)                                                                         \
    X(DEVICE, "device", "lets one more device in, once, for ten minutes: for a link or a QR code") \
    X(RECOVERY, "recovery", "lets any device in, until another one is made: for recovery words")   \
    X(BOT, "bot", "the token of a new account of a program, whose owner you are")
/* What somebody is to a player. */
#define PROTO_RELATIONS(X)                                                                         \
    X(FOLLOW, "follow", "you follow this player")                                                  \
    X(UNFOLLOW, "unfollow", "not any more")                                                        \
    X(BLOCK, "block", "you block this player")                                                     \
    X(UNBLOCK, "unblock", "not any more")
/* Where a token is. */
#define PROTO_PLACES(X)                                                                            \
    X(BOARD, "board", "on the cell x, y")                                                          \
    X(BENCH, "bench", "not on the board now")                                                      \
    X(GONE, "gone", "defeated or removed")

/* What a meter shows: the engine's own list. */
#define PROTO_METER_ROLES(X) MASH_ROLES(X)

/* The lists above, by number. */
#define PROTO_CHOICES(X)                                                                           \
    X(ROLES, ROLE)                                                                                 \
    X(FORMS, FORM)                                                                                 \
    X(DRAWS, DRAW)                                                                                 \
    X(TAKEBACKS, TAKEBACK)                                                                         \
    X(LEAVERS, LEAVER)                                                                             \
    X(PREPARES, PREPARE)                                                                           \
    X(PHRASES, PHRASE)                                                                             \
    X(STATES, STATE)                                                                               \
    X(OPPONENTS, OPPONENT)                                                                         \
    X(TIMES, TIME)                                                                                 \
    X(KEY_KINDS, KEY_KIND)                                                                         \
    X(RELATIONS, RELATION)                                                                         \
    X(PLACES, PLACE)                                                                               \
    X(FORMATS, FORMAT)                                                                             \
    X(PHASES, PHASE)                                                                               \
    X(SCORES, SCORE)                                                                               \
    X(ORDERS, ORDER)                                                                               \
    X(SHEETS, SHEET)                                                                               \
    X(METER_ROLES, METER_ROLE)

#define PROTO_ROLE(name, id, meaning)     PROTO_ROLE_##name,
#define PROTO_FORM(name, id, meaning)     PROTO_FORM_##name,
#define PROTO_DRAW(name, id, meaning)     PROTO_DRAW_##name,
#define PROTO_TAKEBACK(name, id, meaning) PROTO_TAKEBACK_##name,
#define PROTO_LEAVER(name, id, meaning)   PROTO_LEAVER_##name,
#define PROTO_PREPARE(name, id, meaning)  PROTO_PREPARE_##name,
#define PROTO_PHRASE(name, id, meaning)   PROTO_PHRASE_##name,
#define PROTO_STATE(name, id, meaning)    PROTO_STATE_##name,
#define PROTO_OPPONENT(name, id, meaning) PROTO_OPPONENT_##name,
#define PROTO_TIME(name, id, meaning)     PROTO_TIME_##name,
#define PROTO_KEY_KIND(name, id, meaning) PROTO_KEY_KIND_##name,
#define PROTO_RELATION(name, id, meaning) PROTO_RELATION_##name,
#define PROTO_PLACE(name, id, meaning)    PROTO_PLACE_##name,
#define PROTO_FORMAT(name, id, meaning)   PROTO_FORMAT_##name,
#define PROTO_PHASE(name, id, meaning)    PROTO_PHASE_##name,
#define PROTO_SCORE(name, id, meaning)    PROTO_SCORE_##name,
#define PROTO_ORDER(name, id, meaning)    PROTO_ORDER_##name,
#define PROTO_SHEET(name, id, meaning)    PROTO_SHEET_##name,
/* Numbers of the choices: PROTO_ROLE_AI, PROTO_FORM_BYTES ... */
enum { PROTO_ROLES(PROTO_ROLE) PROTO_ROLE_COUNT };
enum { PROTO_FORMS(PROTO_FORM) PROTO_FORM_COUNT };
enum { PROTO_DRAWS(PROTO_DRAW) PROTO_DRAW_COUNT };
enum { PROTO_TAKEBACKS(PROTO_TAKEBACK) PROTO_TAKEBACK_COUNT };
enum { PROTO_LEAVERS(PROTO_LEAVER) PROTO_LEAVER_COUNT };
enum { PROTO_PREPARES(PROTO_PREPARE) PROTO_PREPARE_COUNT };
enum { PROTO_PHRASES(PROTO_PHRASE) PROTO_PHRASE_COUNT };
enum { PROTO_STATES(PROTO_STATE) PROTO_STATE_COUNT };
enum { PROTO_OPPONENTS(PROTO_OPPONENT) PROTO_OPPONENT_COUNT };
enum { PROTO_TIMES(PROTO_TIME) PROTO_TIME_COUNT };
enum { PROTO_KEY_KINDS(PROTO_KEY_KIND) PROTO_KEY_KIND_COUNT };
enum { PROTO_RELATIONS(PROTO_RELATION) PROTO_RELATION_COUNT };
enum { PROTO_PLACES(PROTO_PLACE) PROTO_PLACE_COUNT };
enum { PROTO_FORMATS(PROTO_FORMAT) PROTO_FORMAT_COUNT };
enum { PROTO_PHASES(PROTO_PHASE) PROTO_PHASE_COUNT };
enum { PROTO_SCORES(PROTO_SCORE) PROTO_SCORE_COUNT };
enum { PROTO_ORDERS(PROTO_ORDER) PROTO_ORDER_COUNT };
enum { PROTO_SHEETS(PROTO_SHEET) PROTO_SHEET_COUNT };
#define PROTO_LIST(name, prefix) PROTO_##name##_LIST,
/* Numbers of the lists, for fields of the kind ENUM. */
typedef enum ProtoChoices { PROTO_CHOICES(PROTO_LIST) PROTO_CHOICES_COUNT } ProtoChoices;
#undef PROTO_LIST

/* --- Fields -----------------------------------------------------------------------------------
 * F(kind, key, name, REQUIRED or OPTIONAL, a, b, meaning): `key` is used on the wire and never
 * changes, `name` is the member of the struct. The kinds, what a and b are, and the member's type:
 *   LINE       a string of 1 to a bytes without control characters    char[a + 1]
 *   INT        a whole number from a to b                             int32_t
 *   BOOL       true or false                                          bool
 *   ENUM       a word of the list a                                   uint8_t
 *   SEAT       0, 1 or null (MASH_SEAT_NONE)                          uint8_t
 *   CODE       a table code                                           char[PROTO_CODE_MAX + 1]
 *   HEX        a hexadecimal digits, lower case                       char[a + 1]
 *   OPTIONS    an object of option ids and whole numbers              MessageOptions
 *   DOCUMENTS  an array of objects of the shape `document`            MessageDocuments
 *   BASE64     bytes as base64                                        MessageJson, as all below
 *   INTS       an array of whole numbers from a to b
 *   NAMES      an array of strings
 *   INT_ROWS   an array of arrays of whole numbers from a to b
 *   SEAT_TIMES an array of a whole number or null for each seat
 *   OBJECT     an object of the shape a
 *   LIST       an array of objects of the shape a
 *   TEXT       a string of any length, inside a shape */

/* What a match is played with, in `seek` and `open`. */
#define FIELDS_SETTING(F)                                                                          \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(LINE, "preset", preset, OPTIONAL, PROTO_ID_MAX, 0,                                           \
      "an included set of files; default: the first")                                              \
    F(OPTIONS, "options", options, OPTIONAL, 0, 0,                                                 \
      "rule variants by id; omitted ones keep their default")                                      \
    F(INT, "turn_ms", turn_ms, OPTIONAL, 0, PROTO_DAY_MS,                                          \
      "time per turn; 0 = the longest allowed")                                                    \
    F(INT, "match_ms", match_ms, OPTIONAL, 0, PROTO_DAY_MS,                                        \
      "time for the whole match; 0 = no limit")                                                    \
    F(INT, "bank_ms", bank_ms, OPTIONAL, 0, PROTO_DAY_MS,                                          \
      "each player's own time for all turns together; a player who uses it up loses; default: "    \
      "none")                                                                                      \
    F(INT, "increment_ms", increment_ms, OPTIONAL, 0, PROTO_DAY_MS,                                \
      "what each turn adds to it when it ends; default: nothing")                                  \
    F(INT, "pause_ms", pause_ms, OPTIONAL, 0, PROTO_DAY_MS, "longest single pause; 0 = no pauses") \
    F(INT, "silence_ms", silence_ms, OPTIONAL, 0, PROTO_DAY_MS,                                    \
      "how long the player to move may stay silent; 0 = no limit")                                 \
    F(INT, "grace_ms", grace_ms, OPTIONAL, 0, PROTO_DAY_MS,                                        \
      "time to reconnect after a lost connection")                                                 \
                                                                                                   \
    F(BOOL, "pair", pair, OPTIONAL, 0, 0,                                                          \
      "two matches: the second, with swapped seats, starts automatically soon after the first")    \
    F(BOOL, "tips", tips, OPTIONAL, 0, 0,                                                          \
      "false: clients give no tips to players and spectators before the match is over; default: "  \
      "true")                                                                                      \
    F(BOOL, "rated", rated, OPTIONAL, 0, 0,                                                        \
      "the match counts for the ratings of both players, who need accounts: without tips, custom " \
      "files, a chosen seat and `glass`")
#define FIELDS_ID(F)                                                                               \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "any number; echoed in `done` and `refused`")

#define FIELDS_HELLO(F)                                                                            \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the name others see")                      \
    F(ENUM, "role", role, REQUIRED, PROTO_ROLES_LIST, 0, "what you are")                           \
    F(ENUM, "view", view, OPTIONAL, PROTO_FORMS_LIST, 0, "format of positions; default: json")     \
    F(BOOL, "words", words, OPTIONAL, 0, 0, "with json: words for every action and event")         \
    F(LINE, "language", language, OPTIONAL, PROTO_ID_MAX, 0,                                       \
      "language of names and sentences by its code: en, de; omitted or unknown to the game: "      \
      "the default one")                                                                           \
    F(INT, "protocol", protocol, OPTIONAL, 1, 9999, "your protocol version")                       \
    F(BOOL, "history", history, OPTIONAL, 0, 0,                                                    \
      "you keep a log: `history` follows the first position at a table, and positions tell "       \
      "whether you can undo")                                                                      \
    F(BOOL, "leavers", leavers, OPTIONAL, 0, 0,                                                    \
      "a match whose other player does not come back waits for your choice, see `leaver`; "        \
      "omitted: you win it when the grace time is over")
#define FIELDS_MATCHES(F)                                                                          \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "game", game, OPTIONAL, PROTO_ID_MAX, 0, "only tables of this game")                   \
    F(LINE, "after", after, OPTIONAL, PROTO_ID_MAX, 0,                                             \
      "the next page: what `next` of the last answer said")
#define FIELDS_DAYS(F)                                                                             \
    F(INT, "days", days, OPTIONAL, 1, PROTO_DAYS_MAX,                                              \
      "days for each turn, instead of all times: a match over days, for players with accounts")
#define FIELDS_SEEK(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    FIELDS_SETTING(F)                                                                              \
    FIELDS_DAYS(F)
#define FIELDS_OPEN(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    FIELDS_SETTING(F)                                                                              \
    FIELDS_DAYS(F)                                                                                 \
    F(DOCUMENTS, "documents", documents, OPTIONAL, 0, 0,                                           \
      "your own files; each replaces the preset's file of the same kind")                          \
    F(SEAT, "seat", seat, OPTIONAL, 0, 0, "the seat you want; null or omitted: random")            \
    F(ENUM, "opponent", opponent, OPTIONAL, PROTO_OPPONENTS_LIST, 0,                               \
      "who plays the other seat; default: guest")                                                  \
    F(INT, "level", level, OPTIONAL, 1, PROTO_LEVEL_MAX,                                           \
      "level of the AI player; some games have fewer")                                             \
    F(BOOL, "secret", secret, OPTIONAL, 0, 0,                                                      \
      "unlisted: only players with the table code can find it")                                    \
    F(BOOL, "glass", open_to_spectators, OPTIONAL, 0, 0,                                           \
      "spectators see hidden pieces; those from the address of a player only when the match is "   \
      "over")                                                                                      \
    F(LINE, "challenge", challenge, OPTIONAL, PROTO_NAME_MAX, 0,                                   \
      "the name of an account: only that player may join, is told, and finds the table in "        \
      "`challenges`; you need an account, too, and it is without your own files")                  \
    F(BOOL, "phrases", phrases, OPTIONAL, 0, 0, "true: nothing but phrases in the chat")           \
    F(BASE64, "begun", begun, OPTIONAL, 0, 0,                                                      \
      "the first actions of a match that is over, eight bytes each, at most 4000: this one goes "  \
      "on from there, with the same files, options and chance; not rated, not over days, neither " \
      "a pair nor a challenge")                                                                    \
    F(HEX, "seed", seed, OPTIONAL, 32, 0, "with `begun`: the seed in the file of that match")
#define FIELDS_CODE(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")
#define FIELDS_RETURN(F)                                                                           \
    FIELDS_ID(F)                                                                                   \
    F(HEX, "token", token, OPTIONAL, PROTO_TOKEN_DIGITS, 0, "the token of the seat, or ...")       \
    F(CODE, "code", code, OPTIONAL, 0, 0, "... the table's code, if your account has a seat there")
#define FIELDS_ACT(F)                                                                              \
    FIELDS_ID(F)                                                                                   \
    F(INT, "position", position, REQUIRED, 0, INT32_MAX,                                           \
      "the number of the position that this answers")                                              \
    F(LINE, "word", word, OPTIONAL, PROTO_NOTATION_MAX, 0,                                         \
      "the action in words, instead of the fields below")                                          \
    F(HEX, "action", action, OPTIONAL, 16, 0, "the action's eight bytes, instead of all below")    \
    F(INT, "verb", verb, OPTIONAL, 1, 239, "as in `actions` of the position, like all below")      \
    F(INT, "unit", unit, OPTIONAL, 0, 255, "default: 0")                                           \
    F(INT, "ability", ability, OPTIONAL, 0, 255, "default: 0")                                     \
    F(INT, "x", x, OPTIONAL, -128, 127, "column; default: 0")                                      \
    F(INT, "y", y, OPTIONAL, -128, 127, "row; default: 0")                                         \
    F(INT, "other", other, OPTIONAL, 0, 255, "default: 0")                                         \
    F(INT, "amount", amount, OPTIONAL, 0, 255, "default: 0")
#define FIELDS_ACTS(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    F(INT, "position", position, REQUIRED, 0, INT32_MAX,                                           \
      "the number of the position before the first action")                                        \
    F(NAMES, "actions", actions, REQUIRED, 0, 0,                                                   \
      "1 to 64 actions in order, each in words as `word` of `act`, or its eight bytes as 16 hex "  \
      "digits as `action` there")
#define FIELDS_DRAW(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    F(ENUM, "what", what, REQUIRED, PROTO_DRAWS_LIST, 0, "what you say about it")
#define FIELDS_UNDO(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    F(INT, "position", position, REQUIRED, 0, INT32_MAX, "the number of the position now")
#define FIELDS_TAKEBACK(F)                                                                         \
    FIELDS_ID(F)                                                                                   \
    F(ENUM, "what", what, REQUIRED, PROTO_TAKEBACKS_LIST, 0, "what you say about it")
#define FIELDS_LEAVER(F)                                                                           \
    FIELDS_ID(F)                                                                                   \
    F(ENUM, "what", what, REQUIRED, PROTO_LEAVERS_LIST, 0, "what you choose")
#define FIELDS_CHAT(F)                                                                             \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "text", text, OPTIONAL, PROTO_CHAT_MAX, 0, "one line")                                 \
    F(ENUM, "phrase", phrase, OPTIONAL, PROTO_PHRASES_LIST, 0,                                     \
      "instead of a text: words that each reads in their own language")

#define FIELDS_WELCOME(F)                                                                          \
    F(INT, "protocol", protocol, REQUIRED, 1, 9999, "the protocol version of the server")          \
    F(LINE, "server", server, REQUIRED, PROTO_ID_MAX, 0, "name and version of the server")         \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "your name, cleaned")                       \
    F(ENUM, "role", role, REQUIRED, PROTO_ROLES_LIST, 0, "your role")                              \
    F(INT, "strikes", strikes, REQUIRED, 0, 9999,                                                  \
      "number of consecutive offences that lose the match")                                        \
    F(NAMES, "games", games, REQUIRED, 0, 0, "ids of the games")
#define FIELDS_DONE(F)                                                                             \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")
#define FIELDS_REFUSED(F)                                                                          \
    F(LINE, "to", to, OPTIONAL, PROTO_ID_MAX, 0,                                                   \
      "type of the message that this answers, if it had one")                                      \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LINE, "code", code, REQUIRED, PROTO_ID_MAX, 0, "why, as a code: see below")                  \
    F(LINE, "reason", reason, REQUIRED, PROTO_SENTENCE_MAX, 0, "why, as a sentence")               \
    F(INT, "position", position, OPTIONAL, 0, INT32_MAX, "the number of your seat's position now") \
    F(INT, "action", action, OPTIONAL, 0, PROTO_ACTS_MAX - 1,                                      \
      "of `acts`: which action was refused, counted from 0")                                       \
    F(BOOL, "offence", offence, REQUIRED, 0, 0, "whether it counts as an offence")                 \
    F(INT, "strikes", strikes, REQUIRED, 0, 9999, "consecutive offences so far")
#define FIELDS_TOLD_GAMES(F) F(LIST, "games", games, REQUIRED, SHAPE_GAME, 0, "all games")
#define FIELDS_TOLD_MATCHES(F)                                                                     \
    F(LIST, "matches", matches, REQUIRED, SHAPE_MATCH, 0,                                          \
      "listed tables that are not empty: first those waiting, then matches in progress, each "     \
      "newest first; 200 at most")                                                                 \
    F(LINE, "next", next, OPTIONAL, PROTO_ID_MAX, 0,                                               \
      "for `after`, to get more; omitted: this was all")
#define FIELDS_TABLE(F)                                                                            \
    F(CODE, "code", code, REQUIRED, 0, 0,                                                          \
      "the table code: friends join with it, anyone can watch with it")                            \
    F(SEAT, "you", you, REQUIRED, 0, 0, "your seat; null: you watch")                              \
    F(HEX, "token", token, OPTIONAL, PROTO_TOKEN_DIGITS, 0,                                        \
      "the token of your seat, for `return`; keep it secret")                                      \
    F(ENUM, "state", state, REQUIRED, PROTO_STATES_LIST, 0, "state of the table")                  \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(INT, "version", version, REQUIRED, 0, INT32_MAX, "version of its rules")                     \
    F(LINE, "preset", preset, OPTIONAL, PROTO_ID_MAX, 0, "its content, if it comes with the game") \
    F(DOCUMENTS, "documents", documents, OPTIONAL, 0, 0, "its content, if it does not")            \
    F(HEX, "content", content, REQUIRED, 16, 0, "hash of the content")                             \
    F(OPTIONS, "options", options, REQUIRED, 0, 0, "all rule variants by id")                      \
    F(INT, "turn_ms", turn_ms, REQUIRED, 0, PROTO_TURN_MS,                                         \
      "time per turn; 0 = no limit, as for all below")                                             \
    F(INT, "match_ms", match_ms, REQUIRED, 0, PROTO_DAY_MS, "time for the whole match")            \
    F(INT, "bank_ms", bank_ms, OPTIONAL, 0, PROTO_DAY_MS,                                          \
      "each player's own time for all turns together; omitted: none")                              \
    F(INT, "increment_ms", increment_ms, OPTIONAL, 0, PROTO_DAY_MS,                                \
      "what each turn adds to it when it ends")                                                    \
    F(INT, "pause_ms", pause_ms, REQUIRED, 0, PROTO_DAY_MS, "longest single pause; 0 = no pauses") \
    F(INT, "pauses", pauses, OPTIONAL, 0, 9999,                                                    \
      "how often each seat may pause; omitted: no limit")                                          \
    F(INT, "silence_ms", silence_ms, REQUIRED, 0, PROTO_DAY_MS,                                    \
      "how long the player to move may stay silent")                                               \
    F(INT, "grace_ms", grace_ms, REQUIRED, 0, PROTO_DAY_MS,                                        \
      "time to reconnect after a lost connection")                                                 \
    F(BOOL, "secret", secret, REQUIRED, 0, 0, "unlisted")                                          \
    F(BOOL, "glass", open_to_spectators, REQUIRED, 0, 0, "spectators see hidden pieces")           \
    F(BOOL, "tips", tips, OPTIONAL, 0, 0,                                                          \
      "false: no tips for anybody here before the match is over; omitted: allowed")                \
    F(BOOL, "rated", rated, OPTIONAL, 0, 0, "true: the match counts for ratings")                  \
    F(INT, "days", days, OPTIONAL, 1, PROTO_DAYS_MAX,                                              \
      "days for each turn; omitted: not a match over days")                                        \
    F(BOOL, "phrases", phrases, OPTIONAL, 0, 0, "true: nothing but phrases in the chat")           \
    F(INT, "from_turn", from_turn, OPTIONAL, 1, INT32_MAX,                                         \
      "the match goes on from this turn of another one; omitted: from its own beginning")          \
    F(INT, "leg", leg, OPTIONAL, 1, 2,                                                             \
      "number of this match in a pair with swapped seats; omitted: a single match")                \
    F(SEAT, "first", first, OPTIONAL, 0, 0,                                                        \
      "in the second match of a pair: who won the first, by present seat; null: a draw")           \
    F(CODE, "tournament", tournament, OPTIONAL, 0, 0, "the tournament that the match belongs to")  \
    F(INT, "watchers", watchers, REQUIRED, 0, INT32_MAX, "number of spectators")                   \
    F(LIST, "players", players, REQUIRED, SHAPE_PLAYER, 0, "the players: seat 0, seat 1")
#define FIELDS_PEOPLE(F)                                                                           \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(LIST, "players", players, REQUIRED, SHAPE_PLAYER, 0, "the players: seat 0, seat 1")
#define FIELDS_POSITION(F)                                                                         \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(INT, "number", number, REQUIRED, 0, INT32_MAX,                                               \
      "increases whenever what you see changes; send it with `act`")                               \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX,                                                       \
      "the id of your request that this answers, if it had one")                                   \
    F(SEAT, "you", you, REQUIRED, 0, 0, "your seat; null: you watch")                              \
    F(INTS, "awaited", awaited, REQUIRED, 0, 1, "the seats whose turn it is")                      \
    F(SEAT, "draw", draw, REQUIRED, 0, 0, "the seat that offers a draw; null: none")               \
    F(BOOL, "paused", paused, REQUIRED, 0, 0, "whether the match is paused")                       \
    F(SEAT, "paused_by", paused_by, OPTIONAL, 0, 0, "who paused the match; omitted: nobody did")   \
    F(OBJECT, "clocks", clocks, REQUIRED, SHAPE_CLOCKS, 0, "time left")                            \
    F(SEAT, "undone", undone, OPTIONAL, 0, 0,                                                      \
      "the seat whose last step was undone, with all that followed; omitted: nothing was")         \
    F(LINE, "undo", undo, OPTIONAL, PROTO_ID_MAX, 0,                                               \
      "with `history` in `hello`, to a player: `ok` if you can undo your last step, else why "     \
      "not, "                                                                                      \
      "as the code with which `undo` would be refused")                                            \
    F(OBJECT, "result", result, OPTIONAL, SHAPE_RESULT, 0,                                         \
      "the result; omitted while the match is in progress")                                        \
    F(OBJECT, "board", board, OPTIONAL, SHAPE_BOARD, 0, "json: all there is to see")               \
    F(LIST, "actions", actions, OPTIONAL, SHAPE_ACTIONS, 0, "json: all you may do now, grouped")   \
    F(LIST, "events", events, OPTIONAL, SHAPE_EVENT, 0,                                            \
      "json: what you could see happen since the previous position; empty when you have just "     \
      "joined")                                                                                    \
    F(BASE64, "view", view, OPTIONAL, 0, 0,                                                        \
      "bytes: the state with everything hidden from you blanked out")                              \
    F(BASE64, "happened", happened, OPTIONAL, 0, 0, "bytes: the events, 16 bytes each")
#define FIELDS_PAUSED(F)                                                                           \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(SEAT, "by", by, REQUIRED, 0, 0, "who paused the match")                                      \
    F(INT, "left_ms", left_ms, REQUIRED, 0, PROTO_DAY_MS,                                          \
      "time after which it resumes automatically")                                                 \
    F(INT, "pauses", pauses, OPTIONAL, 0, 9999, "pauses left for that seat; omitted: no limit")
#define FIELDS_CONTINUED(F)                                                                        \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(SEAT, "by", by, REQUIRED, 0, 0, "who resumed the match; null: the pause timed out")          \
    F(OBJECT, "clocks", clocks, REQUIRED, SHAPE_CLOCKS, 0, "time left")
#define FIELDS_WARNING(F)                                                                          \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(ENUM, "what", what, REQUIRED, PROTO_TIMES_LIST, 0, "which time")                             \
    F(INT, "left_ms", left_ms, REQUIRED, 0, INT32_MAX, "time left")
#define FIELDS_CHAT_LINE(F)                                                                        \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the sender")                               \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "the sender's seat; null: a spectator")                  \
    F(LINE, "text", text, REQUIRED, PROTO_CHAT_MAX, 0, "one line; the English words of a phrase")  \
    F(ENUM, "phrase", phrase, OPTIONAL, PROTO_PHRASES_LIST, 0,                                     \
      "the text is this phrase, which you can show in your reader's language")
#define FIELDS_TOLD_CHAT(F)                                                                        \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    FIELDS_CHAT_LINE(F)
#define FIELDS_TOLD_REMATCH(F)                                                                     \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "who asked for a rematch")
#define FIELDS_TOLD_TAKEBACK(F)                                                                    \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "who said it")                                           \
    F(ENUM, "what", what, REQUIRED, PROTO_TAKEBACKS_LIST, 0, "what: offer or decline")
#define FIELDS_TOLD_LEAVER(F)                                                                      \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "who is gone")
#define FIELDS_HISTORY(F)                                                                          \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(LIST, "steps", steps, REQUIRED, SHAPE_STEP, 0,                                               \
      "what you could see happen so far, one entry for each step of the last 2000 actions; "       \
      "steps that were undone are not among them")                                                 \
    F(LIST, "chat", chat, REQUIRED, SHAPE_CHAT, 0, "the last 50 chat lines, the oldest first")
#define FIELDS_TAKEN(F) F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")
#define FIELDS_CLOSED(F)                                                                           \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(LINE, "reason", reason, REQUIRED, PROTO_SENTENCE_MAX, 0, "why, as a sentence")

#define FIELDS_MOVED(F)                                                                            \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(INT, "node", node, OPTIONAL, 1, INT32_MAX,                                                   \
      "the node that has the table; omitted: it is just moving, try again in a second")            \
    F(LINE, "url", url, OPTIONAL, PROTO_SENTENCE_MAX, 0,                                           \
      "address of that node; omitted: the same address with `?node=` and its number")

/* --- The messages -------------------------------------------------------------------------------
 * M(name, member of the union, type on the wire, fields, meaning). Client messages come from a
 * player or a spectator, server messages from the server. */
#define MESSAGES(M)                                                                                \
    M(CLIENT_HELLO, hello, "hello", FIELDS_HELLO,                                                  \
      "The first message of a connection. Answered by `welcome`.")                                 \
    M(CLIENT_GAMES, games, "games", FIELDS_ID, "What can be played here? Answered by `games`.")    \
    M(CLIENT_MATCHES, matches, "matches", FIELDS_MATCHES,                                          \
      "What is open or running? Answered by `matches`, page by page. Tables whose players are "    \
      "all "                                                                                       \
      "away are not listed until one is back, and of one address only so many.")                   \
    M(CLIENT_SEEK, seek, "seek", FIELDS_SEEK,                                                      \
      "Looks for a quick match. Answered by `table`: running, or waiting and then again once "     \
      "someone has joined. `leave` stops the search.")                                             \
    M(CLIENT_OPEN, open, "open", FIELDS_OPEN,                                                      \
      "Opens a table. Answered by `table`: waiting until someone joins with its code, or running " \
      "at once against an AI player.")                                                             \
    M(CLIENT_JOIN, join, "join", FIELDS_CODE,                                                      \
      "Takes the free seat of a table whose host is there. Answered by `table` and the first "     \
      "`position`.")                                                                               \
    M(CLIENT_RETURN, return_seat, "return", FIELDS_RETURN,                                         \
      "Returns to a seat, from anywhere and at any time; a connection that still holds it "        \
      "receives `taken`. Answered by `table` and the `position` where the match stands, or where " \
      "it ended while you were away; later by `match-over`, which says where its match file is.")  \
    M(CLIENT_WATCH, watch, "watch", FIELDS_CODE,                                                   \
      "Watches a match. Answered by `table` and, once the match has started, `position`.")         \
    M(CLIENT_ACT, act, "act", FIELDS_ACT,                                                          \
      "An action of the game, in one of three spellings. Answered by `position` or `refused`.")    \
    M(CLIENT_ACTS, acts, "acts", FIELDS_ACTS,                                                      \
      "Several actions as one step: all of them are done, or none. Only the last may end a turn, " \
      "draw chance or reveal something. Answered by one `position`, or by `refused`, which says "  \
      "which action was refused and why.")                                                         \
    M(CLIENT_DRAW, draw, "draw", FIELDS_DRAW,                                                      \
      "Offers or answers a draw. Answered by `position` or `refused`.")                            \
    M(CLIENT_UNDO, undo, "undo", FIELDS_UNDO,                                                      \
      "Undoes your last step: in your own turn, if nothing has happened since and it neither "     \
      "drew chance nor revealed anything; against an AI player of the server any step, with all "  \
      "that followed. Answered by `position`, sent to all who see a difference, or by `refused` "  \
      "with the reason.")                                                                          \
    M(CLIENT_TAKEBACK, takeback, "takeback", FIELDS_TAKEBACK,                                      \
      "Asks the other to let you take back your last step with all that followed, or answers "     \
      "that. Answered by `takeback`, or, once accepted, by `position`. What was decided by "       \
      "chance "                                                                                    \
      "is decided the same way if the same is done again.")                                        \
    M(CLIENT_LEAVER, leaver, "leaver", FIELDS_LEAVER,                                              \
      "Chooses what becomes of the match after the server's `leaver`. Whoever chooses nothing "    \
      "keeps waiting. Answered by `done`; `position` or `people` follows.")                        \
    M(CLIENT_RESIGN, resign, "resign", FIELDS_ID, "Resigns. Answered by `position`.")              \
    M(CLIENT_PAUSE, pause, "pause", FIELDS_ID,                                                     \
      "Stops all clocks; human players only. Answered by `paused`, sent to both players and all "  \
      "spectators.")                                                                               \
    M(CLIENT_CONTINUE, resume, "continue", FIELDS_ID,                                              \
      "Ends a pause, whoever started it; human players only. Answered by `continued`.")            \
    M(CLIENT_REMATCH, rematch, "rematch", FIELDS_ID,                                               \
      "Asks for a rematch with the same settings and swapped seats. Answered by `rematch`; once "  \
      "both have asked, by a new `table`.")                                                        \
    M(CLIENT_CHAT, chat, "chat", FIELDS_CHAT,                                                      \
      "Sends a chat line to everyone in the match. Answered by `chat`.")                           \
    M(CLIENT_LOGIN, login, "login", FIELDS_LOGIN,                                                  \
      "Logs in to the account of this device, or adds this device to one. Answered by `account`.") \
    M(CLIENT_CLAIM, claim, "claim", FIELDS_CLAIM,                                                  \
      "Makes an account with this name and this device, or renames yours. Answered by `account`.") \
    M(CLIENT_KEY, key, "key", FIELDS_KEY,                                                          \
      "Asks for a key by which other devices come to your account. Answered by `key`.")            \
    M(CLIENT_PASSWORD, password, "password", FIELDS_PASSWORD,                                      \
      "Sets or removes the password of your account. Answered by `account`.")                      \
    M(CLIENT_PROFILE, profile, "profile", FIELDS_PROFILE,                                          \
      "Hides or shows your profile, or asks how your account stands. Answered by `account`.")      \
    M(CLIENT_LOGOUT, logout, "logout", FIELDS_LOGOUT,                                              \
      "Logs this device or all others out of your account. Answered by `done`.")                   \
    M(CLIENT_DELETE, delete_account, "delete", FIELDS_DELETE,                                      \
      "Deletes your account with its ratings and programs; matches stay, without the names. "      \
      "Answered "                                                                                  \
      "by `done`.")                                                                                \
    M(CLIENT_TURNS, turns, "turns", FIELDS_ID,                                                     \
      "Which matches over days do you play, and in which is it your turn? Answered by `turns`.")   \
    M(CLIENT_VACATION, vacation, "vacation", FIELDS_VACATION,                                      \
      "Begins or ends a vacation, in which your turns in matches over days take no time. "         \
      "Answered by `turns`.")                                                                      \
    M(CLIENT_PREPARE, prepare, "prepare", FIELDS_PREPARE,                                          \
      "Leaves a turn with the server in a match over days, for when your turn comes, or drops "    \
      "what was left; only you learn of it. Answered by `prepared`.")                              \
    M(CLIENT_NOTICES, notices, "notices", FIELDS_NOTICES,                                          \
      "Sets where you are told of your turns in matches over days, or asks for it. A notice has "  \
      "the table's code, the game, the opponent's name and the deadline, never a position. "       \
      "Answered by `notices`.")                                                                    \
    M(CLIENT_RELATIONS, relations, "relations", FIELDS_RELATIONS,                                  \
      "Follows or blocks somebody, or neither any more; without `what`: asks for the lists. Who "  \
      "is blocked by you cannot challenge you, is not paired with you in quick matches, and you "  \
      "do not see what he chats. Answered by `relations`.")                                        \
    M(CLIENT_CHALLENGES, challenges, "challenges", FIELDS_ID,                                      \
      "Who challenges you, and whom do you? Answered by `challenges`.")                            \
    M(CLIENT_DECLINE, decline, "decline", FIELDS_CODE,                                             \
      "Declines a challenge: its table is closed. Answered by `done`.")                            \
    M(CLIENT_REPORT, report, "report", FIELDS_REPORT,                                              \
      "Tells the operators of the server about a match. Answered by `done`.")                      \
    M(CLIENT_HERE, here, "here", FIELDS_ID, "I am still here. Answered by `done`.")                \
    M(CLIENT_LEAVE, leave, "leave", FIELDS_ID,                                                     \
      "Leaves the table. Leaving a match in progress loses it, unless it is one over days. "       \
      "Answered by `done`.")                                                                       \
    M(CLIENT_TOURNAMENTS, tournaments, "tournaments", FIELDS_ID,                                   \
      "Which tournaments are there? Answered by `tournaments`.")                                   \
    M(CLIENT_TOURNAMENT_CREATE, tournament_create, "tournament-create", FIELDS_TOURNAMENT_CREATE,  \
      "Creates a tournament, whose organiser you are. Answered by `tournament` and "               \
      "`tournament-you`.")                                                                         \
    M(CLIENT_TOURNAMENT_WATCH, tournament_watch, "tournament-watch", FIELDS_TOURNAMENT_WATCH,      \
      "Tells you about a tournament from now on, instead of any other: answered by "               \
      "`tournament`, and with a token by `tournament-you`; both are sent again when they "         \
      "change. It can be asked at a table, too. A player who is not connected is away.")           \
    M(CLIENT_TOURNAMENT_JOIN, tournament_join, "tournament-join", FIELDS_TOURNAMENT_CODE,          \
      "Joins a tournament as a player under the name of `hello`, or is back after "                \
      "`tournament-leave`. Answered by `tournament` and `tournament-you`. When `tournament-you` "  \
      "has a `table`, take the seat by `return` with its `seat_token`; afterwards `leave` the "    \
      "table and wait for the next.")                                                              \
    M(CLIENT_TOURNAMENT_LEAVE, tournament_leave, "tournament-leave", FIELDS_ID,                    \
      "You are not paired any more, until you join again; a match in progress goes on. Answered "  \
      "by `tournament-you`.")                                                                      \
    M(CLIENT_TOURNAMENT_PAGE, tournament_page, "tournament-page", FIELDS_TOURNAMENT_PAGE,          \
      "All standings or pairings, page by page. Answered by `tournament-page`.")                   \
    M(CLIENT_TOURNAMENT_MANAGE, tournament_manage, "tournament-manage", FIELDS_TOURNAMENT_MANAGE,  \
      "What the organiser may do. Answered by `done`; `replace` by `tournament-you` with the "     \
      "token for the other person.")                                                               \
    M(SERVER_WELCOME, welcome, "welcome", FIELDS_WELCOME, "Answers `hello`.")                      \
    M(SERVER_DONE, done, "done", FIELDS_DONE, "Confirms a request that has no other answer.")      \
    M(SERVER_REFUSED, refused, "refused", FIELDS_REFUSED,                                          \
      "A request was refused; nothing has changed.")                                               \
    M(SERVER_GAMES, games_list, "games", FIELDS_TOLD_GAMES, "Answers `games`.")                    \
    M(SERVER_MATCHES, matches_list, "matches", FIELDS_TOLD_MATCHES, "Answers `matches`.")          \
    M(SERVER_TABLE, table, "table", FIELDS_TABLE,                                                  \
      "You are at a table: everything about it that does not change from move to move. Sent "      \
      "again when the match starts.")                                                              \
    M(SERVER_PEOPLE, people, "people", FIELDS_PEOPLE, "A player joined, left or came back.")       \
    M(SERVER_POSITION, position, "position", FIELDS_POSITION,                                      \
      "What you see has changed, or you have just joined. Always the complete position.")          \
    M(SERVER_PAUSED, paused, "paused", FIELDS_PAUSED, "The match and all clocks are paused.")      \
    M(SERVER_CONTINUED, continued, "continued", FIELDS_CONTINUED, "The match has resumed.")        \
    M(SERVER_WARNING, warning, "warning", FIELDS_WARNING, "One of your clocks is running out.")    \
    M(SERVER_CHAT, chat_line, "chat", FIELDS_TOLD_CHAT, "A chat line.")                            \
    M(SERVER_REMATCH, rematch_offer, "rematch", FIELDS_TOLD_REMATCH, "A player wants a rematch.")  \
    M(SERVER_HISTORY, history, "history", FIELDS_HISTORY,                                          \
      "What has happened so far, if `hello` asked for it and there is anything: for a log.")       \
    M(SERVER_TAKEBACK, takeback_said, "takeback", FIELDS_TOLD_TAKEBACK,                            \
      "A player asks for a takeback, or declines one. It lapses with the next action.")            \
    M(SERVER_LEAVER, leaver_told, "leaver", FIELDS_TOLD_LEAVER,                                    \
      "To a player with `leavers` in `hello`: the other player was away for the grace time. "      \
      "You choose what becomes of the match, or wait on; it is void when he comes back, which "    \
      "`people` tells. If you go away as well for the grace time, you have won.")                  \
    M(SERVER_ACCOUNT, account, "account", FIELDS_ACCOUNT, "You are logged in: your account.")      \
    M(SERVER_KEY, key_made, "key", FIELDS_TOLD_KEY, "A key for other devices.")                    \
    M(SERVER_RATED, rated, "rated", FIELDS_TOLD_RATED,                                             \
      "The rated match that has just ended was counted.")                                          \
    M(SERVER_TURNS, turns_list, "turns", FIELDS_TOLD_TURNS, "Answers `turns` and `vacation`.")     \
    M(SERVER_PREPARED, prepared, "prepared", FIELDS_TOLD_PREPARED,                                 \
      "Answers `prepare`; also sent behind the position when a turn was left here, or has just "   \
      "been carried out.")                                                                         \
    M(SERVER_NOTICES, notices_told, "notices", FIELDS_TOLD_NOTICES, "Answers `notices`.")          \
    M(SERVER_RELATIONS, relations_told, "relations", FIELDS_TOLD_RELATIONS,                        \
      "Answers `relations`.")                                                                      \
    M(SERVER_CHALLENGES, challenges_told, "challenges", FIELDS_TOLD_CHALLENGES,                    \
      "Answers `challenges`; also sent when somebody challenges you.")                             \
    M(SERVER_TAKEN, taken, "taken", FIELDS_TAKEN,                                                  \
      "Your seat was taken over by another connection; you are no longer at a table.")             \
    M(SERVER_CLOSED, closed, "closed", FIELDS_CLOSED,                                              \
      "The table has closed; you are no longer at a table.")                                       \
    M(SERVER_TOURNAMENTS, tournaments_list, "tournaments", FIELDS_TOLD_TOURNAMENTS,                \
      "Answers `tournaments`.")                                                                    \
    M(SERVER_TOURNAMENT, tournament, "tournament", FIELDS_TOLD_TOURNAMENT,                         \
      "How a tournament stands.")                                                                  \
    M(SERVER_TOURNAMENT_YOU, tournament_you, "tournament-you", FIELDS_TOLD_TOURNAMENT_YOU,         \
      "What you are in a tournament, and your next match.")                                        \
    M(SERVER_TOURNAMENT_PAGE, tournament_lines, "tournament-page", FIELDS_TOLD_TOURNAMENT_PAGE,    \
      "Answers `tournament-page`.")                                                                \
    M(SERVER_MOVED, moved, "moved", FIELDS_MOVED,                                                  \
      "The table or tournament is at another node of this server. Answers `join`, `watch`, "       \
      "`return`, `seek` and all about a tournament: connect to that node and ask again there.")
#define PROTO_ROW(name, member, id, fields, meaning) MESSAGE_##name,
/* The messages listed above. */
typedef enum MessageKind { MESSAGES(PROTO_ROW) MESSAGE_COUNT } MessageKind;
#undef PROTO_ROW

/* --- Shapes: objects inside messages ---------------------------------------------------------- */

#define FIELDS_PLAYER(F)                                                                           \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "0 or 1")                                                \
    F(LINE, "name", name, OPTIONAL, PROTO_NAME_MAX, 0, "omitted: the seat is open")                \
    F(ENUM, "role", role, OPTIONAL, PROTO_ROLES_LIST, 0, "omitted: the seat is open")              \
    F(BOOL, "here", here, REQUIRED, 0, 0,                                                          \
      "whether the player is connected; AI players of the server always are")                      \
    F(INT, "away_ms", away_ms, OPTIONAL, 0, PROTO_DAY_MS,                                          \
      "how long the connection has been lost, not counting a pause; omitted: the match is not "    \
      "running, or the player is here")                                                            \
    F(BOOL, "account", account, OPTIONAL, 0, 0,                                                    \
      "true: the name belongs to an account; omitted: a guest")                                    \
    F(INT, "rating", rating, OPTIONAL, 0, 9999, "in this game at this pace; omitted: none")        \
    F(BOOL, "provisional", provisional, OPTIONAL, 0, 0, "true: the rating is not certain yet")
#define FIELDS_MATCH(F)                                                                            \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(LINE, "preset", preset, OPTIONAL, PROTO_ID_MAX, 0, "omitted: custom files")                  \
    F(ENUM, "state", state, REQUIRED, PROTO_STATES_LIST, 0, "state of the table")                  \
    F(BOOL, "quick", quick, REQUIRED, 0, 0, "waits for `seek`; `join` with its code works too")    \
    F(BOOL, "glass", open_to_spectators, REQUIRED, 0, 0, "spectators see hidden pieces")           \
    F(BOOL, "tips", tips, OPTIONAL, 0, 0, "false: no tips before the match is over")               \
    F(BOOL, "rated", rated, OPTIONAL, 0, 0, "true: it counts for ratings, and needs an account")   \
    F(BOOL, "phrases", phrases, OPTIONAL, 0, 0, "true: nothing but phrases in the chat")           \
    F(INT, "from_turn", from_turn, OPTIONAL, 1, INT32_MAX,                                         \
      "the match goes on from this turn of another one")                                           \
    F(INT, "watchers", watchers, REQUIRED, 0, INT32_MAX, "number of spectators")                   \
    F(INT, "turn_ms", turn_ms, REQUIRED, 0, PROTO_TURN_MS, "time per turn; 0 = no limit")          \
    F(INT, "match_ms", match_ms, REQUIRED, 0, PROTO_DAY_MS, "time for the match; 0 = no limit")    \
    F(INT, "bank_ms", bank_ms, OPTIONAL, 0, PROTO_DAY_MS, "each player's own time for all turns")  \
    F(INT, "increment_ms", increment_ms, OPTIONAL, 0, PROTO_DAY_MS, "what a turn adds to it")      \
    F(INT, "days", days, OPTIONAL, 1, PROTO_DAYS_MAX, "days for each turn: a match over days")     \
    F(OPTIONS, "options", options, REQUIRED, 0, 0, "rule variants that are not the default")       \
    F(LIST, "players", players, REQUIRED, SHAPE_PLAYER, 0, "the players")
#define FIELDS_GAME(F)                                                                             \
    F(LINE, "id", id, REQUIRED, PROTO_ID_MAX, 0, "for `seek` and `open`")                          \
    F(LINE, "title", title, REQUIRED, PROTO_SENTENCE_MAX, 0, "for people")                         \
    F(INT, "version", version, REQUIRED, 0, INT32_MAX, "of its rules")                             \
    F(LIST, "presets", presets, REQUIRED, SHAPE_PRESET, 0,                                         \
      "the boards that come with it; the first is the default")                                    \
    F(LIST, "options", options, REQUIRED, SHAPE_OPTION, 0, "its rule variants")
#define FIELDS_PRESET(F)                                                                           \
    F(LINE, "id", id, REQUIRED, PROTO_ID_MAX, 0, "for `seek` and `open`")                          \
    F(LINE, "title", title, REQUIRED, PROTO_SENTENCE_MAX, 0, "for people")                         \
    F(INT, "width", width, REQUIRED, 1, MASH_SIDE_MAX, "columns of its board")                     \
    F(INT, "height", height, REQUIRED, 1, MASH_SIDE_MAX, "rows of its board")                      \
    F(INT, "turn_ms", turn_ms, REQUIRED, 0, PROTO_DAY_MS, "default time per turn; 0 = no limit")   \
    F(INT, "match_ms", match_ms, REQUIRED, 0, PROTO_DAY_MS, "default total match time")            \
    F(INT, "pause_ms", pause_ms, REQUIRED, 0, PROTO_DAY_MS, "default longest pause")               \
    F(INT, "silence_ms", silence_ms, REQUIRED, 0, PROTO_DAY_MS, "default longest silence")         \
    F(INT, "grace_ms", grace_ms, REQUIRED, 0, PROTO_DAY_MS, "default time to reconnect")
#define FIELDS_OPTION(F)                                                                           \
    F(LINE, "id", id, REQUIRED, PROTO_ID_MAX, 0, "for `options`")                                  \
    F(LINE, "title", title, REQUIRED, PROTO_SENTENCE_MAX, 0, "for people")                         \
    F(INT, "least", least, REQUIRED, INT32_MIN, INT32_MAX, "least value")                          \
    F(INT, "most", most, REQUIRED, INT32_MIN, INT32_MAX, "greatest value")                         \
    F(INT, "usual", usual, REQUIRED, INT32_MIN, INT32_MAX, "default value")
#define FIELDS_DOCUMENT(F)                                                                         \
    F(LINE, "name", name, REQUIRED, PROTO_DOCUMENT_NAME_MAX, 0,                                    \
      "file name; its last two parts give the kind (.start.json)")                                 \
    F(TEXT, "text", text, OPTIONAL, 0, 0, "the whole file; omitted: the included file of that name")
#define FIELDS_CLOCKS(F)                                                                           \
    F(SEAT_TIMES, "turn", turn, REQUIRED, 0, 0, "ms left of each seat's turn; null: not running")  \
    F(INT, "match", match, OPTIONAL, 0, PROTO_DAY_MS,                                              \
      "ms left of the whole match; omitted: no limit")
#define FIELDS_RESULT(F)                                                                           \
    F(SEAT, "winner", winner, REQUIRED, 0, 0, "null: drawn")                                       \
    F(INT, "reason", reason, REQUIRED, 0, 255, "number of the reason")                             \
    F(LINE, "why", why, REQUIRED, PROTO_SENTENCE_MAX, 0, "the reason, for people")                 \
    F(LINE, "reason_id", reason_id, REQUIRED, PROTO_NOTATION_MAX, 0, "the reason's id")
#define FIELDS_BOARD(F)                                                                            \
    F(INT, "width", width, REQUIRED, 1, MASH_SIDE_MAX,                                             \
      "columns; x counts them from 0 at the left")                                                 \
    F(INT, "height", height, REQUIRED, 1, MASH_SIDE_MAX, "rows; y counts them from 0 at the top")  \
    F(LINE, "phase", phase, REQUIRED, PROTO_NOTATION_MAX, 0, "the phase of the match")             \
    F(LINE, "phase_id", phase_id, REQUIRED, PROTO_NOTATION_MAX, 0, "its id")                       \
    F(INT, "active", active, OPTIONAL, 0, 254, "the unit that is acting, if one is")               \
    F(INTS, "order", order, REQUIRED, 0, 254,                                                      \
      "units still to act, the next one first; 240 and 241 are "                                   \
      "whole sides")                                                                               \
    F(NAMES, "grounds", grounds, REQUIRED, 0, 0, "names of the kinds of ground")                   \
    F(NAMES, "ground_ids", ground_ids, REQUIRED, 0, 0, "their ids")                                \
    F(INT_ROWS, "ground", ground, REQUIRED, 0, 255,                                                \
      "row by row the kind of ground of each cell: index in grounds")                              \
    F(INT_ROWS, "wear", wear, OPTIONAL, 0, 65535,                                                  \
      "row by row the health of the ground; omitted: it has none")                                 \
    F(LIST, "tokens", tokens, REQUIRED, SHAPE_TOKEN, 0, "all units")                               \
    F(LIST, "meters", meters, REQUIRED, SHAPE_METER, 0, "all values to be seen")                   \
    F(LIST, "figures", figures, OPTIONAL, SHAPE_FIGURE, 0, "when the match is over: its statistics")
#define FIELDS_TOKEN(F)                                                                            \
    F(INT, "unit", unit, REQUIRED, 0, 255, "its number; 255: it has none yet")                     \
    F(LINE, "name", name, REQUIRED, PROTO_NOTATION_MAX, 0,                                         \
      "its short name, unique among those that have a number")                                     \
    F(LINE, "kind", kind, OPTIONAL, PROTO_NOTATION_MAX, 0, "what it is; omitted: hidden from you") \
    F(LINE, "kind_id", kind_id, OPTIONAL, PROTO_NOTATION_MAX, 0, "the kind's id")                  \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "whose it is; null: nobody's")                           \
    F(ENUM, "place", place, REQUIRED, PROTO_PLACES_LIST, 0, "where it is")                         \
    F(INT, "x", x, OPTIONAL, -1, 127, "column, on the board")                                      \
    F(INT, "y", y, OPTIONAL, -1, 127, "row, on the board")                                         \
    F(BOOL, "done", done, OPTIONAL, 0, 0, "it can do nothing more this turn")                      \
    F(BOOL, "revealed", revealed, OPTIONAL, 0, 0, "visible to everyone")                           \
    F(BOOL, "chosen", chosen, OPTIONAL, 0, 0, "in a draft: it is taken")
#define FIELDS_METER(F)                                                                            \
    F(INT, "unit", unit, OPTIONAL, 0, 254, "of this unit")                                         \
    F(SEAT, "side", side, OPTIONAL, 0, 0, "of this seat; with neither, of the table")              \
    F(LINE, "name", name, REQUIRED, PROTO_NOTATION_MAX, 0, "name of the value")                    \
    F(LINE, "id", id, REQUIRED, PROTO_NOTATION_MAX, 0, "its id")                                   \
    F(ENUM, "role", role, REQUIRED, PROTO_METER_ROLES_LIST, 0, "what is to be done with it")       \
    F(INT, "index", index, REQUIRED, 0, 255, "which of several")                                   \
    F(NAMES, "about", about, OPTIONAL, 0, 0,                                                       \
      "what it is about: an ability, an effect, a set of them")                                    \
    F(NAMES, "about_ids", about_ids, OPTIONAL, 0, 0, "their ids")                                  \
    F(INT, "now", now, REQUIRED, INT32_MIN, INT32_MAX, "its value; of a set: one bit for each")    \
    F(INT, "most", most, OPTIONAL, INT32_MIN, INT32_MAX, "its greatest value, if it has one")
#define FIELDS_FIGURE(F)                                                                           \
    F(INT, "unit", unit, OPTIONAL, 0, 254, "of this unit")                                         \
    F(SEAT, "side", side, OPTIONAL, 0, 0, "of this seat")                                          \
    F(LINE, "name", name, REQUIRED, PROTO_NOTATION_MAX, 0, "what is counted")                      \
    F(LINE, "id", id, REQUIRED, PROTO_NOTATION_MAX, 0, "its id")                                   \
    F(INT, "value", value, REQUIRED, INT32_MIN, INT32_MAX, "how much")
#define FIELDS_ACTIONS(F)                                                                          \
    F(INT, "verb", verb, REQUIRED, 1, 239, "for `act`")                                            \
    F(LINE, "name", name, REQUIRED, PROTO_NOTATION_MAX, 0, "the verb's name")                      \
    F(LINE, "id", id, REQUIRED, PROTO_NOTATION_MAX, 0, "the verb's id")                            \
    F(INT, "unit", unit, REQUIRED, 0, 255, "for `act`")                                            \
    F(INT, "ability", ability, REQUIRED, 0, 255, "for `act`")                                      \
    F(INT_ROWS, "cells", cells, REQUIRED, -128, 255,                                               \
      "one entry for each action: [x, y], or [x, y, other, amount] "                               \
      "where one of these is not 0")                                                               \
    F(NAMES, "words", words, OPTIONAL, 0, 0,                                                       \
      "the words of each entry of cells, if words were asked for")
#define FIELDS_EVENT(F)                                                                            \
    F(LINE, "kind", kind, REQUIRED, PROTO_ID_MAX, 0, "what happened: see below")                   \
    F(INT, "unit", unit, REQUIRED, 0, 255, "the unit it is about; 255: none")                      \
    F(INT, "other", other, REQUIRED, 0, 255, "the other unit or seat")                             \
    F(INTS, "from", from, REQUIRED, -128, 127, "[x, y] it comes from")                             \
    F(INTS, "at", at, REQUIRED, -128, 127, "[x, y] where it happens")                              \
    F(INT, "amount", amount, REQUIRED, INT32_MIN, INT32_MAX, "how much")                           \
    F(INT, "what", what, REQUIRED, 0, 255, "which")                                                \
    F(LINE, "what_id", what_id, OPTIONAL, PROTO_NOTATION_MAX, 0,                                   \
      "the id of `what`, where that is a number of something that has one")                        \
    F(LINE, "text", text, OPTIONAL, PROTO_SENTENCE_MAX, 0, "a sentence, if words were asked for")

#define FIELDS_STEP(F)                                                                             \
    F(LIST, "events", events, OPTIONAL, SHAPE_EVENT, 0, "json: the events")                        \
    F(BASE64, "happened", happened, OPTIONAL, 0, 0, "bytes: the events, 16 bytes each")

/* S(name, id, fields, meaning) */
#define SHAPES(S)                                                                                  \
    S(PLAYER, "player", FIELDS_PLAYER, "Somebody at a seat.")                                      \
    S(RATING, "rating", FIELDS_RATING, "How somebody plays a game at a pace.")                     \
    S(PERSON, "person", FIELDS_PERSON, "A player whom you follow or block.")                       \
    S(CHALLENGE, "challenge", FIELDS_CHALLENGE, "A table that waits for one player.")              \
    S(TURN, "turn", FIELDS_TURN, "A match over days, as one of its players sees it.")              \
    S(BRANCH, "branch", FIELDS_BRANCH, "A turn that was left with the server.")                    \
    S(CHANGE, "change", FIELDS_CHANGE, "What a match did to a rating.")                            \
    S(MATCH, "match", FIELDS_MATCH, "A table in the list of matches.")                             \
    S(GAME, "game", FIELDS_GAME, "A game that can be played here.")                                \
    S(PRESET, "preset", FIELDS_PRESET, "A content that comes with a game.")                        \
    S(OPTION, "option", FIELDS_OPTION, "A rule variant.")                                          \
    S(DOCUMENT, "document", FIELDS_DOCUMENT, "A file of a content.")                               \
    S(CLOCKS, "clocks", FIELDS_CLOCKS, "What is left of the times.")                               \
    S(RESULT, "result", FIELDS_RESULT, "How a match ended.")                                       \
    S(BOARD, "board", FIELDS_BOARD, "All there is to see.")                                        \
    S(TOKEN, "token", FIELDS_TOKEN, "A unit to draw.")                                             \
    S(METER, "meter", FIELDS_METER, "A value to show.")                                            \
    S(FIGURE, "figure", FIELDS_FIGURE, "A number for the end screen.")                             \
    S(ACTIONS, "actions", FIELDS_ACTIONS, "Actions of one verb, unit and ability.")                \
    S(EVENT, "event", FIELDS_EVENT, "A fact.")                                                     \
    S(STEP, "step", FIELDS_STEP, "What you could see of one step.")                                \
    S(TOURNAMENT, "tournament", FIELDS_TOURNAMENT_HEAD, "A tournament in the list.")               \
    S(STANDING, "standing", FIELDS_STANDING, "A line of the standings.")                           \
    S(PAIRING, "pairing", FIELDS_PAIRING, "Two players who meet, or a bye.")                       \
    S(CHAT, "chat-line", FIELDS_CHAT_LINE, "A chat line.")
#define PROTO_ROW(name, id, fields, meaning) SHAPE_##name,
/* The shapes listed above. */
typedef enum MessageShape { SHAPES(PROTO_ROW) SHAPE_COUNT } MessageShape;
#undef PROTO_ROW

/* --- Structs ---------------------------------------------------------------------------------- */

/* Rule variants by id. */
typedef struct MessageOptions {
    uint32_t count;
    struct {
        char id[PROTO_ID_MAX + 1];
        int32_t value;
    } list[MASH_OPTIONS_MAX];
} MessageOptions;

/* Documents; bytes NULL: the one that comes with the game. When read, they are in the lent text. */
typedef struct MessageDocuments {
    uint32_t count;
    MashDocument list[MASH_DOCUMENTS_MAX];
} MessageDocuments;

/* A piece of JSON. When read: `node` of message.json, and its bytes. For writing: valid JSON, or
 * for BASE64 the digits without quotes. */
typedef struct MessageJson {
    const char *bytes;
    uint32_t count, node;
} MessageJson;

#define MEMBER_LINE(name, a)                                   char name[(a) + 1];
#define MEMBER_INT(name, a)                                    int32_t name;
#define MEMBER_BOOL(name, a)                                   bool name;
#define MEMBER_ENUM(name, a)                                   uint8_t name;
#define MEMBER_SEAT(name, a)                                   uint8_t name;
#define MEMBER_CODE(name, a)                                   char name[PROTO_CODE_MAX + 1];
#define MEMBER_HEX(name, a)                                    char name[(a) + 1];
#define MEMBER_OPTIONS(name, a)                                MessageOptions name;
#define MEMBER_DOCUMENTS(name, a)                              MessageDocuments name;
#define MEMBER_BASE64(name, a)                                 MessageJson name;
#define MEMBER_INTS(name, a)                                   MessageJson name;
#define MEMBER_NAMES(name, a)                                  MessageJson name;
#define MEMBER_INT_ROWS(name, a)                               MessageJson name;
#define MEMBER_SEAT_TIMES(name, a)                             MessageJson name;
#define MEMBER_OBJECT(name, a)                                 MessageJson name;
#define MEMBER_LIST(name, a)                                   MessageJson name;
#define PROTO_MEMBER(kind, key, name, required, a, b, meaning) MEMBER_##kind(name, a)
#define PROTO_ROW(name, member, id, fields, meaning)                                               \
    typedef struct name##_FIELDS {                                                                 \
        fields(PROTO_MEMBER)                                                                       \
    } name##_FIELDS;
/* A struct for the fields of each message: CLIENT_HELLO_FIELDS ... */
MESSAGES(PROTO_ROW)
#undef PROTO_ROW
#undef PROTO_MEMBER

#define PROTO_ROW(name, member, id, fields, meaning) name##_FIELDS member;
/* A message. `present` has a bit for each field that is present, in the order of the list: test
 * with message_has(), set with message_set_present(). Required fields need no bit to be written. */
typedef struct Message {
    MessageKind kind;
    uint32_t present;
    Json json; /* when read: the nodes of a MessageJson */
    union {
        MESSAGES(PROTO_ROW)
    };
} Message;
#undef PROTO_ROW

/* --- Functions -------------------------------------------------------------------------------- */

/* Memory for reading, lent; the message points into it. */
typedef struct MessageMemory {
    JsonNode *nodes;
    uint32_t nodes_max;
    char *text; /* decoded documents */
    uint32_t text_max;
} MessageMemory;

/* Result of reading. */
typedef enum MessageReadResult {
    MESSAGE_VALID,
    MESSAGE_INVALID, /* the type is known, but a field is invalid: kind is set, problems say why */
    MESSAGE_UNREADABLE /* not JSON, not an object, no type, or an unknown type */
} MessageReadResult;

/* Reads one frame: with from_server a server message, otherwise a client message. The bytes must
 * stay valid as long as the message is used. */
MessageReadResult message_read(Message *message, const char *bytes, uint32_t count,
                               bool from_server, const MessageMemory *memory,
                               MashProblems *problems);
/* Does every value fit its field? A server checks before it writes, so that an invalid value of its
 * own costs one connection and not all. */
bool message_fits(const Message *message);
/* Appends the message, which must fit, as JSON; check text->cut. */
void message_write(const Message *message, MashText *text);

/* An empty message of this kind; seats are null. */
Message message_new(MessageKind kind);
/* Is the field present? The name must be one of the message's. */
bool message_has(const Message *message, const char *field);
/* Marks an optional field as present. */
void message_set_present(Message *message, const char *field);
/* Its type on the wire. */
const char *message_type(MessageKind kind);
/* Is it a client message, not a server message? */
bool message_from_client(MessageKind kind);

/* The code and the sentence of a refusal, and whether it counts as an offence. */
const char *refusal_code(Refusal refusal);
const char *refusal_sentence(Refusal refusal);
bool refusal_offence(Refusal refusal);

/* The id of a choice. */
const char *choice_id(ProtoChoices list, uint32_t number);
/* The English words of a phrase, and the phrase of these words; PROTO_PHRASE_COUNT: none. */
const char *phrase_words(uint32_t phrase);
uint32_t phrase_of(const char *words);

/* A table code from its number (below 2^60), and back; capitals, missing dashes, and o for 0, i or
 * l for 1 are accepted. False: it is not a table code. */
void table_code_encode(uint64_t number, char out[PROTO_CODE_MAX + 1]);
bool table_code_decode(const char *code, uint64_t *number);

/* Eight bytes of an action from 16 hexadecimal digits, and back. */
bool action_from_hex(const char *digits, MashAction *action);
void action_to_hex(MashAction action, MashText *text);

/* An option of a game with its bounds and its default. */
void option_write(JsonWriter *writer, const MashOption *option);
/* Documents as an array of objects; one without bytes has no text. */
void message_put_documents(JsonWriter *writer, const MashDocument *list, uint32_t count);

/* Base64 (RFC 4648, with padding). Decoding returns how many bytes it wrote, or -1 if it is not
 * base64 or `max` is too small. */
void base64_encode(const void *bytes, uint32_t count, MashText *text);
int64_t base64_decode(const char *digits, uint32_t count, void *out, uint32_t max);

#endif
