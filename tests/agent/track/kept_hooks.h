#pragma once
// Hooks of a recording, for good: the agent never frees its own.
#include <vector>

#include "agent/track/hooks.h"
#include "tests/support/recording.h"

// Behind the classes of locks (fake_locks.h), where the test has them.
inline struct hooks *KeptHooks(const Recording &r) {
  static auto &all = *new std::vector<struct hooks *>;
  all.push_back(new struct hooks);
  *all.back() = {r.threads, r.ti, lock_fields_new(r.jni), lock_counts_new()};
  return all.back();
}
