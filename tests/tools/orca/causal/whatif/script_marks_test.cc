#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Program;

TEST(ScriptMarks, AFullQueueTellsItsCapacity) {
  Program p;
  p.capacities = {3};
  p.threads = {Rounds(30, {{machine::kCompute, 0, 1}, {machine::kPut}}),
               Rounds(30, {{machine::kTake}, {machine::kCompute, 0, 3}})};
  Recorded r(p);
  Prediction prediction(r.files);
  ASSERT_EQ(prediction.Whatif().script.num_queues, 1u);
  EXPECT_EQ(prediction.Whatif().script.queues[0].capacity, 3);
}

TEST(ScriptMarks, AQueueThatWasNeverFullHasRoom) {
  Program p;
  p.capacities = {30};
  p.threads = {Rounds(30, {{machine::kCompute, 0, 3}, {machine::kPut}}),
               Rounds(30, {{machine::kTake}, {machine::kCompute, 0, 1}})};
  Recorded r(p);
  Prediction prediction(r.files);
  ASSERT_EQ(prediction.Whatif().script.num_queues, 1u);
  EXPECT_GT(prediction.Whatif().script.queues[0].capacity, 1000);
}

TEST(ScriptMarks, CountsTheGenerationsOfABarrier) {
  Program p;
  p.parties = {3};
  p.threads = {Rounds(10, {{machine::kCompute, 0, 1}, {machine::kMeet}}),
               Rounds(10, {{machine::kCompute, 0, 2}, {machine::kMeet}}),
               Rounds(10, {{machine::kSleep, 0, 3}, {machine::kMeet}})};
  Recorded r(p);
  Prediction prediction(r.files);
  const struct script &s = prediction.Whatif().script;
  ASSERT_EQ(s.num_generations, 10u);
  for (size_t i = 0; i < 10; i++) EXPECT_EQ(s.generations[i].parties, 3u);
}

}  // namespace
