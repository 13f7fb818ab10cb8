#include "tests/e2e/story.h"

#include <stdlib.h>

#include <algorithm>

#include "tests/support/text.h"

namespace {

/* Removes the next word of a line and returns it. A name with spaces is always the last field. */
std::string TakeWord(std::string *rest) {
  size_t space = rest->find(' ');
  std::string word = rest->substr(0, space);
  *rest = space == std::string::npos ? "" : rest->substr(space + 1);
  return word;
}

uint32_t TakeHash(std::string *rest) {
  return static_cast<uint32_t>(strtoul(TakeWord(rest).c_str(), nullptr, 16));
}

bool TakeEvent(std::string *rest, enum event_kind *out) {
  std::string name = TakeWord(rest);
  return event_find({name.data(), name.size()}, out);
}

bool TakeGroup(std::string *rest, enum event_group *out) {
  std::string name = TakeWord(rest);
  return group_find({name.data(), name.size()}, out);
}

int64_t TakeNumber(std::string *rest) { return strtoll(TakeWord(rest).c_str(), nullptr, 10); }

ToldSum TakeSum(enum event_kind kind, std::string *rest) {
  ToldSum sum = {};
  sum.kind = kind;
  sum.object = TakeHash(rest);
  sum.place = TakeWord(rest);
  sum.calls = TakeNumber(rest);
  sum.total_ns = TakeNumber(rest);
  sum.longest_ns = TakeNumber(rest);
  sum.least_ns = TakeNumber(rest);
  return sum;
}

/* Ignores all other lines, for example those of the JVM. */
void ReadLine(std::string rest, Story *story) {
  std::string key = TakeWord(&rest);
  enum event_kind kind;
  enum event_group group;
  if (key == "thread") {
    uint32_t hash = TakeHash(&rest);
    story->threads[hash] = rest;
  } else if (key == "event" && TakeEvent(&rest, &kind)) {
    uint32_t thread = TakeHash(&rest);
    story->steps[thread].push_back({kind, TakeHash(&rest)});
  } else if (key == "count" && TakeEvent(&rest, &kind)) {
    story->counts[kind] = atoi(rest.c_str());
  } else if (key == "object") {
    uint32_t hash = TakeHash(&rest);
    story->objects[hash] = rest;
  } else if (key == "lock") {
    uint32_t hash = TakeHash(&rest);
    story->locks[hash] = TakeHash(&rest);
  } else if (key == "cpu") {
    uint32_t hash = TakeHash(&rest);
    story->cpu[hash] = strtoull(rest.c_str(), nullptr, 10);
  } else if (key == "jdk" && TakeGroup(&rest, &group)) {
    story->jdk.insert(group);
  } else if (key == "exits") {
    story->exits.insert(TakeHash(&rest));
  } else if (key == "class") {
    std::string signature = TakeWord(&rest);
    story->classes.emplace_back(signature, rest);
  } else if (key == "method") {
    story->methods.push_back(rest);
  } else if (key == "sum" && TakeEvent(&rest, &kind)) {
    story->sums.push_back(TakeSum(kind, &rest));
  } else if (key == "slow") {
    story->slow += atoi(rest.c_str());
  } else if (key == "skipped") {
    story->skipped = rest;
  } else if (key == "end") {
    story->complete = true;
  }
}

}  // namespace

void LeaveOut(enum event_group group, Story *story) {
  auto is_out = [group](const Step &step) { return event_infos[step.kind].group == group; };
  for (auto &[thread, steps] : story->steps) {
    steps.erase(std::remove_if(steps.begin(), steps.end(), is_out), steps.end());
  }
  for (auto &[kind, count] : story->counts) {
    if (event_infos[kind].group == group) count = 0;
  }
  auto &sums = story->sums;
  sums.erase(
      std::remove_if(sums.begin(), sums.end(),
                     [group](const ToldSum &s) { return event_infos[s.kind].group == group; }),
      sums.end());
  std::set<uint32_t> named;
  for (const auto &[thread, steps] : story->steps) {
    for (const Step &step : steps) named.insert(step.object);
  }
  for (const ToldSum &sum : sums) named.insert(sum.object);
  for (auto at = story->objects.begin(); at != story->objects.end();) {
    at = named.count(at->first) != 0 ? std::next(at) : story->objects.erase(at);
  }
}

Story ReadStory(const std::string &output) {
  Story story;
  for (const std::string &line : SplitLines(output)) ReadLine(line, &story);
  return story;
}
