/* Tests which waits can end. Random programs are run by a small machine that knows the truth. */
#include "tools/orca/model/wait_for.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace {

class Graph {
 public:
  ~Graph() { wait_for_free(&w_); }

  struct waiter *Add(uint32_t thread, enum wait_need need, const std::vector<uint32_t> &owners,
                     ticks_t begin = 1) {
    struct pair pair = {};
    pair.thread = thread;
    pair.begin = begin;
    struct waiter *waiter = wait_for_add(&w_, &pair);
    waiter->need = need;
    for (uint32_t owner : owners) {
      struct wait_link link = {};
      link.pair = pair;
      link.owner = owner;
      EXPECT_TRUE(wait_for_add_owner(&w_, waiter, &link));
    }
    return waiter;
  }
  void End(uint32_t thread, ticks_t time = 1) {
    EXPECT_TRUE(wait_for_add_ended(&w_, thread, time));
  }
  bool Solve(bool others_run, bool limits_end = true) {
    return wait_for_solve(&w_, others_run, limits_end);
  }
  bool CanEnd(uint32_t thread) const { return wait_for_find(&w_, thread)->can_end; }
  const struct wait_for *get() const { return &w_; }

 private:
  struct wait_for w_ = {};
};

TEST(WaitFor, AnEmptyGraphRunsIfOthersDo) {
  Graph g;
  EXPECT_FALSE(g.Solve(false));
  EXPECT_TRUE(g.Solve(true));
}

TEST(WaitFor, AChainToARunningThreadCanEnd) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2});
  g.Add(2, WAIT_NEEDS_ALL, {3});
  EXPECT_TRUE(g.Solve(true));
  EXPECT_TRUE(g.CanEnd(1));
  EXPECT_TRUE(g.CanEnd(2));
}

TEST(WaitFor, ARingCannotEnd) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2});
  g.Add(2, WAIT_NEEDS_ALL, {1});
  g.Add(3, WAIT_NEEDS_ALL, {1});
  EXPECT_TRUE(g.Solve(true));
  for (uint32_t thread : {1, 2, 3}) EXPECT_FALSE(g.CanEnd(thread)) << thread;
  size_t owner;
  const struct waiter *blocker = wait_for_blocker(g.get(), wait_for_find(g.get(), 3), &owner);
  ASSERT_NE(blocker, nullptr);
  EXPECT_EQ(blocker->pair.thread, 1u);
  EXPECT_EQ(g.get()->owners[owner].pair.thread, 3u);
}

TEST(WaitFor, OneOfAnyIsEnoughAndAllAreNeeded) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {1});
  g.Add(2, WAIT_NEEDS_ANY, {1, 9});
  g.Add(3, WAIT_NEEDS_ALL, {1, 9});
  g.Add(4, WAIT_NEEDS_ANY, {1});
  EXPECT_TRUE(g.Solve(true));
  EXPECT_TRUE(g.CanEnd(2));
  EXPECT_FALSE(g.CanEnd(3));
  EXPECT_FALSE(g.CanEnd(4));
}

TEST(WaitFor, AnyoneIsAThreadThatRuns) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ANYONE, {});
  g.Add(2, WAIT_NEEDS_ALL, {1});
  EXPECT_FALSE(g.Solve(false));
  EXPECT_FALSE(g.CanEnd(2));
  EXPECT_TRUE(g.Solve(true));
  EXPECT_TRUE(g.CanEnd(2));
}

TEST(WaitFor, WhoSleepsGoesOnAndALimitEndsAWait) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ANYONE, {});
  g.Add(2, WAIT_NEEDS_ANYONE, {})->is_timed = true;
  EXPECT_TRUE(g.Solve(false, true));
  EXPECT_FALSE(g.Solve(false, false));
  g.Add(3, WAIT_NEEDS_ANYONE, {})->is_asleep = true;
  EXPECT_TRUE(g.Solve(false, false));
  EXPECT_TRUE(g.CanEnd(1));
}

TEST(WaitFor, AnOwnerThatHasEndedNeverRuns) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2});
  g.End(2);
  EXPECT_TRUE(g.Solve(true));
  EXPECT_FALSE(g.CanEnd(1));
  size_t owner;
  EXPECT_EQ(wait_for_blocker(g.get(), wait_for_find(g.get(), 1), &owner), nullptr);
}

TEST(WaitFor, AJoinEndsWithItsThread) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2})->is_join = true;
  g.End(2);
  EXPECT_TRUE(g.Solve(false));
  EXPECT_TRUE(g.CanEnd(1));
}

TEST(WaitFor, TheEndOfAnOwnerChangesAWait) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2, 3}, 5);
  EXPECT_EQ(wait_for_changed(g.get(), wait_for_find(g.get(), 1)), 5u);
  g.End(2, 9);
  g.End(3, 2);
  EXPECT_EQ(wait_for_changed(g.get(), wait_for_find(g.get(), 1)), 9u);
}

TEST(WaitFor, AThreadOfTheJvmSignalsNobody) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ANYONE, {});
  struct waiter *cleaner = g.Add(2, WAIT_NEEDS_ANYONE, {});
  cleaner->is_of_jvm = cleaner->is_timed = true;
  EXPECT_FALSE(g.Solve(false));
  EXPECT_FALSE(g.CanEnd(1));
}

TEST(WaitFor, TheWaitThatBeganLastCounts) {
  Graph g;
  g.Add(1, WAIT_NEEDS_ALL, {2}, 5);
  g.Add(2, WAIT_NEEDS_ALL, {1}, 5);
  struct pair outer = {};
  outer.thread = 1;
  outer.begin = 4;
  EXPECT_EQ(wait_for_add(const_cast<struct wait_for *>(g.get()), &outer)->pair.begin, 5u);
}

// --- random programs ------------------------------------------------------------------------

/* A machine with threads, locks, permits that belong to who acquired them, credits that any thread
   hands out, and joins. Its threads run in a random order until none can, or until a step is
   reached. Then the machine tells the truth by trying: a thread that runs does all that it may at
   some time do. It releases what it holds, hands out credits, and ends. */
class Machine {
 public:
  explicit Machine(unsigned seed) : random_(seed) {
    num_threads_ = 2 + Pick(5);
    num_locks_ = 1 + Pick(4);
    threads_.resize(num_threads_);
    locks_.assign(num_locks_, kFree);
    credits_.assign(2, 0);
    free_permits_ = 1 + static_cast<int>(Pick(2));
    permits_.assign(num_threads_, 0);
    for (unsigned steps = Pick(60); steps > 0; steps--) Step(Pick(num_threads_));
  }

  /* FillGraph makes the graph that a profiler sees. */
  void FillGraph(Graph *g, bool *others_run) const {
    *others_run = false;
    for (uint32_t t = 0; t < num_threads_; t++) {
      switch (threads_[t].state) {
        case kRuns:
        case kOutside:
          *others_run = true;
          break;
        case kEnded:
          g->End(t + 1);
          break;
        default:
          g->Add(t + 1, NeedOf(threads_[t]), OwnersOf(t));
      }
    }
  }

  /* FindStuck returns the threads whose wait cannot end, whatever the others do. */
  std::set<uint32_t> FindStuck() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (uint32_t t = 0; t < num_threads_; t++) {
        struct Thread &thread = threads_[t];
        if (thread.state == kRuns || thread.state == kOutside) {
          DoEverything(t);
          changed = true;
        } else if (thread.state != kEnded && TryToGoOn(t)) {
          changed = true;
        }
      }
    }
    std::set<uint32_t> stuck;
    for (uint32_t t = 0; t < num_threads_; t++) {
      if (threads_[t].state != kEnded) stuck.insert(t + 1);
    }
    return stuck;
  }

  /* Settle lets each waiting thread go on that can. */
  void Settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t t = 0; t < num_threads_; t++) {
        changed |= threads_[t].state >= kWaitsForLock && TryToGoOn(t);
      }
    }
  }

 private:
  enum State { kRuns, kOutside, kEnded, kWaitsForLock, kWaitsForPermit, kWaitsForCredit, kJoins };
  struct Thread {
    State state = kRuns;
    uint32_t on = 0; /* the lock, the kind of credit, or the thread */
  };
  static constexpr int kFree = -1;

  unsigned Pick(unsigned num) { return num == 0 ? 0 : random_() % num; }

  static enum wait_need NeedOf(const Thread &thread) {
    if (thread.state == kWaitsForPermit) return WAIT_NEEDS_ANY;
    return thread.state == kWaitsForCredit ? WAIT_NEEDS_ANYONE : WAIT_NEEDS_ALL;
  }

  std::vector<uint32_t> OwnersOf(uint32_t t) const {
    const Thread &thread = threads_[t];
    std::vector<uint32_t> owners;
    if (thread.state == kJoins) owners.push_back(thread.on + 1);
    if (thread.state == kWaitsForLock && locks_[thread.on] != kFree) {
      owners.push_back(static_cast<uint32_t>(locks_[thread.on]) + 1);
    }
    for (uint32_t i = 0; thread.state == kWaitsForPermit && i < num_threads_; i++) {
      if (permits_[i] > 0) owners.push_back(i + 1);
    }
    return owners;
  }

  /* One step of the program; a waiting thread goes on if it can. */
  void Step(uint32_t t) {
    Thread &thread = threads_[t];
    if (thread.state == kEnded || thread.state == kOutside) return;
    if (thread.state >= kWaitsForLock) {
      TryToGoOn(t);
      return;
    }
    switch (Pick(9)) {
      case 0:
      case 1:
      case 2:
        WaitFor(t, kWaitsForLock, Pick(num_locks_));
        break;
      case 3:
        WaitFor(t, kWaitsForPermit, 0);
        break;
      case 4:
        WaitFor(t, kWaitsForCredit, Pick(2));
        break;
      case 5:
        WaitFor(t, kJoins, Pick(num_threads_));
        break;
      case 6:
        Release(t);
        break;
      case 7:
        credits_[Pick(2)]++;
        break;
      default:
        if (Pick(4) == 0) thread.state = kOutside;
        if (Pick(8) == 0) EndThread(t);
    }
  }

  void WaitFor(uint32_t t, State state, uint32_t on) {
    bool is_own = state == kWaitsForLock && locks_[on] == static_cast<int>(t);
    if (is_own) return; /* it may acquire its lock again */
    threads_[t] = {state, on};
    TryToGoOn(t);
  }

  bool TryToGoOn(uint32_t t) {
    Thread &thread = threads_[t];
    switch (thread.state) {
      case kWaitsForLock:
        if (locks_[thread.on] != kFree) return false;
        locks_[thread.on] = static_cast<int>(t);
        break;
      case kWaitsForPermit:
        if (free_permits_ == 0) return false;
        free_permits_--;
        permits_[t]++;
        break;
      case kWaitsForCredit:
        if (credits_[thread.on] == 0) return false;
        credits_[thread.on]--;
        break;
      default:
        if (threads_[thread.on].state != kEnded) return false;
    }
    thread.state = kRuns;
    return true;
  }

  void Release(uint32_t t) {
    for (int &owner : locks_) {
      if (owner == static_cast<int>(t)) owner = kFree;
    }
    free_permits_ += permits_[t];
    permits_[t] = 0;
  }

  /* A thread that has come to its end may have kept a permit, but no lock. */
  void EndThread(uint32_t t) {
    int kept = permits_[t];
    Release(t);
    free_permits_ -= kept;
    permits_[t] = kept;
    threads_[t].state = kEnded;
  }

  void DoEverything(uint32_t t) {
    Release(t);
    for (int &credits : credits_) credits += static_cast<int>(num_threads_);
    threads_[t].state = kEnded;
  }

  std::mt19937 random_;
  uint32_t num_threads_, num_locks_;
  std::vector<Thread> threads_;
  std::vector<int> locks_, credits_, permits_;
  int free_permits_;
};

TEST(WaitFor, TellsTheTruthAboutRandomPrograms) {
  size_t num_stuck = 0, num_free = 0, num_hangs = 0;
  for (unsigned seed = 0; seed < 10000; seed++) {
    Machine machine(seed);
    Graph g;
    bool others_run;
    machine.Settle();
    machine.FillGraph(&g, &others_run);
    bool goes_on = g.Solve(others_run);
    std::set<uint32_t> stuck = machine.FindStuck();
    for (size_t i = 0; i < g.get()->num; i++) {
      const struct waiter &waiter = g.get()->waiters[i];
      bool is_stuck = stuck.count(waiter.pair.thread) > 0;
      EXPECT_EQ(!waiter.can_end, is_stuck) << "seed " << seed << " thread " << waiter.pair.thread;
      num_stuck += is_stuck;
      num_free += !is_stuck;
    }
    num_hangs += !goes_on;
    if (HasFailure()) break;
  }
  /* The programs are no easy ones. */
  EXPECT_GT(num_stuck, 1000u);
  EXPECT_GT(num_free, 1000u);
  EXPECT_GT(num_hangs, 300u);
}

}  // namespace
