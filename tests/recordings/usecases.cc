/* Programs of tests/workloads/usecases, which have a problem between threads. The first screen of
   the report and the command about the problem must have the program's own numbers. */
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/recordings/cases.h"
#include "tests/support/json.h"
#include "tests/support/text.h"

namespace {

constexpr char kAll[] = ",monitors=all,locks=all,filter=usecases.*";

/* --- wake-ups ------------------------------------------------------------------------------- */

/* The program counts its useless wake-ups. `orca` knows the exact number if the exits of monitors
   are recorded. */
void ExpectUselessWakeUps(const Recording &use) {
  const std::string hash = use.Fact("object");
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "notifyAll on usecases.BoundedBuffer@" + hash + " woke ")) << summary;
  EXPECT_TRUE(Has(summary, " of the wake-ups were useless (")) << summary;
  EXPECT_FALSE(Has(summary, "at least")) << summary;
  Json waits = use.ReadView("waits");
  const Json &object = FindRow(waits["objects"], "object", "@" + hash);
  EXPECT_EQ(object["waits"].Integer(), use.Number("waits"));
  EXPECT_EQ(object["woken"].Integer(), use.Number("waits"));
  EXPECT_EQ(object["useless"].Integer(), use.Number("useless"));
  unsigned long long back = 0, through = 0, woken = 0;
  for (const Json &waiter : waits["waiters"].items) {
    if (!Has(waiter["object"].text, hash)) continue;
    back += waiter["went_back"].Integer();
    through += waiter["got_through"].Integer();
  }
  for (const Json &waker : waits["wakers"].items) {
    if (Has(waker["object"].text, hash)) woken += waker["times"].Integer();
  }
  EXPECT_EQ(back, use.Number("useless"));
  EXPECT_EQ(back + through, use.Number("waits"));
  EXPECT_EQ(woken, use.Number("waits"));
}

/* By default, a thread that took an item and came back looks like one that found none. */
void ExpectUnjudgedWakeUps(const Recording &use) {
  std::string summary = use.ReadSummary();
  EXPECT_FALSE(Has(summary, "useless")) << summary;
  Json waits = use.ReadView("waits");
  const Json &object = FindRow(waits["objects"], "object", "@" + use.Fact("object"));
  EXPECT_EQ(object["waits"].Integer(), use.Number("waits"));
  EXPECT_LT(object["judged"].Integer(), object["woken"].Integer());
  EXPECT_EQ(object["useless"].kind, Json::kNull);
}

void ExpectWakeUpsOfSanta(const Recording &use) {
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "notifyAll on usecases.SantaClaus@" + use.Fact("object") + " woke "))
      << summary;
  Json waits = use.ReadView("waits");
  const Json &object = FindRow(waits["objects"], "object", "@" + use.Fact("object"));
  EXPECT_EQ(object["woken"].Integer(), use.Number("woken"));
  EXPECT_EQ(object["useless"].Integer(), use.Number("useless"));
}

/* --- locks ---------------------------------------------------------------------------------- */

void ExpectTwoMonitors(const Recording &use) {
  EXPECT_GT(use.Number("doubles"), 0u); /* the consequence of the wrong monitor */
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary,
                  "Code of usecases.WrongMonitor$Names is guarded by two monitors, "
                  "usecases.WrongMonitor$Names@" +
                      use.Fact("this")))
      << summary;
  EXPECT_TRUE(Has(summary, "@" + use.Fact("list") + " at WrongMonitor$Names.add ")) << summary;
}

void ExpectStringLiteral(const Recording &use) {
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "java.lang.String@" + use.Fact("object") + " is locked by code of "))
      << summary;
  for (const char *name : {"usecases.SameLiteral$Billing (", "usecases.SameLiteral$Shipping ("}) {
    EXPECT_TRUE(Has(summary, name)) << summary;
  }
  std::string locks = use.RunView("locks", {});
  EXPECT_TRUE(Has(locks, "CAUTION: any code with an equal value")) << locks;
}

/* The owner sleeps while it holds the lock, and other threads are blocked. */
void ExpectHoldersLocation(const Recording &use) {
  Json locks = use.ReadView("locks");
  const Json &lock = FindRow(locks["locks"], "lock", "String@" + use.Fact("object"));
  EXPECT_EQ(lock["acquired"].Integer(), use.Number("acquired"));
  EXPECT_TRUE(Has(lock["holder_place"].text, "Facts.sleep")) << lock["holder_place"].text;
  EXPECT_TRUE(Has(lock["holder_stack"].text, "SameLiteral$")) << lock["holder_stack"].text;
  unsigned long long times = 0, total = 0;
  for (const Json &pair : locks["contenders"].items) {
    if (!Has(pair["main_lock"].text, use.Fact("object"))) continue;
    EXPECT_NE(pair["blocked"].text, pair["holder"].text);
    times += pair["times"].Integer();
    total += pair["total_ns"].Integer();
  }
  EXPECT_LE(times, lock["waited"].Integer());
  EXPECT_GT(times, 0u);
  EXPECT_LE(total, lock["blocked_ns"].Integer() + times);
  EXPECT_LE(lock["p99_blocked_ns"].Integer(), lock["longest_blocked_ns"].Integer());
}

/* The program guards one map by three kinds of lock in turn. The number of acquisitions is always
   known for locks of java.util.concurrent, but for monitors only with monitors=all. */
void ExpectAcquisitions(const Recording &use, bool is_all) {
  Json locks = use.ReadView("locks");
  size_t kinds = 0;
  for (const std::string &line : SplitLines(use.out())) {
    std::istringstream words(line);
    std::string word, kind, hash, times;
    if (!(words >> word >> kind >> hash >> times) || word != "acquired") continue;
    kinds++;
    bool is_found = false;
    for (const Json &lock : locks["locks"].items) {
      if (lock["sort"].text != kind || !Has(lock["lock"].text, "@" + hash)) continue;
      is_found = true;
      bool is_known = is_all || kind != "monitor";
      EXPECT_EQ(lock["acquired"].text, is_known ? times : "null") << kind;
      EXPECT_EQ(lock["held_ns"].kind, is_all ? Json::kNumber : Json::kNull) << kind;
    }
    EXPECT_TRUE(is_found || kind == "monitor") << kind; /* not listed without contention */
  }
  EXPECT_EQ(kinds, 4u);
}

/* --- blocked time in parts ------------------------------------------------------------------ */

/* What the program measured by itself, and what `orca locks` says of the same lock. */
struct Parts {
  double waited, handoff; /* of the program */
  double orca_handoff, orca_held, orca_blocked;
  std::string holder_place;
};

Parts MeasureParts(const Recording &use) {
  Json locks = use.ReadView("locks");
  const Json &lock = FindRow(locks["locks"], "lock", "@" + use.Fact("object"));
  auto number = [](unsigned long long n) { return static_cast<double>(n); };
  return {number(use.Number("waited")),         number(use.Number("handoff")),
          number(lock["handoff_ns"].Integer()), number(lock["held_by_others_ns"].Integer()),
          number(lock["blocked_ns"].Integer()), lock["holder_place"].text};
}

constexpr double kMs = 1e6;

/* More threads compute than there are CPUs, so a woken thread waits for a CPU. The program counts
   from before each release to after each acquisition. Orca's events are in between. So Orca says
   less, by the times in which a thread lost its CPU between its clock and the event. */
void ExpectHandoff(const Recording &use) {
  Parts parts = MeasureParts(use);
  EXPECT_LE(parts.orca_handoff, parts.handoff + kMs);
  EXPECT_GE(parts.orca_handoff, 0.75 * parts.handoff - kMs);
  EXPECT_LE(parts.orca_handoff + parts.orca_held, parts.orca_blocked + kMs);
  double held = parts.waited - parts.handoff;
  EXPECT_LE(parts.orca_held, held + 0.25 * parts.handoff + kMs);
  if (parts.orca_handoff > parts.orca_blocked / 5) {
    EXPECT_TRUE(Has(use.ReadSummary(), " was hand-off: ")) << use.ReadSummary();
  }
  EXPECT_TRUE(parts.orca_handoff == 0 || Has(use.RunView("locks", {}), "hand-off: "));
}

/* All permits are in use nearly all the time. */
void ExpectSmallPool(const Recording &use) {
  Parts parts = MeasureParts(use);
  EXPECT_LE(parts.orca_handoff, parts.handoff + kMs);
  EXPECT_LT(parts.orca_handoff, parts.orca_blocked / 3);
}

/* A thread gets an unfair lock again before the waiter that it woke runs. That is no hand-off. */
void ExpectGreedyThread(const Recording &use) {
  Parts parts = MeasureParts(use);
  EXPECT_LE(parts.orca_handoff, parts.handoff + kMs);
  EXPECT_LE(parts.orca_held, parts.waited);
  EXPECT_GT(parts.orca_held, parts.waited / 2);
  EXPECT_TRUE(Has(parts.holder_place, "Facts.sleep") || Has(parts.holder_place, "not seen"))
      << parts.holder_place;
}

/* drainPermits has no line. The permits that it removed do not count as free. */
void ExpectDrainedPermits(const Recording &use) {
  Json locks = use.ReadView("locks");
  const Json &lock = FindRow(locks["locks"], "lock", "@" + use.Fact("object"));
  EXPECT_GT(lock["blocked_ns"].Integer(), 0u);
  EXPECT_LT(lock["handoff_ns"].Integer(), lock["blocked_ns"].Integer() / 3);
}

/* The owner sleeps while it holds the monitor. Then it sleeps and works elsewhere. */
void ExpectPlaceInside(const Recording &use) {
  Json locks = use.ReadView("locks");
  const Json &lock = FindRow(locks["locks"], "lock", "@" + use.Fact("object"));
  EXPECT_TRUE(Has(lock["holder_place"].text, "HandOff.sleepInside"));
  EXPECT_TRUE(Has(lock["holder_stack"].text, "HandOff.hold "));
  std::string text = use.RunView("locks", {"--stack"}), summary = use.ReadSummary();
  EXPECT_FALSE(Has(text, "Outside")) << text;
  EXPECT_TRUE(Has(summary, "at HandOff.sleepInside (")) << summary;
  EXPECT_FALSE(Has(summary, "Outside")) << summary;
}

/* --- names ---------------------------------------------------------------------------------- */

void ExpectTitles(const Recording &use) {
  const struct {
    const char *name, *before, *type;
  } rows[] = {{"plain", "monitor in ", "Object"},
              {"ints", "monitor in ", "int[]"},
              {"lock", "lock in ", "ReentrantLock"},
              {"write", "lock in ", "ReentrantReadWriteLock"},
              {"permit", "semaphore in ", "Semaphore"}};
  Json locks = use.ReadView("locks")["locks"];
  std::string text = use.RunView("locks", {}), report = use.RunView("report", {"--top=100"});
  for (const auto &row : rows) {
    const std::string object = "@" + use.Fact(row.name);
    const std::string title =
        row.before + use.Fact(std::string(row.name) + "-place") + " (" + row.type + object + ")";
    EXPECT_EQ(FindMember(locks, "lock", object, "title"), title);
    EXPECT_TRUE(Has(text, "\n" + title + "\n")) << title << text;
    EXPECT_TRUE(Has(report, "\n" + title + "\n")) << title << report;
    Json filtered = JsonReader(use.RunView("locks", {"--format=json", "--lock=" + title})).Read();
    ASSERT_FALSE(filtered["locks"].items.empty()) << title;
    for (const Json &lock : filtered["locks"].items) {
      EXPECT_EQ(lock["title"].text, title);
    }
  }
  EXPECT_FALSE(Has(text, "initialization")) << text;
  EXPECT_TRUE(Has(text, "\nusecases.LockNames$Till@" + use.Fact("till") + "\n")) << text;
  EXPECT_TRUE(Has(text, "\nclass usecases.LockNames$Till\n")) << text;
  EXPECT_EQ(FindMember(locks, "lock", "@" + use.Fact("class"), "title"),
            "class usecases.LockNames$Till");
  // the lock that no thread waited for
  const std::string quiet = "ReentrantLock@" + use.Fact("quiet");
  EXPECT_FALSE(Has(text, quiet)) << text;
  EXPECT_FALSE(Has(report, quiet)) << report;
  EXPECT_TRUE(Has(text, "\nNo thread waited for ")) << text;
  EXPECT_TRUE(Has(use.RunView("locks", {"--all"}), quiet));
  EXPECT_EQ(FindRow(locks, "lock", quiet)["acquired"].Integer(), 1u);
}

void ExpectInitialization(const Recording &use) {
  Json locks = use.ReadView("locks")["locks"];
  int num = 0;
  for (const Json &lock : locks.items) {
    if (!Has(lock["lock"].text, "int[]@")) continue;
    /* Where the stack of the blocked thread does not prove an initialization, none is claimed. */
    bool claims = Has(lock["title"].text, "initialization of a class at ");
    EXPECT_TRUE(claims || Has(lock["title"].text, "monitor in ")) << lock["title"].text;
    EXPECT_TRUE(Has(lock["title"].text, " (" + lock["lock"].text + ")")) << lock["title"].text;
    num += claims;
  }
  EXPECT_GT(num, 0);
  EXPECT_TRUE(Has(use.RunView("locks", {"--top=1000"}),
                  "initialization of a class at " + use.Fact("place")));
}

void ExpectVirtualNames(const Recording &use) {
  unsigned long long num = use.Number("threads");
  Json threads = use.ReadView("threads")["threads"];
  std::string log = use.RunView("log", {"--format=csv"});
  for (const std::string how : {"alone", "pooled"}) {
    for (unsigned long long i = 1; i <= num; i++) {
      const std::string hash = use.Fact(how + "-" + std::to_string(i));
      const std::string name = "virtual thread " + std::to_string(i) + " of " + use.Fact(how);
      EXPECT_EQ(FindMember(threads, "hash", hash, "thread"), name);
      EXPECT_TRUE(Has(log, name)) << name;
      Json found = JsonReader(use.RunView("threads", {"--format=json", "--thread=" + name})).Read();
      ASSERT_EQ(found["threads"].items.size(), 1u) << name;
      EXPECT_EQ(found["threads"].items[0]["hash"].text, hash);
    }
  }
  Json all =
      JsonReader(use.RunView("threads", {"--format=json", "--thread=virtual thread *"})).Read();
  EXPECT_EQ(all["threads"].items.size(), 2 * num);
  // most of the waiters of the gate are told as a series
  EXPECT_TRUE(Has(use.ReadSummary(), "virtual thread ")) << use.ReadSummary();
}

void ExpectFoldedThreads(const Recording &use) {
  std::string folded = use.RunView("threads", {}), all = use.RunView("threads", {"--all"});
  EXPECT_TRUE(Has(folded, " of the JVM ")) << folded;
  for (const char *name : {"\nFinalizer ", "\nSignal Dispatcher "}) {
    EXPECT_FALSE(Has(folded, name)) << folded;
    EXPECT_TRUE(Has(all, name)) << all;
  }
  for (const char *name : {"\nmain ", "\nfirst ", "\nsecond "}) {
    EXPECT_TRUE(Has(folded, name)) << folded;
  }
  Json threads = use.ReadView("threads")["threads"];
  EXPECT_EQ(FindMember(threads, "thread", "Finalizer", "thread"), "Finalizer");
}

/* --- deadlocks ------------------------------------------------------------------------------ */

void ExpectLockOrder(const Recording &use) {
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "These locks are taken in an order that can deadlock: ")) << summary;
  for (const char *name : {"first", "second"}) {
    EXPECT_TRUE(Has(summary, "usecases.LockOrder$Account@" + use.Fact(name))) << summary;
  }
  EXPECT_FALSE(Has(summary, "DEADLOCK")) << summary;
  EXPECT_FALSE(Has(summary, "$Drawer")) << "taken only with the key, or by one thread: " << summary;
  Json data = use.ReadView("deadlocks");
  EXPECT_EQ(data["deadlocks"].items.size(), 0u);
  ASSERT_EQ(data["orders"].items.size(), 2u);
  EXPECT_EQ(data["orders"].items[0]["has"].text, data["orders"].items[1]["asks_for"].text);
  for (const Json &order : data["orders"].items) EXPECT_EQ(order["gates_known"].text, "yes");
}

void ExpectDeadlock(const Recording &use, const std::vector<std::string> &threads) {
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "DEADLOCK: ")) << summary;
  EXPECT_FALSE(Has(summary, "can deadlock")) << summary;
  Json rows = use.ReadView("deadlocks")["deadlocks"];
  ASSERT_EQ(rows.items.size(), threads.size());
  for (const std::string &thread : threads) {
    EXPECT_TRUE(Has(summary, thread)) << summary;
    const Json &row = FindRow(rows, "thread", thread);
    EXPECT_NE(row["owner"].text, thread);
    EXPECT_TRUE(Has(row["stack"].text, "; ")) << row["stack"].text;
  }
}

void ExpectLockOrderDeadlock(const Recording &use, const std::string &acquisition) {
  ExpectDeadlock(use, {"there", "back"});
  Json rows = use.ReadView("deadlocks")["deadlocks"];
  for (const Json &row : rows.items) EXPECT_NE(row["owner_stack"].text, "");
  EXPECT_TRUE(Has(use.ReadSummary(), acquisition)) << use.ReadSummary();
}

/* Each thread acquired its first lock and waits for the second in the same method, so the line of
   the frame is not that of the acquisition. */
void ExpectDeadlockOfHeldMonitors(const Recording &use) {
  ExpectLockOrderDeadlock(use, ", which acquired it in LockOrder.move; ");
  EXPECT_FALSE(Has(use.ReadSummary(), "acquired it at")) << use.ReadSummary();
}

void ExpectDeadlockOfEnteredMonitors(const Recording &use) {
  ExpectLockOrderDeadlock(use, ", which acquired it at LockOrder.move (LockOrder.java:");
}

void ExpectJoinDeadlock(const Recording &use) {
  ExpectDeadlock(use, {"waiter", "worker"});
  EXPECT_TRUE(Has(use.ReadSummary(), "waiter joins worker at JoinDeadlock.startAndJoin"));
}

constexpr char kHoldsTheReadSide[] =
    "though it holds the read side itself, which it acquired at Upgrade.read";

void ExpectUpgrade(const Recording &use) {
  std::string text = use.ReadSummary();
  EXPECT_TRUE(Has(text, "DEADLOCK: upgrader waits for the write side of ")) << text;
  EXPECT_TRUE(Has(text, kHoldsTheReadSide)) << text;
}

/* The read side was free, so its acquisition has no event. */
void ExpectUnknownReadSide(const Recording &use) {
  EXPECT_FALSE(Has(use.ReadSummary(), kHoldsTheReadSide)) << use.ReadSummary();
}

/* The owners may become known late: the agent queries a blocked thread again after a while, and the
   lock may have passed to another owner. */
void ExpectLiveDeadlock(const Recording &use) {
  std::string text = use.RunView("deadlocks");
  EXPECT_TRUE(Has(text, "Deadlocks (times")) << text;
  EXPECT_TRUE(Has(text, "when the last line was written")) << text;
}

/* --- joins ---------------------------------------------------------------------------------- */

void ExpectJoins(const Recording &use) {
  std::string summary = use.ReadSummary();
  EXPECT_TRUE(Has(summary, "in Thread.join (" + use.Fact("joins") + " times)")) << summary;
  EXPECT_TRUE(Has(summary, "15 threads spent ")) << summary;
  EXPECT_TRUE(Has(summary, "CPU time is spent in MergeSort.")) << summary;
}

}  // namespace

std::vector<Case> ListUsecases() {
  auto with_all = [](const Recording &use) { ExpectAcquisitions(use, true); };
  auto by_default = [](const Recording &use) { ExpectAcquisitions(use, false); };
  auto names = [](const Recording &use) {
    ExpectTitles(use);
    ExpectFoldedThreads(use);
  };
  return {
      {"BoundedBuffer", {"usecases.BoundedBuffer"}, "", ExpectUnjudgedWakeUps},
      {"BoundedBufferAll", {"usecases.BoundedBuffer"}, kAll, ExpectUselessWakeUps},
      {"SantaClausAll", {"usecases.SantaClaus"}, kAll, ExpectWakeUpsOfSanta},
      {"WrongMonitorAll", {"usecases.WrongMonitor"}, kAll, ExpectTwoMonitors},
      {"SameLiteral", {"usecases.SameLiteral"}, "", ExpectStringLiteral},
      {"SameLiteralAll", {"usecases.SameLiteral"}, kAll, ExpectHoldersLocation},
      {"Maps", {"counted.Maps"}, "", by_default},
      {"MapsAll", {"counted.Maps"}, ",monitors=all,locks=all,filter=counted.Maps*", with_all},
      {"HandOffLock", {"usecases.HandOff", "lock"}, "", ExpectHandoff},
      {"HandOffPermit", {"usecases.HandOff", "permit"}, "", ExpectHandoff},
      {"HandOffPool", {"usecases.HandOff", "pool"}, "", ExpectSmallPool},
      {"HandOffGreedy", {"usecases.HandOff", "greedy"}, "", ExpectGreedyThread},
      {"HandOffDrained", {"usecases.HandOff", "drained"}, "", ExpectDrainedPermits},
      {"HandOffPlace", {"usecases.HandOff", "place"}, "", ExpectPlaceInside},
      {"HandOffPlaceAll", {"usecases.HandOff", "place"}, kAll, ExpectPlaceInside},
      {"LockNames", {"usecases.LockNames"}, "", names},
      {"LockNamesAll", {"usecases.LockNames"}, kAll, ExpectTitles},
      {"ClassInit", {"usecases.ClassInit"}, "", ExpectInitialization},
      {"VirtualNames", {"usecases.VirtualNames"}, "", ExpectVirtualNames, {}, 21},
      {"LockOrderAll", {"usecases.LockOrder", "luck"}, kAll, ExpectLockOrder},
      {"LockOrderDeadlock", {"usecases.LockOrder", "deadlock"}, "", ExpectDeadlockOfHeldMonitors},
      {"LockOrderDeadlockAll",
       {"usecases.LockOrder", "deadlock"},
       kAll,
       ExpectDeadlockOfEnteredMonitors},
      {"LockOrderHang", {"usecases.LockOrder", "hang"}, "", ExpectLiveDeadlock, {}, 0, true},
      {"LockOrderHanded", {"usecases.LockOrder", "handed"}, "", ExpectLiveDeadlock, {}, 0, true},
      {"JoinDeadlock", {"usecases.JoinDeadlock"}, "", ExpectJoinDeadlock},
      {"JoinDeadlockAll", {"usecases.JoinDeadlock"}, kAll, ExpectJoinDeadlock},
      {"Upgrade", {"usecases.Upgrade"}, "", ExpectUnknownReadSide},
      {"UpgradeAll", {"usecases.Upgrade"}, ",locks=all", ExpectUpgrade},
      {"MergeSort", {"usecases.MergeSort"}, "", ExpectJoins},
  };
}
