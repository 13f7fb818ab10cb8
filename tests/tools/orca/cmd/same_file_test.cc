#include "tools/orca/cmd/same_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/dump_files.h"

namespace {

class SameFile : public testing::Test {
 protected:
  SameFile() { std::filesystem::create_directory(folder_); }
  ~SameFile() override { std::filesystem::remove_all(folder_); }

  // Compares both ways.
  bool IsSame(const std::string &a, const std::string &b) {
    bool is_same = same_file((folder_ + a).c_str(), (folder_ + b).c_str());
    EXPECT_EQ(same_file((folder_ + b).c_str(), (folder_ + a).c_str()), is_same);
    return is_same;
  }

  DumpFiles files_;
  std::string folder_ = files_.Folder() + "/same";
};

TEST_F(SameFile, ComparesFilesThatExist) {
  std::ofstream(folder_ + "/a") << "", std::ofstream(folder_ + "/b") << "";
  std::filesystem::create_symlink("a", folder_ + "/link");
  EXPECT_TRUE(IsSame("/a", "/./a"));
  EXPECT_TRUE(IsSame("/a", "/link"));
  EXPECT_FALSE(IsSame("/a", "/b"));
  EXPECT_FALSE(IsSame("/a", "/new"));
}

TEST_F(SameFile, ComparesFilesThatDoNotExistYet) {
  EXPECT_TRUE(IsSame("/new", "/./new"));
  EXPECT_TRUE(IsSame("/new", "/../same/new"));
  EXPECT_FALSE(IsSame("/new", "/other"));
  EXPECT_FALSE(IsSame("/new", "/../new"));
  EXPECT_FALSE(IsSame("/no/new", "/none/new"));
}

TEST_F(SameFile, StandardOutputIsNoFile) {
  EXPECT_TRUE(same_file("-", "-"));
  EXPECT_FALSE(same_file("-", "./-"));
}

}  // namespace
