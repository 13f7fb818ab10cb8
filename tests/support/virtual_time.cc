#include "tests/support/virtual_time.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include "agent/base/clock.h"
#include "agent/base/semaphore.h"
#include "gtest/gtest.h"
#include "tests/support/eventually.h"

namespace {

// A thread in a wait. It goes on when somebody has posted its semaphore or signalled its condition,
// or at `until_ns`.
struct Sleeper {
  struct semaphore *semaphore;
  pthread_cond_t *condition;
  uint64_t until_ns;
  bool is_signalled = false;
};

bool is_virtual;  // atomic
// These are never destroyed: a detached thread may use them while the process ends.
std::mutex &mutex = *new std::mutex;  // of all below
std::condition_variable &changed = *new std::condition_variable;
std::set<Sleeper *> &sleepers = *new std::set<Sleeper *>;
uint64_t now_ns;
unsigned num_threads;

bool IsVirtual() { return __atomic_load_n(&is_virtual, __ATOMIC_ACQUIRE); }

bool CanGoOn(const Sleeper &s) {
  bool is_posted =
      s.semaphore != nullptr && __atomic_load_n(&s.semaphore->count, __ATOMIC_SEQ_CST) > 0;
  return is_posted || s.is_signalled || s.until_ns <= now_ns;
}

bool IsSettled() {
  return sleepers.size() == num_threads &&
         std::none_of(sleepers.begin(), sleepers.end(), [](auto *s) { return CanGoOn(*s); });
}

void SettleLocked(std::unique_lock<std::mutex> &lock) {
  changed.notify_all();  // readings of the clock let time pass, too
  bool is_good = changed.wait_for(lock, std::chrono::duration<double>(kPatienceSeconds), IsSettled);
  ASSERT_TRUE(is_good) << sleepers.size() << " of " << num_threads << " threads wait";
}

void Sleep(std::unique_lock<std::mutex> &lock, Sleeper *s) {
  sleepers.insert(s);
  changed.notify_all();
  changed.wait(lock, [s] { return CanGoOn(*s); });
  sleepers.erase(s);
}

void NotifySleepers() {
  std::lock_guard<std::mutex> lock(mutex);
  changed.notify_all();
}

void SignalCondition(pthread_cond_t *condition) {
  std::lock_guard<std::mutex> lock(mutex);
  for (Sleeper *s : sleepers) s->is_signalled |= s->condition == condition;
  changed.notify_all();
}

}  // namespace

VirtualTime::VirtualTime(unsigned threads) {
  std::lock_guard<std::mutex> lock(mutex);
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  now_ns = static_cast<uint64_t>(t.tv_sec) * NS_PER_S + static_cast<uint64_t>(t.tv_nsec);
  num_threads = threads;
  __atomic_store_n(&is_virtual, true, __ATOMIC_RELEASE);
}

VirtualTime::~VirtualTime() { __atomic_store_n(&is_virtual, false, __ATOMIC_RELEASE); }

void VirtualTime::Settle() {
  std::unique_lock<std::mutex> lock(mutex);
  SettleLocked(lock);
}

void VirtualTime::Advance(uint64_t ns) {
  std::unique_lock<std::mutex> lock(mutex);
  uint64_t end_ns = now_ns + ns, next_ns = 0;
  while (now_ns < end_ns && !testing::Test::HasFatalFailure()) {
    SettleLocked(lock);
    next_ns = end_ns;
    for (Sleeper *s : sleepers) next_ns = std::min(next_ns, s->until_ns);
    now_ns = next_ns;
    changed.notify_all();
  }
  SettleLocked(lock);
}

void VirtualTime::Pass(uint64_t ns) {
  std::lock_guard<std::mutex> lock(mutex);
  now_ns += ns;
  changed.notify_all();
}

// --- in place of the real functions
// ---------------------------------------------------------------

extern "C" {

uint64_t __real_clock_monotonic_ns(void);
bool __real_semaphore_wait(struct semaphore *s, uint64_t until_ns);
void __real_semaphore_post(struct semaphore *s);
int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
int __real_pthread_cond_broadcast(pthread_cond_t *c);

uint64_t __wrap_clock_monotonic_ns(void) {
  if (!IsVirtual()) return __real_clock_monotonic_ns();
  std::lock_guard<std::mutex> lock(mutex);
  return ++now_ns;
}

bool __wrap_semaphore_wait(struct semaphore *s, uint64_t until_ns) {
  if (!IsVirtual()) return __real_semaphore_wait(s, until_ns);
  std::unique_lock<std::mutex> lock(mutex);
  while (!semaphore_try(s)) {
    Sleeper sleeper = {s, nullptr, until_ns};
    if (until_ns <= now_ns) return false;
    Sleep(lock, &sleeper);
  }
  return true;
}

void __wrap_semaphore_post(struct semaphore *s) {
  __real_semaphore_post(s);
  if (IsVirtual()) NotifySleepers();
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
  if (!IsVirtual()) return __real_pthread_cond_timedwait(c, m, t);
  std::unique_lock<std::mutex> lock(mutex);
  Sleeper sleeper = {
      nullptr, c, static_cast<uint64_t>(t->tv_sec) * NS_PER_S + static_cast<uint64_t>(t->tv_nsec)};
  pthread_mutex_unlock(m);
  Sleep(lock, &sleeper);
  lock.unlock();
  pthread_mutex_lock(m);
  return sleeper.is_signalled ? 0 : ETIMEDOUT;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *c) {
  if (IsVirtual()) SignalCondition(c);
  return __real_pthread_cond_broadcast(c);
}

}  // extern "C"
