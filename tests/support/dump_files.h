#pragma once
// Writes the files of a dump from strings to a temporary folder, which the destructor deletes.
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tools/orca/dump/dump.h"

class DumpFiles {
 public:
  DumpFiles() {
    std::string path = testing::TempDir() + "/dump_XXXXXX";
    folder_ = mkdtemp(path.data()) == nullptr ? "" : path;
    EXPECT_NE(folder_, "");
  }
  DumpFiles(const DumpFiles &) = delete;
  DumpFiles &operator=(const DumpFiles &) = delete;
  ~DumpFiles() {
    for (const char *suffix : dump_suffixes) unlink((Prefix() + suffix).c_str());
    rmdir(folder_.c_str());
  }

  const std::string &Folder() const { return folder_; }
  std::string Prefix() const { return folder_ + "/out"; }
  std::string Path(enum dump_file file) const { return Prefix() + dump_suffixes[file]; }

  void Write(enum dump_file file, const std::string &text) {
    texts_[file] = text;
    std::ofstream(Path(file), std::ios::binary) << text;
  }
  void Remove(enum dump_file file) { unlink(Path(file).c_str()); }

  const std::string &Text(enum dump_file file) const { return texts_[file]; }

  // Replaces the first occurrence of `from`. Fails the test if the file does not contain it.
  void Replace(enum dump_file file, const std::string &from, const std::string &to) {
    std::string text = texts_[file];
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    Write(file, text.replace(at, from.size(), to));
  }
  void Append(enum dump_file file, const std::string &more) { Write(file, texts_[file] + more); }

 private:
  std::string folder_;
  std::array<std::string, NUM_DUMP_FILES> texts_;
};

// Writes a valid dump that uses every kind of event and every exception that the format allows.
inline void WriteGoodDump(DumpFiles *files) {
  files->Write(DUMP_CLASSES,
               "100.0000000001,000000C1,Ljava/lang/Object;,Object.java\n"
               "100.0000000001,000000C2,Ljava/lang/Thread;,Thread.java\n"
               "100.0000000002,000000C3,Ljava/util/concurrent/Semaphore;,\n"
               "100.0000000003,000000C4,LPingPong;,PingPong.java\n"
               "100.0000000004,000000C4,LPingPong;,PingPong.java\n");
  files->Write(DUMP_METHODS,
               "100.0000000005,00000001,wait,(J)V,000000C1,-1\n"
               "100.0000000005,00000002,notify,()V,000000C1,-1\n"
               "100.0000000005,00000003,notifyAll,()V,000000C1,0\n"
               "100.0000000005,00000004,start,()V,000000C2,-1\n"
               "100.0000000005,00000005,join,()V,000000C2,-1\n"
               "100.0000000005,00000006,sleep,(J)V,000000C2,-1\n"
               "100.0000000005,00000007,acquireUninterruptibly,()V,000000C3,-1\n"
               "100.0000000005,00000008,release,()V,000000C3,-1\n"
               "100.0000000006,00000009,main,([Ljava/lang/String;)V,000000C4,"
               "2;00000000;0000000A;00000008;0000000B\n");
  files->Write(DUMP_OBJECTS,
               "100.0000000007,0000000A,000000C2\n"
               "100.0000000007,0000000B,000000C2\n"
               "100.0000000008,0000000C,000000C1\n"
               "100.0000000008,0000000D,000000C3\n"
               "100.0000000009,0000000B,000000C2\n");
  files->Write(
      DUMP_EVENTS,
      "200.0000000001,ThreadStarted,0000000A,main\n"
      "200.0000000002,ThreadStart,0000000A,0000000B,2;00000004;00000001;00000009;00000002\n"
      "200.0000000003,ThreadStarted,0000000B,one\\u002C two\n"
      "200.0000000004,MonitorContendedEnter,0000000B,0000000C,0000000A,1;00000009;00000008\n"
      "200.0000000005,ObjectNotify,0000000A,0000000C,1;00000002;FFFFFFFF\n"
      "200.0000000006,ObjectNotifyAll,0000000A,0000000C,1;00000003;FFFFFFFF\n"
      "200.0000000007,ObjectWait,0000000A,0000000C,1;00000001;FFFFFFFF\n"
      "200.0000000008,MonitorContendedEntered,0000000B,0000000C,1;00000009;00000008\n"
      "200.0000000009,SemaphoreAcquire,0000000B,0000000D,1;00000007;00000000\n"
      "200.0000000010,SemaphoreAcquired,0000000B,0000000D,1;00000007;00000000\n"
      "200.0000000011,SemaphoreRelease,0000000B,0000000D,1;00000008;00000000\n"
      "200.0000000012,ThreadSleep,0000000B,1;00000006;FFFFFFFF\n"
      "200.0000000013,ThreadSlept,0000000B,1;00000006;FFFFFFFF\n"
      "200.0000000014,MonitorContendedEnter,0000000A,0000000C,00000000,0\n"
      "200.0000000015,MonitorContendedEntered,0000000A,0000000C,0\n"
      "200.0000000016,ObjectWaited,0000000A,0000000C,1;00000001;FFFFFFFF\n"
      "200.0000000017,ThreadJoin,0000000A,0000000B,1;00000005;00000000\n"
      "200.0000000018,ThreadEnded,0000000B\n"
      "200.0000000019,ThreadJoined,0000000A,0000000B,1;00000005;00000000\n"
      "200.0000000020,ThreadStarted,0000000B,again\n"
      "200.0000000021,ThreadSleep,0000000B,1;00000006;FFFFFFFF\n");
  files->Write(DUMP_SAMPLES,
               "200.0000000001,Tick,1,1500,2\n"
               "200.0000000001,Stack,1,1;00000009;00000008\n"
               "200.0000000001,Sample,0000000A,Runnable,700,1\n"
               "200.0000000001,Sample,0000000B,Blocked,-1,1\n"
               "200.0000000002,Tick,3,1500,2\n"
               "200.0000000002,Sample,0000000A,Runnable,800,1\n"
               "200.0000000002,Sample,0000000B,Terminated,0,0\n"
               "200.0000000003,Tick,4,1500,2\n"
               "200.0000000003,Stack,2,0\n"
               "200.0000000003,Sample,0000000B,Native,0,2\n");
  files->Write(DUMP_INFO,
               "format=1\n"
               "orca.version=0.1\n"
               "pid=4711\n"
               "java.version=17.0.1\n"
               "command=PingPong a,b\n"
               "options=events=all,interval=20ms,overflow=wait\n"
               "start.monotonic=99.0000000000\n"
               "start.utc=2026-11-20T11:37:36.123456789Z\n"
               "end.monotonic=300.0000000000\n"
               "end.reason=exit\n"
               "events.written=21\n"
               "events.dropped=0\n"
               "events.waited=0\n"
               "samples.written=5\n"
               "sampler.pause.total=4500\n");
  files->Write(DUMP_COUNTS,
               "200.0000000005,SemaphoreAcquired,0000000D,2\n"
               "200.0000000011,SemaphoreAcquired,0000000D,3\n"
               "200.0000000012,SemaphoreAcquired,0000000D,3\n");
}

// Returns how many lines the faults are about, also those that share a row.
inline uint64_t CountFaults(const struct faults *f) {
  uint64_t count = 0;
  for (size_t i = 0; i < f->num; i++) count += f->rows[i].count;
  return count;
}
