#include "tools/orca/render/view/process.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"

/* A sentence is written from these shares on, in percent. */
#define MUCH_JIT 20
#define MUCH_GC 20
#define MUCH_WAITING 20 /* of the CPU time and the time waiting for a CPU together */
#define MUCH_THROTTLED 5
#define MUCH_PAUSED 5
#define LEAST_UNKNOWN 1
#define LEAST_BUSY 100 /* less than 1/LEAST_BUSY of a CPU: the program is idle */

static bool is_much(uint64_t part, uint64_t whole, unsigned percent) {
  return whole > 0 && (double)part * 100 > (double)whole * percent;
}

static uint64_t recorded_ns(const struct model *m) {
  return recording_time(&m->recording) / TICKS_PER_NS;
}

static bool has_quota(const struct model *m, struct span *out) {
  return dump_info(m->dump, INFO_CPUS_QUOTA, out);
}

/* --- rows of the header ------------------------------------------------------------------- */

static void put_part(struct builder *b, uint64_t ns, const char *what) {
  builder_string(b, ", ");
  unit_time(b, ns);
  builder_char(b, ' ');
  builder_string(b, what);
}

void view_process_cpu(struct builder *b, const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&m->process, m->cpu.total_ns, shares);
  uint64_t all = m->process.cpu_ns, unknown = shares[OWNER_UNKNOWN].cpu_ns;
  bool tells_unknown = is_much(unknown, all, LEAST_UNKNOWN);
  uint64_t other =
      shares[OWNER_VM].cpu_ns + shares[OWNER_NATIVE].cpu_ns + shares[OWNER_ORCA].cpu_ns;
  unit_time(b, all);
  builder_string(b, " of the process: ");
  unit_time(b, shares[OWNER_JAVA].cpu_ns);
  builder_string(b, " in Java threads");
  put_part(b, shares[OWNER_JIT].cpu_ns, "JIT compiler");
  put_part(b, shares[OWNER_GC].cpu_ns, "GC");
  put_part(b, other + (tells_unknown ? 0 : unknown), "other");
  if (tells_unknown) put_part(b, unknown, "ended or unknown threads");
}

static double count_busy(const struct model *m) {
  uint64_t time = recorded_ns(m);
  return time == 0 ? 0 : (double)m->process.cpu_ns / (double)time;
}

static void put_busy(struct builder *b, const struct model *m) {
  char text[48];
  snprintf(text, sizeof text, "%.2f", count_busy(m));
  builder_string(b, text);
}

static void put_allowed(struct builder *b, const struct model *m) {
  struct span allowed, quota;
  if (dump_info(m->dump, INFO_CPUS_ALLOWED, &allowed)) {
    builder_string(b, ", ");
    text_plain(b, allowed);
    builder_string(b, " allowed");
  }
  if (has_quota(m, &quota)) {
    builder_string(b, ", quota ");
    text_plain(b, quota);
  }
}

void view_cpus(struct builder *b, const struct model *m) {
  const struct process *p = &m->process;
  if (!p->known) return;
  put_busy(b, m);
  builder_string(b, " busy on average");
  put_allowed(b, m);
  if (p->throttled_ns > 0) {
    builder_string(b, "; throttled for ");
    unit_time(b, p->throttled_ns);
  }
  if (!p->wait_known) return;
  builder_string(b, "; Java threads waited ");
  unit_time(b, p->java_wait_ns);
  builder_string(b, " for a CPU");
}

void view_pauses(struct builder *b, const struct model *m) {
  const struct process *p = &m->process;
  if (!p->known) return;
  if (p->pauses == 0) {
    builder_string(b, "none for GC");
    return;
  }
  unit_many(b, p->pauses, "time for GC, ", "times for GC, ");
  unit_time(b, p->pause_ns);
  builder_string(b, " in total (");
  unit_share(b, p->pause_ns, recorded_ns(m));
  builder_string(b, "), longest pause ");
  unit_time(b, p->longest_pause_ns);
}

/* --- sentences ---------------------------------------------------------------------------- */

static void say_owner(struct builder *b, const struct model *m, const struct style *style,
                      uint64_t ns, unsigned percent, const char *what, const char *why) {
  struct builder s = {0};
  if (!is_much(ns, m->process.cpu_ns, percent)) return;
  builder_string(&s, what);
  builder_string(&s, " used ");
  unit_share(&s, ns, m->process.cpu_ns);
  builder_string(&s, " of the CPU time of the process (");
  unit_time(&s, ns);
  builder_string(&s, " of ");
  unit_time(&s, m->process.cpu_ns);
  builder_string(&s, ")");
  builder_string(&s, why);
  view_say(b, style, &s);
}

static void say_pauses(struct builder *b, const struct model *m, const struct style *style) {
  const struct process *p = &m->process;
  struct builder s = {0};
  if (!is_much(p->pause_ns, recorded_ns(m), MUCH_PAUSED)) return;
  builder_string(&s, "The garbage collector stopped the program ");
  unit_many(&s, p->pauses, "time", "times");
  builder_string(&s, " for ");
  unit_time(&s, p->pause_ns);
  builder_string(&s, " in total: ");
  unit_share(&s, p->pause_ns, recorded_ns(m));
  builder_string(&s, " of the time (longest ");
  unit_time(&s, p->longest_pause_ns);
  builder_string(&s, ").");
  view_say(b, style, &s);
}

/* A process that uses at least this part of its CPUs has no CPU free for threads that wait. */
#define FULL 0.6

/* The number of CPUs that the process may use; 0: not known. */
static double count_cpus(const struct model *m) {
  struct span cpus;
  char text[32];
  if (!has_quota(m, &cpus) && !dump_info(m->dump, INFO_CPUS_ALLOWED, &cpus)) return 0;
  snprintf(text, sizeof text, "%.*s", (int)cpus.len, cpus.data);
  return strtod(text, NULL);
}

/* Without Process lines the process counts as full. */
static bool is_full(const struct model *m) {
  return !m->process.known || count_busy(m) >= FULL * count_cpus(m);
}

static void put_cpus(struct builder *s, const struct model *m) {
  struct span cpus;
  if (has_quota(m, &cpus)) {
    builder_string(s, "; its quota is ");
    text_plain(s, cpus);
    builder_string(s, " CPUs");
  } else if (dump_info(m->dump, INFO_CPUS_ALLOWED, &cpus)) {
    builder_string(s, "; it may use ");
    text_plain(s, cpus);
    builder_string(s, span_is(cpus, "1") ? " CPU" : " CPUs");
  }
}

/* The time that Java threads waited for a CPU, as a part of the time that they ran or waited. */
static void say_starved(struct builder *b, const struct model *m, const struct style *style) {
  uint64_t wait = m->process.java_wait_ns, want = wait + m->cpu.total_ns;
  struct builder s = {0};
  bool matters = is_much(want, recorded_ns(m), 100 / LEAST_BUSY);
  if (!matters || !is_much(wait, want, MUCH_WAITING)) return;
  builder_string(&s, is_full(m) ? "The program was starved: its threads waited "
                                : "The program's threads waited ");
  unit_time(&s, wait);
  builder_string(&s, " of ");
  unit_time(&s, want);
  builder_string(&s, " for a CPU (");
  unit_share(&s, wait, want);
  builder_string(&s, ")");
  if (is_full(m)) {
    put_cpus(&s, m);
  } else {
    builder_string(&s, ", though on average ");
    put_busy(&s, m);
    builder_string(&s,
                   " CPUs were busy: too many threads ran at the same moments, or other programs "
                   "used the CPUs");
  }
  builder_char(&s, '.');
  view_say(b, style, &s);
}

/* The kernel adds up the time of all CPUs, so it can exceed the length of the recording. */
static void say_throttled(struct builder *b, const struct model *m, const struct style *style) {
  uint64_t ns = m->process.throttled_ns;
  struct builder s = {0};
  struct span quota;
  if (!is_much(ns, recorded_ns(m), MUCH_THROTTLED)) return;
  builder_string(&s, "The program was throttled by its cgroup ");
  if (ns <= recorded_ns(m)) {
    unit_share(&s, ns, recorded_ns(m));
    builder_string(&s, " of the time (");
  } else {
    builder_string(&s, "for ");
    unit_time(&s, ns);
    builder_string(&s, ", summed over CPUs (");
  }
  if (has_quota(m, &quota)) {
    builder_string(&s, "quota ");
    text_plain(&s, quota);
    builder_string(&s, " CPUs, ");
  }
  unit_time(&s, ns);
  builder_string(&s, " of ");
  unit_time(&s, recorded_ns(m));
  builder_string(&s, ").");
  view_say(b, style, &s);
}

void view_process_verdicts(struct builder *b, const struct model *m, const struct style *style) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&m->process, m->cpu.total_ns, shares);
  if (is_full(m)) say_starved(b, m, style);
  if (!m->process.known) return;
  say_throttled(b, m, style);
  say_owner(b, m, style, shares[OWNER_JIT].cpu_ns, MUCH_JIT, "The JIT compiler", ".");
  say_owner(b, m, style, shares[OWNER_GC].cpu_ns, MUCH_GC, "The garbage collector", ".");
  say_pauses(b, m, style);
}

void view_process_waits(struct builder *b, const struct model *m, const struct style *style) {
  if (!is_full(m)) say_starved(b, m, style);
}

/* --- tables ------------------------------------------------------------------------------- */

static const struct column owner_columns[] = {
    {"CPU time of", ALIGN_LEFT, false, NULL},
    {NULL, ALIGN_LEFT, false, "owner"},
    {"on CPU", ALIGN_RIGHT, false, "cpu_ns"},
    {"share", ALIGN_RIGHT, false, NULL},
    {"waiting for CPU", ALIGN_RIGHT, false, "cpu_wait_ns"}};

static void put_owner(struct table *t, const struct model *m, int owner,
                      const struct process_share *share) {
  cell_text(t, process_owner_names[owner]);
  cell_text(t, process_owner_keys[owner]);
  cell_ns(t, share->cpu_ns);
  cell_share(t, share->cpu_ns, m->process.cpu_ns);
  if (m->process.wait_known && owner != OWNER_UNKNOWN) {
    cell_ns(t, share->wait_ns);
  } else {
    cell_unknown(t);
  }
}

void view_owners(struct page *p, const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  struct table *t = table_new(owner_columns, sizeof owner_columns / sizeof *owner_columns);
  process_shares(&m->process, m->cpu.total_ns, shares);
  for (int owner = 0; owner < NUM_PROCESS_OWNERS && m->process.known; owner++) {
    bool is_shown = owner == OWNER_UNKNOWN
                        ? is_much(shares[owner].cpu_ns, m->process.cpu_ns, LEAST_UNKNOWN)
                        : owner <= OWNER_GC || shares[owner].cpu_ns > 0;
    if (is_shown) put_owner(t, m, owner, &shares[owner]);
  }
  page_table(p, "owners", "The whole process", t, 0);
}

static const struct column task_columns[] = {
    {"thread that is not Java", ALIGN_LEFT, true, "task"},
    {"kind", ALIGN_LEFT, false, "kind"},
    {"tid", ALIGN_RIGHT, false, "tid"},
    {"on CPU", ALIGN_RIGHT, false, "cpu_ns"},
    {"of the process", ALIGN_RIGHT, false, NULL},
    {"waiting for CPU", ALIGN_RIGHT, false, "cpu_wait_ns"}};

void view_tasks(struct page *p, const struct model *m, size_t top) {
  const struct process *process = &m->process;
  size_t shown = process->num_tasks < top ? process->num_tasks : top;
  struct table *t = table_new(task_columns, sizeof task_columns / sizeof *task_columns);
  for (size_t i = 0; i < shown; i++) {
    const struct process_task *task = &process->tasks[i];
    cell_text(t, task->name);
    cell_text(t, task_kind_infos[task->kind].name);
    text_decimal(table_text(t), task->tid);
    table_number(t, task->tid);
    cell_ns(t, task->cpu_ns);
    cell_share(t, task->cpu_ns, process->cpu_ns);
    if (task->wait_known) {
      cell_ns(t, task->wait_ns);
    } else {
      cell_unknown(t);
    }
  }
  page_table(p, "tasks", "Threads of the JVM, of native code and of Orca", t,
             process->num_tasks - shown);
}

/* --- JSON --------------------------------------------------------------------------------- */

static void put_known_number(struct json *j, const char *key, bool known, uint64_t n) {
  json_key(j, key);
  if (known) {
    json_unsigned(j, n);
  } else {
    json_null(j);
  }
}

void view_process_facts(struct json *j, const struct model *m) {
  const struct process *p = &m->process;
  struct process_share shares[NUM_PROCESS_OWNERS];
  struct span value;
  char key[32];
  process_shares(p, m->cpu.total_ns, shares);
  put_known_number(j, "process_cpu_ns", p->known, p->cpu_ns);
  for (int owner = OWNER_JIT; owner < NUM_PROCESS_OWNERS; owner++) {
    snprintf(key, sizeof key, "%s_cpu_ns", process_owner_keys[owner]);
    put_known_number(j, key, p->known, shares[owner].cpu_ns);
  }
  put_known_number(j, "cpu_wait_ns", p->wait_known, p->java_wait_ns);
  put_known_number(j, "throttled_ns", p->throttled_known, p->throttled_ns);
  put_known_number(j, "gc_pauses", p->known, p->pauses);
  put_known_number(j, "gc_pause_ns", p->known, p->pause_ns);
  put_known_number(j, "longest_gc_pause_ns", p->known, p->longest_pause_ns);
  for (int i = 0; i < 2; i++) {
    json_key(j, i == 0 ? "cpus_allowed" : "cpus_quota");
    if (dump_info(m->dump, i == 0 ? INFO_CPUS_ALLOWED : INFO_CPUS_QUOTA, &value)) {
      json_name(j, value);
    } else {
      json_null(j);
    }
  }
}
