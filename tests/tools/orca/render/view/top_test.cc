#include "tools/orca/render/view/top.h"

#include <string>

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;

class ViewTop : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    Open();
    page_start(&page_, -1, FORMAT_TEXT, true);
  }
  void Open() {
    struct builder why = {};
    dump_ = dump_open(files_.Prefix().c_str(), &why);
    ASSERT_NE(dump_, nullptr);
    ASSERT_TRUE(live_start(&live_, dump_));
  }
  void Reopen() {
    live_free(&live_);
    dump_close(dump_);
    Open();
  }
  void TearDown() override {
    page_free(&page_);
    window_free(&window_);
    live_free(&live_);
    dump_close(dump_);
  }

  // The last `num` seconds before a time.
  struct view_top At(ticks_t seconds, uint64_t num) {
    EXPECT_TRUE(live_advance(&live_, seconds * kSecond, seconds == 110));
    EXPECT_TRUE(window_read(&window_, &live_, live_.num_seconds - 1, num));
    struct view_top view = {};
    view.live = &live_;
    view.window = &window_;
    view.is_now = true;
    view.rows = 10;
    return view;
  }
  std::string Text() const { return std::string(page_.out.data, page_.out.len); }

  DumpFiles files_;
  struct dump *dump_ = nullptr;
  struct live live_ = {};
  struct window window_ = {};
  struct page page_ = {};
};

TEST_F(ViewTop, TellsOfADeadlockOnlyWhileItStands) {
  struct view_top view = At(108, 8);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_FALSE(Has(Text(), "DEADLOCK")) << Text();
  window_free(&window_);
  view = At(110, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_TRUE(Has(Text(), "DEADLOCK: worker-1 waits for ")) << Text();
  view.is_now = false;  // of an earlier moment it is not known
  page_.out.len = 0;
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_FALSE(Has(Text(), "DEADLOCK")) << Text();
}

TEST_F(ViewTop, SaysThatShortWaitsAreNotShown) {
  const char kWords[] = "\nwaits shorter than 10ms are not shown here; orca locks and orca waits ";
  AddShortCalls(&files_);
  Reopen();
  struct view_top view = At(110, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  view_top_locks(&page_, &view);
  EXPECT_TRUE(Has(Text(), kWords)) << Text();
  EXPECT_TRUE(Has(Text(), " 2.88 s      0.3      3    1  com.acme.Inventory@000000A1 ")) << Text();
}

TEST_F(ViewTop, SaysNothingOfShortWaitsWithoutSums) {
  struct view_top view = At(110, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_FALSE(Has(Text(), "shorter")) << Text();
}

TEST_F(ViewTop, SortsLocksByTimeOrCount) {
  struct view_top view = At(110, 2);
  view_top_locks(&page_, &view);
  EXPECT_LT(Text().find("Inventory@000000A1"), Text().find("Object@000000A2")) << Text();
  page_.out.len = 0;
  window_free(&window_);
  view = At(110, 10);
  view.sort = TOP_BY_COUNT;
  view_top_locks(&page_, &view);
  EXPECT_TRUE(Has(Text(), "2.88 s      0.3      3    1  com.acme.Inventory@000000A1")) << Text();
}

TEST_F(ViewTop, OpensALock) {
  struct view_top view = At(110, 10);
  view_top_lock(&page_, &view, window_.locks[0].lock);
  EXPECT_TRUE(Has(Text(), "\ncom.acme.Inventory@000000A1\n")) << Text();
  EXPECT_TRUE(Has(Text(), "   2.75 s  Inventory.reserve (Inventory.java:42)\n")) << Text();
  EXPECT_TRUE(Has(Text(), "   125 ms  OrderService.price (OrderService.java:88)\n")) << Text();
  EXPECT_TRUE(Has(Text(), "worker-1")) << Text();
  EXPECT_FALSE(Has(Text(), "000000A2")) << Text();
}

TEST_F(ViewTop, OpensAThread) {
  struct view_top view = At(110, 10);
  view_top_thread(&page_, &view, 3);
  EXPECT_EQ(Text(),
            "\nworker-2: blocked for 1.50 s\n"
            "    OrderService.price (OrderService.java:88)\n"
            "    OrderService.run (OrderService.java:20)\n");
  page_.out.len = 0;
  view_top_thread(&page_, &view, 4);
  EXPECT_EQ(Text(), "\npoller has ended\n");
}

}  // namespace
