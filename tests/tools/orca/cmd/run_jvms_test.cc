#include "tools/orca/cmd/run_jvms.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

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
