/* The table of threads: the rows of `orca threads --all`, and the deadlocks that they are in. */
#include "tools/orca/export/tsv.h"
#include "tools/orca/model/names.h"

/* The states in the order of the columns. */
static const enum activity states[] = {ACTIVITY_RUNS,  ACTIVITY_RUNNABLE, ACTIVITY_BLOCKED,
                                       ACTIVITY_WAITS, ACTIVITY_PARKED,   ACTIVITY_SLEEPS,
                                       ACTIVITY_IO,    ACTIVITY_HIDDEN,   ACTIVITY_NO_CALL};

/* Returns NULL if the thread is in no deadlock. */
static const struct deadlock_link *find_link(const struct deadlocks *d, uint32_t thread) {
  for (size_t i = 0; i < d->num; i++) {
    if (d->links[i].wait.pair.thread == thread) return &d->links[i];
  }
  return NULL;
}

static void put_deadlock(struct tsv *t, const struct deadlock_link *link) {
  const struct model *m = t->job->model;
  tsv_put_number(t, link == NULL ? 0 : link->ring + 1);
  if (link != NULL && event_joins(link->wait.pair.kind)) {
    names_thread(&t->text, &m->threads, link->wait.pair.object);
  } else if (link != NULL) {
    titles_write(&t->text, &m->titles, m->dump, link->wait.pair.object);
  }
  tsv_put_text(t);
}

static bool write_thread(struct tsv *t, const struct thread *thread) {
  tsv_begin_row(t);
  tsv_put_thread(t, thread->hash);
  tsv_put_hash(t, thread->hash);
  tsv_put_time(t, thread->first);
  tsv_put_time(t, thread->last);
  tsv_put_number(t, thread->alive);
  tsv_put_number(t, thread->cpu_ns);
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    tsv_put_ticks(t, thread->in_activity[states[i]]);
  }
  put_deadlock(t, find_link(&t->job->model->deadlocks, thread->hash));
  return tsv_end_row(t);
}

bool tsv_write_threads(struct tsv *t) {
  const struct threads *threads = &t->job->model->threads;
  bool is_good = true;
  for (size_t i = 0; is_good && i < threads->num; i++) {
    is_good = write_thread(t, &threads->rows[i]);
  }
  return is_good;
}
