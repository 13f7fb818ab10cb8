#include "tools/orca/export/frame.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Frame : public testing::Test {
 protected:
  Frame() {
    job_.dump = (small_.Read(), small_.dump);
    job_.model = &small_.model;
  }
  std::string WalkFrames(const struct profile_row *row) {
    struct builder b = {};
    struct frame_walk walk = frame_walk(&job_, row);
    for (struct shown_frame frame; frame_walk_next(&walk, &frame);) {
      frame_put_name(&b, &job_, frame);
      builder_char(&b, '|');
    }
    return TakeText(&b);
  }

  SmallModel small_;
  struct export_job job_ = {};
};

TEST_F(Frame, WalksFromTheOutermostFrame) {
  size_t num;
  const struct profile_row *rows = FindProfileRows(small_.model.profile, 1, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(WalkFrames(&rows[0]), "com.acme.OrderService.run|java.lang.Object.wait|");
  job_.threads = true;
  EXPECT_EQ(WalkFrames(&rows[1]), "main|com.acme.OrderService.run|java.lang.Thread.join|");
}

TEST_F(Frame, AnUnknownStackIsOneFrame) {
  struct profile_row row = {};
  row.thread = 0x99;
  EXPECT_EQ(WalkFrames(&row), "(no Java frames)|");
  job_.threads = true;
  EXPECT_EQ(WalkFrames(&row), "thread 00000099|(no Java frames)|");
}

TEST_F(Frame, MergesOrSeparatesThreads) {
  struct profile folded;
  EXPECT_EQ(frame_profile(&job_, &folded), &folded);
  EXPECT_LT(folded.num, small_.model.profile.num);
  profile_free(&folded);
  job_.threads = true;
  EXPECT_EQ(frame_profile(&job_, &folded), &small_.model.profile);
  profile_free(&folded);
}

}  // namespace
