#include "tools/orca/html/frame_tree.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

class FrameTree : public testing::Test {
 protected:
  FrameTree() { small_.Read(); }
  ~FrameTree() override { frame_tree_free(&tree_); }

  uint32_t Add(const std::string &stack, size_t max = 100) {
    stack_id_t id;
    uint32_t node = 77;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    EXPECT_TRUE(frame_tree_add(&tree_, &small_.model.stacks, small_.dump, id, max, &node));
    return node;
  }

  SmallModel small_;
  struct frame_tree tree_ = {};
};

TEST_F(FrameTree, StacksShareTheirOuterFrames) {
  uint32_t a = Add("2;00000012;00000000;00000011;00000000");
  uint32_t b = Add("2;00000010;00000000;00000011;00000000");
  uint32_t c = Add("1;00000011;00000000");
  EXPECT_EQ(tree_.num, 3u);
  EXPECT_EQ(tree_.nodes[a - 1].parent, c);
  EXPECT_EQ(tree_.nodes[b - 1].parent, c);
  EXPECT_EQ(tree_.nodes[c - 1].parent, 0u);
  EXPECT_EQ(tree_.nodes[b - 1].place, place(0x10, 88));
  EXPECT_EQ(Add("2;00000012;00000000;00000011;00000000"), a);
}

TEST_F(FrameTree, LocationsOfOneLineAreOneFrame) {
  EXPECT_NE(Add("1;00000010;00000000"), Add("1;00000010;00000010"));
  EXPECT_EQ(Add("1;00000010;00000001"), Add("1;00000010;00000002"));
}

TEST_F(FrameTree, NoStackIsTheRoot) {
  EXPECT_EQ(Add("0"), 0u);
  EXPECT_EQ(tree_.num, 0u);
}

TEST_F(FrameTree, CutsStacksAtTheLimit) {
  uint32_t outer = Add("1;00000011;00000000", 1);
  EXPECT_FALSE(tree_.full);
  EXPECT_EQ(Add("3;00000013;00000000;00000012;00000000;00000011;00000000", 1), outer);
  EXPECT_TRUE(tree_.full);
  EXPECT_EQ(tree_.num, 1u);
}

TEST_F(FrameTree, ParentsComeFirst) {
  Add("3;00000013;00000000;00000010;00000000;00000011;00000000");
  Add("2;00000012;00000000;00000011;00000000");
  for (size_t i = 0; i < tree_.num; i++) EXPECT_LE(tree_.nodes[i].parent, i);
}

}  // namespace
