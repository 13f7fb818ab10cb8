#pragma once
// Reads the events of an exported trace, and checks that each has the members that the format
// requires.
#include <set>

#include "tests/support/json.h"
#include "tests/tools/orca/export/exported.h"

struct TraceEvent {
  char phase = ' ';
  unsigned long long group = 0, thread = 0, id = 0;
  long long ts = 0, dur = 0;  // nanoseconds
  std::string name, category;
  Json args;
};

// Converts "4500000.125" microseconds to nanoseconds.
inline long long Nanoseconds(const std::string &text) {
  size_t point = text.find('.');
  EXPECT_EQ(text.size(), point + 4) << text;
  return std::stoll(text.substr(0, point) + text.substr(point + 1));
}

inline TraceEvent ReadTraceEvent(const Json &json) {
  TraceEvent e;
  e.phase = json["ph"].text.at(0);
  e.group = json["pid"].Integer();
  if (json.Has("tid")) e.thread = json["tid"].Integer();
  if (e.group == 2) e.thread ^= 0x80000000u;
  e.name = json["name"].text;
  if (e.phase != 'M') e.ts = Nanoseconds(json["ts"].text);
  if (e.phase == 'X') e.dur = Nanoseconds(json["dur"].text);
  if (e.phase == 's' || e.phase == 'f') e.id = json["id"].Integer();
  if (json.Has("cat")) e.category = json["cat"].text;
  if (json.Has("args")) e.args = json["args"];
  return e;
}

inline std::vector<TraceEvent> ReadTrace(const std::string &text) {
  std::vector<TraceEvent> events;
  const Json file = ReadJson(text);
  for (const Json &json : file["traceEvents"].items) {
    events.push_back(ReadTraceEvent(json));
    EXPECT_NE(std::string("XiCsfBEM").find(events.back().phase), std::string::npos);
  }
  return events;
}

// The events of a phase and a group with this name; "" matches every name.
inline std::vector<TraceEvent> Only(const std::vector<TraceEvent> &events, char phase,
                                    const std::string &name = "", unsigned group = 1) {
  std::vector<TraceEvent> some;
  for (const TraceEvent &e : events) {
    if (e.phase == phase && e.group == group && (name.empty() || e.name == name)) some.push_back(e);
  }
  return some;
}
