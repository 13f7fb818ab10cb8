#include "tools/orca/model/stream_inits.h"

#include <string.h>

#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"

#define RUNS_TASK "java.util.concurrent.ForkJoinTask.doExec"

/* --- stacks --------------------------------------------------------------------------------- */

/* Classes of the JDK that run code of the program in tasks of their own. */
static bool is_library(struct span type) {
  return span_starts(type, "Ljava/util/stream/") || span_starts(type, "Ljava/util/Arrays") ||
         span_starts(type, "Ljava/util/concurrent/ConcurrentHashMap");
}

/* "LA$B$$Lambda;" is of "LA$B;" */
static bool is_of_class(struct span type, struct span outer) {
  return type.len > outer.len && outer.len > 0 && type.data[outer.len - 1] == '$' &&
         memcmp(type.data, outer.data, outer.len - 1) == 0;
}

/* Whether the static initializer of the class called the JDK, which waits for tasks. */
static bool is_wait_of_initializer(const struct wait_sources *s, stack_id_t stack,
                                   uint32_t class_id) {
  size_t depth = 0;
  bool is_of_library = false, is_in_task = false;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(s->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(s->dump, frames[i].method);
    if (method == NULL) return false;
    if (method->class_id == class_id && span_is(method->name, "<clinit>"))
      return is_of_library && is_in_task;
    if (!place_is_platform(s->dump, frames[i].method)) return false;
    struct span type = place_type(s->dump, frames[i].method);
    is_in_task |= span_is(type, "Ljava/util/concurrent/ForkJoinTask;");
    is_of_library |= is_library(type);
  }
  return false;
}

/* Whether a task of the library has called code that the class, and so its initializer, brought. */
static bool is_task_of_class(const struct wait_sources *s, stack_id_t stack, uint32_t class_id) {
  size_t depth = 0, i = 0;
  bool is_of_library = false;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(s->stacks, stack, &depth);
  while (i < depth && !names_method_matches(s->dump, frames[i].method, RUNS_TASK)) i++;
  if (i == depth) return false;
  while (i > 0 && place_is_platform(s->dump, frames[i - 1].method)) {
    i--;
    is_of_library |= is_library(place_type(s->dump, frames[i].method));
  }
  const struct class_line *c = dump_class(s->dump, class_id);
  return i > 0 && is_of_library && c != NULL &&
         is_of_class(place_type(s->dump, frames[i - 1].method), c->signature);
}

/* --- threads -------------------------------------------------------------------------------- */

static bool runs_task(const struct wait_sources *s, stack_id_t stack) {
  return names_stack_matches(s->dump, s->stacks, stack, RUNS_TASK);
}

/* Whether a thread that does not wait for the class may run a task. One that was not seen may. */
static bool may_run_other_task(const struct wait_for *w, const struct wait_sources *s,
                               const struct thread *t, const struct class_init *wait) {
  const struct class_init *own = class_inits_find(s->class_inits, t->hash);
  const struct waiter *waiter = wait_for_find(w, t->hash);
  stack_id_t stack = class_inits_stack(s->class_inits, t->hash);
  bool is_same =
      own != NULL && own->class_id == wait->class_id && own->initializer == wait->initializer;
  if (is_same || !t->alive || t->hash == wait->initializer) return false;
  bool is_worker = t->name != NULL && strncmp(t->name, "ForkJoinPool", 12) == 0;
  bool is_unseen = stack == 0 && waiter == NULL;
  return (is_unseen && is_worker) || runs_task(s, stack) ||
         (waiter != NULL && runs_task(s, waiter->pair.stack));
}

static bool may_others_run(const struct wait_for *w, const struct wait_sources *s,
                           const struct class_init *wait) {
  for (size_t i = 0; i < s->threads->num_all; i++) {
    if (may_run_other_task(w, s, &s->threads->rows[i], wait)) return true;
  }
  return false;
}

/* --- edges ---------------------------------------------------------------------------------- */

/* Returns the wait of the initializer; NULL: it is in no wait that is known. Where no event shows
   it, a sample does. */
static struct waiter *get_initializer(struct wait_for *w, const struct wait_sources *s,
                                      uint32_t thread) {
  struct waiter *waiter = wait_for_find(w, thread);
  const struct thread *t = threads_find(s->threads, thread);
  if (waiter != NULL) return waiter;
  bool waits = t != NULL && (t->state == STATE_WAITING || t->state == STATE_PARKED);
  if (!waits) return NULL;
  struct pair pair = {.kind = EVENT_TASK_JOIN,
                      .thread = thread,
                      .stack = class_inits_stack(s->class_inits, thread),
                      .begin = t->state_time,
                      .open = true};
  waiter = wait_for_add(w, &pair);
  if (waiter != NULL) waiter->need = WAIT_NEEDS_ANYONE;
  return waiter;
}

static bool is_wanted(const struct wait_sources *s, const struct class_init *wait) {
  return wait->is_open && is_task_of_class(s, wait->stack, wait->class_id);
}

static bool add_workers(struct wait_for *w, struct waiter *waiter, const struct wait_sources *s,
                        const struct class_init *first) {
  const struct class_inits *c = s->class_inits;
  waiter->need = WAIT_NEEDS_ALL;
  for (const struct class_init *wait = first; wait < c->waits + c->num; wait++) {
    bool is_same = wait->class_id == first->class_id && wait->initializer == first->initializer;
    struct wait_link link = {.pair = waiter->pair, .owner = wait->thread};
    link.pair.kind = EVENT_TASK_JOIN; /* older JDKs park in it */
    if (is_same && is_wanted(s, wait) && !wait_for_add_owner(w, waiter, &link)) return false;
  }
  return true;
}

bool stream_inits_add(struct wait_for *w, const struct wait_sources *s) {
  const struct class_inits *c = s->class_inits;
  for (size_t i = 0; i < c->num; i++) {
    const struct class_init *wait = &c->waits[i];
    if (!is_wanted(s, wait)) continue;
    struct waiter *waiter = get_initializer(w, s, wait->initializer);
    bool is_one = waiter != NULL && waiter->num_owners == 0 && !waiter->is_timed &&
                  is_wait_of_initializer(s, waiter->pair.stack, wait->class_id) &&
                  !may_others_run(w, s, wait);
    if (is_one && !add_workers(w, waiter, s, wait)) return false;
  }
  return true;
}
