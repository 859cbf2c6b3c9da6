/* limits.c -- see limits.h: limits that operators see and change while the server runs.
 *
 * One array names them like the options of `mashup serve`. A file of settings (one `NAME VALUE` per
 * line, '#' begins a comment) is read when the server opens, after its options, and again on
 * reload. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/limits.h"

enum { LINE_BYTES = 256, LOTS = 1000000, SECOND_MS = 1000, DAY_SECONDS = 86400 };

/* A limit: its name, its offset in ServerSetup, its bounds, how many of the field's unit make one
 * of the name's, and its meaning. */
typedef struct Limit {
    const char *name;
    size_t offset;
    uint32_t least, most, unit;
    const char *meaning;
} Limit;

#define AT(field) offsetof(ServerSetup, field)

static const Limit limits[] = {
    {"matches-max", AT(matches_max), 1, LOTS, 1, "tables at the same time"},
    {"sockets-max", AT(limits.websockets_max), 1, LOTS, 1, "connections at the arena"},
    {"address-sockets-max", AT(limits.address_sockets_max), 1, LOTS, 1, "sockets of one address"},
    {"address-tables", AT(budgets.tables), 0, LOTS, 1, "tables of one address; 0 = no limit"},
    {"address-listed", AT(budgets.listed), 0, LOTS, 1,
     "tables of one address in the list of matches"},
    {"address-matches-per-day", AT(budgets.matches_per_day), 0, LOTS, 1,
     "matches started by one address"},
    {"address-megabytes-per-day", AT(budgets.megabytes_per_day), 0, LOTS, 1,
     "written to the disk by matches of one address"},
    {"address-content-megabytes", AT(budgets.content_megabytes), 0, LOTS, 1,
     "memory for content that one address has sent"},
    {"address-loads", AT(budgets.loads), 0, LOTS, 1,
     "custom content loaded per second by one address"},
    {"address-pictures", AT(budgets.pictures), 0, LOTS, 1,
     "pictures and previews of matches per second for one address"},
    {"address-messages", AT(budgets.messages), 0, LOTS, 1, "messages per second from one address"},
    {"tournaments-max", AT(tournaments_max), 0, LOTS, 1, "tournaments at the same time"},
    {"address-tournaments", AT(budgets.tournaments), 0, LOTS, 1,
     "tournaments of one address that are not over; 0 = no limit"},
    {"address-contestants", AT(budgets.contestants), 0, LOTS, 1,
     "players of one tournament from one address; 0 = no limit"},
    {"address-logins", AT(budgets.logins), 0, LOTS, 1,
     "logins per minute from one address; passwords, codes and new accounts count as ten"},
    {"address-robots", AT(budgets.robots), 0, LOTS, 1, "weight of the AI players of one address"},
    {"robots", AT(budgets.robots_in_all), 0, LOTS, 1, "weight of all AI players per thread"},
    {"keep-days", AT(keep_days), 0, LOTS, 1, "days that finished matches are kept; 0 = for ever"},
    {"archive-max", AT(archive_megabytes), 0, LOTS * 1000, 1,
     "megabytes of finished matches; the oldest are removed; 0 = no limit"},
    {"strikes", AT(strikes), 0, 1000, 1, "offences in a row that lose a match; 0 = no limit"},
    {"turn-seconds", AT(clocks.turn_ms), 0, DAY_SECONDS, SECOND_MS, "time per turn in new matches"},
    {"pause-seconds", AT(clocks.pause_ms), 0, DAY_SECONDS, SECOND_MS,
     "longest pause in new matches"},
    {"grace-seconds", AT(clocks.grace_ms), 0, DAY_SECONDS, SECOND_MS,
     "how long new matches wait for a disconnected player"},
    {"turn-max", AT(bounds.most.turn_ms), 0, DAY_SECONDS, SECOND_MS,
     "the longest turn that players may choose; 0 = no limit, as for match and silence"},
    {"match-max", AT(bounds.most.match_ms), 0, DAY_SECONDS, SECOND_MS, "the longest match"},
    {"pause-max", AT(bounds.most.pause_ms), 0, DAY_SECONDS, SECOND_MS, "the longest pause"},
    {"silence-max", AT(bounds.most.silence_ms), 0, DAY_SECONDS, SECOND_MS, "the longest silence"},
    {"grace-max", AT(bounds.most.grace_ms), 0, DAY_SECONDS, SECOND_MS, "the longest grace time"},
    {"abandoned-seconds", AT(abandoned_ms), 0, DAY_SECONDS, SECOND_MS,
     "how long a match continues after all players have left; 0 = its grace time"},
};
enum { LIMITS = sizeof limits / sizeof *limits };

/* The address of its value. */
static uint32_t *value_of(ServerSetup *setup, const Limit *limit) {
    return (uint32_t *)(void *)((char *)setup + limit->offset);
}

void limits_write(void *what, MashText *text) {
    Server *server = what;
    text_string(text, "ok\n");
    for (uint32_t i = 0; i < LIMITS; i++)
        text_format(text, "%s %u  # %s\n", limits[i].name,
                    *value_of(&server->setup, &limits[i]) / limits[i].unit, limits[i].meaning);
    text_format(text, "log-level %s  # debug, info, warning or error\n",
                log_level_name(server->setup.log_level));
}

/* Its maximum at run time: memory for tables and sockets was allocated when the server was
 * opened. */
static uint32_t most_of(const Server *server, const Limit *limit) {
    if (limit->offset == AT(matches_max))
        return server->matches_left;
    if (limit->offset == AT(limits.websockets_max))
        return server->sockets_left;
    return limit->most;
}

/* Changes a limit that is a number. */
static bool set_number(Server *server, const Limit *limit, const char *value, MashText *problem) {
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    uint32_t most = most_of(server, limit);
    if (!isdigit((unsigned char)value[0]) || *end != '\0' || number < limit->least ||
        number > most) {
        text_format(problem, "%s must be a number from %u to %u%s, not \"%s\"", limit->name,
                    limit->least, most, most < limit->most ? " while the server runs" : "", value);
        return false;
    }
    *value_of(&server->setup, limit) = (uint32_t)number * limit->unit;
    if (server->net != NULL)
        net_server_set_limits(server->net, &server->setup.limits);
    return true;
}

bool limits_set(Server *server, const char *name, const char *value, MashText *problem) {
    for (uint32_t i = 0; i < LIMITS; i++)
        if (strcmp(limits[i].name, name) == 0)
            return set_number(server, &limits[i], value, problem);
    if (strcmp(name, "log-level") != 0) {
        text_format(problem, "unknown limit \"%s\"; see mashup admin limits", name);
        return false;
    }
    LogLevel level = log_level_of(value);
    if (level == LOG_LEVELS) {
        text_format(problem, "log-level must be debug, info, warning or error, not \"%s\"", value);
        return false;
    }
    server->setup.log_level = level;
    return true;
}

/* One line of the file. */
static void load_line(Server *server, uint32_t number, char *line) {
    char memory[LINE_BYTES], *rest = line;
    MashText problem = text_over(memory, sizeof memory);
    line[strcspn(line, "#\r\n")] = '\0';
    const char *name = strtok_r(rest, " \t", &rest), *value = strtok_r(rest, " \t", &rest);
    if (name == NULL)
        return;
    if (value == NULL || strtok_r(rest, " \t", &rest) != NULL)
        text_string(&problem, "a line is a name and a value");
    else if (limits_set(server, name, value, &problem))
        return;
    server_log(server, LOG_WARNING, "%s, line %u: %s", server->setup.settings, number, memory);
}

void limits_load(Server *server) {
    char line[LINE_BYTES];
    uint32_t number = 0;
    if (server->setup.settings == NULL)
        return;
    FILE *file = fopen(server->setup.settings, "r");
    if (file == NULL) {
        server_log(server, LOG_WARNING, "%s cannot be read", server->setup.settings);
        return;
    }
    while (fgets(line, sizeof line, file) != NULL)
        load_line(server, ++number, line);
    fclose(file);
}
