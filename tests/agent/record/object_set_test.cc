#include "agent/record/object_set.h"

#include <stdlib.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

using Lines = std::vector<std::string>;

class ObjectSetTest : public testing::Test {
 protected:
  ObjectSetTest() { outbox_init(&box_); }
  ~ObjectSetTest() override {
    TakeDefinitions();
    free(set_);
  }

  Lines TakeDefinitions() {
    Lines lines;
    for (struct definition *d = outbox_take(&box_), *next; d != nullptr; d = next) {
      next = d->next;
      lines.emplace_back(d->body, d->len - 1);
      free(d);
    }
    return lines;
  }

  struct outbox box_;
  struct object_set *set_ = object_set_new(&box_);
};

TEST_F(ObjectSetTest, DefinesEachObjectOnce) {
  object_set_define(set_, 0xA, 0xC1);
  object_set_define(set_, 0xB, 0xC1);
  object_set_define(set_, 0xA, 0xC1);
  object_set_define(set_, 0xA, 0xC2);  // another object with the same hash
  EXPECT_EQ(TakeDefinitions(),
            (Lines{"0000000A,000000C1", "0000000B,000000C1", "0000000A,000000C2"}));
  object_set_define(set_, 0xB, 0xC1);
  EXPECT_EQ(TakeDefinitions(), Lines{});
}

TEST_F(ObjectSetTest, DefinesObjectsAgainAfterItIsCleared) {
  object_set_clear(set_);
  object_set_define(set_, 0xA, 0xC1);
  object_set_clear(set_);
  object_set_define(set_, 0xA, 0xC1);
  EXPECT_EQ(TakeDefinitions(), (Lines{"0000000A,000000C1", "0000000A,000000C1"}));
}

TEST_F(ObjectSetTest, EachClearingBeginsAnEpoch) {
  uint32_t first = object_set_epoch(set_);
  EXPECT_NE(first, 0u);
  object_set_define(set_, 0xA, 0xC1);
  EXPECT_EQ(object_set_epoch(set_), first);
  object_set_clear(set_);
  EXPECT_NE(object_set_epoch(set_), first);
}

// What a thread knows about one set tells nothing about another one.
TEST_F(ObjectSetTest, HasNoEpochOfAnotherSet) {
  struct object_set *other = object_set_new(&box_);
  EXPECT_NE(object_set_epoch(other), object_set_epoch(set_));
  free(other);
}

TEST_F(ObjectSetTest, ManyThreadsDefineEachObjectOnce) {
  RunConcurrently(4, [&](int) {
    for (uint32_t i = 1; i <= 1000; i++) object_set_define(set_, i, 0xC1);
  });
  EXPECT_EQ(TakeDefinitions().size(), 1000u);
}

}  // namespace
