/* standard.h -- what the files of the network standard share: the adapters, an encoder, and numbers
 * of units. */
#ifndef GAMES_MARVELOUS_MASHUP_STANDARD_STANDARD_H
#define GAMES_MARVELOUS_MASHUP_STANDARD_STANDARD_H
#include "games/marvelous-mashup/state.h"
#include "standard/adapter.h"

/* decode_requests.c and client_content.c: what standard/adapters.c lists. */
extern const StandardServerAdapter marvelous_standard_server;
extern const StandardClientAdapter marvelous_standard_client;

/* The numbers of the rocks: consecutive from 0 as they appear, never used twice. */
struct StandardEncoder {
    const MashContent *loaded;
    const MarvelousContent *content;
    uint32_t rocks_count; /* that ever were */
    uint32_t rocks[];     /* of each cell: 1 + number, 0 = no rock */
};

/* A cell as the standard writes it. */
static inline StandardField standard_field(int x, int y) { return (StandardField){x, y}; }

/* A hero by its characterID, an NPC from 0; the state has the kind of each hero. */
StandardRef marvelous_reference(const MarvelousContent *content, const MarvelousState *state,
                                uint8_t unit);
/* The rock or portal of a cell; group STANDARD_GROUP_COUNT: there is none. */
StandardRef marvelous_ground_reference(const StandardEncoder *encoder, uint32_t cell);
/* A stone. */
StandardRef marvelous_stone_reference(uint8_t stone);
/* Entities: a hero in its present state, one of the NPCs, the ground of a cell, a stone. */
StandardEntity marvelous_hero_entity(const MarvelousContent *content, const MarvelousState *state,
                                     uint8_t hero);
StandardEntity marvelous_npc_entity(uint8_t unit, uint32_t moves, uint8_t stones, int x, int y);
StandardEntity marvelous_ground_entity(const StandardEncoder *encoder, uint32_t cell, int health);
StandardEntity marvelous_stone_entity(uint8_t stone, int x, int y);

/* encode.c: entry points of the server adapter. */
size_t marvelous_room_bytes(const MashContent *loaded);
StandardEvents marvelous_encode_events(StandardEncoder *encoder, const void *before,
                                       const void *after, const MashEvents *events, void *memory);
bool marvelous_encode_state(const StandardEncoder *encoder, const void *state, void *memory,
                            StandardMessage *out);

#endif
