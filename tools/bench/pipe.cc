#include "tools/bench/pipe.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/base/clock.h"
#include "agent/event/line.h"

namespace {

constexpr uint32_t kClass = 0xC1, kMethod = 1;

[[noreturn]] void Fail(const char *message) {
  fprintf(stderr, "bench: %s\n", message);
  exit(1);
}

void PutLine(struct outbox *box, uint32_t id, uint32_t class_id, struct builder *body) {
  outbox_lock(box);
  bool is_put = outbox_put(box, id, class_id, body);
  outbox_unlock(box);
  builder_free(body);
  if (!is_put) Fail("out of memory");
}

}  // namespace

Pipe::Pipe(int depth) : writer_(writer_new()), lock_counts_(lock_counts_new()) {
  if (writer_ == nullptr || lock_counts_ == nullptr ||
      !recorder_init(&recorder_, writer_wake, writer_)) {
    Fail("out of memory");
  }
  std::vector<struct frame> frames(static_cast<size_t>(depth), {kMethod, LOCATION_NATIVE});
  struct builder text = {};
  stack_write(&text, frames.data(), frames.size());
  stack_text_.assign(text.data, text.len);
  builder_free(&text);
  stack_.text = stack_text_.data();
  stack_.text_len = stack_text_.size();
  stack_.num_frames = static_cast<uint32_t>(depth);
  event_.kind = RECORD_EVENT;
  event_.event = EVENT_OBJECT_NOTIFY;
  event_.stack = &stack_;
}

void Pipe::PutDefinitions() {
  struct builder b = {};
  class_body_write(&b, kClass, "Ljava/lang/Object;", "Object.java");
  PutLine(&recorder_.meta.class_box, kClass, 0, &b);
  method_body_write(&b, kMethod, "notify", "()V", kClass, nullptr, -1);
  PutLine(&recorder_.meta.method_box, kMethod, kClass, &b);
  object_body_write(&b, kMonitor, kClass);
  PutLine(&recorder_.meta.object_box, kMonitor, kClass, &b);
  for (unsigned thread = 0; thread < threads_; thread++) {
    object_body_write(&b, thread + 1, kClass);
    PutLine(&recorder_.meta.object_box, thread + 1, kClass, &b);
  }
}

void Pipe::PutStart(unsigned thread) {
  struct record r = {};
  r.event = EVENT_THREAD_STARTED;
  r.thread = thread + 1;
  r.u.name.text = strdup("blast");
  r.u.name.len = r.u.name.text == nullptr ? 0 : strlen(r.u.name.text);
  recorder_put(&recorder_, LaneOf(thread), &r);
}

void Pipe::PutEnd(unsigned thread) {
  struct record r = {};
  r.event = EVENT_THREAD_ENDED;
  r.thread = thread + 1;
  recorder_put(&recorder_, LaneOf(thread), &r);
}

void Pipe::StartRecording(const std::string &prefix, unsigned threads, const char *overflow) {
  threads_ = threads;
  static struct options options;
  char error[512];
  if (!options_parse((prefix + ",overflow=" + overflow).c_str(), &options, error, sizeof error)) {
    Fail(error);
  }
  recorder_begin(&recorder_, &options);
  if (!writer_open(writer_, prefix.c_str(), nullptr, error, sizeof error)) Fail(error);
  struct writer_input input = {};
  input.queue = recorder_.queue;
  input.classes = &recorder_.meta.class_box;
  input.methods = &recorder_.meta.method_box;
  input.objects = &recorder_.meta.object_box;
  input.defined_objects = recorder_.meta.objects;
  input.lock_counts = lock_counts_;
  input.figures = &recorder_.figures;
  input.stall = &recorder_.stall;
  input.is_recording = &recorder_.on;
  input.options = &options;
  struct builder text = {};
  options_print(&options, &text);
  builder_char(&text, '\0');
  struct info_start start = {"none", "bench", text.data, clock_monotonic_ns(), clock_utc_ns(), 0,
                             0,      nullptr, {}};
  if (!writer_start(writer_, &input, &start)) Fail("the writer thread did not start");
  builder_free(&text);
  recorder_switch(&recorder_, true);
  PutDefinitions();
  for (unsigned thread = 0; thread < threads; thread++) PutStart(thread);
}

uint64_t Pipe::StopRecording() {
  for (unsigned thread = 0; thread < threads_; thread++) PutEnd(thread);
  if (!recorder_is_on(&recorder_)) Fail("the files cannot be written");
  recorder_switch(&recorder_, false);
  if (!writer_stop(writer_, "exit", 60 * NS_PER_S)) Fail("the writer did not stop within 60 s");
  return writer_counts(writer_).events;
}
