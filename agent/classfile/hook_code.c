#include "agent/classfile/hook_code.h"

bool method_plan_enters(const struct method_plan *plan) {
  const struct weave_hooking *h = plan->hooking;
  return h->enter != ENTER_NONE || h->at_entry.class_name != NULL || plan->own != OWN_NONE;
}

bool method_plan_exits(const struct method_plan *plan) {
  return method_plan_handles(plan) || plan->hooking->at_returns.class_name != NULL;
}

bool method_plan_handles(const struct method_plan *plan) {
  return plan->hooking->exit != EXIT_NONE || plan->own != OWN_NONE;
}

/* --- the calls ---------------------------------------------------------------------------- */

struct maker {
  const struct method_plan *plan;
  struct hook_methods *hooks;
  struct pool *pool;
};

static void call(struct maker *m, struct snippet *s, enum hook hook) {
  hook_call(m->hooks, hook, m->plan->hooking->id, s, m->pool);
}

static void call_static(struct maker *m, struct snippet *s, const struct weave_static *to) {
  if (to->class_name == NULL) return;
  snippet_op(s, OPCODE_aload_0, 1);
  snippet_call(s, pool_add_method(m->pool, to->class_name, to->name, "(Ljava/lang/Object;)V"), -1);
}

static void call_own(struct maker *m, struct snippet *s, enum hook hook) {
  if (m->plan->own == OWN_NONE) return;
  if (m->plan->own == OWN_CLASS) {
    snippet_class(s, m->plan->this_class);
  } else {
    snippet_op(s, OPCODE_aload_0, 1);
  }
  call(m, s, hook);
}

static const struct value {
  char type;
  enum opcode copy;
  int32_t slots;
  enum hook hook;
} values[] = {
    {'Z', OPCODE_dup, 1, HOOK_EXIT_BOOLEAN},
    {'J', OPCODE_dup2, 2, HOOK_EXIT_LONG},
    {'L', OPCODE_dup, 1, HOOK_EXIT_OBJECT},
    {'[', OPCODE_dup, 1, HOOK_EXIT_OBJECT},
};

static const struct value *value_of(const struct method_plan *plan) {
  if (plan->hooking->exit != EXIT_VALUE) return NULL;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (values[i].type == plan->returns) return &values[i];
  }
  return NULL;
}

static void call_exit(struct maker *m, struct snippet *s) {
  const struct value *value = value_of(m->plan);
  if (m->plan->hooking->exit == EXIT_NONE) return;
  if (value != NULL) snippet_op(s, value->copy, value->slots);
  call(m, s, value == NULL ? HOOK_EXIT : value->hook);
}

static void call_thrown(struct maker *m, struct snippet *s) {
  if (m->plan->hooking->exit == EXIT_NONE) return;
  if (m->hooks->names->thrown == NULL) {
    call(m, s, HOOK_EXIT);
  } else {
    snippet_op(s, OPCODE_dup, 1);
    call(m, s, HOOK_THROWN);
  }
}

/* --- the snippets --------------------------------------------------------------------------- */

static void make_enter(struct maker *m, struct snippet *s) {
  call_own(m, s, HOOK_MONITOR_ENTERED);
  if (m->plan->hooking->enter != ENTER_NONE) {
    bool has_object = m->plan->hooking->enter == ENTER_FIRST && m->plan->has_first;
    snippet_op(s, has_object ? OPCODE_aload_0 : OPCODE_aconst_null, 1);
    call(m, s, HOOK_ENTER);
  }
  call_static(m, s, &m->plan->hooking->at_entry);
}

static void make_exit(struct maker *m, struct snippet *s) {
  call_static(m, s, &m->plan->hooking->at_returns);
  call_exit(m, s);
  call_own(m, s, HOOK_MONITOR_EXIT);
}

/* One copy for the hook here, one for make_locked, one for the instruction. */
static void make_lock(struct maker *m, struct snippet *s) {
  snippet_op(s, OPCODE_dup, 1);
  snippet_op(s, OPCODE_dup, 1);
  call(m, s, HOOK_MONITOR_ENTER);
}

static void make_locked(struct maker *m, struct snippet *s) { call(m, s, HOOK_MONITOR_ENTERED); }

static void make_unlock(struct maker *m, struct snippet *s) {
  snippet_op(s, OPCODE_dup, 1);
  call(m, s, HOOK_MONITOR_EXIT);
}

static void make_release(struct maker *m, struct snippet *s) {
  (void)m;
  snippet_op(s, OPCODE_dup, 1);
}

static void make_released(struct maker *m, struct snippet *s) { call(m, s, HOOK_MONITOR_EXIT); }

/* On the stack is what was thrown. */
static void make_handler(struct maker *m, struct snippet *s) {
  s->height = s->top = 1;
  call_thrown(m, s);
  call_own(m, s, HOOK_MONITOR_EXIT);
  snippet_op(s, OPCODE_athrow, -1);
}

static void (*const makers[NUM_INSERTS])(struct maker *, struct snippet *) = {
    [INSERT_ENTER] = make_enter,       [INSERT_EXIT] = make_exit,
    [INSERT_LOCK] = make_lock,         [INSERT_LOCKED] = make_locked,
    [INSERT_UNLOCK] = make_unlock,     [INSERT_RELEASE] = make_release,
    [INSERT_RELEASED] = make_released,
};

void hook_code_make(struct hook_code *s, const struct method_plan *plan, const struct layout *l,
                    struct hook_methods *hooks, struct pool *pool) {
  struct maker m = {plan, hooks, pool};
  for (enum insert i = INSERT_NONE + 1; i < NUM_INSERTS; i++) {
    if (layout_uses(l, i)) makers[i](&m, &s->inserts[i]);
  }
  if (plan->has_handler) make_handler(&m, &s->handler);
}

/* --- all of them ----------------------------------------------------------------------------- */

static struct span give(const struct snippet *s, bool *good) {
  if (s->code.failed) *good = false;
  return (struct span){s->code.data, s->code.len};
}

bool hook_code_give(const struct hook_code *s, struct layout *l) {
  bool good = true;
  for (int i = 0; i < NUM_INSERTS; i++) l->inserts[i] = give(&s->inserts[i], &good);
  l->shortcut = give(&s->shortcut, &good);
  l->handler = give(&s->handler, &good);
  return good;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* How much may be on the stack where an insert begins: as much as ever; but nothing where the
   method begins, and behind a constructor's call of another at least one thing less. */
static uint32_t stack_at(enum insert insert, uint32_t max_stack) {
  return insert == INSERT_ENTER && max_stack > 0 ? max_stack - 1 : max_stack;
}

uint32_t hook_code_stack(const struct hook_code *s, uint32_t max_stack) {
  uint32_t most = larger(s->shortcut.top, s->handler.top);
  for (enum insert i = INSERT_NONE; i < NUM_INSERTS; i++) {
    most = larger(most, stack_at(i, max_stack) + s->inserts[i].top);
  }
  return most;
}

void hook_code_free(struct hook_code *s) {
  for (int i = 0; i < NUM_INSERTS; i++) snippet_free(&s->inserts[i]);
  snippet_free(&s->shortcut);
  snippet_free(&s->handler);
}
