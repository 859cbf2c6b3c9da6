/* contest_admin.c -- see contest.h: orders of operators about contests, as words. */
#include <stdlib.h>
#include <string.h>

#include "server/contest.h"
#include "server/internal.h"

/* The longest word. */
enum { WORD_BYTES = 64 };

/* Takes the next word of a text, which is moved behind it. "": there is none. */
static void next_word(const char **rest, char word[WORD_BYTES]) {
    MashText text = text_over(word, WORD_BYTES);
    *rest += strspn(*rest, " \t");
    size_t length = strcspn(*rest, " \t\r");
    text_bytes(&text, *rest, (uint32_t)length);
    *rest += length;
    *rest += strspn(*rest, " \t");
}

/* A whole number. False: it is none. */
static bool read_number(const char *word, long *number) {
    char *end;
    *number = strtol(word, &end, 10);
    return word[0] != '\0' && *end == '\0';
}

/* A player by number, "3" or "#3", or by name. */
static bool find_player(const Contest *contest, const char *word, uint32_t *player) {
    long number;
    if (read_number(word + (word[0] == '#'), &number) && number >= 0 &&
        (unsigned long)number < contest->players_count) {
        *player = (uint32_t)number;
        return true;
    }
    for (uint32_t i = 0; i < contest->players_count; i++)
        if (strcmp(contest->players[i].name, word) == 0) {
            *player = i;
            return true;
        }
    return false;
}

/* The number of a word of a list; its length if there is none. */
static uint8_t find_choice(ProtoChoices list, uint8_t count, const char *word) {
    uint8_t i = 0;
    while (i < count && strcmp(choice_id(list, i), word) != 0)
        i++;
    return i;
}

/* Reads what the order needs. False: the answer says what is wrong. */
static bool read_order(const Contest *contest, const char *rest, ContestOrder *order,
                       MashText *answer) {
    char first[WORD_BYTES], second[WORD_BYTES];
    const char *name = rest;
    long points = 0;
    next_word(&rest, first);
    name = rest;
    next_word(&rest, second);
    switch (order->what) {
    case PROTO_ORDER_RESULT:
        order->score = find_choice(PROTO_SCORES_LIST, PROTO_SCORE_COUNT, second);
        order->has_score = order->score < PROTO_SCORE_COUNT;
        if (table_code_decode(first, &order->match) && order->has_score)
            return true;
        text_string(answer, "no: result needs the code of a match and first, second, draw or none");
        return false;
    case PROTO_ORDER_REMOVE:
    case PROTO_ORDER_REPLACE:
    case PROTO_ORDER_ADJUST:
        order->has_player = find_player(contest, first, &order->player);
        if (!order->has_player) {
            text_format(answer, "no: the tournament has no player \"%s\"", first);
            return false;
        }
        if (order->what == PROTO_ORDER_ADJUST && !read_number(second, &points)) {
            text_string(answer, "no: adjust needs a number of points, such as 2 or -1");
            return false;
        }
        order->points = points > 1000 ? 1000 : points < -1000 ? -1000 : (int32_t)points;
        order->name = name[0] == '\0' ? NULL : name;
        return true;
    default:
        return true;
    }
}

void contest_admin_order(Server *server, const char *code, const char *what, const char *rest,
                         MashText *answer) {
    uint64_t number;
    Contest *contest = table_code_decode(code, &number) ? contest_find(server, number) : NULL;
    ContestOrder order = {.what = find_choice(PROTO_ORDERS_LIST, PROTO_ORDER_COUNT, what)};
    if (contest == NULL) {
        text_format(answer, "no: there is no tournament with the code %s here", code);
        return;
    }
    if (order.what == PROTO_ORDER_COUNT) {
        text_format(answer,
                    "no: \"%s\" must be start, pause, continue, end, remove, replace, adjust or "
                    "result",
                    what);
        return;
    }
    if (!read_order(contest, rest, &order, answer))
        return;
    Refusal refusal = contest_order(contest, &order);
    if (refusal != REFUSAL_COUNT)
        text_format(answer, "no: %s", refusal_sentence(refusal));
    else if (order.token != NULL)
        text_format(answer, "ok %s goes on as player %u with the token %s",
                    contest->players[order.player].name, (unsigned)order.player, order.token);
    else
        text_format(answer, "ok tournament %s: %s", contest->code, what);
}

void contest_admin_list(void *what, MashText *text) {
    const Server *server = what;
    text_string(text, "ok\n");
    for (const Contest *contest = server->contests; contest != NULL; contest = contest->next) {
        text_format(text,
                    "%s %s %s %s players=%u round=%u open=%u results=%u title=", contest->code,
                    choice_id(PROTO_FORMATS_LIST, contest->config.format),
                    choice_id(PROTO_PHASES_LIST, contest->phase),
                    contest->config.table.content->content->game->id, contest->players_count,
                    contest->round, contest->open, contest->results_count);
        JsonWriter writer = json_writer(text, 0);
        json_put_string(&writer, contest->config.title);
        text_byte(text, '\n');
        for (uint32_t i = 0; i < contest->players_count; i++) {
            const Contestant *player = &contest->players[i];
            text_format(text, "  %u ", i);
            writer = json_writer(text, 0);
            json_put_string(&writer, player->name);
            text_format(text, "%s%s%s\n", player->session == NULL ? " (not connected)" : "",
                        player->away ? " (away)" : "", player->removed ? " (removed)" : "");
        }
    }
}
