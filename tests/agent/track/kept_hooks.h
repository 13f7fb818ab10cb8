#pragma once
// Makes hooks that are never freed, as the agent never frees its own.
#include <vector>

#include "agent/track/hooks.h"
#include "tests/support/recording.h"

// Makes the hooks of a recording. A test with locks must define their classes first (fake_locks.h).
inline struct hooks *MakeHooks(const Recording &r) {
  static auto &all = *new std::vector<struct hooks *>;
  all.push_back(new struct hooks);
  *all.back() = {r.threads,         r.ti,    lock_fields_new(r.jni),
                 lock_counts_new(), nullptr, pool_sizes_new(),
                 task_futures_new()};
  return all.back();
}
