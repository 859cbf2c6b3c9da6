/* test_server_push.c -- Web Push: the reference values of RFC 8291, appendix A; the signature of
 * VAPID; keys in files. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/push.h"

static const char text[] = "When I grow up, I want to be a watermelon";

static void read_exactly(const char *coded, uint8_t *out, size_t count) {
    assert_int_equal(push_base64_read(coded, out, count), count);
}

static void the_reference_of_rfc_8291(void **unused) {
    (void)unused;
    uint8_t secret[PUSH_SECRET_BYTES], point[PUSH_POINT_BYTES], browser[PUSH_POINT_BYTES];
    uint8_t auth[PUSH_AUTH_BYTES], salt[PUSH_SALT_BYTES], body[PUSH_BODY_MAX];
    char coded[512];
    MashText out = text_over(coded, sizeof coded);
    read_exactly("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", secret, sizeof secret);
    read_exactly(
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A8",
        point, sizeof point);
    read_exactly(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNto"
        "IAiw4",
        browser, sizeof browser);
    read_exactly("BTBZMqHH6r4Tts7J_aSIgg", auth, sizeof auth);
    read_exactly("DGv6ra1nlYgDCS1FRnbzlw", salt, sizeof salt);
    PushKey *key = push_key_of(secret, point);
    assert_non_null(key);
    size_t count = push_encrypt(key, salt, browser, auth, text, strlen(text), body);
    push_base64_write(body, count, &out);
    assert_string_equal(
        coded,
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
        "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV"
        "WGNWQexSgSxsj_Qulcy4a-fN");
    browser[1] ^= 1; /* not a point of the curve */
    assert_int_equal(push_encrypt(key, salt, browser, auth, text, strlen(text), body), 0);
    assert_int_equal(push_encrypt(key, salt, point, auth, text, PUSH_TEXT_MAX + 1, body), 0);
    push_key_release(key);
}

static void a_key_is_kept_in_a_file(void **unused) {
    (void)unused;
    char path[] = "/tmp/mashup-push-XXXXXX", memory[256];
    MashText problem = text_over(memory, sizeof memory);
    uint8_t one[PUSH_POINT_BYTES], other[PUSH_POINT_BYTES];
    struct stat about;
    close(mkstemp(path));
    PushKey *key = push_key_new();
    assert_non_null(key);
    assert_false(push_key_write(key, path, &problem)); /* it is there: never overwritten */
    assert_null(push_key_read(path, &problem));
    unlink(path);
    assert_true(push_key_write(key, path, &problem));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    PushKey *again = push_key_read(path, &problem);
    assert_non_null(again);
    push_key_point(key, one);
    push_key_point(again, other);
    assert_memory_equal(one, other, sizeof one);
    assert_int_equal(one[0], 4);
    push_key_release(key);
    push_key_release(again);
    unlink(path);
}

static void a_push_service_knows_the_server(void **unused) {
    (void)unused;
    char header[PUSH_HEADER_MAX], claims[256] = "";
    PushKey *key = push_key_new();
    assert_true(push_authorize(key, "https://push.example:8443/x/y?z", "https://play.example",
                               1700000000, header));
    assert_memory_equal(header, "Authorization: vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.",
                        strlen("Authorization: vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9."));
    char *middle = strchr(header, '.') + 1, *end = strchr(middle, '.');
    *end = '\0';
    int32_t count = push_base64_read(middle, (uint8_t *)claims, sizeof claims - 1);
    assert_true(count > 0);
    assert_string_equal(claims, "{\"aud\":\"https://push.example:8443\",\"exp\":1700000000,\"sub\":"
                                "\"https://play.example\"}");
    assert_int_equal(strcspn(end + 1, ","), 86); /* 64 bytes */
    assert_string_equal(header + strlen(header), "");
    assert_false(push_authorize(key, "nonsense", "x", 1, header));
    push_key_release(key);
}

static void base64_is_read_strictly(void **unused) {
    (void)unused;
    uint8_t out[4];
    assert_int_equal(push_base64_read("AQID", out, 4), 3);
    assert_int_equal(push_base64_read("AQIDBA", out, 4), 4);
    assert_int_equal(push_base64_read("AQIDBAU", out, 4), -1);
    assert_int_equal(push_base64_read("AQ+D", out, 4), -1);
    assert_int_equal(push_base64_read("", out, 4), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_of_rfc_8291),
        cmocka_unit_test(a_key_is_kept_in_a_file),
        cmocka_unit_test(a_push_service_knows_the_server),
        cmocka_unit_test(base64_is_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
