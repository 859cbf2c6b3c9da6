/* messages.h -- the vocabulary of the Marvelous Mashup network standard: every message, event and
 * request with its keys, and the values they carry.
 *
 * Three lists below define the keys; reader, writer (standard/wire.h) and docs/standard.schema.json
 * come from them. One struct, StandardMessage, holds the values of any of them. A game that
 * supports the standard fills and reads it in its adapters (standard/adapter.h); nobody else needs
 * to know the game. */
#ifndef STANDARD_MESSAGES_H
#define STANDARD_MESSAGES_H
#include "include/mashup.h"

/* Figures of the standard. */
enum {
    STANDARD_PORT = 1218,
    STANDARD_OFFERED = 12,
    STANDARD_TEAM = 6,
    STANDARD_STONES = 6,
    STANDARD_PLAYERS = 2
};

/* --- Words ------------------------------------------------------------------------------------ */

/* The groups of an entity reference {"entityID": group, "ID": number}. */
#define STANDARD_GROUPS(X)                                                                         \
    X(P1, "P1")                                                                                    \
    X(P2, "P2")                                                                                    \
    X(NPC, "NPC")                                                                                  \
    X(ROCKS, "Rocks")                                                                              \
    X(STONES, "InfinityStones")                                                                    \
    X(PORTALS, "Portals")
/* The types of an entity on the board. */
#define STANDARD_ENTITIES(X)                                                                       \
    X(CHARACTER, "Character")                                                                      \
    X(ROCK, "Rock")                                                                                \
    X(STONE, "InfinityStone")                                                                      \
    X(NPC, "NPC")                                                                                  \
    X(PORTAL, "Portal")
/* The role that a client requests. */
#define STANDARD_ROLES(X)                                                                          \
    X(PLAYER, "PLAYER")                                                                            \
    X(AI, "KI")                                                                                    \
    X(SPECTATOR, "SPECTATOR")
/* The role that it was assigned. */
#define STANDARD_ASSIGNMENTS(X)                                                                    \
    X(ONE, "PlayerOne")                                                                            \
    X(TWO, "PlayerTwo")                                                                            \
    X(SPECTATOR, "Spectator")

#define STANDARD_GROUP_ROW(name, word)      STANDARD_GROUP_##name,
#define STANDARD_ENTITY_ROW(name, word)     STANDARD_ENTITY_##name,
#define STANDARD_ROLE_ROW(name, word)       STANDARD_ROLE_##name,
#define STANDARD_ASSIGNMENT_ROW(name, word) STANDARD_ASSIGNMENT_##name,
/* Numbers of these words: STANDARD_GROUP_NPC, STANDARD_ROLE_AI ... */
enum { STANDARD_GROUPS(STANDARD_GROUP_ROW) STANDARD_GROUP_COUNT };
enum { STANDARD_ENTITIES(STANDARD_ENTITY_ROW) STANDARD_ENTITY_COUNT };
enum { STANDARD_ROLES(STANDARD_ROLE_ROW) STANDARD_ROLE_COUNT };
enum { STANDARD_ASSIGNMENTS(STANDARD_ASSIGNMENT_ROW) STANDARD_ASSIGNMENT_COUNT };

/* Types of ERROR. */
enum {
    STANDARD_ERROR_UNSUPPORTED = 1,
    STANDARD_ERROR_UNEXPECTED,
    STANDARD_ERROR_UNKNOWN, /* nobody of that name and device to reconnect */
    STANDARD_ERROR_FULL,    /* registering failed */
    STANDARD_ERROR_LOST     /* recovering failed */
};

/* --- Keys: K(kind, key, member of StandardMessage, REQUIRED or OPTIONAL) ----------------------
 * Kinds:
 *   ENTITY_OBJECT  an entity; ENTITY_OBJECTS: an array of them
 *   TEXT   a string                       BOOL   true or false
 *   INT    a whole number from 0          ROLE, ASSIGNMENT  a word of these lists
 *   CELL   [x, y]                         REF    an entity reference; REFS: an array of them
 *   BOOLS  twelve of true or false
 *   HEROES characters with their values   CONFIG a configuration, as JSON
 *   INTS   six whole numbers              ANY    any JSON, ignored */

#define STANDARD_NO_KEYS(K)
#define STANDARD_KEYS_HELLO_SERVER(K)                                                              \
    K(TEXT, "name", name, REQUIRED)                                                                \
    K(TEXT, "deviceID", device, REQUIRED)
#define STANDARD_KEYS_HELLO_CLIENT(K) K(BOOL, "runningGame", flag, REQUIRED)
#define STANDARD_KEYS_RECONNECT(K)    K(BOOL, "reconnect", flag, REQUIRED)
#define STANDARD_KEYS_PLAYER_READY(K)                                                              \
    K(BOOL, "startGame", flag, REQUIRED)                                                           \
    K(ROLE, "role", role, REQUIRED)
#define STANDARD_KEYS_GAME_ASSIGNMENT(K)                                                           \
    K(TEXT, "gameID", name, REQUIRED)                                                              \
    K(HEROES, "characterSelection", heroes[0], REQUIRED)
#define STANDARD_KEYS_GENERAL_ASSIGNMENT(K)  K(TEXT, "gameID", name, REQUIRED)
#define STANDARD_KEYS_CHARACTER_SELECTION(K) K(BOOLS, "characters", chosen, REQUIRED)
#define STANDARD_KEYS_CONFIRM_SELECTION(K)   K(BOOL, "selectionComplete", flag, REQUIRED)
#define STANDARD_KEYS_GAME_STRUCTURE(K)                                                            \
    K(ASSIGNMENT, "assignment", role, REQUIRED)                                                    \
    K(TEXT, "playerOneName", name, REQUIRED)                                                       \
    K(TEXT, "playerTwoName", device, REQUIRED)                                                     \
    K(HEROES, "playerOneCharacters", heroes[0], REQUIRED)                                          \
    K(HEROES, "playerTwoCharacters", heroes[1], REQUIRED)                                          \
    K(CONFIG, "scenarioconfig", configs[0], REQUIRED)                                              \
    K(CONFIG, "matchconfig", configs[1], REQUIRED)
#define STANDARD_KEYS_SAY(K) K(TEXT, "message", name, REQUIRED)
#define STANDARD_KEYS_ERROR(K)                                                                     \
    K(TEXT, "message", name, REQUIRED)                                                             \
    K(INT, "type", amount, REQUIRED)
#define STANDARD_KEYS_LIST(K) K(ANY, "messages", ignored, REQUIRED)
#define STANDARD_KEYS_CUSTOM(K)                                                                    \
    K(TEXT, "teamIdentifier", name, REQUIRED)                                                      \
    K(ANY, "customContent", ignored, REQUIRED)

/* Messages: M(name, messageType, sender, keys). */
#define STANDARD_MESSAGES(M)                                                                       \
    M(HELLO_SERVER, "HELLO_SERVER", CLIENT, STANDARD_KEYS_HELLO_SERVER)                            \
    M(HELLO_CLIENT, "HELLO_CLIENT", SERVER, STANDARD_KEYS_HELLO_CLIENT)                            \
    M(RECONNECT, "RECONNECT", CLIENT, STANDARD_KEYS_RECONNECT)                                     \
    M(PLAYER_READY, "PLAYER_READY", CLIENT, STANDARD_KEYS_PLAYER_READY)                            \
    M(GAME_ASSIGNMENT, "GAME_ASSIGNMENT", SERVER, STANDARD_KEYS_GAME_ASSIGNMENT)                   \
    M(GENERAL_ASSIGNMENT, "GENERAL_ASSIGNMENT", SERVER, STANDARD_KEYS_GENERAL_ASSIGNMENT)          \
    M(CHARACTER_SELECTION, "CHARACTER_SELECTION", CLIENT, STANDARD_KEYS_CHARACTER_SELECTION)       \
    M(CONFIRM_SELECTION, "CONFIRM_SELECTION", SERVER, STANDARD_KEYS_CONFIRM_SELECTION)             \
    M(GAME_STRUCTURE, "GAME_STRUCTURE", SERVER, STANDARD_KEYS_GAME_STRUCTURE)                      \
    M(GOODBYE_CLIENT, "GOODBYE_CLIENT", SERVER, STANDARD_KEYS_SAY)                                 \
    M(ERROR, "ERROR", BOTH, STANDARD_KEYS_ERROR)                                                   \
    M(EVENTS, "EVENTS", SERVER, STANDARD_KEYS_LIST)                                                \
    M(REQUESTS, "REQUESTS", CLIENT, STANDARD_KEYS_LIST)

#define STANDARD_KEYS_GAMESTATE(K)                                                                 \
    K(ENTITY_OBJECTS, "entities", entities, REQUIRED)                                              \
    K(CELL, "mapSize", target_field, REQUIRED)                                                     \
    K(REFS, "turnOrder", order, REQUIRED)                                                          \
    K(REF, "activeCharacter", target, REQUIRED)                                                    \
    K(INTS, "stoneCooldowns", cooldowns, REQUIRED)                                                 \
    K(BOOL, "winCondition", flag, REQUIRED)
#define STANDARD_KEYS_ROUND(K)                                                                     \
    K(INT, "roundCount", amount, REQUIRED)                                                         \
    K(REFS, "characterOrder", order, REQUIRED)
#define STANDARD_KEYS_TURN(K)                                                                      \
    K(INT, "turnCount", amount, REQUIRED)                                                          \
    K(REF, "nextCharacter", target, REQUIRED)
#define STANDARD_KEYS_STEP(K)                                                                      \
    K(REF, "originEntity", origin, REQUIRED)                                                       \
    K(CELL, "originField", origin_field, REQUIRED)                                                 \
    K(CELL, "targetField", target_field, REQUIRED)
#define STANDARD_KEYS_CHANGE(K)                                                                    \
    K(REF, "targetEntity", target, REQUIRED)                                                       \
    K(CELL, "targetField", target_field, REQUIRED)                                                 \
    K(INT, "amount", amount, REQUIRED)
#define STANDARD_KEYS_PAIR(K)                                                                      \
    K(REF, "originEntity", origin, REQUIRED)                                                       \
    K(REF, "targetEntity", target, REQUIRED)                                                       \
    K(CELL, "originField", origin_field, REQUIRED)                                                 \
    K(CELL, "targetField", target_field, REQUIRED)
#define STANDARD_KEYS_ATTACK(K)                                                                    \
    STANDARD_KEYS_PAIR(K)                                                                          \
    K(INT, "amount", amount, OPTIONAL)
#define STANDARD_KEYS_WITH_STONE(K)                                                                \
    STANDARD_KEYS_PAIR(K)                                                                          \
    K(REF, "stoneType", stone, REQUIRED)
#define STANDARD_KEYS_DESTROYED(K)                                                                 \
    K(CELL, "targetField", target_field, REQUIRED)                                                 \
    K(REF, "targetEntity", target, REQUIRED)
#define STANDARD_KEYS_SPAWN(K) K(ENTITY_OBJECT, "entity", entity, REQUIRED)
#define STANDARD_KEYS_TELEPORTED(K)                                                                \
    K(REF, "teleportedEntity", origin, REQUIRED)                                                   \
    K(CELL, "originField", origin_field, REQUIRED)                                                 \
    K(CELL, "targetField", target_field, REQUIRED)                                                 \
    K(REF, "originPortal", stone, REQUIRED)                                                        \
    K(REF, "targetPortal", target, REQUIRED)
#define STANDARD_KEYS_WARNING(K)                                                                   \
    K(TEXT, "message", name, REQUIRED)                                                             \
    K(INT, "timeLeft", amount, REQUIRED)
#define STANDARD_KEYS_WIN(K) K(INT, "playerWon", amount, REQUIRED)

/* Events, from the server: M(name, eventType, sender, keys). */
#define STANDARD_EVENTS(M)                                                                         \
    M(ACK, "Ack", SERVER, STANDARD_NO_KEYS)                                                        \
    M(NACK, "Nack", SERVER, STANDARD_NO_KEYS)                                                      \
    M(GAMESTATE, "GamestateEvent", SERVER, STANDARD_KEYS_GAMESTATE)                                \
    M(ROUND, "RoundSetupEvent", SERVER, STANDARD_KEYS_ROUND)                                       \
    M(TURN, "TurnEvent", SERVER, STANDARD_KEYS_TURN)                                               \
    M(MOVE, "MoveEvent", SERVER, STANDARD_KEYS_STEP)                                               \
    M(CONSUMED_MP, "ConsumedMPEvent", SERVER, STANDARD_KEYS_CHANGE)                                \
    M(CONSUMED_AP, "ConsumedAPEvent", SERVER, STANDARD_KEYS_CHANGE)                                \
    M(MELEE, "MeleeAttackEvent", SERVER, STANDARD_KEYS_ATTACK)                                     \
    M(RANGED, "RangedAttackEvent", SERVER, STANDARD_KEYS_ATTACK)                                   \
    M(DAMAGE, "TakenDamageEvent", SERVER, STANDARD_KEYS_CHANGE)                                    \
    M(HEALED, "HealedEvent", SERVER, STANDARD_KEYS_CHANGE)                                         \
    M(DESTROYED, "DestroyedEntityEvent", SERVER, STANDARD_KEYS_DESTROYED)                          \
    M(SPAWN, "SpawnEntityEvent", SERVER, STANDARD_KEYS_SPAWN)                                      \
    M(EXCHANGE, "ExchangeInfinityStoneEvent", SERVER, STANDARD_KEYS_WITH_STONE)                    \
    M(USE, "UseInfinityStoneEvent", SERVER, STANDARD_KEYS_WITH_STONE)                              \
    M(TELEPORTED, "TeleportedEvent", SERVER, STANDARD_KEYS_TELEPORTED)                             \
    M(TURN_TIMEOUT, "TurnTimeoutEvent", SERVER, STANDARD_NO_KEYS)                                  \
    M(WARNING, "TimeoutWarningEvent", SERVER, STANDARD_KEYS_WARNING)                               \
    M(TIMEOUT, "TimeoutEvent", SERVER, STANDARD_KEYS_SAY)                                          \
    M(PAUSE_START, "PauseStartEvent", SERVER, STANDARD_NO_KEYS)                                    \
    M(PAUSE_STOP, "PauseStopEvent", SERVER, STANDARD_NO_KEYS)                                      \
    M(WIN, "WinEvent", SERVER, STANDARD_KEYS_WIN)                                                  \
    M(DISCONNECT, "DisconnectEvent", SERVER, STANDARD_NO_KEYS)                                     \
    M(CUSTOM, "CustomEvent", NOBODY, STANDARD_KEYS_CUSTOM)

#define STANDARD_KEYS_ATTACK_REQUEST(K)                                                            \
    STANDARD_KEYS_PAIR(K)                                                                          \
    K(INT, "value", amount, OPTIONAL)
#define STANDARD_KEYS_USE_REQUEST(K)                                                               \
    K(REF, "originEntity", origin, REQUIRED)                                                       \
    K(REF, "targetEntity", target, OPTIONAL)                                                       \
    K(CELL, "originField", origin_field, REQUIRED)                                                 \
    K(CELL, "targetField", target_field, REQUIRED)                                                 \
    K(REF, "stoneType", stone, REQUIRED)

/* Requests, from a client: M(name, requestType, sender, keys). */
#define STANDARD_REQUESTS(M)                                                                       \
    M(MOVE, "MoveRequest", CLIENT, STANDARD_KEYS_STEP)                                             \
    M(MELEE, "MeleeAttackRequest", CLIENT, STANDARD_KEYS_ATTACK_REQUEST)                           \
    M(RANGED, "RangedAttackRequest", CLIENT, STANDARD_KEYS_ATTACK_REQUEST)                         \
    M(EXCHANGE, "ExchangeInfinityStoneRequest", CLIENT, STANDARD_KEYS_WITH_STONE)                  \
    M(USE, "UseInfinityStoneRequest", CLIENT, STANDARD_KEYS_USE_REQUEST)                           \
    M(END, "EndRoundRequest", CLIENT, STANDARD_NO_KEYS)                                            \
    M(PAUSE_START, "PauseStartRequest", CLIENT, STANDARD_NO_KEYS)                                  \
    M(PAUSE_STOP, "PauseStopRequest", CLIENT, STANDARD_NO_KEYS)                                    \
    M(DISCONNECT, "DisconnectRequest", CLIENT, STANDARD_NO_KEYS)                                   \
    M(STATE, "Req", CLIENT, STANDARD_NO_KEYS)                                                      \
    M(CUSTOM, "CustomRequest", CLIENT, STANDARD_KEYS_CUSTOM)

#define STANDARD_MESSAGE_ROW(name, word, from, keys) STANDARD_##name,
#define STANDARD_EVENT_ROW(name, word, from, keys)   STANDARD_EVENT_##name,
#define STANDARD_REQUEST_ROW(name, word, from, keys) STANDARD_REQUEST_##name,
/* Numbers of the rows: STANDARD_HELLO_SERVER, STANDARD_EVENT_MOVE, STANDARD_REQUEST_END ... */
enum { STANDARD_MESSAGES(STANDARD_MESSAGE_ROW) STANDARD_MESSAGE_COUNT };
enum { STANDARD_EVENTS(STANDARD_EVENT_ROW) STANDARD_EVENT_COUNT };
enum { STANDARD_REQUESTS(STANDARD_REQUEST_ROW) STANDARD_REQUEST_COUNT };

/* --- Values ----------------------------------------------------------------------------------- */

/* A cell: x = column, y = row. */
typedef struct StandardField {
    int32_t x, y;
} StandardField;

/* An entity by its group and number. */
typedef struct StandardRef {
    int32_t group, id; /* STANDARD_GROUP_... */
} StandardRef;

/* An entity on the board. Only what its type has is filled: stones is a set, one bit each. */
typedef struct StandardEntity {
    int32_t type, id; /* STANDARD_ENTITY_... */
    int32_t player, health, moves, actions;
    uint32_t stones;
    StandardField field;
    const char *name;
} StandardEntity;

/* A character with its configured values. */
typedef struct StandardCharacter {
    int32_t number; /* characterID */
    int32_t health, moves, actions, melee, ranged, reach;
    const char *name;
} StandardCharacter;

/* Lists, lent. */
typedef struct StandardRefs {
    const StandardRef *list;
    uint32_t count;
} StandardRefs;
typedef struct StandardEntities {
    const StandardEntity *list;
    uint32_t count;
} StandardEntities;
typedef struct StandardCharacters {
    const StandardCharacter *list;
    uint32_t count;
} StandardCharacters;

/* A value that is JSON already. */
typedef struct StandardJson {
    const char *bytes;
    uint32_t count;
} StandardJson;

/* The values of any message, event or request; its row determines which are used. */
typedef struct StandardMessage {
    uint8_t list, row; /* STANDARD_LIST_..., and the number of the row in that list */
    uint32_t present;  /* read: which keys were there, by their place in the row */
    const char *name, *device;
    bool flag, ignored;
    uint8_t role;
    uint32_t chosen; /* of the twelve, a bit each */
    int32_t amount;
    StandardRef origin, target, stone;
    StandardField origin_field, target_field;
    StandardEntity entity;
    StandardEntities entities;
    StandardRefs order;
    StandardCharacters heroes[STANDARD_PLAYERS];
    StandardJson configs[2]; /* scenario, match */
    int32_t cooldowns[STANDARD_STONES];
} StandardMessage;
enum { STANDARD_LIST_MESSAGES, STANDARD_LIST_EVENTS, STANDARD_LIST_REQUESTS, STANDARD_LISTS };

#endif
