#include "agent/writer/carryover.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/record/stack.h"

/* --- the threads -------------------------------------------------------------------------- */

static struct carryover_thread *at(const struct carryover *s, uint64_t place) {
  return place == 0 ? NULL : &s->threads[place - 1];
}

static struct carryover_thread *first_of(const struct carryover *s, uint32_t hash) {
  uint64_t place = 0;
  hashmap_get(&s->by_hash, hash, &place);
  return at(s, place);
}

static bool has_room(struct carryover *s) {
  if (s->spare != 0) return true;
  if (s->num == s->capacity) {
    size_t capacity = s->capacity == 0 ? 64 : 2 * s->capacity;
    struct carryover_thread *threads =
        capacity > UINT32_MAX ? NULL : memory_resize(s->threads, capacity * sizeof *threads);
    if (threads == NULL) return false;
    s->threads = threads;
    s->capacity = capacity;
  }
  s->threads[s->num++] = (struct carryover_thread){0};
  s->spare = s->num;
  return true;
}

static struct carryover_thread *add(struct carryover *s, uint32_t hash) {
  uint64_t *first = has_room(s) ? hashmap_at(&s->by_hash, hash) : NULL;
  if (first == NULL) {
    s->failed = true;
    return NULL;
  }
  size_t place = s->spare;
  struct carryover_thread *t = at(s, place);
  s->spare = t->next;
  *t = (struct carryover_thread){.hash = hash, .next = (uint32_t)*first};
  *first = place;
  return t;
}

/* The map keeps the hashes of threads that are gone: now and then it is made anew. */
static void make_map_anew(struct carryover *s) {
  struct hashmap map = {0}, old = s->by_hash;
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&old, &cursor, &slot);) {
    if (slot.value != 0) good = good && hashmap_put(&map, slot.key, slot.value);
  }
  if (good) s->by_hash = map;
  hashmap_free(good ? &old : &map);
}

static void drop(struct carryover *s, struct carryover_thread *gone) {
  uint64_t place = (uint64_t)(gone - s->threads) + 1, *first = hashmap_at(&s->by_hash, gone->hash);
  if (*first == place) {
    *first = gone->next;
  } else {
    struct carryover_thread *t = at(s, *first);
    while (t->next != place) t = at(s, t->next);
    t->next = gone->next;
  }
  *gone = (struct carryover_thread){.next = (uint32_t)s->spare};
  s->spare = place;
  if (hashmap_size(&s->by_hash) > 2 * (s->living + s->sampled) + 1024) make_map_anew(s);
}

static void drop_if_gone(struct carryover *s, struct carryover_thread *t) {
  if (!t->lives && !t->sampled) drop(s, t);
}

/* --- lives ---------------------------------------------------------------------------------- */

static void start(struct carryover *s, const struct record *r) {
  struct carryover_thread *t = first_of(s, r->thread);
  if (t == NULL || t->lives) t = add(s, r->thread);
  if (t == NULL) return;
  t->lives = true;
  s->living++;
  if (r->u.name.len == 0) return;
  t->name = memory_new(r->u.name.len);
  t->name_len = t->name == NULL ? 0 : r->u.name.len;
  if (t->name == NULL) {
    s->failed = true;
  } else {
    memcpy(t->name, r->u.name.text, r->u.name.len);
  }
}

static void end(struct carryover *s, const struct record *r) {
  struct carryover_thread *t = first_of(s, r->thread);
  while (t != NULL && !t->lives) t = at(s, t->next);
  if (t == NULL) return;
  free(t->name);
  t->name = NULL;
  t->name_len = 0;
  t->lives = false;
  s->living--;
  drop_if_gone(s, t);
}

/* --- samples -------------------------------------------------------------------------------- */

/* One that is not shared goes with its records: a copy stays. */
static struct stack *keep_stack(struct carryover *s, struct stack *stack) {
  if (stack == NULL || stack->uses == 0) return stack;
  struct stack *copy = memory_new(sizeof *copy + stack->text_len);
  if (copy == NULL) {
    s->failed = true;
    return NULL;
  }
  *copy = (struct stack){.num_frames = stack->num_frames,
                         .uses = 1,
                         .text = memcpy(copy + 1, stack->text, stack->text_len),
                         .text_len = stack->text_len};
  return copy;
}

static void sample_gone(struct carryover *s, struct carryover_thread *t) {
  if (t == NULL) return;
  stack_release(t->stack);
  t->stack = NULL;
  t->sampled = false;
  s->sampled--;
  drop_if_gone(s, t);
}

static void sample(struct carryover *s, const struct record *r) {
  struct carryover_thread *t = first_of(s, r->thread);
  while (t != NULL && !t->sampled) t = at(s, t->next);
  if (r->state == STATE_TERMINATED || r->state == STATE_UNMOUNTED) {
    sample_gone(s, t);
    return;
  }
  if (t == NULL) t = first_of(s, r->thread);
  if (t == NULL) t = add(s, r->thread);
  if (t == NULL) return;
  s->sampled += !t->sampled;
  t->sampled = true;
  t->state = r->state;
  stack_release(t->stack);
  t->stack = keep_stack(s, r->stack);
}

/* --- all of it -------------------------------------------------------------------------------- */

void carryover_follow(struct carryover *s, const struct record *r) {
  if (r->kind == RECORD_TICK) s->tick = *r;
  if (r->kind == RECORD_SAMPLE) sample(s, r);
  if (r->kind != RECORD_EVENT) return;
  if (r->event == EVENT_THREAD_STARTED) start(s, r);
  if (r->event == EVENT_THREAD_ENDED) end(s, r);
}

static struct record said_thread(const struct carryover_thread *t, uint64_t time_ns) {
  struct record r = {
      .time_ns = time_ns, .kind = RECORD_EVENT, .event = EVENT_THREAD_STARTED, .thread = t->hash};
  r.u.name.text = t->name_len == 0 ? NULL : memory_new(t->name_len);
  if (r.u.name.text == NULL) return r;
  r.u.name.len = t->name_len;
  memcpy(r.u.name.text, t->name, t->name_len);
  return r;
}

static struct record said_sample(const struct carryover_thread *t, uint64_t time_ns) {
  if (t->stack != NULL && t->stack->uses > 0) t->stack->uses++;
  return (struct record){.time_ns = time_ns,
                         .kind = RECORD_SAMPLE,
                         .state = t->state,
                         .thread = t->hash,
                         .stack = t->stack};
}

void carryover_say(struct carryover *s, uint64_t time_ns,
                   void (*receive)(void *arg, const struct record *r), void *arg) {
  struct record r;
  for (struct carryover_thread *t = s->threads; t < s->threads + s->num; t++) {
    if (!t->lives) continue;
    r = said_thread(t, time_ns);
    receive(arg, &r);
  }
  if (s->tick.kind != RECORD_TICK) return;
  r = s->tick;
  r.time_ns = time_ns;
  r.u.tick.pause_ns = 0;
  receive(arg, &r);
  for (struct carryover_thread *t = s->threads; t < s->threads + s->num; t++) {
    if (!t->sampled) continue;
    r = said_sample(t, time_ns);
    receive(arg, &r);
  }
}

void carryover_free(struct carryover *s) {
  for (struct carryover_thread *t = s->threads; t < s->threads + s->num; t++) {
    free(t->name);
    stack_release(t->stack);
  }
  free(s->threads);
  hashmap_free(&s->by_hash);
  *s = (struct carryover){0};
}
