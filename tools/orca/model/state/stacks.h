#pragma once
/* Every distinct stack of a dump, once, under a small number. Events and samples share them. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/activity.h"
#include "tools/orca/model/state/place.h"
#include "tools/orca/model/state/pseudo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a stack here (not the stackID of .samples). 0: no stack. */
typedef uint32_t stack_id_t;

struct stacks_row;

/* All zero is empty; stacks_free gives the memory back. */
struct stacks {
  struct hashmap ids;     /* digest of the text -> id */
  struct hashmap derived; /* stack and pseudo frame -> id, of stacks_with_leaf and _with_root */
  struct stacks_row *rows;
  size_t num, capacity;
  struct frame *frames; /* of all stacks, one behind the other */
  size_t num_frames, frames_capacity;
};

/* stacks_intern gives the number of a checked stackTrace, a new one where it is new; 0 for the
   empty stack. False only where memory runs out. A text is told by its digest. A stack that was cut
   (METHOD_CUT) has the pseudo frame DEEPER at its outer end. */
bool stacks_intern(struct stacks *s, const struct dump *d, struct span stack, stack_id_t *out);

/* stacks_intern_event does so with the stack of an event that a stream gave, whose digest is known.
 */
bool stacks_intern_event(struct stacks *s, const struct dump *d, const struct event_line *line,
                         stack_id_t *out);

/* stacks_with_leaf gives the number of a stack that has a pseudo frame on top of the frames of
   `id`; `id` 0: the pseudo frame alone. Its place is that of `id`. False only where memory runs
   out. */
bool stacks_with_leaf(struct stacks *s, stack_id_t id, enum pseudo leaf, stack_id_t *out);

/* stacks_with_root gives the number of a stack that has this pseudo frame at the outer end of the
   frames of `id`, in place of a DEEPER where that is there. `id` 0: the pseudo frame alone. Its
   place is that of `id`. False only where memory runs out. */
bool stacks_with_root(struct stacks *s, stack_id_t id, enum pseudo root, stack_id_t *out);

/* stacks_of_cpu_line gives the stack that shows what a Cpu line says: `id` with a pseudo frame on
   top where the thread was in native code or in the JVM, with the root CALLERS where outer frames
   are missing, NOT_DECODED alone where there are no frames; 0 for the place Unsampled. False only
   where memory runs out. */
bool stacks_of_cpu_line(struct stacks *s, enum cpu_place place, stack_id_t id, stack_id_t *out);

/* stacks_frames are the frames of a stack, innermost first, until the next stacks_intern. */
const struct frame *stacks_frames(const struct stacks *s, stack_id_t id, size_t *out_depth);

/* stacks_place is place_of_stack of it. */
place_t stacks_place(const struct stacks *s, stack_id_t id);

/* stacks_activity is activity_of_top of it; HIDDEN for the empty stack. */
enum activity stacks_activity(const struct stacks *s, stack_id_t id);

void stacks_free(struct stacks *s);

#ifdef __cplusplus
}
#endif
