#include "tools/orca/model/stalls.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

const struct stall *FindStall(const struct stalls &s, enum event_kind kind, uint32_t object) {
  for (size_t i = 0; i < s.num; i++) {
    if (s.rows[i].kind == kind && s.rows[i].object == object) return &s.rows[i];
  }
  return nullptr;
}

TEST(Stalls, ContainShortCalls) {
  SmallModel small;
  AddShortCalls(&small.files);
  const struct stalls &s = small.Read()->stalls;
  const struct stall *wait = FindStall(s, EVENT_OBJECT_WAIT, 0xA2);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->count, 501u);
  EXPECT_EQ(wait->long_calls, 1u);
  EXPECT_EQ(wait->short_calls.num, 500u);
  EXPECT_EQ(wait->total, kSecond * 3500 / 1000);
  EXPECT_EQ(wait->longest, kSecond * 1500 / 1000);
  EXPECT_EQ(tally_best(&s.places, wait->id), place(0x11, 20));
  const struct stall *sleep = FindStall(s, EVENT_THREAD_SLEEP, 0);
  ASSERT_NE(sleep, nullptr);
  EXPECT_EQ(sleep->count, 11u);
  const struct stall *by_class =
      FindStall(small.model.stalls_by_class, EVENT_OBJECT_WAIT, wait->object);
  ASSERT_NE(by_class, nullptr);
  EXPECT_EQ(by_class->long_calls, 1u);
  EXPECT_EQ(by_class->short_calls.num, 500u);
}

// A2 is of an unknown class. Of sleeps no object is known, and none is lost.
TEST(Stalls, KeepSumsWithoutAnObjectApart) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_OBJECTS, "");
  small.files.Append(DUMP_COUNTS, "109.6000000000,ObjectWait,00000000,3,9000000,4000000,0\n");
  const struct model *m = small.Read();
  const struct stall *several = FindStall(m->stalls, EVENT_OBJECT_WAIT, 0),
                     *sleep = FindStall(m->stalls, EVENT_THREAD_SLEEP, 0),
                     *wait = FindStall(m->stalls_by_class, EVENT_OBJECT_WAIT, 0xA2);
  ASSERT_TRUE(several != nullptr && sleep != nullptr && wait != nullptr);
  EXPECT_TRUE(several->is_several);
  EXPECT_FALSE(several->count_is_least);
  EXPECT_FALSE(sleep->is_several);
  EXPECT_FALSE(sleep->count_is_least);
  EXPECT_EQ(wait->count, 501u);
  EXPECT_TRUE(wait->count_is_least);
  const struct stall *by_class = FindStall(m->stalls_by_class, EVENT_OBJECT_WAIT, 0);
  ASSERT_NE(by_class, nullptr);
  EXPECT_TRUE(by_class->is_several);
  EXPECT_EQ(by_class->count, 3u);
}

// Neither is a pair.
TEST(Stalls, LackMethodsAndTasks) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_COUNTS,
                    "109.0000000000,MethodEntry,00000000,5,100,50,0\n"
                    "109.0000000001,TaskQueued,000000A2,5,100,50,0\n");
  EXPECT_EQ(small.Read()->stalls.num, 0u);
}

TEST(Stalls, SumsThePairsOfALock) {
  SmallModel small;
  const struct stalls &s = small.Read()->stalls;
  const struct stall *lock = FindStall(s, EVENT_MONITOR_CONTENDED_ENTER, 0xA1);
  ASSERT_NE(lock, nullptr);
  EXPECT_EQ(lock->class_id, 0xC5u);
  EXPECT_EQ(lock->count, 4u);
  EXPECT_EQ(lock->open, 1u);
  EXPECT_EQ(lock->total, kSecond * 2875 / 1000);  // 0.5 + 0.25 + 0.125 + 2 s
  EXPECT_EQ(lock->longest, 2 * kSecond);
  EXPECT_EQ(lock->known_owners, 3u);
}

TEST(Stalls, CountsThreadsOwnersAndPlaces) {
  SmallModel small;
  const struct stalls &s = small.Read()->stalls;
  const struct stall *lock = FindStall(s, EVENT_MONITOR_CONTENDED_ENTER, 0xA1);
  ASSERT_NE(lock, nullptr);
  size_t num;
  const struct tally_row *threads = tally_of(&s.threads, lock->id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(threads[0].key, 2u);
  EXPECT_EQ(threads[0].count, 3u);
  EXPECT_EQ(threads[0].total, kSecond * 275 / 100);
  EXPECT_EQ(threads[1].total, kSecond / 8);
  const struct tally_row *owners = tally_of(&s.owners, lock->id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(owners[0].key, 3u);
  EXPECT_EQ(owners[0].total, kSecond * 25 / 10);
  EXPECT_EQ(tally_best(&s.places, lock->id), place(0x12, 42));
}

TEST(Stalls, SumsWaitsJoinsSleepsAndAcquisitions) {
  SmallModel small;
  const struct stalls &s = small.Read()->stalls;
  const struct stall *wait = FindStall(s, EVENT_OBJECT_WAIT, 0xA2);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->total, kSecond * 3 / 2);
  EXPECT_EQ(wait->signals, 1u);
  const struct stall *join = FindStall(s, EVENT_THREAD_JOIN, 2);
  ASSERT_NE(join, nullptr);
  EXPECT_EQ(join->open, 1u);
  EXPECT_EQ(join->total, 3 * kSecond);
  const struct stall *sleep = FindStall(s, EVENT_THREAD_SLEEP, 0);
  ASSERT_NE(sleep, nullptr);
  EXPECT_EQ(sleep->total, kSecond / 2);
  EXPECT_EQ(sleep->num_objects, 0u);
  EXPECT_EQ(tally_best(&s.places, sleep->id), place(0x12, 42));
  const struct stall *acquire = FindStall(s, EVENT_SEMAPHORE_ACQUIRE, 0xA3);
  ASSERT_NE(acquire, nullptr);
  EXPECT_EQ(acquire->total, kSecond * 3 / 4);
  EXPECT_EQ(acquire->signals, 1u);
}

TEST(Stalls, SortsByTotalTime) {
  SmallModel small;
  const struct stalls &s = small.Read()->stalls;
  EXPECT_EQ(s.num, 6u);
  for (size_t i = 1; i < s.num; i++) EXPECT_GE(s.rows[i - 1].total, s.rows[i].total);
}

TEST(Stalls, SumsUpByClass) {
  SmallModel small;
  small.files.Append(DUMP_OBJECTS, "100.0000000000,000000B1,000000C1\n");
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ObjectWait,00000004,000000B1,1;00000001;FFFFFFFF\n"
                     "109.2000000000,ObjectNotifyAll,00000001,000000B1,1;00000002;FFFFFFFF\n"
                     "109.6000000000,ObjectWaited,00000004,000000B1,1;00000001;FFFFFFFF\n");
  const struct stalls &s = small.Read()->stalls_by_class;
  const struct stall *wait = FindStall(s, EVENT_OBJECT_WAIT, 0);
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->class_id, 0xC1u);
  EXPECT_EQ(wait->num_objects, 2u);
  EXPECT_EQ(wait->count, 2u);
  EXPECT_EQ(wait->signals, 2u);
  EXPECT_EQ(wait->total, 2 * kSecond);
  EXPECT_EQ(wait->longest, kSecond * 3 / 2);
  size_t num;
  const struct tally_row *threads = tally_of(&s.threads, wait->id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(threads[0].key, 1u);
  EXPECT_EQ(threads[1].total, kSecond / 2);
  // The row of a class with one object has that object.
  ASSERT_NE(FindStall(s, EVENT_MONITOR_CONTENDED_ENTER, 0xA1), nullptr);
  EXPECT_EQ(FindStall(s, EVENT_MONITOR_CONTENDED_ENTER, 0xA1)->count, 4u);
}

// A condition of the same class, as of a queue, for which no thread waited.
TEST(Stalls, ObjectsThatWereOnlySignalledStayApart) {
  SmallModel small;
  small.files.Append(DUMP_OBJECTS, "100.0000000000,000000B1,000000C1\n");
  small.files.Append(DUMP_EVENTS,
                     "109.2000000000,ObjectNotifyAll,00000001,000000B1,1;00000002;FFFFFFFF\n");
  const struct stalls &s = small.Read()->stalls_by_class;
  const struct stall *wait = nullptr, *signalled = nullptr;
  for (size_t i = 0; i < s.num; i++) {
    if (s.rows[i].kind != EVENT_OBJECT_WAIT || s.rows[i].class_id != 0xC1u) continue;
    (s.rows[i].count > 0 ? wait : signalled) = &s.rows[i];
  }
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->num_objects, 1u);
  EXPECT_EQ(wait->signals, 1u);
  ASSERT_NE(signalled, nullptr);
  EXPECT_EQ(signalled->object, 0xB1u);
  EXPECT_EQ(signalled->signals, 1u);
}

TEST(Stalls, CountsFailedPairs) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,LatchAwait,00000004,000000A1,0\n"
                     "109.3000000000,LatchAwaitFailed,00000004,000000A1,0\n"
                     "109.4000000000,LatchAwait,00000004,000000A1,0\n"
                     "109.5000000000,LatchAwaited,00000004,000000A1,0\n");
  const struct model *m = small.Read();
  const struct stall *row = FindStall(m->stalls, EVENT_LATCH_AWAIT, 0xA1);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->count, 2u);
  EXPECT_EQ(row->failed, 1u);
  EXPECT_EQ(row->total, kSecond * 3 / 10);
  EXPECT_EQ(FindStall(m->stalls_by_class, EVENT_LATCH_AWAIT, 0xA1)->failed, 1u);
}

TEST(Stalls, CountsSignals) {
  const struct {
    const char *signal;
    enum event_kind wakes;
  } cases[] = {
      {"LockRelease", EVENT_LOCK_ACQUIRE},           {"WriteLockRelease", EVENT_WRITE_LOCK_ACQUIRE},
      {"ReadLockRelease", EVENT_WRITE_LOCK_ACQUIRE}, {"ConditionSignal", EVENT_CONDITION_AWAIT},
      {"ConditionSignalAll", EVENT_CONDITION_AWAIT}, {"LatchCountDown", EVENT_LATCH_AWAIT},
      {"PhaserArrive", EVENT_PHASER_AWAIT},
  };
  for (const auto &c : cases) {
    SmallModel small;
    small.files.Append(DUMP_EVENTS,
                       std::string("109.5000000000,") + c.signal + ",00000001,000000A1,0\n");
    const struct stall *row = FindStall(small.Read()->stalls, c.wakes, 0xA1);
    ASSERT_NE(row, nullptr) << c.signal;
    EXPECT_EQ(row->signals, 1u);
  }
}

// worker-1 is parked on A1 at the first unpark. At the second one it is not, and poller never is.
TEST(Stalls, AnUnparkCountsForTheObjectOfThePark) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,ThreadPark,00000002,000000A1,0\n"
                     "109.2000000000,ThreadUnpark,00000001,00000002,0\n"
                     "109.3000000000,ThreadParked,00000002,000000A1,0\n"
                     "109.4000000000,ThreadUnpark,00000001,00000002,0\n"
                     "109.5000000000,ThreadUnpark,00000001,00000004,0\n");
  const struct model *m = small.Read();
  ASSERT_NE(FindStall(m->stalls, EVENT_THREAD_PARK, 0xA1), nullptr);
  EXPECT_EQ(FindStall(m->stalls, EVENT_THREAD_PARK, 0xA1)->signals, 1u);
  EXPECT_EQ(m->stalls.num, 7u);
}

TEST(Stalls, CountsSignalsWithoutWaiters) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "109.5000000000,ObjectNotify,00000001,000000A1,0\n");
  const struct stall *row = FindStall(small.Read()->stalls, EVENT_OBJECT_WAIT, 0xA1);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->count, 0u);
  EXPECT_EQ(row->signals, 1u);
}

}  // namespace
