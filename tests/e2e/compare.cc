#include "tests/e2e/compare.h"

#include <stdio.h>

#include <algorithm>

#include "gtest/gtest.h"

namespace {

using Steps = std::map<uint32_t, std::vector<Step>>;

constexpr int kFewEnough = 5; /* differences of one sort that are told */

std::string Hex(uint32_t hash) {
  char text[9];
  snprintf(text, sizeof text, "%08X", hash);
  return text;
}

std::string Tell(const std::vector<Step> &steps, size_t at) {
  if (at >= steps.size()) return "(nothing more)";
  std::string text;
  for (size_t i = at; i < std::min(at + 4, steps.size()); i++) {
    text += std::string(event_infos[steps[i].kind].name) + "(" + Hex(steps[i].object) + ") ";
  }
  return text;
}

bool IsContention(enum event_kind kind) { return event_infos[kind].group == GROUP_MONITOR; }

/* What the dump says of the workload's own threads and locks. */
bool IsOwn(const Event &e, const Story &story) {
  if (IsContention(e.kind) && story.locks.count(e.object) == 0) return false;
  if (e.kind == EVENT_MONITOR_OWNER) return false; /* comes where its owner was not known sooner */
  bool shared = story.jdk.count(event_infos[e.kind].group) != 0;
  /* An object of the JDK's, or a thread, perhaps of a pool: who unparks one is not said by that. */
  if (shared && (e.kind == EVENT_THREAD_UNPARK || story.objects.count(e.object) == 0)) return false;
  return story.threads.count(e.thread) != 0;
}

std::vector<Step> Said(const Story &story, uint32_t thread) {
  const auto it = story.steps.find(thread);
  return it == story.steps.end() ? std::vector<Step>() : it->second;
}

Steps OwnSteps(const Story &story, const Dump &dump) {
  Steps steps;
  for (const Event &e : dump.events) {
    if (IsOwn(e, story)) steps[e.thread].push_back({e.kind, e.object});
  }
  for (uint32_t thread : story.exits) {
    size_t said = Said(story, thread).size();
    if (steps[thread].size() > said) steps[thread].resize(said);
  }
  return steps;
}

}  // namespace

void ExpectSameSteps(const Story &story, const Dump &dump) {
  Steps actual = OwnSteps(story, dump);
  int told = 0;
  for (const auto &[thread, name] : story.threads) {
    const std::vector<Step> said = Said(story, thread);
    const std::vector<Step> &done = actual[thread];
    if (said == done || told++ >= kFewEnough) continue;
    auto [s, d] = std::mismatch(said.begin(), said.end(), done.begin(), done.end());
    size_t at = static_cast<size_t>(s - said.begin());
    ADD_FAILURE() << "thread " << Hex(thread) << " " << name.substr(0, 40) << ", event " << at
                  << "\n  the workload: " << Tell(said, at) << "\n  the dump: " << Tell(done, at);
  }
  if (told > kFewEnough) ADD_FAILURE() << told << " threads differ in all";
}

void ExpectSameCounts(const Story &story, const Dump &dump) {
  std::map<enum event_kind, int> counts;
  for (const auto &[thread, steps] : OwnSteps(story, dump)) {
    for (const Step &step : steps) counts[step.kind]++;
  }
  for (const auto &[kind, count] : story.counts) {
    EXPECT_EQ(counts[kind], count) << event_infos[kind].name;
  }
}

void ExpectNames(const Story &story, const Dump &dump) {
  for (const Event &e : dump.events) {
    auto own = story.threads.find(e.thread);
    if (e.kind == EVENT_THREAD_STARTED && own != story.threads.end()) {
      EXPECT_EQ(e.name, own->second) << Hex(e.thread);
    }
  }
}

void ExpectOwners(const Story &story, const Dump &dump) {
  for (const Event &e : dump.events) {
    auto lock = story.locks.find(e.object);
    bool owned = shape_has_owner(event_infos[e.kind].shape) && e.owner != 0;
    if (!owned || lock == story.locks.end() || e.owner == lock->second) continue;
    /* Who has it later may be another of those who waited. */
    bool waited = e.kind == EVENT_MONITOR_OWNER && story.threads.count(e.owner) != 0;
    EXPECT_TRUE(waited && e.owner != e.thread)
        << "lock " << Hex(e.object) << " of " << Hex(lock->second) << ", not " << Hex(e.owner);
  }
}

void ExpectClassesOfObjects(const Story &story, const Dump &dump) {
  int told = 0;
  for (const auto &[hash, signature] : story.objects) {
    if (SignaturesOf(dump, hash).count(signature) != 0 || told++ >= kFewEnough) continue;
    ADD_FAILURE() << "object " << Hex(hash) << " has no class " << signature.substr(0, 80);
  }
}

void ExpectDefinitions(const Story &story, const Dump &dump) {
  std::set<std::pair<std::string, std::string>> classes;
  for (const auto &[id, c] : dump.classes) classes.insert({c.signature, c.source});
  for (const auto &c : story.classes) {
    EXPECT_TRUE(classes.count(c) != 0)
        << "no class " << c.first.substr(0, 80) << " of source " << c.second.substr(0, 80);
  }
  std::set<std::string> methods;
  for (const auto &[id, m] : dump.methods) methods.insert(m.name);
  for (const std::string &method : story.methods) {
    EXPECT_TRUE(methods.count(method) != 0) << "no method " << method.substr(0, 80);
  }
}

void ExpectSame(const Story &story, const Dump &dump) {
  ExpectSameSteps(story, dump);
  ExpectSameCounts(story, dump);
  ExpectNames(story, dump);
  ExpectOwners(story, dump);
  ExpectClassesOfObjects(story, dump);
  ExpectDefinitions(story, dump);
}
