/* secrets.c -- see secrets.h: SHA-256 and scrypt of OpenSSL. */
#include "server/secrets.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/text.h"

/* The cost of scrypt: N, r, p, and the most memory. */
enum { COST = 1 << 15, BLOCK = 8, LANES = 1, MEMORY_MAX = 64 << 20, HASH_BYTES = 32 };

void secret_hash(const char *digits, uint8_t hash[STORE_HASH_BYTES]) {
    /* So that the hash is of use nowhere else. */
    static const char purpose[] = "mashup account key";
    uint8_t bytes[sizeof purpose - 1 + SECRET_KEY_BYTES] = {0};
    memcpy(bytes, purpose, sizeof purpose - 1);
    for (uint32_t i = 0; i < 2 * SECRET_KEY_BYTES && digits[i] != '\0'; i++)
        bytes[sizeof purpose - 1 + i / 2] |=
            (uint8_t)(text_hex_digit(digits[i]) << (i % 2 == 0 ? 4 : 0));
    unsigned length = 0;
    EVP_Digest(bytes, sizeof bytes, hash, &length, EVP_sha256(), NULL);
    secret_clear(bytes, sizeof bytes);
}

uint32_t secret_of_password(const char *password, const uint8_t salt[SECRET_SALT_BYTES],
                            uint8_t out[STORE_PASSWORD_BYTES]) {
    memcpy(out, salt, SECRET_SALT_BYTES);
    bool done = EVP_PBE_scrypt(password, strlen(password), salt, SECRET_SALT_BYTES, COST, BLOCK,
                               LANES, MEMORY_MAX, out + SECRET_SALT_BYTES, HASH_BYTES) == 1;
    return done ? SECRET_SALT_BYTES + HASH_BYTES : 0;
}

bool secret_fits(const char *password, const uint8_t *stored, uint32_t count) {
    static const uint8_t none[SECRET_SALT_BYTES];
    uint8_t made[STORE_PASSWORD_BYTES];
    bool known = count == SECRET_SALT_BYTES + HASH_BYTES;
    uint32_t bytes = secret_of_password(password, known ? stored : none, made);
    return known && bytes == count && CRYPTO_memcmp(made, stored, count) == 0;
}

void secret_clear(void *bytes, uint32_t count) { OPENSSL_cleanse(bytes, count); }
