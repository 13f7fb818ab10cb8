#include "tests/tools/orca/export/exported.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

TEST(Collapsed, WritesCpuTime) {
  EXPECT_EQ(Exported().ExportAs("collapsed"),
            "(no Java frames) 10000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price 300000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;com.acme.OrderService.price "
            "390000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;java.util.HashMap.get "
            "300000000\n");
}

TEST(Collapsed, MergesThreadsAndLines) {
  EXPECT_EQ(Exported().ExportAs("collapsed", PROFILE_WALL),
            "com.acme.OrderService.run;com.acme.Inventory.reserve 6000000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price 2000000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;com.acme.OrderService.price "
            "6000000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;java.util.HashMap.get "
            "1000000000\n"
            "sun.nio.ch.EPoll.wait 8000000000\n");
}

TEST(Collapsed, WritesBlockedAndWaitingTime) {
  Exported e;
  EXPECT_EQ(e.ExportAs("collapsed", PROFILE_BLOCKED),
            "com.acme.OrderService.price;java.util.concurrent.Semaphore.acquire 750000000\n"
            "com.acme.OrderService.run;com.acme.Inventory.reserve 2750000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price 1625000000\n");
  EXPECT_EQ(e.ExportAs("collapsed", PROFILE_WAITS),
            "com.acme.Inventory.reserve;java.lang.Thread.sleep 500000000\n"
            "com.acme.OrderService.run;java.lang.Object.wait 1500000000\n"
            "com.acme.OrderService.run;java.lang.Thread.join 3000000000\n");
}

TEST(Collapsed, MergesStacksThatDifferOnlyInLines) {
  Exported e;
  e.files().Append(DUMP_EVENTS,
                   "109.1000000000,ThreadSleep,00000001,1;00000010;00000000\n"
                   "109.2000000000,ThreadSlept,00000001,1;00000010;00000000\n"
                   "109.3000000000,ThreadSleep,00000001,1;00000010;00000010\n"
                   "109.5000000000,ThreadSlept,00000001,1;00000010;00000010\n");
  EXPECT_EQ(e.ExportAs("collapsed", PROFILE_WAITS).find("com.acme.OrderService.price 300000000\n"),
            e.ExportAs("collapsed", PROFILE_WAITS).find("com.acme.OrderService.price"));
}

TEST(Collapsed, SeparatesThreads) {
  EXPECT_EQ(Exported().ExportAs("collapsed", PROFILE_BLOCKED, true),
            "worker-1;com.acme.OrderService.run;com.acme.Inventory.reserve 2750000000\n"
            "worker-2;com.acme.OrderService.price;java.util.concurrent.Semaphore.acquire "
            "750000000\n"
            "worker-2;com.acme.OrderService.run;com.acme.OrderService.price 1625000000\n");
}

TEST(Collapsed, EscapesSeparatorsInNames) {
  Exported e;
  e.NameWorker("a;b\\u002Cc\\u000Ad \\uD800");
  std::string text = e.ExportAs("collapsed", PROFILE_CPU, true);
  EXPECT_EQ(text.find("a:b,c\\u000Ad \xEF\xBF\xBD;com.acme.OrderService.run;"), 0u) << text;
}

TEST(Collapsed, AnEmptyDumpIsAnEmptyFile) {
  Exported e;
  e.Empty();
  EXPECT_EQ(e.ExportAs("collapsed"), "");
}

TEST(Collapsed, UsesCpuLines) {
  Exported e;
  AddCpuLines(&e.files());
  EXPECT_EQ(e.ExportAs("collapsed"),
            "(not sampled) 7000000\n"
            "com.acme.OrderService.run;com.acme.Inventory.reserve 60000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price 120000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;(native) 110000000\n"
            "com.acme.OrderService.run;com.acme.OrderService.price;java.util.HashMap.get "
            "330000000\n");
}

TEST(Collapsed, CutStacksShareARoot) {
  Exported e;
  e.files().Replace(DUMP_INFO, "options=out,", "options=out,depth=2,");
  e.files().Append(
      DUMP_SAMPLES,
      "105.0000000000,Stack,6,3;00000013;00000000;00000010;00000000;00000000;00000000\n"
      "105.0000000000,Stack,7,3;00000012;00000000;00000011;00000000;00000000;00000000\n"
      "105.0000000000,Sample,00000001,Runnable,10,6\n"
      "105.0000000000,Sample,00000003,Runnable,20,7\n");
  std::string text = e.ExportAs("collapsed");
  EXPECT_NE(text.find("(deeper than 2);com.acme.OrderService.price;java.util.HashMap.get 10\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(deeper than 2);com.acme.OrderService.run;com.acme.Inventory.reserve 20\n"),
            std::string::npos)
      << text;
}

}  // namespace
