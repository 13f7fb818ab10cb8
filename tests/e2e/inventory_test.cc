/* Tests what a recording knows about calls that threads were in when it began: the deadlocks and
   waits of usecases.OpenCalls, which says when it ended each wait. */
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/eventually.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

/* The recorded lines of a thread, with their times in nanoseconds. */
struct Line {
  long long ns;
  std::string name; /* of the event; "Sample" */
};

long long ReadTime(const std::string &seconds) {
  size_t point = seconds.find('.');
  return std::stoll(seconds.substr(0, point)) * 1000000000 +
         std::stoll(seconds.substr(point + 1, 9));
}

/* A line without the definitions of stacks and the like. */
struct Fields {
  long long ns = 0;
  std::string name, thread;
};

Fields ReadFields(const std::string &text) {
  Fields f;
  std::string time;
  std::istringstream in(text);
  std::getline(in, time, ',') && std::getline(in, f.name, ',') && std::getline(in, f.thread, ',');
  if (!time.empty()) f.ns = ReadTime(time);
  return f;
}

/* Returns the lines of a file by thread. */
std::map<std::string, std::vector<Line>> ReadLines(const std::string &path) {
  std::map<std::string, std::vector<Line>> lines;
  for (const std::string &text : SplitLines(ReadFile(path))) {
    Fields f = ReadFields(text);
    lines[f.thread].push_back({f.ns, f.name});
  }
  return lines;
}

/* Returns the time of the first sample that certainly shows a thread after `since`. A round of the
   sampler takes the stacks of all threads before it writes its lines. So the lines of a round can
   show what was over when they were written; but the round began after the line of the round
   before. */
long long FindSampleAfter(const std::string &path, const std::string &thread, long long since) {
  long long tick = 0, tick_before = 0;
  for (const std::string &text : SplitLines(ReadFile(path))) {
    Fields f = ReadFields(text);
    if (f.name == "Tick") {
      tick_before = tick;
      tick = f.ns;
    }
    if (f.name == "Sample" && f.thread == thread && tick_before >= since) return f.ns;
  }
  return std::numeric_limits<long long>::max();
}

/* The event that begins the open call of each thread whose call ends during the recording. */
const std::map<std::string, std::string> kWaits = {
    {"waiter", "ObjectWait"},       {"joiner", "ThreadJoin"},
    {"sleeper", "ThreadSleep"},     {"taker", "QueueRemove"},
    {"permit", "SemaphoreAcquire"}, {"future", "FutureAwait"},
    {"locker", "LockAcquire"},      {"contender", "MonitorContendedEnter"},
};

struct Kind {
  Jdk jdk;
  bool is_virtual;
};

void PrintTo(const Kind &kind, std::ostream *out) {
  *out << kind.jdk.name << (kind.is_virtual ? "_virtual" : "_platform");
}

std::vector<Kind> FindKinds() {
  std::vector<Kind> kinds;
  for (const Jdk &jdk : FindJdks()) {
    kinds.push_back({jdk, false});
    /* JDK 21 has virtual threads too, but no ThreadSnapshot: see UnnamedMonitors. */
    if (jdk.version >= 25) kinds.push_back({jdk, true});
  }
  return kinds;
}

std::vector<Kind> FindVirtualKinds() {
  std::vector<Kind> kinds;
  for (const Jdk &jdk : FindJdks()) kinds.push_back({jdk, true});
  return kinds;
}

class Inventory : public testing::TestWithParam<Kind> {
 protected:
  void Start(std::vector<std::string> flags = {}) {
    flags.push_back("-Xcheck:jni");
    const char *mode = GetParam().is_virtual ? "virtual" : "platform";
    process_ = std::make_unique<Process>(
        JavaCommand(GetParam().jdk, flags, {"usecases.OpenCalls", mode, scratch_.dir()}),
        JavaEnvironment(), scratch_.dir());
    ASSERT_TRUE(process_->WaitForLine("ready", kPatienceSeconds)) << ReadFile(Path("stderr"));
  }
  std::string Path(const std::string &name) const { return scratch_.dir() + "/" + name; }
  void Order(const std::string &name) { std::ofstream(Path(name)).put('\n'); }

  std::string Control(const std::string &command, const std::vector<std::string> &words = {}) {
    std::vector<std::string> all = {Runfile("tools/orca/orca"), command,
                                    std::to_string(process_->pid())};
    all.insert(all.end(), words.begin(), words.end());
    Result result = RunProcess(all, {}, Folder("commands"), kPatienceSeconds);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
  std::string Folder(const std::string &name) {
    std::filesystem::create_directory(Path(name));
    return Path(name);
  }
  std::string RunView(const std::string &command, const std::string &name,
                      const std::vector<std::string> &words = {}) {
    Result result = RunOrcaOn(command, words, Path(name), scratch_.dir());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
  Json ReadView(const std::string &command, const std::string &name) {
    return ReadJson(RunView(command, name, {"--format=json"}));
  }

  /* Makes the program end the waits, stops the recording, and ends the program. */
  void EndWaits() {
    Order("go");
    ASSERT_TRUE(process_->WaitForLine("done", kPatienceSeconds)) << ReadFile(Path("stderr"));
    Control("stop");
    Order("end");
    Result result = process_->Wait(kPatienceSeconds);
    EXPECT_EQ(result.status, 0) << result.err;
    ExpectQuietOutput(result);
    for (const std::string &line : SplitLines(result.out)) {
      std::istringstream words(line);
      std::string fact, name;
      long long value;
      if (words >> fact >> name >> value) facts_[name] = value;
    }
  }

  void ExpectRings(const std::string &name);
  void ExpectThreads(const std::string &name);
  void ExpectEnds(const std::string &name);

  Scratch scratch_;
  std::unique_ptr<Process> process_;
  std::map<std::string, long long> facts_;
};

/* A thread of a deadlock. */
struct Link {
  std::string owner, call, owner_place;
};

const std::map<std::string, Link> kLinks = {
    {"mon-1", {"mon-2", "MonitorContendedEnter", "OpenCalls.ownMonitor "}},
    {"mon-2", {"mon-1", "MonitorContendedEnter", "OpenCalls.ownMonitor "}},
    {"loc-1", {"loc-2", "LockAcquire", ""}},
    {"loc-2", {"loc-1", "LockAcquire", ""}},
    {"mix-1", {"mix-2", "LockAcquire", ""}},
    {"mix-2", {"mix-1", "MonitorContendedEnter", "OpenCalls.ownMonitor "}},
};

/* A program that reads files while the agent writes them may see a line before the names of its
   methods. */
bool AreComplete(const Json &links) {
  for (const Json &link : links.items) {
    const std::string &stack = link["owner_stack"].text;
    if (stack.rfind("method ", 0) == 0 || stack.rfind("class ", 0) == 0) return false;
  }
  return links.items.size() >= kLinks.size();
}

/* Waits until the deadlocks of a recording that has just begun are in its files. */
void Inventory::ExpectRings(const std::string &name) {
  Json links;
  EXPECT_TRUE(Eventually([&] {
    links = ReadView("deadlocks", name)["deadlocks"];
    return AreComplete(links);
  }));
  EXPECT_EQ(links.items.size(), kLinks.size());
  std::map<std::string, std::set<std::string>> groups;
  for (const Json &link : links.items) {
    const std::string &thread = link["thread"].text;
    SCOPED_TRACE(thread);
    ASSERT_EQ(kLinks.count(thread), 1u);
    const Link &expected = kLinks.at(thread);
    EXPECT_EQ(link["owner"].text, expected.owner);
    EXPECT_EQ(link["call"].text, expected.call);
    EXPECT_EQ(link["owner_stack"].text.rfind(expected.owner_place, 0), 0u)
        << link["owner_stack"].text;
    EXPECT_EQ(link["since_ns"].kind, Json::kNull);
    groups[link["group"].text].insert(thread.substr(0, 3));
  }
  EXPECT_EQ(groups.size(), 3u);
  for (const auto &[number, rings] : groups) EXPECT_EQ(rings.size(), 1u) << number;
  std::string report = RunView("report", name);
  EXPECT_NE(report.find("\n* DEADLOCK: "), std::string::npos) << report;
  ExpectAccepted(Path(name), scratch_.dir());
}

/* Expects that each thread started once, and that its open call is recorded once. */
void Inventory::ExpectThreads(const std::string &name) {
  Dump dump = ReadDump(Path(name));
  std::map<std::string, uint32_t> hashes;
  std::map<uint32_t, int> open_calls;
  std::multiset<std::string> names;
  for (const Event &e : dump.events) {
    if (e.kind == EVENT_OPEN_CALL) open_calls[e.thread]++;
    if (e.kind != EVENT_THREAD_STARTED) continue;
    names.insert(e.name);
    hashes[e.name] = e.thread;
  }
  std::set<std::string> expected = {"holder", "joined"};
  for (const auto &wait : kWaits) expected.insert(wait.first);
  for (const auto &link : kLinks) expected.insert(link.first);
  for (const std::string &thread : expected) {
    SCOPED_TRACE(thread);
    EXPECT_EQ(names.count(thread), 1u);
    EXPECT_EQ(open_calls[hashes[thread]], 1);
  }
  for (const Event &e : dump.events) { /* Thread.join may be an Object.wait inside */
    EXPECT_FALSE(e.thread == hashes["joiner"] && e.kind == EVENT_OBJECT_WAIT);
  }
}

/* A thread counts as in its open call from its first line on. Expects that the recorded end of each
   open call is between its real end and the next line that shows its thread after that. */
void Inventory::ExpectEnds(const std::string &name) {
  auto all_events = ReadLines(Path(name + ".orca"));
  int num_by_sample = 0, num_threads = 0;
  const Json view = ReadView("threads", name);
  for (const Json &row : view["threads"].items) {
    const std::string &thread = row["thread"].text;
    if (kWaits.count(thread) == 0) continue;
    SCOPED_TRACE(thread);
    num_threads++;
    const std::vector<Line> &events = all_events[row["hash"].text];
    auto begin = std::find_if(events.begin(), events.end(),
                              [](const Line &line) { return line.name == "OpenCall"; });
    ASSERT_GE(std::distance(begin, events.end()), 3);
    begin++;
    auto next = begin + 1;
    EXPECT_EQ(begin->name, kWaits.at(thread));

    unsigned long long waited = 0, count = 0;
    for (const char *state : {"blocked", "waiting", "sleeping"}) {
      waited += row[std::string(state) + "_ns"].Integer();
      count += row[(state == std::string("waiting")    ? "waited"
                    : state == std::string("sleeping") ? "slept"
                                                       : state) +
                   std::string("_count")]
                   .Integer();
    }
    EXPECT_EQ(count, 1u);
    long long released = facts_["released-" + thread], returned = facts_["returned-" + thread],
              end = events.front().ns + static_cast<long long>(waited), limit = next->ns;
    limit = std::min(limit, FindSampleAfter(Path(name + ".samples"), row["hash"].text, returned));
    EXPECT_GT(released, begin->ns);
    EXPECT_GE(end, released);
    EXPECT_LE(end, limit);
    if (thread == "contender") {
      EXPECT_EQ(next->name, "MonitorContendedEntered");
      EXPECT_NEAR(static_cast<double>(end), static_cast<double>(next->ns), 2);
      EXPECT_LE(end, returned);
    } else {
      EXPECT_EQ(next->name, "ThreadEnded");
      num_by_sample += end < next->ns;
    }
  }
  EXPECT_EQ(num_threads, static_cast<int>(kWaits.size()));
  EXPECT_GT(num_by_sample, 0);
}

TEST_P(Inventory, KnowsTheOpenCallsInEachRecordingByAttach) {
  Start();
  for (std::string name : {"first", "second"}) {
    SCOPED_TRACE(name);
    Control("attach", {Path(name)});
    ExpectRings(name);
    if (name == "first") Control("stop");
    ExpectThreads(name);
  }
  EndWaits();
  ExpectEnds("second");
  ExpectRings("second");
}

/* Before JDK 19, the JVM itself would call getId to say for which monitors threads wait. */
TEST_P(Inventory, CallsNoCodeOfTheProgram) {
  if (GetParam().is_virtual) GTEST_SKIP() << "virtual threads have no subclasses";
  Start({"-Down.numbers=true"});
  Control("attach", {Path("own")});
  bool has_monitors = GetParam().jdk.version >= 19;
  if (has_monitors) ExpectRings("own");
  Order("go");
  ASSERT_TRUE(process_->WaitForLine("done", kPatienceSeconds)) << ReadFile(Path("stderr"));
  Control("stop");
  Order("end");
  Result result = process_->Wait(kPatienceSeconds);
  EXPECT_EQ(result.status, 0) << result.err;
  int num_open = 0;
  for (const Event &e : ReadDump(Path("own")).events) num_open += e.kind == EVENT_OPEN_CALL;
  EXPECT_GE(num_open, 6) << "those that wait for no monitor";
  EXPECT_EQ(result.err.find("overrides Thread.getId") == std::string::npos, has_monitors);
  EXPECT_EQ(result.out.find("getId was called"), std::string::npos) << result.out;
}

TEST_P(Inventory, KnowsTheOpenCallsAtADelayedStart) {
  Start({AgentFlag(Path("delayed") + ",start=6s")});
  auto is_delayed = [&] { return Control("status").find(" begins in ") != std::string::npos; };
  if (!is_delayed()) GTEST_SKIP() << "the program took too long to start";
  EXPECT_TRUE(Eventually([&] { return !is_delayed(); }));
  ExpectRings("delayed");
  ExpectThreads("delayed");
  EndWaits();
  ExpectEnds("delayed");
}

/* JDK 21 lists virtual threads, but does not tell for which monitors they wait. */
class UnnamedMonitors : public Inventory {};

TEST_P(UnnamedMonitors, OfVirtualThreadsAreCountedAndTheRestIsKnown) {
  if (GetParam().jdk.version < 21 || GetParam().jdk.version > 24)
    GTEST_SKIP() << "this JDK has no virtual threads, or names their monitors";
  Start({"-Djdk.virtualThreadScheduler.parallelism=16"}); /* those that block keep their carriers */
  Control("attach", {Path("dump")});
  const std::set<std::string> ring = {"loc-1", "loc-2"};
  EXPECT_TRUE(Eventually([&] { /* at first, the files may lack the name of a thread */
                               std::set<std::string> threads;
                               for (const Json &link :
                                    ReadView("deadlocks", "dump")["deadlocks"].items) {
                                 if (link.Has("thread")) threads.insert(link["thread"].text);
                               }
                               return threads == ring;
  }));
  EndWaits();
  std::string report = RunView("report", "dump");
  EXPECT_NE(report.find("4 virtual threads were blocked on a monitor"), std::string::npos)
      << report; /* mon-1, mon-2, mix-2 and contender */
}

INSTANTIATE_TEST_SUITE_P(Jvm, Inventory, testing::ValuesIn(FindKinds()),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Jvm, UnnamedMonitors, testing::ValuesIn(FindVirtualKinds()),
                         [](const auto &info) { return info.param.jdk.name; });

}  // namespace
