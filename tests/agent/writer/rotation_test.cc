#include "agent/writer/rotation.h"

#include <string.h>

#include "tests/agent/writer/in_folder.h"

namespace {

class Rotation : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    for (auto *box : {&classes_, &methods_, &objects_}) outbox_init(box);
    rotation_.maxsize = 1000;
    rotation_.definitions.files = files_;
    rotation_.definitions.class_box = &classes_;
    rotation_.definitions.method_box = &methods_;
    rotation_.definitions.object_box = &objects_;
    rotation_.definitions.forget_objects = [](void *) {};
  }
  void TearDown() override {
    rotation_end(&rotation_);
    InFolder::TearDown();
  }
  void Start() {
    struct info_start start = {"17", "java Main", "out", 5000000000, 6000000000, 0, 0};
    ASSERT_TRUE(rotation_start(&rotation_, &start));
  }
  void Put(size_t bytes) {
    std::string text(bytes, 'x');
    builder_bytes(&files_[ORCA].lines, text.data(), text.size());
  }
  std::string Info(uint64_t time_ns) {
    struct builder b = {};
    rotation_info(&rotation_, &b, time_ns, 3, 4);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }
  bool Has(const std::string &name) const { return std::filesystem::exists(folder_ + "/" + name); }

  struct outbox classes_, methods_, objects_;
  struct rotation rotation_ = {};
};

TEST_F(Rotation, IsOffWithoutASize) {
  rotation_.maxsize = 0;
  Start();
  Put(100000);
  EXPECT_FALSE(rotation_is_on(&rotation_));
  EXPECT_FALSE(rotation_is_due(&rotation_));
}

TEST_F(Rotation, ASetIsFullWhenItsFilesAreOfThatSizeTogether) {
  Start();
  Put(600);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  ASSERT_TRUE(dump_file_flush(&files_[ORCA]));  // on disk or not
  Put(399);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  builder_char(&files_[INFO].lines, 'x');
  EXPECT_TRUE(rotation_is_due(&rotation_));
}

TEST_F(Rotation, HalfOfASetIsNewHoweverMuchStoodBefore) {
  Start();
  Put(5000);
  rotation_measure_carryover(&rotation_);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  Put(4999);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  Put(1);
  EXPECT_TRUE(rotation_is_due(&rotation_));
}

TEST_F(Rotation, InfoSaysWhichSetItIsOfWhichRecording) {
  Start();
  std::string first = Info(5000000000);
  EXPECT_NE(first.find("start.monotonic=5.0000000000\nstart.utc=1970-01-01T00:00:06.000000000Z\n"
                       "set.number=1\nset.recording=5.0000000000\nset.threads=3\nset.samples=4\n"),
            std::string::npos)
      << first;
  ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  std::string second = Info(7000000000);
  EXPECT_NE(second.find("command=java Main\noptions=out\nstart.monotonic=7.0000000000\n"),
            std::string::npos)
      << second;
  EXPECT_NE(second.find("set.number=2\nset.recording=5.0000000000\n"), std::string::npos);
  EXPECT_EQ(second.find("1970"), std::string::npos);  // by today's wall clock
}

TEST_F(Rotation, AllSetsAreKeptUnlessItIsSaid) {
  Start();
  for (int i = 0; i < 5; i++) ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  EXPECT_TRUE(Has("out.0001.orca"));
  EXPECT_TRUE(Has("out.0005.orca"));
}

TEST_F(Rotation, SoManySetsAreKeptWithTheOneBeingWritten) {
  rotation_.keep = 3;
  Start();
  for (int i = 0; i < 5; i++) ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  EXPECT_EQ(Names().size(), 3u * NUM_FILES);
  for (const char *name : {"out.orca", "out.0004.orca", "out.0005.orca"}) EXPECT_TRUE(Has(name));
}

TEST_F(Rotation, WhatAnEarlierRecordingLeftIsCleared) {
  Write("out.0007.orca", "old\n");
  Start();
  EXPECT_FALSE(Has("out.0007.orca"));
}

TEST_F(Rotation, WhereTheNextSetCannotBeMadeItSaysForWhichFile) {
  Start();
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(rotation_next_set(&rotation_), CLASSTABLE);
}

}  // namespace
