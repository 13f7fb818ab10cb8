#include "agent/writer/set_files.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "tests/agent/writer/in_folder.h"

namespace {

class SetFilesTest : public DumpFolderTest {
 protected:
  void FlushText(const std::string &text) {
    for (struct dump_file &f : files_) {
      builder_bytes(&f.lines, text.data(), text.size());
      ASSERT_TRUE(dump_file_flush(&f));
    }
  }
  static Lines ListNamesOf(const std::string &prefix) {
    Lines names;
    for (const char *suffix : file_suffixes) names.push_back(prefix + suffix);
    std::sort(names.begin(), names.end());
    return names;
  }
  static Lines MergeNames(Lines a, const Lines &b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    return a;
  }
};

TEST_F(SetFilesTest, RenamesTheFinishedSetAndOpensTheNext) {
  FlushText("one\n");
  files_[FILE_EVENTS].last_line_time = 77;
  ASSERT_EQ(set_files_rotate(files_, 1), NUM_FILES);
  EXPECT_EQ(files_[FILE_EVENTS].last_line_time, 77u);  // the times continue
  EXPECT_EQ(files_[FILE_EVENTS].size, 0u);
  FlushText("two\n");
  ASSERT_EQ(set_files_rotate(files_, 2), NUM_FILES);
  EXPECT_EQ(ListNames(), MergeNames(MergeNames(ListNamesOf("out"), ListNamesOf("out.0001")),
                                    ListNamesOf("out.0002")));
  EXPECT_EQ(ReadText("out.0001.orca"), "one\n");
  EXPECT_EQ(ReadText("out.0002.info"), "two\n");
  EXPECT_EQ(ReadText("out.orca"), "");
}

TEST_F(SetFilesTest, AllowsNumbersWithMoreDigits) {
  ASSERT_EQ(set_files_rotate(files_, 12345), NUM_FILES);
  EXPECT_EQ(access((Prefix() + ".12345.orca").c_str(), F_OK), 0);
}

TEST_F(SetFilesTest, LocksTheNextSet) {
  ASSERT_EQ(set_files_rotate(files_, 1), NUM_FILES);
  struct dump_file other;
  EXPECT_FALSE(dump_file_open(&other, Prefix().c_str(), ".orca"));
  EXPECT_EQ(errno, EWOULDBLOCK);
  dump_file_close(&other);
}

TEST_F(SetFilesTest, VisitsTheFilesOfFinishedSets) {
  for (const char *name : {"out.0001.orca", "out.0002.info", "out-7.0001.info", "out.1.orca"}) {
    WriteFile(name, "");
  }
  std::set<std::string> paths;
  auto visit = [](void *arg, const char *path) {
    static_cast<std::set<std::string> *>(arg)->insert(path);
    return true;
  };
  set_files_visit(Prefix().c_str(), visit, &paths);
  EXPECT_EQ(paths, (std::set<std::string>{Prefix() + ".0001.orca", Prefix() + ".0002.info"}));
  set_files_visit((folder_ + "/none/out").c_str(), visit, &paths);
  EXPECT_EQ(paths.size(), 2u);
  paths.clear();
  auto visit_one = [](void *arg, const char *path) {
    static_cast<std::set<std::string> *>(arg)->insert(path);
    return false;
  };
  set_files_visit(Prefix().c_str(), visit_one, &paths);
  EXPECT_EQ(paths.size(), 1u);
}

TEST_F(SetFilesTest, DeletesAllFilesOfASet) {
  ASSERT_EQ(set_files_rotate(files_, 1), NUM_FILES);
  ASSERT_EQ(set_files_rotate(files_, 2), NUM_FILES);
  set_files_delete(files_, 1);
  set_files_delete(files_, 7);  // a set that does not exist
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), ListNamesOf("out.0002")));
}

TEST_F(SetFilesTest, ClearsOnlySetsOfThisPrefix) {
  ASSERT_EQ(set_files_rotate(files_, 1), NUM_FILES);
  ASSERT_EQ(set_files_rotate(files_, 99999), NUM_FILES);
  Lines others = {"out.0001.txt", "out.001.orca",   "out.0001x.orca", "out2.0001.orca",
                  "out.orca2",    "out.x0001.orca", "x.out.0001.orca"};
  for (const std::string &name : others) WriteFile(name, "");
  set_files_clear(files_);
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), others));
}

// After a failure, the same files stay open.
TEST_F(SetFilesTest, KeepsTheOpenFilesIfRenamingFails) {
  std::filesystem::create_directories(Prefix() + ".0001.samples/x");
  FlushText("one\n");
  EXPECT_EQ(set_files_rotate(files_, 1), FILE_SAMPLES);
  EXPECT_TRUE(errno == EISDIR || errno == ENOTEMPTY) << errno;
  FlushText("more\n");
  EXPECT_EQ(ReadText("out.orca"), "one\nmore\n");
  EXPECT_EQ(ReadText("out.0001.methods"), "one\nmore\n");
}

TEST_F(SetFilesTest, FailsWithErrnoIfTheFolderIsMissing) {
  FlushText("one\n");
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(set_files_rotate(files_, 1), FILE_CLASSES);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_GE(files_[FILE_INFO].fd, 0);
}

}  // namespace
