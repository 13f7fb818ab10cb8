/* Tests that the states of threads are true, and the same in all views. The program
   tests/workloads/truth/ThreadStates.java accounts for the time of its threads itself. */
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/recordings/agreement.h"
#include "tests/support/jvm.h"
#include "tests/support/text.h"

namespace {

/* --- the program that accounts for its time ------------------------------------------------ */

struct Case {
  const char *name;
  const char *program;
  const char *options;
  int version; /* the oldest JDK */
};

constexpr Case kCases[] = {
    {"Platform", "truth.ThreadStates 2", ",interval=10ms,budget=100%", 8},
    {"PlatformLocksAll", "truth.ThreadStates 2", ",interval=10ms,budget=100%,locks=all", 8},
    {"Virtual", "truth.ThreadStates 2 virtual", ",interval=10ms", 21},
    {"VirtualWithoutSamples", "truth.ThreadStates 2 virtual", ",interval=0,locks=all", 21},
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.program << c.options; }

/* Reads lines "STATE name lived blocked waited parked slept io". */
std::map<std::string, std::vector<double>> ReadAccounts(const std::string &output) {
  std::map<std::string, std::vector<double>> accounts;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream in(line);
    std::string word, name;
    if (!(in >> word >> name) || word != "STATE") continue;
    for (double ns; in >> ns;) accounts[name].push_back(ns);
  }
  return accounts;
}

/* Times of calls come from their events. They differ from the account of the program by the time
   that the hooks take, and by the moments when the thread loses its CPU between a hook and a
   reading of the clock: on a machine with more threads than CPUs, a few milliseconds each. */
void ExpectNear(double wanted, double found, const std::string &what) {
  EXPECT_NEAR(found, wanted, 0.05 * wanted + 30e6) << what;
}

class StatesTest : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(StatesTest, AreThoseOfTheProgramsOwnAccount) {
  auto [jdk, program] = GetParam();
  if (jdk.version < program.version) GTEST_SKIP() << "this JDK has no virtual threads";
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump";
  std::vector<std::string> command = JavaProgram(jdk);
  command.push_back(AgentFlag(prefix + program.options));
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/truth/tested.jar")});
  std::istringstream words(program.program);
  for (std::string word; words >> word;) command.push_back(word);
  Result result = RunProcess(command, JavaEnvironment(), scratch.dir(), 60);
  ASSERT_EQ(result.status, 0) << result.err;
  auto accounts = ReadAccounts(result.out);
  ASSERT_EQ(accounts.size(), 4u) << result.out;

  bool is_virtual = program.version > 8;
  Recording recording(prefix, result.out);
  Json table = recording.ReadView("threads", {"--thread=worker-*", "--top=100000"});
  Json report = recording.ReadView("report", {"--top=1"});
  double ticks = report["recording"]["ticks"].Number();
  double interval = ticks == 0 ? 0 : report["recording"]["length_ns"].Number() / ticks;
  ASSERT_EQ(table["threads"].items.size(), 4u);
  for (const Json &row : table["threads"].items) {
    const std::string name = row["thread"].text;
    const std::vector<double> &own = accounts[name];
    ASSERT_EQ(own.size(), 6u) << name;
    ExpectNear(own[0], row["lived_ns"].Number(), name + " lived");
    ExpectNear(own[1], row["blocked_ns"].Number(), name + " blocked");
    ExpectNear(own[2], row["waiting_ns"].Number(), name + " waited");
    ExpectNear(own[3], row["parked_ns"].Number(), name + " parked");
    ExpectNear(own[4], row["sleeping_ns"].Number(), name + " slept");
    double others = own[0] - own[1] - own[2] - own[3] - own[4] - own[5];
    double ran = row["running_ns"].Number() + row["runnable_ns"].Number();
    if (is_virtual) {
      /* Samples see a virtual thread only on a carrier. What they do not see is not called running.
       */
      ExpectNear(others, ran + row["no_call_ns"].Number(), name + " in no call");
      if (ticks == 0) {
        EXPECT_EQ(ran, 0) << name;
      }
    } else {
      /* A read takes 80 ms and more. Its beginning and its end are known from samples, so each can
         be wrong by an interval of the sampler. */
      double reads = own[5] / 80e6 + 1;
      EXPECT_NEAR(row["io_ns"].Number(), own[5], reads * 2 * interval + 30e6) << name << " in I/O";
      ExpectNear(
          others + own[5],
          ran + row["io_ns"].Number() + row["no_call_ns"].Number() + row["hidden_ns"].Number(),
          name + " in no call, or in I/O");
    }
  }
  ExpectAgreement(recording);
}

INSTANTIATE_TEST_SUITE_P(Jvm, StatesTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kCases)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

/* --- other programs ------------------------------------------------------------------------ */

struct Workload {
  const char *name;
  std::vector<std::string> words;
  int version; /* the oldest JDK */
};

void PrintTo(const Workload &w, std::ostream *out) { *out << w.name; }

class ViewsAgree : public testing::TestWithParam<std::tuple<Jdk, Workload, const char *>> {};

TEST_P(ViewsAgree, AboutTheStatesOfThreads) {
  auto [jdk, workload, options] = GetParam();
  if (jdk.version < workload.version) GTEST_SKIP() << "not for this JDK";
  Session session(jdk, Program(workload.words, {}, options));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  ExpectAgreement(Recording(session.prefix(), session.result().out));
}

const std::vector<Workload> kWorkloads = {
    {"Monitors", {"counted.Monitors"}, 8},     {"Locks", {"counted.Locks"}, 8},
    {"Semaphores", {"counted.Semaphores"}, 8}, {"ForkJoins", {"counted.ForkJoins"}, 8},
    {"Tries", {"counted.Tries"}, 8},           {"Medley", {"counted.Medley"}, 8},
    {"Virtual", {"counted.Virtual"}, 21},
};

INSTANTIATE_TEST_SUITE_P(
    Jvm, ViewsAgree,
    testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kWorkloads),
                     testing::Values("", ",locks=all,monitors=all,filter=counted.*")),
    [](const auto &info) {
      return std::string(std::get<1>(info.param).name) + "_" +
             (*std::get<2>(info.param) == 0 ? "Default" : "All") + "_" +
             std::get<0>(info.param).name;
    });

}  // namespace
