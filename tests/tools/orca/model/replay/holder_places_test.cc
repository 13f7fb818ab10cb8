#include "tools/orca/model/replay/holder_places.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(HolderPlaces, AreThePlacesOfTheContention) {
  SmallModel small;
  struct model *m = small.Read();
  struct contention c = {};
  ASSERT_TRUE(contention_read(&c, m, &m->locks));
  ASSERT_TRUE(holder_places_find(m));
  size_t found = 0;
  for (size_t i = 0; i < m->locks.num; i++) {
    size_t num, same;
    const struct tally_row *rows = tally_of(&m->holder_places, m->locks.rows[i].id, &num);
    const struct tally_row *all = tally_of(&c.holder_places, m->locks.rows[i].id, &same);
    ASSERT_EQ(num, same);
    for (size_t k = 0; k < num; k++) {
      EXPECT_EQ(rows[k].key, all[k].key);
      EXPECT_EQ(rows[k].total, all[k].total);
    }
    found += num;
  }
  EXPECT_GT(found, 0u);
  EXPECT_EQ(contention_time(&m->handoffs, m->locks.rows[2].id), kSecond / 20);
  const struct tally_row *holders = tally_of(&m->lock_holders, m->locks.rows[0].id, &found);
  ASSERT_EQ(found, 2u);
  EXPECT_EQ(holders[0].key, 3u);  // worker-2, while worker-1 waited for 0.5 s and 2 s
  EXPECT_EQ(holders[0].total, kSecond * 5 / 2);
  EXPECT_EQ(holders[1].key, 2u);
  ASSERT_TRUE(holder_places_take(m, &c));  // replaces the places that the model has
  EXPECT_EQ(c.holder_places.num, 0u);
  EXPECT_GT(m->holder_places.num, 0u);
  contention_free(&c);
}

TEST(HolderPlaces, AreEmptyIfNoHolderIsKnown) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,0\n"
                    "102.2500000000,MonitorContendedEntered,00000002,000000A1,0\n");
  struct model *m = small.Read();
  EXPECT_TRUE(holder_places_find(m));
  EXPECT_EQ(m->holder_places.num, 0u);
}

// The holder of a semaphore need not be known.
TEST(HolderPlaces, AreFoundForTheHandoffOfASemaphore) {
  SmallModel small;
  std::string stack = ",000000A3,1;00000005;00000000\n";
  small.files.Write(DUMP_EVENTS, "102.0000000000,SemaphoreAcquire,00000002" + stack +
                                     "102.5000000000,SemaphoreRelease,00000003" + stack +
                                     "103.0000000000,SemaphoreAcquired,00000002" + stack);
  struct model *m = small.Read();
  EXPECT_TRUE(holder_places_find(m));
  EXPECT_EQ(contention_time(&m->handoffs, m->locks.rows[0].id), kSecond / 2);
}

TEST(HolderPlaces, AreEmptyForALongRecording) {
  SmallModel small;
  struct model *m = small.Read();
  m->recording.all_events = HOLDER_PLACES_LINES;
  EXPECT_TRUE(holder_places_find(m));
  EXPECT_EQ(m->holder_places.num, 0u);
}

}  // namespace
