/* Tests triggers without a bound of time: usecases.Alarms does what a trigger waits for until the
   trigger has fired, and until the options that it changes for a while are as before. */
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/text.h"

namespace {

constexpr double kWhile = 2; /* seconds for which a trigger changes options */

struct Alarm {
  const char *name;              /* of the trigger */
  const char *program, *kind;    /* arguments of usecases.Alarms; kind: "" or "virtual" */
  const char *trigger, *options; /* options: others that it needs */
  int oldest;                    /* JDK */
};

const Alarm kAlarms[] = {
    {"deadlock", "monitors", "", "deadlock", "", 8},
    {"deadlock", "monitors", "virtual", "deadlock", "", 25},
    {"blocked", "blocked", "", "blocked>1s", "", 8},
    {"method", "method", "", "method>500ms", ",track=usecases.Alarms.work", 8},
    {"method", "method", "virtual", "method>500ms", ",track=usecases.Alarms.work", 25},
    {"contention", "crowd", "", "contention>50%", "", 8},
    {"cpu", "burn", "", "cpu>1%", "", 8},
    {"signal", "quiet", "", "signal=USR1", "", 8},
};

void PrintTo(const Alarm &a, std::ostream *out) { *out << a.name << a.kind; }

/* A running program, and the folder with the file that ends it. */
class Running {
 public:
  Running(const Jdk &jdk, const std::string &program, const std::string &kind,
          const std::string &options)
      : session_(jdk, MakeProgram(program, kind, options)) {}

  Session &session() { return session_; }
  /* The values of a key of .info up to now. */
  std::vector<std::string> Read(const std::string &key) const {
    std::vector<std::string> values;
    std::string text = ReadFile(session_.prefix() + ".info");
    for (const std::string &line : SplitLines(text.substr(0, text.rfind('\n') + 1)))
      if (line.rfind(key + "=", 0) == 0) values.push_back(line.substr(key.size() + 1));
    return values;
  }
  void Await(const std::string &key, size_t num) const {
    ASSERT_TRUE(Eventually([&] { return Read(key).size() >= num; },
                           [&] { return ReadFile(session_.prefix() + ".info"); }));
  }
  void End() {
    std::ofstream(EndPath()) << "now\n";
    session_.WaitOnly(kPatienceSeconds);
    EXPECT_EQ(session_.result().status, 0) << session_.result().err;
    session_.ExpectChecked();
  }

 private:
  std::string EndPath() const { return scratch_.dir() + "/end"; }
  Program MakeProgram(const std::string &program, const std::string &kind,
                      const std::string &options) const {
    std::vector<std::string> words = {"usecases.Alarms", program, EndPath()};
    if (!kind.empty()) words.push_back(kind);
    return Program(words, {}, options);
  }

  Scratch scratch_;
  Session session_;
};

/* Splits "time,time,rest" of a row of .info. */
struct Change {
  double from, to;
  std::string rest;
};

Change ParseChange(const std::string &row) {
  size_t comma = row.find(','), second = row.find(',', comma + 1);
  return {std::stod(row), std::stod(row.substr(comma + 1)), row.substr(second + 1)};
}

/* The times at which the thread "free" wanted a lock, as far as they are recorded. */
std::vector<double> FindFreeLocks(const std::string &prefix) {
  std::string hash;
  std::vector<double> times;
  for (const std::string &line : SplitLines(ReadFile(prefix + ".orca"))) {
    size_t kind = line.find(',') + 1, thread = line.find(',', kind) + 1;
    std::string name = line.substr(kind, thread - kind - 1), who = line.substr(thread, 8);
    if (name == "ThreadStarted" && line.substr(thread + 8) == ",free") hash = who;
    if (name == "LockAcquire" && who == hash) times.push_back(std::stod(line));
  }
  EXPECT_NE(hash, "");
  return times;
}

class AlarmsTest : public testing::TestWithParam<std::tuple<Jdk, Alarm>> {};

/* Each trigger records more for a while. */
TEST_P(AlarmsTest, ChangesOptionsForAWhile) {
  auto [jdk, a] = GetParam();
  if (jdk.version < a.oldest) GTEST_SKIP() << "not for this JDK";
  Running program(jdk, a.program, a.kind,
                  std::string(",trigger=") + a.trigger + ":locks=all,for=2s" + a.options);
  Process &process = program.session().process();
  ASSERT_TRUE(Eventually([&] { return process.ReadOut().find("AT ") != std::string::npos; }));
  if (std::string(a.name) == "signal") process.Signal(SIGUSR1);
  program.Await("change", 2);
  program.End();

  std::string err = program.session().result().err, name = a.name;
  std::vector<std::string> fired = program.Read("trigger"), rows = program.Read("change");
  ASSERT_EQ(fired.size(), 1u) << err;
  ASSERT_EQ(rows.size(), 2u) << err;
  std::string reason = fired[0].substr(fired[0].find(',') + 1);
  EXPECT_EQ(reason.rfind(name + ",", 0), 0u) << reason;
  std::vector<std::string> said = FindOrcaLines(err);
  ASSERT_EQ(said.size(), 3u) << err;
  EXPECT_EQ(said[0], "orca: trigger " + name + ": " + reason.substr(name.size() + 1));
  EXPECT_EQ(said[1], "orca: trigger " + name + ": for 2 s from now on locks=all");
  EXPECT_EQ(said[2], "orca: trigger " + name + ": its time is over; the options are as before");

  Change begin = ParseChange(rows[0]), end = ParseChange(rows[1]);
  EXPECT_EQ(begin.rest, name + ",locks=all");
  EXPECT_EQ(end.rest, "end,locks=waits");
  EXPECT_GE(begin.from, std::stod(fired[0]));
  EXPECT_GE(end.from, std::stod(fired[0]) + kWhile);
  for (double time : FindFreeLocks(program.session().prefix())) {
    EXPECT_GE(time, begin.from);
    EXPECT_LE(time, end.to);
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, AlarmsTest,
                         testing::Combine(testing::ValuesIn(FindJdks()),
                                          testing::ValuesIn(kAlarms)),
                         [](const auto &info) {
                           const Alarm &a = std::get<1>(info.param);
                           return std::string(a.name) + (*a.kind == '\0' ? "" : "Virtual") + "_" +
                                  std::get<0>(info.param).name;
                         });

class MethodAlarmTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Returns how often stderr has this text. */
  static size_t CountLines(const std::string &err, const std::string &start) {
    size_t num = 0;
    for (const std::string &line : FindOrcaLines(err)) num += line.rfind(start, 0) == 0;
    return num;
  }
};

/* The call still runs when the trigger fires, and fires no second time. */
TEST_P(MethodAlarmTest, NamesTheCallThatStillRuns) {
  Running program(GetParam(), "method", "",
                  ",rest=0,track=usecases.Alarms.work,trigger=method>500ms,maxsize=1MB");
  program.Await("set.number", 1);
  ASSERT_TRUE(Eventually([&] {
    return std::filesystem::exists(program.session().prefix() + ".trigger-1.0001.orca");
  }));
  program.End();
  const std::string &err = program.session().result().err;
  EXPECT_EQ(CountLines(err, "orca: trigger method: usecases.Alarms.work has run for "), 1u) << err;
  EXPECT_NE(err.find("s in thread \"worker\" and goes on; the files up to now are kept as "),
            std::string::npos)
      << err;
  std::string kept = program.session().prefix() + ".trigger-1";
  Scratch scratch;
  ExpectAccepted(kept, scratch.dir());
  std::string report = RunOrcaOn("report", {}, kept, scratch.dir()).out;
  EXPECT_NE(report.find("\nTrigger   method after "), std::string::npos) << report;
}

/* Short calls, one after another: some end before the writer looks at them. They are below the
   threshold, so none is in the files. */
TEST_P(MethodAlarmTest, NamesACallThatIsOver) {
  Running program(GetParam(), "methods", "",
                  ",rest=0,track=usecases.Alarms.workBriefly,trigger=method>100ms,threshold=10s");
  ASSERT_TRUE(Eventually([&] {
    for (const std::string &row : program.Read("trigger"))
      if (row.find("method,usecases.Alarms.workBriefly took ") != std::string::npos) return true;
    return false;
  }));
  program.End();
  const std::string &err = program.session().result().err;
  EXPECT_GE(CountLines(err, "orca: trigger method: usecases.Alarms.workBriefly took "), 1u) << err;
  EXPECT_NE(err.find(" in thread \"worker\""), std::string::npos) << err;
}

/* One line says what is missing. */
TEST_P(MethodAlarmTest, IsRefusedWithoutMethods) {
  Scratch scratch;
  Process process(JavaCommand(GetParam(), {AgentFlag(scratch.dir() + "/dump,trigger=method>500ms")},
                              {"usecases.Alarms", "quiet", "0"}),
                  JavaEnvironment(), scratch.dir());
  Result result = process.Wait(kPatienceSeconds);
  EXPECT_EQ(result.status, 1) << result.err;
  std::vector<std::string> said = FindOrcaLines(result.err);
  ASSERT_EQ(said.size(), 1u) << result.err;
  EXPECT_EQ(said[0],
            "orca: the trigger method needs the option track, methods such as "
            "track=com.acme.Cart.add*, and the group method of events");
}

INSTANTIATE_TEST_SUITE_P(Jvm, MethodAlarmTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
