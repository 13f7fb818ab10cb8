/* The rows of the tables of tsv_table.def. */
#include <stdlib.h>

#include "tools/orca/export/tsv.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/contention.h"

/* --- runs ------------------------------------------------------------------------------------- */

static void put_info(struct tsv *t, enum info_key key) {
  struct span value = {"", 0};
  if (dump_info(t->job->dump, key, &value)) text_plain(&t->text, value);
  tsv_put_text(t);
}

static void put_info_number(struct tsv *t, enum info_key key) {
  struct span value;
  int64_t n = 0;
  if (!dump_info(t->job->dump, key, &value) || !text_parse_decimal(value, &n) || n < 0) n = 0;
  tsv_put_number(t, (uint64_t)n);
}

/* One row: the figures of the whole recording. */
bool tsv_write_runs(struct tsv *t) {
  const struct model *m = t->job->model;
  const struct recording *r = &m->recording;
  tsv_begin_row(t);
  tsv_put_time(t, r->from);
  tsv_put_time(t, r->to);
  tsv_put_ticks(t, recording_time(r));
  names_program(&t->text, t->job->dump);
  tsv_put_text(t);
  put_info(t, INFO_JAVA_VERSION);
  put_info_number(t, INFO_PID);
  put_info(t, INFO_END_REASON);
  tsv_put_number(t, m->threads.num);
  tsv_put_number(t, r->num_events);
  put_info_number(t, INFO_EVENTS_DROPPED);
  tsv_put_number(t, m->cpu.total_ns);
  tsv_put_ticks(t, locks_blocked(&m->locks));
  tsv_put_number(t, m->deadlocks.num_rings);
  return tsv_end_row(t);
}

/* --- waits ------------------------------------------------------------------------------------ */

static void put_wait_object(struct tsv *t, const struct pair *pair) {
  const struct dump *d = t->job->dump;
  bool is_lock = lock_event_asks(pair->kind);
  if (pair->object != 0) names_object(&t->text, d, pair->object);
  tsv_put_text(t);
  uint32_t class_id = pair->object == 0 ? 0 : locks_class(d, pair->object);
  if (class_id != 0) names_class(&t->text, d, class_id);
  tsv_put_text(t);
  if (is_lock) titles_write_name(&t->text, &t->job->model->titles, d, pair->object);
  tsv_put_text(t);
}

static bool write_pair(void *arg, const struct step *step) {
  struct tsv *t = arg;
  const struct pair *pair = step->clipped_pair;
  if (step->pair == NULL || !step->pair_counts) return true;
  tsv_begin_row(t);
  tsv_put_time(t, pair->begin);
  tsv_put_ticks(t, pair->end - pair->begin);
  tsv_put_string(t, event_infos[pair->kind].name);
  if (lock_event_asks(pair->kind)) {
    tsv_put_sort(t, lock_events[pair->kind].sort);
  } else {
    tsv_put_string(t, "");
  }
  tsv_put_number(t, step->had_to_wait);
  tsv_put_number(t, pair->failed);
  tsv_put_number(t, pair->open);
  tsv_put_thread(t, pair->thread);
  tsv_put_hash(t, pair->thread);
  put_wait_object(t, pair);
  tsv_put_thread(t, pair->owner);
  tsv_put_hash(t, pair->owner);
  tsv_put_place(t, stacks_place(&t->job->model->stacks, pair->stack));
  tsv_put_stack(t, pair->stack);
  return tsv_end_row(t);
}

/* A row for each pair of events, in the order in which the pairs ended. Open pairs are the last
   rows. */
bool tsv_write_waits(struct tsv *t) { return replay(t->job->model, PASS_PAIRS, write_pair, t); }

/* --- samples ---------------------------------------------------------------------------------- */

/* If there are Cpu lines, all CPU time comes from them. */
static uint64_t find_cpu_time(const struct tsv *t, const struct sample_line *line) {
  bool counts = line->kind == SAMPLE_CPU || !t->job->model->recording.by_signal;
  return counts && line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
}

static bool write_sample(void *arg, const struct step *step) {
  struct tsv *t = arg;
  const struct sample_line *line = step->sample;
  if (!step_counts(step)) return true;
  bool is_cpu = line->kind == SAMPLE_CPU;
  tsv_begin_row(t);
  tsv_put_time(t, line->time);
  tsv_put_string(t, is_cpu ? "cpu" : "thread");
  tsv_put_thread(t, line->thread);
  tsv_put_hash(t, line->thread);
  tsv_put_string(t, is_cpu ? cpu_place_names[line->place] : activity_names[step->activity]);
  tsv_put_number(t, find_cpu_time(t, line));
  tsv_put_method(t, stack_keys_top(&t->keys, step->stack));
  tsv_put_stack(t, step->stack);
  return tsv_end_row(t);
}

/* The Sample and Cpu lines, in the order of the file. */
bool tsv_write_samples(struct tsv *t) {
  return replay(t->job->model, PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU), write_sample,
                t);
}

/* --- locks ------------------------------------------------------------------------------------ */

/* Several locks that are not told apart have only a name. */
static void put_lock_names(struct tsv *t, const struct lock *lock) {
  const struct dump *d = t->job->dump;
  const struct titles *titles = &t->job->model->titles;
  uint32_t class_id = locks_class(d, lock->object);
  if (lock->is_several) {
    for (int column = 0; column < 4; column++) {
      if (column == 2) builder_string(&t->text, SHORT_SEVERAL_NAME);
      tsv_put_text(t);
    }
    return;
  }
  names_object(&t->text, d, lock->object);
  tsv_put_text(t);
  titles_write(&t->text, titles, d, lock->object);
  tsv_put_text(t);
  titles_write_name(&t->text, titles, d, lock->object);
  tsv_put_text(t);
  if (class_id != 0) names_class(&t->text, d, class_id);
  tsv_put_text(t);
}

static void put_lock_figures(struct tsv *t, const struct lock *lock) {
  const struct locks *locks = &t->job->model->locks;
  tsv_put_sort(t, lock->sort);
  tsv_put_number(t, lock_is_signal(lock));
  tsv_put_maybe(t, lock->acquired_known, lock->acquired);
  tsv_put_number(t, lock->waited);
  tsv_put_number(t, lock->failed);
  tsv_put_number(t, lock->open);
  tsv_put_ticks(t, lock->blocked);
  tsv_put_number(t, lock->waited > 0 ? locks_quantile(locks, lock, 990, NULL) : 0);
  tsv_put_ticks(t, lock->longest_blocked);
  tsv_put_number(t, lock->holds);
  tsv_put_maybe(t, lock->holds > 0, tsv_round(lock->held));
  tsv_put_maybe(t, lock->holds > 0, tsv_round(lock->longest_held));
}

/* The owners while others waited. If those are not known: all owners. 0: not known. */
static uint32_t find_holder(const struct locks *locks, const struct lock *lock) {
  if (locks_should_name_owners(lock)) return (uint32_t)tally_best(&locks->owners, lock->id);
  return lock->holds > 0 ? (uint32_t)tally_best(&locks->holds, lock->id) : 0;
}

static bool write_lock(struct tsv *t, const struct lock *lock, const struct contention *c) {
  const struct locks *locks = &t->job->model->locks;
  tsv_begin_row(t);
  tsv_put_time(t, t->job->model->recording.from);
  put_lock_names(t, lock);
  put_lock_figures(t, lock);
  tsv_put_ticks(t, contention_time(&c->handoffs, lock->id));
  tsv_put_place(t, tally_best(&locks->places, lock->id));
  tsv_put_thread(t, (uint32_t)tally_best(&locks->threads, lock->id));
  tsv_put_thread(t, find_holder(locks, lock));
  tsv_put_place(t, tally_best(&c->holder_places, lock->id) & ~CONTENTION_GUESSED);
  tsv_put_number(t, lock_has_least_waits(lock));
  return tsv_end_row(t);
}

/* The rows of `orca locks --all`, in the same order. */
bool tsv_write_locks(struct tsv *t) {
  struct model *m = t->job->model;
  struct contention contention = {0};
  bool is_good = contention_read(&contention, m, &m->locks);
  for (size_t i = 0; is_good && i < m->locks.num; i++) {
    is_good = write_lock(t, &m->locks.rows[i], &contention);
  }
  contention_free(&contention);
  return is_good;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The states in the order of the columns. */
static const enum activity thread_states[] = {ACTIVITY_RUNS,  ACTIVITY_RUNNABLE, ACTIVITY_BLOCKED,
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
  } else if (link != NULL && link->wait.pair.kind == EVENT_CLASS_INIT_WAIT) {
    names_class(&t->text, m->dump, link->wait.pair.object);
  } else if (link != NULL && link->wait.executor != 0) {
    names_object(&t->text, m->dump, link->wait.executor);
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
  for (size_t i = 0; i < sizeof thread_states / sizeof *thread_states; i++) {
    tsv_put_ticks(t, thread->in_activity[thread_states[i]]);
  }
  put_deadlock(t, find_link(&t->job->model->deadlocks, thread->hash));
  return tsv_end_row(t);
}

/* The rows of `orca threads --all`, and the deadlocks that they are in. */
bool tsv_write_threads(struct tsv *t) {
  const struct threads *threads = &t->job->model->threads;
  bool is_good = true;
  for (size_t i = 0; is_good && i < threads->num; i++) {
    is_good = write_thread(t, &threads->rows[i]);
  }
  return is_good;
}

/* --- stacks ----------------------------------------------------------------------------------- */

struct stack_sum {
  stack_id_t stack; /* the first one with this number */
  ticks_t times[NUM_PROFILE_VALUES];
};

/* All zero is empty. */
struct stack_sums {
  struct hashmap ids; /* number -> row plus one */
  struct stack_sum *rows;
  size_t num, capacity;
};

static struct stack_sum *find_or_add_sum(struct stack_sums *s, struct tsv *t, stack_id_t stack) {
  uint64_t key;
  if (!stack_keys_find(&t->keys, stack, &key)) return NULL;
  bool is_new;
  struct stack_sum *row =
      rows_at(&s->ids, key, &s->rows, &s->num, &s->capacity, sizeof *row, &is_new);
  if (row != NULL && is_new) row->stack = stack;
  return row;
}

static bool add_stacks(struct stack_sums *s, struct tsv *t) {
  for (size_t id = 0; id <= t->job->model->stacks.num; id++) {
    if (find_or_add_sum(s, t, (stack_id_t)id) == NULL) return false;
  }
  const struct profile *p = &t->job->model->profile;
  for (size_t i = 0; i < p->num; i++) {
    struct stack_sum *sum = find_or_add_sum(s, t, p->rows[i].stack);
    if (sum == NULL) return false;
    for (int v = 0; v < NUM_PROFILE_VALUES; v++) sum->times[v] += p->rows[i].costs[v].time;
  }
  return true;
}

/* The brackets and commas of a list, around its items. */
static void begin_item(struct builder *b, size_t at) { builder_char(b, at == 0 ? '[' : ','); }

static void end_list(struct builder *b, size_t num) {
  builder_string(b, num == 0 ? "[]\t" : "]\t");
}

static void put_methods(struct tsv *t, const struct frame *frames, size_t depth) {
  struct builder *out = &t->job->out->text;
  for (size_t i = 0; i < depth; i++) {
    begin_item(out, i);
    names_full_method(&t->text, t->job->dump, frames[i].method);
    builder_char(out, '\'');
    tsv_put_escaped(out, (struct span){t->text.data, t->text.len});
    builder_char(out, '\'');
    out->failed |= t->text.failed;
    t->text.len = 0;
  }
  end_list(out, depth);
}

static void put_lines(struct tsv *t, const struct frame *frames, size_t depth) {
  struct builder *out = &t->job->out->text;
  for (size_t i = 0; i < depth; i++) {
    begin_item(out, i);
    text_decimal(out, dump_source_line(t->job->dump, frames[i]));
  }
  end_list(out, depth);
}

static bool write_stack(struct tsv *t, const struct stack_sum *sum) {
  size_t depth;
  const struct frame *frames = stacks_frames(&t->job->model->stacks, sum->stack, &depth);
  tsv_begin_row(t);
  tsv_put_time(t, t->job->model->recording.from);
  tsv_put_stack(t, sum->stack);
  if (depth == 0) {
    tsv_put_string(t, "(no Java frames)");
  } else {
    tsv_put_method(t, stack_keys_top(&t->keys, sum->stack));
  }
  put_methods(t, frames, depth);
  put_lines(t, frames, depth);
  for (int v = 0; v < NUM_PROFILE_VALUES; v++) tsv_put_ticks(t, sum->times[v]);
  return tsv_end_row(t);
}

/* A row for each number of stack_keys.h, also for stacks without any time, so that each number in
   the other tables has its row. */
bool tsv_write_stacks(struct tsv *t) {
  struct stack_sums sums = {0};
  bool is_good = add_stacks(&sums, t);
  for (size_t i = 0; is_good && i < sums.num; i++) is_good = write_stack(t, &sums.rows[i]);
  hashmap_free(&sums.ids);
  free(sums.rows);
  return is_good;
}
