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

Number KeyOf(uint64_t value) { return {{hash_word(value)}, value}; }

// Sets are never freed; they stay reachable here.
struct intern *NewSet() {
  static auto &all = *new std::vector<struct intern *>;
  all.push_back(intern_new(SameNumber));
  return all.back();
}

// Nor are their entries.
std::deque<std::unique_ptr<Number>> &NewEntries() {
  static auto &all = *new std::deque<std::deque<std::unique_ptr<Number>>>;
  return all.emplace_back();
}

bool Has(struct intern *set, uint64_t value) {
  Number key = KeyOf(value);
  auto *found = static_cast<Number *>(intern_get(set, &key.key));
  return found != nullptr && found->value == value;
}

TEST(Intern, FindsWhatWasAddedAndNothingElse) {
  struct intern *set = NewSet();
  Number seven = KeyOf(7);
  EXPECT_FALSE(Has(set, 7));
  EXPECT_TRUE(intern_add(set, &seven.key));
  EXPECT_TRUE(Has(set, 7));
  EXPECT_FALSE(Has(set, 8));
}

TEST(Intern, GivesTheEntryItself) {
  struct intern *set = NewSet();
  Number seven = KeyOf(7), key = KeyOf(7);
  intern_add(set, &seven.key);
  EXPECT_EQ(intern_get(set, &key.key), &seven);
}

TEST(Intern, EqualHashesAreToldApart) {
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

TEST(Intern, HashZeroIsAHash) {
  struct intern *set = NewSet();
  Number zero = {{0}, 9}, key = zero;
  EXPECT_TRUE(intern_add(set, &zero.key));
  EXPECT_EQ(intern_get(set, &key.key), &zero);
}

TEST(Intern, GrowsFarBeyondItsFirstTable) {
  struct intern *set = NewSet();
  std::vector<Number> entries(20000);
  for (uint64_t i = 0; i < entries.size(); i++) {
    entries[i] = KeyOf(i);
    ASSERT_TRUE(intern_add(set, &entries[i].key));
  }
  for (uint64_t i = 0; i < entries.size(); i++) ASSERT_TRUE(Has(set, i));
  EXPECT_FALSE(Has(set, entries.size()));
}

// What was added before a reader looks is there, also while the table grows under it.
TEST(Intern, ReadersSeeAllThatWasAddedBeforeTheyLook) {
  struct intern *set = NewSet();
  static std::vector<Number> entries(20000);
  std::atomic<uint64_t> added{0}, missed{0};
  AtOnce(4, [&](int i) {
    if (i == 0) {
      for (uint64_t n = 0; n < entries.size(); n++) {
        entries[n] = KeyOf(n);
        intern_add(set, &entries[n].key);
        added = n + 1;
      }
    }
    for (uint64_t look = 0, there; (there = added) < entries.size(); look++) {
      if (there > 0 && !Has(set, look * 7919 % there)) missed++;
    }
  });
  EXPECT_EQ(missed, 0u);
}

// --- against a model ---------------------------------------------------------------------------

// Many threads look up random keys and add those that are missing, as stacks.c does: without a lock
// first, then once more under it. Each thread keeps what it got; a map of them all is the model.
class InternModel : public testing::TestWithParam<uint64_t> {
 protected:
  static constexpr int kThreads = 4, kLooks = 20000;
  using Seen = std::vector<std::pair<uint64_t, Number *>>;

  Number *Intern(uint64_t value) {
    Number key = KeyOf(value);
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

  Seen Look(unsigned seed) {
    std::minstd_rand random(seed);
    Seen seen;
    for (int i = 0; i < kLooks; i++) {
      uint64_t value = random() % 3000;
      value = value * value / 3000;  // some are met often, most seldom
      seen.emplace_back(value, Intern(value));
    }
    return seen;
  }

  struct intern *set_ = NewSet();
  std::mutex adding_;
  std::deque<std::unique_ptr<Number>> &entries_ = NewEntries();
};

TEST_P(InternModel, EveryThreadSeesTheSameEntryOfAKey) {
  std::vector<Seen> seen(kThreads);
  AtOnce(kThreads, [&](int i) { seen[i] = Look(static_cast<unsigned>(i) + 1); });
  std::map<uint64_t, Number *> model;
  for (const Seen &of_thread : seen) {
    for (auto [value, entry] : of_thread) {
      ASSERT_EQ(entry->value, value);
      ASSERT_EQ(model.emplace(value, entry).first->second, entry) << value;
    }
  }
  EXPECT_EQ(model.size(), entries_.size());  // one entry a key, and none that nobody asked for
  for (auto [value, entry] : model) EXPECT_EQ(Intern(value), entry);
  EXPECT_EQ(model.size(), entries_.size());
}

INSTANTIATE_TEST_SUITE_P(HashesOfManyKeysAndOfFew, InternModel,
                         testing::Values(UINT64_MAX, uint64_t{512}, uint64_t{7}));

TEST(HashWord, SpreadsNeighboursOverTheLowAndTheHighBits) {
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
