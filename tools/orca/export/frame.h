#pragma once
/* The frames of a stack as exports show them: methods, from the outermost to the innermost, behind
   the thread where the job wants it. */
#include "tools/orca/export/format.h"

#ifdef __cplusplus
extern "C" {
#endif

enum frame_sort { FRAME_METHOD, FRAME_THREAD, FRAME_NONE };

struct shown_frame {
  enum frame_sort sort; /* NONE: in place of a stack that is not known */
  uint32_t id;          /* of the method, of the thread */
};

struct frame_walk {
  const struct frame *frames;
  size_t left;
  uint32_t thread;
  bool with_thread, with_none;
};

/* frame_profile gives the rows that the job is about: sums of all threads, made in `folded`, unless
   it wants these apart. NULL: memory ran out; profile_free of `folded` in any case. */
const struct profile *frame_profile(const struct export_job *job, struct profile *folded);

/* frame_walk begins at the outermost frame of a row's stack; frame_walk_next gives the next one,
   false at the end. There is at least one. */
struct frame_walk frame_walk(const struct export_job *job, const struct profile_row *row);
bool frame_walk_next(struct frame_walk *walk, struct shown_frame *out);

/* "com.acme.OrderService.price", "worker-3", "(no Java frames)". */
void frame_put_name(struct builder *b, const struct export_job *job, struct shown_frame frame);

#ifdef __cplusplus
}
#endif
