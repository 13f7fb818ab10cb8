#pragma once
// The small dump recorded by CPU time: worker-1 and worker-2 with few samples, main with many, and
// poller with none.
#include <string>

#include "tests/tools/orca/model/small_dump.h"

// Appends Cpu lines to the samples, `times` times the same.
inline void AddCpu(DumpFiles *files, const std::string &fields, int times = 1) {
  std::string lines;
  for (int i = 0; i < times; i++) lines += "105.5000000000,Cpu," + fields + "\n";
  files->Append(DUMP_SAMPLES, lines);
}

// Its stacks: 1 price called by run, 2 get called by price called by run, 4 reserve called by run,
// 5 price called by price called by run, 6 the native EPoll.wait called by run.
//
// worker-1: 2 samples, 20 ms and 30 ms, in 1; 10 ms unsampled. worker-2: 1 sample, 30 ms, in 4; 90
// ms unsampled. They are one pool: 180 ms, 3 samples, 60 ms each. main: 40 samples, 10 ms each, 30
// of them in 2 and 10 in the native code that 1 calls; 40 ms unsampled. poller: 7 ms unsampled.
inline void AddCpuLines(DumpFiles *files) {
  files->Append(DUMP_SAMPLES, "105.5000000000,Stack,6,2;00000014;FFFFFFFF;00000011;00000000\n");
  AddCpu(files, "00000002,20000000,1,Java");
  AddCpu(files, "00000002,30000000,1,Java");
  AddCpu(files, "00000002,10000000,0,Unsampled");
  AddCpu(files, "00000003,30000000,4,Java");
  AddCpu(files, "00000003,90000000,0,Unsampled");
  AddCpu(files, "00000001,10000000,2,Java", 30);
  AddCpu(files, "00000001,10000000,1,Native", 10);
  AddCpu(files, "00000001,40000000,0,Unsampled");
  AddCpu(files, "00000004,7000000,0,Unsampled");
  files->Append(DUMP_INFO, "sampler=signal\n");
}
