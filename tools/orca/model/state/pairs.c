#include "tools/orca/model/state/pairs.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* From then on, the agent also names an owner that got the monitor later (docs/format.md). */
#define LATE_TICKS TICKS_PER_S

struct pairs_slot {
  struct pair pair;
  uint32_t method; /* on top of the stack of its BEGIN */
  uint64_t outer;  /* slot of the pair of the same thread and kind around it, or of the next free
                      slot; plus one */
};

static uint64_t make_pair_key(uint32_t thread, enum event_kind kind) {
  return (uint64_t)thread << 32 | (uint32_t)kind;
}

/* Returns a free slot plus one, 0 when memory ran out. */
static uint64_t take_pair_slot(struct pairs *p) {
  uint64_t at = p->spare;
  if (at == 0) return rows_add(&p->slots, &p->num, &p->capacity, sizeof *p->slots);
  p->spare = p->slots[at - 1].outer;
  return at;
}

/* Removes the innermost pair. */
static void remove_pair(struct pairs *p, uint64_t *innermost) {
  struct pairs_slot *slot = &p->slots[*innermost - 1];
  uint64_t outer = slot->outer;
  slot->pair.open = false;
  slot->outer = p->spare;
  p->spare = *innermost;
  *innermost = outer;
}

static uint32_t find_top_method(struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame top = {0, 0};
  stack_next(&frames, &top);
  return top.method;
}

/* Returns whether the method of the pair called the event with this stack. If not, the END of the
   pair is missing. A stack that was cut does not show all callers: then the pair is taken to be
   open, unless ends may be missing. */
static bool is_inside_pair(const struct pairs *p, const struct pairs_slot *slot,
                           struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame frame;
  size_t depth = 0;
  for (; stack_next(&frames, &frame); depth++) {
    if (depth > 0 && frame.method == slot->method) return true;
    if (frame.method == METHOD_CUT && frames.len == 0) return p->depth != 0;
  }
  return p->depth != 0 && depth >= p->depth;
}

static enum pairs_answer begin_pair(struct pairs *p, const struct event_line *line,
                                    stack_id_t stack) {
  uint64_t *innermost = hashmap_at(&p->open, make_pair_key(line->thread, line->kind));
  if (innermost == NULL) return PAIRS_NO_MEMORY;
  while (*innermost != 0 && !is_inside_pair(p, &p->slots[*innermost - 1], line->stack)) {
    remove_pair(p, innermost);
    p->without_end++;
  }
  uint64_t at = take_pair_slot(p);
  if (at == 0) return PAIRS_NO_MEMORY;
  struct pairs_slot *slot = &p->slots[at - 1];
  slot->pair = (struct pair){.kind = line->kind,
                             .thread = line->thread,
                             .object = line->object,
                             .owner = line->owner,
                             .last_owner = line->owner,
                             .owner_time = line->time,
                             .stack = stack,
                             .begin = line->time,
                             .open = true};
  slot->method = find_top_method(line->stack);
  slot->outer = *innermost;
  *innermost = at;
  return PAIRS_NONE;
}

static bool is_end_of(const struct event_line *line, const struct pair *pair) {
  return pair->object == line->object && pair->begin <= line->time;
}

/* Ends the innermost pair of the object. The pairs inside of it lack their END. */
static enum pairs_answer end_pair(struct pairs *p, const struct event_line *line,
                                  struct pair *out) {
  uint64_t *innermost = hashmap_at(&p->open, make_pair_key(line->thread, event_begin(line->kind)));
  if (innermost == NULL) return PAIRS_NO_MEMORY;
  uint64_t at = *innermost;
  while (at != 0 && !is_end_of(line, &p->slots[at - 1].pair)) at = p->slots[at - 1].outer;
  if (at == 0) {
    p->without_begin++;
    return PAIRS_NONE;
  }
  for (; *innermost != at; p->without_end++) remove_pair(p, innermost);
  *out = p->slots[at - 1].pair;
  out->end = line->time;
  out->failed = event_infos[line->kind].role == ROLE_FAIL;
  out->open = false;
  remove_pair(p, innermost);
  return PAIRS_DONE;
}

/* Takes a MonitorOwner. The first owner that becomes known is taken to be the owner since the pair
   began. */
static enum pairs_answer set_pair_owner(struct pairs *p, const struct event_line *line,
                                        struct pair *out) {
  uint64_t at = 0;
  hashmap_get(&p->open, make_pair_key(line->thread, EVENT_MONITOR_CONTENDED_ENTER), &at);
  struct pair *pair = at == 0 ? NULL : &p->slots[at - 1].pair;
  if (pair == NULL || pair->object != line->object || line->owner == 0) return PAIRS_NONE;
  pair->last_owner = line->owner;
  pair->owner_time = line->time;
  if (pair->owner != 0) return PAIRS_NONE;
  pair->owner = line->owner;
  pair->owner_is_late = line->time - pair->begin >= LATE_TICKS;
  *out = *pair;
  return PAIRS_OWNER_KNOWN;
}

enum pairs_answer pairs_feed(struct pairs *p, const struct event_line *line, stack_id_t stack,
                             struct pair *out) {
  switch (event_infos[line->kind].role) {
    case ROLE_BEGIN:
      return begin_pair(p, line, stack);
    case ROLE_END:
    case ROLE_FAIL:
      return end_pair(p, line, out);
    case ROLE_POINT:
    case ROLE_ENTER:
    case ROLE_LEAVE:
      if (line->kind == EVENT_MONITOR_OWNER) return set_pair_owner(p, line, out);
      break;
  }
  return PAIRS_NONE;
}

void pairs_mark_older(struct pairs *p, uint32_t thread, enum event_kind kind) {
  uint64_t at = 0;
  hashmap_get(&p->open, make_pair_key(thread, kind), &at);
  if (at != 0) p->slots[at - 1].pair.is_older = true;
}

bool pairs_find(const struct pairs *p, uint32_t thread, enum event_kind kind, struct pair *out) {
  uint64_t at = 0;
  hashmap_get(&p->open, make_pair_key(thread, kind), &at);
  if (at != 0) *out = p->slots[at - 1].pair;
  return at != 0;
}

bool pairs_next_open(const struct pairs *p, size_t *cursor, struct pair *out) {
  while (*cursor < p->num) {
    *out = p->slots[(*cursor)++].pair;
    if (out->open) return true;
  }
  return false;
}

void pairs_free(struct pairs *p) {
  hashmap_free(&p->open);
  free(p->slots);
  *p = (struct pairs){0};
}

/* --- the longest pairs ------------------------------------------------------------------- */

/* Has room for twice as many pairs. Each time it is full, sorting drops half of them. */
bool longest_start(struct longest *l, size_t max) {
  *l = (struct longest){.rows = calloc(max, 2 * sizeof *l->rows), .max = max};
  return l->rows != NULL;
}

static int compare_lengths(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  if (a->end - a->begin != b->end - b->begin) {
    return compare_numbers(b->end - b->begin, a->end - a->begin);
  }
  if (a->begin != b->begin) return compare_numbers(a->begin, b->begin);
  return compare_numbers(a->thread, b->thread);
}

void longest_sort(struct longest *l) {
  if (l->num > 0) qsort(l->rows, l->num, sizeof *l->rows, compare_lengths);
  if (l->num > l->max) l->num = l->max;
}

void longest_add(struct longest *l, const struct pair *pair) {
  l->seen++;
  l->rows[l->num++] = *pair;
  if (l->num == 2 * l->max) longest_sort(l);
}

void longest_free(struct longest *l) {
  free(l->rows);
  *l = (struct longest){0};
}
