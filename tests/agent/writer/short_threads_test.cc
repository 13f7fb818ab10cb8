#include "agent/writer/short_threads.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "agent/record/blocked.h"
#include "gtest/gtest.h"

namespace {

using Times = std::vector<uint64_t>;

/* Each record has a time of its own. */
class ShortThreads : public testing::Test {
 protected:
  static struct record Make(enum event_kind kind, uint32_t thread, uint64_t time) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.time_ns = time;
    return r;
  }

  /* Records own their names; AddressSanitizer checks that they are freed. */
  void Start(uint32_t thread, uint64_t time, bool is_virtual = true) {
    struct record r = Make(EVENT_THREAD_STARTED, thread, time);
    r.state = is_virtual ? RECORD_VIRTUAL : 0;
    r.u.name.text = strdup("name");
    short_threads_add(threads_.get(), &r);
  }
  void End(uint32_t thread, uint64_t time, bool is_virtual = true) {
    struct record r = Make(EVENT_THREAD_ENDED, thread, time);
    r.state = is_virtual ? RECORD_VIRTUAL : 0;
    short_threads_add(threads_.get(), &r);
  }
  void Add(enum event_kind kind, uint32_t thread, uint64_t time, uint32_t object = 0,
           uint32_t owner = 0) {
    struct record r = Make(kind, thread, time);
    r.object = object;
    r.owner = owner;
    short_threads_add(threads_.get(), &r);
  }

  /* Returns the times of the events to be written if threads before that time are not short. */
  Times Take(uint64_t before) {
    Times times;
    struct record r;
    while (short_threads_next(threads_.get(), before, &r)) {
      times.push_back(r.time_ns);
      record_release(&r);
    }
    return times;
  }
  bool IsEmpty() const { return short_threads_is_empty(threads_.get()); }
  uint64_t LeftOut() const { return short_threads_left_out(threads_.get()); }

  std::unique_ptr<struct short_threads, void (*)(struct short_threads *)> threads_{
      short_threads_new(), short_threads_free};
};

TEST_F(ShortThreads, LeavesOutAThreadThatNoLineNames) {
  Start(1, 10);
  EXPECT_EQ(Take(0), Times{});
  EXPECT_FALSE(IsEmpty());
  End(1, 11);
  EXPECT_TRUE(IsEmpty());
  EXPECT_EQ(Take(UINT64_MAX), Times{});
  EXPECT_EQ(LeftOut(), 1u);
}

TEST_F(ShortThreads, WritesAThreadThatIsOlder) {
  Start(1, 10);
  EXPECT_EQ(Take(10), Times{});
  EXPECT_EQ(Take(11), Times{10});
  End(1, 12);
  EXPECT_EQ(Take(11), Times{12});
  EXPECT_EQ(LeftOut(), 0u);
}

TEST_F(ShortThreads, WritesPlatformThreads) {
  Start(1, 10, /* is_virtual */ false);
  End(1, 11, /* is_virtual */ false);
  EXPECT_EQ(Take(0), (Times{10, 11}));
}

TEST_F(ShortThreads, LaterEventsWait) {
  Start(1, 10);
  Add(EVENT_OBJECT_WAIT, 9, 11, 0xA);
  Start(2, 12);
  Add(EVENT_OBJECT_WAITED, 9, 13, 0xA);
  EXPECT_EQ(Take(0), Times{});
  End(1, 14);
  EXPECT_EQ(Take(0), Times{11});
  End(2, 15);
  EXPECT_EQ(Take(0), Times{13});
  EXPECT_EQ(LeftOut(), 2u);
}

TEST_F(ShortThreads, WritesAThreadWithAnEvent) {
  Start(1, 10);
  Add(EVENT_OBJECT_WAIT, 1, 11, 0xA);
  EXPECT_EQ(Take(0), (Times{10, 11}));
  End(1, 12);
  EXPECT_EQ(Take(0), Times{12});
}

TEST_F(ShortThreads, WritesAThreadThatAnEventNames) {
  Start(1, 10);
  Start(2, 11);
  Add(EVENT_THREAD_UNPARK, 9, 12, 1);
  Add(EVENT_LOCK_ACQUIRE, 9, 13, 0xA, 2);
  EXPECT_EQ(Take(0), (Times{10, 11, 12, 13}));
}

TEST_F(ShortThreads, WritesTheOwnerOfAMonitorThatTheWatchHasFound) {
  static struct blocked_pool *pool = blocked_pool_new();
  const struct blocked_on on = {nullptr, 9, 0xA, 11};
  struct blocked *blocked = blocked_begin(pool, &on);
  ASSERT_NE(blocked, nullptr);
  ASSERT_EQ(blocked_take_unseen(pool), blocked);
  EXPECT_EQ(blocked_owner(blocked), 0u);
  blocked_set_owner(blocked, 1);
  EXPECT_EQ(blocked_owner(blocked), 1u);
  Start(1, 10);
  struct record enter = Make(EVENT_MONITOR_CONTENDED_ENTER, 9, 11);
  enter.object = 0xA;
  enter.u.blocked = blocked;
  short_threads_add(threads_.get(), &enter);
  EXPECT_EQ(Take(0), (Times{10, 11}));
  blocked_end(blocked);
  blocked_release(blocked);
}

TEST_F(ShortThreads, WritesAThreadThatALineOfAnotherFileNames) {
  Start(1, 10);
  short_threads_name(threads_.get(), 1, 10);
  short_threads_name(threads_.get(), 2, 11);  // comes before its start, which waits elsewhere
  Start(2, 11);
  Start(3, 12);
  End(1, 13);
  End(2, 14);
  End(3, 15);
  EXPECT_EQ(Take(0), (Times{10, 11, 13, 14}));
  EXPECT_EQ(LeftOut(), 1u);
}

TEST_F(ShortThreads, ForgetsThreadsThatWereNamedLongAgo) {
  for (uint32_t i = 1; i <= 100; i++) {
    short_threads_name(threads_.get(), i, i);
    EXPECT_EQ(Take(i > 10 ? i - 10 : 0), Times{});
  }
  for (uint32_t thread : {95u, 50u}) {
    Start(thread, 100);
    End(thread, 101);
    EXPECT_EQ(Take(0), thread == 95 ? (Times{100, 101}) : Times{});
  }
}

/* Two threads may have the same hash. */
TEST_F(ShortThreads, WritesTwoThreadsWithTheSameHash) {
  Start(1, 10);
  Start(1, 11);
  End(1, 12);
  End(1, 13);
  EXPECT_EQ(Take(0), (Times{10, 11, 12, 13}));
  Start(1, 14);
  End(1, 15);
  EXPECT_EQ(Take(0), Times{});
}

TEST_F(ShortThreads, WritesAThreadWithoutAHash) {
  Start(0, 10);
  End(0, 11);
  EXPECT_EQ(Take(0), (Times{10, 11}));
}

TEST_F(ShortThreads, WritesTheEndOfAThreadWithoutItsStart) {
  End(1, 10);
  EXPECT_EQ(Take(0), Times{10});
}

TEST_F(ShortThreads, ReturnsEverythingAtTheEnd) {
  Start(1, 10);
  Add(EVENT_OBJECT_WAIT, 9, 11, 0xA);
  EXPECT_EQ(Take(UINT64_MAX), (Times{10, 11}));
  End(1, 12);
  EXPECT_EQ(Take(0), Times{12});
}

TEST_F(ShortThreads, ReturnsTheEarliestEventWhenItHoldsBackTooMany) {
  Times early;
  for (uint32_t i = 1; i <= SHORT_THREADS_MAX_HELD + 3; i++) {
    Start(i, i);
    for (uint64_t time : Take(0)) early.push_back(time);
  }
  EXPECT_EQ(early, (Times{1, 2, 3}));
  End(1, 100000);
  End(4, 100001);
  Times rest = Take(UINT64_MAX);
  EXPECT_EQ(rest.size(), SHORT_THREADS_MAX_HELD);
  EXPECT_EQ(rest.front(), 5u);
  EXPECT_EQ(rest.back(), 100000u);
  EXPECT_EQ(LeftOut(), 1u);
}

TEST_F(ShortThreads, ReleasesWhatItHoldsBackWhenItIsFreed) {
  Start(1, 10);
  Start(2, 11);
  End(1, 12);
}

}  // namespace
