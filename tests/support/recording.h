#pragma once
// A recorder in a fake JVM. Its functions act as the writer: they return records as lines of the
// files, without the times, and release the memory that the records own.
#include <memory>
#include <string>
#include <vector>

#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "tests/support/fake_jvm.h"

using Lines = std::vector<std::string>;

class Recording {
 public:
  // `options` are the agent's options without the prefix: "owners=all,depth=3".
  explicit Recording(const std::string &options = "");
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  // Begins the next recording in the same process.
  void Again(const std::string &options = "");

  FakeJvm jvm;
  jvmtiEnv *const ti = jvm.Ti();
  JNIEnv *const jni = jvm.Jni();
  struct recorder *const recorder;
  struct threads *const threads;
  struct meta *const meta = &recorder->meta;

  // Returns the lines of .orca and .samples recorded since the last call, in order of time. A
  // Sample line has its stack instead of the stack's number.
  Lines Records();

  // Like Records, without ThreadStarted and ThreadEnded.
  Lines Events();

  // These functions return the definitions since the last call.
  Lines Classes() { return Take(&meta->class_box); }
  Lines Methods() { return Take(&meta->method_box); }
  Lines Objects() { return Take(&meta->object_box); }

  // Fills every lane until it accepts no more records.
  void FillQueue();

 private:
  static Lines Take(struct outbox *box);
};
