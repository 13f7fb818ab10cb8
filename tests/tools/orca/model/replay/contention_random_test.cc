// Random recordings: no thread is blocked by itself, and the holders get no more waits and no more
// time than there were.
#include <functional>
#include <map>
#include <set>
#include <string>

#include "tests/support/check_dump.h"
#include "tests/tools/orca/model/replay/random_program.h"
#include "tools/orca/model/replay/contention.h"

namespace {

constexpr unsigned kPrograms = 100;

struct Sum {
  uint64_t times = 0, total = 0;
};

// One random recording.
class RandomCase {
 public:
  explicit RandomCase(const RandomProgram &program) {
    small_.files.Write(DUMP_EVENTS, program.Events());
    small_.files.Write(DUMP_SAMPLES, program.Samples());
    small_.files.Replace(DUMP_INFO, "engine=weave", "engine=weave" + program.Options());
    small_.files.Replace(DUMP_CLASSES, "100.0000000000,000000C1",
                         "100.0000000000,000000D1,Ljava/util/concurrent/locks/LockSupport;,\n"
                         "100.0000000000,000000C1");
    small_.files.Replace(DUMP_METHODS, "100.0000000000,00000001",
                         "100.0000000000,00000020,unpark,(Ljava/lang/Thread;)V,000000D1,-1\n"
                         "100.0000000000,00000021,unlock,()V,000000D1,-1\n"
                         "100.0000000000,00000001");
  }

  // Reads the recording, of which only what matches the filter counts, and checks all rows. Returns
  // how many waits the rows blame on holders.
  uint64_t ExpectSensible(const struct filter *filter) {
    struct contention c = {};
    struct model *m = small_.Read(filter);
    EXPECT_TRUE(contention_read(&c, m, &m->locks));
    EXPECT_FALSE(c.has_given_up);
    uint64_t num_blamed = CheckPairs(c);
    contention_free(&c);
    EXPECT_TRUE(replay(m, REPLAY_LINES, ExpectOtherOwner, nullptr));
    return num_blamed;
  }

  void ExpectWellFormed() {
    static const std::set<std::string> kinds = {"TIME_ORDER",  "TIME_STRICT",   "EXIT_ALONE",
                                                "EXIT_OTHER",  "MONITOR_ALONE", "STACK_METHOD",
                                                "ENTER_TWICE", "BLOCKED_RUNS",  "ENTERED_ALONE"};
    Found found = Check(small_.files);
    for (size_t i = 0; i < found.kinds.size(); i++) {
      EXPECT_EQ(kinds.count(found.kinds[i]), 0u) << found.lines[i];
    }
  }

 private:
  // The owners of lines and pairs, which other views show.
  static bool ExpectOtherOwner(void *, const struct step *step) {
    uint32_t thread = step->event == nullptr ? 0 : step->event->thread;
    if (step->owner != 0) {
      EXPECT_NE(step->owner, thread);
    }
    if (step->pair != nullptr && step->pair->owner != 0) {
      EXPECT_NE(step->pair->owner, step->pair->thread);
    }
    return true;
  }

  // Adds up the contended attempts, by lock or by the thread that waits.
  std::map<uint64_t, Sum> SumWaits(bool by_lock) {
    std::map<uint64_t, Sum> sums;
    const struct tally &threads = small_.model.locks.threads;
    for (size_t i = 0; i < threads.num; i++) {
      const struct tally_row &row = threads.rows[i];
      Sum &sum = sums[by_lock ? row.group : row.key];
      sum.times += row.count;
      sum.total += row.total;
    }
    return sums;
  }

  uint64_t CheckPairs(const struct contention &c) {
    uint64_t num_blamed = 0;
    std::map<uint64_t, Sum> waits = SumWaits(false), blamed, locks = SumWaits(true), held;
    for (size_t i = 0; i < c.num_pairs; i++) {
      const struct contention_pair &pair = c.pairs[i];
      EXPECT_NE(pair.blocked, pair.holder);
      EXPECT_LE(pair.longest, pair.total);
      blamed[pair.blocked].times += pair.times;
      blamed[pair.blocked].total += pair.total;
      size_t num;
      const struct tally_row *rows = tally_of(&c.pair_locks, pair.id, &num);
      for (size_t k = 0; k < num; k++) held[rows[k].key].total += rows[k].total;
    }
    for (const auto &[thread, sum] : blamed) {
      EXPECT_LE(sum.times, waits[thread].times) << "thread " << thread;
      EXPECT_LE(sum.total, waits[thread].total) << "thread " << thread;
      num_blamed += sum.times;
    }
    for (const auto &[lock, sum] : locks) {
      uint32_t id = static_cast<uint32_t>(lock);
      EXPECT_EQ(held[lock].total, contention_time(&c.held, id)) << "lock " << lock;
      EXPECT_LE(held[lock].total + contention_time(&c.handoffs, id), sum.total) << "lock " << lock;
      EXPECT_EQ(held[lock].total, SumGroup(c.lock_holders, id)) << "lock " << lock;
      EXPECT_EQ(held[lock].total, SumGroup(c.holder_places, id)) << "lock " << lock;
      EXPECT_EQ(held[lock].total, SumGroup(c.holder_stacks, id)) << "lock " << lock;
    }
    return num_blamed;
  }
  static uint64_t SumGroup(const struct tally &t, uint32_t group) {
    size_t num;
    uint64_t sum = 0;
    const struct tally_row *rows = tally_of(&t, group, &num);
    for (size_t i = 0; i < num; i++) sum += rows[i].total;
    return sum;
  }

  SmallModel small_;
};

// Runs `act` with the recording of each seed.
void ForEachSeed(const std::function<void(RandomCase *)> &act) {
  for (unsigned seed = 1; seed <= kPrograms && !testing::Test::HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase recording{RandomProgram(seed)};
    act(&recording);
  }
}

TEST(ContentionRandom, RecordingsAreWellFormed) {
  ForEachSeed([](RandomCase *recording) { recording->ExpectWellFormed(); });
}

TEST(ContentionRandom, BlamesOtherThreadsForEachWaitOnce) {
  uint64_t num_blamed = 0;
  ForEachSeed([&](RandomCase *recording) { num_blamed += recording->ExpectSensible(nullptr); });
  EXPECT_GT(num_blamed, 10 * kPrograms);
}

TEST(ContentionRandom, BlamesOtherThreadsInARangeOfTime) {
  struct filter filter = {};
  filter.from = RandomProgram::kBegin + kSecond / 10;
  filter.to = RandomProgram::kBegin + kSecond / 2;
  ForEachSeed([&](RandomCase *recording) { recording->ExpectSensible(&filter); });
}

TEST(ContentionRandom, BlamesOtherThreadsForTheWaitsOfOneThread) {
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"thread-2"}, 1};
  ForEachSeed([&](RandomCase *recording) { recording->ExpectSensible(&filter); });
}

}  // namespace
