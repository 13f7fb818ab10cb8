#include "agent/classfile/layout.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// The hook code in these tests is not instructions but bytes that are easy to see.
const char kEnter[] = "EEEE", kExit[] = "XX", kHandler[] = "HHH";

class Layout {
 public:
  explicit Layout(const std::string &code) : code_(code) {
    read_status = layout_read(&l, MakeSpan(code_));
  }
  ~Layout() { layout_free(&l); }
  Layout(const Layout &) = delete;
  Layout &operator=(const Layout &) = delete;

  // Adds INSERT_ENTER, INSERT_EXIT and the handler, as in most methods.
  Layout &AddHooks() {
    l.inserts[INSERT_ENTER] = {kEnter, 4};
    l.inserts[INSERT_EXIT] = {kExit, 2};
    l.handler = {kHandler, 3};
    l.between[0] = INSERT_ENTER;
    for (uint32_t pc = 0; pc < l.code.len; pc = layout_next(&l, pc)) {
      if (opcode_kind_at(l.code, pc) == OP_RETURN) l.before[pc] = INSERT_EXIT;
    }
    return *this;
  }

  // Returns the new code.
  std::string Place() {
    if (layout_place(&l) != WEAVE_WOVEN) return "not placed";
    struct builder b = {};
    layout_put(&l, &b);
    EXPECT_EQ(b.len, layout_new_len(&l));
    return TakeBytes(&b);
  }

  struct layout l;
  enum weave_status read_status;

 private:
  std::string code_;
};

enum weave_status Read(const std::string &code) { return Layout(code).read_status; }

std::string MakeNops(size_t n) { return std::string(n, '\0'); }

std::string MakeJump(int opcode, int distance) {
  return U1(static_cast<uint32_t>(opcode)) + U2(static_cast<uint32_t>(distance));
}

std::string MakeWideJump(int opcode, int distance) {
  return U1(static_cast<uint32_t>(opcode)) + U4(static_cast<uint32_t>(distance));
}

const std::string kReturn = U1(OPCODE_return);

// --- reading

TEST(LayoutRead, AcceptsGoodCode) {
  EXPECT_EQ(Read(kReturn), WEAVE_WOVEN);
  EXPECT_EQ(Read(MakeNops(65534) + kReturn), WEAVE_WOVEN);
  EXPECT_EQ(Read(MakeJump(OPCODE_goto, 0)), WEAVE_WOVEN);
}

TEST(LayoutRead, RefusesBadCode) {
  EXPECT_EQ(Read(""), WEAVE_MALFORMED);
  EXPECT_EQ(Read(MakeNops(65535) + kReturn), WEAVE_MALFORMED);
  EXPECT_EQ(Read(U1(0xFE)), WEAVE_MALFORMED);
  EXPECT_EQ(Read(U1(OPCODE_sipush)), WEAVE_MALFORMED);
  EXPECT_EQ(Read(MakeNops(1)), WEAVE_MALFORMED) << "runs past its end";
}

TEST(LayoutRead, RefusesJumpsThatGoToNoInstruction) {
  for (int distance : {-1, 1, 2, 4, 100, -32768, 32767}) {
    EXPECT_EQ(Read(MakeJump(OPCODE_ifeq, distance) + kReturn), WEAVE_MALFORMED) << distance;
  }
  for (int distance : {-1, 1, 6, INT32_MAX, INT32_MIN, 65536}) {
    EXPECT_EQ(Read(MakeWideJump(OPCODE_goto_w, distance) + kReturn), WEAVE_MALFORMED) << distance;
  }
  EXPECT_EQ(Read(Bytes({OPCODE_tableswitch, 0, 0, 0}) + U4(2) + U4(0) + U4(0) + U4(0)),
            WEAVE_MALFORMED);
  EXPECT_EQ(Read(Bytes({OPCODE_lookupswitch, 0, 0, 0}) + U4(0) + U4(1) + U4(0) + U4(7)),
            WEAVE_MALFORMED);
}

TEST(LayoutRead, FindsInstructionsAndTheirJumps) {
  Layout code(MakeJump(OPCODE_ifeq, 3) + Bytes({OPCODE_tableswitch}) + U4(13) + U4(0) + U4(1) +
              U4(13) + U4(static_cast<uint32_t>(-3)) + MakeNops(0) +
              MakeWideJump(OPCODE_jsr_w, -21) + kReturn);
  ASSERT_EQ(code.read_status, WEAVE_MALFORMED) << "the jump of 13 goes into the switch";
  Layout good(MakeJump(OPCODE_ifeq, 3) + Bytes({OPCODE_tableswitch}) + U4(21) + U4(0) + U4(1) +
              U4(26) + U4(static_cast<uint32_t>(-3)) + MakeWideJump(OPCODE_jsr_w, -21) + kReturn);
  ASSERT_EQ(good.read_status, WEAVE_WOVEN);
  EXPECT_EQ(layout_next(&good.l, 0), 3u);
  EXPECT_EQ(layout_next(&good.l, 3), 24u);
  EXPECT_EQ(layout_next(&good.l, 24), 29u);
  EXPECT_EQ(layout_next(&good.l, 29), 30u);
  EXPECT_EQ(layout_old_target(&good.l, 3, 0), 24u);
  EXPECT_EQ(layout_old_target(&good.l, 3, 1), 29u);
  EXPECT_EQ(layout_old_target(&good.l, 3, 2), 0u);
  EXPECT_EQ(layout_old_target(&good.l, 24, 0), 3u);
  EXPECT_TRUE(layout_is_old_start(&good.l, 24));
  EXPECT_FALSE(layout_is_old_start(&good.l, 25));
  EXPECT_FALSE(layout_is_old_start(&good.l, 30));
}

// --- placing and writing

TEST(LayoutPut, CopiesTheCodeIfThereAreNoHooks) {
  for (const std::string &code :
       {kReturn, MakeJump(OPCODE_ifeq, 3) + kReturn, MakeWideJump(OPCODE_goto_w, 5) + kReturn,
        Bytes({OPCODE_nop, OPCODE_lookupswitch, 0, 0}) + U4(27) + U4(2) + U4(5) + U4(27) + U4(9) +
            U4(static_cast<uint32_t>(-1)) + kReturn,
        Bytes({OPCODE_wide, OPCODE_iinc, 1, 2, 3, 4}) + MakeJump(OPCODE_jsr, -6) + kReturn}) {
    Layout same(code);
    ASSERT_EQ(same.read_status, WEAVE_WOVEN);
    EXPECT_EQ(same.Place(), code);
  }
}

TEST(LayoutPut, PutsHooksAtTheEntryAndTheReturns) {
  Layout code(MakeNops(1) + kReturn);
  EXPECT_EQ(code.AddHooks().Place(), "EEEE" + MakeNops(1) + "XX" + kReturn + "HHH");
  EXPECT_EQ(code.l.new_target[0], 4u);
  EXPECT_EQ(code.l.new_target[1], 5u);
  EXPECT_EQ(layout_new_pc(&code.l, 1), 7u);
  EXPECT_EQ(code.l.new_target[2], 8u);
  EXPECT_EQ(layout_handler(&code.l), 8u);
}

TEST(LayoutPut, JumpToAReturnExecutesTheHookButJumpToTheStartDoesNot) {
  Layout code(MakeJump(OPCODE_ifeq, 6) + MakeJump(OPCODE_goto, -3) + kReturn);
  EXPECT_EQ(code.AddHooks().Place(),
            "EEEE" + MakeJump(OPCODE_ifeq, 6) + MakeJump(OPCODE_goto, -3) + "XX" + kReturn + "HHH");
}

TEST(LayoutPut, JumpSkipsEnterAfterAConstructorCall) {
  Layout code(MakeNops(3) + MakeJump(OPCODE_ifeq, 0) + kReturn);
  code.l.inserts[INSERT_ENTER] = {kEnter, 4};
  code.l.between[3] = INSERT_ENTER;
  EXPECT_EQ(code.Place(), MakeNops(3) + "EEEE" + MakeJump(OPCODE_ifeq, 0) + kReturn);
}

TEST(LayoutPut, JumpSkipsAnInsertAfterAnInstruction) {
  Layout code(MakeJump(OPCODE_ifeq, 4) + MakeNops(2) + kReturn);
  code.l.inserts[INSERT_BEFORE_LOCK] = {"LL", 2};
  code.l.inserts[INSERT_AFTER_LOCK] = {"DDD", 3};
  code.l.before[3] = INSERT_BEFORE_LOCK;
  code.l.between[4] = INSERT_AFTER_LOCK;
  EXPECT_EQ(code.Place(),
            MakeJump(OPCODE_ifeq, 9) + "LL" + MakeNops(1) + "DDD" + MakeNops(1) + kReturn);
  EXPECT_TRUE(layout_has_insert(&code.l, INSERT_BEFORE_LOCK));
  EXPECT_TRUE(layout_has_insert(&code.l, INSERT_AFTER_LOCK));
  EXPECT_FALSE(layout_has_insert(&code.l, INSERT_BEFORE_UNLOCK));
  // A range that starts there includes the insert, and one that ends there excludes it.
  EXPECT_EQ(layout_range_start(&code.l, 4), 6u);
  EXPECT_EQ(layout_range_end(&code.l, 4), 6u);
  EXPECT_EQ(code.l.new_target[4], 9u);
  EXPECT_EQ(layout_range_start(&code.l, 3), 3u);
  EXPECT_EQ(layout_range_end(&code.l, 3), 3u);
}

TEST(LayoutPut, NoRangeIncludesEnter) {
  Layout code(MakeNops(1) + kReturn);
  code.AddHooks().l.between[1] = INSERT_ENTER;
  code.Place();
  EXPECT_EQ(layout_range_start(&code.l, 0), 4u);
  EXPECT_EQ(layout_range_end(&code.l, 1), 5u);
  EXPECT_EQ(layout_range_start(&code.l, 1), 9u);
}

TEST(LayoutPut, ShortcutPrecedesAllOtherCode) {
  Layout code(MakeNops(1) + MakeJump(OPCODE_ifeq, -1) + kReturn);
  code.l.shortcut = {"SSSSS", 5};
  EXPECT_EQ(code.AddHooks().Place(), "SSSSS" + MakeNops(1) + "EEEE" + MakeNops(1) +
                                         MakeJump(OPCODE_ifeq, -1) + "XX" + kReturn + "HHH");
  EXPECT_EQ(layout_body(&code.l), 0u);
  EXPECT_EQ(layout_entry(&code.l), 5u);
}

TEST(LayoutPut, SwitchesKeepTheirAlignment) {
  for (uint32_t before = 0; before < 4; before++) {
    uint32_t pad = 3 - before;
    std::string table = U4(16 + pad) + U4(7) + U4(7) + U4(17 + pad);
    std::string start = MakeNops(before) + U1(OPCODE_tableswitch) + MakeNops(pad);
    Layout code(start + U4(17 + pad) + U4(7) + U4(7) + U4(18 + pad) + MakeNops(1) + kReturn);
    ASSERT_EQ(code.read_status, WEAVE_WOVEN);
    code.l.inserts[INSERT_ENTER] = {"EE", 2};
    code.l.between[0] = INSERT_ENTER;
    uint32_t new_pad = 3 - (before + 2) % 4;
    EXPECT_EQ(code.Place(), "EE" + MakeNops(before) + U1(OPCODE_tableswitch) + MakeNops(new_pad) +
                                U4(17 + new_pad) + U4(7) + U4(7) + U4(18 + new_pad) + MakeNops(1) +
                                kReturn);
  }
}

TEST(LayoutPut, LookupswitchKeepsItsMatches) {
  std::string code = Bytes({OPCODE_lookupswitch, 0, 0, 0}) + U4(28) + U4(2) + U4(0xFFFFFFFB) +
                     U4(0) + U4(1000) + U4(28);
  EXPECT_EQ(Layout(code + kReturn).AddHooks().Place(), "EEEE" + code + "XX" + kReturn + "HHH");
}

// --- jumps that become too far

TEST(LayoutPlace, GotoAndJsrBecomeWide) {
  for (int opcode : {OPCODE_goto, OPCODE_jsr}) {
    // The INSERT_EXIT of the return in between adds 2 to the distance.
    std::string code = MakeJump(opcode, 32767) + kReturn + MakeNops(32763) + kReturn;
    Layout forward(code);
    ASSERT_EQ(forward.read_status, WEAVE_WOVEN);
    int wide = opcode == OPCODE_goto ? OPCODE_goto_w : OPCODE_jsr_w;
    EXPECT_EQ(forward.AddHooks().Place().substr(4, 5), MakeWideJump(wide, 32771));
    Layout backward(MakeNops(1) + kReturn + MakeNops(32766) + MakeJump(opcode, -32768) + kReturn);
    ASSERT_EQ(backward.read_status, WEAVE_WOVEN);
    EXPECT_EQ(backward.AddHooks().Place().substr(4 + 32770, 5), MakeWideJump(wide, -32770));
  }
}

TEST(LayoutPlace, JumpOfTheLargestDistanceStaysShort) {
  Layout forward(MakeJump(OPCODE_goto, 32767) + MakeNops(32764) + kReturn);
  EXPECT_EQ(forward.AddHooks().Place().substr(4, 3), MakeJump(OPCODE_goto, 32767));
  Layout backward(MakeNops(32768) + MakeJump(OPCODE_ifeq, -32768) + kReturn);
  EXPECT_EQ(backward.AddHooks().Place().substr(4 + 32768, 3), MakeJump(OPCODE_ifeq, -32768));
}

TEST(LayoutPlace, ConditionalJumpsInTheFirstHalfUseTrampolinesAtTheStart) {
  Layout code(MakeJump(OPCODE_ifeq, 32767) + kReturn + MakeNops(32763) + kReturn);
  std::string placed = code.AddHooks().Place();
  EXPECT_EQ(code.l.num_via_start, 1u);
  EXPECT_EQ(layout_body(&code.l), 10u);
  EXPECT_EQ(code.l.new_target[0], 15u);
  uint32_t target = code.l.new_target[32767];
  EXPECT_EQ(placed.substr(0, 18), MakeWideJump(OPCODE_goto_w, 10) +
                                      MakeWideJump(OPCODE_goto_w, static_cast<int>(target) - 5) +
                                      U1(OPCODE_nop) + "EEEE" + MakeJump(OPCODE_ifeq, 5 - 15));
}

TEST(LayoutPlace, ShortcutFollowsTheTrampolinesAtTheStart) {
  Layout code(MakeJump(OPCODE_ifeq, 32767) + kReturn + MakeNops(32763) + kReturn);
  code.l.shortcut = {"SSSSS", 5};
  std::string placed = code.AddHooks().Place();
  EXPECT_EQ(layout_body(&code.l), 10u);
  EXPECT_EQ(layout_entry(&code.l), 15u);
  EXPECT_EQ(code.l.new_target[0], 20u);
  EXPECT_EQ(placed.substr(0, 5), MakeWideJump(OPCODE_goto_w, 10));
  EXPECT_EQ(placed.substr(10, 10), "SSSSS" + U1(OPCODE_nop) + "EEEE");
}

TEST(LayoutPlace, ConditionalJumpsInTheSecondHalfUseTrampolinesAtTheEnd) {
  const std::string returns = kReturn + kReturn + kReturn + kReturn;
  Layout code(MakeNops(1) + returns + MakeNops(32760) + MakeJump(OPCODE_ifnull, -32765) +
              MakeJump(OPCODE_ifnonnull, -32768) + kReturn);
  std::string placed = code.AddHooks().Place();
  ASSERT_EQ(code.l.num_via_end, 2u);
  int at = static_cast<int>(layout_new_pc(&code.l, 32765));
  int first = static_cast<int>(layout_via_end(&code.l, 0)), second = first + 5;
  EXPECT_EQ(placed.substr(static_cast<size_t>(at), 6),
            MakeJump(OPCODE_ifnull, first - at) + MakeJump(OPCODE_ifnonnull, second - at - 3));
  EXPECT_EQ(
      placed.substr(static_cast<size_t>(first) - 3),
      "HHH" + MakeWideJump(OPCODE_goto_w, 4 - first) + MakeWideJump(OPCODE_goto_w, 4 - second));
}

TEST(LayoutPlace, MoreThan65535BytesAreRefused) {
  EXPECT_EQ(Layout(MakeNops(65535 - 10) + kReturn).AddHooks().Place().size(), 65535u);
  Layout full(MakeNops(65535 - 9) + kReturn);
  full.AddHooks();
  EXPECT_EQ(layout_place(&full.l), WEAVE_CODE_FULL);
}

}  // namespace
