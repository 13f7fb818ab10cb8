#include "tools/orca/export/stack_keys.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class StackKeys : public testing::Test {
 protected:
  StackKeys() { small_.Read(); }
  ~StackKeys() override { stack_keys_free(&keys_); }

  // Interns a stack in the spelling of the files.
  stack_id_t Intern(const std::string &stack) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    return id;
  }
  uint64_t Find(stack_id_t id) {
    uint64_t key = 0;
    keys_.model = &small_.model;
    EXPECT_TRUE(stack_keys_find(&keys_, id, &key));
    return key;
  }
  uint32_t Top(stack_id_t id) {
    keys_.model = &small_.model;
    return stack_keys_top(&keys_, id);
  }

  SmallModel small_;
  struct stack_keys keys_ = {};
};

// Rows of earlier recordings in a database have these numbers, so they must never change.
TEST_F(StackKeys, AreTheSameInAllRuns) {
  EXPECT_EQ(Find(0), 0u);
  EXPECT_EQ(Find(Intern("2;00000012;00000000;00000011;00000000")), UINT64_C(12369981313997073446));
}

TEST_F(StackKeys, DependOnMethodsAndLines) {
  uint64_t key = Find(Intern("1;00000010;00000000"));
  EXPECT_EQ(Find(Intern("1;00000010;00000001")), key) << "the same line";
  EXPECT_NE(Find(Intern("1;00000010;00000010")), key) << "another line";
  EXPECT_NE(Find(Intern("1;00000011;00000000")), key) << "another method";
  EXPECT_NE(Find(Intern("2;00000010;00000000;00000011;00000000")), key) << "another caller";
}

TEST_F(StackKeys, TheTopIsAMethodIfThereIsOne) {
  stack_id_t run = Intern("1;00000011;00000000"), native, alone;
  ASSERT_TRUE(stacks_with_leaf(&small_.model.stacks, run, PSEUDO_NATIVE, &native));
  ASSERT_TRUE(stacks_with_leaf(&small_.model.stacks, 0, PSEUDO_NOT_SAMPLED, &alone));
  EXPECT_EQ(Top(run), 0x11u);
  EXPECT_EQ(Top(native), 0x11u);
  EXPECT_EQ(Top(alone), pseudo_method(PSEUDO_NOT_SAMPLED));
  EXPECT_EQ(Top(0), 0u);
}

}  // namespace
