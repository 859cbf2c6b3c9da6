/* net_vectors.h -- random nets and inputs for them: every way to compute a net must give the same
 * values, natively and in WebAssembly. */
#ifndef TESTS_SUPPORT_NET_VECTORS_H
#define TESTS_SUPPORT_NET_VECTORS_H
#include "base/table_net.h"

/* A hash of the values of so many inputs, from small numbers to the largest, of nets of all sizes;
 * by one way, or TABLE_NET_WAYS: by the fastest. */
uint64_t net_vectors(TableNetWay way, uint32_t count);
/* How many there are in net_vectors_expected, which is that hash. */
enum { NET_VECTORS = 100000 };
extern const uint64_t net_vectors_expected;

#endif
