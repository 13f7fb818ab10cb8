#include "agent/writer/long_calls.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/record/stack.h"

/* A call that has begun and not ended; a free slot. */
struct open_method {
  uint64_t since_ns;
  const struct stack *stack; /* of both of its events; only compared, it may be freed */
  size_t outer;              /* slot of the call of the same thread around it, plus 1; 0: none. Of a
                                free slot: the next free one */
  uint32_t thread, method;
  bool is_open, is_noticed; /* is_noticed: it has been reported */
};

#define SPARE_SLOTS 1024 /* more than this are freed when no call is open */

/* --- open calls ------------------------------------------------------------------------------ */

/* `slot_ref`: a slot, plus 1; 0: NULL. */
static struct open_method *get_call(const struct long_calls *l, size_t slot_ref) {
  return slot_ref == 0 ? NULL : &l->slots[slot_ref - 1];
}

/* Makes sure that there is a free slot. False without memory. */
static bool reserve_slot(struct long_calls *l) {
  if (l->first_free != 0) return true;
  if (l->num_slots == l->capacity) {
    size_t capacity = l->capacity == 0 ? 64 : 2 * l->capacity;
    struct open_method *slots = memory_resize(l->slots, capacity * sizeof *slots);
    if (slots == NULL) return false;
    l->slots = slots;
    l->capacity = capacity;
  }
  l->slots[l->num_slots++] = (struct open_method){0};
  l->first_free = l->num_slots;
  return true;
}

static uint32_t find_method(const struct stack *stack) {
  struct frame top = {0};
  if (stack == NULL) return 0;
  struct span frames = stack_frames((struct span){stack->text, stack->text_len});
  return stack_next(&frames, &top) ? top.method : 0;
}

/* Without memory the call is not watched. */
static void open_call(struct long_calls *l, const struct record *entry) {
  uint64_t *innermost = reserve_slot(l) ? hashmap_at(&l->by_thread, entry->thread) : NULL;
  if (innermost == NULL) return;
  size_t slot_ref = l->first_free;
  struct open_method *call = get_call(l, slot_ref);
  l->first_free = call->outer;
  *call = (struct open_method){.since_ns = entry->time_ns,
                               .stack = entry->stack,
                               .outer = (size_t)*innermost,
                               .thread = entry->thread,
                               .method = find_method(entry->stack),
                               .is_open = true};
  *innermost = slot_ref;
  l->num_open++;
  l->num_unnoticed++;
}

static void free_slots(struct long_calls *l) {
  hashmap_free(&l->by_thread);
  free(l->slots);
  l->slots = NULL;
  l->num_slots = l->capacity = l->first_free = l->num_open = l->num_unnoticed = 0;
}

/* Closes the innermost call of a thread. `innermost`: its value in `by_thread`. */
static void close_call(struct long_calls *l, uint64_t *innermost) {
  size_t slot_ref = (size_t)*innermost;
  struct open_method *call = get_call(l, slot_ref);
  *innermost = call->outer;
  l->num_open--;
  l->num_unnoticed -= !call->is_noticed;
  *call = (struct open_method){.outer = l->first_free};
  l->first_free = slot_ref;
}

static void free_surplus(struct long_calls *l) {
  if (l->num_open == 0 && l->capacity > SPARE_SLOTS) {
    free_slots(l);
  } else if (hashmap_size(&l->by_thread) > 2 * l->num_open + SPARE_SLOTS) {
    hashmap_drop_zeros(&l->by_thread);
  }
}

/* --- long calls ------------------------------------------------------------------------------- */

static void take_name(struct long_call *c, const struct carryover *threads) {
  struct span name = carryover_find_name(threads, c->thread);
  c->name_len = name.len < sizeof c->name ? name.len : sizeof c->name;
  /* Neither a character nor an escape (\uXXXX) may be cut. */
  while (c->name_len < name.len && c->name_len > 0 && (name.data[c->name_len] & 0xC0) == 0x80)
    c->name_len--;
  const char *escape = c->name_len < 5 ? NULL : memrchr(name.data + c->name_len - 5, '\\', 5);
  if (escape != NULL && c->name_len < name.len) c->name_len = (size_t)(escape - name.data);
  if (c->name_len > 0) memcpy(c->name, name.data, c->name_len);
}

static void note_call(struct long_call *c, const struct open_method *call, uint64_t ns,
                      bool is_over, const struct carryover *threads) {
  c->num++;
  if (ns <= c->ns) return;
  c->thread = call->thread;
  c->method = call->method;
  c->ns = ns;
  c->is_over = is_over;
  take_name(c, threads);
}

/* The exit of an outer call shows that those of the calls inside of it were lost. */
static void end_call(struct long_calls *l, const struct record *exit, uint64_t limit_ns,
                     const struct carryover *threads) {
  uint64_t *innermost = hashmap_at(&l->by_thread, exit->thread);
  size_t ref = innermost == NULL ? 0 : (size_t)*innermost;
  while (ref != 0 && get_call(l, ref)->stack != exit->stack) ref = get_call(l, ref)->outer;
  if (ref == 0) return; /* its entry was before the trigger, or was lost */
  while (*innermost != ref) close_call(l, innermost);
  const struct open_method *call = get_call(l, ref);
  uint64_t ns = exit->time_ns > call->since_ns ? exit->time_ns - call->since_ns : 0;
  if (ns > limit_ns && !call->is_noticed) note_call(&l->ended, call, ns, true, threads);
  close_call(l, innermost);
  free_surplus(l);
}

static void end_thread(struct long_calls *l, uint32_t thread) {
  uint64_t innermost = 0;
  if (!hashmap_get(&l->by_thread, thread, &innermost)) return;
  while (innermost != 0) close_call(l, &innermost);
  hashmap_put(&l->by_thread, thread, 0);
  free_surplus(l);
}

void long_calls_follow(struct long_calls *l, const struct record *event, uint64_t limit_ns,
                       const struct carryover *threads) {
  if (event->event == EVENT_METHOD_ENTRY) open_call(l, event);
  if (event->event == EVENT_METHOD_EXIT) end_call(l, event, limit_ns, threads);
  if (event->event == EVENT_THREAD_ENDED) end_thread(l, event->thread);
}

bool long_calls_report(struct long_calls *l, uint64_t now_ns, uint64_t limit_ns,
                       const struct carryover *threads, struct long_call *out) {
  *out = l->ended;
  long_calls_skip(l);
  for (size_t i = 0; l->num_unnoticed > 0 && i < l->num_slots; i++) {
    struct open_method *call = &l->slots[i];
    bool is_long = call->is_open && !call->is_noticed && now_ns > call->since_ns + limit_ns;
    if (!is_long) continue;
    note_call(out, call, now_ns - call->since_ns, false, threads);
    call->is_noticed = true;
    l->num_unnoticed--;
  }
  return out->num > 0;
}

void long_calls_skip(struct long_calls *l) { l->ended = (struct long_call){0}; }

bool long_calls_wait(const struct long_calls *l) {
  return l->num_unnoticed > 0 || l->ended.num > 0;
}

void long_calls_forget(struct long_calls *l) { free_slots(l); }

void long_calls_free(struct long_calls *l) {
  free_slots(l);
  long_calls_skip(l);
}
