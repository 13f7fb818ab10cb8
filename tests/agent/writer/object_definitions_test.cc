#include <string.h>

#include <set>

#include "tests/agent/writer/definitions_fixture.h"

namespace {

class KnownObjects : public DefinitionsTest {
 protected:
  void SetUp() override {
    DefinitionsTest::SetUp();
    Define(&classes_, "000000C1,LA;,\n");
    Define(&classes_, "000000C2,LB;,\n");
    DefineObject(0xA, 0xC1);
    DefineObject(0xB, 0xC2);
  }
  static std::string Line(uint32_t hash, uint32_t class_id) {
    char line[32];
    snprintf(line, sizeof line, "%08X,%08X", hash, class_id);
    return line;
  }
};

TEST_F(KnownObjects, ALineEachAtTheFirstUseInASet) {
  for (int set = 0; set < 3; set++) {
    EXPECT_EQ(Take(OBJECTS), Lines{}) << set;
    for (int i = 0; i < 3; i++) Event(EVENT_OBJECT_NOTIFY, 0xA, 0xB);
    EXPECT_EQ(Take(OBJECTS), (Lines{"0000000A,000000C1", "0000000B,000000C2"})) << set;
    EXPECT_EQ(Take(CLASSTABLE), (Lines{"000000C1,LA;,", "000000C2,LB;,"})) << set;
    definitions_next_set(&definitions_);
  }
}

TEST_F(KnownObjects, TheLineIsNotLaterThanItsEventAndTimesAscend) {
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
    EXPECT_LE(files_[OBJECTS].last_line_time, line.time);
    EXPECT_GT(files_[OBJECTS].last_line_time, last);
    last = files_[OBJECTS].last_line_time;
    definitions_next_set(&definitions_);
  }
}

TEST_F(KnownObjects, TwoMayShareAHash) {
  DefineObject(0xA, 0xC2);
  Event(EVENT_THREAD_ENDED, 0xA);
  Lines lines = Take(OBJECTS);
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()),
            (std::set<std::string>{"0000000A,000000C1", "0000000A,000000C2"}));
  DefineObject(0xA, 0xC2);  // again: no news
  Event(EVENT_THREAD_ENDED, 0xA);
  definitions_take(&definitions_);
  EXPECT_EQ(Take(OBJECTS), Lines{});
}

TEST_F(KnownObjects, AnUnknownOneBecomesNone) {
  struct event_line line = Event(EVENT_OBJECT_WAIT, 0xA, 0xFF);
  EXPECT_EQ(line.object, 0u);
  line = Event(EVENT_OBJECT_WAIT, 0xA, 0xB);
  EXPECT_EQ(line.object, 0xBu);
}

// The time of a count is later than that of events which are yet to be written.
TEST_F(KnownObjects, OfACountTheObjectIsDefinedInThePast) {
  Event(EVENT_THREAD_ENDED, 0xA);
  files_[ORCA].last_line_time = time_;
  struct count_line count = {time_ + 100000, EVENT_LOCK_ACQUIRED, 0xB, 1};
  definitions_write_for_count(&definitions_, &count);
  EXPECT_EQ(Take(OBJECTS), (Lines{"0000000A,000000C1", "0000000B,000000C2"}));
  EXPECT_LE(files_[OBJECTS].last_line_time, time_);
}

// --- as there are more and more ---------------------------------------------------------------

// What the test's producers would define, if this is a new wave for them.
TEST_F(KnownObjects, MemoryDoesNotGrowWithThoseThatAreNotNamedAnyMore) {
  definitions_.max_growth = 100;
  size_t most = 0;
  for (uint32_t i = 1; i <= 20000; i++) {
    DefineObject(0x10000 + i, 0xC1);
    ASSERT_EQ(Event(EVENT_OBJECT_NOTIFY, 0xA, 0x10000 + i).object, 0x10000 + i);
    if (i % 150 == 0) definitions_next_set(&definitions_);
    most = std::max(most, definitions_.num_objects);
    Take(OBJECTS);
  }
  EXPECT_LT(most, 700u);
  EXPECT_GT(forgotten_, 50);
}

TEST_F(KnownObjects, WhatMayStillBeNamedIsKept) {
  definitions_.max_growth = 10;
  Event(EVENT_THREAD_ENDED, 0);  // fetches them
  DefineObject(0x77, 0xC1);
  DefineObject(0x78, 0xC1);
  DefineObject(0x79, 0xC1);
  Event(EVENT_THREAD_SLEEP, 0x77);       // a thread that lives
  Event(EVENT_OBJECT_WAIT, 0x77, 0x78);  // a pair that is not over
  struct count_line count = {time_, EVENT_LOCK_ACQUIRED, 0x79, 1};
  definitions_write_for_count(&definitions_, &count);  // a lock that is counted
  for (uint32_t i = 1; i <= 1000; i++) {
    DefineObject(0x10000 + i, 0xC1);
    Event(EVENT_OBJECT_NOTIFY, 0x77, 0x10000 + i);
    if (i % 20 == 0) definitions_next_set(&definitions_);
  }
  EXPECT_LT(definitions_.num_objects, 100u);
  Take(OBJECTS);
  definitions_next_set(&definitions_);
  EXPECT_EQ(Event(EVENT_OBJECT_WAITED, 0x77, 0x78).object, 0x78u);
  definitions_write_for_count(&definitions_, &count);
  Lines lines = Take(OBJECTS);
  EXPECT_EQ(lines, (Lines{Line(0x77, 0xC1), Line(0x78, 0xC1), Line(0x79, 0xC1)}));
  EXPECT_EQ(Event(EVENT_OBJECT_NOTIFY, 0x77, 0xB).object, 0u);  // that one is long gone
}

TEST_F(KnownObjects, ItIsLetGoWhenThePairEndsAndTheThreadDoes) {
  definitions_.max_growth = 10;
  DefineObject(0x77, 0xC1);
  DefineObject(0x78, 0xC1);
  Event(EVENT_OBJECT_WAIT, 0x77, 0x78);
  Event(EVENT_OBJECT_WAITED, 0x77, 0x78);
  Event(EVENT_THREAD_ENDED, 0x77);
  for (uint32_t i = 1; i <= 100; i++) {
    DefineObject(0x10000 + i, 0xC1);
    Event(EVENT_OBJECT_NOTIFY, 0xA, 0x10000 + i);
    if (i % 20 == 0) definitions_next_set(&definitions_);
  }
  EXPECT_EQ(Event(EVENT_OBJECT_NOTIFY, 0xA, 0x78).object, 0u);
  EXPECT_EQ(Event(EVENT_OBJECT_NOTIFY, 0xA, 0x77).object, 0u);
}

TEST_F(KnownObjects, OneThatWasDefinedSinceTheLastWaveIsKeptThroughTheNext) {
  definitions_.max_growth = 10;
  for (uint32_t i = 1; i <= 15; i++) DefineObject(0x10000 + i, 0xC1);
  definitions_take(&definitions_);
  definitions_next_set(&definitions_);
  ASSERT_EQ(forgotten_, 1);
  EXPECT_EQ(Event(EVENT_OBJECT_NOTIFY, 0xA, 0x10001).object, 0x10001u);  // it was on its way
}

TEST_F(KnownObjects, ASetMayBeFullOfThem) {
  definitions_.max_growth = 10;
  for (uint32_t i = 1; i <= 18; i++) DefineObject(0x10000 + i, 0xC1);
  definitions_take(&definitions_);
  EXPECT_FALSE(definitions_is_full(&definitions_));
  DefineObject(0x20000, 0xC1);
  definitions_take(&definitions_);
  EXPECT_TRUE(definitions_is_full(&definitions_));
  definitions_next_set(&definitions_);
  EXPECT_FALSE(definitions_is_full(&definitions_));  // however many were kept
}

}  // namespace
