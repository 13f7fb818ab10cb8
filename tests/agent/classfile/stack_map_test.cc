#include "agent/classfile/stack_map.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class StackMap : public testing::Test {
 protected:
  void SetUp() override {
    maker_.Utf8("StackMapTable");
    throwable_ = maker_.Class("java/lang/Throwable");
    string_ = maker_.Class("java/lang/String");
    name_ = maker_.Utf8("StackMapTable");
    class_file_ = maker_.Make();
    struct cursor c = cursor_over({class_file_.data() + 8, class_file_.size() - 8});
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override {
    layout_free(&l_);
    pool_free(&pool_);
  }

  void Read(const std::string &code) {
    code_ = code;
    ASSERT_EQ(layout_read(&l_, MakeSpan(code_)), WEAVE_WOVEN);
  }

  void PlaceHooks() {
    l_.inserts[INSERT_ENTER] = {"EEEE", 4};
    l_.inserts[INSERT_EXIT] = {"XX", 2};
    l_.handler = {"HHH", 3};
    l_.between[0] = INSERT_ENTER;
    for (uint32_t pc = 0; pc < l_.code.len; pc = layout_next(&l_, pc)) {
      if (opcode_kind_at(l_.code, pc) == OP_RETURN) l_.before[pc] = INSERT_EXIT;
    }
    ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  }

  // Returns the body of the attribute; "" if there is no attribute; "refused" if it is refused.
  std::string Put(const std::string &descriptor, const std::string &table) {
    struct frame_origin origin = {};
    origin.descriptor = MakeSpan(descriptor);
    origin.is_static = true;
    origin.max_locals = 4;
    origin.max_stack = 4;
    origin.table = table.empty() ? span{nullptr, 0} : MakeSpan(table);
    struct builder b = {};
    uint32_t num = 77;
    if (stack_map_put(&origin, &l_, &pool_, &b, &num) != WEAVE_WOVEN) {
      builder_free(&b);
      return "refused";
    }
    std::string out = TakeBytes(&b);
    if (num == 0) return out;
    EXPECT_EQ(out.substr(0, 6), U2(name_) + U4(static_cast<uint32_t>(out.size() - 6)));
    EXPECT_EQ(out.substr(6, 2), U2(num));
    return out.substr(6);
  }

  std::string MakeHandlerFrame(uint32_t delta) {
    return U1(255) + U2(delta) + U2(0) + U2(1) + U1(7) + U2(throwable_);
  }

  ClassMaker maker_;
  uint32_t throwable_, string_, name_;
  std::string class_file_, code_;
  struct pool pool_;
  struct layout l_ = {};
};

const std::string kReturn = U1(OPCODE_return);

std::string MakeNops(size_t n) { return std::string(n, '\0'); }

TEST_F(StackMap, IsNotPutIfThereAreNoFrames) {
  Read(kReturn);
  ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  EXPECT_EQ(Put("()V", ""), "");
}

TEST_F(StackMap, StraightCodeGetsOnlyTheFrameOfTheHandler) {
  Read(MakeNops(3) + kReturn);
  PlaceHooks();
  EXPECT_EQ(Put("()V", ""), U2(1) + MakeHandlerFrame(10));
}

TEST_F(StackMap, FramesMoveAndTheFrameOfTheHandlerIsLast) {
  Read(MakeNops(1) + kReturn + MakeNops(1) + kReturn);
  PlaceHooks();
  // The frame of pc 0 is after INSERT_ENTER. The frame of pc 3 is before INSERT_EXIT.
  EXPECT_EQ(Put("(I)V", U2(2) + U1(0) + U1(252) + U2(2) + U1(2)),
            U2(3) + U1(4) + U1(252) + U2(4) + U1(2) + MakeHandlerFrame(2));
}

TEST_F(StackMap, RefusesFramesThatAreAtNoInstruction) {
  Read(Bytes({OPCODE_sipush, 0, 0}) + kReturn);
  PlaceHooks();
  EXPECT_EQ(Put("()V", U2(1) + U1(1)), "refused");
  EXPECT_EQ(Put("()V", U2(1) + U1(4)), "refused");
  EXPECT_EQ(Put("()V", U2(1) + U1(251) + U2(65535)), "refused");
  EXPECT_EQ(Put("()V", U2(2) + U1(3)), "refused");
  EXPECT_EQ(Put("()V", U2(0) + U1(3)), "refused") << "more bytes than frames";
  EXPECT_EQ(Put("(", ""), "refused");
}

TEST_F(StackMap, NeedsNoRoomInThePoolIfAllEntriesExist) {
  Read(MakeNops(3) + kReturn);
  PlaceHooks();
  pool_.num = POOL_MAX;
  EXPECT_EQ(Put("()V", ""), U2(1) + MakeHandlerFrame(10));
}

// A trampoline has a full copy of the frame of its target.
TEST_F(StackMap, TrampolineAtTheStartHasTheFrameOfItsTarget) {
  Read(Bytes({OPCODE_ifnull, 0x7F, 0xFF}) + kReturn + MakeNops(32763) + kReturn);
  PlaceHooks();
  ASSERT_EQ(l_.num_via_start, 1u);
  std::string types = U2(1) + U1(7) + U2(string_);
  std::string frames = U2(2) + U1(4) + U1(252) + U2(32767 - 5) + U1(1);
  uint32_t second = l_.new_target[4], third = l_.new_target[32767];
  EXPECT_EQ(Put("(Ljava/lang/String;)V", frames),
            U2(5) + (U1(255) + U2(5) + U2(2) + U1(7) + U2(string_) + U1(1) + U2(0)) +
                (U1(255) + U2(4) + types + U2(0)) + U1(second - 11) +
                (U1(252) + U2(third - second - 1) + U1(1)) +
                MakeHandlerFrame(layout_handler(&l_) - third - 1));
}

// The shortcut jumps to its end, so a frame is needed there even if there is one at the old pc 0.
TEST_F(StackMap, EndOfTheShortcutHasTheFrameOfTheEntry) {
  Read(MakeNops(1) + kReturn);
  l_.shortcut = {"SSSSS", 5};
  ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  std::string entry = U1(255) + U2(5) + U2(2) + U1(7) + U2(string_) + U1(1) + U2(0);
  EXPECT_EQ(Put("(Ljava/lang/String;I)V", ""), U2(1) + entry);
  EXPECT_EQ(Put("(Ljava/lang/String;I)V", U2(1) + U1(0)), U2(2) + entry + U1(0));
  pool_.num = POOL_MAX;
  EXPECT_EQ(Put("(LNew;)V", ""), "refused");
}

TEST_F(StackMap, BodyAndEndOfTheShortcutHaveTheFrameOfTheEntry) {
  Read(Bytes({OPCODE_ifnull, 0x7F, 0xFF}) + kReturn + MakeNops(32763) + kReturn);
  l_.shortcut = {"SSSSS", 5};
  PlaceHooks();
  ASSERT_EQ(l_.num_via_start, 1u);
  std::string types = U2(1) + U1(1) + U2(0);
  EXPECT_EQ(
      Put("(I)V", U2(2) + U1(4) + U1(251) + U2(32767 - 5)).substr(0, 26),
      U2(6) + (U1(255) + U2(5) + types) + (U1(255) + U2(4) + types) + (U1(255) + U2(4) + types));
}

TEST_F(StackMap, FrameOfTheHandlerCanContainLocalVariable0) {
  uint32_t object = maker_.Class("java/lang/Object");
  Read(MakeNops(3) + kReturn);
  l_.handler_has_local_zero = true;
  PlaceHooks();
  EXPECT_EQ(Put("(I)V", ""),
            U2(1) + U1(255) + U2(10) + U2(1) + U1(7) + U2(object) + U2(1) + U1(7) + U2(throwable_));
}

TEST_F(StackMap, TrampolineAtTheEndHasTheFrameOfItsTarget) {
  Read(MakeNops(1) + kReturn + MakeNops(32766) + Bytes({OPCODE_ifnull, 0x80, 0}) + kReturn);
  PlaceHooks();
  ASSERT_EQ(l_.num_via_end, 1u);
  EXPECT_EQ(Put("(Ljava/lang/String;)V", U2(1) + U1(0)),
            U2(3) + U1(4) + MakeHandlerFrame(layout_handler(&l_) - 5) +
                (U1(255) + U2(2) + U2(1) + U1(7) + U2(string_) + U2(0)));
}

}  // namespace
