#include "tools/orca/render/unit.h"

#include <string>

#include "gtest/gtest.h"

namespace {

template <typename Write, typename... Args>
std::string WriteText(Write write, Args... args) {
  struct builder b = {};
  write(&b, args...);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(UnitTime, HasThreeDigits) {
  const struct {
    uint64_t ns;
    const char *text;
  } cases[] = {{0, "0 s"},
               {1, "1 ns"},
               {999, "999 ns"},
               {1000, "1.00 µs"},
               {950000, "950 µs"},
               {999499, "999 µs"},
               {999500, "1.00 ms"},
               {9994999, "9.99 ms"},
               {9995000, "10.0 ms"},
               {12345678, "12.3 ms"},
               {99949999, "99.9 ms"},
               {99960000, "100 ms"},
               {1250000000, "1.25 s"},
               {59940000000, "59.9 s"},
               {59960000000, "1 min 00 s"},
               {185000000000, "3 min 05 s"},
               {3599600000000, "1 h 00 min"},
               {7380000000000, "2 h 03 min"},
               {86399000000000, "1 d 00 h"},
               {370800000000000, "4 d 07 h"}};
  for (const auto &c : cases) EXPECT_EQ(WriteText(unit_time, c.ns), c.text) << c.ns;
}

TEST(UnitTicks, TicksAreTenthsOfANanosecond) {
  EXPECT_EQ(WriteText(unit_ticks, ticks_t{12500000000}), "1.25 s");
  EXPECT_EQ(WriteText(unit_ticks, ticks_t{15}), "2 ns");
}

TEST(UnitCount, SeparatesThousands) {
  EXPECT_EQ(WriteText(unit_count, uint64_t{0}), "0");
  EXPECT_EQ(WriteText(unit_count, uint64_t{999}), "999");
  EXPECT_EQ(WriteText(unit_count, uint64_t{1204}), "1,204");
  EXPECT_EQ(WriteText(unit_count, UINT64_MAX), "18,446,744,073,709,551,615");
}

std::string Share(uint64_t part, uint64_t whole) { return WriteText(unit_share, part, whole); }

TEST(UnitShare, IsInPercent) {
  EXPECT_EQ(Share(62, 100), "62 %");
  EXPECT_EQ(Share(41, 1000), "4.1 %");
  EXPECT_EQ(Share(996, 10000), "10 %");
  EXPECT_EQ(Share(0, 7), "0 %");
  EXPECT_EQ(Share(7, 7), "100 %");
  EXPECT_EQ(Share(1, 0), "-");
}

TEST(UnitShare, IsZeroOrHundredOnlyIfExact) {
  EXPECT_EQ(Share(1, 1000000), "<0.1 %");
  EXPECT_EQ(Share(999, 1000), ">99 %");
  EXPECT_EQ(Share(994, 1000), "99 %");
}

TEST(UnitMany, HasSingularAndPlural) {
  EXPECT_EQ(WriteText(unit_many, uint64_t{1}, "thread", "threads"), "1 thread");
  EXPECT_EQ(WriteText(unit_many, uint64_t{0}, "thread", "threads"), "0 threads");
  EXPECT_EQ(WriteText(unit_many, uint64_t{1204}, "thread", "threads"), "1,204 threads");
}

}  // namespace
