/* push.h -- Web Push: a notice encrypted for one browser (RFC 8291 over RFC 8188, aes128gcm), and
 * the signature by which its push service knows this server (VAPID, RFC 8292, ES256). */
#ifndef SERVER_PUSH_H
#define SERVER_PUSH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Sizes. */
enum {
    PUSH_POINT_BYTES = 65, /* a public key: an uncompressed point of P-256 */
    PUSH_SECRET_BYTES = 32,
    PUSH_AUTH_BYTES = 16,
    PUSH_SALT_BYTES = 16,
    PUSH_TEXT_MAX = 2048, /* of a notice */
    PUSH_BODY_MAX = PUSH_SALT_BYTES + 5 + PUSH_POINT_BYTES + PUSH_TEXT_MAX + 1 + 16,
    PUSH_HEADER_MAX = 1024
};

/* A key pair of P-256. */
typedef struct PushKey PushKey;

/* A new one; one from its numbers; one from a file (PEM), with a problem if it is none. NULL = it
 * cannot be. */
PushKey *push_key_new(void);
PushKey *push_key_of(const uint8_t secret[PUSH_SECRET_BYTES],
                     const uint8_t point[PUSH_POINT_BYTES]);
PushKey *push_key_read(const char *path, MashText *problem);
/* Writes it to a new file that only its user may read. False = with a problem. */
bool push_key_write(const PushKey *key, const char *path, MashText *problem);
/* NULL is ignored. */
void push_key_release(PushKey *key);
/* Its public half. */
void push_key_point(const PushKey *key, uint8_t point[PUSH_POINT_BYTES]);

/* Encrypts a text for a browser, with a key made for this one text; the bytes of the body. 0 = it
 * cannot be: the text is too long, or the browser's point is none. */
size_t push_encrypt(const PushKey *own, const uint8_t salt[PUSH_SALT_BYTES],
                    const uint8_t browser[PUSH_POINT_BYTES], const uint8_t auth[PUSH_AUTH_BYTES],
                    const char *text, size_t count, uint8_t out[PUSH_BODY_MAX]);
/* The header Authorization, with its line end, for a push service at this URL, valid until a time
 * in seconds since 1970. False = it cannot be. */
bool push_authorize(const PushKey *server, const char *url, const char *contact, uint64_t until_s,
                    char out[PUSH_HEADER_MAX]);

/* Bytes as base64url without padding, and back: how many; -1 = it is not that, or too long. */
void push_base64_write(const uint8_t *bytes, size_t count, MashText *out);
int32_t push_base64_read(const char *text, uint8_t *out, size_t max);

#endif
