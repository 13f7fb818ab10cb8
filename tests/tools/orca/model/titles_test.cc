#include "tools/orca/model/titles.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Titles : public testing::Test {
 protected:
  std::string WriteTitle(uint32_t object) {
    if (small_.dump == nullptr) small_.Read();
    struct builder b = {};
    titles_write(&b, &small_.model.titles, small_.dump, object);
    return TakeText(&b);
  }

  SmallModel small_;
};

TEST_F(Titles, AreThePlaceIfTheClassSaysNothing) {
  EXPECT_EQ(WriteTitle(0xA1), "com.acme.Inventory@000000A1");
  EXPECT_EQ(WriteTitle(0xA2), "monitor in OrderService.price:88 (Object@000000A2)");
  EXPECT_EQ(WriteTitle(0xA3), "semaphore in OrderService.price:90 (Semaphore@000000A3)");
  EXPECT_TRUE(titles_has(&small_.model.titles, 0xA2));
  EXPECT_FALSE(titles_has(&small_.model.titles, 0xA1));
}

// The lock of a static method. A class of the JDK says nothing about the program.
TEST_F(Titles, OfAClassOfTheProgramAreThatClass) {
  small_.files.Append(DUMP_CLASSES, "100.0000000000,000000C8,Ljava/lang/Class;,Class.java\n");
  small_.files.Append(DUMP_OBJECTS,
                      "101.0000000000,000000C5,000000C8\n"
                      "101.0000000000,000000C6,000000C8\n");
  small_.files.Append(DUMP_EVENTS,
                      "109.1000000000,MonitorEntered,00000002,000000C5,1;00000010;00000000\n"
                      "109.2000000000,MonitorEntered,00000002,000000C6,1;00000010;00000000\n");
  EXPECT_EQ(WriteTitle(0xC5), "class com.acme.Inventory");
  EXPECT_EQ(WriteTitle(0xC6), "monitor in OrderService.price:88 (class HashMap@000000C6)");
  EXPECT_TRUE(titles_is_class(&small_.model.titles, small_.dump, 0xC5));
  EXPECT_FALSE(titles_is_class(&small_.model.titles, small_.dump, 0xC6));
  EXPECT_FALSE(titles_is_class(&small_.model.titles, small_.dump, 0xA1));
  struct builder b = {};
  titles_write_name(&b, &small_.model.titles, small_.dump, 0xC5);
  EXPECT_EQ(TakeText(&b), "class com.acme.Inventory");
}

TEST_F(Titles, WithoutAPlaceAreTheClass) {
  EXPECT_EQ(WriteTitle(1), "java.lang.Thread@00000001");  // no lock
  EXPECT_EQ(WriteTitle(0xEE), "object@000000EE");
}

TEST_F(Titles, NameThePlaceOfShortCalls) {
  AddShortCalls(&small_.files);
  small_.files.Append(DUMP_COUNTS,
                      "109.6000000000,MonitorContendedEnter,000000A2,5,900,500,"
                      "2;00000012;00000000;00000000;00000000\n");
  EXPECT_EQ(WriteTitle(0xA2), "monitor in Inventory.reserve:42 (Object@000000A2)");
}

// Two acquisitions in reserve:42, one in price:88.
TEST_F(Titles, NameThePlaceThatAcquiresMostOften) {
  small_.files.Write(DUMP_EVENTS,
                     "101.0000000000,MonitorEntered,00000002,000000A2,1;00000010;00000000\n"
                     "102.0000000000,MonitorEntered,00000002,000000A2,1;00000012;00000000\n"
                     "103.0000000000,MonitorEntered,00000002,000000A2,"
                     "2;00000013;00000000;00000012;00000000\n");
  EXPECT_EQ(WriteTitle(0xA2), "monitor in Inventory.reserve:42 (Object@000000A2)");
}

TEST_F(Titles, AFilterDoesNotChangeThem) {
  struct filter filter = MakeFilter(109 * kSecond);
  filter.threads = {{"main"}, 1};
  small_.Read(&filter);
  EXPECT_EQ(WriteTitle(0xA2), "monitor in OrderService.price:88 (Object@000000A2)");
}

TEST_F(Titles, AnObjectThatMayBeOfTheProgramKeepsItsClass) {
  small_.files.Append(DUMP_OBJECTS, "100.0000000000,000000A2,000000C5\n");
  EXPECT_EQ(WriteTitle(0xA2), "java.lang.Object or com.acme.Inventory@000000A2");
}

// The object A2 is an int[], and worker-1 blocks on it with this stack.
std::string WriteTitleOfInts(const std::string &stack) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Ljava/lang/Object;", "[I");
  small.files.Write(DUMP_EVENTS,
                    "101.0000000000,MonitorContendedEnter,00000002,000000A2,00000000," + stack +
                        "\n101.1000000000,MonitorContendedEntered,00000002,000000A2," + stack +
                        "\n");
  small.Read();
  struct builder b = {};
  titles_write(&b, &small.model.titles, small.dump, 0xA2);
  return TakeText(&b);
}

TEST_F(Titles, ShowTheInitializationOfAClass) {
  // in code of the JDK; with the first bytecode of a method
  EXPECT_EQ(WriteTitleOfInts("2;00000013;00000005;00000010;00000010"),
            "initialization of a class at OrderService.price:90 (int[]@000000A2)");
  EXPECT_EQ(WriteTitleOfInts("1;00000010;00000000"),
            "initialization of a class at OrderService.price:88 (int[]@000000A2)");
}

// The program may lock an int[] there.
TEST_F(Titles, DoNotGuessThatAClassIsInitialized) {
  EXPECT_EQ(WriteTitleOfInts("1;00000010;00000010"),
            "monitor in OrderService.price:90 (int[]@000000A2)");
}

TEST_F(Titles, FiltersTakeTheTitlesThatViewsShow) {
  for (const char *text :
       {"monitor in OrderService.price:88 (Object@000000A2)", "Object@000000A2"}) {
    struct filter filter = MakeFilter();
    filter.locks = {{text}, 1};
    SmallModel small;
    const struct model *m = small.Read(&filter);
    ASSERT_EQ(m->locks.num, 1u) << text;
    EXPECT_EQ(m->locks.rows[0].object, 0xA2u);
  }
}

std::string NameOf(const SmallModel &small, uint32_t object) {
  struct builder b = {};
  titles_write_name(&b, &small.model.titles, small.dump, object);
  return TakeText(&b);
}

TEST(TitleNames, HaveNeitherHashNorLine) {
  SmallModel small;
  small.Read();
  EXPECT_EQ(NameOf(small, 0xA1), "com.acme.Inventory");
  EXPECT_EQ(NameOf(small, 0xA2), "monitor in com.acme.OrderService.price (java.lang.Object)");
  EXPECT_EQ(NameOf(small, 0xA3),
            "semaphore in com.acme.OrderService.price (java.util.concurrent.Semaphore)");
  EXPECT_EQ(NameOf(small, 0xFF), "(unknown class)");
}

}  // namespace
