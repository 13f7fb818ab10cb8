#pragma once
// A small language of concurrent programs, and a machine that runs them exactly. It shares no code
// with the simulation of the orca program: it knows the program itself, not a recording of it. It
// also writes the recording that the agent would make.
#include <stdint.h>

#include <string>
#include <vector>

#include "tests/support/dump_files.h"

namespace machine {

enum OpKind {
  kCompute,
  kSleep,
  kLock,
  kUnlock,
  kAcquire,
  kRelease,
  kPut,
  kTake,
  kMeet,
  kSubmit,  // gives a task to its pool
  kGet      // waits until a task is done
};

struct Op {
  OpKind kind;
  int object = 0;  // number of the lock, semaphore, queue, barrier or task
  double ms = 0;   // of compute and sleep
  bool is_read = false;
};

struct Task {
  int pool = 0;
  std::vector<Op> ops;
};

struct Program {
  int cpus = 2;
  int others = 0;             // threads of other programs that always run
  double hand_off_ms = 0.05;  // from a release until a waiter runs
  std::vector<std::vector<Op>> threads;
  std::vector<std::string> names;  // of the threads; empty: worker-1, worker-2, …
  std::vector<int> permits;        // of the semaphores
  std::vector<int> capacities;     // of the queues
  std::vector<int> parties;        // of the barriers
  std::vector<int> pools;          // largest number of threads of each pool
  std::vector<Task> tasks;         // each is submitted once; a pool ends when its tasks are done
};

// What the recording has about locks.
enum Form {
  kAllLocks,  // each lock and unlock, of a java.util.concurrent lock
  kContended  // each contended enter of a monitor
};

class Machine {
 public:
  // Runs the program. Returns its time in milliseconds; below 0: it hangs.
  double Run(const Program &program);

  // Writes the recording of the run.
  void Write(DumpFiles *files, Form form) const;

 private:
  struct Thread {
    size_t pc = 0;
    double left = 0;    // CPU time
    double until = -1;  // when it goes on; below 0: not known
    bool runs = false, waits = false, is_done = false, had_to_wait = false;
    double cpu = 0, queued = 0;  // so far
    double written_cpu = 0, written_queued = 0;
    int pool = -1;        // of a worker
    int task = -1;        // that the worker runs, or will run when it wakes up
    bool begins = false;  // the worker wakes up, and then begins its task
    bool is_new = false;  // it was started for its task
  };
  struct Pool {
    int started = 0, left = 0;  // workers; tasks that are not done
    std::vector<int> workers, idle, queue;
  };
  struct Lock {
    int owner = -1, readers = 0;
    bool wakes = false;
    double wake_time = 0;
    std::vector<int> waiters;
  };
  struct Queue {
    int items = 0;
    std::vector<int> putters, takers;
  };
  struct Event {
    double time;
    std::string name;
    uint32_t thread;
    uint32_t object;  // 0: none
    bool has_owner;
    uint32_t owner;
    int method;
    bool only_all, only_contended;
    bool is_in_pool;  // the JDK makes the call in a pool
  };

  double Rate(int ready) const;
  void Advance(double to);
  void Step(int t);
  const std::vector<Op> &OpsOf(int t) const;
  void MakeWorkers();
  void Submit(int t, int task);
  void BeginTask(int t);
  void EndTask(int t);
  void AskForTask(int t);
  void EndThread(int t);
  std::string NameOf(int t) const;
  bool Begin(int t, const Op &op);  // returns whether the operation is done at once
  void End(int t);                  // the operation of the thread is over
  bool TakeLock(int t, const Op &op);
  void Unlock(int t, const Op &op);
  void WakeLock(Lock *lock);
  void GrantLock(int number);
  void GrantPermit(int number);
  void Sample(bool also_queued);
  void Log(const char *name, int t, uint32_t object, int method, bool only_all = false,
           bool only_contended = false, bool has_owner = false, uint32_t owner = 0);
  static uint32_t Hash(int t) { return 16 + static_cast<uint32_t>(t); }

  Program p_;
  double now_ = 0;
  std::vector<Thread> threads_;
  std::vector<Lock> locks_, semaphores_;
  std::vector<Queue> queues_;
  std::vector<std::vector<int>> meetings_;
  std::vector<Pool> pools_;
  std::vector<bool> is_done_;              // by task
  std::vector<std::vector<int>> getters_;  // by task
  std::vector<Event> events_;
  std::vector<std::string> samples_;
};

std::string FormatTime(double ms);

// Edits of programs, made on the program itself.
Program WithoutLock(Program p, int lock);
Program WithShorterHolds(Program p, int lock, double less);
Program WithReads(Program p, int lock);
Program WithPool(Program p, int pool, int threads);

}  // namespace machine
