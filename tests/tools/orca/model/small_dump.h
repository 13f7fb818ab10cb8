#pragma once
// A dump that is small enough to work out the expected results by hand, and its model.
//
// It lasts from 100 s to 110 s. Its threads are 1 main, 2 worker-1, 3 worker-2 and 4 poller; its
// objects A1 (Inventory), A2 (Object) and A3 (Semaphore). It ends in a deadlock of both workers.
#include <string>

#include "tests/support/bytes.h"
#include "tests/support/dump_files.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

inline void WriteSmallDump(DumpFiles *files) {
  files->Write(DUMP_CLASSES,
               "100.0000000000,000000C1,Ljava/lang/Object;,Object.java\n"
               "100.0000000000,000000C2,Ljava/lang/Thread;,Thread.java\n"
               "100.0000000000,000000C3,Ljava/util/concurrent/Semaphore;,Semaphore.java\n"
               "100.0000000000,000000C4,Lcom/acme/OrderService;,OrderService.java\n"
               "100.0000000000,000000C5,Lcom/acme/Inventory;,Inventory.java\n"
               "100.0000000000,000000C6,Ljava/util/HashMap;,HashMap.java\n"
               "100.0000000000,000000C7,Lsun/nio/ch/EPoll;,EPoll.java\n");
  files->Write(DUMP_METHODS,
               "100.0000000000,00000001,wait,(J)V,000000C1,-1\n"
               "100.0000000000,00000002,notifyAll,()V,000000C1,-1\n"
               "100.0000000000,00000003,sleep,(J)V,000000C2,-1\n"
               "100.0000000000,00000004,join,()V,000000C2,-1\n"
               "100.0000000000,00000005,acquire,()V,000000C3,1;00000000;0000013E\n"
               "100.0000000000,00000006,release,()V,000000C3,1;00000000;000001B0\n"
               "100.0000000000,00000010,price,()V,000000C4,2;00000000;00000058;00000010;0000005A\n"
               "100.0000000000,00000011,run,()V,000000C4,1;00000000;00000014\n"
               "100.0000000000,00000012,reserve,()V,000000C5,1;00000000;0000002A\n"
               "100.0000000000,00000013,get,()V,000000C6,1;00000000;0000023B\n"
               "100.0000000000,00000014,wait,()I,000000C7,-1\n");
  files->Write(DUMP_OBJECTS,
               "100.0000000000,00000001,000000C2\n"
               "100.0000000000,00000002,000000C2\n"
               "100.0000000000,00000003,000000C2\n"
               "100.0000000000,00000004,000000C2\n"
               "100.0000000000,000000A1,000000C5\n"
               "100.0000000000,000000A2,000000C1\n"
               "100.0000000000,000000A3,000000C3\n");
  files->Write(
      DUMP_EVENTS,
      "100.0000000000,ThreadStarted,00000001,main\n"
      "100.1000000000,ThreadStarted,00000002,worker-1\n"
      "100.1000000000,ThreadStarted,00000003,worker-2\n"
      "100.2000000000,ThreadStarted,00000004,poller\n"
      // worker-1 is blocked on A1 for 0.5 s and 0.25 s in reserve, worker-2 for 0.125 s in price
      "101.0000000000,MonitorContendedEnter,00000002,000000A1,00000003,"
      "2;00000012;00000000;00000011;00000000\n"
      "101.5000000000,MonitorContendedEntered,00000002,000000A1,"
      "2;00000012;00000000;00000011;00000000\n"
      "102.0000000000,MonitorContendedEnter,00000002,000000A1,00000000,"
      "2;00000012;00000000;00000011;00000000\n"
      "102.2500000000,MonitorContendedEntered,00000002,000000A1,"
      "2;00000012;00000000;00000011;00000000\n"
      "103.0000000000,MonitorContendedEnter,00000003,000000A1,00000002,"
      "2;00000010;00000000;00000011;00000000\n"
      "103.1250000000,MonitorContendedEntered,00000003,000000A1,"
      "2;00000010;00000000;00000011;00000000\n"
      // main waits for 1.5 s
      "104.0000000000,ObjectWait,00000001,000000A2,2;00000001;FFFFFFFF;00000011;00000000\n"
      "105.0000000000,ObjectNotifyAll,00000002,000000A2,1;00000002;FFFFFFFF\n"
      "105.5000000000,ObjectWaited,00000001,000000A2,2;00000001;FFFFFFFF;00000011;00000000\n"
      // worker-1 sleeps for 0.5 s, worker-2 is blocked on the semaphore for 0.75 s
      "106.0000000000,ThreadSleep,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
      "106.0000000000,SemaphoreAcquire,00000003,000000A3,2;00000005;00000000;00000010;00000010\n"
      "106.5000000000,ThreadSlept,00000002,2;00000003;FFFFFFFF;00000012;00000000\n"
      "106.7000000000,SemaphoreRelease,00000002,000000A3,1;00000006;00000000\n"
      "106.7500000000,SemaphoreAcquired,00000003,000000A3,2;00000005;00000000;00000010;00000010\n"
      // These never end: main joins for 3 s, worker-1 is blocked for 2 s, worker-2 for 1.5 s.
      "107.0000000000,ThreadJoin,00000001,00000002,2;00000004;00000000;00000011;00000000\n"
      "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003,"
      "2;00000012;00000000;00000011;00000000\n"
      "108.5000000000,MonitorContendedEnter,00000003,000000A2,00000002,"
      "2;00000010;00000000;00000011;00000000\n"
      "109.0000000000,ThreadEnded,00000004\n");
  // worker-1 uses 300 ms in price:90; 100 ms, then it is blocked; 200 ms in HashMap.get, called by
  // price:88; 390 ms in price:88, called by price:90. poller uses 10 ms; it is always in epoll.
  files->Write(DUMP_SAMPLES,
               "101.0000000000,Tick,1,1000000,4\n"
               "101.0000000000,Stack,1,2;00000010;00000010;00000011;00000000\n"
               "101.0000000000,Sample,00000002,Runnable,300000000,1\n"
               "101.0000000000,Stack,3,1;00000014;FFFFFFFF\n"
               "101.0000000000,Sample,00000004,Native,10000000,3\n"
               "102.0000000000,Tick,2,3000000,4\n"
               "102.0000000000,Stack,4,2;00000012;00000000;00000011;00000000\n"
               "102.0000000000,Sample,00000002,Blocked,100000000,4\n"
               "103.0000000000,Tick,3,1000000,4\n"
               "103.0000000000,Stack,2,3;00000013;00000000;00000010;00000000;00000011;00000000\n"
               "103.0000000000,Sample,00000002,Runnable,200000000,2\n"
               "104.0000000000,Tick,4,1000000,4\n"
               "104.0000000000,Stack,5,3;00000010;00000000;00000010;00000010;00000011;00000000\n"
               "104.0000000000,Sample,00000002,Runnable,390000000,5\n"
               "104.0000000000,Sample,00000003,Runnable,-1,1\n"
               "105.0000000000,Tick,5,1000000,4\n"
               "105.0000000000,Sample,00000003,Waiting,0,4\n");
  files->Write(DUMP_INFO,
               "format=1\n"
               "orca.version=0.1.0\n"
               "pid=4711\n"
               "java.version=17.0.9\n"
               "command=java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService\n"
               "options=out,events=all,interval=20ms,engine=weave\n"
               "start.monotonic=100.0000000000\n"
               "start.utc=2026-11-20T11:37:36.123456789Z\n"
               "end.monotonic=110.0000000000\n"
               "end.reason=exit\n"
               "events.written=22\n"
               "events.dropped=0\n"
               "events.waited=0\n"
               "samples.written=7\n");
}

// Adds the threshold 10ms to the small dump, and sums of the calls that it left out. In ms,
// together and the longest: 1,000 waits for A1 in reserve (4000, 9), 500 calls of wait on A2 in run
// (2000, 9.5), 200 calls of acquire of A3 in price (200, 5), 10 of sleep (50, 6).
inline void AddShortCalls(DumpFiles *files) {
  files->Replace(DUMP_INFO, "engine=weave", "engine=weave,threshold=10ms");
  files->Append(DUMP_INFO, "threshold.pairs=1710\n");
  files->Append(DUMP_COUNTS,
                "105.0000000000,MonitorContendedEnter,000000A1,400,1000000000,9000000,"
                "2;00000012;00000000;00000000;00000000\n"
                "109.5000000000,MonitorContendedEnter,000000A1,600,3000000000,8000000,"
                "2;00000012;00000000;00000000;00000000\n"
                "109.5000000001,ObjectWait,000000A2,500,2000000000,9500000,"
                "3;00000001;FFFFFFFF;00000011;00000000;00000000;00000000\n"
                "109.5000000002,SemaphoreAcquire,000000A3,200,200000000,5000000,"
                "3;00000005;00000000;00000010;00000010;00000000;00000000\n"
                "109.5000000003,ThreadSleep,00000000,10,50000000,6000000,"
                "3;00000003;FFFFFFFF;00000012;00000000;00000000;00000000\n");
}

// A filter of a time range, without patterns.
inline struct filter MakeFilter(ticks_t from = 0, ticks_t to = FILTER_NO_END) {
  struct filter filter = {};
  filter.from = from;
  filter.to = to;
  return filter;
}

// The small dump and its model. The object owns both.
class SmallModel {
 public:
  SmallModel() { WriteSmallDump(&files); }
  ~SmallModel() { Forget(); }

  // Reads the current files into `model`; only what matches the filter counts. What an earlier call
  // has read is gone.
  struct model *Read(const struct filter *filter = nullptr) {
    struct builder why = {};
    Forget();
    dump = dump_open(files.Prefix().c_str(), &why);
    EXPECT_NE(dump, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    EXPECT_TRUE(model_read(&model, dump, filter, ALL_ANALYSES));
    return &model;
  }

  DumpFiles files;
  struct dump *dump = nullptr;
  struct model model = {};

 private:
  void Forget() {
    model_free(&model);
    dump_close(dump);
    dump = nullptr;
  }
};

// Returns the rows of a thread in a sorted profile, and their number.
inline const struct profile_row *FindProfileRows(const struct profile &p, uint32_t thread,
                                                 size_t *out_num) {
  const void *rows = rows_of(p.rows, p.num, sizeof *p.rows, thread, out_num);
  return static_cast<const struct profile_row *>(rows);
}

constexpr ticks_t kSecond = TICKS_PER_S;
constexpr uint64_t kMs = 1000000;  // in nanoseconds
