#include "tools/orca/render/view/process.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/orca/render/unit.h"

#define LEAST_UNKNOWN 1 /* percent of the CPU time */

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

void view_process_cpu(struct builder *b, const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  process_shares(&m->process, m->cpu.total_ns, shares);
  uint64_t all = m->process.cpu_ns, unknown = shares[OWNER_UNKNOWN].cpu_ns;
  bool tells_unknown = is_much(unknown, all, LEAST_UNKNOWN);
  uint64_t other =
      shares[OWNER_VM].cpu_ns + shares[OWNER_NATIVE].cpu_ns + shares[OWNER_ORCA].cpu_ns;
  builder_format(b, "%s of the process: %s in Java threads, %s JIT compiler, %s GC, %s other",
                 UNIT_TIME(all), UNIT_TIME(shares[OWNER_JAVA].cpu_ns),
                 UNIT_TIME(shares[OWNER_JIT].cpu_ns), UNIT_TIME(shares[OWNER_GC].cpu_ns),
                 UNIT_TIME(other + (tells_unknown ? 0 : unknown)));
  if (tells_unknown) builder_format(b, ", %s ended or unknown threads", UNIT_TIME(unknown));
}

static double count_busy(const struct model *m) {
  uint64_t time = recorded_ns(m);
  return time == 0 ? 0 : (double)m->process.cpu_ns / (double)time;
}

void view_cpus(struct builder *b, const struct model *m) {
  const struct process *p = &m->process;
  struct span allowed, quota;
  if (!p->known) return;
  builder_format(b, "%.2f busy on average", count_busy(m));
  if (dump_info(m->dump, INFO_CPUS_ALLOWED, &allowed)) {
    builder_string(b, ", ");
    text_plain(b, allowed);
    builder_string(b, " allowed");
  }
  if (has_quota(m, &quota)) {
    builder_string(b, ", quota ");
    text_plain(b, quota);
  }
  if (p->throttled_ns > 0) builder_format(b, "; throttled for %s", UNIT_TIME(p->throttled_ns));
  if (!p->wait_known) return;
  builder_format(b, "; Java threads waited %s for a CPU", UNIT_TIME(p->java_wait_ns));
}

void view_pauses(struct builder *b, const struct model *m) {
  const struct process *p = &m->process;
  if (!p->known) return;
  if (p->pauses == 0) {
    builder_string(b, "none for GC");
    return;
  }
  unit_many(b, p->pauses, "time", "times");
  builder_format(b, " for GC, %s in total (%s), longest pause %s", UNIT_TIME(p->pause_ns),
                 UNIT_SHARE(p->pause_ns, recorded_ns(m)), UNIT_TIME(p->longest_pause_ns));
}

/* --- tables ------------------------------------------------------------------------------- */

struct owner_row {
  const char *name, *key;
  uint64_t cpu_ns, wait_ns;
  bool is_wait_known;
};

/* The share of a row in the CPU time of the process. */
static void put_share(const struct cell *c) {
  const struct model *m = c->context;
  cell_share(c->table, *(const uint64_t *)c->member, m->process.cpu_ns);
}

static void put_owner_wait(const struct cell *c) {
  const struct owner_row *row = c->row;
  cell_ns_if(c->table, row->is_wait_known, row->wait_ns);
}

static const struct column owner_columns[] = {
    {"CPU time of", COLUMN_TEXT(struct owner_row, name)},
    {.key = "owner", COLUMN_TEXT(struct owner_row, key)},
    {"on CPU", .key = "cpu_ns", COLUMN_NS(struct owner_row, cpu_ns)},
    {"share", ALIGN_RIGHT, .put = put_share, COLUMN_MEMBER(struct owner_row, cpu_ns, uint64_t)},
    {"waiting for CPU", ALIGN_RIGHT, .key = "cpu_wait_ns", .put = put_owner_wait}};

void view_owners(struct page *p, const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  struct table *t = TABLE_NEW(owner_columns);
  process_shares(&m->process, m->cpu.total_ns, shares);
  for (int owner = 0; owner < NUM_PROCESS_OWNERS && m->process.known; owner++) {
    bool is_shown = owner == OWNER_UNKNOWN
                        ? is_much(shares[owner].cpu_ns, m->process.cpu_ns, LEAST_UNKNOWN)
                        : owner <= OWNER_GC || shares[owner].cpu_ns > 0;
    struct owner_row row = {process_owner_names[owner], process_owner_keys[owner],
                            shares[owner].cpu_ns, shares[owner].wait_ns,
                            m->process.wait_known && owner != OWNER_UNKNOWN};
    if (is_shown) table_add(t, m, &row);
  }
  page_table(p, "owners", "The whole process", t, 0);
}

static void put_task_kind(const struct cell *c) {
  const struct process_task *task = c->row;
  builder_string(c->text, task_kind_infos[task->kind].name);
}

static void put_task_tid(const struct cell *c) {
  const struct process_task *task = c->row;
  text_decimal(c->text, task->tid);
  table_number(c->table, task->tid);
}

static void put_task_wait(const struct cell *c) {
  const struct process_task *task = c->row;
  cell_ns_if(c->table, task->wait_known, task->wait_ns);
}

static const struct column task_columns[] = {
    {"thread that is not Java", .shrinks = true, .key = "task", .put = column_text,
     COLUMN_MEMBER(struct process_task, name, char *)},
    {"kind", .key = "kind", .put = put_task_kind},
    {"tid", ALIGN_RIGHT, .key = "tid", .put = put_task_tid},
    {"on CPU", .key = "cpu_ns", COLUMN_NS(struct process_task, cpu_ns)},
    {"of the process", ALIGN_RIGHT, .put = put_share,
     COLUMN_MEMBER(struct process_task, cpu_ns, uint64_t)},
    {"waiting for CPU", ALIGN_RIGHT, .key = "cpu_wait_ns", .put = put_task_wait}};

void view_tasks(struct page *p, const struct model *m, size_t top) {
  const struct process *process = &m->process;
  struct table *t = TABLE_NEW(task_columns);
  size_t more = table_fill(t, m, process->tasks, sizeof *process->tasks, process->num_tasks, top);
  page_table(p, "tasks", "Threads of the JVM, of native code and of Orca", t, more);
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
