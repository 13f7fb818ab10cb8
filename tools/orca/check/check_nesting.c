/* The rules of .orca about pairs: the calls of a thread nest, and each ends once. */

#include "agent/event/meaning.h"
#include "tools/orca/check/check_internal.h"

void check_add_thread_fault(struct check *c, const struct stream *s, const struct thread *t,
                            enum rule rule, struct subject subject) {
  if (!c->totals->is_lossy && !c->has_gap && !t->is_shared) check_add_fault(c, s, rule, subject);
}

void check_add_end_fault(struct check *c, const struct stream *s, const struct thread *t,
                         enum rule rule, struct subject subject) {
  bool is_early = !c->has_first_set && !t->is_start_known;
  c->totals->num_early_ends += is_early;
  if (!is_early) check_add_thread_fault(c, s, t, rule, subject);
}

/* --- open pairs --------------------------------------------------------------------- */

static uint32_t find_top_method(struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame top;
  return stack_next(&frames, &top) ? top.method : 0;
}

static void push_pair(struct check *c, struct open_pair **innermost, const struct event_line *e) {
  struct open_pair *pair = c->free_pairs;
  if (pair != NULL) {
    c->free_pairs = pair->outer;
  } else if ((pair = arena_take(&c->memory, sizeof *pair)) == NULL) {
    c->failed = true;
    return;
  }
  *pair = (struct open_pair){*innermost, e->kind, e->object, find_top_method(e->stack), e->digest};
  *innermost = pair;
}

static void pop_pair(struct check *c, struct open_pair **at) {
  struct open_pair *pair = *at;
  *at = pair->outer;
  pair->outer = c->free_pairs;
  c->free_pairs = pair;
}

/* --- tracked methods ---------------------------------------------------------------- */

/* Whether the stack contains `method` below its top frame. If it was cut, `*out_depth` is at least
   SIZE_MAX - 1. */
static bool has_caller(uint32_t method, struct span stack, size_t *out_depth) {
  struct span frames = stack_frames(stack);
  struct frame frame;
  *out_depth = 0;
  while (stack_next(&frames, &frame)) {
    if ((*out_depth)++ > 0 && frame.method == method) return true;
    if (frame.method == METHOD_CUT) *out_depth = SIZE_MAX - 1;
  }
  return false;
}

/* A tracked method may call code that produces events. Their stacks then contain the tracked
   method, unless they are cut. With a threshold, a wake-up may have no stack. */
static void check_nested(struct check *c, const struct stream *s, const struct event_line *e,
                         const struct thread *t) {
  const struct open_pair *outer = t->calls;
  size_t depth;
  if (outer == NULL || has_caller(outer->method, e->stack, &depth)) return;
  bool is_left_out = depth == 0 && event_is_wake(e->kind);
  bool is_unknown = is_left_out || depth >= c->depth || outer->method == 0;
  if (!is_unknown) {
    check_add_thread_fault(c, s, t, RULE_NESTED, subject_from_text(event_infos[e->kind].name));
  }
}

void check_call(struct check *c, const struct stream *s, const struct event_line *e,
                struct thread *t) {
  const struct event_info *info = &event_infos[e->kind];
  if (info->group == GROUP_MONITOR || info->group == GROUP_METHOD) return;
  if (!event_is_end(e->kind)) {
    check_nested(c, s, e, t);
    if (info->role == ROLE_BEGIN) push_pair(c, &t->calls, e);
    return;
  }
  struct subject name = subject_from_text(info->name);
  const struct open_pair *pair = t->calls;
  if (pair == NULL || pair->begin != event_begin(e->kind)) {
    check_add_end_fault(c, s, t, RULE_EXIT_ALONE, name);
    return;
  }
  bool is_known = pair->object != 0 && e->object != 0;
  if (is_known && pair->object != e->object) check_add_thread_fault(c, s, t, RULE_EXIT_OTHER, name);
  pop_pair(c, &t->calls);
}

/* --- monitors ------------------------------------------------------------------------- */

/* Bytecode may exit monitors in any order. */
void check_monitor(struct check *c, const struct stream *s, const struct event_line *e,
                   struct thread *t) {
  if (e->kind == EVENT_MONITOR_ENTERED) push_pair(c, &t->monitors, e);
  if (e->kind != EVENT_MONITOR_EXIT) return;
  struct open_pair **at = &t->monitors;
  while (*at != NULL && (*at)->object != e->object) at = &(*at)->outer;
  if (*at != NULL) {
    pop_pair(c, at);
  } else {
    check_add_end_fault(c, s, t, RULE_MONITOR_ALONE, subject_from_hash(e->object));
  }
}

/* --- methods of the option track ------------------------------------------------------- */

void check_method(struct check *c, const struct stream *s, const struct event_line *e,
                  struct thread *t) {
  if (e->kind == EVENT_METHOD_ENTRY) push_pair(c, &t->methods, e);
  if (e->kind != EVENT_METHOD_EXIT) return;
  if (t->methods == NULL) {
    check_add_end_fault(c, s, t, RULE_METHOD_ALONE, subject_from_hash(e->thread));
    return;
  }
  if (t->methods->stack != e->digest) {
    check_add_thread_fault(c, s, t, RULE_METHOD_OTHER, subject_from_hash(e->thread));
  }
  pop_pair(c, &t->methods);
}

void check_open_pairs(struct check *c, const struct stream *s, struct thread *t) {
  const struct coverage *coverage = dump_coverage(c->dump);
  const struct {
    struct open_pair **innermost;
    enum rule rule;
    bool is_fault;
  } all[] = {{&t->calls, RULE_EXIT_MISSING, true},
             {&t->monitors, RULE_MONITOR_KEPT, !coverage_monitor_hooks_changed(coverage)},
             {&t->methods, RULE_METHOD_OPEN, !coverage_method_hooks_changed(coverage)}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (*all[i].innermost != NULL && all[i].is_fault) {
      check_add_thread_fault(c, s, t, all[i].rule, subject_from_hash(t->hash));
    }
    while (*all[i].innermost != NULL) pop_pair(c, all[i].innermost);
  }
}
