#include "agent/meta/intern.h"

#include <atomic>
#include <memory>
#include <mutex>
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
