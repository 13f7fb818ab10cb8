/* Tests that the agent forgets classes that the JVM has unloaded and locks that died, so that its
   tables do not grow with each class or lock that a program ever had, and that `orca status` tells
   the sizes. */
#include <signal.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"

namespace {

constexpr double kSeconds = 120;
constexpr size_t kMade = 12000; /* classes, of two methods each */
constexpr size_t kFew = 3000;   /* more than what lives, much less than what was made */

struct Size {
  size_t entries = 0, bytes = 0;
};
using Sizes = std::map<std::string, Size>;

/* Runs a program of tests/workloads/growth under the agent. */
class Growing {
 public:
  /* Of the words of the program, "FILE" stands for the file that Continue makes. */
  Growing(const Jdk &jdk, std::vector<std::string> words, const std::string &options)
      : prefix_(scratch_.dir() + "/dump"), file_(scratch_.dir() + "/continue") {
    for (std::string &word : words) {
      if (word == "FILE") word = file_;
    }
    process_ =
        std::make_unique<Process>(JavaCommand(jdk,
                                              {"-Xmx64m", "-Xcheck:jni", "-Xverify:all",
                                               "-XX:+UseSerialGC", AgentFlag(prefix_ + options)},
                                              words),
                                  JavaEnvironment(), scratch_.dir());
  }

  const std::string &prefix() const { return prefix_; }

  bool WaitUntilMade() { return process_->WaitForLine("made all", kSeconds); }

  /* Reads the members "table.NAME" of `orca status --format json`. */
  Sizes ReadSizes(std::string *answer) {
    Scratch folder;
    Result result = RunProcess(
        {Runfile("tools/orca/orca"), "status", std::to_string(pid()), "--format", "json"}, {},
        folder.dir(), kSeconds);
    EXPECT_EQ(result.status, 0) << result.err;
    *answer = result.out;
    Sizes sizes;
    const Json status = ReadJson(result.out);
    for (const auto &[key, value] : status.members) {
      if (key.rfind("table.", 0) != 0) continue;
      sizes[key] = {static_cast<size_t>(value["entries"].Integer()),
                    static_cast<size_t>(value["bytes"].Integer())};
    }
    return sizes;
  }

  /* Waits until each of the tables has at most kFew entries. */
  void ExpectFewEntries(const std::set<std::string> &tables) {
    std::string answer;
    bool is_few = false;
    for (int i = 0; i < kSeconds && !is_few; i++) {
      process_->WaitUpTo(1);
      Sizes sizes = ReadSizes(&answer);
      is_few = true;
      for (const std::string &table : tables) is_few &= sizes[table].entries <= kFew;
    }
    EXPECT_TRUE(is_few) << answer;
  }

  void Continue() { std::ofstream{file_}; }

  /* Waits for the end of the program, and checks its files. */
  Result Wait() {
    Result result = process_->Wait(kSeconds);
    EXPECT_EQ(result.status, 0) << result.err;
    ExpectQuietOutput(result);
    ExpectAccepted(prefix_, scratch_.dir());
    return result;
  }

  /* Ends the program and checks its files. */
  void End() {
    process_->Signal(SIGTERM);
    Result result = process_->Wait(kSeconds);
    EXPECT_EQ(result.status, 128 + SIGTERM) << result.err;
    ExpectQuietOutput(result);
    ExpectAccepted(prefix_, scratch_.dir());
  }

 private:
  int pid() const { return process_->pid(); }

  Scratch scratch_;
  const std::string prefix_, file_;
  std::unique_ptr<Process> process_;
};

class Churn : public Growing {
 public:
  Churn(const Jdk &jdk, const std::string &kind, const std::string &options)
      : Growing(jdk, {"growth.Churn", kind, std::to_string(kMade), "stay"}, options) {}
};

class GrowthTest : public testing::TestWithParam<Jdk> {};

TEST_P(GrowthTest, ForgetsHiddenClasses) {
  Churn churn(GetParam(), "hidden", ",maxsize=1MB,keep=3");
  ASSERT_TRUE(churn.WaitUntilMade());
  churn.ExpectFewEntries(
      {"table.methods", "table.written.classes", "table.written.methods", "table.written.objects"});
  churn.End();
}

TEST_P(GrowthTest, ForgetsClassesOfThrowAwayLoaders) {
  Churn churn(GetParam(), "loaders", "");
  ASSERT_TRUE(churn.WaitUntilMade());
  churn.ExpectFewEntries({"table.methods"});
  churn.End();
}

/* Each lock is acquired once. The JDK acquires some of its own locks, too. */
TEST_P(GrowthTest, ATableWithoutRoomForMoreLocksIsReported) {
  const size_t kLocks = 60000, kFewOfTheJdk = 500;
  const size_t kRoom = 1024 + kFewOfTheJdk; /* locks in a crowded table */
  Session session(GetParam(), Program({"growth.Churn", "kept-locks", std::to_string(kLocks)}));
  session.Wait(kSeconds);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  std::map<std::string, size_t> counts; /* by lock */
  std::ifstream lines(session.prefix() + ".counts");
  for (std::string line; std::getline(lines, line);) {
    size_t last = line.rfind(','), first = line.find(',');
    counts[line.substr(first, last - first)] += std::stoul(line.substr(last + 1));
  }
  size_t once = 0;
  for (const auto &[lock, count] : counts) once += count == 1;
  EXPECT_LE(counts.size(), kRoom);
  EXPECT_GT(once, kRoom - 2 * kFewOfTheJdk);
  EXPECT_EQ(session.dump().info.at("locks.full"), "1");
  Result report = session.RunOrca("report");
  EXPECT_NE(report.out.find("* 1 table of lock counts was full"), std::string::npos) << report.out;
}

/* The table gets full, the locks die, and then further locks are counted exactly. */
TEST_P(GrowthTest, ForgetsDeadLocks) {
  const size_t kLiving = 200;
  Growing locks(GetParam(), {"growth.DeadLocks", "60000", "FILE"}, "");
  ASSERT_TRUE(locks.WaitUntilMade());
  locks.ExpectFewEntries({"table.locks"});
  locks.Continue();
  Result result = locks.Wait();
  Dump dump = ReadDump(locks.prefix());
  EXPECT_EQ(dump.info.at("locks.full"), "1");
  std::istringstream words(result.out);
  std::string word, hash;
  size_t num = 0;
  while (words >> word) {
    int64_t times = 0;
    if (word != "acquired" || !(words >> hash >> times)) continue;
    auto object = static_cast<uint32_t>(std::stoul(hash, nullptr, 16));
    auto count = dump.counts.find({EVENT_LOCK_ACQUIRED, object});
    ASSERT_NE(count, dump.counts.end()) << hash;
    EXPECT_EQ(count->second, times) << hash;
    num++;
  }
  EXPECT_EQ(num, kLiving);
}

/* The keys are those of the table in docs/services.md. */
TEST_P(GrowthTest, StatusTellsTheSizeOfEachTable) {
  std::set<std::string> documented, told;
  std::ifstream doc("docs/services.md");
  for (std::string line; std::getline(doc, line);) {
    if (line.rfind("| `table.", 0) == 0) documented.insert(line.substr(3, line.find('`', 3) - 3));
  }
  EXPECT_GT(documented.size(), 10u);
  Churn churn(GetParam(), "threads", ",maxsize=100MB");
  ASSERT_TRUE(churn.WaitUntilMade());
  std::string answer;
  size_t bytes = 0;
  Sizes sizes = churn.ReadSizes(&answer);
  for (const auto &[key, size] : sizes) {
    told.insert(key);
    bytes += size.bytes;
  }
  EXPECT_EQ(told, documented);
  EXPECT_EQ(ReadJson(answer)["tables.bytes"].Integer(), bytes);
  EXPECT_EQ(ReadJson(answer)["memory.failed"].Integer(), 0u);
  EXPECT_LT(sizes["table.threads"].entries, 100u);
  EXPECT_LT(sizes["table.written.threads"].entries, 100u);
  EXPECT_GT(sizes["table.written.objects"].entries, kMade) << "each thread had an object";
  EXPECT_GT(sizes["table.classes"].entries, 20u);
  EXPECT_GT(sizes["table.stacks"].entries, 0u);
  churn.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, GrowthTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
