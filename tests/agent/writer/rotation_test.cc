#include "agent/writer/rotation.h"

#include <string.h>

#include "agent/base/clock.h"
#include "tests/agent/writer/define.h"
#include "tests/agent/writer/in_folder.h"

namespace {

class RotationTest : public DumpFolderTest {
 protected:
  void SetUp() override {
    DumpFolderTest::SetUp();
    for (auto *box : {&classes_, &methods_, &objects_}) outbox_init(box);
    rotation_.maxsize = 1000;
    rotation_.definitions.files = files_;
    rotation_.definitions.class_box = &classes_;
    rotation_.definitions.method_box = &methods_;
    rotation_.definitions.object_box = &objects_;
    rotation_.definitions.defined_objects = defined_objects_;
  }
  void TearDown() override {
    rotation_end(&rotation_);
    free(defined_objects_);
    DumpFolderTest::TearDown();
  }
  void StartRecording() {
    struct info_start start = {"17", "java Main", "out", 5000000000, 6000000000, 0, 0, nullptr};
    ASSERT_TRUE(rotation_start(&rotation_, &start));
  }
  void PutBytes(size_t bytes) {
    std::string text(bytes, 'x');
    builder_bytes(&files_[FILE_EVENTS].lines, text.data(), text.size());
  }
  std::string FormatInfo(uint64_t time_ns) {
    struct builder b = {};
    rotation_info(&rotation_, &b, time_ns, 3, 4);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  }
  bool HasFile(const std::string &name) const {
    return std::filesystem::exists(folder_ + "/" + name);
  }

  struct outbox classes_, methods_, objects_;
  struct object_set *defined_objects_ = object_set_new(&objects_);
  struct rotation rotation_ = {};
};

TEST_F(RotationTest, IsOffWithoutMaxsize) {
  rotation_.maxsize = 0;
  StartRecording();
  PutBytes(100000);
  EXPECT_FALSE(rotation_is_on(&rotation_));
  EXPECT_FALSE(rotation_is_due(&rotation_));
}

TEST_F(RotationTest, IsDueWhenAllFilesTogetherReachMaxsize) {
  StartRecording();
  PutBytes(600);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  ASSERT_TRUE(dump_file_flush(&files_[FILE_EVENTS]));  // bytes on disk count too
  PutBytes(399);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  builder_char(&files_[FILE_INFO].lines, 'x');
  EXPECT_TRUE(rotation_is_due(&rotation_));
}

TEST_F(RotationTest, RepeatsAtMostHalfOfASet) {
  StartRecording();
  PutBytes(5000);
  rotation_measure_carryover(&rotation_);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  PutBytes(4999);
  EXPECT_FALSE(rotation_is_due(&rotation_));
  PutBytes(1);
  EXPECT_TRUE(rotation_is_due(&rotation_));
}

TEST_F(RotationTest, WritesTheNumberOfTheSetAndItsRecordingToInfo) {
  StartRecording();
  std::string first = FormatInfo(5000000000);
  EXPECT_NE(first.find("start.monotonic=5.0000000000\nstart.utc=1970-01-01T00:00:06.000000000Z\n"
                       "set.number=1\nset.recording=5.0000000000\nset.threads=3\nset.samples=4\n"),
            std::string::npos)
      << first;
  ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  std::string second = FormatInfo(7000000000);
  EXPECT_NE(second.find("command=java Main\noptions=out\nstart.monotonic=7.0000000000\n"),
            std::string::npos)
      << second;
  EXPECT_NE(second.find("set.number=2\nset.recording=5.0000000000\n"), std::string::npos);
  EXPECT_EQ(second.find("1970"), std::string::npos);  // the wall clock is read again
}

TEST_F(RotationTest, KeepsAllSetsByDefault) {
  StartRecording();
  for (int i = 0; i < 5; i++) ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  EXPECT_TRUE(HasFile("out.0001.orca"));
  EXPECT_TRUE(HasFile("out.0005.orca"));
}

TEST_F(RotationTest, KeepsTheGivenNumberOfSetsWithTheCurrentOne) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 5; i++) ASSERT_EQ(rotation_next_set(&rotation_), NUM_FILES);
  EXPECT_EQ(ListNames().size(), 3u * NUM_FILES);
  for (const char *name : {"out.orca", "out.0004.orca", "out.0005.orca"})
    EXPECT_TRUE(HasFile(name));
}

TEST_F(RotationTest, DeletesTheSetsOfAnEarlierRecording) {
  WriteFile("out.0007.orca", "old\n");
  StartRecording();
  EXPECT_FALSE(HasFile("out.0007.orca"));
}

TEST_F(RotationTest, ReturnsTheFileThatCannotBeMade) {
  StartRecording();
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(rotation_next_set(&rotation_), FILE_CLASSES);
}

// A record may name a class until all records from before its end are written.
TEST_F(RotationTest, ForgetsUnloadedClassesAfterTheLastRecordThatMayNameThem) {
  StartRecording();
  Define(&classes_, "000000C1,LA;,A.java\n");
  Define(&classes_, "000000C2,LB;,\n");
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  Define(&methods_, "00000002,g,()V,000000C2,-1\n");
  definitions_take(&rotation_.definitions);
  static struct stack f; /* until TearDown */
  f.text = "1;00000001;00000000";
  f.text_len = strlen(f.text);
  struct record sample = {};
  sample.kind = RECORD_SAMPLE;
  sample.thread = 0xA;
  sample.stack = &f;
  rotation_follow(&rotation_, &sample);
  auto *living = static_cast<struct living_classes *>(calloc(1, sizeof(struct living_classes)));
  living->time_ns = clock_monotonic_ns();
  struct living_classes *slot = nullptr;
  rotation_forget_unloaded(&rotation_, &slot, UINT64_MAX);
  living_classes_put(&slot, living);
  rotation_forget_unloaded(&rotation_, &slot, clock_monotonic_ns());
  EXPECT_EQ(hashmap_size(&rotation_.definitions.classes), 2u);
  rotation_forget_unloaded(&rotation_, &slot, clock_monotonic_ns() + 60 * NS_PER_S);
  EXPECT_EQ(hashmap_size(&rotation_.definitions.classes), 1u) << "the next set repeats the sample";
  EXPECT_EQ(hashmap_size(&rotation_.definitions.methods), 1u);
  EXPECT_EQ(slot, nullptr);
}

TEST_F(RotationTest, LeavesTheLivingClassesAloneWithoutMaxsize) {
  rotation_.maxsize = 0;
  StartRecording();
  auto *slot = static_cast<struct living_classes *>(calloc(1, sizeof(struct living_classes)));
  rotation_forget_unloaded(&rotation_, &slot, UINT64_MAX);
  EXPECT_NE(slot, nullptr);
  living_classes_put(&slot, nullptr);
}

}  // namespace
