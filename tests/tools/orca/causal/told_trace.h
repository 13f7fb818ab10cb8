#pragma once
// A trace of a recording that a test tells line by line:
//
//   ToldTrace told(
//       "0.0 a ThreadStarted\n"
//       "1.0 a MonitorContendedEnter L b\n"   // seconds, thread, event, object, owner
//       "2.0 a MonitorContendedEntered L\n"
//       "3.0 a Cpu 500\n");                   // milliseconds of CPU time; also Sched
//
// Threads and objects have names of letters; each thread runs in a method of its own name. The
// recording lasts from 0 s to the last line. `main` is the thread main.
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/dump_files.h"
#include "tools/orca/causal/trace/trace.h"

class ToldTrace {
 public:
  explicit ToldTrace(const std::string &text, const std::string &options = "",
                     const std::string &class_name = "com/acme/Shop") {
    Write(text, options, class_name);
    struct builder why = {};
    dump = dump_open(files_.Prefix().c_str(), &why);
    EXPECT_NE(dump, nullptr) << std::string(why.data, why.len);
    builder_free(&why);
    EXPECT_TRUE(model_read(&model, dump, nullptr, ALL_ANALYSES));
    EXPECT_EQ(dump_faults(dump)->num, 0u);
    EXPECT_TRUE(trace_read(&trace, &model, TRACE_MAX_OPS));
  }
  ~ToldTrace() {
    trace_free(&trace);
    model_free(&model);
    dump_close(dump);
  }

  uint32_t Hash(const std::string &name) { return hashes_[name]; }
  uint32_t Row(const std::string &thread) { return trace_find_thread(&trace, Hash(thread)) - 1; }
  ticks_t At(double seconds) const { return kStart + Ticks(seconds); }
  static ticks_t Ticks(double seconds) {
    return static_cast<ticks_t>(seconds * 1e6 + 0.5) * (TICKS_PER_S / 1000000);
  }

  // Returns the operations of a thread in their order.
  std::vector<const struct trace_op *> Ops(const std::string &thread) {
    std::vector<const struct trace_op *> ops;
    for (uint32_t at = trace.threads[Row(thread)].first; at != 0; at = trace.ops[at - 1].next) {
      ops.push_back(&trace.ops[at - 1]);
    }
    return ops;
  }

  struct dump *dump = nullptr;
  struct model model = {};
  struct trace trace = {};

 private:
  static constexpr ticks_t kStart = 100 * TICKS_PER_S;

  uint32_t Name(const std::string &name) {
    uint32_t next = static_cast<uint32_t>(hashes_.size()) + 0xA1;
    return hashes_.emplace(name, next).first->second;
  }

  static std::string Hex(uint32_t n) {
    char text[16];
    snprintf(text, sizeof text, "%08X", n);
    return text;
  }

  static std::string Time(double seconds) {
    char text[32];
    snprintf(text, sizeof text, "%.10f", 100 + seconds);
    return text;
  }

  static bool IsSample(const std::string &event) { return event == "Cpu" || event == "Sched"; }

  void Write(const std::string &text, const std::string &options, const std::string &class_name) {
    std::string events, samples, line;
    double seconds = 0;
    for (std::istringstream in(text); std::getline(in, line);) {
      std::istringstream words(line);
      std::string thread, event, object, owner;
      words >> seconds >> thread >> event >> object >> owner;
      (IsSample(event) ? samples : events) += MakeLine(seconds, thread, event, object, owner);
    }
    files_.Write(DUMP_CLASSES, "100.0000000000,000000C1,L" + class_name + ";,Shop.java\n");
    std::string methods, objects;
    for (const auto &[name, hash] : hashes_) {
      methods += "100.0000000000," + Hex(hash) + "," + name + ",()V,000000C1,1;00000000;00000007\n";
      objects += "100.0000000000," + Hex(hash) + ",000000C1\n";
    }
    files_.Write(DUMP_METHODS, methods);
    files_.Write(DUMP_OBJECTS, objects);
    files_.Write(DUMP_EVENTS, events);
    files_.Write(DUMP_SAMPLES, samples);
    files_.Write(DUMP_INFO,
                 "format=1\norca.version=0.1.0\npid=4711\njava.version=17.0.9\n"
                 "command=java Shop\noptions=out,events=all," +
                     options +
                     "interval=20ms\ncpus.allowed=2\nstart.monotonic=100.0000000000\n"
                     "start.utc=2026-11-20T11:37:36.123456789Z\nend.monotonic=" +
                     Time(seconds) + "\nend.reason=exit\nevents.dropped=0\n");
  }

  std::string MakeLine(double seconds, const std::string &thread, const std::string &event,
                       const std::string &object, const std::string &owner) {
    std::string t = Hex(Name(thread)), stack = "1;" + t + ";00000000", line = Time(seconds) + ",";
    if (event == "Cpu") return line + "Cpu," + t + "," + object + "000000,0,Unsampled\n";
    if (event == "Sched") return line + "Sched," + t + "," + object + "000000\n";
    line += event + "," + t;
    enum event_kind kind;
    if (!event_find({event.data(), event.size()}, &kind)) ADD_FAILURE() << event;
    switch (event_infos[kind].shape) {
      case SHAPE_TN:
        return line + "," + thread + "\n";
      case SHAPE_TON:
        return line + "," + Hex(Name(object)) + ",\n";
      case SHAPE_T:
        return line + "\n";
      case SHAPE_TS:
        return line + "," + stack + "\n";
      case SHAPE_TKCS:
        return line + ",00000000,-1," + stack + "\n";
      case SHAPE_TOWS:
        return line + "," + Hex(Name(object)) + "," +
               (owner.empty() ? "00000000" : Hex(Name(owner))) + "," + stack + "\n";
      default:
        return line + "," + Hex(Name(object)) + "," + stack + "\n";
    }
  }

  DumpFiles files_;
  std::map<std::string, uint32_t> hashes_;
};
