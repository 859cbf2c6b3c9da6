/* test_address.c -- addresses in all their spellings, which of them are local, and which host names
 * are accepted: every range at both of its ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "net/address.h"

/* The text is read as this address; NULL: it is refused. */
typedef struct Spelling {
    const char *text, *address;
} Spelling;

static void spellings_are_read(void **unused) {
    (void)unused;
    static const Spelling all[] = {
        {"1.2.3.4", "1.2.3.4"},
        {"1.2.3.4:80", "1.2.3.4"},
        {"1.2.3.4:65535", "1.2.3.4"},
        {"1.2.3.4:655350", NULL},
        {"1.2.3.4:", NULL},
        {"1.2.3.4:8x", NULL},
        {"1.2.3.4:/0", NULL},
        {"1.2.3.4:9", "1.2.3.4"},
        {"1.2.3.4::", NULL},
        {"1.2.3", NULL},
        {"2001:DB8::1", "2001:db8::1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"[2001:db8::1]:443", "2001:db8::1"},
        {"[2001:db8::1]443", NULL},
        {"[2001:db8::1", NULL},
        {"[]", NULL},
        {"::ffff:9.8.7.6", "9.8.7.6"},
        {"::fffe:9.8.7.6", "::fffe:908:706"},
        {"\"9.8.7.6\"", "9.8.7.6"},
        {"\"[::1]:1\"", "::1"},
        {"\"9.8.7.6", NULL},
        {"9.8.7.6\"", NULL},
        {"\"", NULL},
        {"", NULL},
        {"unknown", NULL},
        {"_hidden", NULL},
        {"0x7f.1", NULL},
        {"127.1", NULL},
        {"fe80::1%eth0", NULL},
        {"::1]", NULL},
        {"1.2.3.4:1:2", NULL},
        {"192.0.2.1 x", NULL},
        {"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char out[ADDRESS_BYTES] = "";
        bool read = address_read(all[i].text, strlen(all[i].text), out);
        if (read != (all[i].address != NULL))
            fail_msg("%s is%s an address", all[i].text, read ? "" : " not");
        if (read)
            assert_string_equal(out, all[i].address);
    }
}

/* Of a list the last entry counts: our own proxy wrote it. */
static void the_last_of_a_list_counts(void **unused) {
    (void)unused;
    static const Spelling all[] = {
        {"1.1.1.1", "1.1.1.1"},
        {"1.1.1.1,2.2.2.2", "2.2.2.2"},
        {"1.1.1.1, \t2.2.2.2", "2.2.2.2"},
        {"1.1.1.1, 2.2.2.2 ", "2.2.2.2"},
        {"1.1.1.1,2.2.2.2\t", "2.2.2.2"},
        {"1.1.1.1,2.2.2.2 \t ", "2.2.2.2"},
        {"1.1.1.1,", NULL},
        {"1.1.1.1, \t", NULL},
        {"", NULL},
        {"1.1.1.1,x", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char out[ADDRESS_BYTES] = "";
        assert_int_equal(address_read_last(all[i].text, out), all[i].address != NULL);
        if (all[i].address != NULL)
            assert_string_equal(out, all[i].address);
    }
}

static void loopback_is_known(void **unused) {
    (void)unused;
    static const char *const are[] = {"127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"};
    static const char *const not [] = {
        "126.255.255.255", "128.0.0.0", "::2", "::", "1::1", "x", ""};
    for (size_t i = 0; i < sizeof are / sizeof *are; i++)
        assert_true(address_is_loopback(are[i]));
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        assert_false(address_is_loopback(not [i]));
}

/* Private networks at both ends, and the server's own network: IPv4 /24, IPv6 /64. */
static void near_is_private_or_ours(void **unused) {
    (void)unused;
    static const struct {
        const char *address, *own;
        bool near;
    } all[] = {
        {"10.0.0.0", "8.8.8.8", true},
        {"10.255.255.255", "8.8.8.8", true},
        {"9.255.255.255", "8.8.8.8", false},
        {"11.0.0.0", "8.8.8.8", false},
        {"172.16.0.0", "8.8.8.8", true},
        {"172.31.255.255", "8.8.8.8", true},
        {"172.15.255.255", "8.8.8.8", false},
        {"172.32.0.0", "8.8.8.8", false},
        {"192.168.0.0", "8.8.8.8", true},
        {"192.168.255.255", "8.8.8.8", true},
        {"192.167.255.255", "8.8.8.8", false},
        {"192.169.0.0", "8.8.8.8", false},
        {"169.254.0.0", "8.8.8.8", true},
        {"169.254.255.255", "8.8.8.8", true},
        {"169.253.255.255", "8.8.8.8", false},
        {"169.255.0.0", "8.8.8.8", false},
        {"100.64.0.0", "8.8.8.8", true},
        {"100.127.255.255", "8.8.8.8", true},
        {"100.63.255.255", "8.8.8.8", false},
        {"100.128.0.0", "8.8.8.8", false},
        {"fc00::", "8.8.8.8", true},
        {"fdff:ffff::1", "8.8.8.8", true},
        {"fbff::1", "8.8.8.8", false},
        {"fe00::", "8.8.8.8", false},
        {"fe80::1", "8.8.8.8", true},
        {"febf::1", "8.8.8.8", true},
        {"fec0::1", "8.8.8.8", false},
        {"fe7f::1", "8.8.8.8", false},
        {"127.0.0.1", "8.8.8.8", true},
        {"::1", "8.8.8.8", true},
        {"8.8.8.200", "8.8.8.8", true},
        {"8.8.9.8", "8.8.8.8", false},
        {"2001:db8:0:1::5", "2001:db8:0:1::8", true},
        {"2001:db8:0:1:8000::", "2001:db8:0:1:7fff:ffff:ffff:ffff", true},
        {"2001:db8:0:2::5", "2001:db8:0:1::8", false},
        {"8.8.8.200", "nothing", false},
        {"nothing", "8.8.8.8", false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (address_is_near(all[i].address, all[i].own) != all[i].near)
            fail_msg("%s is %snear for %s", all[i].address, all[i].near ? "not " : "", all[i].own);
}

/* Host names: ours, plain ones, those of home networks, and those of the list. */
static void hosts_are_known(void **unused) {
    (void)unused;
    static const char *const list[] = {"https://Play.example.org:444/x", "games.example.net"};
    static const struct {
        const char *host;
        bool known;
    } all[] = {
        {"", true},
        {"1.2.3.4:8080", true},
        {"[::1]:80", true},
        {"arcade", true},
        {"arcade:1218", true},
        {"arcade:x", false},
        {"box.example.com", true},
        {"BOX.Example.COM:1218", true},
        {"box.example.com.", true},
        {"box.example.con", false},
        {"a.local", true},
        {"a.LOCAL", true},
        {"a.Lan", true},
        {"a.home.arpa", true},
        {"a.fritz.box", true},
        {"alocal.org", false},
        {"a.xlocal", false},
        {".local", false},
        {"play.example.org", true},
        {"play.example.org:9", true},
        {"games.example.net", true},
        {"games.example.nets", false},
        {"evil.example.net", false},
        {"Zames.example.net", false},
        {"@ames.example.net", false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (host_is_known(all[i].host, "box.example.com", list, 2) != all[i].known)
            fail_msg("\"%s\" is %sknown", all[i].host, all[i].known ? "not " : "");
    assert_false(host_is_known("games.example.net", "box.example.com", list, 1));
    assert_true(host_is_known("AZ.example.com", "az.EXAMPLE.com", NULL, 0));
    assert_false(host_is_known("[z.example.com", "{z.example.com", NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_are_read), cmocka_unit_test(the_last_of_a_list_counts),
        cmocka_unit_test(loopback_is_known),  cmocka_unit_test(near_is_private_or_ours),
        cmocka_unit_test(hosts_are_known),
    };
    return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
