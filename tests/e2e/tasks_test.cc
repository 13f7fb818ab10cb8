/* Compares TaskQueued and TaskTaken with the account of a program that uses thread pools. */
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/tasks.h"

namespace {

size_t CountTasks(const Tasks &tasks) {
  size_t num = 0;
  for (const auto &[thread, list] : tasks) num += list.size();
  return num;
}

class TasksTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {};

TEST_P(TasksTest, EventsMatchTheAccount) {
  const auto &[jdk, options] = GetParam();
  Session session(jdk, Program({"counted.PoolTasks"}, {"-Xcheck:jni", "-Xverify:all"}, options));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  TaskAccount account = ReadTaskAccount(session.result().out);
  ExpectSameTasks(account, session.dump());
  /* orca path knows each of them, the first task of each worker too. */
  size_t num = CountTasks(account.ran);
  std::string text = session.RunOrca("path", {"--tasks"}).out;
  std::string sentence = "All tasks\n* " + std::to_string(num) + " tasks of ";
  EXPECT_NE(text.find(sentence), std::string::npos) << num << "\n" << text;
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, TasksTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::Values("", ",locks=all")),
                         [](const auto &info) {
                           return std::get<0>(info.param).name +
                                  (std::get<1>(info.param).empty() ? "" : "_all");
                         });

}  // namespace
