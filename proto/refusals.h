/* refusals.h -- why a request is refused: name, code on the wire, is it an offence, sentence. For
 * message.h, which includes this. */
#ifndef PROTO_REFUSALS_H
#define PROTO_REFUSALS_H

/* In addition, the code of `refused` may be a status of the engine, such as not-your-turn: the ids
 * of MASH_STATUSES. That is an offence when it answers `act` or `acts`. */
#define PROTO_REFUSALS(X)                                                                          \
    X(BROKEN, "broken", true, "Not a JSON object with a known message type.")                      \
    X(MALFORMED, "malformed", true, "A field of the message is invalid.")                          \
    X(HELLO_FIRST, "hello-first", true, "Say hello first.")                                        \
    X(HELLO_TWICE, "hello-twice", true, "You have already said hello.")                            \
    X(OTHER_VERSION, "other-version", true, "The server uses a different protocol version.")       \
    X(NO_NAME, "no-name", true, "That name contains no allowed characters.")                       \
    X(NO_SUCH_GAME, "no-such-game", true, "This server doesn't have that game.")                   \
    X(NO_SUCH_PRESET, "no-such-preset", true, "The game has no board with that name.")             \
    X(NO_SUCH_OPTION, "no-such-option", true, "Unknown option or value.")                          \
    X(NO_SUCH_LEVEL, "no-such-level", false, "The game has fewer levels.")                         \
    X(BAD_CONTENT, "bad-content", false, "The files aren't valid for this game.")                  \
    X(BAD_BEGINNING, "bad-beginning", false,                                                       \
      "The match can't be played on from there on this server.")                                   \
    X(NO_SUCH_TABLE, "no-such-table", false, "There is no table with that code.")                  \
    X(HOST_AWAY, "host-away", false, "The host is away. Try again later.")                         \
    X(NO_FREE_SEAT, "no-free-seat", false, "That match is full.")                                  \
    X(NO_SUCH_TOKEN, "no-such-token", false, "That token is not valid.")                           \
    X(AT_A_TABLE, "at-a-table", true, "You're already in a match. Leave it first.")                \
    X(NOT_AT_A_TABLE, "not-at-a-table", false, "You're not in a match.")                           \
    X(NOT_SEATED, "not-seated", true, "You're not playing in this match.")                         \
    X(NOT_RUNNING, "not-running", false, "No match in progress.")                                  \
    X(STILL_RUNNING, "still-running", false, "The match is still in progress.")                    \
    X(ONLY_PEOPLE, "only-people", true, "Only human players can pause or resume a match.")         \
    X(WATCHERS_WATCH, "watchers-watch", true, "Spectators can't play.")                            \
    X(LATE, "late", false, "The board has just changed. Try again.")                               \
    X(NO_SUCH_POSITION, "no-such-position", true, "That position doesn't exist yet.")              \
    X(NO_SUCH_WORD, "no-such-word", true, "No action available now has that name.")                \
    X(PAUSED, "paused", false, "The match is paused.")                                             \
    X(NOT_PAUSED, "not-paused", false, "The match is not paused.")                                 \
    X(NO_PAUSES, "no-pauses", false, "Pauses are not allowed in this match.")                      \
    X(NO_MORE_PAUSES, "no-more-pauses", false, "You have no pauses left in this match.")           \
    X(NOTHING_TO_UNDO, "nothing-to-undo", false,                                                   \
      "You have done nothing yet that could be undone.")                                           \
    X(ANSWERED, "answered", false, "Something has happened since your last action.")               \
    X(TURN_OVER, "turn-over", false, "Your turn is over.")                                         \
    X(DREW_CHANCE, "drew-chance", false, "Your last action was decided by chance.")                \
    X(REVEALED, "revealed", false, "Your last action revealed something hidden.")                  \
    X(NO_UNDO, "no-undo", false, "Nothing can be undone in this match.")                           \
    X(TAKEBACK_OFFERED, "takeback-offered", false, "A takeback has already been requested.")       \
    X(NO_TAKEBACK, "no-takeback", false, "Nobody has requested a takeback.")                       \
    X(NO_LEAVER, "no-leaver", false, "Your opponent is not gone, or may still come back.")         \
    X(NO_DRAW_NOW, "no-draw-now", false, "A draw is not possible in this phase of the game.")      \
    X(REPLACED, "replaced", false,                                                                 \
      "You were away for too long: an AI player has taken your seat. You can watch the match.")    \
    X(MATCH_OVER, "match-over", false, "That match is over.")                                      \
    X(NO_SUCH_TOURNAMENT, "no-such-tournament", false, "There is no tournament with that code.")   \
    X(NOT_IN_TOURNAMENT, "not-in-tournament", false, "You don't play in a tournament.")            \
    X(ONLY_ORGANISER, "only-organiser", false, "Only the organiser can do that.")                  \
    X(TOO_LATE, "too-late", false, "It's too late for that in this tournament.")                   \
    X(NO_SUCH_PLAYER, "no-such-player", false, "The tournament has no such player or match.")      \
    X(TOO_FEW, "too-few", false, "At least two players must be there.")                            \
    X(NO_REMATCH, "no-rematch", false, "There is no rematch in a tournament.")                     \
    X(FULL, "full", false, "The server is full. Please try again later.")                          \
    X(QUOTA, "quota", false, "Your address has reached its limit. Try again later.")               \
    X(ROBOTS_BUSY, "robots-busy", false,                                                           \
      "All AI players are busy. Try again in a minute or pick a lower level.")                     \
    X(CLOSING, "closing", false, "Server restarting; matches will resume.")                        \
    X(MUTED, "muted", false, "The operator of this server has muted you.")                         \
    X(TOO_FAST, "too-fast", false, "Too many requests. Slow down.")                                \
    X(NO_SUCH_ACCOUNT, "no-such-account", false, "This device has no account here.")               \
    X(BAD_CODE, "bad-code", false, "That link, code or list of words is not valid any more.")      \
    X(BAD_PASSWORD, "bad-password", false, "That name or password is wrong.")                      \
    X(WEAK_PASSWORD, "weak-password", false, "A password has at least 8 characters.")              \
    X(NEEDS_ACCOUNT, "needs-account", false, "That needs an account. Choose a name first.")        \
    X(LOGGED_IN, "logged-in", false, "This device has an account already.")                        \
    X(NAME_TAKEN, "name-taken", false, "Another player has that name or one that looks like it.")  \
    X(NAME_RESERVED, "name-reserved", false, "That name is reserved.")                             \
    X(BAD_NAME, "bad-name", false,                                                                 \
      "A name has 2 to 20 letters or digits of one script; blanks, dots, dashes between them.")    \
    X(RENAMED, "renamed", false, "You can change your name once a day.")                           \
    X(WRONG_ROLE, "wrong-role", false, "Programs and people have accounts of their own.")          \
    X(ACCOUNT_BUSY, "account-busy", false, "Your last request is not answered yet.")               \
    X(ACCOUNTS_AWAY, "accounts-away", false, "Accounts are not available now. Try again later.")   \
    X(TOO_MANY_DEVICES, "too-many-devices", false,                                                 \
      "This account has too many devices. Log out everywhere first.")                              \
    X(NOT_RATEABLE, "not-rateable", false, "A match with these settings can't be rated.")          \
    X(SAME_PLAYER, "same-player", false, "That match needs two different players.")                \
    X(NOT_BY_DAYS, "not-by-days", false,                                                           \
      "A match over days is one match of two players with accounts.")                              \
    X(ONLY_BY_DAYS, "only-by-days", false, "The server keeps turns only in matches over days.")    \
    X(YOUR_TURN, "your-turn", false, "It is your turn: act.")                                      \
    X(NO_VACATION, "no-vacation", false,                                                           \
      "You are on vacation already, or have not that many days left this year.")                   \
    X(BAD_ADDRESS, "bad-address", false, "Notices cannot be sent to that address.")                \
    X(NO_PUSH, "no-push", false, "This server does not push.")                                     \
    X(NO_ONE, "no-one", false, "No player has that name.")                                         \
    X(NOT_INVITED, "not-invited", false, "That table waits for somebody else.")                    \
    X(TOO_MANY, "too-many", false, "There are too many of these already.")                         \
    X(ONLY_PHRASES, "only-phrases", false, "Only phrases are said at this table.")
#define PROTO_ROW(name, id, offence, sentence) REFUSAL_##name,
/* The refusals listed above. */
typedef enum Refusal { PROTO_REFUSALS(PROTO_ROW) REFUSAL_COUNT } Refusal;
#undef PROTO_ROW

#endif
