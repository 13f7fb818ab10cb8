#include "tools/orca/model/filter.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Filter : public testing::Test {
 protected:
  const struct model *ReadModel() { return small_.Read(&filter_); }

  static void AddPattern(struct filter_patterns *p, const char *text) { p->texts[p->num++] = text; }
  static const struct lock *FindLock(const struct model *m, uint32_t object) {
    for (size_t i = 0; i < m->locks.num; i++) {
      if (m->locks.rows[i].object == object) return &m->locks.rows[i];
    }
    return nullptr;
  }

  SmallModel small_;
  struct filter filter_ = MakeFilter();
};

TEST_F(Filter, AnEmptyFilterMatchesEverything) {
  EXPECT_FALSE(filter_is_active(&filter_));
  const struct model *m = ReadModel();
  EXPECT_EQ(m->recording.num_events, 22u);
  EXPECT_EQ(m->recording.all_events, 22u);
  EXPECT_EQ(m->recording.samples, 7u);
  EXPECT_EQ(m->threads.num, 4u);
  EXPECT_EQ(m->cpu.total_ns, 1000 * kMs);
}

TEST_F(Filter, MatchesThreadsByNameOrHash) {
  for (const char *text : {"worker-1", "*-1", "00000002"}) {
    filter_.threads.num = 0;
    AddPattern(&filter_.threads, text);
    SmallModel small;
    const struct model *m = small.Read(&filter_);
    EXPECT_EQ(m->recording.num_events, 10u) << text;
    EXPECT_EQ(m->recording.all_events, 22u);
    EXPECT_EQ(m->recording.samples, 4u);
    ASSERT_EQ(m->threads.num, 1u);
    EXPECT_STREQ(m->threads.rows[0].name, "worker-1");
    EXPECT_STREQ(threads_find(&m->threads, 3)->name, "worker-2");  // other threads keep their names
    EXPECT_EQ(m->cpu.total_ns, 990 * kMs);
    EXPECT_EQ(m->locks.blocked, kSecond * 275 / 100);
    EXPECT_EQ(m->deadlocks.num_rings, 1u);  // worker-1 is part of it
    EXPECT_EQ(m->deadlocks.num, 2u);
  }
}

TEST_F(Filter, LeavesOutThreadsThatDoNotMatch) {
  AddPattern(&filter_.threads, "main");
  const struct model *m = ReadModel();
  EXPECT_EQ(m->locks.num, 0u);
  EXPECT_EQ(m->cpu.total_ns, 0u);
  EXPECT_EQ(m->deadlocks.num_rings, 0u);
  EXPECT_EQ(m->stalls.num, 2u);  // waits and joins
  EXPECT_EQ(m->recording.samples, 0u);
}

TEST_F(Filter, MatchesAnyOfSeveralPatterns) {
  AddPattern(&filter_.threads, "main");
  AddPattern(&filter_.threads, "poller");
  const struct model *m = ReadModel();
  EXPECT_EQ(m->threads.num, 2u);
  EXPECT_EQ(m->recording.num_events, 6u);
}

TEST_F(Filter, MatchesLocksByClassOrHash) {
  for (const char *text : {"Inventory", "com.acme.*", "com.acme.Inventory@000000A1", "000000a1"}) {
    filter_.locks.num = 0;
    AddPattern(&filter_.locks, text);
    SmallModel small;
    const struct model *m = small.Read(&filter_);
    EXPECT_EQ(m->recording.num_events, 7u) << text;
    ASSERT_EQ(m->locks.num, 1u);
    EXPECT_EQ(m->locks.rows[0].object, 0xA1u);
    EXPECT_EQ(m->locks.rows[0].blocked, kSecond * 2875 / 1000);
    EXPECT_EQ(m->threads.num, 2u);
    EXPECT_EQ(m->recording.all_samples, 7u);
    EXPECT_EQ(m->recording.samples, 0u);  // samples have no object
    EXPECT_EQ(m->cpu.total_ns, 0u);
  }
}

TEST_F(Filter, MatchesTheLockOfAClass) {
  for (const char *text : {"com.acme.HashMap", "class com.acme.HashMap", "HashMap"}) {
    filter_.locks.num = 0;
    AddPattern(&filter_.locks, text);
    SmallModel small;
    small.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Ljava/lang/Class;");
    small.files.Append(DUMP_CLASSES, "100.0000000000,000000A1,Lcom/acme/HashMap;,\n");
    const struct model *m = small.Read(&filter_);
    ASSERT_EQ(m->locks.num, 1u) << text;
    EXPECT_EQ(m->locks.rows[0].object, 0xA1u);
  }
}

TEST_F(Filter, TheNameOfEitherEndSelectsThePair) {
  for (const char *text : {"ObjectWait", "ObjectWaited", "wait", "ObjectWait*"}) {
    filter_.events.num = 0;
    AddPattern(&filter_.events, text);
    SmallModel small;
    const struct model *m = small.Read(&filter_);
    EXPECT_EQ(m->recording.num_events, 2u) << text;
    ASSERT_EQ(m->stalls.num, 1u);
    EXPECT_EQ(m->stalls.rows[0].total, kSecond * 15 / 10);
  }
}

TEST_F(Filter, MatchesAClassAnywhereInTheStack) {
  AddPattern(&filter_.classes, "Inventory");
  const struct model *m = ReadModel();
  // worker-1 is blocked in reserve three times, the last time to the end, and sleeps there
  EXPECT_EQ(m->recording.num_events, 7u);
  EXPECT_EQ(m->recording.samples, 2u);
  EXPECT_EQ(m->recording.all_samples, 7u);
  EXPECT_EQ(m->locks.blocked, kSecond * 275 / 100);
  ASSERT_EQ(m->threads.num, 2u);
  EXPECT_EQ(m->cpu.total_ns, 0u);  // no CPU time was used in Inventory
  const struct thread *blocked = threads_find(&m->threads, 2);
  EXPECT_EQ(blocked->in_activity[ACTIVITY_BLOCKED], kSecond * 275 / 100);
  EXPECT_EQ(blocked->in_activity[ACTIVITY_RUNS], kSecond * 575 / 100);  // of the whole thread
}

TEST_F(Filter, AnUnknownClassMatchesNothing) {
  AddPattern(&filter_.classes, "Nowhere");
  const struct model *m = ReadModel();
  EXPECT_EQ(m->recording.num_events + m->recording.samples, 0u);
  EXPECT_TRUE(m->recording.cpu_known);
}

TEST_F(Filter, OnePatternMatchesThreadsObjectsAndClasses) {
  const struct dump *d = ReadModel()->dump;
  EXPECT_TRUE(filter_matches_thread("work*", 2, "worker-1"));
  EXPECT_TRUE(filter_matches_thread("0000000A", 10, nullptr));
  EXPECT_FALSE(filter_matches_thread("work", 2, "worker-1"));
  EXPECT_FALSE(filter_matches_thread("*", 2, nullptr));
  EXPECT_TRUE(filter_matches_object("Inventory", d, 0xA1));
  EXPECT_TRUE(filter_matches_object("com.acme.*@000000A1", d, 0xA1));
  EXPECT_FALSE(filter_matches_object("Inventory", d, 0xA2));
  EXPECT_TRUE(filter_matches_class("Inventory", d, 0xC5));
  EXPECT_FALSE(filter_matches_class("Inventory", d, 0xC4));
}

TEST_F(Filter, TheCpuTimeOfAClassIsThatOfItsStacks) {
  AddPattern(&filter_.classes, "java.util.HashMap");
  const struct model *m = ReadModel();
  EXPECT_EQ(m->cpu.total_ns, 300 * kMs);  // 100 ms of them are carried there
  EXPECT_EQ(threads_find(&m->threads, 2)->cpu_ns, 300 * kMs);
  EXPECT_EQ(m->cpu.methods[0].total_ns, 300 * kMs);
}

TEST_F(Filter, PairsAreClippedToTheRange) {
  filter_.from = kSecond * 10125 / 100;  // within the first pair of A1
  filter_.to = kSecond * 10212 / 100;    // within the second one
  const struct model *m = ReadModel();
  EXPECT_EQ(m->recording.num_events, 2u);
  EXPECT_EQ(recording_time(&m->recording), kSecond * 87 / 100);
  ASSERT_EQ(m->locks.num, 1u);
  EXPECT_EQ(m->locks.rows[0].waited, 2u);
  EXPECT_EQ(m->locks.rows[0].blocked, kSecond * 37 / 100);
  EXPECT_EQ(m->locks.rows[0].longest_blocked, kSecond * 25 / 100);
  EXPECT_EQ(m->locks.rows[0].open, 0u);  // the second pair ended after the range
  EXPECT_EQ(m->threads.num, 4u);         // idle threads count too
  EXPECT_EQ(m->deadlocks.num_rings, 0u);
  EXPECT_EQ(threads_find(&m->threads, 2)->in_activity[ACTIVITY_RUNS], kSecond / 2);
  EXPECT_EQ(threads_find(&m->threads, 2)->in_activity[ACTIVITY_BLOCKED], kSecond * 37 / 100);
  EXPECT_EQ(m->cpu.total_ns, 100 * kMs);  // of the one sample in the range
  EXPECT_EQ(m->recording.ticks, 1u);
}

TEST_F(Filter, OpenPairsAreClippedToo) {
  filter_.from = 109 * kSecond;
  const struct model *m = ReadModel();
  EXPECT_EQ(FindLock(m, 0xA1)->blocked, 1 * kSecond);
  EXPECT_EQ(FindLock(m, 0xA1)->open, 1u);
  EXPECT_EQ(m->deadlocks.num_rings, 1u);
  EXPECT_EQ(m->threads.num, 3u);  // the poller had ended
}

TEST_F(Filter, LeavesOutThreadsThatLivedOutsideTheRange) {
  filter_.to = kSecond * 10015 / 100;
  EXPECT_EQ(ReadModel()->threads.num, 3u);  // the poller started later
}

TEST_F(Filter, CountsDoNotMatchAThread) {
  small_.files.Write(DUMP_COUNTS, "109.0000000000,SemaphoreAcquired,000000A3,12\n");
  AddPattern(&filter_.locks, "Semaphore");
  EXPECT_EQ(ReadModel()->locks.rows[0].acquired, 12u);
  SmallModel small;
  small.files.Write(DUMP_COUNTS, "109.0000000000,SemaphoreAcquired,000000A3,12\n");
  AddPattern(&filter_.threads, "worker-2");
  EXPECT_EQ(small.Read(&filter_)->locks.rows[0].acquired, 1u);  // the one that has a line
}

}  // namespace
