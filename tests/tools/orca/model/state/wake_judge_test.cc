#include "tools/orca/model/state/wake_judge.h"

#include "gtest/gtest.h"

namespace {

class WakeJudge : public testing::Test {
 protected:
  ~WakeJudge() override { wake_judge_free(&judge_); }

  size_t AddSignal(uint64_t num_woken, bool counts = true) {
    size_t mark = wake_judge_next_mark(&judge_);
    EXPECT_NE(mark, 0u);
    wake_judge_add_signal(&judge_, num_woken, counts);
    return mark;
  }
  struct wake_judgement ReportThread(size_t mark, bool is_back, bool is_sure = false) {
    struct wake_judgement judgement;
    wake_judge_report(&judge_, mark, is_back, is_sure, &judgement);
    return judgement;
  }
  struct wake_judgement DropThread(size_t mark) {
    struct wake_judgement judgement;
    wake_judge_exclude_thread(&judge_, mark, &judgement);
    return judgement;
  }

  struct wake_judge judge_ = {};
};

void ExpectJudgement(struct wake_judgement got, uint64_t judged, uint64_t sure, uint64_t useless) {
  EXPECT_EQ(got.judged, judged);
  EXPECT_EQ(got.sure, sure);
  EXPECT_EQ(got.useless, useless);
}

TEST_F(WakeJudge, TheLastReportCompletesTheJudgement) {
  size_t mark = AddSignal(3);
  ExpectJudgement(ReportThread(mark, true), 0, 0, 0);
  ExpectJudgement(ReportThread(mark, false), 0, 0, 0);
  ExpectJudgement(ReportThread(mark, true, true), 3, 1, 2);
}

TEST_F(WakeJudge, OneThreadHadAReasonUnlessAllAreSure) {
  size_t guessed = AddSignal(2), certain = AddSignal(2);
  ReportThread(guessed, true, true);
  ReportThread(certain, true, true);
  ExpectJudgement(ReportThread(guessed, true), 2, 1, 1);
  ExpectJudgement(ReportThread(certain, true, true), 2, 2, 2);
}

TEST_F(WakeJudge, ADroppedThreadIsNotJudged) {
  size_t mark = AddSignal(2), alone = AddSignal(1);
  ExpectJudgement(DropThread(mark), 0, 0, 0);
  ExpectJudgement(ReportThread(mark, false), 1, 0, 0);
  ExpectJudgement(DropThread(alone), 0, 0, 0);
}

TEST_F(WakeJudge, ASignalThatDoesNotCountIsNotJudged) {
  ExpectJudgement(ReportThread(AddSignal(1, false), true, true), 0, 0, 0);
}

TEST_F(WakeJudge, ReusesMarks) {
  for (int i = 0; i < 1000; i++) {
    AddSignal(0);
    ReportThread(AddSignal(1), true);
    DropThread(AddSignal(1));
  }
  EXPECT_EQ(judge_.num_signals, 1u);
}

TEST_F(WakeJudge, AThreadHasOneValue) {
  EXPECT_EQ(wake_judge_take_thread(&judge_, 7), 0u);
  EXPECT_TRUE(wake_judge_put_thread(&judge_, 7, 3));
  EXPECT_TRUE(wake_judge_put_thread(&judge_, 8, 4));
  EXPECT_TRUE(wake_judge_put_thread(&judge_, 7, 5));
  EXPECT_EQ(judge_.num_pending, 2u);
  EXPECT_EQ(wake_judge_take_thread(&judge_, 7), 5u);
  EXPECT_EQ(wake_judge_take_thread(&judge_, 7), 0u);
  EXPECT_EQ(judge_.num_pending, 1u);
}

}  // namespace
