/* Tests OutOfMemoryError and StackOverflowError in tracked methods and beside calls of locks: the
   events must be those that tests/workloads/faults/Errors.java counts, and no call may stay open.
 */
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

class ErrorsTest : public testing::TestWithParam<Jdk> {};

std::map<std::string, int> ReadCounts(const std::string &out) {
  std::map<std::string, int> counts;
  std::istringstream lines(out);
  int number = 0;
  for (std::string word; lines >> word >> number;) counts[word] = number;
  return counts;
}

/* The name of the method at the top of a stack: ":METHODID" is its first frame. */
std::string FindMethod(const Dump &dump, const std::string &stack) {
  size_t at = stack.find(';');
  if (at == std::string::npos) return "";
  auto method =
      dump.methods.find(static_cast<uint32_t>(std::stoul(stack.substr(at + 1, 8), nullptr, 16)));
  return method == dump.methods.end() ? "" : method->second.name;
}

struct Counts {
  int entries = 0, exits = 0;
  std::map<std::string, int> thrown; /* exits by the class that they threw; "": they returned */
};

/* The exits of a thread belong to its latest entry that is open. */
std::map<std::string, Counts> CountCalls(const Dump &dump) {
  std::map<std::string, Counts> calls;
  std::map<uint32_t, std::vector<std::string>> open;
  for (const Event &e : dump.events) {
    if (e.kind == EVENT_METHOD_ENTRY) {
      open[e.thread].push_back(FindMethod(dump, e.stack));
      calls[open[e.thread].back()].entries++;
    } else if (e.kind == EVENT_METHOD_EXIT && !open[e.thread].empty()) {
      Counts &counts = calls[open[e.thread].back()];
      open[e.thread].pop_back();
      counts.exits++;
      auto thrown = dump.classes.find(e.thrown);
      counts.thrown[thrown == dump.classes.end() ? "" : thrown->second.signature]++;
    }
  }
  return calls;
}

TEST_P(ErrorsTest, TrackedMethodsAndLocksStayExact) {
  std::string track = ",track=faults.Errors.fail+faults.Errors.dive+faults.Errors.succeed";
  Session session(GetParam(), Program({"faults.Errors"}, {"-Xmx64m", "-Xss640k"},
                                      track + ",locks=all,interval=0"));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  std::map<std::string, int> counts = ReadCounts(session.result().out);
  std::map<std::string, Counts> calls = CountCalls(session.dump());
  ASSERT_EQ(counts["fail"], 200);
  EXPECT_EQ(calls["fail"].entries, counts["fail"]);
  EXPECT_EQ(calls["fail"].thrown["Ljava/lang/OutOfMemoryError;"], counts["fail"]);
  EXPECT_EQ(calls["dive"].entries, counts["dive"]);
  EXPECT_EQ(calls["dive"].thrown["Ljava/lang/StackOverflowError;"], counts["dive"]);
  EXPECT_EQ(calls["succeed"].entries, counts["succeed"]);
  EXPECT_EQ(calls["succeed"].thrown[""], counts["succeed"]);
  std::map<enum event_kind, int> events;
  for (const Event &e : session.dump().events) {
    bool is_own =
        FindSignatures(session.dump(), e.object).count("Ljava/util/concurrent/Semaphore;");
    if (is_own) events[e.kind]++;
  }
  EXPECT_EQ(events[EVENT_SEMAPHORE_ACQUIRE], counts["permits"]);
  EXPECT_EQ(events[EVENT_SEMAPHORE_ACQUIRED], counts["permits"]);
  EXPECT_EQ(events[EVENT_SEMAPHORE_RELEASE], counts["permits"]);
  session.ExpectQuiet();
  session.ExpectChecked();
}

INSTANTIATE_TEST_SUITE_P(Jvm, ErrorsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
