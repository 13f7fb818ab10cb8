#include "agent/writer/dump_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
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
  bool Open() { return dump_file_open(&file_, Prefix().c_str(), ".orca"); }
  bool Write(const std::string &lines) {
    builder_bytes(&file_.lines, lines.data(), lines.size());
    return dump_file_flush(&file_);
  }
  std::string Text() const {
    std::ostringstream text;
    text << std::ifstream(Prefix() + ".orca", std::ios::binary).rdbuf();
    return text.str();
  }

  std::string folder_;
  struct dump_file file_ = {};
};

TEST_F(DumpFileTest, LinesGoOutAtAFlush) {
  ASSERT_TRUE(Open());
  EXPECT_EQ(file_.path, Prefix() + ".orca");
  builder_string(&file_.lines, "one\n");
  EXPECT_EQ(Text(), "");
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_TRUE(Write("two\n"));
  EXPECT_EQ(Text(), "one\ntwo\n");
  EXPECT_EQ(file_.size, 8u);
}

TEST_F(DumpFileTest, TryingLeavesEverythingAsItIs) {
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
  ASSERT_TRUE(Open());
  ASSERT_TRUE(Write("one\n"));
  EXPECT_FALSE(tries(Prefix()));
  EXPECT_EQ(errno, EWOULDBLOCK);
  dump_file_close(&file_);
  EXPECT_TRUE(tries(Prefix()));
  EXPECT_EQ(Text(), "one\n");
}

TEST_F(DumpFileTest, FlushingNothingIsGood) {
  ASSERT_TRUE(Open());
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_EQ(Text(), "");
}

TEST_F(DumpFileTest, AnOldFileIsEmptied) {
  std::ofstream(Prefix() + ".orca") << "of an earlier run\n";
  ASSERT_TRUE(Open());
  EXPECT_EQ(Text(), "");
}

TEST_F(DumpFileTest, ClosingDoesNotWrite) {
  ASSERT_TRUE(Open());
  builder_string(&file_.lines, "lost\n");
  dump_file_close(&file_);
  dump_file_close(&file_);
  EXPECT_EQ(Text(), "");
}

TEST_F(DumpFileTest, ASecondWriterIsRefusedAndTheFileLeftAlone) {
  ASSERT_TRUE(Open());
  Write("first\n");
  auto second = std::make_unique<struct dump_file>();
  EXPECT_FALSE(dump_file_open(second.get(), Prefix().c_str(), ".orca"));
  EXPECT_EQ(errno, EWOULDBLOCK);
  dump_file_close(second.get());
  EXPECT_EQ(Text(), "first\n");
  dump_file_close(&file_);
  EXPECT_TRUE(dump_file_open(second.get(), Prefix().c_str(), ".orca"));
  dump_file_close(second.get());
}

TEST_F(DumpFileTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_FALSE(dump_file_open(&file_, (folder_ + "/none/out").c_str(), ".orca"));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(DumpFileTest, ANameThatIsTooLongIsAnError) {
  EXPECT_FALSE(dump_file_open(&file_, std::string(5000, 'x').c_str(), ".orca"));
  EXPECT_EQ(errno, ENAMETOOLONG);
}

TEST_F(DumpFileTest, OnAFullDiskWholeLinesStay) {
  ASSERT_TRUE(Open());
  EXPECT_TRUE(Write("1234567\n"));
  FullDisk disk(20);
  EXPECT_FALSE(Write("abcdefg\nABCDEFG\n"));
  EXPECT_EQ(errno, EFBIG);
  EXPECT_EQ(Text(), "1234567\nabcdefg\n");
  EXPECT_EQ(file_.size, 16u);
}

TEST_F(DumpFileTest, WhenThereIsRoomAgainTheNextLineFollowsTheLastWholeOne) {
  ASSERT_TRUE(Open());
  {
    FullDisk disk(12);
    EXPECT_FALSE(Write("1234567\nabcdefg\n"));
  }
  EXPECT_TRUE(Write("later\n"));
  EXPECT_EQ(Text(), "1234567\nlater\n");
}

TEST_F(DumpFileTest, LinesThatRanOutOfMemoryAreAnError) {
  ASSERT_TRUE(Open());
  file_.lines.failed = true;
  EXPECT_FALSE(dump_file_flush(&file_));
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(DumpFileTest, ADeviceIsWrittenLikeAFile) {
  ASSERT_EQ(symlink("/dev/null", (Prefix() + ".orca").c_str()), 0);
  ASSERT_TRUE(Open());
  EXPECT_TRUE(Write("gone\n"));
}

}  // namespace
