#include <fnmatch.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/threads.h"

/* A thread with more CPU time than 1/SHARE of all, and than LITTLE_NS, has a row of its own. */
#define SHARE 100
#define LITTLE_NS 1000000

/* The threads that HotSpot and the JDK start by themselves. Carriers of virtual threads are
   missing: pools of the program use the same names. */
static const char *const patterns[] = {
    "Reference Handler",  "Finalizer",           "Signal Dispatcher",
    "Service Thread",     "Notification Thread", "Monitor Deflation Thread",
    "Attach Listener",    "DestroyJavaVM",       "Common-Cleaner",
    "C1 CompilerThread*", "C2 CompilerThread*",  "process reaper*",
    "VirtualThread-un*",  "Read-Poller*",        "Write-Poller*",
    "Master*Poller*"};

static bool has_name_of_jvm(const struct thread *thread) {
  for (size_t i = 0; thread->name != NULL && i < sizeof patterns / sizeof *patterns; i++) {
    if (fnmatch(patterns[i], thread->name, 0) == 0) return true;
  }
  return false;
}

bool view_folds_thread(const struct model *m, uint32_t hash) {
  const struct thread *thread = threads_find(&m->threads, hash);
  return m->matcher.filter.threads.num == 0 && thread != NULL && has_name_of_jvm(thread) &&
         view_sum_spells(thread, ACTIVITY_BLOCKED).count == 0 &&
         (thread->cpu_ns <= LITTLE_NS || thread->cpu_ns <= m->cpu.total_ns / SHARE);
}

void view_folded_name(struct builder *b, uint64_t num) {
  builder_format(b, "%s of the JVM", UNIT_COUNT(num));
}
