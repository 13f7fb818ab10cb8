#include "tools/orca/model/wakeups.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kUs = TICKS_PER_S / 1000000;

// Threads 1 to 9 use the object A1. Each event is a microsecond after the one before it.
class Wakeups : public testing::Test {
 protected:
  Wakeups() {
    matcher_.filter.to = FILTER_NO_END;
    holders_.coverage = &coverage_;
    Start();
  }
  ~Wakeups() override {
    wakeups_free(&wakeups_);
    holders_free(&holders_);
  }

  void Start() {
    wakeups_.known = wakeups_.wakes.in_turn = true;
    wakeups_.matcher = &matcher_;
  }
  void Add(enum event_kind kind, uint32_t thread, stack_id_t stack = 5, uint32_t object = 0xA1) {
    struct event_line line = {};
    line.time = now_ += kUs;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    bool is_released;
    ticks_t time;
    EXPECT_TRUE(wakeups_event(&wakeups_, &holders_, &line, stack, true));
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, stack, &is_released, &time));
  }
  void AddWait(uint32_t thread) { Add(EVENT_OBJECT_WAIT, thread); }
  // The releases of the monitor are recorded, too.
  void AddHeldWait(uint32_t thread) {
    Add(EVENT_MONITOR_ENTERED, thread);
    AddWait(thread);
  }
  void AddWaited(uint32_t thread) { Add(EVENT_OBJECT_WAITED, thread); }
  void AddNotifyAll(uint32_t thread) { Add(EVENT_OBJECT_NOTIFY_ALL, thread); }
  const struct wakeup *EndAndFindFirst() {
    EXPECT_TRUE(wakeups_end(&wakeups_, &matcher_, &stacks_, now_ += kUs));
    EXPECT_GE(wakeups_.num, 1u);
    return &wakeups_.rows[0];
  }
  const struct wakeup_waiter *FindWaiter(uint32_t thread) {
    size_t num;
    const struct wakeup_waiter *w = wakeups_waiters(&wakeups_, &wakeups_.rows[0], &num);
    for (size_t i = 0; i < num; i++) {
      if (w[i].thread == thread) return &w[i];
    }
    ADD_FAILURE() << thread;
    return nullptr;
  }

  ticks_t now_ = 0;
  struct matcher matcher_ = {};
  struct stacks stacks_ = {};
  struct wakeups wakeups_ = {};
  struct coverage coverage_ = {};
  struct holders holders_ = {};
};

TEST_F(Wakeups, CountsThreadsThatGoStraightBack) {
  for (uint32_t thread : {1, 2, 3}) AddHeldWait(thread);
  AddNotifyAll(9);
  AddWaited(1);
  Add(EVENT_OBJECT_NOTIFY_ALL, 1);
  AddWaited(2);
  AddWait(2);
  AddWaited(3);
  AddWait(3);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->waits, 5u);
  EXPECT_EQ(row->open, 2u);
  EXPECT_EQ(row->alls, 2u);
  EXPECT_EQ(row->unheard, 1u);
  EXPECT_EQ(row->woken, 3u);
  EXPECT_EQ(row->crowds, 1u);
  EXPECT_EQ(row->crowded, 3u);
  EXPECT_EQ(row->judged, 3u);
  EXPECT_EQ(row->useless, 2u);
  EXPECT_EQ(row->by_itself, 0u);
  EXPECT_EQ(FindWaiter(1)->through, 1u);
  EXPECT_EQ(FindWaiter(2)->through, 0u);
  EXPECT_EQ(FindWaiter(2)->back, 1u);
  EXPECT_EQ(FindWaiter(2)->unsure, 0u);
  EXPECT_EQ(FindWaiter(2)->waits, 2u);
  EXPECT_EQ(wakeups_.by.num, 3u);
  EXPECT_EQ(wakeups_.by.rows[0].key, UINT64_C(9) << 32 | 1);
}

// Without lines of all releases, a thread that took something and called the method again looks the
// same.
TEST_F(Wakeups, ASecondWaitIsNotJudgedIfReleasesAreNotRecorded) {
  for (uint32_t thread : {1, 2, 3}) AddWait(thread);
  AddNotifyAll(9);
  for (uint32_t thread : {1, 2}) AddWaited(thread), AddWait(thread);
  AddWaited(3), AddNotifyAll(3);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->woken, 3u);
  EXPECT_EQ(row->judged, 1u);
  EXPECT_EQ(row->useless, 0u);
  EXPECT_EQ(FindWaiter(1)->unsure, 1u);
  EXPECT_EQ(FindWaiter(1)->back + FindWaiter(1)->through, 0u);
  EXPECT_EQ(FindWaiter(3)->through, 1u);
}

TEST_F(Wakeups, AWakeupIsUsefulIfTheThreadReleasedTheMonitor) {
  AddHeldWait(1);
  AddNotifyAll(9);
  AddWaited(1);
  Add(EVENT_MONITOR_EXIT, 1);
  AddHeldWait(1);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->judged, 1u);
  EXPECT_EQ(row->useless, 0u);
}

TEST_F(Wakeups, AWaitWithAnotherStackIsNotStraightBack) {
  for (uint32_t thread : {1, 2}) AddHeldWait(thread);
  AddNotifyAll(9);
  for (uint32_t thread : {1, 2}) AddWaited(thread), Add(EVENT_OBJECT_WAIT, thread, 6);
  EXPECT_EQ(EndAndFindFirst()->useless, 0u);
}

TEST_F(Wakeups, NotifyWakesTheOldestWaiter) {
  AddWait(1), AddWait(2);
  Add(EVENT_OBJECT_NOTIFY, 9);
  AddWaited(1);
  AddWaited(2);  // timed out
  Add(EVENT_OBJECT_NOTIFY, 9);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->ones, 2u);
  EXPECT_EQ(row->unheard, 1u);
  EXPECT_EQ(row->woken, 1u);
  EXPECT_EQ(row->by_itself, 1u);
  EXPECT_EQ(FindWaiter(1)->woken, 1u);
  EXPECT_EQ(FindWaiter(2)->by_itself, 1u);
}

// They wake because the thread is over, even if they wait again at once.
TEST_F(Wakeups, TheEndOfAThreadIsNoUselessWakeup) {
  constexpr uint32_t kThread = 0xA1;
  for (uint32_t thread : {1, 2}) AddHeldWait(thread);
  Add(EVENT_THREAD_ENDED, kThread);
  for (uint32_t thread : {1, 2}) {
    AddWaited(thread);
    AddWait(thread);
  }
  const struct wakeup *w = EndAndFindFirst();
  EXPECT_EQ(w->waits, 4u);
  EXPECT_EQ(w->woken, 2u);
  EXPECT_EQ(w->by_itself, 0u);
  EXPECT_EQ(w->useless + w->ones + w->alls + w->unheard, 0u);
}

TEST_F(Wakeups, CountsConditions) {
  coverage_.has_all_uses = true;
  for (uint32_t thread : {1, 2})
    Add(EVENT_LOCK_ACQUIRED, thread, 5, 0xB1), Add(EVENT_CONDITION_AWAIT, thread);
  Add(EVENT_CONDITION_SIGNAL_ALL, 9);
  Add(EVENT_CONDITION_AWAITED, 1), Add(EVENT_CONDITION_AWAIT, 1);
  Add(EVENT_CONDITION_AWAITED, 2), Add(EVENT_CONDITION_SIGNAL, 2);
  Add(EVENT_CONDITION_AWAIT_FAILED, 1);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->useless, 1u);
  EXPECT_EQ(row->alls, 1u);
  EXPECT_EQ(row->ones, 1u);
}

TEST_F(Wakeups, AWaiterThatTimedOutWasNotWoken) {
  Add(EVENT_CONDITION_AWAIT, 1), Add(EVENT_CONDITION_AWAIT, 2);
  Add(EVENT_CONDITION_SIGNAL_ALL, 9);
  Add(EVENT_CONDITION_AWAIT_FAILED, 1);
  Add(EVENT_CONDITION_AWAITED, 2);
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->woken, 1u);
  EXPECT_EQ(row->by_itself, 1u);
  EXPECT_EQ(row->judged, 1u);
  EXPECT_EQ(row->crowded, 2u);
  EXPECT_EQ(FindWaiter(1)->by_itself, 1u);
  EXPECT_EQ(wakeups_.by.num, 1u);
}

TEST_F(Wakeups, CountsOtherWaitsByTheirPairs) {
  struct pair pair = {};
  pair.kind = EVENT_SEMAPHORE_ACQUIRE;
  pair.thread = 1;
  pair.object = 0xA1;
  Add(EVENT_SEMAPHORE_ACQUIRE, 1);
  pair.begin = now_;
  Add(EVENT_SEMAPHORE_RELEASE, 9);
  Add(EVENT_SEMAPHORE_ACQUIRED, 1);
  pair.end = now_;
  EXPECT_TRUE(wakeups_pair(&wakeups_, &pair));
  const struct wakeup *row = EndAndFindFirst();
  EXPECT_EQ(row->waits, 1u);
  EXPECT_EQ(row->woken, 1u);
  EXPECT_EQ(row->ones, 1u);
  EXPECT_EQ(row->total, 2 * kUs);
  EXPECT_EQ(wakeups_.by.rows[0].key, UINT64_C(9) << 32 | 1);
}

TEST_F(Wakeups, MemoryDoesNotGrowWithEvents) {
  for (int i = 0; i < 5000; i++) {
    AddWait(1), AddWait(2);
    AddNotifyAll(9);
    AddWaited(1), AddWaited(2);
  }
  EXPECT_EQ(wakeups_.wakes.sets.num_slots, 2u);
  EXPECT_EQ(EndAndFindFirst()->crowds, 5000u);
}

TEST_F(Wakeups, IsEmptyIfEventsMayBeMissing) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  EXPECT_EQ(small.Read()->wakeups.num, 0u);
  SmallModel brief;
  brief.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=1ms");
  EXPECT_EQ(brief.Read()->wakeups.num, 0u);
}

TEST_F(Wakeups, CountsTheWaitsOfTheSmallDump) {
  SmallModel small;
  const struct wakeups *w = &small.Read()->wakeups;
  // The open join, the wait on A2, the semaphore A3.
  ASSERT_EQ(w->num, 3u);
  EXPECT_EQ(w->rows[0].kind, EVENT_THREAD_JOIN);
  EXPECT_EQ(w->rows[0].open, 1u);
  EXPECT_EQ(w->rows[1].object, 0xA2u);
  EXPECT_EQ(w->rows[1].alls, 1u);
  EXPECT_EQ(w->rows[1].woken, 1u);
  EXPECT_EQ(w->rows[1].total, kSecond * 3 / 2);
  EXPECT_EQ(w->rows[2].object, 0xA3u);
  EXPECT_EQ(w->rows[2].woken, 1u);
}

TEST_F(Wakeups, CountsOnlyWaitsInTheRange) {
  SmallModel small;
  struct filter filter = {};
  filter.from = 107 * kSecond;
  filter.to = FILTER_NO_END;
  const struct wakeups *w = &small.Read(&filter)->wakeups;
  uint64_t waits = 0;
  for (size_t i = 0; i < w->num; i++) waits += w->rows[i].waits;
  EXPECT_EQ(waits, 1u);
}

}  // namespace
