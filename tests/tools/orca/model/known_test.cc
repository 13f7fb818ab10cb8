#include "tools/orca/model/known.h"

#include <set>

#include "tests/tools/orca/model/small_dump.h"

namespace {

// A dump in which two threads wait for 3 s each, and use 1 s of CPU time each, in a method of a
// class. calls_back: in code of the program that the method called.
class KnownMethod {
 public:
  KnownMethod(const std::string &class_name, const std::string &method, bool calls_back = false) {
    WriteSmallDump(&small_.files);
    small_.files.Append(DUMP_CLASSES, "100.0000000000,000000CC,L" + class_name + ";,Some.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000099," + method + ",()V,000000CC,-1\n");
    const std::string outer = "00000099;00000000;00000011;00000000\n";
    const std::string stack = calls_back ? "3;00000010;00000000;" + outer : "2;" + outer;
    std::string events;
    for (std::string thread : {"00000002", "00000003"}) {
      std::string second = thread == "00000002" ? "101" : "105";
      std::string later = thread == "00000002" ? "104" : "108";
      events += second + ".0000000000,MonitorContendedEnter," + thread + ",000000A1,00000001," +
                stack + later + ".0000000000,MonitorContendedEntered," + thread + ",000000A1," +
                stack;
    }
    small_.files.Write(DUMP_EVENTS, events);
    small_.files.Write(DUMP_SAMPLES, "108.5000000000,Tick,1,1000,4\n108.5000000000,Stack,1," +
                                         stack +
                                         "108.5000000000,Sample,00000002,Runnable,1000000000,1\n"
                                         "108.5000000000,Sample,00000003,Runnable,1000000000,1\n");
  }
  struct model *Read() {
    return small_.Read();
  }

 private:
  SmallModel small_;
};

TEST(Known, EveryRowIsFoundByItsMethodAndHasASource) {
  std::set<std::string> seen;
  for (size_t i = 0; i < num_knowns; i++) {
    const struct known &k = knowns[i];
    std::string method = std::string(k.method) == "*" ? "get" : k.method;
    KnownMethod program(k.class_end, method);
    struct known_found found[KNOWN_MOST];
    size_t num = known_find(program.Read(), found);
    bool is_found = false;
    for (size_t n = 0; n < num; n++) is_found |= found[n].known == &k;
    EXPECT_TRUE(is_found) << k.class_end;
    EXPECT_EQ(std::string(k.source).find("https://"), 0u) << k.class_end;
    EXPECT_NE(std::string(k.why).back(), '.') << k.why;
    EXPECT_NE(std::string(k.advice).back(), '.') << k.advice;
    seen.insert(k.class_end + std::string(".") + k.method + std::to_string(k.value));
  }
  EXPECT_EQ(seen.size(), num_knowns);
  EXPECT_LE(num_knowns, size_t(KNOWN_MOST));
}

TEST(Known, SumsUpTheTimeOfAllThreads) {
  KnownMethod program("java/util/Hashtable", "get");
  struct known_found found[KNOWN_MOST];
  ASSERT_EQ(known_find(program.Read(), found), 1u);
  EXPECT_EQ(found[0].time, 6 * kSecond);
  EXPECT_EQ(found[0].whole, 6 * kSecond);
  EXPECT_EQ(found[0].threads, 2u);
  EXPECT_EQ(found[0].method, 0x99u);
}

TEST(Known, DoesNotBlameTheJdkForTheFunctionThatItCalls) {
  struct known_found found[KNOWN_MOST];
  KnownMethod compute("java/util/concurrent/ConcurrentHashMap", "computeIfAbsent", true);
  EXPECT_EQ(known_find(compute.Read(), found), 0u);
  KnownMethod appenders("org/apache/log4j/Category", "callAppenders", true);
  EXPECT_EQ(known_find(appenders.Read(), found), 1u);
}

TEST(Known, DoesNotMistakeAnotherClass) {
  struct known_found found[KNOWN_MOST];
  EXPECT_EQ(known_find(KnownMethod("com/acme/MyHashtable", "get").Read(), found), 0u);
  EXPECT_EQ(known_find(KnownMethod("java/security/SecureRandom", "getSeed").Read(), found), 0u);
}

}  // namespace
