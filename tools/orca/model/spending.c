#include "tools/orca/model/spending.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

#define FIRST_SLICE (TICKS_PER_S / 100)

void spending_start(struct spending *s, const struct dump *d, const struct stacks *stacks,
                    ticks_t from) {
  *s = (struct spending){.dump = d, .stacks = stacks, .from = from, .slice = FIRST_SLICE};
}

/* --- idle stacks -------------------------------------------------------------------------- */

/* Sets the name and the class of a method; false: .methods and .classes do not tell. */
static bool find_method(const struct dump *d, uint32_t id, struct span *out_name,
                        struct span *out_class) {
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  if (class == NULL) return false;
  *out_name = method->name;
  *out_class = class->signature;
  return true;
}

static bool is_idle_method(const struct dump *d, uint32_t id) {
  static const struct {
    const char *class_name, *method;
  } idle[] = {
#define IDLE(class_name, method) {class_name, method},
#include "tools/orca/model/idle_method.def"
  };
  struct span name, class;
  if (!find_method(d, id, &name, &class)) return false;
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
    if (span_is(name, idle[i].method) && place_is_class(class, idle[i].class_name)) return true;
  }
  return false;
}

static bool is_fork_join_task(const struct dump *d, uint32_t id) {
  struct span name, class;
  return find_method(d, id, &name, &class) && span_is(name, "doExec") &&
         place_is_class(class, "java/util/concurrent/ForkJoinTask");
}

/* A method of the JDK can also run a task of the program, as TimerThread.mainLoop does. A task of a
   ForkJoinPool counts as one even if all its methods are of the JDK. */
bool spending_is_idle(const struct spending *s, stack_id_t stack) {
  size_t depth = 0;
  bool runs_program = false;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(s->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    bool is_platform = place_is_platform(s->dump, frames[i].method);
    bool can_idle = !is_platform || !runs_program;
    if (can_idle && is_idle_method(s->dump, frames[i].method)) return true;
    runs_program |= !is_platform || is_fork_join_task(s->dump, frames[i].method);
  }
  return false;
}

/* --- rows --------------------------------------------------------------------------------- */

static bool is_busy(enum activity activity) {
  return activity == ACTIVITY_RUNS || activity == ACTIVITY_RUNNABLE ||
         activity == ACTIVITY_BLOCKED || activity == ACTIVITY_IO;
}

/* Returns the number of the row of a state, call and place; 0 when memory ran out. */
static size_t find_or_add_row(struct spending *s, const struct life_part *part) {
  place_t place = stacks_place(s->stacks, part->stack);
  int call = part->call == NULL ? -1 : (int)part->call->kind;
  /* RUNNABLE without a stack is only assumed, after an event: threads of the JVM wait so. */
  bool is_assumed = part->activity == ACTIVITY_RUNNABLE && part->stack == 0;
  bool is_idle =
      is_assumed || (part->activity != ACTIVITY_RUNS && spending_is_idle(s, part->stack));
  uint64_t *number = hashmap_at(&s->places, place);
  if (number == NULL) return 0;
  if (*number == 0) *number = hashmap_size(&s->places);
  uint64_t key =
      *number << 24 | (uint64_t)part->activity << 16 | (uint64_t)(call + 1) << 1 | is_idle;
  bool is_new;
  size_t at = rows_number(&s->ids, key, &s->rows, &s->num, &s->capacity, sizeof *s->rows, &is_new);
  if (!is_new) return at;
  struct spending_row *row = &s->rows[at - 1];
  row->id = (uint32_t)at - 1;
  row->activity = part->activity;
  row->call = call;
  row->place = place;
  row->stack = part->stack;
  row->is_idle = is_idle;
  return at;
}

/* The same, by the stack: most parts have a stack that was seen before. */
static struct spending_row *find_spending(struct spending *s, const struct life_part *part) {
  unsigned call = part->call == NULL ? 0 : (unsigned)part->call->kind + 1;
  uint64_t *at =
      hashmap_at(&s->known, (uint64_t)part->stack << 16 | (uint64_t)part->activity << 8 | call);
  if (at != NULL && *at == 0) *at = find_or_add_row(s, part);
  return at == NULL || *at == 0 ? NULL : &s->rows[*at - 1];
}

/* Adds the time of a thread in a task. */
static bool add_task_time(struct spending *s, const struct spending_row *row, uint32_t thread,
                          stack_id_t stack, ticks_t time) {
  uint64_t *runner = stack == 0 ? NULL : hashmap_at(&s->runners, stack);
  if (runner == NULL) return stack == 0;
  if (*runner == 0) *runner = (uint64_t)task_runner_of_stack(s->stacks, s->dump, stack) + 1;
  return *runner == RUNNER_NONE + 1 ||
         tally_add(&s->tasks, (uint32_t)*runner - 1, spending_task_key(row->id, thread), 1, time);
}

static void join_slices(ticks_t *slices) {
  for (size_t i = 0; i < SPENDING_SLICES; i++) {
    slices[i] = i < SPENDING_SLICES / 2 ? slices[2 * i] + slices[2 * i + 1] : 0;
  }
}

/* Makes the slices long enough for times up to `end`. The files may contain any time. */
static void reach_end(struct spending *s, ticks_t end) {
  while ((end - s->from) / s->slice >= SPENDING_SLICES) {
    s->slice *= 2;
    join_slices(s->busy);
    join_slices(s->standing);
    join_slices(s->cpu);
    join_slices(s->queued);
    join_slices(s->paused);
    for (size_t i = 0; i < s->num; i++) join_slices(s->rows[i].slices);
  }
}

/* Adds a time to the slices that it covers. */
static void add_to_slices(const struct spending *s, ticks_t *slices, ticks_t begin, ticks_t end) {
  while (begin < end) {
    ticks_t time = begin - s->from, part = s->slice - time % s->slice;
    if (part > end - begin) part = end - begin;
    slices[time / s->slice] += part;
    begin += part;
  }
}

/* The majority vote of Boyer and Moore: a stack with more than half of the time remains. Threads
   can make different calls on one line. */
static void vote(struct spending_row *row, stack_id_t stack, ticks_t time) {
  if (stack == row->stack) {
    row->lead += time;
  } else if (time > row->lead) {
    row->stack = stack;
    row->lead = time - row->lead;
  } else {
    row->lead -= time;
  }
}

bool spending_add(struct spending *s, uint32_t thread, const struct life_part *part) {
  if (s->from == 0) s->from = part->begin;
  ticks_t begin = part->begin > s->from ? part->begin : s->from, end = part->end;
  if (end <= begin) return true;
  reach_end(s, end);
  struct spending_row *row = find_spending(s, part);
  if (row == NULL) return false;
  row->total += end - begin;
  vote(row, part->stack, end - begin);
  add_to_slices(s, row->slices, begin, end);
  if (is_busy(part->activity) && !row->is_idle) add_to_slices(s, s->busy, begin, end);
  return tally_add(&s->threads, row->id, thread, 1, end - begin) &&
         (row->is_idle || add_task_time(s, row, thread, part->stack, end - begin));
}

void spending_stand(struct spending *s, ticks_t begin, ticks_t end) {
  if (begin < s->from) begin = s->from;
  if (end <= begin) return;
  reach_end(s, end);
  add_to_slices(s, s->standing, begin, end);
}

void spending_process(struct spending *s, ticks_t begin, ticks_t end, ticks_t used,
                      ticks_t queued) {
  if (end <= begin || s->from == 0 || end <= s->from) return;
  double length = (double)(end - begin);
  if (begin < s->from) begin = s->from;
  reach_end(s, end);
  while (begin < end) {
    ticks_t time = begin - s->from, part = s->slice - time % s->slice;
    if (part > end - begin) part = end - begin;
    s->cpu[time / s->slice] += (ticks_t)((double)part * ((double)used / length));
    s->queued[time / s->slice] += (ticks_t)((double)part * ((double)queued / length));
    begin += part;
  }
}

void spending_pause(struct spending *s, ticks_t begin, ticks_t end) {
  if (begin < s->from) begin = s->from;
  if (end <= begin || s->from == 0) return;
  reach_end(s, end);
  add_to_slices(s, s->paused, begin, end);
}

/* --- the end ------------------------------------------------------------------------------ */

static int compare_spending_rows(const void *left, const void *right) {
  const struct spending_row *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  return compare_numbers(a->id, b->id);
}

/* A slice is busy for as long as the threads were, all together, but not longer than it is: they
   may have been busy at the same moments. A thread in a call that returns at once looks as if it
   waited there, but the kernel knows for how long it waited for a CPU. */
void spending_end(struct spending *s, ticks_t to) {
  ticks_t left = to > s->from ? to - s->from : 0;
  for (size_t at = 0; at < SPENDING_SLICES && left > 0; at++) {
    ticks_t whole = left < s->slice ? left : s->slice;
    left -= whole;
    ticks_t most = s->busy[at] > s->queued[at] ? s->busy[at] : s->queued[at];
    ticks_t busy = most < whole ? most : whole;
    s->quiet += whole - busy;
    for (size_t i = 0; i < s->num; i++) {
      struct spending_row *row = &s->rows[i];
      row->quiet += (ticks_t)((double)row->slices[at] * (double)(whole - busy) / (double)whole);
    }
  }
  for (size_t i = 0; i < s->num; i++) {
    if (!s->rows[i].is_idle) s->in_activity[s->rows[i].activity] += s->rows[i].total;
  }
  hashmap_free(&s->ids); /* its rows are about to move */
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, compare_spending_rows);
  tally_sort(&s->threads);
  tally_sort(&s->tasks);
}

const struct spending_row *spending_largest(const struct spending *s, enum activity activity) {
  for (size_t i = 0; i < s->num; i++) {
    if (s->rows[i].activity == activity && !s->rows[i].is_idle) return &s->rows[i];
  }
  return NULL;
}

ticks_t spending_worked(const struct spending *s) {
  ticks_t sum = 0;
  for (int i = 0; i < NUM_ACTIVITIES; i++) {
    if (is_busy((enum activity)i)) sum += s->in_activity[i];
  }
  return sum;
}

ticks_t spending_overlap(const struct spending_row *a, const struct spending_row *b) {
  ticks_t sum = 0;
  for (size_t i = 0; i < SPENDING_SLICES; i++) {
    sum += a->slices[i] < b->slices[i] ? a->slices[i] : b->slices[i];
  }
  return sum;
}

/* If threads were there for longer than all but one of them can have been in a slice, all were
   there at the same time for the rest. */
ticks_t spending_at_once(const struct spending *s, const struct spending_row *row, size_t num) {
  ticks_t sum = 0, others = num > 0 ? (num - 1) * s->slice : 0;
  for (size_t i = 0; num > 0 && i < SPENDING_SLICES; i++) {
    if (row->slices[i] > others) sum += row->slices[i] - others;
  }
  return sum;
}

/* A slice counts as still if the threads were busy for less than a hundredth of it. */
ticks_t spending_still(const struct spending *s, ticks_t to) {
  if (to <= s->from) return 0;
  ticks_t length = to - s->from, last = length / s->slice;
  size_t at = last < SPENDING_SLICES ? (size_t)last + 1 : SPENDING_SLICES;
  while (at > 0 && s->busy[at - 1] < s->standing[at - 1] + s->slice / 100) at--;
  return at > last ? 0 : length - at * s->slice;
}

ticks_t spending_busy(const struct spending *s, ticks_t begin, ticks_t end) {
  double sum = 0;
  for (size_t i = 0; i < SPENDING_SLICES; i++) {
    ticks_t from = s->from + i * s->slice, to = from + s->slice;
    ticks_t busy = s->busy[i] > s->standing[i] ? s->busy[i] - s->standing[i] : 0;
    if (from < begin) from = begin;
    if (to > end) to = end;
    if (from < to) sum += (double)busy * ((double)(to - from) / (double)s->slice);
  }
  return (ticks_t)sum;
}

bool spending_is_in_tasks(const struct spending *s, const struct spending_row *row) {
  ticks_t time = 0;
  for (size_t i = 0; i < s->tasks.num; i++) {
    if (s->tasks.rows[i].key >> 32 == row->id) time += s->tasks.rows[i].total;
  }
  return time * 2 > row->total;
}

ticks_t spending_waited_for_work(const struct spending *s, uint32_t thread) {
  ticks_t sum = 0;
  for (size_t i = 0; i < s->num; i++) {
    const struct tally_row *row =
        s->rows[i].is_idle ? tally_find(&s->threads, s->rows[i].id, thread) : NULL;
    if (row != NULL) sum += row->total;
  }
  return sum;
}

void spending_free(struct spending *s) {
  hashmap_free(&s->places);
  hashmap_free(&s->known);
  hashmap_free(&s->ids);
  hashmap_free(&s->runners);
  tally_free(&s->threads);
  tally_free(&s->tasks);
  free(s->rows);
  *s = (struct spending){0};
}
