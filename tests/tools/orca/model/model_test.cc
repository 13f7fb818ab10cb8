#include "tools/orca/model/model.h"

#include <string>

#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Model, ReadsTheWholeDump) {
  SmallModel small;
  const struct model *m = small.Read();
  EXPECT_EQ(dump_faults(small.dump)->num, 0u);
  EXPECT_EQ(m->recording.num_events, 22u);
  EXPECT_EQ(m->pass.pairs.without_begin + m->pass.pairs.without_end, 0u);
  EXPECT_EQ(m->deadlocks.num_rings, 1u);
  EXPECT_EQ(m->deadlocks.num, 2u);
}

TEST(Model, EventsAndSamplesShareStacks) {
  SmallModel small;
  // 8 stacks of events: reserve, price, wait, notifyAll, sleep, acquire, release, join. 5 stacks of
  // samples, of which reserve is one of the 8.
  EXPECT_EQ(small.Read()->stacks.num, 12u);
}

TEST(Model, BrokenLinesAreFaultsAndTheOthersCount) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\n109.5000000000,ThreadEnded,00000003\n");
  const struct model *m = small.Read();
  EXPECT_EQ(m->recording.num_events, 23u);
  EXPECT_EQ(CountFaults(dump_faults(small.dump)), 1u);
}

TEST(Model, ReadsEventsAlone) {
  SmallModel small;
  for (enum dump_file file : {DUMP_CLASSES, DUMP_METHODS, DUMP_OBJECTS, DUMP_SAMPLES, DUMP_INFO}) {
    small.files.Remove(file);
  }
  const struct model *m = small.Read();
  EXPECT_EQ(m->recording.num_events, 22u);
  EXPECT_EQ(m->stalls.num, 6u);
  EXPECT_EQ(m->cpu.num_methods, 0u);
}

TEST(Model, ReadsAnEmptyDump) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "");
  small.files.Write(DUMP_SAMPLES, "");
  const struct model *m = small.Read();
  EXPECT_EQ(m->recording.num_events, 0u);
  EXPECT_EQ(m->threads.num, 0u);
}

// Samples have no lock and no event, so with such a filter no CPU time is shown.
TEST(Model, AFilterForLocksOrEventsHasNoCpuTime) {
  for (bool is_lock : {true, false}) {
    SmallModel small;
    AddCpuLines(&small.files);
    struct filter filter = {};
    filter.to = FILTER_NO_END;
    (is_lock ? filter.locks : filter.events) = {{is_lock ? "*" : "monitor"}, 1};
    const struct model *m = small.Read(&filter);
    EXPECT_EQ(m->cpu.total_ns, 0u);
    for (size_t i = 0; i < m->threads.num; i++) EXPECT_EQ(m->threads.rows[i].cpu_ns, 0u);
  }
}

// The first sample of worker-1 is older than the line that names it.
TEST(Model, AFilterForThreadsFindsSamplesBeforeTheName) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS, "100.1000000000,ThreadStarted,00000002,worker-1\n", "");
  small.files.Append(DUMP_EVENTS, "109.1000000000,ThreadStarted,00000002,worker-1\n");
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-1"}, 1};
  EXPECT_EQ(small.Read(&filter)->recording.samples, 4u);
}

struct Seen {
  uint64_t events = 0, ticks = 0, threads = 0, pairs = 0, open = 0, matching = 0;
  ticks_t pair_time = 0, last = 0;
  std::string owners;
  bool is_ascending = true;
  uint64_t until = ~uint64_t{0};
};

bool TakeStep(void *arg, const struct step *step) {
  auto *seen = static_cast<Seen *>(arg);
  seen->is_ascending &= step->time >= seen->last;
  seen->last = step->time;
  seen->events += step->event != nullptr;
  seen->matching += step->matches;
  if (step->sample != nullptr) {
    (step->sample->kind == SAMPLE_TICK ? seen->ticks : seen->threads)++;
  }
  if (step->pair != nullptr) {
    (step->event != nullptr ? seen->pairs : seen->open)++;
    seen->pair_time += step->pair->end - step->pair->begin;
  }
  if (step->owner != 0) seen->owners += std::to_string(step->owner) + " ";
  return seen->events < seen->until;
}

TEST(Replay, HandsOnEveryLineInOrder) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_TRUE(seen.is_ascending);
  EXPECT_EQ(seen.events, m->recording.num_events);
  EXPECT_EQ(seen.ticks, m->recording.ticks);
  EXPECT_EQ(seen.threads, 7u);
}

TEST(Replay, HandsOnThePairsOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.pairs, 6u);
  EXPECT_EQ(seen.open, 3u);
  ticks_t all = 0;
  for (size_t i = 0; i < m->stalls.num; i++) all += m->stalls.rows[i].total;
  EXPECT_EQ(seen.pair_time, all);
  EXPECT_EQ(seen.owners, "3 2 3 2 ");
}

TEST(Replay, MarksTheLinesThatMatchTheFilter) {
  struct filter filter = MakeFilter(102 * kSecond, 106 * kSecond);
  filter.threads = {{"worker-1"}, 1};
  SmallModel small;
  struct model *m = small.Read(&filter);
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.events, 22u);                            // all lines are handed on
  EXPECT_EQ(seen.pair_time, 10 * kSecond + kSecond / 8);  // nothing is clipped
  // Events, samples, ticks and open pairs, whatever their time.
  EXPECT_EQ(seen.matching, 10u + 4 + 4 + 1);
}

TEST(Replay, StopsWhenTheListenerReturnsFalse) {
  SmallModel small;
  Seen seen;
  seen.until = 3;
  EXPECT_FALSE(replay(small.Read(), REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.events, 3u);
}

TEST(Replay, DoesNotCountFaultsTwice) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\n");
  struct model *m = small.Read();
  uint64_t before = CountFaults(dump_faults(m->dump));
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(CountFaults(dump_faults(m->dump)), before);
}

}  // namespace
