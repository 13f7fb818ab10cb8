#include "tests/tools/orca/answer/said.h"

namespace {

// Bounds of a run of 10 s, in the place of those that answer_read finds.
class FindPath : public testing::Test {
 protected:
  FindPath() {
    model_ = said_.answer.model = small_.Read();
    said_.answer.bounds.known = said_.answer.bounds.of_run = true;
    said_.answer.bounds.work = 10 * TICKS_PER_S;
  }
  void AddPart(enum path_reason reason, bool has_lock, place_t place, double seconds) {
    bounds_.parts[bounds_.num_parts++] = {reason, has_lock, place, ticks_t(seconds * TICKS_PER_S)};
  }
  void SetGain(struct bounds_gain *gain, double least, double most, enum limit_kind limit) {
    gain->known = true;
    gain->gain = {least, (least + most) / 2, most};
    gain->work = 10 * TICKS_PER_S;
    gain->time = 5 * TICKS_PER_S;
    gain->limit = limit;
    gain->place = place(0x10, 88);
  }
  // What one finder finds, and nothing from before.
  std::string SayFound(Finder find) {
    findings_free(&said_.answer.findings);
    said_.Find(find);
    return said_.Text();
  }

  SmallModel small_;
  struct model *model_ = nullptr;
  Said said_;
  struct bounds &bounds_ = said_.answer.bounds;
};

// --- the path -------------------------------------------------------------------------------

// A sleep that holds up the run, and is in no lock.
TEST_F(FindPath, TellsALongPartOfThePathOfAQuietProgram) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_SLEEPS, false, place(0x10, 90), 6);
  EXPECT_EQ(SayFound(find_path),
            "* By the critical path, the run took 60 % of its time because a thread sleeps at "
            "OrderService.price (OrderService.java:90).\n");
  EXPECT_EQ(said_.answer.findings.rows[0].weight, 6 * TICKS_PER_S);
}

TEST_F(FindPath, LeavesOutWhatOtherFindingsTell) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_RUNS, false, place(0x10, 90), 6);
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.parts[0].reason = PATH_TIMEOUT;
  EXPECT_NE(SayFound(find_path), "");
  bounds_.parts[0].has_lock = true;
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.parts[0] = {PATH_SLEEPS, false, place(0x10, 90), TICKS_PER_S};
  EXPECT_EQ(SayFound(find_path), "");
}

TEST_F(FindPath, TellsNothingOfAServiceOrABusyProgram) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_SLEEPS, false, place(0x10, 90), 6);
  bounds_.of_run = false;
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.of_run = true;
  model_->spending.quiet = 0;
  EXPECT_EQ(SayFound(find_path), "");
}

// --- the gain of a lock or a method -----------------------------------------------------------

TEST_F(FindPath, ALockHasItsShareAndGain) {
  const struct lock *lock = &model_->locks.rows[0];
  EXPECT_TRUE(tally_add(&bounds_.locks, lock->id, 0, 1, 5 * TICKS_PER_S));
  tally_sort(&bounds_.locks);
  bounds_.lock_id = lock->id;
  SetGain(&bounds_.without_lock, 1.85, 2.15, LIMIT_METHOD);
  std::string text = SayFound(find_locks);
  EXPECT_TRUE(
      Has(text,
          " It is 50 % of the critical path: by simulation, without it the run would be 1.9 to 2.1 "
          "times as fast (10.0 s to 5.00 s); then the limit is what threads compute at "
          "OrderService.price (OrderService.java:88). 1 thread was still blocked"))
      << text;
  bounds_.without_lock.limit = LIMIT_LOCK;
  bounds_.without_lock.next_lock = 0xA3;
  text = SayFound(find_locks);
  EXPECT_TRUE(Has(text, "; then the limit is the semaphore in OrderService.price:90 ")) << text;
}

// Both sides of a lock are one lock of the path.
TEST_F(FindPath, ASideOfALockMayBeOnThePathWithTheOtherOne) {
  model_->locks.rows[0].sort = LOCK_READ_SIDE;
  bounds_.lock_id = UINT32_MAX;
  EXPECT_FALSE(Has(SayFound(find_locks),
                   "Read side of the lock com.acme.Inventory@000000A1: "
                   "threads, mostly worker-1, waited 4 times for 2.88 s in "
                   "total (longest 2.00 s), 96 % of it at Inventory.reserve "
                   "(Inventory.java:42). To remove"));
  EXPECT_TRUE(Has(SayFound(find_locks), "Read side of the lock com.acme.Inventory@000000A1: "));
}

// Another lock than that of the simulation.
TEST_F(FindPath, ALockWithoutASimulationHasNoGain) {
  bounds_.lock_id = model_->locks.rows[1].id;
  SetGain(&bounds_.without_lock, 1.85, 2.05, LIMIT_METHOD);
  said_.Find(find_locks);
  ASSERT_FALSE(said_.List({FINDING_lock}).empty());
  for (const struct finding *finding : said_.List({FINDING_lock})) {
    auto *row = static_cast<struct found_lock *>(finding->row);
    EXPECT_EQ(row->gain.num, row->lock.object == model_->locks.rows[1].object ? 1u : 0u);
  }
}

// The hottest method needs ten samples.
TEST_F(FindPath, AMethodHasItsShareAndGain) {
  model_->cpu.num_samples = 10;
  uint32_t hot = place_method(cpu_hottest(&model_->cpu)->place);
  AddPart(PATH_SLEEPS, false, place(hot, 42), 6);
  EXPECT_FALSE(Has(SayFound(find_cpu), "critical path"));
  AddPart(PATH_RUNS, false, place(hot, 88), 2);
  EXPECT_TRUE(Has(SayFound(find_cpu), " It is 20 % of the critical path.\n"));
  SetGain(&bounds_.faster_method, 1.04, 1.06, LIMIT_NONE);
  EXPECT_TRUE(Has(
      SayFound(find_cpu),
      " It is 20 % of the critical path: by simulation, if it were twice as fast, the run would "
      "be 1.04 to 1.06 times as fast (10.0 s to 5.00 s).\n"))
      << said_.Text();
}

// --- pools ------------------------------------------------------------------------------------

// Six tasks of ten seconds waited for 15 of 20 s.
class FindPool : public FindPath {
 protected:
  FindPool() {
    pool_.known = true;
    pool_.title = strdup("pool-2");
    pool_.threads = 4;
    pool_.queued = 15 * TICKS_PER_S;
    pool_.ran = 5 * TICKS_PER_S;
    pool_.waiting = 8 * TICKS_PER_S;
    pool_.full = 8 * TICKS_PER_S;
    pool_.path = 6 * TICKS_PER_S;
  }
  void SetPoolGain(double least, double most, enum limit_kind limit) {
    SetGain(&pool_.gain, least, most, limit);
  }
  std::string SayPool() { return SayFound(find_pool); }
  // Whether more threads gain so much that the pool is one of the reasons.
  bool IsReason() {
    SayPool();
    return said_.answer.findings.rows[0].weight == pool_.queued;
  }

  struct bounds_pool &pool_ = bounds_.pool;
};

constexpr char kPoolFact[] =
    "* Tasks spent 75 % of their time in the queue of pool-2, whose 4 threads were all busy for "
    "100 % of the time in which tasks were in it. The critical path waited for this queue for 60 % "
    "of its time";

TEST_F(FindPool, SaysWhatTwiceAsManyThreadsGain) {
  SetPoolGain(1.8, 2.2, LIMIT_SLEEP);
  EXPECT_TRUE(IsReason());
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ": by simulation, with twice as many threads the run would be 1.8 to "
                           "2.2 times as fast (10.0 s to 5.00 s); then the limit is that threads "
                           "sleep at OrderService.price (OrderService.java:88).\n");
}

TEST_F(FindPool, SaysThatFullCpusGainNothing) {
  SetPoolGain(0.97, 1.01, LIMIT_CPU);
  EXPECT_FALSE(IsReason());
  EXPECT_EQ(SayPool().find(std::string(kPoolFact) +
                           ": by simulation, with twice as many threads the run would not be "
                           "faster; then its CPUs are full"),
            0u)
      << SayPool();
}

// More threads also get more of the CPUs than other programs.
TEST_F(FindPool, PromisesNothingThatOthersWouldPayFor) {
  SetPoolGain(1.4, 1.6, LIMIT_CPU);
  EXPECT_TRUE(IsReason());
  pool_.gain.shares_cpus = true;
  EXPECT_FALSE(IsReason());
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ", but the CPUs are full, also with work of others: what twice as many "
                           "threads would gain is not known.\n");
}

// The path is mostly I/O, so the other bounds are not known.
TEST_F(FindPool, SaysWhatItAssumesAboutIo) {
  bounds_.known = false;
  pool_.has_io = true;
  EXPECT_EQ(SayPool(), "");
  SetPoolGain(1.8, 2.2, LIMIT_NONE);
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ": by simulation, with twice as many threads, if their I/O took no "
                           "longer then, the run would be 1.8 to 2.2 times as fast (10.0 s to 5.00 "
                           "s).\n");
}

TEST_F(FindPool, IsNoReasonBesideALockThatGainsMore) {
  SetPoolGain(1.3, 1.5, LIMIT_SLEEP);
  SetGain(&bounds_.without_lock, 1.2, 1.4, LIMIT_SLEEP);
  EXPECT_TRUE(IsReason());
  bounds_.without_lock.gain.least = 2;
  EXPECT_FALSE(IsReason());
  EXPECT_TRUE(Has(SayPool(), "1.3 to 1.5 times as fast"));
}

TEST_F(FindPool, NamesTheLockThatLimits) {
  SetPoolGain(0.98, 1.1, LIMIT_LOCK);
  pool_.gain.next_lock = model_->locks.rows[0].object;
  EXPECT_TRUE(Has(SayPool(),
                  ", so perhaps no gain (10.0 s to 5.00 s); then the limit is "
                  "com.acme.Inventory@000000A1"))
      << SayPool();
}

// Threads that compute may have no free CPU for more of them.
TEST_F(FindPool, WithoutASimulationNeedsSleepsOnThePath) {
  AddPart(PATH_SLEEPS, false, place(0x12, 42), 8);
  EXPECT_EQ(SayPool(), std::string(kPoolFact) + ".\n");
  EXPECT_TRUE(IsReason());
  bounds_.parts[0].reason = PATH_RUNS;
  EXPECT_EQ(SayPool(), "");
}

TEST_F(FindPool, SaysNothingWithoutSuchAPool) {
  pool_.known = false;
  EXPECT_EQ(SayPool(), "");
}

}  // namespace
