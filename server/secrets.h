/* secrets.h -- what the server keeps of secrets: hashes from which nobody gets them back. */
#ifndef SERVER_SECRETS_H
#define SERVER_SECRETS_H
#include <stdbool.h>
#include <stdint.h>

#include "store/accounts.h"

/* The random bytes that a password's hash begins with; the bytes of a key. */
enum { SECRET_SALT_BYTES = 16, SECRET_KEY_BYTES = 16 };

/* The hash of a key of 128 bits, given as 32 hexadecimal digits. Such a key cannot be guessed, so
 * that one SHA-256 is enough. */
void secret_hash(const char *digits, uint8_t hash[STORE_HASH_BYTES]);
/* Salt and scrypt hash of a password: takes 32 MiB of memory and tens of milliseconds, so that
 * whoever has the hash guesses slowly. For a thread that may be busy. The number of bytes; 0: no
 * memory. */
uint32_t secret_of_password(const char *password, const uint8_t salt[SECRET_SALT_BYTES],
                            uint8_t out[STORE_PASSWORD_BYTES]);
/* Is it the password of this salt and hash? Takes as long, also without a hash (count 0). */
bool secret_fits(const char *password, const uint8_t *stored, uint32_t count);
/* Overwrites a secret that is not needed any more. */
void secret_clear(void *bytes, uint32_t count);

#endif
