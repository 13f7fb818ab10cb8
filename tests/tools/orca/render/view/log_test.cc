#include "tools/orca/render/view/log.h"

#include "tests/tools/orca/render/view/shown.h"

namespace {

struct Written {
  struct story *story;
  struct log_style style;
  std::string text;
};

bool TakeLine(void *to, const struct story_event *e) {
  Written *w = static_cast<Written *>(to);
  struct builder b = {};
  log_event_text(&b, w->story, e, &w->style);
  w->text += TakeText(&b);
  return true;
}

bool TakeRow(void *to, const struct story_event *e) {
  Written *w = static_cast<Written *>(to);
  struct table *t = table_new(log_columns, log_num_columns - !w->style.stacks);
  log_event_row(t, w->story, e, &w->style);
  struct builder b = {};
  table_csv_rows(&b, t);
  w->text += TakeText(&b);
  table_free(t);
  return true;
}

std::string Log(SmallModel *small, struct log_style style, bool rows = false) {
  struct story story;
  Written w = {&story, style, ""};
  if (small->dump == nullptr) small->Read();
  story_start(&story, small->dump, nullptr);
  EXPECT_TRUE(story_tell(&story, rows ? TakeRow : TakeLine, &w));
  story_free(&story);
  return w.text;
}

constexpr struct log_style kSinceStart = {100 * kSecond, false, false, false};

TEST(Log, WritesLines) {
  SmallModel small;
  std::string text = Log(&small, kSinceStart);
  for (const char *line :
       {"0.100000000   worker-1          ThreadStarted             new → running\n",
        "1.000000000   worker-1          MonitorContendedEnter     com.acme.Inventory@000000A1, "
        "held "
        "by worker-2, running → blocked\n",
        "1.500000000   worker-1          MonitorContendedEntered   com.acme.Inventory@000000A1, "
        "took "
        "500 ms, blocked → running\n",
        "5.000000000   worker-1          ObjectNotifyAll           java.lang.Object@000000A2\n",
        "5.500000000   main              ObjectWaited              java.lang.Object@000000A2, took "
        "1.50 s, woken by worker-1, waiting → running\n",
        "6.000000000   worker-1          ThreadSleep               running → sleeping\n",
        "7.000000000   main              ThreadJoin                worker-1, running → waiting\n",
        "9.000000000   poller            ThreadEnded               running → ended\n"}) {
    EXPECT_TRUE(Has(text, line)) << line << "in\n" << text;
  }
}

TEST(Log, WritesTimestampsAndStacks) {
  SmallModel small;
  std::string text = Log(&small, {100 * kSecond, true, true, false});
  EXPECT_TRUE(Has(text,
                  "101.0000000000      worker-1          MonitorContendedEnter     "
                  "com.acme.Inventory@000000A1, held by worker-2, running → blocked\n"
                  "        at Inventory.reserve (Inventory.java:42)\n"
                  "        at OrderService.run (OrderService.java:20)\n"))
      << text;
}

TEST(Log, WritesTrackedMethods) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.5000000000,MethodEntry,00000002,1;00000010;00000000\n"
                    "101.5000000000,MethodExit,00000002,000000C6,700,1;00000010;00000000\n");
  std::string text = Log(&small, kSinceStart);
  EXPECT_TRUE(Has(text, "MethodEntry               OrderService.price\n")) << text;
  EXPECT_TRUE(Has(text,
                  "MethodExit                OrderService.price, took 1.00 s, CPU 700 ns, threw "
                  "java.util.HashMap\n"))
      << text;
}

TEST(Log, CutsLongNamesAndSignsTimesBeforeTheStart) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, "99.5000000000,ThreadStarted,00000009,a name of twenty-six\n");
  EXPECT_EQ(Log(&small, kSinceStart),
            "-0.500000000  a na… twenty-six  ThreadStarted             new → running\n");
  EXPECT_EQ(Log(&small, {100 * kSecond, false, false, true}),
            "-0.500000000  a name of twenty-six  ThreadStarted             new → running\n");
}

// Thread.start comes before the line that names the new thread.
TEST(Log, NamesThreadsBeforeTheyStart) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "100.0000000000,ThreadStart,00000001,00000002,0\n"
                    "100.1000000000,ThreadStarted,00000002,worker-1\n"
                    "100.2000000000,ThreadStarted,00000001,main\n"
                    "100.3000000000,ThreadStart,00000001,00000009,0\n");
  std::string text = Log(&small, kSinceStart);
  EXPECT_TRUE(Has(text, "0.000000000   main              ThreadStart               worker-1\n"))
      << text;
  EXPECT_TRUE(Has(text, "ThreadStart               thread 00000009\n")) << text;
}

TEST(Log, WritesRows) {
  SmallModel small;
  std::string text = Log(&small, kSinceStart, true);
  for (const char *row :
       {"1500000000,101.5000000000,worker-1,00000002,MonitorContendedEntered,"
        "com.acme.Inventory@000000A1,000000A1,500000000,,,blocked,running,,,,,,\n",
        "5500000000,105.5000000000,main,00000001,ObjectWaited,java.lang.Object@000000A2,000000A2,"
        "1500000000,,worker-1,waiting,running,,,,,ObjectNotifyAll,105.0000000000\n",
        "7000000000,107.0000000000,main,00000001,ThreadJoin,worker-1,00000002,,,,running,waiting,,,"
        ",,,\n"}) {
    EXPECT_TRUE(Has(text, row)) << row << "in\n" << text;
  }
  EXPECT_TRUE(Has(Log(&small, {100 * kSecond, false, true, false}, true),
                  ",running,sleeping,,,,,,,Thread.sleep (Thread.java); Inventory.reserve "
                  "(Inventory.java:42)\n"));
}

}  // namespace
