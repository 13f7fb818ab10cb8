#pragma once
// The agent's recorder (with its queue) and writer in a process without a JVM. The caller sends
// events that look like those of a JVM, and the writer writes them to files.
#include <cstdint>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "agent/recorder/recorder.h"
#include "agent/writer/writer.h"

class Pipe {
 public:
  // The stack of each event has `depth` frames. A pipe lives as long as the process. A pipe that
  // fails prints one line and ends the process.
  explicit Pipe(int depth);
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  // Starts a recording of `threads` threads into PREFIX.*. `overflow` is the value of the agent's
  // option of that name.
  void StartRecording(const std::string &prefix, unsigned threads, const char *overflow);

  // Records an ObjectNotify on `object` (an identity hash) by thread number `thread`, from 0. Any
  // thread may call it, one for each number.
  void PutEvent(unsigned thread, uint32_t object) {
    struct record r = event_;
    r.thread = thread + 1;
    r.object = object;
    recorder_put(&recorder_, LaneOf(thread), &r);
  }

  // Stops the recording after all events are written. Returns the number of events that the writer
  // counted. It includes ThreadStarted and ThreadEnded of each thread.
  uint64_t StopRecording();

  uint64_t NumWaits() const { return recorder_.figures.events_waited; }
  uint64_t NumDropped() const { return recorder_.figures.events_dropped; }
  struct queue *Queue() {
    return recorder_.queue;
  }
  unsigned LaneOf(unsigned thread) const { return thread % queue_num_lanes(recorder_.queue); }

  // The only object that .objects defines. Use it for files that `orca check` reads.
  static constexpr uint32_t kMonitor = 0x15DB9742;

 private:
  void PutDefinitions();
  void PutStart(unsigned thread);
  void PutEnd(unsigned thread);

  struct recorder recorder_ = {};
  struct writer *writer_;
  struct lock_counts *lock_counts_;
  struct stack stack_ = {};
  std::string stack_text_;
  struct record event_ = {};
  unsigned threads_ = 0;
};
