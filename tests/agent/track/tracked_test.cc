#include "agent/track/tracked.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

std::string SignatureOf(const struct tracked &t) { return std::string("L") + t.class_name + ";"; }

std::string Printed(int row) {
  struct builder b = {};
  tracked_print(&b, row);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(Tracked, EveryRowIsFoundByItsMethodAndStandsOnce) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    EXPECT_EQ(tracked_find(SignatureOf(t).c_str(), t.name, t.descriptor), row)
        << t.name << t.descriptor;
    EXPECT_TRUE(tracked_has_class(SignatureOf(t).c_str()));
  }
}

TEST(Tracked, NothingElseIsFound) {
  EXPECT_EQ(tracked_find("Ljava/lang/Object;", "wait", "(I)V"), -1);
  EXPECT_EQ(tracked_find("Ljava/lang/Object;", "wait0", "(J)V"), -1);
  EXPECT_EQ(tracked_find("Lcom/acme/Object;", "wait", "()V"), -1);
  EXPECT_EQ(tracked_find("java/lang/Object", "wait", "()V"), -1);
  EXPECT_FALSE(tracked_has_class("Ljava/lang/String;"));
  EXPECT_FALSE(tracked_has_class("Ljava/lang/Thread$State;"));
}

TEST(Tracked, ARowWithAnExitIsAPairOfEventsAndNoOtherIs) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    EXPECT_EQ(event_infos[t.entry].role, t.has_exit ? ROLE_BEGIN : ROLE_POINT) << t.name;
    if (t.has_exit) {
      EXPECT_EQ(event_infos[t.entry + 1].role, ROLE_END) << t.name;
    }
  }
}

TEST(Tracked, ARowIsAboutAnObjectWhereItsEventHasOne) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    EXPECT_EQ(t.about == ABOUT_THIS, shape_has_object(event_infos[t.entry].shape)) << t.name;
    EXPECT_TRUE(shape_has_stack(event_infos[t.entry].shape)) << t.name;
  }
}

TEST(Tracked, EveryEventOfATrackedMethodHasARow) {
  std::set<int> entries;
  for (int row = 0; row < num_tracked; row++) entries.insert(tracked[row].entry);
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    bool by_jvmti = event_infos[kind].group == GROUP_MONITOR || kind == EVENT_THREAD_STARTED ||
                    kind == EVENT_THREAD_ENDED;
    bool is_entry = !by_jvmti && event_infos[kind].role != ROLE_END;
    EXPECT_EQ(entries.count(kind) == 1, is_entry) << event_infos[kind].name;
  }
}

TEST(Tracked, ARowIsPrintedAsAPersonWritesIt) {
  int row = tracked_find("Ljava/lang/Object;", "wait", "(J)V");
  EXPECT_EQ(Printed(row), "java.lang.Object.wait(J)V");
}

}  // namespace
