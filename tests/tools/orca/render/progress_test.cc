#include "tools/orca/render/progress.h"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <string>

#include "agent/base/bytes.h"
#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

std::string Line(uint64_t done, uint64_t total) {
  struct progress p = {-1, false, done, total, 0, 0};
  struct builder b = {};
  progress_write(&b, &p);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

std::string Bar(int full) {
  std::string bar;
  for (int i = 0; i < 30; i++) bar += i < full ? "█" : "░";
  return bar;
}

TEST(Progress, WritesTheLine) {
  EXPECT_EQ(Line(0, 2700000000), "reading  " + Bar(0) + "    0 %  0.0 MB of 2.7 GB");
  EXPECT_EQ(Line(1350000000, 2700000000), "reading  " + Bar(15) + "   50 %  1.4 GB of 2.7 GB");
  EXPECT_EQ(Line(5000000, 4000000), "reading  " + Bar(30) + "  100 %  4.0 MB of 4.0 MB");
  EXPECT_EQ(Line(0, 0), "reading  " + Bar(30) + "  100 %  0.0 MB of 0.0 MB");
}

TEST(Progress, AppearsAfterASecondAndCanBeErased) {
  int master, slave;
  if (openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) GTEST_SKIP() << "no terminals here";
  fcntl(master, F_SETFL, O_NONBLOCK);
  struct progress p;
  char text[512];
  progress_start(&p, slave, 1000);
  progress_add(&p, 10);
  EXPECT_TRUE(p.drawn == 0 || p.drawn - p.started >= NS_PER_S);
  EXPECT_EQ(read(master, text, sizeof text) > 0, p.drawn != 0);
  p.started = p.drawn = 0;  // the beginning of the clock
  progress_add(&p, 490);
  ssize_t n = read(master, text, sizeof text);
  ASSERT_GT(n, 0);
  EXPECT_NE(std::string(text, static_cast<size_t>(n)).find(" 50 % "), std::string::npos);
  uint64_t drawn = p.drawn;
  progress_add(&p, 10);
  EXPECT_TRUE(p.drawn == drawn || p.drawn - drawn >= NS_PER_S / 10);  // at most ten per second
  EXPECT_EQ(read(master, text, sizeof text) > 0, p.drawn != drawn);
  progress_hide(&p);
  n = read(master, text, sizeof text);
  ASSERT_GT(n, 0);
  EXPECT_EQ(std::string(text, static_cast<size_t>(n)), "\r\033[K");
  progress_hide(&p);
  EXPECT_LT(read(master, text, sizeof text), 0);
  close(master);
  close(slave);
}

TEST(Progress, IsDrawnOnlyOnTerminals) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  struct progress p;
  progress_start(&p, pipes[1], 1000);
  p.started = 0;
  progress_add(&p, 500);
  progress_hide(&p);
  close(pipes[1]);
  char c;
  EXPECT_EQ(read(pipes[0], &c, 1), 0);
  close(pipes[0]);
}

}  // namespace
