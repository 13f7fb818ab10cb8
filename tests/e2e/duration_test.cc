/* Tests the option duration: recordings that end by themselves, while the program goes on. */
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

class DurationTest : public testing::TestWithParam<Jdk> {};

std::string AskText(const Phases &program) { return program.Order("status"); }

Json AskJson(const Phases &program) {
  return JsonReader(program.Order("status", {"--format", "json"})).Read();
}

/* What the agent says after duration=DURATION has ended the recording. */
std::string MakeEndMessage(const std::string &prefix, const std::string &duration) {
  return "nothing is being recorded: duration=" + duration + " has ended the recording into " +
         prefix + ".*\n";
}

void WaitForEnd(const Phases &program, const std::string &prefix, const std::string &duration) {
  EXPECT_TRUE(Eventually([&] { return AskText(program) == MakeEndMessage(prefix, duration); },
                         [&] { return AskText(program); }));
}

/* Expects complete files that lasted for `seconds` at least. */
void ExpectEnded(const Phases &program, const std::string &prefix, double seconds) {
  SCOPED_TRACE(prefix);
  Dump dump = ReadDump(prefix);
  EXPECT_EQ(dump.info["end.reason"], "duration");
  EXPECT_GE(std::stod(dump.info["end.monotonic"]) - std::stod(dump.info["start.monotonic"]),
            seconds);
  ExpectNoFaults(dump, prefix);
  ExpectAccepted(prefix, program.Prefix(""));
  Result report = program.RunOrcaOn("report", {}, prefix);
  EXPECT_TRUE(Has(report.out, "; ended by the option duration\n")) << report.out << report.err;
}

std::string ReadFiles(const std::string &prefix) {
  std::string all;
  for (const char *file : {".orca", ".samples", ".info"}) all += ReadFile(prefix + file);
  return all;
}

/* The first recording has the calls, unless a slow machine made them last for longer. */
TEST_P(DurationTest, EndsTheRecordingAndTheProgramGoesOn) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  std::string answer = program.Order("attach", {prefix + ",duration=4s"});
  EXPECT_TRUE(Has(answer, "\nthe recording ends by itself after 4s; orca stop ")) << answer;
  Story story = program.Run("calls");
  bool has_all = AskText(program).find("recording into ") == 0;
  WaitForEnd(program, prefix, "4s");
  ExpectEnded(program, prefix, 4);
  if (has_all) program.ExpectDump(prefix, story);
  std::string files = ReadFiles(prefix);
  program.Run("calls");
  EXPECT_EQ(ReadFiles(prefix), files);
  program.Record("again");
  EXPECT_EQ(AskText(program), "nothing is being recorded\n");
  program.End();
}

TEST_P(DurationTest, IsRefusedOtherCommandsAfterTheEnd) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",duration=1ms"});
  WaitForEnd(program, prefix, "1ms");
  const std::vector<std::string> kNoWords, kName = {program.Prefix("snap")};
  for (const std::vector<std::string> &words : {kNoWords, kName}) {
    std::string command = words.empty() ? "stop" : "snapshot";
    Result result = program.RunOrca(command, words);
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err, "orca: " + command + ": " + MakeEndMessage(prefix, "1ms"));
  }
  EXPECT_EQ(JsonReader(program.Order("status", {"--format", "json"})).Read()["state"].text + "\n",
            MakeEndMessage(prefix, "1ms"));
  program.End();
}

TEST_P(DurationTest, StatusSaysHowMuchTimeIsLeft) {
  Phases program(GetParam());
  program.Order("attach", {program.Prefix("dump") + ",duration=2h"});
  Json status = AskJson(program);
  double left = status["duration.left.ms"].Number(), recorded = status["recorded.ms"].Number();
  EXPECT_LE(left, 2 * 3600 * 1000);
  EXPECT_GE(left + recorded, 2 * 3600 * 1000 - 2); /* both are cut to whole milliseconds */
  std::string text = AskText(program);
  EXPECT_TRUE(Has(text, "\nEnds      by itself in ")) << text;
  Result set = program.RunOrca("set", {"duration=3h"});
  EXPECT_EQ(set.status, 1);
  EXPECT_EQ(set.err,
            "orca: set: duration can't change while recording; orca stop, then orca attach with "
            "it\n");
  program.Order("stop");
  program.Order("attach", {program.Prefix("endless")});
  text = AskText(program);
  EXPECT_FALSE(Has(text, "\nEnds ")) << text;
  program.Order("stop");
  program.End();
}

/* The thread of one recording does not end another one. */
TEST_P(DurationTest, StopEndsEarlier) {
  Phases program(GetParam());
  for (std::string duration : {"1h", "2h", "3h"}) {
    std::string prefix = program.Prefix("dump" + duration);
    program.Order("attach", {prefix + ",duration=" + duration});
    Story story = program.Run("calls");
    EXPECT_TRUE(Has(program.Order("stop"), "stopped; the files are "));
    EXPECT_EQ(program.ExpectDump(prefix, story).info["end.reason"], "stop");
    EXPECT_EQ(AskText(program), "nothing is being recorded\n");
  }
  program.Record("endless");
  program.End();
}

/* The next recording can begin while the thread that ended the last one is on its way out. */
TEST_P(DurationTest, ManyRecordingsEndByThemselves) {
  Phases program(GetParam());
  for (int i = 1; i <= 8; i++) {
    std::string prefix = program.Prefix("dump" + std::to_string(i));
    program.Order("attach", {prefix + (i % 2 == 0 ? ",start=1ms" : "") + ",duration=1ms"});
    WaitForEnd(program, prefix, "1ms");
    ExpectEnded(program, prefix, 0.001);
  }
  program.Record("again");
  program.End();
}

TEST_P(DurationTest, CountsFromTheStartOfTheJvm) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/start";
  Phases program(GetParam(), {AgentFlag(prefix + ",duration=500ms")});
  WaitForEnd(program, prefix, "500ms");
  ExpectEnded(program, prefix, 0.5);
  program.Record("again");
  program.End();
}

TEST_P(DurationTest, CountsFromTheBeginOfADelayedRecording) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/start";
  Phases program(GetParam(), {AgentFlag(prefix + ",start=200ms,duration=500ms")});
  WaitForEnd(program, prefix, "500ms");
  ExpectEnded(program, prefix, 0.5);
  program.Order("attach", {program.Prefix("dump") + ",start=1ms,duration=1h"});
  EXPECT_TRUE(Eventually([&] { return AskText(program).find("\nEnds ") != std::string::npos; }));
  Story story = program.Run("calls");
  program.Order("stop");
  program.ExpectDump(program.Prefix("dump"), story);
  program.End();
}

TEST_P(DurationTest, WorksAfterStartLater) {
  Phases program(GetParam(), {AgentFlag("start=later")});
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",duration=1ms"});
  WaitForEnd(program, prefix, "1ms");
  ExpectEnded(program, prefix, 0.001);
  program.End();
}

TEST_P(DurationTest, TheEndOfTheProgramComesFirst) {
  Phases program(GetParam());
  std::string prefix = program.Prefix("dump");
  program.Order("attach", {prefix + ",duration=1h"});
  Story story = program.Run("calls");
  program.End();
  EXPECT_EQ(program.ExpectDump(prefix, story).info["end.reason"], "exit");
}

/* The program ends only after its recording. */
TEST_P(DurationTest, TheCommandOfOrcaRunGoesOn) {
  Scratch scratch;
  std::string prefix = scratch.dir() + "/dump", orders = scratch.dir() + "/orders", java;
  for (const std::string &word : JavaCommand(GetParam(), {}, {"counted.Phases", orders})) {
    java += "'" + word + "' ";
  }
  std::string script = "mkfifo " + orders + "; " + java +
                       "& while ! grep -qs end.reason=duration " + prefix +
                       ".info; do sleep 0.1; done; : >" + orders + "; wait $!";
  std::map<std::string, std::string> environment = JavaEnvironment();
  environment["TEST_UNDECLARED_OUTPUTS_DIR"] = "";
  Result result = RunProcess(
      {Runfile("tools/orca/orca"), "run", "-o", prefix + ",duration=1ms", "--", "sh", "-c", script},
      environment, scratch.dir(), kPatienceSeconds);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_TRUE(Has(result.out, "done 0\n")) << result.out;
  EXPECT_TRUE(Has(result.out, "; ended by the option duration\n")) << result.out << result.err;
  EXPECT_EQ(FindOrcaLines(result.err), std::vector<std::string>());
  EXPECT_EQ(ReadDump(prefix).info["end.reason"], "duration");
}

INSTANTIATE_TEST_SUITE_P(Jvm, DurationTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
