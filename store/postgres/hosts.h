/* hosts.h -- finds the machine that takes writes among those that the store's address names. Only
 * for store/postgres/.
 *
 * All are asked at once, and the first one in the written order that takes writes is used: a
 * machine that hangs or is cut off costs a moment while another one works. Those that refuse (a
 * standby, a server that just starts) are asked again while others have not answered: a standby is
 * found soon after it was promoted. A host that let us in and then did not answer in time is used
 * only if no other one takes writes: it may be an old primary that can commit nothing. */
#ifndef STORE_POSTGRES_HOSTS_H
#define STORE_POSTGRES_HOSTS_H
#include "store/postgres/link.h"

/* Connects; `link->host` then says with which host. False: `problem` says why, for each of them. It
 * blocks for connect_timeout at most, which is 2 s unless the store's address has another one. */
bool hosts_connect(DatabaseLink *link);

#endif
