#include "tools/model/deadlocks.h"

#include "tests/tools/model/small_dump.h"

namespace {

class Deadlocks : public testing::Test {
 protected:
  ~Deadlocks() override {
    pairs_free(&pairs_);
    deadlocks_free(&found_);
  }

  void Block(uint32_t thread, uint32_t object, uint32_t owner) {
    struct event_line line = {};
    line.time = 1;
    line.kind = EVENT_MONITOR_CONTENDED_ENTER;
    line.thread = thread;
    line.object = object;
    line.owner = owner;
    struct pair pair;
    pairs_feed(&pairs_, &line, 0, &pair);
  }
  void Find() { EXPECT_TRUE(deadlocks_find(&found_, &pairs_)); }

  struct pairs pairs_ = {};
  struct deadlocks found_ = {};
};

TEST_F(Deadlocks, ARingOfTwo) {
  Block(1, 0xA, 2);
  Block(2, 0xB, 1);
  Find();
  ASSERT_EQ(found_.num_rings, 1u);
  ASSERT_EQ(found_.num, 2u);
  EXPECT_EQ(found_.links[0].pair.thread, 1u);
  EXPECT_EQ(found_.links[1].pair.thread, 2u);
  EXPECT_EQ(found_.links[1].pair.object, 0xBu);
}

TEST_F(Deadlocks, WhoWaitsForARingIsNotInIt) {
  Block(9, 0xA, 1);
  Block(1, 0xA, 2);
  Block(2, 0xB, 3);
  Block(3, 0xC, 1);
  Block(8, 0xC, 1);
  Block(5, 0xE, 6);
  Block(6, 0xF, 5);
  Find();
  EXPECT_EQ(found_.num_rings, 2u);
  EXPECT_EQ(found_.num, 5u);
  for (size_t i = 0; i < found_.num; i++) EXPECT_LT(found_.links[i].pair.thread, 7u);
  EXPECT_EQ(found_.links[2].ring, 0u);
  EXPECT_EQ(found_.links[3].ring, 1u);
}

TEST_F(Deadlocks, AChainIsNone) {
  Block(1, 0xA, 2);
  Block(2, 0xB, 3);
  Block(4, 0xC, 0);
  Find();
  EXPECT_EQ(found_.num_rings, 0u);
}

TEST_F(Deadlocks, NothingIsNone) {
  Find();
  EXPECT_EQ(found_.num, 0u);
}

}  // namespace
