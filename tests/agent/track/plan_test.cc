#include "agent/track/plan.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "agent/tracked/orca_classes.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/support/at_once.h"

namespace {

using Lines = std::vector<std::string>;

const char kSemaphore[] = "java/util/concurrent/Semaphore";
const char kReentrantLock[] = "java/util/concurrent/locks/ReentrantLock";
const char kStampedLock[] = "java/util/concurrent/locks/StampedLock";
const uint32_t kStatic = 0x8, kNative = 0x100, kAbstract = 0x400;

CodeBytes MakeCode(const std::string &code) {
  CodeBytes c;
  c.max_stack = 2;
  c.max_locals = 3;
  c.code = code;
  return c;
}

const CodeBytes kReturn = MakeCode(Bytes({0x00, 0xb1}));  // the handler covers the nop

// aconst_null, bipush SELECTED_ID, invokestatic
const std::string kSelectedCall = Bytes({0x01, 0x10, 0xff, 0xb8});

// synchronized (this) {}, as javac compiles it.
CodeBytes MakeSynchronized() {
  CodeBytes code =
      MakeCode(Bytes({0x2a, 0x59, 0x4c, 0xc2, 0x2b, 0xc3, 0xb1, 0x4d, 0x2b, 0xc3, 0x2c, 0xbf}));
  code.handlers = {{4, 6, 7, 0}, {7, 10, 7, 0}};
  return code;
}

// Returns the class Made under another name.
std::string RenameClass(std::string class_file, const std::string &name) {
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
    missing_hooks_init(&missing_);
    all.push_back(plan_ = plan_new(&missing_));
  }
  ~PlanTest() override { missing_hooks_clear(&missing_); }

  void Begin(const std::string &options) {
    char error[1024] = "";
    ASSERT_TRUE(options_parse(("out," + options).c_str(), options_.get(), error, sizeof error))
        << error;
    missing_hooks_clear(&missing_);
    plan_begin(plan_, options_.get());
  }

  void Change(const std::string &options) {
    struct options o;
    char error[1000] = "";
    ASSERT_TRUE(options_parse(("out," + options).c_str(), &o, error, sizeof error)) << error;
    plan_change(plan_, &o);
    EXPECT_STREQ(plan_options(plan_)->text[OPTION_track], o.text[OPTION_track]);
  }

  // Returns the new class file; "" if the class stays unchanged.
  std::string Weave(const std::string &name, const std::string &class_file, bool is_boot = false) {
    struct builder out = {};
    bool woven = plan_weave(plan_, MakeSpan(name), is_boot, MakeSpan(class_file), &out);
    std::string bytes = TakeBytes(&out);
    EXPECT_EQ(woven, bytes != "") << name;
    return bytes;
  }

  // Returns the methods that were changed: "add()V".
  Lines FindChanged(const std::string &name, const std::string &class_file, bool is_boot = false) {
    Lines changed;
    std::string woven = Weave(name, class_file, is_boot);
    if (woven == "") return changed;
    ClassParts before = ReadParts(class_file), after = ReadParts(woven);
    for (const auto &[method, code] : after.methods) {
      if (code.code != before.methods[method].code) changed.push_back(method);
    }
    return changed;
  }

  Lines FindMissing() {
    Lines lines;
    auto visit = [](void *arg, const char *m) { static_cast<Lines *>(arg)->push_back(m); };
    missing_hooks_visit(&missing_, visit, &lines);
    return lines;
  }

  struct missing_hooks missing_;
  struct plan *plan_;
  std::unique_ptr<struct options> options_ = std::make_unique<struct options>();
};

// The class Made with get()V, which has an annotation, add()V and <init>()V.
std::string MakeClass() {
  ClassMaker maker;
  std::string annotation = U2(1) + U2(maker.Utf8("La/Get;")) + U2(0);
  uint32_t init = maker.Method("java/lang/Object", "<init>", "()V");
  maker.AddMethod(0, "get", "()V", kReturn, {{"RuntimeVisibleAnnotations", annotation}});
  maker.AddMethod(0, "add", "()V", kReturn);
  maker.AddMethod(0, "<init>", "()V", MakeCode(Bytes({0x2a, 0xb7}) + U2(init) + Bytes({0xb1})));
  return maker.Make();
}

/* --- the user's selection ----------------------------------------------------------------- */

TEST_F(PlanTest, SelectedMethodsAreWoven) {
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
      {"monitors=all,filter=Made", {}},  // the class uses no monitor
      {"track=Made.*,events=sleep", {}},
  };
  for (const auto &row : rows) {
    Begin(row.options);
    EXPECT_EQ(FindChanged("Made", MakeClass()), row.changed) << row.options;
    EXPECT_EQ(FindMissing(), Lines{}) << row.options;
  }
}

TEST_F(PlanTest, HooksOfSelectedMethodsGetOnlyTheSelectedId) {
  Begin("track=Made.add");
  ClassParts parts = ReadParts(Weave("Made", MakeClass()));
  EXPECT_EQ(parts.methods["add()V"].code.substr(0, 4), kSelectedCall);
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

TEST_F(PlanTest, MethodsThatUseMonitorsAreWoven) {
  ClassMaker maker;
  maker.AddMethod(0, "none", "()V", kReturn);
  maker.AddMethod(0, "one", "()V", MakeSynchronized());
  maker.AddMethod(0x20, "own", "()V", kReturn);
  maker.AddMethodWithoutCode(kNative, "hashCode", "()I");
  Begin("monitors=all,filter=Made");
  EXPECT_EQ(FindChanged("Made", maker.Make()), (Lines{"one()V", "own()V"}));
  EXPECT_EQ(FindMissing(), Lines{});
  ClassParts parts = ReadParts(Weave("Made", maker.Make()));
  Lines hooks;
  for (uint32_t i = 1; i < parts.pool.size(); i++) {
    if (parts.pool[i][0] == 10) hooks.push_back(parts.MethodName(i));
  }
  std::sort(hooks.begin(), hooks.end());
  EXPECT_EQ(hooks, (Lines{"java/lang/OrcaHook.monitorEnter(Ljava/lang/Object;I)V",
                          "java/lang/OrcaHook.monitorEntered(Ljava/lang/Object;I)V",
                          "java/lang/OrcaHook.monitorExit(Ljava/lang/Object;I)V"}));
}

TEST_F(PlanTest, BootClassesAreWovenOnlyIfAPatternNamesThem) {
  const std::string list = RenameClass(MakeClass(), "java/util/List");
  Begin("track=*");
  EXPECT_FALSE(plan_wants_class(plan_, MakeSpan("java/util/List"), true));
  EXPECT_TRUE(plan_wants_class(plan_, MakeSpan("java/util/List"), false));
  EXPECT_EQ(FindChanged("java/util/List", list, /* is_boot */ true), Lines{});
  EXPECT_EQ(FindChanged("java/util/List", list).size(), 3u);
  Begin("track=java.util.List.add");
  EXPECT_TRUE(plan_wants_class(plan_, MakeSpan("java/util/List"), true));
  EXPECT_EQ(FindChanged("java/util/List", list, /* is_boot */ true), Lines{"add()V"});
}

TEST_F(PlanTest, ClassesOfOrcaAreNeverWoven) {
  for (const char *options : {"track=java.*+Orca*", "monitors=all,filter=java.*+Orca*"}) {
    Begin(options);
    for (const char *name : orca_classes) {
      EXPECT_FALSE(plan_wants_class(plan_, MakeSpan(name), true)) << name;
      EXPECT_EQ(Weave(name, RenameClass(MakeClass(), name), true), "") << name;
    }
  }
}

/* --- rows --------------------------------------------------------------------------------- */

// The class Semaphore with release()V, which is a row, and other()V.
std::string MakeSemaphore() {
  ClassMaker maker;
  maker.AddMethod(0, "release", "()V", kReturn);
  maker.AddMethod(0, "other", "()V", kReturn);
  return RenameClass(maker.Make(), kSemaphore);
}

TEST_F(PlanTest, RowsAreWovenInClassesOfTheBootLoader) {
  Begin("");
  EXPECT_TRUE(plan_wants_class(plan_, MakeSpan(kSemaphore), true));
  EXPECT_FALSE(plan_is_class_selected(plan_, MakeSpan(kSemaphore), true));
  EXPECT_FALSE(plan_wants_class(plan_, MakeSpan(kSemaphore), false));
  EXPECT_EQ(FindChanged(kSemaphore, MakeSemaphore(), true), Lines{"release()V"});
  EXPECT_EQ(Weave(kSemaphore, MakeSemaphore(), false), "");
  Begin("events=sleep");
  EXPECT_FALSE(plan_wants_class(plan_, MakeSpan(kSemaphore), true));
  EXPECT_EQ(Weave(kSemaphore, MakeSemaphore(), true), "");
}

TEST_F(PlanTest, ChangesDuringARecording) {
  auto has_changed = [&](const char *name, bool is_boot) {
    return plan_has_changed(plan_, MakeSpan(name), is_boot);
  };
  const char *const lock = "java/util/concurrent/locks/ReentrantLock";
  Begin("track=shop.*");
  plan_enable_counting(plan_);
  EXPECT_FALSE(has_changed(lock, true));
  Change("track=shop.*,locks=all");
  EXPECT_TRUE(has_changed(lock, true));
  EXPECT_FALSE(has_changed(lock, false)); /* a class of the program with this name */
  EXPECT_FALSE(has_changed(kSemaphore, true));
  EXPECT_FALSE(has_changed("shop/Cart", false));
  Change("track=mart.*,events=all-semaphore");
  EXPECT_TRUE(has_changed(lock, true));
  EXPECT_TRUE(has_changed(kSemaphore, true));
  EXPECT_TRUE(has_changed("shop/Cart", false));
  EXPECT_TRUE(has_changed("mart/Cart", false));
  EXPECT_FALSE(has_changed("port/Cart", false));
  EXPECT_EQ(Weave(kSemaphore, MakeSemaphore(), true), "");
}

// The class ReentrantReadWriteLock is hooked where a lock is made, and its sides where they are
// acquired.
TEST_F(PlanTest, AThresholdChangesOnlyTheMakingOfLocks) {
  const std::string whole = "java/util/concurrent/locks/ReentrantReadWriteLock";
  const std::string side = whole + "$ReadLock";
  const struct {
    const char *options;
    bool is_hooked, has_changed;
  } changes[] = {
      {"threshold=10ms", false, true},
      {"threshold=20ms", false, false},
      {"threshold=0", true, true},
      {"threshold=10ms,events=sleep", false, true},
      {"threshold=0,events=sleep", false, false},
  };
  Begin("");
  plan_enable_counting(plan_);
  EXPECT_TRUE(plan_wants_class(plan_, MakeSpan(whole), true));
  for (const auto &change : changes) {
    Change(change.options);
    bool has_events = std::string(change.options).find("events") == std::string::npos;
    EXPECT_EQ(plan_wants_class(plan_, MakeSpan(whole), true), change.is_hooked) << change.options;
    EXPECT_EQ(plan_has_changed(plan_, MakeSpan(whole), true), change.has_changed) << change.options;
    EXPECT_EQ(plan_wants_class(plan_, MakeSpan(side), true), has_events) << change.options;
  }
}

TEST_F(PlanTest, ARowTakesPrecedenceOverTheSelection) {
  Begin("track=java.util.concurrent.Semaphore.*,monitors=all,filter=java.*");
  EXPECT_TRUE(plan_is_class_selected(plan_, MakeSpan(kSemaphore), true));
  ClassParts parts = ReadParts(Weave(kSemaphore, MakeSemaphore(), true));
  // aload_0: the semaphore
  EXPECT_EQ(parts.methods["release()V"].code.substr(0, 1), Bytes({0x2a}));
  EXPECT_EQ(parts.methods["other()V"].code.substr(0, 4), kSelectedCall);
}

TEST_F(PlanTest, AcquisitionsThatCannotBeCountedAreRecordedOrNotWanted) {
  const int lock = tracked_find("Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V");
  const int unlock = tracked_find("Ljava/util/concurrent/locks/ReentrantLock;", "unlock", "()V");
  const int read = tracked_find("Ljava/util/concurrent/locks/StampedLock;", "readLock", "()J");
  const int wait = tracked_find("Ljava/lang/Object;", "wait", "()V");
  const struct {
    const char *options;
    bool can_count;
    std::vector<int> wanted;
  } rows[] = {
      {"", false, {lock, wait}},
      {"", true, {lock, read, wait}},
      {"locks=all", false, {lock, unlock, read, wait}},
      {"locks=all", true, {lock, unlock, read, wait}},
      {"events=wait", true, {wait}},
      {"events=none", true, {}},
      {"", false, {lock, wait}},  // a new recording starts without counting
  };
  for (const auto &row : rows) {
    Begin(row.options);
    if (row.can_count) plan_enable_counting(plan_);
    std::vector<int> wanted;
    for (int r : {lock, unlock, read, wait}) {
      if (plan_wants_row(plan_, r)) wanted.push_back(r);
    }
    EXPECT_EQ(wanted, row.wanted) << row.options << " " << row.can_count;
  }
  EXPECT_FALSE(plan_wants_row(plan_, read));
  EXPECT_TRUE(plan_wants_class(plan_, MakeSpan(kStampedLock), true))
      << "other rows of the class are wanted";
}

/* --- methods that could not be hooked ----------------------------------------------------- */

TEST_F(PlanTest, ARefusedMethodIsReportedWithTheReason) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "native", "(I)V");
  maker.AddMethodWithoutCode(kAbstract, "abstract", "()V");
  maker.AddMethod(0, "finalize", "()V", MakeCode(Bytes({0xb1})));
  maker.AddMethod(0, "add", "()V", kReturn);
  maker.AddMethod(0, "bad", "()V", MakeCode(""));
  const std::string name = "com/acme/Cart";
  Begin("track=com.acme.*");
  EXPECT_EQ(FindChanged(name, RenameClass(maker.Make(), name)), Lines{"add()V"});
  EXPECT_EQ(
      FindMissing(),
      (Lines{"com.acme.Cart.native(I)V: it is native",
             "com.acme.Cart.finalize()V: " + std::string(weave_status_text(WEAVE_EMPTY_FINALIZE)),
             "com.acme.Cart.bad()V: " + std::string(weave_status_text(WEAVE_MALFORMED))}));
  EXPECT_EQ(FindMissing().size(), 3u) << "every visit reports them";
  Begin("track=com.acme.*");
  EXPECT_EQ(FindMissing(), Lines{}) << "the next recording starts without refusals";
}

TEST_F(PlanTest, ARefusedClassIsReportedIfItIsSelectedAndForEachOfItsRows) {
  const std::string reason = weave_status_text(WEAVE_MALFORMED);
  Begin("track=Made.*");
  EXPECT_EQ(Weave("Made", MakeClass() + "and more"), "");
  EXPECT_EQ(FindMissing(), Lines{"Made: " + reason});
  Begin("track=Other.*");
  EXPECT_EQ(Weave("Made", MakeClass() + "and more"), "");
  EXPECT_EQ(FindMissing(), Lines{});
  Begin("events=sleep,track=java.util.*");
  EXPECT_EQ(Weave(kSemaphore, "no class file", true), "") << "no method is selected";
  EXPECT_EQ(FindMissing(), Lines{});
  Begin("events=semaphore");
  EXPECT_EQ(Weave(kSemaphore, MakeSemaphore() + "and more", true), "");
  Lines missing = FindMissing();
  const std::string release = "java.util.concurrent.Semaphore.release()V: " + reason;
  EXPECT_EQ(std::count(missing.begin(), missing.end(), release), 1);
  for (const std::string &line : missing) {
    EXPECT_EQ(line.substr(0, 31), "java.util.concurrent.Semaphore.") << line;
  }
}

TEST_F(PlanTest, MissingRowsAreReportedFirstWithTheLastReason) {
  const int release = tracked_find("Ljava/util/concurrent/Semaphore;", "release", "()V");
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "native", "()V");
  Begin("track=Made.*");
  Weave("Made", maker.Make());
  plan_set_missing(plan_, release, "one reason");
  plan_set_missing(plan_, release, "another");
  EXPECT_EQ(FindMissing(), (Lines{"java.util.concurrent.Semaphore.release()V: another",
                                  "Made.native()V: it is native"}));
  Begin("track=Made.*");
  EXPECT_EQ(FindMissing(), Lines{});
}

// The engine binds a native row, or calls plan_set_missing if that fails.
TEST_F(PlanTest, ANativeRowIsNotRefused) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(kNative, "notify", "()V");
  maker.AddMethodWithoutCode(kNative, "hashCode", "()I");
  Begin("track=java.lang.Object.*");
  EXPECT_EQ(Weave("java/lang/Object", RenameClass(maker.Make(), "java/lang/Object"), true), "");
  EXPECT_EQ(FindMissing(), Lines{"java.lang.Object.hashCode()I: it is native"});
}

TEST_F(PlanTest, ARefusedRowIsMissingAndTheOthersAreWoven) {
  ClassMaker maker;
  maker.AddMethod(kStatic, "lock", "()V", kReturn);
  maker.AddMethod(0, "lockInterruptibly", "()V", kReturn);
  Begin("");
  plan_enable_counting(plan_);
  EXPECT_EQ(FindChanged(kReentrantLock, RenameClass(maker.Make(), kReentrantLock), true),
            Lines{"lockInterruptibly()V"});
  EXPECT_EQ(FindMissing(), Lines{"java.util.concurrent.locks.ReentrantLock.lock()V: " +
                                 std::string(weave_status_text(WEAVE_SHORTCUT))});
}

TEST_F(PlanTest, AtMostAHundredSelectedMethodsAreReportedOnAnyNumberOfThreads) {
  ClassMaker maker;
  for (int i = 0; i < 150; i++) maker.AddMethodWithoutCode(kNative, "m" + std::to_string(i), "()V");
  const std::string class_file = maker.Make();
  for (int threads : {1, 4}) {
    Begin("track=Made.*");
    RunConcurrently(threads, [&](int) { EXPECT_EQ(Weave("Made", class_file), ""); });
    Lines missing = FindMissing();
    EXPECT_EQ(missing.size(), 100u);
    for (const std::string &line : missing) {
      EXPECT_EQ(line.substr(line.find('(')), "()V: it is native") << line;
    }
  }
}

}  // namespace
