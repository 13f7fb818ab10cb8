#include "tests/tools/orca/export/exported.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

TEST(TsvRuns, WritesTheFiguresOfTheRecording) {
  EXPECT_EQ(Exported().ExportTable("runs", kLabels),
            "host\tservice\tversion\trun\tbegin_at\tend_at\trecorded_ns\tprogram\tjvm\tpid\t"
            "ended_by\tthreads\tevents\tdropped\tcpu_ns\tblocked_ns\tdeadlocks\n"
            "h\ts\tv\tr\t1795174656123456789\t1795174666123456789\t10000000000\t"
            "com.acme.OrderService\t17.0.9\t4711\texit\t4\t22\t0\t1000000000\t4375000000\t1\n");
}

TEST(TsvRuns, ACommandThatWasNotRecordedHasNoProgram) {
  Exported e;
  e.files().Replace(DUMP_INFO,
                    "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  std::string text = e.ExportTable("runs", kLabels);
  EXPECT_NE(text.find("\t10000000000\t\t17.0.9\t4711\t"), std::string::npos) << text;
}

TEST(TsvRuns, AKilledJvmHasNoReason) {
  Exported e;
  e.files().Replace(DUMP_INFO, "end.reason=exit\n", "");
  std::string text = e.ExportTable("runs", kLabels);
  EXPECT_NE(text.find("\t17.0.9\t4711\t\t4\t22\t"), std::string::npos) << text;
}

}  // namespace
