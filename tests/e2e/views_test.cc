/* What the views of `orca` tell of one recording is the workload's own account, and the same in
   each of them: while the program runs, after the recording was stopped, after the program was
   killed. */
#include <map>
#include <regex>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/page_data.h"

namespace {

/* How often each thread made which event. */
using Counts = std::map<uint32_t, std::map<std::string, int>>;

uint32_t Hash(const Json &json) {
  return static_cast<uint32_t>(strtoul(json.text.c_str(), nullptr, 16));
}

std::string Spelled(uint32_t hash) {
  char text[9];
  snprintf(text, sizeof text, "%08X", hash);
  return text;
}

class Views {
 public:
  Views(const Phases &program, const std::string &name, const Story &story)
      : program_(program), prefix_(program.Prefix(name)), story_(story) {
    for (const auto &[thread, steps] : story.steps) {
      for (const Step &step : steps) {
        if (event_infos[step.kind].group == GROUP_MONITOR) continue; /* the JDK has locks too */
        told_[thread][event_infos[step.kind].name]++;
        kinds_.insert(event_infos[step.kind].name);
      }
    }
  }

  const Counts &told() const { return told_; }

  /* The same without what ends a pair. */
  Counts ToldBegun() const {
    Counts begun;
    for (const auto &[thread, steps] : story_.steps) {
      for (const Step &step : steps) {
        const struct event_info &info = event_infos[step.kind];
        if (info.group == GROUP_MONITOR || event_ends(step.kind)) continue;
        begun[thread][info.name]++;
      }
    }
    return begun;
  }

  Counts InLog(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json log = Read("log", filters, {"--format=json"});
    for (const Json &e : log["events"].items) Count(&counts, Hash(e["thread_hash"]), e["event"]);
    return counts;
  }

  Counts InPage(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json page = Page(filters);
    const std::vector<Json> &rows = page["log"]["rows"].items;
    EXPECT_EQ(page["log"]["whole"].text, "true");
    EXPECT_EQ(page["log"]["events"].Integer(), rows.size() / 7);
    for (size_t i = 0; i < rows.size(); i += 7) {
      const Json &thread = page["threads"].items.at(rows[i + 1].Integer()).items.at(1);
      Count(&counts, Hash(thread), page["events"].items.at(rows[i + 2].Integer()).items.at(0));
    }
    return counts;
  }

  /* A slice a pair, a moment another event. */
  Counts InTrace(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json trace = Read("export", filters, {"--format=perfetto"});
    for (const Json &e : trace["traceEvents"].items) {
      bool event = e["ph"].text == "X" || (e["ph"].text == "i" && e["cat"].text != "arrow");
      if (!event || e["pid"].text != "1") continue;
      Count(&counts, static_cast<uint32_t>(e["tid"].Integer()), e["name"]);
    }
    return counts;
  }

  /* "waited 5 slept 200 notified 600" by thread. */
  std::map<uint32_t, std::string> InThreads() const {
    std::map<uint32_t, std::string> rows;
    const Json threads = Read("threads", {}, {"--format=json"});
    for (const Json &row : threads["threads"].items) {
      if (told_.count(Hash(row["hash"])) == 0) continue;
      rows[Hash(row["hash"])] = "waited " + row["waited_count"].text + " slept " +
                                row["slept_count"].text + " notified " + row["notified_count"].text;
    }
    return rows;
  }

  std::map<uint32_t, std::string> ToldThreads() const {
    std::map<uint32_t, std::string> rows;
    for (const auto &[thread, counts] : ToldBegun()) {
      auto of = [&counts = counts](const char *name) {
        auto found = counts.find(name);
        return found == counts.end() ? 0 : found->second;
      };
      rows[thread] =
          "waited " + std::to_string(of("ObjectWait") + of("ThreadJoin")) + " slept " +
          std::to_string(of("ThreadSleep")) + " notified " +
          std::to_string(of("ObjectNotify") + of("ObjectNotifyAll") + of("SemaphoreRelease"));
    }
    return rows;
  }

  /* Counters of .info that the views have no words for: "writer.wakeups is 230.". */
  std::string Unexplained() const {
    static const std::regex counter("\\n\\* [a-z.]+ is \\d+\\.\\n");
    std::smatch found;
    const std::string report = Run("report", {}, {});
    return std::regex_search(report, found, counter) ? found.str() : "";
  }

  /* The nanoseconds of all threads. */
  uint64_t Cpu() const {
    uint64_t sum = 0;
    const Json hot = Read("hot", {}, {"--by-thread", "--format=json"});
    for (const auto &[key, rows] : hot.members) {
      for (const Json &row : rows.items) sum += row["time_ns"].Integer();
    }
    return sum;
  }

  Json Page(const std::vector<std::string> &filters) const {
    return DataIn(Run("html", filters, {"-o=-"}));
  }

 private:
  std::string Run(const std::string &command, std::vector<std::string> words,
                  const std::vector<std::string> &more) const {
    words.insert(words.end(), more.begin(), more.end());
    Result result = program_.RunOrcaOn(command, words, prefix_);
    EXPECT_EQ(result.status, 0) << command << ": " << result.err;
    EXPECT_EQ(result.err, "") << command;
    return result.out;
  }
  Json Read(const std::string &command, const std::vector<std::string> &filters,
            const std::vector<std::string> &more) const {
    return ReadJson(Run(command, filters, more));
  }
  /* Of the workload's own threads what it gave an account of. */
  void Count(Counts *counts, uint32_t thread, const Json &event) const {
    if (told_.count(thread) != 0 && kinds_.count(event.text) != 0) (*counts)[thread][event.text]++;
  }

  const Phases &program_;
  std::string prefix_;
  const Story &story_;
  Counts told_;
  std::set<std::string> kinds_;
};

/* The one that did most, alone. */
void ExpectFiltered(const Views &views) {
  uint32_t busiest = 0;
  size_t most = 0;
  for (const auto &[thread, counts] : views.told()) {
    size_t sum = 0;
    for (const auto &[name, count] : counts) sum += static_cast<size_t>(count);
    if (sum > most) busiest = thread;
    most = std::max(most, sum);
  }
  const std::vector<std::string> filter = {"--thread", Spelled(busiest)};
  Counts told = {{busiest, views.told().at(busiest)}};
  EXPECT_EQ(views.InLog(filter), told);
  EXPECT_EQ(views.InPage(filter), told);
  EXPECT_EQ(views.InTrace(filter), (Counts{{busiest, views.ToldBegun().at(busiest)}}));
  EXPECT_EQ(views.Page(filter)["asked"].Integer(), 1u);
  std::map<std::string, int> waits = {{"ObjectWait", told[busiest].at("ObjectWait")},
                                      {"ObjectWaited", told[busiest].at("ObjectWaited")}};
  std::vector<std::string> both = {"--thread", Spelled(busiest), "--event=wait"};
  EXPECT_EQ(views.InLog(both), (Counts{{busiest, waits}}));
  EXPECT_EQ(views.InPage(both), (Counts{{busiest, waits}}));
}

void ExpectViews(const Views &views, const char *when) {
  SCOPED_TRACE(when);
  ASSERT_GE(views.told().size(), 3u);
  EXPECT_EQ(views.InLog(), views.told());
  EXPECT_EQ(views.InPage(), views.told());
  EXPECT_EQ(views.InTrace(), views.ToldBegun());
  EXPECT_EQ(views.InThreads(), views.ToldThreads());
  ExpectFiltered(views);
}

class ViewsTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Attaches, and has the program do all that it gives an account of. */
  Story Record(Phases *program) {
    EXPECT_EQ(program->RunOrca("attach", {program->Prefix("dump")}).status, 0);
    Story story = program->Run("calls");
    EXPECT_EQ(program->RunOrca("flush").status, 0);
    return story;
  }
};

TEST_P(ViewsTest, WhileTheProgramRunsAndAfterStop) {
  Phases program(GetParam());
  Story story = Record(&program);
  Views views(program, "dump", story);
  ExpectViews(views, "while it runs");
  EXPECT_EQ(program.RunOrca("stop").status, 0);
  ExpectViews(views, "after stop");
  EXPECT_EQ(views.Cpu(), SumCpuTimes(ReadSampledCpu(program.Prefix("dump"))));
  EXPECT_EQ(views.Unexplained(), "");
  program.End();
}

TEST_P(ViewsTest, AfterTheProgramWasKilled) {
  Phases program(GetParam());
  Story story = Record(&program);
  program.Kill();
  Views views(program, "dump", story);
  ExpectViews(views, "after it was killed");
  EXPECT_EQ(views.Cpu(), SumCpuTimes(ReadSampledCpu(program.Prefix("dump"))));
}

/* --- where the time goes ------------------------------------------------------------------- */

TEST_P(ViewsTest, CpuTimeIsThatOfTheThreads) {
  Session session({GetParam(), "weave"}, Program({"counted.Busy"}));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  CpuTimes sampled = ReadSampledCpu(session.prefix());
  const Json threads = ReadJson(session.RunOrca("threads", {"--format=json"}).out);
  for (const Json &row : threads["threads"].items) {
    EXPECT_EQ(row["cpu_ns"].Integer(), sampled[Hash(row["hash"])]) << row["thread"].text;
  }
  const Json hot = ReadJson(session.RunOrca("hot", {"--format=json"}).out);
  uint64_t burn = 0, self = 0;
  for (const auto &[key, rows] : hot.members) {
    for (const Json &row : rows.items) {
      self += row["self_ns"].Integer();
      if (row["method"].text == "Busy.burn") burn = row["total_ns"].Integer();
    }
  }
  EXPECT_LE(self, SumCpuTimes(sampled));
  EXPECT_GE(self, SumCpuTimes(sampled) /
                      2); /* the JVM's own threads have no stack, nor those seen by none */
  EXPECT_GE(burn, self / 10 * 9);
}

INSTANTIATE_TEST_SUITE_P(Jvm, ViewsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
