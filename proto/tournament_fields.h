/* tournament_fields.h -- the part of the list in message.h that is about tournaments: words and
 * fields, in the same form. */
#ifndef PROTO_TOURNAMENT_FIELDS_H
#define PROTO_TOURNAMENT_FIELDS_H

/* Limits. */
enum {
    PROTO_TITLE_MAX = 60,         /* bytes of a tournament's title */
    PROTO_CONTESTANTS_MAX = 1000, /* players of a tournament */
    PROTO_MINUTES_MAX = 43200,    /* 30 days */
};

/* --- Choices ---------------------------------------------------------------------------------- */

/* Kinds of tournament. */
#define PROTO_FORMATS(X)                                                                           \
    X(ARENA, "arena",                                                                              \
      "a fixed time: whoever is there and free is paired again and again, by points, then "        \
      "rating; join and leave at will")                                                            \
    X(SWISS, "swiss", "rounds in which players with equal points meet, nobody twice")              \
    X(ROUND_ROBIN, "round-robin", "everybody meets everybody")                                     \
    X(KNOCK_OUT, "knock-out", "who loses is out")
/* The phase of a tournament. */
#define PROTO_PHASES(X)                                                                            \
    X(WAITING, "waiting", "it has not begun")                                                      \
    X(RUNNING, "running", "it is in progress")                                                     \
    X(PAUSED, "paused", "nobody is paired; matches that run go on")                                \
    X(OVER, "over", "it has ended")
/* How a match of a tournament ended. */
#define PROTO_SCORES(X)                                                                            \
    X(FIRST, "first", "the player of the first seat has won")                                      \
    X(SECOND, "second", "the player of the second seat has won")                                   \
    X(DRAW, "draw", "a draw")                                                                      \
    X(NONE, "none", "nobody came, or it was not played: no points")
/* What its organiser may do. */
#define PROTO_ORDERS(X)                                                                            \
    X(START, "start", "begin now")                                                                 \
    X(PAUSE, "pause", "pair nobody for now")                                                       \
    X(CONTINUE, "continue", "go on")                                                               \
    X(END, "end", "end it; matches that run still count")                                          \
    X(REMOVE, "remove", "remove `player`, whose match is lost")                                    \
    X(REPLACE, "replace",                                                                          \
      "let somebody else go on as `player`, under `name`; the answer has the new token")           \
    X(ADJUST, "adjust", "give `player` `points` more, or less")                                    \
    X(RESULT, "result", "set the result of the match of table `table` to `score`")
/* Pages of a tournament. */
#define PROTO_SHEETS(X)                                                                            \
    X(STANDINGS, "standings", "the standings")                                                     \
    X(PAIRINGS, "pairings", "who met whom, in the order of the rounds")

/* --- Client messages -------------------------------------------------------------------------- */

#define FIELDS_TOURNAMENT_CREATE(F)                                                                \
    FIELDS_ID(F)                                                                                   \
    FIELDS_SETTING(F)                                                                              \
    F(LINE, "title", title, REQUIRED, PROTO_TITLE_MAX, 0, "its title")                             \
    F(ENUM, "kind", kind, REQUIRED, PROTO_FORMATS_LIST, 0, "its kind")                             \
    F(INT, "minutes", minutes, OPTIONAL, 1, PROTO_MINUTES_MAX,                                     \
      "arena: how long it lasts; with `free`: until when all matches are to be played; default: "  \
      "60, with `free` a week")                                                                    \
    F(INT, "rounds", rounds, OPTIONAL, 1, 100,                                                     \
      "swiss: how many rounds; round-robin: how often everybody meets everybody; default: as "     \
      "many as it takes to find a winner, or 1")                                                   \
    F(BOOL, "free", free, OPTIONAL, 0, 0,                                                          \
      "round-robin: no rounds; two play as soon as both are there and free, over days if need be") \
    F(INT, "start_in", start_in, OPTIONAL, 0, PROTO_MINUTES_MAX * 60,                              \
      "seconds until it begins; omitted: when the organiser says so")                              \
    F(INT, "rest_ms", rest_ms, OPTIONAL, 0, PROTO_DAY_MS,                                          \
      "time between two rounds; default: 10 seconds")                                              \
    F(INT, "players_max", players_max, OPTIONAL, 2, PROTO_CONTESTANTS_MAX,                         \
      "the most players; default: as many as the server allows")                                   \
    F(BOOL, "secret", secret, OPTIONAL, 0, 0, "unlisted: only found by its code")                  \
    F(BOOL, "glass", open_to_spectators, OPTIONAL, 0, 0, "spectators see hidden pieces")
#define FIELDS_TOURNAMENT_WATCH(F)                                                                 \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")                                 \
    F(HEX, "token", token, OPTIONAL, PROTO_TOKEN_DIGITS, 0,                                        \
      "the token of `tournament-you`: you are its player or organiser")
#define FIELDS_TOURNAMENT_CODE(F)                                                                  \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")
#define FIELDS_TOURNAMENT_PAGE(F)                                                                  \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")                                 \
    F(ENUM, "what", what, REQUIRED, PROTO_SHEETS_LIST, 0, "of what")                               \
    F(INT, "from", from, OPTIONAL, 0, INT32_MAX, "number of its first line, from 0; default: 0")
#define FIELDS_TOURNAMENT_MANAGE(F)                                                                \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")                                 \
    F(ENUM, "what", what, REQUIRED, PROTO_ORDERS_LIST, 0, "what to do")                            \
    F(INT, "player", player, OPTIONAL, 0, PROTO_CONTESTANTS_MAX - 1, "number of a player")         \
    F(LINE, "name", name, OPTIONAL, PROTO_NAME_MAX, 0, "of who goes on for the player")            \
    F(INT, "points", points, OPTIONAL, -1000, 1000, "how many; a win is 2")                        \
    F(CODE, "table", table, OPTIONAL, 0, 0, "code of a match")                                     \
    F(ENUM, "score", score, OPTIONAL, PROTO_SCORES_LIST, 0, "its result")

/* --- Server messages -------------------------------------------------------------------------- */

/* What is known of a tournament at a glance. */
#define FIELDS_TOURNAMENT_HEAD(F)                                                                  \
    F(CODE, "code", code, REQUIRED, 0, 0, "its code: friends find it by that")                     \
    F(LINE, "title", title, REQUIRED, PROTO_TITLE_MAX, 0, "its title")                             \
    F(ENUM, "kind", kind, REQUIRED, PROTO_FORMATS_LIST, 0, "its kind")                             \
    F(ENUM, "state", state, REQUIRED, PROTO_PHASES_LIST, 0, "its phase")                           \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(LINE, "preset", preset, OPTIONAL, PROTO_ID_MAX, 0, "its content")                            \
    F(INT, "turn_ms", turn_ms, REQUIRED, 0, PROTO_DAY_MS, "time per turn; 0 = no limit")           \
    F(INT, "match_ms", match_ms, REQUIRED, 0, PROTO_DAY_MS, "time for the match; 0 = no limit")    \
    F(INT, "bank_ms", bank_ms, OPTIONAL, 0, PROTO_DAY_MS, "each player's own time for all turns")  \
    F(INT, "increment_ms", increment_ms, OPTIONAL, 0, PROTO_DAY_MS, "what a turn adds to it")      \
    F(INT, "players", players, REQUIRED, 0, PROTO_CONTESTANTS_MAX, "how many have joined")         \
    F(INT, "round", round, REQUIRED, 0, INT32_MAX, "the round in progress; 0: none yet")           \
    F(INT, "rounds", rounds, OPTIONAL, 0, INT32_MAX, "of so many, where that is known")            \
    F(INT, "starts_in", starts_in, OPTIONAL, 0, PROTO_MINUTES_MAX * 60,                            \
      "waiting: seconds until it begins; omitted: the organiser decides")                          \
    F(INT, "ends_in", ends_in, OPTIONAL, 0, PROTO_MINUTES_MAX * 60,                                \
      "running, with a fixed time: seconds until nobody is paired any more")
#define FIELDS_TOLD_TOURNAMENTS(F)                                                                 \
    F(LIST, "tournaments", tournaments, REQUIRED, SHAPE_TOURNAMENT, 0,                             \
      "those in progress, then those that wait, then those that are over; the newest first")
#define FIELDS_TOLD_TOURNAMENT(F)                                                                  \
    FIELDS_TOURNAMENT_HEAD(F)                                                                      \
    F(INT, "here", here, REQUIRED, 0, PROTO_CONTESTANTS_MAX, "how many of the players are here")   \
    F(INT, "playing", playing, REQUIRED, 0, INT32_MAX, "how many matches run")                     \
    F(INT, "pairings", pairings, REQUIRED, 0, INT32_MAX, "how many lines `tournament-page` has")   \
    F(INT, "minutes", minutes, OPTIONAL, 0, PROTO_MINUTES_MAX, "its time, if that is fixed")       \
    F(BOOL, "free", free, REQUIRED, 0, 0, "no rounds: two play when both are there")               \
    F(BOOL, "pair", pair, REQUIRED, 0, 0, "two matches for each pairing, with swapped seats")      \
    F(BOOL, "secret", secret, REQUIRED, 0, 0, "unlisted")                                          \
    F(INT, "next_in", next_in, OPTIONAL, 0, PROTO_DAY_MS, "ms until the next round")               \
    F(LIST, "standings", standings, REQUIRED, SHAPE_STANDING, 0,                                   \
      "the first 20 of the standings; `tournament-page` has all")                                  \
    F(LIST, "boards", boards, REQUIRED, SHAPE_PAIRING, 0,                                          \
      "matches that run, those of the best players first; 20 at most")
#define FIELDS_TOLD_TOURNAMENT_YOU(F)                                                              \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")                                 \
    F(HEX, "token", token, REQUIRED, PROTO_TOKEN_DIGITS, 0,                                        \
      "your token in this tournament, for `tournament-watch`; keep it secret")                     \
    F(BOOL, "organiser", organiser, REQUIRED, 0, 0, "whether you may use `tournament-manage`")     \
    F(INT, "player", player, OPTIONAL, 0, PROTO_CONTESTANTS_MAX - 1,                               \
      "your number in the standings; omitted: you don't play")                                     \
    F(BOOL, "away", away, OPTIONAL, 0, 0, "true: you are not paired before you join again")        \
    F(CODE, "table", table, OPTIONAL, 0, 0, "your match is ready: its table")                      \
    F(HEX, "seat_token", seat_token, OPTIONAL, PROTO_TOKEN_DIGITS, 0,                              \
      "for `return`: take the seat")                                                               \
    F(LINE, "opponent", opponent, OPTIONAL, PROTO_NAME_MAX, 0, "who plays against you")            \
    F(INT, "round", round, OPTIONAL, 0, INT32_MAX, "in which round")                               \
    F(INT, "bye", bye, OPTIONAL, 0, INT32_MAX, "you have no opponent in this round")
#define FIELDS_TOLD_TOURNAMENT_PAGE(F)                                                             \
    F(CODE, "code", code, REQUIRED, 0, 0, "the tournament's code")                                 \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "the id of your request, if it had one")              \
    F(ENUM, "what", what, REQUIRED, PROTO_SHEETS_LIST, 0, "of what")                               \
    F(INT, "from", from, REQUIRED, 0, INT32_MAX, "number of the first line")                       \
    F(INT, "count", count, REQUIRED, 0, INT32_MAX, "how many lines there are in all")              \
    F(LIST, "standings", standings, OPTIONAL, SHAPE_STANDING, 0, "up to 200 lines")                \
    F(LIST, "pairings", pairings, OPTIONAL, SHAPE_PAIRING, 0, "up to 200 lines")

/* --- Shapes ----------------------------------------------------------------------------------- */

#define FIELDS_STANDING(F)                                                                         \
    F(INT, "player", player, REQUIRED, 0, PROTO_CONTESTANTS_MAX - 1, "number of the player")       \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the player's name")                        \
    F(ENUM, "role", role, REQUIRED, PROTO_ROLES_LIST, 0, "what the player is")                     \
    F(BOOL, "account", account, OPTIONAL, 0, 0, "true: the name is that of an account")            \
    F(INT, "rank", rank, REQUIRED, 1, PROTO_CONTESTANTS_MAX, "place; the same for equals")         \
    F(INT, "points", points, REQUIRED, -100000, 100000,                                            \
      "a win is 2, a draw 1; arena: twice that after two wins in a row")                           \
    F(INT, "played", played, REQUIRED, 0, INT32_MAX, "matches, without byes and forfeits")         \
    F(INT, "wins", wins, REQUIRED, 0, INT32_MAX, "of these")                                       \
    F(INT, "buchholz", buchholz, OPTIONAL, 0, INT32_MAX, "sum of the opponents' points")           \
    F(INT, "sonneborn_berger", sonneborn_berger, OPTIONAL, 0, INT32_MAX,                           \
      "the same, each times what was won against them, in quarters")                               \
    F(INT, "streak", streak, OPTIONAL, 0, INT32_MAX, "arena: wins in a row")                       \
    F(BOOL, "here", here, REQUIRED, 0, 0, "whether the player is connected")                       \
    F(BOOL, "away", away, OPTIONAL, 0, 0, "true: left for now")                                    \
    F(BOOL, "removed", removed, OPTIONAL, 0, 0, "true: removed by the organiser")                  \
    F(CODE, "table", table, OPTIONAL, 0, 0, "plays at this table now")
#define FIELDS_PAIRING(F)                                                                          \
    F(INT, "round", round, REQUIRED, 0, INT32_MAX, "the round, from 1; arena: 0")                  \
    F(INTS, "players", players, REQUIRED, 0, PROTO_CONTESTANTS_MAX,                                \
      "numbers of the players of the first and second seat; only one: a bye")                      \
    F(NAMES, "names", names, REQUIRED, 0, 0, "their names")                                        \
    F(CODE, "table", table, OPTIONAL, 0, 0, "the match, once it has begun")                        \
    F(ENUM, "score", score, OPTIONAL, PROTO_SCORES_LIST, 0, "the result, if there is one")         \
    F(BOOL, "forfeit", forfeit, OPTIONAL, 0, 0, "true: won without playing")

#endif
