/* Busy waiting: threads that use the CPU in Thread.yield and the like, again and again. */
#include "tools/orca/answer/find.h"

/* In percent. */
#define LEAST_OF_CPU 10
#define LEAST_OF_RECORDING 10
#define LEAST_IN_SPIN_METHOD 50 /* of the time of its caller */
#define LEAST_OF_THREAD 1       /* of the time of all threads that spin there */
#define MUCH_STARVED 10         /* of the recording, the wait of one thread for a CPU */

#define LEAST_SAMPLES 10

static bool is_method_of(const struct dump *d, uint32_t id, const char *class_end,
                         const char *name) {
  const struct method_line *method = dump_method(d, id);
  const struct class_line *c = method == NULL ? NULL : dump_class(d, method->class_id);
  return c != NULL && span_is(method->name, name) && place_is_class(c->signature, class_end);
}

bool is_spin_method(const struct dump *d, uint32_t method) {
#define SPIN(class_end, name) \
  if (is_method_of(d, method, class_end, name)) return true;
#include "tools/orca/answer/spin_method.def"
  return false;
}

/* The part of a stack that matters. */
struct spin_stack {
  place_t caller; /* of the spin method, in the program if it can be; 0: none is on top */
  uint32_t spins; /* the outermost of the spin methods on top: yield, not yield0 */
  uint32_t top;   /* the innermost method */
};

static struct spin_stack read_stack(const struct model *m, stack_id_t stack) {
  struct spin_stack out = {0};
  size_t depth = 0, at = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  if (depth > 1 && pseudo_is_leaf(frames[0].method)) at++;
  if (at < depth) out.top = frames[at].method;
  for (; at < depth && is_spin_method(m->dump, frames[at].method); at++) {
    out.spins = frames[at].method;
  }
  if (out.spins == 0 || at == depth || pseudo_is(frames[at].method)) return out;
  size_t own = at;
  while (own < depth && place_is_platform(m->dump, frames[own].method)) own++;
  bool has_own = own < depth && !pseudo_is(frames[own].method);
  out.caller = place_of_frame(m->dump, frames[has_own ? own : at]);
  return out;
}

/* The threads of one caller. */
struct spinning {
  struct tally callers;   /* group 0, by method: time in spin methods */
  struct tally places;    /* by method: the same, by place */
  struct tally by_thread; /* group 0, by thread: time in the caller and in the spin methods */
  struct tally threads;   /* group 0: those that spin, each once */
  uint32_t caller;        /* with most time */
  uint32_t method;        /* that it calls */
  uint64_t in_method, time;
};

static bool find_callers(const struct model *m, struct spinning *s) {
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    uint64_t ns = profile_ns(row, PROFILE_CPU);
    struct spin_stack stack = read_stack(m, ns == 0 ? 0 : row->stack);
    if (stack.caller == 0) continue;
    uint32_t caller = place_method(stack.caller);
    if (!tally_add(&s->callers, 0, caller, 1, ns) ||
        !tally_add(&s->places, caller, stack.caller, 1, ns)) {
      return false;
    }
  }
  tally_sort(&s->callers);
  tally_sort(&s->places);
  s->caller = (uint32_t)tally_best(&s->callers, 0);
  return true;
}

static bool find_threads(const struct model *m, struct spinning *s) {
  size_t num;
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    uint64_t ns = profile_ns(row, PROFILE_CPU);
    struct spin_stack stack = read_stack(m, ns == 0 ? 0 : row->stack);
    bool is_below = stack.caller != 0 && place_method(stack.caller) == s->caller;
    if (is_below) s->method = stack.spins;
    if (is_below) s->in_method += ns;
    if (!is_below && stack.top != s->caller) continue;
    s->time += ns;
    if (!tally_add(&s->by_thread, 0, row->thread, 1, ns)) return false;
  }
  tally_sort(&s->by_thread);
  const struct tally_row *rows = tally_of(&s->by_thread, 0, &num);
  for (size_t i = 0; i < num; i++) {
    bool spins = rows[i].total * 100 >= s->time * LEAST_OF_THREAD;
    if (spins && !tally_add(&s->threads, 0, rows[i].key, 1, 0)) return false;
  }
  tally_sort(&s->threads);
  return true;
}

/* Another thread that waited long for a CPU: that with the longest wait. */
static void add_starved(const struct finder *f, const struct spinning *s, struct found_spin *out) {
  const struct model *m = f->m;
  uint64_t longest = 0, wait;
  const struct thread *starved = NULL;
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *row = &m->threads.rows[i];
    if (!process_wait(&m->process, row->hash, &wait) || wait <= longest) continue;
    if (tally_find(&s->threads, 0, row->hash) != NULL) continue;
    longest = wait;
    starved = row;
  }
  ticks_t recorded = recording_time(&m->recording);
  if (starved == NULL || longest * TICKS_PER_NS * 100 < recorded * MUCH_STARVED) return;
  out->starved = name_thread(f, starved->hash);
  out->starved_wait = longest;
  out->starved_cpu = starved->cpu_ns;
}

static bool is_much(const struct model *m, const struct spinning *s) {
  ticks_t recorded = recording_time(&m->recording);
  return s->time * 100 >= m->cpu.total_ns * LEAST_OF_CPU &&
         s->time * TICKS_PER_NS * 100 >= recorded * LEAST_OF_RECORDING &&
         s->in_method * 100 >= s->time * LEAST_IN_SPIN_METHOD;
}

/* Threads that spin make others wait for a CPU, and each other. */
static void add_spin(const struct finder *f, const struct spinning *s) {
  const struct model *m = f->m;
  struct found_spin out = {.threads = name_threads(f, &s->threads, 0),
                           .num_threads = count_threads(&s->threads, 0),
                           .method = name_method(f, s->method),
                           .caller = name_place(f, tally_best(&s->places, s->caller)),
                           .in_method = s->in_method,
                           .time = s->time,
                           .cpu = m->cpu.total_ns,
                           .is_java = m->recording.by_signal || m->recording.tasks_known};
  add_starved(f, s, &out);
  uint64_t wait = m->process.wait_known ? m->process.java_wait_ns : 0;
  FINDINGS_ADD(f->out, spin, (s->time + wait) * TICKS_PER_NS, &out);
}

void find_spin(const struct finder *f) {
  struct spinning s = {0};
  const struct model *m = f->m;
  if (!filter_has_samples(&m->matcher.filter) || m->cpu.num_samples < LEAST_SAMPLES) return;
  bool good = find_callers(m, &s);
  if (good && s.caller != 0) good = find_threads(m, &s);
  if (good && s.caller != 0 && is_much(m, &s)) add_spin(f, &s);
  f->out->failed |= !good;
  tally_free(&s.callers);
  tally_free(&s.places);
  tally_free(&s.by_thread);
  tally_free(&s.threads);
}
