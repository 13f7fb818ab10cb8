#include "tests/tools/orca/answer/said.h"

namespace {

// A run of 10 s, which would take half of it.
struct found_gain MakeGain(double least, double middle, double most, const char *limit = "none") {
  struct found_gain gain = {};
  gain.least = least;
  gain.middle = middle;
  gain.most = most;
  gain.of_run = true;
  gain.recorded = 10000000000;
  gain.predicted = 5000000000;
  gain.limit = limit;
  return gain;
}

std::string SayGain(const struct found_gain &gain) {
  struct builder b = {};
  say_gain(&b, &gain);
  return TakeText(&b);
}

// --- gains --------------------------------------------------------------------------------------

TEST(SayGain, IsARange) {
  EXPECT_EQ(SayGain(MakeGain(1.8, 2, 2.2)),
            "the run would be 1.8 to 2.2 times as fast (10.0 s to 5.00 s)");
  EXPECT_EQ(SayGain(MakeGain(1.32, 1.35, 1.38)),
            "the run would be 1.32 to 1.38 times as fast (10.0 s to 5.00 s)");
}

TEST(SayGain, OfAServiceHasNoTime) {
  struct found_gain gain = MakeGain(1.8, 2, 2.2);
  gain.of_run = false;
  EXPECT_EQ(SayGain(gain), "its threads would be 1.8 to 2.2 times as fast");
}

// Two runs of a program differ by 5 %.
TEST(SayGain, IsNoneOnlyIfTheRangeIsNarrow) {
  EXPECT_EQ(SayGain(MakeGain(0.95, 1, 1.06)), "the run would not be faster");
  EXPECT_EQ(SayGain(MakeGain(0.6, 1, 1.7)),
            "the run would be 0.60 to 1.70 times as fast, so perhaps no gain (10.0 s to 5.00 s)");
}

TEST(SayGain, NamesTheNextLimit) {
  auto say_limit = [](struct found_gain gain) {
    std::string text = SayGain(gain);
    return text.substr(text.find(')') + 1);
  };
  struct found_gain gain = MakeGain(1.8, 2, 2.2);
  EXPECT_EQ(say_limit(gain), "");
  gain.limit = "sleep";
  EXPECT_EQ(say_limit(gain), "; then the limit is that threads sleep");
  gain.limit_place.text = "A.b (A.java:7)";
  EXPECT_EQ(say_limit(gain), "; then the limit is that threads sleep at A.b (A.java:7)");
  gain.limit = "cpu";
  EXPECT_EQ(say_limit(gain), "; then its CPUs are full, most of them in A.b (A.java:7)");
  gain.limit_place.text = nullptr;
  EXPECT_EQ(say_limit(gain), "; then its CPUs are full");
  gain.shares_cpus = true;
  EXPECT_EQ(say_limit(gain), "; then the limit is the CPUs, which others use too");
  gain.limit = "lock";
  gain.limit_lock.text = "monitor in A.b:7 (Object@000000A1)";
  gain.limit_lock.is_described = true;
  EXPECT_EQ(say_limit(gain), "; then the limit is the monitor in A.b:7 (Object@000000A1)");
}

TEST(SayGainOf, SaysWhatWasSimulated) {
  struct found_gain gain = MakeGain(0.99, 1, 1.01, "cpu");
  struct found_rows gains = {};
  struct builder b = {};
  say_gain_of(&b, &gains, "without it");
  EXPECT_EQ(TakeText(&b), "");
  gains = {&gain, 1};
  say_gain_of(&b, &gains, "without it");
  EXPECT_EQ(TakeText(&b),
            ": by simulation, without it the run would not be faster; then its CPUs "
            "are full");
}

// --- pools and CPU time -------------------------------------------------------------------------

TEST(SayPool, CanHaveOneThread) {
  struct found_pool row = {};
  row.name = "pool-1";
  row.threads = 1;
  row.queued = row.ran = row.full = row.path = 1000000000;
  row.waiting = 2000000000;
  row.whole_path = 10000000000;
  EXPECT_EQ(SayRow(FINDING_pool, &row),
            "Tasks spent 50 % of their time in the queue of pool-1, whose only thread was busy for "
            "50 % of the time in which tasks were in it. The critical path waited for this queue "
            "for 10 % of its time.");
}

TEST(SayPool, SaysWhatItsThreadsWereBusyWith) {
  struct found_rest work = {};
  work.threads = "job-1 and job-2";
  work.num_threads = 2;
  work.does = "waits";
  work.total = 3000000000;
  struct found_pool row = {};
  row.name = "job-…";
  row.threads = 2;
  row.tasks = 2;
  row.queued = row.ran = row.full = row.waiting = 1000000000;
  row.longest_queued = 700000000;
  row.is_crowded = true;
  row.busy = 4000000000;
  row.work = {&work, 1};
  const std::string fact =
      "Tasks spent 50 % of their time in the queue of job-…, whose 2 threads were all busy for "
      "100 % of the time in which tasks were in it. On average a task waited 500 ms in it, the "
      "longest 700 ms. Its threads job-1 and job-2 ";
  const std::string busy = " 3.00 s in total, 75 % of the time in which they were busy.";
  EXPECT_EQ(SayRow(FINDING_pool, &row), fact + "waited" + busy);
  work.does = "sleeps";
  EXPECT_EQ(SayRow(FINDING_pool, &row),
            fact + "slept" + busy +
                " More threads would run more tasks at once, unless these need the same lock.");
}

TEST(SayCpu, SaysWhereTheTimeIs) {
  struct found_cpu row = {};
  row.cpu = 1000;
  row.self = 500;
  row.total = 600;
  row.native = 100;
  row.jvm = 200;
  row.samples = 100;
  row.place.text = "A.b (A.java:7)";
  EXPECT_EQ(SayRow(FINDING_cpu, &row),
            "50 % of the CPU time is spent in A.b (A.java:7), 20 % of it in native code, 40 % of "
            "it in the JVM, 60 % including what it calls.");
  row.is_java = true;
  row.samples = 1;
  row.native = row.jvm = 0;
  row.unknown = 300;
  EXPECT_EQ(SayRow(FINDING_cpu, &row),
            "50 % of the Java threads' CPU time is spent in A.b (A.java:7), 60 % including what it "
            "calls. The stack of 30 % of that time, or its outer part, is not known: it was lost "
            "or not sampled. These shares are rough: only 1 sample found a running thread.");
}

TEST(SayCpu, NamesFurtherMethods) {
  struct found_hot rows[2] = {};
  rows[0].place.text = "A.c (A.java:9)";
  rows[0].caller.text = "A.main (A.java:1)";
  rows[0].self = 300;
  rows[1].place.text = "Q.d (Q.java:3)";
  rows[1].classes = 20;
  rows[1].self = 100;
  struct found_cpu row = {};
  row.cpu = 1000;
  row.self = row.total = 500;
  row.samples = 100;
  row.place.text = "A.b (A.java:7)";
  row.path = 50;
  row.whole_path = 100;
  row.others = {rows, 2};
  EXPECT_EQ(SayRow(FINDING_cpu, &row),
            "50 % of the CPU time is spent in A.b (A.java:7). 30 % is spent in A.c (A.java:9), "
            "called by A.main (A.java:1), and 10 % in Q.d (Q.java:3), in 20 classes of this name. "
            "The first of them is 50 % of the critical path.");
}

TEST(SayNoCpu, SaysWhy) {
  struct found_no_cpu row = {};
  EXPECT_EQ(SayRow(FINDING_no_cpu, &row),
            "No samples were taken, so the use of CPU time is not known.");
  row.was_sampled = true;
  EXPECT_EQ(SayRow(FINDING_no_cpu, &row), "The JVM did not report the CPU time of its threads.");
  row.cpu_is_known = true;
  EXPECT_EQ(SayRow(FINDING_no_cpu, &row), "No sample found a running thread.");
  row.samples = 1;
  row.cpu = 20000000;
  EXPECT_EQ(SayRow(FINDING_no_cpu, &row),
            "The Java threads used 20.0 ms of CPU time: 1 sample is too few for a profile.");
}

TEST(SayCpuWait, NamesTheCpusThatAProgramMayUse) {
  struct found_cpu_wait row = {};
  row.wait = 4000000000;
  row.wait_or_run = 5000000000;
  row.is_full = true;
  EXPECT_EQ(SayRow(FINDING_cpu_wait, &row),
            "The program was starved: its threads waited 4.00 s of 5.00 s for a CPU (80 %).");
  row.allowed = "1";
  EXPECT_TRUE(Has(SayRow(FINDING_cpu_wait, &row), " (80 %); it may use 1 CPU."));
  row.allowed = "2";
  row.is_crowded = true;
  row.ready = 2.5;
  EXPECT_TRUE(Has(SayRow(FINDING_cpu_wait, &row),
                  " (80 %): on average 2.5 of them ran or were ready to run; it may use 2 CPUs."));
}

// --- rests --------------------------------------------------------------------------------------

TEST(SayStandstill, SaysHowLongTheCallsHadBeenOpen) {
  struct found_rest call = {};
  call.threads = "main";
  call.num_threads = 1;
  call.does = "parked";
  call.place.text = "A.b (A.java:7)";
  call.shortest = call.longest = 2000000000;
  struct found_standstill row = {5000000000, {&call, 1}};
  auto say_call = [&] {
    std::string text = SayRow(FINDING_standstill, &row);
    EXPECT_EQ(text.find("Nothing moved in the program for the last 5.00 s: main ha"), 0u) << text;
    return text.substr(text.find("main") + 5);
  };
  EXPECT_EQ(say_call(), "has been parked at A.b (A.java:7) for 2.00 s.");
  call.longest = 2100000000;
  EXPECT_EQ(say_call(), "has been parked at A.b (A.java:7) for at least 2.00 s.");
  call.longest = 3000000000;
  EXPECT_EQ(say_call(), "has been parked at A.b (A.java:7) for 2.00 s to 3.00 s.");
  call.since_before = true;
  EXPECT_EQ(say_call(), "has been parked at A.b (A.java:7) since before the recording.");
  call.does = "io";
  call.call = "a socket read (Net.poll)";
  call.num_threads = 2;
  call.pool_workers = 2;
  EXPECT_EQ(say_call(),
            "have been in a socket read (Net.poll) at A.b (A.java:7) since before the recording "
            "(these are all workers of their pool: a task that is queued in it cannot run).");
}

// --- calls --------------------------------------------------------------------------------------

TEST(SayKnownMethod, IsAboutCpuTimeOrWaits) {
  struct found_known_method row = {};
  row.threads = 3;
  row.time = 1000000000;
  row.whole = 2000000000;
  row.method = "A.b";
  row.why = "it is slow";
  row.advice = "do not call it";
  row.source = "A.html";
  EXPECT_EQ(SayRow(FINDING_known_method, &row),
            "Known: 3 threads waited 1.00 s (50 % of all waits) in A.b: it is slow. To do: do not "
            "call it. See A.html");
  row.is_cpu = true;
  EXPECT_EQ(
      SayRow(FINDING_known_method, &row)
          .find("Known: 3 threads used 1.00 s (50 % of all CPU time of Java threads) in A.b: "),
      0u);
}

}  // namespace
