#include "tools/orca/model/state/releases.h"

#include "gtest/gtest.h"

namespace {

// Locks of a recording with locks=all.
class Releases : public testing::Test {
 protected:
  Releases() {
    coverage_.has_all_uses = true;
    holders_.coverage = &coverage_;
  }
  ~Releases() override { releases_free(&releases_); }

  void Release(enum event_kind kind, ticks_t time) {
    struct event_line line = {};
    line.kind = kind;
    line.time = time;
    line.thread = 9;
    line.object = 0xA;
    EXPECT_TRUE(releases_event(&releases_, &line));
  }
  struct pair Pair(enum event_kind kind, uint32_t owner = 0) const {
    struct pair pair = {};
    pair.kind = kind;
    pair.object = 0xA;
    pair.thread = 1;
    pair.owner = owner;
    pair.begin = 100;
    pair.end = 200;
    return pair;
  }
  bool HadToWait(const struct pair &pair) const {
    return releases_had_to_wait(&releases_, &holders_, &pair);
  }

  struct releases releases_ = {};
  struct coverage coverage_ = {};
  struct holders holders_ = {};
};

TEST_F(Releases, AnAcquisitionWithoutOwnerAndReleaseIsUncontended) {
  EXPECT_FALSE(HadToWait(Pair(EVENT_LOCK_ACQUIRE)));
  Release(EVENT_LOCK_RELEASE, 100);  // not after the pair began
  EXPECT_FALSE(HadToWait(Pair(EVENT_LOCK_ACQUIRE)));
}

TEST_F(Releases, AReleaseSinceItBeganLetItIn) {
  Release(EVENT_LOCK_RELEASE, 101);
  EXPECT_TRUE(HadToWait(Pair(EVENT_LOCK_ACQUIRE)));
}

TEST_F(Releases, AnOwnerKeptItOutButNotOutOfASemaphore) {
  EXPECT_TRUE(HadToWait(Pair(EVENT_LOCK_ACQUIRE, 5)));
  EXPECT_FALSE(HadToWait(Pair(EVENT_SEMAPHORE_ACQUIRE, 5)));
}

TEST_F(Releases, AReaderWaitsForAWriterAndAWriterForBoth) {
  Release(EVENT_READ_LOCK_RELEASE, 150);
  EXPECT_FALSE(HadToWait(Pair(EVENT_READ_LOCK_ACQUIRE)));
  EXPECT_TRUE(HadToWait(Pair(EVENT_WRITE_LOCK_ACQUIRE)));
  Release(EVENT_WRITE_LOCK_RELEASE, 150);
  EXPECT_TRUE(HadToWait(Pair(EVENT_READ_LOCK_ACQUIRE)));
}

TEST_F(Releases, OpenAndFailedPairsAndOtherCallsHadToWait) {
  struct pair pair = Pair(EVENT_LOCK_ACQUIRE);
  pair.open = true;
  EXPECT_TRUE(HadToWait(pair));
  pair.open = false;
  pair.failed = true;
  EXPECT_TRUE(HadToWait(pair));
  EXPECT_TRUE(HadToWait(Pair(EVENT_THREAD_SLEEP)));
  EXPECT_TRUE(HadToWait(Pair(EVENT_MONITOR_CONTENDED_ENTER)));
}

TEST_F(Releases, WhereOnlyContendedAcquisitionsHaveLinesAllHadToWait) {
  coverage_.has_all_uses = false;
  EXPECT_TRUE(HadToWait(Pair(EVENT_LOCK_ACQUIRE)));
}

}  // namespace
