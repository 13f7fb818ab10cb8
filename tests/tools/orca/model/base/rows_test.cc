#include "tools/orca/model/base/rows.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace {

struct Row {
  uint32_t thread;
  uint64_t times;
};

class Rows : public testing::Test {
 protected:
  ~Rows() override {
    hashmap_free(&ids_);
    free(rows_);
  }

  Row *FindOrAdd(uint64_t key, bool *out_new = nullptr) {
    return static_cast<Row *>(rows_at(&ids_, key, &rows_, &num_, &capacity_, sizeof(Row), out_new));
  }
  size_t FindNumber(uint64_t key) {
    return rows_number(&ids_, key, &rows_, &num_, &capacity_, sizeof(Row), nullptr);
  }
  size_t Add() { return rows_add(&rows_, &num_, &capacity_, sizeof(Row)); }

  struct hashmap ids_ = {};
  Row *rows_ = nullptr;
  size_t num_ = 0, capacity_ = 0;
};

TEST_F(Rows, ANewRowIsZeroAndReported) {
  bool is_new = false;
  Row *row = FindOrAdd(7, &is_new);
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(row->thread, 0u);
  EXPECT_EQ(row->times, 0u);
  row->times = 5;
  EXPECT_EQ(FindOrAdd(7, &is_new)->times, 5u);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(num_, 1u);
}

TEST_F(Rows, KeepTheirNumbersWhenTheyMove) {
  for (uint64_t key = 0; key < 1000; key++) FindOrAdd(key * 3)->times = key;  // 0 is a key too
  for (uint64_t key = 0; key < 1000; key++) {
    EXPECT_EQ(FindNumber(key * 3), key + 1);
    EXPECT_EQ(FindOrAdd(key * 3)->times, key);
    EXPECT_EQ(rows_[key].times, key);
  }
  EXPECT_EQ(num_, 1000u);
}

TEST_F(Rows, CanBeAddedWithoutAKey) {
  EXPECT_EQ(Add(), 1u);
  rows_[0].times = 9;
  EXPECT_EQ(FindNumber(4), 2u);
  EXPECT_EQ(Add(), 3u);
  EXPECT_EQ(rows_[0].times, 9u);
  EXPECT_EQ(rows_[2].times, 0u);
}

TEST_F(Rows, FindsTheRowsOfAGroup) {
  size_t num = 9;
  EXPECT_EQ(rows_of(nullptr, 0, sizeof(Row), 3, &num), nullptr);
  EXPECT_EQ(num, 0u);
  for (uint32_t thread : {1u, 3u, 3u, 3u, 7u, UINT32_MAX}) {
    size_t number = Add();
    rows_[number - 1].thread = thread;
  }
  auto find = [&](uint32_t thread) { return rows_of(rows_, num_, sizeof(Row), thread, &num); };
  EXPECT_EQ(find(3), &rows_[1]);
  EXPECT_EQ(num, 3u);
  EXPECT_EQ(find(UINT32_MAX), &rows_[5]);
  EXPECT_EQ(num, 1u);
  for (uint32_t none : {0u, 2u, 4u, UINT32_MAX - 1}) EXPECT_EQ(find(none), nullptr) << none;
  EXPECT_EQ(num, 0u);
}

TEST_F(Rows, ChangeNothingWhenMemoryRunsOut) {
  bool is_new = true;
  size_t huge = SIZE_MAX / 8;
  EXPECT_EQ(rows_at(&ids_, 7, &rows_, &num_, &capacity_, huge, &is_new), nullptr);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(num_, 0u);
  EXPECT_EQ(rows_, nullptr);
  EXPECT_NE(FindOrAdd(7, &is_new), nullptr);  // the key still has no row
  EXPECT_TRUE(is_new);
}

}  // namespace
