#include "agent/classfile/hooks.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

const struct weave_hooks kNames = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};

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
