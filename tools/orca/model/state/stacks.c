#include "tools/orca/model/state/stacks.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/grow.h"

struct stacks_row {
  size_t first, depth; /* its frames in `frames` */
  place_t place;
  enum activity activity;
};

static bool append_frame(struct stacks *s, struct frame frame) {
  void *grown = grow(s->frames, s->num_frames, &s->frames_capacity, sizeof *s->frames);
  if (grown == NULL) return false;
  s->frames = grown;
  s->frames[s->num_frames++] = frame;
  return true;
}

static struct frame make_pseudo_frame(enum pseudo pseudo) {
  return (struct frame){pseudo_method(pseudo), LOCATION_NATIVE};
}

static bool add_stack_row(struct stacks *s, const struct dump *d, struct span stack) {
  void *grown = grow(s->rows, s->num, &s->capacity, sizeof *s->rows);
  if (grown == NULL) return false;
  s->rows = grown;
  size_t first = s->num_frames;
  struct span rest = stack_frames(stack);
  for (struct frame frame; stack_next(&rest, &frame);) {
    bool is_cut_mark = rest.len == 0 && frame.method == METHOD_CUT;
    frame.method = dump_alike_method(d, frame.method); /* so all analyses sum them up */
    if (!append_frame(s, is_cut_mark ? make_pseudo_frame(PSEUDO_DEEPER) : frame)) return false;
  }
  const struct frame *frames = s->frames + first;
  size_t depth = s->num_frames - first;
  s->rows[s->num++] = (struct stacks_row){first, depth, place_of_stack(d, frames, depth),
                                          activity_of_top(d, frames[0].method)};
  return true;
}

static bool intern_digest(struct stacks *s, const struct dump *d, struct span stack,
                          uint64_t digest, stack_id_t *out) {
  *out = 0;
  if (span_is(stack, "0") || stack.len == 0) return true;
  uint64_t *id = hashmap_at(&s->ids, digest);
  if (id == NULL) return false;
  if (*id == 0) {
    if (!add_stack_row(s, d, stack)) return false;
    *id = s->num;
  }
  *out = (stack_id_t)*id;
  return true;
}

bool stacks_intern(struct stacks *s, const struct dump *d, struct span stack, stack_id_t *out) {
  return intern_digest(s, d, stack, digest(stack), out);
}

bool stacks_intern_event(struct stacks *s, const struct dump *d, const struct event_line *line,
                         stack_id_t *out) {
  return intern_digest(s, d, line->stack, line->digest, out);
}

/* --- stacks with an added pseudo frame ------------------------------------------------------- */

/* Appends a copy of the frames of a stack, without its `left_out` outermost ones. */
static bool copy_stack_frames(struct stacks *s, stack_id_t id, size_t left_out) {
  if (id == 0) return true;
  size_t first = s->rows[id - 1].first, end = first + s->rows[id - 1].depth - left_out;
  for (size_t i = first; i < end; i++) {
    if (!append_frame(s, s->frames[i])) return false;
  }
  return true;
}

/* Adds a stack of the frames from `first` on. Its place and activity are those of the stack `id`;
   with `id` 0 its place is `place`. */
static bool add_derived_row(struct stacks *s, stack_id_t id, size_t first, place_t place) {
  void *grown = grow(s->rows, s->num, &s->capacity, sizeof *s->rows);
  if (grown == NULL) return false;
  s->rows = grown;
  struct stacks_row row = {.place = place, .activity = ACTIVITY_RUNS};
  if (id != 0) row = s->rows[id - 1];
  row.first = first;
  row.depth = s->num_frames - first;
  s->rows[s->num++] = row;
  return true;
}

static uint64_t *find_derived(struct stacks *s, stack_id_t id, enum pseudo pseudo) {
  return hashmap_at(&s->derived, (uint64_t)id * NUM_PSEUDOS + pseudo);
}

bool stacks_with_leaf(struct stacks *s, stack_id_t id, enum pseudo leaf, stack_id_t *out) {
  uint64_t *known = find_derived(s, id, leaf);
  size_t first = s->num_frames;
  if (known == NULL) return false;
  if (*known == 0) {
    if (!append_frame(s, make_pseudo_frame(leaf)) || !copy_stack_frames(s, id, 0) ||
        !add_derived_row(s, id, first, place(pseudo_method(leaf), 0))) {
      return false;
    }
    *known = s->num;
  }
  *out = (stack_id_t)*known;
  return true;
}

static bool is_cut_stack(const struct stacks *s, stack_id_t id) {
  size_t depth;
  const struct frame *frames = stacks_frames(s, id, &depth);
  return depth > 0 && frames[depth - 1].method == pseudo_method(PSEUDO_DEEPER);
}

bool stacks_with_root(struct stacks *s, stack_id_t id, enum pseudo root, stack_id_t *out) {
  uint64_t *known = find_derived(s, id, root);
  size_t first = s->num_frames;
  if (known == NULL) return false;
  if (*known == 0) {
    if (!copy_stack_frames(s, id, is_cut_stack(s, id)) ||
        !append_frame(s, make_pseudo_frame(root)) ||
        !add_derived_row(s, id, first, place(pseudo_method(root), 0))) {
      return false;
    }
    *known = s->num;
  }
  *out = (stack_id_t)*known;
  return true;
}

/* --- queries --------------------------------------------------------------------------------- */

/* Returns whether the top frame is a native method, so that the pseudo frame NATIVE adds nothing.
 */
static bool has_native_top(const struct stacks *s, stack_id_t id) {
  size_t depth;
  const struct frame *frames = stacks_frames(s, id, &depth);
  return depth > 0 && frames[0].location == LOCATION_NATIVE && !pseudo_is(frames[0].method);
}

bool stacks_of_cpu_line(struct stacks *s, enum cpu_place place, stack_id_t id, stack_id_t *out) {
  *out = place == CPU_PLACE_UNSAMPLED ? 0 : id;
  switch (place) {
    case CPU_PLACE_UNSAMPLED:
      return true;
    case CPU_PLACE_NATIVE:
      return has_native_top(s, id) || stacks_with_leaf(s, id, PSEUDO_NATIVE, out);
    case CPU_PLACE_VM:
      return stacks_with_leaf(s, id, PSEUDO_JVM, out);
    case CPU_PLACE_HOOK:
      return stacks_with_leaf(s, 0, PSEUDO_HOOKS, out);
    case CPU_PLACE_LOST:
      if (id != 0) return stacks_with_root(s, id, PSEUDO_CALLERS, out);
      break;
    default:
      if (id != 0) return true;
      break;
  }
  return stacks_with_leaf(s, 0, PSEUDO_NOT_DECODED, out);
}

const struct frame *stacks_frames(const struct stacks *s, stack_id_t id, size_t *out_depth) {
  *out_depth = id == 0 ? 0 : s->rows[id - 1].depth;
  return id == 0 ? NULL : s->frames + s->rows[id - 1].first;
}

place_t stacks_place(const struct stacks *s, stack_id_t id) {
  return id == 0 ? 0 : s->rows[id - 1].place;
}

enum activity stacks_activity(const struct stacks *s, stack_id_t id) {
  return id == 0 ? ACTIVITY_HIDDEN : s->rows[id - 1].activity;
}

/* A thread that is in a method while the agent weaves it goes on in the old version of the method,
   which has a MethodID of its own. */
static bool is_same_method(const struct dump *d, uint32_t a, uint32_t b) {
  if (a == b) return true;
  const struct method_line *left = dump_method(d, a), *right = dump_method(d, b);
  return left != NULL && right != NULL && left->class_id == right->class_id &&
         span_same(left->name, right->name) && span_same(left->signature, right->signature);
}

long stacks_find_frame(const struct stacks *s, const struct dump *d, stack_id_t id,
                       stack_id_t outer) {
  const uint32_t deeper = pseudo_method(PSEUDO_DEEPER);
  size_t depth, outer_depth;
  const struct frame *frames = stacks_frames(s, id, &depth);
  const struct frame *callers = stacks_frames(s, outer, &outer_depth);
  for (size_t at = 0; outer_depth > 0 && at < depth; at++) {
    if (!is_same_method(d, frames[at].method, callers[0].method)) continue;
    size_t same = 1;
    while (same < outer_depth && at + same < depth &&
           frames[at + same].location == callers[same].location &&
           is_same_method(d, frames[at + same].method, callers[same].method)) {
      same++;
    }
    bool is_whole = same == outer_depth && at + same == depth;
    bool is_cut = (same < outer_depth && callers[same].method == deeper) ||
                  (at + same < depth && frames[at + same].method == deeper);
    if (is_whole || is_cut) return (long)at;
  }
  return -1;
}

void stacks_free(struct stacks *s) {
  hashmap_free(&s->ids);
  hashmap_free(&s->derived);
  free(s->rows);
  free(s->frames);
  *s = (struct stacks){0};
}
