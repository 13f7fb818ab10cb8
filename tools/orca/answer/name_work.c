/* What a thread does on a stack, and which method of the program called it. */
#include "tools/orca/answer/find.h"

static bool is_of_program(const struct model *m, struct frame frame) {
  return !pseudo_is(frame.method) && !place_is_platform(m->dump, frame.method);
}

/* Returns the first frame of the program from `at` on; `depth`: there is none. */
static size_t find_own(const struct model *m, const struct frame *frames, size_t depth, size_t at) {
  while (at < depth && !is_of_program(m, frames[at])) at++;
  return at;
}

static enum activity find_work(const struct model *m, stack_id_t stack) {
  enum activity activity = stack == 0 ? ACTIVITY_RUNS : stacks_activity(&m->stacks, stack);
  bool waits = activity == ACTIVITY_IO || activity == ACTIVITY_WAITS ||
               activity == ACTIVITY_PARKED || activity == ACTIVITY_SLEEPS;
  return waits ? activity : ACTIVITY_RUNS;
}

struct named_work name_work(const struct finder *f, stack_id_t stack) {
  enum activity activity = find_work(f->m, stack);
  if (activity == ACTIVITY_RUNS) return (struct named_work){0};
  int call = activity == ACTIVITY_IO       ? CALL_IO
             : activity == ACTIVITY_SLEEPS ? CALL_NONE
                                           : CALL_OF_PROGRAM;
  return (struct named_work){name_rest(activity), name_call(f, call, stack)};
}

static bool asks_in(const struct lock_places *places, uint32_t method) {
  for (size_t side = 0; side < places->num_ids; side++) {
    size_t num;
    const struct tally_row *rows = tally_of(places->places, places->ids[side], &num);
    for (size_t i = 0; i < num; i++) {
      if (place_method(rows[i].key) == method) return true;
    }
  }
  return false;
}

bool find_caller(const struct finder *f, stack_id_t stack, const struct lock_places *places,
                 struct found_caller *out) {
  const struct model *m = f->m;
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  size_t at = find_own(m, frames, depth, 0), caller = find_own(m, frames, depth, at + 1);
  if (caller >= depth || asks_in(places, frames[at].method)) return false;
  size_t asks = caller;
  while (asks < depth && !asks_in(places, frames[asks].method)) {
    asks = find_own(m, frames, depth, asks + 1);
  }
  if (asks < depth) caller = asks;
  if (asks >= depth && find_work(m, stack) == ACTIVITY_RUNS) return false;
  uint32_t called = frames[caller - 1].method;
  *out = (struct found_caller){.place = place_of_frame(m->dump, frames[caller]),
                               .called = place_is_platform(m->dump, called) ? called : 0};
  return true;
}
