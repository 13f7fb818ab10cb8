/* What the process as a whole shows: waits for a CPU, the cgroup, the JIT compiler, the garbage
   collector. */
#include "tools/orca/answer/find.h"

/* In percent. */
#define MUCH_JIT 20
#define MUCH_GC 20
#define MUCH_WAITING 20  /* of the CPU time and the time waiting for a CPU together */
#define LEAST_WAITING 10 /* of the recording, and of the time in which threads were busy */
#define MUCH_THROTTLED 5
#define MUCH_PAUSED 5
#define MUCH_ASKED_PAUSED 10 /* by calls of System.gc */
#define MOSTLY_PAUSED 50
#define MUCH_IN_JVM 10 /* of the CPU time of Java threads */
#define LEAST_WORK 10  /* CPU time, of the recording: with less, its parts do not matter */

/* Calls of System.gc matter if there is at least one for so many pauses. */
#define LEAST_GC_CALLS 5

#define LEAST_SAMPLES 10 /* in the JVM */

#define MANY_CLASSES 20 /* of one origin */

/* A process that uses at least this part of its CPUs has no CPU free for threads that wait. */
#define FULL 0.6

static bool is_much(uint64_t part, uint64_t whole, unsigned percent) {
  return whole > 0 && (double)part * 100 > (double)whole * percent;
}

static uint64_t recorded_ns(const struct model *m) {
  return recording_time(&m->recording) / TICKS_PER_NS;
}

/* --- waits for a CPU ------------------------------------------------------------------------- */

static double per_time(const struct model *m, uint64_t ns) {
  uint64_t time = recorded_ns(m);
  return time == 0 ? 0 : (double)ns / (double)time;
}

/* The time that Java threads ran or waited for a CPU. */
static uint64_t wanted_ns(const struct model *m) {
  return m->process.java_wait_ns + m->cpu.total_ns;
}

static bool is_starved(const struct model *m) {
  uint64_t wait = m->process.java_wait_ns, busy = spending_worked(&m->spending) / TICKS_PER_NS;
  return is_much(wanted_ns(m), recorded_ns(m), LEAST_WORK) &&
         is_much(wait, wanted_ns(m), MUCH_WAITING) &&
         is_much(wait, recorded_ns(m), LEAST_WAITING) &&
         (busy == 0 || is_much(wait, busy, LEAST_WAITING));
}

/* Without Process lines the process counts as full. With patterns only some threads are known, so
   nothing is said of the process. */
static bool is_full(const struct model *m) {
  bool has_all = !filter_has_patterns(&m->matcher.filter);
  return has_all &&
         (!m->process.known || per_time(m, m->process.cpu_ns) >= FULL * process_cpus(m->dump));
}

static bool is_crowded(const struct model *m) {
  double cpus = process_cpus(m->dump);
  bool has_all = !filter_has_patterns(&m->matcher.filter);
  return has_all && cpus > 0 && per_time(m, wanted_ns(m)) > cpus;
}

/* How long the Java threads waited for a CPU since the program itself kept its CPUs busy: all of it
   if it used most of its CPUs, else what no free CPU could have ended, because more threads were
   ready than it may use. For the rest other programs are the reason. */
static ticks_t find_own_wait(const struct model *m) {
  if (!is_starved(m)) return 0;
  if (is_full(m)) return m->process.java_wait_ns * TICKS_PER_NS;
  if (!is_crowded(m)) return 0;
  double over = per_time(m, wanted_ns(m)) - process_cpus(m->dump);
  return (ticks_t)(over * (double)recording_time(&m->recording));
}

ticks_t find_caused_wait(const struct model *m, uint64_t cpu_ns) {
  uint64_t all = m->process.known ? m->process.cpu_ns : 0;
  if (all < m->cpu.total_ns) all = m->cpu.total_ns;
  if (cpu_ns > all) cpu_ns = all;
  return all == 0 ? 0 : (ticks_t)((double)find_own_wait(m) * ((double)cpu_ns / (double)all));
}

/* What uses the CPUs explains these waits, and comes before them: its weight is its CPU time and
   the waits that it caused. */
static void find_starved(const struct finder *f) {
  const struct model *m = f->m;
  struct found_cpu_wait out = {.wait = m->process.java_wait_ns,
                               .wait_or_run = wanted_ns(m),
                               .ready = found_ratio(per_time(m, wanted_ns(m))),
                               .busy = found_ratio(per_time(m, m->process.cpu_ns)),
                               .quota = name_info(f, INFO_CPUS_QUOTA),
                               .allowed = name_info(f, INFO_CPUS_ALLOWED)};
  out.busy_is_known = m->process.known;
  out.is_full = is_full(m);
  out.is_crowded = is_crowded(m);
  if (is_starved(m)) FINDINGS_ADD(f->out, cpu_wait, find_caused_wait(m, m->cpu.total_ns), &out);
}

static void find_throttled(const struct finder *f) {
  uint64_t ns = f->m->process.throttled_ns, recorded = recorded_ns(f->m);
  struct found_throttled out = {ns, recorded, name_info(f, INFO_CPUS_QUOTA)};
  if (is_much(ns, recorded, MUCH_THROTTLED)) {
    FINDINGS_ADD(f->out, throttled, ns * TICKS_PER_NS, &out);
  }
}

/* --- the JVM --------------------------------------------------------------------------------- */

/* Methods that samples saw in many classes of one origin: the JIT compiler has to compile them for
   each class. */
static void find_many_classes(const struct finder *f, struct found_jit *out) {
  const struct model *m = f->m;
  const struct cpu_method *most = NULL;
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    const struct cpu_method *row = &m->cpu.methods[i];
    uint64_t classes = dump_alike_classes(m->dump, row->method);
    if (classes < MANY_CLASSES || place_is_platform(m->dump, row->method)) continue;
    out->classes_cpu += row->self_ns;
    if (classes <= out->classes) continue;
    out->classes = classes;
    most = row;
  }
  if (most != NULL) out->method = name_method(f, most->method);
}

/* The native methods defineClass0, defineClass1 and defineClass2. */
static bool defines_classes(const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  const struct class_line *c = line == NULL ? NULL : dump_class(d, line->class_id);
  return c != NULL && span_starts(line->name, "defineClass") &&
         place_is_class(c->signature, "java/lang/ClassLoader");
}

static place_t find_definer(const struct model *m) {
  for (size_t i = 0; i < m->cpu.num_methods; i++) { /* the first one has most self time */
    const struct cpu_method *row = &m->cpu.methods[i];
    if (row->self_ns > 0 && defines_classes(m->dump, row->method)) return row->caller;
  }
  return 0;
}

static void find_jit(const struct finder *f, uint64_t cpu, uint64_t process_cpu) {
  struct found_jit out = {.cpu = cpu, .process_cpu = process_cpu};
  find_many_classes(f, &out);
  if (out.classes > 0) out.defined_at = name_place(f, find_definer(f->m));
  uint64_t used = out.cpu + out.classes_cpu;
  FINDINGS_ADD(f->out, jit, used * TICKS_PER_NS + find_caused_wait(f->m, used), &out);
}

static void find_jvm(const struct finder *f) {
  const struct process *p = &f->m->process;
  struct process_share shares[NUM_PROCESS_OWNERS];
  if (!is_much(p->cpu_ns, recorded_ns(f->m), LEAST_WORK)) return;
  process_shares(p, f->m->cpu.total_ns, shares);
  uint64_t jit = shares[OWNER_JIT].cpu_ns;
  struct found_gc gc = {shares[OWNER_GC].cpu_ns, p->cpu_ns};
  if (is_much(jit, p->cpu_ns, MUCH_JIT)) find_jit(f, jit, p->cpu_ns);
  if (!is_much(gc.cpu, p->cpu_ns, MUCH_GC)) return;
  FINDINGS_ADD(f->out, gc, gc.cpu * TICKS_PER_NS + find_caused_wait(f->m, gc.cpu), &gc);
}

/* A pause takes the time of all threads that have something to do. If that is most of the time, all
   threads lose it. */
static ticks_t find_paused_time(const struct model *m) {
  uint64_t pause = m->process.pause_ns;
  double busy = per_time(m, spending_worked(&m->spending) / TICKS_PER_NS);
  if (is_much(pause, recorded_ns(m), MOSTLY_PAUSED)) busy = (double)m->threads.num;
  return (ticks_t)((double)(pause * TICKS_PER_NS) * (busy > 1 ? busy : 1));
}

/* Calls of System.gc, if they may be the reason of a notable part of the pauses: each can stop the
   program for a collection of the whole heap. */
static void find_gc_calls(const struct finder *f, struct found_gc_pauses *out) {
  size_t num;
  const struct tally_row *stacks = tally_of(&f->m->gc_calls, 0, &num);
  uint64_t calls = 0, here = 0;
  for (size_t i = 0; i < num; i++) calls += stacks[i].count;
  /* More calls than pauses: with DisableExplicitGC, they do nothing. */
  if (calls == 0 || calls * LEAST_GC_CALLS < out->pauses || calls > out->pauses) return;
  out->calls = calls;
  out->callers = name_threads(f, &f->m->gc_calls, 1);
  place_t place = stacks_place(&f->m->stacks, (stack_id_t)stacks[0].key);
  for (size_t i = 0; i < num; i++) {
    bool is_here = stacks_place(&f->m->stacks, (stack_id_t)stacks[i].key) == place;
    here += is_here ? stacks[i].count : 0;
  }
  if (here * 2 < calls) return;
  out->place = name_place(f, place);
  out->place_is_only = here == calls;
  out->called = name_call(f, CALL_OF_PROGRAM, (stack_id_t)stacks[0].key);
}

/* Where the program called the JVM for most of the JVM's CPU time in Java threads: the JVM
   may allocate there what the free space of a thread has no room for, such as large arrays. */
static void find_jvm_calls(const struct finder *f, struct found_gc_pauses *out) {
  const struct model *m = f->m;
  struct tally places = {0};
  uint64_t all = 0;
  bool good = true;
  for (stack_id_t id = 1; good && id < m->cpu.num_stacks; id++) {
    size_t depth = 0;
    const struct frame *frames = stacks_frames(&m->stacks, id, &depth);
    uint64_t ns = m->cpu.stack_ns[id];
    if (ns == 0 || depth < 2 || frames[0].method != pseudo_method(PSEUDO_JVM)) continue;
    all += ns;
    good = tally_add(&places, 0, stacks_place(&m->stacks, id), 1, ns);
  }
  tally_sort(&places);
  f->out->failed |= !good;
  size_t num;
  const struct tally_row *best = tally_of(&places, 0, &num);
  double samples =
      m->cpu.total_ns == 0 ? 0 : (double)all * (double)m->cpu.num_samples / (double)m->cpu.total_ns;
  bool is_known = num > 0 && best->total * 2 >= all && samples >= LEAST_SAMPLES &&
                  is_much(all, m->cpu.total_ns, MUCH_IN_JVM) &&
                  !place_is_platform(m->dump, place_method(best->key));
  if (is_known) {
    out->jvm_cpu = all;
    out->jvm_called_at = name_place(f, best->key);
  }
  tally_free(&places);
}

/* If the program asks for most pauses, these come before the CPU time, which may be its work. */
static ticks_t find_pause_weight(const struct finder *f, const struct found_gc_pauses *out) {
  ticks_t weight = find_paused_time(f->m);
  bool are_asked =
      out->calls * 2 >= out->pauses && is_much(out->pause, out->recorded, MUCH_ASKED_PAUSED);
  for (size_t i = 0; are_asked && i < f->out->num; i++) {
    const struct finding *row = &f->out->rows[i];
    if (row->kind == FINDING_cpu && row->weight >= weight) weight = row->weight + 1;
  }
  return weight;
}

static void find_pauses(const struct finder *f) {
  const struct process *p = &f->m->process;
  uint64_t recorded = recorded_ns(f->m);
  struct found_gc_pauses out = {.pauses = p->pauses,
                                .pause = p->pause_ns,
                                .longest_pause = p->longest_pause_ns,
                                .recorded = recorded};
  if (is_much(p->pause_ns, recorded, MUCH_PAUSED)) {
    find_gc_calls(f, &out);
    if (out.calls == 0) find_jvm_calls(f, &out);
    FINDINGS_ADD(f->out, gc_pauses, find_pause_weight(f, &out), &out);
  }
}

void find_process(const struct finder *f) {
  find_starved(f);
  if (!f->m->process.known) return;
  find_throttled(f);
  find_jvm(f);
  find_pauses(f);
}
