#include <string.h>

#include <algorithm>
#include <set>

#include "tests/agent/writer/definitions_fixture.h"

namespace {

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

}  // namespace
