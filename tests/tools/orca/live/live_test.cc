#include "tools/orca/live/live.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;
constexpr ticks_t At(double seconds) { return static_cast<ticks_t>(seconds * kSecond); }

// The small dump, of which only the lines up to a time are in the files.
class LiveTest : public testing::Test {
 protected:
  void SetUp() override { WriteSmallDump(&whole_); }
  void TearDown() override {
    live_free(&live_);
    dump_close(dump_);
  }

  // Copies the lines up to a time, as a JVM that still runs has written them.
  void Grow(double seconds) {
    for (int i = 0; i < NUM_DUMP_FILES; i++) {
      auto file = static_cast<enum dump_file>(i);
      std::istringstream lines(whole_.Text(file));
      std::string text;
      for (std::string line; std::getline(lines, line);) {
        bool is_end = line.rfind("end.", 0) == 0 || line.rfind("events.", 0) == 0;
        bool is_late = file == DUMP_INFO ? is_end && seconds < 110 : std::stod(line) > seconds;
        if (!is_late) text += line + "\n";
      }
      grown_.Write(file, text);
    }
  }

  void Open() {
    struct builder why = {};
    dump_ = dump_open(grown_.Prefix().c_str(), &why);
    ASSERT_NE(dump_, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    ASSERT_TRUE(live_start(&live_, dump_));
  }

  const struct live_second *Last() const { return live_second(&live_, live_.num_seconds - 1); }

  uint32_t LockOf(const struct live_sum &sum) const {
    return live_.model.locks.rows[sum.number >> 32].object;
  }

  // Time blocked on a lock so far, in milliseconds.
  int64_t Blocked(uint32_t object) const {
    live_time_t time = 0;
    for (size_t i = 0; i < live_.num_sums; i++) {
      const struct live_sum &sum = live_.sums[i];
      if (sum.subject == LIVE_SITE && LockOf(sum) == object) time += sum.time;
    }
    return static_cast<int64_t>(time / (1000000 * static_cast<int64_t>(TICKS_PER_NS)));
  }

  int64_t Told(uint32_t object) const {
    int64_t time = 0;
    for (uint64_t n = 0; n < live_.num_seconds; n++) {
      const struct live_second *s = live_second(&live_, n);
      for (size_t i = 0; i < s->num_changes; i++) {
        const struct live_sum &sum = live_.sums[s->changes[i].sum];
        if (sum.subject == LIVE_SITE && LockOf(sum) == object) time += s->changes[i].time;
      }
    }
    return time / (1000000 * static_cast<int64_t>(TICKS_PER_NS));
  }

  DumpFiles whole_, grown_;
  struct dump *dump_ = nullptr;
  struct live live_ = {};
};

// Sums of events without a duration are of no waits.
TEST_F(LiveTest, KnowsSumsOfCallsFromSumsOfEvents) {
  whole_.Append(DUMP_COUNTS,
                "105.0000000000,ExecutorSubmit,00000000,7,0,0,0\n"
                "106.0000000000,ThreadSleep,00000000,10,50000000,6000000,0\n");
  Grow(105.5);
  Open();
  ASSERT_TRUE(live_advance(&live_, At(105.5), false));
  EXPECT_EQ(live_.model.recording.short_calls.num, 0u);
  Grow(107.0);
  ASSERT_EQ(dump_refresh(dump_), DUMP_GROWS);
  ASSERT_TRUE(live_advance(&live_, At(107.0), false));
  EXPECT_EQ(live_.model.recording.short_calls.num, 10u);
}

// All sums end the time of those before, also those of other calls.
TEST_F(LiveTest, KeepsSumsInBatches) {
  AddShortCalls(&whole_);
  whole_.Replace(DUMP_COUNTS, "109.5000000000,Monitor",
                 "107.0000000000,ThreadSleep,00000000,1,5000000,5000000,0\n"
                 "109.5000000000,Monitor");
  Grow(110);
  Open();
  ASSERT_TRUE(live_advance(&live_, At(110), true));
  ASSERT_EQ(live_.batches.num, 3u);
  EXPECT_EQ(live_.batches.rows[0].begin, At(100));
  EXPECT_EQ(live_.batches.rows[0].end, At(105));
  EXPECT_EQ(live_.batches.rows[1].num, 0u);
  EXPECT_EQ(live_.batches.rows[2].begin, At(107));
  EXPECT_EQ(live_.batches.rows[2].end, At(109.5) + 3);
  EXPECT_EQ(live_.batches.rows[2].num, 1u);  // of A1
  EXPECT_TRUE(live_.has_ended);
}

TEST_F(LiveTest, ForgetsBatchesThatNoWindowCanShow) {
  AddShortCalls(&whole_);
  Grow(110);
  Open();
  const double last = 105 + LIVE_SECONDS + LIVE_SUM_SECONDS;
  ASSERT_TRUE(live_advance(&live_, At(last), false));
  EXPECT_EQ(live_.batches.num, 2u);
  ASSERT_TRUE(live_advance(&live_, At(last + 1), false));
  EXPECT_EQ(live_.batches.num, 1u);
}

// The files of its calls may have been deleted.
TEST_F(LiveTest, DoesNotKnowWhenTheFirstSumsOfALaterSetBegin) {
  AddShortCalls(&whole_);
  whole_.Append(DUMP_INFO, "set.number=3\nset.recording=50.0000000000\n");
  Grow(110);
  Open();
  ASSERT_TRUE(live_advance(&live_, At(110), true));
  ASSERT_EQ(live_.batches.num, 2u);
  EXPECT_EQ(live_.batches.rows[0].begin, BATCH_NO_BEGIN);
  EXPECT_EQ(live_.batches.rows[1].begin, At(105));
}

TEST_F(LiveTest, ReadsARecordingAsItGrows) {
  Grow(102.0);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_GROWS);
  ASSERT_TRUE(live_advance(&live_, At(101.4), false));
  EXPECT_EQ(live_.num_seconds, 1u);
  EXPECT_EQ(live_.at, At(101));
  ASSERT_TRUE(live_advance(&live_, At(102), false));
  EXPECT_EQ(Blocked(0xA1), 500);
  Grow(108.4);
  ASSERT_EQ(dump_refresh(dump_), DUMP_GROWS);
  ASSERT_TRUE(live_advance(&live_, At(108), false));
  EXPECT_EQ(Blocked(0xA1), 500 + 250 + 125);
  EXPECT_EQ(Blocked(0xA3), 750);
  Grow(110);
  ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
  ASSERT_TRUE(live_advance(&live_, At(110), true));
  EXPECT_EQ(live_.num_seconds, 10u);
  EXPECT_EQ(live_.events, 22u);
  EXPECT_EQ(Blocked(0xA1), 500 + 250 + 125 + 2000);
  EXPECT_EQ(Blocked(0xA2), 1500);
  EXPECT_EQ(Told(0xA1), Blocked(0xA1));
  EXPECT_EQ(Told(0xA2), 1500);
}

// In one piece or second by second, the figures are the same, and those of the model.
TEST_F(LiveTest, HasTheFiguresOfTheModel) {
  Grow(110);
  Open();
  SmallModel small;
  const struct model *m = small.Read();
  for (double at = 101; at <= 110; at++) {
    ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
    ASSERT_TRUE(live_advance(&live_, At(at), at == 110));
  }
  for (size_t i = 0; i < m->locks.num; i++) {
    const struct lock &lock = m->locks.rows[i];
    EXPECT_EQ(Blocked(lock.object), static_cast<int64_t>(lock.blocked / TICKS_PER_NS / 1000000))
        << std::hex << lock.object;
  }
  for (int activity = 0; activity < NUM_ACTIVITIES; activity++) {
    ticks_t time = 0;
    for (size_t i = 0; i < m->threads.num_all; i++)
      time += m->threads.rows[i].in_activity[activity];
    uint64_t at = 0;
    hashmap_get(&live_.sum_ids[LIVE_STATE], static_cast<uint64_t>(activity), &at);
    EXPECT_EQ(at == 0 ? 0 : static_cast<int64_t>(live_.sums[at - 1].time),
              static_cast<int64_t>(time))
        << activity_names[activity];
  }
  // The 10 ms of poller still wait for a stack in which it runs.
  EXPECT_EQ(live_.model.cpu.total_ns + 10000000, m->cpu.total_ns);
}

// The last second for which there is room in the format. The seconds that are kept are short.
TEST_F(LiveTest, EndsAfterYearsWithoutLines) {
  const ticks_t end = 1844674407 * kSecond;
  Grow(110);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
  ASSERT_TRUE(live_advance(&live_, end, true));
  EXPECT_EQ(live_.at, end);
  EXPECT_EQ(live_.events, 22u);
  EXPECT_EQ(live_.num_seconds, 9u + 1u + LIVE_SECONDS);
  for (uint64_t back = 1; back <= LIVE_SECONDS; back++) {
    const struct live_second *s = live_second(&live_, live_.num_seconds - back);
    ASSERT_EQ(s->length, kSecond) << back;
    ASSERT_EQ(s->end, end - (back - 1) * kSecond);
    ASSERT_EQ(s->threads[ACTIVITY_BLOCKED], 2u);
  }
  // worker-1 and worker-2 are blocked for good.
  EXPECT_EQ(Blocked(0xA1), 500 + 250 + 125 + (1844674407 - 108) * 1000LL);
  EXPECT_EQ(Blocked(0xA2), 1500 + (1844674407 - 110) * 1000LL);
}

// A line after years is in its own second.
TEST_F(LiveTest, ReadsLinesAfterYears) {
  whole_.Append(DUMP_EVENTS, "1000000000.5000000000,MonitorContendedEntered,00000002,000000A1,0\n");
  Grow(1000000001);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
  ASSERT_TRUE(live_advance(&live_, 1000000002 * kSecond, true));
  const struct live_second *s = live_second(&live_, live_.num_seconds - 2);
  EXPECT_EQ(s->end, 1000000001 * kSecond);
  EXPECT_EQ(s->length, kSecond);
  EXPECT_EQ(s->events, 1u);
  EXPECT_EQ(s->threads[ACTIVITY_BLOCKED], 1u);
  EXPECT_EQ(Blocked(0xA1), 500 + 250 + 125 + (1000000000 - 108) * 1000LL + 500);
}

// Two waits of half a nanosecond more are one nanosecond more.
TEST_F(LiveTest, LosesNoPartOfANanosecond) {
  whole_.Replace(DUMP_EVENTS, "101.5000000000,MonitorContendedEntered",
                 "101.5000000005,MonitorContendedEntered");
  whole_.Replace(DUMP_EVENTS, "102.2500000000,MonitorContendedEntered",
                 "102.2500000005,MonitorContendedEntered");
  Grow(103);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_GROWS);
  ASSERT_TRUE(live_advance(&live_, At(102.9), false));
  ASSERT_TRUE(live_advance(&live_, At(103), false));
  live_time_t time = 0;
  for (size_t i = 0; i < live_.num_sums; i++) {
    const struct live_sum &sum = live_.sums[i];
    if (sum.subject == LIVE_SITE && LockOf(sum) == 0xA1) time += sum.time;
  }
  EXPECT_EQ(static_cast<ticks_t>(time), 750000001 * TICKS_PER_NS);
}

// A thread loads a class in an acquisition, and waits for a monitor there: it is blocked on both,
// as in the table of locks.
TEST_F(LiveTest, AWaitInsideOfAnotherCountsForBoth) {
  whole_.Write(DUMP_EVENTS,
               "100.0000000000,ThreadStarted,00000002,worker\n"
               "101.0000000000,LockAcquire,00000002,000000A3,00000001,0\n"
               "101.5000000000,MonitorContendedEnter,00000002,000000A1,00000003,0\n"
               "101.7000000000,MonitorContendedEntered,00000002,000000A1,0\n"
               "102.0000000000,LockAcquired,00000002,000000A3,0\n");
  Grow(110);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
  ASSERT_TRUE(live_advance(&live_, At(110), true));
  EXPECT_EQ(Blocked(0xA3), 1000);
  EXPECT_EQ(Blocked(0xA1), 200);
}

TEST_F(LiveTest, KnowsWhoIsBlockedNow) {
  Grow(110);
  Open();
  ASSERT_EQ(dump_refresh(dump_), DUMP_HAS_ENDED);
  ASSERT_TRUE(live_advance(&live_, At(109), false));
  const struct live_second *s = Last();
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->threads[ACTIVITY_BLOCKED], 2u);
  EXPECT_EQ(s->threads[ACTIVITY_WAITS], 1u);  // main joins
  ASSERT_EQ(s->num_blocked, 2u);
  EXPECT_EQ(s->blocked[0].thread, 2u);
  EXPECT_EQ(s->blocked[0].since, At(108));
  EXPECT_EQ(s->blocked[0].owner, 3u);
  EXPECT_EQ(s->blocked[0].owner_activity, ACTIVITY_BLOCKED);
  EXPECT_EQ(s->blocked[1].thread, 3u);
  EXPECT_EQ(s->blocked[1].since, At(108.5));
  EXPECT_EQ(s->blocked[1].owner, 2u);
  struct deadlocks deadlocks = {};
  ASSERT_TRUE(live_deadlocks(&live_, &deadlocks));
  EXPECT_EQ(deadlocks.num_rings, 1u);
  deadlocks_free(&deadlocks);
}

TEST_F(LiveTest, KeepsOnlyTheLastSeconds) {
  Grow(110);
  Open();
  ASSERT_TRUE(live_advance(&live_, At(100 + LIVE_SECONDS + 5), false));
  EXPECT_EQ(live_.num_seconds, LIVE_SECONDS + 5u);
  EXPECT_EQ(live_second(&live_, 4), nullptr);
  ASSERT_NE(live_second(&live_, 5), nullptr);
  EXPECT_EQ(live_second(&live_, 5)->end, At(106));
  EXPECT_EQ(live_second(&live_, live_.num_seconds), nullptr);
}

}  // namespace
