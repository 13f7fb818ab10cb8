#include "agent/files/short_lines.h"

#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "agent/files/lines.h"
#include "agent/record/stack.h"
#include "tests/agent/files/output_case.h"

namespace {

struct short_calls *NewShortCalls() {
  static auto &all = *new std::vector<struct short_calls *>;  // never freed, as in the agent
  all.push_back(short_calls_new());
  return all.back();
}

class ShortLinesTest : public OutputTest {
 protected:
  ShortLinesTest() {
    input_.short_calls = calls_;
    input_.recording = 1;
    stack_.num_frames = 1;
    stack_.text = "1;00000001;00000000";
    stack_.text_len = 19;
  }
  void AddCall(enum event_kind kind, uint32_t object, uint64_t ns, uint32_t class_id = 0) {
    struct short_key key = {};
    key.kind = kind;
    key.object = object;
    key.class_id = class_id;
    key.stack = &stack_;
    short_calls_add(calls_, 0xA, 1, &key, ns);
  }
  // The lines of .counts without their times.
  std::vector<std::string> ReadCounts() {
    std::vector<std::string> lines = SplitLines(ReadText(".counts"));
    for (std::string &line : lines) line.erase(0, line.find(',') + 1);
    return lines;
  }

  struct short_calls *calls_ = NewShortCalls();
  struct stack stack_ = {};
};

using Lines = std::vector<std::string>;

TEST_F(ShortLinesTest, HaveTheCallsOfThreadsAndOfTheWriter) {
  StartRecording();
  AddCall(EVENT_SEMAPHORE_ACQUIRE, 0xB, 500);
  AddCall(EVENT_SEMAPHORE_ACQUIRE, 0xB, 700);
  short_lines_add(&output_.short_lines, EVENT_SEMAPHORE_ACQUIRE, 0xB, &stack_, 100);
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadCounts(), Lines{"SemaphoreAcquire,0000000B,3,1300,700,1;00000001;00000000"});
  EXPECT_EQ(output_.short_lines.num_of_threads, 2u);
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadCounts().size(), 1u) << "each call is in one line";
}

TEST_F(ShortLinesTest, DefineAnObjectThatTheFilesLack) {
  StartRecording();
  AddCall(EVENT_SEMAPHORE_ACQUIRE, 0xB, 500, /* class_id */ 0xC1);
  EXPECT_EQ(ReadText(".objects"), "");
  output_finish(&output_, "exit");
  EXPECT_NE(ReadText(".objects").find(",0000000B,000000C1\n"), std::string::npos);
}

TEST_F(ShortLinesTest, HaveTheNearPartOfAStack) {
  struct stack whole = {};
  whole.near = &stack_;
  StartRecording();
  short_lines_add(&output_.short_lines, EVENT_SEMAPHORE_ACQUIRE, 0xB, &whole, 100);
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadCounts(), Lines{"SemaphoreAcquire,0000000B,1,100,100,1;00000001;00000000"});
}

// It is freed with its records.
TEST_F(ShortLinesTest, DoNotKeepAStackThatIsNotShared) {
  StartRecording();
  stack_.uses = 1;
  short_lines_add(&output_.short_lines, EVENT_SEMAPHORE_ACQUIRE, 0xB, &stack_, 100);
  stack_.uses = 0;
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadCounts(), Lines{"SemaphoreAcquire,0000000B,1,100,100,0"});
}

// Its lines would be lost, too.
TEST_F(ShortLinesTest, WaitForTheNextSetIfTheSetIsCut) {
  StartRecording();
  AddCall(EVENT_SEMAPHORE_ACQUIRE, 0xB, 500);
  output_.rotation.is_cut = true;
  lines_write_counts(&output_, /* all */ true);
  output_.rotation.is_cut = false;
  output_finish(&output_, "exit");
  EXPECT_EQ(ReadCounts(), Lines{"SemaphoreAcquire,0000000B,1,500,500,1;00000001;00000000"});
}

TEST_F(ShortLinesTest, AreTakenOnceASecond) {
  StartRecording();
  AddCall(EVENT_LOCK_ACQUIRE, 0xB, 500);
  uint64_t start = output_.short_lines.start_ns;
  short_lines_look(&output_.short_lines, start + NS_PER_S - 1);
  EXPECT_EQ(output_.short_lines.lock_ns, 0u);
  short_lines_look(&output_.short_lines, start + NS_PER_S);
  EXPECT_EQ(output_.short_lines.lock_ns, 500u);
  AddCall(EVENT_LOCK_ACQUIRE, 0xB, 500);
  short_lines_look(&output_.short_lines, start + NS_PER_S + 1);
  EXPECT_EQ(output_.short_lines.lock_ns, 500u);
}

TEST_F(ShortLinesTest, CountTheTimeOfCallsThatAcquireLocks) {
  StartRecording();
  AddCall(EVENT_LOCK_ACQUIRE, 0xB, 500);
  AddCall(EVENT_OBJECT_WAIT, 0xB, 900);
  short_lines_take(&output_.short_lines, clock_monotonic_ns());
  EXPECT_EQ(output_.short_lines.lock_ns, 500u);
}

TEST_F(ShortLinesTest, AreWrittenAfterAPauseThatGrows) {
  struct short_lines s = {};
  const uint64_t begin = 100 * NS_PER_S;
  auto write = [&](uint64_t now) { short_lines_write(&s, now, nullptr, nullptr); };
  ASSERT_TRUE(short_lines_start(&s, nullptr, 1, begin));
  EXPECT_FALSE(short_lines_is_due(&s, begin + NS_PER_S - 1));
  EXPECT_TRUE(short_lines_is_due(&s, begin + NS_PER_S));
  write(begin + 78 * NS_PER_S);
  EXPECT_FALSE(short_lines_is_due(&s, begin + 80 * NS_PER_S)) << "an eighth of 80 s is 10 s";
  EXPECT_TRUE(short_lines_is_due(&s, begin + 90 * NS_PER_S));
  write(begin + 36000 * NS_PER_S);
  EXPECT_FALSE(short_lines_is_due(&s, begin + 36059 * NS_PER_S));
  EXPECT_TRUE(short_lines_is_due(&s, begin + 36060 * NS_PER_S));
  short_lines_end(&s);
}

}  // namespace
