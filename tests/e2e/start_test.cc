/* Tests the option start: recordings that begin on request, or after a delay. */
#include <unistd.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

class StartTest : public testing::TestWithParam<Jdk> {
 protected:
  static std::string Flag(const Scratch &scratch, const std::string &options) {
    return AgentFlag(scratch.dir() + "/start," + options);
  }
  bool HasFiles() const {
    for (const auto &file : std::filesystem::directory_iterator(scratch_.dir())) {
      if (file.path().stem() == "start") return true;
    }
    return false;
  }

  Scratch scratch_;
};

std::string ExpectDone(const Result &result) {
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

std::string ExpectRefused(const Result &result) {
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_EQ(FindOrcaLines(result.err).size(), 1u) << result.err;
  return result.err;
}

bool IsDelayed(const Phases &program) {
  return Has(ExpectDone(program.RunOrca("status")), " begins in ");
}

/* Waits until the delayed recording has begun. */
void WaitUntilBegun(const Phases &program) {
  EXPECT_TRUE(Eventually([&] { return !IsDelayed(program); }));
  std::string status = ExpectDone(program.RunOrca("status"));
  EXPECT_EQ(status.find("recording into "), 0u) << status;
}

/* Expects that no event of the threads in `before` is recorded. */
void ExpectNoEvents(const Story &before, const Story &after, const Dump &dump) {
  for (const Event &e : dump.events) {
    if (after.threads.count(e.thread) != 0) continue; /* two threads may share a hash */
    EXPECT_EQ(before.threads.count(e.thread), 0u) << event_infos[e.kind].name;
  }
}

bool HasStarted(const Dump &dump, const std::string &name) {
  for (const Event &e : dump.events) {
    if (e.kind == EVENT_THREAD_STARTED && e.name == name) return true;
  }
  return false;
}

TEST_P(StartTest, StartLaterRecordsOnlyAfterAttach) {
  Phases program(GetParam(), {Flag(scratch_, "start=later")});
  EXPECT_TRUE(program.HasAgent());
  Story before = program.Run("calls");
  EXPECT_TRUE(Has(ExpectDone(program.RunOrca("status")), "nothing is being recorded"));
  EXPECT_TRUE(Has(ExpectRefused(program.RunOrca("stop")), "nothing is being recorded"));
  EXPECT_FALSE(HasFiles());
  for (std::string name : {"calls", "residents"}) {
    ExpectDone(program.RunOrca("attach", {program.Prefix(name)}));
    Story story = program.Run(name);
    ExpectDone(program.RunOrca("stop"));
    Dump dump = program.ExpectDump(program.Prefix(name), story);
    ExpectNoEvents(before, story, dump);
    EXPECT_TRUE(HasStarted(dump, "main"));
  }
  program.Run("calls");
  program.End();
  EXPECT_FALSE(HasFiles());
}

/* The JVM grants the capabilities of engine=callbacks only at its start, when the recording's
   options are not known yet. */
TEST_P(StartTest, StartLaterCanRecordByCallbacks) {
  Phases program(GetParam(), {Flag(scratch_, "start=later,engine=callbacks")});
  ExpectDone(program.RunOrca("attach", {program.Prefix("calls") + ",engine=callbacks"}));
  Story story = program.Run("calls");
  ExpectDone(program.RunOrca("stop"));
  program.ExpectDump(program.Prefix("calls"), story);
  program.End();
}

TEST_P(StartTest, BeginsAfterTheDelay) {
  Phases program(GetParam(), {Flag(scratch_, "start=4s,depth=9")});
  Story before = program.Run("calls");
  bool was_delayed = IsDelayed(program);
  WaitUntilBegun(program);
  Story story = program.Run("calls");
  ExpectDone(program.RunOrca("stop"));
  Dump dump = program.ExpectDump(scratch_.dir() + "/start", story);
  EXPECT_TRUE(HasStarted(dump, "main"));
  EXPECT_TRUE(Has(dump.info["options"], "depth=9"));
  if (was_delayed) ExpectNoEvents(before, story, dump); /* on a busy machine it begins too early */
  EXPECT_TRUE(
      Has(ExpectDone(program.RunOrca("attach", {program.Prefix("again")})), "recording into "));
  story = program.Run("residents");
  ExpectDone(program.RunOrca("stop"));
  program.ExpectDump(program.Prefix("again"), story);
  program.End();
}

TEST_P(StartTest, StopCancelsADelayedRecording) {
  Phases program(GetParam(), {Flag(scratch_, "start=1h")});
  EXPECT_TRUE(IsDelayed(program));
  EXPECT_TRUE(
      Has(ExpectRefused(program.RunOrca("attach", {program.Prefix("dump")})), "stop that first"));
  EXPECT_TRUE(Has(ExpectRefused(program.RunOrca("snapshot", {program.Prefix("snap")})),
                  "nothing is being recorded yet"));
  EXPECT_TRUE(Has(ExpectDone(program.RunOrca("stop")), "stopped before it began"));
  EXPECT_TRUE(Has(ExpectDone(program.RunOrca("status")), "nothing is being recorded"));
  for (int i = 0; i < 6; i++) { /* a cancelled recording does not affect the next one */
    std::string begins =
                    ExpectDone(program.RunOrca("attach", {program.Prefix("dump") + ",start=1h"})),
                dump = "recording into " + program.Prefix("dump") + ".* begins in ";
    EXPECT_TRUE(Has(begins, dump + "3600 s") || Has(begins, dump + "359")) << begins;
    EXPECT_TRUE(Has(ExpectDone(program.RunOrca("stop")), "stopped before it began"));
  }
  EXPECT_FALSE(std::filesystem::exists(program.Prefix("dump.orca")));
  ExpectDone(program.RunOrca("attach", {program.Prefix("dump") + ",start=1ms"}));
  WaitUntilBegun(program);
  Story story = program.Run("calls");
  ExpectDone(program.RunOrca("stop"));
  program.ExpectDump(program.Prefix("dump"), story);
  EXPECT_TRUE(Has(ExpectRefused(program.RunOrca("attach", {program.Prefix("x") + ",start=later"})),
                  "start=later is for a JVM that starts"));
  program.End();
  EXPECT_FALSE(HasFiles());
}

TEST_P(StartTest, WritesNothingIfTheProgramEndsBeforeTheDelay) {
  Phases program(GetParam(), {Flag(scratch_, "start=1h")});
  program.Run("calls");
  program.End();
  EXPECT_FALSE(HasFiles());
}

INSTANTIATE_TEST_SUITE_P(Jvm, StartTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
