#include "tools/orca/cmd/first_screen.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class FirstScreen : public testing::Test {
 protected:
  // Adds a small dump whose process used `cpu_s` seconds of CPU time.
  DumpFiles *AddDump(int cpu_s) {
    all_.push_back(std::make_unique<DumpFiles>());
    DumpFiles *files = all_.back().get();
    WriteSmallDump(files);
    files->Replace(DUMP_INFO, "-cp shop.jar", "-Dcpu=" + std::to_string(cpu_s) + " -cp shop.jar");
    files->Append(DUMP_SAMPLES,
                  "110.0000000000,Process," + std::to_string(cpu_s) + "000000000,-1\n");
    return files;
  }
  std::string Print(const char *deadlocked = nullptr) {
    std::vector<std::string> prefixes;
    std::vector<char *> pointers;
    for (const auto &files : all_) prefixes.push_back(files->Prefix());
    for (std::string &prefix : prefixes) pointers.push_back(prefix.data());
    struct new_dumps dumps = {pointers.data(), pointers.size(), pointers.size()};
    testing::internal::CaptureStdout();
    struct run_jvms run;
    EXPECT_TRUE(run_jvms_read(&run, &dumps));
    if (deadlocked != nullptr) run_jvms_put_first(&run, deadlocked);
    EXPECT_EQ(first_screen_print(&run, "/opt/orca/bin/orca"), 0);
    run_jvms_free(&run);
    fflush(stdout);
    return testing::internal::GetCapturedStdout();
  }

  std::vector<std::unique_ptr<DumpFiles>> all_;
};

TEST_F(FirstScreen, HasHeaderVerdictAndCommands) {
  AddDump(2);
  std::string text = Print(), prefix = all_[0]->Prefix();
  EXPECT_EQ(text.find("Command   java -Dcpu=2 -cp shop.jar com.acme.OrderService\n"), 0u) << text;
  size_t at = 0;
  for (std::string part :
       {std::string("\n\nIn short\n* DEADLOCK: "), std::string("\n\nWhat to do next\n"),
        "  /opt/orca/bin/orca deadlocks " + prefix, "  /opt/orca/bin/orca report " + prefix}) {
    at = text.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << text;
  }
  EXPECT_LE(CountLines(text), 30) << text;
  EXPECT_FALSE(Has(text, "JVMs")) << text;
  EXPECT_FALSE(Has(text, "Methods by CPU")) << text;
}

TEST_F(FirstScreen, ShowsTheProcessWithTheMostCpuTimeFirst) {
  for (int cpu_s : {2, 30, 7}) AddDump(cpu_s);
  std::string text = Print();
  EXPECT_EQ(text.find("3 JVMs were recorded. This one worked most, with 30.0 s of 39.0 s of CPU "
                      "time:\nCommand   java -Dcpu=30 "),
            0u)
      << text;
  size_t others = text.find("\nThe other JVMs, by CPU time\n");
  ASSERT_NE(others, std::string::npos) << text;
  size_t second = text.find("orca report " + all_[2]->Prefix() + "   7.00 s  java", others),
         third = text.find("orca report " + all_[0]->Prefix() + "   2.00 s  java", others);
  EXPECT_LT(second, third) << text;
  EXPECT_NE(third, std::string::npos) << text;
  EXPECT_LE(CountLines(text), 30) << text;
}

TEST_F(FirstScreen, FitsTheScreenWithManyJvms) {
  for (int cpu_s = 1; cpu_s <= 40; cpu_s++) AddDump(cpu_s);
  std::string text = Print();
  EXPECT_LE(CountLines(text), 30) << text;
  EXPECT_TRUE(Has(text, "* DEADLOCK: ")) << text;
  size_t at = 0, reports = 0;
  for (; (at = text.find("orca report ", at)) != std::string::npos; at++) reports++;
  EXPECT_GT(reports, 1u) << text;
  EXPECT_TRUE(Has(text, "    and " + std::to_string(40 - reports) + " more\n")) << text;
}

TEST_F(FirstScreen, CountsTheSentencesThatItLeavesOut) {
  DumpFiles *files = AddDump(2);
  files->Append(DUMP_EVENTS, "109.3000000000,ThreadPinned,00000003,0\n");
  files->Append(DUMP_SAMPLES, "109.4000000000,Pause,Gc,1000000000\n");
  std::string some = Print();
  EXPECT_TRUE(Has(some, "the whole report, ")) << some;
  files->Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n");
  std::string all = Print();
  EXPECT_TRUE(Has(all, "the whole report\n")) << all;
}

TEST_F(FirstScreen, CutsAFirstSentenceThatIsTooLong) {
  DumpFiles *files = AddDump(2);
  files->Replace(DUMP_EVENTS, ",worker-1\n", "," + std::string(2000, 'w') + "\n");
  std::string long_name = Print();
  EXPECT_LE(CountLines(long_name), 30) << long_name;
}

TEST_F(FirstScreen, ShowsAnUnreadableRecordingLast) {
  AddDump(2);
  AddDump(9)->Remove(DUMP_EVENTS);
  std::string text = Print();
  EXPECT_TRUE(Has(text, "Command   java -Dcpu=2 ")) << text;
  EXPECT_TRUE(Has(text, "orca report " + all_[1]->Prefix() + "      0 s  \n")) << text;
}

// A wrapper may work more than the JVM that deadlocks.
TEST_F(FirstScreen, ShowsTheProcessWithTheDeadlockFirst) {
  for (int cpu_s : {2, 30, 7}) AddDump(cpu_s);
  std::string text = Print(all_[0]->Prefix().c_str());
  EXPECT_EQ(text.find("3 JVMs were recorded. This one has a deadlock, with 2.00 s of 39.0 s of CPU "
                      "time:\nCommand   java -Dcpu=2 "),
            0u)
      << text;
  size_t others = text.find("\nThe other JVMs, by CPU time\n");
  size_t first = text.find("orca report " + all_[1]->Prefix(), others);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find("orca report " + all_[2]->Prefix(), first), std::string::npos) << text;
}

// --- the JVMs of a run ---

// Reads the recordings with these prefixes, and returns the prefixes in the order of the rows.
std::vector<std::string> ReadInOrder(std::vector<std::string> prefixes, struct run_jvms *run) {
  std::vector<char *> pointers;
  for (std::string &prefix : prefixes) pointers.push_back(prefix.data());
  struct new_dumps dumps = {pointers.data(), pointers.size(), pointers.size()};
  EXPECT_TRUE(run_jvms_read(run, &dumps));
  std::vector<std::string> order;
  for (size_t i = 0; i < run->num; i++) order.push_back(run->rows[i].path);
  return order;
}

void WriteDump(DumpFiles *files, int cpu_s) {
  WriteSmallDump(files);
  files->Append(DUMP_SAMPLES, "110.0000000000,Process," + std::to_string(cpu_s) + "000000000,-1\n");
}

TEST(RunJvms, AreInOrderOfTheirWork) {
  DumpFiles little, much;
  struct run_jvms run;
  WriteDump(&little, 2);
  WriteDump(&much, 30);
  EXPECT_EQ(ReadInOrder({little.Prefix(), much.Prefix()}, &run),
            (std::vector<std::string>{much.Prefix(), little.Prefix()}));
  EXPECT_EQ(run.rows[0].cpu_ns, 30000000000u);
  EXPECT_EQ(std::string(run.rows[0].command.data, run.rows[0].command.len),
            "java -cp shop.jar com.acme.OrderService");
  EXPECT_EQ(run.rows[0].quoted.data, much.Prefix());
  run_jvms_free(&run);
  EXPECT_EQ(run.num, 0u);
}

TEST(RunJvms, HaveNoWorkIfTheyCannotBeRead) {
  DumpFiles good;
  struct run_jvms run;
  WriteDump(&good, 1);
  EXPECT_EQ(ReadInOrder({"/no/such dump", good.Prefix()}, &run),
            (std::vector<std::string>{good.Prefix(), "/no/such dump"}));
  EXPECT_EQ(run.rows[1].cpu_ns, 0u);
  EXPECT_STREQ(run.rows[1].quoted.data, "'/no/such dump'");
  run_jvms_free(&run);
}

}  // namespace
