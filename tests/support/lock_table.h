#pragma once
// The table of struct lock_counts as Java code sees it.
#include <cstdint>

#include "agent/record/lock_counts.h"

struct LockTable {
  static constexpr uint32_t kEntries = 1 << 16;

  // An entry, with the layout that OrcaLocks.java uses.
  struct Entry {
    uint32_t key, object;
    uint64_t exclusive, shared, unused;
  };
  static_assert(sizeof(Entry) == 32);

  static Entry *Get(struct lock_counts *counts) {
    return static_cast<Entry *>(const_cast<void *>(lock_counts_table(counts)));
  }

  // What OrcaLocks reads and writes after the entries.
  static uint64_t *GetFlags(struct lock_counts *counts) {
    return reinterpret_cast<uint64_t *>(Get(counts) + kEntries);
  }
  static bool IsFull(struct lock_counts *counts) { return GetFlags(counts)[0] != 0; }
  static bool IsCrowded(struct lock_counts *counts) { return GetFlags(counts)[1] != 0; }
  static void SetSkipped(struct lock_counts *counts) { GetFlags(counts)[2] = 1; }

  // Does the same as OrcaLocks.entry. nullptr: the key has no entry.
  static Entry *Find(struct lock_counts *counts, uint32_t key) {
    for (uint32_t i = key;; i++) {
      Entry *e = &Get(counts)[i % kEntries];
      uint32_t found = __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);
      if (found == key) return e;
      if (found == 0) return nullptr;
    }
  }

  // Adds a lock without a reference.
  static uint32_t Add(struct lock_counts *counts, uint32_t key, uint32_t object, bool has_sides) {
    void *no_ref = nullptr;
    return lock_counts_add_lock(counts, key, object, has_sides, &no_ref);
  }

  // Sets the number of acquisitions of a lock that end with this kind of event. Adds the lock.
  static void SetCount(struct lock_counts *counts, enum event_kind kind, uint32_t object,
                       uint64_t count) {
    Add(counts, object, object, kind != EVENT_LOCK_ACQUIRED);
    Entry *e = Find(counts, object);
    uint64_t *to = kind == EVENT_READ_LOCK_ACQUIRED ? &e->shared : &e->exclusive;
    __atomic_store_n(to, count, __ATOMIC_RELAXED);
  }
};
