#pragma once
// A thread that uses CPU time, or runs a function, on request. Otherwise it sleeps.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "agent/base/task.h"

class Burner {
 public:
  explicit Burner(const std::string &name) : thread_([this, name] { Run(name); }) { Do(nullptr); }
  ~Burner() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  uint32_t tid() const { return tid_; }

  // Returns the thread's CPU clock in nanoseconds, after waiting until the thread sleeps. A thread
  // that waits for a CPU has a clock that stands, too, but has not given its CPU away by itself.
  int64_t Cpu() {
    int64_t now = -1;
    while (!IsAsleep()) usleep(100);
    task_cpu(tid_, &now);
    return now;
  }

  // Makes the thread use at least `ns` nanoseconds of CPU time, and waits until it sleeps again.
  void Burn(int64_t ns) {
    Do([ns] {
      for (int64_t end = ReadClock() + ns; ReadClock() < end;) {
      }
    });
    Cpu();
  }

  // Runs `act` on the thread and waits until it has returned.
  void Do(std::function<void()> act) {
    std::unique_lock<std::mutex> lock(mutex_);
    act_ = std::move(act);
    has_act_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !has_act_; });
  }

 private:
  // The kernel counts a voluntary switch when the thread has left the CPU and its clock is final.
  // The state excludes a thread that left it for a moment on its way to sleep, as for a page.
  bool IsAsleep() {
    int64_t awake;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      awake = num_switches_;
    }
    std::ifstream file("/proc/self/task/" + std::to_string(tid_) + "/status");
    bool has_state = false, has_switched = false;
    for (std::string key, value; file >> key && std::getline(file, value);) {
      if (key == "State:") has_state = value.find("S (sleeping)") != std::string::npos;
      if (key == "voluntary_ctxt_switches:") has_switched = std::stoll(value) > awake;
    }
    return has_state && has_switched;
  }
  static int64_t CountSwitches() {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }
  static int64_t ReadClock() {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
  }
  void Run(const std::string &name) {
    std::unique_lock<std::mutex> lock(mutex_);
    tid_ = static_cast<uint32_t>(syscall(SYS_gettid));
    pthread_setname_np(pthread_self(), name.c_str());
    while (!is_ending_) {
      if (has_act_ && act_) act_();
      if (has_act_) changed_.notify_all();
      has_act_ = false;
      num_switches_ = CountSwitches();
      changed_.wait(lock, [this] { return has_act_ || is_ending_; });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_act_ = false, is_ending_ = false;
  std::function<void()> act_;
  uint32_t tid_ = 0;
  int64_t num_switches_ = 0;  // before it went to sleep
  std::thread thread_;        // the last member, since the thread uses the others
};
