#pragma once
// A recorder in a fake JVM, with what it recorded as lines: those of the files, without their
// times. Taking lines plays the writer: it gives back what the records own.
#include <memory>
#include <string>
#include <vector>

#include "agent/recorder/recorder.h"
#include "agent/thread/context.h"
#include "tests/support/fake_jvm.h"

using Lines = std::vector<std::string>;

class Recording {
 public:
  // `options` as behind the prefix: "owners=all,depth=3".
  explicit Recording(const std::string &options = "");
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  // The next recording begins, in the same process.
  void Again(const std::string &options = "");

  FakeJvm jvm;
  jvmtiEnv *const ti = jvm.Ti();
  JNIEnv *const jni = jvm.Jni();
  struct recorder *const recorder;
  struct threads *const threads;
  struct meta *const meta = &recorder->meta;

  // What was recorded since the last time, in order of time: lines as in .orca, and as in .samples
  // but that a Sample has its stack in place of the stack's number.
  Lines Records();

  // Records, without ThreadStarted and ThreadEnded.
  Lines Events();

  // What was defined since the last time.
  Lines Classes() { return Take(&meta->class_box); }
  Lines Methods() { return Take(&meta->method_box); }
  Lines Objects() { return Take(&meta->object_box); }

  // Fills every lane until nothing more goes in.
  void FillQueue();

 private:
  static Lines Take(struct outbox *box);
};
