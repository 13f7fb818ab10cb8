/* The rules of .orca. */

#include "agent/tracked/tracked.h"
#include "tools/orca/check/check_internal.h"

/* --- ids in events --------------------------------------------------------------- */

/* The line in .objects must not be later than `latest`. */
static void check_object(struct check *c, const struct stream *s, uint32_t hash, ticks_t latest,
                         enum rule unknown) {
  const struct dump_object *object = dump_objects(c->dump, hash);
  if (object == NULL) {
    check_add_fault(c, s, unknown, subject_from_hash(hash));
  } else if (object->line.time > latest) {
    check_add_fault(c, s, RULE_OBJECT_LATE, subject_from_hash(hash));
  }
}

/* Whether a tracked method of this name produces events of this kind, as begin or end event. */
static bool is_tracked_as(struct span method, enum event_kind kind) {
  enum event_kind entry = event_is_end(kind) ? event_begin(kind) : kind;
  for (int row = 0; row < num_tracked; row++) {
    if (tracked[row].entry == entry && span_is(method, tracked[row].name)) return true;
  }
  return false;
}

void check_top_frame(struct check *c, const struct stream *s, enum event_kind kind,
                     struct span stack) {
  enum event_group group = event_infos[kind].group;
  struct span frames = stack_frames(stack);
  struct frame top;
  bool is_call = group != GROUP_MONITOR && group != GROUP_METHOD && kind != EVENT_CLASS_INIT_WAIT;
  if (!is_call || !stack_next(&frames, &top)) return;
  const struct method_line *method = dump_method(c->dump, top.method);
  if (method == NULL || is_tracked_as(method->name, kind)) return;
  check_add_fault(c, s, RULE_STACK_TOP, subject_from_hash(top.method));
}

/* --- life of a thread -------------------------------------------------------------- */

/* Two living threads may share a hash. If they also have the same name, this is reported as a
   thread that started twice. */
static void check_started(struct check *c, const struct stream *s, const struct event_line *e,
                          struct thread *t) {
  uint64_t name = digest(e->name);
  if (t->num_living > 0) {
    bool is_same_thread = e->name.len > 0 && name == t->name;
    if (is_same_thread) {
      check_add_thread_fault(c, s, t, RULE_STARTED_TWICE, subject_from_hash(e->thread));
    }
    t->is_shared = true;
  }
  t->num_living++;
  t->is_announced = true;
  t->is_start_known = !stream_is_repeated(s);
  t->has_ended = false;
  t->name = name;
}

/* A blocked thread causes no event but the one that ends its block. */
static void check_runs(struct check *c, const struct stream *s, const struct event_line *e,
                       struct thread *t) {
  if (!t->is_blocked) return;
  t->is_blocked = false; /* one fault for each block */
  check_add_thread_fault(c, s, t, RULE_BLOCKED_RUNS, subject_from_text(event_infos[e->kind].name));
}

static void check_ended(struct check *c, const struct stream *s, struct thread *t) {
  check_open_pairs(c, s, t);
  if (t->num_living > 0) t->num_living--;
  t->has_ended = t->num_living == 0;
  t->is_blocked = false;
}

static void check_enter(struct check *c, const struct stream *s, const struct event_line *e,
                        struct thread *t) {
  if (t->is_blocked) {
    check_add_thread_fault(c, s, t, RULE_ENTER_TWICE, subject_from_hash(t->monitor));
  }
  t->is_blocked = true;
  t->monitor = e->object;
}

static void check_entered(struct check *c, const struct stream *s, const struct event_line *e,
                          struct thread *t) {
  bool is_open_call = t->open_monitor != 0 && t->open_monitor == e->object;
  if (t->is_blocked && t->monitor == e->object) {
    t->is_blocked = false;
  } else if (is_open_call) {
    t->open_monitor = 0;
  } else {
    check_add_end_fault(c, s, t, RULE_ENTERED_ALONE, subject_from_hash(e->object));
    t->is_blocked = false;
  }
}

/* No end event is required for a call that was open when the recording began. */
static void check_open_call(struct check *c, const struct stream *s, const struct event_line *e,
                            struct thread *t) {
  bool is_begin = event_infos[e->kind].role == ROLE_BEGIN;
  if (t->has_open_call && !is_begin) {
    check_add_thread_fault(c, s, t, RULE_OPEN_CALL, subject_from_hash(e->thread));
  }
  if (e->kind == EVENT_MONITOR_CONTENDED_ENTER) t->open_monitor = e->object;
  t->has_open_call = e->kind == EVENT_OPEN_CALL;
}

static void check_thread_event(struct check *c, const struct stream *s,
                               const struct event_line *e) {
  struct thread *t = e->thread == 0 ? NULL : check_get_thread(c, e->thread);
  if (t == NULL) return;
  /* A thread of Orca's own can learn something about a thread, and record it when that has ended.
   */
  bool is_news = e->kind != EVENT_OPEN_CALL && event_has(e->kind, TRAIT_NEWS);
  if (t->has_ended && e->kind != EVENT_THREAD_STARTED && !is_news) {
    check_add_thread_fault(c, s, t, RULE_AFTER_END, subject_from_hash(e->thread));
  }
  if (t->has_open_call || e->kind == EVENT_OPEN_CALL) {
    check_open_call(c, s, e, t);
    return;
  }
  switch (e->kind) {
    case EVENT_MONITOR_OWNER:
    case EVENT_MONITOR_HELD:
    case EVENT_READ_LOCK_HELD:
    case EVENT_CLASS_INIT_WAIT:
    case EVENT_POOL_SIZE:
    case EVENT_TASK_COMPLETES:
    case EVENT_LATCH_LACKS:
    case EVENT_PHASER_LACKS:
      break;
    case EVENT_THREAD_STARTED:
      check_started(c, s, e, t);
      break;
    case EVENT_THREAD_ENDED:
      check_runs(c, s, e, t);
      check_ended(c, s, t);
      break;
    case EVENT_MONITOR_CONTENDED_ENTER:
      check_enter(c, s, e, t);
      break;
    case EVENT_MONITOR_CONTENDED_ENTERED:
      check_entered(c, s, e, t);
      break;
    default:
      check_runs(c, s, e, t);
      check_call(c, s, e, t);
      check_monitor(c, s, e, t);
      check_method(c, s, e, t);
      break;
  }
}

void check_events(struct check *c, struct stream *s) {
  ticks_t least = 0;
  for (struct event_line e; stream_event(s, &e);) {
    check_time(c, s, &least, e.time);
    /* With a threshold, objects are defined when it is known that their lines will be written. */
    ticks_t latest = c->has_threshold ? UINT64_MAX : e.time;
    if (e.thread == 0) check_add_fault(c, s, RULE_THREAD_ZERO, subject_none());
    if (e.thread != 0) check_object(c, s, e.thread, latest, RULE_THREAD_UNKNOWN);
    if (e.object != 0) check_object(c, s, e.object, latest, RULE_OBJECT_UNKNOWN);
    if (e.owner != 0) check_object(c, s, e.owner, latest, RULE_OWNER_UNKNOWN);
    if (e.class_id != 0 && dump_class(c->dump, e.class_id) == NULL) {
      check_add_fault(c, s, RULE_EVENT_CLASS, subject_from_hash(e.class_id));
    }
    bool has_stack = shape_has_stack(event_infos[e.kind].shape);
    if (has_stack && check_stack(c, s, e.stack, e.digest, e.kind)) {
      check_top_frame(c, s, e.kind, e.stack);
    }
    check_thread_event(c, s, &e);
  }
}
