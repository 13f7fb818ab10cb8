#pragma once
// Random recordings of threads that use locks. The lines are those that the agent writes: the calls
// of a thread nest, and only the owner of a lock releases it. A thread gets a lock before its line
// of that comes, so that other lines may name it as the owner while it still seems to wait.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    has_all_ = IsLikely(50);
    names_owners_ = Pick(0, 2);
    may_deadlock_ = IsLikely(20);
    num_threads_ = Pick(2, 6);
    threads_.resize(static_cast<size_t>(num_threads_) + 1);
    locks_[kSemaphore].permits = Pick(1, 2);
    for (int i = 1; i <= num_threads_; i++) {
      AddLine("ThreadStarted", i, {"thread-" + std::to_string(i)});
    }
    for (int steps = Pick(300, 1500); steps > 0; steps--) TakeStep(Pick(1, num_threads_));
  }

  std::string Options() const { return has_all_ ? ",locks=all,monitors=all" : ""; }
  const std::string &Events() const { return events_; }
  const std::string &Samples() const { return samples_; }

  // Lines are between these times, in ticks.
  static constexpr ticks_t kBegin = 101 * kSecond, kEnd = 109 * kSecond;

 private:
  // The locks are the first two monitors and one lock of each other sort. A read-write lock is one
  // lock with two modes.
  enum { kMonitor, kOtherMonitor, kLock, kReadWrite, kSemaphore, kNumLocks };
  enum Mode { kUse, kRead, kWrite };
  enum State { kRuns, kSleeps, kAsks, kHasGot, kWaits, kComesBack };

  struct Lock {
    int owner = 0;  // a thread; 0: none
    int permits = 0;
    std::vector<int> readers;
  };

  struct Hold {
    int lock;
    Mode mode;
  };

  struct Thread {
    State state = kRuns;
    int lock = 0;
    Mode mode = kUse;
    bool is_try = false;
    bool is_in_wait = false;  // it asks for the monitor of its Object.wait
    std::vector<Hold> holds;
    std::vector<Hold> away;  // the holds that its wait for a condition has released
  };

  int Pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  bool IsLikely(int percent) { return Pick(1, 100) <= percent; }

  // --- lines --------------------------------------------------------------------------------

  static std::string MakeHash(int number) {
    char text[16];
    snprintf(text, sizeof text, "%08X", static_cast<unsigned>(number));
    return text;
  }
  static std::string MakeObject(int lock) {
    static const int objects[kNumLocks] = {0xA1, 0xA2, 0xA4, 0xA5, 0xA3};
    return MakeHash(objects[lock]);
  }
  std::string MakeTime() {
    now_ += static_cast<ticks_t>(IsLikely(70) ? Pick(1, 100) : Pick(100, 100000000));
    EXPECT_LT(now_, kEnd);
    char text[40];
    snprintf(text, sizeof text, "%" PRIu64 ".%010" PRIu64, now_ / kSecond, now_ % kSecond);
    return text;
  }
  std::string MakeStack() {
    static const std::array<const char *, 4> stacks = {
        "1;00000011;00000000", "2;00000010;00000000;00000011;00000000",
        "3;00000012;00000000;00000010;00000010;00000011;00000000",
        "2;00000012;00000000;00000011;00000000"};
    return stacks[static_cast<size_t>(Pick(0, 3))];
  }
  void AddLine(const std::string &event, int thread, const std::vector<std::string> &fields) {
    events_ += MakeTime() + "," + event + "," + MakeHash(thread);
    for (const std::string &field : fields) events_ += "," + field;
    events_ += "\n";
  }
  void AddLockLine(const std::string &event, int thread, int lock) {
    static const std::string semaphore = "2;00000005;00000000;00000011;00000000";
    AddLine(event, thread, {MakeObject(lock), lock == kSemaphore ? semaphore : MakeStack()});
  }
  void AddSample(int thread) {
    std::string time = MakeTime(), id = std::to_string(++num_samples_);
    samples_ += time + ",Tick," + id + ",1000,4\n" + time + ",Stack," + id + "," + MakeStack() +
                "\n" + time + ",Sample," + MakeHash(thread) + ",Runnable,0," + id + "\n";
  }

  // --- locks --------------------------------------------------------------------------------

  static bool IsMonitor(int lock) { return lock == kMonitor || lock == kOtherMonitor; }

  // Returns "Lock", "ReadLock", "WriteLock" or "Semaphore".
  static std::string MakeNoun(int lock, Mode mode) {
    if (lock == kSemaphore) return "Semaphore";
    return mode == kUse ? "Lock" : mode == kRead ? "ReadLock" : "WriteLock";
  }
  bool IsFree(int thread, int lock, Mode mode) const {
    const Lock &l = locks_[static_cast<size_t>(lock)];
    if (lock == kSemaphore) return l.permits > 0;
    bool is_free = l.owner == 0 || l.owner == thread;
    return mode == kRead || l.readers.empty() ? is_free : false;
  }
  void Take(int thread, int lock, Mode mode) {
    Lock &l = locks_[static_cast<size_t>(lock)];
    if (lock == kSemaphore) {
      l.permits--;
    } else if (mode == kRead) {
      l.readers.push_back(thread);
    } else {
      l.owner = thread;
    }
  }
  bool Holds(int thread, int lock, Mode mode) const {
    for (const Hold &hold : Get(thread).holds) {
      if (hold.lock == lock && hold.mode == mode) return true;
    }
    return false;
  }
  void Drop(int thread, Hold hold) {
    Lock &l = locks_[static_cast<size_t>(hold.lock)];
    if (hold.lock == kSemaphore) {
      l.permits++;
    } else if (hold.mode == kRead) {
      for (size_t i = 0; i < l.readers.size(); i++) {
        if (l.readers[i] != thread) continue;
        l.readers.erase(l.readers.begin() + static_cast<long>(i));
        break;
      }
    } else if (!Holds(thread, hold.lock, hold.mode)) {
      l.owner = 0;
    }
  }
  // The owner in a line: the thread that has got the lock, or none.
  int PickOwner(int thread, int lock) {
    int owner = locks_[static_cast<size_t>(lock)].owner;
    bool is_named = names_owners_ == 2 || (names_owners_ == 1 && IsLikely(50));
    return is_named && owner != thread ? owner : 0;
  }

  // --- steps of a thread ----------------------------------------------------------------------

  Thread &Get(int thread) { return threads_[static_cast<size_t>(thread)]; }
  const Thread &Get(int thread) const { return threads_[static_cast<size_t>(thread)]; }

  void TakeStep(int thread) {
    switch (Get(thread).state) {
      case kRuns:
        return Run(thread);
      case kSleeps:
        AddLine("ThreadSlept", thread, {MakeStack()});
        Get(thread).state = kRuns;
        return;
      case kAsks:
        return TryToGet(thread);
      case kHasGot:
        return SeeThatItHasGot(thread);
      case kWaits:
        return WakeUp(thread);
      case kComesBack:
        return ComeBack(thread);
    }
  }

  void Run(int thread) {
    int what = Pick(1, 100);
    if (what <= 40) return Ask(thread);
    if (what <= 75) return Release(thread);
    if (what <= 85) return Wait(thread);
    if (what <= 92) return AddSample(thread);
    AddLine("ThreadSleep", thread, {MakeStack()});
    Get(thread).state = kSleeps;
  }

  void Ask(int thread) {
    Thread &t = Get(thread);
    t.lock = Pick(0, kNumLocks - 1);
    t.mode = t.lock != kReadWrite ? kUse : IsLikely(60) ? kRead : kWrite;
    if (t.holds.size() >= 3 || (CanDeadlock(thread, t.lock, t.mode) && !may_deadlock_)) return;
    t.is_try = t.lock != kSemaphore && !IsMonitor(t.lock) && IsLikely(20);
    t.is_in_wait = false;
    bool is_free =
        IsFree(thread, t.lock, t.mode) && (IsLikely(80) || Holds(thread, t.lock, t.mode));
    if (is_free) Take(thread, t.lock, t.mode);
    t.state = is_free ? kHasGot : kAsks;
    if (IsMonitor(t.lock)) return AskForMonitor(thread, is_free);
    bool has_line = t.lock == kSemaphore || has_all_ || !is_free;
    if (!has_line) return KeepHold(thread);
    std::string event = MakeNoun(t.lock, t.mode) + (t.is_try ? "TryAcquire" : "Acquire");
    if (t.lock == kSemaphore) return AddLockLine(event, thread, t.lock);
    int owner = is_free ? 0 : PickOwner(thread, t.lock);
    AddLine(event, thread, {MakeObject(t.lock), MakeHash(owner), MakeStack()});
  }

  // Threads that ask for locks in one order, and for no lock that they hold, are in no deadlock.
  bool CanDeadlock(int thread, int lock, Mode mode) const {
    for (const Hold &hold : Get(thread).holds) {
      bool is_reentrant = hold.lock == lock && hold.mode == mode && lock != kSemaphore;
      if (hold.lock >= lock && !is_reentrant) return true;
    }
    return false;
  }

  void AskForMonitor(int thread, bool is_free) {
    Thread &t = Get(thread);
    if (has_all_) AddLockLine("MonitorEnter", thread, t.lock);
    if (!is_free) return BlockOnMonitor(thread);
    if (has_all_) AddLockLine("MonitorEntered", thread, t.lock);
    KeepHold(thread);
  }
  void BlockOnMonitor(int thread) {
    Thread &t = Get(thread);
    int owner = PickOwner(thread, t.lock);
    AddLine("MonitorContendedEnter", thread, {MakeObject(t.lock), MakeHash(owner), MakeStack()});
    t.state = kAsks;
  }
  void KeepHold(int thread) {
    Thread &t = Get(thread);
    t.holds.push_back({t.lock, t.mode});
    t.state = kRuns;
  }

  void TryToGet(int thread) {
    Thread &t = Get(thread);
    if (IsMonitor(t.lock) && IsLikely(10)) return AddNews(thread);
    if (t.is_try && IsLikely(10)) {
      AddLockLine(MakeNoun(t.lock, t.mode) + "TryAcquireFailed", thread, t.lock);
      t.state = kRuns;
    } else if (IsFree(thread, t.lock, t.mode)) {
      Take(thread, t.lock, t.mode);
      t.state = kHasGot;
    }
  }

  // A thread of Orca's own learns about the monitor on which `thread` is blocked.
  void AddNews(int thread) {
    int lock = Get(thread).lock, owner = locks_[static_cast<size_t>(lock)].owner;
    if (owner == 0) return;
    if (IsLikely(50)) return AddLockLine("MonitorHeld", owner, lock);
    AddLine("MonitorOwner", thread, {MakeObject(lock), MakeHash(owner), "0"});
  }

  void SeeThatItHasGot(int thread) {
    Thread &t = Get(thread);
    if (!IsMonitor(t.lock)) {
      AddLockLine(MakeNoun(t.lock, t.mode) + (t.is_try ? "TryAcquired" : "Acquired"), thread,
                  t.lock);
      return KeepHold(thread);
    }
    if (IsLikely(5)) return AddNews(thread);
    AddLockLine("MonitorContendedEntered", thread, t.lock);
    if (t.is_in_wait) {
      t.state = kComesBack;
      return ComeBack(thread);
    }
    if (has_all_) AddLockLine("MonitorEntered", thread, t.lock);
    KeepHold(thread);
  }

  void Release(int thread) {
    Thread &t = Get(thread);
    Hold hold = {kSemaphore, kUse};  // any thread can release a permit
    if (t.holds.empty() && !IsLikely(10)) return;
    if (!t.holds.empty()) hold = t.holds.back();
    std::string noun = MakeNoun(hold.lock, hold.mode);
    if (IsMonitor(hold.lock) && has_all_) AddLockLine("MonitorExit", thread, hold.lock);
    if (hold.lock == kSemaphore) {
      AddLine("SemaphoreRelease", thread,
              {MakeObject(hold.lock), "2;00000006;00000000;00000011;00000000"});
    } else if (!IsMonitor(hold.lock) && has_all_) {
      AddLockLine(noun + "Release", thread, hold.lock);
    }
    if (!t.holds.empty()) t.holds.pop_back();
    Drop(thread, hold);
    bool is_last = hold.mode == kRead || !Holds(thread, hold.lock, hold.mode);
    if (!IsMonitor(hold.lock) && is_last) Unpark(thread, hold.lock);
  }

  // Wakes the first thread that waits for the lock.
  void Unpark(int thread, int lock) {
    for (int other = 1; other <= num_threads_; other++) {
      if (Get(other).state != kAsks || Get(other).lock != lock) continue;
      AddLine("ThreadUnpark", thread,
              {MakeHash(other), "3;00000020;00000000;00000021;00000000;00000011;00000000"});
      return;
    }
  }

  // Object.wait or Condition.await, if the innermost hold is of a monitor or of a lock.
  void Wait(int thread) {
    Thread &t = Get(thread);
    if (t.holds.empty()) return;
    int lock = t.holds.back().lock;
    if (!IsMonitor(lock) && lock != kLock) return;
    if (CanDeadlock(thread, lock, kUse) && !may_deadlock_) return;
    AddWaitLine("ObjectWait", "ConditionAwait", thread, lock);
    std::vector<Hold> others;
    t.away.clear();
    for (const Hold &hold : t.holds) (hold.lock == lock ? t.away : others).push_back(hold);
    t.holds = others;
    t.lock = lock;
    t.mode = kUse;
    locks_[static_cast<size_t>(lock)].owner = 0;
    t.state = kWaits;
  }
  void AddWaitLine(const char *of_monitor, const char *of_lock, int thread, int lock) {
    if (IsMonitor(lock)) return AddLockLine(of_monitor, thread, lock);
    AddLine(of_lock, thread, {MakeHash(0xA6), MakeStack()});
  }
  void WakeUp(int thread) {
    Thread &t = Get(thread);
    if (IsFree(thread, t.lock, kUse)) {
      Take(thread, t.lock, kUse);
      t.state = kComesBack;
    } else if (IsMonitor(t.lock) && IsLikely(30)) {
      t.is_in_wait = true;
      t.is_try = false;
      BlockOnMonitor(thread);
    }
  }
  void ComeBack(int thread) {
    Thread &t = Get(thread);
    AddWaitLine("ObjectWaited", "ConditionAwaited", thread, t.lock);
    t.is_in_wait = false;
    t.holds.insert(t.holds.end(), t.away.begin(), t.away.end());
    t.state = kRuns;
  }

  std::mt19937 random_;
  bool has_all_;      // acquisitions and releases have lines
  int names_owners_;  // 0: never, 1: at times, 2: always
  bool may_deadlock_;
  int num_threads_, num_samples_ = 0;
  ticks_t now_ = kBegin;
  std::array<Lock, kNumLocks> locks_;
  std::vector<Thread> threads_;  // by number; the first one is 1
  std::string events_, samples_;
};
