#include "sampler/machine.h"

#include <string.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/text.h"

#define SCAN_NS NS_PER_S /* the least time between two scans */
#define SCAN_RATIO 100   /* the least ratio of that time to the CPU time of a scan */
#define MAX_SEARCHES 10  /* calls of tids_find_living; one call can miss a running thread */

static int64_t read_process_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

/* --- the callbacks of struct task_source ------------------------------------------------------ */

static bool is_java(void *arg, uint32_t tid, const char *name, uint32_t *out_thread,
                    int64_t *out_native_ns) {
  struct machine *m = arg;
  *out_thread = tids_get(&m->tids, tid, out_native_ns);
  return *out_thread != 0 || tids_is_unknown(&m->tids, name);
}

static bool read_task_cpu(void *arg, uint32_t tid, int64_t *out_ns) {
  (void)arg;
  return task_cpu(tid, out_ns);
}

void machine_init(struct machine *m, struct threads *threads) {
  *m = (struct machine){.threads = threads};
  m->tasks = (struct tasks){.folder = "/proc/self/task", .source = {is_java, read_task_cpu, m}};
  tids_init(&m->tids);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void put_record(struct machine *m, const struct record *record) {
  recorder_put(m->threads->recorder, RECORDER_OWN_LANE, record);
}

/* Records the wait time only: the samples of a Java thread contain its CPU time. */
static void put_java(struct machine *m, const struct task_use *use) {
  struct record record = {.kind = RECORD_SCHED, .thread = use->thread, .u.wait_ns = use->wait_ns};
  if (use->thread != 0 && use->wait_ns > 0) put_record(m, &record);
}

static void put_kind(struct machine *m, const struct task *task, enum task_kind kind,
                     int64_t cpu_ns, int64_t wait_ns) {
  struct builder name = {0};
  text_name(&name, task->name, strlen(task->name));
  builder_char(&name, '\0');
  if (name.failed) {
    builder_free(&name);
    return;
  }
  struct record record = {.kind = RECORD_TASK,
                          .state = (uint8_t)kind,
                          .thread = task->tid,
                          .u.task = {name.data, cpu_ns, wait_ns}};
  put_record(m, &record);
}

/* Returns the CPU time since the last scan in which the VM thread collected garbage; 0: it is
   another task. */
static int64_t take_pauses_cpu(struct machine *m, const struct task *task, int64_t used_ns) {
  if (m->pauses == NULL || task->kind != TASK_KIND_VM) return 0;
  int64_t now = pauses_cpu(m->pauses, task->tid, task->cpu_ns), used = now - m->pauses_cpu_ns;
  if (used <= 0) return 0;
  m->pauses_cpu_ns = now;
  return used < used_ns ? used : used_ns;
}

static void put_task(void *arg, const struct task *task, const struct task_use *use) {
  struct machine *m = arg;
  if (task->is_java) {
    put_java(m, use);
    return;
  }
  int64_t gc_ns = take_pauses_cpu(m, task, use->cpu_ns);
  if (gc_ns > 0) put_kind(m, task, TASK_KIND_GC, gc_ns, 0);
  put_kind(m, task, task->kind, use->cpu_ns - gc_ns, use->wait_ns);
}

/* --- scans ------------------------------------------------------------------------------------ */

static bool is_tid_alive(const void *arg, uint32_t tid) {
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

static void scan_tasks(struct machine *m, bool is_recorded) {
  static int is_logged;
  tids_take_ended(&m->tids, is_recorded ? put_ended : NULL, m);
  if (!tasks_scan(&m->tasks, is_recorded ? put_task : NULL, m)) {
    log_once(&is_logged, "cannot read %s; the CPU time of the JVM's own threads is not recorded",
             m->tasks.folder);
  }
  tids_sweep(&m->tids, is_tid_alive, m);
}

/* Schedules the next scan after a scan that took `cpu_ns` nanoseconds of CPU time. */
static void schedule_scan(struct machine *m, int64_t cpu_ns) {
  uint64_t wait = (uint64_t)cpu_ns * SCAN_RATIO;
  m->next_ns = clock_monotonic_ns() + (wait > SCAN_NS ? wait : SCAN_NS);
}

void machine_open(struct machine *m) {
  m->pauses_cpu_ns = 0; /* pauses_init was called before */
  tids_open(&m->tids);
  cgroup_find(&m->cgroup, "/proc/self/cgroup", "/sys/fs/cgroup");
  m->throttled_ns = cgroup_read_throttled(&m->cgroup);
  scan_tasks(m, /* is_recorded */ false);
  m->process_ns = read_process_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void machine_start(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  m->searches = MAX_SEARCHES;
  find_threads(m, ti, jni);
  schedule_scan(m, 0);
}

/* Reads the clock of the process first: the sampler has just read the clocks of the Java threads,
   and a scan of thousands of tasks takes long. */
static void record_use(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  int64_t clock_ns = read_process_clock(CLOCK_PROCESS_CPUTIME_ID);
  find_threads(m, ti, jni);
  scan_tasks(m, /* is_recorded */ true);
  int64_t used = clock_ns > m->process_ns ? clock_ns - m->process_ns : 0;
  int64_t before = m->throttled_ns, now = cgroup_read_throttled(&m->cgroup), throttled = -1;
  if (before >= 0 && now >= 0) throttled = now > before ? now - before : 0;
  struct record record = {.kind = RECORD_PROCESS, .u.process = {used, throttled}};
  m->process_ns = clock_ns;
  m->throttled_ns = now;
  figure_add(&m->threads->recorder->figures.process_cpu, (uint64_t)used);
  put_record(m, &record);
}

void machine_tick(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  if (clock_monotonic_ns() < m->next_ns) return;
  int64_t start_ns = read_process_clock(CLOCK_THREAD_CPUTIME_ID);
  record_use(m, ti, jni);
  schedule_scan(m, read_process_clock(CLOCK_THREAD_CPUTIME_ID) - start_ns);
}

void machine_stop(struct machine *m, jvmtiEnv *ti, JNIEnv *jni) {
  record_use(m, ti, jni);
  tids_close(&m->tids);
  tasks_free(&m->tasks);
}
