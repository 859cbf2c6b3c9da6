/* ai.h -- mashup ai: an AI player at a server's table, whatever protocol the server speaks. ai.c
 * has the flags, the loop and the thinking; ai_arena.c and the files of other protocols have the
 * rest. */
#ifndef CLI_COMMANDS_AI_H
#define CLI_COMMANDS_AI_H
#include "cli/cli.h"
#include "client/client_protocol.h"
#include "client/thinker.h"

/* The most of a turn's time that the AI player uses, in percent. */
enum { AI_PART_OF_TURN = 60 };

/* The configuration of a run. */
typedef struct AiRunConfig {
    const char *url, *name, *device, *role; /* device: NULL = a new one */
    const char *cafile;                     /* NULL = only the system's certificates */
    const MashGame *game;
    const AiSkill *skill;
    uint32_t threads;
    uint64_t matches;
    uint32_t reconnect_ms;
    uint32_t pace_ms; /* the least time between requests to a server of the standard */
} AiRunConfig;

typedef struct AiProtocol AiProtocol;

/* One run: from connecting to its end. */
typedef struct AiRun {
    const AiRunConfig *config;
    const AiProtocol *protocol;
    NetLoop *loop;
    Thinker *thinker;
    void *client; /* of the protocol; NULL: not open */
    void *own;    /* the protocol's own data for the run */
    int exit_code;
} AiRun;

/* What differs between protocols. Only entries marked so may be NULL. */
struct AiProtocol {
    const ClientProtocol *client;
    bool one_match; /* a run is one match; otherwise one run plays all matches */
    /* Connects: sets `client` and `own`. Calls ai_consider() whenever the position or whose turn it
     * is may have changed, and stops the loop at the end. False: the problem holds the reason. */
    bool (*open)(AiRun *run, MashText *problem);
    /* Frees `own` after the client is closed. */
    void (*release)(AiRun *run);
    /* The program was asked to exit: leaves the server. */
    void (*leave)(AiRun *run);
    /* It is our turn: decides without thinking if possible. True: there is nothing to think
     * about. */
    bool (*decide)(AiRun *run, const ClientPosition *position);
    /* The action that is sent in place of the one that was chosen. */
    MashAction (*choose)(AiRun *run, const ClientPosition *position, MashAction action);
    /* There is nothing to choose. May be NULL. */
    void (*pass)(AiRun *run);
};

/* Starts thinking if it is our turn, and stops if it is not. */
void ai_consider(AiRun *run);

/* The server's own protocol. */
extern const AiProtocol arena_ai;

#endif
