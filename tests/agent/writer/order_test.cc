#include "agent/writer/order.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace {

using Times = std::vector<uint64_t>;

class OrderTest : public testing::Test {
 protected:
  // Adds records with these times to a lane, as many as fit. Returns their number.
  size_t AddRecords(unsigned lane, const Times &times) {
    size_t n = times.size();
    struct record *room = order_room(order_.get(), lane, &n);
    for (size_t i = 0; i < n; i++) {
      room[i] = {};
      room[i].time_ns = times[i];
      room[i].thread = lane;
      room[i].object = next_++;
    }
    order_add(order_.get(), lane, n);
    return n;
  }

  Times TakeBefore(uint64_t ns) {
    Times times;
    while (const struct record *r = order_next(order_.get(), ns)) {
      times.push_back(r->time_ns);
      last_ = *r;
    }
    return times;
  }

  std::unique_ptr<struct order, void (*)(struct order *)> order_{order_new(3), order_free};
  uint32_t next_ = 0;
  struct record last_ = {};
};

TEST_F(OrderTest, ReturnsNothingWhenEmpty) {
  EXPECT_EQ(TakeBefore(UINT64_MAX), Times{});
  EXPECT_FALSE(order_is_full(order_.get()));
}

TEST_F(OrderTest, MergesLanes) {
  AddRecords(0, {1, 4, 7});
  AddRecords(1, {2, 5, 8});
  AddRecords(2, {3, 6, 9});
  EXPECT_EQ(TakeBefore(UINT64_MAX), (Times{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(OrderTest, ReturnsOnlyOlderRecords) {
  AddRecords(0, {10, 20, 30});
  EXPECT_EQ(TakeBefore(20), Times{10});
  EXPECT_EQ(TakeBefore(20), Times{});
  EXPECT_EQ(TakeBefore(21), Times{20});
  EXPECT_EQ(TakeBefore(UINT64_MAX), Times{30});
}

TEST_F(OrderTest, SortsRecordsOfALane) {
  AddRecords(0, {5, 3, 4});
  AddRecords(0, {1, 9});
  EXPECT_EQ(TakeBefore(UINT64_MAX), (Times{1, 3, 4, 5, 9}));
}

TEST_F(OrderTest, KeepsTheOrderOfEqualTimesInALane) {
  AddRecords(0, {7, 7, 3, 7, 7});
  std::vector<uint32_t> of_seven;
  while (const struct record *r = order_next(order_.get(), 8)) {
    if (r->time_ns == 7) of_seven.push_back(r->object);
  }
  EXPECT_EQ(of_seven, (std::vector<uint32_t>{0, 1, 3, 4}));
}

TEST_F(OrderTest, IsEmptyAfterTheLastRecord) {
  EXPECT_TRUE(order_is_empty(order_.get()));
  AddRecords(2, {5, 6});
  EXPECT_EQ(TakeBefore(6), (Times{5}));
  EXPECT_FALSE(order_is_empty(order_.get()));
  EXPECT_EQ(TakeBefore(7), (Times{6}));
  EXPECT_TRUE(order_is_empty(order_.get()));
}

TEST_F(OrderTest, IsFullWhenALaneReachesItsBound) {
  Times many(5000);
  size_t held = 0;
  for (size_t n = 1; n > 0; held += n) {
    std::iota(many.begin(), many.end(), held);
    n = AddRecords(1, many);
  }
  EXPECT_EQ(held, size_t{65536});
  EXPECT_TRUE(order_is_full(order_.get()));
  EXPECT_EQ(AddRecords(0, {1}), 1u);  // the other lanes are not full
  EXPECT_FALSE(order_is_empty(order_.get()));
  EXPECT_NE(order_next(order_.get(), 1), nullptr);
  EXPECT_FALSE(order_is_full(order_.get()));
  EXPECT_EQ(AddRecords(1, {70001, 70002}), 1u);
}

TEST_F(OrderTest, ReturnsTheSameSequenceAsASort) {
  std::mt19937 random(7);
  Times all, out;
  uint64_t now = 1000;
  for (int round = 0; round < 2000; round++) {
    for (unsigned lane = 0; lane < 3; lane++) {
      Times times(random() % 20);
      for (uint64_t &t : times) t = now + random() % 100;
      ASSERT_EQ(AddRecords(lane, times), times.size());
      all.insert(all.end(), times.begin(), times.end());
    }
    now += random() % 50;
    for (uint64_t t : TakeBefore(now)) out.push_back(t);
  }
  for (uint64_t t : TakeBefore(UINT64_MAX)) out.push_back(t);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(out, all);
}

}  // namespace
