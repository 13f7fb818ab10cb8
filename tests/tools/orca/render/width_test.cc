#include "tools/orca/render/width.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string Cut(const std::string &text, size_t columns) {
  struct builder b = {};
  width_cut(&b, Span(text), columns);
  return TakeText(&b);
}

std::string CutEnd(const std::string &text, size_t columns) {
  struct builder b = {};
  width_cut_end(&b, Span(text), columns);
  return TakeText(&b);
}

TEST(Width, CountsColumnsNotBytes) {
  EXPECT_EQ(width_measure(Span("abc")), 3u);
  EXPECT_EQ(width_measure(Span("Größe µs")), 8u);
  EXPECT_EQ(width_measure(Span("注文")), 4u);
  EXPECT_EQ(width_measure(Span("e\xcc\x81")), 1u);  // e and a combining accent
  EXPECT_EQ(width_measure(Span("😀")), 2u);
  EXPECT_EQ(width_measure(Span("…")), 1u);
  EXPECT_EQ(width_measure(Span("")), 0u);
}

TEST(Width, MeasuresBrokenUtf8) {
  EXPECT_GT(width_measure(Span("\xe6")), 0u);
  EXPECT_GT(width_measure(Span("\xff\xff\x80")), 0u);
  EXPECT_NE(Cut("\xf0\x9f\x98\xf0\x9f", 1), "");
}

TEST(WidthCut, KeepsTextThatFits) {
  EXPECT_EQ(Cut("worker-1", 8), "worker-1");
  EXPECT_EQ(Cut("", 0), "");
}

TEST(WidthCut, KeepsMoreOfTheTail) {
  EXPECT_EQ(Cut("com.acme.Inventory@0A1B2C3D", 20), "com.a…ntory@0A1B2C3D");
  EXPECT_EQ(Cut("abcdef", 1), "…");
  EXPECT_EQ(Cut("abcdef", 0), "");
  for (size_t columns = 1; columns < 12; columns++) {
    EXPECT_LE(width_measure(Span(Cut("注文サービス-スレッド", columns))), columns);
  }
}

TEST(WidthCut, CutsAtTheEnd) {
  EXPECT_EQ(CutEnd("java -jar shop.jar", 9), "java -ja…");
  EXPECT_EQ(CutEnd("java", 4), "java");
}

// Without its number, a name would look like all others.
TEST(Width, KeepsANumberThatIsAWord) {
  const std::string name = "virtual thread 12 of Cart.add:7";
  EXPECT_EQ(Cut(name, 31), name);
  EXPECT_EQ(Cut(name, 20), "…12 of Cart.add:7");
  EXPECT_EQ(Cut(name, 12), "…12…rt.add:7");
  EXPECT_EQ(width_measure(Span(Cut(name, 12))), 12u);
  EXPECT_EQ(Cut(name, 6), "v…dd:7");
  EXPECT_EQ(Cut("12 threads of the JVM", 12), "12 … the JVM");
  EXPECT_EQ(Cut("pool-12-thread", 8), "po…hread");
}

}  // namespace
