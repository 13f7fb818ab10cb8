/* What goes wrong between threads stands on the first screen of a report, with the program's own
   numbers, and in the command about it. */
#include <signal.h>
#include <unistd.h>

#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/text_file.h"
#include "tests/support/json.h"

namespace {

constexpr char kAll[] = ",monitors=all,locks=all,filter=usecases.*";

/* A use case that was recorded, what it says of itself, and what orca says of it. */
class UseCase {
 public:
  UseCase(const Jdk &jdk, const std::vector<std::string> &words, const std::string &options)
      : session_(::Setup{jdk, "weave"}, Program(words, {}, options)) {}

  void Wait() {
    session_.Wait();
    EXPECT_EQ(session_.result().status, 0) << session_.result().err;
    session_.ExpectQuiet();
    session_.ExpectChecked();
    for (const std::string &line : WholeLines(session_.result().out)) {
      std::istringstream words(line);
      std::string fact, name, value;
      if (words >> fact >> name >> value && fact == "fact") facts_[name] = value;
    }
  }
  Session &session() { return session_; }
  const std::string &Fact(const std::string &name) { return facts_[name]; }
  unsigned long long Number(const std::string &name) {
    return strtoull(Fact(name).c_str(), nullptr, 10);
  }

  /* The words at the top of the report, as one line. */
  std::string InShort() {
    std::string text = Output("report", {}), part;
    size_t start = text.find("\nIn short\n"), end = text.find("\n\n", start + 1);
    EXPECT_NE(start, std::string::npos) << text;
    part = text.substr(start, end - start);
    for (size_t at; (at = part.find("\n  ")) != std::string::npos;) part.replace(at, 3, " ");
    return part;
  }
  std::string Output(const std::string &command, const std::vector<std::string> &words) {
    Result result = session_.Orca(command, words);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
  Json Data(const std::string &command) {
    return JsonReader(Output(command, {"--format=json"})).Read();
  }

 private:
  Session session_;
  std::map<std::string, std::string> facts_;
};

class UseCases : public testing::TestWithParam<Jdk> {
 protected:
  std::unique_ptr<UseCase> Run(const std::vector<std::string> &words,
                               const std::string &options = "") {
    auto use = std::make_unique<UseCase>(GetParam(), words, options);
    use->Wait();
    return use;
  }
};

bool Has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/* The row whose member of this name ends so; names of objects end in their hash. */
const Json &Row(const Json &rows, const std::string &key, const std::string &tail) {
  static const Json none;
  for (const Json &row : rows.items) {
    const std::string &text = row[key].text;
    if (text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail) return row;
  }
  ADD_FAILURE() << "no " << key << " " << tail;
  return none;
}

/* --- wake-ups ------------------------------------------------------------------------------- */

/* The program counts how often a thread was woken for nothing. Exactly that is told where it is
   recorded who leaves the monitor. */
TEST_P(UseCases, BoundedBuffer) {
  auto use = Run({"usecases.BoundedBuffer"}, kAll);
  const std::string hash = use->Fact("object");
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "notifyAll on usecases.BoundedBuffer@" + hash + " woke ")) << said;
  EXPECT_TRUE(Has(said, " of the wake-ups were useless (")) << said;
  EXPECT_FALSE(Has(said, "at least")) << said;
  Json waits = use->Data("waits");
  const Json &object = Row(waits["objects"], "object", "@" + hash);
  EXPECT_EQ(object["waits"].Integer(), use->Number("waits"));
  EXPECT_EQ(object["woken"].Integer(), use->Number("waits"));
  EXPECT_EQ(object["useless"].Integer(), use->Number("useless"));
  unsigned long long back = 0, through = 0, woken = 0;
  for (const Json &waiter : waits["waiters"].items) {
    if (!Has(waiter["object"].text, hash)) continue;
    back += waiter["went_back"].Integer();
    through += waiter["got_through"].Integer();
  }
  for (const Json &waker : waits["wakers"].items) {
    if (Has(waker["object"].text, hash)) woken += waker["times"].Integer();
  }
  EXPECT_EQ(back, use->Number("useless"));
  EXPECT_EQ(back + through, use->Number("waits"));
  EXPECT_EQ(woken, use->Number("waits"));
}

/* By default some that were useless may look as if they were not, never the other way round. */
TEST_P(UseCases, BoundedBufferByDefault) {
  auto use = Run({"usecases.BoundedBuffer"});
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, " of the wake-ups were useless (at least ")) << said;
  Json waits = use->Data("waits");
  const Json &object = Row(waits["objects"], "object", "@" + use->Fact("object"));
  EXPECT_EQ(object["waits"].Integer(), use->Number("waits"));
  EXPECT_LE(object["useless"].Integer(), use->Number("useless"));
  EXPECT_GT(object["useless"].Integer(), 0u);
}

TEST_P(UseCases, SantaClaus) {
  auto use = Run({"usecases.SantaClaus"}, kAll);
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "notifyAll on usecases.SantaClaus@" + use->Fact("object") + " woke "))
      << said;
  Json waits = use->Data("waits");
  const Json &object = Row(waits["objects"], "object", "@" + use->Fact("object"));
  EXPECT_EQ(object["woken"].Integer(), use->Number("woken"));
  EXPECT_EQ(object["useless"].Integer(), use->Number("useless"));
}

/* --- locks ---------------------------------------------------------------------------------- */

TEST_P(UseCases, WrongMonitor) {
  auto use = Run({"usecases.WrongMonitor"}, kAll);
  EXPECT_GT(use->Number("doubles"), 0u); /* what comes of it */
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said,
                  "Code of usecases.WrongMonitor$Names is guarded by two monitors, "
                  "usecases.WrongMonitor$Names@" +
                      use->Fact("this")))
      << said;
  EXPECT_TRUE(Has(said, "@" + use->Fact("list") + " at WrongMonitor$Names.add ")) << said;
}

TEST_P(UseCases, SameLiteral) {
  auto use = Run({"usecases.SameLiteral"});
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "java.lang.String@" + use->Fact("object") + " is locked by code of "))
      << said;
  for (const char *name : {"usecases.SameLiteral$Billing (", "usecases.SameLiteral$Shipping ("}) {
    EXPECT_TRUE(Has(said, name)) << said;
  }
  std::string locks = use->Output("locks", {});
  EXPECT_TRUE(Has(locks, "CAUTION: any code with an equal value")) << locks;
}

/* Who was in whose way, and where: one sleeps while it has the lock. */
TEST_P(UseCases, TheHolderMeanwhile) {
  auto use = Run({"usecases.SameLiteral"}, kAll);
  Json locks = use->Data("locks");
  const Json &lock = Row(locks["locks"], "lock", "String@" + use->Fact("object"));
  EXPECT_EQ(lock["acquired"].Integer(), use->Number("acquired"));
  EXPECT_TRUE(Has(lock["holder_place"].text, "Facts.sleep")) << lock["holder_place"].text;
  EXPECT_TRUE(Has(lock["holder_stack"].text, "SameLiteral$")) << lock["holder_stack"].text;
  unsigned long long times = 0, total = 0;
  for (const Json &pair : locks["contenders"].items) {
    if (!Has(pair["main_lock"].text, use->Fact("object"))) continue;
    EXPECT_NE(pair["blocked"].text, pair["holder"].text);
    times += pair["times"].Integer();
    total += pair["total_ns"].Integer();
  }
  EXPECT_LE(times, lock["waited"].Integer());
  EXPECT_GT(times, 0u);
  EXPECT_LE(total, lock["blocked_ns"].Integer() + times);
  EXPECT_LE(lock["p99_blocked_ns"].Integer(), lock["longest_blocked_ns"].Integer());
}

/* One map under three sorts of lock: how often each was acquired is known of all with these
   options, of the last two by default. */
TEST_P(UseCases, OneMap) {
  for (const std::string options : {"", ",monitors=all,locks=all,filter=counted.Maps*"}) {
    auto use = Run({"counted.Maps"}, options);
    Json locks = use->Data("locks");
    size_t sorts = 0;
    for (const std::string &line : WholeLines(use->session().result().out)) {
      std::istringstream words(line);
      std::string word, sort, hash, times;
      if (!(words >> word >> sort >> hash >> times) || word != "acquired") continue;
      sorts++;
      bool seen = false;
      for (const Json &lock : locks["locks"].items) {
        if (lock["sort"].text != sort || !Has(lock["lock"].text, "@" + hash)) continue;
        seen = true;
        bool known = !options.empty() || sort != "monitor";
        EXPECT_EQ(lock["acquired"].text, known ? times : "null") << sort;
        EXPECT_EQ(lock["held_ns"].kind, options.empty() ? Json::kNull : Json::kNumber) << sort;
      }
      EXPECT_TRUE(seen || sort == "monitor") << sort; /* no contention, and nothing to show */
    }
    EXPECT_EQ(sorts, 4u);
  }
}

/* --- deadlocks ------------------------------------------------------------------------------ */

TEST_P(UseCases, LockOrderWithLuck) {
  auto use = Run({"usecases.LockOrder", "luck"}, kAll);
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "These locks are taken in an order that can deadlock: ")) << said;
  for (const char *name : {"first", "second"}) {
    EXPECT_TRUE(Has(said, "usecases.LockOrder$Account@" + use->Fact(name))) << said;
  }
  EXPECT_FALSE(Has(said, "DEADLOCK")) << said;
  EXPECT_FALSE(Has(said, "Drawer")) << "only with the key, or by one thread: " << said;
  Json data = use->Data("deadlocks");
  EXPECT_EQ(data["deadlocks"].items.size(), 0u);
  ASSERT_EQ(data["orders"].items.size(), 2u);
  EXPECT_EQ(data["orders"].items[0]["has"].text, data["orders"].items[1]["asks_for"].text);
  for (const Json &order : data["orders"].items) EXPECT_EQ(order["gates_known"].text, "yes");
}

void ExpectDeadlock(UseCase *use, const std::vector<std::string> &threads) {
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "DEADLOCK: ")) << said;
  EXPECT_FALSE(Has(said, "can deadlock")) << said;
  Json rows = use->Data("deadlocks")["deadlocks"];
  ASSERT_EQ(rows.items.size(), threads.size());
  for (const std::string &thread : threads) {
    EXPECT_TRUE(Has(said, thread)) << said;
    const Json &row = Row(rows, "thread", thread);
    EXPECT_NE(row["owner"].text, thread);
    EXPECT_TRUE(Has(row["stack"].text, "; ")) << row["stack"].text;
  }
}

TEST_P(UseCases, LockOrderWithoutLuck) {
  for (const char *options : {"", kAll}) {
    auto use = Run({"usecases.LockOrder", "deadlock"}, options);
    ExpectDeadlock(use.get(), {"there", "back"});
    Json rows = use->Data("deadlocks")["deadlocks"];
    for (const Json &row : rows.items) {
      EXPECT_EQ(row["owner_stack"].text != "", options[0] != '\0') << options;
    }
  }
}

TEST_P(UseCases, ADeadlockThroughAJoin) {
  for (const char *options : {"", kAll}) {
    auto use = Run({"usecases.JoinDeadlock"}, options);
    ExpectDeadlock(use.get(), {"waiter", "worker"});
    EXPECT_TRUE(Has(use->InShort(), "waiter joins worker at JoinDeadlock.startAndJoin"));
  }
}

/* While the process hangs. The owners may be known late: who blocks for long is asked for again,
   and an account may have been handed on. */
void ExpectADeadlockThatIsThereStill(const Jdk &jdk, const char *how) {
  UseCase use(jdk, {"usecases.LockOrder", how}, "");
  ASSERT_TRUE(use.session().process().WaitForLine("fact stuck 2", 60));
  Result result;
  for (int i = 0; i < 300 && !Has(result.out, "Deadlocks (times"); i++) {
    usleep(100000);
    result = use.session().Orca("deadlocks");
  }
  EXPECT_TRUE(Has(result.out, "Deadlocks (times")) << result.out << result.err;
  EXPECT_TRUE(Has(result.out, "when the last line was written")) << result.out;
  use.session().process().Signal(SIGKILL);
  use.session().Wait();
  use.session().ExpectChecked();
}

TEST_P(UseCases, ADeadlockThatIsThereStill) { ExpectADeadlockThatIsThereStill(GetParam(), "hang"); }

TEST_P(UseCases, ADeadlockOfALockThatWasHandedOn) {
  ExpectADeadlockThatIsThereStill(GetParam(), "handed");
}

/* --- joins ---------------------------------------------------------------------------------- */

TEST_P(UseCases, MergeSort) {
  auto use = Run({"usecases.MergeSort"});
  std::string said = use->InShort();
  EXPECT_TRUE(Has(said, "in Thread.join (" + use->Fact("joins") + " times)")) << said;
  EXPECT_TRUE(Has(said, "15 threads spent ")) << said;
  EXPECT_TRUE(Has(said, "CPU time is spent in MergeSort.")) << said;
}

INSTANTIATE_TEST_SUITE_P(Jvm, UseCases, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
