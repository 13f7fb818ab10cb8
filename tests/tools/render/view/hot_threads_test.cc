#include "tests/tools/render/view/shown.h"

namespace {

std::string Threads(enum profile_value value, size_t top = 10) {
  SmallModel small;
  const struct model *m = small.Read();
  return OnPage([&](struct page *p) { view_hot_threads(p, m, value, top); });
}

TEST(ViewHotThreads, TimeAndWhatTheyAreMostIn) {
  EXPECT_EQ(Threads(PROFILE_CPU),
            "\n"
            "Threads by CPU time, 1.00 s in all\n"
            " time           thread    hash      most in\n"
            " 99 %   990 ms  worker-1  00000002  OrderService.price   690 ms\n"
            "1.0 %  10.0 ms  poller    00000004                      10.0 ms\n");
}

TEST(ViewHotThreads, OtherTimes) {
  std::string text = Threads(PROFILE_WAITS, 1);
  EXPECT_TRUE(Has(text, "\n90 %  4.50 s  main    00000001  Thread.join  3.00 s\n    and 1 more\n"))
      << text;
}

}  // namespace
