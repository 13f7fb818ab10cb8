#include "agent/record/short_calls.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/record/intern.h"

#define PARTS 64
#define OBJECT_SETS 32 /* 256 rows: with the rest, 19 KiB a part */
#define STACK_SETS 8

struct part {
  bool is_busy; /* atomic: a thread uses the part */
  bool is_used; /* it has a sum; under is_busy */
  uint32_t recording;
  struct short_sums sums;
} __attribute__((aligned(64)));

struct short_calls {
  struct part parts[PARTS];
};

struct short_calls *short_calls_new(void) {
  size_t part_rows = (size_t)(OBJECT_SETS + STACK_SETS) * SHORT_WAYS;
  struct short_calls *c = memory_new_aligned(64, sizeof *c);
  struct short_sum *rows = memory_new_zeroed(PARTS, short_sums_bytes(OBJECT_SETS, STACK_SETS));
  if (c == NULL || rows == NULL) {
    free(c);
    free(rows);
    return NULL;
  }
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < PARTS; i++)
    short_sums_init(&c->parts[i].sums, &rows[i * part_rows], OBJECT_SETS, STACK_SETS);
  return c;
}

static bool try_part(struct part *p) {
  return !__atomic_load_n(&p->is_busy, __ATOMIC_RELAXED) &&
         !__atomic_exchange_n(&p->is_busy, true, __ATOMIC_ACQUIRE);
}

static void release_part(struct part *p) { __atomic_store_n(&p->is_busy, false, __ATOMIC_RELEASE); }

static void forget(void *arg, struct short_sum *sum) {
  (void)arg;
  (void)sum;
}

/* Empties a part that has sums of an earlier recording. Returns whether the part takes sums of this
   one; a later one may have begun. */
static bool enter_recording(struct part *p, uint32_t recording) {
  if (p->recording < recording && p->is_used) short_sums_take(&p->sums, forget, NULL);
  if (p->recording < recording) p->recording = recording;
  return p->recording == recording;
}

void short_calls_add(struct short_calls *c, uint32_t thread, uint32_t recording,
                     const struct short_key *key, uint64_t ns) {
  uint64_t at = hash_word(thread);
  struct short_sum sum = {.key = *key, .calls = 1, .total_ns = ns, .longest_ns = ns};
  for (; !try_part(&c->parts[at % PARTS]); at++) {
    if (at % PARTS == PARTS - 1) sched_yield();
  }
  struct part *p = &c->parts[at % PARTS];
  if (enter_recording(p, recording)) {
    p->is_used = true;
    short_sums_add(&p->sums, &sum);
  }
  release_part(p);
}

/* --- the writer ------------------------------------------------------------------------------ */

/* A thread uses a part for some tens of nanoseconds, unless it loses its CPU. */
static bool wait_for_part(struct part *p, uint64_t until_ns) {
  while (!try_part(p)) {
    if (clock_monotonic_ns() > until_ns) return false;
    sched_yield();
  }
  return true;
}

void short_calls_take(struct short_calls *c, uint32_t recording,
                      void (*take)(void *arg, struct short_sum *sum), void *arg) {
  uint64_t until_ns = clock_monotonic_ns() + NS_PER_S;
  for (int i = 0; i < PARTS; i++) {
    struct part *p = &c->parts[i];
    if (!wait_for_part(p, until_ns)) continue;
    if (enter_recording(p, recording) && p->is_used) {
      short_sums_take(&p->sums, take, arg);
      p->is_used = false;
    }
    release_part(p);
  }
}
