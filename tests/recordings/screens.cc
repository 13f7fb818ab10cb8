/* Programs of tests/workloads/screens, with one culprit each. A performance engineer reads "In
   short": the first sentence must name the culprit, and the first five lines must not claim
   anything false. Shares and times depend on the machine, so only names and places are compared. */
#include "tests/recordings/screen.h"

#include "gtest/gtest.h"
#include "tests/recordings/cases.h"

namespace {

struct ScreenRow {
  const char *name;
  std::vector<std::string> program, flags;
  const char *first;  // what the first sentence must match
  const char *top;    // what the first five lines must match
  std::vector<std::string> not_in_top;
  int least_version = 0;
};

/* "waited" for a CPU: on a machine without free CPUs. */
const ScreenRow kRows[] = {
    {"Idle",
     {"screens.Idle"},
     {},
     R"(The program was idle for .*: main slept \S+ s at Idle\.rest \(Idle\.java:\d+\))",
     "",
     {kLock, kCpu, kDeadlock, "pool-1"}},
    {"IdleServer",
     {"screens.IdleServer"},
     {},
     "The program was idle for .*: its threads waited for work",
     "",
     {kLock, kCpu, kDeadlock, kIo, "pool-", "accept"}},
    {"SlowBackend",
     {"screens.SlowBackend"},
     {},
     R"(I/O: .*worker-.* waited .* s in total in .* at SlowBackend\.fetchPrice )",
     "",
     {kLock, kDeadlock, kIdle}},
    {"PoolStarvation",
     {"screens.PoolStarvation"},
     {},
     R"(pool-1-thread-1…4 waited .* s in total in FutureTask\.get at PoolStarvation\.loadPage .*all )"
     "workers of their pool: a task that is queued in it cannot run",
     R"(main waited .* s in ExecutorService\.awaitTermination at PoolStarvation\.main )",
     {kLock, kCpu, kIo}},
    {"HotAmongMany",
     {"screens.HotAmongMany"},
     {},
     R"(CPU time is spent in HotAmongMany\.compress )",
     "",
     {kLock, kDeadlock, kIdle, "client-", "await"}},
    {"GcPressure",
     {"screens.GcPressure"},
     {"-Xmx64m"},
     "The garbage collector ",
     R"(The garbage collector stopped the program \S+ times for )",
     {kLock, kDeadlock, kIdle}},
    {"SlowTimer",
     {"screens.SlowTimer"},
     {},
     R"(jobs, the only thread of a Timer, was in tasks .*: it slept \S+ s at SlowTimer\.cleanUp )",
     "",
     {kIdle, kLock, kCpu, kDeadlock, kIo, "mainLoop"}},
    {"ChildProcess",
     {"screens.ChildProcess"},
     {},
     R"(main waited \S+ s in \S+\.waitFor at ChildProcess\.runTool \S+ for a child process)",
     "",
     {kLock, kCpu, kDeadlock, kIo}},
    {"SlowInit",
     {"screens.SlowInit"},
     {},
     /* The stored recordings are older than ClassInitWait. */
     R"(request-.* stood for .* at SlowInit\.serve .* Meanwhile request-. was in the static )"
     R"(initializer of screens\.SlowInit\$Config at SlowInit\$Config\.load |)"
     R"(request-.* waited for .* at SlowInit\.serve .* until request-. had initialized )"
     R"(screens\.SlowInit\$Config, whose static initializer was at SlowInit\$Config\.load )",
     "",
     {kCpu, kDeadlock, kIo}}, /* it is idle, too */
    {"SleepingOwner",
     {"screens.SleepingOwner"},
     {},
     R"(Monitor in SleepingOwner\.book:\d+ .*clerk-.* were blocked .* held (most )?by auditor.* at )"
     R"(SleepingOwner\.pause )",
     "",
     {kDeadlock, kIdle, kIo, "owner is not known"}},
    {"SmallPool",
     {"screens.SmallPool"},
     {},
     R"(Semaphore in SmallPool\.query:\d+ .*pool-1-thread-.* waited .* of 240 times )",
     "",
     {kDeadlock, kIdle, kIo, "held by"}},
    {"SmallPoolOfVirtualThreads",
     {"screens.SmallPool", "virtual"},
     {},
     R"(Semaphore in SmallPool\.query:\d+ .*virtual thread .*SmallPool\.main:\d+, waited .* of 500 )",
     "",
     {kDeadlock, kIdle, kIo, "held by", "ForkJoinPool"},
     21},
    {"FewWorkers",
     {"screens.FewWorkers", "sleep"},
     {},
     R"(Tasks spent \S+ % of their time in the queue of pool-1, whose 4 threads were all busy for )"
     R"(\S+ % of the time in which tasks were in it\. The critical path waited for this queue for )",
     "",
     {kLock, kCpu, kDeadlock, kIo}},
    {"FewWorkersOnFullCpus",
     {"screens.FewWorkers", "compute"},
     {},
     R"(starved: its threads waited .* for a CPU|CPU time is spent in FewWorkers\.simulate )",
     "",
     {kLock, kDeadlock, kIdle, kIo}},
    {"FewWorkersWithOneLock",
     {"screens.FewWorkers", "lock"},
     {},
     R"((Lock|Monitor) .*FewWorkers\$Ledger@.* at FewWorkers\.book )",
     "",
     {kCpu, kDeadlock, kIdle, kIo}},
    {"SlowConsumer",
     {"screens.SlowConsumer"},
     {},
     R"(CPU time is spent in SlowConsumer\.render )",
     "",
     {kLock, kDeadlock, kIdle, kIo}},
    {"SignalSemaphore",
     {"screens.SignalSemaphore"},
     {},
     R"(CPU time is spent in SignalSemaphore\.layOut )",
     "",
     {kLock, kDeadlock, kIdle, "Semaphore "}},
    {"TooManyThreads",
     {"screens.TooManyThreads"},
     {},
     R"(starved: its threads waited .* for a CPU|CPU time is spent in TooMany)",
     R"(CPU time is spent in TooManyThreads\.simulate )",
     {kLock, kDeadlock, kIdle, kIo}},
    {"FutureWait",
     {"screens.FutureWait"},
     {},
     R"(main waited \S+ s in CompletableFuture\.get at FutureWait\.waitForReply )",
     "",
     {kLock, kCpu, kDeadlock, kIo, "all workers"}},
    {"Deadlock",
     {"usecases.LockOrder", "deadlock"},
     {},
     R"(^ DEADLOCK: (there|back) blocks on .*LockOrder\$Account@.*, held by (there|back).*; (there|)"
     R"(back) blocks on )",
     "",
     {"No thread waited", "may gain nothing", kCpu, kIo}},
};

void ExpectScreen(const Recording &recording, const ScreenRow &row) {
  Screen screen = ReadScreen(recording.RunView("report"));
  EXPECT_TRUE(Matches(screen.first, row.first)) << screen.text;
  EXPECT_TRUE(Matches(screen.top, row.top)) << screen.text;
  for (const std::string &part : row.not_in_top) {
    EXPECT_FALSE(Matches(screen.top, part)) << part << "\n" << screen.text;
  }
}

}  // namespace

std::vector<Case> ListScreens() {
  std::vector<Case> cases;
  for (const ScreenRow &row : kRows) {
    auto check = [&row](const Recording &recording) { ExpectScreen(recording, row); };
    cases.push_back({row.name, row.program, "", check, row.flags, row.least_version});
  }
  return cases;
}
