#include "agent/classfile/hook_code.h"

bool method_plan_needs_enter(const struct method_plan *plan) {
  const struct weave_hooking *h = plan->hooking;
  return h->enter != ENTER_NONE || h->at_entry.class_name != NULL || plan->own_monitor != OWN_NONE;
}

bool method_plan_needs_exit(const struct method_plan *plan) {
  return method_plan_needs_handler(plan) || plan->hooking->at_returns.class_name != NULL;
}

bool method_plan_needs_handler(const struct method_plan *plan) {
  return plan->hooking->exit != EXIT_NONE || plan->own_monitor != OWN_NONE;
}

/* --- the calls ---------------------------------------------------------------------------- */

static const struct row {
  size_t name_offset; /* in struct weave_hooks */
  const char *descriptor;
  int32_t slots;
} rows[] = {
#define HOOK(id, name, descriptor, slots) {offsetof(struct weave_hooks, name), descriptor, slots},
#include "agent/classfile/hooks.def"
#undef HOOK
};

static const char *get_name(const struct weave_hooks *names, const struct row *row) {
  return *(const char *const *)((const char *)names + row->name_offset);
}

void hook_call(struct hook_methods *hooks, enum hook hook, int32_t id, struct snippet *s,
               struct pool *pool) {
  const struct row *row = &rows[hook];
  const struct weave_hooks *names = hooks->names;
  uint32_t *index = &hooks->indices[hook];
  if (*index == 0) {
    *index = pool_add_method(pool, names->class_name, get_name(names, row), row->descriptor);
  }
  snippet_number(s, id, pool);
  snippet_call(s, *index, -row->slots);
}

struct maker {
  const struct method_plan *plan;
  struct hook_methods *hooks;
  struct pool *pool;
};

static void put_hook_call(struct maker *m, struct snippet *s, enum hook hook) {
  hook_call(m->hooks, hook, m->plan->hooking->id, s, m->pool);
}

static void put_static_call(struct maker *m, struct snippet *s, const struct weave_static *callee) {
  static const char descriptor[] = "(Ljava/lang/Object;)V";
  if (callee->class_name == NULL) return;
  snippet_op(s, OPCODE_aload_0, 1);
  snippet_call(s, pool_add_method(m->pool, callee->class_name, callee->name, descriptor), -1);
}

static void put_own_monitor_call(struct maker *m, struct snippet *s, enum hook hook) {
  if (m->plan->own_monitor == OWN_NONE) return;
  if (m->plan->own_monitor == OWN_CLASS) {
    snippet_class(s, m->plan->this_class);
  } else {
    snippet_op(s, OPCODE_aload_0, 1);
  }
  put_hook_call(m, s, hook);
}

/* How a returned value is passed to `exit`. */
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

/* Returns NULL if `exit` gets no value. */
static const struct value *find_value(const struct method_plan *plan) {
  if (plan->hooking->exit != EXIT_VALUE) return NULL;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (values[i].type == plan->return_type) return &values[i];
  }
  return NULL;
}

/* --- the snippets --------------------------------------------------------------------------- */

static enum opcode find_local_zero(const struct method_plan *plan) {
  return plan->has_local_zero ? OPCODE_aload_0 : OPCODE_aconst_null;
}

/* Returns the instruction that pushes the object for `enter`. */
static enum opcode find_object_load(const struct method_plan *plan) {
  enum weave_enter enter = plan->hooking->enter;
  bool is_one = enter == ENTER_LOCAL_ONE || enter == ENTER_LOCALS;
  if (enter == ENTER_LOCAL_ZERO) return find_local_zero(plan);
  return is_one && plan->has_local_one ? OPCODE_aload_1 : OPCODE_aconst_null;
}

static void make_enter(struct maker *m, struct snippet *s) {
  put_own_monitor_call(m, s, HOOK_MONITOR_ENTERED);
  if (m->plan->hooking->enter != ENTER_NONE) {
    bool has_this = m->plan->hooking->enter == ENTER_LOCALS;
    snippet_op(s, find_object_load(m->plan), 1);
    if (has_this) snippet_op(s, find_local_zero(m->plan), 1);
    put_hook_call(m, s, has_this ? HOOK_ENTER_WITH_THIS : HOOK_ENTER);
  }
  put_static_call(m, s, &m->plan->hooking->at_entry);
}

static void make_exit(struct maker *m, struct snippet *s) {
  put_static_call(m, s, &m->plan->hooking->at_returns);
  if (m->plan->hooking->exit != EXIT_NONE) {
    const struct value *value = find_value(m->plan);
    if (value != NULL) snippet_op(s, value->copy, value->slots);
    put_hook_call(m, s, value == NULL ? HOOK_EXIT : value->hook);
  }
  put_own_monitor_call(m, s, HOOK_MONITOR_EXIT);
}

/* The instruction, this hook and the hook of make_after_lock use one reference each. */
static void make_before_lock(struct maker *m, struct snippet *s) {
  snippet_op(s, OPCODE_dup, 1);
  snippet_op(s, OPCODE_dup, 1);
  put_hook_call(m, s, HOOK_MONITOR_ENTER);
}

static void make_after_lock(struct maker *m, struct snippet *s) {
  put_hook_call(m, s, HOOK_MONITOR_ENTERED);
}

static void make_before_unlock(struct maker *m, struct snippet *s) {
  snippet_op(s, OPCODE_dup, 1);
  put_hook_call(m, s, HOOK_MONITOR_EXIT);
}

static void make_copy_monitor(struct maker *m, struct snippet *s) {
  (void)m;
  snippet_op(s, OPCODE_dup, 1);
}

static void make_after_unlock(struct maker *m, struct snippet *s) {
  put_hook_call(m, s, HOOK_MONITOR_EXIT);
}

/* The handler starts with the exception on the stack. */
static void make_handler(struct maker *m, struct snippet *s) {
  s->height = s->max_height = 1;
  if (m->plan->hooking->exit != EXIT_NONE) {
    bool has_thrown = m->hooks->names->thrown != NULL;
    if (has_thrown) snippet_op(s, OPCODE_dup, 1);
    put_hook_call(m, s, has_thrown ? HOOK_THROWN : HOOK_EXIT);
  }
  put_own_monitor_call(m, s, HOOK_MONITOR_EXIT);
  snippet_op(s, OPCODE_athrow, -1);
}

static void (*const makers[NUM_INSERTS])(struct maker *, struct snippet *) = {
    [INSERT_ENTER] = make_enter,
    [INSERT_EXIT] = make_exit,
    [INSERT_BEFORE_LOCK] = make_before_lock,
    [INSERT_AFTER_LOCK] = make_after_lock,
    [INSERT_BEFORE_UNLOCK] = make_before_unlock,
    [INSERT_COPY_MONITOR] = make_copy_monitor,
    [INSERT_AFTER_UNLOCK] = make_after_unlock,
};

void hook_code_make(struct hook_code *code, const struct method_plan *plan, const struct layout *l,
                    struct hook_methods *hooks, struct pool *pool) {
  struct maker m = {plan, hooks, pool};
  for (enum insert i = INSERT_NONE + 1; i < NUM_INSERTS; i++) {
    if (layout_has_insert(l, i)) makers[i](&m, &code->inserts[i]);
  }
  if (plan->has_handler) make_handler(&m, &code->handler);
}

/* --- the layout and the stack ---------------------------------------------------------------- */

static struct span get_bytes(const struct snippet *s, bool *good) {
  if (s->code.failed) *good = false;
  return (struct span){s->code.data, s->code.len};
}

bool hook_code_attach(const struct hook_code *code, struct layout *l) {
  bool good = true;
  for (int i = 0; i < NUM_INSERTS; i++) l->inserts[i] = get_bytes(&code->inserts[i], &good);
  l->shortcut = get_bytes(&code->shortcut, &good);
  l->handler = get_bytes(&code->handler, &good);
  return good;
}

static uint32_t get_larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Returns the largest possible height of the stack where an insert starts. INSERT_ENTER starts with
   an empty stack, or after an invokespecial, which has taken at least one value off the stack. */
static uint32_t get_height_at(enum insert insert, uint32_t max_stack) {
  return insert == INSERT_ENTER && max_stack > 0 ? max_stack - 1 : max_stack;
}

uint32_t hook_code_max_stack(const struct hook_code *code, uint32_t max_stack) {
  uint32_t max = get_larger(code->shortcut.max_height, code->handler.max_height);
  for (enum insert i = INSERT_NONE; i < NUM_INSERTS; i++) {
    max = get_larger(max, get_height_at(i, max_stack) + code->inserts[i].max_height);
  }
  return max;
}

void hook_code_free(struct hook_code *code) {
  for (int i = 0; i < NUM_INSERTS; i++) snippet_free(&code->inserts[i]);
  snippet_free(&code->shortcut);
  snippet_free(&code->handler);
}
