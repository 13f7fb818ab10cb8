/* Finds the tasks of the Java threads that were running before the recording. The JVM and the
   kernel read the same CPU clock of a thread, in nanoseconds, so equal readings identify the
   thread:
   - For a sleeping thread, both return the same number.
   - For a running thread, the JVM's number lies between two readings of the kernel's clock. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/memory.h"
#include "agent/base/task.h"
#include "agent/jvm/jvm.h"
#include "agent/thread/ends.h"
#include "agent/thread/tids.h"

#define FOLDER "/proc/self/task"
#define MAX_TRIES 20000 /* comparisons for running threads: about 20 ms */

struct candidate {
  uint32_t tid;
  int64_t cpu_ns;
  bool is_taken;
  bool has_name;
  char name[TASK_NAME_SIZE];
};

struct search {
  struct tids *tids;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct candidate *candidates; /* tasks that are no known Java threads, sorted by CPU time */
  size_t num, capacity;
  unsigned tries;
};

/* --- tasks ------------------------------------------------------------------------------------ */

static bool add_candidate(struct search *s, uint32_t tid) {
  int64_t native_ns, cpu_ns;
  if (tids_get(s->tids, tid, &native_ns) != 0 || !task_cpu(tid, &cpu_ns)) return true;
  if (s->num == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 64;
    struct candidate *grown = memory_resize(s->candidates, capacity * sizeof *grown);
    if (grown == NULL) return false;
    s->candidates = grown;
    s->capacity = capacity;
  }
  s->candidates[s->num++] = (struct candidate){.tid = tid, .cpu_ns = cpu_ns};
  return true;
}

static int compare_cpu(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  return a->cpu_ns < b->cpu_ns ? -1 : a->cpu_ns > b->cpu_ns;
}

static bool list_candidates(struct search *s) {
  DIR *folder = opendir(FOLDER);
  bool good = folder != NULL;
  uint32_t tid;
  if (!good) return false;
  while (good && task_next(folder, &tid)) good = add_candidate(s, tid);
  closedir(folder);
  if (s->num > 0) qsort(s->candidates, s->num, sizeof *s->candidates, compare_cpu);
  return good;
}

/* --- Java threads ----------------------------------------------------------------------------- */

/* Reads the names that the kernel may have of a thread. Empty if the JVM gives none. */
static void read_names(const struct search *s, jthread thread, struct task_names *names) {
  jvmtiThreadInfo info = {0};
  task_names_set(names, "");
  if ((*s->ti)->GetThreadInfo(s->ti, thread, &info) != JVMTI_ERROR_NONE) return;
  if (info.name != NULL) task_names_set(names, info.name);
  (*s->ti)->Deallocate(s->ti, (unsigned char *)info.name);
  if (info.thread_group != NULL) (*s->jni)->DeleteLocalRef(s->jni, info.thread_group);
  if (info.context_class_loader != NULL)
    (*s->jni)->DeleteLocalRef(s->jni, info.context_class_loader);
}

static bool read_java_cpu(const struct search *s, jthread thread, int64_t *out_ns) {
  jlong ns = 0;
  if (!ends_hold(s->ti, thread)) return false;
  bool good = (*s->ti)->GetThreadCpuTime(s->ti, thread, &ns) == JVMTI_ERROR_NONE;
  ends_release();
  *out_ns = ns;
  return good;
}

static bool is_named(struct candidate *c, const struct task_names *names) {
  if (!c->has_name) task_read_name(FOLDER, c->tid, c->name);
  c->has_name = true;
  return task_names_have(names, c->name);
}

/* Returns the index of the first candidate with at least this CPU time. */
static size_t find_first_candidate(const struct search *s, int64_t cpu_ns) {
  size_t low = 0, high = s->num;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->candidates[middle].cpu_ns < cpu_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Finds the task of a thread that has not run since the kernel's clocks were read. If several have
   its CPU time, prefers one with its name. NULL without one. */
static struct candidate *find_sleeping(struct search *s, jthread thread) {
  struct task_names names;
  struct candidate *first = NULL;
  int64_t cpu_ns;
  if (!read_java_cpu(s, thread, &cpu_ns)) return NULL;
  bool has_names = false;
  for (size_t i = find_first_candidate(s, cpu_ns); i < s->num && s->candidates[i].cpu_ns == cpu_ns;
       i++) {
    struct candidate *c = &s->candidates[i];
    if (c->is_taken) continue;
    if (first == NULL) {
      first = c;
      continue;
    }
    if (!has_names) read_names(s, thread, &names);
    has_names = true;
    if (is_named(first, &names)) break;
    if (is_named(c, &names)) first = c;
  }
  return first;
}

/* Returns whether the JVM's CPU time of the thread is between two readings of the task's clock. */
static bool has_matching_clock(struct search *s, const struct candidate *c, jthread thread) {
  int64_t before, cpu_ns, after;
  s->tries++;
  return task_cpu(c->tid, &before) && read_java_cpu(s, thread, &cpu_ns) &&
         task_cpu(c->tid, &after) && before <= cpu_ns && cpu_ns <= after;
}

/* Finds the task of a running thread, first among the tasks with its name, then among the rest. */
static struct candidate *find_running(struct search *s, jthread thread) {
  struct task_names names;
  read_names(s, thread, &names);
  for (int any_name = 0; any_name <= 1; any_name++) {
    for (size_t i = 0; i < s->num && s->tries < MAX_TRIES; i++) {
      struct candidate *c = &s->candidates[i];
      if (c->is_taken || is_named(c, &names) == (any_name == 1)) continue;
      if (has_matching_clock(s, c, thread)) return c;
    }
  }
  return NULL;
}

static void add_unknown(struct search *s, jthread thread) {
  struct tids *t = s->tids;
  jint state = 0;
  if (!ends_hold(s->ti, thread)) return;
  (*s->ti)->GetThreadState(s->ti, thread, &state);
  ends_release();
  bool lives = (state & JVMTI_THREAD_STATE_ALIVE) != 0;
  if (!lives || t->num_unknown == TIDS_MAX_UNKNOWN) return;
  struct task_names *names = &t->unknown[t->num_unknown++];
  read_names(s, thread, names);
  if (!task_names_have(names, "main")) return;
  /* The kernel's name of the main thread is that of the executable. */
  char name[TASK_NAME_SIZE];
  task_read_name(FOLDER, (uint32_t)getpid(), name);
  task_names_set(names, name);
}

/* Returns the set of the hashes that have a task. The caller frees it. */
static struct hashmap collect_known(struct tids *t) {
  struct hashmap known = {0};
  struct hashmap_slot slot;
  pthread_mutex_lock(&t->lock);
  for (size_t cursor = 0; hashmap_next(&t->java, &cursor, &slot);) {
    hashmap_put(&known, slot.value, 1);
  }
  pthread_mutex_unlock(&t->lock);
  return known;
}

/* Keeps the recorded Java threads that have no task yet, at the front of the list. Returns their
   number. The JVM lists a thread before its ThreadStart, so it may not be announced yet. */
static jint remove_known(const struct search *s, struct threads *threads, jthread *list, jint n) {
  struct hashmap known = collect_known(s->tids);
  jint kept = 0;
  for (jint i = 0; i < n; i++) {
    jint hash = 0;
    uint64_t value;
    struct context_place place;
    (*s->ti)->GetObjectHashCode(s->ti, list[i], &hash);
    bool skip = hashmap_get(&known, (uint32_t)hash, &value) ||
                !context_announce(threads, s->ti, s->jni, list[i], &place);
    if (skip) {
      (*s->jni)->DeleteLocalRef(s->jni, list[i]);
    } else {
      list[kept++] = list[i];
    }
  }
  hashmap_free(&known);
  return kept;
}

/* Tries to find the tasks of all threads in the list with `find`. Keeps the threads that are not
   found at the front of the list and returns their number. */
static jint find_tasks(struct search *s, jthread *list, jint n,
                       struct candidate *(*find)(struct search *, jthread)) {
  jint left = 0;
  for (jint i = 0; i < n; i++) {
    jint hash = 0;
    struct candidate *c = find(s, list[i]);
    if (c == NULL || (*s->ti)->GetObjectHashCode(s->ti, list[i], &hash) != JVMTI_ERROR_NONE) {
      list[left++] = list[i];
      continue;
    }
    c->is_taken = true;
    tids_put(s->tids, c->tid, (uint32_t)hash);
    (*s->jni)->DeleteLocalRef(s->jni, list[i]);
  }
  return left;
}

void tids_find_living(struct tids *t, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni) {
  struct search s = {.tids = t, .ti = ti, .jni = jni};
  jint n = 0;
  jthread *list = NULL;
  if ((*ti)->GetAllThreads(ti, &n, &list) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(jni, n + 8);
  t->num_unknown = 0;
  n = remove_known(&s, threads, list, n);
  if (n > 0 && list_candidates(&s)) {
    n = find_tasks(&s, list, n, find_sleeping);
    n = find_tasks(&s, list, n, find_running);
  }
  for (jint i = 0; i < n; i++) {
    add_unknown(&s, list[i]);
    (*jni)->DeleteLocalRef(jni, list[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)list);
  free(s.candidates);
}
