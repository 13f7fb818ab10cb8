// Compares the search of orders.h with a simple search that tries every path.
#include <random>
#include <set>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/base/grow.h"

namespace {

struct Order {
  uint32_t thread, has, asks;
  std::set<uint32_t> gates;
};

struct order_lock MakeMonitor(uint32_t object) {
  return {LOCK_MONITOR, object};
}

class OrderRings : public testing::Test {
 protected:
  OrderRings() {
    matcher_start(&matcher_, nullptr, nullptr);
    holders_.coverage = &coverage_;
  }
  ~OrderRings() override {
    orders_free(&orders_);
    matcher_free(&matcher_);
  }

  void Add(const Order &o) {
    struct order order = {};
    order.thread = o.thread;
    order.has = MakeMonitor(o.has);
    order.asks = MakeMonitor(o.asks);
    order.times = 1;
    order.gates = orders_.num_gates;
    order.num_gates = o.gates.size();
    orders_.rows = static_cast<struct order *>(
        grow(orders_.rows, orders_.num, &orders_.capacity, sizeof *orders_.rows));
    orders_.rows[orders_.num++] = order;
    for (uint32_t gate : o.gates) {
      orders_.gates = static_cast<struct order_lock *>(
          grow(orders_.gates, orders_.num_gates, &orders_.gates_capacity, sizeof *orders_.gates));
      orders_.gates[orders_.num_gates++] = MakeMonitor(gate);
    }
  }
  uint64_t CountRings() {
    EXPECT_TRUE(orders_end(&orders_, &holders_, &stacks_, &matcher_));
    uint64_t rings = 0;
    for (size_t i = 0; i < orders_.num_rings; i++) rings += 1 + orders_.rings[i].alike;
    return rings;
  }

  struct orders orders_ = {};
  struct coverage coverage_ = {};
  struct holders holders_ = {};
  struct stacks stacks_ = {};
  struct matcher matcher_ = {};
};

bool CanOverlap(const Order &a, const Order &b) {
  std::set<uint32_t> of_a = a.gates, of_b = b.gates;
  of_a.insert(a.has);
  of_b.insert(b.has);
  for (uint32_t lock : of_a) {
    if (of_b.count(lock) > 0) return false;
  }
  return a.thread != b.thread;
}

void ExtendPath(const std::vector<Order> &all, std::vector<Order> path,
                std::set<std::vector<uint32_t>> *found) {
  if (path.back().asks == path.front().has) {
    std::vector<uint32_t> locks;
    for (const Order &o : path) locks.push_back(o.has);
    found->insert(locks);
    return;
  }
  for (const Order &next : all) {
    bool fits = next.has == path.back().asks && next.has > path.front().has && path.size() < 6;
    for (const Order &o : path) fits = fits && CanOverlap(o, next);
    if (!fits) continue;
    path.push_back(next);
    ExtendPath(all, path, found);
    path.pop_back();
  }
}

TEST_F(OrderRings, EqualThoseOfAFullSearch) {
  std::mt19937 random(7);
  size_t num_found = 0;
  for (int round = 0; round < 300; round++) {
    orders_free(&orders_);
    std::vector<Order> all;
    for (int i = 0; i < 14; i++) {
      Order o = {static_cast<uint32_t>(random() % 4),
                 static_cast<uint32_t>(random() % 6 + 1),
                 static_cast<uint32_t>(random() % 6 + 1),
                 {}};
      if (random() % 3 == 0) o.gates.insert(static_cast<uint32_t>(random() % 6 + 1));
      if (o.has == o.asks || o.gates.count(o.has) + o.gates.count(o.asks) > 0) continue;
      all.push_back(o);
    }
    std::set<std::vector<uint32_t>> found;
    for (const Order &o : all) {
      Add(o);
      ExtendPath(all, {o}, &found);
    }
    EXPECT_EQ(CountRings(), found.size()) << "round " << round;
    EXPECT_FALSE(orders_.lacks_variants);
    num_found += found.size();
  }
  EXPECT_GT(num_found, 100u);
}

// Every thread has every order, so there are more rings than the search may find.
TEST_F(OrderRings, TheSearchIsLimited) {
  for (uint32_t thread = 0; thread < 40; thread++) {
    for (uint32_t has = 1; has < 40; has++) {
      for (uint32_t asks = 1; asks < 40; asks++) {
        if (has != asks) Add({thread, has, asks, {}});
      }
    }
  }
  EXPECT_GT(CountRings(), 0u);
  EXPECT_LE(orders_.num_rings, 1000u);
  EXPECT_TRUE(orders_.lacks_variants);
}

// Each pair of locks has classes of its own.
TEST_F(OrderRings, SaysWhetherItHasAllVariants) {
  for (uint32_t num : {1000u, 1001u}) {
    orders_free(&orders_);
    for (uint32_t pair = 1; pair <= num; pair++) {
      Add({1, 2 * pair, 2 * pair + 1, {}}), Add({2, 2 * pair + 1, 2 * pair, {}});
      for (size_t i = 1; i <= 2; i++) orders_.rows[orders_.num - i].asks_class = pair;
    }
    CountRings();
    EXPECT_EQ(orders_.num_variants, 1000u);
    EXPECT_EQ(orders_.lacks_variants, num > 1000);
  }
}

TEST_F(OrderRings, OnlyRingsThatMatchTheFilterCount) {
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.locks = {{"000000A9"}, 1};
  SmallModel small;
  const struct model *m = small.Read();
  matcher_start(&matcher_, &filter, m->dump);
  Add({1, 0xA1, 0xA2, {}}), Add({2, 0xA2, 0xA1, {}});
  Add({1, 0xA9, 0xAA, {}}), Add({2, 0xAA, 0xA9, {}});
  EXPECT_EQ(CountRings(), 1u);
}

}  // namespace
