#pragma once
/* The files that the agent wrote, read with the very code that wrote them. */
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/event/event.h"

struct Event {
  enum event_kind kind;
  uint32_t thread, object, owner; /* 0 where the kind has none */
  std::string name;               /* of ThreadStarted */
  std::string stack;              /* as the line has it */
  uint32_t thrown = 0;            /* of MethodExit, as: */
  int64_t cpu_ns = 0;
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
  std::multimap<uint32_t, uint32_t> objects; /* ClassID by hash */
  std::map<uint32_t, Method> methods;        /* by methodID */
  size_t samples = 0;
  std::map<std::pair<enum event_kind, uint32_t>, int64_t> counts; /* by event and object */
  std::map<std::string, std::string> info;
  std::vector<std::string> faults; /* "FILE:LINE: why": whole lines that are not right */
};

/* ReadDump reads what there is. A torn last line is no fault; a file that is missing is empty. */
Dump ReadDump(const std::string &prefix);

/* CountEvents counts those of `threads` line by line: for a file that is too long for ReadDump. */
std::map<enum event_kind, int> CountEvents(const std::string &prefix,
                                           const std::map<uint32_t, std::string> &threads);

/* SampledCpu gives the CPU time in the samples by thread, in nanoseconds; Sum that of all. Where
   there are Cpu lines, they alone say it. */
using CpuTimes = std::map<uint32_t, uint64_t>;
CpuTimes SampledCpu(const std::string &prefix);
uint64_t Sum(const CpuTimes &times);

/* SignaturesOf gives the classes that objects of this hash have. */
std::set<std::string> SignaturesOf(const Dump &dump, uint32_t object);
