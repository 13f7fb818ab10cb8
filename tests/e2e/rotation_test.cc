/* A recording that comes in sets of files (maxsize, keep) tells what one in a single set tells. */
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/session.h"

namespace {

constexpr const char *kSmall = ",maxsize=64KB,interval=5ms";

/* The prefixes of the sets that are there, in order. */
std::vector<std::string> Sets(const std::string &prefix) {
  std::vector<std::string> sets;
  std::string name = std::filesystem::path(prefix).filename();
  for (const auto &file :
       std::filesystem::directory_iterator(std::filesystem::path(prefix).parent_path())) {
    std::string stem = file.path().stem();
    bool finished = stem.rfind(name + ".", 0) == 0 && file.path().extension() == ".orca";
    if (finished) sets.push_back(file.path().parent_path() / stem);
  }
  std::sort(sets.begin(), sets.end());
  sets.push_back(prefix);
  return sets;
}

/* What is named in a set is defined in it. */
void ExpectSelfContained(const Dump &set, const std::string &prefix) {
  std::set<uint32_t> named;
  for (const Event &e : set.events) {
    named.insert({e.thread, e.object, e.owner});
    for (size_t at = 0; (at = e.stack.find(';', at)) != std::string::npos; at += 18) {
      uint32_t method = static_cast<uint32_t>(std::stoul(e.stack.substr(at + 1, 8), nullptr, 16));
      ASSERT_EQ(set.methods.count(method), 1u) << prefix << " " << e.stack;
    }
  }
  named.erase(0);
  for (uint32_t object : named) ASSERT_GE(set.objects.count(object), 1u) << prefix << object;
  for (const auto &[hash, id] : set.objects) ASSERT_EQ(set.classes.count(id), 1u) << prefix << id;
  for (const auto &[id, m] : set.methods) ASSERT_EQ(set.classes.count(m.class_id), 1u) << prefix;
}

/* All of them as one, put together without the help of the reader. */
Dump ReadSets(const std::string &prefix) {
  Dump all;
  for (const std::string &name : Sets(prefix)) {
    Dump set = ReadDump(name);
    ExpectNoFaults(set, name);
    ExpectSelfContained(set, name);
    size_t again = std::stoul(set.info["set.threads"]);
    EXPECT_LE(again, set.events.size());
    for (size_t i = 0; i < again; i++) EXPECT_EQ(set.events[i].kind, EVENT_THREAD_STARTED);
    all.events.insert(all.events.end(), set.events.begin() + static_cast<ptrdiff_t>(again),
                      set.events.end());
    for (const auto &c : set.classes) {
      if (all.classes.count(c.first) == 0) all.classes.insert(c);
    }
    for (const auto &o : set.objects) {
      if (all.objects.count(o.first) == 0) all.objects.insert(o);
    }
    all.methods.insert(set.methods.begin(), set.methods.end());
    for (const auto &[key, count] : set.counts) all.counts[key] += count;
    all.samples += set.samples;
    all.info = set.info;
  }
  return all;
}

class RotationTest : public testing::TestWithParam<Setup> {
 protected:
  static void ExpectEachAccepted(const std::string &prefix) {
    Scratch scratch;
    for (const std::string &set : Sets(prefix)) ExpectAccepted(set, scratch.dir());
  }
};

TEST_P(RotationTest, AllSetsTogetherAreTheAccountOfTheProgram) {
  Session session(GetParam(), Program({"counted.ManyThreads"}, {},
                                      std::string(kWithoutLocks) + ",maxsize=100KB,interval=5ms"));
  session.Wait();
  EXPECT_EQ(session.result().status, 0) << session.result().err;
  ASSERT_GE(Sets(session.prefix()).size(), 10u);
  ExpectSame(session.story(), ReadSets(session.prefix()));
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
  EXPECT_EQ(session.RunOrca("report").status, 0);
}

TEST_P(RotationTest, EachWorkloadIsTheSameInSets) {
  for (const char *workload : {"counted.Waits", "counted.Semaphores", "counted.Queues"}) {
    SCOPED_TRACE(workload);
    Session session(GetParam(), Program({workload}, {}, kSmall));
    session.Wait();
    ExpectSame(session.story(), ReadSets(session.prefix()));
    session.ExpectChecked();
  }
}

/* Floods of events around threads that count theirs. */
TEST_P(RotationTest, WhatManyThreadsDoAtOnceIsTheSameInSets) {
  Session session(GetParam(),
                  Program({"ending.Endings", "daemons"}, {}, std::string(kWithoutLocks) + kSmall));
  session.Wait();
  ExpectSame(session.story(), ReadSets(session.prefix()));
  session.ExpectChecked();
}

/* Events that the threshold holds back are written behind samples of later times. */
TEST_P(RotationTest, EventsMayBeHeldBack) {
  Session session(GetParam(), Program({"ending.Endings", "daemons"}, {},
                                      std::string(kSmall) + ",threshold=20ms"));
  session.Wait();
  ReadSets(session.prefix());
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
}

TEST_P(RotationTest, OnlySoManyAreKept) {
  Session session(GetParam(), Program({"counted.ManyThreads"}, {},
                                      std::string(kWithoutLocks) + ",maxsize=200KB,keep=3"));
  session.Wait();
  ASSERT_EQ(Sets(session.prefix()).size(), 3u);
  EXPECT_GE(std::stoi(session.dump().info.at("set.number")), 10);
  session.ExpectQuiet();
  session.ExpectChecked();
  ExpectEachAccepted(session.prefix());
  EXPECT_EQ(session.RunOrca("report").status, 0);
}

TEST_P(RotationTest, AKilledRunIsReadToItsLastSet) {
  for (double after : {0.5, 0.8, 1.1}) {
    SCOPED_TRACE(after);
    Session session(GetParam(), Program({"ending.Endings", "flood"}, {}, ",maxsize=500KB"));
    session.process().WaitUpTo(after);
    session.process().Signal(SIGKILL);
    session.WaitOnly(60);
    EXPECT_EQ(session.result().signal, SIGKILL);
    if (!std::filesystem::exists(session.prefix() + ".orca")) continue;
    session.ExpectChecked();
    EXPECT_EQ(session.RunOrca("report").status, 0);
  }
}

/* The writer may finish a set at any moment of the reader. */
TEST_P(RotationTest, ItCanBeReadWhileItIsWritten) {
  Session session(GetParam(),
                  Program({"ending.Endings", "flood"}, {}, ",maxsize=1MB,interval=5ms"));
  ASSERT_TRUE(session.process().WaitForLine("end", 60));
  for (int i = 0; i < 4; i++) { /* each reads more than the one before */
    Result report = session.RunOrca("report", {}, /* seconds */ 300);
    EXPECT_EQ(report.status, 0) << report.out << report.err;
  }
  session.process().Signal(SIGKILL);
  session.WaitOnly(60);
}

/* What a recording of the same prefix left is not part of the next. */
TEST_P(RotationTest, LeftoversOfAnEarlierRunAreNoPartOfTheNext) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/again";
  for (const char *options : {",maxsize=64KB", ",maxsize=1GB"}) {
    std::string folder = scratch.dir() + "/" + (options + 9);
    std::filesystem::create_directory(folder);
    Process process(
        JavaCommand(GetParam().jdk, {AgentFlag(prefix + ",engine=" + GetParam().engine + options)},
                    {"counted.Queues"}),
        JavaEnvironment(), folder);
    EXPECT_EQ(process.Wait(60).status, 0);
    ExpectAccepted(prefix, scratch.dir());
  }
  EXPECT_EQ(Sets(prefix).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Jvm, RotationTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
