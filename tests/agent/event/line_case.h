#pragma once
// Shared by the tests of lines.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/support/bytes.h"

// Returns the line without its newline. The newline must be the last character, and the only one.
inline std::string TakeLine(struct builder *b) {
  std::string out = TakeText(b);
  EXPECT_EQ(out.find('\n'), out.size() - 1) << out;
  return out.substr(0, out.size() - 1);
}

inline std::string FaultText(fault_t fault) { return fault == nullptr ? "" : fault; }

// A line and the fault that a reader finds in it; "": none.
struct Case {
  std::string line, fault;
};

inline constexpr ticks_t kTime = 4801820012345670;
inline constexpr char kAt[] = "480182.0012345670,";
inline constexpr char kStack[] = "2;00000007;FFFFFFFF;00000012;0000001C";
inline constexpr char kName[] = "pool-1 \\u002C";

inline constexpr char kMissing[] = "a field is missing";
inline constexpr char kMore[] = "there are more fields than the line has";
inline constexpr char kBadTime[] = "the timestamp is not seconds with ten decimals";
inline constexpr char kBadThread[] = "the thread is not eight hexadecimal digits";
inline constexpr char kBadObject[] = "the object is not eight hexadecimal digits";
inline constexpr char kBadClass[] = "the class id is not eight hexadecimal digits";
inline constexpr char kBadDepth[] = "the stack does not begin with its depth";
inline constexpr char kBadFrame[] = "a frame of the stack is not ;METHODID;LOCATION";
inline constexpr char kWrongDepth[] = "the stack's depth is not the number of its frames";
inline constexpr char kBadLines[] = "the line table does not begin with its length";
inline constexpr char kBadEntry[] = "an entry of the line table is not ;LOCATION;LINE";
inline constexpr char kWrongLines[] = "the line table's length is not the number of its entries";

inline std::string ReadEventFault(const std::string &line) {
  struct event_line out;
  return FaultText(event_line_read(Span(line), &out));
}
