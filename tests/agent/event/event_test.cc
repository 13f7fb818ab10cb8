#include "agent/event/event.h"

#include <cctype>
#include <cstring>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

// Is the name an upper-case letter followed by letters and digits? Such a name needs no escapes.
bool IsLineName(const std::string &name) {
  for (char c : name) {
    if (!isalnum(static_cast<unsigned char>(c))) return false;
  }
  return !name.empty() && isupper(static_cast<unsigned char>(name[0]));
}

TEST(EventTable, EveryNameIsUniqueAndFound) {
  std::set<std::string> seen;
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const char *name = event_infos[kind].name;
    EXPECT_TRUE(IsLineName(name)) << name;
    EXPECT_TRUE(seen.insert(name).second) << name;
    enum event_kind found = NUM_EVENTS;
    EXPECT_TRUE(event_find(Span(name), &found)) << name;
    EXPECT_EQ(found, kind) << name;
  }
}

TEST(EventTable, EndFollowsBeginAndFailFollowsEnd) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info &info = event_infos[kind];
    enum event_role previous_role = kind > 0 ? event_infos[kind - 1].role : ROLE_POINT;
    EXPECT_EQ(info.role == ROLE_END, previous_role == ROLE_BEGIN) << info.name;
    EXPECT_EQ(info.role == ROLE_LEAVE, previous_role == ROLE_ENTER) << info.name;
    EXPECT_TRUE(info.role != ROLE_FAIL || previous_role == ROLE_END) << info.name;
    if (!event_is_end(static_cast<enum event_kind>(kind))) continue;
    EXPECT_EQ(info.group, event_infos[kind - 1].group) << info.name;
  }
  EXPECT_NE(event_infos[NUM_EVENTS - 1].role, ROLE_BEGIN);
}

// The reports name the call in which a thread waits; a new pair must say what its call is.
TEST(EventTable, EveryBeginHasACallAndNoOtherRowHas) {
  static const char *const calls[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, traits, call) call,
#include "agent/event/event.def"
  };
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    EXPECT_EQ(calls[kind] != nullptr, event_infos[kind].role == ROLE_BEGIN)
        << event_infos[kind].name;
  }
}

TEST(EventTable, PairsEndWithEndOrFail) {
  EXPECT_EQ(event_end(EVENT_LOCK_TRY, false), EVENT_LOCK_TRIED);
  EXPECT_EQ(event_end(EVENT_LOCK_TRY, true), EVENT_LOCK_TRY_FAILED);
  EXPECT_EQ(event_begin(EVENT_LOCK_TRIED), EVENT_LOCK_TRY);
  EXPECT_EQ(event_begin(EVENT_LOCK_TRY_FAILED), EVENT_LOCK_TRY);
  // The events of 2014 have no FAIL.
  EXPECT_EQ(event_end(EVENT_SEMAPHORE_ACQUIRE, true), EVENT_SEMAPHORE_ACQUIRED);
  EXPECT_EQ(event_begin(EVENT_SEMAPHORE_ACQUIRED), EVENT_SEMAPHORE_ACQUIRE);
}

// The files contain the names of events, and the names of 2014 must not change.
TEST(EventTable, HasTheDocumentedEvents) {
  static const struct {
    const char *name;
    enum event_shape shape;
  } documented[] = {
      {"ObjectWait", SHAPE_TOS},
      {"ObjectWaited", SHAPE_TOS},
      {"ObjectNotify", SHAPE_TOS},
      {"ObjectNotifyAll", SHAPE_TOS},
      {"ThreadStart", SHAPE_TOS},
      {"ThreadJoin", SHAPE_TOS},
      {"ThreadJoined", SHAPE_TOS},
      {"ThreadSleep", SHAPE_TS},
      {"ThreadSlept", SHAPE_TS},
      {"SemaphoreAcquire", SHAPE_TOS},
      {"SemaphoreAcquired", SHAPE_TOS},
      {"SemaphoreRelease", SHAPE_TOS},
      {"MonitorContendedEnter", SHAPE_TOWS},
      {"MonitorContendedEntered", SHAPE_TOS},
      {"ThreadStarted", SHAPE_TN},
      {"ThreadEnded", SHAPE_T},
  };
  for (const auto &event : documented) {
    enum event_kind kind;
    ASSERT_TRUE(event_find(Span(event.name), &kind)) << event.name;
    EXPECT_EQ(event_infos[kind].shape, event.shape) << event.name;
  }
}

TEST(EventTable, EveryEventHasAGroupAndEveryGroupHasAnEvent) {
  std::set<int> used;
  for (const struct event_info &info : event_infos) {
    EXPECT_GE(info.group, 0) << info.name;
    EXPECT_LT(info.group, NUM_GROUPS) << info.name;
    used.insert(info.group);
  }
  EXPECT_EQ(used.size(), static_cast<size_t>(NUM_GROUPS));
}

TEST(GroupTable, EveryNameIsUniqueAndFound) {
  std::set<std::string> seen;
  for (int group = 0; group < NUM_GROUPS; group++) {
    const struct group_info &info = group_infos[group];
    EXPECT_TRUE(seen.insert(info.name).second) << info.name;
    EXPECT_GT(strlen(info.holds), 0u) << info.name;
    EXPECT_EQ(strpbrk(info.name, "+, "), nullptr) << info.name;  // + joins groups in options
    enum event_group found = NUM_GROUPS;
    EXPECT_TRUE(group_find(Span(info.name), &found)) << info.name;
    EXPECT_EQ(found, group) << info.name;
  }
}

TEST(StateTable, EveryNameIsUniqueAndFound) {
  std::set<std::string> seen;
  for (int state = 0; state < NUM_STATES; state++) {
    const char *name = thread_state_names[state];
    EXPECT_TRUE(IsLineName(name)) << name;
    EXPECT_TRUE(seen.insert(name).second) << name;
    enum thread_state found = NUM_STATES;
    EXPECT_TRUE(state_find(Span(name), &found)) << name;
    EXPECT_EQ(found, state) << name;
  }
}

TEST(Find, RefusesUnknownNames) {
  for (const char *bad : {"", "objectwait", "ObjectWai", "ObjectWaitX", " ObjectWait", "Monitor"}) {
    enum event_kind kind = EVENT_THREAD_ENDED;
    enum thread_state state = STATE_PARKED;
    enum event_group group = GROUP_JOIN;
    EXPECT_FALSE(event_find(Span(bad), &kind)) << bad;
    EXPECT_FALSE(state_find(Span(bad), &state)) << bad;
    EXPECT_FALSE(group_find(Span(bad), &group)) << bad;
    EXPECT_EQ(kind, EVENT_THREAD_ENDED) << bad;
    EXPECT_EQ(state, STATE_PARKED) << bad;
    EXPECT_EQ(group, GROUP_JOIN) << bad;
  }
}

TEST(Shape, DefinesTheFieldsOfALine) {
  static const struct {
    enum event_shape shape;
    bool object, owner, stack, name, outcome, executor = false;
  } rows[] = {
      {SHAPE_T, false, false, false, false, false},
      {SHAPE_TN, false, false, false, true, false},
      {SHAPE_TON, true, false, false, true, false},
      {SHAPE_TS, false, false, true, false, false},
      {SHAPE_TOS, true, false, true, false, false},
      {SHAPE_TOWS, true, true, true, false, false},
      {SHAPE_TKCS, false, false, true, false, true},
      {SHAPE_TKWS, false, true, true, false, false},
      {SHAPE_TOZ, true, false, false, false, false},
      {SHAPE_TL, false, false, false, false, false},
      {SHAPE_TOPS, true, false, true, false, false, true},
  };
  for (const auto &row : rows) {
    EXPECT_EQ(shape_has_object(row.shape), row.object) << row.shape;
    EXPECT_EQ(shape_has_owner(row.shape), row.owner) << row.shape;
    EXPECT_EQ(shape_has_stack(row.shape), row.stack) << row.shape;
    EXPECT_EQ(shape_has_name(row.shape), row.name) << row.shape;
    EXPECT_EQ(shape_has_outcome(row.shape), row.outcome) << row.shape;
    EXPECT_EQ(shape_has_executor(row.shape), row.executor) << row.shape;
  }
}

}  // namespace
