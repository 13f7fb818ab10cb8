#include "tools/orca/model/failures.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

const struct failure *failures_find(const struct failures *f, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&f->ids, thread, &at);
  return at == 0 ? NULL : &f->rows[at - 1];
}

void failures_free(struct failures *f) {
  hashmap_free(&f->ids);
  free(f->rows);
  arena_free(&f->arena);
  *f = (struct failures){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_failure(enum event_kind kind) {
  return kind == EVENT_THREAD_FAILED || kind == EVENT_TASK_FAILED;
}

/* Returns where to keep a failure; NULL: memory ran out. */
static struct failure *find_room(struct failures *f, const struct event_line *line) {
  if (line->kind == EVENT_TASK_FAILED) return &f->tasks[f->num_tasks];
  return rows_at(&f->ids, line->thread, &f->rows, &f->num, &f->capacity, sizeof *f->rows, NULL);
}

static bool take_failure(void *arg, const struct step *step) {
  struct failures *f = &((struct model *)arg)->failures;
  const struct event_line *line = step->event;
  bool is_kept = line->kind == EVENT_THREAD_FAILED || f->num_tasks < FAILURES_KEPT;
  struct failure *room = is_kept ? find_room(f, line) : NULL;
  if (line->kind == EVENT_TASK_FAILED) f->num_tasks++;
  if (!is_kept) return true;
  if (room == NULL) return false;
  *room = (struct failure){.thread = line->thread,
                           .exception = line->object,
                           .thrower = arena_keep(&f->arena, line->name),
                           .time = line->time};
  return line->name.len == 0 || room->thrower.data != NULL;
}

const struct analysis analysis_failures = {
    .listener = {"failures", PASS_EVENTS, is_failure, .take = take_failure}};
