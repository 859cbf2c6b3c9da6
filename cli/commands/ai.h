/* ai.h -- mashup ai: what its two ways to play share: the standard's servers (ai.c) and the arena
 * (ai_arena.c). */
#ifndef CLI_COMMANDS_AI_H
#define CLI_COMMANDS_AI_H
#include "cli/cli.h"
#include "client/thinker.h"

/* How long one decision may take at most, and of a turn's time how much. */
enum { AI_DECISION_MS = 4000, AI_PART_OF_TURN = 60 };

/* What was asked for. */
typedef struct AiRunConfig {
    const char *url, *name, *device, *role; /* device: NULL = a new one */
    const MashGame *game;
    const AiSkill *skill;
    uint64_t matches;
    uint32_t reconnect_ms;
    uint32_t pace_ms; /* requests at a server of the standard are so far apart */
} AiRunConfig;

/* Until when a decision may be thought about, in a turn that began then and has so much time; 0 =
 * no limit. */
uint64_t ai_until_ms(uint64_t now_ms, uint64_t began_ms, uint64_t turn_ms);
/* Plays matches at an arena. The exit code. */
int ai_play_arena(const AiRunConfig *wish);

#endif
