/* Virtual threads that get no carrier, since others that wait keep theirs. */
#include "tools/orca/answer/find.h"

#define LEAST_TICKS TICKS_PER_S
#define LEAVES_FOR_CLASS \
  26 /* from this JDK on a thread that waits for a class leaves its carrier */

/* The class whose static initializer is on the stack; 0: there is none. Such a frame pins its
   thread to its carrier. */
static uint32_t find_initializer(const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    if (method != NULL && span_is(method->name, "<clinit>")) return frames[i].method;
  }
  return 0;
}

/* A virtual thread leaves its carrier in most calls that wait, unless it is pinned. Up to JDK 23 it
   never does so for a monitor. */
static bool has_left_carrier(const struct model *m, const struct waiter *w) {
  enum event_group group = event_infos[w->pair.kind].group;
  return has_carrier(m->dump, w->pair.thread) && !carriers_is_pinned(&m->carriers, &w->pair) &&
         group != GROUP_MONITOR && group != GROUP_WAIT && w->pair.kind != EVENT_CLASS_INIT_WAIT;
}

/* The virtual thread for whose lock the pinned one waits. */
static void find_owner(const struct finder *f, const struct pair *pair,
                       struct found_no_carrier *row) {
  uint32_t owner = holders_owner_now(&f->m->pass.holders, pair);
  const struct waiter *w = owner == 0 ? NULL : wait_for_find(&f->m->hang.graph, owner);
  if (w == NULL || !has_left_carrier(f->m, w)) return;
  row->owner = name_thread(f, owner);
  row->lock = name_lock(f, lock_events[pair->kind].sort, pair->object);
}

/* The first number of the JVM's version; 0: not known. */
static unsigned find_jdk(const struct model *m) {
  struct span version;
  unsigned number = 0;
  if (!dump_info(m->dump, INFO_JAVA_VERSION, &version)) return 0;
  for (size_t i = 0; i < version.len && i < 4; i++) {
    if (version.data[i] < '0' || version.data[i] > '9') break;
    number = number * 10 + (unsigned)(version.data[i] - '0');
  }
  return number;
}

/* Virtual threads that wait for a class. */
static bool add_class_waiters(const struct finder *f, struct found_no_carrier *row) {
  const struct class_inits *c = &f->m->class_inits;
  unsigned jdk = find_jdk(f->m);
  struct tally threads = {0};
  bool good = true;
  for (size_t i = 0; good && jdk != 0 && jdk < LEAVES_FOR_CLASS && i < c->num; i++) {
    const struct class_init *wait = &c->waits[i];
    if (!wait->is_open || !has_carrier(f->m->dump, wait->thread)) continue;
    if (row->class_name == NULL) {
      row->class_name = name_class(f, wait->class_id);
      row->class_place = name_stack(f, wait->stack);
    }
    good = tally_add(&threads, 0, wait->thread, 1, wait->end - wait->begin);
  }
  tally_sort(&threads);
  row->num_class_waiters = count_threads(&threads, 0);
  if (good && threads.num > 0) row->class_waiters = name_threads(f, &threads, 0);
  tally_free(&threads);
  return good;
}

static void find_starter(const struct finder *f, uint32_t pinned, struct found_no_carrier *row) {
  uint32_t started = carriers_unbegun_of(&f->m->carriers, f->m->hang.moment - LEAST_TICKS, pinned);
  if (started == 0) return;
  row->starter = name_thread(f, pinned);
  row->started_at = name_place(f, threads_started_at(&f->m->threads, started));
}

static bool add_pinned(const struct finder *f, const struct waiter *w, struct tally *threads,
                       struct found_no_carrier *row) {
  uint32_t initializer = find_initializer(f->m, w->pair.stack);
  if (row->place.text == NULL) row->place = name_stack(f, w->pair.stack);
  if (row->initializer == NULL && initializer != 0) row->initializer = name_method(f, initializer);
  if (row->owner == NULL) find_owner(f, &w->pair, row);
  if (row->starter == NULL) find_starter(f, w->pair.thread, row);
  return tally_add(threads, 0, w->pair.thread, 1, f->m->hang.moment - w->pair.begin);
}

void find_carriers(const struct finder *f) {
  const struct model *m = f->m;
  const struct hang *h = &m->hang;
  ticks_t first = 0, until = h->moment - LEAST_TICKS;
  struct found_no_carrier row = {0};
  struct tally pinned = {0};
  bool good = true;
  if (!h->is_known || h->moment < LEAST_TICKS || m->carriers.begun > until) return;
  row.unbegun = carriers_count_unbegun(&m->carriers, until, &first);
  for (size_t i = 0; good && row.unbegun > 0 && i < h->graph.num; i++) {
    const struct waiter *w = &h->graph.waiters[i];
    if (carriers_is_pinned(&m->carriers, &w->pair)) good = add_pinned(f, w, &pinned, &row);
  }
  tally_sort(&pinned);
  f->out->failed |= !good;
  if (good && pinned.num > 0) {
    row.longest = found_ns(h->moment - first);
    row.pinned = name_threads(f, &pinned, 0);
    row.num_pinned = count_threads(&pinned, 0);
    f->out->failed |= !add_class_waiters(f, &row);
    FINDINGS_ADD(f->out, no_carrier, (h->moment - first) * row.unbegun, &row);
  }
  tally_free(&pinned);
}
