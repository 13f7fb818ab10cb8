#include "tools/orca/model/calls.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* A call that is under way. */
struct calls_slot {
  uint64_t outer; /* slot plus one; or a spare slot */
  size_t row;
  stack_id_t stack;
  ticks_t begin;
  ticks_t inner; /* time in calls that it made */
  bool asked;
};

static struct called *row_of(struct calls *c, uint32_t method) {
  bool is_new;
  struct called *row =
      rows_at(&c->ids, method, &c->rows, &c->num, &c->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct called){.id = (uint32_t)c->num - 1, .method = method};
  return row;
}

/* A slot without a call, plus one; 0 where memory runs out. */
static uint64_t take_slot(struct calls *c) {
  uint64_t at = c->spare;
  if (at == 0) return rows_add(&c->slots, &c->num_slots, &c->slots_capacity, sizeof *c->slots);
  c->spare = c->slots[at - 1].outer;
  return at;
}

static uint64_t *recursion_of(struct calls *c, uint32_t thread, size_t row) {
  return hashmap_at(&c->recursion, (uint64_t)thread << 32 | (uint32_t)row);
}

/* --- entry ------------------------------------------------------------------------ */

static uint32_t top_of(struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame top = {0, 0};
  stack_next(&frames, &top);
  return top.method;
}

static bool enter(struct calls *c, const struct event_line *line, stack_id_t stack, bool asked) {
  struct called *row = row_of(c, top_of(line->stack));
  uint64_t *innermost = hashmap_at(&c->inside, line->thread);
  if (row == NULL || innermost == NULL) return false;
  uint64_t *times = recursion_of(c, line->thread, row->id), at = take_slot(c);
  if (times == NULL || at == 0) return false;
  c->slots[at - 1] = (struct calls_slot){*innermost, row->id, stack, line->time, 0, asked};
  *innermost = at;
  ++*times;
  return true;
}

/* --- exit --------------------------------------------------------------------------- */

/* Takes the innermost call away; its slot holds until the next one is taken. */
static struct calls_slot *pop(struct calls *c, uint32_t thread, uint64_t *innermost,
                              bool *out_outermost) {
  uint64_t at = *innermost;
  struct calls_slot *slot = &c->slots[at - 1];
  *out_outermost = --*recursion_of(c, thread, slot->row) == 0;
  *innermost = slot->outer;
  slot->outer = c->spare;
  c->spare = at;
  return slot;
}

static void add_inner(struct calls *c, uint64_t outer, ticks_t time) {
  if (outer != 0) c->slots[outer - 1].inner += time;
}

/* Takes the innermost call away whose exit is not there. */
static void lose(struct calls *c, uint32_t thread, uint64_t *innermost) {
  bool outermost;
  const struct calls_slot *slot = pop(c, thread, innermost, &outermost);
  add_inner(c, *innermost, slot->inner);
  c->rows[slot->row].calls += slot->asked;
  c->without_end++;
}

/* What the innermost call took, with and without what it called. NULL: it does not count. */
static struct called *add_time(struct calls *c, uint32_t thread, uint64_t *innermost, ticks_t now,
                               ticks_t *out_took, bool *out_outermost) {
  const struct calls_slot *slot = pop(c, thread, innermost, out_outermost);
  struct called *row = &c->rows[slot->row];
  ticks_t took = now > slot->begin ? now - slot->begin : 0;
  *out_took = took;
  add_inner(c, *innermost, took);
  if (!slot->asked || (c->clipped && took == 0)) return NULL;
  row->calls++;
  if (*out_outermost) row->total += took;
  if (took > slot->inner) row->self += took - slot->inner;
  return row;
}

static bool add_outcome(struct calls *c, struct called *row, const struct event_line *line,
                        stack_id_t stack, ticks_t took, bool outermost) {
  row->sum += took;
  row->threw += line->thrown != 0;
  row->cpu_calls += line->cpu_ns >= 0;
  if (line->cpu_ns > 0 && outermost) row->cpu_ns += (uint64_t)line->cpu_ns;
  return histogram_add(&row->times, (took + TICKS_PER_NS / 2) / TICKS_PER_NS) &&
         (line->thrown == 0 || tally_add(&c->thrown, row->id, line->thrown, 1, 0)) &&
         tally_add(&c->stacks, row->id, stack, 1, took);
}

/* The innermost call of this stack ends. What is inside of it has lost its exit. */
static bool leave(struct calls *c, const struct event_line *line, stack_id_t stack) {
  uint64_t *innermost = hashmap_at(&c->inside, line->thread);
  if (innermost == NULL) return false;
  uint64_t at = *innermost;
  while (at != 0 && c->slots[at - 1].stack != stack) at = c->slots[at - 1].outer;
  if (at == 0) {
    c->without_begin++;
    return true;
  }
  while (*innermost != at) lose(c, line->thread, innermost);
  bool outermost;
  ticks_t took;
  struct called *row = add_time(c, line->thread, innermost, line->time, &took, &outermost);
  return row == NULL || add_outcome(c, row, line, stack, took, outermost);
}

static bool end_thread(struct calls *c, uint32_t thread) {
  uint64_t at;
  if (!hashmap_get(&c->inside, thread, &at)) return true;
  while (at != 0) lose(c, thread, &at);
  return hashmap_put(&c->inside, thread, 0);
}

bool calls_feed(struct calls *c, const struct event_line *line, stack_id_t stack, bool asked) {
  switch (line->kind) {
    case EVENT_METHOD_ENTRY:
      return enter(c, line, stack, asked);
    case EVENT_METHOD_EXIT:
      return leave(c, line, stack);
    case EVENT_THREAD_ENDED:
      return end_thread(c, line->thread);
    default:
      return true;
  }
}

/* --- the end --------------------------------------------------------------------------- */

static bool end_open(struct calls *c, uint32_t thread, uint64_t *innermost, ticks_t end) {
  while (*innermost != 0) {
    stack_id_t stack = c->slots[*innermost - 1].stack;
    bool outermost;
    ticks_t took;
    struct called *row = add_time(c, thread, innermost, end, &took, &outermost);
    if (row == NULL) continue;
    row->open++;
    if (took > row->longest_open) row->longest_open = took;
    if (!tally_add(&c->stacks, row->id, stack, 1, took)) return false;
  }
  return true;
}

static bool end_all_open(struct calls *c, ticks_t end) {
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(&c->inside, &cursor, &slot);) {
    if (!end_open(c, (uint32_t)slot.key, &slot.value, end)) return false;
  }
  return true;
}

/* Where a call is made: the frame below the top. A stack of one frame is the root of its thread,
   unless the option depth may have cut it. */
static place_t caller_of(const struct dump *d, const struct frame *frames, size_t depth) {
  if (depth == 0 || (depth == 1 && dump_depth(d) == 1)) return 0;
  return depth == 1 ? place(pseudo_method(PSEUDO_ROOT), 0) : place_of_frame(d, frames[1]);
}

/* From the stacks of the calls to their callers. */
static bool add_callers(struct calls *c, const struct dump *d, const struct stacks *stacks) {
  for (size_t i = 0; i < c->stacks.num; i++) {
    const struct tally_row *row = &c->stacks.rows[i];
    size_t depth;
    const struct frame *frames = stacks_frames(stacks, (stack_id_t)row->key, &depth);
    place_t caller = caller_of(d, frames, depth);
    if (!tally_add(&c->callers, row->group, caller, row->count, row->total)) return false;
  }
  return true;
}

static int by_size(const void *left, const void *right) {
  const struct called *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->calls != b->calls) return compare_numbers(b->calls, a->calls);
  return compare_numbers(a->id, b->id);
}

/* Drops methods without a call that is asked for; they stand at the end. */
static void drop_empty(struct calls *c) {
  for (; c->num > 0 && c->rows[c->num - 1].calls == 0; c->num--) {
    histogram_free(&c->rows[c->num - 1].times);
  }
}

bool calls_end(struct calls *c, const struct dump *d, const struct stacks *stacks, ticks_t end) {
  if (!end_all_open(c, end) || !add_callers(c, d, stacks)) return false;
  hashmap_free(&c->ids); /* its rows are about to move */
  if (c->num > 0) qsort(c->rows, c->num, sizeof *c->rows, by_size);
  drop_empty(c);
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
