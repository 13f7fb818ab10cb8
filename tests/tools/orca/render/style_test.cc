#include "tools/orca/render/style.h"

#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string Wrapped(size_t width, const std::string &text) {
  struct style style = {width, false, false};
  struct builder b = {};
  style_wrap(&b, &style, "* ", {text.data(), text.size()});
  return TakeText(&b);
}

TEST(StyleWrap, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(Wrapped(12, "one two three four"), "* one two\n  three four\n");
  EXPECT_EQ(Wrapped(12, "größe größe x"), "* größe\n  größe x\n");
  EXPECT_EQ(Wrapped(6, "unbreakable it is"), "* unbreakable\n  it\n  is\n");
  EXPECT_EQ(Wrapped(40, "one"), "* one\n");
}

TEST(StyleWrap, KeepsNumbersAndTheirUnitsTogether) {
  EXPECT_EQ(Wrapped(12, "it took 33 % of"), "* it took\n  33 % of\n");
  EXPECT_EQ(Wrapped(12, "(up to 2.50 ms), or 8 s."), "* (up to\n  2.50 ms),\n  or 8 s.\n");
  EXPECT_EQ(Wrapped(12, "worker-12 sleeps"), "* worker-12\n  sleeps\n");
  EXPECT_EQ(Wrapped(12, "about that s is"), "* about that\n  s is\n");
}

TEST(StyleWrap, LeavesLongLinesWhole) {
  struct style style = {10, false, true};
  struct builder b = {};
  const char text[] = "a paragraph of many words";
  style_wrap(&b, &style, "* ", {text, sizeof text - 1});
  EXPECT_EQ(std::string(b.data, b.len), "* a paragraph of many words\n");
  builder_free(&b);
}

TEST(StyleHeading, IsBoldOnlyInABoldStyle) {
  struct style plain = {80, false, false}, bold = {80, true, false};
  struct builder b = {};
  style_heading(&b, &plain, "Locks");
  EXPECT_EQ(TakeText(&b), "\nLocks\n");
  style_heading(&b, &bold, "Locks");
  EXPECT_EQ(TakeText(&b), "\n\033[1mLocks\033[0m\n");
}

TEST(StyleFor, APipeIsPlain) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  struct style style = style_for(ends[1]);
  EXPECT_EQ(style.width, static_cast<size_t>(STYLE_WIDTH));
  EXPECT_FALSE(style.bold);
  close(ends[0]);
  close(ends[1]);
}

TEST(StyleFor, ATerminalIsBoldAndGivesItsWidth) {
  struct winsize size = {50, 120, 0, 0};
  int master, slave;
  if (openpty(&master, &slave, nullptr, nullptr, &size) != 0) GTEST_SKIP() << "no terminals here";
  unsetenv("NO_COLOR");
  EXPECT_TRUE(style_for(slave).bold);
  EXPECT_EQ(style_for(slave).width, 120u);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(style_for(slave).bold);
  unsetenv("NO_COLOR");
  close(master);
  close(slave);
}

}  // namespace
