/* log.h -- the log: one line for each event, as text or JSON. */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H
#include "base/text.h"
#include "server/server.h"

/* One line; the format is text_format()'s. */
void server_log(const Server *server, LogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* 2026-07-01T12:00:00.000Z from milliseconds since 1970. */
void log_write_date(MashText *text, uint64_t date_ms);
/* The level of that name, or LOG_LEVELS; the name of a level. */
LogLevel log_level_of(const char *name);
const char *log_level_name(LogLevel level);

#endif
