#pragma once
// A reader at the end of the writer: a FIFO in place of PREFIX.orca, whose lines are checked and
// thrown away.
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

class Sink {
 public:
  // Makes the FIFO, for events of threads 1 … num_threads, whose objects count from 0 for each.
  // `lossy`: some may be missing.
  Sink(const std::string &path, unsigned num_threads, bool lossy);

  // Begins to read, once the writer has opened its end.
  void Start();

  // Waits for the end of the lines. Those of .orca in all, ThreadStarted and ThreadEnded among
  // them.
  uint64_t Finish();

  // What was not as it should be: times that do not ascend, events of a thread that are missing,
  // come twice or in another order, lines that are no lines.
  uint64_t Faults() const { return faults_; }

 private:
  void Read();
  size_t TakeLines(const char *data, size_t len);
  void TakeLine(const char *line, size_t len);
  void TakeEvent(const char *thread_and_object);

  int fd_ = -1;
  bool lossy_;
  std::vector<uint32_t> next_;  // object that is to come next of each thread
  std::string last_time_;
  uint64_t lines_ = 0, faults_ = 0;
  std::thread reader_;
};
