#include "agent/tracked/tracked.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/jvm.h"

namespace {

std::string GetSignature(const struct tracked &t) { return std::string("L") + t.class_name + ";"; }

std::string PrintRow(int row) {
  struct builder b = {};
  tracked_print(&b, row);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

enum tracked_way GetWay(const struct tracked *t, const std::string &options) {
  struct options o;
  char error[2048] = "";
  EXPECT_TRUE(options_parse(("out," + options).c_str(), &o, error, sizeof error)) << error;
  return tracked_way(t, &o);
}

std::string ReadSource() {
  std::ostringstream text;
  text << std::ifstream(Runfile("agent/track/java/OrcaLocks.java")).rdbuf();
  EXPECT_NE(text.str(), "");
  return text.str();
}

TEST(Tracked, EveryRowIsUniqueAndFoundByItsMethod) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    EXPECT_EQ(tracked_find(GetSignature(t).c_str(), t.name, t.descriptor), row)
        << t.name << t.descriptor;
    EXPECT_TRUE(tracked_has_class(GetSignature(t).c_str()));
  }
}

TEST(Tracked, FindsNoOtherMethods) {
  EXPECT_EQ(tracked_find("Ljava/lang/Object;", "wait", "(I)V"), -1);
  EXPECT_EQ(tracked_find("Ljava/lang/Object;", "wait0", "(J)V"), -1);
  EXPECT_EQ(tracked_find("Lcom/acme/Object;", "wait", "()V"), -1);
  EXPECT_EQ(tracked_find("java/lang/Object", "wait", "()V"), -1);
  EXPECT_FALSE(tracked_has_class("Ljava/lang/String;"));
  EXPECT_FALSE(tracked_has_class("Ljava/lang/Thread$State;"));
}

// --- rows and their events ----------------------------------------------------------------------

TEST(Tracked, OnlyRowsWithAnExitEventArePairs) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (t.exit == ENDS_MADE || t.exit == ENDS_HIDDEN) continue;  // have no events
    EXPECT_EQ(event_infos[t.entry].role == ROLE_BEGIN, tracked_is_pair(&t)) << t.name;
    EXPECT_EQ(event_is_of_pair(t.entry), tracked_is_pair(&t)) << t.name;
    if (tracked_is_pair(&t)) {
      EXPECT_EQ(event_infos[event_end(t.entry, false)].role, ROLE_END) << t.name;
    }
  }
}

// In a queue that compares its elements, and in a barrier, code of the program runs.
TEST(Tracked, KnowsWhichCallsNeverCallTheProgram) {
  const std::map<std::string, bool> closed = {
      {"java/lang/Object", true},
      {"java/util/concurrent/Semaphore", true},
      {"java/util/concurrent/CountDownLatch", true},
      {"java/util/concurrent/FutureTask", true},
      {"java/util/concurrent/CompletableFuture", false},
      {"java/util/concurrent/CyclicBarrier", false},
      {"java/util/concurrent/ForkJoinTask", false},
      {"java/util/concurrent/PriorityBlockingQueue", false},
      {"java/util/concurrent/ThreadPerTaskExecutor", false},
      {"java/lang/VirtualThread", false},
  };
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (closed.count(t.class_name) == 0 || !tracked_is_pair(&t)) continue;
    EXPECT_EQ(tracked_is_closed(&t), closed.at(t.class_name)) << PrintRow(row);
  }
  int unpark = tracked_find("Ljava/lang/VirtualThread;", "unpark", "()V");
  EXPECT_FALSE(tracked_is_closed(&tracked[unpark])) << "it calls the scheduler";
}

TEST(Tracked, SumsUpTasksAndVirtualThreads) {
  int num = 0;
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (!tracked_is_summed(&t)) continue;
    bool is_virtual = strcmp(t.class_name, "java/lang/VirtualThread") == 0;
    EXPECT_EQ(t.entry, is_virtual ? EVENT_THREAD_START : EVENT_EXECUTOR_SUBMIT) << PrintRow(row);
    num += is_virtual ? 100 : 1;
  }
  EXPECT_GT(num, 100);
}

// The object of such a row is one by its type.
TEST(Tracked, RowsAboutAnArgumentOrAResultHaveOne) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    EXPECT_EQ(t.about == ABOUT_RETURNED, t.exit == ENDS_RETURNED) << PrintRow(row);
    EXPECT_EQ(t.about == ABOUT_TASK, shape_has_executor(event_infos[t.entry].shape))
        << PrintRow(row);
    if (t.about == ABOUT_TASK) {
      EXPECT_EQ(t.exit, ENDS_DEEP) << PrintRow(row);
    }
    if (t.about == ABOUT_ARGUMENT || t.about == ABOUT_TASK) {
      EXPECT_EQ(t.descriptor[1], 'L') << PrintRow(row);
    }
    if (t.about == ABOUT_RETURNED) {
      EXPECT_EQ(strchr(t.descriptor, ')')[1], 'L') << PrintRow(row);
    }
  }
}

// The type of the return value must be the one that is checked.
TEST(Tracked, RowsWithAValueCheckHaveAFailEvent) {
  const std::map<enum tracked_exit, std::string> types = {
      {ENDS_TRUE, "Z"}, {ENDS_POSITIVE, "J"}, {ENDS_NONZERO, "J"}, {ENDS_NONNULL, "L"}};
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    auto type = types.find(t.exit);
    if (type == types.end()) continue;
    EXPECT_EQ(event_infos[event_end(t.entry, true)].role, ROLE_FAIL) << PrintRow(row);
    EXPECT_EQ(strchr(t.descriptor, ')')[1], type->second[0]) << PrintRow(row);
  }
}

TEST(Tracked, RowsHaveAnObjectWhenTheirEventHasOne) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (t.exit == ENDS_HIDDEN) continue;  // has no events
    enum event_shape shape = event_infos[t.entry].shape;
    EXPECT_TRUE(shape_has_stack(shape) || shape_has_name(shape)) << PrintRow(row);
    if (t.entry == EVENT_THREAD_PARK) continue;  // park may have no blocker
    EXPECT_EQ(t.about != ABOUT_NOTHING, shape_has_object(event_infos[t.entry].shape))
        << PrintRow(row);
  }
}

TEST(Tracked, RowsOfSidesHaveAboutSide) {
  for (int row = 0; row < num_tracked; row++) {
    const std::string name = tracked[row].class_name;
    bool is_side =
        name.find("$ReadLock") != std::string::npos || name.find("$WriteLock") != std::string::npos;
    EXPECT_EQ(tracked[row].about == ABOUT_SIDE, is_side) << PrintRow(row);
  }
}

// lock_fields.h finds owners only for LOCKED rows.
TEST(Tracked, RowsWithAnOwnerAreLockedRows) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (t.exit == ENDS_MADE || !shape_has_owner(event_infos[t.entry].shape)) continue;
    EXPECT_NE(t.brief, BRIEF_NOT) << PrintRow(row);
  }
}

TEST(Tracked, EveryEntryEventHasARow) {
  std::set<int> entries;
  for (int row = 0; row < num_tracked; row++) {
    if (tracked[row].exit != ENDS_MADE) entries.insert(tracked[row].entry);
  }
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info &info = event_infos[kind];
    bool other = info.group == GROUP_MONITOR || info.group == GROUP_METHOD ||
                 kind == EVENT_THREAD_STARTED || kind == EVENT_THREAD_ENDED ||
                 event_has(static_cast<enum event_kind>(kind), TRAIT_NEWS);
    bool is_entry = !other && !event_is_end(static_cast<enum event_kind>(kind));
    EXPECT_EQ(entries.count(kind) == 1, is_entry) << info.name;
  }
}

// plan.c has room for 32 rows of a class, and the hash table of engine_callbacks.c should be at
// most half full.
TEST(Tracked, RowsFitIntoTheTablesOfTheEngines) {
  std::map<std::string, int> classes;
  for (int row = 0; row < num_tracked; row++) classes[tracked[row].class_name]++;
  EXPECT_LE(classes.size(), 128u);
  for (const auto &[name, rows] : classes) EXPECT_LE(rows, 32) << name;
  EXPECT_LE(num_tracked, 1024 / 2);
}

// --- how a row is hooked -------------------------------------------------------------------------

TEST(TrackedWay, DependsOnTheOptionLocks) {
  const struct {
    const char *klass, *name, *descriptor;
    enum tracked_way waits, all;
  } rows[] = {
      {"Ljava/lang/Object;", "wait", "(J)V", WAY_RECORD, WAY_RECORD},
      {"Ljava/util/concurrent/Semaphore;", "tryAcquire", "()Z", WAY_RECORD, WAY_RECORD},
      {"Ljava/lang/VirtualThread;", "parkOnCarrierThread", "(ZJ)V", WAY_RECORD, WAY_RECORD},
      {"Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V", WAY_TRY, WAY_RECORD},
      {"Ljava/util/concurrent/locks/ReentrantLock;", "unlock", "()V", WAY_NONE, WAY_RECORD},
      {"Ljava/util/concurrent/locks/ReentrantReadWriteLock;", "<init>", "(Z)V", WAY_MADE, WAY_MADE},
      {"Ljava/util/concurrent/locks/StampedLock;", "readLock", "()J", WAY_COUNT, WAY_RECORD},
      {"Ljava/util/concurrent/locks/StampedLock;", "tryReadLock", "()J", WAY_NONE, WAY_RECORD},
      {"Ljava/util/concurrent/locks/StampedLock;", "acquireRead", "(ZZJ)J", WAY_RECORD, WAY_NONE},
  };
  for (const auto &row : rows) {
    const struct tracked *t = &tracked[tracked_find(row.klass, row.name, row.descriptor)];
    EXPECT_EQ(GetWay(t, "locks=waits"), row.waits) << row.klass << row.name;
    EXPECT_EQ(GetWay(t, "locks=all"), row.all) << row.klass << row.name;
    EXPECT_EQ(GetWay(t, ""), row.waits) << row.klass << row.name;
  }
}

// So each acquisition is seen: OrcaLocks counts it, or a COUNT row counts it and a WAIT row records
// it if it had to wait.
TEST(TrackedWay, OnlySkipAndWaitRowsAreEverUnhooked) {
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    EXPECT_EQ(GetWay(t, "locks=all") == WAY_NONE, t->brief == BRIEF_WAIT) << PrintRow(row);
    EXPECT_EQ(GetWay(t, "locks=waits") == WAY_NONE, t->brief == BRIEF_SKIP) << PrintRow(row);
  }
}

// With one, no lock is hooked when it is made. Other rows are hooked in the same way.
TEST(TrackedWay, AThresholdLeavesOutTheMakingOfLocks) {
  int made = 0;
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked *t = &tracked[row];
    made += t->exit == ENDS_MADE;
    EXPECT_EQ(GetWay(t, "threshold=10ms"), t->exit == ENDS_MADE ? WAY_NONE : GetWay(t, ""))
        << PrintRow(row);
    EXPECT_EQ(GetWay(t, "threshold=0"), GetWay(t, "")) << PrintRow(row);
  }
  EXPECT_EQ(made, 1);
}

TEST(TrackedWay, OnlyRowsOfSelectedGroupsAreHooked) {
  for (int group = 0; group < NUM_GROUPS; group++) {
    for (const char *locks : {",locks=waits", ",locks=all"}) {
      std::string name = group_infos[group].name;
      for (int row = 0; row < num_tracked; row++) {
        const struct tracked *t = &tracked[row];
        bool wanted =
            event_infos[t->entry].group == group || t->exit == ENDS_COVER || t->exit == ENDS_HIDDEN;
        EXPECT_EQ(GetWay(t, "events=" + name + locks), wanted ? GetWay(t, locks) : WAY_NONE)
            << name << " " << PrintRow(row);
      }
    }
  }
  for (int row = 0; row < num_tracked; row++) {
    EXPECT_EQ(GetWay(&tracked[row], "events=none"), WAY_NONE);
  }
}

// --- methods of OrcaLocks.java -------------------------------------------------------------------

// Converts "java/util/concurrent/locks/ReentrantLock" to the name that its package uses.
std::string MakeJavaName(const std::string &class_name) {
  std::string name = class_name.substr(class_name.rfind('/') + 1);
  std::replace(name.begin(), name.end(), '$', '.');
  return name;
}

TEST(TrackedLocks, EveryTryRowHasAMethodInOrcaLocks) {
  const std::map<std::string, std::string> parameters = {
      {"()V", ""},
      {"()Z", ""},
      {"(JLjava/util/concurrent/TimeUnit;)Z", ", long time, TimeUnit unit"}};
  const std::string source = ReadSource();
  int tries = 0;
  for (int row = 0; row < num_tracked; row++) {
    const struct tracked &t = tracked[row];
    if (t.brief != BRIEF_TRY) continue;
    tries++;
    ASSERT_EQ(parameters.count(t.descriptor), 1u) << PrintRow(row);
    std::string head = std::string("public static boolean ") + t.name + "(" +
                       MakeJavaName(t.class_name) + " l" + parameters.at(t.descriptor) + ") {";
    EXPECT_NE(source.find(head), std::string::npos) << head;
  }
  size_t methods = 0;
  for (size_t at = 0; (at = source.find("public static boolean ", at)) != std::string::npos; at++) {
    methods++;
  }
  EXPECT_EQ(methods, static_cast<size_t>(tries)) << "methods that no row calls";
}

TEST(TrackedLocks, OrcaLocksHasTheCountMethodsOfThePlan) {
  const std::string source = ReadSource();
  for (const char *name : {"countAlone", "countShared"}) {
    std::string head = std::string("public static void ") + name + "(Object lock) {";
    EXPECT_NE(source.find(head), std::string::npos) << head;
  }
}

// --- names ---------------------------------------------------------------------------------------

TEST(Tracked, PrintsRowsInJavaSyntax) {
  int row = tracked_find("Ljava/lang/Object;", "wait", "(J)V");
  EXPECT_EQ(PrintRow(row), "java.lang.Object.wait(J)V");
}

}  // namespace
