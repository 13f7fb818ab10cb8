#include "tools/orca/cmd/whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/dump_files.h"
#include "tests/support/full_disk.h"
#include "tests/support/text.h"

namespace {

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    std::filesystem::create_directory(folder_);
    std::ofstream(name_) << "the old text";
  }
  ~WholeFile() override { std::filesystem::remove_all(folder_); }

  bool Replace(const std::string &name, const std::string &text, mode_t mode = 0) {
    return whole_file_replace(name.c_str(), {text.data(), text.size()}, mode);
  }
  size_t CountFiles() {
    auto files = std::filesystem::directory_iterator(folder_);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }
  mode_t Mode(const std::string &name) {
    struct stat file = {};
    stat(name.c_str(), &file);
    return file.st_mode & 0777;
  }

  DumpFiles files_;
  std::string folder_ = files_.Folder() + "/whole", name_ = folder_ + "/file";
};

TEST_F(WholeFile, HasTheNewTextAndTheOldMode) {
  chmod(name_.c_str(), 0640);
  ASSERT_TRUE(Replace(name_, "new"));
  EXPECT_EQ(ReadFile(name_), "new");
  EXPECT_EQ(Mode(name_), 0640u);
  ASSERT_TRUE(Replace(name_, "newer", 0644));
  EXPECT_EQ(Mode(name_), 0644u);
  ASSERT_TRUE(Replace(folder_ + "/other", ""));
  EXPECT_EQ(ReadFile(folder_ + "/other"), "");
  EXPECT_EQ(CountFiles(), 2u);
}

TEST_F(WholeFile, KeepsTheOldTextOnAFullDisk) {
  {
    FullDisk disk(5);
    EXPECT_FALSE(Replace(name_, "a text that does not fit"));
    EXPECT_EQ(errno, EFBIG);
  }
  EXPECT_EQ(ReadFile(name_), "the old text");
  EXPECT_EQ(CountFiles(), 1u);
}

TEST_F(WholeFile, ALinkStaysOne) {
  std::string link = folder_ + "/link";
  std::filesystem::create_symlink("file", link);
  ASSERT_TRUE(Replace(link, "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(name_), "new");
}

TEST_F(WholeFile, ALinkToAFileThatDoesNotExistMakesIt) {
  std::string link = folder_ + "/link";
  std::filesystem::create_symlink("later", link);
  ASSERT_TRUE(Replace(link, "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(folder_ + "/later"), "new");
}

TEST_F(WholeFile, TakesTheLongestName) {
  std::string name = folder_ + "/" + std::string(255, 'x');
  ASSERT_TRUE(Replace(name, "old"));
  ASSERT_TRUE(Replace(name, "new"));
  EXPECT_EQ(ReadFile(name), "new");
  EXPECT_EQ(CountFiles(), 2u);
}

TEST_F(WholeFile, NeedsAFolderThatExists) {
  EXPECT_FALSE(Replace("/no/such/folder/x", "new"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(Replace("/dev/full", "new"));
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace
