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

TEST_F(ViewTop, ShowsSumsOfShortWaits) {
  AddShortCalls(&files_);
  Reopen();
  struct view_top view = At(109, 8);
  view.is_now = false;
  page_.style.width = 120;
  page_.has_whole_names = false;
  ASSERT_TRUE(view_top_head(&page_, &view));
  view_top_locks(&page_, &view);
  EXPECT_EQ(
      Text(),
      "11:37:45 UTC, the last 8.00 s\n"
      "0.00 CPUs busy; pauses for GC 0 %; 2 events a second\n"
      "3 threads: 2 blocked, 1 waiting\n"
      "lock waits shorter than 10ms are in short: sums of 5.00 s up to 11:37:41\n"
      "\n"
      "Locks: blocked time of all threads, and how many were blocked on average\n"
      "  blocked  threads  waits  now  short   total  longest  lock                             "
      "owner now\n"
      "   1.88 s      0.2      3    1    400  1.00 s  9.00 ms  com.acme.Inventory@000000A1      "
      "worker-…t OrderService.price:88\n"
      "   500 ms      0.1      0    1      0                   monitor…ce:88 (Object@000000A2)  "
      "worker-…at Inventory.reserve:42\n");
}

TEST_F(ViewTop, FitsIntoANarrowTerminal) {
  AddShortCalls(&files_);
  files_.Append(DUMP_COUNTS,
                "109.5000000004,MonitorContendedEnter,000000B1,6000000,95000000000,9000000,0\n");
  Reopen();
  struct view_top view = At(110, 10);
  page_.style.width = 80;
  page_.has_whole_names = false;
  view_top_locks(&page_, &view);
  EXPECT_EQ(Text(),
            "\nLocks: blocked time of all threads\n"
            "  blocked  waits  now      short       total  longest  lock\n"
            "      0 s      0    0  6,000,000  1 min 35 s  9.00 ms  object@000000B1\n"
            "   2.88 s      3    1      1,000      4.00 s  9.00 ms  com.ac…Inventory@000000A1\n"
            "   1.50 s      0    1          0                       monito… (Object@000000A2)\n");
}

TEST_F(ViewTop, SaysThatShortWaitsAreNotShownWithoutSums) {
  AddShortCalls(&files_);
  Reopen();
  struct view_top view = At(104, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_TRUE(Has(Text(), "\nlock waits shorter than 10ms are not shown: no sums of this time\n"))
      << Text();
}

// Without a threshold each wait has a line.
TEST_F(ViewTop, SaysNothingOfShortWaitsWithoutAThreshold) {
  struct view_top view = At(110, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_FALSE(Has(Text(), "\nlock waits ")) << Text();
  view_top_locks(&page_, &view);
  view_top_lock(&page_, &view, window_.locks[0].lock);
  EXPECT_FALSE(Has(Text(), "short")) << Text();
}

// A threshold of 0 leaves out no wait, but there may still be sums of earlier ones.
TEST_F(ViewTop, FollowsTheThreshold) {
  AddShortCalls(&files_);
  files_.Append(DUMP_INFO, "change=106.0000000000,106.1000000000,set,threshold=0\n");
  Reopen();
  struct view_top view = At(108, 4);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_TRUE(Has(Text(), "\nlock waits below the threshold are in short: sums of 5.00 s up to "))
      << Text();
  window_free(&window_);
  page_.out.len = 0;
  ASSERT_TRUE(live_advance(&live_, 200 * kSecond, false));
  ASSERT_TRUE(window_read(&window_, &live_, live_.num_seconds - 1, 10));
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_FALSE(Has(Text(), "\nlock waits ")) << Text();
  page_.out.len = 0;
  window_free(&window_);
  ASSERT_TRUE(window_read(&window_, &live_, 3, 10));
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_TRUE(Has(Text(), "\nlock waits below the threshold are not shown: no sums of this time\n"))
      << Text();
}

// Then there is no column for sums of waits.
TEST_F(ViewTop, DoesNotNameSumsOfOtherCalls) {
  files_.Replace(DUMP_INFO, "engine=weave", "engine=weave,threshold=10ms");
  files_.Append(DUMP_COUNTS, "105.0000000000,ExecutorSubmit,000000A1,7,0,0,0\n");
  Reopen();
  struct view_top view = At(108, 10);
  ASSERT_TRUE(view_top_head(&page_, &view));
  EXPECT_TRUE(Has(Text(), "\nlock waits shorter than 10ms are not shown: no sums of this time\n"))
      << Text();
}

TEST_F(ViewTop, MarksSumsThatMayBeMore) {
  AddShortCalls(&files_);
  files_.Append(DUMP_COUNTS,
                "109.5000000004,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
  Reopen();
  struct view_top view = At(110, 10);
  view_top_locks(&page_, &view);
  std::string text = Text();
  EXPECT_TRUE(Has(text, "  1  ≥ 1,000  ≥ 4.00 s  ≥ 9.00 ms  com.acme.Inventory@000000A1 ")) << text;
  EXPECT_TRUE(Has(text, "  1      ≥ 0                       monitor in ")) << text;
  EXPECT_TRUE(
      Has(text, "  0       30   60.0 ms    3.00 ms  several objects, not told apart (monitor)\n"))
      << text;
  page_.out.len = 0;
  view_top_lock(&page_, &view, window_.locks[0].lock);
  EXPECT_TRUE(Has(Text(),
                  "\nWaits shorter than 10ms, in the 9.50 s up to 11:37:45\n"
                  "  short     total    longest  at\n"
                  "≥ 1,000  ≥ 4.00 s  ≥ 9.00 ms  Inventory.reserve (Inventory.java:42)\n"))
      << Text();
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
