#pragma once
/* Threads that block on a monitor right now, as far as the files still lack who has it: a fixed
   pool of slots, each shared by three parties until the last lets go.

     the thread that blocks   blocked_begin … blocked_end
     the owner watch          blocked_watch … blocked_let_go (watch.c)
     the writer               blocked_take_owner

   No JVM in here: the monitor is a weak reference that only the watch understands. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCKED_SLOTS 4096

struct blocked;
struct blocked_pool;

struct blocked_pool *blocked_pool_new(void); /* NULL without memory; never freed */

/* What a thread blocks on. */
struct blocked_on {
  void *monitor;         /* handed over to the watch */
  uint32_t thread, hash; /* of the thread, of the monitor */
  uint64_t since_ns;
};

/* blocked_begin: a thread is about to block. NULL when all slots are taken: then the line stays
   without owner, and the reference is the caller's again. */
struct blocked *blocked_begin(struct blocked_pool *p, const struct blocked_on *what);

/* blocked_end: the thread has the monitor, and says so in no line before this. NULL is allowed. */
void blocked_end(struct blocked *b);

/* blocked_is_over: has blocked_end been called? Any of the three. */
bool blocked_is_over(const struct blocked *b);

/* blocked_was_over: had it been called at that time? A line about the slot that is of an earlier
   time stands before those that its thread makes then. */
bool blocked_was_over(const struct blocked *b, uint64_t time_ns);

/* blocked_watch gives the oldest slot that the watch has not seen, or NULL. One thread. */
struct blocked *blocked_watch(struct blocked_pool *p);
const struct blocked_on *blocked_on(const struct blocked *b);

/* blocked_answer, by the watch: `owner` has had the monitor all along. False: the line may have
   been written without it. */
bool blocked_answer(struct blocked *b, uint32_t owner);

/* blocked_share adds a party, for one more line about the slot: the watch, that is one itself.
   blocked_let_go ends the part of one, of the watch or of such a line. */
void blocked_share(struct blocked *b);
void blocked_let_go(struct blocked *b);

/* blocked_take_owner: the owner if one was found by now, else 0. Ends the writer's part. */
uint32_t blocked_take_owner(struct blocked *b);

#ifdef __cplusplus
}
#endif
