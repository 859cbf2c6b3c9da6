/* load.c -- reads the hunt (*.hunt.json) and the texts, and computes the limits. */
#include "games/hounds/state.h"

static const char *const sides[] = {"hounds", "hare", NULL};

static const Field hunt_fields[] = {
    FIELD(INT, "limit", HoundsHunt, limit, .min = HOUNDS_LIMIT_MIN, .max = HOUNDS_LIMIT_MAX,
          .label = "Limit",
          .meaning = "Moves in a row that the hounds may make without going to the right."),
    FIELD(ENUM, "first", HoundsHunt, first, .words = sides, .label = "First",
          .meaning = "Which side begins."),
};
static const Fields hunt_document = {
    .id = ".hunt.json", .meaning = "a hunt", FIELDS_OF(hunt_fields)};
const Fields *const hounds_documents[] = {&hunt_document, NULL};

static const TextsIds lists[] = {
    TEXTS_IDS(KIND, 0, "hound", "hare"),
    TEXTS_IDS(GROUND, 0, "point", "wood"),
    TEXTS_IDS(METER, 0, "stalled"),
    TEXTS_IDS(PHASE, 0, "move", "over"),
    TEXTS_IDS(VERB, HOUNDS_VERB_MOVE, "move"),
    TEXTS_IDS(REASON, MASH_REASON_GAME, "trapped", "past", "stalled"),
    TEXTS_IDS(FIGURE, 0, "moves"),
    {MASH_NAME_SIDE, 0, MASH_SEATS, sides, NULL},
};
static const MashEventKind events[] = {MASH_EVENT_TURN_BEGAN, MASH_EVENT_MOVED,
                                       MASH_EVENT_DRAW_OFFERED, MASH_EVENT_DRAW_DECLINED,
                                       MASH_EVENT_MATCH_ENDED};

/* Limits, each of them proven. Actions: three hounds with five links each that do not go to the
 * left, or the hare with eight. Length: a hound goes to the right four times at most; before the
 * first of these twelve moves, between them and after the last there are at most `limit` others
 * [3.3]; the hare moves as often and once more. Events: the move, a lapsed draw offer, and the turn
 * or the end. */
static void finish(MashContent *content) {
    const uint32_t limit = hounds_hunt(content)->limit, right = 3 * (HOUNDS_WIDTH - 1);
    content->limits = (MashLimits){.state_bytes = sizeof(HoundsState),
                                   .core_bytes = HOUNDS_CORE_BYTES,
                                   .actions_max = 15,
                                   .events_max = 3,
                                   .tokens_max = HOUNDS_UNITS,
                                   .meters_max = 1,
                                   .length_max = 2 * (right + (right + 1) * limit) + 1,
                                   .width = HOUNDS_WIDTH,
                                   .height = HOUNDS_HEIGHT,
                                   .units = HOUNDS_UNITS};
}

GAME_LOAD(hounds, .hashed_bytes = sizeof(HoundsHunt), .finish = finish)
