#include "tools/orca/export/frame.h"

#include "tools/orca/model/names.h"

const struct profile *frame_profile(const struct export_job *job, struct profile *folded) {
  *folded = (struct profile){0};
  if (job->threads) return &job->model->profile;
  return profile_fold(&job->model->profile, folded) ? folded : NULL;
}

struct frame_walk frame_walk(const struct export_job *job, const struct profile_row *row) {
  struct frame_walk walk = {.thread = row->thread, .with_thread = job->threads};
  walk.frames = stacks_frames(&job->model->stacks, row->stack, &walk.left);
  walk.with_none = walk.left == 0;
  return walk;
}

bool frame_walk_next(struct frame_walk *walk, struct shown_frame *out) {
  if (walk->with_thread) {
    walk->with_thread = false;
    *out = (struct shown_frame){FRAME_THREAD, walk->thread};
    return true;
  }
  if (walk->with_none) {
    walk->with_none = false;
    *out = (struct shown_frame){FRAME_NONE, 0};
    return true;
  }
  if (walk->left == 0) return false;
  *out = (struct shown_frame){FRAME_METHOD, walk->frames[--walk->left].method};
  return true;
}

void frame_put_name(struct builder *b, const struct export_job *job, struct shown_frame frame) {
  switch (frame.sort) {
    case FRAME_METHOD:
      names_full_method(b, job->dump, frame.id);
      break;
    case FRAME_THREAD:
      names_thread(b, &job->model->threads, frame.id);
      break;
    case FRAME_NONE:
      builder_string(b, "(no Java frames)");
      break;
  }
}
