/* games.c -- the list of games, one line each. */
#include <string.h>

#include "games/shipped.h"
#include "include/mashup.h"

/* One line per game: the name of its MashGame without _game. */
#define GAMES(X)                                                                                   \
    X(zorde)                                                                                       \
    X(battleground)                                                                                \
    X(generals)                                                                                    \
    X(ultimate_war)                                                                                \
    X(tablut)                                                                                      \
    X(marvelous_mashup)

#define GAMES_ROW(name) extern const MashGame name##_game;
GAMES(GAMES_ROW)
#undef GAMES_ROW

#define GAMES_ROW(name) &name##_game,
const MashGame *const mash_games[] = {GAMES(GAMES_ROW) NULL};
#undef GAMES_ROW

const MashGame *mash_game_find(const char *id) {
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if (strcmp((*game)->id, id) == 0)
            return *game;
    return NULL;
}

MashDocument mash_document_shipped(const MashGame *game, const char *name) {
    for (const Shipped *shipped = shipped_documents; shipped->game != NULL; shipped++)
        if (strcmp(shipped->game, game->id) == 0 && strcmp(shipped->document.name, name) == 0)
            return shipped->document;
    return (MashDocument){.name = "", .bytes = "", .count = 0};
}

MashDocument mash_texts_shipped(const MashGame *game, uint32_t index) {
    for (const Shipped *shipped = shipped_documents; shipped->game != NULL; shipped++)
        if (strcmp(shipped->game, game->id) == 0 &&
            strcmp(mash_document_kind(shipped->document.name), ".texts.json") == 0 && index-- == 0)
            return shipped->document;
    return (MashDocument){.name = "", .bytes = "", .count = 0};
}

/* The preset of this id, or NULL if there is none; without an id the first. */
static const MashPreset *preset_find(const MashGame *game, const char *id) {
    for (uint32_t i = 0; i < game->presets_count; i++)
        if (id == NULL || strcmp(game->presets[i].id, id) == 0)
            return &game->presets[i];
    return NULL;
}

uint32_t mash_documents_of_preset(const MashGame *game, const char *preset,
                                  MashDocument out[MASH_DOCUMENTS_MAX]) {
    const MashPreset *found = preset_find(game, preset);
    uint32_t count = 0;
    if (found == NULL)
        return 0;
    while (count < MASH_DOCUMENTS_MAX && found->documents[count] != NULL) {
        out[count] = mash_document_shipped(game, found->documents[count]);
        out[count].name = found->documents[count]; /* one that is missing is named by its problem */
        count++;
    }
    return count;
}
