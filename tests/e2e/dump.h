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
};

struct Class {
  std::string signature, source;
};

struct Dump {
  std::vector<Event> events;
  std::multimap<uint32_t, Class> classes;    /* by ClassID */
  std::multimap<uint32_t, uint32_t> objects; /* ClassID by hash */
  std::set<std::string> methods;             /* names */
  size_t samples = 0;
  std::map<std::string, std::string> info;
  std::vector<std::string> faults; /* "FILE:LINE: why": whole lines that are not right */
};

/* ReadDump reads what there is. A torn last line is no fault; a file that is missing is empty. */
Dump ReadDump(const std::string &prefix);

/* SignaturesOf gives the classes that objects of this hash have. */
std::set<std::string> SignaturesOf(const Dump &dump, uint32_t object);
