#pragma once
// A thread of the test's own that uses CPU time when it is told to, and sleeps else.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <condition_variable>
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
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  uint32_t tid() const { return tid_; }

  // Its CPU clock, once it sleeps: nothing moves it then.
  int64_t Cpu() const {
    int64_t now = -1, before = -2;
    while (now != before) {
      before = now;
      task_cpu(tid_, &now);
      usleep(1000);
    }
    return now;
  }

  // Uses so much more CPU time, and sleeps again when it returns.
  void Burn(int64_t ns) {
    Do([ns] {
      for (int64_t end = Clock() + ns; Clock() < end;) {
      }
    });
    Cpu();
  }

  // Do runs an act in the thread and waits for its end.
  void Do(std::function<void()> act) {
    std::unique_lock<std::mutex> lock(mutex_);
    act_ = std::move(act);
    has_act_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !has_act_; });
  }

 private:
  static int64_t Clock() {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
  }
  void Run(const std::string &name) {
    std::unique_lock<std::mutex> lock(mutex_);
    tid_ = static_cast<uint32_t>(syscall(SYS_gettid));
    pthread_setname_np(pthread_self(), name.c_str());
    while (!ends_) {
      if (has_act_ && act_) act_();
      if (has_act_) changed_.notify_all();
      has_act_ = false;
      changed_.wait(lock, [this] { return has_act_ || ends_; });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_act_ = false, ends_ = false;
  std::function<void()> act_;
  uint32_t tid_ = 0;
  std::thread thread_;  // the last one: it uses the others
};
