#include "tools/orca/model/replay/contention.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return contention_take(static_cast<struct contention *>(arg), step);
}

class Contention : public testing::Test {
 protected:
  ~Contention() override {
    contention_free(&contention_);
    locks_free(&by_class_);
  }

  void Read(const struct filter *filter = nullptr, bool by_class = false) {
    struct model *m = small_.Read(filter);
    locks_ = &m->locks;
    if (by_class) {
      EXPECT_TRUE(locks_by_class(&m->locks, m->dump, &by_class_));
      locks_ = &by_class_;
    }
    EXPECT_TRUE(contention_start(&contention_, m, locks_));
    EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &contention_));
    EXPECT_TRUE(contention_end(&contention_));
  }
  const struct contention_pair *FindPair(uint32_t blocked, uint32_t holder) {
    for (size_t i = 0; i < contention_.num_pairs; i++) {
      const struct contention_pair *pair = &contention_.pairs[i];
      if (pair->blocked == blocked && pair->holder == holder) return pair;
    }
    return nullptr;
  }
  // Returns how long holders of a lock were at a place while other threads waited, in ms.
  uint64_t GetMilliseconds(enum lock_sort sort, uint32_t object, uint64_t key) {
    for (size_t i = 0; i < locks_->num; i++) {
      if (locks_->rows[i].sort != sort || locks_->rows[i].object != object) continue;
      size_t num;
      const struct tally_row *rows = tally_of(&contention_.holder_places, locks_->rows[i].id, &num);
      for (size_t k = 0; k < num; k++) {
        if (rows[k].key == key) return rows[k].total * 1000 / kSecond;
      }
    }
    return 0;
  }

  SmallModel small_;
  const struct locks *locks_ = nullptr;
  struct locks by_class_ = {};
  struct contention contention_ = {};
};

// worker-1 waits 0.5 s and at the end 2 s for worker-2. worker-2 waits 0.125 s and 1.5 s for
// worker-1. The wait of 0.25 s is not counted, because its holder is unknown.
TEST_F(Contention, CountsTheWaitsOfEachPairOfThreads) {
  Read();
  ASSERT_EQ(contention_.num_pairs, 2u);
  EXPECT_EQ(contention_.pairs[0].blocked, 2u);
  EXPECT_EQ(contention_.pairs[0].holder, 3u);
  EXPECT_EQ(contention_.pairs[0].times, 2u);
  EXPECT_EQ(contention_.pairs[0].total, kSecond * 5 / 2);
  EXPECT_EQ(contention_.pairs[0].longest, 2 * kSecond);
  EXPECT_EQ(contention_.pairs[1].times, 2u);
  EXPECT_EQ(contention_.pairs[1].total, kSecond * 1625 / 1000);
  size_t num;
  tally_of(&contention_.pair_locks, contention_.pairs[1].id, &num);
  EXPECT_EQ(num, 2u);
}

TEST_F(Contention, CountsAWaitWhoseOwnerBecomesKnownLater) {
  small_.files.Replace(DUMP_EVENTS, "102.2500000000,",
                       "102.1000000000,MonitorOwner,00000002,000000A1,00000003,0\n102.2500000000,");
  Read();
  EXPECT_EQ(FindPair(2, 3)->times, 3u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond * 11 / 4);
}

// worker-2 has no sample before 104 s; at the end it is blocked itself, in price:88. While worker-2
// waits for A1, the last sample of worker-1 is in price:88, too.
TEST_F(Contention, FindsThePlacesOfHolders) {
  Read();
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, 0), 500u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x10, 88)), 1625u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, place(0x12, 42)),
            500u);  // the last sample before is in reserve
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA2, place(0x12, 42)), 1500u);
}

TEST_F(Contention, UsesTheLastEventIfThereIsNoSample) {
  small_.files.Write(DUMP_SAMPLES, "");
  Read();
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, 0), 500u);
  uint64_t last = place(0x10, 90) | CONTENTION_GUESSED;  // where it acquired A3
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0xA1, last), 500u);
}

TEST_F(Contention, GroupsLocksByClass) {
  small_.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  Read(nullptr, true);
  ASSERT_EQ(locks_->num, 2u);
  EXPECT_EQ(locks_->rows[0].num_objects, 2u);
  EXPECT_EQ(locks_->rows[0].object, 0u);
  EXPECT_EQ(GetMilliseconds(LOCK_MONITOR, 0, place(0x12, 42)), 2000u);
}

TEST_F(Contention, AppliesTheFilter) {
  struct filter filter = {};
  filter.from = 109 * kSecond;
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  Read(&filter);
  ASSERT_EQ(contention_.num_pairs, 1u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond);
  EXPECT_EQ(FindPair(2, 3)->times, 1u);
}

// 2 holds the only permit, and 1 waits until 2 releases it. Later 3 acquires a free permit.
TEST_F(Contention, IgnoresUncontendedAcquisitionsOfASemaphore) {
  const char *const stack = ",1;00000005;00000000\n";
  auto line = [&](const char *time, const char *event, const char *thread) {
    return std::string(time) + "," + event + "," + thread + ",000000A3" + stack;
  };
  small_.files.Write(DUMP_EVENTS, line("101.0000000000", "SemaphoreAcquire", "00000002") +
                                      line("101.0000000001", "SemaphoreAcquired", "00000002") +
                                      line("102.0000000000", "SemaphoreAcquire", "00000001") +
                                      line("103.0000000000", "SemaphoreRelease", "00000002") +
                                      line("103.0000000001", "SemaphoreAcquired", "00000001") +
                                      line("104.0000000000", "SemaphoreAcquire", "00000003") +
                                      line("104.0000000001", "SemaphoreAcquired", "00000003"));
  Read();
  ASSERT_EQ(contention_.num_pairs, 1u);
  EXPECT_EQ(FindPair(1, 2)->times, 1u);
  EXPECT_EQ(FindPair(1, 2)->longest, kSecond);
  EXPECT_EQ(contention_handoff(&contention_.handoffs, locks_->rows[0].id), 1u);
}

TEST_F(Contention, MemoryDoesNotGrowWithEvents) {
  std::string events;
  for (int i = 0; i < 2000; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "10%d.%03d0000000,MonitorContendedEnter,00000002,000000A1,00000003,1;00000012;0\n",
             i / 1000, i % 1000);
    events += std::string(text, strlen(text) - 2) + "00000000\n";
    snprintf(text, sizeof text,
             "10%d.%03d5000000,MonitorContendedEntered,00000002,000000A1,1;00000012;00000000\n",
             i / 1000, i % 1000);
    events += text;
  }
  small_.files.Write(DUMP_EVENTS, events);
  Read();
  EXPECT_EQ(FindPair(2, 3)->times, 2000u);
  EXPECT_EQ(FindPair(2, 3)->total, kSecond);
  EXPECT_EQ(contention_.num_waits, 1u);
}

}  // namespace
