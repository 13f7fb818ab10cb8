#pragma once
// The physical frames of a fake thread, for the functions of struct walker. What is in such a frame
// is one Java frame of the thread, and those before it that `inlined` names.
#include <set>
#include <vector>

#include "agent/meta/walker.h"
#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

struct FakeFrames {
  static inline FakeThread *thread;
  static inline std::set<size_t> inlined;  // indexes of Java frames, from the newest one on
  static inline unsigned readable;         // physical frames; the older ones are in the heap

  // The frames of `of`, none of which is inlined or in the heap. The walker has functions for the
  // newest frames only.
  static void Start(struct walker *walker, jvmtiEnv *ti, JNIEnv *jni, FakeThread *of) {
    static auto &all = *new std::vector<struct shapes *>;  // never freed, as in the agent
    const char *why = nullptr;
    thread = of;
    inlined.clear();
    readable = 1000;
    all.push_back(walker->shapes = shapes_new());
    walker->read = [](const struct hotspot *, uintptr_t, uintptr_t, struct physical_key *) {
      return false;
    };
    walker->above = [](const struct hotspot *, uintptr_t) { return PHYSICAL_ALL; };
    walker->read_near = ReadNear;
    walker->methods = ReadMethods;
    walker->follows = [](const struct hotspot *, uintptr_t, const struct physical_trail *) {
      return false;
    };
    walker->is_open = true;
    EXPECT_TRUE(walker_start(walker, ti, jni, &why));
  }

  static bool ReadNear(const struct hotspot *, uintptr_t, unsigned *num, struct physical_key *key,
                       struct physical_trail *trail) {
    unsigned found = 0;
    trail->num = 0;
    for (size_t i = 0; i < thread->frames.size() && found < *num; i++) {
      if (found == readable) {
        *num = found;
        return false;
      }
      physical_add(key, reinterpret_cast<uintptr_t>(thread->frames[i].method));
      physical_add(key, static_cast<uint64_t>(thread->frames[i].location));
      if (inlined.count(i) == 0) found++;
    }
    return true;
  }

  static unsigned ReadMethods(const struct hotspot *, uintptr_t, unsigned max, jmethodID *methods) {
    unsigned found = 0;
    for (size_t i = 0; i < thread->frames.size() && found < max && found < readable; i++) {
      if (inlined.count(i) == 0) methods[found++] = thread->frames[i].method;
    }
    return found;
  }
};
