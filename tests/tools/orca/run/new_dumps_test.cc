#include "tools/orca/run/new_dumps.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

class NewDumps : public testing::Test {
 protected:
  NewDumps() {
    std::string path = testing::TempDir() + "/new_dumps_XXXXXX";
    folder_ = mkdtemp(path.data());
  }
  ~NewDumps() override {
    new_dumps_free(&dumps_);
    std::filesystem::remove_all(folder_);
  }

  void WriteDump(const std::string &name, const std::string &run) {
    WriteFile(name + ".info", "pid=7\n" + (run.empty() ? "" : "run=" + run + "\n"));
  }
  void WriteFile(const std::string &name, const std::string &text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::vector<std::string> Find(const std::string &prefix, const char *run = "1.2") {
    new_dumps_free(&dumps_);
    EXPECT_TRUE(new_dumps_find(&dumps_, (folder_ + "/" + prefix).c_str(), run));
    std::vector<std::string> names;
    for (size_t i = 0; i < dumps_.num; i++) {
      names.push_back(std::string(dumps_.prefixes[i]).substr(folder_.size() + 1));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  std::string folder_;
  struct new_dumps dumps_ = {};
};

TEST_F(NewDumps, AreThoseOfTheRun) {
  WriteDump("run-1", "1.1");
  WriteDump("run-3", "1.2");
  WriteDump("run-2", "1.2");
  WriteDump("run-4", "");
  WriteDump("run-5", "1.22");
  WriteDump("other-2", "1.2");
  EXPECT_EQ(Find("run-%p"), (Names{"run-2", "run-3"}));
  EXPECT_EQ(Find("run-2"), (Names{"run-2"}));
  EXPECT_EQ(Find("run-%p", "1.3"), Names{});
}

TEST_F(NewDumps, AreFoundOnceUnderEachVariedName) {
  for (const char *name : {"run", "run-7", "run-7-2", "runs", "ru"}) WriteDump(name, "1.2");
  EXPECT_EQ(Find("run"), (Names{"run", "run-7", "run-7-2"}));
  EXPECT_EQ(Find("run-%p"), (Names{"run-7", "run-7-2"}));
}

TEST_F(NewDumps, AreNotTheFinishedSetsOfARecording) {
  WriteDump("run-7", "1.2");
  WriteDump("run-7.0001", "1.2");
  EXPECT_EQ(Find("run"), (Names{"run-7"}));
}

TEST_F(NewDumps, AreFoundForPrefixesWithSpecialCharacters) {
  WriteDump("a%b*[c]", "1.2");
  WriteDump("a%bXXc", "1.2");
  WriteDump("time-20261120T113000Z-7", "1.2");
  EXPECT_EQ(Find("a%%b*[c]"), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("a%b*[c]"), (Names{"a%b*[c]"}));
  EXPECT_EQ(Find("time-%t-%p"), (Names{"time-20261120T113000Z-7"}));
}

TEST_F(NewDumps, AreIgnoredWithABrokenInfo) {
  WriteFile("run-1.info", "rubbish");
  WriteFile("run-2.info", "");
  EXPECT_EQ(Find("run-%p"), Names{});
  EXPECT_EQ(Find("nothing-%p"), Names{});
}

}  // namespace
