#pragma once
// The way of an event from a thread to the files, without a JVM: the agent's own recorder (its
// queue) and writer (its order, its lines), fed with events that a JVM could have sent.
#include <cstdint>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "agent/recorder/recorder.h"
#include "agent/writer/writer.h"

class Pipe {
 public:
  // The stack of each event has `depth` frames. A pipe lives as long as the process.
  explicit Pipe(int depth);
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  // Begins a recording of `threads` threads; `overflow` as the option of that name. What goes wrong
  // ends the program with one line.
  void Begin(const std::string &prefix, unsigned threads, const char *overflow);

  // An event of a thread, numbered from 0. Any thread.
  void Put(unsigned thread, uint32_t object) {
    struct record r = event_;
    r.thread = thread + 1;
    r.object = object;
    recorder_put(&recorder_, LaneOf(thread), &r);
  }

  // Ends it: all is written. Returns how many events there were in the files' own count, of which
  // 2 * threads are starts and ends of threads.
  uint64_t End();

  uint64_t Written() const { return writer_counts(writer_).events; }
  uint64_t Waited() const { return recorder_.waited; }
  uint64_t Dropped() const { return recorder_.dropped; }
  struct queue *Queue() {
    return recorder_.queue;
  }
  unsigned LaneOf(unsigned thread) const { return thread % queue_num_lanes(recorder_.queue); }

  // The object that stands in .objects, for files that shall be right.
  static constexpr uint32_t kMonitor = 0x15DB9742;

 private:
  void Define();
  void PutStart(unsigned thread);
  void PutEnd(unsigned thread);

  struct recorder recorder_ = {};
  struct writer *writer_;
  struct stack stack_ = {};
  std::string stack_text_;
  struct record event_ = {};
  unsigned threads_ = 0;
};
