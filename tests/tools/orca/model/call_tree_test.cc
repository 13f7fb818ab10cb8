#include "tools/orca/model/call_tree.h"

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/names.h"

namespace {

class CallTree : public testing::Test {
 protected:
  ~CallTree() override { call_tree_free(&tree_); }
  const struct model *ReadModel() { return small_.dump == nullptr ? small_.Read() : &small_.model; }

  // Returns a line for each node below `node`: "  name total self" in ms.
  std::string DrawTree(const struct call_node *node = nullptr) {
    std::string text;
    size_t num;
    const uint32_t *children = call_tree_children(&tree_, node, &num);
    for (size_t i = 0; i < num; i++) {
      const struct call_node *child = &tree_.nodes[children[i]];
      struct builder name = {};
      if (child->key & CALL_TREE_THREAD) {
        names_thread(&name, &ReadModel()->threads, static_cast<uint32_t>(child->key));
      } else {
        names_method(&name, small_.dump, static_cast<uint32_t>(child->key));
      }
      text += std::string(2 * child->depth, ' ') + TakeText(&name) + " " + ToMs(child->total) +
              " " + ToMs(child->self) + "\n" + DrawTree(child);
    }
    return text;
  }
  // Returns `times` of the first node with this name.
  uint32_t FindTimes(const std::string &method) {
    for (size_t i = 0; i < tree_.num; i++) {
      struct builder name = {};
      names_method(&name, small_.dump, static_cast<uint32_t>(tree_.nodes[i].key));
      if (TakeText(&name) == method) return tree_.nodes[i].times;
    }
    return 0;
  }
  static std::string ToMs(ticks_t t) { return std::to_string(t / (kSecond / 1000)); }

  SmallModel small_;
  struct call_tree tree_ = {};
};

// worker-1: 300 ms in run > price, 300 ms in run > price > get, 390 ms in run > price > price.
// poller: 10 ms without a known stack.
TEST_F(CallTree, TopDownNodesHaveTotalAndSelfTime) {
  ASSERT_TRUE(call_tree_down(&tree_, ReadModel(), PROFILE_CPU, false));
  EXPECT_EQ(DrawTree(),
            "OrderService.run 990 0\n"
            "  OrderService.price 990 690\n"  // of this 390 ms in recursive calls
            "    HashMap.get 300 300\n");
  EXPECT_EQ(FindTimes("OrderService.price"), 2u);
  EXPECT_EQ(FindTimes("HashMap.get"), 1u);
  EXPECT_EQ(tree_.total, kSecond);
}

TEST_F(CallTree, ThreadsCanBeTheOutermostNodes) {
  ASSERT_TRUE(call_tree_down(&tree_, ReadModel(), PROFILE_BLOCKED, true));
  EXPECT_EQ(DrawTree(),
            "worker-1 2750 0\n"
            "  OrderService.run 2750 0\n"
            "    Inventory.reserve 2750 2750\n"
            "worker-2 2375 0\n"
            "  OrderService.run 1625 0\n"
            "    OrderService.price 1625 1625\n"
            "  OrderService.price 750 0\n"
            "    Semaphore.acquire 750 750\n");
}

TEST_F(CallTree, BottomUpPathsStartAtTheInnermostMatch) {
  ASSERT_TRUE(call_tree_up(&tree_, ReadModel(), PROFILE_CPU, "price"));
  EXPECT_EQ(DrawTree(),
            "OrderService.price 990 690\n"
            "  OrderService.run 990 690\n");
  EXPECT_EQ(tree_.total, kSecond * 99 / 100);
}

// `self` is the own time of the method that matches, whichever caller it comes from.
TEST_F(CallTree, BottomUpSelfTimeIsThatOfTheFirstMethod) {
  ASSERT_TRUE(call_tree_up(&tree_, ReadModel(), PROFILE_CPU, "run"));
  EXPECT_EQ(DrawTree(), "OrderService.run 990 0\n");
  call_tree_free(&tree_);
  ASSERT_TRUE(call_tree_up(&tree_, ReadModel(), PROFILE_BLOCKED, "OrderService.*"));
  EXPECT_EQ(DrawTree(),
            "OrderService.run 2750 0\n"
            "OrderService.price 2375 1625\n"
            "  OrderService.run 1625 1625\n");
}

TEST_F(CallTree, IsEmptyIfNoMethodMatches) {
  ASSERT_TRUE(call_tree_up(&tree_, ReadModel(), PROFILE_CPU, "nothing"));
  EXPECT_EQ(DrawTree(), "");
  EXPECT_EQ(tree_.total, 0u);
}

TEST_F(CallTree, SumsEqualThoseOfTheProfile) {
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    struct call_tree tree = {};
    ASSERT_TRUE(call_tree_down(&tree, ReadModel(), static_cast<enum profile_value>(value), true));
    ticks_t self = 0, roots = 0;
    for (size_t i = 0; i < tree.num; i++) {
      self += tree.nodes[i].self;
      if (tree.nodes[i].parent == 0) roots += tree.nodes[i].total;
    }
    ticks_t all = profile_total(&ReadModel()->profile, static_cast<enum profile_value>(value)).time;
    EXPECT_EQ(self, all);
    EXPECT_EQ(roots, all);
    EXPECT_EQ(tree.total, all);
    call_tree_free(&tree);
  }
}

}  // namespace
