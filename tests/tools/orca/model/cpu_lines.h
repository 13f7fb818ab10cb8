#pragma once
// Cpu lines for the small dump: worker-1 and worker-2 have few samples, main has many, poller none.
#include <string>

#include "tests/tools/orca/model/small_dump.h"

// Appends the same Cpu line `times` times to the samples.
inline void AddCpu(DumpFiles *files, const std::string &fields, int times = 1) {
  std::string lines;
  for (int i = 0; i < times; i++) lines += "105.5000000000,Cpu," + fields + "\n";
  files->Append(DUMP_SAMPLES, lines);
}

// The stacks, outermost frame first: 1 run > price, 2 run > price > get, 4 run > reserve,
// 5 run > price > price, 6 run > the native EPoll.wait.
//
// - worker-1: 2 samples in stack 1, 20 ms and 30 ms; 10 ms unsampled.
// - worker-2: 1 sample in stack 4, 30 ms; 90 ms unsampled.
//   Both workers are one pool: 180 ms and 3 samples, so each sample has a weight of 60 ms.
// - main: 40 samples of 10 ms, 30 of them in stack 2 and 10 in native code called by stack 1; 40 ms
//   unsampled.
// - poller: 7 ms unsampled.
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
