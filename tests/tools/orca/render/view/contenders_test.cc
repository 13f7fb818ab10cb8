#include "tests/tools/orca/render/view/shown.h"
#include "tools/orca/render/view/locks.h"

namespace {

bool TakeStep(void *to, const struct step *step) {
  return contention_take(static_cast<struct contention *>(to), step);
}

// The locks in detail, and the pairs of blocked thread and owner.
std::string ShowLocks(struct model *m, bool by_class, bool stacks, enum format format) {
  struct locks merged = {};
  struct contention contention = {};
  EXPECT_TRUE(locks_by_class(&m->locks, m->dump, &merged));
  const struct locks *locks = by_class ? &merged : &m->locks;
  EXPECT_TRUE(contention_start(&contention, m, locks) &&
              replay(m, REPLAY_LINES, TakeStep, &contention) && contention_end(&contention));
  struct view_locks v = {m, locks, &contention, nullptr, true, stacks, false};
  std::string text = ShowPage(
      [&](struct page *p) {
        view_locks_of(p, &v, 10);
        view_contenders(p, &v, 10);
      },
      format);
  contention_free(&contention);
  locks_free(&merged);
  return text;
}

TEST(ViewContenders, ShowsPairsOfBlockedThreadAndOwner) {
  SmallModel small;
  std::string text = ShowLocks(small.Read(), false, false, FORMAT_TEXT);
  EXPECT_TRUE(Has(text,
                  "\nWho was blocked by whom, where that is known (times: each wait once, for the "
                  "holder of its longest part)\n"
                  "blocked   by        times   total  longest  most on\n"
                  "worker-1  worker-2      2  2.50 s   2.00 s  com.acme.Inventory@000000A1\n"
                  "worker-2  worker-1      2  1.62 s   1.50 s  monitor in OrderService.price:88 "
                  "(Object@000000A2)\n"))
      << text;
}

TEST(ViewContenders, ShowsTheHoldersLocation) {
  SmallModel small;
  std::string text = ShowLocks(small.Read(), false, true, FORMAT_TEXT);
  EXPECT_TRUE(
      Has(text,
          "    held by: worker-1\n"
          "    while others waited, its holder was at Inventory.reserve (Inventory.java:42)\n"
          "      Inventory.reserve (Inventory.java:42)\n"
          "      OrderService.run (OrderService.java:20)\n"))
      << text;
}

TEST(ViewContenders, GroupsByClass) {
  SmallModel small;
  small.files.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  std::string text = ShowLocks(small.Read(), true, false, FORMAT_TEXT);
  EXPECT_TRUE(Has(text, "\ncom.acme.Inventory (2 objects)\n  monitor ")) << text;
  EXPECT_TRUE(Has(text, "worker-2  worker-1      2  1.62 s   1.50 s  com.acme.Inventory\n"))
      << text;
}

// worker-2 gets the semaphore 50 ms after its release, after 750 ms.
TEST(ViewContenders, ShowsTheHandoffOfLocks) {
  SmallModel small;
  std::string text = ShowLocks(small.Read(), false, false, FORMAT_TEXT);
  EXPECT_TRUE(
      Has(text, "    hand-off: 50.0 ms (6.7 %) of the blocked time: a permit was free, but "))
      << text;
}

TEST(ViewContenders, JsonHasTheSameFacts) {
  SmallModel small;
  std::string text = ShowLocks(small.Read(), false, false, FORMAT_JSON);
  EXPECT_TRUE(Has(text,
                  "\"blocked\":\"worker-1\",\"holder\":\"worker-2\",\"times\":2,"
                  "\"total_ns\":2500000000,\"longest_ns\":2000000000"))
      << text;
  EXPECT_TRUE(Has(text,
                  "\"holder_place\":\"Inventory.reserve (Inventory.java:42)\","
                  "\"holder_stack\":\"Inventory.reserve (Inventory.java:42); "
                  "OrderService.run (OrderService.java:20)\","
                  "\"handoff_ns\":0,\"held_by_others_ns\":1500000000"))
      << text;
}

}  // namespace
