#pragma once
// Time that passes only when a test says so, and by 1 ns whenever somebody reads the clock, so that
// two events have two times. While a VirtualTime exists, clock_monotonic_ns returns it, and
// semaphore_wait and pthread_cond_timedwait end by it. Link the test with VIRTUAL_TIME of
// tests/cc.bzl.
#include <stdint.h>

class VirtualTime {
 public:
  // `num_threads`: the threads that wait while the test lets time pass.
  explicit VirtualTime(unsigned num_threads = 0);
  // No thread may wait any more.
  ~VirtualTime();
  VirtualTime(const VirtualTime &) = delete;
  VirtualTime &operator=(const VirtualTime &) = delete;

  // Returns when all threads wait, and none of them has a reason to go on.
  void Settle();

  // Lets time pass. Each thread whose wait ends meanwhile runs until it waits again.
  void Advance(uint64_t ns);

  // Lets time pass without waiting for the threads: what the current thread does takes this long.
  void Pass(uint64_t ns);
};
