/* tls.h -- the encryption of connections that we open. Bytes go in and out of memory only: the
 * socket stays with connection.c. No other file of the project names the library behind it. */
#ifndef NET_TLS_H
#define NET_TLS_H
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Whom this machine trusts; one for each loop. */
typedef struct TlsTrust TlsTrust;
/* One connection. */
typedef struct Tls Tls;

/* The certificates of the system and, if it is not NULL, those of a file. NULL = see the problem.
 */
TlsTrust *tls_trust_open(const char *cafile, MashText *problem);
/* Releases it; connections may still use it. NULL is ignored. */
void tls_trust_close(TlsTrust *trust);

/* A connection to this host, a name or an address. NULL = no memory. */
Tls *tls_open(TlsTrust *trust, const char *host);
/* Releases it. NULL is ignored. */
void tls_close(Tls *tls);

/* How far the handshake is. */
typedef enum TlsState { TLS_MORE, TLS_READY, TLS_FAILED } TlsState;

/* Takes bytes from the peer. False = no memory. */
bool tls_receive(Tls *tls, const char *bytes, uint32_t count);
/* Continues the handshake; TLS_FAILED: `why` says what is wrong with the peer. */
TlsState tls_handshake(Tls *tls, MashText *why);
/* Reads what the peer wrote; 0 = nothing more for now, -1 = it closed or is broken. */
int32_t tls_read(Tls *tls, char *out, uint32_t max);
/* Encrypts bytes for the peer. False = it is broken. */
bool tls_write(Tls *tls, const void *bytes, uint32_t count);
/* Takes bytes that have to be sent to the peer, at most `max`; how many. */
uint32_t tls_take(Tls *tls, char *out, uint32_t max);
/* How many there are. */
uint32_t tls_waiting(const Tls *tls);

#endif
