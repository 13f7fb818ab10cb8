#include <algorithm>

#include "tests/support/text.h"
#include "tests/tools/orca/budget/measure/measured.h"

namespace {

std::string FirstLine(const struct figure &figure) {
  std::string text = figure.text;
  return text.substr(0, text.find('\n'));
}

std::string Hex(int number) {
  char text[9];
  snprintf(text, sizeof text, "%08X", number);
  return text;
}

class MeasureProblems : public Measured {};

// worker-1 waits for A1 of worker-2, and worker-2 for A2 of worker-1.
TEST_F(MeasureProblems, DescribesADeadlock) {
  Measure();
  const struct figure &deadlock = Only(BUDGET_DEADLOCK);
  EXPECT_TRUE(Has(deadlock.key, "com.acme.Inventory at com.acme.Inventory.reserve"))
      << deadlock.key;
  EXPECT_TRUE(Has(deadlock.key, "java.lang.Object at com.acme.OrderService.price")) << deadlock.key;
  const std::string line = FirstLine(deadlock), text = deadlock.text;
  EXPECT_TRUE(Has(line, "worker-1 blocks on com.acme.Inventory@000000A1 at Inventory.reserve"))
      << line;
  EXPECT_TRUE(Has(line, ", held by worker-2")) << line;
  EXPECT_TRUE(Has(line, "worker-2 blocks on ")) << line;
  EXPECT_TRUE(Has(text,
                  "\na thread waits at\n  Inventory.reserve (Inventory.java:42)\n  "
                  "OrderService.run (OrderService.java:20)"))
      << text;
  EXPECT_STREQ(deadlock.path, "com/acme/Inventory.java");
  EXPECT_EQ(deadlock.source_line, 42u);
}

// The threads are in the opposite order, and the other one waits first.
TEST_F(MeasureProblems, ADeadlockHasTheSameKeyInEachRun) {
  Measure();
  const std::string key = Only(BUDGET_DEADLOCK).key;
  EXPECT_EQ(key,
            "com.acme.Inventory at com.acme.Inventory.reserve > java.lang.Object at "
            "com.acme.OrderService.price");
  figures_free(&figures_);
  small_.files.Write(
      DUMP_EVENTS,
      "100.1000000000,ThreadStarted,00000002,worker-1\n"
      "100.1000000000,ThreadStarted,00000003,worker-2\n"
      "108.0000000000,MonitorContendedEnter,00000002,000000A2,00000003,1;00000010;00000000\n"
      "108.5000000000,MonitorContendedEnter,00000003,000000A1,00000002,1;00000012;00000000\n");
  Measure();
  EXPECT_EQ(Only(BUDGET_DEADLOCK).key, key);
}

// worker-1 holds A2, worker-2 A4 and poller A5. Two of them wait in the same method. Which thread
// waits first is chance.
TEST_F(MeasureProblems, ADeadlockOfThreeHasTheSameKeyInEachRun) {
  small_.files.Append(DUMP_OBJECTS,
                      "100.0000000000,000000A4,000000C1\n"
                      "100.0000000000,000000A5,000000C1\n");
  const std::string reserve = "java.lang.Object at com.acme.Inventory.reserve",
                    price = "java.lang.Object at com.acme.OrderService.price";
  const std::vector<std::string> waits = {
      "00000002,000000A4,00000003", "00000003,000000A5,00000004", "00000004,000000A2,00000002"};
  for (bool reserves : {false, true}) {
    const std::string twice = reserves ? "12" : "10", once = reserves ? "10" : "12";
    std::vector<size_t> turns = {0, 1, 2};
    do {
      std::string events;
      for (size_t i = 0; i < turns.size(); i++) {
        events += "10" + std::to_string(i) + ".0000000000,MonitorContendedEnter," +
                  waits[turns[i]] + ",1;000000" + (turns[i] == 2 ? once : twice) + ";00000000\n";
      }
      small_.files.Write(DUMP_EVENTS, events);
      figures_free(&figures_);
      Measure();
      EXPECT_EQ(Only(BUDGET_DEADLOCK).key,
                reserve + " > " + (reserves ? reserve : price) + " > " + price);
    } while (std::next_permutation(turns.begin(), turns.end()));
  }
}

TEST_F(MeasureProblems, AProgramThatEndsHasNoDeadlock) {
  small_.files.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n");
  Measure();
  EXPECT_TRUE(Keys(BUDGET_DEADLOCK).empty());
  EXPECT_TRUE(Keys(BUDGET_ORDER).empty());
  EXPECT_TRUE(Keys(BUDGET_VALUE).empty());
  EXPECT_TRUE(Keys(BUDGET_UNHEARD).empty());
}

TEST_F(MeasureProblems, DescribesOppositeOrders) {
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadStarted,00000002,worker-1\n"
                     "100.0000000000,ThreadStarted,00000003,worker-2\n"
                     "101.0000000000,MonitorEntered,00000002,000000A1,1;00000012;00000000\n"
                     "101.1000000000,MonitorEntered,00000002,000000A2,1;00000010;00000000\n"
                     "101.2000000000,MonitorExit,00000002,000000A2,1;00000010;00000000\n"
                     "101.3000000000,MonitorExit,00000002,000000A1,1;00000012;00000000\n"
                     "102.0000000000,MonitorEntered,00000003,000000A2,1;00000010;00000000\n"
                     "102.1000000000,MonitorEntered,00000003,000000A1,1;00000012;00000000\n"
                     "102.2000000000,MonitorExit,00000003,000000A1,1;00000012;00000000\n"
                     "102.3000000000,MonitorExit,00000003,000000A2,1;00000010;00000000\n");
  Measure();
  const struct figure &order = Only(BUDGET_ORDER);
  EXPECT_STREQ(order.key,
               "com.acme.Inventory at com.acme.Inventory.reserve > java.lang.Object at "
               "com.acme.OrderService.price");
  const std::string text = order.text;
  EXPECT_TRUE(Has(text, "worker-1 asks for the monitor in OrderService.price:88 (Object@000000A2)"))
      << text;
  EXPECT_TRUE(
      Has(text, "while it holds com.acme.Inventory@000000A1, acquired at Inventory.reserve"))
      << text;
  EXPECT_TRUE(Has(text, "\na thread asks for its second lock at\n  OrderService.price")) << text;
}

// worker-1 asks for A2 in price and in run, and poller in reserve. Which one comes first is chance.
TEST_F(MeasureProblems, FindsEachMethodThatTakesPartInOppositeOrders) {
  std::string events;
  int time = 100;
  auto nest = [&](const std::string &thread, const std::string &outer, const std::string &outer_at,
                  const std::string &inner, const std::string &inner_at) {
    auto add = [&](const std::string &kind, const std::string &object, const std::string &at) {
      events += std::to_string(++time) + ".0000000000," + kind + "," + thread + ",000000" + object +
                ",1;000000" + at + ";00000000\n";
    };
    add("MonitorEntered", outer, outer_at), add("MonitorEntered", inner, inner_at);
    add("MonitorExit", inner, inner_at), add("MonitorExit", outer, outer_at);
  };
  const std::string a1 = "com.acme.Inventory at com.acme.Inventory.reserve",
                    a2 = "java.lang.Object at com.acme.";
  for (bool swapped : {false, true}) {
    events.clear(), figures_free(&figures_);
    nest("00000002", "A1", "12", "A2", swapped ? "11" : "10");
    nest("00000002", "A1", "12", "A2", swapped ? "10" : "11");
    nest("00000004", "A1", "12", "A2", "12");
    nest("00000003", "A2", "10", "A1", "12");
    small_.files.Write(DUMP_EVENTS, events);
    Measure();
    std::vector<std::string> keys = Keys(BUDGET_ORDER);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(keys,
              Keyed({a1 + " > " + a2 + "Inventory.reserve", a1 + " > " + a2 + "OrderService.price",
                     a1 + " > " + a2 + "OrderService.run"}));
  }
}

// Two locks, and 32 methods on each side, are 1,024 inversions.
TEST_F(MeasureProblems, SaysThatItLacksInversions) {
  SetOptions("monitors=all,locks=all,filter=com.acme.*");
  std::string events;
  int time = 100;
  for (int method = 0x20; method < 0x60; method++) {
    const bool is_first = method < 0x40;
    const std::string outer = is_first ? "A1" : "A2", inner = is_first ? "A2" : "A1",
                      thread = is_first ? "00000002" : "00000003", id = Hex(method);
    small_.files.Append(DUMP_METHODS, "100.0000000000," + id + ",m" + id + ",()V,000000C4,-1\n");
    for (const auto &[kind, object] : {std::pair("MonitorEntered", outer),
                                       {"MonitorEntered", inner},
                                       {"MonitorExit", inner},
                                       {"MonitorExit", outer}}) {
      events += std::to_string(++time) + ".0000000000," + kind + "," + thread + ",000000" + object +
                ",1;" + id + ";00000000\n";
    }
  }
  small_.files.Write(DUMP_EVENTS, events);
  Measure();
  EXPECT_EQ(Keys(BUDGET_ORDER).size(), 1000u);
  EXPECT_STREQ(figures_.unproven[BUDGET_ORDER], figures_lack_orders);
}

TEST_F(MeasureProblems, FindsStringsAndBoxedValues) {
  small_.files.Append(DUMP_CLASSES,
                      "100.0000000000,000000D1,Ljava/lang/String;,String.java\n"
                      "100.0000000000,000000D2,Ljava/lang/Integer;,Integer.java\n");
  small_.files.Append(DUMP_OBJECTS,
                      "100.0000000000,000000B1,000000D1\n"
                      "100.0000000000,000000B2,000000D2\n");
  small_.files.Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "101.0000000000,MonitorEntered,00000002,000000B1,1;00000012;00000000\n"
      "101.1000000000,MonitorExit,00000002,000000B1,1;00000012;00000000\n"
      "102.0000000000,MonitorContendedEnter,00000002,000000B2,00000000,"
      "1;00000010;00000000\n"
      "102.1000000000,MonitorContendedEntered,00000002,000000B2,1;00000010;00000000\n");
  Measure();
  std::vector<std::string> keys = Keys(BUDGET_VALUE);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(keys, Keyed({"java.lang.Integer at com.acme.OrderService.price",
                         "java.lang.String at com.acme.Inventory.reserve"}));
}

// Which of the two methods waits longer is chance.
TEST_F(MeasureProblems, FindsEachMethodThatUsesAValueAsALock) {
  small_.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Ljava/lang/String;,String.java\n");
  small_.files.Append(DUMP_OBJECTS, "100.0000000000,000000B1,000000D1\n");
  small_.files.Write(
      DUMP_EVENTS,
      "101.0000000000,MonitorEntered,00000002,000000B1,1;00000012;00000000\n"
      "101.1000000000,MonitorExit,00000002,000000B1,1;00000012;00000000\n"
      "102.0000000000,MonitorContendedEnter,00000002,000000B1,00000000,"
      "1;00000010;00000000\n"
      "102.1000000000,MonitorContendedEntered,00000002,000000B1,1;00000010;00000000\n");
  Measure();
  std::vector<std::string> keys = Keys(BUDGET_VALUE);
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(keys, Keyed({"java.lang.String at com.acme.Inventory.reserve",
                         "java.lang.String at com.acme.OrderService.price"}));
}

// A2 is notified twice while nobody waits, A1 once.
TEST_F(MeasureProblems, CountsSignalsThatNobodyHears) {
  small_.files.Write(DUMP_EVENTS,
                     "101.0000000000,ObjectNotifyAll,00000002,000000A2,1;00000002;FFFFFFFF\n"
                     "102.0000000000,ObjectNotifyAll,00000002,000000A2,1;00000002;FFFFFFFF\n"
                     "103.0000000000,ObjectNotifyAll,00000002,000000A1,1;00000002;FFFFFFFF\n");
  Measure();
  EXPECT_EQ(Only(BUDGET_UNHEARD).number, 3u);
  EXPECT_STREQ(Only(BUDGET_UNHEARD).text,
               "Nobody waited on java.lang.Object@000000A2 at 2 signals");
}

}  // namespace
