#include "tools/model/state/stacks.h"

#include <stdlib.h>

#include "tools/dump/digest.h"
#include "tools/model/base/grow.h"

struct stacks_row {
  size_t first, depth; /* its frames */
  place_t place;
  enum activity activity;
};

static bool add_frames(struct stacks *s, struct span stack) {
  struct span rest = stack_frames(stack);
  for (struct frame frame; stack_next(&rest, &frame); s->num_frames++) {
    void *grown = grow(s->frames, s->num_frames, &s->frames_capacity, sizeof *s->frames);
    if (grown == NULL) return false;
    s->frames = grown;
    s->frames[s->num_frames] = frame;
  }
  return true;
}

static bool add(struct stacks *s, const struct dump *d, struct span stack) {
  void *grown = grow(s->rows, s->num, &s->capacity, sizeof *s->rows);
  if (grown == NULL) return false;
  s->rows = grown;
  size_t first = s->num_frames;
  if (!add_frames(s, stack)) return false;
  const struct frame *frames = s->frames + first;
  size_t depth = s->num_frames - first;
  s->rows[s->num++] = (struct stacks_row){first, depth, place_of_stack(d, frames, depth),
                                          activity_of_top(d, frames[0].method)};
  return true;
}

static bool intern(struct stacks *s, const struct dump *d, struct span stack, uint64_t digest,
                   stack_id_t *out) {
  *out = 0;
  if (span_is(stack, "0") || stack.len == 0) return true;
  uint64_t *id = hashmap_at(&s->ids, digest);
  if (id == NULL) return false;
  if (*id == 0) {
    if (!add(s, d, stack)) return false;
    *id = s->num;
  }
  *out = (stack_id_t)*id;
  return true;
}

bool stacks_intern(struct stacks *s, const struct dump *d, struct span stack, stack_id_t *out) {
  return intern(s, d, stack, digest(stack), out);
}

bool stacks_intern_event(struct stacks *s, const struct dump *d, const struct event_line *line,
                         stack_id_t *out) {
  return intern(s, d, line->stack, line->digest, out);
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

void stacks_free(struct stacks *s) {
  hashmap_free(&s->ids);
  free(s->rows);
  free(s->frames);
  *s = (struct stacks){0};
}
