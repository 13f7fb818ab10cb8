#pragma once
// Several threads that begin to act at the same moment.
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

// AtOnce calls act(0) … act(n - 1), each in a thread of its own, and returns when all have.
inline void AtOnce(int n, const std::function<void(int)> &act) {
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
