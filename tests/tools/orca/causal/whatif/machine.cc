#include "tests/tools/orca/causal/whatif/machine.h"

#include <stdio.h>

#include <algorithm>
#include <cmath>

namespace machine {

namespace {

constexpr double kWakeUp = 0.02;     // ms, of queues and barriers
constexpr double kCpuInterval = 20;  // ms
constexpr double kSchedInterval = 100;
constexpr double kNever = 1e300;
constexpr double kTiny = 1e-9;

constexpr uint32_t kMain = 1;
constexpr uint32_t kLockHash = 0xA0, kQueueHash = 0xB0, kBarrierHash = 0xC0, kSemaphoreHash = 0xD0;
constexpr uint32_t kPoolQueueHash = 0xE0, kTaskHash = 0x1000;

enum {
  kNoMethod,
  kStart,
  kJoin,
  kSleepMethod,
  kLockMethod,
  kUnlockMethod,
  kPutMethod,
  kTakeMethod,
  kAwait,
  kAcquireMethod,
  kReleaseMethod,
  kWork,
  kExecute,
  kAddWorker,
  kGetTask,
  kGetMethod,
  kNumMethods
};

// Which methods call a method.
std::string StackOf(int method, bool is_in_pool) {
  char text[120];
  if (method == kStart && is_in_pool) {
    snprintf(text, sizeof text, ",3;%08X;00000000;%08X;00000000;%08X;00000000", kStart, kAddWorker,
             kExecute);
  } else if (method == kTakeMethod && is_in_pool) {
    snprintf(text, sizeof text, ",2;%08X;00000000;%08X;00000000", kTakeMethod, kGetTask);
  } else {
    snprintf(text, sizeof text, ",1;%08X;00000000", method);
  }
  return text;
}

}  // namespace

std::string FormatTime(double ms) {
  char text[40];
  double s = 100 + ms / 1000;
  snprintf(text, sizeof text, "%.10f", s);
  return text;
}

double Machine::Rate(int ready) const {
  double all = ready + p_.others;
  return all <= p_.cpus ? 1 : p_.cpus / all;
}

void Machine::Log(const char *name, int t, uint32_t object, int method, bool only_all,
                  bool only_contended, bool has_owner, uint32_t owner) {
  events_.push_back(
      {now_, name, Hash(t), object, has_owner, owner, method, only_all, only_contended, false});
}

// Gives CPU time to the running threads.
void Machine::Advance(double to) {
  int ready = 0;
  for (const Thread &t : threads_) ready += t.runs;
  double rate = Rate(ready), time = to - now_;
  for (Thread &t : threads_) {
    if (!t.runs) continue;
    t.left -= time * rate;
    t.cpu += time * rate;
    t.queued += time * (1 - rate);
  }
  now_ = to;
}

// --- locks

bool Machine::TakeLock(int t, const Op &op) {
  Lock &lock = locks_[static_cast<size_t>(op.object)];
  if (lock.owner >= 0 || (!op.is_read && lock.readers > 0)) return false;
  if (op.is_read) {
    lock.readers++;
  } else {
    lock.owner = t;
  }
  return true;
}

void Machine::WakeLock(Lock *lock) {
  if (lock->waiters.empty() || lock->wakes) return;
  lock->wakes = true;
  lock->wake_time = now_ + p_.hand_off_ms;
}

void Machine::Unlock(int t, const Op &op) {
  Lock &lock = locks_[static_cast<size_t>(op.object)];
  if (op.is_read) {
    lock.readers--;
  } else {
    lock.owner = -1;
  }
  (void)t;
  WakeLock(&lock);
}

void Machine::GrantLock(int number) {
  Lock &lock = locks_[static_cast<size_t>(number)];
  lock.wakes = false;
  while (!lock.waiters.empty()) {
    int t = lock.waiters.front();
    const Op &op = OpsOf(t)[threads_[static_cast<size_t>(t)].pc];
    if (!TakeLock(t, op)) return;
    lock.waiters.erase(lock.waiters.begin());
    End(t);
    if (!op.is_read) return;
  }
}

void Machine::GrantPermit(int number) {
  Lock &semaphore = semaphores_[static_cast<size_t>(number)];
  semaphore.wakes = false;
  while (!semaphore.waiters.empty() && semaphore.readers > 0) {
    int t = semaphore.waiters.front();
    semaphore.readers--;
    semaphore.waiters.erase(semaphore.waiters.begin());
    End(t);
  }
}

// --- operations

bool Machine::Begin(int t, const Op &op) {
  Thread &thread = threads_[static_cast<size_t>(t)];
  uint32_t number = static_cast<uint32_t>(op.object);
  size_t at = static_cast<size_t>(op.object);
  thread.had_to_wait = false;
  switch (op.kind) {
    case kCompute:
      thread.left = op.ms;
      thread.runs = op.ms > 0;
      return op.ms <= 0;
    case kSleep:
      Log("ThreadSleep", t, 0, kSleepMethod);
      thread.until = now_ + op.ms;
      return false;
    case kLock: {
      int owner = locks_[at].owner;
      uint32_t hash = owner < 0 ? 0 : Hash(owner);
      Log(op.is_read ? "ReadLockAcquire" : "LockAcquire", t, kLockHash + number, kLockMethod, true,
          false, true, hash);
      if (TakeLock(t, op)) return true;
      Log("MonitorContendedEnter", t, kLockHash + number, kLockMethod, false, true, true, hash);
      thread.had_to_wait = true;
      locks_[at].waiters.push_back(t);
      return false;
    }
    case kUnlock:
      Log(op.is_read ? "ReadLockRelease" : "LockRelease", t, kLockHash + number, kUnlockMethod,
          true);
      Unlock(t, op);
      return true;
    case kAcquire:
      Log("SemaphoreAcquire", t, kSemaphoreHash + number, kAcquireMethod);
      if (semaphores_[at].readers > 0) {
        semaphores_[at].readers--;
        return true;
      }
      semaphores_[at].waiters.push_back(t);
      return false;
    case kRelease:
      Log("SemaphoreRelease", t, kSemaphoreHash + number, kReleaseMethod);
      semaphores_[at].readers++;
      WakeLock(&semaphores_[at]);
      return true;
    case kPut: {
      Queue &q = queues_[at];
      Log("QueueInsert", t, kQueueHash + number, kPutMethod);
      if (!q.takers.empty()) {
        Thread &taker = threads_[static_cast<size_t>(q.takers.front())];
        q.takers.erase(q.takers.begin());
        taker.until = now_ + kWakeUp;
        return true;
      }
      if (q.items < p_.capacities[at]) {
        q.items++;
        return true;
      }
      q.putters.push_back(t);
      return false;
    }
    case kTake: {
      Queue &q = queues_[at];
      Log("QueueRemove", t, kQueueHash + number, kTakeMethod);
      if (q.items == 0) {
        q.takers.push_back(t);
        return false;
      }
      if (!q.putters.empty()) {
        threads_[static_cast<size_t>(q.putters.front())].until = now_ + kWakeUp;
        q.putters.erase(q.putters.begin());
      } else {
        q.items--;
      }
      return true;
    }
    case kMeet: {
      std::vector<int> &waiting = meetings_[at];
      Log("BarrierAwait", t, kBarrierHash + number, kAwait);
      if (static_cast<int>(waiting.size()) + 1 < p_.parties[at]) {
        waiting.push_back(t);
        return false;
      }
      for (int other : waiting) threads_[static_cast<size_t>(other)].until = now_ + kWakeUp;
      waiting.clear();
      return true;
    }
    case kSubmit:
      Submit(t, op.object);
      return true;
    case kGet:
      Log("FutureAwait", t, kTaskHash + number, kGetMethod);
      if (is_done_[at]) return true;
      getters_[at].push_back(t);
      return false;
  }
  return true;
}

void Machine::End(int t) {
  Thread &thread = threads_[static_cast<size_t>(t)];
  const Op &op = OpsOf(t)[thread.pc];
  uint32_t number = static_cast<uint32_t>(op.object);
  switch (op.kind) {
    case kSleep:
      Log("ThreadSlept", t, 0, kSleepMethod);
      break;
    case kLock:
      Log(op.is_read ? "ReadLockAcquired" : "LockAcquired", t, kLockHash + number, kLockMethod,
          true);
      if (thread.had_to_wait) {
        Log("MonitorContendedEntered", t, kLockHash + number, kLockMethod, false, true);
      }
      break;
    case kAcquire:
      Log("SemaphoreAcquired", t, kSemaphoreHash + number, kAcquireMethod);
      break;
    case kPut:
      Log("QueueInserted", t, kQueueHash + number, kPutMethod);
      break;
    case kTake:
      Log("QueueRemoved", t, kQueueHash + number, kTakeMethod);
      break;
    case kMeet:
      Log("BarrierAwaited", t, kBarrierHash + number, kAwait);
      break;
    case kGet:
      Log("FutureAwaited", t, kTaskHash + number, kGetMethod);
      break;
    default:
      break;
  }
  thread.runs = false;
  thread.until = -1;
  thread.pc++;
  Step(t);
}

// Begins operations of a thread until one takes time.
void Machine::Step(int t) {
  Thread &thread = threads_[static_cast<size_t>(t)];
  if (thread.pc < OpsOf(t).size()) {
    if (Begin(t, OpsOf(t)[thread.pc])) End(t);
  } else if (thread.task >= 0) {
    EndTask(t);
  } else {
    EndThread(t);
  }
}

void Machine::EndThread(int t) {
  threads_[static_cast<size_t>(t)].is_done = true;
  Sample(true);
  events_.push_back({now_, "ThreadEnded", Hash(t), 0, false, 0, kNoMethod, false, false, false});
}

// --- pools

const std::vector<Op> &Machine::OpsOf(int t) const {
  const Thread &thread = threads_[static_cast<size_t>(t)];
  static const std::vector<Op> none;
  if (thread.pool < 0) return p_.threads[static_cast<size_t>(t)];
  return thread.task < 0 ? none : p_.tasks[static_cast<size_t>(thread.task)].ops;
}

std::string Machine::NameOf(int t) const {
  size_t at = static_cast<size_t>(t);
  int pool = threads_[at].pool;
  if (pool < 0) return at < p_.names.size() ? p_.names[at] : "worker-" + std::to_string(t + 1);
  const std::vector<int> &workers = pools_[static_cast<size_t>(pool)].workers;
  int number = static_cast<int>(std::find(workers.begin(), workers.end(), t) - workers.begin());
  return "pool-" + std::to_string(pool + 1) + "-thread-" + std::to_string(number + 1);
}

void Machine::MakeWorkers() {
  pools_.resize(p_.pools.size());
  for (size_t i = 0; i < p_.pools.size(); i++) {
    for (int k = 0; k < p_.pools[i]; k++) {
      pools_[i].workers.push_back(static_cast<int>(threads_.size()));
      Thread worker;
      worker.pool = static_cast<int>(i);
      worker.is_done = true;  // until it is started
      threads_.push_back(worker);
    }
  }
  for (const Task &task : p_.tasks) pools_[static_cast<size_t>(task.pool)].left++;
  is_done_.resize(p_.tasks.size());
  getters_.resize(p_.tasks.size());
}

// A new worker runs the task, or a worker without a task, or the next one that is done.
void Machine::Submit(int t, int task) {
  Pool &pool = pools_[static_cast<size_t>(p_.tasks[static_cast<size_t>(task)].pool)];
  Log("TaskQueued", t, kTaskHash + static_cast<uint32_t>(task), kExecute);
  bool is_new = pool.started < static_cast<int>(pool.workers.size());
  if (!is_new && pool.idle.empty()) {
    pool.queue.push_back(task);
    return;
  }
  int worker = is_new ? pool.workers[static_cast<size_t>(pool.started++)] : pool.idle.front();
  if (!is_new) pool.idle.erase(pool.idle.begin());
  Thread &w = threads_[static_cast<size_t>(worker)];
  w.is_done = false;
  w.is_new = is_new;
  w.task = task;
  w.begins = true;
  w.until = now_ + kWakeUp;
  if (!is_new) return;
  events_.push_back(
      {now_, "ThreadStart", Hash(t), Hash(worker), false, 0, kStart, false, false, true});
}

void Machine::BeginTask(int t) {
  Thread &w = threads_[static_cast<size_t>(t)];
  uint32_t queue = kPoolQueueHash + static_cast<uint32_t>(w.pool);
  w.begins = false;
  w.until = -1;
  w.pc = 0;
  if (w.is_new) {
    events_.push_back(
        {now_, "ThreadStarted", Hash(t), 0, false, 0, kNoMethod, false, false, false});
  } else {
    events_.push_back(
        {now_, "QueueRemoved", Hash(t), queue, false, 0, kTakeMethod, false, false, true});
    Log("TaskTaken", t, kTaskHash + static_cast<uint32_t>(w.task), kGetTask);
  }
  w.is_new = false;
  Step(t);
}

void Machine::AskForTask(int t) {
  Thread &w = threads_[static_cast<size_t>(t)];
  Pool &pool = pools_[static_cast<size_t>(w.pool)];
  uint32_t queue = kPoolQueueHash + static_cast<uint32_t>(w.pool);
  events_.push_back(
      {now_, "QueueRemove", Hash(t), queue, false, 0, kTakeMethod, false, false, true});
  if (pool.queue.empty()) {
    pool.idle.push_back(t);
    return;
  }
  w.task = pool.queue.front();
  pool.queue.erase(pool.queue.begin());
  BeginTask(t);
}

// When all tasks of the pool are done, its workers end.
void Machine::EndTask(int t) {
  Thread &w = threads_[static_cast<size_t>(t)];
  Pool &pool = pools_[static_cast<size_t>(w.pool)];
  size_t task = static_cast<size_t>(w.task);
  uint32_t queue = kPoolQueueHash + static_cast<uint32_t>(w.pool);
  is_done_[task] = true;
  for (int getter : getters_[task]) {
    Log("ThreadUnpark", t, Hash(getter), kUnlockMethod);
    threads_[static_cast<size_t>(getter)].until = now_ + kWakeUp;
  }
  w.task = -1;
  pool.left--;
  AskForTask(t);
  if (pool.left > 0) return;
  for (int worker : pool.idle) {
    events_.push_back({now_, "QueueRemoveFailed", Hash(worker), queue, false, 0, kTakeMethod, false,
                       false, true});
    EndThread(worker);
  }
  pool.idle.clear();
}

void Machine::Sample(bool also_queued) {
  char text[120];
  for (size_t i = 0; i < threads_.size(); i++) {
    Thread &t = threads_[i];
    long long cpu = llround((t.cpu - t.written_cpu) * 1e6);
    long long queued = llround((t.queued - t.written_queued) * 1e6);
    if (cpu > 0) {
      snprintf(text, sizeof text, "%s,Cpu,%08X,%lld,1,Java\n", FormatTime(now_).c_str(),
               Hash(static_cast<int>(i)), cpu);
      samples_.push_back(text);
      t.written_cpu = t.cpu;
    }
    if (also_queued && queued > 0) {
      snprintf(text, sizeof text, "%s,Sched,%08X,%lld\n", FormatTime(now_).c_str(),
               Hash(static_cast<int>(i)), queued);
      samples_.push_back(text);
      t.written_queued = t.queued;
    }
  }
}

double Machine::Run(const Program &program) {
  *this = Machine();
  p_ = program;
  threads_.resize(p_.threads.size());
  locks_.resize(32);
  semaphores_.resize(p_.permits.size());
  for (size_t i = 0; i < p_.permits.size(); i++) semaphores_[i].readers = p_.permits[i];
  queues_.resize(p_.capacities.size());
  meetings_.resize(p_.parties.size());
  MakeWorkers();
  for (size_t i = 0; i < p_.threads.size(); i++) Step(static_cast<int>(i));
  double next_cpu = kCpuInterval, next_sched = kSchedInterval;
  for (;;) {
    int ready = 0;
    bool all_done = true;
    for (const Thread &t : threads_) {
      ready += t.runs;
      all_done &= t.is_done;
    }
    if (all_done) break;
    double next = kNever;
    for (const Thread &t : threads_) {
      if (t.runs) next = std::min(next, now_ + std::max(0.0, t.left) / Rate(ready));
      if (t.until >= 0) next = std::min(next, t.until);
    }
    for (const std::vector<Lock> *all : {&locks_, &semaphores_}) {
      for (const Lock &l : *all) {
        if (l.wakes) next = std::min(next, l.wake_time);
      }
    }
    if (next == kNever) return -1;
    if (std::min(next_cpu, next_sched) < next) {
      double time = std::min(next_cpu, next_sched);
      Advance(time);
      Sample(time >= next_sched);
      if (time >= next_cpu) next_cpu += kCpuInterval;
      if (time >= next_sched) next_sched += kSchedInterval;
      continue;
    }
    Advance(next);
    for (size_t i = 0; i < locks_.size(); i++) {
      if (locks_[i].wakes && locks_[i].wake_time <= now_) GrantLock(static_cast<int>(i));
    }
    for (size_t i = 0; i < semaphores_.size(); i++) {
      if (semaphores_[i].wakes && semaphores_[i].wake_time <= now_)
        GrantPermit(static_cast<int>(i));
    }
    for (size_t i = 0; i < threads_.size(); i++) {
      Thread &t = threads_[i];
      bool is_over = (t.runs && t.left <= kTiny) || (t.until >= 0 && t.until <= now_);
      if (is_over && t.begins) {
        BeginTask(static_cast<int>(i));
      } else if (is_over) {
        End(static_cast<int>(i));
      }
    }
  }
  return now_;
}

// --- the recording

void Machine::Write(DumpFiles *files, Form form) const {
  static const char *const methods[kNumMethods] = {
      "",      "start",   "join",    "sleep", "lock",    "unlock",    "put",     "take",
      "await", "acquire", "release", "work",  "execute", "addWorker", "getTask", "get"};
  char text[300];
  std::string events, samples, objects, names;
  const char *lock_class = form == kAllLocks ? "000000C2" : "000000C3";
  files->Write(DUMP_CLASSES,
               "100.0000000000,000000C1,Ljava/lang/Thread;,Thread.java\n"
               "100.0000000000,000000C2,Ljava/util/concurrent/locks/ReentrantLock;,R.java\n"
               "100.0000000000,000000C3,Lcom/acme/Ledger;,Ledger.java\n"
               "100.0000000000,000000C4,Lcom/acme/Worker;,Worker.java\n"
               "100.0000000000,000000C5,Ljava/util/concurrent/Semaphore;,S.java\n"
               "100.0000000000,000000C6,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n");
  for (int i = 1; i < kNumMethods; i++) {
    bool is_of_pool = i >= kExecute && i <= kGetTask;
    snprintf(text, sizeof text, "100.0000000000,%08X,%s,()V,000000%s,-1\n", i, methods[i],
             is_of_pool ? "C6" : "C4");
    names += text;
  }
  files->Write(DUMP_METHODS, names);
  auto add_object = [&](uint32_t hash, const char *id) {
    snprintf(text, sizeof text, "100.0000000000,%08X,%s\n", hash, id);
    objects += text;
  };
  add_object(kMain, "000000C1");
  for (size_t i = 0; i < threads_.size(); i++) add_object(Hash(static_cast<int>(i)), "000000C1");
  for (uint32_t i = 0; i < 32; i++) add_object(kLockHash + i, lock_class);
  for (uint32_t i = 0; i < 8; i++) add_object(kSemaphoreHash + i, "000000C5");
  for (uint32_t i = 0; i < p_.tasks.size(); i++) add_object(kTaskHash + i, "000000C4");
  files->Write(DUMP_OBJECTS, objects);

  events = FormatTime(0) + ",ThreadStarted,00000001,main\n";
  for (size_t i = 0; i < p_.threads.size(); i++) {
    std::string name = NameOf(static_cast<int>(i));
    snprintf(text, sizeof text, "%s,ThreadStart,00000001,%08X,1;00000001;00000000\n",
             FormatTime(0).c_str(), Hash(static_cast<int>(i)));
    events += text;
    snprintf(text, sizeof text, "%s,ThreadStarted,%08X,%s\n", FormatTime(0).c_str(),
             Hash(static_cast<int>(i)), name.c_str());
    events += text;
  }
  // main joins the threads one after the other.
  std::vector<double> ends(threads_.size(), -1);
  for (const Event &e : events_) {
    if (e.name == "ThreadEnded") ends[e.thread - Hash(0)] = e.time;
  }
  std::vector<std::pair<double, std::string>> joins;
  double time = 0;
  for (size_t i = 0; i < threads_.size(); i++) {
    if (ends[i] < 0) continue;  // a worker that was never started
    snprintf(text, sizeof text, ",00000001,%08X,1;00000002;00000000\n", Hash(static_cast<int>(i)));
    joins.push_back({time, FormatTime(time) + ",ThreadJoin" + text});
    time = std::max(time, ends[i]);
    joins.push_back({time, FormatTime(time) + ",ThreadJoined" + text});
  }
  size_t num = 3 + 4 * threads_.size(), join = 0;
  for (const Event &e : events_) {
    while (join < joins.size() && joins[join].first < e.time) events += joins[join++].second;
    if ((e.only_all && form != kAllLocks) || (e.only_contended && form != kContended)) continue;
    events += FormatTime(e.time) + "," + e.name;
    snprintf(text, sizeof text, ",%08X", e.thread);
    events += text;
    if (e.object != 0) snprintf(text, sizeof text, ",%08X", e.object);
    if (e.object != 0) events += text;
    if (e.has_owner) snprintf(text, sizeof text, ",%08X", e.owner);
    if (e.has_owner) events += text;
    if (e.name == "ThreadStarted") events += "," + NameOf(static_cast<int>(e.thread - Hash(0)));
    if (e.method != kNoMethod) events += StackOf(e.method, e.is_in_pool);
    events += "\n";
    num++;
  }
  while (join < joins.size()) events += joins[join++].second;
  events += FormatTime(now_) + ",ThreadEnded,00000001\n";
  files->Write(DUMP_EVENTS, events);

  samples = FormatTime(0) + ",Stack,1,1;0000000B;00000000\n";
  for (const std::string &line : samples_) samples += line;
  files->Write(DUMP_SAMPLES, samples);
  snprintf(text, sizeof text,
           "format=1\norca.version=0.1.0\npid=4711\njava.version=17.0.9\ncommand=java Shop\n"
           "options=out,events=all,interval=20ms%s\nstart.monotonic=%s\n"
           "start.utc=2026-11-20T11:37:36.123456789Z\n",
           form == kAllLocks ? ",locks=all" : "", FormatTime(0).c_str());
  std::string info = text;
  snprintf(text, sizeof text,
           "cpus.allowed=%d\nend.monotonic=%s\nend.reason=exit\nevents.written=%zu\n"
           "events.dropped=0\nevents.waited=0\nsamples.written=%zu\nsampler=signal\n",
           p_.cpus, FormatTime(now_).c_str(), num, samples_.size());
  files->Write(DUMP_INFO, info + text);
}

// --- edits

namespace {

// The operations of all threads and of all tasks.
std::vector<std::vector<Op> *> AllOps(Program *p) {
  std::vector<std::vector<Op> *> all;
  for (std::vector<Op> &ops : p->threads) all.push_back(&ops);
  for (Task &task : p->tasks) all.push_back(&task.ops);
  return all;
}

}  // namespace

Program WithoutLock(Program p, int lock) {
  for (std::vector<Op> *ops : AllOps(&p)) {
    ops->erase(std::remove_if(ops->begin(), ops->end(),
                              [&](const Op &op) {
                                return (op.kind == kLock || op.kind == kUnlock) &&
                                       op.object == lock;
                              }),
               ops->end());
  }
  return p;
}

Program WithShorterHolds(Program p, int lock, double less) {
  for (std::vector<Op> *ops : AllOps(&p)) {
    bool is_inside = false;
    for (Op &op : *ops) {
      if (op.kind == kLock && op.object == lock) is_inside = true;
      if (op.kind == kUnlock && op.object == lock) is_inside = false;
      if (is_inside) op.ms *= 1 - less;
    }
  }
  return p;
}

Program WithPool(Program p, int pool, int threads) {
  p.pools[static_cast<size_t>(pool)] = threads;
  return p;
}

Program WithReads(Program p, int lock) {
  for (std::vector<Op> *ops : AllOps(&p)) {
    for (Op &op : *ops) {
      if ((op.kind == kLock || op.kind == kUnlock) && op.object == lock) op.is_read = true;
    }
  }
  return p;
}

}  // namespace machine
