/* server.h -- the Marvelous Mashup standard as a protocol of the server, for connections at any
 * path that no other protocol has. */
#ifndef STANDARD_SERVER_H
#define STANDARD_SERVER_H
#include "server/server.h"

/* How clients are sent events: as each one sends its requests, all of an action in one frame, or
 * each event as a frame of its own. */
typedef enum StandardFraming {
    STANDARD_FRAMING_EACH,
    STANDARD_FRAMING_WRAPPED,
    STANDARD_FRAMING_BARE
} StandardFraming;

/* What clients of the standard play, and how strictly. */
typedef struct StandardConfig {
    const MashDocument *documents; /* instead of the default preset's */
    uint32_t documents_count;
    int32_t rules; /* the option of that name */
    uint32_t ais;  /* greatest number of AI players per table */
    bool single;   /* one table at a time */
    /* Delay between actions of the server's AI players at tables with clients of the standard,
     * within the first half of a turn's time: some of these clients read slowly. */
    uint32_t pace_ms;
    StandardFraming framing;
    /* Receives a finished match: our own file, or the standard's replay. NULL: not needed. */
    void (*replay)(void *owner, const char *name, const char *bytes, uint32_t count);
    void *owner; /* for it */
} StandardConfig;

/* The default configuration. */
StandardConfig standard_config(void);

/* The protocol, to be added with a StandardConfig: server_add_protocol(). */
extern const ServerProtocol standard_protocol;

#endif
