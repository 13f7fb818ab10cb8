/* The program usecases.Limits, which says when each of its phases began and ended. The periods of a
   report must be these phases. */
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/recordings/cases.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

struct Phase {
  std::string name;
  double begin, end; /* in seconds since the start of the recording */
};

double ReadStart(const Recording &recording) {
  for (const std::string &line : SplitLines(ReadFile(recording.prefix() + ".info"))) {
    if (line.rfind("start.monotonic=", 0) == 0) return strtod(line.c_str() + 16, nullptr);
  }
  ADD_FAILURE() << "no start";
  return 0;
}

std::vector<Phase> ReadPhases(const Recording &recording) {
  double start = ReadStart(recording);
  std::vector<Phase> phases;
  for (const std::string &line : SplitLines(recording.out())) {
    std::istringstream in(line);
    std::string word, name;
    double begin, end;
    if (!(in >> word >> name >> begin >> end) || word != "PHASE") continue;
    phases.push_back({name, begin / 1e9 - start, end / 1e9 - start});
  }
  return phases;
}

std::vector<Json> ReadPeriods(const Recording &recording, std::vector<std::string> words = {}) {
  return recording.ReadView("report", std::move(words))["periods"].items;
}

/* If other programs use the CPUs, a thread that computes waits for one, and the program's CPUs are
   never full. */
bool IsLimitOf(const std::string &phase, const std::string &limit) {
  bool lacks_cpus = limit == "cpus" || limit == "crowd" || limit == "starved";
  if (phase == "load") return limit == "threads" || lacks_cpus;
  return phase == "cpus" ? lacks_cpus : phase == limit;
}

/* The states of threads come from samples every 100 ms, on a busy machine less often; the first
   phase begins when the JVM is ready. */
constexpr double kMargin = 0.4;

void ExpectPhases(const Recording &recording) {
  std::vector<Phase> phases = ReadPhases(recording);
  std::vector<Json> periods = ReadPeriods(recording);
  std::string text = recording.RunView("report");
  ASSERT_EQ(phases.size(), 5u) << recording.out();
  ASSERT_EQ(periods.size(), phases.size()) << text;
  for (size_t i = 0; i < phases.size(); i++) {
    const std::string limit = periods[i]["limit"].text;
    EXPECT_TRUE(IsLimitOf(phases[i].name, limit)) << phases[i].name << ": " << limit << text;
    EXPECT_NEAR(periods[i]["end_ns"].Number() / 1e9, phases[i].end, kMargin) << text;
    if (i > 0) {
      EXPECT_NEAR(periods[i]["begin_ns"].Number() / 1e9, phases[i].begin, kMargin) << text;
    }
  }
  /* Four threads share one lock, and the one that owns it sleeps; two threads read. */
  EXPECT_NEAR(periods[1]["blocked_1000"].Number(), 3000, 500) << text;
  EXPECT_NEAR(periods[3]["io_1000"].Number(), 2000, 500) << text;
  EXPECT_NE(periods[1]["what"].text.find("class usecases.Limits"), std::string::npos) << text;
  EXPECT_NE(periods[2]["what"].text.find("Limits.compute"), std::string::npos) << text;
  EXPECT_NE(periods[3]["what"].text.find("Limits.read"), std::string::npos) << text;
  EXPECT_NE(periods[4]["what"].text.find("Limits.rest"), std::string::npos) << text;
  EXPECT_NE(text.find("\n* The program's limit changed; averages of its 5 periods"),
            std::string::npos)
      << text;
}

/* A period by itself has one limit. */
void ExpectFilteredPeriods(const Recording &recording) {
  std::vector<Json> periods = ReadPeriods(recording);
  ASSERT_EQ(periods.size(), 2u) << recording.RunView("report");
  for (const Json &period : periods) {
    std::string from = std::to_string(period["begin_ns"].Number() / 1e9);
    std::string to = std::to_string(period["end_ns"].Number() / 1e9);
    EXPECT_EQ(ReadPeriods(recording, {"--from=" + from, "--to=" + to}).size(), 0u) << from;
  }
  std::string middle = std::to_string(periods[0]["end_ns"].Number() / 1e9 - 1.5);
  std::vector<Json> rest = ReadPeriods(recording, {"--from=" + middle});
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_NEAR(rest[0]["end_ns"].Number(), periods[0]["end_ns"].Number(), 0.2e9);
  EXPECT_EQ(ReadPeriods(recording, {"--thread=main"}).size(), 0u) << "others may be the limit";
}

void ExpectNoPeriods(const Recording &recording) {
  std::string text = recording.RunView("report");
  EXPECT_EQ(ReadPeriods(recording).size(), 0u) << text;
  EXPECT_FALSE(Has(text, "The program's limit changed")) << text;
}

}  // namespace

std::vector<Case> ListLimits() {
  return {
      {"Limits",
       {"usecases.Limits", "load=3000", "lock=3000", "cpus=3000", "io=3000", "rest=3000"},
       "",
       ExpectPhases},
      {"LimitsTwo", {"usecases.Limits", "lock=3000", "rest=3000"}, "", ExpectFilteredPeriods},
      {"LimitsLock", {"usecases.Limits", "lock=4000"}, "", ExpectNoPeriods},
      {"LimitsRest", {"usecases.Limits", "rest=4000"}, "", ExpectNoPeriods},
  };
}
