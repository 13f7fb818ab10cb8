#include "tests/e2e/sums.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"

namespace {

constexpr int kMaxReported = 10; /* reported differences of one kind */

struct Key {
  enum event_kind kind;
  uint32_t object;
  std::string place;
  bool operator<(const Key &other) const {
    return std::tie(kind, object, place) < std::tie(other.kind, other.object, other.place);
  }
};

/* What the account and the recording have of the same calls. */
struct Calls {
  Sum told;
  int64_t least_ns = 0;
  Sum in_counts, in_lines;
};

using CallsByKey = std::map<Key, Calls>;

std::string FormatKey(const Key &key) {
  char object[9];
  snprintf(object, sizeof object, "%08X", key.object);
  std::string where = key.place.empty() ? "" : " in " + key.place;
  return std::string(event_infos[key.kind].name) + " of " + object + where;
}

/* Decides which recorded calls are those of the account. */
class Account {
 public:
  explicit Account(const Story &story) : story_(story) {
    for (const ToldSum &sum : story.sums) {
      if (sum.object != 0) objects_.insert(sum.object);
      places_.insert({sum.kind, sum.place});
      kinds_.insert(sum.kind);
    }
  }

  /* Blocking on a monitor depends on chance, except on the locks of the account. */
  bool Has(const Key &key) const {
    bool is_monitor = event_infos[key.kind].group == GROUP_MONITOR;
    if (key.object != 0)
      return (is_monitor ? story_.locks.count(key.object) : objects_.count(key.object)) != 0;
    return places_.count({key.kind, key.place}) != 0;
  }

  /* The same if the sum may be that of several objects, or of several stacks. */
  bool MayHave(const Key &key) const {
    bool is_merged = key.object == 0 && key.place.empty();
    return kinds_.count(key.kind) != 0 && (is_merged || Has(key));
  }

 private:
  const Story &story_;
  std::set<uint32_t> objects_;
  std::set<std::pair<enum event_kind, std::string>> places_;
  std::set<enum event_kind> kinds_;
};

void AddTold(const Story &story, CallsByKey *calls) {
  for (const ToldSum &sum : story.sums) {
    Calls &c = (*calls)[{sum.kind, sum.object, sum.place}];
    c.told.Add({sum.calls, sum.total_ns, sum.longest_ns});
    c.least_ns += sum.least_ns;
  }
}

CallsByKey FindCalls(const Story &story, const Dump &dump, bool may_be_merged) {
  CallsByKey calls;
  Account account(story);
  AddTold(story, &calls);
  auto add = [&](const std::vector<CallSum> &recorded, Sum Calls::*sum) {
    for (const CallSum &c : recorded) {
      /* The sums of tasks, and so the account, have no objects. */
      uint32_t object = c.kind == EVENT_TASK_QUEUED ? 0 : c.object;
      Key key = {c.kind, object, FindPlace(dump, c.stack)};
      if (may_be_merged ? account.MayHave(key) : account.Has(key)) (calls[key].*sum).Add(c.sum);
    }
  };
  add(dump.short_calls, &Calls::in_counts);
  add(FindLongCalls(dump), &Calls::in_lines);
  return calls;
}

/* Returns what is wrong with the calls; "": nothing. */
std::string FindDifference(const Calls &c) {
  auto text = [](int64_t number) { return std::to_string(number); };
  if (c.in_counts.calls + c.in_lines.calls != c.told.calls) {
    return "the program made " + text(c.told.calls) + " calls, the recording has " +
           text(c.in_counts.calls) + " in sums and " + text(c.in_lines.calls) + " in lines";
  }
  if (c.in_counts.total_ns > c.told.total_ns) {
    return "the program measured " + text(c.told.total_ns) + " ns in total, the sums have " +
           text(c.in_counts.total_ns) + " ns";
  }
  if (c.in_counts.longest_ns > c.told.longest_ns) {
    return "the program measured at most " + text(c.told.longest_ns) + " ns, the sums have " +
           text(c.in_counts.longest_ns) + " ns";
  }
  if (c.in_lines.calls == 0 && c.in_counts.total_ns < c.least_ns) {
    return "the calls took at least " + text(c.least_ns) + " ns together, the sums have " +
           text(c.in_counts.total_ns) + " ns";
  }
  if (c.in_counts.longest_ns > c.in_counts.total_ns ||
      c.in_counts.longest_ns * c.in_counts.calls < c.in_counts.total_ns) {
    return "the longest call, " + text(c.in_counts.longest_ns) + " ns, does not fit the total of " +
           text(c.in_counts.calls) + " calls, " + text(c.in_counts.total_ns) + " ns";
  }
  return "";
}

void ExpectNoDifferences(const CallsByKey &calls) {
  int num_different = 0;
  for (const auto &[key, c] : calls) {
    std::string difference = FindDifference(c);
    if (difference.empty() || num_different++ >= kMaxReported) continue;
    ADD_FAILURE() << kDisagree << FormatKey(key) << ": " << difference;
  }
  if (num_different > kMaxReported) ADD_FAILURE() << num_different << " sums differ in total";
}

/* Adds up the calls whose keys `simplify` makes equal. */
CallsByKey MergeCalls(const CallsByKey &calls, Key (*simplify)(const Key &key)) {
  CallsByKey merged;
  for (const auto &[key, c] : calls) {
    Calls &sum = merged[simplify(key)];
    sum.told.Add(c.told);
    sum.least_ns += c.least_ns;
    sum.in_counts.Add(c.in_counts);
    sum.in_lines.Add(c.in_lines);
  }
  return merged;
}

bool HasSumWithoutPlace(const CallsByKey &calls, enum event_kind kind) {
  return std::any_of(calls.begin(), calls.end(), [kind](const auto &entry) {
    return entry.first.kind == kind && entry.first.place.empty();
  });
}

/* Calls of which the place is not known could be in any of these sums. */
CallsByKey LeaveOutUncertainPlaces(const CallsByKey &calls) {
  CallsByKey certain;
  for (const auto &[key, c] : calls) {
    if (!HasSumWithoutPlace(calls, key.kind)) certain[key] = c;
  }
  return certain;
}

/* Of an object whose calls may be merged with those of others, the recording may have fewer. */
void ExpectNoMoreCalls(const CallsByKey &by_object) {
  for (const auto &[key, c] : by_object) {
    if (key.object == 0) continue;
    int64_t recorded = c.in_counts.calls + c.in_lines.calls;
    EXPECT_LE(recorded, c.told.calls) << kDisagree << FormatKey(key);
  }
}

}  // namespace

void AddSums(const Story &second, Story *first) {
  first->sums.insert(first->sums.end(), second.sums.begin(), second.sums.end());
  first->locks.insert(second.locks.begin(), second.locks.end());
  first->objects.insert(second.objects.begin(), second.objects.end());
  first->threads.insert(second.threads.begin(), second.threads.end());
  first->steps.insert(second.steps.begin(), second.steps.end());
}

void ExpectSameSums(const Story &story, const Dump &dump) {
  ASSERT_FALSE(story.sums.empty());
  ExpectNoDifferences(FindCalls(story, dump, /* may_be_merged */ false));
}

void ExpectSameSumsByEvent(const Story &story, const Dump &dump) {
  ASSERT_FALSE(story.sums.empty());
  CallsByKey calls = FindCalls(story, dump, /* may_be_merged */ true);
  ExpectNoDifferences(MergeCalls(calls, [](const Key &key) { return Key{key.kind, 0, ""}; }));
  CallsByKey by_place = MergeCalls(calls, [](const Key &key) {
    return Key{key.kind, 0, key.place};
  });
  ExpectNoDifferences(LeaveOutUncertainPlaces(by_place));
  ExpectNoMoreCalls(MergeCalls(calls, [](const Key &key) {
    return Key{key.kind, key.object, ""};
  }));
}

void ExpectSumOfAllPairs(const Dump &dump) {
  int64_t calls = 0;
  for (const CallSum &c : dump.short_calls) calls += event_begins_span(c.kind) ? c.sum.calls : 0;
  EXPECT_EQ(std::to_string(calls), dump.info.at("threshold.pairs"))
      << kDisagree << "all short calls";
}
