/* account_fields.h -- the fields of the messages about accounts and ratings, for the list in
 * message.h, which includes this. */
#ifndef PROTO_ACCOUNT_FIELDS_H
#define PROTO_ACCOUNT_FIELDS_H

/* Requests. */
#define FIELDS_LOGIN(F)                                                                            \
    FIELDS_ID(F)                                                                                   \
    F(HEX, "key", key, REQUIRED, PROTO_KEY_DIGITS, 0,                                              \
      "the secret of this device, 128 random bits; the server keeps a hash of it")                 \
    F(HEX, "code", code, OPTIONAL, PROTO_KEY_DIGITS, 0,                                            \
      "a key that `key` gave: adds this device to its account")                                    \
    F(LINE, "name", name, OPTIONAL, PROTO_NAME_MAX, 0,                                             \
      "with `password`: adds this device to the account of that name")                             \
    F(LINE, "password", password, OPTIONAL, PROTO_PASSWORD_MAX, 0, "its password")
#define FIELDS_CLAIM(F)                                                                            \
    FIELDS_ID(F)                                                                                   \
    F(HEX, "key", key, REQUIRED, PROTO_KEY_DIGITS, 0, "the secret of this device")                 \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the name you want")
#define FIELDS_KEY(F)                                                                              \
    FIELDS_ID(F)                                                                                   \
    F(ENUM, "what", what, REQUIRED, PROTO_KEY_KINDS_LIST, 0, "what it is for")                     \
    F(LINE, "name", name, OPTIONAL, PROTO_NAME_MAX, 0, "of a bot: its name")
#define FIELDS_PASSWORD(F)                                                                         \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "password", password, OPTIONAL, PROTO_PASSWORD_MAX, 0, "omitted: none any more")
#define FIELDS_PROFILE(F)                                                                          \
    FIELDS_ID(F)                                                                                   \
    F(BOOL, "private", is_private, OPTIONAL, 0, 0,                                                 \
      "whether others see neither profile nor matches and no list has you; omitted: as it is")
#define FIELDS_LOGOUT(F)                                                                           \
    FIELDS_ID(F)                                                                                   \
    F(BOOL, "others", others, OPTIONAL, 0, 0,                                                      \
      "true: all other devices, and links for more; default: this device")
#define FIELDS_DELETE(F)                                                                           \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0,                                             \
      "the name of the account, so that nobody "                                                   \
      "deletes it by mistake")

#define FIELDS_VACATION(F)                                                                         \
    FIELDS_ID(F)                                                                                   \
    F(INT, "days", days, REQUIRED, 0, 30, "how many days from now on; 0 = it ends now")
#define FIELDS_NOTICES(F)                                                                          \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "webhook", webhook, OPTIONAL, PROTO_URL_MAX, 0,                                        \
      "an https address to which a notice is sent (POST, JSON) when it is your turn in a match "   \
      "over days and you are not there")                                                           \
    F(BOOL, "webhook_off", webhook_off, OPTIONAL, 0, 0, "true: no webhook any more")               \
    F(LINE, "push", push, OPTIONAL, PROTO_URL_MAX, 0,                                              \
      "`endpoint` of this browser's push subscription; with the two keys below")                   \
    F(LINE, "push_key", push_key, OPTIONAL, 100, 0, "its key `p256dh`")                            \
    F(LINE, "push_auth", push_auth, OPTIONAL, 40, 0, "its key `auth`")                             \
    F(BOOL, "push_off", push_off, OPTIONAL, 0, 0,                                                  \
      "true: no push to the browser of `push` any more; without it, to none of yours")             \
    F(BOOL, "test", test, OPTIONAL, 0, 0, "true: a notice is sent to all of them now")
#define FIELDS_PREPARE(F)                                                                          \
    FIELDS_ID(F)                                                                                   \
    F(LINE, "when", when, OPTIONAL, PROTO_NOTATION_MAX, 0,                                         \
      "only if the other does this in their turn: 16 hex digits, `UNIT>X,Y` as below, or, in a "   \
      "game that hides nothing, an action in words that they may do now; omitted: if nothing "     \
      "else fits")                                                                                 \
    F(NAMES, "actions", actions, OPTIONAL, 0, 0,                                                   \
      "1 to 64 actions, done one after the other until one is not possible: in words, as 16 hex "  \
      "digits, or as `UNIT>X,Y`: the unit of that number acts at that empty cell or goes there, "  \
      "`UNIT>X,Y=OTHER`: where that unit stands, which it may walk to and attack; omitted: the "   \
      "branch of this condition is dropped")
#define FIELDS_RELATIONS(F)                                                                        \
    FIELDS_ID(F)                                                                                   \
    F(ENUM, "what", what, OPTIONAL, PROTO_RELATIONS_LIST, 0, "what `name` is to you from now on")  \
    F(LINE, "name", name, OPTIONAL, PROTO_NAME_MAX, 0, "the name of an account")
#define FIELDS_REPORT(F)                                                                           \
    FIELDS_ID(F)                                                                                   \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(LINE, "reason", reason, REQUIRED, PROTO_CHAT_MAX, 0, "what is wrong")

/* Messages of the server. */
#define FIELDS_ACCOUNT(F)                                                                          \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the name of the account, yours now")       \
    F(BOOL, "private", is_private, REQUIRED, 0, 0, "whether its profile is hidden")                \
    F(BOOL, "password", password, REQUIRED, 0, 0, "whether it has a password")                     \
    F(BOOL, "recovery", recovery, REQUIRED, 0, 0, "whether it has recovery words")                 \
    F(INT, "devices", devices, REQUIRED, 0, INT32_MAX, "how many devices are logged in")           \
    F(LIST, "ratings", ratings, REQUIRED, SHAPE_RATING, 0, "how you play, by game and pace")
#define FIELDS_TOLD_KEY(F)                                                                         \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(ENUM, "what", what, REQUIRED, PROTO_KEY_KINDS_LIST, 0, "what it is for")                     \
    F(HEX, "key", key, REQUIRED, PROTO_KEY_DIGITS, 0,                                              \
      "for `code` of `login`, of a bot for its `key`; nobody can be told it again")                \
    F(INT, "left_ms", left_ms, OPTIONAL, 0, PROTO_DAY_MS, "how long it is valid; omitted: always")
#define FIELDS_TOLD_RATED(F)                                                                       \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(INT, "weight", weight, REQUIRED, 0, 100,                                                     \
      "how much the match counted, in percent: less when the two play often, or from one address") \
    F(LIST, "players", players, REQUIRED, SHAPE_CHANGE, 0, "what it did to each rating")
#define FIELDS_TOLD_TURNS(F)                                                                       \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LIST, "turns", turns, REQUIRED, SHAPE_TURN, 0,                                               \
      "your matches over days: first those in which it is your turn, by the time left; 200 at "    \
      "most")                                                                                      \
    F(INT, "vacation_s", vacation_s, OPTIONAL, 0, INT32_MAX,                                       \
      "seconds of your vacation that are left; omitted: you are on none")                          \
    F(INT, "vacation_days", vacation_days, REQUIRED, 0, 30, "days of vacation left this year")
#define FIELDS_TOLD_PREPARED(F)                                                                    \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code")                                      \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "the id of your request that this answers")           \
    F(ENUM, "what", what, REQUIRED, PROTO_PREPARES_LIST, 0, "what has become of it")               \
    F(LIST, "branches", branches, REQUIRED, SHAPE_BRANCH, 0, "what is kept now; 8 at most")        \
    F(INT, "done", done, OPTIONAL, 0, PROTO_ACTS_MAX, "how many entries of it were done")          \
    F(LINE, "action", action, OPTIONAL, PROTO_NOTATION_MAX, 0, "the one at which it stopped")
#define FIELDS_TOLD_NOTICES(F)                                                                     \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LINE, "webhook", webhook, OPTIONAL, PROTO_URL_MAX, 0, "your webhook; omitted: none")         \
    F(INT, "browsers", browsers, REQUIRED, 0, 99, "how many browsers are pushed to")               \
    F(LINE, "push_key", push_key, OPTIONAL, 100, 0,                                                \
      "the server's key for a push subscription (`applicationServerKey`); omitted: it does not "   \
      "push")                                                                                      \
    F(LINE, "test", test, OPTIONAL, PROTO_SENTENCE_MAX, 0,                                         \
      "what became of the test: `sent`, or what is wrong")
#define FIELDS_TOLD_RELATIONS(F)                                                                   \
    F(LINE, "to", to, REQUIRED, PROTO_ID_MAX, 0, "type of the message that this answers")          \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LIST, "follows", follows, REQUIRED, SHAPE_PERSON, 0, "whom you follow")                      \
    F(LIST, "blocks", blocks, REQUIRED, SHAPE_PERSON, 0, "whom you block")                         \
    F(LIST, "bots", bots, REQUIRED, SHAPE_PERSON, 0, "accounts of your own programs")
#define FIELDS_TOLD_CHALLENGES(F)                                                                  \
    F(LINE, "to", to, OPTIONAL, PROTO_ID_MAX, 0,                                                   \
      "type of the message that this answers; omitted: a challenge has just come")                 \
    F(INT, "id", id, OPTIONAL, 0, INT32_MAX, "its id, if it had one")                              \
    F(LIST, "challenges", challenges, REQUIRED, SHAPE_CHALLENGE, 0, "newest first; 100 at most")

/* Shapes. */
#define FIELDS_PERSON(F)                                                                           \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the name of the account")                  \
    F(BOOL, "here", here, REQUIRED, 0, 0, "whether the player is connected")
#define FIELDS_CHALLENGE(F)                                                                        \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code, for `join` or `decline`")             \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(LINE, "name", name, REQUIRED, PROTO_NAME_MAX, 0, "the other player")                         \
    F(BOOL, "yours", yours, REQUIRED, 0, 0, "true: you are challenged; false: you challenge")      \
    F(INT, "days", days, OPTIONAL, 1, PROTO_DAYS_MAX, "a match over days")                         \
    F(BOOL, "rated", rated, OPTIONAL, 0, 0, "true: it counts for ratings")
#define FIELDS_TURN(F)                                                                             \
    F(CODE, "code", code, REQUIRED, 0, 0, "the table's code, for `return`")                        \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(INT, "days", days, REQUIRED, 1, PROTO_DAYS_MAX, "days for each turn")                        \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "your seat")                                             \
    F(LINE, "opponent", opponent, OPTIONAL, PROTO_NAME_MAX, 0,                                     \
      "the other player; omitted: the account is deleted")                                         \
    F(BOOL, "yours", yours, REQUIRED, 0, 0, "whether it is your turn")                             \
    F(INT, "left_s", left_s, OPTIONAL, 0, INT32_MAX,                                               \
      "seconds left of your turn, a vacation included; omitted: it is not yours")
#define FIELDS_BRANCH(F)                                                                           \
    F(LINE, "when", when, OPTIONAL, PROTO_NOTATION_MAX, 0, "its condition; omitted: none")         \
    F(NAMES, "actions", actions, REQUIRED, 0, 0, "its actions, as they were given")
#define FIELDS_RATING(F)                                                                           \
    F(LINE, "game", game, REQUIRED, PROTO_ID_MAX, 0, "id of the game")                             \
    F(LINE, "pace", pace, REQUIRED, PROTO_ID_MAX, 0, "blitz, rapid, relaxed or days")              \
    F(INT, "rating", rating, OPTIONAL, 0, 9999, "omitted: no match was rated yet")                 \
    F(BOOL, "provisional", provisional, OPTIONAL, 0, 0, "true: it is not certain yet")             \
    F(INT, "rated", rated, REQUIRED, 0, INT32_MAX, "rated matches")                                \
    F(INT, "wins", wins, REQUIRED, 0, INT32_MAX, "matches won, also unrated, as below")            \
    F(INT, "draws", draws, REQUIRED, 0, INT32_MAX, "matches drawn")                                \
    F(INT, "losses", losses, REQUIRED, 0, INT32_MAX, "matches lost")
#define FIELDS_CHANGE(F)                                                                           \
    F(SEAT, "seat", seat, REQUIRED, 0, 0, "0 or 1")                                                \
    F(INT, "rating", rating, REQUIRED, 0, 9999, "the rating now")                                  \
    F(INT, "change", change, REQUIRED, -9999, 9999, "how much it has changed")                     \
    F(BOOL, "provisional", provisional, REQUIRED, 0, 0, "whether it is not certain yet")

#endif
