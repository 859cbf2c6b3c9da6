/* ai.h -- mashup ai at servers of the network standard. */
#ifndef STANDARD_COMMANDS_AI_H
#define STANDARD_COMMANDS_AI_H
#include "cli/commands/ai.h"

/* Plays one match per run, carefully: other servers differ and have bugs. */
extern const AiProtocol standard_ai;

#endif
