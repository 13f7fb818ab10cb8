/* Virtual threads that get no carrier, since others that wait keep theirs. */
#include "tools/orca/answer/find.h"

#define LEAST_TICKS TICKS_PER_S

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

static bool add_pinned(const struct finder *f, const struct waiter *w, struct tally *threads,
                       struct found_no_carrier *row) {
  uint32_t initializer = find_initializer(f->m, w->pair.stack);
  if (row->place.text == NULL) row->place = name_stack(f, w->pair.stack);
  if (row->initializer == NULL && initializer != 0) row->initializer = name_method(f, initializer);
  if (row->owner == NULL) find_owner(f, &w->pair, row);
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
    FINDINGS_ADD(f->out, no_carrier, (h->moment - first) * row.unbegun, &row);
  }
  tally_free(&pinned);
}
