#include "agent/classfile/monitors.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// A letter for each instruction's insert in `before`: L is BEFORE_LOCK, U is BEFORE_UNLOCK, R is
// COPY_MONITOR. After a comma, a letter for its insert in `between`: l is AFTER_LOCK, r is
// AFTER_UNLOCK.
std::string FormatMarks(const std::string &code, const std::vector<Handler> &handlers) {
  static const char letters[NUM_INSERTS + 1] = ".XELlURr";
  std::string rows, before, between;
  for (const Handler &h : handlers) rows += U2(h.start) + U2(h.end) + U2(h.handler) + U2(h.type);
  struct layout l = {};
  EXPECT_EQ(layout_read(&l, MakeSpan(code)), WEAVE_WOVEN);
  bool good = monitors_mark(&l, MakeSpan(rows)) == WEAVE_WOVEN;
  for (uint32_t pc = 0; pc < l.code.len; pc = layout_next(&l, pc)) {
    before += letters[l.before[pc]];
    between += letters[l.between[pc]];
  }
  layout_free(&l);
  return good ? before + "," + between : "refused";
}

// synchronized (lock) {}, as javac compiles it: monitorenter at 3, the body from 4, the handler
// from
// 7. `store` and `load` are instructions of the handler.
std::string MakeStatement(int store, int load) {
  return Bytes({OPCODE_aload_0, OPCODE_dup, OPCODE_astore_1, OPCODE_monitorenter, OPCODE_aload_1,
                OPCODE_monitorexit, OPCODE_return, store, load, OPCODE_monitorexit, OPCODE_aload_2,
                OPCODE_athrow});
}

const std::string kJavac = MakeStatement(OPCODE_astore_2, OPCODE_aload_1);

TEST(Monitors, CodeWithoutMonitorsGetsNoMarks) {
  EXPECT_EQ(FormatMarks(Bytes({OPCODE_nop, OPCODE_return}), {}), "..,..");
}

TEST(Monitors, HookPrecedesTheNormalExitAndFollowsTheHandlersExit) {
  EXPECT_EQ(FormatMarks(kJavac, {{4, 6, 7, 0}, {7, 10, 7, 0}}), "...L.U...R..,....l.....r.");
}

TEST(Monitors, HandlerCanKeepTheExceptionOnTheStack) {
  std::string code = Bytes({OPCODE_aload_1, OPCODE_monitorenter, OPCODE_aload_1, OPCODE_monitorexit,
                            OPCODE_return, OPCODE_aload_1, OPCODE_monitorexit, OPCODE_athrow});
  EXPECT_EQ(FormatMarks(code, {{2, 4, 5, 0}, {5, 7, 5, 0}}), ".L.U..R.,..l....r");
}

TEST(Monitors, MonitorCanBeInAnyLocalVariable) {
  std::string load = Bytes({OPCODE_aload, 9}), wide = Bytes({OPCODE_wide, OPCODE_aload, 1, 0});
  for (const std::string &l : {load, wide}) {
    std::string code = l + U1(OPCODE_monitorexit) + U1(OPCODE_return) + Bytes({OPCODE_astore, 7}) +
                       l + U1(OPCODE_monitorexit) + U1(OPCODE_return);
    uint32_t end = static_cast<uint32_t>(l.size()) + 1;
    EXPECT_EQ(FormatMarks(code, {{0, end, end + 1, 0}}), ".U...R.,......r");
  }
}

TEST(Monitors, HookFollowsIfNoLaterHandlerReleasesTheMonitor) {
  const std::string after = ".....R...R..,......r...r.";
  auto make = [](int store, int load) {
    std::string code = MakeStatement(store, load);
    code[3] = OPCODE_pop; /* instead of the monitorenter, which would need a handler */
    return code;
  };
  const std::string code = make(OPCODE_astore_2, OPCODE_aload_1);
  EXPECT_EQ(FormatMarks(code, {}), after) << "no handler";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 7, 5}}), after) << "a handler of one type";
  EXPECT_EQ(FormatMarks(code, {{4, 5, 7, 0}}), after) << "the range ends before the monitorexit";
  EXPECT_EQ(FormatMarks(code, {{6, 7, 7, 0}}), after) << "the range starts after the monitorexit";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 4, 0}}), after) << "the handler is not later";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 10, 0}, {4, 6, 7, 0}}), after) << "another handler first";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 10, 9}, {4, 6, 7, 0}}), after)
      << "a handler of one type first";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 11, 0}}), after) << "the handler releases nothing";
  EXPECT_EQ(FormatMarks(code, {{4, 6, 700, 0}}), after) << "the handler is malformed";
  EXPECT_EQ(FormatMarks(make(OPCODE_astore_2, OPCODE_aload_3), {{4, 6, 7, 0}}), after)
      << "another monitor";
  EXPECT_EQ(FormatMarks(make(OPCODE_nop, OPCODE_aload_1), {{4, 6, 7, 0}}), after)
      << "another instruction first";
}

TEST(Monitors, MonitorenterIsRefusedIfNoRangeStartsAfterIt) {
  EXPECT_EQ(FormatMarks(kJavac, {}), "refused");
  EXPECT_EQ(FormatMarks(kJavac, {{4, 6, 7, 9}}), "refused") << "a handler of one type";
  EXPECT_EQ(FormatMarks(kJavac, {{3, 6, 7, 0}}), "refused")
      << "the range starts at the monitorenter";
  EXPECT_EQ(FormatMarks(kJavac, {{5, 6, 7, 0}}), "refused") << "the range starts too late";
}

TEST(Monitors, HandlerAtTheEndOfTheCodeReleasesNothing) {
  std::string code = Bytes({OPCODE_aload_1, OPCODE_monitorexit, OPCODE_return});
  EXPECT_EQ(FormatMarks(code, {{0, 2, 2, 0}}), ".R.,..r");
  EXPECT_EQ(FormatMarks(Bytes({OPCODE_aload_1, OPCODE_monitorexit, OPCODE_astore_2, OPCODE_return}),
                        {{0, 2, 2, 0}}),
            ".R..,..r.");
}

}  // namespace
