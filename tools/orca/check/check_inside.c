/* The rules of .orca about what threads are inside of: calls nest, and each ends once. */

#include "tools/orca/check/check_internal.h"

void check_accuse(struct check *c, const struct stream *s, const struct thread *t, enum rule rule,
                  struct subject what) {
  if (!c->totals->lossy && !c->gap && !t->shared) check_broken(c, s, rule, what);
}

void check_accuse_end(struct check *c, const struct stream *s, const struct thread *t,
                      enum rule rule, struct subject what) {
  bool early = !c->whole && !t->started;
  c->totals->early += early;
  if (!early) check_accuse(c, s, t, rule, what);
}

/* --- what a thread is inside of ---------------------------------------------------- */

static uint32_t top_of(struct span stack) {
  struct span frames = stack_frames(stack);
  struct frame top;
  return stack_next(&frames, &top) ? top.method : 0;
}

static void enter(struct check *c, struct inside **innermost, const struct event_line *e) {
  struct inside *in = c->spare;
  if (in != NULL) {
    c->spare = in->outer;
  } else if ((in = arena_take(&c->memory, sizeof *in)) == NULL) {
    c->failed = true;
    return;
  }
  *in = (struct inside){*innermost, e->kind, e->object, top_of(e->stack), e->digest};
  *innermost = in;
}

static void leave(struct check *c, struct inside **at) {
  struct inside *in = *at;
  *at = in->outer;
  in->outer = c->spare;
  c->spare = in;
}

static void leave_all(struct check *c, struct inside **at) {
  while (*at != NULL) leave(c, at);
}

/* --- tracked methods ---------------------------------------------------------------- */

/* Whether `method` stands in a stack below its top. A stack that was cut has any depth. */
static bool calls_it(uint32_t method, struct span stack, size_t *out_depth) {
  struct span frames = stack_frames(stack);
  struct frame frame;
  *out_depth = 0;
  while (stack_next(&frames, &frame)) {
    if ((*out_depth)++ > 0 && frame.method == method) return true;
    if (frame.method == METHOD_CUT) *out_depth = SIZE_MAX - 1;
  }
  return false;
}

/* Inside of a call the program's own code may run: then the method that was called stands in its
   stack, if that is not cut. */
static void check_nested(struct check *c, const struct stream *s, const struct event_line *e,
                         const struct thread *t) {
  const struct inside *outer = t->calls;
  size_t depth;
  if (outer == NULL || calls_it(outer->method, e->stack, &depth)) return;
  bool may_be_cut = depth >= c->depth || outer->method == 0;
  if (!may_be_cut) check_accuse(c, s, t, RULE_NESTED, of_text(event_infos[e->kind].name));
}

static void check_exit(struct check *c, const struct stream *s, const struct event_line *e,
                       struct thread *t) {
  struct subject name = of_text(event_infos[e->kind].name);
  const struct inside *in = t->calls;
  if (in == NULL || in->entry != event_begin(e->kind)) {
    check_accuse_end(c, s, t, RULE_EXIT_ALONE, name);
    return;
  }
  bool known = in->object != 0 && e->object != 0;
  if (known && in->object != e->object) check_accuse(c, s, t, RULE_EXIT_OTHER, name);
  leave(c, &t->calls);
}

void check_call(struct check *c, const struct stream *s, const struct event_line *e,
                struct thread *t) {
  const struct event_info *info = &event_infos[e->kind];
  if (info->group == GROUP_MONITOR || info->group == GROUP_METHOD) return;
  if (event_ends(e->kind)) {
    check_exit(c, s, e, t);
    return;
  }
  check_nested(c, s, e, t);
  if (info->role == ROLE_BEGIN) enter(c, &t->calls, e);
}

/* --- monitors ------------------------------------------------------------------------- */

/* Bytecode may leave them in any order. */
void check_monitor(struct check *c, const struct stream *s, const struct event_line *e,
                   struct thread *t) {
  if (e->kind == EVENT_MONITOR_ENTERED) enter(c, &t->monitors, e);
  if (e->kind != EVENT_MONITOR_EXIT) return;
  struct inside **at = &t->monitors;
  while (*at != NULL && (*at)->object != e->object) at = &(*at)->outer;
  if (*at != NULL) {
    leave(c, at);
  } else {
    check_accuse_end(c, s, t, RULE_MONITOR_ALONE, of_hash(e->object));
  }
}

/* --- methods of the option track ------------------------------------------------------- */

static void check_method_exit(struct check *c, const struct stream *s, const struct event_line *e,
                              struct thread *t) {
  if (t->methods == NULL) {
    check_accuse_end(c, s, t, RULE_METHOD_ALONE, of_hash(e->thread));
    return;
  }
  if (t->methods->stack != e->digest) {
    check_accuse(c, s, t, RULE_METHOD_OTHER, of_hash(e->thread));
  }
  leave(c, &t->methods);
}

void check_method(struct check *c, const struct stream *s, const struct event_line *e,
                  struct thread *t) {
  if (e->kind == EVENT_METHOD_ENTRY) enter(c, &t->methods, e);
  if (e->kind == EVENT_METHOD_EXIT) check_method_exit(c, s, e, t);
}

void check_left(struct check *c, const struct stream *s, struct thread *t) {
  const struct {
    struct inside **innermost;
    enum rule rule;
  } all[] = {{&t->calls, RULE_EXIT_MISSING},
             {&t->monitors, RULE_MONITOR_KEPT},
             {&t->methods, RULE_METHOD_OPEN}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (*all[i].innermost != NULL) check_accuse(c, s, t, all[i].rule, of_hash(t->hash));
    leave_all(c, all[i].innermost);
  }
}
