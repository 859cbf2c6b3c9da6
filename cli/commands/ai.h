/* ai.h -- mashup ai: a program at a server's table, whatever protocol the server speaks. ai.c has
 * the flags, the loop and the thinking; ai_arena.c and those of other protocols what is their own.
 */
#ifndef CLI_COMMANDS_AI_H
#define CLI_COMMANDS_AI_H
#include "cli/cli.h"
#include "client/protocol.h"
#include "client/thinker.h"

/* Of a turn's time the program uses so much at most, in percent. */
enum { AI_PART_OF_TURN = 60 };

/* What was asked for. */
typedef struct AiRunConfig {
    const char *url, *name, *device, *role; /* device: NULL = a new one */
    const MashGame *game;
    const AiSkill *skill;
    uint64_t matches;
    uint32_t reconnect_ms;
    uint32_t pace_ms; /* requests at a server of the standard are so far apart */
} AiRunConfig;

typedef struct AiProtocol AiProtocol;

/* One run: from the connection to its end. */
typedef struct AiRun {
    const AiRunConfig *config;
    const AiProtocol *protocol;
    NetLoop *loop;
    Thinker *thinker;
    void *client; /* of the protocol; NULL: not open */
    void *own;    /* what the protocol keeps for the run */
    int exit_code;
} AiRun;

/* What is different at servers of one protocol. Entries marked so may be NULL. */
struct AiProtocol {
    const ClientProtocol *client;
    bool one_match; /* a run is one match; otherwise all matches are one run */
    /* Connects: sets `client` and `own`. Calls ai_consider() whenever the position or whose turn it
     * is may have changed, and stops the loop at the end. False: the problem says why not. */
    bool (*open)(AiRun *run, MashText *problem);
    /* Frees `own`, once the client is closed. */
    void (*release)(AiRun *run);
    /* The program is asked to end: says goodbye. */
    void (*leave)(AiRun *run);
    /* We are awaited: decides without thinking? True: there is nothing to think about. */
    bool (*decide)(AiRun *run, const ClientPosition *position);
    /* What is sent in place of the action that was thought of. */
    MashAction (*choose)(AiRun *run, const ClientPosition *position, MashAction action);
    /* There is nothing to choose. May be NULL. */
    void (*pass)(AiRun *run);
};

/* Thinks if we are awaited, and stops if we are not. */
void ai_consider(AiRun *run);

/* The server's own protocol. */
extern const AiProtocol arena_ai;

#endif
