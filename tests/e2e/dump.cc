#include "tests/e2e/dump.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <tuple>

#include "agent/event/info.h"
#include "agent/event/line.h"
#include "tests/support/text.h"

namespace {

std::string CopyText(struct span s) { return std::string(s.data, s.len); }

fault_t AddEvent(struct span line, Dump *dump) {
  struct event_line e;
  fault_t fault = event_line_read(line, &e);
  if (fault == nullptr) {
    bool has_name = shape_has_name(event_infos[e.kind].shape);
    dump->events.push_back({e.kind, e.thread, e.object, e.owner, has_name ? CopyText(e.name) : "",
                            CopyText(e.stack), e.class_id, e.cpu_ns, e.time, e.executor});
  }
  return fault;
}

fault_t AddClass(struct span line, Dump *dump) {
  struct class_line c;
  fault_t fault = class_line_read(line, &c);
  if (fault == nullptr)
    dump->classes.insert({c.class_id, {CopyText(c.signature), CopyText(c.source)}});
  return fault;
}

fault_t AddMethod(struct span line, Dump *dump) {
  struct method_line m;
  fault_t fault = method_line_read(line, &m);
  if (fault == nullptr)
    dump->methods[m.method_id] = {CopyText(m.name), CopyText(m.signature), m.class_id};
  return fault;
}

fault_t AddObject(struct span line, Dump *dump) {
  struct object_line o;
  fault_t fault = object_line_read(line, &o);
  if (fault == nullptr) dump->objects.insert({o.hash, o.class_id});
  return fault;
}

fault_t AddCount(struct span line, Dump *dump) {
  struct count_line c;
  fault_t fault = count_line_read(line, &c);
  if (fault != nullptr) return fault;
  if (c.is_short) {
    Sum sum = {c.count, c.total_ns, c.longest_ns};
    dump->short_calls.push_back({c.kind, c.object, CopyText(c.stack), sum});
  } else {
    int64_t &count = dump->counts[{c.kind, c.object}];
    count = c.is_more ? count + c.count : c.count;
  }
  return fault;
}

fault_t AddSample(struct span line, Dump *dump) {
  struct sample_line s;
  dump->samples++;
  return sample_line_read(line, &s);
}

fault_t AddInfo(struct span line, Dump *dump) {
  struct span key, value;
  fault_t fault = info_line_read(line, &key, &value);
  if (fault == nullptr) dump->info[CopyText(key)] = CopyText(value);
  return fault;
}

const struct {
  const char *suffix;
  fault_t (*add)(struct span line, Dump *dump);
} kFiles[] = {
    {".orca", AddEvent},     {".classtable", AddClass}, {".methods", AddMethod},
    {".objects", AddObject}, {".counts", AddCount},     {".samples", AddSample},
    {".info", AddInfo},
};

}  // namespace

Dump ReadDump(const std::string &prefix) {
  Dump dump;
  for (const auto &file : kFiles) {
    int number = 0;
    for (const std::string &line : SplitLines(ReadFile(prefix + file.suffix))) {
      number++;
      fault_t fault = file.add({line.data(), line.size()}, &dump);
      if (fault == nullptr) continue;
      dump.faults.push_back(std::string(file.suffix) + ":" + std::to_string(number) + ": " + fault);
    }
  }
  return dump;
}

std::map<enum event_kind, int> CountEvents(const std::string &prefix,
                                           const std::map<uint32_t, std::string> &threads) {
  std::map<enum event_kind, int> counts;
  std::ifstream in(prefix + ".orca", std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    struct event_line e;
    if (event_line_read({line.data(), line.size()}, &e) != nullptr) continue;
    if (threads.count(e.thread) != 0) counts[e.kind]++;
  }
  return counts;
}

CpuTimes ReadSampledCpu(const std::string &prefix) {
  CpuTimes by_signal, at_safepoints;
  std::ifstream file(prefix + ".samples");
  for (std::string line; std::getline(file, line);) {
    struct sample_line s;
    if (sample_line_read({line.data(), line.size()}, &s) != nullptr || s.cpu_ns < 0) continue;
    if (s.kind == SAMPLE_CPU) by_signal[s.thread] += static_cast<uint64_t>(s.cpu_ns);
    if (s.kind == SAMPLE_THREAD) at_safepoints[s.thread] += static_cast<uint64_t>(s.cpu_ns);
  }
  return by_signal.empty() ? at_safepoints : by_signal;
}

uint64_t SumCpuTimes(const CpuTimes &times) {
  uint64_t sum = 0;
  for (const auto &[thread, nanos] : times) sum += nanos;
  return sum;
}

namespace {

/* Whether a method is of the JDK. Nothing, if the method or its class is not defined. */
std::optional<bool> IsOfJdk(const Dump &dump, uint32_t method_id) {
  auto method = dump.methods.find(method_id);
  auto c = method == dump.methods.end() ? dump.classes.end()
                                        : dump.classes.find(method->second.class_id);
  if (c == dump.classes.end()) return std::nullopt;
  const std::string &signature = c->second.signature;
  return signature.rfind("Ljava/", 0) == 0 || signature.rfind("Ljdk/", 0) == 0;
}

}  // namespace

bool IsCalledByJdk(const Dump &dump, const std::string &stack) {
  struct span rest = stack_frames({stack.data(), stack.size()});
  struct frame frame;
  if (!stack_next(&rest, &frame) || !stack_next(&rest, &frame)) return false;
  return IsOfJdk(dump, frame.method).value_or(false);
}

/* --- sums of calls --------------------------------------------------------------------------- */

void Sum::Add(const Sum &other) {
  calls += other.calls;
  total_ns += other.total_ns;
  longest_ns = std::max(longest_ns, other.longest_ns);
}

std::string FindPlace(const Dump &dump, const std::string &stack) {
  struct span rest = stack_frames({stack.data(), stack.size()});
  struct frame frame;
  while (stack_next(&rest, &frame)) {
    if (!IsOfJdk(dump, frame.method).value_or(true)) return dump.methods.at(frame.method).name;
  }
  return "";
}

namespace {

/* Returns whether an event ends a pair, and the event that begins it. */
bool IsEnd(enum event_kind kind, enum event_kind *out_begin) {
  if (kind == EVENT_METHOD_EXIT) *out_begin = EVENT_METHOD_ENTRY;
  if (kind == EVENT_TASK_TAKEN) *out_begin = EVENT_TASK_QUEUED;
  if (event_is_end(kind)) *out_begin = event_begin(kind);
  return event_is_end(kind) || kind == EVENT_METHOD_EXIT || kind == EVENT_TASK_TAKEN;
}

/* What both events of a pair have in common: the thread and the stack, or the task. The object of a
   MethodExit is the class of an exception. */
using PairKey = std::tuple<enum event_kind, uint32_t, uint32_t, std::string>;

PairKey MakePairKey(const Event &e, enum event_kind begin) {
  if (begin == EVENT_TASK_QUEUED) return {begin, 0, e.object, ""};
  return {begin, e.thread, begin == EVENT_METHOD_ENTRY ? 0 : e.object, e.stack};
}

}  // namespace

std::vector<CallSum> FindLongCalls(const Dump &dump) {
  std::vector<CallSum> calls;
  std::map<PairKey, std::vector<const Event *>> open; /* the innermost call is the last */
  for (const Event &e : dump.events) {
    enum event_kind begin;
    if (event_begins_span(e.kind)) open[MakePairKey(e, e.kind)].push_back(&e);
    if (!IsEnd(e.kind, &begin)) continue;
    std::vector<const Event *> &begun = open[MakePairKey(e, begin)];
    if (begun.empty()) continue; /* the call began before the recording */
    int64_t ns = static_cast<int64_t>((e.time - begun.back()->time) / 10);
    calls.push_back({begin, begun.back()->object, begun.back()->stack, {1, ns, ns}});
    begun.pop_back();
  }
  return calls;
}

std::map<enum event_kind, Sum> SumByEvent(const std::vector<CallSum> &calls) {
  std::map<enum event_kind, Sum> sums;
  for (const CallSum &c : calls) sums[c.kind].Add(c.sum);
  return sums;
}

std::map<std::pair<enum event_kind, uint32_t>, Sum> SumByObject(const std::vector<CallSum> &calls) {
  std::map<std::pair<enum event_kind, uint32_t>, Sum> sums;
  for (const CallSum &c : calls) sums[{c.kind, c.object}].Add(c.sum);
  return sums;
}

std::map<std::pair<enum event_kind, std::string>, Sum> SumByPlace(
    const Dump &dump, const std::vector<CallSum> &calls) {
  std::map<std::pair<enum event_kind, std::string>, Sum> sums;
  for (const CallSum &c : calls) sums[{c.kind, FindPlace(dump, c.stack)}].Add(c.sum);
  return sums;
}

std::set<std::string> FindSignatures(const Dump &dump, uint32_t object) {
  std::set<std::string> signatures;
  auto [from, to] = dump.objects.equal_range(object);
  for (auto it = from; it != to; ++it) {
    auto [first, last] = dump.classes.equal_range(it->second);
    for (auto c = first; c != last; ++c) signatures.insert(c->second.signature);
  }
  return signatures;
}
