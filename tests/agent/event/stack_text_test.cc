// Stacks and line tables.
#include "tests/agent/event/line_case.h"

namespace {

using Frames = std::vector<std::pair<uint32_t, uint32_t>>;

Frames ReadFrames(const std::string &stack) {
  Frames frames;
  struct span rest = stack_frames(Span(stack));
  for (struct frame f; stack_next(&rest, &f);) frames.emplace_back(f.method, f.location);
  return frames;
}

TEST(Stack, ReadsBackItsOutput) {
  for (size_t depth : {0, 1, 2, 64, 2048}) {
    std::vector<struct frame> frames;
    Frames expected;
    for (size_t i = 0; i < depth; i++) {
      struct frame f = {static_cast<uint32_t>(i + 1),
                        i % 3 ? static_cast<uint32_t>(i) : LOCATION_NATIVE};
      frames.push_back(f);
      expected.emplace_back(f.method, f.location);
    }
    struct builder b = {};
    stack_write(&b, frames.data(), frames.size());
    std::string text = TakeText(&b);
    size_t found = 99999;
    EXPECT_EQ(FaultText(stack_check(Span(text), &found)), "");
    EXPECT_EQ(found, depth);
    EXPECT_EQ(ReadFrames(text), expected);
  }
}

TEST(Stack, WritesAnEmptyStackAsZero) {
  struct builder b = {};
  stack_write(&b, nullptr, 0);
  EXPECT_EQ(TakeText(&b), "0");
}

TEST(Stack, RefusesInvalidText) {
  const Case cases[] = {
      {"", kBadDepth},
      {";", kBadDepth},
      {"-1", kBadDepth},
      {"01;00000007;00000001", kBadDepth},
      {"x;00000007;00000001", kBadDepth},
      {"99999999999999999999", kBadDepth},
      {"0;", kBadFrame},
      {"1;00000007", kBadFrame},
      {"1;00000007;", kBadFrame},
      {"1;00000007;0000001", kBadFrame},
      {"1;00000007;000000011", kBadFrame},
      {"1;0000000a;00000001", kBadFrame},
      {"1;00000007:00000001", kBadFrame},
      {"1;00000007;00000001;", kBadFrame},
      {"1", kWrongDepth},
      {"0;00000007;00000001", kWrongDepth},
      {"2;00000007;00000001", kWrongDepth},
      {"9223372036854775807;00000007;00000001", kWrongDepth},
  };
  for (const Case &c : cases) {
    size_t depth;
    EXPECT_EQ(FaultText(stack_check(Span(c.line), &depth)), c.fault) << c.line;
    EXPECT_EQ(ReadEventFault(kAt + ("ThreadSleep,0A1B2C3D," + c.line)), c.fault) << c.line;
  }
}

TEST(Lines, FindUsesTheLastEntryBeforeTheLocation) {
  const std::string lines = "3;00000000;00000046;00000008;00000047;00000010;00000049";
  EXPECT_EQ(lines_find(Span(lines), 0), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 7), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 8), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0xF), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x10), 0x49u);
  EXPECT_EQ(lines_find(Span(lines), 0xFFFF), 0x49u);
}

TEST(Lines, FindAcceptsReversedPairs) {
  const std::string lines = "3;00000046;00000000;00000047;00000008;00000049;00000010";
  EXPECT_EQ(lines_find(Span(lines), 0), 0x46u);
  EXPECT_EQ(lines_find(Span(lines), 9), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x10), 0x49u);
}

TEST(Lines, FindAcceptsUnsortedEntries) {
  const std::string lines = "3;00000000;00000046;00000010;00000049;00000008;00000047";
  EXPECT_EQ(lines_find(Span(lines), 9), 0x47u);
  EXPECT_EQ(lines_find(Span(lines), 0x11), 0x49u);
}

TEST(Lines, FindReturnsZeroWithoutAnEntry) {
  EXPECT_EQ(lines_find(Span("0"), 3), 0u);
  EXPECT_EQ(lines_find(Span("-1"), 3), 0u);
  EXPECT_EQ(lines_find(Span("1;00000008;00000046"), 3), 0u);
}

TEST(Lines, CheckFindsFaults) {
  const Case cases[] = {
      {"0", ""},
      {"-1", ""},
      {"1;00000000;00000001", ""},
      {"1;00000001;00000000", ""},
      {"", kBadLines},
      {"x", kBadLines},
      {"+1;00000000;00000001", kBadLines},
      {"1;00000000", kBadEntry},
      {"1;00000000;1", kBadEntry},
      {"1,00000000,00000001", kBadLines},
      {"2;00000000;00000001", kWrongLines},
      {"0;00000000;00000001", kWrongLines},
      {"-1;00000000;00000001", kWrongLines},
  };
  for (const Case &c : cases) {
    size_t entries = 99;
    EXPECT_EQ(FaultText(lines_check(Span(c.line), &entries)), c.fault) << c.line;
    if (!c.fault.empty()) continue;
    EXPECT_EQ(entries, c.line[0] == '1' ? 1u : 0u) << c.line;
  }
}

}  // namespace
