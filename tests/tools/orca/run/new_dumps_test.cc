#include "tools/orca/run/new_dumps.h"

#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kSecond = 1000000000;

class Written : public testing::Test {
 protected:
  Written() {
    std::string path = testing::TempDir() + "/written_XXXXXX";
    folder_ = mkdtemp(path.data());
  }
  ~Written() override {
    new_dumps_free(&written_);
    for (const std::string &path : paths_) unlink(path.c_str());
    rmdir(folder_.c_str());
  }

  void Dump(const std::string &name, int pid, int start, size_t bytes) {
    File(name + ".info", "pid=" + std::to_string(pid) +
                             "\nstart.monotonic=" + std::to_string(start) + ".0000000000\n");
    File(name + ".orca", std::string(bytes, 'x'));
  }
  void File(const std::string &name, const std::string &text) {
    paths_.push_back(folder_ + "/" + name);
    std::ofstream(paths_.back()) << text;
  }
  std::vector<std::string> Find(const std::string &prefix, int since, pid_t pid = 0) {
    new_dumps_free(&written_);
    EXPECT_TRUE(new_dumps_find(&written_, (folder_ + "/" + prefix).c_str(), since * kSecond));
    if (pid != 0) new_dumps_keep(&written_, pid);
    std::vector<std::string> names;
    for (size_t i = 0; i < written_.num; i++) {
      names.push_back(std::string(written_.dumps[i].prefix).substr(folder_.size() + 1));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  std::string folder_;
  std::vector<std::string> paths_;
  struct new_dumps written_ = {};
};

TEST_F(Written, TheNewOnesMostEventsFirst) {
  Dump("run-1", 1, 50, 999);  // of an earlier run
  Dump("run-2", 2, 100, 10);
  Dump("run-3", 3, 101, 20);
  Dump("other-4", 4, 101, 20);
  EXPECT_EQ(Find("run-%p", 100), (Names{"run-3", "run-2"}));
  EXPECT_EQ(Find("run-2", 100), (Names{"run-2"}));
  EXPECT_EQ(Find("run-%p", 200), Names{});
}

TEST_F(Written, OfTheCommandItself) {
  Dump("run-2", 2, 100, 10);
  Dump("run-3", 3, 101, 20);
  Dump("run-5", 5, 101, 5);
  EXPECT_EQ(Find("run-%p", 100, 2), (Names{"run-2"}));
  EXPECT_EQ(Find("run-%p", 100, 9), (Names{"run-3", "run-2", "run-5"}));  // it made none
}

TEST_F(Written, OddPrefixes) {
  Dump("a%b*[c]", 1, 100, 1);
  Dump("a%bXXc", 2, 100, 1);
  Dump("time-20261120T113000Z-7", 7, 100, 1);
  EXPECT_EQ(Find("a%%b*[c]", 100), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("a%b*[c]", 100), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("time-%t-%p", 100), (Names{"time-20261120T113000Z-7"}));
}

TEST_F(Written, InfoThatIsBroken) {
  File("run-1.info", "rubbish");
  File("run-2.info", "");
  EXPECT_EQ(Find("run-%p", 1), Names{});
  EXPECT_EQ(Find("nothing-%p", 1), Names{});
}

}  // namespace
