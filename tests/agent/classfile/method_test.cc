#include "agent/classfile/method.h"

#include "agent/classfile/opcodes.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// One method run()V, woven in a class that has nothing else.
class Method : public testing::Test {
 protected:
  Method() {
    code_.max_stack = 3;
    code_.max_locals = 4;
    code_.code = Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return});
  }

  enum weave_status Weave() {
    ClassMaker maker;
    for (const char *name : {"StackMapTable", "LineNumberTable", "LocalVariableTable", "Unknown"}) {
      maker.Utf8(name);
    }
    maker.Class("java/lang/Throwable");
    super_call_ = maker.Method("java/lang/Object", "<init>", "()V");
    maker.AddMethod(flags_, name_, "()V", code_);
    before_ = maker.Make();
    struct weave_hooks hooks = {"Hook", "enter", "exit", "thrown"};
    struct weave_request request = {name_, "()V", hooking_, WEAVE_ABSENT};
    struct builder out = {};
    weave_class(SpanOf(before_), &hooks, &request, 1, &out);
    if (request.status == WEAVE_WOVEN) {
      parts_ = TakeToPieces(std::string(out.data, out.len));
      woven_ = parts_.methods.at(name_ + std::string("()V"));
    }
    builder_free(&out);
    return request.status;
  }

  uint32_t flags_ = 0;
  const char *name_ = "run";
  CodeBytes code_, woven_;
  struct weave_hooking hooking_ = {7, true, true};
  uint32_t super_call_ = 0;
  std::string before_;
  ClassParts parts_;
};

// Where a hook's number is in `code`, at its invokestatic.
std::string HookAt(const ClassParts &parts, const std::string &code, size_t at) {
  EXPECT_EQ(static_cast<uint8_t>(code.at(at)), OPCODE_invokestatic);
  return parts.MethodName(static_cast<uint32_t>(static_cast<uint8_t>(code.at(at + 1)) << 8 |
                                                static_cast<uint8_t>(code.at(at + 2))));
}

TEST_F(Method, GetsAllThreeHooks) {
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  const std::string &c = woven_.code;
  ASSERT_EQ(c.size(), 6u + 2 + 5 + 1 + 6);
  EXPECT_EQ(c.substr(0, 3), Bytes({OPCODE_aload_0, OPCODE_bipush, 7}));
  EXPECT_EQ(HookAt(parts_, c, 3), "Hook.enter(Ljava/lang/Object;I)V");
  EXPECT_EQ(c.substr(6, 4), Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_bipush, 7}));
  EXPECT_EQ(HookAt(parts_, c, 10), "Hook.exit(I)V");
  EXPECT_EQ(c.substr(13, 3), Bytes({OPCODE_return, OPCODE_bipush, 7}));
  EXPECT_EQ(HookAt(parts_, c, 16), "Hook.thrown(I)V");
  EXPECT_EQ(c.substr(19), Bytes({OPCODE_athrow}));
  EXPECT_EQ(woven_.max_stack, 4u);
  EXPECT_EQ(woven_.max_locals, 4u);
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{6, 8, 14, 0}}));
  EXPECT_EQ(woven_.Attribute("StackMapTable").size(), 2u + 10);
}

TEST_F(Method, WithoutExitGetsTheEntryAlone) {
  hooking_ = {7, false, false};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.size(), 6u + 3);
  EXPECT_EQ(woven_.code.substr(0, 1), Bytes({OPCODE_aconst_null}));
  EXPECT_TRUE(woven_.handlers.empty());
  EXPECT_TRUE(woven_.attributes.empty());
}

TEST_F(Method, StaticHasNoThis) {
  flags_ = 8;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(0, 1), Bytes({OPCODE_aconst_null}));
}

TEST_F(Method, OfAReturnAloneNeedsNoHandler) {
  code_.code = Bytes({OPCODE_return});
  code_.max_stack = 0;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.size(), 6u + 5 + 1);
  EXPECT_TRUE(woven_.handlers.empty());
  EXPECT_TRUE(woven_.attributes.empty());
  EXPECT_EQ(woven_.max_stack, 2u);
}

TEST_F(Method, HandlersLeaveOutTheReturnsAndComeLast) {
  code_.code = Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return, OPCODE_pop, OPCODE_return,
                      OPCODE_return, OPCODE_athrow});
  code_.handlers = {{0, 3, 3, 9}, {0, 7, 6, 0}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  // 6 pop at 7; 8 EXIT return at 13; 14 pop; 15 EXIT return; 21 EXIT return; 27 athrow; 28
  EXPECT_EQ(woven_.handlers,
            (std::vector<Handler>{
                {6, 14, 14, 9}, {6, 28, 27, 0}, {6, 8, 28, 0}, {14, 15, 28, 0}, {27, 28, 28, 0}}));
}

TEST_F(Method, ConstructorEntersBehindItsCall) {
  name_ = "<init>";
  Weave();
  code_.code = Bytes({OPCODE_aload_0, OPCODE_invokespecial}) + U2(super_call_) +
               Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return});
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(0, 7),
            code_.code.substr(0, 4) + Bytes({OPCODE_aload_0, OPCODE_bipush, 7}));
  EXPECT_EQ(HookAt(parts_, woven_.code, 7), "Hook.enter(Ljava/lang/Object;I)V");
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{10, 12, 18, 0}}));
}

TEST_F(Method, ConstructorThatWritesOverThisPassesNull) {
  name_ = "<init>";
  Weave();
  code_.code = Bytes({OPCODE_aload_0, OPCODE_invokespecial}) + U2(super_call_) +
               Bytes({OPCODE_aconst_null, OPCODE_astore_0, OPCODE_return});
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(4, 1), Bytes({OPCODE_aconst_null}));
}

TEST_F(Method, AttributesMoveAndUnknownOnesGo) {
  code_.attributes = {{"LineNumberTable", U2(2) + U2(0) + U2(5) + U2(2) + U2(6)},
                      {"Unknown", "any"},
                      {"LocalVariableTable", U2(0)}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  ASSERT_EQ(woven_.attributes.size(), 3u);
  EXPECT_EQ(woven_.Attribute("LineNumberTable"), U2(2) + U2(0) + U2(5) + U2(8) + U2(6));
  EXPECT_EQ(woven_.attributes[1].first, "LocalVariableTable");
  EXPECT_EQ(woven_.attributes[2].first, "StackMapTable");
}

// --- what is refused

TEST_F(Method, MalformedCodeIsRefused) {
  code_.code = Bytes({0xFE});
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
  code_.code = "";
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
}

TEST_F(Method, MalformedHandlersAreRefused) {
  for (Handler bad : std::vector<Handler>{
           {0, 0, 2, 0}, {1, 0, 2, 0}, {3, 3, 2, 0}, {0, 4, 2, 0}, {0, 2, 3, 0}, {0, 2, 9, 0}}) {
    code_.handlers = {bad};
    EXPECT_EQ(Weave(), WEAVE_MALFORMED) << bad.start << " " << bad.end << " " << bad.handler;
  }
}

TEST_F(Method, MalformedAttributesAreRefused) {
  code_.attributes = {{"LineNumberTable", U2(1)}};
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
  code_.attributes = {{"StackMapTable", U2(1)}};
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
  code_.attributes = {{"StackMapTable", U2(0)}, {"StackMapTable", U2(0)}};
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
}

TEST_F(Method, TooMuchCodeIsRefused) {
  code_.code = std::string(65535 - 1, '\0') + Bytes({OPCODE_return});
  EXPECT_EQ(Weave(), WEAVE_CODE_FULL);
}

TEST_F(Method, TooHighAStackIsRefused) {
  code_.max_stack = 65534;
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
  code_.max_stack = 65535;
  EXPECT_EQ(Weave(), WEAVE_STACK_FULL);
}

TEST_F(Method, TooManyHandlersAreRefused) {
  code_.handlers.assign(65534, {0, 2, 2, 0});
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
  code_.handlers.assign(65535, {0, 2, 2, 0});
  EXPECT_EQ(Weave(), WEAVE_HANDLERS_FULL);
}

TEST_F(Method, UnclearConstructorIsRefused) {
  name_ = "<init>";
  EXPECT_EQ(Weave(), WEAVE_CONSTRUCTOR);
}

TEST_F(Method, EmptyFinalizeIsRefused) {
  name_ = "finalize";
  EXPECT_EQ(Weave(), WEAVE_WOVEN) << "not empty";
  code_.code = Bytes({OPCODE_return});
  EXPECT_EQ(Weave(), WEAVE_EMPTY_FINALIZE);
}

}  // namespace
