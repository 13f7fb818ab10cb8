#include "tools/orca/answer/operations.h"

/* In percent. */
#define MOST_CALLS 90
#define NEARLY_ALL 99
#define MOST_OF_METHOD 80 /* of its self time */

/* The outermost operation of a stack. */
struct key_call {
  uint32_t class_id, method; /* 0: there is none */
  place_t caller;
  bool compares_keys; /* a method of the program is called for a key, or `shares_buckets` */
  bool shares_buckets;
};

static const struct class_line *find_class(const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  return line == NULL ? NULL : dump_class(d, line->class_id);
}

static bool is_collection(const struct dump *d, uint32_t method) {
  static const char *const others[] = {"Ljava/util/stream/", "Ljava/util/regex/",
                                       "Ljava/util/function/"};
  const struct class_line *c = find_class(d, method);
  if (c == NULL || !span_starts(c->signature, "Ljava/util/")) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (span_starts(c->signature, others[i])) return false;
  }
  return true;
}

/* HashMap makes such nodes when a bucket gets more than eight keys. */
static bool is_shared_bucket(const struct dump *d, uint32_t method) {
  const struct class_line *c = find_class(d, method);
  return c != NULL &&
         (place_is_class(c->signature, "java/util/HashMap$TreeNode") ||
          place_is_class(c->signature, "java/util/concurrent/ConcurrentHashMap$TreeNode") ||
          place_is_class(c->signature, "java/util/concurrent/ConcurrentHashMap$TreeBin"));
}

/* A method that collections call for their keys. */
static bool is_of_key(const struct dump *d, uint32_t method) {
  static const char *const names[] = {"equals", "hashCode", "compareTo", "compare"};
  const struct method_line *line = dump_method(d, method);
  for (size_t i = 0; line != NULL && i < sizeof names / sizeof *names; i++) {
    if (span_is(line->name, names[i])) return true;
  }
  return false;
}

/* Returns the index of the frame of the JDK that called a method of a key; `depth`: the frames of
   the program from `at` on have no such method. */
static size_t skip_key(const struct dump *d, const struct frame *frames, size_t depth, size_t at) {
  while (at < depth && !place_is_platform(d, frames[at].method)) {
    bool is_called = at + 1 < depth && place_is_platform(d, frames[at + 1].method);
    if (is_called && is_of_key(d, frames[at].method)) return at + 1;
    if (is_called) break;
    at++;
  }
  return depth;
}

static struct key_call read_stack(const struct model *m, stack_id_t stack) {
  const struct dump *d = m->dump;
  struct key_call out = {0};
  size_t depth = 0, at = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  bool has_key = false;
  if (depth > 1 && pseudo_is_leaf(frames[0].method)) at++;
  while (at < depth) {
    size_t first = at;
    bool shares = false;
    for (; at < depth && place_is_platform(d, frames[at].method); at++) {
      shares |= is_shared_bucket(d, frames[at].method);
    }
    bool has_caller = at > first && at < depth && !pseudo_is(frames[at].method);
    if (has_caller && is_collection(d, frames[at - 1].method)) {
      out.method = frames[at - 1].method;
      out.class_id = dump_method(d, out.method)->class_id;
      out.caller = place_of_frame(d, frames[at]);
      out.compares_keys = has_key || shares;
      out.shares_buckets = shares;
    }
    at = skip_key(d, frames, depth, at);
    has_key = true;
  }
  return out;
}

/* The sums of all operations, in which `rows` are by class. */
struct operations {
  struct tally rows;    /* group 0: time that compares keys */
  struct tally methods; /* by class: time by method */
  struct tally callers; /* by class: time by place of the program */
  struct tally shares;  /* group 0: time with shared buckets */
  struct tally of_hot;  /* group 0: self time of the method */
};

static bool add_stack(struct operations *all, const struct model *m, const struct cpu_method *hot,
                      stack_id_t stack) {
  uint64_t ns = m->cpu.stack_ns[stack];
  struct key_call called = read_stack(m, ns == 0 ? 0 : stack);
  if (called.class_id == 0) return true;
  size_t depth = 0;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++;
  uint64_t keys = called.compares_keys ? ns : 0, shared = called.shares_buckets ? ns : 0;
  uint64_t self = frames[0].method == hot->method ? ns : 0;
  return tally_add(&all->rows, 0, called.class_id, 1, keys) &&
         tally_add(&all->shares, 0, called.class_id, 1, shared) &&
         tally_add(&all->of_hot, 0, called.class_id, 1, self) &&
         tally_add(&all->methods, called.class_id, called.method, 1, ns) &&
         tally_add(&all->callers, called.class_id, called.caller, 1, ns);
}

static uint64_t get_total(const struct tally *t, uint32_t group, uint64_t key) {
  const struct tally_row *row = tally_find(t, group, key);
  return row == NULL ? 0 : row->total;
}

static uint64_t sum_group(const struct tally *t, uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(t, group, &num);
  uint64_t sum = 0;
  for (size_t i = 0; i < num; i++) sum += rows[i].total;
  return sum;
}

/* Sorted tallies. */
static struct operation choose(const struct operations *all, const struct cpu_method *hot) {
  struct operation out = {.class_id = (uint32_t)tally_best(&all->rows, 0)};
  uint64_t keys = get_total(&all->rows, 0, out.class_id);
  out.ns = sum_group(&all->methods, out.class_id);
  bool is_of_hot = get_total(&all->of_hot, 0, out.class_id) * 100 >= hot->self_ns * MOST_OF_METHOD;
  if (out.class_id == 0 || keys * 2 < out.ns || !is_of_hot) return (struct operation){0};
  uint64_t method = tally_best(&all->methods, out.class_id);
  uint64_t of_method = get_total(&all->methods, out.class_id, method);
  out.caller = tally_best(&all->callers, out.class_id);
  out.has_one_caller =
      get_total(&all->callers, out.class_id, out.caller) * 100 >= out.ns * NEARLY_ALL;
  out.has_shared_buckets = get_total(&all->shares, 0, out.class_id) * 2 >= out.ns;
  if (of_method * 100 < out.ns * MOST_CALLS) return out;
  out.method = (uint32_t)method;
  out.ns = of_method;
  return out;
}

struct operation operations_find(const struct finder *f, const struct cpu_method *hot) {
  const struct model *m = f->m;
  struct operations all = {0};
  bool good = true;
  for (stack_id_t id = 1; good && id < m->cpu.num_stacks; id++) {
    good = add_stack(&all, m, hot, id);
  }
  struct tally *tallies[] = {&all.rows, &all.methods, &all.callers, &all.shares, &all.of_hot};
  for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++) tally_sort(tallies[i]);
  struct operation out = choose(&all, hot);
  for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++) tally_free(tallies[i]);
  f->out->failed |= !good;
  return out;
}

bool operations_has(const struct model *m, const struct operation *o, stack_id_t stack) {
  return o->class_id != 0 && read_stack(m, stack).class_id == o->class_id;
}
