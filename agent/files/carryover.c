#include "agent/files/carryover.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/record/stack.h"

/* --- threads ------------------------------------------------------------------------------ */

/* `slot_ref`: the slot of a thread, plus 1; 0: NULL. */
static struct carryover_thread *get_thread(const struct carryover *c, uint64_t slot_ref) {
  return slot_ref == 0 ? NULL : &c->threads[slot_ref - 1];
}

/* Returns the first thread with this hash, NULL without one. */
static struct carryover_thread *find_first(const struct carryover *c, uint32_t hash) {
  uint64_t slot_ref = 0;
  hashmap_get(&c->by_hash, hash, &slot_ref);
  return get_thread(c, slot_ref);
}

/* Makes sure that there is a free slot. False without memory. */
static bool reserve_slot(struct carryover *c) {
  if (c->first_free != 0) return true;
  if (c->num_slots == c->capacity) {
    size_t capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
    struct carryover_thread *threads =
        capacity > UINT32_MAX ? NULL : memory_resize(c->threads, capacity * sizeof *threads);
    if (threads == NULL) return false;
    c->threads = threads;
    c->capacity = capacity;
  }
  c->threads[c->num_slots++] = (struct carryover_thread){0};
  c->first_free = c->num_slots;
  return true;
}

static struct carryover_thread *add_thread(struct carryover *c, uint32_t hash) {
  uint64_t *first = reserve_slot(c) ? hashmap_at(&c->by_hash, hash) : NULL;
  if (first == NULL) {
    c->failed = true;
    return NULL;
  }
  size_t slot_ref = c->first_free;
  struct carryover_thread *t = get_thread(c, slot_ref);
  c->first_free = t->next;
  *t = (struct carryover_thread){.hash = hash, .next = (uint32_t)*first};
  *first = slot_ref;
  c->num_threads++;
  return t;
}

static void remove_if_unused(struct carryover *c, struct carryover_thread *gone) {
  if (gone->is_living || gone->has_sample) return;
  uint64_t slot_ref = (uint64_t)(gone - c->threads) + 1,
           *first = hashmap_at(&c->by_hash, gone->hash);
  if (*first == slot_ref) {
    *first = gone->next;
  } else {
    struct carryover_thread *t = get_thread(c, *first);
    while (t->next != slot_ref) t = get_thread(c, t->next);
    t->next = gone->next;
  }
  *gone = (struct carryover_thread){.next = (uint32_t)c->first_free};
  c->first_free = slot_ref;
  c->num_threads--;
  if (hashmap_size(&c->by_hash) > 2 * (c->num_living + c->num_sampled) + 1024) {
    hashmap_drop_zeros(&c->by_hash);
  }
}

/* --- starts and ends ------------------------------------------------------------------------- */

static void follow_start(struct carryover *c, const struct record *r) {
  struct carryover_thread *t = find_first(c, r->thread);
  if (t == NULL || t->is_living) t = add_thread(c, r->thread);
  if (t == NULL) return;
  t->is_living = true;
  c->num_living++;
  if (r->u.name.len == 0) return;
  t->name = memory_new(r->u.name.len);
  t->name_len = t->name == NULL ? 0 : r->u.name.len;
  if (t->name == NULL) {
    c->failed = true;
  } else {
    memcpy(t->name, r->u.name.text, r->u.name.len);
  }
}

static void follow_end(struct carryover *c, const struct record *r) {
  struct carryover_thread *t = find_first(c, r->thread);
  while (t != NULL && !t->is_living) t = get_thread(c, t->next);
  if (t == NULL) return;
  free(t->name);
  t->name = NULL;
  t->name_len = 0;
  t->is_living = false;
  c->num_living--;
  remove_if_unused(c, t);
}

struct span carryover_find_name(const struct carryover *c, uint32_t hash) {
  const struct carryover_thread *t = find_first(c, hash);
  while (t != NULL && !t->is_living) t = get_thread(c, t->next);
  return t == NULL ? (struct span){"", 0} : (struct span){t->name, t->name_len};
}

/* --- samples -------------------------------------------------------------------------------- */

/* Returns the stack itself if it is shared. An unshared one is freed with its last record, so
   this returns a copy. */
static struct stack *keep_stack(struct carryover *c, struct stack *stack) {
  if (stack == NULL || stack->uses == 0) return stack;
  struct stack *copy = memory_new(sizeof *copy + stack->text_len);
  if (copy == NULL) {
    c->failed = true;
    return NULL;
  }
  *copy = (struct stack){.num_frames = stack->num_frames,
                         .uses = 1,
                         .text = memcpy(copy + 1, stack->text, stack->text_len),
                         .text_len = stack->text_len};
  return copy;
}

static void follow_sample(struct carryover *c, const struct record *r) {
  struct carryover_thread *t = find_first(c, r->thread);
  while (t != NULL && !t->has_sample) t = get_thread(c, t->next);
  if (r->state == STATE_TERMINATED || r->state == STATE_UNMOUNTED) {
    if (t == NULL) return;
    stack_release(t->stack);
    t->stack = NULL;
    t->has_sample = false;
    c->num_sampled--;
    remove_if_unused(c, t);
    return;
  }
  if (t == NULL) t = find_first(c, r->thread);
  if (t == NULL) t = add_thread(c, r->thread);
  if (t == NULL) return;
  c->num_sampled += !t->has_sample;
  t->has_sample = true;
  t->state = r->state;
  stack_release(t->stack);
  t->stack = keep_stack(c, r->stack);
}

/* --- the whole state -------------------------------------------------------------------------- */

void carryover_follow(struct carryover *c, const struct record *r) {
  if (r->kind == RECORD_TICK) c->last_tick = *r;
  if (r->kind == RECORD_SAMPLE) follow_sample(c, r);
  if (r->kind != RECORD_EVENT) return;
  if (r->event == EVENT_THREAD_STARTED) follow_start(c, r);
  if (r->event == EVENT_THREAD_ENDED) follow_end(c, r);
}

static struct record make_started(const struct carryover_thread *t, uint64_t time_ns) {
  struct record r = {
      .time_ns = time_ns, .kind = RECORD_EVENT, .event = EVENT_THREAD_STARTED, .thread = t->hash};
  r.u.name.text = t->name_len == 0 ? NULL : memory_new(t->name_len);
  if (r.u.name.text == NULL) return r;
  r.u.name.len = t->name_len;
  memcpy(r.u.name.text, t->name, t->name_len);
  return r;
}

void carryover_say(struct carryover *c, uint64_t time_ns,
                   void (*receive)(void *arg, const struct record *r), void *arg) {
  struct record r;
  for (struct carryover_thread *t = c->threads; t < c->threads + c->num_slots; t++) {
    if (!t->is_living) continue;
    r = make_started(t, time_ns);
    receive(arg, &r);
  }
  if (c->last_tick.kind != RECORD_TICK) return;
  r = c->last_tick;
  r.time_ns = time_ns;
  r.u.tick.pause_ns = 0;
  receive(arg, &r);
  for (struct carryover_thread *t = c->threads; t < c->threads + c->num_slots; t++) {
    if (!t->has_sample) continue;
    if (t->stack != NULL && t->stack->uses > 0) t->stack->uses++;
    r = (struct record){.time_ns = time_ns,
                        .kind = RECORD_SAMPLE,
                        .state = t->state,
                        .thread = t->hash,
                        .stack = t->stack};
    receive(arg, &r);
  }
}

void carryover_visit_stacks(const struct carryover *c,
                            void (*visit)(void *arg, const struct stack *stack), void *arg) {
  for (const struct carryover_thread *t = c->threads; t < c->threads + c->num_slots; t++) {
    if (t->has_sample) visit(arg, t->stack);
  }
}

void carryover_free(struct carryover *c) {
  for (struct carryover_thread *t = c->threads; t < c->threads + c->num_slots; t++) {
    free(t->name);
    stack_release(t->stack);
  }
  free(c->threads);
  hashmap_free(&c->by_hash);
  *c = (struct carryover){0};
}
