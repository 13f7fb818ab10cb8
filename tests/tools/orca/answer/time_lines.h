#pragma once
// A recording whose threads wait, sleep, run or are in I/O, for the sentences about their time.
#include <map>
#include <string>

#include "tests/tools/orca/answer/said.h"

inline const char kReserve[] = "2;00000012;00000000;00000011;00000000";
inline const char kPrice[] = "2;00000010;00000000;00000011;00000000";

// A recording from 100 s to 110 s. Its threads live from the start to the end.
class TimeLines : public testing::Test {
 protected:
  TimeLines() {
    small_.files.Write(DUMP_EVENTS, "");
    small_.files.Write(DUMP_SAMPLES, "");
  }

  void Start(uint32_t thread, const std::string &name) {
    events_[0] += "100.0000000000,ThreadStarted," + Hash(thread) + "," + name + "\n";
  }
  // Times are in seconds from 100 s on; `end` 0: never.
  void Call(const std::string &begin, const std::string &end, uint32_t thread, double from,
            double to, const std::string &stack, const std::string &object = ",000000A2") {
    Line(from, begin + "," + Hash(thread) + object + "," + stack);
    if (to > 0) Line(to, end + "," + Hash(thread) + object + "," + stack);
  }
  void Get(uint32_t thread, double from, double to, const std::string &stack) {
    Call("FutureAwait", "FutureAwaited", thread, from, to, stack);
  }
  // The next event of the thread begins a call that is older than the recording.
  void OpenCall(uint32_t thread, double at) { Line(at, "OpenCall," + Hash(thread)); }
  void Sleep(uint32_t thread, double from, double to, const std::string &stack) {
    Call("ThreadSleep", "ThreadSlept", thread, from, to, stack, "");
  }
  void Ended(uint32_t thread, double at) { Line(at, "ThreadEnded," + Hash(thread)); }
  void Blocked(uint32_t thread, double from, double to) {
    Line(from, "MonitorContendedEnter," + Hash(thread) + ",000000A1,00000000," + kReserve);
    Line(to, "MonitorContendedEntered," + Hash(thread) + ",000000A1,0");
  }
  // The thread uses CPU time, or waits in I/O, in every second, until `to`.
  void Sampled(uint32_t thread, double from, double to, const std::string &state, int64_t cpu_ms,
               const std::string &stack) {
    std::string number = std::to_string(++num_stacks_);
    for (double at = from; at <= to; at += 0.5) {
      SampleLine(at, "Tick," + std::to_string(++num_ticks_) + ",1000,4");
      if (at == from) SampleLine(at, "Stack," + number + "," + stack);
      SampleLine(at, "Sample," + Hash(thread) + "," + state + "," +
                         std::to_string(cpu_ms * 1000000) + "," + number);
    }
  }
  // The thread has one line, which is true to the end.
  void Stands(uint32_t thread, double from, const std::string &stack) {
    Sampled(thread, from, from, "Native", 100, stack);
  }
  // Rounds of the sampler in which nothing changes.
  void Rounds(double from, double to) {
    for (double at = from; at <= to; at += 0.5) {
      SampleLine(at, "Tick," + std::to_string(++num_ticks_) + ",1000,4");
    }
  }
  void SampleLine(double at, const std::string &line) {
    samples_[at] += Time(at) + "," + line + "\n";
  }

  // Reads the model. The rest says what the report contains of it.
  struct model *Read(const struct filter *filter = nullptr) {
    for (const auto &event : events_) small_.files.Append(DUMP_EVENTS, event.second);
    for (const auto &sample : samples_) small_.files.Append(DUMP_SAMPLES, sample.second);
    return small_.Read(filter);
  }
  std::string SayKinds(const Kinds &kinds, const struct filter *filter = nullptr) {
    return Say(Read(filter), kinds);
  }

  SmallModel small_;

 private:
  static std::string Hash(uint32_t hash) {
    char text[9];
    snprintf(text, sizeof text, "%08X", hash);
    return text;
  }
  static std::string Time(double at) {
    char text[30];
    snprintf(text, sizeof text, "%.10f", 100 + at);
    return text;
  }
  void Line(double at, const std::string &line) { events_[at] += Time(at) + "," + line + "\n"; }

  std::map<double, std::string> events_, samples_;
  int num_stacks_ = 0, num_ticks_ = 0;
};

// The same with a method that waits for I/O.
class IoLines : public TimeLines {
 protected:
  IoLines() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Lsun/nio/ch/SocketDispatcher;,S.java\n");
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,read0,()V,000000D1,-1\n");
  }
  const std::string kRead = "3;00000021;FFFFFFFF;00000012;00000000;00000011;00000000";
};
