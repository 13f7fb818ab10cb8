/* Tests that the comparison of measured calls and recorded calls finds differences. */
#include "tests/e2e/sums.h"

#include <fstream>
#include <functional>

#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "tests/e2e/scratch.h"
#include "tests/support/text.h"

namespace {

/* Two objects, one of them used in two places; and calls without an object. */
const char kStory[] =
    "sum SemaphoreAcquire 000000AA here 3 3000 1500 300\n"
    "sum SemaphoreAcquire 000000AA there 1 1000 1000 0\n"
    "sum SemaphoreAcquire 000000BB here 1 1000 1000 0\n"
    "sum ThreadSleep 00000000 here 2 9000 5000 8000\n"
    "end\n";

/* One of the calls of AA has lines. Its event inside of the call has another stack. */
const char kOrca[] =
    "1.0000000000,SemaphoreAcquire,00000011,000000AA,2;00000001;00000000;00000003;00000000\n"
    "1.0000005000,SemaphoreAcquired,00000011,000000AA,2;00000001;00000000;00000003;00000000\n"
    "1.0000006000,ThreadSleep,00000011,0\n";

const char kCounts[] =
    "2.0000000000,LockAcquired,000000AA,7\n"
    "2.0000000001,SemaphoreAcquire,000000AA,1,400,400,2;00000001;00000000;00000003;00000000\n"
    "2.0000000002,SemaphoreAcquire,000000AA,1,1000,1000,2;00000001;00000000;00000004;00000000\n"
    "2.0000000003,SemaphoreAcquire,000000BB,1,1000,1000,2;00000001;00000000;00000003;00000000\n"
    "2.0000000004,ThreadSleep,00000000,2,8500,4500,"
    "3;00000002;FFFFFFFF;00000003;00000005;00000000;00000000\n"
    "2.0000000005,SemaphoreAcquire,000000CC,9,9000,1000,0\n"
    "3.0000000000,SemaphoreAcquire,000000AA,1,500,500,2;00000001;00000000;00000003;00000000\n";

const char kMethods[] =
    "0.5000000000,00000001,acquire,()V,00000007,0\n"
    "0.5000000001,00000002,sleep,(J)V,00000007,0\n"
    "0.5000000002,00000003,here,()V,00000008,0\n"
    "0.5000000003,00000004,there,()V,00000008,0\n";

/* Returns the messages of all failures of a comparison. */
std::string ReadFailures(const std::function<void()> &compare) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    compare();
  }
  std::string messages;
  for (int i = 0; i < results.size(); i++) {
    messages += std::string(results.GetTestPartResult(i).message()) + "\n";
  }
  return messages;
}

class SumsTest : public testing::Test {
 protected:
  Dump WriteDump(const std::string &counts, const std::string &orca = kOrca) {
    const std::string prefix = scratch_.dir() + "/dump";
    std::ofstream(prefix + ".orca") << orca;
    std::ofstream(prefix + ".counts") << counts;
    std::ofstream(prefix + ".methods") << kMethods;
    std::ofstream(prefix + ".classtable") << "0.4000000000,00000007,Ljava/lang/Some;,Some.java\n"
                                             "0.4000000001,00000008,Lcounted/Some;,Some.java\n";
    std::ofstream(prefix + ".info") << "threshold.pairs=15\n";
    return ReadDump(prefix);
  }

  /* Returns the dump with another text in place of `text`, which .counts has once. */
  Dump WriteDumpWith(const std::string &text, const std::string &other) {
    std::string counts = kCounts;
    size_t at = counts.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return WriteDump(counts.replace(at, text.size(), other));
  }

  Scratch scratch_;
};

TEST_F(SumsTest, AreReadApartFromOtherCounts) {
  Dump dump = WriteDump(kCounts);
  EXPECT_EQ(dump.faults, std::vector<std::string>());
  EXPECT_EQ(dump.counts.size(), 1u);
  EXPECT_EQ(dump.short_calls.size(), 6u);
  EXPECT_EQ(SumByEvent(dump.short_calls)[EVENT_SEMAPHORE_ACQUIRE].calls, 13);
  EXPECT_EQ(SumByEvent(dump.short_calls)[EVENT_SEMAPHORE_ACQUIRE].total_ns, 11900);
  Sum of_object = SumByObject(dump.short_calls)[{EVENT_SEMAPHORE_ACQUIRE, 0xAA}];
  EXPECT_EQ(of_object.calls, 3);
  EXPECT_EQ(of_object.longest_ns, 1000);
  EXPECT_EQ((SumByPlace(dump, dump.short_calls)[{EVENT_SEMAPHORE_ACQUIRE, "here"}].calls), 3);
  EXPECT_EQ((SumByPlace(dump, dump.short_calls)[{EVENT_SEMAPHORE_ACQUIRE, ""}].calls), 9);
}

TEST_F(SumsTest, FindTheDurationOfCallsWithLines) {
  std::vector<CallSum> calls = FindLongCalls(WriteDump(kCounts));
  ASSERT_EQ(calls.size(), 1u); /* the other one has not ended */
  EXPECT_EQ(calls[0].sum.calls, 1);
  EXPECT_EQ(calls[0].sum.total_ns, 500);
  EXPECT_EQ(calls[0].object, 0xAAu);
}

TEST_F(SumsTest, FindPairsOfMethodsAndTasks) {
  std::vector<CallSum> calls = FindLongCalls(
      WriteDump("",
                "1.0000000000,MethodEntry,00000011,1;00000003;00000000\n"
                "1.0000000100,MethodEntry,00000011,1;00000003;00000000\n"
                "1.0000000200,TaskQueued,00000011,000000AA,1;00000003;00000000\n"
                "1.0000000400,MethodExit,00000011,00000000,-1,1;00000003;00000000\n"
                "1.0000000700,TaskTaken,00000022,000000AA,0\n"
                "1.0000000900,MethodExit,00000011,000000EE,-1,1;00000003;00000000\n"));
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].sum.total_ns, 30);
  EXPECT_EQ(calls[1].sum.total_ns, 50);
  EXPECT_EQ(calls[1].kind, EVENT_TASK_QUEUED);
  EXPECT_EQ(calls[2].sum.total_ns, 90);
}

TEST_F(SumsTest, AreTheSameAsTheAccount) {
  Dump dump = WriteDump(kCounts);
  ExpectSameSums(ReadStory(kStory), dump);
  ExpectSameSumsByEvent(ReadStory(kStory), dump);
  ExpectSumOfAllPairs(dump);
}

TEST_F(SumsTest, DifferInTheNumberOfCalls) {
  static Story story = ReadStory(kStory);
  static Dump fewer = WriteDumpWith("000000BB,1,", "000000CC,1,");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, fewer),
                          "SemaphoreAcquire of 000000BB in here: the program made 1 calls, the "
                          "recording has 0 in sums and 0 in lines");
  static Dump more = WriteDumpWith("000000AA,1,400,", "000000AA,2,400,");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, more), "SemaphoreAcquire of 000000AA in here");
  EXPECT_NONFATAL_FAILURE(ExpectSumOfAllPairs(more), "16");
}

TEST_F(SumsTest, DifferInThePlace) {
  static Story story = ReadStory(kStory);
  static Dump dump = WriteDumpWith("8500,4500,3;00000002;FFFFFFFF;00000003",
                                   "8500,4500,3;00000002;FFFFFFFF;00000004");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, dump), "ThreadSleep of 00000000 in here");
}

TEST_F(SumsTest, DifferInTime) {
  static Story story = ReadStory(kStory);
  static Dump total = WriteDumpWith("000000BB,1,1000,1000", "000000BB,1,1001,1000");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, total), "measured 1000 ns in total");
  static Dump longest = WriteDumpWith("2,8500,4500", "2,8500,5001");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, longest), "at most 5000 ns");
  static Dump least = WriteDumpWith("2,8500,4500", "2,7999,4500");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, least), "at least 8000 ns");
  static Dump unfit = WriteDumpWith("2,8500,4500", "2,8500,4249");
  EXPECT_NONFATAL_FAILURE(ExpectSameSums(story, unfit), "does not fit the total");
}

TEST_F(SumsTest, MayBeThoseOfSeveralObjects) {
  Story story = ReadStory(kStory);
  Dump merged = WriteDumpWith("SemaphoreAcquire,000000BB", "SemaphoreAcquire,00000000");
  ExpectSameSumsByEvent(story, merged);
  std::string failures = ReadFailures([&] { ExpectSameSums(story, merged); });
  EXPECT_TRUE(Has(failures, "SemaphoreAcquire of 00000000 in here: the program made 0 calls"));
  EXPECT_TRUE(Has(failures, "SemaphoreAcquire of 000000BB in here: the program made 1 calls"));
}

TEST_F(SumsTest, MayHaveNoStack) {
  Story story = ReadStory(kStory);
  const std::string stack = ",1,1000,1000,2;00000001;00000000;00000003;00000000";
  ExpectSameSumsByEvent(story, WriteDumpWith("000000BB" + stack, "00000000,1,1000,1000,0"));
  Dump fewer = WriteDumpWith("000000BB" + stack, "000000CC,1,1000,1000,0");
  std::string failures = ReadFailures([&] { ExpectSameSumsByEvent(story, fewer); });
  EXPECT_TRUE(Has(failures, "SemaphoreAcquire of 00000000: the program made 5 calls")) << failures;
}

TEST_F(SumsTest, OfAnObjectMustNotHaveMoreCallsThanItHad) {
  Story story = ReadStory(kStory);
  Dump moved = WriteDumpWith("2.0000000002,SemaphoreAcquire,000000AA",
                             "2.0000000002,SemaphoreAcquire,000000BB");
  std::string failures = ReadFailures([&] { ExpectSameSumsByEvent(story, moved); });
  EXPECT_TRUE(Has(failures, "SemaphoreAcquire of 000000BB")) << failures;
}

}  // namespace
