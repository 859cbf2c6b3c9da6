/* log.c -- see log.h: one line for each event, as text or JSON. */
#include <stdarg.h>
#include <string.h>

#include "server/internal.h"
#include "server/log.h"

enum { LINE_BYTES = 1024, DAYS_OF_CYCLE = 146097, DAYS_TO_1970 = 719468 };

static const char *const level_names[LOG_LEVELS] = {"debug", "info", "warning", "error"};

/* A number from 0 to 99. */
static void two_digits(MashText *text, uint32_t number) {
    text_byte(text, (char)('0' + number / 10 % 10));
    text_byte(text, (char)('0' + number % 10));
}

/* Years are counted from March on, in cycles of 400 years, so that the leap day is the last day of
 * a year. */
void log_write_date(MashText *text, uint64_t date_ms) {
    uint64_t days = date_ms / 86400000 + DAYS_TO_1970;
    uint32_t of_day = (uint32_t)(date_ms % 86400000);
    uint32_t day = (uint32_t)(days % DAYS_OF_CYCLE);
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    uint32_t of_year = day - (365 * year + year / 4 - year / 100);
    uint32_t month = (5 * of_year + 2) / 153;
    uint32_t of_month = of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    year += (uint32_t)(days / DAYS_OF_CYCLE) * 400 + (month <= 2);
    text_int(text, year);
    text_byte(text, '-');
    two_digits(text, month);
    text_byte(text, '-');
    two_digits(text, of_month);
    text_byte(text, 'T');
    two_digits(text, of_day / 3600000);
    text_byte(text, ':');
    two_digits(text, of_day / 60000 % 60);
    text_byte(text, ':');
    two_digits(text, of_day / 1000 % 60);
    text_byte(text, '.');
    text_byte(text, (char)('0' + of_day / 100 % 10));
    two_digits(text, of_day % 100);
    text_byte(text, 'Z');
}

LogLevel log_level_of(const char *name) {
    LogLevel level = LOG_DEBUG;
    while (level < LOG_LEVELS && strcmp(level_names[level], name) != 0)
        level++;
    return level;
}

const char *log_level_name(LogLevel level) { return level_names[level]; }

void server_log(const Server *server, LogLevel level, const char *format, ...) {
    const ServerSetup *setup = &server->setup;
    if (level < setup->log_level || setup->log == NULL)
        return;
    char said[LINE_BYTES], line[2 * LINE_BYTES], date[32];
    MashText text = text_over(said, sizeof said), out = text_over(line, sizeof line);
    MashText when = text_over(date, sizeof date);
    va_list list;
    va_start(list, format);
    text_format_va(&text, format, list);
    va_end(list);
    log_write_date(&when, net_wall_clock_ms(server->loop));
    if (setup->log_json) {
        JsonWriter writer = json_writer(&out, 0);
        json_open(&writer, '{');
        json_put_pair(&writer, "time", date);
        json_put_pair(&writer, "level", level_names[level]);
        json_put_pair(&writer, "text", said);
        json_close(&writer, '}');
    } else {
        text_format(&out, "%s %s: %s", date, level_names[level], said);
    }
    setup->log(setup->owner, line);
}
