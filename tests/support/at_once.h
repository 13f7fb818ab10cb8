#pragma once
// Runs a function on several threads at the same time.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

// Calls act(0) to act(n - 1), each on its own thread, after all threads have started. Returns after
// all calls have returned.
inline void RunConcurrently(int n, const std::function<void(int)> &act) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++) {
    threads.emplace_back([&, i] {
      for (ready++; ready < n;) std::this_thread::yield();
      act(i);
    });
  }
  for (std::thread &t : threads) t.join();
}
