#pragma once
// Two dumps of the same program, small enough to work out the expected results by hand. There are
// ten ticks a second. At each tick worker-1 uses CPU time in OrderService.price and worker-2 in
// Inventory.reserve, and worker-2 is blocked on an Inventory of worker-1 and sleeps for 5 ms.
#include <cstdio>
#include <string>

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/model/compare.h"

// What differs between the two runs.
struct Recorded {
  int seconds = 10;
  int price_ms = 50, reserve_ms = 20, blocked_ms = 10;  // at each tick
  std::string lock = "000000A1";
  std::string options = "interval=100ms";
};

// Returns the time 100 s plus `ms`, as in the files.
inline std::string FormatTime(int ms) {
  char text[40];
  snprintf(text, sizeof text, "%d.%03d0000000", 100 + ms / 1000, ms % 1000);
  return text;
}

inline std::string MakeEvents(const Recorded &run) {
  const std::string reserve = "2;00000012;00000000;00000011;00000000\n";
  const std::string sleep = "2;00000003;FFFFFFFF;00000011;00000000\n";
  std::string text =
      "100.0000000000,ThreadStarted,00000002,worker-1\n"
      "100.0000000001,ThreadStarted,00000003,worker-2\n";
  for (int at = 0; at < run.seconds * 1000 && run.blocked_ms > 0; at += 100) {
    text +=
        FormatTime(at + 1) + ",MonitorContendedEnter,00000003," + run.lock + ",00000002," + reserve;
    text += FormatTime(at + 1 + run.blocked_ms) + ",MonitorContendedEntered,00000003," + run.lock +
            "," + reserve;
    text += FormatTime(at + 90) + ",ThreadSleep,00000003," + sleep;
    text += FormatTime(at + 95) + ",ThreadSlept,00000003," + sleep;
  }
  return text;
}

inline std::string MakeSamples(const Recorded &run) {
  std::string text;
  for (int at = 0; at < run.seconds * 1000; at += 100) {
    const std::string time = FormatTime(at + 99);
    text += time + ",Tick," + std::to_string(at / 100 + 1) + ",1000,2\n";
    if (at == 0) {
      text += time + ",Stack,1,2;00000010;00000000;00000011;00000000\n" + time +
              ",Stack,2,2;00000012;00000000;00000011;00000000\n";
    }
    text += time + ",Sample,00000002,Runnable," + std::to_string(run.price_ms * kMs) + ",1\n";
    text += time + ",Sample,00000003,Runnable," + std::to_string(run.reserve_ms * kMs) + ",2\n";
  }
  return text;
}

inline void WriteRun(DumpFiles *files, const Recorded &run) {
  WriteSmallDump(files);
  files->Append(DUMP_OBJECTS, "100.0000000001,000000B1,000000C5\n");
  files->Write(DUMP_EVENTS, MakeEvents(run));
  files->Write(DUMP_SAMPLES, MakeSamples(run));
  files->Write(DUMP_INFO, "pid=1\njava.version=17.0.9\ncommand=java -jar shop.jar\noptions=out," +
                              run.options + "\nstart.monotonic=100.0000000000\nend.monotonic=" +
                              FormatTime(run.seconds * 1000) + "\nend.reason=exit\n");
}

// The two runs, read and compared. The object owns their files and models.
class TwoRuns {
 public:
  TwoRuns(const Recorded &a, const Recorded &b) {
    WriteRun(&a_.files, a);
    WriteRun(&b_.files, b);
  }
  ~TwoRuns() { comparison_free(&comparison_); }

  const struct comparison *Compare(const struct filter *filter = nullptr) {
    EXPECT_TRUE(compare_runs(&comparison_, a_.Read(filter), b_.Read(filter)));
    return &comparison_;
  }

  // Adds a sum of short calls to a run with a threshold.
  static void AddSum(DumpFiles *files) {
    files->Append(DUMP_COUNTS, "100.5000000000,MonitorContendedEnter,000000A1,5,900,500,0\n");
  }

  DumpFiles &A() { return a_.files; }
  DumpFiles &B() { return b_.files; }

 private:
  SmallModel a_, b_;
  struct comparison comparison_ = {};
};
