#include "agent/classfile/constructor.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Constructor : public testing::Test {
 protected:
  void SetUp() override {
    std::string super = U2(maker_.Method("java/lang/Object", "<init>", "()V"));
    std::string other = U2(maker_.Method("java/lang/Object", "wait", "()V"));
    call_ = U1(OPCODE_invokespecial) + super;
    plain_call_ = U1(OPCODE_invokespecial) + other;
    class_file_ = maker_.Make();
    struct cursor c = cursor_over({class_file_.data() + 8, class_file_.size() - 8});
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override {
    layout_free(&l_);
    pool_free(&pool_);
  }

  enum weave_status Mark(const std::string &code, const std::string &table = "",
                         const std::vector<Handler> &handlers = {}) {
    layout_free(&l_);
    code_ = code;
    EXPECT_EQ(layout_read(&l_, MakeSpan(code_)), WEAVE_WOVEN);
    struct frame_origin origin = {};
    origin.descriptor = {"()V", 3};
    origin.this_type = {V_UNINITIALIZED_THIS, 0};
    origin.max_locals = origin.max_stack = 4;
    origin.table = table.empty() ? span{nullptr, 0} : MakeSpan(table);
    std::string rows;
    for (const Handler &h : handlers) rows += U2(h.start) + U2(h.end) + U2(h.handler) + U2(h.type);
    struct frame_walk frames;
    EXPECT_EQ(frame_walk_start(&frames, &origin, nullptr), WEAVE_WOVEN);
    enum weave_status status = constructor_mark(&l_, &pool_, &frames, MakeSpan(rows));
    frame_walk_end(&frames);
    return status;
  }

  // A letter for each instruction: u if `this` is uninitialized, E if it has INSERT_ENTER, else a
  // dot.
  std::string FormatMarks() {
    std::string out;
    for (uint32_t pc = 0; pc < l_.code.len; pc = layout_next(&l_, pc)) {
      out += l_.between[pc] == INSERT_ENTER ? 'E' : l_.marks[pc] & MARK_UNINITIALIZED ? 'u' : '.';
    }
    return out;
  }

  ClassMaker maker_;
  std::string call_, plain_call_, class_file_, code_;
  struct pool pool_;
  struct layout l_ = {};
};

const std::string kReturn = U1(OPCODE_return), kThis = U1(OPCODE_aload_0);
const std::string kNew = Bytes({OPCODE_new, 0, 2, OPCODE_dup});
// The locals of a frame: local 0 is the uninitialized `this`, or an int.
const std::string kUninitialized = U2(1) + U1(6), kInitialized = U2(1) + U1(1);

std::string MakeFullFrame(uint32_t delta, const std::string &locals,
                          const std::string &stack = U2(0)) {
  return U1(255) + U2(delta) + locals + stack;
}

std::string MakeJump(int opcode, int distance) {
  return U1(static_cast<uint32_t>(opcode)) + U2(static_cast<uint32_t>(distance));
}

TEST_F(Constructor, EntersAfterTheCall) {
  EXPECT_EQ(Mark(kThis + call_ + kReturn), WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuE");
  EXPECT_EQ(Mark(kThis + call_ + kThis + plain_call_ + kReturn), WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuE..");
}

TEST_F(Constructor, CanCreateOtherObjectsBeforeTheCall) {
  EXPECT_EQ(
      Mark(kThis + kNew + call_ + kNew + kNew + call_ + call_ + call_ + kNew + call_ + kReturn),
      WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuuuuuuuuuE...");
}

TEST_F(Constructor, FramesGiveTheStateAfterBranches) {
  // this(… ? … : …)
  std::string code = kThis + U1(OPCODE_iconst_0) + MakeJump(OPCODE_ifeq, 7) + U1(OPCODE_iconst_1) +
                     MakeJump(OPCODE_goto, 4) + U1(OPCODE_iconst_2) + call_ + kReturn;
  std::string stack = U2(1) + U1(6);
  EXPECT_EQ(Mark(code, U2(2) + MakeFullFrame(9, kUninitialized, stack) +
                           MakeFullFrame(0, kUninitialized, stack)),
            WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuuuuuE");
  // this(new Object(… ? … : …)): the new object is pending where the branches join.
  code = kThis + kNew + U1(OPCODE_iconst_0) + MakeJump(OPCODE_ifeq, 7) + U1(OPCODE_iconst_1) +
         MakeJump(OPCODE_goto, 4) + U1(OPCODE_iconst_2) + call_ + call_ + kReturn;
  stack = U2(3) + U1(6) + Bytes({8, 0, 1, 8, 0, 1});
  EXPECT_EQ(Mark(code, U2(2) + MakeFullFrame(13, kUninitialized, stack) +
                           MakeFullFrame(0, kUninitialized, stack)),
            WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuuuuuuuuE");
}

TEST_F(Constructor, EachOfTwoBranchesEntersOnce) {
  std::string code = U1(OPCODE_iconst_0) + MakeJump(OPCODE_ifeq, 10) + kThis + call_ +
                     MakeJump(OPCODE_goto, 7) + kThis + call_ + kReturn;
  EXPECT_EQ(Mark(code, U2(2) + MakeFullFrame(11, kUninitialized) + MakeFullFrame(3, kInitialized)),
            WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuuEuuE");
}

TEST_F(Constructor, CallIsFoundInOldCodeWithoutFrames) {
  std::string code = kThis + U1(OPCODE_iconst_0) + MakeJump(OPCODE_ifeq, 13) + kNew + call_ +
                     MakeJump(OPCODE_goto, 10) + kNew + call_ + call_ + kReturn;
  EXPECT_EQ(Mark(code), WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuuuuuuuuuE");
}

TEST_F(Constructor, HandlersMustBeOnTheSameSideOfTheCallAsTheirRange) {
  std::string code =
      U1(OPCODE_iconst_0) + kThis + call_ + kThis + plain_call_ + kReturn + U1(OPCODE_athrow);
  std::string initialized = U2(1) + MakeFullFrame(10, kInitialized, U2(1) + U1(5));
  EXPECT_EQ(Mark(code, initialized, {{5, 9, 10, 0}}), WEAVE_WOVEN);
  EXPECT_EQ(Mark(code, initialized, {{0, 1, 10, 0}}), WEAVE_CONSTRUCTOR);
  EXPECT_EQ(Mark(code, initialized, {{77, 1, 10, 0}}), WEAVE_CONSTRUCTOR);
  std::string uninitialized = U2(1) + MakeFullFrame(10, kUninitialized, U2(1) + U1(5));
  EXPECT_EQ(Mark(code, uninitialized, {{0, 1, 10, 0}}), WEAVE_WOVEN);
  EXPECT_EQ(FormatMarks(), "uuuE..u");
}

TEST_F(Constructor, AmbiguousCodeIsRefused) {
  EXPECT_EQ(Mark(kReturn), WEAVE_CONSTRUCTOR) << "no call";
  EXPECT_EQ(Mark(kThis + plain_call_ + kReturn), WEAVE_CONSTRUCTOR) << "another method";
  EXPECT_EQ(Mark(kThis + kNew + U1(OPCODE_pop2) + call_ + kReturn), WEAVE_CONSTRUCTOR)
      << "an object that is dropped before its constructor is called";
  EXPECT_EQ(Mark(U1(OPCODE_aconst_null) + U1(OPCODE_athrow)), WEAVE_CONSTRUCTOR) << "never returns";
  std::string over = U1(OPCODE_iconst_0) + MakeJump(OPCODE_ifeq, 7) + kThis + call_ + kReturn;
  EXPECT_EQ(Mark(over, U2(1) + MakeFullFrame(8, kInitialized)), WEAVE_CONSTRUCTOR)
      << "a path around the call";
  EXPECT_EQ(Mark(over, U2(1) + MakeFullFrame(8, kUninitialized)), WEAVE_CONSTRUCTOR);
  EXPECT_EQ(Mark(over), WEAVE_CONSTRUCTOR);
  EXPECT_EQ(Mark(kThis + call_ + kReturn, U2(1) + U1(200)), WEAVE_MALFORMED);
}

}  // namespace
