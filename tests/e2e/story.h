#pragma once
/* The account that a workload prints of its own events. tests/workloads/counted/Tally.java
   documents its lines. */
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/event/event.h"

/* One event of a thread. `object` is an identity hash; 0: no object. */
struct Step {
  enum event_kind kind;
  uint32_t object;
  bool operator==(const Step &other) const { return kind == other.kind && object == other.object; }
};

/* Calls that a workload measured: those of one begin event, object and calling method. */
struct ToldSum {
  enum event_kind kind;
  uint32_t object; /* 0: none */
  std::string place;
  int64_t calls, total_ns, longest_ns; /* no recording can have more */
  int64_t least_ns;                    /* they took at least so long together */
};

struct Story {
  std::map<uint32_t, std::string> threads;     /* the workload's own threads: name by hash */
  std::map<uint32_t, std::vector<Step>> steps; /* the events of each of these threads, in order */
  std::map<enum event_kind, int> counts;
  std::map<uint32_t, std::string> objects; /* signature by hash */
  std::map<uint32_t, uint32_t> locks;      /* owner by lock */
  std::map<uint32_t, uint64_t> cpu;        /* nanoseconds by thread */
  std::set<enum event_group> jdk;          /* groups whose events the JDK causes, too */
  std::set<uint32_t> exits;                /* threads with more events after their account */
  std::vector<std::pair<std::string, std::string>> classes; /* signature, source file */
  std::vector<std::string> methods;                         /* names */
  std::vector<ToldSum> sums;                                /* ShortCalls.java */
  int slow = 0;                                             /* short calls that took long */
  std::string skipped; /* the reason, if the workload was skipped */
  bool complete = false;
};

/* LeaveOut removes the events and sums of a group that was not recorded. */
void LeaveOut(enum event_group group, Story *story);

Story ReadStory(const std::string &output);
