/* mashup.h -- the interface of the engine: everything outside games/ uses games through this file
 * and includes nothing from games/.
 *
 * A game is code (one const MashGame). Content is what its files define (loaded once, checked once,
 * never changed). A state is flat bytes without pointers, copied with memcpy. An action is a
 * request, an event is a fact, a status is the answer to an action.
 *
 * What every game promises:
 *   - check() alone decides legality and apply_listed() alone changes a state; mash_apply() calls
 *     one after the other, so legality is implemented once.
 *   - The same content, options, seed and actions give the same bytes on every machine: no floats,
 *     no clock, no allocation.
 *   - hide() makes a view: a state in which all that a seat may not know is blanked. On a seat's
 *     view and on the state actions() and check() answer the same, so neither a list of actions
 *     nor a refusal reveals hidden information. Running into something hidden is an event, not an
 *     error. Never apply an action to a view without guess().
 *   - Arrays are lent by the caller, sizes from MashLimits; events may be NULL (as in search).
 *   - Memory for states is aligned to 16 bytes; unused bytes and padding are zero. */
#ifndef MASHUP_H
#define MASHUP_H
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/chance.h"
#include "base/lender.h"
#include "base/problem.h"
#include "base/table_net.h"
#include "base/text.h"

/* Constants shared by all games. */
enum {
    MASH_SEATS = 2,
    MASH_SEAT_NONE = 255,      /* nobody: a drawn match's winner, an unowned token */
    MASH_SEAT_SPECTATOR = 255, /* for hide(): a spectator; so is any number that is not a seat */
    MASH_SEAT_SERVER = 254,    /* the server: clock, overtime, forfeit; never from a socket */
    MASH_SIDE_MAX = 100,       /* cells along one side of a board */
    MASH_UNIT_NONE = 255,      /* no unit; in meters: the match as a whole */
    MASH_UNIT_SIDE = 240,      /* in meters, order and figures: 240 + seat is a whole team */
    MASH_OPTIONS_MAX = 16,
    MASH_DOCUMENTS_MAX = 8, /* documents that make up one content */
    MASH_SCRATCH_BYTES = 1 << 20,
    /* A step of several actions has at most this many events before its last action, in addition
     * to limits.events_max (match/match.h). */
    MASH_STEP_EVENTS_MAX = 128,
};

/* Verbs 1 to 239 are defined by the game and listed by actions(). These exist in every game: they
 * are checked by apply() but never listed, so random play, perft and search do not see them. Only
 * the server uses the last three: seat = MASH_SEAT_SERVER, other = the seat they are about. */
enum {
    MASH_VERB_NONE = 0,
    MASH_VERB_RESIGN = 240,
    MASH_VERB_DRAW_OFFER,
    MASH_VERB_DRAW_ACCEPT,
    MASH_VERB_DRAW_DECLINE,
    MASH_VERB_TIME_OVER, /* the awaited seat's turn time is up: the rules decide what follows */
    MASH_VERB_OVERTIME,  /* the time of the whole match is up */
    MASH_VERB_FORFEIT,   /* the seat loses; amount: MASH_REASON_TIME_OVER .. _OPERATOR */
};

/* An action. x = column from the left, y = row from the top in every game and on the wire; other
 * conventions belong in formats (MashFormat). Fields a verb does not use are zero, so each action
 * has exactly one encoding. Lists are ascending by mash_action_compare(). */
typedef struct MashAction {
    uint8_t verb, seat, unit, ability;
    int8_t x, y;
    uint8_t other, amount;
} MashAction;
static_assert(sizeof(MashAction) == 8, "an action is eight bytes");

/* All events of all games. A row gives number, id (in texts and on the wire), what `other` is (a
 * unit, a seat or nothing), which list of names (MashNames) `what` refers to, and the meaning. It
 * also states which fields an event fills; unused ones are zero, unused units MASH_UNIT_NONE. */
#define MASH_EVENTS(X)                                                                             \
    X(NONE, "none", NOTHING, NONE, "nothing; never sent")                                          \
    X(CHOSEN, "chosen", SEAT, KIND, "seat `other` chose `what` in a draft")                        \
    X(READY, "ready", SEAT, NONE, "seat `other` is ready")                                         \
    X(PLACED, "placed", NOTHING, KIND,                                                             \
      "unit, or without one a piece of kind `what`, is placed at x,y")                             \
    X(MATCH_BEGAN, "match-began", NOTHING, NONE, "set-up is over, play begins")                    \
    X(ROUND_BEGAN, "round-began", NOTHING, NONE, "round `amount` begins")                          \
    X(TURN_BEGAN, "turn-began", SEAT, NONE,                                                        \
      "seat `other`'s turn, or unit's if it has one of its own")                                   \
    X(PHASE_BEGAN, "phase-began", SEAT, PHASE, "phase `what` of seat `other`'s turn begins")       \
    X(TURN_ENDED, "turn-ended", SEAT, NONE, "seat `other`'s or unit's turn is over")               \
    X(MOVED, "moved", NOTHING, NONE, "unit goes from from_x,from_y to x,y")                        \
    X(SWAPPED, "swapped", UNIT, NONE, "unit and other swap cells: other ends up at from_x,from_y") \
    X(TELEPORTED, "teleported", NOTHING, NONE, "unit vanishes at from and appears at x,y")         \
    X(BLOCKED, "blocked", UNIT, NONE, "unit could not enter x,y and stays at from")                \
    X(APPEARED, "appeared", NOTHING, NONE, "unit comes onto the board at x,y")                     \
    X(VANISHED, "vanished", NOTHING, NONE, "unit leaves the board at x,y without being defeated")  \
    X(ATTACKED, "attacked", UNIT, ABILITY,                                                         \
      "unit at from strikes other at x,y with ability `what`")                                     \
    X(MISSED, "missed", UNIT, ABILITY, "unit's attack on other at x,y does nothing")               \
    X(HURT, "hurt", UNIT, NONE, "unit at x,y loses `amount` health, caused by other")              \
    X(HEALED, "healed", UNIT, NONE, "unit at x,y gains `amount` health, caused by other")          \
    X(DIED, "died", UNIT, NONE, "unit at x,y is defeated, caused by other")                        \
    X(REVIVED, "revived", UNIT, NONE, "unit at x,y returns with `amount` health, caused by other") \
    X(FOUGHT, "fought", UNIT, OUTCOME, "unit from `from` fought other at x,y: outcome `what`")     \
    X(USED, "used", UNIT, ABILITY, "unit at from uses ability or item `what` on other or on x,y")  \
    X(EFFECT_BEGAN, "effect-began", NOTHING, EFFECT,                                               \
      "unit at x,y is under effect `what` for `amount` turns")                                     \
    X(EFFECT_ENDED, "effect-ended", NOTHING, EFFECT, "effect `what` on unit at x,y is over")       \
    X(CHANGED, "changed", NOTHING, METER, "meter `what` of unit changes by `amount`")              \
    X(REVEALED, "revealed", NOTHING, KIND, "unit at x,y shows that it is of kind `what`")          \
    X(GROUND_HURT, "ground-hurt", NOTHING, NONE, "the ground at x,y loses `amount`; unit did it")  \
    X(GROUND_CHANGED, "ground-changed", NOTHING, GROUND, "the ground at x,y becomes `what`")       \
    X(ITEM_APPEARED, "item-appeared", NOTHING, ITEM, "item `what` appears at x,y")                 \
    X(ITEM_TAKEN, "item-taken", NOTHING, ITEM, "unit takes item `what` at x,y")                    \
    X(ITEM_DROPPED, "item-dropped", NOTHING, ITEM, "unit drops item `what` at x,y")                \
    X(ITEM_GIVEN, "item-given", UNIT, ITEM, "unit gives item `what` to other at x,y")              \
    X(SPOKE, "spoke", NOTHING, NONE, "unit at x,y says line `what`")                               \
    X(ORDER_SET, "order-set", NOTHING, NONE, "unit is number `amount` in the order of play")       \
    X(DRAW_OFFERED, "draw-offered", SEAT, NONE, "seat `other` offers a draw")                      \
    X(DRAW_DECLINED, "draw-declined", SEAT, NONE,                                                  \
      "seat `other` declines the draw, or the offer expires")                                      \
    X(OVERTIME_BEGAN, "overtime-began", NOTHING, NONE, "the match's time is over")                 \
    X(MATCH_ENDED, "match-ended", SEAT, REASON, "winner `other` or MASH_SEAT_NONE, reason `what`")

/* The kinds of events listed above. */
typedef enum MashEventKind {
#define MASH_ROW(name, id, other, list, meaning) MASH_EVENT_##name,
    MASH_EVENTS(MASH_ROW)
#undef MASH_ROW
        MASH_EVENT_KINDS
} MashEventKind;

/* What `other` of an event is. */
typedef enum MashOther { MASH_OTHER_NOTHING, MASH_OTHER_UNIT, MASH_OTHER_SEAT } MashOther;

/* Bits of seen_by: 0 and 1 are the seats, 7 the spectators. */
enum { MASH_SEEN_BY_ALL = 0x83, MASH_SEEN_BY_WATCHERS = 0x80 };

/* A fact. Where seats learn different things about one fact, there are two events with different
 * `seen_by`. */
typedef struct MashEvent {
    uint8_t kind, seen_by;
    uint8_t unit, other;
    int8_t from_x, from_y, x, y;
    int32_t amount;
    uint8_t what;
    uint8_t zero[3];
} MashEvent;
static_assert(sizeof(MashEvent) == 16, "an event is sixteen bytes");

/* A lent list; mash_apply() writes from 0 and never more than limits.events_max. */
typedef struct MashEvents {
    MashEvent *list;
    uint32_t count, max;
} MashEvents;

/* Answers to an action, one list for all games: name, stable id (the code of a refusal on the wire)
 * and a sentence for the player. */
#define MASH_STATUSES(X)                                                                           \
    X(OK, "ok", "Done.")                                                                           \
    X(MATCH_OVER, "match-over", "The match is over.")                                              \
    X(NOT_YOUR_TURN, "not-your-turn", "It's not your turn.")                                       \
    X(NOT_A_SEAT, "not-a-seat", "There is no such player in this match.")                          \
    X(NOT_NOW, "not-now", "You can't do that in this phase.")                                      \
    X(NO_SUCH_ACTION, "no-such-action", "Unknown action.")                                         \
    X(ONLY_THE_SERVER, "only-the-house", "Only the server can do that.")                           \
    X(BAD_OPTION, "bad-option", "Invalid value for a match option.")                               \
    X(DRAW_ALREADY_OFFERED, "draw-already-offered", "A draw has already been offered.")            \
    X(NO_DRAW_OFFERED, "no-draw-offered", "Nobody has offered a draw.")                            \
    X(NO_SUCH_UNIT, "no-such-unit", "There is no such unit.")                                      \
    X(NOT_YOUR_UNIT, "not-your-unit", "That's not your unit.")                                     \
    X(UNIT_OUT, "unit-out", "That unit has been defeated.")                                        \
    X(UNIT_NOT_ON_BOARD, "unit-not-on-board", "That unit is not on the board.")                    \
    X(UNIT_BUSY, "unit-busy", "Another unit must finish its move first.")                          \
    X(OFF_BOARD, "off-board", "That cell is off the board.")                                       \
    X(CELL_TAKEN, "cell-taken", "That cell is occupied.")                                          \
    X(CELL_BLOCKED, "cell-blocked", "That cell can't be entered.")                                 \
    X(OUT_OF_ZONE, "out-of-zone", "That cell is outside your zone.")                               \
    X(NOT_A_STEP, "not-a-step", "You can only step to an adjacent cell.")                          \
    X(TOO_FAR, "too-far", "That is too far away.")                                                 \
    X(NO_WAY, "no-way", "There is no path to that cell.")                                          \
    X(NOT_IN_SIGHT, "not-in-sight", "No line of sight to that target.")                            \
    X(NO_TARGET, "no-target", "There is no target there.")                                         \
    X(WRONG_TARGET, "wrong-target", "You can't target that.")                                      \
    X(OWN_SIDE, "own-side", "That's your own team.")                                               \
    X(ALREADY_MOVED, "already-moved", "That unit has already moved.")                              \
    X(ALREADY_ATTACKED, "already-attacked", "That unit has already attacked.")                     \
    X(ALREADY_USED, "already-used", "That has already been used.")                                 \
    X(ALREADY_TAKEN, "already-taken", "That has already been chosen.")                             \
    X(ALREADY_READY, "already-ready", "You're already marked as ready.")                           \
    X(NOT_OFFERED, "not-offered", "That isn't available.")                                         \
    X(NOT_COMPLETE, "not-complete", "You haven't chosen or placed everything yet.")                \
    X(CANNOT_MOVE, "cannot-move", "That unit cannot move.")                                        \
    X(NO_SUCH_ABILITY, "no-such-ability", "That unit doesn't have that ability.")                  \
    X(NO_POINTS, "no-points", "Not enough points left.")                                           \
    X(NO_MANA, "no-mana", "Not enough mana left.")                                                 \
    X(COOLING_DOWN, "cooling-down", "That's still on cooldown.")                                   \
    X(SILENCED, "silenced", "A silenced unit cannot do that.")                                     \
    X(DISARMED, "disarmed", "A disarmed unit cannot attack.")                                      \
    X(ROOTED, "rooted", "A rooted unit cannot move.")                                              \
    X(NOT_LEADER, "not-leader", "Only the leader can do that.")                                    \
    X(MUST_SUMMON, "must-summon", "You must summon a warrior now.")                                \
    X(TOO_OFTEN, "too-often", "You've done that too often in this match.")                         \
    X(TOO_NEAR, "too-near", "The target is too close.")                                            \
    X(STEP_OVER, "step-over",                                                                      \
      "That can only be the last action of a step: it ends a turn, draws chance or reveals "       \
      "something.")

/* The statuses listed above. */
typedef enum MashStatus {
#define MASH_ROW(name, id, sentence) MASH_##name,
    MASH_STATUSES(MASH_ROW)
#undef MASH_ROW
        MASH_STATUS_COUNT
} MashStatus;

/* Why a match ended. From MASH_REASON_GAME on, the reasons belong to the game. */
#define MASH_REASONS(X)                                                                            \
    X(NONE, "none", "in progress")                                                                 \
    X(RESIGNED, "resigned", "resignation")                                                         \
    X(AGREED, "agreed", "draw agreed")                                                             \
    X(TIME_OVER, "time-over", "time ran out")                                                      \
    X(LEFT, "left", "a player left")                                                               \
    X(SILENT, "silent", "a player stopped responding")                                             \
    X(DISQUALIFIED, "disqualified", "a player was disqualified")                                   \
    X(ILLEGAL, "illegal-actions", "disqualified: too many illegal actions")                        \
    X(INVALID, "invalid-messages", "disqualified: invalid messages")                               \
    X(OPERATOR, "operator", "disqualified by the server's operator")
enum {
#define MASH_ROW(name, id, meaning) MASH_REASON_##name,
    MASH_REASONS(MASH_ROW)
#undef MASH_ROW
        MASH_REASON_COUNT,
    MASH_REASON_GAME = 16
};

typedef struct MashGame MashGame;
struct Json; /* base/json.h */

/* One file. The ending of its name decides its kind (duel.start.json). The bytes are not needed
 * after load(). */
typedef struct MashDocument {
    const char *name;
    const char *bytes;
    uint32_t count;
} MashDocument;

/* What load() reads, and scratch memory for it (MASH_SCRATCH_BYTES, aligned to 16). */
typedef struct MashDocuments {
    const MashDocument *list;
    uint32_t count;
    void *scratch;
    uint32_t scratch_bytes;
} MashDocuments;

/* Limits that depend on the loaded content, not on the game: a 5x5 match must not copy a 100x100
 * state. */
typedef struct MashLimits {
    uint32_t state_bytes;
    uint32_t core_bytes; /* the first core_bytes decide the future, figures come after them: search
                            hashes and compares the core */
    uint32_t actions_max, events_max, tokens_max, meters_max;
    uint32_t length_max; /* no match has more listed actions than this */
    uint32_t turn_ms, match_ms, pause_ms, silence_ms,
        animation_ms; /* the server's clocks; 0 = none */
    uint8_t width, height;
    uint8_t units; /* unit numbers are below this */
    uint8_t zero;
} MashLimits;

/* Loaded content: lent by the caller with game->content_bytes_max bytes, aligned to 16; no pointers
 * inside the body. */
typedef struct MashContent {
    const MashGame *game;
    MashLimits limits;
    uint64_t hash; /* hash of everything that affects the rules; texts are not included */
    _Alignas(16) uint8_t body[];
} MashContent;

/* A rule variant for lobby and command line: values from least to most, `usual` is the default. */
typedef struct MashOption {
    const char *id, *title;
    int32_t least, most, usual;
} MashOption;

/* Content that comes with the game: documents by name, terminated by NULL. The first preset is the
 * default. */
typedef struct MashPreset {
    const char *id, *title;
    const char *documents[MASH_DOCUMENTS_MAX];
} MashPreset;

/* The options of one match: a value for each option of the game, in its order; omitted ones have
 * their default. */
typedef struct MashSetup {
    const int32_t *options;
    uint32_t options_count;
} MashSetup;

/* `winner` is MASH_SEAT_NONE in a drawn match and while the match is in progress. */
typedef struct MashResult {
    bool over;
    uint8_t winner, reason;
} MashResult;

/* Where a token is. */
typedef enum MashPlace { MASH_ON_BOARD, MASH_ON_BENCH, MASH_GONE } MashPlace;

/* A thing to draw. kind: index for name(MASH_NAME_KIND). flags: see below. */
typedef struct MashToken {
    uint8_t unit, kind, seat, place;
    int8_t x, y;
    uint8_t flags, zero;
} MashToken;
enum {
    MASH_TOKEN_DONE = 1,     /* cannot act again this turn */
    MASH_TOKEN_HIDDEN = 2,   /* this view may not know what it is; kind is then 0 */
    MASH_TOKEN_REVEALED = 4, /* everybody knows what it is */
    MASH_TOKEN_CHOSEN = 8,   /* in a draft: already taken */
};

/* What a meter shows: one row gives number, id (on the wire) and meaning. The role lets page,
 * terminal and screen reader display a meter without knowing the game. */
#define MASH_ROLES(X)                                                                              \
    X(NUMBER, "number", "a plain number: attack, power")                                           \
    X(HEALTH, "health", "of a unit: `now` of `most`; 0: out of the match or knocked out")          \
    X(POINTS, "points", "of a unit: is spent and comes back: movement, actions, mana")             \
    X(USABLE, "usable", "ability `about` can be used if `now` is not 0")                           \
    X(COOLDOWN, "cooldown", "turns until `about`, or the unit itself, can be used again")          \
    X(AMOUNT, "amount", "damage or healing of `about`")                                            \
    X(HELD, "held",                                                                                \
      "item `about`, or that of the meter's id, is in hand; `now`: its cooldown, or how many")     \
    X(EFFECT, "effect",                                                                            \
      "the unit is under effect `about`, or that of the meter's id, for `now` turns")              \
    X(TRAIT, "trait", "a value that is a word: `about` is its type or condition")                  \
    X(COULD_BE, "could-be", "kinds that a hidden unit can still be, as a set")                     \
    X(LEADER, "leader", "1: the unit leads its side")                                              \
    X(OFFERED, "offered", "of the table: a figure of kind or item `about`, on offer in a draft")   \
    X(ROUND, "round", "of the table: the round that is on; `most`: the last one")                  \
    X(LIMIT, "limit", "of the table: a count that ends the match when it is `most`")               \
    X(SCORE, "score", "of a side: what it has left or has done")
/* The roles listed above. */
typedef enum MashRole {
#define MASH_ROW(name, id, meaning) MASH_ROLE_##name,
    MASH_ROLES(MASH_ROW)
#undef MASH_ROW
        MASH_ROLE_COUNT
} MashRole;

/* A value to display: of a unit, of a team (MASH_UNIT_SIDE + seat) or of the match
 * (MASH_UNIT_NONE). Meters are never stored and never sent as bytes. */
typedef struct MashMeter {
    uint8_t unit;
    uint8_t meter;      /* index for id_of() and name() of MASH_NAME_METER */
    uint8_t role;       /* a MashRole */
    uint8_t about_list; /* 1 + the MashNames list in which `about` has a name; 0 = in none */
    uint8_t about;      /* without a list it only distinguishes several meters: the third potion */
    bool about_set;     /* `now` is a set: bit i stands for `about` + i; a set with one element is a
                           named value: a type, a condition */
    uint8_t zero[2];
    int32_t now, most; /* most 0: no maximum */
} MashMeter;

/* Enough to draw any game without knowing its rules. Arrays are lent: ground and ground_health
 * width*height, tokens, meters and order by the limits (order: limits.units). */
typedef struct MashBoard {
    uint8_t *ground; /* kind of ground of each cell, row by row: index for name(MASH_NAME_GROUND) */
    uint16_t *ground_health; /* its health, 0 = none */
    MashToken *tokens;
    MashMeter *meters;
    uint8_t *order; /* units still to act, the next one first */
    uint32_t tokens_count, meters_count, order_count;
    uint8_t active; /* the unit that is acting, or MASH_UNIT_NONE */
    uint8_t phase;  /* index for name(MASH_NAME_PHASE) */
} MashBoard;

/* The lists that name() has names for. */
typedef enum MashNames {
    MASH_NAME_KIND,
    MASH_NAME_GROUND,
    MASH_NAME_METER,
    MASH_NAME_PHASE,
    MASH_NAME_VERB,
    MASH_NAME_ABILITY, /* event.what of attacked and used, action.ability */
    MASH_NAME_ITEM,
    MASH_NAME_EFFECT,
    MASH_NAME_OUTCOME, /* event.what of fought */
    MASH_NAME_REASON,
    MASH_NAME_FIGURE,
    MASH_NAME_SIDE,  /* seat 0, seat 1 */
    MASH_NAME_TRAIT, /* named values: the type of a kind, the condition of a unit */
    MASH_NAME_LISTS,
    MASH_NAME_NONE = MASH_NAME_LISTS /* in no list */
} MashNames;

/* The texts of one language for one content (engine/texts.h), in memory lent by the caller, aligned
 * like content. Created by load_texts(), never changed. */
typedef struct MashTexts MashTexts;

/* Appends the name of a unit in a sentence; nothing if the number is not a unit. */
typedef void MashUnitWords(const MashContent *content, const MashTexts *texts, const void *state,
                           uint8_t unit, MashText *text);
/* What sentences call units: usually, and in an event that reveals a unit, before which the reader
 * did not know it (NULL: its short name). */
typedef struct MashCalling {
    MashUnitWords *usual, *revealed;
} MashCalling;

/* How many steps of a recorded match were compared, and how many of them were equal. */
typedef struct MashTraceCounts {
    uint32_t steps, equal;
} MashTraceCounts;

/* A foreign file format of a game: converts between its bytes and this interface. Entries may be
 * NULL. */
typedef struct MashFormat {
    const char *id;
    /* Whole files in, one file out: Zorde's initials and commands -> output. False: problems say
     * why, and `out` is invalid. */
    bool (*convert)(const MashContent *, const MashDocuments *in, MashText *out, MashProblems *);
    /* Replays a match recorded by another program (in->list[0]) step by step, each step from its
     * recorded state; `report` describes the first difference and stays empty if there is none.
     * False: the record is malformed, problems say where. */
    bool (*verify)(const MashContent *, const MashDocuments *in, MashTraceCounts *tally,
                   MashText *report, MashProblems *);
} MashFormat;

/* Generates random documents of one kind that load() accepts: `write` takes a value for each
 * parameter within its limits and fills `out`. False: no document has this combination of values,
 * or `out` was too small. */
typedef struct MashGenerator {
    const char *id, *title;
    const MashOption *parameters;
    uint32_t parameters_count;
    bool (*write)(const int32_t *parameters, MashChance *, MashText *out);
} MashGenerator;

/* Which search ai/ uses for a game. */
typedef enum MashMethod {
    MASH_METHOD_EXHAUSTIVE, /* nothing is hidden and turns are short: every possible turn is
                               searched */
    MASH_METHOD_BEAM,       /* nothing is hidden and turns are long: beam search for good turns */
    MASH_METHOD_BEAM_WIDE, /* the same for turns of one unit: many candidate turns, and many replies
                              to each */
    MASH_METHOD_DETERMINIZED, /* much is hidden: states are sampled (determinized), both sides play
                                 by habit() in them */
} MashMethod;

/* Evaluations are at most this far from 0; anything beyond it is a known win or loss. */
enum { MASH_EVALUATION_MAX = 1000000 };
/* Where much is hidden, nothing counts more than this: a match that is won in a guess. */
enum { MASH_LEAD_MAX = 3000 };

/* How a level plays, from the weakest to the strongest. Every game has MASH_LEVELS of them; one
 * that gains clearly from longer thinking has more, up to MASH_LEVELS_MAX. */
enum { MASH_LEVELS = 8, MASH_LEVELS_MAX = 9 };
typedef struct MashLevel {
    uint32_t nodes;        /* actions tried per turn, if the level looks ahead */
    uint16_t random_turns; /* random turns per 1000 turns */
    uint16_t overlooked;   /* of 1000 actions, if the level plans only its own turn */
} MashLevel;

/* How often a position is won, by the value that is found for the seat to act: at each of the
 * ascending values its chance in ten thousandths, a draw counting half; between them on a straight
 * line. `won` and `lost`: where the search sees the end. */
enum { MASH_WINNING_KNOTS = 12, MASH_WINNING_CERTAIN = 10000 };
typedef struct MashWinningTable {
    uint16_t won, lost;
    int32_t values[MASH_WINNING_KNOTS];
    uint16_t chances[MASH_WINNING_KNOTS];
} MashWinningTable;
/* The tables of both seats, which are the same where the sides are, and the nodes for one position.
 * Measured by bench/programs/winning.c. */
typedef struct MashWinning {
    uint32_t nodes;
    const MashWinningTable *seats[MASH_SEATS];
} MashWinning;

/* The knowledge of a good player, for ai/: evaluation, not rules. Integers only, so that every
 * machine chooses the same. Works on views and on states. Entries may be NULL. */
typedef struct MashEvaluator {
    MashMethod method;
    /* Evaluation of the state for the seat, from -MASH_EVALUATION_MAX to MASH_EVALUATION_MAX. */
    int32_t (*evaluate)(const MashContent *, const void *state, uint8_t seat);
    /* How far the state is from any combat, in units of evaluation: search prefers attacking to
     * waiting. */
    int32_t (*combat_distance)(const MashContent *, const void *state);
    /* Priority of a legal action (move ordering). INT32_MIN: never try it; at least one action of
     * every list has more. */
    int32_t (*priority)(const MashContent *, const void *state, MashAction);
    /* The same for a whole list at once, replaces priority() where the actions share much work. */
    void (*priorities)(const MashContent *, const void *state, uint8_t seat, const MashAction *list,
                       uint32_t count, int32_t *out);
    /* What a seat does in a rollout: the number of one of these legal actions, drawn as likely as a
     * good player would choose it who knows what the seat may see of the state. The memory, zero
     * before a position's first rollout, keeps what the seat believes from one action to the next.
     * For MASH_METHOD_DETERMINIZED alone. */
    uint32_t (*habit)(const MashContent *, const void *state, uint8_t seat, const MashAction *list,
                      uint32_t count, MashChance *, void *memory);
    uint32_t habit_bytes;
    /* A number that changes when the turn ends. NULL: every action is a turn of its own. */
    uint32_t (*turn_number)(const MashContent *, const void *state);
    /* What to choose while drafting and placing; verb MASH_VERB_NONE: drafting and placing are
     * over. */
    MashAction (*opening)(const MashContent *, const void *view, uint8_t seat, MashChance *);
    /* Better versions of evaluate() for search and of opening() for levels from 2 on. The originals
     * stay unchanged, so that greedy players remain a baseline. NULL: there is no better version.
     */
    int32_t (*evaluate_trained)(const MashContent *, const void *state, uint8_t seat);
    MashAction (*opening_trained)(const MashContent *, const void *view, uint8_t seat,
                                  uint32_t level, MashChance *);
    /* Describes a position for nets (base/table_net.h), the seats being the sides. False: it is one
     * that nets know nothing about. And the net by which search evaluates the others, in place of
     * evaluate_trained(); NULL: none. */
    bool (*net_input)(const MashContent *, const void *state, TableNetInput *out);
    const TableNet *net;
    /* MASH_LEVELS of them or more, each clearly stronger than the one before: MASH_LIST(levels). */
    const MashLevel *levels;
    uint32_t levels_count;
    /* NULL: not measured, see ai/judge.h. */
    const MashWinning *winning;
    /* Several who share a search are no stronger than one alone: it is not shared. */
    bool searched_alone;
} MashEvaluator;

/* One game. Entries marked "may be NULL" are optional; all others are required. */
struct MashGame {
    const char *id, *title;
    uint32_t version; /* version of rules and state layout: in match files */
    uint32_t content_bytes_max;
    const MashPreset *presets;
    uint32_t presets_count;
    const MashOption *options;
    uint32_t options_count;
    uint32_t figures_count;
    const char *verb_forms; /* notation of the actions of verb 1, 2 and so on, separated by |: "move
                               {unit} {cell}|end"; see engine/notation.h; may be NULL */
    uint32_t texts_at;      /* offset of the MashTexts of its documents in the content's body */
    uint32_t texts_bytes;   /* size of a MashTexts; 0: the game has none */
    /* The fields of each kind of document except texts (base/fields.h), terminated by NULL; may be
     * NULL. */
    const struct Fields *const *documents;

    /* Reads and checks documents; fills content->limits, hash and body. False: problems lists all
     * errors. */
    bool (*load)(const MashDocuments *, MashContent *, MashProblems *);
    /* A new match. Any status but MASH_OK leaves the state invalid. */
    MashStatus (*setup)(const MashContent *, const MashSetup *, MashChance *, void *state);
    /* The seats the match waits for: one bit per seat, 0 = finished. Seats that are not awaited may
     * still resign and answer a draw offer. */
    uint32_t (*awaited)(const MashContent *, const void *state);
    /* All legal actions of the seat, ascending; at most limits.actions_max. None if the seat is not
     * awaited. */
    uint32_t (*actions)(const MashContent *, const void *state, uint8_t seat, MashAction *out);
    /* Checks legality only. Accepts any eight bytes. */
    MashStatus (*check)(const MashContent *, const void *state, MashAction);
    /* Applies an action that actions() listed or check() allowed in this very state; does not check
     * it, and appends its events. Undefined for any other action. */
    void (*apply_listed)(const MashContent *, void *state, MashAction, MashChance *, MashEvents *);
    MashResult (*result)(const MashContent *, const void *state);
    /* For the end screen: figure number `figure` of a unit or of a team (MASH_UNIT_SIDE + seat). */
    int32_t (*figure)(const MashContent *, const void *state, uint8_t unit, uint8_t figure);
    /* Blanks what the seat may not know. Idempotent. */
    void (*hide)(const MashContent *, void *state, uint8_t seat);
    /* Fills the blanks of a seat's view with a possible guess. May be NULL where hide() never
     * blanks anything. */
    void (*guess)(const MashContent *, void *view, uint8_t seat, MashChance *);
    /* Fills in what to display, for a state or a view. */
    void (*show)(const MashContent *, const void *state, MashBoard *);
    /* Reads the one *.texts.json of the documents for loaded content into texts_bytes of lent
     * memory; all ids of the content must be present. False: problems lists the errors. May be
     * NULL: the game has only one language. */
    bool (*load_texts)(const MashContent *, const MashDocuments *, MashTexts *, MashProblems *);
    /* The stable id of an entry of a list: "health", "ork", "resigned"; lower case letters, digits
     * and hyphens, the same in every language. NULL: there is no such entry. */
    const char *(*id_of)(const MashContent *, MashNames list, uint8_t index);
    /* The list that `what` of an event refers to, where MASH_EVENTS does not define it for this
     * game. May be NULL: it always does. */
    MashNames (*what_list)(const MashEvent *);
    /* What a unit may do to the other side in one turn of its own, from what a view of the other
     * side shows, as far as it is not known at worst: for each cell, row by row, at least the most
     * health that a unit of the other side standing there may lose, or 1 where units have none; 0
     * where nobody is hit. `most` is zero at first; cells only rise. May be NULL: it is searched
     * (match/threat.h). */
    void (*threat)(const MashContent *, const void *view, uint8_t unit, int32_t *most);
    bool threats_add_up; /* all units of a side act in one turn */
    /* Texts. Each function appends to the text, in the language of the texts given; NULL: that of
     * the content's documents. */
    void (*name)(const MashContent *, const MashTexts *, MashNames list, uint8_t index, MashText *);
    /* A short name such as "h0" or "hulk"; on a view it reveals no more than the view. */
    void (*unit_name)(const MashContent *, const void *state, uint8_t unit, MashText *);
    /* The name of a unit in a sentence; nothing if the number is not a unit. May be NULL:
     * unit_name(). */
    MashUnitWords *full_name;
    /* Notation of an action; unique in a list, so a typed command is found by comparing. */
    void (*notation)(const MashContent *, const void *state, MashAction, MashText *);
    /* A sentence for the log; the state may be the one before or after the event. */
    void (*say)(const MashContent *, const MashTexts *, const void *state, const MashEvent *,
                MashText *);
    /* One or two sentences about an entry of a list (a kind, an ability, an effect) with its actual
     * numbers; nothing if there is nothing to say. May be NULL. */
    void (*describe)(const MashContent *, const MashTexts *, MashNames list, uint8_t index,
                     MashText *);

    const MashFormat *const *formats; /* NULL-terminated; may be NULL */

    const MashGenerator *generators; /* may be NULL */
    uint32_t generators_count;

    const MashEvaluator *evaluator; /* may be NULL */
};

/* A list of a game with its count, for the MashGame initialiser: MASH_LIST(presets). */
#define MASH_LIST(list) .list = list, .list##_count = sizeof(list) / sizeof *(list)
/* The rule entries of a MashGame, for a game whose functions have the names of the entries. */
#define MASH_RULES                                                                                 \
    .setup = setup, .awaited = awaited, .actions = actions, .check = check,                        \
    .apply_listed = apply_listed

/* Entries of an evaluator whose functions have their names. */
#define MASH_EVALUATION(kind)                                                                      \
    .method = MASH_METHOD_##kind, .evaluate = evaluate, .priority = priority

/* All games, terminated by NULL, and one by its id (NULL: none). */
extern const MashGame *const mash_games[];
const MashGame *mash_game_find(const char *id);

/* A document that comes with a game, by its file name; its count is 0 if there is none. */
MashDocument mash_document_shipped(const MashGame *game, const char *name);
/* The texts that come with a game, one document per language, from number 0 on; count 0: there are
 * no more. */
MashDocument mash_texts_shipped(const MashGame *game, uint32_t index);
/* Writes the documents of a preset (NULL = the default) to `out`; returns how many, 0 if there is
 * no such preset. */
uint32_t mash_documents_of_preset(const MashGame *game, const char *preset,
                                  MashDocument out[MASH_DOCUMENTS_MAX]);
/* The kind of a document: its file name from the second to last dot on: ".start.json" of
 * my.v2.start.json. */
const char *mash_document_kind(const char *name);
/* Replaces the document of the same kind or adds it. False: the list is full. */
bool mash_documents_replace(MashDocument list[MASH_DOCUMENTS_MAX], uint32_t *count,
                            MashDocument document);

/* Appends the JSON schema of a kind of document, such as ".start.json", of the content's game.
 * False: it has no such kind. */
bool mash_write_schema(const MashContent *content, const char *kind, MashText *text);
/* Appends all fields of the game's documents except texts as Markdown tables, for people. */
void mash_write_reference(const MashGame *game, MashText *text);

/* Checks and applies. Any status but MASH_OK leaves the state unchanged and no events. If the
 * action comes from the list of this very state, call apply_listed() instead. */
MashStatus mash_apply(const MashContent *content, void *state, MashAction action,
                      MashChance *chance, MashEvents *events);

/* A board for show() to fill, with arrays in the lender's memory. */
MashBoard mash_board_lend(const MashContent *content, Lender *lender);
/* The same over `memory`, which is zeroed and has mash_board_bytes(). */
size_t mash_board_bytes(const MashContent *content);
MashBoard mash_board_over(const MashContent *content, void *memory);

/* Texts that all games share. */
const char *mash_status_id(MashStatus status);           /* not-your-turn */
const char *mash_status_sentence(MashStatus status);     /* It is not your turn. */
const char *mash_event_id(uint8_t kind);                 /* match-began; NULL: no such kind */
const char *mash_role_id(uint8_t role);                  /* health; NULL: no such role */
const char *mash_texts_language(const MashTexts *texts); /* en, de: the code of the language */
/* The name of a thing of other documents in the language of the texts (NULL: that of the content's
 * documents): its translation, or the name itself. */
const char *mash_texts_translate(const MashContent *content, const MashTexts *texts,
                                 const char *name);
/* Like the game's say(), but `called` names the units. Without it, or for a game without texts, it
 * is say(). */
void mash_event_say(const MashContent *content, const MashTexts *texts, const void *state,
                    const MashEvent *event, const MashCalling *called, MashText *text);

/* What `other` of such an event is. */
MashOther mash_event_other(uint8_t kind);
/* The list that `what` of the event refers to; MASH_NAME_NONE: none. */
MashNames mash_event_list(const MashGame *game, const MashEvent *event);

/* The form of a verb of the game's (verb_forms), which ends at a | or a NUL; empty if there is
 * none.
 */
const char *mash_verb_form(const MashGame *game, uint32_t verb);
/* <0, 0, >0: the order of lists of legal actions (field by field as unsigned bytes). */
int mash_action_compare(MashAction a, MashAction b);
/* Can this seat (or MASH_SEAT_SPECTATOR) see the event? */
bool mash_event_seen(const MashEvent *event, uint8_t seat);

#endif
