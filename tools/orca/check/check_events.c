/* The rules of .orca. */

#include "agent/tracked/tracked.h"
#include "tools/orca/check/check_internal.h"

/* --- what an event names ------------------------------------------------------- */

/* Its line in .objects must not be later than the event. */
static void check_named(struct check *c, const struct stream *s, uint32_t hash, ticks_t time,
                        enum rule unknown) {
  const struct dump_object *object = dump_objects(c->dump, hash);
  if (object == NULL) {
    check_broken(c, s, unknown, of_hash(hash));
  } else if (object->line.time > time) {
    check_broken(c, s, RULE_OBJECT_LATE, of_hash(hash));
  }
}

static void check_names(struct check *c, const struct stream *s, const struct event_line *e) {
  if (e->thread != 0) check_named(c, s, e->thread, e->time, RULE_THREAD_UNKNOWN);
  if (e->object != 0) check_named(c, s, e->object, e->time, RULE_OBJECT_UNKNOWN);
  if (e->owner != 0) check_named(c, s, e->owner, e->time, RULE_OWNER_UNKNOWN);
  if (e->thrown != 0 && dump_class(c->dump, e->thrown) == NULL) {
    check_broken(c, s, RULE_METHOD_THROWN, of_hash(e->thrown));
  }
}

/* Whether calls of a method of this name are events of this kind, or have that as their exit. */
static bool makes(struct span method, enum event_kind kind) {
  enum event_kind entry = event_ends(kind) ? event_begin(kind) : kind;
  for (int row = 0; row < num_tracked; row++) {
    if (tracked[row].entry == entry && span_is(method, tracked[row].name)) return true;
  }
  return false;
}

/* Any method may have monitors or be one of the option track. */
static bool is_of_tracked(enum event_kind kind) {
  enum event_group group = event_infos[kind].group;
  return group != GROUP_MONITOR && group != GROUP_METHOD &&
         shape_has_stack(event_infos[kind].shape);
}

/* The method that stands on top of the stack is the tracked one. */
static void check_top(struct check *c, const struct stream *s, const struct event_line *e) {
  struct span frames = stack_frames(e->stack);
  struct frame top;
  if (!is_of_tracked(e->kind) || !stack_next(&frames, &top)) return;
  const struct method_line *method = dump_method(c->dump, top.method);
  if (method == NULL || makes(method->name, e->kind)) return;
  check_broken(c, s, RULE_STACK_TOP, of_hash(top.method));
}

/* --- what a thread may do -------------------------------------------------------- */

/* Two living threads may share a hash. Only where both have the same name is it one, twice. */
static void check_started(struct check *c, const struct stream *s, const struct event_line *e,
                          struct thread *t) {
  uint64_t name = digest(e->name);
  if (t->living > 0) {
    bool twice = e->name.len > 0 && name == t->name;
    if (twice) check_accuse(c, s, t, RULE_STARTED_TWICE, of_hash(e->thread));
    t->shared = true;
  }
  t->living++;
  t->started = !stream_is_repeated(s);
  t->ended = false;
  t->name = name;
}

static void check_ended(struct check *c, const struct stream *s, struct thread *t) {
  check_left(c, s, t);
  if (t->living > 0) t->living--;
  t->ended = t->living == 0;
  t->is_blocked = false;
}

static void check_enter(struct check *c, const struct stream *s, const struct event_line *e,
                        struct thread *t) {
  if (t->is_blocked) check_accuse(c, s, t, RULE_ENTER_TWICE, of_hash(t->monitor));
  t->is_blocked = true;
  t->monitor = e->object;
}

static void check_entered(struct check *c, const struct stream *s, const struct event_line *e,
                          struct thread *t) {
  if (t->is_blocked && t->monitor == e->object) {
    t->is_blocked = false;
  } else {
    check_accuse_end(c, s, t, RULE_ENTERED_ALONE, of_hash(e->object));
  }
}

static void check_life(struct check *c, const struct stream *s, const struct event_line *e) {
  struct thread *t = e->thread == 0 ? NULL : check_thread(c, e->thread);
  if (t == NULL) return;
  if (t->ended && e->kind != EVENT_THREAD_STARTED) {
    check_accuse(c, s, t, RULE_AFTER_END, of_hash(e->thread));
  }
  switch (e->kind) {
    case EVENT_THREAD_STARTED:
      check_started(c, s, e, t);
      break;
    case EVENT_THREAD_ENDED:
      check_ended(c, s, t);
      break;
    case EVENT_MONITOR_CONTENDED_ENTER:
      check_enter(c, s, e, t);
      break;
    case EVENT_MONITOR_CONTENDED_ENTERED:
      check_entered(c, s, e, t);
      break;
    default:
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
    if (e.thread == 0) check_broken(c, s, RULE_THREAD_ZERO, of_nothing());
    check_names(c, s, &e);
    bool has_stack = shape_has_stack(event_infos[e.kind].shape);
    if (has_stack && check_stack(c, s, e.stack, e.digest, e.kind)) check_top(c, s, &e);
    check_life(c, s, &e);
  }
}
