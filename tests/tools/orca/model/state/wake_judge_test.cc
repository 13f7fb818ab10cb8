#include "tools/orca/model/state/wake_judge.h"

#include "gtest/gtest.h"

namespace {

class WakeJudge : public testing::Test {
 protected:
  ~WakeJudge() override { wake_judge_free(&judge_); }

  size_t Signal(uint64_t called, bool asked = true) {
    size_t mark = wake_judge_mark(&judge_);
    EXPECT_NE(mark, 0u);
    wake_judge_signal(&judge_, called, asked);
    return mark;
  }
  struct wake_judgement Tell(size_t mark, bool back, bool sure = false) {
    struct wake_judgement judgement;
    wake_judge_tell(&judge_, mark, back, sure, &judgement);
    return judgement;
  }
  struct wake_judgement Drop(size_t mark) {
    struct wake_judgement judgement;
    wake_judge_drop(&judge_, mark, &judgement);
    return judgement;
  }

  struct wake_judge judge_ = {};
};

void Expect(struct wake_judgement got, uint64_t judged, uint64_t sure, uint64_t useless) {
  EXPECT_EQ(got.judged, judged);
  EXPECT_EQ(got.sure, sure);
  EXPECT_EQ(got.useless, useless);
}

TEST_F(WakeJudge, TheLastToldEndsIt) {
  size_t mark = Signal(3);
  Expect(Tell(mark, true), 0, 0, 0);
  Expect(Tell(mark, false), 0, 0, 0);
  Expect(Tell(mark, true, true), 3, 1, 2);
}

TEST_F(WakeJudge, OneHadCauseUnlessAllAreSure) {
  size_t guessed = Signal(2), certain = Signal(2);
  Tell(guessed, true, true);
  Tell(certain, true, true);
  Expect(Tell(guessed, true), 2, 1, 1);
  Expect(Tell(certain, true, true), 2, 2, 2);
}

TEST_F(WakeJudge, WhoGaveUpIsNotOfThem) {
  size_t mark = Signal(2), alone = Signal(1);
  Expect(Drop(mark), 0, 0, 0);
  Expect(Tell(mark, false), 1, 0, 0);
  Expect(Drop(alone), 0, 0, 0);
}

TEST_F(WakeJudge, WhatDoesNotCount) { Expect(Tell(Signal(1, false), true, true), 0, 0, 0); }

TEST_F(WakeJudge, MarksAreUsedAgain) {
  for (int i = 0; i < 1000; i++) {
    Signal(0);
    Tell(Signal(1), true);
    Drop(Signal(1));
  }
  EXPECT_EQ(judge_.num_signals, 1u);
}

TEST_F(WakeJudge, AThreadIsRememberedOnce) {
  EXPECT_EQ(wake_judge_next(&judge_, 7), 0u);
  EXPECT_TRUE(wake_judge_pending(&judge_, 7, 3));
  EXPECT_TRUE(wake_judge_pending(&judge_, 8, 4));
  EXPECT_TRUE(wake_judge_pending(&judge_, 7, 5));
  EXPECT_EQ(judge_.num_pending, 2u);
  EXPECT_EQ(wake_judge_next(&judge_, 7), 5u);
  EXPECT_EQ(wake_judge_next(&judge_, 7), 0u);
  EXPECT_EQ(judge_.num_pending, 1u);
}

}  // namespace
