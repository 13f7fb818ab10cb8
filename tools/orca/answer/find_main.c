/* A program whose main thread has ended, but not the JVM: idle threads of a pool may keep it alive.
   Which threads are daemons is not recorded, so no thread is said to keep it alive. */
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/names.h"

/* Without any other thread at work for so long. */
#define LEAST_TICKS TICKS_PER_S

static bool is_named(const struct thread *t, const char *name) {
  return t->name != NULL && strcmp(t->name, name) == 0;
}

/* Sets `*out` to when main ended; 0: before the recording. The JVM has DestroyJavaVM instead. */
static bool find_end_of_main(const struct model *m, ticks_t *out) {
  bool has_main = false, has_destroyer = false;
  *out = 0;
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    has_destroyer |= is_named(t, "DestroyJavaVM");
    if (!is_named(t, "main")) continue;
    if (t->alive) return false;
    has_main = true;
    *out = t->last;
  }
  return has_main || has_destroyer;
}

/* Whether a thread of a ThreadPoolExecutor waits for a task without a time limit: shutdown would
   have ended this wait. Scheduled tasks may remain after shutdown. */
static bool waits_for_task(const struct model *m, const struct thread *t) {
  const struct waiter *w = wait_for_find(&m->hang.graph, t->hash);
  static const char scheduled[] = "ScheduledThreadPoolExecutor$DelayedWorkQueue.*";
  return w != NULL && !w->is_timed && spending_is_idle(&m->spending, w->pair.stack) &&
         names_stack_matches(m->dump, &m->stacks, w->pair.stack, "ThreadPoolExecutor.getTask") &&
         names_stack_matches(m->dump, &m->stacks, w->pair.stack, "take") &&
         !names_stack_matches(m->dump, &m->stacks, w->pair.stack, scheduled);
}

/* A handler of the signal that ends the JVM is no thread of the program. */
static bool counts(const struct model *m, const struct thread *t) {
  bool lives = t->first < m->hang.moment && (t->alive || t->last >= m->hang.moment);
  return lives && !hang_is_jvm_thread(t) && !has_carrier(m->dump, t->hash);
}

/* Group 0: threads of pools that wait for tasks. Group 1: the others. */
static bool find_threads(const struct model *m, struct tally *out) {
  bool good = true;
  for (size_t i = 0; good && i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    if (counts(m, t)) good = tally_add(out, waits_for_task(m, t) ? 0 : 1, t->hash, 1, 0);
  }
  tally_sort(out);
  return good;
}

void find_main(const struct finder *f) {
  const struct model *m = f->m;
  struct tally threads = {0};
  ticks_t ended, to = m->hang.moment;
  if (!m->hang.is_known || !answer_is_quiet(m) || !find_end_of_main(m, &ended)) return;
  if (ended + LEAST_TICKS > to) return;
  f->out->failed |= !find_threads(m, &threads);
  size_t waiting = count_threads(&threads, 0), others = count_threads(&threads, 1);
  if (waiting > 0) {
    struct found_main_end out = {.time = ended == 0 ? 0 : found_ns(ended - m->recording.from),
                                 .threads = name_threads(f, &threads, 0),
                                 .num_threads = waiting,
                                 .num_others = others};
    if (others > 0) out.others = name_threads(f, &threads, 1);
    FINDINGS_ADD(f->out, main_end, m->spending.quiet, &out);
  }
  tally_free(&threads);
}
