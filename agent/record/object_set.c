#include "agent/record/object_set.h"

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/record/intern.h"

#define NUM_SLOTS ((size_t)1 << 20) /* 8 MiB, of which the system provides only what is touched */
#define MAX_USED (NUM_SLOTS / 4 * 3)

struct object_set {
  struct outbox *box;
  size_t num_used;  /* under the lock of `box`; atomic */
  uint32_t epoch;   /* the same */
  uint64_t slots[]; /* hash << 32 | ClassID; 0: free. Written under that lock, read without */
};

/* Returns an epoch that no set of this process has had. */
static uint32_t make_epoch(void) {
  static uint32_t last;
  uint32_t epoch;
  do {
    epoch = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  } while (epoch == 0);
  return epoch;
}

struct object_set *object_set_new(struct outbox *box) {
  struct object_set *s = memory_new_zeroed(1, sizeof *s + NUM_SLOTS * sizeof(uint64_t));
  if (s == NULL) return NULL;
  s->box = box;
  s->epoch = make_epoch();
  return s;
}

/* Returns the slot that contains `pair`, or else the free slot where it belongs. */
static uint64_t *find_slot(struct object_set *s, uint64_t pair) {
  size_t i = hash_word(pair) % NUM_SLOTS;
  for (;; i = (i + 1) % NUM_SLOTS) {
    uint64_t value = __atomic_load_n(&s->slots[i], __ATOMIC_ACQUIRE);
    if (value == pair || value == 0) return &s->slots[i];
  }
}

/* The caller holds the lock of the box. */
static void clear_slots(struct object_set *s) {
  __atomic_store_n(&s->epoch, make_epoch(), __ATOMIC_RELEASE);
  if (s->num_used == 0) return;
  for (size_t i = 0; i < NUM_SLOTS; i++) __atomic_store_n(&s->slots[i], 0, __ATOMIC_RELAXED);
  __atomic_store_n(&s->num_used, 0, __ATOMIC_RELAXED);
}

void object_set_clear(struct object_set *s) {
  outbox_lock(s->box);
  clear_slots(s);
  outbox_unlock(s->box);
}

void object_set_define(struct object_set *s, uint32_t hash, uint32_t class_id) {
  uint64_t pair = (uint64_t)hash << 32 | class_id;
  if (__atomic_load_n(find_slot(s, pair), __ATOMIC_ACQUIRE) == pair) return;
  struct builder body = {0};
  object_body_write(&body, hash, class_id);
  outbox_lock(s->box);
  if (s->num_used >= MAX_USED) clear_slots(s);
  uint64_t *slot = find_slot(s, pair);
  /* The line is published first: a thread that finds the pair in its slot may name the object. If
     there is no memory for the line, the next event with the object tries again. */
  if (*slot == 0 && outbox_put(s->box, hash, class_id, &body)) {
    __atomic_store_n(slot, pair, __ATOMIC_RELEASE);
    __atomic_store_n(&s->num_used, s->num_used + 1, __ATOMIC_RELAXED);
  }
  outbox_unlock(s->box);
  builder_free(&body);
}

uint32_t object_set_epoch(const struct object_set *s) {
  return __atomic_load_n(&s->epoch, __ATOMIC_ACQUIRE);
}

struct table_size object_set_size(const struct object_set *s) {
  return (struct table_size){__atomic_load_n(&s->num_used, __ATOMIC_RELAXED),
                             sizeof *s + NUM_SLOTS * sizeof *s->slots};
}
