/* player_export.h -- what is kept of an account besides its profile and its matches, for its owner:
 * a part of the answer of /api/v1/export. Called in a thread. */
#ifndef SERVER_PLAYER_EXPORT_H
#define SERVER_PLAYER_EXPORT_H
#include "base/json.h"
#include "store/accounts.h"

/* Writes whom the account follows and blocks, its programs, where it is told of turns, challenges,
 * reports, vacations and how many matches it left. False: the store cannot answer. */
bool player_export_write(JsonWriter *writer, Store *store, uint64_t account, uint64_t now_ms);

#endif
