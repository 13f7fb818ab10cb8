#include "sampler/machine.h"

#include <string.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/text.h"

#define SCAN_NS NS_PER_S /* between two scans, at least */
#define SCAN_SHARE 100   /* of the time between two scans goes this part into one, at most */
#define MAX_SEARCHES                                                           \
  10 /* for living threads: a thread that runs can be hard to tell from others \
      */

static int64_t cpu_of(clockid_t whose) {
  struct timespec t;
  clock_gettime(whose, &t);
  return (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

/* --- what tasks.c asks ------------------------------------------------------------------------ */

static bool is_java(void *arg, uint32_t tid, const char *name, uint32_t *out_thread,
                    int64_t *out_native_ns) {
  struct machine *m = arg;
  *out_thread = tids_get(&m->tids, tid, out_native_ns);
  return *out_thread != 0 || tids_is_unknown(&m->tids, name);
}

static bool read_cpu(void *arg, uint32_t tid, int64_t *out_ns) {
  (void)arg;
  return task_cpu(tid, out_ns);
}

void machine_init(struct machine *m, struct threads *threads) {
  *m = (struct machine){.threads = threads};
  m->tasks = (struct tasks){.folder = "/proc/self/task", .source = {is_java, read_cpu, m}};
  tids_init(&m->tids);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void put(struct machine *m, const struct record *record) {
  recorder_put(m->threads->recorder, RECORDER_OWN_LANE, record);
}

/* The CPU time of a Java thread stands in its own samples. */
static void put_java(struct machine *m, const struct task_use *use) {
  struct record record = {.kind = RECORD_SCHED, .thread = use->thread, .u.wait_ns = use->wait_ns};
  if (use->thread != 0 && use->wait_ns > 0) put(m, &record);
}

static void put_task(void *arg, const struct task *task, const struct task_use *use) {
  struct machine *m = arg;
  struct builder name = {0};
  if (task->is_java) {
    put_java(m, use);
    return;
  }
  text_name(&name, task->name, strlen(task->name));
  builder_char(&name, '\0');
  if (name.failed) {
    builder_free(&name);
    return;
  }
  struct record record = {.kind = RECORD_TASK,
                          .state = (uint8_t)task->kind,
                          .thread = task->tid,
                          .u.task = {name.data, use->cpu_ns, use->wait_ns}};
  put(m, &record);
}

static int64_t throttled_since(struct machine *m) {
  int64_t before = m->throttled_ns, now = cgroup_throttled(&m->cgroup);
  m->throttled_ns = now;
  if (before < 0 || now < 0) return -1;
  return now > before ? now - before : 0;
}

/* `now`: the clock of the process. */
static void put_process(struct machine *m, int64_t now) {
  int64_t used = now - m->process_ns;
  if (used < 0) used = 0;
  struct record record = {.kind = RECORD_PROCESS, .u.process = {used, throttled_since(m)}};
  m->process_ns = now;
  __atomic_fetch_add(&m->used_ns, (uint64_t)used, __ATOMIC_RELAXED);
  put(m, &record);
}

/* --- scans ------------------------------------------------------------------------------------ */

static bool lives(const void *arg, uint32_t tid) {
  const struct machine *m = arg;
  int64_t cpu_ns;
  return tasks_has(&m->tasks, tid) || task_cpu(tid, &cpu_ns);
}

static void find_threads(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  if (m->searches == 0) return;
  m->searches--;
  tids_find_living(&m->tids, m->threads, ti, jni);
  if (m->tids.num_unknown == 0) m->searches = 0;
}

static void put_ended(void *arg, uint32_t tid, uint32_t thread, int64_t wait_ns) {
  struct machine *m = arg;
  struct task_use use = {.thread = thread, .wait_ns = tasks_take_wait(&m->tasks, tid, wait_ns)};
  put_java(m, &use);
}

static void scan(struct machine *m, bool tell) {
  static int said;
  tids_take_ended(&m->tids, tell ? put_ended : NULL, m);
  if (!tasks_scan(&m->tasks, tell ? put_task : NULL, m)) {
    log_once(&said, "cannot read %s; the CPU time of the JVM's own threads is not recorded",
             m->tasks.folder);
  }
  tids_sweep(&m->tids, lives, m);
}

/* When the next scan is due after one that took `cpu_ns`. */
static void plan(struct machine *m, int64_t cpu_ns) {
  uint64_t wait = (uint64_t)cpu_ns * SCAN_SHARE;
  m->next_ns = clock_monotonic_ns() + (wait > SCAN_NS ? wait : SCAN_NS);
}

void machine_open(struct machine *m) {
  tids_open(&m->tids);
  cgroup_find(&m->cgroup, "/proc/self/cgroup", "/sys/fs/cgroup");
  m->throttled_ns = cgroup_throttled(&m->cgroup);
  scan(m, /* tell */ false);
  m->process_ns = cpu_of(CLOCK_PROCESS_CPUTIME_ID);
  __atomic_store_n(&m->used_ns, 0, __ATOMIC_RELAXED);
}

void machine_start(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  m->searches = MAX_SEARCHES;
  find_threads(m, ti, jni);
  plan(m, 0);
}

/* The clock of the process is read first, near to those of the Java threads, which the sampler has
   just read: with thousands of tasks a scan takes its time. */
static void look(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  int64_t process = cpu_of(CLOCK_PROCESS_CPUTIME_ID);
  find_threads(m, ti, jni);
  scan(m, /* tell */ true);
  put_process(m, process);
}

void machine_tick(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  if (clock_monotonic_ns() < m->next_ns) return;
  int64_t cpu = cpu_of(CLOCK_THREAD_CPUTIME_ID);
  look(m, ti, jni);
  plan(m, cpu_of(CLOCK_THREAD_CPUTIME_ID) - cpu);
}

void machine_stop(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  look(m, ti, jni);
  tids_close(&m->tids);
  tasks_free(&m->tasks);
}
