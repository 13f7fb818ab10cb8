// Drives the full screen of `orca top` through a pseudo-terminal.
#include "tools/orca/cmd/top_screen.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/support/eventually.h"
#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

// A terminal in which `orca top` runs. It has 40 lines.
class Terminal {
 public:
  explicit Terminal(const std::string &prefix, unsigned short columns = 120) {
    struct winsize size = {40, columns, 0, 0};
    pid_ = forkpty(&fd_, nullptr, nullptr, &size);
    EXPECT_GE(pid_, 0) << "there is no pseudo-terminal: " << strerror(errno);
    if (pid_ != 0) return;
    setenv("TERM", "xterm", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    std::string words[] = {"top", prefix};
    char *argv[] = {words[0].data(), words[1].data(), nullptr};
    _exit(commands_run(&commands[COMMAND_top], 2, argv));
  }
  ~Terminal() {
    close(fd_);
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }

  // Ctrl-L makes it draw all of the screen, and not only what is different.
  void Press(std::string keys) {
    keys += "\f";
    seen_.clear();
    EXPECT_EQ(write(fd_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }

  // Waits until the screen has drawn this text since the last key. Blanks can be movements of the
  // cursor, so the text should have few.
  bool Shows(const std::string &text) {
    struct pollfd p = {fd_, POLLIN, 0};
    char buffer[4096];
    while (!Has(seen_, text)) {
      if (poll(&p, 1, static_cast<int>(kPatienceSeconds * 1000)) <= 0) return false;
      ssize_t n = read(fd_, buffer, sizeof buffer);
      if (n <= 0) return false;
      seen_.append(buffer, static_cast<size_t>(n));
    }
    return true;
  }

  int Wait() {
    int status = -1;
    Shows("\x01");  // reads the rest
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

  const std::string &Seen() const { return seen_; }

 private:
  int fd_ = -1;
  pid_t pid_ = -1;
  std::string seen_;
};

TEST(TopScreen, ObeysEachKey) {
  DumpFiles files;
  WriteSmallDump(&files);
  Terminal t(files.Prefix());
  ASSERT_TRUE(t.Shows("Locks: blocked time")) << t.Seen();
  EXPECT_TRUE(t.Shows("[the recording has ended]")) << t.Seen();
  t.Press("h");
  EXPECT_TRUE(t.Shows("freeze; again: go on")) << t.Seen();
  t.Press("h");
  EXPECT_TRUE(t.Shows("Locks: blocked time")) << t.Seen();
  t.Press("\r");  // opens the first lock
  EXPECT_TRUE(t.Shows("Where threads were blocked on it")) << t.Seen();
  t.Press("\x7f");
  EXPECT_TRUE(t.Shows("Methods: CPU time")) << t.Seen();
  t.Press("b\r");  // opens the first blocked thread
  EXPECT_TRUE(t.Shows(": blocked for 2.00 s")) << t.Seen();
  EXPECT_TRUE(t.Shows("Inventory.reserve (Inventory.java:42)")) << t.Seen();
  t.Press("l");
  EXPECT_TRUE(t.Shows("Locks: blocked time")) << t.Seen();
  t.Press(" ");
  EXPECT_TRUE(t.Shows("[frozen]")) << t.Seen();
  t.Press(" ");
  EXPECT_TRUE(t.Shows("[the recording")) << t.Seen();
  t.Press("\x1bOD");  // Left: the state of a second earlier
  EXPECT_TRUE(t.Shows("45 UTC")) << t.Seen();
  t.Press("\x1b[5~");  // PageUp: to the first second
  EXPECT_TRUE(t.Shows("37 UTC")) << t.Seen();
  t.Press("\x1b[6~");
  EXPECT_TRUE(t.Shows("46 UTC")) << t.Seen();
  t.Press("-");
  EXPECT_TRUE(t.Shows("5.00 s")) << t.Seen();
  t.Press("+");
  EXPECT_TRUE(t.Shows("10.0 s")) << t.Seen();
  t.Press("\ts\x1bOB\x1bOAmq");
  EXPECT_EQ(t.Wait(), 0);
}

TEST(TopScreen, ShowsSumsOfShortWaits) {
  DumpFiles files;
  WriteSmallDump(&files);
  AddShortCalls(&files);
  Terminal t(files.Prefix(), 80);
  EXPECT_TRUE(t.Shows("are in short: sums of 9.50 s up to 11:37:45")) << t.Seen();
  EXPECT_TRUE(t.Shows("4.00 s  9.00 ms  com.acme.Inventory@000000A1")) << t.Seen();
  t.Press("\r");
  EXPECT_TRUE(t.Shows("Waits shorter than 10ms, in the 9.50 s up to 11:37:45")) << t.Seen();
  EXPECT_TRUE(t.Shows("4.00 s  9.00 ms  Inventory.reserve (Inventory.java:42)")) << t.Seen();
  t.Press("q");
  EXPECT_EQ(t.Wait(), 0);
}

}  // namespace
