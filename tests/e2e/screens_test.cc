/* Records programs with `orca run` and `orca attach`, as a user does, and reads "In short" as a
   performance engineer would: the first sentence must name the culprit, and the first five lines
   must not claim anything false. Programs that only run to their end are in
   tests/recordings/screens.cc. */
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/recordings/screen.h"
#include "tests/support/text.h"

namespace {

namespace fs = std::filesystem;

/* Records with `orca run`, and reads reports. */
class Recorder {
 public:
  Result RunOrca(const std::vector<std::string> &words) {
    std::vector<std::string> command = {Runfile("tools/orca/orca")};
    command.insert(command.end(), words.begin(), words.end());
    std::string own = scratch_.dir() + "/process" + std::to_string(++num_runs_);
    fs::create_directory(own);
    return RunProcess(command, JavaEnvironment(), own, 120);
  }

  /* Returns the screen of the first JVM that the command starts; `*out` receives its output. */
  Screen Record(const std::vector<std::string> &command, std::string *out = nullptr) {
    std::vector<std::string> words = {"run", "-o", prefix(), "--"};
    words.insert(words.end(), command.begin(), command.end());
    Result result = RunOrca(words);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    Screen screen = ReadReport();
    if (out != nullptr) *out = result.out;
    if (!Has(result.out, " JVMs were recorded.")) {
      EXPECT_EQ(ReadScreen(result.out).first, screen.first);
    }
    return screen;
  }
  Screen ReadReport() { return ReadScreen(RunOrca({"report", prefix()}).out); }

  std::string dir() const { return scratch_.dir(); }
  std::string prefix() const { return dir() + "/out"; }

 private:
  Scratch scratch_;
  int num_runs_ = 0;
};

class Screens : public testing::TestWithParam<Jdk> {};

struct HangScreens {
  Screen during, after; /* while the recording goes on, and after it */
};

/* Starts a program that hangs, and attaches when it prints the fact. */
HangScreens AttachToHang(const Jdk &jdk, const std::vector<std::string> &program,
                         const std::string &fact, unsigned seconds) {
  Recorder recorder;
  std::string own = recorder.dir() + "/program";
  fs::create_directory(own);
  Process process(JavaCommand(jdk, {}, program), JavaEnvironment(), own);
  EXPECT_TRUE(process.WaitForLine(fact, 60));
  std::string pid = std::to_string(process.pid());
  Result attached = recorder.RunOrca({"attach", pid, recorder.prefix()});
  EXPECT_EQ(attached.status, 0) << attached.out << attached.err;
  sleep(seconds);
  HangScreens screens = {recorder.ReadReport(), {}};
  for (int i = 0; i < 20 && Matches(screens.during.first, "No sample found"); i++) {
    sleep(1); /* on a busy machine nothing may be in the files yet */
    screens.during = recorder.ReadReport();
  }
  Result stopped = recorder.RunOrca({"stop", pid});
  EXPECT_EQ(stopped.status, 0) << stopped.err;
  screens.after = recorder.ReadReport();
  process.Signal(SIGKILL);
  process.Wait(10);
  return screens;
}

/* The deadlock is older than the recording. */
TEST_P(Screens, ADeadlockIsToldAfterAttach) {
  Screen screen =
      AttachToHang(GetParam(), {"usecases.LockOrder", "hang"}, "fact stuck 2", 2).during;
  EXPECT_TRUE(Matches(screen.first, R"(^ DEADLOCK: (there|back) blocks on .*LockOrder\$Account@)"))
      << screen.text;
  EXPECT_FALSE(Has(screen.top, "No thread waited")) << screen.text;
  EXPECT_FALSE(Matches(screen.top, kIdle)) << screen.text;
}

const char kHungPool[] =
    R"( \(these are all workers of their pool: a task that is queued in it cannot run\))";

/* A backend does not answer. On each JDK the stacks of a read with and without a time limit differ.
 */
TEST_P(Screens, AHangInIoIsToldAfterAttach) {
  Screen screen =
      AttachToHang(GetParam(), {"screens.HungBackend", "channel", "600000"}, "fact reading", 3)
          .after;
  EXPECT_TRUE(Matches(
      screen.first,
      R"(^ Nothing moved in the program for the last \S+ s: pool-1-thread-1…8 have been )"
      R"(in a socket read \(\S+\) at HungBackend\.readChannel \(\S+\) for at )"
      R"(least \S+ s)" +
          std::string(kHungPool) + R"(; main has waited in FutureTask\.get at HungBackend\.main )"))
      << screen.text;
  for (const char *part : {kDeadlock, kLock, kCpu}) {
    EXPECT_FALSE(Matches(screen.top, part)) << part << "\n" << screen.text;
  }
}

TEST_P(Screens, AHangInIoIsToldWithItsLength) {
  Recorder recorder;
  std::string out;
  Screen screen =
      recorder.Record(JavaCommand(GetParam(), {}, {"screens.HungBackend", "stream", "2500"}), &out);
  double begin = std::stod(out.substr(out.find("fact begin ") + strlen("fact begin ")));
  double end = std::stod(out.substr(out.find("fact exit ") + strlen("fact exit ")));
  std::smatch match;
  ASSERT_TRUE(std::regex_search(
      screen.first, match,
      std::regex(
          /* On a busy machine the first sample of a thread can be just before its read. */
          R"(^ I/O: (?:pool-1-thread-1…8|threads, mostly \d of pool-1-thread-1…8,) waited \S+ s )"
          R"(in total in a socket read \(\S+\) at )"
          R"(HungBackend\.readStream .* When the recording ended, pool-1-thread-1…8 had been )"
          R"(in one such call for at least (\S+) s)" +
          std::string(kHungPool))))
      << screen.text;
  EXPECT_LE(std::stod(match[1]), (end - begin) / 1000 + 1) << screen.text;
  EXPECT_GE(std::stod(match[1]), (end - begin) / 1000 - 2) << screen.text;
  EXPECT_FALSE(Matches(screen.top, std::string(kDeadlock) + "|" + kLock)) << screen.text;
}

const char kLarger[] = R"(by simulation, with twice as many threads)";
const char kFaster[] = R"( the run would be (\S+) to \S+ times as fast)";
const char kIfIo[] = ", if their I/O took no longer then,";

std::string JoinLines(const std::string &text) {
  return std::regex_replace(text, std::regex("\n +"), " ");
}

double ReadWork(const std::string &out) {
  const std::string fact = "fact work ";
  EXPECT_TRUE(Has(out, fact)) << out;
  return Has(out, fact) ? std::stod(out.substr(out.find(fact) + fact.size())) : 1;
}

/* Returns how long the tasks of a pool with so many threads take without Orca, in milliseconds: the
   shortest of some runs, because other programs can only make one longer. */
double RunWorkers(const Jdk &jdk, const std::string &how, int threads) {
  Scratch scratch;
  std::vector<std::string> program = {"screens.FewWorkers", how, std::to_string(threads)};
  double shortest = 1e9;
  for (int i = 0; i < 3; i++) {
    std::string dir = scratch.dir() + "/" + std::to_string(i);
    fs::create_directory(dir);
    Result result = RunProcess(JavaCommand(jdk, {}, program), JavaEnvironment(), dir, 120);
    shortest = std::min(shortest, ReadWork(result.out));
  }
  return shortest;
}

/* Reads "1.33 s" or "732 ms" as milliseconds. */
double ReadMs(const std::string &number, const std::string &unit) {
  return std::stod(number) * (unit == "s" ? 1000 : 1);
}

/* Records a pool of 4 threads whose tasks wait, and compares the gain that its report promises for
   8 threads with the measured one. `words`: what the promise says besides. `error`: as part of the
   gain. */
void ExpectGainOfMoreWorkers(const Jdk &jdk, const std::string &how, const std::string &words,
                             double error) {
  std::smatch match;
  std::string out, text;
  std::regex promise(kLarger + words + kFaster + R"( \((\S+) (m?s) to (\S+) (m?s)\))");
  bool is_found = false;
  /* While other programs are busy, the simulation may refuse. */
  for (int i = 0; i < 3 && !is_found; i++) {
    Recorder recorder;
    recorder.Record(JavaCommand(jdk, {}, {"screens.FewWorkers", how, "4"}), &out);
    text = JoinLines(recorder.ReadReport().text);
    is_found = std::regex_search(text, match, promise);
  }
  ASSERT_TRUE(is_found) << text;
  /* The start and the end of the run take as long with more threads. */
  double work = ReadWork(out), saved = ReadMs(match[2], match[3]) - ReadMs(match[4], match[5]);
  double gain = RunWorkers(jdk, how, 4) / RunWorkers(jdk, how, 8);
  EXPECT_GT(gain, 1.3); /* 2 if no other program runs */
  EXPECT_NEAR(work / (work - saved), gain, error * gain) << text;
}

TEST_P(Screens, TheGainOfALargerPoolIsTrue) {
  ExpectGainOfMoreWorkers(GetParam(), "sleep", "", 0.2);
}

TEST_P(Screens, TheGainOfALargerPoolIsTrueForIo) {
  /* The other process needs CPUs, too. */
  ExpectGainOfMoreWorkers(GetParam(), "io", kIfIo, 0.3);
}

/* The gain that the screen promises at least with twice as many threads; 1: none. */
double ReadLeastOfLarger(const Screen &screen) {
  std::smatch match;
  std::string text = JoinLines(screen.text);
  std::regex promise(std::string(kLarger) + "(?:" + kIfIo + ")?" + kFaster);
  return std::regex_search(text, match, promise) ? std::stod(match[1]) : 1;
}

/* All tasks need one lock. */
TEST_P(Screens, ALargerPoolDoesNotHelpWithOneLock) {
  Recorder recorder;
  Screen screen = recorder.Record(JavaCommand(GetParam(), {}, {"screens.FewWorkers", "lock", "4"}));
  EXPECT_LT(RunWorkers(GetParam(), "lock", 4) / RunWorkers(GetParam(), "lock", 8), 1.15);
  EXPECT_LT(ReadLeastOfLarger(screen), 1.15) << screen.text;
  EXPECT_FALSE(Has(screen.first, "Tasks ")) << screen.text;
}

/* There are twice as many threads as CPUs. Threads of other programs may compete. */
TEST_P(Screens, ALargerPoolDoesNotHelpOnFullCpus) {
  Recorder recorder;
  Screen screen = recorder.Record(JavaCommand(GetParam(), {}, {"screens.FewWorkers", "compute"}));
  EXPECT_LT(ReadLeastOfLarger(screen), 1.15) << screen.text;
  EXPECT_FALSE(Has(screen.first, "Tasks ")) << screen.text;
}

/* All 240 tasks are queued at once, and 4 run at a time. */
TEST_P(Screens, TheSlowestTasksWereInTheQueue) {
  Recorder recorder;
  recorder.Record(JavaCommand(GetParam(), {}, {"screens.FewWorkers", "sleep", "4"}));
  std::string paths = recorder.RunOrca({"path", "--tasks", recorder.prefix()}).out;
  EXPECT_TRUE(Matches(
      paths, R"(^\* The slowest 1 % of the tasks spent 9\d % of their time in the queue of )"
             R"(pool-1, typical tasks\s+9\d %\.)"))
      << paths;
}

/* The compiler of a JDK is busy with much code, and so is the JIT compiler. */
TEST_P(Screens, ACompilerIsBusy) {
  Recorder recorder;
  std::string source = recorder.dir() + "/Shop.java";
  std::ofstream file(source);
  for (int i = 0; i < 60; i++) {
    file << "class Shop" << i << " {\n";
    for (int k = 0; k < 30; k++) {
      file << "  java.util.List<Integer> sell" << k << "(java.util.List<Integer> goods) {\n"
           << "    return goods.stream().map(x -> x * " << k << ").filter(x -> x > " << i
           << ").collect(java.util.stream.Collectors.toList());\n  }\n";
    }
    file << "}\n";
  }
  file.close();
  Screen screen = recorder.Record({GetParam().home + "/bin/javac", "-d", recorder.dir(), source});
  EXPECT_TRUE(
      Matches(screen.first, "JIT compiler used|garbage collector|CPU time is spent in|for a CPU"))
      << screen.text;
  EXPECT_TRUE(Matches(screen.top, "JIT compiler used")) << screen.text;
  for (const char *part : {kIdle, kDeadlock, kLock, kIo}) {
    EXPECT_FALSE(Matches(screen.top, part)) << screen.text;
  }
}

/* Returns a class path with the jars of Debian; "" if one is not installed. */
std::string FindJars(const std::vector<std::string> &names) {
  std::string path = Runfile("tests/workloads/workloads.jar");
  for (const std::string &name : names) {
    std::string jar = "/usr/share/java/" + name + ".jar";
    if (!fs::exists(jar)) return "";
    path += ":" + jar;
  }
  return path;
}

std::vector<std::string> JavaWithJars(const Jdk &jdk, const std::string &jars,
                                      const std::vector<std::string> &program) {
  std::vector<std::string> command = JavaProgram(jdk);
  command.insert(command.end(), {"-cp", jars});
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

/* Tellers wait for the transaction of another one, which sleeps. */
TEST_P(Screens, ADatabaseWaitsForTransactions) {
  std::string jars = FindJars({"h2"});
  if (jars.empty()) GTEST_SKIP() << "H2 is not installed";
  Recorder recorder;
  Screen screen =
      recorder.Record(JavaWithJars(GetParam(), jars, {"screens.Database", "jdbc:h2:mem:bank"}));
  EXPECT_TRUE(Matches(screen.first, R"(teller-\S+,? waited .* in Object\.wait at Transaction\.)"))
      << screen.text;
  EXPECT_TRUE(Matches(screen.first, R"(teller-.* slept .* at Database\.printReceipt )"))
      << screen.text;
  for (const char *part : {kDeadlock, kLock, kIo, "Writer", "Reference"}) {
    EXPECT_FALSE(Matches(screen.top, part)) << part << "\n" << screen.text;
  }
}

/* The same with a database whose locks are its own. */
TEST_P(Screens, ADatabaseWaitsForItsRowLocks) {
  std::string jars = FindJars({"derby"});
  if (jars.empty()) GTEST_SKIP() << "Derby (libderby-java) is not installed";
  Recorder recorder;
  Screen screen = recorder.Record(
      JavaWithJars(GetParam(), jars, {"screens.Database", "jdbc:derby:memory:bank;create=true"}));
  EXPECT_TRUE(Matches(screen.text, R"(\* The program was idle for )")) << screen.text;
  EXPECT_TRUE(Matches(screen.top, R"(teller-1…4,? waited .* at ActiveLock\.waitForGrant)"))
      << screen.text;
  EXPECT_TRUE(Matches(screen.top, R"(teller-.* slept .* at Database\.printReceipt )"))
      << screen.text;
  for (const char *part : {kDeadlock, kLock, kIo, "Daemon", "Timer", "mainLoop", "rest"}) {
    EXPECT_FALSE(Matches(screen.first, part)) << part << "\n" << screen.text;
  }
}

/* Maven reads many modules, and runs for a moment: the JIT compiler is as busy as the program. No
   plugin is needed. */
TEST_P(Screens, AMavenBuildIsShort) {
  if (!fs::exists("/usr/bin/mvn")) GTEST_SKIP() << "Maven (maven) is not installed";
  Recorder recorder;
  const std::string head =
      "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>";
  std::string modules;
  for (int i = 0; i < 60; i++) {
    std::string name = "m" + std::to_string(i);
    fs::create_directory(recorder.dir() + "/" + name);
    std::ofstream(recorder.dir() + "/" + name + "/pom.xml")
        << head << "<parent><groupId>shop</groupId><artifactId>top</artifactId><version>1</version>"
        << "</parent><artifactId>" << name << "</artifactId><packaging>pom</packaging></project>";
    modules += "<module>" + name + "</module>";
  }
  std::string pom = recorder.dir() + "/pom.xml";
  std::ofstream(pom) << head << "<groupId>shop</groupId><artifactId>top</artifactId>"
                     << "<version>1</version><packaging>pom</packaging><modules>" << modules
                     << "</modules></project>";
  Screen screen =
      recorder.Record({"env", "JAVA_HOME=" + GetParam().home, "mvn", "-o", "-q", "-B",
                       "-Dmaven.repo.local=" + recorder.dir() + "/repo", "-f", pom, "validate"});
  EXPECT_TRUE(Matches(screen.top, "JIT compiler used")) << screen.text;
  EXPECT_TRUE(Matches(screen.text, "CPU time is spent in|too few for a profile")) << screen.text;
  for (const char *part : {kDeadlock, kLock, kIo, kIdle}) {
    EXPECT_FALSE(Matches(screen.top, part)) << part << "\n" << screen.text;
  }
}

/* Requests wait for a monitor, while its owner sleeps. */
TEST_P(Screens, AServletIsGuardedByAMonitor) {
  std::string jars =
      FindJars({"tomcat10-catalina", "tomcat10-coyote", "tomcat10-util", "tomcat10-util-scan",
                "tomcat10-juli", "tomcat10-servlet-api", "tomcat10-jni", "tomcat10-api",
                "tomcat10-annotations-api", "tomcat10-jaspic-api", "tomcat10-el-api"});
  if (jars.empty()) GTEST_SKIP() << "Tomcat is not installed";
  Recorder recorder;
  std::string base = recorder.dir() + "/base";
  fs::create_directory(base);
  Screen screen = recorder.Record(JavaWithJars(GetParam(), jars, {"screens.Servlets", base}));
  EXPECT_TRUE(Matches(screen.first,
                      R"(Monitor in Servlets\.writeReport:\d+ .*http-nio-auto-1-exec-.* were )"
                      R"(blocked .* at Servlets\.writeReport )"))
      << screen.text;
  for (const char *part : {kDeadlock, kIdle, "Acceptor", "Poller", "catalina-utility", "getTask"}) {
    EXPECT_FALSE(Matches(screen.top, part)) << part << "\n" << screen.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, Screens, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
