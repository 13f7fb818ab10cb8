#include "tools/orca/render/view/path.h"

#include "tests/tools/orca/render/view/shown.h"

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

}  // namespace
