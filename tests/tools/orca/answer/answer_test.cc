#include "tools/orca/answer/answer.h"
#include "tools/orca/model/model.h"

#include "tests/support/scarce.h"
#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/causal/whatif/machine.h"

namespace {

// --- the order of the findings ------------------------------------------------------------------

// The kinds of the first two findings for `samples` samples of 100 ms CPU time and 1.5 s of blocked
// time.
Kinds FindFirstKinds(int samples) {
  SmallModel small;
  std::string lines = "101.0000000000,Stack,1,1;00000010;00000010\n";
  for (int i = 0; i < samples; i++) {
    lines += "10" + std::to_string(i / 10 + 1) + "." + std::to_string(i % 10) +
             "000000000,Sample,00000002,Runnable,100000000,1\n";
  }
  small.files.Write(DUMP_SAMPLES, lines);
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,0\n"
                    "102.5000000000,MonitorContendedEntered,00000003,000000A1,0\n");
  Said said(small.Read());
  Kinds kinds;
  for (const struct finding *finding : said.List({FINDING_cpu, FINDING_lock})) {
    kinds.push_back(finding->kind);
  }
  return kinds;
}

TEST(Answer, TheLargerTimeComesFirst) {
  EXPECT_EQ(FindFirstKinds(20), (Kinds{FINDING_cpu, FINDING_lock}));
  EXPECT_EQ(FindFirstKinds(12), (Kinds{FINDING_lock, FINDING_cpu}));
}

TEST(Answer, ADeadlockComesFirst) {
  SmallModel small;
  Said said(small.Read());
  ASSERT_GT(said.answer.findings.num, 2u);
  EXPECT_EQ(said.answer.findings.rows[0].kind, FINDING_deadlock);
  EXPECT_EQ(said.answer.findings.rows[1].kind, FINDING_lock);
}

// 10 ms of 10 s.
TEST(Answer, ANegligibleLockComesLast) {
  SmallModel small;
  for (int i = 0; i < 7; i++) {
    small.files.Append(DUMP_SAMPLES, "10" + std::to_string(i / 4 + 6) + "." +
                                         std::to_string(i % 4) +
                                         "000000000,Sample,00000002,Runnable,10000000,5\n");
  }
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,0\n"
                    "101.0100000000,MonitorContendedEntered,00000003,000000A1,0\n");
  Said said(small.Read());
  EXPECT_EQ(said.List({FINDING_cpu, FINDING_no_lock}).at(0)->kind, FINDING_cpu);
  EXPECT_EQ(said.List({FINDING_cpu, FINDING_no_lock}).at(1)->kind, FINDING_no_lock);
}

TEST(Answer, SaysWhatIsMissing) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  EXPECT_EQ(Say(small.Read()),
            "* The program was idle for 10.0 s of 10.0 s: its threads waited for work.\n"
            "* No thread waited for a lock.\n"
            "* No samples were taken, so the use of CPU time is not known.\n");
}

// --- the second pass ----------------------------------------------------------------------------

TEST(AnswerPass, ReadsOwnersAndThePath) {
  SmallModel small;
  Said said(small.Read());
  EXPECT_TRUE(said.answer.has_contention);
  EXPECT_EQ(said.answer.contention.locks, &small.model.locks);
  EXPECT_TRUE(said.answer.has_trace);
}

TEST(AnswerPass, IsLeftOutIfNothingNeedsIt) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  small.files.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  Said said(small.Read());
  EXPECT_FALSE(said.answer.has_contention);
  EXPECT_FALSE(said.answer.has_trace);
  EXPECT_FALSE(said.answer.bounds.known);
  EXPECT_GT(said.answer.findings.num, 0u);
}

TEST(AnswerPass, WithAFilterHasNoPath) {
  SmallModel small;
  struct filter filter = MakeFilter(101 * kSecond, 105 * kSecond);
  Said said(small.Read(&filter));
  EXPECT_TRUE(said.answer.has_contention);
  EXPECT_FALSE(said.answer.has_trace);
}

// Locks by class are for a table.
TEST(AnswerPass, OfOtherLocksHasNoFindings) {
  SmallModel small;
  struct locks by_class = {};
  struct model *m = small.Read();
  EXPECT_TRUE(locks_by_class(&m->locks, m->dump, &by_class));
  {
    Said said(m, &by_class);
    EXPECT_EQ(said.answer.contention.locks, &by_class);
    EXPECT_GT(said.answer.contention.lock_holders.num, 0u);
    EXPECT_EQ(said.answer.findings.num, 0u);
  }
  locks_free(&by_class);
}

TEST(AnswerPass, OfTheModelsLocksIsReadAlways) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "101.0000000000,ThreadStarted,00000001,main\n");
  struct model *m = small.Read();
  Said said(m, &m->locks);
  EXPECT_TRUE(said.answer.has_contention);
  EXPECT_GT(said.answer.findings.num, 0u);
}

bool CountStep(void *num, const struct step *) {
  ++*static_cast<int *>(num);
  return true;
}

TEST(AnswerPass, CanBeSharedWithItsCaller) {
  SmallModel small;
  struct model *m = small.Read();
  const struct listener counter = {"counter", REPLAY_LINES, nullptr, nullptr, CountStep};
  int num = 0;
  Said alone(m), shared;
  struct pass p;
  replay_start(&p, m);
  EXPECT_TRUE(answer_start(&shared.answer, m, nullptr, &p));
  pass_add(&p, &counter, &num);
  EXPECT_TRUE(replay_run(&p, m));
  EXPECT_TRUE(answer_end(&shared.answer));
  EXPECT_GT(num, 0);
  EXPECT_EQ(shared.Text(), alone.Text());
}

// Two threads of the exact machine compute under one lock.
class Simulated {
 public:
  explicit Simulated(int rounds) {
    machine::Program p;
    machine::Machine machine;
    p.threads.resize(2);
    for (auto &thread : p.threads) {
      for (int i = 0; i < rounds; i++) {
        thread.insert(thread.end(),
                      {{machine::kLock}, {machine::kCompute, 0, 10}, {machine::kUnlock}});
      }
    }
    EXPECT_GT(machine.Run(p), 0);
    machine.Write(&files_, machine::kAllLocks);
    struct builder why = {};
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    EXPECT_TRUE(dump_ != nullptr && model_read(&model, dump_, nullptr, ALL_ANALYSES));
    builder_free(&why);
  }
  Simulated(const Simulated &) = delete;
  Simulated &operator=(const Simulated &) = delete;
  ~Simulated() {
    model_free(&model);
    dump_close(dump_);
  }

  struct model model = {};

 private:
  DumpFiles files_;
  struct dump *dump_ = nullptr;
};

TEST(AnswerPass, PredictsWhatALockCosts) {
  Simulated simulated(20);
  Said said(&simulated.model);
  ASSERT_EQ(said.List({FINDING_lock}).size(), 1u);
  auto *lock = static_cast<struct found_lock *>(said.List({FINDING_lock})[0]->row);
  EXPECT_TRUE(lock->path_is_known);
  ASSERT_EQ(lock->gain.num, 1u);
  EXPECT_NEAR(static_cast<struct found_gain *>(lock->gain.rows)->middle, 2, 0.1);
  EXPECT_TRUE(Has(said.Text({FINDING_lock}), "by simulation, without it ")) << said.Text();
}

// An allocation that fails is reported, unless all is found without it. A file that could not be
// read again is a fault of the recording, which a report shows. Of the allocations after the first
// 160, only each 60th fails: a simulation has many, and takes long.
void ExpectFailuresToBeReported(struct model *m) {
  std::string whole = Say(m);
  struct faults *faults = dump_faults(m->dump);
  unsigned long nth = 1, num = 0, num_reported = 0;
  for (bool is_enough = false; !is_enough; nth += nth < 160 ? 1 : 60) {
    Said said;
    faults_free(faults);
    scarce_fail(nth);
    bool good = answer_read(&said.answer, m, nullptr);
    is_enough = scarce_num() < nth;
    scarce_fail(0);
    bool is_reported = !good || faults->num > 0 || faults->failed;
    num++;
    num_reported += is_reported;
    if (is_reported) {
      EXPECT_FALSE(is_enough);
    } else {
      EXPECT_EQ(said.Text(), whole) << nth;
    }
  }
  EXPECT_GT(num_reported, num / 2);
}

TEST(AnswerPass, ReportsThatMemoryRanOut) {
  SmallModel small;
  ExpectFailuresToBeReported(small.Read());
}

TEST(AnswerPass, ReportsThatMemoryForASimulationRanOut) {
  Simulated simulated(1);
  ExpectFailuresToBeReported(&simulated.model);
}

}  // namespace
