#pragma once
/* The frames of a stack in the order of exports: from the outermost to the innermost method. With
   `threads` of the job, the first frame is the thread. */
#include "agent/base/extern_c.h"
#include "tools/orca/export/format.h"

BEGIN_C

enum frame_sort { FRAME_METHOD, FRAME_THREAD, FRAME_NONE };

struct shown_frame {
  enum frame_sort sort; /* NONE: stands for a stack that is not known */
  uint32_t id;          /* MethodID, or hash of the thread */
};

struct frame_walk {
  const struct frame *frames;
  size_t left;
  uint32_t thread;
  bool with_thread, with_none;
};

/* frame_profile returns the rows to export. With `threads` of the job that is the model's profile.
   Otherwise it fills `folded` with the sums over all threads and returns it. NULL: memory ran out.
   Call profile_free for `folded` in all cases. */
const struct profile *frame_profile(const struct export_job *job, struct profile *folded);

/* frame_walk starts an iteration over the frames of a row's stack. frame_walk_next returns the next
   frame; false: no more frames. There is at least one frame. */
struct frame_walk frame_walk(const struct export_job *job, const struct profile_row *row);
bool frame_walk_next(struct frame_walk *walk, struct shown_frame *out);

/* "com.acme.OrderService.price", "worker-3", "(no Java frames)". */
void frame_put_name(struct builder *b, const struct export_job *job, struct shown_frame frame);

END_C
