#include "agent/files/carryover.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

using Lines = std::vector<std::string>;

class CarryoverTest : public testing::Test {
 protected:
  ~CarryoverTest() override { carryover_free(&carryover_); }

  void FollowStart(uint32_t thread, std::string name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = name.data();
    r.u.name.len = name.size();
    carryover_follow(&carryover_, &r);
  }
  void FollowEvent(enum event_kind kind, uint32_t thread) {
    struct record r = {};
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    carryover_follow(&carryover_, &r);
  }
  void FollowTick(int64_t number) {
    struct record r = {};
    r.kind = RECORD_TICK;
    r.u.tick = {number, 5000, 3};
    carryover_follow(&carryover_, &r);
  }
  void FollowSample(uint32_t thread, enum thread_state state, struct stack *stack) {
    struct record r = {};
    r.kind = RECORD_SAMPLE;
    r.thread = thread;
    r.state = static_cast<uint8_t>(state);
    r.stack = stack;
    r.u.cpu_ns = 99;
    carryover_follow(&carryover_, &r);
  }

  static void AppendLine(void *lines, const struct record *r) {
    std::string line;
    EXPECT_EQ(r->time_ns, 4711u);
    switch (static_cast<enum record_kind>(r->kind)) {
      case RECORD_EVENT:
        line = std::to_string(r->thread) + " " + std::string(r->u.name.text, r->u.name.len);
        free(r->u.name.text);
        break;
      case RECORD_TICK:
        line = "tick " + std::to_string(r->u.tick.number) + " " +
               std::to_string(r->u.tick.pause_ns) + " " + std::to_string(r->u.tick.threads);
        break;
      case RECORD_SAMPLE:
        line = std::to_string(r->thread) + " " + thread_state_names[r->state] + " " +
               std::to_string(r->u.cpu_ns) + " " +
               (r->stack == nullptr ? "-" : std::string(r->stack->text, r->stack->text_len));
        stack_release(r->stack);
        break;
      default:
        line = "a kind that is not repeated";
        break;
    }
    static_cast<Lines *>(lines)->push_back(line);
  }
  Lines RepeatState() {
    Lines lines;
    carryover_say(&carryover_, 4711, AppendLine, &lines);
    return lines;
  }

  struct carryover carryover_ = {};
};

struct stack MakeSharedStack(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}

TEST_F(CarryoverTest, IsEmptyAtFirst) { EXPECT_EQ(RepeatState(), Lines{}); }

TEST_F(CarryoverTest, RepeatsLivingThreadsWithTheirNames) {
  FollowStart(1, "one");
  FollowStart(2, "");
  FollowStart(3, "three");
  FollowEvent(EVENT_THREAD_SLEEP, 4);  // neither a start nor an end
  FollowEvent(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(RepeatState(), (Lines{"2 ", "3 three"}));
  EXPECT_EQ(RepeatState(), (Lines{"2 ", "3 three"}));  // repeating changes nothing
  EXPECT_EQ(carryover_.num_living, 2u);
}

TEST_F(CarryoverTest, AllowsTwoLivingThreadsWithOneHash) {
  FollowStart(1, "a");
  FollowStart(1, "b");
  FollowEvent(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(RepeatState().size(), 1u);
  FollowEvent(EVENT_THREAD_ENDED, 1);
  FollowEvent(EVENT_THREAD_ENDED, 1);  // no thread is left
  EXPECT_EQ(RepeatState(), Lines{});
}

TEST_F(CarryoverTest, RepeatsSamplesAfterTheLastTickWithoutCpuTime) {
  static struct stack a = MakeSharedStack("1;00000001;00000000"),
                      b = MakeSharedStack("0");  // never freed, as in the agent
  FollowTick(7);
  FollowSample(1, STATE_RUNNABLE, &a);
  FollowSample(2, STATE_PARKED, &b);
  FollowSample(3, STATE_BLOCKED, &b);
  FollowTick(8);
  FollowSample(1, STATE_SLEEPING, &b);
  FollowSample(3, STATE_TERMINATED, nullptr);
  EXPECT_EQ(RepeatState(), (Lines{"tick 8 0 3", "1 Sleeping 0 0", "2 Parked 0 0"}));
  EXPECT_EQ(carryover_.num_sampled, 2u);
  FollowSample(2, STATE_UNMOUNTED, nullptr);
  EXPECT_EQ(RepeatState(), (Lines{"tick 8 0 3", "1 Sleeping 0 0"}));
}

TEST_F(CarryoverTest, RepeatsTheSampleOfAnEndedThreadUntilItsLastSample) {
  FollowTick(1);
  FollowStart(1, "one");
  FollowSample(1, STATE_RUNNABLE, nullptr);
  FollowEvent(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(RepeatState(), (Lines{"tick 1 0 3", "1 Runnable 0 -"}));
  FollowStart(1, "again");
  EXPECT_EQ(RepeatState(), (Lines{"1 again", "tick 1 0 3", "1 Runnable 0 -"}));
}

// The unshared stack is freed with its last record. AddressSanitizer reports a leak or a late use.
TEST_F(CarryoverTest, CopiesAnUnsharedStack) {
  auto *own = static_cast<struct stack *>(malloc(sizeof(struct stack) + 19));
  *own = {};
  own->uses = 1;
  own->text = static_cast<char *>(memcpy(own + 1, "1;00000001;00000002", 19));
  own->text_len = 19;
  FollowTick(1);
  FollowSample(1, STATE_RUNNABLE, own);
  stack_release(own);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(RepeatState(), (Lines{"tick 1 0 3", "1 Runnable 0 1;00000001;00000002"}));
  }
}

TEST_F(CarryoverTest, NeedsMemoryOnlyForLivingThreads) {
  for (uint32_t i = 1; i <= 100000; i++) {
    FollowStart(i, "a name");
    FollowSample(i, STATE_RUNNABLE, nullptr);
    if (i <= 10) continue;
    FollowEvent(EVENT_THREAD_ENDED, i - 10);
    FollowSample(i - 10, STATE_TERMINATED, nullptr);
  }
  EXPECT_EQ(carryover_.num_living, 10u);
  EXPECT_LE(carryover_.num_slots, 20u);
  EXPECT_LT(hashmap_size(&carryover_.by_hash), 2000u);
  EXPECT_EQ(RepeatState().size(), 10u);
}

TEST_F(CarryoverTest, VisitsTheStacksOfTheLastSamples) {
  static struct stack a, b;
  FollowStart(0xA, "A");
  FollowStart(0xC, "C");
  FollowSample(0xA, STATE_RUNNABLE, &b);
  FollowSample(0xA, STATE_RUNNABLE, &a);
  FollowSample(0xB, STATE_RUNNABLE, &b);
  FollowSample(0xB, STATE_TERMINATED, nullptr);
  std::vector<const struct stack *> visited;
  carryover_visit_stacks(
      &carryover_,
      [](void *arg, const struct stack *stack) {
        static_cast<std::vector<const struct stack *> *>(arg)->push_back(stack);
      },
      &visited);
  EXPECT_EQ(visited, std::vector<const struct stack *>{&a});
}

TEST_F(CarryoverTest, FindsTheNameOfALivingThread) {
  auto find = [&](uint32_t thread) {
    struct span name = carryover_find_name(&carryover_, thread);
    return std::string(name.data, name.len);
  };
  FollowStart(0xA, "main");
  FollowStart(0xB, "");
  FollowSample(0xC, STATE_RUNNABLE, nullptr);
  EXPECT_EQ(find(0xA), "main");
  for (uint32_t thread : {0xBu, 0xCu, 0xDu}) EXPECT_EQ(find(thread), "");
  FollowEvent(EVENT_THREAD_ENDED, 0xA);
  EXPECT_EQ(find(0xA), "");
}

}  // namespace
