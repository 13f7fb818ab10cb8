#include "agent/classfile/monitors.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// For each instruction what stands before it: L at a monitorenter, U or R at a monitorexit; after a
// comma what stands between it and the one before: l behind a monitorenter, r behind a monitorexit.
std::string Marks(const std::string &code, const std::vector<Handler> &handlers) {
  static const char letters[NUM_INSERTS + 1] = ".XELlURr";
  std::string rows, before, between;
  for (const Handler &h : handlers) rows += U2(h.start) + U2(h.end) + U2(h.handler) + U2(h.type);
  struct layout l = {};
  EXPECT_EQ(layout_read(&l, SpanOf(code)), WEAVE_WOVEN);
  bool good = monitors_mark(&l, SpanOf(rows)) == WEAVE_WOVEN;
  for (uint32_t pc = 0; pc < l.code.len; pc = layout_next(&l, pc)) {
    before += letters[l.before[pc]];
    between += letters[l.between[pc]];
  }
  layout_free(&l);
  return good ? before + "," + between : "refused";
}

// As javac makes it of synchronized (lock) {}: from 3 the body, from 6 the handler.
std::string Statement(int store, int load) {
  return Bytes({OPCODE_aload_0, OPCODE_dup, OPCODE_astore_1, OPCODE_monitorenter, OPCODE_aload_1,
                OPCODE_monitorexit, OPCODE_return, store, load, OPCODE_monitorexit, OPCODE_aload_2,
                OPCODE_athrow});
}

const std::string kJavac = Statement(OPCODE_astore_2, OPCODE_aload_1);

TEST(Monitors, NoneThereNoneMarked) {
  EXPECT_EQ(Marks(Bytes({OPCODE_nop, OPCODE_return}), {}), "..,..");
}

TEST(Monitors, WayOutBeforeAndHandlerBehind) {
  EXPECT_EQ(Marks(kJavac, {{4, 6, 7, 0}, {7, 10, 7, 0}}), "...L.U...R..,....l.....r.");
}

TEST(Monitors, HandlerMayKeepTheExceptionOnTheStack) {
  std::string code = Bytes({OPCODE_aload_1, OPCODE_monitorenter, OPCODE_aload_1, OPCODE_monitorexit,
                            OPCODE_return, OPCODE_aload_1, OPCODE_monitorexit, OPCODE_athrow});
  EXPECT_EQ(Marks(code, {{2, 4, 5, 0}, {5, 7, 5, 0}}), ".L.U..R.,..l....r");
}

TEST(Monitors, LocalsMayBeOfAnyNumber) {
  std::string load = Bytes({OPCODE_aload, 9}), wide = Bytes({OPCODE_wide, OPCODE_aload, 1, 0});
  for (const std::string &l : {load, wide}) {
    std::string code = l + U1(OPCODE_monitorexit) + U1(OPCODE_return) + Bytes({OPCODE_astore, 7}) +
                       l + U1(OPCODE_monitorexit) + U1(OPCODE_return);
    uint32_t end = static_cast<uint32_t>(l.size()) + 1;
    EXPECT_EQ(Marks(code, {{0, end, end + 1, 0}}), ".U...R.,......r");
  }
}

// Where an exception does not go on to release the same monitor, further down.
TEST(Monitors, UnsureWaysOutAreBehind) {
  const std::string behind = ".....R...R..,......r...r.";
  auto of = [](int store, int load) {
    std::string code = Statement(store, load);
    code[3] = OPCODE_pop; /* no monitorenter, which wants a handler */
    return code;
  };
  const std::string code = of(OPCODE_astore_2, OPCODE_aload_1);
  EXPECT_EQ(Marks(code, {}), behind) << "no handler";
  EXPECT_EQ(Marks(code, {{4, 6, 7, 5}}), behind) << "of one type";
  EXPECT_EQ(Marks(code, {{4, 5, 7, 0}}), behind) << "not there";
  EXPECT_EQ(Marks(code, {{6, 7, 7, 0}}), behind) << "not there";
  EXPECT_EQ(Marks(code, {{4, 6, 4, 0}}), behind) << "of itself";
  EXPECT_EQ(Marks(code, {{4, 6, 10, 0}, {4, 6, 7, 0}}), behind) << "another one first";
  EXPECT_EQ(Marks(code, {{4, 6, 10, 9}, {4, 6, 7, 0}}), behind) << "of one type first";
  EXPECT_EQ(Marks(code, {{4, 6, 11, 0}}), behind) << "no release";
  EXPECT_EQ(Marks(code, {{4, 6, 700, 0}}), behind) << "malformed";
  EXPECT_EQ(Marks(of(OPCODE_astore_2, OPCODE_aload_3), {{4, 6, 7, 0}}), behind)
      << "another monitor";
  EXPECT_EQ(Marks(of(OPCODE_nop, OPCODE_aload_1), {{4, 6, 7, 0}}), behind)
      << "something else first";
}

TEST(Monitors, EntryOutsideOfAnyRangeIsRefused) {
  EXPECT_EQ(Marks(kJavac, {}), "refused");
  EXPECT_EQ(Marks(kJavac, {{4, 6, 7, 9}}), "refused") << "of one type";
  EXPECT_EQ(Marks(kJavac, {{3, 6, 7, 0}}), "refused") << "begins before it";
  EXPECT_EQ(Marks(kJavac, {{5, 6, 7, 0}}), "refused") << "begins too late";
}

TEST(Monitors, HandlerAtTheEndOfTheCode) {
  std::string code = Bytes({OPCODE_aload_1, OPCODE_monitorexit, OPCODE_return});
  EXPECT_EQ(Marks(code, {{0, 2, 2, 0}}), ".R.,..r");
  EXPECT_EQ(Marks(Bytes({OPCODE_aload_1, OPCODE_monitorexit, OPCODE_astore_2, OPCODE_return}),
                  {{0, 2, 2, 0}}),
            ".R..,..r.");
}

}  // namespace
