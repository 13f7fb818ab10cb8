#pragma once
// A recording in three sets of files, in a folder that the destructor removes. The third set is the
// one being written. A wait begins in the first set and ends in the second. The thread lives
// through all sets.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/dump_files.h"

class RotatedFiles {
 public:
  RotatedFiles() {
    std::string path = testing::TempDir() + "/rotated_XXXXXX";
    folder_ = mkdtemp(path.data()) == nullptr ? "" : path;
    EXPECT_NE(folder_, "");
    WriteFirst(Prefix() + ".0001");
    WriteSecond(Prefix() + ".0002");
    WriteThird(Prefix());
  }
  ~RotatedFiles() { std::filesystem::remove_all(folder_); }

  const std::string &Folder() const { return folder_; }
  std::string Prefix() const { return folder_ + "/out"; }

  void Write(const std::string &prefix, enum dump_file file, const std::string &text) const {
    std::ofstream(prefix + dump_suffixes[file], std::ios::binary) << text;
  }
  void Replace(const std::string &prefix, enum dump_file file, const std::string &from,
               const std::string &to) const {
    std::ifstream in(prefix + dump_suffixes[file]);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    Write(prefix, file, text.replace(at, from.size(), to));
  }
  void Remove(const std::string &prefix) const {
    for (const char *suffix : dump_suffixes) std::filesystem::remove(prefix + suffix);
  }
  // Renames the files of a set, as the writer does when it finishes the set.
  void Rename(const std::string &from, const std::string &to) const {
    for (int file = 0; file < NUM_DUMP_FILES; file++) Rename(from, to, file);
  }
  void Rename(const std::string &from, const std::string &to, int file) const {
    std::filesystem::rename(from + dump_suffixes[file], to + dump_suffixes[file]);
  }

  // The text of .info of a set. With an empty reason it has no keys of the end.
  static std::string Info(unsigned number, const std::string &start, unsigned threads,
                          unsigned samples, const std::string &reason, unsigned events,
                          unsigned samples_written) {
    std::string text =
        "format=1\norca.version=0.1\npid=4711\njava.version=17.0.1\ncommand=A\n"
        "options=events=all,overflow=wait\nstart.monotonic=" +
        start + "\nstart.utc=2026-11-20T11:37:3" + std::to_string(number) +
        ".123456789Z\nset.number=" + std::to_string(number) +
        "\nset.recording=99.0000000000\nset.threads=" + std::to_string(threads) +
        "\nset.samples=" + std::to_string(samples) + "\n";
    if (reason.empty()) return text;
    return text + "end.monotonic=300.0000000000\nend.reason=" + reason +
           "\nevents.written=" + std::to_string(events) +
           "\nevents.dropped=0\nevents.waited=0\nsamples.written=" +
           std::to_string(samples_written) + "\nsampler.pause.total=5\n";
  }

 private:
  void WriteDefinitions(const std::string &prefix, int set) const {
    std::string at = std::to_string(100 * set);
    Write(prefix, DUMP_CLASSES, at + ".0000000001,000000C1,LA;,A.java\n");
    Write(prefix, DUMP_METHODS, at + ".0000000002,00000001,wait,(J)V,000000C1,-1\n");
    Write(prefix, DUMP_OBJECTS,
          at + ".0000000003,0000000A,000000C1\n" + at + ".0000000004,0000000B,000000C1\n");
  }
  void WriteFirst(const std::string &prefix) const {
    WriteDefinitions(prefix, 1);
    Write(prefix, DUMP_EVENTS,
          "100.0000000005,ThreadStarted,0000000A,one\n"
          "100.0000000006,ObjectWait,0000000A,0000000B,1;00000001;FFFFFFFF\n");
    Write(prefix, DUMP_SAMPLES,
          "100.0000000005,Tick,1,5,1\n100.0000000005,Stack,1,1;00000001;FFFFFFFF\n"
          "100.0000000005,Sample,0000000A,Waiting,700,1\n");
    Write(prefix, DUMP_COUNTS, "100.0000000006,LockAcquired,0000000B,3\n");
    Write(prefix, DUMP_INFO, Info(1, "99.0000000000", 0, 0, "rotated", 2, 1));
  }
  void WriteSecond(const std::string &prefix) const {
    WriteDefinitions(prefix, 2);
    Write(prefix, DUMP_EVENTS,
          "200.0000000005,ThreadStarted,0000000A,one\n"
          "200.0000000006,ObjectWaited,0000000A,0000000B,1;00000001;FFFFFFFF\n"
          "200.0000000007,ObjectNotify,0000000A,0000000B,0\n");
    Write(prefix, DUMP_SAMPLES,
          "200.0000000005,Tick,1,0,1\n200.0000000006,Stack,2,1;00000001;FFFFFFFF\n"
          "200.0000000006,Sample,0000000A,Waiting,0,2\n200.0000000007,Tick,2,5,1\n"
          "200.0000000007,Sample,0000000A,Runnable,50,2\n");
    Write(prefix, DUMP_COUNTS,
          "200.0000000006,LockAcquired,0000000B,1\n200.0000000007,LockAcquired,0000000B,2\n");
    Write(prefix, DUMP_INFO, Info(2, "200.0000000000", 1, 3, "rotated", 3, 2));
  }
  void WriteThird(const std::string &prefix) const {
    WriteDefinitions(prefix, 3);
    Write(prefix, DUMP_EVENTS,
          "300.0000000005,ThreadStarted,0000000A,one\n"
          "300.0000000006,ThreadEnded,0000000A\n");
    Write(prefix, DUMP_SAMPLES,
          "300.0000000005,Tick,2,0,1\n300.0000000006,Stack,3,1;00000001;FFFFFFFF\n"
          "300.0000000006,Sample,0000000A,Runnable,0,3\n300.0000000007,Tick,3,5,1\n"
          "300.0000000007,Sample,0000000A,Terminated,-1,0\n");
    Write(prefix, DUMP_COUNTS, "");
    Write(prefix, DUMP_INFO, Info(3, "300.0000000000", 1, 3, "exit", 2, 2));
  }

  std::string folder_;
};
