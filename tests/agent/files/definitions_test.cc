#include "agent/files/definitions.h"

#include <string.h>

#include <algorithm>
#include <set>

#include "agent/base/clock.h"
#include "tests/agent/files/definitions_fixture.h"

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
  exit.class_id = 0xC3;
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
  definitions_start(&definitions_, 0);
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

struct count_line MakeCount(ticks_t time, uint32_t object) {
  struct count_line line = {};
  line.time = time;
  line.kind = EVENT_LOCK_ACQUIRED;
  line.object = object;
  line.count = 1;
  return line;
}

class ObjectDefinitionsTest : public DefinitionsFixture {
 protected:
  void SetUp() override {
    DefinitionsFixture::SetUp();
    Define(&classes_, "000000C1,LA;,\n");
    Define(&classes_, "000000C2,LB;,\n");
    DefineObject(0xA, 0xC1);
    DefineObject(0xB, 0xC2);
  }
  static std::string FormatLine(uint32_t hash, uint32_t class_id) {
    char line[32];
    snprintf(line, sizeof line, "%08X,%08X", hash, class_id);
    return line;
  }
};

TEST_F(ObjectDefinitionsTest, WritesEachObjectAtItsFirstUseInASet) {
  for (int set = 0; set < 3; set++) {
    EXPECT_EQ(TakeLines(FILE_OBJECTS), Lines{}) << set;
    for (int i = 0; i < 3; i++) WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0xB);
    EXPECT_EQ(TakeLines(FILE_OBJECTS), (Lines{"0000000A,000000C1", "0000000B,000000C2"})) << set;
    EXPECT_EQ(TakeLines(FILE_CLASSES), (Lines{"000000C1,LA;,", "000000C2,LB;,"})) << set;
    definitions_next_set(&definitions_);
  }
}

TEST_F(ObjectDefinitionsTest, DatesObjectsNotLaterThanTheirEventAndAscending) {
  definitions_take(&definitions_);
  ticks_t last = 0;
  for (int set = 0; set < 5; set++) {
    struct event_line line = {};
    line.time = time_ += 7;
    line.kind = EVENT_LOCK_ACQUIRE;
    line.thread = 0xA;
    line.object = 0xB;
    line.owner = 0xA;
    definitions_write_for_event(&definitions_, &line, nullptr);
    EXPECT_LE(files_[FILE_OBJECTS].last_line_time, line.time);
    EXPECT_GT(files_[FILE_OBJECTS].last_line_time, last);
    last = files_[FILE_OBJECTS].last_line_time;
    definitions_next_set(&definitions_);
  }
}

TEST_F(ObjectDefinitionsTest, AllowsTwoObjectsWithOneHash) {
  DefineObject(0xA, 0xC2);
  WriteEvent(EVENT_THREAD_ENDED, 0xA);
  Lines lines = TakeLines(FILE_OBJECTS);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()),
            (std::set<std::string>{"0000000A,000000C1", "0000000A,000000C2"}));
  DefineObject(0xA, 0xC2);  // the same object again
  WriteEvent(EVENT_THREAD_ENDED, 0xA);
  definitions_take(&definitions_);
  EXPECT_EQ(TakeLines(FILE_OBJECTS), Lines{});
}

TEST_F(ObjectDefinitionsTest, ReplacesAnUnknownObjectByNone) {
  struct event_line line = WriteEvent(EVENT_OBJECT_WAIT, 0xA, 0xFF);
  EXPECT_EQ(line.object, 0u);
  line = WriteEvent(EVENT_OBJECT_WAIT, 0xA, 0xB);
  EXPECT_EQ(line.object, 0xBu);
}

// The time of a count may be later than that of the next event.
TEST_F(ObjectDefinitionsTest, DatesTheObjectOfACountNotLaterThanTheLastEvent) {
  WriteEvent(EVENT_THREAD_ENDED, 0xA);
  files_[FILE_EVENTS].last_line_time = time_;
  struct count_line count = MakeCount(time_ + 100000, 0xB);
  definitions_write_for_count(&definitions_, &count);
  EXPECT_EQ(TakeLines(FILE_OBJECTS), (Lines{"0000000A,000000C1", "0000000B,000000C2"}));
  EXPECT_LE(files_[FILE_OBJECTS].last_line_time, time_);
}

// --- growing numbers of objects ----------------------------------------------------------------

TEST_F(ObjectDefinitionsTest, DropsObjectsThatNoLineCanName) {
  definitions_.max_growth = 100;
  size_t most = 0;
  for (uint32_t i = 1; i <= 20000; i++) {
    DefineObject(0x10000 + i, 0xC1);
    ASSERT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x10000 + i).object, 0x10000 + i);
    if (i % 150 == 0) definitions_next_set(&definitions_);
    most = std::max(most, definitions_.num_objects);
    TakeLines(FILE_OBJECTS);
  }
  EXPECT_LT(most, 700u);
  EXPECT_GT(definitions_.generation, 51u);
}

TEST_F(ObjectDefinitionsTest, KeepsObjectsThatLinesMayStillName) {
  definitions_.max_growth = 10;
  WriteEvent(EVENT_THREAD_ENDED, 0);  // takes the definitions
  DefineObject(0x77, 0xC1);
  DefineObject(0x78, 0xC1);
  DefineObject(0x79, 0xC1);
  WriteEvent(EVENT_THREAD_SLEEP, 0x77);       // a living thread
  WriteEvent(EVENT_OBJECT_WAIT, 0x77, 0x78);  // an open pair
  struct count_line count = MakeCount(time_, 0x79);
  void *no_ref = nullptr;
  lock_counts_add_lock(lock_counts_, 0x79, 0x79, /* has_sides */ false, &no_ref);
  definitions_write_for_count(&definitions_, &count);
  for (uint32_t i = 1; i <= 1000; i++) {
    DefineObject(0x10000 + i, 0xC1);
    WriteEvent(EVENT_OBJECT_NOTIFY, 0x77, 0x10000 + i);
    if (i % 20 == 0) definitions_next_set(&definitions_);
  }
  EXPECT_LT(definitions_.num_objects, 100u);
  TakeLines(FILE_OBJECTS);
  definitions_next_set(&definitions_);
  EXPECT_EQ(WriteEvent(EVENT_OBJECT_WAITED, 0x77, 0x78).object, 0x78u);
  definitions_write_for_count(&definitions_, &count);
  Lines lines = TakeLines(FILE_OBJECTS);
  EXPECT_EQ(lines, (Lines{FormatLine(0x77, 0xC1), FormatLine(0x78, 0xC1), FormatLine(0x79, 0xC1)}));
  EXPECT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0x77, 0xB).object, 0u);  // it was dropped
}

// As after the lock died.
TEST_F(ObjectDefinitionsTest, DropsLocksThatAreNotCountedAnyMore) {
  definitions_.max_growth = 10;
  DefineObject(0x79, 0xC1);
  struct count_line count = MakeCount(time_, 0x79);
  definitions_write_for_count(&definitions_, &count);
  void *no_ref = nullptr;
  lock_counts_add_lock(lock_counts_, 0x79, 0x79, /* has_sides */ false, &no_ref);
  for (bool is_counted : {true, false}) {
    for (uint32_t i = 1; i <= 100; i++) {
      DefineObject(0x10000 + i, 0xC1);
      WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x10000 + i);
      if (i % 20 == 0) definitions_next_set(&definitions_);
    }
    EXPECT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x79).object, is_counted ? 0x79u : 0u);
    lock_counts_begin(lock_counts_);
  }
}

TEST_F(ObjectDefinitionsTest, DropsObjectsAfterTheirPairOrThreadEnds) {
  definitions_.max_growth = 10;
  DefineObject(0x77, 0xC1);
  DefineObject(0x78, 0xC1);
  WriteEvent(EVENT_OBJECT_WAIT, 0x77, 0x78);
  WriteEvent(EVENT_OBJECT_WAITED, 0x77, 0x78);
  WriteEvent(EVENT_THREAD_ENDED, 0x77);
  for (uint32_t i = 1; i <= 100; i++) {
    DefineObject(0x10000 + i, 0xC1);
    WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x10000 + i);
    if (i % 20 == 0) definitions_next_set(&definitions_);
  }
  EXPECT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x78).object, 0u);
  EXPECT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x77).object, 0u);
}

TEST_F(ObjectDefinitionsTest, KeepsObjectsOfTheLastGeneration) {
  definitions_.max_growth = 10;
  for (uint32_t i = 1; i <= 15; i++) DefineObject(0x10000 + i, 0xC1);
  definitions_take(&definitions_);
  definitions_next_set(&definitions_);
  ASSERT_EQ(definitions_.generation, 2u);
  EXPECT_EQ(WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0x10001).object,
            0x10001u);  // as of a record in the queue
}

TEST_F(ObjectDefinitionsTest, ProducersDefineAnObjectAgainAfterADrop) {
  definitions_.max_growth = 10;
  for (uint32_t i = 1; i <= 15; i++) object_set_define(defined_objects_, 0x10000 + i, 0xC1);
  definitions_take(&definitions_);
  object_set_define(defined_objects_, 0x10001, 0xC1);
  EXPECT_EQ(objects_.first, nullptr);
  definitions_next_set(&definitions_);
  object_set_define(defined_objects_, 0x10001, 0xC1);
  EXPECT_NE(objects_.first, nullptr);
}

TEST_F(ObjectDefinitionsTest, IsFullWithTooManyObjects) {
  definitions_.max_growth = 10;
  for (uint32_t i = 1; i <= 18; i++) DefineObject(0x10000 + i, 0xC1);
  definitions_take(&definitions_);
  EXPECT_FALSE(definitions_is_full(&definitions_));
  DefineObject(0x20000, 0xC1);
  definitions_take(&definitions_);
  EXPECT_TRUE(definitions_is_full(&definitions_));
  definitions_next_set(&definitions_);
  EXPECT_FALSE(definitions_is_full(&definitions_));  // even though it kept many
}

// --- without a next set ----------------------------------------------------------------------

class OneSetDefinitionsTest : public DefinitionsFixture {
 protected:
  void SetUp() override {
    DefinitionsFixture::SetUp();
    definitions_.keeps_texts = false;
  }
  std::string Find(enum file file, uint32_t id) {
    struct builder b = {};
    bool is_found = definitions_find(&definitions_, file, id, &b);
    std::string text(b.len == 0 ? "" : b.data, b.len);
    builder_free(&b);
    return is_found ? text : "none";
  }
};

TEST_F(OneSetDefinitionsTest, WritesWhatItTakesAndKeepsNothing) {
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  Define(&classes_, "000000C1,LA;,\n");
  DefineObject(0xA, 0xC1);
  DefineObject(0xA, 0xC1);
  definitions_take(&definitions_);
  EXPECT_EQ(TakeLines(FILE_CLASSES), Lines{"000000C1,LA;,"});
  EXPECT_EQ(TakeLines(FILE_METHODS), Lines{"00000001,f,()V,000000C1,-1"});
  EXPECT_EQ(TakeLines(FILE_OBJECTS), (Lines{"0000000A,000000C1", "0000000A,000000C1"}));
  EXPECT_EQ(hashmap_size(&definitions_.classes) + hashmap_size(&definitions_.methods), 0u);
  EXPECT_EQ(definitions_.num_objects, 0u);
}

// Its object may have been written long ago.
TEST_F(OneSetDefinitionsTest, LeavesLinesAsTheyAre) {
  struct stack stack = MakeStack("1;00000001;00000000");
  struct event_line line = WriteEvent(EVENT_OBJECT_NOTIFY, 0xA, 0xB, &stack);
  EXPECT_EQ(line.object, 0xBu);
  struct count_line count = {};
  count.object = 0xC;
  definitions_write_for_short(&definitions_, &count, &stack);
  EXPECT_EQ(count.object, 0xCu);
  for (enum file file : {FILE_CLASSES, FILE_METHODS, FILE_OBJECTS})
    EXPECT_EQ(TakeLines(file), Lines{});
}

TEST_F(OneSetDefinitionsTest, FindsTextsInTheFileAndBeforeTheyAreInIt) {
  Define(&classes_, "000000C1,LA;,\n");
  definitions_take(&definitions_);
  ASSERT_TRUE(dump_file_flush(&files_[FILE_CLASSES]));
  Define(&classes_, "000000C2,LB;,\n");
  EXPECT_EQ(Find(FILE_CLASSES, 0xC1), "000000C1,LA;,");
  EXPECT_EQ(Find(FILE_CLASSES, 0xC2), "000000C2,LB;,");
  EXPECT_EQ(Find(FILE_CLASSES, 0xC3), "none");
}

}  // namespace
