#include "agent/writer/load.h"

#include "agent/base/clock.h"
#include "agent/files/output.h"
#include "gtest/gtest.h"

namespace {

// The load of an output whose files and sets are made up.
class Load : public testing::Test {
 protected:
  Load() {
    load_init(&load_);
    load_begin(&load_);
  }
  void SetFiles(uint64_t events, uint64_t info) {
    output_.files[0].size = events;
    output_.files[1].size = info;
  }
  // The current set has ended, and the next one is `number`.
  void EndSet(uint64_t bytes) {
    struct rotation *r = &output_.rotation;
    r->finished = finished_;
    finished_[r->num_finished].number = r->number;
    finished_[r->num_finished++].bytes = bytes;
    r->number++;
  }
  void Publish(uint64_t kept = 0) { load_publish(&load_, &output_, kept); }
  struct writer_load Read() {
    return load_read(&load_);
  }

  struct load load_;
  struct output output_ = {};
  struct finished_set finished_[8] = {};
};

TEST_F(Load, IsThatOfTheFilesWithoutSets) {
  SetFiles(1000, 20);
  output_.events = 7;
  output_.samples = 3;
  Publish();
  EXPECT_EQ(Read().disk_bytes, 1020u);
  EXPECT_EQ(Read().sets, 1u);
  EXPECT_EQ(Read().sets_delayed, 0u);
  EXPECT_EQ(Read().recent.events, 7u);
  EXPECT_EQ(Read().recent.samples, 3u);
  EXPECT_EQ(Read().recent.bytes, 1020u);
}

TEST_F(Load, CountsEachByteOnceWhenSetsEnd) {
  output_.rotation.number = 1;
  SetFiles(500, 0);
  Publish();
  EndSet(900);  // 400 bytes came after the last look
  SetFiles(100, 0);
  Publish();
  EXPECT_EQ(Read().recent.bytes, 1000u);
  EXPECT_EQ(Read().disk_bytes, 1000u);
  EXPECT_EQ(Read().sets, 2u);
  EndSet(150);
  EndSet(60);  // two sets ended between two looks
  SetFiles(10, 0);
  Publish(4);
  EXPECT_EQ(Read().recent.bytes, 900u + 150 + 60 + 10);
  EXPECT_EQ(Read().sets, 4u);
  EXPECT_EQ(Read().kept, 4u);
}

TEST_F(Load, DeletedSetsAreWrittenButNotOnDisk) {
  output_.rotation.number = 1;
  EndSet(900);
  EndSet(800);
  SetFiles(50, 0);
  Publish();
  EXPECT_EQ(Read().recent.bytes, 1750u);
  finished_[0] = finished_[1];
  output_.rotation.num_finished = 1;
  output_.rotation.failures = 2;
  Publish();
  EXPECT_EQ(Read().recent.bytes, 1750u);
  EXPECT_EQ(Read().disk_bytes, 850u);
  EXPECT_EQ(Read().sets_delayed, 2u);
}

TEST_F(Load, BeginsAgain) {
  SetFiles(1000, 0);
  Publish();
  load_begin(&load_);
  SetFiles(30, 0);
  Publish();
  EXPECT_EQ(Read().recent.bytes, 30u);
}

TEST_F(Load, KnowsTheTables) {
  output_.definitions.class_bytes = 100;
  output_.definitions.num_objects = 3;
  output_.definitions.capacity = 4;
  load_publish_tables(&load_, &output_);
  EXPECT_EQ(load_read_table(&load_, WRITER_CLASSES).entries, 0u);
  EXPECT_EQ(load_read_table(&load_, WRITER_CLASSES).bytes, 100u);
  EXPECT_EQ(load_read_table(&load_, WRITER_OBJECTS).entries, 3u);
  EXPECT_EQ(load_read_table(&load_, WRITER_OBJECTS).bytes, 4 * sizeof *output_.definitions.objects);
  EXPECT_EQ(load_read_table(&load_, WRITER_THREADS).entries, 0u);
}

class RatesTest : public testing::Test {
 protected:
  RatesTest() {
    rates_init(&rates_);
    rates_begin(&rates_, At(100));
  }
  static uint64_t At(double seconds) { return static_cast<uint64_t>(seconds * 1e9); }
  void Note(double seconds, uint64_t events) {
    struct rates_look totals = {At(seconds), events, 2 * events, 10 * events};
    rates_note(&rates_, &totals);
  }

  struct rates rates_ = {};
};

TEST_F(RatesTest, BeginAtZero) {
  EXPECT_EQ(rates_read(&rates_, At(100)).ns, 0u);
  struct rates_span span = rates_read(&rates_, At(102));
  EXPECT_EQ(span.ns, At(2));
  EXPECT_EQ(span.events, 0u);
}

TEST_F(RatesTest, AreThoseOfTheLastSeconds) {
  for (int s = 1; s <= 60; s++) Note(100 + s, static_cast<uint64_t>(s) * 7);
  struct rates_span span = rates_read(&rates_, At(160.5));
  EXPECT_EQ(span.ns, At(160.5) - At(155));
  EXPECT_EQ(span.events, 5u * 7);
  EXPECT_EQ(span.samples, 5u * 14);
  EXPECT_EQ(span.bytes, 5u * 70);
}

TEST_F(RatesTest, KnowWhatIsNewerThanTheLastLook) {
  Note(101, 10);
  Note(101.2, 30);
  EXPECT_EQ(rates_read(&rates_, At(101.5)).events, 30u);
  /* Then the writer sleeps. */
  EXPECT_EQ(rates_read(&rates_, At(130)).events, 20u);
  EXPECT_EQ(rates_read(&rates_, At(130)).ns, At(29));
}

TEST_F(RatesTest, BeginAgain) {
  Note(101, 10);
  rates_begin(&rates_, At(200));
  Note(201, 4);
  EXPECT_EQ(rates_read(&rates_, At(202)).events, 4u);
  EXPECT_EQ(rates_read(&rates_, At(202)).ns, At(2));
}

}  // namespace
