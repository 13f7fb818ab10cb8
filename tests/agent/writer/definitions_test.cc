#include "agent/writer/definitions.h"

#include <string.h>

#include "agent/base/clock.h"
#include "tests/agent/writer/definitions_fixture.h"

namespace {

class DefinitionsTest : public DefinitionsFixture {
 protected:
  void SetUp() override {
    DefinitionsFixture::SetUp();
    Define(&classes_, "000000C1,LA;,A.java\n");
    Define(&classes_, "000000C2,LB;,\n");
    Define(&methods_, "00000001,f,()V,000000C1,1;00000000;00000007\n");
    Define(&methods_, "00000002,g,()V,000000C2,-1\n");
  }
};

TEST_F(DefinitionsTest, WritesEachDefinitionOnce) {
  definitions_take(&definitions_);
  definitions_take(&definitions_);
  EXPECT_EQ(TakeLines(FILE_CLASSES), (Lines{"000000C1,LA;,A.java", "000000C2,LB;,"}));
  EXPECT_EQ(TakeLines(FILE_METHODS),
            (Lines{"00000001,f,()V,000000C1,1;00000000;00000007", "00000002,g,()V,000000C2,-1"}));
}

TEST_F(DefinitionsTest, DefinesTheMethodsOfStacksInEachSet) {
  struct stack f = MakeStack("1;00000001;00000000"),
               both = MakeStack("2;00000002;00000000;00000001;7");
  definitions_take(&definitions_);
  TakeLines(FILE_CLASSES), TakeLines(FILE_METHODS);
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{});
  definitions_next_set(&definitions_);
  definitions_write_for_stack(&definitions_, &f);
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C1,LA;,A.java"});
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{"00000001,f,()V,000000C1,1;00000000;00000007"});
  both = MakeStack("2;00000002;00000000;00000001;00000007");
  WriteEvent(EVENT_THREAD_SLEEP, 0, 0, &both);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C2,LB;,"});
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{"00000002,g,()V,000000C2,-1"});
  EXPECT_EQ(files_[FILE_METHODS].lines.failed, false);
}

// A producer publishes a definition before it pushes a record that names it. But the writer may not
// have taken the definition yet.
TEST_F(DefinitionsTest, TakesPublishedDefinitionsWhenNeeded) {
  struct stack g = MakeStack("1;00000002;00000000");
  definitions_write_for_stack(&definitions_, &g);
  EXPECT_EQ(TakeLines(FILE_METHODS).size(), 2u);
  Define(&classes_, "000000C3,LThrown;,\n");
  struct event_line exit = {};
  exit.kind = EVENT_METHOD_EXIT;
  exit.thrown = 0xC3;
  TakeLines(FILE_CLASSES);
  definitions_write_for_event(&definitions_, &exit, nullptr);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C3,LThrown;,"});
  definitions_next_set(&definitions_);
  definitions_write_for_event(&definitions_, &exit, nullptr);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C3,LThrown;,"});
}

TEST_F(DefinitionsTest, DefinesAStackOfAnEarlierRecordingAgain) {
  struct stack f = MakeStack("1;00000001;00000000");
  definitions_write_for_stack(&definitions_, &f);
  definitions_end(&definitions_);
  TakeLines(FILE_METHODS);
  definitions_start(&definitions_);
  Define(&classes_, "000000C1,LA;,A.java\n");
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{"00000001,f,()V,000000C1,-1"});
}

TEST_F(DefinitionsTest, IgnoresMethodsWithoutADefinition) {
  struct stack none = MakeStack("1;000000FF;00000000");
  definitions_write_for_stack(&definitions_, &none);
  EXPECT_EQ(TakeLines(FILE_METHODS).size(), 2u);  // f and g
  EXPECT_FALSE(files_[FILE_METHODS].lines.failed);
}

TEST_F(DefinitionsTest, FailsTheFlushOfAnIncompleteFile) {
  definitions_fail_file(&definitions_, FILE_OBJECTS);
  EXPECT_FALSE(dump_file_flush(&files_[FILE_OBJECTS]));
}

// --- unloaded classes ---------------------------------------------------------------------------

TEST_F(DefinitionsTest, ForgetsUnloadedClassesWithTheirMethodsAndObjects) {
  DefineObject(0xA, 0xC1);
  DefineObject(0xB, 0xC2);
  definitions_take(&definitions_);
  DropUnloaded({0xC2});
  EXPECT_EQ(hashmap_size(&definitions_.classes), 1u);
  EXPECT_EQ(hashmap_size(&definitions_.methods), 1u);
  EXPECT_EQ(definitions_.num_objects, 1u);
  definitions_next_set(&definitions_);
  TakeLines(FILE_CLASSES), TakeLines(FILE_METHODS), TakeLines(FILE_OBJECTS);
  struct stack g = MakeStack("1;00000002;00000000");
  EXPECT_EQ(WriteEvent(EVENT_THREAD_SLEEP, 0xB, 0, &g).thread, 0xBu);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C2,LB;,"});
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{"00000002,g,()V,000000C2,-1"});
  EXPECT_EQ(TakeLines(FILE_OBJECTS), Lines{"0000000B,000000C2"});
}

TEST_F(DefinitionsTest, KeepsClassesThatAreNewerThanTheLivingOnes) {
  uint64_t before = clock_monotonic_ns();
  Define(&classes_, "000000C3,LC;,\n");
  definitions_take(&definitions_);
  DropUnloaded({}, /* time_ns */ 0);
  EXPECT_EQ(hashmap_size(&definitions_.classes), 3u);
  DropUnloaded({}, before);
  EXPECT_EQ(hashmap_size(&definitions_.classes), 1u);
  EXPECT_EQ(hashmap_size(&definitions_.methods), 0u);
}

TEST_F(DefinitionsTest, KeepsTheMethodsOfAStackOnce) {
  struct stack f = MakeStack("1;00000001;00000000");
  definitions_take(&definitions_);
  definitions_keep_stack(&definitions_, &f);
  definitions_keep_stack(&definitions_, nullptr);
  DropUnloaded({});
  definitions_next_set(&definitions_);
  TakeLines(FILE_CLASSES), TakeLines(FILE_METHODS);
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C1,LA;,A.java"});
  EXPECT_EQ(TakeLines(FILE_METHODS).size(), 1u);
  DropUnloaded({});
  EXPECT_EQ(hashmap_size(&definitions_.methods), 0u);
}

}  // namespace
