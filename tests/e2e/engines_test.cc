/* Tests that both engines, and both ways to find a stack, record the same about a deterministic
   program: the same events, each with the same thread, class of object and callers. */
#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <tuple>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/e2e/sums.h"
#include "tests/e2e/tasks.h"

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

/* In woven code, bytecode indexes differ. */
bool IsPerhapsWoven(const std::string &signature) {
  return signature.rfind("Ljava/util/concurrent/", 0) == 0;
}

/* Returns all frames except the innermost one, which is a hooked method. */
std::string FormatCallers(const Dump &dump, const std::string &stack) {
  std::string callers;
  struct span rest = stack_frames({stack.data(), stack.size()});
  struct frame frame;
  for (bool innermost = true; stack_next(&rest, &frame); innermost = false) {
    if (innermost) continue;
    const Method &m = dump.methods.at(frame.method);
    std::string signature = FormatClass(dump, m.class_id);
    callers += "  " + signature + m.name + m.signature;
    callers += IsPerhapsWoven(signature) ? "\n" : " " + std::to_string(frame.location) + "\n";
  }
  return callers;
}

/* Returns the facts of the events that the account of the workload has. */
std::vector<Fact> FindFacts(const Session &session) {
  const Story &story = session.story();
  const Dump &dump = session.dump();
  std::vector<Fact> facts;
  for (const Event &e : dump.events) {
    if (!IsCompared(e, story, dump)) continue;
    std::string callers = e.stack.empty() ? "" : FormatCallers(dump, e.stack);
    facts.emplace_back(event_infos[e.kind].name, story.threads.at(e.thread),
                       FormatClassesOfObject(dump, e.object), callers);
  }
  std::sort(facts.begin(), facts.end());
  return facts;
}

/* The groups of events that a workload makes. */
struct Workload {
  const char *name;
  std::set<enum event_group> groups;
};

/* The fewest that together make events of each group, except that of the option track. For the
   other workloads workloads_test compares both engines with the account. */
const Workload kWorkloads[] = {
    {"Unloading", {GROUP_MONITOR, GROUP_WAIT, GROUP_NOTIFY, GROUP_THREAD, GROUP_JOIN, GROUP_SLEEP}},
    {"Semaphores", {GROUP_SEMAPHORE}},
    {"ReadWriteLocks", {GROUP_LOCK, GROUP_CONDITION}},
    {"Parks", {GROUP_PARK}},
    {"Latches", {GROUP_LATCH}},
    {"Exchangers", {GROUP_BARRIER}},
    {"Executors", {GROUP_EXECUTOR, GROUP_FUTURE, GROUP_QUEUE}},
};

void PrintTo(const Workload &workload, std::ostream *out) { *out << workload.name; }

std::set<enum event_group> FindGroups(const std::vector<Fact> &facts) {
  std::set<std::string> names;
  std::set<enum event_group> groups;
  for (const Fact &fact : facts) names.insert(std::get<0>(fact));
  for (const struct event_info &info : event_infos) {
    if (names.count(info.name) != 0) groups.insert(info.group);
  }
  return groups;
}

class EnginesTest : public testing::TestWithParam<std::tuple<Jdk, Workload>> {
 protected:
  /* With all acquisitions, since callbacks cannot record contended ones alone. */
  std::vector<Fact> Run(const std::string &engine, const std::string &walk = "") {
    const auto &[jdk, workload] = GetParam();
    Session session({jdk, engine},
                    Program({std::string("counted.") + workload.name}, {}, ",locks=all", walk));
    session.Wait();
    EXPECT_EQ(session.result().status, 0) << session.result().err;
    EXPECT_EQ(session.dump().info.at("stacks.differed"), "0");
    return FindFacts(session);
  }

  static void ExpectSameFacts(const std::vector<Fact> &by_default, const std::vector<Fact> &other) {
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
};

TEST_P(EnginesTest, RecordTheSame) {
  std::vector<Fact> weave = Run("weave");
  std::set<enum event_group> groups = FindGroups(weave);
  for (enum event_group group : std::get<1>(GetParam()).groups) {
    EXPECT_EQ(groups.count(group), 1u) << group_infos[group].name;
  }
  {
    SCOPED_TRACE("engine=callbacks");
    ExpectSameFacts(weave, Run("callbacks"));
  }
  SCOPED_TRACE("ORCA_WALK=jvmti");
  ExpectSameFacts(weave, Run("weave", "jvmti"));
}

/* No workload counts its calls of System.gc: how many there are depends on chance. */
TEST(Engines, AreComparedInEachGroup) {
  std::set<enum event_group> groups = {GROUP_METHOD, GROUP_GC};
  for (const Workload &workload : kWorkloads) {
    groups.insert(workload.groups.begin(), workload.groups.end());
  }
  EXPECT_EQ(groups.size(), size_t{NUM_GROUPS});
}

INSTANTIATE_TEST_SUITE_P(Jvm, EnginesTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::ValuesIn(kWorkloads)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

/* What engine=callbacks does otherwise than engine=weave, compared with the accounts of programs.
 */
class CallbacksTest : public testing::TestWithParam<Jdk> {
 protected:
  static std::unique_ptr<Session> Run(const std::string &program,
                                      const std::vector<std::string> &flags,
                                      const std::string &options) {
    auto session = std::make_unique<Session>(::Setup(GetParam(), "callbacks"),
                                             Program({program}, flags, options));
    session->Wait();
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    session->ExpectQuiet();
    session->ExpectChecked();
    return session;
  }
};

/* The engine finds methods by their ids, which have to stay those of the retransformed class
   Semaphore. */
TEST_P(CallbacksTest, CountExactlyBesideARetransformingAgent) {
  std::string agent = "-javaagent:" + Runfile("tests/workloads/beside.jar");
  auto session = Run("counted.Semaphores", {agent, "-Xcheck:jni"}, kWithoutLocks);
  ASSERT_TRUE(session->story().complete);
  ExpectSame(session->story(), session->dump());
}

/* The task that a pool queues or takes is found in another way. */
TEST_P(CallbacksTest, MatchTheAccountOfTasks) {
  auto session = Run("counted.PoolTasks", {"-Xcheck:jni"}, "");
  ExpectSameTasks(ReadTaskAccount(session->result().out), session->dump());
}

/* The engine records no methods of the program, and each acquisition of a lock. */
TEST_P(CallbacksTest, SumShortCalls) {
  auto session = Run("counted.ShortCalls", {"-Xcheck:jni"}, ",events=all-lock,threshold=1s");
  ASSERT_TRUE(session->story().complete);
  Story story = session->story();
  LeaveOut(GROUP_LOCK, &story);
  ExpectSameSums(story, session->dump());
  ExpectSumOfAllPairs(session->dump());
}

INSTANTIATE_TEST_SUITE_P(Jvm, CallbacksTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
