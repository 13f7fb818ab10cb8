/* Recordings that begin and end while the program runs. */
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/e2e/text_file.h"

namespace {

class AttachTest : public testing::TestWithParam<Jdk> {};

void ExpectDone(const Result &result, const std::string &word) {
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find(word), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

/* In one line. */
void ExpectRefused(const Result &result, int status, const std::string &word) {
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(SplitLines(result.err).size(), 1u) << result.err;
  EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
  EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
}

void Attach(const Phases &program, const std::string &name, const std::string &options = "") {
  ExpectDone(program.RunOrca("attach", {program.Prefix(name) + options}),
             "recording into " + program.Prefix(name));
}

void Stop(const Phases &program) { ExpectDone(program.RunOrca("stop"), "stopped"); }

/* A whole recording of one phase. */
void Record(Phases *program, const std::string &name) {
  Attach(*program, name);
  Story story = program->Run("calls");
  Stop(*program);
  EXPECT_EQ(program->ExpectDump(program->Prefix(name), story).info["end.reason"], "stop");
}

TEST_P(AttachTest, RecordsWhatRunsBetweenAttachAndStop) {
  Phases program(GetParam());
  program.Run("calls");
  EXPECT_FALSE(program.HasAgent());
  Record(&program, "dump");
  std::string before = ReadTextFile(program.Prefix("dump.orca"));
  program.Run("calls");
  program.Run("residents");
  EXPECT_EQ(ReadTextFile(program.Prefix("dump.orca")), before);
  program.End();
  EXPECT_EQ(ReadTextFile(program.Prefix("dump.orca")), before);
}

/* They are announced, and no exit stands alone. */
TEST_P(AttachTest, ThreadsThatWereThereBefore) {
  Phases program(GetParam());
  Attach(program, "dump");
  Story residents = program.Run("residents");
  EXPECT_EQ(residents.threads.size(), 6u); /* and the one that releases them */
  Stop(program);
  Dump dump = program.ExpectDump(program.Prefix("dump"), residents);
  EXPECT_TRUE(std::any_of(dump.events.begin(), dump.events.end(), [](const Event &e) {
    return e.kind == EVENT_THREAD_STARTED && e.name == "main";
  }));
  program.End();
}

/* --- again and again ------------------------------------------------------------------- */

int Rounds() {
  const char *rounds = getenv("ORCA_ATTACH_ROUNDS");
  return rounds == nullptr ? 20 : atoi(rounds);
}

constexpr int kSettled = 5;           /* rounds until everything is loaded */
constexpr long kMostGrowth = 8 << 10; /* kB */

TEST_P(AttachTest, ManyTimes) {
  Phases program(GetParam());
  for (int i = 1; i <= Rounds() && !HasFailure(); i++) {
    Record(&program, "round" + std::to_string(i));
  }
  program.End();
}

/* So that only what is ours can grow, the heap is there from the beginning, and nothing is
   compiled: C2's memory comes and goes by megabytes, and JDK 25 keeps each version of a class, some
   50 kB a round, that compiled code was made of. */
TEST_P(AttachTest, ManyTimesInTheSameMemory) {
  Phases program(GetParam(),
                 {"-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"});
  long memory = 0, files = 0;
  for (int i = 1; i <= std::max(Rounds(), kSettled) && !HasFailure(); i++) {
    Record(&program, "round" + std::to_string(i));
    if (i != kSettled) continue;
    memory = program.ReadResidentMemory();
    files = program.CountOpenFiles();
  }
  long growth = program.ReadResidentMemory() - memory;
  RecordProperty("growth", std::to_string(growth));
  EXPECT_EQ(program.CountOpenFiles(), files);
  bool sanitized = !JavaEnvironment().empty(); /* keeps what was freed */
  EXPECT_LT(sanitized ? 0 : growth, kMostGrowth);
  program.End();
}

/* --- what else can be asked -------------------------------------------------------------- */

TEST_P(AttachTest, Status) {
  Phases program(GetParam());
  ExpectRefused(program.RunOrca("status"), 1, "no agent");
  Attach(program, "dump");
  ExpectDone(program.RunOrca("status"), "recording into " + program.Prefix("dump"));
  Stop(program);
  ExpectDone(program.RunOrca("status"), "nothing is being recorded");
  program.End();
}

TEST_P(AttachTest, FlushBringsAllIntoTheFiles) {
  Phases program(GetParam());
  Attach(program, "dump");
  Story first = program.Run("calls");
  ExpectDone(program.RunOrca("flush"), program.Prefix("dump"));
  program.ExpectDump(program.Prefix("dump"), first);
  Story second = program.Run("calls");
  Stop(program);
  program.ExpectDump(program.Prefix("dump"), first);
  program.ExpectDump(program.Prefix("dump"), second);
  ExpectRefused(program.RunOrca("flush"), 1, "nothing is being recorded");
  program.End();
}

TEST_P(AttachTest, OneRecordingAtATime) {
  Phases program(GetParam());
  ExpectRefused(program.RunOrca("stop"), 1, "no agent");
  Attach(program, "dump");
  ExpectRefused(program.RunOrca("attach", {program.Prefix("second")}), 1, "already recording");
  EXPECT_FALSE(std::filesystem::exists(program.Prefix("second.orca")));
  Story story = program.Run("calls");
  Stop(program);
  ExpectRefused(program.RunOrca("stop"), 1, "nothing is being recorded");
  program.ExpectDump(program.Prefix("dump"), story);
  program.End();
}

/* None of them hinders the next one. */
TEST_P(AttachTest, WhatIsRefused) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  Result unknown = program.RunOrca("attach", {prefix + ",colour=blue"});
  ExpectRefused(unknown, 2, "colour");
  EXPECT_FALSE(program.HasAgent());
  ExpectRefused(program.RunOrca("attach", {prefix + ",engine=callbacks"}), 1, "engine=callbacks");
  EXPECT_FALSE(std::filesystem::exists(prefix + ".orca"));
  ExpectRefused(program.RunOrca("attach", {"/proc/dump"}), 1, "/proc/dump");
  ExpectRefused(program.RunOrca("attach", {program.Prefix("no/folder/dump")}), 1, "no/folder/dump");
  program.Run("calls");
  Record(&program, "dump");
  program.End();
}

/* --- other ways in ------------------------------------------------------------------------ */

TEST_P(AttachTest, JcmdLoadsTheAgent) {
  if (access((GetParam().home + "/bin/jcmd").c_str(), X_OK) != 0) GTEST_SKIP() << "no jcmd";
  Phases program(GetParam());
  Result result = program.RunJcmd({"JVMTI.agent_load", Runfile("agent/liborca.so"),
                                   "'" + program.Prefix("dump") + ",interval=0,depth=9'"});
  ExpectDone(result, "return code: 0");
  Story story = program.Run("calls");
  Stop(program);
  Dump dump = program.ExpectDump(program.Prefix("dump"), story);
  EXPECT_EQ(dump.samples, 0u);
  Record(&program, "second");
  program.End();
}

TEST_P(AttachTest, AfterAnAgentThatWasThereFromTheStart) {
  for (std::string engine : {"weave", "callbacks"}) {
    SCOPED_TRACE(engine);
    Scratch scratch;
    std::string prefix = scratch.dir() + "/start";
    Phases program(GetParam(), {AgentFlag(prefix + ",engine=" + engine)});
    Story story = program.Run("calls");
    Stop(program);
    program.Run("calls");
    Record(&program, "dump");
    program.ExpectDump(prefix, story);
    program.End();
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, AttachTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
