#include "agent/writer/definitions.h"

#include <string.h>

#include "tests/agent/writer/definitions_fixture.h"

namespace {

class Known : public DefinitionsTest {
 protected:
  void SetUp() override {
    DefinitionsTest::SetUp();
    Define(&classes_, "000000C1,LA;,A.java\n");
    Define(&classes_, "000000C2,LB;,\n");
    Define(&methods_, "00000001,f,()V,000000C1,1;00000000;00000007\n");
    Define(&methods_, "00000002,g,()V,000000C2,-1\n");
  }
};

TEST_F(Known, WhatTheProducersDefineIsWrittenOnce) {
  definitions_take(&definitions_);
  definitions_take(&definitions_);
  EXPECT_EQ(Take(CLASSTABLE), (Lines{"000000C1,LA;,A.java", "000000C2,LB;,"}));
  EXPECT_EQ(Take(METHODS),
            (Lines{"00000001,f,()V,000000C1,1;00000000;00000007", "00000002,g,()V,000000C2,-1"}));
}

TEST_F(Known, ASetHasWhatItsStacksName) {
  struct stack f = StackOf("1;00000001;00000000"), both = StackOf("2;00000002;00000000;00000001;7");
  definitions_take(&definitions_);
  Take(CLASSTABLE), Take(METHODS);
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(Take(METHODS), Lines{});
  definitions_next_set(&definitions_);
  definitions_write_for_stack(&definitions_, &f);
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(Take(CLASSTABLE), Lines{"000000C1,LA;,A.java"});
  EXPECT_EQ(Take(METHODS), Lines{"00000001,f,()V,000000C1,1;00000000;00000007"});
  both = StackOf("2;00000002;00000000;00000001;00000007");
  Event(EVENT_THREAD_SLEEP, 0, 0, &both);
  EXPECT_EQ(Take(CLASSTABLE), Lines{"000000C2,LB;,"});
  EXPECT_EQ(Take(METHODS), Lines{"00000002,g,()V,000000C2,-1"});
  EXPECT_EQ(files_[METHODS].lines.failed, false);
}

// A definition is published before what names it can be on its way, but may not have been taken.
TEST_F(Known, ADefinitionIsFetchedWhereItIsNeeded) {
  struct stack g = StackOf("1;00000002;00000000");
  definitions_write_for_stack(&definitions_, &g);
  EXPECT_EQ(Take(METHODS).size(), 2u);
  Define(&classes_, "000000C3,LThrown;,\n");
  struct event_line exit = {};
  exit.kind = EVENT_METHOD_EXIT;
  exit.thrown = 0xC3;
  Take(CLASSTABLE);
  definitions_write_for_event(&definitions_, &exit, nullptr);
  EXPECT_EQ(Take(CLASSTABLE), Lines{"000000C3,LThrown;,"});
  definitions_next_set(&definitions_);
  definitions_write_for_event(&definitions_, &exit, nullptr);
  EXPECT_EQ(Take(CLASSTABLE), Lines{"000000C3,LThrown;,"});
}

TEST_F(Known, AStackOfAnEarlierRecordingIsNewInTheNext) {
  struct stack f = StackOf("1;00000001;00000000");
  definitions_write_for_stack(&definitions_, &f);
  definitions_end(&definitions_);
  Take(METHODS);
  definitions_start(&definitions_);
  Define(&classes_, "000000C1,LA;,A.java\n");
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  definitions_write_for_stack(&definitions_, &f);
  EXPECT_EQ(Take(METHODS), Lines{"00000001,f,()V,000000C1,-1"});
}

TEST_F(Known, WhatNobodyDefinedIsLeftOut) {
  struct stack none = StackOf("1;000000FF;00000000");
  definitions_write_for_stack(&definitions_, &none);
  EXPECT_EQ(Take(METHODS).size(), 2u);  // those that there are
  EXPECT_FALSE(files_[METHODS].lines.failed);
}

TEST_F(Known, AFileThatLacksSomethingFails) {
  definitions_fail_file(&definitions_, OBJECTS);
  EXPECT_FALSE(dump_file_flush(&files_[OBJECTS]));
}

}  // namespace
