#include "tools/orca/model/state/holders.h"

/* Both sides of a lock are one key. */
static uint64_t key_of(enum lock_sort sort, uint32_t object) {
  return (uint64_t)(sort == LOCK_READ ? LOCK_WRITE : sort) << 32 | object;
}

void holders_start(struct holders *h, const struct dump *d) {
  struct span value;
  h->long_only = dump_threshold(d, &value);
  h->all = dump_option(d, "locks", &value) && span_is(value, "all");
  h->lossy = dump_is_lossy(d);
}

bool holders_has_all(const struct holders *h, enum lock_sort sort) {
  if (sort == LOCK_MONITOR) return true; /* its lines are no pairs */
  return !h->long_only && (h->all || sort == LOCK_SEMAPHORE);
}

bool holders_are_known(const struct holders *h, enum lock_sort sort, uint32_t object) {
  uint64_t unsure;
  return !h->lossy && !hashmap_get(&h->unsure, key_of(sort, object), &unsure);
}

const struct hold *holders_find(const struct holders *h, enum lock_sort sort, uint32_t object,
                                uint32_t thread) {
  return holds_find(&h->holds, key_of(sort, object), sort, thread);
}

/* --- getting and leaving ----------------------------------------------------------- */

/* release(n) is taken to give back all that its thread has, as no line tells how many that are. */
static bool gives_back_all(const struct dump *d, const struct event_line *line) {
  struct span frames = stack_frames(line->stack);
  struct frame top;
  if (line->kind != EVENT_SEMAPHORE_RELEASE || !stack_next(&frames, &top)) return false;
  const struct method_line *method = dump_method(d, top.method);
  return method != NULL && span_is(method->signature, "(I)V");
}

/* A monitor or a lock can only be left by who has it: it got it before the recording began. The
   others may be released by any thread, and then nothing is known of who has them. */
static bool left_by_another(struct holders *h, enum lock_sort sort, uint32_t object) {
  if (sort == LOCK_MONITOR || sort == LOCK_LOCK) return true;
  return hashmap_put(&h->unsure, key_of(sort, object), 1);
}

static bool leave(struct holders *h, const struct dump *d, const struct event_line *line,
                  bool *out_left, ticks_t *out_time) {
  enum lock_sort sort = lock_events[line->kind].sort;
  struct hold *hold = holds_find(&h->holds, key_of(sort, line->object), sort, line->thread);
  if (hold == NULL) return left_by_another(h, sort, line->object);
  if (--hold->times > 0 && !gives_back_all(d, line)) return true;
  *out_time = holds_leave(&h->holds, hold, line->time);
  *out_left = true;
  return true;
}

static bool get(struct holders *h, const struct event_line *line, stack_id_t stack) {
  enum lock_sort sort = lock_events[line->kind].sort;
  return !holders_has_all(h, sort) ||
         holds_get(&h->holds, key_of(sort, line->object), sort, line->thread, line->time, stack);
}

/* What a thread gives away that begins to wait, or gets back. A condition does not tell its lock:
   it is taken to be the one that its thread got last. */
static struct hold *waits_with(const struct holders *h, const struct event_line *line, bool away) {
  if (lock_events[line->kind].sort == LOCK_MONITOR) {
    return holds_find(&h->holds, key_of(LOCK_MONITOR, line->object), LOCK_MONITOR, line->thread);
  }
  struct hold *hold = holds_of_thread(&h->holds, line->thread);
  while (hold != NULL &&
         (hold->away != away || (hold->sort != LOCK_LOCK && hold->sort != LOCK_WRITE))) {
    hold = holds_next_of_thread(&h->holds, hold);
  }
  return hold;
}

bool holders_gives_away(const struct holders *h, const struct event_line *line) {
  return lock_events[line->kind].act == LOCK_ACT_GIVES_AWAY && waits_with(h, line, false) != NULL;
}

static void give_away(const struct holders *h, const struct event_line *line) {
  struct hold *hold = waits_with(h, line, false);
  if (hold != NULL) holds_pause(hold, line->time);
}

static void get_back(const struct holders *h, const struct event_line *line) {
  struct hold *hold = waits_with(h, line, true);
  if (hold != NULL) holds_resume(hold, line->time);
}

bool holders_event(struct holders *h, const struct dump *d, const struct event_line *line,
                   stack_id_t stack, bool *out_left, ticks_t *out_time) {
  *out_left = false;
  switch (lock_events[line->kind].act) {
    case LOCK_ACT_GOT:
      return get(h, line, stack);
    case LOCK_ACT_LEFT:
      return leave(h, d, line, out_left, out_time);
    case LOCK_ACT_GIVES_AWAY:
      give_away(h, line);
      return true;
    case LOCK_ACT_GOT_BACK:
      get_back(h, line);
      return true;
    default:
      return true;
  }
}

/* --- keeping others out --------------------------------------------------------------- */

/* Readers keep a reader out only where a writer is in line before it. For itself a thread gets a
   monitor, a lock or the reading side again; that another one releases a semaphore cannot be ruled
   out. */
static bool keeps_out(const struct hold *hold, enum lock_sort sort, uint32_t thread) {
  if (hold->away) return false;
  if (hold->thread != thread) return true;
  return lock_sort_is_side(sort) && (sort == LOCK_WRITE || hold->sort == LOCK_WRITE);
}

const struct hold *holders_next(const struct holders *h, enum event_kind begin, uint32_t object,
                                uint32_t thread, const struct hold *before) {
  enum lock_sort sort = lock_events[begin].sort;
  if (!holders_are_known(h, sort, object)) return NULL;
  const struct hold *hold = before == NULL ? holds_of_lock(&h->holds, key_of(sort, object))
                                           : holds_next_of_lock(&h->holds, before);
  while (hold != NULL && !keeps_out(hold, sort, thread)) {
    hold = holds_next_of_lock(&h->holds, hold);
  }
  return hold;
}

uint32_t holders_owner(const struct holders *h, const struct event_line *line) {
  bool told = line->kind == EVENT_MONITOR_OWNER;
  if ((!told && !lock_event_asks(line->kind)) || line->owner == line->thread) return 0;
  if (told || line->owner != 0) return line->owner;
  const struct hold *only = holders_next(h, line->kind, line->object, line->thread, NULL);
  if (only == NULL || only->thread == line->thread) return 0;
  if (holders_next(h, line->kind, line->object, line->thread, only) != NULL) return 0;
  bool readers = only->sort == LOCK_READ && lock_events[line->kind].sort == LOCK_READ;
  return readers ? 0 : only->thread;
}

void holders_free(struct holders *h) {
  holds_free(&h->holds);
  hashmap_free(&h->unsure);
  *h = (struct holders){0};
}
