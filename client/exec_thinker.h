/* exec_thinker.h -- asks a program (client/exec_player.h) at a server's table, in a thread of its
 * own, so that messages are received meanwhile. What is told comes to the program in that order. */
#ifndef CLIENT_EXEC_THINKER_H
#define CLIENT_EXEC_THINKER_H
#include "client/client.h"
#include "client/exec_player.h"

typedef struct ExecThinker ExecThinker;

/* What the program answered to a question. */
typedef struct ExecReply {
    ExecAnswer answer;
    char code[PROTO_CODE_MAX + 1]; /* of the table */
    uint32_t number;               /* of the position */
    MashAction action;             /* EXEC_CHOSEN: a legal one in it */
    const char *problem;           /* otherwise: what happened */
} ExecReply;

/* Opens one; `call` gets each reply, in the loop. NULL = no memory. */
ExecThinker *exec_thinker_open(NetLoop *loop, const char *command,
                               void (*call)(void *owner, const ExecReply *reply), void *owner);
/* Ends the program and releases it; no reply comes any more. NULL is ignored. */
void exec_thinker_close(ExecThinker *thinker);
/* A match begins at this table; its position has to be answered; it is over. The content must stay
 * until then. False = no memory. */
bool exec_thinker_begin(ExecThinker *thinker, const ClientTable *table);
bool exec_thinker_ask(ExecThinker *thinker, const ClientTable *table);
bool exec_thinker_over(ExecThinker *thinker, const ClientTable *table);

#endif
