#include "agent/record/intern.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

struct Number {
  struct interned key;
  uint64_t value;
};

INTERN_SAME bool SameNumber(const void *a, const void *b) {
  return static_cast<const Number *>(a)->value == static_cast<const Number *>(b)->value;
}

Number MakeNumber(uint64_t value) { return {{hash_word(value)}, value}; }

// Sets are never freed. The vector keeps them reachable for leak checkers.
struct intern *NewSet() {
  static auto &all = *new std::vector<struct intern *>;
  all.push_back(intern_new(SameNumber));
  return all.back();
}

// Entries are never freed either.
std::deque<std::unique_ptr<Number>> &NewEntries() {
  static auto &all = *new std::deque<std::deque<std::unique_ptr<Number>>>;
  return all.emplace_back();
}

bool Has(struct intern *set, uint64_t value) {
  Number key = MakeNumber(value);
  auto *found = static_cast<Number *>(intern_get(set, &key.key));
  return found != nullptr && found->value == value;
}

TEST(Intern, FindsOnlyAddedEntries) {
  struct intern *set = NewSet();
  Number seven = MakeNumber(7);
  EXPECT_FALSE(Has(set, 7));
  EXPECT_TRUE(intern_add(set, &seven.key));
  EXPECT_TRUE(Has(set, 7));
  EXPECT_FALSE(Has(set, 8));
}

TEST(Intern, ReturnsTheEntryItself) {
  struct intern *set = NewSet();
  Number seven = MakeNumber(7), key = MakeNumber(7);
  intern_add(set, &seven.key);
  EXPECT_EQ(intern_get(set, &key.key), &seven);
}

TEST(Intern, DistinguishesEntriesWithEqualHashes) {
  struct intern *set = NewSet();
  Number entries[] = {{{5}, 1}, {{5}, 2}, {{5}, 3}};
  for (Number &n : entries) EXPECT_TRUE(intern_add(set, &n.key));
  for (Number &n : entries) {
    Number key = n;
    EXPECT_EQ(intern_get(set, &key.key), &n);
  }
  Number other = {{5}, 4};
  EXPECT_EQ(intern_get(set, &other.key), nullptr);
}

TEST(Intern, AcceptsHashZero) {
  struct intern *set = NewSet();
  Number zero = {{0}, 9}, key = zero;
  EXPECT_TRUE(intern_add(set, &zero.key));
  EXPECT_EQ(intern_get(set, &key.key), &zero);
}

TEST(Intern, GrowsBeyondItsFirstTable) {
  struct intern *set = NewSet();
  std::vector<Number> entries(20000);
  for (uint64_t i = 0; i < entries.size(); i++) {
    entries[i] = MakeNumber(i);
    ASSERT_TRUE(intern_add(set, &entries[i].key));
  }
  for (uint64_t i = 0; i < entries.size(); i++) ASSERT_TRUE(Has(set, i));
  EXPECT_FALSE(Has(set, entries.size()));
}

// Readers look up entries while another thread adds entries and the table grows.
TEST(Intern, ReadersFindAllEntriesAddedBefore) {
  struct intern *set = NewSet();
  static std::vector<Number> entries(20000);
  std::atomic<uint64_t> added{0}, missed{0};
  RunConcurrently(4, [&](int i) {
    if (i == 0) {
      for (uint64_t n = 0; n < entries.size(); n++) {
        entries[n] = MakeNumber(n);
        intern_add(set, &entries[n].key);
        added = n + 1;
      }
    }
    for (uint64_t look = 0, num_added; (num_added = added) < entries.size(); look++) {
      if (num_added > 0 && !Has(set, look * 7919 % num_added)) missed++;
    }
  });
  EXPECT_EQ(missed, 0u);
}

/* Fails on a CPU that may show an entry before its contents, if intern_add does not order them.
   x86-64 never does, and neither does qemu on it. */
TEST(Intern, ShowsAnEntryOnlyWithItsContents) {
  struct Pair {
    struct interned key;
    uint64_t value, copy;
  };
  constexpr uint64_t NUM = 5000;
  struct intern *set = NewSet();
  static auto &pairs = *new std::deque<std::vector<Pair>>;
  std::vector<Pair> &all = pairs.emplace_back(NUM); /* zeros, as the memory of a new entry may be */
  std::atomic<uint64_t> wrong{0};
  RunConcurrently(3, [&](int thread) {
    for (uint64_t i = 0; i < NUM; i++) {
      if (thread == 0) {
        all[i].copy = ~i;
        all[i].key = MakeNumber(i).key;
        all[i].value = i;
        intern_add(set, &all[i].key);
        continue;
      }
      Number key = MakeNumber(i);
      for (int tries = 0; tries < 100; tries++) {
        auto *found = reinterpret_cast<Pair *>(intern_get(set, &key.key));
        if (found == nullptr) continue;
        if (found->copy != ~i) wrong++;
        break;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
}

TEST(Intern, RemovesOnlyTheEntry) {
  struct intern *set = NewSet();
  static Number entries[] = {{{5}, 1}, {{5}, 2}, {{6}, 3}};
  for (Number &n : entries) EXPECT_TRUE(intern_add(set, &n.key));
  intern_remove(set, &entries[0].key);
  Number one = {{5}, 1}, two = {{5}, 2}, three = {{6}, 3};
  EXPECT_EQ(intern_get(set, &one.key), nullptr);
  EXPECT_EQ(intern_get(set, &two.key), &entries[1]);
  EXPECT_EQ(intern_get(set, &three.key), &entries[2]);
  EXPECT_TRUE(intern_add(set, &entries[0].key));
  EXPECT_EQ(intern_get(set, &one.key), &entries[0]);
}

TEST(Intern, VisitsEachEntryAndMayRemoveIt) {
  static struct intern *set = NewSet();
  static std::vector<Number> entries(5000);
  for (uint64_t i = 0; i < entries.size(); i++) {
    entries[i] = MakeNumber(i);
    ASSERT_TRUE(intern_add(set, &entries[i].key));
  }
  std::vector<int> visits(entries.size());
  intern_visit(
      set,
      [](void *arg, struct interned *entry) {
        uint64_t value = reinterpret_cast<Number *>(entry)->value;
        (*static_cast<std::vector<int> *>(arg))[value]++;
        if (value % 3 != 0) intern_remove(set, entry);
      },
      &visits);
  EXPECT_EQ(visits, std::vector<int>(entries.size(), 1));
  for (uint64_t i = 0; i < entries.size(); i++) EXPECT_EQ(Has(set, i), i % 3 == 0) << i;
}

// A program that makes and drops classes adds and removes entries for ever.
TEST(Intern, StaysAsSmallAsItsEntries) {
  struct intern *set = NewSet();
  static std::vector<Number> entries(100000);
  size_t before = intern_bytes(set);
  EXPECT_GT(before, 1024 * sizeof(void *));
  for (uint64_t i = 0; i < entries.size(); i++) {
    entries[i] = MakeNumber(i);
    ASSERT_TRUE(intern_add(set, &entries[i].key));
    if (i >= 500) intern_remove(set, &entries[i - 500].key);
  }
  EXPECT_LE(intern_bytes(set), 4 * before);
  for (uint64_t i = entries.size() - 500; i < entries.size(); i++) EXPECT_TRUE(Has(set, i));
  EXPECT_FALSE(Has(set, 0));
}

// --- against a model ---------------------------------------------------------------------------

// Many threads look up random keys and add missing ones like stacks.c: first without a lock, then
// again under the lock. Each thread keeps its results; the model is a map of all results.
class InternModel : public testing::TestWithParam<uint64_t> {
 protected:
  static constexpr int kThreads = 4, kLookups = 20000;
  using Seen = std::vector<std::pair<uint64_t, Number *>>;

  Number *Intern(uint64_t value) {
    Number key = MakeNumber(value);
    key.key.hash %= GetParam();  // few hashes: many keys share one
    auto *known = static_cast<Number *>(intern_get(set_, &key.key));
    if (known != nullptr) return known;
    std::lock_guard<std::mutex> hold(adding_);
    known = static_cast<Number *>(intern_get(set_, &key.key));
    if (known != nullptr) return known;
    entries_.push_back(std::make_unique<Number>(key));
    EXPECT_TRUE(intern_add(set_, &entries_.back()->key));
    return entries_.back().get();
  }

  Seen LookUpRandomKeys(unsigned seed) {
    std::minstd_rand random(seed);
    Seen seen;
    for (int i = 0; i < kLookups; i++) {
      uint64_t value = random() % 3000;
      value = value * value / 3000;  // makes small keys frequent
      seen.emplace_back(value, Intern(value));
    }
    return seen;
  }

  struct intern *set_ = NewSet();
  std::mutex adding_;
  std::deque<std::unique_ptr<Number>> &entries_ = NewEntries();
};

TEST_P(InternModel, EveryThreadGetsTheSameEntryForAKey) {
  std::vector<Seen> seen(kThreads);
  RunConcurrently(kThreads,
                  [&](int i) { seen[i] = LookUpRandomKeys(static_cast<unsigned>(i) + 1); });
  std::map<uint64_t, Number *> model;
  for (const Seen &of_thread : seen) {
    for (auto [value, entry] : of_thread) {
      ASSERT_EQ(entry->value, value);
      ASSERT_EQ(model.emplace(value, entry).first->second, entry) << value;
    }
  }
  EXPECT_EQ(model.size(), entries_.size());  // one entry for each key
  for (auto [value, entry] : model) EXPECT_EQ(Intern(value), entry);
  EXPECT_EQ(model.size(), entries_.size());
}

INSTANTIATE_TEST_SUITE_P(ManyAndFewHashes, InternModel,
                         testing::Values(UINT64_MAX, uint64_t{512}, uint64_t{7}));

TEST(HashWord, SpreadsNeighboursOverLowAndHighBits) {
  std::vector<int> low(256), high(256);
  for (uint64_t i = 0; i < 256 * 64; i++) {
    low[hash_word(i * 8) & 255]++;
    high[hash_word(i * 8) >> 56]++;
  }
  for (int i = 0; i < 256; i++) {
    EXPECT_NEAR(low[i], 64, 48) << i;
    EXPECT_NEAR(high[i], 64, 48) << i;
  }
}

}  // namespace
