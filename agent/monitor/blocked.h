#pragma once
/* Threads that block on a monitor right now, as far as their line in the file still lacks the
   owner: a fixed pool of slots, each shared by three parties until the last lets go. the thread
   that blocks   blocked_begin … blocked_end the owner watch          blocked_watch …
   blocked_watched (owners.c) the writer               blocked_take_owner No JVM in here: the
   monitor is a weak reference that only the watch understands. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct blocked;
struct blocked_pool;

struct blocked_pool *blocked_pool_new(void); /* NULL without memory; never freed */

/* blocked_begin: a thread is about to block on `monitor`, which it hands over. NULL when all slots
   are taken: then the line stays without owner, and the reference is the caller's again. */
struct blocked *blocked_begin(struct blocked_pool *p, void *monitor, uint64_t now_ns);

/* blocked_end: the thread has the monitor. NULL is allowed. */
void blocked_end(struct blocked *b);

/* blocked_is_over: has blocked_end been called? Any of the three. */
bool blocked_is_over(const struct blocked *b);

/* blocked_watch gives the oldest slot that the watch has not seen, or NULL. One thread. */
struct blocked *blocked_watch(struct blocked_pool *p);
void *blocked_monitor(const struct blocked *b);
uint64_t blocked_since_ns(const struct blocked *b);

/* blocked_watched: the watch is done with the slot and found `owner` (0: none). */
void blocked_watched(struct blocked *b, uint32_t owner);

/* blocked_take_owner: the owner if one was found by now, else 0. Ends the writer's part. */
uint32_t blocked_take_owner(struct blocked *b);

#ifdef __cplusplus
}
#endif
