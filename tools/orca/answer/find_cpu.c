/* The hottest methods. */
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/answer/operations.h"

#define HARDLY_SAMPLES 10   /* below it, shares are chance */
#define HARDLY_OF_HOTTEST 4 /* the same for the samples of the hottest method */
#define FEW_SAMPLES 30      /* below it, they say little of a program that mostly waits */
#define MUCH_UNKNOWN_PERCENT 20
#define MUCH_MORE 1.5            /* times the time of the hottest method */
#define LEAST_PART_PERCENT 10    /* of the self time: native code, the JVM */
#define LEAST_IN_WAIT_PERCENT 10 /* of the recording */
#define NAMED 3                  /* methods */
#define LEAST_NAMED_PERCENT 10
#define MOST_PERCENT                                                          \
  60 /* of the CPU time: when the methods that are named have it, no more are \
      */
#define ENDLESS_PERCENT \
  90 /* of a thread's CPU time: so much of it is in a method that may not end */
#define BUSY_SELECT_PERCENT 75 /* of a thread's life, so that its calls of select hardly wait */
#define USER_PERCENT 80        /* of the self time: for one class that uses the method */

/* The caller may be the cause of much more: a regular expression runs in many methods of the JDK.
   Returns its time including what it calls; 0: it is not much more. */
static uint64_t find_caller_ns(const struct model *m, const struct cpu_method *hot) {
  uint32_t caller = place_method(hot->caller);
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    const struct cpu_method *row = &m->cpu.methods[i];
    if (row->method != caller) continue;
    return (double)row->total_ns < MUCH_MORE * (double)hot->total_ns ? 0 : row->total_ns;
  }
  return 0;
}

static uint64_t find_part(const struct cpu_method *hot, uint64_t ns) {
  return ns * 100 > hot->self_ns * LEAST_PART_PERCENT ? ns : 0;
}

/* --- the class that uses a method of the JDK ------------------------------------------------- */

static uint32_t get_class(const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  return line == NULL ? 0 : line->class_id;
}

/* The frames of the JDK on top of a stack, which its innermost frame of the program called. */
struct platform_part {
  const struct frame *frames;
  size_t num;
};

static struct platform_part find_platform_part(const struct model *m, stack_id_t stack) {
  struct platform_part part = {NULL, 0};
  size_t depth = 0;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++, depth--;
  part.frames = frames;
  while (part.num < depth && place_is_platform(m->dump, frames[part.num].method)) part.num++;
  return part;
}

/* Anonymous classes of the JDK only pass calls on, such as System$1, and so do variable handles,
   of which AtomicBoolean is made. */
static bool passes_calls(const struct dump *d, uint32_t class_id) {
  const struct class_line *c = dump_class(d, class_id);
  if (c != NULL && span_starts(c->signature, "Ljava/lang/invoke/VarHandle")) return true;
  size_t at = c == NULL || c->signature.len == 0 ? 0 : c->signature.len - 1;
  while (at > 0 && c->signature.data[at - 1] >= '0' && c->signature.data[at - 1] <= '9') at--;
  return at > 0 && c->signature.data[at - 1] == '$';
}

/* Returns the class of the first frame that is of another class than the top frame; 0: none is. */
static uint32_t find_other_class(const struct dump *d, struct platform_part part) {
  uint32_t own = part.num == 0 ? 0 : get_class(d, part.frames[0].method);
  for (size_t i = 1; i < part.num; i++) {
    uint32_t class_id = get_class(d, part.frames[i].method);
    if (class_id != own && !passes_calls(d, class_id)) return class_id;
  }
  return 0;
}

/* Returns the class of the JDK for which a method of the JDK spends nearly all its self time; 0:
   there is none. Reference.refersTo says little, that ThreadLocalMap calls it says more. */
static uint32_t find_user(const struct finder *f, const struct cpu_method *hot) {
  const struct model *m = f->m;
  struct tally users = {0};
  bool good = true;
  if (!place_is_platform(m->dump, hot->method)) return 0;
  for (stack_id_t id = 1; good && id < m->cpu.num_stacks; id++) {
    uint64_t ns = m->cpu.stack_ns[id];
    if (ns == 0) continue;
    struct platform_part part = find_platform_part(m, id);
    if (part.num == 0 || part.frames[0].method != hot->method) continue;
    good = tally_add(&users, 0, find_other_class(m->dump, part), 1, ns);
  }
  tally_sort(&users);
  size_t num;
  const struct tally_row *best = tally_of(&users, 0, &num);
  bool is_known = num > 0 && best->total * 100 >= hot->self_ns * USER_PERCENT;
  uint32_t user = is_known ? (uint32_t)best->key : 0;
  f->out->failed |= !good;
  tally_free(&users);
  return user;
}

/* The CPU time in a class of the JDK and in what it calls of the JDK. */
static uint64_t sum_user_ns(const struct model *m, uint32_t user) {
  uint64_t sum = 0;
  for (stack_id_t id = 1; user != 0 && id < m->cpu.num_stacks; id++) {
    if (m->cpu.stack_ns[id] == 0) continue;
    struct platform_part part = find_platform_part(m, id);
    size_t i = 0;
    while (i < part.num && get_class(m->dump, part.frames[i].method) != user) i++;
    if (i < part.num) sum += m->cpu.stack_ns[id];
  }
  return sum;
}

/* --- many methods of one package -------------------------------------------------------------- */

#define BROAD_PARTS 2 /* java.lang, java.util: a package of so few parts says little */
#define LEAST_OF_SCOPE_PERCENT 5
#define MANY_METHODS 3

/* A package of the JDK, such as "Ljava/util/regex/", or a class of a broad package with those
   inside of it: "Ljava/util/HashMap". Empty: none. */
static struct span find_scope(const struct dump *d, uint32_t method) {
  const struct class_line *c = dump_class(d, get_class(d, method));
  struct span scope = {0};
  size_t parts = 0;
  if (c == NULL || !place_is_platform(d, method)) return scope;
  scope.data = c->signature.data;
  for (size_t i = 0; i < c->signature.len; i++) {
    if (scope.data[i] != '/') continue;
    parts++;
    scope.len = i + 1;
  }
  if (parts > BROAD_PARTS) return scope;
  while (scope.len < c->signature.len && scope.data[scope.len] != '$' &&
         scope.data[scope.len] != ';') {
    scope.len++;
  }
  return scope;
}

static bool is_in_scope(const struct dump *d, uint32_t method, struct span scope) {
  struct span other = find_scope(d, method);
  return scope.len > 0 && other.len == scope.len && memcmp(other.data, scope.data, scope.len) == 0;
}

/* The CPU time of the JDK below its innermost frame in the scope. */
static uint64_t sum_scope_ns(const struct model *m, struct span scope) {
  uint64_t sum = 0;
  for (stack_id_t id = 1; scope.len > 0 && id < m->cpu.num_stacks; id++) {
    if (m->cpu.stack_ns[id] == 0) continue;
    struct platform_part part = find_platform_part(m, id);
    size_t i = 0;
    while (i < part.num && !is_in_scope(m->dump, part.frames[i].method, scope)) i++;
    if (i < part.num) sum += m->cpu.stack_ns[id];
  }
  return sum;
}

/* Is the time of a scope spread over methods of it, none of which has most of it? */
static bool is_spread(const struct model *m, const struct cpu_method *hot, struct span scope,
                      uint64_t scope_ns) {
  size_t num = 0;
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    const struct cpu_method *row = &m->cpu.methods[i];
    if (row->self_ns == 0) break;
    num += row->self_ns * 100 >= scope_ns * LEAST_OF_SCOPE_PERCENT &&
           is_in_scope(m->dump, row->method, scope);
  }
  return num >= MANY_METHODS && hot->self_ns * 2 < scope_ns;
}

/* "java.util.regex", "HashMap" */
static const char *name_scope(const struct finder *f, struct span scope) {
  struct builder b = {0};
  bool is_package = scope.data[scope.len - 1] == '/';
  size_t at = is_package ? 1 : scope.len;
  while (at > 1 && scope.data[at - 1] != '/') at--;
  for (; at < scope.len - is_package; at++) {
    builder_char(&b, scope.data[at] == '/' ? '.' : scope.data[at]);
  }
  return findings_text(f->out, &b);
}

/* --- the methods ------------------------------------------------------------------------------ */

/* What another finding says is left out here. */
static const struct found_spin *find_told_spin(const struct findings *out) {
  for (size_t i = 0; i < out->num; i++) {
    if (out->rows[i].kind == FINDING_spin) return out->rows[i].row;
  }
  return NULL;
}

static bool is_told(const struct finder *f, const struct found_spin *spin,
                    const struct cpu_method *row) {
  return spin != NULL && (row->method == place_method(spin->caller.place) ||
                          is_spin_method(f->m->dump, row->method));
}

/* Returns the next method with self time after the row `*at`; NULL: there is none. */
static const struct cpu_method *find_next(const struct finder *f, const struct found_spin *spin,
                                          size_t *at) {
  const struct cpu *c = &f->m->cpu;
  for (; *at < c->num_methods; ++*at) {
    const struct cpu_method *row = &c->methods[*at];
    if (row->self_ns == 0) return NULL;
    if (!pseudo_is(row->method) && !is_told(f, spin, row)) return &c->methods[(*at)++];
  }
  return NULL;
}

/* "ThreadLocal$ThreadLocalMap" */
static const char *name_short_class(const struct finder *f, uint32_t class_id) {
  const char *name = name_class(f, class_id), *dot = name == NULL ? NULL : strrchr(name, '.');
  return dot == NULL ? name : dot + 1;
}

/* 0: one class. */
static uint64_t count_classes(const struct dump *d, const struct cpu_method *row) {
  uint64_t classes = dump_alike_classes(d, row->method);
  return classes > 1 ? classes : 0;
}

/* What the sentence adds up: operations of a collection, a class of the JDK that uses the method,
   or a package. */
struct part_of {
  struct operation operation; /* all zero: none */
  uint32_t user;              /* 0: none */
  struct span scope;          /* empty: none */
  uint64_t ns;
};

static bool is_part(const struct dump *d, uint32_t method, const struct part_of *part) {
  bool is_user = part->user != 0 && get_class(d, method) == part->user;
  return is_user || is_in_scope(d, method, part->scope);
}

/* Most of its self time is in operations that the sentence adds up. */
static bool is_of_operation(const struct model *m, uint32_t method, const struct part_of *part) {
  uint64_t all = 0, inside = 0;
  for (stack_id_t id = 1; part->operation.class_id != 0 && id < m->cpu.num_stacks; id++) {
    size_t depth = 0;
    const struct frame *frames = stacks_frames(&m->stacks, id, &depth);
    if (m->cpu.stack_ns[id] == 0 || depth == 0) continue;
    if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++;
    if (frames[0].method != method) continue;
    all += m->cpu.stack_ns[id];
    if (operations_has(m, &part->operation, id)) inside += m->cpu.stack_ns[id];
  }
  return inside * 2 > all;
}

/* Operations are more exact than a class of the JDK, and that is more exact than a package, unless
   it has less of the time. */
static struct part_of find_part_of(const struct finder *f, const struct cpu_method *hot) {
  const struct model *m = f->m;
  uint32_t user = find_user(f, hot);
  struct span scope = find_scope(m->dump, hot->method);
  uint64_t user_ns = sum_user_ns(m, user), scope_ns = sum_scope_ns(m, scope);
  bool is_scope = scope_ns >= user_ns && is_spread(m, hot, scope, scope_ns);
  struct operation operation = operations_find(f, hot);
  if (operation.ns >= user_ns && (!is_scope || operation.ns >= scope_ns) &&
      operation.ns * 10 > hot->self_ns * 11) {
    return (struct part_of){.operation = operation, .ns = operation.ns};
  }
  if (is_scope) return (struct part_of){.scope = scope, .ns = scope_ns};
  return (struct part_of){.user = user, .ns = user_ns};
}

/* Adds the methods that, with those before, have most of the CPU time: `told` is theirs. */
static void add_others(const struct finder *f, const struct found_spin *spin, size_t at,
                       uint64_t told, const struct part_of *part, struct found_rows *out) {
  const struct model *m = f->m;
  const struct cpu_method *row;
  while (out->num + 1 < NAMED && told * 100 < m->cpu.total_ns * MOST_PERCENT &&
         (row = find_next(f, spin, &at)) != NULL &&
         row->self_ns * 100 >= m->cpu.total_ns * LEAST_NAMED_PERCENT) {
    if (is_part(m->dump, row->method, part) || is_of_operation(m, row->method, part)) continue;
    struct found_hot *hot = FINDINGS_PART(f->out, out, hot);
    if (hot == NULL) return;
    told += row->self_ns;
    *hot = (struct found_hot){.place = name_place(f, row->place),
                              .self = row->self_ns,
                              .classes = count_classes(m->dump, row),
                              .caller = name_place(f, row->caller)};
  }
}

/* Is a stack one of those that the sentence adds up? */
static bool is_stack_of(const struct model *m, stack_id_t stack, const struct cpu_method *hot,
                        const struct part_of *part) {
  struct platform_part frames = find_platform_part(m, stack);
  size_t depth = 0, at = 0;
  const struct frame *all = stacks_frames(&m->stacks, stack, &depth);
  if (depth > 1 && pseudo_is_leaf(all[0].method)) at++;
  if (part->operation.class_id != 0) return operations_has(m, &part->operation, stack);
  if (at < depth && all[at].method == hot->method) return true;
  for (size_t i = 0; i < frames.num; i++) {
    if (is_part(m->dump, frames.frames[i].method, part)) return true;
  }
  return false;
}

/* Whether a method waits for events from outside, such as EPoll.wait of a selector. */
static bool waits_for_events(const struct model *m, uint32_t method) {
  for (stack_id_t id = 1; id < m->cpu.num_stacks; id++) {
    size_t depth = 0;
    const struct frame *frames =
        m->cpu.stack_ns[id] == 0 ? NULL : stacks_frames(&m->stacks, id, &depth);
    if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++, depth--;
    if (depth > 0 && frames[0].method == method) return spending_is_idle(&m->spending, id);
  }
  return false;
}

/* A thread that uses the CPU in a call which should wait: if it was on a CPU, or waited for one,
   for most of its life, the calls return at once, again and again. */
static void find_busy_selects(const struct finder *f, const struct cpu_method *hot, uint32_t hash,
                              struct found_cpu *out) {
  const struct thread *t = threads_find(&f->m->threads, hash);
  uint64_t waited = 0;
  bool is_known = t != NULL && process_wait(&f->m->process, hash, &waited);
  if (!is_known || !waits_for_events(f->m, hot->method)) return;
  uint64_t lived = found_ns(t->last - t->first), busy = t->cpu_ns + waited;
  if (busy * 100 < lived * BUSY_SELECT_PERCENT || busy > lived) return;
  out->busy = busy;
  out->lived = lived;
}

/* The threads that use the CPU there. */
static void find_users(const struct finder *f, const struct cpu_method *hot,
                       const struct part_of *part, struct found_cpu *out) {
  const struct model *m = f->m;
  struct tally threads = {0};
  bool good = true;
  for (size_t i = 0; good && i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    uint64_t ns = profile_ns(row, PROFILE_CPU);
    if (ns == 0 || row->stack == 0 || !is_stack_of(m, row->stack, hot, part)) continue;
    good = tally_add(&threads, 0, row->thread, 1, ns);
  }
  tally_sort(&threads);
  f->out->failed |= !good;
  out->num_threads = count_threads(&threads, 0);
  if (out->num_threads > 0) out->threads = name_threads(f, &threads, 0);
  if (out->num_threads == 1) find_busy_selects(f, hot, (uint32_t)threads.rows[0].key, out);
  tally_free(&threads);
}

/* --- a method that does not end --------------------------------------------------------------- */

static bool has_method(const struct model *m, stack_id_t stack, uint32_t method) {
  size_t depth = 0;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    if (frames[i].method == method) return true;
  }
  return false;
}

/* Returns the CPU time of the thread in the method, if it was nearly always there, and had no event
   for most of the recording; else 0. */
static uint64_t find_endless_ns(const struct model *m, const struct thread *t, uint32_t method) {
  const struct recording *r = &m->recording;
  ticks_t since = t->life.event > r->from ? t->life.event : r->from;
  uint64_t all = 0, inside = 0;
  if (!t->alive || (r->to - since) * 2 < recording_time(r)) return 0;
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    uint64_t ns = row->thread == t->hash ? profile_ns(row, PROFILE_CPU) : 0;
    all += ns;
    if (ns > 0 && has_method(m, row->stack, method)) inside += ns;
  }
  return inside * 100 >= all * ENDLESS_PERCENT ? inside : 0;
}

/* Returns whether most of the method's time is of threads that may be in one call of it, as a busy
   wait is. So no path is known to lead to its end, and no gain. */
static bool is_endless(const struct model *m, const struct cpu_method *hot) {
  uint64_t endless = 0;
  for (size_t i = 0; i < m->threads.num; i++) {
    endless += find_endless_ns(m, &m->threads.rows[i], hot->method);
  }
  return endless * 2 > hot->total_ns;
}

/* "HashMap.put"; "HashMap" if the program calls several of its methods. */
static const char *name_operation(const struct finder *f, const struct operation *o) {
  return o->method != 0 ? name_method(f, o->method) : name_short_class(f, o->class_id);
}

static void add_hottest(const struct finder *f, const struct found_spin *spin,
                        const struct cpu_method *hot, size_t next) {
  const struct model *m = f->m;
  const struct bounds *b = &f->answer->bounds;
  uint64_t unknown = model_unknown_ns(m);
  bool has_unknown =
      m->recording.by_signal && unknown * 100 > m->cpu.total_ns * MUCH_UNKNOWN_PERCENT;
  struct part_of part = find_part_of(f, hot);
  bool has_scope = part.scope.len > 0, has_operation = part.operation.class_id != 0;
  struct found_cpu out = {.cpu = m->cpu.total_ns,
                          .is_java = m->recording.by_signal || m->recording.tasks_known,
                          .samples = m->cpu.num_samples,
                          .place = name_place(f, hot->place),
                          .classes = count_classes(m->dump, hot),
                          .self = hot->self_ns,
                          .total = hot->total_ns,
                          .native = find_part(hot, hot->native_ns),
                          .jvm = find_part(hot, hot->jvm_ns),
                          .user = has_operation ? name_operation(f, &part.operation)
                                  : has_scope   ? name_scope(f, part.scope)
                                                : name_short_class(f, part.user),
                          .user_total = part.ns,
                          .user_called_at = name_place(f, part.operation.caller),
                          .user_has_one_caller = part.operation.has_one_caller,
                          .has_shared_buckets = part.operation.has_shared_buckets,
                          .caller = name_place(f, hot->caller),
                          .caller_total = hot->caller == 0 ? 0 : find_caller_ns(m, hot),
                          .unknown = has_unknown ? unknown : 0};
  ticks_t path = bounds_is_rest(b) ? 0 : bounds_method_time(b, place_method(hot->place));
  if (path > 0 && bounds_has_path(b) && !is_endless(m, hot)) {
    out.path = found_ns(path);
    out.path_wait = found_ns(bounds_method_wait(b, place_method(hot->place)));
    out.whole_path = found_ns(b->work);
  }
  uint64_t told = out.user != NULL ? part.ns : hot->self_ns;
  uint64_t spun = spin == NULL ? 0 : spin->time, rest = m->cpu.total_ns - spun;
  add_others(f, spin, next, told + spun, &part, &out.others);
  bool has_gain =
      path > 0 && b->faster_method.known && hot == cpu_hottest(&m->cpu) && !is_endless(m, hot);
  if (has_gain) find_gain(f, &b->faster_method, &out.gain);
  find_users(f, hot, &part, &out);
  FINDINGS_ADD(f->out, cpu, rest * TICKS_PER_NS + find_caused_wait(m, rest), &out);
}

/* A program that does not go on has used its CPU time before, mostly to start. */
static bool is_stopped(const struct finder *f) {
  for (size_t i = 0; i < f->out->num; i++) {
    if (finding_infos[f->out->rows[i].kind].rank == RANK_STOPPED) return true;
  }
  return false;
}

/* Whether the samples show what uses the CPU time. */
static bool has_profile(const struct finder *f, const struct cpu_method *hot, size_t least) {
  const struct cpu *c = &f->m->cpu;
  if (hot == NULL || c->num_samples < least) return false;
  struct part_of part = find_part_of(f, hot);
  uint64_t ns = part.ns > hot->total_ns ? part.ns : hot->total_ns;
  return (double)ns * (double)c->num_samples >= (double)HARDLY_OF_HOTTEST * (double)c->total_ns;
}

void find_cpu(const struct finder *f) {
  const struct model *m = f->m;
  const struct found_spin *spin = find_told_spin(f->out);
  size_t next = 0;
  const struct cpu_method *hot = find_next(f, spin, &next);
  if (!filter_has_samples(&m->matcher.filter)) return; /* the filter selects no samples */
  ticks_t used = m->cpu.total_ns * TICKS_PER_NS;
  bool mostly_waits = used * 100 < recording_time(&m->recording) * LEAST_IN_WAIT_PERCENT;
  if (has_profile(f, hot, mostly_waits ? FEW_SAMPLES : HARDLY_SAMPLES)) {
    if (!mostly_waits || !is_stopped(f)) add_hottest(f, spin, hot, next);
    return;
  }
  if (spin != NULL) return;
  struct found_no_cpu out = {.cpu = m->cpu.total_ns,
                             .samples = hot == NULL ? 0 : m->cpu.num_samples,
                             .was_sampled = m->recording.ticks > 0 || m->recording.by_signal,
                             .cpu_is_known = m->recording.cpu_known};
  FINDINGS_ADD(f->out, no_cpu, 0, &out);
}
