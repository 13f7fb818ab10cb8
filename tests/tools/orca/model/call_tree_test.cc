#include "tools/orca/model/call_tree.h"

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/names.h"

namespace {

class CallTree : public testing::Test {
 protected:
  ~CallTree() override { call_tree_free(&tree_); }
  const struct model *Model() { return small_.dump == nullptr ? small_.Read() : &small_.model; }

  // "  name total self" in ms, a line for each node below `node`.
  std::string Drawn(const struct call_node *node = nullptr) {
    std::string text;
    size_t num;
    const uint32_t *children = call_tree_children(&tree_, node, &num);
    for (size_t i = 0; i < num; i++) {
      const struct call_node *child = &tree_.nodes[children[i]];
      struct builder name = {};
      if (child->key & CALL_TREE_THREAD) {
        names_thread(&name, &Model()->threads, static_cast<uint32_t>(child->key));
      } else {
        names_method(&name, small_.dump, static_cast<uint32_t>(child->key));
      }
      text += std::string(2 * child->depth, ' ') + Taken(&name) + " " + Ms(child->total) + " " +
              Ms(child->self) + "\n" + Drawn(child);
    }
    return text;
  }
  // How often the first node of this name stands in a row.
  uint32_t Times(const std::string &method) {
    for (size_t i = 0; i < tree_.num; i++) {
      struct builder name = {};
      names_method(&name, small_.dump, static_cast<uint32_t>(tree_.nodes[i].key));
      if (Taken(&name) == method) return tree_.nodes[i].times;
    }
    return 0;
  }
  static std::string Ms(ticks_t t) { return std::to_string(t / (kSecond / 1000)); }

  SmallModel small_;
  struct call_tree tree_ = {};
};

// worker-1: 300 ms in price called by run, 300 in get called by price called by run, 390 in price
// called by price called by run; poller: 10 ms that no stack is known of.
TEST_F(CallTree, Down) {
  ASSERT_TRUE(call_tree_down(&tree_, Model(), PROFILE_CPU, false));
  EXPECT_EQ(Drawn(),
            "OrderService.run 990 0\n"
            "  OrderService.price 990 690\n"  // which called itself for 390 ms
            "    HashMap.get 300 300\n");
  EXPECT_EQ(Times("OrderService.price"), 2u);
  EXPECT_EQ(Times("HashMap.get"), 1u);
  EXPECT_EQ(tree_.total, kSecond);
}

TEST_F(CallTree, FromTheThreads) {
  ASSERT_TRUE(call_tree_down(&tree_, Model(), PROFILE_BLOCKED, true));
  EXPECT_EQ(Drawn(),
            "worker-1 2750 0\n"
            "  OrderService.run 2750 0\n"
            "    Inventory.reserve 2750 2750\n"
            "worker-2 2375 0\n"
            "  OrderService.run 1625 0\n"
            "    OrderService.price 1625 1625\n"
            "  OrderService.price 750 0\n"
            "    Semaphore.acquire 750 750\n");
}

TEST_F(CallTree, UpFromTheInnermostThatIsMeant) {
  ASSERT_TRUE(call_tree_up(&tree_, Model(), PROFILE_CPU, "price"));
  EXPECT_EQ(Drawn(),
            "OrderService.price 990 0\n"
            "  OrderService.run 990 990\n");
  EXPECT_EQ(tree_.total, kSecond * 99 / 100);
}

TEST_F(CallTree, NothingIsMeant) {
  ASSERT_TRUE(call_tree_up(&tree_, Model(), PROFILE_CPU, "nothing"));
  EXPECT_EQ(Drawn(), "");
  EXPECT_EQ(tree_.total, 0u);
}

TEST_F(CallTree, SumsAreThoseOfTheProfile) {
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    struct call_tree tree = {};
    ASSERT_TRUE(call_tree_down(&tree, Model(), static_cast<enum profile_value>(value), true));
    ticks_t self = 0, roots = 0;
    for (size_t i = 0; i < tree.num; i++) {
      self += tree.nodes[i].self;
      if (tree.nodes[i].parent == 0) roots += tree.nodes[i].total;
    }
    ticks_t all = profile_total(&Model()->profile, static_cast<enum profile_value>(value)).time;
    EXPECT_EQ(self, all);
    EXPECT_EQ(roots, all);
    EXPECT_EQ(tree.total, all);
    call_tree_free(&tree);
  }
}

}  // namespace
