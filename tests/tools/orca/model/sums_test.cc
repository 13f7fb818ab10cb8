#include "tools/orca/model/sums.h"

#include "tests/tools/orca/model/two_runs.h"

namespace {

struct sums_row MakeRow(enum compare_part part, uint32_t id, ticks_t time, uint64_t count = 1) {
  struct sums_row row = {};
  row.part = part;
  row.id = id;
  row.time = row.most = time;
  row.count = count;
  return row;
}

// The small dump: worker-1 is blocked 0.5 s, 0.25 s and 2 s in reserve, worker-2 0.125 s in price.
TEST(Sums, AddUpUnderNames) {
  SmallModel small;
  struct sums s = {};
  ASSERT_TRUE(sums_find(&s, small.Read()));
  const struct sums_row *reserve = nullptr;
  for (size_t i = 0; i < s.num; i++) {
    if (s.rows[i].part == COMPARE_LOCKS && place_method(s.rows[i].place) == 0x12) {
      ASSERT_EQ(reserve, nullptr);
      reserve = &s.rows[i];
    }
  }
  ASSERT_NE(reserve, nullptr);
  EXPECT_EQ(reserve->kind, static_cast<unsigned>(LOCK_MONITOR));
  EXPECT_EQ(reserve->id, 0xC5u);
  EXPECT_EQ(reserve->time, 2750 * TICKS_PER_S / 1000);
  EXPECT_EQ(reserve->count, 3u);
  EXPECT_FALSE(s.is_read);
  sums_free(&s);
}

TEST(Sums, KeepTheLargestOfEachPart) {
  struct sums s = {};
  for (ticks_t time : {3, 1, 5, 4, 2}) {
    struct sums_row row = MakeRow(COMPARE_LOCKS, static_cast<uint32_t>(time), time, time * 10);
    ASSERT_TRUE(sums_add(&s, &row));
  }
  struct sums_row wait = MakeRow(COMPARE_WAITS, 9, 1);
  ASSERT_TRUE(sums_add(&s, &wait));
  sums_keep_largest(&s, 2);
  ASSERT_EQ(s.num, 3u);
  EXPECT_EQ(s.rows[0].id, 5u);
  EXPECT_EQ(s.rows[1].id, 4u);
  EXPECT_EQ(s.rows[2].part, COMPARE_WAITS);
  const struct sums_cut &cut = s.cut[COMPARE_LOCKS];
  EXPECT_EQ(cut.num, 3u);
  EXPECT_EQ(cut.time, 6u);
  EXPECT_EQ(cut.count, 60u);
  EXPECT_EQ(cut.most, 3u);
  EXPECT_EQ(cut.most_count, 30u);
  EXPECT_EQ(s.cut[COMPARE_WAITS].num, 0u);
  sums_free(&s);
}

// Without it, the others would look exact.
TEST(Sums, NeverCutTheRowOfSeveralObjects) {
  struct sums s = {};
  for (uint32_t id : {7u, 8u, SHORT_SEVERAL_CLASS}) {
    struct sums_row row = MakeRow(COMPARE_LOCKS, id, id == SHORT_SEVERAL_CLASS ? 1 : id);
    ASSERT_TRUE(sums_add(&s, &row));
  }
  sums_keep_largest(&s, 2);
  ASSERT_EQ(s.num, 2u);
  EXPECT_EQ(s.rows[0].id, SHORT_SEVERAL_CLASS);
  EXPECT_EQ(s.rows[1].id, 8u);
  EXPECT_EQ(s.cut[COMPARE_LOCKS].most, 7u);
  sums_free(&s);
}

TEST(Sums, AKeyHasNoHashAndNoLine) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  auto key = [&](uint32_t id, place_t p) {
    struct sums_row row = MakeRow(COMPARE_LOCKS, id, 1);
    struct builder b = {};
    row.place = p;
    sums_put_key(&b, d, &row);
    std::string text(b.data, b.len);
    builder_free(&b);
    return text;
  };
  EXPECT_EQ(key(0xC5, place(0x12, 42)), key(0xC5, place(0x12, 99)));
  EXPECT_NE(key(0xC5, place(0x12, 42)), key(0xC5, place(0x10, 42)));
  EXPECT_NE(key(0xC5, place(0x12, 42)), key(0xC1, place(0x12, 42)));
}

}  // namespace
