#pragma once
/* What a workload says that it did: the account that it printed (tests/workloads/counted/Tally.java
   tells the spelling). */
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/event/event.h"

/* One event of a thread: its kind and its object, 0 where it has none. */
struct Step {
  enum event_kind kind;
  uint32_t object;
  bool operator==(const Step &other) const { return kind == other.kind && object == other.object; }
};

struct Story {
  std::map<uint32_t, std::string> threads;     /* the workload's own: name by hash */
  std::map<uint32_t, std::vector<Step>> steps; /* of each such thread, in order */
  std::map<enum event_kind, int> counts;
  std::map<uint32_t, std::string> objects; /* signature by hash */
  std::map<uint32_t, uint32_t> locks;      /* owner by lock */
  std::set<enum event_group> jdk; /* the JDK makes such events in own threads, on its objects */
  std::set<uint32_t> exits;       /* threads that end the JVM, which takes events of its own */
  std::vector<std::pair<std::string, std::string>> classes; /* signature, source file */
  std::vector<std::string> methods;                         /* names */
  std::string skipped; /* why there is nothing to tell, where there is not */
  bool complete = false;
};

Story ReadStory(const std::string &output);
