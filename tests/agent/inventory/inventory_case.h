#pragma once
// A fake JVM with tracked methods, threads in them, and the answers of OrcaInventory about them.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/inventory/inventory.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

// What OrcaInventory answers about a thread. A monitor with a class name has no class object, as
// with ThreadMXBean.
struct FakeAnswer {
  struct Monitor {
    FakeObject *object = nullptr;
    int depth = 0;
    std::string class_name = "";
  };
  Monitor waits_for = {};
  std::vector<Monitor> held = {};
  FakeObject *blocker = nullptr;
  FakeThread *owner = nullptr;
  std::vector<std::string> methods = {};  // empty: those of the frames
};

class InventoryCase {
 public:
  explicit InventoryCase(const std::string &options = "") : r(options) {
    program = r.jvm.AddClass("LProgram;", 0xC1);
    program->loader = r.jvm.AddObject(r.jvm.ThreadClass());
    run = AddMethod(program, "run", "()V");
    r.jvm.AnswerObjects([this](const FakeMethod &method, FakeObject *first) {
      return method.name == "read" ? MakeAnswer(static_cast<FakeThread *>(first)) : ListVirtual();
    });
    current = AddThread("current", 0x1, {}, 0);
  }

  FakeMethod *AddMethod(FakeClass *klass, const std::string &name, const std::string &descriptor) {
    return r.jvm.AddMethod(klass, name, descriptor);
  }
  FakeMethod *AddBootMethod(const std::string &class_name, const std::string &name,
                            const std::string &descriptor) {
    FakeClass *klass = r.jvm.BootClass(class_name);
    if (klass == nullptr) klass = r.jvm.AddClass("L" + class_name + ";");
    return AddMethod(klass, name, descriptor);
  }
  FakeThread *AddThread(const std::string &name, jint hash, const std::vector<FakeMethod *> &frames,
                        jint state) {
    FakeThread *thread = r.jvm.AddThread(name, hash);
    for (FakeMethod *m : frames) thread->frames.push_back({m->Id(), 7});
    thread->state = JVMTI_THREAD_STATE_ALIVE | state;
    answers[thread] = {};
    return thread;
  }

  Recording r;
  FakeClass *program;
  FakeMethod *run;
  FakeThread *current;
  std::map<FakeThread *, FakeAnswer> answers;  // of other threads the JVM knows nothing
  std::vector<FakeThread *> virtual_threads;

 private:
  FakeObject *AddArray() { return r.jvm.AddObject(r.jvm.ThreadClass()); }
  FakeObject *AddString(const std::string &text) {
    FakeObject *string = AddArray();
    string->text = text;
    return string;
  }
  FakeObject *ListVirtual() {
    FakeObject *list = AddArray();
    list->items.assign(virtual_threads.begin(), virtual_threads.end());
    return list;
  }
  FakeObject *MakeAnswer(FakeThread *thread) {
    if (answers.count(thread) == 0) return nullptr;
    const FakeAnswer &answer = answers[thread];
    FakeClass *klass = r.jvm.BootClass("java/lang/OrcaInventory");
    FakeObject *object = r.jvm.AddObject(klass), *hashes = AddArray(), *classes = AddArray(),
               *names = AddArray(), *depths = AddArray(), *methods = AddArray();
    std::vector<FakeAnswer::Monitor> monitors = answer.held;
    monitors.insert(monitors.begin(), answer.waits_for);
    for (const FakeAnswer::Monitor &m : monitors) {
      bool named = !m.class_name.empty();
      hashes->numbers.push_back(m.object == nullptr ? 0 : m.object->hash);
      classes->items.push_back(named || m.object == nullptr ? nullptr : m.object->klass);
      names->items.push_back(named ? AddString(m.class_name) : nullptr);
      depths->numbers.push_back(m.depth);
    }
    for (const std::string &name : answer.methods) methods->items.push_back(AddString(name));
    for (const jvmtiFrameInfo &f : thread->frames) {
      if (!answer.methods.empty()) break;
      methods->items.push_back(AddString(reinterpret_cast<FakeMethod *>(f.method)->name));
    }
    const std::pair<FakeField *, FakeObject *> fields[] = {
        {r.jvm.Field(klass, "hashes", "[I"), hashes},
        {r.jvm.Field(klass, "classes", "[Ljava/lang/Class;"), classes},
        {r.jvm.Field(klass, "names", "[Ljava/lang/String;"), names},
        {r.jvm.Field(klass, "depths", "[I"), depths},
        {r.jvm.Field(klass, "methods", "[Ljava/lang/String;"), methods},
        {r.jvm.Field(klass, "parkBlocker", "Ljava/lang/Object;"), answer.blocker},
        {r.jvm.Field(klass, "lockOwner", "Ljava/lang/Thread;"), answer.owner},
    };
    for (const auto &[field, value] : fields) {
      if (value != nullptr) object->fields[field] = value;
    }
    return object;
  }
};
