/* learned.h -- what was learned by self-play: beliefs about hidden pieces, what to do, who stands
 * better, and where to place an army. All of it is about roles, so that it serves other armies and
 * boards, too. The numbers are in learned.c; train/generals.c made them (docs/strength.md). */
#ifndef GENERALS_LEARNED_H
#define GENERALS_LEARNED_H
#include <stdint.h>

/* Roles of kinds: ranked ones by their power, the greatest of an army being ROLE_TOP. */
enum { ROLE_NONE, ROLE_TOP = 12, ROLE_INFILTRATOR, ROLE_AGENT, ROLE_NEXUS, ROLES };

/* What is seen of a hidden piece: see generals_trace(). */
enum {
    TRACE_ROWS = 3,
    TRACE_ASIDE = 3,
    TRACE_STEPS = 3,
    TRACES = TRACE_ROWS * 7,
    TRACE_EVEN = 256
};

/* Features of actions; those with a role have ROLES of them. */
enum {
    ACT_FIRST,        /* own role: the first step of a piece */
    ACT_FORWARD = 16, /* own role: rows nearer to the far row */
    ACT_BACK = 32,    /* own role: rows further away */
    ACT_AT_UNMOVED = 48,
    ACT_AT_MOVED = 64,
    ACT_AT_KNOWN = 80,
    ACT_DANGER_LEFT = 96,
    ACT_DANGER_ENTERED = 112,
    ACT_HUNT = 128,
    ACT_WIN = 144,      /* enemy's role */
    ACT_LOSE = 160,     /* own role */
    ACT_TIE = 176,      /* own role */
    ACT_TO_MOVED = 192, /* own role: nearer to an enemy that has moved */
    ACT_TO_UNMOVED = 208,
    ACT_LOSE_TO = 240, /* enemy's role */
    ACT_NEXUS = 256,   /* chance of taking it */
    ACT_NEXUS_LEFT,    /* the same, when hardly anything hidden is left */
    ACT_SAVE,          /* ends a threat to the own Nexus */
    ACT_SAVE_NEAR,
    ACT_QUIET,
    ACT_MEET, /* towards the enemy that is nearest to the own Nexus */
    ACT_MEET_BEATS,
    ACT_GUARD,      /* onto a cell beside the own Nexus, */
    ACT_GUARD_NEAR, /* with an enemy near */
    ACT_UNGUARD,    /* away from there */
    ACT_UNGUARD_NEAR,
    ACT_FRIENDS,     /* more friends beside it */
    ACT_SHOWN,       /* a step of a piece that is shown */
    ACT_UNUSED,      /* its weight is 0 */
    ACT_ARRIVE_SNAP, /* comes to the far row where it can snap */
    ACT_GAIN,        /* expected gain of a battle */
    ACT_STEPS,       /* a piece that has stepped often */
    ACT_STRIKE,
    ACT_STRIKE_MEANS,
    ACT_STRIKE_SAVE,
    ACT_STRIKE_DANGER,
    ACT_WEB,
    ACT_WEB_SAVE,
    ACT_WEB_DANGER,
    ACT_STAY,
    ACT_ALONE, /* has nobody beside it after the step */
    ACT_WEIGHTS = 304,
};

/* Features of a set-up: a role and its row, column and distance from the own Nexus. */
enum { SET_ROW, SET_ASIDE = 48, SET_NEAR = 128, SET_BESIDE = 192, SET_WEIGHTS = 192 + 256 };

/* Features of a position, of one side less the other's. */
enum {
    VALUE_PIECE,      /* role: pieces */
    VALUE_SHOWN = 16, /* role: pieces that are shown */
    VALUE_NEAR = 32,  /* enemies by steps from the own Nexus, and who acts */
    VALUE_ABOVE = 44, /* ranked pieces stronger than any of the enemy's */
    VALUE_FREE,       /* the same, without infiltrators to fear */
    VALUE_INFILTRATE, /* infiltrators times strong enemies */
    VALUE_HIDE,       /* infiltrators without agents to fear */
    VALUE_SHARE,      /* share of all that is worth anything */
    VALUE_TURN,
    VALUE_MOVED, /* role-free: pieces that have stepped */
    VALUE_AHEAD, /* rows ahead */
    VALUE_WEIGHTS = 64,
};

/* Weights are in 1/1024 for features, which are in 1/64. */
typedef struct GeneralsLearned {
    int16_t belief[TRACES][ROLES]; /* in parts of TRACE_EVEN */
    int16_t act[ACT_WEIGHTS];
    int16_t set[SET_WEIGHTS];
    int16_t value[VALUE_WEIGHTS];
    int16_t worth[ROLES];
} GeneralsLearned;

/* What is shipped. */
extern const GeneralsLearned generals_learned;
#endif
