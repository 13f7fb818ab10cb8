#include "agent/track/plan.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/track/java_class_names.h"

#define MAX_ROWS_OF_CLASS 32
#define ACC_NATIVE 0x0100
#define ACC_ABSTRACT 0x0400

struct plan {
  const struct options *options;
  struct selection selection;
  bool can_count; /* OrcaLocks can count acquisitions */
  struct missing_hooks *missing;
};

struct plan *plan_new(struct missing_hooks *missing) {
  struct plan *p = memory_new_zeroed(1, sizeof *p);
  if (p != NULL) p->missing = missing;
  return p;
}

void plan_begin(struct plan *p, const struct options *o) {
  p->options = o;
  p->can_count = false;
  selection_read(&p->selection, o);
}

void plan_enable_counting(struct plan *p) { p->can_count = true; }

/* --- rows ------------------------------------------------------------------------------------ */

static enum tracked_way find_way(const struct plan *p, int row) {
  enum tracked_way way = tracked_way(&tracked[row], p->options);
  if (p->can_count || (way != WAY_TRY && way != WAY_COUNT)) return way;
  return way == WAY_TRY ? WAY_RECORD : WAY_NONE;
}

bool plan_wants_row(const struct plan *p, int row) { return find_way(p, row) != WAY_NONE; }

static enum weave_enter find_enter(const struct tracked *t) {
  static const enum weave_enter enters[] = {
      [ABOUT_NOTHING] = ENTER_NULL,       [ABOUT_THIS] = ENTER_LOCAL_ZERO,
      [ABOUT_FIRST] = ENTER_LOCAL_ZERO,   [ABOUT_SIDE] = ENTER_LOCAL_ZERO,
      [ABOUT_ARGUMENT] = ENTER_LOCAL_ONE, [ABOUT_RETURNED] = ENTER_NONE,
  };
  return enters[t->about];
}

static enum weave_exit find_exit(const struct tracked *t) {
  if (t->exit == ENDS_DEEP) return EXIT_NONE;
  return t->exit == ENDS_RETURNED || t->exit > ENDS_PAIR ? EXIT_VALUE : EXIT_PLAIN;
}

static struct weave_hooking make_hooking(const struct plan *p, int row) {
  const struct tracked *t = &tracked[row];
  enum tracked_way way = find_way(p, row);
  struct weave_hooking hooking = {.id = row};
  if (way == WAY_MADE) {
    hooking.at_returns = (struct weave_static){ORCA_HOOK_CLASS, "made"};
  } else if (way == WAY_COUNT) {
    bool is_shared = t->entry == EVENT_READ_LOCK_ACQUIRE;
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

bool plan_is_class_selected(const struct plan *p, struct span class_name, bool is_boot) {
  return selection_has_class(&p->selection, class_name, is_boot);
}

static bool find_work(struct work *w, struct span class_name, bool is_boot) {
  for (int row = 0; is_boot && row < num_tracked && w->num_rows < MAX_ROWS_OF_CLASS; row++) {
    bool is_of_class = span_is(class_name, tracked[row].class_name);
    if (is_of_class && plan_wants_row(w->plan, row)) w->rows[w->num_rows++] = row;
  }
  w->is_selected = plan_is_class_selected(w->plan, class_name, is_boot);
  return w->num_rows > 0 || w->is_selected;
}

bool plan_wants_class(const struct plan *p, struct span class_name, bool is_boot) {
  struct work w = {.plan = (struct plan *)p};
  return find_work(&w, class_name, is_boot);
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
  if (row < 0) return w->is_selected && selection_get_hooking(&w->plan->selection, m, out);
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

bool plan_weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
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
