#pragma once
/* Reads the files of a dump with the code that the agent writes them with (agent/event). */
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/base/text.h"
#include "agent/event/event.h"

struct Event {
  enum event_kind kind;
  uint32_t thread, object, owner; /* 0 if the kind of event has none */
  std::string name;               /* only of ThreadStarted */
  std::string stack;              /* the text of the line */
  uint32_t thrown = 0;            /* thrown and cpu_ns: only of MethodExit */
  int64_t cpu_ns = 0;
  ticks_t time = 0;
  uint32_t executor = 0; /* only of TaskQueued */
};

/* A number of calls, and their times. */
struct Sum {
  int64_t calls = 0, total_ns = 0, longest_ns = 0;
  void Add(const Sum &other);
};

/* Calls with the same begin event, object and stack: the sum of a line of .counts that the option
   threshold causes. */
struct CallSum {
  enum event_kind kind;
  uint32_t object; /* 0: none, or several */
  std::string stack;
  Sum sum;
};

struct Class {
  std::string signature, source;
};

struct Method {
  std::string name, signature;
  uint32_t class_id;
};

struct Dump {
  std::vector<Event> events;
  std::multimap<uint32_t, Class> classes;    /* by ClassID */
  std::multimap<uint32_t, uint32_t> objects; /* ClassID by identity hash */
  std::map<uint32_t, Method> methods;        /* by methodID */
  size_t samples = 0;
  std::map<std::pair<enum event_kind, uint32_t>, int64_t> counts; /* by event and object */
  std::vector<CallSum> short_calls; /* each line; several lines of the same calls add up */
  std::map<std::string, std::string> info;
  std::vector<std::string> faults; /* "FILE:LINE: reason", for complete lines that are invalid */
};

/* ReadDump reads all files. An incomplete last line is no fault. A missing file counts as empty. */
Dump ReadDump(const std::string &prefix);

/* CountEvents counts the events of `threads`. It needs little memory, also for very long files. */
std::map<enum event_kind, int> CountEvents(const std::string &prefix,
                                           const std::map<uint32_t, std::string> &threads);

/* ReadSampledCpu returns the CPU time in .samples by thread, in nanoseconds. If there are Cpu
   lines, the Sample lines do not count. SumCpuTimes returns the total of all threads. */
using CpuTimes = std::map<uint32_t, uint64_t>;
CpuTimes ReadSampledCpu(const std::string &prefix);
uint64_t SumCpuTimes(const CpuTimes &times);

/* IsCalledByJdk returns whether code of the JDK called the tracked method of this stack. */
bool IsCalledByJdk(const Dump &dump, const std::string &stack);

/* FindPlace returns the name of the innermost method of the program on a stack; "": there is none.
 */
std::string FindPlace(const Dump &dump, const std::string &stack);

/* FindLongCalls returns each pair of events that both have a line in .orca, as a sum of one call.
   Calls of methods and tasks that wait for a thread are pairs too. */
std::vector<CallSum> FindLongCalls(const Dump &dump);

/* These add up calls by their event, by event and object, or by event and place. */
std::map<enum event_kind, Sum> SumByEvent(const std::vector<CallSum> &calls);
std::map<std::pair<enum event_kind, uint32_t>, Sum> SumByObject(const std::vector<CallSum> &calls);
std::map<std::pair<enum event_kind, std::string>, Sum> SumByPlace(
    const Dump &dump, const std::vector<CallSum> &calls);

/* FindSignatures returns the classes of all objects with this identity hash. */
std::set<std::string> FindSignatures(const Dump &dump, uint32_t object);
