#include "tests/e2e/tasks.h"

#include <sstream>

#include "gtest/gtest.h"
#include "tests/support/text.h"

TaskAccount ReadTaskAccount(const std::string &output) {
  TaskAccount account;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string key;
    uint32_t first = 0, second = 0, third = 0;
    words >> key >> std::hex >> first >> second >> third;
    if (key == "queued") account.queued[first].push_back(second);
    if (key == "ran") account.ran[first].push_back(second);
    if (key == "ran") account.executors[second] = third;
    if (key == "periodic") account.periodic.insert(first);
  }
  return account;
}

namespace {

/* Returns the tasks that each thread gave to a pool. A periodic task queues itself. */
Tasks FindQueued(const Dump &dump, const TaskAccount &account) {
  Tasks queued;
  for (const Event &e : dump.events) {
    bool is_again = account.queued.count(e.thread) == 0 && account.periodic.count(e.object) != 0;
    if (e.kind == EVENT_TASK_QUEUED && !is_again) queued[e.thread].push_back(e.object);
  }
  return queued;
}

/* Returns the tasks that each thread ran. The first one of a thread that a pool starts has no
   TaskTaken; the TaskQueued is before the start, in the same thread. */
Tasks FindRun(const Dump &dump) {
  Tasks run;
  std::map<uint32_t, uint32_t> last_queued; /* by thread */
  std::set<uint32_t> taken;
  for (const Event &e : dump.events) {
    if (e.kind == EVENT_TASK_TAKEN) taken.insert(e.object);
  }
  for (const Event &e : dump.events) {
    if (e.kind == EVENT_TASK_TAKEN) run[e.thread].push_back(e.object);
    if (e.kind == EVENT_TASK_QUEUED) last_queued[e.thread] = e.object;
    bool is_of_pool = e.kind == EVENT_THREAD_START && IsCalledByJdk(dump, e.stack);
    uint32_t first = is_of_pool ? last_queued[e.thread] : 0;
    if (first != 0 && taken.count(first) == 0) run[e.object].push_back(first);
  }
  return run;
}

/* A task that was refused ran nowhere. */
void ExpectExecutors(const TaskAccount &account, const Dump &dump) {
  size_t num_checked = 0;
  for (const Event &e : dump.events) {
    auto found = account.executors.find(e.object);
    if (e.kind != EVENT_TASK_QUEUED || found == account.executors.end()) continue;
    EXPECT_EQ(e.executor, found->second) << e.object;
    num_checked++;
  }
  EXPECT_GE(num_checked, account.executors.size());
}

void ExpectSame(const Tasks &expected, const Tasks &actual) {
  EXPECT_EQ(expected.size(), actual.size());
  for (const auto &[thread, tasks] : expected) {
    auto found = actual.find(thread);
    ASSERT_NE(found, actual.end()) << thread;
    EXPECT_EQ(tasks, found->second) << thread;
  }
}

}  // namespace

void ExpectSameTasks(const TaskAccount &account, const Dump &dump) {
  ASSERT_EQ(account.periodic.size(), 1u);
  ASSERT_EQ(account.queued.size(), 4u);
  ExpectSame(account.queued, FindQueued(dump, account));
  ExpectSame(account.ran, FindRun(dump));
  ExpectExecutors(account, dump);
}
