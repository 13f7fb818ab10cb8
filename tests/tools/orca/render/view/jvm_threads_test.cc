#include "tests/tools/orca/render/view/shown.h"

namespace {

// The small dump with two threads of the JVM; `more` are further lines of .orca.
void AddJvmThreads(SmallModel *small, const std::string &more = "") {
  small->files.Replace(DUMP_EVENTS, "100.1000000000,",
                       "100.0000000001,ThreadStarted,00000011,Reference Handler\n"
                       "100.0000000002,ThreadStarted,00000012,Finalizer\n" +
                           more + "100.1000000000,");
}

TEST(JvmThreads, FoldThreadsThatDidNothingOfNote) {
  SmallModel small;
  AddJvmThreads(&small);
  const struct model *m = small.Read();
  EXPECT_TRUE(view_folds_thread(m, 0x11));
  EXPECT_TRUE(view_folds_thread(m, 0x12));
  EXPECT_FALSE(view_folds_thread(m, 2));     // worker-1
  EXPECT_FALSE(view_folds_thread(m, 0x99));  // unknown
  std::string text = ShowView(m, view_threads);
  EXPECT_TRUE(Has(text, "\n2 of the JVM ")) << text;
  EXPECT_FALSE(Has(text, "Finalizer")) << text;
  std::string json = ShowView(m, view_threads, 10, FORMAT_JSON);
  EXPECT_TRUE(Has(json, "\"thread\":\"Finalizer\"")) << json;
  EXPECT_FALSE(Has(json, "of the JVM")) << json;
}

TEST(JvmThreads, AThreadThatWorksHasItsRow) {
  SmallModel small;
  AddJvmThreads(&small);
  small.files.Append(DUMP_SAMPLES, "106.0000000000,Sample,00000012,Runnable,900000000,1\n");
  const struct model *m = small.Read();
  EXPECT_TRUE(view_folds_thread(m, 0x11));
  EXPECT_FALSE(view_folds_thread(m, 0x12));
}

TEST(JvmThreads, AThreadThatWasBlockedHasItsRow) {
  SmallModel small;
  AddJvmThreads(&small,
                "100.0000000003,MonitorContendedEnter,00000012,000000A2,00000000,0\n"
                "100.0000000004,MonitorContendedEntered,00000012,000000A2,0\n");
  EXPECT_FALSE(view_folds_thread(small.Read(), 0x12));
}

TEST(JvmThreads, AFilterForThreadsShowsThem) {
  SmallModel small;
  AddJvmThreads(&small);
  struct filter filter = MakeFilter();
  filter.threads = {{"Finalizer"}, 1};
  EXPECT_FALSE(view_folds_thread(small.Read(&filter), 0x12));
}

}  // namespace
