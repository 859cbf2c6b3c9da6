/* adapters.c -- see adapter.h: which games support the standard. */
#include <string.h>

#include "standard/adapter.h"

extern const StandardServerAdapter marvelous_standard_server;
extern const StandardClientAdapter marvelous_standard_client;

/* One game. */
typedef struct Adapters {
    const char *game;
    const StandardServerAdapter *server;
    const StandardClientAdapter *client;
} Adapters;

static const Adapters list[] = {
    {"marvelous-mashup", &marvelous_standard_server, &marvelous_standard_client},
};

/* Those of a game; NULL: it has none. */
static const Adapters *find(const MashGame *game) {
    for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].game, game->id) == 0)
            return &list[i];
    return NULL;
}

const MashGame *standard_game(void) { return mash_game_find(list[0].game); }

const StandardServerAdapter *standard_server_adapter(const MashGame *game) {
    const Adapters *found = find(game);
    return found == NULL ? NULL : found->server;
}

const StandardClientAdapter *standard_client_adapter(const MashGame *game) {
    const Adapters *found = find(game);
    return found == NULL ? NULL : found->client;
}
