#include "tools/orca/model/pass.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/analysis.h"

namespace {

// What a listener received.
struct Log {
  std::vector<ticks_t> times, clipped;
  size_t events = 0, samples = 0, counts = 0, ended = 0, open = 0, before = 0;
  std::vector<stack_id_t> short_stacks;
  std::string short_matches;    // of sums of short calls: y or n
  std::string older, inferred;  // the names of these events
  std::string holders;          // the holder of A1 before and after each event on A1
  struct pass *pass = nullptr;
  size_t stop_after = SIZE_MAX;
};

char FindHolderOfA1(const struct pass *pass) {
  for (uint32_t thread = 1; thread < 5; thread++) {
    if (holders_find(&pass->holders, LOCK_MONITOR, 0xA1, thread) != nullptr) {
      return static_cast<char>('0' + thread);
    }
  }
  return '-';
}

bool TakeBefore(void *arg, const struct step *step) {
  auto *log = static_cast<Log *>(arg);
  log->before++;
  EXPECT_NE(step->event, nullptr);
  EXPECT_EQ(step->pair, nullptr);
  if (step->event->object == 0xA1) log->holders += FindHolderOfA1(log->pass);
  return true;
}

bool Take(void *arg, const struct step *step) {
  auto *log = static_cast<Log *>(arg);
  log->times.push_back(step->time);
  log->events += step->event != nullptr;
  log->samples += step->sample != nullptr;
  log->counts += step->count != nullptr;
  if (step->count != nullptr && step->count->is_short) {
    log->short_stacks.push_back(step->stack);
    log->short_matches += step_counts(step) ? 'y' : 'n';
  }
  if (step->origin == STEP_OLDER) log->older += event_infos[step->event->kind].name;
  if (step->origin == STEP_INFERRED) {
    log->inferred += event_infos[step->event->kind].name;
    EXPECT_TRUE(step->pair == nullptr || step->pair->is_older);
    EXPECT_TRUE(step->pair == nullptr || step->had_to_wait);
  }
  if (step->event != nullptr) log->clipped.push_back(step->clipped->time);
  if (step->pair != nullptr) (step->event != nullptr ? log->ended : log->open)++;
  if (step->event != nullptr && step->event->object == 0xA1)
    log->holders += FindHolderOfA1(log->pass);
  return log->times.size() < log->stop_after;
}

// A pass over the small dump, with one listener.
class Pass : public testing::Test {
 protected:
  ~Pass() override { Free(); }
  void Free() {
    pass_free(&pass_);
    matcher_free(&matcher_);
    stacks_free(&stacks_);
  }
  static struct filter With(struct filter filter, struct filter_patterns filter::*part,
                            const char *pattern) {
    filter.*part = {{pattern}, 1};
    return filter;
  }
  bool Run(unsigned lines, const struct filter *filter = nullptr) {
    row_ = {"test", lines, row_.wants, TakeBefore, Take};
    if (small_.dump == nullptr) small_.Read();
    matcher_start(&matcher_, filter, small_.dump);
    pass_start(&pass_, small_.dump, &matcher_, &stacks_);
    log_.pass = &pass_;
    pass_add(&pass_, &row_, &log_);
    return pass_read(&pass_) && pass_end(&pass_, 110 * kSecond);
  }

  SmallModel small_;
  struct listener row_ = {};
  struct matcher matcher_ = {};
  struct stacks stacks_ = {};
  struct pass pass_ = {};
  Log log_;
};

constexpr unsigned kThreads = PASS_SAMPLE(SAMPLE_THREAD);

TEST_F(Pass, HandsOutTheLinesOfAllFilesInOrderOfTime) {
  small_.files.Write(DUMP_COUNTS,
                     "101.2000000000,LockAcquired,000000A1,7\n"
                     "104.0000000000,LockAcquired,000000A1,9\n");
  EXPECT_TRUE(Run(PASS_EVENTS | kThreads | PASS_COUNTS));
  EXPECT_EQ(log_.events, 22u);
  EXPECT_EQ(log_.samples, 7u);
  EXPECT_EQ(log_.counts, 2u);
  EXPECT_TRUE(std::is_sorted(log_.times.begin(), log_.times.end()));
}

TEST_F(Pass, HasRoomForAListenerOfEachAnalysis) {
  small_.Read();
  matcher_start(&matcher_, nullptr, small_.dump);
  pass_start(&pass_, small_.dump, &matcher_, &stacks_);
  log_.pass = &pass_;
  row_ = {"test", PASS_EVENTS, nullptr, nullptr, Take};
  for (int i = 0; i < NUM_ANALYSES; i++) pass_add(&pass_, &row_, &log_);
  EXPECT_TRUE(pass_read(&pass_));
  EXPECT_EQ(log_.events, 22u * NUM_ANALYSES);
}

TEST_F(Pass, GivesSumsOfShortCallsTheirStacks) {
  AddShortCalls(&small_.files);
  ASSERT_TRUE(Run(PASS_COUNTS));
  ASSERT_EQ(log_.short_stacks.size(), 5u);
  EXPECT_EQ(log_.short_stacks[0], log_.short_stacks[1]);
  EXPECT_EQ(stacks_place(&stacks_, log_.short_stacks[0]), place(0x12, 42));
  EXPECT_EQ(stacks_place(&stacks_, log_.short_stacks[2]), place(0x11, 20));
  EXPECT_EQ(log_.short_matches, "yyyyy");
}

// Twice A1, then wait, acquire, sleep.
TEST_F(Pass, MatchesSumsOfShortCallsWithTheFilter) {
  struct filter filter = MakeFilter();
  const struct {
    struct filter filter;
    const char *matches;
  } cases[] = {
      {With(filter, &filter::threads, "worker-1"), "nnnnn"},
      {With(filter, &filter::locks, "Inventory"), "yynnn"},
      {With(filter, &filter::events, "wait"), "nnynn"},
      {With(filter, &filter::events, "SemaphoreAcquired"), "nnnyn"},
      {With(filter, &filter::classes, "com.acme.OrderService"), "nnyyn"},
      {MakeFilter(106 * kSecond), "nyyyy"},
  };
  AddShortCalls(&small_.files);
  for (const auto &c : cases) {
    log_ = {};
    ASSERT_TRUE(Run(PASS_COUNTS, &c.filter));
    EXPECT_EQ(log_.short_matches, c.matches) << &c - cases;
    Free();
  }
}

TEST_F(Pass, HandsOutOnlyTheLinesThatAListenerTakes) {
  EXPECT_TRUE(Run(kThreads));
  EXPECT_EQ(log_.events, 0u);
  EXPECT_EQ(log_.samples, 7u);
  EXPECT_EQ(log_.before, 0u);
}

TEST_F(Pass, PairsEndWithTheirEventOrWithTheRecording) {
  EXPECT_TRUE(Run(PASS_EVENTS | PASS_OPEN_PAIRS));
  EXPECT_EQ(log_.ended, 6u);
  EXPECT_EQ(log_.open, 3u);
  EXPECT_EQ(log_.times.back(), 110 * kSecond);
}

TEST_F(Pass, HandsOutOnlyTheEventsThatAListenerWants) {
  row_.wants = [](enum event_kind kind) { return kind == EVENT_THREAD_STARTED; };
  EXPECT_TRUE(Run(PASS_EVENTS));
  EXPECT_EQ(log_.events, 4u);
  EXPECT_EQ(log_.before, 4u);
  struct pair pair;  // the state is kept all the same
  EXPECT_TRUE(pairs_find(&pass_.pairs, 1, EVENT_THREAD_JOIN, &pair));
}

TEST_F(Pass, ClipsACopyOfTheLine) {
  struct filter filter = MakeFilter(102 * kSecond, 106 * kSecond);
  EXPECT_TRUE(Run(PASS_EVENTS, &filter));
  EXPECT_EQ(log_.times.front(), 100 * kSecond);
  EXPECT_EQ(log_.clipped.front(), 102 * kSecond);
  EXPECT_EQ(log_.times.back(), 109 * kSecond);
  EXPECT_EQ(log_.clipped.back(), 106 * kSecond);
}

TEST_F(Pass, ShowsHoldersBeforeAndAfterEachEvent) {
  small_.files.Write(DUMP_EVENTS,
                     "101.0000000000,MonitorEntered,00000002,000000A1,0\n"
                     "102.0000000000,MonitorExit,00000002,000000A1,0\n"
                     "103.0000000000,MonitorEntered,00000003,000000A1,0\n");
  EXPECT_TRUE(Run(PASS_EVENTS));
  EXPECT_EQ(log_.holders,
            "-2"
            "2-"
            "-3");
}

TEST_F(Pass, EndsWhenAListenerReturnsFalse) {
  log_.stop_after = 3;
  EXPECT_FALSE(Run(PASS_EVENTS));
  EXPECT_EQ(log_.events, 3u);
}

constexpr char kOpenCall[] =
    "100.5000000000,OpenCall,00000002\n"
    "100.5000000000,SemaphoreAcquire,00000002,000000A3,2;00000005;00000000;00000012;00000000\n";

// The samples of thread 2 do not contain the call from the first one on.
TEST_F(Pass, InfersTheEndOfAnOpenCallFromASample) {
  small_.files.Write(DUMP_EVENTS, kOpenCall);
  EXPECT_TRUE(Run(PASS_EVENTS | kThreads));
  EXPECT_EQ(log_.older, "SemaphoreAcquire");
  EXPECT_EQ(log_.inferred, "SemaphoreAcquired");
  EXPECT_EQ(log_.events, 3u);
  EXPECT_EQ(log_.ended, 1u);
  EXPECT_EQ(log_.times[2], 101 * kSecond);
}

TEST_F(Pass, InfersTheSameWithoutAListenerForSamples) {
  small_.files.Write(DUMP_EVENTS, kOpenCall);
  EXPECT_TRUE(Run(PASS_EVENTS));
  EXPECT_EQ(log_.inferred, "SemaphoreAcquired");
  EXPECT_EQ(log_.samples, 0u);
  EXPECT_EQ(log_.times.back(), 101 * kSecond);
}

TEST_F(Pass, InfersTheEndOfAnOpenCallFromAnEvent) {
  small_.files.Write(DUMP_EVENTS, std::string(kOpenCall) +
                                      "100.6000000000,MonitorHeld,00000002,000000A1,0\n"
                                      "100.7000000000,ThreadEnded,00000002\n");
  EXPECT_TRUE(Run(PASS_EVENTS | PASS_OPEN_PAIRS));
  EXPECT_EQ(log_.inferred, "SemaphoreAcquired");
  EXPECT_EQ(log_.times[3], 100 * kSecond + 7 * kSecond / 10);
  EXPECT_EQ(log_.open, 0u);
}

// Whether the thread got the lock, or has released it since, is not known.
TEST_F(Pass, TakesNoThreadForAHolderAfterAnInferredEnd) {
  small_.files.Write(DUMP_EVENTS,
                     "100.5000000000,OpenCall,00000002\n"
                     "100.5000000000,MonitorContendedEnter,00000002,000000A1,00000000,"
                     "1;00000010;00000000\n");
  EXPECT_TRUE(Run(PASS_EVENTS | kThreads));
  EXPECT_EQ(log_.inferred, "MonitorContendedEntered");
  EXPECT_EQ(FindHolderOfA1(&pass_), '-');
}

TEST_F(Pass, AContentionEndsWithItsEvent) {
  small_.files.Write(
      DUMP_EVENTS,
      "100.5000000000,OpenCall,00000002\n"
      "100.5000000000,MonitorContendedEnter,00000002,000000A1,00000000,"
      "1;00000010;00000000\n"
      "100.7000000000,MonitorContendedEntered,00000002,000000A1,1;00000010;00000000\n");
  EXPECT_TRUE(Run(PASS_EVENTS));
  EXPECT_EQ(log_.inferred, "");
  EXPECT_EQ(log_.ended, 1u);
}

TEST_F(Pass, AnOpenCallMayLastUntilTheEnd) {
  small_.files.Write(DUMP_EVENTS, kOpenCall);
  small_.files.Write(DUMP_SAMPLES, "");
  EXPECT_TRUE(Run(PASS_EVENTS | PASS_OPEN_PAIRS));
  EXPECT_EQ(log_.inferred, "");
  EXPECT_EQ(log_.open, 1u);
}

TEST_F(Pass, NoticesThatAFileIsCut) {
  small_.files.Append(DUMP_EVENTS, "109.5000000000,Thread");
  EXPECT_TRUE(Run(PASS_EVENTS));
  EXPECT_TRUE(pass_.cut);
}

// In steps, a listener gets the same lines in the same order.
TEST(PassAdvance, TakesTheSameLinesInSteps) {
  DumpFiles files;
  WriteSmallDump(&files);
  Log whole, steps;
  for (Log *log : {&whole, &steps}) {
    struct builder why = {};
    struct dump *d = dump_open(files.Prefix().c_str(), &why);
    ASSERT_NE(d, nullptr);
    struct matcher matcher = {};
    struct stacks stacks = {};
    struct pass pass;
    struct listener listener = {};
    matcher_start(&matcher, nullptr, d);
    pass_start(&pass, d, &matcher, &stacks);
    listener.lines = PASS_EVENTS | PASS_SAMPLE(SAMPLE_THREAD);
    listener.take = Take;
    log->pass = &pass;
    pass_add(&pass, &listener, log);
    if (log == &whole) {
      EXPECT_TRUE(pass_read(&pass));
    } else {
      for (ticks_t at = 100; at <= 110; at++) {
        EXPECT_TRUE(pass_advance(&pass, at * 1000000000 * TICKS_PER_NS));
        EXPECT_LE(log->times.back(), at * 1000000000 * TICKS_PER_NS);
        EXPECT_GT(pass_next_time(&pass), at * 1000000000 * TICKS_PER_NS);
      }
      EXPECT_EQ(pass_next_time(&pass), UINT64_MAX);
    }
    pass_free(&pass);
    stacks_free(&stacks);
    matcher_free(&matcher);
    dump_close(d);
  }
  EXPECT_EQ(steps.events, 22u);
  EXPECT_EQ(steps.times, whole.times);
}

}  // namespace
