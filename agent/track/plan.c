#include "agent/track/plan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/event/meaning.h"
#include "agent/tracked/orca_classes.h"

#define MAX_ROWS_OF_CLASS 32
#define ACC_NATIVE 0x0100
#define ACC_ABSTRACT 0x0400

/* What the options say. */
struct choice {
  struct options options;
  struct selection selection; /* points into `options` */
};

struct plan {
  pthread_rwlock_t lock;       /* of `now` and `before`: held for reading while a class is woven */
  struct choice *now, *before; /* the choices, in this order or the other one */
  struct choice choices[2];
  bool can_count; /* OrcaLocks can count acquisitions */
  struct missing_hooks *missing;
};

static void set_choice(struct choice *c, const struct options *o) {
  c->options = *o;
  selection_read(&c->selection, &c->options);
}

struct plan *plan_new(struct missing_hooks *missing) {
  struct plan *p = memory_new_zeroed(1, sizeof *p);
  if (p == NULL) return NULL;
  pthread_rwlock_init(&p->lock, NULL);
  p->now = &p->choices[0];
  p->before = &p->choices[1];
  p->missing = missing;
  return p;
}

void plan_begin(struct plan *p, const struct options *o) {
  set_choice(p->now, o);
  set_choice(p->before, o);
  p->can_count = false;
}

void plan_change(struct plan *p, const struct options *o) {
  pthread_rwlock_wrlock(&p->lock);
  struct choice *now = p->before;
  p->before = p->now;
  p->now = now;
  set_choice(now, o);
  pthread_rwlock_unlock(&p->lock);
}

const struct options *plan_options(const struct plan *p) { return &p->now->options; }

static void begin_reading(const struct plan *p) {
  pthread_rwlock_rdlock((pthread_rwlock_t *)&p->lock);
}

static void end_reading(const struct plan *p) {
  pthread_rwlock_unlock((pthread_rwlock_t *)&p->lock);
}

void plan_enable_counting(struct plan *p) { p->can_count = true; }

/* --- rows ------------------------------------------------------------------------------------ */

static enum tracked_way find_way(const struct plan *p, const struct choice *c, int row) {
  enum tracked_way way = tracked_way(&tracked[row], &c->options);
  if (p->can_count || way == WAY_RECORD || way == WAY_NONE) return way;
  return way == WAY_TRY ? WAY_RECORD : WAY_NONE;
}

static bool wants_row(const struct plan *p, int row) {
  return find_way(p, p->now, row) != WAY_NONE;
}

bool plan_wants_row(const struct plan *p, int row) {
  begin_reading(p);
  bool wants = wants_row(p, row);
  end_reading(p);
  return wants;
}

static enum weave_enter find_enter(const struct tracked *t) {
  static const enum weave_enter enters[] = {
      [ABOUT_NOTHING] = ENTER_NULL,       [ABOUT_THIS] = ENTER_LOCAL_ZERO,
      [ABOUT_FIRST] = ENTER_LOCAL_ZERO,   [ABOUT_SIDE] = ENTER_LOCAL_ZERO,
      [ABOUT_ARGUMENT] = ENTER_LOCAL_ONE, [ABOUT_RETURNED] = ENTER_NONE,
      [ABOUT_TASK] = ENTER_LOCALS,
  };
  return enters[t->about];
}

static enum weave_exit find_exit(const struct tracked *t) {
  if (t->exit == ENDS_DEEP) return EXIT_NONE;
  return t->exit == ENDS_RETURNED || t->exit > ENDS_PAIR ? EXIT_VALUE : EXIT_PLAIN;
}

static struct weave_hooking make_hooking(const struct plan *p, int row) {
  const struct tracked *t = &tracked[row];
  enum tracked_way way = find_way(p, p->now, row);
  struct weave_hooking hooking = {.id = row};
  if (way == WAY_MADE) {
    hooking.at_returns = (struct weave_static){ORCA_LOCKS_CLASS, "made"};
  } else if (way == WAY_COUNT) {
    bool is_shared = lock_events[t->entry].sort == LOCK_READ_SIDE;
    hooking.at_returns =
        (struct weave_static){ORCA_LOCKS_CLASS, is_shared ? "countShared" : "countAlone"};
  } else {
    hooking.enter = find_enter(t);
    hooking.exit = find_exit(t);
  }
  if (way == WAY_TRY) hooking.shortcut = (struct weave_static){ORCA_LOCKS_CLASS, t->name};
  return hooking;
}

/* Appends the reason to the name in `line`, and a NUL. */
static void end_line(struct builder *line, const char *reason) {
  builder_string(line, ": ");
  builder_string(line, reason);
  builder_char(line, '\0');
}

void plan_set_missing(struct plan *p, int row, const char *reason) {
  struct builder line = {0};
  tracked_print(&line, row);
  end_line(&line, reason);
  if (!line.failed) missing_hooks_set_row(p->missing, row, line.data);
  builder_free(&line);
}

/* --- one class ------------------------------------------------------------------------------- */

/* What the plan says about one class. */
struct work {
  struct plan *plan;
  int rows[MAX_ROWS_OF_CLASS];
  int num_rows;
  bool is_selected;
};

static bool is_selected(const struct choice *c, struct span class_name, bool is_boot) {
  return selection_has_class(&c->selection, class_name, is_boot);
}

bool plan_is_class_selected(const struct plan *p, struct span class_name, bool is_boot) {
  begin_reading(p);
  bool selected = is_selected(p->now, class_name, is_boot);
  end_reading(p);
  return selected;
}

static bool has_changed_row(const struct plan *p, struct span class_name) {
  for (int row = 0; row < num_tracked; row++) {
    bool is_of_class = tracked_is_of(&tracked[row], class_name);
    if (is_of_class && find_way(p, p->now, row) != find_way(p, p->before, row)) return true;
  }
  return false;
}

bool plan_has_changed(const struct plan *p, struct span class_name, bool is_boot) {
  begin_reading(p);
  bool changed =
      (is_boot && has_changed_row(p, class_name)) ||
      (selection_differs(&p->now->options, &p->before->options) &&
       (is_selected(p->now, class_name, is_boot) || is_selected(p->before, class_name, is_boot)));
  end_reading(p);
  return changed;
}

static bool find_work(struct work *w, struct span class_name, bool is_boot) {
  for (int row = 0; is_boot && row < num_tracked && w->num_rows < MAX_ROWS_OF_CLASS; row++) {
    bool is_of_class = tracked_is_of(&tracked[row], class_name);
    if (is_of_class && wants_row(w->plan, row)) w->rows[w->num_rows++] = row;
  }
  w->is_selected = is_selected(w->plan->now, class_name, is_boot);
  return w->num_rows > 0 || w->is_selected;
}

bool plan_wants_class(const struct plan *p, struct span class_name, bool is_boot) {
  struct work w = {.plan = (struct plan *)p};
  begin_reading(p);
  bool wants = find_work(&w, class_name, is_boot);
  end_reading(p);
  return wants;
}

/* Returns the row of the method, or -1. */
static int find_method_row(const struct work *w, const struct weave_method *m) {
  for (int i = 0; i < w->num_rows; i++) {
    const struct tracked *t = &tracked[w->rows[i]];
    if (span_is(m->name, t->name) && span_is(m->descriptor, t->descriptor)) return w->rows[i];
  }
  return -1;
}

/* A row takes precedence over the user's selection, since its events contain more information. */
static bool choose_hooking(void *context, const struct weave_method *m, struct weave_hooking *out) {
  struct work *w = context;
  int row = find_method_row(w, m);
  if (row < 0) return w->is_selected && selection_get_hooking(&w->plan->now->selection, m, out);
  *out = make_hooking(w->plan, row);
  return true;
}

static void put_dotted(struct builder *b, struct span s) {
  for (size_t i = 0; i < s.len; i++) builder_char(b, s.data[i] == '/' ? '.' : s.data[i]);
}

/* Adds a refusal. `line` contains the name of the method or class; the function frees it. */
static void add_refused(struct plan *p, struct builder *line, const char *reason) {
  end_line(line, reason);
  if (!line->failed) missing_hooks_add(p->missing, line->data);
  builder_free(line);
}

/* Adds the refusal of a class and of all its rows. */
static void refuse_class(struct work *w, struct span class_name, const char *reason) {
  struct builder line = {0};
  for (int i = 0; i < w->num_rows; i++) plan_set_missing(w->plan, w->rows[i], reason);
  if (!w->is_selected) return;
  put_dotted(&line, class_name);
  add_refused(w->plan, &line, reason);
}

/* Records a method that could not be woven. These are not errors:
   - a native row, since rebind.h binds it,
   - an abstract method, which is never called itself,
   - WEAVE_NOTHING: most methods of a class that is selected for its monitors use no monitor. */
static void handle_status(void *context, const struct weave_method *m, enum weave_status status) {
  struct work *w = context;
  int row = find_method_row(w, m);
  if (status == WEAVE_WOVEN || status == WEAVE_NOTHING || (m->access & ACC_ABSTRACT) != 0) return;
  if (row >= 0) {
    if (status != WEAVE_NO_CODE) plan_set_missing(w->plan, row, weave_status_text(status));
    return;
  }
  struct builder line = {0};
  put_dotted(&line, m->class_name);
  builder_char(&line, '.');
  builder_bytes(&line, m->name.data, m->name.len);
  builder_bytes(&line, m->descriptor.data, m->descriptor.len);
  bool is_native = (m->access & ACC_NATIVE) != 0;
  add_refused(w->plan, &line, is_native ? "it is native" : weave_status_text(status));
}

static bool weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
                  struct builder *out) {
  static const struct weave_hooks hooks = {.class_name = ORCA_HOOK_CLASS,
                                           .enter = "enter",
                                           .exit = "exit",
                                           .thrown = "thrown",
                                           .monitor_enter = "monitorEnter",
                                           .monitor_entered = "monitorEntered",
                                           .monitor_exit = "monitorExit"};
  struct work w = {.plan = p};
  struct weave_chooser chooser = {choose_hooking, handle_status, &w};
  if (!find_work(&w, class_name, is_boot)) return false;
  enum weave_status status = weave_class(class_file, &hooks, &chooser, out);
  if (status != WEAVE_WOVEN && status != WEAVE_ABSENT) {
    refuse_class(&w, class_name, weave_status_text(status));
  }
  return status == WEAVE_WOVEN;
}

bool plan_weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
                struct builder *out) {
  begin_reading(p);
  bool is_woven = weave(p, class_name, is_boot, class_file, out);
  end_reading(p);
  return is_woven;
}
