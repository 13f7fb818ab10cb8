#include "tests/tools/orca/render/view/lanes.h"

namespace {

std::string States(const char *thread, enum format format = FORMAT_TEXT) {
  SmallLanes lanes(thread);
  return ShowPage(
      [&](struct page *p) { view_thread_states(p, lanes.model, &lanes.timeline, false); }, format);
}

// worker-1 lives for 9.9 s. In this time it is blocked for 2.75 s and sleeps for 0.5 s.
TEST(ViewThreadStates, ShowsSharesAndCalls) {
  std::string text = States("worker-1");
  EXPECT_TRUE(
      Has(text,
          "\nworker-1  9.90 s  990 ms         -  58 %     28 %    0 %     0 %   5.1 %  0 %  "
          "  9.1 %\n"))
      << text;
  EXPECT_TRUE(Has(text, "\nworker-1        3  2.75 s       0  0 s      1  500 ms         2\n"))
      << text;
}

TEST(ViewThreadStates, JoinsCountAsWaits) {
  std::string text = States("main");
  EXPECT_TRUE(Has(text, "\nmain          0  0 s       2  4.50 s      0  0 s         0\n")) << text;
}

TEST(ViewThreadStates, CsvHasAllInOneTable) {
  EXPECT_EQ(
      States("main", FORMAT_CSV),
      "thread,hash,lived_ns,first_ns,last_ns,cpu_ns,running_ns,runnable_ns,blocked_ns,"
      "waiting_ns,parked_ns,sleeping_ns,io_ns,hidden_ns,no_call_ns,blocked_count,waited_count,"
      "slept_count,notified_count,cpu_wait_ns\n"
      "main,00000001,10000000000,0,10000000000,0,0,0,0,4500000000,0,0,0,0,5500000000,0,2,0,0,\n");
}

TEST(ViewThreadStates, StatesAddUpToTheLifetime) {
  SmallLanes lanes("*");
  EXPECT_EQ(lanes.timeline.num, 4u);
  for (size_t i = 0; i < lanes.timeline.num; i++) {
    const struct timeline_row &row = lanes.timeline.rows[i];
    const struct thread *thread = threads_find(&lanes.model->threads, row.thread);
    ticks_t sum = 0;
    for (int k = 0; k < NUM_ACTIVITIES; k++) {
      sum += row.sum.times[k];
      EXPECT_EQ(row.sum.times[k], thread->in_activity[k]) << activity_names[k];
    }
    EXPECT_EQ(sum, thread->last - thread->first) << thread->name;
  }
}

}  // namespace
