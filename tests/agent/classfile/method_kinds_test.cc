// The kinds of hooks that method_test.cc does not test: values, monitors, other calls, shortcuts.
#include "tests/agent/classfile/woven_method.h"

namespace {

// synchronized (this) {}, as javac compiles it.
const std::string kStatement =
    Bytes({OPCODE_aload_0, OPCODE_dup, OPCODE_astore_1, OPCODE_monitorenter, OPCODE_aload_1,
           OPCODE_monitorexit, OPCODE_return, OPCODE_astore_2, OPCODE_aload_1, OPCODE_monitorexit,
           OPCODE_aload_2, OPCODE_athrow});

// --- values

TEST_F(Method, PassesTheReturnedValueToTheHook) {
  code_.max_stack = 2;
  hooking_.exit = EXIT_VALUE;
  const struct {
    const char *descriptor;
    int load, copy, exit;
    const char *hook;
    uint32_t max_stack;
  } cases[] = {
      {"()Z", OPCODE_iconst_0, OPCODE_dup, OPCODE_ireturn, "Hook.exit(ZI)V ", 4},
      {"()J", OPCODE_lconst_0, OPCODE_dup2, OPCODE_lreturn, "Hook.exit(JI)V ", 5},
      {"()LA;", OPCODE_aconst_null, OPCODE_dup, OPCODE_areturn, "Hook.exit(Ljava/lang/Object;I)V ",
       4},
      {"()[J", OPCODE_aconst_null, OPCODE_dup, OPCODE_areturn, "Hook.exit(Ljava/lang/Object;I)V ",
       4},
      {"()I", OPCODE_iconst_0, OPCODE_bipush, OPCODE_ireturn, "Hook.exit(I)V ", 3},
      {"()D", OPCODE_dconst_0, OPCODE_bipush, OPCODE_dreturn, "Hook.exit(I)V ", 3},
  };
  for (const auto &c : cases) {
    descriptor_ = c.descriptor;
    code_.code = Bytes({c.load, c.exit});
    ASSERT_EQ(Weave(), WEAVE_WOVEN);
    EXPECT_EQ(FindCalls(), "Hook.enter(Ljava/lang/Object;I)V " + std::string(c.hook) +
                               "Hook.thrown(Ljava/lang/Throwable;I)V ");
    EXPECT_EQ(static_cast<uint8_t>(woven_.code[7]), c.copy) << descriptor_;
    EXPECT_EQ(woven_.max_stack, c.max_stack) << descriptor_;
  }
}

// --- monitors

TEST_F(Method, CallsHooksAtItsMonitors) {
  hooking_ = {};
  hooking_.id = 7;
  hooking_.monitors = true;
  version_ = 49; /* a class without frames */
  code_.max_stack = 2;
  code_.code = kStatement;
  code_.handlers = {{4, 6, 7, 0}, {7, 10, 7, 0}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(),
            "Hook.monitorEnter(Ljava/lang/Object;I)V Hook.monitorEntered(Ljava/lang/Object;I)V "
            "Hook.monitorExit(Ljava/lang/Object;I)V Hook.monitorExit(Ljava/lang/Object;I)V ");
  // The new code, with some new pcs:
  // 3 BEFORE_LOCK 10 monitorenter AFTER_LOCK 16 aload_1 BEFORE_UNLOCK 23 monitorexit return
  // 25 astore_2 aload_1 COPY_MONITOR 28 monitorexit AFTER_UNLOCK 34 aload_2 athrow
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{11, 24, 25, 0}, {25, 29, 25, 0}}));
  EXPECT_EQ(woven_.max_stack, 5u);
  EXPECT_EQ(woven_.code.size(), 36u);
}

TEST_F(Method, StaysUnchangedIfThereIsNothingToHook) {
  hooking_ = {};
  EXPECT_EQ(Weave(), WEAVE_NOTHING);
  hooking_.monitors = true;
  EXPECT_EQ(Weave(), WEAVE_NOTHING);
  code_.code = Bytes({OPCODE_goto, 0, 0});
  hooking_.exit = EXIT_PLAIN;
  EXPECT_EQ(Weave(), WEAVE_WOVEN) << "an exception can still leave it";
  hooking_.exit = EXIT_NONE;
  hooking_.at_returns = {"Maker", "made"};
  EXPECT_EQ(Weave(), WEAVE_NOTHING) << "it never returns";
}

TEST_F(Method, SynchronizedCallsHooksOfItsMonitor) {
  flags_ = kSynchronized;
  hooking_ = {};
  hooking_.id = 7;
  hooking_.monitors = true;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(),
            "Hook.monitorEntered(Ljava/lang/Object;I)V Hook.monitorExit(Ljava/lang/Object;I)V "
            "Hook.monitorExit(Ljava/lang/Object;I)V ");
  EXPECT_EQ(woven_.code.substr(0, 1), U1(OPCODE_aload_0));
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{6, 8, 15, 0}}));
  EXPECT_NE(woven_.Attribute("StackMapTable").find(U2(1) + U1(7) + U2(object_)), std::string::npos)
      << "the handler's frame contains `this`";
  name_ = "<clinit>";
  EXPECT_EQ(Weave(), WEAVE_NOTHING) << "the JVM enters no monitor for it";
}

TEST_F(Method, StaticSynchronizedCallsHooksOfTheMonitorOfItsClass) {
  flags_ = kSynchronized | kStatic;
  hooking_ = {};
  hooking_.monitors = true;
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(0, 3), U1(OPCODE_ldc_w) + U2(made_));
  version_ = 49;
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
  version_ = 48;
  EXPECT_EQ(Weave(), WEAVE_OLD_CLASS);
  hooking_.monitors = false;
  hooking_.enter = ENTER_NULL;
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
}

TEST_F(Method, SynchronizedIsRefusedIfItLosesThis) {
  flags_ = kSynchronized;
  hooking_.monitors = true;
  code_.attributes = {{"StackMapTable", U2(1) + U1(255) + U2(1) + U2(0) + U2(0)}};
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
  code_.attributes = {{"StackMapTable", U2(1) + U1(1)}};
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
  code_.code = Bytes({OPCODE_aconst_null, OPCODE_astore_0, OPCODE_return});
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
  flags_ = 0;
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
}

TEST_F(Method, MonitorenterWithoutHandlerIsRefused) {
  hooking_.monitors = true;
  code_.code = kStatement;
  EXPECT_EQ(Weave(), WEAVE_MONITOR);
}

// --- calls of other static methods

TEST_F(Method, CallsAStaticMethodOnlyAtItsEntry) {
  hooking_ = {};
  hooking_.at_entry = {"Counter", "count"};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(), "Counter.count(Ljava/lang/Object;)V ");
  EXPECT_EQ(woven_.code.substr(0, 1), U1(OPCODE_aload_0));
  EXPECT_EQ(woven_.code.substr(4), code_.code);
  EXPECT_TRUE(woven_.handlers.empty());
  EXPECT_TRUE(woven_.attributes.empty());
  flags_ = kStatic;
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
  descriptor_ = "(LA;)V";
  EXPECT_EQ(Weave(), WEAVE_WOVEN);
}

TEST_F(Method, CallsAStaticMethodOnlyAtTheReturnsOfAConstructor) {
  hooking_ = {};
  hooking_.at_returns = {"Maker", "made"};
  MakeConstructor(Bytes({OPCODE_return, OPCODE_return}));
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(), "Maker.made(Ljava/lang/Object;)V Maker.made(Ljava/lang/Object;)V ");
  EXPECT_EQ(woven_.code.substr(0, 5), code_.code.substr(0, 4) + U1(OPCODE_aload_0));
  EXPECT_EQ(woven_.code.size(), code_.code.size() + 8);
  EXPECT_TRUE(woven_.handlers.empty());
}

TEST_F(Method, IsRefusedIfThisIsLostBeforeTheCall) {
  hooking_ = {};
  hooking_.at_returns = {"Maker", "made"};
  MakeConstructor(Bytes({OPCODE_aconst_null, OPCODE_astore_0, OPCODE_return}));
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
  MakeConstructor(Bytes({OPCODE_nop, OPCODE_return}));
  code_.attributes = {{"StackMapTable", U2(1) + U1(255) + U2(4) + U2(0) + U2(0)}};
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
  hooking_.at_returns = {};
  hooking_.at_entry = {"Counter", "count"};
  EXPECT_EQ(Weave(), WEAVE_WOVEN) << "`this` is there at the entry";
  MakeConstructor(Bytes({OPCODE_aconst_null, OPCODE_astore_0, OPCODE_return}));
  code_.attributes.clear();
  EXPECT_EQ(Weave(), WEAVE_NO_OBJECT);
}

// --- shortcuts

TEST_F(Method, CallsTheShortcutFirst) {
  hooking_.shortcut = {"Shortcut", "isOver"};
  descriptor_ = "(J)V";
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(),
            "Shortcut.isOver(LMade;J)Z Hook.enter(Ljava/lang/Object;I)V Hook.exit(I)V "
            "Hook.thrown(Ljava/lang/Throwable;I)V ");
  // aload_0 lload invokestatic ifeq return, 10 nop, 11 ENTER, 17 iconst_0 pop EXIT return HANDLER
  EXPECT_EQ(woven_.code.substr(0, 3), Bytes({OPCODE_aload_0, OPCODE_lload, 1}));
  EXPECT_EQ(woven_.code.substr(6, 5), Bytes({OPCODE_ifeq, 0, 4, OPCODE_return, OPCODE_nop}));
  EXPECT_EQ(woven_.handlers, (std::vector<Handler>{{17, 19, 25, 0}}))
      << "the shortcut is outside the range";
  EXPECT_EQ(woven_.Attribute("StackMapTable").substr(0, 12),
            U2(2) + U1(255) + U2(10) + U2(2) + U1(7) + U2(made_) + U1(4) + U2(0).substr(0, 1));
}

TEST_F(Method, ShortcutKeepsAFrameAtTheStartOfTheCode) {
  hooking_ = {};
  hooking_.shortcut = {"Shortcut", "isOver"};
  code_.attributes = {{"StackMapTable", U2(1) + U1(0)}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(woven_.code.substr(8), U1(OPCODE_nop) + code_.code);
  EXPECT_EQ(woven_.Attribute("StackMapTable"),
            U2(2) + U1(255) + U2(8) + U2(1) + U1(7) + U2(made_) + U2(0) + U1(0));
}

TEST_F(Method, ShortcutIsRefusedForOtherKindsOfMethods) {
  hooking_.shortcut = {"Shortcut", "isOver"};
  flags_ = kStatic;
  EXPECT_EQ(Weave(), WEAVE_SHORTCUT);
  flags_ = 0;
  descriptor_ = "()I";
  EXPECT_EQ(Weave(), WEAVE_SHORTCUT);
  descriptor_ = "()V";
  MakeConstructor(U1(OPCODE_return));
  EXPECT_EQ(Weave(), WEAVE_SHORTCUT);
}

// --- all kinds

TEST_F(Method, CombinesAllKindsOfHooks) {
  flags_ = kSynchronized;
  version_ = 49;
  hooking_.exit = EXIT_VALUE;
  hooking_.monitors = true;
  hooking_.at_entry = {"Counter", "count"};
  hooking_.at_returns = {"Maker", "made"};
  hooking_.shortcut = {"Shortcut", "isOver"};
  code_.code = kStatement;
  code_.handlers = {{4, 6, 7, 0}, {7, 10, 7, 0}};
  ASSERT_EQ(Weave(), WEAVE_WOVEN);
  EXPECT_EQ(FindCalls(),
            "Shortcut.isOver(LMade;)Z Hook.monitorEntered(Ljava/lang/Object;I)V "
            "Hook.enter(Ljava/lang/Object;I)V Counter.count(Ljava/lang/Object;)V "
            "Hook.monitorEnter(Ljava/lang/Object;I)V Hook.monitorEntered(Ljava/lang/Object;I)V "
            "Hook.monitorExit(Ljava/lang/Object;I)V Maker.made(Ljava/lang/Object;)V "
            "Hook.exit(I)V Hook.monitorExit(Ljava/lang/Object;I)V "
            "Hook.monitorExit(Ljava/lang/Object;I)V Hook.thrown(Ljava/lang/Throwable;I)V "
            "Hook.monitorExit(Ljava/lang/Object;I)V ");
}

}  // namespace
