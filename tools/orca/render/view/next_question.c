#include <string.h>

#include "tools/orca/causal/whatif/whatif.h"
#include "tools/orca/render/view/view.h"

#define MOST_QUESTIONS 3

/* What the recording can answer. */
struct scope {
  const struct model *m;
  const char *command; /* the one that has answered */
  bool has_deadlock, has_only_inversion, has_blocked, has_cpu, has_calls;
  bool has_path, can_predict; /* of the whole recording only */
};

static bool is_after(const struct scope *s, const char *command) {
  return strcmp(s->command, command) == 0;
}

static bool is_after_any(const struct scope *s, const char *const *commands) {
  for (; *commands != NULL; commands++) {
    if (is_after(s, *commands)) return true;
  }
  return false;
}

static bool asks_path(const struct scope *s) {
  static const char *const commands[] = {"report", "locks", "hot", "threads", "whatif", NULL};
  return s->has_path && is_after_any(s, commands);
}

static bool asks_whatif(const struct scope *s) {
  static const char *const commands[] = {"report", "locks", "path", NULL};
  return s->can_predict && is_after_any(s, commands);
}

static bool asks_log(const struct scope *s) {
  static const char *const commands[] = {"deadlocks", "waits", "threads", "path", NULL};
  return is_after_any(s, commands);
}

static bool asks_threads(const struct scope *s) { return !s->has_blocked && !s->has_cpu; }

static bool asks_deadlocks(const struct scope *s) { return s->has_deadlock; }
static bool asks_orders(const struct scope *s) { return s->has_only_inversion; }
static bool asks_locks(const struct scope *s) { return s->has_blocked; }
static bool asks_methods(const struct scope *s) { return s->has_calls; }
static bool asks_hot(const struct scope *s) { return s->has_cpu; }
static bool asks_edits(const struct scope *s) { return s->can_predict && is_after(s, "whatif"); }
static bool asks_callers(const struct scope *s) { return s->has_cpu && is_after(s, "hot"); }

/* The questions, the most useful first. A command is not asked for again. */
static const struct question {
  const char *command, *text;
  bool (*is_useful)(const struct scope *s);
} questions[] = {
    {"deadlocks", "deadlocks (who waits for whom)", asks_deadlocks},
    {"deadlocks", "deadlocks (lock orders that can deadlock)", asks_orders},
    {"locks", "locks (who waited, who held)", asks_locks},
    {"whatif", "whatif with plan (which edits gain most)", asks_whatif},
    {NULL, "whatif with another edit, or with plan", asks_edits},
    {NULL, "hot with callers of a method, or with tree", asks_callers},
    {"hot", "hot (methods by CPU time)", asks_hot},
    {"methods", "methods (calls of tracked methods)", asks_methods},
    {"threads", "threads (the time of each thread)", asks_threads},
    {"waits", "waits (who woke whom)", asks_threads},
    {"path", "path (what the end of the run waited for)", asks_path},
    {NULL, "log with thread (every event of a thread)", asks_log},
};

/* A filter selects a part, and the simulation needs the whole. Returns false without memory. */
static bool read_scope(struct scope *s, struct model *m, const char *command) {
  struct whatif w = {0};
  *s = (struct scope){.m = m,
                      .command = command,
                      .has_deadlock = view_has_deadlock(m),
                      .has_only_inversion = view_has_only_inversion(m),
                      .has_blocked = view_has_blocked(m),
                      .has_cpu = view_has_cpu(m),
                      .has_calls = m->calls.num > 0};
  if (m->matcher.active) return true;
  bool good = whatif_start(&w, m, NULL);
  s->has_path = good && w.refusal != REFUSAL_TOO_LONG && w.refusal != REFUSAL_EMPTY;
  s->can_predict = good && w.refusal == REFUSAL_NONE;
  whatif_free(&w);
  return good;
}

/* What a new recording would have and this one lacks. */
static void put_record(struct builder *b, const struct scope *s) {
  static const char *const commands[] = {"deadlocks", "locks", NULL};
  const struct coverage *c = dump_coverage(s->m->dump);
  bool has_monitors = coverage_has_uses(c, LOCK_MONITOR),
       has_locks = coverage_has_uses(c, LOCK_LOCK);
  if (is_after(s, "methods") && !s->has_calls) {
    builder_string(b, "record with track=com.acme.Cart.add* for calls of your methods");
  } else if ((s->has_blocked || is_after_any(s, commands)) && !(has_monitors && has_locks)) {
    builder_format(b, "record with %s%s%s for hold times and lock orders",
                   has_locks ? "" : "locks=all", has_locks || has_monitors ? "" : ",",
                   has_monitors ? "" : "monitors=all,filter=com.acme.*");
  }
}

void view_next_question(struct builder *b, struct model *m, const char *command) {
  struct scope s;
  struct builder record = {0};
  size_t num = 0;
  b->failed |= !read_scope(&s, m, command);
  builder_string(b, PAGE_NEXT);
  for (size_t i = 0; i < sizeof questions / sizeof *questions && num < MOST_QUESTIONS; i++) {
    const struct question *q = &questions[i];
    bool is_same = q->command != NULL && is_after(&s, q->command);
    if (is_same || !q->is_useful(&s)) continue;
    builder_format(b, "%s%s", num++ > 0 ? "; " : "", q->text);
  }
  put_record(&record, &s);
  if (record.len > 0 && num > 0) builder_string(b, "; or ");
  builder_bytes(b, record.data, record.len);
  if (record.len == 0 && num == 0) builder_string(b, "report (what is wrong, in words)");
  builder_string(b, ".\n");
  b->failed |= record.failed;
  builder_free(&record);
}
