#include "agent/writer/load.h"

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

}  // namespace
