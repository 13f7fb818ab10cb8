#include "tools/orca/model/stalls.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/model.h"

/* Added to the ClassID in a key: objects for which no thread waited. */
#define ONLY_SIGNALLED (1ull << 48)

/* `key` is an object; for stalls_by_class it is a ClassID. The caller sets `object` of a new row.
 */
static struct stall *find_or_add_stall(struct stalls *s, enum event_kind kind, uint64_t key,
                                       uint32_t class_id) {
  bool is_new;
  struct stall *row = rows_at(&s->ids, (uint64_t)kind << 32 | key, &s->rows, &s->num, &s->capacity,
                              sizeof *row, &is_new);
  if (is_new) *row = (struct stall){.id = (uint32_t)s->num - 1, .kind = kind, .class_id = class_id};
  return row;
}

static struct stall *find_or_add_object_stall(struct stalls *s, const struct dump *d,
                                              enum event_kind kind, uint32_t object) {
  struct stall *row = find_or_add_stall(s, kind, object, 0);
  if (row == NULL || object == 0 || row->num_objects != 0) return row;
  const struct dump_object *o = dump_objects(d, object);
  row->class_id = o == NULL ? 0 : o->line.class_id;
  row->object = object;
  row->num_objects = 1;
  return row;
}

/* Counts a pair that matches the filter; `place` is where its thread was. */
static bool stalls_add(struct stalls *s, const struct dump *d, const struct pair *pair,
                       place_t place) {
  struct stall *row = find_or_add_object_stall(s, d, pair->kind, pair->object);
  if (row == NULL) return false;
  ticks_t took = pair->end - pair->begin;
  row->count++;
  row->open += pair->open;
  row->failed += pair->failed;
  row->total += took;
  row->long_calls += took >= s->threshold;
  if (took > row->longest) row->longest = took;
  row->known_owners += pair->owner != 0;
  return (pair->owner == 0 || tally_add(&s->owners, row->id, pair->owner, 1, took)) &&
         tally_add(&s->threads, row->id, pair->thread, 1, took) &&
         tally_add(&s->places, row->id, place, 1, took);
}

/* Counts a sum of short calls that matches the filter; `place` is where their
   threads were. It ignores sums of calls that are no pairs. */
static bool stalls_short_calls(struct stalls *s, const struct dump *d,
                               const struct count_line *line, place_t place) {
  if (event_infos[line->kind].role != ROLE_BEGIN) return true;
  struct short_calls calls = short_calls_read(line);
  struct stall *row = find_or_add_object_stall(s, d, line->kind, line->object);
  if (row == NULL) return false;
  if (line->object == 0 && shape_has_object(event_infos[line->kind].shape)) row->is_several = true;
  short_calls_add(&row->short_calls, &calls);
  row->count += calls.num;
  row->total += calls.total;
  if (calls.longest > row->longest) row->longest = calls.longest;
  return tally_add_sum(&s->places, row->id, place, calls.num, calls.total, calls.longest);
}

/* Counts an event that wakes waiters, such as a notify; it ignores other events.
   `open` has the open pairs; for an unpark they contain what the unparked thread waits for. */
static bool stalls_signal(struct stalls *s, const struct dump *d, const struct event_line *line,
                          const struct pairs *open) {
  enum event_kind call = wake_events[line->kind].call;
  uint32_t object = line->object;
  if (!wake_event_signals(line->kind)) return true;
  if (wake_events[line->kind].act == WAKE_ACT_PERMIT) {
    /* An unpark names a thread. It counts for the object on which that thread is parked. */
    struct pair park;
    if (!pairs_find(open, line->object, call, &park)) return true;
    object = park.object;
  }
  struct stall *row = find_or_add_object_stall(s, d, call, object);
  if (row == NULL) return false;
  row->signals++;
  return true;
}

/* --- by class ---------------------------------------------------------------- */

/* Sets `count_is_least`. `lacks_short`: the filter left out sums without an object.
   Call it when all sums are added, before stalls_by_class. */
static void stalls_limit(struct stalls *s, bool lacks_short) {
  bool has_several[NUM_EVENTS] = {false};
  for (size_t i = 0; i < s->num; i++) has_several[s->rows[i].kind] |= s->rows[i].is_several;
  for (size_t i = 0; i < s->num; i++) {
    struct stall *row = &s->rows[i];
    bool has_object = shape_has_object(event_infos[row->kind].shape);
    row->count_is_least = has_object && !row->is_several && (lacks_short || has_several[row->kind]);
  }
}

/* Such signals ended none of the waits of that class. */
static bool is_only_signalled(const struct stall *row) {
  return row->count == 0 && !row->count_is_least;
}

/* Fills `ids`: maps the id of a stall in `s` to its id in `out`. */
static bool merge_stalls(const struct stalls *s, struct stalls *out, uint32_t *ids) {
  for (size_t i = 0; i < s->num; i++) {
    const struct stall *row = &s->rows[i];
    uint64_t key = row->is_several ? SHORT_SEVERAL_CLASS : row->class_id;
    if (is_only_signalled(row)) key |= ONLY_SIGNALLED;
    struct stall *into = find_or_add_stall(out, row->kind, key, row->class_id);
    if (into == NULL) return false;
    into->is_several = row->is_several;
    into->count_is_least |= row->count_is_least;
    into->object = into->num_objects == 0 ? row->object : 0;
    into->num_objects += row->num_objects;
    into->count += row->count;
    into->open += row->open;
    into->failed += row->failed;
    into->known_owners += row->known_owners;
    into->signals += row->signals;
    into->total += row->total;
    into->long_calls += row->long_calls;
    short_calls_add(&into->short_calls, &row->short_calls);
    if (row->longest > into->longest) into->longest = row->longest;
    ids[row->id] = into->id;
  }
  return true;
}

bool stalls_by_class(const struct stalls *s, struct stalls *out) {
  if (s->num == 0) return true;
  uint32_t *ids = calloc(s->num, sizeof *ids);
  if (ids == NULL) return false;
  bool good = merge_stalls(s, out, ids) && tally_merge(&s->threads, ids, &out->threads) &&
              tally_merge(&s->owners, ids, &out->owners) &&
              tally_merge(&s->places, ids, &out->places);
  free(ids);
  return good;
}

/* --- order --------------------------------------------------------------------- */

static int compare_stalls(const void *left, const void *right) {
  const struct stall *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->count != b->count) return compare_numbers(b->count, a->count);
  return compare_numbers(a->id, b->id);
}

/* Sorts the rows by total time, the largest first, and the tallies. Nothing may be
   added after it. */
static void stalls_sort(struct stalls *s) {
  hashmap_free(&s->ids); /* its row numbers are about to change */
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, compare_stalls);
  tally_sort(&s->threads);
  tally_sort(&s->owners);
  tally_sort(&s->places);
}

void stalls_free(struct stalls *s) {
  hashmap_free(&s->ids);
  free(s->rows);
  tally_free(&s->threads);
  tally_free(&s->owners);
  tally_free(&s->places);
  *s = (struct stalls){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_stall_event(enum event_kind kind) {
  return event_is_end(kind) || wake_event_signals(kind);
}

static bool take_stalls(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL && step_counts(step) &&
      !stalls_signal(&m->stalls, m->dump, step->event, &m->pass.pairs)) {
    return false;
  }
  if (step->count != NULL) {
    return !step_is_short_sum(step) || stalls_short_calls(&m->stalls, m->dump, step->count,
                                                          stacks_place(&m->stacks, step->stack));
  }
  if (step->pair == NULL || !step->pair_counts) return true;
  return stalls_add(&m->stalls, m->dump, step->clipped_pair,
                    stacks_place(&m->stacks, step->pair->stack));
}

static void start_stalls(struct model *m) { m->stalls.threshold = m->locks.threshold; }

static bool end_stalls(struct model *m) {
  stalls_limit(&m->stalls, m->matcher.leaves_out_short);
  if (!stalls_by_class(&m->stalls, &m->stalls_by_class)) return false;
  stalls_sort(&m->stalls);
  stalls_sort(&m->stalls_by_class);
  return true;
}

const struct analysis analysis_stalls = {
    .listener = {"stalls", PASS_PAIRS | PASS_COUNTS, is_stall_event, .take = take_stalls},
    .start = start_stalls,
    .end = end_stalls};
