/* Tests that CPU shares are correct. Programs of tests/workloads/truth print the share of each of
   their methods, measured with the CPU clock of their threads. tools/bench/truth runs more
   programs, and runs them longer. */
#include <math.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/process.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/jvm.h"
#include "tests/support/text.h"

namespace {

struct Case {
  const char *name;
  const char *program; /* class and arguments; the first argument is the time in seconds */
  const char *flags;   /* flags of the JVM, separated by spaces */
};

constexpr Case kCases[] = {
    {"Polls", "truth.PollsInCallee 2",
     "-XX:CompileCommand=quiet -XX:CompileCommand=dontinline,truth.PollsInCallee::cold"},
    {"LongMethods", "truth.LongMethods 2", ""},
    {"Megamorphic", "truth.Megamorphic 2", ""},
    {"Recursion", "truth.Recursion 2", ""},
    {"FileReads", "truth.FileReads 2", ""},
    {"ShortThreads", "truth.ShortThreads 2 5", ""},
};

/* The largest accepted error, in percentage points. A few hundred samples cause errors up to about
   10, and threads that start at kernel ticks up to about 20. Sampling at safepoints causes 50 to
   100. */
constexpr double kPoints = 35;
/* A method may not seem hotter than one whose share is larger by this. */
constexpr double kHotter = 20;

using Shares = std::map<std::string, double>; /* percent by method */

struct Truth {
  Shares self, total;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.program; }

std::vector<std::string> SplitWords(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/* Reads lines "TRUTH Class.method share" and "TOTAL Class.method share". */
Truth ReadTruth(const std::string &output) {
  Truth truth;
  for (const std::string &line : SplitLines(output)) {
    std::vector<std::string> words = SplitWords(line);
    if (words.size() != 3) continue;
    if (words[0] == "TRUTH") truth.self[words[1]] = std::stod(words[2]);
    if (words[0] == "TOTAL") truth.total[words[1]] = std::stod(words[2]);
  }
  return truth;
}

/* "truth.Sort$Key.compare" becomes "Sort.Key.compare", the name that the programs print. */
std::string ConvertName(std::string frame) {
  for (char &c : frame) {
    if (c == '$') c = '.';
  }
  return frame.rfind("truth.", 0) == 0 ? frame.substr(6) : frame;
}

/* Reads lines "outer;inner nanos". Frames in parentheses are not methods. */
Truth ReadCollapsed(const std::string &output) {
  Truth shares;
  double sum = 0;
  for (const std::string &line : SplitLines(output)) {
    size_t space = line.rfind(' ');
    double nanos = std::stod(line.substr(space + 1));
    std::istringstream stack(line.substr(0, space));
    std::string innermost;
    std::set<std::string> methods;
    for (std::string frame; std::getline(stack, frame, ';');) {
      if (frame[0] == '(') continue;
      innermost = ConvertName(frame);
      methods.insert(innermost);
    }
    sum += nanos;
    shares.self[innermost] += nanos;
    for (const std::string &method : methods) shares.total[method] += nanos;
  }
  for (Shares *kind : {&shares.self, &shares.total}) {
    for (auto &[method, share] : *kind) share *= 100 / sum;
  }
  return shares;
}

void ExpectNear(const Shares &truth, Shares &sampled, const std::string &kind) {
  for (const auto &[method, share] : truth) {
    EXPECT_LE(fabs(sampled[method] - share), kPoints)
        << kind << " of " << method << " is " << share << " %, but " << sampled[method]
        << " % was sampled";
  }
}

/* If the program does not print the share of a method, that share is at most 100 minus the shares
   that it prints. */
void ExpectHottest(const Shares &truth, Shares &sampled) {
  double rest = 100;
  for (const auto &[method, share] : truth) rest -= share;
  for (const auto &[hotter, share] : truth) {
    for (const auto &[method, seen] : sampled) {
      auto known = truth.find(method);
      double most = known != truth.end() ? known->second : rest;
      if (share < most + kHotter) continue;
      EXPECT_LE(seen, sampled[hotter]) << method << " appears hotter than " << hotter;
    }
  }
}

class TruthTest : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(TruthTest, CpuShareOfEachMethodIsCorrect) {
  auto [jdk, program] = GetParam();
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump";
  std::vector<std::string> command = JavaProgram(jdk);
  for (const std::string &flag : SplitWords(program.flags)) command.push_back(flag);
  command.push_back(AgentFlag(prefix + ",interval=5ms"));
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/truth/tested.jar")});
  for (const std::string &word : SplitWords(program.program)) command.push_back(word);
  Result result = RunProcess(command, JavaEnvironment(), scratch.dir(), 60);
  ASSERT_EQ(result.status, 0) << result.err;
  Truth truth = ReadTruth(result.out);
  ASSERT_FALSE(truth.self.empty()) << result.out;

  Result exported =
      RunOrcaOn("export", {"--format=collapsed", "--value=cpu", "--thread", "truth-*"}, prefix,
                scratch.dir());
  ASSERT_EQ(exported.status, 0) << exported.err;
  Truth sampled = ReadCollapsed(exported.out);
  ExpectNear(truth.self, sampled.self, "self");
  ExpectNear(truth.total, sampled.total, "total");
  ExpectHottest(truth.self, sampled.self);
}

INSTANTIATE_TEST_SUITE_P(Jvm, TruthTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kCases)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

}  // namespace
