#pragma once
// A recording of thread pools: their threads, tasks and futures. Hashes of threads are small; those
// of executors and tasks are large, so that they are no threads.
#include <string>

#include "gtest/gtest.h"
#include "tests/tools/orca/model/small_dump.h"

class PoolLines : public testing::Test {
 protected:
  PoolLines() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Ljava/util/concurrent/ThreadPoolExecutor;,T.java\n"
                        "100.0000000000,000000D2,Ljava/util/concurrent/FutureTask;,F.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000031,start,()V,000000C2,-1\n"
                        "100.0000000000,00000032,addWorker,()Z,000000D1,-1\n"
                        "100.0000000000,00000033,execute,()V,000000D1,-1\n"
                        "100.0000000000,00000034,ensurePrestart,()V,000000D1,-1\n"
                        "100.0000000000,00000035,processWorkerExit,()V,000000D1,-1\n"
                        "100.0000000000,00000036,getTask,()V,000000D1,-1\n"
                        "100.0000000000,00000037,get,()V,000000D2,-1\n"
                        "100.0000000000,00000038,get,(JLjava/util/concurrent/TimeUnit;)V,000000D2,"
                        "-1\n");
    small_.files.Write(DUMP_EVENTS, "");
    small_.files.Write(DUMP_SAMPLES, "");
    Thread(1, "main");
  }

  void Thread(uint32_t thread, const std::string &name) {
    Line("ThreadStarted," + Hash(thread) + "," + name);
  }
  void Ended(uint32_t thread) { Line("ThreadEnded," + Hash(thread)); }
  void Size(uint32_t executor, int core, int maximum, int64_t capacity = POOL_ENDLESS) {
    Line("PoolSize,00000001," + Hash(executor) + "," + std::to_string(core) + "," +
         std::to_string(maximum) + "," + std::to_string(capacity));
  }
  void Queue(uint32_t by, uint32_t executor, uint32_t task) {
    Line("TaskQueued," + Hash(by) + "," + Hash(task) + "," + Hash(executor) + ",0");
  }
  void Take(uint32_t by, uint32_t task) {
    Line("TaskTaken," + Hash(by) + "," + Hash(task) + ",1;00000036;00000000");
  }
  // A pool starts a worker, in `caller`.
  void StartWorker(uint32_t by, uint32_t worker, const std::string &caller = "00000033") {
    Line("ThreadStart," + Hash(by) + "," + Hash(worker) +
         ",3;00000031;00000000;00000032;00000000;" + caller + ";00000000");
    Thread(worker, "pool-" + std::to_string(worker));
  }
  // A worker with its first task.
  void Work(uint32_t by, uint32_t executor, uint32_t worker, uint32_t task) {
    Queue(by, executor, task);
    StartWorker(by, worker);
  }
  void Get(uint32_t thread, uint32_t task, const std::string &method = "00000037") {
    Line("FutureAwait," + Hash(thread) + "," + Hash(task) + ",2;" + method +
         ";00000000;00000012;00000000");
  }
  void Line(const std::string &line) {
    char time[30];
    snprintf(time, sizeof time, "%.10f,", 101 + 0.001 * num_lines_++);
    small_.files.Append(DUMP_EVENTS, time + line + "\n");
  }
  static std::string Hash(uint32_t hash) {
    char text[9];
    snprintf(text, sizeof text, "%08X", hash);
    return text;
  }

  SmallModel small_;

 private:
  int num_lines_ = 0;
};
