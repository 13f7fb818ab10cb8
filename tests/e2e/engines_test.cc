/* Tests that both engines, and both ways to find a stack, record the same about a deterministic
   program: the same events, each with the same thread, class of object and callers. */
#include <algorithm>
#include <regex>
#include <string>
#include <tuple>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

/* The parts of an event that are equal in two runs: event, name of the thread, class of the object,
   callers. */
using Fact = std::tuple<std::string, std::string, std::string, std::string>;

std::string FormatFact(const Fact &fact) {
  const auto &[event, thread, object, callers] = fact;
  return event + " of " + thread + " on " + object + " called from\n" + callers;
}

/* Removes the serial numbers that the JVM puts into the names of generated classes. */
std::string RemoveSerial(const std::string &signature) {
  static const std::regex kLambda(R"((\$\$Lambda|LambdaForm\$D?MH|GeneratedMethodAccessor).*;)");
  return std::regex_replace(signature, kLambda, "$1;");
}

std::string FormatClass(const Dump &dump, uint32_t class_id) {
  auto it = dump.classes.find(class_id);
  return it == dump.classes.end() ? "?" : RemoveSerial(it->second.signature);
}

std::string FormatClassesOfObject(const Dump &dump, uint32_t object) {
  std::string classes;
  for (const std::string &s : FindSignatures(dump, object)) classes += RemoveSerial(s) + " ";
  return classes;
}

/* Returns all frames except the innermost one, whose location may differ between the engines. */
std::string FormatCallers(const Dump &dump, const std::string &stack) {
  std::string callers;
  struct span rest = stack_frames({stack.data(), stack.size()});
  struct frame frame;
  for (bool innermost = true; stack_next(&rest, &frame); innermost = false) {
    if (innermost) continue;
    const Method &m = dump.methods.at(frame.method);
    callers += "  " + FormatClass(dump, m.class_id) + m.name + m.signature + " " +
               std::to_string(frame.location) + "\n";
  }
  return callers;
}

/* Returns the facts of the workload's own threads. Contention counts only on its own locks, since
   the JDK has contended locks too. */
std::vector<Fact> FindFacts(const Session &session) {
  const Story &story = session.story();
  const Dump &dump = session.dump();
  std::vector<Fact> facts;
  for (const Event &e : dump.events) {
    auto thread = story.threads.find(e.thread);
    bool contention = event_infos[e.kind].group == GROUP_MONITOR;
    if (thread == story.threads.end() || (contention && story.locks.count(e.object) == 0)) continue;
    bool depends_on_load = e.kind == EVENT_MONITOR_OWNER || e.kind == EVENT_MONITOR_HELD;
    depends_on_load |= e.kind == EVENT_THREAD_UNPARK && IsCalledByJdk(dump, e.stack);
    if (depends_on_load) continue;
    std::string callers = e.stack.empty() ? "" : FormatCallers(dump, e.stack);
    facts.emplace_back(event_infos[e.kind].name, thread->second,
                       FormatClassesOfObject(dump, e.object), callers);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

class EnginesTest : public testing::TestWithParam<std::tuple<Jdk, std::string>> {
 protected:
  std::vector<Fact> Run(const std::string &engine, const std::string &options = "") {
    const auto &[jdk, workload] = GetParam();
    Session session({jdk, engine}, Program({"counted." + workload}, {}, options));
    session.Wait();
    EXPECT_EQ(session.result().status, 0) << session.result().err;
    EXPECT_EQ(session.dump().info.at("stacks.differed"), "0");
    skipped_ = session.story().skipped;
    return FindFacts(session);
  }

  static void ExpectSame(const std::vector<Fact> &by_default, const std::vector<Fact> &other) {
    std::vector<Fact> more, less;
    std::set_difference(by_default.begin(), by_default.end(), other.begin(), other.end(),
                        std::back_inserter(more));
    std::set_difference(other.begin(), other.end(), by_default.begin(), by_default.end(),
                        std::back_inserter(less));
    EXPECT_EQ(by_default.size(), other.size());
    EXPECT_TRUE(more.empty()) << more.size() << " facts only by default, for example "
                              << FormatFact(more[0]);
    EXPECT_TRUE(less.empty()) << less.size() << " facts only in the other way, for example "
                              << FormatFact(less[0]);
  }

  std::string skipped_;
};

TEST_P(EnginesTest, RecordTheSame) {
  std::vector<Fact> weave = Run("weave"), callbacks = Run("callbacks");
  if (!skipped_.empty()) GTEST_SKIP() << skipped_;
  ASSERT_FALSE(weave.empty());
  ExpectSame(weave, callbacks);
}

TEST_P(EnginesTest, RecordTheSameStacksIfEachIsWalked) {
  std::vector<Fact> cached = Run("weave"), jvmti = Run("weave", ",walk=jvmti");
  if (!skipped_.empty()) GTEST_SKIP() << skipped_;
  ASSERT_FALSE(jvmti.empty());
  ExpectSame(jvmti, cached);
}

/* Programs whose number of waits depends on chance are left out. */
INSTANTIATE_TEST_SUITE_P(
    Jvm, EnginesTest,
    testing::Combine(testing::ValuesIn(FindJdks()),
                     testing::Values("Waits", "Sleeps", "Joins", "Semaphores", "Starts", "Monitors",
                                     "Names", "ManyThreads", "Unloading", "OddNames")),
    [](const auto &info) { return std::get<1>(info.param) + "_" + std::get<0>(info.param).name; });

}  // namespace
