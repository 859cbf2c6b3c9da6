/* push.c -- see push.h: P-256, HMAC-SHA-256 and AES-128-GCM of OpenSSL. */
#define _POSIX_C_SOURCE 200809L
#include "server/push.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

enum { HASH = 32, KEY = 16, NONCE = 12, TAG = 16, RECORD_BYTES = 4096, SIGNATURE_BYTES = 64 };

/* See push.h. */
struct PushKey {
    EVP_PKEY *pair;
};

/* --- base64url -------------------------------------------------------------------------------- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void push_base64_write(const uint8_t *bytes, size_t count, MashText *out) {
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i < 3 ? count - i : 3;
        uint32_t value = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        for (size_t j = 0; j <= left; j++)
            text_byte(out, digits[value >> (18 - 6 * j) & 63]);
    }
}

int32_t push_base64_read(const char *text, uint8_t *out, size_t max) {
    size_t count = 0;
    uint32_t value = 0, bits = 0;
    for (; *text != '\0' && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (digit == NULL)
            return -1;
        value = value << 6 | (uint32_t)(digit - digits);
        bits += 6;
        if (bits < 8)
            continue;
        if (count == max)
            return -1;
        bits -= 8;
        out[count++] = (uint8_t)(value >> bits);
    }
    return (int32_t)count;
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* Takes a pair over; NULL: there is none, or no memory. */
static PushKey *key_of(EVP_PKEY *pair) {
    PushKey *key = pair == NULL ? NULL : calloc(1, sizeof *key);
    if (key == NULL)
        EVP_PKEY_free(pair);
    else
        key->pair = pair;
    return key;
}

PushKey *push_key_new(void) { return key_of(EVP_EC_gen("P-256")); }

void push_key_release(PushKey *key) {
    if (key != NULL)
        EVP_PKEY_free(key->pair);
    free(key);
}

/* A key from its numbers; without a secret only the public half. */
static EVP_PKEY *pair_of(const uint8_t *secret, const uint8_t point[PUSH_POINT_BYTES]) {
    EVP_PKEY *pair = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *number = secret == NULL ? NULL : BN_bin2bn(secret, PUSH_SECRET_BYTES, NULL);
    OSSL_PARAM *values = NULL;
    if (context != NULL && build != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, PUSH_POINT_BYTES) ==
            1 &&
        (secret == NULL || OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1))
        values = OSSL_PARAM_BLD_to_param(build);
    if (values == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &pair, secret == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR,
                          values) != 1)
        pair = NULL;
    OSSL_PARAM_free(values);
    OSSL_PARAM_BLD_free(build);
    BN_clear_free(number);
    EVP_PKEY_CTX_free(context);
    return pair;
}

PushKey *push_key_of(const uint8_t secret[PUSH_SECRET_BYTES],
                     const uint8_t point[PUSH_POINT_BYTES]) {
    return key_of(pair_of(secret, point));
}

PushKey *push_key_read(const char *path, MashText *problem) {
    char group[32] = "";
    size_t length;
    FILE *file = fopen(path, "r");
    EVP_PKEY *pair = file == NULL ? NULL : PEM_read_PrivateKey(file, NULL, NULL, NULL);
    if (file != NULL)
        fclose(file);
    if (pair != NULL && EVP_PKEY_get_group_name(pair, group, sizeof group, &length) == 1 &&
        strcmp(group, "prime256v1") == 0)
        return key_of(pair);
    EVP_PKEY_free(pair);
    text_format(problem, "%s has no key of P-256", path);
    return NULL;
}

bool push_key_write(const PushKey *key, const char *path, MashText *problem) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out == NULL) {
        text_format(problem, "cannot make %s: it is there already, or its folder is not", path);
        return false;
    }
    bool written = PEM_write_PrivateKey(out, key->pair, NULL, NULL, 0, NULL, NULL) == 1 &&
                   fflush(out) == 0 && fsync(file) == 0;
    if (fclose(out) == 0 && written)
        return true;
    unlink(path); /* half a key would be in the way of the next try */
    text_format(problem, "cannot write %s", path);
    return false;
}

void push_key_point(const PushKey *key, uint8_t point[PUSH_POINT_BYTES]) {
    size_t length = 0;
    memset(point, 0, PUSH_POINT_BYTES);
    EVP_PKEY_get_octet_string_param(key->pair, OSSL_PKEY_PARAM_PUB_KEY, point, PUSH_POINT_BYTES,
                                    &length);
}

/* --- Encryption ------------------------------------------------------------------------------- */

/* The secret that both ends have. */
static bool agree(const PushKey *own, EVP_PKEY *other, uint8_t secret[HASH]) {
    size_t length = HASH;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own->pair, NULL);
    bool agreed = context != NULL && EVP_PKEY_derive_init(context) == 1 &&
                  EVP_PKEY_derive_set_peer(context, other) == 1 &&
                  EVP_PKEY_derive(context, secret, &length) == 1 && length == HASH;
    EVP_PKEY_CTX_free(context);
    return agreed;
}

/* HMAC-SHA-256. */
static void mac(const uint8_t *key, size_t key_bytes, const uint8_t *bytes, size_t count,
                uint8_t out[HASH]) {
    unsigned length = 0;
    HMAC(EVP_sha256(), key, (int)key_bytes, bytes, count, out, &length);
}

/* HKDF's second half, for one block: HMAC of the purpose and a 1. */
static void expand(const uint8_t key[HASH], const char *purpose, size_t count, uint8_t out[HASH]) {
    uint8_t bytes[64];
    memcpy(bytes, purpose, count);
    bytes[count] = 1;
    mac(key, HASH, bytes, count + 1, out);
}

/* Key and nonce of the record, RFC 8291 section 3.4. */
static bool derive(const PushKey *own, const uint8_t point[PUSH_POINT_BYTES],
                   const uint8_t salt[PUSH_SALT_BYTES], const uint8_t browser[PUSH_POINT_BYTES],
                   const uint8_t auth[PUSH_AUTH_BYTES], uint8_t key[HASH], uint8_t nonce[HASH]) {
    static const char web[] = "WebPush: info", content[] = "Content-Encoding: aes128gcm",
                      once[] = "Content-Encoding: nonce";
    uint8_t secret[HASH], both[HASH], input[HASH], whole[HASH];
    uint8_t about[sizeof web + 2 * PUSH_POINT_BYTES + 1];
    EVP_PKEY *other = pair_of(NULL, browser);
    bool agreed = other != NULL && agree(own, other, secret);
    EVP_PKEY_free(other);
    if (!agreed)
        return false;
    memcpy(about, web, sizeof web);
    memcpy(about + sizeof web, browser, PUSH_POINT_BYTES);
    memcpy(about + sizeof web + PUSH_POINT_BYTES, point, PUSH_POINT_BYTES);
    about[sizeof about - 1] = 1;
    mac(auth, PUSH_AUTH_BYTES, secret, HASH, both);
    mac(both, HASH, about, sizeof about, input);
    mac(salt, PUSH_SALT_BYTES, input, HASH, whole);
    expand(whole, content, sizeof content, key);
    expand(whole, once, sizeof once, nonce);
    OPENSSL_cleanse(secret, sizeof secret);
    OPENSSL_cleanse(both, sizeof both);
    OPENSSL_cleanse(input, sizeof input);
    OPENSSL_cleanse(whole, sizeof whole);
    return true;
}

/* AES-128-GCM of a text and the mark of the last record. */
static bool seal(const uint8_t key[KEY], const uint8_t nonce[NONCE], const char *text, size_t count,
                 uint8_t *out) {
    static const uint8_t last = 2;
    int part = 0, more = 0, end = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool sealed =
        context != NULL && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
        EVP_EncryptUpdate(context, out, &part, (const uint8_t *)text, (int)count) == 1 &&
        EVP_EncryptUpdate(context, out + part, &more, &last, 1) == 1 &&
        EVP_EncryptFinal_ex(context, out + part + more, &end) == 1 &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG, out + part + more + end) == 1;
    EVP_CIPHER_CTX_free(context);
    return sealed;
}

size_t push_encrypt(const PushKey *own, const uint8_t salt[PUSH_SALT_BYTES],
                    const uint8_t browser[PUSH_POINT_BYTES], const uint8_t auth[PUSH_AUTH_BYTES],
                    const char *text, size_t count, uint8_t out[PUSH_BODY_MAX]) {
    uint8_t key[HASH], nonce[HASH], *at = out + PUSH_SALT_BYTES;
    uint8_t *point = at + 5;
    if (count > PUSH_TEXT_MAX)
        return 0;
    memcpy(out, salt, PUSH_SALT_BYTES);
    at[0] = at[1] = 0;
    at[2] = RECORD_BYTES >> 8;
    at[3] = RECORD_BYTES & 255;
    at[4] = PUSH_POINT_BYTES;
    push_key_point(own, point);
    if (!derive(own, point, salt, browser, auth, key, nonce))
        return 0;
    bool sealed = seal(key, nonce, text, count, point + PUSH_POINT_BYTES);
    OPENSSL_cleanse(key, sizeof key);
    return sealed ? PUSH_SALT_BYTES + 5 + PUSH_POINT_BYTES + count + 1 + TAG : 0;
}

/* --- The signature ---------------------------------------------------------------------------- */

/* Signs bytes: two numbers of 32 bytes. */
static bool sign(const PushKey *key, const char *bytes, size_t count,
                 uint8_t out[SIGNATURE_BYTES]) {
    uint8_t coded[128];
    const uint8_t *at = coded;
    size_t length = sizeof coded;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool made = context != NULL &&
                EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key->pair) == 1 &&
                EVP_DigestSign(context, coded, &length, (const uint8_t *)bytes, count) == 1;
    ECDSA_SIG *pair = made ? d2i_ECDSA_SIG(NULL, &at, (long)length) : NULL;
    made = pair != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, HASH) == HASH &&
           BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + HASH, HASH) == HASH;
    ECDSA_SIG_free(pair);
    EVP_MD_CTX_free(context);
    return made;
}

bool push_authorize(const PushKey *server, const char *url, const char *contact, uint64_t until_s,
                    char out[PUSH_HEADER_MAX]) {
    static const char kind[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    char claims[512], token[PUSH_HEADER_MAX];
    uint8_t signature[SIGNATURE_BYTES], point[PUSH_POINT_BYTES];
    const char *host = strstr(url, "://");
    size_t origin = host == NULL ? 0 : (size_t)(host + 3 - url) + strcspn(host + 3, "/?");
    MashText text = text_over(token, sizeof token);
    int length = snprintf(claims, sizeof claims, "{\"aud\":\"%.*s\",\"exp\":%llu,\"sub\":\"%s\"}",
                          (int)origin, url, (unsigned long long)until_s, contact);
    if (origin == 0 || length <= 0 || (size_t)length >= sizeof claims)
        return false;
    push_base64_write((const uint8_t *)kind, sizeof kind - 1, &text);
    text_byte(&text, '.');
    push_base64_write((const uint8_t *)claims, (size_t)length, &text);
    if (text.truncated || !sign(server, token, text.count, signature))
        return false;
    text_byte(&text, '.');
    push_base64_write(signature, sizeof signature, &text);
    MashText header = text_over(out, PUSH_HEADER_MAX);
    push_key_point(server, point);
    text_format(&header, "Authorization: vapid t=%s, k=", token);
    push_base64_write(point, sizeof point, &header);
    text_string(&header, "\r\n");
    return !text.truncated && !header.truncated;
}
