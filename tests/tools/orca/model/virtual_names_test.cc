#include "tools/orca/model/virtual_names.h"

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/names.h"

namespace {

// Four virtual threads: 21 and 22 start at OrderService.price:88, 23 at Inventory.reserve:42, and
// the start of 24 was not recorded. 25 is a thread of the kernel without a name.
class VirtualNames : public testing::Test {
 protected:
  VirtualNames() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000C8,Ljava/lang/VirtualThread;,VirtualThread.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000020,start,()V,000000C8,1;00000000;00000001\n");
    small_.files.Append(DUMP_OBJECTS,
                        "100.0000000000,00000021,000000C8\n"
                        "100.0000000000,00000022,000000C8\n"
                        "100.0000000000,00000023,000000C8\n"
                        "100.0000000000,00000024,000000C8\n"
                        "100.0000000000,00000025,000000C2\n");
    const std::string price = ",2;00000020;00000000;00000010;00000000\n";
    small_.files.Write(DUMP_EVENTS,
                       "100.0000000000,ThreadStarted,00000001,main\n"
                       "101.0000000000,ThreadStart,00000001,00000021" +
                           price + "101.1000000000,ThreadStart,00000001,00000022" + price +
                           "101.2000000000,ThreadStart,00000001,00000023,"
                           "2;00000020;00000000;00000012;00000000\n"
                           "101.3000000000,ThreadStart,00000001,00000025" +
                           price +
                           // they begin in another order
                           "102.0000000000,ThreadStarted,00000024,\n"
                           "102.1000000000,ThreadStarted,00000022,\n"
                           "102.2000000000,ThreadStarted,00000021,\n"
                           "102.3000000000,ThreadStarted,00000023,\n"
                           "102.4000000000,ThreadStarted,00000025,\n"
                           "103.0000000000,ThreadSleep,00000022,1;00000003;FFFFFFFF\n"
                           "104.0000000000,ThreadSlept,00000022,1;00000003;FFFFFFFF\n");
  }
  std::string WriteName(const struct model *m, uint32_t hash) {
    struct builder b = {};
    names_thread(&b, &m->threads, hash);
    return TakeText(&b);
  }

  SmallModel small_;
};

TEST_F(VirtualNames, CountThreadsByPlaceInTheOrderOfTheirStart) {
  const struct model *m = small_.Read();
  EXPECT_EQ(WriteName(m, 0x21), "virtual thread 1 of OrderService.price:88");
  EXPECT_EQ(WriteName(m, 0x22), "virtual thread 2 of OrderService.price:88");
  EXPECT_EQ(WriteName(m, 0x23), "virtual thread 1 of Inventory.reserve:42");
  EXPECT_EQ(WriteName(m, 0x24), "virtual thread 1");
  EXPECT_EQ(WriteName(m, 0x25), "thread 00000025");
  EXPECT_EQ(WriteName(m, 1), "main");
}

TEST_F(VirtualNames, AreThoseOfTheThreadsWhateverTheFilter) {
  struct filter filter = MakeFilter(103 * kSecond);
  filter.threads = {{"virtual thread 2 of *"}, 1};
  const struct model *m = small_.Read(&filter);
  ASSERT_EQ(m->threads.num, 1u);
  EXPECT_EQ(m->threads.rows[0].hash, 0x22u);
  EXPECT_EQ(WriteName(m, 0x22), "virtual thread 2 of OrderService.price:88");
  EXPECT_EQ(WriteName(m, 0x23), "virtual thread 1 of Inventory.reserve:42");
}

// A bound virtual thread is a thread of the kernel, but it has the name of a virtual thread.
TEST_F(VirtualNames, ABoundVirtualThreadHasNoCarrier) {
  small_.files.Append(DUMP_CLASSES,
                      "100.0000000000,000000C9,Ljava/lang/ThreadBuilders$BoundVirtualThread;,\n");
  small_.files.Replace(DUMP_OBJECTS, "00000024,000000C8", "00000024,000000C9");
  const struct model *m = small_.Read();
  EXPECT_EQ(WriteName(m, 0x24), "virtual thread 1");
  EXPECT_FALSE(has_carrier(m->dump, 0x24));
  EXPECT_TRUE(has_carrier(m->dump, 0x21));
  EXPECT_FALSE(has_carrier(m->dump, 0x25));
}

TEST_F(VirtualNames, FiltersTakeTheNamesThatViewsShow) {
  const std::pair<const char *, uint32_t> rows[] = {
      {"virtual thread 1 of OrderService.price:88", 0x21},
      {"virtual thread 1 of Inventory.reserve:42", 0x23},
      {"virtual thread 1", 0x24},
      {"thread 00000025", 0x25},
      {"00000022", 0x22}};
  for (const auto &row : rows) {
    struct filter filter = MakeFilter();
    filter.threads = {{row.first}, 1};
    struct model m = {};
    struct builder why = {};
    struct dump *d = dump_open(small_.files.Prefix().c_str(), &why);
    ASSERT_TRUE(model_read(&m, d, &filter, ALL_ANALYSES));
    // further passes keep the answer
    ASSERT_TRUE(replay(
        &m, REPLAY_LINES, [](void *, const struct step *) { return true; }, nullptr));
    ASSERT_EQ(m.threads.num, 1u) << row.first;
    EXPECT_EQ(m.threads.rows[0].hash, row.second) << row.first;
    for (uint32_t hash = 0x21; hash <= 0x25; hash++) {
      EXPECT_EQ(matcher_thread(&m.matcher, hash), hash == row.second) << row.first;
    }
    model_free(&m);
    dump_close(d);
    builder_free(&why);
  }
}

}  // namespace
