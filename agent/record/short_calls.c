#include "agent/record/short_calls.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/record/intern.h"

void short_sums_init(struct short_sums *s, struct short_sum *rows, uint32_t object_sets,
                     uint32_t stack_sets) {
  *s = (struct short_sums){
      .rows = rows, .num_object_sets = object_sets, .num_all_sets = object_sets + stack_sets};
}

/* --- sums: adding ----------------------------------------------------------------------------- */

static bool is_same(const struct short_key *a, const struct short_key *b) {
  return a->object == b->object && a->stack == b->stack && a->kind == b->kind;
}

static void merge(struct short_sum *row, const struct short_sum *sum) {
  row->key.class_id = sum->key.class_id;
  row->calls += sum->calls;
  row->total_ns += sum->total_ns;
  if (sum->longest_ns > row->longest_ns) row->longest_ns = sum->longest_ns;
}

/* Returns the row of this key in a set: its old one, a free one, or that with the fewest calls. */
static struct short_sum *find_row(struct short_sum *set, const struct short_key *key) {
  struct short_sum *least = set;
  for (int i = 0; i < SHORT_WAYS; i++) {
    if (set[i].calls > 0 && is_same(&set[i].key, key)) return &set[i];
    if (set[i].calls < least->calls) least = &set[i];
  }
  return least;
}

/* Adds `sum` to the set. If another row has to make room, or is worth more, then what is left to be
   added elsewhere becomes `sum`. Returns whether there is something left. */
static bool add_to_set(struct short_sum *set, struct short_sum *sum) {
  struct short_sum *row = find_row(set, &sum->key);
  if (row->calls == 0) {
    *row = *sum;
    return false;
  }
  if (is_same(&row->key, &sum->key)) {
    merge(row, sum);
    return false;
  }
  if (row->calls <= sum->calls) {
    struct short_sum old = *row;
    *row = *sum;
    *sum = old;
  }
  return true;
}

static struct short_sum *find_set(const struct short_sums *s, const struct short_key *key) {
  uint64_t hash = hash_word((uintptr_t)key->stack + key->kind);
  uint32_t num_stack_sets = s->num_all_sets - s->num_object_sets;
  uint64_t at = key->object != 0 ? hash_word(hash ^ key->object) & (s->num_object_sets - 1)
                                 : s->num_object_sets + (hash & (num_stack_sets - 1));
  return &s->rows[at * SHORT_WAYS];
}

static void add_without_object(struct short_sums *s, struct short_sum left) {
  left.key.object = left.key.class_id = 0;
  if (left.key.stack != NULL && !add_to_set(find_set(s, &left.key), &left)) return;
  left.key.stack = NULL;
  struct short_sum *row = &s->kinds[left.key.kind];
  if (row->calls == 0) row->key = left.key;
  merge(row, &left);
}

void short_sums_add(struct short_sums *s, const struct short_sum *sum) {
  struct short_sum left = *sum;
  if (left.key.object != 0 && !add_to_set(find_set(s, &left.key), &left)) return;
  add_without_object(s, left);
}

static int compare_totals(const void *a, const void *b) {
  uint64_t x = (*(struct short_sum *const *)a)->total_ns;
  uint64_t y = (*(struct short_sum *const *)b)->total_ns;
  return x > y ? -1 : x < y;
}

void short_sums_keep_objects(struct short_sums *s, size_t most) {
  size_t max = (size_t)s->num_object_sets * SHORT_WAYS, num = 0;
  struct short_sum **used = memory_new(max * sizeof(struct short_sum *));
  if (used == NULL) return;
  for (size_t i = 0; i < max; i++) {
    if (s->rows[i].calls > 0) used[num++] = &s->rows[i];
  }
  if (num > most) qsort(used, num, sizeof *used, compare_totals);
  for (size_t i = most; i < num; i++) {
    add_without_object(s, *used[i]);
    *used[i] = (struct short_sum){.calls = 0};
  }
  free(used);
}

/* --- taking ---------------------------------------------------------------------------------- */

static void take_rows(struct short_sum *rows, size_t num,
                      void (*take)(void *arg, struct short_sum *sum), void *arg) {
  for (size_t i = 0; i < num; i++) {
    if (rows[i].calls == 0) continue;
    take(arg, &rows[i]);
    rows[i] = (struct short_sum){.calls = 0};
  }
}

void short_sums_take(struct short_sums *s, void (*take)(void *arg, struct short_sum *sum),
                     void *arg) {
  take_rows(s->rows, (size_t)s->num_all_sets * SHORT_WAYS, take, arg);
  take_rows(s->kinds, NUM_EVENTS, take, arg);
}

/* --- the calls of all threads ----------------------------------------------------------------- */

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

/* --- the calls of all threads: the writer ----------------------------------------------------- */

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
