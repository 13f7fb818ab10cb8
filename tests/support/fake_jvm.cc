#include "tests/support/fake_jvm.h"

#include <stdio.h>

#include <utility>

#include "tests/support/fake_functions.h"

namespace {

// The entry of each function that the fake JVM does not have.
void FailNotFaked() {
  fprintf(stderr, "the agent calls a function of the JVM that the fake JVM does not have\n");
  abort();
}

template <typename Table>
void FillTable(Table *table) {
  void (*not_faked)() = FailNotFaked;
  static_assert(sizeof(Table) % sizeof not_faked == 0);
  for (size_t at = 0; at < sizeof(Table); at += sizeof not_faked) {
    memcpy(reinterpret_cast<char *>(table) + at, &not_faked, sizeof not_faked);
  }
}

}  // namespace

FakeJvm::FakeJvm() {
  auto *jvmti = new jvmtiInterface_1_;
  FillTable(jvmti);
  SetJvmtiFunctions(jvmti);
  ti_.functions = jvmti;
  ti_.jvm = this;
  FillTable(&jni_table_);
  SetJniFunctions(&jni_table_.functions);
  jni_.functions = &jni_table_.functions;
  jni_.jvm = this;
  thread_class_ = AddClass("Ljava/lang/Thread;", 0, "Thread.java");
}

FakeJvm::~FakeJvm() {
  JoinAgentThreads();
  EXPECT_EQ(NumLocalRefs(), 0) << "local references were not deleted";
  EXPECT_EQ(num_allocated_, 0) << "memory of the JVM was not deallocated";
  delete ti_.functions;
}

FakeClass *FakeJvm::AddClass(const std::string &signature, jint hash, const std::string &source) {
  auto c = std::make_unique<FakeClass>();
  FakeClass *out = c.get();
  out->hash = NextHash(hash);
  out->signature = signature;
  out->source = source;
  std::lock_guard<std::recursive_mutex> lock(world_);
  classes_.push_back(out);
  objects_.push_back(std::move(c));
  return out;
}

FakeMethod *FakeJvm::AddMethod(FakeClass *klass, const std::string &name,
                               const std::string &descriptor,
                               std::vector<jvmtiLineNumberEntry> lines) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  methods_.push_back(std::make_unique<FakeMethod>());
  FakeMethod *out = methods_.back().get();
  out->klass = klass;
  out->name = name;
  out->descriptor = descriptor;
  out->lines = std::move(lines);
  klass->methods.push_back(out);
  return out;
}

FakeField *FakeJvm::AddField(FakeClass *klass, const std::string &name,
                             const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  klass->fields_of_class.push_back({name, descriptor, 0});
  return &klass->fields_of_class.back();
}

FakeObject *FakeJvm::AddObject(FakeClass *klass, jint hash) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  objects_.push_back(std::make_unique<FakeObject>());
  FakeObject *out = objects_.back().get();
  out->klass = klass;
  out->hash = NextHash(hash);
  return out;
}

FakeThread *FakeJvm::AddThread(const std::string &name, jint hash) {
  auto t = std::make_unique<FakeThread>();
  FakeThread *out = t.get();
  out->klass = thread_class_;
  out->hash = NextHash(hash);
  out->name = name;
  std::lock_guard<std::recursive_mutex> lock(world_);
  threads_.push_back(out);
  objects_.push_back(std::move(t));
  return out;
}

FakeClass *FakeJvm::BootClass(const std::string &name) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeClass *c : classes_) {
    if (c->loader == nullptr && c->signature == "L" + name + ";") return c;
  }
  return nullptr;
}

FakeMethod *FakeJvm::Method(FakeClass *klass, const std::string &name,
                            const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeMethod *m : klass->methods) {
    if (m->name == name && m->descriptor == descriptor) return m;
  }
  return nullptr;
}

FakeField *FakeJvm::Field(FakeClass *klass, const std::string &name,
                          const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeClass *c = klass; c != nullptr; c = c->super) {
    for (FakeField &f : c->fields_of_class) {
      if (f.name == name && f.descriptor == descriptor) return &f;
    }
  }
  return nullptr;
}

void FakeJvm::Throw() { exception_pending = true; }

void FakeJvm::Change(const std::function<void()> &act) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  act();
}

void FakeJvm::Fail(FakeCall call, int times, jvmtiError error) {
  errors_[call] = error;
  failures_[call] = times;
}

void FakeJvm::FailAt(FakeCall call, int nth, jvmtiError error) {
  int at = calls_[call] + nth;
  during_[call] = [=] {
    if (calls_[call] == at) Fail(call, 1, error);
  };
}

void FakeJvm::JoinAgentThreads() {
  for (std::thread &t : agent_threads_) t.join();
  agent_threads_.clear();
}

FakeJvm::Running::Running(FakeThread *thread) : before_(current_thread) { current_thread = thread; }

FakeJvm::Running::~Running() { current_thread = before_; }
