#include "tools/orca/model/guards.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

/* Returns the class of the method of a place; 0: not known. */
static uint32_t find_class(const struct dump *d, place_t place) {
  const struct method_line *method = dump_method(d, place_method(place));
  return method == NULL ? 0 : method->class_id;
}

static bool has_class(const struct dump *d, uint32_t object, uint32_t class_id) {
  const struct dump_object *o = dump_objects(d, object);
  while (o != NULL && o->line.class_id != class_id) o = o->next;
  return o != NULL;
}

/* --- inside ------------------------------------------------------------------------------- */

/* A thread in Object.wait has released the monitor, though it will return to its code. */
static bool is_out(const struct holders *h, const struct guard_inside *in) {
  const struct hold *hold = holders_find(h, LOCK_MONITOR, in->object, in->thread);
  return hold == NULL || hold->away;
}

static void count_meeting(struct guard *row, const struct holders *h,
                          const struct guard_inside *in) {
  for (unsigned i = 0; i < row->num_inside; i++) {
    const struct guard_inside *other = &row->inside[i];
    if (other->thread == in->thread || other->own == in->own || is_out(h, other)) continue;
    row->meetings++;
    row->own_place = in->own ? in->place : other->place;
    row->other_place = in->own ? other->place : in->place;
    return;
  }
}

/* A thread inside of both monitors keeps all other threads out of both. */
static bool is_in_both(const struct guard *row, const struct guard_inside *in) {
  for (unsigned i = 0; i < row->num_inside; i++) {
    const struct guard_inside *other = &row->inside[i];
    if (other->thread == in->thread && other->own != in->own) return true;
  }
  return false;
}

static bool enter_monitor(struct guards *g, const struct holders *h, const struct dump *d,
                          const struct event_line *line, place_t place) {
  uint32_t class_id = find_class(d, place);
  if (class_id == 0 || holders_find(h, LOCK_MONITOR, line->object, line->thread) != NULL) {
    return true;
  }
  struct guard *row =
      rows_at(&g->ids, class_id, &g->rows, &g->num, &g->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  row->class_id = class_id;
  struct guard_inside in = {line->thread, line->object, has_class(d, line->object, class_id),
                            place};
  uint32_t *monitor = in.own ? &row->own : &row->other;
  if (*monitor == 0) *monitor = in.object;
  row->several |= *monitor != in.object;
  row->own_times += in.own;
  row->other_times += !in.own;
  if (row->several) return true;
  if (!is_in_both(row, &in)) count_meeting(row, h, &in);
  if (row->num_inside < GUARD_INSIDE) row->inside[row->num_inside++] = in;
  return true;
}

static void exit_monitor(struct guards *g, const struct holders *h, const struct dump *d,
                         const struct stacks *stacks, const struct event_line *line) {
  const struct hold *hold = holders_find(h, LOCK_MONITOR, line->object, line->thread);
  uint64_t at = 0;
  if (hold == NULL || hold->times > 1) return;
  hashmap_get(&g->ids, find_class(d, stacks_place(stacks, hold->stack)), &at);
  struct guard *row = at == 0 ? NULL : &g->rows[at - 1];
  for (unsigned i = 0; row != NULL && i < row->num_inside; i++) {
    struct guard_inside *in = &row->inside[i];
    if (in->thread != line->thread || in->object != line->object) continue;
    *in = row->inside[--row->num_inside];
    return;
  }
}

/* Takes an event, before it changes the holders. `stack` is that of a MonitorEntered. */
static bool guards_event(struct guards *g, const struct holders *holders, const struct dump *d,
                         const struct stacks *stacks, const struct event_line *line,
                         stack_id_t stack) {
  const struct lock_event *lock = &lock_events[line->kind];
  if (coverage_is_lossy(holders->coverage) || lock->sort != LOCK_MONITOR) return true;
  if (lock->act == LOCK_ACT_LEFT) exit_monitor(g, holders, d, stacks, line);
  if (lock->act != LOCK_ACT_GOT) return true;
  return enter_monitor(g, holders, d, line, stacks_place(stacks, stack));
}

void guards_free(struct guards *g) {
  hashmap_free(&g->ids);
  free(g->rows);
  *g = (struct guards){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_guard_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return lock_events[kind].sort == LOCK_MONITOR && (act == LOCK_ACT_GOT || act == LOCK_ACT_LEFT);
}

static bool take_guard_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return guards_event(&m->guards, &m->pass.holders, m->dump, &m->stacks, step->event, step->stack);
}

const struct analysis analysis_guards = {
    .listener = {"guards", PASS_EVENTS, is_guard_event, .before = take_guard_event}};
