#pragma once
// The timeline of the threads of the small dump that match a pattern.
#include "tests/tools/orca/render/view/shown.h"
#include "tools/orca/render/view/threads.h"

class SmallLanes {
 public:
  explicit SmallLanes(const char *thread, ticks_t from = 0, ticks_t to = FILTER_NO_END) {
    struct filter filter = MakeFilter(from, to);
    filter.threads = {{thread}, 1};
    model = small_.Read(&filter);
    EXPECT_TRUE(timeline_start(&timeline, model, 10, 10000));
    EXPECT_TRUE(replay(model, REPLAY_LINES, TakeStep, &timeline));
    EXPECT_TRUE(timeline_end(&timeline));
  }
  ~SmallLanes() { timeline_free(&timeline); }

  struct model *model;
  struct timeline timeline = {};

 private:
  static bool TakeStep(void *to, const struct step *step) {
    return timeline_take(static_cast<struct timeline *>(to), step);
  }

  SmallModel small_;
};
