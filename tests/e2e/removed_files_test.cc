/* Tests that a program goes on when somebody deletes or moves the files while they are written. */
#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sets.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

class RemovedFilesTest : public testing::TestWithParam<Jdk> {
 protected:
  void ExpectOneMessage(const std::string &start) {
    EXPECT_TRUE(Eventually([&] { return !calls_.ReadMessages().empty(); }));
    std::vector<std::string> messages = calls_.ReadMessages();
    ASSERT_EQ(messages.size(), 1u) << ReadFile(calls_.dir() + "/stderr");
    EXPECT_EQ(messages[0].rfind("orca: " + start, 0), 0u) << messages[0];
  }
  uint64_t CountAllExits() const {
    uint64_t exits = 0;
    for (const std::string &set : FindSets(calls_.prefix()))
      exits += CountExits(ReadFile(set + ".orca"));
    return exits;
  }

  Calls calls_;
};

TEST_P(RemovedFilesTest, ARecordingInOneSetEnds) {
  calls_.Start(GetParam(), "");
  std::filesystem::remove_all(calls_.folder());
  ExpectOneMessage(calls_.prefix());
  calls_.ExpectRunning();
  Result status = calls_.RunOrca("status");
  EXPECT_NE(status.out.find("recording failed: "), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("\nWritten   0 events "), std::string::npos) << status.out;
  EXPECT_NE(status.out.find("\nLost      "), std::string::npos) << status.out;
  EXPECT_EQ(status.out.find("\nLost      0 events"), std::string::npos) << status.out;
  Result snapshot = calls_.RunOrca("snapshot", {calls_.dir() + "/snap"});
  EXPECT_NE(snapshot.err.find("the recording has ended, as a file could not be written"),
            std::string::npos)
      << snapshot.out << snapshot.err;
  calls_.End();
  EXPECT_EQ(calls_.ReadMessages().size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(calls_.folder()));
}

TEST_P(RemovedFilesTest, TheNextSetBeginsWhenTheFolderIsThereAgain) {
  calls_.Start(GetParam(), ",maxsize=1GB");
  calls_.process().WaitUpTo(0.5);
  std::filesystem::remove_all(calls_.folder());
  ExpectOneMessage(calls_.prefix());
  calls_.process().WaitUpTo(1.5);
  calls_.ExpectRunning();
  Result status = calls_.RunOrca("status");
  EXPECT_NE(status.out.find("; the files were deleted, and events are dropped until there are new "
                            "ones\n"),
            std::string::npos)
      << status.out;
  Result snapshot = calls_.RunOrca("snapshot", {calls_.dir() + "/snap"});
  EXPECT_NE(snapshot.err.find("the files of the recording were deleted, and there are no new ones"),
            std::string::npos)
      << snapshot.out << snapshot.err;
  std::filesystem::create_directory(calls_.folder());
  EXPECT_TRUE(Eventually([&] { return !FindSets(calls_.prefix()).empty(); }));
  calls_.process().WaitUpTo(0.5);
  uint64_t num = calls_.End();
  uint64_t dropped = ReadInfoNumber(calls_.prefix(), "events.dropped");
  uint64_t exits = CountAllExits();
  EXPECT_GT(exits, 0u);
  EXPECT_GT(dropped, 0u);
  EXPECT_EQ(ReadInfoNumber(calls_.prefix(), "set.number"), 2u);
  /* Of the calls before the folder was removed, both events are lost. */
  EXPECT_GE(exits + dropped, num);
  EXPECT_LE(exits + dropped, 2 * num);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  EXPECT_EQ(calls_.RunOrcaOnFiles("report").status, 0);
  EXPECT_EQ(calls_.ReadMessages().size(), 1u);
}

/* The files are complete in the folder that they were moved to, and the next set begins at PREFIX.
 */
TEST_P(RemovedFilesTest, AMovedFolderLosesNothing) {
  calls_.Start(GetParam(), ",maxsize=200KB");
  calls_.process().WaitUpTo(0.5);
  std::string moved = calls_.dir() + "/moved";
  std::filesystem::rename(calls_.folder(), moved);
  ExpectOneMessage("cannot begin the next set of files at ");
  std::filesystem::create_directory(calls_.folder());
  EXPECT_TRUE(Eventually([&] { return !FindSets(calls_.prefix()).empty(); }));
  calls_.process().WaitUpTo(0.5);
  uint64_t num = calls_.End(), exits = CountAllExits();
  EXPECT_GT(exits, 0u);
  for (const std::string &set : FindSets(moved + "/dump"))
    exits += CountExits(ReadFile(set + ".orca"));
  EXPECT_EQ(exits, num);
  EXPECT_EQ(ReadInfoNumber(calls_.prefix(), "events.dropped"), 0u);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  ExpectAccepted(moved + "/dump", calls_.dir());
}

INSTANTIATE_TEST_SUITE_P(Jvm, RemovedFilesTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
