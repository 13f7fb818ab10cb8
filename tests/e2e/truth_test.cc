/* CPU shares are true: programs of tests/workloads/truth print the share of each of their methods,
   measured with the CPU clock of their threads. tools/bench/truth runs more of them, for longer. */
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
#include "tests/e2e/text_file.h"
#include "tests/support/jvm.h"

namespace {

struct Case {
  const char *name;
  const char *program; /* class and arguments; the first argument is the time in seconds */
  const char *flags;   /* of the JVM, separated by spaces */
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

/* The largest error. A few hundred samples give up to some 10 points, and threads that begin at the
   kernel's ticks up to some 20; sampling at safepoints gives 50 to 100. */
constexpr double kPoints = 35;
constexpr double kHottest = 40; /* a share that no other method may appear to reach */

using Shares = std::map<std::string, double>; /* percent by method */

struct Truth {
  Shares self, total;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.program; }

std::vector<std::string> Words(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/* Lines "TRUTH Class.method share" and "TOTAL Class.method share". */
Truth ReadTruth(const std::string &output) {
  Truth truth;
  for (const std::string &line : SplitLines(output)) {
    std::vector<std::string> words = Words(line);
    if (words.size() != 3) continue;
    if (words[0] == "TRUTH") truth.self[words[1]] = std::stod(words[2]);
    if (words[0] == "TOTAL") truth.total[words[1]] = std::stod(words[2]);
  }
  return truth;
}

/* "truth.Sort$Key.compare" becomes "Sort.Key.compare", as the programs spell it. */
std::string MethodName(std::string frame) {
  for (char &c : frame) {
    if (c == '$') c = '.';
  }
  return frame.rfind("truth.", 0) == 0 ? frame.substr(6) : frame;
}

/* Lines "outer;inner nanos". Frames in parentheses are no methods. */
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
      innermost = MethodName(frame);
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

void ExpectNear(const Shares &truth, Shares &said, const std::string &kind) {
  for (const auto &[method, share] : truth) {
    EXPECT_LE(fabs(said[method] - share), kPoints) << kind << " of " << method << " is " << share
                                                   << " %, and " << said[method] << " % is said";
  }
}

void ExpectHottest(const Shares &truth, Shares &said) {
  for (const auto &[hottest, share] : truth) {
    if (share < kHottest) continue;
    for (const auto &[method, other] : said) {
      EXPECT_LE(other, said[hottest]) << method << " appears hotter than " << hottest;
    }
  }
}

class TruthTest : public testing::TestWithParam<std::tuple<Jdk, Case>> {};

TEST_P(TruthTest, OfEachMethod) {
  auto [jdk, program] = GetParam();
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump";
  std::vector<std::string> command = JavaProgram(jdk);
  for (const std::string &flag : Words(program.flags)) command.push_back(flag);
  command.push_back(AgentFlag(prefix + ",interval=5ms"));
  command.insert(command.end(), {"-cp", Runfile("tests/workloads/truth/truth.jar")});
  for (const std::string &word : Words(program.program)) command.push_back(word);
  Result result = RunProcess(command, JavaEnvironment(), scratch.dir(), 60);
  ASSERT_EQ(result.status, 0) << result.err;
  Truth truth = ReadTruth(result.out);
  ASSERT_FALSE(truth.self.empty()) << result.out;

  Result exported =
      RunOrcaOn("export", {"--format=collapsed", "--value=cpu", "--thread", "truth-*"}, prefix,
                scratch.dir());
  ASSERT_EQ(exported.status, 0) << exported.err;
  Truth said = ReadCollapsed(exported.out);
  ExpectNear(truth.self, said.self, "self");
  ExpectNear(truth.total, said.total, "total");
  ExpectHottest(truth.self, said.self);
}

INSTANTIATE_TEST_SUITE_P(Jvm, TruthTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::ValuesIn(kCases)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) + "_" +
                                  std::get<0>(info.param).name;
                         });

}  // namespace
