#include "tools/orca/run/new_dumps.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kSecond = 1000000000;

class NewDumps : public testing::Test {
 protected:
  NewDumps() {
    std::string path = testing::TempDir() + "/new_dumps_XXXXXX";
    folder_ = mkdtemp(path.data());
  }
  ~NewDumps() override {
    new_dumps_free(&dumps_);
    for (const std::string &path : paths_) unlink(path.c_str());
    rmdir(folder_.c_str());
  }

  void WriteDump(const std::string &name, int pid, int start, size_t bytes) {
    WriteFile(name + ".info", "pid=" + std::to_string(pid) +
                                  "\nstart.monotonic=" + std::to_string(start) + ".0000000000\n");
    WriteFile(name + ".orca", std::string(bytes, 'x'));
  }
  void WriteFile(const std::string &name, const std::string &text) {
    paths_.push_back(folder_ + "/" + name);
    std::ofstream(paths_.back()) << text;
  }
  std::vector<std::string> Find(const std::string &prefix, int since, pid_t pid = 0) {
    new_dumps_free(&dumps_);
    EXPECT_TRUE(new_dumps_find(&dumps_, (folder_ + "/" + prefix).c_str(), since * kSecond));
    if (pid != 0) new_dumps_keep(&dumps_, pid);
    std::vector<std::string> names;
    for (size_t i = 0; i < dumps_.num; i++) {
      names.push_back(std::string(dumps_.rows[i].prefix).substr(folder_.size() + 1));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  std::string folder_;
  std::vector<std::string> paths_;
  struct new_dumps dumps_ = {};
};

TEST_F(NewDumps, AreSortedBySizeWithoutEarlierRuns) {
  WriteDump("run-1", 1, 50, 999);  // of an earlier run
  WriteDump("run-2", 2, 100, 10);
  WriteDump("run-3", 3, 101, 20);
  WriteDump("other-4", 4, 101, 20);
  EXPECT_EQ(Find("run-%p", 100), (Names{"run-3", "run-2"}));
  EXPECT_EQ(Find("run-2", 100), (Names{"run-2"}));
  EXPECT_EQ(Find("run-%p", 200), Names{});
}

TEST_F(NewDumps, CanBeReducedToOneProcess) {
  WriteDump("run-2", 2, 100, 10);
  WriteDump("run-3", 3, 101, 20);
  WriteDump("run-5", 5, 101, 5);
  EXPECT_EQ(Find("run-%p", 100, 2), (Names{"run-2"}));
  EXPECT_EQ(Find("run-%p", 100, 9),
            (Names{"run-3", "run-2", "run-5"}));  // the process wrote no dump
}

TEST_F(NewDumps, AreFoundForPrefixesWithSpecialCharacters) {
  WriteDump("a%b*[c]", 1, 100, 1);
  WriteDump("a%bXXc", 2, 100, 1);
  WriteDump("time-20261120T113000Z-7", 7, 100, 1);
  EXPECT_EQ(Find("a%%b*[c]", 100), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("a%b*[c]", 100), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("time-%t-%p", 100), (Names{"time-20261120T113000Z-7"}));
}

TEST_F(NewDumps, AreIgnoredWithABrokenInfo) {
  WriteFile("run-1.info", "rubbish");
  WriteFile("run-2.info", "");
  EXPECT_EQ(Find("run-%p", 1), Names{});
  EXPECT_EQ(Find("nothing-%p", 1), Names{});
}

}  // namespace
