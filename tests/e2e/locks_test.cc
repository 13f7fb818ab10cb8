/* Tests locks of java.util.concurrent: recorded and counted acquisitions, and the report about
 * them. */
#include <algorithm>
#include <regex>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

/* A JDK, and whether the workload's threads are virtual. */
class LocksTest : public testing::TestWithParam<std::tuple<Jdk, bool>> {
 protected:
  std::unique_ptr<Session> Run(const std::string &program, const std::string &options) {
    auto [jdk, is_virtual] = GetParam();
    std::vector<std::string> flags = {"-Xcheck:jni", "-Xverify:all"};
    /* In JDK 21 each virtual thread of a deadlock keeps its carrier. */
    if (is_virtual) {
      flags.insert(flags.end(), {"-Dvirtual=true", "-Djdk.virtualThreadScheduler.parallelism=4"});
    }
    auto session = std::make_unique<Session>(jdk, Program({program}, flags, options));
    session->Wait();
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }
};

/* Returns true if `some` is a subsequence of `all`. */
bool IsSubsequence(const std::vector<Step> &some, const std::vector<Step> &all) {
  auto at = all.begin();
  for (const Step &step : some) {
    at = std::find(at, all.end(), step);
    if (at == all.end()) return false;
    ++at;
  }
  return true;
}

std::vector<Step> SelectLockSteps(const std::vector<Step> &steps) {
  std::vector<Step> locks;
  for (const Step &step : steps) {
    /* A thread that waits records ReadLockHeld about another one. */
    bool is_step = event_infos[step.kind].group == GROUP_LOCK && !event_has(step.kind, TRAIT_NEWS);
    if (is_step) locks.push_back(step);
  }
  return locks;
}

/* With locks=waits, only contended acquisitions are recorded. */
TEST_P(LocksTest, RecordsContendedAcquisitions) {
  for (const char *workload : {"counted.Locks", "counted.ReadWriteLocks"}) {
    auto session = Run(workload, "");
    if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
    ASSERT_TRUE(session->story().complete);
    std::map<uint32_t, std::vector<Step>> recorded;
    for (const Event &e : session->dump().events) recorded[e.thread].push_back({e.kind, e.object});
    size_t some = 0;
    for (const auto &[thread, steps] : session->story().steps) {
      std::vector<Step> locks = SelectLockSteps(recorded[thread]);
      EXPECT_TRUE(IsSubsequence(locks, SelectLockSteps(steps)))
          << session->story().threads.at(thread);
      some += locks.size();
    }
    EXPECT_GT(some, 0u);
    session->ExpectQuiet();
    session->ExpectChecked();
  }
}

/* A line of the workload's account: how often it acquired a lock. */
struct Acquired {
  std::string kind, hash;
  int times;
};

std::vector<Acquired> ReadAcquired(const std::string &output, size_t num) {
  std::vector<Acquired> all;
  for (const std::string &line : SplitLines(output)) {
    std::istringstream words(line);
    std::string word;
    Acquired a;
    if (words >> word >> a.kind >> a.hash >> a.times && word == "acquired") all.push_back(a);
  }
  EXPECT_EQ(all.size(), num);
  return all;
}

uint32_t ReadHash(const Acquired &a) {
  return static_cast<uint32_t>(strtoul(a.hash.c_str(), nullptr, 16));
}

/* All acquisitions of contended locks are counted. */
TEST_P(LocksTest, CountsAllAcquisitions) {
  const std::map<std::string, enum event_kind> kinds = {{"lock", EVENT_LOCK_ACQUIRED},
                                                        {"read", EVENT_READ_LOCK_ACQUIRED},
                                                        {"write", EVENT_WRITE_LOCK_ACQUIRED}};
  auto session = Run("counted.Maps", "");
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  for (const Acquired &a : ReadAcquired(session->result().out, 4)) {
    auto kind = kinds.find(a.kind);
    if (kind == kinds.end()) continue; /* a monitor: only contended acquisitions are recorded */
    auto count = session->dump().counts.find({kind->second, ReadHash(a)});
    ASSERT_NE(count, session->dump().counts.end()) << a.kind;
    EXPECT_EQ(count->second, a.times) << a.kind;
  }
  session->ExpectQuiet();
  session->ExpectChecked();
}

const char kLockClasses[] = "Ljava/util/concurrent/locks/";

/* Returns the number of defined objects whose class begins so. */
size_t CountObjects(const Dump &dump, const std::string &classes) {
  size_t num = 0;
  for (const auto &[object, class_id] : dump.objects) {
    auto found = dump.classes.find(class_id);
    num += found != dump.classes.end() && found->second.signature.rfind(classes, 0) == 0;
  }
  return num;
}

/* Returns the locks with counts of this kind: the one with this hash. A lock with sides that was
   made with a threshold has its sync as object, whose hash the program does not know: `hash` 0. */
std::vector<uint32_t> FindCounted(const Dump &dump, enum event_kind kind, uint32_t hash) {
  std::vector<uint32_t> found;
  for (const auto &[key, count] : dump.counts) {
    if (key.first != kind) continue;
    bool is_sync = FindSignatures(dump, key.second)
                       .count(std::string(kLockClasses) + "ReentrantReadWriteLock$NonfairSync;");
    if (hash == 0 ? is_sync : key.second == hash) found.push_back(key.second);
  }
  return found;
}

size_t CountLines(const Dump &dump, enum event_kind kind, uint32_t object) {
  size_t num = 0;
  for (const Event &e : dump.events) num += e.kind == kind && e.object == object;
  return num;
}

/* With a threshold, a lock that no thread waits for leaves no trace, and the acquisitions of others
   are counted from the first wait on. The JDK has locks of its own. */
TEST_P(LocksTest, WithAThresholdALockIsCountedFromItsFirstWaitOn) {
  const size_t kFewOfTheJdk = 1000;
  const struct {
    enum event_kind kind, contended;
    bool has_hash; /* the program knows the hash of the object of the events */
  } expected[] = {
      {EVENT_LOCK_ACQUIRED, EVENT_LOCK_ACQUIRE, true},
      {EVENT_READ_LOCK_ACQUIRED, EVENT_READ_LOCK_ACQUIRE, false},
      {EVENT_WRITE_LOCK_ACQUIRED, NUM_EVENTS, false},
      {EVENT_READ_LOCK_ACQUIRED, EVENT_READ_LOCK_ACQUIRE, true},
      {EVENT_WRITE_LOCK_ACQUIRED, NUM_EVENTS, true},
      {EVENT_LOCK_ACQUIRED, NUM_EVENTS, true},
  };
  auto session = Run("counted.NewLocks", ",threshold=10ms");
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  const Dump &dump = session->dump();
  EXPECT_LT(dump.counts.size(), kFewOfTheJdk);
  EXPECT_LT(CountObjects(dump, kLockClasses), kFewOfTheJdk);
  EXPECT_EQ(dump.info.at("locks.full"), "0");
  size_t at = 0;
  const std::vector<Acquired> all = ReadAcquired(session->result().out, std::size(expected));
  ASSERT_EQ(all.size(), std::size(expected));
  for (const Acquired &a : all) {
    const auto &lock = expected[at++];
    std::vector<uint32_t> found = FindCounted(dump, lock.kind, lock.has_hash ? ReadHash(a) : 0);
    ASSERT_EQ(found.size(), 1u) << a.kind;
    EXPECT_EQ(dump.counts.at({lock.kind, found[0]}), a.times) << a.kind;
    if (lock.contended != NUM_EVENTS) {
      EXPECT_EQ(CountLines(dump, lock.contended, found[0]), 1u) << a.kind;
    }
  }
  Result locks = session->RunOrca("locks");
  EXPECT_NE(locks.out.find("\nacquired: at least so often."), std::string::npos) << locks.out;
  session->ExpectQuiet();
  session->ExpectChecked();
}

TEST_P(LocksTest, TheReportFindsAMixedDeadlock) {
  auto session = Run("ending.MixedDeadlock", ",monitors=all,filter=ending.*");
  if (!session->story().skipped.empty()) GTEST_SKIP() << session->story().skipped;
  session->ExpectChecked();
  Result report = session->RunOrca("report");
  ASSERT_EQ(report.status, 0) << report.err;
  /* The monitor is named by either of the two places at which threads ask for it. */
  std::string text = std::regex_replace(report.out, std::regex("\\s+"), " ");
  for (const char *words : {"DEADLOCK: ", "has-monitor waits for the lock in MixedDeadlock.",
                            "has-lock waits for the semaphore in MixedDeadlock.",
                            "has-permit blocks on the monitor in MixedDeadlock.", "(Object@",
                            "(ReentrantLock@", "(Semaphore@"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << report.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, LocksTest,
                         testing::Combine(testing::ValuesIn(FindJdks()), testing::Bool()),
                         [](const auto &info) {
                           return std::get<0>(info.param).name +
                                  (std::get<1>(info.param) ? "_virtual" : "");
                         });

}  // namespace
