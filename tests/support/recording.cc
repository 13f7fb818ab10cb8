#include "tests/support/recording.h"

#include <stdlib.h>

#include <algorithm>

#include "agent/event/line.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

// The agent never frees its tables. They stay reachable here, so LeakSanitizer does not report
// them.
template <typename T>
T *MakeImmortal() {
  static auto &all = *new std::vector<T *>;
  all.push_back(new T());
  return all.back();
}

std::string RemoveTime(const struct builder &line) {
  std::string text(line.data, line.len);
  size_t comma = text.find(',');
  return text.substr(comma + 1, text.size() - comma - 2);
}

std::string FormatStack(const struct stack *s) {
  return s == nullptr ? "0" : std::string(s->text, s->text_len);
}

std::string FormatEvent(const struct record &r, const std::string &stack, struct builder *b) {
  enum event_shape shape = event_infos[r.event].shape;
  struct event_line line = {};
  line.kind = static_cast<enum event_kind>(r.event);
  line.thread = r.thread;
  line.object = r.object;
  line.owner = r.owner;
  line.stack = {stack.data(), stack.size()};
  if (shape_has_outcome(shape)) {
    line.class_id = r.object;
    line.cpu_ns = r.u.cpu_ns;
  }
  if (shape_has_name(shape)) line.name = {r.u.name.text, r.u.name.len};
  if (shape_has_owner(shape)) line.owner = record_take_owner(&r);
  if (shape_has_parties(shape)) line.parties = r.u.parties;
  if (shape_has_executor(shape)) line.executor = r.u.executor;
  event_line_write(b, &line);
  if (shape_has_name(shape)) free(r.u.name.text);
  return RemoveTime(*b);
}

std::string FormatSample(const struct record &r, const std::string &stack, struct builder *b) {
  struct sample_line line = {};
  line.kind = SAMPLE_THREAD;
  line.thread = r.thread;
  line.state = static_cast<enum thread_state>(r.state);
  line.cpu_ns = r.u.cpu_ns;
  sample_line_write(b, &line);
  std::string text = RemoveTime(*b);
  return text.substr(0, text.rfind(',') + 1) + stack;
}

std::string FormatTick(const struct record &r) {
  return "Tick," + std::to_string(r.u.tick.number) + "," + std::to_string(r.u.tick.threads);
}

std::string FormatTask(const struct record &r) {
  return "Task," + std::to_string(r.thread) + "," + task_kind_infos[r.state].name + "," +
         std::to_string(r.u.task.cpu_ns) + "," + std::to_string(r.u.task.wait_ns) + "," +
         r.u.task.name;
}

std::string FormatTimes(const struct record &r) {
  char hash[16];
  snprintf(hash, sizeof hash, "%08X", r.thread);
  switch (r.kind) {
    case RECORD_PROCESS:
      return "Process," + std::to_string(r.u.process.cpu_ns) + "," +
             std::to_string(r.u.process.throttled_ns);
    case RECORD_TASK:
      return FormatTask(r);
    case RECORD_SCHED:
      return std::string("Sched,") + hash + "," + std::to_string(r.u.wait_ns);
    case RECORD_PAUSE:
      return "Pause,Gc," + std::to_string(r.u.pause_ns);
    default:
      return FormatTick(r);
  }
}

// Returns the record as a line, and releases the memory that the record owns.
std::string FormatRecord(const struct record &r) {
  struct builder b = {};
  std::string stack = FormatStack(r.stack);
  std::string text = r.kind == RECORD_EVENT    ? FormatEvent(r, stack, &b)
                     : r.kind == RECORD_SAMPLE ? FormatSample(r, stack, &b)
                                               : FormatTimes(r);
  builder_free(&b);
  stack_release(r.stack);
  if (r.kind == RECORD_TASK) free(r.u.task.name);
  return text;
}

std::vector<struct record> TakeAll(struct queue *q) {
  std::vector<struct record> all;
  for (unsigned lane = 0; lane < queue_num_lanes(q); lane++) {
    struct record r;
    uint64_t complete;
    while (queue_take(q, lane, &r, 1, &complete) == 1) all.push_back(r);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto &a, const auto &b) { return a.time_ns < b.time_ns; });
  return all;
}

bool IsThreadStartOrEnd(const std::string &line) {
  return line.rfind("ThreadStarted,", 0) == 0 || line.rfind("ThreadEnded,", 0) == 0;
}

struct options ParseOptions(const std::string &text) {
  struct options options;
  char error[1024] = "";
  EXPECT_TRUE(options_parse(("out," + text).c_str(), &options, error, sizeof error)) << error;
  return options;
}

}  // namespace

Recording::Recording(const std::string &options)
    : recorder(MakeImmortal<struct recorder>()), threads(MakeImmortal<struct threads>()) {
  EXPECT_TRUE(recorder_init(recorder, nullptr, nullptr));
  threads_init(threads, recorder);
  Again(options);
}

void Recording::Again(const std::string &options) {
  const struct options parsed = ParseOptions(options);
  recorder_switch(recorder, false);
  recorder_begin(recorder, &parsed);
  recorder_switch(recorder, true);
}

// Ends all threads and frees the queue: pointers in its old records would hide leaks from
// LeakSanitizer.
Recording::~Recording() {
  jvm.JoinAgentThreads();
  Records();
  for (FakeThread *thread : jvm.Threads()) {
    if (thread->storage == nullptr) continue;
    thread->alive = true;
    FakeJvm::Running running(thread);
    context_end(threads, ti, jni);
  }
  recorder_switch(recorder, false);
  Records();
  for (struct outbox *box : {&meta->class_box, &meta->method_box, &meta->object_box}) Take(box);
  queue_free(recorder->queue);
  recorder->queue = nullptr;
}

Lines Recording::Records() {
  Lines lines;
  for (const struct record &r : TakeAll(recorder->queue)) lines.push_back(FormatRecord(r));
  return lines;
}

Lines Recording::Events() {
  Lines lines = Records();
  lines.erase(std::remove_if(lines.begin(), lines.end(), IsThreadStartOrEnd), lines.end());
  return lines;
}

Lines Recording::Take(struct outbox *box) {
  Lines lines;
  for (struct definition *d = outbox_take(box), *next; d != nullptr; d = next) {
    next = d->next;
    EXPECT_EQ(d->body[d->len - 1], '\n');
    lines.emplace_back(d->body, d->len - 1);
    free(d);
  }
  return lines;
}

void Recording::FillQueue() {
  struct record r = {};
  r.kind = RECORD_TICK;
  for (unsigned lane = 0; lane < queue_num_lanes(recorder->queue); lane++) {
    while (queue_push(recorder->queue, lane, &r) != 0) continue;
  }
}
