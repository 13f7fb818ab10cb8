#include "tools/orca/model/calls.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/model.h"

/* A call that has not exited. */
struct calls_slot {
  uint64_t outer; /* the call around it, as slot plus one; of a free slot the next free one */
  size_t row;
  stack_id_t stack;
  ticks_t begin;
  ticks_t inner; /* time in tracked calls that it made */
  bool matches;
};

/* Returns a free slot, plus one; 0 when memory ran out. */
static uint64_t take_call_slot(struct calls *c) {
  uint64_t at = c->spare;
  if (at == 0) return rows_add(&c->slots, &c->num_slots, &c->slots_capacity, sizeof *c->slots);
  c->spare = c->slots[at - 1].outer;
  return at;
}

static uint64_t *find_recursion(struct calls *c, uint32_t thread, size_t row) {
  return hashmap_at(&c->recursion, (uint64_t)thread << 32 | (uint32_t)row);
}

/* Returns the row of the method on top of a stack; NULL when memory ran out. */
static struct called *find_or_add_called(struct calls *c, struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame top = {0, 0};
  stack_next(&frames, &top);
  bool is_new;
  struct called *row =
      rows_at(&c->ids, top.method, &c->rows, &c->num, &c->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct called){.id = (uint32_t)c->num - 1, .method = top.method};
  return row;
}

/* --- entry ------------------------------------------------------------------------ */

static bool enter_call(struct calls *c, const struct event_line *line, stack_id_t stack,
                       bool matches) {
  struct called *row = find_or_add_called(c, line->stack);
  uint64_t *innermost = hashmap_at(&c->inside, line->thread);
  if (row == NULL || innermost == NULL) return false;
  uint64_t *times = find_recursion(c, line->thread, row->id), at = take_call_slot(c);
  if (times == NULL || at == 0) return false;
  c->slots[at - 1] = (struct calls_slot){*innermost, row->id, stack, line->time, 0, matches};
  *innermost = at;
  ++*times;
  return true;
}

/* --- exit --------------------------------------------------------------------------- */

/* Removes the thread's innermost call. The slot that it returns is valid until the next
   take_call_slot. */
static struct calls_slot *remove_innermost(struct calls *c, uint32_t thread, uint64_t *innermost,
                                           bool *out_outermost) {
  uint64_t at = *innermost;
  struct calls_slot *slot = &c->slots[at - 1];
  *out_outermost = --*find_recursion(c, thread, slot->row) == 0;
  *innermost = slot->outer;
  slot->outer = c->spare;
  c->spare = at;
  return slot;
}

static void add_inner_time(struct calls *c, uint64_t outer, ticks_t time) {
  if (outer != 0) c->slots[outer - 1].inner += time;
}

/* Removes the innermost call, whose exit is missing. Its inner calls count for the call around it.
 */
static void drop_innermost(struct calls *c, uint32_t thread, uint64_t *innermost) {
  bool outermost;
  const struct calls_slot *slot = remove_innermost(c, thread, innermost, &outermost);
  add_inner_time(c, *innermost, slot->inner);
  c->rows[slot->row].calls += slot->matches;
  c->without_end++;
}

/* Removes the innermost call and adds its time to its method. `*out_took` receives the time with
   all inner calls. Returns NULL if the call does not match the filter. */
static struct called *add_call_time(struct calls *c, uint32_t thread, uint64_t *innermost,
                                    ticks_t now, ticks_t *out_took, bool *out_outermost) {
  const struct calls_slot *slot = remove_innermost(c, thread, innermost, out_outermost);
  struct called *row = &c->rows[slot->row];
  ticks_t took = now > slot->begin ? now - slot->begin : 0;
  *out_took = took;
  add_inner_time(c, *innermost, took);
  if (!slot->matches || (c->clipped && took == 0)) return NULL;
  row->calls++;
  if (*out_outermost) row->total += took;
  if (took > slot->inner) row->self += took - slot->inner;
  return row;
}

/* Ends the innermost call with this stack. The exits of all calls inside of it are missing. */
static bool exit_call(struct calls *c, const struct event_line *line, stack_id_t stack) {
  uint64_t *innermost = hashmap_at(&c->inside, line->thread);
  if (innermost == NULL) return false;
  uint64_t at = *innermost;
  while (at != 0 && c->slots[at - 1].stack != stack) at = c->slots[at - 1].outer;
  if (at == 0) {
    c->without_begin++;
    return true;
  }
  while (*innermost != at) drop_innermost(c, line->thread, innermost);
  bool outermost;
  ticks_t took;
  struct called *row = add_call_time(c, line->thread, innermost, line->time, &took, &outermost);
  if (row == NULL) return true;
  row->sum += took;
  row->threw += line->class_id != 0;
  row->cpu_calls += line->cpu_ns >= 0;
  if (line->cpu_ns > 0 && outermost) row->cpu_ns += (uint64_t)line->cpu_ns;
  return histogram_add(&row->times, (took + TICKS_PER_NS / 2) / TICKS_PER_NS) &&
         (line->class_id == 0 || tally_add(&c->thrown, row->id, line->class_id, 1, 0)) &&
         tally_add(&c->stacks, row->id, stack, 1, took);
}

static bool end_thread_calls(struct calls *c, uint32_t thread) {
  uint64_t at;
  if (!hashmap_get(&c->inside, thread, &at)) return true;
  while (at != 0) drop_innermost(c, thread, &at);
  return hashmap_put(&c->inside, thread, 0);
}

/* The time of the event is clipped to the filter's range. Only MethodEntry, MethodExit and
   ThreadEnded matter. For an entry `matches` is whether the call matches the filter. */
static bool calls_event(struct calls *c, const struct event_line *line, stack_id_t stack,
                        bool matches) {
  switch (line->kind) {
    case EVENT_METHOD_ENTRY:
      return enter_call(c, line, stack, matches);
    case EVENT_METHOD_EXIT:
      return exit_call(c, line, stack);
    case EVENT_THREAD_ENDED:
      return end_thread_calls(c, line->thread);
    default:
      return true;
  }
}

/* Takes a sum of short calls that matches the filter. It ignores sums of other calls. */
static bool calls_short_calls(struct calls *c, const struct count_line *line) {
  if (line->kind != EVENT_METHOD_ENTRY) return true;
  struct short_calls calls = short_calls_read(line);
  if (stack_frames(line->stack).len == 0) {
    short_calls_add(&c->several, &calls);
    return true;
  }
  struct called *row = find_or_add_called(c, line->stack);
  if (row != NULL) short_calls_add(&row->short_calls, &calls);
  return row != NULL;
}

/* --- the end --------------------------------------------------------------------------- */

static bool end_open_calls(struct calls *c, ticks_t end) {
  struct hashmap_slot thread;
  for (size_t cursor = 0; hashmap_next(&c->inside, &cursor, &thread);) {
    while (thread.value != 0) {
      stack_id_t stack = c->slots[thread.value - 1].stack;
      bool outermost;
      ticks_t took;
      struct called *row =
          add_call_time(c, (uint32_t)thread.key, &thread.value, end, &took, &outermost);
      if (row == NULL) continue;
      row->open++;
      if (took > row->longest_open) row->longest_open = took;
      if (!tally_add(&c->stacks, row->id, stack, 1, took)) return false;
    }
  }
  return true;
}

/* Returns where a method was called: the frame below the top. With a stack of one frame that is the
   root of the thread, unless the option depth may have cut the stack. */
static place_t find_call_place(const struct dump *d, const struct frame *frames, size_t depth) {
  if (depth == 0 || (depth == 1 && dump_coverage(d)->depth == 1)) return 0;
  return depth == 1 ? place(pseudo_method(PSEUDO_ROOT), 0) : place_of_frame(d, frames[1]);
}

static bool is_called(const struct called *row) { return row->calls + row->short_calls.num > 0; }

static int compare_called(const void *left, const void *right) {
  const struct called *a = left, *b = right;
  bool is_a_called = is_called(a), is_b_called = is_called(b);
  if (is_a_called != is_b_called) return is_a_called ? -1 : 1;
  ticks_t a_time = a->total + a->short_calls.total, b_time = b->total + b->short_calls.total;
  if (a_time != b_time) return compare_numbers(b_time, a_time);
  if (a->calls != b->calls) return compare_numbers(b->calls, a->calls);
  return compare_numbers(a->id, b->id);
}

/* Counts the open calls up to `end` and sorts the rows. */
static bool calls_end(struct calls *c, const struct dump *d, const struct stacks *stacks,
                      ticks_t end) {
  if (!end_open_calls(c, end)) return false;
  for (size_t i = 0; i < c->stacks.num; i++) {
    const struct tally_row *row = &c->stacks.rows[i];
    size_t depth;
    const struct frame *frames = stacks_frames(stacks, (stack_id_t)row->key, &depth);
    place_t caller = find_call_place(d, frames, depth);
    if (!tally_add(&c->callers, row->group, caller, row->count, row->total)) return false;
  }
  hashmap_free(&c->ids); /* its row numbers are about to change */
  if (c->num > 0) qsort(c->rows, c->num, sizeof *c->rows, compare_called);
  /* The methods without a call that matches are the last ones. They are dropped. */
  for (; c->num > 0 && !is_called(&c->rows[c->num - 1]); c->num--) {
    histogram_free(&c->rows[c->num - 1].times);
  }
  tally_sort(&c->callers);
  tally_sort(&c->thrown);
  return true;
}

void calls_free(struct calls *c) {
  for (size_t i = 0; i < c->num; i++) histogram_free(&c->rows[i].times);
  hashmap_free(&c->ids);
  free(c->rows);
  tally_free(&c->callers);
  tally_free(&c->thrown);
  tally_free(&c->stacks);
  hashmap_free(&c->inside);
  hashmap_free(&c->recursion);
  free(c->slots);
  *c = (struct calls){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static void start_calls(struct model *m) {
  m->calls.clipped = m->matcher.filter.from > 0 || m->matcher.filter.to != FILTER_NO_END;
}

static bool is_call_event(enum event_kind kind) {
  return kind == EVENT_METHOD_ENTRY || kind == EVENT_METHOD_EXIT || kind == EVENT_THREAD_ENDED;
}

static bool take_calls(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->count != NULL)
    return !step_is_short_sum(step) || calls_short_calls(&m->calls, step->count);
  return calls_event(&m->calls, step->clipped, step->stack, step->matches);
}

static bool end_calls(struct model *m) {
  return calls_end(&m->calls, m->dump, &m->stacks, m->recording.to);
}

const struct analysis analysis_calls = {
    .listener = {"calls", PASS_EVENTS | PASS_COUNTS, is_call_event, .take = take_calls},
    .start = start_calls,
    .end = end_calls};
