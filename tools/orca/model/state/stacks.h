#pragma once
/* The distinct stacks of a dump, numbered from 1. Events and samples share them. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/activity.h"
#include "tools/orca/model/state/place.h"

BEGIN_C

/* The number of a stack here (not the stackID of .samples). 0: no stack. */
typedef uint32_t stack_id_t;

struct stacks_row;

/* All zero is empty; stacks_free frees the memory. */
struct stacks {
  struct hashmap ids;     /* digest of the text -> id */
  struct hashmap derived; /* stack and pseudo frame -> id of the stack with that frame added */
  struct stacks_row *rows;
  size_t num, capacity;
  struct frame *frames; /* of all stacks, one after the other */
  size_t num_frames, frames_capacity;
};

/* stacks_intern sets `*out` to the number of a stack, 0 for the empty one. `stack` is a text that
   stack_check accepted; texts with equal digests are the same stack. The METHOD_CUT of a stack that
   was cut becomes the pseudo frame DEEPER. Returns false when memory ran out. */
bool stacks_intern(struct stacks *s, const struct dump *d, struct span stack, stack_id_t *out);

/* stacks_intern_event is stacks_intern for the stack of an event from a stream, which has computed
   the digest already. */
bool stacks_intern_event(struct stacks *s, const struct dump *d, const struct event_line *line,
                         stack_id_t *out);

/* stacks_with_leaf sets `*out` to the stack that consists of a pseudo frame on top of the frames of
   `id`. Its place is that of `id`. With `id` 0 it is the pseudo frame alone. Returns false when
   memory ran out. */
bool stacks_with_leaf(struct stacks *s, stack_id_t id, enum pseudo leaf, stack_id_t *out);

/* stacks_with_root is the same with the pseudo frame at the outer end, where it replaces DEEPER. */
bool stacks_with_root(struct stacks *s, stack_id_t id, enum pseudo root, stack_id_t *out);

/* stacks_of_cpu_line sets `*out` to the stack for a Cpu line with this place and the stack `id`:
   - Java: `id`;
   - Native: `id` with the leaf NATIVE, unless its top frame is a native method;
   - Vm: `id` with the leaf JVM;
   - Hook: HOOKS alone, since its time is not that of the program;
   - Lost: `id` with the root CALLERS;
   - Java and Lost without frames (`id` 0): NOT_DECODED alone;
   - Unsampled: 0.
   Returns false when memory ran out. */
bool stacks_of_cpu_line(struct stacks *s, enum cpu_place place, stack_id_t id, stack_id_t *out);

/* stacks_frames returns the frames of a stack, innermost first. They are valid until the next stack
   is added. */
const struct frame *stacks_frames(const struct stacks *s, stack_id_t id, size_t *out_depth);

/* stacks_place returns place_of_stack of a stack; 0 for the empty stack. */
place_t stacks_place(const struct stacks *s, stack_id_t id);

/* stacks_activity returns activity_of_top of a stack; HIDDEN for the empty stack. */
enum activity stacks_activity(const struct stacks *s, stack_id_t id);

/* stacks_find_frame returns how many frames of `id` are above the top frame of `outer`, if `id`
   goes on from `outer`. Then `id` has the same callers, as far as neither stack was cut. In the
   place of the top frame it has the same method, at any location. -1: it does not. */
long stacks_find_frame(const struct stacks *s, const struct dump *d, stack_id_t id,
                       stack_id_t outer);

void stacks_free(struct stacks *s);

END_C
