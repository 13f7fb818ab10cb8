/* Both engines tell the same of a deterministic program, and so do both ways to take a stack: the
   same events, each of the same thread, about an object of the same class, called from the same
   place. */
#include <algorithm>
#include <regex>
#include <string>
#include <tuple>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

/* Event, name of the thread, class of the object, callers: what two runs have in common. */
using Fact = std::tuple<std::string, std::string, std::string, std::string>;

std::string Spell(const Fact &fact) {
  const auto &[event, thread, object, callers] = fact;
  return event + " of " + thread + " on " + object + " called from\n" + callers;
}

/* The JVM makes up names for the classes of lambdas and method handles. */
std::string WithoutSerial(const std::string &signature) {
  static const std::regex kLambda(R"((\$\$Lambda|LambdaForm\$D?MH|GeneratedMethodAccessor).*;)");
  return std::regex_replace(signature, kLambda, "$1;");
}

std::string ClassOf(const Dump &dump, uint32_t class_id) {
  auto it = dump.classes.find(class_id);
  return it == dump.classes.end() ? "?" : WithoutSerial(it->second.signature);
}

std::string ObjectOf(const Dump &dump, uint32_t object) {
  std::string classes;
  for (const std::string &s : FindSignatures(dump, object)) classes += WithoutSerial(s) + " ";
  return classes;
}

/* All frames but the innermost: there the engines may differ in where in the method they look. */
std::string CallersOf(const Dump &dump, const std::string &stack) {
  std::string callers;
  struct span rest = stack_frames({stack.data(), stack.size()});
  struct frame frame;
  for (bool innermost = true; stack_next(&rest, &frame); innermost = false) {
    if (innermost) continue;
    const Method &m = dump.methods.at(frame.method);
    callers += "  " + ClassOf(dump, m.class_id) + m.name + m.signature + " " +
               std::to_string(frame.location) + "\n";
  }
  return callers;
}

/* Of the workload's own threads and, where they contend, its own locks: the JDK has some too. */
std::vector<Fact> FactsOf(const Session &session) {
  const Story &story = session.story();
  const Dump &dump = session.dump();
  std::vector<Fact> facts;
  for (const Event &e : dump.events) {
    auto thread = story.threads.find(e.thread);
    bool contention = event_infos[e.kind].group == GROUP_MONITOR;
    if (thread == story.threads.end() || (contention && story.locks.count(e.object) == 0)) continue;
    if (e.kind == EVENT_MONITOR_OWNER) continue; /* a matter of how busy the machine is */
    std::string callers = e.stack.empty() ? "" : CallersOf(dump, e.stack);
    facts.emplace_back(event_infos[e.kind].name, thread->second, ObjectOf(dump, e.object), callers);
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
    return FactsOf(session);
  }

  /* `a` of weave as it is by default, `b` of another way to record. */
  static void ExpectSame(const std::vector<Fact> &a, const std::vector<Fact> &b) {
    std::vector<Fact> more, less;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(more));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(less));
    EXPECT_EQ(a.size(), b.size());
    EXPECT_TRUE(more.empty()) << more.size() << " by default alone, such as " << Spell(more[0]);
    EXPECT_TRUE(less.empty()) << less.size() << " otherwise alone, such as " << Spell(less[0]);
  }

  std::string skipped_;
};

TEST_P(EnginesTest, TellTheSame) {
  std::vector<Fact> weave = Run("weave"), callbacks = Run("callbacks");
  if (!skipped_.empty()) GTEST_SKIP() << skipped_;
  ASSERT_FALSE(weave.empty());
  ExpectSame(weave, callbacks);
}

TEST_P(EnginesTest, TellTheSameWithStacksByTheFastWalk) {
  std::vector<Fact> jvmti = Run("weave"), async = Run("weave", ",walk=async");
  if (!skipped_.empty()) GTEST_SKIP() << skipped_;
  ASSERT_FALSE(jvmti.empty());
  ExpectSame(jvmti, async);
}

/* Not among them: programs in which it is chance who waits how often. */
INSTANTIATE_TEST_SUITE_P(
    Jvm, EnginesTest,
    testing::Combine(testing::ValuesIn(FindJdks()),
                     testing::Values("Waits", "Sleeps", "Joins", "Semaphores", "Starts", "Monitors",
                                     "Names", "ManyThreads", "Unloading", "OddNames")),
    [](const auto &info) { return std::get<1>(info.param) + "_" + std::get<0>(info.param).name; });

}  // namespace
