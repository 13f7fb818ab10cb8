#include "tools/orca/render/view/path.h"

#include "tests/tools/orca/causal/whatif/recorded.h"
#include "tests/tools/orca/render/view/shown.h"
#include "tools/orca/causal/path/path_calls.h"

namespace {

class ViewPath : public testing::Test {
 protected:
  ~ViewPath() override {
    path_table_free(&table_);
    path_free(&path_);
    trace_free(&trace_);
  }
  std::string Show(enum format format = FORMAT_TEXT) {
    struct view_path view = {&path_, &table_, {}};
    EXPECT_TRUE(trace_read(&trace_, small_.Read(), TRACE_MAX_OPS));
    EXPECT_TRUE(path_start(&path_, &trace_));
    EXPECT_TRUE(path_main_work(&trace_, &view.work));
    EXPECT_TRUE(path_find(&path_, &view.work));
    EXPECT_TRUE(path_table_add(&table_, &path_));
    EXPECT_TRUE(path_table_end(&table_));
    tally_sort(&path_.locks);
    return ShowPage([&](struct page *p) { view_path(p, &view, 10); }, format);
  }

  SmallModel small_;
  struct trace trace_ = {};
  struct path path_ = {};
  struct path_table table_ = {};
};

TEST_F(ViewPath, SaysWhatTheEndWaitedFor) {
  std::string text = Show();
  EXPECT_TRUE(Has(text, "* What the end of worker-1 waited for, in the 9.90 s up to it: ")) << text;
  EXPECT_TRUE(Has(text, " sleeps")) << text;
  EXPECT_TRUE(Has(text, "\n share  on the path  blocked  lock\n")) << text;
}

TEST_F(ViewPath, HasKeysForPrograms) {
  std::string text = Show(FORMAT_JSON);
  EXPECT_TRUE(Has(text, "\"reason\":\"sleep\",\"place\":\"")) << text;
  EXPECT_TRUE(Has(text, "\"locks\":[{\"path_ns\":")) << text;
}

// Returns the paths of the tasks of a program that the exact machine runs.
std::string ShowTasks(const machine::Program &p) {
  Recorded recorded(p);
  struct builder why = {};
  struct dump *dump = dump_open(recorded.files.Prefix().c_str(), &why);
  EXPECT_NE(dump, nullptr) << std::string(why.data, why.len);
  struct model model = {};
  struct trace trace = {};
  struct path path = {};
  struct path_calls calls = {};
  EXPECT_TRUE(model_read(&model, dump, nullptr, ALL_ANALYSES));
  EXPECT_TRUE(trace_read(&trace, &model, TRACE_MAX_OPS));
  EXPECT_TRUE(path_start(&path, &trace));
  EXPECT_TRUE(path_tasks_find(&calls, &trace));
  EXPECT_TRUE(path_calls_walk(&calls, &path));
  std::string text =
      ShowPage([&](struct page *page) { view_path_calls(page, &path, &calls, true, 10); });
  path_calls_free(&calls);
  path_free(&path);
  trace_free(&trace);
  model_free(&model);
  dump_close(dump);
  builder_free(&why);
  return text;
}

machine::Program TasksOfOneThread(const std::vector<int> &ms) {
  machine::Program p;
  p.pools = {1};
  p.threads.resize(1);
  for (int task_ms : ms) {
    p.tasks.push_back({0, {{machine::kSleep, 0, double(task_ms)}}});
  }
  return p;
}

// The last task waits for 30 ms and takes 10 ms; the others find a free thread.
TEST(ViewPathOfTasks, ComparesTheQueueTimeOfTheSlowest) {
  machine::Program p = TasksOfOneThread({2, 2, 2, 2, 2, 2, 2, 2, 30, 10});
  for (int i = 0; i < 10; i++) {
    p.threads[0].push_back({machine::kSubmit, i});
    if (i < 8) p.threads[0].push_back({machine::kGet, i});
  }
  p.threads[0].push_back({machine::kGet, 9});
  std::string text = ShowTasks(p);
  EXPECT_EQ(text.find("* The slowest task spent 75 % of its time in the queue of pool-1, typical "
                      "tasks "),
            0u)
      << text;
  double typical = std::stod(text.substr(text.find("typical tasks ") + 14));
  EXPECT_LT(typical, 5) << text;  // the thread has to wake up
}

// Each of 200 tasks of 1 ms waits for those before it.
TEST(ViewPathOfTasks, TellsTheSlowestHundredth) {
  machine::Program p = TasksOfOneThread(std::vector<int>(200, 1));
  for (int i = 0; i < 200; i++) p.threads[0].push_back({machine::kSubmit, i});
  p.threads[0].push_back({machine::kGet, 199});
  std::string text = ShowTasks(p);
  EXPECT_EQ(text.find("* The slowest 1 % of the tasks spent 99 % of their time in the queue of "
                      "pool-1, typical tasks 99 %.\n"),
            0u)
      << text;
}

TEST(ViewPathOfTasks, SaysNothingOfAnEmptyQueue) {
  machine::Program p = TasksOfOneThread({5, 5, 5});
  for (int i = 0; i < 3; i++) {
    p.threads[0].push_back({machine::kSubmit, i});
    p.threads[0].push_back({machine::kGet, i});
  }
  std::string text = ShowTasks(p);
  EXPECT_FALSE(Has(text, " spent ")) << text;
  EXPECT_TRUE(Has(text, "3 tasks of ")) << text;
}

}  // namespace
