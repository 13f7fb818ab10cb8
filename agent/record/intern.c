#include "agent/record/intern.h"

#include <ck_hs.h>
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/record/handover.h"

struct intern {
  ck_hs_t set;
  size_t bytes; /* of all its tables; atomic */
};

/* The header before each table that ck allocates. An old table is added to the list `outgrown` and
   never freed, because a reader may still use it. The list also keeps leak checkers quiet. */
struct table {
  struct table *next;
} __attribute__((aligned(16)));

static struct table *outgrown; /* atomic */

/* The bytes of all tables that this thread has allocated: concurrencykit does not tell for which
   set it allocates. */
static __thread size_t allocated;

static void *allocate_table(size_t n) {
  struct table *t = memory_new(sizeof *t + n);
  if (t != NULL) allocated += sizeof *t + n;
  return t == NULL ? NULL : t + 1;
}

/* `defer`: readers may still use the table. */
static void release_table(void *p, size_t n, bool defer) {
  (void)n;
  if (p == NULL) return;
  struct table *t = (struct table *)p - 1;
  if (!defer) {
    free(t);
    return;
  }
  t->next = __atomic_load_n(&outgrown, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&outgrown, &t->next, t, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

static struct ck_malloc memory = {.malloc = allocate_table, .free = release_table};

static unsigned long get_entry_hash(const void *entry, unsigned long seed) {
  (void)seed;
  return ((const struct interned *)entry)->hash;
}

struct intern *intern_new(intern_same *same) {
  struct intern *s = memory_new(sizeof *s);
  if (s == NULL) return NULL;
  size_t before = allocated;
  if (ck_hs_init(&s->set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT, get_entry_hash, same, &memory, 1024,
                 0)) {
    s->bytes = sizeof *s + allocated - before;
    return s;
  }
  free(s);
  return NULL;
}

void *intern_get(struct intern *set, const struct interned *key) {
  void *entry = ck_hs_get(&set->set, key->hash, key);
  if (entry != NULL) RECEIVE(entry);
  return entry;
}

bool intern_add(struct intern *set, struct interned *entry) {
  HAND_OVER(entry);
  size_t before = allocated;
  bool good = ck_hs_put_unique(&set->set, entry->hash, entry);
  if (allocated != before) __atomic_fetch_add(&set->bytes, allocated - before, __ATOMIC_RELAXED);
  return good;
}

void intern_remove(struct intern *set, struct interned *entry) {
  ck_hs_remove(&set->set, entry->hash, entry);
}

void intern_visit(struct intern *set, void (*visit)(void *arg, struct interned *entry), void *arg) {
  ck_hs_iterator_t at = CK_HS_ITERATOR_INITIALIZER;
  for (void *entry; ck_hs_next(&set->set, &at, &entry);) visit(arg, entry);
}

size_t intern_bytes(const struct intern *set) {
  return __atomic_load_n(&set->bytes, __ATOMIC_RELAXED);
}
