#pragma once
// Reads the lines that the writer writes, checks them and discards them. The writer's file
// PREFIX.orca is a FIFO, which a thread of the sink reads.
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

class Sink {
 public:
  // Makes the FIFO `path`. The sink expects events of the threads 1 to num_threads. The objects of
  // a thread's events count up from 0. If `can_lose_events`, objects may be missing.
  Sink(const std::string &path, unsigned num_threads, bool can_lose_events);

  // Starts the thread that reads. Call it after the writer has opened the FIFO.
  void StartReading();

  // Waits until the writer closes the FIFO. Returns the number of lines, which include
  // ThreadStarted and ThreadEnded.
  uint64_t WaitForEnd();

  // The number of faults: times that do not ascend, events that are missing, repeated or out of
  // order, and lines that are not complete. Call it after WaitForEnd.
  uint64_t NumFaults() const { return faults_; }

 private:
  void ReadLines();
  size_t CheckLines(const char *data, size_t len);
  void CheckLine(const char *line, size_t len);
  void CheckEvent(const char *thread_and_object);

  int fd_ = -1;
  bool can_lose_events_;
  std::vector<uint32_t> next_object_;  // expected next, by thread
  std::string last_time_;
  uint64_t lines_ = 0, faults_ = 0;
  std::thread reader_;
};
