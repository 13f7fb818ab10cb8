#include "tests/e2e/sets.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

/* Expects that the methods of a stack are defined. Method 0 marks where it is cut. */
void ExpectDefinedMethods(const Dump &set, const std::string &stack, const std::string &prefix) {
  for (size_t at = 0; (at = stack.find(';', at)) != std::string::npos; at += 18) {
    uint32_t method = static_cast<uint32_t>(std::stoul(stack.substr(at + 1, 8), nullptr, 16));
    ASSERT_TRUE(method == 0 || set.methods.count(method) == 1) << prefix << " " << stack;
  }
}

/* Expects that a set defines all threads, objects, methods and classes that it refers to. */
void ExpectSelfContained(const Dump &set, const std::string &prefix) {
  std::set<uint32_t> named;
  for (const Event &e : set.events) {
    named.insert({e.thread, e.object, e.owner});
    ExpectDefinedMethods(set, e.stack, prefix);
  }
  for (const CallSum &c : set.short_calls) {
    named.insert(c.object);
    ExpectDefinedMethods(set, c.stack, prefix);
  }
  named.erase(0);
  for (uint32_t object : named) ASSERT_GE(set.objects.count(object), 1u) << prefix << object;
  for (const auto &[hash, id] : set.objects) ASSERT_EQ(set.classes.count(id), 1u) << prefix << id;
  for (const auto &[id, m] : set.methods) ASSERT_EQ(set.classes.count(m.class_id), 1u) << prefix;
}

}  // namespace

std::vector<std::string> FindSets(const std::string &prefix) {
  std::vector<std::string> sets;
  std::string name = std::filesystem::path(prefix).filename();
  for (const auto &file :
       std::filesystem::directory_iterator(std::filesystem::path(prefix).parent_path())) {
    std::string stem = file.path().stem();
    bool is_finished = stem.rfind(name + ".", 0) == 0 && file.path().extension() == ".orca";
    if (is_finished) sets.push_back(file.path().parent_path() / stem);
  }
  std::sort(sets.begin(), sets.end());
  if (std::filesystem::exists(prefix + ".orca")) sets.push_back(prefix);
  return sets;
}

Dump ReadSets(const std::string &prefix) {
  Dump all;
  for (const std::string &name : FindSets(prefix)) {
    Dump set = ReadDump(name);
    ExpectNoFaults(set, name);
    ExpectSelfContained(set, name);
    size_t repeated = std::stoul(set.info["set.threads"]);
    EXPECT_LE(repeated, set.events.size());
    for (size_t i = 0; i < repeated; i++) EXPECT_EQ(set.events[i].kind, EVENT_THREAD_STARTED);
    all.events.insert(all.events.end(), set.events.begin() + static_cast<ptrdiff_t>(repeated),
                      set.events.end());
    for (const auto &c : set.classes) {
      if (all.classes.count(c.first) == 0) all.classes.insert(c);
    }
    for (const auto &o : set.objects) {
      if (all.objects.count(o.first) == 0) all.objects.insert(o);
    }
    all.methods.insert(set.methods.begin(), set.methods.end());
    for (const auto &[key, count] : set.counts) all.counts[key] += count;
    all.short_calls.insert(all.short_calls.end(), set.short_calls.begin(), set.short_calls.end());
    all.samples += set.samples;
    all.info = set.info;
  }
  return all;
}
