/* Tests that all views of `orca` match the account of the workload: while the program runs, after
   the recording is stopped, and after the program is killed. */
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"
#include "tests/e2e/session.h"
#include "tests/support/page_data.h"

namespace {

/* The number of events by thread and kind. */
using Counts = std::map<uint32_t, std::map<std::string, int>>;

uint32_t ReadHash(const Json &json) {
  return static_cast<uint32_t>(strtoul(json.text.c_str(), nullptr, 16));
}

std::string FormatHash(uint32_t hash) {
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
        expected_[thread][event_infos[step.kind].name]++;
        kinds_.insert(event_infos[step.kind].name);
      }
    }
  }

  const Counts &expected() const { return expected_; }

  /* Returns the events of the account without the end events of pairs. */
  Counts CountBeginEvents() const {
    Counts begun;
    for (const auto &[thread, steps] : story_.steps) {
      for (const Step &step : steps) {
        const struct event_info &info = event_infos[step.kind];
        if (info.group == GROUP_MONITOR || event_is_end(step.kind)) continue;
        begun[thread][info.name]++;
      }
    }
    return begun;
  }

  Counts CountInLog(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json log = Read("log", filters, {"--format=json"});
    for (const Json &e : log["events"].items)
      CountEvent(&counts, ReadHash(e["thread_hash"]), e["event"]);
    return counts;
  }

  Counts CountInPage(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json page = ReadPage(filters);
    const std::vector<Json> &rows = page["log"]["rows"].items;
    EXPECT_EQ(page["log"]["whole"].text, "true");
    EXPECT_EQ(page["log"]["events"].Integer(), rows.size() / 7);
    for (size_t i = 0; i < rows.size(); i += 7) {
      const Json &thread = page["threads"].items.at(rows[i + 1].Integer()).items.at(1);
      CountEvent(&counts, ReadHash(thread),
                 page["events"].items.at(rows[i + 2].Integer()).items.at(0));
    }
    return counts;
  }

  /* A trace has a slice for each pair, and an instant for each other event. */
  Counts CountInTrace(const std::vector<std::string> &filters = {}) const {
    Counts counts;
    const Json trace = Read("export", filters, {"--format=perfetto"});
    for (const Json &e : trace["traceEvents"].items) {
      bool is_event = e["ph"].text == "X" || (e["ph"].text == "i" && e["cat"].text != "arrow");
      if (!is_event || e["pid"].text != "1") continue;
      CountEvent(&counts, static_cast<uint32_t>(e["tid"].Integer()), e["name"]);
    }
    return counts;
  }

  /* Returns "waited 5 slept 200 notified 600" by thread. */
  std::map<uint32_t, std::string> ReadThreads() const {
    std::map<uint32_t, std::string> rows;
    const Json threads = Read("threads", {}, {"--format=json"});
    for (const Json &row : threads["threads"].items) {
      if (expected_.count(ReadHash(row["hash"])) == 0) continue;
      rows[ReadHash(row["hash"])] = "waited " + row["waited_count"].text + " slept " +
                                    row["slept_count"].text + " notified " +
                                    row["notified_count"].text;
    }
    return rows;
  }

  std::map<uint32_t, std::string> FormatThreads() const {
    std::map<uint32_t, std::string> rows;
    for (const auto &[thread, counts] : CountBeginEvents()) {
      auto count = [&counts = counts](const char *name) {
        auto found = counts.find(name);
        return found == counts.end() ? 0 : found->second;
      };
      rows[thread] = "waited " + std::to_string(count("ObjectWait") + count("ThreadJoin")) +
                     " slept " + std::to_string(count("ThreadSleep")) + " notified " +
                     std::to_string(count("ObjectNotify") + count("ObjectNotifyAll") +
                                    count("SemaphoreRelease"));
    }
    return rows;
  }

  /* Returns the first counter of .info that the report does not explain: "* writer.wakeups is
     230."; "" if there is none. */
  std::string FindUnexplained() const {
    static const std::regex counter("\\n\\* [a-z.]+ is \\d+\\.\\n");
    std::smatch found;
    const std::string report = Run("report", {}, {});
    return std::regex_search(report, found, counter) ? found.str() : "";
  }

  /* Returns the CPU time of all threads in nanoseconds. */
  uint64_t SumCpu() const {
    uint64_t sum = 0;
    const Json hot = Read("hot", {}, {"--by-thread", "--format=json"});
    for (const auto &[key, rows] : hot.members) {
      for (const Json &row : rows.items) sum += row["time_ns"].Integer();
    }
    return sum;
  }

  Json ReadPage(const std::vector<std::string> &filters) const {
    return ReadPageData(Run("html", filters, {"-o=-"}));
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
  /* Counts an event if its thread and its kind are in the account. */
  void CountEvent(Counts *counts, uint32_t thread, const Json &event) const {
    if (expected_.count(thread) != 0 && kinds_.count(event.text) != 0)
      (*counts)[thread][event.text]++;
  }

  const Phases &program_;
  std::string prefix_;
  const Story &story_;
  Counts expected_;
  std::set<std::string> kinds_;
};

/* Expects correct views with a filter for the thread with the most events. */
void ExpectFiltered(const Views &views) {
  uint32_t busiest = 0;
  size_t most = 0;
  for (const auto &[thread, counts] : views.expected()) {
    size_t sum = 0;
    for (const auto &[name, count] : counts) sum += static_cast<size_t>(count);
    if (sum > most) busiest = thread;
    most = std::max(most, sum);
  }
  const std::vector<std::string> filter = {"--thread", FormatHash(busiest)};
  Counts expected = {{busiest, views.expected().at(busiest)}};
  EXPECT_EQ(views.CountInLog(filter), expected);
  EXPECT_EQ(views.CountInPage(filter), expected);
  EXPECT_EQ(views.CountInTrace(filter), (Counts{{busiest, views.CountBeginEvents().at(busiest)}}));
  EXPECT_EQ(views.ReadPage(filter)["asked"].Integer(), 1u);
  std::map<std::string, int> waits = {{"ObjectWait", expected[busiest].at("ObjectWait")},
                                      {"ObjectWaited", expected[busiest].at("ObjectWaited")}};
  std::vector<std::string> both = {"--thread", FormatHash(busiest), "--event=wait"};
  EXPECT_EQ(views.CountInLog(both), (Counts{{busiest, waits}}));
  EXPECT_EQ(views.CountInPage(both), (Counts{{busiest, waits}}));
}

void ExpectViews(const Views &views, const char *when) {
  SCOPED_TRACE(when);
  ASSERT_GE(views.expected().size(), 3u);
  EXPECT_EQ(views.CountInLog(), views.expected());
  EXPECT_EQ(views.CountInPage(), views.expected());
  EXPECT_EQ(views.CountInTrace(), views.CountBeginEvents());
  EXPECT_EQ(views.ReadThreads(), views.FormatThreads());
  ExpectFiltered(views);
}

class ViewsTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Attaches, and makes the program perform the phase "calls". */
  Story RecordCalls(Phases *program) {
    EXPECT_EQ(program->RunOrca("attach", {program->Prefix("dump")}).status, 0);
    Story story = program->Run("calls");
    program->TakeSnapshot();
    return story;
  }
};

TEST_P(ViewsTest, MatchTheAccountWhileTheProgramRunsAndAfterStop) {
  Phases program(GetParam());
  Story story = RecordCalls(&program);
  Views views(program, "dump", story);
  ExpectViews(views, "while the program runs");
  EXPECT_EQ(program.RunOrca("stop").status, 0);
  ExpectViews(views, "after stop");
  EXPECT_EQ(views.SumCpu(), SumCpuTimes(ReadSampledCpu(program.Prefix("dump"))));
  EXPECT_EQ(views.FindUnexplained(), "");
  program.End();
}

TEST_P(ViewsTest, MatchTheAccountAfterTheProgramWasKilled) {
  Phases program(GetParam());
  Story story = RecordCalls(&program);
  program.Kill();
  Views views(program, "dump", story);
  ExpectViews(views, "after the program was killed");
  EXPECT_EQ(views.SumCpu(), SumCpuTimes(ReadSampledCpu(program.Prefix("dump"))));
}

/* --- where the time goes ------------------------------------------------------------------- */

TEST_P(ViewsTest, HaveTheCpuTimeOfTheSamples) {
  Session session(GetParam(), Program({"counted.Busy"}));
  session.WaitOnly(60);
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  CpuTimes sampled = ReadSampledCpu(session.prefix());
  const Json threads = ReadJson(session.RunOrca("threads", {"--format=json"}).out);
  for (const Json &row : threads["threads"].items) {
    EXPECT_EQ(row["cpu_ns"].Integer(), sampled[ReadHash(row["hash"])]) << row["thread"].text;
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
  EXPECT_GE(self, SumCpuTimes(sampled) / 2); /* samples without a stack do not count here */
  EXPECT_GE(burn, self / 10 * 9);
}

INSTANTIATE_TEST_SUITE_P(Jvm, ViewsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
