#include "agent/classfile/method.h"

#include "tests/agent/classfile/woven_method.h"

namespace {

// Returns the name of the method that the invokestatic at `at` calls.
std::string FindCallee(const ClassParts &parts, const std::string &code, size_t at) {
  EXPECT_EQ(static_cast<uint8_t>(code.at(at)), OPCODE_invokestatic);
  return parts.MethodName(static_cast<uint32_t>(static_cast<uint8_t>(code.at(at + 1)) << 8 |
                                                static_cast<uint8_t>(code.at(at + 2))));
}

TEST_F(Method, CallsEnterExitAndThrown) {
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  const std::string &c = woven_.code;
  ASSERT_EQ(c.size(), 6u + 2 + 5 + 1 + 7);
  EXPECT_EQ(c.substr(0, 3), Bytes({OPCODE_aload_0, OPCODE_bipush, 7}));
  EXPECT_EQ(FindCallee(parts_, c, 3), "Hook.enter(Ljava/lang/Object;I)V");
  EXPECT_EQ(c.substr(6, 4), Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_bipush, 7}));
  EXPECT_EQ(FindCallee(parts_, c, 10), "Hook.exit(I)V");
  EXPECT_EQ(c.substr(13, 4), Bytes({OPCODE_return, OPCODE_dup, OPCODE_bipush, 7}));
  EXPECT_EQ(FindCallee(parts_, c, 17), "Hook.thrown(Ljava/lang/Throwable;I)V");
  EXPECT_EQ(c.substr(20), Bytes({OPCODE_athrow}));
  EXPECT_EQ(woven_.max_stack, 4u);
  EXPECT_EQ(woven_.max_locals, 4u);
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{6, 8, 14, 0}}));
  EXPECT_EQ(woven_.Attribute("StackMapTable").size(), 2u + 10);
}

TEST_F(Method, CallsOnlyEnterWithoutExit) {
  hooking_.enter = ENTER_NULL;
  hooking_.exit = EXIT_NONE;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.size(), 6u + 3);
  EXPECT_EQ(woven_.code.substr(0, 1), Bytes({OPCODE_aconst_null}));
  EXPECT_TRUE(woven_.handlers.empty());
  EXPECT_TRUE(woven_.attributes.empty());
}

TEST_F(Method, StaticPassesItsFirstArgumentIfItIsAReference) {
  flags_ = kStatic;
  const std::pair<const char *, int> cases[] = {{"()V", OPCODE_aconst_null},
                                                {"(Ljava/lang/Thread;)V", OPCODE_aload_0},
                                                {"([I)V", OPCODE_aload_0},
                                                {"(ILjava/lang/Thread;)V", OPCODE_aconst_null}};
  for (const auto &c : cases) {
    descriptor_ = c.first;
    ASSERT_EQ(Weave(), WEAVE_WOVEN);
    EXPECT_EQ(woven_.code.substr(0, 1), Bytes({c.second})) << descriptor_;
  }
}

TEST_F(Method, PassesItsFirstArgumentIfItIsAReference) {
  hooking_.enter = ENTER_LOCAL_ONE;
  hooking_.exit = EXIT_NONE;
  const std::pair<const char *, int> cases[] = {{"()V", OPCODE_aconst_null},
                                                {"(Ljava/lang/Runnable;)V", OPCODE_aload_1},
                                                {"(ILjava/lang/Runnable;)V", OPCODE_aconst_null}};
  for (const auto &c : cases) {
    descriptor_ = c.first;
    ASSERT_EQ(Weave(), WEAVE_WOVEN);
    EXPECT_EQ(woven_.code.substr(0, 1), Bytes({c.second})) << descriptor_;
    EXPECT_TRUE(woven_.handlers.empty());
  }
  flags_ = kStatic;
  descriptor_ = "(Ljava/lang/Runnable;Ljava/lang/Runnable;)V";
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(0, 1), Bytes({OPCODE_aconst_null}));
}

TEST_F(Method, NeedsNoHandlerIfItOnlyReturns) {
  code_.code = Bytes({OPCODE_return});
  code_.max_stack = 0;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.size(), 6u + 5 + 1);
  EXPECT_TRUE(woven_.handlers.empty());
  EXPECT_TRUE(woven_.attributes.empty());
  EXPECT_EQ(woven_.max_stack, 2u);
}

TEST_F(Method, HookRowsExcludeTheReturnsAndComeLast) {
  code_.code = Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return, OPCODE_pop, OPCODE_return,
                      OPCODE_return, OPCODE_athrow});
  code_.handlers = {{0, 3, 3, 9}, {0, 7, 6, 0}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  // The new code: 6 iconst_0 7 pop 8 EXIT 13 return 14 pop 15 EXIT return 21 EXIT return 27 athrow
  // 28 handler
  EXPECT_EQ(woven_.handlers,
            (std::vector<Handler>{
                {6, 14, 14, 9}, {6, 28, 27, 0}, {6, 8, 28, 0}, {14, 15, 28, 0}, {27, 28, 28, 0}}));
}

TEST_F(Method, ConstructorEntersAfterItsConstructorCall) {
  MakeConstructor(Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return}));
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(0, 7),
            code_.code.substr(0, 4) + Bytes({OPCODE_aload_0, OPCODE_bipush, 7}));
  EXPECT_EQ(FindCallee(parts_, woven_.code, 7), "Hook.enter(Ljava/lang/Object;I)V");
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{10, 12, 18, 0}}));
}

TEST_F(Method, ConstructorThatOverwritesThisPassesNull) {
  MakeConstructor(Bytes({OPCODE_aconst_null, OPCODE_astore_0, OPCODE_return}));
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(4, 1), Bytes({OPCODE_aconst_null}));
}

TEST_F(Method, MovesKnownAttributesAndDropsUnknownOnes) {
  code_.attributes = {{"LineNumberTable", U2(2) + U2(0) + U2(5) + U2(2) + U2(6)},
                      {"Unknown", "any"},
                      {"LocalVariableTable", U2(0)}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  ASSERT_EQ(woven_.attributes.size(), 3u);
  EXPECT_EQ(woven_.Attribute("LineNumberTable"), U2(2) + U2(0) + U2(5) + U2(8) + U2(6));
  EXPECT_EQ(woven_.attributes[1].first, "LocalVariableTable");
  EXPECT_EQ(woven_.attributes[2].first, "StackMapTable");
}

// --- refused methods

TEST_F(Method, MalformedCodeIsRefused) {
  code_.code = Bytes({0xFE});
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
  code_.code = "";
  EXPECT_EQ(Weave(), WEAVE_MALFORMED);
}

TEST_F(Method, MalformedDescriptorsAreRefused) {
  for (const char *bad : {"", "(", "()", "(X)V"}) {
    descriptor_ = bad;
    EXPECT_EQ(Weave(), WEAVE_MALFORMED) << bad;
  }
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

TEST_F(Method, AmbiguousConstructorIsRefused) {
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
