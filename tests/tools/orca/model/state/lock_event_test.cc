#include "tools/orca/model/state/lock_event.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

// An attempt is the BEGIN of a pair whose END acquires the lock. Only a contended monitor is
// acquired by another event, MonitorEntered.
TEST(LockEvent, TheEndOfAnAttemptAcquiresTheLock) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    auto begin = static_cast<enum event_kind>(kind);
    if (!lock_event_asks(begin)) continue;
    EXPECT_EQ(event_infos[kind].role, ROLE_BEGIN) << event_infos[kind].name;
    if (begin == EVENT_MONITOR_CONTENDED_ENTER) continue;
    struct lock_event got = lock_events[event_end(begin, false)];
    EXPECT_EQ(got.act, LOCK_ACT_GOT) << event_infos[kind].name;
    EXPECT_EQ(got.sort, lock_events[kind].sort);
    EXPECT_EQ(lock_events[event_end(begin, true)].act == LOCK_ACT_GOT,
              event_end(begin, true) == event_end(begin, false));
  }
}

// Every event of these groups is about a lock, except failed attempts.
TEST(LockEvent, EveryEventOfTheLockGroupsIsAboutALock) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info &info = event_infos[kind];
    bool fails = info.role == ROLE_FAIL;
    if (info.group != GROUP_LOCK && info.group != GROUP_SEMAPHORE) continue;
    EXPECT_EQ(lock_events[kind].act == LOCK_ACT_NONE, fails) << info.name;
    bool tries = std::string(info.name).find("Try") != std::string::npos;
    EXPECT_EQ(lock_events[kind].act == LOCK_ACT_TRIES, tries && info.role == ROLE_BEGIN);
  }
}

// Programs tell the sorts by their keys.
TEST(LockEvent, EachSortHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  for (const struct lock_sort_words &sort : lock_sorts) keys.insert(sort.key);
  EXPECT_EQ(keys.size(), static_cast<size_t>(NUM_LOCK_SORTS));
  EXPECT_STREQ(lock_sorts[LOCK_READ].title, "read side");
}

TEST(LockEvent, ReadAndWriteLocksAreSides) {
  EXPECT_TRUE(lock_sort_is_side(lock_events[EVENT_READ_LOCK_ACQUIRE].sort));
  EXPECT_TRUE(lock_sort_is_side(lock_events[EVENT_WRITE_LOCK_TRIED].sort));
  EXPECT_FALSE(lock_sort_is_side(lock_events[EVENT_MONITOR_EXIT].sort));
}

}  // namespace
