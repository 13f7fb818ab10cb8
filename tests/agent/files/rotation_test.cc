#include "agent/files/rotation.h"

#include "agent/base/clock.h"
#include "tests/agent/files/in_folder.h"
#include "tests/agent/files/info_start.h"

namespace {

class RotationTest : public DumpFolderTest {
 protected:
  void SetUp() override {
    DumpFolderTest::SetUp();
    rotation_.files = files_;
    rotation_.maxsize = 1000;
  }
  void TearDown() override {
    rotation_end(&rotation_);
    DumpFolderTest::TearDown();
  }
  void StartRecording() {
    struct info_start start = MakeInfoStart(5000000000, 6000000000);
    ASSERT_TRUE(rotation_start(&rotation_, &start));
  }
  void PutBytes(size_t bytes) {
    std::string text(bytes, 'x');
    builder_bytes(&files_[FILE_EVENTS].lines, text.data(), text.size());
  }
  bool BeginNextSet() {
    return rotation_make_next(&rotation_) && rotation_next_set(&rotation_, false);
  }
  bool IsFull() const { return rotation_is_full(&rotation_, /* is_wanted */ false); }
  void FlushBytes(size_t bytes) {
    PutBytes(bytes);
    ASSERT_TRUE(dump_file_flush(&files_[FILE_EVENTS]));
  }
  // The set after the current one cannot be made: a file of another recording has its name.
  void BlockNextSet() { WriteFile("out.next.info", "format=1\n"); }
  void AllowNextSet() {
    std::filesystem::remove(folder_ + "/out.next.info");
    rotation_.retry_ns = 1;
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

  struct rotation rotation_ = {};
};

TEST_F(RotationTest, WithoutALimitThereIsOneSet) {
  rotation_.maxsize = 0;
  WriteFile("out.0007.orca", "of another recording\n");
  StartRecording();
  PutBytes(100000);
  rotation_note_line(&rotation_, 7);
  EXPECT_FALSE(rotation_has_limits(&rotation_));
  EXPECT_FALSE(rotation_is_full(&rotation_, /* is_wanted */ true));
  EXPECT_FALSE(rotation_is_old(&rotation_, UINT64_MAX - 1));
  EXPECT_TRUE(rotation_has_room(&rotation_));
  EXPECT_EQ(rotation_next_due(&rotation_), UINT64_MAX);
  EXPECT_EQ(FormatInfo(5000000000).find("set."), std::string::npos);
  EXPECT_TRUE(HasFile("out.0007.orca"));
}

TEST_F(RotationTest, EndsForAnotherReason) {
  StartRecording();
  PutBytes(10);
  EXPECT_FALSE(IsFull());
  EXPECT_TRUE(rotation_is_full(&rotation_, /* is_wanted */ true));
}

TEST_F(RotationTest, IsDueWhenAllFilesTogetherReachMaxsize) {
  StartRecording();
  PutBytes(600);
  EXPECT_FALSE(IsFull());
  ASSERT_TRUE(dump_file_flush(&files_[FILE_EVENTS]));  // bytes on disk count too
  PutBytes(399);
  EXPECT_FALSE(IsFull());
  builder_char(&files_[FILE_INFO].lines, 'x');
  EXPECT_TRUE(IsFull());
}

TEST_F(RotationTest, RepeatsAtMostHalfOfASet) {
  StartRecording();
  PutBytes(5000);
  rotation_measure_carryover(&rotation_);
  EXPECT_FALSE(IsFull());
  PutBytes(4999);
  EXPECT_FALSE(IsFull());
  PutBytes(1);
  EXPECT_TRUE(IsFull());
}

TEST_F(RotationTest, WritesTheNumberOfTheSetAndItsRecordingToInfo) {
  StartRecording();
  std::string first = FormatInfo(5000000000);
  EXPECT_NE(first.find("start.monotonic=5.0000000000\nstart.utc=1970-01-01T00:00:06.000000000Z\n"
                       "set.number=1\nset.recording=5.0000000000\nset.threads=3\nset.samples=4\n"),
            std::string::npos)
      << first;
  ASSERT_TRUE(BeginNextSet());
  std::string second = FormatInfo(7000000000);
  EXPECT_NE(second.find("command=java Main\noptions=out\nstart.monotonic=7.0000000000\n"),
            std::string::npos)
      << second;
  EXPECT_NE(second.find("set.number=2\nset.recording=5.0000000000\n"), std::string::npos);
  EXPECT_EQ(second.find("1970"), std::string::npos);  // the wall clock is read again
}

TEST_F(RotationTest, KeepsAllSetsByDefault) {
  StartRecording();
  for (int i = 0; i < 5; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_TRUE(HasFile("out.0001.orca"));
  EXPECT_TRUE(HasFile("out.0005.orca"));
}

TEST_F(RotationTest, KeepsTheGivenNumberOfSetsWithTheCurrentOne) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 5; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_EQ(ListNames().size(), 3u * NUM_FILES);
  for (const char *name : {"out.orca", "out.0004.orca", "out.0005.orca"})
    EXPECT_TRUE(HasFile(name));
}

TEST_F(RotationTest, DeletesTheSetsOfAnEarlierRecording) {
  WriteFile("out.0007.orca", "old\n");
  StartRecording();
  EXPECT_FALSE(HasFile("out.0007.orca"));
}

TEST_F(RotationTest, ReportsOneFailureAndCountsAll) {
  StartRecording();
  BlockNextSet();
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; i++) EXPECT_FALSE(BeginNextSet());
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "orca: cannot begin the next set of files at " + Prefix() +
          ".next.info: File exists; the current set goes on, Orca tries again every second\n");
  EXPECT_EQ(rotation_.failures, 3u);
  EXPECT_EQ(rotation_.number, 1u);
  EXPECT_EQ(ListNames().size(), NUM_FILES + 1u);
}

TEST_F(RotationTest, NamesTheFileThatIsInTheWay) {
  StartRecording();
  WriteFile("out.0001.samples", "");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(BeginNextSet());
  EXPECT_NE(testing::internal::GetCapturedStderr().find(Prefix() + ".0001.samples: File exists"),
            std::string::npos);
  EXPECT_TRUE(HasFile("out.orca"));
  EXPECT_FALSE(HasFile("out.next.orca"));
}

TEST_F(RotationTest, TriesAgainLater) {
  StartRecording();
  FlushBytes(1000);
  BlockNextSet();
  testing::internal::CaptureStderr();
  EXPECT_FALSE(BeginNextSet());
  testing::internal::GetCapturedStderr();
  EXPECT_FALSE(IsFull());  // not before the next attempt
  EXPECT_GT(rotation_.retry_ns, clock_monotonic_ns());
  EXPECT_LE(rotation_.retry_ns, clock_monotonic_ns() + ROTATION_RETRY_NS);
  AllowNextSet();
  EXPECT_TRUE(IsFull());
  EXPECT_TRUE(BeginNextSet());
  EXPECT_EQ(rotation_.retry_ns, 0u);
}

// The oldest sets make room for a current set that cannot end.
TEST_F(RotationTest, StaysBelowTheBoundWhileTheNextSetCannotBegin) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 2; i++) {
    FlushBytes(1000);
    ASSERT_TRUE(BeginNextSet());
  }
  FlushBytes(999);
  BlockNextSet();
  testing::internal::CaptureStderr();
  EXPECT_FALSE(BeginNextSet());
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(rotation_has_room(&rotation_));
  EXPECT_TRUE(HasFile("out.0001.orca"));
  FlushBytes(1);
  EXPECT_TRUE(rotation_has_room(&rotation_));
  EXPECT_FALSE(HasFile("out.0001.orca"));
  FlushBytes(1000);
  EXPECT_TRUE(rotation_has_room(&rotation_));
  EXPECT_FALSE(HasFile("out.0002.orca"));
  FlushBytes(999);
  EXPECT_TRUE(rotation_has_room(&rotation_));
  FlushBytes(1);
  EXPECT_FALSE(rotation_has_room(&rotation_));
  AllowNextSet();
  ASSERT_TRUE(BeginNextSet());
  EXPECT_TRUE(rotation_has_room(&rotation_));
}

// --- sets that end for a snapshot ----------------------------------------------------------

TEST_F(RotationTest, DeletesOldSetsForRoomOnlyIfSetsMayBeDeleted) {
  StartRecording();
  EXPECT_FALSE(rotation_delete_for_room(&rotation_)) << "there is only the current set";
  for (int i = 0; i < 3; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_FALSE(rotation_delete_for_room(&rotation_)) << "all sets are kept";
  rotation_.keep = 10;
  EXPECT_TRUE(rotation_delete_for_room(&rotation_));
  EXPECT_FALSE(HasFile("out.0001.orca"));
  EXPECT_TRUE(HasFile("out.0002.orca"));
  EXPECT_TRUE(rotation_delete_for_room(&rotation_));
  EXPECT_TRUE(rotation_delete_for_room(&rotation_));
  EXPECT_FALSE(rotation_delete_for_room(&rotation_));
  EXPECT_TRUE(HasFile("out.orca"));
}

// A moved set belongs to whoever moved it.
TEST_F(RotationTest, DoesNotDeleteASetThatSomebodyHasMoved) {
  rotation_.keep = 2;
  StartRecording();
  for (const char *suffix : file_suffixes)
    std::filesystem::rename(folder_ + "/out" + suffix, folder_ + "/away" + suffix);
  for (int i = 0; i < 3; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_TRUE(HasFile("away.orca"));
  EXPECT_FALSE(HasFile("out.0001.orca"));
  EXPECT_TRUE(HasFile("out.0003.orca"));
  EXPECT_EQ(rotation_.num_finished, 1u);
}

TEST_F(RotationTest, SetsThatEndEarlyCountWithTheNextOne) {
  rotation_.keep = 2;
  StartRecording();
  auto end_set = [&](size_t bytes, bool is_early) {
    FlushBytes(bytes);
    ASSERT_TRUE(rotation_make_next(&rotation_) && rotation_next_set(&rotation_, is_early));
  };
  end_set(300, true);
  FlushBytes(699);
  EXPECT_FALSE(IsFull());
  FlushBytes(1);  // 1,000 bytes in both sets
  EXPECT_TRUE(IsFull());
  ASSERT_TRUE(BeginNextSet());
  EXPECT_TRUE(HasFile("out.0001.orca"));
  FlushBytes(999);
  EXPECT_FALSE(IsFull());
  end_set(0, true);
  EXPECT_TRUE(HasFile("out.0001.orca"));
  end_set(1, false);  // now both parts of the first one are too old
  EXPECT_FALSE(HasFile("out.0001.orca"));
  EXPECT_FALSE(HasFile("out.0002.orca"));
  EXPECT_TRUE(HasFile("out.0003.orca"));
  EXPECT_TRUE(HasFile("out.0004.orca"));
}

// However often sets end early, the finished ones are not larger than keep - 1 times maxsize.
TEST_F(RotationTest, ManyEarlySetsStayBelowTheBound) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 100; i++) {
    FlushBytes(100);
    ASSERT_TRUE(rotation_make_next(&rotation_) && rotation_next_set(&rotation_, true));
    uint64_t bytes = 0;
    for (size_t at = 0; at < rotation_.num_finished; at++) bytes += rotation_.finished[at].bytes;
    EXPECT_LT(bytes, 3000u);
  }
  EXPECT_GE(rotation_.num_finished, 20u);
}

// However often small sets end early, their number is bounded, and so is the number of files.
TEST_F(RotationTest, ManySmallEarlySetsAreFew) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 200; i++) {
    FlushBytes(1);
    ASSERT_TRUE(rotation_make_next(&rotation_) && rotation_next_set(&rotation_, true));
    EXPECT_LE(rotation_.num_finished, 3u * (ROTATION_MAX_EARLY + 1));
  }
  EXPECT_GE(rotation_.num_finished, 2u * (ROTATION_MAX_EARLY + 1));
}

TEST_F(RotationTest, DeletesNoPinnedSet) {
  rotation_.keep = 3;
  StartRecording();
  for (int i = 0; i < 2; i++) ASSERT_TRUE(BeginNextSet());
  rotation_.finished[0].end_ns = 1000;
  rotation_pin(&rotation_, 1001);
  for (int i = 0; i < 2; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_FALSE(HasFile("out.0001.orca"));
  EXPECT_TRUE(HasFile("out.0002.orca"));
  rotation_unpin(&rotation_);
  EXPECT_FALSE(HasFile("out.0002.orca"));
  EXPECT_TRUE(HasFile("out.0003.orca"));
  rotation_pin(&rotation_, UINT64_MAX);
  EXPECT_EQ(rotation_.pinned, rotation_.number);
  rotation_unpin(&rotation_);
}

// --- age ----------------------------------------------------------------------------------

class RotationAgeTest : public RotationTest {
 protected:
  void SetUp() override {
    RotationTest::SetUp();
    rotation_.maxsize = 0;
    rotation_.age_ns = 4000;
  }
};

TEST_F(RotationAgeTest, ASetIsOldAQuarterOfTheAgeAfterItsFirstLine) {
  StartRecording();
  EXPECT_FALSE(rotation_is_old(&rotation_, 1000000));
  EXPECT_EQ(rotation_next_due(&rotation_), UINT64_MAX);
  rotation_note_line(&rotation_, 7000);
  rotation_note_line(&rotation_, 7500);
  EXPECT_FALSE(rotation_is_old(&rotation_, 7999));
  EXPECT_TRUE(rotation_is_old(&rotation_, 8000));
  EXPECT_EQ(rotation_next_due(&rotation_), 8000u);
  ASSERT_TRUE(BeginNextSet());
  EXPECT_FALSE(rotation_is_old(&rotation_, 1000000));  // the next set has no line yet
  EXPECT_FALSE(IsFull());
}

TEST_F(RotationAgeTest, DeletesSetsThatEndedLongAgo) {
  StartRecording();
  for (int i = 0; i < 3; i++) ASSERT_TRUE(BeginNextSet());
  for (int i = 0; i < 3; i++) rotation_.finished[i].end_ns = 10000 + 1000 * i;
  EXPECT_EQ(rotation_next_due(&rotation_), 14000u);
  rotation_delete_old(&rotation_, 13999);
  EXPECT_TRUE(HasFile("out.0001.orca"));
  rotation_delete_old(&rotation_, 15000);
  EXPECT_FALSE(HasFile("out.0001.orca"));
  EXPECT_FALSE(HasFile("out.0002.orca"));
  EXPECT_TRUE(HasFile("out.0003.orca"));
  EXPECT_EQ(rotation_next_due(&rotation_), 16000u);
  rotation_.pinned = 3;
  rotation_delete_old(&rotation_, 99999);
  EXPECT_TRUE(HasFile("out.0003.orca"));
}

TEST_F(RotationAgeTest, TheTighterBoundCounts) {
  rotation_.keep = 2;
  StartRecording();
  for (int i = 0; i < 3; i++) ASSERT_TRUE(BeginNextSet());
  EXPECT_FALSE(HasFile("out.0002.orca"));
  EXPECT_TRUE(HasFile("out.0003.orca"));
  rotation_delete_old(&rotation_, clock_monotonic_ns() + 4000);
  EXPECT_FALSE(HasFile("out.0003.orca"));
}

}  // namespace
