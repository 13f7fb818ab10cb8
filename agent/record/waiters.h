#pragma once
/* Which threads are in calls that wait, on which objects, and since when: by hash, in buckets. With
   the option `threshold`, the hook of a call that only wakes threads asks here whether it can wake
   any, and for how long they have waited. It saves the event if nobody waits, and its stack if all
   began to wait only a moment ago. agent/writer/waits.h decides about the other wake-ups.
   Any thread, no lock. All zero is empty. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define WAITERS_BITS 12

#define WAITERS_BUCKETS (1 << WAITERS_BITS)

#define WAITERS_NOBODY UINT64_MAX

struct waiters {
  struct {
    uint64_t since_ns; /* atomic; not later than the begin of any call that `count` counts */
    uint32_t count;    /* atomic; of calls whose end is noticed */
    bool found;        /* atomic; such a call had begun before this recording */
  } buckets[WAITERS_BUCKETS];
};

/* waiters_bucket returns the index of a hash, which it shares with others. It mixes the hash, since
   no JVM makes all of its bits random. */
static inline uint32_t waiters_bucket(uint32_t hash) {
  return hash * 0x9E3779B9u >> (32 - WAITERS_BITS);
}

/* The first of a bucket's calls sets the time. Until it has, the bucket has an earlier time. A call
   that began before the first one, but is added after it, moves the time back. */
static inline void waiters_add_one(struct waiters *w, uint32_t hash, uint64_t since_ns) {
  uint32_t i = waiters_bucket(hash);
  if (__atomic_fetch_add(&w->buckets[i].count, 1, __ATOMIC_SEQ_CST) == 0 ||
      since_ns < __atomic_load_n(&w->buckets[i].since_ns, __ATOMIC_SEQ_CST))
    __atomic_store_n(&w->buckets[i].since_ns, since_ns, __ATOMIC_SEQ_CST);
}

static inline void waiters_remove_one(struct waiters *w, uint32_t hash) {
  __atomic_fetch_sub(&w->buckets[waiters_bucket(hash)].count, 1, __ATOMIC_SEQ_CST);
}

static inline void waiters_find_one(struct waiters *w, uint32_t hash) {
  __atomic_store_n(&w->buckets[waiters_bucket(hash)].found, true, __ATOMIC_SEQ_CST);
}

/* waiters_add: `thread` begins a call that waits on `object`; 0: on none. Call it before the thread
   waits. `since_ns`: the time of the begin event, or before it. */
static inline void waiters_add(struct waiters *w, uint32_t thread, uint32_t object,
                               uint64_t since_ns) {
  waiters_add_one(w, thread, since_ns);
  if (object != 0) waiters_add_one(w, object, since_ns);
}

/* waiters_remove undoes one waiters_add. */
static inline void waiters_remove(struct waiters *w, uint32_t thread, uint32_t object) {
  waiters_remove_one(w, thread);
  if (object != 0) waiters_remove_one(w, object);
}

/* waiters_add_found: `thread` is in such a call, whose begin was not recorded. Nobody notices its
   end, so it counts until waiters_forget_found. */
static inline void waiters_add_found(struct waiters *w, uint32_t thread, uint32_t object) {
  waiters_find_one(w, thread);
  waiters_find_one(w, object);
}

/* waiters_forget_found: a recording begins. */
static inline void waiters_forget_found(struct waiters *w) {
  for (int i = 0; i < WAITERS_BUCKETS; i++)
    __atomic_store_n(&w->buckets[i].found, false, __ATOMIC_SEQ_CST);
}

/* waiters_since returns a time not later than the begin of any such call of a thread with this
   hash, or on an object with this hash. It returns 0 if a call had begun before the recording.
   WAITERS_NOBODY: there is no such call. */
static inline uint64_t waiters_since(struct waiters *w, uint32_t hash) {
  uint32_t i = waiters_bucket(hash);
  if (__atomic_load_n(&w->buckets[i].found, __ATOMIC_SEQ_CST)) return 0;
  if (__atomic_load_n(&w->buckets[i].count, __ATOMIC_SEQ_CST) == 0) return WAITERS_NOBODY;
  return __atomic_load_n(&w->buckets[i].since_ns, __ATOMIC_SEQ_CST);
}

END_C
