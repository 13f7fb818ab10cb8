#include "sampler/tasks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

namespace fs = std::filesystem;

// A folder like /proc/self/task, and the tasks that scans of it report.
class TasksTest : public testing::Test {
 protected:
  TasksTest() : folder_(fs::path(testing::TempDir()) / ("tasks-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    tasks_.folder = (path_ = folder_.string()).c_str();
    tasks_.source = {IsJava, nullptr, this};
  }
  ~TasksTest() override {
    tasks_free(&tasks_);
    fs::remove_all(folder_);
  }

  void WriteTask(uint32_t tid, const std::string &name, const std::string &schedstat) {
    fs::path task = folder_ / std::to_string(tid);
    fs::create_directory(task);
    std::ofstream(task / "comm") << name << "\n";
    std::ofstream(task / "schedstat") << schedstat << "\n";
  }
  void RemoveTask(uint32_t tid) { fs::remove_all(folder_ / std::to_string(tid)); }

  void ScanBase() { ASSERT_TRUE(tasks_scan(&tasks_, nullptr, nullptr)); }

  // Returns tid -> line. A line has the kind (or "java" and the hash), CPU time, wait time and
  // name: "Jit 5 7 C2".
  std::map<uint32_t, std::string> Scan() {
    lines_.clear();
    EXPECT_TRUE(tasks_scan(&tasks_, AddLine, this));
    return lines_;
  }

  static void AddLine(void *self, const struct task *task, const struct task_use *use) {
    auto &lines = static_cast<TasksTest *>(self)->lines_;
    std::string kind = task->is_java ? "java " + std::to_string(use->thread)
                                     : std::string(task_kind_infos[task->kind].name);
    std::string text = kind + " " + std::to_string(use->cpu_ns) + " " +
                       std::to_string(use->wait_ns) + " " + task->name;
    EXPECT_TRUE(lines.emplace(task->tid, text).second);
  }
  static bool IsJava(void *self, uint32_t tid, const char *, uint32_t *thread, int64_t *native) {
    auto *test = static_cast<TasksTest *>(self);
    *thread = test->java_.count(tid) ? test->java_[tid] : 0;
    *native = *thread == 0 && test->native_.count(tid) ? test->native_[tid] : 0;
    return *thread != 0;
  }

  fs::path folder_;
  std::string path_;
  struct tasks tasks_ = {};
  std::map<uint32_t, uint32_t> java_;
  std::map<uint32_t, int64_t> native_;
  std::map<uint32_t, std::string> lines_;
};

using Lines = std::map<uint32_t, std::string>;

TEST_F(TasksTest, ReportsNoTimeFromBeforeTheFirstScan) {
  WriteTask(10, "C2 CompilerThre", "5000 700 9");
  ScanBase();
  EXPECT_EQ(Scan(), Lines{});
  WriteTask(10, "C2 CompilerThre", "5030 705 10");
  EXPECT_EQ(Scan(), (Lines{{10, "Jit 30 5 C2 CompilerThre"}}));
  EXPECT_EQ(Scan(), Lines{});
}

TEST_F(TasksTest, ALaterTaskCountsFromZero) {
  ScanBase();
  WriteTask(11, "GC Thread#0", "40 3 1");
  EXPECT_EQ(Scan(), (Lines{{11, "Gc 40 3 GC Thread#0"}}));
  WriteTask(12, "zlib", "0 0 0");
  EXPECT_EQ(Scan(), (Lines{{12, "Native 0 0 zlib"}})) << "a new name is reported";
}

TEST_F(TasksTest, ForgetsAnEndedTaskWhoseTidIsReused) {
  WriteTask(10, "VM Thread", "100 0 1");
  WriteTask(11, "VM Thread", "100 0 1");
  ScanBase();
  EXPECT_TRUE(tasks_has(&tasks_, 11));
  RemoveTask(11);
  EXPECT_EQ(Scan(), Lines{});
  EXPECT_FALSE(tasks_has(&tasks_, 11));
  EXPECT_TRUE(tasks_has(&tasks_, 10));
  WriteTask(11, "late", "30 0 1");
  EXPECT_EQ(Scan(), (Lines{{11, "Native 30 0 late"}}));
  WriteTask(11, "later", "20 0 1"); /* the tid was reused between two scans */
  EXPECT_EQ(Scan(), (Lines{{11, "Native 20 0 later"}}));
}

TEST_F(TasksTest, ARenamedNativeThreadChangesItsKind) {
  WriteTask(10, "java", "100 0 1");
  ScanBase();
  WriteTask(10, "GC Thread#1", "130 1 2");
  EXPECT_EQ(Scan(), (Lines{{10, "Gc 30 1 GC Thread#1"}}));
}

TEST_F(TasksTest, JavaThreadsHaveTheirHash) {
  java_[10] = 0xA;
  WriteTask(10, "main", "100 5 1");
  ScanBase();
  WriteTask(10, "main", "150 9 1");
  EXPECT_EQ(Scan(), (Lines{{10, "java 10 50 4 main"}}));
}

TEST_F(TasksTest, ADetachedThreadCountsAsNativeFromThenOn) {
  java_[10] = 0xA;
  WriteTask(10, "pool", "100 0 1");
  ScanBase();
  java_.clear();
  native_[10] = 170;
  WriteTask(10, "pool", "200 0 1");
  EXPECT_EQ(Scan(), (Lines{{10, "Native 30 0 pool"}}));
  WriteTask(10, "pool", "240 0 1");
  EXPECT_EQ(Scan(), (Lines{{10, "Native 40 0 pool"}}));
}

TEST_F(TasksTest, TakesTheWaitOfAnEndedTaskOnce) {
  WriteTask(10, "worker", "100 50 1");
  ScanBase();
  EXPECT_EQ(tasks_take_wait(&tasks_, 10, 70), 20);
  EXPECT_EQ(tasks_take_wait(&tasks_, 10, 70), 0);
  EXPECT_EQ(tasks_take_wait(&tasks_, 10, 30), 30) << "the tid was reused";
  EXPECT_EQ(tasks_take_wait(&tasks_, 11, 5), 5) << "the task started and ended between two scans";
}

TEST_F(TasksTest, UsesTheCpuClockWithoutSchedstat) {
  WriteTask(10, "VM Thread", "");
  fs::remove(folder_ / "10" / "schedstat");
  static int64_t cpu;
  cpu = 500;
  tasks_.source.cpu = [](void *, uint32_t, int64_t *out) {
    *out = cpu;
    return true;
  };
  ScanBase();
  cpu = 520;
  EXPECT_EQ(Scan(), (Lines{{10, "Vm 20 -1 VM Thread"}}));
}

TEST_F(TasksTest, IgnoresOtherFoldersAndUnreadableTasks) {
  fs::create_directory(folder_ / "x1");
  fs::create_directory(folder_ / "13"); /* ended during the scan */
  WriteTask(14, "odd", "abc");
  WriteTask(15, "odd", "-5 3 1");
  ScanBase();
  EXPECT_EQ(Scan(), Lines{});
  EXPECT_FALSE(tasks_has(&tasks_, 13));
  fs::remove_all(folder_);
  EXPECT_FALSE(tasks_scan(&tasks_, nullptr, nullptr));
}

TEST_F(TasksTest, ReportsOnlyTasksThatRan) {
  for (uint32_t tid = 100; tid < 400; tid++) WriteTask(tid, "idle", "100 0 1");
  ScanBase();
  WriteTask(150, "idle", "101 0 1");
  EXPECT_EQ(Scan(), (Lines{{150, "Native 1 0 idle"}}));
  for (uint32_t tid = 100; tid < 400; tid += 2) RemoveTask(tid);
  WriteTask(151, "idle", "102 0 1");
  EXPECT_EQ(Scan(), (Lines{{151, "Native 2 0 idle"}}));
  EXPECT_FALSE(tasks_has(&tasks_, 150));
}

/* The names that HotSpot 8 to 28 uses, as the kernel has them. */
TEST(TaskKind, IsDerivedFromTheName) {
  const std::map<std::string, enum task_kind> kinds = {
      {"C1 CompilerThre", TASK_KIND_JIT},
      {"C2 CompilerThre", TASK_KIND_JIT},
      {"Sweeper thread", TASK_KIND_JIT},
      {"GC Thread#12", TASK_KIND_GC},
      {"G1 Main Marker", TASK_KIND_GC},
      {"G1 Conc#0", TASK_KIND_GC},
      {"G1 Refine#0", TASK_KIND_GC},
      {"G1 Service", TASK_KIND_GC},
      {"ZWorkerOld#0", TASK_KIND_GC},
      {"ZWorker#0", TASK_KIND_GC},
      {"ZDriverMinor", TASK_KIND_GC},
      {"ZDirector", TASK_KIND_GC},
      {"ZStat", TASK_KIND_GC},
      {"ZUncommitter#0", TASK_KIND_GC},
      {"RuntimeWorker#0", TASK_KIND_GC},
      {"Shenandoah GC T", TASK_KIND_GC},
      {"Shenandoah Cont", TASK_KIND_GC},
      {"GC task thread#", TASK_KIND_GC}, /* JDK 8, also the next three */
      {"Gang worker#0 (", TASK_KIND_GC},
      {"Concurrent Mark", TASK_KIND_GC},
      {"String Deduplic", TASK_KIND_GC},
      {"CMS Main Thread", TASK_KIND_GC},  /* JDK 11 */
      {"C1 Comp..hread0", TASK_KIND_JIT}, /* since JDK 26, also the rest of this block */
      {"C2 Comp..hread0", TASK_KIND_JIT},
      {"G1 Refi..kers#0", TASK_KIND_GC},
      {"StringD..Thread", TASK_KIND_GC},
      {"Shenand..Thread", TASK_KIND_GC},
      {"ShenControl", TASK_KIND_GC},
      {"ShenRegulator", TASK_KIND_GC},
      {"ShenUncommit", TASK_KIND_GC},
      {"ShenWorker#0", TASK_KIND_GC},
      {"VM Peri..Thread", TASK_KIND_VM},
      {"Monitor..Thread", TASK_KIND_VM},
      {"Notific..Thread", TASK_KIND_VM},
      {"VM Thread", TASK_KIND_VM},
      {"VM Periodic Tas", TASK_KIND_VM},
      {"Service Thread", TASK_KIND_VM},
      {"Monitor Deflati", TASK_KIND_VM},
      {"Orca sampler", TASK_KIND_ORCA},
      {"orca-writer", TASK_KIND_ORCA},
      {"java", TASK_KIND_NATIVE},
      {"", TASK_KIND_NATIVE},
      {"grpc-worker", TASK_KIND_NATIVE},
  };
  for (const auto &[name, kind] : kinds) EXPECT_EQ(find_task_kind(name.c_str()), kind) << name;
}

}  // namespace
