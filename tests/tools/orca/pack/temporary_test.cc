#include "tools/orca/pack/temporary.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/eventually.h"

namespace {

namespace fs = std::filesystem;

class TemporaryTest : public testing::Test {
 protected:
  TemporaryTest() {
    std::string path = testing::TempDir() + "/temporary_XXXXXX";
    parent_ = mkdtemp(path.data());
    setenv("TMPDIR", parent_.c_str(), 1);
  }
  ~TemporaryTest() override {
    unsetenv("TMPDIR");
    fs::remove_all(parent_);
  }

  std::string parent_;
};

TEST_F(TemporaryTest, IsPrivateAndRemovedWithItsFiles) {
  struct temporary t;
  struct builder why = {};
  struct stat st;
  ASSERT_TRUE(temporary_make(&t, &why));
  std::string folder = t.folder;
  EXPECT_EQ(fs::path(folder).parent_path(), parent_);
  ASSERT_EQ(stat(t.folder, &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 0700u);
  EXPECT_GT(temporary_room(&t), 0u);
  std::ofstream(folder + "/out.orca") << "x";
  temporary_remove(&t);
  EXPECT_FALSE(fs::exists(folder));
  temporary_remove(&t);  // has no effect
}

TEST_F(TemporaryTest, IsRemovedAlsoWhenTheProcessIsKilled) {
  pid_t child = fork();
  if (child == 0) {
    struct temporary t;
    struct builder why = {};
    temporary_make(&t, &why);
    if (t.folder != nullptr && fs::exists(t.folder)) raise(SIGKILL);
    _exit(1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(Eventually([&] { return fs::is_empty(parent_); }));
}

TEST_F(TemporaryTest, CannotBeMadeInAFolderThatDoesNotExist) {
  struct temporary t;
  struct builder why = {};
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_FALSE(temporary_make(&t, &why));
  EXPECT_EQ(std::string(why.data, why.len),
            "no temporary folder can be made in /no/such/folder: No such file or directory");
  builder_free(&why);
}

}  // namespace
