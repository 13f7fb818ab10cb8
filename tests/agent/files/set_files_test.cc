#include "agent/files/set_files.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "tests/agent/files/in_folder.h"
#include "tests/support/other_user.h"

namespace {

class SetFilesTest : public DumpFolderTest {
 protected:
  void FlushText(const std::string &text) {
    for (struct dump_file &f : files_) {
      builder_bytes(&f.lines, text.data(), text.size());
      ASSERT_TRUE(dump_file_flush(&f));
    }
  }
  // Begins the next set, as rotation.c does. Returns the file that failed.
  enum file Rotate(unsigned number) {
    static struct dump_file next[NUM_FILES];
    EXPECT_EQ(set_files_make_next(next, files_), NUM_FILES);
    enum file failed = set_files_switch(files_, next, number);
    int why = errno;
    if (failed == NUM_FILES) {
      set_files_take_over(files_, next);
    } else {
      set_files_drop_next(next);
    }
    errno = why;
    return failed;
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
  ASSERT_EQ(Rotate(1), NUM_FILES);
  EXPECT_EQ(files_[FILE_EVENTS].last_line_time, 77u);  // the times continue
  EXPECT_EQ(files_[FILE_EVENTS].size, 0u);
  FlushText("two\n");
  ASSERT_EQ(Rotate(2), NUM_FILES);
  EXPECT_EQ(ListNames(), MergeNames(MergeNames(ListNamesOf("out"), ListNamesOf("out.0001")),
                                    ListNamesOf("out.0002")));
  EXPECT_EQ(ReadText("out.0001.orca"), "one\n");
  EXPECT_EQ(ReadText("out.0002.info"), "two\n");
  EXPECT_EQ(ReadText("out.orca"), "");
}

TEST_F(SetFilesTest, ReplacesASetThatSomebodyHasMoved) {
  FlushText("one\n");
  EXPECT_TRUE(set_files_are_in_place(files_));
  for (const char *suffix : file_suffixes) {
    std::filesystem::rename(folder_ + "/out" + suffix, folder_ + "/away" + suffix);
    EXPECT_FALSE(set_files_are_in_place(files_));
  }
  EXPECT_NE(Rotate(1), NUM_FILES) << "there is nothing to rename";
  EXPECT_EQ(errno, ENOENT);
  ASSERT_EQ(Rotate(0), NUM_FILES);
  FlushText("two\n");
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), ListNamesOf("away")));
  EXPECT_EQ(ReadText("away.orca"), "one\n");
  EXPECT_EQ(ReadText("out.info"), "two\n");
  EXPECT_TRUE(set_files_are_in_place(files_));
}

TEST_F(SetFilesTest, AllowsNumbersWithMoreDigits) {
  ASSERT_EQ(Rotate(12345), NUM_FILES);
  EXPECT_EQ(access((Prefix() + ".12345.orca").c_str(), F_OK), 0);
}

TEST_F(SetFilesTest, LocksTheNextSet) {
  ASSERT_EQ(Rotate(1), NUM_FILES);
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
  ASSERT_EQ(Rotate(1), NUM_FILES);
  ASSERT_EQ(Rotate(2), NUM_FILES);
  set_files_delete(files_, 1);
  set_files_delete(files_, 7);  // a set that does not exist
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), ListNamesOf("out.0002")));
}

TEST_F(SetFilesTest, ClearsOnlySetsOfThisPrefix) {
  ASSERT_EQ(Rotate(1), NUM_FILES);
  ASSERT_EQ(Rotate(99999), NUM_FILES);
  Lines others = {"out.0001.txt", "out.001.orca",   "out.0001x.orca", "out2.0001.orca",
                  "out.orca2",    "out.x0001.orca", "x.out.0001.orca"};
  for (const std::string &name : others) WriteFile(name, "");
  set_files_clear(files_);
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), others));
}

// The names before are the names after, whichever rename fails, and no file of the next set stays.
TEST_F(SetFilesTest, TakesAllNamesBackIfRenamingFails) {
  for (const char *suffix : file_suffixes) {
    std::filesystem::create_directory(Prefix() + ".0001" + suffix);
    EXPECT_STREQ(file_suffixes[Rotate(1)], suffix);
    EXPECT_EQ(errno, EEXIST);
    Lines names = ListNamesOf("out");
    names.push_back(std::string("out.0001") + suffix);
    EXPECT_EQ(ListNames(), MergeNames(names, {}));
    std::filesystem::remove(Prefix() + ".0001" + suffix);
  }
  FlushText("one\n");
  EXPECT_EQ(ReadText("out.orca"), "one\n");
  EXPECT_EQ(Rotate(1), NUM_FILES);
}

TEST_F(SetFilesTest, MakesAllFilesOfTheNextSetOrNone) {
  struct dump_file next[NUM_FILES] = {};
  WriteFile("out.next.counts", "of another recording\n");
  EXPECT_EQ(set_files_make_next(next, files_), FILE_COUNTS);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(next[FILE_COUNTS].path, Prefix() + ".next.counts");
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), {"out.next.counts"}));
  EXPECT_EQ(ReadText("out.next.counts"), "of another recording\n");
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(set_files_make_next(next, files_), FILE_CLASSES);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_GE(files_[FILE_INFO].fd, 0);
}

TEST_F(SetFilesTest, ClearsLeftFilesOfANextSet) {
  for (const std::string &name : ListNamesOf("out.next")) WriteFile(name, "");
  set_files_clear(files_);
  EXPECT_EQ(ListNames(), ListNamesOf("out"));
}

TEST_F(SetFilesTest, KeepsARecordingWhosePrefixEndsWithNext) {
  for (const std::string &name : ListNamesOf("out.next")) WriteFile(name, "");
  WriteFile("out.next.info", "format=1\n");
  set_files_clear(files_);
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), ListNamesOf("out.next")));
  WriteFile("out.next.info", "");  // it begins at this moment
  struct dump_file info;
  ASSERT_TRUE(dump_file_lock(&info, (Prefix() + ".next").c_str(), ".info", false));
  set_files_clear(files_);
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), ListNamesOf("out.next")));
  dump_file_close(&info);
}

TEST_F(SetFilesTest, ClearKeepsFilesOfOtherUsers) {
  WriteFile("out.0001.orca", "");
  WriteFile("out.next.orca", "");
  {
    OtherUser other;
    set_files_clear(files_);
  }
  EXPECT_EQ(ListNames(), MergeNames(ListNamesOf("out"), {"out.0001.orca", "out.next.orca"}));
}

class ClaimTest : public DumpFolderTest {
 protected:
  // Returns 0 if PREFIX can be claimed, else the errno. Closes the file again.
  int Claim(const std::string &name, const char *run) const {
    struct dump_file info;
    bool good = set_files_claim(&info, (folder_ + "/" + name).c_str(), run);
    int why = good ? 0 : errno;
    dump_file_close(&info);
    return why;
  }
  static std::string MakeInfo(const std::string &run) {
    return "format=1\npid=7\nrun=" + run + "\njava.version=17\n";
  }
};

TEST_F(ClaimTest, TakesAFreePrefixAndOneOfAnotherRun) {
  EXPECT_EQ(Claim("new", "1.2"), 0);
  EXPECT_EQ(Claim("newer", nullptr), 0);
  WriteFile("old.info", MakeInfo("1.1"));
  EXPECT_EQ(Claim("old", "1.2"), 0);
  EXPECT_EQ(ReadText("old.info"), MakeInfo("1.1"));  // it is not changed yet
  WriteFile("older.info", "format=1\npid=7\njava.version=run=1.2\n");
  EXPECT_EQ(Claim("older", "1.2"), 0);
}

TEST_F(ClaimTest, RefusesAFinishedRecordingOfTheSameRun) {
  WriteFile("first.info", MakeInfo("1.2"));
  EXPECT_EQ(Claim("first", "1.2"), EWOULDBLOCK);
  EXPECT_EQ(Claim("first", "1.22"), 0);
  EXPECT_EQ(Claim("first", nullptr), 0);
}

TEST_F(ClaimTest, RefusesARecordingThatIsBeingWritten) {
  EXPECT_EQ(Claim("out", "1.2"), EWOULDBLOCK);
  EXPECT_EQ(Claim("out", nullptr), EWOULDBLOCK);
}

TEST_F(ClaimTest, RefusesARecordingBetweenTwoSets) {
  WriteFile("long.0001.info", MakeInfo("1.1"));
  EXPECT_EQ(Claim("long", "1.2"), 0);
  unlink((folder_ + "/long.info").c_str());
  WriteFile("long.0002.info", MakeInfo("1.2"));
  EXPECT_EQ(Claim("long", "1.2"), EWOULDBLOCK);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/long.info"));
}

TEST_F(ClaimTest, SaysWhyAFileCannotBeMade) {
  EXPECT_EQ(Claim("none/out", "1.2"), ENOENT);
  EXPECT_EQ(Claim(std::string(5000, 'x'), "1.2"), ENAMETOOLONG);
}

}  // namespace
