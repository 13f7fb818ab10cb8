/* Tests that the comparison of account and dump finds differences. */
#include "tests/e2e/compare.h"

#include <fstream>

#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"

namespace {

const char kStory[] =
    "[0.1s][warning] the JVM says something\n"
    "thread 00000011 driver\n"
    "event ThreadStarted 00000011 00000000\n"
    "event ObjectWait 00000011 000000AA\n"
    "event ObjectWaited 00000011 000000AA\n"
    "lock 000000BB 00000022\n"
    "event MonitorContendedEnter 00000011 000000BB\n"
    "object 000000AA Lcounted/Guest;\n"
    "count ObjectWait 1\n"
    "count ThreadSleep 0\n"
    "class Lcounted/Guest; Guest.java\n"
    "method stay\n"
    "end\n";

const char kOrca[] =
    "1.0000000000,ThreadStarted,00000011,driver\n"
    "1.0000000001,ObjectWait,00000011,000000AA,0\n"
    "1.0000000002,ObjectWait,00000099,000000AA,0\n"
    "1.0000000003,ObjectWaited,00000011,000000AA,0\n"
    "1.0000000004,MonitorContendedEnter,00000011,000000CC,00000000,0\n"
    "1.0000000005,MonitorContendedEnter,00000011,000000BB,00000022,0\n"
    "1.0000000006,Objec";

class CompareTest : public testing::Test {
 protected:
  Dump WriteDump(const std::string &orca) {
    const std::string prefix = scratch_.dir() + "/dump";
    std::ofstream(prefix + ".orca") << orca;
    std::ofstream(prefix + ".classtable") << "0.5000000000,00000007,Lcounted/Guest;,Guest.java\n";
    std::ofstream(prefix + ".methods") << "0.5000000000,00000001,stay,()V,00000007,0\n";
    std::ofstream(prefix + ".objects") << "0.5000000000,000000AA,00000007\n";
    return ReadDump(prefix);
  }

  Dump WriteDumpWith(const std::string &line) { return WriteDump(line + kOrca); }

  /* Returns the dump without the first line that contains `text`. */
  Dump WriteDumpWithout(const std::string &text) {
    std::string orca = kOrca;
    size_t begin = orca.rfind('\n', orca.find(text)) + 1;
    return WriteDump(orca.erase(begin, orca.find('\n', begin) + 1 - begin));
  }

  Scratch scratch_;
};

TEST_F(CompareTest, AcceptsEqualDumps) {
  Story story = ReadStory(kStory);
  EXPECT_TRUE(story.complete);
  Dump dump = WriteDump(kOrca);
  EXPECT_EQ(dump.faults, std::vector<std::string>());
  EXPECT_EQ(dump.events.size(), 6u);
  ExpectSame(story, dump);
}

TEST_F(CompareTest, FindsAnExtraEvent) {
  static Story story = ReadStory(kStory);
  static Dump dump = WriteDumpWith("0.9000000000,ThreadSleep,00000011,0\n");
  EXPECT_NONFATAL_FAILURE(ExpectSameSteps(story, dump), "the dump: ThreadSleep");
  EXPECT_NONFATAL_FAILURE(ExpectSameCounts(story, dump), "ThreadSleep");
}

TEST_F(CompareTest, FindsAMissingEvent) {
  static Story story = ReadStory(kStory);
  static Dump dump = WriteDumpWithout("ObjectWait,00000011");
  EXPECT_NONFATAL_FAILURE(ExpectSameSteps(story, dump), "the workload: ObjectWait(000000AA)");
  EXPECT_NONFATAL_FAILURE(ExpectSameCounts(story, dump), "ObjectWait");
}

TEST_F(CompareTest, FindsAMissingLastEvent) {
  static Story story = ReadStory(kStory);
  static Dump dump = WriteDumpWithout("000000BB");
  EXPECT_NONFATAL_FAILURE(ExpectSameSteps(story, dump), "the dump: (nothing more)");
}

TEST_F(CompareTest, FindsAWrongNameOwnerClassAndMethod) {
  static Story story = ReadStory(kStory);
  static Dump dump = WriteDump(kOrca);
  story.threads[0x11] = "another";
  EXPECT_NONFATAL_FAILURE(ExpectNames(story, dump), "another");
  story.locks[0xBB] = 0x33;
  EXPECT_NONFATAL_FAILURE(ExpectOwners(story, dump), "00000033");
  story.objects[0xAA] = "LOther;";
  EXPECT_NONFATAL_FAILURE(ExpectClassesOfObjects(story, dump), "LOther;");
  story.methods = {"gone"};
  EXPECT_NONFATAL_FAILURE(ExpectDefinitions(story, dump), "gone");
}

TEST_F(CompareTest, ReportsAnInvalidLine) {
  EXPECT_EQ(WriteDumpWith("1.0,ThreadSleep,00000011,0\n").faults.size(), 1u);
}

}  // namespace
