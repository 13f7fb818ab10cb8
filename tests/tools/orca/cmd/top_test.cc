#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

class CmdTop : public testing::Test {
 protected:
  CmdTop() { WriteSmallDump(&files_); }
  Outcome RunTop(std::vector<std::string> words) {
    words.insert(words.begin(), "top");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_top, words);
  }

  DumpFiles files_;
};

TEST_F(CmdTop, PrintsTheLastSeconds) {
  Outcome o = RunTop({"--once", "--window", "2"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out.find("11:37:46 UTC, the last 2.00 s\n"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\n3 threads: 2 blocked, 1 waiting\n")) << o.out;
  EXPECT_TRUE(
      Has(o.out,
          "\nDEADLOCK: worker-1 waits for com.acme.Inventory@000000A1 of worker-2; worker-2 "
          "waits for monitor in OrderService.price:88 (Object@000000A2) of worker-1\n"))
      << o.out;
  EXPECT_TRUE(Has(o.out, "\n   2.00 s      1.0      0    1  com.acme.Inventory@000000A1 "))
      << o.out;
  EXPECT_TRUE(Has(o.out, "worker-2, blocked at OrderService.price:88\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "\n2.00 s  worker-1  Inventory.reserve:42   com.acme.Inventory@000000A1"))
      << o.out;
}

TEST_F(CmdTop, PrintsMethods) {
  Outcome o = RunTop({"--window", "100"});  // no terminal: the same as --once
  EXPECT_TRUE(Has(o.out, "\n690 ms  70 %  com.acme.OrderService.price ")) << o.out;
}

TEST_F(CmdTop, PrintsJson) {
  Outcome o = RunTop({"--format=json", "--window", "100"});
  EXPECT_EQ(o.status, 0);
  for (const char *part :
       {"\"window_ns\":10000000000,", "\"events\":22,", "\"blocked\":2,", "\"deadlocks\":1,",
        "{\"blocked_ns\":2875000000,\"waits\":3,\"threads_now\":1,\"lock\":\"com.acme.Inventory@"
        "000000A1\",\"hash\":\"000000A1\",",
        "{\"cpu_ns\":690000000,\"method\":\"com.acme.OrderService.price\","}) {
    EXPECT_TRUE(Has(o.out, part)) << part << "\n" << o.out;
  }
}

TEST_F(CmdTop, RefusesWrongWords) {
  EXPECT_EQ(RunTop({"--window", "0"}).err,
            "orca: top: --window takes a number of seconds from 1, not 0; see orca top --help\n");
  EXPECT_EQ(RunTop({"--format=csv"}).err,
            "orca: top: --format takes text or json, not csv; see orca top --help\n");
  EXPECT_EQ(RunTop({"--twice"}).status, 2);
  EXPECT_EQ(RunCommand(cmd_top, {"top"}).err,
            "orca: top: which recording? PREFIX or PID is missing; see orca top --help\n");
  Outcome o = RunCommand(cmd_top, {"top", std::to_string(getpid())});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, " writes no recording that this user can read\n")) << o.err;
}

// --- in a terminal ---------------------------------------------------------------------------

// A terminal in which `orca top` runs. It is 120 columns wide and has 40 lines.
class Terminal {
 public:
  explicit Terminal(const std::string &prefix) {
    struct winsize size = {40, 120, 0, 0};
    pid_ = forkpty(&fd_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    setenv("TERM", "xterm", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    std::string words[] = {"top", prefix};
    char *argv[] = {words[0].data(), words[1].data(), nullptr};
    _exit(cmd_top(2, argv));
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
      if (poll(&p, 1, 10000) <= 0) return false;
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

TEST_F(CmdTop, ObeysEachKey) {
  Terminal t(files_.Prefix());
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

}  // namespace
