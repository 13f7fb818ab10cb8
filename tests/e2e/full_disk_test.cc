/* Tests a recording on a disk that is full (small_disk.c): the program goes on, what is lost is
   counted, and the recording goes on when there is room. */
#include <errno.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

constexpr const char *kFullMessage =
    ".orca: No space left on device; the program goes on, and events are dropped and counted until "
    "there is room";
constexpr const char *kDeletesMessage =
    ".orca: No space left on device; the oldest sets of files are deleted for it";

class FullDiskTest : public testing::TestWithParam<Jdk> {
 protected:
  static std::string Library() { return Runfile("tests/e2e/libsmall_disk.so"); }
  std::map<std::string, std::string> Environment() const {
    return {{"ORCA_DISK_FOLDER", calls_.folder()}, {"ORCA_DISK_SIZE", SizePath()}};
  }
  void Start(const std::string &options, uint64_t size) {
    SetSize(size);
    calls_.Start(GetParam(), options, Library(), Environment());
  }
  /* `why`: the errno of a write that does not fit. */
  void SetSize(uint64_t size, int why = ENOSPC) {
    std::ofstream(SizePath() + ".new") << size << " " << why << "\n";
    std::filesystem::rename(SizePath() + ".new", SizePath());
  }
  void ExpectMessage(const std::string &text) {
    EXPECT_TRUE(Eventually([&] { return !calls_.ReadMessages().empty(); }));
    std::vector<std::string> messages = calls_.ReadMessages();
    ASSERT_EQ(messages.size(), 1u) << ReadFile(calls_.dir() + "/stderr");
    EXPECT_EQ(messages[0], "orca: cannot write " + calls_.prefix() + text);
  }
  uint64_t SumSizes() const {
    uint64_t sum = 0;
    for (const auto &file : std::filesystem::directory_iterator(calls_.folder()))
      sum += std::filesystem::file_size(file);
    return sum;
  }
  uint64_t CountAllExits() const {
    uint64_t exits = 0;
    for (const std::string &set : FindSets(calls_.prefix()))
      exits += CountExits(ReadFile(set + ".orca"));
    return exits;
  }
  uint64_t ReadDropped() const { return ReadInfoNumber(calls_.prefix(), "events.dropped"); }

  Calls calls_;

 private:
  std::string SizePath() const { return calls_.dir() + "/size"; }
};

TEST_P(FullDiskTest, RecordsAgainWhenThereIsRoom) {
  for (const char *options : {"", ",maxsize=100KB"}) { /* without keep, no set may be deleted */
    SCOPED_TRACE(options);
    Start(options, 500000);
    ExpectMessage(kFullMessage);
    calls_.process().WaitUpTo(0.7);
    calls_.ExpectRunning();
    EXPECT_LE(SumSizes(), 500000u);
    SetSize(1000000000);
    calls_.process().WaitUpTo(0.7);
    uint64_t num = calls_.End();
    EXPECT_EQ(calls_.ReadMessages().size(), 1u);
    EXPECT_GT(SumSizes(), 500000u);
    EXPECT_GT(ReadDropped(), 0u);
    EXPECT_EQ(CountAllExits() + ReadDropped(), num);
    EXPECT_EQ(ReadInfoNumber(calls_.prefix(), "events.stalled"), ReadDropped());
    ExpectAccepted(calls_.prefix(), calls_.dir());
    Result report = calls_.RunOrcaOnFiles("report");
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_NE(report.out.find("dropped in stalls"), std::string::npos) << report.out;
    calls_.Reset();
  }
}

/* The device does not even take half a line; later it works again. */
TEST_P(FullDiskTest, RecordsAgainAfterAnErrorOfTheDevice) {
  for (const char *options : {"", ",maxsize=100KB,keep=100"}) {
    SCOPED_TRACE(options);
    Start(options, 1000000000);
    SetSize(0, EIO);
    const std::string start = "orca: cannot write " + calls_.prefix();
    const std::string end =
        ": Input/output error; the program goes on, and events are dropped and counted until the "
        "device takes them again";
    EXPECT_TRUE(Eventually([&] { return !calls_.ReadMessages().empty(); }));
    std::string message = calls_.ReadMessages().at(0); /* of any file of a set */
    EXPECT_EQ(message.rfind(start, 0), 0u) << message;
    EXPECT_EQ(message.find(end), message.size() - end.size()) << message;
    EXPECT_TRUE(Eventually([&] {
      Json status = ReadJson(calls_.RunOrca("status", {"--format", "json"}).out);
      return status.Has("events.dropped") && status["events.dropped"].Integer() > 0;
    }));
    calls_.ExpectRunning();
    uint64_t size = SumSizes(), sets = FindSets(calls_.prefix()).size();
    SetSize(1000000000);
    EXPECT_TRUE(Eventually([&] { return SumSizes() > size; }));
    EXPECT_GE(FindSets(calls_.prefix()).size(), sets) << "no set was deleted for room";
    uint64_t num = calls_.End();
    EXPECT_EQ(calls_.ReadMessages().size(), 1u);
    EXPECT_GT(ReadDropped(), 0u);
    EXPECT_EQ(CountAllExits() + ReadDropped(), num);
    ExpectAccepted(calls_.prefix(), calls_.dir());
    calls_.Reset();
  }
}

/* A black box keeps the newest sets, on a disk that is too small for `keep` sets. */
TEST_P(FullDiskTest, DeletesTheOldestSets) {
  Start(",maxsize=100KB,keep=100", 500000);
  ExpectMessage(kDeletesMessage);
  uint64_t number = ReadInfoNumber(calls_.prefix(), "set.number");
  calls_.process().WaitUpTo(1);
  uint64_t num = calls_.End();
  EXPECT_LE(SumSizes(), 500000u);
  EXPECT_GT(ReadInfoNumber(calls_.prefix(), "set.number"), number + 2);
  EXPECT_GE(FindSets(calls_.prefix()).size(), 3u);
  EXPECT_EQ(ReadDropped(), 0u);
  EXPECT_LT(CountAllExits(), num);
  EXPECT_EQ(calls_.ReadMessages().size(), 1u);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  EXPECT_EQ(calls_.RunOrcaOnFiles("report").status, 0);
}

TEST_P(FullDiskTest, TheJvmEndsOnAFullDisk) {
  Start("", 500000);
  ExpectMessage(kFullMessage);
  EXPECT_NE(calls_.RunOrca("status").out.find("events are dropped until the files take them again"),
            std::string::npos);
  uint64_t num = calls_.End();
  EXPECT_LE(CountAllExits(), num);
  EXPECT_LE(SumSizes(), 500000u);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  Result report = calls_.RunOrcaOnFiles("report");
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_EQ(calls_.ReadMessages().size(), 1u) << ReadFile(calls_.dir() + "/stderr");
}

TEST_P(FullDiskTest, ARecordingThatCannotBeginSaysWhy) {
  SetSize(0);
  calls_.StartOnly(GetParam(), "", Library(), Environment());
  Result result = calls_.process().Wait(60);
  EXPECT_EQ(result.status, 1);
  std::vector<std::string> messages = calls_.ReadMessages();
  ASSERT_EQ(messages.size(), 1u) << result.err;
  EXPECT_EQ(messages[0], "orca: cannot write " + calls_.prefix() +
                             ".info: No space left on device; nothing is recorded");
}

INSTANTIATE_TEST_SUITE_P(Jvm, FullDiskTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
