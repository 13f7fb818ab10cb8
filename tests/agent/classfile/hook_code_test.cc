#include "agent/classfile/hook_code.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

const struct weave_hooks kNames = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};

// The id of the hooking is 7. Hook i is entry 0x0100 + i of the constant pool.
class HookCode : public testing::Test {
 protected:
  void SetUp() override {
    struct cursor c = cursor_over(MakeSpan(pool_bytes_));
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
    ASSERT_EQ(layout_read(&l_, MakeSpan(old_code_)), WEAVE_WOVEN);
    for (uint32_t i = 0; i < NUM_HOOKS; i++) hooks_.indices[i] = 0x0100 + i;
    for (uint8_t i = 1; i < NUM_INSERTS; i++) l_.before[i] = i;
    hooking_.id = 7;
    plan_.hooking = &hooking_;
    plan_.return_type = 'V';
    plan_.this_class = 0x0200;
  }
  void TearDown() override {
    hook_code_free(&code_);
    layout_free(&l_);
    pool_free(&pool_);
  }

  void Make() {
    hook_code_free(&code_);
    hook_code_make(&code_, &plan_, &l_, &hooks_, &pool_);
  }

  static std::string GetCode(const struct snippet &s) { return {s.code.data, s.code.len}; }
  std::string GetInsert(enum insert insert) { return GetCode(code_.inserts[insert]); }

  // Makes the code of a method with this return type, and returns its INSERT_EXIT.
  std::string MakeExit(char return_type) {
    plan_.return_type = return_type;
    Make();
    return GetInsert(INSERT_EXIT);
  }

  std::string pool_bytes_ = U2(1);
  std::string old_code_ = std::string(20, '\0') + U1(OPCODE_return);
  struct pool pool_;
  struct layout l_;
  struct hook_methods hooks_ = {&kNames, {}};
  struct weave_hooking hooking_ = {};
  struct method_plan plan_ = {};
  struct hook_code code_ = {};
};

std::string MakeOp(int op) { return U1(static_cast<uint32_t>(op)); }

std::string MakeCall(enum hook hook) {
  return Bytes({OPCODE_bipush, 7, OPCODE_invokestatic}) + U2(0x0100 + static_cast<uint32_t>(hook));
}

TEST_F(HookCode, EntryPassesLocalVariable0OrNull) {
  hooking_.enter = ENTER_NULL;
  plan_.has_local_zero = true;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aconst_null) + MakeCall(HOOK_ENTER));
  EXPECT_EQ(GetInsert(INSERT_EXIT), "");
  hooking_.enter = ENTER_LOCAL_ZERO;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aload_0) + MakeCall(HOOK_ENTER));
  plan_.has_local_zero = false;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aconst_null) + MakeCall(HOOK_ENTER));
}

TEST_F(HookCode, EntryPassesLocalVariable1IfItIsAnObject) {
  hooking_.enter = ENTER_LOCAL_ONE;
  plan_.has_local_zero = plan_.has_local_one = true;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aload_1) + MakeCall(HOOK_ENTER));
  plan_.has_local_one = false;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aconst_null) + MakeCall(HOOK_ENTER));
}

TEST_F(HookCode, EntryPassesBothLocalVariables) {
  hooking_.enter = ENTER_LOCALS;
  plan_.has_local_zero = plan_.has_local_one = true;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER),
            MakeOp(OPCODE_aload_1) + MakeOp(OPCODE_aload_0) + MakeCall(HOOK_ENTER_WITH_THIS));
  plan_.has_local_zero = plan_.has_local_one = false;
  Make();
  EXPECT_EQ(GetInsert(INSERT_ENTER), MakeOp(OPCODE_aconst_null) + MakeOp(OPCODE_aconst_null) +
                                         MakeCall(HOOK_ENTER_WITH_THIS));
}

TEST_F(HookCode, PlainExitsAreTheSameForEveryType) {
  hooking_.exit = EXIT_PLAIN;
  for (char type : {'V', 'Z', 'J', 'L', '['}) EXPECT_EQ(MakeExit(type), MakeCall(HOOK_EXIT));
}

TEST_F(HookCode, ValueExitsPassACopy) {
  hooking_.exit = EXIT_VALUE;
  EXPECT_EQ(MakeExit('Z'), MakeOp(OPCODE_dup) + MakeCall(HOOK_EXIT_BOOLEAN));
  EXPECT_EQ(hook_code_max_stack(&code_, 10), 13u) << "INSERT_BEFORE_LOCK needs the most";
  EXPECT_EQ(MakeExit('J'), MakeOp(OPCODE_dup2) + MakeCall(HOOK_EXIT_LONG));
  EXPECT_EQ(MakeExit('L'), MakeOp(OPCODE_dup) + MakeCall(HOOK_EXIT_OBJECT));
  EXPECT_EQ(MakeExit('['), MakeOp(OPCODE_dup) + MakeCall(HOOK_EXIT_OBJECT));
  for (char type : {'V', 'I', 'B', 'C', 'S', 'F', 'D'}) {
    EXPECT_EQ(MakeExit(type), MakeCall(HOOK_EXIT)) << type;
  }
}

TEST_F(HookCode, HandlerRethrowsTheException) {
  hooking_.exit = EXIT_PLAIN;
  plan_.has_handler = true;
  Make();
  EXPECT_EQ(GetCode(code_.handler),
            MakeOp(OPCODE_dup) + MakeCall(HOOK_THROWN) + MakeOp(OPCODE_athrow));
  EXPECT_EQ(code_.handler.max_height, 3u);
  struct weave_hooks names = kNames;
  names.thrown = nullptr;
  hooks_.names = &names;
  Make();
  EXPECT_EQ(GetCode(code_.handler), MakeCall(HOOK_EXIT) + MakeOp(OPCODE_athrow));
  EXPECT_EQ(code_.handler.max_height, 2u);
}

TEST_F(HookCode, MonitorInsertsDuplicateTheReference) {
  Make();
  const std::string dup = MakeOp(OPCODE_dup);
  EXPECT_EQ(GetInsert(INSERT_BEFORE_LOCK), dup + dup + MakeCall(HOOK_MONITOR_ENTER));
  EXPECT_EQ(GetInsert(INSERT_AFTER_LOCK), MakeCall(HOOK_MONITOR_ENTERED));
  EXPECT_EQ(GetInsert(INSERT_BEFORE_UNLOCK), dup + MakeCall(HOOK_MONITOR_EXIT));
  EXPECT_EQ(GetInsert(INSERT_COPY_MONITOR), dup);
  EXPECT_EQ(GetInsert(INSERT_AFTER_UNLOCK), MakeCall(HOOK_MONITOR_EXIT));
}

TEST_F(HookCode, MonitorOfTheMethodEnclosesItsOtherHooks) {
  hooking_.enter = ENTER_NULL;
  hooking_.exit = EXIT_PLAIN;
  plan_.own_monitor = OWN_LOCAL_ZERO;
  plan_.has_handler = true;
  Make();
  const std::string load = MakeOp(OPCODE_aload_0);
  EXPECT_EQ(GetInsert(INSERT_ENTER), load + MakeCall(HOOK_MONITOR_ENTERED) +
                                         MakeOp(OPCODE_aconst_null) + MakeCall(HOOK_ENTER));
  EXPECT_EQ(GetInsert(INSERT_EXIT), MakeCall(HOOK_EXIT) + load + MakeCall(HOOK_MONITOR_EXIT));
  EXPECT_EQ(GetCode(code_.handler), MakeOp(OPCODE_dup) + MakeCall(HOOK_THROWN) + load +
                                        MakeCall(HOOK_MONITOR_EXIT) + MakeOp(OPCODE_athrow));
  hooking_ = {};
  hooking_.id = 7;
  plan_.own_monitor = OWN_CLASS;
  Make();
  const std::string constant = MakeOp(OPCODE_ldc_w) + U2(0x0200);
  EXPECT_EQ(GetInsert(INSERT_ENTER), constant + MakeCall(HOOK_MONITOR_ENTERED));
  EXPECT_EQ(GetInsert(INSERT_EXIT), constant + MakeCall(HOOK_MONITOR_EXIT));
  EXPECT_EQ(GetCode(code_.handler), constant + MakeCall(HOOK_MONITOR_EXIT) + MakeOp(OPCODE_athrow));
}

TEST_F(HookCode, CallsOtherStaticMethodsWithLocalVariable0) {
  hooking_.at_entry = {"Counter", "count"};
  hooking_.at_returns = {"Maker", "made"};
  hooking_.exit = EXIT_PLAIN;
  Make();
  auto is_call = [](const std::string &code) {
    return code.size() == 4 && code.substr(0, 2) == Bytes({OPCODE_aload_0, OPCODE_invokestatic});
  };
  EXPECT_TRUE(is_call(GetInsert(INSERT_ENTER)));
  EXPECT_TRUE(is_call(GetInsert(INSERT_EXIT).substr(0, 4)));
  EXPECT_EQ(GetInsert(INSERT_EXIT).substr(4), MakeCall(HOOK_EXIT));
}

TEST_F(HookCode, PlanNeedsOnlyTheInsertsThatHaveCode) {
  EXPECT_FALSE(method_plan_needs_enter(&plan_) || method_plan_needs_exit(&plan_) ||
               method_plan_needs_handler(&plan_));
  hooking_.enter = ENTER_NULL;
  EXPECT_TRUE(method_plan_needs_enter(&plan_) && !method_plan_needs_exit(&plan_));
  hooking_.enter = ENTER_NONE;
  hooking_.exit = EXIT_PLAIN;
  EXPECT_TRUE(!method_plan_needs_enter(&plan_) && method_plan_needs_exit(&plan_) &&
              method_plan_needs_handler(&plan_));
  hooking_.exit = EXIT_NONE;
  hooking_.at_returns = {"Maker", "made"};
  EXPECT_TRUE(!method_plan_needs_enter(&plan_) && method_plan_needs_exit(&plan_) &&
              !method_plan_needs_handler(&plan_));
  hooking_.at_returns = {};
  hooking_.at_entry = {"Counter", "count"};
  EXPECT_TRUE(method_plan_needs_enter(&plan_) && !method_plan_needs_exit(&plan_));
  hooking_.at_entry = {};
  plan_.own_monitor = OWN_LOCAL_ZERO;
  EXPECT_TRUE(method_plan_needs_enter(&plan_) && method_plan_needs_exit(&plan_) &&
              method_plan_needs_handler(&plan_));
}

TEST_F(HookCode, MaxStackCoversEveryInsert) {
  for (uint8_t i = 1; i < NUM_INSERTS; i++) l_.before[i] = INSERT_NONE;
  auto stack = [&](uint32_t old) {
    Make();
    return hook_code_max_stack(&code_, old);
  };
  EXPECT_EQ(stack(0), 0u);
  l_.between[0] = INSERT_ENTER;
  hooking_.enter = ENTER_NULL;
  EXPECT_EQ(stack(0), 2u);
  EXPECT_EQ(stack(1), 2u);
  EXPECT_EQ(stack(3), 4u) << "INSERT_ENTER never starts with a full stack";
  l_.before[20] = INSERT_EXIT;
  hooking_.exit = EXIT_VALUE;
  EXPECT_EQ(stack(3), 4u);
  plan_.return_type = 'Z';
  EXPECT_EQ(stack(3), 5u);
  plan_.return_type = 'J';
  EXPECT_EQ(stack(3), 6u);
  plan_.has_handler = true;
  EXPECT_EQ(stack(0), 3u);
  code_.shortcut.max_height = 255;
  EXPECT_EQ(hook_code_max_stack(&code_, 3), 255u);
}

TEST_F(HookCode, AttachGivesTheBytesToTheLayout) {
  hooking_.exit = EXIT_PLAIN;
  plan_.has_handler = true;
  Make();
  ASSERT_TRUE(hook_code_attach(&code_, &l_));
  EXPECT_EQ(MakeText(l_.inserts[INSERT_EXIT]), MakeCall(HOOK_EXIT));
  EXPECT_EQ(MakeText(l_.handler), GetCode(code_.handler));
  EXPECT_EQ(l_.inserts[INSERT_NONE].len, 0u);
  EXPECT_EQ(l_.shortcut.len, 0u);
  code_.inserts[INSERT_EXIT].code.failed = true;
  EXPECT_FALSE(hook_code_attach(&code_, &l_));
}

// --- the calls of hooks ----------------------------------------------------------------------

class Hooks : public testing::Test {
 protected:
  void SetUp() override {
    class_file_ = ClassMaker().Make();
    struct cursor c = cursor_over({class_file_.data() + 8, class_file_.size() - 8});
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
  }
  void TearDown() override { pool_free(&pool_); }

  // Appends a call of the hook with the id 7. Returns the name of the called method, and how the
  // call changes the height of the stack.
  std::string AppendCall(enum hook hook) {
    struct snippet s = {};
    hook_call(&hooks_, hook, 7, &s, &pool_);
    int32_t stack_change = s.height;
    std::string code = TakeBytes(&s.code);
    EXPECT_EQ(code.substr(0, 3), Bytes({OPCODE_bipush, 7, OPCODE_invokestatic}));
    EXPECT_EQ(code.substr(3), U2(hooks_.indices[hook]));
    return FindMethodName(hooks_.indices[hook]) + " " + std::to_string(stack_change);
  }

  std::string FindMethodName(uint32_t index) {
    struct builder b = {};
    builder_bytes(&b, class_file_.data(), 8);
    pool_put(&pool_, &b);
    std::string rest(14, '\0'); /* no fields, no methods */
    builder_bytes(&b, rest.data(), rest.size());
    return ReadParts(TakeBytes(&b)).MethodName(index);
  }

  std::string class_file_;
  struct pool pool_;
  struct hook_methods hooks_ = {&kNames, {}};
};

TEST_F(Hooks, EachCallsItsMethod) {
  EXPECT_EQ(AppendCall(HOOK_ENTER), "Hook.enter(Ljava/lang/Object;I)V -1");
  EXPECT_EQ(AppendCall(HOOK_EXIT), "Hook.exit(I)V 0");
  EXPECT_EQ(AppendCall(HOOK_EXIT_BOOLEAN), "Hook.exit(ZI)V -1");
  EXPECT_EQ(AppendCall(HOOK_EXIT_LONG), "Hook.exit(JI)V -2");
  EXPECT_EQ(AppendCall(HOOK_EXIT_OBJECT), "Hook.exit(Ljava/lang/Object;I)V -1");
  EXPECT_EQ(AppendCall(HOOK_THROWN), "Hook.thrown(Ljava/lang/Throwable;I)V -1");
  EXPECT_EQ(AppendCall(HOOK_MONITOR_ENTER), "Hook.monitorEnter(Ljava/lang/Object;I)V -1");
  EXPECT_EQ(AppendCall(HOOK_MONITOR_ENTERED), "Hook.monitorEntered(Ljava/lang/Object;I)V -1");
  EXPECT_EQ(AppendCall(HOOK_MONITOR_EXIT), "Hook.monitorExit(Ljava/lang/Object;I)V -1");
}

TEST_F(Hooks, AreAddedToThePoolByTheirFirstCall) {
  uint32_t before = pool_.num;
  AppendCall(HOOK_EXIT);
  uint32_t one = pool_.num;
  EXPECT_EQ(one, before + 6);
  AppendCall(HOOK_EXIT);
  EXPECT_EQ(pool_.num, one);
  AppendCall(HOOK_EXIT_LONG);
  EXPECT_EQ(pool_.num, one + 3) << "the descriptor, the name-and-type and the method";
}

TEST_F(Hooks, NeedRoomInThePool) {
  pool_.num = POOL_MAX;
  struct snippet s = {};
  hook_call(&hooks_, HOOK_ENTER, 7, &s, &pool_);
  EXPECT_TRUE(pool_.full);
  snippet_free(&s);
}

}  // namespace
