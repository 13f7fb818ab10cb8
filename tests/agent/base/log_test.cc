#include "agent/base/log.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

using Writes = std::vector<std::string>;

// Returns what `act` writes to stderr, one string for each write(2). The socket keeps the
// boundaries.
Writes CaptureStderr(const std::function<void()> &act) {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  int saved = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  act();
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(ends[1]);
  Writes writes;
  char packet[4096];
  for (ssize_t n; (n = read(ends[0], packet, sizeof packet)) > 0;) {
    writes.emplace_back(packet, static_cast<size_t>(n));
  }
  close(ends[0]);
  return writes;
}

TEST(Log, DoesNotHangForAPipeThatNobodyReads) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (write(ends[1], "x", 1) == 1) continue;
  fcntl(ends[1], F_SETFL, 0);
  int saved = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  log_line("lost"); /* returns */
  dup2(saved, STDERR_FILENO);
  std::string text(1 << 20, ' ');
  text.resize(static_cast<size_t>(read(ends[0], text.data(), text.size())));
  EXPECT_EQ(text.find("lost"), std::string::npos);
  for (int fd : {saved, ends[0], ends[1]}) close(fd);
}

TEST(Log, WritesALineWithOneWrite) {
  EXPECT_EQ(CaptureStderr([] { log_line("%s: %d left", "disk", 0); }),
            Writes{"orca: disk: 0 left\n"});
  EXPECT_EQ(CaptureStderr([] { log_line("%s", ""); }), Writes{"orca: \n"});
}

TEST(Log, ReplacesControlCharacters) {
  EXPECT_EQ(CaptureStderr([] { log_line("a\nb\tc\x1b[2Jd\x7f%c", 1); }),
            Writes{"orca: a?b?c?[2Jd??\n"});
  EXPECT_EQ(CaptureStderr([] { log_line("%s", "caf\xc3\xa9"); }), Writes{"orca: caf\xc3\xa9\n"});
}

TEST(Log, CutsLongTextsButEndsTheLine) {
  std::string text;
  for (int i = 0; i < 5000; i++) text += static_cast<char>('a' + i % 26);
  Writes writes = CaptureStderr([&] { log_line("%s", text.c_str()); });
  ASSERT_EQ(writes.size(), 1u);
  const std::string &line = writes[0];
  EXPECT_GE(line.size(), 1000u);
  EXPECT_LE(line.size(), 1024u);
  EXPECT_EQ(line.back(), '\n');
  EXPECT_EQ(line.substr(0, line.size() - 1), ("orca: " + text).substr(0, line.size() - 1));
}

TEST(Log, KeepsTextsThatFit) {
  for (size_t n = 900; n <= 1000; n++) {
    std::string text(n, 'x');
    EXPECT_EQ(CaptureStderr([&] { log_line("%s", text.c_str()); }), Writes{"orca: " + text + "\n"});
  }
}

TEST(Log, OnceWritesOnceForEachFlag) {
  int full = 0, missing = 0;
  EXPECT_EQ(CaptureStderr([&] {
              for (int i = 0; i < 3; i++) {
                log_once(&full, "%s is full", "disk");
                log_once(&missing, "folder is missing");
              }
            }),
            (Writes{"orca: disk is full\n", "orca: folder is missing\n"}));
}

TEST(Log, OnceWritesOnceForManyThreads) {
  int is_logged = 0;
  Writes writes = CaptureStderr([&] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) threads.emplace_back([&] { log_once(&is_logged, "hello"); });
    for (std::thread &t : threads) t.join();
  });
  EXPECT_EQ(writes, Writes{"orca: hello\n"});
}

TEST(Log, IgnoresAClosedStderr) {
  int saved = dup(STDERR_FILENO);
  close(STDERR_FILENO);
  log_line("nobody reads this");
  dup2(saved, STDERR_FILENO);
  close(saved);
}

}  // namespace
