/* join.h -- mashup join --protocol standard: a person plays or watches in the terminal at any
 * server of the network standard. */
#ifndef STANDARD_COMMANDS_JOIN_H
#define STANDARD_COMMANDS_JOIN_H
#include "include/mashup.h"

/* Server and identity; device: NULL = a new one. */
typedef struct StandardJoinConfig {
    const char *place, *name, *device, *role;
    const char *cafile; /* NULL: only the system's certificates */
    const MashGame *game;
} StandardJoinConfig;

/* Plays or watches. The exit code. */
int standard_join(const StandardJoinConfig *config);

#endif
