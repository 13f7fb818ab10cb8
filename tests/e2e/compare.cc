#include "tests/e2e/compare.h"

#include <stdio.h>

#include <algorithm>

#include "gtest/gtest.h"

namespace {

using Steps = std::map<uint32_t, std::vector<Step>>;

constexpr int kMaxReported = 5; /* reported differences of one kind */

std::string FormatHash(uint32_t hash) {
  char text[9];
  snprintf(text, sizeof text, "%08X", hash);
  return text;
}

std::string FormatSteps(const std::vector<Step> &steps, size_t at) {
  if (at >= steps.size()) return "(nothing more)";
  std::string text;
  for (size_t i = at; i < std::min(at + 4, steps.size()); i++) {
    text += std::string(event_infos[steps[i].kind].name) + "(" + FormatHash(steps[i].object) + ") ";
  }
  return text;
}

bool IsContention(enum event_kind kind) { return event_infos[kind].group == GROUP_MONITOR; }

std::vector<Step> FindSteps(const Story &story, uint32_t thread) {
  const auto it = story.steps.find(thread);
  return it == story.steps.end() ? std::vector<Step>() : it->second;
}

/* Leaves out the calls that were open when the recording began: their begin events happened before.
 */
class OpenCalls {
 public:
  bool Takes(const Event &e) {
    if (e.kind == EVENT_OPEN_CALL) {
      announced_.insert(e.thread);
      return true;
    }
    if (event_infos[e.kind].role == ROLE_BEGIN && announced_.erase(e.thread) != 0) {
      if (e.kind == EVENT_MONITOR_CONTENDED_ENTER) blocked_[e.thread] = e.object;
      return true;
    }
    auto blocked = blocked_.find(e.thread);
    bool ends = e.kind == EVENT_MONITOR_CONTENDED_ENTERED && blocked != blocked_.end() &&
                blocked->second == e.object;
    if (ends) blocked_.erase(blocked);
    return ends;
  }

 private:
  std::set<uint32_t> announced_;
  std::map<uint32_t, uint32_t> blocked_;
};

Steps SelectOwnSteps(const Story &story, const Dump &dump) {
  Steps steps;
  OpenCalls open_calls;
  for (const Event &e : dump.events) {
    if (!open_calls.Takes(e) && IsCompared(e, story, dump))
      steps[e.thread].push_back({e.kind, e.object});
  }
  for (uint32_t thread : story.exits) {
    size_t num = FindSteps(story, thread).size();
    if (steps[thread].size() > num) steps[thread].resize(num);
  }
  return steps;
}

}  // namespace

namespace {

/* Removes the steps of a kind. Returns their number. */
int LeaveOutKind(enum event_kind kind, Story *story) {
  int num = 0;
  for (auto &[thread, steps] : story->steps) {
    size_t before = steps.size();
    steps.erase(std::remove_if(steps.begin(), steps.end(),
                               [kind](const Step &step) { return step.kind == kind; }),
                steps.end());
    num += static_cast<int>(before - steps.size());
  }
  if (num > 0) story->counts[kind] -= num;
  return num;
}

/* Threads of which the dump has no line. Their only events are that they begin and end. */
void LeaveOutThreads(const Dump &dump, Story *story) {
  std::set<uint32_t> seen;
  for (const Event &e : dump.events) seen.insert(e.thread);
  long num = 0;
  for (auto at = story->threads.begin(); at != story->threads.end();) {
    std::vector<Step> &steps = story->steps[at->first];
    bool is_out =
        seen.count(at->first) == 0 && std::all_of(steps.begin(), steps.end(), [](const Step &step) {
          return step.kind == EVENT_THREAD_STARTED || step.kind == EVENT_THREAD_ENDED;
        });
    if (!is_out) {
      ++at;
      continue;
    }
    num++;
    for (const Step &step : steps) story->counts[step.kind]--;
    story->steps.erase(at->first);
    story->objects.erase(at->first);
    at = story->threads.erase(at);
  }
  auto left_out = dump.info.find("threshold.threads");
  EXPECT_LE(num, left_out == dump.info.end() ? 0 : atol(left_out->second.c_str()));
}

}  // namespace

void LeaveOutShort(const Dump &dump, Story *story) {
  std::map<enum event_kind, Sum> sums = SumByEvent(dump.short_calls);
  for (enum event_kind kind : {EVENT_EXECUTOR_SUBMIT, EVENT_THREAD_START}) {
    if (sums.count(kind) == 0) continue;
    /* While there was no threshold, they had lines. */
    auto lines = std::count_if(dump.events.begin(), dump.events.end(),
                               [kind = kind](const Event &e) { return e.kind == kind; });
    EXPECT_GE(sums[kind].calls + lines, LeaveOutKind(kind, story))
        << kDisagree << event_infos[kind].name;
  }
  LeaveOutThreads(dump, story);
}

bool IsCompared(const Event &e, const Story &story, const Dump &dump) {
  if (IsContention(e.kind) && story.locks.count(e.object) == 0) return false;
  /* Recorded only if a thread is blocked for long, and by another thread. */
  if (e.kind == EVENT_MONITOR_OWNER || e.kind == EVENT_MONITOR_HELD) return false;
  if (e.kind == EVENT_READ_LOCK_HELD) return false; /* only if there is one reader */
  if (e.kind == EVENT_CLASS_INIT_WAIT) return false;
  if (e.kind == EVENT_SYSTEM_GC) return false; /* workloads do not count it */
  if (e.kind == EVENT_POOL_SIZE || e.kind == EVENT_TASK_COMPLETES) return false;
  if (shape_has_parties(event_infos[e.kind].shape)) return false; /* only at the end */
  bool is_failure = e.kind == EVENT_THREAD_FAILED || e.kind == EVENT_TASK_FAILED;
  if (is_failure) return false; /* the same */
  /* tasks.h compares these. */
  if (e.kind == EVENT_TASK_QUEUED || e.kind == EVENT_TASK_TAKEN) return false;
  /* How often the JDK unparks a thread, or starts one of its own, depends on chance. */
  bool is_own_start = e.kind == EVENT_THREAD_START && story.objects.count(e.object) != 0;
  bool depends_on_chance = e.kind == EVENT_THREAD_UNPARK || e.kind == EVENT_THREAD_START;
  if (depends_on_chance && !is_own_start && IsCalledByJdk(dump, e.stack)) return false;
  bool has_jdk_events = story.jdk.count(event_infos[e.kind].group) != 0;
  /* The JDK starts virtual threads. Begins and ends of threads are the workload's own. */
  if (event_infos[e.kind].group == GROUP_THREAD) has_jdk_events &= e.kind == EVENT_THREAD_START;
  /* An object of the JDK. An unparked thread, which may belong to a pool, does not show whether the
     workload or the JDK unparked it. */
  if (has_jdk_events && (e.kind == EVENT_THREAD_UNPARK || story.objects.count(e.object) == 0))
    return false;
  return story.threads.count(e.thread) != 0;
}

bool HasAllSteps(const Story &story, const Dump &dump) {
  Steps actual = SelectOwnSteps(story, dump);
  return std::all_of(story.steps.begin(), story.steps.end(), [&](const auto &expected) {
    return actual[expected.first].size() >= expected.second.size();
  });
}

void ExpectSameSteps(const Story &story, const Dump &dump) {
  Steps actual = SelectOwnSteps(story, dump);
  int num_different = 0;
  for (const auto &[thread, name] : story.threads) {
    const std::vector<Step> expected = FindSteps(story, thread);
    const std::vector<Step> &recorded = actual[thread];
    if (expected == recorded || num_different++ >= kMaxReported) continue;
    auto [e, r] = std::mismatch(expected.begin(), expected.end(), recorded.begin(), recorded.end());
    size_t at = static_cast<size_t>(e - expected.begin());
    ADD_FAILURE() << kDisagree << "thread " << FormatHash(thread) << " " << name.substr(0, 40)
                  << ", event " << at << "\n  the workload: " << FormatSteps(expected, at)
                  << "\n  the dump: " << FormatSteps(recorded, at);
  }
  if (num_different > kMaxReported) ADD_FAILURE() << num_different << " threads differ in total";
}

void ExpectSameCounts(const Story &story, const Dump &dump) {
  std::map<enum event_kind, int> counts;
  for (const auto &[thread, steps] : SelectOwnSteps(story, dump)) {
    for (const Step &step : steps) counts[step.kind]++;
  }
  for (const auto &[kind, count] : story.counts) {
    EXPECT_EQ(counts[kind], count) << kDisagree << event_infos[kind].name;
  }
}

void ExpectNames(const Story &story, const Dump &dump) {
  for (const Event &e : dump.events) {
    auto own = story.threads.find(e.thread);
    if (e.kind == EVENT_THREAD_STARTED && own != story.threads.end()) {
      EXPECT_EQ(e.name, own->second) << FormatHash(e.thread);
    }
  }
}

void ExpectOwners(const Story &story, const Dump &dump) {
  for (const Event &e : dump.events) {
    auto lock = story.locks.find(e.object);
    bool has_owner = shape_has_owner(event_infos[e.kind].shape) && e.owner != 0;
    if (!has_owner || lock == story.locks.end() || e.owner == lock->second) continue;
    /* A later owner may be another waiter. */
    bool was_waiter = e.kind == EVENT_MONITOR_OWNER && story.threads.count(e.owner) != 0;
    EXPECT_TRUE(was_waiter && e.owner != e.thread)
        << "lock " << FormatHash(e.object) << " of owner " << FormatHash(lock->second)
        << ", but the dump has " << FormatHash(e.owner);
  }
}

void ExpectClassesOfObjects(const Story &story, const Dump &dump) {
  int num_different = 0;
  for (const auto &[hash, signature] : story.objects) {
    if (FindSignatures(dump, hash).count(signature) != 0 || num_different++ >= kMaxReported)
      continue;
    ADD_FAILURE() << "object " << FormatHash(hash) << " has no class " << signature.substr(0, 80);
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
