#include "tools/orca/render/view/graph.h"

#include "tests/tools/orca/render/view/shown.h"

namespace {

bool TakeStep(void *to, const struct step *step) {
  return wait_graph_take(static_cast<struct wait_graph *>(to), step);
}

std::string ShowGraph(struct model *m, void (*put)(struct page *p, const struct wait_graph *g)) {
  struct wait_graph graph;
  wait_graph_start(&graph, m, WAIT_AT_THE_END);
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &graph) && wait_graph_end(&graph));
  std::string text = ShowPage([&](struct page *p) { put(p, &graph); });
  wait_graph_free(&graph);
  return text;
}

std::string Deadlocks(struct model *m, enum format format = FORMAT_TEXT) {
  return ShowPage([&](struct page *p) { view_deadlocks(p, m); }, format);
}

TEST(ViewGraph, ShowsDeadlocksWithBothStacks) {
  SmallModel small;
  EXPECT_EQ(Deadlocks(small.Read()),
            "\n"
            "Deadlocks (times: since the start of the recording)\n"
            "   thread    waits for                                            since  held by   "
            "which got it\n"
            "1  worker-1  com.acme.Inventory@000000A1                         8.00 s  worker-2     "
            "        -\n"
            "    waits at\n"
            "      Inventory.reserve (Inventory.java:42)\n"
            "      OrderService.run (OrderService.java:20)\n"
            "    its owner acquired it at (not known)\n"
            "1  worker-2  monitor in OrderService.price:88 (Object@000000A2)  8.50 s  worker-1     "
            "        -\n"
            "    waits at\n"
            "      OrderService.price (OrderService.java:88)\n"
            "      OrderService.run (OrderService.java:20)\n"
            "    its owner acquired it at (not known)\n");
}

// A MonitorHeld has the current line of the frame that acquired the monitor.
TEST(ViewGraph, DoesNotClaimTheLineAtWhichAMonitorWasAcquired) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.9000000000,MonitorHeld,00000003,000000A1,1;00000011;00000000\n");
  std::string text = Deadlocks(small.Read());
  EXPECT_TRUE(Has(text,
                  "    its owner acquired it in the first of these methods; later it was at\n"
                  "      OrderService.run (OrderService.java:20)\n"))
      << text;
}

TEST(ViewGraph, SaysThatThereIsNoDeadlock) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000003,0\n"
                    "102.0000000000,MonitorContendedEntered,00000002,000000A1,0\n"
                    "103.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,0\n");
  EXPECT_EQ(Deadlocks(small.Read()),
            "\nNo deadlock, as far as the owners of the locks are known.\n");
}

TEST(ViewGraph, ShowsLockOrderInversions) {
  SmallModel small;
  small.files.Write(DUMP_EVENTS, kInversion);
  struct model *m = small.Read();
  EXPECT_EQ(
      ShowPage([&](struct page *p) { view_orders(p, m, 10); }),
      "\n"
      "Locks taken in an order that can deadlock\n"
      "   thread    has                                                 and asks for          "
      "                              times   first\n"
      "1  worker-1  com.acme.Inventory@000000A1                         monitor in "
      "OrderService.price:88 (Object@000000A2)      1  1.00 s\n"
      "    acquired the first at\n"
      "      Inventory.reserve (Inventory.java:42)\n"
      "    asks for the other at\n"
      "      OrderService.price (OrderService.java:88)\n"
      "1  worker-2  monitor in OrderService.price:88 (Object@000000A2)  "
      "com.acme.Inventory@000000A1                             1  1.01 s\n"
      "    acquired the first at\n"
      "      OrderService.price (OrderService.java:88)\n"
      "    asks for the other at\n"
      "      Inventory.reserve (Inventory.java:42)\n");
}

TEST(ViewGraph, ShowsTheWaitersOfAMoment) {
  SmallModel small;
  EXPECT_EQ(ShowGraph(small.Read(),
                      [](struct page *p, const struct wait_graph *g) {
                        view_moment(p, g, "Waiting", 2);
                        view_chain(p, g);
                        view_broken_rings(p, g, 10);
                      }),
            "\n"
            "Waiting\n"
            "thread    waits for                     since  held by   which got it\n"
            "main      the end of worker-1          7.00 s  worker-1             -\n"
            "    at OrderService.run (OrderService.java:20)\n"
            "worker-1  com.acme.Inventory@000000A1  8.00 s  worker-2             -\n"
            "    at Inventory.reserve (Inventory.java:42)\n"
            "    and 1 more\n");
}

TEST(ViewGraph, ShowsTheLimitsOfTheRecording) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_graph_limits);
  EXPECT_TRUE(Has(text, "monitors=all")) << text;
  EXPECT_TRUE(Has(text, "locks=all")) << text;
  SmallModel all;
  all.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,locks=all,monitors=all");
  EXPECT_EQ(ShowView(all.Read(), view_graph_limits), "");
}

}  // namespace
