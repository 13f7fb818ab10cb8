#include "tools/orca/cmd/writing_process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/dump_files.h"
#include "tests/support/instead_of_sleep.h"

namespace {

class WritingProcessTest : public testing::Test {
 protected:
  std::string Info() const { return files_.Prefix() + ".info"; }
  void WriteInfo(const std::string &text) const { std::ofstream(Info()) << text; }
  // Returns the process, or 0.
  pid_t Find() {
    pid_t pid = -1;
    why_ = {};
    bool good = writing_process(files_.Prefix().c_str(), &pid, &why_);
    EXPECT_EQ(good, why_.text[0] == '\0');
    return good ? pid : 0;
  }
  void Lock() {
    fd_ = open(Info().c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(flock(fd_, LOCK_EX), 0);
  }
  void TearDown() override {
    if (fd_ >= 0) close(fd_);
  }

  DumpFiles files_;
  struct refusal why_ = {};
  int fd_ = -1;
};

TEST_F(WritingProcessTest, IsThePidInALockedInfo) {
  WriteInfo("format=1\npid=4711\ncommand=java pid=5\n");
  Lock();
  EXPECT_EQ(Find(), 4711);
}

TEST_F(WritingProcessTest, DoesNotExistWithoutTheLock) {
  WriteInfo("format=1\npid=4711\n");
  EXPECT_EQ(Find(), 0);
  EXPECT_STREQ(why_.text, ("no process records into " + files_.Prefix() +
                           " now; orca pack keeps a recording that has ended")
                              .c_str());
  Lock();  // no lock was left
  EXPECT_EQ(Find(), 4711);
}

TEST_F(WritingProcessTest, RefusesAPrefixWithoutARecording) {
  unlink(Info().c_str());
  EXPECT_EQ(Find(), 0);
  EXPECT_STREQ(why_.text, ("there is no recording " + files_.Prefix()).c_str());
}

TEST_F(WritingProcessTest, RefusesAnInfoThatNamesNoProcess) {
  for (const char *text :
       {"", "pid=0\n", "pid=-1\n", "pid=x\n", "pid=99999999999\n", "\0pid\xff"}) {
    WriteInfo(text);
    Lock();
    EXPECT_EQ(Find(), 0) << text;
    EXPECT_STREQ(why_.text,
                 (Info() + " does not say which process writes it; give the PID").c_str());
    close(fd_);
    fd_ = -1;
  }
}

TEST_F(WritingProcessTest, WaitsWhileTheNextSetBegins) {
  WriteInfo("pid=4711\n");
  Lock();
  ASSERT_EQ(rename(Info().c_str(), (files_.Prefix() + ".0001.info").c_str()), 0);
  InsteadOfSleep writer([this] {  // it has not found the file
    rename((files_.Prefix() + ".0001.info").c_str(), Info().c_str());
  });
  EXPECT_EQ(Find(), 4711);
}

}  // namespace
