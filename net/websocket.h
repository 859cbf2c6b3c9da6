/* websocket.h -- an RFC 6455 parser: frames in, messages out. No sockets here.
 *
 * A reader that is between two messages holds no memory at all: a decoder, which takes 4 KiB, is
 * borrowed from the loop's shared state while a frame is incomplete, and a message has a buffer
 * only while it is incomplete. So thousands of idle connections cost almost no memory. */
#ifndef NET_WEBSOCKET_H
#define NET_WEBSOCKET_H
#include "net/net.h"

/* Kinds of frame. */
enum { WS_MORE = 0, WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };
/* The longest header, and the most that a control frame carries. */
enum { WS_HEADER_MAX = 14, WS_CONTROL_MAX = 125 };

typedef struct WsDecoder WsDecoder;

/* Memory that clients can make us use: how much is used, and the limit. */
typedef struct NetMemoryBudget {
    uint64_t used, max;
} NetMemoryBudget;

/* Adds bytes; false = that exceeds the limit, and they were not added. */
bool memory_budget_take(NetMemoryBudget *memory, uint64_t bytes);
void memory_budget_give(NetMemoryBudget *memory, uint64_t bytes);

/* What all readers of a loop share. */
typedef struct WsShared {
    NetMemoryBudget memory;
    WsDecoder *spare; /* NULL = lent out */
} WsShared;

/* Releases the spare decoder. */
void ws_shared_release(WsShared *store);

/* The receiving half of one connection. All zero = new. */
typedef struct WsReader {
    WsDecoder *decoder; /* NULL = no frame is incomplete */
    char *message;      /* what has arrived of a message */
    uint32_t count, max;
    uint32_t frames; /* of this message so far */
    bool inside;     /* the message continues */
    bool binary;
} WsReader;

/* What is accepted. */
typedef struct WsRules {
    bool masked; /* frames must be masked (they come from a client), else they must not */
    bool binary; /* binary messages are reported, else refused */
    uint32_t message_bytes_max, message_frames_max;
} WsRules;

/* The receiver of frames and messages. Functions that return bool say whether to continue
 * reading. */
typedef struct WsSink {
    bool (*on_frame)(void *owner); /* a frame begins; false = that is too fast */
    bool (*on_text)(void *owner, const char *bytes, uint32_t count);
    bool (*on_binary)(void *owner); /* a complete message, its bytes dropped */
    bool (*on_ping)(void *owner, const uint8_t *bytes, uint32_t count);
    void (*on_close)(void *owner, uint16_t code, const char *reason);
} WsSink;

/* Reads bytes. 0 = OK, or a sink asked to stop, or a close frame came: a stopped or closed reader
 * must not be used again. Else the close code to fail with, and `*reason` says why. */
uint16_t ws_read(WsReader *reader, WsShared *store, const WsRules *rules, const WsSink *sink,
                 void *owner, const uint8_t *bytes, size_t count, const char **reason);
/* Is a frame or message incomplete? */
bool ws_is_half(const WsReader *reader);
/* Releases all that the reader holds. */
void ws_release(WsReader *reader, WsShared *store);

/* Writes a frame's header for this many bytes; mask NULL = none. Returns its size. */
uint32_t ws_write_header(uint8_t out[WS_HEADER_MAX], uint8_t kind, uint32_t count,
                         const uint8_t *mask);
/* Masks or unmasks. */
void ws_mask(uint8_t *bytes, uint32_t count, const uint8_t mask[4]);
/* Writes the payload of a close frame: the code, and as many whole characters of the reason as
 * fit. */
uint32_t ws_write_close(uint8_t out[WS_CONTROL_MAX], uint16_t code, const char *reason);
/* Is this UTF-8? */
bool ws_is_text(const char *bytes, uint32_t count);

#endif
