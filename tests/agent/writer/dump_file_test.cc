#include "agent/writer/dump_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/full_disk.h"

namespace {

class DumpFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "/dump_XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
  }
  void TearDown() override {
    dump_file_close(&file_);
    unlink((Prefix() + ".orca").c_str());
    rmdir(folder_.c_str());
  }

  std::string Prefix() const { return folder_ + "/out"; }
  bool OpenFile() { return dump_file_open(&file_, Prefix().c_str(), ".orca"); }
  bool WriteLines(const std::string &lines) {
    builder_bytes(&file_.lines, lines.data(), lines.size());
    return dump_file_flush(&file_);
  }
  std::string ReadText() const {
    std::ostringstream text;
    text << std::ifstream(Prefix() + ".orca", std::ios::binary).rdbuf();
    return text.str();
  }

  std::string folder_;
  struct dump_file file_ = {};
};

TEST_F(DumpFileTest, WritesLinesAtAFlush) {
  ASSERT_TRUE(OpenFile());
  EXPECT_EQ(file_.path, Prefix() + ".orca");
  builder_string(&file_.lines, "one\n");
  EXPECT_EQ(ReadText(), "");
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_TRUE(WriteLines("two\n"));
  EXPECT_EQ(ReadText(), "one\ntwo\n");
  EXPECT_EQ(file_.size, 8u);
}

TEST_F(DumpFileTest, TryChangesNothing) {
  auto tries = [&](const std::string &prefix) {
    struct dump_file file;
    return dump_file_try(&file, prefix.c_str(), ".orca");
  };
  EXPECT_TRUE(tries(Prefix()));
  EXPECT_NE(access((Prefix() + ".orca").c_str(), F_OK), 0);
  EXPECT_FALSE(tries(folder_ + "/none/out"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(tries(std::string(5000, 'x')));
  EXPECT_EQ(errno, ENAMETOOLONG);
  ASSERT_TRUE(OpenFile());
  ASSERT_TRUE(WriteLines("one\n"));
  EXPECT_FALSE(tries(Prefix()));
  EXPECT_EQ(errno, EWOULDBLOCK);
  dump_file_close(&file_);
  EXPECT_TRUE(tries(Prefix()));
  EXPECT_EQ(ReadText(), "one\n");
}

TEST_F(DumpFileTest, LockKeepsTheFileUntilItIsCleared) {
  EXPECT_FALSE(dump_file_lock(&file_, Prefix().c_str(), ".orca", false));
  EXPECT_EQ(errno, ENOENT);
  std::ofstream(Prefix() + ".orca") << "of an earlier run\n";
  ASSERT_TRUE(dump_file_lock(&file_, Prefix().c_str(), ".orca", false));
  EXPECT_EQ(ReadText(), "of an earlier run\n");
  dump_file_clear(&file_);
  EXPECT_TRUE(WriteLines("new\n"));
  EXPECT_EQ(ReadText(), "new\n");
}

TEST_F(DumpFileTest, FlushSucceedsWithoutLines) {
  ASSERT_TRUE(OpenFile());
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_EQ(ReadText(), "");
}

TEST_F(DumpFileTest, EmptiesAnOldFile) {
  std::ofstream(Prefix() + ".orca") << "of an earlier run\n";
  ASSERT_TRUE(OpenFile());
  EXPECT_EQ(ReadText(), "");
}

TEST_F(DumpFileTest, CloseDoesNotWrite) {
  ASSERT_TRUE(OpenFile());
  builder_string(&file_.lines, "lost\n");
  dump_file_close(&file_);
  dump_file_close(&file_);
  EXPECT_EQ(ReadText(), "");
}

TEST_F(DumpFileTest, RefusesASecondWriterAndKeepsTheFile) {
  ASSERT_TRUE(OpenFile());
  WriteLines("first\n");
  auto second = std::make_unique<struct dump_file>();
  EXPECT_FALSE(dump_file_open(second.get(), Prefix().c_str(), ".orca"));
  EXPECT_EQ(errno, EWOULDBLOCK);
  dump_file_close(second.get());
  EXPECT_EQ(ReadText(), "first\n");
  dump_file_close(&file_);
  EXPECT_TRUE(dump_file_open(second.get(), Prefix().c_str(), ".orca"));
  dump_file_close(second.get());
}

TEST_F(DumpFileTest, FailsInAMissingFolder) {
  EXPECT_FALSE(dump_file_open(&file_, (folder_ + "/none/out").c_str(), ".orca"));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(DumpFileTest, FailsForALongName) {
  EXPECT_FALSE(dump_file_open(&file_, std::string(5000, 'x').c_str(), ".orca"));
  EXPECT_EQ(errno, ENAMETOOLONG);
}

TEST_F(DumpFileTest, KeepsWholeLinesOnAFullDisk) {
  ASSERT_TRUE(OpenFile());
  EXPECT_TRUE(WriteLines("1234567\n"));
  FullDisk disk(20);
  EXPECT_FALSE(WriteLines("abcdefg\nABCDEFG\n"));
  EXPECT_EQ(errno, EFBIG);
  EXPECT_EQ(ReadText(), "1234567\nabcdefg\n");
  EXPECT_EQ(file_.size, 16u);
}

TEST_F(DumpFileTest, ContinuesAfterTheLastWholeLineWhenThereIsRoomAgain) {
  ASSERT_TRUE(OpenFile());
  {
    FullDisk disk(12);
    EXPECT_FALSE(WriteLines("1234567\nabcdefg\n"));
  }
  EXPECT_TRUE(WriteLines("later\n"));
  EXPECT_EQ(ReadText(), "1234567\nlater\n");
}

TEST_F(DumpFileTest, FailsWhenLinesRanOutOfMemory) {
  ASSERT_TRUE(OpenFile());
  file_.lines.failed = true;
  EXPECT_FALSE(dump_file_flush(&file_));
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(DumpFileTest, WritesToADevice) {
  ASSERT_EQ(symlink("/dev/null", (Prefix() + ".orca").c_str()), 0);
  ASSERT_TRUE(OpenFile());
  EXPECT_TRUE(WriteLines("gone\n"));
}

TEST(FileOrder, HasEachFileOnceWithDefinitionsBeforeTheirUse) {
  const std::set<enum file> definitions = {FILE_CLASSES, FILE_METHODS, FILE_OBJECTS};
  EXPECT_EQ(std::set<enum file>(file_order, file_order + NUM_FILES).size(), size_t{NUM_FILES});
  EXPECT_EQ(std::set<enum file>(file_order, file_order + 3), definitions);
  EXPECT_EQ(file_order[NUM_FILES - 1], FILE_INFO);
}

}  // namespace
