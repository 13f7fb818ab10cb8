#pragma once
// Lines about the process of the small dump, from two scans of its tasks at 105 s and 109 s.
//
// The process used 4 s of CPU time: 1 s in Java threads (from the small dump), 2 s in the JIT
// compiler, 500 ms in the garbage collector, 200 ms in other JVM threads, 100 ms in Orca, 80 ms in
// a native thread, and 120 ms in unknown threads. worker-1 waited 3 s for a CPU, worker-2 1 s. The
// cgroup throttled the process for 1.5 s. The collector paused it for 100 ms, 400 ms and 250 ms.
#include "tests/tools/orca/model/small_dump.h"

inline void AddMachine(DumpFiles *files) {
  files->Append(DUMP_SAMPLES,
                "105.0000000000,Pause,Gc,100000000\n"
                "105.0000000001,Task,20,Jit,1500000000,300000000,C2 CompilerThre\n"
                "105.0000000002,Task,21,Gc,300000000,0,GC Thread#0\n"
                "105.0000000003,Task,22,Vm,200000000,-1,VM Thread\n"
                "105.0000000004,Sched,00000002,1000000000\n"
                "105.0000000005,Sched,00000003,1000000000\n"
                "105.0000000006,Process,2500000000,500000000\n"
                "106.0000000000,Pause,Gc,400000000\n"
                "107.0000000000,Pause,Gc,250000000\n"
                "109.0000000000,Task,20,Jit,500000000,100000000,C2 CompilerThre\n"
                "109.0000000001,Task,21,Gc,200000000,50000000,GC Thread#0\n"
                "109.0000000002,Task,23,Orca,100000000,0,orca-writer\n"
                "109.0000000003,Task,24,Native,80000000,7000000,zlib\\u002C\n"
                "109.0000000004,Sched,00000002,2000000000\n"
                "109.0000000005,Process,1500000000,1000000000\n");
  files->Append(DUMP_INFO, "cpus.allowed=2\ncpus.quota=0.50\nprocess.cpu=4000000000\n");
}

// The small dump with these lines.
class MachineModel : public SmallModel {
 public:
  MachineModel() { AddMachine(&files); }
};
