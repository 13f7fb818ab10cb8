#include "agent/meta/shapes.h"

#include "agent/base/memory.h"

#define NUM_SHAPES ((size_t)1 << 14)
#define WAYS 4 /* places in which a key can be; a power of two */

/* `turn` is odd while a thread writes the rest, so a reader that sees the same even number before
   and after has read one whole shape. All fields are atomic. A reader that sees a new field
   (acquire) sees the odd number that the writer stored before it (release). */
struct shape {
  uint64_t turn;
  uint64_t a, b;
  uintptr_t word; /* 0: none yet */
};

struct shapes {
  size_t num; /* atomic */
  struct shape at[NUM_SHAPES];
};

struct shapes *shapes_new(void) {
  return memory_new_zeroed(1, sizeof(struct shapes));
}

static size_t find_first(const struct physical_key *key) {
  return (size_t)key->a % NUM_SHAPES & ~(size_t)(WAYS - 1);
}

static uintptr_t read_shape(const struct shape *s, const struct physical_key *key) {
  uint64_t turn = __atomic_load_n(&s->turn, __ATOMIC_ACQUIRE);
  bool is_same = __atomic_load_n(&s->a, __ATOMIC_ACQUIRE) == key->a &&
                 __atomic_load_n(&s->b, __ATOMIC_ACQUIRE) == key->b;
  if (!is_same) return 0;
  uintptr_t word = __atomic_load_n(&s->word, __ATOMIC_ACQUIRE);
  return turn % 2 == 0 && __atomic_load_n(&s->turn, __ATOMIC_RELAXED) == turn ? word : 0;
}

uintptr_t shapes_get(const struct shapes *s, const struct physical_key *key) {
  const struct shape *first = &s->at[find_first(key)];
  uintptr_t word = 0;
  for (int i = 0; i < WAYS && word == 0; i++) word = read_shape(&first[i], key);
  return word;
}

/* Returns the place of this key: its old one, one that was never used, or any. */
static struct shape *find_place(struct shapes *s, const struct physical_key *key) {
  struct shape *first = &s->at[find_first(key)];
  for (int i = 0; i < WAYS; i++) {
    if (__atomic_load_n(&first[i].a, __ATOMIC_RELAXED) == key->a) return &first[i];
  }
  for (int i = 0; i < WAYS; i++) {
    if (__atomic_load_n(&first[i].word, __ATOMIC_RELAXED) == 0) return &first[i];
  }
  return &first[key->b % WAYS];
}

void shapes_put(struct shapes *s, const struct physical_key *key, uintptr_t word) {
  struct shape *shape = find_place(s, key);
  uint64_t turn = __atomic_load_n(&shape->turn, __ATOMIC_RELAXED);
  if (turn % 2 != 0 || !__atomic_compare_exchange_n(&shape->turn, &turn, turn + 1, false,
                                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  if (__atomic_load_n(&shape->word, __ATOMIC_RELAXED) == 0)
    __atomic_fetch_add(&s->num, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&shape->a, key->a, __ATOMIC_RELEASE);
  __atomic_store_n(&shape->b, key->b, __ATOMIC_RELEASE);
  __atomic_store_n(&shape->word, word, __ATOMIC_RELEASE);
  __atomic_store_n(&shape->turn, turn + 2, __ATOMIC_RELEASE);
}

struct table_size shapes_size(const struct shapes *s) {
  return (struct table_size){__atomic_load_n(&s->num, __ATOMIC_RELAXED), sizeof *s};
}
