/* Compares TaskQueued and TaskTaken with the account of a program that uses thread pools. No other
   test compares these events, so this one runs with both engines. */
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

using Tasks = std::map<uint32_t, std::vector<uint32_t>>; /* thread -> tasks in order */

struct Account {
  Tasks queued, ran;
  std::set<uint32_t> periodic;
};

Account ReadAccount(const std::string &output) {
  Account account;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string key;
    uint32_t first = 0, second = 0;
    words >> key >> std::hex >> first >> second;
    if (key == "queued") account.queued[first].push_back(second);
    if (key == "ran") account.ran[first].push_back(second);
    if (key == "periodic") account.periodic.insert(first);
  }
  return account;
}

/* Returns the tasks that each thread gave to a pool. A periodic task queues itself. */
Tasks FindQueued(const Dump &dump, const Account &account) {
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

void ExpectSameTasks(const Tasks &expected, const Tasks &actual) {
  EXPECT_EQ(expected.size(), actual.size());
  for (const auto &[thread, tasks] : expected) {
    auto found = actual.find(thread);
    ASSERT_NE(found, actual.end()) << thread;
    EXPECT_EQ(tasks, found->second) << thread;
  }
}

size_t CountTasks(const Tasks &tasks) {
  size_t num = 0;
  for (const auto &[thread, list] : tasks) num += list.size();
  return num;
}

class TasksTest : public testing::TestWithParam<std::tuple<Setup, std::string>> {};

TEST_P(TasksTest, EventsMatchTheAccount) {
  const auto &[setup, options] = GetParam();
  bool is_repeated = setup.engine == "callbacks" && !options.empty();
  if (is_repeated) GTEST_SKIP() << "engine=callbacks records all acquisitions anyway";
  Session session(setup, Program({"counted.PoolTasks"}, {"-Xcheck:jni", "-Xverify:all"}, options));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  Account account = ReadAccount(session.result().out);
  ASSERT_EQ(account.periodic.size(), 1u);
  ASSERT_EQ(account.queued.size(), 4u);
  ExpectSameTasks(account.queued, FindQueued(session.dump(), account));
  ExpectSameTasks(account.ran, FindRun(session.dump()));
  /* orca path knows each of them, the first task of each worker too. */
  size_t num = CountTasks(account.ran);
  std::string text = session.RunOrca("path", {"--tasks"}).out;
  std::string sentence = "All tasks\n* " + std::to_string(num) + " tasks of ";
  EXPECT_NE(text.find(sentence), std::string::npos) << num << "\n" << text;
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, TasksTest,
                         testing::Combine(testing::ValuesIn(FindSetups()),
                                          testing::Values("", ",locks=all")),
                         [](const auto &info) {
                           return SetupName(std::get<0>(info.param)) +
                                  (std::get<1>(info.param).empty() ? "" : "_all");
                         });

}  // namespace
