#include "agent/track/plan.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "agent/track/our_names.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/support/at_once.h"

namespace {

using Lines = std::vector<std::string>;

const char kSemaphore[] = "java/util/concurrent/Semaphore";
const char kReentrantLock[] = "java/util/concurrent/locks/ReentrantLock";
const char kStampedLock[] = "java/util/concurrent/locks/StampedLock";
const uint32_t kStatic = 0x8, kNative = 0x100, kAbstract = 0x400;

CodeBytes Code(const std::string &code) {
  CodeBytes c;
  c.max_stack = 2;
  c.max_locals = 3;
  c.code = code;
  return c;
}

const CodeBytes kReturn = Code(Bytes({0x00, 0xb1}));  // behind something that might throw

// aconst_null, bipush SELECTED_ID, invokestatic
const std::string kCallForUser = Bytes({0x01, 0x10, 0xff, 0xb8});

// As javac makes it of synchronized (this) {}.
CodeBytes Synchronized() {
  CodeBytes code =
      Code(Bytes({0x2a, 0x59, 0x4c, 0xc2, 0x2b, 0xc3, 0xb1, 0x4d, 0x2b, 0xc3, 0x2c, 0xbf}));
  code.handlers = {{4, 6, 7, 0}, {7, 10, 7, 0}};
  return code;
}

// The same class under another name.
std::string Named(std::string class_file, const std::string &name) {
  const std::string made = U2(4) + "Made";
  size_t at = class_file.find(made);
  EXPECT_NE(at, std::string::npos);
  return class_file.replace(at, made.size(), U2(static_cast<uint32_t>(name.size())) + name);
}

// Plans are never freed.
class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    static auto &all = *new std::vector<struct plan *>;
    all.push_back(plan_ = plan_new());
  }

  void Begin(const std::string &options) {
    char error[1024] = "";
    ASSERT_TRUE(options_parse(("out," + options).c_str(), options_.get(), error, sizeof error))
        << error;
    plan_begin(plan_, options_.get());
  }

  // The new class file; "" where it stays as it is.
  std::string Weave(const std::string &name, const std::string &class_file, bool is_boot = false) {
    struct builder out = {};
    bool woven = plan_weave(plan_, SpanOf(name), is_boot, SpanOf(class_file), &out);
    std::string bytes = Taken(&out);
    EXPECT_EQ(woven, bytes != "") << name;
    return bytes;
  }

  // The methods that are not as they were: "add()V".
  Lines Changed(const std::string &name, const std::string &class_file, bool is_boot = false) {
    Lines changed;
    std::string woven = Weave(name, class_file, is_boot);
    if (woven == "") return changed;
    ClassParts before = TakeToPieces(class_file), after = TakeToPieces(woven);
    for (const auto &[method, code] : after.methods) {
      if (code.code != before.methods[method].code) changed.push_back(method);
    }
    return changed;
  }

  Lines Missing() {
    Lines lines;
    auto tell = [](void *arg, const char *what) { static_cast<Lines *>(arg)->push_back(what); };
    plan_visit_missing(plan_, tell, &lines);
    return lines;
  }

  struct plan *plan_;
  std::unique_ptr<struct options> options_ = std::make_unique<struct options>();
};

// Class Made with get()V, which has an annotation, add()V and <init>()V.
std::string Made() {
  ClassMaker maker;
  std::string annotation = U2(1) + U2(maker.Utf8("La/Get;")) + U2(0);
  uint32_t init = maker.Method("java/lang/Object", "<init>", "()V");
  maker.AddMethod(0, "get", "()V", kReturn, {{"RuntimeVisibleAnnotations", annotation}});
  maker.AddMethod(0, "add", "()V", kReturn);
  maker.AddMethod(0, "<init>", "()V", Code(Bytes({0x2a, 0xb7}) + U2(init) + Bytes({0xb1})));
  return maker.Make();
}

/* --- what the user chose ------------------------------------------------------------------ */

TEST_F(PlanTest, MethodsThatTheUserChoseAreWoven) {
  const struct {
    const char *options;
    Lines changed;
  } rows[] = {
      {"", {}},
      {"track=Made.add", {"add()V"}},
      {"track=Made.*", {"<init>()V", "add()V", "get()V"}},
      {"track=Made.*+!Made.<init>", {"add()V", "get()V"}},
      {"track=@a.Get", {"get()V"}},
      {"track=Made.*+!@a.Get", {"<init>()V", "add()V"}},
      {"track=Other.*", {}},
      {"track=Made.other", {}},
      {"monitors=all,filter=Made", {}},  // it has none
      {"track=Made.*,events=sleep", {}},
  };
  for (const auto &row : rows) {
    Begin(row.options);
    EXPECT_EQ(Changed("Made", Made()), row.changed) << row.options;
    EXPECT_EQ(Missing(), Lines{}) << row.options;
  }
}

TEST_F(PlanTest, TheirHooksGetNothingButWhoChoseThem) {
  Begin("track=Made.add");
  ClassParts parts = TakeToPieces(Weave("Made", Made()));
  EXPECT_EQ(parts.methods["add()V"].code.substr(0, 4), kCallForUser);
  Lines hooks;
  for (uint32_t i = 1; i < parts.pool.size(); i++) {
    if (parts.pool[i][0] == 10) hooks.push_back(parts.MethodName(i));
  }
  std::sort(hooks.begin(), hooks.end());
  EXPECT_EQ(
      hooks,
      (Lines{"java/lang/Object.<init>()V", "java/lang/OrcaHook.enter(Ljava/lang/Object;I)V",
             "java/lang/OrcaHook.exit(I)V", "java/lang/OrcaHook.thrown(Ljava/lang/Throwable;I)V"}));
}

TEST_F(PlanTest, MonitorsAreWovenWhereThereAreAny) {
  ClassMaker maker;
  maker.AddMethod(0, "none", "()V", kReturn);
  maker.AddMethod(0, "one", "()V", Synchronized());
  maker.AddMethod(0x20, "own", "()V", kReturn);
  maker.AddMethodWithoutCode(kNative, "hashCode", "()I");
  Begin("monitors=all,filter=Made");
  EXPECT_EQ(Changed("Made", maker.Make()), (Lines{"one()V", "own()V"}));
  EXPECT_EQ(Missing(), Lines{});
  ClassParts parts = TakeToPieces(Weave("Made", maker.Make()));
  Lines hooks;
  for (uint32_t i = 1; i < parts.pool.size(); i++) {
    if (parts.pool[i][0] == 10) hooks.push_back(parts.MethodName(i));
  }
  std::sort(hooks.begin(), hooks.end());
  EXPECT_EQ(hooks, (Lines{"java/lang/OrcaHook.monitorEnter(Ljava/lang/Object;I)V",
                          "java/lang/OrcaHook.monitorEntered(Ljava/lang/Object;I)V",
                          "java/lang/OrcaHook.monitorExit(Ljava/lang/Object;I)V"}));
}

TEST_F(PlanTest, ClassesOfTheBootLoaderAreLeftAloneUnlessTheyAreMeant) {
  const std::string list = Named(Made(), "java/util/List");
  Begin("track=*");
  EXPECT_FALSE(plan_wants_class(plan_, SpanOf("java/util/List"), true));
  EXPECT_TRUE(plan_wants_class(plan_, SpanOf("java/util/List"), false));
  EXPECT_EQ(Changed("java/util/List", list, /* is_boot */ true), Lines{});
  EXPECT_EQ(Changed("java/util/List", list).size(), 3u);
  Begin("track=java.util.List.add");
  EXPECT_TRUE(plan_wants_class(plan_, SpanOf("java/util/List"), true));
  EXPECT_EQ(Changed("java/util/List", list, /* is_boot */ true), Lines{"add()V"});
}

TEST_F(PlanTest, OursAreNeverTouched) {
  for (const char *options : {"track=java.*+Orca*", "monitors=all,filter=java.*+Orca*"}) {
    Begin(options);
    for (const char *name : {ORCA_BOOT_CLASS, ORCA_HOOK_CLASS, ORCA_LOCKS_CLASS}) {
      EXPECT_FALSE(plan_wants_class(plan_, SpanOf(name), true)) << name;
      EXPECT_EQ(Weave(name, Named(Made(), name), true), "") << name;
    }
  }
}

/* --- rows --------------------------------------------------------------------------------- */

// release()V, which is a row, and other()V.
std::string Semaphore() {
  ClassMaker maker;
  maker.AddMethod(0, "release", "()V", kReturn);
  maker.AddMethod(0, "other", "()V", kReturn);
  return Named(maker.Make(), kSemaphore);
}

TEST_F(PlanTest, RowsAreWovenInClassesOfTheBootLoader) {
  Begin("");
  EXPECT_TRUE(plan_wants_class(plan_, SpanOf(kSemaphore), true));
  EXPECT_FALSE(plan_is_class_selected(plan_, SpanOf(kSemaphore), true));
  EXPECT_FALSE(plan_wants_class(plan_, SpanOf(kSemaphore), false));
  EXPECT_EQ(Changed(kSemaphore, Semaphore(), true), Lines{"release()V"});
  EXPECT_EQ(Weave(kSemaphore, Semaphore(), false), "");
  Begin("events=sleep");
  EXPECT_FALSE(plan_wants_class(plan_, SpanOf(kSemaphore), true));
  EXPECT_EQ(Weave(kSemaphore, Semaphore(), true), "");
}

TEST_F(PlanTest, ARowGoesBeforeWhatTheUserChose) {
  Begin("track=java.util.concurrent.Semaphore.*,monitors=all,filter=java.*");
  EXPECT_TRUE(plan_is_class_selected(plan_, SpanOf(kSemaphore), true));
  ClassParts parts = TakeToPieces(Weave(kSemaphore, Semaphore(), true));
  // aload_0: the semaphore
  EXPECT_EQ(parts.methods["release()V"].code.substr(0, 1), Bytes({0x2a}));
  EXPECT_EQ(parts.methods["other()V"].code.substr(0, 4), kCallForUser);
}

TEST_F(PlanTest, WhatCannotBeCountedIsRecordedOrNotWanted) {
  const int lock = tracked_find("Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V");
  const int unlock = tracked_find("Ljava/util/concurrent/locks/ReentrantLock;", "unlock", "()V");
  const int read = tracked_find("Ljava/util/concurrent/locks/StampedLock;", "readLock", "()J");
  const int wait = tracked_find("Ljava/lang/Object;", "wait", "()V");
  const struct {
    const char *options;
    bool counts;
    std::vector<int> wanted;
  } rows[] = {
      {"", false, {lock, wait}},
      {"", true, {lock, read, wait}},
      {"locks=all", false, {lock, unlock, read, wait}},
      {"locks=all", true, {lock, unlock, read, wait}},
      {"events=wait", true, {wait}},
      {"events=none", true, {}},
      {"", false, {lock, wait}},  // each recording finds out for itself
  };
  for (const auto &row : rows) {
    Begin(row.options);
    if (row.counts) plan_enable_counting(plan_);
    std::vector<int> wanted;
    for (int r : {lock, unlock, read, wait}) {
      if (plan_wants_row(plan_, r)) wanted.push_back(r);
    }
    EXPECT_EQ(wanted, row.wanted) << row.options << " " << row.counts;
  }
  EXPECT_FALSE(plan_wants_row(plan_, read));
  EXPECT_TRUE(plan_wants_class(plan_, SpanOf(kStampedLock), true)) << "others of its rows are wanted";
}

/* --- what is missing ---------------------------------------------------------------------- */

TEST_F(PlanTest, WhatIsRefusedIsToldWithTheReason) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "native", "(I)V");
  maker.AddMethodWithoutCode(kAbstract, "abstract", "()V");
  maker.AddMethod(0, "finalize", "()V", Code(Bytes({0xb1})));
  maker.AddMethod(0, "add", "()V", kReturn);
  maker.AddMethod(0, "bad", "()V", Code(""));
  const std::string name = "com/acme/Cart";
  Begin("track=com.acme.*");
  EXPECT_EQ(Changed(name, Named(maker.Make(), name)), Lines{"add()V"});
  EXPECT_EQ(
      Missing(),
      (Lines{"com.acme.Cart.native(I)V: it is native",
             "com.acme.Cart.finalize()V: " + std::string(weave_status_text(WEAVE_EMPTY_FINALIZE)),
             "com.acme.Cart.bad()V: " + std::string(weave_status_text(WEAVE_MALFORMED))}));
  EXPECT_EQ(Missing().size(), 3u) << "as often as it is asked for";
  Begin("track=com.acme.*");
  EXPECT_EQ(Missing(), Lines{}) << "in the next recording";
}

TEST_F(PlanTest, AClassThatIsRefusedAsAWholeIsToldForWhatWasWantedInIt) {
  const std::string why = weave_status_text(WEAVE_MALFORMED);
  Begin("track=Made.*");
  EXPECT_EQ(Weave("Made", Made() + "and more"), "");
  EXPECT_EQ(Missing(), Lines{"Made: " + why});
  Begin("track=Other.*");
  EXPECT_EQ(Weave("Made", Made() + "and more"), "");
  EXPECT_EQ(Missing(), Lines{});
  Begin("events=sleep,track=java.util.*");
  EXPECT_EQ(Weave(kSemaphore, "no class file", true), "") << "no method is chosen";
  EXPECT_EQ(Missing(), Lines{});
  Begin("events=semaphore");
  EXPECT_EQ(Weave(kSemaphore, Semaphore() + "and more", true), "");
  Lines missing = Missing();
  const std::string release = "java.util.concurrent.Semaphore.release()V: " + why;
  EXPECT_EQ(std::count(missing.begin(), missing.end(), release), 1);
  for (const std::string &line : missing) {
    EXPECT_EQ(line.substr(0, 31), "java.util.concurrent.Semaphore.") << line;
  }
}

TEST_F(PlanTest, RowsThatAreMissingAreToldFirstAndOnce) {
  const int release = tracked_find("Ljava/util/concurrent/Semaphore;", "release", "()V");
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "native", "()V");
  Begin("track=Made.*");
  Weave("Made", maker.Make());
  plan_set_missing(plan_, release, "one reason");
  plan_set_missing(plan_, release, "another");
  EXPECT_EQ(Missing(), (Lines{"java.util.concurrent.Semaphore.release()V: another",
                              "Made.native()V: it is native"}));
  Begin("track=Made.*");
  EXPECT_EQ(Missing(), Lines{});
}

// It is bound, or told to be missing by who could not bind it.
TEST_F(PlanTest, ARowThatIsNativeIsNotRefused) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "notify", "()V");
  maker.AddMethodWithoutCode(kNative, "hashCode", "()I");
  Begin("track=java.lang.Object.*");
  EXPECT_EQ(Weave("java/lang/Object", Named(maker.Make(), "java/lang/Object"), true), "");
  EXPECT_EQ(Missing(), Lines{"java.lang.Object.hashCode()I: it is native"});
}

TEST_F(PlanTest, ARowThatIsRefusedIsMissingAndTheOthersAreWoven) {
  ClassMaker maker;
  maker.AddMethod(kStatic, "lock", "()V", kReturn);
  maker.AddMethod(0, "lockInterruptibly", "()V", kReturn);
  Begin("");
  plan_enable_counting(plan_);
  EXPECT_EQ(Changed(kReentrantLock, Named(maker.Make(), kReentrantLock), true),
            Lines{"lockInterruptibly()V"});
  EXPECT_EQ(Missing(), Lines{"java.util.concurrent.locks.ReentrantLock.lock()V: " +
                             std::string(weave_status_text(WEAVE_SHORTCUT))});
}

TEST_F(PlanTest, NoMoreThanAHundredOfTheUsersAreToldWhoeverLoadsThem) {
  ClassMaker maker;
  for (int i = 0; i < 150; i++) maker.AddMethodWithoutCode(kNative, "m" + std::to_string(i), "()V");
  const std::string class_file = maker.Make();
  for (int threads : {1, 4}) {
    Begin("track=Made.*");
    AtOnce(threads, [&](int) { EXPECT_EQ(Weave("Made", class_file), ""); });
    Lines missing = Missing();
    EXPECT_EQ(missing.size(), 100u);
    for (const std::string &line : missing) {
      EXPECT_EQ(line.substr(line.find('(')), "()V: it is native") << line;
    }
  }
}

}  // namespace
