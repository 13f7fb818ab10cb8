#include "tools/orca/model/analysis.h"

#include <set>
#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Analysis, EveryRowHasAUniqueNameAndACallback) {
  std::set<std::string> names;
  for (const struct analysis *row : analyses) {
    ASSERT_NE(row->listener.name, nullptr);
    EXPECT_TRUE(names.insert(row->listener.name).second) << row->listener.name;
    bool does_something =
        row->listener.before != nullptr || row->listener.take != nullptr || row->end != nullptr;
    EXPECT_TRUE(does_something) << row->listener.name;
  }
}

// Analyses end in the order of the rows.
TEST(Analysis, EveryRowUsesEarlierRowsOnly) {
  for (int id = 0; id < NUM_ANALYSES; id++) {
    EXPECT_EQ(analyses[id]->uses >> id, 0u) << analyses[id]->listener.name;
  }
}

TEST(Analysis, AddsTheAnalysesThatASetUses) {
  for (int id = 0; id < NUM_ANALYSES; id++) {
    analyses_t set = analyses_with_used(1u << id);
    for (int member = 0; member < NUM_ANALYSES; member++) {
      if ((set >> member & 1) != 0) {
        EXPECT_EQ(analyses[member]->uses & ~set, 0u);
      }
    }
    EXPECT_EQ(set & ANALYSES(THREADS), ANALYSES(THREADS));
  }
  EXPECT_EQ(analyses_with_used(ALL_ANALYSES), ALL_ANALYSES);
}

TEST(Analysis, OnlyTheAnalysesOfTheSetRun) {
  SmallModel small;
  struct model other = {};
  small.Read();
  EXPECT_GT(small.model.locks.num, 0u);
  EXPECT_TRUE(model_read(&other, small.dump, nullptr, ANALYSES(STALLS)));
  EXPECT_EQ(other.locks.num, 0u);
  EXPECT_EQ(other.deadlocks.num, 0u);
  EXPECT_EQ(other.stalls.num, small.model.stalls.num);
  EXPECT_EQ(other.threads.num, small.model.threads.num);
  EXPECT_EQ(other.cpu.total_ns, small.model.cpu.total_ns);
  model_free(&other);
}

}  // namespace
