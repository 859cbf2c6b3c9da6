/* address.h -- addresses and host names as text: forwarded addresses, local networks, names of this
 * server. */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest address, with its NUL. */
enum { ADDRESS_BYTES = 46 };

/* Reads an address as proxies write it: 192.0.2.1, 192.0.2.1:443, 2001:db8::1, [2001:db8::1] or
 * [2001:db8::1]:443, also between double quotes. False: not an address. IPv4 mapped to IPv6 is
 * IPv4. */
bool address_read(const char *text, size_t count, char out[ADDRESS_BYTES]);
/* The last address of a comma-separated list. False: it is not an address. */
bool address_read_last(const char *list, char out[ADDRESS_BYTES]);
/* Is it this machine? */
bool address_is_loopback(const char *address);
/* Is it this machine or a network that strangers cannot reach from outside: private, link-local, or
 * the network of `own`, an address of ours (IPv4 /24, IPv6 /64)? */
bool address_is_near(const char *address, const char *own);

/* Is this an acceptable Host of this server ("name", "name:port", "[::1]:80")? Addresses, names
 * without a dot and names that nobody can own on the internet are always accepted, `own` and those
 * of the list as well; an entry may be a whole URL. Any other name may belong to a stranger who has
 * pointed it at this machine. */
bool host_is_known(const char *host, const char *own, const char *const *list, uint32_t count);

#endif
