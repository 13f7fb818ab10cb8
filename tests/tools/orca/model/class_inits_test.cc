#include "tools/orca/model/class_inits.h"

#include <map>

#include "tests/tools/orca/model/small_dump.h"

namespace {

const char kPrice[] = "2;00000010;00000000;00000011;00000000";
const char kReserve[] = "2;00000012;00000000;00000011;00000000";

// A recording from 100 s to 110 s with three threads. Times are in seconds from 100 s on.
class ClassInits : public testing::Test {
 protected:
  ClassInits() {
    for (uint32_t thread : {1u, 2u, 3u}) {
      Add(&events_, 0.1 + thread / 100.0, "ThreadStarted," + Hash(thread) + ",t");
    }
  }
  // The thread waits from 1 s on; the event comes at `at`.
  void Wait(uint32_t thread, uint32_t owner, double at = 2) {
    Sample(thread, 1, 0, kPrice);
    Confirm(thread, owner, at);
  }
  void Confirm(uint32_t thread, uint32_t owner, double at) {
    Add(&events_, at + thread / 100.0,
        "ClassInitWait," + Hash(thread) + ",000000C5," + Hash(owner) + "," + kPrice);
  }
  void Sample(uint32_t thread, double at, int cpu_ms, const char *stack) {
    std::string number = std::to_string(++num_stacks_);
    Add(&samples_, at, "Stack," + number + "," + stack);
    Add(&samples_, at,
        "Sample," + Hash(thread) + ",Runnable," + std::to_string(cpu_ms * 1000000) + "," + number);
  }
  void Sleep(uint32_t thread, double at) {
    Add(&events_, at, "ThreadSleep," + Hash(thread) + "," + kReserve);
  }
  void Rounds(double from, double to) {
    for (double at = from; at <= to; at += 0.5) {
      Add(&samples_, at, "Tick," + std::to_string(++num_ticks_) + ",1000,4");
    }
  }
  struct model *Read() {
    small_.files.Write(DUMP_EVENTS, Join(events_));
    small_.files.Write(DUMP_SAMPLES, Join(samples_));
    return small_.Read();
  }
  const struct class_inits *ReadInits() { return &Read()->class_inits; }

 private:
  using Text = std::map<double, std::string>;
  static std::string Hash(uint32_t hash) {
    char text[9];
    snprintf(text, sizeof text, "%08X", hash);
    return text;
  }
  static void Add(Text *to, double at, const std::string &line) {
    char time[30];
    snprintf(time, sizeof time, "%.10f", 100 + at);
    (*to)[at] += time + ("," + line + "\n");
  }
  static std::string Join(const Text &lines) {
    std::string text;
    for (const auto &line : lines) text += line.second;
    return text;
  }

  SmallModel small_;
  Text events_, samples_;
  int num_stacks_ = 0, num_ticks_ = 0;
};

// The round before may be long ago: then the wait may have begun long before its first sample.
TEST_F(ClassInits, AWaitMayHaveBegunAfterTheRoundBefore) {
  Rounds(0.2, 0.2);
  Rounds(1, 9.5);
  Wait(1, 2);
  const struct class_inits *c = ReadInits();
  ASSERT_EQ(c->num, 1u);
  EXPECT_TRUE(class_init_is_least(&c->waits[0]));
}

TEST_F(ClassInits, AWaitBeganSoonBeforeItsSampleIfTheRoundBeforeIsNear) {
  Rounds(0.9, 0.9);
  Rounds(1, 9.5);
  Wait(1, 2);
  const struct class_inits *c = ReadInits();
  ASSERT_EQ(c->num, 1u);
  EXPECT_FALSE(class_init_is_least(&c->waits[0]));
}

TEST_F(ClassInits, AWaitBeginsWithTheLastSampleBeforeIt) {
  Wait(1, 2);
  Confirm(1, 2, 4);
  Rounds(1.5, 9.5);
  const struct class_inits *c = ReadInits();
  ASSERT_EQ(c->num, 1u);
  const struct class_init *wait = class_inits_find(c, 1);
  ASSERT_EQ(wait, c->waits);
  EXPECT_EQ(wait->class_id, 0xC5u);
  EXPECT_EQ(wait->initializer, 2u);
  EXPECT_EQ(wait->begin, 101 * TICKS_PER_S);
  EXPECT_GE(wait->end, 109 * TICKS_PER_S);
  EXPECT_TRUE(wait->is_open && wait->matches);
  EXPECT_EQ(class_inits_find(c, 2), nullptr);
}

TEST_F(ClassInits, TheNextLineOfTheThreadEndsIt) {
  Wait(1, 3);
  Wait(2, 3);
  Sample(1, 5, 10, kReserve);
  Sleep(2, 6);
  const struct class_inits *c = ReadInits();
  ASSERT_EQ(c->num, 2u);
  EXPECT_EQ(class_inits_find(c, 1), nullptr);
  EXPECT_EQ(class_inits_find(c, 2), nullptr);
  EXPECT_EQ(c->waits[0].end, 105 * TICKS_PER_S);
  EXPECT_EQ(c->waits[1].end, 106 * TICKS_PER_S);
  EXPECT_FALSE(c->waits[0].is_open || c->waits[1].is_open);
}

TEST_F(ClassInits, AnotherInitializerIsAnotherWait) {
  Wait(1, 2);
  Confirm(1, 3, 4);
  const struct class_inits *c = ReadInits();
  ASSERT_EQ(c->num, 2u);
  EXPECT_EQ(c->waits[0].end, 104 * TICKS_PER_S + TICKS_PER_S / 100);
  EXPECT_EQ(c->waits[1].begin, 104 * TICKS_PER_S + TICKS_PER_S / 100);
  EXPECT_EQ(class_inits_find(c, 1)->initializer, 3u);
}

TEST_F(ClassInits, ThreadsThatWaitForARingAreNotOnIt) {
  Wait(1, 2);
  Wait(2, 1);
  Wait(3, 2);
  const struct class_inits *c = ReadInits();
  for (uint32_t thread : {1u, 2u, 3u}) {
    EXPECT_TRUE(class_inits_leads(c, thread)) << thread;
    EXPECT_EQ(class_inits_is_in_ring(c, thread), thread != 3) << thread;
  }
}

TEST_F(ClassInits, AnInitializerThatGoesOnMakesNoRing) {
  Wait(1, 2);
  Wait(3, 1);
  const struct class_inits *c = ReadInits();
  EXPECT_FALSE(class_inits_leads(c, 1));
  EXPECT_FALSE(class_inits_leads(c, 3));
  EXPECT_FALSE(class_inits_is_in_ring(c, 1));
}

TEST_F(ClassInits, SuchAThreadWaits) {
  Wait(1, 2, 3);
  Rounds(1.5, 9.5);
  const struct model *m = Read();
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *thread = &m->threads.rows[i];
    if (thread->hash != 1) continue;
    EXPECT_GE(thread->in_activity[ACTIVITY_WAITS], 8 * TICKS_PER_S);
    EXPECT_EQ(thread->in_activity[ACTIVITY_RUNNABLE], 0u);
  }
}

}  // namespace
