#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Threads(enum profile_value value, size_t top = 10) {
  SmallModel small;
  const struct model *m = small.Read();
  return ShowPage([&](struct page *p) { view_hot_threads(p, m, value, top); });
}

TEST(ViewHotThreads, ShowsTheTimeAndTheHottestMethod) {
  EXPECT_EQ(Threads(PROFILE_CPU),
            "\n"
            "Threads by CPU time, 1.00 s in all\n"
            " time           thread    hash      most in\n"
            " 99 %   990 ms  worker-1  00000002  OrderService.price   690 ms\n"
            "1.0 %  10.0 ms  poller    00000004                      10.0 ms\n");
}

TEST(ViewHotThreads, RanksByOtherValues) {
  std::string text = Threads(PROFILE_WAITS, 1);
  EXPECT_TRUE(Has(text, "\n90 %  4.50 s  main    00000001  Thread.join  3.00 s\n    and 1 more\n"))
      << text;
}

TEST(ViewHotThreads, UsesCpuLines) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,10000000,1,Vm", 200);
  const struct model *m = small.Read();
  EXPECT_EQ(ShowPage([&](struct page *p) { view_hot_threads(p, m, PROFILE_CPU, 10); }),
            "\n"
            "Threads by CPU time, 2.63 s in all\n"
            " time           thread    hash      most in\n"
            " 93 %   2.44 s  main      00000001  OrderService.price   2.13 s\n"
            "4.6 %   120 ms  worker-2  00000003  OrderService.price  60.0 ms\n"
            "2.3 %  60.0 ms  worker-1  00000002  OrderService.price  60.0 ms\n"
            "0.3 %  7.00 ms  poller    00000004  (not sampled)       7.00 ms\n");
}

}  // namespace
