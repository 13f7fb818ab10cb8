#include "agent/classfile/hook_code.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

const struct weave_hooks kNames = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};

// Each call is shown as "7 HOOK": the number and which of the hooks it is.
class Snippets : public testing::Test {
 protected:
  void SetUp() override {
    struct cursor c = cursor_over(SpanOf(pool_bytes_));
    ASSERT_EQ(pool_read(&pool_, &c), WEAVE_WOVEN);
    ASSERT_EQ(layout_read(&l_, SpanOf(code_)), WEAVE_WOVEN);
    for (uint32_t i = 0; i < NUM_HOOKS; i++) hooks_.indices[i] = 0x0100 + i;
    for (uint8_t i = 1; i < NUM_INSERTS; i++) l_.before[i] = i;
    hooking_.id = 7;
    plan_.hooking = &hooking_;
    plan_.return_type = 'V';
    plan_.this_class = 0x0200;
  }
  void TearDown() override {
    hook_code_free(&s_);
    layout_free(&l_);
    pool_free(&pool_);
  }

  void Make() {
    hook_code_free(&s_);
    hook_code_make(&s_, &plan_, &l_, &hooks_, &pool_);
  }

  static std::string Text(const struct snippet &s) { return {s.code.data, s.code.len}; }
  std::string Made(enum insert insert) { return Text(s_.inserts[insert]); }

  // The exit of a method that returns this.
  std::string ExitOf(char returns) {
    plan_.return_type = returns;
    Make();
    return Made(INSERT_EXIT);
  }

  std::string pool_bytes_ = U2(1);
  std::string code_ = std::string(20, '\0') + U1(OPCODE_return);
  struct pool pool_;
  struct layout l_;
  struct hook_methods hooks_ = {&kNames, {}};
  struct weave_hooking hooking_ = {};
  struct method_plan plan_ = {};
  struct hook_code s_ = {};
};

std::string Op(int op) { return U1(static_cast<uint32_t>(op)); }

std::string Call(enum hook hook) {
  return Bytes({OPCODE_bipush, 7, OPCODE_invokestatic}) + U2(0x0100 + static_cast<uint32_t>(hook));
}

TEST_F(Snippets, EntryPassesWhatIsThere) {
  hooking_.enter = ENTER_NULL;
  plan_.has_local_zero = true;
  Make();
  EXPECT_EQ(Made(INSERT_ENTER), Op(OPCODE_aconst_null) + Call(HOOK_ENTER));
  EXPECT_EQ(Made(INSERT_EXIT), "");
  hooking_.enter = ENTER_LOCAL_ZERO;
  Make();
  EXPECT_EQ(Made(INSERT_ENTER), Op(OPCODE_aload_0) + Call(HOOK_ENTER));
  plan_.has_local_zero = false;
  Make();
  EXPECT_EQ(Made(INSERT_ENTER), Op(OPCODE_aconst_null) + Call(HOOK_ENTER));
}

TEST_F(Snippets, PlainExitsAreTheSameForEveryType) {
  hooking_.exit = EXIT_PLAIN;
  for (char returns : {'V', 'Z', 'J', 'L', '['}) EXPECT_EQ(ExitOf(returns), Call(HOOK_EXIT));
}

TEST_F(Snippets, ValueExitsPassACopy) {
  hooking_.exit = EXIT_VALUE;
  EXPECT_EQ(ExitOf('Z'), Op(OPCODE_dup) + Call(HOOK_EXIT_BOOLEAN));
  EXPECT_EQ(hook_code_max_stack(&s_, 10), 13u) << "monitorenter takes the most";
  EXPECT_EQ(ExitOf('J'), Op(OPCODE_dup2) + Call(HOOK_EXIT_LONG));
  EXPECT_EQ(ExitOf('L'), Op(OPCODE_dup) + Call(HOOK_EXIT_OBJECT));
  EXPECT_EQ(ExitOf('['), Op(OPCODE_dup) + Call(HOOK_EXIT_OBJECT));
  for (char returns : {'V', 'I', 'B', 'C', 'S', 'F', 'D'}) {
    EXPECT_EQ(ExitOf(returns), Call(HOOK_EXIT)) << returns;
  }
}

TEST_F(Snippets, HandlerThrowsOn) {
  hooking_.exit = EXIT_PLAIN;
  plan_.has_handler = true;
  Make();
  EXPECT_EQ(Text(s_.handler), Op(OPCODE_dup) + Call(HOOK_THROWN) + Op(OPCODE_athrow));
  EXPECT_EQ(s_.handler.max_height, 3u);
  struct weave_hooks names = kNames;
  names.thrown = nullptr;
  hooks_.names = &names;
  Make();
  EXPECT_EQ(Text(s_.handler), Call(HOOK_EXIT) + Op(OPCODE_athrow));
  EXPECT_EQ(s_.handler.max_height, 2u);
}

TEST_F(Snippets, MonitorsOfStatements) {
  Make();
  const std::string dup = Op(OPCODE_dup);
  EXPECT_EQ(Made(INSERT_BEFORE_LOCK), dup + dup + Call(HOOK_MONITOR_ENTER));
  EXPECT_EQ(Made(INSERT_AFTER_LOCK), Call(HOOK_MONITOR_ENTERED));
  EXPECT_EQ(Made(INSERT_BEFORE_UNLOCK), dup + Call(HOOK_MONITOR_EXIT));
  EXPECT_EQ(Made(INSERT_COPY_MONITOR), dup);
  EXPECT_EQ(Made(INSERT_AFTER_UNLOCK), Call(HOOK_MONITOR_EXIT));
}

TEST_F(Snippets, MonitorOfTheMethodIsOutermost) {
  hooking_.enter = ENTER_NULL;
  hooking_.exit = EXIT_PLAIN;
  plan_.own_monitor = OWN_LOCAL_ZERO;
  plan_.has_handler = true;
  Make();
  const std::string load = Op(OPCODE_aload_0);
  EXPECT_EQ(Made(INSERT_ENTER),
            load + Call(HOOK_MONITOR_ENTERED) + Op(OPCODE_aconst_null) + Call(HOOK_ENTER));
  EXPECT_EQ(Made(INSERT_EXIT), Call(HOOK_EXIT) + load + Call(HOOK_MONITOR_EXIT));
  EXPECT_EQ(Text(s_.handler), Op(OPCODE_dup) + Call(HOOK_THROWN) + load + Call(HOOK_MONITOR_EXIT) +
                                  Op(OPCODE_athrow));
  hooking_ = {};
  hooking_.id = 7;
  plan_.own_monitor = OWN_CLASS;
  Make();
  const std::string constant = Op(OPCODE_ldc_w) + U2(0x0200);
  EXPECT_EQ(Made(INSERT_ENTER), constant + Call(HOOK_MONITOR_ENTERED));
  EXPECT_EQ(Made(INSERT_EXIT), constant + Call(HOOK_MONITOR_EXIT));
  EXPECT_EQ(Text(s_.handler), constant + Call(HOOK_MONITOR_EXIT) + Op(OPCODE_athrow));
}

TEST_F(Snippets, CallsOfAnyMethod) {
  hooking_.at_entry = {"Counter", "count"};
  hooking_.at_returns = {"Maker", "made"};
  hooking_.exit = EXIT_PLAIN;
  Make();
  auto is_call = [](const std::string &code) {
    return code.size() == 4 && code.substr(0, 2) == Bytes({OPCODE_aload_0, OPCODE_invokestatic});
  };
  EXPECT_TRUE(is_call(Made(INSERT_ENTER)));
  EXPECT_TRUE(is_call(Made(INSERT_EXIT).substr(0, 4)));
  EXPECT_EQ(Made(INSERT_EXIT).substr(4), Call(HOOK_EXIT));
}

TEST_F(Snippets, PlanTellsWhatThereIsToDo) {
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

TEST_F(Snippets, StackIsAsHighAsNeeded) {
  for (uint8_t i = 1; i < NUM_INSERTS; i++) l_.before[i] = INSERT_NONE;
  auto stack = [&](uint32_t old) {
    Make();
    return hook_code_max_stack(&s_, old);
  };
  EXPECT_EQ(stack(0), 0u);
  l_.between[0] = INSERT_ENTER;
  hooking_.enter = ENTER_NULL;
  EXPECT_EQ(stack(0), 2u);
  EXPECT_EQ(stack(1), 2u);
  EXPECT_EQ(stack(3), 4u) << "a constructor's is never entered with all of it full";
  l_.before[20] = INSERT_EXIT;
  hooking_.exit = EXIT_VALUE;
  EXPECT_EQ(stack(3), 4u);
  plan_.return_type = 'Z';
  EXPECT_EQ(stack(3), 5u);
  plan_.return_type = 'J';
  EXPECT_EQ(stack(3), 6u);
  plan_.has_handler = true;
  EXPECT_EQ(stack(0), 3u);
  s_.shortcut.max_height = 255;
  EXPECT_EQ(hook_code_max_stack(&s_, 3), 255u);
}

TEST_F(Snippets, AreGivenToTheLayout) {
  hooking_.exit = EXIT_PLAIN;
  plan_.has_handler = true;
  Make();
  ASSERT_TRUE(hook_code_attach(&s_, &l_));
  EXPECT_EQ(TextOf(l_.inserts[INSERT_EXIT]), Call(HOOK_EXIT));
  EXPECT_EQ(TextOf(l_.handler), Text(s_.handler));
  EXPECT_EQ(l_.inserts[INSERT_NONE].len, 0u);
  EXPECT_EQ(l_.shortcut.len, 0u);
  s_.inserts[INSERT_EXIT].code.failed = true;
  EXPECT_FALSE(hook_code_attach(&s_, &l_));
}

}  // namespace
