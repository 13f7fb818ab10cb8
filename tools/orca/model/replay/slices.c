#include "tools/orca/model/replay/slices.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

void slices_start(struct slices *s, const struct model *m, size_t num_slices, size_t max) {
  ticks_t start = m->recording.from, end = m->recording.to;
  *s = (struct slices){.model = m, .start = start < end ? start : end, .end = end, .max = max};
  s->step = (s->end - s->start) / num_slices + 1;
}

/* --- rows --------------------------------------------------------------------------------- */

/* A hash of 64 bits identifies a row, as it does a stack in stacks_intern. */
static uint64_t hash_row(uint32_t slice, uint32_t thread, stack_id_t stack) {
  uint64_t key = ((uint64_t)thread << 32 | stack) * UINT64_C(0x9E3779B97F4A7C15);
  return (key ^ key >> 29 ^ slice) * UINT64_C(0xD6E8FEB86659FD93);
}

static struct slices_row *find_or_add_row(struct slices *s, uint32_t slice, uint32_t thread,
                                          stack_id_t stack) {
  bool is_new;
  struct slices_row *row = rows_at(&s->ids, hash_row(slice, thread, stack), &s->rows, &s->num,
                                   &s->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct slices_row){.slice = slice, .thread = thread, .stack = stack};
  return row;
}

/* Merges the slices in pairs. */
static bool merge_slices(struct slices *s) {
  struct slices_row *old = s->rows;
  size_t num = s->num;
  hashmap_free(&s->ids);
  s->ids = (struct hashmap){0};
  s->rows = NULL;
  s->num = s->capacity = 0;
  s->step *= 2;
  bool is_complete = true;
  for (size_t i = 0; i < num && is_complete; i++) {
    struct slices_row *row = find_or_add_row(s, old[i].slice / 2, old[i].thread, old[i].stack);
    is_complete = row != NULL;
    for (int value = 0; value < NUM_PROFILE_VALUES && is_complete; value++)
      row->times[value] += old[i].times[value];
  }
  free(old);
  return is_complete;
}

static uint32_t find_slice(const struct slices *s, ticks_t time) {
  return time <= s->start ? 0 : (uint32_t)((time - s->start) / s->step);
}

static bool add_time(struct slices *s, uint32_t slice, uint32_t thread, stack_id_t stack,
                     enum profile_value value, ticks_t time) {
  struct slices_row *row = find_or_add_row(s, slice, thread, stack);
  if (row == NULL) return false;
  row->times[value] += time;
  return true;
}

/* With one slice, merging would not help: then the rows are the profile of the whole recording. */
static bool keep_bound(struct slices *s) {
  while (s->num > s->max && s->step <= s->end - s->start) {
    if (!merge_slices(s)) return false;
  }
  return true;
}

/* Divides the time from `begin` to `end` among the slices. */
static bool add_interval(struct slices *s, uint32_t thread, stack_id_t stack,
                         enum profile_value value, ticks_t begin, ticks_t end) {
  if (begin < s->start) begin = s->start;
  if (end > s->end) end = s->end;
  while (begin < end) {
    uint32_t slice = find_slice(s, begin);
    ticks_t until = s->start + (slice + (ticks_t)1) * s->step;
    if (until > end) until = end;
    if (!add_time(s, slice, thread, stack, value, until - begin)) return false;
    begin = until;
  }
  return keep_bound(s);
}

/* --- samples -------------------------------------------------------------------------------- */

static bool add_cpu(struct slices *s, ticks_t time, uint32_t thread, stack_id_t stack,
                    uint64_t ns) {
  if (ns == 0 || time < s->start || time > s->end) return true;
  uint32_t slice = find_slice(s, time == s->end ? time - 1 : time);
  return add_time(s, slice, thread, stack, PROFILE_CPU, ns * TICKS_PER_NS) && keep_bound(s);
}

/* As cpu_sample does: the CPU time of a line belongs to the next stack in which the thread runs. */
static bool take_cpu_of_sample(struct slices *s, struct slices_thread *thread,
                               const struct step *step) {
  if (s->model->recording.by_signal) return true;
  if (step->in_time && step->sample->cpu_ns > 0) {
    thread->carried_ns += (uint64_t)step->sample->cpu_ns;
    thread->carried = step->time;
  }
  if (step->activity != ACTIVITY_RUNS) return true;
  uint64_t ns = thread->carried_ns;
  thread->carried_ns = 0;
  thread->ran = step->stack;
  return add_cpu(s, step->time, thread->thread, step->stack, ns);
}

static bool take_sample(struct slices *s, const struct step *step) {
  const struct sample_line *line = step->sample;
  bool is_new;
  struct slices_thread *thread = rows_at(&s->thread_ids, line->thread, &s->threads, &s->num_threads,
                                         &s->threads_capacity, sizeof *thread, &is_new);
  if (thread == NULL) return false;
  thread->thread = line->thread;
  if (thread->seen != 0 &&
      !add_interval(s, line->thread, thread->stack, PROFILE_WALL, thread->seen, step->time)) {
    return false;
  }
  thread->seen = step->matches && line->state != STATE_TERMINATED ? step->time : 0;
  thread->stack = step->stack;
  return !step->matches || take_cpu_of_sample(s, thread, step);
}

bool slices_take(struct slices *s, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (line != NULL && line->kind == SAMPLE_THREAD) return take_sample(s, step);
  if (line != NULL && line->kind == SAMPLE_CPU) {
    return !step_counts(step) ||
           add_cpu(s, step->time, line->thread, step->stack, (uint64_t)line->cpu_ns);
  }
  if (line != NULL || !step_ends_wait(step)) return true;
  const struct pair *pair = step->clipped_pair;
  enum profile_value value = lock_event_asks(pair->kind) ? PROFILE_BLOCKED : PROFILE_WAITS;
  return add_interval(s, pair->thread, pair->stack, value, pair->begin, pair->end);
}

/* --- the end -------------------------------------------------------------------------------- */

static int compare_slices_rows(const void *left, const void *right) {
  const struct slices_row *a = left, *b = right;
  if (a->slice != b->slice) return compare_numbers(a->slice, b->slice);
  return a->thread != b->thread ? compare_numbers(a->thread, b->thread)
                                : compare_numbers(a->stack, b->stack);
}

bool slices_end(struct slices *s) {
  for (size_t i = 0; i < s->num_threads; i++) {
    const struct slices_thread *thread = &s->threads[i];
    if (!add_cpu(s, thread->carried, thread->thread, thread->ran, thread->carried_ns)) return false;
    const struct thread *known = threads_find(&s->model->threads, thread->thread);
    if (thread->seen == 0 || known == NULL) continue;
    ticks_t end = known->alive ? s->end : known->last;
    if (!add_interval(s, thread->thread, thread->stack, PROFILE_WALL, thread->seen, end))
      return false;
  }
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, compare_slices_rows);
  return true;
}

void slices_free(struct slices *s) {
  hashmap_free(&s->ids);
  hashmap_free(&s->thread_ids);
  free(s->rows);
  free(s->threads);
  *s = (struct slices){0};
}
