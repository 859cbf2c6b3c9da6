/* handshake.h -- the key and accept values of the WebSocket handshake. */
#ifndef NET_HANDSHAKE_H
#define NET_HANDSHAKE_H
#include <stdbool.h>
#include <stdint.h>

/* Sizes of the texts, each with its NUL. */
enum { HANDSHAKE_KEY_BYTES = 25, HANDSHAKE_ACCEPT_BYTES = 29 };

/* The Sec-WebSocket-Key of 16 random bytes. */
void handshake_key(const uint8_t random[16], char out[HANDSHAKE_KEY_BYTES]);
/* Is this text 16 bytes in base64? */
bool handshake_key_valid(const char *key);
/* The Sec-WebSocket-Accept that answers a key (RFC 6455, 4.2.2). */
void handshake_accept(const char *key, char out[HANDSHAKE_ACCEPT_BYTES]);

#endif
