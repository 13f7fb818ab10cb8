#include "tools/orca/model/failures.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

const struct failure *failures_find(const struct failures *f, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&f->ids, thread, &at);
  return at == 0 ? NULL : &f->rows[at - 1];
}

const struct failure *failures_last_task(const struct failures *f, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&f->last_ids, thread, &at);
  return at == 0 || f->last[at - 1].time == 0 ? NULL : &f->last[at - 1];
}

void failures_free(struct failures *f) {
  hashmap_free(&f->ids);
  hashmap_free(&f->last_ids);
  free(f->rows);
  free(f->last);
  arena_free(&f->arena);
  *f = (struct failures){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_failure(enum event_kind kind) {
  return kind == EVENT_THREAD_FAILED || kind == EVENT_TASK_FAILED || kind == EVENT_TASK_TAKEN;
}

/* Returns where to keep a failure; NULL: memory ran out. */
static struct failure *find_room(struct failures *f, const struct event_line *line) {
  if (line->kind == EVENT_TASK_FAILED) return &f->tasks[f->num_tasks];
  return rows_at(&f->ids, line->thread, &f->rows, &f->num, &f->capacity, sizeof *f->rows, NULL);
}

static bool fill(struct failures *f, struct failure *room, const struct event_line *line) {
  /* Tasks may fail by the million, mostly in the same place. */
  bool is_same = span_same(room->thrower, line->name);
  struct span thrower = is_same ? room->thrower : arena_keep(&f->arena, line->name);
  *room = (struct failure){
      .thread = line->thread, .exception = line->object, .thrower = thrower, .time = line->time};
  return line->name.len == 0 || room->thrower.data != NULL;
}

static bool take_last(struct failures *f, const struct event_line *line) {
  uint64_t at = 0;
  hashmap_get(&f->last_ids, line->thread, &at);
  if (line->kind == EVENT_TASK_TAKEN) {
    if (at != 0) f->last[at - 1].time = 0;
    return true;
  }
  struct failure *last = rows_at(&f->last_ids, line->thread, &f->last, &f->num_last,
                                 &f->last_capacity, sizeof *f->last, NULL);
  return last != NULL && fill(f, last, line);
}

static bool take_failure(void *arg, const struct step *step) {
  struct failures *f = &((struct model *)arg)->failures;
  const struct event_line *line = step->event;
  bool is_of_task = line->kind != EVENT_THREAD_FAILED;
  if (is_of_task && !take_last(f, line)) return false;
  if (line->kind == EVENT_TASK_TAKEN) return true;
  bool is_kept = !is_of_task || f->num_tasks < FAILURES_KEPT;
  struct failure *room = is_kept ? find_room(f, line) : NULL;
  if (is_of_task) f->num_tasks++;
  if (!is_kept) return true;
  return room != NULL && fill(f, room, line);
}

const struct analysis analysis_failures = {
    .listener = {"failures", PASS_EVENTS, is_failure, .take = take_failure}};
