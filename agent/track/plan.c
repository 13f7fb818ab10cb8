#include "agent/track/plan.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/track/our_names.h"

#define MAX_ROWS_OF_CLASS 32
#define MAX_REFUSED 100 /* of what the user chose; further ones are refused silently */
#define ACC_NATIVE 0x0100
#define ACC_ABSTRACT 0x0400

struct plan {
  const struct options *options;
  struct selection chosen;
  bool counts;
  const char **why; /* of each row: why it could not be hooked, NULL if it could; atomic */
  pthread_mutex_t refusing;
  char *refused[MAX_REFUSED]; /* of what the user chose: which and why; under `refusing`, as: */
  size_t num_refused;
};

struct plan *plan_new(void) {
  struct plan *p = memory_new_zeroed(1, sizeof *p);
  const char **why = memory_new_zeroed((size_t)num_tracked, sizeof *why);
  if (p == NULL || why == NULL) {
    free(p);
    free(why);
    return NULL;
  }
  p->why = why;
  pthread_mutex_init(&p->refusing, NULL);
  return p;
}

void plan_begin(struct plan *p, const struct options *o) {
  p->options = o;
  p->counts = false;
  selection_read(&p->chosen, o);
  memset(p->why, 0, (size_t)num_tracked * sizeof *p->why);
  while (p->num_refused > 0) free(p->refused[--p->num_refused]);
}

void plan_count(struct plan *p) { p->counts = true; }

/* --- rows ------------------------------------------------------------------------------------ */

static enum tracked_way way_of(const struct plan *p, int row) {
  enum tracked_way way = tracked_way(&tracked[row], p->options);
  if (p->counts || (way != WAY_TRY && way != WAY_COUNT)) return way;
  return way == WAY_TRY ? WAY_RECORD : WAY_NONE;
}

bool plan_wants(const struct plan *p, int row) { return way_of(p, row) != WAY_NONE; }

static struct weave_hooking hooking_of(const struct plan *p, int row) {
  const struct tracked *t = &tracked[row];
  enum tracked_way way = way_of(p, row);
  struct weave_hooking hooking = {.id = row};
  if (way == WAY_MADE) {
    hooking.at_returns = (struct weave_static){OUR_HOOK, "made"};
  } else if (way == WAY_COUNT) {
    bool shared = t->entry == EVENT_READ_LOCK_ACQUIRE;
    hooking.at_returns = (struct weave_static){OUR_LOCKS, shared ? "countShared" : "countAlone"};
  } else {
    hooking.enter = t->about == ABOUT_NOTHING ? ENTER_NULL : ENTER_FIRST;
    hooking.exit = t->exit > ENDS_PAIR ? EXIT_VALUE : EXIT_PLAIN;
  }
  if (way == WAY_TRY) hooking.shortcut = (struct weave_static){OUR_LOCKS, t->name};
  return hooking;
}

void plan_missing(struct plan *p, int row, const char *why) {
  __atomic_store_n(&p->why[row], why, __ATOMIC_RELEASE);
}

/* --- one class ------------------------------------------------------------------------------- */

struct work {
  struct plan *plan;
  int rows[MAX_ROWS_OF_CLASS];
  int num_rows;
  bool is_chosen;
};

static void find_rows(struct work *w, struct span class_name, bool is_boot) {
  for (int row = 0; is_boot && row < num_tracked && w->num_rows < MAX_ROWS_OF_CLASS; row++) {
    bool here = span_is(class_name, tracked[row].class_name);
    if (here && plan_wants(w->plan, row)) w->rows[w->num_rows++] = row;
  }
}

bool plan_has_chosen(const struct plan *p, struct span class_name, bool is_boot) {
  return selection_has_class(&p->chosen, class_name, is_boot);
}

static bool find_work(struct work *w, struct span class_name, bool is_boot) {
  find_rows(w, class_name, is_boot);
  w->is_chosen = plan_has_chosen(w->plan, class_name, is_boot);
  return w->num_rows > 0 || w->is_chosen;
}

bool plan_has_class(const struct plan *p, struct span class_name, bool is_boot) {
  struct work w = {.plan = (struct plan *)p};
  return find_work(&w, class_name, is_boot);
}

static int row_of(const struct work *w, const struct weave_method *m) {
  for (int i = 0; i < w->num_rows; i++) {
    const struct tracked *t = &tracked[w->rows[i]];
    if (span_is(m->name, t->name) && span_is(m->descriptor, t->descriptor)) return w->rows[i];
  }
  return -1;
}

/* A row goes before what the user chose: its events say more. */
static bool choose(void *context, const struct weave_method *m, struct weave_hooking *out) {
  struct work *w = context;
  int row = row_of(w, m);
  if (row < 0) return w->is_chosen && selection_method(&w->plan->chosen, m, out);
  *out = hooking_of(w->plan, row);
  return true;
}

static void put_dotted(struct builder *b, struct span s) {
  for (size_t i = 0; i < s.len; i++) builder_char(b, s.data[i] == '/' ? '.' : s.data[i]);
}

/* `line` names what was refused, and is used up. */
static void note_refused(struct plan *p, struct builder *line, const char *why) {
  builder_string(line, ": ");
  builder_string(line, why);
  builder_char(line, '\0');
  pthread_mutex_lock(&p->refusing);
  if (!line->failed && p->num_refused < MAX_REFUSED) {
    p->refused[p->num_refused++] = line->data;
    *line = (struct builder){0};
  }
  pthread_mutex_unlock(&p->refusing);
  builder_free(line);
}

static void method_refused(struct plan *p, const struct weave_method *m, const char *why) {
  struct builder line = {0};
  put_dotted(&line, m->class_name);
  builder_char(&line, '.');
  builder_bytes(&line, m->name.data, m->name.len);
  builder_bytes(&line, m->descriptor.data, m->descriptor.len);
  note_refused(p, &line, why);
}

/* With all of its methods. */
static void class_refused(struct work *w, struct span class_name, const char *why) {
  struct builder line = {0};
  for (int i = 0; i < w->num_rows; i++) plan_missing(w->plan, w->rows[i], why);
  if (!w->is_chosen) return;
  put_dotted(&line, class_name);
  note_refused(w->plan, &line, why);
}

/* A row that is native is bound (rebind.h), an abstract method is not called, and where a class is
   chosen for its monitors most methods have none. */
static void done(void *context, const struct weave_method *m, enum weave_status status) {
  struct work *w = context;
  int row = row_of(w, m);
  if (status == WEAVE_WOVEN || status == WEAVE_NOTHING || (m->access & ACC_ABSTRACT) != 0) return;
  if (row >= 0) {
    if (status != WEAVE_NO_CODE) plan_missing(w->plan, row, weave_status_text(status));
  } else {
    bool native = (m->access & ACC_NATIVE) != 0;
    method_refused(w->plan, m, native ? "it is native" : weave_status_text(status));
  }
}

bool plan_weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
                struct builder *out) {
  static const struct weave_hooks hooks = {.class_name = OUR_HOOK,
                                           .enter = "enter",
                                           .exit = "exit",
                                           .thrown = "thrown",
                                           .monitor_enter = "monitorEnter",
                                           .monitor_entered = "monitorEntered",
                                           .monitor_exit = "monitorExit"};
  struct work w = {.plan = p};
  struct weave_chooser chooser = {choose, done, &w};
  if (!find_work(&w, class_name, is_boot)) return false;
  enum weave_status status = weave_chosen(class_file, &hooks, &chooser, out);
  if (status != WEAVE_WOVEN && status != WEAVE_ABSENT) {
    class_refused(&w, class_name, weave_status_text(status));
  }
  return status == WEAVE_WOVEN;
}

/* --- what is missing ------------------------------------------------------------------------- */

static void tell_row(int row, const char *why, void (*tell)(void *arg, const char *what),
                     void *arg) {
  struct builder line = {0};
  tracked_print(&line, row);
  builder_string(&line, ": ");
  builder_string(&line, why);
  builder_char(&line, '\0');
  if (!line.failed) tell(arg, line.data);
  builder_free(&line);
}

void plan_each_missing(struct plan *p, void (*tell)(void *arg, const char *what), void *arg) {
  for (int row = 0; row < num_tracked; row++) {
    const char *why = __atomic_load_n(&p->why[row], __ATOMIC_ACQUIRE);
    if (why != NULL) tell_row(row, why, tell, arg);
  }
  pthread_mutex_lock(&p->refusing);
  for (size_t i = 0; i < p->num_refused; i++) tell(arg, p->refused[i]);
  pthread_mutex_unlock(&p->refusing);
}
