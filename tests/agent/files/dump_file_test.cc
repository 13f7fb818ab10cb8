#include "agent/files/dump_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/full_disk.h"
#include "tests/support/other_user.h"
#include "tests/support/text.h"

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
  std::string ReadText() const { return ReadFile(Prefix() + ".orca"); }

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

TEST_F(DumpFileTest, LosesNoLineWhenThereIsRoomAgain) {
  ASSERT_TRUE(OpenFile());
  {
    FullDisk disk(12);
    EXPECT_FALSE(WriteLines("1234567\nabcdefg\n"));
    EXPECT_EQ(std::string(file_.lines.data, file_.lines.len), "abcdefg\n");
    EXPECT_FALSE(dump_file_flush(&file_));
  }
  EXPECT_TRUE(WriteLines("later\n"));
  EXPECT_EQ(ReadText(), "1234567\nabcdefg\nlater\n");
}

TEST_F(DumpFileTest, AnAtomicFileTakesAllLinesOrNone) {
  ASSERT_TRUE(OpenFile());
  file_.is_atomic = true;
  {
    FullDisk disk(12);
    EXPECT_FALSE(WriteLines("1234567\nabcdefg\n"));
    EXPECT_EQ(ReadText(), "");
  }
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_EQ(ReadText(), "1234567\nabcdefg\n");
}

TEST_F(DumpFileTest, FailsWhenLinesRanOutOfMemory) {
  ASSERT_TRUE(OpenFile());
  file_.lines.failed = true;
  EXPECT_FALSE(dump_file_flush(&file_));
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(DumpFileTest, CutsBackToWholeLines) {
  ASSERT_TRUE(OpenFile());
  ASSERT_TRUE(WriteLines("one\ntwo\n"));
  builder_string(&file_.lines, "three\n");
  EXPECT_TRUE(dump_file_cut(&file_, 4));
  EXPECT_TRUE(dump_file_flush(&file_));
  EXPECT_EQ(ReadText(), "one\nthree\n");
  EXPECT_EQ(file_.size, 10u);
}

TEST_F(DumpFileTest, FindsThePlaceOfTheFile) {
  ASSERT_TRUE(OpenFile());
  EXPECT_EQ(dump_file_find_place(&file_), DUMP_IN_PLACE);
  std::string path = Prefix() + ".orca", other = folder_ + "/other";
  ASSERT_EQ(rename(path.c_str(), other.c_str()), 0);
  EXPECT_EQ(dump_file_find_place(&file_), DUMP_MOVED);
  std::ofstream(path) << "another file\n";
  EXPECT_EQ(dump_file_find_place(&file_), DUMP_MOVED);
  unlink(other.c_str());
  EXPECT_EQ(dump_file_find_place(&file_), DUMP_DELETED);
  dump_file_close(&file_);
  EXPECT_EQ(dump_file_find_place(&file_), DUMP_IN_PLACE) << "no file is open";
}

// --- nobody else gets in -----------------------------------------------------------------

class DumpFileAccessTest : public DumpFileTest {
 protected:
  std::string Path() const { return Prefix() + ".orca"; }
  mode_t ReadMode() const {
    struct stat st = {};
    EXPECT_EQ(stat(Path().c_str(), &st), 0);
    return st.st_mode & 07777;
  }
  // Expects that no way to open the file accepts it.
  void ExpectRefused(const char *refusal) {
    EXPECT_FALSE(OpenFile());
    EXPECT_EQ(errno, EPERM);
    EXPECT_STREQ(file_.refusal, refusal);
    dump_file_close(&file_);
    EXPECT_FALSE(dump_file_lock(&file_, Prefix().c_str(), ".orca", false));
    EXPECT_STREQ(file_.refusal, refusal);
    EXPECT_FALSE(dump_file_try(&file_, Prefix().c_str(), ".orca"));
    EXPECT_EQ(errno, EPERM);
    EXPECT_STREQ(file_.refusal, refusal);
  }
};

TEST_F(DumpFileAccessTest, OnlyTheUserMayReadAFile) {
  mode_t before = umask(0);
  ASSERT_TRUE(OpenFile());
  EXPECT_EQ(ReadMode(), 0600u);
  dump_file_close(&file_);
  unlink(Path().c_str());
  ASSERT_TRUE(dump_file_make(&file_, Prefix().c_str(), ".orca"));
  EXPECT_EQ(ReadMode(), 0600u);
  umask(before);
}

TEST_F(DumpFileAccessTest, ReplacesAnOwnFileAndItsMode) {
  std::ofstream(Path()) << "of an earlier run\n";
  ASSERT_EQ(chmod(Path().c_str(), 0666), 0);
  ASSERT_TRUE(OpenFile());
  EXPECT_EQ(file_.refusal, nullptr);
  EXPECT_EQ(ReadMode(), 0600u);
  EXPECT_EQ(ReadText(), "");
}

TEST_F(DumpFileAccessTest, FailsWhereNoFileCanBe) {
  ASSERT_EQ(mkdir(Path().c_str(), 0700), 0);
  EXPECT_FALSE(OpenFile());
  EXPECT_EQ(errno, EISDIR);
  rmdir(Path().c_str());
  std::ofstream(Path()) << "a file, not a folder\n";
  EXPECT_FALSE(dump_file_open(&file_, (Path() + "/out").c_str(), ".orca"));
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_FALSE(dump_file_open(&file_, "/proc/out", ".orca"));
  EXPECT_TRUE(errno == ENOENT || errno == EACCES) << strerror(errno);
}

TEST_F(DumpFileAccessTest, RefusesASymbolicLink) {
  std::string target = folder_ + "/target";
  ASSERT_EQ(symlink(target.c_str(), Path().c_str()), 0);
  ExpectRefused("is a symbolic link");  // to a file that does not exist
  std::ofstream(target) << "precious\n";
  ExpectRefused("is a symbolic link");
  EXPECT_EQ(ReadText(), "precious\n");
  unlink(target.c_str());
}

TEST_F(DumpFileAccessTest, RefusesAFileWithFurtherNames) {
  std::string other = folder_ + "/other";
  std::ofstream(other) << "precious\n";
  ASSERT_EQ(link(other.c_str(), Path().c_str()), 0);
  ExpectRefused("has further names (hard links)");
  EXPECT_EQ(ReadText(), "precious\n");
  unlink(other.c_str());
}

TEST_F(DumpFileAccessTest, RefusesADevice) {
  ASSERT_EQ(symlink("/dev/null", Path().c_str()), 0);
  ExpectRefused("is a symbolic link");
  unlink(Path().c_str());
  ASSERT_EQ(mknod(Path().c_str(), S_IFSOCK | 0600, 0), 0);
  ExpectRefused("is neither a file nor a pipe");
}

TEST_F(DumpFileAccessTest, WritesToAPipeThatSomebodyReads) {
  ASSERT_EQ(mkfifo(Path().c_str(), 0600), 0);
  struct dump_file f = {};
  EXPECT_FALSE(dump_file_open(&f, Prefix().c_str(), ".orca"));
  EXPECT_EQ(errno, ENXIO) << "nobody reads, and it does not block";
  EXPECT_EQ(f.refusal, nullptr);
  dump_file_close(&f);
  int reader = open(Path().c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(dump_file_open(&f, Prefix().c_str(), ".orca"));
  EXPECT_EQ(fcntl(f.fd, F_GETFL) & O_NONBLOCK, 0);
  dump_file_close(&f);
  close(reader);
}

TEST_F(DumpFileAccessTest, RefusesAFileOfAnotherUser) {
  std::ofstream(Path()) << "precious\n";
  OtherUser other;
  ExpectRefused("belongs to another user");
  EXPECT_EQ(ReadText(), "precious\n");
}

TEST_F(DumpFileAccessTest, MakeRefusesAFileThatExists) {
  std::ofstream(Path()) << "precious\n";
  EXPECT_FALSE(dump_file_make(&file_, Prefix().c_str(), ".orca"));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(ReadText(), "precious\n");
}

TEST(FileOrder, HasEachFileOnceWithDefinitionsBeforeTheirUse) {
  const std::set<enum file> definitions = {FILE_CLASSES, FILE_METHODS, FILE_OBJECTS};
  EXPECT_EQ(std::set<enum file>(file_order, file_order + NUM_FILES).size(), size_t{NUM_FILES});
  EXPECT_EQ(std::set<enum file>(file_order, file_order + 3), definitions);
  EXPECT_EQ(file_order[NUM_FILES - 1], FILE_INFO);
}

}  // namespace
