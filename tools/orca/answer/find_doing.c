/* What a thread does when the recording ends. */
#include "tools/orca/answer/find.h"

/* The call that began last. Returns false if the thread is in none. */
static bool find_last_call(const struct model *m, uint32_t thread, struct pair *out) {
  struct pair pair;
  bool matches, has_call = false;
  for (size_t cursor = 0; model_next_open(m, &cursor, &pair, &matches);) {
    if (pair.thread != thread || (has_call && pair.begin < out->begin)) continue;
    has_call = true;
    *out = pair;
  }
  return has_call;
}

static uint64_t count_time(const struct model *m, ticks_t since) {
  ticks_t to = m->recording.to;
  return to > since ? found_ns(to - since) : 0;
}

struct doing find_doing(const struct finder *f, uint32_t hash) {
  const struct model *m = f->m;
  const struct thread *thread = threads_find(&m->threads, hash);
  struct doing doing = {.does = NULL};
  struct pair last = {0};
  const struct waiter *waiter = wait_for_find(&m->hang.graph, hash);
  bool has_call = find_last_call(m, hash, &last);
  if (has_call && waiter != NULL && waiter->pair.kind == last.kind && hang_is_idle(m, waiter)) {
    doing.does = "idle";
    doing.time = count_time(m, last.begin);
    doing.time_is_least = last.is_older;
  } else if (has_call) {
    bool joins = event_joins(last.kind) && last.object != 0;
    doing.does = joins                             ? "joins"
                 : last.kind == EVENT_THREAD_SLEEP ? "sleeps"
                 : last.kind == EVENT_THREAD_PARK  ? "parked"
                                                   : "waits";
    doing.joins = joins ? name_thread(f, last.object) : NULL;
    doing.call = name_call(f, (int)last.kind, last.stack);
    doing.place = name_stack(f, last.stack);
    doing.time = count_time(m, last.begin);
    doing.time_is_least = last.is_older;
  } else if (thread != NULL && thread->io_since != 0) {
    doing.does = "io";
    doing.call = name_call(f, CALL_IO, thread->io_stack);
    doing.place = name_stack(f, thread->io_stack);
    doing.time = count_time(m, thread->io_since);
  } else if (thread != NULL && thread->activity == ACTIVITY_IO && thread->activity_stack != 0) {
    doing.does = "io";
    doing.call = name_call(f, CALL_IO, thread->activity_stack);
    doing.place = name_stack(f, thread->activity_stack);
    doing.time = count_time(m, thread->since);
    doing.is_idle = spending_is_idle(&m->spending, thread->activity_stack);
  } else if (thread != NULL && thread->activity == ACTIVITY_RUNS && thread->activity_stack != 0) {
    doing.does = "runs";
    doing.place = name_stack(f, thread->activity_stack);
  }
  return doing;
}
