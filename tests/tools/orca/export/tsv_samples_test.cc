#include <sstream>
#include "tests/tools/orca/export/exported.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

TEST(TsvSamples, WritesEachSample) {
  EXPECT_EQ(Exported().ExportTable("samples", kLabels),
            "host\tservice\tversion\trun\tsampled_at\tkind\tthread\tthread_hash\tstate\t"
            "cpu_ns\tmethod\tstack\n"
            "h\ts\tv\tr\t1795174657123456789\tthread\tworker-1\t00000002\trunning\t300000000\t"
            "com.acme.OrderService.price\t17142236025503589082\n"
            "h\ts\tv\tr\t1795174657123456789\tthread\tpoller\t00000004\tin I/O\t10000000\t"
            "sun.nio.ch.EPoll.wait\t17859429271404876553\n"
            "h\ts\tv\tr\t1795174658123456789\tthread\tworker-1\t00000002\tblocked\t100000000\t"
            "com.acme.Inventory.reserve\t12369981313997073446\n"
            "h\ts\tv\tr\t1795174659123456789\tthread\tworker-1\t00000002\trunning\t200000000\t"
            "java.util.HashMap.get\t1941955790964647414\n"
            "h\ts\tv\tr\t1795174660123456789\tthread\tworker-1\t00000002\trunning\t390000000\t"
            "com.acme.OrderService.price\t5711567028769062653\n"
            "h\ts\tv\tr\t1795174660123456789\tthread\tworker-2\t00000003\trunning\t0\t"
            "com.acme.OrderService.price\t17142236025503589082\n"
            "h\ts\tv\tr\t1795174661123456789\tthread\tworker-2\t00000003\twaiting\t0\t"
            "com.acme.Inventory.reserve\t12369981313997073446\n");
}

TEST(TsvSamples, CpuLinesHaveAllCpuTime) {
  Exported e;
  AddCpuLines(&e.files());
  std::istringstream lines(e.ExportTable("samples", kLabels));
  std::string line;
  std::getline(lines, line);
  uint64_t cpu_ns = 0, cpu_rows = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, '\t');) fields.push_back(field);
    cpu_ns += std::stoull(fields.at(9));
    cpu_rows += fields.at(5) == "cpu";
    if (fields.at(5) == "thread") {
      EXPECT_EQ(fields.at(9), "0");
    }
  }
  EXPECT_GT(cpu_rows, 0u);
  EXPECT_EQ(cpu_ns, e.small.model.cpu.total_ns);
}

}  // namespace
