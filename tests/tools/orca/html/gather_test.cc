#include "tools/orca/html/gather.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Gather, GathersWhatTheModelDoesNotContain) {
  SmallModel small;
  struct model *m = small.Read();
  struct gathered g;
  ASSERT_TRUE(gather(&g, m, 1));
  EXPECT_EQ(g.timeline.num, 4u);
  EXPECT_EQ(g.log.num, 22u);
  EXPECT_EQ(g.lengths.num, 6u);
  // Waits for locks whose owner is known. Open waits last to the end of the recording.
  ASSERT_EQ(g.arrows.num, 4u);
  EXPECT_EQ(g.arrows.rows[0].thread, 2u);
  EXPECT_EQ(g.arrows.rows[0].end - g.arrows.rows[0].begin, 2 * kSecond);
  EXPECT_EQ(g.waits.num, 6u);
  size_t num;
  const struct tally_row *rows = tally_of(&g.blockers, 2, &num);
  ASSERT_EQ(num, 1u);
  EXPECT_EQ(rows[0].key, 3u);
  EXPECT_EQ(rows[0].count, 2u);
  EXPECT_EQ(rows[0].total, kSecond * 5 / 2);
  gathered_free(&g);
}

TEST(Gather, BlockedTimeIsThatOfTheLocks) {
  SmallModel small;
  struct model *m = small.Read();
  struct gathered g;
  ASSERT_TRUE(gather(&g, m, 1));
  ticks_t sum = 0;
  for (size_t i = 0; i < g.waits.num; i++) sum += g.waits.rows[i].end - g.waits.rows[i].begin;
  EXPECT_EQ(sum, m->locks.blocked);
  gathered_free(&g);
}

}  // namespace
