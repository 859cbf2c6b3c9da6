/* thinker.h -- thinks about one decision at a time in the loop of net/net.h, in slices, so that
 * messages are received in between, and answers in time.
 *
 * The player is one of ai/; the clock is the loop's. */
#ifndef CLIENT_THINKER_H
#define CLIENT_THINKER_H
#include "ai/ai.h"
#include "net/net.h"

typedef struct Thinker Thinker;

/* Opens one that thinks with so many threads, the loop's included; `call` gets each answer. NULL =
 * no memory. */
Thinker *thinker_open(NetLoop *loop, const AiSkill *skill, uint32_t threads,
                      void (*call)(void *owner, MashAction action), void *owner);
/* Stops and releases it; not inside its callback. NULL is ignored. */
void thinker_close(Thinker *thinker);
/* Thinks about this view until the search is complete for the skill or the time is over, then calls
 * back once. The content must stay until the next task or thinker_forget(); the view is copied. If
 * it is already thinking about this view, it continues. False = there is nothing to choose, or no
 * memory. */
bool thinker_begin(Thinker *thinker, const MashContent *content, const void *view, uint8_t seat,
                   uint64_t until_ms);
/* Stops thinking; no callback comes. */
void thinker_stop(Thinker *thinker);
/* The content is about to be freed: a new match may begin. */
void thinker_forget(Thinker *thinker);

#endif
