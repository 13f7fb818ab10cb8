#include "tests/tools/orca/answer/time_lines.h"

namespace {

// --- pools on the critical path -------------------------------------------------------------

// Six tasks of ten seconds waited for 15 of 20 s.
class FindPools : public testing::Test {
 protected:
  FindPools() {
    model_ = said_.answer.model = small_.Read();
    bounds_.known = bounds_.of_run = true;
    bounds_.work = 10 * TICKS_PER_S;
    pool_.known = true;
    pool_.title = strdup("pool-2");
    pool_.threads = 4;
    pool_.queued = 15 * TICKS_PER_S;
    pool_.ran = 5 * TICKS_PER_S;
    pool_.waiting = 8 * TICKS_PER_S;
    pool_.full = 8 * TICKS_PER_S;
    pool_.path = 6 * TICKS_PER_S;
  }
  void SetGain(struct bounds_gain *gain, double least, double most, enum limit_kind limit) {
    gain->known = true;
    gain->gain = {least, (least + most) / 2, most};
    gain->work = 10 * TICKS_PER_S;
    gain->time = 5 * TICKS_PER_S;
    gain->limit = limit;
    gain->place = place(0x10, 88);
  }
  void SetPoolGain(double least, double most, enum limit_kind limit) {
    SetGain(&pool_.gain, least, most, limit);
  }
  // What the finder finds, and nothing from before.
  std::string SayPool() {
    findings_free(&said_.answer.findings);
    said_.Find(find_pools);
    return said_.Text();
  }
  // Whether more threads gain so much that the pool is one of the reasons.
  bool IsReason() {
    SayPool();
    return said_.answer.findings.rows[0].weight == pool_.queued;
  }

  SmallModel small_;
  struct model *model_ = nullptr;
  Said said_;
  struct bounds &bounds_ = said_.answer.bounds;
  struct bounds_pool &pool_ = bounds_.pool;
};

constexpr char kPoolFact[] =
    "* Tasks spent 75 % of their time in the queue of pool-2, whose 4 threads were all busy for "
    "100 % of the time in which tasks were in it. The critical path waited for this queue for 60 % "
    "of its time";

TEST_F(FindPools, SaysWhatTwiceAsManyThreadsGain) {
  SetPoolGain(1.8, 2.2, LIMIT_SLEEP);
  EXPECT_TRUE(IsReason());
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ": by simulation, with twice as many threads the run would be 1.8 to "
                           "2.2 times as fast (10.0 s to 5.00 s); then the limit is that threads "
                           "sleep at OrderService.price (OrderService.java:88).\n");
}

TEST_F(FindPools, SaysThatFullCpusGainNothing) {
  SetPoolGain(0.97, 1.01, LIMIT_CPU);
  EXPECT_FALSE(IsReason());
  EXPECT_EQ(SayPool().find(std::string(kPoolFact) +
                           ": by simulation, with twice as many threads the run would not be "
                           "faster; then its CPUs are full"),
            0u)
      << SayPool();
}

// More threads also get more of the CPUs than other programs.
TEST_F(FindPools, PromisesNothingThatOthersWouldPayFor) {
  SetPoolGain(1.4, 1.6, LIMIT_CPU);
  EXPECT_TRUE(IsReason());
  pool_.gain.shares_cpus = true;
  EXPECT_FALSE(IsReason());
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ", but the CPUs are full, also with work of others: what twice as many "
                           "threads would gain is not known.\n");
}

// The path is mostly I/O, so the other bounds are not known.
TEST_F(FindPools, SaysWhatItAssumesAboutIo) {
  bounds_.known = false;
  pool_.has_io = true;
  EXPECT_EQ(SayPool(), "");
  SetPoolGain(1.8, 2.2, LIMIT_NONE);
  EXPECT_EQ(SayPool(), std::string(kPoolFact) +
                           ": by simulation, with twice as many threads, if their I/O took no "
                           "longer then, the run would be 1.8 to 2.2 times as fast (10.0 s to 5.00 "
                           "s).\n");
}

TEST_F(FindPools, IsNoReasonBesideALockThatGainsMore) {
  SetPoolGain(1.3, 1.5, LIMIT_SLEEP);
  SetGain(&bounds_.without_lock, 1.2, 1.4, LIMIT_SLEEP);
  EXPECT_TRUE(IsReason());
  bounds_.without_lock.gain.least = 2;
  EXPECT_FALSE(IsReason());
  EXPECT_TRUE(Has(SayPool(), "1.3 to 1.5 times as fast"));
}

TEST_F(FindPools, NamesTheLockThatLimits) {
  SetPoolGain(0.98, 1.1, LIMIT_LOCK);
  pool_.gain.next_lock = model_->locks.rows[0].object;
  EXPECT_TRUE(Has(SayPool(),
                  ", so perhaps no gain (10.0 s to 5.00 s); then the limit is "
                  "com.acme.Inventory@000000A1"))
      << SayPool();
}

// Threads that compute may have no free CPU for more of them.
TEST_F(FindPools, WithoutASimulationNeedsSleepsOnThePath) {
  bounds_.parts[bounds_.num_parts++] = {PATH_SLEEPS, false, place(0x12, 42), 8 * TICKS_PER_S};
  EXPECT_EQ(SayPool(), std::string(kPoolFact) + ".\n");
  EXPECT_TRUE(IsReason());
  bounds_.parts[0].reason = PATH_RUNS;
  EXPECT_EQ(SayPool(), "");
}

TEST_F(FindPools, SaysNothingWithoutSuchAPool) {
  pool_.known = false;
  EXPECT_EQ(SayPool(), "");
}

// --- crowded pools --------------------------------------------------------------------------

// main queues one object many times and sleeps. The only worker takes it once in 0.4 s.
class FindCrowdedPools : public TimeLines {
 protected:
  void Queue(int num, double at, const std::string &stack) {
    for (int i = 0; i < num; i++) {
      Call("TaskQueued", "", 1, at + i * 1e-3, 0, stack, ",000000B1");
    }
  }
  // What the worker does in each task.
  virtual void Work(double at) { Sleep(2, at, at + 0.39, kReserve); }
  std::string SayPools() {
    Start(1, "main");
    Start(2, "solver-1");
    Sleep(1, 0.05, 9.5, kPrice);
    for (int i = 0; i < 20; i++) {
      Call("TaskTaken", "", 2, 1 + i * 0.4, 0, "0", ",000000B1");
      Work(1.01 + i * 0.4);
    }
    Said said(Read());
    bool is_told = !said.List({FINDING_pool}).empty();
    EXPECT_TRUE(!is_told || said.List({FINDING_idle, FINDING_pause, FINDING_path}).empty());
    return said.Text({FINDING_pool});
  }
};

constexpr char kCrowded[] =
    "* Tasks spent 91 % of their time in the queue of solver-…, whose only thread was busy for "
    "100 % of the time in which tasks were in it. On average a task waited 4.29 s in it, the "
    "longest 8.08 s";

TEST_F(FindCrowdedPools, SayHowLongTheirTasksWaitedAndWhy) {
  Queue(20, 0.5, kPrice);
  EXPECT_EQ(SayPools(),
            std::string(kCrowded) +
                ". Its thread solver-1 slept 7.80 s at Inventory.reserve (Inventory.java:42), 78 % "
                "of the time in which it was busy. More threads would run more tasks at once, "
                "unless these need the same lock.\n");
}

TEST_F(FindCrowdedPools, TellTasksOfSeveralPlacesApart) {
  Queue(10, 0.5, kPrice);
  Queue(10, 0.51, kReserve);
  EXPECT_TRUE(Has(SayPools(),
                  ": 10 tasks of Inventory.reserve (Inventory.java:42) 6.29 s, the "
                  "longest 8.08 s; 10 tasks of OrderService.price ("))
      << SayPools();
}

TEST_F(FindCrowdedPools, AreNoneIfTasksHardlyWait) {
  for (int i = 0; i < 20; i++) Queue(1, 0.98 + i * 0.4, kPrice);
  EXPECT_EQ(SayPools(), "");
}

// Then the method is the reason.
class FindBusyPools : public FindCrowdedPools {
 protected:
  void Work(double at) override {
    if (at < 1.1) Sampled(2, at, 9.5, "Runnable", 400, kReserve);
  }
};

TEST_F(FindBusyPools, AreNoneIfTheThreadsRun) {
  Queue(20, 0.5, kPrice);
  Start(1, "main");
  EXPECT_FALSE(Has(SayPools(), "On average a task waited"));
}

}  // namespace
